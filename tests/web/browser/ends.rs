//! Whole games of every other kind, played by clicks.

use super::*;
use ::games::Outcome;

/// Starts a board of alice and opens its page.
fn begun(town: &ServedHome, alice: &Browser, game: &'static str, with: &str) -> BoardId {
    town.done(&format!("{game} challenge alice {with}"));
    let id = BoardId { game, number: 1 };
    alice.go(&town.page(id));
    alice.run("window.isTheSame = true");
    id
}

/// Checks that the page shows the result, that a page with scripts was not reloaded, and that the
/// home is sound.
pub(super) fn has_ended(town: &mut ServedHome, alice: &Browser, id: BoardId) {
    let board = town.board(id);
    let begin = match board.status() {
        BoardStatus::Ended(Outcome::Won { by, .. }) if board.player(by).as_str() == "alice" => {
            "You won "
        }
        BoardStatus::Ended(Outcome::Won { .. }) => "You lost ",
        BoardStatus::Ended(Outcome::Drawn { .. }) => board.game.spec().title,
        other => panic!("{id}: {other:?}"),
    };
    let said = format!("document.querySelector('.news').textContent.startsWith({begin:?})");
    alice.until("the end", &format!("return {said} && !document.querySelector('section.turn')"));
    assert_eq!(alice.run("return !!window.isTheSame") == true, alice.runs_scripts, "{id}");
    assert!(!alice.has("svg.board a"), "{id}");
    town.assert_tidy();
}

