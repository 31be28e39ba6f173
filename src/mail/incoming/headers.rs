//! The header block of a mail or MIME part, split and parsed in linear time.
//!
//! mailparse would take quadratic time for encoded words, and refuses mails that every mail program
//! shows.

use memchr::memchr;

use super::encoded_words;
use super::text_decoding::utf8_or_latin;
use crate::mail::header_values::{is_invisible, one_line};
use crate::mail::{Address, MessageId};

/// The fields of a header, in order, as they arrived.
pub(super) struct HeaderFields<'a>(Vec<HeaderField<'a>>);

struct HeaderField<'a> {
    name: &'a [u8],
    /// The value with its folds.
    value: &'a [u8],
}

/// The part of a header block that is read.
pub(super) const MOST_BYTES: usize = 64 * 1024;
pub(super) const MOST_LINES: usize = 1_000;

/// A mail or MIME part, split at its first empty line.
pub(super) struct MimeEntity<'a> {
    pub(super) headers: HeaderFields<'a>,
    pub(super) body: &'a [u8],
    /// The length of the header block, octets.
    pub(super) size: usize,
    /// Whether the header block exceeds the limits; `headers` then contains its beginning, and `body`
    /// is empty.
    pub(super) is_too_large: bool,
}

/// Splits a mail or part whose lines end with `\n`.
pub(super) fn split(bytes: &[u8]) -> MimeEntity<'_> {
    let mut fields: Vec<HeaderField<'_>> = Vec::new();
    // The name of the current field, and the offset of its value; none after a line without colon.
    let mut field: Option<(&[u8], usize)> = None;
    let (mut at, mut lines) = (0, 0);
    let mut is_too_large = false;
    while at < bytes.len() {
        let line = line_at(bytes, at);
        if line.is_empty() {
            break;
        }
        lines += 1;
        if lines > MOST_LINES || at + line.len() > MOST_BYTES {
            is_too_large = true;
            break;
        }
        if !line.starts_with(b" ") && !line.starts_with(b"\t") {
            fields
                .extend(field.map(|(name, value)| HeaderField { name, value: &bytes[value..at] }));
            let colon = line.iter().position(|&b| b == b':');
            field = colon.map(|colon| (line[..colon].trim_ascii(), at + colon + 1));
        }
        at += line.len() + 1;
    }
    let size = at.min(bytes.len());
    let last = field.map(|(name, from)| HeaderField { name, value: &bytes[from..size.max(from)] });
    fields.extend(last);
    let body = if is_too_large { &[] } else { bytes.get(size + 1..).unwrap_or_default() };
    MimeEntity { headers: HeaderFields(fields), body, size, is_too_large }
}

/// Returns the line that begins at `at`, without its line end.
pub(super) fn line_at(bytes: &[u8], at: usize) -> &[u8] {
    let rest = &bytes[at..];
    memchr(b'\n', rest).map_or(rest, |end| &rest[..end])
}

impl<'a> HeaderFields<'a> {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &'a [u8]> {
        self.0.iter().map(|field| field.name)
    }

    /// Returns the values of the fields named `name`, as they arrived.
    pub(super) fn raw(&self, name: &'static str) -> impl Iterator<Item = &'a [u8]> {
        let is_named = |field: &&HeaderField<'a>| field.name.eq_ignore_ascii_case(name.as_bytes());
        self.0.iter().filter(is_named).map(|field| field.value)
    }

    /// Returns the values of the fields named `name`, unfolded, as text.
    pub(super) fn all(&self, name: &'static str) -> impl Iterator<Item = String> {
        self.raw(name).map(unfold)
    }

    /// Returns the first value of the fields named `name`.
    pub(super) fn first(&self, name: &'static str) -> Option<String> {
        self.all(name).next()
    }

    /// Returns the Subject, decoded, on one line.
    pub(super) fn subject(&self) -> String {
        let raw = self.first("Subject").unwrap_or_default();
        one_line(&encoded_words::decode(&raw))
    }

    /// Returns the usable ids in the fields named `name`.
    pub(super) fn ids(&self, name: &'static str) -> Vec<MessageId> {
        self.all(name).flat_map(|value| parse_ids(&value)).collect()
    }

    /// Returns the addresses in the fields named `name`, with `None` for an entry that [`Address`]
    /// refuses.
    pub(super) fn addresses(&self, name: &'static str) -> Vec<Option<Address>> {
        let visible =
            |value: String| value.chars().filter(|&c| !is_invisible(c)).collect::<String>();
        self.all(name).flat_map(|value| parse_addresses(&visible(value))).collect()
    }
}

