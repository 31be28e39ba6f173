//! A turn in the making: the points pressed so far, and those that can be pressed next.

use super::{Press, PressGame, Square, Squares};
use crate::kit::{Begun, Game, MoveError, Next, NextStep, Seat, View, spoken};

/// The turn that these presses begin.
///
/// # Errors
/// The first of them that was not offered.
pub(super) fn begun<P: PressGame>(
    position: &P,
    view: &View,
    steps: &[&str],
) -> Result<Begun, MoveError> {
    let Next::Move(seat) = PressGame::next(position) else { return spoken(position, view, steps) };
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
    Ok(Begun {
        diagram: turn.at.diagram(view),
        ways: turn.pressed.iter().map(|&square| vec![square.into()]).collect(),
        next,
        play,
        spoken: pass.into_iter().collect(),
    })
}

fn step(square: Square) -> NextStep {
    NextStep { from: None, to: square.into(), via: Vec::new(), words: square.to_string() }
}

/// A turn of a side, with what it has pressed. Where nobody may look ahead nothing comes of a press
/// before the turn is sent.
struct PressTurn<P> {
    at: P,
    seat: Seat,
    pressed: Vec<Square>,
}

impl<P: PressGame> PressTurn<P> {
    /// The points that may be pressed next; those pressed before are none of them where nobody
    /// sees what came of it.
    fn open(&self) -> Squares {
        let manner = <P as PressGame>::SPEC.manner;
        let goes_on = self.pressed.is_empty()
            || manner.several && PressGame::next(&self.at) == Next::Move(self.seat);
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
