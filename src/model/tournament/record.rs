//! The document of a tournament: terms, entries, and from its start the field with its rounds.

use super::crosstable::Crosstable;
use super::divisions::Finish;
use super::field::{Bye, DecidedBy, Entrant, EntrantIndex, Field, Game, GameResult, Verdict};
use super::format::{Format, RoundPairings};
use super::tables;
use super::teams::{TEAM, Teams};
use super::terms::TournamentTerms;
use crate::base::ids::{TournamentId, UserId};
use crate::base::time::{Span, Time, days};
use crate::model::board::{Board, BoardResult, BoardStatus, ClosedBy};
use crate::model::document::is_default;
use games::Seat;
use serde::{Deserialize, Serialize};

/// How long the start of a tournament with too few players is put off.
pub const POSTPONED: Span = days(7);
/// How often it is put off before the tournament is cancelled.
pub const POSTPONEMENTS: u32 = 4;
/// How long after the end of a season the next one starts at the earliest.
pub const BETWEEN_SEASONS: Span = days(3);

/// A tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tournament {
    /// The id.
    pub id: TournamentId,
    /// The user who created it, may extend its rounds, and may cancel it before it starts.
    pub director: UserId,
    /// The terms.
    pub terms: TournamentTerms,
    /// When it was created.
    pub created: Time,
    /// When it starts if it is not full before; a later season does not start before.
    pub starts: Time,
    /// How often the start was put off.
    pub postponed: u32,
    /// The season before, as long as it is not over; this one waits for its result.
    pub waits_for: Option<u32>,
    /// The teams of a team match.
    pub teams: Option<Teams>,
    /// The players who have entered, in the order of entry; from the start on, those in reserve.
    pub entries: Vec<Entry>,
    /// The entrants, games and byes; `None` before the start.
    pub field: Option<Field>,
    /// The current round; `None` before the start.
    pub round: Option<Round>,
    /// The next season.
    pub next: Option<u32>,
    /// When it ended or was cancelled.
    pub ended: Option<Time>,
}

/// A player who has entered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The user.
    pub user: UserId,
    /// When they entered.
    pub at: Time,
    /// Where they finished in the season before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finish: Option<Finish>,
}

/// A round in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Round {
    /// When it began.
    pub began: Time,
    /// When its unfinished games are adjudicated.
    pub deadline: Time,
    /// The days by which the director has extended it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub extended: u32,
}

/// The stage of a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Players can enter.
    Open,
    /// Games are played.
    Running,
    /// It is over.
    Ended,
    /// It never started.
    Cancelled,
}

/// The next step of a tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Too few players have entered: put the start off.
    Postpone,
    /// Too few players have entered for too long.
    Cancel,
    /// Start with those who have entered.
    Start,
    /// This entrant has lost too many games on time.
    Expel(EntrantIndex),
    /// This entrant has left, and these boards are unfinished.
    Withdraw(EntrantIndex, Vec<u32>),
    /// The deadline of the round has passed with these boards unfinished.
    Adjudicate(Vec<u32>),
    /// Begin the next round.
    Pair(RoundPairings),
    /// Games of a team match were decided, of which the players were not told.
    AnnounceScore,
    /// All games are decided.
    End,
}

