//! From a [`Mail`](super::Mail) to bytes: headers, MIME parts and the HTML of its page.

mod compose;
mod html_writer;

pub use compose::{ReplyRoute, bounce_address, compose, content_id};
pub use html_writer::{Html, mailto};
