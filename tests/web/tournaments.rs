//! Tournaments on pages: opened, entered and left by buttons, with tables that update themselves.

use crate::support::web::browser::{Browser, forms};
use crate::support::web::home::{Reply, WebHome};
use crate::support::web::page::main_text;

const PAGE: &str = "/reversi/tournament/1";

#[test]
fn a_tournament_is_opened_entered_left_and_played_by_buttons() {
    let town = WebHome::new();
    let mut alice = Browser::of(&town, "alice");
    let mut bob = Browser::of(&town, "bob");
    let mut stranger = Browser::new(&town);
    assert!(main_text(&stranger.get("/tournaments").body).contains("There are no tournaments"));
    let form = alice.form_with("/reversi/tournaments", "/say", "verb", "tournament");
    let form = form.with("option.-players", "2").with("option.-format", "single");
    let reply = alice.send(&form);
    assert_eq!(reply.status, 303, "{}", reply.body);
    assert_eq!(reply.header("location"), "/reversi/tournaments?notice=opened");
    let list = main_text(&stranger.get("/tournaments").body);
    assert!(list.contains("Open for entry") && list.contains("Reversi tournament 1"), "{list}");

    // A stranger is asked to sign in; a user enters and leaves.
    let seen = stranger.get(PAGE).body;
    assert!(
        forms(&seen).is_empty() && seen.contains("/signin?back=/reversi/tournament/1"),
        "{seen}"
    );
    assert_eq!(bob.press(PAGE, "join"), "/reversi/tournament/1?notice=entered");
    assert!(main_text(&stranger.get(PAGE).body).contains("Entered so far bob"));
    let form = bob.form_with(PAGE, "/say", "word", "leave");
    let question = bob.send(&form);
    assert!(question.body.contains("Leave Reversi tournament 1?"), "{}", question.body);
    let confirmed = forms(&question.body).into_iter().find(|form| form.action == "/say").unwrap();
    assert_eq!(bob.send(&confirmed).header("location"), "/reversi/tournament/1?notice=left");
    assert!(!main_text(&stranger.get(PAGE).body).contains("bob"));

    // The second entry starts it: the table links to the board and follows it.
    bob.press(PAGE, "join");
    alice.press(PAGE, "join");
    let running = stranger.get(PAGE).body;
    assert!(running.contains("href=\"/reversi/1\""), "{running}");
    assert!(main_text(&running).contains("Round 1 until"), "{running}");
    assert!(main_text(&alice.get("/boards").body).contains("Reversi 1"));
    let (status, mut events) = stranger.listen("/events?tournament=reversi+1");
    assert_eq!(status, 200);
    town.heard(&mut events);
    town.say("reversi resign 1 bob");
    assert_eq!(town.heard(&mut events), "data: changed\n\n");
    let ended = main_text(&stranger.get(PAGE).body);
    assert!(ended.contains("won by alice"), "{ended}");
    let json: serde_json::Value =
        serde_json::from_str(&stranger.get("/api/v1/tournaments/reversi/1").body).unwrap();
    assert_eq!((&json["stage"], &json["round"]), (&"ended".into(), &1.into()));
    let first = &json["tables"][0]["rows"][0];
    assert_eq!((&first["player"], &first["points"]), (&"alice".into(), &1.0.into()));
    assert_eq!(first["games"][0]["board"], 1);
    let list: serde_json::Value =
        serde_json::from_str(&stranger.get("/api/v1/games/reversi/tournaments").body).unwrap();
    assert_eq!(list["tournaments"][0]["number"], 1);
    assert_eq!(stranger.get("/api/v1/tournaments/reversi/2").status, 404);
    assert!(forms(&alice.get(PAGE).body).iter().all(|form| form.action != "/say"));
    assert!(main_text(&stranger.get("/reversi/tournaments").body).contains("Ended"));
    town.assert_sound();
}

/// Sends the form of a captain with a userid.
fn ask(browser: &mut Browser, word: &str, user: &str) -> Reply {
    let mut form = browser.form_with(PAGE, "/say", "word", word);
    form.fields.retain(|(name, value)| name != "word" || !value.is_empty());
    form.fields.push(("word".into(), user.into()));
    browser.send(&form)
}

#[test]
fn a_team_match_is_arranged_by_buttons() {
    let town = WebHome::new();
    let [mut alice, mut bob, mut carol] =
        ["alice", "bob", "carol"].map(|it| Browser::of(&town, it));
    let form = alice.form_with("/reversi/tournaments", "/say", "verb", "tournament");
    let reply = alice.send(&form.with("option.-format", "teams"));
    assert_eq!(reply.header("location"), "/reversi/tournaments?notice=opened");
    assert!(main_text(&alice.get(PAGE).body).contains("Team alice alice"));
    let asked = ask(&mut alice, "challenge", "bob");
    assert_eq!(asked.header("location"), "/reversi/tournament/1?notice=invited");
    let seen = carol.get(PAGE).body;
    assert!(main_text(&seen).contains("The captains invite the players."), "{seen}");
    assert!(forms(&seen).iter().all(|form| form.action != "/say"), "{seen}");
    assert_eq!(bob.press(PAGE, "join"), "/reversi/tournament/1?notice=entered");
    let refused = ask(&mut alice, "invite", "nobody").body;
    assert!(refused.contains("cannot be invited") && refused.contains("nobody"), "{refused}");
    ask(&mut bob, "invite", "carol");
    assert!(main_text(&alice.get(PAGE).body).contains("Invited to team bob: carol"));
    carol.press(PAGE, "join");
    for (at, user) in ["dora", "eve", "fay", "gus", "hal"].into_iter().enumerate() {
        town.player_says(&format!("signup {user} secret {user}@example.org"));
        let captain = if at < 2 { "bob" } else { "alice" };
        town.player_says(&format!("reversi tournament invite 1 {user} {captain} secret"));
        town.player_says(&format!("reversi tournament join 1 {user} secret"));
    }
    let running = alice.get(PAGE).body;
    let words = main_text(&running);
    assert!(words.contains("Score: team alice 0, team bob 0, 4 games in progress"), "{words}");
    assert!(words.contains("Team alice") && !words.contains("SB"), "{words}");
    for board in 1..=4 {
        assert!(running.contains(&format!("href=\"/reversi/{board}\"")), "{running}");
    }
    town.say("reversi resign 1 bob");
    let words = main_text(&alice.get(PAGE).body);
    assert!(words.contains("team alice 1, team bob 0, 3 games in progress"), "{words}");
    let api = alice.get("/api/v1/tournaments/reversi/1").body;
    let json: serde_json::Value = serde_json::from_str(&api).unwrap();
    assert_eq!(json["tables"][0]["rows"][0]["points"], 1.0);
    town.assert_sound();
}

#[test]
fn what_is_refused_is_told_on_the_page_of_its_form() {
    let town = WebHome::new();
    let mut alice = Browser::of(&town, "alice");
    let form = alice.form_with("/reversi/tournaments", "/say", "verb", "tournament");
    let refused = alice.send(&form.with("option.-players", "3").with("option.-least", "4"));
    assert!(refused.body.contains("cannot need 4"), "{}", refused.body);
    assert!(refused.body.contains("value=\"3\""), "what was typed is kept: {}", refused.body);
    for odd in ["/reversi/tournament/1", "/reversi/tournament/x", "/ludo/tournament/1"] {
        assert_eq!(alice.get(odd).status, 404, "{odd}");
    }
    for odd in ["reversi", "reversi+x", "ludo+1"] {
        assert_eq!(alice.listen(&format!("/events?tournament={odd}")).0, 404, "{odd}");
    }
}
