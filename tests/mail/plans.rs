//! Plans: the faults that players of other servers report, and games that plans play out.

use crate::support::letters::texts;
use crate::support::script::{ScriptHome, perform};
use games::{Choices, Entry, GAMES, Next, Seat};
use postboard::base::ids::BoardId;
use postboard::model::board::{Board, PlanEnd, PlannedStep};
use postboard::store::Letter;

const BOARD: BoardId = BoardId { game: "countlines", number: 1 };

/// Makes a board on which alice begins and any point can be pressed.
fn home() -> ScriptHome {
    let mut home = ScriptHome::new();
    perform(&mut home, "~ countlines challenge alice bob -mode=2\n");
    home
}

fn say(home: &mut ScriptHome, user: &str, words: &str) -> String {
    let (verb, rest) = words.split_once(' ').unwrap_or((words, ""));
    home.say(user, &format!("countlines {verb} 1 {user} secret {rest}"))
}

/// Returns the moves of a board.
fn moves(board: &Board) -> Vec<String> {
    board.moves().map(|turn| turn.text.into_owned()).collect()
}

/// Returns the texts of the letters to a user.
fn letters_to(letters: &[Letter], user: &str) -> String {
    texts(letters, &format!("{user}@example.org")).concat()
}

/// Online-go.com #522: the API showed the plan to the opponent. By mail: no mail to the opponent or an
/// observer, no answer to them and no export has a move of the plan.
#[test]
fn no_mail_shows_a_plan_to_anybody_else() {
    let mut home = home();
    perform(&mut home, "as carol\n~ countlines subscribe 1 carol secret\n");
    home.sender = "bob".into();
    let letters = home.mail("countlines plan 1 bob secret e5 d4; h7 h8", "", "postboard@localhost");
    assert!(letters.iter().all(|letter| letter.to.as_str() == "bob@example.org"));
    for line in [
        "countlines show 1",
        "export alice secret",
        "countlines plan 1 alice secret",
        "countlines games bob",
        "profile bob",
    ] {
        let told = home.say("alice", line);
        assert!(!told.contains("h8") && !told.contains("if e5"), "{told}");
        assert!(!told.contains("\"plans\""), "{told}");
    }
    home.sender = "alice".into();
    let letters = home.mail("countlines move 1 alice secret e5", "", "postboard@localhost");
    for user in ["alice", "carol"] {
        let told = letters_to(&letters, user);
        assert!(told.contains("bob played d4") && !told.contains("plan"), "{user}: {told}");
    }
    let own = home.say("bob", "export bob secret");
    assert!(!own.contains("\"plans\""), "nothing is left of it: {own}");
    say(&mut home, "bob", "plan c3 h8");
    assert!(home.say("bob", "export bob secret").contains("\"h8\""), "bob's own export has it");
    assert!(!home.say("alice", "export alice secret").contains("\"h8\""));
}

/// A change that only its player may know wakes no page: neither its name nor a letter to the others
/// leaves with the commit.
#[test]
fn a_plan_is_a_secret_change() {
    let mut home = home();
    let is_secret = |home: &mut ScriptHome, user: &str, words: &str| {
        home.sender = user.into();
        let line = format!("countlines {words}").replace(" 1 ", &format!(" 1 {user} secret "));
        home.transaction(&line).unannounced.len()
    };
    assert_eq!(is_secret(&mut home, "bob", "plan 1 e5 d4"), 1);
    assert_eq!(is_secret(&mut home, "bob", "queue 1 d4"), 1);
    assert_eq!(is_secret(&mut home, "bob", "plan 1 withdraw"), 1);
    assert_eq!(is_secret(&mut home, "alice", "move 1 e5"), 0);
    assert_eq!(is_secret(&mut home, "bob", "plan 1 d4 e4 f4"), 0, "the first move is played");
}

/// Online-go.com #1330: the plan stayed active but could not be seen any more.
#[test]
fn a_plan_is_shown_as_long_as_it_can_be_played() {
    let mut home = home();
    let written = "if e5 then d4, if c3 then c4";
    for words in ["plan e5 d4 c3 c4", "plan"] {
        assert!(say(&mut home, "bob", words).contains(written), "{words}");
    }
    say(&mut home, "alice", "move e5");
    let left = say(&mut home, "bob", "plan");
    assert!(left.contains("1. if c3 then c4") && !left.contains("if e5"), "{left}");
    say(&mut home, "alice", "move c3");
    assert!(say(&mut home, "bob", "plan").contains("You have no plan"));
    assert_eq!(moves(&home.board(BOARD)), ["e5", "d4", "c3", "c4"]);
}

