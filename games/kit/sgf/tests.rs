//! Laws of all games with records in SGF.

use super::*;
use crate::kit::laws::{all_games, every_choice, random_game};
use crate::kit::{AnyGame, Chance, Seat};
use proptest::prelude::*;
use std::fmt::Write as _;

/// Returns the games with their formats.
fn games() -> Vec<(&'static dyn AnyGame, &'static Format)> {
    let format = |game: &'static dyn AnyGame| {
        let format = game.spec().formats.iter().find(|format| format.name == "sgf")?;
        Some((game, format))
    };
    crate::GAMES.iter().copied().filter_map(format).collect()
}

/// Returns the moves of a record.
fn texts(record: &[Entry]) -> String {
    let text = |entry: &Entry| match entry {
        Entry::Moved { text, .. } => text.clone(),
        other => panic!("{other:?}"),
    };
    record.iter().map(text).collect::<Vec<_>>().join(" ")
}

/// Returns the only game of a file: its options and its moves.
pub(crate) fn only_game<G: SgfGame>(text: &str) -> Result<(String, String), String> {
    let games = all_games(read::<G>(text))?;
    let [game] = &games[..] else { panic!("{} games", games.len()) };
    let options: Vec<String> = game.options.words().collect();
    Ok((options.join(" "), texts(&game.record)))
}

/// Returns a record of moves that both sides make in turn, between ann and ben.
pub(crate) fn of_moves(options: Choices, moves: &str) -> Transcript {
    let entry = |(text, seat): (&str, Seat)| Entry::Moved { seat, text: text.into(), auto: false };
    let record = moves.split_whitespace().zip(Seat::BOTH.into_iter().cycle()).map(entry).collect();
    Transcript { players: ["ann", "ben"].map(str::to_owned), options, record, ending: None }
}

