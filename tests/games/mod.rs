//! Games: dice that anyone can check, programs that play and analyse, the console, other programs.

mod analysis;
mod chess;
pub(crate) mod console;
pub(crate) mod dice;
mod oracles;
mod terminal;
