//! Lists of players and boards: standings, history, players, boards of a player, head to head, ratings,
//! and their feeds.

use crate::support::web::browser::Browser;
use crate::support::web::home::{Reply, WebHome};
use crate::support::web::page::{links, select, text};
use postboard::base::ids::{BoardId, UserId};
use postboard::base::time::{MINUTE, Time, days};
use postboard::model::rating::{Skill, Standing};
use postboard::model::user::{Departure, User, user_key};
use postboard::store::{DocumentChange, Home as _, Transaction};
use scraper::{ElementRef, Html};
use serde_json::Value;

const MALAKA: &str = "malaka";

/// Returns the cells of the rows of the first table of a page.
fn rows(page: &str) -> Vec<Vec<String>> {
    let page = Html::parse_document(page);
    let Some(table) = page.select(&select("table.list")).next() else { return Vec::new() };
    let (row, cell) = (select("tbody tr"), select("th, td"));
    table.select(&row).map(|row| row.select(&cell).map(text).collect()).collect()
}

/// Returns the texts of a column.
fn column(page: &str, at: usize) -> Vec<String> {
    rows(page).into_iter().map(|mut row| row.swap_remove(at)).collect()
}

/// Returns the target of the link with this text.
#[track_caller]
fn href(page: &str, words: &str) -> String {
    let link = links(page, words).into_iter().next();
    link.unwrap_or_else(|| panic!("no link {words} in {page}"))
}

fn has_link(page: &str, words: &str) -> bool {
    !links(page, words).is_empty()
}

/// Writes the document of a user.
fn put(town: &WebHome, user: &User) {
    let key = user_key(&user.id);
    let mut store = town.home.open().unwrap();
    let was = store.load(&key).unwrap().version;
    let changes = vec![DocumentChange { key, was, text: user.write() }];
    store.commit(Transaction { changes, ..Transaction::default() }).unwrap();
}

/// Returns a user with a standing in Malaka.
fn rated(name: &str, points: i32, won: u32, last: Time) -> User {
    let joined = last - days(i64::from(won) + 1);
    let mut user = User::new(UserId::parse(name).unwrap(), String::new(), Vec::new(), joined);
    let rating = format!("{points}.00").try_into().unwrap();
    let skill = Skill { rating, is_provisional: false, ..Skill::START };
    user.ratings.insert(MALAKA.into(), Standing { won, last, skill, ..Standing::default() });
    user
}

/// Returns a home with 120 established players, `p000` being the best, of whom two neighbours have equal
/// ratings.
fn with_players() -> WebHome {
    let town = WebHome::new();
    for number in 0..120 {
        let points = 2000 - number / 2 * 2;
        let won = 20 + u32::try_from(number * 7 % 120).unwrap();
        put(&town, &rated(&format!("p{number:03}"), points, won, town.now()));
    }
    town
}

/// Plays a board until it counts for ratings; then `loser` resigns.
fn finish(
    town: &WebHome,
    game: &'static str,
    players: &str,
    options: &str,
    loser: &str,
) -> BoardId {
    let (mut number, mut free) = (0, 1);
    while number == 0 {
        // The next free number is that of the new board.
        if town.get(&format!("/{game}/{free}")).status == 404 {
            number = free;
        }
        free += 1;
    }
    town.say(&format!("{game} challenge {players}{options}"));
    let id = BoardId { game, number };
    town.play(id, 10);
    town.say(&format!("{game} resign {number} {loser}"));
    id
}

fn refused(reply: &Reply, path: &str) {
    assert_eq!(reply.status, 422, "{path}: {}", reply.body);
}

#[test]
fn standings_are_ranked_and_paged() {
    let town = with_players();
    let first = town.get("/malaka/standings").says(200, "Malaka standings").body;
    assert_eq!(rows(&first).len(), 50);
    assert_eq!(rows(&first)[2][..4], ["3", "p002", "1998", "34"]);
    assert_eq!(column(&first, 0)[..5], ["1", "1", "3", "3", "5"], "equal ratings share a rank");
    let second = town.get(&href(&first, "Next")).body;
    assert_eq!((rows(&second).len(), &*column(&second, 1)[0]), (50, "p050"));
    let last = town.get(&href(&second, "Next")).says(200, "Page 3 of 3").body;
    assert_eq!(rows(&last).len(), 20);
    assert!(!has_link(&last, "Next") && has_link(&last, "Previous"), "{last}");
    assert_eq!(href(&last, "First"), href(&first, "Established (120)"));
    town.get("/malaka/standings?page=4").says(404, "No page has this address");
    for odd in ["page=0", "page=01", "page=-1", "page=x", "page=", "page=99999999999999999999"] {
        refused(&town.get(&format!("/malaka/standings?{odd}")), odd);
    }
    town.get("/ludo/standings").says(404, "No page has this address");
    for rest in [
        "",
        "/standings?sort=won",
        "/history",
        "/feed",
        "/tournaments",
        "/ladder",
        "/1/preview?after=0",
    ] {
        let reply = town.get(&format!("/Malaka{rest}"));
        assert_eq!(
            (reply.status.as_u16(), reply.header("location")),
            (308, &*format!("/malaka{rest}"))
        );
    }
    town.get("/moloko/standings").says(200, "Nobody has finished a rated game of Moloko yet.");
}

