//! Connections, requests and responses, whatever page they are about.
//!
//! [`listener`] accepts connections. A request then passes the layers of the router from the outside
//! in: header checks (`request_limits`), cached pages (`page_cache`), `compression`, limits for each
//! network, and the reading of its body. [`request`](self::request) parses it, [`origin`] tells where
//! it comes from, [`session`] who has signed in, [`form`] whether a form is one of ours.

pub(super) mod assets;
pub(super) mod compression;
mod event_stream;
pub(super) mod form;
pub(super) mod listener;
pub(super) mod network_limit;
pub(super) mod origin;
pub(super) mod page_cache;
mod pending_responses;
pub(super) mod queue;
pub(super) mod request;
pub(super) mod request_limits;
pub(super) mod session;
