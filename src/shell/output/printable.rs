//! Safe output for a terminal: control characters in texts of others are shown, never obeyed.

use std::fmt::Write as _;
use std::io::{self, Write};

/// A writer that escapes control characters, characters that change the order of text, and invalid
/// UTF-8. The escapes are those of JSON.
#[derive(Debug)]
pub struct PrintableOutput<W> {
    out: W,
    /// The beginning of an incomplete character.
    held: Vec<u8>,
}

impl<W: Write> PrintableOutput<W> {
    /// Wraps a writer.
    pub fn new(out: W) -> Self {
        Self { out, held: Vec::new() }
    }
}

impl<W: Write> Write for PrintableOutput<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut text = std::mem::take(&mut self.held);
        text.extend_from_slice(bytes);
        let mut rest = &text[..];
        let mut shown = String::with_capacity(rest.len());
        while !rest.is_empty() {
            let (good, bad) = match std::str::from_utf8(rest) {
                Ok(good) => (good, 0),
                Err(error) => {
                    let (good, _) = rest.split_at(error.valid_up_to());
                    let good = std::str::from_utf8(good).unwrap_or_default();
                    if let Some(bad) = error.error_len() {
                        (good, bad)
                    } else {
                        // The rest of the character comes with the next call.
                        self.held = rest[good.len()..].to_vec();
                        (good, rest.len() - good.len())
                    }
                }
            };
            escape(good, &mut shown);
            let (bad, after) = rest[good.len()..].split_at(bad);
            if self.held.is_empty() {
                for byte in bad {
                    let _ = write!(shown, "\\x{byte:02x}");
                }
            }
            rest = after;
        }
        self.out.write_all(shown.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        for byte in std::mem::take(&mut self.held) {
            write!(self.out, "\\x{byte:02x}")?;
        }
        self.out.flush()
    }
}

/// Returns a text with such characters escaped.
pub fn printable_text(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    escape(text, &mut shown);
    shown
}

/// Prepares a sentence with a user's text for the terminal: replaces characters that control it or
/// change the order of text, and cuts it to 400 characters.
pub(crate) fn short_text(sentence: &str) -> String {
    let is_hidden = |c: char| {
        let is_mark = matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{feff}');
        is_mark || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
    };
    let shown = |c: char| if c.is_control() || is_hidden(c) { '?' } else { c };
    sentence.chars().map(shown).take(400).collect()
}

fn escape(text: &str, shown: &mut String) {
    for letter in text.chars() {
        let turns_order = matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if letter.is_control() && !matches!(letter, '\n' | '\t') || turns_order {
            let _ = write!(shown, "\\u{:04x}", u32::from(letter));
        } else {
            shown.push(letter);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(pieces: &[&[u8]]) -> String {
        let mut out = Vec::new();
        let mut printable = PrintableOutput::new(&mut out);
        for piece in pieces {
            printable.write_all(piece).unwrap();
        }
        printable.flush().unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn control_bytes_are_shown_and_text_stays() {
        assert_eq!(shown(&["a\tb\nδοῦλος ♟\n".as_bytes()]), "a\tb\nδοῦλος ♟\n");
        assert_eq!(shown(&[b"\x1b]0;x\x07\r\x7f"]), "\\u001b]0;x\\u0007\\u000d\\u007f");
        assert_eq!(shown(&["\u{9b}31m\u{202e}x".as_bytes()]), "\\u009b31m\\u202ex");
        assert_eq!(shown(&[b"\xff\x9bx"]), "\\xff\\x9bx");
        // A character may come in pieces, or incomplete.
        assert_eq!(shown(&[b"\xe2\x99", b"\x9f!"]), "♟!");
        assert_eq!(shown(&[b"\xc2", b"\x9b"]), "\\u009b");
        assert_eq!(shown(&[b"x\xe2\x99"]), "x\\xe2\\x99");
        assert_eq!(shown(&[b"\xe2", b"x"]), "\\xe2x");
    }
}
