//! The HTML part of board mails: pages that all mail programs can show, and links that make moves.

#![expect(clippy::disallowed_methods, reason = "the golden texts are files")]
#![expect(clippy::unwrap_used, reason = "a failed `unwrap` fails the test")]

mod browser;
mod clients;

use crate::support::home;
use crate::support::letters::{as_sent, decoded};
use clients::{Cell, cells, places_of_dots, well_shown};
use games::{
    AnyGame, Choices, Diagram, Entry, GAMES, Next, Roll, Seat, Spot, TiledBoard, Tiling, View,
};
use mailparse::parse_mail;
use postboard::base::ids::UserId;
use postboard::base::time::Time;
use postboard::config::{Config, SAMPLE};
use postboard::mail::{Address, Html, REPLY_DELIMITER};
use postboard::model::board::Board;
use postboard::model::token::Generation;
use postboard::model::user::{self, User};
use postboard::server::{Server, Setup};
use postboard::store::{DocumentChange, Documents as _, Key, MemoryStore, Store as _, Transaction};
use proptest::prelude::*;
use scraper::{Html as Page, Selector};
use std::collections::HashSet;
use std::path::PathBuf;

const NOW: Time = Time::from_unix(1_100_000_000);

/// A server in memory with one board.
#[derive(Clone)]
pub(crate) struct BoardServer {
    store: MemoryStore,
    plus: bool,
    /// The URL of the boards in a browser.
    site: Option<&'static str>,
    mails: usize,
}

/// A mail as the server sends it.
#[derive(Clone, Debug)]
pub(crate) struct Sent {
    to: String,
    raw: Vec<u8>,
    subject: String,
    text: String,
    /// The HTML part, or an empty string.
    pub(crate) html: String,
    /// The inline pictures: their ids and PNGs.
    pictures: Vec<(String, Vec<u8>)>,
}

impl Sent {
    fn read(to: &str, raw: &[u8]) -> Self {
        let mail = parse_mail(raw).unwrap();
        let header = |name: &str| {
            let found = mail.headers.iter().find(|header| header.get_key() == name);
            found.map(mailparse::MailHeader::get_value).unwrap_or_default()
        };
        let mut pictures = Vec::new();
        let bodies: Vec<_> = match mail.subparts.as_slice() {
            [] => vec![mail.get_body().unwrap()],
            [text, html] => {
                assert_eq!(mail.ctype.mimetype, "multipart/alternative");
                let html = match html.subparts.as_slice() {
                    [] => html,
                    [page, rest @ ..] => {
                        assert_eq!(html.ctype.mimetype, "multipart/related");
                        assert_eq!(html.ctype.params["type"], "text/html");
                        pictures = rest.iter().map(picture).collect();
                        page
                    }
                };
                for (part, kind) in [(text, "text/plain"), (html, "text/html")] {
                    assert_eq!((&*part.ctype.mimetype, &*part.ctype.charset), (kind, "utf-8"));
                }
                vec![text.get_body().unwrap(), html.get_body().unwrap()]
            }
            more => panic!("{} parts", more.len()),
        };
        let mut bodies = bodies.into_iter().map(|body| body.replace("\r\n", "\n"));
        Self {
            to: to.to_owned(),
            raw: raw.to_owned(),
            subject: header("Subject"),
            text: bodies.next().unwrap(),
            html: bodies.next().unwrap_or_default(),
            pictures,
        }
    }

    /// Returns the links of the page: text and address.
    fn links(&self) -> Vec<(String, String)> {
        let page = Page::parse_document(&self.html);
        let link = Selector::parse("a").unwrap();
        let links = page.select(&link).map(|link| {
            (link.text().collect::<String>(), link.value().attr("href").unwrap().to_owned())
        });
        links.collect()
    }

    fn link(&self, label: &str) -> String {
        let links = self.links();
        let found = links.iter().find(|(of, _)| of == label);
        found.unwrap_or_else(|| panic!("no {label} in {links:?}")).1.clone()
    }
}

impl BoardServer {
    /// Makes a server whose players get boards as tables, which tests can read.
    pub(crate) fn of(boards: &[Board]) -> Self {
        Self::with_pictures(boards, Some("table"))
    }

    /// Makes a server whose players have chosen this picture format, or no format.
    fn with_pictures(boards: &[Board], chosen: Option<&str>) -> Self {
        let mut post = Self { store: MemoryStore::new(), plus: true, site: None, mails: 0 };
        let mut changes = Vec::new();
        for id in &boards[0].players {
            let address = Address::parse(&format!("{}@example.org", id.folded())).unwrap();
            let mut user = User::new(id.clone(), "none".into(), vec![address], Time::EPOCH);
            user.active = boards.iter().map(|board| board.id).collect();
            if let Some(chosen) = chosen {
                user.preferences.choose(user::preference::PICTURE.choose(chosen).unwrap());
            }
            changes.push(DocumentChange {
                key: Key::In(user::COLLECTION, id.folded()),
                was: None,
                text: user.write(),
            });
        }
        for board in boards {
            let key = Key::Board(board.id.game, board.id.number);
            changes.push(DocumentChange { key, was: None, text: board.write() });
        }
        post.store.commit(Transaction { changes, ..Transaction::default() }).unwrap();
        post
    }

