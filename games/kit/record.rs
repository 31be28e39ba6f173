//! Records of games, and the functions that make and replay them.

use super::text::bare;
use super::{
    AnyPosition, Choices, Deal, Ending, Game, GameResult, MANUAL, MoveError, Next, Outcome, ROLL,
    Roll, Seat, Thrower, Transcript,
};
use std::error::Error;
use std::fmt::{self, Display};

/// An entry of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// Dice were rolled.
    Rolled(Roll),
    /// Stones were dealt.
    Laid(Deal),
    /// A move was made.
    Moved {
        /// The player.
        seat: Seat,
        /// The move in canonical notation.
        text: String,
        /// Whether the server made the move because it was forced.
        auto: bool,
    },
    /// A player resigned a stake; see [`super::Game::resign`].
    Resigned {
        /// The player.
        seat: Seat,
        /// The stake, as an index into the game's stakes from 1.
        stake: u8,
    },
}

impl Entry {
    /// Returns whether the entry is chance: dice or stones.
    pub const fn is_chance(&self) -> bool {
        matches!(self, Self::Rolled(_) | Self::Laid(_))
    }

    /// Returns whether this seat chose the entry: neither chance nor a forced move.
    pub fn is_decision_of(&self, of: Seat) -> bool {
        match self {
            Self::Rolled(_) | Self::Laid(_) => false,
            Self::Moved { seat, auto, .. } => *seat == of && !auto,
            Self::Resigned { seat, .. } => *seat == of,
        }
    }
}

/// How the server acts for the player of a seat.
#[derive(Clone, Debug, Default)]
pub struct SeatSettings {
    /// The player's settings.
    pub settings: Choices,
    /// The program's level, if a program plays this seat.
    pub level: Option<u8>,
}

/// Carries out a player's text: a move, several moves where one turn allows them, or `roll`.
/// Returns the record entries, at least one.
///
/// # Errors
/// The text is not legal here. The position is unchanged.
pub fn play_text(
    position: &mut dyn AnyPosition,
    seat: Seat,
    text: &str,
    dice: &mut dyn Thrower,
) -> Result<Vec<Entry>, MoveError> {
    let is_roll = bare(text).eq_ignore_ascii_case(ROLL);
    match position.next() {
        Next::Ready(_, throw) if is_roll => {
            let roll = dice.throw(throw);
            position.roll(roll).expect("dice show what was thrown");
            Ok(vec![Entry::Rolled(roll)])
        }
        Next::Move(_) if is_roll && !position.can_read(text) => {
            Err(MoveError::Illegal("the dice are already rolled".into()))
        }
        _ if position.manner().has_multi_move_turns => play_presses(position, seat, text),
        _ => Ok(vec![Entry::Moved { seat, text: position.play(text)?, auto: false }]),
    }
}

/// Plays moves separated by commas or blanks, then ends the turn if it has begun.
fn play_presses(
    position: &mut dyn AnyPosition,
    seat: Seat,
    text: &str,
) -> Result<Vec<Entry>, MoveError> {
    let mut tried = position.copy();
    let mut entries = Vec::new();
    for (at, word) in position.presses(text) {
        if !entries.is_empty() && !tried.next().asks(seat) {
            return Err(MoveError::Illegal(format!("your turn has ended before {word}")));
        }
        let text = tried.play(word).map_err(|error| match error {
            MoveError::Unreadable { at: within, expected } => {
                MoveError::Unreadable { at: at + within, expected }
            }
            error => error,
        })?;
        entries.push(Entry::Moved { seat, text, auto: false });
    }
    if let Some(text) = tried.finish().filter(|_| tried.next().asks(seat)) {
        entries.push(Entry::Moved { seat, text, auto: false });
    }
    replay(position, &entries).expect("what was tried can be done");
    Ok(entries)
}

/// Rolls dice, deals stones, and makes forced moves and programs' moves until a player has a
/// decision or the game ends. Returns the new record entries.
pub fn advance(
    position: &mut dyn AnyPosition,
    dice: &mut dyn Thrower,
    seat_settings: &dyn Fn(Seat) -> SeatSettings,
) -> Vec<Entry> {
    let mut entries = Vec::new();
    loop {
        if let Next::Ready(seat, _) = position.next() {
            let SeatSettings { settings, level } = seat_settings(seat);
            if let Some(stake) = level.and_then(|_| position.resignation()) {
                position.resign(seat, stake).expect("a side that gives up may resign");
                entries.push(Entry::Resigned { seat, stake });
                continue;
            }
            let chosen =
                level.and_then(|level| position.choose(level, &mut |limit| dice.below(limit)));
            if let Some(text) = chosen {
                position.play_recorded(&text).expect("a listed move can be carried out");
                entries.push(Entry::Moved { seat, text, auto: false });
                continue;
            }
            let rolls_by_hand = settings.has(MANUAL.switch.name) && position.asks_to_roll();
            if level.is_none() && (rolls_by_hand || dice.awaits(seat)) {
                return entries;
            }
        }
        match position.next() {
            Next::Roll(throw) | Next::Ready(_, throw) => {
                let roll = dice.throw(throw);
                position.roll(roll).expect("dice show what was thrown");
                entries.push(Entry::Rolled(roll));
            }
            Next::Deal => {
                let stones = dice.deal(position);
                position.lay(stones.clone()).expect("what is dealt can be laid");
                entries.push(Entry::Laid(stones));
            }
            Next::Move(seat) => {
                let SeatSettings { settings, level } = seat_settings(seat);
                let forced = position.automatic_move(&settings);
                let auto = forced.is_some();
                let chosen = || position.choose(level?, &mut |limit| dice.below(limit));
                let Some(text) = forced.or_else(chosen) else { return entries };
                position.play_recorded(&text).expect("a listed move can be carried out");
                entries.push(Entry::Moved { seat, text, auto });
            }
            Next::Over(_) => return entries,
        }
    }
}

