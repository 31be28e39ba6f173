//! Analyses, "what if" and study boards, without scripts.

use super::board_page::strips;
use crate::support::script::as_typed;
use crate::support::web::browser::Browser;
use crate::support::web::home::{MALAKA, Reply, WebHome};
use crate::support::web::page::{attributes, texts};
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use games::{Chance, GAMES, Seat};
use postboard::base::ids::BoardId;
use postboard::model::board::{Board, BoardStatus};
use postboard::reply::analysis::{Judgement, ValueFormat, Verdict};
use std::net::SocketAddr;

const BACKGAMMON: BoardId = BoardId { game: "backgammon", number: 1 };

/// The least costs of a small mistake, a doubtful move and a blunder.
const LIMITS: [f32; 3] = [0.02, 0.04, 0.08];

/// The size limit of a page in bytes.
const MAX_PAGE: usize = 100 * 1024;

/// Plays random moves on a board until it is over or has had so many moves.
fn play(town: &WebHome, id: BoardId, moves: usize) {
    let mut chance = Chance::new(3);
    loop {
        let next = town.board(id, |board| {
            let BoardStatus::ToMove(seat) = board.status() else { return None };
            let position = board.position();
            let word = position.nth_move(chance.below(position.count())).unwrap();
            (board.next_move() <= moves)
                .then(|| (board.player(seat).to_string(), as_typed(board, word)))
        });
        let Some((player, word)) = next else { return };
        town.say(&format!("{} move {} {player} {word}", id.game, id.number));
    }
}

/// Makes a home with a finished board of Backgammon and one of Malaka.
fn town() -> WebHome {
    let town = WebHome::new();
    for (id, resign) in [(BACKGAMMON, "backgammon"), (MALAKA, "")] {
        town.say(&format!("{} challenge alice bob", id.game));
        play(&town, id, 30);
        town.say(&format!("{} resign 1 alice {resign}", id.game));
        town.board(id, |board| assert!(board.is_over(), "{id}"));
    }
    town
}

/// A decision in the text of a mail.
struct MailedDecision<'t> {
    number: &'t str,
    played: &'t str,
    cost: &'t str,
    verdict: &'t str,
}

/// Returns a cost in points; a hundredth of all games is two hundredths of a point.
fn points(cost: &str) -> f32 {
    match cost.strip_suffix(" %") {
        Some(percent) => percent.parse::<f32>().unwrap() / 50.0,
        None => cost.parse().unwrap(),
    }
}

/// Reads a line such as `  2. X 64: 24-18,18-14 loses 0.369 (blunder)`.
fn mailed(line: &str) -> Option<MailedDecision<'_>> {
    let (number, rest) = line.trim_start().split_once(". ")?;
    let (played, loss) = rest.split_once(" loses ")?;
    let (cost, verdict) = loss.strip_suffix(')')?.split_once(" (")?;
    let (_, played) = played.split_once(": ")?;
    Some(MailedDecision { number, played, cost, verdict })
}

fn judgement(board: &Board) -> Judgement {
    Judgement::of_board(board, None).unwrap()
}

#[test]
fn a_page_has_the_numbers_of_the_mail() {
    let town = town();
    // A reader without a seat, who sees moves as the operator does.
    let mut carol = Browser::of(&town, "carol");
    for id in [BACKGAMMON, MALAKA] {
        let mail = town.say(&format!("{} analyse 1", id.game));
        let mut verdicts = Vec::new();
        for (index, line) in mail.lines().enumerate() {
            let Some(MailedDecision { number, played, cost, verdict }) = mailed(line) else {
                continue;
            };
            let path = format!("/{}/1/analysis?move={number}", id.game);
            let page = carol.get(&path).says(200, played);
            assert!(page.body.len() <= MAX_PAGE, "{path}: {}", page.body.len());
            let mut limits = LIMITS.into_iter().zip(["small", "doubtful", "blunder"]);
            let reached = limits.rfind(|(limit, _)| points(cost) >= *limit);
            assert_eq!(reached.map(|(_, verdict)| verdict), Some(verdict), "{line}");
            let costs = texts(&page.body, ".shown strong");
            assert!(costs.iter().any(|it| it == cost), "{path}: {costs:?}");
            let marks = texts(&page.body, ".shown .mistake");
            assert!(marks.iter().any(|mark| mark.ends_with(verdict)), "{path}: {marks:?}");
            // The row of the move that was played, with the values of the mail.
            let mut rows = mail.lines().skip(index + 1);
            let row = rows.find(|it| it.trim_start().starts_with("> ")).unwrap();
            let is_move = |word: &&str| word.parse::<f32>().is_err();
            let values: String = row.split_whitespace().skip_while(is_move).collect();
            let rows = texts(&page.body, ".shown tbody tr");
            let is_there = |row: &String| row.replace(' ', "").ends_with(&values);
            assert!(rows.iter().any(is_there), "{values} in {rows:?}");
            verdicts.push(verdict);
        }
        let [small, doubtful, blunder] = match id {
            BACKGAMMON => ["0.020", "0.040", "0.080"],
            _ => ["1.0 %", "2.0 %", "4.0 %"],
        };
        let limits = format!(
            "small if it loses {small} or more, doubtful from {doubtful}, and a blunder from {blunder}."
        );
        carol.get(&format!("/{}/1/analysis", id.game)).says(200, &limits);
        assert!(verdicts.len() > 3 && verdicts.contains(&"blunder"), "{mail}");
    }
}

