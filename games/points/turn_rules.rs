//! The steps of a side with a roll to play, and explanations of illegal steps.

use super::board::{BAR, Board, LAST, OFF, PointMask, between, down, highest};
use super::plays::{Play, PlayState, Step, Turn, play_to, plays_up_to};
use super::{Numbers, Race, SIDES, drawn, numbered};
use crate::kit::play_search::{self, LegRefusal, Play as _, TakeMark, TurnRules as _, Weight};
use crate::kit::written_path;
use crate::kit::{Dice, Roll, Seat, Spot, View};
use std::marker::PhantomData;

type RacePath = written_path::WrittenPath<u8>;
type RaceLeg = written_path::Leg<u8>;
type RaceMan = play_search::Man<u8>;

/// The reason why a step is impossible.
#[derive(Clone, Debug)]
enum HindranceCause {
    /// The other side holds this own point.
    Blocked(u8),
    /// Any other reason, in words.
    Words(String),
}

impl HindranceCause {
    fn words(why: &str) -> Self {
        Self::Words(why.to_owned())
    }
}

/// Converts an own point to a place of the drawn board.
pub(super) fn spot(numbers: Numbers, point: u8) -> Spot {
    match point {
        OFF => Spot::Off,
        BAR => Spot::Bar,
        point => Spot::Point(numbers.written(point)),
    }
}

/// A reason and how informative it is.
type Hindrance = (Weight, HindranceCause);

/// A side with a roll to play.
pub(super) struct RaceTurn<'a, R> {
    /// The numbering in the viewer's notation.
    numbers: Numbers,
    /// The numbering in the viewer's diagram.
    drawn: Numbers,
    board: &'a Board,
    seat: Seat,
    roll: Roll,
    turn: Turn,
    race: PhantomData<R>,
}

impl<R: Race> play_search::TurnRules for RaceTurn<'_, R> {
    type Play = Play;
    type State = PlayState;

    const MARK: TakeMark = TakeMark::One;

    fn start(&self) -> PlayState {
        self.turn.start
    }

    /// The larger die is tried first.
    fn dice(&self) -> Dice {
        Dice::new(self.roll.higher_first())
    }

    fn pass(&self) -> Play {
        Play::pass(self.numbers)
    }

    fn name(&self, point: u8) -> String {
        self.numbers.name(point)
    }

    fn spot(&self, point: u8) -> Spot {
        spot(self.drawn, point)
    }

    fn movers(&self, at: &PlayState) -> impl Iterator<Item = u8> {
        down(at.men.in_play())
    }

    fn steps<'a>(
        &'a self,
        at: &'a PlayState,
        left: Dice,
        from: u8,
    ) -> impl Iterator<Item = Step> + 'a {
        let can = move |die: &u8| self.turn.steps::<R>(at, *die) >> from & 1 == 1;
        left.numbers().filter(can).map(move |die| self.turn.step(at.hits, from, die))
    }

    fn after(&self, at: &PlayState, step: Step) -> PlayState {
        self.turn.after(at, step.from, step.die)
    }

    fn is_past(at: u8, point: u8) -> bool {
        at < point
    }

    fn why_not(
        &self,
        at: &PlayState,
        left: Dice,
        men: &[RaceMan],
        man: &RaceMan,
        leg: RaceLeg,
    ) -> Option<LegRefusal> {
        let (step, why) = match leg {
            RaceLeg::By(die) => {
                (format!("{}:{die}", self.name(man.at)), self.why_not_by(at, left, man.at, die))
            }
            RaceLeg::To { point, takes } => {
                let hit = if takes { "*" } else { "" };
                let step = format!("{}-{}{hit}", self.name(man.leg_from), self.name(point));
                (step, self.why_not_to(at, left, man, point, takes))
            }
        };
        let (weight, cause) = why?;
        // Another man may have used the die that was meant for this man.
        let is_doubtful = weight == Weight::Dice && men.iter().any(RaceMan::is_under_way);
        let why = match cause {
            HindranceCause::Blocked(via) => format!("{step} is blocked: {}", self.held(via)),
            HindranceCause::Words(why) => format!("{step} cannot be played: {why}"),
        };
        Some((if is_doubtful { Weight::Order } else { weight }, why))
    }

    fn why_not_end(&self, end: &PlayState) -> Option<String> {
        let rule = self.turn.forbids_end::<R>(end)?;
        // It binds only where another play keeps it; then the list has no such end.
        let is_listed = play_to::<R>(self.board, self.seat, self.roll, end).is_some();
        (!is_listed).then(|| rule.to_owned())
    }

    fn plays(&self, most: usize) -> Vec<Play> {
        let plays = plays_up_to::<R>(most, self.board, self.seat, self.roll);
        plays.into_iter().map(|play| play.by(self.numbers)).collect()
    }

    fn listed(&self, end: &PlayState, made: &Play) -> Play {
        let play = play_to::<R>(self.board, self.seat, self.roll, end);
        play.map_or(*made, |play| play.by(self.numbers))
    }

    fn falls_short(&self, ends: &[(PlayState, Play)], made: &Play, first: &Play) -> String {
        let most = first.pips();
        let whole = |(at, made): &(PlayState, Play)| {
            let steps = made.steps().iter();
            let left = steps.fold(self.dice(), |left, step| left.without(step.die));
            let whole = self.whole(at, left, *made, most);
            whole.map(|whole| (*made, whole))
        };
        if let Some((made, whole)) = ends.iter().find_map(whole) {
            match whole.steps()[made.steps().len()..] {
                [step] => return format!("the {} can be played too: {whole}", step.die),
                [step, .., _] => {
                    let more = whole.steps().len() - made.steps().len();
                    return format!("{more} more {}s can be played: {whole}", step.die);
                }
                [] => {}
            }
        }
        if self.dice().numbers().next() == Some(most) {
            return format!("the larger die must be played because it can be: {first}");
        }
        format!("that is {} of the {most} pips that can be played: {first}", made.pips())
    }
}

