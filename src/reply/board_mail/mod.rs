//! The mails about a board, from top to bottom: the news (`news`, `recent_moves`, `questions`), the
//! state of the game in a sentence (`state_sentence`), the board with its latest moves and facts
//! (`board_section`), what the reader can answer (`reply_options`), and the Subject (`subject`).
//!
//! This file decides who gets which mail.

pub(crate) mod board_section;
pub(crate) mod clock_text;
mod highlighting;
mod match_facts;
pub(crate) mod names;
pub(crate) mod news;
pub(crate) mod offers;
pub(crate) mod position_in_words;
mod questions;
mod recent_moves;
pub(crate) mod reply_options;
pub(crate) mod state_sentence;
pub mod subject;

use crate::base::ids::{BoardId, UserId};
use crate::base::time::Time;
use crate::base::words::quoted;
use crate::model::board::{Board, BoardEvent};
use crate::model::rate_limit::QuotaShare;
use crate::model::world::World;
use crate::model::world::event::Event;
use crate::refusal::BoardRefusal;
use crate::reply::analysis;
use crate::reply::answers::displays::observed;
use crate::reply::answers::refusals::open_offer;
use crate::reply::board_mail::board_section::{BoardSection, BoardViewer, diagram, for_programs};
use crate::reply::board_mail::news::{BoardNews, NewsItem};
use crate::reply::board_mail::reply_options::ReplyOptions;
use crate::reply::board_mail::state_sentence::headline;
use crate::reply::board_mail::subject::SubjectTopic;
use crate::reply::letters::blocks::Block;
use crate::reply::letters::highlights::Highlights;
use crate::reply::letters::outgoing_mail::{OutgoingMail, Recipient};
use crate::reply::origin::Origin;
use games::{AnyPosition, Next, Seat, View};

/// The mails that both players get when something happened on their board: by a command, or because
/// time passed.
pub(crate) fn to_players(
    world: &World,
    origin: Option<&Origin>,
    id: BoardId,
    news: &NewsItem,
    now: Time,
) -> Vec<OutgoingMail> {
    let board = world.board(id).expect("something happened on it");
    // A player hears no words of a user they have muted.
    let is_deaf = |reader: Seat| {
        news.by.is_some_and(|by| world.is_muted(board.player(reader), board.player(by)))
    };
    let readers = Seat::BOTH.map(|seat| BoardViewer::player(world, board, seat));
    let bodies = bodies(world, board, &readers, now);
    let mail = |(seat, (reader, body)): (Seat, (&BoardViewer, BoardSection))| {
        let heard = if is_deaf(seat) { NewsItem { comment: "", ..*news } } else { *news };
        OutgoingMail {
            to: Recipient::User(board.player(seat).clone()),
            seat: Some(seat),
            is_page: reader.wants_pages(world),
            share: share(news.what),
            ..about(
                board,
                Some(seat),
                SubjectTopic::News(news.what, news.by),
                blocks(world, (board, seat), &heard, (reader, body), now),
            )
        }
    };
    let mut mails: Vec<OutgoingMail> =
        Seat::BOTH.into_iter().zip(readers.iter().zip(bodies)).map(mail).collect();
    match (origin, news.by) {
        // An analysis is for the mailbox, where it can be read again.
        (Some(Origin::Web(_)), _) if matches!(news.what, BoardNews::Analysed { .. }) => {}
        // On the shell and in a browser, players who act read their own answer there.
        (Some(Origin::Shell | Origin::Web(_)), Some(seat)) => {
            mails[seat.index()].to = Recipient::Sender;
        }
        (Some(Origin::Shell), None) => {
            let blocks = observed(world, board, &BoardViewer::anybody(), now);
            mails.push(about(board, None, SubjectTopic::News(news.what, None), blocks));
        }
        (
            Some(Origin::Mail(_) | Origin::Doubted(_) | Origin::Unnamed | Origin::Web(_)) | None,
            _,
        ) => {}
    }
    if let BoardNews::Chatted(_) = news.what {
        mails.retain(|mail| mail.seat.is_none_or(|seat| !is_deaf(seat)));
    }
    mails
}

