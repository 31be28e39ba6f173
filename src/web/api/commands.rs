//! The commands of programs: the same as everybody's, in fields.

use super::answer;
use crate::base::digest::digest;
use crate::base::ids::UserId;
use crate::command::account::signin::PasswordSignInCommand;
use crate::command::{Trust, find_verb, parse_words};
use crate::model::board::Proposal;
use crate::refusal::{AccountRefusal, Refusal};
use crate::reply::{self, TextMedium};
use crate::server::requests::Request;
use crate::server::{BrowserOutcome, VisitOutcome};
use crate::store::MailKey;
use crate::web::html::error_page::PageError;
use crate::web::http::request::WebRequest;
use crate::web::pages::account::verify_password;
use crate::web::pages::board::{self, named, said_there, with_seed};
use crate::web::pages::command::FORM_VERBS;
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

/// The request of a program, if it can be read.
type JsonBody<T> = Result<Json<T>, JsonRejection>;

fn parsed_body<T>(sent: JsonBody<T>) -> Result<T, PageError> {
    sent.map(|Json(sent)| sent).map_err(|refused| match refused {
        JsonRejection::MissingJsonContentType(_) => PageError::NotJson,
        _ => PageError::Malformed,
    })
}

/// Something that is said on a board: a move, or another word of a reply.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(in crate::web) struct SayRequest {
    say: String,
    #[serde(default)]
    comment: String,
    /// For which move.
    #[serde(rename = "move", default, deserialize_with = "whole_number")]
    moveno: Option<u32>,
    /// The offer that was open when it was said.
    offered: Option<String>,
    /// A word or the value for the dice, beside a move.
    seed: Option<String>,
    /// The same word for the same request, however often it is sent.
    once: Option<String>,
}

/// Reads a whole number. JSON has one kind of numbers: `3.0` is 3.
fn whole_number<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u32>, D::Error> {
    let Some(number) = Option::<f64>::deserialize(from)? else { return Ok(None) };
    let is_whole = number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked just now")]
    let whole = is_whole.then_some(number as u32);
    whole.map(Some).ok_or_else(|| D::Error::custom("not a whole number"))
}

/// A command about no board in play.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(in crate::web) struct CommandRequest {
    verb: String,
    game: Option<String>,
    #[serde(default)]
    words: Vec<String>,
    /// A word for the dice, or a commitment, beside a challenge.
    seed: Option<String>,
    #[serde(default)]
    comment: String,
    once: Option<String>,
}

/// A new user, or a user who wants a key.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::web) struct AccountRequest {
    userid: String,
    password: String,
    address: Option<String>,
    /// The name of the key.
    #[serde(default)]
    name: String,
}

/// The identity of a request that names one, `once`, and its content: what is asked, where.
fn once(
    user: &UserId,
    once: Option<&String>,
    (path, sent): (&str, &impl Serialize),
) -> Result<Option<MailKey>, PageError> {
    let Some(once) = once else { return Ok(None) };
    let user = user.folded();
    let sent = serde_json::to_string(sent).map_err(|_| PageError::Bug)?;
    let id = digest(format!("program {user} {once}").as_bytes());
    let content = digest(format!("program {user} {path} {sent}").as_bytes());
    Ok(Some(MailKey { id, content }))
}

/// The answer to it. An analysis takes its time, off the threads that serve requests.
async fn visit_response(visit: BrowserOutcome) -> Result<Response, PageError> {
    spawn_blocking(move || words(&visit)).await.map_err(|_| PageError::Bug)
}

fn words(visit: &BrowserOutcome) -> Response {
    let texts = visit.said.iter().map(|mail| {
        let analysed = reply::run_analyses(&mail.blocks);
        reply::text(analysed.as_deref().unwrap_or(&mail.blocks), TextMedium::Shell)
    });
    let board = visit.said.iter().find_map(|mail| mail.board);
    answer(&json!({
        "done": true,
        "before": visit.outcome == VisitOutcome::Before,
        "said": texts.collect::<Vec<_>>().join("\n"),
        "game": board.map(|board| board.game),
        "board": board.map(|board| board.number),
    }))
}

