//! A canvas of ASCII characters.

/// Lines of characters that grow as needed.
#[derive(Default)]
pub(super) struct Canvas(Vec<Vec<u8>>);

impl Canvas {
    /// Writes `text` at a column and a row, both counted from 0, over existing characters.
    pub(super) fn put(&mut self, column: usize, row: usize, text: &str) {
        if self.0.len() <= row {
            self.0.resize_with(row + 1, || Vec::with_capacity(80));
        }
        let line = &mut self.0[row];
        let end = column + text.len();
        if line.len() < end {
            line.resize(end, b' ');
        }
        line[column..end].copy_from_slice(text.as_bytes());
    }

    /// Returns the first row below everything written so far.
    pub(super) fn height(&self) -> usize {
        self.0.len()
    }

    /// Returns the canvas as text without trailing blanks, every line ended by `\n`.
    pub(super) fn into_text(self) -> String {
        let mut text = String::with_capacity(self.0.iter().map(|line| line.len() + 1).sum());
        for line in &self.0 {
            text.push_str(String::from_utf8_lossy(line).trim_end());
            text.push('\n');
        }
        text
    }
}