/// Unfolds a value: drops its line ends (RFC 5322, 2.2.3). It is UTF-8 (RFC 6532) or, from old
/// programs, Latin.
fn unfold(value: &[u8]) -> String {
    let text = utf8_or_latin(value);
    text.chars().filter(|&c| c != '\n').collect::<String>().trim().to_owned()
}

/// Returns the ids `<...>` of a value. Text between them is skipped.
fn parse_ids(value: &str) -> Vec<MessageId> {
    let read = |piece: &str| {
        let (id, _) = piece.split_once('>')?;
        // Some programs fold inside an id.
        MessageId::bare(&id.replace([' ', '\t'], ""))
    };
    value.split('<').skip(1).filter_map(read).collect()
}

/// Parses a list of addresses (RFC 5322, 3.4): skips comments and names, quoted or encoded, and lists
/// the members of groups. An entry that is not exactly one address is `None`.
fn parse_addresses(value: &str) -> Vec<Option<Address>> {
    let mut list = Vec::new();
    let mut entry = AddressEntry::default();
    let (mut comment, mut quoted, mut escaped) = (0_usize, false, false);
    let mut rest = value;
    while let Some(c) = rest.chars().next() {
        let tail = &rest[c.len_utf8()..];
        if escaped {
            escaped = false;
        } else if c == '\\' && (quoted || comment > 0) {
            escaped = true;
        } else if quoted {
            quoted = c != '"';
        } else if comment > 0 {
            comment = match c {
                '(' => comment + 1,
                ')' => comment - 1,
                _ => comment,
            };
        } else if let Some(behind) = encoded_words::skip(rest) {
            // Part of a name, also if it contains a comma.
            entry.outside.push('"');
            rest = behind;
            continue;
        } else {
            match c {
                '(' => comment = 1,
                '"' => {
                    quoted = true;
                    entry.current().push('"');
                }
                '<' => entry.open(),
                '>' => entry.in_brackets = false,
                ',' | ';' if !entry.in_brackets => entry.end(&mut list),
                ':' if !entry.in_brackets => entry = AddressEntry::default(),
                c => entry.current().push(c),
            }
        }
        rest = tail;
    }
    entry.is_broken |= quoted || comment > 0 || entry.in_brackets;
    entry.end(&mut list);
    list
}

/// An entry of a list of addresses, as far as it has been read.
#[derive(Default)]
struct AddressEntry {
    /// The text outside brackets: a name, or an address without brackets.
    outside: String,
    /// The text between `<` and `>`.
    brackets: Option<String>,
    in_brackets: bool,
    /// Whether the entry is not exactly one address.
    is_broken: bool,
}

impl AddressEntry {
    fn current(&mut self) -> &mut String {
        match &mut self.brackets {
            Some(brackets) if self.in_brackets => brackets,
            _ => &mut self.outside,
        }
    }

    fn open(&mut self) {
        self.is_broken |= self.brackets.is_some();
        self.brackets = Some(String::new());
        self.in_brackets = true;
    }

