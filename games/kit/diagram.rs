//! What stands where: data for a printer, no characters of a picture.

use super::Seat;

/// A position as something to draw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Diagram {
    /// The walled board of Malaka and Moloko.
    Corridor(Corridor),
    /// A square board.
    Grid(Grid),
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
    /// Who holds the point; nobody on an empty one.
    pub holder: Option<Seat>,
    /// The holder's men.
    pub men: u8,
    /// Whether a man of the other side lies below.
    pub pins: bool,
}

/// A wall on the line between two files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wall {
    /// The wall stands behind this file, counted from 1.
    pub after_file: u8,
    /// The lowest rank beside it, counted from 1.
    pub from_rank: u8,
    /// The highest rank beside it.
    pub to_rank: u8,
}

/// Dice that lie beside the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiceOnTable {
    /// Faces of a die: 4 or 6.
    pub faces: u8,
    /// What they show, in the order in which they are drawn.
    pub show: Vec<u8>,
    /// Whether they are a double, which is played four times.
    pub double: bool,
}

/// A square board of single marks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    /// The rows from the top, one mark a point: `.` empty.
    pub rows: Vec<String>,
}
