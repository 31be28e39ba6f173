//! Analysis of a record: each decision beside the moves that the program thinks best.

use super::{
    AnyGame, AnyPosition, Choices, Entry, Evaluation, EvaluationBudget, EvaluationUnit, Next, Roll,
    SearchDepth, Seat, replay,
};

/// The kinds of decisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecisionKind {
    /// A roll was played.
    Play(Roll),
    /// A player could double before the roll.
    Double,
    /// A player answered a double.
    Answer,
}

/// A possible move and its evaluation for the side that decided.
#[derive(Clone, Debug, PartialEq)]
pub struct EvaluatedMove {
    /// The move as the record writes it; `None` where the dice were rolled without a double.
    pub text: Option<String>,
    /// The evaluation of the position after the move.
    pub evaluation: Evaluation,
}

/// A decision with more than one legal choice.
#[derive(Clone, Debug, PartialEq)]
pub struct AnalysedDecision {
    /// The number of the move. If a side did not double before its roll, the number of its next
    /// move.
    pub moveno: usize,
    /// The side that decided.
    pub seat: Seat,
    /// The kind of decision.
    pub kind: DecisionKind,
    /// The depth of the search behind the evaluations.
    pub depth: SearchDepth,
    /// The best choices, best first. Never empty.
    pub best: Vec<EvaluatedMove>,
    /// The choice that was made.
    pub done: EvaluatedMove,
    /// The number of legal choices.
    pub choice_count: usize,
    /// The number of record entries before the decision.
    pub entry_index: usize,
}

impl AnalysedDecision {
    /// Returns the loss of value against the best choice.
    #[must_use]
    pub fn cost(&self) -> f32 {
        let most =
            self.best.first().map_or(self.done.evaluation.value, |best| best.evaluation.value);
        (most - self.done.evaluation.value).max(0.0)
    }

    /// Returns whether a roll was played.
    #[must_use]
    pub const fn is_play(&self) -> bool {
        matches!(self.kind, DecisionKind::Play(_))
    }
}

/// A move of a record beside the program's evaluation of the position after it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnalysedMove {
    /// The side that moved.
    pub seat: Seat,
    /// How much more the roll before the move was worth than an average one; `None` without a roll,
    /// and for the roll that decides who begins.
    pub luck: Option<f32>,
    /// The side's chance to win the game after the move; `None` if no roll was played.
    pub win: Option<f32>,
}

/// A program's analysis of a record.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// The unit of all values.
    pub unit: EvaluationUnit,
    /// Every decision with a choice, in order.
    pub decisions: Vec<AnalysedDecision>,
    /// Every move, in order; the first has the number 1.
    pub moves: Vec<AnalysedMove>,
    /// For each side, the sum over its rolls of value minus average value.
    pub luck: [f32; 2],
    /// Whether the analysis stopped before the end of the record because its budget was spent.
    pub is_truncated: bool,
}

/// The number of best choices that are kept.
const BEST: usize = 3;

/// The approximate number of positions that a one-ply search judges for one move.
const AHEAD: u32 = 450;

/// The approximate number of positions that are judged to search a decision deeper: its three best
/// choices and the one that was made.
const DEEPER: u32 = 4 * AHEAD;

impl Analysis {
    /// Evaluates every decision of a record, then searches the costliest decisions deeper while the
    /// budget lasts. Returns `None` where the program cannot judge such boards.
    ///
    /// # Panics
    /// Panics if `record` is not a record of `game`.
    #[must_use]
    pub fn of_record(
        game: &dyn AnyGame,
        options: &Choices,
        record: &[Entry],
        mut effort: EvaluationBudget,
    ) -> Option<Self> {
        let start = game.setup(options);
        let unit = start.evaluation_unit()?;
        let mut found = Self {
            unit,
            decisions: Vec::new(),
            moves: Vec::new(),
            luck: [0.0; 2],
            is_truncated: false,
        };
        found.evaluate_all(start.copy(), (game, record), &mut effort);
        found.search_deeper(start, record, &mut effort);
        for AnalysedDecision { moveno, done, .. } in
            found.decisions.iter().filter(|decision| decision.is_play())
        {
            found.moves[moveno - 1].win = Some(done.evaluation.odds.win());
        }
        Some(found)
    }

