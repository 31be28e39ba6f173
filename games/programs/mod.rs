//! One type for the situations of all games, for callers that know a game by its name: the trainer,
//! benchmarks and tests.

#[cfg(test)]
pub(crate) mod tests;

use crate::backgammon::Backgammon;
use crate::bot::{
    GameNets, InputScales, InputWriter, Inputs, NetWorkspace, Situation, TrainedSituation,
};
use crate::corridor::CorridorSituation;
use crate::fevga::Fevga;
use crate::hypergammon::Hypergammon;
use crate::kit::{Odds, RandomBelow, Roll, Seat, Throw};
use crate::malaka::Malaka;
use crate::moloko::Moloko;
use crate::moultezim::Moultezim;
use crate::nackgammon::Nackgammon;
use crate::nardy::Nardy;
use crate::plakoto::Plakoto;
use crate::points::{Board, Men, OFF, RaceSituation};
use crate::portes::Portes;

/// A situation of any game with trained nets.
#[derive(Clone, Debug)]
pub struct AnySituation(ByGame);

/// The key of a play of any game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AnyPlayKey(KeyByGame);

/// Makes one type of the situations of these games, each of which does what is asked.
macro_rules! any_situation {
    ($($name:literal: $Game:ident($Situation:ty),)*) => {
        #[derive(Clone, Debug)]
        enum ByGame {
            $($Game($Situation),)*
        }

        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        enum KeyByGame {
            $($Game(<$Situation as Situation>::PlayKey),)*
        }

        impl AnySituation {
            /// The names of the games.
            pub const GAMES: [&str; [$($name),*].len()] = [$($name),*];

            /// Returns the start of a game without options; if the rules leave open who begins,
            /// `seat` does.
            pub fn start(game: &str, seat: Seat) -> Option<Self> {
                match game {
                    $($name => Some(Self(ByGame::$Game(<$Situation>::start(seat)))),)*
                    _ => None,
                }
            }

            /// Returns the shapes of a game's nets: inputs and the usual number of hidden units.
            pub fn shapes(game: &str) -> &'static [[usize; 2]] {
                match game {
                    $($name => <$Situation>::SHAPES,)*
                    _ => &[],
                }
            }

            /// Returns the input scales of a game's nets.
            pub fn scales(game: &str) -> Vec<InputScales> {
                match game {
                    $($name => <$Situation>::scales(),)*
                    _ => Vec::new(),
                }
            }

            /// Returns the nets of a game's levels.
            pub fn nets(game: &str) -> Option<&'static GameNets> {
                match game {
                    $($name => Some(<$Situation>::nets()),)*
                    _ => None,
                }
            }

            /// Returns the first throw of a game, without an opening roll.
            pub fn opening(&self) -> Throw {
                match &self.0 { $(ByGame::$Game(it) => it.opening(),)* }
            }
        }

        impl Situation for AnySituation {
            type PlayKey = AnyPlayKey;

            fn seat(&self) -> Seat {
                match &self.0 { $(ByGame::$Game(it) => it.seat(),)* }
            }

            fn faces(&self) -> u8 {
                match &self.0 { $(ByGame::$Game(it) => it.faces(),)* }
            }

            fn ends_as<T>(&self, roll: Roll, of: impl Fn(Self) -> T) -> Vec<T> {
                match &self.0 {
                    $(ByGame::$Game(it) => it.ends_as(roll, |end| of(Self(ByGame::$Game(end)))),)*
                }
            }

            fn ends(&self, roll: Roll) -> Vec<Self> {
                match &self.0 {
                    $(ByGame::$Game(it) => it.ends_as(roll, |end| Self(ByGame::$Game(end))),)*
                }
            }

            fn over(&self) -> Option<Odds> {
                match &self.0 { $(ByGame::$Game(it) => it.over(),)* }
            }

            fn counted(&self) -> Option<Odds> {
                match &self.0 { $(ByGame::$Game(it) => it.counted(),)* }
            }

            fn write_inputs(&self, next: &mut impl InputWriter) -> Option<usize> {
                match &self.0 { $(ByGame::$Game(it) => it.write_inputs(next),)* }
            }

            fn inputs(&self, inputs: &mut Inputs) -> Option<usize> {
                match &self.0 { $(ByGame::$Game(it) => it.inputs(inputs),)* }
            }

            fn has_net(&self) -> bool {
                match &self.0 { $(ByGame::$Game(it) => it.has_net(),)* }
            }

            fn value(&self, odds: Odds) -> f32 {
                match &self.0 { $(ByGame::$Game(it) => it.value(odds),)* }
            }

            fn play_key(&self) -> AnyPlayKey {
                AnyPlayKey(match &self.0 {
                    $(ByGame::$Game(it) => KeyByGame::$Game(it.play_key()),)*
                })
            }

            fn lead(&self) -> f32 {
                match &self.0 { $(ByGame::$Game(it) => it.lead(),)* }
            }

            fn overlooked(&self) -> &'static [f32] {
                match &self.0 { $(ByGame::$Game(it) => it.overlooked(),)* }
            }
        }
    };
}

