//! Commands that trust a mail's From, if the operator names the mail server that checks senders
//! (RFC 8601), and commands that need no From.

use crate::support::home::Town;
use crate::support::letters::{header, read, texts};
use postboard::base::time::seconds;
use postboard::store::Letter;

const SERVER: &str = "mx.h.example";
const ALICE: &str = "alice@example.org";

/// Makes a home that trusts this mail server.
fn home() -> Town {
    let mut home = Town::new("h.example", true);
    home.setup.config.authserv_id = Some(SERVER.into());
    home
}

impl Town {
    /// Sends a mail in alice's name with these headers.
    fn with(&mut self, results: &str, subject: &str) -> Vec<Letter> {
        self.send(ALICE, "post@h.example", subject, results, "hello")
    }

    fn boards(&self) -> usize {
        self.user("alice").active.len()
    }
}

/// Header fields that authenticate a mail from alice.
const GOOD: [&str; 5] = [
    "Authentication-Results: mx.h.example; dmarc=pass header.from=example.org\n",
    "authentication-results: MX.H.EXAMPLE 1;\n\tspf=fail\n\t(dmarc=fail; a \\) b);\n DKIM = PASS\n header.d=Example.org\n",
    "Authentication-Results: mx.h.example; spf=pass smtp.mailfrom=alice@example.org\n",
    // Fields of other servers above and below our field do not count.
    "Authentication-Results: other.example; dmarc=fail\nAuthentication-Results: mx.h.example; dmarc=pass\n",
    "Authentication-Results: mx.h.example; dmarc=pass\nAuthentication-Results: mx.h.example; dmarc=fail\n",
];

/// Header fields that do not authenticate the mail.
const BAD: [&str; 8] = [
    "",
    "Authentication-Results: mx.h.example; none\n",
    "Authentication-Results: mx.h.example; dmarc=fail\n",
    "Authentication-Results: mx.evil.example; dmarc=pass\n",
    "Authentication-Results: mx.h.example.evil.example; dmarc=pass\n",
    // A forged field below the field of our mail server.
    "Authentication-Results: mx.h.example; dmarc=fail\nAuthentication-Results: mx.h.example; dmarc=pass\n",
    "Authentication-Results: mx.h.example; spf=pass smtp.mailfrom=bulk@evil.example; dkim=pass header.d=evil.example\n",
    "X-Authentication-Results: mx.h.example; dmarc=pass\n",
];

#[test]
fn a_challenge_needs_a_sender_that_is_vouched_for() {
    for results in GOOD {
        let mut home = home();
        home.with(results, "malaka challenge alice bob");
        assert_eq!(home.boards(), 1, "{results}");
        assert_eq!(home.logged("doubted"), 0);
    }
    for results in BAD {
        let mut home = home();
        let letters = home.with(results, "malaka challenge alice bob");
        assert_eq!((home.boards(), letters.len()), (0, 1), "{results}");
        let text = read(&letters[0]).1;
        assert!(text.contains("could not verify that your mail is from you"), "{text}");
        assert!(text.contains("\n  <game> seek <userid> <password>\n"), "{text}");
        assert_eq!(home.logged("alice@example.org, doubted: "), 1);
        // With a password or a reply address, the origin of a mail does not matter.
        assert_eq!(home.with(results, "malaka seek alice secret").len(), 1);
        let letters = home.send(
            "bob@example.org",
            "post@h.example",
            "malaka accept-seek 1 bob secret",
            results,
            "",
        );
        assert_eq!(home.boards(), 1, "{letters:?}");
        let position = home.store_text();
        // The dice allow one of these moves.
        for to in 2..=5 {
            home.with(results, &format!("malaka move 1 alice secret a1-a{to}"));
        }
        assert_ne!(home.store_text(), position, "{results}");
    }
}

/// The test mail of `setup` comes from the server's own address; a mail server vouches for no other one then.
#[test]
fn nobody_vouches_for_the_reply_address_of_a_mail_in_our_name() {
    let mut home = home();
    let spf =
        "Authentication-Results: mx.h.example; dmarc=none; spf=pass smtp.mailfrom=m@example.org\n";
    let headers = format!("Reply-To: {ALICE}\n{spf}");
    let letters =
        home.send("post@h.example", "post@h.example", "malaka challenge alice bob", &headers, "");
    assert_eq!((home.boards(), home.logged("alice@example.org, doubted: ")), (0, 1));
    assert!(texts(&letters, ALICE)[0].contains("could not verify that your mail is from you"));
    let letters = home.send("post@h.example", "post@h.example", "help", &headers, "");
    assert_eq!(texts(&letters, ALICE).len(), 1);
}

#[test]
fn by_default_nobody_is_asked() {
    for results in GOOD.iter().chain(&BAD) {
        let mut home = Town::new("h.example", true);
        assert_eq!(home.setup.config.authserv_id, None);
        home.with(results, "malaka challenge alice bob");
        assert_eq!((home.boards(), home.logged("doubted")), (1, 0), "{results}");
    }
}

