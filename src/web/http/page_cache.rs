//! Pages that are the same for everybody, kept packed until something that they show changes.

use crate::base::time::{Span, Time, seconds};
use crate::web::http::compression::unpacks;
use crate::web::site::Site;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Bytes of the pages that are kept, with all that belongs to them.
const MOST: usize = 16 << 20;

/// About what a page takes beside its body, its path and the names of what it shows: its headers and
/// its place in the table.
const BESIDE: usize = 1024;

/// Bytes of a page that is kept, and of its path.
const LONGEST: usize = 256 * 1024;
pub(in crate::web) const LONGEST_PATH: usize = 100;

/// How old a page may become: what a clock says moves on by itself.
pub(in crate::web) const OLDEST: Span = seconds(30);

/// The names of the documents that a page shows, all of them: an answer that has this may be kept.
#[derive(Clone)]
pub(in crate::web) struct ShownDocuments(pub(in crate::web) Vec<String>);

/// The pages that are kept.
#[derive(Default)]
pub(in crate::web) struct PageCache(Mutex<CachedPages>);

#[derive(Default)]
struct CachedPages {
    pages: HashMap<String, CachedPage>,
    bytes: usize,
    /// How often something has changed. A page that was begun before is not kept after it.
    changes: u64,
}

/// A page as it is sent.
pub(in crate::web) struct CachedPage {
    pub(in crate::web) headers: HeaderMap,
    pub(in crate::web) body: Bytes,
    pub(in crate::web) shows: Vec<String>,
    pub(in crate::web) until: Time,
}

impl CachedPage {
    /// Its size.
    fn bytes(&self) -> usize {
        let shows: usize = self.shows.iter().map(String::len).sum();
        self.body.len() + shows + LONGEST_PATH + BESIDE
    }
}

impl fmt::Debug for PageCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PageCache").field("pages", &self.cache().pages.len()).finish()
    }
}

impl PageCache {
    fn cache(&self) -> MutexGuard<'_, CachedPages> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets the pages that show one of these documents; all, if it is not known which have changed.
    pub(in crate::web) fn forget(&self, names: &[String]) {
        let mut cache = self.cache();
        cache.changes += 1;
        if names.is_empty() {
            cache.pages.clear();
        } else {
            cache.pages.retain(|_, page| page.shows.iter().all(|shown| !names.contains(shown)));
        }
        cache.bytes = cache.pages.values().map(CachedPage::bytes).sum();
    }

    /// A page, and how often something had changed when it was looked for.
    pub(in crate::web) fn find(&self, path: &str, now: Time) -> (Option<(HeaderMap, Bytes)>, u64) {
        let cache = self.cache();
        let page = cache.pages.get(path).filter(|page| now <= page.until);
        (page.map(|page| (page.headers.clone(), page.body.clone())), cache.changes)
    }

    pub(in crate::web) fn keep(&self, path: String, page: CachedPage, changes: u64) {
        let mut cache = self.cache();
        if cache.changes != changes || page.body.len() > LONGEST {
            return;
        }
        if cache.bytes + page.bytes() > MOST {
            cache.pages.clear();
            cache.bytes = 0;
        }
        cache.bytes += page.bytes();
        if let Some(old) = cache.pages.insert(path, page) {
            cache.bytes -= old.bytes();
        }
    }
}

/// Answers with a page that is kept, or keeps the one that is made. Clients with a cookie get none.
pub(in crate::web) async fn serve_cached(
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

#[cfg(test)]
mod tests {
    use super::*;

    fn page(shows: &str, bytes: usize) -> CachedPage {
        let shows = shows.split(' ').map(str::to_owned).collect();
        let body = Bytes::from(vec![0; bytes]);
        CachedPage { headers: HeaderMap::new(), body, shows, until: Time::from_unix(30) }
    }

    fn paths(kept: &PageCache) -> Vec<String> {
        let mut paths: Vec<String> = kept.cache().pages.keys().cloned().collect();
        paths.sort();
        paths
    }

    #[test]
    fn a_page_is_kept_until_what_it_shows_changes() {
        let kept = PageCache::default();
        let (found, changes) = kept.find("/a", Time::EPOCH);
        assert!(found.is_none());
        kept.keep("/a".into(), page("one two", 10), changes);
        kept.keep("/b".into(), page("two three", 10), changes);
        assert!(kept.find("/a", Time::from_unix(30)).0.is_some());
        assert!(kept.find("/a", Time::from_unix(31)).0.is_none(), "it is old");
        kept.forget(&["three".to_owned()]);
        assert_eq!(paths(&kept), ["/a"]);
        kept.keep("/c".into(), page("four", 10), changes);
        assert_eq!(paths(&kept), ["/a"], "it may show what was before the change");
        kept.forget(&[]);
        assert!(paths(&kept).is_empty() && kept.cache().bytes == 0);
    }

    #[test]
    fn no_more_is_kept_than_there_is_room_for() {
        let kept = PageCache::default();
        let (_, changes) = kept.find("/", Time::EPOCH);
        for number in 0..200 {
            kept.keep(format!("/{number}"), page("one", LONGEST), changes);
            assert!(kept.cache().bytes <= MOST && paths(&kept).len() <= MOST / LONGEST);
        }
        kept.keep("/large".into(), page("one", LONGEST + 1), changes);
        assert!(!paths(&kept).is_empty() && !paths(&kept).contains(&"/large".to_owned()));
        // Small ones take room, too.
        for number in 0..20_000 {
            kept.keep(format!("/{number}"), page("one", 1), changes);
        }
        assert!(paths(&kept).len() <= MOST / BESIDE);
    }
}
