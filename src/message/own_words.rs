//! What a player wrote himself, in an answer that quotes our mail.

use super::MARK;

/// The lines of a text that its writer wrote: quoted lines (`> `) are dropped, and it ends at a
/// signature (`-- `), at our mark, or where a mail program says whom it quotes. Without empty lines
/// at both ends.
///
/// Only the mark is ours to rely on; phrases differ by program and language and are recognised as a
/// convenience.
pub fn own_words(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let signed = lines.iter().position(|line| *line == "-----BEGIN PGP SIGNED MESSAGE-----");
    let lines = match signed.filter(|&at| lines[..at].iter().all(|line| line.is_empty())) {
        Some(at) => behind_armor(&lines[at + 1..]),
        None => &lines,
    };
    let end = (0..lines.len()).find(|&at| ends_at(&lines[at..])).unwrap_or(lines.len());
    let mut own: Vec<&str> = lines[..end].iter().filter(|l| !is_quoted(l)).copied().collect();
    if signed.is_some() {
        // RFC 9580, 7.2: dash-escaped.
        for line in &mut own {
            *line = line.strip_prefix("- ").unwrap_or(line);
        }
    }
    let is_empty = |line: &&str| line.trim().is_empty();
    let start = own.iter().position(|line| !is_empty(line)).unwrap_or(own.len());
    let end = own.iter().rposition(|line| !is_empty(line)).map_or(start, |last| last + 1);
    own[start..end].join("\n")
}

/// RFC 9580, 7: the fields of the armor end with an empty line.
fn behind_armor<'a, 'b>(lines: &'b [&'a str]) -> &'b [&'a str] {
    let empty = lines.iter().position(|line| line.is_empty());
    empty.map_or(lines, |at| &lines[at + 1..])
}

fn is_quoted(line: &str) -> bool {
    line.trim_start().starts_with('>')
}

/// Whether the first of these lines, and those behind it, are not the writer's.
fn ends_at(lines: &[&str]) -> bool {
    let line = lines[0];
    // `-- ` has lost its blank by now (RFC 3676, 4.3); some programs never set it.
    line == "--"
        || line == "-----BEGIN PGP SIGNATURE-----"
        || is_mark(line)
        || is_separator(line)
        || is_header_block(lines)
        || is_attribution(lines)
}

/// Our mark: quoted, wrapped after any word behind the first two, or with dashes that a mail
/// program made prettier.
fn is_mark(line: &str) -> bool {
    let line = line.trim_start_matches(|c: char| c.is_whitespace() || ">|*".contains(c));
    let words = line.trim_start_matches(is_dash).trim_start();
    let (whole, wrapped) = (MARK.trim_matches(is_dash).trim(), "write above");
    let dashes = line.chars().take_while(|&c| is_dash(c)).count();
    starts_with(words, whole) || (dashes > 0 && starts_with(words, wrapped))
}

fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}')
}

fn starts_with(text: &str, start: &str) -> bool {
    text.as_bytes().get(..start.len()).is_some_and(|it| it.eq_ignore_ascii_case(start.as_bytes()))
}

/// `-----Original Message-----` and the line of underscores before Outlook's quote.
fn is_separator(line: &str) -> bool {
    const WORDS: [&str; 8] = [
        "original message",
        "ursprüngliche nachricht",
        "message d'origine",
        "message original",
        "mensaje original",
        "messaggio originale",
        "oorspronkelijk bericht",
        "forwarded message",
    ];
    let line = line.trim();
    let words = line.trim_matches(is_dash);
    let dashes = line.len() - words.len() >= 4;
    (dashes && WORDS.contains(&words.trim().to_lowercase().as_str()))
        || (line.len() >= 20 && line.bytes().all(|b| b == b'_'))
}

/// The header block that Outlook quotes below: a sender, and close behind it a date or recipient.
fn is_header_block(lines: &[&str]) -> bool {
    const SENDERS: [&str; 6] = ["From:", "Von:", "De:", "De :", "Da:", "Van:"];
    const NEXT: [&str; 16] = [
        "Sent:",
        "Date:",
        "To:",
        "Gesendet:",
        "Datum:",
        "An:",
        "Envoyé:",
        "Envoyé :",
        "À :",
        "Enviado:",
        "Enviado el:",
        "Para:",
        "Inviato:",
        "Verzonden:",
        "A:",
        "Fecha:",
    ];
    let has = |line: &str, names: &[&str]| {
        let line = line.trim().replace('*', "");
        names.iter().any(|name| starts_with(&line, name))
    };
    has(lines[0], &SENDERS) && lines.iter().skip(1).take(3).any(|line| has(line, &NEXT))
}

