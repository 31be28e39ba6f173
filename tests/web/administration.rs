//! Administrators' pages: who may enter, what they show, and what is done there.

use crate::support::web::browser::{Browser, Form, forms};
use crate::support::web::home::{MALAKA, Reply, WebHome};
use crate::support::web::page::{attributes, main_text, texts};
use axum::body::Body;
use axum::http::Request;
use clap::CommandFactory as _;
use postboard::base::time::minutes;
use postboard::model::moderation::{AuditEntry, SanctionKind, audit_key};
use postboard::model::world::World;
use postboard::shell::cli::Cli;
use postboard::store::Home as _;

/// The pages.
const PAGES: [&str; 10] = [
    "/admin/settings",
    "/admin",
    "/admin/doctor",
    "/admin/queues",
    "/admin/parked",
    "/admin/users",
    "/admin/users?find=bob",
    "/admin/users/bob",
    "/admin/boards",
    "/admin/boards/malaka/1",
];

/// What the forms of the pages do.
const DEEDS: [(&str, &[(&str, &str)]); 6] = [
    ("/admin/settings", &[("key", "mails_a_day"), ("value", "5")]),
    ("/admin/stuck", &[("act", "drop"), ("name", "mail")]),
    (
        "/admin/users/bob/sanction",
        &[("act", "mute"), ("subject", "bob"), ("why", "x"), ("sure", "yes")],
    ),
    ("/admin/users/bob/erase", &[("why", "x")]),
    ("/admin/boards/malaka/1/undo", &[("of", "1"), ("moves", "1"), ("why", "x")]),
    ("/admin/leave", &[]),
];

/// Returns a home in which carol is an administrator, and alice and bob play Malaka 1.
fn administered() -> WebHome {
    let town = WebHome::with_board();
    town.moderate("appoint carol she helps");
    town.letters();
    town
}

/// Returns the code of the latest mail to carol.
#[track_caller]
fn mailed_code(town: &WebHome) -> String {
    let letters = town.letters();
    let (_, letter) = letters.iter().rfind(|(to, _)| to.starts_with("carol@")).expect("a mail");
    let code = letter.lines().find(|line| line.trim().starts_with("carol-")).expect("a code");
    code.trim().to_owned()
}

fn enter(browser: &mut Browser, code: &str) -> Reply {
    let form = browser.form("/admin/enter", "/admin/enter").with("code", code);
    browser.send(&form)
}

/// Raises carol's session by the code of a mail.
#[track_caller]
fn raised(town: &WebHome) -> Browser<'_> {
    let mut carol = Browser::of(town, "carol");
    raise(town, &mut carol);
    carol
}

#[track_caller]
fn raise(town: &WebHome, carol: &mut Browser) {
    let form = carol.form("/admin/enter", "/admin/code");
    assert_eq!(carol.send(&form).status, 303);
    let code = mailed_code(town);
    let reply = enter(carol, &code);
    assert_eq!(reply.header("location"), "/admin", "{}", reply.body);
}

/// Returns the form that asks for the code of an act.
#[track_caller]
fn asking(page: &str) -> Form {
    assert!(page.contains("Code from the mail"), "{page}");
    let is_act = |form: &Form| form.fields.iter().any(|(name, _)| name == "why" || name == "act");
    forms(page).into_iter().find(is_act).unwrap()
}

/// Returns the log of acts: who, what, about whom.
fn acts(town: &WebHome) -> Vec<String> {
    let mut world = World::default();
    world.load(&[audit_key(0)], &*town.home.open().unwrap()).unwrap();
    let line = |AuditEntry { record, .. }: &AuditEntry| {
        format!("{} {} {}: {}", record.by, record.act, record.about, record.why)
    };
    world.audit_page(0).unwrap().iter().map(line).collect()
}

/// Where no code can be mailed, a form for it would be a dead end.
#[test]
fn who_gets_no_mails_is_told_another_way_in() {
    let town = WebHome::silent();
    town.moderate("appoint carol she helps");
    let page = Browser::of(&town, "carol").get("/admin/enter").body;
    assert!(
        main_text(&page).contains("and this server sends no mails. Use the command line"),
        "{page}"
    );
    assert!(!page.contains("action=\"/admin/code\""), "{page}");
    // What the page names exists.
    for command in page.split("<code>postboard ").skip(1) {
        let word = command.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap();
        let is_known = word.is_empty() || Cli::command().find_subcommand(word).is_some();
        assert!(is_known, "{word}");
    }
}

