//! A board that an operator has edited still says of each roll whether it follows from the key.

use super::sheet::{RollSheet, follows};
use super::{DiceKeys, UndrawnReason};
use crate::model::board::{Board, RecordLine};

/// Sees to it that a board says which rolls the operator has written. The source of its dice cannot
/// be edited, as long as the home has the key.
pub fn mend(board: &mut Board, before: Option<&Board>, keys: &DiceKeys) {
    let Some(before) = before else { return };
    let key = before.dice.as_ref().map(|dice| keys.find(dice.key));
    match key {
        None => board.dice = None,
        Some(None) => {}
        Some(Some(key)) => {
            board.dice.clone_from(&before.dice);
            let dice = board.dice.as_ref().expect("it has the same dice");
            let chances = RollSheet::new(board, dice, key).chances();
            let marks: Vec<_> = chances
                .iter()
                .map(|(number, line, position)| {
                    let input = dice.input(board.id, board.started, *number);
                    let was = chance(before, *number).filter(|was| was.entry == line.entry);
                    match was {
                        Some(was) => was.undrawn,
                        None if follows(*number, &line.entry, &**position, key, &input) => None,
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

/// The roll or deal of that number.
fn chance(board: &Board, number: usize) -> Option<&RecordLine> {
    board.record.iter().filter(|line| line.entry.is_chance()).nth(number - 1)
}
