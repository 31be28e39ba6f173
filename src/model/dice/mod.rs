//! How the rolls of a board can be checked.
//!
//! Each roll and each deal of a board has a number, counted in its record from 1. The faces follow
//! from the key of the board and from this number: nobody can choose them, not even by making
//! another move, and a roll that is taken back and thrown again is the same. The input is
//! [`BoardDice::input`]; [`base::vrf`](crate::base::vrf) and [`base::lots`](crate::base::lots) make
//! the output.

mod chain;
mod commitment;
mod draws;
mod inspect;
mod keys;
mod mend;
mod read;
mod sheet;
pub mod tally;

pub use chain::{ChainLink, is_link};
pub use commitment::{Commitment, LOST, SeedError, WaitingWord, WantedSeed, is_commitment};
pub use draws::BoardRandom;
pub use inspect::inspect;
pub use keys::DiceKeys;
pub use mend::mend;
pub use read::{RollLevel, RollVerdict, SheetReport, SteeredBy, check, digests};
pub use sheet::{RollRange, RollSheet, digest, head, levels, links_since};

use crate::base::ids::BoardId;
use crate::base::random_stream::RandomStream;
use crate::base::time::Time;
use crate::base::vrf::PublicKey;
use games::Seat;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

/// The last roll from which a word counts that a player gives with their first move.
const LATEST_WORD: usize = 3;

/// Letters of a seed word at most.
const LONGEST: usize = 32;

/// How the chance of a board can be checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoardDice {
    /// The public half of its key.
    #[serde(with = "in_hex")]
    pub key: PublicKey,
    /// The rules by which words count: 1 on boards that began before players could commit
    /// themselves to a value, where a word counted from any roll that nobody had seen.
    #[serde(default = "first_rules", skip_serializing_if = "is_first_rules")]
    pub rules: u8,
    /// The value to which the challenger has committed themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commitment: Option<Commitment>,
    /// The word of the other player, which counts once that value is revealed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting: Option<WaitingWord>,
    /// The words that were mixed in, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<SeedWord>,
    /// The values of chains that were revealed, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<ChainLink>,
    /// How many rolls were ever seen, where some of them were taken back.
    #[serde(default, skip_serializing_if = "is_zero")]
    seen: usize,
}

/// A word that a player has mixed into the dice, or the operator to have new ones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeedWord {
    /// The seat of the player; the operator has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<u8>,
    /// The word.
    pub word: String,
    /// The first roll that it is in.
    pub from: usize,
    /// How many rolls there were when it was given, where that was after the first one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<usize>,
}

/// Why something in a record was not drawn as its number says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UndrawnReason {
    /// It came again from an earlier board, which a player gave up before the first move.
    Again,
    /// It was played elsewhere.
    Imported,
    /// The operator has written it.
    Operator,
}

impl UndrawnReason {
    /// All of them, each with its word in a record and in a sheet.
    pub const ALL: [(Self, &'static str); 3] =
        [(Self::Again, "again"), (Self::Imported, "imported"), (Self::Operator, "operator")];

    /// Its word.
    pub fn word(self) -> &'static str {
        let found = Self::ALL.iter().find(|(why, _)| *why == self);
        found.map_or("", |(_, word)| word)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape that serde asks for")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// Whether that can be a seed word: a few letters, digits and signs that no mail program changes.
pub fn is_seed_word(word: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    is_link(word) || (1..=LONGEST).contains(&word.len()) && word.bytes().all(plain)
}

/// The newest rules by which words count.
pub const RULES: u8 = 2;

fn first_rules() -> u8 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape that serde asks for")]
fn is_first_rules(rules: &u8) -> bool {
    *rules == 1
}

/// The input of a draw: rules, board, when it began, the commitment, the words mixed in before this
/// roll, and the newest values of chains, where one came with it.
pub(super) fn input<'a>(
    rules: u8,
    board: BoardId,
    began: Time,
    commitment: Option<&str>,
    words: impl Iterator<Item = (&'a str, usize)>,
    linked: Option<[&str; 2]>,
    number: usize,
) -> String {
    let mut mixed = String::new();
    if let Some(hash) = commitment {
        let _ = writeln!(mixed, "commitment {hash}");
    }
    for (word, _) in words.filter(|(_, from)| *from <= number) {
        let _ = writeln!(mixed, "word {word}");
    }
    for value in linked.into_iter().flatten() {
        let _ = writeln!(mixed, "link {value}");
    }
    format!("postboard dice {rules}\n{board}\nbegan {}\n{mixed}roll {number}\n", began.unix())
}

impl BoardDice {
    /// A board's that is about to begin.
    pub fn new(key: PublicKey) -> Self {
        Self {
            key,
            rules: RULES,
            commitment: None,
            waiting: None,
            words: Vec::new(),
            links: Vec::new(),
            seen: 0,
        }
    }

    /// The input of the roll of that number on that board.
    pub fn input(&self, board: BoardId, began: Time, number: usize) -> String {
        let words = self.words.iter().map(|one| (&*one.word, one.from));
        let commitment = self.commitment.as_ref().map(|it| &*it.hash);
        input(self.rules, board, began, commitment, words, self.linked(number), number)
    }

    /// Mixes a word in, for all rolls that nobody has seen yet; `rolled` have been, as far as the record
    /// tells.
    pub fn mix(&mut self, seat: Option<Seat>, word: String, rolled: usize) {
        let seen = if seat.is_some() { self.seen.max(rolled) } else { rolled };
        let seat = seat.map(|seat| seat.0);
        self.words.push(SeedWord { seat, word, from: seen + 1, after: None });
    }

    /// Whether a player has mixed in a word already.
    pub fn has_word_of(&self, seat: Seat) -> bool {
        self.words.iter().any(|word| word.seat == Some(seat.0))
    }

    /// Remembers that so many rolls have been seen.
    pub(super) fn have_seen(&mut self, rolled: usize) {
        self.seen = self.seen.max(rolled);
    }

    /// The seats have changed places, before the first move.
    pub fn swap(&mut self) {
        let other = |seat: u8| 1 - seat.min(1);
        for word in &mut self.words {
            word.seat = word.seat.map(other);
        }
        if let Some(commitment) = &mut self.commitment {
            commitment.seat = other(commitment.seat);
        }
    }
}

/// A public key as a document has it.
mod in_hex {
    use super::PublicKey;
    use serde::de::Error as _;
    use serde::{Deserialize as _, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(key: &PublicKey, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(key)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<PublicKey, D::Error> {
        let hex = String::deserialize(from)?;
        PublicKey::named(&hex).ok_or_else(|| D::Error::custom("that is no key of dice"))
    }
}

/// Lots for a roll, by a key that is known.
fn lots(key: &crate::base::vrf::SecretKey, input: &str) -> RandomStream {
    RandomStream::new(key.output(input.as_bytes()))
}