    /// Returns the decisions with this move number: the play and the double before its roll.
    #[must_use]
    pub fn at(&self, moveno: usize) -> Vec<&AnalysedDecision> {
        self.decisions.iter().filter(|decision| decision.moveno == moveno).collect()
    }

    /// Returns the decisions of a side.
    pub fn of_seat(&self, seat: Seat) -> impl Iterator<Item = &AnalysedDecision> {
        self.decisions.iter().filter(move |decision| decision.seat == seat)
    }

    fn evaluate_all(
        &mut self,
        mut position: Box<dyn AnyPosition>,
        (game, record): (&dyn AnyGame, &[Entry]),
        effort: &mut EvaluationBudget,
    ) {
        let (mut roll, mut luck) = (None, None);
        for (entry_index, entry) in record.iter().enumerate() {
            if !effort.allows(AHEAD) {
                self.is_truncated = true;
                return;
            }
            let choice = choice_made(game, position.next(), entry, &mut roll);
            let (mut win, moveno) = (None, self.moves.len() + 1);
            if let Some(Choice { seat, kind, done }) = choice
                && let Some(Weighed { best, done, choice_count }) = weigh(&*position, done, effort)
            {
                let is_play = matches!(kind, DecisionKind::Play(_));
                win = is_play.then(|| done.evaluation.odds.win());
                let depth = SearchDepth::ZeroPly;
                if choice_count > 1 {
                    self.decisions.push(AnalysedDecision {
                        moveno,
                        seat,
                        kind,
                        depth,
                        best,
                        done,
                        choice_count,
                        entry_index,
                    });
                }
            }
            match entry {
                Entry::Rolled(rolled) => {
                    roll = Some(*rolled);
                    if let Some((seat, more)) = position.luck(*rolled, effort) {
                        self.luck[seat.index()] += more;
                        luck = Some(more);
                    }
                }
                Entry::Laid(_) => {}
                Entry::Moved { seat, .. } | Entry::Resigned { seat, .. } => {
                    self.moves.push(AnalysedMove { seat: *seat, luck: luck.take(), win });
                }
            }
            replay(&mut *position, [entry]).expect("the record is one of this game");
        }
    }

    /// Searches the costliest decisions one ply deeper.
    fn search_deeper(
        &mut self,
        mut position: Box<dyn AnyPosition>,
        record: &[Entry],
        effort: &mut EvaluationBudget,
    ) {
        let mut order: Vec<usize> = (0..self.decisions.len()).collect();
        let cost = |at: &usize| self.decisions[*at].cost();
        order.sort_by(|a, b| cost(b).total_cmp(&cost(a)));
        let each = DEEPER;
        let mut left = *effort;
        let mut chosen: Vec<usize> = Vec::new();
        for at in order {
            if !left.allows(each) {
                break;
            }
            left.spend(each);
            chosen.push(at);
        }
        chosen.sort_unstable();
        let mut done = 0;
        for at in chosen {
            let decision = &mut self.decisions[at];
            replay(&mut *position, &record[done..decision.entry_index])
                .expect("it was replayed before");
            done = decision.entry_index;
            if effort.allows(each) {
                decision.search_deeper(&*position, effort);
            }
        }
    }
}

