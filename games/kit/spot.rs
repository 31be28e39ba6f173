//! The places of a drawn board.

/// A place of a drawn board, where men are, come from or go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Spot {
    /// One of the 24 points, from 1, as its [`super::Points::piles`] are numbered.
    Point(u8),
    /// The bar, where men that were hit wait.
    Bar,
    /// Where men are borne off to.
    Off,
    /// A square or a point of a grid: its file and its rank, each from 1.
    Square(u8, u8),
}
