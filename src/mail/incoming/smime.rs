//! The content of an opaque S/MIME signature (RFC 8551, 3.5.2), a `SignedData` of RFC 5652. Signatures
//! are not checked, since a From proves nothing here.
//!
//! OpenSSL streams BER with indefinite lengths; the crates for CMS parse DER only.

/// Levels of constructed octet strings; programs write one.
const DEEPEST: usize = 8;

/// The object identifier of signed data, 1.2.840.113549.1.7.2.
const SIGNED_DATA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02];
/// The object identifier of plain data, 1.2.840.113549.1.7.1. No other content type contains text.
const DATA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x01];

const SEQUENCE: u8 = 0x30;
const SET: u8 = 0x31;
const INTEGER: u8 = 0x02;
const OCTETS: u8 = 0x04;
const CONSTRUCTED_OCTETS: u8 = 0x24;
const OBJECT: u8 = 0x06;
/// `[0] EXPLICIT`.
const EXPLICIT: u8 = 0xa0;

/// Returns the MIME entity inside `ContentInfo { signedData, SignedData { .., encapContentInfo { data, ..
/// } } }`. A value that was cut after its content is accepted.
pub(super) fn signed_content(ber: &[u8]) -> Option<Vec<u8>> {
    let mut outer = Reader(ber).enter(SEQUENCE)?;
    (outer.value(OBJECT)? == SIGNED_DATA).then_some(())?;
    let mut signed = outer.enter(EXPLICIT)?.enter(SEQUENCE)?;
    signed.value(INTEGER)?;
    signed.skip(SET)?;
    let mut encapsulated = signed.enter(SEQUENCE)?;
    (encapsulated.value(OBJECT)? == DATA).then_some(())?;
    let mut out = Vec::new();
    encapsulated.enter(EXPLICIT)?.octets(&mut out, 0);
    (!out.is_empty()).then_some(out)
}

/// A reader of consecutive BER values. A value with an indefinite or too large length extends to the
/// end of the input.
struct Reader<'a>(&'a [u8]);