#[test]
fn questions_from_a_doubted_address_are_answered_twice_a_day() {
    for (results, most) in [(GOOD[0], 12), (BAD[2], 2)] {
        let mut home = home();
        let asked =
            |number: usize| format!("help {}", ["malaka", "dice", "time", "commands"][number % 4]);
        let letters = (0..12).map(|number| home.with(results, &asked(number)).len());
        assert_eq!(letters.sum::<usize>(), most, "{results}");
        // Commands that need a password are answered as usual.
        assert_eq!(texts(&home.with(results, "set alice secret html off"), ALICE).len(), 1);
    }
}

#[test]
fn a_doubtful_address_is_used_when_it_is_confirmed() {
    let mut home = home();
    let new = |home: &mut Town, results: &str, user: &str| {
        let letters = home.send(
            "dora@new.example",
            "post@h.example",
            &format!("signup {user} secret1 dora@new.example"),
            results,
            "",
        );
        (home.user(user).addresses.len(), letters)
    };
    let good = "Authentication-Results: mx.h.example; dmarc=pass\n";
    assert_eq!(new(&mut home, good, "dora").0, 1);
    let (count, letters) = new(&mut home, BAD[2], "dana");
    assert_eq!(count, 0);
    let all = texts(&letters, "dora@new.example").join("");
    let word = all.lines().find(|line| line.starts_with("  confirm-address")).unwrap();
    home.send("dora@new.example", "post@h.example", word.trim(), BAD[2], "");
    assert_eq!(home.user("dana").addresses.len(), 1);
}

#[test]
fn a_private_board_is_not_shown_to_a_doubtful_sender() {
    let mut home = home();
    home.with(GOOD[0], "malaka challenge alice bob --private");
    let shows = |home: &mut Town, results: &str| {
        let letters = home.with(results, "malaka show 1");
        read(&letters[0]).1.contains("move 1")
    };
    assert!(shows(&mut home, GOOD[0]));
    assert!(!shows(&mut home, BAD[2]));
    assert!(read(&home.with(BAD[2], "malaka showas alice secret 1")[0]).1.contains("move 1"));
}

impl Town {
    fn store_text(&self) -> Option<String> {
        use postboard::store::{Documents as _, Key};
        self.store.load(&Key::Board("malaka", 1)).unwrap().text
    }
}

/// Values of From without an address to which the server sends mail.
const UNUSABLE: [&str; 9] = [
    "Alice <alice..0511.@docomo.example>",
    "\"alice..a\"@docomo.example",
    "\"alice x\"@h.example",
    "Alic\u{E9} <alic\u{E9}@b\u{FC}cher.example>",
    "\u{7528}\u{6237}@\u{4F8B}\u{5B50}.example",
    "alice@example.org, bob@example.org",
    "alice@example.org\nFrom: bob@example.org",
    "Alice",
    "",
];

/// Makes a home where alice has a 4 to play; also returns her reply address.
fn with_a_four() -> (Town, String) {
    for second in 0..40 {
        let mut home = Town::new("h.example", true);
        home.now += seconds(second);
        let letters = home.say("alice", "malaka challenge alice bob");
        let own = letters
            .iter()
            .find(|letter| letter.to.as_str() == ALICE && read(letter).1.contains("rolled a 4"));
        if let Some(tag) = own.and_then(|letter| header(letter, "Reply-To")) {
            return (home, tag);
        }
    }
    panic!("alice never begins with a 4");
}

#[test]
fn a_proven_mail_without_a_usable_from_is_carried_out_and_answered() {
    for from in UNUSABLE {
        let (mut home, reply) = with_a_four();
        let told = texts(&home.send(from, &reply, "Re: x", "", "a1-a9"), ALICE);
        assert!(told.len() == 1 && told[0].contains("Not done"), "{from}: {told:?}");
        let told = texts(&home.send(from, &reply, "Re: x", "", "a1-a5"), ALICE);
        assert!(told.len() == 1 && told[0].contains("You played a1-a5"), "{from}: {told:?}");
        let told = home.send(from, "post@h.example", "set alice secret html off", "", "");
        assert_eq!(texts(&told, ALICE).len(), 1, "{from}");
        assert_eq!(told.len(), 1, "{from}");
        assert_eq!(home.logged("is not kept"), 0, "{from}");
    }
}

#[test]
fn an_unproven_mail_without_a_usable_from_reaches_nobody() {
    for from in UNUSABLE {
        let mut home = Town::new("h.example", true);
        let boards = home.boards();
        for subject in [
            "malaka challenge alice bob",
            "signup dora secret1",
            "set alice wrong html off",
            "forgot nobody",
            "help",
            "hello",
        ] {
            assert_eq!(home.send(from, "post@h.example", subject, "", ""), [], "{from}: {subject}");
        }
        assert_eq!(home.boards(), boards);
        assert_eq!(home.logged("cannot be answered"), 6, "{from}");
        // A mail that names its user may come from a player, so it is kept for the operator.
        assert!(home.logged("it is not kept") < 6, "{from}");
    }
}

#[test]
fn passwords_are_not_guessed_without_a_usable_from() {
    let mut home = Town::new("h.example", true);
    for number in 0..200 {
        home.send(
            "x..y@h.example",
            "post@h.example",
            &format!("set alice w{number} html off"),
            "",
            "",
        );
    }
    assert_eq!(
        home.send("x..y@h.example", "post@h.example", "set alice secret html off", "", ""),
        []
    );
    assert_eq!(home.say("alice", "set alice secret html off").len(), 1, "her own address is free");
}