    fn setup(&self) -> Setup {
        let mut config = if self.plus { home::config() } else { Config::read(SAMPLE).unwrap() };
        config.web.address = self.site.map(str::to_owned);
        home::setup(config)
    }

    /// Executes a mail with this head and body.
    fn raw(&mut self, from: &str, to: &str, subject: &str, body: &str) -> Vec<Sent> {
        self.mails += 1;
        let raw = format!(
            "From: {from}@example.org\r\nTo: {to}\r\nSubject: {subject}\r\nMessage-ID: \
             <{}@example.org>\r\nDate: Fri, 20 Aug 2004 12:00:00 +0000\r\n{body}",
            self.mails
        );
        self.execute(raw.as_bytes())
    }

    fn execute(&mut self, raw: &[u8]) -> Vec<Sent> {
        let setup = self.setup();
        let mut chance = home::seeded(1);
        let mut server = Server::new(&setup, &mut chance);
        server.execute_mail(raw, &self.store, NOW).unwrap();
        let done = server.take_transaction();
        self.store.commit(done.clone()).unwrap();
        done.letters.iter().map(|letter| Sent::read(letter.to.as_str(), &as_sent(letter))).collect()
    }

    fn mail(&mut self, from: &str, to: &str, subject: &str, body: &str) -> Vec<Sent> {
        let body = format!("Content-Type: text/plain; charset=utf-8\r\n\r\n{body}");
        self.raw(from, to, subject, &body)
    }

    /// Sends a chat message of a seat's player; returns the mails to both players, seat 0 first.
    pub(crate) fn say(&mut self, board: &Board, seat: Seat, said: &str) -> Vec<Sent> {
        let player = board.player(seat);
        let tag = self.setup().key.tag(
            board.id,
            board.next_move(),
            board.seat(player).and_then(|seat| board.offered_to(seat)),
            player,
            Generation::default(),
        );
        let subject = format!("Re: {} [#{tag}]", board.id.game);
        let mut sent = self.mail(&player.folded(), "postboard@localhost", &subject, said);
        assert_eq!(sent.len(), 2, "{}", sent[0].text);
        // The answer leaves first.
        sent.rotate_left(seat.index());
        sent
    }

    /// Sends the draft that a link opens, without changes.
    fn press(&mut self, from: &str, link: &str) -> Vec<Sent> {
        let rest = link.strip_prefix("mailto:").unwrap();
        let (to, fields) = rest.split_once('?').unwrap();
        let field = |name: &str| {
            let mut fields = fields.split('&').filter_map(|field| field.split_once('='));
            let value = fields.find(|(key, _)| *key == name).map_or("", |(_, value)| value);
            decoded(value)
        };
        self.mail(from, &decoded(to), &field("subject"), &field("body"))
    }

    fn moves(&self, board: &Board) -> usize {
        let key = Key::Board(board.id.game, board.id.number);
        Board::read(&self.store.load(&key).unwrap().text.unwrap()).unwrap().next_move()
    }
}

/// Returns a picture inside a mail: its id and the PNG.
fn picture(part: &mailparse::ParsedMail) -> (String, Vec<u8>) {
    assert_eq!(part.ctype.mimetype, "image/png");
    assert!(part.get_content_disposition().disposition == mailparse::DispositionType::Inline);
    let id = part.headers.iter().find(|header| header.get_key() == "Content-ID").unwrap();
    let id = id.get_value();
    let id = id.strip_prefix('<').and_then(|id| id.strip_suffix('>')).unwrap();
    (id.to_owned(), part.get_body_raw().unwrap())
}

fn user(name: &str) -> UserId {
    UserId::parse(name).unwrap()
}

pub(crate) fn game(name: &str) -> &'static dyn AnyGame {
    games::find(name).unwrap()
}

fn fresh(game: &'static dyn AnyGame, options: &[&str]) -> Board {
    let spec = game.spec();
    let options = Choices::parse(spec.options, spec.exclusive, options.iter().copied()).unwrap();
    Board::new(game, 17, [user("alice"), user("bob")], options, NOW)
}

/// Returns a board of a game after up to `moves` random moves.
pub(crate) fn played(
    game: &'static dyn AnyGame,
    options: &[&str],
    seed: u64,
    moves: usize,
) -> Board {
    let mut seed = seed;
    let mut below = |limit: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((seed >> 33) % limit as u64).unwrap()
    };
    let mut board = fresh(game, options);
    loop {
        let entry = match board.position().next() {
            Next::Roll(throw) | Next::Ready(_, throw) => {
                let mut die = || u8::try_from(1 + below(throw.faces.into())).unwrap();
                let one = throw.dice == 1;
                let roll = loop {
                    let roll = if one { Roll::One(die()) } else { Roll::Two(die(), die()) };
                    if roll.fits(throw) {
                        break roll;
                    }
                };
                Entry::Rolled(roll)
            }
            Next::Deal => Entry::Laid(board.position().deal(&mut below)),
            Next::Move(_) if board.next_move() > moves => return board,
            Next::Move(seat) => {
                let position = board.position();
                let text = position.nth_move(below(position.count())).unwrap();
                Entry::Moved { seat, text, auto: false }
            }
            Next::Over(_) => return board,
        };
        board.append(NOW, &[entry]);
    }
}

/// The games of [`boards`]: the seed, and the number of moves. The last ones are over.
const GAMES_PLAYED: [(u64, usize); 6] = [(1, 0), (2, 7), (3, 20), (4, 33), (5, 60), (6, 5_000)];

