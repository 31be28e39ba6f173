//! `/moderation`: the open reports, sanctions and bans, and the log of acts, for administrators. Nobody
//! else learns that these pages exist.

use super::board;
use super::sign_in::return_path;
use crate::base::ids::UserId;
use crate::base::time::Day;
use crate::command::moderation::act::{ActCommand, ActSubject, LONGEST_REASON};
use crate::mail::shorten;
use crate::model::moderation::{Act, AuditEntry, PAGE, Quotation, Report, audit_key, report_key};
use crate::model::world::user_key;
use crate::refusal::{ModerationRefusal, Refusal, sanctioned};
use crate::server::requests::Request;
use crate::web::html::blocks::capitalized;
use crate::web::html::confirmation::with_question;
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::html::fields::Field;
use crate::web::html::flash_messages::FlashMessage;
use crate::web::html::lists;
use crate::web::html::player_text::player_text;
use crate::web::html::refusals::Subject;
use crate::web::http::form::{HiddenFields, PostedForm};
use crate::web::http::request::WebRequest;
use crate::web::lists::page_number;
use crate::web::site::Site;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use std::sync::Arc;

/// The address of the first page.
const HERE: &str = "/moderation";

/// The most reports on the page, the oldest.
const MAX_REPORTS: usize = 100;

/// The acts of administrators, with their labels.
const ACTS: [(Act, &str); 4] =
    [(Act::Mute, "Mute"), (Act::Suspend, "Suspend"), (Act::Ban, "Ban"), (Act::Lift, "Lift")];

/// The page with the open reports.
pub(crate) async fn page(State(site): State<Arc<Site>>, request: WebRequest) -> PageResult {
    site.read(request, |mut reader| {
        reader.check_administrator()?;
        let open = reader.world.docket().map_err(Refusal::from)?.open.clone();
        let shown: Vec<u32> = open.iter().copied().take(MAX_REPORTS).collect();
        let keys: Vec<_> = shown.iter().map(|number| report_key(*number)).collect();
        reader.load(&keys)?;
        let mut snapshot = reader.close();
        let hidden_fields = snapshot.hidden_fields();
        let reports = shown.iter().filter_map(|number| snapshot.world.loaded_report(*number));
        let body = html! {
            h1 { "Reports and sanctions" }
            p { a.key href="/moderation/log" { "The log" } }
            h2 { "Open reports" }
            @if open.is_empty() { p { "There are none." } }
            @else { (table(reports)) }
            @if open.len() > MAX_REPORTS { p.quiet { (open.len() - MAX_REPORTS) " more are shown when these are settled." } }
            h2 { "Sanctions" }
            (form(&hidden_fields, HERE, HERE, None))
        };
        Ok(snapshot.page("Reports and sanctions", &body))
    })
    .await
}

fn table<'a>(reports: impl Iterator<Item = &'a Report>) -> Markup {
    let head = html! {
        th scope="col" { "Report" } th scope="col" { "Player" } th scope="col" { "Reason" }
        th.extra scope="col" { "By" } th.extra scope="col" { "When" }
    };
    let rows = html! {
        @for report in reports {
            tr {
                th scope="row" { a href={ "/moderation/report/" (report.number) } { (report.number) } }
                td { (lists::player(&report.about)) }
                td.words { (shorten(&report.why, 36)) }
                td.extra { (lists::player(&report.by)) }
                td.extra.whole { (report.at.minute()) " UTC" }
            }
        }
    };
    lists::table("Open reports", &head, &rows)
}

