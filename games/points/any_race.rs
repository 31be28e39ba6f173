//! Type-erased races: one interface for the rules of any race, so that a match can play several.

use super::{
    Board, Numbers, Play, RaceSituation, Rules, apply, automatic_play, can_read, first_steps, line,
    numbered, partial_move, paths, perft, piles, place, plays, plays_up_to, read_by, read_recorded,
    renumbered, text_for_diagram, text_for_viewer,
};
use crate::bot;
use crate::kit::{
    Choices, Corner, Evaluation, EvaluationBudget, GammonValue, MoveError, NextStep, Odds, Outcome,
    Points, RandomBelow, Roll, SearchDepth, Seat, Spot, StepsSoFar, View,
};
use crate::points::plays::PlayState;
use std::fmt::{self, Debug};
use std::marker::PhantomData;

/// A board, the side to roll or with a roll, and what results are worth to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judged<'a> {
    pub(super) options: &'a Choices,
    pub(super) board: Board,
    pub(super) seat: Seat,
    pub(super) gammons: GammonValue,
}

/// The rules of a race, whatever its type.
pub(crate) trait AnyRace: Sync {
    /// See [`Rules::TITLE`].
    fn title(&self) -> &'static str;
    /// See [`Rules::REROLLS`].
    fn rerolls(&self) -> bool;
    /// See [`Rules::first_corner`].
    fn first_corner(&self, view: &View) -> Corner;
    /// Returns the board at the start of a game.
    fn start(&self) -> Board;
    /// Returns the result of the game after a complete play of `mover`, if it is over.
    fn outcome(&self, options: &Choices, after: &Board, mover: Seat) -> Option<Outcome>;
    /// Returns whether the sides are still in contact.
    fn has_contact(&self, board: &Board) -> bool;

    /// Lists the first `most` plays of a roll.
    fn plays_up_to(&self, most: usize, board: &Board, seat: Seat, roll: Roll) -> Vec<Play>;
    /// See [`automatic_play`].
    fn automatic_play(
        &self,
        board: &Board,
        seat: Seat,
        roll: Roll,
        settings: &Choices,
    ) -> Option<Play>;
    /// Makes a play that was listed or read.
    fn apply(&self, board: &mut Board, seat: Seat, play: &Play);
    /// Counts sequences of plays from the start.
    fn perft(&self, options: &Choices, depth: u32) -> u64;

    /// Writes a board with the seat to move and its dice.
    fn line(&self, board: &Board, seat: Option<Seat>, roll: Option<Roll>) -> String;
    /// Parses the places of a line and returns the board and the remaining words.
    ///
    /// # Errors
    /// What is wrong with a place or with the board.
    fn place<'w>(
        &self,
        words: &mut dyn Iterator<Item = &'w str>,
    ) -> Result<(Board, Vec<&'w str>), String>;
    /// Returns the numbering of each side's moves for a viewer.
    fn numbered(&self, view: &View) -> [Numbers; 2];
    /// Returns whether a text spells a play, legal or not.
    fn can_read(&self, seat: Seat, roll: Option<Roll>, text: &str) -> bool;
    /// Finds the legal play that a text means in this numbering, which a player `may_change`.
    ///
    /// # Errors
    /// The text cannot be read, or means no legal play, or several.
    fn read_by(
        &self,
        numbers: (Numbers, bool),
        board: &Board,
        seat: Seat,
        roll: Option<Roll>,
        text: &str,
    ) -> Result<Play, MoveError>;
    /// Parses a recorded play.
    ///
    /// # Errors
    /// The text is not canonical, or cannot be played.
    fn read_recorded(
        &self,
        board: &Board,
        seat: Seat,
        roll: Option<Roll>,
        text: &str,
    ) -> Result<Play, MoveError>;
    /// Makes the steps in a viewer's notation and returns the board after them.
    ///
    /// # Errors
    /// The first step that was not offered.
    fn partial_move(
        &self,
        view: &View,
        board: &Board,
        seat: Seat,
        roll: Roll,
        steps: &[&str],
    ) -> Result<(Board, StepsSoFar<PlayState>), MoveError>;
    /// Returns the steps that can begin a play, in a viewer's notation.
    fn first_steps(&self, view: &View, board: &Board, seat: Seat, roll: Roll) -> Vec<NextStep>;
    /// Converts a recorded move of `mover` into the viewer's notation.
    fn text_for_viewer(&self, view: &View, mover: Seat, text: String) -> String;
    /// Converts a recorded move into the numbering of the viewer's diagram.
    fn text_for_diagram(&self, view: &View, text: String) -> String;
    /// Returns the men's paths in a recorded move, numbered as written.
    fn paths(&self, text: &str) -> Vec<Vec<Spot>>;
    /// Returns a board to draw, point 1 in the upper right corner and without dice.
    fn piles(&self, board: &Board) -> Points;
    /// Renumbers a diagram for a viewer.
    fn renumbered(&self, view: &View, board: Points) -> Points;

    /// Returns the gammon values in a single game.
    fn gammons(&self, options: &Choices) -> GammonValue;
    /// Returns whether a program has learned the race.
    fn has_learned(&self) -> bool;
    /// Returns the program's play at a level.
    fn choose(&self, now: Judged, roll: Roll, level: u8, below: RandomBelow) -> Option<Play>;
    /// Returns the odds of the side to roll.
    fn odds(&self, now: Judged, look: SearchDepth) -> Odds;
    /// Evaluates the board after the plays at the indices `which`, or after all plays.
    fn evaluate(
        &self,
        now: Judged,
        roll: Roll,
        which: Option<&[usize]>,
        look: SearchDepth,
        effort: &mut EvaluationBudget,
    ) -> Vec<Evaluation>;
    /// Returns how much more a roll is worth than an average one.
    fn luck(&self, now: Judged, roll: Roll, effort: &mut EvaluationBudget) -> f32;
}