/// Returns boards of every game and size: early, late and over.
pub(crate) fn boards() -> impl Iterator<Item = Board> {
    boards_after(&GAMES_PLAYED)
}

/// Returns the boards that go on.
fn boards_in_play() -> impl Iterator<Item = Board> {
    boards_after(&GAMES_PLAYED[..5]).filter(|board| !board.is_over())
}

fn boards_after(games: &'static [(u64, usize)]) -> impl Iterator<Item = Board> {
    let kinds = GAMES.iter().flat_map(|game| {
        let has = |name: &str| game.spec().options.iter().any(|option| option.name == name);
        let more: &[&[&str]] = match (has("large"), has("match"), has("nocube")) {
            (true, ..) => &[&[], &["-large"]],
            (_, true, true) => &[&[], &["-match=25"], &["-nocube"]],
            (_, true, false) => &[&[], &["-match=25"]],
            _ => &[&[]],
        };
        more.iter().map(|options| (*game, *options))
    });
    kinds.flat_map(|(game, options)| {
        games.iter().map(move |(seed, moves)| played(game, options, *seed, *moves))
    })
}

#[test]
fn every_board_is_shown_as_mail_programs_can() {
    let (mut count, mut largest) = (0, 0);
    for board in boards_in_play() {
        for sent in BoardServer::of(std::slice::from_ref(&board)).say(&board, Seat(0), "chat\n\nhi")
        {
            well_shown(&sent.html);
            stands(&board, &View::default(), &sent.html);
            assert!(
                sent.text.starts_with(REPLY_DELIMITER) && !sent.text.contains("<td"),
                "{}",
                sent.text
            );
            // A long position stands on the next line.
            assert!(sent.text.contains("Position:") && sent.html.contains("hi"));
            assert!(!sent.html.contains("Position:") && !sent.html.contains("<pre"));
            (count, largest) = (count + 1, largest.max(sent.html.len()));
        }
    }
    assert!(count > 60, "{count} pages");
    assert!((8_000..70_000).contains(&largest), "{largest} bytes");
}

/// Checks that a page shows on each point the men that are there for a viewer.
fn stands(board: &Board, view: &View, html: &str) {
    let mut shown = cells(html);
    let pile_of = |cell: &Cell| cell.men.join(" ");
    let count = |seat: Seat, men: u8| {
        let man = ["O", "X"][seat.index()];
        if men == 1 { man.to_owned() } else { format!("{man}{men}") }
    };
    let diagram = board.position().diagram(view);
    match diagram {
        Diagram::Corridor(board) => {
            assert_eq!(shown.len(), board.piles.len());
            let size = usize::from(board.size);
            for (index, cell) in shown.iter().enumerate() {
                let (rank, file) = (size - index / size, index % size);
                let pile = board.piles[(rank - 1) * size + file];
                let want = match pile.holder {
                    None => String::new(),
                    Some(of) if pile.pins => {
                        format!("{} {}", count(of, pile.men), count(of.other(), 1))
                    }
                    Some(of) => count(of, pile.men),
                };
                assert_eq!(pile_of(cell), want);
                assert_eq!(cell.text, "");
            }
        }
        Diagram::Points(board) => {
            shown.sort_by_key(|cell| cell.text.parse::<usize>().unwrap());
            assert_eq!(shown.len(), 24);
            for (pile, cell) in board.piles.iter().zip(&shown) {
                let Some(of) = pile.holder else {
                    assert_eq!(pile_of(cell), "");
                    continue;
                };
                // The page draws the column from the top down; the count is next to the rim.
                let mut men = cell.men.clone();
                if !cell.is_upper {
                    men.reverse();
                }
                if pile.pins {
                    assert_eq!(men.remove(0), count(of.other(), 1));
                }
                assert_eq!(men[0], count(of, pile.men), "{men:?}");
                let drawn = usize::from(pile.men).min(5 - usize::from(pile.pins));
                assert_eq!(men.len(), drawn);
                assert!(men[1..].iter().all(|man| *man == count(of, 1)));
            }
        }
        Diagram::Board(board) if board.tiling == Tiling::Dots => {
            let want = |spot: Spot| match board.mark(spot) {
                '-' | '|' if board.last.contains(&spot) => "[+]".to_owned(),
                '-' | '|' => "+".to_owned(),
                '.' if TiledBoard::is_dot(spot) => "+".to_owned(),
                '.' => String::new(),
                owner => owner.to_string(),
            };
            let wanted: Vec<String> = board.rows().concat().into_iter().map(want).collect();
            assert_eq!(places_of_dots(html), wanted);
        }
        Diagram::Board(board) => {
            let spots = board.rows().concat();
            assert_eq!(shown.len(), spots.len());
            for (name, cell) in spots.into_iter().zip(&shown) {
                let is_last = board.last.contains(&name);
                let want = match board.mark(name) {
                    '.' => Vec::new(),
                    mark if is_last => vec![format!("[{mark}]")],
                    mark => vec![mark.to_string()],
                };
                assert_eq!(cell.men, want, "{name}");
                let star = || board.stars().contains(&name).then(|| "+".to_owned());
                let number = || board.number(name).map(|number| number.to_string());
                let beside = want.is_empty().then(|| number().or_else(star)).flatten();
                assert_eq!(cell.text, beside.unwrap_or_default(), "{name}");
            }
        }
    }
}