impl AnalysedDecision {
    fn search_deeper(&mut self, position: &dyn AnyPosition, effort: &mut EvaluationBudget) {
        let moves = position.moves();
        let index = |choice: &EvaluatedMove| match &choice.text {
            Some(text) => moves.iter().position(|one| one == text),
            None => Some(moves.len()),
        };
        let candidates: Vec<EvaluatedMove> = if self.best.contains(&self.done) {
            self.best.clone()
        } else {
            self.best.iter().chain([&self.done]).cloned().collect()
        };
        let Some(which) = candidates.iter().map(index).collect::<Option<Vec<_>>>() else { return };
        let Some(evaluations) = position.evaluate(Some(&which), SearchDepth::OnePly, effort) else {
            return;
        };
        let evaluated = candidates.into_iter().zip(evaluations);
        let mut evaluated: Vec<EvaluatedMove> = evaluated
            .map(|(candidate, evaluation)| EvaluatedMove { evaluation, ..candidate })
            .collect();
        if let Some(done) = evaluated.iter().find(|choice| choice.text == self.done.text) {
            self.done = done.clone();
        }
        evaluated.sort_by(best_first);
        evaluated.truncate(BEST);
        (self.best, self.depth) = (evaluated, SearchDepth::OnePly);
    }
}

/// A program's opinion of the choices in a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Opinion {
    /// The unit of all values.
    pub unit: EvaluationUnit,
    /// The best choices, best first. Never empty.
    pub best: Vec<EvaluatedMove>,
    /// The choice that was tried, if any.
    pub tried: Option<EvaluatedMove>,
    /// The number of legal choices.
    pub choice_count: usize,
    /// The depth of the search behind the evaluations.
    pub depth: SearchDepth,
}

/// The most choices that an opinion compares.
const MOST_CHOICES: usize = 10_000;

/// The most replies to a double for which an opinion looks one ply deep.
const MOST_REPLIES: usize = 4_000;

impl Opinion {
    /// Evaluates the choices of a position; the best ones, and a move that was `tried`, one ply deep
    /// if the budget allows and few replies are possible. `tried` is written as in a record. Returns
    /// `None` where the program cannot judge the position, where there is no choice or far too many,
    /// and for a move that is not legal. So the work is bounded, whatever the position.
    #[must_use]
    pub fn of_position(
        position: &dyn AnyPosition,
        tried: Option<&str>,
        mut effort: EvaluationBudget,
    ) -> Option<Self> {
        let (unit, effort) = (position.evaluation_unit()?, &mut effort);
        if position.moves_up_to(MOST_CHOICES + 1).len() > MOST_CHOICES {
            return None;
        }
        let all = choices(position, effort)?;
        let choice_count = all.len();
        let tried = match tried {
            None => None,
            Some(text) => Some(all.get(index_of(position, text)?)?.clone()),
        };
        let mut best = all;
        best.sort_by(best_first);
        best.truncate(BEST);
        let mut decision = AnalysedDecision {
            moveno: 0,
            seat: Seat(0),
            kind: DecisionKind::Answer,
            depth: SearchDepth::ZeroPly,
            done: tried.clone().unwrap_or_else(|| best[0].clone()),
            best,
            choice_count,
            entry_index: 0,
        };
        let is_small = |choice: &EvaluatedMove| has_few_replies(position, choice);
        if effort.allows(DEEPER) && decision.best.iter().chain([&decision.done]).all(is_small) {
            decision.search_deeper(position, effort);
        }
        let tried = tried.map(|_| decision.done);
        Some(Self { unit, best: decision.best, tried, choice_count, depth: decision.depth })
    }

    /// Returns the loss of value of the choice that was tried against the best one.
    #[must_use]
    pub fn cost(&self) -> Option<f32> {
        let tried = self.tried.as_ref()?.evaluation.value;
        Some((self.best[0].evaluation.value - tried).max(0.0))
    }
}

/// Returns whether the side that moves next has few replies, even to a double.
fn has_few_replies(position: &dyn AnyPosition, choice: &EvaluatedMove) -> bool {
    let mut after = position.copy();
    if choice.text.as_ref().is_some_and(|text| after.play_recorded(text).is_err()) {
        return false;
    }
    let Next::Ready(_, throw) = after.next() else { return true };
    let mut doubles = throw.rolls().filter(|roll| matches!(roll, Roll::Two(a, b) if a == b));
    doubles.all(|roll| {
        let mut rolled = after.copy();
        rolled.roll(roll).is_ok() && rolled.moves_up_to(MOST_REPLIES + 1).len() <= MOST_REPLIES
    })
}

