//! Ladders on pages: joined, left and climbed by buttons; a page offers no challenge that is refused.

use crate::support::web::browser::{Browser, forms};
use crate::support::web::home::WebHome;
use crate::support::web::page::{attributes, main_text};

const PAGE: &str = "/reversi/ladder";

/// Returns whom the page lets a browser challenge.
fn challenged(browser: &mut Browser, page: &str) -> Vec<String> {
    let page = browser.get(page).body;
    let labels = attributes(&page, "button[aria-label^=Challenge]", "aria-label");
    labels.iter().map(|label| label.replace("Challenge ", "")).collect()
}

#[test]
fn a_ladder_is_joined_climbed_and_left_by_buttons() {
    let town = WebHome::new();
    let mut alice = Browser::of(&town, "alice");
    let mut bob = Browser::of(&town, "bob");
    let mut stranger = Browser::new(&town);
    let empty = stranger.get(PAGE).body;
    assert!(main_text(&empty).contains("Nobody is on this ladder yet"), "{empty}");
    assert!(empty.contains("/signin?back=/reversi/ladder") && forms(&empty).is_empty());
    assert_eq!(alice.press(PAGE, "join"), "/reversi/ladder?notice=on-ladder");
    bob.press(PAGE, "join");
    assert!(main_text(&stranger.get("/ladders").body).contains("Reversi 2"));
    assert!(challenged(&mut alice, PAGE).is_empty(), "nobody is above her");
    assert_eq!(challenged(&mut bob, PAGE), ["alice"]);
    assert!(challenged(&mut stranger, PAGE).is_empty());
    assert!(bob.get(PAGE).body.contains("<tr class=\"own\" id=\"you\">"));

    // The challenge leads to the board, which says what it is for; the ladder follows.
    let (status, mut events) = stranger.listen("/events?ladder=reversi");
    assert_eq!(status, 200);
    town.heard(&mut events);
    assert_eq!(bob.press(PAGE, "challenge"), "/reversi/1");
    assert!(challenged(&mut bob, PAGE).is_empty(), "they play already");
    let board = alice.get("/reversi/1").body;
    assert!(board.contains("A game of the ladder") && board.contains("href=\"/reversi/ladder\""));
    assert!(!board.contains("Decline"), "{board}");
    assert!(stranger.get(PAGE).body.contains("href=\"/reversi/1\""));
    town.say("reversi resign 1 alice");
    assert_eq!(town.heard(&mut events), "data: changed\n\n");
    let over = main_text(&stranger.get(PAGE).body);
    assert!(over.contains("Latest results") && over.contains("bob beat alice"), "{over}");
    assert!(main_text(&bob.get(PAGE).body).contains("You are on place 1 of 2"));
    assert!(challenged(&mut alice, PAGE).is_empty(), "no rematch for a week");

    let told: serde_json::Value =
        serde_json::from_str(&stranger.get("/api/v1/games/reversi/ladder").body).unwrap();
    assert_eq!((&told["players"], &told["own"]), (&2.into(), &serde_json::Value::Null));
    assert_eq!(told["places"][0]["player"], "bob");
    assert_eq!(told["results"][0]["winner"], "bob");

    // Leaving is asked for once more.
    let form = bob.form_with(PAGE, "/say", "word", "leave");
    let question = bob.send(&form);
    assert!(question.body.contains("Leave the Reversi ladder?"), "{}", question.body);
    let confirmed = forms(&question.body).into_iter().find(|form| form.action == "/say").unwrap();
    assert_eq!(bob.send(&confirmed).header("location"), "/reversi/ladder?notice=off-ladder");
    assert!(main_text(&bob.get(PAGE).body).contains("You begin on the last place"));
    town.assert_sound();
}

#[test]
fn a_long_ladder_has_pages() {
    let town = WebHome::new();
    for number in 0..120 {
        town.say(&format!("signup p{number} secret p{number}@pbm.test"));
        town.say(&format!("reversi ladder join p{number}"));
    }
    let mut stranger = Browser::new(&town);
    let first = stranger.get(PAGE).body;
    assert!(main_text(&first).contains("Places 1 to 50 of 120 players"), "{first}");
    assert!(first.contains("href=\"/reversi/ladder?from=51\"") && !first.contains("Higher places"));
    let last = stranger.get("/reversi/ladder?from=101").body;
    assert!(main_text(&last).contains("Places 101 to 120 of 120 players"));
    assert!(last.contains("href=\"/reversi/ladder?from=51\"") && !last.contains("Lower places"));
    // A player's own page has them in the middle, with all whom they can challenge.
    town.say("reversi ladder join alice");
    let mut alice = Browser::of(&town, "alice");
    let own = alice.get(PAGE).body;
    assert!(main_text(&own).contains("Places 72 to 121 of 121 players"), "{own}");
    let expected: Vec<String> = (108..120).map(|number| format!("p{number}")).collect();
    assert_eq!(challenged(&mut alice, PAGE), expected);
    assert!(challenged(&mut alice, "/reversi/ladder?from=1").is_empty());
    for odd in [
        "/reversi/ladder?from=122",
        "/reversi/ladder?from=4294967295",
        "/symmetry/ladder",
        "/ludo/ladder",
    ] {
        assert_eq!(alice.get(odd).status, 404, "{odd}");
    }
    for odd in ["/reversi/ladder?from=0", "/reversi/ladder?from=x"] {
        assert!(alice.get(odd).status.is_client_error(), "{odd}");
    }
    assert_eq!(alice.listen("/events?ladder=ludo").0, 404);
    let told = stranger.get("/api/v1/games/reversi/ladder?from=101").body;
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    assert_eq!(told["places"].as_array().unwrap().len(), 21);
    assert_eq!((&told["places"][20]["player"], &told["next"]), (&"alice".into(), &().into()));
    assert_eq!(stranger.get("/api/v1/games/reversi/ladder?from=122").status, 404);
    // No parameter is a list.
    for twice in ["from=101&from=101", "from=&from=101", "x=1&from=101&x=2"] {
        let answer = stranger.get(&format!("/api/v1/games/reversi/ladder?{twice}"));
        assert_eq!(answer.status, 400, "{twice}");
        assert!(answer.body.contains("does not match openapi.json"), "{twice}");
    }
    town.assert_sound();
}
