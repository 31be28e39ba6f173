//! Totals of a home's boards, computed in one pass.

use super::dice::rolls_with_faces;
use crate::base::ids::UserId;
use crate::base::progress::Progress;
use crate::base::time::{DAY, Day, HOUR, MINUTE, Span, Time, WEEK};
use crate::model::board::{Board, BoardStatus};
use crate::model::dice::statistics::{DiceTally, real};
use crate::model::program;
use crate::store::{DocumentKind, Fault, OpenHome, Traffic};
use games::{Entry, GAMES, Outcome, Seat};
use std::collections::{BTreeMap, HashMap};

/// The classes of times per move: upper bound and label.
pub(super) const WAITS: [(Span, &str); 8] = [
    (MINUTE, "1 minute"),
    (Span::times(10, MINUTE), "10 minutes"),
    (HOUR, "1 hour"),
    (Span::times(6, HOUR), "6 hours"),
    (DAY, "1 day"),
    (Span::times(3, DAY), "3 days"),
    (Span::times(7, DAY), "7 days"),
    (Span::MAX, "longer"),
];

/// The totals of a game.
#[derive(Debug, Default)]
pub(super) struct GameFigures {
    pub(super) title: &'static str,
    pub(super) boards: u64,
    pub(super) running: u64,
    pub(super) moves: u64,
    /// The rating of each player at the end of each day on which a rated board of theirs ended.
    pub(super) ratings: HashMap<UserId, BTreeMap<Day, i32>>,
    /// By the program's level: boards that people won, drew and lost against it.
    pub(super) levels: BTreeMap<u8, [u64; 3]>,
}

/// The totals of a home.
#[derive(Debug, Default)]
pub(super) struct Figures {
    /// Boards that began, and that ended, on each day.
    pub(super) begun: Traffic,
    pub(super) ended: Traffic,
    /// Moves made on each day.
    pub(super) moves: Traffic,
    /// Mails and forms executed on each day.
    pub(super) mails: Traffic,
    pub(super) games: Vec<GameFigures>,
    /// Moves of people, by class of time.
    pub(super) waits: [u64; WAITS.len()],
    /// All rolls, by the number of faces.
    pub(super) dice: Vec<DiceTally>,
    /// Unreadable boards.
    pub(super) damaged: u64,
}

impl Figures {
    /// Reads all boards.
    pub(super) fn from_store(store: &dyn OpenHome, progress: &dyn Progress) -> Result<Self, Fault> {
        let mut figures =
            Self { dice: vec![DiceTally::new(4), DiceTally::new(6)], ..Self::default() };
        for game in GAMES {
            let spec = game.spec();
            let keys = store.keys(DocumentKind::Boards(spec.name))?;
            progress.expects(keys.len());
            let mut of_game = GameFigures { title: spec.title, ..GameFigures::default() };
            for key in keys {
                progress.advances(1);
                let text = match store.load(&key) {
                    Ok(document) => document.text.unwrap_or_default(),
                    Err(fault) if fault.is_damage() => String::new(),
                    Err(fault) => return Err(fault),
                };
                // `check` reports unreadable boards.
                match Board::read(&text) {
                    Ok(board) => figures.add(&board, &mut of_game),
                    Err(_) => figures.damaged += 1,
                }
            }
            if of_game.boards > 0 {
                figures.games.push(of_game);
            }
        }
        figures.dice.retain(|tally| tally.dice() > 0);
        Ok(figures)
    }

    fn add(&mut self, board: &Board, game: &mut GameFigures) {
        game.boards += 1;
        *self.begun.entry(board.started.day()).or_default() += 1;
        match board.ended_at() {
            Some(at) => *self.ended.entry(at.day()).or_default() += 1,
            None => game.running += 1,
        }
        self.add_moves(board, game);
        for tally in &mut self.dice {
            tally.add(&rolls_with_faces(board, tally.faces, None));
        }
        if let (Some(effects), Some(at)) = (board.rated, board.ended_at()) {
            for (player, effect) in board.players.iter().zip(effects) {
                let days = game.ratings.entry(player.clone()).or_default();
                days.insert(at.day(), effect.after.points());
            }
        }
        for seat in Seat::BOTH {
            let level = program::level(board.player(seat));
            if let (Some(level), Some(result)) = (level, result_index(board, seat)) {
                game.levels.entry(level).or_default()[result] += 1;
            }
        }
    }