fn best_first(one: &EvaluatedMove, other: &EvaluatedMove) -> std::cmp::Ordering {
    other.evaluation.value.total_cmp(&one.evaluation.value)
}

/// A choice in a record.
struct Choice<'a> {
    seat: Seat,
    kind: DecisionKind,
    /// The move; `None` for a roll without a double.
    done: Option<&'a str>,
}

/// Returns the choice behind an entry of a record, if it is one. `roll` is the roll to play.
fn choice_made<'a>(
    game: &dyn AnyGame,
    next: Next,
    entry: &'a Entry,
    roll: &mut Option<Roll>,
) -> Option<Choice<'a>> {
    let done = match entry {
        Entry::Rolled(_) => None,
        Entry::Moved { text, .. } => Some(&**text),
        Entry::Laid(_) | Entry::Resigned { .. } => return None,
    };
    let is_word = |text: &str| game.spec().verbs.contains(&text);
    let (seat, kind) = match (next, done) {
        (Next::Ready(seat, _), _) => (seat, DecisionKind::Double),
        (Next::Move(seat), Some(text)) if is_word(text) => (seat, DecisionKind::Answer),
        (Next::Move(seat), Some(_)) => (seat, DecisionKind::Play(roll.take()?)),
        _ => return None,
    };
    Some(Choice { seat, kind, done })
}

/// The choices of a decision.
struct Weighed {
    best: Vec<EvaluatedMove>,
    done: EvaluatedMove,
    choice_count: usize,
}

/// Evaluates the choices of a decision; `None` if the program cannot judge the position.
fn weigh(
    position: &dyn AnyPosition,
    done: Option<&str>,
    effort: &mut EvaluationBudget,
) -> Option<Weighed> {
    let mut best = choices(position, effort)?;
    let choice_count = best.len();
    let at = match done {
        Some(text) => index_of(position, text)?,
        None => choice_count - 1,
    };
    let done = best.get(at)?.clone();
    best.sort_by(best_first);
    best.truncate(BEST);
    Some(Weighed { best, done, choice_count })
}

/// Evaluates all choices of a position, in the order of its legal moves. Before a roll, the last one
/// is to roll. Returns `None` if there is none or the program cannot judge the position.
fn choices(
    position: &dyn AnyPosition,
    effort: &mut EvaluationBudget,
) -> Option<Vec<EvaluatedMove>> {
    let evaluations = position.evaluate(None, SearchDepth::ZeroPly, effort)?;
    let texts = position.moves().into_iter().map(Some).chain([None]);
    let choices: Vec<EvaluatedMove> = texts
        .zip(evaluations)
        .map(|(text, evaluation)| EvaluatedMove { text, evaluation })
        .collect();
    (!choices.is_empty()).then_some(choices)
}

