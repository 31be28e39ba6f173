//! Boards: numbered games with their players and records. A position is the result of replaying the
//! record.

mod closing;
mod event;
mod export;
mod file;
mod offer;
mod plan;
#[cfg(test)]
mod tests;

pub use closing::{ClosedBy, Closing};
pub use event::{BoardEvent, BoardSetup, UndrawnRoll, UnplayedReason, entry_word};
pub use file::{BoardFile, board_key};
pub use offer::{Offer, Proposal};
pub use plan::{MOST_PLANNED, Plan, PlanEnd, PlanNote, PlannedMove, PlannedStep};

use crate::base::ids::{BoardId, TournamentId, UserId};
use crate::base::time::{Span, Time, WEEK};
use crate::model::clock::{BoardTerms, Gift, TurnReminders};
use crate::model::dice::{BoardDice, UndrawnReason, WantedSeed};
use crate::model::rating::{Curve, MIN_DECISIONS, RatedGame, RatingChange, Score};
use games::{AnyGame, AnyPosition, Choices, Entry, Next, Outcome, Roll, Seat, Transcript, replay};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A board.
#[derive(Debug)]
pub struct Board {
    /// The id.
    pub id: BoardId,
    /// The game.
    pub game: &'static dyn AnyGame,
    /// The players, seat 0 first.
    pub players: [UserId; 2],
    /// The seat of the challenger, if a player sent the challenge.
    pub challenger: Option<Seat>,
    /// The game's own options.
    pub options: Choices,
    /// The edition of the game's rules.
    pub rules: u32,
    /// Whether only the players may see the board.
    pub private: bool,
    /// The clock and rating terms.
    pub terms: BoardTerms,
    /// The tournament that the board belongs to.
    pub tournament: Option<TournamentId>,
    /// Whether the game is played for places on the ladder of its game.
    pub is_of_ladder: bool,
    /// When the board was set up.
    pub started: Time,
    /// The players' settings for this board, seat 0 first.
    pub settings: [Choices; 2],
    /// The record, oldest entry first.
    pub record: Vec<RecordLine>,
    /// The end outside the rules, if there was one.
    pub closing: Option<Closing>,
    /// The open offer.
    pub offer: Option<Offer>,
    /// Closed offers since the last move, without duplicates.
    pub past: Vec<Offer>,
    /// The rolls that come again before others, oldest first: those of moves that were taken back,
    /// unless they follow from the board's dice, and those of an earlier board.
    pub kept: Vec<Roll>,
    /// The dice that can be checked; `None` on boards without chance and on old boards.
    pub dice: Option<BoardDice>,
    /// The submitted, unconfirmed moves, in canonical notation, seat 0 first.
    pub submitted: [Option<String>; 2],
    /// The players' plans, seat 0 first.
    pub plans: [Option<Plan>; 2],
    /// What happened to the players' plans since their last own decisions, seat 0 first.
    pub plan_notes: [Option<PlanNote>; 2],
    /// The users who get the board's mails without playing.
    pub observers: Vec<UserId>,
    /// How often each player has voided their reply addresses for this board.
    pub tokens: [u32; 2],
    /// The reminders of the current turn.
    pub nags: Option<TurnReminders>,
    /// The time that players have given to their opponents, oldest first.
    pub gifts: Vec<Gift>,
    /// What made the latest move of `board5`: the name of an engine, or of our own program.
    pub engine: Option<String>,
    /// The rating changes at the end of the board, seat 0 first.
    pub rated: Option<[RatingChange; 2]>,
    /// The state before moves were last taken back.
    pub rewound: Option<RewindRecord>,
    first_to_decide: Option<Seat>,
    position: Box<dyn AnyPosition>,
}

/// The terms that players agree on before a board begins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// The game's own options.
    pub options: Choices,
    /// Whether only the players may see the board.
    pub private: bool,
    /// The clock and rating terms.
    pub terms: BoardTerms,
}

impl Agreement {
    /// Returns the options of a challenge with these terms.
    pub fn words(&self) -> impl Iterator<Item = String> {
        let private = self.private.then(|| "--private".to_owned());
        self.options.words().chain(self.terms.words()).chain(private)
    }
}

