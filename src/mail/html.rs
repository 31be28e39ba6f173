//! HTML to plain text, for mails that have nothing else. Linear, and without a tree: what a mail
//! program wrote into an answer needs none, and no nesting can hurt.

/// The words of an HTML text: tags dropped, ends of blocks as line ends, entities decoded, and the
/// text of a blockquote behind `> `.
pub(super) fn text(html: &str) -> String {
    let mut out = TextWriter::default();
    let mut rest = html;
    while let Some(start) = rest.find('<') {
        out.words(&rest[..start]);
        rest = &rest[start..];
        rest = match HtmlToken::at_start_of(rest) {
            Some(HtmlToken::Comment(behind)) => behind,
            Some(HtmlToken::Tag(tag, behind)) => {
                out.tag(&tag);
                if tag.hides_content() { tag.behind_content(behind) } else { behind }
            }
            None => {
                out.words("<");
                &rest[1..]
            }
        };
    }
    out.words(rest);
    out.text
}

enum HtmlToken<'a> {
    Comment(&'a str),
    Tag(HtmlTag<'a>, &'a str),
}

struct HtmlTag<'a> {
    name: String,
    closes: bool,
    /// What is between its name and its end.
    attributes: &'a str,
}

impl<'a> HtmlToken<'a> {
    /// A tag or comment that does not end hides the rest, as in a browser.
    fn at_start_of(html: &'a str) -> Option<Self> {
        let inner = html.strip_prefix('<')?;
        if let Some(comment) = inner.strip_prefix("!--") {
            return Some(Self::Comment(comment.split_once("-->").map_or("", |(_, rest)| rest)));
        }
        let closes = inner.starts_with('/');
        let named = &inner[usize::from(closes)..];
        if !named.starts_with(|c: char| c.is_ascii_alphabetic() || c == '!' || c == '?') {
            return None;
        }
        let end = named.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(named.len());
        let name = named[..end].to_ascii_lowercase();
        let behind = behind_tag(&named[end..]);
        let attributes = &named[end..named.len() - behind.len()];
        Some(Self::Tag(HtmlTag { name, closes, attributes }, behind))
    }
}

/// The text after the first `>` outside quotes.
fn behind_tag(html: &str) -> &str {
    let mut quote = None;
    for (at, b) in html.bytes().enumerate() {
        match (quote, b) {
            (None, b'>') => return &html[at + 1..],
            (None, b'"' | b'\'') => quote = Some(b),
            (Some(open), b) if open == b => quote = None,
            _ => {}
        }
    }
    ""
}

impl HtmlTag<'_> {
    fn hides_content(&self) -> bool {
        !self.closes
            && matches!(self.name.as_str(), "script" | "style" | "title" | "textarea" | "noscript")
    }

    /// The text after the end tag of this one.
    fn behind_content<'a>(&self, html: &'a str) -> &'a str {
        let mut rest = html;
        while let Some(start) = rest.find("</") {
            rest = &rest[start + 2..];
            let name = rest.as_bytes().get(..self.name.len());
            if name.is_some_and(|name| name.eq_ignore_ascii_case(self.name.as_bytes())) {
                return behind_tag(&rest[self.name.len()..]);
            }
        }
        ""
    }
}

/// What mail programs mark with an element.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Marked {
    /// The attribution above a quotation.
    Attribution,
    /// The header block above a quotation, behind which all is quoted.
    Header,
    /// The signature of a person or a program.
    Signature,
}

impl HtmlTag<'_> {
    /// What its names say that it holds.
    fn marked(&self) -> Option<Marked> {
        const NAMES: [(&str, Marked); 10] = [
            ("gmail_attr", Marked::Attribution),
            ("moz-cite-prefix", Marked::Attribution),
            ("divrplyfwdmsg", Marked::Header),
            ("ms-outlook-mobile-signature", Marked::Signature),
            ("applemailsignature", Marked::Signature),
            ("applemailsignatureplaceholder", Marked::Signature),
            ("gmail_signature", Marked::Signature),
            ("moz-signature", Marked::Signature),
            ("signature", Marked::Signature),
            ("protonmail_signature_block", Marked::Signature),
        ];
        if self.closes || self.attributes.is_empty() {
            return None;
        }
        let attributes = self.attributes.to_ascii_lowercase();
        // Outlook's line above the header block.
        let style = value(&attributes, "style").replace([' ', '\n'], "");
        let is_topped = self.name == "div" && style.contains("border:none;border-top:solid");
        if is_topped && style.contains("padding:3.0pt") {
            return Some(Marked::Header);
        }
        let names = [value(&attributes, "id"), value(&attributes, "class")];
        let mut names = names.into_iter().flat_map(str::split_ascii_whitespace);
        names.find_map(|name| NAMES.iter().find(|(known, _)| *known == name).map(|(_, is)| *is))
    }

    /// Whether a blockquote is one by which Gmail and Apple Mail indent what their user writes.
    fn indents(&self) -> bool {
        let attributes = self.attributes.to_ascii_lowercase();
        let style = value(&attributes, "style").replace([' ', '\n'], "");
        style.contains("border:none") && style.contains("40px")
    }
}

