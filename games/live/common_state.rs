//! The state that all console games share: ticks, turn lights, the clock, and the computer's
//! presses.

use super::digest::StateDigest;
use super::{GameInProgress, GameSettings, Light, Scene};
use crate::grid::{Press, Square, Squares, Stones};
use crate::kit::{Chance, Outcome, Seat};
use std::borrow::Cow;

/// The duration of flashing, in ticks.
pub(super) const FLASH: u64 = 60;

/// The computer's minimum reaction, by level: ticks, plus a percentage of the period, since
/// reactions get faster in fast games, but less than proportionally. Up to half as much again is
/// added at random.
const REACTION: [(u64, u64); 5] = [(0, 0), (42, 60), (33, 47), (25, 36), (18, 26)];

/// The longest period that slows the computer down, in ticks: it must press before its time is
/// over.
const SLOWEST: u64 = 140;

/// The percentage of presses in which the computer hits a neighbouring point, by level.
const SLIPS: [usize; 5] = [0, 72, 50, 29, 4];

/// The computer's minimum ticks for a move without time pressure, by level.
const PAUSES: [u64; 5] = [0, 120, 100, 80, 60];

/// Returns the points at this distance around `squares`. Growing distances make a ring spread over
/// the board.
pub(super) fn ring(around: Squares, steps: u64) -> Squares {
    let mut within = around;
    let mut edge = around;
    for _ in 0..steps {
        edge = within.around().without(within);
        within = within.or(edge);
    }
    edge
}

/// The state of a game apart from its rules.
#[derive(Clone, Debug)]
pub(super) struct CommonState {
    /// The settings.
    pub(super) settings: GameSettings,
    /// Ticks so far, the current one included.
    pub(super) ticks: u64,
    /// The source of random numbers.
    pub(super) chance: Chance,
    /// The turn lights.
    pub(super) lights: [bool; 2],
    /// The ticks left to the side whose light is on.
    pub(super) clock: Option<u64>,
    /// The point pressed last.
    pub(super) last: Option<Square>,
    over: Option<Outcome>,
    flash: Squares,
    flashes_until: u64,
    hands: [Option<PendingPress>; 2],
}

/// A press that the computer is about to make for a seat.
#[derive(Clone, Copy, Debug)]
struct PendingPress {
    at: Square,
    due: u64,
}

impl CommonState {
    fn new(settings: GameSettings) -> Self {
        Self {
            settings,
            ticks: 0,
            chance: Chance::new(settings.seed),
            lights: [false; 2],
            clock: None,
            last: None,
            over: None,
            flash: Squares::NONE,
            flashes_until: 0,
            hands: [None; 2],
        }
    }

    /// Turns on one seat's light and restarts the clock.
    pub(super) fn pass_light_to(&mut self, seat: Seat) {
        self.lights = [seat == Seat(0), seat == Seat(1)];
        self.flashes_until = self.ticks;
        self.clock = Some(self.settings.limit());
        self.hands = [None; 2];
    }

    /// Turns off all lights and the clock.
    pub(super) fn darken(&mut self) {
        self.lights = [false; 2];
        self.clock = None;
        self.hands = [None; 2];
    }

    /// Returns the seat whose light alone is on.
    pub(super) fn turn(&self) -> Option<Seat> {
        match self.lights {
            [true, false] => Some(Seat(0)),
            [false, true] => Some(Seat(1)),
            _ => None,
        }
    }

    /// Advances the clock by a tick and returns whether time has run out.
    pub(super) fn runs_out(&mut self) -> bool {
        let Some(left) = &mut self.clock else { return false };
        *left = left.saturating_sub(1);
        *left == 0
    }

    /// Ends the game.
    pub(super) fn end(&mut self, outcome: Outcome) {
        self.darken();
        self.over = Some(outcome);
    }

    /// Ends the game: the side with the higher score wins.
    pub(super) fn end_by(&mut self, score: [u32; 2], more: &'static str, equal: &'static str) {
        self.end(Outcome::of_scores(score, more, equal));
    }

    /// Returns whether the game is over.
    pub(super) const fn is_over(&self) -> bool {
        self.over.is_some()
    }

    /// Makes points flash.
    pub(super) fn flash(&mut self, squares: Squares) {
        self.flash = squares;
        self.flashes_until = self.ticks + FLASH;
    }

