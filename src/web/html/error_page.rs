//! Errors of requests: a page for browsers, JSON for programs.

use super::blocks::{self, capitalized};
use super::confirmation::Confirmation;
use super::page::{WebPage, static_page};
use super::refusals::{self, Problem, Subject};
use crate::refusal::Refusal;
use crate::reply::OutgoingMail;
use crate::store::Fault;
use crate::web::api;
use crate::web::site::Site;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use std::sync::Arc;

/// The reason why a request gets no page.
#[derive(Debug)]
pub(crate) enum PageError {
    /// There is no such page.
    NotFound,
    /// The request is refused.
    Refused(Refusal),
    /// The command of the request was executed and refused.
    CommandRefused(Box<RefusedCommand>),
    /// The visitor must sign in. They return to this path afterwards.
    SignIn(String),
    /// An administrator must confirm by mail who they are. They return to this path afterwards.
    NotRaised(String),
    /// An act of an administrator or the operator was refused: why.
    ActRefused(String),
    /// The visitor must confirm an act that cannot be undone.
    NotConfirmed(Confirmation),
    /// This field of a form is empty.
    MissingField(&'static str),
    /// This field of a form has an answer that cannot be used: why.
    WrongAnswer(&'static str, String),
    /// This value of the query is not one that the page or path has.
    BadQuery(&'static str),
    /// This field of a form has more than this number of characters.
    LongField(&'static str, usize),
    /// A form comes from another site.
    CrossSite,
    /// A form comes from a page of ours that was made for an earlier session.
    OldPage,
    /// The form or the JSON of a request cannot be read.
    Malformed,
    /// A program sent something other than JSON.
    NotJson,
    /// A program used the `once` of an earlier request for a different one.
    OnceReused,
    /// This header is missing, repeated or unreadable.
    Header(&'static str),
    /// The body is too long.
    TooLong,
    /// The body took too long to arrive.
    TooSlow,
    /// Too many requests wait.
    Busy,
    /// Too many requests of the client's network are in progress.
    TooManyFromNetwork,
    /// The machine failed.
    Fault(Fault),
    /// The program failed.
    Bug,
}

/// A refused command.
#[derive(Debug)]
pub(crate) struct RefusedCommand {
    /// The reason, if it is known as data.
    pub(crate) refusal: Option<Refusal>,
    /// The answers, as programs and mails get them.
    pub(crate) answers: Vec<OutgoingMail>,
}

/// A page, or another result of a request.
pub(crate) type PageResult<T = WebPage> = Result<T, PageError>;

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

/// The title and the text of an error.
pub(crate) struct ErrorText<T> {
    pub(crate) title: &'static str,
    pub(crate) body: T,
}

impl PageError {
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::Refused(_) | Self::CrossSite | Self::OldPage => StatusCode::FORBIDDEN,
            Self::CommandRefused(_)
            | Self::MissingField(_)
            | Self::BadQuery(_)
            | Self::LongField(..)
            | Self::ActRefused(_)
            | Self::WrongAnswer(..)
            | Self::OnceReused => StatusCode::UNPROCESSABLE_ENTITY,
            Self::NotConfirmed(_) => StatusCode::OK,
            Self::SignIn(_) | Self::NotRaised(_) => StatusCode::SEE_OTHER,
            Self::Malformed | Self::Header(_) => StatusCode::BAD_REQUEST,
            Self::NotJson => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::TooLong => StatusCode::PAYLOAD_TOO_LARGE,
            Self::TooSlow => StatusCode::REQUEST_TIMEOUT,
            Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
            // A database that does not answer comes back.
            Self::Fault(fault) if fault.is_unreachable() => StatusCode::SERVICE_UNAVAILABLE,
            Self::TooManyFromNetwork => StatusCode::TOO_MANY_REQUESTS,
            Self::Fault(_) | Self::Bug => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// Returns the error for a browser. The details of a fault are for the operator's log alone.
    pub(crate) fn html(&self) -> ErrorText<Markup> {
        match self {
            Self::Refused(refusal) => {
                let body = html! { p { (refusals::sentences(refusal)) } };
                ErrorText { title: "Not possible", body }
            }
            Self::CommandRefused(refused) => {
                let body = html! {
                    @match &refused.refusal {
                        Some(refusal) => p { (refusals::sentences(refusal)) },
                        None => {
                            @for answer in &refused.answers { (blocks::blocks(&answer.blocks)) }
                        },
                    }
                };
                ErrorText { title: "Not done", body }
            }
            Self::ActRefused(why) | Self::WrongAnswer(_, why) => {
                ErrorText { title: "Not done", body: html! { p { (capitalized(why)) "." } } }
            }
            Self::NotConfirmed(question) => {
                ErrorText { title: "Are you sure?", body: question.body.clone() }
            }
            Self::MissingField(field) => ErrorText {
                title: "Not done",
                body: html! { p { "The field \"" (field) "\" is empty. Nothing was changed." } },
            },
            Self::LongField(..) => {
                let words = self.problem().map(|problem| problem.words);
                ErrorText { title: "Too long", body: html! { p { (words.unwrap_or_default()) } } }
            }
            Self::Header(name) => ErrorText {
                title: "Not understood",
                body: html! { p { "The request must have exactly one " (name) " header, and it must be readable." } },
            },
            other => {
                let ErrorText { title, body } = other.sentence();
                ErrorText { title, body: html! { p { (body) } } }
            }
        }
    }

    /// Returns the text of an error without its details.
    #[expect(clippy::too_many_lines, reason = "one sentence for each error")]
    pub(crate) fn sentence(&self) -> ErrorText<&'static str> {
        let (title, body) = match self {
            Self::NotFound => (
                "Not found",
                "No page has this address. Check the address, or go to the home page.",
            ),
            Self::SignIn(_) => ("Sign in", "Sign in first."),
            Self::NotRaised(_) => (
                "Confirm who you are",
                "Confirm by the mailed code that you are an administrator first.",
            ),
            Self::CrossSite => (
                "Not done",
                "This form was not sent from a page of ours, or the page was open for too long. \
                 Nothing was changed. Open the page again and send the form from there.",
            ),
            Self::OldPage => (
                "Not done",
                "The page with this form was open for too long. Nothing was changed. Look at it once \
                 more and send it again.",
            ),
            Self::Malformed => (
                "Not understood",
                "We could not read this form. Nothing was changed. Open the page again and send the \
                 form from there.",
            ),
            Self::NotJson => {
                ("Not understood", "Send JSON, with the header Content-Type: application/json.")
            }
            Self::OnceReused => (
                "Not done",
                "An earlier request had the same \"once\" and was carried out. Nothing was changed \
                 now. Give each request a \"once\" of its own.",
            ),
            Self::TooLong => ("Too long", "Your request is too long. Nothing was changed."),
            Self::TooSlow => (
                "Too slow",
                "Your request took too long to arrive. Nothing was changed. Try again.",
            ),
            Self::TooManyFromNetwork => (
                "Too many requests",
                "Too many requests come from your network at once. Close pages that you do not \
                 need, or try again in a minute.",
            ),
            Self::Busy => ("Busy", "The server is busy. Try again in a minute."),
            Self::Fault(_) | Self::Bug => (
                "Server error",
                "Something failed on the server. Look whether your change was made, and try again in \
                 a few minutes.",
            ),
            Self::Refused(_)
            | Self::CommandRefused(_)
            | Self::NotConfirmed(_)
            | Self::ActRefused(_)
            | Self::WrongAnswer(..) => ("Not done", "Nothing was changed."),
            Self::BadQuery(_) => (
                "Not understood",
                "This address has a value that the page does not have. Remove what follows the question \
                 mark to see the page from its beginning.",
            ),
            Self::MissingField(_) | Self::LongField(..) | Self::Header(_) => {
                ("Not understood", "Something is missing or too long.")
            }
        };
        ErrorText { title, body }
    }

    /// Returns the reason to tell on the page of the form that caused the error; `None` if the form
    /// cannot be sent again.
    pub(crate) fn problem(&self) -> Option<Problem> {
        match self {
            Self::Refused(refusal) => Some(Problem::of(refusal)),
            Self::CommandRefused(refused) => refused.refusal.as_ref().map(Problem::of),
            Self::MissingField(field) => {
                let words = "Fill in this field.".into();
                Some(Problem { subject: Subject::Field(field), words })
            }
            Self::LongField(field, most) => {
                let words = format!("Write at most {most} characters.");
                Some(Problem { subject: Subject::Field(field), words })
            }
            Self::WrongAnswer(field, why) => {
                let words = format!("{}.", capitalized(why));
                Some(Problem { subject: Subject::Field(field), words })
            }
            Self::ActRefused(why) => {
                let words = format!("{}.", capitalized(why));
                Some(Problem { subject: Subject::Other, words })
            }
            Self::OldPage | Self::Busy | Self::TooManyFromNetwork | Self::Fault(_) => {
                Some(Problem { subject: Subject::Other, words: self.sentence().body.into() })
            }
            _ => None,
        }
    }

    /// Returns the content of an error's page.
    pub(crate) fn whole_text(&self) -> ErrorText<Markup> {
        let ErrorText { title, body } = self.html();
        let body = html! {
            h1 { (title) }
            (body)
            p { a href="/" { "Home" } }
        };
        ErrorText { title, body }
    }

    /// Returns the response for a browser without a session: a redirect to the page where the visitor can
    /// sign in or confirm who they are, or the page of the error.
    pub(crate) fn page(&self, server: &str) -> Response {
        let sign_in_page = match self {
            Self::SignIn(back) => Some(("/signin", back)),
            Self::NotRaised(back) => Some(("/admin/enter", back)),
            _ => None,
        };
        if let Some((path, back)) = sign_in_page {
            let back: String = form_urlencoded::byte_serialize(back.as_bytes()).collect();
            return Redirect::to(&format!("{path}?back={back}")).into_response();
        }
        let ErrorText { title, body } = self.whole_text();
        (self.status(), static_page(title, server, &body)).into_response()
    }
}

/// An error on its way to [`render_errors`], which knows whether a browser or a program asked.
#[derive(Clone)]
struct Failure(Arc<PageError>);

impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        let mut response = self.status().into_response();
        response.extensions_mut().insert(Failure(Arc::new(self)));
        response
    }
}

/// Takes the error out of the response that stands for it.
pub(crate) fn take_error(response: &mut Response) -> Option<Arc<PageError>> {
    response.extensions_mut().remove::<Failure>().map(|Failure(error)| error)
}

/// Renders errors: as a page for a browser, as JSON for a program.
pub(crate) async fn render_errors(
    State(site): State<Arc<Site>>,
    request: Request,
    next: Next,
) -> Response {
    let is_program = api::is_program(request.uri().path());
    let mut response = next.run(request).await;
    match take_error(&mut response) {
        Some(error) if is_program => api::error_response(&error),
        Some(error) => error.page(site.name()),
        None if is_program => api::json_errors(response),
        None => response,
    }
}
