//! The race games: men move around 24 points and are borne off.
//!
//! Backgammon, Plakoto and Moultezim share one engine; a [`Race`] defines what differs. The rules
//! use own points, the pips still to go. Written numbers exist only in notation and diagrams.
//! `program` plays the games that are a [`NetRace`].
//!
//! Sources of the shared rules: S3 is the help page of Moultezim on the original server, which
//! refers to Backgammon, or "Hit", for what it does not say; S0 is the help page of Malaka, and S2
//! the chapter on Moloko in *Connection Games*.

mod board;
mod notation;
mod numbers;
mod plays;
mod program;
mod read;
mod turn_rules;

#[cfg(test)]
mod tests;

pub(crate) use board::{
    BAR, Board, Course, LAST, Men, OFF, POINTS, PointMask, between, down, highest, up,
};
pub(crate) use notation::{head, line, piles, place};
pub(crate) use numbers::{
    NUMBERS, Numbers, drawn, numbered, renumbered, text_for_diagram, text_for_viewer,
};
pub(crate) use plays::{Play, apply, boards, greedy_play, only_play, perft, plays, plays_up_to};
pub(crate) use program::{NetRace, RaceSituation};
pub(crate) use read::{can_read, first_steps, partial_move, paths, read, read_by, read_recorded};

use crate::bot;
use crate::kit::{
    Choices, Corner, Diagram, DiceOnTable, Evaluation, EvaluationBudget, EvaluationUnit, Game,
    MANUAL, MoveError, Next, NextStep, Outcome, PartialMove, RandomBelow, Roll, Scope, SearchDepth,
    Seat, Setting, Spec, Spot, Switch, Throw, View, whole_moves,
};
use std::fmt::Debug;
use std::hash::Hash;

/// The movement rules of a race game.
pub(crate) trait Race: Clone + Copy + Eq + Hash + Debug + Send + 'static {
    /// How the paths of the two sides relate.
    const COURSE: Course;

    /// What happens to a single man of the other side.
    const LANDING: Landing;

    /// The men of each side at the start: own points and counts.
    const START: &'static [(u8, u8)];

    /// How each side's points are written.
    const NUMBERS: [Numbers; 2];

    /// Returns the rule that forbids a side's men to stand like this after a step, if any.
    fn forbids(_men: &Men) -> Option<&'static str> {
        None
    }

    /// Returns whether [`Race::forbids`] could forbid a step here. This faster test comes first.
    fn may_forbid(_men: &Men) -> bool {
        false
    }
}

/// What happens to a single man when an enemy man lands on its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Landing {
    /// It is hit and goes to the bar.
    Hit,
    /// It is pinned.
    Pin,
    /// Nothing: its point is blocked.
    Block,
}

/// The setting of players whose men the server bears off.
pub(crate) const GREEDY: Setting = Setting {
    switch: Switch::flag("greedy", "bearing off is played for you once no contact is left"),
    scope: Scope::Board,
};

/// The option by which seat 0 begins whatever the opening roll shows. The server decides who gets
/// that seat.
pub(crate) const FORCE: Switch = Switch::flag("force", "the first named plays O");

/// The option by which the winner of the opening roll rolls again.
pub(crate) const REROLL: Switch =
    Switch::flag("reroll", "the winner of the opening roll rolls again for the first play");

/// The letters of the sides.
pub(crate) const SIDES: [&str; 2] = ["O", "X"];

/// Returns the seat that begins after an opening roll.
pub(crate) fn beginner(opening: Roll) -> Seat {
    match opening {
        Roll::Two(a, b) if b > a => Seat(1),
        _ => Seat(0),
    }
}

/// Returns the side that has borne off all men, testing `mover` first.
pub(crate) fn first_off(board: &Board, mover: Seat) -> Option<Seat> {
    [mover, mover.other()].into_iter().find(|&seat| board.men_of(seat).are_off())
}

/// A race game without a cube.
pub(crate) trait Rules: NetRace {
    /// The game's declaration.
    const SPEC: Spec;

    /// Returns the rules with these options.
    fn of(options: &Choices) -> Self;

