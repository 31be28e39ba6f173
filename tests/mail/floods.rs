//! Floods: the amount of mail that one person can cause to another, measured in letters and bytes
//! by real attacks on the whole server with the limits of a real home.

use crate::support::home::Town;
use crate::support::letters::{as_sent, read, reply_to, texts};
use postboard::base::time::{DAY, MINUTE};
use postboard::store::Letter;

const VICTIM: &str = "victim@elsewhere.example";
const BOB: &str = "bob@example.org";

/// Counts the letters to an address and their bytes.
fn weight(letters: &[Letter], to: &str) -> (usize, usize) {
    let own = letters.iter().filter(|letter| letter.to.as_str() == to);
    own.fold((0, 0), |(count, bytes), letter| (count + 1, bytes + as_sent(letter).len()))
}

/// Makes a home in which bob has a game with alice, a stranger to him.
fn game() -> Town {
    let mut home = Town::new("h.example", true);
    home.say("alice", "malaka challenge alice bob");
    home.now += DAY;
    home
}

/// Sends a mail with several commands in a user's name.
fn multiple(home: &mut Town, from: &str, lines: &str) -> Vec<Letter> {
    let own = home.address();
    home.send(from, &own, "multiple", "", lines)
}

/// Returns whether two mails still reach bob: a code that he requests, and a move on his board.
fn still_reached(home: &mut Town) -> bool {
    let word = texts(&home.say("bob", "forgot bob"), BOB);
    let word = word.iter().any(|text| text.contains("change password bob bob-"));
    let letters = home.say("alice", "malaka resign 1 alice secret");
    word && !texts(&letters, BOB).is_empty()
}

#[test]
fn two_hundred_and_fifty_chats_in_five_mails_are_one_letter() {
    let mut home = game();
    let lines = "malaka chat 1 alice secret hello\n".repeat(50);
    let letters: Vec<Letter> =
        (0..5).flat_map(|_| multiple(&mut home, "alice@example.org", &lines)).collect();
    let (count, bytes) = weight(&letters, BOB);
    eprintln!("250 chats, {} bytes: {count} letters to bob, {bytes} bytes", 5 * lines.len());
    let all: usize = letters.iter().map(|letter| as_sent(letter).len()).sum();
    eprintln!("  {} letters in all, {all} bytes", letters.len());
    assert!(still_reached(&mut home), "what is not chat is still sent");
    assert_eq!(count, 1, "twenty of them; the others were refused");
    assert!(bytes < 30_000 && all < 200_000, "{bytes} of {all}");
    // Her own board mail; for each mail, one refusal with a reply address, and one letter with the
    // other refusals.
    assert!(weight(&letters, "alice@example.org").0 <= 1 + 2 * 5);
}

#[test]
fn chats_one_by_one_end_after_twenty_and_the_sender_is_told() {
    let mut home = game();
    let mut letters = Vec::new();
    for number in 0..300 {
        letters.extend(home.say("alice", &format!("malaka chat 1 alice secret hello {number}")));
    }
    let (count, bytes) = weight(&letters, BOB);
    eprintln!("300 chats one by one: {count} letters to bob, {bytes} bytes");
    assert!(still_reached(&mut home));
    assert_eq!(count, 20);
    let told = texts(&letters, "alice@example.org");
    assert!(told.iter().any(|text| text.contains("sent bob 20 messages")), "{told:?}");
    // Carol can still write to bob, and alice can write again tomorrow.
    let own = home.address();
    let line = "message carol secret bob";
    assert_eq!(weight(&home.send("carol@example.org", &own, line, "", "hi"), BOB).0, 1);
    home.say("alice", "malaka challenge alice bob");
    let chat = "malaka chat 2 alice secret hello";
    assert_eq!(weight(&home.say("alice", chat), BOB).0, 0);
    home.now += DAY;
    assert_eq!(weight(&home.say("alice", chat), BOB).0, 1);
}

