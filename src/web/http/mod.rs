//! Connections, requests and responses, whatever page they are about.
//!
//! `listener` accepts connections; `event_stream` takes over those of open pages. A request passes the
//! layers of the router from the outside in: header checks (`request_limits`), the `page_cache`,
//! `compression`, the limit of its network, and the reading of its body. `request`, `origin`,
//! `session` and `form` parse what came in. `queue` limits the work on the home.

pub(super) mod assets;
pub(super) mod compression;
mod event_stream;
pub(super) mod form;
pub(super) mod icons;
pub(super) mod listener;
pub(super) mod origin;
pub(super) mod page_cache;
mod pending_responses;
pub(super) mod queue;
pub(super) mod request;
pub(super) mod request_limits;
pub(super) mod returned_form;
pub(super) mod session;