#[test]
fn the_last_mail_has_the_board_too() {
    for board in boards_in_play().step_by(3) {
        let mut post = BoardServer::of(std::slice::from_ref(&board));
        let is_match = board.options.get("match").is_some();
        let all = post.say(&board, Seat(1), if is_match { "resign match" } else { "resign" });
        // Where a game has stakes, the server asks the opponent first.
        let is_asked = all[0].text.contains("offers to resign");
        let is_over = ["You won: ", "You lost: ", "Closed: "];
        let is_over = is_over.iter().any(|head| all[0].subject.starts_with(head));
        assert_eq!(is_over, !is_asked, "{}", all[0].text);
        for sent in all.iter().filter(|_| !is_asked) {
            well_shown(&sent.html);
            let links = sent.links();
            assert_eq!(links[0].0, "play again");
            // A game of dice that both players have played also offers a link to the analysis.
            let others: Vec<&str> = links[1..].iter().map(|(label, _)| &**label).collect();
            assert!(matches!(others[..], [] | ["best plays"]), "{links:?}");
        }
    }
}

#[test]
fn a_link_plays_once() {
    for plus in [true, false] {
        let board = played(game("moultezim"), &[], 3, 12);
        let Next::Move(due) = board.position().next() else { panic!("somebody is to move") };
        let (me, other) = (board.player(due).folded(), board.player(due.other()).folded());
        let mut post = BoardServer { plus, ..BoardServer::of(std::slice::from_ref(&board)) };
        let sent = post.say(&board, due.other(), "chat\n\nhi");
        let mine = sent.iter().find(|sent| sent.to.starts_with(&me)).unwrap();
        let first = board.position().nth_move(0).unwrap();
        let link = mine.link(&first);
        assert_eq!(link.contains("%5B%23b"), !plus, "{link}");
        assert_eq!(link.starts_with("mailto:postboard%2Bbmoultezim17m"), plus, "{link}");
        let answers = post.press(&me, &link);
        let moved = post.moves(&board);
        assert!(moved > board.next_move(), "{:?}", answers[0].text);
        // Pressing the link again, too late, has no effect, and the player reads why.
        for _ in 0..2 {
            let answers = post.press(&me, &link);
            assert_eq!(answers.len(), 1);
            let text = &answers[0].text;
            assert!(
                text.contains("Nothing has changed") && text.contains("but the next move on"),
                "{text}"
            );
            assert_eq!(post.moves(&board), moved);
        }
        // Nothing below the mark is a message to the opponent.
        let to_other = answers.iter().find(|sent| sent.to.starts_with(&other)).unwrap();
        assert!(!to_other.text.contains("writes:"), "{}", to_other.text);
    }
}

#[test]
fn every_link_does_what_stands_on_it() {
    let mut pressed = 0;
    for board in boards_in_play().step_by(2) {
        let mut post = BoardServer::of(std::slice::from_ref(&board));
        let said = if board.has_moved(Seat(1)) { "undo" } else { "chat\n\nhi" };
        for (seat, sent) in Seat::BOTH.into_iter().zip(post.say(&board, Seat(1), said)) {
            let me = board.player(seat).folded();
            for (label, link) in sent.links() {
                let mut copy = post.clone();
                let text = copy.press(&me, &link)[0].text.clone();
                let is_begun = label.ends_with(" ...");
                assert_eq!(text.contains("Not done: "), is_begun, "{label}: {text}");
                assert!(!is_begun || copy.moves(&board) == post.moves(&board));
                pressed += 1;
            }
        }
    }
    assert!(pressed > 100, "{pressed} links");
}

/// Encodes text as a mail program does in a link.
fn encoded(text: &str) -> String {
    let one = |b: u8| match b {
        b if b.is_ascii_alphanumeric() || b == b'-' => char::from(b).to_string(),
        b => format!("%{b:02X}"),
    };
    text.bytes().map(one).collect()
}

/// Where there are many plays, each first step is a link: the player adds the rest of the move.
#[test]
fn a_first_step_can_be_written_on() {
    let (mut pressed, mut kinds) = (0, HashSet::new());
    for board in boards_in_play().filter(|board| board.position().count() > 24) {
        let Next::Move(due) = board.position().next() else { continue };
        let view = View { seat: Some(due), ..View::default() };
        let mut post = BoardServer::of(std::slice::from_ref(&board));
        let sent = post.say(&board, due.other(), "chat\n\nhi").remove(due.index());
        for (label, link) in sent.links() {
            let step =
                label.strip_suffix(" ...").filter(|step| step.contains(['1', '2', '3', '4']));
            let Some(step) = step else { continue };
            let mut steps = vec![step.to_owned()];
            let play = loop {
                let words: Vec<&str> = steps.iter().map(String::as_str).collect();
                let begun = board.position().partial_move(&view, &words).unwrap();
                match begun.play {
                    Some(play) => break play,
                    None => steps.push(begun.next[0].words.clone()),
                }
            };
            let [begun, whole] = [step, &play].map(|words| format!("&body={}%0D", encoded(words)));
            assert!(link.contains(&begun) && begun != whole, "{link}");
            let mut copy = post.clone();
            let answers = copy.press(&board.player(due).folded(), &link.replace(&begun, &whole));
            assert!(copy.moves(&board) > board.next_move(), "{play}: {}", answers[0].text);
            (pressed, _) = (pressed + 1, kinds.insert(board.id.game));
        }
    }
    assert!(pressed > 50 && kinds.len() > 3, "{pressed} links of {kinds:?}");
}

