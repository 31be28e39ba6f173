//! The first page: what is played here, and how to begin.

use super::ask::Ask;
use super::failure::Failure;
use super::form::Seal;
use super::page::Page;
use super::seeks;
use super::site::{Seen, Site};
use axum::extract::State;
use games::GAMES;
use maud::{Markup, html};
use std::sync::Arc;

/// Who can be chosen in a demonstration.
const DEMO: [&str; 3] = ["alice", "bob", "carol"];

pub(super) async fn page(State(site): State<Arc<Site>>, ask: Ask) -> Result<Page, Failure> {
    site.read(ask, |mut reader| {
        seeks::gather(&mut reader, GAMES)?;
        let mut seen = reader.leave();
        let is_demo = seen.site.parts.is_demo;
        let seal = (is_demo || seen.viewer.is_some()).then(|| seen.seal());
        let body = body(&seen, seal.as_ref());
        Ok(seen.page("Board games", &body))
    })
    .await
}

fn body(seen: &Seen, seal: Option<&Seal>) -> Markup {
    html! {
        h1 { "Board games, a move at a time" }
        p {
            "Play with friends or strangers, by mail or in this window. Take a minute or a week for a "
            "move: the board waits for you."
        }
        @if let Some(seal) = seal.filter(|_| seen.site.parts.is_demo) { (demo(seal)) }
        @if seen.viewer.is_none() && !seen.site.parts.is_demo {
            p { a.key href="/signup" { "Sign up" } " " a.key href="/signin" { "Sign in" } }
        }
        h2 { "What is played here" }
        (games())
        h2 { "Open challenges" }
        (seeks::list(seen, GAMES, seal))
        h2 { "How to begin" }
        ul.links {
            li { a href="/help/tutorial" { "How a first game goes" } }
            li { a href="/help/commands" { "How to play by mail" } }
        }
    }
}

/// Everybody can be everybody.
fn demo(seal: &Seal) -> Markup {
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
            @for spec in GAMES.iter().map(|game| game.spec()) {
                li {
                    a href={ "/" (spec.name) } { (spec.title) }
                    span { (spec.about) }
                }
            }
        }
    }
}