#[test]
fn every_mistake_is_marked_in_the_list_and_in_the_graph() {
    let town = town();
    let mut alice = Browser::of(&town, "alice");
    for id in [BACKGAMMON, MALAKA] {
        let page = alice.get(&format!("/{}/1/analysis?move=1", id.game)).says(200, "Analysis");
        let listed = texts(&page.body, "ol.record li");
        town.board(id, |board| {
            let judgement = judgement(board);
            let moves = judgement.moves();
            assert_eq!(listed.len(), board.next_move() - 1);
            for (judged, text) in moves.iter().zip(&listed) {
                let signs = Verdict::MISTAKES.map(Verdict::word);
                let marked = signs.into_iter().find(|word| text.ends_with(word));
                assert_eq!(marked.unwrap_or_default(), judged.verdict.word(), "{text}");
            }
            let format = ValueFormat(judgement.unit());
            for (index, verdict) in Verdict::MISTAKES.into_iter().enumerate() {
                let of = |seat| judgement.summary(seat).mistakes[index];
                let [own, other] = Seat::BOTH.map(of);
                let rows = texts(&page.body, "table.summary tr");
                let told = format!("{} {own} {other}", verdict.word());
                assert!(rows.iter().any(|row| row.ends_with(&told)), "{told} in {rows:?}");
                let shown =
                    texts(&page.body, &format!(".chances path.is-{}", verdict.word())).len();
                let is_drawn = |seat| {
                    let moves = moves.iter().filter(move |it| it.seat == seat);
                    moves.filter(|it| it.verdict == verdict && it.win.is_some()).count()
                };
                assert_eq!(shown, is_drawn(Seat(0)) + is_drawn(Seat(1)), "{verdict:?}");
            }
            let luck = Seat::BOTH.map(|seat| format.signed(judgement.summary(seat).luck));
            let luck = format!("Luck {} {}", luck[0], luck[1]);
            assert!(texts(&page.body, "table.summary tr").contains(&luck), "{luck}");
        });
        let links = attributes(&page.body, ".chances a", "href");
        assert_eq!(links.len(), listed.len());
        assert_eq!(links[0], "?move=1");
        assert!(!attributes(&page.body, ".chances a", "aria-label")[0].is_empty());
    }
}

#[test]
fn the_page_of_an_analysed_board_marks_the_same_mistakes() {
    let town = town();
    let mut carol = Browser::of(&town, "carol");
    for id in [BACKGAMMON, MALAKA] {
        let path = format!("/{}/1", id.game);
        let board = carol.get(&path).says(200, "Moves");
        assert!(
            texts(&board.body, "ol.record .mistake").is_empty(),
            "nobody has asked for an analysis"
        );
        let analysis = carol.get(&format!("{path}/analysis"));
        let marks = |page: &Reply| {
            let rows = texts(&page.body, "ol.record li");
            let sign = |row: String| row.split_once('?').map(|(_, sign)| sign.to_owned());
            rows.into_iter().map(sign).collect::<Vec<_>>()
        };
        let marked = marks(&analysis);
        assert!(marked.iter().flatten().count() > 3, "{marked:?}");
        assert_eq!(marks(&carol.get(&path)), marked, "{path}");
        // Visitors see the marks on the board as it was earlier, too.
        assert_eq!(marks(&town.get(&format!("{path}/3"))), marked, "{path}");
    }
}

