//! What is said of an operator's repairs: to the players by mail, and to him about a board.

use super::account::{first_steps, mail, paragraphs};
use super::board::open_offer;
use super::body::{diagram, for_programs, names, picture};
use super::news::{News, standing};
use super::{Block, BoardNews, Form, Outgoing, To, Undone, board, clock, plain};
use crate::base::ids::{BoardId, UserId};
use crate::base::words::{Count, lines, wrapped};
use crate::mail::{Address, HeaderText, Identity, Kind, Mail};
use crate::model::board::{Board, Line, Offer};
use crate::model::event::Event;
use crate::model::rating::Standing;
use crate::model::user::User;
use crate::model::world::World;
use chrono::DateTime;
use games::{Entry, Seat, View};
use std::fmt::Write as _;

/// The mails to players and observers of a board that the operator has changed.
pub fn changed(
    world: &World,
    id: BoardId,
    what: &BoardNews,
    dropped: &[Event],
    now: i64,
) -> Vec<Outgoing> {
    let news = News { what, by: None, comment: "", moves: 0 };
    let mut mails = board::to_players(world, None, id, &news, now);
    board::report_dropped(&mut mails, dropped);
    mails.extend(board::to_observers(world, id, &news, now));
    mails
}

/// What the operator did, as both players read it.
pub(super) fn happened(what: &BoardNews) -> Option<String> {
    let Undone { closing, from, new_dice } = match what {
        BoardNews::Undone(undone) => *undone,
        BoardNews::Mended => {
            return Some(
                "The operator of the server has mended this board. It is now as you see it \
                 here; forget what older mails showed."
                    .into(),
            );
        }
        _ => return None,
    };
    let moves = from.map(|from| format!("move {from} and what followed"));
    let what = match (closing, moves) {
        (true, Some(moves)) => format!("the end of this game, and {moves}"),
        (true, None) => "the end of this game".into(),
        (false, moves) => moves.unwrap_or_default(),
    };
    let dice = match (from, new_dice) {
        (None, _) => "",
        (Some(_), false) => " The dice stay the same, and those thrown later will come again.",
        (Some(_), true) => " The dice to be played stay the same; others will be thrown later.",
    };
    Some(format!(
        "The operator of the server has taken back {what}: the game goes on from here.{dice} The \
         clock of this turn begins anew, and what was taken back has taken nobody's time."
    ))
}

/// The mail to a user whom the operator has signed up.
pub fn added(user: &User) -> Vec<Outgoing> {
    let id = &user.id;
    let text = format!(
        "Welcome, {id}! The operator of the server has signed you up; ask them for\n\
         your password.\n\n{}",
        first_steps(id)
    );
    to_all(&user.addresses, &format!("Welcome {id}"), &text)
}

/// The mail to a user who has got a new password.
pub fn new_password(user: &User) -> Vec<Outgoing> {
    let id = &user.id;
    let text = paragraphs(&[
        &format!("The operator of the server has given {id} a new password."),
        "If you did not ask for it, write to the operator.",
    ]);
    to_all(&user.addresses, &format!("Password of {id}"), &text)
}

/// The mail to a user who has got another userid.
pub fn renamed(user: &User, old: &UserId) -> Vec<Outgoing> {
    let id = &user.id;
    let first =
        format!("The operator of the server has renamed you: you were {old}, you are {id}.");
    let same = "Only the capitals differ, so everything is as it was.";
    let other = format!(
        "Your password, your boards and your ratings are as they were. Write {id} in your \
         commands from now on. You cannot answer the mails that you have got about boards until \
         now by pressing Reply any more; the next ones you can, and `all show {id} next` shows you \
         the boards that wait for you. One-time words mailed to you are void."
    );
    let second = if old == id { same } else { &other };
    to_all(&user.addresses, &format!("You are {id}"), &paragraphs(&[&first, second]))
}