/// The value of an attribute, or nothing.
fn value<'a>(attributes: &'a str, name: &str) -> &'a str {
    let mut rest = attributes;
    while let Some(equals) = rest.find('=') {
        let key = rest[..equals].trim_ascii_end();
        let key = key.rsplit(|c: char| c.is_ascii_whitespace()).next().unwrap_or_default();
        let behind = rest[equals + 1..].trim_ascii_start();
        let quote = behind.chars().next().filter(|c| matches!(c, '"' | '\''));
        let inner = &behind[quote.map_or(0, char::len_utf8)..];
        let is_end = |c: char| match quote {
            Some(quote) => c == quote,
            None => c.is_ascii_whitespace() || c == '>',
        };
        let end = inner.find(is_end).unwrap_or(inner.len());
        if key == name {
            return &inner[..end];
        }
        rest = inner.get(end + 1..).unwrap_or_default();
    }
    ""
}

/// An element with a mark that has not ended yet.
struct OpenElement {
    is: Marked,
    name: String,
    /// Elements of that name within it, and itself.
    depth: usize,
}

/// The text as written so far.
#[derive(Default)]
struct TextWriter {
    text: String,
    /// Blockquotes that are open, and attributions.
    quotes: usize,
    /// Whether each blockquote that is open quotes something.
    blockquotes: Vec<bool>,
    /// The outermost element with a mark.
    marked: Option<OpenElement>,
    /// Words have been written.
    is_written: bool,
    /// Blanks and line ends count.
    pre: usize,
    /// Words came since the last end of a line.
    is_inside_line: bool,
    /// A blank is due before the next word.
    gap: bool,
}

impl TextWriter {
    fn tag(&mut self, tag: &HtmlTag<'_>) {
        self.mark(tag);
        match tag.name.as_str() {
            "br" => self.end_line(),
            "td" | "th" => self.gap = true,
            "pre" => {
                self.end_block();
                self.pre = if tag.closes { self.pre.saturating_sub(1) } else { self.pre + 1 };
            }
            "blockquote" => {
                self.end_block();
                let quotes = if tag.closes {
                    self.blockquotes.pop().unwrap_or_default()
                } else {
                    self.blockquotes.push(!tag.indents());
                    !tag.indents()
                };
                match (quotes, tag.closes) {
                    (true, true) => self.quotes -= 1,
                    (true, false) => self.quotes += 1,
                    (false, _) => {}
                }
            }
            "p" | "div" | "tr" | "table" | "ul" | "ol" | "li" | "dl" | "dt" | "dd" | "hr"
            | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "body" | "head" | "header" | "footer"
            | "section" | "article" | "center" | "address" | "form" | "fieldset" => {
                self.end_block();
            }
            _ => {}
        }
    }

    /// Enters and leaves elements with a mark.
    fn mark(&mut self, tag: &HtmlTag<'_>) {
        if let Some(open) = self.marked.as_mut().filter(|open| open.name == tag.name) {
            open.depth = if tag.closes { open.depth - 1 } else { open.depth + 1 };
            if open.depth > 0 {
                return;
            }
            self.end_block();
            if self.marked.take().is_some_and(|open| open.is == Marked::Attribution) {
                self.quotes -= 1;
            }
            return;
        }
        let Some(is) = tag.marked().filter(|_| self.marked.is_none()) else { return };
        // Some people write into the place of their signature.
        if is == Marked::Signature && !self.is_written {
            return;
        }
        self.end_block();
        self.quotes += usize::from(is != Marked::Signature);
        self.marked = Some(OpenElement { is, name: tag.name.clone(), depth: 1 });
    }

