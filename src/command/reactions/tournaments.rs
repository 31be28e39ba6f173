//! What tournaments do by themselves: start, begin rounds, withdraw and replace leavers, adjudicate
//! unfinished games at the deadline of a round, and end.

use crate::base::ids::{BoardId, TournamentId, UserId};
use crate::base::time::Time;
use crate::command::Needs;
use crate::command::reactions::{Cause, Consequence, Reaction};
use crate::model::board::{Board, BoardEvent, BoardSetup, ClosedBy, Closing};
use crate::model::document::Document as _;
use crate::model::new_board::{BoardMaker, NewBoard};
use crate::model::service::ServiceContext;
use crate::model::tournament::record::{BETWEEN_SEASONS, POSTPONED};
use crate::model::tournament::{
    Adjudication, Bye, Entrant, EntrantIndex, Entry, Field, Format, Game, RoundPairings, Stage,
    Step, Tournament, TournamentEvent, tournament_key, tournament_list_key,
};
use crate::model::user::{User, UserEvent};
use crate::model::world::event::Event;
use crate::model::world::{World, board_key, user_key};
use crate::reply::{TournamentAnswer, TournamentNews};
use crate::store::Key;
use games::{AnyGame, Diagram, EvaluationBudget, Next, SearchDepth, Seat, View};
use std::cmp::Ordering;

/// The positions that the program may judge for one game.
const EFFORT: u32 = 20_000;

pub(super) struct Tournaments;

impl Reaction for Tournaments {
    fn needs(&self, cause: &Cause, world: &World) -> Option<Needs> {
        let ids = concerned(cause, world);
        let needs = |id: &TournamentId| {
            let own = Needs::Keys(vec![tournament_key(*id)]);
            let step = world.loaded_tournament(*id).map(|one| step_needs(one, cause));
            [own].into_iter().chain(step.into_iter().flatten())
        };
        (!ids.is_empty()).then(|| Needs::All(ids.iter().flat_map(needs).collect()))
    }

    fn react(&self, cause: &Cause, world: &World, cx: &mut ServiceContext) -> Vec<Consequence> {
        let mut all = Vec::new();
        for id in concerned(cause, world) {
            let Some(tournament) = world.loaded_tournament(id) else { continue };
            let Some(step) = tournament.step(until(cause).min(cx.now)) else { continue };
            let game = games::find(id.game).expect("a TournamentId names a game");
            all.extend(StepMaker { world, tournament, game, cx: &mut *cx }.take(step));
        }
        all
    }
}

/// Returns the time up to which deadlines count: a wakeup finds those that have passed, an event none.
fn until(cause: &Cause) -> Time {
    match cause {
        Cause::Due(_) => Time::NEVER,
        Cause::Event(_) => Time::EPOCH,
    }
}

/// Returns the tournaments that a cause may let act.
fn concerned(cause: &Cause, world: &World) -> Vec<TournamentId> {
    match cause {
        Cause::Due(key) => Tournament::id_of(key).into_iter().collect(),
        Cause::Event(Event::Tournament(id, _)) => vec![*id],
        Cause::Event(Event::Board(id, _)) => {
            let board = world.loaded_board(*id).filter(|board| board.is_over());
            board.and_then(|board| board.tournament).into_iter().collect()
        }
        Cause::Event(Event::User(user, UserEvent::Left(_))) => {
            world.any_user(user).map(|user| user.tournaments.clone()).unwrap_or_default()
        }
        Cause::Event(_) => Vec::new(),
    }
}

/// Returns what the next step of a tournament reads besides the tournament.
fn step_needs(tournament: &Tournament, cause: &Cause) -> Vec<Needs> {
    let Some(step) = tournament.step(until(cause)) else { return Vec::new() };
    let game = tournament.id.game;
    let field = tournament.field.iter().flat_map(|field| &field.entrants);
    let users = field.map(|entrant| &entrant.user);
    let users = users.chain(tournament.entries.iter().map(|entry| &entry.user));
    let next = tournament.next.map(|number| tournament_key(TournamentId { game, number }));
    let board = |number: u32| board_key(BoardId { game, number });
    let mut keys: Vec<Key> = users.chain([&tournament.director]).map(user_key).collect();
    keys.extend(next);
    keys.push(tournament_list_key(game));
    let mut boards = 0;
    match step {
        // The pairings are not known before the users are loaded.
        Step::Start => boards = most_pairs(tournament),
        Step::Pair(pairings) => boards = pairings.pairs.len(),
        Step::Withdraw(_, numbers) | Step::Adjudicate(numbers) => {
            keys.extend(numbers.into_iter().map(board));
        }
        Step::Postpone | Step::Cancel | Step::Expel(_) | Step::AnnounceScore | Step::End => {}
    }
    let boards = u32::try_from(boards).unwrap_or(u32::MAX);
    vec![Needs::Keys(keys), Needs::NewBoards(game, boards)]
}

