//! The events of a board, and their application.

use super::{Board, ClosedBy, Closing, Offer, Plan, PlanNote, RecordLine, RewindRecord};
use crate::base::ids::{BoardId, TournamentId, UserId};
use crate::base::time::{Span, Time, days};
use crate::model::clock::{AwaitedAction, BoardTerms, Clock, Gift, TimeOff, TurnReminders};
use crate::model::dice::{BoardDice, UndrawnReason};
use games::{Choices, Entry, MoveError, Next, Roll, Seat, replay};

/// One change of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "a field is named after its value")]
pub enum BoardEvent {
    /// Entries were added to the record.
    Played { at: Time, entries: Vec<Entry> },
    /// A player changed one of their settings for this board.
    Chose {
        user: UserId,
        setting: &'static str,
        /// The choice; `None` for the default.
        choice: Option<Choices>,
    },
    /// A player submitted a move to confirm it later.
    Submitted {
        seat: Seat,
        /// The move in canonical notation.
        text: String,
    },
    /// A player entered a plan, or withdrew it.
    Planned {
        seat: Seat,
        /// The plan; `None` if it was withdrawn.
        plan: Option<Plan>,
    },
    /// A player's plan was followed, or it ended.
    PlanFollowed {
        seat: Seat,
        /// What is left of the plan.
        plan: Option<Plan>,
        /// What happened to it.
        note: PlanNote,
        /// Why its next move was not played.
        unplayed: Option<UnplayedReason>,
    },
    /// A user began or ceased to observe the board.
    Observed {
        user: UserId,
        /// Whether they observe it now.
        wanted: bool,
    },
    /// The reply addresses of a player for the board were voided.
    Voided { seat: Seat },
    /// A player added a seed word to the dice.
    Mixed { seat: Seat, word: String },
    /// A player revealed a value of their hash chain with a roll, or began a new chain.
    Linked {
        seat: Seat,
        value: String,
        /// Whether it is the end of a new chain.
        is_end: bool,
    },
    /// A player made an offer.
    Offered(Offer),
    /// An offer was rejected or withdrawn.
    OfferEnded {
        at: Time,
        /// Whether the opponent rejected it.
        is_refused: bool,
    },
    /// The players agreed to take back the last entries of the record.
    TakenBack {
        at: Time,
        /// The removed entries, oldest first.
        entries: Vec<Entry>,
    },
    /// The board ended outside the rules.
    Closed(Closing),
    /// The player to move was reminded.
    Reminded { at: Time },
    /// A player gave time to the opponent.
    Given(Gift),
    /// The clocks were restarted, because the record has later times.
    Restarted { at: Time },
    /// Another program than before has moved for `board5`.
    EngineNamed {
        /// What it calls itself.
        name: String,
    },
    /// A guest signed up, and their board belongs to the new user.
    HandedOver { from: UserId, to: UserId },
    /// A player took the place of another one who had not moved.
    Replaced { at: Time, from: UserId, to: UserId },
}

/// The reason why a planned move was not played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnplayedReason {
    /// Another move of the board is next.
    Stale {
        /// The number of the planned move.
        given: usize,
        /// The number of the next move.
        due: usize,
    },
    /// The move is illegal.
    Illegal(MoveError),
    /// Moves were taken back after it was planned.
    Undone,
    /// The move must come with the value of a commitment.
    Value,
}

/// A new board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardSetup {
    /// The id of the board.
    pub board: BoardId,
    /// The players, seat 0 first.
    pub players: [UserId; 2],
    /// The seat of the challenger, if a player sent the challenge.
    pub challenger: Option<Seat>,
    /// Whether the challenge counts for the limits of its sender.
    pub counted: bool,
    /// The game's options.
    pub options: Choices,
    /// Whether only the players may see the board.
    pub private: bool,
    /// The clock and rating terms.
    pub terms: BoardTerms,
    /// The tournament that the board belongs to.
    pub tournament: Option<TournamentId>,
    /// Whether the game is played for places on a ladder.
    pub is_of_ladder: bool,
    /// When.
    pub at: Time,
    /// The rolls that come again before others.
    pub kept: Vec<Roll>,
    /// The rolls and forced moves before the first decision.
    pub entries: Vec<Entry>,
    /// The dice, if they can be checked.
    pub dice: Option<BoardDice>,
    /// The rolls and deals that do not follow from the dice.
    pub undrawn: Vec<UndrawnRoll>,
    /// How the game ended, if it was played elsewhere and its record does not show it.
    pub closing: Option<Closing>,
}