    fn words(&mut self, html: &str) {
        if self.marked.as_ref().is_some_and(|open| open.is == Marked::Signature) {
            return;
        }
        let mut rest = html;
        while let Some(c) = rest.chars().next() {
            let tail = &rest[c.len_utf8()..];
            let entity = (c == '&').then(|| entity(tail)).flatten();
            let (decoded, behind) = entity.unwrap_or((c, tail));
            rest = behind;
            // A blank that was an entity is meant.
            let is_soft = decoded.is_ascii_whitespace() && entity.is_none();
            match decoded {
                '\n' if self.pre > 0 => self.end_line(),
                '\r' => {}
                _ if is_soft && self.pre == 0 => self.gap = true,
                c => self.put(c),
            }
        }
    }

    fn put(&mut self, c: char) {
        if !self.is_inside_line {
            self.quote_mark();
        } else if self.gap {
            self.text.push(' ');
        }
        self.gap = false;
        self.is_inside_line = true;
        self.is_written |= !c.is_whitespace();
        self.text.push(c);
    }

    /// A browser shows no line for a line end that nothing precedes in its block, but writers use
    /// `<br>` for an empty one.
    fn end_line(&mut self) {
        if !self.is_inside_line {
            self.quote_mark();
        }
        self.text.push('\n');
        self.is_inside_line = false;
        self.gap = false;
    }

    fn end_block(&mut self) {
        if self.is_inside_line {
            self.end_line();
        }
        self.gap = false;
    }

    fn quote_mark(&mut self) {
        // Deeper quotes are quotes, and no mail can make the text many times as long.
        if self.quotes > 0 {
            self.text.push_str("> ");
        }
    }
}

/// The longest name of a character that is decoded, and of a number.
const LONGEST_ENTITY: usize = 10;

/// The character that `&` and `html` write, and the text after it. A missing `;` is forgiven
/// to numbers only.
fn entity(html: &str) -> Option<(char, &str)> {
    let length =
        html.bytes().take(LONGEST_ENTITY).take_while(|b| b.is_ascii_alphanumeric() || *b == b'#');
    let (name, behind) = html.split_at(length.count());
    let ended = behind.strip_prefix(';');
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16),
            None => number.parse(),
        };
        let c = code.ok().and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER);
        return (!number.is_empty()).then_some((c, ended.unwrap_or(behind)));
    }
    let at = ENTITIES.binary_search_by_key(&name, |&(name, _)| name).ok()?;
    Some((ENTITIES[at].1, ended?))
}

