//! The same for programs: JSON, with a key in place of a cookie. `openapi.json` describes it.

mod board;
mod say;

pub(super) use board::{board, boards, games};
pub(super) use say::{key, said_on_board, say, sign_up};

use super::failure::PageError;
use crate::refusal::Asker;
use crate::reply::{self, TextMedium};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

/// The answer to a program whose request failed.
pub(super) struct ApiError(PageError);

impl<T: Into<PageError>> From<T> for ApiError {
    fn from(failure: T) -> Self {
        Self(failure.into())
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let Self(failure) = self;
        let words = match &failure {
            PageError::SignIn(_) => "This needs a key: Authorization: Bearer <key>".to_owned(),
            PageError::Told(said) => {
                let texts = said.iter().map(|mail| reply::text(&mail.blocks, TextMedium::Shell));
                texts.collect::<Vec<_>>().join("\n")
            }
            PageError::Refused(refusal) => {
                reply::text(&reply::refuse(refusal, &Asker::default()).blocks, TextMedium::Shell)
            }
            other => other.told().0.to_owned(),
        };
        let status = match &failure {
            PageError::SignIn(_) => StatusCode::UNAUTHORIZED,
            other => other.status(),
        };
        (status, answer(&json!({ "error": words.trim() }))).into_response()
    }
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