/// A roll or deal that does not follow from the dice of its board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UndrawnRoll {
    /// Its number among the rolls and deals, from 1.
    pub number: usize,
    /// Where it comes from instead.
    pub reason: UndrawnReason,
}

impl BoardEvent {
    /// Returns whether nobody but the player who caused it may learn that it happened.
    pub fn is_secret(&self) -> bool {
        matches!(self, Self::Planned { .. })
    }

    /// Returns a short text for the log.
    pub fn summary(&self, board: BoardId) -> String {
        match self {
            Self::Played { entries, .. } => {
                format!("{board}: {} entries added to the record", entries.len())
            }
            Self::Chose { user, setting, .. } => format!("{board}: {user} set {setting}"),
            Self::Submitted { .. } => format!("{board}: move submitted"),
            Self::Planned { .. } => format!("{board}: plan changed"),
            Self::PlanFollowed { plan: Some(_), .. } => format!("{board}: plan followed"),
            Self::PlanFollowed { .. } => format!("{board}: plan ended"),
            Self::Observed { user, wanted: true } => format!("{board}: {user} began to observe"),
            Self::Observed { user, wanted: false } => format!("{board}: {user} ceased to observe"),
            Self::Voided { .. } => format!("{board}: reply addresses of a player voided"),
            Self::Mixed { seat, .. } => format!("{board}: seat {} added a seed word", seat.0),
            Self::Linked { seat, is_end: false, .. } => {
                format!("{board}: seat {} revealed a chain value", seat.0)
            }
            Self::Linked { seat, .. } => format!("{board}: seat {} began a new chain", seat.0),
            Self::Offered(offer) => format!("{board}: {:?} offered", offer.what),
            Self::OfferEnded { .. } => format!("{board}: offer ended"),
            Self::TakenBack { entries, .. } => {
                let words: Vec<String> = entries.iter().map(entry_word).collect();
                format!("{board}: taken back: {}", words.join(" "))
            }
            Self::Closed(closing) => match closing.by {
                ClosedBy::Resigning
                | ClosedBy::Declining
                | ClosedBy::Agreeing
                | ClosedBy::Aborting
                | ClosedBy::Withdrawing => format!("{board}: ended by a player"),
                ClosedBy::Forfeiting | ClosedBy::Lapsing | ClosedBy::Assenting => {
                    format!("{board}: ended by the clock")
                }
                ClosedBy::Adjudicating | ClosedBy::AdjudicatedDraw => {
                    format!("{board}: adjudicated")
                }
            },
            Self::Reminded { .. } => format!("{board}: reminder sent"),
            Self::Given(gift) => format!("{board}: seat {} was given time", gift.to),
            Self::Restarted { .. } => {
                format!("{board}: record has times in the future; clocks restarted")
            }
            Self::EngineNamed { name } => format!("{board}: {name} plays"),
            Self::HandedOver { from, to } => format!("{board}: {from} is {to} now"),
            Self::Replaced { from, to, .. } => format!("{board}: {to} replaced {from}"),
        }
    }
}

/// Returns an entry as one word, for the log.
pub fn entry_word(entry: &Entry) -> String {
    match entry {
        Entry::Rolled(roll) => roll.to_string(),
        Entry::Laid(_) => "stones".into(),
        Entry::Moved { text, .. } => text.clone(),
        Entry::Resigned { stake, .. } => format!("resign-{stake}"),
    }
}

