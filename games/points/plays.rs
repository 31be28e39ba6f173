//! A generator of plays: every man is tried with every die.

use super::board::{BAR, Board, LAST, Men, OFF, POINTS, PointMask, between, down, highest};
use super::{GREEDY, HeldBack, Landing, Numbers, Race};
use crate::kit::play_search::{self, Play as _};
use crate::kit::{Choices, MANUAL, Roll, Seat};
use std::cmp::Reverse;
use std::fmt::{self, Debug, Display};

/// A move of one man by one die, in own points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Step {
    pub(crate) from: u8,
    pub(crate) to: u8,
    /// The die, which may be larger than the distance when a man is borne off.
    pub(crate) die: u8,
    /// Whether a man of the other side is hit.
    pub(crate) hits: bool,
}

impl play_search::Step for Step {
    type Place = u8;

    fn to(self) -> u8 {
        self.to
    }

    fn die(self) -> u8 {
        self.die
    }

    fn takes(self) -> bool {
        self.hits
    }
}

/// The steps of one turn, in order; no steps are a pass.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Play {
    steps: [Step; 4],
    count: u8,
    /// How its points are written.
    numbers: Numbers,
}

impl Play {
    /// Returns a pass of a side whose points are written like this.
    pub(crate) fn pass(numbers: Numbers) -> Self {
        Self { steps: [Step::default(); 4], count: 0, numbers }
    }

    pub(crate) fn steps(&self) -> &[Step] {
        &self.steps[..usize::from(self.count)]
    }

    /// Returns the play with other numbering of points.
    #[must_use]
    pub(crate) fn by(self, numbers: Numbers) -> Self {
        Self { numbers, ..self }
    }
}

impl play_search::Play for Play {
    type Step = Step;

    fn steps(&self) -> &[Step] {
        self.steps()
    }

    fn and(mut self, step: Step) -> Self {
        self.steps[usize::from(self.count)] = step;
        self.count += 1;
        self
    }

    /// Returns the starts and ends of its steps: the play that begins furthest back has the least
    /// key.
    fn course(&self) -> Vec<impl Ord> {
        self.steps().iter().map(|step| (Reverse(step.from), step.to)).collect()
    }
}

impl Display for Play {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.count == 0 {
            return f.write_str("pass");
        }
        for (i, step) in self.steps().iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            let [from, to] = [step.from, step.to].map(|point| self.numbers.name(point));
            write!(f, "{comma}{from}-{to}{}", if step.hits { "*" } else { "" })?;
        }
        Ok(())
    }
}

impl Debug for Play {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

/// What stays the same during a side's play, in its own points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn {
    /// The points where its men may not land.
    pub(crate) closed: PointMask,
    /// The points where its men are pinned.
    pub(crate) pinned: PointMask,
    /// The points where it can hit a man.
    blots: PointMask,
    /// The other side's men before the play.
    pub(crate) other: Men,
    /// The rule about men who leave a point in this turn.
    pub(crate) held: Option<HeldBack>,
    /// The men before the play.
    pub(crate) start: PlayState,
}

/// The men of the side to move in the middle of its play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlayState {
    pub(crate) men: Men,
    /// The points where it has hit men.
    pub(crate) hits: PointMask,
}

impl Turn {
    pub(crate) fn new<R: Race>(board: &Board, seat: Seat) -> Self {
        let (own, pinned) = (board.men_of(seat), board.pinned[seat.index()]);
        let other = board.men_of(seat.other());
        let (closed, blots) = match R::LANDING {
            Landing::Hit => (other.many(), other.single()),
            Landing::Pin => (other.many(), 0),
            Landing::Block => (other.any(), 0),
        };
        Self {
            // The other side holds the points where our men are pinned.
            closed: R::COURSE.turned(closed) | pinned,
            pinned,
            blots: R::COURSE.turned(blots),
            other,
            held: None,
            start: PlayState { men: own, hits: 0 },
        }
    }

    /// Returns the turn with the rules that depend on its roll.
    pub(crate) fn rolled<R: Race>(self, roll: Roll) -> Self {
        Self { held: R::holds_back(&self.start.men, roll), ..self }
    }