/// The mails when the operator removes a user: to him, and to his opponents.
pub fn removed(
    world: &World,
    user: &UserId,
    addresses: &[Address],
    boards: &[(BoardId, Seat)],
    now: i64,
) -> Vec<Outgoing> {
    let given_up = match boards.len() {
        0 => String::new(),
        count => format!(" {} in progress counted as resigned.", Count(count, "game")),
    };
    let text = paragraphs(&[
        &format!("The operator of the server has removed you, {user}.{given_up}"),
        "What was stored about you is erased; finished boards keep your userid, and nobody else \
         can ever have it.",
    ]);
    let mut mails = to_all(addresses, &format!("Goodbye {user}"), &text);
    for (board, seat) in boards {
        let news = News { what: &BoardNews::Moved, by: None, comment: "", moves: 0 };
        let both = board::to_players(world, None, *board, &news, now);
        mails.extend(both.into_iter().filter(|mail| mail.seat == Some(seat.other())));
        mails.extend(board::to_observers(world, *board, &news, now));
    }
    mails
}

fn to_all(addresses: &[Address], subject: &str, text: &str) -> Vec<Outgoing> {
    let one = |to: &Address| mail(To::Address(to.clone()), subject.into(), text.into());
    addresses.iter().map(one).collect()
}

/// All that an operator needs to judge a quarrel about a board.
pub fn shown(world: &World, board: &Board, now: i64) -> String {
    let mut text = format!("{}\n\n", standing(board, None));
    let mut say = |what: &str, words: &str| {
        if !words.is_empty() {
            text.push_str(&lines(&format!("{what:<11}{words}"), 76, "           "));
            text.push('\n');
        }
    };
    let both = |of: &dyn Fn(Seat) -> Option<String>| {
        let one = |seat: Seat| Some(format!("{}: {}", board.player(seat), of(seat)?));
        Seat::BOTH.into_iter().filter_map(one).collect::<Vec<_>>().join("; ")
    };
    let player = |seat: Seat| {
        let challenger = if board.challenger == Some(seat) { " (challenger)" } else { "" };
        let gone = if world.user(board.player(seat)).is_none() { " (gone)" } else { "" };
        format!("{} {}{challenger}{gone}", board.side(seat), board.player(seat))
    };
    say("File", &crate::model::world::board_key(board.id).to_string());
    say("Players", &Seat::BOTH.map(player).join(", "));
    say("Options", &board.options.words().collect::<Vec<_>>().join(" "));
    let private = board.private.then(|| "--private".to_owned());
    say("Terms", &board.terms.words().chain(private).collect::<Vec<_>>().join(" "));
    say("Started", &time(board.started));
    say("Ended", &board.ended_at().map(time).unwrap_or_default());
    let closed = |by: &dyn Fn() -> String| board.closing.map(|_| by()).unwrap_or_default();
    say(
        "Closed",
        &closed(&|| {
            board.closing.map_or_else(String::new, |closing| {
                let who = board.player(Seat(closing.seat & 1));
                format!("{:?} by {who}", closing.by).to_lowercase()
            })
        }),
    );
    if board.is_over() {
        let [o, x] = world.clock(board, now).used.map(clock::span);
        let [one, other] = &board.players;
        say("Time", &format!("Clock: {one} {o}, {other} {x}."));
    } else {
        say("Time", &clock::of(world, board, now).unwrap_or_default());
    }
    let nags = board.nags.map(|nags| format!("{}, last {}", time(nags.first), time(nags.last)));
    say("Reminded", &nags.unwrap_or_default());
    say("Offer", &open_offer(board, &View::default()).unwrap_or_default());
    let past = |offer: &Offer| {
        let what = format!("{:?}", offer.what).to_lowercase();
        format!("{what} of {}, {}", board.player(offer.by), time(offer.at))
    };
    say("Withdrawn", &board.past.iter().map(past).collect::<Vec<_>>().join("; "));
    say("Submitted", &both(&|seat| board.submitted[seat.index()].clone()));
    let queued = |seat: Seat| {
        let queued = board.queued[seat.index()].as_ref()?;
        let moveno = queued.moveno.map(|moveno| format!("#{moveno}"));
        Some(queued.text.clone() + &moveno.unwrap_or_default())
    };
    say("Queued", &both(&queued));
    let kept: Vec<String> = board.kept.iter().map(ToString::to_string).collect();
    say("Kept rolls", &kept.join(" "));
    let settings = |seat: Seat| {
        let words: Vec<String> = world.settings(board, seat).words().collect();
        (!words.is_empty()).then(|| words.join(" "))
    };
    say("Settings", &both(&settings));
    let observers: Vec<&str> = board.observers.iter().map(UserId::as_str).collect();
    say("Observers", &observers.join(", "));
    let effect = |seat: Seat| {
        let effect = board.rated?[seat.index()];
        let of = |standing: Standing| format!("{} ({})", standing.rating, games_of(&standing));
        Some(format!("{} to {}", of(effect.before), of(effect.after)))
    };
    say("Ratings", &both(&effect));
    let _ = write!(text, "\n{}", record(board));
    let view = View::default();
    let picture = picture(&diagram(board, &view), Some(names(board)));
    let blocks = [Block::Page(text), picture, for_programs(board.position(), &view)];
    plain::text(&blocks, Form::Shell)
}

