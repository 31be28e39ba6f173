//! A game: its rules in short, and its boards.

use crate::base::ids::BoardId;
use crate::model::board::Board;
use crate::model::world::{board_key, count_key};
use crate::web::html::blocks::named;
use crate::web::html::challenges;
use crate::web::html::error_page::PageError;
use crate::web::html::page::WebPage;
use crate::web::http::form::HiddenFields;
use crate::web::http::request::WebRequest;
use crate::web::pages::board::path;
use crate::web::pages::thumbnails;
use crate::web::site::{Site, SiteReader, SiteView};
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use games::AnyGame;
use maud::{Markup, html};
use std::sync::Arc;

/// Boards that are listed at most.
const LISTED: usize = 20;

/// Boards that are looked at for them: others may be over, or private.
const LOOKED_AT: u32 = 100;

pub(in crate::web) async fn page(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    ask: WebRequest,
) -> Result<Response, PageError> {
    let game = games::find(&name).ok_or(PageError::NotFound)?;
    let spec = game.spec();
    if spec.name != name {
        return Ok(Redirect::permanent(&format!("/{}", spec.name)).into_response());
    }
    let page = site.read(ask, move |mut reader| {
        let boards = latest(&mut reader, game)?;
        challenges::gather(&mut reader, &[game])?;
        let mut seen = reader.leave();
        let seal = seen.viewer.is_some().then(|| seen.seal());
        let body = body(&seen, game, &boards, seal.as_ref());
        Ok(seen.page(spec.title, &body))
    });
    page.await.map(WebPage::into_response)
}

/// The newest boards in progress that anybody may see.
fn latest(reader: &mut SiteReader, game: &'static dyn AnyGame) -> Result<Vec<BoardId>, PageError> {
    let name = game.spec().name;
    reader.gather(&[count_key(name)])?;
    let next = reader.world.next_number(name).unwrap_or(1);
    let mut found = Vec::new();
    for number in (1..next).rev().take(LOOKED_AT as usize) {
        let id = BoardId { game: name, number };
        reader.gather(&[board_key(id)])?;
        let is_shown = |board: &Board| !board.is_over() && !board.private;
        if reader.world.board(id).is_ok_and(is_shown) {
            found.push(id);
        }
        if found.len() == LISTED {
            break;
        }
    }
    Ok(found)
}

fn body(
    seen: &SiteView,
    game: &'static dyn AnyGame,
    boards: &[BoardId],
    seal: Option<&HiddenFields>,
) -> Markup {
    let spec = game.spec();
    let boards: Vec<&Board> = boards.iter().filter_map(|id| seen.world.board(*id).ok()).collect();
    html! {
        h1 { (spec.title) }
        p { (named(spec.about)) ". " a href={ "/help/" (spec.name) } { "The rules" } " "
            a href={ "/" (spec.name) "/standings" } { "Standings" } " "
            a href={ "/" (spec.name) "/history" } { "Finished boards" } }
        h2 { "Open challenges" }
        (challenges::list(seen, &[game], seal))
        @match seal {
            Some(seal) => (challenges::begin(game, seal)),
            None => p { a href={ "/signin?back=/" (spec.name) } { "Sign in" } " to begin a game." },
        }
        h2 { "Boards in progress" }
        @if boards.is_empty() { p.quiet { "None now." } }
        ul.boards {
            @for board in boards { li { (line(seen, board)) } }
        }
    }
}

/// A board in a list.
pub(in crate::web) fn line(seen: &SiteView, board: &Board) -> Markup {
    let [one, other] = &board.players;
    html! {
        (thumbnails::of_board(seen, board))
        div {
            a href=(path(board.id)) { (board.game.spec().title) " " (board.id.number) }
            span.quiet {
                a href={ "/player/" (one) } { (one) } " and " a href={ "/player/" (other) } { (other) }
                ", move " (board.next_move())
            }
        }
    }
}
