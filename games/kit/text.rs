//! A parser for the text of a move, in the spellings of people and programs.

use super::{MoveError, Roll};
use std::fmt::Display;

/// The word that asks for a roll.
pub const ROLL: &str = "roll";

/// Characters that keyboards and mail programs substitute for `-` and `--`: hyphens, dashes, the
/// minus sign.
const DASHES: [char; 8] =
    ['-', '\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}', '\u{2014}', '\u{2015}', '\u{2212}'];

/// Characters that they substitute for `->` and `>`.
const ARROWS: [char; 7] =
    ['>', '\u{2192}', '\u{21d2}', '\u{2794}', '\u{279c}', '\u{279e}', '\u{27f6}'];

/// Punctuation after a move that has no meaning.
const STOPS: [char; 4] = ['.', '!', ',', ';'];

/// Words between two paths or presses that have no meaning.
const JOINTS: [&str; 2] = ["and", "then"];

/// Returns whether a character is a dash, as a player may type it before an option.
pub fn is_dash(sign: char) -> bool {
    DASHES.contains(&sign)
}

/// Returns whether a character is an arrow, as programs put it between two places.
pub(crate) fn is_arrow(sign: char) -> bool {
    ARROWS.contains(&sign)
}

/// Trims punctuation at the end of a text.
pub fn bare(text: &str) -> &str {
    text.trim_start().trim_end_matches(|c: char| c.is_whitespace() || STOPS.contains(&c))
}

/// A cursor in the text of a move. It never backs up, ignores case and skips blanks before words.
/// [`DASHES`] are read as the characters that they replace.
#[derive(Clone, Debug)]
pub(crate) struct TextCursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> TextCursor<'a> {
    /// Starts at the first byte of a text.
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// Returns the byte where the next word begins.
    pub(crate) fn at(&mut self) -> usize {
        // Records have no blanks before words, so this test saves time.
        if self.text.as_bytes().get(self.at).is_some_and(u8::is_ascii_graphic) {
            return self.at;
        }
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.at
    }

    /// Returns whether only meaningless punctuation is left.
    pub(crate) fn is_done(&mut self) -> bool {
        bare(&self.text[self.at..]).is_empty()
    }

    /// Returns the next character without skipping a blank.
    fn sign(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    /// Returns whether a blank comes before the next word.
    fn has_blank(&mut self) -> bool {
        let at = self.at();
        self.text[..at].ends_with(char::is_whitespace)
    }

    /// Reads one of these characters.
    fn one_of(&mut self, signs: &[char]) -> bool {
        let at = self.at();
        let sign = self.text[at..].chars().next().filter(|next| signs.contains(next));
        self.at += sign.map_or(0, char::len_utf8);
        sign.is_some()
    }

    /// Reads this word of ASCII letters or punctuation.
    pub(crate) fn word(&mut self, word: &str) -> bool {
        let at = self.at();
        let end = at + word.len();
        let next = self.text.as_bytes().get(at..end);
        let comes = next.is_some_and(|next| next.eq_ignore_ascii_case(word.as_bytes()));
        if comes {
            self.at = end;
            return true;
        }
        // A mail program may have turned a typed `--` into one dash.
        matches!(word, "-" | "--") && self.one_of(&DASHES[1..])
    }

    /// Reads this word of ASCII letters, if no further letter follows it.
    pub(crate) fn whole_word(&mut self, word: &str) -> bool {
        let mut ahead = self.clone();
        let comes = ahead.word(word) && !ahead.sign().is_some_and(char::is_alphabetic);
        if comes {
            *self = ahead;
        }
        comes
    }

    /// Reads a letter and returns it in lower case.
    pub(crate) fn letter(&mut self) -> Option<u8> {
        let at = self.at();
        let letter = self.text.as_bytes().get(at)?;
        letter.is_ascii_alphabetic().then(|| {
            self.at += 1;
            letter.to_ascii_lowercase()
        })
    }

    /// Reads a whole number; a number that is too large returns the maximum.
    pub(crate) fn number(&mut self) -> Option<u32> {
        let at = self.at();
        let rest = &self.text[at..];
        let digits =
            &rest[..rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len()];
        self.at += digits.len();
        (!digits.is_empty()).then(|| digits.parse().unwrap_or(u32::MAX))
    }

    /// Reads the name of a tile, a letter and a number, as in `c 12`, and returns it without blanks and
    /// in lower case.
    pub(crate) fn tile(&mut self) -> Option<String> {
        let mut ahead = self.clone();
        let (file, rank) = (ahead.letter()?, ahead.number()?);
        *self = ahead;
        Some(format!("{}{rank}", char::from(file)))
    }

    /// Reads the connector between two places: a dash, an arrow, a slash or `to`.
    pub(crate) fn connector(&mut self) -> bool {
        self.word("->")
            || self.word("=>")
            || self.one_of(&ARROWS)
            || self.word("/")
            || self.word("-")
            || self.whole_word("to")
    }

    /// Reads the `x` before a hit, or after a repeat count.
    pub(crate) fn cross(&mut self) -> bool {
        self.word("x") || self.one_of(&['\u{d7}'])
    }

    /// Reads the hit mark after a place: `*`, or an `x` that is not followed by a place.
    pub(crate) fn hit_mark(&mut self) -> bool {
        let mut ahead = self.clone();
        let has_blank = ahead.has_blank();
        let is_x = !has_blank && ahead.cross() && !ahead.sign().is_some_and(char::is_alphanumeric);
        if is_x {
            *self = ahead;
        }
        is_x || self.word("*")
    }

    /// Reads the separator between two paths: a comma, a semicolon, a word or a blank.
    pub(crate) fn separator(&mut self) -> bool {
        let has_blank = self.has_blank();
        let comma = self.one_of(&[',', ';']);
        let word = self.one_of(&['&', '+']) || JOINTS.iter().any(|joint| self.whole_word(joint));
        comma || word || has_blank
    }

    /// Returns the error for unexpected text here.
    pub(crate) fn expected(&mut self, expected: &'static str) -> MoveError {
        // Some dashes are longer than a byte.
        let at = self.at();
        MoveError::Unreadable { at: self.text[..at].chars().count(), expected }
    }

    /// Reads a move number, as programs print it: `12.` or `12)`.
    fn move_number(&mut self) -> bool {
        let mut ahead = self.clone();
        let is_read = ahead.number().is_some()
            && !ahead.sign().is_some_and(char::is_whitespace)
            && (ahead.word(".") || ahead.word(")"))
            // `1.5` is not a move number.
            && !ahead.sign().is_some_and(|next| next.is_ascii_digit());
        if is_read {
            *self = ahead;
        }
        is_read
    }

    /// Reads the dice that programs print before a move: `31:`, `3-1:`, `(31)`, or just `31` and
    /// `3-1`, which may be something else. Returns the roll and whether it is certainly one.
    fn dice(&mut self) -> Option<(Roll, bool)> {
        let in_brackets = self.word("(");
        let first = u8::try_from(self.number()?).ok().filter(|first| *first <= 99)?;
        let roll = if first > 9 {
            Roll::Two(first / 10, first % 10)
        } else {
            let mut ahead = self.clone();
            let is_connected = ahead.connector() || ahead.word(",");
            match ahead.number().and_then(|second| u8::try_from(second).ok()) {
                Some(second) if is_connected && second <= 9 => {
                    *self = ahead;
                    Roll::Two(first, second)
                }
                _ => Roll::One(first),
            }
        };
        let is_closed = in_brackets && self.word(")");
        Some((roll, self.word(":") || is_closed))
    }
}