/// Before the roll that a resignation follows, there was a choice to double.
#[test]
fn a_resignation_shows_the_verdict_on_not_doubling_before_it() {
    let town = WebHome::new();
    let mut carol = Browser::of(&town, "carol");
    let mut mistakes = 0;
    for number in 1..=10 {
        town.say("backgammon challenge alice bob");
        let id = BoardId { number, ..BACKGAMMON };
        play(&town, id, 24);
        let (loser, _) = town.due(id);
        town.say(&format!("backgammon resign {number} {loser} backgammon"));
        let (last, verdict) = town.board(id, |board| {
            let judgement = judgement(board);
            let last = judgement.moves().pop().unwrap();
            (last.number, last.verdict)
        });
        let page = carol.get(&format!("/backgammon/{number}/analysis?move={last}"));
        let marks = texts(&page.body, ".shown .mistake");
        assert_eq!(!marks.is_empty(), verdict > Verdict::Fine, "{number}: {marks:?}");
        mistakes += marks.len();
    }
    assert!(mistakes > 0, "no dice with a double");
}

#[test]
fn an_analysis_opens_at_the_worst_move_of_its_reader() {
    let town = town();
    let worst = town.board(BACKGAMMON, |board| {
        let seat = board.seat(&board.players[0]).unwrap();
        let judgement = judgement(board);
        let moves = judgement.moves();
        let own = moves.iter().filter(|it| it.seat == seat);
        let worst = own.max_by(|a, b| a.cost.total_cmp(&b.cost)).unwrap();
        (board.player(seat).to_string(), worst.number)
    });
    let mut player = Browser::of(&town, &worst.0);
    let page = player.get("/backgammon/1/analysis");
    let shown = &texts(&page.body, ".shown h2")[0];
    assert!(shown.starts_with(&format!("{}. {}", worst.1, worst.0)), "{shown}");
    // The links lead to the moves beside it.
    let next = attributes(&page.body, "a[rel=next]", "href");
    assert!(next.is_empty() || next == [format!("?move={}", worst.1 + 1)], "{next:?}");
    let page = player.get(&format!("/backgammon/1/analysis?move={}", worst.1));
    let arrows = |class: &str| attributes(&page.body, &format!("figure.board .{class}"), "d").len();
    assert!(arrows("played-head") > 0 && arrows("best-head") > 0, "{}", page.body);
    let tried = format!("/backgammon/1/preview?after={}", worst.1 - 1);
    assert!(attributes(&page.body, ".shown a", "href").contains(&tried));
}

#[test]
fn a_board_in_progress_gets_no_opinion() {
    let town = WebHome::new();
    town.say("backgammon challenge alice bob");
    play(&town, BACKGAMMON, 6);
    let mut alice = Browser::of(&town, "alice");
    alice.get("/backgammon/1/analysis").says(403, "still being played");
    for path in ["/backgammon/1/preview", "/backgammon/1/preview?after=2"] {
        let page = alice.get(path).says(200, "once the game is over");
        let steps = attributes(&page.body, "figure.board a", "href");
        let step = resolved(path, steps.first().expect("a man can be chosen"));
        let tried = alice.get(&step).says(200, "What if");
        for page in [page, tried] {
            assert!(texts(&page.body, ".opinion").is_empty(), "{}", page.body);
            assert!(!page.body.contains("/analysis"), "{}", page.body);
        }
    }
    assert!(!alice.get("/backgammon/1").body.contains("/backgammon/1/analysis"));
    town.say("backgammon resign 1 alice backgammon");
    let page = alice.get("/backgammon/1").says(200, "/backgammon/1/analysis");
    assert!(page.body.contains("/backgammon/1/preview"));
    let page = alice.get("/backgammon/1/preview?after=2");
    assert_eq!(texts(&page.body, ".opinion").len(), 1, "{}", page.body);
}

#[test]
fn private_and_hidden_boards_tell_nothing() {
    let town = WebHome::new();
    town.say("malaka challenge alice bob --private");
    town.play(MALAKA, 4);
    let paths = ["/malaka/1/analysis", "/malaka/1/preview", "/malaka/1/preview?after=1"];
    for over in [false, true] {
        if over {
            town.say("malaka resign 1 alice");
        }
        for path in paths {
            let mut carol = Browser::of(&town, "carol");
            for reply in [carol.get(path), town.get(path)] {
                let reply = reply.says(403, "private");
                assert!(!reply.body.contains("alice") && !reply.body.contains("<svg"), "{path}");
            }
            let expected = if path.ends_with("analysis") && !over { 403 } else { 200 };
            assert_eq!(Browser::of(&town, "alice").get(path).status, expected, "{path} {over}");
        }
    }
    // The judgement is cached now, and still private.
    Browser::of(&town, "carol").get(paths[0]).says(403, "private");
    for spec in GAMES.iter().map(|game| game.spec()).filter(|spec| spec.manner.is_blind()) {
        let players = if spec.manner.is_solo { "alice" } else { "alice bob" };
        town.say(&format!("{} challenge {players}", spec.name));
        let mut alice = Browser::of(&town, "alice");
        let page = alice.get(&format!("/{}/1", spec.name));
        assert!(!page.body.contains("/preview"), "{}", spec.name);
        for address in ["", "?after=0", "?moves=a1", "?play=a1"] {
            let path = format!("/{}/1/preview{address}", spec.name);
            let reply = alice.get(&path).says(403, "hidden");
            assert!(!reply.body.contains("<svg"), "{path}");
        }
        let refused = alice.get(&format!("/{}/1/analysis", spec.name)).says(403, "cannot analyse");
        refused.says(403, "Long Nardy and Tavli; Malaka only without");
    }
}

