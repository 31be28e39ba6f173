//! Fair play on pages: reports of players, and the acts of administrators.

use crate::support::web::browser::{Browser, Form, forms};
use crate::support::web::home::{Reply, WebHome};
use crate::support::web::page::{links, main_text};
use postboard::model::moderation::{BanSubject, SanctionKind, ban_key};
use postboard::store::Home as _;

/// Returns a home in which bob has insulted alice on Malaka 1, and carol is an administrator.
fn insulted() -> WebHome {
    let town = WebHome::with_board();
    town.player_says("malaka chat 1 bob secret you-donkey");
    town.moderate("appoint carol she helps");
    town.letters();
    town
}

/// Returns the form with which a browser reports a player from this page.
fn report(browser: &mut Browser, page: &str, reason: &str) -> Reply {
    let form = browser.form_with(page, "/say", "verb", "report");
    browser.send(&form.with("comment", reason))
}

/// Sends a form of an administrator, and confirms it.
#[track_caller]
fn confirmed(browser: &mut Browser, form: &Form, title: &str) -> Reply {
    let question = browser.send(form);
    assert!(question.body.contains(title), "{}", question.body);
    let mut all = forms(&question.body).into_iter();
    let form = all.rfind(|form| form.action == "/moderation").unwrap();
    browser.send(&form)
}

#[test]
fn a_player_is_reported_from_three_pages_and_learns_nothing() {
    let town = insulted();
    let [mut alice, mut bob, mut carol] =
        ["alice", "bob", "carol"].map(|user| Browser::of(&town, user));
    let before: Vec<String> = ["/player/alice", "/settings", "/malaka/1", "/boards"]
        .iter()
        .map(|page| main_text(&bob.get(page).body))
        .collect();
    let [of_player] = &links(&alice.get("/player/bob").body, "Report bob")[..] else { panic!() };
    let [of_board] = &links(&alice.get("/malaka/1").body, "Report bob")[..] else { panic!() };
    let [of_message] = &links(&alice.get("/malaka/1").body, "Report this message")[..] else {
        panic!()
    };
    assert!(main_text(&alice.get(of_message).body).contains("you-donkey"));
    let done = report(&mut alice, of_player, "he insults me");
    assert_eq!(done.header("location"), "/player/bob?notice=reported");
    let done = report(&mut alice, of_board, "he stalls");
    assert_eq!(done.header("location"), "/malaka/1?notice=reported");
    // The message is reason enough.
    assert_eq!(report(&mut alice, of_message, "").header("location"), "/malaka/1?notice=reported");
    let empty = report(&mut alice, of_player, "");
    assert_eq!(empty.status, 422);
    assert!(empty.body.contains("The reason of your report is missing"), "{}", empty.body);

    // Nobody but alice and the administrators learns of it.
    let after: Vec<String> = ["/player/alice", "/settings", "/malaka/1", "/boards"]
        .iter()
        .map(|page| main_text(&bob.get(page).body))
        .collect();
    assert_eq!(before, after);
    assert!(town.letters().iter().all(|(to, _)| !to.starts_with("bob@")));
    let list = main_text(&carol.get("/moderation").body);
    assert!(list.contains("bob he insults me alice") && list.contains("bob he stalls"), "{list}");
    let third = main_text(&carol.get("/moderation/report/3").body);
    assert!(third.contains("UTC reported you-donkey"), "{third}");
    let second = main_text(&carol.get("/moderation/report/2").body);
    assert!(second.contains("you-donkey") && !second.contains("UTC reported"), "{second}");
    town.assert_sound();
}

#[test]
fn evidence_stays_when_its_author_is_erased() {
    let town = insulted();
    let (mut alice, mut carol) = (Browser::of(&town, "alice"), Browser::of(&town, "carol"));
    report(&mut alice, "/report?player=bob&game=malaka&number=1", "he insults me");
    let code = {
        town.say("delete bob");
        let letters = town.letters();
        let (_, asked) = letters.iter().find(|(to, _)| to.starts_with("bob@")).unwrap();
        let line = asked.lines().find(|line| line.contains("delete bob <password> ")).unwrap();
        line.trim().rsplit(' ').next().unwrap().to_owned()
    };
    town.say(&format!("delete bob {code}"));
    assert!(!main_text(&alice.get("/malaka/1").body).contains("you-donkey"));
    assert!(main_text(&carol.get("/moderation/report/1").body).contains("you-donkey"));
    town.assert_sound();
}

