//! Cleans up lines that mail programs or keyboards have changed. Only the parser uses the cleaned
//! forms: quotations and messages keep the line as typed.

use icu_normalizer::ComposingNormalizerBorrowed;

/// The longest line that may be a move.
const MAX_LINE_BYTES: usize = 400;

/// Returns cleaned forms of a line, the closest first. Empty for most lines.
pub(super) fn clean_forms(line: &str) -> Vec<String> {
    let may_differ = !line.is_ascii() || line.contains(['<', '[', '(']) || ends_in_symbol(line);
    if line.len() > MAX_LINE_BYTES || !may_differ {
        return Vec::new();
    }
    let bare = without_links(line);
    let shown = bare.chars().filter(|c| !is_unseen(*c)).map(arrow).collect::<String>();
    let plain = ComposingNormalizerBorrowed::new_nfkc().normalize(&shown).into_owned();
    let symbols = without_symbols(&plain);
    [plain, symbols].into_iter().filter(|form| form.trim() != line.trim()).collect()
}

/// Returns whether a character is invisible. Copying leaves such characters between others.
fn is_unseen(c: char) -> bool {
    matches!(c, '\u{AD}' | '\u{34F}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{2069}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}')
}

/// Maps all arrows to the right to one.
fn arrow(c: char) -> char {
    let is_arrow = matches!(c, '\u{2192}' | '\u{219B}' | '\u{219D}' | '\u{21A0}' | '\u{21A3}' | '\u{21A6}'
        | '\u{21C0}' | '\u{21C1}' | '\u{21D2}' | '\u{21DB}' | '\u{21DD}' | '\u{21E2}' | '\u{21E5}'
        | '\u{21E8}' | '\u{21FE}' | '\u{25B6}' | '\u{25B8}' | '\u{25BA}' | '\u{2794}'
        | '\u{2798}'..='\u{27AF}' | '\u{27B1}'..='\u{27BE}' | '\u{27F6}' | '\u{27F9}' | '\u{27FC}'
        | '\u{27FE}' | '\u{2B62}' | '\u{2B95}' | '\u{1F812}' | '\u{1F846}');
    // `\u{F0E0}` is an arrow of Wingdings that lost its font.
    if is_arrow || c == '\u{F0E0}' { '\u{2192}' } else { c }
}

/// Removes link targets that mail programs add to a word that looks like a link:
/// `a1-a5<http://a1-a5>`, `[a1-a5](http://a1-a5)`.
fn without_links(line: &str) -> String {
    let is_target = |inside: &str| {
        let inside = inside.trim().to_ascii_lowercase();
        ["http:", "https:", "mailto:", "tel:", "ftp:"].iter().any(|kind| inside.starts_with(kind))
    };
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find(['<', '[', '(']) {
        let close = match rest.as_bytes()[at] {
            b'<' => '>',
            b'[' => ']',
            _ => ')',
        };
        let (before, inside) = (&rest[..at], &rest[at + 1..]);
        let target = inside.split_once(close).filter(|(inside, _)| is_target(inside));
        if let Some((_, behind)) = target {
            // `[words](target)`: the words lose their brackets.
            let words = before.strip_suffix(']').and_then(|before| before.rsplit_once('['));
            match words.filter(|_| close == ')') {
                Some((before, words)) => out.extend([before, words]),
                None => out.push_str(before),
            }
            rest = behind;
        } else {
            let end = if close == ']' && inside.contains("](") {
                // The brackets may belong to a link that follows.
                at + 1 + inside.find(']').map_or(0, |end| end + 1)
            } else {
                at + 1
            };
            if end > at + 1 && is_target(rest[end..].trim_start_matches('(')) {
                let behind = rest[end..].split_once(')').map_or("", |(_, behind)| behind);
                out.extend([before, &rest[at + 1..end - 1]]);
                rest = behind;
            } else {
                out.push_str(&rest[..=at]);
                rest = &rest[at + 1..];
            }
        }
    }
    out.push_str(rest);
    out
}

/// The letters that are faces in Wingdings: `J`, `K`, `L`.
const FACES: [&str; 3] = ["J", "K", "L"];

fn ends_in_symbol(line: &str) -> bool {
    line.split_whitespace().next_back().is_some_and(|word| FACES.contains(&word))
}

/// Removes letters that are symbols in Wingdings: faces at the end, and the arrow between two
/// points.
fn without_symbols(line: &str) -> String {
    let mut line = line.trim_end();
    while let Some((before, face)) = line.rsplit_once(char::is_whitespace)
        && FACES.contains(&face)
    {
        line = before.trim_end();
    }
    line.replace('\u{E0}', "\u{2192}")
}

