//! The state of the console.

mod act;

use super::action::CursorKeys;
use super::address::TypedPoint;
use super::desk::ControlPanel;
use super::play::{SlowTick, TapedGame};
use super::words;
use games::{GameSettings, Light, LiveGame, Outcome, Press, Scene, Seat, Square, Tape};
use std::collections::VecDeque;

/// The columns that the console needs.
pub const WIDTH: u16 = 80;
/// The lines that it needs.
pub const HEIGHT: u16 = 24;

/// How far a game has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ConsoleStage {
    /// It waits for a player to begin.
    Waiting,
    /// The clock runs.
    Running,
    /// It has ended; a replay, perhaps before the game did.
    Over,
}

/// The console: what it shows follows from this alone.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each answers a question of its own")]
pub struct ConsoleState {
    /// The buttons as they are set.
    pub(super) desk: ControlPanel,
    /// How points are pressed: 1 with a mouse or fast keys, 2 with keys.
    pub(super) aim: u8,
    /// By how much keys slow the next game down: 2, or 1 where the player is fast with them.
    pub(super) keys_aim: u8,
    /// Whether the game was begun with keys.
    pub(super) has_keys: bool,
    /// Where the chance of the game comes from.
    seed: u64,
    /// Which game of the session it is.
    number: u64,
    play: TapedGame,
    pub(super) stage: ConsoleStage,
    /// The game's scene when it was looked at last.
    pub(super) scene: Scene,
    /// Whether points that flash were bright then.
    pub(super) is_bright: bool,
    /// The cursors: green's and red's, or that of the only player in both.
    pub(super) cursors: [Square; 2],
    address: TypedPoint,
    /// The console's own message.
    note: Option<String>,
    /// The time of the clock when it was set last.
    whole_clock: u64,
    /// The presses since the last tick; a press without a side is for the side whose light is on
    /// when its turn comes.
    presses: VecDeque<(Option<Seat>, Press)>,
    /// Whether a tick is taken beside the screen.
    is_thinking: bool,
    /// Whether a game is given up at the next word.
    is_giving_up: bool,
    /// Whether the console is left at the next word.
    is_leaving: bool,
    /// Whether the keys are shown in the place of the board.
    pub(super) shows_keys: bool,
    /// The ticks since the end of the game.
    since_end: u64,
    /// Columns and lines of the terminal.
    pub(super) size: (u16, u16),
    /// Whether colours are shown.
    pub(super) has_colours: bool,
    bells: u32,
    is_left: bool,
    /// Tapes of games that have ended.
    ended: Vec<Tape>,
    pub(super) replay: Option<Replay>,
    /// Whether something has changed that is shown.
    is_changed: bool,
}

/// How a tape is looked at.
#[derive(Clone, Debug)]
pub(super) struct Replay {
    /// Whether it is paused.
    pub(super) is_paused: bool,
    /// How fast it goes, in words.
    pub(super) pace: String,
    /// Whether the tape turned out to say another end.
    is_false: bool,
}

impl ConsoleState {
    /// The console with its buttons pressed like this, and a game that waits.
    pub fn new(desk: ControlPanel, seed: u64, size: (u16, u16), has_colours: bool) -> Self {
        let aim = 2;
        let tape = Tape::new(desk.game(), desk.sitting(seed, aim));
        let play = TapedGame::new(tape.expect("buttons have no other values"));
        let mut state = Self::with(desk, seed, play, size);
        (state.has_colours, state.cursors) = (has_colours, state.first_cursors());
        state
    }

    /// The console with a tape in it.
    pub fn replaying(tape: Tape, size: (u16, u16), has_colours: bool) -> Self {
        let desk = ControlPanel::from_settings(tape.game, &tape.sitting);
        let (seed, aim) = (tape.sitting.seed, tape.sitting.aim);
        let mut state = Self::with(desk, seed, TapedGame::new(tape), size);
        let replay = Replay { is_paused: false, pace: "x 1".into(), is_false: false };
        let stage = if state.play.is_at_end() { ConsoleStage::Over } else { ConsoleStage::Running };
        (state.replay, state.stage) = (Some(replay), stage);
        (state.aim, state.has_colours, state.has_keys) = (aim, has_colours, aim == 2);
        state
    }

