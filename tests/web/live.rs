//! Events: open pages receive all changes, by web, mail or command.

use crate::support::web::browser::Browser;
use crate::support::web::home::{WebHome, malaka};

#[test]
fn a_page_hears_of_its_board_and_of_no_other() {
    let town = WebHome::with_board();
    town.say("malaka challenge alice carol");
    let (status, mut events) = Browser::new(&town).listen("/events?board=malaka+1");
    assert_eq!(status, 200);
    assert!(town.heard(&mut events).contains(": listening"));
    town.play(malaka(2), 1);
    assert!(town.is_silent(&mut events));
    town.play(malaka(1), 1);
    assert_eq!(town.heard(&mut events), "data: changed\n\n");
    assert!(town.is_silent(&mut events));
}

#[test]
fn my_boards_hear_of_all_of_mine_also_of_new_ones() {
    // An empty value is like none.
    for address in ["/events", "/events?board=", "/events?ladder=&tournament="] {
        let town = WebHome::with_board();
        let alice = Browser::of(&town, "alice");
        let (_, mut events) = alice.listen(address);
        town.heard(&mut events);
        town.say("malaka challenge bob carol");
        assert!(town.is_silent(&mut events), "{address}");
        town.play(malaka(1), 1);
        assert_eq!(town.heard(&mut events), "data: changed\n\n", "{address}");
        town.say("malaka challenge carol alice");
        assert_eq!(town.heard(&mut events), "data: changed\n\n", "{address}");
        town.play(malaka(3), 1);
        assert_eq!(town.heard(&mut events), "data: changed\n\n", "{address}");
    }
}

#[test]
fn nobody_listens_to_what_they_may_not_see() {
    let town = WebHome::new();
    town.say("malaka challenge alice bob --private");
    let stranger = Browser::new(&town);
    let carol = Browser::of(&town, "carol");
    let alice = Browser::of(&town, "alice");
    let private = "/events?board=malaka+1";
    assert_eq!((stranger.listen(private).0, carol.listen(private).0), (403, 403));
    assert_eq!(alice.listen(private).0, 200);
    assert_eq!(stranger.listen("/events").0, 303, "to sign in");
    for odd in ["malaka", "malaka+x", "ludo+1", "malaka+2", "+", "..+1"] {
        assert_eq!(stranger.listen(&format!("/events?board={odd}")).0, 404, "{odd}");
    }
}

#[test]
fn the_first_page_tells_of_boards_that_were_just_moved() {
    let town = WebHome::with_board();
    town.say("malaka challenge alice carol --private");
    town.play(malaka(1), 1);
    town.play(malaka(2), 1);
    let front = town.get("/").says(200, "Recent moves").body;
    assert!(front.contains("href=\"/malaka/1\"") && !front.contains("href=\"/malaka/2\""));
}

#[test]
fn the_latest_eight_boards_are_listed_newest_first() {
    let town = WebHome::new();
    for _ in 0..10 {
        town.say("malaka challenge alice bob");
    }
    let moved = || {
        let front = town.get("/").body;
        let list = front.split("Recent moves").nth(1).unwrap().split("</ul>").next().unwrap();
        let links = list.split("<a class=\"small\" href=\"/malaka/").skip(1);
        links.map(|rest| rest.split('"').next().unwrap().parse().unwrap()).collect::<Vec<u32>>()
    };
    assert_eq!(moved(), [10, 9, 8, 7, 6, 5, 4, 3]);
    town.play(malaka(1), 1);
    town.play(malaka(8), 1);
    town.play(malaka(1), 1);
    assert_eq!(moved(), [1, 8, 10, 9, 7, 6, 5, 4], "each once");
}
