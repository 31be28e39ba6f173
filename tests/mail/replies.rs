//! Every mail of the server can be answered by Reply.

use crate::support::home::Town;
use crate::support::letters::{header, read};
use postboard::base::ids::{BoardId, TournamentId};
use postboard::model::tournament::tournament_key;
use postboard::store::Letter;

/// Returns the letter to a user whose Subject has this beginning.
fn to<'a>(letters: &'a [Letter], user: &str, subject: &str) -> &'a Letter {
    let address = format!("{user}@example.org");
    let all: Vec<String> =
        letters.iter().map(|one| format!("{}: {}", one.to, read(one).0)).collect();
    let fits = |one: &&Letter| one.to.as_str() == address && read(one).0.starts_with(subject);
    letters.iter().find(fits).unwrap_or_else(|| panic!("no {subject} to {user}: {all:#?}"))
}

/// Replies to a letter as a mail program does: with `Re:` before its Subject and its text quoted
/// below.
fn reply(home: &mut Town, letter: &Letter, marks: &str, text: &str) -> Vec<Letter> {
    let own = home.address();
    let (subject, quoted) = read(letter);
    let to = header(letter, "Reply-To").unwrap_or(own);
    let quoted: Vec<String> = quoted.lines().map(|line| format!("> {line}")).collect();
    let text = format!("{text}\n\nOn Friday Postboard wrote:\n{}", quoted.join("\n"));
    let more = format!("In-Reply-To: <earlier@x.example>\n{marks}");
    home.send(letter.to.as_str(), &to, &format!("Re: {subject}"), &more, &text)
}

#[test]
fn a_reply_to_a_mail_about_no_board_is_a_command() {
    for plus in [true, false] {
        let mut home = Town::new("h.example", plus);
        let mails = [
            ("help", "Help"),
            ("list", "Games"),
            ("players", "Players"),
            ("profile bob", "Player bob"),
            ("settings alice secret", "Your settings"),
            ("malaka standings", "Malaka standings"),
            ("all show alice", "0 boards"),
            ("signup alice secret", ""),
        ];
        for (asked, subject) in mails {
            let letters = home.say("alice", asked);
            let letter = to(&letters, "alice", subject).clone();
            let answers = reply(&mut home, &letter, "", "malaka standings");
            assert_ne!(answers, [], "{asked}: {:#?}", home.log);
            to(&answers, "alice", "Malaka standings");
            let answers = reply(&mut home, &letter, "", "set alice secret html off\n\nThanks!");
            to(&answers, "alice", "Settings");
        }
    }
}

#[test]
fn the_first_line_of_another_mail_is_no_command() {
    let mut home = Town::new("h.example", true);
    let own = home.address();
    // This mail is no reply to a letter of the server.
    let answers = home.send("alice@example.org", &own, "a question", "", "malaka standings");
    assert!(!read(&answers[0]).0.contains("standings"));
    // A Subject that proves its sender counts.
    let more = "In-Reply-To: <earlier@x.example>\n";
    let answers =
        home.send("alice@example.org", &own, "Re: set alice secret html off", more, "list\n");
    to(&answers, "alice", "Settings");
}

#[test]
fn a_reply_to_words_goes_back_to_their_writer() {
    for plus in [true, false] {
        let mut home = Town::new("h.example", plus);
        let own = home.address();
        let sent =
            home.send("bob@example.org", &own, "message bob secret alice", "", "Shall we play?");
        let letter = to(&sent, "alice", "bob writes").clone();
        let answers = reply(&mut home, &letter, "", "Yes, tomorrow.\n\nalice@example.org");
        let (subject, text) = read(to(&answers, "bob", "alice writes"));
        assert_eq!(subject.split(" [#").next(), Some("alice writes"));
        assert!(text.contains("> Yes, tomorrow."), "{text}");
        assert!(!text.contains("alice@example.org") && !text.contains("Shall we play"), "{text}");
        to(&answers, "alice", "Your message");
        // Bob's answer to alice's reply reaches alice.
        let letter = to(&answers, "bob", "alice writes").clone();
        let answers = reply(&mut home, &letter, "", "Good.");
        assert!(read(to(&answers, "alice", "bob writes")).1.contains("> Good."));
        // A command in a reply is executed.
        let answers = reply(&mut home, &letter, "", "malaka standings");
        to(&answers, "bob", "Malaka standings");
    }
}