/// One change of a tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "a field is named after its value")]
pub enum TournamentEvent {
    /// A user entered, or entered the reserve of a running tournament.
    Entered { user: UserId, at: Time },
    /// A user withdrew an entry, or left the running tournament.
    Left { user: UserId },
    /// A captain invited a user to a team.
    Invited {
        user: UserId,
        /// The team, 0 or 1.
        side: usize,
    },
    /// The players of a team match were told the score.
    ScoreTold,
    /// The start was put off.
    Postponed {
        /// The new time.
        until: Time,
    },
    /// The tournament started with these entrants, in the order of seeding.
    Started { entrants: Vec<Entrant> },
    /// A round began.
    RoundBegan { games: Vec<Game>, byes: Vec<Bye>, at: Time },
    /// The director extended the round.
    Extended {
        /// By how many days.
        days: u32,
    },
    /// A player in reserve took the place of an entrant before the entrant's first move.
    Replaced {
        /// The entrant who left.
        old: UserId,
        /// The player who took over the boards.
        new: Entrant,
    },
    /// The next season was opened.
    Succeeded {
        /// Its number.
        next: u32,
    },
    /// The season before ended with these finishes.
    Seeded {
        /// The players who took part, in any order.
        finishes: Vec<Finisher>,
        /// When this season starts at the earliest.
        from: Time,
    },
    /// The tournament ended, or was cancelled.
    Ended { at: Time },
}

impl TournamentEvent {
    /// Returns a short text for the log.
    pub fn summary(&self, id: TournamentId) -> String {
        match self {
            Self::Entered { user, .. } => format!("{id}: {user} entered"),
            Self::Left { user } => format!("{id}: {user} left"),
            Self::Invited { user, .. } => format!("{id}: {user} was invited"),
            Self::ScoreTold => format!("{id}: the score was told"),
            Self::Postponed { until } => format!("{id}: start put off until {until}"),
            Self::Started { entrants } => format!("{id}: started with {} players", entrants.len()),
            Self::RoundBegan { games, .. } => {
                format!("{id}: round began with {} boards", games.len())
            }
            Self::Extended { days } => format!("{id}: round extended by {days} days"),
            Self::Replaced { old, new } => format!("{id}: {} replaced {old}", new.user),
            Self::Succeeded { next } => format!("{id}: season {next} opened"),
            Self::Seeded { .. } => format!("{id}: the season before ended"),
            Self::Ended { .. } => format!("{id}: ended"),
        }
    }
}

/// A player with the place in which they finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finisher {
    /// The user.
    pub user: UserId,
    /// The place.
    pub finish: Finish,
}

/// A crosstable with its title, if the tournament has several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TitledTable {
    /// The title.
    pub title: Option<String>,
    /// The table.
    pub table: Crosstable,
}

/// The end of a board as its tournament or ladder sees it: even a game that ends before its first
/// moves is won by somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardEnd {
    /// The seat that won; `None` for a draw.
    pub winner: Option<Seat>,
    /// How the game was decided.
    pub by: DecidedBy,
}

/// Returns how a board ended; `None` if it goes on.
pub fn board_end(board: &Board) -> Option<BoardEnd> {
    match board.status() {
        BoardStatus::ToMove(_) => None,
        BoardStatus::Ended(_) => {
            let winner = match board.result()? {
                BoardResult::Won(seat) => Some(seat),
                BoardResult::Drawn => None,
            };
            Some(BoardEnd { winner, by: DecidedBy::Play })
        }
        BoardStatus::Closed(closing) => {
            let loser = Seat(closing.seat);
            let by = match closing.by {
                // Who agree to abort a game share its point.
                ClosedBy::Resigning
                | ClosedBy::Agreeing
                | ClosedBy::Assenting
                | ClosedBy::Aborting => DecidedBy::Play,
                ClosedBy::Forfeiting | ClosedBy::Lapsing => DecidedBy::Time,
                ClosedBy::Declining | ClosedBy::Withdrawing => DecidedBy::Leaving,
                ClosedBy::Adjudicating | ClosedBy::AdjudicatedDraw => DecidedBy::Adjudication,
            };
            let is_shared = closing.by.is_draw() || closing.by == ClosedBy::Aborting;
            Some(BoardEnd { winner: (!is_shared).then(|| loser.other()), by })
        }
    }
}

impl Tournament {
    /// Returns the stage.
    pub fn stage(&self) -> Stage {
        match (&self.field, self.ended) {
            (None, None) => Stage::Open,
            (Some(_), None) => Stage::Running,
            (Some(_), Some(_)) => Stage::Ended,
            (None, Some(_)) => Stage::Cancelled,
        }
    }

