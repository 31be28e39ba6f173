//! Removal of reply addresses, Subject tags and one-time codes from text that a user writes or
//! quotes. They must not reach other players: with one of them anybody could play as its owner.

use super::Address;
use std::ops::Range;

/// The replacement for a removed secret or address.
const REMOVED: &str = "[address removed]";

/// The length of the secret half of a tag, in base32 digits.
const SECRET: usize = 16;

/// The most characters before the secret half: `b`, a game and numbers, or a userid with its prefix.
const LONGEST_NAME: usize = 64;

/// A character of a text, after quotation marks and line breaks inside long words were dropped.
struct TextChar {
    /// The ASCII character in lower case; a blank for any other.
    c: u8,
    /// Its byte offset in the text.
    at: usize,
    /// Whether it is the first of a line and does not continue the line before.
    begins_line: bool,
}

/// Removes reply addresses, Subject tags and one-time codes from `text`, also those that a mail
/// program broke over two lines, quoted or not.
pub fn redact_secrets(text: &str) -> String {
    let chars = text_chars(text);
    let mut kept = String::with_capacity(text.len());
    let mut done = 0;
    for dash in 0..chars.len() {
        if chars[dash].c != b'-' || chars[dash].at < done {
            continue;
        }
        let Some(secret) = secret_around(&chars, dash) else { continue };
        let from = chars[secret.start].at.max(done);
        kept.push_str(&text[done..from]);
        kept.push_str(REMOVED);
        done = secret.end.checked_sub(1).map_or(done, |last| chars[last].at + 1);
    }
    if done == 0 {
        return text.to_owned();
    }
    kept.push_str(&text[done..]);
    kept
}

/// Removes `addresses` from `text`, in any case, with or without tags, also those that a mail program
/// broke over two lines, quoted or not.
pub fn redact_addresses(text: &str, addresses: &[Address]) -> String {
    if addresses.is_empty() || !text.contains('@') {
        return text.to_owned();
    }
    let chars = text_chars(text);
    let mut kept = String::with_capacity(text.len());
    let mut done = 0;
    for at in (0..chars.len()).filter(|at| chars[*at].c == b'@') {
        let found = addresses.iter().find_map(|address| address_around(&chars, at, address));
        let Some(found) = found else { continue };
        let from = chars[found.start].at;
        if from >= done {
            kept.push_str(&text[done..from]);
            kept.push_str(REMOVED);
            done = chars[found.end - 1].at + 1;
        }
    }
    kept.push_str(&text[done..]);
    kept
}

/// Returns the range of `address` in `chars`, if its `@` is at `at`.
fn address_around(chars: &[TextChar], at: usize, address: &Address) -> Option<Range<usize>> {
    let is_text = |chars: &[TextChar], text: &str| {
        chars.len() == text.len()
            && chars.iter().zip(text.bytes()).all(|(found, b)| found.c == b.to_ascii_lowercase())
    };
    let to = at + 1 + address.domain().len();
    if !is_text(chars.get(at + 1..to)?, address.domain()) || domain_continues(&chars[to..]) {
        return None;
    }
    // The last word of the line before may end right in front of the address.
    let begins =
        |from: usize| from == 0 || chars[from].begins_line || !is_address_char(chars[from - 1].c);
    let local = at.checked_sub(address.local().len());
    if let Some(from) = local.filter(|from| is_text(&chars[*from..at], address.local()))
        && begins(from)
    {
        return Some(from..to);
    }
    let mailbox = address.mailbox();
    let tagged = (at.saturating_sub(LONGEST_NAME)..at).find(|from| {
        let plus = from + mailbox.len();
        plus < at
            && begins(*from)
            && chars[plus].c == b'+'
            && is_text(&chars[*from..plus], mailbox)
            && chars[plus..at].iter().all(|found| is_address_char(found.c))
    });
    Some(tagged?..to)
}

/// Returns whether the domain that ends before `behind` is only the beginning of a longer one.
fn domain_continues(behind: &[TextChar]) -> bool {
    let is_letter = |found: &TextChar| {
        !found.begins_line && (found.c.is_ascii_alphanumeric() || found.c == b'-')
    };
    match behind {
        // The full stop of a sentence, or a dot of the domain.
        [stop, next, ..] if stop.c == b'.' && !stop.begins_line => is_letter(next),
        [next, ..] => is_letter(next),
        [] => false,
    }
}

/// Returns the characters of a text. All but ASCII become blanks, since no secret contains them.
fn text_chars(text: &str) -> Vec<TextChar> {
    let mut chars: Vec<TextChar> = Vec::with_capacity(text.len());
    let (mut line_begins, mut begins) = (false, false);
    for (at, c) in text.char_indices() {
        match c {
            '\r' => {}
            '\n' => {
                // A soft line break of quoted-printable.
                let is_soft = chars.last().is_some_and(|last| last.c == b'=');
                if is_soft {
                    chars.pop();
                }
                (line_begins, begins) = (true, !is_soft);
            }
            ' ' | '\t' | '>' | '|' if line_begins => {}
            _ => {
                line_begins = false;
                let c = u8::try_from(c).ok().filter(u8::is_ascii).unwrap_or(b' ');
                chars.push(TextChar { c: c.to_ascii_lowercase(), at, begins_line: begins });
                begins = false;
            }
        }
    }
    chars
}

/// Returns whether `c` may be part of a tagged address or a userid.
fn is_address_char(c: u8) -> bool {
    c.is_ascii_alphanumeric() || b"._+=%-#".contains(&c)
}