    fn with(desk: ControlPanel, seed: u64, play: TapedGame, size: (u16, u16)) -> Self {
        Self {
            desk,
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
            address: TypedPoint::None,
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

    /// The game that is played.
    pub(super) fn game(&self) -> &'static LiveGame {
        self.play.tape.game
    }

    /// How it was sat down to.
    pub(super) fn sitting(&self) -> &GameSettings {
        &self.play.tape.sitting
    }

    /// The tape of the game as far as it has come.
    pub fn tape(&self) -> Tape {
        self.play.sealed()
    }

    /// How the game ended, if it has.
    pub fn outcome(&self) -> Option<Outcome> {
        self.play.live.over()
    }

    /// Whether a tape is looked at.
    pub fn is_replay(&self) -> bool {
        self.replay.is_some()
    }

    /// Whether a tape was found to say another end than it has.
    pub fn is_false(&self) -> bool {
        self.replay.as_ref().is_some_and(|replay| replay.is_false)
    }

    /// Whether the console was left.
    pub const fn is_left(&self) -> bool {
        self.is_left
    }

    /// Which sides people play.
    pub(super) fn people(&self) -> [bool; 2] {
        let sitting = self.sitting();
        let is_there = |seat: Seat| sitting.level_of(seat) == 0;
        [is_there(Seat(0)), is_there(Seat(1)) && self.game().uses_level]
    }

    /// Whether two people play.
    pub(super) fn is_for_two(&self) -> bool {
        self.people() == [true; 2]
    }

    /// Whether the name of a point was begun.
    pub(super) fn is_naming(&self) -> bool {
        self.address != TypedPoint::None
    }

    /// Whether the terminal has room for the board; as long as it has not, nothing goes on.
    pub(super) const fn has_room(&self) -> bool {
        self.size.0 >= WIDTH && self.size.1 >= HEIGHT
    }

    /// Whether ticks are wanted.
    pub fn is_running(&self) -> bool {
        let is_paused = self.replay.as_ref().is_some_and(|replay| replay.is_paused);
        self.stage == ConsoleStage::Running && !is_paused && self.has_room()
    }

    /// Whether the game waits for a tick that is taken beside.
    pub const fn is_thinking(&self) -> bool {
        self.is_thinking
    }

    /// Whether the turn light of the winner is on: it blinks.
    pub(super) const fn is_lamp_on(&self) -> bool {
        (self.since_end / BLINK).is_multiple_of(2)
    }

    /// Whether something moves though no game runs.
    pub fn is_blinking(&self) -> bool {
        self.stage == ConsoleStage::Over && matches!(self.outcome(), Some(Outcome::Won { .. }))
    }

    /// The side whose cursor those keys move, if a person plays it.
    pub(super) fn seat_of(&self, hand: CursorKeys) -> Option<Seat> {
        match (self.people(), hand) {
            ([true, true], CursorKeys::Left) | ([true, false], _) => Some(Seat(0)),
            ([true, true], CursorKeys::Right) | ([false, true], _) => Some(Seat(1)),
            ([false, false], _) => None,
        }
    }

    /// The side for which a click or a named point counts: the person whose light is on; if both
    /// lights are on, the one whose colour the point has.
    fn seat_for(&self, press: Press) -> Option<Seat> {
        let (people, scene) = (self.people(), self.play.live.scene());
        let may = |seat: &Seat| people[seat.index()] && scene.turn[seat.index()];
        match (Seat::BOTH.iter().filter(|seat| may(seat)).count(), press) {
            (2, Press::At(at)) => Some(Seat(u8::from(scene.at(at) == Light::Red))),
            _ => Seat::BOTH.into_iter().find(may),
        }
    }

    /// The presses of the next tick. There is one press a tick for the side whose light is on: its
    /// result decides which side has the next.
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

    /// Lays out the game that the buttons say.
    fn lay_out(&mut self, aim: u8) {
        self.aim = aim;
        let tape = Tape::new(self.desk.game(), self.desk.sitting(self.seed, aim));
        self.play = TapedGame::new(tape.expect("buttons have no other values"));
        self.number += 1;
        self.is_thinking = false;
        self.presses.clear();
        self.cursors = self.first_cursors();
        self.since_end = 0;
        (self.bells, self.whole_clock) = (0, 0);
        self.scene = self.play.live.scene();
    }

    /// Where the cursors are first.
    fn first_cursors(&self) -> [Square; 2] {
        if self.is_for_two() { STARTS } else { [ALONE; 2] }
    }

    /// Keeps the tape of a game that was begun and has not ended.
    fn put_away(&mut self) {
        if self.stage == ConsoleStage::Running && !self.is_replay() {
            self.ended.push(self.play.sealed());
        }
    }

    /// Tapes of games that have ended since this was asked last.
    pub fn take_ended(&mut self) -> Vec<Tape> {
        std::mem::take(&mut self.ended)
    }

    /// Leaves the console. A game under way is put away as it is.
    pub fn leave(&mut self) {
        self.put_away();
        (self.stage, self.is_left) = (ConsoleStage::Over, true);
    }

    /// Whether a player did something since the game was looked at last.
    pub const fn has_news(&self) -> bool {
        self.is_changed
    }

    /// Takes a tick, if the game runs.
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

    /// The next tick, if it may take long; until [`ConsoleState::take`] gets it back no tick is taken.
    pub fn thought(&mut self) -> Option<SlowTick> {
        let is_due = self.is_running() && !self.is_thinking && self.play.live.thinks();
        if !is_due {
            return None;
        }
        self.presses.clear();
        (self.is_thinking, self.is_changed) = (true, true);
        let (game, is_replay) = (self.number, self.is_replay());
        Some(SlowTick { play: self.play.clone(), game, is_replay })
    }

    /// Goes on with what came of a thought, unless its game was given up meanwhile.
    pub fn take(&mut self, thought: SlowTick) {
        if thought.game == self.number && self.is_thinking {
            (self.is_thinking, self.is_changed) = (false, true);
            self.play = thought.play;
            self.look_whether_over();
        }
    }

    fn look_whether_over(&mut self) {
        if let Some(replay) = &mut self.replay {
            if self.play.is_at_end() {
                replay.is_false = !self.play.is_true();
                self.stage = ConsoleStage::Over;
            }
        } else if self.outcome().is_some() {
            self.put_away();
            self.stage = ConsoleStage::Over;
        }
    }

    /// How fast a replay goes now.
    pub fn set_pace(&mut self, pace: String) {
        if let Some(replay) = &mut self.replay {
            replay.pace = pace;
            self.is_changed = true;
        }
    }

    /// Looks at the game. Returns whether there is something new to be drawn.
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

    /// The ticks that the clock had when it was set last.
    pub(super) const fn whole_clock(&self) -> u64 {
        self.whole_clock
    }

    /// Whether the bell must ring; each ring is told once.
    pub fn bell(&mut self) -> bool {
        std::mem::replace(&mut self.bells, self.scene.bell) < self.scene.bell
    }

    /// The message to show.
    pub(super) fn message(&self) -> String {
        if let Some(begun) = self.address.shown() {
            return words::naming(&begun);
        }
        if let Some(note) = &self.note {
            return note.clone();
        }
        if self.is_false() {
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

    /// Whether the points are hidden: one is not to learn them before the clock runs.
    pub(super) fn is_hidden(&self) -> bool {
        self.stage == ConsoleStage::Waiting && self.game().is_timed_by_speed
    }
}

/// Where the cursors are first where two play.
const STARTS: [Square; 2] = [at(4, 3), at(4, 5)];

/// Where the cursor of one player is at first.
const ALONE: Square = at(4, 4);

/// Ticks for which the winner's turn light is on, and then off.
const BLINK: u64 = 40;

/// Ticks for which what flashes is bright, and then dark.
const FLASH: u64 = 15;

const fn at(line: u8, column: u8) -> Square {
    Square::at(line, column).expect("it is on the board")
}

/// A clock as it is shown: in tenths of a second.
pub(super) fn shown_clock(clock: Option<u64>) -> Option<u64> {
    clock.map(|ticks| ticks.div_ceil(games::TICKS / 10))
}

#[cfg(test)]
impl ConsoleState {
    /// The ticks that the game has taken.
    pub(super) fn play_ticks(&self) -> u64 {
        self.play.live.ticks()
    }
}
