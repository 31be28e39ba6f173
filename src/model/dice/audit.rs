//! Audits of a board's dice: whether its rolls follow from its key, and marks for those that an
//! operator has edited.

use super::sheet::RollSheet;
use super::{DiceKeys, UndrawnReason};
use crate::model::board::{Board, RecordLine};

/// Returns the errors in the dice of a board, a sentence each. An edited document can contain rolls
/// that do not follow from the key, or words that no player gave in time. Rolls are not checked if
/// their key is not among `keys`.
pub fn check_rolls(board: &Board, keys: &DiceKeys) -> Vec<String> {
    let Some(dice) = &board.dice else { return Vec::new() };
    let mut wrong: Vec<String> = dice.invalid_words().into_iter().collect();
    // After the key of a home was replaced, older boards still have the old one.
    let Some(key) = keys.find(dice.key) else { return wrong };
    for draw in RollSheet::new(board, dice, key).draws() {
        let input = dice.input(board.id, board.started, draw.number);
        if draw.line.undrawn.is_none() && !draw.follows_from_key(key, &input) {
            wrong.push(format!("roll {} does not follow from the key of the board", draw.number));
        }
    }
    wrong
}

/// Marks the rolls that the operator has edited. The dice data itself cannot be edited as long as
/// the home has the key.
pub fn mark_edited_rolls(board: &mut Board, before: Option<&Board>, keys: &DiceKeys) {
    let Some(before) = before else { return };
    let key = before.dice.as_ref().map(|dice| keys.find(dice.key));
    match key {
        None => board.dice = None,
        Some(None) => {}
        Some(Some(key)) => {
            board.dice.clone_from(&before.dice);
            let dice = board.dice.as_ref().expect("the dice were just copied");
            let draws = RollSheet::new(board, dice, key).draws();
            let marks: Vec<_> = draws
                .iter()
                .map(|draw| {
                    let input = dice.input(board.id, board.started, draw.number);
                    let was = recorded_draw(before, draw.number);
                    match was.filter(|was| was.entry == draw.line.entry) {
                        Some(was) => was.undrawn,
                        None if draw.follows_from_key(key, &input) => None,
                        None => Some(UndrawnReason::Operator),
                    }
                })
                .collect();
            let lines = board.record.iter_mut().filter(|line| line.entry.is_chance());
            for (line, mark) in lines.zip(marks) {
                line.undrawn = mark;
            }
        }
    }
}

/// Returns the roll or deal with this number.
fn recorded_draw(board: &Board, number: usize) -> Option<&RecordLine> {
    board.record.iter().filter(|line| line.entry.is_chance()).nth(number - 1)
}
