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

/// A program's analysis of a record.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// The unit of all values.
    pub unit: EvaluationUnit,
    /// Every decision with a choice, in order.
    pub decisions: Vec<AnalysedDecision>,
    /// For each side, the sum over its rolls of value minus average value.
    pub luck: [f32; 2],
    /// Whether the analysis stopped before the end of the record because its budget was spent.
    pub is_truncated: bool,
}

/// The number of best choices that are kept.
const BEST: usize = 3;

/// The approximate number of positions that a one-ply search judges for one move.
const AHEAD: u32 = 450;

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
        let mut found = Self { unit, decisions: Vec::new(), luck: [0.0; 2], is_truncated: false };
        found.evaluate_all(start.copy(), (game, record), &mut effort);
        found.search_deeper(start, record, &mut effort);
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
        let (mut moveno, mut roll) = (1, None);
        for (entry_index, entry) in record.iter().enumerate() {
            if !effort.allows(AHEAD) {
                self.is_truncated = true;
                return;
            }
            let done = match entry {
                Entry::Rolled(_) => Some(None),
                Entry::Moved { text, .. } => Some(Some(&**text)),
                Entry::Laid(_) | Entry::Resigned { .. } => None,
            };
            let is_word = |text: &str| game.spec().verbs.contains(&text);
            let kind = match (position.next(), done) {
                (Next::Ready(seat, _), Some(_)) => Some((seat, DecisionKind::Double)),
                (Next::Move(seat), Some(Some(text))) if is_word(text) => {
                    Some((seat, DecisionKind::Answer))
                }
                (Next::Move(seat), Some(Some(_))) => {
                    roll.take().map(|roll| (seat, DecisionKind::Play(roll)))
                }
                _ => None,
            };
            if let (Some((seat, kind)), Some(done)) = (kind, done)
                && let Some(Weighed { best, done, choice_count }) = weigh(&*position, done, effort)
            {
                self.decisions.push(AnalysedDecision {
                    moveno,
                    seat,
                    kind,
                    depth: SearchDepth::ZeroPly,
                    best,
                    done,
                    choice_count,
                    entry_index,
                });
            }
            if let Entry::Rolled(rolled) = entry {
                roll = Some(*rolled);
                if let Some((seat, luck)) = position.luck(*rolled, effort) {
                    self.luck[seat.index()] += luck;
                }
            }
            moveno += usize::from(!entry.is_chance());
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
        let each = AHEAD * u32::try_from(BEST + 1).unwrap_or(u32::MAX);
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
        let index = |way: &EvaluatedMove| match &way.text {
            Some(text) => moves.iter().position(|one| one == text),
            None => Some(moves.len()),
        };
        let ways: Vec<EvaluatedMove> = if self.best.contains(&self.done) {
            self.best.clone()
        } else {
            self.best.iter().chain([&self.done]).cloned().collect()
        };
        let Some(which) = ways.iter().map(index).collect::<Option<Vec<_>>>() else { return };
        let Some(evaluations) = position.evaluate(Some(&which), SearchDepth::OnePly, effort) else {
            return;
        };
        let seen = ways.into_iter().zip(evaluations);
        let mut seen: Vec<EvaluatedMove> =
            seen.map(|(way, evaluation)| EvaluatedMove { evaluation, ..way }).collect();
        if let Some(done) = seen.iter().find(|way| way.text == self.done.text) {
            self.done = done.clone();
        }
        seen.sort_by(best_first);
        seen.truncate(BEST);
        (self.best, self.depth) = (seen, SearchDepth::OnePly);
    }
}

fn best_first(one: &EvaluatedMove, other: &EvaluatedMove) -> std::cmp::Ordering {
    other.evaluation.value.total_cmp(&one.evaluation.value)
}

/// The choices of a decision.
struct Weighed {
    best: Vec<EvaluatedMove>,
    done: EvaluatedMove,
    choice_count: usize,
}

/// Evaluates the choices of a decision; `None` if there was only one or the program cannot judge the
/// position.
fn weigh(
    position: &dyn AnyPosition,
    done: Option<&str>,
    effort: &mut EvaluationBudget,
) -> Option<Weighed> {
    let evaluations = position.evaluate(None, SearchDepth::ZeroPly, effort)?;
    if evaluations.len() < 2 {
        return None;
    }
    let texts = position.moves().into_iter().map(Some).chain([None]);
    let mut best: Vec<EvaluatedMove> = texts
        .zip(evaluations)
        .map(|(text, evaluation)| EvaluatedMove { text, evaluation })
        .collect();
    let choice_count = best.len();
    let at = match done {
        Some(text) => index_of(position, text)?,
        None => choice_count - 1,
    };
    let done = best[at].clone();
    best.sort_by(best_first);
    best.truncate(BEST);
    Some(Weighed { best, done, choice_count })
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
        let likes = |seat: Seat| SeatSettings {
            level: Some(levels[seat.index()]),
            ..SeatSettings::default()
        };
        let record = advance(&mut *position, &mut Chance::new(1), &likes);
        (options, record)
    }

    fn judged() -> impl Iterator<Item = &'static dyn AnyGame> {
        let is_judged =
            |game: &&dyn AnyGame| game.setup(&Choices::default()).evaluation_unit().is_some();
        GAMES.iter().copied().filter(is_judged)
    }

    #[test]
    fn the_program_finds_no_fault_with_itself_and_some_with_a_beginner() {
        assert_eq!(judged().count(), 5);
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
            replay(&mut *position, &record[..2]).unwrap();
            let (Next::Roll(throw) | Next::Ready(_, throw)) = position.next() else { panic!() };
            let luck = |roll| position.luck(roll, &mut EvaluationBudget::new(100_000)).unwrap().1;
            let both = Throw { opening: false, ..throw };
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