#[test]
fn a_visitor_sees_an_analysis_that_a_user_has_asked_for() {
    let town = town();
    let reply = town.get("/malaka/1/analysis");
    assert_eq!(
        (reply.status.as_u16(), reply.header("location")),
        (303, "/signin?back=%2Fmalaka%2F1%2Fanalysis")
    );
    let mut carol = Browser::of(&town, "carol");
    carol.get("/malaka/1/analysis").says(200, "Both sides");
    town.get("/malaka/1/analysis").says(200, "Both sides");
    assert_eq!(town.get("/Malaka/1/analysis").header("location"), "/malaka/1/analysis");
}

#[test]
fn a_user_gets_so_many_analyses_a_day() {
    let town = WebHome::new();
    for number in 1..=21 {
        town.say("moloko challenge alice bob");
        town.play(BoardId { game: "moloko", number }, 2);
        town.say(&format!("moloko resign {number} alice"));
    }
    let mut alice = Browser::of(&town, "alice");
    for number in 1..=20 {
        alice.get(&format!("/moloko/{number}/analysis")).says(200, "Both sides");
    }
    alice.get("/moloko/21/analysis").says(403, "20 games were analysed for you");
    alice.get("/moloko/1/analysis?move=2").says(200, "Both sides");
    Browser::of(&town, "bob").get("/moloko/21/analysis").says(200, "Both sides");
    alice.get("/moloko/21/analysis").says(200, "Both sides");
}

#[test]
fn too_many_analyses_at_once_are_refused_with_a_page() {
    let town = WebHome::new();
    for number in 1..=8 {
        town.say("plakoto challenge alice bob");
        play(&town, BoardId { game: "plakoto", number }, 40);
        town.say(&format!("plakoto resign {number} alice"));
    }
    let alice = Browser::of(&town, "alice");
    let request = |number: u32| {
        let peer = SocketAddr::new(alice.at, 40_000);
        let request =
            Request::get(format!("/plakoto/{number}/analysis")).extension(ConnectInfo(peer));
        let request = request.header("cookie", format!("postboard={}", alice.cookie));
        request.body(Body::empty()).unwrap()
    };
    let replies = town.send_all((1..=8).map(request).collect());
    let (done, refused): (Vec<Reply>, Vec<Reply>) =
        replies.into_iter().partition(|reply| reply.status == 200);
    assert!(!done.is_empty() && !refused.is_empty(), "{} {}", done.len(), refused.len());
    for reply in refused {
        assert_eq!(reply.header("retry-after"), "60");
        let reply = reply.says(429, "Other games are being analysed.");
        assert!(reply.body.contains("Try again"), "{}", reply.body);
    }
    // The places are free again.
    let replies = town.send_all(vec![request(8), request(1)]);
    assert!(replies.iter().all(|reply| reply.status == 200));
}

#[test]
fn odd_addresses_are_refused() {
    let town = town();
    let mut alice = Browser::of(&town, "alice");
    let made = town.board(MALAKA, |board| board.next_move() - 1);
    for number in ["0", "01", "-1", "x", "1e3", "99999999999999999999", &(made + 1).to_string()] {
        alice
            .get(&format!("/malaka/1/analysis?move={number}"))
            .says(404, "No page has this address");
        if number != "0" {
            alice
                .get(&format!("/malaka/1/preview?after={number}"))
                .says(404, "No page has this address");
        }
    }
    for path in [
        "/malaka/9/analysis",
        "/ludo/1/analysis",
        "/malaka/x/preview",
        "/study/ludo",
        "/study",
        "/malaka/1/preview?after=1&keep=7",
        "/malaka/1/preview?after=1&keep=x",
        "/malaka/1/preview?after=1&roll=31",
        "/study/backgammon?roll=77",
        "/study/backgammon?roll=44",
        "/study/backgammon?roll=x",
        "/study/findthem?deal=x",
        "/study/findthem?deal=-1",
    ] {
        alice.get(path).says(404, "No page has this address");
    }
    for path in [
        "/malaka/1/preview?after=1&moves=nonsense",
        "/malaka/1/preview?after=1&play=a1-a9",
        "/malaka/1/preview?after=1&play=%00,%ff,..",
        "/study/backgammon?moves=31+8-5,6-5+99",
        "/study/backgammon?play=8-5",
        "/study/backgammon?position=nonsense",
        "/study/malaka?position=O+14+a1",
        "/study/malaka?option.mode=7",
        "/study/backgammon?option.match=100000",
    ] {
        let reply = alice.get(path).says(422, "Not possible");
        assert!(reply.body.contains("svg") && reply.body.len() <= MAX_PAGE, "{path}");
    }
    let long = "31+8-5,6-5+".repeat(400);
    assert!(alice.get(&format!("/study/backgammon?moves={long}")).status.as_u16() < 500);
    let hostile = "%3Cscript%3Ealert(1)%3C/script%3E";
    for name in ["moves", "play", "from", "position", "option.%3Cb%3E"] {
        let reply = alice.get(&format!("/study/backgammon?{name}={hostile}"));
        assert!(!reply.body.contains("<script>alert"), "{name}");
    }
}

