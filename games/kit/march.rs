//! The meaning of journeys on a board: every order of their steps, and every way to share the dice
//! among them, is tried. A family of games says what one step is ([`Ground`]).

use super::journey::{Journey, Leg};
use super::{Dice, MoveError, Spot};
use std::fmt::Display;

/// One man moved by one die.
pub(crate) trait Step: Copy {
    /// Where a man can be.
    type Place: Copy + PartialEq;

    /// Where it ends.
    fn to(self) -> Self::Place;
    /// The die it uses.
    fn die(self) -> u8;
    /// Whether a man is taken where it ends.
    fn takes(self) -> bool;
}

/// The steps of one turn, in order; none is a pass.
pub(crate) trait Play: Copy + PartialEq + Display {
    /// A step of it.
    type Step: Step;

    /// The steps.
    fn steps(&self) -> &[Self::Step];

    /// This play and one step more; there are never more than the four of a double.
    #[must_use]
    fn and(self, step: Self::Step) -> Self;

    /// The values by which its steps are compared, as they are made: of plays with the same result
    /// the one with the least is written.
    fn course(&self) -> Vec<impl Ord>;

    /// The same for steps in whichever order.
    fn in_order(&self) -> Vec<impl Ord> {
        let mut course = self.course();
        course.sort_unstable();
        course
    }

    /// The sum of the dice used.
    fn pips(&self) -> u8 {
        self.steps().iter().map(|step| step.die()).sum()
    }
}

/// Which men must take another where a mark says so, if men go the same way: `8/4*(2)`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum TakeMark {
    /// Each of them takes a man, on the way or at its end.
    Each,
    /// One of them takes a man, and at the end of the way.
    One,
}

/// A place of a [`Ground`].
pub(crate) type PlaceOf<G> = <StepOf<G> as Step>::Place;

/// A step on a [`Ground`].
pub(crate) type StepOf<G> = <<G as Ground>::Play as Play>::Step;

/// A side that has dice to play, and how its men go by them.
pub(crate) trait Ground {
    /// The play that it makes.
    type Play: Play;
    /// Which men are where in the middle of a play.
    type Stand: Clone + PartialEq;

    /// Which men must take another where a mark says so.
    const MARK: TakeMark;

    /// Where the men are before the play.
    fn start(&self) -> Self::Stand;

    /// The whole roll.
    fn dice(&self) -> Dice;

    /// The play without a step.
    fn pass(&self) -> Self::Play;

    /// A place as the player writes it.
    fn name(&self, place: PlaceOf<Self>) -> String;

    /// That place of the drawn board, numbered as the player does.
    fn spot(&self, place: PlaceOf<Self>) -> Spot;

    /// The places with men that may be able to move, in a fixed order.
    fn movers(&self, at: &Self::Stand) -> impl Iterator<Item = PlaceOf<Self>>;

    /// The steps of the men on a place by the dice left, in a fixed order.
    fn steps<'a>(
        &'a self,
        at: &'a Self::Stand,
        left: Dice,
        from: PlaceOf<Self>,
    ) -> impl Iterator<Item = StepOf<Self>> + 'a;

    /// Where the men are after a step.
    fn after(&self, at: &Self::Stand, step: StepOf<Self>) -> Self::Stand;

    /// Whether a man that has come to a place can no longer come to another.
    fn is_past(_at: PlaceOf<Self>, _point: PlaceOf<Self>) -> bool {
        false
    }

    /// Why one of the men cannot do its leg by the dice left, if it cannot.
    fn why_not(
        &self,
        at: &Self::Stand,
        left: Dice,
        men: &[Man<PlaceOf<Self>>],
        man: &Man<PlaceOf<Self>>,
        leg: Leg<PlaceOf<Self>>,
    ) -> Option<LegRefusal>;

    /// The legal plays, so many at most: each result once, in the order in which they are listed.
    fn plays(&self, most: usize) -> Vec<Self::Play>;

    /// The one of all that comes to the same as a play that ends so.
    fn listed(&self, end: &Self::Stand, made: &Self::Play) -> Self::Play;

    /// Why none of the ends of what is written uses as many pips as `first`, the first legal play;
    /// of those ends `made` uses the most.
    fn falls_short(
        &self,
        ends: &[(Self::Stand, Self::Play)],
        made: &Self::Play,
        first: &Self::Play,
    ) -> String;
}

/// How much a reason why something cannot be played says: the more, the higher.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Weight {
    /// Another step may be needed first.
    Order,
    /// The dice do not show it.
    Dice,
    /// A rule of the board forbids it.
    Rule,
}

/// Why a leg cannot be played.
pub(crate) type LegRefusal = (Weight, String);

