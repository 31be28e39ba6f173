//! A writer of HTML for mails. The names of elements and attributes are constants in the source, and all
//! other text is escaped.

use crate::base::escape;
use crate::mail::Address;
use crate::mail::header_values::is_hidden;
use std::fmt::{self, Display, Write as _};

/// A piece of HTML as it is sent: well-formed, ASCII, lines ended by CRLF and short enough for a mail.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Html {
    text: String,
    /// The offset of the current line.
    line: usize,
}

/// Bytes of a line after which it is broken before the next attribute or word. RFC 5322, 2.1.1 allows
/// 998.
const LONG_LINE: usize = 300;

impl Html {
    /// Builds a document in English.
    pub fn document(title: &str, style: &str, body: impl FnOnce(&mut Self)) -> Self {
        let mut html = Self { text: String::with_capacity(24 * 1024), line: 0 };
        html.text.push_str("<!DOCTYPE html>");
        html.end_line();
        html.element("html", &[("lang", "en")], |html| {
            html.element("head", &[], |html| {
                let utf8 = "text/html; charset=utf-8";
                html.open("meta", &[("http-equiv", "Content-Type"), ("content", utf8)]);
                let width = "width=device-width, initial-scale=1";
                html.open("meta", &[("name", "viewport"), ("content", width)]);
                html.element("title", &[], |html| html.text(title));
            });
            html.element("body", &[("style", style)], body);
        });
        html
    }

    /// Writes an element with its attributes and content.
    pub fn element(
        &mut self,
        name: &'static str,
        attributes: &[(&'static str, &str)],
        content: impl FnOnce(&mut Self),
    ) {
        self.open(name, attributes);
        content(self);
        self.text.push_str("</");
        self.text.push_str(name);
        self.text.push('>');
        // After these, a line end is not visible.
        if matches!(name, "table" | "tr" | "td" | "p" | "a" | "head" | "title" | "body" | "html") {
            self.end_line();
        }
    }

    /// Writes markup, which is a constant in the source.
    pub fn markup(&mut self, markup: &'static str) {
        self.text.push_str(markup);
    }

    /// Writes markup and ends the line, where a line end is not visible.
    pub fn line(&mut self, markup: &'static str) {
        self.text.push_str(markup);
        self.end_line();
    }

    /// Writes a value, escaped.
    pub fn show(&mut self, value: impl Display) {
        let _ = write!(HtmlEscaper(self), "{value}");
    }

    /// Writes the start tag of an element, or an element without content such as `br`.
    pub fn open(&mut self, name: &'static str, attributes: &[(&'static str, &str)]) {
        self.text.push('<');
        self.text.push_str(name);
        for (key, value) in attributes {
            if self.text.len() - self.line > LONG_LINE {
                self.end_line();
            } else {
                self.text.push(' ');
            }
            self.text.push_str(key);
            self.text.push_str("=\"");
            self.escaped(value);
            self.text.push('"');
        }
        self.text.push('>');
        if matches!(name, "table" | "tr" | "body" | "html" | "head" | "meta" | "br" | "img") {
            self.end_line();
        }
    }

    /// Writes text of any origin, escaped. Line ends are kept; other controls and bidirectional marks
    /// are dropped.
    pub fn text(&mut self, text: &str) {
        self.escaped(text);
    }

    /// Writes text of a paragraph, in which a blank may become a line end.
    pub fn words(&mut self, words: &str) {
        let mut rest = words;
        while rest.len() + self.text.len() - self.line > LONG_LINE
            && let Some((line, more)) = self.line_break(rest)
        {
            self.escaped(line);
            self.end_line();
            rest = more;
        }
        self.escaped(rest);
    }

    /// Splits text at the last blank that still fits into the line, or the first after it.
    fn line_break<'a>(&self, words: &'a str) -> Option<(&'a str, &'a str)> {
        let room = LONG_LINE.saturating_sub(self.text.len() - self.line);
        let room = words.floor_char_boundary(room);
        words[..room].rsplit_once(' ').or_else(|| {
            let (line, more) = words[room..].split_once(' ')?;
            Some((&words[..room + line.len()], more))
        })
    }

    /// Returns the HTML as it is sent.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    fn end_line(&mut self) {
        self.text.push_str("\r\n");
        self.line = self.text.len();
    }

    fn escaped(&mut self, text: &str) {
        let mut rest = text;
        // Nearly all text is plain and copied in whole pieces.
        while let Some(at) = rest.bytes().position(|b| !is_plain(b)) {
            self.text.push_str(&rest[..at]);
            let c = rest[at..].chars().next().expect("a byte that is not plain begins a character");
            rest = &rest[at + c.len_utf8()..];
            match c {
                '&' => self.text.push_str("&amp;"),
                '<' => self.text.push_str("&lt;"),
                '>' => self.text.push_str("&gt;"),
                '"' => self.text.push_str("&quot;"),
                '\'' => self.text.push_str("&#39;"),
                '\n' => self.end_line(),
                '\t' => self.text.push(' '),
                c if c.is_control() || is_hidden(c) => {}
                c => {
                    let _ = write!(self.text, "&#{};", u32::from(c));
                }
            }
        }
        self.text.push_str(rest);
    }
}