fn games_of(standing: &Standing) -> String {
    format!("won {}, lost {}, tied {}", standing.won, standing.lost, standing.tied)
}

/// The record, an entry a line: its number there, its time, and the number of the move.
fn record(board: &Board) -> String {
    let mut text = String::from("Record\n");
    let mut moves = board.moves();
    let mut number = 0;
    for (index, Line { at, entry, .. }) in board.record.iter().enumerate() {
        let said = match entry {
            Entry::Rolled(roll) => format!("      {roll} thrown"),
            Entry::Laid(stones) => format!("      {stones} laid"),
            Entry::Moved { .. } | Entry::Resigned { .. } => {
                number += 1;
                let Some(turn) = moves.next() else { continue };
                let auto = if turn.auto { " (auto)" } else { "" };
                format!("{number:>4}. {} {}{auto}", board.side(turn.seat), turn.text)
            }
        };
        let again = board.rewound.filter(|rewound| rewound.entries == index + 1);
        let again = again.map(|rewound| format!("; waits again since {}", time(rewound.at)));
        let line = format!("{:>5}  {}  {said}{}", index + 1, time(*at), again.unwrap_or_default());
        text.push_str(&lines(&line, 76, "                                   "));
        text.push('\n');
    }
    text
}

/// What is stored about a user, for the operator; no secrets.
pub fn user(user: &User) -> String {
    let mut text = format!("{}\n\n", user.id);
    let mut say = |what: &str, words: &str| {
        if !words.is_empty() {
            text.push_str(&lines(&format!("{what:<11}{words}"), 76, "           "));
            text.push('\n');
        }
    };
    say("File", &crate::model::world::user_key(&user.id).to_string());
    let addresses: Vec<&str> = user.addresses.iter().map(Address::as_str).collect();
    say("Addresses", &addresses.join(" "));
    if user.joined != 0 {
        say("Joined", &time(user.joined));
    }
    if let Some(left) = user.left {
        let how = if left.erased { ", erased" } else { "" };
        say("Left", &format!("{}{how}", time(left.at)));
    }
    say("Renamed", &user.renamed.as_ref().map(|new| format!("is {new} now")).unwrap_or_default());
    let boards =
        |boards: &[BoardId]| boards.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    say("Active", &boards(&user.active));
    say("Finished", &boards(&user.finished));
    for (game, standing) in &user.ratings {
        say("Rating", &format!("{game} {}, {}", standing.rating, games_of(standing)));
    }
    for (game, most) in &user.limits {
        say("Limit", &format!("{game} {most}"));
    }
    for vacation in &user.vacations {
        say("Vacation", &format!("{} to {}", vacation.from, vacation.to));
    }
    text
}

/// A time of UTC.
fn time(at: i64) -> String {
    DateTime::from_timestamp(at, 0)
        .map_or_else(|| at.to_string(), |time| time.format("%Y-%m-%d %H:%M:%S").to_string())
}

/// What the operator is told when both players have been.
pub fn told(board: &Board) -> String {
    format!("{}\nBoth players are told.\n", standing(board, None))
}

/// The mail that `check --mail` sends: by the same envelope as a mail about a board, whose failed
/// delivery would come back.
pub fn trial(from: &Identity, to: &Address) -> Mail {
    let text = format!(
        "This mail was sent by `postboard check --mail {to}`. It left as the mails of the server {} \
         leave; where it arrives, they do.",
        from.address
    );
    let asked = "If you did not ask for it, ignore it: no more will come.";
    Mail {
        to: to.clone(),
        subject: HeaderText::new("Postboard: a mail to try the way out"),
        text: format!("{}\n\n{}\n", wrapped(&text), wrapped(asked)),
        html: None,
        kind: Kind::Notice,
        thread: None,
        answers: None,
        reply_tag: None,
        opt_out: None,
        bounces: Some("check".into()),
    }
}
