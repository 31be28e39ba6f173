//! Chess beside other programs, run as they are installed: Stockfish plays and counts moves,
//! `pgn-extract` writes and reads records.

#![expect(clippy::unwrap_used, reason = "a failed `unwrap` fails the test")]
#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "runs other programs")]

use super::all_games;
use crate::support::program;
use games::{AnyPosition, Chance, Choices, Format, Next};
use std::fmt::Write as _;
use std::process::Command;

/// The games that are compared.
const GAMES: usize = 200;

/// First moves, so that no two games are one.
const OPENINGS: [&str; 12] = [
    "e2e4", "d2d4", "c2c4", "g1f3", "b1c3", "b2b3", "f2f4", "g2g3", "a2a3", "h2h4", "e2e3", "g2g4",
];

fn format(name: &str) -> &'static Format {
    let formats = games::find("chess").unwrap().spec().formats;
    formats.iter().find(|format| format.name == name).unwrap()
}

fn start(words: &[&str]) -> Box<dyn AnyPosition> {
    let game = games::find("chess").unwrap();
    let spec = game.spec();
    let choices = Choices::parse(spec.options, spec.exclusive, words.iter().copied()).unwrap();
    game.setup(&choices)
}

/// Returns the position in FEN.
fn fen(position: &dyn AnyPosition) -> String {
    position.notation().split(' ').take(6).collect::<Vec<_>>().join(" ")
}

/// Returns what a program prints for this input.
fn printed(program: &str, words: &[&str], input: &str) -> String {
    let ran = program::run(Command::new(program).args(words), input.as_bytes());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    ran.out
}

/// Returns the words behind each line of Stockfish that begins so, for one command a position.
fn stockfish(commands: &str, begin: &str) -> Vec<String> {
    let lines = printed("/usr/games/stockfish", &[], &format!("{commands}isready\nquit\n"));
    let found = lines.lines().filter_map(|line| line.strip_prefix(begin));
    found.map(|rest| rest.trim().to_owned()).collect()
}

/// Returns a record that `pgn-extract` has read.
fn extracted(words: &[&str], text: &str) -> String {
    printed("/usr/games/pgn-extract", &[&["-s"], words].concat(), text)
}

/// Returns games of Stockfish against itself as a file of moves by coordinates.
fn played() -> String {
    let mut chance = Chance::new(37);
    let mut all: Vec<_> = (0..GAMES)
        .map(|game| {
            let mut position = start(&[]);
            let opening = OPENINGS[game % OPENINGS.len()];
            position.play(opening).unwrap();
            (position, opening.to_owned())
        })
        .collect();
    for _ in 0..150 {
        let mut commands = String::new();
        let mut open: Vec<_> = all
            .iter_mut()
            .filter(|(position, _)| matches!(position.next(), Next::Move(_)))
            .collect();
        for (position, _) in &open {
            let nodes = 1 + chance.below(200);
            writeln!(commands, "position fen {}\ngo nodes {nodes}", fen(&**position)).unwrap();
        }
        // Each search ends before the next begins; the last one would be cut short.
        commands += "position startpos\ngo nodes 1\n";
        let found = stockfish(&commands, "bestmove ");
        for ((position, moves), best) in open.iter_mut().zip(found) {
            let best = best.split(' ').next().unwrap();
            position.play(best).unwrap_or_else(|error| panic!("{best}: {error} {position:?}"));
            write!(moves, " {best}").unwrap();
        }
    }
    let game = |(index, (_, moves)): (usize, &(_, String))| {
        format!("[White \"one {index}\"]\n[Black \"two\"]\n[Result \"*\"]\n\n{moves} *\n\n")
    };
    all.iter().enumerate().map(game).collect()
}

#[test]
#[ignore = "needs stockfish and pgn-extract: apt-get install stockfish pgn-extract"]
fn two_hundred_records_of_other_programs_are_exported_as_they_were_imported() {
    let theirs = extracted(&[], &played());
    let read = all_games((format("pgn").read.unwrap())(&theirs)).unwrap();
    assert_eq!(read.len(), GAMES);
    let ours: String =
        read.iter().map(|game| (format("pgn").write)(game).unwrap() + "\n").collect();
    let moves = |text: &str| extracted(&["--notags", "--noresults"], text);
    assert_eq!(moves(&ours), moves(&theirs));
    let plies: usize = read.iter().map(|game| game.record.len()).sum();
    println!("{} games, {plies} moves", read.len());
    assert!(plies > 10_000, "{plies}");
}

/// Counts the sequences of three moves that the server would list.
fn three_moves(position: &dyn AnyPosition) -> u64 {
    let after = |depth: &dyn Fn(&dyn AnyPosition) -> u64, at: &dyn AnyPosition| -> u64 {
        at.successors().iter().map(|(_, next)| depth(&**next)).sum()
    };
    let one = |at: &dyn AnyPosition| at.count() as u64;
    let two = |at: &dyn AnyPosition| after(&one, at);
    after(&two, position)
}

#[test]
#[ignore = "needs stockfish: apt-get install stockfish"]
fn stockfish_counts_as_many_moves_in_two_hundred_positions() {
    let mut chance = Chance::new(5);
    let mut commands = "setoption name UCI_Chess960 value true\n".to_owned();
    let mut ours = Vec::new();
    for game in 0..200 {
        let number = if game % 2 == 0 { 518 } else { chance.below(960) };
        let mut position = start(&[&format!("start={number}")]);
        // Few moves, so that no draw ends a game within the three that are counted.
        for _ in 0..chance.below(70) {
            if position.count() > 0 && !position.moves().iter().any(|text| text == "claim") {
                let text = position.nth_move(chance.below(position.count())).unwrap();
                position.play(&text).unwrap();
            }
        }
        writeln!(commands, "position fen {}\ngo perft 3", fen(&*position)).unwrap();
        ours.push((three_moves(&*position), position.notation()));
    }
    let theirs = stockfish(&commands, "Nodes searched: ");
    assert_eq!(theirs.len(), ours.len());
    for ((ours, line), theirs) in ours.iter().zip(&theirs) {
        assert_eq!(*ours, theirs.parse::<u64>().unwrap(), "{line}");
    }
}
