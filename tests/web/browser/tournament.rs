//! A tournament of four in a game of about 25 moves: alice and carol play by clicks, bob and dave by
//! mail.

use super::*;
use ::games::{Outcome, Seat};
use std::collections::BTreeMap;

const PLAYERS: [&str; 4] = ["alice", "bob", "carol", "dave"];
const OWN: &str = "postboard@localhost";
const LIST: &str = "/fillit/tournaments";
const PAGE: &str = "/fillit/tournament/1";

/// The script that returns the rows of the crosstable: place, player, rating, games, points and
/// Sonneborn-Berger score.
const ROWS: &str = "return [...document.querySelectorAll('table.list tbody tr')]\
                    .map((row) => [...row.cells].map((cell) => cell.textContent.trim()))";

/// Returns the seat of the winner of a board, or `None` if it was drawn.
fn winner(board: &Board) -> Option<Seat> {
    match board.status() {
        BoardStatus::Ended(Outcome::Won { by, .. }) => Some(by),
        BoardStatus::Ended(Outcome::Drawn { .. }) => None,
        other => panic!("{other:?}"),
    }
}

/// Returns the half points of each player against each other player.
fn half_points(boards: &[Board]) -> BTreeMap<[String; 2], u32> {
    let mut points = BTreeMap::new();
    for board in boards {
        for seat in Seat::BOTH {
            let players = [seat, seat.other()].map(|seat| board.player(seat).to_string());
            let half = winner(board).map_or(1, |by| if by == seat { 2 } else { 0 });
            assert_eq!(points.insert(players, half), None, "they meet once");
        }
    }
    points
}

/// Checks the crosstable against the boards.
fn assert_right(rows: &[Vec<String>], boards: &[Board]) {
    let results = half_points(boards);
    let names: Vec<&String> = rows.iter().map(|row| &row[1]).collect();
    let total = |name: &String| -> u32 {
        let own = results.iter().filter(|(players, _)| players[0] == *name);
        own.map(|(_, half)| half).sum()
    };
    let mut order = Vec::new();
    for row in rows {
        let name = &row[1];
        let mut quarters = 0;
        for (column, other) in (3..).zip(&names) {
            let key = [name.clone(), (*other).clone()];
            let sign = match results.get(&key) {
                None => "-",
                Some(0) => "0",
                Some(1) => "=",
                Some(_) => "1",
            };
            assert_eq!(row[column], sign, "{name} against {other}: {rows:?}");
            quarters += results.get(&key).map_or(0, |half| half * total(other));
        }
        let (points, tie_break) = (f64::from(total(name)) / 2.0, f64::from(quarters) / 4.0);
        let shown = row[7..].iter().map(|text| text.parse::<f64>().unwrap());
        assert_eq!(shown.collect::<Vec<_>>(), [points, tie_break], "{rows:?}");
        order.push([points, tie_break]);
    }
    assert!(order.is_sorted_by(|one, next| one >= next), "{rows:?}");
}

/// Opens the tournament: alice and carol by clicks, bob and dave by mail.
fn entered(town: &mut ServedHome, alice: &Browser, carol: &Browser) {
    alice.go(&format!("{}{LIST}", town.address));
    alice.run("document.querySelector('select[name=\"option.-format\"]').value = 'round-robin'");
    let players = "input[name='option.-players']";
    alice.unfold(&alice.find(players));
    alice.write(players, "4");
    alice.click(&alice.find("form.new-game button[type=submit]"));
    alice.sees("//h2[.='Open for entry']");
    for (name, browser) in [("alice", alice), ("carol", carol)] {
        browser.go(&format!("{}{PAGE}", town.address));
        browser.click(&browser.find("form:has(input[value=join]) button"));
        browser.sees(&format!("//h2[.='Entered so far']/following-sibling::ul[1]/li[.='{name}']"));
    }
    town.mails("bob", OWN, "fillit tournament join 1 bob secret", "");
    assert!(!alice.has("table.list"), "three of four have entered");
    town.mails("dave", OWN, "fillit tournament join 1 dave secret", "");
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn a_tournament_is_played_half_by_mail_and_half_by_clicks() {
    let mut town = ServedHome::new();
    for user in ["carol", "dave"] {
        town.done(&format!("signup {user} secret {user}@pbm.test"));
    }
    let (alice, carol) = (town.alice(Window::DESK), town.enters("carol", Window::PLAIN));
    entered(&mut town, &alice, &carol);
    let watcher = Browser::open(Window::DESK);
    watcher.go(&format!("{}{PAGE}", town.address));
    watcher.run("window.isTheSame = true");
    assert_eq!(watcher.counts(["table.list tbody tr"]), [4], "{}", watcher.page());

    let ids: Vec<BoardId> = (1..=6).map(|number| BoardId { game: "fillit", number }).collect();
    let mut moves = BTreeMap::from(PLAYERS.map(|player| (player.to_owned(), 0)));
    while let Some((id, due)) = ids.iter().find_map(|id| Some((*id, town.due(*id)?))) {
        match &*due {
            "alice" | "carol" => {
                let browser = if due == "alice" { &alice } else { &carol };
                browser.go(&town.page(id));
                plays(browser, &mut town.chance);
            }
            by_mail => {
                let words = town.any_move(id);
                town.replies(by_mail, id, &words);
            }
        }
        *moves.get_mut(&due).unwrap() += 1;
    }
    assert!(moves.values().all(|count| *count > 9), "{moves:?}");

    // The page of the watcher has followed the games by itself.
    watcher
        .until("the end", "return document.querySelector('main').textContent.includes('won by')");
    assert_eq!(watcher.run("return window.isTheSame"), true);
    let boards: Vec<Board> = ids.iter().map(|id| town.board(*id)).collect();
    let rows: Vec<Vec<String>> = serde_json::from_value(watcher.run(ROWS)).unwrap();
    assert_right(&rows, &boards);
    let won = format!("won by {}", rows[0][1]);
    assert!(watcher.text("main").contains(&won), "{won}: {}", watcher.text("main"));
    town.assert_tidy();
}
