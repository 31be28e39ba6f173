//! Tests of `.mat` files.

use super::Backgammon;
use super::names::garbled;
use super::random;
use crate::backgammon::{Position, mat};
use crate::kit::Chance;
use crate::kit::fixtures::options_in;
use crate::kit::laws::all_games;
use crate::kit::{Entry, Game, Next, Outcome, Roll, Seat, Transcript};
use crate::{find, replay};

/// A file as GNU Backgammon 1.07 writes it, with its order of steps.
const MATCH: &str = "\
; [EventDate \"2026.01.02\"]

 3 point match

 Game 1
 alice : 0                      bob : 0
  1) 31: 8/5 6/5                 52: 13/11 13/8
  2)  Doubles => 2                Drops
      Wins 1 point

 Game 2
 alice : 1                      bob : 0
  1)                             52: 13/11 13/8
  2) 31: 6/5 8/5                  Doubles => 2
  3)  Drops                       Wins 1 point

 Game 3
 alice : 1                      bob : 1
  1)                             52: 13/11 13/8
  2) 31: 8/5 6/5                  Doubles => 2
  3)  Takes                      66: 24/18 24/18 13/7 13/7
      Wins 2 points
";

#[test]
fn the_games_of_a_session_for_money_are_boards_of_their_own() {
    let game = "  1) 31: 8/5 6/5\n      Wins 1 point\n\n Game 2\n a : 1  b : 0\n  1) 42: 8/4 6/4\n";
    let boards = all_games(mat::read::<Backgammon>(&money(game))).unwrap();
    let words: Vec<String> = boards.iter().map(|board| words(board).join("; ")).collect();
    assert_eq!(words[0], "31; O 8-5,6-5; X resigns 1; O accept");
    assert_eq!(words[1], "42; O 8-4,6-4");
}

/// Reads a text with one board.
fn only(text: &str) -> Result<Transcript, String> {
    let mut boards = all_games(mat::read::<Backgammon>(text))?;
    assert_eq!(boards.len(), 1);
    Ok(boards.remove(0))
}

fn words(transcript: &Transcript) -> Vec<String> {
    let side = |seat: &Seat| ["O", "X"][seat.index()];
    let word = |entry: &Entry| match entry {
        Entry::Rolled(roll) => roll.to_string(),
        Entry::Laid(stones) => stones.to_string(),
        Entry::Moved { seat, text, .. } => format!("{} {text}", side(seat)),
        Entry::Resigned { seat, stake } => format!("{} resigns {stake}", side(seat)),
    };
    transcript.record.iter().map(word).collect()
}

#[test]
fn a_match_of_gnu_backgammon_is_read_and_written() {
    let read = only(MATCH).unwrap();
    assert_eq!(read.players, ["alice", "bob"]);
    assert_eq!(read.options.words().collect::<Vec<_>>(), ["-match=3"]);
    assert_eq!(
        words(&read).join("; "),
        "31; O 8-5,6-5; 52; X 12-17,12-14; O double; X drop; \
         25; X 12-17,12-14; 31; O 8-5,6-5; X double; O drop; \
         25; X 12-17,12-14; 31; O 8-5,6-5; X double; O take; 66; X 1-7,1-7,12-18,12-18; \
         X resigns 1; O accept"
    );
    let written = mat::write::<Backgammon>(&read).unwrap();
    let ours = MATCH
        .replace("; [EventDate \"2026.01.02\"]\n\n", "")
        .replace("13/11 13/8", "13/8 13/11")
        .replace("6/5 8/5", "8/5 6/5")
        .replace("Wins 2 points", "Wins 2 points and the match");
    assert_eq!(written, ours);
    assert_eq!(only(&written), Ok(read));
}

/// A file of one money game.
fn money(cells: &str) -> String {
    format!(" 0 point match\n\n Game 1\n a : 0                          b : 0\n{cells}")
}

