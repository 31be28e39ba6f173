//! A request as pages see it: its path, query, cookies, key and network.

use super::returned_form::ReturnedForm;
use super::session::is_flipped;
use crate::base::network::Network;
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::html::flash_messages::FLASH_MESSAGE;
use crate::web::site::Site;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{Uri, header};
use std::collections::{BTreeMap, BTreeSet};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

/// A request without its body.
#[derive(Clone, Debug)]
pub(crate) struct WebRequest {
    /// The path, without the query.
    pub(crate) path: String,
    /// The path with the query.
    pub(crate) address: String,
    /// The form that the page shows again.
    pub(crate) returned: Option<Arc<ReturnedForm>>,
    /// The query: the first value of each name.
    pub(crate) query: BTreeMap<String, String>,
    /// The version of the page that the browser has (`If-None-Match`).
    pub(crate) if_none_match: Option<String>,
    /// The session cookie; a visitor who has not signed in may have one, too.
    pub(crate) cookie: Option<String>,
    /// The cookie by which we know a browser where a user has signed in before.
    pub(crate) known_cookie: Option<String>,
    /// The secret of an administrator's raised session.
    pub(crate) raised_cookie: Option<String>,
    /// Whether the visitor has flipped the board of this path.
    pub(crate) is_flipped: bool,
    /// The key of a program, for paths of the API alone, where cookies are ignored. It is empty if the
    /// program sent none.
    pub(crate) program_key: Option<String>,
    /// The network of the client.
    pub(crate) network: Network,
    /// The network whose limits apply; none for a request that a machine of ours makes itself.
    pub(crate) counted_network: Option<Network>,
}

impl WebRequest {
    /// Reads a request.
    pub(crate) fn read(parts: &Parts, site: &Site) -> Self {
        let headers = &parts.headers;
        let pairs = form_urlencoded::parse(parts.uri.query().unwrap_or_default().as_bytes());
        let mut query = BTreeMap::new();
        for (name, value) in pairs {
            query.entry(name.into_owned()).or_insert_with(|| value.into_owned());
        }
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let key = text(header::AUTHORIZATION).and_then(|key| key.strip_prefix("Bearer "));
        let origin = site.origin(headers, &parts.extensions);
        let path = parts.uri.path().to_owned();
        let is_program = path.starts_with("/api/");
        // The message of a page is shown once.
        let address = without_value(&path, parts.uri.query().unwrap_or_default(), FLASH_MESSAGE);
        Self {
            path,
            address,
            returned: parts.extensions.get().cloned(),
            query,
            if_none_match: text(header::IF_NONE_MATCH).map(str::to_owned),
            cookie: site.session_cookie(headers).filter(|_| !is_program),
            known_cookie: site.known_cookie(headers).filter(|_| !is_program),
            raised_cookie: site.raised_cookie(headers).filter(|_| !is_program),
            is_flipped: is_flipped(headers),
            program_key: is_program.then(|| key.unwrap_or_default().to_owned()),
            network: origin.address.into(),
            counted_network: origin.counted_network(),
        }
    }

    /// Returns a request that the server makes itself.
    pub(crate) fn internal() -> Self {
        Self {
            path: String::new(),
            address: String::new(),
            returned: None,
            query: BTreeMap::new(),
            if_none_match: None,
            cookie: None,
            known_cookie: None,
            raised_cookie: None,
            is_flipped: false,
            program_key: None,
            network: IpAddr::V4(Ipv4Addr::LOCALHOST).into(),
            counted_network: None,
        }
    }

    /// Returns a value of the query, or `None` if it is empty.
    pub(crate) fn query_value(&self, name: &str) -> Option<&str> {
        self.query.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// Returns the path with the query, but without the values of this name.
    pub(crate) fn address_without(&self, name: &str) -> String {
        let (path, query) = self.address.split_once('?').unwrap_or((&self.address, ""));
        without_value(path, query, name)
    }

    /// Ignores the key of a program, where a password shows whose request it is.
    pub(crate) fn without_program_key(self) -> Self {
        Self { program_key: self.program_key.map(|_| String::new()), ..self }
    }
}

/// Returns whether a query has two values of one name.
fn repeats_a_name(uri: &Uri) -> bool {
    let mut names = BTreeSet::new();
    form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes())
        .any(|(name, _)| !names.insert(name))
}

/// Returns a path with the pairs of a query that have another name.
fn without_value(path: &str, query: &str, name: &str) -> String {
    let pairs = query.split('&').filter(|pair| pair.split('=').next() != Some(name));
    let query = pairs.collect::<Vec<_>>().join("&");
    if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") }
}

impl FromRequestParts<Arc<Site>> for WebRequest {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, site: &Arc<Site>) -> PageResult<Self> {
        let request = Self::read(parts, site);
        // No parameter of the API is a list.
        if request.program_key.is_some() && repeats_a_name(&parts.uri) {
            return Err(PageError::Malformed);
        }
        Ok(request)
    }
}