/// A formatter that escapes all text.
struct HtmlEscaper<'a>(&'a mut Html);

impl fmt::Write for HtmlEscaper<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.escaped(text);
        Ok(())
    }
}

/// Returns whether a byte needs no escaping in text and in quoted attributes.
fn is_plain(b: u8) -> bool {
    matches!(b, b' '..=b'~') && !matches!(b, b'&' | b'<' | b'>' | b'"' | b'\'')
}

/// Builds a link that opens a new mail with these contents (RFC 6068).
pub fn mailto(to: &Address, subject: &str, body: &str) -> String {
    let mut link = String::with_capacity(256);
    link.push_str("mailto:");
    escape::link(&mut link, to.local());
    link.push('@');
    escape::link(&mut link, to.domain());
    link.push_str("?subject=");
    escape::link(&mut link, subject);
    if !body.is_empty() {
        link.push_str("&body=");
        // RFC 6068, 5: line ends are %0D%0A.
        escape::link(&mut link, &body.replace('\n', "\r\n"));
    }
    link
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn written(text: &str) -> String {
        let mut html = Html::default();
        html.element("b", &[("title", text)], |html| html.text(text));
        html.as_str().to_owned()
    }

    #[test]
    fn outside_text_is_escaped() {
        for (text, want) in [
            ("a < b & \"c\"", "a &lt; b &amp; &quot;c&quot;"),
            ("' onclick='x", "&#39; onclick=&#39;x"),
            ("\u{202E}evil\u{200B}\0\r\u{85}", "evil"),
            ("a\tb\nc", "a b\r\nc"),
            ("gr\u{FC}n \u{1F3B2}", "gr&#252;n &#127922;"),
        ] {
            assert_eq!(written(text), format!("<b title=\"{want}\">{want}</b>"));
        }
    }

    #[test]
    fn mailto_links_are_encoded() {
        let to = Address::parse("post+b'17-x@games.example").unwrap();
        assert_eq!(
            mailto(&to, "Re: A & B [#x]", "c3-c6\n\n\u{FC}+1%"),
            "mailto:post%2Bb%2717-x@games.example?subject=Re%3A%20A%20%26%20B%20%5B%23x%5D\
             &body=c3-c6%0D%0A%0D%0A%C3%BC%2B1%25"
        );
        assert!(mailto(&to, "x", "").ends_with("?subject=x"));
    }

    #[test]
    fn a_document_says_its_language_and_charset() {
        let html = Html::document("a<b", "margin:0", |html| html.text("c"));
        for part in [
            "<!DOCTYPE html>\r\n<html lang=\"en\">",
            "charset=utf-8",
            "<title>a&lt;b</title>",
            ">\r\nc<",
        ] {
            assert!(html.as_str().contains(part), "{}", html.as_str());
        }
    }

    proptest! {
        #[test]
        fn text_makes_no_tag_and_no_attribute(text in "\\PC{0,40}|[<>&\"'=/! \\n\\ra-z-]{0,40}|(?s).{0,40}") {
            let html = written(&text);
            prop_assert!(html.is_ascii());
            prop_assert_eq!(html.matches('<').count(), 2, "{}", html);
            prop_assert_eq!(html.matches('>').count(), 2);
            prop_assert_eq!(html.matches('"').count(), 2);
            prop_assert!(html.bytes().all(|b| b"\r\n".contains(&b) || !b.is_ascii_control()));
        }

        #[test]
        fn a_link_has_only_safe_characters(subject in any::<String>(), body in any::<String>()) {
            let to = Address::parse("post+x@games.example").unwrap();
            let link = mailto(&to, &subject, &body);
            let sign = |b: u8| b.is_ascii_alphanumeric() || b"-._~%:@?&=".contains(&b);
            prop_assert!(link.bytes().all(sign), "{}", link);
            prop_assert_eq!(link.matches(['?', '&', '=', '@']).count(), if body.is_empty() { 3 } else { 5 });
        }
    }
}
