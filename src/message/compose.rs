//! Stub.
use super::{Address, Identity, Mail};
/// A mail as it leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// A safe unique file stem.
    pub name: String,
    /// The envelope sender; none is `<>`.
    pub sender: Option<Address>,
    /// The recipient.
    pub to: Address,
    /// The board it is about.
    pub thread: Option<String>,
    /// The mail.
    pub bytes: Vec<u8>,
}
/// Stub.
pub fn compose(mail: &Mail, _: &Identity) -> Letter {
    Letter { name: String::new(), sender: None, to: mail.to.clone(), thread: None, bytes: vec![] }
}
