//! Users renamed, added and removed.

use super::{ONE, RepairHome, id, userid, watched};
use postboard::base::ids::UserId;
use postboard::base::password::Hashing;
use postboard::base::time::Time;
use postboard::base::web_push::PushKey;
use postboard::mail::Address;
use postboard::model::user::{self, PushBrowser, UserEvent};
use postboard::model::world::{seeks_key, user_key};
use postboard::server::repair::{self, show_user};
use postboard::store::{DocumentKind, Documents as _, Key, MemoryStore};

#[test]
fn a_user_is_renamed_everywhere() {
    let mut town = RepairHome::with(&["alice", "bob", "Carol", "dave"], MemoryStore::new());
    for line in
        ["malaka challenge bob alice", "malaka challenge alice bob", "moloko challenge Carol alice"]
    {
        town.say(line);
    }
    town.answers_to_mail("alice", "postboard@localhost", "malaka challenge alice bob", "");
    town.answers_to_mail("bob", "postboard@localhost", "plakoto challenge bob alice", "");
    for line in [
        "malaka subscribe 2 Carol",
        "moloko subscribe 1 bob",
        "moultezim seek bob",
        "moultezim notify bob on",
        "mute Carol bob",
    ] {
        town.say(line);
    }
    town.play(ONE);
    town.play(ONE);
    town.say("malaka resign 1 bob");
    town.answers_to_mail("bob", "postboard@localhost", "forgot bob", "");
    let texts = |town: &RepairHome<MemoryStore>| -> Vec<String> {
        let keys = town.store.keys(DocumentKind::Boards("malaka")).unwrap();
        keys.iter().map(|key| town.store.load(key).unwrap().text.unwrap()).collect()
    };
    let before = texts(&town);
    let tag = {
        town.say("malaka chat 2 alice");
        town.reply_to("bob")
    };
    let said = town.rename("BOB", "Robert").unwrap();
    assert!(said.starts_with("bob is Robert now, on 5 boards\n"), "{said}");
    town.assert_sound();
    let letters = town.letters();
    let news =
        letters.iter().find(|(_, text)| text.contains("renamed you from bob to Robert")).unwrap();
    assert!(news.0.starts_with("bob@") && news.1.contains("no longer reply"), "{news:?}");
    // Only the document that reserves the old userid for Robert names bob.
    for key in [
        town.store.keys(DocumentKind::In(user::COLLECTION)).unwrap(),
        town.store.keys(DocumentKind::Boards("malaka")).unwrap(),
        town.store.keys(DocumentKind::Boards("moloko")).unwrap(),
        town.store.keys(DocumentKind::Boards("plakoto")).unwrap(),
        vec![seeks_key("moultezim")],
    ]
    .concat()
    {
        let text = town.store.load(&key).unwrap().text.unwrap();
        assert_eq!(text.contains("bob\""), key == user_key(&userid("bob")), "{key}: {text}");
    }
    let open = town.store.load(&seeks_key("moultezim")).unwrap().text.unwrap();
    assert_eq!(open.matches("Robert").count(), 2, "{open}");
    assert_eq!(town.user("carol").muted, [userid("robert")]);
    let stub = town.user("bob");
    assert_eq!(
        (stub.renamed, stub.addresses.len(), stub.ratings.len()),
        (Some(userid("robert")), 0, 0)
    );
    let robert = town.user("robert");
    assert_eq!(robert.id.as_str(), "Robert");
    assert_eq!((robert.active.len(), robert.finished.len()), (3, 1));
    assert!(!robert.codes[0].is_open(), "a word with his old userid");
    assert!(town.say("malaka standings").contains("Robert"));
    assert!(!town.try_to("malaka chat 2 bob").1);
    // Reply addresses of old mails are invalid; addresses of new mails work.
    let answer = town.answers_to_mail("bob", &tag, "Re: Malaka", "chat\n");
    assert!(answer.contains("Not done"), "{answer}");
    town.say("malaka chat 2 alice");
    let tag = town.reply_to("bob");
    let answer = town.answers_to_mail("bob", &tag, "Re: Malaka", "chat\n\nhello\n");
    assert!(!answer.contains("Not done"), "{answer}");
    // No other user gets the old userid, and Robert can get it back.
    let taken = |result: Result<String, String>, who: &str| {
        assert_eq!(result.unwrap_err(), format!("the userid {who} is taken"));
    };
    taken(town.rename("dave", "bob"), "bob");
    taken(town.rename("dave", "ALICE"), "ALICE");
    taken(town.rename("dave", "board1"), "board1");
    assert!(!town.try_to("signup bob secret b@example.org").1);
    taken(
        town.repair(|server, store, now| {
            repair::add_user(server, store, &userid("bob"), "secret1", &[], now)
        }),
        "bob",
    );
    assert_eq!(town.rename("bob", "rob").unwrap_err(), "bob is Robert now");
    assert_eq!(town.rename("nobody", "rob").unwrap_err(), "there is no user nobody");
    assert_eq!(town.rename("dave", "dave").unwrap_err(), "dave already has that userid");
    assert!(show_user(&town.store, &userid("dave")).is_ok());
    // From name to name, and back to the first name.
    town.rename("Robert", "Rob").unwrap();
    assert_eq!(town.user("bob").renamed, Some(userid("rob")));
    town.rename("rob", "bob").unwrap();
    assert_eq!((town.user("bob").left, town.user("robert").renamed), (None, Some(userid("bob"))));
    let strip = |texts: &[String]| {
        texts
            .iter()
            .map(|text| text.split("\"offer\"").next().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(strip(&texts(&town)), strip(&before));
    town.assert_sound();
}

#[test]
fn devices_stay_with_a_renamed_user_and_go_with_a_removed_one() {
    let mut town = RepairHome::with(&["alice", "bob"], MemoryStore::new());
    let mut alice = town.user("alice");
    let key = PushKey::derive(|count| [count; 32]).public();
    let parts = ["https://push.example/alice", &*key, "AAAAAAAAAAAAAAAAAAAAAA"];
    let device = PushBrowser::new(parts, town.now, town.now, false).unwrap();
    alice.apply(&UserEvent::BrowserAdded(device.clone()));
    town.overwrite(user_key(&alice.id), &alice.write());
    town.say("malaka challenge alice bob");
    while town.user("alice").notices.is_empty() {
        town.play(ONE);
    }
    town.rename("alice", "Alicia").unwrap();
    let renamed = town.user("alicia");
    assert_eq!((&renamed.browsers, renamed.notices.len()), (&vec![device], 1));
    assert!(town.user("alice").browsers.is_empty());
    town.assert_sound();
    let user = userid("alicia");
    town.repair(|server, store, now| repair::remove_user(server, store, &user, now)).unwrap();
    for key in town.store.keys(DocumentKind::In(user::COLLECTION)).unwrap() {
        let text = town.store.load(&key).unwrap().text.unwrap();
        assert!(!text.contains("push.example") && !text.contains("notices"), "{text}");
    }
    town.assert_sound();
}

#[test]
fn only_the_capitals_of_a_userid_are_changed() {
    let mut town = watched();
    let users = town.store.keys(DocumentKind::In(user::COLLECTION)).unwrap();
    // Only the capitals change: nothing becomes invalid, and nothing is left behind.
    let said = town.rename("bob", "Bob").unwrap();
    assert!(!said.contains("void"), "{said}");
    assert_eq!(town.store.keys(DocumentKind::In(user::COLLECTION)).unwrap(), users);
    assert!(town.board_text(ONE).contains("\"Bob\"") && town.user("bob").id.as_str() == "Bob");
    town.say("malaka chat 1 alice");
    let tag = town.reply_to("bob");
    town.rename("bob", "BOB").unwrap();
    let answer = town.answers_to_mail("bob", &tag, "Re: Malaka", "chat\n\nhello\n");
    assert!(!answer.contains("Not done"), "{answer}");
    town.assert_sound();
}

#[test]
fn a_rename_is_refused_where_a_document_that_may_name_him_is_damaged() {
    let mut town = watched();
    let text = town.board_text(ONE);
    town.overwrite(Key::Board("malaka", 1), &text.replace("\"record\"", "\"rec\""));
    for user in ["alice", "carol"] {
        let why = town.rename(user, "zoe").unwrap_err();
        assert!(why.starts_with("boards/malaka/0/1.json cannot be read: "), "{why}");
    }
    town.overwrite(Key::Board("malaka", 1), &text);
    let carol = town.store.load(&user_key(&userid("carol"))).unwrap().text.unwrap();
    town.overwrite(user_key(&userid("carol")), &format!("{carol}alice"));
    let why = town.rename("alice", "zoe").unwrap_err();
    assert!(why.starts_with("users/ca/carol.json cannot be read: "), "{why}");
    // The refusal stores nothing, and a damaged document that does not name alice prevents no
    // renaming.
    assert!(town.store.load(&user_key(&userid("zoe"))).unwrap().text.is_none());
    town.overwrite(
        user_key(&userid("carol")),
        &carol.replace("carol@", "caroline@").replace("\"id\"", "\"x\""),
    );
    town.rename("alice", "zoe").unwrap();
    assert!(town.user("alice").renamed.is_some());
}

#[test]
fn users_are_added_and_get_passwords_without_a_trace_of_them() {
    let mut town = RepairHome::with(&["alice"], MemoryStore::new());
    let address = [Address::parse("bob@example.org").unwrap()];
    let (bob, nobody) = (userid("Bob"), userid("nobody"));
    town.letters();
    town.repair(|server, store, now| {
        repair::add_user(server, store, &bob, "sesame1", &address, now)
    })
    .unwrap();
    let letters = town.letters();
    assert!(
        letters.len() == 1 && letters[0].1.starts_with("Welcome, Bob! The operator"),
        "{letters:?}"
    );
    town.repair(|server, store, now| {
        repair::add_user(server, store, &userid("shelly"), "sesame2", &[], now)
    })
    .unwrap();
    assert_eq!(town.letters().len(), 0);
    let knows = |town: &RepairHome<MemoryStore>, password: &str| {
        Hashing::quick().verify(password, Some(&town.user("bob").password))
    };
    assert!(knows(&town, "sesame1"));
    town.say("forgot bob");
    town.letters();
    town.repair(|server, store, now| repair::set_password(server, store, &bob, "sesame3", now))
        .unwrap();
    assert!(knows(&town, "sesame3") && !knows(&town, "sesame1"));
    let words = town.user("bob").codes;
    assert!(words.iter().all(|word| !word.is_open()), "the word of who had the old one is void");
    let letters = town.letters();
    assert!(letters[0].1.contains("given Bob a new password"), "{letters:?}");
    let all = format!("{:?}{:?}", town.store, town.log);
    assert!(!all.contains("sesame"), "a password is kept");
    assert_eq!(town.log, ["Bob signed up", "shelly signed up", "Bob changed their password"]);
    let set = |town: &mut RepairHome<MemoryStore>, who: &UserId| {
        town.repair(|server, store, now| repair::set_password(server, store, who, "sesame4", now))
            .unwrap_err()
    };
    assert_eq!(set(&mut town, &nobody), "there is no user nobody");
    town.repair(|server, store, now| repair::remove_user(server, store, &bob, now)).unwrap();
    assert_eq!(set(&mut town, &bob), "Bob has been erased");
    let mut alice = town.user("alice");
    alice.left = Some(user::Departure { at: Time::from_unix(1), erased: false });
    town.overwrite(user_key(&userid("alice")), &alice.write());
    assert!(set(&mut town, &userid("alice")).starts_with("alice has left; "));
    town.assert_sound();
}

#[test]
fn removed_users_resign_and_are_erased() {
    let mut town = watched();
    town.play(ONE);
    town.play(ONE);
    town.say("malaka challenge bob alice");
    town.say("moultezim seek bob");
    town.say("moultezim notify bob on");
    town.letters();
    let remove = |town: &mut RepairHome<MemoryStore>, who: &str| {
        let who = userid(who);
        town.repair(|server, store, now| repair::remove_user(server, store, &who, now))
    };
    assert_eq!(remove(&mut town, "bob").unwrap(), "bob is removed; boards resigned: 2\n");
    let letters = town.letters();
    let to: Vec<&str> = letters.iter().map(|(to, _)| to.as_str()).collect();
    let watching = "carol@example.org";
    assert_eq!(to, ["bob@example.org", "alice@example.org", watching, "alice@example.org"]);
    assert!(letters[0].1.contains("has removed you, bob"), "{letters:?}");
    assert!(
        letters[1].1.contains("bob resigned") && letters[3].1.contains("declined"),
        "{letters:?}"
    );
    let bob = town.user("bob");
    assert!(bob.left.unwrap().erased && bob.addresses.is_empty() && bob.password.is_empty());
    assert_eq!(town.log.len(), 3, "{:?}", town.log);
    town.assert_sound();
    assert_eq!(remove(&mut town, "bob").unwrap_err(), "bob has been erased");
    assert_eq!(remove(&mut town, "mallory").unwrap_err(), "there is no user mallory");
    // Users who have already left are erased, too.
    let mut alice = town.user("alice");
    alice.left = Some(user::Departure { at: Time::from_unix(1), erased: false });
    town.overwrite(user_key(&userid("alice")), &alice.write());
    remove(&mut town, "alice").unwrap();
    assert!(town.user("alice").left.unwrap().erased);
    // An unreadable board cannot be resigned.
    town.say("signup dave secret dave@example.org");
    town.say("malaka challenge carol dave");
    let text = town.board_text(id("malaka", 3));
    town.overwrite(Key::Board("malaka", 3), "{");
    assert!(remove(&mut town, "carol").unwrap_err().starts_with("boards/malaka/0/3.json cannot"));
    town.overwrite(Key::Board("malaka", 3), &text);
    let dave = town.store.load(&user_key(&userid("dave"))).unwrap().text.unwrap();
    town.overwrite(user_key(&userid("dave")), "{");
    assert!(remove(&mut town, "carol").unwrap_err().starts_with("users/da/dave.json cannot"));
    town.overwrite(user_key(&userid("dave")), &dave);
    town.assert_sound();
}
