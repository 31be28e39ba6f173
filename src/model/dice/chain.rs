//! Hash chains, by which nobody can know a roll before it is made.
//!
//! Each value of a chain is the SHA-256 of the next one, as 64 hexadecimal digits. If the seed
//! words of both players (the answer to the commitment, and the value) are such values, each player
//! reveals the next value of their chain with each roll. The roll follows from the newest values of
//! both. Nobody but its player knows the value that comes with a roll, and that value was fixed
//! before the opponent's newest value was known.

use super::BoardDice;
use super::commitment::hash;
use games::Seat;
use serde::{Deserialize, Serialize};

/// A revealed value, or the end of a new chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChainLink {
    /// The seat of the player.
    pub seat: u8,
    /// The value, 64 hexadecimal digits.
    pub value: String,
    /// The roll with which the value came; for the end of a new chain, the number of rolls before
    /// it.
    pub roll: usize,
    /// Whether it is the end of a new chain.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_end: bool,
}

/// Returns whether a text has the shape of a chain value.
pub fn is_link(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// A revealed value with its player: 0 gave the first word, 1 the second.
#[derive(Clone, Copy)]
pub(super) struct PlayersLink<'a> {
    pub(super) player: usize,
    pub(super) value: &'a str,
    pub(super) roll: usize,
    pub(super) is_end: bool,
}

/// The known part of a player's chain.
struct KnownChain<'a> {
    newest: &'a str,
    /// The places in the sequence of both players' values at which the chain began and its newest
    /// value came.
    begun: usize,
    latest: usize,
}

/// Checks a sequence of values and returns the first error. `first` are the starts of both chains,
/// the answer to the commitment first; `from` is the first roll that waits for a value.
pub(super) fn invalid_links<'a>(
    first: [&'a str; 2],
    from: usize,
    links: impl Iterator<Item = PlayersLink<'a>>,
) -> Option<String> {
    let mut chains = first.map(|newest| KnownChain { newest, begun: 0, latest: 1 });
    let mut rolls = from.saturating_sub(1);
    for (at, link) in (2..).zip(links) {
        let PlayersLink { player, value, roll, is_end } = link;
        if player > 1 || !is_link(value) || !first.into_iter().all(is_link) {
            return Some(format!("{value} is no value of a chain"));
        }
        let is_in_time = if is_end { roll >= rolls } else { roll > rolls };
        if !is_in_time {
            return Some(format!("the value {value} cannot have come with roll {roll}"));
        }
        rolls = roll;
        let answered = chains[1 - player].latest > chains[player].begun;
        let chain = &mut chains[player];
        if is_end {
            chain.begun = at;
        } else if hash(value) != chain.newest {
            return Some(format!("the value {value} does not belong to the chain of its player"));
        } else if !answered {
            return Some(format!("the value {value} is of a chain that does not count yet"));
        }
        (chain.newest, chain.latest) = (value, at);
    }
    None
}

/// Returns the newest values of both players that went into roll `number`, in the order of `first`;
/// `None` if no value came with the roll.
pub(super) fn inputs<'a>(
    first: [&'a str; 2],
    links: impl Iterator<Item = PlayersLink<'a>>,
    number: usize,
) -> Option<[&'a str; 2]> {
    let (mut newest, mut found) = (first, None);
    for PlayersLink { player, value, roll, is_end } in links {
        *newest.get_mut(player)? = value;
        if roll == number && !is_end {
            found = Some(newest);
        }
    }
    found
}

impl BoardDice {
    /// Returns the starts of both chains with their seats, and the first roll that waits for a
    /// value; `None` if the players have no chains.
    fn chains(&self) -> Option<([(u8, &str); 2], usize)> {
        let mut words = self.words.iter().filter(|it| it.after.is_some());
        let (answer, value) = (words.next()?, words.next()?);
        let are_chains = is_link(&answer.word) && is_link(&value.word);
        let both = [(answer.seat?, &*answer.word), (value.seat?, &*value.word)];
        are_chains.then_some((both, value.from))
    }

