//! `/player/{name}/boards`: the boards of a player, finished or in progress, of all games or one, with
//! everybody or one opponent.

use crate::base::ids::UserId;
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::html::lists::{self, ListAddress, Tab};
use crate::web::http::request::WebRequest;
use crate::web::lists::boards::{BoardPart, BoardStart, BoardsQuery};
use crate::web::site::{Site, Snapshot};
use axum::extract::{Path, State};
use games::GAMES;
use maud::{Markup, html};
use std::sync::Arc;

/// The page of a player's boards.
pub(crate) async fn page(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    request: WebRequest,
) -> PageResult {
    let id = UserId::parse(&name).ok_or(PageError::NotFound)?;
    let (query, start) = (BoardsQuery::read(&request)?, BoardStart::of_page(&request)?);
    site.read(request, move |mut reader| {
        let part = query.boards(&mut reader, &id, start)?;
        let shows = reader.world.files_read();
        let snapshot = reader.close();
        let id = snapshot.world.user(&id).map_or(id, |user| user.id.clone());
        let body = body(&snapshot, &id, &query, &part);
        let snapshot = super::with_feed(snapshot, id.as_str());
        Ok(snapshot.page(&format!("Boards of {id}"), &body).cached_until_change(shows))
    })
    .await
}

/// Returns the address of a list of a player's boards.
fn address(id: &UserId, query: &BoardsQuery) -> ListAddress {
    ListAddress::new(format!("/player/{id}/boards"))
        .with("state", if query.is_finished { "" } else { "active" })
        .with("game", query.game.unwrap_or_default())
        .with("opponent", query.opponent.as_str())
}

fn body(snapshot: &Snapshot, id: &UserId, query: &BoardsQuery, part: &BoardPart) -> Markup {
    let tab = |(is_finished, text): (bool, &str)| {
        let href = address(id, &BoardsQuery { is_finished, ..query.clone() }).href();
        Tab { text: text.to_owned(), href, is_current: is_finished == query.is_finished }
    };
    let tabs = [(true, "Finished"), (false, "In progress")].map(tab);
    html! {
        nav.trail aria-label="Where you are" { a href={ "/player/" (id) } { (id) } }
        h1 { "Boards of " (id) }
        (lists::tabs("Lists", &tabs))
        (filters(id, query))
        @if part.ids.is_empty() {
            p { "There are no boards to show here." }
        } @else {
            (lists::board_table("Boards", &snapshot.world, part))
        }
        (lists::board_pages(&address(id, query), part))
    }
}

/// Renders the form that chooses a game and an opponent.
fn filters(id: &UserId, query: &BoardsQuery) -> Markup {
    let all = BoardsQuery { game: None, opponent: String::new(), ..query.clone() };
    html! {
        form.row.find method="get" action={ "/player/" (id) "/boards" } role="search" {
            @if !query.is_finished { input type="hidden" name="state" value="active"; }
            div.pair {
                label for="game" { "Game" }
                select id="game" name="game" {
                    option value="" { "All games" }
                    @for spec in GAMES.iter().map(|game| game.spec()) {
                        option value=(spec.name) selected[query.game == Some(spec.name)] {
                            (spec.title) }
                    }
                }
            }
            div.pair {
                label for="opponent" { "Opponent" }
                input id="opponent" name="opponent" value=(query.opponent) maxlength="32"
                    autocomplete="off" autocapitalize="none" spellcheck="false";
            }
            button type="submit" { "Show" }
            @if query.game.is_some() || !query.opponent.is_empty() {
                a.key href=(address(id, &all).href()) { "All boards" }
            }
        }
    }
}
