//! The MIME parts of a mail (RFC 2046), and which of them contains the text.
//!
//! mailparse would build the whole tree first. Here depth, number of parts and octets of headers are
//! limited during the walk, and every level costs one pass.

use std::borrow::Cow;

use mailparse::{
    DispositionType, ParsedContentType, parse_content_disposition, parse_content_type,
};
use memchr::memmem;

use super::headers::{HeaderFields, MOST_BYTES, line_at, split};
use super::{MalformedReason, html_to_text, smime, text_decoding};

/// More than any mail program writes; each costs a header block.
const MOST_PARTS: usize = 200;
const DEEPEST: usize = 30;

/// The most parts that are tried as the text.
const MOST_TEXTS: usize = 4;

/// The texts in the parts of a mail.
pub(super) struct ParsedBody {
    /// The text, cleaned.
    pub(super) text: String,
    /// Further parts that may contain the writer's words.
    pub(super) other_texts: Vec<String>,
    /// Whether a part answers an invitation (RFC 5546, 3.2.3).
    pub(super) is_calendar_reply: bool,
}

/// Finds and decodes the text of a mail.
///
/// # Errors
/// The parts exceed a limit, or the text is encrypted or inside an unreadable signature.
pub(super) fn read(headers: &HeaderFields<'_>, body: &[u8]) -> Result<ParsedBody, MalformedReason> {
    let mut walker = MimeWalker::default();
    let leaves = walker.collect_part(headers, body, "text/plain", 1)?;
    let mut texts = decode_texts(leaves)?.into_iter();
    Ok(ParsedBody {
        text: texts.next().unwrap_or_default(),
        other_texts: texts.collect(),
        is_calendar_reply: walker.is_calendar_reply,
    })
}

#[derive(Default)]
struct MimeWalker {
    parts: usize,
    header_bytes: usize,
    is_calendar_reply: bool,
}

/// A part that may be the text.
struct TextPart<'a> {
    kind: PartKind,
    is_file: bool,
    content: ParsedContentType,
    encoding: String,
    body: Cow<'a, [u8]>,
}

/// The kind of a part. Of alternatives, the first in this order is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum PartKind {
    Encrypted,
    Signed,
    Plain,
    Html,
    Other,
}

