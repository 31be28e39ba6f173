//! Stub.
use std::fmt;
/// An address.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Address(String);
impl Address {
    /// Parses it.
    pub fn parse(text: &str) -> Option<Self> {
        let (local, host) = text.rsplit_once('@')?;
        let good = !local.is_empty() && !host.is_empty() && !text.starts_with('-');
        (good && !text.contains(char::is_whitespace)).then(|| Self(text.to_owned()))
    }
    /// As text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
/// Stub.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderText(pub String);
/// Stub.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageId(pub String);
