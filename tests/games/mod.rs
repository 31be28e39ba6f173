//! Games: dice that anyone can check, programs that play and analyse, the console, other programs.

mod analysis;
mod chess;
pub(crate) mod console;
pub(crate) mod dice;
mod oracles;
mod terminal;

use games::Transcript;

/// Returns the games that were read from a file, or why the first bad one was not.
fn all_games(read: Vec<Result<Transcript, String>>) -> Result<Vec<Transcript>, String> {
    read.into_iter().collect()
}