/// Renders the form for sanctions that is sent to `action`, about a player if one is given.
pub(super) fn form(
    hidden_fields: &HiddenFields,
    action: &str,
    back: &str,
    about: Option<&UserId>,
) -> Markup {
    let form = hidden_fields.form("act");
    let about = about.map(UserId::as_str);
    let subject = Field::new("subject", "Player, address, @domain or network");
    let subject = subject.value(about).length(0, 254).about(&[Subject::Field("subject")]);
    let until = Field::new("until", "Last day (needed to suspend)").kind("date").optional();
    let until = until.about(&[Subject::Field("until")]);
    let why = Field::new("why", "Reason, which a player is told").length(0, LONGEST_REASON / 3);
    let why = why.about(&[Subject::Field("why")]);
    html! {
        form.say method="post" action=(action) {
            (form.hidden())
            input type="hidden" name="back" value=(back);
            (form.problem())
            label { "What to do"
                select name="act" {
                    @for (act, label) in ACTS {
                        option value=(act) selected[form.typed("act", 0) == Some(&act.to_string())] { (label) }
                    }
                }
            }
            (form.text(&subject))
            (form.text(&until))
            (form.area(&why, 2))
            button type="submit" { "Go on" }
        }
        p.quiet {
            "Muted: nothing that they write is passed on. Suspended: they play their boards to the end, \
             begin no others, and write to nobody. Banned: they give up all their boards and cannot come back."
        }
    }
}

/// The page of a report.
pub(crate) async fn report(
    State(site): State<Arc<Site>>,
    Path(number): Path<u32>,
    request: WebRequest,
) -> PageResult {
    site.read(request, move |mut reader| {
        reader.check_administrator()?;
        reader.load(&[report_key(number)])?;
        let about = reader.world.loaded_report(number).map(|report| user_key(&report.about));
        reader.load(&[about.ok_or(PageError::NotFound)?])?;
        let now = reader.now;
        let mut snapshot = reader.close();
        let hidden_fields = snapshot.hidden_fields();
        let report = snapshot.world.loaded_report(number).ok_or(PageError::NotFound)?;
        let sanction =
            snapshot.world.any_user(&report.about).and_then(|user| user.sanction.as_ref());
        let sanction = sanction.filter(|sanction| sanction.is_in_force(now));
        let here = format!("/moderation/report/{number}");
        let title = format!("Report {number}");
        let body = html! {
            nav.trail aria-label="Where you are" { a href=(HERE) { "Reports and sanctions" } }
            h1 { (title) }
            p {
                (lists::player(&report.by)) " about " (lists::player(&report.about))
                @if let Some(id) = report.board {
                    " on " a href=(board::path(id)) { (id.to_string()) }
                }
                ", " (report.at.minute()) " UTC"
            }
            @if let Some(sanction) = sanction {
                p { (report.about) " is " strong { (sanctioned(sanction.kind)) }
                    @if let Some(until) = sanction.until { " until " (until.minute()) " UTC" }
                    ": " (sanction.why) }
            }
            @if report.is_emptied {
                p.quiet { "The words of this report were removed, because it was settled long ago." }
            } @else {
                blockquote.words dir="auto" { (player_text(&report.why)) }
            }
            (quotations(&report.quoted))
            @if let Some(settled) = &report.settled {
                h2 { "Settled" }
                p.quiet { (settled.by) ", " (settled.at.minute()) " UTC" }
                @if !report.is_emptied {
                    blockquote.words dir="auto" { (player_text(&settled.note)) }
                }
            } @else {
                h2 { "What to do" }
                (form(&hidden_fields, HERE, &here, Some(&report.about)))
                h2 { "Settle it" }
                (settle_form(&hidden_fields, number))
            }
        };
        Ok(snapshot.page(&title, &body))
    })
    .await
}

fn quotations(quoted: &[Quotation]) -> Markup {
    html! {
        @if !quoted.is_empty() {
            h2 { "Messages on the board" }
            @for quotation in quoted {
                p.quiet { (quotation.by) ", " (quotation.at.minute()) " UTC"
                    @if quotation.is_reported { " " strong { "reported" } } }
                blockquote.words dir="auto" { (player_text(&quotation.words)) }
            }
        }
    }
}

fn settle_form(hidden_fields: &HiddenFields, number: u32) -> Markup {
    let form = hidden_fields.form("settle");
    let note = Field::new("why", "Note for the log").length(0, LONGEST_REASON / 3);
    let note = note.about(&[Subject::Field("why")]);
    html! {
        form.say method="post" action=(HERE) {
            (form.hidden())
            input type="hidden" name="back" value=(HERE);
            input type="hidden" name="act" value=(Act::Settle);
            input type="hidden" name="report" value=(number);
            (form.problem())
            (form.area(&note, 2))
            button type="submit" { "Settle" }
        }
    }
}

