//! Malaka and Moloko: men move along a walled corridor and win by connection.
//!
//! The two games share everything except a [`Variant`]; `program` plays both. Sources: S0 is the
//! help page of Malaka on the original server (Cameron Browne, 2004), S1 its summary page, S2 the
//! chapter on Moloko in *Connection Games*.

mod board;
mod features;
mod geometry;
mod notation;
mod plays;
mod program;
mod read;

#[cfg(test)]
mod tests;

use crate::bot::{self, GameNets};
use crate::kit::{
    self, Choices, Corridor, Diagram, Dice, DiceOnTable, Evaluation, EvaluationBudget,
    EvaluationUnit, Game, MoveError, Next, NextStep, Outcome, PartialMove, RandomBelow, Roll,
    SearchDepth, Seat, Setting, Spec, Spot, Switch, Throw, View,
};
use board::{Board, Stack};
pub(crate) use features::SideFeatures;
use geometry::{BoardSize, Geometry, PointSet};
use plays::Play;
pub(crate) use program::CorridorSituation;
use std::fmt::Debug;
use std::marker::PhantomData;

/// The setting of players who make forced moves themselves; the server always rolls for them.
pub(crate) const MANUAL: Setting =
    Setting { switch: Switch { help: "you make forced moves yourself", ..WORD }, ..kit::MANUAL };
const WORD: Switch = kit::MANUAL.switch;

/// What differs between the games of this family.
pub(crate) trait Variant: Clone + Eq + Debug + Send + 'static {
    /// The game's declaration.
    const SPEC: Spec;

    /// See [`Situation::overlooked`](bot::Situation::overlooked).
    const OVERLOOKED: &'static [f32];

    /// Returns the rule by which a side wins after its own play, before connection is tested.
    fn wins_at_once(_after: &CorridorTable, _mover: Seat) -> Option<&'static str> {
        None
    }

    /// Returns the rule by which the game is drawn because nobody can win any more.
    fn is_drawn(_after: &CorridorTable) -> Option<&'static str> {
        None
    }

    /// Returns the nets of the levels on the small board.
    fn nets() -> &'static GameNets;
}

/// A board and its dice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CorridorTable {
    size: BoardSize,
    faces: u8,
    board: Board,
}

impl CorridorTable {
    fn geometry(&self) -> &'static Geometry {
        self.size.geometry()
    }

    /// Returns the empty table: the small board has dice of four faces, the large one dice of six,
    /// unless the options say otherwise (S0).
    fn empty(options: &Choices) -> Self {
        let large = options.has("large");
        let six = if large { !options.has("d4") } else { options.has("d6") };
        let faces = if six { 6 } else { 4 };
        let size = if large { BoardSize::Twelve } else { BoardSize::Nine };
        Self { size, faces, board: Board::EMPTY }
    }

    /// Returns the start: two men on each point of two rows, or of three with `many` (S0).
    ///
    /// A row is the line at the back of a leg of the corridor: the home edge, the file at the back
    /// of the next leg, and (ours) the line at the back of the third. With `no_stagger` the rows
    /// are behind each other at home. X's men are O's men after a half turn.
    fn set_up(options: &Choices) -> Self {
        let mut table = Self::empty(options);
        let on = table.geometry();
        let k = on.subarea();
        let rows = if options.has("many") { 3 } else { 2 };
        for (row, i) in (0..rows).flat_map(|row| (0..k).map(move |i| (row, i))) {
            let (file, rank) = match row {
                _ if options.has("no_stagger") => (i, row),
                0 => (i, 0),
                1 => (0, 2 * k + i),
                _ => (k + i, 3 * k - 1),
            };
            let point = on.point(file, rank).expect("rows stand on the board");
            table.board.put(point, Stack::new(Seat(0), 2, false));
            table.board.put(on.turned(point), Stack::new(Seat(1), 2, false));
        }
        table
    }

    /// Returns whether a side has pinned an enemy man on that man's home edge.
    pub(crate) fn pins_at_home(&self, seat: Seat) -> bool {
        self.board.pins(seat).intersection(self.geometry().goal(seat)) != PointSet::NONE
    }

    /// Returns whether a side could hop with some dice.
    pub(crate) fn can_ever_move(&self, seat: Seat) -> bool {
        (1..=self.faces).any(|die| {
            plays::can_hop(&self.board, self.geometry(), seat, Dice::new(Roll::One(die)))
        })
    }
}