#[test]
fn standings_are_sorted_by_links() {
    let town = with_players();
    let page = town.get("/malaka/standings").body;
    let by_name = town.get(&href(&page, "Player")).body;
    assert_eq!(column(&by_name, 1)[..2], ["p000", "p001"]);
    assert!(by_name.contains("aria-sort=\"ascending\""), "{by_name}");
    let by_wins = town.get(&href(&by_name, "Won")).body;
    let won = |page: &str| -> Vec<u32> {
        column(page, 4).iter().map(|cell| cell.parse().unwrap()).collect()
    };
    assert!(won(&by_wins).is_sorted_by(|one, next| one >= next) && won(&by_wins)[0] == 139);
    let next = town.get(&href(&by_wins, "Next")).body;
    assert!(won(&next)[0] <= won(&by_wins)[49], "the next page goes on in the same order");
    let best = rows(&by_wins).into_iter().find(|row| row[1] == "p017").unwrap();
    assert_eq!(best[0], "17", "the rank is always that of the rating");
    assert_eq!(href(&by_wins, "Rating"), "/malaka/standings?list=established");
    for odd in ["sort=points", "sort=", "list=all", "list=%00"] {
        refused(&town.get(&format!("/malaka/standings?{odd}")), odd);
    }
}

#[test]
fn players_see_their_own_place() {
    let town = with_players();
    let mut alice = Browser::of(&town, "alice");
    assert!(!alice.get("/malaka/standings").body.contains("Your place"), "she has no rating");
    let ratings = rated("alice", 1941, 25, town.now()).ratings;
    let stored = town.documents().remove(&user_key(&UserId::parse("alice").unwrap())).unwrap();
    let mut user = User::read(&stored).unwrap();
    user.ratings = ratings;
    put(&town, &user);
    let page = alice.get("/malaka/standings").says(200, "You are number 61 of the established");
    let place = href(&page.body, "Your place");
    assert!(place.ends_with("page=2#you"), "{place}");
    let own = alice.get(place.trim_end_matches("#you")).body;
    let marked = |page: &str| {
        let html = Html::parse_document(page);
        let cells =
            |row: ElementRef| row.select(&select("th, td")).map(text).collect::<Vec<_>>().join(" ");
        html.select(&select("tr#you")).map(cells).collect::<Vec<_>>()
    };
    assert_eq!(marked(&own).len(), 1, "{own}");
    assert!(marked(&own)[0].starts_with("61 alice (you) 1941"), "{own}");
    assert_eq!(href(&own, "Your place"), "#you");
    assert!(marked(&page.body).is_empty());
    let strangers = town.get("/malaka/standings?page=2").body;
    assert!(marked(&strangers).is_empty() && !strangers.contains("You are number"));
    assert!(marked(&alice.get("/players").body)[0].starts_with("alice (you)"));
}

#[test]
fn standings_follow_what_happens() {
    let town = WebHome::new();
    town.get("/malaka/standings").says(200, "Nobody has finished");
    finish(&town, MALAKA, "alice bob", "", "bob");
    let page = town.get("/malaka/standings").says(200, "have a question mark").body;
    assert_eq!(rows(&page)[0][..5], ["1", "alice", "1762?", "1", "1"]);
    assert_eq!(rows(&page)[1][..5], ["2", "bob", "1438?", "1", "0"]);
    assert_eq!(rows(&page)[0][7..9], ["\u{b1}290", "1800"]);
    put(&town, &rated("zoe", 2100, 30, town.now()));
    let page = town.get("/malaka/standings").body;
    assert_eq!(column(&page, 1), ["zoe"], "the first list with players");
    assert!(has_link(&page, "Provisional (2)"), "{page}");
    town.wait(days(366));
    let page = town.get("/malaka/standings").says(200, "for a year").body;
    assert_eq!(column(&page, 1), ["zoe", "alice", "bob"]);
    let mut gone = rated("zoe", 2100, 30, town.now());
    gone.left = Some(Departure { at: town.now(), erased: false });
    put(&town, &gone);
    assert_eq!(column(&town.get("/malaka/standings").body, 1), ["alice", "bob"]);
    assert!(!town.get("/players").body.contains("zoe"));
}