/// Players who number the points from their own side find their numbers on the board, in the table
/// of moves and on the links, and a link makes the move in its label.
#[test]
fn a_page_has_the_numbers_of_its_reader() {
    let mut pressed = 0;
    for (name, moves) in [("backgammon", 7), ("backgammon", 20), ("plakoto", 11), ("moultezim", 9)]
    {
        for seed in 1..=6 {
            let board = played(game(name), &[], seed, moves);
            let spec = board.game.spec();
            let mut post = BoardServer::of(std::slice::from_ref(&board));
            let key = Key::In(user::COLLECTION, "bob".into());
            let was = post.store.load(&key).unwrap();
            let mut bob = User::read(&was.text.clone().unwrap()).unwrap();
            let mine = Choices::of_settings(spec.settings, ["numbers=mine"]).unwrap();
            bob.settings.insert(name.to_owned(), mine.words().collect());
            let changes = vec![DocumentChange { key, was: was.version, text: bob.write() }];
            post.store.commit(Transaction { changes, ..Transaction::default() }).unwrap();
            let view = View { seat: Some(Seat(1)), settings: mine, legal: false };
            let sent = post.say(&board, Seat(0), "chat\n\nhi").remove(1);
            well_shown(&sent.html);
            stands(&board, &view, &sent.html);
            let last = board.moves().last().unwrap();
            let worded = board.game.text_for_viewer(&view, last.seat, last.text.to_string());
            assert!(sent.html.contains(&worded), "{last:?} {worded}");
            assert_eq!(worded != last.text, last.seat == Seat(1), "{last:?} {worded}");
            if board.position().next() != Next::Move(Seat(1)) {
                continue;
            }
            let first = board.position().nth_move(0).unwrap();
            let link = sent.link(&board.game.text_for_viewer(&view, Seat(1), first.clone()));
            let answers = post.press("bob", &link);
            assert!(post.moves(&board) > board.next_move(), "{}", answers[0].text);
            let key = Key::Board(board.id.game, board.id.number);
            let after = Board::read(&post.store.load(&key).unwrap().text.unwrap()).unwrap();
            assert_eq!(after.moves().nth(board.next_move() - 1).unwrap().text, first);
            pressed += 1;
        }
    }
    assert!(pressed > 5, "{pressed} links");
}

#[test]
fn nobody_resigns_by_pressing_and_sending() {
    let board = played(game("malaka"), &[], 2, 6);
    let mut post = BoardServer::of(std::slice::from_ref(&board));
    let sent = post.say(&board, Seat(0), "chat\n\nhi");
    let link = sent[0].link("resign ...");
    let answer = post.press("alice", &link).remove(0);
    assert!(answer.text.contains("Nothing has changed"), "{}", answer.text);
    // With `resign` above the mark, alice resigns.
    let over = post.press("alice", &link.replace("&body=", "&body=resign"));
    assert!(over[0].subject.starts_with("You lost: Malaka"), "{}", over[0].subject);
}

#[test]
fn every_command_of_a_board_has_a_link() {
    let labels = |sent: &Sent| sent.links().into_iter().map(|(label, _)| label).collect::<Vec<_>>();
    let board = played(game("malaka"), &[], 2, 6);
    let mut post = BoardServer::of(std::slice::from_ref(&board));
    let due = match board.position().next() {
        Next::Move(due) => due,
        next => panic!("{next:?}"),
    };
    let sent = post.say(&board, due.other(), "undo");
    let [asked, asking] = [due, due.other()].map(|seat| labels(&sent[seat.index()]));
    assert_eq!(asked[..2], ["accept", "reject"]);
    assert_eq!(asking, ["withdraw the offer", "say something ...", "show", "resign ..."]);

    // A player is asked before the roll, and the opponent is asked to take.
    let board = played(game("backgammon"), &["-match=5"], 2, 4);
    let mut post = BoardServer::of(std::slice::from_ref(&board));
    for seat in Seat::BOTH {
        let player = board.player(seat).folded();
        let tag = post.setup().key.tag(
            board.id,
            board.next_move(),
            board.offered_to(seat),
            board.player(seat),
            Generation::default(),
        );
        post.mail(&player, "postboard@localhost", &format!("Re: x [#{tag}]"), "manual");
    }
    let Next::Move(due) = board.position().next() else { panic!("somebody is to move") };
    let sent = post.say(&board, due, &board.position().nth_move(0).unwrap());
    let asked = &sent[due.other().index()];
    assert_eq!(labels(asked)[..2], ["roll", "double"], "{}", asked.text);
    let sent = post.press(&board.player(due.other()).folded(), &asked.link("double"));
    // After the answer.
    let offered = &sent[1];
    assert_eq!(labels(offered)[..2], ["take", "drop"]);
    well_shown(&offered.html);
}

