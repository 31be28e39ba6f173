//! Backgammon compared with other programs: their results are in `tests/games/oracles`, with the
//! commands that produced them.

#![expect(
    clippy::disallowed_types,
    reason = "the test runs GNU Backgammon to read the program's output"
)]

mod go;

use super::all_games;
use crate::support::program;
use data_encoding::BASE64_NOPAD;
use games::{Choices, Transcript};
use std::fmt::Write as _;

/// Positions with a roll and every result, listed by GNU Backgammon, gnubg-nn and `OpenSpiel`.
const RESULTS: &str = include_str!("oracles/backgammon.txt");

/// Men of the player on roll and of the opponent, by their own points: 1 to 24, and 25 for the bar.
type Men = [[u8; 26]; 2];

/// Reads a GNU position ID. The player not on roll comes first; for each point from the ace point
/// to the bar there is a 1 bit per man, then a 0 bit.
fn men(id: &str) -> Men {
    let bytes = BASE64_NOPAD.decode(id.as_bytes()).unwrap_or_else(|_| {
        // Fourteen characters hold 84 bits; the last four bits are unused.
        BASE64_NOPAD.decode(format!("{}A", &id[..13]).as_bytes()).unwrap()
    });
    let mut bits = bytes.iter().flat_map(|byte| (0..8).map(move |bit| byte >> bit & 1 == 1));
    let mut side = || {
        let mut men = [0; 26];
        for on in &mut men[1..] {
            while bits.next().unwrap() {
                *on += 1;
            }
        }
        men
    };
    let other = side();
    [side(), other]
}

/// Returns the ID of a position.
fn id(men: &Men) -> String {
    let mut bits = Vec::new();
    for side in [&men[1], &men[0]] {
        for &on in &side[1..] {
            bits.extend(vec![true; on.into()]);
            bits.push(false);
        }
    }
    bits.resize(80, false);
    let bytes: Vec<u8> = bits
        .chunks(8)
        .map(|byte| byte.iter().rev().fold(0, |all, &bit| all << 1 | u8::from(bit)))
        .collect();
    BASE64_NOPAD.encode(&bytes)
}

/// Returns the men as a line of our notation, with `mover` to play `roll`.
fn line(men: &Men, mover: char, roll: &str) -> String {
    let other = if mover == 'O' { 'X' } else { 'O' };
    let mut line = format!("{mover} {roll}");
    let mut off = String::new();
    let mut bar = String::new();
    let mut stacks = vec![String::new(); 25];
    for (side, men) in [(mover, men[0]), (other, men[1])] {
        for (own, &count) in men.iter().enumerate().skip(1) {
            let stack = String::from(side).repeat(count.into());
            match own {
                25 => bar.push_str(&stack),
                _ if side == 'O' => stacks[own].push_str(&stack),
                _ => stacks[25 - own].push_str(&stack),
            }
        }
        let gone = 15 - men.iter().sum::<u8>();
        off.push_str(&String::from(side).repeat(gone.into()));
    }
    for (point, stack) in stacks.iter().enumerate().filter(|(_, stack)| !stack.is_empty()) {
        write!(line, " {point}={stack}").unwrap();
    }
    let sorted = |stack: &str| {
        let mut men: Vec<char> = stack.chars().collect();
        men.sort_unstable();
        men.into_iter().collect::<String>()
    };
    for (place, stack) in [("bar", bar), ("off", off)] {
        if !stack.is_empty() {
            write!(line, " {place}={}", sorted(&stack)).unwrap();
        }
    }
    line
}

/// Returns the men in a line of our notation, the mover's men first.
fn placed(line: &str, mover: char) -> Men {
    let mut men = [[0; 26]; 2];
    for word in line.split(' ').skip(2) {
        let Some((place, stack)) = word.split_once('=') else { continue };
        for man in stack.chars() {
            let own = match place {
                "bar" => 25,
                "off" => continue,
                _ => match place.parse::<usize>() {
                    Ok(point) if man == 'O' => point,
                    Ok(point) => 25 - point,
                    // The notation's words about cube and match.
                    Err(_) => continue,
                },
            };
            men[usize::from(man != mover)][own] += 1;
        }
    }
    men
}