#[test]
fn finished_boards_are_listed_with_their_results() {
    let town = WebHome::new();
    finish(&town, MALAKA, "alice bob", "", "bob");
    town.say("malaka challenge alice carol");
    finish(&town, MALAKA, "bob carol", "", "bob");
    finish(&town, MALAKA, "alice carol", " --private", "carol");
    town.say("malaka challenge bob alice");
    town.say("malaka resign 5 alice");
    let page = town.get("/malaka/history").says(200, "Malaka: finished boards").body;
    assert_eq!(column(&page, 0), ["Malaka 5", "Malaka 3", "Malaka 1"]);
    assert_eq!(rows(&page)[0][1..4], ["bob and alice", "declined", "0"]);
    let row = rows(&page)[1].clone();
    assert_eq!(row[2..], ["carol won by resignation", &row[3], "2026-11-22"]);
    assert_eq!(href(&page, "Malaka 3"), "/malaka/3");
    assert_eq!(href(&page, "bob"), "/player/bob");
    // A private board is listed for its players.
    let seen = |user| column(&Browser::of(&town, user).get("/malaka/history").body, 0);
    assert_eq!(seen("alice"), ["Malaka 5", "Malaka 4", "Malaka 3", "Malaka 1"]);
    assert_eq!(seen("bob"), ["Malaka 5", "Malaka 3", "Malaka 1"]);
    let of = |name: &str| town.get(&format!("/malaka/history?player={name}")).body;
    assert_eq!(column(&of("CAROL"), 0), ["Malaka 3"]);
    assert_eq!(column(&of("alice"), 0), ["Malaka 5", "Malaka 1"]);
    for odd in ["nobody", "%3Cscript%3E", "a%20b", "%00", &"x".repeat(500), "..%2f"] {
        let page = of(odd);
        assert!(page.contains("There is no player") && !page.contains("<script>"), "{page}");
    }
    town.get("/moloko/history").says(200, "There are no finished boards of Moloko");
    town.get("/ludo/history").says(404, "No page has this address");
}

/// Begins boards of Malaka between alice and bob; alice declines them in this order, one a minute.
fn decline_in_order(town: &WebHome, private: impl Fn(u32) -> bool, order: &[u32]) {
    for number in 1..=u32::try_from(order.len()).unwrap() {
        let option = if private(number) { " --private" } else { "" };
        town.say(&format!("malaka challenge alice bob{option}"));
    }
    for number in order {
        town.wait(MINUTE);
        town.say(&format!("malaka resign {number} alice"));
    }
}

/// Returns the numbers of the boards that a page, the API or a feed lists, all of Malaka.
fn numbers_in(text: &str) -> Vec<u32> {
    let of = |rest: &str| -> Option<u32> {
        rest.split(|letter: char| !letter.is_ascii_digit()).next()?.parse().ok()
    };
    text.split("/malaka/").skip(1).filter_map(of).collect()
}

#[test]
fn finished_boards_are_listed_by_their_ends() {
    let town = WebHome::new();
    decline_in_order(&town, |number| number == 4, &[3, 1, 4, 2]);
    let column = |page: &str| column(page, 0);
    assert_eq!(column(&town.get("/malaka/history").body), ["Malaka 2", "Malaka 1", "Malaka 3"]);
    let own = Browser::of(&town, "alice").get("/malaka/history").body;
    assert_eq!(column(&own), ["Malaka 2", "Malaka 4", "Malaka 1", "Malaka 3"]);
    let api = town.get("/api/v1/games/malaka/history").body;
    let api: Value = serde_json::from_str(&api).unwrap();
    let numbers = api["boards"].as_array().unwrap().iter().map(|board| &board["board"]);
    assert_eq!(numbers.collect::<Vec<_>>(), [2, 1, 3], "{api}");
    let feed = town.get("/malaka/feed").body;
    let mut entries = numbers_in(&feed);
    entries.dedup();
    assert_eq!(entries, [2, 1, 3], "{feed}");
    // The page that was cached shows the next end.
    town.say("malaka challenge bob alice");
    town.wait(MINUTE);
    town.say("malaka resign 5 bob");
    assert_eq!(column(&town.get("/malaka/history").body)[..2], ["Malaka 5", "Malaka 2"]);
}

