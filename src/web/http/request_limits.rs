//! Checks before a page handles a request: its headers are unambiguous, its network is within its
//! limit, and its body is complete.

use super::pending_responses::hold_until_sent;
use crate::web::html::error_page::PageError;
use crate::web::site::Site;
use axum::body::{Body, HttpBody as _, to_bytes};
use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{Version, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use std::sync::Arc;
use tokio::time::timeout;

/// The size limit of a body in bytes.
const MAX_BODY: usize = 64 * 1024;

/// Headers that must be ASCII and occur once.
const SINGLE: [header::HeaderName; 3] = [header::HOST, header::AUTHORIZATION, header::ORIGIN];

/// Refuses a request whose headers a proxy could read differently.
pub(crate) async fn check_headers(request: Request, next: Next) -> Response {
    match ambiguous_header(&request) {
        Some(name) => PageError::Header(name).into_response(),
        None => next.run(request).await,
    }
}

/// Returns the name of a header that is missing, repeated or unreadable.
fn ambiguous_header(request: &Request) -> Option<&'static str> {
    let headers = request.headers();
    let is_single = |name: &header::HeaderName| {
        let mut values = headers.get_all(name).iter();
        values.next().is_none_or(|value| value.to_str().is_ok()) && values.next().is_none()
    };
    let ambiguous = SINGLE.iter().find(|name| !is_single(name));
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let is_host = match host {
        None => request.version() != Version::HTTP_11,
        Some(host) => host.parse::<Authority>().is_ok() && !host.contains('@'),
    };
    match ambiguous {
        Some(&header::AUTHORIZATION) => Some("Authorization"),
        Some(&header::ORIGIN) => Some("Origin"),
        other => (other.is_some() || !is_host).then_some("Host"),
    }
}

/// Limits the requests of a network that are in progress, event streams included.
pub(crate) async fn limit_by_network(
    State(site): State<Arc<Site>>,
    request: Request,
    next: Next,
) -> Response {
    let origin = site.origin(request.headers(), request.extensions());
    let Some(network) = origin.counted_network() else {
        return next.run(request).await;
    };
    match site.network_limiter.try_acquire(network) {
        Some(permit) => hold_until_sent(next.run(request).await, permit),
        None => PageError::TooManyFromNetwork.into_response(),
    }
}

/// Reads the whole body first, so that a slow client holds no queue and no lock.
pub(crate) async fn read_whole_body(
    State(site): State<Arc<Site>>,
    mut request: Request,
    next: Next,
) -> Response {
    if !request.body().is_end_stream() {
        let body = std::mem::take(request.body_mut());
        let limit = site.parts.setup.config.web.bounds.body;
        match timeout(limit, to_bytes(body, MAX_BODY)).await {
            Ok(Ok(bytes)) => *request.body_mut() = Body::from(bytes),
            Ok(Err(_)) => return PageError::TooLong.into_response(),
            Err(_) => return PageError::TooSlow.into_response(),
        }
    }
    next.run(request).await
}
