//! `charts`: the page about past games.

#![expect(clippy::unwrap_used, reason = "a failed `unwrap` fails the test")]
#![expect(clippy::disallowed_methods, reason = "the test reads a home and damages a board")]

use crate::support::program::{Home, run_at};
use games::Entry;
use postboard::base::time::{DAY, HOUR, MINUTE, Time};
use postboard::model::user::User;
use std::fs;

const BEGAN: Time = Time::from_unix(1_785_000_000);
const PLAYERS: [&str; 4] = ["alice", "bob", "carol", "dave"];
/// The number of games that end, one each day.
const GAMES: u32 = 24;

/// Makes a home in which four people have played for some weeks, with each other and with the
/// program.
pub(crate) fn after_a_season() -> Home {
    let home = Home::new();
    for player in PLAYERS {
        home.done_at(BEGAN, &format!("signup {player} secret {player}@pbm.test"));
    }
    let mut now = BEGAN;
    for game in 1..=GAMES {
        let first = usize::try_from(game).unwrap() % PLAYERS.len();
        let second = (first + 1 + usize::try_from(game / 4).unwrap() % 3) % PLAYERS.len();
        let (first, second) = (PLAYERS[first], PLAYERS[second]);
        now += DAY;
        home.done_at(now, &format!("--as-operator reversi challenge {first} {second}"));
        let mut later = now;
        for moved in 1..=i64::from(4 + game % 3) {
            later += (moved * 7 * i64::from(game % 5 + 1).pow(2)) * MINUTE;
            play(&home, "reversi", game, later);
        }
        home.done_at(later + HOUR, &format!("--as-operator reversi resign {game} {second}"));
        if game % 3 == 0 {
            let level = game / 6 % 2 + 1;
            home.done_at(now, &format!("--as-operator malaka challenge {first} board{level}"));
            play(&home, "malaka", game / 3, now + HOUR);
            if game % 2 == 0 {
                let words = format!("--as-operator malaka resign {} {first}", game / 3);
                home.done_at(now + 2 * HOUR, &words);
            }
        }
        let mail = format!(
            "From: alice@pbm.test\nTo: postboard@localhost\nSubject: help\nMessage-ID: <{game}@pbm>\n\n"
        );
        for _ in 0..=game % 2 {
            run_at(&home.path(), now, &["receive"], mail.as_bytes());
        }
        home.done_at(now, "process");
    }
    home
}

/// Plays the first legal move of the player whose turn it is.
fn play(home: &Home, game: &str, number: u32, at: Time) {
    let Some((player, text)) = home.due(game, number) else { return };
    home.done_at(at, &format!("--as-operator {game} move {number} {player} {text}"));
}

/// Returns the cells of a row of a table.
fn row(page: &str, title: &str) -> Vec<String> {
    let row = page.split(&format!("<td>{title}</td>")).nth(1).unwrap();
    let row = row.split("</tr>").next().unwrap();
    row.split("</td>").map(|cell| cell.trim_start_matches("<td>").to_owned()).collect()
}

/// Returns the label of a picture.
fn said<'p>(page: &'p str, title: &str) -> &'p str {
    let label = page.split(&format!("aria-label=\"{title}")).nth(1).unwrap();
    label.split('"').next().unwrap()
}

/// Returns the expected table of the durations of people's moves.
fn waits(home: &Home) -> String {
    let places = [("reversi", GAMES), ("malaka", GAMES / 3)];
    let boards = places
        .iter()
        .flat_map(|(game, count)| (1..=*count).map(move |number| home.board(game, number)));
    let mut took = Vec::new();
    for board in boards {
        for pair in board.record.windows(2) {
            let Entry::Moved { seat, auto: false, .. } = pair[1].entry else { continue };
            if !board.player(seat).as_str().starts_with("board") {
                took.push((pair[1].at - pair[0].at).seconds());
            }
        }
        // The first move counts from the beginning of the board.
        if let Some(Entry::Moved { .. }) = board.record.first().map(|line| &line.entry) {
            took.push((board.record[0].at - board.started).seconds());
        }
    }
    let bounds = [
        (60, "1 minute"),
        (600, "10 minutes"),
        (3_600, "1 hour"),
        (21_600, "6 hours"),
        (86_400, "1 day"),
        (259_200, "3 days"),
        (604_800, "7 days"),
        (i64::MAX, "longer"),
    ];
    let below = |bound| took.iter().filter(|took| **took < bound).count();
    let mut before = 0;
    let told = bounds.map(|(bound, label)| {
        let count = below(bound) - before;
        before += count;
        format!("{label}: {count}")
    });
    told.join(", ")
}

