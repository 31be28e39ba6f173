//! Parsing of plays in the spellings of players.

use super::CorridorTable;
use super::board::{Board, Hop};
use super::geometry::{BoardSize, Direction, Geometry, JUMPS, Point};
use super::plays::{self, Play, hops_from};
use crate::kit::play_search::{self, LegRefusal, Play as _, TakeMark, TurnRules as _, Weight};
use crate::kit::text::TextCursor;
use crate::kit::written_path::{self, PlaceNames};
use crate::kit::{self, Dice, MoveError, NextStep, Roll, Seat, Spot, StepsSoFar, make_steps};

type CorridorLeg = written_path::Leg<Point>;
type CorridorMan = play_search::Man<Point>;

impl PlaceNames for &Geometry {
    type Place = Point;

    const SOMEWHERE: Point = Point::new(0, 0);

    const START: &'static str = "a point such as c3";
    const TARGET: &'static str = "a point such as c3 to go to";
    const DIE: &'static str = "the number of a die, as in c3:2";
    const TIMES: &'static str = "a number, as in c3-c6(2)";
    const REPEATED: &'static str = "an x and a point, as in 3xc3-c6";
    const ARE_NUMBERS: bool = false;

    fn place(self, reader: &mut TextCursor, from: Option<Point>) -> Option<Result<Point, String>> {
        let mut ahead = reader.clone();
        let (file, number) = (ahead.letter()?, ahead.number()?);
        *reader = ahead;
        let rank = u8::try_from(number).ok().and_then(|number| number.checked_sub(1));
        let point = rank.and_then(|rank| self.point(file - b'a', rank));
        Some(point.ok_or_else(|| {
            let name = format!("{}{number}", char::from(file));
            match from {
                None => format!("there is no point {name} on this board"),
                Some(from) => format!("{from}-{name} leaves the board"),
            }
        }))
    }
}

/// Finds the legal play that a text means.
pub(super) fn read(
    table: &CorridorTable,
    seat: Seat,
    roll: Option<Roll>,
    text: &str,
) -> Result<Play, MoveError> {
    written_path::read(table.geometry(), text, roll, |paths| {
        let roll = roll.ok_or(MoveError::NothingToMove)?;
        play_search::find_play(&CorridorTurn::new(table, seat, roll), paths)
    })
}

/// Returns whether a text spells a play, legal or not.
pub(super) fn can_read(table: &CorridorTable, roll: Option<Roll>, text: &str) -> bool {
    written_path::are_spelled(table.geometry(), text, roll)
}

/// Parses a recorded play.
pub(super) fn read_recorded(
    table: &CorridorTable,
    seat: Seat,
    roll: Roll,
    text: &str,
) -> Result<Play, MoveError> {
    let paths = written_path::read_recorded(table.geometry(), text)?;
    play_search::read_recorded(&CorridorTurn::new(table, seat, roll), paths, text)
}

/// Makes the steps of a side's play.
pub(super) fn partial_move(
    table: &CorridorTable,
    seat: Seat,
    roll: Roll,
    steps: &[&str],
) -> Result<StepsSoFar<Board>, MoveError> {
    make_steps(&CorridorTurn::new(table, seat, roll), steps)
}

/// Returns the steps that can begin a side's play.
pub(super) fn first_steps(table: &CorridorTable, seat: Seat, roll: Roll) -> Vec<NextStep> {
    kit::first_steps(&CorridorTurn::new(table, seat, roll))
}

/// Returns the men's paths in a recorded move; the largest board has all points.
pub(super) fn paths(text: &str) -> Vec<Vec<Spot>> {
    let paths = written_path::paths(BoardSize::Twelve.geometry(), text).into_iter();
    paths.map(|path| path.into_iter().map(spot).collect()).collect()
}

fn spot(point: Point) -> Spot {
    Spot::Square(point.file() + 1, point.rank() + 1)
}

/// A side with a roll to play.
struct CorridorTurn<'a> {
    on: &'a Geometry,
    board: &'a Board,
    seat: Seat,
    roll: Roll,
}