/// Returns the range to remove, if the dash at `dash` is that of a secret.
fn secret_around(chars: &[TextChar], dash: usize) -> Option<Range<usize>> {
    let secret = chars.get(dash + 1..dash + 1 + SECRET)?;
    let is_base32 = |c: u8| c.is_ascii_lowercase() || (b'2'..=b'7').contains(&c);
    if !secret.iter().all(|found| is_base32(found.c)) {
        return None;
    }
    let before = chars[..dash].iter().rev().take(LONGEST_NAME);
    let first = dash - before.take_while(|found| is_address_char(found.c)).count();
    let name: String = chars[first..dash].iter().map(|found| char::from(found.c)).collect();
    let tag = board_tag(&name);
    if tag.is_none() && (name.is_empty() || !is_random(secret)) {
        return None;
    }
    let mut from = tag.map_or(dash, |at| first + at);
    // The rest of the word in this line belongs to it, but not the end of the line before.
    while from > first && chars[from - 1].at + 1 == chars[from].at {
        from -= 1;
    }
    let mut to = dash + 1 + SECRET;
    // Also the domain of the address, or the brackets of the Subject tag.
    if chars.get(to).is_some_and(|next| next.c == b'@') {
        let domain = chars[to + 1..].iter();
        to += 1 + domain
            .take_while(|found| !found.begins_line)
            .take_while(|found| found.c.is_ascii_alphanumeric() || b".-".contains(&found.c))
            .count();
        // The full stop of a sentence.
        if chars[to - 1].c == b'.' {
            to -= 1;
        }
    } else if chars.get(to).is_some_and(|next| next.c == b']')
        && from.checked_sub(1).is_some_and(|before| chars[before].c == b'[')
    {
        (from, to) = (from - 1, to + 1);
    }
    Some(from..to)
}

/// Returns where the tag of a board begins that ends `name`: `bmalaka17m8`.
fn board_tag(name: &str) -> Option<usize> {
    let is_number = |c: char| c.is_ascii_digit() || "mdu".contains(c);
    games::GAMES.iter().find_map(|game| {
        let start = format!("b{}", game.spec().name);
        let at = name.rfind(&start)?;
        let numbers = &name[at + start.len()..];
        let fits =
            numbers.starts_with(|c: char| c.is_ascii_digit()) && numbers.chars().all(is_number);
        fits.then_some(at)
    })
}

/// Returns whether a secret looks random: words of a language rarely have a digit or four consonants
/// in a row.
fn is_random(secret: &[TextChar]) -> bool {
    let is_consonant = |found: &TextChar| !b"aeiouy".contains(&found.c);
    secret.iter().any(|found| found.c.is_ascii_digit())
        || secret.windows(4).any(|four| four.iter().all(is_consonant))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TAG: &str = "bmalaka17m8d-abcdefghijklmnop";

    #[test]
    fn a_reply_address_is_removed_however_it_is_written() {
        for (text, left) in [
            (format!("write to games+{TAG}@example.org. Bye"), "write to [address removed]. Bye"),
            (format!("<games+{TAG}@example.org>"), "<[address removed]>"),
            (format!("mailto:games%2B{TAG}@example.org?x"), "mailto:[address removed]?x"),
            (format!("Malaka Board 17 [#{TAG}] yes"), "Malaka Board 17 [address removed] yes"),
            (TAG.to_uppercase(), "[address removed]"),
            (format!("x+{TAG}@localhost\nand so on"), "[address removed]\nand so on"),
            (format!("see you\n{TAG}"), "see you\n[address removed]"),
            ("games+bmalaka17m8-abcd=\nefghijklmnop@example.org hi".into(), "[address removed] hi"),
            (
                "> games+bmalaka17\n> m8-abcdefgh\n> > ijklmnop@example.org, hi".into(),
                "> [address removed], hi",
            ),
            ("send alice-q2yt7abcdefghbcd now".into(), "send [address removed] now"),
            ("ob-alice-abcdefghijklmnop".into(), "[address removed]"),
            (format!("{TAG} and {TAG}"), "[address removed] and [address removed]"),
        ] {
            assert_eq!(redact_secrets(&text), left, "{text}");
        }
    }

    #[test]
    fn known_addresses_are_removed() {
        let known = ["alice@example.org", "games@play.example.org"];
        let known = known.map(|address| Address::parse(address).unwrap());
        for (text, left) in [
            ("To: alice@example.org", "To: [address removed]"),
            ("<ALICE@Example.ORG>, hi", "<[address removed]>, hi"),
            ("mailto:alice@example.org.", "mailto:[address removed]."),
            ("alice+games@example.org", "[address removed]"),
            ("games+bmalaka1-x@play.example.org", "[address removed]"),
            ("Hello\nalice@example.org\nbye", "Hello\n[address removed]\nbye"),
            ("> alice@\n> example.org", "> [address removed]"),
            (
                "games@play.exam\nple.org and alice@example.org",
                "[address removed] and [address removed]",
            ),
            ("malice@example.org", "malice@example.org"),
            ("alice@example.org.uk", "alice@example.org.uk"),
            ("bob@example.org", "bob@example.org"),
            ("@@@ alice@", "@@@ alice@"),
            ("\u{e9}alice@example.org\u{e9}", "\u{e9}[address removed]\u{e9}"),
        ] {
            assert_eq!(redact_addresses(text, &known), left, "{text}");
        }
    }

    #[test]
    fn ordinary_text_is_kept() {
        for text in [
            "",
            "c3-c6,c6-c8 was a good move - was it not?",
            "a case of self-characterization",
            "well-\nunderstandable things --- really",
            "rita@example.org, https://example.org/a-b-c",
            "bmalaka17m8-short",
            "\u{e9}t\u{e9}-\u{fc}ber",
            "---------------------------------",
        ] {
            assert_eq!(redact_secrets(text), text);
        }
    }
}
