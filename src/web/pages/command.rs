//! `/say`: executes a command that is not about a board in play, and leads back to the page of its form
//! with a message. A form names the verb and has a field for each word.

use super::board;
use super::sign_in::return_path;
use crate::base::ids::UserId;
use crate::command::{LONGEST_COMMENT, Verb, find_verb, parse_words};
use crate::model::world::seeks_key;
use crate::refusal::Refusal;
use crate::server::requests::Request;
use crate::server::{BrowserOutcome, VisitOutcome};
use crate::web::html::blocks;
use crate::web::html::confirmation::with_question;
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::html::flash_messages::FlashMessage;
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
pub(crate) const FORM_VERBS: [&str; 25] = [
    "accept-seek",
    "block",
    "challenge",
    "change",
    "decline",
    "favourite",
    "ladder",
    "limit",
    "message",
    "mute",
    "night",
    "notify",
    "report",
    "seek",
    "set",
    "signoff",
    "subscribe",
    "timezone",
    "tournament",
    "unblock",
    "unfavourite",
    "unmute",
    "unsubscribe",
    "vacation",
    "weekend",
];

/// A verb that programs may use and pages have no form for: an analysis has a page of its own.
pub(crate) const PROGRAM_ONLY_VERB: &str = "analyse";

/// A verb that pages have a form for and programs may not use.
const PAGE_ONLY_VERB: &str = "delete";

/// The verb that needs a message.
const MESSAGE: &str = "message";

/// The prefix of the fields for options of a game.
pub(super) const OPTION: &str = "option.";

/// The field with a message.
const COMMENT: &str = "comment";

/// The limit on the characters of a message field, as browsers count them. The server keeps
/// [`LONGEST_COMMENT`] bytes, and each of these characters has at most three.
pub(crate) const MAX_MESSAGE: usize = LONGEST_COMMENT / 3;

/// An executed command.
pub(super) struct Executed {
    visit: BrowserOutcome,
    /// The message that tells its result; `None` if the answer is shown.
    flash_message: Option<FlashMessage>,
    /// A new session cookie, if the browser needs one.
    cookie: Option<String>,
}

/// Executes the command of a signed-in user.
pub(crate) async fn post(State(site): State<Arc<Site>>, form: PostedForm) -> PageResult<Response> {
    let back = return_path(form.field("back"), "/");
    let request = form.request.clone();
    let executed = site.clone().write(request.clone(), move |writer| execute(writer, &form)).await;
    match executed {
        Ok(executed) => respond(&site, request, executed, back).await,
        Err(error) => with_question(site, request, Err(error)).await,
    }
}

/// Leads to the new board of an executed command, or back to its page, or shows its answer.
pub(super) async fn respond(
    site: &Arc<Site>,
    request: WebRequest,
    executed: Executed,
    back: String,
) -> PageResult<Response> {
    let Executed { visit, flash_message, cookie } = executed;
    let new_board =
        visit.answers.iter().find_map(|mail| mail.board().filter(|_| mail.seat.is_some()));
    if let Some(board) = new_board.filter(|_| flash_message.is_none()) {
        return Ok(Redirect::to(&board::path(board)).into_response());
    }
    let mut response = match flash_message {
        Some(flash_message) => Redirect::to(&flash_message.on(&back)).into_response(),
        None => result_page(site, request, visit, back).await?.into_response(),
    };
    if let Some(cookie) = cookie {
        response.headers_mut().insert(header::SET_COOKIE, site.set_session_cookie(&cookie));
    }
    Ok(response)
}

fn execute(writer: &mut SiteWriter, form: &PostedForm) -> PageResult<Executed> {
    writer.signed_in_user()?;
    form.check_length(COMMENT, MAX_MESSAGE)?;
    let verb = form.required("verb")?;
    let game = form.field("game").map(|name| games::find(name).ok_or(PageError::NotFound));
    let game: Option<&'static dyn AnyGame> = game.transpose()?;
    let is_accepted = |verb: &str| FORM_VERBS.contains(&verb) || verb == PAGE_ONLY_VERB;
    let verb = find_verb(verb, game).filter(|it| is_accepted(it.name));
    let verb = verb.ok_or(PageError::NotFound)?;
    if verb.name == MESSAGE {
        form.required(COMMENT)?;
    }
    execute_words(writer, form, game, verb, &command_words(form))
}

