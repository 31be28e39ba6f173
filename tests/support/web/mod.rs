//! The pages of a home in memory, and a browser without scripts.

pub(crate) mod browser;
pub(crate) mod home;
pub(crate) mod page;