#[test]
fn a_program_s_note_is_no_answer_to_words() {
    let mut home = Town::new("h.example", true);
    let own = home.address();
    let sent = home.send("bob@example.org", &own, "message bob secret alice", "", "Shall we play?");
    let letter = to(&sent, "alice", "bob writes").clone();
    let marks = "Auto-Submitted: auto-replied\n";
    assert_eq!(reply(&mut home, &letter, marks, "I am away."), []);
    // A mail to a forged reply address reaches nobody.
    let tag = header(&letter, "Reply-To").unwrap();
    let other = tag.replace("w5-alicebob", "w3-bobalice");
    assert_ne!(tag, other);
    let answers = home.send("alice@example.org", &other, "Re: bob writes", "", "Ha!");
    assert!(answers.iter().all(|one| !read(one).1.contains("> Ha!")));
}

#[test]
fn the_answer_to_show_is_a_board_mail() {
    let mut home = Town::new("h.example", true);
    home.say("alice", "reversi challenge alice bob");
    let letters = home.say("alice", "reversi show 1");
    let letter = to(&letters, "alice", "").clone();
    assert!(header(&letter, "Reply-To").is_some_and(|to| to.contains("+breversi1")));
    assert_eq!(letters.len(), 1);
    let answers = reply(&mut home, &letter, "", "f5");
    to(&answers, "bob", "Your turn: Reversi 1");
    // Another user sees the board, and cannot answer it.
    let letters = home.say("carol", "reversi show 1");
    assert_eq!(header(to(&letters, "carol", ""), "Reply-To"), None);
}

#[test]
fn registered_players_are_not_told_to_sign_up() {
    let mut home = Town::new("h.example", true);
    let letters = home.say("alice", "reversi challenge alice bob");
    let letter = to(&letters, "alice", "New game").clone();
    // A mail program that drops the part after the plus.
    let own = home.address();
    let more = "In-Reply-To: <earlier@x.example>\n";
    let subject = format!("Re: {}", read(&letter).0);
    let answers = home.send("alice@example.org", &own, &subject, more, "f5");
    let text = read(to(&answers, "alice", "")).1;
    assert!(text.contains("reply address") && text.contains("reversi move 1 alice"), "{text}");
    for (subject, text) in [("hello", "what can I do"), ("Re: Your settings", "how do I move?")] {
        let answers = home.send("alice@example.org", &own, subject, "", text);
        let answer = read(to(&answers, "alice", "")).1;
        assert!(!answer.contains("Sign up"), "{answer}");
        let answers = home.send("dora@example.org", &own, subject, "", text);
        let answer = read(to(&answers, "dora", "")).1;
        assert!(answer.contains("Sign up"), "{answer}");
    }
}

#[test]
fn mails_about_a_tournament_are_answered_by_its_verbs() {
    for plus in [true, false] {
        let mut home = Town::new("h.example", plus).without_limits();
        let created = home.say("alice", "malaka tournament create alice secret --players=4");
        let letter = to(&created, "alice", "Malaka tournament 1").clone();
        let stage = |home: &Town| {
            let key = tournament_key(TournamentId { game: "malaka", number: 1 });
            home.text(&key).matches("\"bob\"").count()
        };
        let answers = reply(&mut home, &letter, "", "join");
        assert!(read(to(&answers, "alice", "Malaka tournament 1")).1.contains("You have entered"));
        let shown = home.say("bob", "malaka tournament join 1 bob secret");
        let letter = to(&shown, "bob", "Malaka tournament 1").clone();
        assert_eq!(stage(&home), 1);
        // The address of the mail means its reader, whatever userid is written behind the verb.
        let answers = reply(&mut home, &letter, "", "leave alice");
        assert!(read(to(&answers, "bob", "")).1.contains("does not belong"), "{answers:?}");
        let answers = reply(&mut home, &letter, "", "Show");
        assert!(read(to(&answers, "bob", "Malaka tournament 1")).1.contains("alice"));
        let answers = reply(&mut home, &letter, "", "cancel");
        assert!(read(to(&answers, "bob", "")).1.contains("alice"), "bob does not direct it");
        let answers = reply(&mut home, &letter, "", "tournament leave");
        assert!(read(to(&answers, "bob", "Malaka tournament 1")).1.contains("withdrawn"));
        assert_eq!(stage(&home), 0);
        let answers = reply(&mut home, &letter, "", "thanks a lot!");
        to(&answers, "bob", "");
    }
}