    /// Returns whether a user has entered or plays.
    pub fn has(&self, user: &UserId) -> bool {
        self.is_entered(user) || self.entrant(user).is_some()
    }

    /// Returns whether a user is among the entries or in reserve.
    pub fn is_entered(&self, user: &UserId) -> bool {
        self.entries.iter().any(|entry| entry.user == *user)
    }

    /// Returns the entrant of a user who has not left.
    pub fn entrant(&self, user: &UserId) -> Option<EntrantIndex> {
        let field = self.field.as_ref()?;
        field.find(user).filter(|entrant| !field.entrants[*entrant].left)
    }

    /// Returns whether no more players can enter, or enter the reserve once it runs.
    pub fn is_full(&self) -> bool {
        self.entries.len() >= self.terms.most
    }

    /// Returns whether a team has four players, or once it plays four in reserve.
    pub fn is_team_full(&self, side: usize) -> bool {
        let Some(teams) = &self.teams else { return true };
        let entries = self.entries.iter().map(|entry| &entry.user);
        entries.filter(|user| teams.side_of(user) == Some(side)).count() >= TEAM
    }

    /// Returns the team that a user may enter, one with a free place if there is one; `None` if no captain
    /// has invited them.
    pub fn side_for(&self, user: &UserId) -> Option<usize> {
        let sides = self.teams.as_ref()?.sides_for(user);
        let free = sides.iter().copied().find(|side| !self.is_team_full(*side));
        free.or_else(|| sides.first().copied())
    }

    /// Returns when it starts: on its day, or at once if it is full. A later season waits for its
    /// day, so that players can leave it.
    fn start(&self) -> Time {
        let is_later_season = self.entries.iter().any(|entry| entry.finish.is_some());
        if self.is_full() && !is_later_season { Time::EPOCH } else { self.starts }
    }

    /// Returns the number of the current round; 0 before the start.
    pub fn round_number(&self) -> u32 {
        self.field.as_ref().map_or(0, Field::round)
    }

    /// Returns when the next step may be due; `None` if only its players can change it.
    pub fn next_wakeup(&self) -> Option<Time> {
        match self.stage() {
            Stage::Ended | Stage::Cancelled => None,
            Stage::Open if self.waits_for.is_some() => None,
            Stage::Open => Some(self.start()),
            Stage::Running if self.unfinished().next().is_none() => Some(Time::EPOCH),
            Stage::Running if self.timed_out().or(self.absent()).is_some() => Some(Time::EPOCH),
            Stage::Running => self.round.map(|round| round.deadline),
        }
    }

    /// Returns the step that is due now; `None` if there is none.
    pub fn step(&self, now: Time) -> Option<Step> {
        match self.stage() {
            Stage::Ended | Stage::Cancelled => None,
            Stage::Open if self.waits_for.is_some() => None,
            Stage::Open if self.start() > now => None,
            Stage::Open if self.entries.len() >= self.terms.least => Some(Step::Start),
            Stage::Open if self.postponed < POSTPONEMENTS => Some(Step::Postpone),
            Stage::Open => Some(Step::Cancel),
            Stage::Running => self.running_step(now),
        }
    }

    fn running_step(&self, now: Time) -> Option<Step> {
        let field = self.field.as_ref()?;
        if let Some(entrant) = self.timed_out() {
            return Some(Step::Expel(entrant));
        }
        if let Some(entrant) = self.absent() {
            let boards = self.unfinished().filter(|game| game.players.contains(&entrant));
            return Some(Step::Withdraw(entrant, boards.map(|game| game.board).collect()));
        }
        let unfinished: Vec<u32> = self.unfinished().map(|game| game.board).collect();
        if !unfinished.is_empty() {
            let is_late = self.round.is_some_and(|round| round.deadline <= now);
            if is_late {
                return Some(Step::Adjudicate(unfinished));
            }
            let is_untold = self.teams.as_ref().is_some_and(|teams| self.decided() > teams.told);
            return is_untold.then_some(Step::AnnounceScore);
        }
        Some(self.terms.format.next_round(field).map_or(Step::End, Step::Pair))
    }