/// A man on its journey.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Man<P> {
    journey: Journey<P>,
    pub(crate) at: P,
    /// Where its present leg began.
    pub(crate) leg_from: P,
    /// Whether it has taken a man on this leg, where that is asked of each man.
    pub(crate) has_taken: bool,
    /// How many legs it has done.
    done: usize,
}

impl<P: Copy + PartialEq> Man<P> {
    fn new(journey: Journey<P>) -> Self {
        Self { at: journey.from, leg_from: journey.from, journey, has_taken: false, done: 0 }
    }

    fn leg(&self) -> Option<Leg<P>> {
        self.journey.legs.get(self.done).copied()
    }

    /// Whether it has begun a leg and not ended it.
    pub(crate) fn is_under_way(&self) -> bool {
        self.at != self.leg_from
    }

    /// The rest when it has made a step; nothing if the words say another step.
    fn after<G: Ground>(&self, step: StepOf<G>) -> Option<Self>
    where
        StepOf<G>: Step<Place = P>,
    {
        let takes = self.has_taken || step.takes();
        let arrives = match self.leg()? {
            Leg::By(die) if die != step.die() => return None,
            Leg::By(_) => true,
            Leg::To { point, .. } if G::is_past(step.to(), point) => return None,
            Leg::To { point, takes: asked } if step.to() == point => {
                if asked && !takes {
                    return None;
                }
                true
            }
            Leg::To { .. } => false,
        };
        let mut man = self.clone();
        man.at = step.to();
        man.has_taken = takes && !arrives && G::MARK == TakeMark::Each;
        if arrives {
            man.leg_from = step.to();
            man.done += 1;
        }
        Some(man)
    }
}

/// The men when one of them has made a step; nothing if that is not what is written.
fn moved<G: Ground>(
    men: &[Man<PlaceOf<G>>],
    mover: usize,
    step: StepOf<G>,
) -> Option<Vec<Man<PlaceOf<G>>>> {
    let Man { journey, done, .. } = &men[mover];
    let after = men[mover].after::<G>(step)?;
    let takes_for_all = G::MARK == TakeMark::One && step.takes() && after.done > *done;
    let mut men = men.to_vec();
    men[mover] = after;
    if takes_for_all {
        for man in men.iter_mut().filter(|man| man.journey == *journey) {
            if let Leg::To { takes, .. } = &mut man.journey.legs[*done] {
                *takes = false;
            }
        }
    }
    Some(men)
}

/// The legal play that journeys mean; none mean a pass.
///
/// # Errors
/// They mean none, or several.
pub(crate) fn meant_by<G: Ground>(
    ground: &G,
    journeys: Vec<Journey<PlaceOf<G>>>,
) -> Result<G::Play, MoveError> {
    if journeys.is_empty() {
        let first = ground.plays(1)[0];
        if first.steps().is_empty() {
            return Ok(first);
        }
        let why = format!("you can move, so you may not pass: for example {first}");
        return Err(MoveError::Illegal(why));
    }
    // With more journeys than dice some must fail; one too many is enough to find out which.
    let told = journeys.into_iter().take(usize::from(ground.dice().count()) + 1);
    let men: Vec<_> = told.map(Man::new).collect();
    let mut reading = MarchParser { ground, ends: Vec::new(), hurdle: None, asks_why: false };
    reading.follow(&ground.start(), ground.dice(), &men, ground.pass());
    if reading.ends.is_empty() {
        // Most of what is sent can be played: only now is it asked why this cannot.
        reading.asks_why = true;
        reading.follow(&ground.start(), ground.dice(), &men, ground.pass());
    }
    reading.choose()
}

/// The play that a record wrote as `text` by those journeys: each step is checked, but no other
/// plays are looked for.
///
/// # Errors
/// It cannot be played, or is written in another way.
pub(crate) fn recalled<G: Ground>(
    ground: &G,
    journeys: Vec<Journey<PlaceOf<G>>>,
    text: &str,
) -> Result<G::Play, MoveError> {
    let not_canonical =
        || MoveError::Illegal(format!("`{text}` is not how a record writes a move"));
    let (mut at, mut left, mut play) = (ground.start(), ground.dice(), ground.pass());
    for Journey { from, legs, .. } in journeys {
        let [Leg::To { point, .. }] = legs[..] else { return Err(not_canonical()) };
        // Where both dice bear a man off, a man that comes after it is no further back, and the
        // other die bears it off as well.
        let step = ground.steps(&at, left, from).find(|step| step.to() == point);
        let Some(step) = step else {
            let step = format!("{}-{}", ground.name(from), ground.name(point));
            return Err(MoveError::Illegal(format!("{step} cannot be played")));
        };
        at = ground.after(&at, step);
        left = left.without(step.die());
        play = play.and(step);
    }
    if play.to_string() == text { Ok(play) } else { Err(not_canonical()) }
}

