//! Mails from an mbox file, which is only read: in order, one in memory at a time. Receipts show
//! which were executed before.
//!
//! A mail begins at a line `From ` at the start or after an empty line. A line of `>`s and `From `
//! loses one `>`: that is right for mboxrd, and for mboxo unless the mail itself had `>From ` at
//! the start of a line.

use super::name::MAX_MAIL_BYTES;
use crate::store::Fault;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// The most bytes of a line that are read at once.
const PIECE: usize = 64 * 1024;

/// The raw mails of an mbox; of a mail larger than [`MAX_MAIL_BYTES`], one byte more than that.
#[derive(Debug)]
pub struct Mbox<R> {
    input: R,
    piece: Vec<u8>,
    /// Whether `piece` is the `From ` line of the next mail.
    is_at_mail: bool,
    /// Whether the first mail was looked for.
    has_started: bool,
}

impl Mbox<BufReader<File>> {
    /// Opens an mbox file.
    ///
    /// # Errors
    /// It cannot be opened.
    pub fn open(path: &Path) -> Result<Self, Fault> {
        let file = File::open(path).map_err(Fault::at("cannot open", path))?;
        Ok(Self::new(BufReader::with_capacity(PIECE, file)))
    }
}

impl<R: BufRead> Mbox<R> {
    /// Reads an mbox from any source.
    pub fn new(input: R) -> Self {
        Self { input, piece: Vec::new(), is_at_mail: false, has_started: false }
    }

    /// Reads to the end of the line, at most [`PIECE`] bytes; false at the end of the file.
    fn read_piece(&mut self) -> io::Result<bool> {
        self.piece.clear();
        while self.piece.len() < PIECE && !self.piece.ends_with(b"\n") {
            let buffer = match self.input.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if buffer.is_empty() {
                break;
            }
            let line =
                buffer.iter().position(|&byte| byte == b'\n').map_or(buffer.len(), |at| at + 1);
            let length = line.min(PIECE - self.piece.len());
            self.piece.extend_from_slice(&buffer[..length]);
            self.input.consume(length);
        }
        Ok(!self.piece.is_empty())
    }

    /// Skips the rest of the line that the last piece began.
    fn skip_line(&mut self) -> io::Result<()> {
        while !self.piece.ends_with(b"\n") && self.read_piece()? {}
        Ok(())
    }

    /// Reads the next mail; `None` at the end of the file.
    fn read_mail(&mut self) -> io::Result<Option<Vec<u8>>> {
        if !self.has_started {
            self.has_started = true;
            // Empty lines, or what a program wrote before the first mail, are no mail.
            while self.read_piece()? && !self.piece.starts_with(b"From ") {
                self.skip_line()?;
            }
            self.is_at_mail = !self.piece.is_empty();
        }
        if !self.is_at_mail {
            return Ok(None);
        }
        self.skip_line()?;
        self.is_at_mail = false;
        let mut mail = Vec::new();
        let mut follows_empty_line = false;
        let mut is_line_start = true;
        while self.read_piece()? {
            if is_line_start && follows_empty_line && self.piece.starts_with(b"From ") {
                self.is_at_mail = true;
                break;
            }
            let is_quoted = is_line_start && is_quoted_from(&self.piece);
            let text = if is_quoted { &self.piece[1..] } else { &self.piece[..] };
            follows_empty_line = is_line_start && (text == b"\n" || text == b"\r\n");
            let room = (MAX_MAIL_BYTES + 1).saturating_sub(mail.len());
            mail.extend_from_slice(&text[..text.len().min(room)]);
            is_line_start = self.piece.ends_with(b"\n");
        }
        // The empty line before the next mail belongs to the mbox.
        if follows_empty_line && mail.len() <= MAX_MAIL_BYTES {
            let ending = if mail.ends_with(b"\r\n") { 2 } else { 1 };
            mail.truncate(mail.len() - ending);
        }
        Ok(Some(mail))
    }
}

/// Returns whether a line is `>From `, `>>From ` and so on.
fn is_quoted_from(line: &[u8]) -> bool {
    let unquoted = line.iter().position(|&byte| byte != b'>').unwrap_or(line.len());
    unquoted > 0 && line[unquoted..].starts_with(b"From ")
}

impl<R: BufRead> Iterator for Mbox<R> {
    type Item = io::Result<Vec<u8>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read_mail().transpose()
    }
}
