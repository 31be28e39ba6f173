//! The program's judgement of a game as values. Mails and pages print the same values.

use crate::model::board::Board;
use games::{
    AnalysedDecision, Analysis, AnyGame, Entry, EvaluatedMove, Evaluation, EvaluationBudget,
    EvaluationUnit, Seat, View,
};

/// The positions that are evaluated for an analysis, which takes about a second.
const MAX_EVALUATIONS: u32 = 500_000;

/// How bad a decision was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// No mistake, or one that is too small to matter.
    Fine,
    /// A small mistake.
    Small,
    /// A doubtful decision.
    Doubtful,
    /// A blunder.
    Blunder,
}

impl Verdict {
    /// All kinds of mistakes, the smallest first.
    pub const MISTAKES: [Self; 3] = [Self::Small, Self::Doubtful, Self::Blunder];

    /// Returns the verdict on a decision that lost `cost`, in an [`EvaluationUnit`].
    ///
    /// 0.02 and 0.08 points are the limits of errors and blunders in eXtreme Gammon, 0.04 points the
    /// limit of doubtful plays in GNU Backgammon. In a game without points, 0.02 is one win in a
    /// hundred games.
    pub fn of_cost(cost: f32) -> Self {
        let is_at_least = |verdict: &Self| cost >= verdict.min_cost();
        Self::MISTAKES.into_iter().rfind(is_at_least).unwrap_or(Self::Fine)
    }

    /// Returns the least cost with this verdict.
    pub const fn min_cost(self) -> f32 {
        match self {
            Self::Fine => 0.0,
            Self::Small => 0.02,
            Self::Doubtful => 0.04,
            Self::Blunder => 0.08,
        }
    }

    /// Returns the verdict as one word; empty if there is no mistake.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Fine => "",
            Self::Small => "small",
            Self::Doubtful => "doubtful",
            Self::Blunder => "blunder",
        }
    }
}

/// The program's judgement of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement(Analysis);

/// A move with the decisions behind it.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedMove<'a> {
    /// The number of the move, from 1.
    pub number: usize,
    /// The side that moved.
    pub seat: Seat,
    /// The decisions with a choice: whether to double before the roll, and the move itself.
    pub decisions: Vec<&'a AnalysedDecision>,
    /// The loss of value by the worst of the decisions.
    pub cost: f32,
    /// The verdict on the worst of the decisions.
    pub verdict: Verdict,
    /// How much more the roll before the move was worth than an average one.
    pub luck: Option<f32>,
    /// The side's chance to win the game after the move.
    pub win: Option<f32>,
}

/// A side's decisions and luck in a whole game.
#[derive(Clone, Debug, PartialEq)]
pub struct SideSummary {
    /// The number of plays with a choice.
    pub plays: usize,
    /// The loss of value by all plays.
    pub lost: f32,
    /// The average loss of a play.
    pub each: f32,
    /// The number of cube decisions.
    pub cube_decisions: usize,
    /// The number of wrong cube decisions.
    pub wrong_cube_decisions: usize,
    /// The loss of value by cube decisions.
    pub lost_by_cube: f32,
    /// The sum of the luck of all rolls.
    pub luck: f32,
    /// The number of moves with each verdict of [`Verdict::MISTAKES`].
    pub mistakes: [usize; 3],
}

impl Judgement {
    /// Judges a board, or the beginning of its record up to a move. Returns `None` where the program
    /// cannot judge the game with its options.
    pub fn of_board(board: &Board, until: Option<usize>) -> Option<Self> {
        let record = entries(board, until.unwrap_or(usize::MAX));
        let budget = EvaluationBudget::new(MAX_EVALUATIONS);
        Analysis::of_record(board.game, &board.options, &record, budget).map(Self)
    }

    /// Returns the unit of all values.
    pub fn unit(&self) -> EvaluationUnit {
        self.0.unit
    }

    /// Returns every decision with a choice, in order.
    pub fn decisions(&self) -> &[AnalysedDecision] {
        &self.0.decisions
    }

    /// Returns the decisions with this move number.
    pub fn at(&self, number: usize) -> Vec<&AnalysedDecision> {
        self.0.at(number)
    }

    /// Returns whether the game was too long to be judged to its end.
    pub fn is_truncated(&self) -> bool {
        self.0.is_truncated
    }