#[test]
fn the_form_of_a_report_shows_nothing_that_its_reader_may_not_see() {
    let town = insulted();
    town.say("malaka challenge alice bob --private");
    let at = town.now().unix();
    let mut carol = Browser::of(&town, "carol");
    for page in [
        "/report",
        "/report?player=nobody",
        "/report?player=carol",
        "/report?player=board1",
        "/report?player=carol&game=malaka&number=1",
        "/report?player=bob&game=malaka&number=99",
        &format!("/report?player=bob&game=malaka&number=1&message={at}"),
    ] {
        let reply = carol.get(page);
        assert!(
            reply.status == 404 && !reply.body.contains("you-donkey"),
            "{page}: {}",
            reply.body
        );
    }
    assert_eq!(carol.get("/report?player=bob&game=ludo&number=1").status, 422);
    assert_eq!(carol.get("/report?player=bob&message=now").status, 422);
    // The same form, whether or not there is a private board; sending it is refused.
    let reply = report(&mut carol, "/report?player=bob&game=malaka&number=1", "rude");
    assert_eq!(reply.status, 303, "{}", reply.body);
    assert!(!main_text(&carol.get("/moderation/report/1").body).contains("you-donkey"));
    let mut stranger = Browser::new(&town);
    assert!(stranger.get("/report?player=bob").header("location").starts_with("/signin"));
}

#[test]
fn pages_of_administrators_do_not_exist_for_others() {
    let town = insulted();
    let (mut alice, mut bob) = (Browser::of(&town, "alice"), Browser::of(&town, "bob"));
    let (mut carol, mut stranger) = (Browser::of(&town, "carol"), Browser::new(&town));
    report(&mut alice, "/report?player=bob", "he insults me");
    let missing = main_text(&bob.get("/nothing/here/at/all").body);
    for page in ["/moderation", "/moderation/log", "/moderation/report/1", "/moderation/report/9"] {
        for browser in [&mut alice, &mut bob, &mut stranger] {
            let reply = browser.get(page);
            assert_eq!(reply.status, 404, "{page}");
            assert_eq!(main_text(&reply.body), missing, "{page}");
        }
    }
    assert!(!bob.get("/settings").body.contains("/moderation"));
    assert!(carol.get("/settings").body.contains("/moderation"));
    // A form with the right token of another user's session.
    let form = carol.form_with("/moderation", "/moderation", "back", "/moderation");
    let form = form.with("act", "ban").with("subject", "alice").with("why", "I can");
    let own = bob.form_with("/settings", "/say", "verb", "set");
    let of = |name: &str| own.fields.iter().find(|(known, _)| known == name).unwrap().1.clone();
    let form = form.with("token", &of("token")).with("once", &of("once")).with("sure", "yes");
    let reply = bob.send(&form);
    assert_eq!(reply.status, 404, "{}", reply.body);
    assert!(town.user("alice", |alice| alice.is_some_and(|alice| alice.left.is_none())));
    // An administrator who was dismissed.
    town.moderate("dismiss carol she is tired");
    assert_eq!(carol.get("/moderation").status, 404);
}