/// The mail to a player: the news, the board, what they can do, and what both have asked for.
fn blocks(
    world: &World,
    (board, seat): (&Board, Seat),
    heard: &NewsItem,
    (reader, body): (&BoardViewer, BoardSection),
    now: Time,
) -> Vec<Block> {
    let mut blocks = vec![Block::Mark];
    blocks.extend(news::told(board, heard, &reader.view));
    let advice = ReplyOptions::for_seat(world, board, seat, reader, now);
    blocks.extend(body.with(Some(advice.choices)));
    blocks.extend(advice.text);
    if let BoardNews::Analysed { until } = heard.what {
        blocks.push(analysis::so_far(board, reader, *until));
    }
    blocks.push(for_programs(board.position(), &reader.view));
    blocks
}

/// What both players see. Most games look the same from both sides: then it is made once.
fn bodies(
    world: &World,
    board: &Board,
    readers: &[BoardViewer; 2],
    now: Time,
) -> [BoardSection; 2] {
    let [one, other] = readers;
    let [first, second] = [one, other].map(|reader| diagram(board, &reader.view));
    let body = BoardSection::for_reader(world, board, &first, one, now);
    let differs = first != second || readers.iter().any(|reader| reader.wants_words(world));
    let second = if differs {
        BoardSection::for_reader(world, board, &second, other, now)
    } else {
        body.clone().marked(&Highlights::now(board, other, &second))
    };
    [body, second]
}

/// Words and offers cost their sender nothing; a move is made once.
fn share(what: &BoardNews) -> QuotaShare {
    if what.is_public() { QuotaShare::Boards } else { QuotaShare::Others }
}

/// Tells players whose queued moves were dropped what became of them.
pub(crate) fn report_dropped(mails: &mut [OutgoingMail], events: &[Event]) {
    for event in events {
        let Event::Board(id, BoardEvent::Dropped { seat: of, text, why }) = event else { continue };
        let why = BoardRefusal::of_queued(*id, text, why);
        let sentence = format!("Your queued move {} was not played: {why}.", quoted(text));
        for mail in mails.iter_mut().filter(|mail| mail.seat == Some(*of)) {
            // Below the mark and the news.
            mail.blocks.insert(2.min(mail.blocks.len()), Block::sentence(&*sentence));
        }
    }
}

/// The mails for those who watch a board: what anybody may see, and nothing to reply with.
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
    let body = BoardSection::for_reader(world, board, &diagram, &BoardViewer::anybody(), now);
    let told = news::told(board, news, &view);
    let one = |user: &UserId| {
        let reader = BoardViewer::observer(user);
        let mut body = body.clone();
        body.tell(world, &reader, || {
            position_in_words::describe(world, board, &diagram, user, now)
        });
        let mut blocks = told.clone();
        blocks.extend(body.with(None));
        blocks.push(for_programs(board.position(), &view));
        blocks.push(how_to_stop(board, user));
        let to = Recipient::User(user.clone());
        let is_page = reader.wants_pages(world);
        OutgoingMail {
            to,
            is_page,
            ..about(board, None, SubjectTopic::News(news.what, news.by), blocks)
        }
    };
    board.observers.iter().map(one).collect()
}

/// The answer to a user who wants to watch a board, or does no longer.
pub(crate) fn to_observer(
    world: &World,
    id: BoardId,
    user: &UserId,
    wanted: bool,
    now: Time,
) -> OutgoingMail {
    let board = world.board(id).expect("something was said about it");
    let blocks = if wanted {
        let mut blocks = vec![Block::sentence("From now on you get the mails of this board.")];
        blocks.extend(observed(world, board, &BoardViewer::observer(user), now));
        blocks.push(how_to_stop(board, user));
        blocks
    } else {
        vec![Block::sentence("You do not get the mails of this board.")]
    };
    about(board, None, SubjectTopic::Board, blocks)
}

