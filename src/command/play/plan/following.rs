//! Plays the plans of both players, as far as the game follows them.

use crate::base::ids::BoardId;
use crate::model::board::{
    Board, BoardEvent, MOST_PLANNED, Plan, PlanEnd, PlanNote, PlannedStep, UnplayedReason,
};
use crate::model::dice::BoardRandom;
use crate::model::world::event::Event;
use games::{AnyPosition, Choices, Entry, Next, ROLL, Seat, SeatSettings, View, play_text};

/// The plans of both players while a game goes on.
pub(in crate::command::play) struct PlanRun {
    board: BoardId,
    plans: [Option<Plan>; 2],
    /// Whether each plan has changed.
    has_changed: [bool; 2],
    notes: [PlanNote; 2],
    unplayed: [Option<UnplayedReason>; 2],
    /// The number of the next move to follow.
    next: usize,
    /// The number of moves that were played from plans.
    played: usize,
}

/// Why a planned move was not played.
struct Unplayed {
    end: PlanEnd,
    reason: Option<UnplayedReason>,
}

impl From<PlanEnd> for Unplayed {
    fn from(end: PlanEnd) -> Self {
        Self { end, reason: None }
    }
}

impl PlanRun {
    /// Begins with the plans of the board's players.
    pub(in crate::command::play) fn new(board: &Board, plans: [Option<Plan>; 2]) -> Self {
        Self {
            board: board.id,
            plans,
            has_changed: [false; 2],
            notes: Default::default(),
            unplayed: Default::default(),
            next: board.next_move(),
            played: 0,
        }
    }

    /// Follows new entries of the record. They end each plan that does not have them.
    pub(in crate::command::play) fn follow(&mut self, entries: &[Entry]) {
        let moves = entries.iter().filter_map(|entry| match entry {
            Entry::Rolled(_) | Entry::Laid(_) => None,
            Entry::Moved { seat, text, .. } => Some((*seat, Some(text.as_str()))),
            Entry::Resigned { seat, .. } => Some((*seat, None)),
        });
        let moves: Vec<(Seat, Option<&str>)> = moves.collect();
        for turn in moves.chunk_by(|one, next| one.0 == next.0) {
            for owner in Seat::BOTH {
                self.follow_turn(owner, turn[0].0 == owner, turn);
            }
            self.next += turn.len();
        }
    }

    /// Follows consecutive moves of one player with the plan of a player.
    fn follow_turn(&mut self, owner: Seat, is_own: bool, turn: &[(Seat, Option<&str>)]) {
        let Some(plan) = &self.plans[owner.index()] else { return };
        // A move for later waits for its number.
        if plan.from > self.next {
            return;
        }
        let texts: Option<Vec<&str>> = turn.iter().map(|(_, text)| *text).collect();
        let followed = match texts {
            _ if plan.from < self.next => return,
            Some(texts) => plan.follow(&texts, is_own),
            None if is_own => Err(PlanEnd::Moved),
            // A resignation for a stake is a question, for which no plan has an answer.
            None => Err(PlanEnd::Left("resign".into())),
        };
        match (followed, plan.next_own()) {
            (Ok(left), _) => self.keep(owner, left),
            // The move of this number is the opponent's.
            (Err(PlanEnd::Left(_)), Some(PlannedStep::Unread(text))) => {
                let (given, due) = (plan.from, self.next + turn.len());
                let end = PlanEnd::Unplayed(text.clone());
                let reason = Some(UnplayedReason::Stale { given, due });
                self.end(owner, Unplayed { end, reason });
            }
            (Err(end), _) => self.end(owner, end.into()),
        }
    }

    /// Keeps what is left of a plan.
    fn keep(&mut self, owner: Seat, left: Plan) {
        self.has_changed[owner.index()] = true;
        if left.moves.is_empty() {
            self.end(owner, PlanEnd::Finished.into());
        } else {
            self.plans[owner.index()] = Some(left);
        }
    }

    fn end(&mut self, owner: Seat, why: Unplayed) {
        let at = owner.index();
        self.plans[at] = None;
        self.has_changed[at] = true;
        self.notes[at].end = Some(why.end);
        self.unplayed[at] = why.reason;
    }

    /// Plays the planned move of the player who decides, if there is one. Returns the entries of the
    /// move. A move that cannot be played ends the plan.
    pub(in crate::command::play) fn play(
        &mut self,
        position: &mut dyn AnyPosition,
        settings: &dyn Fn(Seat) -> SeatSettings,
        dice: &mut BoardRandom,
    ) -> Option<Vec<Entry>> {
        let (Next::Move(seat) | Next::Ready(seat, _)) = position.next() else { return None };
        // A planned move waits for the roll before it.
        if matches!(position.next(), Next::Ready(..)) && dice.awaits_link(seat) {
            return None;
        }
        let plan = self.plans[seat.index()].clone()?;
        if plan.from > self.next || self.played >= MOST_PLANNED {
            return None;
        }
        match self.try_move(&plan, seat, position, settings, dice) {
            Ok(made) => {
                self.played += 1;
                self.follow_own(seat, &plan, &made);
                Some(made)
            }
            Err(why) => {
                self.end(seat, why);
                None
            }
        }
    }