#[test]
fn the_charts_tell_what_was_played_and_need_nothing_else() {
    let home = after_a_season();
    let ran = home.run(&["charts"], b"");
    let file = home.path().join("charts/index.html");
    assert_eq!((ran.code, &*ran.out), (Some(0), &*format!("wrote {}\n", file.display())));
    let page = fs::read_to_string(&file).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>"));
    for foreign in ["<script", "src=", "href=", "url(", "@import", "<link", "<iframe"] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    let links = page.matches("http").count() - page.matches("http://www.w3.org/2000/svg").count();
    assert_eq!(links, page.matches("http-equiv").count(), "the name of SVG is no link");

    let (reversi, malaka) = (row(&page, "Reversi"), row(&page, "Malaka"));
    assert_eq!((&*reversi[0], &*reversi[1], &*reversi[3]), ("24", "0", "4"));
    assert_eq!((&*malaka[0], &*malaka[1]), ("8", "4"));
    let moves: u32 = (1..=GAMES).map(|game| 4 + game % 3).sum();
    assert_eq!(reversi[2], moves.to_string());
    assert!(said(&page, "Games a day").contains("begun, ended from 2026-07-26 to 2026-08-"));
    // A mail that came twice was executed once.
    assert!(said(&page, "Mails and forms executed a day").contains("at most 1"));
    // The last rating of each player is their current rating.
    let told = said(&page, "Reversi: ").split("; at last ").nth(1).unwrap();
    let mut ends: Vec<&str> = told.split(", ").collect();
    ends.sort_unstable();
    let now = PLAYERS.map(|player| {
        let user =
            User::read(&home.read(&format!("users/{}/{player}.json", &player[..2]))).unwrap();
        format!("{player} {}", user.ratings["reversi"].points())
    });
    assert_eq!(ends, now);
    let lost = "2 (people won 0, drawn 0, the program won 2)";
    assert_eq!(said(&page, "Malaka. "), format!("level 1: {lost}, level 2: {lost}"));
    assert!(said(&page, "How often each face came up. ").starts_with("1: "));
    assert_eq!(said(&page, "Time per move of people. "), waits(&home));

    // A page at another path, to be passed on, differs only in its time.
    let told = |page: &str| page.split_once("</p>").unwrap().1.to_owned();
    let elsewhere = home.base().join("some/where");
    assert_eq!(home.run(&["charts", elsewhere.to_str().unwrap()], b"").code, Some(0));
    assert_eq!(told(&fs::read_to_string(elsewhere.join("index.html")).unwrap()), told(&page));
    assert_eq!(told(&home.run(&["charts", "-"], b"").out), told(&page));
    // The page is no part of the home: neither `backup` nor `check` mentions it.
    let backup = home.base().join("backup").display().to_string();
    assert_eq!(home.run(&["backup", &backup], b"").err, "");

    fs::write(home.path().join("boards/reversi/0/3.json"), "{").unwrap();
    let page = home.run(&["charts", "-"], b"").out;
    assert_eq!(row(&page, "Reversi")[0], "23");
    assert!(page.contains("1 board cannot be read and is not in these numbers"));
}

#[test]
fn charts_of_nothing_say_so() {
    let home = Home::new();
    let ran = home.run(&["charts", "-"], b"");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("Nothing was played yet.") && !ran.out.contains("<svg"));
    let ran = home.run(&["charts", "/dev/null/x"], b"");
    assert_eq!(ran.code, Some(75));
    assert!(ran.err.starts_with("postboard: cannot write /dev/null/x/index.html: "), "{}", ran.err);
}

#[test]
fn the_word_of_earlier_versions_is_refused_with_the_new_one() {
    let home = Home::with_board();
    for words in [&["report"][..], &["report", "-"], &["report", "/var/www/games"]] {
        let ran = home.run(words, b"");
        let told = "postboard: `report` is the command with which players report other players. The \
                    page about games is written by `postboard charts`\n";
        assert_eq!((ran.code, &*ran.err), (Some(64), told), "{words:?}");
    }
}