/// Reads a move, with or without the move number and dice that programs print before it. Printed
/// dice must be the dice on the table.
///
/// # Errors
/// The text means no move, or several. Errors of the readable variant win.
pub(crate) fn parse_move<M: PartialEq + Display>(
    text: &str,
    roll: Option<Roll>,
    read: impl Fn(TextCursor) -> Result<M, MoveError>,
) -> Result<M, MoveError> {
    let plain = TextCursor::new(text);
    let mut meanings = vec![read(plain.clone())];
    let mut behind = plain.clone();
    if behind.move_number() {
        meanings.push(read(behind.clone()));
    }
    if let Some((printed, is_sure)) = behind.dice() {
        match roll.filter(|roll| !same_dice(*roll, printed)) {
            None if is_sure || roll.is_some() => meanings.push(read(behind)),
            Some(roll) if is_sure => meanings.push(match read(behind) {
                Err(error @ MoveError::Unreadable { .. }) => Err(error),
                _ => Err(MoveError::Illegal(format!("your dice are {roll}, not {printed}"))),
            }),
            _ => {}
        }
    }
    only_meaning(meanings)
}

/// Returns whether two rolls have the same dice, in any order.
fn same_dice(a: Roll, b: Roll) -> bool {
    let sorted = |roll| match roll {
        Roll::One(die) => (die, 0),
        Roll::Two(a, b) => (a.max(b), a.min(b)),
    };
    sorted(a) == sorted(b)
}

