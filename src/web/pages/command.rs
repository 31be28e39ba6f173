//! `/say`: executes a command that is not about a board in play, and shows its answer. A form names
//! the verb and has a field for each word.

use super::board;
use super::sign_in::return_path;
use crate::command::{find_verb, parse_words};
use crate::reply::run_analyses;
use crate::server::requests::Request;
use crate::server::{BrowserOutcome, VisitOutcome};
use crate::web::html::blocks;
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::http::form::PostedForm;
use crate::web::http::request::WebRequest;
use crate::web::site::{Site, SiteWriter};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Redirect, Response};
use games::AnyGame;
use maud::html;
use std::sync::Arc;

/// The verbs that pages have forms for and programs may use. Other verbs are not accepted here.
pub(crate) const FORM_VERBS: [&str; 15] = [
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

/// A verb that pages have a form for and programs may not use.
const PAGE_ONLY_VERB: &str = "delete";

/// The prefix of the fields for options of a challenge.
const OPTION: &str = "option.";

/// An executed command, and a new session cookie if the browser needs one.
struct Executed {
    visit: BrowserOutcome,
    cookie: Option<String>,
}

/// Executes the command of a signed-in user.
pub(crate) async fn post(State(site): State<Arc<Site>>, form: PostedForm) -> PageResult<Response> {
    let back = return_path(form.field("back"), "/");
    let request = form.request.clone();
    let executed = site.clone().write(request.clone(), move |writer| execute(writer, &form)).await;
    let Executed { visit, cookie } = match executed {
        Err(PageError::NotConfirmed(question)) => {
            return Ok(question.page(site, request).await?.into_response());
        }
        executed => executed?,
    };
    let new_board = visit.said.iter().find_map(|mail| mail.board.filter(|_| mail.seat.is_some()));
    if let Some(board) = new_board {
        return Ok(Redirect::to(&board::path(board)).into_response());
    }
    let mut response = result_page(&site, request, visit, back).await?.into_response();
    if let Some(cookie) = cookie {
        response.headers_mut().insert(header::SET_COOKIE, site.set_session_cookie(&cookie));
    }
    Ok(response)
}

fn execute(writer: &mut SiteWriter, form: &PostedForm) -> PageResult<Executed> {
    writer.signed_in_user()?;
    let verb = form.required("verb")?;
    let game = form.field("game").map(|name| games::find(name).ok_or(PageError::NotFound));
    let game: Option<&'static dyn AnyGame> = game.transpose()?;
    let is_accepted = |verb: &str| FORM_VERBS.contains(&verb) || verb == PAGE_ONLY_VERB;
    let verb = find_verb(verb, game).filter(|it| is_accepted(it.name));
    let verb = verb.ok_or(PageError::NotFound)?;
    let words = command_words(form);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let trust = writer.trust();
    let command = parse_words(game, verb, &words, &trust)?;
    let comment = form.field("comment").unwrap_or_default().to_owned();
    let request = Request::from_command(command, trust, comment);
    form.check_confirmed(&request, &return_path(form.field("back"), "/"))?;
    let visit = writer.execute_request(&request, form.mail_key())?;
    Ok(Executed { visit, cookie: writer.renewed_cookie()? })
}

/// Returns the words of a command from their fields, with the chosen options behind them.
fn command_words(form: &PostedForm) -> Vec<String> {
    let words = form.values("word").map(str::to_owned);
    let options = form.filled_fields().filter_map(|(name, value)| {
        let name = name.strip_prefix(OPTION)?;
        Some(if value == "on" { format!("-{name}") } else { format!("-{name}={value}") })
    });
    words.chain(options).collect()
}

/// Builds the page of a command's answer. An analysis is computed while the home is closed.
async fn result_page(
    site: &Arc<Site>,
    request: WebRequest,
    visit: BrowserOutcome,
    back: String,
) -> PageResult {
    let page = Arc::clone(site).read(request, move |reader| {
        let snapshot = reader.close();
        let analyses: Vec<_> = visit.said.iter().map(|mail| run_analyses(&mail.blocks)).collect();
        let answers = visit.said.iter().zip(&analyses);
        let analysed = answers.clone().find(|(_, analysis)| analysis.is_some());
        let title = analysed.map_or("Done", |(mail, _)| &*mail.subject);
        let body = html! {
            h1 { (title) }
            @if visit.outcome == VisitOutcome::Before { p { "That was done already." } }
            @for (mail, analysis) in answers {
                (blocks::blocks(analysis.as_deref().unwrap_or(&mail.blocks)))
            }
            p { a href=(back) { "Back" } }
        };
        Ok(snapshot.page(title, &body))
    });
    page.await
}
