//! A board, as it is now or was after a move.

use super::ask::Ask;
use super::failure::Failure;
use super::page::Page;
use super::print;
use super::site::{Reader, Seen, Site};
use crate::base::ids::BoardId;
use crate::model::board::Board;
use crate::model::world::board_key;
use crate::refusal::BoardRefusal;
use crate::reply::sight::{self, Sight};
use crate::reply::{Marked, Picture};
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use games::{Seat, View};
use maud::{Markup, html};
use std::sync::Arc;

/// A board as it is now.
pub(super) async fn now(
    State(site): State<Arc<Site>>,
    Path((game, number)): Path<(String, String)>,
    ask: Ask,
) -> Result<Response, Failure> {
    look(site, ask, &game, &number, None).await
}

/// A board as it was.
pub(super) async fn past(
    State(site): State<Arc<Site>>,
    Path((game, number, moves)): Path<(String, String, String)>,
    ask: Ask,
) -> Result<Response, Failure> {
    let moves = counted(&moves).ok_or(Failure::NotFound)?;
    look(site, ask, &game, &number, Some(moves)).await
}

/// A number as it is written without need of signs or zeros.
fn counted<N: std::str::FromStr + ToString>(text: &str) -> Option<N> {
    text.parse().ok().filter(|number: &N| number.to_string() == text)
}

async fn look(
    site: Arc<Site>,
    ask: Ask,
    game: &str,
    number: &str,
    after: Option<usize>,
) -> Result<Response, Failure> {
    let spec = games::find(game).ok_or(Failure::NotFound)?.spec();
    let number = counted(number).filter(|number| *number > 0).ok_or(Failure::NotFound)?;
    let id = BoardId { game: spec.name, number };
    if spec.name != game {
        return Ok(Redirect::permanent(&path(id)).into_response());
    }
    let page = site.read(ask, move |reader| shown(reader, id, after));
    page.await.map(Page::into_response)
}

/// Where a board is.
pub(super) fn path(id: BoardId) -> String {
    format!("/{}/{}", id.game, id.number)
}

fn shown(mut reader: Reader, id: BoardId, after: Option<usize>) -> Result<Page, Failure> {
    reader.gather(&[board_key(id)])?;
    let seen = reader.leave();
    let board = seen.world.board(id).map_err(|_| Failure::NotFound)?;
    let seat = None;
    if board.private && seat.is_none() {
        return Err(BoardRefusal::Private(id).into());
    }
    let made = board.next_move() - 1;
    if after.is_some_and(|after| after > made) {
        return Err(Failure::NotFound);
    }
    let after = after.filter(|after| *after < made);
    if after.is_some() && board.game.spec().manner.secret && !board.is_over() {
        return Err(BoardRefusal::Hidden(id).into());
    }
    let body = body(&seen, board, seat, after);
    let title = format!("{} {}", board.game.spec().title, id.number);
    Ok(seen.page(&title, &body))
}

fn body(seen: &Seen, board: &Board, seat: Option<Seat>, after: Option<usize>) -> Markup {
    let sight = match after.and_then(|after| Some((after, board.position_after(after)?))) {
        None => Sight::now(&seen.world, board, seat, seen.now),
        Some((after, position)) => Sight::past(&seen.world, board, seat, (after, &*position)),
    };
    let view = sight::view(&seen.world, board, seat);
    html! {
        nav.trail aria-label="Where you are" {
            a href={ "/" (board.id.game) } { (board.game.spec().title) }
        }
        h1 { (sight.name) }
        p.news { (sight.headline) }
        figure.board { (drawn(&sight, board)) }
        (steps(board, after))
        (print::blocks(&sight.below))
        (record(board, &view, after))
        (more(&sight))
    }
}

fn drawn(sight: &Sight, board: &Board) -> Markup {
    let names = board.players.each_ref().map(ToString::to_string);
    let picture =
        Picture { diagram: sight.diagram.clone(), names: Some(names), marked: Marked::default() };
    html! { pre { (picture.drawn()) } }
}

/// Through the record, a move at a time.
fn steps(board: &Board, after: Option<usize>) -> Markup {
    let made = board.next_move() - 1;
    let at = after.unwrap_or(made);
    let to = |moves: usize| {
        if moves == made { path(board.id) } else { format!("{}/{moves}", path(board.id)) }
    };
    html! {
        nav.steps aria-label="Moves" {
            @if at > 0 {
                a rel="first" href=(to(0)) { "First" } " "
                a rel="prev" href=(to(at - 1)) { "Back" } " "
            }
            span { (at) " of " (made) } " "
            @if at < made {
                a rel="next" href=(to(at + 1)) { "Forward" } " "
                a rel="last" href=(to(made)) { "Last" }
            }
        }
    }
}

/// All moves, each a link to the board after it.
fn record(board: &Board, view: &View, after: Option<usize>) -> Markup {
    let moves = sight::moves(board, view);
    html! {
        @if !moves.is_empty() {
            h2 { "Moves" }
            ol.record {
                @for one in &moves {
                    li.first[one.seat == Seat(0)] aria-current=[(after == Some(one.number)).then_some("true")] {
                        a href={ (path(board.id)) "/" (one.number) } { (print::turn(one)) }
                    }
                }
            }
        }
    }
}

/// What else can be taken from here.
fn more(sight: &Sight) -> Markup {
    html! {
        details {
            summary { "As text" }
            p.position { code { (sight.position) } }
            @if let Some(words) = &sight.words { (print::blocks(std::slice::from_ref(words))) }
        }
    }
}