/// An entry of the record with its circumstances.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordLine {
    /// When.
    pub at: Time,
    /// The entry.
    pub entry: Entry,
    /// The seat to decide after the entry.
    pub waits_for: Option<Seat>,
    /// The reason why a roll or deal does not follow from the dice of the board, if it does not.
    pub undrawn: Option<UndrawnReason>,
}

/// The facts that are lost when the record is shortened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RewindRecord {
    /// When it was shortened.
    pub at: Time,
    /// The remaining number of entries.
    pub entries: usize,
    /// The time that the board had waited for each seat, in seconds.
    pub used: [Span; 2],
    /// The time that was left in each bank, in seconds, on a board with banks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub banks: Option<[Span; 2]>,
    /// Whether each seat had made a decision.
    pub moved: [bool; 2],
}

/// The state of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardStatus {
    /// It is this seat's turn.
    ToMove(Seat),
    /// The game ended by its rules.
    Ended(Outcome),
    /// The board ended outside the rules.
    Closed(Closing),
}

/// The result of a finished board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardResult {
    /// This seat won.
    Won(Seat),
    /// The game was drawn.
    Drawn,
}

impl Board {
    /// Builds a board with an empty record.
    pub fn new(
        game: &'static dyn AnyGame,
        number: u32,
        players: [UserId; 2],
        options: Choices,
        started: Time,
    ) -> Self {
        let id = BoardId { game: game.spec().name, number };
        let position = game.setup(&options);
        let first_to_decide = position.next().decider();
        Self {
            id,
            game,
            players,
            challenger: None,
            options,
            rules: game.rules(),
            private: false,
            terms: BoardTerms::default(),
            tournament: None,
            is_of_ladder: false,
            started,
            settings: Default::default(),
            record: Vec::new(),
            closing: None,
            offer: None,
            past: Vec::new(),
            kept: Vec::new(),
            dice: None,
            submitted: Default::default(),
            plans: Default::default(),
            plan_notes: Default::default(),
            observers: Vec::new(),
            tokens: [0, 0],
            nags: None,
            gifts: Vec::new(),
            engine: None,
            rated: None,
            rewound: None,
            first_to_decide,
            position,
        }
    }

    /// Sets the edition of the rules of a board with an empty record.
    fn with_rules(mut self, rules: u32) -> Self {
        self.rules = rules;
        self.position = self.start();
        self
    }

    /// Returns the position before the first entry.
    pub fn start(&self) -> Box<dyn AnyPosition> {
        self.game.setup_by(&self.options, self.rules)
    }

    /// Returns the current position.
    pub fn position(&self) -> &dyn AnyPosition {
        &*self.position
    }