    /// Follows the entries of a move that was played from a plan.
    fn follow_own(&mut self, seat: Seat, plan: &Plan, made: &[Entry]) {
        let texts = made.iter().filter_map(|entry| match entry {
            Entry::Moved { text, .. } => Some(text.clone()),
            Entry::Rolled(_) | Entry::Laid(_) | Entry::Resigned { .. } => None,
        });
        let before = self.notes[seat.index()].played.len();
        self.notes[seat.index()].played.extend(texts);
        let moves = self.notes[seat.index()].played.len() - before;
        // The plan of the opponent follows them by their texts.
        let own = self.plans[seat.index()].take();
        self.follow(made);
        self.plans[seat.index()] = own;
        self.keep(seat, plan.after_own(moves));
    }

    fn try_move(
        &self,
        plan: &Plan,
        seat: Seat,
        position: &mut dyn AnyPosition,
        settings: &dyn Fn(Seat) -> SeatSettings,
        dice: &mut BoardRandom,
    ) -> Result<Vec<Entry>, Unplayed> {
        let step = plan.next_own().ok_or(PlanEnd::Moved)?;
        let text = match step {
            PlannedStep::Mine(text) | PlannedStep::Unread(text) => text.clone(),
            _ => String::new(),
        };
        let unplayed =
            |reason| Unplayed { end: PlanEnd::Unplayed(text.clone()), reason: Some(reason) };
        if dice.is_value_due(seat) {
            return Err(unplayed(UnplayedReason::Value));
        }
        if plan.from < self.next {
            return Err(unplayed(UnplayedReason::Stale { given: plan.from, due: self.next }));
        }
        match step {
            PlannedStep::Forced => forced_move(position, seat, dice),
            PlannedStep::Mine(text) => {
                position.set_viewer(&View::default());
                let made = position.play(text);
                let made = made.map_err(|error| unplayed(UnplayedReason::Illegal(error)))?;
                Ok(vec![Entry::Moved { seat, text: made, auto: false }])
            }
            _ => {
                let settings = settings(seat).settings;
                position.set_viewer(&View { seat: Some(seat), settings, legal: false });
                let made = play_text(position, seat, &text, dice);
                made.map_err(|error| unplayed(UnplayedReason::Illegal(error)))
            }
        }
    }

    /// Ends the plan of the player who decides, because the program has made the most moves for one
    /// command.
    pub(in crate::command::play) fn stop(&mut self, position: &dyn AnyPosition) {
        let (Next::Move(seat) | Next::Ready(seat, _)) = position.next() else { return };
        if self.plans[seat.index()].as_ref().is_some_and(|plan| plan.from == self.next) {
            self.end(seat, PlanEnd::Program.into());
        }
    }

    /// Returns the events of all plans that have changed.
    pub(in crate::command::play) fn events(self) -> Vec<Event> {
        let Self { board, plans, has_changed, notes, unplayed, .. } = self;
        let plans = Seat::BOTH.into_iter().zip(plans).zip(notes).zip(unplayed);
        let changed = plans.filter(|(((seat, _), _), _)| has_changed[seat.index()]);
        let event = |(((seat, plan), note), unplayed)| {
            Event::Board(board, BoardEvent::PlanFollowed { seat, plan, note, unplayed })
        };
        changed.map(event).collect()
    }
}

/// Returns whether the player who decides has a choice. A player who may double before a roll has one.
pub(super) fn has_choice(position: &dyn AnyPosition) -> bool {
    match position.next() {
        Next::Ready(..) => !position.moves().is_empty(),
        _ => position.automatic_move(&Choices::default()).is_none(),
    }
}

/// Makes a roll or a move that is forced.
fn forced_move(
    position: &mut dyn AnyPosition,
    seat: Seat,
    dice: &mut BoardRandom,
) -> Result<Vec<Entry>, Unplayed> {
    if has_choice(position) {
        return Err(PlanEnd::Choice.into());
    }
    if matches!(position.next(), Next::Ready(..)) {
        return play_text(position, seat, ROLL, dice).map_err(|_| PlanEnd::Choice.into());
    }
    let text = position.automatic_move(&Choices::default()).ok_or(PlanEnd::Choice)?;
    position.play_recorded(&text).expect("a forced move can be played");
    Ok(vec![Entry::Moved { seat, text, auto: true }])
}
