//! `board5`: engines, fake ones and those of Debian, move on boards; whatever they answer, the game
//! goes on.

#![expect(clippy::print_stdout, reason = "the tests of matches print what was played")]

use crate::operator::run::Running;
use crate::support::home::{self, seeded};
use crate::support::program::{self, Home};
use games::{Chance, EngineMove, Next, Seat};
use postboard::base::time::seconds;
use postboard::command::{EngineMoveCommand, EnginePlay};
use postboard::config::{Config, SAMPLE};
use postboard::engine::{Engine, EngineFault};
use postboard::model::board::{Board, BoardStatus};
use postboard::server::engine_boards::awaited_moves;
use postboard::server::{Server, shell_request};
use postboard::store::{Documents as _, MemoryStore, Store as _};
use rustix::process::{Pid, Signal, kill_process};

/// The beginning of a program that speaks UCI: what it does when it is to search follows.
const UCI: &str = "#!/bin/sh\nwhile read -r line; do case $line in uci) echo 'id name Fake 7'; echo uciok;; \
                   isready) echo readyok;; go*) ";

/// Makes a home in which a script plays Chess as `board5`, and a board of alice against it, who has White.
fn with_engine(search: &str) -> Home {
    let home = Home::new();
    let path = home.base().join("engine");
    program::script(&path, &format!("{UCI}{search};; esac; done\n"));
    home.configure("[engines]", &format!("[engines]\nseconds = 1\nchess = \"{}\"", path.display()));
    for words in ["signup alice secret alice@pbm.test", "chess challenge alice board5"] {
        home.done(words);
    }
    home.delivered();
    home
}

fn board(home: &Home) -> Board {
    home.board("chess", 1)
}

fn moves(home: &Home) -> Vec<String> {
    board(home).moves().map(|turn| turn.text.into_owned()).collect()
}

#[test]
fn a_program_moves_and_its_opponent_reads_who_plays() {
    let home = with_engine("echo 'bestmove e7e5'");
    home.done("chess move 1 alice secret e4");
    assert_eq!(moves(&home), ["e4"], "the board waits");
    home.done("cron");
    assert_eq!(moves(&home), ["e4", "e5"]);
    let mails = home.delivered();
    let mail = mails.iter().find(|mail| mail.to == "alice@pbm.test").unwrap();
    assert!(mail.text.contains("Black board5 (Fake 7)"), "{}", mail.text);
    home.assert_tidy();
}

#[test]
fn our_own_program_moves_where_the_other_one_fails() {
    for (search, why) in [
        ("echo 'bestmove e2e4'", "its move \"e2e4\" is refused"),
        ("echo 'bestmove accept'", "its move \"accept\" is refused"),
        ("echo garbage; exit", "it ended without an answer"),
        ("cat > /dev/null", "it gave no answer within 1 seconds, and was killed"),
        ("yes info", "it printed too much without an answer"),
        ("echo 'bestmove (none)'", "its answer has no move: \"(none)\""),
    ] {
        let home = with_engine(search);
        home.done("chess move 1 alice secret e4");
        let ran = home.run(&["cron"], b"");
        assert_eq!(ran.code, Some(75), "{ran:?}");
        assert!(ran.err.contains(why), "{search}: {}", ran.err);
        let log = home.read("log/postboard.log");
        assert!(log.contains("our own program moves on"), "{search}: {log}");
        assert_eq!(moves(&home).len(), 2, "{search}");
        let engine = board(&home).engine;
        assert_eq!(engine.as_deref(), Some("Postboard's own program, level 4"), "{search}");
        // The first move of a game may be one that is illegal here.
        let found = home.run(&["doctor"], b"").out;
        if search.contains("e2e4") {
            let found = found.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(found.contains("board5 plays chess as Fake 7, kept from "), "{found}");
        } else {
            assert!(found.contains("MEND engines"), "{search}: {found}");
        }
    }
}

#[test]
fn run_moves_at_once_and_keeps_its_program() {
    let home = with_engine(
        "n=$((n+1)); if [ $n = 1 ]; then echo bestmove e7e5; else echo bestmove d7d5; fi",
    );
    let mut running = Running::begin(&home, home.command(), &[]);
    for (text, count) in [("e4", 2), ("d3", 4)] {
        home.done(&format!("chess move 1 alice secret {text}"));
        while moves(&home).len() < count {
            std::thread::yield_now();
        }
    }
    assert_eq!(
        moves(&home),
        ["e4", "e5", "d3", "d5"],
        "the second answer is that of the same process"
    );
    assert_eq!(running.end(), "");
}

