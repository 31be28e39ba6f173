//! Mails with the marks of programs: a proven command is executed, and strangers get no answer.

use crate::support::letters::read;
use crate::support::script::{ScriptHome, perform};
use games::Entry;
use postboard::base::ids::BoardId;

/// Marks that gateways, lists and offices put on people's mails.
const MARKS: [&str; 14] = [
    "Precedence: bulk",
    "Precedence: list",
    "Precedence: junk",
    "List-Id: <chess.lists.example>",
    "List-Unsubscribe: <mailto:off@lists.example>",
    "List-Post: <mailto:all@lists.example>",
    "Auto-Submitted: auto-generated",
    "Auto-Submitted: auto-replied",
    "X-Autoreply: yes",
    "X-Autorespond: Re: your mail",
    "Sender: chess-bounces@lists.example",
    "Return-Path: <chess-request@lists.example>",
    "Precedence: bulk\nList-Id: <chess.lists.example>\nSender: owner-chess@lists.example",
    "X-Auto-Response-Suppress: All\nPrecedence: bulk",
];

/// Headers of mails that are never executed, even with a valid proof.
const FINAL: [&str; 5] = [
    "Return-Path: <>",
    "Return-Path: <>\nAuto-Submitted: auto-replied",
    "X-Loop: postboard@localhost",
    "Content-Type: multipart/report; boundary=x",
    "Auto-Submitted: auto-generated\nX-Loop: postboard@localhost",
];

/// A way in which a mail proves its sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Proof {
    Tag,
    Password,
    None,
}

/// The request in a mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    LegalMove,
    IllegalMove,
    Nothing,
}

/// The first lines of vacation notes and tickets, which ask for nothing.
const NOTES: [&str; 5] = [
    "I am out of the office until Monday.",
    "Thank you for your message! It has been received as ticket 14.",
    "Yes, we have received your mail and will answer soon.",
    "This is an automatic reply.",
    "On holiday",
];

/// Makes a home with a board on which alice may play a1-a4; also returns her reply address.
fn stage() -> (ScriptHome, String, String) {
    let mut stage = ScriptHome::new();
    perform(&mut stage, "dice 3\n~ malaka challenge alice bob\ndice 12\n");
    let (to, subject, _) = stage.board_mail(0);
    (stage, to, subject)
}

/// Sends a mail with a mark; returns whether the move was played, and the numbers of letters to
/// alice and to others.
fn outcome(mark: &str, proof: Proof, asked: Asked, note: &str, from: &str) -> (bool, usize, usize) {
    let (mut stage, tagged, subject) = stage();
    let play = match asked {
        Asked::LegalMove => "a1-a4",
        Asked::IllegalMove => "a1-a9",
        Asked::Nothing => note,
    };
    let (to, subject, body) = match proof {
        Proof::Tag => (&*tagged, format!("Re: {subject}"), play),
        Proof::Password => {
            ("postboard@localhost", format!("malaka move 1 alice secret {play}"), "")
        }
        Proof::None => ("postboard@localhost", play.to_owned(), play),
    };
    let before = stage.documents();
    let raw = format!(
        "From: {from}\nTo: {to}\nSubject: {subject}\nMessage-ID: <1@lists.example>\n\
         Date: Fri, 20 Aug 2004 12:00:00 +0000\n{mark}\n\n{body}\n\n> a1-a4\n"
    );
    let letters = stage.raw(raw.as_bytes());
    let board = stage.board(BoardId { game: "malaka", number: 1 });
    let is_played = board
        .record
        .iter()
        .any(|line| matches!(&line.entry, Entry::Moved { text, .. } if text == "a1-a4"));
    if !is_played && letters.is_empty() {
        let after = stage.documents();
        let is_same = |(old, new): (&(_, String), &(_, String))| old.1 == new.1;
        // A wrong password is counted, and nothing else changes.
        assert!(before.iter().zip(&after).all(is_same), "{mark}: {proof:?} {asked:?}");
    }
    let own = letters.iter().filter(|letter| letter.to.as_str() == "alice@example.org").count();
    for letter in &letters {
        let (subject, text) = read(letter);
        let is_warning = subject == "A reply from another address";
        assert!(is_warning || text.contains("a1-a"), "{mark}: {text}");
    }
    (is_played, own, letters.len() - own)
}

const ALICE: &str = "alice@example.org";

#[test]
fn a_proven_command_counts_whatever_marks_a_mail_has() {
    for mark in MARKS {
        for (proof, asked, want) in [
            (Proof::Tag, Asked::LegalMove, (true, 1, 1)),
            (Proof::Password, Asked::LegalMove, (true, 1, 1)),
            (Proof::None, Asked::LegalMove, (false, 0, 0)),
            (Proof::Tag, Asked::IllegalMove, (false, 1, 0)),
            (Proof::Password, Asked::IllegalMove, (false, 1, 0)),
            (Proof::None, Asked::IllegalMove, (false, 0, 0)),
            (Proof::None, Asked::Nothing, (false, 0, 0)),
        ] {
            assert_eq!(
                outcome(mark, proof, asked, NOTES[0], ALICE),
                want,
                "{mark}: {proof:?} {asked:?}"
            );
        }
        for note in NOTES {
            let got = outcome(mark, Proof::Tag, Asked::Nothing, note, ALICE);
            assert_eq!(got, (false, 0, 0), "{mark}: {note}");
        }
    }
}

#[test]
fn an_address_like_that_of_a_program_keeps_no_player_from_playing() {
    for from in ["chess-list@lists.example", "no-reply@shop.example", "postmaster@h.example"] {
        let played = outcome("X-Mailer: x", Proof::Tag, Asked::LegalMove, "", from);
        assert_eq!(played, (true, 2, 1), "{from}: a warning that it came from elsewhere, too");
        let refused = outcome("X-Mailer: x", Proof::Tag, Asked::IllegalMove, "", from);
        assert_eq!(refused, (false, 1, 0), "{from}: the refusal goes to the registered address");
        let stranger = outcome("X-Mailer: x", Proof::None, Asked::Nothing, NOTES[0], from);
        assert_eq!(stranger, (false, 0, 0), "{from}");
    }
}

#[test]
fn reports_and_our_own_mails_are_never_executed() {
    for mark in FINAL {
        for proof in [Proof::Tag, Proof::Password, Proof::None] {
            for asked in [Asked::LegalMove, Asked::IllegalMove, Asked::Nothing] {
                let got = outcome(mark, proof, asked, NOTES[0], ALICE);
                assert_eq!(got, (false, 0, 0), "{mark}: {proof:?} {asked:?}");
            }
        }
    }
}

#[test]
fn a_wrong_password_under_a_mark_is_not_answered() {
    let (mut stage, ..) = stage();
    let raw = "From: alice@example.org\nTo: postboard@localhost\nPrecedence: bulk\n\
               Subject: malaka move 1 alice wrong a1-a4\n\n";
    assert!(stage.raw(raw.as_bytes()).is_empty());
    let list = "From: x@example.org\nTo: postboard@localhost\nPrecedence: bulk\nSubject: list\n\n";
    assert!(stage.raw(list.as_bytes()).is_empty());
    let signup = "From: x@example.org\nTo: postboard@localhost\nPrecedence: bulk\n\
                  Subject: signup xaver geheim12\n\n";
    let before = stage.documents().len();
    assert!(stage.raw(signup.as_bytes()).is_empty());
    assert_eq!(stage.documents().len(), before);
}