#[test]
fn all_results_of_all_programs_are_ours() {
    let game = games::find("backgammon").unwrap();
    let mut counts = [0; 3];
    for listed in RESULTS.lines().filter(|line| !line.starts_with('#')) {
        let [source, position, roll, count, results] =
            listed.split(' ').collect::<Vec<_>>().try_into().unwrap();
        counts[["gnubg-nn", "openspiel", "gnubg"].iter().position(|s| *s == source).unwrap()] += 1;
        let theirs: Vec<&str> =
            (0..results.len() / 14).map(|n| &results[14 * n..14 * n + 14]).collect();
        assert_eq!(theirs.len(), count.parse::<usize>().unwrap());
        for mover in ['O', 'X'] {
            let line = line(&men(position), mover, roll);
            let ours = game.place(&Choices::default(), &line).unwrap_or_else(|error| {
                panic!("{error}: {line}");
            });
            let mut ours: Vec<String> = ours
                .successors()
                .iter()
                .map(|(_, after)| id(&placed(&after.notation(), mover)))
                .collect();
            ours.sort_unstable();
            assert_eq!(ours, theirs, "{line}");
        }
    }
    assert!(counts[0] >= 4000 && counts[1] >= 1000 && counts[2] >= 300, "{counts:?}");
}

/// Returns a format of Backgammon.
fn format(name: &str) -> &'static games::Format {
    let formats = games::find("backgammon").unwrap().spec().formats;
    formats.iter().find(|format| format.name == name).unwrap()
}

/// Returns the position and, from the match ID, the 21 bits for cube, turn and dice.
fn head(id: &str) -> (&str, [u8; 3]) {
    let (position, of_match) = id.split_once(':').unwrap();
    let bytes = BASE64_NOPAD.decode(of_match.as_bytes()).unwrap();
    (position, [bytes[0], bytes[1], bytes[2] & 0x1f])
}

/// Returns the match files that GNU Backgammon wrote.
fn matches() -> Vec<std::path::PathBuf> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/games/oracles/mat");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> =
        files.filter(|path| path.extension().is_some_and(|end| end == "mat")).collect();
    files.sort();
    files
}

#[test]
fn matches_of_gnu_backgammon_are_replayed_position_by_position() {
    let (mut boards, mut positions) = (0, 0);
    for path in matches() {
        let name = path.display();
        let text = std::fs::read_to_string(&path).unwrap();
        let whole = all_games((format("mat").read.unwrap())(&text)).unwrap_or_else(|why| {
            panic!("{name}: {why}");
        });
        let shown = |whole: &Transcript| {
            let record = |length| whole.record[..length].to_vec();
            let until = |length| Transcript { record: record(length), ..whole.clone() };
            let id = |length| (format("gnubgid").write)(&until(length)).unwrap();
            (0..=whole.record.len()).map(id).collect::<Vec<_>>()
        };
        let ours: Vec<String> = whole.iter().flat_map(shown).collect();
        let mut ours = ours.iter().map(|id| id.trim().trim_start_matches("GNUBGID "));
        let theirs = std::fs::read_to_string(path.with_extension("ids")).unwrap();
        // A file of money games records neither the Jacoby rule nor earlier games.
        let is_money = whole[0].options.get("match").is_none();
        let same = |own: &str, id: &str| if is_money { head(own) == head(id) } else { own == id };
        for line in theirs.lines().filter(|line| !line.starts_with('#')) {
            let [game, number, id, _, stage] =
                line.split(' ').collect::<Vec<_>>().try_into().unwrap();
            // Where GNU Backgammon reports who will begin, our board waits for the opening roll;
            // where it reports the end of a game, our board is in the next game.
            if stage != "over" && (game, number) != ("1", "1") {
                assert!(ours.any(|own| same(own, id)), "{name}: {line}");
                positions += 1;
            }
        }
        boards += whole.len();
    }
    assert_eq!((boards, positions), (21, 3593));
}

