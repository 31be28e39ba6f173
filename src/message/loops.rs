//! Stub.
/// Stub.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Silence {}