/// Returns the one move among several readings of a text.
///
/// # Errors
/// The readings mean several moves, or none; then the most informative error.
pub(crate) fn only_meaning<M: PartialEq + Display>(
    meanings: Vec<Result<M, MoveError>>,
) -> Result<M, MoveError> {
    let mut found: Vec<M> = Vec::new();
    let mut readings: Vec<String> = Vec::new();
    let mut error = None;
    for meaning in meanings {
        match meaning {
            Ok(one) if found.contains(&one) => {}
            Ok(one) => found.push(one),
            Err(MoveError::Ambiguous(several)) => readings.extend(several),
            Err(why) => {
                error = Some(error.map_or(why.clone(), |known| more_informative(known, why)));
            }
        }
    }
    match (found.len(), readings.is_empty(), error) {
        (1, true, _) => Ok(found.remove(0)),
        (0, true, Some(error)) => Err(error),
        (0, true, None) => Err(MoveError::NothingToMove),
        _ => {
            readings.extend(found.iter().map(ToString::to_string));
            Err(MoveError::Ambiguous(readings))
        }
    }
}

/// Returns the more informative of two errors: illegal beats unreadable, and a later column beats
/// an earlier one.
fn more_informative(known: MoveError, why: MoveError) -> MoveError {
    match (&known, &why) {
        (MoveError::Unreadable { at, .. }, MoveError::Unreadable { at: further, .. }) => {
            if further > at { why } else { known }
        }
        (MoveError::Unreadable { .. }, _) => why,
        _ => known,
    }
}

/// Splits a line of presses, separated by commas, blanks, words or nothing at all, as in `k11l12`, and
/// returns each with its column. A word and a place are one press if the game `reads` them as one.
pub(crate) fn presses<'a>(text: &'a str, reads: impl Fn(&str) -> bool) -> Vec<(usize, &'a str)> {
    let split = |(at, word): (usize, &'a str)| match word.split_once(char::is_whitespace) {
        Some((first, rest)) if !reads(word) && reads(first) && reads(rest) => {
            let blanks = rest.chars().take_while(|c| c.is_whitespace()).count() + 1;
            let behind = at + first.chars().count() + blanks;
            vec![(at, first), (behind, rest.trim_start())]
        }
        _ => vec![(at, word)],
    };
    words_of_presses(text).into_iter().flat_map(split).collect()
}

/// Splits a line of presses. `b 2` and `dead b2` are kept together.
fn words_of_presses(text: &str) -> Vec<(usize, &str)> {
    let mut reader = TextCursor::new(text);
    reader.move_number();
    let begin = reader.at();
    let text_end = bare(text).len() + (text.len() - text.trim_start().len());
    let end = text_end.max(begin);
    let mut found = Vec::new();
    let mut from = begin;
    let is_joint =
        |word: &str| word == "&" || JOINTS.iter().any(|joint| word.eq_ignore_ascii_case(joint));
    // `b 2` is one press, and so is `dead b2`: a blank separates presses only before a letter, and only
    // behind a place.
    let is_gap = |from: usize, at: usize| {
        let rest = text[at..end].trim_start();
        let is_word = text[from..at].chars().all(char::is_alphabetic) && !is_joint(&text[from..at]);
        !is_word && rest.starts_with(|c: char| c.is_alphabetic() || c == '&')
    };
    let is_place = |word: &str| {
        word.starts_with(char::is_alphabetic) && word.ends_with(|c: char| c.is_ascii_digit())
    };
    for (at, sign) in text[begin..end].char_indices().map(|(at, sign)| (at + begin, sign)) {
        if matches!(sign, ',' | ';') || sign.is_whitespace() && at > from && is_gap(from, at) {
            found.push((from, &text[from..at]));
            from = at + sign.len_utf8();
        } else if sign.is_alphabetic() && is_place(&text[from..at]) {
            found.push((from, &text[from..at]));
            from = at;
        } else if sign.is_whitespace() && at == from {
            from = at + sign.len_utf8();
        }
    }
    found.push((from, &text[from..end]));
    // A blank or a word may follow a comma.
    let kept = |(index, (_, word)): &(usize, (usize, &str))| *index == 0 || !is_joint(word);
    let kept = found.iter().copied().enumerate().filter(kept).map(|(_, piece)| piece);
    kept.map(|(at, word)| (text[..at].chars().count(), word.trim())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_words_letters_and_numbers_with_their_columns() {
        let mut reader = TextCursor::new(" 3xC12 -é");
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
        assert!(!reader.is_done() && TextCursor::new(" \t").is_done());
        assert_eq!(TextCursor::new("99999999999").number(), Some(u32::MAX));
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
            let mut reader = TextCursor::new(text);
            assert_eq!(reader.whole_word("b"), is_whole, "{text}");
            assert_eq!(reader.word("b"), !is_whole, "{text}");
        }
    }

    #[test]
    fn the_dashes_of_print_are_read_as_they_were_written() {
        for dash in ["-", "\u{2013}", "\u{2014}", "\u{2212}"] {
            let text = format!("8{dash}5,6{dash}é");
            let mut reader = TextCursor::new(&text);
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
        assert!(TextCursor::new("\u{2014}").word("--") && !TextCursor::new("-").word("--"));
    }
}
