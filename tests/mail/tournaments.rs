//! Tournaments of simulated players, with leavers, players who never move, vacations and deadlines:
//! each ends by itself, `check` finds nothing, and its tables equal an independent recomputation.

use crate::support::simulated::SimulatedHome;
use postboard::base::ids::{TournamentId, UserId};
use postboard::base::time::DAY;
use postboard::model::board::{Board, BoardStatus, ClosedBy};
use postboard::model::document::Document as _;
use postboard::model::tournament::divisions::Finish;
use postboard::model::tournament::record::BETWEEN_SEASONS;
use postboard::model::tournament::{
    Format, Stage, Tournament, TournamentList, tables, tournament_key, tournament_list_key,
};
use postboard::model::world::user_key;
use postboard::server::check::check;
use postboard::server::{Server, repair};
use postboard::store::{DocumentKind, Documents as _, Key, Store as _};
use rand::RngExt;
use std::collections::BTreeMap;

const GAME: &str = "reversi";

impl SimulatedHome {
    /// Removes a user, as the operator does.
    fn remove(&mut self, user: &str) {
        let mut server = Server::new(&self.setup, &mut self.chance);
        let user = UserId::parse(user).unwrap();
        let repair = repair::remove_user(&mut server, &self.store, &user, self.now).unwrap();
        self.commit(repair.transaction);
    }

    fn tournament(&self, number: u32) -> Tournament {
        let id = TournamentId { game: GAME, number };
        Tournament::from_text(&id, &self.text(&tournament_key(id)).unwrap()).unwrap()
    }

    /// Plays a day: on each board somebody moves, and after both have moved the weaker resigns sooner
    /// or later.
    fn play(&mut self, tournament: &Tournament) {
        let field = tournament.field.as_ref().unwrap();
        let boards: Vec<u32> = tournament.unfinished().map(|game| game.board).collect();
        for number in boards {
            let board = self.board(GAME, number);
            let BoardStatus::ToMove(seat) = board.status() else { continue };
            let player =
                |seat: games::Seat| board.player(seat).as_str()[1..].parse::<usize>().unwrap();
            let (mover, other) = (player(seat), player(seat.other()));
            if self.asleep.contains(&mover) || self.random.random_range(0..3) == 0 {
                continue;
            }
            let both = games::Seat::BOTH.into_iter().all(|seat| board.has_moved(seat));
            if both && self.random.random_range(0..3) > 0 {
                let loser = self.loser([mover, other]);
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
        self.send_on_vacation();
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
        let number = list.next_number();
        self.say(
            true,
            &format!("{GAME} tournament create p0 {options} --nagtime=3 --forfeittime=6"),
        );
        for player in players {
            self.say(true, &format!("{GAME} tournament join {number} p{player}"));
        }
        number
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
            field.group(round, group).map(|game| self.board(GAME, game.board)).collect();
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
            self.board(GAME, number).tournament == Some(tournament.id)
        });
        assert_eq!(of_tournament.count(), field.games.len());
    }
}

/// Plays a tournament of a format to its end, and checks it.
fn simulate(seed: u64, players: usize, options: &str) -> Tournament {
    let mut town = SimulatedHome::new(seed, players);
    let number = town.create(&format!("{options} --players={players}"), 0..players);
    let ended = town.run(number);
    assert_eq!(ended.stage(), Stage::Ended);
    town.assert_sound();
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
        let mut town = SimulatedHome::new(seed, 60);
        let first = town.create("--recurring --days=30 --start=2026-12-01", 0..60);
        for number in [first, first + 1] {
            let ended = town.run(number);
            assert_eq!((ended.stage(), ended.next), (Stage::Ended, Some(number + 1)));
            town.check_tables(&ended);
            town.assert_sound();
        }
    }
}

/// Returns the userids of a tournament in the order in which they finished.
fn ranked(tournament: &Tournament) -> Vec<String> {
    let field = tournament.field.as_ref().unwrap();
    let ranking = tables::ranking(tournament.terms.format, field).into_iter();
    ranking.map(|one| field.entrants[one].user.to_string()).collect()
}

#[test]
fn a_winner_who_leaves_the_server_keeps_the_place() {
    let mut town = SimulatedHome::new(11, 4);
    let number = town.create("--format=single --players=4 --days=14", 0..4);
    let before = ranked(&town.run(number));
    town.remove(&before[0]);
    assert_eq!(ranked(&town.tournament(number)), before);
    town.assert_sound();
}

#[test]
fn a_user_who_leaves_the_server_leaves_their_tournaments() {
    let mut town = SimulatedHome::new(12, 4);
    let number = town.create("--players=4", 0..4);
    let leaver = UserId::parse("p1").unwrap();
    for game in town.tournament(number).unfinished() {
        loop {
            let board = town.board(GAME, game.board);
            let BoardStatus::ToMove(seat) = board.status() else { panic!("{:?}", board.status()) };
            if board.seat(&leaver).is_none_or(|seat| board.has_moved(seat)) {
                break;
            }
            let (user, text) = (board.player(seat), board.position().first_move().unwrap());
            town.say(true, &format!("{GAME} move {} {user} {text}", game.board));
        }
    }
    town.remove("p1");
    let tournament = town.tournament(number);
    let field = tournament.field.as_ref().unwrap();
    let entrant = field.find(&leaver).unwrap();
    assert!(field.entrants[entrant].left, "{:?}", field.entrants);
    let games: Vec<_> = field.games_of(entrant).collect();
    assert!(games.iter().all(|game| game.verdict.is_some()), "{games:?}");
    assert!(field.is_removed(entrant, 1, 0), "no game was finished");
    town.assert_sound();
}

