//! What players write, and the play they mean by it.
//!
//! Reading takes two steps: the spelling alone gives [`Journey`]s, and then every order of
//! their hops and every route between their points is tried on the board.

use super::Table;
use super::board::{Board, Hop};
use super::geometry::{Geometry, JUMPS, Point, Way};
use super::plays::{Dice, Play, hops_from};
use crate::kit::text::{self, Places, Reader};
use crate::kit::{MoveError, Roll, Seat};

type Journey = text::Journey<Point>;
type Leg = text::Leg<Point>;

impl Places for &Geometry {
    type Place = Point;

    const SOMEWHERE: Point = Point::new(0, 0);

    const START: &'static str = "a point such as c3";
    const TARGET: &'static str = "a point such as c3 to go to";
    const DIE: &'static str = "the number of a die, as in c3:2";
    const TIMES: &'static str = "a number, as in c3-c6(2)";
    const REPEATED: &'static str = "an x and a point, as in 3xc3-c6";
    const ARE_NUMBERS: bool = false;

    fn place(self, reader: &mut Reader, from: Option<Point>) -> Option<Result<Point, String>> {
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

/// The legal play that a text means.
pub(super) fn read(
    table: &Table,
    seat: Seat,
    roll: Option<Roll>,
    text: &str,
    legal: &[Play],
) -> Result<Play, MoveError> {
    let on = table.geometry();
    text::read_journeys(on, text, roll, |journeys| found(table, seat, roll, journeys, legal))
}

/// The legal play that journeys mean.
fn found(
    table: &Table,
    seat: Seat,
    roll: Option<Roll>,
    journeys: Vec<Journey>,
    legal: &[Play],
) -> Result<Play, MoveError> {
    let roll = roll.ok_or(MoveError::NothingToMove)?;
    let on = table.geometry();
    let Some(first) = legal.first() else { return Err(MoveError::NothingToMove) };
    match (journeys.is_empty(), first.hops().is_empty()) {
        (true, true) => return Ok(*first),
        (true, false) => {
            return Err(MoveError::Illegal(format!(
                "you can move, so you may not pass: for example {first}"
            )));
        }
        (false, true) => {
            return Err(MoveError::Illegal("no man can move this time, so you must pass".into()));
        }
        (false, false) => {}
    }
    let dice = Dice::new(roll);
    let mut reading = Reading { on, seat, dice, ends: Vec::new(), hurdle: None };
    // With more journeys than dice some must fail; one too many is enough to find out which.
    let told = journeys.into_iter().take(usize::from(dice.count()) + 1);
    let men: Vec<Man> = told.map(Man::new).collect();
    reading.follow(&table.board, dice, &men, Play::default());
    reading.choose(&table.board, legal)
}

/// The play that a record wrote as `text`: each hop is checked, but no other plays are listed.
pub(super) fn recall(table: &Table, seat: Seat, roll: Roll, text: &str) -> Result<Play, MoveError> {
    let on = table.geometry();
    let mut board = table.board.clone();
    let mut dice = Dice::new(roll);
    let mut play = Play::default();
    for journey in text::recalled(on, text)? {
        let [Leg::To { point, .. }] = journey.legs[..] else { return Err(not_canonical(text)) };
        let hop = Some(journey.from)
            .filter(|&from| board.stack(from).is_held_by(seat))
            .and_then(|from| hops_from(&board, on, seat, dice, from).find(|hop| hop.to == point))
            .ok_or_else(|| {
                MoveError::Illegal(format!("{}-{point} cannot be played", journey.from))
            })?;
        board.hop(seat, hop);
        dice = dice.without(hop.die());
        play = play.and(hop);
    }
    if play.to_string() == text { Ok(play) } else { Err(not_canonical(text)) }
}

fn not_canonical(text: &str) -> MoveError {
    MoveError::Illegal(format!("`{text}` is not how a record writes a move"))
}

/// A man on his journey.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Man {
    at: Point,
    /// Where the leg began on which he is.
    leg_from: Point,
    /// Whether he has killed on this leg.
    has_killed: bool,
    legs: Vec<Leg>,
    done: usize,
}

impl Man {
    fn new(journey: Journey) -> Self {
        let from = journey.from;
        Self { at: from, leg_from: from, has_killed: false, legs: journey.legs, done: 0 }
    }