    /// Appends the entry to `list` unless it is empty, and begins the next.
    fn end(&mut self, list: &mut Vec<Option<Address>>) {
        let Self { outside, brackets, is_broken, .. } = std::mem::take(self);
        if brackets.is_none() && outside.trim().is_empty() && !is_broken {
            return;
        }
        let text = brackets.unwrap_or(outside);
        // RFC 5322, 4.4: `<@a,@b:c@d>` is an obsolete form of `<c@d>`.
        let text = if text.trim_start().starts_with('@') {
            text.rsplit(':').next().unwrap_or_default()
        } else {
            &text
        };
        list.push(Address::parse(text.trim()).filter(|_| !is_broken));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(value: &str) -> Vec<String> {
        let text =
            |entry: Option<Address>| entry.map_or("-".to_owned(), |address| address.to_string());
        parse_addresses(value).into_iter().map(text).collect()
    }

    #[test]
    fn lists_of_addresses() {
        for (value, want) in [
            ("ann@h.org", "ann@h.org"),
            ("Ann <ann@h.org>", "ann@h.org"),
            ("\"Doe, Ann\" <ann@h.org>", "ann@h.org"),
            ("\"a \\\" , b\" <ann@h.org>", "ann@h.org"),
            ("=?utf-8?Q?Doe,_Ann?= <ann@h.org>", "ann@h.org"),
            ("ann@h.org (Doe (Ann), of h)", "ann@h.org"),
            ("bob@h.org <ann@h.org>", "ann@h.org"),
            ("\"bob@h.org\" <ann@h.org>", "ann@h.org"),
            ("Team: ann@h.org, Bob <bob@h.org>;", "ann@h.org bob@h.org"),
            ("undisclosed-recipients:;", ""),
            ("", ""),
            (" , ,", ""),
            ("<@x.org,@y.org:ann@h.org>", "ann@h.org"),
            ("Ann <ann@h.org>, bob@h.org", "ann@h.org bob@h.org"),
            ("Ann <ann@h.org> <bob@h.org>", "-"),
            ("Ann <ann@h.org", "-"),
            ("\"Ann <ann@h.org>", "-"),
            ("ann@h.org (", "-"),
            ("=?utf-8?Q?a?= <=?utf-8?Q?b?=ann@h.org>", "ann@h.org"),
            ("<>", "-"),
            ("ann", "-"),
            ("\"ann x\"@h.org", "-"),
            ("-ann@h.org, bob@h.org", "- bob@h.org"),
        ] {
            assert_eq!(read(value).join(" "), want, "{value}");
        }
    }

    #[test]
    fn ids_between_other_text() {
        let read =
            |value: &str| parse_ids(value).iter().map(ToString::to_string).collect::<String>();
        assert_eq!(read("<a@b> (x) <c@d><e@f>, g@h <i"), "<a@b><c@d><e@f>");
        assert_eq!(read("Ann's message of Monday <a@\tb>"), "<a@b>");
        assert_eq!(read("<a<b@c>"), "<b@c>");
    }

    #[test]
    fn a_block_is_split_at_its_empty_line() {
        let entity = split(b"A: 1\n fold\nnonsense\n more\nb : 2\nB:3\n\nbody\n");
        assert_eq!(entity.headers.first("a").unwrap(), "1 fold");
        assert_eq!(entity.headers.all("B").collect::<Vec<_>>(), ["2", "3"]);
        assert_eq!(entity.headers.names().count(), 3);
        assert_eq!((entity.body, entity.is_too_large), (&b"body\n"[..], false));
        assert_eq!(split(b"A: 1").headers.first("A").unwrap(), "1");
        assert_eq!(split(b"\nA: 1").body, b"A: 1");
        assert!(split(b"").headers.is_empty());
    }

    #[test]
    fn a_header_block_has_limits() {
        let many = "A: 1\n".repeat(MOST_LINES);
        assert!(!split(many.as_bytes()).is_too_large);
        let more = format!("{many}B: 2\n\nbody");
        let entity = split(more.as_bytes());
        assert!(entity.is_too_large && entity.body.is_empty());
        assert_eq!(entity.headers.names().count(), MOST_LINES);
        let long = format!("A: {}\n", "x".repeat(MOST_BYTES - 3));
        assert!(!split(long.as_bytes()).is_too_large);
        assert!(split(format!("x{long}").as_bytes()).is_too_large);
    }
}
