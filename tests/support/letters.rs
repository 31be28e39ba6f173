//! Letters in the form in which they are sent.

use postboard::mail::{Address, parse};
use postboard::reply::print_letter;
use postboard::store::{FileHome, Home as _, Letter};
use std::path::Path;

/// Returns the bytes that are sent for a letter.
pub(crate) fn as_sent(letter: &Letter) -> Vec<u8> {
    print_letter(letter).unwrap().into_owned()
}

/// Returns the bytes of a letter with tables instead of pictures, because drawing the pictures
/// would dominate the time of the tests.
pub(crate) fn undrawn(letter: &Letter) -> Vec<u8> {
    let text = str::from_utf8(&letter.bytes).unwrap();
    let bytes = text.replacen("\"pictures\":\"Png\",", "", 1).into_bytes();
    as_sent(&Letter { bytes, ..letter.clone() })
}

/// Returns the text of a letter, with its headers and without pictures.
pub(crate) fn sent_text(letter: &Letter) -> String {
    String::from_utf8(undrawn(letter)).unwrap()
}

/// Returns the waiting letters of a home as they will be sent.
pub(crate) fn waiting(home: &Path) -> Vec<String> {
    let unsent = FileHome::new(home).unsent_letters().unwrap();
    let waiting = unsent.iter().filter(|unsent| !unsent.is_given_up);
    waiting.map(|unsent| sent_text(&unsent.letter)).collect()
}

/// Returns the Subject and text of a letter as a mail program shows them.
pub(crate) fn read(letter: &Letter) -> (String, String) {
    // Letters are marked as automatic, so `no_reply` is set, which is not an error.
    let message = parse(&undrawn(letter), &Address::parse("nobody@elsewhere.example").unwrap());
    let message = message.unwrap();
    (message.subject, message.text)
}

/// Returns the texts of the letters to an address.
pub(crate) fn texts(letters: &[Letter], to: &str) -> Vec<String> {
    letters.iter().filter(|letter| letter.to.as_str() == to).map(|letter| read(letter).1).collect()
}

/// Decodes percent-encoding (RFC 3986, 2.1) and checks that only characters allowed in a link
/// occur.
pub(crate) fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(b) = rest.next() {
        assert!(b.is_ascii_alphanumeric() || b"-._~%@".contains(&b), "{text}");
        bytes.push(match b {
            b'%' => {
                let digits = [rest.next().unwrap(), rest.next().unwrap()];
                u8::from_str_radix(str::from_utf8(&digits).unwrap(), 16).unwrap()
            }
            b => b,
        });
    }
    String::from_utf8(bytes).unwrap()
}

/// Returns the Reply-To of the first letter to an address.
pub(crate) fn reply_to(letters: &[Letter], to: &str) -> String {
    let letter = letters.iter().find(|letter| letter.to.as_str() == to);
    header(letter.unwrap(), "Reply-To").unwrap()
}

/// Returns the first line of this header, if the letter has it.
pub(crate) fn header(letter: &Letter, name: &str) -> Option<String> {
    let text = sent_text(letter);
    let head = text.split_once("\r\n\r\n").unwrap().0;
    head.lines().find_map(|line| line.strip_prefix(&format!("{name}: "))).map(str::to_owned)
}