/// `On Monday, Ann wrote:` in a few languages, on up to three lines.
fn is_attribution(lines: &[&str]) -> bool {
    const PHRASES: [(&str, &str); 9] = [
        ("On ", " wrote"),
        ("Am ", " schrieb"),
        ("Le ", " a écrit"),
        ("El ", " escribió"),
        ("Em ", " escreveu"),
        ("Il ", " ha scritto"),
        ("Op ", " schreef"),
        ("Den ", " skrev"),
        ("W dniu ", " pisze"),
    ];
    if lines[0].ends_with("> wrote:") {
        return true;
    }
    let Some((start, verb)) =
        PHRASES.iter().find(|(start, _)| lines[0].trim_start().starts_with(start))
    else {
        return false;
    };
    let mut whole = String::new();
    for (at, line) in lines.iter().take(3).enumerate() {
        if line.is_empty() || (at > 0 && line.starts_with(start)) {
            return false;
        }
        whole.push(' ');
        whole.push_str(line.trim());
        // A sentence of the player's own has no date in it and no colon at its end.
        if whole.ends_with(':') {
            return whole.contains(verb) && whole.bytes().any(|b| b.is_ascii_digit() || b == b'@');
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_writer_wrote() {
        for (text, want) in [
            ("", ""),
            ("\n\na\n\nb\n\n", "a\n\nb"),
            ("a\n> b\n >c\nd\n", "a\nd"),
            ("a\n--\nAnn\n", "a"),
            ("a\n---\nb --\n-- b\n", "a\n---\nb --\n-- b"),
            ("a\n--- write above this line ---\nb\n", "a"),
            ("a\n> --- write above this line ---\n\nb\n", "a"),
            ("a\n| --- Write above this line ---\nb\n", "a"),
            ("a\n— write above this line —\nb\n", "a"),
            ("a\n--- write above this\nline ---\nb\n", "a"),
            ("a\n> --- write above\n> this line ---\nb\n", "a"),
            ("I write above this\nb\n", "I write above this\nb"),
            ("write above all\n", "write above all"),
            ("a\nOn Mon, 2 Mar 2026 at 10:00, Post <p@h.org> wrote:\nb\n", "a"),
            ("a\nOn Mon, 2 Mar 2026 at 10:00, Postboard\n<p@h.org> wrote:\nb\n", "a"),
            ("a\nAm 02.03.26 um 10:00 schrieb Post:\nb\n", "a"),
            ("a\nLe lun. 2 mars 2026 à 10:00, Post <p@h.org> a écrit :\nb\n", "a"),
            ("a\nEl lun, 2 mar 2026 a las 10:00, Post (<p@h.org>) escribió:\nb\n", "a"),
            ("a\nPost <p@h.org> wrote:\nb\n", "a"),
            ("On b4!\nOn Mon, 2 Mar 2026, Post wrote:\nb\n", "On b4!"),
            ("On the whole I wrote:\nb\n", "On the whole I wrote:\nb"),
            ("On 2 March I wrote\nb\n", "On 2 March I wrote\nb"),
            ("a\n-----Original Message-----\nb\n", "a"),
            ("a\n----- Ursprüngliche Nachricht -----\nb\n", "a"),
            ("original message\n", "original message"),
            ("a\n________________________________\nb\n", "a"),
            ("a\nFrom: p@h.org\nSent: Monday\nb\n", "a"),
            ("a\n*Von:* p@h.org\n*Gesendet:* Montag\nb\n", "a"),
            ("From: me\nwith love\n", "From: me\nwith love"),
            (
                "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\na\n- - b\n\
                 -----BEGIN PGP SIGNATURE-----\nx\n-----END PGP SIGNATURE-----\n",
                "a\n- b",
            ),
        ] {
            assert_eq!(own_words(text), want, "{text:?}");
        }
    }

    #[test]
    fn every_wrap_of_the_mark_ends_it() {
        for (at, _) in MARK.match_indices(' ').skip(2) {
            let text = format!("a\n{}\n{}\nb\n", &MARK[..at], &MARK[at + 1..]);
            assert_eq!(own_words(&text), "a", "{text}");
        }
    }
}