#[test]
fn offers_made_and_withdrawn_end_as_chats_do() {
    let mut home = game();
    home.say("alice", "moloko challenge alice bob");
    let mut letters = Vec::new();
    for _ in 0..150 {
        letters.extend(home.say("alice", "moloko propose 1 alice secret"));
        letters.extend(home.say("alice", "moloko reject 1 alice secret"));
    }
    let (count, bytes) = weight(&letters, BOB);
    eprintln!("150 offers, withdrawn: {count} letters to bob, {bytes} bytes");
    assert!(still_reached(&mut home));
    assert_eq!(count, 2 * 25, "each is told");
}

#[test]
fn forged_mails_bring_an_address_a_hundred_kilobytes_a_day() {
    for lines in [
        "help backgammon\n".repeat(50),
        "help commands\nhelp malaka\nhelp tutorial\nhelp\n".repeat(12),
        "malaka show all\nlist malaka\n".repeat(25),
    ] {
        let mut home = game();
        let (mut sent, mut letters) = (0, Vec::new());
        for number in 0..50 {
            let text = format!("help {number}\n{}", lines.split_at(lines.len() / 2).0);
            sent += text.len() + 200;
            letters.extend(multiple(&mut home, VICTIM, &text));
        }
        let (count, bytes) = weight(&letters, VICTIM);
        eprintln!("forged, {sent} bytes: {count} letters, {bytes} bytes");
        assert!((20_000..=110_000).contains(&bytes), "{bytes}");
        assert!(letters.iter().all(|letter| as_sent(letter).len() < 40_000));
        // The next day.
        home.now += DAY;
        let again = multiple(&mut home, VICTIM, &lines);
        let (count, bytes) = weight(&again, VICTIM);
        assert!(count == 1 && bytes > 3_000, "a day later it is answered again: {bytes} bytes");
    }
}

/// Subjects of delivery reports and vacation notes without a mark in their headers.
const AUTOMATIC: &[&str] = &[
    "Mail delivery failed: returning message to sender",
    "Undelivered Mail Returned to Sender",
    "Delivery Status Notification (Failure)",
    "AUTO: Bob Miller is out of the office (returning 03.09.2004)",
    "Automatic reply: Malaka Board 1 bob",
    "Out of Office: Malaka",
    "Out of Office Re: Welcome bob",
    "Abwesenheitsnotiz: Welcome bob",
    "R\u{e9}ponse automatique : Malaka",
    "Non remis\u{a0}: Malaka",
    "Message non remis",
    "failure notice",
    "Respuesta autom\u{e1}tica: Malaka",
    "Autosvar: Malaka",
    "Undeliverable: Malaka Board 1 bob",
];

#[test]
fn reports_and_vacation_notes_without_marks_are_not_answered() {
    let mut answered = Vec::new();
    for subject in AUTOMATIC {
        let mut home = game();
        let letters = home.say("bob", "malaka chat 1 bob secret");
        let reply_to = reply_to(&letters, BOB);
        let own = home.address();
        let text = "I am not here.\n\n> hello";
        for (from, to) in [("x@elsewhere.example", &own), (BOB, &own), (BOB, &reply_to)] {
            if !home.send(from, to, subject, "", text).is_empty() {
                answered.push(format!("{subject} to {to}"));
            }
        }
    }
    eprintln!("reports and notes answered: {} of {}", answered.len(), 3 * AUTOMATIC.len());
    assert_eq!(answered, Vec::<String>::new());
    // A command takes precedence over the rest of the mail.
    let mut home = game();
    assert_eq!(home.say("dora", "Out of Office").len(), 0);
    assert_eq!(home.say("dora", "list").len(), 1);
}