#[test]
fn without_a_program_a_challenge_to_board5_is_refused_and_begun_games_go_on() {
    let home = with_engine("echo 'bestmove e7e5'");
    let text = home.read("postboard.toml");
    let without: Vec<&str> = text.lines().filter(|line| !line.starts_with("chess = ")).collect();
    std::fs::write(home.path().join("postboard.toml"), without.join("\n") + "\n").unwrap();
    let ran = home.run(&["chess", "challenge", "alice", "board5"], b"");
    assert_eq!(ran.code, Some(65));
    assert!(ran.out.contains("board5 does not play Chess on this server"), "{}", ran.out);
    assert!(ran.out.replace('\n', " ").contains("chess challenge board4"), "{}", ran.out);
    home.done("chess move 1 alice secret e4");
    assert_eq!(home.run(&["cron"], b"").code, Some(0));
    assert_eq!(moves(&home).len(), 2);
}

#[test]
fn a_board_that_waits_for_board5_has_no_deadline_and_check_finds_nothing() {
    let home = with_engine("echo 'bestmove e7e5'");
    home.done("chess move 1 alice secret e4");
    let later = postboard::base::time::Time::from_unix(4_000_000_000);
    home.done_at(later, "remind");
    assert!(matches!(board(&home).status(), BoardStatus::ToMove(Seat(1))));
    assert_eq!(home.run(&["check"], b"").code, Some(0));
}

/// What happened in a match.
#[derive(Debug, Default)]
struct MatchReport {
    answers: usize,
    killed: usize,
    hung: usize,
    own: usize,
    finished: usize,
}

/// Plays 20 games of `board4`, whose moves alice sends, against a program, at most `most` moves each. In each
/// third game the program is killed, in two it hangs. An illegal move fails.
fn play_match(game: &'static str, options: &str, engines: &str, most: usize) -> MatchReport {
    let sample =
        SAMPLE.replace("\n[engines]\n", &format!("\n[engines]\nseconds = 30\n{engines}\n"));
    let config = Config::read(&sample).unwrap();
    let mut engine = Engine::configured(&config.engines, game).unwrap();
    let mut setup = home::setup(config);
    home::lift_limits(&mut setup);
    let (mut store, mut chance) = (MemoryStore::default(), seeded(5));
    let mut server = Server::new(&setup, &mut chance);
    let (mut now, mut level4) = (home::START, Chance::new(4));
    let mut report = MatchReport::default();
    let say = |server: &mut Server, store: &mut MemoryStore, line: String, now| {
        let request = shell_request(line.clone(), true, String::new());
        let said = server.execute_shell_command(&request, store, now).unwrap();
        assert!(said.is_done, "{line}: {}", said.text);
        store.commit(server.take_transaction()).unwrap();
    };
    say(&mut server, &mut store, "signup alice secret alice@pbm.test".into(), now);
    if game == "backgammon" {
        let as_recorded = "backgammon set alice numbers board";
        say(&mut server, &mut store, as_recorded.into(), now);
    }
    for number in 1..=20 {
        now += seconds(90_000);
        let players = if number % 2 == 0 { "alice board5" } else { "board5 alice" };
        say(&mut server, &mut store, format!("{game} challenge {players} {options}"), now);
        let id = postboard::base::ids::BoardId { game, number };
        for moved in 0..most {
            now += seconds(1);
            let key = postboard::model::board::board_key(id);
            let board = Board::read(&store.load(&key).unwrap().text.unwrap()).unwrap();
            let Some(waiting) = awaited_moves(&store, now, 1).unwrap().pop() else {
                if board.is_over() {
                    report.finished += 1;
                    break;
                }
                let Next::Move(_) = board.position().next() else {
                    say(&mut server, &mut store, format!("{game} roll {number} alice"), now);
                    continue;
                };
                let text = board.position().choose(4, &mut |limit| level4.below(limit)).unwrap();
                say(&mut server, &mut store, format!("{game} move {number} alice {text}"), now);
                continue;
            };
            let pid = engine.process_id().map(|id| Pid::from_raw(id.try_into().unwrap()).unwrap());
            let (kills, hangs) =
                (number % 3 == 0 && moved / 2 == 3, number % 10 == 5 && moved / 2 == 4);
            if let Some(pid) = pid.filter(|_| kills || hangs) {
                kill_process(pid, if kills { Signal::KILL } else { Signal::STOP }).unwrap();
                report.killed += usize::from(kills);
            }
            let question = board.game.engine_question(&waiting.record);
            let play = match question.map(|question| engine.ask(&question)) {
                Some(Ok(answer)) => {
                    report.answers += 1;
                    EnginePlay::Answered(answer)
                }
                Some(Err(EngineFault::Hung(_))) if hangs => {
                    report.hung += 1;
                    EnginePlay::OwnProgram
                }
                Some(Err(fault)) => panic!("{game} {number}: {fault}"),
                None => {
                    report.own += 1;
                    EnginePlay::OwnProgram
                }
            };
            let command =
                EngineMoveCommand { board: id, record: waiting.record, play: play.clone() };
            let refusal = server.play_for_engine(command, &store, now).unwrap();
            assert!(refusal.is_none(), "{play:?}: {refusal:?} {}", board.position().notation());
            store.commit(server.take_transaction()).unwrap();
        }
        let key = postboard::model::board::board_key(id);
        let board = Board::read(&store.load(&key).unwrap().text.unwrap()).unwrap();
        if !board.is_over() {
            let stake = if game == "backgammon" { " match" } else { "" };
            say(&mut server, &mut store, format!("{game} resign {number} alice{stake}"), now);
        }
    }
    println!("{game}: {report:?}");
    report
}

