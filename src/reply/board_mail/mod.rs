//! The mails about a board, from top to bottom: the news (`news`, `recent_moves`, `questions`), the
//! state of the game in a sentence (`state_sentence`; on pages `news_line`), the board with its latest
//! moves and facts (`board_section`), what the reader can answer (`reply_options`), and the Subject
//! (`subject`).
//!
//! This file decides who gets which mail.

pub(crate) mod board_section;
pub(crate) mod clock_text;
mod highlighting;
mod match_facts;
pub(crate) mod names;
pub(crate) mod news;
pub(crate) mod news_line;
pub(crate) mod offers;
pub(crate) mod plans;
pub(crate) mod position_in_words;
pub(crate) mod questions;
mod recent_moves;
pub(crate) mod reply_options;
pub(crate) mod state_sentence;
pub mod subject;

use crate::base::ids::{BoardId, UserId};
use crate::base::time::Time;
use crate::model::board::Board;
use crate::model::rate_limit::QuotaShare;
use crate::model::topic::Topic;
use crate::model::user::OptOut;
use crate::model::world::World;
use crate::reply::analysis;
use crate::reply::answers::displays::board_without_options;
use crate::reply::answers::ladder;
use crate::reply::answers::refusals::open_offer;
use crate::reply::board_mail::board_section::{BoardSection, BoardViewer, diagram, for_programs};
use crate::reply::board_mail::news::{BoardNews, NewsItem};
use crate::reply::board_mail::reply_options::ReplyOptions;
use crate::reply::board_mail::state_sentence::headline;
use crate::reply::board_mail::subject::SubjectTopic;
use crate::reply::letters::{Block, Delivery, Highlights, OutgoingMail, Recipient};
use crate::reply::origin::Origin;
use games::{AnyPosition, Next, Seat, View};

/// Builds the mails to both players about news of their board, from a command or from the clock.
pub(crate) fn to_players(
    world: &World,
    origin: Option<&Origin>,
    id: BoardId,
    news: &NewsItem,
    now: Time,
) -> Vec<OutgoingMail> {
    let board = world.board(id).expect("something happened on it");
    // A player gets no comments of a user they have muted.
    let has_muted = |reader: Seat| {
        news.by.is_some_and(|by| world.is_muted(board.player(reader), board.player(by)))
    };
    let readers = Seat::BOTH.map(|seat| BoardViewer::player(world, board, seat));
    let sections = board_sections(world, board, &readers, now);
    let mail = |(seat, (reader, section)): (Seat, (&BoardViewer, BoardSection))| {
        let news = if has_muted(seat) { NewsItem { comment: "", ..*news } } else { *news };
        OutgoingMail {
            to: Recipient::User(board.player(seat).clone()),
            seat: Some(seat),
            has_page: reader.wants_pages(world),
            share: share(news.what),
            opt_out: Some(OptOut::Boards),
            delivery: delivery(board, seat, &news),
            ..about(
                board,
                Some(seat),
                SubjectTopic::News(news.what, news.by),
                blocks(world, board, seat, &news, reader, section, now),
            )
        }
    };
    let mut mails: Vec<OutgoingMail> =
        Seat::BOTH.into_iter().zip(readers.iter().zip(sections)).map(mail).collect();
    match (origin, news.by) {
        // An analysis always goes by mail, where it can be read again.
        (Some(Origin::Web(_)), _) if matches!(news.what, BoardNews::Analysed { .. }) => {}
        // On the shell and in a browser, the player who acts reads the answer there.
        (Some(Origin::Shell | Origin::Web(_)), Some(seat)) => {
            mails[seat.index()].to = Recipient::Sender;
        }
        (Some(Origin::Shell), None) => {
            let blocks = board_without_options(world, board, &BoardViewer::anybody(), now);
            mails.push(about(board, None, SubjectTopic::News(news.what, None), blocks));
        }
        (
            Some(Origin::Mail(_) | Origin::Doubted(_) | Origin::Unnamed | Origin::Web(_)) | None,
            _,
        ) => {}
    }
    if let BoardNews::Chatted(_) = news.what {
        mails.retain(|mail| mail.seat.is_none_or(|seat| !has_muted(seat)));
    }
    mails
}