#[test]
fn administrators_act_after_a_question_and_the_log_tells() {
    let town = insulted();
    let (mut alice, mut bob) = (Browser::of(&town, "alice"), Browser::of(&town, "bob"));
    let mut carol = Browser::of(&town, "carol");
    report(&mut alice, "/report?player=bob", "he insults me");
    town.letters();
    let form =
        carol.form_with("/moderation/report/1", "/moderation", "back", "/moderation/report/1");
    let page = carol.get("/moderation/report/1").body;
    assert!(page.contains("name=\"subject\" value=\"bob\""), "{page}");
    let act = |name: &str, until: &str, why: &str| {
        let form = form.clone().with("act", name).with("subject", "bob");
        form.with("until", until).with("why", why)
    };
    // What is refused is shown beside its field, with what was typed.
    let reply = carol.send(&act("suspend", "", "insults").and("sure", "yes"));
    assert_eq!(reply.status, 422);
    let words = main_text(&reply.body);
    assert!(words.contains("The end of the suspension is missing"), "{words}");
    let reply = carol.send(&act("suspend", "tomorrow", "insults"));
    assert_eq!(reply.status, 422);
    let words = main_text(&reply.body);
    assert!(words.contains("This is not a date. Write it like 2026-12-20."), "{words}");
    let form =
        carol.form_with("/moderation/report/1", "/moderation", "back", "/moderation/report/1");
    let form = form
        .with("act", "suspend")
        .with("subject", "bob")
        .with("until", "2030-01-01")
        .with("why", "insults");
    let asked = carol.send(&form);
    assert!(asked.body.contains("Suspend bob?"), "{}", asked.body);
    assert!(town.user("bob", |bob| bob.unwrap().sanction.is_none()), "nothing is done before");
    let done = confirmed(&mut carol, &form, "Suspend bob?");
    assert_eq!(done.header("location"), "/moderation/report/1?notice=moderated");
    let kind = town.user("bob", |bob| bob.unwrap().sanction.as_ref().unwrap().kind);
    assert_eq!(kind, SanctionKind::Suspension);
    let letters = town.letters();
    let (_, told) = letters.iter().find(|(to, _)| to.starts_with("bob@")).unwrap();
    assert!(told.contains("insults") && told.contains("postmaster@"), "{told}");
    assert!(!told.contains("carol") && !told.contains("alice"), "{told}");
    let seen = main_text(&carol.get("/moderation/report/1").body);
    assert!(seen.contains("bob is suspended until 2030-01-02 00:00 UTC: insults"), "{seen}");
    // The suspended player is told why.
    let message = bob.form_with("/player/alice", "/say", "verb", "message");
    let refused = bob.send(&message.with("comment", "Why?"));
    assert!(refused.body.contains("You are suspended until"), "{}", refused.body);

    let settle = carol.form_with("/moderation/report/1", "/moderation", "act", "settle");
    let done = confirmed(&mut carol, &settle.with("why", "suspended"), "Settle report 1?");
    assert_eq!(done.header("location"), "/moderation?notice=moderated");
    let letters = town.letters();
    assert!(letters.iter().any(|(to, text)| to.starts_with("alice@") && text.contains("settled")));
    let log = main_text(&carol.get("/moderation/log").body);
    for words in ["Settle report 1 carol, ", "Suspend bob until 2030-01-02 00:00 UTC carol, "] {
        assert!(log.contains(words), "{log}");
    }
    // Administrators cannot act on each other, or appoint others.
    town.moderate("appoint alice she helps, too");
    let form = carol.form_with("/moderation", "/moderation", "back", "/moderation");
    let form = form.with("act", "ban").with("subject", "alice").with("why", "envy");
    let refused = confirmed(&mut carol, &form, "Ban alice?");
    assert!(refused.body.contains("alice is an administrator"), "{}", refused.body);
    let form = carol.form_with("/moderation", "/moderation", "back", "/moderation");
    assert_eq!(
        carol.send(&form.with("act", "appoint").with("subject", "bob").with("why", "x")).status,
        404
    );
    town.assert_sound();
}

#[test]
fn a_banned_player_is_signed_out_and_told_why() {
    let town = insulted();
    let (mut bob, mut alice) = (Browser::of(&town, "bob"), Browser::of(&town, "alice"));
    town.moderate("ban bob cheating");
    assert!(bob.get("/boards").header("location").starts_with("/signin"));
    assert!(main_text(&alice.get("/malaka/1").body).contains("bob"));
    let told = bob.sign_in("bob", "secret");
    assert!(told.body.contains("You are banned: cheating"), "{}", told.body);
    assert!(told.body.contains("postmaster@"), "{}", told.body);
    let wrong = bob.sign_in("bob", "wrong-1");
    assert!(!wrong.body.contains("cheating"), "{}", wrong.body);
    town.assert_sound();
}

#[test]
fn a_banned_network_signs_nobody_up_or_in() {
    let town = insulted();
    town.moderate("ban 192.0.2.0/24 spam");
    let mut here = Browser::new(&town);
    let refused = "does not accept players from this address or network";
    assert!(here.sign_in("alice", "secret").body.contains(refused));
    let form = here.form("/signup", "/signup").with("user", "dave").with("password", "sesame-1");
    let reply = here.send(&form.with("address", "dave@example.org"));
    assert!(reply.body.contains(refused), "{}", reply.body);
    let guest = here.form("/malaka", "/play");
    assert!(here.send(&guest).body.contains(refused));
    let mut elsewhere = Browser::new(&town);
    elsewhere.at = [198, 51, 100, 1].into();
    assert_eq!(elsewhere.sign_in("alice", "secret").status, 303);
    town.moderate("lift 192.0.2.0/24 they are gone");
    assert_eq!(here.sign_in("alice", "secret").status, 303);
}

#[test]
fn an_unreadable_ban_is_not_taken_for_none() {
    let town = insulted();
    town.moderate("ban 192.0.2.0/24 spam");
    town.moderate("lift 192.0.2.0/24 they are gone");
    let mut here = Browser::new(&town);
    assert_eq!(here.sign_in("alice", "secret").status, 303);
    let key = ban_key(&BanSubject::parse("192.0.2.0/24").unwrap());
    town.damage(&key);
    let mut here = Browser::new(&town);
    let reply = here.sign_in("alice", "secret");
    assert!(reply.body.contains("This cannot be done at the moment"), "{}", reply.body);
    let store = town.home.open().unwrap();
    assert_eq!(store.load(&key).unwrap().text.as_deref(), Some("{"));
}