    fn leg(&self) -> Option<Leg> {
        self.legs.get(self.done).copied()
    }

    /// What remains when he has hopped; nothing if the hop goes past what is written.
    fn after(&self, hop: Hop) -> Option<Self> {
        let mut man = self.clone();
        man.at = hop.to;
        man.has_killed |= hop.kills;
        let arrives = match self.leg()? {
            Leg::By(die) if die != hop.die() => return None,
            Leg::By(_) => true,
            Leg::To { point, takes: kills } => {
                if point == hop.to && kills && !man.has_killed {
                    return None;
                }
                point == hop.to
            }
        };
        if arrives {
            man.leg_from = hop.to;
            man.has_killed = false;
            man.done += 1;
        }
        Some(man)
    }
}

/// How much a reason why something cannot be played says: the more, the higher.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Weight {
    /// Another step may be needed first.
    Order,
    /// The dice do not show it.
    Dice,
    /// A rule of the board forbids it.
    Rule,
}

/// Why a leg cannot be played.
type Why = (Weight, String);

/// All that a text can mean.
struct Reading<'a> {
    on: &'a Geometry,
    seat: Seat,
    /// The whole roll.
    dice: Dice,
    /// The boards at which it ends, with the hops made.
    ends: Vec<(Board, Play)>,
    /// What stood in the way, and how many legs were done by then.
    hurdle: Option<((Weight, usize), String)>,
}