/// Online-go.com #1148: only the first answer was played.
#[test]
fn every_answer_of_a_line_is_played() {
    let mut home = home();
    say(&mut home, "bob", "plan e5 d4 c3 c4 f1 f2");
    for point in ["e5", "c3", "f1"] {
        say(&mut home, "alice", &format!("move {point}"));
    }
    assert_eq!(moves(&home.board(BOARD)), ["e5", "d4", "c3", "c4", "f1", "f2"]);
}

/// Online-go.com #46: a withdrawn plan was still played.
#[test]
fn a_withdrawn_plan_is_not_played() {
    for word in ["plan withdraw", "plan off", "queue off"] {
        let mut home = home();
        say(&mut home, "bob", "plan e5 d4 c3 c4; any a1");
        say(&mut home, "bob", word);
        say(&mut home, "alice", "move e5");
        assert_eq!(moves(&home.board(BOARD)), ["e5"], "{word}");
        assert_eq!(home.board(BOARD).plans, [None, None]);
    }
}

/// Online-go.com #48: the opponent moved while a player was editing, and a real move was made.
#[test]
fn a_plan_for_an_earlier_move_is_refused() {
    let mut home = home();
    say(&mut home, "alice", "move e5");
    say(&mut home, "bob", "move d4");
    // Bob answers the mail in which it is alice's turn, but she has moved already.
    say(&mut home, "alice", "move c3");
    home.sender = "bob".into();
    let letters = home.answer("plan c4 c5; any a1", 1);
    let told = letters_to(&letters, "bob");
    assert!(told.contains("your command is for move 3, but the next move"), "{told}");
    let board = home.board(BOARD);
    assert_eq!((moves(&board).len(), &board.plans), (3, &[None, None]));
}

/// playhex#131, #160: an answer was played a turn later, to a move that it was not meant for.
#[test]
fn no_answer_is_played_a_turn_later() {
    let mut home = home();
    say(&mut home, "bob", "plan e5 d4");
    // Alice leaves the plan, and makes the move of it one turn later.
    say(&mut home, "alice", "move a1");
    say(&mut home, "bob", "move a2");
    say(&mut home, "alice", "move e5");
    assert_eq!(moves(&home.board(BOARD)), ["a1", "a2", "e5"]);
    assert_eq!(home.board(BOARD).plans, [None, None]);
    // A move that is queued for a number waits for this number, and for no other.
    say(&mut home, "bob", "queue d9#7");
    for (user, point) in [("bob", "c1"), ("alice", "c9"), ("bob", "c8")] {
        let told = say(&mut home, user, &format!("move {point}"));
        assert!(told.contains(&format!("You played {point}. It is")), "{told}");
    }
    home.sender = "alice".into();
    let letters = home.mail("countlines move 1 alice secret c7", "", "postboard@localhost");
    let told = letters_to(&letters, "bob").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("your command is for move 7, but the next move"), "{told}");
}

/// `AbstractPlay`: an illegal answer ended the loop in the middle of the answers.
#[test]
fn an_illegal_answer_ends_the_plan_and_nothing_else() {
    let mut home = home();
    say(&mut home, "bob", "plan any d4 any c4");
    say(&mut home, "alice", "plan a1 d4 c4 any b1");
    let board = home.board(BOARD);
    // Alice has taken c4 before bob could.
    assert_eq!(moves(&board), ["a1", "d4", "c4"]);
    assert_eq!(board.position().next(), Next::Move(Seat(1)));
    let note = board.plan_notes[1].clone().unwrap();
    assert_eq!((note.played, note.end), (vec!["d4".into()], Some(PlanEnd::Unplayed("c4".into()))));
    assert!(home.last_to("bob").contains("Your planned move `c4` was not played"));
    assert!(board.plans[0].is_some() && board.plans[1].is_none());
    say(&mut home, "bob", "move e1");
    assert_eq!(moves(&home.board(BOARD)), ["a1", "d4", "c4", "e1", "b1"]);
}

/// Lichess #2453: nobody told the player that an answer was played.
#[test]
fn a_player_is_told_when_an_answer_is_played_and_when_the_plan_ends() {
    let mut home = home();
    say(&mut home, "bob", "plan e5 d4 c3 c4");
    let told = |home: &mut ScriptHome, point: &str| {
        home.sender = "alice".into();
        let line = format!("countlines move 1 alice secret {point}");
        let letters = home.mail(&line, "", "postboard@localhost");
        assert!(!letters_to(&letters, "alice").contains("plan"));
        letters_to(&letters, "bob")
    };
    assert!(told(&mut home, "e5").contains("Your plan played d4. It goes on"));
    assert!(told(&mut home, "c3").contains("Your plan played c4. It has no more moves."));
    say(&mut home, "bob", "plan f1 f2");
    let left = told(&mut home, "f3");
    assert!(left.contains("Your plan has ended: it has no answer to f3 of alice."), "{left}");
}

