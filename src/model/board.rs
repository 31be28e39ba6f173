//! A board: a numbered game with its players and its record. The position is the record's fold.

use crate::base::ids::{BoardId, UserId};
use crate::model::clock::{DAY, Nags, Terms};
use crate::model::rating::{Effect, Score};
use games::{AnyGame, AnyPosition, Choices, Entry, Next, Outcome, Roll, Seat, Transcript, replay};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The newest board format this program writes and reads.
const FORMAT: u32 = 1;

/// A board as it stands.
#[derive(Debug)]
pub struct Board {
    /// Which board.
    pub id: BoardId,
    /// Its rules.
    pub game: &'static dyn AnyGame,
    /// Who plays, seat 0 first.
    pub players: [UserId; 2],
    /// Who sent the challenge, if one of the players did.
    pub challenger: Option<Seat>,
    /// The game's own options.
    pub options: Choices,
    /// Whether it is hidden from `list` and `show`.
    pub private: bool,
    /// The times agreed on, and whether it counts for the ratings.
    pub terms: Terms,
    /// When it began, Unix seconds.
    pub started: i64,
    /// What each player likes on this board, seat 0 first.
    pub settings: [Choices; 2],
    /// What happened, oldest first.
    pub record: Vec<Line>,
    /// How it was ended from outside the rules, if it was.
    pub closing: Option<Closing>,
    /// What one player has offered the other, until it is answered or a move is made.
    pub offer: Option<Offer>,
    /// What was offered since the last move and is open no longer, each once.
    pub past: Vec<Offer>,
    /// The rolls of moves that were taken back, oldest first: they come again before others.
    pub kept: Vec<Roll>,
    /// The move that each player has submitted but not confirmed, in canonical notation.
    pub submitted: [Option<String>; 2],
    /// The move that each player wants tried as soon as it is his turn.
    pub queued: [Option<Queued>; 2],
    /// Who gets the board's mails without playing there.
    pub observers: Vec<UserId>,
    /// How often each player made his reply addresses for this board void.
    pub tokens: [u32; 2],
    /// The reminders of the turn that is running.
    pub nags: Option<Nags>,
    /// What its end did to the players' ratings, seat 0's first.
    pub rated: Option<[Effect; 2]>,
    /// What was true when moves were taken back last.
    pub rewound: Option<Rewound>,
    begins: Option<Seat>,
    position: Box<dyn AnyPosition>,
}

/// What the players of a board have agreed on before it begins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Agreed {
    /// The game's own options.
    pub options: Choices,
    /// Whether it is hidden from `list` and `show`.
    pub private: bool,
    /// The times, and whether it counts for the ratings.
    pub terms: Terms,
}

impl Agreed {
    /// The options of a challenge that make it.
    pub fn words(&self) -> impl Iterator<Item = String> {
        let private = self.private.then(|| "--private".to_owned());
        self.options.words().chain(self.terms.words()).chain(private)
    }
}

/// An entry of the record with its time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Unix seconds.
    pub at: i64,
    /// What happened.
    pub entry: Entry,
    /// For whom the board waited then.
    pub waits_for: Option<Seat>,
}

/// What a record that was shortened does not show any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rewound {
    /// When it was shortened, Unix seconds.
    pub at: i64,
    /// To how many entries.
    pub entries: usize,
    /// Seconds that the board had waited for each seat until then.
    pub used: [i64; 2],
    /// Whether each seat had decided something.
    pub moved: [bool; 2],
}

/// An end that no position shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Closing {
    /// Unix seconds.
    pub at: i64,
    /// Who ended it.
    pub seat: u8,
    /// In which way.
    pub by: ClosedBy,
}

