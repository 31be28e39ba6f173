//! The net inputs of a race game.
//!
//! The inputs of a side, for the side to roll first and then for the other:
//!
//! * for each point and the bar: one man, two or more, and the count beyond three (Tesauro,
//!   *Temporal difference learning and TD-Gammon*, 1995); a pinned man has its own input;
//! * men off, pip count, and lead in pips (as in Tesauro, *Comparison training of chess evaluation
//!   functions*, 2001);
//! * features of Berliner (*Backgammon computer program beats world champion*, 1980): blots under
//!   fire, primes, men caught behind them, home points held, back men;
//! * for Backgammon: the rolls that hit each blot and that hit two, how well each back man escapes,
//!   pips that can be played before points break, men beyond two on a point, and what men on the bar
//!   meet;
//! * for Plakoto: what can be pinned with the next roll, and the mother; for Moultezim: whether the
//!   first man has passed.
//!
//! Without contact a smaller net sees only the men and the number off.

use super::shots::{ShotBoard, best_six, caught, escapes, longest_row};
use super::{NetRace, RaceSituation};
use crate::bot::{InputScales, InputWriter};
use crate::kit::Seat;
use crate::points::{BAR, LAST, Landing, OFF, POINTS, PointMask, between, highest, up};

/// The inputs of one side with contact, in all games.
const COMMON: u16 = 160;

/// The additional inputs of one side in Backgammon.
const HITTING: u16 = 28;

/// Returns the inputs of one side with contact.
const fn side_inputs(landing: Landing) -> u16 {
    match landing {
        Landing::Hit => COMMON + HITTING,
        Landing::Pin | Landing::Block => COMMON,
    }
}

/// The inputs of one side without contact.
const PASSED: u16 = 113;

/// Returns the inputs and hidden units of the two nets: with contact, and without.
pub(super) const fn shapes(landing: Landing) -> [[usize; 2]; 2] {
    match landing {
        Landing::Hit => [[2 * side_inputs(landing) as usize, 256], [2 * PASSED as usize, 64]],
        _ => [[2 * side_inputs(landing) as usize, 128], [2 * PASSED as usize, 32]],
    }
}

impl<R: NetRace> RaceSituation<R> {
    /// Writes the inputs and returns the index of the net.
    pub(super) fn write_sides(&self, next: &mut impl InputWriter) -> usize {
        let sides = self.sides().into_iter();
        if self.board.has_contact(R::COURSE) {
            sides.for_each(|(seat, pips)| self.side(seat, pips, next));
            0
        } else {
            sides.for_each(|(seat, pips)| self.passed(seat, pips, next));
            1
        }
    }

    /// Returns the sides, the one to roll first, with their pip counts and the opponents'.
    fn sides(&self) -> [(Seat, [u32; 2]); 2] {
        let seats = [self.seat, self.seat.other()];
        let [own, other] = seats.map(|seat| self.board.men_of(seat).pips());
        [(seats[0], [own, other]), (seats[1], [other, own])]
    }

    /// Returns the scale of each input of both nets.
    pub(super) fn input_scales(&self) -> Vec<InputScales> {
        let (mut contact, mut passed) = (InputScales::default(), InputScales::default());
        for (seat, pips) in self.sides() {
            self.side(seat, pips, &mut contact);
            self.passed(seat, pips, &mut passed);
        }
        vec![contact, passed]
    }

    /// Returns the points that a side holds, as the other side's numbers.
    fn holds(&self, seat: Seat) -> PointMask {
        let men = self.board.men_of(seat);
        let held = match R::LANDING {
            Landing::Hit => men.many(),
            Landing::Pin => men.many() | R::COURSE.turned(self.board.pinned[seat.other().index()]),
            Landing::Block => men.any(),
        };
        held & POINTS
    }

    fn passed(&self, seat: Seat, pips: [u32; 2], next: &mut impl InputWriter) {
        let men = self.board.men_of(seat);
        next.each([1, 24], up(men.any() & POINTS), 4, |next, point| next.men(men.on(point).into()));
        next.which(men.on(OFF).into(), 15);
        next.share(pips[0], 50.0);
        next.signed(ahead(pips), 20.0);
    }

