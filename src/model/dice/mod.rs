//! Verifiable dice.
//!
//! Each roll and each deal of a board has a number, counted from 1 in its record. The result
//! follows from the key of the board and from this number. Nobody can choose it, not even by
//! playing another move, and a roll that is taken back and thrown again is the same.
//! [`BoardDice::input`] builds the input; [`base::vrf`](crate::base::vrf) and
//! [`base::random_stream`](crate::base::random_stream) compute the output.
//!
//! | file | contains |
//! |---|---|
//! | `board_random.rs` | the source of a board's rolls |
//! | `commitment.rs`, `chain.rs` | the values that players add |
//! | `sheet.rs`, `verify.rs` | writes and checks sheets of rolls with proofs |
//! | `audit.rs` | checks the rolls in a board's document |
//! | `keys.rs` | the keys of a home |
//! | `statistics.rs` | counts of rolls and tests of fairness |

mod audit;
mod board_random;
mod chain;
mod commitment;
mod keys;
mod sheet;
pub mod statistics;
mod verify;

pub use audit::{check_rolls, mark_edited_rolls};
pub use board_random::BoardRandom;
pub use chain::{ChainLink, is_link};
pub use commitment::{Commitment, LOST, SeedError, WaitingWord, WantedSeed, commitment_digest};
pub use keys::DiceKeys;
pub use sheet::{RollRange, RollSheet, digest, links_since, roll_levels, sheet_head};
pub use verify::{
    CheckedRoll, NamedDigest, RollLevel, RollVerdict, SheetReport, SteeredBy, check, digests,
};

use crate::base::ids::BoardId;
use crate::base::random_stream::RandomStream;
use crate::base::time::Time;
use crate::base::vrf::PublicKey;
use crate::model::document::is_default;
use games::Seat;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

/// The last roll from which a word given with a first move may count, by the first rules.
const LATEST_WORD: usize = 3;

/// The most letters of a seed word.
const MAX_SEED_WORD: usize = 32;

/// The inputs of a board's rolls besides their numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoardDice {
    /// The public half of the board's key.
    #[serde(with = "in_hex")]
    pub key: PublicKey,
    /// The rules by which words count. Boards that began before commitments were possible have
    /// rules 1, by which a word counted from any roll that nobody had seen.
    #[serde(default = "first_rules", skip_serializing_if = "is_first_rules")]
    pub rules: u8,
    /// The challenger's commitment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commitment: Option<Commitment>,
    /// The opponent's answer to the commitment, until the value is revealed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting: Option<WaitingWord>,
    /// The seed words, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<SeedWord>,
    /// The revealed values of chains, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<ChainLink>,
    /// How many rolls were ever seen, if some were taken back.
    #[serde(default, skip_serializing_if = "is_default")]
    seen: usize,
}

/// A word that a player, or the operator to renew the dice, has added to the inputs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeedWord {
    /// The seat of the player; `None` for the operator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<u8>,
    /// The word.
    pub word: String,
    /// The first roll that it counts for.
    pub from: usize,
    /// The number of rolls when it was given, if the game had begun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<usize>,
}

/// The reason why a roll does not follow from the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UndrawnReason {
    /// It came again from an earlier board that a player gave up before the first move.
    Again,
    /// It was played elsewhere and imported.
    Imported,
    /// The operator wrote it.
    Operator,
}

impl UndrawnReason {
    /// All reasons, with their words in records and sheets.
    pub const ALL: [(Self, &'static str); 3] =
        [(Self::Again, "again"), (Self::Imported, "imported"), (Self::Operator, "operator")];

    /// Returns the word for the reason.
    pub fn word(self) -> &'static str {
        let found = Self::ALL.iter().find(|(why, _)| *why == self);
        found.map_or("", |(_, word)| word)
    }
}

/// Returns whether a text is a valid seed word. All its characters survive mail programs.
pub fn is_seed_word(word: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    is_link(word) || (1..=MAX_SEED_WORD).contains(&word.len()) && word.bytes().all(plain)
}

/// The newest rules by which words count.
pub const RULES: u8 = 2;

fn first_rules() -> u8 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde requires this signature")]
fn is_first_rules(rules: &u8) -> bool {
    *rules == 1
}

/// The input of a roll without the seed words.
pub(super) struct RollInput<'a> {
    pub(super) rules: u8,
    pub(super) board: BoardId,
    pub(super) began: Time,
    pub(super) commitment: Option<&'a str>,
    /// The chain values that came with the roll.
    pub(super) linked: Option<[&'a str; 2]>,
    pub(super) number: usize,
}

impl RollInput<'_> {
    /// Returns the input as text. `words` are all seed words, each with the first roll that it
    /// counts for.
    pub(super) fn text<'w>(&self, words: impl Iterator<Item = (&'w str, usize)>) -> String {
        let Self { rules, board, began, commitment, linked, number } = self;
        let mut mixed = String::new();
        if let Some(hash) = commitment {
            let _ = writeln!(mixed, "commitment {hash}");
        }
        for (word, _) in words.filter(|(_, from)| from <= number) {
            let _ = writeln!(mixed, "word {word}");
        }
        for value in linked.iter().flatten() {
            let _ = writeln!(mixed, "link {value}");
        }
        format!("postboard dice {rules}\n{board}\nbegan {}\n{mixed}roll {number}\n", began.unix())
    }
}

impl BoardDice {
    /// Builds the dice of a new board.
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

    /// Builds the input of roll `number`.
    pub fn input(&self, board: BoardId, began: Time, number: usize) -> String {
        let words = self.words.iter().map(|one| (&*one.word, one.from));
        let commitment = self.commitment.as_ref().map(|it| &*it.hash);
        let (rules, linked) = (self.rules, self.linked(number));
        RollInput { rules, board, began, commitment, linked, number }.text(words)
    }

    /// Adds a word that counts for all unseen rolls. `rolled` is the number of rolls in the record.
    pub fn mix(&mut self, seat: Option<Seat>, word: String, rolled: usize) {
        let seen = if seat.is_some() { self.seen.max(rolled) } else { rolled };
        let seat = seat.map(|seat| seat.0);
        self.words.push(SeedWord { seat, word, from: seen + 1, after: None });
    }

    /// Returns whether a player has added a word.
    pub fn has_word_of(&self, seat: Seat) -> bool {
        self.words.iter().any(|word| word.seat == Some(seat.0))
    }

    /// Records that `rolled` rolls have been seen.
    pub(super) fn mark_seen(&mut self, rolled: usize) {
        self.seen = self.seen.max(rolled);
    }

    /// Swaps the seats, before the first move.
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

/// The serialized form of a public key.
mod in_hex {
    use super::PublicKey;
    use serde::de::Error as _;
    use serde::{Deserialize as _, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(key: &PublicKey, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(key)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<PublicKey, D::Error> {
        let hex = String::deserialize(from)?;
        PublicKey::from_own_hex(&hex).ok_or_else(|| D::Error::custom("not a dice key"))
    }
}

/// Returns the random stream of a roll.
fn random_stream(key: &crate::base::vrf::SecretKey, input: &str) -> RandomStream {
    RandomStream::new(key.output(input.as_bytes()))
}