impl<'a, R: Race> RaceTurn<'a, R> {
    pub(super) fn new(numbers: Numbers, board: &'a Board, seat: Seat, roll: Roll) -> Self {
        let turn = Turn::new::<R>(board, seat).rolled::<R>(roll);
        Self { numbers, drawn: numbers, board, seat, roll, turn, race: PhantomData }
    }

    /// Creates the rules for a viewer's notation and diagram.
    pub(super) fn seen(view: &View, board: &'a Board, seat: Seat, roll: Roll) -> Self {
        let [numbers, drawn] = [numbered::<R>(view), drawn::<R>(view)].map(|of| of[seat.index()]);
        Self { drawn, ..Self::new(numbers, board, seat, roll) }
    }

    /// Adds the missing end of each path. Of the points that stand alone, as many as there are men
    /// on the bar are entries from it; the others bear a man off.
    pub(super) fn completed(&self, mut paths: Vec<RacePath>) -> Vec<RacePath> {
        let mut entering = self.turn.start.men.on(BAR);
        for path in paths.iter_mut().filter(|path| path.legs.is_empty()) {
            let (point, takes) = (path.from, path.is_marked);
            if entering > 0 {
                entering -= 1;
                (path.from, path.legs) = (BAR, vec![RaceLeg::To { point, takes }]);
            } else {
                path.legs = vec![RaceLeg::To { point: OFF, takes }];
            }
        }
        paths
    }

    fn names(&self, set: PointMask) -> String {
        down(set).map(|point| self.name(point)).collect::<Vec<_>>().join(", ")
    }

    /// Explains why no man on a point can move.
    fn why_not_from(&self, at: &PlayState, from: u8) -> Option<Hindrance> {
        let on_bar = at.men.on(BAR) > 0;
        if from == OFF {
            Some((Weight::Rule, HindranceCause::words("men who are off stay off")))
        } else if from == BAR && !on_bar {
            Some((Weight::Order, HindranceCause::words("you have no man on the bar")))
        } else if at.men.on(from) == 0 {
            let why = format!("you have no man on {}", self.name(from));
            Some((Weight::Order, HindranceCause::Words(why)))
        } else if self.turn.pinned >> from & 1 == 1 {
            let why = format!("your man on {} is pinned", self.name(from));
            Some((Weight::Rule, HindranceCause::Words(why)))
        } else if let Some(rule) = self.turn.holds(at, from) {
            Some((Weight::Rule, HindranceCause::words(rule)))
        } else if on_bar && from != BAR {
            Some((Weight::Order, HindranceCause::words("your man on the bar must enter first")))
        } else {
            None
        }
    }

    fn why_not_by(&self, at: &PlayState, left: Dice, from: u8, die: u8) -> Option<Hindrance> {
        self.why_not_from(at, from).or_else(|| {
            if left.has(die) {
                self.obstacle(at, from, die)
            } else {
                Some((Weight::Dice, HindranceCause::Words(self.dice().lacks(die))))
            }
        })
    }

