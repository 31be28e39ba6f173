//! The mail after `DATA`: removes the dots that the sender put before lines with a dot (RFC 5321, 4.5.2),
//! and finds the end.
//!
//! Only CR LF ends a line. If a bare LF did, a mail could contain commands that the mail server before us
//! has not seen.

/// A mail being received.
#[derive(Debug)]
pub(super) struct DataReader {
    mail: Vec<u8>,
    place: Place,
    limit: usize,
    is_too_large: bool,
}

/// What the next byte follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// CR LF, or `DATA`.
    LineStart,
    /// A dot at the start of a line.
    Dot,
    /// A dot and CR at the start of a line.
    DotCr,
    Cr,
    /// Any other byte.
    Text,
}

/// A mail that has arrived, or was too large to keep.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ReceivedData {
    Whole(Vec<u8>),
    TooLarge,
}

impl DataReader {
    /// Begins a mail after `headers`, which do not count for `limit`.
    pub(super) fn new(headers: Vec<u8>, limit: usize) -> Self {
        let limit = headers.len() + limit;
        Self { mail: headers, place: Place::LineStart, limit, is_too_large: false }
    }

    /// Reads `input` up to the end of the mail. Returns the mail at its end.
    pub(super) fn read(&mut self, input: &mut &[u8]) -> Option<ReceivedData> {
        while let Some((&byte, rest)) = input.split_first() {
            *input = rest;
            self.place = match (self.place, byte) {
                (Place::LineStart, b'.') => Place::Dot,
                (Place::Dot, b'\r') => Place::DotCr,
                (Place::DotCr, b'\n') => return Some(self.take()),
                (place, byte) => {
                    if place == Place::DotCr {
                        self.keep(b"\r");
                    }
                    self.keep(&[byte]);
                    match (place, byte) {
                        (Place::Cr, b'\n') => Place::LineStart,
                        (_, b'\r') => Place::Cr,
                        _ => self.text(input),
                    }
                }
            };
        }
        None
    }

    /// Reads up to the next CR, which needs no decisions.
    fn text(&mut self, input: &mut &[u8]) -> Place {
        let end = memchr::memchr(b'\r', input).unwrap_or(input.len());
        let (text, rest) = input.split_at(end);
        *input = rest;
        self.keep(text);
        Place::Text
    }

    fn keep(&mut self, bytes: &[u8]) {
        self.is_too_large |= self.mail.len() + bytes.len() > self.limit;
        if self.is_too_large {
            self.mail = Vec::new();
        } else {
            self.mail.extend_from_slice(bytes);
        }
    }

    fn take(&mut self) -> ReceivedData {
        if self.is_too_large {
            ReceivedData::TooLarge
        } else {
            ReceivedData::Whole(std::mem::take(&mut self.mail))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a mail that arrives in pieces of this many bytes, with what is left behind its end.
    fn read(sent: &[u8], piece: usize) -> (Option<ReceivedData>, Vec<u8>) {
        let mut reader = DataReader::new(Vec::new(), 100);
        for (index, mut bytes) in sent.chunks(piece).enumerate() {
            if let Some(read) = reader.read(&mut bytes) {
                let rest = [bytes, sent.get((index + 1) * piece..).unwrap_or_default()].concat();
                return (Some(read), rest);
            }
        }
        (None, Vec::new())
    }

    #[test]
    fn dots_are_unstuffed_and_the_end_is_found_wherever_pieces_end() {
        for (sent, mail) in [
            (&b".\r\n"[..], &b""[..]),
            (b"a\r\n.\r\n", b"a\r\n"),
            (b"..\r\n.\r\n", b".\r\n"),
            (b"...a\r\n.b\r\n.\r\n", b"..a\r\nb\r\n"),
            (b"a\r\n..\r\n.\r\n", b"a\r\n.\r\n"),
            // Only CR LF ends a line.
            (b"a\n.\nMAIL FROM:<>\r\n.\r\n", b"a\n.\nMAIL FROM:<>\r\n"),
            (b"a\r.\r\n.\r\n", b"a\r.\r\n"),
            (b"a\n.\r\n.\r\n", b"a\n.\r\n"),
            (b".\n\r\n.\r\n", b"\n\r\n"),
            (b".\r\r\n.\r\n", b"\r\r\n"),
            (b".\rQ\r\n.\r\n", b"\rQ\r\n"),
            (b"\r\r\n\r\n.\r\n", b"\r\r\n\r\n"),
        ] {
            for piece in 1..=sent.len() {
                let (read, rest) = read(&[sent, b"QUIT\r\n"].concat(), piece);
                let shown = String::from_utf8_lossy(sent);
                assert_eq!(read, Some(ReceivedData::Whole(mail.to_vec())), "{shown:?} {piece}");
                assert_eq!(rest, b"QUIT\r\n", "{shown:?} {piece}");
            }
        }
        assert_eq!(read(b"a\n.\r\n", 1).0, None, "this mail is not over");
    }

    #[test]
    fn a_mail_that_is_too_large_is_read_to_its_end() {
        let mail = |length: usize| [&vec![b'a'; length - 2][..], b"\r\n.\r\nQUIT"].concat();
        for piece in [1, 7, 1000] {
            let (whole, rest) = read(&mail(100), piece);
            assert!(matches!(&whole, Some(ReceivedData::Whole(mail)) if mail.len() == 100));
            assert_eq!(rest, b"QUIT");
            assert_eq!(read(&mail(101), piece), (Some(ReceivedData::TooLarge), b"QUIT".to_vec()));
        }
    }
}
