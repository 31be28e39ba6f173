//! A position as drawing data. Printers choose the characters and shapes.

use super::{Roll, Seat, Spot, TiledBoard};

/// A board to draw.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Diagram {
    /// The walled board of Malaka and Moloko.
    Corridor(Corridor),
    /// The 24 points of the backgammon family.
    Points(Points),
    /// A board of tiles with at most one piece on each.
    Board(TiledBoard),
}

impl Diagram {
    /// Returns the name by which players call a place.
    pub fn name(&self, spot: Spot) -> String {
        match self {
            Self::Board(board) => board.name(spot),
            Self::Corridor(_) | Self::Points(_) => spot.to_string(),
        }
    }
}

/// A board of 24 points with its bar and trays.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Points {
    /// The piles on points 1 to 24 in the notation's numbering.
    pub piles: [Pile; 24],
    /// The corner of point 1. Points 2 to 6 follow it along the edge, away from the corner.
    pub first: Corner,
    /// The divider between the halves of the board.
    pub rim: Rim,
    /// The men borne off, seat 0 first.
    pub off: [u8; 2],
    /// The men still in play.
    pub men: [u8; 2],
    /// The pip counts.
    pub pips: [u32; 2],
    /// The seat whose facts are shown beside the upper row.
    pub upper: Seat,
    /// The dice to play and the seat that plays them.
    pub dice: Option<(Seat, DiceOnTable)>,
    /// The doubling cube, if used.
    pub cube: Option<Cube>,
    /// The match, if the game is part of one.
    pub game_of: Option<Match>,
    /// The seat that offers to resign, and its stake, as an index into the game's stakes from 1.
    pub resigns: Option<(Seat, u8)>,
}

/// A corner of the drawn board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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

/// The divider between the halves of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rim {
    /// A bar with the men on it, seat 0 first.
    Bar([u8; 2]),
    /// A double line.
    Line,
}

/// The doubling cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cube {
    /// The value of the game.
    pub value: u32,
    /// The side that may double; `None` means both.
    pub owner: Option<Seat>,
    /// The side that has doubled and waits for an answer; `value` is still the old value.
    pub turned: Option<Seat>,
}

/// A match of several games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Match {
    /// The points needed to win.
    pub length: u32,
    /// The score, seat 0 first.
    pub score: [u32; 2],
    /// Whether this is the Crawford game, played without a cube.
    pub is_crawford: bool,
    /// The number of this game, from 1.
    pub game: u32,
    /// The game that is played, in a match of different games: `Fevga`.
    pub title: Option<&'static str>,
    /// The winner and the points of the previous game.
    pub last: Option<(Seat, u32)>,
}

/// A square board whose squares hold piles, with walls between files.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Corridor {
    /// The number of files, equal to the number of ranks.
    pub size: u8,
    /// The piles, rank by rank from the bottom, each rank from file A: `size * size` of them.
    pub piles: Vec<Pile>,
    /// The walls, each between two files.
    pub walls: Vec<Wall>,
    /// Each seat's distance to connection, in steps, first mover first.
    pub connection: [u32; 2],
    /// The dice to play.
    pub dice: Option<DiceOnTable>,
}

/// The men on one point: at most one pinned man, and above it the holder's men.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pile {
    /// The side that holds the point; `None` if the point is empty.
    pub holder: Option<Seat>,
    /// The holder's men.
    pub men: u8,
    /// Whether a man of the other side is pinned.
    pub pins: bool,
}

/// A wall on the line between two files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Wall {
    /// The file left of the wall, counted from 1.
    pub after_file: u8,
    /// The lowest rank beside the wall, counted from 1.
    pub from_rank: u8,
    /// The highest rank beside the wall.
    pub to_rank: u8,
}

/// Dice beside the board.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct DiceOnTable {
    /// The number of faces: 4 or 6.
    pub faces: u8,
    /// The rolled numbers, in drawing order.
    pub show: Vec<u8>,
    /// Whether the roll is a double, which is played four times.
    pub is_double: bool,
    /// For each die shown, how often the partial move has used it.
    pub used: [u8; 2],
}

impl DiceOnTable {
    /// Creates the dice of a roll, none of them used.
    pub(crate) fn new(faces: u8, roll: Roll) -> Self {
        let (show, is_double) = match roll {
            Roll::One(die) => (vec![die], false),
            Roll::Two(a, b) if a == b => (vec![a], true),
            Roll::Two(a, b) => (vec![a, b], false),
        };
        Self { faces, show, is_double, used: [0; 2] }
    }

    /// Returns the numbers, the higher one first, as players write them.
    pub fn higher_first(&self) -> Vec<u8> {
        let mut numbers = self.show.clone();
        numbers.sort_unstable_by(|one, other| other.cmp(one));
        numbers
    }
}