/// Returns the most games that the first round of a tournament can have.
fn most_pairs(tournament: &Tournament) -> usize {
    let players = tournament.entries.len();
    match tournament.terms.format {
        Format::RoundRobin { division: group } | Format::Cup { group } => players * group / 2,
        Format::KnockOut { .. } | Format::Swiss { .. } => players / 2,
        Format::Teams { games } => players / 2 * games as usize,
    }
}

/// Decides a step of a tournament.
struct StepMaker<'a, 'c> {
    world: &'a World,
    tournament: &'a Tournament,
    game: &'static dyn AnyGame,
    cx: &'a mut ServiceContext<'c>,
}

/// The boards of a new round, and the event that begins it.
struct NewRound {
    boards: Vec<Event>,
    began: Event,
}

impl StepMaker<'_, '_> {
    /// Returns what a step leads to; nothing if a document that it needs is damaged.
    fn take(mut self, step: Step) -> Option<Consequence> {
        match step {
            Step::Postpone => {
                let until = self.cx.now.day().start() + POSTPONED;
                let event = self.event(TournamentEvent::Postponed { until });
                Some(self.consequence(vec![event], TournamentNews::Postponed))
            }
            Step::Cancel => {
                let event = self.event(TournamentEvent::Ended { at: self.cx.now });
                Some(self.consequence(vec![event], TournamentNews::Cancelled))
            }
            Step::Start => self.start(),
            Step::Expel(entrant) => {
                let user = self.user(entrant);
                let mut events = vec![self.event(TournamentEvent::Left { user: user.clone() })];
                events.extend(self.leave_next_season(user.clone()));
                Some(self.consequence(events, TournamentNews::Expelled(user)))
            }
            Step::Withdraw(entrant, boards) => Some(self.withdraw(entrant, &boards)),
            Step::Adjudicate(boards) => Some(self.adjudicate(&boards)),
            Step::Pair(pairings) => {
                let NewRound { mut boards, began } = self.begin(self.tournament, &pairings)?;
                boards.push(began);
                Some(self.consequence(boards, TournamentNews::RoundBegan))
            }
            Step::AnnounceScore => {
                let events = vec![self.event(TournamentEvent::ScoreTold)];
                Some(self.consequence(events, TournamentNews::Score))
            }
            Step::End => Some(self.end()),
        }
    }

    fn event(&self, event: TournamentEvent) -> Event {
        Event::Tournament(self.tournament.id, event)
    }

    fn consequence(&self, events: Vec<Event>, news: TournamentNews) -> Consequence {
        let answer = TournamentAnswer::News { id: self.tournament.id, news };
        Consequence { events, news: Some(answer.into()) }
    }

    /// Returns the userid of an entrant of the running tournament.
    fn user(&self, entrant: EntrantIndex) -> UserId {
        let field = self.tournament.field.as_ref().expect("a running tournament has a field");
        field.entrants[entrant].user.clone()
    }

    /// Starts the tournament with those of the entered who are still here.
    fn start(&mut self) -> Option<Consequence> {
        let entrants = self.tournament.entries.iter().filter_map(|entry| {
            let rating = self.world.user(&entry.user)?.standing(self.tournament.id.game);
            Some(Entrant { user: entry.user.clone(), rating: rating.points(), left: false })
        });
        let field = Field::new(entrants.collect());
        // A damaged user is missing. The start is tried again at the next wakeup.
        if field.entrants.len() < self.tournament.terms.least {
            return None;
        }
        let started = TournamentEvent::Started { entrants: field.entrants.clone() };
        let mut begun = self.tournament.clone();
        begun.apply(&started);
        let pairings = begun.first_pairings().or_else(|| begun.terms.format.next_round(&field))?;
        let NewRound { boards, began } = self.begin(&begun, &pairings)?;
        let mut events = vec![self.event(started)];
        events.extend(boards);
        events.push(began);
        if self.tournament.terms.is_recurring {
            events.extend(self.open_next_season(&field)?);
        }
        Some(self.consequence(events, TournamentNews::RoundBegan))
    }