/// Returns the address of the link that flips the board of a page.
fn flip_link(page: &Reply) -> String {
    attributes(&page.body, "a.flip", "href").swap_remove(0)
}

#[test]
fn earlier_positions_analysis_what_if_and_study_are_flipped_like_the_board() {
    let town = town();
    town.say("reversi challenge alice bob");
    play(&town, BoardId { game: "reversi", number: 1 }, 6);
    town.say("reversi resign 1 alice");
    let mut players = ["alice", "bob"].map(|name| (name, Browser::of(&town, name)));
    for game in ["backgammon", "malaka", "reversi"] {
        let mut pages = vec!["/2", "/preview?after=2"];
        if game != "reversi" {
            pages.push("/analysis?move=3");
        }
        for (name, browser) in &mut players {
            let board = format!("/{game}/1");
            for page in pages.iter().map(|page| format!("{board}{page}")) {
                let shown = browser.get(&page).says(200, "Flip the board");
                assert_eq!(strips(&shown.body)[1], *name, "{page}");
                let flip = flip_link(&shown);
                let flip =
                    if flip.starts_with('?') { format!("{board}/analysis{flip}") } else { flip };
                let flipped = browser.get(&flip);
                assert_eq!((flipped.status.as_u16(), flipped.header("location")), (303, &*page));
                // The board is flipped on its other pages, too.
                for path in [&page, &board] {
                    assert_eq!(strips(&browser.get(path).body)[0], *name, "{path}");
                }
                let back = flip_link(&browser.get(&page));
                assert!(back.ends_with("flip=off"), "{back}");
                assert_eq!(browser.get(&format!("{board}?flip=off")).status, 303);
            }
        }
    }
    let mut guest = Browser::new(&town);
    let page = "/study/backgammon?moves=31&play=8-5";
    let drawing = |browser: &mut Browser| {
        let body = browser.get(page).body;
        body[body.find("<svg").unwrap()..body.find("</svg>").unwrap()].to_owned()
    };
    let before = drawing(&mut guest);
    let flip = flip_link(&guest.get(page));
    assert_eq!(guest.get(&flip).header("location"), page);
    assert_ne!(drawing(&mut guest), before);
    assert_eq!(guest.get(&format!("{page}&flip=off")).header("location"), page);
    assert_eq!(drawing(&mut guest), before);
}

#[test]
fn a_refused_form_of_a_trial_keeps_what_was_typed() {
    let town = town();
    let mut alice = Browser::of(&town, "alice");
    let value =
        |page: &Reply, name: &str| attributes(&page.body, &format!("[name='{name}']"), "value");
    let opened = |page: &Reply| attributes(&page.body, "details[open] form", "class").len();
    for path in ["/malaka/1/preview?after=1&", "/study/malaka?"] {
        let page = alice.get(&format!("{path}moves=a1-a9+nonsense")).says(422, "Not possible");
        assert_eq!(value(&page, "moves").last().map(String::as_str), Some("a1-a9 nonsense"));
        assert_eq!(opened(&page), 1, "{}", page.body);
    }
    let query = "position=nonsense&option.match=7&option.nocube=on";
    let page = alice.get(&format!("/study/backgammon?{query}")).says(422, "Not possible");
    assert_eq!((value(&page, "position"), opened(&page)), (vec!["nonsense".to_owned()], 1));
    assert_eq!(value(&page, "option.match"), ["7"]);
    assert_eq!(attributes(&page.body, "[name='option.nocube'][checked]", "value"), ["on"]);
    let page = alice.get("/study/backgammon?option.match=100000").says(422, "Not possible");
    assert_eq!(value(&page, "option.match"), ["100000"]);
}