/// Executes a command with these words.
pub(super) fn execute_words(
    writer: &mut SiteWriter,
    form: &PostedForm,
    game: Option<&'static dyn AnyGame>,
    verb: &'static Verb,
    words: &[String],
) -> PageResult<Executed> {
    let user = writer.signed_in_user()?;
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let trust = writer.trust();
    let command = parse_words(game, verb, &words, &trust)?;
    let comment = form.field(COMMENT).unwrap_or_default().to_owned();
    let request = Request::from_command(command, trust, comment);
    form.check_confirmed(&request, &return_path(form.field("back"), "/"))?;
    let visit = writer.execute_request(&request, form.mail_key())?;
    let flash_message = match visit.outcome {
        VisitOutcome::Before => Some(FlashMessage::Before),
        _ => flash_message(writer, game, verb.name, &words, &user)?,
    };
    Ok(Executed { visit, flash_message, cookie: writer.renewed_cookie()? })
}

/// Returns the message about a command that was carried out; `None` if its answer must be shown.
fn flash_message(
    writer: &SiteWriter,
    game: Option<&'static dyn AnyGame>,
    verb: &str,
    words: &[&str],
    user: &UserId,
) -> PageResult<Option<FlashMessage>> {
    Ok(match (verb, words) {
        ("set" | "limit" | "notify" | "vacation" | "timezone" | "weekend" | "night", _) => {
            Some(FlashMessage::Saved)
        }
        ("message", _) => Some(FlashMessage::Sent),
        ("mute", [_, ..]) => Some(FlashMessage::Muted),
        ("unmute", _) => Some(FlashMessage::Unmuted),
        ("block", [_, ..]) => Some(FlashMessage::Blocked),
        ("unblock", _) => Some(FlashMessage::Unblocked),
        ("favourite", [_, ..]) => Some(FlashMessage::Favourite),
        ("unfavourite", _) => Some(FlashMessage::NoFavourite),
        ("report", _) => Some(FlashMessage::Reported),
        ("subscribe", _) => Some(FlashMessage::Subscribed),
        ("unsubscribe", _) => Some(FlashMessage::Unsubscribed),
        ("change", _) => Some(FlashMessage::AddressMailed),
        ("signoff" | "delete", []) => Some(FlashMessage::CodeMailed),
        ("decline", _) => Some(FlashMessage::Declined),
        ("ladder", ["join", ..]) => Some(FlashMessage::OnLadder),
        ("ladder", ["leave", ..]) => Some(FlashMessage::OffLadder),
        ("tournament", ["create", ..]) => Some(FlashMessage::Opened),
        ("tournament", ["join", ..]) => Some(FlashMessage::Entered),
        ("tournament", ["invite" | "challenge", ..]) => Some(FlashMessage::Invited),
        ("tournament", ["leave", ..]) => Some(FlashMessage::Left),
        ("seek", ["off"]) => Some(FlashMessage::Withdrawn),
        ("seek", _) => {
            // A newcomer may have to confirm their address before.
            let name = game.ok_or(PageError::NotFound)?.spec().name;
            let world = writer.load(&[seeks_key(name)])?;
            let seeks = world.seeks(name).map_err(Refusal::from)?;
            let is_open = seeks.open(writer.now).any(|seek| seek.user == *user);
            Some(if is_open { FlashMessage::Posted } else { FlashMessage::ConfirmFirst })
        }
        _ => None,
    })
}

/// Returns the words of a command from their fields, with the chosen options behind them.
pub(super) fn command_words(form: &PostedForm) -> Vec<String> {
    let words = form.values("word").map(str::to_owned);
    let options = form.filled_fields().filter_map(|(name, value)| {
        let name = name.strip_prefix(OPTION)?;
        Some(if value == "on" { format!("-{name}") } else { format!("-{name}={value}") })
    });
    words.chain(options).collect()
}

/// Builds the page of a command's answer.
async fn result_page(
    site: &Arc<Site>,
    request: WebRequest,
    visit: BrowserOutcome,
    back: String,
) -> PageResult {
    let page = Arc::clone(site).read(request, move |reader| {
        let body = html! {
            h1 { "Done" }
            @if visit.outcome == VisitOutcome::Before { p { "That was done already." } }
            @for mail in &visit.answers { (blocks::blocks(&mail.blocks)) }
            p { a href=(back) { "Back" } }
        };
        Ok(reader.close().page("Done", &body))
    });
    page.await
}
