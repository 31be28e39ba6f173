//! What holds across modules.

mod store;
