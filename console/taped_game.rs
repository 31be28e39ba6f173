//! A game in progress with its recording.

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
    /// Creates a game at its start.
    pub(super) fn new(tape: Tape) -> Self {
        Self { live: tape.start(), tape }
    }

    /// Advances a live game by a tick.
    pub(super) fn step(&mut self, presses: &[(Seat, Press)]) {
        self.tape.step(&mut *self.live, presses);
    }

    /// Advances a replay by a tick.
    pub(super) fn step_again(&mut self) {
        let presses = self.tape.pressed_at(self.live.ticks() + 1);
        self.live.step(&presses);
    }

    /// Returns whether the whole tape has been replayed.
    pub(super) fn is_at_end(&self) -> bool {
        self.live.ticks() >= self.tape.ticks() || self.live.over().is_some()
    }

    /// Returns whether the game reached the tape's recorded state.
    pub(super) fn matches_tape(&self) -> bool {
        self.live.ticks() == self.tape.ticks() && self.live.digest() == self.tape.digest()
    }

    /// Returns the tape for saving.
    pub(super) fn sealed(&self) -> Tape {
        let mut tape = self.tape.clone();
        tape.seal(&*self.live);
        tape
    }
}

/// A tick with a search by the computer, to be run on another thread.
#[derive(Debug)]
pub struct SlowTick {
    pub(super) play: TapedGame,
    /// The number of the game in this session.
    pub(super) game: u64,
    pub(super) is_replay: bool,
}

impl SlowTick {
    /// Runs the tick.
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
