//! Points that were shown and are to be found again.

pub(crate) mod hunt;
