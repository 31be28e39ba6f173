//! The same for programs: JSON, with a key in place of a cookie. `openapi.json` describes it.

mod boards;
mod commands;

pub(super) use boards::{board, boards, games};
pub(super) use commands::{key, said_on_board, say, sign_up};

use crate::refusal::ExampleValues;
use crate::reply::{self, TextMedium};
use crate::web::html::error_page::PageError;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

/// Whether a path is one for programs.
pub(super) fn is_program(path: &str) -> bool {
    path == "/api" || path.starts_with("/api/")
}

/// The answer to a program whose request failed.
pub(super) fn failed(failure: &PageError) -> Response {
    let words = match failure {
        PageError::SignIn(_) => "This needs a key: Authorization: Bearer <key>".to_owned(),
        PageError::NotFound => "There is nothing of that name here.".to_owned(),
        PageError::Malformed => "The request is not what the description says.".to_owned(),
        PageError::Missing(field) => format!("The field \"{field}\" is missing."),
        PageError::Header(name) => {
            format!("The request must have one {name} header that can be read.")
        }
        PageError::Told(said) => {
            let texts = said.iter().map(|mail| reply::text(&mail.blocks, TextMedium::Shell));
            texts.collect::<Vec<_>>().join("\n")
        }
        PageError::Refused(refusal) => reply::text(
            &reply::refusal_mail(refusal, &ExampleValues::default()).blocks,
            TextMedium::Shell,
        ),
        other => other.plainly().1.to_owned(),
    };
    let status = match failure {
        PageError::SignIn(_) => StatusCode::UNAUTHORIZED,
        other => other.status(),
    };
    let mut response = (status, answer(&json!({ "error": words.trim() }))).into_response();
    if status == StatusCode::UNAUTHORIZED {
        let scheme = HeaderValue::from_static("Bearer");
        response.headers_mut().insert(header::WWW_AUTHENTICATE, scheme);
    }
    response
}

/// An answer of the framework, such as one to a method that a path does not have, as JSON.
pub(super) fn reworded(response: Response) -> Response {
    let status = response.status();
    let is_json = response.headers().get(header::CONTENT_TYPE)
        == Some(&HeaderValue::from_static("application/json"));
    if is_json || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let words = match status {
        StatusCode::METHOD_NOT_ALLOWED => "This path does not have that method.",
        StatusCode::SERVICE_UNAVAILABLE => "This took too long. Try again in a minute.",
        _ => status.canonical_reason().unwrap_or("The request failed."),
    };
    let mut answer = (status, answer(&json!({ "error": words }))).into_response();
    if let Some(allowed) = response.headers().get(header::ALLOW) {
        answer.headers_mut().insert(header::ALLOW, allowed.clone());
    }
    answer
}

/// There is no such path.
pub(super) async fn nothing() -> PageError {
    PageError::NotFound
}

/// The answer to a program.
pub(super) fn answer(value: &Value) -> Response {
    let headers =
        [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "private, no-store")];
    (headers, value.to_string() + "\n").into_response()
}

/// The description of this interface.
pub(super) async fn described() -> Response {
    let kind = [(header::CONTENT_TYPE, "application/json")];
    (kind, include_str!("openapi.json")).into_response()
}