    /// Returns every move that was judged, in order.
    pub fn moves(&self) -> Vec<JudgedMove<'_>> {
        let mut decisions = self.0.decisions.iter().peekable();
        let judged = (1..).zip(&self.0.moves).map(|(number, one)| {
            let mut own = Vec::new();
            while let Some(decision) = decisions.next_if(|decision| decision.moveno <= number) {
                own.push(decision);
            }
            let cost = own.iter().map(|decision| decision.cost()).fold(0.0, f32::max);
            let verdict = Verdict::of_cost(cost);
            let (seat, luck, win) = (one.seat, one.luck, one.win);
            JudgedMove { number, seat, decisions: own, cost, verdict, luck, win }
        });
        judged.collect()
    }

    /// Returns a side's decisions and luck.
    pub fn summary(&self, seat: Seat) -> SideSummary {
        let costs = |is_play: bool| {
            let own = self.0.of_seat(seat).filter(move |one| one.is_play() == is_play);
            own.map(AnalysedDecision::cost).collect::<Vec<f32>>()
        };
        let (plays, cube) = (costs(true), costs(false));
        let [lost, lost_by_cube] = [&plays, &cube].map(|costs| costs.iter().sum::<f32>());
        let verdicts: Vec<Verdict> = {
            let moves = self.moves().into_iter().filter(|one| one.seat == seat);
            moves.map(|one| one.verdict).collect()
        };
        let count = |wanted| verdicts.iter().filter(|verdict| **verdict == wanted).count();
        SideSummary {
            plays: plays.len(),
            lost,
            each: if plays.is_empty() { 0.0 } else { lost / to_f32(plays.len()) },
            cube_decisions: cube.len(),
            wrong_cube_decisions: cube.iter().filter(|cost| **cost > 0.0).count(),
            lost_by_cube,
            luck: self.0.luck[seat.index()],
            mistakes: Verdict::MISTAKES.map(count),
        }
    }
}

/// How the values of a unit are written.
#[derive(Clone, Copy, Debug)]
pub struct ValueFormat(pub EvaluationUnit);

impl ValueFormat {
    /// Writes a value without a sign: `0.369`, or `4.5 %` of all games.
    pub fn number(self, value: f32) -> String {
        match self.0 {
            EvaluationUnit::Points => format!("{value:.3}"),
            EvaluationUnit::Chances => format!("{:.1} %", 50.0 * value),
        }
    }

    /// Writes a value with its sign.
    pub fn signed(self, value: f32) -> String {
        let sign = if value < 0.0 { '-' } else { '+' };
        format!("{sign}{}", self.number(value.abs()))
    }

    /// Returns the heads of the columns of [`ValueFormat::columns`].
    pub const fn heads(self) -> &'static [&'static str] {
        match self.0 {
            EvaluationUnit::Points => &["worth", "wins", "gammons", "gammons lost"],
            EvaluationUnit::Chances => &["wins"],
        }
    }

    /// Writes an evaluation in columns.
    pub fn columns(self, evaluation: &Evaluation) -> Vec<String> {
        let [win, gammon, _, lost, _] = evaluation.odds.0;
        let wins = percent(win);
        match self.0 {
            EvaluationUnit::Points => {
                vec![self.signed(evaluation.value), wins, percent(gammon), percent(lost)]
            }
            EvaluationUnit::Chances => vec![wins],
        }
    }

    /// Returns what the values mean.
    pub fn explanation(self) -> String {
        let unit = match self.0 {
            EvaluationUnit::Points => {
                "points per game, as multiples of the cube where there is one"
            }
            EvaluationUnit::Chances => "wins in a hundred games",
        };
        format!(
            "This is the opinion of the program, which looks one roll ahead. Numbers are {unit}."
        )
    }
}

/// What luck means.
pub const LUCK: &str = "Luck is how much more a player's rolls were worth than average rolls.";

/// Writes a share of all games.
pub fn percent(share: f32) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// Writes a possible move of a side as the viewer writes it.
pub fn move_text(game: &dyn AnyGame, view: &View, seat: Seat, choice: &EvaluatedMove) -> String {
    let is_word = |text: &str| game.spec().verbs.contains(&text);
    match &choice.text {
        Some(text) if text.is_empty() => "pass".into(),
        Some(text) if !is_word(text) => game.text_for_viewer(view, seat, text.clone()),
        Some(text) => text.clone(),
        None => "no double".into(),
    }
}

/// Returns the beginning of a record, with `moves` moves.
pub(super) fn entries(board: &Board, moves: usize) -> Vec<Entry> {
    let all = board.record.iter().map(|line| &line.entry);
    let until = all.clone().enumerate().filter(|(_, entry)| !entry.is_chance()).nth(moves);
    all.take(until.map_or(usize::MAX, |(at, _)| at)).cloned().collect()
}

/// Converts a small count.
pub(crate) fn to_f32(count: usize) -> f32 {
    f32::from(u16::try_from(count).unwrap_or(u16::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_begins_at_its_least_cost() {
        let verdicts = [0.0, 0.0199, 0.02, 0.0399, 0.04, 0.0799, 0.08, 3.0].map(Verdict::of_cost);
        let words = verdicts.map(Verdict::word);
        assert_eq!(words, ["", "", "small", "small", "doubtful", "doubtful", "blunder", "blunder"]);
    }
}
