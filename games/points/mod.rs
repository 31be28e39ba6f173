//! The race games: men move around 24 points and are borne off.
//!
//! Backgammon, Nackgammon, Hypergammon, Portes, Plakoto, Fevga, Moultezim, Long Nardy and Tavli share one
//! engine; a [`Race`] defines what differs.
//! The rules use own points, the pips still to go. Written numbers exist only in notation and diagrams.
//! `program` plays the games that are a [`NetRace`]. A board is a [`Position`] of a [`RaceGame`]: one
//! race, or a match of several in turn.
//!
//! Sources of the shared rules: S3 is the help page of Moultezim on the original server, which
//! refers to Backgammon, or "Hit", for what it does not say; S0 is the help page of Malaka, and S2
//! the chapter on Moloko in *Connection Games*.

mod any_race;
mod board;
mod corner;
mod match_score;
mod notation;
mod numbers;
mod plays;
mod position;
mod program;
mod race_move;
mod read;
mod turn_rules;

#[cfg(test)]
pub(crate) mod tests;

pub(crate) use any_race::{AnyRace, RaceEntry};
pub(crate) use board::{
    BAR, Board, Course, LAST, Men, OFF, POINTS, PointMask, between, down, highest, up,
};
pub(crate) use corner::{FLIP, SETHOME, corner_by_start, is_flipped};
pub(crate) use match_score::{LONGEST, MATCH};
pub(crate) use notation::{head, line, piles, place};
pub(crate) use numbers::{
    NUMBERS, Numbers, drawn, numbered, renumbered, text_for_diagram, text_for_viewer,
};
pub(crate) use plays::{Play, apply, automatic_play, boards, perft, plays, plays_up_to};
pub(crate) use position::Position;
pub(crate) use program::{NetRace, RaceSituation};
pub(crate) use read::{can_read, first_steps, partial_move, paths, read_by, read_recorded};

#[cfg(test)]
pub(crate) use read::read;

use crate::kit::{Choices, Corner, Outcome, Roll, Scope, Seat, Setting, Spec, Switch, View};
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

    /// The number of each side's men.
    const MEN: u8 = {
        let (mut men, mut at) = (0, 0);
        while at < Self::START.len() {
            men += Self::START[at].1;
            at += 1;
        }
        men
    };

    /// Returns the rule that forbids a side's men to stand like this after a step, if any, where the
    /// men of the other side stand like that.
    fn forbids(_men: &Men, _other: &Men) -> Option<&'static str> {
        None
    }

    /// Returns whether [`Race::forbids`] could forbid a step here. This faster test comes first.
    fn may_forbid(_men: &Men) -> bool {
        false
    }

    /// Returns the rule about men who leave the start, if it holds in a turn of these men with this
    /// roll.
    fn holds_back(_men: &Men, _roll: Roll) -> Option<HeldBack> {
        None
    }

    /// Returns the rule against a play that ends with these men of the side and of its opponent, if
    /// any. It binds only where another play of as many pips keeps it, so nobody passes for it.
    fn forbids_end(_men: &Men, _other: &Men) -> Option<&'static str> {
        None
    }
}

/// A rule that lets only some men leave a point in a turn. The order of the steps does not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HeldBack {
    /// The own point.
    pub(crate) point: u8,
    /// The number of men who must stay there during the turn.
    pub(crate) men: u8,
    /// The rule in words.
    pub(crate) rule: &'static str,
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
pub(crate) fn first_to_move(opening: Roll) -> Seat {
    match opening {
        Roll::Two(a, b) if b > a => Seat(1),
        _ => Seat(0),
    }
}

/// Returns the side that has borne off all men, testing `mover` first.
pub(crate) fn first_off(board: &Board, mover: Seat) -> Option<Seat> {
    [mover, mover.other()].into_iter().find(|&seat| board.men_of(seat).are_off())
}

/// Returns the result of a race in which a win counts two if the loser has borne off no man, and never
/// more.
pub(crate) fn double_win(after: &Board, mover: Seat) -> Option<Outcome> {
    let by = first_off(after, mover)?;
    let (points, reason) = match after.off(by.other()) {
        0 => (2, "with a gammon"),
        _ => (1, "by bearing off all men"),
    };
    Some(Outcome::Won { by, points, reason })
}

/// A race and how it is offered to players.
pub(crate) trait Rules: NetRace {
    /// The name in headings.
    const TITLE: &'static str;

    /// Whether the winner of the opening roll always rolls again for the first play.
    const REROLLS: bool = false;

    /// Returns the rules with these options.
    fn of(_options: &Choices) -> Self {
        Self::PLAIN
    }

    /// Returns the corner of point 1 for a viewer.
    fn first_corner(view: &View) -> Corner;
}

/// A game of the server without a cube: a race, or a match of races.
pub(crate) trait RaceGame: Clone + Copy + Eq + Debug + Send + 'static {
    /// The game's declaration.
    const SPEC: Spec;

    /// The races that the games of a match are, in turn.
    const RACES: &'static [&'static dyn AnyRace];
}
