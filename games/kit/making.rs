//! A play in the making: what has been done of it, and what can come next.
//!
//! A play is put together on a board by steps. Only steps that some legal play begins with are
//! offered, so the rules on how much of a roll must be played need no words there.

use super::march::{Ground, PlaceOf, Play as _, Step as _, StepOf};
use super::{Diagram, Dice, Game, MoveError, Next, ROLL, Spot, View};

#[cfg(test)]
mod tests;

/// A move in the making, as a viewer sees and writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Begun {
    /// The position after the steps made, and which dice they used. Where nobody may look ahead
    /// it is the position before them.
    pub diagram: Diagram,
    /// The way of each step made, from place to place; a press has one place.
    pub ways: Vec<Vec<Spot>>,
    /// The steps that can come next, in a fixed order; none once the move is complete.
    pub next: Vec<NextStep>,
    /// The whole move, as [`crate::say`] reads it from this viewer, if it can be sent now: it is
    /// complete, or no step was made and there is no other.
    pub play: Option<String>,
    /// Whole moves that touch no place of the board, where no step was made: `pass`, `double`.
    pub spoken: Vec<String>,
}

/// One step that can come next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NextStep {
    /// Where a man comes from; nothing where a point is pressed.
    pub from: Option<Spot>,
    /// Where it goes, or what is pressed.
    pub to: Spot,
    /// The places between them, where one man goes on by several dice.
    pub via: Vec<Spot>,
    /// The step as the viewer writes it, which is how it is made.
    pub words: String,
}

/// The words to say where no move has steps: before dice are rolled, in answer to a double.
///
/// # Errors
/// There are steps.
pub(crate) fn spoken<G: Game>(
    position: &G,
    view: &View,
    steps: &[&str],
) -> Result<Begun, MoveError> {
    if !steps.is_empty() {
        return Err(MoveError::NothingToMove);
    }
    let moves = position.moves().into_iter();
    let mut spoken: Vec<String> = moves.map(|m| m.to_string()).collect();
    let play = match (&spoken[..], position.next()) {
        ([only], Next::Move(_)) => Some(only.clone()),
        _ => None,
    };
    if matches!(position.next(), Next::Ready(..)) {
        spoken.insert(0, ROLL.to_owned());
    }
    let diagram = position.diagram(view);
    Ok(Begun { diagram, ways: Vec::new(), next: Vec::new(), play, spoken })
}

/// A march in the making.
pub(crate) struct PartialPlay<S> {
    /// Where the men are.
    pub(crate) at: S,
    /// How often each of the dice was used.
    used: [u8; 2],
    ways: Vec<Vec<Spot>>,
    next: Vec<NextStep>,
    play: Option<String>,
    /// Whether there is nothing to play.
    passes: bool,
}

impl<S> PartialPlay<S> {
    /// The move in the making on a board that looks so.
    pub(crate) fn on(self, mut diagram: Diagram) -> Begun {
        let dice = match &mut diagram {
            Diagram::Corridor(board) => board.dice.as_mut(),
            Diagram::Points(board) => board.dice.as_mut().map(|(_, dice)| dice),
            Diagram::Grid(_) => None,
        };
        if let Some(dice) = dice {
            dice.used = self.used;
        }
        let spoken = self.play.iter().filter(|_| self.passes).cloned().collect();
        Begun { diagram, ways: self.ways, next: self.next, play: self.play, spoken }
    }
}

/// The result of these steps of a side, each written as it was offered.
///
/// # Errors
/// The first step that was not offered.
pub(crate) fn making<G: Ground>(
    ground: &G,
    steps: &[&str],
) -> Result<PartialPlay<G::Stand>, MoveError> {
    let mut marching = MarchState::new(ground);
    let mut next = marching.next();
    let mut ways = Vec::new();
    for words in steps {
        let Some(path) = next.iter().find(|path| path.words(ground) == **words) else {
            let example = next.first().map(|path| path.words(ground));
            return Err(MoveError::Illegal(refusal(words, example)));
        };
        ways.push(path.spots(ground));
        marching.follow(path);
        next = marching.next();
    }
    let (play, passes) = if steps.is_empty() {
        match ground.plays(2)[..] {
            [only] => (Some(only.to_string()), only.steps().is_empty()),
            _ => (None, false),
        }
    } else {
        (next.is_empty().then(|| steps.join(",")), false)
    };
    Ok(PartialPlay {
        used: marching.left.used_of(ground.dice()),
        at: marching.at,
        ways,
        next: next.iter().map(|path| path.step(ground)).collect(),
        play,
        passes,
    })
}

/// The steps by one die with which a legal play of a side begins.
pub(crate) fn first_steps<G: Ground>(ground: &G) -> Vec<NextStep> {
    let marching = MarchState::new(ground);
    let of_man = |from| marching.by_one_die(from).map(|path| path.step(ground));
    ground.movers(&marching.at).flat_map(of_man).collect()
}

/// Why words are no step that can come next, such as the example.
fn refusal(words: &str, example: Option<String>) -> String {
    match example {
        Some(example) => format!("{words} cannot come next; {example} can"),
        None => format!("the play is complete before {words}"),
    }
}

