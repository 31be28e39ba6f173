//! Why there is no page, or not the one that was asked for.

use super::page;
use crate::refusal::Refusal;
use crate::store::Fault;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use maud::html;

/// Why there is no page.
#[derive(Debug)]
pub(super) enum Failure {
    /// There is nothing of that name.
    NotFound,
    /// What is asked is refused.
    Refused(Refusal),
    /// Too many ask at once.
    Busy,
    /// The machine failed.
    Fault(Fault),
    /// This program failed.
    Bug,
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl<T: Into<Refusal>> From<T> for Failure {
    fn from(refusal: T) -> Self {
        Self::Refused(refusal.into())
    }
}

impl Failure {
    fn status(&self) -> StatusCode {
        match self {
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::Refused(_) => StatusCode::FORBIDDEN,
            Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
            Self::Fault(_) | Self::Bug => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// In words. What the machine said is for the operator alone.
    fn told(&self) -> (&'static str, String) {
        match self {
            Self::NotFound => ("Not found", "There is no such page here.".into()),
            Self::Refused(refusal) => ("Not possible", format!("Not possible: {refusal}.")),
            Self::Busy => {
                ("Too busy", "Too many people ask at once. Try again in a minute.".into())
            }
            Self::Fault(_) | Self::Bug => (
                "Our fault",
                "Something failed here, and nothing was changed. Try again in a few minutes."
                    .into(),
            ),
        }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let (title, words) = self.told();
        let body = html! {
            h1 { (title) }
            p { (words) }
            p { a href="/" { "To the first page" } }
        };
        (self.status(), page::bare(title, &body)).into_response()
    }
}