#[test]
fn players_without_html_get_the_text_alone() {
    let board = played(game("plakoto"), &[], 2, 9);
    let mut post = BoardServer::of(std::slice::from_ref(&board));
    let with = post.clone().say(&board, Seat(0), "chat\n\nhi");
    let key = Key::In(user::COLLECTION, "bob".into());
    let was = post.store.load(&key).unwrap();
    let mut bob = User::read(&was.text.unwrap()).unwrap();
    bob.preferences.choose(user::preference::HTML.choose("off").unwrap());
    let changes = vec![DocumentChange { key, was: was.version, text: bob.write() }];
    post.store.commit(Transaction { changes, ..Transaction::default() }).unwrap();
    let sent = post.say(&board, Seat(0), "chat\n\nhi");
    assert_eq!(sent[0].raw, with[0].raw);
    assert!(!sent[0].html.is_empty() && sent[1].html.is_empty());
    assert_eq!(sent[1].text, with[1].text);
    let raw = String::from_utf8(sent[1].raw.clone()).unwrap();
    assert!(raw.contains("Content-Type: text/plain; charset=utf-8\r\n") && !raw.contains("--=_"));
    // Strangers get no HTML: the server answers them in text.
    let shown = post.mail("eve", "postboard@localhost", "plakoto show 17", "");
    assert!(shown[0].html.is_empty() && shown[0].text.contains("Position: "));
}

/// Returns the colours of a PNG, its width and its height.
fn pixels(bytes: &[u8]) -> (HashSet<[u8; 3]>, u32, u32) {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut pixels).unwrap();
    let colours = pixels.chunks_exact(3).map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
    (colours, frame.width, frame.height)
}

#[test]
fn a_board_is_a_picture_inside_its_mail() {
    let (mut count, mut largest) = (0, 0);
    for board in boards_in_play().step_by(3) {
        let boards = std::slice::from_ref(&board);
        let table = BoardServer::of(boards).say(&board, Seat(0), "chat\n\nhi");
        let sent = BoardServer::with_pictures(boards, None).say(&board, Seat(0), "chat\n\nhi");
        for (sent, table) in sent.iter().zip(table) {
            assert_eq!((&sent.text, &sent.subject), (&table.text, &table.subject));
            assert_eq!(sent.links(), table.links());
            well_shown(&sent.html);
            let page = Page::parse_document(&sent.html);
            let images = Selector::parse("img").unwrap();
            let images: Vec<_> = page.select(&images).map(|image| image.value()).collect();
            let [image] = images[..] else { panic!("{} pictures", images.len()) };
            let [(id, bytes)] = &sent.pictures[..] else { panic!("{}", sent.pictures.len()) };
            assert_eq!(image.attr("src"), Some(&*format!("cid:{id}")));
            let said = "aria-label=\"";
            let said = table.html.split_once(said).unwrap().1.split_once('"').unwrap().0;
            assert_eq!(image.attr("alt"), Some(said));
            assert!(!sent.html.contains("aria-label") && table.pictures.is_empty());
            let (colours, width, height) = pixels(bytes);
            assert!([576, 600].contains(&width), "{width}");
            // Boards of hexagons are wider than high.
            let is_hex = matches!(
                board.position().diagram(&View::default()),
                Diagram::Board(tiles) if tiles.is_hex()
            );
            let heights = if is_hex { 440..580 } else { 580..720 };
            assert!(heights.contains(&height), "{height}");
            assert!((12..=16).contains(&colours.len()), "{} colours", colours.len());
            (count, largest) = (count + 1, largest.max(bytes.len()));
        }
    }
    assert!(count > 30, "{count} pictures");
    assert!((5_000..50_000).contains(&largest), "{largest} bytes");
}

/// A mark is a thin ring; the picture keeps the colour of the mark besides all other colours.
#[test]
fn marked_points_keep_the_colour_of_their_men() {
    const MARKS: [[u8; 3]; 2] = [[0xc2, 0x54, 0], [0x16, 0x6a, 0x4e]];
    let mut marked = 0;
    for board in boards_in_play().step_by(4) {
        let Next::Move(due) = board.position().next() else { continue };
        let mut post = BoardServer::with_pictures(std::slice::from_ref(&board), None);
        let sent = post.say(&board, due.other(), "chat\n\nhi").remove(due.index());
        let (colours, ..) = pixels(&sent.pictures[0].1);
        let is_like = |mark: [u8; 3], colour: &[u8; 3]| {
            mark.iter().zip(colour).all(|(one, other)| one.abs_diff(*other) < 24)
        };
        let has = |mark| colours.iter().any(|colour| is_like(mark, colour));
        // The words `to play` have the same green.
        assert!(has(MARKS[1]), "{}", board.id);
        let is_shown = match board.position().diagram(&View::default()) {
            Diagram::Board(board) => !board.last.is_empty(),
            // A match may have begun another game.
            Diagram::Points(points) if points.game_of.is_some() => continue,
            _ => board.moves().last().is_some_and(|turn| turn.text.contains(['1', '2', '3'])),
        };
        assert!(has(MARKS[0]) || !is_shown, "{}", board.id);
        marked += usize::from(is_shown);
    }
    assert!(marked > 10, "{marked} last moves");
}

#[test]
fn a_picture_is_the_same_at_each_try_and_its_lines_are_short() {
    let board = played(game("plakoto"), &[], 4, 30);
    let post = BoardServer::with_pictures(std::slice::from_ref(&board), Some("png"));
    let twice = [post.clone(), post].map(|mut post| post.say(&board, Seat(0), "chat\n\nhi"));
    for (one, other) in twice[0].iter().zip(&twice[1]) {
        assert!(one.raw == other.raw);
        assert!(one.raw.split(|b| *b == b'\n').all(|line| line.len() <= 999));
    }
}