/// A list of several parts, whose boards ended in another order than they began.
#[test]
fn a_long_history_is_paged_by_the_ends_of_its_boards() {
    let town = WebHome::new();
    let order: Vec<u32> = (0..180).map(|at| at * 77 % 180 + 1).collect();
    decline_in_order(&town, |number| number % 9 == 0, &order);
    let expected = |is_public: &dyn Fn(u32) -> bool| -> Vec<String> {
        let seen = order.iter().rev().filter(|number| is_public(**number));
        seen.map(|number| format!("Malaka {number}")).collect()
    };
    let public = expected(&|number| number % 9 != 0);
    for (reader, expected) in [("carol", public), ("bob", expected(&|_| true))] {
        let mut reader = Browser::of(&town, reader);
        let (mut page, mut pages) = (reader.get("/malaka/history").body, Vec::new());
        loop {
            pages.push(column(&page, 0));
            if !has_link(&page, "Older") {
                break;
            }
            page = reader.get(&href(&page, "Older")).body;
        }
        assert_eq!(pages.concat(), expected);
        assert_eq!(pages.iter().map(Vec::len).rev().skip(1).min(), Some(50), "pages are full");
        for earlier in pages.iter().rev().skip(1) {
            page = reader.get(&href(&page, "Newer")).body;
            assert_eq!(column(&page, 0), *earlier);
        }
        assert!(!has_link(&page, "Newer"), "{page}");
    }
}

/// No page reads the private boards of others, so they do not use up the boards that a page may read.
#[test]
fn private_boards_of_others_hide_no_older_ones() {
    let town = WebHome::new();
    let order: Vec<u32> = (1..=230).collect();
    decline_in_order(&town, |number| number > 3, &order);
    let page = town.get("/malaka/history").body;
    assert_eq!(column(&page, 0), ["Malaka 3", "Malaka 2", "Malaka 1"]);
    assert!(!has_link(&page, "Older"), "{page}");
}

#[test]
fn finished_boards_are_paged_while_new_ones_come() {
    let town = WebHome::new();
    for _ in 0..60 {
        town.say("malaka challenge alice bob");
    }
    for number in 1..=60 {
        town.say(&format!("malaka resign {number} alice"));
    }
    for base in ["/malaka/history", "/malaka/history?player=bob", "/player/alice/boards"] {
        let first = town.get(base).body;
        assert_eq!((rows(&first).len(), has_link(&first, "Newer")), (50, false), "{base}");
        let older = href(&first, "Older");
        town.say("malaka challenge alice bob");
        let number = town.get("/malaka/history").body;
        assert!(number.contains("Malaka 60"));
        let second = town.get(&older).body;
        let numbers: Vec<String> = (1..=10).rev().map(|n| format!("Malaka {n}")).collect();
        assert_eq!(column(&second, 0), numbers, "{base}");
        assert!(!has_link(&second, "Older"), "{second}");
        let back = town.get(&href(&second, "Newer")).body;
        assert_eq!(column(&back, 0), column(&first, 0), "{base}");
        let newest = href(&second, "Newest");
        assert_eq!(newest, base);
    }
    for cursor in ["x", "", "YQ", "Ym9hcmRzIDEgY2hlc3M"] {
        for base in ["/malaka/history?after=", "/player/alice/boards?before="] {
            refused(&town.get(&format!("{base}{cursor}")), cursor);
        }
    }
    let cursor = href(&town.get("/malaka/history").body, "Older");
    let other = cursor.replace("/malaka/", "/moloko/");
    refused(&town.get(&other), "a cursor of another game");
}

#[test]
fn a_cursor_tells_nothing_of_a_private_board() {
    let town = WebHome::new();
    finish(&town, MALAKA, "alice bob", "", "bob");
    finish(&town, MALAKA, "alice bob", " --private", "bob");
    let cursor = |number: u32| {
        data_encoding::BASE64URL_NOPAD.encode(format!("boards {number} malaka").as_bytes())
    };
    let mut bob = Browser::of(&town, "bob");
    let mut carol = Browser::of(&town, "carol");
    for base in ["/player/alice/boards?after=", "/player/alice/against/bob?before="] {
        assert_eq!(bob.get(&format!("{base}{}", cursor(2))).status, 200);
        assert_eq!(carol.get(&format!("{base}{}", cursor(1))).status, 200);
        let (private, missing) = (format!("{base}{}", cursor(2)), format!("{base}{}", cursor(9)));
        let [private, missing] = [private, missing].map(|path| carol.get(&path));
        refused(&private, base);
        // The form that signs out has a key of its own on each page.
        let words = |reply: &Reply| {
            let page = Html::parse_document(&reply.body);
            let main = page.select(&select("main")).next().map(|main| main.inner_html());
            (reply.status, main.unwrap())
        };
        assert_eq!(words(&private), words(&missing), "as if there were no such board");
    }
}

