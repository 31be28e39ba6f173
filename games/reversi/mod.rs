//! Reversi on nine by nine points, or eight by eight, in six modes.
//!
//! Source: S4, *Playing Maldoo*.

mod bitboard;
mod judge;
#[cfg(test)]
mod tests;

use bitboard::BoardRules;

use crate::grid::search;
use crate::grid::{
    Grid, NotationLine, Press, PressGame, SIDES, SIZE, Square, Squares, Stones, mode,
};
use crate::kit::{Choices, Manner, Next, Outcome, RandomBelow, Seat, Spec, Switch, View};

/// A position of Reversi.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    mode: u8,
    size: u8,
    stones: Stones,
    /// The seat whose turn light is on.
    turn: Seat,
    last: Option<Square>,
}

impl Position {
    fn empty(options: &Choices) -> Self {
        Self {
            mode: mode(options),
            size: if options.get("size") == Some("8") { 8 } else { SIZE },
            stones: Stones::default(),
            turn: Seat(0),
            last: None,
        }
    }

    fn field(&self) -> &'static BoardRules {
        BoardRules::for_mode(self.size, self.mode)
    }

    /// Returns the stones of a seat and of its opponent.
    fn sides(&self, seat: Seat) -> (u128, u128) {
        (self.stones[seat].bits(), self.stones[seat.other()].bits())
    }

    fn legal_for(&self, seat: Seat) -> Squares {
        let (own, enemy) = self.sides(seat);
        Squares::of_bits(self.field().legal(own, enemy))
    }

    /// Returns the enemy stones that a press of the side to move captures.
    fn caught(&self, square: Square) -> Squares {
        let (own, enemy) = self.sides(self.turn);
        Squares::of_bits(self.field().caught(Squares::from(square).bits(), own, enemy))
    }
}

impl PressGame for Position {
    const SPEC: Spec = Spec {
        name: "reversi",
        title: "Reversi",
        about: "close in enemy points and turn them over",
        sides: SIDES,
        help: include_str!("../../help/reversi.md"),
        verbs: &["pass"],
        options: &[
            Switch::one_of(
                "mode",
                &["0", "1", "2", "3", "4", "5"],
                "what may be pressed, and whether the edge catches",
            ),
            Switch::one_of("size", &["9", "8"], "columns and lines of the board"),
            Switch::flag("fair", "a symmetric start on nine lines"),
        ],
        // On eight lines the usual start becomes itself with exchanged colours by a quarter turn.
        exclusive: &[&["fair", "size"]],
        manner: Manner {
            levels: 4,
            has_draws: true,
            turns: 35,
            minutes_to_learn: 3,
            ..Manner::PLAIN
        },
        ..Spec::PLAIN
    };

    fn setup(options: &Choices) -> Self {
        let mut start = Self::empty(options);
        let named = |words: [&str; 2]| -> Squares {
            words.into_iter().map(|word| word.parse::<Square>().expect("it is a point")).collect()
        };
        // Eight lines have a centre; on nine the four stones are half a point off it.
        let [green, red] = match start.size {
            8 => [["e5", "d4"], ["d5", "e4"]],
            _ if options.has("fair") => [["e6", "f4"], ["d6", "e4"]],
            _ => [["e6", "d5"], ["d6", "e5"]],
        };
        start.stones = Stones::new(named(green), named(red));
        start
    }

    fn placed(options: &Choices, line: &mut NotationLine) -> Result<Self, String> {
        let empty = Self::empty(options);
        if line.size != empty.size {
            return Err(format!("the board has {} lines", empty.size));
        }
        let turn = line.side.ok_or("the side to move must be G or R")?;
        Ok(Self { stones: line.stones, turn, last: line.take("last")?, ..empty })
    }

    fn line(&self) -> NotationLine {
        NotationLine::new(Some(self.turn), self.stones)
            .sized(self.size)
            .with_some("last", self.last)
    }

    fn next(&self) -> Next {
        if !(self.legal().is_empty() && self.legal_for(self.turn.other()).is_empty()) {
            return Next::Move(self.turn);
        }
        let equal = "both have the same number of points";
        Next::Over(Outcome::of_scores(self.stones.count(), "with more points", equal))
    }

    fn legal(&self) -> Squares {
        self.legal_for(self.turn)
    }

    fn forbids(&self, square: Square) -> String {
        let enemy = self.stones[self.turn.other()];
        let [own_name, enemy_name] = match self.turn {
            Seat(0) => ["green", "red"],
            _ => ["red", "green"],
        };
        if self.stones.lit().contains(square) {
            format!("{square} is lit")
        } else if !Squares::corner(self.size).contains(square) {
            format!("{square} is not on the board of {0} by {0}", self.size)
        } else if self.mode > 1 {
            format!("{square} lies next to no lit point")
        } else if (enemy & Squares::from(square).around()).is_empty() {
            format!("{square} lies next to no {enemy_name} point, so it catches nothing")
        } else if self.mode == 0 {
            format!("no line of {enemy_name} points next to {square} ends at a {own_name} one")
        } else {
            format!(
                "no line of {enemy_name} points next to {square} ends at a {own_name} one or at the edge"
            )
        }
    }

    fn press(&mut self, square: Square) {
        let caught = self.caught(square) | square.into();
        self.stones.give(caught, self.turn);
        self.last = Some(square);
        self.turn = self.turn.other();
    }

    fn pass(&mut self) {
        self.last = None;
        self.turn = self.turn.other();
    }

    fn perft(options: &Choices, depth: u32) -> u64 {
        let start = <Self as PressGame>::setup(options);
        if depth == 0 {
            return 1;
        }
        let (own, enemy) = start.sides(start.turn);
        start.field().ways(own, enemy, depth)
    }

    fn choose(&self, level: u8, below: RandomBelow) -> Option<Press> {
        search::choose(self, level, below)
    }

    fn grid(&self, view: &View) -> Grid {
        let on = matches!(PressGame::next(self), Next::Move(_));
        Grid {
            rows: self.stones.rows(self.size),
            last: self.last.into_iter().collect(),
            legal: if view.legal && on { self.legal() } else { Squares::NONE },
            score: Some((self.stones.count(), "points".into())),
            light: on.then_some(self.turn),
            notes: Vec::new(),
        }
    }
}
