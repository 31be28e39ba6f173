//! `/ladders`: the ladders of all games, with their numbers of players.

use super::ladder;
use crate::base::words::Plural;
use crate::model::ladder::{LadderReader as _, ladder_key};
use crate::store::Key;
use crate::web::html::error_page::PageResult;
use crate::web::html::lists;
use crate::web::http::request::WebRequest;
use crate::web::site::{Site, Snapshot};
use axum::extract::State;
use games::{GAMES, Spec};
use maud::{Markup, html};
use std::sync::Arc;

/// The page of all ladders.
pub(crate) async fn page(State(site): State<Arc<Site>>, request: WebRequest) -> PageResult {
    site.read(request, |mut reader| {
        let keys: Vec<Key> = specs().map(|spec| ladder_key(spec.name)).collect();
        reader.load(&keys)?;
        let snapshot = reader.close();
        let shown = snapshot.world.files_read();
        let body = body(&snapshot);
        Ok(snapshot.page("Ladders", &body).cached_until_change(shown))
    })
    .await
}

/// Returns the games that have ladders.
fn specs() -> impl Iterator<Item = &'static Spec> {
    GAMES.iter().map(|game| game.spec()).filter(|spec| !spec.manner.is_solo)
}

fn body(snapshot: &Snapshot) -> Markup {
    let head = html! { th scope="col" { "Game" } th.number scope="col" { "Players" } };
    let players = |game| snapshot.world.loaded_ladder(game).map_or(0, |ladder| ladder.players());
    let rows = html! {
        @for spec in specs() {
            tr {
                th scope="row" { a href=(ladder::path(spec.name)) { (spec.title) } }
                td.number { (players(spec.name)) }
            }
        }
    };
    let all: u32 = specs().map(|spec| players(spec.name)).sum();
    html! {
        h1 { "Ladders" }
        p { "On a ladder you challenge players above you for their places: "
            a href="/help/ladder" { "the rules" } "." }
        p.quiet { (Plural(all as usize, "place")) " in all." }
        (lists::table("Ladders", &head, &rows))
    }
}
