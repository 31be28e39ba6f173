//! A board as its file has it.

use super::{Board, Closing, Offer, Proposal, QueuedMove, RecordLine, RewindRecord, asked};
use crate::base::ids::{BoardId, UserId};
use crate::base::time::Time;
use crate::model::clock::{BoardTerms, TurnReminders};
use crate::model::dice::{BoardDice, UndrawnReason};
use crate::model::document::{Damage, Document, check_format};
use crate::model::rating::RatingChange;
use crate::model::user::user_key;
use crate::store::Key;
use games::{Choices, Entry, Next, Roll, Seat, Spec, replay};
use serde::{Deserialize, Serialize};
use std::fmt::Display;

/// The newest board format this program writes and reads.
pub const FORMAT: u32 = 1;

/// One line of the record as the file has it.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredLine {
    at: Time,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    roll: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    laid: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    from: Option<UndrawnReason>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seat: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none", rename = "move")]
    text: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    resigns: Option<u8>,
    #[serde(default, skip_serializing_if = "is_false")]
    auto: bool,
}

/// An offer as the file has it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredOffer {
    seat: u8,
    what: Proposal,
    #[serde(default)]
    at: Time,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nags: Option<TurnReminders>,
    #[serde(default, skip_serializing_if = "is_false")]
    refused: bool,
}