    /// Returns the rule by which no more men may leave a point in this turn, if any.
    pub(crate) fn holds(&self, at: &PlayState, from: u8) -> Option<&'static str> {
        let HeldBack { point, men, rule } = self.held?;
        (from == point && at.men.on(point) <= men).then_some(rule)
    }

    /// Returns the points from which a die can be played, apart from [`Race::forbids`].
    fn reach(&self, at: &PlayState, die: u8) -> PointMask {
        let men = at.men.in_play();
        let free = men & !self.pinned;
        let free = match self.held {
            Some(held) if self.holds(at, held.point).is_some() => free & !(1 << held.point),
            _ => free,
        };
        // No other man moves while one is on the bar (S3 implies it by "Hit").
        let free = if free & 1 << BAR == 0 { free } else { 1 << BAR };
        let open = POINTS & !self.closed;
        let steps = (free >> die & open) << die;
        if men & !LAST == 0 && self.pinned == 0 { steps | bearing_off(men, die) } else { steps }
    }

    /// Returns the points from which a die can be played.
    pub(crate) fn steps<R: Race>(&self, at: &PlayState, die: u8) -> PointMask {
        let reach = self.reach(at, die);
        if !R::may_forbid(&at.men) {
            return reach;
        }
        down(reach)
            .filter(|&from| R::forbids(&self.after(at, from, die).men, &self.other).is_none())
            .fold(0, |set, from| set | 1 << from)
    }

    /// Returns the rule that a play breaks by ending like this, if any; see [`Race::forbids_end`].
    pub(crate) fn forbids_end<R: Race>(&self, at: &PlayState) -> Option<&'static str> {
        R::forbids_end(&at.men, &self.other)
    }

    /// Returns the men after a step.
    #[inline]
    pub(crate) fn after(&self, at: &PlayState, from: u8, die: u8) -> PlayState {
        let to = from.saturating_sub(die);
        let mut after = *at;
        after.men.take(from);
        after.men.add(to);
        after.hits |= self.blots & 1 << to;
        after
    }

    /// Returns a step as written after earlier steps of the same play.
    pub(crate) fn step(&self, hits: PointMask, from: u8, die: u8) -> Step {
        let to = from.saturating_sub(die);
        Step { from, to, die, hits: self.blots & !hits & 1 << to != 0 }
    }
}

/// Returns the points from which a die bears off men when all are in the last quadrant: the point
/// of the die, or the rearmost if all men are nearer (S3 regulations 6 and 7, "same as in Hit").
fn bearing_off(men: PointMask, die: u8) -> PointMask {
    match highest(men) {
        Some(rearmost) if rearmost < die => 1 << rearmost,
        _ => men & 1 << die,
    }
}

/// The men after a play, and its steps.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    pub(super) at: PlayState,
    /// The steps, one byte each: the start in the low bits, the die above. The last step is the
    /// lowest byte; no step is 0.
    made: u32,
}

impl End {
    const FROM: u8 = 31;

    fn then(&self, at: PlayState, from: u8, die: u8) -> Self {
        Self { at, made: self.made << 8 | u32::from(die) << 5 | u32::from(from) }
    }

    /// Returns the furthest start of the next step if rear men move first.
    fn last(&self) -> u8 {
        match self.made.to_be_bytes()[3] & Self::FROM {
            0 => BAR,
            from => from,
        }
    }
}

/// The orders of steps to try.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// No step starts further back than the one before it. Every play has such an order: men enter
    /// first, a man is borne off after the men behind it have moved, and the other side's men do
    /// not move. For one sequence of dice, different orders of this kind have different results.
    RearFirst,
    /// All orders, needed where [`Race::forbids`] looks at the men between the steps.
    Any,
}

/// A step that the places allow but [`Race::forbids`] does not.
struct Forbidden;

/// A search for all plays that reuses its memory.
#[derive(Debug)]
pub(super) struct PlaySearch {
    /// The results of all plays of the most pips, each once.
    pub(super) ends: Vec<End>,
    /// The pips of these plays.
    most: u8,
    /// The results of a sequence of dice so far, and of the sequence without its last die.
    layer: Vec<End>,
    before: Vec<End>,
}

impl PlaySearch {
    fn new() -> Self {
        // Few rolls have more results, and less than a kilobyte is cheap.
        let room = || Vec::with_capacity(40);
        Self { ends: room(), most: 0, layer: room(), before: room() }
    }

