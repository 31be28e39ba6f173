//! Plans in a browser and for programs: entered by playing lines out on the board, seen by nobody else.

use super::programs::{Program, key};
use crate::support::web::browser::{Browser, forms};
use crate::support::web::home::{MALAKA, WebHome};
use postboard::base::ids::BoardId;
use serde_json::{Value, json};

const BOARD: BoardId = BoardId { game: "countlines", number: 1 };
const PAGE: &str = "/countlines/1";

/// Makes a board on which alice begins and any point can be pressed.
fn home() -> WebHome {
    let town = WebHome::new();
    town.say("countlines challenge alice bob -mode=2");
    town
}

fn moves(town: &WebHome) -> Vec<String> {
    town.board(BOARD, |board| board.moves().map(|turn| turn.text.into_owned()).collect())
}

fn has_plan(town: &WebHome) -> bool {
    town.board(BOARD, |board| board.plans.iter().any(Option::is_some))
}

/// Returns the plan in the API's board, for the program of a user or of nobody.
fn plan_in_api(town: &WebHome, user: &str) -> Value {
    let key = if user.is_empty() { String::new() } else { key(town, user) };
    let board = Program { town, key }.done("/boards/countlines/1", None);
    assert!(board["moves"].is_array(), "{board}");
    board["plan"].clone()
}

#[test]
fn a_line_played_out_on_the_board_is_a_plan() {
    let town = home();
    let mut bob = Browser::of(&town, "bob");
    let page = bob.get(PAGE).says(200, "Play answers out on the board").body;
    assert!(page.contains("/countlines/1/preview?after=0"), "{page}");
    // Until he has answered there is nothing to keep.
    let page = bob.get("/countlines/1/preview?after=0&moves=e5").says(200, "Your plan").body;
    assert!(forms(&page).iter().all(|form| form.action != PAGE), "{page}");
    let line = "/countlines/1/preview?after=0&moves=e5+d4";
    bob.get(line).says(200, "Answer with this");
    let form = bob.form(line, PAGE);
    assert_eq!(bob.send(&form).status, 303);
    let form = bob.form("/countlines/1/preview?after=0&moves=c3+c4+c5+c6", PAGE);
    assert_eq!(bob.send(&form).status, 303);
    for page in [PAGE, "/countlines/1/preview?after=0"] {
        let page = bob.get(page).says(200, "if e5 then d4").body;
        assert!(page.contains("if c3 then c4, if c5 then c6"), "{page}");
    }
    town.say("countlines move 1 alice e5");
    assert_eq!(moves(&town), ["e5", "d4"]);
    bob.get(PAGE).says(200, "Your plan played d4. It has no more moves.");
}

/// On one's own turn the first move is played, and the plan has the rest.
#[test]
fn a_plan_begins_with_the_own_move_on_ones_own_turn() {
    let town = home();
    let mut alice = Browser::of(&town, "alice");
    alice.get("/countlines/1/preview?after=0&moves=e5").says(200, "Play this move");
    let line = "/countlines/1/preview?after=0&moves=e5+d4+c3";
    alice.get(line).says(200, "Play the first move, and answer with this");
    let form = alice.form(line, PAGE);
    assert_eq!(alice.send(&form).status, 303);
    assert_eq!(moves(&town), ["e5"]);
    alice.get(PAGE).says(200, "if d4 then c3");
    town.say("countlines move 1 bob d4");
    assert_eq!(moves(&town), ["e5", "d4", "c3"]);
}

/// Online-go.com #522: the API showed the plan to the opponent.
#[test]
fn nobody_else_sees_a_plan() {
    let town = home();
    let (mut alice, mut bob) = (Browser::of(&town, "alice"), Browser::of(&town, "bob"));
    let mut nobody = Browser::new(&town);
    let pages = [
        PAGE,
        "/countlines/1/preview?after=0",
        "/countlines",
        "/boards",
        "/",
        "/watch",
        "/player/bob",
        "/player/bob/feed",
        "/countlines/feed",
        "/api/v1/boards/countlines/1",
        "/api/v1/players/bob/boards",
    ];
    // What is new in each page: random values of forms are left out.
    let seen = |browser: &mut Browser, page: &str| {
        let body = browser.get(page).body;
        let body = body
            .split("<input type=\"hidden\"")
            .map(|part| part.split_once('>').map_or(part, |(_, rest)| rest).to_owned());
        body.collect::<String>()
    };
    let all = |alice: &mut Browser, nobody: &mut Browser| -> Vec<String> {
        let mut all: Vec<String> = pages.iter().map(|page| seen(alice, page)).collect();
        all.extend(pages.iter().map(|page| seen(nobody, page)));
        all
    };
    let before = all(&mut alice, &mut nobody);
    let listen = ["/events?board=countlines+1", "/events?watch=countlines.1"];
    let mut events: Vec<_> = listen.iter().map(|path| nobody.listen(path).1).collect();
    events.extend([listen[0], "/events"].iter().map(|path| alice.listen(path).1));
    for stream in &mut events {
        town.heard(stream);
    }
    let form = bob.form_with(PAGE, PAGE, "verb", "plan").with("say", "h8 h9; any i9");
    assert_eq!(bob.send(&form).status, 303);
    assert!(has_plan(&town));
    for stream in &mut events {
        assert!(town.is_silent(stream), "an open page heard of a plan");
    }
    for (page, (was, is)) in
        pages.iter().cycle().zip(before.iter().zip(all(&mut alice, &mut nobody)))
    {
        assert!(!is.contains("h8 ") && !is.contains("if h8"), "{page}: {is}");
        if !page.starts_with("/api") && !page.contains("feed") {
            assert_eq!(*was, is, "{page} has changed");
        }
    }
    assert_eq!(plan_in_api(&town, "alice"), Value::Null);
    assert_eq!(plan_in_api(&town, ""), Value::Null);
    assert_eq!(plan_in_api(&town, "bob"), json!(["if h8 then h9", "if any then i9"]));
    // A move wakes them.
    town.say("countlines move 1 alice h8");
    for stream in &mut events {
        assert_eq!(town.heard(stream), "data: changed\n\n");
    }
}