#[test]
fn a_reply_is_answered_after_many_mistakes() {
    let mut home = game();
    let letters = home.say("alice", "malaka chat 1 alice secret");
    let reply_to = reply_to(&letters, "alice@example.org");
    let say = |home: &mut Town, text: &str| {
        let letters = home.send("alice@example.org", &reply_to, "Re: x", "", text);
        texts(&letters, "alice@example.org").len()
    };
    let mistakes = [
        "hello there",
        "what do I do now",
        "I move from 13 to 7",
        "I move from 13 to 8",
        "my turn?",
        "left please",
        "what a roll",
        "go on then",
    ];
    let answered: usize = mistakes.iter().map(|text| say(&mut home, text)).sum();
    eprintln!("unreadable replies answered: {answered} of {}", mistakes.len());
    assert_eq!(answered, mistakes.len());
    // The same text twice.
    assert_eq!([say(&mut home, "hello there"), say(&mut home, "hello there")], [1, 0]);
    assert_eq!(say(&mut home, "the long one"), 1, "another one is the tenth");
    // `help` and other valid commands still work.
    for _ in 0..5 {
        assert_eq!(say(&mut home, "help"), 1, "{:?}", home.log);
    }
    assert_eq!(say(&mut home, "nothing of that kind"), 0, "ten of them a day on a board");
    assert_eq!(say(&mut home, "chat\nhello"), 1);
    assert_eq!(say(&mut home, "resign"), 1);
}

#[test]
fn a_stranger_is_introduced_three_times_a_week() {
    let mut home = Town::new("h.example", true);
    let own = home.address();
    let mut told = Vec::new();
    for subject in ["hello", "I want to play", "I want to play", "how does this work", "please!"] {
        let letters = home.send("x@elsewhere.example", &own, subject, "", "text");
        told.push(letters.len());
        for letter in &letters {
            let (_, text) = read(letter);
            for word in ["signup", "seek", "board1", "board4", "help", "list", "Backgammon"] {
                assert!(text.contains(word), "{word}: {text}");
            }
        }
    }
    eprintln!("a stranger's five mails answered: {told:?}");
    assert_eq!(told, [1, 1, 0, 1, 0]);
    home.now += 7 * DAY;
    assert_eq!(home.send("x@elsewhere.example", &own, "hello", "", "text").len(), 1);
}

#[test]
fn no_word_goes_to_an_address_that_no_person_reads() {
    let mut home = Town::new("h.example", true);
    let own = home.address();
    let mut sent = Vec::new();
    for (number, local) in [
        "noreply",
        "no-reply",
        "abuse",
        "postmaster",
        "mailer-daemon",
        "hostmaster",
        "chess-request",
    ]
    .iter()
    .enumerate()
    {
        let role = format!("{local}@elsewhere.example");
        let mut letters = home.send(&role, &own, "hello", "", "");
        letters.extend(home.send(&role, &own, &format!("signup r{number} secret"), "", ""));
        letters.extend(home.say("dora", &format!("signup s{number} secret {role}")));
        letters.extend(home.say("alice", &format!("change address alice secret {role}")));
        sent.push(weight(&letters, &role).0);
        home.now += DAY;
    }
    eprintln!("mails to roles: {sent:?}");
    assert_eq!(sent.iter().sum::<usize>(), 0);
    assert!(home.user("alice").codes.is_empty());
}

/// Sends 300 mails of each kind that anybody can send in alice's name.
#[test]
fn a_forger_uses_up_no_share_of_boards_and_messages() {
    let mut home = game();
    let mut letters = Vec::new();
    for number in 0..300 {
        for line in
            ["help malaka".to_owned(), format!("malaka show {number}"), format!("x{number}")]
        {
            letters.extend(home.say("bob", &line));
        }
        home.now += MINUTE;
    }
    let (count, bytes) = weight(&letters, BOB);
    eprintln!("900 mails in bob's name: {count} letters to bob, {bytes} bytes");
    assert!(count <= 70 && bytes <= 110_000, "{count} letters, {bytes} bytes");
    assert!(still_reached(&mut home));
}

