//! Reading the words of a move, from left to right.

use super::MoveError;

/// What mail programs make of `-` and `--`: the dashes of print, and the minus sign.
const DASHES: [char; 3] = ['\u{2013}', '\u{2014}', '\u{2212}'];

/// A place in the text of a move. What is read is never taken back; case is ignored, and blanks
/// before what is read are skipped. [`DASHES`] are read as what they were made of.
#[derive(Clone, Debug)]
pub(crate) struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    /// Begins at the first byte of a text.
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// The byte at which the next word begins.
    pub(crate) fn at(&mut self) -> usize {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches([' ', '\t']).len();
        self.at
    }

    /// Whether nothing is left.
    pub(crate) fn is_done(&mut self) -> bool {
        self.at() == self.text.len()
    }

    /// Reads exactly this word of ASCII letters or signs, if it comes next.
    pub(crate) fn word(&mut self, word: &str) -> bool {
        let at = self.at();
        let dash = self.text[at..].chars().next().filter(|next| DASHES.contains(next));
        if let Some(dash) = dash.filter(|_| matches!(word, "-" | "--")) {
            self.at += dash.len_utf8();
            return true;
        }
        let end = at + word.len();
        let comes = self.text.get(at..end).is_some_and(|next| next.eq_ignore_ascii_case(word));
        if comes {
            self.at = end;
        }
        comes
    }

    /// Reads exactly this word of ASCII letters, if it comes next and is not the beginning of a
    /// longer one.
    pub(crate) fn whole_word(&mut self, word: &str) -> bool {
        let mut ahead = self.clone();
        let comes = ahead.word(word) && !ahead.text[ahead.at..].starts_with(char::is_alphabetic);
        if comes {
            *self = ahead;
        }
        comes
    }

    /// Reads one letter, as a lower case one, if one comes next.
    pub(crate) fn letter(&mut self) -> Option<u8> {
        let at = self.at();
        let letter = self.text.as_bytes().get(at)?;
        letter.is_ascii_alphabetic().then(|| {
            self.at += 1;
            letter.to_ascii_lowercase()
        })
    }

    /// Reads a whole number, if one comes next; one too large to matter is the largest there is.
    pub(crate) fn number(&mut self) -> Option<u32> {
        let at = self.at();
        let rest = &self.text[at..];
        let digits =
            &rest[..rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len()];
        self.at += digits.len();
        (!digits.is_empty()).then(|| digits.parse().unwrap_or(u32::MAX))
    }

    /// The refusal of what comes next.
    pub(crate) fn expected(&mut self, expected: &'static str) -> MoveError {
        // Not all dashes are a byte long.
        let at = self.at();
        MoveError::Unreadable { at: self.text[..at].chars().count(), expected }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_words_letters_and_numbers_with_their_columns() {
        let mut reader = Reader::new(" 3xC12 -é");
        assert!(!reader.word("bar"));
        assert_eq!((reader.at(), reader.number()), (1, Some(3)));
        assert!(reader.word("X"));
        assert_eq!(
            (reader.letter(), reader.number(), reader.number()),
            (Some(b'c'), Some(12), None)
        );
        assert!(reader.word("-") && !reader.word("x") && reader.letter().is_none());
        assert_eq!(
            reader.expected("a point"),
            MoveError::Unreadable { at: 8, expected: "a point" }
        );
        assert!(!reader.is_done() && Reader::new(" \t").is_done());
        assert_eq!(Reader::new("99999999999").number(), Some(u32::MAX));
    }

    #[test]
    fn a_whole_word_ends_where_its_letters_do() {
        for (text, is_whole) in [
            ("b", true),
            ("B/22", true),
            (" b 3", true),
            ("b3", true),
            ("by", false),
            ("bé", false),
        ] {
            let mut reader = Reader::new(text);
            assert_eq!(reader.whole_word("b"), is_whole, "{text}");
            assert_eq!(reader.word("b"), !is_whole, "{text}");
        }
    }

    #[test]
    fn the_dashes_of_print_are_read_as_they_were_written() {
        for dash in ["-", "\u{2013}", "\u{2014}", "\u{2212}"] {
            let text = format!("8{dash}5,6{dash}é");
            let mut reader = Reader::new(&text);
            assert_eq!(
                (reader.number(), reader.word("x"), reader.word("-")),
                (Some(8), false, true)
            );
            assert_eq!(
                (reader.number(), reader.word(","), reader.number()),
                (Some(5), true, Some(6))
            );
            assert!(reader.word("-") && !reader.word("-") && !reader.is_done());
            assert_eq!(reader.expected(""), MoveError::Unreadable { at: 6, expected: "" });
        }
        assert!(Reader::new("\u{2014}").word("--") && !Reader::new("-").word("--"));
    }
}
