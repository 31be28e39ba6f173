//! The events of a board, and how they change it.

use super::{Board, ClosedBy, Closing, Offer, QueuedMove, RecordLine, RewindRecord, asked};
use crate::base::ids::{BoardId, UserId};
use crate::base::time::Time;
use crate::model::clock::{AwaitedAction, BoardTerms, Clock, TurnReminders, Vacation};
use crate::model::dice::{BoardDice, UndrawnReason};
use games::{Choices, Entry, MoveError, Next, Roll, Seat, replay};

/// One change of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardEvent {
    /// Dice fell and moves were made.
    Played {
        /// When.
        at: Time,
        /// The entries that go into the record.
        entries: Vec<Entry>,
    },
    /// A player chose how they like something on this board.
    Chose {
        /// The user.
        user: UserId,
        /// The setting.
        setting: &'static str,
        /// The choice; nothing for the default.
        choice: Option<Choices>,
    },
    /// A player has a move kept that they may confirm.
    Submitted {
        /// The player.
        seat: Seat,
        /// The move in canonical notation.
        text: String,
    },
    /// A player has queued another move for their turn, or none any more.
    Queued {
        /// The player.
        seat: Seat,
        /// The move.
        queued: Option<QueuedMove>,
    },
    /// A queued move is not kept any longer, unplayed.
    Dropped {
        /// Whose it was.
        seat: Seat,
        /// Its words.
        text: String,
        /// Why.
        why: UnplayedReason,
    },
    /// A user wants the mails of the board, or does not want them any more.
    Observed {
        /// The user.
        user: UserId,
        /// Whether they want to.
        wanted: bool,
    },
    /// The reply addresses that a player got for the board are void.
    Voided {
        /// Whose they are.
        seat: Seat,
    },
    /// A player mixed a word into the dice.
    Mixed {
        /// The player.
        seat: Seat,
        /// The word.
        word: String,
    },
    /// A player revealed a value of their chain with a roll, or began a new chain.
    Linked {
        /// The player.
        seat: Seat,
        /// The value.
        value: String,
        /// Whether a new chain ends with it.
        is_end: bool,
    },
    /// A player offered something to their opponent.
    Offered(Offer),
    /// An offer was rejected or withdrawn.
    OfferEnded {
        /// When.
        at: Time,
        /// Whether the player who was asked rejected it.
        is_refused: bool,
    },
    /// The players agreed to take back the end of the record.
    TakenBack {
        /// When.
        at: Time,
        /// The entries that were taken back, oldest first.
        entries: Vec<Entry>,
    },
    /// The board was ended from outside the rules.
    Closed(Closing),
    /// The player that the board waits for was reminded.
    Reminded {
        /// When.
        at: Time,
    },
    /// The clocks go on from now, and the record has later times.
    Restarted {
        /// When.
        at: Time,
    },
}

/// Why a queued move was not played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnplayedReason {
    /// It was meant for another move of the board.
    Stale {
        /// The move named.
        given: usize,
        /// The move that is next.
        due: usize,
    },
    /// It is no legal move.
    Illegal(MoveError),
    /// It was meant for another course of the game: moves were taken back.
    Undone,
    /// A value for the dice is due with the move.
    Value,
}

/// A board as it is set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardSetup {
    /// Its name.
    pub board: BoardId,
    /// The players, seat 0 first.
    pub players: [UserId; 2],
    /// Whose challenge it is, when a player sent it.
    pub challenger: Option<Seat>,
    /// Whether the sender is held to the limits of challenges.
    pub counted: bool,
    /// The game's options.
    pub options: Choices,
    /// Hidden from `list` and `show`.
    pub private: bool,
    /// The times agreed on, and whether it counts for the ratings.
    pub terms: BoardTerms,
    /// When.
    pub at: Time,
    /// The rolls that must come again on it, before others.
    pub kept: Vec<Roll>,
    /// The first dice, and what was played for the players already.
    pub entries: Vec<Entry>,
    /// How its chance can be checked.
    pub dice: Option<BoardDice>,
    /// Which rolls and deals, counted from 1, do not follow from that, and why.
    pub undrawn: Vec<(usize, UndrawnReason)>,
}

