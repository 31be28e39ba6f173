//! Gomoku: five stones in a row win.
//!
//! Sources: the Renju International Federation, *Gomoku rules* (15 by 15 points, exactly five, swap2); the
//! Gomocup tournament, *Rules* (freestyle: a longer row wins, too). Ours: the board of nine by nine, to learn
//! on.

#[cfg(test)]
mod tests;

use crate::kit::minimax::Budget;
use crate::kit::{Choices, Manner, Spec, Switch, sgf};
use crate::rows::{self, FREESTYLE, LEVELS, PLAIN, RowGame, Rules, SIDES};

/// The sizes of a board, the usual one first.
const SIZES: &[&str] = &["15", "19", "13", "9"];

/// A position of Gomoku.
pub(crate) type Position = rows::Position<Gomoku>;

/// The rules of Gomoku.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Gomoku;

impl RowGame for Gomoku {
    const SPEC: Spec = Spec {
        name: "gomoku",
        title: "Gomoku",
        about: "five stones in a row",
        sides: SIDES,
        help: include_str!("../../help/gomoku.md"),
        options: &[
            Switch::one_of("size", SIZES, "lines of the board"),
            Switch::flag(PLAIN, "no opening: the colours are not swapped"),
            Switch::flag(FREESTYLE, "more than five in a row win, too"),
        ],
        formats: &[sgf::format::<Position>("Smart Game Format")],
        manner: Manner {
            levels: LEVELS,
            has_multi_move_turns: true,
            has_draws: true,
            small: &["size=9"],
            turns: 15,
            minutes_to_learn: 3,
            ..Manner::PLAIN
        },
        ..Spec::PLAIN
    };

    const HAS_SWAP2: bool = true;

    const EXPECTED: &'static str = "a point such as h8, `swap`, `two`, or `keep`";

    const SGF_NUMBER: Option<i64> = Some(4);

    const REASON: &'static str = "with five stones in a row";

    const BUDGETS: [Budget; LEVELS as usize] = [
        Budget { depth: 1, nodes: 200, careless: 40 },
        Budget { depth: 1, nodes: 200, careless: 15 },
        Budget { depth: 2, nodes: 300, careless: 4 },
        Budget { depth: 64, nodes: 8_000, careless: 0 },
    ];

    const WORTH: [i32; 7] = [0, 1, 8, 40, 160, 0, 0];

    fn rules(options: &Choices) -> Rules {
        let size = options.get("size").unwrap_or(SIZES[0]);
        Rules {
            size: size.parse().expect("sizes are numbers"),
            row: 5,
            exact: !options.has(FREESTYLE),
            stones: 1,
            swap2: !options.has(PLAIN),
        }
    }
}