/// Returns the address to which a link of the page at another address leads.
fn resolved(at: &str, link: &str) -> String {
    let path = at.split('?').next().unwrap();
    match link.as_bytes()[0] {
        b'/' => link.to_owned(),
        b'?' => format!("{path}{link}"),
        _ => format!("{}/{link}", path.rsplit_once('/').unwrap().0),
    }
}

/// Follows random links and buttons of a trial. Returns the last page.
fn wander(browser: &mut Browser, path: &str, steps: usize, seed: u64) -> Reply {
    let mut chance = Chance::new(seed);
    let mut page = browser.get(path);
    let mut at = path.to_owned();
    for _ in 0..=steps {
        while page.status == 303 {
            page.header("location").clone_into(&mut at);
            page = browser.get(&at);
        }
        assert_eq!(page.status, 200, "{at}: {}", page.body);
        assert!(page.body.len() <= MAX_PAGE, "{at}: {}", page.body.len());
        assert_eq!(page.header("x-robots-tag"), "noindex, nofollow");
        let mut next =
            attributes(&page.body, "figure.board a, .controls a:not([data-key])", "href");
        let form = attributes(&page.body, ".rolls input[type=hidden]", "value");
        let names = attributes(&page.body, ".rolls input[type=hidden]", "name");
        let fields: Vec<(String, String)> = names.into_iter().zip(form).collect();
        for roll in attributes(&page.body, ".rolls button", "value") {
            let mut query = form_urlencoded::Serializer::new(String::new());
            query.extend_pairs(&fields).append_pair("roll", &roll);
            let action = &attributes(&page.body, ".rolls", "action")[0];
            next.push(format!("{action}?{}", query.finish()));
        }
        // A turn of several presses ends by a link below the board.
        let whole = attributes(&page.body, ".controls > a:not([data-key])", "href");
        let next = if !whole.is_empty() && chance.below(3) == 0 { whole } else { next };
        let Some(link) = next.get(chance.below(next.len())) else { return page };
        at = resolved(&at, link);
        page = browser.get(&at);
    }
    while page.status == 303 {
        page = browser.get(page.header("location"));
    }
    page
}

#[test]
fn moves_are_tried_on_every_study_board() {
    let town = WebHome::new();
    let before = town.documents();
    let mut visitor = Browser::new(&town);
    for game in GAMES {
        let spec = game.spec();
        let path = format!("/study/{}", spec.name);
        visitor.get(&format!("/{}", spec.name)).says(200, &path);
        for seed in 1..3 {
            let page = wander(&mut visitor, &path, 40, seed);
            assert!(page.body.contains("<svg"), "{path}");
            assert!(!texts(&page.body, ".tried li").is_empty(), "{path}: {}", page.body);
        }
    }
    assert_eq!(town.documents(), before);
    assert_eq!(town.get("/study/Malaka").header("location"), "/study/malaka");
}

#[test]
fn moves_are_tried_from_any_position_of_a_board_and_change_nothing() {
    let town = town();
    town.say("reversi challenge alice bob");
    town.play(BoardId { game: "reversi", number: 1 }, 5);
    let before = town.documents();
    let mut carol = Browser::of(&town, "carol");
    for path in ["/backgammon/1", "/malaka/1", "/reversi/1"] {
        for after in ["", "?after=0", "?after=3"] {
            let page = wander(&mut carol, &format!("{path}/preview{after}"), 25, 5);
            let has_opinion = !texts(&page.body, ".opinion").is_empty();
            assert!(!has_opinion || path != "/reversi/1", "{path}{after}");
        }
    }
    assert_eq!(town.documents(), before);
}

