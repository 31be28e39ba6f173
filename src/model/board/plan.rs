//! Plans: the moves that a player has entered before their turn. A plan is a tree of moves that
//! begins at one move of the board. It is played as long as the game follows it, and it ends as
//! soon as the game leaves it.

use serde::{Deserialize, Serialize};

/// The most moves of a plan, those of the opponent and forced ones included.
pub const MOST_PLANNED: usize = 200;

/// The planned moves of a player: a tree. Below a move of the player or a turn of the opponent are
/// the moves that may follow it. At the player's own moves it does not branch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The number of the board's move with which the plan begins.
    pub from: usize,
    /// The moves, each behind the move that it follows.
    pub moves: Vec<PlannedMove>,
}

/// A move of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedMove {
    /// The index of the move that it follows; `None` where the plan begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<usize>,
    /// The move.
    #[serde(rename = "move")]
    pub step: PlannedStep,
}

/// What a planned move is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PlannedStep {
    /// This move of the opponent, in canonical notation.
    Theirs(String),
    /// Any turn of the opponent.
    Any,
    /// This legal move of the player, in canonical notation.
    Mine(String),
    /// A move of the player as they wrote it. It is read when it is due, because the position
    /// before it is not known.
    Unread(String),
    /// The rolls and moves of the player that are forced, until they have a choice.
    Forced,
}

impl PlannedStep {
    /// Returns whether the player of the plan makes the move.
    pub fn is_own(&self) -> bool {
        matches!(self, Self::Mine(_) | Self::Unread(_) | Self::Forced)
    }
}

/// What happened to a player's plan since their last own decision.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanNote {
    /// The moves that were played from it, in canonical notation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub played: Vec<String>,
    /// Why the plan ended, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<PlanEnd>,
}

impl PlanNote {
    /// Returns whether there is nothing to tell.
    pub fn is_empty(&self) -> bool {
        self.played.is_empty() && self.end.is_none()
    }
}

/// Why a plan ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PlanEnd {
    /// All its moves were played.
    Finished,
    /// This planned move could not be played.
    Unplayed(String),
    /// The opponent made this move, for which the plan has no answer.
    Left(String),
    /// The player made another move than the planned one, perhaps a forced one.
    Moved,
    /// The player has a choice, so nothing is forced.
    Choice,
    /// Moves were taken back.
    Undone,
    /// The program has made the most moves that it makes for one command.
    Program,
}

impl Plan {
    /// Returns a plan without moves.
    pub fn new(from: usize) -> Self {
        Self { from, moves: Vec::new() }
    }

    /// Returns the plan of a single move that is read when it is due. If the opponent moves first,
    /// it answers any turn of theirs.
    pub fn single(from: usize, text: String, is_theirs_first: bool) -> Self {
        let mut plan = Self::new(from);
        let after = is_theirs_first.then(|| plan.add(None, PlannedStep::Any));
        plan.add(after, PlannedStep::Unread(text));
        plan
    }

    /// Returns why the plan has ended once moves are taken back.
    pub fn end_by_undo(&self) -> PlanEnd {
        match self.single_move() {
            Some(text) => PlanEnd::Unplayed(text.to_owned()),
            None => PlanEnd::Undone,
        }
    }

    /// Returns the only move of a plan made by [`Plan::single`].
    pub fn single_move(&self) -> Option<&str> {
        match &self.moves[..] {
            [PlannedMove { step: PlannedStep::Unread(text), .. }]
            | [
                PlannedMove { step: PlannedStep::Any, .. },
                PlannedMove { step: PlannedStep::Unread(text), .. },
            ] => Some(text),
            _ => None,
        }
    }

