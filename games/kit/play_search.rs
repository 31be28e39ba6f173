//! The search for the legal play that written paths mean: it tries every order of their steps and
//! every way to share the dice among them. A family of games defines its steps in [`TurnRules`].

use super::written_path::{Leg, WrittenPath};
use super::{Dice, MoveError, Spot};
use std::fmt::Display;

/// A move of one man by one die.
pub(crate) trait Step: Copy {
    /// A place for a man.
    type Place: Copy + PartialEq;

    /// Returns the place where it ends.
    fn to(self) -> Self::Place;
    /// Returns its die.
    fn die(self) -> u8;
    /// Returns whether it takes a man.
    fn takes(self) -> bool;
}

/// The steps of one turn, in order; no steps are a pass.
pub(crate) trait Play: Copy + PartialEq + Display {
    /// The type of its steps.
    type Step: Step;

    /// Returns the steps.
    fn steps(&self) -> &[Self::Step];

    /// Appends a step; a play has at most the four of a double.
    #[must_use]
    fn and(self, step: Self::Step) -> Self;

    /// Returns the sort key of its steps, in order. Of plays with the same result, the one with the
    /// least key is listed.
    fn course(&self) -> Vec<impl Ord>;

    /// Returns the sort key of its steps, sorted.
    fn in_order(&self) -> Vec<impl Ord> {
        let mut course = self.course();
        course.sort_unstable();
        course
    }

    /// Returns the sum of the dice used.
    fn pips(&self) -> u8 {
        self.steps().iter().map(|step| step.die()).sum()
    }
}

/// Which men must take another at a hit mark, if several men follow the same path: `8/4*(2)`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum TakeMark {
    /// Each man takes one, on the way or at the end.
    Each,
    /// One man takes one, at the end.
    One,
}

/// A place of a [`TurnRules`].
pub(crate) type PlaceOf<G> = <StepOf<G> as Step>::Place;

/// A step on a [`TurnRules`].
pub(crate) type StepOf<G> = <<G as TurnRules>::Play as Play>::Step;

/// A side that has a roll to play, and the rules of its steps.
pub(crate) trait TurnRules {
    /// The type of its plays.
    type Play: Play;
    /// The men in the middle of a play.
    type State: Clone + PartialEq;

    /// Which men must take another at a hit mark.
    const MARK: TakeMark;

    /// Returns the men before the play.
    fn start(&self) -> Self::State;

    /// Returns the whole roll.
    fn dice(&self) -> Dice;

    /// Returns the play without steps.
    fn pass(&self) -> Self::Play;

    /// Returns a place in the player's notation.
    fn name(&self, place: PlaceOf<Self>) -> String;

    /// Returns a place of the drawn board, in the player's numbering.
    fn spot(&self, place: PlaceOf<Self>) -> Spot;

    /// Returns the places whose men may be able to move, in a fixed order.
    fn movers(&self, at: &Self::State) -> impl Iterator<Item = PlaceOf<Self>>;

    /// Returns the steps of a man by the dice left, in a fixed order.
    fn steps<'a>(
        &'a self,
        at: &'a Self::State,
        left: Dice,
        from: PlaceOf<Self>,
    ) -> impl Iterator<Item = StepOf<Self>> + 'a;

    /// Returns the men after a step.
    fn after(&self, at: &Self::State, step: StepOf<Self>) -> Self::State;

    /// Returns whether a man that has come to `_at` can no longer reach `_point`.
    fn is_past(_at: PlaceOf<Self>, _point: PlaceOf<Self>) -> bool {
        false
    }

    /// Explains why a man cannot play a part of its path with the dice left.
    fn why_not(
        &self,
        at: &Self::State,
        left: Dice,
        men: &[Man<PlaceOf<Self>>],
        man: &Man<PlaceOf<Self>>,
        leg: Leg<PlaceOf<Self>>,
    ) -> Option<LegRefusal>;

    /// Explains why no play may end like this, though it uses the most pips.
    fn why_not_end(&self, _end: &Self::State) -> Option<String> {
        None
    }

    /// Lists the first `most` legal plays, each result once.
    fn plays(&self, most: usize) -> Vec<Self::Play>;

    /// Returns the listed play with the same result as `made`.
    fn listed(&self, end: &Self::State, made: &Self::Play) -> Self::Play;

    /// Explains why no reading of the text uses as many pips as `first`, the first legal play. Of
    /// the readings `ends`, `made` uses the most pips.
    fn falls_short(
        &self,
        ends: &[(Self::State, Self::Play)],
        made: &Self::Play,
        first: &Self::Play,
    ) -> String;
}