#[test]
fn the_pages_do_not_exist_for_guests_and_players() {
    let town = administered();
    let mut bob = Browser::of(&town, "bob");
    let missing = main_text(&bob.get("/nothing/here/at/all").body);
    for page in PAGES.iter().chain(&["/admin/enter", "/admin/enter?code=bob-x", "/admin/parked/x"])
    {
        for browser in [&mut bob, &mut Browser::new(&town)] {
            let reply = browser.get(page);
            assert_eq!(
                (reply.status.as_u16(), main_text(&reply.body)),
                (404, missing.clone()),
                "{page}"
            );
        }
    }
    let settings = bob.form("/settings", "/say");
    for (action, fields) in
        DEEDS.iter().chain(&[("/admin/code", &[][..]), ("/admin/enter", &[("code", "x")])])
    {
        let mut form = Form { action: (*action).to_owned(), ..settings.clone() };
        for (name, value) in *fields {
            form = form.with(name, value);
        }
        let reply = bob.send(&form.with("page", "/boards"));
        assert_eq!(reply.status, 404, "{action}: {}", reply.body);
    }
    let before = acts(&town);
    assert_eq!(before, ["operator jane appoint carol: she helps"]);
    assert!(!bob.get("/settings").body.contains("href=\"/admin\""));
    town.assert_sound();
}

#[test]
fn an_administrator_enters_by_a_code_from_a_mail() {
    let town = administered();
    let mut carol = Browser::of(&town, "carol");
    let settings = carol.form("/settings", "/say");
    for page in PAGES {
        let reply = carol.get(page);
        let to: String = form_urlencoded::byte_serialize(page.as_bytes()).collect();
        assert_eq!(reply.status, 303, "{page}");
        assert_eq!(reply.header("location"), format!("/admin/enter?back={to}"));
    }
    for (action, fields) in &DEEDS[..5] {
        let mut form = Form { action: (*action).to_owned(), ..settings.clone() };
        for (name, value) in *fields {
            form = form.with(name, value);
        }
        let reply = carol.send(&form.with("page", "/boards"));
        assert_eq!(
            reply.header("location"),
            "/admin/enter?back=%2Fadmin",
            "{action}: {}",
            reply.body
        );
    }
    enter(&mut carol, "carol-abcdefghijklmnop").says(422, "his code is wrong");
    let form = carol.form("/admin/enter?back=%2Fadmin%2Fparked", "/admin/code");
    let asked = carol.send(&form);
    assert_eq!(
        asked.header("location"),
        "/admin/enter?back=%2Fadmin%2Fparked&notice=administrator-code"
    );
    let code = mailed_code(&town);
    // The link of the mail fills the code in.
    assert!(
        carol.get(&format!("/admin/enter?code={code}")).body.contains(&format!("value=\"{code}\""))
    );
    let form = carol.form("/admin/enter?back=%2Fadmin%2Fparked", "/admin/enter");
    let entered = carol.send(&form.with("code", &code));
    assert_eq!(entered.header("location"), "/admin/parked", "{}", entered.body);
    for page in PAGES {
        carol.get(page).says(200, "Leave the administrators");
    }
    assert_eq!(acts(&town)[1..], ["carol enter carol: "]);
    // The code is used up, also for another browser.
    let mut other = Browser::of(&town, "carol");
    assert_eq!(enter(&mut other, &code).status, 422);
    assert_eq!(other.get("/admin").status, 303);
    town.assert_sound();
}

#[test]
fn a_stolen_cookie_is_not_enough() {
    let town = administered();
    let mut carol = raised(&town);
    // The session cookie alone.
    let mut thief = Browser::new(&town);
    thief.cookie.clone_from(&carol.cookie);
    assert_eq!(thief.get("/admin").status, 303);
    // The second cookie with another session of the same user.
    let mut other = Browser::of(&town, "carol");
    other.raised.clone_from(&carol.raised);
    assert_eq!(other.get("/admin").status, 303);
    // Both, once the administrator has left.
    thief.raised.clone_from(&carol.raised);
    assert_eq!(thief.get("/admin").status, 200);
    let form = carol.form("/admin", "/admin/leave");
    assert_eq!(carol.send(&form).header("location"), "/settings");
    assert_eq!(thief.get("/admin").status, 303);
    // Both, when the time is up.
    raise(&town, &mut carol);
    town.wait(minutes(29));
    assert_eq!(carol.get("/admin").status, 200);
    town.wait(minutes(1));
    assert_eq!(carol.get("/admin").status, 303);
    // An administrator who is dismissed has no pages, whatever their cookies.
    raise(&town, &mut carol);
    town.moderate("dismiss carol she left");
    assert_eq!(carol.get("/admin").status, 404);
    // No document and no export has the secret.
    town.moderate("appoint carol she is back");
    raise(&town, &mut carol);
    let documents = town.documents();
    assert!(documents.values().any(|text| text.contains("\"raised\"")));
    assert!(documents.values().all(|text| !text.contains(&carol.raised)));
    let stored = town.user("carol", |user| serde_json::to_value(&user.unwrap().raised).unwrap());
    let tag = stored["tag"].as_str().unwrap();
    assert!(!carol.get("/admin/users/carol").says(200, "carol@example.org").body.contains(tag));
    town.assert_sound();
}