#[test]
fn a_step_is_taken_back_and_a_roll_is_chosen() {
    let town = WebHome::new();
    let mut visitor = Browser::new(&town);
    let page = visitor.get("/study/backgammon").says(200, "The first roll");
    // Each of the 30 opening rolls, and one by chance.
    assert_eq!(attributes(&page.body, ".rolls button", "value").len(), 31);
    let chosen = visitor.get("/study/backgammon?roll=31");
    assert_eq!(
        (chosen.status.as_u16(), chosen.header("location")),
        (303, "/study/backgammon?moves=31")
    );
    let random = visitor.get("/study/backgammon?roll=random");
    let rolled = random.header("location").strip_prefix("/study/backgammon?moves=").unwrap();
    assert!(rolled.len() == 2 && rolled.as_bytes()[0] != rolled.as_bytes()[1], "{rolled}");
    let page = visitor.get("/study/backgammon?moves=31").says(200, "O to move: 3-1.");
    assert_eq!(attributes(&page.body, "a[data-key=u]", "href"), ["/study/backgammon"]);
    let page = visitor.get("/study/backgammon?moves=31&play=8-5");
    assert_eq!(texts(&page.body, ".controls strong"), ["8-5"]);
    assert_eq!(attributes(&page.body, "a[data-key=u]", "href"), ["/study/backgammon?moves=31"]);
    // The last step completes the move.
    let page = visitor.get("/study/backgammon?moves=31&play=8-5,6-5").says(200, "X to roll.");
    assert_eq!(
        attributes(&page.body, "a[data-key=u]", "href"),
        ["/study/backgammon?moves=31&play=8-5"]
    );
    assert!(page.body.contains("The move 8-5,6-5") && page.body.contains("It is best."));
    assert_eq!(attributes(&page.body, ".rolls fieldset button", "value").len(), 21);
    let page = visitor.get("/study/backgammon?moves=31+8-5%2C6-5");
    assert_eq!(attributes(&page.body, "a[data-key=u]", "href"), ["/study/backgammon?moves=31"]);
    let kept = visitor.get("/study/backgammon?moves=31+8-5%2C6-5+66&keep=1");
    assert_eq!(kept.header("location"), "/study/backgammon?moves=31");
    // X begins with the higher second die.
    visitor.get("/study/backgammon?moves=13").says(200, "X to move: 3-1.");
    // A bad move is judged, and the better ones are links.
    let page = visitor.get("/study/backgammon?moves=31+24-21%2C21-20");
    assert!(!texts(&page.body, ".opinion .mistake").is_empty(), "{}", page.body);
    let links = attributes(&page.body, ".opinion a", "href");
    assert_eq!(links[0], "/study/backgammon?moves=31+8-5%2C6-5");
}

#[test]
fn links_of_a_page_of_tries_have_only_what_is_new() {
    let town = WebHome::new();
    let mut visitor = Browser::new(&town);
    let hrefs = |page: &Reply| attributes(&page.body, "figure.board a", "href");
    let back = |page: &Reply| attributes(&page.body, "a[data-key=u]", "href").concat();
    let mut at = "/study/go?option.size=9".to_owned();
    for (moves, link) in [
        (0, "go/tried/option.size=9?play=a1"),
        (1, "option.size=9/a1?play=b1"),
        (2, "a1/b1?play=c1"),
        (3, "b1/c1?play=d1"),
    ] {
        let page = visitor.get(&at).says(200, "to move.");
        assert_eq!(texts(&page.body, ".tried li").len(), moves, "{at}");
        assert_eq!(hrefs(&page)[0], link, "{at}");
        at = resolved(&at, link);
    }
    // What is behind the path is what a query says, and forms and keys keep to it.
    let page = visitor.get(&at).says(200, "Black: c1");
    assert_eq!(back(&page), "/study/go/tried/option.size=9/a1/b1/c1");
    assert_eq!(attributes(&page.body, "form.tried", "action"), [format!("{}/d1", back(&page))]);
    let kept = visitor.get(&format!("{}/d1?keep=2", back(&page)));
    assert_eq!(kept.header("location"), "/study/go/tried/option.size=9/a1/b1");
    let asked = visitor.get("/study/go?option.size=9&moves=a1+b1+c1+d1");
    assert_eq!(texts(&asked.body, ".tried li"), texts(&page.body, ".tried li"));
    // Steps of a move go on in the query; words and positions with slashes are one segment.
    let page = visitor.get("/study/amazons/tried/-/d1-d7~g7").says(200, "Black to move");
    assert_eq!(hrefs(&page)[0], "?from=a7");
    for odd in
        ["/study/go/tried/", "/study/go/tried/-/%ff", "/study/go/tried/~/~", "/study/go/tried/-//"]
    {
        assert!(visitor.get(odd).status.as_u16() < 500, "{odd}");
    }
}

#[test]
fn a_study_begins_from_a_position_or_with_options() {
    let town = WebHome::new();
    let mut visitor = Browser::new(&town);
    // The position ID of GNU Backgammon after the opening play 8-5,6-5.
    let page = visitor.get("/study/backgammon?position=4HPwATDgc%2FABMA%3AMAAAAAAAAAAA");
    assert_eq!(page.status, 200, "{}", page.body);
    town.say("malaka challenge alice bob -large");
    town.play(MALAKA, 6);
    let notation = town.board(MALAKA, |board| board.position().notation());
    let mut query = form_urlencoded::Serializer::new(String::new());
    let query = query.append_pair("option.large", "on").append_pair("position", &notation).finish();
    let page = visitor.get(&format!("/study/malaka?{query}")).says(200, "Study board");
    assert!(texts(&page.body, ".opinion").is_empty(), "the large board has no net");
    let drawn = attributes(&page.body, "figure.board svg", "aria-label");
    let link = &attributes(&page.body, "figure.board a", "href")[0];
    assert!(link.contains("option.large=on") && link.contains("position="), "{link}");
    let diagram = town.board(MALAKA, |board| board.position().notation());
    assert_eq!(diagram, notation);
    assert_eq!(
        attributes(
            &visitor.get(&format!("/study/malaka?{query}")).body,
            "figure.board svg",
            "aria-label"
        ),
        drawn
    );
}