/// The ways to end a board that no position shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClosedBy {
    /// The player resigned.
    Resigning,
    /// The player resigned before his first move: the challenge was not taken.
    Declining,
    /// The player accepted a draw.
    Agreeing,
    /// The player left the offer of a draw unanswered until it counted as accepted.
    Assenting,
    /// The player's time was up.
    Forfeiting,
    /// The player's time was up before his first move: the challenge was never answered.
    Lapsing,
}

impl ClosedBy {
    /// Whether the game ended so as a draw.
    pub fn is_draw(self) -> bool {
        matches!(self, Self::Agreeing | Self::Assenting)
    }
}

/// What a player offers his opponent beside what the rules of the game let him.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// Whose offer it is.
    pub by: Seat,
    /// What is offered.
    pub what: Proposal,
    /// Since when, Unix seconds.
    pub at: i64,
    /// The reminders that whoever is asked was sent.
    pub nags: Option<Nags>,
}

/// A move that waits for its player's turn; whether it is one shows then.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Queued {
    /// The words.
    #[serde(rename = "move")]
    pub text: String,
    /// The move that it is meant for, if that is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moveno: Option<usize>,
}

/// What can be offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Proposal {
    /// That the last decision of whoever offers is taken back, and all that followed.
    Undo,
    /// That nobody wins.
    Draw,
}

impl Proposal {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Undo => "undo",
            Self::Draw => "draw",
        }
    }
}

impl Closing {
    /// Who won by it; nobody where the game had not really begun.
    pub fn winner(self) -> Option<Seat> {
        match self.by {
            ClosedBy::Resigning | ClosedBy::Forfeiting => Some(Seat(self.seat).other()),
            ClosedBy::Declining | ClosedBy::Lapsing | ClosedBy::Agreeing | ClosedBy::Assenting => {
                None
            }
        }
    }
}

/// What a board waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// That seat is to move.
    ToMove(Seat),
    /// The rules ended it.
    Ended(Outcome),
    /// A player ended it.
    Closed(Closing),
}

/// What is wrong with a board's text, with the line where that is known.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{0}")]
pub struct Damage(pub String);

impl Damage {
    const ENTRY: &str = "record entry ";

    /// What is wrong with an entry of the record, counted from 0.
    pub fn of_entry(index: usize, why: &str) -> Self {
        Self(format!("{}{}: {why}", Self::ENTRY, index + 1))
    }

    /// The entry that it is about, counted from 0, if it is about one.
    pub fn entry(&self) -> Option<usize> {
        let (number, _) = self.0.strip_prefix(Self::ENTRY)?.split_once(':')?;
        number.parse::<usize>().ok()?.checked_sub(1)
    }
}

/// One line of the record as the file has it.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    at: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    roll: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    laid: Option<String>,
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
struct Offered {
    seat: u8,
    what: Proposal,
    #[serde(default)]
    at: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nags: Option<Nags>,
}

