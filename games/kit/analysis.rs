//! The moves of a game, beside those that the game's program thinks were best.

use super::{
    AnyGame, AnyPosition, Choices, Effort, Entry, Look, Next, Prospect, Roll, Seat, Unit, replay,
};

/// The kinds of decisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecisionKind {
    /// How dice were played.
    Play(Roll),
    /// Whether to act before the dice were rolled: to double.
    Double,
    /// How such an act was answered.
    Answer,
}

/// Something that could be done, and what it would have come to for the side that decided.
#[derive(Clone, Debug, PartialEq)]
pub struct EvaluatedMove {
    /// The move as the record writes it; nothing where the dice were rolled at once.
    pub text: Option<String>,
    /// The prospect that it leads to.
    pub prospect: Prospect,
}

/// A decision of a side that had a choice.
#[derive(Clone, Debug, PartialEq)]
pub struct AnalysedDecision {
    /// The number of the move; of the next one where a side did not act before its roll.
    pub moveno: usize,
    /// Whose it was.
    pub seat: Seat,
    /// The kind of decision.
    pub kind: DecisionKind,
    /// How closely the program has looked.
    pub look: Look,
    /// The best that could be done, the best first, and at least what was done.
    pub best: Vec<EvaluatedMove>,
    /// The play that was made.
    pub done: EvaluatedMove,
    /// In how many ways it could be decided.
    pub ways: usize,
    /// How many entries of the record came before.
    pub at: usize,
}

impl AnalysedDecision {
    /// Its cost, beside the best.
    #[must_use]
    pub fn cost(&self) -> f32 {
        let most = self.best.first().map_or(self.done.prospect.value, |best| best.prospect.value);
        (most - self.done.prospect.value).max(0.0)
    }

    /// Whether dice were played.
    #[must_use]
    pub const fn is_play(&self) -> bool {
        matches!(self.kind, DecisionKind::Play(_))
    }
}

/// A program's opinion of a record.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// In what it weighs positions.
    pub unit: Unit,
    /// Every decision where there was a choice, in their order.
    pub decisions: Vec<AnalysedDecision>,
    /// How much more the rolls of each side were worth than average ones.
    pub luck: [f32; 2],
    /// Whether the end of the record was not looked at, since too many positions had been judged.
    pub is_cut: bool,
}

/// How many of the best ways to decide are kept.
const BEST: usize = 3;

/// About how many positions are judged for one look ahead.
const AHEAD: u32 = 450;

impl Analysis {
    /// Looks at every decision of a record, and then at the costliest of them more closely, as long
    /// as positions may be judged. Nothing where the program does not know such boards.
    ///
    /// # Panics
    /// The record is none of that game.
    #[must_use]
    pub fn of_record(
        game: &dyn AnyGame,
        options: &Choices,
        record: &[Entry],
        mut effort: Effort,
    ) -> Option<Self> {
        let start = game.setup(options);
        let unit = start.judged_in()?;
        let mut found = Self { unit, decisions: Vec::new(), luck: [0.0; 2], is_cut: false };
        found.glance(start.copy(), (game, record), &mut effort);
        found.look_closer(start, record, &mut effort);
        Some(found)
    }

    /// The decision at a move, or before its roll.
    #[must_use]
    pub fn at(&self, moveno: usize) -> Vec<&AnalysedDecision> {
        self.decisions.iter().filter(|decision| decision.moveno == moveno).collect()
    }

    /// The decisions of a side.
    pub fn of_seat(&self, seat: Seat) -> impl Iterator<Item = &AnalysedDecision> {
        self.decisions.iter().filter(move |decision| decision.seat == seat)
    }