    /// Returns the position after `moves` moves, with the dice rolled then; `None` if there were
    /// fewer.
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
            replay(&mut *position, [&line.entry])
                .expect("the record was replayed when it was read");
        }
        (made == moves).then_some(position)
    }

    /// Returns whether the game hides something from its players until it ends.
    pub fn is_hidden(&self) -> bool {
        self.game.spec().manner.is_secret && !self.is_over()
    }

    /// Returns the record for other programs, up to move `after`.
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
            ending: self.closing.filter(|_| after.is_none()).and_then(Closing::ending),
        }
    }

    /// Returns the board with its game only: without settings, plans and other private data.
    #[must_use]
    pub fn played(&self) -> Self {
        let (players, options) = (self.players.clone(), self.options.clone());
        let new = Self::new(self.game, self.id.number, players, options, self.started);
        let (record, position) = (self.record.clone(), self.position.copy());
        Self { rules: self.rules, record, closing: self.closing, position, ..new }
    }

    /// Returns the events that end the plans of both players, because moves were taken back: the plans
    /// were meant for another course of the game.
    pub fn plans_undone(&self) -> Vec<BoardEvent> {
        let ended = Seat::BOTH.into_iter().filter_map(|seat| {
            let end = self.plans[seat.index()].as_ref()?.end_by_undo();
            let is_move = matches!(end, PlanEnd::Unplayed(_));
            let note = PlanNote { end: Some(end), ..PlanNote::default() };
            let unplayed = is_move.then_some(UnplayedReason::Undone);
            Some(BoardEvent::PlanFollowed { seat, plan: None, note, unplayed })
        });
        ended.collect()
    }

    /// Returns whether a plan can have the moves of both sides: the game has no dice, hides nothing
    /// from its players, and has two of them.
    pub fn can_branch(&self) -> bool {
        let has_dice =
            matches!(self.game.setup(&Choices::default()).next(), Next::Roll(_) | Next::Ready(..));
        !has_dice && !self.game.spec().manner.is_blind()
    }

    /// Returns the number of rolls and deals.
    pub fn drawn(&self) -> usize {
        self.record.iter().filter(|line| line.entry.is_chance()).count()
    }

    /// Returns the decisions of players, latest first, without moves that the server made for them.
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

    /// Returns the last decision of a seat, which an undo takes back with all later entries.
    pub fn last_decision(&self, of: Seat) -> Option<DecisionPoint> {
        let index = self.record.iter().rposition(|line| line.entry.is_decision_of(of))?;
        let is_move = |line: &&RecordLine| !line.entry.is_chance();
        let moveno = 1 + self.record[..index].iter().filter(is_move).count();
        Some(DecisionPoint { moveno, entries: self.record.len() - index })
    }

    /// Returns the state of the board.
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

    /// Returns whether a roll or deal is due before any decision. No stored board is in this state.
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

    /// Returns whether the board has ended.
    pub fn is_over(&self) -> bool {
        !matches!(self.status(), BoardStatus::ToMove(_))
    }

    /// Returns when the current wait began.
    pub fn waits_since(&self) -> Time {
        let last = self.record.last().map_or(self.started, |line| line.at);
        let rewound = self.rewound.filter(|rewound| rewound.entries == self.record.len());
        rewound.map_or(last, |rewound| rewound.at)
    }

    /// Returns whether the record or the offer has a time far after `now`, because the clock of the
    /// machine was wrong.
    pub fn is_ahead(&self, now: Time) -> bool {
        let is_ahead = |at: Time| at > now + WEEK;
        is_ahead(self.waits_since()) || self.offer.is_some_and(|offer| is_ahead(offer.at))
    }

    /// Returns when the board ended.
    pub fn ended_at(&self) -> Option<Time> {
        match self.status() {
            BoardStatus::ToMove(_) => None,
            BoardStatus::Ended(_) => Some(self.record.last().map_or(self.started, |line| line.at)),
            BoardStatus::Closed(closing) => Some(closing.at),
        }
    }

    /// Returns the first seat to decide, before any entry.
    pub fn first_to_decide(&self) -> Option<Seat> {
        self.first_to_decide
    }

    /// Returns the result of a finished board; `None` if it is in progress, or was closed before both
    /// players had made a decision.
    pub fn result(&self) -> Option<BoardResult> {
        match self.status() {
            BoardStatus::ToMove(_) => None,
            BoardStatus::Ended(Outcome::Won { by, .. }) => Some(BoardResult::Won(by)),
            BoardStatus::Ended(Outcome::Drawn { .. }) => Some(BoardResult::Drawn),
            BoardStatus::Closed(closing) if closing.by.is_draw() => Some(BoardResult::Drawn),
            BoardStatus::Closed(closing) => {
                closing.winner().filter(|_| self.is_answered()).map(BoardResult::Won)
            }
        }
    }

    /// Returns whether both players have made a decision, or the game was played to its end. A challenge
    /// without an answer is not a game, no matter which player gave it up.
    pub fn is_answered(&self) -> bool {
        self.closing.is_none() || Seat::BOTH.into_iter().all(|seat| self.has_moved(seat))
    }

    /// Returns what ratings depend on; `None` if the board is in progress or is not rated.
    pub fn rated_game(&self) -> Option<RatedGame> {
        let decisions =
            |seat: Seat| self.record.iter().filter(|line| line.entry.is_decision_of(seat)).count();
        Some(RatedGame {
            players: self.players.clone(),
            scores: self.scores()?,
            at: self.ended_at()?,
            curve: self.curve(),
            is_long: Seat::BOTH.into_iter().all(|seat| decisions(seat) >= MIN_DECISIONS),
        })
    }

    /// Returns how much a difference of ratings says about the result.
    fn curve(&self) -> Curve {
        let spec = self.game.spec();
        let Some(name) = spec.manner.match_option else { return Curve::Elo };
        let option = spec.options.iter().find(|option| option.name == name);
        let length = option.map_or(1, |option| option.number(&self.options));
        Curve::Fibs { length: length.max(1) }
    }

    /// Returns the scores, seat 0 first; `None` if the board is not rated.
    fn scores(&self) -> Option<[Score; 2]> {
        let winner = match self.status() {
            _ if self.terms.unrated => return None,
            BoardStatus::ToMove(_) => return None,
            BoardStatus::Ended(Outcome::Won { by, .. }) => Some(by),
            BoardStatus::Ended(Outcome::Drawn { .. }) => None,
            BoardStatus::Closed(closing) if closing.by.is_draw() => None,
            BoardStatus::Closed(closing) => Some(closing.winner()?),
        };
        if !self.is_answered() {
            return None;
        }
        Some(Seat::BOTH.map(|seat| match winner {
            None => Score::Tied,
            Some(winner) if winner == seat => Score::Won,
            Some(_) => Score::Lost,
        }))
    }

    /// Returns the number of the next move, from 1.
    pub fn next_move(&self) -> usize {
        1 + self.moves().count()
    }

    /// Returns the moves, each with its dice.
    pub fn moves(&self) -> impl Iterator<Item = RecordedMove<'_>> {
        let mut dice = None;
        // A word such as `take` uses no dice.
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

    /// Returns the offer to a seat.
    pub fn offered_to(&self, seat: Seat) -> Option<Proposal> {
        self.offer.filter(|offer| offer.by != seat).map(|offer| offer.what)
    }

    /// Returns whether the board waits for a user: for a move, or for the answer to an offer.
    pub fn waits_for(&self, user: &UserId) -> bool {
        match self.status() {
            BoardStatus::ToMove(seat) => {
                let is_asked = |seat: Seat| self.offered_to(seat).is_some();
                self.player(seat) == user || self.seat(user).is_some_and(is_asked)
            }
            BoardStatus::Ended(_) | BoardStatus::Closed(_) => false,
        }
    }

    /// Returns the seat of a user.
    pub fn seat(&self, user: &UserId) -> Option<Seat> {
        Seat::BOTH.into_iter().find(|seat| self.players[seat.index()] == *user)
    }

    /// Returns the player of a seat.
    pub fn player(&self, seat: Seat) -> &UserId {
        &self.players[seat.index()]
    }

    /// Returns the name of a seat's side: `O`.
    pub fn side(&self, seat: Seat) -> &'static str {
        self.game.spec().sides[seat.index()]
    }

    /// Returns the seed word or value that a player may or must give with their next move.
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

    /// Returns whether a seat can still close the board without a result: the challenger until either
    /// player has moved, the other player until their own first move. A game of a ladder is played or
    /// lost.
    pub fn can_decline(&self, by: Seat) -> bool {
        let is_bound = self.challenger == Some(by) && self.has_moved(by.other());
        let is_optional = !self.game.spec().manner.is_solo && !self.is_of_ladder;
        !self.is_over() && is_optional && !self.has_moved(by) && !is_bound
    }

    /// Returns whether a seat has ever made a decision, even one that was taken back.
    pub fn has_moved(&self, by: Seat) -> bool {
        self.had_moved(by, self.record.len())
    }

    /// Returns whether a seat had made a decision within the first `entries` entries.
    pub fn had_moved(&self, by: Seat, entries: usize) -> bool {
        self.rewound.is_some_and(|rewound| rewound.moved[by.index()])
            || self.record[..entries].iter().any(|line| line.entry.is_decision_of(by))
    }
}

/// A player's decision in the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecisionPoint {
    /// The move number.
    pub moveno: usize,
    /// The number of entries from the decision to the end of the record.
    pub entries: usize,
}

/// A move of the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedMove<'a> {
    /// The player who moved.
    pub seat: Seat,
    /// The dice that were played.
    pub dice: Option<Roll>,
    /// The move in canonical notation.
    pub text: Cow<'a, str>,
    /// Whether the server played it for the player.
    pub auto: bool,
}