#[test]
fn players_without_pictures_get_none() {
    let board = played(game("moultezim"), &[], 3, 14);
    let mut post = BoardServer::with_pictures(std::slice::from_ref(&board), Some("off"));
    let sent = post.say(&board, Seat(0), "chat\n\nhi").remove(0);
    well_shown(&sent.html);
    assert!(sent.pictures.is_empty() && cells(&sent.html).is_empty());
    assert!(!sent.html.contains("<img") && sent.text.contains("HOME  O "), "{}", sent.text);
}

#[test]
fn players_with_words_only_get_no_picture_in_any_part() {
    for (name, drawn) in [("malaka", "+----"), ("backgammon", "|BAR|"), ("reversi", " a b c d ")] {
        let board = played(game(name), &[], 3, 14);
        let mut post = BoardServer::with_pictures(std::slice::from_ref(&board), None);
        let key = Key::In(user::COLLECTION, board.players[0].folded());
        let was = post.store.load(&key).unwrap();
        let mut reader = User::read(&was.text.clone().unwrap()).unwrap();
        reader.preferences.choose(user::preference::WORDS.choose("only").unwrap());
        let changes = vec![DocumentChange { key, was: was.version, text: reader.write() }];
        post.store.commit(Transaction { changes, ..Transaction::default() }).unwrap();
        let [sent, other] = <[_; 2]>::try_from(post.say(&board, Seat(1), "chat\n\nhi")).unwrap();
        well_shown(&sent.html);
        assert!(sent.pictures.is_empty() && cells(&sent.html).is_empty(), "{}", sent.html);
        assert!(!sent.html.contains("<img") && sent.html.contains("In words:"), "{}", sent.html);
        assert!(sent.text.contains("In words:"), "{}", sent.text);
        assert!(!sent.text.contains(drawn), "{}", sent.text);
        assert!(!other.pictures.is_empty() && other.text.contains(drawn), "{}", other.text);
    }
}

#[test]
fn a_mail_says_where_its_board_is_seen_in_a_browser() {
    let board = played(game("malaka"), &[], 9, 9);
    let mut post = BoardServer::of(std::slice::from_ref(&board));
    let without = post.clone().say(&board, Seat(0), "chat\n\nhi").remove(0);
    post.site = Some("https://games.example");
    let sent = post.say(&board, Seat(0), "chat\n\nhi").remove(0);
    let address = "https://games.example/malaka/17";
    let line = format!("\nSee this board in a browser:\n    {address}\n");
    assert_eq!(sent.text, without.text.trim_end().to_owned() + "\n" + &line);
    assert_eq!(sent.link("See this board in a browser"), address);
    assert_eq!(sent.links().len(), without.links().len() + 1);
}

#[test]
fn composed_again_a_mail_is_the_same() {
    let board = played(game("malaka"), &[], 9, 9);
    let post = BoardServer::of(std::slice::from_ref(&board));
    let twice = [post.clone(), post].map(|mut post| post.say(&board, Seat(0), "chat\n\nhi"));
    assert_eq!(twice[0][0].raw, twice[1][0].raw);
    assert_eq!(twice[0][1].raw, twice[1][1].raw);
}

#[test]
fn an_answer_that_quotes_the_page_is_read() {
    let board = played(game("malaka"), &[], 9, 9);
    let Next::Move(due) = board.position().next() else { panic!("somebody is to move") };
    let mut post = BoardServer::of(std::slice::from_ref(&board));
    let sent = post.say(&board, due.other(), "chat\n\nhi").remove(due.index());
    let play = board.position().nth_move(0).unwrap();
    let (me, tag) = (
        board.player(due),
        post.setup().key.tag(
            board.id,
            board.next_move(),
            board.offered_to(due),
            board.player(due),
            Generation::default(),
        ),
    );
    let page = sent.html.split_once("<body").unwrap().1.split_once('>').unwrap().1;
    for (before, after) in
        [("<blockquote>", "</blockquote>"), ("", ""), ("<div>On Monday wrote:</div>", "")]
    {
        let body = format!(
            "MIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n\
             <html><body><div>{play}</div><br>{before}{page}{after}</body></html>"
        );
        let mut post = post.clone();
        let to = format!("postboard+{tag}@localhost");
        let answers = post.raw(&me.folded(), &to, &format!("Re: {}", sent.subject), &body);
        assert!(post.moves(&board) > board.next_move(), "{}", answers[0].text);
    }
}

#[test]
fn the_largest_message_leaves_the_page_small_enough() {
    let board = played(game("malaka"), &["-large"], 5, 40);
    for said in ["\"&<>'".repeat(1_990), "\u{1F3B2} \u{10FFFD}".repeat(1_100), "<\n".repeat(4_990)]
    {
        let mut post = BoardServer::of(std::slice::from_ref(&board));
        for sent in post.say(&board, Seat(0), &format!("chat\n\n{said}")) {
            well_shown(&sent.html);
            assert!(!sent.links().is_empty());
            let wire = sent.raw.split(|&b| b == b'\n').map(<[u8]>::len).max().unwrap();
            assert!(wire <= 999, "{wire}");
        }
    }
}

