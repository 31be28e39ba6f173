//! My boards: those that wait for me first.

use crate::base::ids::UserId;
use crate::base::time::Time;
use crate::model::board::{Board, BoardStatus};
use crate::model::world::{board_key, user_key};
use crate::reply::board_view;
use crate::web::html::error_page::PageError;
use crate::web::html::page::WebPage;
use crate::web::http::request::WebRequest;
use crate::web::pages::board::path;
use crate::web::pages::thumbnails;
use crate::web::site::{Site, SiteView};
use axum::extract::State;
use games::Seat;
use maud::{Markup, html};
use std::sync::Arc;

/// Finished boards that are listed at most.
const FINISHED: usize = 10;

pub(in crate::web) async fn page(
    State(site): State<Arc<Site>>,
    ask: WebRequest,
) -> Result<WebPage, PageError> {
    site.read(ask, |mut reader| {
        let user = reader.user()?;
        reader.gather(&[user_key(&user)])?;
        let found = reader.world.user(&user).ok_or(PageError::NotFound)?;
        let over = found.finished.iter().rev().take(FINISHED);
        let keys: Vec<_> = found.active.iter().chain(over).map(|id| board_key(*id)).collect();
        reader.gather(&keys)?;
        let seen = reader.leave();
        let body = body(&seen, &user);
        Ok(seen.live("My boards", "/events", &body))
    })
    .await
}

/// The end of a turn, by which boards are sorted.
fn end(seen: &SiteView, board: &Board) -> Time {
    seen.world.clock(board, seen.now).turn.map_or(Time::NEVER, |turn| turn.end)
}

fn body(seen: &SiteView, me: &UserId) -> Markup {
    let Some(user) = seen.world.user(me) else { return html! {} };
    let mut boards: Vec<&Board> =
        user.active.iter().filter_map(|id| seen.world.board(*id).ok()).collect();
    boards.sort_by_key(|board| end(seen, board));
    let is_mine = |board: &&Board| match board.status() {
        BoardStatus::ToMove(seat) => {
            *board.player(seat) == *me
                || board.seat(me).is_some_and(|me| board.offered_to(me).is_some())
        }
        _ => false,
    };
    let (mine, theirs): (Vec<&Board>, Vec<&Board>) = boards.into_iter().partition(is_mine);
    let over = user.finished.iter().rev().take(FINISHED);
    let over: Vec<&Board> = over.filter_map(|id| seen.world.board(*id).ok()).collect();
    html! {
        h1 { "My boards" }
        h2 { "Your turn" }
        (listed(seen, me, &mine, "No board waits for you."))
        @if !theirs.is_empty() {
            h2 { "Waiting for others" }
            (listed(seen, me, &theirs, ""))
        }
        @if !over.is_empty() {
            h2 { "Finished" }
            (listed(seen, me, &over, ""))
        }
        p { a href="/" { "Begin another game" } }
    }
}

fn listed(seen: &SiteView, me: &UserId, boards: &[&Board], none: &str) -> Markup {
    html! {
        @if boards.is_empty() { p { (none) } }
        ul.boards {
            @for board in boards {
                @let seat = board.seat(me);
                li {
                    (thumbnails::of_board(seen, board))
                    div {
                        a href=(path(board.id)) { (board.game.spec().title) " " (board.id.number) }
                        @if let Some(seat) = seat.filter(|_| !board.game.spec().manner.solo) {
                            " with " (board.player(seat.other()))
                        }
                        span.quiet { (board_view::short_state(board, seat)) }
                        @if let Some(seat) = seat { (waits(seen, board, seat)) }
                    }
                }
            }
        }
    }
}

/// The matter that waits for the player of a seat, and how long.
fn waits(seen: &SiteView, board: &Board, seat: Seat) -> Markup {
    html! {
        @if let Some(what) = board.offered_to(seat) {
            span.quiet { (board.player(seat.other())) " offers: " (what.word()) "." }
        }
        @if let Some((left, until)) = board_view::time_left(&seen.world, board, seat, seen.now) {
            span.quiet { (left) " left, until " span.whole { (until) } "." }
        }
    }
}
