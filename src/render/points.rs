//! The 24 points of the backgammon family.

use games::Points;

pub(super) fn draw(_board: &Points, _names: Option<[&str; 2]>) -> String {
    String::new()
}
