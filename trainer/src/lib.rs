//! Shared parts of the programs: self-play, lessons, and exit codes.

mod course;
mod lesson;

pub use course::course;
pub use lesson::{Lesson, read, write};

use std::process::ExitCode;

/// Returns the exit code, and prints the error if there is one.
pub fn ended(program: &str, done: Result<(), String>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{program}: {why}");
            ExitCode::FAILURE
        }
    }
}
