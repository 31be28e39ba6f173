//! Tests of users and their documents.

use super::*;
use crate::base::chance::ScriptedRandom;
use crate::base::time::{DAY, Time, seconds};
use crate::model::one_time_code::OneTimeCode;
use crate::model::user::preference::HTML;

fn address(local: &str) -> Address {
    Address::parse(&format!("{local}@example.org")).unwrap()
}

/// When the users of these tests signed up.
const START: Time = Time::from_unix(1000);

fn alice() -> User {
    let id = UserId::parse("Alice").unwrap();
    User::new(id, "hash".into(), vec![address("old")], START)
}

fn mailed(user: &mut User, chance: &mut ScriptedRandom, purpose: CodePurpose) -> OneTimeCode {
    let code = OneTimeCode::new(&user.id, chance);
    user.apply(&UserEvent::CodeMailed(PendingCode::new(&code, &user.id, purpose, START)));
    code
}

fn to(local: &str, replaces: bool) -> CodePurpose {
    CodePurpose::Address { address: address(local), replaces }
}

#[test]
fn the_first_confirmed_address_replaces_the_others_and_the_next_is_added() {
    let (mut user, mut chance) = (alice(), ScriptedRandom::counting());
    for local in ["a", "b"] {
        mailed(&mut user, &mut chance, to(local, true));
    }
    user.apply(&UserEvent::Confirmed(address("a")));
    assert_eq!(user.addresses, [address("a")]);
    user.apply(&UserEvent::Confirmed(address("b")));
    assert_eq!(user.addresses, [address("a"), address("b")]);
    assert_eq!(user.codes, []);
}

#[test]
fn an_exported_user_has_no_secrets() {
    let (mut user, mut chance) = (alice(), ScriptedRandom::counting());
    let code = OneTimeCode::new(&user.id, &mut chance);
    let pending = PendingCode::new(&code, &user.id, CodePurpose::Password, START);
    let stored = serde_json::to_value(&pending).unwrap();
    user.password = "$argon2id$hash".into();
    user.apply(&UserEvent::CodeMailed(pending));
    let text = user.without_secrets().to_string();
    let tag = stored["tag"].as_str().unwrap();
    assert!(!text.contains("argon2") && !text.contains(tag), "{text}");
    assert!(text.contains("old@example.org") && text.contains("\"for\":\"password\""), "{text}");
}

#[test]
fn a_new_password_voids_all_codes() {
    let (mut user, mut chance) = (alice(), ScriptedRandom::counting());
    let purposes =
        [CodePurpose::Password, CodePurpose::Signoff, CodePurpose::Delete, to("thief", true)];
    let codes = purposes.clone().map(|purpose| mailed(&mut user, &mut chance, purpose));
    for (code, purpose) in codes.iter().zip(&purposes) {
        assert!(user.has_code(code.as_str(), purpose, START + seconds(1)));
    }
    user.apply(&UserEvent::Password("other".into()));
    for (code, purpose) in codes.iter().zip(&purposes) {
        assert!(!user.has_code(code.as_str(), purpose, START + seconds(1)), "{purpose:?}");
    }
    // They still count as mailed.
    for purpose in purposes {
        assert_eq!(user.codes_mailed(&purpose, START + seconds(1)), 1, "{purpose:?}");
    }
}

#[test]
fn leaving_voids_all_codes() {
    let (mut user, mut chance) = (alice(), ScriptedRandom::counting());
    let code = mailed(&mut user, &mut chance, CodePurpose::Password);
    user.apply(&UserEvent::Left(Departure { at: START + seconds(1), erased: false }));
    user.apply(&UserEvent::CameBack);
    assert!(!user.has_code(code.as_str(), &CodePurpose::Password, START + seconds(2)));
}

#[test]
fn readers_count_for_a_day() {
    let mut user = alice();
    user.apply(&UserEvent::Wrote { at: START, readers: 3 });
    let later = START + seconds(1000);
    user.apply(&UserEvent::Wrote { at: later, readers: 2 });
    let readers = [START + DAY - seconds(1), START + DAY, later + DAY].map(|now| user.readers(now));
    assert_eq!(readers, [5, 2, 0]);
}

#[test]
fn a_challenge_given_up_by_its_sender_waits_for_a_day() {
    let mut user = alice();
    let (bob, board) = (UserId::parse("bob").unwrap(), |number| BoardId { game: "malaka", number });
    for number in [1, 2] {
        let new =
            SentChallenge { board: board(number), to: bob.clone(), at: START, answered: false };
        user.add_challenge(new);
    }
    user.active = vec![board(2)];
    let waiting = [START + DAY - seconds(1), START + DAY].map(|now| user.unanswered(&bob, now));
    assert_eq!(waiting, [2, 1]);
    assert_eq!(user.unanswered(&user.id, START), 0);
    let new = SentChallenge { board: board(3), to: bob.clone(), at: START + DAY, answered: false };
    user.add_challenge(new);
    assert_eq!(user.challenges.len(), 2);
    user.active.push(board(3));
    user.challenges[0].answered = true;
    assert_eq!(user.unanswered(&bob, START + DAY), 1);
}