/// Returns the tags of a page, without line breaks.
fn tags(html: &str) -> Vec<String> {
    let page = Page::parse_document(html);
    let every = Selector::parse("*").unwrap();
    let all = page.select(&every);
    all.map(|tag| tag.value().name().to_owned()).filter(|name| name != "br").collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn nothing_from_outside_makes_a_tag(
        said in "(<[a-z/!]{0,4}[ >]?|[\"'&=]|on[a-z]{3}=|&#?[a-z0-9]{0,4};?|</td>|-->|\u{202E}|\u{0}|javascript:|[ -~]|\n|\\PC){1,40}",
    ) {
        let board = played(game("malaka"), &[], 9, 9);
        let words = format!("chat\n\nx{said}x");
        let sent = BoardServer::of(std::slice::from_ref(&board)).say(&board, Seat(0), &words);
        let plain = BoardServer::of(std::slice::from_ref(&board)).say(&board, Seat(0), "chat\n\nx");
        for (sent, plain) in sent.iter().zip(&plain) {
            // Separators and signatures of mail programs end a message, so the message may be
            // shorter.
            let (got, want) = (tags(&sent.html), tags(&plain.html));
            prop_assert_eq!(got, want, "{}", &sent.html);
            well_shown(&sent.html);
        }
    }
}

#[test]
fn hostile_names_are_words() {
    let evil = ["<script>alert(1)</script>", "\"onload=x \u{202E}'"];
    let boards =
        [played(game("malaka"), &[], 9, 9), played(game("backgammon"), &["-match=5"], 9, 9)];
    for board in &boards {
        let diagram = board.position().diagram(&View::default());
        let draw = |names: [&str; 2], words: &str| {
            let html = Html::document(words, "margin:0", |page| {
                postboard::reply::draw::html(page, &diagram, names, words);
            });
            html.as_str().to_owned()
        };
        let html = draw(evil, evil[1]);
        assert_eq!(tags(&html), tags(&draw(["alice", "bob"], "a board")));
        well_shown(&html);
        assert!(html.contains("&lt;script&gt;") && !html.contains("\u{202E}"));
    }
}

#[test]
fn pages_are_as_they_were_reviewed() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/mail/html");
    let board = played(game("malaka"), &[], 8, 46);
    let Next::Move(due) = board.position().next() else { panic!("somebody is to move") };
    let mut post = BoardServer::with_pictures(std::slice::from_ref(&board), None);
    post.site = Some("https://games.example");
    let sent = post.say(&board, due.other(), "chat\n\nWell played!").remove(due.index());
    let picture = ("picture", sent.html);
    for (name, html) in pages().into_iter().chain([picture]) {
        let path = folder.join(name).with_extension("html");
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&path, &html).unwrap();
        }
        assert!(std::fs::read_to_string(&path).unwrap_or_default() == html, "{name} differs");
    }
}

/// Returns a page of each board shape, with every element that a page can have.
pub(crate) fn pages() -> Vec<(&'static str, String)> {
    let mail = |game: &'static dyn AnyGame, options: &[&str], seed, moves| {
        let board = played(game, options, seed, moves);
        let Next::Move(due) = board.position().next() else { panic!("somebody is to move") };
        let mut post = BoardServer::of(std::slice::from_ref(&board));
        let said = "chat\n\nWell played!\nI <3 this game & you.";
        post.say(&board, due.other(), said).remove(due.index()).html
    };
    let mut grid = TiledBoard {
        last: vec!["c5".parse().unwrap()],
        legal: ["a1", "e2"].into_iter().map(|name| name.parse().unwrap()).collect(),
        score: Some(([3, 4], "points".into())),
        light: Some(Seat(1)),
        ..TiledBoard::new(games::SIDES, 5, 5)
    };
    grid.put_rows(&["..G..", ".GRR.", "..?R.", ".....", "G...R"]);
    let grid = Diagram::Board(grid);
    let grid = Html::document("A square board", "margin:0;padding:8px", |page| {
        postboard::reply::draw::html(page, &grid, ["alice", "bob"], "c5: G");
    });
    vec![
        ("malaka", mail(game("malaka"), &[], 8, 46)),
        ("large", mail(game("malaka"), &["-large"], 5, 30)),
        ("backgammon", backgammon()),
        ("plakoto", mail(game("plakoto"), &[], 4, 30)),
        ("moultezim", mail(game("moultezim"), &[], 3, 14)),
        ("grid", grid.as_str().replace("\r\n", "\n")),
    ]
}

/// Returns a page of Backgammon with men on the bar, an owned cube, and a match.
fn backgammon() -> String {
    let mut found = (1..400).filter_map(|seed| {
        let board = played(game("backgammon"), &["-match=5"], seed, 24);
        let Diagram::Points(points) = board.position().diagram(&View::default()) else {
            return None;
        };
        let games::Rim::Bar(waiting) = points.rim else { return None };
        (waiting.iter().sum::<u8>() > 0 && !board.is_over()).then_some(board)
    });
    let board = found.next().unwrap();
    let Next::Move(due) = board.position().next() else { panic!("somebody is to move") };
    let mut post = BoardServer::of(std::slice::from_ref(&board));
    post.say(&board, due.other(), "chat\n\nhi").remove(due.index()).html
}