    /// Returns the corner of point 1 for a viewer.
    fn first_corner(view: &View) -> Corner;
}

/// What a position waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The opening roll.
    Begin,
    /// An ordinary roll.
    Throw,
    /// A play of this roll, larger die first.
    Play(Roll),
    /// Nothing: the game is over.
    Over(Outcome),
}

/// A position of a game without a cube.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Position<R> {
    rules: R,
    /// Whether the opening roll is rolled again instead of played.
    rerolls: bool,
    board: Board,
    /// The side on turn, or the next one if the game went on; seat 0 before that is known.
    seat: Seat,
    phase: Phase,
}

impl<R: Rules> Position<R> {
    fn new(options: &Choices, board: Board, seat: Seat, phase: Phase) -> Self {
        let (rules, rerolls) = (R::of(options), options.has(REROLL.name));
        Self { rules, rerolls, board, seat, phase }
    }

    /// Judges the board after a complete play of the side that is not on turn, and continues the
    /// game.
    fn judged(mut self) -> Self {
        let outcome = self.rules.outcome(&self.board, self.seat.other());
        self.phase = outcome.map_or(Phase::Throw, Phase::Over);
        self
    }

    /// Returns the situation before a roll of the side on turn.
    fn thought(&self) -> RaceSituation<R> {
        RaceSituation::new(self.rules, self.board, self.seat)
    }

    /// Returns the dice to play, if any.
    fn roll_to_play(&self) -> Option<Roll> {
        match self.phase {
            Phase::Play(roll) => Some(roll),
            Phase::Begin | Phase::Throw | Phase::Over(_) => None,
        }
    }
}

impl<R: Rules> Game for Position<R> {
    type Move = Play;

    const SPEC: Spec = R::SPEC;

    fn setup(options: &Choices) -> Self {
        Self::new(options, Board::start(R::START), Seat(0), Phase::Begin)
    }

    fn place(options: &Choices, notation: &str) -> Result<Self, String> {
        let (head, places) = head(notation)?;
        let (board, unknown) = place::<R>(places)?;
        if let Some(word) = unknown.first() {
            return Err(format!("`{word}` is not a place such as 13=OO or off=OX"));
        }
        let Some((seat, roll)) = head else {
            let begins = Self::new(options, board, Seat(0), Phase::Begin);
            return match begins.rules.outcome(&board, Seat(1)) {
                Some(_) => Err("the game is over here, so nobody begins".into()),
                None => Ok(begins),
            };
        };
        let placed = Self::new(options, board, seat, Phase::Throw).judged();
        match (roll, placed.phase) {
            (None, _) => Ok(placed),
            (Some(_), Phase::Over(_)) => {
                Err("the game is over here, so no dice are to be played".into())
            }
            (Some(roll), _) => Ok(Self { phase: Phase::Play(roll.higher_first()), ..placed }),
        }
    }

    fn notation(&self) -> String {
        let seat = (self.phase != Phase::Begin).then_some(self.seat);
        line::<R>(&self.board, seat, self.roll_to_play())
    }

    fn next(&self) -> Next {
        match self.phase {
            Phase::Begin => Next::Roll(Throw::to_begin(6)),
            Phase::Throw => Next::Ready(self.seat, Throw::new(2, 6)),
            Phase::Play(_) => Next::Move(self.seat),
            Phase::Over(outcome) => Next::Over(outcome),
        }
    }

    fn automatic_move(&self, settings: &Choices) -> Option<Play> {
        let roll = self.roll_to_play()?;
        let greedy = || {
            let wanted = settings.has(GREEDY.switch.name);
            wanted.then(|| greedy_play::<R>(&self.board, self.seat, roll)).flatten()
        };
        // Players by hand need not pass.
        only_play::<R>(&self.board, self.seat, roll)
            .filter(|only| only.steps().is_empty() || !settings.has(MANUAL.switch.name))
            .or_else(greedy)
    }

    fn moves(&self) -> Vec<Play> {
        self.moves_up_to(usize::MAX)
    }

