//! The rolls in the file of a board, checked against its key.

use super::DiceKeys;
use super::sheet::{RollSheet, follows};
use crate::model::board::Board;

/// What is wrong with the dice of a board, a sentence each. Rolls whose key is not among `keys` cannot be
/// checked.
/// A file that was edited can have other rolls than those that follow from the key, or words that
/// no player gave in time.
pub fn inspect(board: &Board, keys: &DiceKeys) -> Vec<String> {
    let Some(dice) = &board.dice else { return Vec::new() };
    let mut wrong: Vec<String> = dice.untrue_words().into_iter().collect();
    // A home whose key was replaced has boards that wait for the old one.
    let Some(key) = keys.find(dice.key) else { return wrong };
    for (number, line, before) in RollSheet::new(board, dice, key).chances() {
        let input = dice.input(board.id, board.started, number);
        if line.undrawn.is_none() && !follows(number, &line.entry, &*before, key, &input) {
            wrong.push(format!("roll {number} is not the one that follows from its key"));
        }
    }
    wrong
}