    fn run<R: Race>(&mut self, turn: &Turn, roll: Roll) {
        let turn = &turn.rolled::<R>(roll);
        if self.find::<R>(turn, roll, Order::RearFirst).is_err() {
            // Rear-first order loses no play unless a step is forbidden.
            let _ = self.find::<R>(turn, roll, Order::Any);
        }
        let is_forbidden = |end: &End| turn.forbids_end::<R>(&end.at).is_some();
        if self.ends.iter().any(is_forbidden) && !self.ends.iter().all(is_forbidden) {
            self.ends.retain(|end| !is_forbidden(end));
        }
    }

    fn find<R: Race>(&mut self, turn: &Turn, roll: Roll, order: Order) -> Result<(), Forbidden> {
        self.ends.clear();
        self.ends.push(End { at: turn.start, made: 0 });
        self.most = 0;
        match roll {
            Roll::One(die) => self.follow::<R>(turn, &[die], order),
            Roll::Two(a, b) if a == b => self.follow::<R>(turn, &[a; 4], order),
            Roll::Two(a, b) => {
                self.follow::<R>(turn, &[a.max(b), a.min(b)], order)?;
                self.follow::<R>(turn, &[a.min(b), a.max(b)], order)
            }
        }
    }

    /// Plays as many of these dice as possible, in this order, in every way.
    fn follow<R: Race>(&mut self, turn: &Turn, dice: &[u8], order: Order) -> Result<(), Forbidden> {
        self.layer.clear();
        self.layer.push(End { at: turn.start, made: 0 });
        let mut pips = 0;
        for &die in dice {
            std::mem::swap(&mut self.layer, &mut self.before);
            self.layer.clear();
            for end in &self.before {
                let mut steps = turn.steps::<R>(&end.at, die);
                if order == Order::RearFirst {
                    if R::may_forbid(&end.at.men) && steps != turn.reach(&end.at, die) {
                        return Err(Forbidden);
                    }
                    steps &= between(0, end.last());
                }
                for from in down(steps) {
                    let after = end.then(turn.after(&end.at, from, die), from, die);
                    if order == Order::RearFirst || is_new(&self.layer, &after) {
                        self.layer.push(after);
                    }
                }
            }
            if self.layer.is_empty() {
                std::mem::swap(&mut self.layer, &mut self.before);
                break;
            }
            pips += die;
        }
        if pips > self.most {
            self.most = pips;
            std::mem::swap(&mut self.ends, &mut self.layer);
        } else if pips == self.most && pips > 0 {
            let known = self.ends.len();
            for end in &self.layer {
                if is_new(&self.ends[..known], end) {
                    self.ends.push(*end);
                }
            }
        }
        Ok(())
    }
}

/// Returns whether a result is new.
fn is_new(known: &[End], end: &End) -> bool {
    !known.iter().any(|other| other.at == end.at)
}

/// Lists the plays of a roll: of all sequences of steps those of the most pips (S3 regulation 5,
/// and S0's and S2's "maximum number of pips"), one for each resulting position. A pass is the play
/// of a roll that cannot be played.
pub(crate) fn plays<R: Race>(board: &Board, seat: Seat, roll: Roll) -> Vec<Play> {
    plays_up_to::<R>(usize::MAX, board, seat, roll)
}

/// Lists the first `most` plays of a roll.
pub(crate) fn plays_up_to<R: Race>(
    most: usize,
    board: &Board,
    seat: Seat,
    roll: Roll,
) -> Vec<Play> {
    let (turn, search) = searched::<R>(board, seat, roll);
    search.ends.iter().take(most).map(|end| written::<R>(&turn, seat, end)).collect()
}

/// Returns the play that is made for a player with these settings: the only one, or one that bears off.
pub(crate) fn automatic_play<R: Race>(
    board: &Board,
    seat: Seat,
    roll: Roll,
    settings: &Choices,
) -> Option<Play> {
    let (turn, search) = searched::<R>(board, seat, roll);
    if let [only] = &search.ends[..] {
        let only = written::<R>(&turn, seat, only);
        // Players by hand need not pass.
        if only.steps().is_empty() || !settings.has(MANUAL.switch.name) {
            return Some(only);
        }
    }
    let is_greedy = settings.has(GREEDY.switch.name);
    is_greedy.then(|| greedy_play::<R>(board, seat, roll)).flatten()
}

/// Returns the play of a roll with this result, if there is one.
pub(crate) fn play_to<R: Race>(
    board: &Board,
    seat: Seat,
    roll: Roll,
    at: &PlayState,
) -> Option<Play> {
    let (turn, search) = searched::<R>(board, seat, roll);
    let end = search.ends.iter().find(|end| end.at == *at)?;
    Some(written::<R>(&turn, seat, end))
}