/// How an observer gets rid of a board's mails.
fn how_to_stop(board: &Board, user: &UserId) -> Block {
    let (game, number) = (board.game.spec().name, board.id.number);
    Block::send(
        "You watch this board. To get its mails no longer, send the Subject",
        [format!("{game} unsubscribe {number} {user} <password>")],
    )
}

/// The mail about a board that one player gets alone, with something on top of it.
pub(crate) fn to_player(
    world: &World,
    origin: Option<&Origin>,
    (id, seat): (BoardId, Seat),
    about: SubjectTopic,
    head: impl IntoIterator<Item = Block>,
    now: Time,
) -> OutgoingMail {
    let board = world.board(id).expect("something was said about it");
    let reader = BoardViewer::player(world, board, seat);
    let mut blocks = vec![Block::Mark];
    blocks.extend(head);
    blocks.push(Block::sentence(headline(board, &reader.view)));
    let body = BoardSection::for_reader(world, board, &diagram(board, &reader.view), &reader, now);
    let advice = ReplyOptions::for_seat(world, board, seat, &reader, now);
    blocks.extend(body.with(Some(advice.choices)));
    blocks.extend(advice.text);
    blocks.push(for_programs(board.position(), &reader.view));
    let is_page = reader.wants_pages(world);
    OutgoingMail { is_page, ..to_seat(board, origin, seat, about, blocks) }
}

/// The board as it would be after a move that its mover must confirm.
pub(crate) fn submitted(
    world: &World,
    origin: &Origin,
    (id, seat): (BoardId, Seat),
    position: &dyn AnyPosition,
    unsaid: Option<Block>,
    now: Time,
) -> OutgoingMail {
    let board = world.board(id).expect("a move was submitted on it");
    let reader = BoardViewer::player(world, board, seat);
    let view = &reader.view;
    let text = board.submitted[seat.index()].clone().unwrap_or_default();
    let text = board.game.text_for_viewer(view, seat, text);
    let first = format!("Not played yet: {text}, as move {}.", board.next_move());
    let mut blocks = vec![Block::Mark, Block::heading(first)];
    blocks.extend(unsaid);
    if let Next::Over(_) = position.next() {
        blocks.push(Block::sentence("It would end the game."));
    }
    blocks.extend(open_offer(world, board, seat));
    let diagram = position.diagram(view);
    let body = BoardSection::for_reader(
        world,
        board,
        &diagram,
        &BoardViewer { user: None, ..reader },
        now,
    );
    let reader = BoardViewer::player(world, board, seat);
    let mut body = body.marked(&Highlights::after(board, &text, position));
    body.tell(world, &reader, || {
        position_in_words::position(board, position, &diagram, &reader.view, None)
    });
    let advice = ReplyOptions::to_confirm(board, seat);
    blocks.extend(body.with(Some(advice.choices)));
    blocks.extend(advice.text);
    blocks.push(for_programs(position, &reader.view));
    let is_page = reader.wants_pages(world);
    OutgoingMail { is_page, ..to_seat(board, Some(origin), seat, SubjectTopic::Submitted, blocks) }
}

/// A mail about a board that the player of a seat gets alone.
fn to_seat(
    board: &Board,
    origin: Option<&Origin>,
    seat: Seat,
    what: SubjectTopic,
    blocks: Vec<Block>,
) -> OutgoingMail {
    let to = match origin {
        Some(Origin::Shell | Origin::Web(_)) => Recipient::Sender,
        Some(Origin::Mail(_) | Origin::Doubted(_) | Origin::Unnamed) | None => {
            Recipient::User(board.player(seat).clone())
        }
    };
    OutgoingMail { to, seat: Some(seat), ..about(board, Some(seat), what, blocks) }
}

/// A mail about a board to the sender of a command.
fn about(
    board: &Board,
    reader: Option<Seat>,
    about: SubjectTopic,
    blocks: Vec<Block>,
) -> OutgoingMail {
    let subject = subject::for_board(board, reader, about);
    OutgoingMail { board: Some(board.id), ..OutgoingMail::answer(subject, blocks) }
}
