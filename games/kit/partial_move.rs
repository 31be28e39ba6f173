//! Partial moves: the steps made so far and the steps that can follow.
//!
//! A player builds a play on the board step by step. Only steps that begin some legal play are
//! offered, so no step can break the rules on how much of a roll must be played.

use super::play_search::{PlaceOf, Play as _, Step as _, StepOf, TurnRules};
use super::{Diagram, Dice, Game, MoveError, Next, ROLL, Spot, View};

#[cfg(test)]
mod tests;

/// A partial move, as a viewer sees and writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartialMove {
    /// The position after the steps, with the dice they used. In games where no player may look
    /// ahead, the position before the steps.
    pub diagram: Diagram,
    /// The path of each step, from place to place; a press has one place.
    pub paths: Vec<Vec<Spot>>,
    /// The steps that can follow, in a fixed order; empty once the move is complete.
    pub next: Vec<NextStep>,
    /// The text of the whole move for [`crate::play_text`], if it can be sent now: the move is
    /// complete, or there is only one and no step was made.
    pub play: Option<String>,
    /// Whole moves without places, such as `pass` and `double`, while no step was made; after steps,
    /// the moves that they may mean, such as promotions to different men.
    pub other_moves: Vec<String>,
}

/// A step that can follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NextStep {
    /// The start of a man's path; `None` for a press.
    pub from: Option<Spot>,
    /// The end of the path, or the pressed point.
    pub to: Spot,
    /// The places between, where one man moves by several dice.
    pub via: Vec<Spot>,
    /// The step in the viewer's notation, which is how it is made.
    pub words: String,
}

/// Returns the partial move where moves have no steps: before a roll, or as the answer to a double.
///
/// # Errors
/// `steps` is not empty.
pub(crate) fn whole_moves<G: Game>(
    position: &G,
    view: &View,
    steps: &[&str],
) -> Result<PartialMove, MoveError> {
    if !steps.is_empty() {
        return Err(MoveError::NothingToMove);
    }
    let moves = position.moves().into_iter();
    let mut other_moves: Vec<String> = moves.map(|m| m.to_string()).collect();
    let play = match (&other_moves[..], position.next()) {
        ([only], Next::Move(_)) => Some(only.clone()),
        _ => None,
    };
    if matches!(position.next(), Next::Ready(..)) {
        other_moves.insert(0, ROLL.to_owned());
    }
    let diagram = position.diagram(view);
    Ok(PartialMove { diagram, paths: Vec::new(), next: Vec::new(), play, other_moves })
}

/// The steps of a play so far, without a diagram.
pub(crate) struct StepsSoFar<S> {
    /// The men after the steps.
    pub(crate) at: S,
    /// How often each of the dice was used.
    used: [u8; 2],
    paths: Vec<Vec<Spot>>,
    next: Vec<NextStep>,
    play: Option<String>,
    /// Whether the only legal play is a pass.
    passes: bool,
}

impl<S> StepsSoFar<S> {
    /// Puts the dice used into the diagram of the men after the steps.
    pub(crate) fn on(self, mut diagram: Diagram) -> PartialMove {
        let dice = match &mut diagram {
            Diagram::Corridor(board) => board.dice.as_mut(),
            Diagram::Points(board) => board.dice.as_mut().map(|(_, dice)| dice),
            Diagram::Board(_) => None,
        };
        if let Some(dice) = dice {
            dice.used = self.used;
        }
        let other_moves = self.play.iter().filter(|_| self.passes).cloned().collect();
        PartialMove { diagram, paths: self.paths, next: self.next, play: self.play, other_moves }
    }
}

/// Makes steps, each in the text in which it was offered.
///
/// # Errors
/// The first step that was not offered.
pub(crate) fn make_steps<G: TurnRules>(
    rules: &G,
    steps: &[&str],
) -> Result<StepsSoFar<G::State>, MoveError> {
    let mut marching = PlayBuilder::new(rules);
    let mut next = marching.next();
    let mut paths = Vec::new();
    for words in steps {
        let Some(path) = next.iter().find(|path| path.words(rules) == **words) else {
            let example = next.first().map(|path| path.words(rules));
            return Err(MoveError::Illegal(refusal(words, example)));
        };
        paths.push(path.spots(rules));
        marching.follow(path);
        next = marching.next();
    }
    let (play, passes) = if steps.is_empty() {
        match rules.plays(2)[..] {
            [only] => (Some(only.to_string()), only.steps().is_empty()),
            _ => (None, false),
        }
    } else {
        (next.is_empty().then(|| steps.join(",")), false)
    };
    Ok(StepsSoFar {
        used: marching.left.used_of(rules.dice()),
        at: marching.at,
        paths,
        next: next.iter().map(|path| path.step(rules)).collect(),
        play,
        passes,
    })
}

/// Returns the one-die steps that begin a legal play.
pub(crate) fn first_steps<G: TurnRules>(rules: &G) -> Vec<NextStep> {
    let marching = PlayBuilder::new(rules);
    let of_man = |from| marching.by_one_die(from).map(|path| path.step(rules));
    rules.movers(&marching.at).flat_map(of_man).collect()
}

/// Explains why a step was not offered, with an example of one that was.
pub(super) fn refusal(words: &str, example: Option<String>) -> String {
    match example {
        Some(example) => format!("{words} cannot come next; {example} can"),
        None => format!("the play is complete before {words}"),
    }
}

