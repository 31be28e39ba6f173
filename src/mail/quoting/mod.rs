//! The words of a mail's writer, without the mail that they quote.
//!
//! [`unquoted`] sorts the lines of a text. [`introduction`] recognises what mail programs write above
//! a quotation, and [`advertisement`] what they write below a text.

mod advertisement;
mod introduction;
mod unquoted;

pub use unquoted::{InlineReply, UnmarkedLine, UnquotedText, may_be_wrapped, unquoted_text};