    fn side(&self, seat: Seat, pips: [u32; 2], next: &mut impl InputWriter) {
        let men = self.board.men_of(seat);
        let pinned = self.board.pinned[seat.index()];
        let free = men.in_play() & !pinned;
        next.each([1, BAR], up(free), 4, |next, point| next.men(men.on(point).into()));
        let (field, closed) = self.field(seat);
        let shots = field.shots();
        match R::LANDING {
            Landing::Hit => {
                next.each([1, 24], up(field.targets), 1, |next, on| next.share(shots.on(on), 18.0));
            }
            _ => next.each([1, 24], up(pinned), 1, |next, _| next.flag(true)),
        }
        let off = u32::from(men.on(OFF));
        for third in 0..3 {
            next.share(off.saturating_sub(5 * third).min(5), 5.0);
        }
        next.share(pips[0], 100.0);
        next.signed(ahead(pips), 50.0);
        next.share(shots.rolls, 36.0);
        next.share(shots.reach, 36.0 * 12.0);
        next.share(shots.first, 36.0);
        next.share(field.mobility(), 30.0);
        let (least, stuck) = caught(closed, free, |point| men.on(point).into());
        next.share(least, 36.0);
        next.share(stuck, 5.0);
        next.share((men.single() & POINTS).count_ones(), 5.0);
        self.walls(seat, next);
        self.rear(seat, next);
        if R::LANDING == Landing::Hit {
            next.share(shots.both, 18.0);
            self.plans(seat, closed, next);
        }
    }

    /// Returns a side's men and the points closed to it.
    fn field(&self, seat: Seat) -> (ShotBoard, PointMask) {
        let (men, pinned) = (self.board.men_of(seat), self.board.pinned[seat.index()]);
        let opponent = seat.other();
        let closed = R::COURSE.turned(self.holds(opponent)) | pinned;
        let lone = self.board.men_of(opponent).single() & !self.board.pinned[opponent.index()];
        let field = ShotBoard {
            men: men.in_play() & !pinned,
            bar: men.on(BAR).into(),
            open: POINTS & !closed,
            targets: if R::LANDING == Landing::Block { 0 } else { R::COURSE.turned(lone) },
        };
        (field, closed)
    }

    /// Writes the points that the side holds, and their effect on the other side.
    fn walls(&self, seat: Seat, next: &mut impl InputWriter) {
        let (holds, other) = (self.holds(seat), self.board.men_of(seat.other()));
        let (length, low) = longest_row(holds);
        next.which(length.saturating_sub(2), 4);
        let most = best_six(holds);
        next.share(most, 6.0);
        next.which(most.saturating_sub(3), 3);
        let behind = if length >= 4 { self.behind(seat, low) } else { 0 };
        next.share(behind, 5.0);
        let home = (holds & LAST).count_ones();
        next.which(home, 6);
        next.share(home * home, 36.0);
        let against = R::COURSE.turned(holds);
        let leaves: u32 = (19..=24).map(|point| escapes(against, point)).sum();
        next.share(leaves, 6.0 * 36.0);
        next.flag(other.any() & between(0, 12) != 0);
    }

    /// Returns how many of the other side's men must still pass this side's point.
    fn behind(&self, seat: Seat, low: u8) -> u32 {
        let from = R::COURSE.across(low);
        self.board.men_of(seat.other()).within(between(from, BAR))
    }

    /// Writes how each back man can escape, what can be played before points break, and what a man
    /// on the bar meets.
    fn plans(&self, seat: Seat, closed: PointMask, next: &mut impl InputWriter) {
        let (men, other) = (self.board.men_of(seat), self.board.men_of(seat.other()));
        let rear = up(men.any() & between(13, BAR));
        next.each([13, BAR], rear, 1, |next, on| next.share(escapes(closed, on), 24.0));
        let back = between(7, 18);
        next.share(men.pips_within(back) - 6 * men.within(back), 40.0);
        let spare = |points: PointMask| {
            let points = points & men.many();
            men.within(points) - 2 * points.count_ones()
        };
        next.share(spare(between(4, 12)), 6.0);
        next.share(spare(between(1, 3)), 4.0);
        next.share(men.within(LAST), 10.0);
        let shut = (closed >> 19 & 0x3f).count_ones();
        let waits = u32::from(men.on(BAR));
        next.share(waits.min(1) * shut * shut, 36.0);
        next.share(waits.saturating_sub(1).min(1) * shut, 6.0);
        next.which((men.many() & LAST << 18).count_ones(), 2);
        let level = highest(other.in_play()).map_or(1, |rear| R::COURSE.across(rear.min(24)));
        next.which(men.within(between(level, BAR)), 5);
        let crossed = [7, 13, 19, BAR].map(|first| men.within(between(first, BAR))).iter().sum();
        next.share(crossed, 20.0);
    }

    /// Returns the back men.
    fn rear(&self, seat: Seat, next: &mut impl InputWriter) {
        let (men, other) = (self.board.men_of(seat), self.board.men_of(seat.other()));
        next.which(men.within(between(19, BAR)), 4);
        next.share(men.within(between(13, BAR)), 10.0);
        let level = highest(other.in_play()).map_or(1, |rear| R::COURSE.across(rear.min(24)));
        let to_pass = between(level, BAR);
        let pips = men.pips_within(to_pass) - u32::from(level) * men.within(to_pass);
        next.share(pips, 100.0);
    }
}

/// Returns the lead in pips of the first side over the second.
fn ahead(pips: [u32; 2]) -> i32 {
    let [own, other] = pips.map(|pips| i32::try_from(pips).unwrap_or(i32::MAX));
    other - own
}
