//! Tournaments of simulated players, with leavers, players who never move, vacations and deadlines:
//! each ends by itself, `check` finds nothing, and its tables equal an independent recomputation.

use crate::support::home::{config, lift_limits, setup};
use postboard::base::chance::Entropy;
use postboard::base::ids::TournamentId;
use postboard::base::time::{DAY, Time};
use postboard::model::board::{Board, BoardStatus, ClosedBy};
use postboard::model::document::Document as _;
use postboard::model::tournament::{
    Format, Stage, Tournament, TournamentList, tables, tournament_key, tournament_list_key,
};
use postboard::server::check::check;
use postboard::server::{Server, Setup, ShellAnswer, remind, shell_request};
use postboard::store::{DocumentKind, Documents as _, Key, MemoryStore, Store as _};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha20Rng;
use std::collections::BTreeMap;

const GAME: &str = "reversi";
const START: Time = Time::from_unix(1_795_238_400);

/// A home with simulated players.
struct Town {
    store: MemoryStore,
    setup: Setup,
    chance: Entropy,
    random: ChaCha20Rng,
    now: Time,
    /// The strength of each player, by number.
    strengths: Vec<f64>,
    /// The players who never move.
    asleep: Vec<usize>,
}

impl Town {
    fn new(seed: u64, players: usize) -> Self {
        let mut setup = setup(config());
        lift_limits(&mut setup);
        let mut random = ChaCha20Rng::seed_from_u64(seed);
        let strengths = (0..players).map(|_| random.random_range(-2.0..2.0)).collect();
        let asleep = (0..players).filter(|_| random.random_range(0..12) == 0).collect();
        let chance = Entropy(ChaCha20Rng::seed_from_u64(seed));
        let store = MemoryStore::new();
        let mut town = Self { store, setup, chance, random, now: START, strengths, asleep };
        for player in 0..players {
            town.say(false, &format!("signup p{player} secret p{player}@pbm.test"));
        }
        town
    }

    /// Executes a command of the shell, which may be refused.
    fn said(&mut self, operator: bool, line: &str) -> ShellAnswer {
        let mut server = Server::new(&self.setup, &mut self.chance);
        let request = shell_request(line.into(), operator, String::new());
        let answer = server.shell(&request, &self.store, self.now).unwrap();
        let done = server.take();
        self.store.commit(done).unwrap();
        self.store.take_letters();
        answer
    }

    fn say(&mut self, operator: bool, line: &str) -> String {
        let ShellAnswer { text, is_done } = self.said(operator, line);
        assert!(is_done, "{line}: {text}");
        text
    }

    fn remind(&mut self) {
        let mut server = Server::new(&self.setup, &mut self.chance);
        remind::run(&mut server, &mut self.store, None, self.now, &mut |_| true).unwrap();
        self.store.take_letters();
    }

    fn text(&self, key: &Key) -> Option<String> {
        self.store.load(key).unwrap().text
    }

    fn tournament(&self, number: u32) -> Tournament {
        let id = TournamentId { game: GAME, number };
        Tournament::from_text(&id, &self.text(&tournament_key(id)).unwrap()).unwrap()
    }

    fn board(&self, number: u32) -> Board {
        Board::read(&self.text(&Key::Board(GAME, number)).unwrap()).unwrap()
    }