impl BoardEvent {
    /// The event in a few words, for the log.
    pub fn summary(&self, board: BoardId) -> String {
        match self {
            Self::Played { entries, .. } => format!("{board}: {} entries recorded", entries.len()),
            Self::Chose { user, setting, .. } => format!("{user} chose {setting}"),
            Self::Submitted { .. } => format!("{board}: a move submitted"),
            Self::Queued { .. } => format!("{board}: the queued move is another"),
            Self::Dropped { .. } => format!("{board}: a queued move dropped"),
            Self::Observed { user, wanted: true } => format!("{user} observes {board}"),
            Self::Observed { user, wanted: false } => format!("{user} no longer observes {board}"),
            Self::Voided { .. } => format!("{board}: a player's reply addresses are void"),
            Self::Mixed { seat, .. } => format!("{board}: side {} mixed a word in", seat.0),
            Self::Linked { seat, is_end: false, .. } => {
                format!("{board}: side {} revealed a value", seat.0)
            }
            Self::Linked { seat, .. } => format!("{board}: side {} began a new chain", seat.0),
            Self::Offered(offer) => format!("{board}: {:?} offered", offer.what),
            Self::OfferEnded { .. } => format!("{board}: the offer is gone"),
            Self::TakenBack { entries, .. } => {
                let words: Vec<String> = entries.iter().map(written).collect();
                format!("{board}: taken back by agreement: {}", words.join(" "))
            }
            Self::Closed(closing) => match closing.by {
                ClosedBy::Resigning | ClosedBy::Declining | ClosedBy::Agreeing => {
                    format!("{board} closed by a player")
                }
                ClosedBy::Forfeiting | ClosedBy::Lapsing | ClosedBy::Assenting => {
                    format!("{board} closed by the clock")
                }
            },
            Self::Reminded { .. } => format!("{board}: a reminder sent"),
            Self::Restarted { .. } => {
                format!("{board}: its last move bears a later time; its clocks go on from now")
            }
        }
    }
}

/// An entry in a word, for the log.
pub fn written(entry: &Entry) -> String {
    match entry {
        Entry::Rolled(roll) => roll.to_string(),
        Entry::Laid(_) => "stones".into(),
        Entry::Moved { text, .. } => text.clone(),
        Entry::Resigned { stake, .. } => format!("resign-{stake}"),
    }
}

impl Board {
    /// A board as it is set up.
    pub fn set_up(new: &BoardSetup) -> Self {
        let game = games::find(new.board.game).expect("a BoardId names a game");
        let (players, options) = (new.players.clone(), new.options.clone());
        let mut board = Self::new(game, new.board.number, players, options, new.at);
        board.private = new.private;
        board.terms = new.terms;
        board.challenger = new.challenger;
        board.kept.clone_from(&new.kept);
        board.dice.clone_from(&new.dice);
        board.append(new.at, &new.entries);
        let chance = board.record.iter_mut().filter(|line| line.entry.is_chance());
        for (number, line) in (1..).zip(chance) {
            let why = new.undrawn.iter().find(|(undrawn, _)| *undrawn == number);
            line.undrawn = why.map(|(_, why)| *why);
        }
        board
    }

