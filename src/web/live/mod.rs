//! Live updates: the event stream of an open page, the hub that wakes it when a document changes, and the
//! notices for pages that are closed.

pub(super) mod events;
pub(super) mod hub;
pub(super) mod push_notices;