/// The men of a side on their march.
struct MarchState<'a, G: Ground> {
    ground: &'a G,
    at: G::Stand,
    left: Dice,
    /// The pips that must still be played.
    pips: u8,
}

impl<'a, G: Ground> MarchState<'a, G> {
    fn new(ground: &'a G) -> Self {
        let (at, left) = (ground.start(), ground.dice());
        Self { ground, pips: most(ground, &at, left), at, left }
    }

    fn follow(&mut self, path: &StepPath<G>) {
        self.pips -= path.pips();
        (self.at, self.left) = (path.at.clone(), path.left);
    }

    /// Every way that one man can go next and that a legal play begins with, by a die or by
    /// several. Where it can come to a place by one die it does; where several dice lead there in
    /// different ways that do not come to the same it goes step by step.
    fn next(&self) -> Vec<StepPath<G>> {
        let of_man = |from| {
            let mut paths = Vec::new();
            let stands = StepPath { from, steps: Vec::new(), at: self.at.clone(), left: self.left };
            self.explore(&stands, &mut paths);
            one_to_each_place(paths)
        };
        self.ground.movers(&self.at).flat_map(of_man).collect()
    }

    /// Where one man can go by one die, each place once.
    fn by_one_die(&self, from: PlaceOf<G>) -> impl Iterator<Item = StepPath<G>> {
        let stands = StepPath { from, steps: Vec::new(), at: self.at.clone(), left: self.left };
        let mut to = Vec::new();
        let mut ways: Vec<StepPath<G>> = self.onward(&stands).collect();
        ways.retain(|way| {
            let is_new = !to.contains(&way.to());
            to.push(way.to());
            is_new
        });
        ways.into_iter()
    }

    /// The ways that are a step longer, and that a legal play begins with.
    fn onward<'b>(&'b self, path: &'b StepPath<G>) -> impl Iterator<Item = StepPath<G>> + 'b {
        let steps = self.ground.steps(&path.at, path.left, path.to());
        let ways = steps.map(|step| path.and(self.ground, step));
        ways.filter(|on| on.pips() + most(self.ground, &on.at, on.left) == self.pips)
    }

    /// Adds the ways on which the man goes on.
    fn explore(&self, path: &StepPath<G>, paths: &mut Vec<StepPath<G>>) {
        for on in self.onward(path) {
            self.explore(&on, paths);
            paths.push(on);
        }
    }
}

/// The most pips that can be played from there on.
fn most<G: Ground>(ground: &G, at: &G::Stand, left: Dice) -> u8 {
    let mut most_yet = 0;
    if left.count() == 0 {
        return most_yet;
    }
    for from in ground.movers(at) {
        for step in ground.steps(at, left, from) {
            let after = ground.after(at, step);
            let pips = step.die() + most(ground, &after, left.without(step.die()));
            if pips == left.pips() {
                return pips;
            }
            most_yet = most_yet.max(pips);
        }
    }
    most_yet
}

/// A way of one man.
struct StepPath<G: Ground> {
    from: PlaceOf<G>,
    steps: Vec<StepOf<G>>,
    /// Where the men are at its end, and the dice left there.
    at: G::Stand,
    left: Dice,
}

impl<G: Ground> StepPath<G> {
    fn to(&self) -> PlaceOf<G> {
        self.steps.last().map_or(self.from, |step| step.to())
    }

    fn pips(&self) -> u8 {
        self.steps.iter().map(|step| step.die()).sum()
    }

    fn and(&self, ground: &G, step: StepOf<G>) -> Self {
        let steps = self.steps.iter().copied().chain([step]).collect();
        let (at, left) = (ground.after(&self.at, step), self.left.without(step.die()));
        Self { from: self.from, steps, at, left }
    }

    /// The way as the player writes it: each place once.
    fn words(&self, ground: &G) -> String {
        let (mut words, mut from) = (ground.name(self.from), self.from);
        for &step in &self.steps {
            let written = ground.pass().and(step).to_string();
            words.push_str(&written[ground.name(from).len()..]);
            from = step.to();
        }
        words
    }

    fn spots(&self, ground: &G) -> Vec<Spot> {
        let places = self.steps.iter().map(|step| step.to());
        [self.from].into_iter().chain(places).map(|place| ground.spot(place)).collect()
    }

    fn step(&self, ground: &G) -> NextStep {
        let mut via = self.spots(ground);
        let from = Some(via.remove(0));
        via.pop();
        NextStep { from, to: ground.spot(self.to()), via, words: self.words(ground) }
    }
}

/// Of the ways of one man those that nobody can mistake for others, by fewer dice first.
fn one_to_each_place<G: Ground>(mut paths: Vec<StepPath<G>>) -> Vec<StepPath<G>> {
    paths.sort_by_key(|path| path.steps.len());
    let mut told: Vec<StepPath<G>> = Vec::new();
    while !paths.is_empty() {
        let first = paths.remove(0);
        let (same, others): (Vec<_>, Vec<_>) =
            paths.into_iter().partition(|path| path.to() == first.to());
        let is_clear = first.steps.len() == 1
            || same.iter().all(|path| path.at == first.at && path.left == first.left);
        if is_clear {
            told.push(first);
        }
        paths = others;
    }
    told
}