fn clicked_to_its_end(town: &mut ServedHome, alice: &Browser, game: &'static str, with: &str) {
    let id = begun(town, alice, game, with);
    games::play_out(town, alice, id);
    has_ended(town, alice, id);
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn a_whole_game_of_moloko_is_clicked() {
    let mut town = ServedHome::new();
    let alice = town.alice(Window::DESK);
    clicked_to_its_end(&mut town, &alice, "moloko", "bob");
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn a_whole_game_of_moultezim_is_clicked() {
    let mut town = ServedHome::new();
    let alice = town.alice(Window::DESK);
    clicked_to_its_end(&mut town, &alice, "moultezim", "bob");
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn a_whole_game_of_plakoto_is_clicked() {
    let mut town = ServedHome::new();
    let alice = town.alice(Window::DESK);
    clicked_to_its_end(&mut town, &alice, "plakoto", "bob");
}

/// Random clicks finish games of the square board: against bob and against the program, with and
/// without scripts. A turn of Life has several clicks.
#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn whole_games_of_the_square_board_are_clicked() {
    let mut town = ServedHome::new();
    let (desk, plain) = (town.alice(Window::DESK), town.alice(Window::PLAIN));
    for (alice, game, with) in [
        (&desk, "reversi", "bob -size=8"),
        (&plain, "countlines", "board1 -mode=3"),
        (&plain, "fillit", "bob -mode=0"),
        (&desk, "visiput", "board1 -mode=4"),
        (&desk, "life", "bob -mode=1 -points=6"),
    ] {
        clicked_to_its_end(&mut town, alice, game, with);
    }
}

/// Both players pass at the end.
#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn a_whole_game_of_speedgo_is_clicked() {
    let mut town = ServedHome::new();
    let alice = town.alice(Window::DESK);
    let id = begun(&town, &alice, "speedgo", "bob");
    for _ in 0..6 {
        games::one_turn(&mut town, &alice, id);
    }
    assert_eq!(town.due(id).unwrap(), "alice");
    send(&alice, &alice.find(".turn button[value=pass]"));
    let made = moves_made(&alice);
    town.bob_replies(id, "pass");
    moves_come(&alice, &made);
    has_ended(&mut town, &alice, id);
}

/// Returns the lines of the page's text board, from top to bottom.
fn lines(browser: &Browser) -> Vec<String> {
    let text = browser.text("pre.board");
    let is_line = |line: &&str| line.trim_start().starts_with(|it: char| it.is_ascii_digit());
    let places = |line: &str| line.trim_start().chars().skip(2).step_by(2).take(9).collect();
    text.lines().filter(is_line).map(places).collect()
}

/// Returns the points of the page's text board that show this letter.
fn places(browser: &Browser, letter: char) -> Vec<(char, u32)> {
    let lines = lines(browser);
    assert_eq!(lines.len(), 9, "{}", browser.text("pre.board"));
    let line = |(line, text): (u32, &String)| {
        let places = ('a'..='i').zip(text.chars().collect::<Vec<_>>());
        places.filter(|(_, it)| *it == letter).map(|(file, _)| (file, line)).collect::<Vec<_>>()
    };
    (1..=9).rev().zip(&lines).flat_map(line).collect()
}

/// Clicks a point and sends the move.
fn press(browser: &Browser, (file, line): (char, u32)) {
    follow(browser, &browser.find(&format!("svg.board a[data-spot={file}{line}]")));
    send(browser, &browser.find(PLAY));
}

/// Alice remembers all points. No page shows hidden points after they go dark.
#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn a_whole_game_of_findthem_is_clicked_and_nothing_is_given_away() {
    let mut town = ServedHome::new();
    let alice = town.alice(Window::DESK);
    let (bob, watcher) = (town.enters("bob", Window::DESK), Browser::open(Window::PLAIN));
    let id = begun(&town, &alice, "findthem", "bob -mode=2");
    let (own, others) = (places(&alice, 'G'), places(&alice, 'R'));
    assert_eq!((own.len(), others.len()), (15, 15));
    // Bob presses only empty points, because a press on one of alice's points would turn it off
    // before she needs it.
    let is_empty = |it: &(char, u32)| !own.contains(it) && !others.contains(it);
    let all = ('a'..='i').flat_map(|file| (1..=9).map(move |line| (file, line)));
    let empty: Vec<_> = all.filter(is_empty).collect();
    let hidden = town.board(id).position().notation();
    let hidden = hidden.split_once("hidden=").unwrap().1.split(' ').next().unwrap().to_owned();
    bob.go(&town.page(id));
    for (found, (place, (file, line))) in (1..).zip(own.iter().zip(&empty)) {
        press(&alice, *place);
        town.bob_replies(id, &format!("{file}{line}"));
        let made =
            format!("return document.querySelector('nav.steps').dataset.made == {}", 2 * found);
        bob.until("both moves", &made);
        watcher.go(&town.page(id));
        if town.due(id).is_none() {
            break;
        }
        for browser in [&alice, &bob, &watcher] {
            browser.until("both moves", &made);
            let page = browser.run("return document.documentElement.outerHTML");
            assert!(!page.as_str().unwrap().contains(&hidden), "{page}");
            assert_eq!(places(browser, 'G').len(), found, "{}", browser.page());
            let lit = "return document.querySelectorAll('svg.board .green').length";
            assert!(browser.run(lit).as_u64().unwrap() <= found as u64 + 1, "{}", browser.page());
        }
        watcher.go(&format!("{}/0", town.page(id)));
        assert!(!watcher.has("svg.board"), "{}", watcher.page());
    }
    has_ended(&mut town, &alice, id);
    assert!(alice.text(".news").starts_with("You won "), "{}", alice.page());
}

/// A solo puzzle, with one mistake.
#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn a_whole_puzzle_of_symmetry_is_clicked() {
    let mut town = ServedHome::new();
    let alice = town.alice(Window::PLAIN);
    let id = begun(&town, &alice, "symmetry", "-mode=0");
    let pattern = places(&alice, 'G');
    let mirrored: Vec<(char, u32)> =
        pattern.iter().map(|(file, line)| (*file, 10 - line)).collect();
    let is_wrong = |place: &(char, u32)| !mirrored.contains(place);
    let wrong = ('a'..='i').map(|file| (file, 1)).find(is_wrong).unwrap();
    for place in std::iter::once(&wrong).chain(&mirrored) {
        press(&alice, *place);
    }
    has_ended(&mut town, &alice, id);
}
