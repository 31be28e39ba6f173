//! `/admin/queues` and `/admin/parked`: the mails and letters that wait, and the mails that were put aside,
//! which are read as text, retried or deleted.

use super::{CodeQuestion, admin_page, note};
use crate::base::time::Time;
use crate::command::moderation::administer::AdministratorAct;
use crate::mail::{redact_secrets, shorten};
use crate::model::moderation::Act;
use crate::server::stuck::StuckMails;
use crate::store::outbox::UnsentLetter;
use crate::store::spool::arrival_time;
use crate::store::{ParkedMail, Remedy, RemedyResult};
use crate::web::html::confirmation::with_question;
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::html::flash_messages::FlashMessage;
use crate::web::html::lists::{self, ListAddress};
use crate::web::html::player_text::player_text;
use crate::web::http::form::{HiddenFields, PostedForm};
use crate::web::http::request::WebRequest;
use crate::web::lists::{PAGE_SIZE, page_count, page_number};
use crate::web::site::Site;
use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use maud::{Markup, html};
use std::sync::Arc;

const QUEUES: &str = "/admin/queues";
const PARKED: &str = "/admin/parked";

/// How much of a parked mail is shown, in bytes.
const SHOWN: usize = 64 * 1024;

/// The page with the letters that wait or were given up, and how many mails wait.
pub(crate) async fn page(State(site): State<Arc<Site>>, request: WebRequest) -> PageResult {
    let page = page_number(&request)?;
    site.read(request, move |mut reader| {
        reader.check_raised()?;
        let mut snapshot = reader.close();
        let hidden_fields = snapshot.hidden_fields();
        let home = &*snapshot.site.parts.home;
        let mails = home.waiting_mails()?;
        let oldest = mails.iter().filter_map(|name| arrival_time(name)).min();
        let letters = home.unsent_letters()?;
        let pages = page_count(letters.len());
        let rows = letters.iter().skip((page - 1) * PAGE_SIZE).take(PAGE_SIZE);
        let parked = home.parked_mails()?.len();
        let body = html! {
            h2 { "Mails to be executed" }
            p {
                (mails.len()) " waiting" (since(oldest)) "; "
                a href=(PARKED) { (parked) " put aside" } "."
            }
            h2 { "Letters to be sent" }
            p { (letters.len()) " waiting or given up" (since(letters.iter().map(|it| it.written_at).min())) "." }
            @if !letters.is_empty() { (letter_table(rows, &hidden_fields)) }
            (lists::pages(&ListAddress::new(QUEUES.into()), page, pages))
        };
        Ok(admin_page(snapshot, "Queues", QUEUES, &body))
    })
    .await
}

fn since(oldest: Option<Time>) -> String {
    oldest.map_or_else(String::new, |at| format!(", the oldest since {} UTC", at.minute()))
}

/// Renders letters without their contents, which have codes and reply addresses.
fn letter_table<'a>(
    letters: impl Iterator<Item = &'a UnsentLetter>,
    hidden_fields: &HiddenFields,
) -> Markup {
    let head = html! {
        th scope="col" { "To" } th scope="col" { "State" } th.extra scope="col" { "Written" }
        th scope="col" { "What to do" }
    };
    let rows = html! {
        @for UnsentLetter { letter, written_at, tries, not_before, is_given_up } in letters {
            tr {
                th.words scope="row" { (letter.to) }
                td.words {
                    @if *is_given_up { strong { "given up" } }
                    @else if *tries > 0 {
                        "tried " (tries) ", next at " (not_before.minute()) " UTC"
                    } @else { "waiting" }
                }
                td.extra.whole { (written_at.minute()) " UTC" }
                td {
                    @if *is_given_up || *tries > 0 {
                        (remedies(&letter.name, hidden_fields, QUEUES))
                    }
                }
            }
        }
    };
    lists::table("Letters", &head, &rows)
}

/// Renders the forms that retry or delete a mail or letter.
fn remedies(name: &str, hidden_fields: &HiddenFields, back: &str) -> Markup {
    let fields = |act: Act| {
        html! {
            (hidden_fields.fields(&format!("{act} {name}")))
            input type="hidden" name="name" value=(name);
            input type="hidden" name="act" value=(act);
            input type="hidden" name="back" value=(back);
        }
    };
    html! {
        form.say method="post" action="/admin/stuck" {
            (fields(Act::Retry))
            button type="submit" { "Try it again" }
        }
        form.say method="post" action="/admin/stuck" {
            (fields(Act::Drop))
            button type="submit" { "Delete" }
        }
    }
}