/// Builds the text of a mail to a player: the news, the board, what they can answer, and an analysis.
fn blocks(
    world: &World,
    board: &Board,
    seat: Seat,
    news: &NewsItem,
    reader: &BoardViewer,
    section: BoardSection,
    now: Time,
) -> Vec<Block> {
    let mut blocks = vec![Block::Mark];
    blocks.extend(news::news_blocks(board, news, &reader.view));
    let is_new = *news.what == BoardNews::Begun;
    blocks.extend(ladder::board_words(world, board, seat, is_new).map(Block::sentence));
    let options = ReplyOptions::for_seat(world, board, seat, reader, now);
    blocks.extend(section.with(Some(options.choices)));
    blocks.extend(options.text);
    if let BoardNews::Analysed { until } = news.what {
        blocks.push(analysis::so_far(board, reader, *until));
    }
    blocks.push(for_programs(board.position(), &reader.view));
    blocks
}

/// Builds what both players see of the board: once, where it looks the same from both sides.
fn board_sections(
    world: &World,
    board: &Board,
    readers: &[BoardViewer; 2],
    now: Time,
) -> [BoardSection; 2] {
    let [one, other] = readers;
    let [first, second] = [one, other].map(|reader| diagram(board, &reader.view));
    let section = BoardSection::for_reader(world, board, &first, one, now);
    let [clock, other_clock] =
        [one, other].map(|reader| clock_text::describe(world, board, reader.user, now));
    let differs = first != second
        || clock != other_clock
        || readers.iter().any(|reader| reader.wants_words(world));
    let second = if differs {
        BoardSection::for_reader(world, board, &second, other, now)
    } else {
        section.clone().with_highlights(&Highlights::now(board, other, &second))
    };
    [section, second]
}

/// Returns whether a mail may wait. News of a board that waits for the opponent are routine.
fn delivery(board: &Board, seat: Seat, news: &NewsItem) -> Delivery {
    let is_routine = *news.what == BoardNews::Moved
        && (news.comment.is_empty() || news.by == Some(seat))
        && !board.is_over()
        && !board.waits_for(board.player(seat));
    if is_routine { Delivery::Routine } else { Delivery::News }
}

/// Returns the quota that the mails count for: messages and offers cost their sender nothing, so they
/// count as caused by others.
fn share(what: &BoardNews) -> QuotaShare {
    if what.is_public() { QuotaShare::Boards } else { QuotaShare::Others }
}

/// Builds the mails to a board's observers: what anybody may see, without reply options.
pub(crate) fn to_observers(
    world: &World,
    id: BoardId,
    news: &NewsItem,
    now: Time,
) -> Vec<OutgoingMail> {
    let board = world.board(id).expect("something happened on it");
    if !news.what.is_public() || board.observers.is_empty() {
        return Vec::new();
    }
    let view = View::default();
    let diagram = diagram(board, &view);
    let section = BoardSection::for_reader(world, board, &diagram, &BoardViewer::anybody(), now);
    let news_blocks = news::news_blocks(board, news, &view);
    let mail = |user: &UserId| {
        let reader = BoardViewer::observer(user);
        let mut section = section.clone();
        section.set_words(world, &reader, || {
            position_in_words::describe(world, board, &diagram, user, now)
        });
        section.set_zone(world, board, &diagram, &reader, now);
        let mut blocks = news_blocks.clone();
        blocks.extend(section.with(None));
        blocks.push(for_programs(board.position(), &view));
        blocks.push(unsubscribe_note(board, user));
        let to = Recipient::User(user.clone());
        let has_page = reader.wants_pages(world);
        OutgoingMail {
            to,
            has_page,
            ..about(board, None, SubjectTopic::News(news.what, news.by), blocks)
        }
    };
    board.observers.iter().map(mail).collect()
}

/// Builds the answer to a user who subscribes to a board's mails, or unsubscribes.
pub(crate) fn to_observer(
    world: &World,
    id: BoardId,
    user: &UserId,
    is_subscribed: bool,
    now: Time,
) -> OutgoingMail {
    let board = world.board(id).expect("something was said about it");
    let blocks = if is_subscribed {
        let mut blocks = vec![Block::sentence("From now on you get the mails of this board.")];
        blocks.extend(board_without_options(world, board, &BoardViewer::observer(user), now));
        blocks.push(unsubscribe_note(board, user));
        blocks
    } else {
        vec![Block::sentence("You no longer get the mails of this board.")]
    };
    about(board, None, SubjectTopic::Board, blocks)
}