    /// Plays a day: on each board somebody moves, and after both have moved the weaker resigns sooner
    /// or later.
    fn play(&mut self, tournament: &Tournament) {
        let field = tournament.field.as_ref().unwrap();
        let boards: Vec<u32> = tournament.unfinished().map(|game| game.board).collect();
        for number in boards {
            let board = self.board(number);
            let BoardStatus::ToMove(seat) = board.status() else { continue };
            let player =
                |seat: games::Seat| board.player(seat).as_str()[1..].parse::<usize>().unwrap();
            let (mover, other) = (player(seat), player(seat.other()));
            if self.asleep.contains(&mover) || self.random.random_range(0..3) == 0 {
                continue;
            }
            let both = games::Seat::BOTH.into_iter().all(|seat| board.has_moved(seat));
            if both && self.random.random_range(0..3) > 0 {
                let edge = self.strengths[mover] - self.strengths[other];
                let loses = self.random.random_bool(1.0 / (1.0 + edge.exp()));
                let loser = if loses { mover } else { other };
                let draws = self.random.random_range(0..6) == 0;
                if draws {
                    self.said(true, &format!("{GAME} propose {number} p{mover}"));
                    self.said(true, &format!("{GAME} accept {number} p{other} draw"));
                } else {
                    self.say(true, &format!("{GAME} resign {number} p{loser}"));
                }
            } else {
                let text = board.position().first_move().unwrap();
                self.say(true, &format!("{GAME} move {number} p{mover} {text}"));
            }
        }
        let leavers = field.active().filter(|_| self.random.random_range(0..400) == 0);
        let leavers: Vec<_> = leavers.map(|one| field.entrants[one].user.clone()).collect();
        for user in leavers {
            self.said(true, &format!("{GAME} tournament leave {} {user}", tournament.id.number));
        }
        if self.random.random_range(0..10) == 0 {
            let player = self.random.random_range(0..self.strengths.len());
            self.said(true, &format!("vacation p{player} {}", self.now.day().plus(9)));
        }
    }

    /// Plays a tournament to its end.
    fn run(&mut self, number: u32) -> Tournament {
        for _ in 0..900 {
            let tournament = self.tournament(number);
            match tournament.stage() {
                Stage::Ended | Stage::Cancelled => return tournament,
                Stage::Open => {}
                Stage::Running => self.play(&tournament),
            }
            self.now += DAY;
            self.remind();
        }
        panic!("{:?} does not end", self.tournament(number));
    }

    /// Creates a tournament and enters players.
    fn create(&mut self, options: &str, players: impl IntoIterator<Item = usize>) -> u32 {
        let list = self.text(&tournament_list_key(GAME));
        let list = list.map_or_else(
            || TournamentList::new(GAME),
            |text| TournamentList::from_text(&GAME, &text).unwrap(),
        );
        let number = list.next();
        self.say(
            true,
            &format!("{GAME} tournament create p0 {options} --nagtime=3 --forfeittime=6"),
        );
        for player in players {
            self.say(true, &format!("{GAME} tournament join {number} p{player}"));
        }
        number
    }

    fn check(&self) {
        let report = check(&self.store, self.now).unwrap();
        assert_eq!([report.wrong, report.mended].concat(), Vec::<String>::new());
    }

    /// Computes the half points of each player of a group from the boards alone.
    fn recomputed(
        &self,
        tournament: &Tournament,
        round: u32,
        group: usize,
    ) -> BTreeMap<String, u32> {
        let field = tournament.field.as_ref().unwrap();
        let boards: Vec<Board> =
            field.group(round, group).map(|game| self.board(game.board)).collect();
        let lost_early = |board: &Board, user: &str| {
            let closing = board.closing.as_ref();
            closing.is_some_and(|closing| {
                let loses = board.player(games::Seat(closing.seat)).as_str() == user;
                loses
                    && matches!(
                        closing.by,
                        ClosedBy::Forfeiting
                            | ClosedBy::Lapsing
                            | ClosedBy::Declining
                            | ClosedBy::Withdrawing
                    )
            })
        };
        let left =
            |user: &str| field.entrants.iter().any(|one| one.left && one.user.as_str() == user);
        let mut removed = Vec::new();
        for user in boards.iter().flat_map(|board| &board.players) {
            let own: Vec<_> = boards.iter().filter(|board| board.seat(user).is_some()).collect();
            let early = own.iter().filter(|board| lost_early(board, user.as_str())).count();
            if left(user.as_str()) && 2 * (own.len() - early) < own.len() {
                removed.push(user.clone());
            }
        }
        let mut points: BTreeMap<String, u32> = BTreeMap::new();
        for board in &boards {
            let is_removed = board.players.iter().any(|user| removed.contains(user));
            for seat in games::Seat::BOTH {
                let won = match (board.result(), board.closing) {
                    _ if is_removed => 0,
                    (_, Some(closing)) if closing.by.is_draw() => 1,
                    (_, Some(closing)) => 2 * u32::from(closing.seat != seat.0),
                    (Some(postboard::model::board::BoardResult::Won(by)), _) => {
                        2 * u32::from(by == seat)
                    }
                    _ => 1,
                };
                *points.entry(board.player(seat).to_string()).or_default() += won;
            }
        }
        points
    }