#[test]
fn players_are_listed_and_searched() {
    let town = with_players();
    let first = town.get("/players").says(200, "123 players").body;
    assert_eq!(column(&first, 0)[..4], ["alice", "bob", "carol", "p000"]);
    assert_eq!(rows(&first)[3][2], "Malaka 2000");
    let last = town.get(&href(&first, "Last")).body;
    assert_eq!(rows(&last).len(), 23);
    town.get("/players?page=4").says(404, "No page has this address");
    let joined = town.get(&href(&first, "Joined")).body;
    assert!(column(&joined, 1).is_sorted_by(|one, next| one >= next), "{joined}");
    let found = |text: &str| column(&town.get(&format!("/players?q={text}")).says(200, "").body, 0);
    assert_eq!(found("P11"), (110..120).map(|n| format!("p{n}")).collect::<Vec<_>>());
    assert_eq!(found("%20alice%20"), ["alice"]);
    assert_eq!(found("").len(), 50);
    for odd in ["lice", "%25", "%3Cscript%3E", "%FF", "%00", "*", "al%20ice", &"p".repeat(2_000)] {
        let page = town.get(&format!("/players?q={odd}")).says(200, "No player's name begins").body;
        assert!(!page.contains("<script>") && rows(&page).is_empty(), "{page}");
    }
    for odd in ["sort=seen", "q=p&sort=joined", "page=x"] {
        refused(&town.get(&format!("/players?{odd}")), odd);
    }
    assert!(!first.contains("example.org"), "no address is shown");
}

#[test]
fn strangers_who_only_signed_up_are_not_listed() {
    let town = WebHome::with("address = \"http://games.example.org\"\n", false);
    let mut browser = Browser::new(&town);
    let form = browser.form("/signup", "/signup");
    let form =
        form.with("user", "robin").with("password", "secret-1").with("address", "r@example.net");
    assert!(browser.send(&form).status.is_redirection());
    town.get("/player/robin").says(200, "robin");
    assert_eq!(column(&town.get("/players").body, 0), ["alice", "bob", "carol"]);
}

#[test]
fn the_boards_of_a_player_are_filtered() {
    let town = WebHome::new();
    finish(&town, MALAKA, "alice bob", "", "bob");
    finish(&town, MALAKA, "carol alice", "", "alice");
    finish(&town, "moloko", "alice bob", "", "alice");
    finish(&town, MALAKA, "alice bob", " --private", "bob");
    town.say("reversi challenge alice board1");
    town.say("malaka challenge alice carol");
    let list = |query: &str| column(&town.get(&format!("/player/Alice/boards{query}")).body, 0);
    assert_eq!(list(""), ["Moloko 1", "Malaka 2", "Malaka 1"]);
    assert_eq!(list("?game=malaka"), ["Malaka 2", "Malaka 1"]);
    assert_eq!(list("?opponent=BOB"), ["Moloko 1", "Malaka 1"]);
    assert_eq!(list("?opponent=bob&game=malaka"), ["Malaka 1"]);
    assert_eq!(list("?state=active"), ["Malaka 4", "Reversi 1"]);
    assert_eq!(list("?state=active&opponent=board1"), ["Reversi 1"], "the program has no list");
    for nobody in ["nobody", "%3Cb%3E", "alice%00", "a%20b"] {
        assert_eq!(list(&format!("?opponent={nobody}")), [""; 0], "{nobody}");
    }
    let own = Browser::of(&town, "bob").get("/player/alice/boards?opponent=bob").body;
    assert_eq!(column(&own, 0), ["Malaka 3", "Moloko 1", "Malaka 1"]);
    for odd in ["game=ludo", "state=all", "state="] {
        refused(&town.get(&format!("/player/alice/boards?{odd}")), odd);
    }
    town.get("/player/nobody/boards").says(404, "No page has this address");
    // The filters stay while one of them changes.
    let page = town.get("/player/alice/boards?opponent=bob&game=malaka").body;
    assert_eq!(
        href(&page, "In progress"),
        "/player/alice/boards?state=active&game=malaka&opponent=bob"
    );
}

#[test]
fn two_players_are_compared() {
    let town = WebHome::new();
    finish(&town, MALAKA, "alice bob", "", "bob");
    finish(&town, MALAKA, "bob alice", "", "bob");
    finish(&town, MALAKA, "alice bob", " --unrated", "alice");
    finish(&town, "moloko", "bob alice", "", "alice");
    finish(&town, MALAKA, "alice bob", " --private", "bob");
    finish(&town, MALAKA, "alice carol", "", "alice");
    town.say("malaka challenge bob alice");
    town.say("malaka resign 6 alice");
    let page = town.get("/player/alice/against/bob").says(200, "alice won").body;
    let all = [
        ["Malaka", "3", "2", "1", "0"],
        ["Moloko", "1", "0", "1", "0"],
        ["All games", "4", "2", "2", "0"],
    ];
    assert_eq!(rows(&page), all);
    for hidden in ["/malaka/4\"", "/malaka/5\""] {
        assert!(!page.contains(hidden), "{hidden} in {page}");
    }
    assert!(page.contains("/malaka/6\""), "a declined board has no result, but is listed");
    let turned = town.get("/player/bob/against/alice").body;
    assert_eq!(rows(&turned)[0], ["Malaka", "3", "1", "2", "0"]);
    let own = Browser::of(&town, "bob").get("/player/alice/against/bob").body;
    assert_eq!(rows(&own)[0], ["Malaka", "4", "3", "1", "0"], "with the private board");
    for (path, words) in [
        ("/player/alice/against/alice", "No page has this address"),
        ("/player/alice/against/nobody", "No page has this address"),
        ("/player/alice/against/%3Cb%3E", "No page has this address"),
    ] {
        town.get(path).says(404, words);
    }
    town.get("/player/bob/against/carol").says(200, "no finished games with a result");
    let page = Browser::of(&town, "carol").get("/player/bob").body;
    assert_eq!(href(&page, "You against bob"), "/player/carol/against/bob");
}

