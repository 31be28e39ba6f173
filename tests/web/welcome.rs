//! The first minutes of a newcomer: the welcome, the lessons, and boards to watch.

use crate::support::web::browser::Browser;
use crate::support::web::home::{MALAKA, WebHome, malaka};
use postboard::model::world::count_key;

#[test]
fn the_welcome_shows_three_boards_and_a_game_to_begin() {
    let town = WebHome::new();
    let front = town.get("/").says(200, "Play the program now");
    assert!(!front.header("etag").is_empty() && front.header("set-cookie").is_empty());
    let welcome = front.body.split("section class=\"welcome\"").nth(1).expect("a welcome");
    let welcome = welcome.split("</section>").next().unwrap();
    for name in ["backgammon", "malaka", "reversi"] {
        assert!(welcome.contains(&format!("/assets/{name}-light-")), "{welcome}");
        assert!(welcome.contains(&format!("value=\"{name}\"")), "{welcome}");
        assert!(welcome.contains(&format!("href=\"/learn/{name}\"")), "{welcome}");
    }
    for path in ["/signup", "/watch"] {
        assert!(welcome.contains(&format!("href=\"{path}\"")), "{welcome}");
    }
    assert!(front.body.len() < 20_000, "{}", front.body.len());
    // A user sees their boards in place of the sign-up.
    let mut alice = Browser::of(&town, "alice");
    let front = alice.get("/").body;
    assert!(front.contains("href=\"/boards\"") && !front.contains("href=\"/signup\""), "{front}");
}

#[test]
fn a_new_user_is_shown_what_to_do_first() {
    let town = WebHome::new();
    let mut browser = Browser::new(&town);
    let form = browser.form("/signup", "/signup").with("user", "dave").with("password", "secret");
    browser.send(&form.with("address", "dave@example.net"));
    let page = browser.get("/welcome").says(200, "Welcome, dave!").body;
    for link in ["/learn/malaka", "/#challenges", "/play", "/watch"] {
        assert!(page.contains(&format!("href=\"{link}\"")), "{page}");
    }
    let main = page.split("<main").nth(1).unwrap();
    assert!(!main.split("</main>").next().unwrap().contains("href=\"/help"), "{main}");
    let form = browser.form("/welcome", "/play");
    assert_eq!(browser.send(&form).header("location"), "/reversi/1");
}

#[test]
fn a_new_user_challenges_a_player_who_welcomes_newcomers() {
    let town = WebHome::new();
    town.player_says("malaka challenge alice bob");
    let mut alice = Browser::of(&town, "alice");
    let mut form = alice.form_with("/settings", "/say", "word", "welcome");
    form.fields.retain(|(name, value)| name != "word" || value == "welcome");
    form.fields.push(("word".into(), "on".into()));
    assert_eq!(alice.send(&form).header("location"), "/settings?notice=saved");
    town.get("/player/alice").says(200, "are welcome");
    assert!(!alice.get("/").body.contains("Players who welcome you"), "she is no newcomer");
    let mut dave = Browser::new(&town);
    let form = dave.form("/signup", "/signup").with("user", "dave").with("password", "secret");
    dave.send(&form.with("address", "dave@example.net"));
    for page in ["/", "/welcome"] {
        let page = dave.get(page).says(200, "Players who welcome you").body;
        let list = page.split("id=\"welcomers\"").nth(1).unwrap();
        let list = list.split("</section>").next().unwrap();
        assert!(list.contains(">alice</a>") && !list.contains(">bob</a>"), "{list}");
    }
    let challenge = dave.form_with("/welcome", "/say", "word", "alice");
    let begun = dave.send(&challenge).header("location").to_owned();
    dave.get(&begun).says(200, "dave");
    for page in ["/", "/welcome"] {
        assert!(!dave.get(page).body.contains("Players who welcome you"), "{page}");
    }
}

#[test]
fn a_game_with_a_lesson_leads_to_it() {
    let town = WebHome::new();
    for name in ["malaka", "backgammon", "reversi"] {
        town.get(&format!("/{name}")).says(200, &format!("href=\"/learn/{name}\""));
        town.get("/learn").says(200, &format!("href=\"/learn/{name}\""));
    }
    assert!(!town.get("/plakoto").body.contains("/learn/plakoto"));
    town.get("/help/tutorial").says(200, "href=\"/learn\"");
}

/// Returns the addresses of the links on the board of a lesson.
fn links(page: &str) -> Vec<String> {
    let board = page.split("<figure").nth(1).unwrap().split("</figure>").next().unwrap();
    let links = board.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap());
    links.map(|link| link.replace("&amp;", "&")).collect()
}

