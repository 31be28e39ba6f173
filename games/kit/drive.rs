//! From one decision of a player to the next: dice, forced moves, and the record of them.

use super::{AnyPosition, Choices, MoveError, Next, Roll, Seat, Thrower};

/// One line of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// Dice came up.
    Rolled(Roll),
    /// A player moved, or the server moved for him.
    Moved {
        /// Who.
        seat: Seat,
        /// The move in canonical notation.
        text: String,
        /// Whether the server played it because nothing else could be played.
        auto: bool,
    },
}

/// Throws dice and plays forced moves until a player has something to decide or the game ends.
/// Returns what happened, for the record.
pub fn advance(
    position: &mut dyn AnyPosition,
    dice: &mut dyn Thrower,
    settings: &dyn Fn(Seat) -> Choices,
) -> Vec<Entry> {
    let mut happened = Vec::new();
    loop {
        match position.next() {
            Next::Roll(throw) => {
                let roll = dice.throw(throw);
                position.roll(roll).expect("dice show what was thrown");
                happened.push(Entry::Rolled(roll));
            }
            Next::Move(seat) => {
                let Some(text) = position.auto(&settings(seat)) else { return happened };
                position.recall(&text).expect("a listed move can be carried out");
                happened.push(Entry::Moved { seat, text, auto: true });
            }
            Next::Over(_) => return happened,
        }
    }
}

/// Carries out a record on a position, without listing legal moves.
///
/// # Errors
/// The first entry that does not fit, with its index; the position stands before it.
pub fn replay<'a>(
    position: &mut dyn AnyPosition,
    record: impl IntoIterator<Item = &'a Entry>,
) -> Result<(), (usize, MoveError)> {
    for (index, entry) in record.into_iter().enumerate() {
        match entry {
            Entry::Rolled(roll) => position.roll(*roll),
            Entry::Moved { seat, text, .. } if position.next() == Next::Move(*seat) => {
                position.recall(text)
            }
            Entry::Moved { .. } => Err(MoveError::Illegal("it is the other side's turn".into())),
        }
        .map_err(|error| (index, error))?;
    }
    Ok(())
}