#[test]
fn a_program_is_compared_by_the_boards_of_its_opponent() {
    let town = WebHome::new();
    town.say("reversi challenge alice board1");
    let id = BoardId { game: "reversi", number: 1 };
    town.play(id, 1);
    town.say("reversi resign 1 alice");
    for (path, won) in
        [("/player/alice/against/board1", ["0", "1"]), ("/player/board1/against/alice", ["1", "0"])]
    {
        let page = town.get(path).body;
        assert_eq!(rows(&page)[0], ["Reversi", "1", won[0], won[1], "0"], "{path}");
        assert!(page.contains("/reversi/1\""), "{page}");
    }
    town.get("/player/board1/against/board2").says(200, "no finished games");
    town.get("/player/board1").says(200, "The program at level 1.");
}

#[test]
fn a_rating_is_drawn_and_told() {
    let town = WebHome::new();
    finish(&town, MALAKA, "alice bob", "", "bob");
    town.wait(days(3));
    finish(&town, MALAKA, "alice bob", " --private", "bob");
    finish(&town, MALAKA, "bob carol", " --unrated", "bob");
    finish(&town, MALAKA, "alice carol", "", "alice");
    let page = town.get("/player/alice/rating/malaka").says(200, "<svg class=\"ratings\"").body;
    assert_eq!(column(&page, 1), ["4", "1"], "the private board is left out");
    assert_eq!(
        rows(&page)[1],
        ["2026-11-22", "1", "bob", "won", "1762", "+162", "\u{b1}290", "1800"]
    );
    assert!(page.contains(">2026-11-22</text>") && page.contains(">2026-11-25</text>"), "{page}");
    assert!(page.contains("aria-label=\"The rating of alice in Malaka: 1762 on 2026-11-22, "));
    assert!(page.contains("<polygon points="), "the band of the deviation: {page}");
    assert!(page.contains("\u{b1}2") && page.contains(" (provisional), 2 won, 1 lost"), "{page}");
    let own = Browser::of(&town, "bob").get("/player/alice/rating/malaka").body;
    assert_eq!(column(&own, 1), ["4", "2", "1"]);
    let page = town.get("/player/alice").body;
    assert_eq!(href(&page, "History of the rating in Malaka"), "/player/alice/rating/malaka");
    for path in
        ["/player/alice/rating/moloko", "/player/alice/rating/ludo", "/player/x/rating/malaka"]
    {
        town.get(path).says(404, "No page has this address");
    }
    town.get("/player/alice/rating/malaka?page=2").says(404, "No page has this address");
}

#[test]
fn a_player_with_many_boards_has_a_page() {
    let town = WebHome::new();
    let board = finish(&town, MALAKA, "alice bob", " --private", "bob");
    let mut user = rated("busy", 1700, 30, town.now());
    user.finished = (1000..1500).map(|number| BoardId { number, ..board }).collect();
    user.active = (2000..2500).map(|number| BoardId { number, ..board }).collect();
    put(&town, &user);
    for path in ["", "/boards", "/boards?state=active", "/against/bob", "/rating/malaka", "/feed"] {
        town.get(&format!("/player/busy{path}")).says(200, "busy");
    }
}

/// Asks the API and returns the JSON.
#[track_caller]
fn json(town: &WebHome, path: &str) -> Value {
    let reply = town.get(&format!("/api/v1{path}"));
    assert_eq!(reply.status, 200, "{path}: {}", reply.body);
    serde_json::from_str(&reply.body).unwrap()
}

fn names(part: &Value) -> Vec<String> {
    let rows = part["players"].as_array().unwrap();
    rows.iter().map(|row| row["player"].as_str().unwrap().to_owned()).collect()
}

fn numbers(part: &Value) -> Vec<u64> {
    part["boards"].as_array().unwrap().iter().map(|row| row["board"].as_u64().unwrap()).collect()
}