impl MimeWalker {
    /// Collects the texts in a part, in reading order.
    fn collect_part<'a>(
        &mut self,
        headers: &HeaderFields<'_>,
        body: &'a [u8],
        default: &str,
        depth: usize,
    ) -> Result<Vec<TextPart<'a>>, MalformedReason> {
        let content = headers.first("Content-Type").filter(|value| !value.is_empty());
        let content = parse_content_type(content.as_deref().unwrap_or(default));
        let kind = match content.mimetype.as_str() {
            "multipart/encrypted" => PartKind::Encrypted,
            "application/pkcs7-mime" | "application/x-pkcs7-mime" => {
                let encoding = headers.first("Content-Transfer-Encoding").unwrap_or_default();
                return self.collect_cms(content, &decode_transfer(body, &encoding), depth);
            }
            mimetype if mimetype.starts_with("multipart/") => {
                let children = split_parts(body, &content);
                if !children.is_empty() {
                    return self.collect_children(&children, mimetype, depth);
                }
                PartKind::Plain
            }
            "text/html" | "application/xhtml+xml" => PartKind::Html,
            "text/calendar" => {
                let method = content.params.get("method");
                self.is_calendar_reply |= method.is_some_and(|m| m.eq_ignore_ascii_case("reply"));
                return Ok(Vec::new());
            }
            // RFC 2045, 5.2: a part with an invalid type is plain text.
            "text/plain" | "text" => PartKind::Plain,
            mimetype if !mimetype.contains('/') => PartKind::Plain,
            // RFC 2046, 4.1.4: unknown subtypes of text are shown as plain text.
            mimetype if mimetype.starts_with("text/") => PartKind::Other,
            _ => return Ok(Vec::new()),
        };
        let encoding = headers.first("Content-Transfer-Encoding").unwrap_or_default();
        let is_file = is_attachment(headers) || content.params.contains_key("name");
        Ok(vec![TextPart { kind, is_file, content, encoding, body: Cow::Borrowed(body) }])
    }

    /// Collects the texts in a CMS object (RFC 8551, 3.2). Inside a signature is a part like any other.
    fn collect_cms(
        &mut self,
        content: ParsedContentType,
        octets: &[u8],
        depth: usize,
    ) -> Result<Vec<TextPart<'static>>, MalformedReason> {
        let Some(inside) = smime::signed_content(octets) else {
            let stated = content.params.get("smime-type").map(|stated| stated.to_ascii_lowercase());
            let is_signed = stated.as_deref() == Some("signed-data");
            let kind = if is_signed { PartKind::Signed } else { PartKind::Encrypted };
            let (encoding, body) = (String::new(), Cow::Borrowed(&[][..]));
            return Ok(vec![TextPart { kind, is_file: false, content, encoding, body }]);
        };
        let inside = text_decoding::with_line_feeds(&inside);
        let leaves = self.collect_children(&[&inside], "application/pkcs7-mime", depth)?;
        Ok(leaves.into_iter().map(TextPart::into_owned).collect())
    }

    /// Collects the texts in the children of a part of type `mimetype`.
    fn collect_children<'a>(
        &mut self,
        children: &[&'a [u8]],
        mimetype: &str,
        depth: usize,
    ) -> Result<Vec<TextPart<'a>>, MalformedReason> {
        if depth > DEEPEST {
            return Err(MalformedReason::TooDeep);
        }
        self.parts += children.len();
        if self.parts > MOST_PARTS {
            return Err(MalformedReason::TooManyParts);
        }
        // RFC 1847, 2.1: the second part is the signature.
        let most = if mimetype == "multipart/signed" { 1 } else { MOST_PARTS };
        // RFC 2046, 5.1.5.
        let default = if mimetype == "multipart/digest" { "message/rfc822" } else { "text/plain" };
        let mut leaves = Vec::new();
        for child in children.iter().take(most) {
            let part = split(child);
            self.header_bytes += part.size;
            if part.is_too_large || self.header_bytes > MOST_BYTES {
                return Err(MalformedReason::HeadersTooLarge);
            }
            leaves.extend(self.collect_part(&part.headers, part.body, default, depth + 1)?);
        }
        if mimetype == "multipart/alternative" {
            leaves.sort_by_key(|leaf| leaf.kind);
        }
        Ok(leaves)
    }
}

/// Decodes the texts in reading order: plain text and HTML as the mail orders them, then attached
/// files, since some gateways attach all text, then other kinds of text.
fn decode_texts(mut leaves: Vec<TextPart<'_>>) -> Result<Vec<String>, MalformedReason> {
    match leaves.first().map(|leaf| leaf.kind) {
        Some(PartKind::Encrypted) => return Err(MalformedReason::Encrypted),
        Some(PartKind::Signed) => return Err(MalformedReason::Signed),
        _ => leaves.retain(|leaf| leaf.kind >= PartKind::Plain),
    }
    leaves.sort_by_key(|leaf| (leaf.kind == PartKind::Other, leaf.is_file));
    let mut texts: Vec<String> = Vec::new();
    for text in leaves.iter().map(TextPart::text).filter(|text| !text.is_empty()) {
        if texts.is_empty() && text.lines().any(|line| line == "-----BEGIN PGP MESSAGE-----") {
            return Err(MalformedReason::Encrypted);
        }
        if !texts.contains(&text) {
            texts.push(text);
        }
        if texts.len() == MOST_TEXTS {
            break;
        }
    }
    Ok(texts)
}

