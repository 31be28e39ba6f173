//! What players write, and the play they mean by it.
//!
//! Reading takes two steps: the spelling alone gives [`Journey`]s, and then every order of
//! their steps and every way to share the dice among them is tried on the board.

use super::board::{BAR, Board, LAST, OFF, Set, between, down, highest};
use super::plays::{Play, Stand, Step, Turn};
use super::{Landing, Numbers, Race, SIDES};
use crate::kit::text::{self, Places, Reader};
use crate::kit::{MoveError, Roll, Seat};
use std::marker::PhantomData;

type Journey = text::Journey<u8>;
type Leg = text::Leg<u8>;

/// How a side writes points, the bar and off, which are own points here.
struct Named<R> {
    numbers: Numbers,
    race: PhantomData<R>,
}

impl<R> Copy for Named<R> {}

impl<R> Clone for Named<R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: Race> Places for Named<R> {
    type Place = u8;

    const SOMEWHERE: u8 = 1;

    // Nobody comes to the bar where nobody is hit.
    const START: &'static str = match R::LANDING {
        Landing::Hit => "a point such as 13, or bar",
        Landing::Pin | Landing::Block => "a point such as 13",
    };
    const TARGET: &'static str = "a point such as 13 to go to, or off";
    const DIE: &'static str = "the number of a die, as in 13:2";
    const TIMES: &'static str = "a number, as in 13/11(2)";
    const REPEATED: &'static str = "x and a point, as in 2x13-11";
    const ARE_NUMBERS: bool = true;

    fn place(self, reader: &mut Reader, from: Option<u8>) -> Option<Result<u8, String>> {
        if reader.whole_word("bar") || reader.whole_word("b") {
            return Some(Ok(BAR));
        }
        let mut ahead = reader.clone();
        if ["home", "h", "off"].into_iter().any(|word| ahead.whole_word(word)) {
            let behind = ahead.clone();
            // Nothing comes from there; but that is told only of what is no English.
            if from.is_some() || ahead.word("-") || ahead.word("/") {
                *reader = behind;
                return Some(Ok(OFF));
            }
            return None;
        }
        let number = reader.number()?;
        Some(match (number, from) {
            // As files of matches have it.
            (25, None) if R::LANDING == Landing::Hit => Ok(BAR),
            (0, Some(_)) => Ok(OFF),
            (1..=24, _) => Ok(self.numbers.own(u8::try_from(number).expect("24 at most"))),
            _ => Err(format!("there is no point {number}")),
        })
    }

    fn may_stand_alone(self, place: u8) -> bool {
        place != BAR && place != OFF
    }
}

/// The legal play that a text means.
pub(crate) fn read<R: Race>(
    board: &Board,
    seat: Seat,
    roll: Option<Roll>,
    text: &str,
    legal: &[Play],
) -> Result<Play, MoveError> {
    read_by::<R>(R::NUMBERS[seat.index()], board, seat, roll, text, legal)
}

/// The same where points are written by those numbers.
pub(crate) fn read_by<R: Race>(
    numbers: Numbers,
    board: &Board,
    seat: Seat,
    roll: Option<Roll>,
    text: &str,
    legal: &[Play],
) -> Result<Play, MoveError> {
    let read = understood::<R>(numbers, board, seat, roll, text, legal);
    // Where men are hit, books number the points of either side down to 1.
    if R::LANDING == Landing::Hit
        && numbers != Numbers::Down
        && let Err(MoveError::Illegal(why)) = &read
        && let Ok(play) = understood::<R>(Numbers::Down, board, seat, roll, text, legal)
    {
        let play = play.by(numbers);
        let here = format!("both sides number the points alike, so that is {play} here");
        return Err(MoveError::Illegal(format!("{why}; {here}")));
    }
    read.map(|play| play.by(R::NUMBERS[seat.index()]))
}