/// Writes a random game, reads it, and writes it again; returns its text.
fn round_trip(
    (game, format): (&'static dyn AnyGame, &Format),
    options: &Choices,
    chance: &mut Chance,
) -> String {
    let (end, mut record) = random_game(game.setup(options), chance, |_| {});
    // Half of the games break off, and most of those are given up, lost on time or, where it can be, drawn.
    let mut ending = None;
    if chance.below(2) == 0 {
        record.truncate(chance.below(record.len()));
        let seat = Seat::BOTH[chance.below(2)];
        ending = match chance.below(4) {
            0 => None,
            1 => Some(Ending::OutOfTime(seat)),
            2 if game.spec().manner.has_draws => Some(Ending::Drawn),
            _ => Some(Ending::Resigned(seat)),
        };
    }
    let is_whole = matches!(end.next(), Next::Over(_));
    assert!(is_whole, "{}", game.spec().name);
    let players = ["al]ice\\", "b:ob"].map(str::to_owned);
    let transcript = Transcript { players, options: options.clone(), record, ending };
    let text = (format.write)(&transcript).unwrap();
    let read =
        all_games((format.read.unwrap())(&text)).unwrap_or_else(|error| panic!("{error}: {text}"));
    let [read] = &read[..] else { panic!("{text}") };
    assert_eq!((format.write)(read).unwrap(), text);
    assert_eq!((&read.players, read.ending), (&transcript.players, ending), "{text}");
    let start = |options: &Choices| game.setup(options).notation();
    assert_eq!(start(&read.options), start(options), "{options:?}");
    // Where a turn is several moves, SGF leaves some of them out.
    if !game.spec().manner.has_multi_move_turns {
        assert_eq!(texts(&read.record), texts(&transcript.record), "{text}");
    }
    text
}

#[test]
fn random_games_are_written_and_read_as_the_same_games() {
    let names: Vec<&str> = games().iter().map(|(game, _)| game.spec().name).collect();
    assert_eq!(names.len(), 9, "{names:?}");
    for (game, format) in games() {
        let mut chance = Chance::new(11);
        let (mut all, mut count) = (String::new(), 0);
        for options in every_choice(game) {
            for _ in 0..6 {
                all += &round_trip((game, format), &options, &mut chance);
                count += 1;
            }
        }
        all += &round_trip((game, format), &Choices::default(), &mut chance);
        // All of them are one file, too.
        let read = all_games((format.read.unwrap())(&all)).unwrap();
        assert_eq!(read.len(), count + 1);
        let again: String = read.iter().map(|game| (format.write)(game).unwrap()).collect();
        assert_eq!(again, all);
    }
}

#[test]
fn a_file_of_another_game_is_refused() {
    for (game, format) in games() {
        let record = Vec::new();
        let players = ["a", "b"].map(str::to_owned);
        let options = Choices::default();
        let text = (format.write)(&Transcript { players, options, record, ending: None }).unwrap();
        for (other, format) in games() {
            let read = all_games((format.read.unwrap())(&text));
            assert_eq!(read.is_ok(), game.spec().name == other.spec().name, "{text}");
        }
    }
}

/// Reads a text in every game: it is a record or a refusal of some words, and never a panic.
fn read_everywhere(text: &str) {
    for (_, format) in games() {
        match all_games((format.read.unwrap())(text)) {
            Ok(records) => {
                for record in records {
                    (format.write)(&record).unwrap();
                }
            }
            Err(why) => assert!(!why.is_empty() && !why.ends_with('.'), "{why}"),
        }
    }
}

#[test]
fn deep_wide_and_huge_files_are_read_or_refused() {
    let mut wide = "(;SZ[19]AB".to_owned();
    for number in 0..20_000 {
        write!(wide, "[{}]", letters([u8::try_from(number % 52).unwrap(), 0])).unwrap();
    }
    let deep = ["(;", "(;B[aa]", ";B[]", "((", "(;C[(;", ";W[resign]", "[", "(;)"];
    let deep = deep.map(|part| format!("(;SZ[11]{}", part.repeat(50_000)));
    let closed = deep.clone().map(|text| text + &")".repeat(50_000));
    let sizes = ["0", "1", "2:3", "52", "255", "256", "-1", "99999999999999999999", "", "a", "19:"];
    let sizes = sizes.map(|size| format!("(;GM[11]SZ[{size}];B[a1];W[zz];B[swap-sides];W[!])"));
    for text in deep.iter().chain(&closed).chain(&sizes).chain([&wide, &(wide.clone() + ")")]) {
        read_everywhere(text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn no_bytes_make_a_reader_fail_otherwise_than_by_a_refusal(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
    ) {
        read_everywhere(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn no_properties_make_a_reader_fail(
        properties in prop::collection::vec(
            ("(GM|SZ|B|W|AB|AW|AE|KM|HA|TB|RU|PB|RE|B;W|Xx|\\PC)",
             "(1|9|11|18|aa|tt|aabbcc|djddgd|c3|b1-h1|swap-pieces|swap-sides|resign|-?[0-9]{1,25}|\\PC{0,6})"),
            0..12,
        ),
    ) {
        let write = |(name, value): &(String, String)| format!("{name}[{value}]");
        let nodes: Vec<String> = properties.iter().map(write).collect();
        read_everywhere(&format!("(;{})", nodes.join(";")));
        read_everywhere(&format!("(;{})", nodes.concat()));
        read_everywhere(&nodes.join("(;"));
    }
}

#[test]
fn who_has_won_a_game_that_its_moves_leave_open_is_said_by_its_result() {
    let of_hex = |text| all_games(read::<crate::hex::Position>(text)).unwrap()[0].ending;
    for (text, ending) in [
        ("(;GM[11]RE[B+R];B[a1])", Some(Ending::Resigned(Seat(1)))),
        ("(;GM[11]RE[w+Time];B[a1])", Some(Ending::OutOfTime(Seat(0)))),
        // Little Golem writes no plus.
        ("(;GM[11]RE[W];B[a1])", Some(Ending::Resigned(Seat(0)))),
        // Whoever has Black after the sides were swapped is the second player.
        ("(;GM[11]RE[B+R];B[a1];W[swap-sides])", Some(Ending::Resigned(Seat(0)))),
        ("(;GM[11]RE[B+R];B[a1];W[swap-pieces])", Some(Ending::Resigned(Seat(1)))),
        // Who resigns in a move has lost, whatever the result is.
        ("(;GM[11]RE[?];B[a1];W[resign])", Some(Ending::Resigned(Seat(1)))),
        ("(;GM[11]RE[Void];B[a1])", None),
        ("(;GM[11];B[a1])", None),
    ] {
        assert_eq!(of_hex(text), ending, "{text}");
    }
    let drawn = all_games(read::<crate::gomoku::Position>("(;GM[4]RE[Draw];B[aa])")).unwrap();
    assert_eq!(drawn[0].ending, Some(Ending::Drawn));
    let why = all_games(read::<crate::hex::Position>("(;GM[11]RE[0];B[a1])")).unwrap_err();
    assert!(why.ends_with("its result says that it was drawn, and Hex has no draws"), "{why}");
}
