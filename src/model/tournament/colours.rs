//! Who moves first: the colour rules of the FIDE Dutch system (Handbook C.04.3, article 5).
//!
//! "Colour" is the word of the trade for the seat: the first seat is white.

use super::field::{EntrantIndex, Field};
use std::cmp::Ordering;

/// How strongly an entrant is due a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strength {
    /// No game yet.
    None,
    /// The seats are balanced; the other seat than in the last game is preferred.
    Mild,
    /// One seat was taken once more often than the other.
    Strong,
    /// One seat was taken twice more often, or in the last two games.
    Absolute,
}

/// The seats that an entrant had, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeatHistory {
    seats: Vec<usize>,
}

impl SeatHistory {
    /// Returns the seats of an entrant.
    pub fn of(field: &Field, entrant: EntrantIndex) -> Self {
        Self { seats: field.games_of(entrant).filter_map(|game| game.seat_of(entrant)).collect() }
    }

    /// Returns how often the first seat was taken more often than the second.
    pub fn balance(&self) -> i64 {
        self.seats.iter().map(|seat| if *seat == 0 { 1 } else { -1 }).sum()
    }

    /// Returns the seat that is due; `None` before the first game.
    pub fn due(&self) -> Option<usize> {
        let last = *self.seats.last()?;
        if self.took_twice() {
            return Some(1 - last);
        }
        match self.balance().cmp(&0) {
            Ordering::Greater => Some(1),
            Ordering::Less => Some(0),
            Ordering::Equal => Some(1 - last),
        }
    }

    /// Returns how strongly the seat is due.
    pub fn strength(&self) -> Strength {
        match self.balance().abs() {
            _ if self.seats.is_empty() => Strength::None,
            2.. => Strength::Absolute,
            _ if self.took_twice() => Strength::Absolute,
            1 => Strength::Strong,
            _ => Strength::Mild,
        }
    }

    fn took_twice(&self) -> bool {
        matches!(self.seats[..], [.., before, last] if before == last)
    }
}

/// Returns whether both are due the same seat absolutely, so that they must not meet.
pub fn clash(one: &SeatHistory, other: &SeatHistory) -> bool {
    one.strength() == Strength::Absolute
        && other.strength() == Strength::Absolute
        && one.due() == other.due()
}

/// Returns the seat of the higher-ranked of two players. Both get the seat that they are due if
/// possible, else the one to whom it is due more strongly. Then they alternate from the latest round
/// in which one had the first and the other the second seat. Then the higher-ranked gets the due
/// seat. If none is due, `first` is the seat of the higher-ranked player.
pub fn seat_of_higher(higher: &SeatHistory, lower: &SeatHistory, first: usize) -> usize {
    let (Some(due), Some(of_lower)) = (higher.due(), lower.due()) else {
        return higher.due().or(lower.due().map(|seat| 1 - seat)).unwrap_or(first);
    };
    if due != of_lower {
        return due;
    }
    let by_strength = higher.strength().cmp(&lower.strength());
    let by_balance = higher.balance().abs().cmp(&lower.balance().abs());
    let order = match by_strength {
        Ordering::Equal if higher.strength() == Strength::Absolute => by_balance,
        other => other,
    };
    match order {
        Ordering::Greater => due,
        Ordering::Less => 1 - due,
        Ordering::Equal => {
            let latest = higher.seats.iter().rev().zip(lower.seats.iter().rev());
            let differ = latest.into_iter().find(|(one, other)| one != other);
            differ.map_or(due, |(seat, _)| 1 - seat)
        }
    }
}
