//! The boards in a browser.
//!
//! A request is parsed (`ask`), looks at documents under the shared lock or has a command carried
//! out under the other (`site`), and gets a page (`page`). Nothing is decided here: changes go
//! through the stages of [`crate::server`], and their answers in blocks are printed (`print`). Each
//! page has a file of its own.

mod account;
mod answers;
mod api;
mod ask;
mod asked;
mod asset;
mod board;
mod crowd;
mod events;
mod failure;
mod feed;
mod files;
mod form;
mod frame;
mod front;
mod game;
mod gate;
mod help;
mod hub;
mod keeping;
mod kept;
mod listen;
mod listener;
mod metrics;
mod mine;
mod pack;
mod page;
mod player;
mod print;
mod queue;
mod router;
mod say;
mod seeks;
mod session;
mod settings;
mod site;
mod small;
mod sure;
mod ticket;
mod told;
mod unsubscribe;

pub use listen::{WebListener, listen};
pub use router::router;
pub use site::{Metrics, Site, SiteParts};
