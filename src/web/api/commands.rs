//! Commands of programs, with a JSON field for each word.

use super::json_response;
use crate::base::digest::Digest;
use crate::base::ids::UserId;
use crate::base::network::Network;
use crate::command::account::signin::PasswordSignInCommand;
use crate::command::{Trust, find_verb, parse_words};
use crate::model::board::Proposal;
use crate::refusal::{AccountRefusal, Refusal};
use crate::reply::OutgoingMail;
use crate::reply::{self, TextMedium};
use crate::server::requests::Request;
use crate::server::{BrowserOutcome, VisitOutcome};
use crate::store::MailKey;
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::http::request::WebRequest;
use crate::web::pages::board::{self, BoardReply, parse_id, with_seed};
use crate::web::pages::command::{FORM_VERBS, PROGRAM_ONLY_VERB};
use crate::web::pages::sign_in::verify_password;
use crate::web::site::{Site, SiteWriter};
use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, State};
use axum::response::Response;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::json;
use std::sync::Arc;
use tokio::task::spawn_blocking;

/// The JSON body of a request, if it is valid.
type JsonBody<T> = Result<Json<T>, JsonRejection>;

/// Returns the body of a request.
///
/// # Errors
/// It is no JSON, or not what `openapi.json` describes.
fn valid_body<T>(body: JsonBody<T>) -> PageResult<T> {
    body.map(|Json(body)| body).map_err(|rejection| match rejection {
        JsonRejection::MissingJsonContentType(_) => PageError::NotJson,
        _ => PageError::Malformed,
    })
}

/// A reply on a board: a move, or another command that a reply by mail can give.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReplyBody {
    say: String,
    #[serde(default)]
    comment: String,
    /// The number of the move that the program replies to.
    #[serde(rename = "move", default, deserialize_with = "whole_number")]
    move_number: Option<u32>,
    /// The open offer that the program replies to.
    offered: Option<String>,
    /// A word or a value for the dice, beside a move.
    seed: Option<String>,
    /// A name for the request, which is executed once however often it is sent.
    once: Option<String>,
}

/// Deserializes a whole number. JSON has one kind of numbers: `3.0` is 3.
fn whole_number<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u32>, D::Error> {
    let Some(number) = Option::<f64>::deserialize(from)? else { return Ok(None) };
    let is_whole = number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked above")]
    let whole = is_whole.then_some(number as u32);
    whole.map(Some).ok_or_else(|| D::Error::custom("not a whole number"))
}

/// A command that is not about a board in play.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CommandBody {
    verb: String,
    game: Option<String>,
    #[serde(default)]
    words: Vec<String>,
    /// A word for the dice, or a commitment, beside a challenge.
    seed: Option<String>,
    #[serde(default)]
    comment: String,
    /// A name for the request, which is executed once however often it is sent.
    once: Option<String>,
}

/// A new user, or a user who wants a key.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AccountBody {
    userid: String,
    password: String,
    address: Option<String>,
    /// The name of the key.
    #[serde(default)]
    name: String,
}

impl AccountBody {
    fn user(&self) -> PageResult<UserId> {
        let user = UserId::parse(&self.userid);
        user.ok_or_else(|| Refusal::from(AccountRefusal::BadUserid).into())
    }
}

/// Returns the identity of a request that has a `once`. The path and the body are its content: the
/// same `once` with another content is refused.
fn mail_key(
    user: &UserId,
    once: Option<&String>,
    path: &str,
    body: &impl Serialize,
) -> PageResult<Option<MailKey>> {
    let Some(once) = once else { return Ok(None) };
    let user = user.folded();
    let body = serde_json::to_string(body).map_err(|_| PageError::Bug)?;
    let id = Digest::of(format!("program {user} {once}"));
    let content = Digest::of(format!("program {user} {path} {body}"));
    Ok(Some(MailKey { id, content }))
}

/// Returns the response to an executed command. An analysis waits in a queue for a thread of its own.
async fn visit_response(
    site: &Site,
    network: Option<Network>,
    visit: BrowserOutcome,
) -> PageResult<Response> {
    let answers = site.run_analyses(network, visit.answers).await?;
    let visit = BrowserOutcome { answers, ..visit };
    spawn_blocking(move || render_visit(&visit)).await.map_err(|_| PageError::Bug)
}

fn render_visit(visit: &BrowserOutcome) -> Response {
    let texts = visit.answers.iter().map(|mail| reply::text(&mail.blocks, TextMedium::Shell));
    let board = visit.answers.iter().find_map(OutgoingMail::board);
    json_response(&json!({
        "done": true,
        "before": visit.outcome == VisitOutcome::Before,
        "said": texts.collect::<Vec<_>>().join("\n"),
        "game": board.map(|board| board.game),
        "board": board.map(|board| board.number),
    }))
}