#[test]
fn muted_players_are_not_heard_and_not_told() {
    let mut home = game();
    let own = home.address();
    let say = |home: &mut Town, user: &str, line: &str, text: &str| {
        home.send(&format!("{user}@example.org"), &own, line, "", text)
    };
    home.now += 7 * DAY;
    let words = [
        ("malaka chat 1 alice secret", 1),
        ("message alice secret bob carol", 1),
        ("broadcast alice secret", 1),
        ("malaka propose 1 alice secret", 0),
    ];
    let heard = |home: &mut Town, to: &str| -> Vec<usize> {
        home.now += DAY;
        let count = |(line, _): &(&str, usize)| {
            let letters = say(home, "alice", line, "you fool");
            // The sender always gets the same answer.
            assert!(weight(&letters, "alice@example.org").0 == 1, "{line}");
            texts(&letters, to).iter().filter(|text| text.contains("you fool")).count()
        };
        let heard = words.iter().map(count).collect();
        say(home, "alice", "malaka reject 1 alice secret", "");
        heard
    };
    let all: Vec<usize> = words.iter().map(|(_, heard)| *heard).collect();
    assert_eq!(heard(&mut home, BOB)[..3], all[..3]);
    say(&mut home, "bob", "mute bob secret alice", "");
    assert_eq!(heard(&mut home, BOB), [0; 4]);
    assert_eq!(home.logged("dropped: words of alice to bob, who mutes them"), 3);
    // Other users still receive alice's messages, and bob can still write to alice.
    assert_eq!(heard(&mut home, "carol@example.org")[1..3], [1, 1]);
    let letters = say(&mut home, "bob", "malaka chat 1 bob secret", "and you");
    assert!(texts(&letters, "alice@example.org").concat().contains("> and you"));
    // A mail about the board still comes, without her words and without the mark of a message.
    let letters = say(&mut home, "alice", "malaka resign 1 alice secret", "you fool");
    let bobs: Vec<_> =
        letters.iter().filter(|letter| letter.to.as_str() == BOB).map(read).collect();
    assert_eq!(bobs.len(), 1);
    assert!(!bobs[0].0.contains("**") && !bobs[0].1.contains("fool"), "{bobs:?}");
    say(&mut home, "bob", "unmute bob secret alice", "");
    let letters = say(&mut home, "alice", "malaka chat 1 alice secret", "you fool");
    assert_eq!(weight(&letters, BOB).0, 1);
}

#[test]
fn a_hundred_users_can_be_muted() {
    let mut home = Town::new("h.example", true);
    home.setup.config.limits.rate_limits = postboard::model::rate_limit::RateLimits::open();
    let own = home.address();
    for number in 0..=100 {
        let from = format!("u{number}@example.org");
        home.send(&from, &own, &format!("signup u{number} secret"), "", "");
        home.say("bob", &format!("mute bob secret u{number}"));
    }
    assert_eq!(home.user("bob").muted.len(), 100);
}

/// The user document of an older version, without muted users, can be read. A document without
/// muted users is still written in that format.
#[test]
fn users_of_earlier_programs_are_read() {
    let home = Town::new("h.example", true);
    let bob = home.user("bob");
    assert!(bob.muted.is_empty() && bob.spoken.is_empty());
    let text = bob.write();
    assert!(!text.contains("muted") && !text.contains("spoken"), "{text}");
}

/// The server answers a mail from a player's proven address, whether or not the mail holds a
/// command.
#[test]
fn a_player_is_answered_without_a_command() {
    let mistakes = ["13/8 6/5", "13/7 6/5", "your move", "what now", "I am lost", "no, I move"];
    for (proves, answered) in [(false, 3), (true, 6)] {
        let mut home = game();
        home.say(
            "bob",
            if proves { "set bob secret html off" } else { "set bob wrong-1 html off" },
        );
        let letters: Vec<Letter> = mistakes.iter().flat_map(|line| home.say("bob", line)).collect();
        assert_eq!(weight(&letters, BOB).0, answered, "{proves}");
    }
}