#[test]
#[ignore = "needs stockfish: .ci/run installs it and runs this by name; 30 s"]
fn stockfish_plays_twenty_games_though_it_is_killed_and_hangs() {
    let report = play_match("chess", "", "nodes = 2000\nchess = \"/usr/games/stockfish\"", 16);
    assert!(report.answers > 100 && report.killed == 6 && report.hung == 2, "{report:?}");
}

#[test]
#[ignore = "needs stockfish: .ci/run installs it and runs this by name"]
fn stockfish_plays_chess960_though_it_castles_onto_rooks() {
    let report = play_match("chess", "-960", "nodes = 500\nchess = \"/usr/games/stockfish\"", 12);
    assert!(report.answers > 80, "{report:?}");
}

#[test]
#[ignore = "needs GNU Go: .ci/run installs it and runs this by name; 60 s"]
fn gnu_go_plays_twenty_games_though_it_is_killed_and_hangs() {
    let engine = "go = \"/usr/games/gnugo --mode gtp --chinese-rules --level 1\"";
    let report = play_match("go", "-size=9", engine, 20);
    assert!(report.answers > 150 && report.killed == 6 && report.hung == 2, "{report:?}");
}

#[test]
#[ignore = "needs GNU Backgammon: .ci/run installs it and runs this by name; 60 s"]
fn gnu_backgammon_plays_twenty_games_with_its_cube_though_it_is_killed_and_hangs() {
    let report =
        play_match("backgammon", "-match=3", "backgammon = \"/usr/games/gnubg -t -q -r\"", 30);
    assert!(report.answers > 150 && report.killed > 0, "{report:?}");
}

#[test]
fn an_answer_for_another_record_is_refused() {
    let sample = SAMPLE.replace("\n[engines]\n", "\n[engines]\nchess = \"/none\"\n");
    let setup = home::setup(Config::read(&sample).unwrap());
    let (mut store, mut chance) = (MemoryStore::default(), seeded(5));
    let mut server = Server::new(&setup, &mut chance);
    let now = home::START;
    for line in [
        "signup alice secret alice@pbm.test",
        "chess challenge alice board5",
        "chess move 1 alice e4",
    ] {
        let request = shell_request(line.into(), true, String::new());
        assert!(server.execute_shell_command(&request, &store, now).unwrap().is_done, "{line}");
        store.commit(server.take_transaction()).unwrap();
    }
    let waiting = awaited_moves(&store, now, 9).unwrap().pop().unwrap();
    let answer = postboard::engine::EngineAnswer {
        decision: EngineMove::Move("e7e5".into()),
        name: "Fake 7".into(),
    };
    let (board, play) = (waiting.board, EnginePlay::Answered(answer));
    let mut record = waiting.record.clone();
    record.record.clear();
    let stale = EngineMoveCommand { board, record, play };
    let refusal = server.play_for_engine(stale.clone(), &store, now).unwrap();
    assert!(format!("{refusal:?}").contains("Stale"), "{refusal:?}");
    let right = EngineMoveCommand { record: waiting.record, ..stale };
    assert!(server.play_for_engine(right, &store, now).unwrap().is_none());
    store.commit(server.take_transaction()).unwrap();
    assert_eq!(awaited_moves(&store, now, 9).unwrap(), []);
}
