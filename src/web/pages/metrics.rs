//! `/metrics`: the numbers of the home for Prometheus, for this machine and clients with the token.

use crate::base::digest::digest;
use crate::web::html::error_page::PageError;
use crate::web::site::Site;
use axum::extract::{Request, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;
use tokio::task::spawn_blocking;

/// The numbers. To others there is no such page.
pub(in crate::web) async fn page(
    State(site): State<Arc<Site>>,
    request: Request,
) -> Result<Response, PageError> {
    let is_here = site.origin(request.headers(), request.extensions()).is_this_machine();
    let Some(metrics) = &site.parts.metrics else { return Err(PageError::NotFound) };
    let said = request.headers().get(header::AUTHORIZATION).and_then(|it| it.to_str().ok());
    let said = said.and_then(|said| said.strip_prefix("Bearer "));
    // Digests are compared, so that the time tells nothing of the token.
    let is_known =
        |token: &String| said.is_some_and(|it| digest(it.as_bytes()) == digest(token.as_bytes()));
    if !is_here && !metrics.token.as_ref().is_some_and(is_known) {
        return Err(PageError::NotFound);
    }
    let site = Arc::clone(&site);
    let told = spawn_blocking(move || site.parts.metrics.as_ref().map(|metrics| (metrics.text)()));
    match told.await {
        Ok(Some(text)) => {
            let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
            Ok((kind, text?).into_response())
        }
        Ok(None) => Err(PageError::NotFound),
        Err(_) => Err(PageError::Bug),
    }
}