/// The page of the log, a page of entries at a time, the latest first.
pub(crate) async fn log(State(site): State<Arc<Site>>, request: WebRequest) -> PageResult {
    let page = page_number(&request)?;
    site.read(request, move |mut reader| {
        reader.check_administrator()?;
        let entries = reader.world.docket().map_err(Refusal::from)?.entries;
        let pages = entries.div_ceil(PAGE).max(1);
        let last = pages - 1;
        let shown = last.checked_sub(u32::try_from(page - 1).unwrap_or(u32::MAX));
        let shown = shown.ok_or(PageError::NotFound)?;
        reader.load(&[audit_key(shown)])?;
        let snapshot = reader.close();
        let entries = snapshot.world.audit_page(shown).map_err(Refusal::from)?;
        let address = lists::ListAddress::new("/moderation/log".into());
        let body = html! {
            nav.trail aria-label="Where you are" { a href=(HERE) { "Reports and sanctions" } }
            h1 { "The log" }
            @if entries.is_empty() { p { "It is empty." } } @else { (log_entries(entries)) }
            (lists::pages(&address, page, usize::try_from(pages).unwrap_or(usize::MAX)))
        };
        Ok(snapshot.page("The log", &body))
    })
    .await
}

/// Renders entries, the latest first. A table would be too wide: every reason is shown whole.
fn log_entries(entries: &[AuditEntry]) -> Markup {
    html! {
        ol.acts reversed start=[entries.last().map(|entry| entry.number)] {
            @for AuditEntry { record, .. } in entries.iter().rev() {
                li {
                    strong { (capitalized(&record.act.to_string())) " " (record.about) }
                    @if let Some(until) = record.until { " until " (until.minute()) " UTC" }
                    p.quiet { (record.by) ", " (record.at.minute()) " UTC" }
                    blockquote.words dir="auto" { (player_text(&record.why)) }
                }
            }
        }
    }
}

fn read_act(form: &PostedForm) -> PageResult<ActCommand> {
    let name = form.required("act")?;
    let known = ACTS.iter().map(|(act, _)| *act).chain([Act::Settle]);
    let act = known.into_iter().find(|act| act.to_string() == name).ok_or(PageError::NotFound)?;
    let subject = if act == Act::Settle {
        let number = form.required("report")?.parse().map_err(|_| PageError::NotFound)?;
        ActSubject::Report(number)
    } else {
        let word = form.required("subject")?;
        ActSubject::parse(word).ok_or_else(|| Refusal::from(ModerationRefusal::BadSubject))?
    };
    let no_day = || {
        let why = "this is not a date. Write it like 2026-12-20";
        PageError::WrongAnswer("until", why.into())
    };
    let until = form.field("until").map(|day| Day::parse(day).ok_or_else(no_day)).transpose()?;
    let why = form.required("why")?.to_owned();
    Ok(ActCommand { act, subject, until, why, operator: String::new() })
}

/// Carries out an act, after it was confirmed.
pub(crate) async fn post(State(site): State<Arc<Site>>, form: PostedForm) -> PageResult<Response> {
    let back = return_path(form.field("back"), HERE);
    act(site, form, back, false).await
}

/// Carries out an act, after it was confirmed, and leads back to a page. `is_raised` demands a raised session.
pub(super) async fn act(
    site: Arc<Site>,
    form: PostedForm,
    back: String,
    is_raised: bool,
) -> PageResult<Response> {
    let request = form.request.clone();
    let to = back.clone();
    let done = site.clone().write(request.clone(), move |writer| {
        writer.signed_in_user()?;
        if is_raised {
            writer.raised_administrator()?
        } else {
            writer.administrator()?
        };
        form.check_length("why", LONGEST_REASON / 3)?;
        let command = read_act(&form)?;
        let request = Request::from_command(Box::new(command), writer.trust(), String::new());
        form.check_confirmed(&request, &back)?;
        writer.execute_request(&request, form.mail_key())
    });
    let path = FlashMessage::Moderated.on(&to);
    let done = done.await.map(|_| Redirect::to(&path).into_response());
    with_question(site, request, done).await
}