any_situation! {
    "backgammon": Backgammon(RaceSituation<Backgammon>),
    "plakoto": Plakoto(RaceSituation<Plakoto>),
    "moultezim": Moultezim(RaceSituation<Moultezim>),
    "malaka": Malaka(CorridorSituation<Malaka>),
    "moloko": Moloko(CorridorSituation<Moloko>),
    "portes": Portes(RaceSituation<Portes>),
    "fevga": Fevga(RaceSituation<Fevga>),
    "nackgammon": Nackgammon(RaceSituation<Nackgammon>),
    "hypergammon": Hypergammon(RaceSituation<Hypergammon>),
    "nardy": Nardy(RaceSituation<Nardy>),
}

/// Evaluations. They are not generic, so the search is compiled in this crate, with the rules of
/// the games inlined: compiled in another crate it takes 10 % longer.
impl AnySituation {
    /// Returns its odds by these nets.
    pub fn judged(&self, nets: &GameNets, work: &mut NetWorkspace) -> Odds {
        nets.judge(self, work)
    }

    /// Returns its odds after a one-ply search.
    pub fn judged_ahead(&self, nets: &GameNets, work: &mut NetWorkspace) -> Odds {
        nets.look_ahead(self, work).0
    }

    /// Returns the index of the best successor for the side that has rolled, and its odds for that
    /// side.
    ///
    /// # Panics
    /// Panics if there are none: a side that can do nothing passes.
    pub fn best(ends: &[Self], nets: &GameNets, work: &mut NetWorkspace) -> (usize, Odds) {
        nets.best(ends, work)
    }

    /// Returns the index of a level's choice among the successors of a roll; level 0 compares pip
    /// counts.
    ///
    /// # Panics
    /// Panics if there are none: a side that can do nothing passes.
    pub fn chosen(ends: &[Self], nets: &GameNets, level: u8, below: RandomBelow) -> usize {
        nets.choose(ends, level, below)
    }
}

impl AnySituation {
    /// Creates a situation of Backgammon from men as [`AnySituation::men`] returns them.
    pub fn of_men(men: [[u8; 25]; 2]) -> Self {
        let side = |points: [u8; 25]| {
            let off = Men::ALL - points.iter().sum::<u8>();
            Board::start(&(1..).zip(points).chain([(OFF, off)]).collect::<Vec<_>>()).men[0]
        };
        let board = Board { men: men.map(side), pinned: [0; 2] };
        Self(ByGame::Backgammon(RaceSituation::new(Backgammon, board, Seat(0))))
    }

    /// Returns the men of Backgammon on points 1 to 24 and the bar, for the side to roll and for
    /// the other, each by its own points: for comparisons with other programs.
    pub fn men(&self) -> Option<[[u8; 25]; 2]> {
        let ByGame::Backgammon(RaceSituation { board, seat, .. }) = &self.0 else { return None };
        let on = |seat: Seat| {
            let men = board.men_of(seat);
            let mut points = 1..;
            [0; 25].map(|_: u8| points.next().map_or(0, |point| men.on(point)))
        };
        Some([on(*seat), on(seat.other())])
    }
}
