//! Refusals: no verb trusts a stranger, changes a finished board or another player's board, or
//! changes anything when it refuses.

use crate::mail::help::says;
use crate::support::script::ScriptHome;
use postboard::command::VERBS;

/// For each verb with a password, a command by alice, about board 1 if the verb needs a board. Most
/// would be executed; the others are refused for other reasons.
pub(crate) const PROVED: &[&str] = &[
    "change password alice secret another-1",
    "change address alice secret alice@example.org",
    "message alice secret bob",
    "broadcast alice secret",
    "export alice secret",
    "signoff alice secret",
    "delete alice secret",
    "vacation alice secret 2004-09-01 2004-09-02",
    "timezone alice secret Berlin",
    "weekend alice secret Saturday",
    "night alice secret 22-7",
    "set alice secret broadcast off",
    "plakoto set alice secret flip",
    "malaka move 1 alice secret a1-a4",
    "malaka manual 1 alice secret",
    "backgammon roll 1 alice secret",
    "malaka showas alice secret 1",
    "malaka chat 1 alice secret",
    "malaka submit 1 alice secret a1-a4",
    "malaka confirm 1 alice secret",
    "malaka queue 1 alice secret a1-a4",
    "malaka plan 1 alice secret a1-a4",
    "malaka pass 1 alice secret",
    "malaka swap 1 alice secret",
    "malaka undo 1 alice secret",
    "malaka propose 1 alice secret",
    "malaka accept 1 alice secret",
    "malaka accept alice secret",
    "malaka reject 1 alice secret",
    "malaka reject alice secret",
    "malaka moretime 1 alice secret",
    "malaka resign 1 alice secret",
    "malaka decline 1 alice secret",
    "malaka subscribe 1 alice secret",
    "malaka unsubscribe 1 alice secret",
    "malaka limit alice secret 3",
    "malaka seek alice secret --min=1500",
    "malaka accept-seek 1 alice secret",
    "malaka notify alice secret on",
    "malaka tournament create alice secret",
    "malaka tournament join 1 alice secret",
    "malaka tournament leave 1 alice secret",
    "malaka tournament invite 1 bob alice secret",
    "malaka tournament challenge 1 bob alice secret",
    "malaka tournament extend 1 7 alice secret",
    "malaka tournament cancel 1 alice secret",
    "malaka ladder join alice secret",
    "malaka ladder leave alice secret",
    "malaka ladder challenge bob alice secret",
    "malaka newtoken 1 alice secret",
    "malaka note 1 alice secret I attack",
    "malaka rematch 1 alice secret",
    "next alice secret",
    "settings alice secret",
    "mute alice secret bob",
    "malaka mute 1 alice secret",
    "unmute alice secret bob",
    "report alice secret bob",
    "malaka report 1 alice secret",
    "malaka unmute 1 alice secret",
    "block alice secret bob",
    "malaka block 1 alice secret",
    "unblock alice secret bob",
    "malaka unblock 1 alice secret",
    "favourite alice secret bob",
    "malaka favourite 1 alice secret",
    "unfavourite alice secret bob",
    "malaka unfavourite 1 alice secret",
    "profile alice secret country Norway",
    "players malaka alice secret",
];

/// A command of each verb without a password.
pub(crate) const OPEN: &[&str] = &[
    "help malaka",
    "malaka help",
    "signup dave password",
    "confirm-address alice-a4dqobyha4dqobyh",
    "forgot alice",
    "list malaka",
    "players",
    "players malaka",
    "profile alice",
    "all show alice next",
    "malaka challenge alice bob -d6 --nagtime=3",
    "malaka show 1",
    "malaka show alice next",
    "malaka analyse 2",
    "malaka proof 2",
    "malaka moves 1",
    "malaka preview 1 a1-a4",
    "malaka preview new 3 a1-a4",
    "malaka games alice active",
    "malaka history alice",
    "malaka standings",
    "tournament list",
    "malaka tournament show 1",
    "ladder list",
    "malaka ladder show",
    "malaka ladder show bob",
];

/// Makes a home where alice plays Malaka 1 and Backgammon 1 with bob; Malaka 2 is over.
fn stage() -> ScriptHome {
    let mut stage = ScriptHome::new();
    stage.dice("3 4 12 41");
    stage.say("alice", "malaka challenge alice bob");
    stage.say("alice", "malaka challenge alice bob");
    stage.say("alice", "malaka move 2 alice secret a1-a4");
    stage.say("bob", "malaka resign 2 bob secret");
    stage.say("alice", "backgammon challenge alice bob");
    stage
}

/// Executes a command, which must be refused and change nothing, and returns the answer.
fn refused(stage: &mut ScriptHome, line: &str) -> String {
    let before = stage.documents();
    let answer = stage.say("alice", line);
    let short: String = line.chars().take(80).collect();
    assert!(answer.contains("Not done: "), "{short}: {answer}");
    assert!(answer.contains("Nothing has changed."), "{short}: {answer}");
    assert!(answer.len() < 4_000, "{short}: {} letters", answer.len());
    assert_eq!(stage.documents(), before, "{short}");
    answer
}

