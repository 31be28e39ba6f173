//! Verbs for messages between users, and for the mails that a user gets about boards of others.

pub mod announce;
pub(crate) mod chat;
pub(crate) mod marks;
pub(crate) mod message;
pub(crate) mod notify;
pub mod opt_out;
pub(crate) mod subscribe;
