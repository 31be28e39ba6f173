//! `List-Unsubscribe`: the address that turns reminders and broadcasts off, used by mail programs,
//! and by people who have no right to use it.

use crate::support::home::Town;
use crate::support::letters::{header, read, texts};
use postboard::base::time::DAY;
use postboard::model::user::{OptOut, Preferences};
use postboard::store::Letter;
use postboard::store::{Documents as _, Key};

/// Returns the address and the Subject in a mail's `List-Unsubscribe`.
fn button(letter: &Letter) -> Option<(String, String)> {
    let link = header(letter, "List-Unsubscribe")?;
    let link = link.strip_prefix("<mailto:").unwrap().strip_suffix('>').unwrap();
    let (to, subject) = link.split_once("?subject=").unwrap();
    Some((decoded(to), decoded(subject)))
}

fn decoded(text: &str) -> String {
    let (first, rest) = text.split_once('%').unwrap_or((text, ""));
    let codes = rest.split('%').filter(|code| !code.is_empty()).map(|code| {
        let (digits, more) = code.split_at(2);
        format!("{}{more}", char::from(u8::from_str_radix(digits, 16).unwrap()))
    });
    first.to_owned() + &codes.collect::<Vec<_>>().concat()
}

impl Town {
    /// Returns a reminder to alice, who has not moved, and a broadcast by bob.
    fn unasked(&mut self) -> [Letter; 2] {
        self.say("alice", "malaka challenge alice bob");
        self.now += 8 * DAY;
        let reminders = self.tick();
        assert_eq!(reminders.len(), 1);
        let mut letters = self.say("bob", "broadcast bob secret");
        letters.retain(|letter| letter.to.as_str() == "alice@example.org");
        [reminders[0].clone(), letters[0].clone()]
    }

    fn likes(&self) -> Preferences {
        self.user("alice").preferences
    }

    fn press(&mut self, from: &str, letter: &Letter, more: &str, text: &str) -> Vec<Letter> {
        let (to, subject) = button(letter).unwrap();
        self.send(from, &to, &subject, more, text)
    }
}

const ALICE: &str = "alice@example.org";

fn without_reminders() -> Preferences {
    let mut preferences = Preferences::default();
    preferences.choose(OptOut::Reminders.choice());
    preferences
}

#[test]
fn the_button_ends_reminders_and_broadcasts_and_a_setting_brings_them_back() {
    for plus in [true, false] {
        let mut home = Town::new("h.example", plus);
        let [reminder, broadcast] = home.unasked();
        let told = home.press(ALICE, &reminder, "", "");
        assert_eq!((told.len(), told[0].to.as_str()), (1, ALICE));
        let (subject, text) = read(&told[0]);
        assert_eq!(subject.split(" [#").next(), Some("Your settings"));
        let flat = text.replace('\n', " ");
        assert!(flat.contains("no reminders") && flat.contains("clocks keep running"), "{text}");
        assert!(text.contains("\n  set alice <password> reminders on\n"), "{text}");
        assert_eq!(home.likes(), without_reminders());
        home.now += DAY;
        assert_eq!(home.tick(), []);
        assert_eq!(home.logged("alice wants no reminder"), 1);
        home.say("alice", "set alice secret reminders on");
        home.now += DAY;
        assert_eq!(home.tick().len(), 1);
        // Without reminders, the clock still ends the game, and the server tells alice.
        home.press(ALICE, &reminder, "", "");
        let mut days = 0;
        let ended = loop {
            (home.now, days) = (home.now + DAY, days + 1);
            let letters = home.tick();
            if !letters.is_empty() {
                break letters;
            }
        };
        assert_eq!((days, ended.len()), (11, 2));

        let told = home.press(ALICE, &broadcast, "", "");
        assert!(read(&told[0]).1.contains("set alice <password> broadcast on"));
        assert!(!home.likes().wants(OptOut::Broadcasts));
        let letters = home.say("bob", "broadcast bob secret");
        assert!(texts(&letters, ALICE).is_empty() && !letters.is_empty());
        home.say("alice", "set alice secret broadcast on");
        home.now += DAY;
        assert_eq!(texts(&home.say("bob", "broadcast bob secret"), ALICE).len(), 1);
    }
}

