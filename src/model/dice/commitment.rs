//! Commitments to a value, by which neither player, nor the operator together with one of them, can
//! choose the dice.
//!
//! The challenger sends the SHA-256 of a value with the challenge. The opponent answers with a word
//! beside their first move. The challenger reveals the value with the next move. From the roll
//! after that move, both are inputs of each roll: the challenger was bound before the opponent's
//! word, and the opponent gave the word before anybody else knew the value. The rules fix from
//! which roll both count, so nobody can choose that either.

use super::{BoardDice, SeedWord};
use data_encoding::HEXLOWER;
use games::Seat;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// A commitment to a value: its SHA-256.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Commitment {
    /// The seat of the player.
    pub seat: u8,
    /// The digest, 64 hexadecimal digits in lower case.
    pub hash: String,
}

impl Commitment {
    /// Returns whether `value` is the value of the commitment.
    pub fn is_of(&self, value: &str) -> bool {
        hash(value) == self.hash
    }
}

/// The word that answers a commitment. It counts once the value is revealed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WaitingWord {
    /// The seat of the player.
    pub seat: u8,
    /// The word.
    pub word: String,
    /// The number of rolls when it was given.
    pub after: usize,
    /// Whether the challenger had lost the value when it was due, so that the word never counts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_lost: bool,
}

impl WaitingWord {
    /// Returns the number of rolls after which the value was reported lost.
    pub fn lost_after(&self) -> Option<usize> {
        self.is_lost.then_some(self.after + 1)
    }
}

/// What a challenger writes instead of a lost value.
pub const LOST: &str = "lost";

/// What a player may or must give with their next move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WantedSeed {
    /// A seed word with the first move; optional.
    Word,
    /// The value of the commitment, or [`LOST`].
    Value,
    /// The next value of their chain, with a roll.
    Link,
}

impl WantedSeed {
    /// Returns the name in the API.
    pub fn name(self) -> &'static str {
        match self {
            Self::Word => "word",
            Self::Value => "value",
            Self::Link => "link",
        }
    }
}

/// The reason why a word or value is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeedError {
    /// The challenge has no commitment, so the player with the last word could choose the rolls.
    NoCommitment,
    /// The opponent has given no word yet.
    TooEarly,
    /// The value does not match the commitment.
    OtherValue,
    /// The player has already given a word, or has moved.
    TooLate,
}

/// Returns the digest of a commitment: `sha256:` and 64 hexadecimal digits.
pub fn commitment_digest(seed: &str) -> Option<&str> {
    let (kind, hash) = seed.split_once(':')?;
    let is_digest = hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    (kind.eq_ignore_ascii_case("sha256") && is_digest).then_some(hash)
}

/// Returns the SHA-256 of a value, as `printf %s value | sha256sum` prints it.
pub(super) fn hash(value: &str) -> String {
    HEXLOWER.encode(&Sha256::digest(value))
}

/// Returns the first roll that the word and the value count for: the opponent moves after roll
/// `after`, the challenger after the next one.
pub(super) const fn counts_from(after: usize) -> usize {
    after.saturating_add(2)
}

impl BoardDice {
    /// Sets the commitment of a player.
    pub fn commit(&mut self, seat: Seat, hash: &str) {
        self.commitment = Some(Commitment { seat: seat.0, hash: hash.to_ascii_lowercase() });
    }

    /// Returns whether the player must reveal their value with a move after `drawn` rolls.
    pub fn is_value_due(&self, seat: Seat, drawn: usize) -> bool {
        self.commitment.as_ref().is_some_and(|it| it.seat == seat.0) && self.is_due(drawn)
    }

    /// Returns whether the value counts if it is revealed now. If the challenger could not move at
    /// once, or rolls were taken back, the opponent's word is void and the rolls continue without
    /// both.
    fn is_due(&self, drawn: usize) -> bool {
        let Some(waiting) = &self.waiting else { return false };
        let is_next = drawn + 1 == counts_from(waiting.after);
        is_next && self.seen <= drawn && !waiting.is_lost
    }

    /// Returns what the player can give with a move after `drawn` rolls.
    pub fn wants(&self, seat: Seat, drawn: usize, has_moved: bool) -> Option<WantedSeed> {
        let is_value = self.is_value_due(seat, drawn).then_some(WantedSeed::Value);
        let is_word = self.rules > 1 && !has_moved && self.wants_word(seat);
        is_value.or(is_word.then_some(WantedSeed::Word))
    }

    /// Returns whether the opponent of the challenger may still give a word.
    fn wants_word(&self, seat: Seat) -> bool {
        self.commitment.as_ref().is_some_and(|it| it.seat != seat.0) && self.waiting.is_none()
    }

    /// Takes a word that comes with a move after `drawn` rolls: the answer to a commitment, or its
    /// value.
    ///
    /// # Errors
    /// The word does not count.
    pub fn take_word(
        &mut self,
        seat: Seat,
        word: &str,
        drawn: usize,
        has_moved: bool,
    ) -> Result<(), SeedError> {
        let Some(commitment) = &self.commitment else { return Err(SeedError::NoCommitment) };
        if commitment.seat != seat.0 {
            if has_moved || self.waiting.is_some() {
                return Err(SeedError::TooLate);
            }
            let (seat, word) = (seat.0, word.to_owned());
            self.waiting = Some(WaitingWord { seat, word, after: drawn, is_lost: false });
            return Ok(());
        }
        let is_due = self.is_due(drawn);
        let is_of = commitment.is_of(word);
        let Some(waiting) = &mut self.waiting else { return Err(SeedError::TooEarly) };
        if word == LOST && !is_of && is_due {
            waiting.is_lost = true;
            return Ok(());
        }
        if !is_of {
            return Err(SeedError::OtherValue);
        }
        if !is_due {
            let early = drawn < waiting.after + 1;
            return Err(if early { SeedError::TooEarly } else { SeedError::TooLate });
        }
        let WaitingWord { seat: other, word: answer, after, .. } = waiting.clone();
        let from = counts_from(after);
        for (seat, word) in [(other, answer), (seat.0, word.to_owned())] {
            self.words.push(SeedWord { seat: Some(seat), word, from, after: Some(after) });
        }
        self.waiting = None;
        Ok(())
    }

