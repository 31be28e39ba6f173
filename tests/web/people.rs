//! Profiles, and the marks that players put on each other, on pages and in the API.

use crate::support::web::browser::{Browser, Form};
use crate::support::web::home::WebHome;
use crate::support::web::page::{first_text, texts};
use postboard::base::time::Time;
use postboard::model::announcement::{
    Announcement, AnnouncementEvent, Announcements, announcements_key,
};
use postboard::model::document::Document as _;
use postboard::store::{DocumentChange, Home as _, Transaction};
use serde_json::Value;

/// Returns the form of the settings that saves a part of the profile.
fn profile_form(browser: &mut Browser, part: &str, words: &str) -> Form {
    let mut form = browser.form_with("/settings", "/say", "word", part);
    form.fields.retain(|(name, value)| name != "word" || value == part);
    form.fields.push(("word".into(), words.into()));
    form
}

#[test]
fn a_profile_is_written_in_the_settings_and_shown_to_everybody() {
    let town = WebHome::new();
    let mut alice = Browser::of(&town, "alice");
    assert!(alice.get("/player/alice").body.contains("Tell others about you"));
    for (part, words) in [
        ("about", "I play <b>slowly</b>\u{202e} and  for fun"),
        ("country", "Norway"),
        ("languages", "Norwegian, English"),
        ("pace", "daily"),
    ] {
        let form = profile_form(&mut alice, part, words);
        assert_eq!(alice.send(&form).header("location"), "/settings?notice=saved", "{part}");
    }
    let page = town.get("/player/alice").body;
    assert_eq!(first_text(&page, "main blockquote"), "I play <b>slowly</b> and for fun");
    let facts = "Country Norway Languages Norwegian, English Pace about a move a day";
    assert_eq!(first_text(&page, "main dl"), facts);
    assert!(!page.contains("Change your profile"));
    assert!(alice.get("/player/alice").body.contains("Change your profile"));
    assert!(alice.get("/settings").body.contains("value=\"Norway\""));
    let json: Value = serde_json::from_str(&town.get("/api/v1/players/alice").body).unwrap();
    assert_eq!(json["country"], "Norway");
    assert_eq!(json["pace"], "about a move a day");
    // An empty field removes its part.
    let form = profile_form(&mut alice, "country", "");
    alice.send(&form);
    let form = profile_form(&mut alice, "languages", &"x".repeat(81));
    let refused = alice.send(&form).body;
    assert!(first_text(&refused, "[role=alert]").contains("at most 80 characters"), "{refused}");
    let page = town.get("/player/alice").body;
    assert_eq!(
        first_text(&page, "main dl"),
        "Languages Norwegian, English Pace about a move a day"
    );
}

#[test]
fn nothing_that_a_muted_player_has_written_is_shown() {
    let town = WebHome::new();
    town.player_says("profile alice secret about you-donkeys");
    assert!(town.get("/player/alice").body.contains("you-donkeys"));
    town.moderate("mute alice insults");
    assert!(!town.get("/player/alice").body.contains("you-donkeys"));
    assert!(!town.get("/api/v1/players/alice").body.contains("you-donkeys"));
    let mut alice = Browser::of(&town, "alice");
    let form = profile_form(&mut alice, "about", "donkeys again");
    assert_eq!(alice.send(&form).status, 422);
}

#[test]
fn favourites_are_at_the_head_of_the_list_of_players() {
    let town = WebHome::new();
    let mut alice = Browser::of(&town, "alice");
    let heads = |page: &str| first_text(page, "main h2");
    assert_eq!(heads(&alice.get("/players").body), "");
    let star = alice.form_with("/players", "/say", "word", "carol");
    assert!(star.fields.contains(&("verb".into(), "favourite".into())));
    assert_eq!(alice.send(&star).header("location"), "/players?notice=favourite");
    let page = alice.get("/players").body;
    assert_eq!(heads(&page), "Your favourites");
    assert!(
        first_text(&page, "main table")
            .starts_with("Player Joined Highest ratings Favourite carol")
    );
    assert!(page.contains("Take carol off your favourites"));
    assert_eq!(heads(&alice.get("/players?q=b").body), "", "a search has no favourites");
    for other in [town.get("/players").body, Browser::of(&town, "bob").get("/players").body] {
        assert!(!other.contains("favourites"), "{other}");
    }
    let star = alice.form_with("/player/carol", "/say", "verb", "unfavourite");
    assert_eq!(alice.send(&star).header("location"), "/player/carol?notice=no-favourite");
    assert_eq!(heads(&alice.get("/players").body), "");
}

