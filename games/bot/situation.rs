//! A position before a roll, of any of these games.

use super::inputs::{InputEncoder, InputScales, InputWriter};
use super::mark::PlayKey;
use super::sigmoid::sigmoid;
use super::{Inputs, RaceSituation, race, walled};
use crate::backgammon::Backgammon;
use crate::kit::{Choices, Game, GammonValue, Odds, Roll, Seat, Throw};
use crate::malaka::{self, Malaka};
use crate::moloko::{self, Moloko};
use crate::moultezim::Moultezim;
use crate::plakoto::Plakoto;
use crate::points::{Board, Landing, Men, OFF, Race, Rules};
use walled::CorridorSituation;

/// A position before a roll, as the side to roll sees it.
#[derive(Clone, Debug)]
pub struct Situation {
    kind: SituationKind,
    worth: GammonValue,
}

/// Of which game it is.
#[derive(Clone, Debug)]
pub(crate) enum SituationKind {
    Backgammon(RaceSituation<Backgammon>),
    Plakoto(RaceSituation<Plakoto>),
    Moultezim(RaceSituation<Moultezim>),
    Malaka(CorridorSituation<Malaka>),
    Moloko(CorridorSituation<Moloko>),
}

/// Does the same with the situation of any game.
macro_rules! with {
    ($kind:expr, $situation:ident => $does:expr) => {
        match $kind {
            SituationKind::Backgammon($situation) => $does,
            SituationKind::Plakoto($situation) => $does,
            SituationKind::Moultezim($situation) => $does,
            SituationKind::Malaka($situation) => $does,
            SituationKind::Moloko($situation) => $does,
        }
    };
}

/// The start of a race game, before the roll of that side.
fn standing<R: Race>(rules: R, seat: Seat) -> RaceSituation<R> {
    RaceSituation { rules, board: Board::start(R::START), seat }
}

impl Situation {
    /// A situation in which a gammon counts two points and a backgammon three.
    pub(crate) fn new(kind: SituationKind) -> Self {
        Self { kind, worth: GammonValue::MONEY }
    }

    /// The same where gammons and backgammons are worth something else.
    pub(crate) fn with(self, worth: GammonValue) -> Self {
        Self { worth, ..self }
    }

    /// The games that programs learn.
    pub const GAMES: [&str; 5] = ["backgammon", "plakoto", "moultezim", "malaka", "moloko"];

    /// The start of a game without options, before the roll of that seat.
    pub fn start(game: &str, seat: Seat) -> Option<Self> {
        let plain = Choices::default();
        Some(Self::new(match game {
            "backgammon" => SituationKind::Backgammon(standing(Backgammon, seat)),
            "plakoto" => SituationKind::Plakoto(standing(Plakoto, seat)),
            "moultezim" => SituationKind::Moultezim(standing(Moultezim::of(&plain), seat)),
            "malaka" => {
                SituationKind::Malaka(CorridorSituation::new(malaka::Position::setup(&plain)))
            }
            "moloko" => {
                SituationKind::Moloko(CorridorSituation::new(moloko::Position::setup(&plain)))
            }
            _ => return None,
        }))
    }