#[test]
fn programs_read_lists_while_rows_come_and_go() {
    let town = with_players();
    let base = "/games/malaka/standings";
    for sort in ["rating", "name", "won", "games"] {
        let mut seen = Vec::new();
        let mut path = format!("{base}?sort={sort}");
        loop {
            let part = json(&town, &path);
            assert_eq!((&part["list"], &part["sort"]), (&"established".into(), &sort.into()));
            seen.extend(names(&part));
            let Some(next) = part["next"].as_str() else { break };
            path = format!("{base}?cursor={next}");
        }
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), 120, "each player once, by {sort}");
    }
    let first = json(&town, base);
    assert_eq!(first["total"], 120);
    assert_eq!(names(&first), column(&town.get("/malaka/standings").body, 1), "as on the page");
    let next = format!("{base}?cursor={}", first["next"].as_str().unwrap());
    let second = names(&json(&town, &next));
    // A player comes before the place, the player at the place goes, and another comes behind it.
    put(&town, &rated("a-new", 1999, 20, town.now()));
    let mut gone = rated("p049", 1952, 20, town.now());
    gone.left = Some(Departure { at: town.now(), erased: false });
    put(&town, &gone);
    assert_eq!(names(&json(&town, &next)), second);
    put(&town, &rated("a-last", 1951, 20, town.now()));
    let after = names(&json(&town, &next));
    assert_eq!((&*after[0], &after[1..]), ("a-last", &second[..49]));
}

#[test]
fn programs_get_the_facts_of_the_pages() {
    let town = WebHome::new();
    finish(&town, MALAKA, "alice bob", "", "bob");
    finish(&town, MALAKA, "alice bob", " --private", "alice");
    finish(&town, MALAKA, "alice bob", " --unrated", "alice");
    let history = json(&town, "/games/malaka/history");
    assert_eq!(numbers(&history), [3, 1]);
    assert_eq!(history["boards"][0]["over"]["winner"], "bob", "also where nothing is rated");
    assert_eq!(history["boards"][0]["ended"], "2026-11-22T12:00:00Z");
    assert!(history["next"].is_null());
    assert_eq!(numbers(&json(&town, "/games/malaka/history?player=bob")), [3, 1]);
    let alice = json(&town, "/players/ALICE");
    let rated = &alice["ratings"][0];
    assert_eq!((&alice["player"], &rated["rating"]), (&"alice".into(), &1670.into()));
    assert_eq!((&rated["deviation"], &rated["original"]), (&270.into(), &1600.into()));
    assert_eq!((&rated["is_provisional"], &rated["games"]), (&true.into(), &2.into()));
    assert!(alice["program_level"].is_null() && alice["about"].is_null());
    assert_eq!(json(&town, "/players/board2")["program_level"], 2);
    assert_eq!(names(&json(&town, "/players?q=B")), ["bob"]);
    assert_eq!(names(&json(&town, "/players")), ["alice", "bob", "carol"]);
    assert_eq!(numbers(&json(&town, "/players/alice/boards?opponent=bob")), [3, 1]);
    let score = json(&town, "/players/alice/against/bob");
    assert_eq!(score["games"][0]["won"], serde_json::json!([1, 1]));
    assert_eq!((numbers(&score), &score["is_partial"]), (vec![3, 1], &false.into()));
    let rating = json(&town, "/players/alice/rating/malaka");
    assert_eq!((numbers(&rating), &rating["boards"][0]["change"]), (vec![1], &162.into()));
    let first = &rating["boards"][0];
    assert_eq!((&first["deviation"], &first["original"]), (&290.into(), &1800.into()));
    for path in [
        "/games/ludo/standings",
        "/games/malaka/history?player=nobody",
        "/players/nobody",
        "/players/nobody/boards",
        "/players/alice/against/alice",
        "/players/alice/rating/moloko",
    ] {
        town.get(&format!("/api/v1{path}")).says(404, "{\"error\":");
    }
}

#[test]
fn odd_cursors_are_refused() {
    let town = with_players();
    let cursor = |path: &str| json(&town, path)["next"].as_str().unwrap().to_owned();
    let (standings, players) = (cursor("/games/malaka/standings"), cursor("/players"));
    for path in [
        "/games/malaka/standings?cursor=",
        "/games/malaka/standings?cursor=%FF",
        &format!("/games/malaka/standings?cursor={players}"),
        &format!("/games/moloko/standings?cursor={standings}"),
        &format!("/games/malaka/standings?sort=name&cursor={standings}"),
        &format!("/games/malaka/standings?list=inactive&cursor={standings}"),
        &format!("/games/malaka/standings?cursor={}", &standings[1..]),
        &format!("/players?sort=joined&cursor={players}"),
        &format!("/players?cursor={standings}"),
        "/players?sort=x",
        &format!("/players/alice/boards?cursor={players}"),
        "/players/alice/boards?state=x",
        "/players/alice/boards?game=ludo",
        "/players/alice/against/bob?cursor=x",
        &format!("/games/malaka/history?cursor={standings}"),
    ] {
        town.get(&format!("/api/v1{path}")).says(422, "{\"error\":\"The value of");
    }
    town.get(&format!("/api/v1/players?q=p&cursor={players}")).says(200, "\"p047\"");
}