impl Board {
    /// Builds a new board.
    pub fn set_up(new: &BoardSetup) -> Self {
        let game = games::find(new.board.game).expect("a BoardId names a game");
        let (players, options) = (new.players.clone(), new.options.clone());
        let mut board = Self::new(game, new.board.number, players, options, new.at);
        board.private = new.private;
        board.terms = new.terms;
        board.tournament = new.tournament;
        board.is_of_ladder = new.is_of_ladder;
        board.challenger = new.challenger;
        board.kept.clone_from(&new.kept);
        board.dice.clone_from(&new.dice);
        board.append(new.at, &new.entries);
        let chance = board.record.iter_mut().filter(|line| line.entry.is_chance());
        for (number, line) in (1..).zip(chance) {
            let undrawn = new.undrawn.iter().find(|undrawn| undrawn.number == number);
            line.undrawn = undrawn.map(|undrawn| undrawn.reason);
        }
        if let Some(closing) = new.closing {
            board.close(closing);
        }
        board
    }

    /// Applies an event. `off` is the time off of the players, seat 0 first.
    pub fn apply(&mut self, event: &BoardEvent, off: [TimeOff; 2]) {
        match event {
            BoardEvent::Played { at, entries } => {
                if self.is_ahead(*at) {
                    self.restart(*at, off);
                }
                self.append(*at, entries);
                self.nags = None;
            }
            BoardEvent::Chose { user, setting, choice } => {
                let seat = self.seat(user).expect("a player chooses for themselves");
                let chosen = &mut self.settings[seat.index()];
                let others = std::mem::take(chosen).without(setting);
                *chosen = others.and(&choice.clone().unwrap_or_default());
            }
            BoardEvent::Submitted { seat, text } => {
                self.submitted[seat.index()] = Some(text.clone());
            }
            BoardEvent::Planned { seat, plan } => self.enter_plan(*seat, plan.clone()),
            BoardEvent::PlanFollowed { seat, plan, note, .. } => {
                self.follow_plan(*seat, plan.as_ref(), note);
            }
            BoardEvent::Observed { user, wanted } => self.observe(user, *wanted),
            BoardEvent::Voided { seat } => {
                let tokens = &mut self.tokens[seat.index()];
                *tokens = tokens.wrapping_add(1);
            }
            BoardEvent::Mixed { seat, word } => self.mix(*seat, word),
            BoardEvent::Linked { seat, value, is_end } => self.link(*seat, value, *is_end),
            BoardEvent::Offered(offer) => self.offer = Some(*offer),
            BoardEvent::OfferEnded { at, is_refused } => {
                self.end_offer_at(*at, *is_refused, off);
            }
            BoardEvent::TakenBack { at, entries } => {
                self.take_back(self.rewound_by(entries.len(), *at, off));
            }
            BoardEvent::Closed(closing) => {
                self.close(*closing);
                self.nags = None;
            }
            BoardEvent::Reminded { at } => self.remind(*at, off),
            BoardEvent::Given(gift) => self.gifts.push(*gift),
            BoardEvent::Restarted { at } => self.restart(*at, off),
            BoardEvent::EngineNamed { name } => self.engine = Some(name.clone()),
            BoardEvent::HandedOver { from, to } => self.hand_over(from, to),
            BoardEvent::Replaced { at, from, to } => self.replace(*at, from, to, off),
        }
    }

    /// Takes a player's word for the dice.
    fn mix(&mut self, seat: Seat, word: &str) {
        let (rolled, has_moved) = (self.drawn(), self.has_moved(seat));
        match &mut self.dice {
            Some(dice) if dice.rules == 1 => dice.mix(Some(seat), word.to_owned(), rolled),
            Some(dice) => {
                let taken = dice.take_word(seat, word, rolled, has_moved);
                taken.expect("a decision gives a word that counts");
            }
            None => {}
        }
    }

