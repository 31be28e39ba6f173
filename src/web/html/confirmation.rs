//! Asks once before an act that cannot be undone: a page, which the script shows as a dialog.

use crate::base::ids::BoardId;
use crate::command::LastingAct;
use crate::server::requests::Request;
use crate::web::html::error_page::PageError;
use crate::web::html::page::WebPage;
use crate::web::http::form::PostedForm;
use crate::web::http::request::WebRequest;
use crate::web::site::Site;
use maud::{Markup, html};
use std::sync::Arc;

/// The field of a form whose sender has been asked.
const SURE: &str = "sure";

impl PostedForm {
    /// Checks that the sender of an act that cannot be undone has been asked.
    pub(in crate::web) fn checked(&self, request: &Request, back: &str) -> Result<(), PageError> {
        let act = request.command.as_ref().ok().and_then(|command| command.lasting_act());
        match act {
            Some(act) if self.field(SURE).is_none() => {
                Err(PageError::Unsure(self.question(&act, back)))
            }
            _ => Ok(()),
        }
    }

    /// The question, with the form that is sent again and the way back.
    fn question(&self, act: &LastingAct, back: &str) -> Question {
        let (title, consequence, button) = worded(act);
        let body = html! {
            section.ask data-ask aria-labelledby="ask" {
                h1 id="ask" { (title) }
                p { (consequence) }
                form.say method="post" action=(self.ask.path) {
                    @for (name, value) in self.every() {
                        input type="hidden" name=(name) value=(value);
                    }
                    input type="hidden" name=(SURE) value="yes";
                    button type="submit" { (button) }
                }
                p { a href=(back) autofocus data-cancel { "Cancel" } }
            }
        };
        Question { title, body }
    }
}

/// A page that asks whether an act is meant.
#[derive(Debug)]
pub(in crate::web) struct Question {
    pub(in crate::web) title: String,
    pub(in crate::web) body: Markup,
}

impl Question {
    /// The page, for the visitor who sent the form.
    pub(in crate::web) async fn page(
        self,
        site: Arc<Site>,
        ask: WebRequest,
    ) -> Result<WebPage, PageError> {
        site.read(ask, move |reader| Ok(reader.leave().page(&self.title, &self.body))).await
    }
}

/// The question about an act, what follows from it, and the button that does it.
fn worded(act: &LastingAct) -> (String, String, String) {
    let name = |id: &BoardId| {
        let game = games::find(id.game).map_or(id.game, |game| game.spec().title);
        format!("{game} {}", id.number)
    };
    match act {
        LastingAct::Resign { board, stake: None } => (
            format!("Resign {}?", name(board)),
            "The board is over then, and you lose it. That cannot be undone.".into(),
            "Resign".into(),
        ),
        LastingAct::Resign { board, stake: Some(stake) } => (
            format!("Resign {} ({stake})?", name(board)),
            "You lose once your opponent accepts, or at once if you have not moved yet. You cannot \
             take it back."
                .into(),
            format!("Resign ({stake})"),
        ),
        LastingAct::NewToken(board) => (
            format!("Get a new reply address for {}?", name(board)),
            "Replies to your older mails about that board are refused from then on, and you are \
             signed out in every browser. That cannot be undone."
                .into(),
            "Get a new reply address".into(),
        ),
        LastingAct::RevokeKey(name) => (
            format!("Revoke the key {name}?"),
            "Programs that show it are refused from then on. That cannot be undone.".into(),
            "Revoke the key".into(),
        ),
        LastingAct::SignOut => (
            "Sign out everywhere?".into(),
            "You are signed out in every browser, this one too, and your feed gets another \
             address. That cannot be undone."
                .into(),
            "Sign out everywhere".into(),
        ),
    }
}