#[test]
fn games_for_money_are_read() {
    for (cells, options, record) in [
        ("", "", ""),
        ("  1) 31:\n", "", "31"),
        ("  1) 31: 8/5 6/5\n", "", "31; O 8-5,6-5"),
        ("  1)                             31: 6/5 8/5\n", "", "13; X 17-20,19-20"),
        // Alternative spellings.
        ("  1) 11: 8/7(2) 6/5(2)\n", "-reroll", "21; 11; O 8-7,8-7,6-5,6-5"),
        ("  1) 65: 24/13\n", "", "65; O 24-18,18-13"),
        // A player who begins with a double has rolled again.
        ("  1) 55: 13/8 13/8 8/3 8/3\n", "-reroll", "21; 55; O 13-8,13-8,8-3,8-3"),
        ("  1)                             55:\n", "-reroll", "12; 55"),
        // The winner's column and points reveal the resignation.
        ("  1) 31: 8/5 6/5\n      Wins 3 points\n", "", "31; O 8-5,6-5; X resigns 3"),
        (
            "  1) 31: 8/5 6/5                  Wins 2 points\n",
            "",
            "31; O 8-5,6-5; O resigns 2; X accept",
        ),
        ("  1) 31:\n      Wins 1 point\n", "", "31; X resigns 1; O accept"),
        // The take of a beaver may be left out.
        (
            "  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Beavers => 4               52: 13/8 13/11\n",
            "-beavers",
            "31; O 8-5,6-5; X double; O beaver; X take; 52; X 12-17,12-14",
        ),
        (
            "  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Beavers => 4                Drops\n      Wins 2 points\n",
            "-beavers",
            "31; O 8-5,6-5; X double; O beaver; X drop",
        ),
    ] {
        let read = only(&money(cells)).unwrap_or_else(|why| panic!("{cells}{why}"));
        assert_eq!(words(&read).join("; "), record, "{cells}");
        assert_eq!(read.options.words().collect::<Vec<_>>().join(" "), options, "{cells}");
    }
}

#[test]
fn a_file_without_a_length_is_for_money_and_names_may_have_blanks() {
    let text = "Game 1\n Ann B. : 0    o_o : 0\n 1) 31: 8/5 6/5 52: 13/11 13/8\n";
    let read = only(text).unwrap();
    assert_eq!(read.players, ["Ann B.", "o_o"]);
    assert_eq!(words(&read).join("; "), "31; O 8-5,6-5; 52; X 12-17,12-14");
}