/// The named characters that mail programs write and keyboards have.
const ENTITIES: &[(&str, char)] = &[
    ("AElig", 'Æ'),
    ("Aacute", 'Á'),
    ("Agrave", 'À'),
    ("Aring", 'Å'),
    ("Atilde", 'Ã'),
    ("Auml", 'Ä'),
    ("Ccedil", 'Ç'),
    ("Eacute", 'É'),
    ("Egrave", 'È'),
    ("Iacute", 'Í'),
    ("Ntilde", 'Ñ'),
    ("Oacute", 'Ó'),
    ("Oslash", 'Ø'),
    ("Otilde", 'Õ'),
    ("Ouml", 'Ö'),
    ("Uacute", 'Ú'),
    ("Uuml", 'Ü'),
    ("aacute", 'á'),
    ("acirc", 'â'),
    ("acute", '´'),
    ("aelig", 'æ'),
    ("agrave", 'à'),
    ("amp", '&'),
    ("apos", '\''),
    ("aring", 'å'),
    ("atilde", 'ã'),
    ("auml", 'ä'),
    ("bdquo", '„'),
    ("bull", '•'),
    ("ccedil", 'ç'),
    ("cent", '¢'),
    ("copy", '©'),
    ("deg", '°'),
    ("eacute", 'é'),
    ("ecirc", 'ê'),
    ("egrave", 'è'),
    ("emsp", ' '),
    ("ensp", ' '),
    ("euml", 'ë'),
    ("euro", '€'),
    ("frac12", '½'),
    ("gt", '>'),
    ("hellip", '…'),
    ("iacute", 'í'),
    ("icirc", 'î'),
    ("iexcl", '¡'),
    ("igrave", 'ì'),
    ("iquest", '¿'),
    ("iuml", 'ï'),
    ("laquo", '«'),
    ("ldquo", '“'),
    ("lsquo", '‘'),
    ("lt", '<'),
    ("mdash", '—'),
    ("middot", '·'),
    ("nbsp", '\u{A0}'),
    ("ndash", '–'),
    ("ntilde", 'ñ'),
    ("oacute", 'ó'),
    ("ocirc", 'ô'),
    ("oelig", 'œ'),
    ("ograve", 'ò'),
    ("oslash", 'ø'),
    ("otilde", 'õ'),
    ("ouml", 'ö'),
    ("para", '¶'),
    ("plusmn", '±'),
    ("pound", '£'),
    ("quot", '"'),
    ("raquo", '»'),
    ("rarr", '→'),
    ("rdquo", '”'),
    ("reg", '®'),
    ("rsquo", '’'),
    ("sect", '§'),
    ("shy", '\u{AD}'),
    ("szlig", 'ß'),
    ("thinsp", ' '),
    ("times", '×'),
    ("trade", '™'),
    ("uacute", 'ú'),
    ("ucirc", 'û'),
    ("ugrave", 'ù'),
    ("uuml", 'ü'),
    ("yacute", 'ý'),
    ("zwj", '\u{200D}'),
    ("zwnj", '\u{200C}'),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_without_tags() {
        for (html, want) in [
            ("<p>c3-c6</p>", "c3-c6\n"),
            ("a<br>b<br/>\n\nc", "a\nb\nc"),
            ("<div>a</div><div><br></div><div>b</div>", "a\n\nb\n"),
            ("<p>a\n  b <b>c</b>d</p>", "a b cd\n"),
            ("<tr><td>a</td><td>b</td></tr>", "a b\n"),
            ("<head><title>t</title><style>p{}</style></head>x", "x"),
            ("<script>if (a<b) '</p>'</script>x", "x"),
            ("a<!-- <p> -->b<!--[if mso]>c<![endif]-->d", "abd"),
            ("a<!doctype html>b<?xml ?>c", "abc"),
            ("<a title='>' href=\">\">x</a>", "x"),
            ("<noscript><p>n</p></noscript>x", "x"),
            ("1 < 2 <3", "1 < 2 <3"),
            ("a<p", "a\n"),
            ("a<b \"", "a"),
            ("a<!-- b", "a"),
            ("a<style>b", "a"),
            ("<pre>a  b\n c</pre>d", "a  b\n c\nd"),
            ("x<blockquote>a<br>b</blockquote>c", "x\n> a\n> b\nc"),
            ("</blockquote></pre>a", "a"),
            (
                "a<blockquote style='margin:0 0 0 40px; border:none; padding:0'>b</blockquote>c",
                "a\nb\nc",
            ),
            ("a<div class='x gmail_attr'>On <div>Monday</div></div>b", "a\n> On\n> Monday\nb"),
            ("a<div id=divRplyFwdMsg><b>Fra:</b> x</div><p>b", "a\n> Fra: x\n> b"),
            (
                "a<div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0 0 0'>\
                 Fra: x</div>b",
                "a\n> Fra: x\n> b",
            ),
            ("a<div id='ms-outlook-mobile-signature'>b<div>c</div>d</div>e", "a\ne"),
            ("<div id=\"AppleMailSignature\">b<div>c</div></div>e", "b\nc\ne"),
            ("a<p title='class=gmail_signature'>b</p>", "a\nb\n"),
            ("a<div class=\"gmail_signature\">b", "a\n"),
            ("&lt;&gt;&amp;&quot;&#65;&#x42;&#67 &uuml;", "<>&\"ABC ü"),
            ("&nbsp;a&shy;b", "\u{A0}a\u{AD}b"),
            ("&amp;lt; &nope; & &; &#; &#0;&#xD800;", "&lt; &nope; & &; &#; \0\u{FFFD}"),
            ("&amp &lt", "&amp &lt"),
            ("", ""),
        ] {
            assert_eq!(text(html), want, "{html}");
        }
    }

    #[test]
    fn the_table_of_entities_can_be_searched() {
        assert!(ENTITIES.is_sorted_by_key(|&(name, _)| name));
        assert!(ENTITIES.iter().all(|(name, _)| name.len() <= LONGEST_ENTITY));
    }
}
