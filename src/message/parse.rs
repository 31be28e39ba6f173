//! Stub.
use super::Message;
/// Stub.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {}
/// Stub.
pub fn parse(_: &[u8]) -> Option<Message> {
    None
}
