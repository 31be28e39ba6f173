//! Live updates: the event stream of an open page, and the hub that wakes it when a document changes.

pub(super) mod events;
pub(super) mod hub;
