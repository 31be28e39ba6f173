//! `/admin/enter`: an administrator confirms by a mailed code who they are. Their session is raised in this
//! browser alone: a second cookie has a secret, and the user's document has a digest of both cookies.

use super::{CODE, HERE};
use crate::command::moderation::administer::{
    AdministerCommand, AdministratorAct, LeaveAdministrationCommand, RequestCodeCommand,
};
use crate::config::Deliver;
use crate::model::moderation::Act;
use crate::model::user::{RAISED_TIME, RaisedSession};
use crate::web::html::error_page::PageResult;
use crate::web::html::fields::Field;
use crate::web::html::flash_messages::FlashMessage;
use crate::web::html::refusals::Subject;
use crate::web::http::form::PostedForm;
use crate::web::http::request::WebRequest;
use crate::web::pages::sign_in::return_path;
use crate::web::site::{Site, Snapshot};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use std::sync::Arc;

const TITLE: &str = "Administrators' pages";

/// The address of the page.
const ENTER: &str = "/admin/enter";

/// The page with the forms for the code. The link of a mail fills it in.
pub(crate) async fn page(State(site): State<Arc<Site>>, request: WebRequest) -> PageResult {
    site.read(request, |mut reader| {
        reader.check_administrator()?;
        let mut snapshot = reader.close();
        let hidden_fields = snapshot.hidden_fields();
        let back = snapshot.request.query_value("back").unwrap_or(HERE).to_owned();
        let mailed = snapshot.request.query_value(CODE).map(str::to_owned);
        if let Some(instead) = instead_of_a_code(&snapshot) {
            let body = html! { h1 { (TITLE) } (instead) };
            return Ok(snapshot.page(TITLE, &body));
        }
        let (ask, enter) = (hidden_fields.form("ask"), hidden_fields.form("enter"));
        let code = Field::new(CODE, "Code from the mail").autocomplete("one-time-code");
        let code = code.length(0, 100).value(mailed.as_deref()).about(&[Subject::Code]);
        let body = html! {
            h1 { (TITLE) }
            p {
                "Confirm that it is you: we mail a code to your registered address. Then the pages are open \
                 in this browser for " (RAISED_TIME.minutes()) " minutes."
            }
            form.tall method="post" action="/admin/code" {
                (ask.hidden())
                input type="hidden" name="back" value=(back);
                (ask.problem())
                button type="submit" { "Mail me a code" }
            }
            form.tall method="post" action=(ENTER) {
                (enter.hidden())
                input type="hidden" name="back" value=(back);
                @let code = enter.text(&code);
                (enter.problem()) (code)
                button type="submit" { "Enter" }
            }
        };
        Ok(snapshot.page(TITLE, &body))
    })
    .await
}

/// Renders what administrators do if no code can be mailed to them.
fn instead_of_a_code(snapshot: &Snapshot) -> Option<Markup> {
    if snapshot.site.parts.setup.config.deliver == Deliver::Nothing {
        return Some(html! {
            p { "A code from a mail opens these pages, and this server sends no mails. Use the command line on \
                 the server, which does the same:" }
            ul {
                li { code { "postboard status" } " and " code { "postboard doctor" } " say how the server does," }
                li { code { "postboard mail" } " shows what was put aside," }
                li { code { "postboard user" } ", " code { "postboard board" } " and " code { "postboard moderate" }
                    " show and change users, boards and sanctions." }
            }
            p { code { "postboard --help" } " lists all commands. To let the server send mails, set "
                code { "by" } " under " code { "[deliver]" } " in " code { "postboard.toml" } "." }
        });
    }
    let user = snapshot.viewer.as_ref().and_then(|viewer| snapshot.world.user(viewer));
    user.is_some_and(|user| user.addresses.is_empty()).then(|| {
        html! {
            p { "A code from a mail opens these pages, and you have no mail address here. Add one in your "
                a href="/settings" { "settings" } "." }
        }
    })
}

/// Mails an administrator a code that raises their session.
pub(crate) async fn mail_code(
    State(site): State<Arc<Site>>,
    form: PostedForm,
) -> PageResult<Response> {
    let back = return_path(form.field("back"), HERE);
    site.write(form.request.clone(), move |writer| {
        let user = writer.administrator()?;
        let act = AdministratorAct { act: Act::Enter, about: user.to_string() };
        let (command, trust) = (RequestCodeCommand { user, act }, writer.trust());
        writer.execute(Box::new(command), trust, form.mail_key())?;
        let back: String = form_urlencoded::byte_serialize(back.as_bytes()).collect();
        Ok(Redirect::to(&FlashMessage::AdministratorCode.on(&format!("{ENTER}?back={back}")))
            .into_response())
    })
    .await
}

/// Raises the session with the mailed code.
pub(crate) async fn post(State(site): State<Arc<Site>>, form: PostedForm) -> PageResult<Response> {
    let back = return_path(form.field("back"), HERE);
    let code = form.required(CODE)?.to_owned();
    let secret = site.nonce();
    site.write(form.request.clone(), move |writer| {
        let user = writer.administrator()?;
        let act = AdministratorAct { act: Act::Enter, about: user.to_string() };
        let cookie = form.request.cookie.as_deref().unwrap_or_default();
        let raised = Some(RaisedSession::new(cookie, &secret, writer.now));
        let command = AdministerCommand { user, act, why: String::new(), code, raised };
        // No one-time key: a code is used once.
        writer.execute(Box::new(command), writer.trust(), None)?;
        let mut response = Redirect::to(&back).into_response();
        let cookie = writer.site.set_raised_cookie(&secret);
        response.headers_mut().insert(header::SET_COOKIE, cookie);
        Ok(response)
    })
    .await
}

/// Ends the raised session. Copies of its cookie become invalid, too.
pub(crate) async fn leave(State(site): State<Arc<Site>>, form: PostedForm) -> PageResult<Response> {
    site.write(form.request.clone(), move |writer| {
        let user = writer.administrator()?;
        writer.execute(Box::new(LeaveAdministrationCommand(user)), writer.trust(), None)?;
        let mut response = Redirect::to("/settings").into_response();
        let cookie = writer.site.set_raised_cookie("");
        response.headers_mut().insert(header::SET_COOKIE, cookie);
        Ok(response)
    })
    .await
}
