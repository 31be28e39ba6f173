//! `/{game}/history`: the finished boards of a game, of everybody or of one player.

use crate::web::html::error_page::{PageError, PageResult};
use crate::web::html::lists::{self, ListAddress};
use crate::web::http::request::WebRequest;
use crate::web::lists::boards::{BoardPart, BoardStart, finished};
use crate::web::site::{Site, Snapshot};
use axum::extract::{Path, State};
use games::Spec;
use maud::{Markup, html};
use std::sync::Arc;

/// The page of the finished boards.
pub(crate) async fn page(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    request: WebRequest,
) -> PageResult {
    let spec = games::find(&name).ok_or(PageError::NotFound)?.spec();
    let start = BoardStart::of_page(&request)?;
    let player = request.query_value("player").unwrap_or_default().trim().to_owned();
    site.read(request, move |mut reader| {
        let part = finished(&mut reader, spec.name, &player, start)?;
        let shows = reader.world.files_read();
        let snapshot = reader.close();
        let body = body(&snapshot, spec, &player, part.as_ref());
        let title = format!("{}: finished boards", spec.title);
        let feed_title = format!("Finished boards of {}", spec.title);
        let snapshot = snapshot.with_feed(format!("/{}/feed", spec.name), feed_title);
        Ok(snapshot.page(&title, &body).cached_until_change(shows))
    })
    .await
}

fn body(snapshot: &Snapshot, spec: &Spec, player: &str, part: Option<&BoardPart>) -> Markup {
    let path = format!("/{}/history", spec.name);
    let address = ListAddress::new(path.clone()).with("player", player);
    html! {
        nav.trail aria-label="Where you are" { a href={ "/" (spec.name) } { (spec.title) } }
        h1 { (spec.title) ": finished boards" }
        form.row.find method="get" action=(path) role="search" {
            label for="player" { "Player" }
            input id="player" name="player" value=(player) maxlength="32" autocomplete="off" spellcheck="false";
            button type="submit" { "Show" }
            @if !player.is_empty() { a.key href=(path) { "All players" } }
        }
        @match part {
            None => p role="alert" { "There is no player \"" (player) "\". "
                a href="/players" { "Search the players" } },
            Some(part) => (rows(snapshot, spec, part, &address)),
        }
    }
}

fn rows(snapshot: &Snapshot, spec: &Spec, part: &BoardPart, address: &ListAddress) -> Markup {
    html! {
        @if part.ids.is_empty() {
            p { "There are no finished boards of " (spec.title) " to show here." }
        } @else {
            (lists::board_table("Finished boards", &snapshot.world, part))
        }
        (lists::board_pages(address, part))
    }
}