#[test]
fn a_code_is_for_one_act_and_ten_minutes() {
    let town = administered();
    let mut carol = raised(&town);
    // The page names what the command line still has to do, while the addresses are known.
    let page = main_text(&carol.get("/admin/users/bob").body);
    assert!(page.contains("postboard user erase bob bob@example.org"), "{page}");
    let form = carol.form("/admin/users/bob", "/admin/users/bob/erase").with("why", "he asked me");
    let question = carol.send(&form).says(200, "Remove and erase bob?");
    let form = asking(&question.body);
    // The code for another user does not do.
    let of_alice = carol.form("/admin/users/alice", "/admin/users/alice/erase").with("why", "x");
    let alice_form = asking(&carol.send(&of_alice).says(200, "Remove and erase alice?").body);
    let letters = town.letters();
    let code_to = |what: &str| {
        let (_, letter) = letters.iter().find(|(_, text)| text.contains(what)).expect("a mail");
        letter.lines().map(str::trim).find(|line| line.starts_with("carol-")).expect("a code")
    };
    let (of_bob, of_alice) = (code_to("erase bob."), code_to("erase alice."));
    carol.send(&form.clone().with("code", of_alice)).says(422, "his code is wrong");
    assert!(town.user("bob", |user| user.unwrap().left.is_none()));
    let form = form.with("code", of_bob);
    let done = carol.send(&form);
    assert_eq!(done.header("location"), "/admin/users/bob?notice=moderated", "{}", done.body);
    assert!(town.user("bob", |user| user.unwrap().left.unwrap().erased));
    assert_eq!(acts(&town)[2..], ["carol erase bob: he asked me"]);
    let page = carol.get("/admin/users/bob").body;
    assert!(main_text(&page).contains("postboard user erase bob <address>"), "{page}");
    assert!(forms(&page).iter().all(|form| !form.action.ends_with("/erase")));
    // The same form once more does nothing more.
    assert_eq!(carol.send(&form).status, 422);
    town.wait(minutes(10));
    carol.send(&alice_form.with("code", of_alice)).says(422, "his code is wrong");
    assert!(town.user("alice", |user| user.unwrap().left.is_none()));
    assert_eq!(acts(&town).len(), 3);
    town.assert_sound();
}

#[test]
fn parked_mails_are_read_as_text_retried_and_deleted() {
    let town = administered();
    let hostile = "From: x@example.org\r\nSubject: <img src=x>\x1b[2J\u{202e}\r\n\r\n\
                   games+bmalaka1m1-abcdefghijklmnop@example.org <script>alert(1)</script>";
    town.park(hostile.as_bytes(), "it <b>crashed</b> three times");
    town.park(b"From: y@example.org\r\n\r\nhelp", "it crashed, too");
    let mut carol = raised(&town);
    let list = carol.get("/admin/parked").says(200, "it &lt;b&gt;crashed");
    let paths = attributes(&list.body, "main table a", "href");
    // The latest first.
    let [second, first] = &paths[..] else { panic!("{paths:?}") };
    let shown = carol.get(first).says(200, "&lt;script&gt;alert(1)&lt;/script&gt;").body;
    assert_eq!(texts(&shown, "main img, main script"), [""; 0]);
    assert!(!shown.contains(['\u{1b}', '\u{202e}']) && shown.contains("\u{fffd}[2J"));
    assert!(!shown.contains("abcdefghijklmnop"), "a reply address is a secret");
    for path in ["/admin/parked/..%2Fkey", "/admin/parked/key"] {
        assert_eq!(carol.get(path).status, 404, "{path}");
    }
    let retry = carol.form_with(first, "/admin/stuck", "act", "retry");
    assert_eq!(carol.send(&retry).header("location"), "/admin/parked?notice=moderated");
    assert_eq!(town.home.waiting_mails().unwrap().len(), 1);
    assert_eq!(carol.send(&retry).says(422, "gone already").status, 422);
    let delete = carol.form_with(second, "/admin/stuck", "act", "drop");
    let question = carol.send(&delete).says(200, "Delete mail ");
    assert_eq!(town.home.parked_mails().unwrap().len(), 1, "it is not deleted without a code");
    let (form, code) = (asking(&question.body), mailed_code(&town));
    carol.send(&form.clone().with("code", "carol-abcdefghijklmnop")).says(422, "his code is wrong");
    assert_eq!(town.home.parked_mails().unwrap().len(), 1, "nor with a wrong one");
    assert_eq!(carol.send(&form.with("code", &code)).status, 303);
    assert!(town.home.parked_mails().unwrap().is_empty());
    let [_, _, retried, dropped] = &acts(&town)[..] else { panic!("{:?}", acts(&town)) };
    assert!(retried.starts_with("carol retry mail ") && dropped.starts_with("carol drop mail "));
    carol.get("/admin/queues").says(200, "1 waiting");
    town.assert_sound();
}