    /// Returns a random number below the limit.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.chance.below(limit)
    }

    /// Returns a random point of a set.
    pub(super) fn any(&mut self, squares: Squares) -> Option<Square> {
        squares.any(&mut |limit| self.chance.below(limit))
    }

    /// Returns a random reaction time for a seat.
    pub(super) fn reaction(&mut self, seat: Seat) -> u64 {
        let (fixed, share) = REACTION[usize::from(self.settings.level_of(seat))];
        let period = self.settings.period().min(SLOWEST);
        self.spread(fixed * u64::from(self.settings.aim) + share * period / 100)
    }

    /// Returns a random thinking time for a seat.
    pub(super) fn pause(&mut self, seat: Seat) -> u64 {
        self.spread(PAUSES[usize::from(self.settings.level_of(seat))])
    }

    fn spread(&mut self, base: u64) -> u64 {
        let spread = usize::try_from(base / 2 + 1).expect("it is small");
        base + self.chance.below(spread) as u64
    }

    /// Returns whether the computer presses a wrong point this time.
    pub(super) fn slips(&mut self, seat: Seat) -> bool {
        self.chance.below(100) < SLIPS[usize::from(self.settings.level_of(seat))]
    }

    /// Schedules the computer's press for a seat; it may hit a neighbouring point.
    pub(super) fn reach(&mut self, seat: Seat, at: Square, ticks: u64) {
        let beside = if self.slips(seat) { self.any(Squares::from(at).around()) } else { None };
        self.reach_surely(seat, beside.unwrap_or(at), ticks);
    }

    /// Schedules the computer's press without errors.
    pub(super) fn reach_surely(&mut self, seat: Seat, at: Square, ticks: u64) {
        self.hands[seat.index()] = Some(PendingPress { at, due: self.ticks + ticks });
    }

    /// Returns whether a press is scheduled for a seat.
    pub(super) const fn reaches(&self, seat: Seat) -> bool {
        self.hands[seat.index()].is_some()
    }

    /// Returns the computer's press for a seat in this tick.
    pub(super) fn arrives(&mut self, seat: Seat) -> Option<Square> {
        let hand = self.hands[seat.index()].filter(|hand| hand.due <= self.ticks)?;
        self.hands[seat.index()] = None;
        Some(hand.at)
    }

    /// Returns a scene with stones, lights, clock and flashing.
    pub(super) fn scene(
        &self,
        stones: &Stones,
        score: [u32; 2],
        counts: impl Into<Cow<'static, str>>,
    ) -> Scene {
        let mut scene = Scene {
            lights: [Light::Dark; 81],
            ages: [0; 81],
            period: self.settings.period(),
            flash: if self.ticks < self.flashes_until { self.flash } else { Squares::NONE },
            last: self.last,
            turn: match self.over {
                Some(Outcome::Won { by, .. }) => [by == Seat(0), by == Seat(1)],
                _ => self.lights,
            },
            score: score.map(|of| i32::try_from(of).unwrap_or(i32::MAX)),
            counts: counts.into(),
            clock: self.clock,
            line: None,
            bell: u32::from(self.is_over()),
        };
        for seat in Seat::BOTH {
            scene.light(stones[seat], Light::for_seat(seat));
        }
        scene
    }

    fn write(&self, digest: &mut StateDigest) {
        let GameSettings { mode, speed, level, green, time, seed, aim, points } = self.settings;
        digest.bytes(&[mode, speed, level, green, time, aim]);
        // Tapes made before this setting existed remain valid.
        if points > 0 {
            digest.bytes(&[points]);
        }
        digest.number(seed);
        digest.number(self.ticks);
        self.chance.state().iter().for_each(|&word| digest.number(word));
        digest.bytes(&self.lights.map(u8::from));
        digest.maybe(self.clock);
        digest.maybe(self.last.map(|square| square.index() as u64));
        match self.over {
            None => digest.bytes(&[0]),
            Some(Outcome::Won { by, points, reason }) => {
                digest.bytes(&[1, by.0]);
                digest.number(points);
                digest.text(reason);
            }
            Some(Outcome::Drawn { reason }) => {
                digest.bytes(&[2]);
                digest.text(reason);
            }
        }
        digest.squares(self.flash);
        digest.number(self.flashes_until);
        for hand in self.hands {
            digest.maybe(hand.map(|hand| hand.at.index() as u64));
            digest.maybe(hand.map(|hand| hand.due));
        }
    }
}

/// The rules of one console game, with the part of its state that is not common.
pub(super) trait LiveRules: Clone + std::fmt::Debug + Send + 'static {
    /// Handles a press of a seat whose light is on.
    fn press(&mut self, common: &mut CommonState, seat: Seat, press: Press);

    /// Finishes a tick after the presses of people: the computer's presses, the clock, and moving
    /// parts.
    fn tick(&mut self, common: &mut CommonState);

    /// Returns what to draw.
    fn scene(&self, common: &CommonState) -> Scene;

    /// Writes the whole state.
    fn write(&self, digest: &mut StateDigest);

    /// See [`GameInProgress::thinks`].
    fn thinks(&self, _common: &CommonState) -> bool {
        false
    }
}

/// A game in progress with its common state.
#[derive(Clone, Debug)]
pub(super) struct RunningGame<R> {
    pub(super) common: CommonState,
    pub(super) rules: R,
}

impl<R: LiveRules> RunningGame<R> {
    /// Starts a game with a constructor of its rules.
    pub(super) fn start(
        settings: &GameSettings,
        start: impl FnOnce(&mut CommonState) -> R,
    ) -> Box<dyn GameInProgress> {
        Box::new(Self::new(settings, start))
    }

    /// Starts a game without type erasure.
    pub(super) fn new(settings: &GameSettings, start: impl FnOnce(&mut CommonState) -> R) -> Self {
        let mut common = CommonState::new(*settings);
        let rules = start(&mut common);
        Self { common, rules }
    }
}

impl<R: LiveRules> GameInProgress for RunningGame<R> {
    fn step(&mut self, presses: &[(Seat, Press)]) {
        if self.common.is_over() {
            return;
        }
        self.common.ticks += 1;
        for &(seat, press) in presses {
            let is_on = self.common.lights.get(seat.index()).copied().unwrap_or(false);
            if is_on && self.common.settings.level_of(seat) == 0 {
                self.rules.press(&mut self.common, seat, press);
            }
        }
        if !self.common.is_over() {
            self.rules.tick(&mut self.common);
        }
    }

    fn scene(&self) -> Scene {
        self.rules.scene(&self.common)
    }

    fn over(&self) -> Option<Outcome> {
        self.common.over
    }

    fn digest(&self) -> u64 {
        let mut digest = StateDigest::new();
        self.common.write(&mut digest);
        self.rules.write(&mut digest);
        digest.value()
    }

    fn ticks(&self) -> u64 {
        self.common.ticks
    }

    fn thinks(&self) -> bool {
        !self.common.is_over() && self.rules.thinks(&self.common)
    }

    fn copy(&self) -> Box<dyn GameInProgress> {
        Box::new(self.clone())
    }
}
