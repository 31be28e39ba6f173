//! A board: a numbered game with its players and its record. The position is the record's fold.

mod closing;
mod event;
mod file;
mod offer;
#[cfg(test)]
mod tests;

pub use closing::{ClosedBy, Closing};
pub use event::{BoardEvent, BoardSetup, UnplayedReason, written};
pub use file::{BoardFile, FORMAT, board_key};
pub use offer::{Offer, Proposal};

use crate::base::ids::{BoardId, UserId};
use crate::base::time::{Span, Time, WEEK};
use crate::model::clock::{BoardTerms, TurnReminders};
use crate::model::dice::{BoardDice, UndrawnReason, WantedSeed};
use crate::model::rating::{RatingChange, Score};
use games::{AnyGame, AnyPosition, Choices, Entry, Next, Outcome, Roll, Seat, Transcript, replay};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A board as it is now.
#[derive(Debug)]
pub struct Board {
    /// Which board.
    pub id: BoardId,
    /// Its rules.
    pub game: &'static dyn AnyGame,
    /// The players, seat 0 first.
    pub players: [UserId; 2],
    /// The player who sent the challenge, if one of them did.
    pub challenger: Option<Seat>,
    /// The game's own options.
    pub options: Choices,
    /// The edition of the game's rules that it is played by.
    pub rules: u32,
    /// Whether it is hidden from `list` and `show`.
    pub private: bool,
    /// The times agreed on, and whether it counts for the ratings.
    pub terms: BoardTerms,
    /// When it began.
    pub started: Time,
    /// The settings of each player on this board, seat 0 first.
    pub settings: [Choices; 2],
    /// What happened, oldest first.
    pub record: Vec<RecordLine>,
    /// How it was ended from outside the rules, if it was.
    pub closing: Option<Closing>,
    /// The offer of one player to the other, until it is answered or a move is made.
    pub offer: Option<Offer>,
    /// Offers since the last move that are open no longer, each once.
    pub past: Vec<Offer>,
    /// The rolls that come again before others, oldest first: those of moves that were taken back, as
    /// far as they do not follow from the board's key, and those of an earlier board.
    pub kept: Vec<Roll>,
    /// How its chance can be checked; not on a board that began before that was possible.
    pub dice: Option<BoardDice>,
    /// The move that each player has submitted but not confirmed, in canonical notation.
    pub submitted: [Option<String>; 2],
    /// The move that each player wants tried as soon as it is their turn.
    pub queued: [Option<QueuedMove>; 2],
    /// The users who get the board's mails without playing there.
    pub observers: Vec<UserId>,
    /// How often each player has made their reply addresses for this board void.
    pub tokens: [u32; 2],
    /// The reminders of the turn that is running.
    pub nags: Option<TurnReminders>,
    /// The effects of its end on the players' ratings, seat 0's first.
    pub rated: Option<[RatingChange; 2]>,
    /// The state from before moves were taken back last.
    pub rewound: Option<RewindRecord>,
    begins: Option<Seat>,
    position: Box<dyn AnyPosition>,
}

/// What the players of a board have agreed on before it begins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// The game's own options.
    pub options: Choices,
    /// Whether it is hidden from `list` and `show`.
    pub private: bool,
    /// The times, and whether it counts for the ratings.
    pub terms: BoardTerms,
}

impl Agreement {
    /// The options of a challenge that make it.
    pub fn words(&self) -> impl Iterator<Item = String> {
        let private = self.private.then(|| "--private".to_owned());
        self.options.words().chain(self.terms.words()).chain(private)
    }
}

/// An entry of the record with its time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordLine {
    /// When.
    pub at: Time,
    /// What happened.
    pub entry: Entry,
    /// The seat that the board waited for then.
    pub waits_for: Option<Seat>,
    /// Why it does not follow from the key of the board, if it is of chance and does not.
    pub undrawn: Option<UndrawnReason>,
}

/// Facts that a shortened record does not show any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RewindRecord {
    /// When it was shortened.
    pub at: Time,
    /// To how many entries.
    pub entries: usize,
    /// Seconds that the board had waited for each seat until then.
    pub used: [Span; 2],
    /// Whether each seat had decided something.
    pub moved: [bool; 2],
}

/// A move that waits for its player's turn; whether it is one shows then.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QueuedMove {
    /// The words.
    #[serde(rename = "move")]
    pub text: String,
    /// The move that it is meant for, if that is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moveno: Option<usize>,
}