/// What a position waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// A roll of this many dice.
    Throw(u8),
    /// A play of this roll, smaller die first.
    Play(Roll),
    /// Nothing: the game is over.
    Over(Outcome),
}

/// A position of Malaka or Moloko.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Position<V> {
    table: CorridorTable,
    /// The side on turn, or the next one if the game went on.
    seat: Seat,
    phase: Phase,
    variant: PhantomData<V>,
}

impl<V: Variant> Position<V> {
    /// Returns the position after a complete play of the other side. The play is judged as a whole;
    /// what the mover has achieved comes first (S0, S2).
    fn after_play(table: CorridorTable, mover: Seat) -> Self {
        let won = |by, reason| Phase::Over(Outcome::Won { by, points: 1, reason });
        let by_connection =
            Self::connected(&table, mover).map(|reason| won(mover, reason)).or_else(|| {
                Self::connected(&table, mover.other()).map(|reason| won(mover.other(), reason))
            });
        let phase = V::wins_at_once(&table, mover)
            .map(|reason| won(mover, reason))
            .or(by_connection)
            .or_else(|| V::is_drawn(&table).map(|reason| Phase::Over(Outcome::Drawn { reason })))
            .unwrap_or(Phase::Throw(2));
        Self { table, seat: mover.other(), phase, variant: PhantomData }
    }

    /// Returns the rule by which a side has won by connection. A side whose last man was killed has
    /// nothing left to connect (S2).
    fn connected(table: &CorridorTable, seat: Seat) -> Option<&'static str> {
        if !table.board.is_connected(table.geometry(), seat) {
            None
        } else if table.board.men(seat) == 0 {
            Some("by having no man left to connect")
        } else {
            Some("by connecting all remaining men to the goal edge")
        }
    }

    /// Returns the dice to play, if any.
    fn roll_to_play(&self) -> Option<Roll> {
        match self.phase {
            Phase::Play(roll) => Some(roll),
            Phase::Throw(_) | Phase::Over(_) => None,
        }
    }
}

impl<V: Variant> Game for Position<V> {
    type Move = Play;

    const SPEC: Spec = V::SPEC;

    /// O begins, with a single die (S0, S2).
    fn setup(options: &Choices) -> Self {
        Self {
            table: CorridorTable::set_up(options),
            seat: Seat(0),
            phase: Phase::Throw(1),
            variant: PhantomData,
        }
    }

    fn place(options: &Choices, notation: &str) -> Result<Self, String> {
        Self::from_notation(options, notation)
    }

    fn notation(&self) -> String {
        self.to_notation()
    }

    fn next(&self) -> Next {
        match self.phase {
            Phase::Throw(1) => Next::Roll(Throw::new(1, self.table.faces)),
            Phase::Throw(dice) => Next::Ready(self.seat, Throw::new(dice, self.table.faces)),
            Phase::Play(_) => Next::Move(self.seat),
            Phase::Over(outcome) => Next::Over(outcome),
        }
    }

    /// Nothing can be said before a roll.
    fn asks_to_roll(&self) -> bool {
        false
    }

    fn automatic_move(&self, settings: &Choices) -> Option<Play> {
        let roll = self.roll_to_play()?;
        let only = plays::only_play(&self.table.board, self.table.geometry(), self.seat, roll)?;
        // Players by hand need not pass.
        (only.hops().is_empty() || !settings.has(MANUAL.switch.name)).then_some(only)
    }