    /// The shapes of a game's nets: inputs, and hidden units where nothing else is said.
    pub fn shapes(game: &str) -> &'static [[usize; 2]] {
        match game {
            "malaka" | "moloko" => walled::SHAPES,
            "backgammon" => const { &race::shapes(Landing::Hit) },
            _ => const { &race::shapes(Landing::Pin) },
        }
    }

    /// The throw at the start of a game, where the loser of the roll does not begin.
    pub fn opening(&self) -> Throw {
        match &self.kind {
            SituationKind::Malaka(_) | SituationKind::Moloko(_) => Throw::new(1, self.faces()),
            _ => Throw::to_begin(6),
        }
    }

    /// How many faces the dice have.
    pub fn faces(&self) -> u8 {
        match &self.kind {
            SituationKind::Malaka(walled) => walled.faces(),
            SituationKind::Moloko(walled) => walled.faces(),
            _ => 6,
        }
    }

    /// The side to roll.
    pub fn seat(&self) -> Seat {
        with!(&self.kind, situation => situation.seat())
    }

    /// The other side's situations after each play of a roll, in the order in which the plays are
    /// listed.
    pub fn ends(&self, roll: Roll) -> Vec<Self> {
        let worth = self.worth.turned();
        let after = |kind| Self { kind, worth };
        match &self.kind {
            SituationKind::Backgammon(now) => {
                now.ends(roll).map(SituationKind::Backgammon).map(after).collect()
            }
            SituationKind::Plakoto(now) => {
                now.ends(roll).map(SituationKind::Plakoto).map(after).collect()
            }
            SituationKind::Moultezim(now) => {
                now.ends(roll).map(SituationKind::Moultezim).map(after).collect()
            }
            SituationKind::Malaka(now) => {
                now.ends(roll).map(SituationKind::Malaka).map(after).collect()
            }
            SituationKind::Moloko(now) => {
                now.ends(roll).map(SituationKind::Moloko).map(after).collect()
            }
        }
    }

    /// The odds where the game has ended: all is certain then.
    pub fn over(&self) -> Option<Odds> {
        with!(&self.kind, situation => situation.over())
    }

    /// The odds of the end of a race, which need no net: all men of both sides are in their last
    /// quadrants.
    pub fn counted(&self) -> Option<Odds> {
        match &self.kind {
            SituationKind::Backgammon(standing) => standing.counted(),
            SituationKind::Plakoto(standing) => standing.counted(),
            SituationKind::Moultezim(standing) => standing.counted(),
            SituationKind::Malaka(_) | SituationKind::Moloko(_) => None,
        }
    }

    /// Fills in what a net sees of it; returns which of the game's nets that is, if there is one.
    pub fn inputs(&self, inputs: &mut Inputs) -> Option<usize> {
        inputs.clear();
        self.tell(&mut InputEncoder::to(inputs))
    }

    /// Tells what a net sees of it; returns which of the game's nets that is, if there is one.
    pub(super) fn tell(&self, next: &mut impl InputWriter) -> Option<usize> {
        with!(&self.kind, situation => situation.tell(next))
    }

    /// Whether there is a net for it.
    pub(super) fn has_net(&self) -> bool {
        match &self.kind {
            SituationKind::Malaka(walled) => walled.has_net(),
            _ => true,
        }
    }

    /// What is much of each input of a game's nets.
    pub(super) fn scales(game: &str) -> Vec<InputScales> {
        Self::start(game, Seat(0))
            .map(|start| with!(&start.kind, situation => situation.scales()))
            .unwrap_or_default()
    }

    /// The odds by the lead alone, where there is no net.
    pub(crate) fn guess(&self) -> Odds {
        Odds([sigmoid(self.lead() / 15.0), 0.0, 0.0, 0.0, 0.0])
    }

    /// The points that are won on average, for the side to roll.
    pub(crate) fn value(&self, odds: Odds) -> f32 {
        odds.worth(self.worth)
    }

    /// By what the play that led here is told.
    pub(super) fn mark(&self) -> PlayKey {
        with!(&self.kind, situation => situation.mark())
    }

    /// How far the side to roll is ahead in what has still to be gone, for those who know
    /// nothing else.
    pub fn lead(&self) -> f32 {
        with!(&self.kind, situation => situation.lead())
    }

    /// The points by which a play may be worse than the best for levels 1 and 2 to overlook it: so much
    /// that each level wins two of three games from the one below, or some more.
    pub(crate) fn overlooked(&self) -> [f32; 2] {
        match &self.kind {
            SituationKind::Backgammon(_) => [0.25, 0.12],
            SituationKind::Plakoto(_) | SituationKind::Moultezim(_) => [0.5, 0.2],
            SituationKind::Malaka(_) | SituationKind::Moloko(_) => [0.3, 0.1],
        }
    }

    /// Every roll of an ordinary turn, and how likely it is.
    pub fn rolls(&self) -> impl Iterator<Item = (Roll, f32)> + use<> {
        let faces = self.faces();
        let once = 1.0 / (f32::from(faces) * f32::from(faces));
        Throw::new(2, faces).rolls().map(move |roll| match roll {
            Roll::Two(a, b) if a != b => (roll, 2.0 * once),
            _ => (roll, once),
        })
    }

    /// Men of Backgammon on these points, as [`Situation::men`] tells them.
    pub fn of_men(men: [[u8; 25]; 2]) -> Self {
        let side = |points: [u8; 25]| {
            let off = Men::ALL - points.iter().sum::<u8>();
            Board::start(&(1..).zip(points).chain([(OFF, off)]).collect::<Vec<_>>()).men[0]
        };
        let board = Board { men: men.map(side), pinned: [0; 2] };
        Self::new(SituationKind::Backgammon(RaceSituation {
            rules: Backgammon,
            board,
            seat: Seat(0),
        }))
    }

    /// The men of Backgammon on the points 1 to 24 and the bar, those of the side to roll and
    /// those of the other, each by its own points: for comparing with other programs.
    pub fn men(&self) -> Option<[[u8; 25]; 2]> {
        let SituationKind::Backgammon(standing) = &self.kind else { return None };
        let on = |seat: Seat| {
            let men = standing.board.men_of(seat);
            let mut points = 1..;
            [0; 25].map(|_: u8| points.next().map_or(0, |point| men.on(point)))
        };
        Some([on(standing.seat), on(standing.seat.other())])
    }
}