    /// Takes the next value of a player's chain for the dice.
    fn link(&mut self, seat: Seat, value: &str, is_end: bool) {
        let drawn = self.drawn();
        if let Some(dice) = &mut self.dice {
            let taken = dice.take_link(seat, value, drawn, is_end);
            taken.expect("a decision gives a value that counts");
        }
    }

    /// Gives the seat of a user to another user.
    fn hand_over(&mut self, from: &UserId, to: &UserId) {
        self.players.iter_mut().filter(|player| *player == from).for_each(|it| it.clone_from(to));
    }

    /// Gives the seat of a player who has not moved to another one, with their full time and without
    /// anything that the player had chosen or planned.
    fn replace(&mut self, at: Time, from: &UserId, to: &UserId, off: [TimeOff; 2]) {
        let Some(seat) = self.seat(from) else { return };
        if self.position.next().decider() == Some(seat) {
            let mut renewed = self.rewound_by(0, at, off);
            renewed.used[seat.index()] = Span::ZERO;
            if let (Some(banks), Some(bank)) = (&mut renewed.banks, self.terms.bank) {
                banks[seat.index()] = days(i64::from(bank.start_days));
            }
            self.rewound = Some(renewed);
            self.nags = None;
        }
        self.settings[seat.index()] = Choices::default();
        self.submitted[seat.index()] = None;
        self.enter_plan(seat, None);
        self.offer = None;
        self.past.clear();
        self.observe(to, false);
        self.hand_over(from, to);
    }

    /// Appends entries to the record and plays them. Clears the offer and the submitted moves.
    pub fn append(&mut self, at: Time, entries: &[Entry]) {
        for entry in entries {
            if let Entry::Moved { seat, auto: false, .. } | Entry::Resigned { seat, .. } = entry {
                self.plan_notes[seat.index()] = None;
            }
            replay(&mut *self.position, [entry])
                .expect("a decision fits the position it was made for");
            // A kept roll precedes any other that fits the throw; a kept roll that does not fit
            // cannot have been thrown.
            let is_kept = matches!(entry, Entry::Rolled(roll) if self.kept.first() == Some(roll));
            if is_kept {
                self.kept.remove(0);
            }
            let undrawn = (is_kept && self.dice.is_some()).then_some(UndrawnReason::Again);
            let waits_for = self.position.next().decider();
            self.record.push(RecordLine { at, entry: entry.clone(), waits_for, undrawn });
        }
        self.clear_offers_and_submitted();
        if matches!(self.position.next(), Next::Over(_)) {
            self.drop_plans();
        }
    }

    /// Shortens the record to `stays.entries` entries. Their rolls come again in the same order:
    /// from the dice of the board, or else as kept rolls. Clears the offer and the submitted moves.
    pub fn take_back(&mut self, stays: RewindRecord) {
        self.wait_again(stays);
        let rolled = self.drawn();
        if let Some(dice) = &mut self.dice {
            dice.mark_seen(rolled);
        }
        let has_key = self.dice.is_some();
        let taken = self.record.split_off(stays.entries);
        let rolls = taken.iter().filter_map(|line| match line.entry {
            Entry::Rolled(roll) if line.undrawn.is_some() || !has_key => Some(roll),
            _ => None,
        });
        self.kept.splice(0..0, rolls);
        self.position = self.start();
        replay(&mut *self.position, self.record.iter().map(|line| &line.entry))
            .expect("a prefix of a valid record is valid");
    }

    /// Replaces the rolls that were taken back by new ones, with a seed word of the operator.
    pub fn renew_dice(&mut self, at: Time) {
        self.kept.clear();
        let rolled = self.drawn();
        if let Some(dice) = &mut self.dice {
            dice.mix(None, format!("again-{}", at.unix()), rolled);
        }
    }

    /// Reopens a board that was ended outside the rules. Clears the offer and the submitted moves.
    pub fn reopen(&mut self, stays: RewindRecord) {
        self.closing = None;
        self.wait_again(stays);
    }

    /// Restores the full time for the decision that is due again.
    fn wait_again(&mut self, stays: RewindRecord) {
        self.clear_offers_and_submitted();
        self.nags = None;
        self.rewound = Some(stays);
    }

