//! The one integration test binary: one link step, however many files.

mod bombs;
mod mails;