impl From<Offer> for Offered {
    fn from(Offer { by, what, at, nags }: Offer) -> Self {
        Self { seat: by.0, what, at, nags }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape that serde asks for")]
fn is_false(flag: &bool) -> bool {
    !flag
}

/// The whole file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: u32,
    board: BoardId,
    players: [UserId; 2],
    #[serde(default, skip_serializing_if = "Option::is_none")]
    challenger: Option<u8>,
    #[serde(default)]
    options: Vec<String>,
    #[serde(default, skip_serializing_if = "is_false")]
    private: bool,
    #[serde(default, skip_serializing_if = "is_usual")]
    terms: Terms,
    started: i64,
    #[serde(default, skip_serializing_if = "none_chosen")]
    settings: [Vec<String>; 2],
    #[serde(default, skip_serializing_if = "Option::is_none")]
    closing: Option<Closing>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    offer: Option<Offered>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    past: Vec<Offered>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    kept: Vec<String>,
    #[serde(default, skip_serializing_if = "nothing_of_both")]
    submitted: [Option<String>; 2],
    #[serde(default, skip_serializing_if = "nothing_of_both")]
    queued: [Option<Queued>; 2],
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    observers: Vec<UserId>,
    #[serde(default, skip_serializing_if = "is_zero")]
    tokens: [u32; 2],
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nags: Option<Nags>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rated: Option<[Effect; 2]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rewound: Option<Rewound>,
    record: Vec<Written>,
}

fn nothing_of_both<T>(of: &[Option<T>; 2]) -> bool {
    of.iter().all(Option::is_none)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape that serde asks for")]
fn is_zero(tokens: &[u32; 2]) -> bool {
    *tokens == [0, 0]
}

fn is_usual(terms: &Terms) -> bool {
    *terms == Terms::default()
}

/// The seat that a position asks.
fn asked(position: &dyn AnyPosition) -> Option<Seat> {
    match position.next() {
        Next::Move(seat) | Next::Ready(seat, _) => Some(seat),
        Next::Roll(_) | Next::Deal | Next::Over(_) => None,
    }
}

fn none_chosen(settings: &[Vec<String>; 2]) -> bool {
    settings.iter().all(Vec::is_empty)
}

impl Board {
    /// A board at its start, nothing recorded yet.
    pub fn new(
        game: &'static dyn AnyGame,
        number: u32,
        players: [UserId; 2],
        options: Choices,
        started: i64,
    ) -> Self {
        let id = BoardId { game: game.spec().name, number };
        let position = game.setup(&options);
        let begins = asked(&*position);
        Self {
            id,
            game,
            players,
            challenger: None,
            options,
            private: false,
            terms: Terms::default(),
            started,
            settings: Default::default(),
            record: Vec::new(),
            closing: None,
            offer: None,
            past: Vec::new(),
            kept: Vec::new(),
            submitted: Default::default(),
            queued: Default::default(),
            observers: Vec::new(),
            tokens: [0, 0],
            nags: None,
            rated: None,
            rewound: None,
            begins,
            position,
        }
    }

    /// Reads a board and folds its record.
    ///
    /// # Errors
    /// The text is no board of this version, or its record breaks a rule that shows without
    /// listing legal moves.
    pub fn read(text: &str) -> Result<Self, Damage> {
        let file: File = serde_json::from_str(text).map_err(|error| Damage(error.to_string()))?;
        if file.format > FORMAT {
            return Err(Damage(format!("format {} is newer than this program", file.format)));
        }
        let game = games::find(file.board.game).expect("a BoardId names a game");
        let spec = game.spec();
        let options =
            Choices::parse(spec.options, spec.exclusive, file.options.iter().map(String::as_str))
                .map_err(|error| Damage(error.to_string()))?;
        let mut board = Self::new(game, file.board.number, file.players, options, file.started);
        let seat = |seat: u8| match seat {
            0 | 1 => Ok(Seat(seat)),
            _ => Err(Damage(format!("there is no seat {seat}"))),
        };
        board.challenger = file.challenger.map(seat).transpose()?;
        board.private = file.private;
        board.terms = file.terms;
        board.closing = file.closing;
        let offer =
            |Offered { seat: by, what, at, nags }| Ok(Offer { by: seat(by)?, what, at, nags });
        board.offer = file.offer.map(offer).transpose()?;
        board.past = file.past.into_iter().map(offer).collect::<Result<_, _>>()?;
        board.submitted = file.submitted;
        board.queued = file.queued;
        board.observers = file.observers;
        board.tokens = file.tokens;
        let roll = |text: &String| {
            text.parse().map_err(|expected| Damage(format!("kept rolls: expected {expected}")))
        };
        board.kept = file.kept.iter().map(roll).collect::<Result<_, _>>()?;
        board.nags = file.nags;
        board.rated = file.rated;
        if file.rewound.is_some_and(|rewound| rewound.entries > file.record.len()) {
            return Err(Damage("the record is shorter than when moves were taken back".into()));
        }
        board.rewound = file.rewound;
        for (chosen, words) in board.settings.iter_mut().zip(&file.settings) {
            *chosen = Choices::of_settings(spec.settings, words.iter().map(String::as_str))
                .map_err(|error| Damage(error.to_string()))?;
        }
        board.record.reserve(file.record.len());
        for (index, written) in file.record.into_iter().enumerate() {
            let broken = |why: String| Damage::of_entry(index, &why);
            let said = (written.roll, written.laid, written.seat, written.text, written.resigns);
            let entry = match said {
                (Some(roll), None, None, None, None) => Entry::Rolled(
                    roll.parse().map_err(|expected| broken(format!("expected {expected}")))?,
                ),
                (None, Some(stones), None, None, None) => Entry::Laid(
                    stones.parse().map_err(|expected| broken(format!("expected {expected}")))?,
                ),
                (None, None, Some(by), Some(text), None) => {
                    Entry::Moved { seat: seat(by)?, text, auto: written.auto }
                }
                (None, None, Some(by), None, Some(stake)) => {
                    Entry::Resigned { seat: seat(by)?, stake }
                }
                _ => return Err(broken("neither chance nor a move".into())),
            };
            replay(&mut *board.position, [&entry]).map_err(|(_, why)| broken(why.to_string()))?;
            let waits_for = asked(&*board.position);
            board.record.push(Line { at: written.at, entry, waits_for });
        }
        if let Some(Closing { seat: by, .. }) = board.closing {
            seat(by)?;
        } else if matches!(board.position.next(), Next::Roll(_) | Next::Deal) {
            return Err(Damage("the record ends before a roll".into()));
        }
        if board.players[0] == board.players[1] {
            return Err(Damage("both players are the same".into()));
        }
        Ok(board)
    }

    /// The board as its file has it: one element of the record a line.
    pub fn write(&self) -> String {
        let file = File {
            format: FORMAT,
            board: self.id,
            players: self.players.clone(),
            challenger: self.challenger.map(|seat| seat.0),
            options: self.options.words().collect(),
            private: self.private,
            terms: self.terms,
            started: self.started,
            settings: [0, 1].map(|seat: usize| self.settings[seat].words().collect()),
            closing: self.closing,
            offer: self.offer.map(Offered::from),
            past: self.past.iter().copied().map(Offered::from).collect(),
            kept: self.kept.iter().map(Roll::to_string).collect(),
            submitted: self.submitted.clone(),
            queued: self.queued.clone(),
            observers: self.observers.clone(),
            tokens: self.tokens,
            nags: self.nags,
            rated: self.rated,
            rewound: self.rewound,
            record: Vec::new(),
        };
        let head = serde_json::to_string(&file).expect("a board has only strings and numbers");
        let mut text = head.strip_suffix("]}").expect("the record stands last").to_owned();
        text.reserve(self.record.len() * 64);
        for (index, line) in self.record.iter().enumerate() {
            text.push_str(if index == 0 { "\n" } else { ",\n" });
            let at = Written { at: line.at, ..Written::default() };
            let written = match &line.entry {
                Entry::Rolled(roll) => Written { roll: Some(roll.to_string()), ..at },
                Entry::Laid(stones) => Written { laid: Some(stones.to_string()), ..at },
                Entry::Moved { seat, text, auto } => {
                    Written { seat: Some(seat.0), text: Some(text.clone()), auto: *auto, ..at }
                }
                Entry::Resigned { seat, stake } => {
                    Written { seat: Some(seat.0), resigns: Some(*stake), ..at }
                }
            };
            text.push_str(&serde_json::to_string(&written).expect("strings and numbers"));
        }
        text.push_str("\n]}\n");
        text
    }

    /// The position now.
    pub fn position(&self) -> &dyn AnyPosition {
        &*self.position
    }

    /// The position after so many moves, with the dice rolled then; none if there were fewer.
    pub fn position_after(&self, moves: usize) -> Option<Box<dyn AnyPosition>> {
        let mut position = self.game.setup(&self.options);
        let mut made = 0;
        for line in &self.record {
            if !line.entry.is_chance() {
                if made == moves {
                    break;
                }
                made += 1;
            }
            replay(&mut *position, [&line.entry]).expect("the record was folded when it was read");
        }
        (made == moves).then_some(position)
    }

    /// The board without its server, after so many moves if that is said.
    pub fn transcript(&self, after: Option<usize>) -> Transcript {
        let mut left = after.unwrap_or(usize::MAX);
        let mut until = |line: &&Line| match line.entry {
            Entry::Rolled(_) | Entry::Laid(_) => true,
            Entry::Moved { .. } | Entry::Resigned { .. } => {
                let is_in = left > 0;
                left = left.saturating_sub(1);
                is_in
            }
        };
        Transcript {
            players: [0, 1].map(|seat: usize| self.players[seat].to_string()),
            options: self.options.clone(),
            record: self
                .record
                .iter()
                .take_while(|line| until(line))
                .map(|line| line.entry.clone())
                .collect(),
        }
    }

    /// Adds entries to the record and carries them out. What was offered or submitted is void.
    pub fn append(&mut self, at: i64, entries: &[Entry]) {
        for entry in entries {
            replay(&mut *self.position, [entry])
                .expect("a decision fits the position it was made for");
            // A kept roll comes before any other that fits the same throw, and one that does not
            // fit it cannot be what was thrown.
            if matches!(entry, Entry::Rolled(roll) if self.kept.first() == Some(roll)) {
                self.kept.remove(0);
            }
            let waits_for = asked(&*self.position);
            self.record.push(Line { at, entry: entry.clone(), waits_for });
        }
        self.unsettle();
        if matches!(self.position.next(), Next::Over(_)) {
            self.queued = Default::default();
        }
    }

    /// Takes so many entries from the end of the record. Their rolls are kept, and come again in
    /// the same order. What was offered or submitted is void. `stays` says how many entries stay,
    /// and what else.
    pub fn take_back(&mut self, stays: Rewound) {
        self.wait_again(stays);
        let taken = self.record.split_off(stays.entries);
        let rolls = taken.iter().filter_map(|line| match line.entry {
            Entry::Rolled(roll) => Some(roll),
            Entry::Laid(_) | Entry::Moved { .. } | Entry::Resigned { .. } => None,
        });
        self.kept.splice(0..0, rolls);
        self.position = self.game.setup(&self.options);
        replay(&mut *self.position, self.record.iter().map(|line| &line.entry))
            .expect("a part of a record from its start fits as the whole did");
    }

    /// Takes back that the board was ended from outside the rules. What was offered or submitted
    /// is void.
    pub fn reopen(&mut self, stays: Rewound) {
        self.closing = None;
        self.wait_again(stays);
    }

    /// Lets whoever is to decide once more have his whole time for it.
    fn wait_again(&mut self, stays: Rewound) {
        self.unsettle();
        self.nags = None;
        self.rewound = Some(stays);
    }

    /// Ends the board from outside the rules.
    pub fn close(&mut self, closing: Closing) {
        self.closing = Some(closing);
        self.queued = Default::default();
        self.unsettle();
    }

    /// Ends the offer that is open. That it was made is known until the next move.
    pub fn end_offer(&mut self) {
        let Some(ended) = self.offer.take() else { return };
        self.past.retain(|past| (past.by, past.what) != (ended.by, ended.what));
        self.past.push(ended);
    }

    /// Forgets what was said about a position that is no longer there.
    fn unsettle(&mut self) {
        self.offer = None;
        self.past.clear();
        self.submitted = Default::default();
    }

    /// All that players decided and the server did not, the latest first.
    pub fn decisions(&self) -> Vec<Decided> {
        let mut moveno = 0;
        let mut found = Vec::new();
        for (index, line) in self.record.iter().enumerate() {
            moveno += usize::from(!line.entry.is_chance());
            if matches!(line.entry, Entry::Moved { auto: false, .. } | Entry::Resigned { .. }) {
                found.push(Decided { moveno, entries: self.record.len() - index });
            }
        }
        found.reverse();
        found
    }

    /// What a seat can ask to have taken back: its last own decision, and what followed.
    pub fn last_decision(&self, of: Seat) -> Option<Decided> {
        let index = self.record.iter().rposition(|line| line.entry.is_decision_of(of))?;
        let is_move = |line: &&Line| !line.entry.is_chance();
        let moveno = 1 + self.record[..index].iter().filter(is_move).count();
        Some(Decided { moveno, entries: self.record.len() - index })
    }

    /// What the board waits for.
    pub fn status(&self) -> Status {
        match (self.closing, self.position.next()) {
            (Some(closing), _) => Status::Closed(closing),
            (None, Next::Over(outcome)) => Status::Ended(outcome),
            (None, Next::Move(seat) | Next::Ready(seat, _)) => Status::ToMove(seat),
            (None, Next::Roll(_) | Next::Deal) => {
                unreachable!("chance falls as soon as it is asked for")
            }
        }
    }

    /// Whether it has ended.
    pub fn is_over(&self) -> bool {
        !matches!(self.status(), Status::ToMove(_))
    }

    /// Makes the reply addresses of both players void.
    pub fn void_replies(&mut self) {
        self.tokens = self.tokens.map(|tokens| tokens.wrapping_add(1));
    }

    /// Since when it waits for what it waits for.
    pub fn waits_since(&self) -> i64 {
        let last = self.record.last().map_or(self.started, |line| line.at);
        let rewound = self.rewound.filter(|rewound| rewound.entries == self.record.len());
        rewound.map_or(last, |rewound| rewound.at)
    }

    /// Whether its clocks or what is offered are of a much later time: the machine's clock was ahead.
    pub fn is_ahead(&self, now: i64) -> bool {
        let is_ahead = |at: i64| at > now.saturating_add(7 * DAY);
        is_ahead(self.waits_since()) || self.offer.is_some_and(|offer| is_ahead(offer.at))
    }

    /// When it ended, if it has.
    pub fn ended_at(&self) -> Option<i64> {
        match self.status() {
            Status::ToMove(_) => None,
            Status::Ended(_) => Some(self.record.last().map_or(self.started, |line| line.at)),
            Status::Closed(closing) => Some(closing.at),
        }
    }

    /// For whom it waited at first, before anything was recorded.
    pub fn begins(&self) -> Option<Seat> {
        self.begins
    }

    /// What each has made of it, seat 0 first; nothing where it counts for no rating.
    pub fn scores(&self) -> Option<[Score; 2]> {
        let winner = match self.status() {
            _ if self.terms.unrated => return None,
            Status::ToMove(_) => return None,
            Status::Ended(Outcome::Won { by, .. }) => Some(by),
            Status::Ended(Outcome::Drawn { .. })
            | Status::Closed(Closing { by: ClosedBy::Agreeing | ClosedBy::Assenting, .. }) => None,
            Status::Closed(closing) => Some(closing.winner()?),
        };
        // A challenge that nobody has answered is no game, whoever gave it up.
        let is_answered = |seat| self.closing.is_none() || self.has_moved(seat);
        if !Seat::BOTH.into_iter().all(is_answered) {
            return None;
        }
        Some(Seat::BOTH.map(|seat| match winner {
            None => Score::Tied,
            Some(winner) if winner == seat => Score::Won,
            Some(_) => Score::Lost,
        }))
    }

    /// The number of the next move: 1 at the start.
    pub fn next_move(&self) -> usize {
        1 + self.moves().count()
    }

    /// The moves made, each with the dice it was made with.
    pub fn moves(&self) -> impl Iterator<Item = Turn<'_>> {
        let mut dice = None;
        // A word such as `take` is said while the dice wait.
        let verbs = self.game.spec().verbs;
        self.record.iter().filter_map(move |line| match &line.entry {
            Entry::Rolled(roll) => {
                dice = Some(*roll);
                None
            }
            Entry::Laid(_) => None,
            Entry::Moved { seat, text, auto } => Some(Turn {
                seat: *seat,
                dice: if verbs.contains(&text.as_str()) { None } else { dice.take() },
                text: text.into(),
                auto: *auto,
            }),
            Entry::Resigned { seat, stake } => {
                let stakes = self.game.spec().stakes;
                let stake = stakes.get(usize::from(*stake).wrapping_sub(1)).unwrap_or(&"");
                let text = format!("resign {stake}").into();
                Some(Turn { seat: *seat, dice: None, text, auto: false })
            }
        })
    }

    /// What is offered to a seat.
    pub fn offered_to(&self, seat: Seat) -> Option<Proposal> {
        self.offer.filter(|offer| offer.by != seat).map(|offer| offer.what)
    }

    /// The seat of a player.
    pub fn seat(&self, user: &UserId) -> Option<Seat> {
        Seat::BOTH.into_iter().find(|seat| self.players[seat.index()] == *user)
    }

    /// The player of a seat.
    pub fn player(&self, seat: Seat) -> &UserId {
        &self.players[seat.index()]
    }

    /// What the side of a seat is called: `O`.
    pub fn side(&self, seat: Seat) -> &'static str {
        self.game.spec().sides[seat.index()]
    }

