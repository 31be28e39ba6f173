//! Conversion of HTML to plain text, for mails without plain text. It is linear and builds no tree, so
//! that no nesting does harm.

/// Converts HTML to text: drops tags, ends a line at the end of a block, decodes entities, and puts
/// `> ` before the text of quotations.
pub(super) fn convert(html: &str) -> String {
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
    is_end_tag: bool,
    /// The text between its name and its `>`.
    attributes: &'a str,
}

impl<'a> HtmlToken<'a> {
    /// Reads the tag or comment at the start of `html`. If it has no end it hides the rest, as in a
    /// browser.
    fn at_start_of(html: &'a str) -> Option<Self> {
        let inner = html.strip_prefix('<')?;
        if let Some(comment) = inner.strip_prefix("!--") {
            return Some(Self::Comment(comment.split_once("-->").map_or("", |(_, rest)| rest)));
        }
        let is_end_tag = inner.starts_with('/');
        let named = &inner[usize::from(is_end_tag)..];
        if !named.starts_with(|c: char| c.is_ascii_alphabetic() || c == '!' || c == '?') {
            return None;
        }
        let end = named.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(named.len());
        let name = named[..end].to_ascii_lowercase();
        let behind = behind_tag(&named[end..]);
        let attributes = &named[end..named.len() - behind.len()];
        Some(Self::Tag(HtmlTag { name, is_end_tag, attributes }, behind))
    }
}

/// Returns the text after the first `>` outside quotes.
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
        !self.is_end_tag
            && matches!(self.name.as_str(), "script" | "style" | "title" | "textarea" | "noscript")
    }

    /// Returns the text after the end tag of this element.
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

/// The role of an element, by the names that mail programs give it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// The attribution above a quotation.
    Attribution,
    /// The header block above a quotation that extends to the end.
    Header,
    /// The signature of a person or a program.
    Signature,
}

impl HtmlTag<'_> {
    /// Returns the role of the element, by its id, class or style.
    fn role(&self) -> Option<Role> {
        const NAMES: [(&str, Role); 10] = [
            ("gmail_attr", Role::Attribution),
            ("moz-cite-prefix", Role::Attribution),
            ("divrplyfwdmsg", Role::Header),
            ("ms-outlook-mobile-signature", Role::Signature),
            ("applemailsignature", Role::Signature),
            ("applemailsignatureplaceholder", Role::Signature),
            ("gmail_signature", Role::Signature),
            ("moz-signature", Role::Signature),
            ("signature", Role::Signature),
            ("protonmail_signature_block", Role::Signature),
        ];
        if self.is_end_tag || self.attributes.is_empty() {
            return None;
        }
        let attributes = self.attributes.to_ascii_lowercase();
        // Outlook draws a line above the header block.
        let style = attribute_value(&attributes, "style").replace([' ', '\n'], "");
        let is_topped = self.name == "div" && style.contains("border:none;border-top:solid");
        if is_topped && style.contains("padding:3.0pt") {
            return Some(Role::Header);
        }
        let names = [attribute_value(&attributes, "id"), attribute_value(&attributes, "class")];
        let mut names = names.into_iter().flat_map(str::split_ascii_whitespace);
        names.find_map(|name| NAMES.iter().find(|(known, _)| *known == name).map(|(_, role)| *role))
    }

    /// Returns whether this is a blockquote with which Gmail and Apple Mail indent their user's own text.
    fn indents(&self) -> bool {
        let attributes = self.attributes.to_ascii_lowercase();
        let style = attribute_value(&attributes, "style").replace([' ', '\n'], "");
        style.contains("border:none") && style.contains("40px")
    }
}

/// Returns the value of an attribute, or an empty string.
fn attribute_value<'a>(attributes: &'a str, name: &str) -> &'a str {
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

/// An unclosed element with a role.
struct OpenElement {
    role: Role,
    name: String,
    /// The number of unclosed elements of this name: this element and those inside it.
    depth: usize,
}

/// The text written so far, and the state of the conversion.
#[derive(Default)]
struct TextWriter {
    text: String,
    /// The number of unclosed quotations and attributions.
    quotes: usize,
    /// For each unclosed blockquote, whether it is a quotation.
    blockquotes: Vec<bool>,
    /// The outermost unclosed element with a role.
    element: Option<OpenElement>,
    /// Whether visible text has been written.
    is_written: bool,
    /// The number of unclosed `pre` elements, in which blanks and line ends count.
    pre: usize,
    /// Whether text has been written since the last line end.
    is_inside_line: bool,
    /// Whether a blank is written before the next word.
    has_gap: bool,
}

