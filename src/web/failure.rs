//! Why there is no page, or not the one that was asked for.

use super::frame;
use super::print;
use super::sure::Question;
use crate::refusal::{Asker, Refusal};
use crate::reply::{self, OutgoingMail};
use crate::store::Fault;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};

/// Why there is no page.
#[derive(Debug)]
pub(super) enum PageError {
    /// There is nothing of that name.
    NotFound,
    /// The request is refused.
    Refused(Refusal),
    /// A command was refused, in these words.
    Told(Vec<OutgoingMail>),
    /// Only users who have signed in may ask that; then they come back to that page.
    SignIn(String),
    /// The sender of a form is asked first whether they mean it.
    Unsure(Question),
    /// A field of a form is empty.
    Missing(&'static str),
    /// A form was not sent from a page of ours, or from one that is too old.
    Foreign,
    /// The request is no form.
    Malformed,
    /// A header is missing, written twice or not readable.
    Header(&'static str),
    /// The request is too long.
    TooLong,
    /// The request took too long.
    TooSlow,
    /// Too many ask at once.
    Busy,
    /// Too many ask at once from one place.
    Crowded,
    /// The machine failed.
    Fault(Fault),
    /// This program failed.
    Bug,
}

impl From<Fault> for PageError {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl From<Refusal> for PageError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl PageError {
    pub(super) fn status(&self) -> StatusCode {
        match self {
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::Refused(_) | Self::Foreign => StatusCode::FORBIDDEN,
            Self::Told(_) | Self::Missing(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Unsure(_) => StatusCode::OK,
            Self::SignIn(_) => StatusCode::SEE_OTHER,
            Self::Malformed | Self::Header(_) => StatusCode::BAD_REQUEST,
            Self::TooLong => StatusCode::PAYLOAD_TOO_LARGE,
            Self::TooSlow => StatusCode::REQUEST_TIMEOUT,
            Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
            Self::Crowded => StatusCode::TOO_MANY_REQUESTS,
            Self::Fault(_) | Self::Bug => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// In words. The machine's own message is for the operator alone.
    pub(super) fn told(&self) -> (&'static str, Markup) {
        let sentence = |words: &str| html! { p { (words) } };
        match self {
            Self::NotFound => ("Not found", sentence("There is no such page here.")),
            Self::Refused(refusal) => {
                let said = reply::refuse(refusal, &Asker::default());
                ("Not possible", print::blocks(&said.blocks))
            }
            Self::Told(said) => {
                let blocks = said.iter().map(|one| print::blocks(&one.blocks));
                ("Not done", html! { @for one in blocks { (one) } })
            }
            Self::Unsure(question) => ("Are you sure?", question.body.clone()),
            Self::SignIn(_) => ("Sign in", sentence("Sign in first.")),
            Self::Missing(field) => {
                ("Not done", html! { p { "Nothing was written in the field \"" (field) "\"." } })
            }
            Self::Foreign => (
                "Not done",
                sentence(
                    "This was not sent from a page of ours, or the page was open for too long. \
                     Nothing was changed. Open the page again, and send it from there.",
                ),
            ),
            Self::Malformed => ("Not understood", sentence("This is no form that we know.")),
            Self::Header(name) => (
                "Not understood",
                html! { p { "The request must have one " (name) " header that can be read." } },
            ),
            Self::TooLong => ("Too long", sentence("That is too long. Nothing was changed.")),
            Self::TooSlow => (
                "Too slow",
                sentence("Your request took too long to arrive. Nothing was changed. Try again."),
            ),
            Self::Crowded => (
                "Too many at once",
                sentence(
                    "Too much is asked from your network at once. Close pages that you do not need, \
                     or try again in a minute.",
                ),
            ),
            Self::Busy => {
                ("Too busy", sentence("Too many people ask at once. Try again in a minute."))
            }
            Self::Fault(_) | Self::Bug => {
                ("Our fault", sentence("Something failed here. Try again in a few minutes."))
            }
        }
    }
}

impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        if let Self::SignIn(back) = &self {
            let back: String = form_urlencoded::byte_serialize(back.as_bytes()).collect();
            return Redirect::to(&format!("/signin?back={back}")).into_response();
        }
        let (title, words) = self.told();
        let body = html! {
            h1 { (title) }
            (words)
            p { a href="/" { "To the first page" } }
        };
        (self.status(), frame::bare(title, &body)).into_response()
    }
}
