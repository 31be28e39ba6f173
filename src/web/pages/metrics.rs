//! `/metrics`: the metrics of the home for Prometheus, for this machine and for clients with the token.

use crate::base::digest::Digest;
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::site::Site;
use axum::extract::{Request, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;
use tokio::task::spawn_blocking;

/// Sends the metrics. For other clients the page does not exist.
pub(crate) async fn page(State(site): State<Arc<Site>>, request: Request) -> PageResult<Response> {
    let is_local = site.origin(request.headers(), request.extensions()).is_this_machine();
    let Some(metrics) = &site.parts.metrics else { return Err(PageError::NotFound) };
    let header = request.headers().get(header::AUTHORIZATION).and_then(|it| it.to_str().ok());
    let sent = header.and_then(|text| text.strip_prefix("Bearer "));
    // Digests are compared, so that the time tells nothing about the token.
    let is_right = |token: &String| {
        sent.is_some_and(|it| Digest::of(it.as_bytes()) == Digest::of(token.as_bytes()))
    };
    if !is_local && !metrics.token.as_ref().is_some_and(is_right) {
        return Err(PageError::NotFound);
    }
    let site = Arc::clone(&site);
    let text = spawn_blocking(move || site.parts.metrics.as_ref().map(|metrics| (metrics.text)()));
    match text.await {
        Ok(Some(text)) => {
            let content_type = [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
            Ok((content_type, text?).into_response())
        }
        Ok(None) => Err(PageError::NotFound),
        Err(_) => Err(PageError::Bug),
    }
}
