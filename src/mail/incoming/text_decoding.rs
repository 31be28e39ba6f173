//! Decoding of text: line ends, transfer encodings, charsets, format=flowed.

use std::borrow::Cow;
use std::fmt::Write as _;

use charset::Charset;
use memchr::memchr2;

use crate::mail::header_values::is_hidden;

/// Converts all line ends to LF and drops NUL. CR CR LF is one line end, since some gateways convert
/// twice.
pub(super) fn with_line_feeds(raw: &[u8]) -> Cow<'_, [u8]> {
    if memchr2(b'\r', 0, raw).is_none() {
        return Cow::Borrowed(raw);
    }
    let mut out = Vec::with_capacity(raw.len());
    let mut returns = 0;
    for &b in raw.iter().filter(|&&b| b != 0) {
        match b {
            b'\r' => returns += 1,
            b'\n' => {
                out.push(b'\n');
                returns = 0;
            }
            b => {
                // Bare CRs are line ends.
                out.resize(out.len() + std::mem::take(&mut returns), b'\n');
                out.push(b);
            }
        }
    }
    out.resize(out.len() + returns, b'\n');
    Cow::Owned(out)
}

/// Decodes quoted-printable (RFC 2045, 6.7). All other octets are kept, also those beyond ASCII.
pub(super) fn quoted_printable(encoded: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(encoded.len());
    let mut lines = encoded.split(|&b| b == b'\n').peekable();
    while let Some(line) = lines.next() {
        // RFC 2045, 6.7 (3): mail servers added the blanks at the end of a line. A last line without
        // line end may be an encoded word, whose blanks count.
        let is_last = lines.peek().is_none();
        let line = if is_last { line } else { line.trim_ascii_end() };
        let soft = line.strip_suffix(b"=");
        hex_octets(soft.unwrap_or(line), &mut out);
        if soft.is_none() && !is_last {
            out.push(b'\n');
        }
    }
    out
}

/// Appends `line` to `out`, with each `=XX` as its octet.
fn hex_octets(line: &[u8], out: &mut Vec<u8>) {
    let digit = |b: u8| char::from(b).to_digit(16).and_then(|d| u8::try_from(d).ok());
    let mut rest = line;
    while let Some((&first, tail)) = rest.split_first() {
        let octet = match (first, tail) {
            (b'=', [high, low, ..]) => digit(*high).zip(digit(*low)).map(|(h, l)| h * 16 + l),
            _ => None,
        };
        out.push(octet.unwrap_or(first));
        rest = if octet.is_some() { &tail[2..] } else { tail };
    }
}

/// Decodes base64 (RFC 2045, 6.8). Plain lines before it are skipped, since gateways put warnings
/// there; it ends at the first plain line, since mailing lists append footers. Padding may occur
/// anywhere, where separately encoded texts were joined.
pub(super) fn base64(encoded: &[u8]) -> Vec<u8> {
    let is_digit = |b: &u8| b.is_ascii_alphanumeric() || *b == b'+' || *b == b'/';
    let lines = || encoded.split(|&b| b == b'\n').map(<[u8]>::trim_ascii);
    let is_word = lines().nth(1).is_none();
    let mut out = Vec::with_capacity(encoded.len() / 4 * 3);
    let mut digits = Vec::new();
    let mut is_first = true;
    for line in lines().filter(|line| !line.is_empty()) {
        // Encoded words may contain blanks, lines of a body may not.
        let line: Cow<'_, [u8]> = if is_word && line.iter().any(u8::is_ascii_whitespace) {
            line.iter().copied().filter(|b| !b.is_ascii_whitespace()).collect()
        } else {
            Cow::Borrowed(line)
        };
        let is_encoded = line.iter().all(|b| is_digit(b) || *b == b'=');
        // A first line after a warning has complete groups of four; a plain word rarely does.
        let is_begun = !digits.is_empty() || std::mem::take(&mut is_first);
        if !is_encoded || !is_begun && !line.len().is_multiple_of(4) {
            if digits.is_empty() && out.is_empty() {
                continue;
            }
            break;
        }
        for piece in line.split_inclusive(|&b| b == b'=') {
            match piece.strip_suffix(b"=") {
                Some(end) => {
                    digits.extend(end);
                    decode_piece(&mut digits, &mut out);
                }
                None => digits.extend(piece),
            }
        }
    }
    decode_piece(&mut digits, &mut out);
    out
}

/// Decodes `digits`, which have no padding, to `out`, and clears them.
fn decode_piece(digits: &mut Vec<u8>, out: &mut Vec<u8>) {
    if digits.len() % 4 == 1 {
        digits.pop();
    }
    digits.resize(digits.len().next_multiple_of(4), b'=');
    out.extend(data_encoding::BASE64_MIME_PERMISSIVE.decode(digits).unwrap_or_default());
    digits.clear();
}