/// The page with the mails that were put aside, the latest first.
pub(crate) async fn parked(State(site): State<Arc<Site>>, request: WebRequest) -> PageResult {
    let page = page_number(&request)?;
    site.read(request, move |mut reader| {
        reader.check_raised()?;
        let snapshot = reader.close();
        let mails = snapshot.site.parts.home.parked_mails()?;
        let pages = page_count(mails.len());
        let rows = mails.iter().rev().skip((page - 1) * PAGE_SIZE).take(PAGE_SIZE);
        let head = html! {
            th scope="col" { "Mail" } th scope="col" { "Why" } th.extra scope="col" { "Came" }
            th.number.extra scope="col" { "Bytes" }
        };
        let rows = html! {
            @for ParkedMail { name, at, bytes, why } in rows {
                tr {
                    th scope="row" { a href=(mail_path(name)) { (name) } }
                    td.words { (player_text(&shorten(why, 120))) }
                    td.extra.whole { @if let Some(at) = at { (at.minute()) " UTC" } }
                    td.number.extra { (bytes) }
                }
            }
        };
        let body = html! {
            @if mails.is_empty() { p { "No mail was put aside." } }
            @else { (lists::table("Parked mails", &head, &rows)) }
            (lists::pages(&ListAddress::new(PARKED.into()), page, pages))
        };
        Ok(admin_page(snapshot, "Parked mails", PARKED, &body))
    })
    .await
}

fn mail_path(name: &str) -> String {
    let mut path = format!("{PARKED}/");
    crate::base::escape::link(&mut path, name);
    path
}

/// The page of a parked mail, as text.
pub(crate) async fn mail(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    request: WebRequest,
) -> PageResult {
    site.read(request, move |mut reader| {
        reader.check_raised()?;
        let mut snapshot = reader.close();
        let hidden_fields = snapshot.hidden_fields();
        let home = &*snapshot.site.parts.home;
        // The name is looked up in the list, so that no address can name another file.
        let mut listed = home.parked_mails()?.into_iter();
        let parked = listed.find(|mail| mail.name == name).ok_or(PageError::NotFound)?;
        let bytes = home.parked_mail(&parked.name)?.ok_or(PageError::NotFound)?;
        let body = html! {
            p { "Put aside: " (player_text(&parked.why)) }
            p.quiet {
                (parked.bytes) " bytes"
                @if let Some(at) = parked.at { ", came " (at.minute()) " UTC" }
                @if bytes.len() > SHOWN { "; the first " (SHOWN / 1024) " KB are shown" }
            }
            div.scroll role="region" aria-label="The mail as text" tabindex="0" {
                pre.raw dir="ltr" { (shown_text(&bytes)) }
            }
            (remedies(&parked.name, &hidden_fields, PARKED))
        };
        Ok(admin_page(snapshot, &format!("Mail {}", parked.name), PARKED, &body))
    })
    .await
}

/// Returns the beginning of a mail as text. Characters that a browser would obey are replaced, and so are
/// reply addresses and codes, with which anybody could act for their owner.
fn shown_text(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes.get(..SHOWN).unwrap_or(bytes)).replace("\r\n", "\n");
    let text = redact_secrets(&text);
    let is_plain = |c: char| c == '\n' || c == '\t' || !c.is_control();
    let text: String = text.chars().map(|c| if is_plain(c) { c } else { '\u{fffd}' }).collect();
    player_text(&text).into_owned()
}

/// Retries a parked mail or a letter, or deletes it after a code was sent back.
pub(crate) async fn post(State(site): State<Arc<Site>>, form: PostedForm) -> PageResult<Response> {
    let back = if form.field("back") == Some(QUEUES) { QUEUES } else { PARKED };
    let request = form.request.clone();
    let done = site.clone().write(request.clone(), move |writer| {
        let user = writer.raised_administrator()?;
        let (remedy, act) = match form.required("act")? {
            "retry" => (Remedy::Retry, Act::Retry),
            "drop" => (Remedy::Drop, Act::Drop),
            _ => return Err(PageError::NotFound),
        };
        let name = form.required("name")?;
        let stuck = StuckMails::of_home(&*writer.site.parts.home)?;
        let gone = || PageError::ActRefused("it is gone already".into());
        let row = stuck.rows().find(|row| row.name() == name).ok_or_else(gone)?;
        let about = row.name_without_address();
        let question = CodeQuestion {
            title: format!("Delete {about}?"),
            consequence: "This cannot be undone.",
            button: "Delete",
            back: back.into(),
        };
        let noted = AdministratorAct { act, about };
        if !note(writer, &form, noted, &question)? {
            return Ok(Redirect::to(&FlashMessage::Before.on(back)).into_response());
        }
        match writer.apply_remedy(row, remedy, &user)? {
            RemedyResult::Done => {
                Ok(Redirect::to(&FlashMessage::Moderated.on(back)).into_response())
            }
            RemedyResult::Gone => Err(gone()),
            RemedyResult::Busy => {
                let why = "letters are being sent, so it is left as it is: try it again";
                Err(PageError::ActRefused(why.into()))
            }
        }
    });
    with_question(site, request, done.await).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hostile_mail_is_shown_as_text() {
        let mail = b"Subject: \x1b[31m\xff\xe2\x80\xae<script>\r\n\r\ntext\x00";
        assert_eq!(shown_text(mail), "Subject: \u{fffd}[31m\u{fffd}<script>\n\ntext\u{fffd}");
        assert_eq!(shown_text(&vec![b'a'; 2 * SHOWN]).len(), SHOWN);
    }
}
