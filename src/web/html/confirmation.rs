//! The question before an act that cannot be undone: a page, which the script shows as a dialog.

use super::error_page::{PageError, PageResult};
use crate::base::ids::BoardId;
use crate::command::LastingAct;
use crate::model::moderation::Act;
use crate::server::requests::Request;
use crate::web::http::form::PostedForm;
use crate::web::http::request::WebRequest;
use crate::web::pages::admin::{CODE, CodeQuestion};
use crate::web::site::Site;
use axum::response::{IntoResponse as _, Response};
use maud::{Markup, html};
use std::sync::Arc;

/// The field of a form that its sender has confirmed.
const CONFIRMED: &str = "sure";

impl PostedForm {
    /// Checks that the sender has confirmed an act that cannot be undone. `back` is the page that they
    /// return to if they cancel.
    pub(crate) fn check_confirmed(&self, request: &Request, back: &str) -> PageResult<()> {
        let act = request.command.as_ref().ok().and_then(|command| command.lasting_act());
        match act {
            Some(act) if self.field(CONFIRMED).is_none() => {
                Err(PageError::NotConfirmed(self.confirmation(&act, back)))
            }
            _ => Ok(()),
        }
    }

    /// Builds the question for the mailed code of an act, with a form that repeats this one.
    pub(crate) fn code_question(&self, question: &CodeQuestion) -> Confirmation {
        let body = html! {
            h1 { (question.title) }
            p { (question.consequence) }
            p { "We have mailed you a code for this. It works once, within ten minutes." }
            form.tall method="post" action=(self.request.path) {
                @for (name, value) in self.all_fields().filter(|(name, _)| *name != CODE) {
                    input type="hidden" name=(name) value=(value);
                }
                label { "Code from the mail"
                    input type="text" name=(CODE) maxlength="100" autocomplete="one-time-code" required;
                }
                button type="submit" { (question.button) }
            }
            p { a href=(question.back) { "Cancel" } }
        };
        Confirmation { title: question.title.clone(), body }
    }

    /// Builds the question, with a form that repeats this one.
    fn confirmation(&self, act: &LastingAct, back: &str) -> Confirmation {
        let Question { title, consequence, button } = question(act);
        let body = html! {
            section.ask data-ask aria-labelledby="ask" {
                h1 id="ask" { (title) }
                p { (consequence) }
                form.say method="post" action=(self.request.path) {
                    @for (name, value) in self.all_fields() {
                        input type="hidden" name=(name) value=(value);
                    }
                    input type="hidden" name=(CONFIRMED) value="yes";
                    button type="submit" { (button) }
                }
                p { a href=(back) autofocus data-cancel { "Cancel" } }
            }
        };
        Confirmation { title, body }
    }
}

/// A page that asks for confirmation.
#[derive(Debug)]
pub(crate) struct Confirmation {
    title: String,
    pub(crate) body: Markup,
}

/// Shows the question to the visitor who sent the form instead of the error that asks for it.
pub(crate) async fn with_question(
    site: Arc<Site>,
    request: WebRequest,
    done: PageResult<Response>,
) -> PageResult<Response> {
    match done {
        Err(PageError::NotConfirmed(Confirmation { title, body })) => {
            let page = site.read(request, move |reader| Ok(reader.close().page(&title, &body)));
            Ok(page.await?.into_response())
        }
        done => done,
    }
}

/// The question about an act.
struct Question {
    title: String,
    /// What follows from the act.
    consequence: &'static str,
    /// The label of the button that performs the act.
    button: String,
}

/// Builds the question about an act of moderation.
fn moderation(act: Act, subject: &str) -> Question {
    let (title, consequence, button) = match act {
        Act::Mute => (
            "Mute",
            "What they write is not passed on to others. They are told why. The log keeps your name and the reason.",
            "Mute",
        ),
        Act::Suspend => (
            "Suspend",
            "Their games go on, but they begin no others and write to nobody. Their open challenges are \
             withdrawn. They are told why. The log keeps your name and the reason.",
            "Suspend",
        ),
        Act::Ban => (
            "Ban",
            "A player gives up all boards in progress and cannot come back; they are told why. From an \
             address, a domain or a network nobody can sign up. The log keeps your name and the reason.",
            "Ban",
        ),
        Act::Lift => (
            "Lift everything against",
            "A player is told so. The log keeps your name and the reason.",
            "Lift",
        ),
        Act::Settle => (
            "Settle",
            "It leaves the list of open reports, and its author is told. The log keeps your name and the note.",
            "Settle",
        ),
        // The operator's acts, and those that a code confirms.
        Act::Appoint
        | Act::Dismiss
        | Act::Enter
        | Act::Retry
        | Act::Drop
        | Act::Erase
        | Act::Undo
        | Act::Configure => ("Do it to", "The log keeps your name and the reason.", "Go on"),
    };
    Question { title: format!("{title} {subject}?"), consequence, button: button.into() }
}

/// Builds the question about a resignation, of the whole board if there is no stake.
fn resignation(board: &str, stake: Option<&str>) -> Question {
    match stake {
        None => Question {
            title: format!("Resign {board}?"),
            consequence: "You lose the board. This cannot be undone.",
            button: "Resign".into(),
        },
        Some(stake) => Question {
            title: format!("Resign {board} ({stake})?"),
            consequence: "You lose once your opponent accepts, or at once if you have not moved \
                          yet. You cannot take it back.",
            button: format!("Resign ({stake})"),
        },
    }
}

fn question(act: &LastingAct) -> Question {
    let name = |id: &BoardId| format!("{} {}", games::title(id.game), id.number);
    match act {
        LastingAct::Resign { board, stake } => resignation(&name(board), *stake),
        LastingAct::Decline(board) => Question {
            title: format!("Close {}?", name(board)),
            consequence: "The game does not begin and does not count. Your opponent is told. This \
                          cannot be undone.",
            button: "Close the board".into(),
        },
        LastingAct::LeaveLadder(game) => Question {
            title: format!("Leave the {} ladder?", games::title(game)),
            consequence: "Your unfinished games on it are lost. If you join again, you begin on the \
                          last place.",
            button: "Leave".into(),
        },
        LastingAct::LeaveTournament(id) => Question {
            title: format!("Leave {}?", id.title()),
            consequence: "If it has started, your unfinished games in it are lost, and you cannot \
                          come back.",
            button: "Leave".into(),
        },
        LastingAct::Moderation { act, subject } => moderation(*act, subject),
        LastingAct::NewToken(board) => Question {
            title: format!("Get a new reply address for {}?", name(board)),
            consequence: "Replies to your older mails about this board will be refused, and you \
                          will be signed out in every browser. This cannot be undone.",
            button: "Get a new reply address".into(),
        },
        LastingAct::RevokeKey(name) => Question {
            title: format!("Revoke the key {name}?"),
            consequence: "Programs that use it will be refused. This cannot be undone.",
            button: "Revoke the key".into(),
        },
        LastingAct::SignOut => Question {
            title: "Sign out everywhere?".into(),
            consequence: "You will be signed out in every browser, this one too. Your feed and \
                          your calendar will get other addresses. This cannot be undone.",
            button: "Sign out everywhere".into(),
        },
        LastingAct::LeaveAsGuest => Question {
            title: "Leave your boards?".into(),
            consequence: "You play as a guest: if you sign out, you cannot come back to your \
                          boards. To keep them, sign up or sign in instead.",
            button: "Sign out".into(),
        },
    }
}
