//! Robots, bounces, rate limits and wrong passwords: the number of answers to each, over days.
//!
//! Every simulation has its control: without the rate limits, or without the marks in its mails,
//! the test must see the flood that the limit prevents.

use crate::support::home::Town;
use crate::support::letters::{header, read, reply_to, sent_text, texts, undrawn};
use postboard::base::time::{DAY, HOUR, MINUTE, Span, hours, seconds};
use postboard::command::VERBS;
use postboard::mail::{Address, NoReplyReason, parse};
use postboard::model::rate_limit::RateLimits;
use postboard::store::Letter;
use std::num::NonZeroU32;
use std::sync::LazyLock;

/// The number of rounds after which a loop counts as endless.
const ENOUGH: usize = 60;

/// A program that answers mails. In its texts `{}` is the Subject that it answers, `#` an
/// increasing number.
#[derive(Debug, serde::Deserialize)]
struct Robot {
    name: String,
    /// The headers that mark its mails as automatic, with the From and Return-Path of a daemon.
    marks: String,
    subject: String,
    text: String,
    /// Whether it quotes the mail that it answers.
    quotes: bool,
    /// Whether it writes to the reply address, not to the From.
    to_reply: bool,
}

static ROBOTS: LazyLock<Vec<Robot>> =
    LazyLock::new(|| serde_json::from_str(include_str!("rate_limits/robots.json")).unwrap());

impl Robot {
    fn answer(&self, home: &mut Town, letter: &Letter, marked: bool, number: usize) -> Vec<Letter> {
        let (subject, text) = read(letter);
        let own = home.address();
        let to = header(letter, "Reply-To").filter(|_| self.to_reply).unwrap_or(own);
        let number = number.to_string();
        let fill = |form: &str| form.replace("{}", &subject).replace('#', &number);
        let mut body = fill(&self.text);
        if self.quotes {
            let quote: Vec<String> = text.lines().map(|line| format!("> {line}")).collect();
            body = format!("{body}\n\n{}", quote.join("\n"));
        }
        let marks = if marked { &*self.marks } else { "" };
        home.send("alice@example.org", &to, &fill(&self.subject), marks, &body)
    }

    /// Counts the mails to alice that her robot's answers cause, for each of five days. Bob sends a
    /// message on the first day, or with `daily` on each day.
    fn answered(&self, home: &mut Town, marked: bool, daily: bool) -> Vec<usize> {
        home.say("alice", "malaka challenge alice bob");
        let mut number = 0;
        let mut days = Vec::new();
        for day in 0..5 {
            home.now += DAY;
            let mut waiting = Vec::new();
            if day == 0 || daily {
                waiting = home.say("bob", "malaka chat 1 bob secret");
            }
            let mut answers = 0;
            while let Some(letter) = waiting.pop().filter(|_| answers < ENOUGH) {
                if letter.to.as_str() == "alice@example.org" {
                    number += 1;
                    let caused = self.answer(home, &letter, marked, number);
                    // A message of the robot counts as alice's; another limit bounds the number of
                    // these messages to bob.
                    answers += caused.iter().filter(|one| one.to == letter.to).count();
                    waiting.extend(caused);
                }
            }
            days.push(answers);
        }
        days
    }
}

#[test]
fn no_robot_is_answered_more_than_twice() {
    assert!(ROBOTS.len() >= 14);
    for robot in &*ROBOTS {
        // A robot with a number sends a new text each time, as a person does. If it replies to a
        // board, it gets ten answers a day.
        let counts = robot.text.contains('#') && robot.to_reply;
        let unmarked = if counts { 10 } else { 2 };
        for plus in [true, false] {
            let days = robot.answered(&mut Town::new("h.example", plus), true, false);
            let most = if robot.marks.is_empty() { unmarked } else { 0 };
            assert!(days.iter().sum::<usize>() <= most, "{}: {days:?}", robot.name);
            let days = robot.answered(&mut Town::new("h.example", plus), true, true);
            assert!(days.iter().all(|day| *day <= most), "{} daily: {days:?}", robot.name);
            // The rate limits apply to answers without a mark, or with a mark that was lost on the
            // way.
            let days = robot.answered(&mut Town::new("h.example", plus), false, true);
            assert!(days.iter().all(|day| *day <= unmarked), "{} unmarked: {days:?}", robot.name);
        }
    }
}