    /// Adds the moves of a board, and how long people took for theirs.
    fn add_moves(&mut self, board: &Board, game: &mut GameFigures) {
        let mut before = board.started;
        for line in &board.record {
            if let Entry::Moved { seat, auto, .. } = &line.entry {
                game.moves += 1;
                *self.moves.entry(line.at.day()).or_default() += 1;
                if !auto && program::level(board.player(*seat)).is_none() {
                    self.waits[wait_class(line.at - before)] += 1;
                }
            }
            before = line.at;
        }
    }

    /// Returns the first and the last day with an event.
    pub(super) fn days(&self) -> Option<[Day; 2]> {
        let all = [&self.begun, &self.ended, &self.moves, &self.mails];
        let first = all.iter().filter_map(|days| days.keys().next()).min()?;
        let last = all.iter().filter_map(|days| days.keys().next_back()).max()?;
        Some([*first, *last])
    }
}

/// Returns the index in [`WAITS`] of the time for a move.
fn wait_class(took: Span) -> usize {
    WAITS.iter().position(|(most, _)| took < *most).unwrap_or(WAITS.len() - 1)
}

/// Returns the result of a finished board as an index in [`GameFigures::levels`]: 0 if the opponent
/// of `seat` won, 1 for a draw, 2 if `seat` won.
fn result_index(board: &Board, seat: Seat) -> Option<usize> {
    let winner = match board.status() {
        BoardStatus::ToMove(_) => return None,
        BoardStatus::Ended(Outcome::Drawn { .. }) => return Some(1),
        BoardStatus::Closed(closing) if closing.by.is_draw() => return Some(1),
        BoardStatus::Ended(Outcome::Won { by, .. }) => by,
        BoardStatus::Closed(closing) => closing.winner()?,
    };
    Some(if winner == seat { 2 } else { 0 })
}

/// Returns the span of one point of a line, so that a chart does not get too dense: a day, a week,
/// or four weeks.
pub(super) fn stride([first, last]: [Day; 2]) -> Span {
    match (last.start() - first.start()).days() {
        ..=180 => DAY,
        181..=1260 => WEEK,
        _ => 4 * WEEK,
    }
}

/// Sums counts over each span from the first day to the last. Days outside, which a wrong clock can
/// produce, count for the nearest.
pub(super) fn line_points(
    counts: &Traffic,
    [first, last]: [Day; 2],
    stride: Span,
) -> Vec<(Day, f64)> {
    let at = |day: Day| (day.start() - first.start()).days() / stride.days();
    let steps = 0..=at(last);
    let mut points: Vec<(Day, u64)> =
        steps.clone().map(|it| (first.plus(it * stride.days()), 0)).collect();
    for (day, count) in counts {
        let at = at(*day).clamp(*steps.start(), *steps.end());
        if let Some(point) = usize::try_from(at).ok().and_then(|at| points.get_mut(at)) {
            point.1 += count;
        }
    }
    points.into_iter().map(|(day, count)| (day, real(count))).collect()
}

/// Cuts a range of days at today, so that a clock that was far ahead spoils no chart.
pub(super) fn within(days: [Day; 2], now: Time) -> [Day; 2] {
    let today = now.day();
    days.map(|day| day.min(today))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::time::minutes;
    use games::Choices;

    /// A move made by the server counts, but nobody took time for it.
    #[test]
    fn a_forced_move_counts_and_nobody_took_time_for_it() {
        let began = Time::from_unix(1_785_000_000);
        let game = games::find("reversi").unwrap();
        let players = ["alice", "bob"].map(|id| UserId::parse(id).unwrap());
        let mut board = Board::new(game, 1, players, Choices::default(), began);
        for (minute, auto) in [(5, false), (6, true), (90, false)] {
            let BoardStatus::ToMove(seat) = board.status() else { panic!("it goes on") };
            let text = board.position().nth_move(0).unwrap();
            board.append(began + minutes(minute), &[Entry::Moved { seat, text, auto }]);
        }
        let (mut figures, mut of_game) = (Figures::default(), GameFigures::default());
        figures.add_moves(&board, &mut of_game);
        assert_eq!(of_game.moves, 3);
        assert_eq!(figures.waits, [0, 1, 0, 1, 0, 0, 0, 0]);
    }
}
