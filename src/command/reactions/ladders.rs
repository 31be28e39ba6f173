//! What ladders do by themselves: they record results, let idle players drop, close the games of
//! players who leave, and split long sections.

use crate::base::ids::{BoardId, UserId};
use crate::command::Needs;
use crate::command::reactions::{Cause, Consequence, Reaction};
use crate::model::board::{Board, BoardEvent, ClosedBy, Closing};
use crate::model::document::Document as _;
use crate::model::ladder::{LadderEnd, LadderEvent, LadderReader as _, LadderSection, Rung};
use crate::model::service::ServiceContext;
use crate::model::tournament::{BoardEnd, DecidedBy};
use crate::model::user::UserEvent;
use crate::model::world::event::Event;
use crate::model::world::{World, user_key};
use crate::reply::{LadderAnswer, LadderNews};
use crate::store::Key;

pub(super) struct Ladders;

impl Reaction for Ladders {
    fn needs(&self, cause: &Cause, world: &World) -> Option<Needs> {
        match cause {
            Cause::Event(Event::Board(id, _)) => {
                let board = ended(*id, world)?;
                Some(Needs::Ladder(id.game, board.players.to_vec()))
            }
            Cause::Event(Event::Ladder(game, event)) => {
                let users = event.players();
                let long = world.loaded_ladder(game)?.long_sections(users);
                let rungs = long.iter().flat_map(|section| &section.rungs);
                let keys = Needs::Keys(rungs.map(|rung| user_key(&rung.user)).collect());
                Some(Needs::All(vec![keys, Needs::Ladder(game, users.to_vec())]))
            }
            Cause::Event(Event::User(user, UserEvent::Left(_))) => {
                let needs = |game| Needs::Ladder(game, vec![user.clone()]);
                Some(Needs::All(ladders_of(user, world).into_iter().map(needs).collect()))
            }
            Cause::Event(_) => None,
            Cause::Due(key) => {
                let id = LadderSection::id_of(key)?;
                let rungs = rungs_of(key, world).into_iter();
                let users = rungs.map(|rung| rung.user.clone()).collect();
                Some(Needs::Ladder(id.game, users))
            }
        }
    }

    fn react(&self, cause: &Cause, world: &World, cx: &mut ServiceContext) -> Vec<Consequence> {
        match cause {
            Cause::Event(Event::Board(id, _)) => record(*id, world).into_iter().collect(),
            Cause::Event(Event::Ladder(game, event)) => {
                let users = event.players();
                let closed = users.iter().filter_map(|user| withdraw(user, game, world, cx));
                let closed: Vec<Consequence> = closed.collect();
                closed.into_iter().chain(split(users, game, world)).collect()
            }
            Cause::Event(Event::User(user, UserEvent::Left(_))) => {
                let event = || LadderEvent::Leaving { user: user.clone(), at: cx.now };
                let leaves = |game| Consequence::silent(Event::Ladder(game, event()));
                ladders_of(user, world).into_iter().map(leaves).collect()
            }
            Cause::Event(_) => Vec::new(),
            Cause::Due(key) => idle(key, world, cx),
        }
    }
}

/// Returns a board of a ladder that has ended.
fn ended(id: BoardId, world: &World) -> Option<&Board> {
    world.loaded_board(id).filter(|board| board.is_of_ladder && board.is_over())
}

/// Returns the games on whose ladders a user is.
fn ladders_of(user: &UserId, world: &World) -> Vec<&'static str> {
    let user = world.any_user(user).into_iter();
    let games = user.flat_map(|user| user.ladders.keys()).filter_map(|game| games::find(game));
    games.map(|game| game.spec().name).collect()
}

/// Returns the players of a section.
fn rungs_of<'w>(key: &Key, world: &'w World) -> Vec<&'w Rung> {
    let id = LadderSection::id_of(key);
    let section = id.and_then(|id| world.loaded_ladder_section(id));
    section.map(|section| section.rungs.iter().collect()).unwrap_or_default()
}

/// Records the result of a board, unless that was done before.
fn record(id: BoardId, world: &World) -> Option<Consequence> {
    let board = ended(id, world)?;
    let end = LadderEnd::of_board(board)?;
    let ladder = world.loaded_ladder(id.game)?;
    let is_open = |player: &UserId| {
        let rung = ladder.rung(player);
        rung.is_some_and(|rung| rung.games.iter().any(|game| game.board == id.number))
    };
    let is_open = end.players.iter().all(is_open);
    is_open.then(|| Consequence::silent(Event::Ladder(id.game, LadderEvent::Ended(end))))
}

/// Ends the games of a player who leaves: their opponents win.
fn withdraw(
    user: &UserId,
    game: &'static str,
    world: &World,
    cx: &ServiceContext,
) -> Option<Consequence> {
    let ladder = world.loaded_ladder(game)?;
    let rung = ladder.rung(user).filter(|rung| rung.leaving)?;
    let (mut events, mut boards) = (Vec::new(), Vec::new());
    for played in &rung.games {
        let id = BoardId { game, number: played.board };
        let Some(board) = world.loaded_board(id).filter(|board| !board.is_over()) else { continue };
        let Some(seat) = board.seat(user) else { continue };
        let by = ClosedBy::Withdrawing;
        let closing = Closing { at: cx.now, seat: seat.0, by };
        let end = BoardEnd { winner: Some(seat.other()), by: DecidedBy::Leaving };
        let Some(end) = LadderEnd::of_end(board, &end, cx.now) else { continue };
        events.push(Event::Board(id, BoardEvent::Closed(closing)));
        events.push(Event::Ladder(game, LadderEvent::Ended(end)));
        boards.push(id);
    }
    let news = Some(LadderAnswer::News { game, news: LadderNews::Closed(boards) }.into());
    (!events.is_empty()).then_some(Consequence { events, news })
}

/// Splits the sections of these players that have too many.
fn split(users: &[UserId], game: &'static str, world: &World) -> Vec<Consequence> {
    let ladder = world.loaded_ladder(game);
    let long = ladder.map(|ladder| ladder.long_sections(users)).unwrap_or_default();
    let event = |section: &LadderSection| LadderEvent::Split { section: section.id().number };
    long.into_iter()
        .map(|section| Consequence::silent(Event::Ladder(game, event(section))))
        .collect()
}

/// Lets the idle players of a section drop, from the top, or leave. Only the first drop is told.
fn idle(key: &Key, world: &World, cx: &ServiceContext) -> Vec<Consequence> {
    let Some(id) = LadderSection::id_of(key) else { return Vec::new() };
    let (game, at) = (id.game, cx.now);
    let is_due = |rung: &&Rung| rung.drops_at().is_some_and(|drops| drops <= at);
    let due: Vec<&Rung> = rungs_of(key, world).into_iter().filter(is_due).collect();
    if due.is_empty() {
        return Vec::new();
    }
    let (mut dropped, mut gone) = (Vec::new(), Vec::new());
    for rung in due.iter().filter(|rung| !rung.leaving) {
        if rung.gone_at() <= at {
            gone.push(rung.user.clone());
        } else if rung.slid.is_none() {
            dropped.push(rung.user.clone());
        }
    }
    let event = |rung: &&Rung| LadderEvent::Idled { user: rung.user.clone(), at };
    let events = due.iter().map(|rung| Event::Ladder(game, event(rung))).collect();
    let news = LadderNews::Idle { dropped, gone };
    vec![Consequence { events, news: Some(LadderAnswer::News { game, news }.into()) }]
}
