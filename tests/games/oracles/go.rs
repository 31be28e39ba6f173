//! Go beside GNU Go, run as it is installed: it plays whole games against itself and counts them.

#![expect(clippy::unwrap_used, reason = "a failed `unwrap` fails the test")]
#![expect(clippy::disallowed_methods, reason = "runs another program")]
#![expect(clippy::print_stdout, reason = "the test prints what was compared")]

use crate::games::all_games;
use crate::support::program;
use games::{Chance, Choices, Diagram, Entry, Format, Next, Transcript, View};
use std::fs;
use std::process::Command;

/// The games that are counted.
const COUNTED: usize = 20;

/// The handicaps and the komi in which games begin.
const BEGINNINGS: [(u32, &str); 6] =
    [(0, "7.5"), (2, "0.5"), (0, "5.5"), (3, "0"), (0, "50"), (4, "6.5")];

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
    for seed in 1..=COUNTED {
        let [first, second] = [chance.below(4), 5 + chance.below(4)].map(|column| {
            [column, chance.below(9)].map(|number| char::from(b'a' + u8::try_from(number).unwrap()))
        });
        let point = |at: [char; 2]| at.iter().collect::<String>();
        let begin = format!("(;GM[1]FF[4]SZ[9]KM[7.5];B[{}];W[{}])", point(first), point(second));
        let theirs = finished(&begin, seed);
        let mut read = all_games((format().read.unwrap())(&theirs))
            .unwrap_or_else(|why| panic!("{why}: {theirs}"));
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
    println!("{COUNTED} games, {plies} moves, {counted_alike} counted alike");
    assert!(100 * counted_alike >= 90 * COUNTED, "{counted_alike} of {COUNTED}");
}

/// Returns the values of a property of a root, sorted.
fn of_root(sgf: &str, name: &str) -> Vec<String> {
    let text = sgf.replace(['\n', ' '], "");
    let root = text.split(';').nth(1).unwrap();
    let mut values = Vec::new();
    if let Some((_, rest)) = root.split_once(&format!("]{name}[")) {
        // A list ends where the next value does not follow at once.
        for part in rest.split_inclusive(']').map(|part| part.trim_end_matches(']')) {
            match part.strip_prefix('[') {
                Some(value) => values.push(value.to_owned()),
                None if values.is_empty() => values.push(part.to_owned()),
                None => break,
            }
        }
    }
    values.sort();
    values
}

/// Returns a record of ours that begins with these options and some random moves.
fn begun(words: &[String], moves: usize, chance: &mut Chance) -> Transcript {
    let game = games::find("go").unwrap();
    let spec = game.spec();
    let words = words.iter().map(String::as_str);
    let options = Choices::parse(spec.options, spec.exclusive, words).unwrap();
    let (mut position, mut record) = (game.setup(&options), Vec::new());
    for _ in 0..moves {
        let Next::Move(seat) = position.next() else { panic!("the game goes on") };
        // The last one is a pass.
        let text = position.nth_move(chance.below(position.count() - 1)).unwrap();
        position.play(&text).unwrap();
        record.push(Entry::Moved { seat, text, auto: false });
    }
    Transcript { players: ["one", "two"].map(str::to_owned), options, record, ending: None }
}

/// Lets GNU Go finish a game that begins as a record of ours, and imports and exports its record. Returns
/// the number of its moves. With such komi GNU Go often passes before the board can be counted, and its
/// result is an estimate; [`games_of_gnu_go_are_imported_exported_and_counted_alike`] compares results.
fn compared(seed: usize) -> usize {
    let mut chance = Chance::new(u64::try_from(seed).unwrap());
    let (handicap, komi) = BEGINNINGS[seed % BEGINNINGS.len()];
    let words = ["size=9".to_owned(), format!("handicap={handicap}"), format!("komi={komi}")];
    let begin = begun(&words, chance.below(5), &mut chance);
    let theirs = finished(&(format().write)(&begin).unwrap(), seed);
    let read = all_games((format().read.unwrap())(&theirs))
        .unwrap_or_else(|why| panic!("{why}: {theirs}"));
    let [record] = &read[..] else { panic!("{theirs}") };
    assert_eq!(record.record[..begin.record.len()], begin.record, "{theirs}");
    let ours = (format().write)(record).unwrap();
    assert_eq!(moves(&ours), moves(&theirs));
    for name in ["SZ", "HA", "AB", "AW"] {
        assert_eq!(of_root(&ours, name), of_root(&theirs, name), "{name}: {theirs}");
    }
    let komi = |sgf| of_root(sgf, "KM")[0].parse::<f64>().unwrap();
    assert!((komi(&ours) - komi(&theirs)).abs() < 0.01, "{theirs}");
    // Both sides agree to the server's proposal instead of their estimate, and the result is read back.
    let mut whole = Transcript { ending: None, ..record.clone() };
    let mut position = after(record);
    while let Next::Move(seat) = position.next() {
        position.play("agree").unwrap();
        whole.record.push(Entry::Moved { seat, text: "agree".into(), auto: false });
    }
    let ours = (format().write)(&whole).unwrap();
    assert_eq!(all_games((format().read.unwrap())(&ours)).unwrap(), [whole]);
    record.record.len()
}

/// Compares games of two processes of GNU Go at a time.
fn compare(games: usize) {
    let of = |first: usize| (first..games).step_by(2).map(compared).collect::<Vec<_>>();
    let compared = std::thread::scope(|scope| {
        let other = scope.spawn(|| of(1));
        [of(0), other.join().unwrap()].concat()
    });
    let moves: usize = compared.iter().sum();
    println!("{games} games, {moves} moves");
    assert!(compared.len() == games && moves > 20 * games, "{moves}");
}

#[test]
#[ignore = "needs GNU Go: .ci/run installs it and runs this by name"]
fn forty_records_of_gnu_go_are_exported_as_they_were_imported() {
    compare(40);
}

#[test]
#[ignore = "needs GNU Go, and takes a minute"]
fn two_hundred_records_of_gnu_go_are_exported_as_they_were_imported() {
    compare(200);
}
