//! The state of the console.

mod act;

use super::action::CursorKeys;
use super::panel::ControlPanel;
use super::taped_game::{SlowTick, TapedGame};
use super::typed_point::TypedPoint;
use super::words;
use games::{GameSettings, Light, LiveGame, Outcome, Press, Scene, Seat, Square, Tape};
use std::collections::VecDeque;

/// The minimum number of columns.
pub const WIDTH: u16 = 80;
/// The minimum number of lines.
pub const HEIGHT: u16 = 24;

/// The stage of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ConsoleStage {
    /// The game waits for a player to begin.
    Waiting,
    /// The clock runs.
    Running,
    /// The game or the replay has ended.
    Over,
}

/// The complete state of the console, from which it is drawn.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "the flags are independent")]
pub struct ConsoleState {
    /// The buttons.
    pub(super) panel: ControlPanel,
    /// The input slowdown of this game: 1 for a mouse or fast keys, 2 for keys.
    pub(super) aim: u8,
    /// The input slowdown of the next game with keys: 2, or 1 for players who are fast with them.
    pub(super) keys_aim: u8,
    /// Whether the game was begun with keys.
    pub(super) has_keys: bool,
    /// The seed of the game.
    seed: u64,
    /// The number of the game in this session.
    number: u64,
    play: TapedGame,
    pub(super) stage: ConsoleStage,
    /// The scene at the last update.
    pub(super) scene: Scene,
    /// Whether flashing points were bright at the last update.
    pub(super) is_bright: bool,
    /// The cursors of green and red; with one player both are that player's.
    pub(super) cursors: [Square; 2],
    typed_point: TypedPoint,
    /// A message of the console itself.
    note: Option<String>,
    /// The full time of the clock when it was last reset.
    whole_clock: u64,
    /// The presses since the last tick. A press without a side is for the side that is on turn when
    /// it is handled.
    presses: VecDeque<(Option<Seat>, Press)>,
    /// Whether a tick is running on another thread.
    is_thinking: bool,
    /// Whether a repeated command abandons the game.
    is_giving_up: bool,
    /// Whether a repeated command leaves the console.
    is_leaving: bool,
    /// Whether the list of keys is shown in place of the board.
    pub(super) shows_keys: bool,
    /// The ticks since the end of the game.
    since_end: u64,
    /// The columns and lines of the terminal.
    pub(super) size: (u16, u16),
    /// Whether colours are shown.
    pub(super) has_colours: bool,
    bells: u32,
    is_left: bool,
    /// Tapes of finished games that are not yet saved.
    ended: Vec<Tape>,
    pub(super) replay: Option<Replay>,
    /// Whether anything visible has changed.
    is_changed: bool,
}

/// The state of a replay.
#[derive(Clone, Debug)]
pub(super) struct Replay {
    /// Whether it is paused.
    pub(super) is_paused: bool,
    /// The speed in words.
    pub(super) pace: String,
    /// Whether the replay differed from the tape's recorded state.
    differs_from_tape: bool,
}

impl ConsoleState {
    /// Creates a console with these buttons and a game that waits.
    pub fn new(panel: ControlPanel, seed: u64, size: (u16, u16), has_colours: bool) -> Self {
        let aim = 2;
        let tape = Tape::new(panel.game(), panel.settings(seed, aim));
        let play = TapedGame::new(tape.expect("buttons have no other values"));
        let mut state = Self::with(panel, seed, play, size);
        (state.has_colours, state.cursors) = (has_colours, state.first_cursors());
        state
    }

    /// Creates a console with a replay.
    pub fn replaying(tape: Tape, size: (u16, u16), has_colours: bool) -> Self {
        let panel = ControlPanel::from_settings(tape.game, &tape.settings);
        let (seed, aim) = (tape.settings.seed, tape.settings.aim);
        let mut state = Self::with(panel, seed, TapedGame::new(tape), size);
        let replay = Replay { is_paused: false, pace: "x 1".into(), differs_from_tape: false };
        let stage = if state.play.is_at_end() { ConsoleStage::Over } else { ConsoleStage::Running };
        (state.replay, state.stage) = (Some(replay), stage);
        (state.aim, state.has_colours, state.has_keys) = (aim, has_colours, aim == 2);
        state
    }

    fn with(panel: ControlPanel, seed: u64, play: TapedGame, size: (u16, u16)) -> Self {
        Self {
            panel,
            aim: 2,
            keys_aim: 2,
            has_keys: true,
            seed,
            number: 0,
            scene: play.live.scene(),
            is_bright: true,
            play,
            stage: ConsoleStage::Waiting,
            cursors: [ALONE; 2],
            typed_point: TypedPoint::None,
            note: None,
            whole_clock: 0,
            presses: VecDeque::new(),
            is_thinking: false,
            is_giving_up: false,
            is_leaving: false,
            shows_keys: false,
            since_end: 0,
            size,
            has_colours: true,
            bells: 0,
            is_left: false,
            ended: Vec::new(),
            replay: None,
            is_changed: true,
        }
    }

