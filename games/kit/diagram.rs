//! A position as data for a printer, without the characters of a picture.

use super::Seat;
use crate::grid::{Square, Squares};
use std::borrow::Cow;

/// A position as something to draw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Diagram {
    /// The walled board of Malaka and Moloko.
    Corridor(Corridor),
    /// The 24 points of the backgammon family.
    Points(Points),
    /// A square board.
    Grid(Grid),
}

/// A board of 24 points, its bar, and what lies beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Points {
    /// The piles on points 1 to 24, as the notation numbers them.
    pub piles: [Pile; 24],
    /// Where point 1 is drawn. Points 2 to 6 follow it along the rim, away from the corner.
    pub first: Corner,
    /// The rim between the halves of the board.
    pub rim: Rim,
    /// Men borne off, seat 0's first.
    pub off: [u8; 2],
    /// Men still in play.
    pub men: [u8; 2],
    /// The pips that they have to go.
    pub pips: [u32; 2],
    /// The seat whose words are beside the upper row.
    pub upper: Seat,
    /// The dice to play, if any, and whose they are.
    pub dice: Option<(Seat, DiceOnTable)>,
    /// The cube, where one is used.
    pub cube: Option<Cube>,
    /// The match that the game is part of, where there is one.
    pub game_of: Option<Match>,
    /// A seat that offers to give up, and for which of the game's stakes, from 1.
    pub resigns: Option<(Seat, u8)>,
}

/// A corner of the drawn board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Corner {
    /// Upper right: points 1 to 12 run along the upper row to the left.
    UpperRight,
    /// Upper left.
    UpperLeft,
    /// Lower right.
    LowerRight,
    /// Lower left.
    LowerLeft,
}

/// The rim between the halves of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rim {
    /// A bar, with the men that wait on it, seat 0's first.
    Bar([u8; 2]),
    /// A double line.
    Line,
}

/// The doubling cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cube {
    /// The value of the game.
    pub value: u32,
    /// The side that may turn it; none means both.
    pub owner: Option<Seat>,
    /// The side that has turned it and waits for an answer; the value is still the old one.
    pub turned: Option<Seat>,
}

/// A match of several games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match {
    /// The points that win it.
    pub length: u32,
    /// The points so far, seat 0's first.
    pub score: [u32; 2],
    /// Whether this is the game without a cube.
    pub is_crawford: bool,
    /// The number of this game, from 1.
    pub game: u32,
    /// The winner of the game before this one, and of how many points.
    pub last: Option<(Seat, u32)>,
}

/// A square board whose points hold piles, with walls between files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Corridor {
    /// Files and ranks.
    pub size: u8,
    /// The piles, rank by rank from the bottom, each rank from file A: `size * size` of them.
    pub piles: Vec<Pile>,
    /// The walls, each between two files.
    pub walls: Vec<Wall>,
    /// Distance to connection of each seat, in steps, first mover's first.
    pub connection: [u32; 2],
    /// The dice to play, if any.
    pub dice: Option<DiceOnTable>,
}

/// The men on one point: at most one pinned below, then those of the side that holds the point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pile {
    /// The side that holds the point; none on an empty one.
    pub holder: Option<Seat>,
    /// The holder's men.
    pub men: u8,
    /// Whether a man of the other side lies below.
    pub pins: bool,
}

/// A wall on the line between two files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wall {
    /// The wall is behind this file, counted from 1.
    pub after_file: u8,
    /// The lowest rank beside it, counted from 1.
    pub from_rank: u8,
    /// The highest rank beside it.
    pub to_rank: u8,
}

/// Dice that lie beside the board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DiceOnTable {
    /// Faces of a die: 4 or 6.
    pub faces: u8,
    /// Their numbers, in the order in which they are drawn.
    pub show: Vec<u8>,
    /// Whether they are a double, which is played four times.
    pub double: bool,
    /// How often each of those shown has been played already, by a play in the making.
    pub used: [u8; 2],
}

impl DiceOnTable {
    /// Returns their numbers, the higher one first, as players write them.
    pub fn higher_first(&self) -> Vec<u8> {
        let mut numbers = self.show.clone();
        numbers.sort_unstable_by(|one, other| other.cmp(one));
        numbers
    }
}

/// A square board of single marks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grid {
    /// The rows from the top, one mark a point: `.` dark, `G` green, `R` red, or a letter that
    /// [`Grid::notes`] explains.
    pub rows: Vec<String>,
    /// The points pressed last.
    pub last: Vec<Square>,
    /// The points that may be pressed, where they must be marked.
    pub legal: Squares,
    /// The score of each side, and its unit: `points`.
    pub score: Option<([u32; 2], Cow<'static, str>)>,
    /// Whose light is on.
    pub light: Option<Seat>,
    /// Other facts, in lines without a full stop.
    pub notes: Vec<String>,
}
