//! What a request says of the one who asks.

use super::site::Site;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Uri, header};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;

/// What somebody asks, besides the path and a form.
#[derive(Clone, Debug, Default)]
pub(super) struct Ask {
    /// The path, without what is asked behind it.
    pub(super) path: String,
    /// What is asked behind the path: the first value of each name.
    pub(super) query: BTreeMap<String, String>,
    /// The version of the page that the browser has.
    pub(super) has: Option<String>,
}

impl Ask {
    fn of(uri: &Uri, headers: &HeaderMap) -> Self {
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let pairs = form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes());
        let mut query = BTreeMap::new();
        for (name, value) in pairs {
            query.entry(name.into_owned()).or_insert_with(|| value.into_owned());
        }
        let has = text(header::IF_NONE_MATCH).map(str::to_owned);
        Self { path: uri.path().to_owned(), query, has }
    }
}

impl FromRequestParts<Arc<Site>> for Ask {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &Arc<Site>) -> Result<Self, Infallible> {
        Ok(Self::of(&parts.uri, &parts.headers))
    }
}