#[test]
fn without_rate_limits_and_marks_every_robot_is_a_loop() {
    for robot in &*ROBOTS {
        for plus in [true, false] {
            let days =
                robot.answered(&mut Town::new("h.example", plus).without_limits(), false, false);
            assert!(days[0] >= ENOUGH, "{}: {days:?}", robot.name);
        }
    }
}

/// The words of a program may look like a move, a new move each time.
#[test]
fn a_robot_that_seems_to_move_is_answered_ten_times() {
    let [name, marks, subject, text] = ["moves", "", "Re: {}", "#?"].map(str::to_owned);
    let robot = Robot { name, marks, subject, text, quotes: true, to_reply: true };
    let days = robot.answered(&mut Town::new("h.example", true), false, true);
    // And ten answers to texts that cannot be read as a move.
    assert!(days.iter().all(|day| *day <= 20), "{days:?}");
    let days = robot.answered(&mut Town::new("h.example", true).without_limits(), false, true);
    assert!(days.iter().all(|day| *day >= ENOUGH), "{days:?}");
}

/// Lets two servers answer each other, with their marks removed by a gateway if `stripped`; counts
/// the mails of each server.
fn ping_pong(first: &mut Town, second: &mut Town, stripped: bool) -> [usize; 2] {
    let mut counts = [0, 0];
    let mut homes = [first, second];
    let addresses = homes.each_ref().map(|home| home.address());
    for round in 0..3 {
        for home in &mut homes {
            home.now += DAY;
        }
        // A forger sends a mail in the name of the second server.
        let mut waiting = vec![(0, format!("From: {}\nSubject: hi {round}\n\n", addresses[1]))];
        while let Some((to, raw)) = waiting.pop().filter(|_| counts[0] < ENOUGH) {
            let letters = homes[to].raw(&raw);
            for letter in letters.iter().filter(|letter| letter.to.as_str() == addresses[1 - to]) {
                counts[to] += 1;
                let path = letter.sender.as_ref().map(ToString::to_string).unwrap_or_default();
                let mut raw = sent_text(letter);
                if stripped {
                    let marked =
                        |line: &&str| line.starts_with("Auto-Sub") || line.starts_with("X-");
                    let lines: Vec<&str> = raw.lines().filter(|line| !marked(line)).collect();
                    raw = lines.join("\n");
                } else {
                    raw = format!("Return-Path: <{path}>\n{}", raw.replace("\r\n", "\n"));
                }
                waiting.push((1 - to, raw));
            }
        }
    }
    counts
}

#[test]
fn two_servers_do_not_talk_for_ever() {
    for plus in [[true, true], [true, false], [false, false]] {
        let homes = || {
            [("a.example", plus[0]), ("b.example", plus[1])]
                .map(|(name, plus)| Town::new(name, plus))
        };
        let [mut a, mut b] = homes();
        assert_eq!(ping_pong(&mut a, &mut b, false), [1, 0], "one introduction, and no answer");
        let [mut a, mut b] = homes();
        let counts = ping_pong(&mut a, &mut b, true);
        assert!(counts.iter().all(|count| *count <= 2), "{plus:?}: {counts:?}");
        let [mut a, mut b] = homes().map(Town::without_limits);
        assert!(ping_pong(&mut a, &mut b, true)[0] >= ENOUGH);
    }
}