impl play_search::TurnRules for CorridorTurn<'_> {
    type Play = Play;
    type State = Board;

    const MARK: TakeMark = TakeMark::Each;

    fn start(&self) -> Board {
        self.board.clone()
    }

    fn dice(&self) -> Dice {
        Dice::new(self.roll)
    }

    fn pass(&self) -> Play {
        Play::default()
    }

    fn name(&self, point: Point) -> String {
        point.to_string()
    }

    fn spot(&self, point: Point) -> Spot {
        spot(point)
    }

    fn movers(&self, at: &Board) -> impl Iterator<Item = Point> {
        at.held(self.seat).iter()
    }

    fn steps<'a>(
        &'a self,
        at: &'a Board,
        left: Dice,
        from: Point,
    ) -> impl Iterator<Item = Hop> + 'a {
        let is_ours = at.stack(from).is_held_by(self.seat);
        is_ours.then(|| hops_from(at, self.on, self.seat, left, from)).into_iter().flatten()
    }

    fn after(&self, at: &Board, hop: Hop) -> Board {
        let mut after = at.clone();
        after.hop(self.seat, hop);
        after
    }

    fn why_not(
        &self,
        at: &Board,
        left: Dice,
        _men: &[CorridorMan],
        man: &CorridorMan,
        leg: CorridorLeg,
    ) -> Option<LegRefusal> {
        let (hop, why) = match leg {
            CorridorLeg::By(die) => {
                (format!("{}:{die}", man.at), self.why_not_by(at, left, man.at, die))
            }
            CorridorLeg::To { point, takes } => {
                let hop = format!("{}{}{point}", man.leg_from, if takes { 'x' } else { '-' });
                (hop, self.why_not_to(at, left, man, point, takes))
            }
        };
        why.map(|(weight, why)| (weight, format!("{hop} cannot be played: {why}")))
    }

    fn plays(&self, most: usize) -> Vec<Play> {
        plays::plays_up_to(most, self.board, self.on, self.seat, self.roll)
    }

    fn listed(&self, end: &Board, made: &Play) -> Play {
        plays::first_to(self.board, self.on, self.seat, self.dice(), (end, made))
    }

    fn falls_short(&self, _ends: &[(Board, Play)], made: &Play, first: &Play) -> String {
        let goes_on = |play: &Play| made.hops().iter().all(|hop| play.hops().contains(hop));
        let example = self.plays(usize::MAX).into_iter().find(goes_on).unwrap_or(*first);
        let (pips, most) = (made.pips(), first.pips());
        format!("that is {pips} of the {most} pips that can be played, for example {example}")
    }
}

impl<'a> CorridorTurn<'a> {
    fn new(table: &'a CorridorTable, seat: Seat, roll: Roll) -> Self {
        Self { on: table.geometry(), board: &table.board, seat, roll }
    }

    /// Explains why no man on a point can move.
    fn why_not_from(&self, board: &Board, from: Point) -> Option<LegRefusal> {
        let stack = board.stack(from);
        if stack.is_held_by(self.seat) {
            let stays = self.on.goal(self.seat).contains(from);
            stays.then(|| (Weight::Rule, format!("men on the goal edge stay, as on {from}")))
        } else if stack.pins() {
            Some((Weight::Rule, format!("your man on {from} is pinned and cannot move")))
        } else {
            Some((Weight::Order, format!("you have no man on {from}")))
        }
    }

    fn why_not_by(&self, board: &Board, left: Dice, from: Point, die: u8) -> Option<LegRefusal> {
        if let Some(why) = self.why_not_from(board, from) {
            return Some(why);
        }
        if !left.has(die) {
            return Some((Weight::Dice, self.dice().lacks(die)));
        }
        let direction = self.on.forward(self.seat, from);
        self.hop(board, from, die).is_none().then(|| match self.on.along(from, direction, die) {
            None => (Weight::Rule, format!("{die} {direction} from {from} leaves the board")),
            Some(to) => self.obstacle(board, from, to),
        })
    }

    fn why_not_to(
        &self,
        board: &Board,
        left: Dice,
        man: &CorridorMan,
        to: Point,
        kills: bool,
    ) -> Option<LegRefusal> {
        let from = man.at;
        if man.is_under_way() {
            return self.why_not_on(board, left, man, to, kills);
        }
        if let Some(why) = self.why_not_from(board, from) {
            return Some(why);
        }
        if from == to {
            return Some((Weight::Rule, "it does not move".into()));
        }
        let Some(direction) = direction_between(from, to) else {
            return Some(self.no_route(board, left, from, to));
        };
        let pips = from.apart(to);
        let hop = left.has(pips).then(|| self.hop_to(board, from, to)).flatten();
        if let Some(hop) = hop {
            return (kills && !hop.kills)
                .then(|| (Weight::Rule, "it kills nothing, so write it with -".into()));
        }
        if let Some(why) = self.wrong_direction(from, to, direction) {
            return Some((Weight::Rule, why));
        }
        if left.has(pips) {
            Some(self.obstacle(board, from, to))
        } else if left.adds_up(pips) {
            Some(self.no_route(board, left, from, to))
        } else {
            Some((Weight::Dice, self.dice().lacks(pips)))
        }
    }

