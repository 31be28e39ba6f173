//! Cursors: the place behind a row of a list, as an opaque text. A cursor stays valid while rows are
//! inserted.

use data_encoding::BASE64URL_NOPAD;

/// The place behind a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cursor {
    /// The list and its order, so that no other list accepts the cursor.
    pub(crate) list: String,
    /// The number by which the row is sorted.
    pub(crate) key: i64,
    /// The name by which rows of equal numbers are sorted.
    pub(crate) name: String,
}

impl Cursor {
    /// Returns the text of the cursor.
    pub(crate) fn encode(&self) -> String {
        let Self { list, key, name } = self;
        BASE64URL_NOPAD.encode(format!("{list} {key} {name}").as_bytes())
    }

    /// Reads a cursor.
    pub(crate) fn decode(text: &str) -> Option<Self> {
        let bytes = BASE64URL_NOPAD.decode(text.as_bytes()).ok()?;
        let decoded = String::from_utf8(bytes).ok()?;
        let mut parts = decoded.splitn(3, ' ');
        let (list, key, name) = (parts.next()?, parts.next()?, parts.next()?);
        let cursor = Self { list: list.into(), key: key.parse().ok()?, name: name.into() };
        // Another spelling of the number would be another text for the same place.
        (cursor.encode() == text).then_some(cursor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_reads_back_as_it_was_written() {
        let cursor = Cursor { list: "players/name".into(), key: -17, name: "bob".into() };
        assert_eq!(Cursor::decode(&cursor.encode()), Some(cursor));
        let odd = BASE64URL_NOPAD.encode(b"players/name +17 bob");
        for bad in ["", "x", "bob", "YQ", "%%%", "\u{e4}", &odd, &"A".repeat(10_000)] {
            assert_eq!(Cursor::decode(bad), None, "{bad}");
        }
    }
}