/// Decodes the transfer encoding of a body.
fn decode_transfer(body: &[u8], encoding: &str) -> Vec<u8> {
    match without_comments(encoding).to_ascii_lowercase().as_str() {
        "base64" => match text_decoding::base64(body) {
            // Some programs declare base64 and send plain text.
            none if none.is_empty() => body.to_vec(),
            octets => octets,
        },
        "quoted-printable" => text_decoding::quoted_printable(body),
        _ => body.to_vec(),
    }
}

impl TextPart<'_> {
    fn into_owned(self) -> TextPart<'static> {
        let Self { kind, is_file, content, encoding, body } = self;
        TextPart { kind, is_file, content, encoding, body: Cow::Owned(body.into_owned()) }
    }

    /// Decodes the part and cleans its text.
    fn text(&self) -> String {
        let octets = decode_transfer(&self.body, &self.encoding);
        let text = text_decoding::decode(&octets, &self.content.charset);
        let is = |name: &str, value: &str| {
            self.content.params.get(name).is_some_and(|found| found.eq_ignore_ascii_case(value))
        };
        if self.kind == PartKind::Html {
            text_decoding::clean(&html_to_text::convert(&text))
        } else if is("format", "flowed") {
            text_decoding::clean(&text_decoding::unflow(&text, is("delsp", "yes")))
        } else {
            text_decoding::clean(&text)
        }
    }
}

/// Drops comments and blanks from a value (RFC 2045, 6.1).
fn without_comments(value: &str) -> String {
    let mut depth = 0_usize;
    let mut word = String::new();
    for c in value.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            c if depth == 0 && !c.is_whitespace() => word.push(c),
            _ => {}
        }
    }
    word
}

/// Returns whether a part is an attachment or has a file name.
fn is_attachment(headers: &HeaderFields<'_>) -> bool {
    let Some(value) = headers.first("Content-Disposition") else { return false };
    let parsed = parse_content_disposition(&value);
    parsed.disposition == DispositionType::Attachment || parsed.params.contains_key("filename")
}

/// Returns the parts of a multipart body, with the declared boundary or a guessed one; none if neither
/// occurs.
pub(super) fn split_parts<'a>(body: &'a [u8], content: &ParsedContentType) -> Vec<&'a [u8]> {
    let declared = content.params.get("boundary").map(|b| b.trim_end()).unwrap_or_default();
    let parts = between(body, declared.as_bytes());
    if !parts.is_empty() {
        return parts;
    }
    guessed_boundary(body).map(|boundary| between(body, boundary)).unwrap_or_default()
}

/// Returns the parts between the lines `--boundary`, up to `--boundary--` (RFC 2046, 5.1.1). The line
/// end before such a line belongs to the line. The last line may be missing. Stops after one part
/// more than allowed.
fn between<'a>(body: &'a [u8], boundary: &[u8]) -> Vec<&'a [u8]> {
    let mut parts = Vec::new();
    if boundary.is_empty() || boundary.contains(&b'\n') {
        return parts;
    }
    let delimiter = [b"--", boundary].concat();
    let begins_a_line = |&at: &usize| at == 0 || body[at - 1] == b'\n';
    let mut open: Option<usize> = None;
    for at in memmem::find_iter(body, &delimiter).filter(begins_a_line) {
        let behind = line_at(body, at + delimiter.len());
        let (b"" | b"--") = behind.trim_ascii_end() else { continue };
        parts.extend(open.map(|start| &body[start..at.saturating_sub(1).max(start)]));
        if behind.starts_with(b"--") {
            return parts;
        }
        open = Some((at + delimiter.len() + behind.len() + 1).min(body.len()));
        if parts.len() > MOST_PARTS {
            break;
        }
    }
    parts.extend(open.map(|start| &body[start..]));
    parts
}