/// How informative a refusal is, ascending.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Weight {
    /// Another step may be needed first.
    Order,
    /// The dice do not show the number.
    Dice,
    /// A rule of the board forbids it.
    Rule,
}

/// The reason why a man cannot play a part of its path.
pub(crate) type LegRefusal = (Weight, String);

/// A man on its path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Man<P> {
    path: WrittenPath<P>,
    pub(crate) at: P,
    /// The start of its current leg.
    pub(crate) leg_from: P,
    /// Whether it has taken a man on this leg, where each man must.
    pub(crate) has_taken: bool,
    /// The number of legs done.
    done: usize,
}

impl<P: Copy + PartialEq> Man<P> {
    fn new(path: WrittenPath<P>) -> Self {
        Self { at: path.from, leg_from: path.from, path, has_taken: false, done: 0 }
    }

    fn leg(&self) -> Option<Leg<P>> {
        self.path.legs.get(self.done).copied()
    }

    /// Returns whether it is in the middle of a leg.
    pub(crate) fn is_under_way(&self) -> bool {
        self.at != self.leg_from
    }

    /// Returns the man after a step; `None` if the path does not allow the step.
    fn after<G: TurnRules>(&self, step: StepOf<G>) -> Option<Self>
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

/// Returns all men after a step of one of them; `None` if its path does not allow the step.
fn moved<G: TurnRules>(
    men: &[Man<PlaceOf<G>>],
    mover: usize,
    step: StepOf<G>,
) -> Option<Vec<Man<PlaceOf<G>>>> {
    let Man { path, done, .. } = &men[mover];
    let after = men[mover].after::<G>(step)?;
    let takes_for_all = G::MARK == TakeMark::One && step.takes() && after.done > *done;
    let mut men = men.to_vec();
    men[mover] = after;
    if takes_for_all {
        for man in men.iter_mut().filter(|man| man.path == *path) {
            if let Leg::To { takes, .. } = &mut man.path.legs[*done] {
                *takes = false;
            }
        }
    }
    Some(men)
}

/// Finds the legal play that paths mean; no paths mean a pass.
///
/// # Errors
/// They mean no legal play, or several.
pub(crate) fn find_play<G: TurnRules>(
    rules: &G,
    paths: Vec<WrittenPath<PlaceOf<G>>>,
) -> Result<G::Play, MoveError> {
    if paths.is_empty() {
        let first = rules.plays(1)[0];
        if first.steps().is_empty() {
            return Ok(first);
        }
        let why = format!("you can move, so you may not pass: for example {first}");
        return Err(MoveError::Illegal(why));
    }
    // With more paths than dice some must fail; one too many is enough to find out which.
    let told = paths.into_iter().take(usize::from(rules.dice().count()) + 1);
    let men: Vec<_> = told.map(Man::new).collect();
    let mut reading = PlaySearch { rules, ends: Vec::new(), hurdle: None, asks_why: false };
    reading.follow(&rules.start(), rules.dice(), &men, rules.pass());
    if reading.ends.is_empty() {
        // Most plays are legal, so the reasons are searched only after a failure.
        reading.asks_why = true;
        reading.follow(&rules.start(), rules.dice(), &men, rules.pass());
    }
    reading.choose()
}

/// Replays a recorded play: checks each step, but searches no other plays.
///
/// # Errors
/// A step cannot be played, or the text is not canonical.
pub(crate) fn read_recorded<G: TurnRules>(
    rules: &G,
    paths: Vec<WrittenPath<PlaceOf<G>>>,
    text: &str,
) -> Result<G::Play, MoveError> {
    let not_canonical =
        || MoveError::Illegal(format!("`{text}` is not how a record writes a move"));
    let (mut at, mut left, mut play) = (rules.start(), rules.dice(), rules.pass());
    for WrittenPath { from, legs, .. } in paths {
        let [Leg::To { point, .. }] = legs[..] else { return Err(not_canonical()) };
        // If both dice could bear a man off, a man that follows is no further back, so the other
        // die bears it off as well.
        let step = rules.steps(&at, left, from).find(|step| step.to() == point);
        let Some(step) = step else {
            let step = format!("{}-{}", rules.name(from), rules.name(point));
            return Err(MoveError::Illegal(format!("{step} cannot be played")));
        };
        at = rules.after(&at, step);
        left = left.without(step.die());
        play = play.and(step);
    }
    if play.to_string() == text { Ok(play) } else { Err(not_canonical()) }
}

/// The search for the meanings of a text.
struct PlaySearch<'a, G: TurnRules> {
    rules: &'a G,
    /// The men after each complete reading, with the play made.
    ends: Vec<(G::State, G::Play)>,
    /// The most informative obstacle, ranked by its weight and by the legs done before it.
    hurdle: Option<((Weight, usize), String)>,
    /// Whether obstacles are collected.
    asks_why: bool,
}

