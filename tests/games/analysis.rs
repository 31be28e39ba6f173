//! The program's analysis of a game, as the players get it.

use crate::support::letters::{as_sent, sent_text};
use crate::support::script::{ScriptHome, as_typed};
use games::Next;
use postboard::base::ids::BoardId;
use postboard::model::board::BoardStatus;

const BOARD: BoardId = BoardId { game: "backgammon", number: 1 };

/// Returns rolls without doubles, since some of the rolls decide who begins.
fn rolls(count: u32) -> String {
    let roll = |number: u32| {
        let first = 1 + number * 7 % 6;
        let second = 1 + (first + number * 11 % 5) % 6;
        format!("{first}{second}")
    };
    (1..=count).map(roll).collect::<Vec<_>>().join(" ")
}

/// Makes a home where alice and bob have played three moves and bob has resigned.
fn played() -> ScriptHome {
    let mut stage = ScriptHome::new();
    stage.dice("31 64 52 66");
    stage.say("alice", "backgammon challenge alice bob");
    stage.say("alice", "backgammon move 1 alice secret 8-5,6-5");
    stage.say("bob", "backgammon move 1 bob secret 24-18,18-14");
    stage.say("alice", "backgammon move 1 alice secret 13-8,6-4");
    stage.say("bob", "backgammon flip 1 bob secret");
    stage.say("bob", "backgammon resign 1 bob secret backgammon");
    stage
}

#[test]
fn a_whole_match_by_mail_against_the_program_is_analysed() {
    let mut stage = ScriptHome::new();
    stage.dice(&rolls(3_000));
    stage.say("alice", "backgammon challenge alice board4 -match=3");
    stage.say("alice", "backgammon manual 1 alice secret");
    let mut has_doubled = false;
    for _ in 0..400 {
        let board = stage.board(BOARD);
        let position = board.position();
        let BoardStatus::ToMove(seat) = board.status() else { break };
        assert_eq!(board.player(seat).as_str(), "alice", "the program moves at once");
        let is_asked = matches!(position.next(), Next::Ready(..));
        let said = match position.choose(3, &mut |_| 0) {
            // Alice doubles at the first opportunity, whatever her position.
            _ if is_asked && !has_doubled && board.next_move() > 2 && position.count() > 0 => {
                has_doubled = true;
                "double".into()
            }
            Some(said) => as_typed(&board, said),
            None => "roll".into(),
        };
        let answer = stage.say("alice", &format!("backgammon move 1 alice secret {said}"));
        assert!(!answer.contains("Not done"), "{said}: {answer}");
    }
    let board = stage.board(BOARD);
    assert!(board.is_over());
    let said: Vec<String> = board.moves().map(|turn| turn.text.into_owned()).collect();
    let doubled = said.iter().position(|text| text == "double").unwrap();
    assert_eq!(said[doubled + 1], "take");
    let told = stage.say("alice", "backgammon analyse 1");
    assert!(told.contains("alice (") && told.contains("board4 ("), "{told}");
    let words = told.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("wrong cube decision"), "{told}");
    assert!(told.lines().count() < 80 && told.lines().all(|line| line.len() <= 80), "{told}");
    let of_double = stage.say("alice", &format!("backgammon analyse 1#{}", doubled + 1));
    assert!(of_double.contains("> double") && of_double.contains("  no double"), "{of_double}");
    let of_take = stage.say("alice", &format!("backgammon analyse 1#{}", doubled + 2));
    assert!(of_take.contains("> take") && of_take.contains("  drop"), "{of_take}");
    stage.check();
}

#[test]
fn so_many_games_are_analysed_for_a_mailbox_in_a_day() {
    let mut stage = played();
    for _ in 0..20 {
        let told = stage.say("alice", "backgammon analyse 1#1");
        assert!(told.contains("You won Backgammon board 1"), "{told}");
    }
    let refused = stage.say("alice", "backgammon analyse 1#1");
    assert!(refused.contains("20 games were analysed for you in the last 24 hours"), "{refused}");
    let others = stage.say("bob", "backgammon analyse 1#1");
    assert!(others.contains("You lost Backgammon board 1"), "{others}");
}