/// Returns the boundary of a body whose declared boundary is wrong or missing: the first line that
/// begins with `--` and is followed by a field `Content-...`.
fn guessed_boundary(body: &[u8]) -> Option<&[u8]> {
    let mut at = 0;
    while at < body.len() {
        let line = line_at(body, at);
        at += line.len() + 1;
        let next = body.get(at..at + 8).unwrap_or_default();
        if line.len() > 2 && line.starts_with(b"--") && next.eq_ignore_ascii_case(b"content-") {
            return Some(line[2..].trim_ascii_end());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(body: &str, boundary: &str) -> Vec<String> {
        let of = |part: &&[u8]| String::from_utf8_lossy(part).into_owned();
        between(body.as_bytes(), boundary.as_bytes()).iter().map(of).collect()
    }

    #[test]
    fn signatures_count_as_levels() {
        let value = |tag: u8, inside: &[&[u8]]| {
            let inside = inside.concat();
            let length = u32::try_from(inside.len()).unwrap().to_be_bytes();
            [&[tag, 0x84], &length[..], &inside].concat()
        };
        let object = |last| value(6, &[&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, last]]);
        let mut mail = b"\na1-a5\n".to_vec();
        for depth in 1..=DEEPEST + 1 {
            let content = value(0xa0, &[&value(4, &[&mail])]);
            let inner = value(0x30, &[&object(1), &content]);
            let data = value(0x30, &[&value(2, &[&[1]]), &value(0x31, &[]), &inner]);
            let whole = value(0x30, &[&object(2), &value(0xa0, &[&data])]);
            let head =
                "Content-Type: application/pkcs7-mime\nContent-Transfer-Encoding: base64\n\n";
            mail = format!("{head}{}\n", data_encoding::BASE64.encode(&whole)).into_bytes();
            let entity = split(&mail);
            let read = read(&entity.headers, entity.body).map(|body| body.text);
            let want = if depth <= DEEPEST {
                Ok("a1-a5\n".to_owned())
            } else {
                Err(MalformedReason::TooDeep)
            };
            assert_eq!(read, want, "{depth}");
        }
    }

    #[test]
    fn comments_in_an_encoding_are_skipped() {
        for encoding in ["Base64 (x)", "(a (b)) base64", "BASE64"] {
            let mail = format!("Content-Transfer-Encoding: {encoding}\n\naGVscA==\n");
            let entity = split(mail.as_bytes());
            assert_eq!(
                read(&entity.headers, entity.body).ok().map(|body| body.text.trim().to_owned()),
                Some("help".to_owned())
            );
        }
    }

    #[test]
    fn a_named_part_is_the_text_only_if_there_is_no_other() {
        let named = "--b\nContent-Type: text/plain; name=a.txt\n\nfile\n";
        for (parts, want) in [
            (format!("{named}--b\n\nwords\n--b--\n"), "words"),
            (format!("{named}--b--\n"), "file"),
        ] {
            let mail = format!("Content-Type: multipart/mixed; boundary=b\n\n{parts}");
            let entity = split(mail.as_bytes());
            assert_eq!(
                read(&entity.headers, entity.body).ok().map(|body| body.text.trim().to_owned()),
                Some(want.to_owned())
            );
        }
    }

    #[test]
    fn a_body_is_split_at_its_boundaries() {
        assert_eq!(parts("x\n--b\n1\n\n--b  \n2\n--b--\n3\n", "b"), ["1\n", "2"]);
        assert_eq!(parts("--b\n1\n--bb\n--b-\n", "b"), ["1\n--bb\n--b-\n"]);
        assert_eq!(parts("--b\n--b\n--b", "b"), ["", "", ""]);
        assert_eq!(parts("--b--\n", "b"), [""; 0]);
        assert_eq!(parts("x --b\n", "b"), [""; 0]);
        assert_eq!(parts("--b --b\n--b\n1\n", "b"), ["1\n"]);
        assert_eq!(parts("--a\nb\n1\n", "a\nb"), [""; 0], "a boundary is within a line");
        assert_eq!(parts("--\n", ""), [""; 0]);
    }
}