#[test]
fn erasing_a_user_keeps_the_userid_and_the_boards() {
    let (mut user, mut chance) = (alice(), ScriptedRandom::counting());
    let board = BoardId { game: "malaka", number: 7 };
    user.finished.push(board);
    user.settings.insert("malaka".into(), vec!["-manual".into()]);
    user.preferences.choose(HTML.choose("off").unwrap());
    mailed(&mut user, &mut chance, to("new", false));
    user.apply(&UserEvent::Wrote { at: START, readers: 3 });
    user.apply(&UserEvent::Broadcast(START));
    user.apply(&UserEvent::Left(Departure { at: Time::from_unix(2000), erased: true }));
    let mut stub = User::new(user.id.clone(), String::new(), Vec::new(), Time::EPOCH);
    stub.finished.push(board);
    stub.left = Some(Departure { at: Time::from_unix(2000), erased: true });
    assert_eq!(user, stub);
    assert_eq!(User::read(&user.write()).unwrap(), stub);
}

#[test]
fn a_file_of_an_older_program_is_read_and_stays_as_it_is() {
    let old = "{\n  \"format\": 1,\n  \"id\": \"Alice\",\n  \"password\": \"hash\",\n  \
               \"addresses\": [\n    \"old@example.org\"\n  ],\n  \"joined\": 1000,\n  \
               \"active\": [],\n  \"finished\": [],\n  \"challenges\": []\n}\n";
    let user = User::read(old).unwrap();
    assert_eq!(user, alice());
    assert_eq!(user.write(), old);
}

/// Returns a browser with this address and session.
fn browser(path: &str, session: i64) -> PushBrowser {
    let key = crate::base::web_push::PushKey::derive(|count| [count; 32]).public();
    let endpoint = format!("https://push.example/{path}");
    let parts = [&*endpoint, &key, "AAAAAAAAAAAAAAAAAAAAAA"];
    PushBrowser::new(parts, START, Time::from_unix(session), false).unwrap()
}

#[test]
fn a_user_has_a_few_browsers_each_once() {
    let mut user = alice();
    for number in 0..MOST_BROWSERS + 2 {
        user.apply(&UserEvent::BrowserAdded(browser(&number.to_string(), 1)));
    }
    user.apply(&UserEvent::BrowserAdded(browser("5", 2)));
    assert_eq!(user.browsers.len(), MOST_BROWSERS);
    let [first, .., last] = &user.browsers[..] else { panic!("there are ten") };
    assert_eq!(
        (&*first.endpoint, &*last.endpoint),
        ("https://push.example/2", "https://push.example/5")
    );
    assert_eq!((last.session, last.service()), (Time::from_unix(2), "push.example"));
    let id = last.id();
    user.apply(&UserEvent::BrowserRemoved(id.clone()));
    assert!(
        user.browsers.len() == MOST_BROWSERS - 1 && user.browsers.iter().all(|it| it.id() != id)
    );
    assert_eq!(User::read(&user.write()).unwrap(), user);
}

#[test]
fn browsers_go_with_their_sessions_and_notices_with_the_last_browser() {
    let with_browsers = || {
        let mut user = alice();
        user.apply(&UserEvent::BrowserAdded(browser("a", 1)));
        user.apply(&UserEvent::BrowserAdded(browser("b", 2)));
        let board = BoardId { game: "malaka", number: 1 };
        user.apply(&UserEvent::TurnNoticed { board, at: START, open: true });
        user
    };
    let mut user = with_browsers();
    user.apply(&UserEvent::SessionEnded { until: Time::from_unix(1), at: START });
    assert_eq!((user.browsers.len(), user.notices.len()), (1, 1));
    user.apply(&UserEvent::SessionEnded { until: Time::from_unix(2), at: START });
    assert_eq!((user.browsers.len(), user.notices.len()), (0, 0));
    for erased in [true, false] {
        let all = [
            UserEvent::SignedOut,
            UserEvent::Password("other".into()),
            UserEvent::Addresses(vec![address("new")]),
            UserEvent::Left(Departure { at: START, erased }),
        ];
        for event in all {
            let mut user = with_browsers();
            user.apply(&event);
            assert!(user.browsers.is_empty() && user.notices.is_empty(), "{event:?}");
            assert!(!user.write().contains("push.example"), "{event:?}");
        }
    }
}

#[test]
fn a_board_has_one_notice_and_numbers_grow() {
    let mut user = alice();
    let board = |number| BoardId { game: "malaka", number };
    let mut note = |number, at, open| {
        user.apply(&UserEvent::TurnNoticed { board: board(number), at, open });
        user.notices.iter().map(|it| (it.board.number, it.number, it.open)).collect::<Vec<_>>()
    };
    assert_eq!(note(1, START, true), [(1, 1000, true)]);
    assert_eq!(note(2, START, true), [(1, 1000, true), (2, 1001, true)]);
    assert_eq!(note(1, START, false), [(2, 1001, true), (1, 1002, false)]);
    let later = START + 8 * DAY;
    let number = u64::try_from(later.unix()).unwrap();
    assert_eq!(note(3, later, true), [(2, 1001, true), (3, number, true)]);
    assert!(user.has_notice(board(2)) && !user.has_notice(board(1)));
}
