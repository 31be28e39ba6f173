//! Points that live and die.

pub(crate) mod generation;
