//! `/player/{name}/against/{other}`: the score of two players in each game, and the boards between them.

use crate::base::ids::UserId;
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::html::lists::{self, ListAddress};
use crate::web::http::request::WebRequest;
use crate::web::lists::against::{HeadToHead, Score, between, score};
use crate::web::lists::boards::{BoardPart, BoardStart, MAX_LOADED, boards_of};
use crate::web::site::{Site, Snapshot};
use axum::extract::{Path, State};
use maud::{Markup, html};
use std::sync::Arc;

/// The page of two players.
pub(crate) async fn page(
    State(site): State<Arc<Site>>,
    Path((name, other)): Path<(String, String)>,
    request: WebRequest,
) -> PageResult {
    let [one, other] = [name, other].map(|name| UserId::parse(&name).ok_or(PageError::NotFound));
    let players = [one?, other?];
    let start = BoardStart::of_page(&request)?;
    site.read(request, move |mut reader| {
        let score = score(&mut reader, [&players[0], &players[1]])?;
        let part = boards_of(&mut reader, &between(&players), start)?;
        let shows = reader.world.files_read();
        let snapshot = reader.close();
        let players = players.map(|id| match snapshot.world.user(&id) {
            Some(user) => user.id.clone(),
            None => id,
        });
        let body = body(&snapshot, &players, &score, &part);
        let title = format!("{} against {}", players[0], players[1]);
        Ok(snapshot.page(&title, &body).cached_until_change(shows))
    })
    .await
}

fn body(snapshot: &Snapshot, players: &[UserId; 2], score: &Score, part: &BoardPart) -> Markup {
    let [one, other] = players;
    let address = ListAddress::new(format!("/player/{one}/against/{other}"));
    let in_progress = ListAddress::new(format!("/player/{one}/boards"))
        .with("state", "active")
        .with("opponent", other.as_str());
    html! {
        nav.trail aria-label="Where you are" { a href={ "/player/" (one) } { (one) } }
        h1 { (lists::player(one)) " against " (lists::player(other)) }
        @if score.games.is_empty() {
            p { "They have no finished games with a result to show." }
        } @else {
            (lists::table("Score", &head(players), &rows(score)))
            @if score.is_partial {
                p.quiet { "The score is that of their latest " (MAX_LOADED) " boards." }
            }
        }
        p { a href=(in_progress.href()) { "Boards in progress" } }
        @if !part.ids.is_empty() {
            h2 { "Finished boards" }
            (lists::board_table("Finished boards", &snapshot.world, part))
        }
        (lists::board_pages(&address, part))
    }
}

fn head([one, other]: &[UserId; 2]) -> Markup {
    html! {
        th scope="col" { "Game" }
        th.extra scope="col" { "Boards" }
        th scope="col" { (one) " won" }
        th scope="col" { (other) " won" }
        th scope="col" { "Drawn" }
    }
}

fn rows(score: &Score) -> Markup {
    let title = |name: &str| games::find(name).map_or("", |game| game.spec().title);
    let row = |name: &str, score: &HeadToHead| {
        html! {
            tr {
                th scope="row" { (name) }
                td.extra { (score.boards()) }
                td { (score.won[0]) }
                td { (score.won[1]) }
                td { (score.drawn) }
            }
        }
    };
    html! {
        @for (name, score) in &score.games { (row(title(name), score)) }
        @if score.games.len() > 1 { (row("All games", &score.total())) }
    }
}
