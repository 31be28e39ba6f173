//! Checks before a request is looked at: how much one place of the net asks for at a time, and
//! whether all of the request has come.

use super::answers::keep_until_sent;
use super::api;
use super::failure::PageError;
use super::site::Site;
use axum::body::{Body, HttpBody as _, to_bytes};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use std::sync::Arc;
use tokio::time::timeout;

/// Bytes of a form at most, or of what a program says.
const LARGEST_FORM: usize = 64 * 1024;

/// Counts the requests of one place at a time, also the events that it hears. A proxy that does not
/// say for which client it asks is nobody's place.
pub(super) async fn limit_by_place(
    State(site): State<Arc<Site>>,
    request: Request,
    next: Next,
) -> Response {
    let Some(place) = site.place(request.headers(), request.extensions()) else {
        return next.run(request).await;
    };
    match site.places.enter(place) {
        Some(guest) => keep_until_sent(next.run(request).await, guest),
        None => refused(&request, PageError::Crowded),
    }
}

/// Reads all of a request, so that nobody holds up anything by sending it slowly.
pub(super) async fn read_whole_body(
    State(site): State<Arc<Site>>,
    mut request: Request,
    next: Next,
) -> Response {
    if !request.body().is_end_stream() {
        let body = std::mem::take(request.body_mut());
        let patience = site.parts.setup.config.web.bounds.body;
        match timeout(patience, to_bytes(body, LARGEST_FORM)).await {
            Ok(Ok(bytes)) => *request.body_mut() = Body::from(bytes),
            Ok(Err(_)) => return refused(&request, PageError::TooLong),
            Err(_) => return refused(&request, PageError::TooSlow),
        }
    }
    next.run(request).await
}

/// The same in the form that the client reads: JSON for a program, else a page.
fn refused(request: &Request, failure: PageError) -> Response {
    if request.uri().path().starts_with("/api/") {
        api::ApiError::from(failure).into_response()
    } else {
        failure.into_response()
    }
}