/// The legal play that a text means by those numbers of points.
fn understood<R: Race>(
    numbers: Numbers,
    board: &Board,
    seat: Seat,
    roll: Option<Roll>,
    text: &str,
    legal: &[Play],
) -> Result<Play, MoveError> {
    let names = Named::<R> { numbers, race: PhantomData };
    text::read_journeys(names, text, roll, |journeys| {
        found::<R>(numbers, board, seat, roll, journeys, legal)
    })
}

/// The legal play that journeys mean.
fn found<R: Race>(
    numbers: Numbers,
    board: &Board,
    seat: Seat,
    roll: Option<Roll>,
    journeys: Vec<Journey>,
    legal: &[Play],
) -> Result<Play, MoveError> {
    let turn = Turn::new::<R>(board, seat);
    let journeys = completed(journeys, turn.start.men.on(BAR));
    let Some(roll) = roll else { return Err(not_thrown()) };
    let legal: Vec<Play> = legal.iter().map(|play| play.by(numbers)).collect();
    let Some(first) = legal.first() else { return Err(MoveError::NothingToMove) };
    match (journeys.is_empty(), first.steps().is_empty()) {
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
    let dice = dice(roll);
    let mut reading = Reading { numbers, seat, turn, dice, ends: Vec::new(), hurdle: None };
    // With more journeys than dice some must fail; one too many is enough to find out which.
    let told = journeys.into_iter().take(reading.dice.len() + 1);
    let men: Vec<Man> = told.map(Man::new).collect();
    let (start, left) = (reading.turn.start, reading.dice.clone());
    reading.follow::<R>(&start, &left, &men, Play::pass(numbers));
    reading.choose::<R>(&legal)
}

/// The play that a record wrote as `text`: each step is checked, but no other plays are listed.
pub(crate) fn recall<R: Race>(
    board: &Board,
    seat: Seat,
    roll: Option<Roll>,
    text: &str,
) -> Result<Play, MoveError> {
    let numbers = R::NUMBERS[seat.index()];
    let turn = Turn::new::<R>(board, seat);
    let names = Named::<R> { numbers, race: PhantomData };
    let journeys = completed(text::recalled(names, text)?, turn.start.men.on(BAR));
    let roll = roll.ok_or_else(not_thrown)?;
    let mut at = turn.start;
    let mut left = dice(roll);
    let mut play = Play::pass(numbers);
    for Journey { from, legs, .. } in journeys {
        let [Leg::To { point, .. }] = legs[..] else { return Err(not_canonical(text)) };
        // Where both dice bear a man off, whoever comes after him is no further back, and the
        // other die bears him off as well.
        let fits = |die: &u8| {
            from.saturating_sub(*die) == point && turn.steps::<R>(&at, *die) >> from & 1 == 1
        };
        let Some(die) = left.iter().copied().find(fits) else {
            let step = format!("{}-{}", numbers.name(from), numbers.name(point));
            return Err(MoveError::Illegal(format!("{step} cannot be played")));
        };
        play = play.and(turn.step(at.hits, from, die));
        at = turn.after(&at, from, die);
        left = without(&left, die);
    }
    if play.to_string() == text { Ok(play) } else { Err(not_canonical(text)) }
}

fn not_thrown() -> MoveError {
    MoveError::Illegal("the dice are not thrown yet: say `roll`".into())
}

fn not_canonical(text: &str) -> MoveError {
    MoveError::Illegal(format!("`{text}` is not how a record writes a move"))
}

/// The dice to play, each as often as it can be played, the larger first.
fn dice(roll: Roll) -> Vec<u8> {
    match super::ordered(roll) {
        Roll::One(die) => vec![die],
        Roll::Two(a, b) if a == b => vec![a; 4],
        Roll::Two(a, b) => vec![a, b],
    }
}

/// The dice that are left when one of them has been played.
fn without(dice: &[u8], die: u8) -> Vec<u8> {
    let mut left = dice.to_vec();
    if let Some(at) = left.iter().position(|&other| other == die) {
        left.remove(at);
    }
    left
}

/// The different numbers among dice.
fn different(dice: &[u8]) -> Vec<u8> {
    let mut numbers = dice.to_vec();
    numbers.dedup();
    numbers
}

/// Journeys with both their ends. Of the points that stand alone, so many are those on which men
/// enter from the bar; men are borne off from the others.
fn completed(mut journeys: Vec<Journey>, on_bar: u8) -> Vec<Journey> {
    let mut entering = on_bar;
    for journey in journeys.iter_mut().filter(|journey| journey.legs.is_empty()) {
        let (point, takes) = (journey.from, journey.is_marked);
        if entering > 0 {
            entering -= 1;
            (journey.from, journey.legs) = (BAR, vec![Leg::To { point, takes }]);
        } else {
            journey.legs = vec![Leg::To { point: OFF, takes }];
        }
    }
    journeys
}

/// A man on his journey.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Man {
    journey: Journey,
    at: u8,
    /// Where the leg began on which he is.
    leg_from: u8,
    done: usize,
}