#[test]
fn boards_in_progress_are_read_on_while_one_ends() {
    let town = WebHome::new();
    for _ in 0..60 {
        town.say("malaka challenge alice bob");
        town.wait(MINUTE);
    }
    let first = json(&town, "/players/alice/boards?state=active");
    assert_eq!(numbers(&first), (11..=60).rev().collect::<Vec<_>>());
    let next =
        format!("/players/alice/boards?state=active&cursor={}", first["next"].as_str().unwrap());
    town.say("malaka resign 11 alice");
    assert_eq!(numbers(&json(&town, &next)), (1..=10).rev().collect::<Vec<_>>());
    town.say("malaka resign 10 alice");
    assert_eq!(numbers(&json(&town, &next)), (1..=9).rev().collect::<Vec<_>>());
}

/// Returns the feed that a page names in its head.
fn feed_of(page: &str) -> Option<String> {
    let html = Html::parse_document(page);
    let link =
        html.select(&select("head link[type='application/atom+xml'][rel=alternate]")).next()?;
    assert!(!link.attr("title").unwrap().is_empty());
    Some(link.attr("href").unwrap().to_owned())
}

#[test]
fn pages_name_their_feeds() {
    let town = WebHome::new();
    finish(&town, MALAKA, "alice bob", "", "bob");
    finish(&town, MALAKA, "alice bob", " --private", "bob");
    town.say("malaka challenge alice carol");
    for path in ["/malaka", "/malaka/history"] {
        assert_eq!(feed_of(&town.get(path).body).as_deref(), Some("/malaka/feed"));
    }
    for path in ["/player/alice", "/player/alice/boards"] {
        assert_eq!(feed_of(&town.get(path).body).as_deref(), Some("/player/alice/feed"));
    }
    assert_eq!(feed_of(&town.get("/players").body), None);
    let feed = town.get("/malaka/feed").says(200, "alice won Malaka board 1");
    assert_eq!(feed.header("content-type"), "application/atom+xml; charset=utf-8");
    assert!(!feed.body.contains("/malaka/2") && !feed.body.contains("/malaka/3"), "{}", feed.body);
    let feed = town.get("/player/alice/feed").says(200, "board 3").body;
    assert!(feed.contains("/malaka/1\"") && !feed.contains("/malaka/2\""), "{feed}");
    town.get("/player/nobody/feed").says(404, "No page has this address");
    town.get("/ludo/feed").says(404, "No page has this address");
    let mut alice = Browser::of(&town, "alice");
    for path in ["/boards", "/player/alice"] {
        let own = feed_of(&alice.get(path).body).unwrap();
        assert!(own.starts_with("/feed/alice/"), "{own}");
        let feed = town.get(&own).says(200, "Boards of alice").body;
        assert!(feed.contains("/malaka/2\""), "her own private board: {feed}");
    }
    assert_eq!(feed_of(&alice.get("/player/bob").body).as_deref(), Some("/player/bob/feed"));
    let public = Browser::of(&town, "alice").get("/malaka/feed").body;
    assert!(!public.contains("/malaka/2"), "the public feed is the same for everybody: {public}");
}

#[test]
fn deadlines_are_a_calendar_at_a_secret_address() {
    let town = WebHome::new();
    town.say("malaka challenge alice bob --forfeittime=3");
    town.say("malaka challenge bob alice --private");
    let mut alice = Browser::of(&town, "alice");
    let page = alice.get("/settings").body;
    let own = page.split("href=\"").find(|rest| rest.starts_with("/calendar/")).unwrap();
    let own = own.split('"').next().unwrap().to_owned();
    let calendar = town.get(&own).says(200, "BEGIN:VCALENDAR");
    assert_eq!(calendar.header("content-type"), "text/calendar; charset=utf-8");
    assert_eq!(calendar.body.matches("BEGIN:VEVENT").count(), 1, "{}", calendar.body);
    let ends = (town.now() + days(3)).stamp().replace(['-', ':'], "");
    for line in ["SUMMARY:Malaka 1 against bob: move", &format!("DTEND:{ends}"), "END:VCALENDAR"] {
        assert!(calendar.body.contains(&format!("{line}\r\n")), "{line}: {}", calendar.body);
    }
    town.get(&own.replace("alice", "bob")).says(404, "No page has this address");
    town.get("/calendar/alice/x").says(404, "No page has this address");
    town.get("/calendar/nobody/x").says(404, "No page has this address");
}
