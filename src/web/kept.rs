//! Pages that are the same for everybody, kept packed until something that they show changes.

use crate::base::time::{Span, Time, seconds};
use axum::body::Bytes;
use axum::http::HeaderMap;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Bytes of the pages that are kept, with all that belongs to them.
const MOST: usize = 16 << 20;

/// About what a page takes beside its body, its path and the names of what it shows: its headers and
/// its place in the table.
const BESIDE: usize = 1024;

/// Bytes of a page that is kept, and of its path.
const LONGEST: usize = 256 * 1024;
pub(super) const LONGEST_PATH: usize = 100;

/// How old a page may become: what a clock says moves on by itself.
pub(super) const OLDEST: Span = seconds(30);

/// The names of the documents that a page shows, all of them: an answer that has this may be kept.
#[derive(Clone)]
pub(super) struct ShownDocuments(pub(super) Vec<String>);

/// The pages that are kept.
#[derive(Default)]
pub(super) struct PageCache(Mutex<CachedPages>);

#[derive(Default)]
struct CachedPages {
    pages: HashMap<String, CachedPage>,
    bytes: usize,
    /// How often something has changed. A page that was begun before is not kept after it.
    changes: u64,
}

/// A page as it is sent.
pub(super) struct CachedPage {
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
    pub(super) shows: Vec<String>,
    pub(super) until: Time,
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
    pub(super) fn forget(&self, names: &[String]) {
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
    pub(super) fn find(&self, path: &str, now: Time) -> (Option<(HeaderMap, Bytes)>, u64) {
        let cache = self.cache();
        let page = cache.pages.get(path).filter(|page| now <= page.until);
        (page.map(|page| (page.headers.clone(), page.body.clone())), cache.changes)
    }

    pub(super) fn keep(&self, path: String, page: CachedPage, changes: u64) {
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