#[test]
fn every_verb_is_asked() {
    for verb in VERBS {
        let asked = PROVED.iter().chain(OPEN).any(|line| says(line, verb.name));
        assert!(asked, "nothing is asked of `{}`", verb.name);
    }
}

#[test]
fn strangers_and_wrong_passwords_get_one_answer() {
    let mut stage = stage();
    for line in PROVED {
        let wrong = refused(&mut stage, &line.replace("secret", "wrong-1"));
        assert!(wrong.contains("wrong userid or password"), "{line}: {wrong}");
        let stranger = refused(&mut stage, &line.replace("alice secret", "nobody secret"));
        assert_eq!(wrong, stranger, "{line}");
    }
}

#[test]
fn capitals_do_not_make_another_user() {
    for line in PROVED {
        let answers = [line.to_string(), line.replacen("alice", "aLiCe", 1).to_uppercase()]
            .map(|line| stage().say("alice", &line.replace("SECRET", "secret")));
        let [small, capital] = answers.map(|answer| answer.to_lowercase());
        // Answers quote the words of the command as they were written, so lower case is compared.
        assert_eq!(small, capital, "{line}");
    }
}

#[test]
fn boards_of_others_boards_that_are_over_and_boards_there_are_not_are_left_alone() {
    let mut stage = stage();
    let is_of_a_board = |line: &&&str| {
        line.starts_with("malaka") && line.contains(" 1 ") && !line.contains("seek")
            // The number of a tournament.
            && !line.contains("tournament")
    };
    for line in PROVED.iter().filter(is_of_a_board) {
        let none = refused(&mut stage, &line.replace(" 1 ", " 99 "));
        assert!(none.contains("there is no Malaka board 99"), "{line}: {none}");
        // A user who does not play on a board may watch it.
        if !line.contains("subscribe") {
            let other = refused(&mut stage, &line.replace("alice", "carol"));
            assert!(other.contains("carol does not play on Malaka board 1"), "{line}: {other}");
        }
        // On a finished board, players may still chat, report and ask for a rematch.
        if ![
            "subscribe",
            "chat",
            "newtoken",
            "note",
            "mute",
            "block",
            "favourite",
            "report",
            "rematch",
        ]
        .iter()
        .any(|word| line.contains(word))
        {
            let over = refused(&mut stage, &line.replace(" 1 ", " 2 "));
            assert!(over.contains("Malaka board 2 is over"), "{line}: {over}");
        }
    }
}

#[test]
fn another_move_than_the_next_is_none() {
    let mut stage = stage();
    let words = ["move", "confirm", "pass", "swap", "undo", "propose", "accept", "reject"];
    for word in words {
        let line = PROVED.iter().find(|line| line.starts_with(&format!("malaka {word} 1 ")));
        let line = line.unwrap().replace(" 1 ", " 1#7 ");
        let stale = refused(&mut stage, &line);
        assert!(stale.contains("for move 7, but the next move"), "{line}: {stale}");
    }
}

#[test]
fn a_word_of_ten_thousand_letters_is_refused() {
    let long = "x".repeat(10_000);
    let mut stage = stage();
    for line in PROVED.iter().chain(OPEN) {
        let words: Vec<&str> = line.split(' ').collect();
        for at in 0..=words.len() {
            let mut longer = words.clone();
            match longer.get_mut(at) {
                Some(word) => *word = &long,
                None => longer.push(&long),
            }
            let before = stage.documents();
            let answer = stage.say("alice", &longer.join(" "));
            let place = format!("{line}, word {}", at + 1);
            // Words to the opponent may be long.
            let is_said = line.contains("chat") && at == words.len();
            assert!(is_said || !answer.contains(&long[..200]), "{place}: {answer}");
            assert!(!line.contains("secret") || !answer.contains("secret"), "{place}: {answer}");
            // A chat changes the count of messages.
            assert!(is_said || stage.documents() == before, "{place}: {answer}");
        }
    }
}

#[test]
fn options_are_said_once_and_do_not_contradict() {
    let mut stage = stage();
    for options in [
        "-d4 -d4",
        "-d4 -d6",
        "-large -large",
        "--nagtime=3 --nagtime=4",
        "--nagtime=3 --nagtime=3",
        "--unrated --unrated",
        "--private --private",
        "--nagtime=-1",
        "--nagtime=99999999999999999999",
        "--totaltime=0",
        "--nagtime=9 --forfeittime=3",
        "--nagtime=21",
        "-d4=3",
        "-large=yes",
        "--nagtime",
        "--unknown",
        "-unknown",
        "-",
        "--",
        "-match=3",
    ] {
        refused(&mut stage, &format!("malaka challenge alice bob {options}"));
    }
    for line in ["malaka games alice often", "malaka show alice often", "all show alice often"] {
        refused(&mut stage, line);
    }
}