#[test]
fn a_lesson_is_played_by_links_and_says_what_a_move_was_worth() {
    let town = WebHome::new();
    let first = town.get("/learn/malaka").says(200, "1 of 6: Into the corridor").body;
    assert!(first.contains("Choose one of the marked men."));
    let from = "/learn/malaka?step=1&from=a1".to_owned();
    assert!(links(&first).contains(&from), "{:?}", links(&first));
    let chosen = town.get(&from).says(200, "Choose where it goes.").body;
    let to = "/learn/malaka?step=1&play=a1-a4".to_owned();
    assert!(links(&chosen).contains(&to), "{:?}", links(&chosen));
    let solved = town.get(&to).says(200, "Right. A die moves").body;
    assert!(solved.contains("href=\"/learn/malaka?step=2\""), "{solved}");
    assert!(links(&solved).is_empty(), "the move is over");
    let wrong = town.get("/learn/malaka?step=1&play=a7-d7").says(200, "Try again").body;
    assert!(wrong.contains("where men go to the right") && !wrong.contains("Next step"));
    // A move of two parts can be taken back in between.
    let half = town.get("/learn/malaka?step=2&play=c8-d8").says(200, "Take back").body;
    assert!(half.contains("Your move so far") && half.contains("c8-d8"));
    town.get("/learn/malaka?step=2&play=c8-d8,d8-d6").says(200, "Right. It went one point");
    // Nothing is stored, and no cookie is set.
    assert!(town.get("/learn/malaka?step=2").header("set-cookie").is_empty());
    let mut last = Browser::new(&town);
    let done = last.get("/learn/backgammon?step=6&play=2-off,1-off").says(200, "You have won");
    assert!(done.body.contains("action=\"/play\""), "{}", done.body);
    let form = last.form("/learn/reversi?step=6&play=i1", "/play");
    assert_eq!(last.send(&form).header("location"), "/reversi/1");
}

#[test]
fn an_address_that_no_lesson_has_does_no_harm() {
    let town = WebHome::new();
    for path in ["/learn/plakoto", "/learn/ludo", "/learn/malaka?step=0", "/learn/malaka?step=7"] {
        town.get(path).says(404, "No page has this address.");
    }
    town.get("/learn/malaka?step=x").says(404, "No page has this address.");
    let odd = format!("/learn/malaka?step=1&play={}", "a1-a4%2C".repeat(400));
    town.get(&odd).says(200, "Right. A die moves");
    let odd = "/learn/malaka?step=1&play=%3Cscript%3E&from=%3Cscript%3E";
    let page = town.get(odd).says(200, "1 of 6").body;
    assert!(!page.contains("<script>"), "{page}");
}

#[test]
fn boards_in_play_are_listed_with_the_latest_moves_first() {
    let town = WebHome::new();
    town.get("/watch").says(200, "There are no public boards in play here.");
    for _ in 0..14 {
        town.say("malaka challenge alice bob");
    }
    town.say("reversi challenge alice bob");
    town.say("malaka challenge alice carol --private");
    town.say("malaka challenge bob carol");
    town.say("malaka resign 16 bob");
    let listed = |path: &str| {
        let page = town.get(path).says(200, "Boards in play").body;
        let links = page.split("<a class=\"small\" href=\"").skip(1);
        links.map(|rest| rest.split('"').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    town.play(malaka(3), 1);
    let latest = listed("/watch");
    assert_eq!(latest.len(), 12);
    assert_eq!(latest[..2], ["/malaka/3", "/reversi/1"]);
    let first = listed("/watch?game=malaka");
    let number = |n: u32| format!("/malaka/{n}");
    assert_eq!(
        first,
        (3..=14).rev().map(number).collect::<Vec<_>>(),
        "no private or finished ones"
    );
    let page = town.get("/watch?game=malaka").body;
    assert!(page.contains("href=\"/watch?game=malaka&amp;before=3\""), "{page}");
    assert_eq!(listed("/watch?game=malaka&before=3"), ["/malaka/2", "/malaka/1"]);
    assert_eq!(listed("/watch?game=reversi"), ["/reversi/1"]);
    // Processes that share a database leave numbers without boards.
    town.rewrite(&count_key("reversi"), "201\n");
    assert_eq!(listed("/watch?game=reversi"), ["/reversi/1"]);
    town.get("/reversi").says(200, "href=\"/reversi/1\"");
    for odd in ["game=ludo", "game=malaka&before=x", "game=malaka&before=-1"] {
        town.get(&format!("/watch?{odd}")).says(404, "No page has this address.");
    }
    assert!(listed("/watch?game=malaka&before=0").is_empty());
}

#[test]
fn a_visitor_sees_a_move_as_it_is_made() {
    let town = WebHome::with_board();
    town.say("malaka challenge alice carol --private");
    let page = town.get("/watch").body;
    let events = page.split("data-events=\"").nth(1).expect("the list is live");
    let events = events.split('"').next().unwrap().replace("&amp;", "&");
    assert!(events.contains("malaka.1") && !events.contains("malaka.2"), "{events}");
    let (status, mut list) = Browser::new(&town).listen(&events);
    assert_eq!(status, 200);
    let (_, mut board) = Browser::new(&town).listen("/events?board=malaka+1");
    for stream in [&mut list, &mut board] {
        assert!(town.heard(stream).contains(": listening"));
    }
    let before = town.get("/malaka/1").body;
    town.play(malaka(2), 1);
    assert!(town.is_silent(&mut list) && town.is_silent(&mut board), "a private board");
    town.play(MALAKA, 1);
    for stream in [&mut list, &mut board] {
        assert_eq!(town.heard(stream), "data: changed\n\n");
    }
    assert_ne!(town.get("/malaka/1").body, before, "the move is on the page");
    // A new board is news for the list.
    town.say("reversi challenge alice bob");
    assert_eq!(town.heard(&mut list), "data: changed\n\n");
    assert!(town.get("/watch").body.contains("/reversi/1"));
    // Private boards are not watched, whatever the address says.
    let (status, mut private) = Browser::new(&town).listen("/events?watch=malaka.2&game=reversi");
    assert_eq!(status, 200);
    town.heard(&mut private);
    town.play(malaka(2), 1);
    assert!(town.is_silent(&mut private));
    for odd in ["ludo.1", "malaka", "malaka.x", "..1"] {
        let (status, _) = Browser::new(&town).listen(&format!("/events?watch={odd}"));
        assert_eq!(status, 404, "{odd}");
    }
}
