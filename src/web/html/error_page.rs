//! Why there is no page, or not the one that was asked for.

use crate::refusal::{ExampleValues, Refusal};
use crate::reply::{self, OutgoingMail};
use crate::store::Fault;
use crate::web::api;
use crate::web::html::blocks;
use crate::web::html::confirmation::Question;
use crate::web::html::page;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use std::sync::Arc;

/// Why there is no page.
#[derive(Debug)]
pub(in crate::web) enum PageError {
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
    /// A program sent something else than JSON.
    NotJson,
    /// A program used the word of an earlier request for another one.
    Reused,
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
    pub(in crate::web) fn status(&self) -> StatusCode {
        match self {
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::Refused(_) | Self::Foreign => StatusCode::FORBIDDEN,
            Self::Told(_) | Self::Missing(_) | Self::Reused => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Unsure(_) => StatusCode::OK,
            Self::SignIn(_) => StatusCode::SEE_OTHER,
            Self::Malformed | Self::Header(_) => StatusCode::BAD_REQUEST,
            Self::NotJson => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::TooLong => StatusCode::PAYLOAD_TOO_LARGE,
            Self::TooSlow => StatusCode::REQUEST_TIMEOUT,
            Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
            Self::Crowded => StatusCode::TOO_MANY_REQUESTS,
            Self::Fault(_) | Self::Bug => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// In words. The machine's own message is for the operator alone.
    pub(in crate::web) fn told(&self) -> (&'static str, Markup) {
        match self {
            Self::Refused(refusal) => {
                let said = reply::refusal_mail(refusal, &ExampleValues::default());
                ("Not possible", blocks::blocks(&said.blocks))
            }
            Self::Told(said) => {
                let blocks = said.iter().map(|one| blocks::blocks(&one.blocks));
                ("Not done", html! { @for one in blocks { (one) } })
            }
            Self::Unsure(question) => ("Are you sure?", question.body.clone()),
            Self::Missing(field) => {
                ("Not done", html! { p { "Nothing was written in the field \"" (field) "\"." } })
            }
            Self::Header(name) => (
                "Not understood",
                html! { p { "The request must have one " (name) " header that can be read." } },
            ),
            plain => {
                let (title, sentence) = plain.plainly();
                (title, html! { p { (sentence) } })
            }
        }
    }

    /// The title and the sentence of a failure that needs no words of its own.
    pub(in crate::web) fn plainly(&self) -> (&'static str, &'static str) {
        match self {
            Self::NotFound => ("Not found", "There is no such page here."),
            Self::SignIn(_) => ("Sign in", "Sign in first."),
            Self::Foreign => (
                "Not done",
                "This was not sent from a page of ours, or the page was open for too long. Nothing \
                 was changed. Open the page again, and send it from there.",
            ),
            Self::Malformed => ("Not understood", "This is no form that we know."),
            Self::NotJson => {
                ("Not understood", "Send JSON, with the header Content-Type: application/json.")
            }
            Self::Reused => (
                "Not done",
                "Another request with the same word in \"once\" was carried out. Nothing was changed \
                 now. Give each request a word of its own.",
            ),
            Self::TooLong => ("Too long", "That is too long. Nothing was changed."),
            Self::TooSlow => (
                "Too slow",
                "Your request took too long to arrive. Nothing was changed. Try again.",
            ),
            Self::Crowded => (
                "Too many at once",
                "Too much is asked from your network at once. Close pages that you do not need, or \
                 try again in a minute.",
            ),
            Self::Busy => ("Too busy", "Too many people ask at once. Try again in a minute."),
            Self::Fault(_) | Self::Bug => {
                ("Our fault", "Something failed here. Try again in a few minutes.")
            }
            Self::Refused(_) | Self::Told(_) | Self::Unsure(_) => {
                ("Not done", "Nothing was changed.")
            }
            Self::Missing(_) | Self::Header(_) => ("Not understood", "Something is missing."),
        }
    }
}

impl PageError {
    /// The page that tells a browser.
    fn page(&self) -> Response {
        if let Self::SignIn(back) = self {
            let back: String = form_urlencoded::byte_serialize(back.as_bytes()).collect();
            return Redirect::to(&format!("/signin?back={back}")).into_response();
        }
        let (title, words) = self.told();
        let body = html! {
            h1 { (title) }
            (words)
            p { a href="/" { "To the first page" } }
        };
        (self.status(), page::bare(title, &body)).into_response()
    }
}

/// A failure on its way to [`tell_failures`], which knows whether a browser or a program asked.
#[derive(Clone)]
struct Failure(Arc<PageError>);

impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        let mut response = self.status().into_response();
        response.extensions_mut().insert(Failure(Arc::new(self)));
        response
    }
}

/// Tells why a request failed: a browser by a page, a program as JSON.
pub(in crate::web) async fn tell_failures(request: Request, next: Next) -> Response {
    let is_program = api::is_program(request.uri().path());
    let mut response = next.run(request).await;
    match response.extensions_mut().remove::<Failure>() {
        Some(Failure(failure)) if is_program => api::failed(&failure),
        Some(Failure(failure)) => failure.page(),
        None if is_program => api::reworded(response),
        None => response,
    }
}