#[test]
fn a_player_from_the_reserve_has_the_full_time_and_none_of_the_plans() {
    for is_on_turn in [true, false] {
        let mut town = SimulatedHome::new(13, 3);
        let number = town.create("--format=single --players=2", 0..3);
        let board = town.tournament(number).field.unwrap().games[0].board;
        let BoardStatus::ToMove(mover) = town.board(GAME, board).status() else { panic!("over") };
        let leaver = if is_on_turn { mover } else { mover.other() };
        let user = town.board(GAME, board).player(leaver).clone();
        if !is_on_turn {
            town.say(true, &format!("{GAME} queue {board} {user} e3"));
            assert!(town.board(GAME, board).plans[leaver.index()].is_some());
        }
        for _ in 0..5 {
            town.now += DAY;
            town.remind();
        }
        town.say(true, &format!("{GAME} tournament leave {number} {user}"));
        assert_eq!(town.board(GAME, board).player(leaver).as_str(), "p2");
        assert_eq!(town.board(GAME, board).plans, [None, None]);
        // There are six days for a turn; the player who waits keeps theirs.
        for day in 5..12 {
            assert_eq!(
                town.board(GAME, board).is_over(),
                day >= if is_on_turn { 11 } else { 6 },
                "{day}"
            );
            town.now += DAY;
            town.remind();
        }
        town.assert_sound();
    }
}

#[test]
fn a_full_season_takes_no_more_players_and_waits_for_its_day() {
    let mut town = SimulatedHome::new(14, 4);
    town.asleep.clear();
    let first = town.create("--recurring --players=3 --least=2", 0..3);
    let refused = town.said(true, &format!("{GAME} tournament join {} p3", first + 1)).text;
    assert!(refused.contains("has no place left"), "{refused}");
    let ended = town.run(first).ended.unwrap();
    let next = town.tournament(first + 1);
    assert_eq!((next.stage(), next.starts), (Stage::Open, ended + BETWEEN_SEASONS));
    assert!(next.is_full());
    while town.now < next.starts {
        assert_eq!(town.tournament(first + 1).stage(), Stage::Open);
        town.now += DAY;
        town.remind();
    }
    assert_eq!(town.tournament(first + 1).stage(), Stage::Running);
    town.assert_sound();
}

#[test]
fn a_player_who_times_out_twice_leaves_the_next_season_as_well() {
    let mut town = SimulatedHome::new(15, 3);
    town.asleep = vec![2];
    let first = town.create("--recurring --players=3 --least=2", 0..3);
    let sleeper = UserId::parse("p2").unwrap();
    assert!(town.tournament(first + 1).is_entered(&sleeper));
    let ended = town.run(first);
    assert_eq!(ended.entrant(&sleeper), None);
    assert!(!town.tournament(first + 1).is_entered(&sleeper));
}

#[test]
fn a_damaged_player_puts_the_start_off() {
    let mut town = SimulatedHome::new(16, 2);
    let number = town.create("--players=3 --least=2 --start=2026-11-25", 0..2);
    let key = user_key(&UserId::parse("p1").unwrap());
    town.change(&key, |text| text + "}");
    for _ in 0..3 {
        town.now += DAY;
        town.remind();
    }
    assert_eq!(town.tournament(number).stage(), Stage::Open);
    town.change(&key, |text| text.strip_suffix('}').unwrap().to_owned());
    town.now += DAY;
    town.remind();
    assert_eq!(town.tournament(number).stage(), Stage::Running);
}

#[test]
fn check_computes_results_and_lists_again() {
    let mut town = SimulatedHome::new(17, 2);
    let number = town.create("--format=single --players=2", 0..2);
    town.run(number);
    town.assert_sound();
    let id = TournamentId { game: GAME, number };
    let (key, list) = (tournament_key(id), tournament_list_key(GAME));
    let right = [&key, &list].map(|key| town.text(key).unwrap());
    town.change(&key, |text| {
        let mut tournament = Tournament::from_text(&id, &text).unwrap();
        tournament.field.as_mut().unwrap().games[0].verdict = None;
        tournament.to_text()
    });
    town.change(&list, |text| {
        let mut list = TournamentList::from_text(&GAME, &text).unwrap();
        list.current.push(number);
        list.to_text()
    });
    let report = check(&town.store, town.now).unwrap();
    assert_eq!(report.wrong, [""; 0]);
    let told = report.mended.join("\n");
    assert!(told.contains("the results of reversi tournament 1 differ from its boards"), "{told}");
    assert!(told.contains("the list of tournaments of reversi differs"), "{told}");
    town.store.commit(report.repair).unwrap();
    assert_eq!([&key, &list].map(|key| town.text(key).unwrap()), right);
}

#[test]
fn winners_go_up_and_losers_go_down_between_seasons() {
    let mut town = SimulatedHome::new(7, 12);
    town.asleep.clear();
    let first = town.create("--recurring --group=6 --days=30 --start=2026-11-25", 0..12);
    let ended = town.run(first);
    town.assert_sound();
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
    let mut moved = [0, 0];
    let still_in = |user: &str| field.entrants.iter().any(|one| one.user.as_str() == user);
    for finisher in finishes.iter().filter(|one| still_in(one.user.as_str())) {
        let now = divisions.iter().position(|users| users.contains(&finisher.user.to_string()));
        let Finish { division, place, size, .. } = finisher.finish;
        if place <= 2 && division == 1 {
            assert_eq!(now, Some(0), "{} goes up", finisher.user);
            moved[0] += 1;
        }
        if place + 2 > size && division == 0 {
            assert_eq!(now, Some(1), "{} goes down", finisher.user);
            moved[1] += 1;
        }
    }
    assert!(moved[0] > 0 && moved[1] > 0, "{moved:?}");
}
