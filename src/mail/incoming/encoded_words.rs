//! Encoded words of headers, `=?charset?Q?text?=` (RFC 2047).

use super::text_decoding;

/// Decodes the encoded words of a value and keeps the rest.
///
/// Mail programs break the rules of the RFC, so words may touch other text, contain blanks and be
/// longer than 75 characters, and a character may be split over two words. Linear in the value.
pub(super) fn decode(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    let mut run = CharsetRun::default();
    let last_end = value.rfind("?=").unwrap_or(0);
    let mut rest = value;
    while let Some(start) = rest.find("=?") {
        let at = value.len() - rest.len() + start;
        let word = (at < last_end).then(|| EncodedWord::at_start_of(&rest[start..])).flatten();
        let Some(word) = word else {
            run.finish(&mut out);
            out.push_str(&rest[..start + 2]);
            rest = &rest[start + 2..];
            continue;
        };
        // RFC 2047, 6.2: blanks between two encoded words are dropped.
        if !(run.is_open() && rest[..start].trim().is_empty()) {
            run.finish(&mut out);
            out.push_str(&rest[..start]);
        }
        run.add(&word, &mut out);
        rest = word.behind;
    }
    run.finish(&mut out);
    out.push_str(rest);
    out
}

/// Returns the text after the encoded word at the start of `value`.
pub(super) fn skip(value: &str) -> Option<&str> {
    EncodedWord::at_start_of(value).map(|word| word.behind)
}

/// The octets of adjacent words in one charset, not yet decoded.
#[derive(Default)]
struct CharsetRun<'a> {
    charset: Option<&'a str>,
    octets: Vec<u8>,
}

impl<'a> CharsetRun<'a> {
    fn is_open(&self) -> bool {
        self.charset.is_some()
    }

    fn add(&mut self, word: &EncodedWord<'a>, out: &mut String) {
        if self.charset.is_some_and(|charset| !charset.eq_ignore_ascii_case(word.charset)) {
            self.finish(out);
        }
        self.charset = Some(word.charset);
        self.octets.extend(&word.octets);
    }

    fn finish(&mut self, out: &mut String) {
        if let Some(charset) = self.charset.take() {
            out.push_str(&text_decoding::decode(&self.octets, charset));
            self.octets.clear();
        }
    }
}

struct EncodedWord<'a> {
    charset: &'a str,
    octets: Vec<u8>,
    behind: &'a str,
}

/// Bytes of the name of a charset.
const LONGEST_CHARSET: usize = 40;
/// Bytes of a word. RFC 2047, 2 allows 75; programs that do not fold write a whole Subject as one
/// word.
const LONGEST_WORD: usize = 4_096;

impl<'a> EncodedWord<'a> {
    fn at_start_of(value: &'a str) -> Option<Self> {
        let value = value.strip_prefix("=?")?;
        let end = value.bytes().take(LONGEST_CHARSET).position(|b| b == b'?')?;
        let (charset, value) = (&value[..end], &value[end + 1..]);
        let encoding = value.get(..2)?;
        let value = &value[2..];
        let end = value.as_bytes().windows(2).take(LONGEST_WORD).position(|two| two == b"?=")?;
        let (encoded, behind) = (&value[..end], &value[end + 2..]);
        let octets = match encoding {
            "Q?" | "q?" => text_decoding::quoted_printable(encoded.replace('_', " ").as_bytes()),
            "B?" | "b?" => text_decoding::base64(encoded.as_bytes()),
            _ => return None,
        };
        // RFC 2231, 5: a language may follow the charset.
        let charset = charset.split('*').next().unwrap_or_default();
        let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_.:+()".contains(&b);
        (!charset.is_empty() && charset.bytes().all(plain)).then_some(Self {
            charset,
            octets,
            behind,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_decoded_and_joined() {
        for (value, want) in [
            ("plain", "plain"),
            ("=?utf-8?Q?caf=C3=A9_au_lait?=", "café au lait"),
            ("=?ISO-8859-1?q?a=E4?= b", "aä b"),
            ("=?utf-8?B?w6Q=?= =?utf-8?b?w7Y=?=", "äö"),
            ("=?utf-8?Q?a?= =?iso-8859-1?Q?b?=", "ab"),
            ("=?utf-8?Q?a=C3?=  =?UTF-8?Q?=A4b?=", "aäb"),
            ("=?utf-8?B?YcM=?= =?utf-8?B?pGI=?=", "aäb"),
            ("=?utf-8?Q?a?= and =?utf-8?Q?b?=", "a and b"),
            ("x=?utf-8?Q?a?=y", "xay"),
            ("=?utf-8*en?Q?a b?=", "a b"),
            ("=?koi8-r?B?8M/S?=", "Пор"),
            ("=?utf-8?Q?=41?=", "A"),
            ("=?utf-8?Q??=x", "x"),
            ("=?utf-8?X?a?=", "=?utf-8?X?a?="),
            ("=?utf-8?Q?a", "=?utf-8?Q?a"),
            ("=??Q?a?=", "=??Q?a?="),
            ("a =? b ?= c", "a =? b ?= c"),
            ("=?nonsense?Q?=E4?=", "ä"),
            ("=?utf-8?B?!!!?=", ""),
        ] {
            assert_eq!(decode(value), want, "{value}");
        }
    }
}