/// What a board waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardStatus {
    /// It is that seat's turn.
    ToMove(Seat),
    /// The rules ended it.
    Ended(Outcome),
    /// A player ended it.
    Closed(Closing),
}

/// The seat that a position asks.
fn asked(position: &dyn AnyPosition) -> Option<Seat> {
    match position.next() {
        Next::Move(seat) | Next::Ready(seat, _) => Some(seat),
        Next::Roll(_) | Next::Deal | Next::Over(_) => None,
    }
}

impl Board {
    /// A board at its start, nothing recorded yet.
    pub fn new(
        game: &'static dyn AnyGame,
        number: u32,
        players: [UserId; 2],
        options: Choices,
        started: Time,
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
            rules: game.rules(),
            private: false,
            terms: BoardTerms::default(),
            started,
            settings: Default::default(),
            record: Vec::new(),
            closing: None,
            offer: None,
            past: Vec::new(),
            kept: Vec::new(),
            dice: None,
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

    /// The board, with nothing recorded yet, played by an edition of the game's rules.
    fn played_by(mut self, rules: u32) -> Self {
        self.rules = rules;
        self.position = self.start();
        self
    }

    /// The position before the first entry of the record.
    pub fn start(&self) -> Box<dyn AnyPosition> {
        self.game.setup_by(&self.options, self.rules)
    }

    /// The position now.
    pub fn position(&self) -> &dyn AnyPosition {
        &*self.position
    }

    /// The position after that many moves, with the dice rolled then; none if there were fewer.
    pub fn position_after(&self, moves: usize) -> Option<Box<dyn AnyPosition>> {
        let mut position = self.start();
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

    /// The board without its server, after that many moves if a number is given.
    pub fn transcript(&self, after: Option<usize>) -> Transcript {
        let mut left = after.unwrap_or(usize::MAX);
        let mut until = |line: &&RecordLine| match line.entry {
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

    /// The same board with what was played on it alone, and nothing that its players keep to
    /// themselves.
    #[must_use]
    pub fn played(&self) -> Self {
        let (players, options) = (self.players.clone(), self.options.clone());
        let new = Self::new(self.game, self.id.number, players, options, self.started);
        let position = self.position.copy();
        Self { record: self.record.clone(), closing: self.closing, position, ..new }
    }

    /// How many rolls and deals there have been.
    pub fn drawn(&self) -> usize {
        self.record.iter().filter(|line| line.entry.is_chance()).count()
    }

    /// All that players decided and the server did not, the latest first.
    pub fn decisions(&self) -> Vec<DecisionPoint> {
        let mut moveno = 0;
        let mut found = Vec::new();
        for (index, line) in self.record.iter().enumerate() {
            moveno += usize::from(!line.entry.is_chance());
            if matches!(line.entry, Entry::Moved { auto: false, .. } | Entry::Resigned { .. }) {
                found.push(DecisionPoint { moveno, entries: self.record.len() - index });
            }
        }
        found.reverse();
        found
    }

    /// The decisions that a seat can ask to take back: its own last one, and all after it.
    pub fn last_decision(&self, of: Seat) -> Option<DecisionPoint> {
        let index = self.record.iter().rposition(|line| line.entry.is_decision_of(of))?;
        let is_move = |line: &&RecordLine| !line.entry.is_chance();
        let moveno = 1 + self.record[..index].iter().filter(is_move).count();
        Some(DecisionPoint { moveno, entries: self.record.len() - index })
    }

    /// What the board waits for.
    pub fn status(&self) -> BoardStatus {
        match (self.closing, self.position.next()) {
            (Some(closing), _) => BoardStatus::Closed(closing),
            (None, Next::Over(outcome)) => BoardStatus::Ended(outcome),
            (None, Next::Move(seat) | Next::Ready(seat, _)) => BoardStatus::ToMove(seat),
            (None, Next::Roll(_) | Next::Deal) => {
                unreachable!("chance falls as soon as it is asked for")
            }
        }
    }

    /// Whether chance has to fall before anybody is asked: no board is kept so.
    pub fn lacks_chance(&self) -> bool {
        let awaits = |seat| {
            let dice = self.dice.as_ref();
            dice.is_some_and(|dice| dice.awaits_link(seat, self.drawn()))
        };
        match self.position.next() {
            Next::Roll(_) | Next::Deal => true,
            Next::Ready(seat, _) => !self.position.asks_to_roll() && !awaits(seat),
            Next::Move(_) | Next::Over(_) => false,
        }
    }

    /// Whether it has ended.
    pub fn is_over(&self) -> bool {
        !matches!(self.status(), BoardStatus::ToMove(_))
    }

    /// Since when it waits for what it waits for.
    pub fn waits_since(&self) -> Time {
        let last = self.record.last().map_or(self.started, |line| line.at);
        let rewound = self.rewound.filter(|rewound| rewound.entries == self.record.len());
        rewound.map_or(last, |rewound| rewound.at)
    }

    /// Whether its clocks or what is offered are of a much later time: the machine's clock was
    /// ahead.
    pub fn is_ahead(&self, now: Time) -> bool {
        let is_ahead = |at: Time| at > now + WEEK;
        is_ahead(self.waits_since()) || self.offer.is_some_and(|offer| is_ahead(offer.at))
    }

    /// When it ended, if it has.
    pub fn ended_at(&self) -> Option<Time> {
        match self.status() {
            BoardStatus::ToMove(_) => None,
            BoardStatus::Ended(_) => Some(self.record.last().map_or(self.started, |line| line.at)),
            BoardStatus::Closed(closing) => Some(closing.at),
        }
    }

    /// The seat that it waited for at first, before anything was recorded.
    pub fn begins(&self) -> Option<Seat> {
        self.begins
    }

    /// The score of each, seat 0 first; nothing where it counts for no rating.
    pub fn scores(&self) -> Option<[Score; 2]> {
        let winner = match self.status() {
            _ if self.terms.unrated => return None,
            BoardStatus::ToMove(_) => return None,
            BoardStatus::Ended(Outcome::Won { by, .. }) => Some(by),
            BoardStatus::Ended(Outcome::Drawn { .. })
            | BoardStatus::Closed(Closing {
                by: ClosedBy::Agreeing | ClosedBy::Assenting, ..
            }) => None,
            BoardStatus::Closed(closing) => Some(closing.winner()?),
        };
        // A challenge without an answer is no game, no matter who gave it up.
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
    pub fn moves(&self) -> impl Iterator<Item = RecordedMove<'_>> {
        let mut dice = None;
        // A word such as `take` is said while the dice wait.
        let verbs = self.game.spec().verbs;
        self.record.iter().filter_map(move |line| match &line.entry {
            Entry::Rolled(roll) => {
                dice = Some(*roll);
                None
            }
            Entry::Laid(_) => None,
            Entry::Moved { seat, text, auto } => Some(RecordedMove {
                seat: *seat,
                dice: if verbs.contains(&text.as_str()) { None } else { dice.take() },
                text: text.into(),
                auto: *auto,
            }),
            Entry::Resigned { seat, stake } => {
                let stakes = self.game.spec().stakes;
                let stake = stakes.get(usize::from(*stake).wrapping_sub(1)).unwrap_or(&"");
                let text = format!("resign {stake}").into();
                Some(RecordedMove { seat: *seat, dice: None, text, auto: false })
            }
        })
    }

    /// The offer to a seat.
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

    /// The name of a seat's side: `O`.
    pub fn side(&self, seat: Seat) -> &'static str {
        self.game.spec().sides[seat.index()]
    }

    /// What a player may or must give for the dice with the move that they make now.
    pub fn wanted_seed(&self, by: Seat) -> Option<WantedSeed> {
        let dice = self.dice.as_ref().filter(|_| !self.is_over())?;
        match self.position.next() {
            Next::Move(due) if due == by => dice.wants(by, self.drawn(), self.has_moved(by)),
            Next::Ready(due, _) if due == by && dice.awaits_link(by, self.drawn()) => {
                Some(WantedSeed::Link)
            }
            _ => None,
        }
    }

    /// Whether that seat has ever decided anything, even if the players took it back.
    pub fn has_moved(&self, by: Seat) -> bool {
        self.had_moved(by, self.record.len())
    }

    /// The same when the record had only that many entries.
    pub fn had_moved(&self, by: Seat, entries: usize) -> bool {
        self.rewound.is_some_and(|rewound| rewound.moved[by.index()])
            || self.record[..entries].iter().any(|line| line.entry.is_decision_of(by))
    }
}

/// A decision of a player, as a place in the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecisionPoint {
    /// Its move number.
    pub moveno: usize,
    /// How many entries the record has from there on.
    pub entries: usize,
}

/// One move of the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedMove<'a> {
    /// The player who moved.
    pub seat: Seat,
    /// The dice played.
    pub dice: Option<Roll>,
    /// The move in canonical notation.
    pub text: Cow<'a, str>,
    /// Whether the server played it.
    pub auto: bool,
}
