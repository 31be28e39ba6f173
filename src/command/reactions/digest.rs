//! Writes the held mails about boards when they are due.

use crate::base::ids::UserId;
use crate::base::time::Time;
use crate::command::Needs;
use crate::command::reactions::{Cause, Consequence, Reaction};
use crate::model::board::Board;
use crate::model::chat_log::chat_key;
use crate::model::document::Document as _;
use crate::model::service::ServiceContext;
use crate::model::user::{HeldMail, SentDigest, ShownBoard, User, UserEvent};
use crate::model::world::event::Event;
use crate::model::world::{World, board_key};
use crate::reply::{Answer, Digest};
use games::{Entry, Seat};

pub(super) struct HeldMails;

/// Returns the user whose document is due, if mails to them are held.
fn due_user<'w>(cause: &Cause, world: &'w World) -> Option<&'w User> {
    let Cause::Due(key) = cause else { return None };
    let user = world.user(&User::id_of(key)?)?;
    (!user.held.is_empty()).then_some(user)
}

impl Reaction for HeldMails {
    fn needs(&self, cause: &Cause, world: &World) -> Option<Needs> {
        let held = &due_user(cause, world)?.held;
        let chats = held.iter().map(|held| chat_key(held.board));
        Some(Needs::Keys(held.iter().map(|held| board_key(held.board)).chain(chats).collect()))
    }

    fn react(&self, cause: &Cause, world: &World, cx: &mut ServiceContext) -> Vec<Consequence> {
        let Some(user) = due_user(cause, world) else { return Vec::new() };
        let due: Vec<&HeldMail> = user.held.iter().filter(|held| held.due <= cx.now).collect();
        let (delayed, due): (Vec<&HeldMail>, Vec<&HeldMail>) = match user.quiet_until(cx.now) {
            // A reminder waits for nothing.
            Some(_) => due.into_iter().partition(|held| !held.is_reminder),
            None => (Vec::new(), due),
        };
        let to_user = |event| Event::User(user.id.clone(), event);
        let mut events = Vec::new();
        if let Some(until) = user.quiet_until(cx.now).filter(|_| !delayed.is_empty()) {
            let boards = delayed.iter().map(|held| held.board).collect();
            events.push(to_user(UserEvent::HeldMailsDelayed { boards, until }));
        }
        if !due.is_empty() {
            let boards = due.iter().map(|held| held.board).collect();
            events.push(to_user(UserEvent::HeldMailsSent(boards)));
        }
        let told = select_news(world, user, &due, cx.now);
        let number = user.digests.last().map_or(1, |last| last.number.wrapping_add(1));
        let boards = told.iter().filter_map(|held| shown_board(world, &user.id, held)).collect();
        if told.len() > 1 {
            events.push(to_user(UserEvent::DigestSent(SentDigest { number, boards })));
        }
        let news = (!told.is_empty())
            .then(|| Answer::Digest(Digest { user: user.id.clone(), number, boards: told }));
        if events.is_empty() {
            return Vec::new();
        }
        vec![Consequence { events, news }]
    }
}

/// Returns the held mails whose boards have news: those that wait for the user first, the most urgent
/// at the top. Boards on which the user has acted since, and which do not wait, are no news.
fn select_news(world: &World, user: &User, due: &[&HeldMail], now: Time) -> Vec<HeldMail> {
    let found = |held: &&&HeldMail| -> Option<(DigestOrder, HeldMail)> {
        let board = world.board(held.board).ok()?;
        let seat = board.seat(&user.id)?;
        let order = DigestOrder {
            is_opponents_turn: !board.waits_for(&user.id),
            deadline: world.clock(board, now).turn.map_or(Time::NEVER, |turn| turn.end),
        };
        let is_news = !order.is_opponents_turn
            || !held.is_reminder
                && (board.ended_at().is_some_and(|end| end >= held.since)
                    || has_news(world, board, seat, held.since));
        is_news.then(|| (order, (**held).clone()))
    };
    let mut told: Vec<(DigestOrder, HeldMail)> =
        due.iter().filter_map(|held| found(&held)).collect();
    told.sort_by_key(|(order, held)| (order.is_opponents_turn, order.deadline, held.board));
    told.into_iter().map(|(_, held)| held).collect()
}

/// What decides the place of a board in a digest.
struct DigestOrder {
    is_opponents_turn: bool,
    deadline: Time,
}

/// Returns whether the player of a seat has not moved since a time, or was told something since.
fn has_news(world: &World, board: &Board, seat: Seat, since: Time) -> bool {
    let mut new = board.record.iter().rev().take_while(|line| line.at >= since);
    let has_moved = new
        .any(|line| matches!(line.entry, Entry::Moved { seat: by, auto: false, .. } if by == seat));
    let is_said = |by: u8, at: Time| by != seat.0 && at >= since;
    !has_moved || world.chat(board.id).iter().any(|said| is_said(said.by, said.at))
}

/// Returns a board as the digest shows it.
fn shown_board(world: &World, user: &UserId, held: &HeldMail) -> Option<ShownBoard> {
    let board = world.board(held.board).ok()?;
    let seat = board.seat(user)?;
    let (next, offered) = (board.next_move(), board.offered_to(seat));
    Some(ShownBoard { board: board.id, next, offered, voided: world.generation(board, seat).board })
}