#[test]
fn a_forger_does_not_silence_a_player() {
    let mut home = Town::new("h.example", true);
    home.say("alice", "malaka challenge alice bob");
    // All mails in alice's name, with everything that costs her answers: errors, pages, words.
    let mut got = 0;
    for number in 0..400 {
        for line in [
            format!("malaka nonsense{number}"),
            format!("malaka move 1 alice guess{number} a1-a4"),
            "help malaka".to_owned(),
            format!("malaka show {number}"),
            format!("xyzzy{number}"),
            "forgot alice".to_owned(),
            format!("Re: malaka nonsense{number}"),
        ] {
            got += texts(&home.say("alice", &line), "alice@example.org").len();
        }
        home.now += MINUTE;
    }
    assert!(got < 100, "{got} mails came to her");
    // She still gets news of her board, and the reason why a move of hers is wrong.
    let told = texts(&home.say("bob", "malaka chat 1 bob secret"), "alice@example.org");
    assert_eq!(told.len(), 1);
    let letters = home.say("bob", "malaka chat 1 bob secret");
    let reply_to = reply_to(&letters, "alice@example.org");
    let letters = home.send("alice@example.org", &reply_to, "Re: x", "", "z9-z8");
    let told = texts(&letters, "alice@example.org");
    assert!(told.len() == 1 && told[0].contains("Not done: "), "{told:?}");
}

const ALICE: &str = "alice@example.org";

#[test]
fn messages_of_others_use_half_of_a_days_mails_and_the_player_is_told() {
    for (rate_limits, most) in [(true, 101), (false, 260)] {
        let mut home = Town::new("h.example", true);
        home.setup.config.limits.rate_limits.words = usize::MAX;
        if !rate_limits {
            home.setup.config.limits.mails_a_day = NonZeroU32::MAX;
        }
        home.say("alice", "malaka challenge alice bob");
        home.now += DAY;
        let mut got = Vec::new();
        for number in 0..260 {
            home.now += seconds(i64::from(number % 2));
            got.extend(texts(&home.say("bob", "malaka chat 1 bob secret"), ALICE));
        }
        assert_eq!(got.len(), most);
        if rate_limits {
            assert!(
                got[100].starts_with("Today 100 mails that others caused have gone"),
                "{}",
                got[100]
            );
            let dropped = format!("dropped: a mail to {ALICE} about malaka 1: 100 mails of its");
            assert_eq!(home.logged(&dropped), 160, "each is logged");
        }
        home.now += DAY;
        let next = texts(&home.say("bob", "malaka chat 1 bob secret"), ALICE);
        assert!(next.len() == 1 && next[0].contains("write above this line"), "{next:?}");
    }
}

#[test]
fn boards_and_words_keep_a_share_of_their_own() {
    let mut home = Town::new("h.example", true);
    home.setup.config.limits.mails_a_day = NonZeroU32::new(20).unwrap();
    home.setup.config.limits.rate_limits.words = usize::MAX;
    home.say("alice", "malaka challenge alice bob");
    home.now += DAY;
    let mut got = |line: &str, by: &str, times: usize| -> Vec<String> {
        (0..times).flat_map(|_| texts(&home.say(by, line), ALICE)).collect()
    };
    assert_eq!(got("malaka chat 1 bob secret", "bob", 30).len(), 11);
    assert_eq!(got("help", "alice", 3).len(), 0, "anybody could have asked for that");
    // Answers to her password, and boards: eighteen of twenty in total.
    let own = got("set alice secret html off", "alice", 20);
    assert_eq!(own.len(), 8);
    assert!(own[7].starts_with("Today 18 mails have gone to this address."), "{}", own[7]);
    // One-time codes that were requested, up to the last mail of the day.
    let words = got("forgot alice", "bob", 3);
    assert_eq!(
        words.iter().filter(|text| text.contains("change password alice alice-")).count(),
        1
    );
    assert!(words.last().unwrap().starts_with("Today 20 mails have gone"), "{words:?}");
    assert_eq!(got("forgot alice", "bob", 9).len(), 0);
    home.now += DAY;
    assert_eq!(texts(&home.say("bob", "malaka chat 1 bob secret"), ALICE).len(), 1);
}