    fn glance(
        &mut self,
        mut position: Box<dyn AnyPosition>,
        (game, record): (&dyn AnyGame, &[Entry]),
        effort: &mut Effort,
    ) {
        let (mut moveno, mut roll) = (1, None);
        for (at, entry) in record.iter().enumerate() {
            if !effort.allows(AHEAD) {
                self.is_cut = true;
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
                && let Some((best, done, ways)) = weighed(&*position, done, effort)
            {
                let look = Look::Glance;
                let decision = AnalysedDecision { moveno, seat, kind, look, best, done, ways, at };
                self.decisions.push(decision);
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

    /// Looks ahead from the decisions that seem to have cost most.
    fn look_closer(
        &mut self,
        mut position: Box<dyn AnyPosition>,
        record: &[Entry],
        effort: &mut Effort,
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
            replay(&mut *position, &record[done..decision.at]).expect("it was replayed before");
            done = decision.at;
            if effort.allows(each) {
                decision.look_closer(&*position, effort);
            }
        }
    }
}

impl AnalysedDecision {
    fn look_closer(&mut self, position: &dyn AnyPosition, effort: &mut Effort) {
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
        let Some(prospects) = position.prospects(Some(&which), Look::Ahead, effort) else { return };
        let seen = ways.into_iter().zip(prospects);
        let mut seen: Vec<EvaluatedMove> =
            seen.map(|(way, prospect)| EvaluatedMove { prospect, ..way }).collect();
        if let Some(done) = seen.iter().find(|way| way.text == self.done.text) {
            self.done = done.clone();
        }
        seen.sort_by(best_first);
        seen.truncate(BEST);
        (self.best, self.look) = (seen, Look::Ahead);
    }
}

fn best_first(one: &EvaluatedMove, other: &EvaluatedMove) -> std::cmp::Ordering {
    other.prospect.value.total_cmp(&one.prospect.value)
}

/// The best ways to decide, the one that was taken, and how many there were; nothing where there was
/// no choice, or where the program knows nothing about it.
fn weighed(
    position: &dyn AnyPosition,
    done: Option<&str>,
    effort: &mut Effort,
) -> Option<(Vec<EvaluatedMove>, EvaluatedMove, usize)> {
    let prospects = position.prospects(None, Look::Glance, effort)?;
    if prospects.len() < 2 {
        return None;
    }
    let texts = position.moves().into_iter().map(Some).chain([None]);
    let ways = texts.zip(prospects).map(|(text, prospect)| EvaluatedMove { text, prospect });
    let mut ways: Vec<EvaluatedMove> = ways.collect();
    let at = match done {
        Some(text) => place_of(position, text)?,
        None => ways.len() - 1,
    };
    let done = ways[at].clone();
    let count = ways.len();
    ways.sort_by(best_first);
    ways.truncate(BEST);
    Some((ways, done, count))
}

/// The place of a move of a record in the list of all, where it may be spelled by other steps.
fn place_of(position: &dyn AnyPosition, text: &str) -> Option<usize> {
    position.moves().iter().position(|one| one == text).or_else(|| {
        let mut after = position.copy();
        after.recall(text).ok()?;
        let after = after.notation();
        position.outlook().iter().position(|(_, one)| one.notation() == after)
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Chance, SeatSettings, Throw, advance};
    use super::*;
    use crate::GAMES;

    /// A game of those levels against each other.
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
        let is_judged = |game: &&dyn AnyGame| game.setup(&Choices::default()).judged_in().is_some();
        GAMES.iter().copied().filter(is_judged)
    }

    #[test]
    fn the_program_finds_no_fault_with_itself_and_some_with_a_beginner() {
        assert_eq!(judged().count(), 5);
        for game in judged() {
            let (options, record) = played(game, &[], [1, 3]);
            let found = Analysis::of_record(game, &options, &record, Effort::new(150_000)).unwrap();
            let cost = |seat| found.of_seat(seat).map(AnalysedDecision::cost).sum::<f32>();
            assert!(cost(Seat(0)) > 2.0 * cost(Seat(1)), "{}", game.spec().name);
            assert!(found.of_seat(Seat(0)).count() > 5, "{}", game.spec().name);
            for one in &found.decisions {
                assert!(one.ways >= 2 && !one.best.is_empty(), "{one:?}");
                if one.is_play() {
                    let mut before = game.setup(&options);
                    replay(&mut *before, &record[..one.at]).unwrap();
                    assert_eq!(one.ways, before.moves().len(), "{one:?}");
                } else {
                    assert!(one.ways <= 1000, "{one:?}");
                }
                assert!(one.best.is_sorted_by(|a, b| a.prospect.value >= b.prospect.value));
                assert!(one.cost() <= 6.0, "{one:?}");
                // Level 3 plays what seems best at a glance.
                let is_best = one.seat == Seat(0) || !one.is_play() || one.cost() <= 0.0;
                assert!(is_best || one.look == Look::Ahead, "{one:?}");
            }
            assert!(found.decisions.iter().any(|one| one.look == Look::Ahead));
        }
    }

    #[test]
    fn moves_are_numbered_as_the_record_has_them() {
        for game in judged() {
            let (options, record) = played(game, &[], [3, 3]);
            let found = Analysis::of_record(game, &options, &record, Effort::new(100_000)).unwrap();
            for one in found.decisions.iter().filter(|one| one.is_play()) {
                let moves = record[..=one.at].iter().filter(|entry| !entry.is_chance()).count();
                assert_eq!(one.moveno, moves);
                let Entry::Moved { seat, text, .. } = &record[one.at] else { panic!("{one:?}") };
                assert_eq!((*seat, Some(text)), (one.seat, one.done.text.as_ref()));
                assert!(found.at(one.moveno).contains(&one));
            }
        }
    }

    #[test]
    fn little_effort_ends_an_analysis_early() {
        let game = crate::find("plakoto").unwrap();
        let (options, record) = played(game, &[], [3, 3]);
        let found =
            |effort| Analysis::of_record(game, &options, &record, Effort::new(effort)).unwrap();
        let (little, all) = (found(2_000), found(200_000));
        assert!(little.is_cut && !all.is_cut);
        assert!(little.decisions.len() < all.decisions.len() / 2);
        assert!(little.decisions.iter().all(|one| one.look == Look::Glance));
    }

    #[test]
    fn luck_is_nothing_on_average() {
        for game in judged() {
            let (options, record) = played(game, &[], [3, 3]);
            let mut position = game.setup(&options);
            replay(&mut *position, &record[..2]).unwrap();
            let (Next::Roll(throw) | Next::Ready(_, throw)) = position.next() else { panic!() };
            let luck = |roll| position.luck(roll, &mut Effort::new(100_000)).unwrap().1;
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
        let at = |text: &str| place_of(&*position, text);
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
            assert_eq!(Analysis::of_record(game, &options, &[], Effort::new(1)), None);
        }
    }
}