    /// Ends the board outside the rules.
    pub fn close(&mut self, closing: Closing) {
        self.closing = Some(closing);
        self.drop_plans();
        self.clear_offers_and_submitted();
    }

    /// Ends the open offer. It is remembered until the next move.
    pub fn end_offer(&mut self, is_refused: bool) {
        let Some(ended) = self.offer.take() else { return };
        self.past.retain(|past| (past.by, past.what) != (ended.by, ended.what));
        self.past.push(Offer { is_refused, ..ended });
    }

    /// Clears what referred to the previous position.
    fn clear_offers_and_submitted(&mut self) {
        self.offer = None;
        self.past.clear();
        self.submitted = Default::default();
    }

    /// Voids the reply addresses of both players.
    pub fn void_replies(&mut self) {
        self.tokens = self.tokens.map(|tokens| tokens.wrapping_add(1));
    }

    fn enter_plan(&mut self, seat: Seat, plan: Option<Plan>) {
        self.plans[seat.index()] = plan;
        self.plan_notes[seat.index()] = None;
    }

    /// Keeps what is left of a plan. Nothing is left once the game is over.
    fn follow_plan(&mut self, seat: Seat, plan: Option<&Plan>, note: &PlanNote) {
        if self.is_over() {
            return;
        }
        self.plans[seat.index()] = plan.cloned();
        if !note.is_empty() {
            self.plan_notes[seat.index()] = Some(note.clone());
        }
    }

    fn drop_plans(&mut self) {
        self.plans = Default::default();
        self.plan_notes = Default::default();
    }

    fn observe(&mut self, user: &UserId, wanted: bool) {
        self.observers.retain(|observer| observer != user);
        if wanted {
            self.observers.push(user.clone());
        }
    }

    /// Ends an offer that was rejected or withdrawn.
    fn end_offer_at(&mut self, at: Time, is_refused: bool, off: [TimeOff; 2]) {
        let was_awaited = self.awaits_answer(at, off);
        self.end_offer(is_refused);
        // While the answer was awaited, nobody was reminded to move. The mail about the end of the
        // offer counts as a reminder, so that a day remains.
        if was_awaited {
            self.nags = Some(TurnReminders { first: at, last: at });
        }
    }

    /// Returns whether the board waits for an answer to an offer.
    fn awaits_answer(&self, at: Time, off: [TimeOff; 2]) -> bool {
        let turn = Clock::read(self, off, at).turn;
        turn.is_some_and(|turn| matches!(turn.wanted, AwaitedAction::Answer(_)))
    }

    /// Restarts the clocks at `at`, if the record or the offer has later times.
    fn restart(&mut self, at: Time, off: [TimeOff; 2]) {
        self.rewound = Some(self.rewound_by(0, at, off));
        self.nags = None;
        if let Some(offer) = self.offer.as_mut().filter(|offer| offer.at > at) {
            (offer.at, offer.nags) = (at, None);
        }
    }

    /// Records a reminder for the awaited move or answer.
    fn remind(&mut self, at: Time, off: [TimeOff; 2]) {
        let is_of_offer = self.awaits_answer(at, off);
        let nags = match &mut self.offer {
            Some(offer) if is_of_offer => &mut offer.nags,
            _ => &mut self.nags,
        };
        let first = nags.filter(|nags| nags.are_plausible(at)).map_or(at, |nags| nags.first);
        *nags = Some(TurnReminders { first, last: at });
    }

    /// Returns the state after the removal of `entries` entries.
    fn rewound_by(&self, entries: usize, at: Time, off: [TimeOff; 2]) -> RewindRecord {
        let clock = Clock::read(self, off, at);
        RewindRecord {
            at,
            entries: self.record.len().saturating_sub(entries),
            used: clock.used,
            banks: clock.banks,
            moved: Seat::BOTH.map(|seat| self.has_moved(seat)),
        }
    }
}