#[test]
fn letters_are_listed_without_their_contents() {
    let town = administered();
    let mut carol = raised(&town);
    town.say("forgot bob");
    let queues = carol.get("/admin/queues").says(200, "bob@example.org");
    assert!(main_text(&queues.body).contains("1 waiting or given up"), "{}", queues.body);
    assert!(!queues.body.contains("bob-"), "a letter has codes");
    // A letter that was not tried yet needs no help.
    assert!(forms(&queues.body).iter().all(|form| form.action != "/admin/stuck"));
    town.assert_sound();
}

#[test]
fn the_log_of_acts_names_a_letter_without_its_address() {
    let town = administered();
    let mut carol = raised(&town);
    town.say("forgot bob");
    town.park(b"From: x@example.org\r\n\r\nhelp", "it crashed");
    let parked = town.home.parked_mails().unwrap().remove(0).name;
    let letter = town.home.unsent_letters().unwrap().remove(0).letter;
    assert_eq!(letter.to.as_str(), "bob@example.org");
    let form = carol.form_with(&format!("/admin/parked/{parked}"), "/admin/stuck", "act", "retry");
    let done = carol.send(&form.with("name", &letter.name));
    assert_eq!(done.header("location"), "/admin/parked?notice=moderated", "{}", done.body);
    assert_eq!(acts(&town)[2..], [format!("carol retry letter {}: ", letter.name)]);
    town.assert_sound();
}

#[test]
fn the_status_tells_what_the_command_line_tells() {
    let town = administered();
    let mut carol = raised(&town);
    let status = carol.get("/admin").says(200, "&lt;b&gt;late&lt;/b&gt;");
    let words = main_text(&status.body);
    assert!(
        words.contains("No task of this process fails.") && words.contains("Mails 3 waiting"),
        "{words}"
    );
    let examined = main_text(&carol.get("/admin/doctor").body);
    assert!(examined.contains("disk mend 42 MB free: make room"), "{examined}");
}

#[test]
fn users_are_found_suspended_and_shown_without_secrets() {
    let town = administered();
    let mut carol = raised(&town);
    for wanted in ["BOB", "bob@example.org"] {
        carol.get(&format!("/admin/users?find={wanted}")).says(200, "href=\"/admin/users/bob\"");
    }
    carol.get("/admin/users?find=nobody@example.org").says(200, "There is no such user.");
    let page = carol.get("/admin/users/bob").says(200, "bob@example.org");
    let hash = town.user("bob", |user| user.unwrap().password.clone());
    assert!(!page.body.contains(&hash) && !page.body.contains("argon2"));
    let form = carol.form("/admin/users/bob", "/admin/users/bob/sanction");
    let form = form.with("act", "suspend").with("subject", "bob").with("why", "insults");
    let form = form.with("until", "2026-12-20");
    let question = carol.send(&form).says(200, "Suspend bob?");
    let sure = forms(&question.body).into_iter().find(|form| form.action.ends_with("sanction"));
    let done = carol.send(&sure.unwrap());
    assert_eq!(done.header("location"), "/admin/users/bob?notice=moderated", "{}", done.body);
    let kind = town.user("bob", |user| user.unwrap().sanction.as_ref().unwrap().kind);
    assert_eq!(kind, SanctionKind::Suspension);
    assert_eq!(acts(&town)[2..], ["carol suspend bob: insults"]);
    // Administrators do not act on each other.
    let form = carol.form("/admin/users/carol", "/admin/users/carol/erase").with("why", "x");
    assert_eq!(carol.send(&form).status, 403);
    town.assert_sound();
}

