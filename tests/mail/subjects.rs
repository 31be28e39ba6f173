//! The server's Subjects: short, and recognised however mail programs change them.

use crate::support::script::{ScriptHome, perform};
use postboard::reply::subject;

/// Returns the changes that mail programs make to a Subject in a reply: marks before it, and
/// truncation.
fn answered(subject: &str) -> Vec<String> {
    let marks = [
        "Re: ",
        "RE: ",
        "AW: ",
        "Antwort: ",
        "Sv: ",
        "Fwd: ",
        "TR: ",
        "Re: Re: ",
        "Re[2]: ",
        "[games] Re: ",
        "Odp: ",
        "RES: [EXT] ",
        "***SPAM*** Re: ",
        "R: ",
        "YNT: ",
    ];
    let mut made: Vec<String> = marks.iter().map(|mark| format!("{mark}{subject}")).collect();
    made.push(subject.to_owned());
    made.push(format!("Re: {subject} (fwd)"));
    made.push(format!("Re: {}", subject.to_uppercase()));
    // A program may truncate the Subject anywhere after the name of the board.
    let end = subject.find(" against").or(subject.find(" (")).unwrap_or(subject.len());
    made.extend((end..subject.len()).map(|at| format!("Re: {}", &subject[..at])));
    made
}

/// Returns every Subject about a board in a script with all kinds of Subjects.
fn written() -> Vec<String> {
    let script = include_str!("scripts/subjects.txt");
    let lines = script.lines().filter_map(|line| line.strip_prefix("Subject: "));
    lines.filter(|subject| *subject != "Not done").map(str::to_owned).collect()
}

#[test]
fn every_subject_is_known_again_in_an_answer() {
    let written = written();
    for begins in [
        "Your turn: ",
        "Waiting for ",
        "You won: ",
        "You lost: ",
        "Draw: ",
        "Closed: ",
        "New challenge: ",
        "New game, your turn: ",
        "Reminder, your turn: ",
        "Reminder, a draw is offered: ",
        "Reminder, bob doubles: ",
        "bob writes: ",
        "bob offers a draw: ",
        "alice asks for an undo: ",
        "bob doubles: ",
        "bob offers to resign a single game: ",
        "bob won: ",
        "Not done: ",
        "Not played yet: ",
    ] {
        assert!(written.iter().any(|subject| subject.starts_with(begins)), "no {begins:?}");
    }
    for subject in written {
        assert!(subject.len() <= 78, "{subject}");
        let board = subject::read(&subject).and_then(|ours| ours.board);
        assert!(board.is_some(), "{subject}");
        for answer in answered(&subject) {
            let read = subject::read(&answer);
            assert_eq!(read.and_then(|ours| ours.board), board, "{answer}");
        }
    }
}

#[test]
fn the_longest_names_fit_into_a_subject() {
    let long = ["a".repeat(32), "b".repeat(32)];
    let [one, other] = &long;
    let mut stage = ScriptHome::new();
    stage.dice("31 52");
    for user in &long {
        stage.say(user, &format!("signup {user} secret"));
    }
    stage.say(one, &format!("backgammon challenge {one} {other}"));
    let mut said = vec![
        format!("backgammon move 1 {one} secret 8-5,6-5"),
        format!("backgammon propose 1 {one} secret"),
        format!("backgammon reject 1 {one} secret"),
        format!("backgammon undo 1 {one} secret"),
        format!("backgammon resign 1 {one} secret backgammon"),
    ];
    for line in said.drain(..) {
        stage.say(one, &line);
    }
    stage.answer_as(other, "Re: Waiting", "chat\r\n\r\nWell played.");
    stage.dice("41");
    stage.say(one, &format!("backgammon challenge {one} {other}"));
    stage.dice("31 52 61");
    stage.say(one, &format!("backgammon challenge {one} {other}"));
    stage.say(one, &format!("backgammon move 3 {one} secret 8-5,6-5"));
    stage.say(other, &format!("backgammon move 3 {other} secret 13-8,13-11"));
    stage.say(one, &format!("backgammon resign 3 {one} secret gammon"));
    perform(&mut stage, "at 2004-08-27\nremind\n");
    let subjects = stage.subjects();
    assert!(subjects.iter().any(|subject| subject.contains("writes")), "{subjects:?}");
    assert!(subjects.iter().any(|subject| subject.contains("an undo")), "{subjects:?}");
    assert!(subjects.iter().any(|subject| subject.contains("to resign a")), "{subjects:?}");
    assert!(subjects.iter().any(|subject| subject.contains("Reminder")), "{subjects:?}");
    for subject in subjects.iter().filter(|subject| subject.contains("Backgammon")) {
        assert!(subject.len() <= 78, "{subject}");
        assert!(subject::read(subject).is_some_and(|ours| ours.board.is_some()), "{subject}");
    }
}

