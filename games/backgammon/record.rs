//! The fold of a record.

use super::Position;
use crate::kit::{Entry, Game, MoveError, Next, Transcript};

impl Position {
    /// Carries out an entry of a record.
    pub(super) fn follow(&mut self, entry: &Entry) -> Result<(), MoveError> {
        match (entry, self.next()) {
            (Entry::Rolled(roll), Next::Roll(throw) | Next::Ready(_, throw))
                if roll.fits(throw) =>
            {
                self.roll(*roll);
                Ok(())
            }
            (Entry::Moved { seat, text, .. }, next) if next.asks(*seat) => {
                let recalled = self.recall(text)?;
                self.play(&recalled);
                Ok(())
            }
            (Entry::Resigned { seat, stake }, _) => self.resign(*seat, *stake),
            _ => Err(MoveError::NothingToMove),
        }
    }

    /// The position at the end of a record.
    pub(super) fn after(transcript: &Transcript) -> Result<Self, String> {
        let mut position = Self::setup(&transcript.options);
        for (index, entry) in transcript.record.iter().enumerate() {
            position.follow(entry).map_err(|error| misfit(index, &error))?;
        }
        Ok(position)
    }
}

/// The error for an entry that does not fit its record.
pub(super) fn misfit(index: usize, error: &MoveError) -> String {
    format!("entry {} of the record does not fit: {error}", index + 1)
}
