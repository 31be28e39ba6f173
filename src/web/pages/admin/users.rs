//! `/admin/users`: finds a user, shows what is stored about them without secrets, and mutes, suspends, bans or
//! erases them.

use super::{CodeQuestion, LONGEST_WHY, admin_page, note};
use crate::base::ids::UserId;
use crate::command::account::signin::UserOrAddress;
use crate::command::moderation::administer::AdministratorAct;
use crate::model::moderation::{Act, docket_key};
use crate::model::user::User;
use crate::model::user_index;
use crate::model::world::user_key;
use crate::refusal::{AccountRefusal, ModerationRefusal, Refusal};
use crate::server::repair::{self, RepairError};
use crate::web::html::confirmation::with_question;
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::html::fields::{Field, FormFields};
use crate::web::html::flash_messages::FlashMessage;
use crate::web::html::player_text::player_text;
use crate::web::html::refusals::Subject;
use crate::web::http::form::PostedForm;
use crate::web::http::request::WebRequest;
use crate::web::pages::moderation;
use crate::web::site::{Site, SiteWriter};
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use std::sync::Arc;

const USERS: &str = "/admin/users";

/// The page that finds users by userid or address.
pub(crate) async fn page(State(site): State<Arc<Site>>, request: WebRequest) -> PageResult {
    site.read(request, |mut reader| {
        reader.check_raised()?;
        let wanted = reader.request.query_value("find").unwrap_or_default().to_owned();
        let found: Vec<UserId> = match UserOrAddress::parse(&wanted) {
            _ if wanted.is_empty() => Vec::new(),
            Some(UserOrAddress::User(user)) => {
                reader.load(&[user_key(&user)])?;
                reader.world.any_user(&user).map(|user| user.id.clone()).into_iter().collect()
            }
            Some(UserOrAddress::At(address)) => {
                let entry = user_index::mailbox_entry(&address);
                reader.load(std::slice::from_ref(&entry))?;
                let keys: Vec<_> =
                    reader.world.indexed_users(&entry).iter().map(user_key).collect();
                reader.load(&keys)?;
                let users = reader.world.users_at(&address);
                users.into_iter().map(|user| user.id.clone()).collect()
            }
            None => return Err(Refusal::from(AccountRefusal::BadUserid).into()),
        };
        let body = html! {
            form.tall method="get" action=(USERS) role="search" {
                label { "Userid or address"
                    input type="text" name="find" value=(wanted) maxlength="254" required;
                }
                button type="submit" { "Find" }
            }
            @if !wanted.is_empty() && found.is_empty() {
                p role="status" { "There is no such user." }
            }
            @if !found.is_empty() {
                ul { @for user in &found { li { a href=(path(user)) { (user) } } } }
            }
        };
        Ok(admin_page(reader.close(), "Users", USERS, &body))
    })
    .await
}

fn path(user: &UserId) -> String {
    format!("{USERS}/{user}")
}

/// The page of a user.
pub(crate) async fn user(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    request: WebRequest,
) -> PageResult {
    let id = UserId::parse(&name).ok_or(PageError::NotFound)?;
    site.read(request, move |mut reader| {
        reader.check_raised()?;
        let details = match repair::show_user(&*reader.store, &id) {
            Ok(details) => details,
            Err(RepairError::Fault(fault)) => return Err(fault.into()),
            Err(refused) => refused.to_string(),
        };
        reader.load(&[user_key(&id)])?;
        let user = reader.world.any_user(&id).filter(|user| user.renamed.is_none()).cloned();
        let mut snapshot = reader.close();
        let hidden_fields = snapshot.hidden_fields();
        let here = path(&id);
        let body = html! {
            div.scroll role="region" aria-label="What is stored, without secrets" tabindex="0" {
                pre.raw dir="ltr" { (player_text(&details)) }
            }
            p { a href={ "/player/" (id) "/boards" } { "Boards" } }
            h2 { "Sanctions" }
            (moderation::form(&hidden_fields, &format!("{here}/sanction"), &here, Some(&id)))
            @if let Some(user) = &user {
                h2 { "Erase" }
                @if user.left.is_some_and(|left| left.erased) { (erased(&id)) }
                @else { (erase_form(&hidden_fields.form("erase"), &here, user)) }
            }
        };
        Ok(admin_page(snapshot, id.as_str(), USERS, &body))
    })
    .await
}

/// Says how to finish what the form cannot do: files that are no documents belong to the command line.
fn erased(id: &UserId) -> Markup {
    html! {
        p {
            (id) " has been erased. If addresses of theirs remain in waiting letters, parked mails or the log, \
             remove them on the server:"
        }
        p { code { "postboard user erase " (id) " <address>" } }
    }
}

fn erase_form(form: &FormFields, here: &str, user: &User) -> Markup {
    let why = Field::new("why", "Reason, for the log").length(0, LONGEST_WHY);
    let why = why.about(&[Subject::Field("why")]);
    html! {
        form.say method="post" action={ (here) "/erase" } {
            (form.hidden())
            (form.problem())
            (form.area(&why, 2))
            button type="submit" { "Remove and erase" }
        }
        p.quiet {
            "Their games in progress are resigned, their data is erased, and the userid stays taken. Waiting letters, \
             parked mails and the log keep their addresses until you run this on the server. You can also run it \
             instead. Copy it first: the addresses are erased, too."
        }
        p {
            code {
                "postboard user erase " (user.id)
                @for address in user.every_address() { " " (address) }
            }
        }
    }
}

/// Mutes, suspends, bans or frees a user, after it was confirmed.
pub(crate) async fn sanction(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    form: PostedForm,
) -> PageResult<Response> {
    let id = UserId::parse(&name).ok_or(PageError::NotFound)?;
    moderation::act(site, form, path(&id), true).await
}

/// Removes and erases a user, after a code was sent back.
pub(crate) async fn erase(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    form: PostedForm,
) -> PageResult<Response> {
    let id = UserId::parse(&name).ok_or(PageError::NotFound)?;
    let request = form.request.clone();
    let done = site.clone().write(request.clone(), move |writer| {
        let by = writer.raised_administrator()?;
        form.required("why")?;
        form.check_length("why", LONGEST_WHY)?;
        writer.check_is_no_administrator(&id)?;
        let question = CodeQuestion {
            title: format!("Remove and erase {id}?"),
            consequence: "Their games in progress are resigned and their data is erased. This cannot be \
                          undone. Letters, parked mails and the log keep their addresses until you run \
                          the command that the page of the user names.",
            button: "Remove and erase",
            back: path(&id),
        };
        let act = AdministratorAct { act: Act::Erase, about: id.to_string() };
        writer.repair(
            &by,
            |writer| note(writer, &form, act, &question),
            |server, store, now| repair::remove_user(server, store, &id, now),
        )?;
        Ok(Redirect::to(&FlashMessage::Moderated.on(&path(&id))).into_response())
    });
    with_question(site, request, done.await).await
}

impl SiteWriter<'_> {
    /// Checks that a user is no administrator: they cannot act on each other or on themselves.
    fn check_is_no_administrator(&self, id: &UserId) -> PageResult<()> {
        let world = self.load(&[docket_key()])?;
        if world.docket().map_err(Refusal::from)?.is_administrator(id) {
            let refusal = ModerationRefusal::IsAdministrator(id.clone());
            return Err(Refusal::from(refusal).into());
        }
        Ok(())
    }
}
