//! Connect6: six stones in a row win, and each turn but the first one has two stones.
//!
//! Source: I-C. Wu and D.-Y. Huang, *A New Family of k-in-a-row Games* (2005): Black begins with one stone, then
//! each side places two in turn; six or more in a row win. Ours: the smaller boards.

#[cfg(test)]
mod tests;

use crate::kit::minimax::Budget;
use crate::kit::{Choices, Manner, Spec, Switch, sgf};
use crate::rows::{self, LEVELS, RowGame, Rules, SIDES};

/// The sizes of a board, the usual one first.
const SIZES: &[&str] = &["19", "15", "13", "9"];

/// A position of Connect6.
pub(crate) type Position = rows::Position<Connect6>;

/// The rules of Connect6.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Connect6;

impl RowGame for Connect6 {
    const SPEC: Spec = Spec {
        name: "connect6",
        title: "Connect6",
        about: "two stones a turn, six in a row",
        sides: SIDES,
        help: include_str!("../../help/connect6.md"),
        options: &[Switch::one_of("size", SIZES, "lines of the board")],
        formats: &[sgf::format::<Position>("Smart Game Format")],
        manner: Manner {
            levels: LEVELS,
            has_multi_move_turns: true,
            has_draws: true,
            small: &["size=9"],
            turns: 10,
            minutes_to_learn: 2,
            ..Manner::PLAIN
        },
        ..Spec::PLAIN
    };

    const HAS_SWAP2: bool = false;

    const EXPECTED: &'static str = "a point such as j10";

    const SGF_NUMBER: Option<i64> = None;

    const REASON: &'static str = "with six stones in a row";

    const BUDGETS: [Budget; LEVELS as usize] = [
        Budget { depth: 1, nodes: 200, careless: 25 },
        Budget { depth: 1, nodes: 200, careless: 5 },
        Budget { depth: 3, nodes: 800, careless: 0 },
        Budget { depth: 64, nodes: 6_000, careless: 0 },
    ];

    const WORTH: [i32; 7] = [0, 1, 6, 16, 40, 50, 0];

    fn rules(options: &Choices) -> Rules {
        let size = options.get("size").unwrap_or(SIZES[0]);
        Rules {
            size: size.parse().expect("sizes are numbers"),
            row: 6,
            exact: false,
            stones: 2,
            swap2: false,
        }
    }
}
