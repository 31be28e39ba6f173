//! Whole games: each player's page shows the moves of the other.

use super::*;

const MATCH: BoardId = BoardId { game: "backgammon", number: 1 };

const ROLL: &str = ".turn button[value=roll]";
const TAKE: &str = ".turn button[value=take]";
const DOUBLE: &str = ".turn button[value=double]";
const PASS: &str = ".turn button[value=pass]";
const AGREE: &str = ".turn button[value=agree]";

/// Plays until the board is over: alice in her browser, bob by mail. With scripts, alice's page
/// shows bob's move by itself; without scripts, alice reloads the page.
pub(super) fn play_out(town: &mut ServedHome, alice: &Browser, id: BoardId) {
    while town.due(id).is_some() {
        one_turn(town, alice, id);
    }
}

/// Plays a long game until the board is over. Of eight moves, two are made in alice's browser or by bob's mail; the
/// others are commands, which alice's page shows, too.
fn play_through(town: &mut ServedHome, alice: &Browser, id: BoardId) {
    // Who moves by a command and is to move again is told so on the screen, and gets no mail.
    let mut last_by_command = None;
    for turn in 0.. {
        let Some(due) = town.due(id) else { return };
        if turn % 8 < 2 && last_by_command.as_ref() != Some(&due) {
            one_turn(town, alice, id);
            last_by_command = None;
        } else {
            move_by_command(town, id);
            shows_the_latest(town, alice, id);
            last_by_command = Some(due);
        }
    }
}

/// Makes one move by the commands of the player to move, who may have to roll before it.
fn move_by_command(town: &mut ServedHome, id: BoardId) {
    let before = town.board(id).next_move();
    while town.board(id).next_move() == before {
        let is_asked = matches!(town.board(id).position().next(), ::games::Next::Ready(..));
        let words = if is_asked { "roll".to_owned() } else { town.any_move(id) };
        let due = town.due(id).unwrap();
        town.done(&format!("{} move {} {due} secret {words}", id.game, id.number));
    }
}

/// Waits until alice's page shows the last move.
fn shows_the_latest(town: &ServedHome, alice: &Browser, id: BoardId) {
    if !alice.runs_scripts {
        alice.go(&town.page(id));
    }
    let made = town.board(id).next_move() - 1;
    let is_shown = "document.querySelector('nav.steps')?.dataset.made ==";
    alice.until("the last move", &format!("return {is_shown} {made}"));
}

/// Makes one move for the player to move.
pub(super) fn one_turn(town: &mut ServedHome, alice: &Browser, id: BoardId) {
    if town.due(id).as_deref() != Some("alice") {
        let words = town.any_move(id);
        bob_says(town, alice, id, &words);
    } else if alice.has(ROLL) {
        send(alice, &alice.find(ROLL));
    } else {
        plays(alice, &mut town.chance);
    }
}

/// Sends bob's reply and waits until alice's page shows it.
fn bob_says(town: &mut ServedHome, alice: &Browser, id: BoardId, words: &str) {
    let made = moves_made(alice);
    town.bob_replies(id, words);
    if !alice.runs_scripts {
        alice.go(&town.page(id));
    }
    moves_come(alice, &made);
}