/// Writes a report of a failed delivery as Postfix does.
fn report(to: &str, letter: &Letter, action: &str, status: &str, number: usize) -> String {
    let head = sent_text(letter).replace("\r\n", "\n");
    let head = head.split_once("\n\n").unwrap().0;
    format!(
        "Return-Path: <>\nFrom: MAILER-DAEMON@mx.example\nTo: {to}\nSubject: Undelivered\n\
         Message-ID: <{number}@mx.example>\nContent-Type: multipart/report; boundary=b;\n \
         report-type=delivery-status\n\n--b\n\nsorry\n\n--b\nContent-Type: \
         message/delivery-status\n\nReporting-MTA: dns; mx.example\n\nFinal-Recipient: rfc822; \
         {}\nAction: {action}\nStatus: {status}\n\n--b\nContent-Type: text/rfc822-headers\n\n\
         {head}\n\n--b--\n",
        letter.to
    )
}

/// Bounces a mail to alice a number of times; returns whether she still gets mail.
fn comes_back(
    home: &mut Town,
    times: usize,
    every: Span,
    change: impl Fn(String) -> String,
) -> bool {
    for number in 0..times {
        let letters = home.say("bob", "malaka chat 1 bob secret");
        let letter = letters.iter().find(|letter| letter.to.as_str() == "alice@example.org");
        let Some(letter) = letter else { return false };
        let sender = letter.sender.clone().unwrap().to_string();
        home.now += every;
        home.mails += 1;
        let id = home.mails * 1000 + number;
        let raw = change(report(&sender, letter, "failed", "5.1.1", id));
        assert_eq!(home.raw(&raw), [], "nobody is answered");
    }
    let letters = home.say("bob", "malaka chat 1 bob secret");
    !texts(&letters, "alice@example.org").is_empty()
}

fn board(plus: bool) -> Town {
    let mut home = Town::new("h.example", plus);
    home.say("alice", "malaka challenge alice bob");
    home
}

#[test]
fn three_mails_that_come_back_in_a_week_stop_them() {
    for plus in [true, false] {
        let home = &mut board(plus);
        assert!(comes_back(home, 2, hours(2), |raw| raw));
        assert!(!comes_back(home, 1, hours(2), |raw| raw), "plus {plus}");
        assert_eq!(home.user("alice").stopped.len(), 1);
        assert_eq!(home.logged("to alice no mail is sent to one address"), 1);
        // The opponent plays on, and still gets mails.
        let letters = home.say("bob", "malaka chat 1 bob secret");
        assert_eq!(letters.len(), 1);
    }
}