struct Head<'a> {
    tag: u8,
    /// None where an end mark follows the content instead.
    length: Option<usize>,
    /// The input from the content on.
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Reads the tag and length of the next value without advancing.
    fn head(&self) -> Option<Head<'a>> {
        let (&tag, rest) = self.0.split_first()?;
        let (&length, rest) = rest.split_first()?;
        match length {
            0x80 => Some(Head { tag, length: None, rest }),
            0..0x80 => Some(Head { tag, length: Some(usize::from(length)), rest }),
            _ => {
                let (octets, rest) = rest.split_at_checked(usize::from(length & 0x7f))?;
                (octets.len() <= 4).then_some(())?;
                let length = octets.iter().fold(0, |sum, &octet| sum << 8 | usize::from(octet));
                Some(Head { tag, length: Some(length), rest })
            }
        }
    }

    /// Advances past the next value and returns a reader of its content.
    fn enter(&mut self, tag: u8) -> Option<Self> {
        let head = self.head()?;
        (head.tag == tag).then_some(())?;
        let rest = head.rest;
        let length = head.length.unwrap_or(rest.len()).min(rest.len());
        let (inside, behind) = rest.split_at(length);
        self.0 = behind;
        Some(Self(inside))
    }

    /// Reads the next value, which has a definite length.
    fn value(&mut self, tag: u8) -> Option<&'a [u8]> {
        self.head()?.length?;
        Some(self.enter(tag)?.0)
    }

    /// Skips the next value.
    fn skip(&mut self, tag: u8) -> Option<()> {
        let head = self.head()?;
        if head.length.is_some() {
            return self.enter(tag).map(drop);
        }
        (head.tag == tag).then_some(())?;
        self.0 = head.rest;
        self.skip_to_end(0)
    }

    /// Skips values up to and including the mark that ends an indefinite length.
    fn skip_to_end(&mut self, depth: usize) -> Option<()> {
        (depth <= DEEPEST).then_some(())?;
        loop {
            if let Some(behind) = self.0.strip_prefix(&[0, 0]) {
                self.0 = behind;
                return Some(());
            }
            let head = self.head()?;
            if head.length.is_some() {
                self.enter(head.tag)?;
            } else {
                self.0 = head.rest;
                self.skip_to_end(depth + 1)?;
            }
        }
    }

    /// Appends consecutive octet strings, primitive or constructed, to `out`. Stops after the mark that
    /// ends an indefinite length.
    fn octets(&mut self, out: &mut Vec<u8>, depth: usize) {
        if depth > DEEPEST {
            return;
        }
        while let Some(Head { tag, length, rest }) = self.head() {
            if self.0.starts_with(&[0, 0]) {
                self.0 = &self.0[2..];
                return;
            }
            match (tag, length) {
                (OCTETS, Some(_)) => {
                    let Some(piece) = self.value(OCTETS) else { return };
                    out.extend(piece);
                }
                (CONSTRUCTED_OCTETS, Some(_)) => {
                    let Some(mut inside) = self.enter(tag) else { return };
                    inside.octets(out, depth + 1);
                }
                (CONSTRUCTED_OCTETS, None) => {
                    self.0 = rest;
                    self.octets(out, depth + 1);
                }
                _ => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A value with a definite length.
    fn der(tag: u8, inside: &[&[u8]]) -> Vec<u8> {
        let inside = inside.concat();
        let length = u16::try_from(inside.len()).expect("it is short").to_be_bytes();
        [&[tag, 0x82], &length[..], &inside].concat()
    }

    /// A value with an indefinite length.
    fn ber(tag: u8, inside: &[&[u8]]) -> Vec<u8> {
        [&[tag, 0x80], &inside.concat()[..], &[0, 0]].concat()
    }

    fn object(octets: &[u8]) -> Vec<u8> {
        der(OBJECT, &[octets])
    }

    type Writer = fn(u8, &[&[u8]]) -> Vec<u8>;

    fn signed(wrap: Writer, algorithms: Writer, content: &[u8]) -> Vec<u8> {
        let inner = wrap(SEQUENCE, &[&object(DATA), &wrap(EXPLICIT, &[content])]);
        let algorithms = algorithms(SET, &[&der(SEQUENCE, &[&object(&[1, 2, 3])])]);
        let data = wrap(SEQUENCE, &[&der(INTEGER, &[&[1]]), &algorithms, &inner, &der(SET, &[])]);
        wrap(SEQUENCE, &[&object(SIGNED_DATA), &wrap(EXPLICIT, &[&data])])
    }

    #[test]
    fn the_content_is_found() {
        let pieces = [der(OCTETS, &[b"a1"]), der(OCTETS, &[b"-a5"])].concat();
        for content in [
            der(OCTETS, &[b"a1-a5"]),
            ber(CONSTRUCTED_OCTETS, &[&pieces]),
            der(CONSTRUCTED_OCTETS, &[&pieces]),
            ber(CONSTRUCTED_OCTETS, &[&ber(CONSTRUCTED_OCTETS, &[&pieces])]),
        ] {
            for (wrap, algorithms) in [(der as Writer, der as Writer), (ber, der), (ber, ber)] {
                let whole = signed(wrap, algorithms, &content);
                assert_eq!(signed_content(&whole).unwrap_or_default(), b"a1-a5");
            }
        }
    }

    #[test]
    fn cut_and_broken_values_do_no_harm() {
        let whole = signed(ber, ber, &ber(CONSTRUCTED_OCTETS, &[&der(OCTETS, &[b"a1-a5"])]));
        for end in 0..whole.len() {
            signed_content(&whole[..end]);
            for value in [0, 0x24, 0x30, 0x80, 0x84, 0xff] {
                let mut broken = whole.clone();
                broken[end] = value;
                signed_content(&broken);
            }
        }
        assert_eq!(signed_content(&[0x24, 0x80].repeat(100_000)), None);
        let deep = signed(ber, ber, &[0x24, 0x80].repeat(100_000));
        assert_eq!(signed_content(&deep), None);
        let enveloped = der(SEQUENCE, &[&object(DATA), &der(EXPLICIT, &[])]);
        assert_eq!(signed_content(&enveloped), None);
    }
}
