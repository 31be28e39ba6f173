//! Checks before a request is looked at: how much one place of the net asks for at a time, and
//! whether all of the request has come.

use crate::web::html::error_page::PageError;
use crate::web::http::pending_responses::keep_until_sent;
use crate::web::site::Site;
use axum::body::{Body, HttpBody as _, to_bytes};
use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{Version, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use std::sync::Arc;
use tokio::time::timeout;

/// Bytes of a form at most, or of what a program says.
const LARGEST_FORM: usize = 64 * 1024;

/// Headers that are written once, in ASCII, in every honest request.
const SINGLE: [header::HeaderName; 3] = [header::HOST, header::AUTHORIZATION, header::ORIGIN];

/// Refuses a request whose headers could mean one thing to a proxy and another thing here.
pub(in crate::web) async fn check_headers(request: Request, next: Next) -> Response {
    match ambiguous_header(&request) {
        Some(name) => PageError::Header(name).into_response(),
        None => next.run(request).await,
    }
}

/// The header that is missing, written twice or not readable, if one is.
fn ambiguous_header(request: &Request) -> Option<&'static str> {
    let headers = request.headers();
    let is_read_once = |name: &header::HeaderName| {
        let mut values = headers.get_all(name).iter();
        values.next().is_none_or(|value| value.to_str().is_ok()) && values.next().is_none()
    };
    let unread = SINGLE.iter().find(|name| !is_read_once(name));
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let is_host = match host {
        None => request.version() != Version::HTTP_11,
        Some(host) => host.parse::<Authority>().is_ok() && !host.contains('@'),
    };
    match unread {
        Some(&header::AUTHORIZATION) => Some("Authorization"),
        Some(&header::ORIGIN) => Some("Origin"),
        unread => (unread.is_some() || !is_host).then_some("Host"),
    }
}

/// Counts the requests of one network at a time, also the events that it hears.
pub(in crate::web) async fn limit_by_place(
    State(site): State<Arc<Site>>,
    request: Request,
    next: Next,
) -> Response {
    let origin = site.origin(request.headers(), request.extensions());
    let Some(place) = origin.counted_network() else {
        return next.run(request).await;
    };
    match site.places.enter(place) {
        Some(guest) => keep_until_sent(next.run(request).await, guest),
        None => PageError::Crowded.into_response(),
    }
}

/// Reads all of a request, so that nobody holds up anything by sending it slowly.
pub(in crate::web) async fn read_whole_body(
    State(site): State<Arc<Site>>,
    mut request: Request,
    next: Next,
) -> Response {
    if !request.body().is_end_stream() {
        let body = std::mem::take(request.body_mut());
        let patience = site.parts.setup.config.web.bounds.body;
        match timeout(patience, to_bytes(body, LARGEST_FORM)).await {
            Ok(Ok(bytes)) => *request.body_mut() = Body::from(bytes),
            Ok(Err(_)) => return PageError::TooLong.into_response(),
            Err(_) => return PageError::TooSlow.into_response(),
        }
    }
    next.run(request).await
}