    /// Checks that players can have given the words of the board, and returns the first error.
    pub fn invalid_words(&self) -> Option<String> {
        let late: Vec<&SeedWord> = self.words.iter().filter(|it| is_late(it)).collect();
        let wrong = |word: &SeedWord| {
            format!("the seed word `{}` counts from roll {}, and cannot", word.word, word.from)
        };
        if self.rules < super::RULES {
            let is_wrong = |it: &&SeedWord| it.after.is_some() || it.from > super::LATEST_WORD;
            return late.into_iter().find(is_wrong).map(wrong);
        }
        match late[..] {
            [] => self.invalid_links(),
            [answer, value] if is_pair(self.commitment.as_ref(), answer, value) => {
                self.invalid_links()
            }
            [first, ..] => Some(wrong(first)),
        }
    }
}

/// Returns whether a player gave the word, or claims to have given it, after the start of the game.
fn is_late(word: &SeedWord) -> bool {
    word.seat.is_some() && (word.from > 1 || word.after.is_some())
}

/// Returns whether two words are the answer to a commitment and its value.
fn is_pair(commitment: Option<&Commitment>, answer: &SeedWord, value: &SeedWord) -> bool {
    let Some(commitment) = commitment else { return false };
    let counts = |word: &SeedWord| word.after.is_some_and(|after| word.from == counts_from(after));
    answer.seat == Some(1 - commitment.seat.min(1))
        && value.seat == Some(commitment.seat)
        && commitment.is_of(&value.word)
        && (answer.from, answer.after) == (value.from, value.after)
        && counts(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::vrf::SecretKey;

    /// Dice of a board whose first player has committed to `value`.
    fn dice() -> BoardDice {
        let mut dice = BoardDice::new(SecretKey::new(&[3; 32]).public());
        dice.commit(Seat(0), &hash("value").to_uppercase());
        dice
    }

    #[test]
    fn the_value_is_due_with_the_first_move_after_the_word_and_only_then() {
        let mut dice = dice();
        assert_eq!(dice.take_word(Seat(0), "value", 1, false), Err(SeedError::TooEarly));
        assert_eq!(dice.take_word(Seat(1), "word", 2, true), Err(SeedError::TooLate));
        assert_eq!(dice.take_word(Seat(1), "word", 2, false), Ok(()));
        assert_eq!(dice.take_word(Seat(1), "another", 2, false), Err(SeedError::TooLate));
        for (seat, drawn, due) in
            [(0, 2, false), (0, 3, true), (1, 3, false), (0, 4, false), (0, 5, false)]
        {
            assert_eq!(dice.is_value_due(Seat(seat), drawn), due, "{seat} {drawn}");
        }
        assert_eq!(dice.take_word(Seat(0), "Value", 3, true), Err(SeedError::OtherValue));
        // A challenger who could not move at once keeps the rolls of the start.
        assert_eq!(dice.take_word(Seat(0), "value", 5, true), Err(SeedError::TooLate));
        assert_eq!(dice.take_word(Seat(0), "value", 3, true), Ok(()));
        let words = dice.words.iter().map(|it| (it.seat, &*it.word, it.from)).collect::<Vec<_>>();
        assert_eq!(words, [(Some(1), "word", 4), (Some(0), "value", 4)]);
        assert!(!dice.is_value_due(Seat(0), 3) && dice.invalid_words().is_none());
    }

    #[test]
    fn a_word_is_void_where_later_rolls_were_seen() {
        let mut dice = dice();
        dice.take_word(Seat(1), "word", 2, false).unwrap();
        dice.mark_seen(5);
        assert!(!dice.is_value_due(Seat(0), 3));
        assert_eq!(dice.take_word(Seat(0), "value", 3, true), Err(SeedError::TooLate));
    }

    #[test]
    fn a_value_can_be_lost_when_it_is_due_and_only_then() {
        let mut dice = dice();
        dice.take_word(Seat(1), "word", 2, false).unwrap();
        assert_eq!(dice.wants(Seat(0), 3, true), Some(WantedSeed::Value));
        assert_eq!(dice.take_word(Seat(0), LOST, 2, true), Err(SeedError::OtherValue));
        assert_eq!(dice.take_word(Seat(0), LOST, 3, true), Ok(()));
        assert_eq!(dice.wants(Seat(0), 3, true), None);
        assert_eq!(dice.take_word(Seat(0), "value", 3, true), Err(SeedError::TooLate));
        assert!(dice.words.is_empty() && dice.invalid_words().is_none());
        assert_eq!(dice.waiting.as_ref().and_then(WaitingWord::lost_after), Some(3));
    }

    #[test]
    fn the_commitment_stays_with_its_player() {
        let mut dice = dice();
        dice.swap();
        assert_eq!(dice.commitment.as_ref().map(|it| it.seat), Some(1));
        assert_eq!(dice.take_word(Seat(1), "value", 1, false), Err(SeedError::TooEarly));
    }
}