/// Returns a line of notation with the two players exchanged.
fn exchanged(line: &str) -> String {
    let other = |c| match c {
        'O' => 'X',
        'X' => 'O',
        c => c,
    };
    let words = |word: &str| match word.split_once('=') {
        Some(("score", score)) => {
            let (a, b) = score.split_once('-').unwrap();
            format!("score={b}-{a}")
        }
        Some(("match", _)) => word.to_owned(),
        Some((place, stack)) => {
            let mut stack: Vec<char> = stack.chars().map(other).collect();
            if matches!(place, "off" | "bar") {
                stack.sort_unstable();
            }
            let place =
                place.parse::<u8>().map_or(place.to_owned(), |place| (25 - place).to_string());
            format!("{place}={}", stack.into_iter().collect::<String>())
        }
        None => word.chars().map(other).collect(),
    };
    let mut words: Vec<String> = line.split(' ').map(words).collect();
    let point =
        |word: &String| word.split_once('=').and_then(|(place, _)| place.parse::<u8>().ok());
    let points = words.iter().filter(|word| point(word).is_some()).count();
    words[2..2 + points].sort_by_key(point);
    words.join(" ")
}

#[test]
fn both_kinds_of_ids_name_the_same_positions() {
    let pairs = include_str!("oracles/ids.txt");
    let game = games::find("backgammon").unwrap();
    let mut count = 0;
    for line in pairs.lines().filter(|line| !line.starts_with(['#', '!'])) {
        let (gnu, xg) = line.split_once(' ').unwrap();
        let placed = [gnu, xg].map(|id| {
            let placed = game.place(&Choices::default(), id);
            placed.unwrap_or_else(|why| panic!("{why}: {line}")).notation()
        });
        // GNU Backgammon exchanges the players if the upper player is on roll.
        let [gnu, xg] = placed;
        assert!(gnu == xg || gnu == exchanged(&xg), "{line}: {gnu}, {xg}");
        count += 1;
    }
    assert!(count >= 250, "{count}");
}

/// Returns GNU Backgammon's reading of a match file: the summary that `gnubg_reads.sh` prints.
fn gnu_reads(mat: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("our.mat");
    std::fs::write(&file, mat).unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/games/oracles/gnubg_reads.sh");
    let ran = program::run(std::process::Command::new(script).arg(&file), b"");
    assert_eq!(ran.code, Some(0), "{}\n{mat}", ran.err);
    ran.out
}

/// Returns the match that two users play in a script, as the server exports it.
fn scripted_match() -> String {
    let script = include_str!("../../games/backgammon/scripts/match.txt");
    let (_, export) = script.split_once("-export=mat\n").unwrap();
    export.lines().map(|line| line.strip_prefix("    ").unwrap_or(line).to_owned() + "\n").collect()
}

#[test]
#[ignore = "needs GNU Backgammon: apt-get install gnubg"]
fn gnu_backgammon_reads_our_matches() {
    let summary = gnu_reads(&scripted_match());
    for line in ["length 5", "players alice|bob", "games 3", "score 5 1"] {
        assert!(summary.lines().any(|said| said == line), "{summary}");
    }
    for path in matches() {
        let text = std::fs::read_to_string(&path).unwrap();
        let boards = all_games((format("mat").read.unwrap())(&text)).unwrap();
        // In a money session, each game is a file.
        if let [whole] = &boards[..] {
            let ours = (format("mat").write)(whole).unwrap();
            assert_eq!(gnu_reads(&ours), gnu_reads(&text), "{}", path.display());
        }
    }
}