/// A roll that leaves one move plays it, so a plan for another move ends. Its player did not choose it.
#[test]
fn a_forced_move_ends_a_plan_for_another_move() {
    let mut home = ScriptHome::new();
    perform(
        &mut home,
        "dice 21 66 31\n~ backgammon new bob -position=-CB--------------------bc-:0:0:1:00:0:0:0:0:10\n\
         ~ backgammon plan 1 alice secret 2-1 | 2-1\n",
    );
    home.sender = "bob".into();
    let letters = home.mail("backgammon move 1 bob secret 2-off,1-off", "", "postboard@localhost");
    let told = letters_to(&letters, "alice");
    assert!(
        told.contains("Your plan has ended: your last move was not the planned one."),
        "{told}"
    );
    let board = home.board(BoardId { game: "backgammon", number: 1 });
    assert_eq!(board.plans, [None, None]);
}

#[test]
fn an_answer_takes_no_time_of_its_player() {
    let mut home = ScriptHome::new();
    perform(
        &mut home,
        "at 2004-08-20\n~ countlines challenge alice bob -mode=2\nas bob\n\
         ~ countlines plan 1 bob secret e5 d4 c3 c4\nas alice\nat 2004-08-25\n\
         ~ countlines move 1 alice secret e5\nat 2004-08-27\n~ countlines move 1 alice secret c3\n",
    );
    let board = home.board(BOARD);
    let [e5, d4, c3, c4] = [0, 1, 2, 3].map(|index: usize| board.record[index].at);
    assert_eq!((e5, c3), (d4, c4));
    let shown = home.say("bob", "countlines show 1");
    assert!(shown.contains("alice 7 days, bob 0 hours"), "{shown}");
}

#[test]
fn conditional_moves_of_old_documents_are_plans() {
    let home = home();
    let text = home.board(BOARD).write();
    let old = |fields: &str| {
        let text = text.replacen("\"started\"", &format!("{fields},\"started\""), 1);
        Board::read(&text).unwrap()
    };
    let board = old(r#""queued":[{"move":"a1"},{"move":"d4"}],"dropped":[null,"e4"]"#);
    // Alice is to move, so hers is due now; bob's answers her move.
    let steps = |seat: usize| {
        let plan = board.plans[seat].as_ref().unwrap();
        (plan.from, plan.moves.iter().map(|planned| planned.step.clone()).collect::<Vec<_>>())
    };
    assert_eq!(steps(0), (1, vec![PlannedStep::Unread("a1".into())]));
    assert_eq!(steps(1), (1, vec![PlannedStep::Any, PlannedStep::Unread("d4".into())]));
    let note = board.plan_notes[1].clone().unwrap();
    assert_eq!(note.end, Some(PlanEnd::Unplayed("e4".into())));
    let numbered = old(r#""queued":[null,{"move":"d4","moveno":6}]"#);
    assert_eq!(numbered.plans[1].as_ref().unwrap().from, 6);
    for board in [board, numbered] {
        let written = board.write();
        assert!(!written.contains("queued") && !written.contains("dropped"), "{written}");
        assert_eq!(Board::read(&written).unwrap().plans, board.plans);
    }
    let damaged = text.replacen(
        "\"started\"",
        r#""plans":[null,{"from":1,"moves":[{"after":3,"move":"any"}]}],"started""#,
        1,
    );
    Board::read(&damaged).unwrap_err();
}

#[test]
fn a_plan_reads_back_from_its_own_words() {
    let mut home = home();
    for lines in [
        "e5 d4 (c3 c4; c2 c1) d9 d8; any e5",
        "any a1 any a2",
        "if e5 then d4, if c3 then c4 or if c2 then c1",
        "e5 (d4 c3 c4)",
    ] {
        say(&mut home, "bob", &format!("plan {lines}"));
        let plan = home.board(BOARD).plans[1].clone().unwrap();
        let shown = say(&mut home, "bob", "plan");
        // With the numbers of the lines, as somebody copies them.
        let is_line = |line: &&str| line.trim().starts_with(|first: char| first.is_ascii_digit());
        let plan_part = shown.split("Your moves are").next().unwrap();
        let written: Vec<&str> = plan_part.lines().filter(is_line).collect();
        say(&mut home, "bob", "plan withdraw");
        say(&mut home, "bob", &format!("plan {}", written.join("; ")));
        let again = home.board(BOARD).plans[1].clone().unwrap();
        let sorted = |plan: &postboard::model::board::Plan| plan.lines().len();
        assert_eq!((again.from, sorted(&again)), (plan.from, sorted(&plan)), "{lines}");
        assert_eq!(say(&mut home, "bob", "plan"), shown, "{lines}");
    }
}

#[test]
fn no_plan_is_too_long_to_be_kept() {
    let mut home = home();
    let told = say(&mut home, "bob", &format!("plan {}", "e5 d4 ".repeat(700)));
    assert!(told.contains("at most 4000 letters"), "{told}");
    let told = say(&mut home, "bob", &format!("plan {}", "any a1 ".repeat(101)));
    assert!(told.contains("at most 200 moves"), "{told}");
    let told = say(&mut home, "bob", &format!("plan e5 d4{}", " (any c4".repeat(21)));
    assert!(told.contains("brackets"), "{told}");
    assert_eq!(home.board(BOARD).plans, [None, None]);
}

/// The random choices of a game.
struct Choice(u64);

impl Choice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }
}