    /// Returns the number of decided games.
    fn decided(&self) -> usize {
        let games = self.field.iter().flat_map(|field| &field.games);
        games.filter(|game| game.verdict.is_some()).count()
    }

    /// Returns the undecided games.
    pub fn unfinished(&self) -> impl Iterator<Item = &Game> {
        let games = self.field.iter().flat_map(|field| &field.games);
        games.filter(|game| game.verdict.is_none())
    }

    /// Returns an entrant who has lost too many games on time and has not left.
    fn timed_out(&self) -> Option<EntrantIndex> {
        let field = self.field.as_ref()?;
        field.active().find(|entrant| field.must_leave(*entrant))
    }

    /// Returns an entrant who has left and has unfinished games.
    fn absent(&self) -> Option<EntrantIndex> {
        let field = self.field.as_ref()?;
        let mut players = self.unfinished().flat_map(|game| game.players);
        players.find(|entrant| field.entrants[*entrant].left)
    }

    /// Returns the verdict of a board of the tournament; `None` if it goes on.
    pub fn verdict(&self, board: &Board) -> Option<Verdict> {
        let field = self.field.as_ref()?;
        let game = field.games.iter().find(|game| game.board == board.id.number)?;
        let BoardEnd { winner, by } = board_end(board)?;
        let first = &field.entrants[game.players[0]].user;
        let result = match winner.map(|seat| board.player(seat)) {
            None => GameResult::Draw,
            Some(winner) if winner == first => GameResult::First,
            Some(_) => GameResult::Second,
        };
        Some(Verdict { result, by })
    }

    /// Records the result of a board that is over, or that it goes on again.
    pub fn record(&mut self, board: &Board) {
        let verdict = self.verdict(board);
        let Some(field) = &mut self.field else { return };
        let game = field.games.iter_mut().find(|game| game.board == board.id.number);
        if let Some(game) = game {
            game.verdict = verdict;
        }
    }

    /// Returns the crosstables with their titles: of the divisions of a round robin, of the groups of
    /// a cup with the latest round first, or one of all rounds.
    pub fn crosstables(&self) -> Vec<TitledTable> {
        let Some(field) = &self.field else { return Vec::new() };
        if let Some(teams) = &self.teams {
            return teams.crosstables(field);
        }
        let is_divided = match self.terms.format {
            Format::RoundRobin { .. } => true,
            Format::Cup { .. } => false,
            format => {
                let table = Crosstable::of_rounds(format, field);
                return vec![TitledTable { title: None, table }];
            }
        };
        let mut all = Vec::new();
        for round in (1..=field.round()).rev() {
            let groups = field.groups(round);
            for group in 0..groups {
                let title = match (is_divided, groups) {
                    (true, 1) => None,
                    (true, _) => Some(format!("Division {}", group + 1)),
                    (false, 1) => Some(format!("Round {round}")),
                    (false, _) => Some(format!("Round {round}, group {}", group + 1)),
                };
                let table = Crosstable::of_group(field, round, group);
                all.push(TitledTable { title, table });
            }
        }
        all
    }

    /// Returns where each player finished in the divisions of a round robin.
    pub fn finishes(&self) -> Vec<Finisher> {
        let Some(field) = &self.field else { return Vec::new() };
        let divisions = field.groups(1);
        let mut finishes = Vec::with_capacity(field.entrants.len());
        for division in 0..divisions {
            let rows = tables::of_group(field, 1, division);
            let size = rows.len();
            finishes.extend(rows.iter().enumerate().map(|(at, row)| {
                let user = field.entrants[row.entrant].user.clone();
                Finisher { user, finish: Finish { division, divisions, place: at + 1, size } }
            }));
        }
        finishes
    }

