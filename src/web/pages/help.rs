//! The pages of help.

use crate::command;
use crate::web::html::error_page::PageError;
use crate::web::html::page::WebPage;
use crate::web::http::request::WebRequest;
use crate::web::site::{Site, SiteReader};
use axum::extract::{Path, State};
use games::GAMES;
use maud::{Markup, PreEscaped, html};
use pulldown_cmark::{Event, Parser, Tag, TagEnd, html as written};
use std::sync::Arc;

/// The list of help pages.
pub(in crate::web) async fn index(
    State(site): State<Arc<Site>>,
    ask: WebRequest,
) -> Result<WebPage, PageError> {
    let body = html! {
        h1 { "Help" }
        h2 { "The rules of the games" }
        ul.links {
            @for spec in GAMES.iter().map(|game| game.spec()) {
                li { a href={ "/help/" (spec.name) } { (spec.title) } ": " (spec.about) }
            }
        }
        h2 { "Everything else" }
        ul.links {
            @for name in command::page_names() {
                li { a href={ "/help/" (name) } { (heading(name)) } }
            }
        }
    };
    site.read(ask, move |reader| Ok(reader.leave().page("Help", &body))).await
}

/// A page.
pub(in crate::web) async fn page(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    ask: WebRequest,
) -> Result<WebPage, PageError> {
    let mut text = command::markdown_page(&name).ok_or(PageError::NotFound)?;
    let title = heading(&name);
    let show = move |reader: SiteReader| {
        if name == command::DICE {
            text += &command::key_list(reader.dice_keys()?);
        }
        let body = html! {
            nav.trail aria-label="Where you are" { a href="/help" { "Help" } }
            article.text { (markdown(&text)) }
        };
        Ok(reader.leave().page(&title, &body))
    };
    site.read(ask, show).await
}

/// The first line of a page.
fn heading(name: &str) -> String {
    let page = command::markdown_page(name).unwrap_or_default();
    let first = page.lines().next().unwrap_or_default();
    first.trim_start_matches(['#', ' ']).to_owned()
}

/// A page of help as HTML. A word such as `<userid>` there is no element, and boards that are too
/// wide for a window can be moved by keys.
pub(in crate::web) fn markdown(text: &str) -> Markup {
    let events = Parser::new(text).map(|event| match event {
        Event::Html(words) | Event::InlineHtml(words) => Event::Text(words),
        Event::Start(Tag::CodeBlock(_)) => Event::Html("<pre tabindex=\"0\"><code>".into()),
        Event::End(TagEnd::CodeBlock) => Event::Html("</code></pre>\n".into()),
        other => other,
    });
    let mut html = String::with_capacity(2 * text.len());
    written::push_html(&mut html, events);
    PreEscaped(html)
}