#[test]
fn a_page_has_the_boards_of_what_cost_most_and_a_text_has_not() {
    let mut stage = played();
    let text = stage.say("alice", "backgammon analyse 1");
    assert!(!text.contains("|BAR|") && text.contains("loses"), "{text}");
    let letter = stage.last_letter();
    let html = sent_text(&letter);
    assert!((1..=3).contains(&html.matches(">Move ").count()), "{html}");
    // The letter names the moves to analyse, and nothing that players keep private.
    let kept = String::from_utf8(letter.bytes.clone()).unwrap();
    assert!(kept.contains("Analysis") && !kept.contains("flip"), "{kept}");
    assert_eq!(as_sent(&letter), as_sent(&letter), "the same at each try");
}

/// Makes a home where alice and bob have played six moves.
fn running() -> ScriptHome {
    let mut stage = ScriptHome::new();
    stage.dice("31 64 52 66 41 32 21");
    stage.say("alice", "backgammon challenge alice bob");
    for user in ["alice", "bob", "alice", "bob", "alice", "bob"] {
        let board = stage.board(BOARD);
        let moved = as_typed(&board, board.position().nth_move(0).unwrap());
        let line = format!("backgammon move 1 {user} secret {moved}");
        let answer = stage.say(user, &line);
        assert!(!answer.contains("Not done"), "{answer}");
    }
    stage
}

#[test]
fn a_game_that_goes_on_is_analysed_if_both_want_it_and_not_to_its_end() {
    let mut stage = running();
    let refused = stage.say("alice", "backgammon analyse 1");
    assert!(refused.contains("backgammon propose 1 <userid> <password> analysis"), "{refused}");
    let asked = stage.say("alice", "backgammon propose 1 alice secret analysis");
    assert!(asked.contains("You ask for an analysis of the moves so far."), "{asked}");
    let refused = stage.say("bob", "backgammon reject 1 bob secret analysis");
    assert!(refused.contains("You have refused the analysis."), "{refused}");
    stage.say("bob", "backgammon propose 1 bob secret analysis");
    let told = stage.say("alice", "backgammon accept 1 alice secret");
    assert!(told.contains("You have agreed: the moves up to 4 are analysed below."), "{told}");
    let (news, analysis) = told.split_once("2 unforced plays lost").unwrap();
    assert!(analysis.contains("  3. O 52:") && !analysis.contains("  5. O "), "{told}");
    assert!(news.contains(" 5. 41 ") && news.contains(" 6. 32 "), "{told}");
    assert!(!told.contains("backgammon analyse 1"), "{told}");
    let bob = stage.last_to("bob");
    assert!(bob.contains("alice has agreed: the moves up to 4 are analysed below."), "{bob}");
    assert!(bob.contains("loses"), "{bob}");
    assert!(!stage.board(BOARD).is_over() && stage.board(BOARD).offer.is_none());
    stage.check();
}

#[test]
fn the_program_lets_a_game_be_analysed_and_too_short_a_game_is_not() {
    let mut stage = ScriptHome::new();
    stage.dice(&rolls(20));
    stage.say("alice", "backgammon challenge alice board3");
    let line = "backgammon propose 1 alice secret analysis";
    for made in 0..3 {
        let (board, position) = (stage.board(BOARD), stage.board(BOARD));
        let position = position.position();
        let told = stage.say("alice", line);
        let is_told = told.contains("has agreed: the moves up to");
        assert_eq!(is_told, board.next_move() > 3, "{made}: {told}");
        assert_eq!(told.contains("too few moves"), !is_told, "{told}");
        let said = position.choose(3, &mut |_| 0).unwrap();
        stage.say("alice", &format!("backgammon move 1 alice secret {said}"));
    }
    let drawn = stage.say("alice", "backgammon propose 1 alice secret marriage");
    assert!(
        drawn.contains("you can propose a `draw`, an `analysis`, or to `cancel` the game"),
        "{drawn}"
    );
}
