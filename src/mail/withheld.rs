//! Words that must not be passed on: reply addresses, marks of Subjects and one-time words in the
//! text that a user writes or quotes. Anybody who has one could move, or answer, as its owner.

use super::Address;

/// The text in place of each.
const REMOVED: &str = "[address removed]";

/// Letters of the secret half of each of them, in base32.
const SECRET: usize = 16;

/// Letters before the secret half at most: `b`, a game, numbers, or a userid with what is before it.
const LONGEST_NAME: usize = 64;

/// A sign of a text as it is read: without the marks of quotations and the breaks of lines that
/// programs put into long words.
struct Sign {
    /// In small letters.
    c: u8,
    /// Its place in the text, bytes.
    at: usize,
    /// Whether a line begins with it that is no part of the one before.
    begins: bool,
}

/// A text without reply addresses, marks and one-time words. A break of a line within one does not
/// hide it, nor do the quotation's marks behind that.
pub fn without_secrets(text: &str) -> String {
    let signs = signs(text);
    let mut kept = String::with_capacity(text.len());
    let mut done = 0;
    for dash in 0..signs.len() {
        if signs[dash].c != b'-' || signs[dash].at < done {
            continue;
        }
        let Some((from, to)) = secret_around(&signs, dash) else { continue };
        let from = signs[from].at.max(done);
        kept.push_str(&text[done..from]);
        kept.push_str(REMOVED);
        done = to.checked_sub(1).map_or(done, |last| signs[last].at + 1);
    }
    if done == 0 {
        return text.to_owned();
    }
    kept.push_str(&text[done..]);
    kept
}

/// A text without these addresses, whatever their tags and case. A break of a line within one does
/// not hide it, nor do the quotation's marks behind that.
pub fn without_addresses(text: &str, addresses: &[Address]) -> String {
    if addresses.is_empty() || !text.contains('@') {
        return text.to_owned();
    }
    let signs = signs(text);
    let mut kept = String::with_capacity(text.len());
    let mut done = 0;
    for at in (0..signs.len()).filter(|at| signs[*at].c == b'@') {
        let Some((from, to)) = addresses.iter().find_map(|it| address_around(&signs, at, it))
        else {
            continue;
        };
        let from = signs[from].at;
        if from >= done {
            kept.push_str(&text[done..from]);
            kept.push_str(REMOVED);
            done = signs[to - 1].at + 1;
        }
    }
    kept.push_str(&text[done..]);
    kept
}

/// The first sign of an address, and the one after its last, if it has its `@` there.
fn address_around(signs: &[Sign], at: usize, address: &Address) -> Option<(usize, usize)> {
    let is_text = |signs: &[Sign], text: &str| {
        signs.len() == text.len()
            && signs.iter().zip(text.bytes()).all(|(sign, b)| sign.c == b.to_ascii_lowercase())
    };
    let to = at + 1 + address.domain().len();
    if !is_text(signs.get(at + 1..to)?, address.domain()) || domain_goes_on(&signs[to..]) {
        return None;
    }
    // A word of the line before may be right in front of it.
    let begins = |from: usize| from == 0 || signs[from].begins || !is_of_address(signs[from - 1].c);
    let local = at.checked_sub(address.local().len());
    if let Some(from) = local.filter(|from| is_text(&signs[*from..at], address.local()))
        && begins(from)
    {
        return Some((from, to));
    }
    let mailbox = address.mailbox();
    let tagged = (at.saturating_sub(LONGEST_NAME)..at).find(|from| {
        let plus = from + mailbox.len();
        plus < at
            && begins(*from)
            && signs[plus].c == b'+'
            && is_text(&signs[*from..plus], mailbox)
            && signs[plus..at].iter().all(|sign| is_of_address(sign.c))
    });
    Some((tagged?, to))
}