impl Reading<'_> {
    /// Lets each man hop on in turn until all have arrived.
    fn follow(&mut self, board: &Board, left: Dice, men: &[Man], made: Play) {
        if men.iter().all(|man| man.leg().is_none()) {
            if !self.ends.iter().any(|(end, known)| *known == made && end == board) {
                self.ends.push((board.clone(), made));
            }
            return;
        }
        for (i, man) in men.iter().enumerate() {
            let Some(leg) = man.leg() else { continue };
            if men[..i].contains(man) {
                continue;
            }
            self.note_hurdle(board, left, men, man, leg);
            if !board.stack(man.at).is_held_by(self.seat) {
                continue;
            }
            for hop in hops_from(board, self.on, self.seat, left, man.at) {
                let Some(moved) = man.after(hop) else { continue };
                let mut men = men.to_vec();
                men[i] = moved;
                let mut after = board.clone();
                after.hop(self.seat, hop);
                self.follow(&after, left.without(hop.die()), &men, made.and(hop));
            }
        }
    }

    /// Remembers why a man cannot do his leg now, if that says more than what is remembered.
    fn note_hurdle(&mut self, board: &Board, left: Dice, men: &[Man], man: &Man, leg: Leg) {
        let done = men.iter().map(|man| man.done).sum();
        if let Some((weight, why)) = self.why_not(board, left, man, leg) {
            let rank = (weight, done);
            if self.hurdle.as_ref().is_none_or(|(known, _)| rank > *known) {
                self.hurdle = Some((rank, why));
            }
        }
    }

    /// Why a man cannot do his leg by one hop.
    fn why_not(&self, board: &Board, left: Dice, man: &Man, leg: Leg) -> Option<Why> {
        let from = man.at;
        let (step, result) = match leg {
            Leg::By(die) => (format!("{from}:{die}"), self.why_not_by(board, left, from, die)),
            Leg::To { point, takes: kills } => {
                let sign = if kills { 'x' } else { '-' };
                (
                    format!("{}{sign}{point}", man.leg_from),
                    self.why_not_to(board, left, man, point, kills),
                )
            }
        };
        result.map(|(weight, why)| (weight, format!("{step} cannot be played: {why}")))
    }

    /// Why the man on a point cannot move at all.
    fn why_not_from(&self, board: &Board, from: Point) -> Option<Why> {
        let stack = board.stack(from);
        if stack.is_held_by(self.seat) {
            let stays = self.on.goal(self.seat).contains(from);
            stays.then(|| (Weight::Rule, format!("men on the goal edge stay, as on {from}")))
        } else if stack.pins() {
            Some((Weight::Rule, format!("your man on {from} is pinned and cannot move")))
        } else {
            Some((Weight::Order, format!("there is no man of yours on {from}")))
        }
    }

    fn why_not_by(&self, board: &Board, left: Dice, from: Point, die: u8) -> Option<Why> {
        if let Some(why) = self.why_not_from(board, from) {
            return Some(why);
        }
        if !left.has(die) {
            return Some(self.no_die(die));
        }
        let way = self.on.forward(self.seat, from);
        self.hop(board, from, die).is_none().then(|| match self.on.along(from, way, die) {
            None => (Weight::Rule, format!("{die} {way} from {from} leaves the board")),
            Some(to) => self.obstacle(board, from, to),
        })
    }

    fn why_not_to(
        &self,
        board: &Board,
        left: Dice,
        man: &Man,
        to: Point,
        kills: bool,
    ) -> Option<Why> {
        let from = man.at;
        if from != man.leg_from {
            return self.why_not_on(board, left, man, to, kills);
        }
        if let Some(why) = self.why_not_from(board, from) {
            return Some(why);
        }
        if from == to {
            return Some((Weight::Rule, "it goes nowhere".into()));
        }
        let Some(way) = way_between(from, to) else {
            return Some(self.no_route(board, left, from, to));
        };
        let pips = from.apart(to);
        let hop = left.has(pips).then(|| self.hop_to(board, from, to)).flatten();
        if let Some(hop) = hop {
            return (kills && !hop.kills)
                .then(|| (Weight::Rule, "it kills nothing, so write it with -".into()));
        }
        if let Some(why) = self.wrong_way(from, to, way) {
            return Some((Weight::Rule, why));
        }
        if left.has(pips) {
            Some(self.obstacle(board, from, to))
        } else if adds_up(left, pips) {
            Some(self.no_route(board, left, from, to))
        } else {
            Some(self.no_die(pips))
        }
    }

    /// Why a man who is on his way cannot end it with one hop, if a die is there for that.
    fn why_not_on(
        &self,
        board: &Board,
        left: Dice,
        man: &Man,
        to: Point,
        kills: bool,
    ) -> Option<Why> {
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
            Some(hop) => (kills && !hop.kills && !man.has_killed)
                .then(|| (Weight::Rule, "it kills nothing, so write it with -".into())),
        }
    }

    /// Why a straight way is none for this side's men.
    fn wrong_way(&self, from: Point, to: Point, way: Way) -> Option<String> {
        let forward = self.on.forward(self.seat, from);
        let side = ["O", "X"][self.seat.index()];
        let crosses = self.on.walls_between(from, to).count() > 0;
        if way == forward || (way == JUMPS[self.seat.index()] && crosses) {
            None
        } else if way == forward.opposite() || way == JUMPS[self.seat.index()].opposite() {
            Some(format!("that is backwards for {side}"))
        } else {
            Some(format!("from {from} {side} goes {forward}"))
        }
    }

    /// Why neither a step nor a jump can end on that point, to which a die would lead.
    fn obstacle(&self, board: &Board, from: Point, to: Point) -> Why {
        let walls: Vec<_> = if from.rank() == to.rank() {
            self.on.walls_between(from, to).collect()
        } else {
            Vec::new()
        };
        let jumps = way_between(from, to) == Some(JUMPS[self.seat.index()]);
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

    /// Why no sequence of the dice leads from one point to another: the first hop that fails.
    fn no_route(&self, board: &Board, left: Dice, from: Point, to: Point) -> Why {
        let way = self.on.forward(self.seat, from);
        let blocked = left
            .numbers()
            .filter(|&die| self.hop(board, from, die).is_none())
            .find_map(|die| self.on.along(from, way, die));
        match blocked {
            Some(via) if left.count() > 1 => {
                let (_, why) = self.obstacle(board, from, via);
                (Weight::Dice, format!("on {from}-{via} {why}"))
            }
            _ => (Weight::Dice, format!("the dice do not lead from {from} to {to}")),
        }
    }

    fn no_die(&self, pips: u8) -> Why {
        let why = if self.dice.has(pips) {
            format!("the {pips} is used already")
        } else {
            format!("no die shows {pips}")
        };
        (Weight::Dice, why)
    }

    /// A hop by a die, whether it is left or not.
    fn hop(&self, board: &Board, from: Point, die: u8) -> Option<Hop> {
        let only = Dice::new(Roll::One(die));
        hops_from(board, self.on, self.seat, only, from).next()
    }

    /// The hop to a point, whether its die is left or not.
    fn hop_to(&self, board: &Board, from: Point, to: Point) -> Option<Hop> {
        let only = Dice::new(Roll::One(from.apart(to)));
        hops_from(board, self.on, self.seat, only, from).find(|hop| hop.to == to)
    }

    /// The one legal play among the ends, or why there is none.
    fn choose(self, start: &Board, legal: &[Play]) -> Result<Play, MoveError> {
        let meant: Vec<Play> =
            legal.iter().filter_map(|play| self.as_written(start, play)).collect();
        match meant[..] {
            [only] => Ok(only),
            [_, _, ..] => Err(MoveError::Ambiguous(meant.iter().map(Play::to_string).collect())),
            [] => Err(MoveError::Illegal(self.refusal(legal))),
        }
    }

    /// A legal play by the way in which the text leads to its end, if it does. Of all plays that
    /// come to the same the legal one is the first; so that is it unless the text says otherwise.
    fn as_written(&self, start: &Board, play: &Play) -> Option<Play> {
        let mut after = start.clone();
        play.hops().iter().for_each(|&hop| after.hop(self.seat, hop));
        let ways = || {
            let made = self.ends.iter().filter(|(end, _)| *end == after).map(|(_, made)| made);
            made.filter(|made| made.pips() == play.pips())
        };
        if ways().any(|made| made.in_order() == play.in_order()) {
            return Some(*play);
        }
        ways().min().copied()
    }

    fn refusal(self, legal: &[Play]) -> String {
        let Some((_, made)) = self.ends.iter().max_by_key(|(_, made)| made.pips()) else {
            return self.hurdle.map_or_else(
                || "the dice do not lead along these points".to_owned(),
                |(_, why)| why,
            );
        };
        let example = legal
            .iter()
            .find(|play| made.hops().iter().all(|hop| play.hops().contains(hop)))
            .or(legal.first())
            .map_or_else(String::new, |play| format!(", for example {play}"));
        let most = legal.first().map_or(0, Play::pips);
        format!("that is {} of the {most} pips that can be played{example}", made.pips())
    }
}

/// The way from one point to another of its file or rank.
fn way_between(from: Point, to: Point) -> Option<Way> {
    use std::cmp::Ordering::{Equal, Greater, Less};
    match (to.file().cmp(&from.file()), to.rank().cmp(&from.rank())) {
        (Equal, Greater) => Some(Way::Up),
        (Equal, Less) => Some(Way::Down),
        (Greater, Equal) => Some(Way::Right),
        (Less, Equal) => Some(Way::Left),
        _ => None,
    }
}

/// Whether two or more of the dice left add up to that.
fn adds_up(left: Dice, pips: u8) -> bool {
    (left.count() > 1)
        && match left.numbers().collect::<Vec<_>>()[..] {
            [one] => pips.is_multiple_of(one) && (2..=left.count()).contains(&(pips / one)),
            [one, other] => pips == one + other,
            _ => false,
        }
}