pub(super) fn searched<R: Race>(board: &Board, seat: Seat, roll: Roll) -> (Turn, PlaySearch) {
    let turn = Turn::new::<R>(board, seat);
    let mut search = PlaySearch::new();
    search.run::<R>(&turn, roll);
    (turn, search)
}

/// Returns the play of a search result.
fn written<R: Race>(turn: &Turn, seat: Seat, end: &End) -> Play {
    let mut play = Play::pass(R::NUMBERS[seat.index()]);
    let mut hits = 0;
    for byte in end.made.to_be_bytes().into_iter().filter(|&byte| byte != 0) {
        let step = turn.step(hits, byte & End::FROM, byte >> 5);
        hits |= PointMask::from(step.hits) << step.to;
        play = play.and(step);
    }
    play
}

/// Makes a play that [`plays`] listed or [`super::read`] returned.
pub(crate) fn apply<R: Race>(board: &mut Board, seat: Seat, play: &Play) {
    let turn = Turn::new::<R>(board, seat);
    let end = play.steps().iter().fold(turn.start, |at, step| turn.after(&at, step.from, step.die));
    settle::<R>(board, seat, &end);
}

/// Updates the board after a play's steps: men are hit, pinned and freed.
pub(super) fn settle<R: Race>(board: &mut Board, seat: Seat, at: &PlayState) {
    let (own, other) = (seat.index(), seat.other().index());
    board.men[own] = at.men;
    match R::LANDING {
        Landing::Hit => {
            for point in down(at.hits) {
                board.men[other].take(R::COURSE.across(point));
                board.men[other].add(BAR);
            }
        }
        Landing::Pin => {
            let above = R::COURSE.turned(at.men.any() & !board.pinned[own]);
            board.pinned[other] = board.men[other].single() & above;
        }
        Landing::Block => {}
    }
}

/// Counts sequences of plays from before a roll; see [`crate::AnyGame::perft`]. Nothing follows a board on
/// which `is_over` returns true after a side's play.
pub(crate) fn perft<R: Race>(
    board: &Board,
    seat: Seat,
    depth: u32,
    is_over: &impl Fn(&Board, Seat) -> bool,
) -> u64 {
    let mut searches: Vec<PlaySearch> = (0..depth).map(|_| PlaySearch::new()).collect();
    ways::<R>(board, seat, &mut searches, is_over)
}

fn ways<R: Race>(
    board: &Board,
    seat: Seat,
    searches: &mut [PlaySearch],
    is_over: &impl Fn(&Board, Seat) -> bool,
) -> u64 {
    let Some((search, deeper)) = searches.split_first_mut() else { return 1 };
    let turn = Turn::new::<R>(board, seat);
    let mut count = 0;
    for a in 1..=6 {
        for b in a..=6 {
            search.run::<R>(&turn, Roll::Two(a, b));
            if deeper.is_empty() {
                count += search.ends.len() as u64;
                continue;
            }
            for end in &search.ends {
                let mut after = *board;
                settle::<R>(&mut after, seat, &end.at);
                if !is_over(&after, seat) {
                    count += ways::<R>(&after, seat.other(), deeper, is_over);
                }
            }
        }
    }
    count
}

/// Returns a play that bears off a man with every step, if the sides are out of contact.
fn greedy_play<R: Race>(board: &Board, seat: Seat, roll: Roll) -> Option<Play> {
    // No man is borne off while others are further back, so this test only saves time.
    let all_in_last = board.men_of(seat).in_play() & !LAST == 0;
    if !all_in_last || board.has_contact(R::COURSE) {
        return None;
    }
    let bears_off = |play: &Play| play.steps().iter().all(|step| step.to == OFF);
    plays::<R>(board, seat, roll).into_iter().find(bears_off)
}

/// The board after each play of a roll, in the order in which [`plays`] lists them.
pub(crate) fn boards<R: Race>(
    board: &Board,
    seat: Seat,
    roll: Roll,
) -> impl Iterator<Item = Board> {
    let (_, search) = searched::<R>(board, seat, roll);
    let board = *board;
    search.ends.into_iter().map(move |end| {
        let mut after = board;
        settle::<R>(&mut after, seat, &end.at);
        after
    })
}
