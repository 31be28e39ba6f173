//! Answers with the pages that are kept, and which are.

use super::kept::{CachedPage, LONGEST_PATH, OLDEST, ShownDocuments};
use super::pack::unpacks;
use super::site::Site;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// Answers with a page that is kept, or keeps the one that is made. Clients with a cookie get none.
pub(super) async fn serve_cached(
    State(site): State<Arc<Site>>,
    request: Request,
    next: Next,
) -> Response {
    let Some(path) = cacheable_path(&request) else { return next.run(request).await };
    let has = request.headers().get(header::IF_NONE_MATCH).cloned();
    let now = site.now();
    let (found, changes) = site.kept.find(&path, now);
    let (headers, body) = match found {
        Some(page) => page,
        None => match made(&site, path, changes, next.run(request).await).await {
            Ok(page) => page,
            Err(response) => return response,
        },
    };
    if has.is_some() && has.as_ref() == headers.get(header::ETAG) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    let mut response = Response::new(Body::from(body));
    *response.headers_mut() = headers;
    response
}

/// The path of a request that a kept page may answer.
fn cacheable_path(request: &Request) -> Option<String> {
    let (headers, path) = (request.headers(), request.uri().path());
    let is_plain = *request.method() == Method::GET
        && request.uri().query().is_none()
        && !headers.contains_key(header::COOKIE);
    (unpacks(headers) && is_plain && path.len() <= LONGEST_PATH).then(|| path.to_owned())
}

/// The page that was made just now, which is kept; the answer as it is, if it is none.
async fn made(
    site: &Site,
    path: String,
    changes: u64,
    response: Response,
) -> Result<(HeaderMap, Bytes), Response> {
    let is_packed =
        response.headers().get(header::CONTENT_ENCODING) == Some(&HeaderValue::from_static("gzip"));
    let Some(ShownDocuments(shows)) = response.extensions().get().filter(|_| is_packed).cloned()
    else {
        return Err(response);
    };
    let (parts, body) = response.into_parts();
    let Ok(body) = to_bytes(body, usize::MAX).await else {
        return Err(StatusCode::INTERNAL_SERVER_ERROR.into_response());
    };
    let headers = parts.headers;
    let page = CachedPage {
        headers: headers.clone(),
        body: body.clone(),
        shows,
        until: site.now() + OLDEST,
    };
    site.kept.keep(path, page, changes);
    Ok((headers, body))
}