/// Whether a longer domain than the one before these signs is written.
fn domain_goes_on(behind: &[Sign]) -> bool {
    let is_letter =
        |sign: &Sign| !sign.begins && (sign.c.is_ascii_alphanumeric() || sign.c == b'-');
    match behind {
        // The stop of a sentence.
        [stop, next, ..] if stop.c == b'.' && !stop.begins => is_letter(next),
        [next, ..] => is_letter(next),
        [] => false,
    }
}

/// The signs of a text. Everything but ASCII counts as a blank: no secret has any.
fn signs(text: &str) -> Vec<Sign> {
    let mut signs: Vec<Sign> = Vec::with_capacity(text.len());
    let (mut line_begins, mut begins) = (false, false);
    for (at, c) in text.char_indices() {
        match c {
            '\r' => {}
            '\n' => {
                // A soft break of quoted-printable.
                let is_soft = signs.last().is_some_and(|sign| sign.c == b'=');
                if is_soft {
                    signs.pop();
                }
                (line_begins, begins) = (true, !is_soft);
            }
            ' ' | '\t' | '>' | '|' if line_begins => {}
            _ => {
                line_begins = false;
                let c = u8::try_from(c).ok().filter(u8::is_ascii).unwrap_or(b' ');
                signs.push(Sign { c: c.to_ascii_lowercase(), at, begins });
                begins = false;
            }
        }
    }
    signs
}

/// Whether a sign may be in an address beside a tag, or in a userid.
fn is_of_address(c: u8) -> bool {
    c.is_ascii_alphanumeric() || b"._+=%-#".contains(&c)
}

/// The first sign to remove, and the one after the last, if the dash belongs to a secret.
fn secret_around(signs: &[Sign], dash: usize) -> Option<(usize, usize)> {
    let secret = signs.get(dash + 1..dash + 1 + SECRET)?;
    if !secret.iter().all(|sign| sign.c.is_ascii_lowercase() || (b'2'..=b'7').contains(&sign.c)) {
        return None;
    }
    let before = signs[..dash].iter().rev().take(LONGEST_NAME);
    let first = dash - before.take_while(|sign| is_of_address(sign.c)).count();
    let name: String = signs[first..dash].iter().map(|sign| char::from(sign.c)).collect();
    let tag = tag_in(&name);
    if tag.is_none() && (name.is_empty() || !is_random(secret)) {
        return None;
    }
    let mut from = tag.map_or(dash, |at| first + at);
    // The text before it in the same line belongs to it, but not the end of the line before.
    while from > first && signs[from - 1].at + 1 == signs[from].at {
        from -= 1;
    }
    let mut to = dash + 1 + SECRET;
    // The domain behind it, or the bracket around it.
    if signs.get(to).is_some_and(|sign| sign.c == b'@') {
        let domain = signs[to + 1..].iter();
        to += 1 + domain
            .take_while(|sign| !sign.begins)
            .take_while(|sign| sign.c.is_ascii_alphanumeric() || b".-".contains(&sign.c))
            .count();
        // The stop of a sentence.
        if signs[to - 1].c == b'.' {
            to -= 1;
        }
    } else if signs.get(to).is_some_and(|sign| sign.c == b']')
        && from.checked_sub(1).is_some_and(|before| signs[before].c == b'[')
    {
        (from, to) = (from - 1, to + 1);
    }
    Some((from, to))
}

/// Where a name ends as the tag of a board does: `bmalaka17m8`, whatever comes before it.
fn tag_in(name: &str) -> Option<usize> {
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

/// Whether letters look random: those of a long word of a language seldom have a digit among them,
/// or four consonants in a row.
fn is_random(secret: &[Sign]) -> bool {
    let is_consonant = |sign: &Sign| !b"aeiouy".contains(&sign.c);
    secret.iter().any(|sign| sign.c.is_ascii_digit())
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
            assert_eq!(without_secrets(&text), left, "{text}");
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
            assert_eq!(without_addresses(text, &known), left, "{text}");
        }
    }

    #[test]
    fn what_people_write_stays() {
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
            assert_eq!(without_secrets(text), text);
        }
    }
}