#[test]
fn mails_that_nobody_asked_for_have_the_header() {
    let mut home = Town::new("h.example", true);
    let [reminder, broadcast] = home.unasked();
    assert_ne!(button(&reminder), button(&broadcast));
    assert!(header(&reminder, "Reply-To").unwrap().starts_with("post+bmalaka1"));
    let mut letters = home.say("alice", "help");
    letters.extend(home.say("alice", "malaka move 1 alice secret a1-a4"));
    letters.extend(home.say("bob", "message bob secret alice"));
    letters.extend(home.press(ALICE, &reminder, "", ""));
    assert!(letters.len() > 3);
    assert!(letters.iter().all(|letter| button(letter).is_none()));
    let news = home.say("bob", "malaka chat 1 bob secret");
    assert!(news.len() == 2 && news.iter().all(|letter| button(letter).is_some()));
    for letter in &news {
        assert!(button(letter) != button(&reminder) && button(letter) != button(&broadcast));
    }
}

#[test]
fn whatever_a_program_sends_there_is_enough() {
    let gmail = "This message was automatically generated by Gmail.";
    for (subject, more, text) in [
        ("", "", ""),
        ("unsubscribe", "Content-Type: text/html\n", "<html><body></body></html>"),
        ("unsubscribe", "", gmail),
        ("Unsubscribe", "In-Reply-To: <x@h.example>\n", "On Monday post@h.example wrote:\n> hello"),
        ("Re: Malaka Board 1 alice", "", "a1-a4"),
        ("malaka move 1 alice secret a1-a4", "", ""),
        ("multiple", "", "malaka move 1 alice secret a1-a4"),
        ("=?utf-8?B?QWJtZWxkZW4=?=", "", "-- \nalice"),
    ] {
        // The sender's address does not matter; only the recipient address matters.
        for from in [ALICE, "Alice <alice@new.example>"] {
            let mut home = Town::new("h.example", true);
            let [reminder, _] = home.unasked();
            let board = home.store.load(&Key::Board("malaka", 1)).unwrap();
            let (to, _) = button(&reminder).unwrap();
            let told = home.send(from, &to.to_uppercase(), subject, more, text);
            assert_eq!((told.len(), told[0].to.as_str()), (1, ALICE), "{subject}");
            assert_eq!(home.likes(), without_reminders());
            assert_eq!(home.store.load(&Key::Board("malaka", 1)).unwrap(), board, "no move");
            // A second press is not answered, because programs must not answer each other.
            assert_eq!(home.send(from, &to, subject, more, text), [], "{subject}");
        }
    }
}

#[test]
fn a_program_that_says_so_is_obeyed_and_not_answered() {
    for more in [
        "Auto-Submitted: auto-generated\n",
        "Precedence: bulk\n",
        "Return-Path: <>\n",
        "List-Unsubscribe-Post: List-Unsubscribe=One-Click\n",
    ] {
        let mut home = Town::new("h.example", true);
        let [_, broadcast] = home.unasked();
        assert_eq!(home.press(ALICE, &broadcast, more, ""), [], "{more}");
        assert!(!home.likes().wants(OptOut::Broadcasts), "{more}");
    }
}

