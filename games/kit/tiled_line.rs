//! The notation of positions on tiles: the side to move, the rows from the top, then words with values,
//! as in `B .B/W. last=a2-b2`.

use super::{Seat, TiledBoard};

/// A line that is read.
pub(crate) struct TiledLine<'a> {
    /// The side to move.
    pub(crate) turn: Seat,
    /// The board with its pieces.
    pub(crate) board: TiledBoard,
    words: Vec<&'a str>,
    expected: &'static str,
}

impl<'a> TiledLine<'a> {
    /// Reads the side to move and the pieces, which are put on an empty board.
    ///
    /// # Errors
    /// The line has no such beginning; then `expected`, or what is wrong with the rows.
    pub(crate) fn read(
        mut board: TiledBoard,
        text: &'a str,
        expected: &'static str,
    ) -> Result<Self, String> {
        let mut words = text.split_ascii_whitespace();
        let is_side = |word: &str, seat: Seat| word.chars().eq([board.letter(seat)]);
        let turn =
            words.next().and_then(|word| Seat::BOTH.into_iter().find(|seat| is_side(word, *seat)));
        let turn = turn.ok_or(expected)?;
        let rows: Vec<&str> = words.next().ok_or(expected)?.split('/').collect();
        let needed: Vec<usize> = board.rows().iter().map(Vec::len).collect();
        if !rows.iter().map(|row| row.len()).eq(needed.iter().copied()) {
            let (ranks, files) = (needed.len(), board.files);
            let is_even = needed.iter().all(|length| *length == usize::from(files));
            let lengths: Vec<String> = needed.iter().map(usize::to_string).collect();
            let many = if is_even { files.to_string() } else { lengths.join(", ") };
            return Err(format!("the board has {ranks} rows of {many} {}s", board.place));
        }
        if !rows.iter().all(|row| row.is_ascii()) {
            return Err(expected.into());
        }
        board.put_rows(&rows);
        Ok(Self { turn, board, words: words.collect(), expected })
    }

    /// Takes the value of a word, as in `last=c1`.
    pub(crate) fn take(&mut self, name: &str) -> Option<&'a str> {
        let value =
            |word: &&'a str| word.strip_prefix(name).and_then(|rest| rest.strip_prefix('='));
        let at = self.words.iter().position(|word| value(word).is_some())?;
        value(&self.words.remove(at))
    }

    /// Returns the line's error.
    pub(crate) fn error(&self) -> String {
        self.expected.into()
    }

    /// Checks that all words were taken.
    ///
    /// # Errors
    /// There are more words.
    pub(crate) fn end(&self) -> Result<(), String> {
        if self.words.is_empty() { Ok(()) } else { Err(self.error()) }
    }
}

/// Writes the beginning of a line.
pub(crate) fn line_of(board: &TiledBoard, turn: Seat) -> String {
    format!("{} {}", board.letter(turn), board.marks().join("/"))
}