    /// Returns the events that open the next season, with all entrants in it.
    fn open_next_season(&self, field: &Field) -> Option<[Event; 2]> {
        let (now, id) = (self.cx.now, self.tournament.id);
        let next = self.world.tournament_list(id.game).ok()?.next_number();
        let entry = |entrant: &Entrant| Entry { user: entrant.user.clone(), at: now, finish: None };
        let season = Tournament {
            id: TournamentId { number: next, ..id },
            created: now,
            starts: now,
            postponed: 0,
            waits_for: Some(id.number),
            teams: None,
            entries: field.entrants.iter().map(entry).collect(),
            field: None,
            round: None,
            next: None,
            ended: None,
            ..self.tournament.clone()
        };
        let opened = Event::TournamentCreated(Box::new(season));
        Some([opened, self.event(TournamentEvent::Succeeded { next })])
    }

    /// Begins the boards of a round.
    fn begin(&mut self, tournament: &Tournament, pairings: &RoundPairings) -> Option<NewRound> {
        let field = tournament.field.as_ref()?;
        let (id, at, round) = (tournament.id, self.cx.now, field.round() + 1);
        let cx = ServiceContext { now: at, chance: &mut *self.cx.chance, keys: self.cx.keys };
        let mut maker = BoardMaker::new(self.world, cx);
        let (mut boards, mut games) = (Vec::new(), Vec::new());
        for pair in &pairings.pairs {
            let new = NewBoard {
                game: self.game,
                agreed: tournament.terms.agreed.clone(),
                players: pair.players.map(|entrant| field.entrants[entrant].user.clone()),
                by: None,
                seeds: [None, None],
            };
            let setup = maker.begin(new).ok()?.setup;
            let (group, players, board) = (pair.group, pair.players, setup.board.number);
            games.push(Game { round, group, players, board, verdict: None });
            let setup = BoardSetup { tournament: Some(id), ..setup };
            boards.push(Event::Challenged(Box::new(setup)));
        }
        let byes = pairings.byes.iter().map(|entrant| Bye { round, entrant: *entrant }).collect();
        Some(NewRound {
            boards,
            began: self.event(TournamentEvent::RoundBegan { games, byes, at }),
        })
    }

    /// Lets the first player in reserve take over the boards of an entrant who has left before the
    /// first move, or else gives them up.
    fn withdraw(&self, entrant: EntrantIndex, numbers: &[u32]) -> Consequence {
        let old = self.user(entrant);
        let boards: Vec<&Board> = numbers.iter().filter_map(|number| self.board(*number)).collect();
        let field = self.tournament.field.as_ref();
        let all = field.map_or(0, |field| field.games_of(entrant).count());
        let has_moved = |board: &&Board| board.seat(&old).is_some_and(|seat| board.has_moved(seat));
        let is_untouched = boards.len() == all && !boards.iter().any(has_moved);
        let side = |user: &UserId| self.tournament.teams.as_ref().map(|teams| teams.side_of(user));
        let mut reserve =
            self.tournament.entries.iter().filter(|entry| side(&entry.user) == side(&old));
        let in_reserve = reserve.find_map(|entry| self.world.user(&entry.user));
        if let Some(new) = in_reserve.filter(|_| is_untouched) {
            return self.replace(old, new, &boards);
        }
        let closed = |board: &&Board| {
            let seat = board.seat(&old).filter(|_| !board.is_over())?;
            let has_moved = board.has_moved(seat);
            let by = if has_moved { ClosedBy::Withdrawing } else { ClosedBy::Declining };
            Some(self.close(board, seat, by))
        };
        let mut events: Vec<Event> = boards.iter().filter_map(closed).collect();
        events.extend(self.leave_next_season(old));
        self.consequence(events, TournamentNews::Decided(ids(&boards)))
    }

    fn replace(&self, old: UserId, new: &User, boards: &[&Board]) -> Consequence {
        let rating = new.standing(self.tournament.id.game).points();
        let replaced = |board: &&Board| {
            let (from, to) = (old.clone(), new.id.clone());
            Event::Board(board.id, BoardEvent::Replaced { at: self.cx.now, from, to })
        };
        let mut events: Vec<Event> = boards.iter().map(replaced).collect();
        let entrant = Entrant { user: new.id.clone(), rating, left: false };
        events.push(self.event(TournamentEvent::Replaced { old: old.clone(), new: entrant }));
        events.extend(self.leave_next_season(old.clone()));
        let news = TournamentNews::Replaced { old, new: new.id.clone(), boards: ids(boards) };
        self.consequence(events, news)
    }

    /// Returns the event by which a leaver leaves the next season as well, if they are entered there.
    fn leave_next_season(&self, user: UserId) -> Option<Event> {
        let id = TournamentId { number: self.tournament.next?, ..self.tournament.id };
        let next = self.world.loaded_tournament(id)?;
        let is_entered = next.stage() == Stage::Open && next.is_entered(&user);
        is_entered.then_some(Event::Tournament(id, TournamentEvent::Left { user }))
    }

