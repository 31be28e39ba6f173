//! What somebody asks, and where from.

use crate::base::network::Network;
use std::collections::BTreeMap;

/// A request, besides a form.
#[derive(Clone, Debug)]
pub(in crate::web) struct WebRequest {
    /// The path, without what is asked behind it.
    pub(in crate::web) path: String,
    /// The query behind the path: the first value of each name.
    pub(in crate::web) query: BTreeMap<String, String>,
    /// The version of the page that the browser has.
    pub(in crate::web) has: Option<String>,
    /// Our cookie.
    pub(in crate::web) cookie: Option<String>,
    /// The cookie by which a browser is known in which a user has signed in.
    pub(in crate::web) known: Option<String>,
    /// The key of a program. Where programs ask, no cookie counts.
    pub(in crate::web) key: Option<String>,
    /// Where the browser is.
    pub(in crate::web) network: Network,
    /// The same, where that says who it may be: a proxy may not say for which client it asks.
    pub(in crate::web) place: Option<Network>,
}

impl WebRequest {
    /// A value behind the path; nothing where it is empty.
    pub(in crate::web) fn query_value(&self, name: &str) -> Option<&str> {
        self.query.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// The same request, made by nobody: a password shows who asks, and not a key.
    pub(in crate::web) fn without_key(self) -> Self {
        Self { key: self.key.map(|_| String::new()), ..self }
    }
}
