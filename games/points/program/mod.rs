//! The program of the race games: evaluation of a board before a roll.
//!
//! `inputs` encodes the inputs of the net, with features from `shots`; `bearoff` looks up the ends of
//! races.

mod bearoff;
mod inputs;
mod shots;

use super::{BAR, Board, LAST, Landing, Men, OFF, POINTS, PointMask, Race, boards};
use crate::bot::{GameNets, InputScales, InputWriter, Situation, TrainedSituation, few};
use crate::kit::{GammonValue, Odds, Outcome, Roll, Seat, Throw};

/// A race game whose positions a program can value: by nets where there are any.
pub(crate) trait NetRace: Race {
    /// The rules of a game without options.
    const PLAIN: Self;

    /// See [`Situation::overlooked`].
    const OVERLOOKED: &'static [f32];

    /// Returns the result of the game after a complete play of `mover`, if it is over.
    fn outcome(self, after: &Board, mover: Seat) -> Option<Outcome>;

    /// Returns the gammon values in a single game.
    fn gammons(self) -> GammonValue {
        GammonValue::MONEY
    }

    /// Returns the nets of the levels. Without any, the program compares pip counts.
    fn nets() -> &'static GameNets {
        static NONE: GameNets = GameNets::NONE;
        &NONE
    }
}

/// A board before a roll.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RaceSituation<R> {
    rules: R,
    pub(crate) board: Board,
    /// The side to roll.
    pub(crate) seat: Seat,
    gammons: GammonValue,
}

impl<R: NetRace> RaceSituation<R> {
    /// Creates a situation of a single game.
    pub(crate) fn new(rules: R, board: Board, seat: Seat) -> Self {
        Self { rules, board, seat, gammons: rules.gammons() }
    }

    /// Replaces the gammon values.
    pub(crate) fn with(self, gammons: GammonValue) -> Self {
        Self { gammons, ..self }
    }
}

impl<R: NetRace> Situation for RaceSituation<R> {
    /// The men of the side that has played, the number of the other side's men on the bar, and
    /// where those are pinned.
    type PlayKey = (Men, u8, PointMask);

    fn seat(&self) -> Seat {
        self.seat
    }

    fn faces(&self) -> u8 {
        6
    }

    fn ends_as<T>(&self, roll: Roll, of: impl Fn(Self) -> T) -> Vec<T> {
        let Self { rules, ref board, seat, gammons } = *self;
        let after = |board| Self { rules, board, seat: seat.other(), gammons: gammons.turned() };
        boards::<R>(board, seat, roll).map(|board| of(after(board))).collect()
    }

    fn over(&self) -> Option<Odds> {
        self.rules.outcome(&self.board, self.seat.other()).map(|outcome| match outcome {
            Outcome::Won { by, points, .. } => {
                let points = i8::try_from(points).unwrap_or(i8::MAX);
                Odds::certain(if by == self.seat { points } else { -points })
            }
            Outcome::Drawn { .. } => Odds::certain(0),
        })
    }

    /// Returns the odds from the bearoff tables if all men of both sides are in their last
    /// quadrants.
    fn counted(&self) -> Option<Odds> {
        let sides = [self.seat, self.seat.other()].map(|seat| self.board.men_of(seat));
        if sides.iter().any(|men| men.in_play() & !LAST != 0 || men.are_off()) {
            return None;
        }
        // The tables know gammons of fifteen men only.
        if R::MEN < Men::ALL && sides.iter().any(|men| men.on(OFF) == 0) {
            return None;
        }
        let homes = sides.map(|men| [1, 2, 3, 4, 5, 6].map(|point| men.on(point)));
        let [won, gammon, lost] = bearoff::odds(homes);
        Some(Odds([won, gammon, 0.0, lost, 0.0]))
    }

    fn write_inputs(&self, next: &mut impl InputWriter) -> Option<usize> {
        Some(self.write_sides(next))
    }

    fn value(&self, odds: Odds) -> f32 {
        odds.worth(self.gammons)
    }

    fn play_key(&self) -> Self::PlayKey {
        let Self { board, seat, .. } = self;
        (board.men_of(seat.other()), board.men_of(*seat).on(BAR), board.pinned[seat.index()])
    }

    fn lead(&self) -> f32 {
        let [own, other] = [self.seat, self.seat.other()].map(|seat| {
            let men = self.board.men_of(seat);
            let alone = (men.single() & POINTS).count_ones();
            // Between plays with equal pip counts, the men decide.
            let alone = if R::LANDING == Landing::Block { 0 } else { alone };
            few(men.pips()) + few(alone) / 16.0 - few(men.on(OFF).into()) / 4.0
        });
        other - own
    }

    fn overlooked(&self) -> &'static [f32] {
        R::OVERLOOKED
    }
}

impl<R: NetRace> TrainedSituation for RaceSituation<R> {
    /// With contact, and without.
    const SHAPES: &'static [[usize; 2]] = &inputs::shapes(R::LANDING);

    fn start(seat: Seat) -> Self {
        Self::new(R::PLAIN, Board::start(R::START), seat)
    }

    fn opening(&self) -> Throw {
        Throw::to_begin(6)
    }

    fn scales() -> Vec<InputScales> {
        Self::start(Seat(0)).input_scales()
    }

    fn nets() -> &'static GameNets {
        R::nets()
    }
}
