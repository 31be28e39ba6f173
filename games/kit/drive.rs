//! From one decision of a player to the next: dice, forced moves, and the record of them.

use super::text::{bare, presses};
use super::{AnyPosition, Choices, Entry, MANUAL, MoveError, Next, ROLL, Seat, Thrower};

/// What is done for the player of a seat.
#[derive(Clone, Debug, Default)]
pub struct SeatSettings {
    /// Their settings.
    pub settings: Choices,
    /// The level of the program, where it plays that seat.
    pub level: Option<u8>,
}

/// Carries out a player's words: a move, or several where a turn can have them, or a throw of the
/// dice. Returns them as the record has them, at least one.
///
/// # Errors
/// The words mean nothing that can be done here; nothing has changed.
pub fn say(
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
        Next::Move(_) if is_roll && !position.spells(text) => {
            Err(MoveError::Illegal("the dice are thrown already".into()))
        }
        _ if position.manner().several => several(position, seat, text),
        _ => Ok(vec![Entry::Moved { seat, text: position.play(text)?, auto: false }]),
    }
}

/// Carries out moves with commas or blanks between them, and ends the turn that they have begun.
fn several(
    position: &mut dyn AnyPosition,
    seat: Seat,
    text: &str,
) -> Result<Vec<Entry>, MoveError> {
    let mut tried = position.copy();
    let mut entries = Vec::new();
    for (at, word) in presses(text) {
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

/// Throws dice, lays stones and makes moves, forced ones and those of seats that the program plays,
/// until a player has something to decide or the game ends. Returns what happened, for the record.
pub fn advance(
    position: &mut dyn AnyPosition,
    dice: &mut dyn Thrower,
    likes: &dyn Fn(Seat) -> SeatSettings,
) -> Vec<Entry> {
    let mut happened = Vec::new();
    loop {
        if let Next::Ready(seat, _) = position.next() {
            let SeatSettings { settings, level } = likes(seat);
            if let Some(stake) = level.and_then(|_| position.gives_up()) {
                position.resign(seat, stake).expect("who gives up may resign");
                happened.push(Entry::Resigned { seat, stake });
                continue;
            }
            let chosen =
                level.and_then(|level| position.choose(level, &mut |limit| dice.below(limit)));
            if let Some(text) = chosen {
                position.recall(&text).expect("a listed move can be carried out");
                happened.push(Entry::Moved { seat, text, auto: false });
                continue;
            }
            if level.is_none() && settings.has(MANUAL.switch.name) && position.asks_to_roll() {
                return happened;
            }
        }
        match position.next() {
            Next::Roll(throw) | Next::Ready(_, throw) => {
                let roll = dice.throw(throw);
                position.roll(roll).expect("dice show what was thrown");
                happened.push(Entry::Rolled(roll));
            }
            Next::Deal => {
                let stones = dice.deal(position);
                position.lay(stones).expect("what is dealt can be laid");
                happened.push(Entry::Laid(stones));
            }
            Next::Move(seat) => {
                let SeatSettings { settings, level } = likes(seat);
                let forced = position.auto(&settings);
                let auto = forced.is_some();
                let chosen = || position.choose(level?, &mut |limit| dice.below(limit));
                let Some(text) = forced.or_else(chosen) else { return happened };
                position.recall(&text).expect("a listed move can be carried out");
                happened.push(Entry::Moved { seat, text, auto });
            }
            Next::Over(_) => return happened,
        }
    }
}

/// Carries out a record on a position, without listing legal moves.
///
/// # Errors
/// The first entry that does not fit, with its index; the position is the one before it.
pub fn replay<'a>(
    position: &mut dyn AnyPosition,
    record: impl IntoIterator<Item = &'a Entry>,
) -> Result<(), (usize, MoveError)> {
    for (index, entry) in record.into_iter().enumerate() {
        match entry {
            Entry::Rolled(roll) => position.roll(*roll),
            Entry::Laid(stones) => position.lay(*stones),
            Entry::Moved { seat, text, .. } if position.next().asks(*seat) => position.recall(text),
            Entry::Resigned { seat, stake } => position.resign(*seat, *stake),
            Entry::Moved { .. } => Err(MoveError::Illegal("it is the other side's turn".into())),
        }
        .map_err(|error| (index, error))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::{Scripted, Throw};
    use super::*;
    use crate::kit::Roll;

    /// Plakoto's start, before the throw of that side.
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
            let said = say(&mut *position, Seat(0), text, &mut dice);
            assert_eq!(said, Ok(vec![Entry::Rolled(Roll::Two(6, 2))]), "{text:?}");
            assert_eq!(position.next(), Next::Move(Seat(0)));
            let again = MoveError::Illegal("the dice are thrown already".into());
            assert_eq!(say(&mut *position, Seat(0), text, &mut dice), Err(again), "{text:?}");
        }
    }

    #[test]
    fn a_record_in_which_the_wrong_side_moves_is_refused_there() {
        let moved = |seat| Entry::Moved { seat, text: "1-7,1-3".into(), auto: false };
        let rolled = Entry::Rolled(Roll::Two(6, 2));
        let mut position = plakoto("O");
        let wrong = MoveError::Illegal("it is the other side's turn".into());
        assert_eq!(replay(&mut *position, [&rolled, &moved(Seat(1))]), Err((1, wrong)));
        assert_eq!(position.next(), Next::Move(Seat(0)));
        assert_eq!(replay(&mut *position, [&moved(Seat(0))]), Ok(()));
        assert_eq!(position.next(), Next::Ready(Seat(1), Throw::new(2, 6)));
    }
}