    /// Whether that seat has ever decided anything, even if the players took it back.
    pub fn has_moved(&self, by: Seat) -> bool {
        self.had_moved(by, self.record.len())
    }

    /// The same when only so many entries stood in the record.
    pub fn had_moved(&self, by: Seat, entries: usize) -> bool {
        self.rewound.is_some_and(|rewound| rewound.moved[by.index()])
            || self.record[..entries].iter().any(|line| line.entry.is_decision_of(by))
    }
}

/// A decision of a player, as a place in the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decided {
    /// Its move number.
    pub moveno: usize,
    /// How many entries the record has from there on.
    pub entries: usize,
}

/// One move of the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn<'a> {
    /// Who moved.
    pub seat: Seat,
    /// The dice played.
    pub dice: Option<Roll>,
    /// The move in canonical notation.
    pub text: Cow<'a, str>,
    /// Whether the server played it.
    pub auto: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board() -> Board {
        let game = games::find("malaka").unwrap();
        let players = ["alice", "bob"].map(|name| UserId::parse(name).unwrap());
        let mut board = Board::new(game, 7, players, Choices::default(), 1);
        let moved = |seat, text: &str| Entry::Moved { seat, text: text.into(), auto: false };
        board.append(2, &[Entry::Rolled(Roll::One(3)), moved(Seat(0), "a1-a4")]);
        board.append(3, &[Entry::Rolled(Roll::Two(1, 2)), moved(Seat(1), "g9-g7,g9-g8")]);
        board.append(3, &[Entry::Rolled(Roll::Two(4, 4))]);
        board
    }

    #[test]
    fn a_board_reads_back_as_it_was_written() {
        let board = board();
        let text = board.write();
        let back = Board::read(&text).unwrap();
        assert_eq!(back.write(), text);
        assert_eq!(back.position().notation(), board.position().notation());
        assert_eq!((back.next_move(), back.status()), (3, Status::ToMove(Seat(0))));
        // An operator reads and mends it: an element of the record a line.
        assert_eq!(text.lines().count(), 7);
    }

    #[test]
    fn what_is_taken_back_shortens_the_record_and_keeps_its_rolls() {
        let mut board = board();
        let text = board.write();
        let nags = Some(Nags { first: 5, last: 6 });
        let draw = Offer { by: Seat(1), what: Proposal::Draw, at: 4, nags };
        for _ in 0..2 {
            board.offer = Some(draw);
            board.end_offer();
        }
        board.offer = Some(Offer { what: Proposal::Undo, ..draw });
        let back = Board::read(&board.write()).unwrap();
        assert_eq!((back.offer, &back.past), (board.offer, &vec![draw]));
        assert_eq!(board.last_decision(Seat(1)), Some(Decided { moveno: 2, entries: 2 }));
        assert_eq!(board.last_decision(Seat(0)), Some(Decided { moveno: 1, entries: 4 }));
        board.take_back(Rewound { at: 9, entries: 3, used: [3, 4], moved: [true; 2] });
        assert_eq!((board.offer, &board.kept[..]), (None, &[Roll::Two(4, 4)][..]));
        assert_eq!(board.past, []);
        assert_eq!((board.next_move(), board.status()), (2, Status::ToMove(Seat(1))));
        board.take_back(Rewound { at: 9, entries: 1, used: [5, 6], moved: [true; 2] });
        assert_eq!(Seat::BOTH.map(|seat| board.has_moved(seat)), [true; 2], "once is for ever");
        let back = Board::read(&board.write()).unwrap();
        assert_eq!(back.kept, [Roll::Two(1, 2), Roll::Two(4, 4)]);
        assert_eq!((back.next_move(), back.record.len()), (1, 1));
        assert_eq!(back.last_decision(Seat(0)), None);
        let rewound = Rewound { at: 9, entries: 1, used: [5, 6], moved: [true; 2] };
        assert_eq!(back.rewound, Some(rewound));
        // The same moves and rolls again use up what was kept.
        let moved = |seat, text: &str| Entry::Moved { seat, text: text.into(), auto: false };
        board.append(2, &[moved(Seat(0), "a1-a4"), Entry::Rolled(Roll::Two(1, 2))]);
        board.append(3, &[moved(Seat(1), "g9-g7,g9-g8"), Entry::Rolled(Roll::Two(4, 4))]);
        assert_eq!(board.kept, []);
        assert_eq!(board.position().notation(), Board::read(&text).unwrap().position().notation());
    }

    #[test]
    fn what_was_played_for_a_player_is_no_decision_of_his() {
        let mut board = board();
        for line in &mut board.record {
            if let Entry::Moved { seat: Seat(1), auto, .. } = &mut line.entry {
                *auto = true;
            }
        }
        assert_eq!(board.last_decision(Seat(1)), None);
        assert_eq!(board.last_decision(Seat(0)), Some(Decided { moveno: 1, entries: 4 }));
    }

    #[test]
    fn a_record_cut_anywhere_is_damage_or_a_board() {
        let text = board().write();
        let lines: Vec<&str> = text.lines().collect();
        for kept in 1..lines.len() {
            for end in ["]}", "\n]}", ""] {
                let cut = lines[..kept].join("\n").trim_end_matches(',').to_owned() + end;
                if let Ok(board) = Board::read(&cut) {
                    board.status();
                }
            }
        }
        let without_roll = text.replace(",\n{\"at\":3,\"roll\":\"44\"}", "");
        let damage = Board::read(&without_roll).unwrap_err();
        assert_eq!(damage.to_string(), "the record ends before a roll");
        for (from, to) in [
            ("a1-a4", "a1-a5"),
            ("\"12\"", "\"15\""),
            ("\"seat\":1", "\"seat\":0"),
            ("\"seat\":1", "\"seat\":9"),
            ("\"bob\"", "\"ALICE\""),
            ("\"format\":1", "\"format\":2"),
            ("malaka 7", "chess 7"),
            ("\"started\"", "\"begun\""),
        ] {
            assert!(text.contains(from), "{from}");
            Board::read(&text.replace(from, to)).unwrap_err();
        }
    }
}