/// Executes a reply on a board.
pub(crate) async fn reply_on_board(
    State(site): State<Arc<Site>>,
    Path((game, number)): Path<(String, String)>,
    request: WebRequest,
    body: JsonBody<ReplyBody>,
) -> PageResult<Response> {
    let (id, body) = (parse_id(&game, &number)?, valid_body(body)?);
    let find = |word: &str| Proposal::ALL.into_iter().find(|it| it.word() == word);
    let offered = body.offered.as_deref().map(|word| find(word).ok_or(PageError::Malformed));
    let offered = offered.transpose()?;
    let network = request.counted_network;
    let visit = site.clone().write(request, move |writer| {
        let user = writer.signed_in_user()?;
        let reply = BoardReply {
            line: with_seed(id, body.say.trim(), body.seed.as_deref()),
            comment: &body.comment,
            move_number: body.move_number.and_then(|it| usize::try_from(it).ok()),
            offered,
        };
        let request = reply.request(writer, id, &user)?;
        let once = mail_key(&user, body.once.as_ref(), &board::path(id), &body)?;
        writer.execute_request(&request, once)
    });
    visit_response(&site, network, visit.await?).await
}

/// Executes a command that is not about a board in play.
pub(crate) async fn execute(
    State(site): State<Arc<Site>>,
    request: WebRequest,
    body: JsonBody<CommandBody>,
) -> PageResult<Response> {
    let body = valid_body(body)?;
    let network = request.counted_network;
    let visit = site.clone().write(request, move |writer| {
        let user = writer.signed_in_user()?;
        let game = body.game.as_deref().map(|name| games::find(name).ok_or(PageError::NotFound));
        let game = game.transpose()?;
        let is_accepted = |verb: &str| FORM_VERBS.contains(&verb) || verb == PROGRAM_ONLY_VERB;
        let verb = find_verb(&body.verb, game).filter(|it| is_accepted(it.name));
        let verb = verb.ok_or(PageError::NotFound)?;
        let seed = body.seed.as_ref().map(|seed| format!("-seed={seed}"));
        let words: Vec<&str> = body.words.iter().chain(&seed).map(String::as_str).collect();
        let trust = writer.trust();
        let command = parse_words(game, verb, &words, &trust)?;
        let request = Request::from_command(command, trust, body.comment.clone());
        let once = mail_key(&user, body.once.as_ref(), "", &body)?;
        writer.execute_request(&request, once)
    });
    visit_response(&site, network, visit.await?).await
}

/// Signs a user up and returns a key for their program.
pub(crate) async fn sign_up(
    State(site): State<Arc<Site>>,
    request: WebRequest,
    body: JsonBody<AccountBody>,
) -> PageResult<Response> {
    let (body, request) = (valid_body(body)?, request.without_program_key());
    let key = site.write(request, move |writer| {
        let verb = find_verb("signup", None).expect("`signup` is a verb");
        let address = body.address.as_deref().ok_or(PageError::MissingField("address"))?;
        let words = [body.userid.as_str(), &body.password, address];
        let command = parse_words(None, verb, &words, &Trust::Untrusted)?;
        writer.execute(command, Trust::Untrusted, None)?;
        make_key(writer, &body, false)
    });
    Ok(json_response(&json!({ "key": key.await? })))
}

/// Returns a new key for the program of a user who sends their password.
pub(crate) async fn create_key(
    State(site): State<Arc<Site>>,
    request: WebRequest,
    body: JsonBody<AccountBody>,
) -> PageResult<Response> {
    let (body, request) = (valid_body(body)?, request.without_program_key());
    let (user, password) = (body.user()?, body.password.clone());
    let sign_in = PasswordSignInCommand { user, password, checked: None, takes_boards: false };
    let verified = verify_password(&site, &request, sign_in).await?;
    let key = site.write(request, move |writer| {
        writer.execute(Box::new(verified.command), Trust::Untrusted, None)?;
        make_key(writer, &body, true)
    });
    Ok(json_response(&json!({ "key": key.await? })))
}

fn make_key(writer: &mut SiteWriter, body: &AccountBody, is_told: bool) -> PageResult<String> {
    let name = if body.name.is_empty() { "program" } else { &body.name };
    writer.make_key(&body.user()?, name, is_told, None)?.ok_or(PageError::Bug)
}
