//! Prefixes that programs put before a Subject: `Re:`, `[EXTERNAL]`, `***SPAM***`.
//!
//! Every language and every gateway has its own, so they are recognised by their shape. A word with a
//! colon may also be the writer's (`malaka: help`), so [`subject_readings`] returns all readings.

use std::iter::successors;

/// The most prefixes of a Subject.
const MAX_PREFIXES: usize = 10;
/// Characters of a prefix in brackets.
const LONGEST_BRACKETS: usize = 40;
/// Characters of one word before a colon: `Antwort`, `Vastaus`.
const LONGEST_WORD: usize = 12;
/// Characters of two words before a colon: `Trả lời`. `Out of office` and `Auto reply` are longer.
const LONGEST_WORDS: usize = 9;

/// Removes the certain prefixes of a Subject, and surplus blanks.
pub fn without_subject_prefixes(subject: &str) -> String {
    skip_prefixes(subject).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the Subject without its certain prefixes, and then without each further word that may be a
/// prefix: `RES: list` and `list`.
pub fn subject_readings(subject: &str) -> impl Iterator<Item = &str> {
    successors(Some(skip_prefixes(subject)), |&rest| Some(skip_prefixes(skip_words(rest)?)))
        .take(MAX_PREFIXES)
}

/// Skips all certain prefixes: text in brackets or asterisks, and the common words for replies. `[#...]`
/// is our own tag.
fn skip_prefixes(subject: &str) -> &str {
    let mut rest = subject.trim_start();
    for _ in 0..MAX_PREFIXES {
        let behind = skip_brackets(rest).or_else(|| skip_asterisks(rest));
        let Some(behind) = behind.or_else(|| skip_reply_word(rest)) else { break };
        rest = behind.trim_start();
    }
    rest
}

/// Skips `[EXTERNAL]`, `{Spam?}` or `<EXT>`, with a colon or dash after it.
fn skip_brackets(text: &str) -> Option<&str> {
    const PAIRS: [(char, char); 4] = [('[', ']'), ('{', '}'), ('\u{3010}', '\u{3011}'), ('<', '>')];
    let (open, close) = PAIRS.into_iter().find(|(open, _)| text.starts_with(*open))?;
    let inside = text.strip_prefix(open).filter(|inside| !inside.starts_with('#'))?;
    let at = inside.char_indices().take(LONGEST_BRACKETS).find(|(_, c)| *c == close)?.0;
    let behind = inside[at + close.len_utf8()..].trim_start();
    Some(behind.strip_prefix([':', '\u{FF1A}', '-']).unwrap_or(behind))
}

/// Skips `*EXT*` or `*** SPAM ***`, but not two asterisks alone.
fn skip_asterisks(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('*')?.trim_start_matches('*');
    let at = inside.char_indices().take(LONGEST_BRACKETS).find(|(_, c)| *c == '*')?.0;
    let is_word = inside[..at].contains(char::is_alphanumeric);
    let behind = is_word.then(|| inside[at..].trim_start_matches('*').trim_start())?;
    Some(behind.strip_prefix([':', '\u{FF1A}']).unwrap_or(behind))
}

/// Skips a common word for replies.
fn skip_reply_word(text: &str) -> Option<&str> {
    const REPLIES: &[&str] = &["re", "fwd", "fw", "aw", "sv", "antw", "wg", "vs", "rif", "ref"];
    let (words, behind) = split_at_colon(text)?;
    REPLIES.iter().any(|known| known.eq_ignore_ascii_case(words)).then_some(behind)
}

/// Skips one or two short words and a colon.
fn skip_words(text: &str) -> Option<&str> {
    let (words, behind) = split_at_colon(text)?;
    let most = if words.contains(' ') { LONGEST_WORDS } else { LONGEST_WORD };
    let is_word = |word: &str| {
        word.chars().all(|c| c.is_alphabetic() || ".-'\u{2019}".contains(c))
            && word.contains(char::is_alphabetic)
    };
    let is_short = words.chars().count() <= most && words.split_whitespace().count() <= 2;
    (is_short && words.split_whitespace().all(is_word)).then_some(behind)
}

/// Splits at the first colon, and drops a count such as `[2]` or `^2` before it.
fn split_at_colon(text: &str) -> Option<(&str, &str)> {
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
    fn prefixes_are_recognised_by_their_shape() {
        for prefix in [
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
                let subject = format!("{prefix}{gap}list");
                assert_eq!(subject_readings(&subject).last(), Some("list"), "{subject}");
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
            assert_eq!(subject_readings(subject).next(), Some(want), "{subject}");
        }
        for subject in
            ["Automatic reply: list", "Out of office: list", "12:30 list", ": list", "list"]
        {
            assert_eq!(subject_readings(subject).count(), 1, "{subject}");
        }
    }
}