impl Man {
    fn new(journey: Journey) -> Self {
        Self { at: journey.from, leg_from: journey.from, journey, done: 0 }
    }

    fn leg(&self) -> Option<Leg> {
        self.journey.legs.get(self.done).copied()
    }

    /// What remains when he has made a step; nothing if that is not what is written.
    fn after(&self, step: Step) -> Option<Self> {
        let arrives = match self.leg()? {
            Leg::By(die) if die != step.die => return None,
            Leg::By(_) => true,
            Leg::To { point, .. } if step.to < point => return None,
            Leg::To { point, takes: hits } if step.to == point => {
                if hits && !step.hits {
                    return None;
                }
                true
            }
            Leg::To { .. } => false,
        };
        let mut man = self.clone();
        man.at = step.to;
        if arrives {
            man.leg_from = step.to;
            man.done += 1;
        }
        Some(man)
    }
}

/// The men when one of them has made a step; nothing if that is not what is written.
fn moved(men: &[Man], mover: usize, step: Step) -> Option<Vec<Man>> {
    let Man { journey, done, .. } = &men[mover];
    let mut men = men.to_vec();
    men[mover] = men[mover].after(step)?;
    if step.hits && men[mover].done > *done {
        // One of several who go the same way hits: in `8/4*(2)` the star is that of them all.
        for man in men.iter_mut().filter(|man| man.journey == *journey) {
            if let Leg::To { takes, .. } = &mut man.journey.legs[*done] {
                *takes = false;
            }
        }
    }
    Some(men)
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

/// What stands in the way.
#[derive(Clone, Debug)]
enum Cause {
    /// The other side holds that own point.
    Blocked(u8),
    /// Anything else, in words.
    Words(String),
}

impl Cause {
    fn words(why: &str) -> Self {
        Self::Words(why.to_owned())
    }
}

/// Why a leg cannot be played.
type Why = (Weight, Cause);

/// All that a text can mean.
struct Reading {
    numbers: Numbers,
    seat: Seat,
    turn: Turn,
    /// The whole roll.
    dice: Vec<u8>,
    /// How the men stand where it ends, with the steps made.
    ends: Vec<(Stand, Play)>,
    /// What stood in the way, and how many legs were done by then.
    hurdle: Option<((Weight, usize), String)>,
}

impl Reading {
    /// Lets each man go on in turn until all have arrived.
    fn follow<R: Race>(&mut self, at: &Stand, left: &[u8], men: &[Man], made: Play) {
        if men.iter().all(|man| man.leg().is_none()) {
            if !self.ends.contains(&(*at, made)) {
                self.ends.push((*at, made));
            }
            return;
        }
        for (i, man) in men.iter().enumerate() {
            let Some(leg) = man.leg() else { continue };
            if men[..i].contains(man) {
                continue;
            }
            self.note_hurdle::<R>(at, left, men, man, leg);
            for die in different(left) {
                if self.turn.steps::<R>(at, die) >> man.at & 1 == 0 {
                    continue;
                }
                let step = self.turn.step(at.hits, man.at, die);
                let Some(men) = moved(men, i, step) else { continue };
                let after = self.turn.after(at, step.from, die);
                self.follow::<R>(&after, &without(left, die), &men, made.and(step));
            }
        }
    }

    /// Remembers why a man cannot do his leg now, if that says more than what is remembered.
    fn note_hurdle<R: Race>(&mut self, at: &Stand, left: &[u8], men: &[Man], man: &Man, leg: Leg) {
        let done = men.iter().map(|man| man.done).sum();
        if let Some((weight, why)) = self.why_not::<R>(at, left, man, leg) {
            // A die that somebody has used on his way may have been meant for this man.
            let is_doubtful =
                weight == Weight::Dice && men.iter().any(|man| man.at != man.leg_from);
            let rank = (if is_doubtful { Weight::Order } else { weight }, done);
            if self.hurdle.as_ref().is_none_or(|(known, _)| rank > *known) {
                self.hurdle = Some((rank, why));
            }
        }
    }

    fn name(&self, point: u8) -> String {
        self.numbers.name(point)
    }

    fn names(&self, set: Set) -> String {
        down(set).map(|point| self.name(point)).collect::<Vec<_>>().join(", ")
    }

    /// Why a man cannot do his leg by the dice left.
    fn why_not<R: Race>(
        &self,
        at: &Stand,
        left: &[u8],
        man: &Man,
        leg: Leg,
    ) -> Option<(Weight, String)> {
        let (step, result) = match leg {
            Leg::By(die) => {
                let step = format!("{}:{die}", self.name(man.at));
                (step, self.why_not_by::<R>(at, left, man.at, die))
            }
            Leg::To { point, takes: hits } => {
                let hit = if hits { "*" } else { "" };
                let step = format!("{}-{}{hit}", self.name(man.leg_from), self.name(point));
                (step, self.why_not_to::<R>(at, left, man, point, hits))
            }
        };
        result.map(|(weight, why)| match why {
            Cause::Blocked(via) => (weight, self.blocked(&step, via)),
            Cause::Words(why) => (weight, format!("{step} cannot be played: {why}")),
        })
    }

    /// Why the man on a point cannot move at all.
    fn why_not_from(&self, at: &Stand, from: u8) -> Option<Why> {
        let on_bar = at.men.on(BAR) > 0;
        if from == OFF {
            Some((Weight::Rule, Cause::words("men who are off stay off")))
        } else if from == BAR && !on_bar {
            Some((Weight::Order, Cause::words("you have no man on the bar")))
        } else if at.men.on(from) == 0 {
            let why = format!("there is no man of yours on {}", self.name(from));
            Some((Weight::Order, Cause::Words(why)))
        } else if self.turn.pinned >> from & 1 == 1 {
            let why = format!("your man on {} is pinned", self.name(from));
            Some((Weight::Rule, Cause::Words(why)))
        } else if on_bar && from != BAR {
            Some((Weight::Order, Cause::words("your man on the bar must enter first")))
        } else {
            None
        }
    }

    fn why_not_by<R: Race>(&self, at: &Stand, left: &[u8], from: u8, die: u8) -> Option<Why> {
        self.why_not_from(at, from).or_else(|| {
            if left.contains(&die) {
                self.obstacle::<R>(at, from, die)
            } else {
                Some((Weight::Dice, self.no_die(die)))
            }
        })
    }

    fn why_not_to<R: Race>(
        &self,
        at: &Stand,
        left: &[u8],
        man: &Man,
        to: u8,
        hits: bool,
    ) -> Option<Why> {
        let from = man.at;
        let under_way = from != man.leg_from;
        if let Some(why) = self.why_not_from(at, from) {
            return (!under_way).then_some(why);
        }
        if from == to {
            return Some((Weight::Rule, Cause::words("it goes nowhere")));
        }
        if from < to {
            let why = format!("{} goes {}", SIDES[self.seat.index()], self.numbers.way());
            return Some((Weight::Rule, Cause::Words(why)));
        }
        let leads_there = |&die: &u8| from.saturating_sub(die) == to;
        let direct: Vec<u8> = different(left).into_iter().filter(leads_there).collect();
        let can = |&&die: &&u8| self.turn.steps::<R>(at, die) >> from & 1 == 1;
        if let Some(&die) = direct.iter().find(can) {
            let claims = hits && !self.turn.step(at.hits, from, die).hits;
            let why = Cause::words("it hits nothing, so write it without *");
            return claims.then_some((Weight::Rule, why));
        }
        // Only off do several dice lead, and they all fail there for the same reason.
        if let Some(&die) = direct.first() {
            let (weight, cause) = self.obstacle::<R>(at, from, die)?;
            return Some((
                weight,
                if under_way { self.on_the_way(from, to, cause) } else { cause },
            ));
        }
        if under_way {
            return None;
        }
        let pips = from - to;
        let sum: u8 = left.iter().sum();
        if left.len() > 1 && (adds_up(left, pips) || (to == OFF && sum >= pips)) {
            return self.no_route::<R>(at, left, from);
        }
        let cause = if to == OFF {
            Cause::Words(format!("no die left shows {pips} or more"))
        } else {
            self.no_die(pips)
        };
        Some((Weight::Dice, cause))
    }

    /// Why a man who is there and may move cannot make a step by that die, if he cannot.
    fn obstacle<R: Race>(&self, at: &Stand, from: u8, die: u8) -> Option<Why> {
        if self.turn.steps::<R>(at, die) >> from & 1 == 1 {
            return None;
        }
        let to = from.saturating_sub(die);
        if to != OFF {
            return Some(if self.turn.closed >> to & 1 == 1 {
                (Weight::Rule, Cause::Blocked(to))
            } else {
                let rule = R::forbids(&self.turn.after(at, from, die).men);
                (Weight::Order, Cause::words(rule.unwrap_or("a rule forbids it")))
            });
        }
        let outside = at.men.in_play() & !LAST;
        let rearmost = highest(at.men.in_play()).unwrap_or(from);
        Some(if outside != 0 {
            let why = format!("men outside the last quadrant, on {}", self.names(outside));
            (Weight::Order, Cause::Words(format!("there are {why}")))
        } else if self.turn.pinned != 0 {
            let why = format!("your man on {} is pinned", self.names(self.turn.pinned));
            (Weight::Rule, Cause::Words(why))
        } else {
            let why = format!("a man further back, on {}, comes first", self.name(rearmost));
            (Weight::Order, Cause::Words(why))
        })
    }

    /// A cause that stands in the way of a man who has already made a step.
    fn on_the_way(&self, from: u8, to: u8, cause: Cause) -> Cause {
        let step = format!("{}-{}", self.name(from), self.name(to));
        Cause::Words(match cause {
            Cause::Blocked(point) => format!("on {step} {}", self.held(point)),
            Cause::Words(why) => format!("on {step} {why}"),
        })
    }

    /// Why no sequence of the dice leads from a point to another: the first step that fails.
    fn no_route<R: Race>(&self, at: &Stand, left: &[u8], from: u8) -> Option<Why> {
        different(left).into_iter().find_map(|die| {
            let (_, cause) = self.obstacle::<R>(at, from, die)?;
            Some((Weight::Dice, self.on_the_way(from, from.saturating_sub(die), cause)))
        })
    }

    fn no_die(&self, pips: u8) -> Cause {
        Cause::Words(if self.dice.contains(&pips) {
            format!("the {pips} is used already")
        } else {
            format!("no die shows {pips}")
        })
    }

    /// Who holds a point: `X holds point 20`.
    fn held(&self, point: u8) -> String {
        format!("{} holds point {}", SIDES[self.seat.other().index()], self.name(point))
    }

    /// The one legal play among the ends, or why there is none.
    fn choose<R: Race>(self, legal: &[Play]) -> Result<Play, MoveError> {
        let meant: Vec<Play> = legal.iter().filter_map(|play| self.as_written(play)).collect();
        match meant[..] {
            [only] => Ok(only),
            [_, _, ..] => Err(MoveError::Ambiguous(meant.iter().map(Play::to_string).collect())),
            [] => Err(MoveError::Illegal(self.refusal::<R>(legal))),
        }
    }

    /// A legal play by the way in which the text leads to its end, if it does. Of all plays that
    /// come to the same the legal one is the first; so that is it unless the text says otherwise.
    fn as_written(&self, play: &Play) -> Option<Play> {
        let steps = play.steps().iter();
        let end = steps.fold(self.turn.start, |at, step| self.turn.after(&at, step.from, step.die));
        let ways = || {
            let made = self.ends.iter().filter(|(meant, _)| *meant == end).map(|(_, made)| made);
            made.filter(|made| made.pips() == play.pips())
        };
        if ways().any(|made| made.in_order() == play.in_order()) {
            return Some(*play);
        }
        ways().min_by_key(|made| made.course()).copied()
    }

    fn refusal<R: Race>(self, legal: &[Play]) -> String {
        let Some((_, made)) = self.ends.iter().max_by_key(|(_, made)| made.pips()) else {
            return self.hurdle.map_or_else(
                || "the dice do not lead along these points".to_owned(),
                |(_, why)| why,
            );
        };
        let most = legal.first().map_or(0, Play::pips);
        let played = |play: &Play| {
            play.steps().iter().fold(self.dice.clone(), |left, step| without(&left, step.die))
        };
        let whole = |(at, made): &(Stand, Play)| {
            self.whole::<R>(at, &played(made), *made, most).map(|whole| (*made, whole))
        };
        if let Some((made, whole)) = self.ends.iter().find_map(whole) {
            match whole.steps()[made.steps().len()..] {
                [step] => return format!("the {} can be played too: {whole}", step.die),
                [step, .., _] => {
                    let more = whole.steps().len() - made.steps().len();
                    return format!("{more} more {}s can be played: {whole}", step.die);
                }
                [] => {}
            }
        }
        let example = legal.first().map_or_else(String::new, |play| format!(": {play}"));
        if self.dice.first() == Some(&most) {
            return format!("the larger die can be played, and so must be{example}");
        }
        format!("that is {} of the {most} pips that can be played{example}", made.pips())
    }

    /// A play of so many pips that goes on from an end, as it was written, by the dice left.
    fn whole<R: Race>(&self, at: &Stand, left: &[u8], made: Play, most: u8) -> Option<Play> {
        if made.pips() == most {
            return Some(made);
        }
        // From the rear on, as plays are listed, if it can be.
        let rear = between(0, made.steps().last().map_or(BAR, |step| step.from));
        different(left).into_iter().find_map(|die| {
            let steps = self.turn.steps::<R>(at, die);
            down(steps & rear).chain(down(steps & !rear)).find_map(|from| {
                let made = made.and(self.turn.step(at.hits, from, die));
                self.whole::<R>(&self.turn.after(at, from, die), &without(left, die), made, most)
            })
        })
    }

    fn blocked(&self, step: &str, point: u8) -> String {
        format!("{step} is blocked: {}", self.held(point))
    }
}

/// Whether two or more of the dice left add up to that.
fn adds_up(left: &[u8], pips: u8) -> bool {
    match different(left)[..] {
        [one] => pips.is_multiple_of(one) && (2..=left.len()).contains(&usize::from(pips / one)),
        [one, other] => pips == one + other,
        _ => false,
    }
}
