//! Percent escapes for file names and links (RFC 3986).

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// Characters that a link may contain unescaped: RFC 3986, section 2.3. `+` is escaped, since form
/// decoders read it as a blank.
const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Names of documents contain lower-case letters, digits, `_` and `-`. Capitals are escaped,
/// because some file systems ignore case.
const DOCUMENT: &AsciiSet = &capitals(NON_ALPHANUMERIC.remove(b'_').remove(b'-'));

/// Characters that the name of a mail folder may contain besides letters and digits.
const FOLDER: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'.').remove(b'_').remove(b'-').remove(b'+').remove(b'=').remove(b'@');

const fn capitals(mut set: AsciiSet) -> AsciiSet {
    let mut letter = b'A';
    while letter <= b'Z' {
        set = set.add(letter);
        letter += 1;
    }
    set
}

/// Appends a text to a link.
pub fn link(out: &mut String, text: &str) {
    out.extend(utf8_percent_encode(text, UNRESERVED));
}

/// Returns any text as the name of a document. The empty text becomes `%`, which no other text
/// gives.
pub fn name(text: &str) -> String {
    if text.is_empty() { "%".to_owned() } else { utf8_percent_encode(text, DOCUMENT).to_string() }
}

/// Decodes the name of a document. None if [`name`] did not write it.
pub fn named(written: &str) -> Option<String> {
    if written == "%" {
        return Some(String::new());
    }
    let text = percent_decode_str(written).decode_utf8().ok()?;
    (name(&text) == written).then(|| text.into_owned())
}

/// Returns any text as the name of a mail folder, which does not begin with a dot.
pub fn folder(text: &str) -> String {
    match text.strip_prefix('.') {
        Some(rest) => format!("%2E{}", utf8_percent_encode(rest, FOLDER)),
        None => utf8_percent_encode(text, FOLDER).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_is_a_safe_name_and_comes_back() {
        for text in ["alice", "", "..", "../../etc/passwd", "a/b", "A", "é", "%", "a.b", "\0", "_"]
        {
            let written = name(text);
            let is_safe = |b: u8| b.is_ascii_alphanumeric() || b"_-%".contains(&b);
            assert!(written.bytes().all(is_safe), "{written}");
            assert_eq!(named(&written).as_deref(), Some(text));
        }
        assert_eq!(name("Aé"), "%41%C3%A9");
        assert_eq!(named("%4"), None);
        assert_eq!(named("%61"), None, "a has one name only");
        assert_eq!(named("%c3%a9"), None, "in one way only");
    }

    #[test]
    fn a_folder_is_not_hidden() {
        assert_eq!(folder("..a@b"), "%2E.a@b");
        assert_eq!(folder("a/b"), "a%2Fb");
    }
}