    /// Returns the pairings of the first round, unless they follow from the format alone: those of a team
    /// match, and of a round robin, which continues the divisions of the season before.
    pub fn first_pairings(&self) -> Option<RoundPairings> {
        if let (Some(teams), Format::Teams { games }) = (&self.teams, self.terms.format) {
            return Some(teams.pairings(self.field.as_ref()?, games));
        }
        let Format::RoundRobin { division } = self.terms.format else { return None };
        let field = self.field.as_ref()?;
        let before: Vec<Option<Finish>> = field
            .entrants
            .iter()
            .map(|one| self.entries.iter().find(|entry| entry.user == one.user)?.finish)
            .collect();
        let is_new = before.iter().all(Option::is_none);
        let divisions = super::divisions::seasonal(&before, division);
        (!is_new).then(|| Format::divided(&divisions))
    }

    /// Applies an event.
    pub fn apply(&mut self, event: &TournamentEvent) {
        match event {
            TournamentEvent::Entered { user, at } => {
                self.entries.push(Entry { user: user.clone(), at: *at, finish: None });
                let side = self.side_for(user);
                if let (Some(teams), Some(side)) = (&mut self.teams, side) {
                    teams.enter(user, side);
                }
            }
            TournamentEvent::Left { user } => self.leave(user),
            TournamentEvent::Invited { user, side } => {
                if let Some(teams) = &mut self.teams {
                    teams.invite(user, *side);
                }
            }
            TournamentEvent::ScoreTold => {
                let decided = self.decided();
                if let Some(teams) = &mut self.teams {
                    teams.told = decided;
                }
            }
            TournamentEvent::Postponed { until } => {
                self.starts = *until;
                self.postponed += 1;
            }
            TournamentEvent::Started { entrants } => {
                self.field = Some(Field { entrants: entrants.clone(), ..Field::default() });
            }
            TournamentEvent::RoundBegan { games, byes, at } => {
                let deadline = *at + self.terms.round_length();
                self.round = Some(Round { began: *at, deadline, extended: 0 });
                // Those who did not get a place wait in reserve.
                let field = self.field.get_or_insert_default();
                field.games.extend(games.iter().cloned());
                field.byes.extend(byes);
                self.entries.retain(|entry| field.find(&entry.user).is_none());
            }
            TournamentEvent::Extended { days: by } => {
                if let Some(round) = &mut self.round {
                    round.deadline += days(i64::from(*by));
                    round.extended += by;
                }
            }
            TournamentEvent::Replaced { old, new } => {
                self.entries.retain(|entry| entry.user != new.user);
                let field = self.field.get_or_insert_default();
                if let Some(entrant) = field.find(old) {
                    field.entrants[entrant] = new.clone();
                }
            }
            TournamentEvent::Succeeded { next } => self.next = Some(*next),
            TournamentEvent::Seeded { finishes, from } => self.seed(finishes, *from),
            TournamentEvent::Ended { at } => self.ended = Some(*at),
        }
    }

    /// Withdraws the entry of a user, or lets them leave the running tournament. The tables of one that
    /// has ended stay as they are.
    pub(super) fn leave(&mut self, user: &UserId) {
        self.entries.retain(|entry| entry.user != *user);
        if self.stage() == Stage::Ended {
            return;
        }
        if let (Some(entrant), Some(field)) = (self.entrant(user), &mut self.field) {
            field.entrants[entrant].left = true;
        } else if let Some(teams) = &mut self.teams {
            teams.leave(user);
        }
    }

    /// Notes the result of the season before. Who did not play in it is new.
    fn seed(&mut self, finishes: &[Finisher], from: Time) {
        for entry in &mut self.entries {
            let found = finishes.iter().find(|one| one.user == entry.user);
            entry.finish = found.map(|one| one.finish);
        }
        self.starts = self.starts.max(from);
        self.waits_for = None;
    }
}
