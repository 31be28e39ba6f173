//! Letters as they leave.

use postboard::reply::print_letter;
use postboard::store::{FileHome, Home as _, Letter};
use std::path::Path;

/// A letter as it leaves.
pub(crate) fn as_sent(letter: &Letter) -> Vec<u8> {
    print_letter(letter).unwrap().into_owned()
}

/// The same with tables in place of pictures, which take longer to draw than all the rest.
pub(crate) fn undrawn(letter: &Letter) -> Vec<u8> {
    let text = str::from_utf8(&letter.bytes).unwrap();
    let bytes = text.replacen("\"pictures\":\"Png\",", "", 1).into_bytes();
    as_sent(&Letter { bytes, ..letter.clone() })
}

/// The same as text.
pub(crate) fn sent_text(letter: &Letter) -> String {
    String::from_utf8(undrawn(letter)).unwrap()
}

/// The letters that wait in a home, as they will leave.
pub(crate) fn waiting(home: &Path) -> Vec<String> {
    let unsent = FileHome::new(home).unsent_letters().unwrap();
    let waiting = unsent.iter().filter(|unsent| !unsent.is_given_up);
    waiting.map(|unsent| sent_text(&unsent.letter)).collect()
}