/// Finds a recorded move in the list of legal moves. The record may write the same play with other
/// steps.
fn index_of(position: &dyn AnyPosition, text: &str) -> Option<usize> {
    position.moves().iter().position(|one| one == text).or_else(|| {
        let mut after = position.copy();
        after.play_recorded(text).ok()?;
        let after = after.notation();
        position.successors().iter().position(|(_, one)| one.notation() == after)
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Chance, SeatSettings, Throw, advance};
    use super::*;
    use crate::GAMES;

    /// Plays a game between programs of these levels.
    fn played(game: &dyn AnyGame, options: &[&str], levels: [u8; 2]) -> (Choices, Vec<Entry>) {
        let spec = game.spec();
        let options = options.iter().copied();
        let options = Choices::parse(spec.options, spec.exclusive, options).unwrap();
        let mut position = game.setup(&options);
        let seat_settings = |seat: Seat| SeatSettings {
            level: Some(levels[seat.index()]),
            ..SeatSettings::default()
        };
        let record = advance(&mut *position, &mut Chance::new(1), &seat_settings);
        (options, record)
    }

    fn judged() -> impl Iterator<Item = &'static dyn AnyGame> {
        let is_judged =
            |game: &&dyn AnyGame| game.setup(&Choices::default()).evaluation_unit().is_some();
        GAMES.iter().copied().filter(is_judged)
    }

    #[test]
    fn the_program_finds_no_fault_with_itself_and_some_with_a_beginner() {
        assert_eq!(judged().count(), 11);
        for game in judged() {
            let (options, record) = played(game, &[], [1, 3]);
            let found =
                Analysis::of_record(game, &options, &record, EvaluationBudget::new(150_000))
                    .unwrap();
            let cost = |seat| found.of_seat(seat).map(AnalysedDecision::cost).sum::<f32>();
            assert!(cost(Seat(0)) > 2.0 * cost(Seat(1)), "{}", game.spec().name);
            assert!(found.of_seat(Seat(0)).count() > 5, "{}", game.spec().name);
            for one in &found.decisions {
                assert!(one.choice_count >= 2 && !one.best.is_empty(), "{one:?}");
                if one.is_play() {
                    let mut before = game.setup(&options);
                    replay(&mut *before, &record[..one.entry_index]).unwrap();
                    assert_eq!(one.choice_count, before.moves().len(), "{one:?}");
                } else {
                    assert!(one.choice_count <= 1000, "{one:?}");
                }
                assert!(one.best.is_sorted_by(|a, b| a.evaluation.value >= b.evaluation.value));
                assert!(one.cost() <= 6.0, "{one:?}");
                // Level 3 always plays the best move at zero plies.
                let is_best = one.seat == Seat(0) || !one.is_play() || one.cost() <= 0.0;
                assert!(is_best || one.depth == SearchDepth::OnePly, "{one:?}");
            }
            assert!(found.decisions.iter().any(|one| one.depth == SearchDepth::OnePly));
        }
    }

    #[test]
    fn moves_are_numbered_as_the_record_has_them() {
        for game in judged() {
            let (options, record) = played(game, &[], [3, 3]);
            let found =
                Analysis::of_record(game, &options, &record, EvaluationBudget::new(100_000))
                    .unwrap();
            for one in found.decisions.iter().filter(|one| one.is_play()) {
                let moves =
                    record[..=one.entry_index].iter().filter(|entry| !entry.is_chance()).count();
                assert_eq!(one.moveno, moves);
                let Entry::Moved { seat, text, .. } = &record[one.entry_index] else {
                    panic!("{one:?}")
                };
                assert_eq!((*seat, Some(text)), (one.seat, one.done.text.as_ref()));
                assert!(found.at(one.moveno).contains(&one));
            }
        }
    }

    #[test]
    fn every_move_has_its_chance_to_win_and_the_luck_of_its_roll() {
        for game in judged() {
            let (options, record) = played(game, &[], [1, 3]);
            let found =
                Analysis::of_record(game, &options, &record, EvaluationBudget::new(150_000))
                    .unwrap();
            let moves = record.iter().filter(|entry| !entry.is_chance());
            let seats: Vec<Seat> = moves
                .map(|entry| match entry {
                    Entry::Moved { seat, .. } | Entry::Resigned { seat, .. } => *seat,
                    Entry::Rolled(_) | Entry::Laid(_) => panic!("{entry:?}"),
                })
                .collect();
            let found_seats: Vec<Seat> = found.moves.iter().map(|one| one.seat).collect();
            assert!(!found.is_truncated && found_seats == seats, "{}", game.spec().name);
            for seat in Seat::BOTH {
                let own = found.moves.iter().filter(|one| one.seat == seat);
                let luck: f32 = own.filter_map(|one| one.luck).sum();
                assert!((luck - found.luck[seat.index()]).abs() < 1e-3, "{}", game.spec().name);
            }
            for one in found.decisions.iter().filter(|one| one.is_play()) {
                let win = found.moves[one.moveno - 1].win;
                assert_eq!(win, Some(one.done.evaluation.odds.win()), "{one:?}");
            }
            // The program resigns, so a game need not end by a play.
            let forced = found.moves.iter().filter(|one| one.win.is_some()).count();
            let plays = found.decisions.iter().filter(|one| one.is_play()).count();
            assert!(forced >= plays, "{}", game.spec().name);
        }
    }

    #[test]
    fn an_opinion_agrees_with_the_analysis() {
        for game in judged() {
            let mut compared = 0;
            let (options, record) = played(game, &[], [1, 3]);
            let found =
                Analysis::of_record(game, &options, &record, EvaluationBudget::new(500_000))
                    .unwrap();
            for one in found.decisions.iter().filter(|one| one.is_play()).step_by(7) {
                let mut before = game.setup(&options);
                replay(&mut *before, &record[..one.entry_index]).unwrap();
                let effort = EvaluationBudget::new(100_000);
                let tried = one.done.text.as_deref();
                let opinion = Opinion::of_position(&*before, tried, effort).unwrap();
                assert_eq!(opinion.choice_count, one.choice_count);
                if one.depth == SearchDepth::OnePly && opinion.depth == SearchDepth::OnePly {
                    compared += 1;
                    assert_eq!(opinion.best, one.best, "{one:?}");
                    assert_eq!(opinion.cost(), Some(one.cost()), "{one:?}");
                }
                assert_eq!(Opinion::of_position(&*before, Some("nonsense"), effort), None);
                let untried = Opinion::of_position(&*before, None, effort).unwrap();
                assert!(untried.tried.is_none() && untried.cost().is_none());
            }
            assert!(compared > 0, "{}", game.spec().name);
        }
    }

    #[test]
    fn little_effort_ends_an_analysis_early() {
        let game = crate::find("plakoto").unwrap();
        let (options, record) = played(game, &[], [3, 3]);
        let found = |effort| {
            Analysis::of_record(game, &options, &record, EvaluationBudget::new(effort)).unwrap()
        };
        let (little, all) = (found(2_000), found(200_000));
        assert!(little.is_truncated && !all.is_truncated);
        assert!(little.decisions.len() < all.decisions.len() / 2);
        assert!(little.decisions.iter().all(|one| one.depth == SearchDepth::ZeroPly));
    }

    #[test]
    fn luck_is_nothing_on_average() {
        for game in judged() {
            let (options, record) = played(game, &[], [3, 3]);
            let mut position = game.setup(&options);
            let first = record.iter().position(|entry| !entry.is_chance()).unwrap();
            replay(&mut *position, &record[..=first]).unwrap();
            let (Next::Roll(throw) | Next::Ready(_, throw)) = position.next() else { panic!() };
            let luck = |roll| position.luck(roll, &mut EvaluationBudget::new(100_000)).unwrap().1;
            let both = Throw { is_opening: false, ..throw };
            let (mut sum, mut most) = (0.0, 0.0_f32);
            for roll in both.rolls() {
                let Roll::Two(a, b) = roll else { panic!() };
                let luck = luck(roll);
                sum += luck * if a == b { 1.0 } else { 2.0 };
                most = most.max(luck);
            }
            assert!(sum.abs() < 0.01 && most > 0.01, "{}: {sum} {most}", game.spec().name);
        }
    }

    #[test]
    fn a_play_is_known_by_its_result_however_it_is_spelled() {
        let game = crate::find("backgammon").unwrap();
        let mut position = game.setup(&Choices::default());
        position.roll(Roll::Two(3, 1)).unwrap();
        let listed = position.moves();
        let at = |text: &str| index_of(&*position, text);
        assert!(listed.iter().all(|text| at(text).is_some()));
        let other = ["24-23,23-20", "24-21,21-20"];
        assert!(other.iter().any(|text| !listed.contains(&(*text).to_owned())));
        assert_eq!(at(other[0]), at(other[1]));
        assert_eq!(at("24-20,13-8"), None);
    }

    #[test]
    fn what_has_no_net_is_not_judged() {
        for (name, options) in [("malaka", &["-large"][..]), ("reversi", &[])] {
            let game = crate::find(name).unwrap();
            let spec = game.spec();
            let options = options.iter().copied();
            let options = Choices::parse(spec.options, spec.exclusive, options).unwrap();
            assert_eq!(Analysis::of_record(game, &options, &[], EvaluationBudget::new(1)), None);
        }
    }
}
