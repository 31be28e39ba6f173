//! Go beside GNU Go, run as it is installed: it plays whole games against itself and counts them.

#![expect(clippy::unwrap_used, reason = "a failed `unwrap` fails the test")]
#![expect(clippy::disallowed_methods, reason = "runs another program")]

use crate::support::program;
use games::{Chance, Diagram, Entry, Format, Next, Transcript, View};
use std::fs;
use std::process::Command;

/// The games that are compared.
const GAMES: usize = 20;

fn format() -> &'static Format {
    let formats = games::find("go").unwrap().spec().formats;
    formats.iter().find(|format| format.name == "sgf").unwrap()
}

/// Returns a record that GNU Go has played to its end from this beginning, with an estimate as its result.
fn finished(begin: &str, seed: usize) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.sgf");
    let mut gnugo = Command::new("/usr/games/gnugo");
    gnugo.args(["--quiet", "--chinese-rules", "--level", "1", "--score", "finish", "-o"]);
    gnugo.arg(&file).args(["--seed", &seed.to_string(), "-l", "-"]);
    let ran = program::run(&mut gnugo, begin.as_bytes());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    fs::read_to_string(file).unwrap()
}

/// Returns what GNU Go says of a record whose game it plays out and counts.
fn counted(sgf: &str) -> String {
    let mut gnugo = Command::new("/usr/games/gnugo");
    gnugo.args(["--quiet", "--chinese-rules", "--level", "1", "--score", "aftermath", "-l", "-"]);
    program::run(&mut gnugo, sgf.as_bytes()).out
}

/// Returns the moves of a record with their colours: `B[dd]W[]`.
fn moves(sgf: &str) -> String {
    let without_blanks = sgf.replace(['\n', ' '], "");
    let nodes = without_blanks.split(';').filter(|node| node.starts_with(['B', 'W']));
    nodes.map(|node| &node[..=node.find(']').unwrap()]).collect()
}

fn after(record: &Transcript) -> Box<dyn games::AnyPosition> {
    let mut position = games::find("go").unwrap().setup(&record.options);
    games::replay(&mut *position, &record.record).unwrap();
    position
}

/// Returns the number of points by which Black is ahead, as the board says it, with the komi.
fn lead(position: &dyn games::AnyPosition) -> f64 {
    let Diagram::Board(board) = position.diagram(&View::default()) else { panic!("it has tiles") };
    let ([black, white], _) = board.score.unwrap();
    f64::from(black) - f64::from(white) - 7.5
}

#[test]
#[ignore = "needs GNU Go: .ci/run installs it and runs this by name"]
fn games_of_gnu_go_are_imported_exported_and_counted_alike() {
    let mut chance = Chance::new(9);
    let (mut counted_alike, mut plies) = (0, 0);
    for seed in 1..=GAMES {
        let [first, second] = [chance.below(4), 5 + chance.below(4)].map(|column| {
            [column, chance.below(9)].map(|number| char::from(b'a' + u8::try_from(number).unwrap()))
        });
        let point = |at: [char; 2]| at.iter().collect::<String>();
        let begin = format!("(;GM[1]FF[4]SZ[9]KM[7.5];B[{}];W[{}])", point(first), point(second));
        let theirs = finished(&begin, seed);
        let mut read =
            (format().read.unwrap())(&theirs).unwrap_or_else(|why| panic!("{why}: {theirs}"));
        let mut record = read.remove(0);
        let ours = (format().write)(&record).unwrap();
        assert_eq!(moves(&ours), moves(&theirs));
        plies += record.record.len();
        // Both have passed, and the server has proposed the dead stones.
        let mut position = after(&record);
        let count = counted(&theirs);
        let (winner, rest) = count.split_once(" wins by ").unwrap_or_else(|| panic!("{count}"));
        let by = rest.split(' ').next().unwrap();
        let theirs_by = if winner == "Black" { by.to_owned() } else { format!("-{by}") };
        let is_alike = format!("{:.1}", lead(&*position)) == theirs_by;
        counted_alike += usize::from(is_alike);
        if !is_alike {
            println!("{theirs_by}, and we say {}:\n{theirs}", lead(&*position));
            continue;
        }
        // With both agreements the record has the result, which GNU Go reads and finds right.
        while let Next::Move(seat) = position.next() {
            position.play("agree").unwrap();
            record.record.push(Entry::Moved { seat, text: "agree".into(), auto: false });
        }
        let ours = (format().write)(&record).unwrap();
        let result = format!("{}+{by}", &winner[..1]);
        assert!(ours.contains(&format!("RE[{result}]")), "{ours}");
        let said = counted(&ours);
        assert!(said.contains("GNU Go result and result from file are identical"), "{said}");
    }
    println!("{GAMES} games, {plies} moves, {counted_alike} counted alike");
    assert!(100 * counted_alike >= 90 * GAMES, "{counted_alike} of {GAMES}");
}