/// Decodes `octets` in the charset named `label`. Text in ASCII or an unknown charset is taken as UTF-8
/// if it is valid, and as windows-1252 otherwise.
pub(super) fn decode<'a>(octets: &'a [u8], label: &str) -> Cow<'a, str> {
    let label = bare_label(label);
    let is_ascii = label.is_empty() || label.eq_ignore_ascii_case("us-ascii");
    match Charset::for_label_no_replacement(label.as_bytes()).filter(|_| !is_ascii) {
        // Encoding Standard, 4.2: UTF-16 without byte order mark is little-endian; some programs write
        // it big-endian.
        Some(_) if is_big_endian(octets, label) => {
            Charset::for_label(b"utf-16be").map_or(Cow::Borrowed(""), |be| be.decode(octets).0)
        }
        Some(charset) => charset.decode(octets).0,
        None => utf8_or_latin(octets),
    }
}

/// Strips quotes and remains of quoted-printable from the name of a charset: `3DUTF-8`, `"utf-8"`.
fn bare_label(label: &str) -> &str {
    let quotes = |c: char| c.is_whitespace() || "\"'=;".contains(c);
    let label = label.trim_matches(quotes);
    let bare = label.strip_prefix("3D").or_else(|| label.strip_prefix("3d"));
    bare.map_or(label, |bare| bare.trim_start_matches(quotes))
}

/// Returns whether UTF-16 without byte order mark has its zeros where big-endian text has them.
fn is_big_endian(octets: &[u8], label: &str) -> bool {
    let is_marked = octets.starts_with(&[0xff, 0xfe]) || octets.starts_with(&[0xfe, 0xff]);
    let zeros = |at| octets.iter().skip(at).step_by(2).filter(|octet| **octet == 0).count();
    label.eq_ignore_ascii_case("utf-16") && !is_marked && zeros(0) > zeros(1)
}

/// Decodes text of an unknown charset: UTF-8 if it is valid, windows-1252 otherwise.
pub(super) fn utf8_or_latin(octets: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(octets) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => {
            Charset::for_label(b"windows-1252")
                .expect("windows-1252 is a charset")
                .decode_without_bom_handling(octets)
                .0
        }
    }
}

/// Octets; no program breaks shorter lines.
const SHORTEST_FLOWED: usize = 50;

/// Joins the lines of a text in format=flowed (RFC 3676, 4): a line that ends with a blank continues in
/// the next line of the same quote depth. If that line's first word would have fitted, the writer typed
/// the blank.
pub(super) fn unflow(text: &str, delete_space: bool) -> String {
    let mut out = String::with_capacity(text.len());
    // The quote depth of the unfinished paragraph.
    let mut open: Option<usize> = None;
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let content = line.trim_start_matches('>');
        let depth = line.len() - content.len();
        // Space-stuffing (4.4), except where it distinguishes text from a quotation.
        let content = match content.strip_prefix(' ') {
            Some(bare) if depth > 0 || !bare.starts_with('>') => bare,
            _ => content,
        };
        let is_signature = content == "-- ";
        if open.is_some_and(|before| before != depth || is_signature) {
            out.push('\n');
            open = None;
        }
        if open.is_none() && depth > 0 {
            let _ = write!(out, "{} ", ">".repeat(depth));
        }
        let next = lines.peek().map_or("", |next| next.trim_start_matches('>').trim_start());
        let word = next.split(' ').next().unwrap_or_default();
        let is_full = !word.is_empty() && line.len() + word.len() > SHORTEST_FLOWED;
        let flows = content.ends_with(' ') && !is_signature && (is_full || open.is_some());
        let end = usize::from(flows && delete_space);
        out.push_str(&content[..content.len() - end]);
        open = flows.then_some(depth);
        if !flows {
            out.push('\n');
        }
    }
    out
}