/// The men and dice in the middle of a play.
struct PlayBuilder<'a, G: TurnRules> {
    rules: &'a G,
    at: G::State,
    left: Dice,
    /// The pips that a legal play must still use.
    pips: u8,
}

impl<'a, G: TurnRules> PlayBuilder<'a, G> {
    fn new(rules: &'a G) -> Self {
        let (at, left) = (rules.start(), rules.dice());
        Self { rules, pips: most(rules, &at, left), at, left }
    }

    fn follow(&mut self, path: &StepPath<G>) {
        self.pips -= path.pips();
        (self.at, self.left) = (path.at.clone(), path.left);
    }

    /// Returns every path of one man, by one die or several, that begins a legal play. A place
    /// within reach of one die is reached by one die. Where several dice lead to a place with
    /// different results, the path is offered die by die.
    fn next(&self) -> Vec<StepPath<G>> {
        let of_man = |from| {
            let mut paths = Vec::new();
            let stands = StepPath { from, steps: Vec::new(), at: self.at.clone(), left: self.left };
            self.explore(&stands, &mut paths);
            one_to_each_place(paths)
        };
        self.rules.movers(&self.at).flat_map(of_man).collect()
    }

    /// Returns the one-die paths of a man, each target once.
    fn by_one_die(&self, from: PlaceOf<G>) -> impl Iterator<Item = StepPath<G>> {
        let stands = StepPath { from, steps: Vec::new(), at: self.at.clone(), left: self.left };
        let mut to = Vec::new();
        let mut paths: Vec<StepPath<G>> = self.onward(&stands).collect();
        paths.retain(|way| {
            let is_new = !to.contains(&way.to());
            to.push(way.to());
            is_new
        });
        paths.into_iter()
    }

    /// Returns the paths that are one step longer and begin a legal play.
    fn onward<'b>(&'b self, path: &'b StepPath<G>) -> impl Iterator<Item = StepPath<G>> + 'b {
        let steps = self.rules.steps(&path.at, path.left, path.to());
        let paths = steps.map(|step| path.and(self.rules, step));
        paths.filter(|on| {
            let pips = self.pips - on.pips();
            reaches_end(self.rules, &on.at, on.left, pips)
        })
    }

    /// Collects all longer paths.
    fn explore(&self, path: &StepPath<G>, paths: &mut Vec<StepPath<G>>) {
        for on in self.onward(path) {
            self.explore(&on, paths);
            paths.push(on);
        }
    }
}

/// Returns the most pips that can still be played.
fn most<G: TurnRules>(rules: &G, at: &G::State, left: Dice) -> u8 {
    let mut most_yet = 0;
    if left.count() == 0 {
        return most_yet;
    }
    for from in rules.movers(at) {
        for step in rules.steps(at, left, from) {
            let after = rules.after(at, step);
            let pips = step.die() + most(rules, &after, left.without(step.die()));
            if pips == left.pips() {
                return pips;
            }
            most_yet = most_yet.max(pips);
        }
    }
    most_yet
}

/// Returns whether exactly these pips, the most that can still be played, lead to a legal end.
fn reaches_end<G: TurnRules>(rules: &G, at: &G::State, left: Dice, pips: u8) -> bool {
    if pips == 0 {
        return rules.why_not_end(at).is_none();
    }
    rules.movers(at).any(|from| {
        rules.steps(at, left, from).any(|step| {
            let after = rules.after(at, step);
            step.die() <= pips
                && reaches_end(rules, &after, left.without(step.die()), pips - step.die())
        })
    })
}

/// A path of one man.
struct StepPath<G: TurnRules> {
    from: PlaceOf<G>,
    steps: Vec<StepOf<G>>,
    /// The men and dice after the path.
    at: G::State,
    left: Dice,
}

impl<G: TurnRules> StepPath<G> {
    fn to(&self) -> PlaceOf<G> {
        self.steps.last().map_or(self.from, |step| step.to())
    }

    fn pips(&self) -> u8 {
        self.steps.iter().map(|step| step.die()).sum()
    }

    fn and(&self, rules: &G, step: StepOf<G>) -> Self {
        let steps = self.steps.iter().copied().chain([step]).collect();
        let (at, left) = (rules.after(&self.at, step), self.left.without(step.die()));
        Self { from: self.from, steps, at, left }
    }

    /// Writes the path in the player's notation, each place once.
    fn words(&self, rules: &G) -> String {
        let (mut words, mut from) = (rules.name(self.from), self.from);
        for &step in &self.steps {
            let written = rules.pass().and(step).to_string();
            words.push_str(&written[rules.name(from).len()..]);
            from = step.to();
        }
        words
    }

    fn spots(&self, rules: &G) -> Vec<Spot> {
        let places = self.steps.iter().map(|step| step.to());
        [self.from].into_iter().chain(places).map(|place| rules.spot(place)).collect()
    }

    fn step(&self, rules: &G) -> NextStep {
        let mut via = self.spots(rules);
        let from = Some(via.remove(0));
        via.pop();
        NextStep { from, to: rules.spot(self.to()), via, words: self.words(rules) }
    }
}

/// Keeps the paths that are unambiguous, preferring fewer dice.
fn one_to_each_place<G: TurnRules>(mut paths: Vec<StepPath<G>>) -> Vec<StepPath<G>> {
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