    /// Explains why a man cannot finish its path with one hop, although a die shows the distance.
    fn why_not_on(
        &self,
        board: &Board,
        left: Dice,
        man: &CorridorMan,
        to: Point,
        kills: bool,
    ) -> Option<LegRefusal> {
        let from = man.at;
        let die = from.apart(to);
        let mut reach = self.on.reach(self.seat, from).iter();
        let leads_there = left.has(die) && reach.any(|reach| reach.to == to && reach.die == die);
        if !leads_there {
            return None;
        }
        match self.hop_to(board, from, to) {
            None => {
                let (weight, why) = self.obstacle(board, from, to);
                Some((weight, format!("on {from}-{to} {why}")))
            }
            Some(hop) => (kills && !hop.kills && !man.has_taken)
                .then(|| (Weight::Rule, "it kills nothing, so write it with -".into())),
        }
    }

    /// Explains why a straight line is not a legal path of this side.
    fn wrong_direction(&self, from: Point, to: Point, direction: Direction) -> Option<String> {
        let forward = self.on.forward(self.seat, from);
        let side = ["O", "X"][self.seat.index()];
        let crosses = self.on.walls_between(from, to).count() > 0;
        if direction == forward || (direction == JUMPS[self.seat.index()] && crosses) {
            None
        } else if direction == forward.opposite()
            || direction == JUMPS[self.seat.index()].opposite()
        {
            Some(format!("that is backwards for {side}"))
        } else {
            Some(format!("from {from} {side} goes {forward}"))
        }
    }

    /// Explains why neither a step nor a jump can end on a point at the distance of a die.
    fn obstacle(&self, board: &Board, from: Point, to: Point) -> LegRefusal {
        let walls: Vec<_> = if from.rank() == to.rank() {
            self.on.walls_between(from, to).collect()
        } else {
            Vec::new()
        };
        let jumps = direction_between(from, to) == Some(JUMPS[self.seat.index()]);
        let why = match walls[..] {
            [] => "your opponent holds that point".to_owned(),
            [_, _, ..] => "a jump cannot cross two walls".to_owned(),
            [wall] if !jumps || board.stack(to).is_empty() => {
                let left = b'A' + wall.after_file - 1;
                format!(
                    "a wall stands between {} and {}, and a jump must land on exactly one enemy man",
                    char::from(left),
                    char::from(left + 1)
                )
            }
            [_] => "a jump must land on exactly one enemy man".to_owned(),
        };
        (Weight::Rule, why)
    }

    /// Explains why no sequence of dice leads from a point to another, by the first hop that fails.
    fn no_route(&self, board: &Board, left: Dice, from: Point, to: Point) -> LegRefusal {
        let direction = self.on.forward(self.seat, from);
        let blocked = left
            .numbers()
            .filter(|&die| self.hop(board, from, die).is_none())
            .find_map(|die| self.on.along(from, direction, die));
        match blocked {
            Some(via) if left.count() > 1 => {
                let (_, why) = self.obstacle(board, from, via);
                (Weight::Dice, format!("on {from}-{via} {why}"))
            }
            _ => (Weight::Dice, format!("the dice do not lead from {from} to {to}")),
        }
    }

    /// Returns the hop by a die, whether the die is left or not.
    fn hop(&self, board: &Board, from: Point, die: u8) -> Option<Hop> {
        let only = Dice::new(Roll::One(die));
        hops_from(board, self.on, self.seat, only, from).next()
    }

    /// Returns the hop to a point, whether its die is left or not.
    fn hop_to(&self, board: &Board, from: Point, to: Point) -> Option<Hop> {
        let only = Dice::new(Roll::One(from.apart(to)));
        hops_from(board, self.on, self.seat, only, from).find(|hop| hop.to == to)
    }
}

/// Returns the direction and distance between two points of one file or rank.
fn direction_between(from: Point, to: Point) -> Option<Direction> {
    use std::cmp::Ordering::{Equal, Greater, Less};
    match (to.file().cmp(&from.file()), to.rank().cmp(&from.rank())) {
        (Equal, Greater) => Some(Direction::Up),
        (Equal, Less) => Some(Direction::Down),
        (Greater, Equal) => Some(Direction::Right),
        (Less, Equal) => Some(Direction::Left),
        _ => None,
    }
}
