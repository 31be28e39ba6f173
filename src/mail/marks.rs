//! Marks before a Subject that its writer did not write: `Re:`, `[EXTERNAL]`, `***SPAM***`.
//!
//! They are known by their shape, since every language and every gateway has its own. What ends with a
//! colon may be a word of the writer's as well (`malaka: help`), so [`unmarked`] gives all readings.

use std::iter::successors;

/// Nobody puts more marks before a Subject.
const MOST: usize = 10;
/// Marks in brackets are not longer than that, in characters.
const LONGEST_BRACKETS: usize = 40;
/// `Antwort`, `Vastaus`: one word before a colon, in characters.
const LONGEST_WORD: usize = 12;
/// `Trả lời`: two of them. `Out of office` and `Auto reply` are longer.
const LONGEST_WORDS: usize = 9;

/// A Subject without what mailers and lists surely put before it.
pub fn without_marks(subject: &str) -> String {
    behind_marks(subject).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The Subject without sure marks, and then without each further word that may be one: `RES: list`
/// and `list`.
pub fn unmarked(subject: &str) -> impl Iterator<Item = &str> {
    successors(Some(behind_marks(subject)), |&rest| Some(behind_marks(behind_words(rest)?)))
        .take(MOST)
}

/// The text behind all sure marks: a word in brackets or asterisks, and replies of the common kinds.
/// `[#...]` is ours.
fn behind_marks(subject: &str) -> &str {
    let mut rest = subject.trim_start();
    for _ in 0..MOST {
        let behind = behind_brackets(rest).or_else(|| behind_asterisks(rest));
        let Some(behind) = behind.or_else(|| behind_reply(rest)) else { break };
        rest = behind.trim_start();
    }
    rest
}

fn behind_brackets(text: &str) -> Option<&str> {
    const PAIRS: [(char, char); 4] = [('[', ']'), ('{', '}'), ('\u{3010}', '\u{3011}'), ('<', '>')];
    let (open, close) = PAIRS.into_iter().find(|(open, _)| text.starts_with(*open))?;
    let inside = text.strip_prefix(open).filter(|inside| !inside.starts_with('#'))?;
    let at = inside.char_indices().take(LONGEST_BRACKETS).find(|(_, c)| *c == close)?.0;
    let behind = inside[at + close.len_utf8()..].trim_start();
    Some(behind.strip_prefix([':', '\u{FF1A}', '-']).unwrap_or(behind))
}

/// `*EXT*`, `*** SPAM ***`; two asterisks alone are none.
fn behind_asterisks(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('*')?.trim_start_matches('*');
    let at = inside.char_indices().take(LONGEST_BRACKETS).find(|(_, c)| *c == '*')?.0;
    let is_word = inside[..at].contains(char::is_alphanumeric);
    let behind = is_word.then(|| inside[at..].trim_start_matches('*').trim_start())?;
    Some(behind.strip_prefix([':', '\u{FF1A}']).unwrap_or(behind))
}

/// A word that is a mark whatever follows it.
fn behind_reply(text: &str) -> Option<&str> {
    const REPLIES: &[&str] = &["re", "fwd", "fw", "aw", "sv", "antw", "wg", "vs", "rif", "ref"];
    let (words, behind) = before_colon(text)?;
    REPLIES.iter().any(|known| known.eq_ignore_ascii_case(words)).then_some(behind)
}

/// The text behind a short word or two and a colon.
fn behind_words(text: &str) -> Option<&str> {
    let (words, behind) = before_colon(text)?;
    let most = if words.contains(' ') { LONGEST_WORDS } else { LONGEST_WORD };
    let is_word = |word: &str| {
        word.chars().all(|c| c.is_alphabetic() || ".-'\u{2019}".contains(c))
            && word.contains(char::is_alphabetic)
    };
    let is_short = words.chars().count() <= most && words.split_whitespace().count() <= 2;
    (is_short && words.split_whitespace().all(is_word)).then_some(behind)
}

/// What stands before the first colon, without a count such as `[2]` or `^2`, and what behind it.
fn before_colon(text: &str) -> Option<(&str, &str)> {
    let mut near = text.char_indices().take(LONGEST_WORD + 8);
    let (at, colon) = near.find(|(_, c)| matches!(c, ':' | '\u{FF1A}'))?;
    let words = text[..at].trim_end();
    let words = words.trim_end_matches(|c: char| c.is_ascii_digit() || "[]^()*".contains(c));
    let words = words.trim_end();
    (!words.is_empty()).then_some((words, text[at + colon.len_utf8()..].trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_known_by_their_shape() {
        for mark in [
            "Re:",
            "RE :",
            "Re[2]:",
            "Re^3:",
            "RES:",
            "RV:",
            "R:",
            "Odp:",
            "Antw:",
            "YNT:",
            "\u{41E}\u{442}\u{432}:",
            "\u{391}\u{3A0}:",
            "\u{56DE}\u{590D}\u{FF1A}",
            "Tr\u{1EA3} l\u{1EDD}i:",
            "[EXTERNAL]",
            "[EXTERNAL]:",
            "[External Sender]",
            "{Disarmed}",
            "*EXT*",
            "***SPAM***",
            "*** SPAM ***",
            "\u{3010}EXT\u{3011}",
            "[Extern] Re: [Extern]",
            "Re: Odp: {Spam?} RES: [EXT]",
        ] {
            for gap in ["", " "] {
                let subject = format!("{mark}{gap}list");
                assert_eq!(unmarked(&subject).last(), Some("list"), "{subject}");
            }
        }
    }

    #[test]
    fn words_of_the_writer_stay() {
        for (subject, want) in [
            ("malaka: help", "malaka: help"),
            ("Re: malaka: help", "malaka: help"),
            ("alice: hello", "alice: hello"),
            ("[#tag] help", "[#tag] help"),
            ("** help", "** help"),
            ("Re: [list] help", "help"),
        ] {
            assert_eq!(unmarked(subject).next(), Some(want), "{subject}");
        }
        for subject in
            ["Automatic reply: list", "Out of office: list", "12:30 list", ": list", "list"]
        {
            assert_eq!(unmarked(subject).count(), 1, "{subject}");
        }
    }
}