    fn moves_up_to(&self, most: usize) -> Vec<Play> {
        self.roll_to_play()
            .map_or_else(Vec::new, |roll| plays_up_to::<R>(most, &self.board, self.seat, roll))
    }

    fn can_read(&self, text: &str) -> bool {
        can_read::<R>(self.seat, self.roll_to_play(), text)
    }

    fn read(&self, text: &str) -> Result<Play, MoveError> {
        read::<R>(&self.board, self.seat, self.roll_to_play(), text)
    }

    fn read_as(&self, view: &View, text: &str) -> Result<Play, MoveError> {
        let numbers = numbered::<R>(view)[self.seat.index()];
        read_by::<R>(numbers, &self.board, self.seat, self.roll_to_play(), text)
    }

    fn text_for_viewer(view: &View, mover: Seat, text: String) -> String {
        text_for_viewer::<R>(view, mover, text)
    }

    fn text_for_diagram(view: &View, text: String) -> String {
        text_for_diagram::<R>(view, text)
    }

    fn partial_move(&self, view: &View, steps: &[&str]) -> Result<PartialMove, MoveError> {
        let Some(roll) = self.roll_to_play() else { return whole_moves(self, view, steps) };
        let (board, making) = partial_move::<R>(view, &self.board, self.seat, roll, steps)?;
        Ok(making.on(Self { board, ..self.clone() }.diagram(view)))
    }

    fn first_steps(&self, view: &View) -> Vec<NextStep> {
        let steps = |roll| first_steps::<R>(view, &self.board, self.seat, roll);
        self.roll_to_play().map_or_else(Vec::new, steps)
    }

    fn paths(text: &str) -> Vec<Vec<Spot>> {
        paths::<R>(text)
    }

    fn read_recorded(&self, text: &str) -> Result<Play, MoveError> {
        read_recorded::<R>(&self.board, self.seat, self.roll_to_play(), text)
    }

    fn play(&mut self, play: &Play) {
        apply::<R>(&mut self.board, self.seat, play);
        self.seat = self.seat.other();
        *self = self.clone().judged();
    }

    fn roll(&mut self, roll: Roll) {
        let begins = self.phase == Phase::Begin;
        if begins {
            self.seat = beginner(roll);
        }
        self.phase =
            if begins && self.rerolls { Phase::Throw } else { Phase::Play(roll.higher_first()) };
    }

    fn choose(&self, level: u8, below: RandomBelow) -> Option<Play> {
        let roll = self.roll_to_play()?;
        let chosen = bot::choose(&self.thought(), roll, level, below);
        plays::<R>(&self.board, self.seat, roll).into_iter().nth(chosen)
    }

    fn evaluation_unit(&self) -> Option<EvaluationUnit> {
        Some(EvaluationUnit::Points)
    }

    fn evaluate(
        &self,
        which: Option<&[usize]>,
        look: SearchDepth,
        effort: &mut EvaluationBudget,
    ) -> Option<Vec<Evaluation>> {
        let roll = self.roll_to_play()?;
        Some(bot::evaluate((&self.thought(), roll), which, look, effort))
    }

    fn luck(&self, roll: Roll, effort: &mut EvaluationBudget) -> Option<(Seat, f32)> {
        let luck = || bot::luck(&self.thought(), roll, effort);
        (self.phase == Phase::Throw).then(luck).map(|luck| (self.seat, luck))
    }

    fn diagram(&self, view: &View) -> Diagram {
        let first = R::first_corner(view);
        let upper = match first {
            Corner::UpperRight | Corner::UpperLeft => Seat(0),
            Corner::LowerRight | Corner::LowerLeft => Seat(1),
        };
        let dice = self.roll_to_play().map(|roll| (self.seat, DiceOnTable::new(6, roll)));
        let board = crate::kit::Points { first, upper, dice, ..piles::<R>(&self.board) };
        Diagram::Points(renumbered::<R>(view, board))
    }

    fn perft(options: &Choices, depth: u32) -> u64 {
        let rules = R::of(options);
        perft::<R>(&Board::start(R::START), Seat(0), depth, &|board, mover| {
            rules.outcome(board, mover).is_some()
        })
    }
}