/// A change of a report: its name, the time between two reports, and the function.
type Case = (&'static str, Span, fn(String) -> String);

#[test]
fn delayed_old_or_forged_reports_stop_no_mails() {
    let id =
        |raw: &str| raw.split("bounces+").nth(1).unwrap().split('@').next().unwrap().to_owned();
    let cases: &[Case] = &[
        ("delayed", hours(2), |raw| raw.replace("Action: failed", "Action: delayed")),
        ("for now", hours(2), |raw| raw.replace("Status: 5.1.1", "Status: 4.4.1")),
        ("no report", hours(2), |raw| raw.replace("multipart/report", "multipart/mixed")),
        ("one outage", Span::ZERO, |raw| raw),
        ("over weeks", hours(100), |raw| raw),
        ("another's", hours(2), |raw| raw.replace("bounces+alice", "bounces+bob")),
        ("forged", hours(2), |raw| {
            let at = raw.find("bounces+alice-").unwrap() + "bounces+alice-".len();
            format!("{}{}{}", &raw[..at], "aaaaaaaaaaaaaaaa", &raw[at + 16..])
        }),
        ("to the server", hours(2), |raw| {
            let at = raw.find("bounces+").unwrap();
            let end = at + raw[at..].find('@').unwrap();
            format!("{}post{}", &raw[..at], &raw[end..])
        }),
    ];
    for (name, every, change) in cases {
        let home = &mut board(true);
        assert!(comes_back(home, 6, *every, change), "{name}");
        assert_eq!(home.user("bob").stopped.len() + home.user("alice").stopped.len(), 0, "{name}");
    }
    // A second copy of a report is the same mail.
    let home = &mut board(true);
    let letters = home.say("bob", "malaka chat 1 bob secret");
    let letter = &letters.iter().find(|it| it.to.as_str() == "alice@example.org").unwrap();
    let sender = letter.sender.clone().unwrap().to_string();
    assert!(!id(&sender).is_empty());
    let raw = report(&sender, letter, "failed", "5.0.0", 1);
    for _ in 0..9 {
        home.now += hours(2);
        home.raw(&raw);
    }
    assert_eq!(home.user("alice").returned.len(), 1);
}

#[test]
fn a_proven_mail_ends_the_stop() {
    let stopped = || {
        let mut home = board(true);
        let letters = home.say("bob", "malaka chat 1 bob secret");
        let reply_to = reply_to(&letters, "alice@example.org");
        assert!(!comes_back(&mut home, 3, hours(2), |raw| raw));
        (home, reply_to)
    };
    let hears = |home: &mut Town| {
        !texts(&home.say("bob", "malaka chat 1 bob secret"), "alice@example.org").is_empty()
    };
    // With the password, even if the command is refused.
    let (mut home, _) = stopped();
    let told = texts(&home.say("alice", "malaka move 1 alice secret z9-z8"), "alice@example.org");
    assert_eq!(told.len(), 2);
    assert!(
        told[1].starts_with("You get mails at your registered address again. They were stopped"),
        "{told:?}"
    );
    assert!(hears(&mut home));
    // By a reply, though from another address, since no other address of hers is left.
    let (mut home, reply_to) = stopped();
    let letters = home.send("alice@work.example", &reply_to, "Re: x", "", "chat\nhello");
    assert_eq!(texts(&letters, "alice@work.example").len(), 1);
    assert!(hears(&mut home));
    // A mail from anybody else, or from alice without proof, changes nothing.
    let (mut home, _) = stopped();
    home.say("alice", "malaka show 1");
    home.say("alice", "malaka chat 1 alice wrong-1");
    home.say("carol", "set carol secret html off");
    assert!(!hears(&mut home));
    // The count of bounces starts again.
    home.say("alice", "set alice secret html off");
    assert!(comes_back(&mut home, 2, hours(2), |raw| raw));
    // `delete` removes the records of bounces, and `export` shows them.
    assert!(!home.user("alice").returned.is_empty());
    let exported = texts(&home.say("alice", "export alice secret"), "alice@example.org");
    assert!(exported[0].contains("\"returned\""), "{exported:?}");
    let letters = home.say("alice", "delete alice secret");
    let word = texts(&letters, "alice@example.org").concat();
    let word = word.split("<password> ").nth(1).unwrap().split_whitespace().next().unwrap();
    let word = word.to_owned();
    home.say("alice", &format!("delete alice secret {word}"));
    let user = home.user("alice");
    assert!(user.left.is_some() && user.returned.is_empty() && user.stopped.is_empty());
}

#[test]
fn a_dead_address_stays_stopped_while_another_one_works() {
    let mut home = board(true);
    let letters =
        home.say("alice", "change address alice secret alice@example.org two@example.org");
    let word = texts(&letters, "two@example.org").concat();
    let word = word.split("confirm-address ").nth(1).unwrap().split_whitespace().next().unwrap();
    home.say("two", &format!("confirm-address {word}"));
    assert!(!comes_back(&mut home, 3, hours(2), |raw| raw));
    let letters = home.say("bob", "malaka chat 1 bob secret");
    assert_eq!(texts(&letters, "two@example.org").len(), 1);
    home.say("two", "set alice secret html off");
    assert_eq!(home.user("alice").stopped.len(), 1);
    home.say("alice", "set alice secret html on");
    assert_eq!(home.user("alice").stopped.len(), 0);
}

#[test]
fn every_old_reply_address_is_refused_with_the_reason_after_a_new_password() {
    let mut home = Town::new("h.example", true);
    let mut old = Vec::new();
    for rival in ["bob", "carol", "bob", "carol", "bob"] {
        let letters = home.say("alice", &format!("malaka challenge alice {rival}"));
        old.push(reply_to(&letters, "alice@example.org"));
    }
    home.say("alice", "change password alice secret secret-2");
    for reply_to in &old {
        for times in [1, 1, 1, 0] {
            let letters = home.send("alice@example.org", reply_to, "Re: x", "", "a1-a4");
            let told = texts(&letters, "alice@example.org");
            assert_eq!((letters.len(), told.len()), (times, times), "{told:?}");
            assert!(told.iter().all(|text| text.contains("address you replied to")), "{told:?}");
        }
    }
}

/// Tries a password of a user and returns the answer.
fn attempt(home: &mut Town, from: &str, user: &str, password: &str) -> String {
    let line = format!("set {user} {password} html off");
    let own = home.address();
    let letters = home.send(from, &own, &line, "", "");
    texts(&letters, from).concat()
}

#[test]
fn wrong_passwords_pause_and_do_not_tell_who_is_a_user() {
    let told = |user: &str| {
        let mut home = Town::new("h.example", true);
        // Limit only passwords: the test needs every answer.
        home.setup.config.limits.rate_limits = RateLimits { passwords: true, ..RateLimits::open() };
        let mut told = Vec::new();
        for number in 0..40 {
            told.push(attempt(&mut home, "mallory@evil.example", user, &format!("guess-{number}")));
            home.now += seconds(30);
        }
        // Other users, from other addresses, are paused too, and so are other userids from this
        // address.
        told.push(attempt(&mut home, "eve@evil.example", user, "secret"));
        told.push(attempt(&mut home, "mallory@evil.example", "bob", "secret"));
        told
    };
    let alice = told("alice");
    assert_eq!(alice, told("nobody"));
    let wrong = alice.iter().filter(|text| text.contains("wrong userid or password")).count();
    // Five, then one after each pause of 1, 2, 4 and 8 minutes within 20 minutes.
    assert_eq!(wrong, 9, "{alice:#?}");
    assert!(alice[5].contains("too many wrong passwords for") && alice[5].contains("1 minute."));
    assert!(alice[40..].iter().all(|text| text.contains("too many wrong passwords for")));
    // The control.
    let mut home = Town::new("h.example", true).without_limits();
    for number in 0..40 {
        let told = attempt(&mut home, "mallory@evil.example", "alice", &format!("guess-{number}"));
        assert!(told.contains("wrong userid or password"));
    }
}

#[test]
fn a_player_is_not_locked_out_by_what_others_send() {
    let mut home = board(true);
    let letters = home.say("bob", "malaka chat 1 bob secret");
    let reply_to = reply_to(&letters, "alice@example.org");
    for number in 0..100 {
        let from = format!("m{number}@evil.example");
        attempt(&mut home, &from, "alice", &format!("guess-{number}"));
    }
    let told = attempt(&mut home, "alice@work.example", "alice", "secret");
    assert!(told.contains("too many wrong passwords"), "an address nobody knows: {told}");
    let told = attempt(&mut home, "alice@example.org", "alice", "secret");
    assert!(told.contains("plain text only"), "her own: {told}");
    // A reply address and a one-time code still work, even when the attacker forged alice's own
    // address.
    for number in 0..200 {
        attempt(&mut home, "alice@example.org", "alice", &format!("guess-{number}"));
    }
    home.now += seconds(1);
    assert!(!attempt(&mut home, "alice@example.org", "alice", "secret").contains("plain text"));
    let letters = home.send("alice@example.org", &reply_to, "Re: x", "", "chat\nhello");
    assert_eq!(texts(&letters, "bob@example.org").len(), 1);
    let letters = home.say("bob", "forgot alice");
    let word = texts(&letters, "alice@example.org").concat();
    let word = word.split("password alice ").nth(1).unwrap().split_whitespace().next().unwrap();
    let letters = home.say("alice", &format!("change password alice {word} secret-2"));
    assert!(texts(&letters, "alice@example.org")[0].contains("has been changed"));
    // No pause is longer than an hour.
    home.now += HOUR;
    assert!(attempt(&mut home, "alice@example.org", "alice", "secret-2").contains("plain text"));
}

#[test]
fn one_mail_with_one_wrong_password_is_one_failure() {
    let mut home = Town::new("h.example", true);
    let lines = "set alice wrong-1 html off\n".repeat(20);
    let own = home.address();
    for _ in 0..4 {
        home.send("alice@example.org", &own, "multiple", "", &lines);
    }
    assert!(attempt(&mut home, "alice@example.org", "alice", "secret").contains("plain text"));
    home.send("alice@example.org", &own, "multiple", "", &lines);
    let told = attempt(&mut home, "alice@example.org", "alice", "secret");
    assert!(told.is_empty() || told.contains("too many wrong"), "{told}");
    // A right password that changes within the mail is checked again.
    home.now += DAY;
    let lines = "change password alice secret secret-2\nset alice secret html on\n\
                 set alice secret-2 html on\n";
    let letters = home.send("alice@example.org", &own, "multiple", "", lines);
    let told = texts(&letters, "alice@example.org").concat();
    assert!(
        told.contains("has been changed") && told.contains("wrong userid or password"),
        "{told}"
    );
    assert!(told.contains("an HTML part"), "{told}");
}

#[test]
fn verbs_of_an_account_accept_no_token() {
    let mut home = board(true).without_limits();
    let letters = home.say("bob", "malaka chat 1 bob secret");
    let reply_to = reply_to(&letters, "alice@example.org");
    let before = home.user("alice");
    for verb in VERBS.iter().filter(|verb| verb.reply.is_none()) {
        for words in ["alice", "alice x", "password alice x secret-2", "alice bob"] {
            let line = format!("{} {words}", verb.name);
            let game = format!("malaka {line}");
            for (subject, text) in
                [("Re: x", &line), ("Re: x", &game), (&line, &String::new()), (&game, &line)]
            {
                home.send("mallory@evil.example", &reply_to, subject, "", text);
            }
        }
    }
    let mut after = home.user("alice");
    // Mails of `forgot` go to alice, and challenges need her address.
    after.codes.clear();
    assert_eq!(after, before);
    // The control: a token works for its own purpose.
    let letters = home.send("mallory@evil.example", &reply_to, "Re: x", "", "resign");
    assert!(texts(&letters, "bob@example.org").len() == 1);
}

#[test]
fn a_mail_in_reply_to_another_is_an_answer_whatever_its_subject() {
    let mut home = Town::new("games.example", true);
    let own = home.address();
    let mut answered = |from: &str, more: &str| {
        ["ant", "bee", "cat", "dog", "elk"]
            .map(|word| home.send(from, &own, &format!("about a {word}"), more, word).len())
    };
    assert_eq!(answered("ann@elsewhere.example", ""), [1, 1, 1, 0, 0]);
    assert_eq!(answered("bea@elsewhere.example", "In-Reply-To: <1@games.example>\n"), [1; 5]);
}

#[test]
fn help_to_strangers_holds_nothing_of_their_mail() {
    let mut home = Town::new("h.example", true);
    let own = home.address();
    let letters = home.send("x@evil.example", &own, "CHEAP pills <here>", "", "BUY");
    assert_eq!(letters.len(), 1);
    let raw = sent_text(&letters[0]);
    let foreign = ["CHEAP", "pills", "here", "BUY"];
    assert!(!foreign.iter().any(|word| raw.to_lowercase().contains(&word.to_lowercase())), "{raw}");
    assert_eq!(letters[0].sender, None, "it does not come back");
    assert_eq!(
        parse(&undrawn(&letters[0]), &Address::parse("n@e.example").unwrap()).unwrap().no_reply,
        Some(NoReplyReason::AutoSubmitted)
    );
    // Different words are answered three times a week; different numbers do not make the words
    // different.
    let spam = ["a", "b", "a 17", "c", "d", "e"];
    for (subject, answers) in spam.into_iter().zip([1, 1, 0, 0, 0, 0]) {
        home.now += DAY;
        let got = home.send("x@evil.example", &own, &format!("spam {subject}"), "", "").len();
        assert_eq!(got, answers, "{subject}");
    }
    home.now += DAY;
    assert_eq!(home.send("x@evil.example", &own, "spam e", "", "").len(), 1);
}