#[test]
fn a_game_without_result_is_given_up_for_what_the_next_score_says() {
    let text = " 5 point match\n\n Game 1\n a : 0      b : 0\n  1) 31: 8/5 6/5\n\n \
                Game 2\n a : 0      b : 2\n  1) 31: 8/5 6/5\n";
    let read = only(text).unwrap();
    assert_eq!(words(&read).join("; "), "31; O 8-5,6-5; O resigns 2; X accept; 31; O 8-5,6-5");
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn what_is_wrong_with_a_file_is_told_with_its_line() {
    for (text, why) in [
        (String::new(), "after line 0 a game was expected"),
        (" 5 point match\n".into(), "after line 1 a game was expected"),
        ("nonsense\n".into(), "in line 1 ` 5 point match` or ` Game 1` was expected"),
        (" x point match\n".into(), "in line 1 one match of so many points was expected"),
        (
            " 99 point match\n Game 1\n a : 0   b : 0\n".into(),
            "in line 1 the match is to 99 points; ours go up to 64",
        ),
        ("Game 1\nnobody\n".into(), "in line 2 a heading such as"),
        ("Game 1\na : 0    b : x\n".into(), "in line 2 a heading such as"),
        (money("  1) 31: 8/5 6/4\n"), "in line 5 a cannot play 31 so: 8/5 6/4"),
        (money("  1) 31: 7/4 6/5\n"), "in line 5 a cannot play 31 so"),
        (money("  1) 31: 8/5 6/5                 11: 8/7\n"), "in line 5 b cannot play 11 so: 8/7"),
        (
            money("  1) 31: 8/5 6/5   52:\n  2) 31: 8/5 6/5\n"),
            "in line 5 b cannot play 52 so: not at all",
        ),
        (money("  1) 71: 8/5 6/5\n"), "in line 5, column 6, dice such as"),
        (money("  1) 31: 5/8\n"), "in line 5, column 10, dice such as"),
        (money("  1) 31: 8/5 6/5 and so on\n"), "in line 5, column 18, dice such as"),
        (money("  1) 8/5 6/5\n"), "in line 5, column 6, dice such as"),
        (money("8/5\n"), "in line 5, column 1, the number of a turn"),
        (
            money("  1) 31: 8/5 6/5   52: 13/8 13/11  31: 8/5\n"),
            "in line 5, column 36, the end of the line",
        ),
        (money("  1) 31: 8/5 6/5\n  2) 31: 8/5 6/5\n"), "in line 6 it is not for a to roll"),
        (money("  1)  Takes\n"), "in line 5 it is not for a to take"),
        (
            money("  1) 31: 8/5 6/5                  Drops\n"),
            "in line 5: there is no double to answer",
        ),
        (
            money("  1) 31: 8/5 6/5                  Doubles => 4\n"),
            "in line 5 the cube goes to 2, not to 4",
        ),
        (money("  1)  Doubles => 2\n"), "in line 5 it is not for a to double"),
        (
            money(
                "  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Drops\n      Wins 1 point\n",
            ),
            "in line 7 b wins 1, not a 1",
        ),
        (
            money(
                "  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Drops                       Wins 2 points\n",
            ),
            "in line 6 b wins 1, not b 2",
        ),
        (
            money(
                "  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Drops                      52: 13/8 13/11\n",
            ),
            "in line 6 the game is over",
        ),
        (
            money("  1) 31: 8/5 6/5\n      Wins 4 points\n"),
            "in line 6 b cannot resign a game for 4",
        ),
        (money("  1) 31: 8/5 6/5\n      Wins\n"), "in line 6, column 7, the points of a win"),
        (money("      Wins 1 point\n"), "in line 5: the game has not begun"),
        (money("  1) 31: 8/5 6/5\n      Wins 1 point\n      Wins 1 point\n"), ""),
        (
            MATCH.replace("alice : 1                      bob : 0", "alice : 0  bob : 1"),
            "in line 12 the score is 1-0, not 0-1",
        ),
        (MATCH.replace(" 3 point", " 2 point"), "in line 14: this is the Crawford game"),
        (MATCH.to_owned() + " Game 4\n alice : 3   bob : 1\n", "in line 24 the match is over here"),
        (
            " 5 point match\n Game 1\n a : 0  b : 0\n  1) 31: 8/5 6/5\n Game 2\n a : 0  b : 0\n"
                .into(),
            "before line 6 the result of game 1 was expected",
        ),
    ] {
        match only(&text) {
            Err(answer) => {
                assert!(answer.contains(why), "{text}\n{answer}");
                assert!(!answer.ends_with('.') && !answer.contains('\n'), "{answer}");
            }
            Ok(read) => assert!(why.is_empty(), "{text}\n{:?}", words(&read)),
        }
    }
}

#[test]
fn the_way_of_a_man_tells_whom_he_hits() {
    let begun = "  1) 61: 13/7 8/7                43: 24/21 24/20\n  2) 21: ";
    for (steps, recorded) in [
        ("6/5* 5/3", "6-5*,5-3"),
        ("6/4* 4/3", "6-4*,4-3"),
        ("6/5*/3", "6-5*,5-3"),
        ("6/4 4/3", "6-4*,4-3"),
        ("6/4* 6/5*", "6-4*,6-5*"),
    ] {
        let read = only(&money(&format!("{begun}{steps}\n"))).unwrap();
        assert_eq!(words(&read).last(), Some(&format!("O {recorded}")), "{steps}");
    }
    let open = only(&money(&format!("{begun}6/3\n"))).unwrap_err();
    assert_eq!(open, "in line 6 it is unclear which men are hit: 6/3");
}

/// Reduces a record to what a file holds: it has no refusals, and does not say who moved for
/// another player.
fn kept(record: &[Entry]) -> Vec<Entry> {
    let mut kept: Vec<Entry> = Vec::new();
    for entry in record {
        match entry {
            Entry::Moved { text, .. } if text == "reject" => {
                let offer = kept.pop();
                assert!(matches!(offer, Some(Entry::Resigned { .. })), "only offers are refused");
            }
            _ => kept.push(entry.clone()),
        }
    }
    kept
}

#[test]
fn a_random_match_is_written_and_read_back_as_it_was() {
    let mut wins = [0; 2];
    for (words, seeds) in [
        ("-match=1", 6),
        ("-match=3", 10),
        ("-match=7", 10),
        ("-match=5 -reroll", 6),
        ("", 6),
        ("-beavers", 20),
    ] {
        for seed in 100..100 + seeds {
            let record = random(words, seed, |_| {});
            let transcript = Transcript {
                players: ["alice".into(), "bob".into()],
                options: options_in::<Position>(words),
                record: record.clone(),
                ending: None,
            };
            let text = mat::write::<Backgammon>(&transcript).unwrap();
            assert!(text.is_ascii() && text.lines().all(|line| line.trim_end() == line), "{text}");
            let read = only(&text).unwrap_or_else(|why| panic!("{words} {seed}: {why}\n{text}"));
            let mut again = kept(&record);
            // A file loses the opening rolls that were not played.
            let mut same = read.record.clone();
            if words.contains("reroll") {
                for entries in [&mut again, &mut same] {
                    entries
                        .retain(|entry| !matches!(entry, Entry::Rolled(Roll::Two(a, b)) if a != b));
                }
            }
            assert_eq!(again, same, "{words} {seed}\n{text}");
            let mut replayed = find("backgammon").unwrap().setup(&read.options);
            replay(&mut *replayed, &read.record).unwrap();
            assert_eq!(replayed.next(), transcript.replay::<Position>().unwrap().next());
            let Next::Over(Outcome::Won { by, .. }) = read.replay::<Position>().unwrap().next()
            else {
                panic!()
            };
            wins[by.index()] += 1;
        }
    }
    assert!(wins[0] > 5 && wins[1] > 5, "{wins:?}");
}

#[test]
fn a_file_that_breaks_off_is_read_or_refused_with_a_sentence() {
    let record = random("-match=3", 3, |_| {});
    let players = ["alice".into(), "bob".into()];
    let transcript =
        Transcript { players, options: options_in::<Position>("-match=3"), record, ending: None };
    let text = mat::write::<Backgammon>(&transcript).unwrap();
    let (mut read, mut refused) = (0, 0);
    for end in 0..=text.len() {
        match only(&text[..end]) {
            Ok(part) => {
                read += 1;
                part.replay::<Position>().unwrap();
            }
            Err(why) => {
                refused += 1;
                assert!(why.contains("line") && !why.ends_with('.'), "{why}");
            }
        }
    }
    assert!(read > 100 && refused > 100, "{read} {refused}");
    for line in 0..text.lines().count() {
        // A file with a missing line in the middle.
        let lines: Vec<&str> = text.lines().collect();
        let without = [&lines[..line], &lines[line + 1..]].concat().join("\n");
        // A file without its heading is a money session, each game a board.
        if let Err(why) = all_games(mat::read::<Backgammon>(&without)) {
            assert!(why.contains("line") && !why.ends_with('.'), "{why}");
        }
    }
}

#[test]
fn a_garbled_file_is_another_record_or_refused() {
    let mut chance = Chance::new(8);
    let (mut read, mut refused) = (0, 0);
    for _ in 0..5_000 {
        match all_games(mat::read::<Backgammon>(&garbled(MATCH, &mut chance))) {
            Ok(boards) => {
                read += 1;
                for board in &boards {
                    board.replay::<Position>().unwrap();
                }
            }
            Err(why) => {
                refused += 1;
                assert!(!why.is_empty() && !why.ends_with('.'), "{why}");
            }
        }
    }
    assert!(read > 100 && refused > 1_000, "{read} {refused}");
}

/// A match to three points with one game.
fn match_of(cells: &str) -> String {
    format!(" 3 point match\n\n Game 1\n ann : 0                        ben : 0\n{cells}")
}

const FIRST: &str = "31; O 8-5,6-5";

#[test]
fn the_spellings_of_other_programs_are_read() {
    for (cells, record) in [
        // The last roll is not played, whatever is written in place of the play.
        ("  1) 31: 8/5 6/5                 66: Cannot Move\n", "66"),
        (
            "  1) 31: 8/5 6/5                 52: ????\n      Wins 1 point\n",
            "52; X resigns 1; O accept",
        ),
        ("  1) 31: 8/5 6/5                 ????\n      Wins 1 point\n", "X resigns 1; O accept"),
        (
            "  1) 31: 8/5 6/5                 00: ????\n      Wins 1 point\n",
            "X resigns 1; O accept",
        ),
        ("  1) 31: 8/5 6/5                 00:\n      Wins 2 points\n", "X resigns 2; O accept"),
        // Spellings of resignations.
        ("  1) 31: 8/5 6/5                 Concedes\n", "X resigns 1; O accept"),
        (
            "  1) 31: 8/5 6/5                 Concedes\n      Wins 1 point\n",
            "X resigns 1; O accept",
        ),
        (
            "  1) 31: 8/5 6/5                 Resigns\n      Wins 1 point and the match.\n",
            "X resigns 1; O accept",
        ),
        ("  1) 31: 8/5 6/5                 Resigns a gammon\n", "X resigns 2; O accept"),
        // The points that are still needed end the match.
        (
            "  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Takes\n      Wins 3 points\n",
            "X double; O take; X resigns 2; O accept",
        ),
        // Doubles.
        ("  1) 31: 8/5 6/5                 Double\n  2) Take\n", "X double; O take"),
        ("  1) 31: 8/5 6/5                 Doubles=>2\n  2) Passes\n", "X double; O drop"),
        ("  1) 31: 8/5 6/5                 00: Doubles => 2\n  2) Accepts\n", "X double; O take"),
        (
            "  1) 31: 8/5 6/5                 Doubles => 2\n  2)                          52: 13/8 13/11\n",
            "X double; O take; 52; X 12-17,12-14",
        ),
        // The double itself is missing.
        ("  1) 31: 8/5 6/5\n  2)  Takes\n", "X double; O take"),
        // Steps.
        ("  1)31:8/5,6/5                52: 13/8! 13/11?\n", "52; X 12-17,12-14"),
        ("  1)\t3-1: 8-5 6-5\t5-2: 13-8 13-11\n", "52; X 12-17,12-14"),
        ("  1) 31: 8/5 6/5                64: 24/18/14\r\n", "64; X 1-7,7-11"),
        ("  1) 31: 8/5 6/5                66: 24/18(2) 13/7(2)\n", "66; X 1-7,1-7,12-18,12-18"),
    ] {
        let text = match_of(cells);
        let read = only(&text).unwrap_or_else(|why| panic!("{text}{why}"));
        assert_eq!(words(&read).join("; "), format!("{FIRST}; {record}"), "{text}");
        read.replay::<Position>().unwrap();
    }
}

#[test]
fn the_headings_of_other_programs_are_read() {
    let move_of = "  1) 31: 8/5 6/5\n";
    for (head, players, options) in [
        (
            "\u{feff}; [Site \"Somewhere\"]\r\n\r\n 7 point match\r\n\r\n Game 1\r\n ann : 0   ben : 0\r\n",
            ["ann", "ben"],
            "-match=7",
        ),
        (
            "[Site \"Somewhere\"]\n7-point match\nGame #1:\nann(1500) : 0   ben(1612.5) : 0\n",
            ["ann", "ben"],
            "-match=7",
        ),
        (" 7 Points Match\n\n  Game   1\n ann\t\tben\n", ["ann", "ben"], "-match=7"),
        ("Money session\nGame 1\n ann   ben\n", ["ann", "ben"], ""),
        (
            " 7 point match\n Game 1\n Zo\u{eb} \u{2658} : 0            b\u{f8}b (1:2) : 0\n",
            ["Zo\u{eb} \u{2658}", "b\u{f8}b (1:2)"],
            "-match=7",
        ),
        (
            " 7 point match\n Game 1\n a (1:2) c : 0            Doe, B. : 0\n",
            ["a (1:2) c", "Doe, B."],
            "-match=7",
        ),
    ] {
        let text = format!("{head}{move_of}");
        let read = only(&text).unwrap_or_else(|why| panic!("{text}{why}"));
        assert_eq!(read.players, players, "{text}");
        assert_eq!(read.options.words().collect::<Vec<_>>().join(" "), options);
        assert_eq!(words(&read).join("; "), FIRST);
    }
}

#[test]
fn lenient_spelling_bends_no_rule() {
    for (cells, why) in [
        ("  1) 31: 8/5 6/4                 66: \n", "in line 5 ann cannot play 31 so: 8/5 6/4"),
        (
            "  1) 31: 8/5 6/5                 66: Cannot Move\n  2) 21: 6/5 8/6\n",
            "in line 5 ben cannot play 66 so: Cannot Move",
        ),
        (
            "  1) 31: 8/5 6/5                 66: ????\n  2) 21: 6/5 8/6\n",
            "in line 5 the play of ben with 66 is missing: `????`",
        ),
        (
            "  1) 31: 8/5 6/5                 00:\n  2) 21: 6/5 8/6\n",
            "in line 5 the dice and the play of ben are missing: `00:`",
        ),
        (
            "  1) 31: 8/5 6/5                 Concedes\n                                 Wins 1 point\n",
            "in line 6 ben has given up and cannot win",
        ),
        (
            "  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Beavers => 4\n",
            "in line 6 there is a beaver, but a match has none",
        ),
        (
            "  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Raccoons\n",
            "in line 6, column 7, a word other than `raccoon`",
        ),
    ] {
        let answer = only(&match_of(cells)).unwrap_err();
        assert!(answer.contains(why), "{cells}\n{answer}");
    }
    let unicode = match_of("  1) 31: 8/5 6/4\n").replace("ann", "Zo\u{eb}");
    assert_eq!(only(&unicode).unwrap_err(), "in line 5 Zo\u{eb} cannot play 31 so: 8/5 6/4");
    let sgf = only("(;FF[4]GM[6]PW[ann]PB[ben];B[31abcd])").unwrap_err();
    assert!(sgf.contains("is SGF") && sgf.contains(".mat"), "{sgf}");
}
