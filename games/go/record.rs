//! Games of Go in the Smart Game Format, with komi and handicap.
//!
//! The territory of both sides follows once they have agreed on it, dead stones included. What players say
//! while they agree is left out; a move behind two passes means that play goes on.

use super::notation::{letters, point};
use super::{GoMove, Point, Position, Scoring};
use crate::kit::sgf::{SgfGame, SgfMove, SgfRecord, list};
use crate::kit::{MoveError, Seat, Values};

/// A pass in older files: a point beside every board.
const OLD_PASS: &str = "tt";

impl SgfGame for Position {
    const NUMBER: Option<i64> = Some(1);

    fn sgf_root(&self) -> String {
        let komi = Values::of_halves(self.komi);
        let [stones, _] = self.sgf_setup();
        let handicap = match stones.len() {
            0 => String::new(),
            stones => format!("HA[{stones}]"),
        };
        format!("RU[Chinese]SZ[{}]KM[{komi}]{handicap}", self.board.size())
    }

    fn sgf_setup(&self) -> [Vec<String>; 2] {
        let stones = |seat: Seat| {
            let stones = self.board.points().filter(|point| self.board.at(*point) == Some(seat));
            stones.map(|point| letters(point, self.board.size())).collect()
        };
        Seat::BOTH.map(stones)
    }

    fn sgf_move(&self, m: &GoMove) -> Option<String> {
        match m {
            GoMove::Stone(point) => Some(letters(*point, self.board.size())),
            GoMove::Pass => Some(String::new()),
            GoMove::Agree | GoMove::Continue | GoMove::Mark { .. } => None,
        }
    }

    fn sgf_margin(&self) -> String {
        let lead = self.lead(&self.dead()).unsigned_abs();
        Values::of_halves(u32::try_from(lead).unwrap_or(u32::MAX))
    }

    fn sgf_end(&self) -> String {
        if !self.scoring.as_ref().is_some_and(Scoring::is_agreed) {
            return String::new();
        }
        let territory = self.territory();
        let of = |seat: Seat| {
            let own = territory.iter().filter(|(_, owner)| *owner == seat);
            own.map(|(point, _)| letters(*point, self.board.size())).collect::<Vec<_>>()
        };
        let lists = list("TB", &of(Seat(0))) + &list("TW", &of(Seat(1)));
        // Both may have agreed that neither has any.
        if lists.is_empty() { "TB[]".into() } else { lists }
    }

    fn sgf_options(record: &SgfRecord) -> Vec<String> {
        let handicap = match (record.handicap, &record.setup[0]) {
            (0, Some(stones)) => i64::try_from(stones.len()).unwrap_or(i64::MAX),
            (handicap, _) => handicap,
        };
        let handicap = (handicap > 0).then(|| format!("handicap={handicap}"));
        let komi = record.komi.map(|komi| format!("komi={komi}"));
        handicap.into_iter().chain(komi).collect()
    }

    fn read_sgf(&self, m: &SgfMove) -> Result<Vec<GoMove>, MoveError> {
        let placed = if m.value.is_empty() || m.value == OLD_PASS {
            GoMove::Pass
        } else {
            let point = point(&m.value, self.board.size());
            let none = || MoveError::Illegal(format!("{} is no point", m.value));
            GoMove::Stone(point.ok_or_else(none)?)
        };
        Ok(match &self.scoring {
            Some(_) if !self.is_over() && self.turn == m.seat => {
                vec![GoMove::Agree, GoMove::Continue, placed]
            }
            Some(_) if !self.is_over() => vec![GoMove::Continue, placed],
            _ => vec![placed],
        })
    }

    fn sgf_ending(&self, record: &SgfRecord) -> Vec<GoMove> {
        let Some(scoring) = &self.scoring else { return Vec::new() };
        let Some(territory) = &record.territory else {
            // Without lists of points the result tells whether the proposed dead stones are right.
            let leader = match self.lead(&self.dead()) {
                0 => None,
                lead => Some(if lead > 0 { Seat(0) } else { Seat(1) }),
            };
            let is_same = leader.is_some() && leader == record.winner_by_count();
            return if is_same { vec![GoMove::Agree; 2] } else { Vec::new() };
        };
        let marks = self.board.chains().into_iter().filter_map(|stone: Point| {
            let owner = territory.get(&letters(stone, self.board.size()));
            let is_dead = owner.is_some_and(|owner| self.board.at(stone) != Some(*owner));
            let is_other = scoring.dead.contains(stone) != is_dead;
            is_other.then_some(GoMove::Mark { stone, is_dead })
        });
        marks.chain([GoMove::Agree, GoMove::Agree]).collect()
    }
}