/// An entry that does not fit its record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayError {
    /// The index of the entry.
    pub index: usize,
    /// Why it cannot be carried out.
    pub error: MoveError,
}

impl Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "entry {} of the record does not fit: {}", self.index + 1, self.error)
    }
}

impl Error for ReplayError {}

/// Replays a record on a position without listing legal moves.
///
/// # Errors
/// The first entry that does not fit. The position stays before that entry.
pub fn replay<'a>(
    position: &mut dyn AnyPosition,
    record: impl IntoIterator<Item = &'a Entry>,
) -> Result<(), ReplayError> {
    for (index, entry) in record.into_iter().enumerate() {
        position.apply(entry).map_err(|error| ReplayError { index, error })?;
    }
    Ok(())
}

impl Transcript {
    /// Returns who won: by the rules, with this at the end of the record, or by an end outside of them.
    pub(crate) fn result(&self, next: &Next) -> GameResult {
        match (next, self.ending) {
            (Next::Over(Outcome::Won { by, .. }), _) => GameResult::Won(*by),
            (Next::Over(Outcome::Drawn { .. }), _) | (_, Some(Ending::Drawn)) => GameResult::Drawn,
            (_, Some(Ending::Resigned(seat) | Ending::OutOfTime(seat))) => {
                GameResult::Won(seat.other())
            }
            (_, None) => GameResult::None,
        }
    }

    /// Replays the record and returns the position at its end.
    ///
    /// # Errors
    /// The first entry that does not fit.
    pub(crate) fn replay<G: Game>(&self) -> Result<G, ReplayError> {
        let mut position = G::setup(&self.options);
        for (index, entry) in self.record.iter().enumerate() {
            apply_entry(&mut position, entry).map_err(|error| ReplayError { index, error })?;
        }
        Ok(position)
    }
}

/// Applies an entry of a record without listing legal moves.
///
/// # Errors
/// The entry does not fit. The position is unchanged.
pub(crate) fn apply_entry<G: Game>(position: &mut G, entry: &Entry) -> Result<(), MoveError> {
    match (entry, position.next()) {
        (Entry::Rolled(roll), Next::Roll(throw) | Next::Ready(_, throw)) => {
            if !roll.fits(throw) {
                return Err(MoveError::Illegal(format!("{roll} is not a roll of these dice")));
            }
            position.roll(*roll);
            Ok(())
        }
        (Entry::Rolled(_), _) => Err(MoveError::Illegal("no roll is due now".into())),
        (Entry::Laid(stones), Next::Deal) => position.lay(stones),
        (Entry::Laid(_), _) => Err(MoveError::Illegal("no stones are due now".into())),
        (Entry::Moved { seat, text, .. }, next) if next.asks(*seat) => {
            let recorded = position.read_recorded(text)?;
            position.play(&recorded);
            Ok(())
        }
        (Entry::Moved { .. }, _) => Err(MoveError::Illegal("it is the other side's turn".into())),
        (Entry::Resigned { seat, stake }, _) => {
            let exists = (1..=G::SPEC.stakes.len()).contains(&usize::from(*stake));
            if !exists || seat.index() > 1 {
                return Err(MoveError::NothingToMove);
            }
            position.resign(*seat, *stake)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Scripted, Throw};
    use super::*;
    use crate::kit::Roll;

    /// Returns Plakoto's start before the roll of `side`.
    fn plakoto(side: &str) -> Box<dyn AnyPosition> {
        let game = crate::find("plakoto").unwrap();
        let start = game.setup(&Choices::default()).notation();
        game.place(&Choices::default(), &start.replace("- - ", &format!("{side} - "))).unwrap()
    }

    #[test]
    fn roll_is_said_in_any_case_and_between_blanks() {
        for text in ["roll", "ROLL", "Roll", " roll", "roll \t"] {
            let mut position = plakoto("O");
            let mut dice = Scripted::new([Roll::Two(6, 2)]);
            let said = play_text(&mut *position, Seat(0), text, &mut dice);
            assert_eq!(said, Ok(vec![Entry::Rolled(Roll::Two(6, 2))]), "{text:?}");
            assert_eq!(position.next(), Next::Move(Seat(0)));
            let again = MoveError::Illegal("the dice are already rolled".into());
            assert_eq!(play_text(&mut *position, Seat(0), text, &mut dice), Err(again), "{text:?}");
        }
    }

    #[test]
    fn a_record_in_which_the_wrong_side_moves_is_refused_there() {
        let moved = |seat| Entry::Moved { seat, text: "1-7,1-3".into(), auto: false };
        let rolled = Entry::Rolled(Roll::Two(6, 2));
        let mut position = plakoto("O");
        let wrong = MoveError::Illegal("it is the other side's turn".into());
        assert_eq!(
            replay(&mut *position, [&rolled, &moved(Seat(1))]),
            Err(ReplayError { index: 1, error: wrong })
        );
        assert_eq!(position.next(), Next::Move(Seat(0)));
        assert_eq!(replay(&mut *position, [&moved(Seat(0))]), Ok(()));
        assert_eq!(position.next(), Next::Ready(Seat(1), Throw::new(2, 6)));
    }
}
