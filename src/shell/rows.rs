//! Long lists: a line each for people, or an array of JSON with an element a line for scripts.

use serde_json::Value;
use std::io::{self, Write};

/// One of a list: as a line, and as JSON.
#[derive(Debug)]
pub(super) struct ListRow {
    /// For people.
    pub(super) line: String,
    /// For scripts.
    pub(super) told: Value,
}

/// A list that is being written.
pub(super) struct RowWriter<'o> {
    out: &'o mut dyn Write,
    json: bool,
    is_begun: bool,
}

impl<'o> RowWriter<'o> {
    /// A list of lines, or of JSON.
    pub(super) fn new(json: bool, out: &'o mut dyn Write) -> Self {
        Self { out, json, is_begun: false }
    }

    /// Writes one.
    pub(super) fn write(&mut self, row: &ListRow) -> io::Result<()> {
        if !self.json {
            return writeln!(self.out, "{}", row.line);
        }
        let before = if self.is_begun { ",\n" } else { "[\n" };
        self.is_begun = true;
        write!(self.out, "{before}{}", row.told)
    }

    /// Nothing more comes.
    pub(super) fn end(self) -> io::Result<()> {
        match (self.json, self.is_begun) {
            (true, true) => writeln!(self.out, "\n]"),
            (true, false) => writeln!(self.out, "[]"),
            (false, _) => Ok(()),
        }
    }
}
