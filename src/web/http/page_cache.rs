//! A cache of compressed pages for visitors without a cookie, who all see the same pages. A page is
//! dropped when a document that it shows changes.

use super::compression::accepts_gzip;
use crate::base::time::{Span, Time, seconds};
use crate::web::site::Site;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The budget of the cache in bytes.
const MAX_TOTAL: usize = 16 << 20;

/// Roughly how many bytes a page takes beside its body, its path and the names of its documents: its
/// headers and its entry in the table.
const OVERHEAD: usize = 1024;

/// The size limits of a cached page and of its path, in bytes.
const MAX_BODY: usize = 256 * 1024;
const MAX_PATH: usize = 100;

/// The age limit of a page: clocks on it advance by themselves.
const MAX_AGE: Span = seconds(30);

/// The names of all documents that a page shows. A response with this extension may be cached.
#[derive(Clone)]
pub(crate) struct ShownDocuments(pub(crate) Vec<String>);

/// The cached pages.
#[derive(Default)]
pub(crate) struct PageCache(Mutex<CachedPages>);

#[derive(Default)]
struct CachedPages {
    pages: HashMap<String, CachedPage>,
    bytes: usize,
    /// How often documents have changed. A page that was begun before a change is not inserted.
    changes: u64,
}

/// A page as it is sent.
struct CachedPage {
    headers: HeaderMap,
    body: Bytes,
    shows: Vec<String>,
    until: Time,
}

/// The result of a look into the cache.
struct Lookup {
    page: Option<(HeaderMap, Bytes)>,
    /// How often documents had changed at that time.
    changes: u64,
}

impl CachedPage {
    /// Returns the size that counts for the budget, in bytes.
    fn bytes(&self) -> usize {
        let shows: usize = self.shows.iter().map(String::len).sum();
        self.body.len() + shows + MAX_PATH + OVERHEAD
    }
}

impl PageCache {
    fn cache(&self) -> MutexGuard<'_, CachedPages> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Drops the pages that show one of these documents. An empty list means that any document may
    /// have changed, and drops all pages.
    pub(crate) fn invalidate(&self, documents: &[String]) {
        let mut cache = self.cache();
        cache.changes += 1;
        if documents.is_empty() {
            cache.pages.clear();
        } else {
            cache.pages.retain(|_, page| page.shows.iter().all(|name| !documents.contains(name)));
        }
        cache.bytes = cache.pages.values().map(CachedPage::bytes).sum();
    }

    fn find(&self, path: &str, now: Time) -> Lookup {
        let cache = self.cache();
        let page = cache.pages.get(path).filter(|page| now <= page.until);
        let page = page.map(|page| (page.headers.clone(), page.body.clone()));
        Lookup { page, changes: cache.changes }
    }

    /// Inserts a page, unless documents have changed since the lookup that missed it.
    fn insert(&self, path: String, page: CachedPage, changes: u64) {
        let mut cache = self.cache();
        if cache.changes != changes || page.body.len() > MAX_BODY {
            return;
        }
        if cache.bytes + page.bytes() > MAX_TOTAL {
            cache.pages.clear();
            cache.bytes = 0;
        }
        cache.bytes += page.bytes();
        if let Some(old) = cache.pages.insert(path, page) {
            cache.bytes -= old.bytes();
        }
    }
}

/// Answers with a cached page, or caches the response. Clients with a cookie always get a new page.
pub(crate) async fn serve_cached(
    State(site): State<Arc<Site>>,
    request: Request,
    next: Next,
) -> Response {
    let Some(path) = cacheable_path(&request) else { return next.run(request).await };
    let if_none_match = request.headers().get(header::IF_NONE_MATCH).cloned();
    let Lookup { page, changes } = site.page_cache.find(&path, site.now());
    let (headers, body) = match page {
        Some(page) => page,
        None => match cache_response(&site, path, changes, next.run(request).await).await {
            Ok(page) => page,
            Err(response) => return response,
        },
    };
    if if_none_match.is_some() && if_none_match.as_ref() == headers.get(header::ETAG) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    let mut response = Response::new(Body::from(body));
    *response.headers_mut() = headers;
    response
}