#[test]
fn a_blocked_player_meets_a_player_who_takes_no_challenges() {
    let town = WebHome::new();
    let [mut alice, mut bob] = ["alice", "bob"].map(|user| Browser::of(&town, user));
    town.player_says("malaka seek bob secret");
    assert!(alice.get("/malaka").body.contains(">bob</a> wants"));
    let before = first_text(&bob.get("/player/alice").body, "main");
    let block = alice.form_with("/player/bob", "/say", "verb", "block");
    assert_eq!(alice.send(&block).header("location"), "/player/bob?notice=blocked");
    let page = alice.get("/player/bob").body;
    assert!(page.contains("Unblock bob") && page.contains("Mute bob"), "{page}");
    assert!(!page.contains("Begin a game with bob"), "{page}");
    assert!(!alice.get("/malaka").body.contains(">bob</a> wants"));
    assert!(town.get("/malaka").body.contains(">bob</a> wants"), "others see it");
    assert_eq!(
        first_text(&bob.get("/player/alice").body, "main"),
        before,
        "bob sees no difference"
    );
    let challenge = |browser: &mut Browser, other: &str| {
        let mut form = browser.form_with("/settings", "/say", "word", "html");
        form.fields.retain(|(name, _)| name != "word");
        form = form.with("verb", "challenge").with("game", "malaka");
        form.fields.push(("word".into(), other.into()));
        first_text(&browser.send(&form).body, "[role=alert]")
    };
    let told = challenge(&mut bob, "alice");
    assert!(told.contains("alice does not accept challenges to this game"), "{told}");
    let told = challenge(&mut alice, "bob");
    assert!(told.contains("You have blocked bob"), "{told}");
    let unblock = alice.form_with("/settings", "/say", "verb", "unblock");
    assert_eq!(alice.send(&unblock).header("location"), "/settings?notice=unblocked");
}

#[test]
fn a_note_is_shown_to_its_player_alone() {
    let town = WebHome::with_board();
    let [mut alice, mut bob] = ["alice", "bob"].map(|user| Browser::of(&town, user));
    let before = bob.get("/malaka/1").body;
    let mut form = alice.form_with("/malaka/1", "/malaka/1", "verb", "note");
    form.fields.retain(|(name, _)| name != "comment");
    let mut write = |words: &str| alice.send(&form.clone().and("comment", words));
    assert_eq!(write("attack the left\nthen <b>wait</b>").header("location"), "/malaka/1");
    let note = |page: &str| first_text(page, "#note textarea");
    let page = alice.get("/malaka/1").body;
    assert_eq!(note(&page), "attack the left then <b>wait</b>");
    assert!(
        page.contains("Remove the note")
            && page.contains("<details class=\"note\" id=\"note\" open")
    );
    let page = bob.get("/malaka/1").body;
    assert_eq!(note(&page), "");
    assert!(!page.contains("attack"));
    assert_eq!(before.matches("Remove the note").count(), page.matches("Remove the note").count());
    assert!(!town.get("/malaka/1").body.contains("attack"));
    let remove = alice.form_with("/malaka/1", "/malaka/1", "verb", "note").with("say", "none");
    alice.send(&remove);
    assert_eq!(note(&alice.get("/malaka/1").body), "");
}

#[test]
fn an_opponent_is_found_and_challenged_with_one_click() {
    let town = WebHome::new();
    let mut alice = Browser::of(&town, "alice");
    alice.get("/malaka/players").says(200, "Nobody whom you could challenge has played lately");
    for user in ["bob", "carol"] {
        town.player_says(&format!("malaka challenge {user} board1"));
    }
    let names = |page: &str| texts(page, "tbody th");
    assert_eq!(names(&alice.get("/malaka/players").body), ["carol", "bob"]);
    let star = alice.form_with("/malaka/players", "/say", "word", "bob");
    assert!(star.fields.contains(&("verb".into(), "challenge".into())), "the first form of bob");
    town.player_says("favourite alice secret bob");
    let page = alice.get("/malaka/players").body;
    assert_eq!(names(&page), ["bob", "carol"]);
    assert!(first_text(&page, "main h1 + p").contains("near your rating"), "{page}");
    let visitors = town.get("/malaka/players").body;
    assert_eq!(names(&visitors).len(), 2);
    assert!(!visitors.contains("Challenge"), "{visitors}");
    assert!(town.get("/malaka").body.contains("href=\"/malaka/players\""));
    town.get("/symmetry/players").says(404, "");
    let form = alice.form_with("/malaka/players", "/say", "verb", "challenge");
    assert_eq!(alice.send(&form).header("location"), "/malaka/3");
    alice.get("/malaka/3").says(200, "bob");
}

#[test]
fn an_announcement_is_on_the_home_page_until_its_last_day() {
    let town = WebHome::new();
    assert_eq!(first_text(&town.get("/").body, ".news"), "");
    let mut board = Announcements::default();
    let today = town.now().day();
    for (words, until) in [("<b>Sunday</b>", today), ("Yesterday", today.plus(-1))] {
        let new = Announcement {
            number: board.next_number(),
            at: Time::EPOCH,
            until,
            words: words.into(),
        };
        board.apply(&AnnouncementEvent::Made(new));
    }
    let key = announcements_key();
    let mut store = town.home.open().unwrap();
    let was = store.load(&key).unwrap().version;
    let changes = vec![DocumentChange { key, was, text: board.to_text() }];
    store.commit(Transaction { changes, ..Transaction::default() }).unwrap();
    drop(store);
    assert_eq!(first_text(&town.get("/").body, ".news"), "<b>Sunday</b>");
}
