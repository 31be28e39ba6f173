//! Commands about no board in play: a field for each word, and the command's own verb.

use crate::command::{find_verb, parse_words};
use crate::reply::run_analyses;
use crate::server::requests::Request;
use crate::server::{BrowserOutcome, VisitOutcome};
use crate::web::html::blocks;
use crate::web::html::error_page::PageError;
use crate::web::http::form::PostedForm;
use crate::web::pages::account::back;
use crate::web::pages::board;
use crate::web::site::{Site, SiteWriter};
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use games::AnyGame;
use maud::html;
use std::sync::Arc;

/// The verbs that pages have forms for. Others need words that no page asks for.
pub(in crate::web) const FORM_VERBS: [&str; 15] = [
    "accept-seek",
    "analyse",
    "challenge",
    "change",
    "limit",
    "message",
    "mute",
    "notify",
    "seek",
    "set",
    "signoff",
    "subscribe",
    "unmute",
    "unsubscribe",
    "vacation",
];

/// A verb that pages have a form for and programs may not say.
const PAGE_ONLY_VERB: &str = "delete";

/// Options of a challenge are fields whose names begin so.
const OPTION: &str = "option.";

/// Carries out a command of a user who has signed in.
pub(in crate::web) async fn say(
    State(site): State<Arc<Site>>,
    form: PostedForm,
) -> Result<Response, PageError> {
    let back = back(form.field("back"), "/");
    let ask = form.ask.clone();
    let done = site.clone().write(ask.clone(), move |writer| said(writer, &form)).await;
    let (visit, cookie) = match done {
        Err(PageError::Unsure(question)) => {
            return Ok(question.page(site, ask).await?.into_response());
        }
        done => done?,
    };
    let begun = visit.said.iter().find_map(|mail| mail.board.filter(|_| mail.seat.is_some()));
    if let Some(board) = begun {
        return Ok(Redirect::to(&board::path(board)).into_response());
    }
    let page = site.clone().read(ask, move |reader| {
        // An analysis holds nobody up.
        let seen = reader.leave();
        let told = visit.said.iter().map(|mail| (mail, run_analyses(&mail.blocks)));
        let told: Vec<_> = told.collect();
        let asked = told.iter().find(|(_, analysed)| analysed.is_some());
        let title = asked.map_or("Done", |(mail, _)| &*mail.subject);
        let body = html! {
            h1 { (title) }
            @if visit.outcome == VisitOutcome::Before { p { "That was done already." } }
            @for (mail, analysed) in &told {
                (blocks::blocks(analysed.as_deref().unwrap_or(&mail.blocks)))
            }
            p { a href=(back) { "Back" } }
        };
        Ok(seen.page(title, &body))
    });
    let mut response = page.await?.into_response();
    if let Some(cookie) = cookie {
        response.headers_mut().insert(axum::http::header::SET_COOKIE, site.set_cookie(&cookie));
    }
    Ok(response)
}

/// Its outcome, and a new cookie for a browser that stays signed in.
fn said(
    writer: &mut SiteWriter,
    form: &PostedForm,
) -> Result<(BrowserOutcome, Option<String>), PageError> {
    writer.user()?;
    let verb = form.needed("verb")?;
    let game = form.field("game").map(|name| games::find(name).ok_or(PageError::NotFound));
    let game: Option<&'static dyn AnyGame> = game.transpose()?;
    let verb = find_verb(verb, game)
        .filter(|it| FORM_VERBS.contains(&it.name) || it.name == PAGE_ONLY_VERB);
    let verb = verb.ok_or(PageError::NotFound)?;
    let words = words(form);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let trust = writer.trust();
    let command = parse_words(game, verb, &words, &trust)?;
    let comment = form.field("comment").unwrap_or_default().to_owned();
    let request = Request::from_command(command, trust, comment);
    form.checked(&request, &back(form.field("back"), "/"))?;
    let visit = writer.say(&request, form.once())?;
    Ok((visit, writer.renewed()?))
}

/// The words, each from a field of its own, and the options that were chosen.
fn words(form: &PostedForm) -> Vec<String> {
    let words = form.all("word").map(str::to_owned);
    let options = form.filled().filter_map(|(name, value)| {
        let name = name.strip_prefix(OPTION)?;
        Some(if value == "on" { format!("-{name}") } else { format!("-{name}={value}") })
    });
    words.chain(options).collect()
}
