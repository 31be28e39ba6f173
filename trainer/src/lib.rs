//! What the programs here share: games of a net against itself, positions to learn from, and how they end.

mod course;
mod lesson;

pub use course::course;
pub use lesson::{Lesson, read, write};

use std::process::ExitCode;

/// How a program ends that has done its work, or says why it could not.
pub fn ended(program: &str, done: Result<(), String>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{program}: {why}");
            ExitCode::FAILURE
        }
    }
}
