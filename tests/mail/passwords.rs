//! Passwords get into no log, answer, bounce or quotation, wherever a mail contains them.

use crate::mail::refusals::{OPEN, PROVED};
use crate::support::home::Town;
use crate::support::letters::{sent_text, undrawn};
use postboard::base::key::MAILBOXES;
use postboard::mail::parse;
use postboard::model::rate_limit::RateLimits;
use postboard::model::user;
use postboard::server::MailDisposition;
use postboard::server::Server;
use postboard::store::{DocumentKind, Documents as _, Store as _};
use std::collections::BTreeSet;
use std::num::NonZeroU32;

/// Passwords as people choose them: words that could be a userid, an option, a move, a tag or a
/// number, and a word with accents.
const PASSWORDS: [&str; 6] =
    ["Sw0rdfish", "-Sw0rdfish", "c3-c6,b7", "[#Sw0rdfish]", "9173fish", "Gr\u{fc}\u{df}gott"];

/// Returns the text in decomposed form, as other machines send it.
fn decomposed(text: &str) -> String {
    text.replace('\u{fc}', "u\u{308}")
}

/// Makes a home in which alice has this password and plays Malaka 1 and Backgammon 1.
fn home(password: &str) -> Town {
    let mut home = Town::new("h.example", true);
    home.setup.config.limits.rate_limits = RateLimits::open();
    home.setup.config.limits.mails_a_day = NonZeroU32::MAX;
    home.say("alice", &format!("change password alice secret {password}"));
    home.say("alice", "malaka challenge alice bob");
    home.say("alice", "backgammon challenge alice bob");
    home
}

/// Executes a mail in a copy of the home and returns every text that then contains the password.
fn shown(home: &mut Town, raw: &str, password: &str) -> Vec<String> {
    let home = &mut **home;
    let mut store = home.store.clone();
    let mut server = Server::new(&home.setup, &mut home.chance);
    let handled = server.execute_mail(raw.as_bytes(), &store, home.now).unwrap();
    let mut said = server.log.clone();
    if let MailDisposition::Malformed(why) = handled {
        said.push(why);
    }
    store.commit(server.take_transaction()).unwrap();
    let nobody = "nobody@elsewhere.example";
    let nobody = postboard::mail::Address::parse(nobody).unwrap();
    for letter in store.letters() {
        said.push(sent_text(letter));
        let read = parse(&undrawn(letter), &nobody).unwrap();
        said.push(format!("to {}: {}\n{}", letter.to, read.subject, read.text));
    }
    let keys = [
        store.keys(DocumentKind::In(user::COLLECTION)).unwrap(),
        store.keys(DocumentKind::In(MAILBOXES)).unwrap(),
    ]
    .concat();
    let boards = games::GAMES
        .iter()
        .flat_map(|game| store.keys(DocumentKind::Boards(game.spec().name)).unwrap());
    said.extend(keys.into_iter().chain(boards).filter_map(|key| store.load(&key).unwrap().text));
    let forms = [password.to_owned(), decomposed(password)].map(|form| form.to_lowercase());
    let shows = |text: &String| forms.iter().any(|form| text.to_lowercase().contains(form));
    said.into_iter().filter(shows).collect()
}

fn mail(subject: &str, more: &str, text: &str) -> String {
    format!("From: alice@example.org\nTo: post@h.example\nSubject: {subject}\n{more}\n{text}\n")
}

/// Returns variants of a command with the password added, missing or in the wrong place.
fn slips(line: &str, password: &str) -> BTreeSet<String> {
    let line = line.replace("alice secret", &format!("alice {password}"));
    let words: Vec<&str> = line.split(' ').collect();
    let mut slips = BTreeSet::from([line.clone(), format!("Re: {line}"), format!("{line}.")]);
    for at in 0..=words.len() {
        let mut more = words.clone();
        more.insert(at, password);
        slips.insert(more.join(" "));
        if at < words.len() {
            let mut other = words.clone();
            other[at] = password;
            slips.insert(other.join(" "));
            slips.insert([&words[..at], &words[at + 1..]].concat().join(" "));
        }
        if at + 1 < words.len() {
            let mut swapped = words.clone();
            swapped.swap(at, at + 1);
            slips.insert(swapped.join(" "));
        }
    }
    // A word in the place of a userid becomes a userid, or the server looks for a user of this
    // name.
    let named = |slip: &String| {
        let words: Vec<&str> = slip.split(' ').collect();
        words[0] == "signup" && words.get(1) == Some(&password)
    };
    slips.retain(|slip| !named(slip));
    slips
}

#[test]
fn no_slip_of_a_command_shows_a_password() {
    let mut wrong = BTreeSet::new();
    let mut count = 0;
    for password in PASSWORDS {
        let mut home = home(password);
        for line in PROVED.iter().chain(OPEN) {
            for slip in slips(line, password) {
                count += 1;
                for text in shown(&mut home, &mail(&slip, "", ""), password) {
                    let lines = text.lines().filter(|line| line.contains(password));
                    wrong.extend(lines.map(|line| format!("{slip}: {line}")));
                }
            }
        }
    }
    assert!(count > 3_000, "{count}");
    // A preview needs no password, and shows its sender the words of the command.
    wrong.retain(|slip| !slip.starts_with("malaka preview"));
    let all: Vec<String> = wrong.into_iter().collect();
    assert!(all.is_empty(), "{} slips:\n{}", all.len(), all.join("\n"));
}

