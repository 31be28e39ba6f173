//! Pages of what commands say that change nothing: standings, finished boards, previews.

use super::ask::Ask;
use super::failure::Failure;
use super::page::Page;
use super::print;
use super::site::Site;
use crate::command::{Trust, by_words, find_verb};
use axum::extract::{Path, State};
use maud::html;
use std::sync::Arc;

/// The ratings of a game.
pub(super) async fn standings(
    State(site): State<Arc<Site>>,
    Path(game): Path<String>,
    ask: Ask,
) -> Result<Page, Failure> {
    told(site, ask, &game, "standings", Vec::new()).await
}

/// The finished boards of a game.
pub(super) async fn history(
    State(site): State<Arc<Site>>,
    Path(game): Path<String>,
    ask: Ask,
) -> Result<Page, Failure> {
    told(site, ask, &game, "history", Vec::new()).await
}

/// Boards as they would be after some moves.
pub(super) async fn preview(
    State(site): State<Arc<Site>>,
    Path((game, number)): Path<(String, String)>,
    ask: Ask,
) -> Result<Page, Failure> {
    let moves = ask.of("moves").unwrap_or_default();
    let moves = moves.split_whitespace().map(str::to_owned);
    let words = std::iter::once(number).chain(moves).collect();
    told(site, ask, &game, "preview", words).await
}

async fn told(
    site: Arc<Site>,
    ask: Ask,
    game: &str,
    verb: &'static str,
    words: Vec<String>,
) -> Result<Page, Failure> {
    let game = games::find(game).ok_or(Failure::NotFound)?;
    site.read(ask, move |reader| {
        let trust = reader.viewer.clone().map_or(Trust::Words, Trust::Session);
        let verb = find_verb(verb, Some(game)).expect("a verb of ours");
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let visit = reader.answer(by_words(Some(game), verb, &words, &trust)?)?;
        let title = format!("{}: {}", game.spec().title, verb.name);
        let body = html! {
            nav.trail aria-label="Where you are" {
                a href={ "/" (game.spec().name) } { (game.spec().title) }
            }
            h1 { (title) }
            @for mail in &visit.said { (print::blocks(&mail.blocks)) }
        };
        Ok(reader.leave().page(&title, &body))
    })
    .await
}
