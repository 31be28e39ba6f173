//! A game under way, with what was pressed in it.

use games::{GameInProgress, Press, Seat, Tape};

/// A game and its tape.
#[derive(Debug)]
pub(super) struct TapedGame {
    pub(super) tape: Tape,
    pub(super) live: Box<dyn GameInProgress>,
}

impl Clone for TapedGame {
    fn clone(&self) -> Self {
        Self { tape: self.tape.clone(), live: self.live.copy() }
    }
}

impl TapedGame {
    /// A game at its start.
    pub(super) fn new(tape: Tape) -> Self {
        Self { live: tape.start(), tape }
    }

    /// A tick of a game that is played.
    pub(super) fn step(&mut self, presses: &[(Seat, Press)]) {
        self.tape.step(&mut *self.live, presses);
    }

    /// A tick of a game that is looked at again.
    pub(super) fn step_again(&mut self) {
        let presses = self.tape.pressed_at(self.live.ticks() + 1);
        self.live.step(&presses);
    }

    /// Whether all of a tape was played again.
    pub(super) fn is_at_end(&self) -> bool {
        self.live.ticks() >= self.tape.ticks() || self.live.over().is_some()
    }

    /// Whether the tape ends as the game does.
    pub(super) fn is_true(&self) -> bool {
        self.live.ticks() == self.tape.ticks() && self.live.digest() == self.tape.digest()
    }

    /// The tape, as it is put away.
    pub(super) fn sealed(&self) -> Tape {
        let mut tape = self.tape.clone();
        tape.seal(&*self.live);
        tape
    }
}

/// A tick that may take long, because the board thinks in it: to be taken beside the screen.
#[derive(Debug)]
pub struct SlowTick {
    pub(super) play: TapedGame,
    /// Which game of the session it belongs to.
    pub(super) game: u64,
    pub(super) is_replay: bool,
}

impl SlowTick {
    /// Takes the tick.
    #[must_use]
    pub fn think(mut self) -> Self {
        if self.is_replay {
            self.play.step_again();
        } else {
            self.play.step(&[]);
        }
        self
    }
}
