//! Letters: stored as blocks, rendered when they leave.

use crate::mail::html::boards;
use crate::support::letters::{as_sent, sent_text};
use crate::support::script::{ScriptHome, perform};
use games::{Seat, Spot, View};
use postboard::base::ids::BoardId;
use postboard::base::time::Time;
use postboard::mail::{Address, AnsweredMail, HeaderText, Identity, MailKind, MessageId, parse};
use postboard::model::topic::Topic;
use postboard::reply::{
    Block, Delivery, Highlights, LetterHeaders, OutgoingMail, Picture, PictureFormat, Recipient,
    Unprintable, draft_letter, print_letter,
};
use postboard::store::Letter;

fn address(text: &str) -> Address {
    Address::parse(text).unwrap()
}

/// Returns a letter about a board with this picture.
fn sample(picture: Picture, pictures: PictureFormat) -> Letter {
    let blocks = vec![Block::heading("Your move."), Block::Picture(Box::new(picture))];
    let mail = OutgoingMail {
        to: Recipient::Address(address("alice@example.org")),
        subject: "Malaka board 17".into(),
        blocks,
        topic: Some(Topic::Board(BoardId { game: "malaka", number: 17 })),
        seat: Some(Seat(0)),
        has_page: true,
        opt_out: None,
        delivery: Delivery::Now,
        reader: None,
        share: postboard::model::rate_limit::QuotaShare::Boards,
    };
    let headers = LetterHeaders {
        kind: MailKind::Answer,
        in_reply_to: Some(AnsweredMail {
            id: MessageId::parse("<b@x>").unwrap(),
            references: vec![MessageId::parse("<a@x>").unwrap()],
        }),
        reply_tag: Some("bmalaka17-abcdefgh".into()),
        one_click: None,
        opt_out: Some("u-abc".into()),
        bounces: Some("alice-abcd".into()),
        pictures,
        web_page: Some("https://games.example/malaka/17".into()),
        calendar: None,
    };
    let from = Identity {
        address: address("post@games.example"),
        name: HeaderText::new("Postboard"),
        plus: true,
    };
    draft_letter(
        &mail,
        headers,
        "5f0c1".into(),
        address("alice@example.org"),
        &from,
        Time::from_unix(1_772_442_931),
    )
}

#[test]
fn every_picture_is_kept_as_it_is() {
    let mut count = 0;
    let highlights = Highlights {
        last: vec![vec![Spot::Bar, Spot::Point(20)], vec![Spot::Square(3, 12)]],
        movable: vec![Spot::Point(6), Spot::Off],
        turn: Some(Seat(1)),
    };
    for board in boards() {
        for seat in [None, Some(Seat(0)), Some(Seat(1))] {
            let view = View { seat, legal: true, ..View::default() };
            let diagram = board.position().diagram(&view);
            let picture = Picture {
                diagram,
                names: Some(["a".into(), "b".into()]),
                highlights: highlights.clone(),
            };
            let text = serde_json::to_string(&picture).unwrap();
            assert_eq!(serde_json::from_str::<Picture>(&text).unwrap(), picture, "{text}");
            count += 1;
        }
    }
    assert!(count > 200, "{count} pictures");
}

#[test]
fn a_letter_keeps_all_parts_of_its_mail() {
    let board = boards().next().unwrap();
    let picture = Picture {
        diagram: board.position().diagram(&View::default()),
        names: None,
        highlights: Highlights::default(),
    };
    let letter = sample(picture, PictureFormat::Png);
    assert_eq!(letter.sender, Some(address("bounces+alice-abcd@games.example")));
    let text = sent_text(&letter);
    for line in [
        "From: Postboard <post@games.example>",
        "To: alice@example.org",
        "Reply-To: post+bmalaka17-abcdefgh@games.example",
        "Subject: Malaka board 17",
        "Date: Mon, 02 Mar 2026 09:15:31 +0000",
        "Auto-Submitted: auto-replied",
        "List-Unsubscribe: <mailto:post%2Bu-abc@games.example?subject=unsubscribe>",
        "Message-ID: <5f0c1@games.example>",
        "In-Reply-To: <b@x>",
        "References: <board-malaka-17@games.example> <a@x> <b@x>",
    ] {
        assert!(text.contains(&format!("{line}\r\n")), "{line}\n{text}");
    }
    let read = parse(text.as_bytes(), &address("nobody@elsewhere.example")).unwrap();
    assert!(read.text.starts_with("Your move."), "{}", read.text);
    assert_eq!(text, sent_text(&letter), "at each try");
}

#[test]
fn a_letter_of_an_earlier_program_leaves_as_it_is() {
    let bytes = b"From: post@games.example\r\n\r\n{\"draft\":9}\r\n".to_vec();
    let old = Letter {
        name: "1".into(),
        sender: None,
        to: address("alice@example.org"),
        thread: None,
        bytes,
    };
    assert_eq!(as_sent(&old), old.bytes);
}

#[test]
fn a_letter_that_cannot_be_read_says_why_and_harms_nobody() {
    let mut kinds = std::collections::BTreeSet::new();
    for board in boards().filter(|board| kinds.insert(board.id.game)) {
        let picture = Picture {
            diagram: board.position().diagram(&View::default()),
            names: None,
            highlights: Highlights::default(),
        };
        let whole = sample(picture, PictureFormat::Table);
        let changed = |from: &str, to: &str| {
            let text = String::from_utf8(whole.bytes.clone()).unwrap().replacen(from, to, 1);
            Letter { bytes: text.into_bytes(), ..whole.clone() }
        };
        let later = changed("{\"draft\":1,", "{\"draft\":2,\"new\":[],");
        assert_eq!(print_letter(&later), Err(Unprintable::Later(2)));
        assert_eq!(print_letter(&changed("\"blocks\"", "\"block\"")), Err(Unprintable::Damaged));
        // Damage each byte, as a broken disk might.
        for at in 9..whole.bytes.len() {
            for byte in [b'0', b'9', b'"', b'x'] {
                let mut bytes = whole.bytes.clone();
                bytes[at] = byte;
                let _ = print_letter(&Letter { bytes, ..whole.clone() });
            }
            let bytes = whole.bytes[..at].to_vec();
            assert_eq!(print_letter(&Letter { bytes, ..whole.clone() }), Err(Unprintable::Damaged));
        }
    }
}

#[test]
fn the_clock_beside_a_submitted_move_is_in_the_time_of_its_player() {
    let mut home = ScriptHome::new();
    perform(&mut home, "dice 3\n~ malaka challenge alice bob\n");
    home.say("alice", "timezone alice secret Berlin");
    let text = home.say("alice", "malaka submit 1 alice secret a1-a4");
    assert!(text.contains("Not played yet: a1-a4, as move 1."), "{text}");
    assert!(text.contains("14:00 your time"), "{text}");
}

#[test]
fn an_observer_reads_deadlines_in_their_own_time_zone() {
    let mut home = ScriptHome::new();
    // Without line breaks.
    let news =
        |home: &ScriptHome| home.last_to("carol").split_whitespace().collect::<Vec<_>>().join(" ");
    perform(&mut home, "~ countlines challenge alice bob -mode=2\n");
    home.say("carol", "countlines subscribe 1 carol secret");
    home.say("alice", "countlines move 1 alice secret e5");
    let told = news(&home);
    assert!(told.contains("alice played e5") && !told.contains("your time"), "{told}");
    home.say("carol", "timezone carol secret Berlin");
    home.say("bob", "countlines move 1 bob secret d4");
    let told = news(&home);
    assert!(told.contains("bob played d4") && told.contains("your time."), "{told}");
}