/// Returns the words of a random turn.
fn random_turn(board: &Board, chance: &mut Choice) -> String {
    let mut position = board.position().copy();
    let Next::Move(seat) = position.next() else { panic!("nobody is to move: {position:?}") };
    let mut words = Vec::new();
    let most = if position.manner().has_multi_move_turns { 1 + chance.below(3) } else { 1 };
    while words.len() < most && position.next().asks(seat) {
        let moves = position.moves();
        // The server makes an only move.
        if moves.len() == 1 && !words.is_empty() {
            break;
        }
        words.push(moves[chance.below(moves.len())].clone());
        position.play(&words[words.len() - 1]).unwrap();
    }
    words.join(",")
}

/// Returns the entries of a record.
fn entries(board: &Board) -> Vec<Entry> {
    board.record.iter().map(|line| line.entry.clone()).collect()
}

/// The most turns of a game that are played by hand.
const MOST_TURNS: usize = 90;

/// Plays a random game by hand, and again with plans made of its own moves.
fn play_twice(game: &'static str, options: &str, seed: u64) {
    let id = BoardId { game, number: 1 };
    let begin = || {
        let mut home = ScriptHome::new();
        home.say("alice", &format!("{game} challenge alice bob {options}"));
        home
    };
    let (mut by_hand, mut chance) = (begin(), Choice(seed));
    let mut turns: Vec<String> = Vec::new();
    while turns.len() < MOST_TURNS && !by_hand.board(id).is_over() {
        let board = by_hand.board(id);
        let Next::Move(seat) = board.position().next() else { panic!("{board:?}") };
        let words = random_turn(&board, &mut chance);
        let user = board.player(seat).to_string();
        let told = by_hand.say(&user, &format!("{game} move 1 {user} secret {words}"));
        assert!(!told.contains("Not done"), "{told}");
        turns.push(words);
    }
    let mut planned = begin();
    assert!(planned.board(id).can_branch(), "{game}");
    let mut left = &turns[..];
    while !left.is_empty() && !planned.board(id).is_over() {
        let board = planned.board(id);
        let Next::Move(seat) = board.position().next() else { panic!("{board:?}") };
        let part = &left[..left.len().min(40)];
        // A line ends with a move of its player.
        let (mine, theirs) =
            (board.player(seat).to_string(), board.player(seat.other()).to_string());
        for user in [&theirs, &mine] {
            let mut line = part;
            while !line.is_empty() {
                let words = line.join(" | ");
                let told = planned.say(user, &format!("{game} plan 1 {user} secret {words}"));
                let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
                if !told.contains("Not done") {
                    break;
                }
                assert!(told.contains("your answer is missing"), "{game} {options}: {told}");
                line = &line[..line.len() - 1];
            }
        }
        left = &left[part.len()..];
    }
    assert_eq!(entries(&planned.board(id)), entries(&by_hand.board(id)), "{game} {options}");
    let has_ended = by_hand.board(id).is_over();
    assert!(has_ended || turns.len() == MOST_TURNS, "{game} {options}");
    planned.check();
}

#[test]
fn a_plan_of_a_games_own_moves_plays_it_as_by_hand() {
    let mut played = 0;
    for game in GAMES {
        let board_can_branch = {
            let players =
                ["alice", "bob"].map(|name| postboard::base::ids::UserId::parse(name).unwrap());
            let start = postboard::base::time::Time::from_unix(0);
            Board::new(*game, 1, players, Choices::default(), start).can_branch()
        };
        if !board_can_branch {
            continue;
        }
        let modes = game.spec().options.iter().any(|option| option.name == "mode");
        for mode in 0..if modes { 3 } else { 1 } {
            let options = format!("-mode={mode}");
            let is_known = Choices::parse(
                game.spec().options,
                game.spec().exclusive,
                if modes { vec![options.as_str()] } else { Vec::new() },
            );
            if is_known.is_ok() {
                play_twice(game.spec().name, if modes { &options } else { "" }, 7 + mode);
                played += 1;
            }
        }
    }
    assert!(played >= 15, "only {played} games were played");
}
