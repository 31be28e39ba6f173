//! `/help`: the help pages, rendered from Markdown.

use super::learn;
use crate::command;
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::http::request::WebRequest;
use crate::web::site::{Site, SiteReader};
use axum::extract::{Path, State};
use games::FAMILIES;
use maud::{Markup, PreEscaped, html};
use pulldown_cmark::{Event, Parser, Tag, TagEnd, html::push_html};
use std::sync::Arc;

/// The list of help pages.
pub(crate) async fn index(State(site): State<Arc<Site>>, request: WebRequest) -> PageResult {
    let body = html! {
        h1 { "Help" }
        (first_game())
        h2 { "Rules" }
        @for family in FAMILIES {
            h3 { (family.title) }
            ul.links {
                @for spec in family.games.iter().map(|game| game.spec()) {
                    li {
                        a href={ "/help/" (spec.name) } { span.unseen { "Rules of " } (spec.title) }
                        ": " (spec.about)
                    }
                }
            }
        }
        h2 { "Everything else" }
        ul.links {
            @for name in command::page_names() {
                li { a href={ "/help/" (name) } { (heading(name)) } }
            }
        }
    };
    site.read(request, move |reader| Ok(reader.close().page("Help", &body))).await
}

/// A help page. The page about dice ends with the keys of this home.
pub(crate) async fn page(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    request: WebRequest,
) -> PageResult {
    let mut text = command::markdown_page(&name).ok_or(PageError::NotFound)?;
    let title = heading(&name);
    let render = move |reader: SiteReader| {
        if name == command::DICE {
            text += &command::key_list(reader.dice_keys()?);
        }
        let body = html! {
            nav.trail aria-label="Where you are" { a href="/help" { "Help" } }
            @if name.ends_with("tutorial") { (first_game()) }
            (by_clicks(&name))
            article.text { (markdown(&text)) }
        };
        Ok(reader.close().page(&title, &body))
    };
    site.read(request, render).await
}

/// Renders the way to a first game on the board, beside the tutorials of games by mail.
fn first_game() -> Markup {
    html! {
        section.first-game aria-label="First game" {
            p { a href="/learn" { "Learn a game in six moves" } ", here on the board:" }
            (learn::links())
        }
    }
}

/// Renders where the pages do by clicks what a help page does by commands.
fn by_clicks(name: &str) -> Markup {
    let menu =
        html! { "in the menu " b { "More" } " below each of " a href="/boards" { "your boards" } };
    let settings = html! { a href="/settings#time" { "in your settings" } };
    let place = match name {
        "analysis" => html! { "A finished board has the button " b { "Analysis" } "." },
        "dice" => html! { "A board as text, with its dice, is " (menu) "." },
        "plan" => html! {
            "The page of each of " a href="/boards" { "your boards" } " has " b { "Play in advance" } "."
        },
        "ratings" => {
            html! { "Each game's page shows its standings, and a player's page their ratings." }
        }
        "time" => html! {
            "You choose a game's time when you " a href="/play" { "begin" } " it. Your vacations, "
            "nights and days off are " (settings) ". More time for your opponent is " (menu) "."
        },
        "digest" => html! {
            "You choose your mails " a href="/settings" { "in your settings" } "."
        },
        "timezone" | "weekend" => html! { "You choose it " (settings) "." },
        "tournament" => {
            html! { "All tournaments are on " a href="/tournaments" { "their page" } "." }
        }
        "ladder" => html! {
            "All ladders are on " a href="/ladders" { "their page" } ", and each has buttons to join it "
            "and to challenge players."
        },
        "report" => html! {
            "Each player's page (" a href="/players" { "players" } ") and " (menu) " have a link for it."
        },
        "commands" | "all-commands" | "postboard" => html! {
            a href="/play" { "Begin a game" } ", or go to " a href="/boards" { "your boards" } ": you "
            "move men by clicks, and other acts are buttons below the board. The rest is "
            a href="/settings" { "in your settings" } "."
        },
        game if games::find(game).is_some() => html! {
            a href={ "/" (game) } { "Begin a game" } ", or try moves on the "
            a href={ "/study/" (game) } { "study board" } "."
        },
        _ => return html! {},
    };
    html! { p.by-clicks { b { "By clicks: " } (place) } }
}

/// Returns the heading of a help page, its first line.
fn heading(name: &str) -> String {
    let page = command::markdown_page(name).unwrap_or_default();
    let first = page.lines().next().unwrap_or_default();
    first.trim_start_matches(['#', ' ']).to_owned()
}

/// Renders Markdown. HTML in it, such as `<userid>`, becomes text. Code blocks can be focused, so that
/// wide boards can be scrolled by keys.
fn markdown(text: &str) -> Markup {
    let events = Parser::new(text).map(|event| match event {
        Event::Html(words) | Event::InlineHtml(words) => Event::Text(words),
        Event::Start(Tag::CodeBlock(_)) => Event::Html("<pre tabindex=\"0\"><code>".into()),
        Event::End(TagEnd::CodeBlock) => Event::Html("</code></pre>\n".into()),
        other => other,
    });
    let mut html = String::with_capacity(2 * text.len());
    push_html(&mut html, events);
    PreEscaped(html)
}