/// Returns how an observer unsubscribes.
fn unsubscribe_note(board: &Board, user: &UserId) -> Block {
    let (game, number) = (board.game.spec().name, board.id.number);
    Block::send(
        "You watch this board. To stop its mails, send the Subject",
        [format!("{game} unsubscribe {number} {user} <password>")],
    )
}

/// Builds a mail about a board to one player alone; `head` comes first.
pub(crate) fn to_player(
    world: &World,
    origin: Option<&Origin>,
    id: BoardId,
    seat: Seat,
    topic: SubjectTopic,
    head: impl IntoIterator<Item = Block>,
    now: Time,
) -> OutgoingMail {
    let board = world.board(id).expect("something was said about it");
    let reader = BoardViewer::player(world, board, seat);
    let mut blocks = vec![Block::Mark];
    blocks.extend(head);
    blocks.push(Block::sentence(headline(board, &reader.view)));
    let section =
        BoardSection::for_reader(world, board, &diagram(board, &reader.view), &reader, now);
    let options = ReplyOptions::for_seat(world, board, seat, &reader, now);
    blocks.extend(section.with(Some(options.choices)));
    blocks.extend(options.text);
    blocks.push(for_programs(board.position(), &reader.view));
    let has_page = reader.wants_pages(world);
    OutgoingMail { has_page, ..to_seat(board, origin, seat, topic, blocks) }
}

/// Builds the mail that shows the board after a submitted move, which its player must confirm.
pub(crate) fn submitted(
    world: &World,
    origin: &Origin,
    id: BoardId,
    seat: Seat,
    position: &dyn AnyPosition,
    undelivered: Option<Block>,
    now: Time,
) -> OutgoingMail {
    let board = world.board(id).expect("a move was submitted on it");
    let reader = BoardViewer::player(world, board, seat);
    let view = &reader.view;
    let text = board.submitted[seat.index()].clone().unwrap_or_default();
    let text = board.game.text_for_viewer(view, seat, text);
    let first = format!("Not played yet: {text}, as move {}.", board.next_move());
    let mut blocks = vec![Block::Mark, Block::heading(first)];
    blocks.extend(undelivered);
    if let Next::Over(_) = position.next() {
        blocks.push(Block::sentence("This move would end the game."));
    }
    blocks.extend(open_offer(world, board, seat));
    let diagram = position.diagram(view);
    let section = BoardSection::for_reader(world, board, &diagram, &reader, now);
    let mut section = section.with_highlights(&Highlights::after(board, &text, position));
    // The words must describe the position after the move, too.
    section.set_words(world, &reader, || {
        position_in_words::position(board, position, &diagram, &reader.view, None)
    });
    let options = ReplyOptions::to_confirm(board, seat);
    blocks.extend(section.with(Some(options.choices)));
    blocks.extend(options.text);
    blocks.push(for_programs(position, &reader.view));
    let has_page = reader.wants_pages(world);
    OutgoingMail { has_page, ..to_seat(board, Some(origin), seat, SubjectTopic::Submitted, blocks) }
}

/// Builds a mail about a board to the player of a seat.
fn to_seat(
    board: &Board,
    origin: Option<&Origin>,
    seat: Seat,
    topic: SubjectTopic,
    blocks: Vec<Block>,
) -> OutgoingMail {
    let to = match origin {
        Some(Origin::Shell | Origin::Web(_)) => Recipient::Sender,
        Some(Origin::Mail(_) | Origin::Doubted(_) | Origin::Unnamed) | None => {
            Recipient::User(board.player(seat).clone())
        }
    };
    OutgoingMail { to, seat: Some(seat), ..about(board, Some(seat), topic, blocks) }
}

/// Builds a mail about a board to the sender of a command.
fn about(
    board: &Board,
    reader: Option<Seat>,
    topic: SubjectTopic,
    blocks: Vec<Block>,
) -> OutgoingMail {
    let subject = subject::for_board(board, reader, topic);
    OutgoingMail { topic: Some(Topic::Board(board.id)), ..OutgoingMail::answer(subject, blocks) }
}
