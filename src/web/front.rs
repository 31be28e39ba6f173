//! The first page: what is played here, and how to begin.

use super::ask::Ask;
use super::failure::Failure;
use super::page::Page;
use super::site::Site;
use axum::extract::State;
use games::GAMES;
use maud::{Markup, html};
use std::sync::Arc;

pub(super) async fn page(State(site): State<Arc<Site>>, ask: Ask) -> Result<Page, Failure> {
    site.read(ask, |reader| {
        let seen = reader.leave();
        let body = html! {
            h1 { "Board games, a move at a time" }
            p {
                "Play with friends or strangers, by mail or in this window. Take a minute or a week for "
                "a move; the board waits for you."
            }
            h2 { "What is played here" }
            (games())
            p { a href="/help/tutorial" { "How a first game goes" } }
        };
        Ok(seen.page("Board games", &body))
    })
    .await
}

/// Every game with a few words about it.
fn games() -> Markup {
    html! {
        ul.games {
            @for spec in GAMES.iter().map(|game| game.spec()) {
                li {
                    a href={ "/" (spec.name) } { (spec.title) }
                    span { (spec.about) }
                }
            }
        }
    }
}
