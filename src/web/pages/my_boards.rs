//! `/boards`: the boards of the signed-in user, those that wait for them first.

use super::board::path;
use super::thumbnails;
use crate::base::ids::UserId;
use crate::base::time::Time;
use crate::model::board::{Board, BoardStatus};
use crate::model::user::User;
use crate::model::world::{board_key, user_key};
use crate::reply::board_view;
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::http::request::WebRequest;
use crate::web::site::{Site, Snapshot};
use axum::extract::State;
use games::Seat;
use maud::{Markup, html};
use std::sync::Arc;

/// The limit on finished boards.
const MAX_FINISHED: usize = 10;

/// The page of the user's boards.
pub(crate) async fn page(State(site): State<Arc<Site>>, request: WebRequest) -> PageResult {
    site.read(request, |mut reader| {
        let id = reader.signed_in_user()?;
        reader.load(&[user_key(&id)])?;
        let user = reader.world.user(&id).ok_or(PageError::NotFound)?;
        let finished = user.finished.iter().rev().take(MAX_FINISHED);
        let keys: Vec<_> = user.active.iter().chain(finished).map(|it| board_key(*it)).collect();
        reader.load(&keys)?;
        let snapshot = reader.close();
        let user = snapshot.world.user(&id).ok_or(PageError::NotFound)?;
        let body = body(&snapshot, user);
        let feed = snapshot.site.feed_path(user);
        let snapshot = snapshot.with_feed(feed, "My boards".into());
        Ok(snapshot.live_page("My boards", "/events", &body))
    })
    .await
}

/// Returns when the current turn of a board ends.
fn turn_end(snapshot: &Snapshot, board: &Board) -> Time {
    snapshot.world.clock(board, snapshot.now).turn.map_or(Time::NEVER, |turn| turn.end)
}

/// Returns whether a board waits for a user: for a move, or the answer to an offer.
fn is_turn_of(user: &UserId, board: &Board) -> bool {
    match board.status() {
        BoardStatus::ToMove(seat) => {
            *board.player(seat) == *user
                || board.seat(user).is_some_and(|seat| board.offered_to(seat).is_some())
        }
        _ => false,
    }
}

fn body(snapshot: &Snapshot, user: &User) -> Markup {
    let board = |id| snapshot.world.board(id).ok();
    let mut active: Vec<&Board> = user.active.iter().filter_map(|id| board(*id)).collect();
    active.sort_by_key(|board| turn_end(snapshot, board));
    let (own_turn, other_turn): (Vec<&Board>, Vec<&Board>) =
        active.into_iter().partition(|board| is_turn_of(&user.id, board));
    let finished = user.finished.iter().rev().take(MAX_FINISHED);
    let finished: Vec<&Board> = finished.filter_map(|id| board(*id)).collect();
    html! {
        h1 { "My boards" }
        h2 { "Your turn" }
        @if own_turn.is_empty() { p { "It is not your turn on any board." } }
        (list(snapshot, &user.id, &own_turn))
        @if !other_turn.is_empty() {
            h2 { "Waiting for others" }
            (list(snapshot, &user.id, &other_turn))
        }
        @if !finished.is_empty() {
            h2 { "Finished" }
            (list(snapshot, &user.id, &finished))
        }
        p { a href="/" { "New game" } }
    }
}

fn list(snapshot: &Snapshot, user: &UserId, boards: &[&Board]) -> Markup {
    html! {
        ul.boards {
            @for board in boards {
                @let seat = board.seat(user);
                li {
                    (thumbnails::of_board(snapshot, board))
                    div {
                        a href=(path(board.id)) { (board.game.spec().title) " " (board.id.number) }
                        @if let Some(seat) = seat.filter(|_| !board.game.spec().manner.solo) {
                            " with " (board.player(seat.other()))
                        }
                        span.quiet { (board_view::short_state(board, seat)) }
                        @if let Some(seat) = seat { (offer_and_time(snapshot, board, seat)) }
                    }
                }
            }
        }
    }
}

/// Renders the offer that waits for a player's answer, and their time left.
fn offer_and_time(snapshot: &Snapshot, board: &Board, seat: Seat) -> Markup {
    html! {
        @if let Some(offer) = board.offered_to(seat) {
            span.quiet { (board.player(seat.other())) " offers: " (offer.word()) "." }
        }
        @if let Some((left, until)) = board_view::time_left(&snapshot.world, board, seat, snapshot.now) {
            span.quiet { (left) " left, until " span.whole { (until) } "." }
        }
    }
}