/// Cleans a decoded text: line ends become `\n`, tabs and no-break spaces blanks; hidden characters,
/// blanks at the ends of lines and empty lines at the end are dropped.
pub(in crate::mail) fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 1);
    for line in text.replace("\r\n", "\n").split(['\n', '\r', '\u{2028}', '\u{2029}']) {
        if line.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
            out.push_str(line);
        } else {
            out.extend(line.chars().filter_map(|c| match c {
                '\t' | '\u{A0}' | '\u{202F}' => Some(' '),
                c if is_hidden(c) => None,
                c => Some(c),
            }));
        }
        out.truncate(out.trim_end_matches(' ').len());
        out.push('\n');
    }
    out.truncate(out.trim_end_matches('\n').len());
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_become_line_feeds() {
        for (raw, want) in [
            ("a\r\nb\nc\rd", "a\nb\nc\nd"),
            ("a\r\r\nb\r\r\n", "a\nb\n"),
            ("a\r\rb\r", "a\n\nb\n"),
            ("a\n\rb\0c", "a\n\nbc"),
            ("\r\n\r\n", "\n\n"),
        ] {
            assert_eq!(*with_line_feeds(raw.as_bytes()), *want.as_bytes(), "{raw:?}");
        }
    }

    #[test]
    fn quoted_printable_is_decoded() {
        for (encoded, want) in [
            ("a=3Db\n", "a=b\n"),
            ("long =\nline  \nend", "long line\nend"),
            ("soft=  \nbreak", "softbreak"),
            ("=e4=E4", "\u{e4}\u{e4}"),
            ("a=", "a"),
            ("a=4", "a=4"),
            ("a=zz", "a=zz"),
            ("=\n", ""),
        ] {
            let octets: Vec<char> =
                quoted_printable(encoded.as_bytes()).into_iter().map(char::from).collect();
            assert_eq!(octets.into_iter().collect::<String>(), want, "{encoded:?}");
        }
        assert_eq!(quoted_printable(b"\xE4=20"), b"\xE4 ");
    }

    #[test]
    fn base64_is_decoded() {
        for (encoded, want) in [
            ("YWJj", "abc"),
            ("YW\nJj\n", "abc"),
            ("YWI=", "ab"),
            ("YWI", "ab"),
            ("YWJjZ", "abc"),
            ("YWI=\n____\nlist footer", "ab"),
            ("YWJj\nlist, footer", "abc"),
            ("YWJj\nSent with Example", "abc"),
            ("YWI=\nYWI=\nYWJj", "abababc"),
            ("YWI=YWI=YWJj", "abababc"),
            ("YWI=\nfooter", "ab"),
            ("Be careful\nCAUTION\nYWJj\n", "abc"),
            ("a1-a5\n\nThanks\n", ""),
            ("", ""),
            ("!", ""),
        ] {
            assert_eq!(base64(encoded.as_bytes()), want.as_bytes(), "{encoded:?}");
        }
    }

    #[test]
    fn charsets_are_guessed() {
        assert_eq!(decode(b"\xC3\xA4", "us-ascii"), "ä");
        assert_eq!(decode(b"\xE4\x80", "us-ascii"), "ä€");
        assert_eq!(decode(b"\xE4", "x-nobody-knows"), "ä");
        assert_eq!(decode(b"\xE4", "ISO-8859-1"), "ä");
        assert_eq!(decode(b"\xC3\xA4", "utf8"), "ä");
        assert_eq!(decode(b"\xA4", "iso-8859-15"), "€");
        assert_eq!(decode(b"\xC3\xA4", "3DUTF-8"), "ä");
        assert_eq!(decode(b"\xC3\xA4", "3D\"utf-8\""), "ä");
        assert_eq!(decode(b"a\0\xE4\0", "utf-16"), "aä");
        assert_eq!(decode(b"\0a\0\xE4", "UTF-16"), "aä");
        assert_eq!(decode(b"\xFE\xFF\0a", "utf-16"), "a");
        assert_eq!(decode(b"\xC4\xE3", "gb2312"), "你");
        assert_eq!(decode(b"+AOQ-", "utf-7"), "ä");
    }

    #[test]
    fn flowed_lines_are_joined() {
        let long = "a ".repeat(30);
        assert_eq!(unflow(&format!("{long}\nb\nc\n"), false), format!("{long}b\nc\n"));
        let (bare, flowed) = (long.trim_end(), format!("{long}\nb\n"));
        assert_eq!(unflow(&flowed, true), format!("{bare}b\n"));
        assert_eq!(
            unflow(&format!("> {long}\n> b\n>> c \nd \n"), false),
            format!("> {long}b\n>> c \nd \n")
        );
        assert_eq!(unflow("a1-a5 \nb\n", false), "a1-a5 \nb\n", "the next word would have fitted");
        assert_eq!(unflow(&format!("{long}\n\nb\n"), false), format!("{long}\n\nb\n"));
        assert_eq!(unflow(" From here\n  x\n", false), "From here\n x\n");
        assert_eq!(unflow("a \n-- \nme\n", false), "a \n-- \nme\n");
        assert_eq!(unflow(" >not quoted\n", false), " >not quoted\n");
    }

    #[test]
    fn clean_text_has_no_hidden_characters() {
        assert_eq!(clean("a\tb\u{A0}c  \r\nd\0e\u{AD}f\rg\u{202E}h\n\n\n"), "a b c\ndef\ngh\n");
        assert_eq!(clean("\n \n"), "");
        assert_eq!(clean("\u{FEFF}a\u{2028}b"), "a\nb\n");
        assert_eq!(clean("\n  a"), "\n  a\n");
    }
}
