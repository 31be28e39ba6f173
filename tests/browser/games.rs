//! Whole games: what one does here the other sees there.

use super::*;
use ::games::GAMES;

const MALAKA: BoardId = BoardId { game: "malaka", number: 1 };
const MATCH: BoardId = BoardId { game: "backgammon", number: 1 };

/// Plays on until the board is over: alice in her browser, bob by mail. With scripts her page
/// changes by itself when bob has moved; without them she loads it again.
fn play_out(town: &mut Town, alice: &Browser, id: BoardId, runs_scripts: bool) {
    let page = format!("{}/{}/{}", town.address, id.game, id.number);
    while let Some(due) = town.due(id) {
        if due == "alice" {
            let spoken = alice.all(".turn button[value=roll]");
            match spoken.first() {
                Some(roll) => send(alice, roll),
                None => plays(alice, &mut town.chance.clone()),
            }
            town.chance.below(2);
            continue;
        }
        let made = moves_made(alice);
        let words = town.any_move(id);
        town.bob_replies(id, &words);
        if runs_scripts {
            let script = "return document.querySelector('nav.steps').dataset.made";
            alice.until("bob's move", &format!("{script} != {made:?}"));
        } else {
            alice.go(&page);
        }
    }
}

fn whole_game_of_malaka(mut town: Town, window: Window) {
    town.done("malaka challenge alice bob");
    let alice = town.alice(window);
    alice.go(&format!("{}/malaka/1", town.address));
    alice.run("window.isTheSame = true");
    play_out(&mut town, &alice, MALAKA, window.runs_scripts);
    let is_over = "return /won|lost|wins|draw/i.test(document.querySelector('.news').textContent)";
    alice.until("the end", is_over);
    // The page was never loaded again.
    assert_eq!(alice.run("return !!window.isTheSame") == true, window.runs_scripts);
    town.is_tidy();
}

#[test]
#[ignore = "needs Chromium and its driver: .ci/run installs them and runs this by name"]
fn a_whole_game_of_malaka_is_clicked_against_mails() {
    whole_game_of_malaka(Town::new(), Window::DESK);
}

#[test]
#[ignore = "needs Chromium and its driver: .ci/run installs them and runs this by name"]
fn a_whole_game_of_malaka_is_clicked_without_scripts() {
    whole_game_of_malaka(Town::new(), Window::PLAIN);
}

#[test]
#[ignore = "needs Chromium, its driver and Postfix: .ci/run installs them and runs this by name"]
fn a_whole_game_of_malaka_is_clicked_against_mails_through_postfix() {
    whole_game_of_malaka(Town::behind_postfix(), Window::DESK);
}

/// Alice rolls her own dice, so that she can double; bob takes.
fn match_with_a_double(mut town: Town, window: Window) {
    town.done("backgammon challenge alice bob -match=3");
    town.done("backgammon manual 1 alice secret");
    let alice = town.alice(window);
    let page = format!("{}/backgammon/1", town.address);
    alice.go(&page);
    let doubles = loop {
        if town.due(MATCH).unwrap() == "bob" {
            let made = moves_made(&alice);
            let words = town.any_move(MATCH);
            town.bob_replies(MATCH, &words);
            if window.runs_scripts {
                let script = "return document.querySelector('nav.steps').dataset.made";
                alice.until("bob's move", &format!("{script} != {made:?}"));
            } else {
                alice.go(&page);
            }
        }
        match alice.all(".turn button[value=double]").first() {
            Some(doubles) => break doubles.clone(),
            None if town.due(MATCH).unwrap() == "alice" => plays(&alice, &mut town.chance),
            None => {}
        }
    };
    send(&alice, &doubles);
    let made = moves_made(&alice);
    town.bob_replies(MATCH, "take");
    if window.runs_scripts {
        let script = "return document.querySelector('nav.steps').dataset.made";
        alice.until("bob's word", &format!("{script} != {made:?}"));
    } else {
        alice.go(&page);
    }
    play_out(&mut town, &alice, MATCH, window.runs_scripts);
    assert!(town.board(MATCH).moves().any(|turn| turn.text == "take"));
    town.is_tidy();
}

#[test]
#[ignore = "needs Chromium and its driver: .ci/run installs them and runs this by name"]
fn a_match_with_a_double_and_a_take_is_clicked_against_mails() {
    match_with_a_double(Town::new(), Window::DESK);
}

#[test]
#[ignore = "needs Chromium and its driver: .ci/run installs them and runs this by name"]
fn a_match_with_a_double_and_a_take_is_clicked_without_scripts() {
    match_with_a_double(Town::new(), Window::PLAIN);
}

#[test]
#[ignore = "needs Chromium, its driver and Postfix: .ci/run installs them and runs this by name"]
fn a_match_with_a_double_and_a_take_is_clicked_against_mails_through_postfix() {
    match_with_a_double(Town::behind_postfix(), Window::DESK);
}

#[test]
#[ignore = "needs Chromium and its driver: .ci/run installs them and runs this by name"]
fn every_other_game_is_clicked() {
    let mut town = Town::new();
    let alice = town.alice(Window::DESK);
    for spec in GAMES.iter().map(|game| game.spec()) {
        if [MALAKA.game, MATCH.game].contains(&spec.name) {
            continue;
        }
        let players = if spec.manner.solo { "alice" } else { "alice bob" };
        town.done(&format!("{} challenge {players}", spec.name));
        let id = BoardId { game: spec.name, number: 1 };
        alice.go(&format!("{}/{}/1", town.address, spec.name));
        for _ in 0..6 {
            if town.due(id).is_some() {
                one_turn(&mut town, &alice, id);
            }
        }
        assert!(town.board(id).next_move() > 4, "{}", spec.name);
    }
    town.is_tidy();
}

/// Whoever is to move does.
fn one_turn(town: &mut Town, alice: &Browser, id: BoardId) {
    if town.due(id).as_deref() == Some("alice") {
        return plays(alice, &mut town.chance);
    }
    let made = moves_made(alice);
    let words = town.any_move(id);
    town.bob_replies(id, &words);
    let script = "return document.querySelector('nav.steps').dataset.made";
    alice.until("bob's move", &format!("{script} != {made:?}"));
}

/// What bob does by mail is seen at once by alice in the list of her boards, and by somebody who
/// watches without having signed in.
#[test]
#[ignore = "needs Chromium and its driver: .ci/run installs them and runs this by name"]
fn lists_and_watched_boards_change_by_themselves() {
    let mut town = Town::new();
    town.done("reversi challenge bob alice");
    let id = BoardId { game: "reversi", number: 1 };
    let (alice, watcher) = (town.alice(Window::DESK), Browser::open(Window::DESK));
    watcher.go(&format!("{}/reversi/1", town.address));
    alice.sees("//li[contains(., 'bob')][contains(., \"It is bob's turn\")]");
    for window in [&alice, &watcher] {
        window.run("window.isTheSame = true");
    }
    let words = town.any_move(id);
    town.bob_replies(id, &words);
    alice.sees("//li[contains(., 'bob')][contains(., 'It is your turn')]");
    watcher.sees("//p[@class='news'][contains(., \"It is alice's turn\")]");
    for window in [&alice, &watcher] {
        assert_eq!(window.run("return window.isTheSame"), true);
    }
}