    fn check_tables(&self, tournament: &Tournament) {
        let field = tournament.field.as_ref().unwrap();
        for round in 1..=field.round() {
            for group in 0..field.groups(round) {
                let rows = tables::of_group(field, round, group);
                let found: BTreeMap<String, u32> = rows
                    .iter()
                    .map(|row| (field.entrants[row.entrant].user.to_string(), row.half_points))
                    .collect();
                assert_eq!(found, self.recomputed(tournament, round, group));
            }
        }
        let ranking = tables::ranking(tournament.terms.format, field);
        assert_eq!(ranking.len(), field.entrants.len(), "everybody has a place");
        let boards = self.store.keys(DocumentKind::Boards(GAME)).unwrap();
        let of_tournament = boards.iter().filter(|key| {
            let Key::Board(_, number) = **key else { return false };
            self.board(number).tournament == Some(tournament.id)
        });
        assert_eq!(of_tournament.count(), field.games.len());
    }
}

/// Plays a tournament of a format to its end, and checks it.
fn simulate(seed: u64, players: usize, options: &str) -> Tournament {
    let mut town = Town::new(seed, players);
    let number = town.create(&format!("{options} --players={players}"), 0..players);
    let ended = town.run(number);
    assert_eq!(ended.stage(), Stage::Ended);
    town.check();
    if matches!(ended.terms.format, Format::RoundRobin { .. } | Format::Cup { .. }) {
        town.check_tables(&ended);
    }
    ended
}

#[test]
fn every_format_ends_by_itself() {
    for (seed, options) in [
        (1, "--format=cup --group=4 --days=14"),
        (2, "--format=single --days=14"),
        (3, "--format=double --days=14"),
        (4, "--format=swiss --rounds=4 --days=14"),
        (5, "--format=round-robin --group=5 --days=14"),
    ] {
        simulate(seed, 12, options);
    }
}

#[test]
#[ignore = "takes minutes"]
fn seasons_of_sixty_players_end_by_themselves() {
    for seed in 1..=5 {
        for format in ["cup --group=5", "single", "double", "swiss --rounds=5"] {
            simulate(seed, 60, &format!("--format={format} --days=21"));
        }
        let mut town = Town::new(seed, 60);
        let first = town.create("--recurring --days=30 --start=2026-12-01", 0..60);
        for number in [first, first + 1] {
            let ended = town.run(number);
            assert_eq!((ended.stage(), ended.next), (Stage::Ended, Some(number + 1)));
            town.check_tables(&ended);
            town.check();
        }
    }
}

#[test]
fn winners_go_up_and_losers_go_down_between_seasons() {
    let mut town = Town::new(7, 12);
    town.asleep.clear();
    let first = town.create("--recurring --group=6 --days=30 --start=2026-11-25", 0..12);
    let ended = town.run(first);
    town.check();
    let finishes = ended.finishes();
    let second = town.run(first + 1);
    let field = second.field.as_ref().unwrap();
    let divisions: Vec<Vec<String>> = (0..field.groups(1))
        .map(|group| {
            field
                .members(1, group)
                .into_iter()
                .map(|one| field.entrants[one].user.to_string())
                .collect()
        })
        .collect();
    assert!(field.entrants.len() >= 10);
    let still_in = |user: &str| field.entrants.iter().any(|one| one.user.as_str() == user);
    for finisher in finishes.iter().filter(|one| still_in(one.user.as_str())) {
        let now = divisions.iter().position(|users| users.contains(&finisher.user.to_string()));
        if finisher.finish.place <= 2 && finisher.finish.division == 1 {
            assert_eq!(now, Some(0), "{} goes up", finisher.user);
        }
    }
}
