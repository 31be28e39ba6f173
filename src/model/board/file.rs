//! The document of a board.

use super::{
    Board, Closing, Offer, Plan, PlanEnd, PlanNote, Proposal, RecordLine, RewindRecord, export,
};
use crate::base::ids::{BoardId, TournamentId, UserId};
use crate::base::key::Place;
use crate::base::time::Time;
use crate::model::clock::{BoardTerms, Gift, TurnReminders};
use crate::model::dice::{BoardDice, UndrawnReason};
use crate::model::document::{Damage, Document, DocumentFormat, Removal, is_default, rename_in};
use crate::model::export::{DataSubject, Export};
use crate::model::rating::RatingChange;
use crate::model::tournament::tournament_key;
use crate::model::user::{User, user_key};
use crate::store::Key;
use games::{Choices, Entry, Roll, Seat, Spec, replay};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::fmt::Display;

/// The newest format that this program reads and writes.
const FORMAT: u32 = 1;

/// A line of the record in the document.
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
    #[serde(default, skip_serializing_if = "is_default")]
    auto: bool,
}

/// An offer in the document.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredOffer {
    seat: u8,
    what: Proposal,
    #[serde(default)]
    at: Time,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nags: Option<TurnReminders>,
    #[serde(default, skip_serializing_if = "is_default")]
    refused: bool,
}

impl From<Offer> for StoredOffer {
    fn from(Offer { by, what, at, nags, is_refused: refused }: Offer) -> Self {
        Self { seat: by.0, what, at, nags, refused }
    }
}

/// A conditional move in documents from before there were plans.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct QueuedMove {
    #[serde(rename = "move")]
    text: String,
    /// The move number, if the player named one.
    #[serde(default)]
    moveno: Option<usize>,
}

/// The whole document.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredBoard {
    format: DocumentFormat<FORMAT>,
    board: BoardId,
    players: [UserId; 2],
    #[serde(default, skip_serializing_if = "Option::is_none")]
    challenger: Option<u8>,
    #[serde(default)]
    options: Vec<String>,
    #[serde(default = "first_rules", skip_serializing_if = "is_first_rules")]
    rules: u32,
    #[serde(default, skip_serializing_if = "is_default")]
    private: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    terms: BoardTerms,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tournament: Option<TournamentId>,
    #[serde(default, skip_serializing_if = "is_default")]
    ladder: bool,
    started: Time,
    #[serde(default, skip_serializing_if = "is_default")]
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
    #[serde(default, skip_serializing_if = "is_default")]
    submitted: [Option<String>; 2],
    #[serde(default, skip_serializing_if = "is_default")]
    plans: [Option<Plan>; 2],
    #[serde(default, skip_serializing_if = "is_default")]
    plan_notes: [Option<PlanNote>; 2],
    /// The conditional moves of an old document.
    #[serde(default, skip_serializing)]
    queued: [Option<QueuedMove>; 2],
    /// The conditional moves of an old document that could not be played.
    #[serde(default, skip_serializing)]
    dropped: [Option<String>; 2],
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    observers: Vec<UserId>,
    #[serde(default, skip_serializing_if = "is_default")]
    tokens: [u32; 2],
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nags: Option<TurnReminders>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    gifts: Vec<Gift>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    engine: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rated: Option<[RatingChange; 2]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rewound: Option<RewindRecord>,
    record: Vec<StoredLine>,
}

fn first_rules() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde requires this signature")]
fn is_first_rules(rules: &u32) -> bool {
    *rules == first_rules()
}

fn seat(seat: u8) -> Result<Seat, Damage> {
    match seat {
        0 | 1 => Ok(Seat(seat)),
        _ => Err(Damage::invalid(format!("there is no seat {seat}"))),
    }
}

impl StoredOffer {
    fn read(self) -> Result<Offer, Damage> {
        let Self { seat: by, what, at, nags, refused: is_refused } = self;
        Ok(Offer { by: seat(by)?, what, at, nags, is_refused })
    }
}

