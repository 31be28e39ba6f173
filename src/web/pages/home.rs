//! The first page: what is played here, and how to begin.

use crate::base::ids::BoardId;
use crate::model::board::Board;
use crate::store::Key;
use crate::web::html::blocks::named;
use crate::web::html::challenges;
use crate::web::html::error_page::PageError;
use crate::web::html::page::WebPage;
use crate::web::http::form::HiddenFields;
use crate::web::http::request::WebRequest;
use crate::web::pages::game::line;
use crate::web::pages::thumbnails;
use crate::web::site::{Site, SiteReader, SiteView};
use axum::extract::State;
use games::GAMES;
use maud::{Markup, html};
use std::sync::Arc;

/// Boards that were just moved, as many as are listed.
const MOVED: usize = 8;

/// The players that a visitor can be in a demonstration.
const DEMO: [&str; 3] = ["alice", "bob", "carol"];

pub(in crate::web) async fn page(
    State(site): State<Arc<Site>>,
    ask: WebRequest,
) -> Result<WebPage, PageError> {
    site.read(ask, |mut reader| {
        challenges::gather(&mut reader, GAMES)?;
        let moved = moved(&mut reader)?;
        let mut seen = reader.leave();
        let is_demo = seen.site.parts.is_demo;
        let seal = (is_demo || seen.viewer.is_some()).then(|| seen.seal());
        let body = body(&seen, &moved, seal.as_ref());
        Ok(seen.page("Board games", &body))
    })
    .await
}

/// The boards on which something has happened since this process serves them, that anybody may see.
fn moved(reader: &mut SiteReader) -> Result<Vec<BoardId>, PageError> {
    let names = reader.site.hub.latest();
    let keys: Vec<Key> =
        names.iter().filter_map(|name| Key::find_board(name)).take(3 * MOVED).collect();
    reader.gather(&keys)?;
    let ids = keys.iter().filter_map(|key| match key {
        Key::Board(game, number) => Some(BoardId { game, number: *number }),
        _ => None,
    });
    let is_shown = |id: &BoardId| reader.world.board(*id).is_ok_and(|board| !board.private);
    Ok(ids.filter(is_shown).take(MOVED).collect())
}

fn body(seen: &SiteView, moved: &[BoardId], seal: Option<&HiddenFields>) -> Markup {
    let moved: Vec<&Board> = moved.iter().filter_map(|id| seen.world.board(*id).ok()).collect();
    html! {
        h1 { "Board games, a move at a time" }
        p {
            "Play with friends or strangers, by mail or in this window. Take a minute or a week for a "
            "move: the board waits for you."
        }
        @if let Some(seal) = seal.filter(|_| seen.site.parts.is_demo) { (demo(seal)) }
        @if seen.viewer.is_none() && !seen.site.parts.is_demo {
            p { a.button.main href="/signup" { "Sign up" } " " a.key href="/signin" { "Sign in" } }
        }
        h2 { "What is played here" }
        (games())
        @if !moved.is_empty() {
            h2 { "Just moved" }
            ul.boards { @for board in moved { li { (line(seen, board)) } } }
        }
        h2 { "Open challenges" }
        (challenges::list(seen, GAMES, seal))
        h2 { "How to begin" }
        ul.links {
            li { a href="/help/tutorial" { "How a first game goes" } }
            li { a href="/help/commands" { "How to play by mail" } }
        }
    }
}

/// Everybody can be everybody.
fn demo(seal: &HiddenFields) -> Markup {
    html! {
        section.demo aria-label="Demonstration" {
            p { "This is a demonstration. Who do you want to be?" }
            form.row method="post" action="/demo" {
                (seal.fields("demo"))
                @for name in DEMO {
                    button type="submit" name="user" value=(name) { "Play as " (name) }
                }
            }
        }
    }
}

/// Every game with a few words about it.
fn games() -> Markup {
    html! {
        ul.games {
            @for game in GAMES.iter().copied() {
                @let spec = game.spec();
                li {
                    (thumbnails::of_game(game))
                    div {
                        a href={ "/" (spec.name) } { (spec.title) }
                        span { (named(spec.about)) }
                    }
                }
            }
        }
    }
}
