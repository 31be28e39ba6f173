//! A letter and its printers. A letter is a list of blocks, decided once; `plain_text` prints it as
//! the text of a mail or of a terminal, `html_page` as the page beside that text, with the boards
//! drawn by `inline_pictures`.
//!
//! `draft` stores a letter as JSON until it leaves. `picture_json` and `highlights` store what a game
//! draws, since the rules know no file format.

mod blocks;
pub(crate) mod draft;
mod highlights;
pub(crate) mod html_page;
mod inline_pictures;
mod outgoing_mail;
mod picture_json;
pub(crate) mod plain_text;

pub use blocks::{Block, Choice, ChoiceAction, MoveList, RoutedBlocks, TextElement};
pub(crate) use blocks::{more_line, send_code};
pub use highlights::Highlights;
pub use inline_pictures::{PictureCache, PictureFormat};
pub use outgoing_mail::{Delivery, OutgoingMail, Recipient};
pub use picture_json::{ListedMove, Picture};
pub(crate) use plain_text::TEXT_WIDTH;
pub use plain_text::TextMedium;