    fn why_not_to(
        &self,
        at: &PlayState,
        left: Dice,
        man: &RaceMan,
        to: u8,
        hits: bool,
    ) -> Option<Hindrance> {
        let from = man.at;
        let under_way = man.is_under_way();
        if let Some(why) = self.why_not_from(at, from) {
            return (!under_way).then_some(why);
        }
        if from <= to {
            return Some((Weight::Rule, self.wrong_direction(from, to)));
        }
        let leads_there = |&die: &u8| from.saturating_sub(die) == to;
        let direct: Vec<u8> = left.numbers().filter(leads_there).collect();
        let can = |&&die: &&u8| self.turn.steps::<R>(at, die) >> from & 1 == 1;
        if let Some(&die) = direct.iter().find(can) {
            let claims = hits && !self.turn.step(at.hits, from, die).hits;
            let why = HindranceCause::words("it hits nothing, so write it without *");
            return claims.then_some((Weight::Rule, why));
        }
        // Several dice lead only off the board, and all of them fail for the same reason.
        if let Some(&die) = direct.first() {
            let (weight, cause) = self.obstacle(at, from, die)?;
            return Some((
                weight,
                if under_way { self.on_the_way(from, to, cause) } else { cause },
            ));
        }
        if under_way {
            return None;
        }
        let pips = from - to;
        let can_be_off = to == OFF && left.count() > 1 && left.pips() >= pips;
        if can_be_off || left.adds_up(pips) {
            return self.no_route(at, left, from);
        }
        let cause = if to == OFF {
            HindranceCause::Words(format!("no die left shows {pips} or more"))
        } else {
            HindranceCause::Words(self.dice().lacks(pips))
        };
        Some((Weight::Dice, cause))
    }

    /// Explains why a man cannot go to a point behind it.
    fn wrong_direction(&self, from: u8, to: u8) -> HindranceCause {
        if from == to {
            return HindranceCause::words("it does not move");
        }
        HindranceCause::Words(format!(
            "{} goes {}",
            SIDES[self.seat.index()],
            self.numbers.direction()
        ))
    }

    /// Explains why a man that may move cannot make a step by this die, if it cannot.
    fn obstacle(&self, at: &PlayState, from: u8, die: u8) -> Option<Hindrance> {
        if self.turn.steps::<R>(at, die) >> from & 1 == 1 {
            return None;
        }
        let to = from.saturating_sub(die);
        if to != OFF {
            return Some(if self.turn.closed >> to & 1 == 1 {
                (Weight::Rule, HindranceCause::Blocked(to))
            } else {
                let rule = R::forbids(&self.turn.after(at, from, die).men, &self.turn.other);
                (Weight::Order, HindranceCause::words(rule.unwrap_or("a rule forbids it")))
            });
        }
        let outside = at.men.in_play() & !LAST;
        let rearmost = highest(at.men.in_play()).unwrap_or(from);
        Some(if outside != 0 {
            let why = format!("men outside the last quadrant, on {}", self.names(outside));
            (Weight::Order, HindranceCause::Words(format!("there are {why}")))
        } else if self.turn.pinned != 0 {
            let why = format!("your man on {} is pinned", self.names(self.turn.pinned));
            (Weight::Rule, HindranceCause::Words(why))
        } else {
            let why = format!("a man further back, on {}, comes first", self.name(rearmost));
            (Weight::Order, HindranceCause::Words(why))
        })
    }

    /// Explains what stops a man that has already made a step.
    fn on_the_way(&self, from: u8, to: u8, cause: HindranceCause) -> HindranceCause {
        let step = format!("{}-{}", self.name(from), self.name(to));
        HindranceCause::Words(match cause {
            HindranceCause::Blocked(point) => format!("on {step} {}", self.held(point)),
            HindranceCause::Words(why) => format!("on {step} {why}"),
        })
    }

    /// Explains why no sequence of dice leads from a point to another, by the first step that
    /// fails.
    fn no_route(&self, at: &PlayState, left: Dice, from: u8) -> Option<Hindrance> {
        left.numbers().find_map(|die| {
            let (_, cause) = self.obstacle(at, from, die)?;
            Some((Weight::Dice, self.on_the_way(from, from.saturating_sub(die), cause)))
        })
    }

    /// Names the holder of a point: `X holds point 20`.
    fn held(&self, point: u8) -> String {
        format!("{} holds point {}", SIDES[self.seat.other().index()], self.name(point))
    }

    /// Finds a longer play that continues the written steps with the dice left.
    fn whole(&self, at: &PlayState, left: Dice, made: Play, most: u8) -> Option<Play> {
        if made.pips() == most {
            return Some(made);
        }
        // The steps are listed from the rear, where that order is legal.
        let rear = between(0, made.steps().last().map_or(BAR, |step| step.from));
        left.numbers().find_map(|die| {
            let steps = self.turn.steps::<R>(at, die);
            down(steps & rear).chain(down(steps & !rear)).find_map(|from| {
                let made = made.and(self.turn.step(at.hits, from, die));
                self.whole(&self.turn.after(at, from, die), left.without(die), made, most)
            })
        })
    }
}
