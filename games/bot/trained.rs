//! What a game provides for its programs.

use super::{GameNets, InputScales, Situation};
use crate::kit::{Seat, Throw};

/// A situation of a game whose nets can be trained.
pub(crate) trait TrainedSituation: Situation {
    /// The shapes of the game's nets: inputs and the usual number of hidden units.
    const SHAPES: &'static [[usize; 2]];

    /// Returns the start of a game without options; if the rules leave open who begins, `seat`
    /// does.
    fn start(seat: Seat) -> Self;

    /// Returns the first throw of a game, without an opening roll.
    fn opening(&self) -> Throw;

    /// Returns the input scales of the game's nets.
    fn scales() -> Vec<InputScales>;

    /// Returns the nets of the levels; none where nothing was trained.
    fn nets() -> &'static GameNets;

    /// Reads the nets that are compiled into the program.
    fn built_in(bytes: &[u8]) -> GameNets {
        let nets = GameNets::read(Self::SHAPES, bytes).expect("the trainer wrote it");
        nets.for_playing(&Self::scales())
    }
}

/// Writes the function that returns the nets of a situation, which are built into the program from a file.
macro_rules! built_in_nets {
    ($situation:ty, $file:literal) => {
        fn nets() -> &'static $crate::bot::GameNets {
            use $crate::bot::{GameNets, TrainedSituation};
            static NETS: std::sync::LazyLock<GameNets> = std::sync::LazyLock::new(|| {
                <$situation as TrainedSituation>::built_in(include_bytes!($file))
            });
            &NETS
        }
    };
}
pub(crate) use built_in_nets;