/// A race as a value: `&RaceEntry::<Plakoto>::NEW`.
pub(crate) struct RaceEntry<R>(PhantomData<fn() -> R>);

impl<R> RaceEntry<R> {
    /// The only value of the type.
    pub(crate) const NEW: Self = Self(PhantomData);
}

impl Debug for dyn AnyRace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.title())
    }
}

/// Returns the situation of a race.
fn situation<R: Rules>(now: Judged) -> RaceSituation<R> {
    RaceSituation::new(R::of(now.options), now.board, now.seat).with(now.gammons)
}

impl<R: Rules> AnyRace for RaceEntry<R> {
    fn title(&self) -> &'static str {
        R::TITLE
    }

    fn rerolls(&self) -> bool {
        R::REROLLS
    }

    fn first_corner(&self, view: &View) -> Corner {
        R::first_corner(view)
    }

    fn start(&self) -> Board {
        Board::start(R::START)
    }

    fn outcome(&self, options: &Choices, after: &Board, mover: Seat) -> Option<Outcome> {
        R::of(options).outcome(after, mover)
    }

    fn has_contact(&self, board: &Board) -> bool {
        board.has_contact(R::COURSE)
    }

    fn plays_up_to(&self, most: usize, board: &Board, seat: Seat, roll: Roll) -> Vec<Play> {
        plays_up_to::<R>(most, board, seat, roll)
    }

    fn automatic_play(
        &self,
        board: &Board,
        seat: Seat,
        roll: Roll,
        settings: &Choices,
    ) -> Option<Play> {
        automatic_play::<R>(board, seat, roll, settings)
    }

    fn apply(&self, board: &mut Board, seat: Seat, play: &Play) {
        apply::<R>(board, seat, play);
    }

    fn perft(&self, options: &Choices, depth: u32) -> u64 {
        let rules = R::of(options);
        perft::<R>(&self.start(), Seat(0), depth, &|board, mover| {
            rules.outcome(board, mover).is_some()
        })
    }

    fn line(&self, board: &Board, seat: Option<Seat>, roll: Option<Roll>) -> String {
        line::<R>(board, seat, roll)
    }

    fn place<'w>(
        &self,
        words: &mut dyn Iterator<Item = &'w str>,
    ) -> Result<(Board, Vec<&'w str>), String> {
        place::<R>(words)
    }

    fn numbered(&self, view: &View) -> [Numbers; 2] {
        numbered::<R>(view)
    }

    fn can_read(&self, seat: Seat, roll: Option<Roll>, text: &str) -> bool {
        can_read::<R>(seat, roll, text)
    }

    fn read_by(
        &self,
        numbers: (Numbers, bool),
        board: &Board,
        seat: Seat,
        roll: Option<Roll>,
        text: &str,
    ) -> Result<Play, MoveError> {
        read_by::<R>(numbers, board, seat, roll, text)
    }

    fn read_recorded(
        &self,
        board: &Board,
        seat: Seat,
        roll: Option<Roll>,
        text: &str,
    ) -> Result<Play, MoveError> {
        read_recorded::<R>(board, seat, roll, text)
    }

    fn partial_move(
        &self,
        view: &View,
        board: &Board,
        seat: Seat,
        roll: Roll,
        steps: &[&str],
    ) -> Result<(Board, StepsSoFar<PlayState>), MoveError> {
        partial_move::<R>(view, board, seat, roll, steps)
    }

    fn first_steps(&self, view: &View, board: &Board, seat: Seat, roll: Roll) -> Vec<NextStep> {
        first_steps::<R>(view, board, seat, roll)
    }

    fn text_for_viewer(&self, view: &View, mover: Seat, text: String) -> String {
        text_for_viewer::<R>(view, mover, text)
    }

    fn text_for_diagram(&self, view: &View, text: String) -> String {
        text_for_diagram::<R>(view, text)
    }

    fn paths(&self, text: &str) -> Vec<Vec<Spot>> {
        paths::<R>(text)
    }

    fn piles(&self, board: &Board) -> Points {
        piles::<R>(board)
    }

    fn renumbered(&self, view: &View, board: Points) -> Points {
        renumbered::<R>(view, board)
    }

    fn gammons(&self, options: &Choices) -> GammonValue {
        R::of(options).gammons()
    }

    fn has_learned(&self) -> bool {
        R::nets().has_learned()
    }

    fn choose(&self, now: Judged, roll: Roll, level: u8, below: RandomBelow) -> Option<Play> {
        let chosen = bot::choose(&situation::<R>(now), roll, level, below);
        plays::<R>(&now.board, now.seat, roll).into_iter().nth(chosen)
    }

    fn odds(&self, now: Judged, look: SearchDepth) -> Odds {
        bot::odds(&situation::<R>(now), look, &mut EvaluationBudget::new(0))
    }

    fn evaluate(
        &self,
        now: Judged,
        roll: Roll,
        which: Option<&[usize]>,
        look: SearchDepth,
        effort: &mut EvaluationBudget,
    ) -> Vec<Evaluation> {
        bot::evaluate((&situation::<R>(now), roll), which, look, effort)
    }

    fn luck(&self, now: Judged, roll: Roll, effort: &mut EvaluationBudget) -> f32 {
        bot::luck(&situation::<R>(now), roll, effort)
    }
}