impl TextWriter {
    fn tag(&mut self, tag: &HtmlTag<'_>) {
        self.update_role(tag);
        match tag.name.as_str() {
            "br" => self.end_line(),
            "td" | "th" => self.has_gap = true,
            "pre" => {
                self.end_block();
                self.pre = if tag.is_end_tag { self.pre.saturating_sub(1) } else { self.pre + 1 };
            }
            "blockquote" => {
                self.end_block();
                let quotes = if tag.is_end_tag {
                    self.blockquotes.pop().unwrap_or_default()
                } else {
                    self.blockquotes.push(!tag.indents());
                    !tag.indents()
                };
                match (quotes, tag.is_end_tag) {
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

    /// Enters and leaves elements with a role.
    fn update_role(&mut self, tag: &HtmlTag<'_>) {
        if let Some(open) = self.element.as_mut().filter(|open| open.name == tag.name) {
            open.depth = if tag.is_end_tag { open.depth - 1 } else { open.depth + 1 };
            if open.depth > 0 {
                return;
            }
            self.end_block();
            if self.element.take().is_some_and(|open| open.role == Role::Attribution) {
                self.quotes -= 1;
            }
            return;
        }
        let Some(role) = tag.role().filter(|_| self.element.is_none()) else { return };
        // Some people write their text inside their signature.
        if role == Role::Signature && !self.is_written {
            return;
        }
        self.end_block();
        self.quotes += usize::from(role != Role::Signature);
        self.element = Some(OpenElement { role, name: tag.name.clone(), depth: 1 });
    }

    fn words(&mut self, html: &str) {
        if self.element.as_ref().is_some_and(|open| open.role == Role::Signature) {
            return;
        }
        let mut rest = html;
        while let Some(c) = rest.chars().next() {
            let tail = &rest[c.len_utf8()..];
            let entity = (c == '&').then(|| decode_entity(tail)).flatten();
            let (decoded, behind) = entity.unwrap_or((c, tail));
            rest = behind;
            // A blank written as an entity counts.
            let is_soft = decoded.is_ascii_whitespace() && entity.is_none();
            match decoded {
                '\n' if self.pre > 0 => self.end_line(),
                '\r' => {}
                _ if is_soft && self.pre == 0 => self.has_gap = true,
                c => self.put(c),
            }
        }
    }

    fn put(&mut self, c: char) {
        if !self.is_inside_line {
            self.quote_mark();
        } else if self.has_gap {
            self.text.push(' ');
        }
        self.has_gap = false;
        self.is_inside_line = true;
        self.is_written |= !c.is_whitespace();
        self.text.push(c);
    }

    /// Ends the line, also an empty one: a browser would not show it, but writers type `<br>` for an
    /// empty line.
    fn end_line(&mut self) {
        if !self.is_inside_line {
            self.quote_mark();
        }
        self.text.push('\n');
        self.is_inside_line = false;
        self.has_gap = false;
    }

    fn end_block(&mut self) {
        if self.is_inside_line {
            self.end_line();
        }
        self.has_gap = false;
    }

    fn quote_mark(&mut self) {
        // One mark whatever the depth, so that nesting cannot multiply the length of the text.
        if self.quotes > 0 {
            self.text.push_str("> ");
        }
    }
}

/// Characters of the name or number of an entity.
const LONGEST_ENTITY: usize = 10;

/// Decodes the entity whose text after `&` is at the start of `html`. Returns the character and the text
/// after it. Only numbers may lack the `;`.
fn decode_entity(html: &str) -> Option<(char, &str)> {
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

/// The named entities that mail programs write, sorted by name.
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
    fn tags_are_dropped() {
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
            assert_eq!(convert(html), want, "{html}");
        }
    }

    #[test]
    fn the_entities_are_sorted() {
        assert!(ENTITIES.is_sorted_by_key(|&(name, _)| name));
        assert!(ENTITIES.iter().all(|(name, _)| name.len() <= LONGEST_ENTITY));
    }
}
