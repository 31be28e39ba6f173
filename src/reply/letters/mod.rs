//! A letter and its printers. A letter is a list of blocks, decided once; `plain_text` prints it as
//! the text of a mail or of a terminal, `html_page` as the page beside that text, with the boards
//! drawn by `inline_pictures`.
//!
//! `draft` stores a letter as JSON until it leaves. `picture_json` and `highlights` store what a game
//! draws, since the rules know no file format.

pub(crate) mod blocks;
pub(crate) mod draft;
pub(crate) mod highlights;
pub(crate) mod html_page;
pub(crate) mod inline_pictures;
pub(crate) mod outgoing_mail;
pub(crate) mod picture_json;
pub(crate) mod plain_text;