/// Changes characters of a text at random.
fn damaged(text: &str, chance: &mut Chance) -> String {
    let mut text: Vec<char> = text.chars().collect();
    for _ in 0..=chance.below(4) {
        let at = chance.below(text.len().max(1));
        let other = ['O', 'X', 'G', 'R', '.', '/', '=', '1', '9', ' ', '-', 'a'][chance.below(12)];
        match chance.below(3) {
            0 => drop(text.get_mut(at).map(|it| *it = other)),
            1 if !text.is_empty() => drop(text.remove(at)),
            _ => text.insert(at.min(text.len()), other),
        }
    }
    text.into_iter().collect()
}

#[test]
fn damaged_positions_do_no_harm() {
    let town = WebHome::new();
    let mut visitor = Browser::new(&town);
    let mut chance = Chance::new(9);
    let mut placed = 0;
    for game in GAMES {
        let name = game.spec().name;
        let players = if game.spec().manner.is_solo { "alice" } else { "alice bob" };
        town.say(&format!("{name} challenge {players}"));
        let id = BoardId { game: name, number: 1 };
        for moves in [0, 7, 30] {
            play(&town, id, moves);
            let notation = town.board(id, |board| board.position().notation());
            for _ in 0..12 {
                let position = damaged(&notation, &mut chance);
                let mut query = form_urlencoded::Serializer::new(String::new());
                let query =
                    query.append_pair("position", &position).append_pair("deal", "7").finish();
                let page = visitor.get(&format!("/study/{name}?{query}"));
                let status = page.status.as_u16();
                assert!([200, 422].contains(&status), "{name} {position}: {}", page.body);
                placed += usize::from(status == 200);
                if let Some(link) = attributes(&page.body, "figure.board a", "href").last() {
                    let link = resolved(&format!("/study/{name}"), link);
                    assert!(visitor.get(&link).status.as_u16() < 500, "{name} {position} {link}");
                }
            }
        }
    }
    assert!(placed > 5, "{placed}");
}

#[test]
fn a_study_of_a_secret_game_hides_what_was_dealt() {
    let town = WebHome::new();
    let mut visitor = Browser::new(&town);
    for spec in GAMES.iter().map(|game| game.spec()).filter(|spec| spec.manner.is_secret) {
        let path = format!("/study/{}", spec.name);
        let begun = visitor.get(&path);
        assert_eq!(begun.status, 303);
        assert!(begun.header("location").starts_with(&format!("{path}?deal=")), "{path}");
        let page = |deal: &str, visitor: &mut Browser| {
            // Without this option the players see the pattern once.
            let reply = visitor.get(&format!("{path}?option.blind=on&deal={deal}"));
            assert_eq!(reply.status, 200);
            reply
                .body
                .replace(&format!("deal={deal}"), "")
                .replace(&format!("value=\"{deal}\""), "")
        };
        assert_eq!(page("11111", &mut visitor), page("22222", &mut visitor), "{path}");
    }
}

#[test]
fn a_long_match_is_analysed_on_small_pages() {
    let town = WebHome::new();
    town.say("backgammon challenge alice bob -match=3");
    play(&town, BACKGAMMON, 400);
    if town.board(BACKGAMMON, |board| !board.is_over()) {
        // Some games of the match are left.
        for _ in 0..6 {
            if town.board(BACKGAMMON, Board::is_over) {
                break;
            }
            town.say("backgammon resign 1 alice backgammon");
        }
    }
    let made = town.board(BACKGAMMON, |board| board.next_move() - 1);
    assert!(made > 110, "{made}");
    let mut alice = Browser::of(&town, "alice");
    for number in [1, made / 2, made] {
        let page = alice.get(&format!("/backgammon/1/analysis?move={number}"));
        assert_eq!(page.status, 200, "{}", page.body);
        assert!(page.body.len() <= MAX_PAGE, "{number}: {}", page.body.len());
        let current = texts(&page.body, "ol.record [aria-current=step]");
        assert!(current.len() == 1 && current[0].starts_with(&format!("{number}.")), "{current:?}");
        let parts = attributes(&page.body, "nav[aria-label^=Parts] a", "href");
        assert_eq!(parts.len(), made.div_ceil(100));
    }
}
