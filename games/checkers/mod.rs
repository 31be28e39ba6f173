//! Checkers, or English draughts: the family of draughts on eight by eight squares, in which a side
//! chooses between captures, men never go backwards, kings walk, and a man that is crowned stops.
//!
//! Source: World Checkers/Draughts Federation (WCDF), *Rules of Draughts (Checkers)*, section 1. Ours: its
//! draws by a third repetition and by forty moves need no claim. The ballots are those of the American
//! Checker Federation's three-move deck in its order, `!` behind the eighteen that are barred, and so are
//! their numbers.

#[cfg(test)]
mod tests;

use crate::draughts::{
    self, Ballot, CountedDraw, LEVELS, Rules, Variant, dark_squares, start_position,
};
use crate::kit::{Choices, Format, Manner, POSITION, RandomBelow, Seat, Spec, Switch, Values};

/// A position of Checkers.
pub(crate) type Position = draughts::Position<Checkers>;

/// The options that begin a game with a ballot.
const BALLOT: &str = "ballot";
const OPENING: &str = "opening";

/// The ballots, one a line.
const BALLOTS: &str = include_str!("ballots.txt");
const COUNT: u32 = 174;
const BARRED: char = '!';

/// Checkers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Checkers;

const FORMATS: &[Format] = &draughts::formats::<Checkers>();

impl Variant for Checkers {
    const SPEC: Spec = Spec {
        name: "checkers",
        title: "Checkers",
        about: "jump over enemies, and take or block them all",
        sides: ["Black", "White"],
        help: include_str!("../../help/checkers.md"),
        options: &[
            Switch::flag(BALLOT, "the first three moves are drawn, as at tournaments"),
            Switch {
                name: OPENING,
                values: Values::Number { min: 0, max: COUNT, default: 0 },
                help: "the three moves of the ballot with this number; 0 is none",
            },
            Switch {
                name: POSITION,
                values: Values::Position {
                    read: start_position::<Self>,
                    format: "FEN",
                    takes: "a position in FEN, such as B:W30,K18:B1,2,K5",
                    example: "B:W26,30,K18:B1,2,11,K5",
                },
                help: "the game begins from this position and is not rated",
            },
        ],
        exclusive: &[&[BALLOT, OPENING], &[POSITION, BALLOT], &[POSITION, OPENING]],
        formats: FORMATS,
        manner: Manner {
            levels: LEVELS,
            has_draws: true,
            turns: 30,
            minutes_to_learn: 5,
            ..Manner::PLAIN
        },
        ..Spec::PLAIN
    };

    const RULES: &'static Rules = &Rules {
        size: 8,
        dark: dark_squares(8),
        rows: 3,
        black: Seat(0),
        kings_fly: false,
        men_take_backwards: false,
        takes_most: false,
        crowning_stops: true,
        quiet: CountedDraw {
            men: u32::MAX,
            moves: 40,
            reason: "40 moves of each side by kings alone, without a capture",
        },
        endings: &[],
    };

    const PDN_TYPE: &'static str = "21,B,8,8,N1,0";

    fn ballot(options: &Choices) -> Option<Ballot> {
        let number = options.get(OPENING).and_then(|number| number.parse().ok());
        if options.has(BALLOT) {
            return Some(Ballot::Undrawn);
        }
        number.filter(|number| *number > 0).map(Ballot::Drawn)
    }

    fn moves_of_ballot(number: usize) -> Option<&'static str> {
        let moves = BALLOTS.lines().nth(number.checked_sub(1)?)?;
        Some(moves.trim_end_matches(BARRED))
    }

    fn draw_ballot(below: RandomBelow) -> usize {
        let numbered = (1..).zip(BALLOTS.lines());
        let all: Vec<usize> = numbered
            .filter(|(_, moves)| !moves.ends_with(BARRED))
            .map(|(number, _)| number)
            .collect();
        all[below(all.len())]
    }
}
