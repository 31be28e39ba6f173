//! The API for programs: JSON, with a key in place of a cookie. `openapi.json` describes it.

mod boards;
mod commands;
mod ladders;
mod lists;
mod tournaments;

pub(super) use boards::{board, boards, games};
pub(super) use commands::{create_key, execute, reply_on_board, sign_up};
pub(super) use ladders::ladder;
pub(super) use lists::{against, history, player, player_boards, players, rating, standings};
pub(super) use tournaments::{tournament, tournaments};

use super::html::error_page::PageError;
use crate::refusal::ExampleValues;
use crate::reply::{self, TextMedium};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

/// Returns whether a path belongs to the API.
pub(super) fn is_program(path: &str) -> bool {
    path == "/api" || path.starts_with("/api/")
}

/// Returns the response to a program whose request failed.
pub(super) fn error_response(error: &PageError) -> Response {
    let text = match error {
        PageError::SignIn(_) => "This needs a key: Authorization: Bearer <key>".to_owned(),
        PageError::NotFound => "There is no such path, game, player, board or command.".to_owned(),
        PageError::Malformed => "The request does not match openapi.json.".to_owned(),
        PageError::MissingField(field) => format!("The field \"{field}\" is missing."),
        PageError::BadQuery(name) => {
            format!("The value of \"{name}\" in the query is not one that this path has.")
        }
        PageError::Header(name) => {
            format!("The request must have exactly one {name} header, and it must be readable.")
        }
        PageError::CommandRefused(refused) => {
            let texts =
                refused.answers.iter().map(|mail| reply::text(&mail.blocks, TextMedium::Shell));
            texts.collect::<Vec<_>>().join("\n")
        }
        PageError::Refused(refusal) => reply::text(
            &reply::refusal_mail(refusal, &ExampleValues::default()).blocks,
            TextMedium::Shell,
        ),
        other => other.sentence().body.to_owned(),
    };
    let status = match error {
        PageError::SignIn(_) => StatusCode::UNAUTHORIZED,
        other => other.status(),
    };
    let mut response = (status, json_response(&json!({ "error": text.trim() }))).into_response();
    if status == StatusCode::UNAUTHORIZED {
        let scheme = HeaderValue::from_static("Bearer");
        response.headers_mut().insert(header::WWW_AUTHENTICATE, scheme);
    }
    response
}

/// Rewrites an error of the framework, such as 405, as JSON.
pub(super) fn json_errors(response: Response) -> Response {
    let status = response.status();
    let is_json = response.headers().get(header::CONTENT_TYPE)
        == Some(&HeaderValue::from_static("application/json"));
    if is_json || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let text = match status {
        StatusCode::METHOD_NOT_ALLOWED => "This path does not have that method.",
        StatusCode::SERVICE_UNAVAILABLE => "This took too long. Try again in a minute.",
        _ => status.canonical_reason().unwrap_or("The request failed."),
    };
    let mut json = (status, json_response(&json!({ "error": text }))).into_response();
    if let Some(allowed) = response.headers().get(header::ALLOW) {
        json.headers_mut().insert(header::ALLOW, allowed.clone());
    }
    json
}

/// Answers a request for a path that does not exist.
pub(super) async fn not_found() -> PageError {
    PageError::NotFound
}

fn json_response(value: &Value) -> Response {
    let headers =
        [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "private, no-store")];
    (headers, value.to_string() + "\n").into_response()
}

/// Sends the description of the API.
pub(super) async fn description() -> Response {
    let content_type = [(header::CONTENT_TYPE, "application/json")];
    (content_type, include_str!("openapi.json")).into_response()
}