/// Starts a board of alice and bob, plays it to its end, and checks what alice's page then shows.
fn whole_game(
    town: &mut ServedHome,
    alice: &Browser,
    (game, options): (&'static str, &str),
    play: fn(&mut ServedHome, &Browser, BoardId),
) {
    town.done(&format!("{game} challenge alice bob{options}"));
    let id = BoardId { game, number: 1 };
    alice.go(&town.page(id));
    alice.run("window.isTheSame = true");
    play(town, alice, id);
    ends::has_ended(town, alice, id);
}

/// Stones on hexagons, pegs with links, men that slide, turns of three steps, men that jump, an opening of three
/// stones, two stones a turn, and lines between dots.
const ON_TILES: [(&str, &str); 11] = [
    ("hex", " -size=5"),
    ("twixt", " -size=6"),
    ("loa", " -size=6"),
    ("amazons", " -size=6"),
    ("checkers", ""),
    ("draughts", " -position=W:W28,31,32,37,K50:B14,18,19,23,K5"),
    ("gomoku", " -size=9"),
    ("connect6", " -size=9"),
    ("y", " -size=5"),
    ("havannah", " -size=4"),
    ("dots", " -size=2"),
];

#[test]
#[ignore = "needs Chromium and Postfix: .ci/run installs them and runs this by name"]
fn whole_games_on_tiles_are_touched_against_mails_through_postfix() {
    let mut town = ServedHome::behind_postfix();
    let alice = town.alice(Window::PHONE);
    for game in ON_TILES {
        whole_game(&mut town, &alice, game, play_out);
    }
}

/// Alice touches points and, at the end, a stone that she takes for alive; bob says that it is dead.
fn game_of_go(mut town: ServedHome) {
    town.done("go challenge alice bob -size=5");
    let (alice, id) = (town.alice(Window::PHONE), BoardId { game: "go", number: 1 });
    alice.go(&town.page(id));
    alice.run("window.isTheSame = true");
    let touch = |name: &str| {
        follow(&alice, &alice.find(&format!("svg.board a[data-spot={name}]")));
    };
    for (own, answer) in
        [("c3", "d3"), ("c4", "d4"), ("c2", "d2"), ("c5", "d5"), ("c1", "d1"), ("b3", "a3")]
    {
        touch(own);
        send(&alice, &alice.find(PLAY));
        bob_says(&mut town, &alice, id, answer);
    }
    send(&alice, &alice.find(PASS));
    bob_says(&mut town, &alice, id, "pass");
    // The server takes the stone behind the wall for dead.
    touch("a3");
    assert_eq!(alice.text(".turn strong"), "alive a3");
    send(&alice, &alice.find(PLAY));
    bob_says(&mut town, &alice, id, "dead a3");
    send(&alice, &alice.find(AGREE));
    let said: Vec<String> = town.board(id).moves().skip(13).map(|it| it.text.to_string()).collect();
    assert_eq!(said, ["pass", "alive a3", "agree", "dead a3", "agree", "agree"]);
    ends::has_ended(&mut town, &alice, id);
}

#[test]
#[ignore = "needs Chromium and Postfix: .ci/run installs them and runs this by name"]
fn a_game_of_go_is_touched_against_mails_through_postfix() {
    game_of_go(ServedHome::behind_postfix());
}

/// Races in which one man closes a point, a match of several races, and Backgammon from other starts.
const RACES: [(&str, &str); 5] = [
    ("fevga", ""),
    ("nardy", ""),
    ("tavli", " -match=2"),
    ("nackgammon", ""),
    ("hypergammon", " -match=2"),
];

#[test]
#[ignore = "needs Chromium and Postfix: .ci/run installs them and runs this by name"]
fn whole_races_are_touched_against_mails_through_postfix() {
    let mut town = ServedHome::behind_postfix();
    let alice = town.alice(Window::PHONE);
    for game in RACES {
        whole_game(&mut town, &alice, game, play_through);
    }
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn a_whole_game_of_malaka_is_clicked_without_scripts() {
    let mut town = ServedHome::new();
    let alice = town.alice(Window::PLAIN);
    whole_game(&mut town, &alice, ("malaka", " -d6"), play_out);
}

#[test]
#[ignore = "needs Chromium and Postfix: .ci/run installs them and runs this by name"]
fn a_whole_game_of_malaka_is_clicked_against_mails_through_postfix() {
    let mut town = ServedHome::behind_postfix();
    let alice = town.alice(Window::DESK);
    whole_game(&mut town, &alice, ("malaka", ""), play_out);
}

/// Alice rolls by hand so that she can double. Bob takes and later redoubles, so the winner of this
/// game wins the match.
fn match_with_doubles(mut town: ServedHome, window: Window) {
    town.done("backgammon challenge alice bob -match=3");
    town.done("backgammon manual 1 alice secret");
    let alice = town.alice(window);
    alice.go(&town.page(MATCH));
    alice.run("window.isTheSame = true");
    play_match(&mut town, &alice, MATCH);
}

/// Plays a match on whose page alice is asked to roll or double.
pub(super) fn play_match(town: &mut ServedHome, alice: &Browser, id: BoardId) {
    while !alice.has(DOUBLE) {
        one_turn(town, alice, id);
    }
    send(alice, &alice.find(DOUBLE));
    bob_says(town, alice, id, "take");
    town.done("backgammon manual 1 bob secret");
    while town.due(id).unwrap() == "alice" {
        one_turn(town, alice, id);
    }
    bob_says(town, alice, id, "double");
    send(alice, &alice.find(TAKE));
    town.bob_replies(id, "roll");
    town.done("backgammon manual 1 bob secret off");
    // Bob's roll may be unplayable, so it may be alice's turn already.
    if !alice.runs_scripts {
        alice.go(&town.page(id));
    }
    play_through(town, alice, id);
    assert_eq!(town.board(id).moves().filter(|turn| turn.text == "take").count(), 2);
    ends::has_ended(town, alice, id);
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn a_match_with_doubles_and_takes_is_clicked_without_scripts() {
    match_with_doubles(ServedHome::new(), Window::PLAIN);
}

#[test]
#[ignore = "needs Chromium and Postfix: .ci/run installs them and runs this by name"]
fn a_match_with_doubles_and_takes_is_clicked_against_mails_through_postfix() {
    match_with_doubles(ServedHome::behind_postfix(), Window::DESK);
}

const CHESS: BoardId = BoardId { game: "chess", number: 1 };

/// Alice taps her moves on a phone, a promotion the last of them; bob answers by mail.
fn promotion_by_touch(mut town: ServedHome) {
    town.done("chess challenge alice bob");
    let alice = town.alice(Window::PHONE);
    alice.go(&town.page(CHESS));
    alice.run("window.isTheSame = true");
    let tap = |place: &str| {
        follow(&alice, &alice.find(&format!("svg.board a[data-spot={place}]")));
    };
    for ([from, to], answer) in
        [(["a2", "a4"], "b5"), (["a4", "b5"], "a6"), (["b5", "a6"], "Nf6"), (["a6", "a7"], "Ng8")]
    {
        tap(from);
        tap(to);
        send(&alice, &alice.find(PLAY));
        bob_says(&mut town, &alice, CHESS, answer);
    }
    tap("a7");
    tap("b8");
    assert!(!alice.has(PLAY), "no man is chosen yet: {}", alice.page());
    send(&alice, &alice.find("section.turn button[value='axb8=Q']"));
    let board = town.board(CHESS);
    let moves: Vec<String> = board.moves().map(|turn| turn.text.into_owned()).collect();
    assert_eq!(moves.join(" "), "a4 b5 axb5 a6 bxa6 Nf6 a7 Ng8 axb8=Q");
    bob_says(&mut town, &alice, CHESS, "Rxb8");
    assert_eq!(alice.run("return window.isTheSame"), true, "the page was not loaded again");
}

#[test]
#[ignore = "needs Chromium and Postfix: .ci/run installs them and runs this by name"]
fn a_pawn_is_promoted_by_touch_against_mails_through_postfix() {
    promotion_by_touch(ServedHome::behind_postfix());
}

/// A move by mail appears at once in alice's list of boards and on the page of a watcher without an
/// account.
#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn lists_and_watched_boards_change_by_themselves() {
    let mut town = ServedHome::new();
    town.done("reversi challenge bob alice");
    let id = BoardId { game: "reversi", number: 1 };
    let (alice, watcher) = (town.alice(Window::DESK), Browser::open(Window::DESK));
    watcher.go(&format!("{}/reversi/1", town.address));
    alice.sees("//h2[.='Waiting for others']/following-sibling::ul[1]/li[contains(., 'Reversi 1 with bob')]");
    for window in [&alice, &watcher] {
        window.run("window.isTheSame = true");
    }
    let words = town.any_move(id);
    town.bob_replies(id, &words);
    alice
        .sees("//h2[.='Your turn']/following-sibling::ul[1]/li[contains(., 'Reversi 1 with bob')]");
    watcher.sees("//p[@class='news'][contains(., \"It is alice's turn\")]");
    for window in [&alice, &watcher] {
        assert_eq!(window.run("return window.isTheSame"), true);
    }
}

/// A page also shows the changes between its loading and its subscription to events.
#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn a_move_before_the_page_listens_is_not_missed() {
    let mut town = ServedHome::new();
    town.done("reversi challenge bob alice");
    let id = BoardId { game: "reversi", number: 1 };
    let alice = town.alice(Window::DESK);
    alice.go(&town.page(id));
    let words = town.any_move(id);
    alice.hold("*/events*", || town.bob_replies(id, &words));
    alice.find("section.turn");
}