#[test]
fn an_answer_with_a_tag_is_read_whatever_its_subject_begins_with() {
    // The first word of a Subject may be a userid that is also a command.
    for subject in [
        "Re: carol writes: Malaka 1",
        "help writes: Malaka 1",
        "multiple writes: Malaka 1",
        "malaka writes: Malaka 1",
        "Re: Malaka Board 1 bob **",
        "Re: Your turn: Malaka 1 agai",
    ] {
        let mut stage = ScriptHome::new();
        stage.dice("3 12");
        stage.say("alice", "malaka challenge alice bob");
        let played = stage.answer_as("alice", subject, "a1-a4");
        assert!(played.contains("You played a1-a4 with a 3."), "{subject}: {played}");
    }
}

#[test]
fn an_answer_without_a_tag_is_told_how_to_answer() {
    let mut stage = ScriptHome::new();
    stage.dice("3");
    stage.say("alice", "malaka challenge alice bob");
    let said = stage.say("alice", "Re: Your turn: Malaka 1 against bob (move 1)");
    assert!(said.contains("did not go to the reply address"), "{said}");
    assert!(said.contains("\n  malaka move 1 alice <password> "), "{said}");
    // The answer to a user who does not play there does not name the players.
    let said = stage.say("carol", "Fwd: Your turn: Malaka 1 against bob (move 1)");
    assert!(said.contains("\n  malaka move 1 <userid> <password> "), "{said}");
    let said = stage.say("alice", "Re: Your turn: Mal");
    assert!(said.contains("choose\nReply there") || said.contains("choose Reply there"), "{said}");
}

#[test]
fn a_move_is_read_as_it_was_meant() {
    let said = |line: &str| {
        let mut stage = ScriptHome::new();
        stage.dice("3 12");
        stage.say("alice", "malaka challenge alice bob");
        stage.answer_as("alice", "Re: Your turn: Malaka 1", line)
    };
    for line in [
        "\u{FF41}\u{FF11}\u{FF0D}\u{FF41}\u{FF14}",
        "a1 \u{27A1}\u{FE0F} a4",
        "a1\u{E0} a4",
        "a1\u{200D}-a4",
        "a1-a4<http://a1-a4/>",
        "[a1-a4](http://a1-a4)",
        "a1-a4 J",
        "a1-a4 L\r\n\r\nHello",
        "Hello Bob\r\n\r\n\u{FF41}\u{FF11}\u{FF0D}\u{FF41}\u{FF14}",
    ] {
        let answer = said(line);
        assert!(answer.contains("You played a1-a4 with a 3."), "{line}: {answer}");
    }
    for (line, letter) in [
        ("\u{430}1-a4", "the \u{430} in `?1-a4` is a Cyrillic letter"),
        ("a1-\u{3B1}4", "the \u{3B1} in `a1-?4` is a Greek letter"),
    ] {
        let answer = said(line);
        let answer = answer.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(answer.contains(letter) && answer.contains("a1-a4"), "{line}: {answer}");
        assert!(!answer.contains("You played"), "{line}: {answer}");
    }
}