    /// Ends the unfinished boards of a round. A player who has not moved loses to one who has; if
    /// nobody is ahead, the game is drawn.
    fn adjudicate(&self, numbers: &[u32]) -> Consequence {
        let boards: Vec<&Board> = numbers.iter().filter_map(|number| self.board(*number)).collect();
        let boards: Vec<&Board> = boards.into_iter().filter(|board| !board.is_over()).collect();
        let closed = |board: &&Board| {
            let ahead = match Seat::BOTH.map(|seat| board.has_moved(seat)) {
                [true, false] => Some(Seat(0)),
                [false, true] => Some(Seat(1)),
                [false, false] => None,
                [true, true] => ahead(board, self.tournament.terms.adjudication),
            };
            match ahead {
                Some(winner) => self.close(board, winner.other(), ClosedBy::Adjudicating),
                None => self.close(board, Seat(0), ClosedBy::AdjudicatedDraw),
            }
        };
        let events = boards.iter().map(closed).collect();
        self.consequence(events, TournamentNews::Decided(ids(&boards)))
    }

    fn close(&self, board: &Board, seat: Seat, by: ClosedBy) -> Event {
        let closing = Closing { at: self.cx.now, seat: seat.0, by };
        Event::Board(board.id, BoardEvent::Closed(closing))
    }

    fn board(&self, number: u32) -> Option<&Board> {
        self.world.loaded_board(BoardId { game: self.tournament.id.game, number })
    }

    /// Ends the tournament, and lets the next season begin.
    fn end(&self) -> Consequence {
        let at = self.cx.now;
        let mut events = vec![self.event(TournamentEvent::Ended { at })];
        if let Some(number) = self.tournament.next {
            let finishes = self.tournament.finishes();
            let seeded = TournamentEvent::Seeded { finishes, from: at + BETWEEN_SEASONS };
            let next = TournamentId { number, ..self.tournament.id };
            events.push(Event::Tournament(next, seeded));
        }
        self.consequence(events, TournamentNews::Ended)
    }
}

fn ids(boards: &[&Board]) -> Vec<BoardId> {
    boards.iter().map(|board| board.id).collect()
}

/// Returns the seat that is ahead on a board in progress; `None` if neither is.
fn ahead(board: &Board, adjudication: Adjudication) -> Option<Seat> {
    let position = board.position();
    match adjudication {
        Adjudication::Draw => None,
        Adjudication::Pips => {
            let Diagram::Points(points) = position.diagram(&View::default()) else { return None };
            let [first, second] = points.pips;
            match first.cmp(&second) {
                Ordering::Less => Some(Seat(0)),
                Ordering::Greater => Some(Seat(1)),
                Ordering::Equal => None,
            }
        }
        Adjudication::Program => {
            let (Next::Move(seat) | Next::Ready(seat, _)) = position.next() else { return None };
            let mut effort = EvaluationBudget::new(EFFORT);
            let found = position.evaluate(None, SearchDepth::ZeroPly, &mut effort)?;
            let best = found.iter().map(|one| one.value).max_by(f32::total_cmp)?;
            match best.total_cmp(&0.0) {
                Ordering::Greater => Some(seat),
                Ordering::Less => Some(seat.other()),
                Ordering::Equal => None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Choices;

    /// Builds a board of Backgammon from an XGID with a roll of 5 and 2. Capital letters are men of
    /// seat 1.
    fn board(points: &str, turn: i8) -> Board {
        let game = games::find("backgammon").unwrap();
        let option = format!("-position=XGID={points}:0:0:{turn}:52:0:0:0:0:10");
        let spec = game.spec();
        let options = Choices::parse(spec.options, spec.exclusive, [&*option]).unwrap();
        let players = ["alice", "bob"].map(|name| UserId::parse(name).unwrap());
        Board::new(game, 1, players, options, Time::EPOCH)
    }

    #[test]
    fn the_player_who_bears_off_is_ahead_by_pips_and_for_the_program() {
        for (points, winner) in
            [("-CB----bc-----------------", Seat(1)), ("-----------------CB----bc-", Seat(0))]
        {
            for turn in [1, -1] {
                let board = board(points, turn);
                assert_eq!(ahead(&board, Adjudication::Pips), Some(winner), "{points} {turn}");
                assert_eq!(ahead(&board, Adjudication::Program), Some(winner), "{points} {turn}");
                assert_eq!(ahead(&board, Adjudication::Draw), None);
            }
        }
    }
}