impl<G: TurnRules> PlaySearch<'_, G> {
    /// Advances each man in turn until all have arrived.
    fn follow(&mut self, at: &G::State, left: Dice, men: &[Man<PlaceOf<G>>], made: G::Play) {
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
            for step in self.rules.steps(at, left, man.at) {
                let Some(men) = moved::<G>(men, i, step) else { continue };
                let after = self.rules.after(at, step);
                self.follow(&after, left.without(step.die()), &men, made.and(step));
            }
        }
    }

    /// Records why a man cannot play its leg now, if that is more informative than the reason so
    /// far.
    fn note_hurdle(
        &mut self,
        at: &G::State,
        left: Dice,
        men: &[Man<PlaceOf<G>>],
        man: &Man<PlaceOf<G>>,
        leg: Leg<PlaceOf<G>>,
    ) {
        let done = men.iter().map(|man| man.done).sum();
        if let Some((weight, why)) = self.rules.why_not(at, left, men, man, leg) {
            let rank = (weight, done);
            if self.hurdle.as_ref().is_none_or(|(known, _)| rank > *known) {
                self.hurdle = Some((rank, why));
            }
        }
    }

    /// Returns the one legal play among the readings, or the refusal. A play that uses the most
    /// pips is legal, so a reading that uses all dice needs no comparison with other plays.
    fn choose(self) -> Result<G::Play, MoveError> {
        let whole = self.rules.dice().pips();
        let is_whole = self.ends.iter().any(|(_, made)| made.pips() == whole);
        let first = (!is_whole).then(|| self.rules.plays(1)[0]);
        if first.is_some_and(|first| first.steps().is_empty()) {
            return Err(MoveError::Illegal("none of your men can move, so you must pass".into()));
        }
        let most = first.map_or(whole, |first| first.pips());
        let longest = self.ends.iter().filter(|(_, made)| made.pips() == most);
        let mut reached: Vec<&(G::State, G::Play)> = Vec::new();
        let mut why_not = None;
        for end in longest {
            if reached.iter().any(|(known, _)| *known == end.0) {
                continue;
            }
            match self.rules.why_not_end(&end.0) {
                None => reached.push(end),
                why => why_not = why,
            }
        }
        match reached[..] {
            [(end, made)] => Ok(self.as_written(end, &self.rules.listed(end, made))),
            [_, _, ..] => Err(MoveError::Ambiguous(self.readings(&reached))),
            [] => Err(MoveError::Illegal(why_not.unwrap_or_else(|| self.refusal(first)))),
        }
    }

    /// Returns the legal play in the order of steps that the text gives. Of plays with the same
    /// result the first is listed, so that one is returned unless the text disagrees.
    fn as_written(&self, end: &G::State, play: &G::Play) -> G::Play {
        let ways = || {
            let made = self.ends.iter().filter(|(meant, _)| meant == end).map(|(_, made)| made);
            made.filter(|made| made.pips() == play.pips())
        };
        if ways().any(|made| made.in_order() == play.in_order()) {
            return *play;
        }
        ways().min_by_key(|made| made.course()).copied().unwrap_or(*play)
    }

    /// Returns the legal plays of several readings, in the order of the list.
    fn readings(&self, reached: &[&(G::State, G::Play)]) -> Vec<String> {
        let end = |play: &G::Play| {
            let steps = play.steps().iter();
            steps.fold(self.rules.start(), |at, step| self.rules.after(&at, *step))
        };
        let plays = self.rules.plays(usize::MAX).into_iter().map(|play| (end(&play), play));
        plays
            .filter(|(end, _)| reached.iter().any(|(meant, _)| meant == end))
            .map(|(end, play)| self.as_written(&end, &play).to_string())
            .collect()
    }

    fn refusal(self, first: Option<G::Play>) -> String {
        let longest = self.ends.iter().max_by_key(|(_, made)| made.pips());
        match (longest, first) {
            (Some((_, made)), Some(first)) => self.rules.falls_short(&self.ends, made, &first),
            _ => self.hurdle.map_or_else(
                || "the dice do not lead along these points".to_owned(),
                |(_, why)| why,
            ),
        }
    }
}