/// Says something on a board.
pub(in crate::web) async fn said_on_board(
    State(site): State<Arc<Site>>,
    Path((game, number)): Path<(String, String)>,
    ask: WebRequest,
    sent: JsonBody<SayRequest>,
) -> Result<Response, PageError> {
    let (id, sent) = (named(&game, &number)?, parsed_body(sent)?);
    let offered = sent.offered.as_deref().map(|word| {
        let known = Proposal::ALL.into_iter().find(|it| it.word() == word);
        known.map(Proposal::word).ok_or(PageError::Malformed)
    });
    let offered = offered.transpose()?;
    let visit = site.write(ask, move |writer| {
        let user = writer.user()?;
        let line = with_seed(id, sent.say.trim(), sent.seed.as_deref());
        let said = (line.as_str(), sent.comment.as_str());
        let shown = (sent.moveno.and_then(|it| usize::try_from(it).ok()), offered);
        let request = said_there(writer, id, &user, said, shown)?;
        writer.say(&request, once(&user, sent.once.as_ref(), (&board::path(id), &sent))?)
    });
    visit_response(visit.await?).await
}

/// Says something else.
pub(in crate::web) async fn say(
    State(site): State<Arc<Site>>,
    ask: WebRequest,
    sent: JsonBody<CommandRequest>,
) -> Result<Response, PageError> {
    let sent = parsed_body(sent)?;
    let visit = site.write(ask, move |writer| {
        let user = writer.user()?;
        let game = sent.game.as_deref().map(|name| games::find(name).ok_or(PageError::NotFound));
        let game = game.transpose()?;
        let verb = find_verb(&sent.verb, game).filter(|it| FORM_VERBS.contains(&it.name));
        let verb = verb.ok_or(PageError::NotFound)?;
        let seed = sent.seed.as_ref().map(|seed| format!("-seed={seed}"));
        let words: Vec<&str> = sent.words.iter().chain(&seed).map(String::as_str).collect();
        let trust = writer.trust();
        let command = parse_words(game, verb, &words, &trust)?;
        let request = Request::from_command(command, trust, sent.comment.clone());
        writer.say(&request, once(&user, sent.once.as_ref(), ("", &sent))?)
    });
    visit_response(visit.await?).await
}

/// Signs a user up, and gives their program a key.
pub(in crate::web) async fn sign_up(
    State(site): State<Arc<Site>>,
    ask: WebRequest,
    sent: JsonBody<AccountRequest>,
) -> Result<Response, PageError> {
    let (sent, ask) = (parsed_body(sent)?, ask.without_key());
    let secret = site.write(ask, move |writer| {
        let verb = find_verb("signup", None).expect("a verb of ours");
        let address = sent.address.as_deref().ok_or(PageError::Missing("address"))?;
        let words = [sent.userid.as_str(), &sent.password, address];
        let command = parse_words(None, verb, &words, &Trust::Words)?;
        writer.say(&Request::from_command(command, Trust::Words, String::new()), None)?;
        new_key(writer, &sent, false)
    });
    Ok(answer(&json!({ "key": secret.await? })))
}

/// Gives a user's program a key.
pub(in crate::web) async fn key(
    State(site): State<Arc<Site>>,
    ask: WebRequest,
    sent: JsonBody<AccountRequest>,
) -> Result<Response, PageError> {
    let (sent, ask) = (parsed_body(sent)?, ask.without_key());
    let (user, password) = (userid(&sent)?, sent.password.clone());
    let (proving, _) =
        verify_password(&site, &ask, PasswordSignInCommand { user, password, tried: None }).await?;
    let secret = site.write(ask, move |writer| {
        writer.say(&Request::from_command(Box::new(proving), Trust::Words, String::new()), None)?;
        new_key(writer, &sent, true)
    });
    Ok(answer(&json!({ "key": secret.await? })))
}

fn userid(sent: &AccountRequest) -> Result<UserId, PageError> {
    let user = UserId::parse(&sent.userid);
    user.ok_or_else(|| Refusal::from(AccountRefusal::BadUserid).into())
}

/// A key for a user who has just shown who they are.
fn new_key(
    writer: &mut SiteWriter,
    sent: &AccountRequest,
    is_told: bool,
) -> Result<String, PageError> {
    let name = if sent.name.is_empty() { "program" } else { &sent.name };
    writer.make_key(&userid(sent)?, name, is_told)
}
