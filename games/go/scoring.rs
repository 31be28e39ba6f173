//! The agreement on dead stones after two passes.
//!
//! Both sides see the same marks. Who is to move changes some or none, and agrees; the game is over when
//! both have agreed to the same marks.

use super::board::{Board, PointSet};
use super::{AGREE, CONTINUE, GoMove, Position, SIDES};
use crate::kit::{Game, MoveError, NextStep, PartialMove, Seat, View};

/// How often the players may propose other marks, both together.
const MAX_PROPOSALS: u8 = 6;

/// The marks and who agrees to them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Scoring {
    /// The dead stones.
    pub(super) dead: PointSet,
    /// The stones whose marks were changed in this turn.
    changed: PointSet,
    /// The sides that agree to the marks.
    agreed: [bool; 2],
    proposals: u8,
}

impl Scoring {
    /// Begins with the server's proposal.
    pub(super) fn new(dead: PointSet) -> Self {
        Self { dead, changed: PointSet::default(), agreed: [false; 2], proposals: 0 }
    }

    pub(super) fn is_agreed(&self) -> bool {
        self.agreed == [true; 2]
    }

    /// Returns whether marks were changed in this turn.
    pub(super) fn is_changed(&self) -> bool {
        !self.changed.is_empty()
    }

    /// Changes the mark of a chain.
    pub(super) fn mark(&mut self, chain: &PointSet) {
        self.dead = self.dead.differing(chain);
        self.changed = self.changed.with(chain);
        self.agreed = [false; 2];
    }

    /// Agrees to the marks, and proposes them if they were changed.
    pub(super) fn agree(&mut self, by: Seat) {
        self.agreed[by.index()] = true;
        self.proposals += u8::from(self.is_changed());
        self.changed = PointSet::default();
    }

    /// Lists the legal moves: the marks that can be changed, and the words.
    pub(super) fn moves(&self, board: &Board) -> Vec<GoMove> {
        let mark = |stone| GoMove::Mark { stone, is_dead: !self.dead.contains(stone) };
        let marks = board.chains().into_iter().map(mark);
        let words = [GoMove::Agree, GoMove::Continue];
        marks.chain(words).filter(|m| self.forbids(*m, board).is_none()).collect()
    }

    /// Returns why a move cannot be made, if it cannot.
    pub(super) fn forbids(&self, m: GoMove, board: &Board) -> Option<String> {
        match m {
            GoMove::Continue if self.is_changed() => Some(format!(
                "you have changed what is dead: `{AGREE}` proposes it to your opponent"
            )),
            GoMove::Agree | GoMove::Continue => None,
            GoMove::Mark { stone, is_dead } => {
                if !board.is_on_board(stone) || board.at(stone).is_none() {
                    Some(format!("there is no stone on {stone}"))
                } else if self.changed.contains(stone) {
                    Some(format!("you have already marked the chain of {stone} in this turn"))
                } else if self.dead.contains(stone) == is_dead {
                    let mark = if is_dead { "dead" } else { "alive" };
                    Some(format!("the chain of {stone} is already {mark}"))
                } else if self.proposals == MAX_PROPOSALS {
                    Some(format!(
                        "there have been {MAX_PROPOSALS} proposals: say `{AGREE}`, or `{CONTINUE}` to play on"
                    ))
                } else {
                    None
                }
            }
            GoMove::Pass => Some(format!(
                "both have passed: say `{AGREE}` to the dead stones, or `{CONTINUE}` to play on"
            )),
            GoMove::Stone(point) => Some(format!("no stone is placed on {point} now")),
        }
    }
}

impl Position {
    /// Returns the notes about the marks.
    pub(super) fn notes_of(&self, scoring: &Scoring) -> Vec<String> {
        let chains = self.board.chains().into_iter();
        let dead: Vec<String> =
            chains.filter(|stone| scoring.dead.contains(*stone)).map(|it| it.to_string()).collect();
        let dead = match &dead[..] {
            [] => "no stone is dead".to_owned(),
            [only] => format!("the chain of {only} is dead"),
            dead => format!("the chains of {} are dead", dead.join(", ")),
        };
        if scoring.is_agreed() {
            return vec![dead];
        }
        let by = match Seat::BOTH.into_iter().find(|seat| scoring.agreed[seat.index()]) {
            Some(seat) => format!("{} proposes: {dead}", SIDES[seat.index()]),
            None if scoring.is_changed() => format!("not proposed yet: {dead}"),
            None => format!("the server proposes: {dead}"),
        };
        vec![
            by,
            format!(
                "say `{AGREE}`; or `dead` or `alive` with stones, to propose; or `{CONTINUE}` to play on"
            ),
        ]
    }

    /// Returns the partial turn after these marks. Each stone of a chain can be pressed.
    ///
    /// # Errors
    /// The first mark that was not offered.
    pub(super) fn marking(&self, view: &View, steps: &[&str]) -> Result<PartialMove, MoveError> {
        let mut at = self.clone();
        let mut paths = Vec::new();
        for words in steps {
            let Some(mark) = at.marks().into_iter().find(|m| m.to_string() == **words) else {
                return Err(MoveError::Illegal(format!("{words} cannot come next")));
            };
            at.play(&mark);
            paths.push(Self::path(&mark));
        }
        let (mut next, is_begun) = (Vec::new(), !steps.is_empty());
        for mark in at.marks() {
            let GoMove::Mark { stone, .. } = mark else { continue };
            let chain = at.board.chain(stone);
            let stones = at.board.points().filter(|point| chain.contains(*point));
            next.extend(stones.map(|stone| NextStep {
                from: None,
                to: stone.into(),
                via: Vec::new(),
                words: mark.to_string(),
            }));
        }
        let words = at.moves().into_iter().filter(|m| Self::path(m).is_empty());
        Ok(PartialMove {
            diagram: at.diagram(view),
            paths,
            next,
            play: is_begun.then(|| steps.join(",")),
            other_moves: words.filter(|_| !is_begun).map(|m| m.to_string()).collect(),
        })
    }

    /// Lists the marks that can be changed.
    fn marks(&self) -> Vec<GoMove> {
        self.moves().into_iter().filter(|m| matches!(m, GoMove::Mark { .. })).collect()
    }
}