    /// Carries out an event that was decided for this board, whose players have these vacations,
    /// seat 0's first.
    pub fn apply(&mut self, event: &BoardEvent, vacations: [&[Vacation]; 2]) {
        match event {
            BoardEvent::Played { at, entries } => {
                if self.is_ahead(*at) {
                    self.restart(*at, vacations);
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
            BoardEvent::Queued { seat, queued } => {
                self.queued[seat.index()].clone_from(queued);
            }
            BoardEvent::Dropped { seat, .. } => self.queued[seat.index()] = None,
            BoardEvent::Observed { user, wanted } => self.observe(user, *wanted),
            BoardEvent::Voided { seat } => {
                let tokens = &mut self.tokens[seat.index()];
                *tokens = tokens.wrapping_add(1);
            }
            BoardEvent::Mixed { seat, word } => {
                let (rolled, has_moved) = (self.drawn(), self.has_moved(*seat));
                match &mut self.dice {
                    Some(dice) if dice.rules == 1 => dice.mix(Some(*seat), word.clone(), rolled),
                    Some(dice) => {
                        let taken = dice.take_word(*seat, word, rolled, has_moved);
                        taken.expect("a decision gives a word that counts");
                    }
                    None => {}
                }
            }
            BoardEvent::Linked { seat, value, is_end } => {
                let drawn = self.drawn();
                if let Some(dice) = &mut self.dice {
                    let taken = dice.take_link(*seat, value, drawn, *is_end);
                    taken.expect("a decision gives a value that counts");
                }
            }
            BoardEvent::Offered(offer) => self.offer = Some(*offer),
            BoardEvent::OfferEnded { at, is_refused } => {
                self.answer(*at, *is_refused, vacations);
            }
            BoardEvent::TakenBack { at, entries } => {
                self.take_back(self.without(entries.len(), *at, vacations));
            }
            BoardEvent::Closed(closing) => {
                self.close(*closing);
                self.nags = None;
            }
            BoardEvent::Reminded { at } => self.remind(*at, vacations),
            BoardEvent::Restarted { at } => self.restart(*at, vacations),
        }
    }

    /// Adds entries to the record and carries them out. Offers and submitted moves become void.
    pub fn append(&mut self, at: Time, entries: &[Entry]) {
        for entry in entries {
            replay(&mut *self.position, [entry])
                .expect("a decision fits the position it was made for");
            // A kept roll comes before any other that fits the same throw, and one that does not
            // fit it cannot be what was thrown.
            let is_kept = matches!(entry, Entry::Rolled(roll) if self.kept.first() == Some(roll));
            if is_kept {
                self.kept.remove(0);
            }
            let undrawn = (is_kept && self.dice.is_some()).then_some(UndrawnReason::Again);
            let waits_for = asked(&*self.position);
            self.record.push(RecordLine { at, entry: entry.clone(), waits_for, undrawn });
        }
        self.unsettle();
        if matches!(self.position.next(), Next::Over(_)) {
            self.queued = Default::default();
        }
    }

    /// Takes so many entries from the end of the record. Their rolls come again in the same order:
    /// they follow from the board's key, or else they are kept. Offers and submitted moves become
    /// void. `stays` says how many entries stay, and what else.
    pub fn take_back(&mut self, stays: RewindRecord) {
        self.wait_again(stays);
        let rolled = self.drawn();
        if let Some(dice) = &mut self.dice {
            dice.have_seen(rolled);
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
            .expect("a part of a record from its start fits as the whole did");
    }

    /// Lets other dice come than those that were taken back: a word of the operator is mixed in.
    pub fn renew_dice(&mut self, at: Time) {
        self.kept.clear();
        let rolled = self.drawn();
        if let Some(dice) = &mut self.dice {
            dice.mix(None, format!("again-{}", at.unix()), rolled);
        }
    }

    /// Takes back that the board was ended from outside the rules. Offers and submitted moves
    /// become void.
    pub fn reopen(&mut self, stays: RewindRecord) {
        self.closing = None;
        self.wait_again(stays);
    }

    /// Gives the player who must decide again the full time for it.
    fn wait_again(&mut self, stays: RewindRecord) {
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
    pub fn end_offer(&mut self, is_refused: bool) {
        let Some(ended) = self.offer.take() else { return };
        self.past.retain(|past| (past.by, past.what) != (ended.by, ended.what));
        self.past.push(Offer { is_refused, ..ended });
    }

    /// Forgets what was said about a position that is no longer there.
    fn unsettle(&mut self) {
        self.offer = None;
        self.past.clear();
        self.submitted = Default::default();
    }

    /// Makes the reply addresses of both players void.
    pub fn void_replies(&mut self) {
        self.tokens = self.tokens.map(|tokens| tokens.wrapping_add(1));
    }

    fn observe(&mut self, user: &UserId, wanted: bool) {
        self.observers.retain(|observer| observer != user);
        if wanted {
            self.observers.push(user.clone());
        }
    }

    /// Ends an offer that was rejected or withdrawn.
    fn answer(&mut self, at: Time, is_refused: bool, vacations: [&[Vacation]; 2]) {
        let was_awaited = self.awaits_answer(at, vacations);
        self.end_offer(is_refused);
        // While an answer was waited for nobody was reminded to move. The mail that tells of the
        // end does it, so that there is a day left.
        if was_awaited {
            self.nags = Some(TurnReminders { first: at, last: at });
        }
    }

    /// Whether it waits for an answer, not for a move.
    fn awaits_answer(&self, at: Time, vacations: [&[Vacation]; 2]) -> bool {
        let turn = Clock::read(self, vacations, at).turn;
        turn.is_some_and(|turn| matches!(turn.wanted, AwaitedAction::Answer(_)))
    }

    /// Lets the clocks go on from that time, where the record or an offer has a later one.
    fn restart(&mut self, at: Time, vacations: [&[Vacation]; 2]) {
        self.rewound = Some(self.without(0, at, vacations));
        self.nags = None;
        if let Some(offer) = self.offer.as_mut().filter(|offer| offer.at > at) {
            (offer.at, offer.nags) = (at, None);
        }
    }

    /// Remembers that a player was reminded of what the board waits for.
    fn remind(&mut self, at: Time, vacations: [&[Vacation]; 2]) {
        let is_of_offer = self.awaits_answer(at, vacations);
        let nags = match &mut self.offer {
            Some(offer) if is_of_offer => &mut offer.nags,
            _ => &mut self.nags,
        };
        let first = nags.filter(|nags| nags.count(at)).map_or(at, |nags| nags.first);
        *nags = Some(TurnReminders { first, last: at });
    }

    /// The rest when that many entries go.
    fn without(&self, entries: usize, at: Time, vacations: [&[Vacation]; 2]) -> RewindRecord {
        RewindRecord {
            at,
            entries: self.record.len().saturating_sub(entries),
            used: Clock::read(self, vacations, at).used,
            moved: Seat::BOTH.map(|seat| self.has_moved(seat)),
        }
    }
}