    /// Returns the indexes of the moves that may follow a move, or that the plan may begin with.
    pub fn following(&self, after: Option<usize>) -> impl Iterator<Item = usize> + '_ {
        let first = after.map_or(0, |after| after + 1);
        (first..self.moves.len()).filter(move |index| self.moves[*index].after == after)
    }

    /// Adds a move behind another, unless it is there, and returns its index.
    pub fn add(&mut self, after: Option<usize>, step: PlannedStep) -> usize {
        let known = self.following(after).find(|index| self.moves[*index].step == step);
        known.unwrap_or_else(|| {
            self.moves.push(PlannedMove { after, step });
            self.moves.len() - 1
        })
    }

    /// Removes the moves that follow a move.
    pub fn cut(&mut self, after: Option<usize>) {
        self.moves = self.kept_moves(|_, planned| planned.after != after);
    }

    /// Returns the moves for which `is_kept` holds, by index and move, without those behind a removed move.
    fn kept_moves(&self, is_kept: impl Fn(usize, &PlannedMove) -> bool) -> Vec<PlannedMove> {
        let mut places: Vec<Option<usize>> = Vec::with_capacity(self.moves.len());
        let mut kept: Vec<PlannedMove> = Vec::new();
        for (index, planned) in self.moves.iter().enumerate() {
            let after = planned.after.and_then(|parent| places[parent]);
            let follows_removed = planned.after.is_some() && after.is_none();
            let is_kept = !follows_removed && is_kept(index, planned);
            places.push(is_kept.then_some(kept.len()));
            if is_kept {
                kept.push(PlannedMove { after, step: planned.step.clone() });
            }
        }
        kept
    }

    /// Returns the index of the player's move that is due once the opponent has moved. Behind a turn
    /// that may be any, the opponent may move on.
    fn own_index(&self) -> Option<usize> {
        let first = self.following(None).next()?;
        match self.moves[first].step {
            PlannedStep::Any => self.following(Some(first)).next(),
            _ => Some(first),
        }
    }

    /// Returns the planned move of the player that is due once the opponent has moved.
    pub fn next_own(&self) -> Option<&PlannedStep> {
        let step = &self.moves[self.own_index()?].step;
        step.is_own().then_some(step)
    }

    /// Returns what is left of the plan behind one of its moves, after `made` moves of the board.
    fn behind(&self, root: usize, made: usize) -> Self {
        let mut left = Self::new(self.from + made);
        let mut places: Vec<Option<usize>> = vec![None; self.moves.len()];
        for (index, planned) in self.moves.iter().enumerate().skip(root + 1) {
            let after = match planned.after {
                Some(parent) if parent == root => None,
                Some(parent) if places[parent].is_some() => places[parent],
                _ => continue,
            };
            left.moves.push(PlannedMove { after, step: planned.step.clone() });
            places[index] = Some(left.moves.len() - 1);
        }
        left
    }

    /// Returns what is left of the plan after its next own move was played, which took `made` moves
    /// of the board.
    #[must_use]
    pub fn after_own(&self, made: usize) -> Self {
        match self.own_index() {
            Some(own) if self.moves[own].step == PlannedStep::Forced => self.later(made),
            Some(own) => self.behind(own, made),
            None => Self::new(self.from + made),
        }
    }

    /// Returns the plan with all its moves, `made` moves of the board later.
    fn later(&self, made: usize) -> Self {
        Self { from: self.from + made, moves: self.moves.clone() }
    }

    /// Follows consecutive moves of one player, in canonical notation. Returns what is left of the
    /// plan.
    ///
    /// # Errors
    /// The plan does not have these moves.
    pub fn follow(&self, turn: &[&str], is_own: bool) -> Result<Self, PlanEnd> {
        let step = |text: &str| {
            let text = text.to_owned();
            if is_own { PlannedStep::Mine(text) } else { PlannedStep::Theirs(text) }
        };
        let mut at = None;
        let is_there = turn.iter().all(|text| {
            let wanted = step(text);
            at = self.following(at).find(|index| self.moves[*index].step == wanted);
            at.is_some()
        });
        if let Some(last) = at.filter(|_| is_there) {
            return Ok(self.behind(last, turn.len()));
        }
        if is_own {
            return Err(PlanEnd::Moved);
        }
        if self.next_own() == Some(&PlannedStep::Forced) {
            return Ok(self.later(turn.len()));
        }
        let any = self.following(None).find(|index| self.moves[*index].step == PlannedStep::Any);
        let Some(any) = any else { return Err(PlanEnd::Left(turn.join(","))) };
        // The turn may go on, so it stays. The answers to named moves go.
        let mut left = Self::new(self.from + turn.len());
        left.add(None, PlannedStep::Any);
        let behind = self.behind(any, 0).moves.into_iter();
        left.moves.extend(behind.map(|planned| PlannedMove {
            after: Some(planned.after.map_or(0, |after| after + 1)),
            ..planned
        }));
        Ok(left)
    }

    /// Returns the lines of the plan: for each end of the tree the indexes of the moves to it.
    pub fn lines(&self) -> Vec<Vec<usize>> {
        let mut has_more = vec![false; self.moves.len()];
        for parent in self.moves.iter().filter_map(|planned| planned.after) {
            has_more[parent] = true;
        }
        // In the order of the tree, not of the list: added lines are behind their first move.
        let mut lines = Vec::new();
        let mut open: Vec<Vec<usize>> = self.following(None).map(|index| vec![index]).collect();
        open.reverse();
        while let Some(line) = open.pop() {
            let last = line[line.len() - 1];
            if !has_more[last] {
                lines.push(line);
                continue;
            }
            let more: Vec<Vec<usize>> =
                self.following(Some(last)).map(|next| [&line[..], &[next]].concat()).collect();
            open.extend(more.into_iter().rev());
        }
        lines
    }

    /// Returns the plan without the moves that are in one of its [lines](Self::lines) alone; `None` if
    /// no move is left.
    pub fn without_line(&self, index: usize) -> Option<Self> {
        let mut others: Vec<usize> = Vec::new();
        for (at, line) in self.lines().into_iter().enumerate() {
            others.extend(line.into_iter().filter(|_| at != index));
        }
        let moves = self.kept_moves(|at, _| others.contains(&at));
        (!moves.is_empty()).then_some(Self { from: self.from, moves })
    }

    /// Returns whether there are not too many moves and every move follows an earlier one of the list.
    /// A document that was edited by hand may say anything.
    pub fn is_sound(&self) -> bool {
        let is_earlier = |(index, planned): (usize, &PlannedMove)| {
            planned.after.is_none_or(|after| after < index)
        };
        self.moves.len() <= MOST_PLANNED && self.moves.iter().enumerate().all(is_earlier)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn theirs(text: &str) -> PlannedStep {
        PlannedStep::Theirs(text.into())
    }

    fn mine(text: &str) -> PlannedStep {
        PlannedStep::Mine(text.into())
    }

    /// Returns `e5 f4 (d3 c2; any b1); d6 e6`.
    fn plan() -> Plan {
        let mut plan = Plan::new(4);
        let e5 = plan.add(None, theirs("e5"));
        let f4 = plan.add(Some(e5), mine("f4"));
        let d6 = plan.add(None, theirs("d6"));
        plan.add(Some(d6), mine("e6"));
        let d3 = plan.add(Some(f4), theirs("d3"));
        plan.add(Some(d3), mine("c2"));
        let any = plan.add(Some(f4), PlannedStep::Any);
        plan.add(Some(any), PlannedStep::Unread("b1".into()));
        plan
    }

    #[test]
    fn a_plan_follows_the_game_and_ends_where_the_game_leaves_it() {
        let plan = plan();
        let after = plan.follow(&["e5"], false).unwrap();
        assert_eq!((after.from, after.next_own()), (5, Some(&mine("f4"))));
        assert_eq!(after.follow(&["f5"], true), Err(PlanEnd::Moved));
        let after = after.follow(&["f4"], true).unwrap();
        assert_eq!(after, plan.follow(&["e5"], false).unwrap().after_own(1));
        let specific = after.follow(&["d3"], false).unwrap();
        assert_eq!(specific.next_own(), Some(&mine("c2")), "a named move comes before any");
        let any = after.follow(&["a1"], false).and_then(|plan| plan.follow(&["a2"], false));
        let any = any.unwrap();
        assert_eq!((any.from, any.next_own()), (8, Some(&PlannedStep::Unread("b1".into()))));
        assert_eq!(any.moves.len(), 2);
        assert!(any.after_own(1).moves.is_empty());
        assert_eq!(plan.follow(&["a1"], false), Err(PlanEnd::Left("a1".into())));
        assert!(specific.after_own(1).moves.is_empty());
    }

    #[test]
    fn lines_are_in_the_order_of_the_tree() {
        let plan = plan();
        assert_eq!(plan.lines(), [vec![0, 1, 4, 5], vec![0, 1, 6, 7], vec![2, 3]]);
        let mut cut = plan.clone();
        cut.cut(Some(1));
        assert_eq!(cut.lines(), [vec![0, 1], vec![2, 3]]);
        assert!(plan.is_sound() && cut.is_sound());
        cut.moves[0].after = Some(2);
        assert!(!cut.is_sound());
    }

    #[test]
    fn a_line_is_withdrawn_alone() {
        let plan = plan();
        let words = |plan: &Plan| -> Vec<Vec<PlannedStep>> {
            let steps = |line: Vec<usize>| line.into_iter().map(|at| plan.moves[at].step.clone());
            plan.lines().into_iter().map(|line| steps(line).collect()).collect()
        };
        for index in 0..3 {
            let left = plan.without_line(index).unwrap();
            let mut kept = words(&plan);
            kept.remove(index);
            assert_eq!(words(&left), kept, "{index}");
            assert!(left.is_sound() && left.from == plan.from);
        }
        let one = plan.without_line(0).and_then(|plan| plan.without_line(0)).unwrap();
        assert_eq!(words(&one), [[theirs("d6"), mine("e6")]]);
        assert_eq!(one.without_line(0), None);
        assert_eq!(plan.without_line(3), Some(plan.clone()));
    }

    #[test]
    fn a_plan_reads_back_as_it_was_written() {
        let text = serde_json::to_string(&plan()).unwrap();
        assert_eq!(serde_json::from_str::<Plan>(&text).unwrap(), plan());
        let first =
            r#"{"from":4,"moves":[{"move":{"theirs":"e5"}},{"after":0,"move":{"mine":"f4"}}"#;
        assert!(text.starts_with(first), "{text}");
        let single = Plan::single(3, "a1-a2".into(), true);
        assert_eq!(single.single_move(), Some("a1-a2"));
        assert_eq!(plan().single_move(), None);
    }
}
