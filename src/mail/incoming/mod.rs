//! From the bytes of a mail to a [`Message`](super::Message).
//!
//! [`parse`] is the entrance. [`headers`] splits header blocks and [`encoded_words`] decodes them;
//! [`mime`] finds the readable part, which [`text_decoding`], [`html_to_text`] and [`smime`] turn into
//! text. [`auto_reply`] recognises mails of programs, [`bounce`] delivery reports, and
//! [`authentication`] reads what our mail server says of a sender.

mod authentication;
mod auto_reply;
mod bounce;
mod encoded_words;
mod headers;
mod html_to_text;
mod malformed;
mod mime;
mod parse;
mod smime;
mod subject_prefixes;
pub(super) mod text_decoding;

pub use authentication::is_authenticated;
pub use auto_reply::{NoReplyReason, is_automatic_subject, is_role_address};
pub use malformed::{Malformed, MalformedReason};
pub use parse::{LARGEST_MAIL, parse, with_date};
pub use subject_prefixes::{subject_readings, without_subject_prefixes};