/// A letter of another alphabet that looks like a Latin one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LookAlike {
    pub(super) typed: char,
    pub(super) alphabet: &'static str,
}

/// Letters of Cyrillic and Greek, each followed by the Latin letter that it looks like.
const CYRILLIC: &str = "\u{430}a\u{432}b\u{435}e\u{456}i\u{458}j\u{43A}k\u{43C}m\u{43E}o\u{440}p\u{441}c\u{443}y\u{445}x\u{501}d\u{4BB}h\u{455}s\u{51B}q\u{51D}w\u{4CF}l\u{410}A\u{412}B\u{415}E\u{406}I\u{408}J\u{41A}K\u{41C}M\u{41D}H\u{41E}O\u{420}P\u{421}C\u{422}T\u{423}Y\u{425}X\u{405}S\u{50C}G\u{417}3";
const GREEK: &str = "\u{3B1}a\u{3B5}e\u{3B9}i\u{3BA}k\u{3BD}v\u{3BF}o\u{3C1}p\u{3C3}o\u{3C5}u\u{3C7}x\u{3B3}y\u{3B2}b\u{3F2}c\u{391}A\u{392}B\u{395}E\u{396}Z\u{397}H\u{399}I\u{39A}K\u{39C}M\u{39D}N\u{39F}O\u{3A1}P\u{3A4}T\u{3A5}Y\u{3A7}X\u{3F9}C";

/// Replaces look-alikes by Latin letters. Returns the line and the first look-alike; none if there
/// is no such letter.
pub(super) fn to_latin(line: &str) -> Option<(String, LookAlike)> {
    if line.is_ascii() || line.len() > MAX_LINE_BYTES {
        return None;
    }
    let pair = |of: &str, c: char| {
        let mut letters = of.chars();
        while let Some((typed, meant)) = letters.next().zip(letters.next()) {
            if typed == c {
                return Some(meant);
            }
        }
        None
    };
    let mut first = None;
    let meant = line.chars().map(|c| {
        let found = pair(CYRILLIC, c).map(|meant| (meant, "Cyrillic"));
        let Some((meant, alphabet)) =
            found.or_else(|| pair(GREEK, c).map(|meant| (meant, "Greek")))
        else {
            return c;
        };
        first.get_or_insert(LookAlike { typed: c, alphabet });
        meant
    });
    let meant = meant.collect();
    Some((meant, first?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_as_it_was_meant() {
        for (line, want) in [
            ("\u{FF41}\u{FF11}\u{FF0D}\u{FF41}\u{FF15}", "a1-a5"),
            ("a1\u{200B}-\u{200D}a5\u{FE0F}", "a1-a5"),
            ("a1 \u{27A1}\u{FE0F} a5", "a1 \u{2192} a5"),
            ("a1\u{F0E0}a5", "a1\u{2192}a5"),
            ("a1-a5<http://a1-a5/>", "a1-a5"),
            ("a1-a5 <https://x.example/?a=b> ok", "a1-a5  ok"),
            ("8/5<tel:8/5> 6/5<tel:6/5>", "8/5 6/5"),
            ("[a1-a5](http://a1-a5/)", "a1-a5"),
            ("a1-a5[https://x.example]", "a1-a5"),
            ("a1-a5 J", "a1-a5"),
            ("a1-a5 L J", "a1-a5"),
        ] {
            let forms = clean_forms(line);
            assert!(forms.iter().any(|form| form.trim() == want), "{line}: {forms:?}");
        }
        assert_eq!(clean_forms("a1\u{E0} a5").last().unwrap(), "a1\u{2192} a5");
        for line in ["a1-a5", "", "J", "(a1)", "<a1-a5>", "6/1(3)"] {
            assert!(clean_forms(line).iter().all(|form| form.trim() == line), "{line}");
        }
        assert!(clean_forms(&"[(<".repeat(100_000)).is_empty());
    }

    #[test]
    fn look_alikes_are_found() {
        let (meant, first) = to_latin("\u{430}1-a5").unwrap();
        assert_eq!((&*meant, first.typed, first.alphabet), ("a1-a5", '\u{430}', "Cyrillic"));
        assert_eq!(to_latin("\u{3BF}4").unwrap().1.alphabet, "Greek");
        assert_eq!(to_latin("a1-a5"), None);
        assert_eq!(to_latin("\u{E4}1"), None);
    }
}