    fn moves(&self) -> Vec<Play> {
        self.moves_up_to(usize::MAX)
    }

    fn moves_up_to(&self, most: usize) -> Vec<Play> {
        self.roll_to_play().map_or_else(Vec::new, |roll| {
            plays::plays_up_to(most, &self.table.board, self.table.geometry(), self.seat, roll)
        })
    }

    fn can_read(&self, text: &str) -> bool {
        read::can_read(&self.table, self.roll_to_play(), text)
    }

    fn read(&self, text: &str) -> Result<Play, MoveError> {
        read::read(&self.table, self.seat, self.roll_to_play(), text)
    }

    fn partial_move(&self, view: &View, steps: &[&str]) -> Result<PartialMove, MoveError> {
        let Some(roll) = self.roll_to_play() else { return kit::whole_moves(self, view, steps) };
        let making = read::partial_move(&self.table, self.seat, roll, steps)?;
        let mut after = self.clone();
        after.table.board = making.at.clone();
        Ok(making.on(after.diagram(view)))
    }

    fn first_steps(&self, _view: &View) -> Vec<NextStep> {
        let steps = |roll| read::first_steps(&self.table, self.seat, roll);
        self.roll_to_play().map_or_else(Vec::new, steps)
    }

    fn paths(text: &str) -> Vec<Vec<Spot>> {
        read::paths(text)
    }

    fn read_recorded(&self, text: &str) -> Result<Play, MoveError> {
        let roll = self.roll_to_play().ok_or(MoveError::NothingToMove)?;
        read::read_recorded(&self.table, self.seat, roll, text)
    }

    fn play(&mut self, play: &Play) {
        let mut table = self.table.clone();
        play.hops().iter().for_each(|&hop| table.board.hop(self.seat, hop));
        *self = Self::after_play(table, self.seat);
    }

    fn roll(&mut self, roll: Roll) {
        self.phase = Phase::Play(roll.lower_first());
    }

    fn choose(&self, level: u8, below: RandomBelow) -> Option<Play> {
        let (roll, before) = self.before_roll()?;
        let chosen = bot::choose(&before.situation(), roll, level, below);
        self.moves().into_iter().nth(chosen)
    }

    fn evaluation_unit(&self) -> Option<EvaluationUnit> {
        bot::can_judge(&self.situation()).then_some(EvaluationUnit::Chances)
    }

    fn evaluate(
        &self,
        which: Option<&[usize]>,
        look: SearchDepth,
        effort: &mut EvaluationBudget,
    ) -> Option<Vec<Evaluation>> {
        let (roll, before) = self.before_roll()?;
        Some(bot::evaluate((&before.situation(), roll), which, look, effort))
    }

    fn luck(&self, roll: Roll, effort: &mut EvaluationBudget) -> Option<(Seat, f32)> {
        let luck = || bot::luck(&self.situation(), roll, effort);
        (self.phase == Phase::Throw(2)).then(luck).map(|luck| (self.seat, luck))
    }

    fn diagram(&self, _view: &View) -> Diagram {
        let on = self.table.geometry();
        let by_rank = |rank| (0..on.size()).filter_map(move |file| on.point(file, rank));
        Diagram::Corridor(Corridor {
            size: on.size(),
            piles: (0..on.size())
                .flat_map(by_rank)
                .map(|point| self.table.board.stack(point).into())
                .collect(),
            walls: on.walls().to_vec(),
            connection: Seat::BOTH.map(|seat| self.table.board.distance(on, seat)),
            dice: self.roll_to_play().map(|roll| DiceOnTable::new(self.table.faces, roll)),
        })
    }
}

impl<V: Variant> Position<V> {
    /// Returns the situation for the program.
    fn situation(&self) -> CorridorSituation<V> {
        CorridorSituation::new(self.clone())
    }
}
