//! What the programs here share: games of a net against itself, and positions to learn from.

mod course;
mod lesson;

pub use course::course;
pub use lesson::{Lesson, read, write};
