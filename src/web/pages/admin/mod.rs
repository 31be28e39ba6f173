//! `/admin`: the server's state, what is stuck, users, boards and settings, for administrators in a raised
//! session. What they do is done by the functions of the operator's command line, and is written into the
//! log of acts. For others the pages do not exist.

pub(crate) mod boards;
pub(crate) mod enter;
pub(crate) mod queues;
pub(crate) mod settings;
pub(crate) mod status;
pub(crate) mod users;

use crate::command::moderation::administer::{
    AdministerCommand, AdministratorAct, RequestCodeCommand,
};
use crate::server::VisitOutcome;
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::html::lists::{self, Tab};
use crate::web::html::page::WebPage;
use crate::web::http::form::PostedForm;
use crate::web::site::{SiteWriter, Snapshot};
use maud::{Markup, html};

/// The first page.
pub(super) const HERE: &str = "/admin";

/// The pages with their labels.
const PAGES: [(&str, &str); 8] = [
    (HERE, "Status"),
    ("/admin/queues", "Queues"),
    ("/admin/parked", "Parked mails"),
    ("/admin/users", "Users"),
    ("/admin/boards", "Boards"),
    ("/admin/settings", "Settings"),
    ("/moderation", "Reports"),
    ("/moderation/log", "Log of acts"),
];

/// The longest reason, in UTF-16 units.
const LONGEST_WHY: usize = 300;

/// Builds an administrators' page. `tab` is the page whose tab is marked.
fn admin_page(mut snapshot: Snapshot, title: &str, tab: &str, body: &Markup) -> WebPage {
    let tabs = PAGES.map(|(path, label)| Tab {
        text: label.to_owned(),
        href: path.to_owned(),
        is_current: path == tab,
    });
    let leave = snapshot.hidden_fields().fields("leave");
    let body = html! {
        (lists::tabs("Administration", &tabs))
        h1 { (title) }
        (body)
        form.say method="post" action="/admin/leave" {
            (leave)
            button.plain type="submit" { "Leave the administrators' pages" }
        }
    };
    snapshot.page(title, &body)
}

/// Writes an act of a form into the log of acts. Returns false if the form was accepted before.
///
/// # Errors
/// The act needs a code that the form does not have: it is mailed, and the error asks for it. Or the code
/// is wrong.
fn note(
    writer: &mut SiteWriter,
    form: &PostedForm,
    act: AdministratorAct,
    question: &CodeQuestion,
) -> PageResult<bool> {
    let user = writer.raised_administrator()?;
    let trust = writer.trust();
    let code = form.field(CODE).unwrap_or_default().to_owned();
    if act.needs_code() && code.is_empty() {
        writer.execute(Box::new(RequestCodeCommand { user, act }), trust, None)?;
        return Err(PageError::NotConfirmed(form.code_question(question)));
    }
    let why = form.field("why").unwrap_or_default().to_owned();
    let command = AdministerCommand { user, act, why, code, raised: None };
    let visit = writer.execute(Box::new(command), trust, form.mail_key())?;
    Ok(visit.outcome == VisitOutcome::Done)
}

/// The field with a mailed code.
pub(crate) const CODE: &str = "code";

/// The question for the code of an act.
pub(crate) struct CodeQuestion {
    /// The act, as a question.
    pub(crate) title: String,
    /// What follows from it.
    pub(crate) consequence: &'static str,
    /// The label of the button.
    pub(crate) button: &'static str,
    /// The page to return to.
    pub(crate) back: String,
}