/// Returns the path of a request that a cached page may answer.
fn cacheable_path(request: &Request) -> Option<String> {
    let (headers, path) = (request.headers(), request.uri().path());
    let is_plain = *request.method() == Method::GET
        && request.uri().query().is_none()
        && !headers.contains_key(header::COOKIE);
    (accepts_gzip(headers) && is_plain && path.len() <= MAX_PATH).then(|| path.to_owned())
}

/// Caches a response and returns its headers and body.
///
/// # Errors
/// Returns the response to send where it cannot be cached.
async fn cache_response(
    site: &Site,
    path: String,
    changes: u64,
    response: Response,
) -> Result<(HeaderMap, Bytes), Response> {
    let encoding = response.headers().get(header::CONTENT_ENCODING);
    let is_gzip = encoding == Some(&HeaderValue::from_static("gzip"));
    let shows = response.extensions().get::<ShownDocuments>().filter(|_| is_gzip).cloned();
    let Some(ShownDocuments(shows)) = shows else { return Err(response) };
    let (parts, body) = response.into_parts();
    let Ok(body) = to_bytes(body, usize::MAX).await else {
        return Err(StatusCode::INTERNAL_SERVER_ERROR.into_response());
    };
    let (headers, until) = (parts.headers, site.now() + MAX_AGE);
    let page = CachedPage { headers: headers.clone(), body: body.clone(), shows, until };
    site.page_cache.insert(path, page, changes);
    Ok((headers, body))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(shows: &str, bytes: usize) -> CachedPage {
        let shows = shows.split(' ').map(str::to_owned).collect();
        let body = Bytes::from(vec![0; bytes]);
        CachedPage { headers: HeaderMap::new(), body, shows, until: Time::from_unix(30) }
    }

    fn paths(cache: &PageCache) -> Vec<String> {
        let mut paths: Vec<String> = cache.cache().pages.keys().cloned().collect();
        paths.sort();
        paths
    }

    #[test]
    fn a_page_is_cached_until_a_document_on_it_changes() {
        let cache = PageCache::default();
        let Lookup { page: found, changes } = cache.find("/a", Time::EPOCH);
        assert!(found.is_none());
        cache.insert("/a".into(), page("one two", 10), changes);
        cache.insert("/b".into(), page("two three", 10), changes);
        assert!(cache.find("/a", Time::from_unix(30)).page.is_some());
        assert!(cache.find("/a", Time::from_unix(31)).page.is_none(), "it is too old");
        cache.invalidate(&["three".to_owned()]);
        assert_eq!(paths(&cache), ["/a"]);
        cache.insert("/c".into(), page("four", 10), changes);
        assert_eq!(paths(&cache), ["/a"], "/c may show documents from before the change");
        cache.invalidate(&[]);
        assert!(paths(&cache).is_empty() && cache.cache().bytes == 0);
    }

    #[test]
    fn the_cache_stays_within_its_budget() {
        let cache = PageCache::default();
        let changes = cache.find("/", Time::EPOCH).changes;
        for number in 0..200 {
            cache.insert(format!("/{number}"), page("one", MAX_BODY), changes);
            let count = paths(&cache).len();
            assert!(cache.cache().bytes <= MAX_TOTAL && count <= MAX_TOTAL / MAX_BODY);
        }
        cache.insert("/large".into(), page("one", MAX_BODY + 1), changes);
        assert!(!paths(&cache).is_empty() && !paths(&cache).contains(&"/large".to_owned()));
        // Small pages count with their overhead.
        for number in 0..20_000 {
            cache.insert(format!("/{number}"), page("one", 1), changes);
        }
        assert!(paths(&cache).len() <= MAX_TOTAL / OVERHEAD);
    }
}