/// All that a text can mean.
struct MarchParser<'a, G: Ground> {
    ground: &'a G,
    /// Where the men are at its end, with the play made.
    ends: Vec<(G::Stand, G::Play)>,
    /// The highest hurdle: what was in the way, and how many legs were done by then.
    hurdle: Option<((Weight, usize), String)>,
    /// Whether hurdles are looked for.
    asks_why: bool,
}

impl<G: Ground> MarchParser<'_, G> {
    /// Lets each man go on in turn until all have arrived.
    fn follow(&mut self, at: &G::Stand, left: Dice, men: &[Man<PlaceOf<G>>], made: G::Play) {
        if men.iter().all(|man| man.leg().is_none()) {
            if !self.ends.iter().any(|(end, known)| *known == made && end == at) {
                self.ends.push((at.clone(), made));
            }
            return;
        }
        for (i, man) in men.iter().enumerate() {
            let Some(leg) = man.leg() else { continue };
            if men[..i].contains(man) {
                continue;
            }
            if self.asks_why {
                self.note_hurdle(at, left, men, man, leg);
            }
            for step in self.ground.steps(at, left, man.at) {
                let Some(men) = moved::<G>(men, i, step) else { continue };
                let after = self.ground.after(at, step);
                self.follow(&after, left.without(step.die()), &men, made.and(step));
            }
        }
    }

    /// Remembers why a man cannot do its leg now, if that says more than what is remembered.
    fn note_hurdle(
        &mut self,
        at: &G::Stand,
        left: Dice,
        men: &[Man<PlaceOf<G>>],
        man: &Man<PlaceOf<G>>,
        leg: Leg<PlaceOf<G>>,
    ) {
        let done = men.iter().map(|man| man.done).sum();
        if let Some((weight, why)) = self.ground.why_not(at, left, men, man, leg) {
            let rank = (weight, done);
            if self.hurdle.as_ref().is_none_or(|(known, _)| rank > *known) {
                self.hurdle = Some((rank, why));
            }
        }
    }

    /// The one legal play among the ends, or why there is none. Whatever uses the most pips is
    /// legal; what uses all dice does so, and no other play has to be looked for.
    fn choose(self) -> Result<G::Play, MoveError> {
        let whole = self.ground.dice().pips();
        let is_whole = self.ends.iter().any(|(_, made)| made.pips() == whole);
        let first = (!is_whole).then(|| self.ground.plays(1)[0]);
        if first.is_some_and(|first| first.steps().is_empty()) {
            return Err(MoveError::Illegal("no man can move this time, so you must pass".into()));
        }
        let most = first.map_or(whole, |first| first.pips());
        let legal = self.ends.iter().filter(|(_, made)| made.pips() == most);
        let mut reached: Vec<&(G::Stand, G::Play)> = Vec::new();
        for end in legal {
            if !reached.iter().any(|(known, _)| *known == end.0) {
                reached.push(end);
            }
        }
        match reached[..] {
            [(end, made)] => Ok(self.as_written(end, &self.ground.listed(end, made))),
            [_, _, ..] => Err(MoveError::Ambiguous(self.readings(&reached))),
            [] => Err(MoveError::Illegal(self.refusal(first))),
        }
    }

    /// A legal play by the way in which the text leads to its end. Of all plays that come to the
    /// same the legal one is the first; so that is it unless the text says otherwise.
    fn as_written(&self, end: &G::Stand, play: &G::Play) -> G::Play {
        let ways = || {
            let made = self.ends.iter().filter(|(meant, _)| meant == end).map(|(_, made)| made);
            made.filter(|made| made.pips() == play.pips())
        };
        if ways().any(|made| made.in_order() == play.in_order()) {
            return *play;
        }
        ways().min_by_key(|made| made.course()).copied().unwrap_or(*play)
    }

    /// The legal plays that lead to those ends, in the order in which they are listed.
    fn readings(&self, reached: &[&(G::Stand, G::Play)]) -> Vec<String> {
        let end = |play: &G::Play| {
            let steps = play.steps().iter();
            steps.fold(self.ground.start(), |at, step| self.ground.after(&at, *step))
        };
        let plays = self.ground.plays(usize::MAX).into_iter().map(|play| (end(&play), play));
        plays
            .filter(|(end, _)| reached.iter().any(|(meant, _)| meant == end))
            .map(|(end, play)| self.as_written(&end, &play).to_string())
            .collect()
    }

    fn refusal(self, first: Option<G::Play>) -> String {
        let longest = self.ends.iter().max_by_key(|(_, made)| made.pips());
        match (longest, first) {
            (Some((_, made)), Some(first)) => self.ground.falls_short(&self.ends, made, &first),
            _ => self.hurdle.map_or_else(
                || "the dice do not lead along these points".to_owned(),
                |(_, why)| why,
            ),
        }
    }
}
