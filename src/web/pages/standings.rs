//! Pages of what commands say that change nothing: standings, finished boards, previews.

use crate::command::{Trust, find_verb, parse_words, preview_after};
use crate::model::world::board_key;
use crate::web::html::blocks;
use crate::web::html::error_page::PageError;
use crate::web::html::page::WebPage;
use crate::web::http::request::WebRequest;
use crate::web::pages::board::{form, named, path};
use crate::web::site::Site;
use axum::extract::{Path, State};
use maud::html;
use std::sync::Arc;

/// The ratings of a game.
pub(in crate::web) async fn standings(
    State(site): State<Arc<Site>>,
    Path(game): Path<String>,
    ask: WebRequest,
) -> Result<WebPage, PageError> {
    told(site, ask, &game, "standings").await
}

/// The finished boards of a game.
pub(in crate::web) async fn history(
    State(site): State<Arc<Site>>,
    Path(game): Path<String>,
    ask: WebRequest,
) -> Result<WebPage, PageError> {
    told(site, ask, &game, "history").await
}

/// A board as it would be after some moves, from now or from what it was.
pub(in crate::web) async fn preview(
    State(site): State<Arc<Site>>,
    Path((game, number)): Path<(String, String)>,
    ask: WebRequest,
) -> Result<WebPage, PageError> {
    let id = named(&game, &number)?;
    let game = games::find(&game).ok_or(PageError::NotFound)?;
    site.read(ask, move |mut reader| {
        reader.gather(&[board_key(id)])?;
        let board = reader.world.board(id).map_err(|_| PageError::NotFound)?;
        let made = board.next_move() - 1;
        let asked = reader.ask.query_value("after").map(str::parse);
        let after = asked.transpose().map_err(|_| PageError::NotFound)?.unwrap_or(made);
        let moves = reader.ask.query_value("moves").unwrap_or_default().to_owned();
        let words: Vec<&str> = moves.split_whitespace().collect();
        let visit = reader.answer(preview_after(game, id, after, &words))?;
        let back = if after == made { path(id) } else { format!("{}/{after}", path(id)) };
        let body = html! {
            nav.trail aria-label="Where you are" {
                a href=(back) { (game.spec().title) " " (id.number) }
            }
            h1 { "What if" }
            (form(id, after, &moves))
            @for mail in &visit.said { (blocks::blocks(&mail.blocks)) }
        };
        Ok(reader.leave().page("What if", &body))
    })
    .await
}

async fn told(
    site: Arc<Site>,
    ask: WebRequest,
    game: &str,
    verb: &'static str,
) -> Result<WebPage, PageError> {
    let game = games::find(game).ok_or(PageError::NotFound)?;
    site.read(ask, move |reader| {
        let trust = reader.viewer.clone().map_or(Trust::Words, Trust::Session);
        let verb = find_verb(verb, Some(game)).expect("a verb of ours");
        let visit = reader.answer(parse_words(Some(game), verb, &[], &trust)?)?;
        let title = format!("{}: {}", game.spec().title, verb.name);
        let body = html! {
            nav.trail aria-label="Where you are" {
                a href={ "/" (game.spec().name) } { (game.spec().title) }
            }
            h1 { (title) }
            @for mail in &visit.said { (blocks::blocks(&mail.blocks)) }
        };
        Ok(reader.leave().page(&title, &body))
    })
    .await
}
