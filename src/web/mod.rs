//! The boards in a browser.
//!
//! The `router` maps an address to a page (`pages/`) or to a request of a program (`api/`). A page
//! reads documents under the shared lock of the home or executes a command under the exclusive lock
//! (`site/`), and is rendered from values (`html/`). Nothing is decided here: commands run through the
//! stages of [`crate::server`], and their answers are printed. `lists/` has the
//! lists of players and boards; `http/` has everything about connections, requests and sessions; `live/`
//! tells open pages that a document has changed.

mod api;
mod html;
mod http;
mod lists;
mod live;
mod pages;
mod router;
mod site;

pub use http::listener::WebListener;
pub use router::router;
pub use site::{
    Finding, Metrics, OperatorReports, SetupDesk, SetupProgress, Site, SiteParts, UnreadyTasks,
};
