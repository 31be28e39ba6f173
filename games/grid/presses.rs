//! Partial turns: the points pressed so far and those that can follow.

use super::{Press, PressGame, Square, Squares};
use crate::kit::{Game, MoveError, Next, NextStep, PartialMove, Seat, View, whole_moves};

/// Returns the partial turn after these presses.
///
/// # Errors
/// The first press that was not offered.
pub(super) fn partial_move<P: PressGame>(
    position: &P,
    view: &View,
    steps: &[&str],
) -> Result<PartialMove, MoveError> {
    let Next::Move(seat) = PressGame::next(position) else {
        return whole_moves(position, view, steps);
    };
    let mut turn = PressTurn { at: position.clone(), seat, pressed: Vec::new() };
    steps.iter().try_for_each(|words| turn.press(words))?;
    let next: Vec<NextStep> = turn.open().iter().map(step).collect();
    let pass = (steps.is_empty() && position.may_pass()).then(|| Press::Pass.to_string());
    let play = match (steps, &next[..], &pass) {
        ([], [only], None) => Some(only.words.clone()),
        ([], [], pass) => pass.clone(),
        ([], ..) => None,
        (steps, ..) => Some(steps.join(",")),
    };
    Ok(PartialMove {
        diagram: turn.at.diagram(view),
        paths: turn.pressed.iter().map(|&square| vec![square.into()]).collect(),
        next,
        play,
        other_moves: pass.into_iter().collect(),
    })
}

fn step(square: Square) -> NextStep {
    NextStep { from: None, to: square.into(), via: Vec::new(), words: square.to_string() }
}

/// A turn with its presses so far. In games where no player may look ahead, presses have no effect
/// before the turn is sent.
struct PressTurn<P> {
    at: P,
    seat: Seat,
    pressed: Vec<Square>,
}

impl<P: PressGame> PressTurn<P> {
    /// Returns the points that may be pressed next. Where presses have no visible effect, points
    /// pressed before are excluded.
    fn open(&self) -> Squares {
        let manner = <P as PressGame>::SPEC.manner;
        let goes_on = self.pressed.is_empty()
            || manner.has_multi_move_turns && PressGame::next(&self.at) == Next::Move(self.seat);
        match goes_on {
            true if manner.is_blind() => {
                self.at.legal().without(self.pressed.iter().copied().collect())
            }
            true => self.at.legal(),
            false => Squares::NONE,
        }
    }

    fn press(&mut self, words: &str) -> Result<(), MoveError> {
        let square = words.parse().ok().filter(|&square| self.open().contains(square));
        let square = square.ok_or_else(|| match self.open().iter().next() {
            Some(other) => MoveError::Illegal(format!("{words} cannot come next; {other} can")),
            None => MoveError::Illegal(format!("the turn is complete before {words}")),
        })?;
        self.pressed.push(square);
        if !<P as PressGame>::SPEC.manner.is_blind() {
            self.at.press(square);
        }
        Ok(())
    }
}