#[test]
fn a_password_below_a_command_is_not_passed_on() {
    // A word like a tag is not a word of a Subject, so nobody can use it as a password.
    for password in PASSWORDS.into_iter().filter(|it| !it.starts_with("[#")) {
        let mut home = home(password);
        let line = format!("malaka chat 1 alice {password}");
        let decomposed = decomposed(password);
        let html = "Content-Type: text/html\n";
        for word in BTreeSet::from([password, &decomposed]) {
            for (more, text) in [
                ("", format!("hello\n{word}\nyou")),
                ("", format!("hello\nmove 1 alice {word} c3-c6\nyou")),
                ("", format!("hello\n\"{word}\".\nyou")),
                ("", format!("hello\nyou\n\nOn Monday bob wrote:\n> {word}\n")),
                ("", format!("hello\nyou\n-- \n{word}\n")),
                (html, format!("<p>hello<p>alice <b>{word}</b><p>you")),
                (
                    html,
                    format!("<p>hello<p title='{word}'>you<!-- {word} --><script>{word}</script>"),
                ),
                (
                    "Content-Transfer-Encoding: quoted-printable\n",
                    format!("hello\n{}\nyou", quoted_printable(word)),
                ),
            ] {
                let raw = mail(&line, more, &text);
                assert_eq!(shown(&mut home, &raw, password), [""; 0], "{raw}");
                // Words other than the password reach the opponent.
                let letters = home.raw(&raw);
                let bobs = crate::support::letters::texts(&letters, "bob@example.org");
                assert!(
                    bobs[0].contains("> hello") && bobs[0].contains("> you"),
                    "{raw}: {bobs:?}"
                );
            }
        }
    }
}

fn quoted_printable(text: &str) -> String {
    text.bytes().map(|b| format!("={b:02X}")).collect::<Vec<_>>().concat()
}

/// Tests malformed mails with a password in each part that the parser reads.
#[test]
fn unreadable_mails_are_not_quoted() {
    for password in PASSWORDS {
        let mut home = home(password);
        let subject = format!("malaka move 1 alice {password} a1-a4");
        let from = "From: alice@example.org\n";
        let nested =
            (0..40).map(|i| format!("Content-Type: multipart/mixed; boundary=b{i}\n\n--b{i}\n"));
        for (name, raw) in [
            ("no sender", format!("Subject: {subject}\n\nhello\n")),
            ("two senders", format!("{from}{from}Subject: {subject}\n\n{password}\n")),
            ("a sender that is none", format!("From: {password}\nSubject: {subject}\n\nhello\n")),
            (
                "encrypted",
                mail(
                    &subject,
                    "Content-Type: multipart/encrypted; boundary=b\n",
                    "--b\n\nx\n--b--",
                ),
            ),
            ("too deep", mail(&subject, &nested.collect::<Vec<_>>().concat(), password)),
            ("too large", mail(&subject, "", &format!("{password}\n").repeat(200_000))),
            ("headers too large", mail(&subject, &format!("X: {password}\n").repeat(2_000), "")),
            ("no header", format!("{password}\n\n{subject}\n")),
            ("no command", mail(password, "", password)),
            ("half a command", mail(&format!("alice {password}"), "", password)),
            (
                "an answer of a robot",
                mail(&format!("Re: {subject}"), "Auto-Submitted: auto-replied\n", password),
            ),
            (
                "a void tag",
                mail(&format!("Re: {password} [#bmalaka1m1-abcdefghijklmnop]"), "", password),
            ),
            (
                "no way out",
                mail(password, "To: post+or-alice-abcdefghijklmnop@h.example\n", password),
            ),
            (
                "commands",
                mail(
                    "multiple",
                    "",
                    &format!("{password}\nmalaka {password}\nalice {password} move\n{subject}"),
                ),
            ),
            ("too many commands", mail("multiple", "", &format!("{subject}\n").repeat(60))),
            (
                "in a part of HTML",
                mail(
                    "",
                    "Content-Type: text/html\n",
                    &format!("<title>{subject}</title><p>{subject}"),
                ),
            ),
            (
                "of many charsets",
                mail(
                    &format!("=?utf-8?Q?malaka move 1 alice?= {password}"),
                    "Content-Type: text/plain; charset=utf-7\n",
                    password,
                ),
            ),
            (
                "as an address",
                format!(
                    "{from}To: {password}@h.example\nCc: post+{password}@h.example\nSubject: help {password}\n\nx\n"
                ),
            ),
            (
                "as an id",
                format!("{from}Message-ID: <{password}@x>\nSubject: malaka show 99\n\nx\n"),
            ),
        ] {
            let found = shown(&mut home, &raw, password);
            // The In-Reply-To of an answer contains the Message-ID that the sender chose.
            let found: Vec<_> = found
                .into_iter()
                .filter(|it| name != "as an id" || !it.contains("\nIn-Reply-To: "))
                .collect();
            assert_eq!(found, [""; 0], "{name}");
        }
    }
}