    /// Returns whether each player reveals a value with their rolls.
    pub fn has_chains(&self) -> bool {
        self.chains().is_some()
    }

    /// Returns the end of a player's chain and its newest known value; `None` if they have no
    /// chain.
    pub fn chain_of(&self, seat: Seat) -> Option<[&str; 2]> {
        let (first, _) = self.chains()?;
        let (_, word) = first.into_iter().find(|(of, _)| *of == seat.0)?;
        // The value of a commitment is the first value after the end of the chain.
        let committed = self.commitment.as_ref().filter(|it| it.seat == seat.0);
        let mut known = [committed.map_or(word, |it| &*it.hash), word];
        for link in self.links.iter().filter(|it| it.seat == seat.0) {
            known = [if link.is_end { &link.value } else { known[0] }, &link.value];
        }
        Some(known)
    }

    /// Returns the values of both players that went into roll `number`.
    pub(super) fn linked(&self, number: usize) -> Option<[&str; 2]> {
        let (first, _) = self.chains()?;
        inputs(first.map(|(_, word)| word), self.numbered_links(first), number)
    }

    /// Returns the revealed values with their players; player 0 gave the first word.
    fn numbered_links<'a>(
        &'a self,
        [first, _]: [(u8, &str); 2],
    ) -> impl Iterator<Item = PlayersLink<'a>> {
        let player = move |seat: u8| usize::from(seat != first.0);
        self.links.iter().map(move |it| {
            let ChainLink { seat, value, roll, is_end } = it;
            PlayersLink { player: player(*seat), value, roll: *roll, is_end: *is_end }
        })
    }

    /// Checks the revealed values and returns the first error.
    pub(super) fn invalid_links(&self) -> Option<String> {
        if self.links.is_empty() {
            return None;
        }
        let Some((first, from)) = self.chains() else {
            return Some("its players have no chains of values".into());
        };
        invalid_links(first.map(|(_, word)| word), from, self.numbered_links(first))
    }

    /// Returns whether the next roll, after `drawn` ones, waits for a value of the player. A roll
    /// that was seen and taken back comes again without a new value.
    pub fn awaits_link(&self, seat: Seat, drawn: usize) -> bool {
        let is_here = |it: &ChainLink| it.seat == seat.0 && it.roll == drawn + 1 && !it.is_end;
        let counts = self.chains().is_some_and(|(_, from)| from <= drawn + 1);
        counts && self.seen <= drawn && !self.links.iter().any(is_here)
    }

    /// Adds a value that comes with the next roll, after `drawn` ones, or the end of a new chain.
    ///
    /// # Errors
    /// The reason why the value does not count.
    pub fn take_link(
        &mut self,
        seat: Seat,
        value: &str,
        drawn: usize,
        is_end: bool,
    ) -> Result<(), String> {
        let roll = if is_end { drawn } else { drawn + 1 };
        self.links.push(ChainLink { seat: seat.0, value: value.to_owned(), roll, is_end });
        match self.invalid_links() {
            None => Ok(()),
            Some(why) => {
                self.links.pop();
                Err(why)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::vrf::SecretKey;

    /// Returns the values of a chain, the end first.
    fn chain(name: &str) -> Vec<String> {
        let mut values = vec![hash(name)];
        for _ in 0..9 {
            values.push(hash(values.last().unwrap()));
        }
        values.reverse();
        values
    }

    /// Dice of alice and bob with chains, after alice has revealed the value of her commitment.
    fn dice(alice: &[String], bob: &[String]) -> BoardDice {
        let mut dice = BoardDice::new(SecretKey::new(&[3; 32]).public());
        dice.commit(Seat(0), &alice[0]);
        dice.take_word(Seat(1), &bob[0], 2, false).unwrap();
        dice.take_word(Seat(0), &alice[1], 3, true).unwrap();
        dice
    }

    #[test]
    fn each_roll_takes_the_newest_value_of_both() {
        let (alice, bob) = (chain("alice"), chain("bob"));
        let mut dice = dice(&alice, &bob);
        assert!(!dice.awaits_link(Seat(1), 2) && dice.awaits_link(Seat(1), 3));
        assert_eq!(dice.linked(4), None);
        dice.take_link(Seat(1), &bob[1], 3, false).unwrap();
        assert!(!dice.awaits_link(Seat(1), 3));
        assert_eq!(dice.linked(4), Some([&*bob[1], &alice[1]]));
        dice.take_link(Seat(0), &alice[2], 4, false).unwrap();
        assert_eq!(dice.linked(5), Some([&*bob[1], &alice[2]]));
        assert_eq!(dice.linked(4), Some([&*bob[1], &alice[1]]), "it stays as it was");
    }

    #[test]
    fn a_value_that_is_late_repeated_or_of_no_chain_is_refused() {
        let (alice, bob) = (chain("alice"), chain("bob"));
        let mut dice = dice(&alice, &bob);
        dice.take_link(Seat(1), &bob[1], 3, false).unwrap();
        let mut refused =
            |seat, value: &str, drawn| dice.take_link(Seat(seat), value, drawn, false).unwrap_err();
        assert!(refused(1, &bob[2], 3).contains("cannot have come with roll 4"));
        assert!(refused(0, &alice[2], 2).contains("cannot have come with roll 3"));
        assert!(refused(1, &bob[1], 5).contains("does not belong to the chain"));
        assert!(refused(0, &alice[3], 4).contains("does not belong to the chain"));
        assert!(refused(0, &alice[2].to_uppercase(), 4).contains("no value of a chain"));
        assert_eq!(dice.links.len(), 1);
        dice.links[0].value = bob[2].clone();
        assert!(dice.invalid_links().is_some() && dice.invalid_words().is_some());
    }

    #[test]
    fn a_new_chain_counts_from_the_roll_after_the_next_of_the_opponent() {
        let (alice, bob, new) = (chain("alice"), chain("bob"), chain("new"));
        let mut dice = dice(&alice, &bob);
        dice.take_link(Seat(1), &bob[1], 3, false).unwrap();
        dice.take_link(Seat(0), &new[0], 4, true).unwrap();
        let early = dice.take_link(Seat(0), &new[1], 4, false).unwrap_err();
        assert!(early.contains("does not count yet"), "{early}");
        assert!(dice.take_link(Seat(0), &alice[2], 4, false).is_err(), "the old one has ended");
        dice.take_link(Seat(1), &bob[2], 5, false).unwrap();
        assert_eq!(dice.linked(6), Some([&*bob[2], &new[0]]));
        dice.take_link(Seat(0), &new[1], 6, false).unwrap();
        assert_eq!(dice.linked(7), Some([&*bob[2], &new[1]]));
    }

    #[test]
    fn a_roll_that_was_seen_and_taken_back_takes_no_value() {
        let (alice, bob) = (chain("alice"), chain("bob"));
        let mut dice = dice(&alice, &bob);
        dice.mark_seen(4);
        assert!(!dice.awaits_link(Seat(1), 3) && dice.awaits_link(Seat(0), 4));
    }

    #[test]
    fn both_players_can_begin_new_chains() {
        let (alice, bob) = (chain("alice"), chain("bob"));
        let mut dice = dice(&alice, &bob);
        let (new, other) = (chain("new"), chain("other"));
        dice.take_link(Seat(0), &new[0], 4, true).unwrap();
        dice.take_link(Seat(1), &other[0], 5, true).unwrap();
        assert!(dice.take_link(Seat(1), &other[1], 5, false).is_err());
        dice.take_link(Seat(0), &new[1], 5, false).unwrap();
        dice.take_link(Seat(1), &other[1], 6, false).unwrap();
    }
}