#[test]
fn moves_are_taken_back_and_a_refusal_is_not_in_the_log() {
    let town = administered();
    let board = MALAKA;
    town.play(board, 3);
    town.letters();
    let mut carol = raised(&town);
    let moves = || town.board(board, postboard::model::board::Board::next_move);
    let before = moves();
    carol.get("/admin/boards?game=malaka&number=1").says(303, "");
    carol.get("/admin/boards/malaka/1").says(200, "its record can be replayed");
    let take_back = |carol: &mut Browser, count: &str| {
        let form = carol.form("/admin/boards/malaka/1", "/admin/boards/malaka/1/undo");
        carol.send(&form.with("moves", count).with("why", "a slip"))
    };
    take_back(&mut carol, "99").says(422, "");
    take_back(&mut carol, "0").says(422, "Write a whole number, at least 1.");
    assert!(town.letters().is_empty(), "no code for what is refused");
    // A move that comes meanwhile is not taken back instead.
    let page = carol.get("/admin/boards/malaka/1").says(200, "3 decisions can be taken back");
    assert!(page.body.contains("name=\"of\" value=\"3\""), "{}", page.body);
    let question = take_back(&mut carol, "2").says(200, "Take back 2 of 3 on malaka 1?");
    let form = asking(&question.body).with("code", &mailed_code(&town));
    town.play(board, 1);
    carol.send(&form).says(422, "alaka 1 has 4 decisions now, not 3: look at it again");
    carol.send(&form.with("of", "4")).says(422, "his code is wrong");
    assert_eq!((moves(), acts(&town).len()), (before + 1, 2));
    town.letters();
    let before = moves();
    let question = take_back(&mut carol, "2").says(200, "Take back 2 of 4 on malaka 1?");
    let code = mailed_code(&town);
    let done = carol.send(&asking(&question.body).with("code", &code));
    assert_eq!(done.header("location"), "/admin/boards/malaka/1?notice=moderated", "{}", done.body);
    assert_eq!(moves(), before - 2);
    assert_eq!(acts(&town)[2..], ["carol undo 2 of 4 on malaka 1: a slip"]);
    let told: Vec<String> = town.letters().into_iter().map(|(to, _)| to).collect();
    assert!(told.iter().any(|to| to.starts_with("alice@")), "{told:?}");
    carol.get("/admin/boards/malaka/99").says(200, "");
    town.assert_sound();
}

#[test]
fn settings_change_with_a_code_and_only_to_what_they_may_be() {
    let town = administered();
    let mut carol = raised(&town);
    let change = |carol: &mut Browser, key: &str, value: &str| {
        let form = carol.form_with("/admin/settings", "/admin/settings", "key", "mails_a_day");
        carol.send(&form.with("key", key).with("value", value))
    };
    for (key, value) in [("mails_a_day", "0"), ("mails_a_day", "x"), ("address", "x@example.org")] {
        assert_eq!(change(&mut carol, key, value).status, 422, "{key} {value}");
    }
    assert!(town.letters().is_empty(), "no code for what is refused");
    let question = change(&mut carol, "mails_a_day", "77").says(200, "Set mails_a_day to 77?");
    let mut all = forms(&question.body).into_iter();
    let form = all.find(|form| form.action == "/admin/settings").unwrap();
    // The code is for this value alone.
    let code = mailed_code(&town);
    let other = form.clone().with("value", "78").with("code", &code);
    carol.send(&other).says(422, "his code is wrong");
    let done = carol.send(&form.with("code", &code));
    assert_eq!(done.header("location"), "/admin/settings?notice=moderated", "{}", done.body);
    carol.get("/admin/settings").says(200, "value=\"77\"");
    assert_eq!(acts(&town)[2..], ["carol configure mails_a_day = 77: "]);
    town.assert_sound();
}

#[test]
fn forms_of_other_pages_and_sessions_are_refused() {
    let town = administered();
    town.park(b"From: x@example.org\r\n\r\nhelp", "it crashed");
    let mut carol = raised(&town);
    let path = town.home.parked_mails().unwrap().remove(0).name;
    let form = carol.form_with(&format!("/admin/parked/{path}"), "/admin/stuck", "act", "retry");
    for headers in [
        &[("origin", "https://evil.example"), ("sec-fetch-site", "cross-site")][..],
        &[("origin", "https://evil.example")],
    ] {
        assert_eq!(carol.send_as(&form, headers).status, 403);
    }
    assert_eq!(carol.send(&form.clone().with("token", "guessed")).status, 403);
    let bare = Request::post("/admin/stuck").body(Body::empty()).unwrap();
    assert_eq!(town.send(bare).status, 400);
    assert_eq!(town.home.parked_mails().unwrap().len(), 1);
    assert_eq!(carol.send(&form).status, 303);
}