    /// Returns the current game.
    pub(super) fn game(&self) -> &'static LiveGame {
        self.play.tape.game
    }

    /// Returns its settings.
    pub(super) fn settings(&self) -> &GameSettings {
        &self.play.tape.settings
    }

    /// Returns its tape so far.
    pub fn tape(&self) -> Tape {
        self.play.sealed()
    }

    /// Returns its result, if it is over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.play.live.over()
    }

    /// Returns whether a tape is replayed.
    pub fn is_replay(&self) -> bool {
        self.replay.is_some()
    }

    /// Returns whether the replay differed from the tape's recorded state.
    pub fn differs_from_tape(&self) -> bool {
        self.replay.as_ref().is_some_and(|replay| replay.differs_from_tape)
    }

    /// Returns whether the player has left.
    pub const fn is_left(&self) -> bool {
        self.is_left
    }

    /// Returns which sides people play.
    pub(super) fn people(&self) -> [bool; 2] {
        let settings = self.settings();
        let is_there = |seat: Seat| settings.level_of(seat) == 0;
        [is_there(Seat(0)), is_there(Seat(1)) && self.game().uses_level]
    }

    /// Returns whether two people play.
    pub(super) fn is_for_two(&self) -> bool {
        self.people() == [true; 2]
    }

    /// Returns whether the name of a point has been begun.
    pub(super) fn is_naming(&self) -> bool {
        self.typed_point != TypedPoint::None
    }

    /// Returns whether the terminal has room for the board; otherwise the game is stopped.
    pub(super) const fn has_room(&self) -> bool {
        self.size.0 >= WIDTH && self.size.1 >= HEIGHT
    }

    /// Returns whether ticks are needed.
    pub fn is_running(&self) -> bool {
        let is_paused = self.replay.as_ref().is_some_and(|replay| replay.is_paused);
        self.stage == ConsoleStage::Running && !is_paused && self.has_room()
    }

    /// Returns whether a tick is running on another thread.
    pub const fn is_thinking(&self) -> bool {
        self.is_thinking
    }

    /// Returns whether the winner's turn light is on; it blinks.
    pub(super) const fn is_lamp_on(&self) -> bool {
        (self.since_end / BLINK).is_multiple_of(2)
    }

    /// Returns whether anything blinks while no game runs.
    pub fn is_blinking(&self) -> bool {
        self.stage == ConsoleStage::Over && matches!(self.outcome(), Some(Outcome::Won { .. }))
    }

    /// Returns the human side whose cursor these keys move.
    pub(super) fn seat_of(&self, keys: CursorKeys) -> Option<Seat> {
        match (self.people(), keys) {
            ([true, true], CursorKeys::Left) | ([true, false], _) => Some(Seat(0)),
            ([true, true], CursorKeys::Right) | ([false, true], _) => Some(Seat(1)),
            ([false, false], _) => None,
        }
    }

    /// Returns the side of a click or a named point: the human side on turn; if both are, the side
    /// of the point's colour.
    fn seat_for(&self, press: Press) -> Option<Seat> {
        let (people, scene) = (self.people(), self.play.live.scene());
        let may = |seat: &Seat| people[seat.index()] && scene.turn[seat.index()];
        match (Seat::BOTH.iter().filter(|seat| may(seat)).count(), press) {
            (2, Press::At(at)) => Some(Seat(u8::from(scene.at(at) == Light::Red))),
            _ => Seat::BOTH.into_iter().find(may),
        }
    }

    /// Takes the presses of the next tick: at most one for the side on turn, since its result
    /// decides who is next.
    fn next_presses(&mut self) -> Vec<(Seat, Press)> {
        let mut presses = Vec::new();
        while let Some((seat, press)) = self.presses.pop_front() {
            presses.extend(seat.or_else(|| self.seat_for(press)).map(|seat| (seat, press)));
            if seat.is_none() {
                break;
            }
        }
        presses
    }

    /// Sets up the game of the buttons.
    fn lay_out(&mut self, aim: u8) {
        self.aim = aim;
        let tape = Tape::new(self.panel.game(), self.panel.settings(self.seed, aim));
        self.play = TapedGame::new(tape.expect("buttons have no other values"));
        self.number += 1;
        self.is_thinking = false;
        self.presses.clear();
        self.cursors = self.first_cursors();
        self.since_end = 0;
        (self.bells, self.whole_clock) = (0, 0);
        self.scene = self.play.live.scene();
    }

    /// Moves the cursors to their initial points.
    fn first_cursors(&self) -> [Square; 2] {
        if self.is_for_two() { STARTS } else { [ALONE; 2] }
    }

    /// Saves the tape of an unfinished game that was begun.
    fn put_away(&mut self) {
        if self.stage == ConsoleStage::Running && !self.is_replay() {
            self.ended.push(self.play.sealed());
        }
    }

    /// Takes the tapes of games that ended since the last call.
    pub fn take_ended(&mut self) -> Vec<Tape> {
        std::mem::take(&mut self.ended)
    }

    /// Leaves the console and saves an unfinished game.
    pub fn leave(&mut self) {
        self.put_away();
        (self.stage, self.is_left) = (ConsoleStage::Over, true);
    }

    /// Returns whether a player has acted since the last update.
    pub const fn has_news(&self) -> bool {
        self.is_changed
    }

    /// Advances a running game by a tick.
    pub fn tick(&mut self) {
        if self.is_blinking() {
            let was_on = self.is_lamp_on();
            self.since_end += 1;
            self.is_changed |= was_on != self.is_lamp_on();
        }
        if !self.is_running() || self.is_thinking {
            return;
        }
        if self.is_replay() {
            self.play.step_again();
        } else {
            let presses = self.next_presses();
            self.play.step(&presses);
        }
        self.look_whether_over();
    }

    /// Returns the next tick if it contains a search. Until [`ConsoleState::finish_search`] gets it
    /// back, no tick is taken.
    pub fn take_search(&mut self) -> Option<SlowTick> {
        let is_due = self.is_running() && !self.is_thinking && self.play.live.thinks();
        if !is_due {
            return None;
        }
        self.presses.clear();
        (self.is_thinking, self.is_changed) = (true, true);
        let (game, is_replay) = (self.number, self.is_replay());
        Some(SlowTick { play: self.play.clone(), game, is_replay })
    }

    /// Takes back a tick, unless its game was abandoned in the meantime.
    pub fn finish_search(&mut self, thought: SlowTick) {
        if thought.game == self.number && self.is_thinking {
            (self.is_thinking, self.is_changed) = (false, true);
            self.play = thought.play;
            self.look_whether_over();
        }
    }

    fn look_whether_over(&mut self) {
        if let Some(replay) = &mut self.replay {
            if self.play.is_at_end() {
                replay.differs_from_tape = !self.play.matches_tape();
                self.stage = ConsoleStage::Over;
            }
        } else if self.outcome().is_some() {
            self.put_away();
            self.stage = ConsoleStage::Over;
        }
    }

    /// Shows the speed of a replay.
    pub fn set_pace(&mut self, pace: String) {
        if let Some(replay) = &mut self.replay {
            replay.pace = pace;
            self.is_changed = true;
        }
    }

    /// Updates the scene and returns whether anything must be redrawn.
    pub fn look(&mut self) -> bool {
        let scene = self.play.live.scene();
        let shown = |scene: &Scene| Scene { clock: shown_clock(scene.clock), ..scene.clone() };
        let is_bright = (self.play.live.ticks() / FLASH).is_multiple_of(2);
        if scene.clock > self.scene.clock || self.whole_clock == 0 {
            self.whole_clock = scene.clock.unwrap_or_default();
        }
        let blinks = !scene.flash.is_empty() && is_bright != self.is_bright;
        let is_new = blinks || shown(&scene) != shown(&self.scene);
        (self.scene, self.is_bright) = (scene, is_bright);
        std::mem::take(&mut self.is_changed) || is_new
    }

    /// Returns the ticks of the clock when it was last reset.
    pub(super) const fn whole_clock(&self) -> u64 {
        self.whole_clock
    }

    /// Returns whether the bell must ring, once for each time.
    pub fn bell(&mut self) -> bool {
        std::mem::replace(&mut self.bells, self.scene.bell) < self.scene.bell
    }

    /// Returns the message to show.
    pub(super) fn message(&self) -> String {
        if let Some(begun) = self.typed_point.shown() {
            return words::naming(&begun);
        }
        if let Some(note) = &self.note {
            return note.clone();
        }
        if self.differs_from_tape() {
            return words::FALSE.into();
        }
        match self.outcome() {
            Some(outcome) => words::ended(self.game(), self.is_replay(), &outcome),
            None if self.stage == ConsoleStage::Over => words::BROKEN_OFF.into(),
            None if self.stage == ConsoleStage::Waiting => words::WAITING.into(),
            None if self.is_thinking => words::THINKING.into(),
            None => self.scene.line.as_deref().map_or_else(String::new, words::sentence),
        }
    }

    /// Returns whether the points are hidden, because players may not see them before the clock
    /// runs.
    pub(super) fn is_hidden(&self) -> bool {
        self.stage == ConsoleStage::Waiting && self.game().is_timed_by_speed
    }
}

/// The initial cursors of two players.
const STARTS: [Square; 2] = [at(4, 3), at(4, 5)];

/// The initial cursor of one player.
const ALONE: Square = at(4, 4);

/// The ticks for which the winner's turn light is on, and then off.
const BLINK: u64 = 40;

/// The ticks for which flashing points are bright, and then dark.
const FLASH: u64 = 15;

const fn at(line: u8, column: u8) -> Square {
    Square::at(line, column).expect("it is on the board")
}

/// Returns the clock in tenths of a second, as displayed.
pub(super) fn shown_clock(clock: Option<u64>) -> Option<u64> {
    clock.map(|ticks| ticks.div_ceil(games::TICKS / 10))
}

#[cfg(test)]
impl ConsoleState {
    /// Returns the ticks of the game.
    pub(super) fn play_ticks(&self) -> u64 {
        self.play.live.ticks()
    }
}