impl StoredLine {
    /// Reads the record entry with this index.
    fn read(self, index: usize) -> Result<RecordLine, Damage> {
        let broken =
            |expected: &dyn Display| Damage::in_entry(index, format!("expected {expected}"));
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
            _ => return Err(Damage::in_entry(index, "neither a roll, a deal nor a move")),
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

/// Returns the value, or the default after adding the damage to `faults`.
fn value_or_default<T: Default>(read: Result<T, Damage>, faults: &mut Vec<Damage>) -> T {
    read.unwrap_or_else(|damage| {
        faults.push(damage);
        T::default()
    })
}

/// A board's document, read as far as possible.
#[derive(Debug)]
pub struct BoardFile {
    /// The board without its record; `None` if the head is damaged.
    pub board: Option<Board>,
    /// The readable lines of the record, each with its index.
    pub record: Vec<(usize, RecordLine)>,
    /// All damage: first in the head, then in the lines of the record.
    pub faults: Vec<Damage>,
}

impl BoardFile {
    /// Reads a document without replaying its record.
    pub fn read(text: &str) -> Self {
        let (file, mut faults) = match serde_json::from_str::<StoredBoard>(text) {
            Ok(file) => (Some(file), Vec::new()),
            Err(error) => match serde_json::from_str::<Value>(text) {
                Ok(Value::Object(fields)) => {
                    let (file, found) = read_fields(fields);
                    // Only this error has a line and a column.
                    (file, if found.len() > 1 { found } else { vec![Damage::from_json(error)] })
                }
                Ok(_) | Err(_) => (None, vec![Damage::from_json(error)]),
            },
        };
        let file = file.filter(|file| {
            let format = file.format.check();
            format.map_err(|damage| faults.insert(0, damage)).is_ok()
        });
        let mut record = Vec::new();
        let board = file.map(|mut file| {
            let lines = std::mem::take(&mut file.record);
            let mut found = Vec::new();
            let board = Board::of_file(file, lines.len(), &mut found);
            faults.splice(0..0, found);
            for (index, line) in lines.into_iter().enumerate() {
                match line.read(index) {
                    Ok(line) => record.push((index, line)),
                    Err(damage) if faults.iter().all(|known| known.entry() != Some(index)) => {
                        faults.push(damage);
                    }
                    Err(_) => {}
                }
            }
            board
        });
        Self { board, record, faults }
    }
}

/// Reads the fields of a document one by one, and the lines of its record. Unreadable lines become
/// empty. Returns no document if a field of the head is unreadable.
fn read_fields(mut fields: Map<String, Value>) -> (Option<StoredBoard>, Vec<Damage>) {
    let mut lines = Vec::new();
    let mut in_lines = Vec::new();
    if let Some(Value::Array(record)) = fields.get_mut("record") {
        for (index, line) in std::mem::take(record).into_iter().enumerate() {
            lines.push(serde_json::from_value(line).unwrap_or_else(|error| {
                in_lines.push(Damage::in_entry(index, error.to_string()));
                StoredLine::default()
            }));
        }
    }
    let sound = json!({
        "format": FORMAT, "board": "malaka 1", "players": ["alice", "bob"], "started": 0, "record": [],
    });
    let mut faults = Vec::new();
    for name in sound.as_object().into_iter().flat_map(Map::keys) {
        if !fields.contains_key(name) {
            faults.push(Damage::invalid(format!("`{name}` is missing")));
        }
    }
    for (name, value) in &fields {
        let mut alone = sound.clone();
        alone[name] = value.clone();
        if let Err(error) = serde_json::from_value::<StoredBoard>(alone) {
            faults.push(Damage::invalid(format!("`{name}`: {error}")));
        }
    }
    let file = if faults.is_empty() {
        serde_json::from_value::<StoredBoard>(Value::Object(fields)).ok()
    } else {
        None
    };
    faults.extend(in_lines);
    (file.map(|file| StoredBoard { record: lines, ..file }), faults)
}

/// Returns the notes about plans. Those of an old document are moves that could not be played.
fn read_notes(notes: [Option<PlanNote>; 2], dropped: [Option<String>; 2]) -> [Option<PlanNote>; 2] {
    let mut notes = notes;
    for (note, text) in notes.iter_mut().zip(dropped) {
        let unplayed = |text| PlanNote { played: Vec::new(), end: Some(PlanEnd::Unplayed(text)) };
        *note = note.take().or_else(|| text.map(unplayed));
    }
    notes
}

/// Returns the plans. Those of an old document are conditional moves; one without a number begins with
/// move 0 until the record has been read.
fn read_plans(
    plans: [Option<Plan>; 2],
    queued: [Option<QueuedMove>; 2],
) -> Result<[Option<Plan>; 2], Damage> {
    if !plans.iter().flatten().all(Plan::is_sound) {
        return Err(Damage::invalid("a move of a plan follows a later one"));
    }
    let mut plans = plans;
    for (plan, queued) in plans.iter_mut().zip(queued) {
        let old =
            |QueuedMove { text, moveno }| Plan::single(moveno.unwrap_or(0), text, moveno.is_none());
        *plan = plan.take().or_else(|| queued.map(old));
    }
    Ok(plans)
}

/// Parses a player's settings for a board.
fn chosen(words: &[String], spec: &Spec) -> Result<Choices, Damage> {
    Choices::of_settings(spec.settings, words.iter().map(String::as_str)).map_err(Damage::invalid)
}

impl Board {
    /// Reads a board and replays its record.
    ///
    /// # Errors
    /// The text is damaged or of a newer format, or the record breaks a rule that can be checked
    /// without listing legal moves.
    pub fn read(text: &str) -> Result<Self, Damage> {
        let mut file: StoredBoard = serde_json::from_str(text).map_err(Damage::from_json)?;
        file.format.check()?;
        let record = std::mem::take(&mut file.record);
        let mut faults = Vec::new();
        let board = Self::of_file(file, record.len(), &mut faults);
        if let Some(damage) = faults.into_iter().next() {
            return Err(damage);
        }
        let read = |(index, line): (usize, StoredLine)| line.read(index);
        board.with_record(record.into_iter().enumerate().map(read))
    }

    /// Adds the record to a board without one.
    ///
    /// # Errors
    /// A line is damaged, or the record breaks a rule that can be checked without listing legal
    /// moves.
    pub fn with_record(
        self,
        record: impl IntoIterator<Item = Result<RecordLine, Damage>>,
    ) -> Result<Self, Damage> {
        let mut board = self;
        board.fold(record)?;
        board.number_old_plans();
        if board.lacks_chance() && board.closing.is_none() {
            return Err(Damage::invalid("the record ends before a roll"));
        }
        Ok(board)
    }

    /// Builds the board before its record, which has `entries` entries. Adds all contradictions to
    /// `faults`.
    fn of_file(file: StoredBoard, entries: usize, faults: &mut Vec<Damage>) -> Self {
        let game = games::find(file.board.game).expect("a BoardId names a game");
        let spec = game.spec();
        let words = file.options.iter().map(String::as_str);
        let options = Choices::parse(spec.options, spec.exclusive, words).map_err(Damage::invalid);
        let options = value_or_default(options, faults);
        let known = first_rules()..=game.rules();
        if !known.contains(&file.rules) {
            faults.push(Damage::invalid(format!("there are no rules {} of this game", file.rules)));
        }
        let start = Self::new(game, file.board.number, file.players, options, file.started);
        let start = start.with_rules(file.rules);
        let challenger = value_or_default(file.challenger.map(seat).transpose(), faults);
        let offer = value_or_default(file.offer.map(StoredOffer::read).transpose(), faults);
        let past = file.past.into_iter().map(StoredOffer::read).collect::<Result<_, _>>();
        let past = value_or_default(past, faults);
        let roll = |text: &String| {
            let wrong = |expected| Damage::invalid(format!("kept rolls: expected {expected}"));
            text.parse().map_err(wrong)
        };
        let kept = value_or_default(file.kept.iter().map(roll).collect::<Result<_, _>>(), faults);
        if file.rewound.is_some_and(|rewound| rewound.entries > entries) {
            let short = "the record is shorter than when moves were taken back";
            faults.push(Damage::invalid(short));
        }
        if let Some(Closing { seat: by, .. }) = file.closing {
            value_or_default(seat(by).map(|_| ()), faults);
        }
        for gift in &file.gifts {
            value_or_default(seat(gift.to).map(|_| ()), faults);
        }
        if start.players[0] == start.players[1] {
            faults.push(Damage::invalid("both players are the same"));
        }
        let settings = file.settings.map(|words| value_or_default(chosen(&words, spec), faults));
        let plans = value_or_default(read_plans(file.plans, file.queued), faults);
        let plan_notes = read_notes(file.plan_notes, file.dropped);
        Self {
            challenger,
            private: file.private,
            terms: file.terms,
            tournament: file.tournament,
            is_of_ladder: file.ladder,
            settings,
            closing: file.closing,
            offer,
            past,
            kept,
            dice: file.dice,
            submitted: file.submitted,
            plans,
            plan_notes,
            observers: file.observers,
            tokens: file.tokens,
            nags: file.nags,
            gifts: file.gifts,
            engine: file.engine,
            rated: file.rated,
            rewound: file.rewound,
            ..start
        }
    }

    /// Replays the record from its start.
    fn fold(
        &mut self,
        record: impl IntoIterator<Item = Result<RecordLine, Damage>>,
    ) -> Result<(), Damage> {
        for (index, line) in record.into_iter().enumerate() {
            let mut line = line?;
            replay(&mut *self.position, [&line.entry])
                .map_err(|why| Damage::in_entry(index, why.error.to_string()))?;
            line.waits_for = self.position.next().decider();
            self.record.push(line);
        }
        Ok(())
    }

    /// Lets the conditional moves of an old document that have no number begin with the next move. It
    /// answers the opponent's, if they are to move.
    fn number_old_plans(&mut self) {
        let next = self.next_move();
        for seat in Seat::BOTH {
            let is_turn = self.position.next().asks(seat);
            if let Some(plan) = self.plans[seat.index()].as_mut().filter(|plan| plan.from == 0) {
                let text = plan.single_move().unwrap_or_default().to_owned();
                *plan = Plan::single(next, text, !is_turn);
            }
        }
    }

    /// Returns the text of the document, with one record entry per line.
    pub fn write(&self) -> String {
        let file = StoredBoard {
            format: DocumentFormat::default(),
            board: self.id,
            players: self.players.clone(),
            challenger: self.challenger.map(|seat| seat.0),
            options: self.options.words().collect(),
            rules: self.rules,
            private: self.private,
            terms: self.terms,
            tournament: self.tournament,
            ladder: self.is_of_ladder,
            started: self.started,
            settings: [0, 1].map(|seat: usize| self.settings[seat].words().collect()),
            closing: self.closing,
            offer: self.offer.map(StoredOffer::from),
            past: self.past.iter().copied().map(StoredOffer::from).collect(),
            kept: self.kept.iter().map(Roll::to_string).collect(),
            dice: self.dice.clone(),
            submitted: self.submitted.clone(),
            plans: self.plans.clone(),
            plan_notes: self.plan_notes.clone(),
            queued: Default::default(),
            dropped: Default::default(),
            observers: self.observers.clone(),
            tokens: self.tokens,
            nags: self.nags,
            gifts: self.gifts.clone(),
            engine: self.engine.clone(),
            rated: self.rated,
            rewound: self.rewound,
            record: Vec::new(),
        };
        let plain = "a board has only strings and numbers";
        let mut text = Vec::with_capacity(512 + self.record.len() * 80);
        serde_json::to_writer(&mut text, &file).expect(plain);
        text.truncate(text.strip_suffix(b"]}").expect("the record is the last field").len());
        for (index, line) in self.record.iter().enumerate() {
            text.extend_from_slice(if index == 0 { b"\n" } else { b",\n" });
            serde_json::to_writer(&mut text, &StoredLine::from(line)).expect(plain);
        }
        text.extend_from_slice(b"\n]}\n");
        String::from_utf8(text).expect("JSON is UTF-8")
    }
}

/// Returns the key of a board.
pub fn board_key(id: BoardId) -> Key {
    Key::Board(id.game, id.number)
}

impl Document for Board {
    type Id = BoardId;

    const KIND: &'static str = "boards";
    const PLACE: Place = Place::Boards;
    const FORMAT: Option<u32> = Some(FORMAT);

    fn key(id: &BoardId) -> Key {
        board_key(*id)
    }

    fn id_of(key: &Key) -> Option<BoardId> {
        match key {
            Key::Board(game, number) => Some(BoardId { game, number: *number }),
            _ => None,
        }
    }

    fn from_text(id: &BoardId, text: &str) -> Result<Self, Damage> {
        let board = Self::read(text)?;
        if board.id == *id { Ok(board) } else { Err(Damage::OtherDocument(board.id.to_string())) }
    }

    fn to_text(&self) -> String {
        self.write()
    }

    /// The clock also depends on the vacations of both players; see `World::clock`.
    fn wakeup(&self) -> Option<Time> {
        None
    }

    fn keys_of(user: &User) -> Vec<Key> {
        user.all_boards().map(|board| board_key(*board)).collect()
    }

    fn rename(&mut self, _: &BoardId, old: &UserId, new: &UserId) -> bool {
        rename_in(self.players.iter_mut().chain(&mut self.observers), old, new)
    }

    /// A board belongs to its opponent, too, and keeps the userids of both.
    fn remove_user(&mut self, _: &BoardId, _: &DataSubject, _: Removal) -> bool {
        false
    }

    fn export(&self, _: &BoardId, subject: &DataSubject, export: &mut Export) {
        let seat = self.seat(&subject.user.id);
        export.add_documents("boards", seat.map(|seat| export::exported_text(self, seat)));
    }

    /// A board needs its players and its tournament.
    fn needs(&self) -> Vec<Key> {
        let tournament = self.tournament.map(tournament_key);
        self.players.iter().map(user_key).chain(tournament).collect()
    }
}