/// Online-go.com #1330: active, but invisible after a reload. #46: withdrawn, but still played.
#[test]
fn a_plan_stays_on_the_page_until_it_is_withdrawn() {
    let town = home();
    let mut bob = Browser::of(&town, "bob");
    let form = bob.form_with(PAGE, PAGE, "verb", "plan").with("say", "e5 d4; c3 c4");
    assert_eq!(bob.send(&form).status, 303);
    for _ in 0..2 {
        bob.get(PAGE).says(200, "if e5 then d4");
    }
    let form = bob.form(PAGE, PAGE).with("verb", "").with("say", "plan withdraw 1");
    bob.send(&form);
    let page = bob.get(PAGE).body;
    assert!(!page.contains("if e5") && page.contains("if c3"), "{page}");
    assert!(!page.contains("Withdraw line 1"), "{page}");
    let form = bob.form(PAGE, PAGE).with("verb", "").with("say", "plan withdraw");
    assert_eq!(bob.send(&form).status, 303);
    assert!(!bob.get(PAGE).body.contains("if e5") && !has_plan(&town));
    town.say("countlines move 1 alice e5");
    assert_eq!(moves(&town), ["e5"]);
}

/// Online-go.com #48: the opponent moved while a player was editing, and a real move was made.
#[test]
fn a_line_for_an_earlier_position_is_refused() {
    let town = home();
    let (mut alice, mut bob) = (Browser::of(&town, "alice"), Browser::of(&town, "bob"));
    let line = "/countlines/1/preview?after=0&moves=e5+d4";
    let form = bob.form(line, PAGE);
    town.say("countlines move 1 alice e5");
    bob.send(&form).says(422, "The board has changed since you opened this page");
    assert_eq!(moves(&town), ["e5"]);
    // Neither is it his turn's move, nor is the old position a place for a plan.
    let page = bob.get(line).body;
    assert!(!page.contains("Answer with this"), "{page}");
    let form = alice.form("/countlines/1/preview?after=1&moves=d4+c3", PAGE);
    town.say("countlines move 1 bob d4");
    alice.send(&form).says(422, "The board has changed");
    assert_eq!(moves(&town), ["e5", "d4"]);
    assert!(!has_plan(&town));
}

#[test]
fn a_refused_plan_stays_in_its_field() {
    let town = home();
    let mut bob = Browser::of(&town, "bob");
    let form = bob.form_with(PAGE, PAGE, "verb", "plan").with("say", "e5 d4 c3");
    let page =
        bob.send(&form).says(422, "Not planned: after e5 d4 c3: your answer is missing").body;
    assert!(page.contains("value=\"e5 d4 c3\""), "{page}");
    // Dice games have one line of own moves, and no board to play it out on.
    town.say("malaka challenge alice bob");
    let (waits, other) =
        if town.due(MALAKA).0 == "alice" { ("bob", "alice") } else { ("alice", "bob") };
    let page = Browser::of(&town, waits).get("/malaka/1").says(200, "Play in advance").body;
    assert!(!page.contains("Play answers out"), "{page}");
    let page = Browser::of(&town, other).get("/malaka/1/preview?after=0").body;
    assert!(!page.contains("Your plan"), "{page}");
}

#[test]
fn a_program_plans_by_a_reply() {
    let town = home();
    let bob = Program { town: &town, key: key(&town, "bob") };
    let told = bob.done("/boards/countlines/1", Some(&json!({ "say": "plan e5 d4", "move": 1 })));
    assert!(told["said"].as_str().unwrap().contains("if e5 then d4"), "{told}");
    let stale = json!({ "say": "plan c3 d4", "move": 2 });
    let told =
        bob.ask("/boards/countlines/1", Some(&stale)).says(422, "your command is for move 2");
    assert!(!told.body.contains("c3"), "{}", told.body);
    assert_eq!(plan_in_api(&town, "bob"), json!(["if e5 then d4"]));
}
