//! Long lists, printed as lines, or as a JSON array with an element per line.

use serde_json::Value;
use std::io::{self, Write};

/// A row of a list.
#[derive(Debug)]
pub(crate) struct ListRow {
    /// The line for people.
    pub(crate) line: String,
    /// The JSON for scripts.
    pub(crate) json: Value,
}

/// Prints the rows of a list one by one.
pub(crate) struct RowWriter<'o> {
    out: &'o mut dyn Write,
    is_json: bool,
    is_begun: bool,
}

impl<'o> RowWriter<'o> {
    /// Returns a printer of lines or JSON.
    pub(crate) fn new(is_json: bool, out: &'o mut dyn Write) -> Self {
        Self { out, is_json, is_begun: false }
    }

    /// Prints a row.
    pub(crate) fn write(&mut self, row: &ListRow) -> io::Result<()> {
        if !self.is_json {
            return writeln!(self.out, "{}", row.line);
        }
        let before = if self.is_begun { ",\n" } else { "[\n" };
        self.is_begun = true;
        write!(self.out, "{before}{}", row.json)
    }

    /// Ends the list.
    pub(crate) fn end(self) -> io::Result<()> {
        match (self.is_json, self.is_begun) {
            (true, true) => writeln!(self.out, "\n]"),
            (true, false) => writeln!(self.out, "[]"),
            (false, _) => Ok(()),
        }
    }
}