#[test]
fn the_mails_of_a_running_tournament_are_answered_by_reply() {
    let mut home = Town::new("h.example", true).without_limits();
    home.say("alice", "malaka tournament create alice secret --players=3 --least=3");
    for user in ["alice", "bob"] {
        home.say(user, &format!("malaka tournament join 1 {user} secret"));
    }
    let begun = home.say("carol", "malaka tournament join 1 carol secret");
    let letter = to(&begun, "bob", "Malaka tournament 1").clone();
    assert!(header(&letter, "Reply-To").unwrap().starts_with("post+tmalaka1-bob-"));
    let answers = reply(&mut home, &letter, "", "leave");
    assert!(read(to(&answers, "bob", "Malaka tournament 1")).1.contains("You have left"));
}

#[test]
fn an_observer_and_the_author_of_an_open_challenge_answer_by_reply() {
    let mut home = Town::new("h.example", true).without_limits();
    home.say("alice", "malaka challenge alice bob");
    home.say("carol", "malaka notify carol secret on");
    let watched = home.say("carol", "malaka subscribe 1 carol secret");
    let letter = watched.iter().find(|letter| letter.to.as_str() == "carol@example.org").unwrap();
    assert!(header(letter, "Reply-To").unwrap().starts_with("post+vmalaka1-carol-"));
    let answers = reply(&mut home, letter, "", "resign");
    assert!(!home.board(BoardId { game: "malaka", number: 1 }).is_over(), "{answers:?}");
    let answers = reply(&mut home, letter, "", "unsubscribe");
    assert!(read(to(&answers, "carol", "")).1.contains("no longer get the mails of this board"));
    let begun = home.say("alice", "malaka challenge alice bob");
    let notice = to(&begun, "carol", "A new board of Malaka, 2").clone();
    let answers = reply(&mut home, &notice, "", "notify off");
    assert!(read(to(&answers, "carol", "")).1.contains("no longer get mails about new boards"));
    let sought = home.say("alice", "malaka seek alice secret");
    let letter = to(&sought, "alice", "Malaka challenge 1").clone();
    let answers = reply(&mut home, &letter, "", "seek off");
    assert!(read(to(&answers, "alice", "Malaka challenge 1")).1.contains("no longer open"));
}

#[test]
fn a_reply_about_the_ladder_of_one_game_does_nothing_on_that_of_another() {
    let mut home = Town::new("h.example", true).without_limits();
    let joined = home.say("alice", "malaka ladder join alice secret");
    home.say("alice", "moloko ladder join alice secret");
    let letter = to(&joined, "alice", "Malaka ladder").clone();
    let own = header(&letter, "Reply-To").unwrap();
    let forged = own.replace("+lmalaka-", "+lmoloko-");
    assert_ne!(forged, own);
    let ladders = |home: &Town| {
        let alice = home.user("alice");
        ["malaka", "moloko"].map(|game| alice.ladders.contains_key(game))
    };
    for (address, text) in [
        (&forged, "leave"),
        (&forged, "ladder leave"),
        (&own, "moloko ladder leave"),
        (&own, "moloko ladder leave alice"),
    ] {
        home.send("alice@example.org", address, "Re: Malaka ladder", "", text);
        assert_eq!(ladders(&home), [true, true], "{text} to {address}");
    }
    home.send("alice@example.org", &own, "Re: Malaka ladder", "", "leave");
    assert_eq!(ladders(&home), [false, true]);
}
