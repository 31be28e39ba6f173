//! What is inside an opaque S/MIME signature (RFC 8551, 3.5.2): a `SignedData` of RFC 5652, of which only
//! the content is read. Signatures are not checked: a From proves nothing here.
//!
//! It is BER, with lengths that are known at the end only, as OpenSSL streams it; the crates for it read
//! DER.

/// Constructed octet strings are nested once; nobody writes deeper ones.
const DEEPEST: usize = 8;

/// `1.2.840.113549.1.7.2`, signed-data, as octets.
const SIGNED_DATA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02];
/// `1.2.840.113549.1.7.1`, plain data; whatever else can be signed has no text.
const DATA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x01];

const SEQUENCE: u8 = 0x30;
const SET: u8 = 0x31;
const INTEGER: u8 = 0x02;
const OCTETS: u8 = 0x04;
const CONSTRUCTED_OCTETS: u8 = 0x24;
const OBJECT: u8 = 0x06;
/// `[0] EXPLICIT`.
const EXPLICIT: u8 = 0xa0;

/// The content of `ContentInfo { signedData, SignedData { .., encapContentInfo { data, .. } } }`: the
/// octets of a MIME entity. A value that is cut off behind its content is read as well.
pub(super) fn content(ber: &[u8]) -> Option<Vec<u8>> {
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

/// Reads one value behind the other. Where a length is not known or too large, a value reaches to the
/// end of the octets that are there.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    /// The tag of the next value, its length if that is known, and the octets from its content on.
    fn head(&self) -> Option<(u8, Option<usize>, &'a [u8])> {
        let (&tag, rest) = self.0.split_first()?;
        let (&length, rest) = rest.split_first()?;
        match length {
            0x80 => Some((tag, None, rest)),
            0..0x80 => Some((tag, Some(usize::from(length)), rest)),
            _ => {
                let (octets, rest) = rest.split_at_checked(usize::from(length & 0x7f))?;
                (octets.len() <= 4).then_some(())?;
                let length = octets.iter().fold(0, |sum, &octet| sum << 8 | usize::from(octet));
                Some((tag, Some(length), rest))
            }
        }
    }

    /// The inside of the next value, to be left only by dropping it.
    fn enter(&mut self, tag: u8) -> Option<Self> {
        let (found, length, rest) = self.head()?;
        (found == tag).then_some(())?;
        let length = length.unwrap_or(rest.len()).min(rest.len());
        let (inside, behind) = rest.split_at(length);
        self.0 = behind;
        Some(Self(inside))
    }

    /// The octets of the next value, whose length is known.
    fn value(&mut self, tag: u8) -> Option<&'a [u8]> {
        self.head()?.1?;
        Some(self.enter(tag)?.0)
    }

    /// Skips the next value. Of one without a length everything up to its end is skipped.
    fn skip(&mut self, tag: u8) -> Option<()> {
        match self.head()? {
            (_, Some(_), _) => self.enter(tag).map(drop),
            (found, None, rest) => {
                (found == tag).then_some(())?;
                self.0 = rest;
                self.skip_to_end(0)
            }
        }
    }

    /// Skips values up to the mark that ends a value without a length.
    fn skip_to_end(&mut self, depth: usize) -> Option<()> {
        (depth <= DEEPEST).then_some(())?;
        loop {
            if let Some(behind) = self.0.strip_prefix(&[0, 0]) {
                self.0 = behind;
                return Some(());
            }
            let (tag, length, rest) = self.head()?;
            if length.is_some() {
                self.enter(tag)?;
            } else {
                self.0 = rest;
                self.skip_to_end(depth + 1)?;
            }
        }
    }

    /// Puts the octet strings here, whole or in pieces, one behind the other. Returns at the mark that
    /// ends a value without a length, behind it.
    fn octets(&mut self, out: &mut Vec<u8>, depth: usize) {
        if depth > DEEPEST {
            return;
        }
        while let Some((tag, length, rest)) = self.head() {
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

    /// A value with a length that is known.
    fn der(tag: u8, inside: &[&[u8]]) -> Vec<u8> {
        let inside = inside.concat();
        let length = u16::try_from(inside.len()).expect("it is short").to_be_bytes();
        [&[tag, 0x82], &length[..], &inside].concat()
    }

    /// A value whose end is marked.
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
    fn the_content_is_taken_out() {
        let pieces = [der(OCTETS, &[b"a1"]), der(OCTETS, &[b"-a5"])].concat();
        for content in [
            der(OCTETS, &[b"a1-a5"]),
            ber(CONSTRUCTED_OCTETS, &[&pieces]),
            der(CONSTRUCTED_OCTETS, &[&pieces]),
            ber(CONSTRUCTED_OCTETS, &[&ber(CONSTRUCTED_OCTETS, &[&pieces])]),
        ] {
            for (wrap, algorithms) in [(der as Writer, der as Writer), (ber, der), (ber, ber)] {
                let whole = signed(wrap, algorithms, &content);
                assert_eq!(super::content(&whole).unwrap_or_default(), b"a1-a5");
            }
        }
    }

    #[test]
    fn what_is_cut_or_broken_does_no_harm() {
        let whole = signed(ber, ber, &ber(CONSTRUCTED_OCTETS, &[&der(OCTETS, &[b"a1-a5"])]));
        for end in 0..whole.len() {
            content(&whole[..end]);
            for value in [0, 0x24, 0x30, 0x80, 0x84, 0xff] {
                let mut broken = whole.clone();
                broken[end] = value;
                content(&broken);
            }
        }
        assert_eq!(content(&[0x24, 0x80].repeat(100_000)), None);
        let deep = signed(ber, ber, &[0x24, 0x80].repeat(100_000));
        assert_eq!(content(&deep), None);
        let enveloped = der(SEQUENCE, &[&object(DATA), &der(EXPLICIT, &[])]);
        assert_eq!(content(&enveloped), None);
    }
}
