//! `/`: the games, open challenges, and recent moves.

use super::game::board_line;
use super::thumbnails;
use crate::base::ids::BoardId;
use crate::model::board::Board;
use crate::store::Key;
use crate::web::html::blocks::capitalized;
use crate::web::html::challenges;
use crate::web::html::error_page::PageResult;
use crate::web::http::form::HiddenFields;
use crate::web::http::request::WebRequest;
use crate::web::site::{Site, SiteReader, Snapshot};
use axum::extract::State;
use games::GAMES;
use maud::{Markup, html};
use std::sync::Arc;

/// The limit on boards with recent moves.
const MAX_RECENT: usize = 8;

/// The players that a visitor of a demonstration can sign in as.
const DEMO_PLAYERS: [&str; 3] = ["alice", "bob", "carol"];

/// The home page.
pub(crate) async fn page(State(site): State<Arc<Site>>, request: WebRequest) -> PageResult {
    site.read(request, |mut reader| {
        challenges::load(&mut reader, GAMES)?;
        let recent = recent_boards(&mut reader)?;
        let mut snapshot = reader.close();
        let has_forms = snapshot.site.parts.is_demo || snapshot.viewer.is_some();
        let hidden_fields = has_forms.then(|| snapshot.hidden_fields());
        let body = body(&snapshot, &recent, hidden_fields.as_ref());
        Ok(snapshot.page("Board games", &body))
    })
    .await
}

/// Returns the public boards that changed last since the process started, the latest first.
fn recent_boards(reader: &mut SiteReader) -> PageResult<Vec<BoardId>> {
    let names = reader.site.hub.recent_changes();
    let keys: Vec<Key> =
        names.iter().filter_map(|name| Key::find_board(name)).take(3 * MAX_RECENT).collect();
    reader.load(&keys)?;
    let ids = keys.iter().filter_map(|key| match key {
        Key::Board(game, number) => Some(BoardId { game, number: *number }),
        _ => None,
    });
    let is_public = |id: &BoardId| reader.world.board(*id).is_ok_and(|board| !board.private);
    Ok(ids.filter(is_public).take(MAX_RECENT).collect())
}

fn body(snapshot: &Snapshot, recent: &[BoardId], hidden_fields: Option<&HiddenFields>) -> Markup {
    let recent: Vec<&Board> =
        recent.iter().filter_map(|id| snapshot.world.board(*id).ok()).collect();
    let is_demo = snapshot.site.parts.is_demo;
    html! {
        h1 { "Board games, a move at a time" }
        p {
            "Play with friends or strangers, by mail or in this window. Take a minute or a week for a "
            "move: the board waits for you."
        }
        @if let Some(hidden_fields) = hidden_fields.filter(|_| is_demo) { (demo(hidden_fields)) }
        @if snapshot.viewer.is_none() && !is_demo {
            p { a.button.main href="/signup" { "Sign up" } " " a.key href="/signin" { "Sign in" } }
        }
        h2 { "Games" }
        (games())
        @if !recent.is_empty() {
            h2 { "Recent moves" }
            ul.boards { @for board in recent { li { (board_line(snapshot, board)) } } }
        }
        h2 { "Open challenges" }
        (challenges::list(snapshot, GAMES, hidden_fields))
        h2 { "New here?" }
        ul.links {
            li { a href="/help/tutorial" { "Your first game" } }
            li { a href="/help/commands" { "How to play by mail" } }
        }
    }
}

/// Renders the choice of a player in a demonstration.
fn demo(hidden_fields: &HiddenFields) -> Markup {
    html! {
        section.demo aria-label="Demonstration" {
            p { "This is a demonstration. Who do you want to be?" }
            form.row method="post" action="/demo" {
                (hidden_fields.fields("demo"))
                @for name in DEMO_PLAYERS {
                    button type="submit" name="user" value=(name) { "Play as " (name) }
                }
            }
        }
    }
}

/// Lists all games, each with a short description.
fn games() -> Markup {
    html! {
        ul.games {
            @for game in GAMES.iter().copied() {
                @let spec = game.spec();
                li {
                    (thumbnails::of_game(game))
                    div {
                        a href={ "/" (spec.name) } { (spec.title) }
                        span { (capitalized(spec.about)) }
                    }
                }
            }
        }
    }
}
