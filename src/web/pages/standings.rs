//! `/{game}/standings` and `/{game}/history`: the ratings and the finished boards of a game.

use crate::command::{find_verb, parse_words};
use crate::web::html::blocks;
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::http::request::WebRequest;
use crate::web::site::Site;
use axum::extract::{Path, State};
use maud::html;
use std::sync::Arc;

/// The page of the ratings.
pub(crate) async fn standings(
    State(site): State<Arc<Site>>,
    Path(game): Path<String>,
    request: WebRequest,
) -> PageResult {
    command_page(site, request, &game, "standings").await
}

/// The page of the finished boards.
pub(crate) async fn history(
    State(site): State<Arc<Site>>,
    Path(game): Path<String>,
    request: WebRequest,
) -> PageResult {
    command_page(site, request, &game, "history").await
}

/// Builds the page of the answer to a verb that changes nothing.
async fn command_page(
    site: Arc<Site>,
    request: WebRequest,
    game: &str,
    verb: &'static str,
) -> PageResult {
    let game = games::find(game).ok_or(PageError::NotFound)?;
    site.read(request, move |reader| {
        let verb = find_verb(verb, Some(game)).expect("the caller names a verb");
        let visit = reader.query(parse_words(Some(game), verb, &[], &reader.trust())?)?;
        let title = format!("{}: {}", game.spec().title, verb.name);
        let body = html! {
            nav.trail aria-label="Where you are" {
                a href={ "/" (game.spec().name) } { (game.spec().title) }
            }
            h1 { (title) }
            @for mail in &visit.said { (blocks::blocks(&mail.blocks)) }
        };
        Ok(reader.close().page(&title, &body))
    })
    .await
}