impl From<Offer> for StoredOffer {
    fn from(Offer { by, what, at, nags, is_refused: refused }: Offer) -> Self {
        Self { seat: by.0, what, at, nags, refused }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape that serde asks for")]
fn is_false(flag: &bool) -> bool {
    !flag
}

/// The whole file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredBoard {
    format: u32,
    board: BoardId,
    players: [UserId; 2],
    #[serde(default, skip_serializing_if = "Option::is_none")]
    challenger: Option<u8>,
    #[serde(default)]
    options: Vec<String>,
    #[serde(default = "first_rules", skip_serializing_if = "is_first_rules")]
    rules: u32,
    #[serde(default, skip_serializing_if = "is_false")]
    private: bool,
    #[serde(default, skip_serializing_if = "is_usual")]
    terms: BoardTerms,
    started: Time,
    #[serde(default, skip_serializing_if = "none_chosen")]
    settings: [Vec<String>; 2],
    #[serde(default, skip_serializing_if = "Option::is_none")]
    closing: Option<Closing>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    offer: Option<StoredOffer>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    past: Vec<StoredOffer>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    kept: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    dice: Option<BoardDice>,
    #[serde(default, skip_serializing_if = "nothing_of_both")]
    submitted: [Option<String>; 2],
    #[serde(default, skip_serializing_if = "nothing_of_both")]
    queued: [Option<QueuedMove>; 2],
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    observers: Vec<UserId>,
    #[serde(default, skip_serializing_if = "is_zero")]
    tokens: [u32; 2],
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nags: Option<TurnReminders>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rated: Option<[RatingChange; 2]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rewound: Option<RewindRecord>,
    record: Vec<StoredLine>,
}

fn nothing_of_both<T>(of: &[Option<T>; 2]) -> bool {
    of.iter().all(Option::is_none)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape that serde asks for")]
fn is_zero(tokens: &[u32; 2]) -> bool {
    *tokens == [0, 0]
}

fn first_rules() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape that serde asks for")]
fn is_first_rules(rules: &u32) -> bool {
    *rules == first_rules()
}

fn is_usual(terms: &BoardTerms) -> bool {
    *terms == BoardTerms::default()
}

fn none_chosen(settings: &[Vec<String>; 2]) -> bool {
    settings.iter().all(Vec::is_empty)
}

fn seat(seat: u8) -> Result<Seat, Damage> {
    match seat {
        0 | 1 => Ok(Seat(seat)),
        _ => Err(Damage::untrue(format!("there is no seat {seat}"))),
    }
}

impl StoredOffer {
    fn read(self) -> Result<Offer, Damage> {
        let Self { seat: by, what, at, nags, refused: is_refused } = self;
        Ok(Offer { by: seat(by)?, what, at, nags, is_refused })
    }
}

impl StoredLine {
    /// The entry at that place of the record, counted from 0.
    fn read(self, index: usize) -> Result<RecordLine, Damage> {
        let broken =
            |expected: &dyn Display| Damage::of_entry(index, format!("expected {expected}"));
        let Self { at, roll, laid, from, seat: by, text, resigns, auto } = self;
        let entry = match (roll, laid, by, text, resigns) {
            (Some(roll), None, None, None, None) => {
                Entry::Rolled(roll.parse().map_err(|expected| broken(&expected))?)
            }
            (None, Some(stones), None, None, None) => {
                Entry::Laid(stones.parse().map_err(|expected| broken(&expected))?)
            }
            (None, None, Some(by), Some(text), None) => {
                Entry::Moved { seat: seat(by)?, text, auto }
            }
            (None, None, Some(by), None, Some(stake)) => Entry::Resigned { seat: seat(by)?, stake },
            _ => return Err(Damage::of_entry(index, "neither chance nor a move")),
        };
        Ok(RecordLine { at, undrawn: from.filter(|_| entry.is_chance()), entry, waits_for: None })
    }
}

impl From<&RecordLine> for StoredLine {
    fn from(line: &RecordLine) -> Self {
        let at = Self { at: line.at, from: line.undrawn, ..Self::default() };
        match &line.entry {
            Entry::Rolled(roll) => Self { roll: Some(roll.to_string()), ..at },
            Entry::Laid(stones) => Self { laid: Some(stones.to_string()), ..at },
            Entry::Moved { seat, text, auto } => {
                Self { seat: Some(seat.0), text: Some(text.clone()), auto: *auto, ..at }
            }
            Entry::Resigned { seat, stake } => {
                Self { seat: Some(seat.0), resigns: Some(*stake), ..at }
            }
        }
    }
}

/// The settings of a player on a board, from their words.
fn chosen(words: &[String], spec: &Spec) -> Result<Choices, Damage> {
    Choices::of_settings(spec.settings, words.iter().map(String::as_str)).map_err(Damage::untrue)
}

impl Board {
    /// Reads a board and folds its record.
    ///
    /// # Errors
    /// The text is no board of this version, or its record breaks a rule that shows without
    /// listing legal moves.
    pub fn read(text: &str) -> Result<Self, Damage> {
        let mut file: StoredBoard = serde_json::from_str(text).map_err(Damage::of_json)?;
        check_format(file.format, FORMAT)?;
        let record = std::mem::take(&mut file.record);
        let mut board = Self::of_file(file, record.len())?;
        board.fold(record)?;
        if let Some(Closing { seat: by, .. }) = board.closing {
            seat(by)?;
        } else if matches!(board.position.next(), Next::Roll(_) | Next::Deal) {
            return Err(Damage::untrue("the record ends before a roll"));
        }
        if board.players[0] == board.players[1] {
            return Err(Damage::untrue("both players are the same"));
        }
        Ok(board)
    }

    /// A board whose record, which has that many entries, still has to be folded.
    fn of_file(file: StoredBoard, entries: usize) -> Result<Self, Damage> {
        let game = games::find(file.board.game).expect("a BoardId names a game");
        let spec = game.spec();
        let words = file.options.iter().map(String::as_str);
        let options =
            Choices::parse(spec.options, spec.exclusive, words).map_err(Damage::untrue)?;
        if !(first_rules()..=game.rules()).contains(&file.rules) {
            return Err(Damage::untrue(format!("there are no rules {} of this game", file.rules)));
        }
        let start = Self::new(game, file.board.number, file.players, options, file.started);
        let start = start.played_by(file.rules);
        let challenger = file.challenger.map(seat).transpose()?;
        let offer = file.offer.map(StoredOffer::read).transpose()?;
        let past = file.past.into_iter().map(StoredOffer::read).collect::<Result<_, _>>()?;
        let roll = |text: &String| {
            let wrong = |expected| Damage::untrue(format!("kept rolls: expected {expected}"));
            text.parse().map_err(wrong)
        };
        let kept = file.kept.iter().map(roll).collect::<Result<_, _>>()?;
        if file.rewound.is_some_and(|rewound| rewound.entries > entries) {
            return Err(Damage::untrue("the record is shorter than when moves were taken back"));
        }
        let [o, x] = &file.settings;
        Ok(Self {
            challenger,
            private: file.private,
            terms: file.terms,
            settings: [chosen(o, spec)?, chosen(x, spec)?],
            closing: file.closing,
            offer,
            past,
            kept,
            dice: file.dice,
            submitted: file.submitted,
            queued: file.queued,
            observers: file.observers,
            tokens: file.tokens,
            nags: file.nags,
            rated: file.rated,
            rewound: file.rewound,
            ..start
        })
    }

    /// Carries out the entries of a record from its start.
    fn fold(&mut self, record: Vec<StoredLine>) -> Result<(), Damage> {
        self.record.reserve(record.len());
        for (index, written) in record.into_iter().enumerate() {
            let mut line = written.read(index)?;
            replay(&mut *self.position, [&line.entry])
                .map_err(|(_, why)| Damage::of_entry(index, why.to_string()))?;
            line.waits_for = asked(&*self.position);
            self.record.push(line);
        }
        Ok(())
    }

    /// The board as its file has it: one element of the record a line.
    pub fn write(&self) -> String {
        let file = StoredBoard {
            format: FORMAT,
            board: self.id,
            players: self.players.clone(),
            challenger: self.challenger.map(|seat| seat.0),
            options: self.options.words().collect(),
            rules: self.rules,
            private: self.private,
            terms: self.terms,
            started: self.started,
            settings: [0, 1].map(|seat: usize| self.settings[seat].words().collect()),
            closing: self.closing,
            offer: self.offer.map(StoredOffer::from),
            past: self.past.iter().copied().map(StoredOffer::from).collect(),
            kept: self.kept.iter().map(Roll::to_string).collect(),
            dice: self.dice.clone(),
            submitted: self.submitted.clone(),
            queued: self.queued.clone(),
            observers: self.observers.clone(),
            tokens: self.tokens,
            nags: self.nags,
            rated: self.rated,
            rewound: self.rewound,
            record: Vec::new(),
        };
        let plain = "a board has only strings and numbers";
        let mut text = Vec::with_capacity(512 + self.record.len() * 80);
        serde_json::to_writer(&mut text, &file).expect(plain);
        text.truncate(text.strip_suffix(b"]}").expect("the record stands last").len());
        for (index, line) in self.record.iter().enumerate() {
            text.extend_from_slice(if index == 0 { b"\n" } else { b",\n" });
            serde_json::to_writer(&mut text, &StoredLine::from(line)).expect(plain);
        }
        text.extend_from_slice(b"\n]}\n");
        String::from_utf8(text).expect("JSON is UTF-8")
    }
}

/// The key of a board's document.
pub fn board_key(id: BoardId) -> Key {
    Key::Board(id.game, id.number)
}

impl Document for Board {
    type Id = BoardId;

    fn key(id: &BoardId) -> Key {
        board_key(*id)
    }

    fn named(key: &Key) -> Option<BoardId> {
        match key {
            Key::Board(game, number) => Some(BoardId { game, number: *number }),
            _ => None,
        }
    }

    fn find(file: &str) -> Option<Key> {
        Key::find_board(file)
    }

    fn from_text(id: &BoardId, text: &str) -> Result<Self, Damage> {
        let board = Self::read(text)?;
        if board.id == *id { Ok(board) } else { Err(Damage::Other(board.id.to_string())) }
    }

    fn to_text(&self) -> String {
        self.write()
    }

    /// Its players.
    fn needs(&self) -> Vec<Key> {
        self.players.iter().map(user_key).collect()
    }
}