#[test]
fn without_the_address_nothing_is_turned_off() {
    for plus in [true, false] {
        let mut home = Town::new("h.example", plus);
        let [reminder, broadcast] = home.unasked();
        let (to, subject) = button(&reminder).unwrap();
        let own = home.setup.identity.address.to_string();
        let tag = if plus { &to } else { &subject };
        let start = tag.find("or-alice-").unwrap();
        let token = &tag[start + 9..start + 9 + 16];
        let flip = |at: usize| {
            let mut other = token.as_bytes().to_vec();
            other[at] = if other[at] == b'a' { b'b' } else { b'a' };
            String::from_utf8(other).unwrap()
        };
        let forged = |what: &str| tag.replace(&format!("or-alice-{token}"), what);
        let mut tags: Vec<String> =
            (0..16).map(|at| forged(&format!("or-alice-{}", flip(at)))).collect();
        tags.extend(
            ["ob-alice-", "or-bob-", "or-nobody-", "or-", "bmalaka1m1-"]
                .map(|it| forged(&format!("{it}{token}"))),
        );
        tags.push(forged(&format!("or-alice-{}", &token[1..])));
        if plus {
            // A tag outside its place has no effect.
            tags.push(own.clone());
        }
        for tag in tags {
            let (to, subject) = if plus { (&tag, &subject) } else { (&own, &tag) };
            let letters = home.send(ALICE, to, subject, "", "");
            assert!(letters.iter().all(|letter| letter.to.as_str() == ALICE));
            for user in ["alice", "bob"] {
                assert_eq!(home.user(user).preferences, Preferences::default(), "{tag}");
            }
        }
        // A board's reply address turns nothing off, and this mail makes no move.
        let reply = header(&reminder, "Reply-To").unwrap_or(own);
        let subject = read(&reminder).0;
        home.send(ALICE, &reply, &format!("unsubscribe {subject}"), "", "");
        assert_eq!(home.likes(), Preferences::default());
        home.now += DAY;
        // A new password invalidates the address, as it invalidates reply addresses; the next mail
        // has a new address.
        home.say("alice", "change password alice secret secret2");
        let letters = home.press(ALICE, &broadcast, "", "");
        let [text] = &texts(&letters, ALICE)[..] else { panic!("{letters:?}") };
        let refused = text.contains("no longer valid") && text.contains("broadcast off");
        assert!(refused && text.contains("reminders off"), "{text}");
        for answers in [1, 1, 0] {
            let letters = home.press(ALICE, &broadcast, "", "");
            assert_eq!(letters.len(), answers, "the same three times a day");
        }
        assert_eq!(home.likes(), Preferences::default());
        home.now += DAY;
        let again = home.tick().remove(0);
        assert_ne!(button(&again), button(&reminder));
        assert_eq!(home.press(ALICE, &again, "", "").len(), 1);
    }
}

#[test]
fn unsubscribing_after_leaving_is_refused_with_the_reason() {
    let mut home = Town::new("h.example", true);
    let [_, broadcast] = home.unasked();
    let letters = home.say("alice", "signoff alice secret");
    let texts_of = texts(&letters, ALICE).join("");
    let line = texts_of.lines().find(|line| line.starts_with("  signoff")).unwrap();
    home.say("alice", &line.trim().replace("<password>", "secret"));
    assert!(home.user("alice").left.is_some());
    let letters = home.press(ALICE, &broadcast, "", "");
    assert!(texts(&letters, ALICE)[0].contains("no longer valid"));
    assert!(home.likes().wants(OptOut::Broadcasts));
}

#[test]
fn the_button_of_a_mail_about_a_newcomer_ends_these_mails() {
    let mut home = Town::new("h.example", true);
    // An answer shows that our mails are read.
    let prove = |home: &mut Town, user: &str, subject: &str| {
        let letters = home.say(user, subject);
        let address = format!("{user}@example.org");
        let own = letters.iter().find(|letter| letter.to.as_str() == address).unwrap();
        let to = header(own, "Reply-To").unwrap();
        home.send(&address, &to, "Re: your turn", "", "show")
    };
    home.say("alice", "set alice secret welcome on");
    prove(&mut home, "alice", "malaka challenge alice bob");
    home.say("dora", "signup dora sesame");
    let letters = prove(&mut home, "dora", "reversi challenge dora board1");
    let told = letters.iter().find(|letter| letter.to.as_str() == ALICE).unwrap();
    assert!(read(told).1.contains("dora is new here"));
    assert!(home.likes().wants(OptOut::Newcomers));
    let answered = home.press(ALICE, told, "", "");
    assert!(read(&answered[0]).1.contains("\n  set alice <password> welcome on\n"));
    assert!(!home.likes().wants(OptOut::Newcomers));
    home.now += 2 * DAY;
    home.say("eve", "signup eve sesame");
    let letters = prove(&mut home, "eve", "reversi challenge eve board1");
    assert!(!letters.iter().any(|letter| letter.to.as_str() == ALICE));
    // A reply to the mail about a newcomer goes to the newcomer.
    let to = header(told, "Reply-To").unwrap();
    let letters = home.send(ALICE, &to, "Re: dora", "", "Welcome, dora!");
    assert!(letters.iter().any(|letter| {
        letter.to.as_str() == "dora@example.org" && read(letter).1.contains("Welcome, dora!")
    }));
}
