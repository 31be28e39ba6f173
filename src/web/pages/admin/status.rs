//! `/admin`: what `status` and `doctor` say, the tasks that fail, and what this process has done.

use super::{HERE, admin_page};
use crate::base::meters;
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::html::lists;
use crate::web::http::request::WebRequest;
use crate::web::site::{Finding, Site};
use axum::extract::State;
use maud::{Markup, html};
use std::sync::Arc;

/// The page with the lines of `status` and the meters.
pub(crate) async fn page(State(site): State<Arc<Site>>, request: WebRequest) -> PageResult {
    site.read(request, |mut reader| {
        reader.check_raised()?;
        let snapshot = reader.close();
        let parts = &snapshot.site.parts;
        let failing = (parts.unready)();
        let status = parts.reports.as_ref().map(|reports| reports.status()).transpose()?;
        let body = html! {
            @if failing.is_empty() { p { "No task of this process fails." } }
            @else { p.problem { "These tasks fail: " (failing.join(", ")) "." } }
            @if let Some(lines) = status { (status_table(&lines)) }
            p { a.button href="/admin/doctor" { "Examine the server" } }
            (meter_table())
        };
        Ok(admin_page(snapshot, "Status", HERE, &body))
    })
    .await
}

fn status_table(lines: &[(&'static str, String)]) -> Markup {
    let head = html! { th scope="col" { "What" } th scope="col" { "State" } };
    let rows = html! {
        @for (title, text) in lines {
            tr {
                // A line without a title continues the one above.
                @if title.is_empty() { td {} } @else { th scope="row" { (title) } }
                td.words { (text) }
            }
        }
    };
    lists::table("Status", &head, &rows)
}

/// Renders the counts of this process.
fn meter_table() -> Markup {
    let head = html! {
        th scope="col" { "Since this process began" }
        th.number scope="col" { "Count" }
        th.number scope="col" { "Mean" }
    };
    let rows = html! {
        @for reading in meters::readings() {
            tr {
                th scope="row" {
                    (reading.what)
                    @if !reading.labels.is_empty() { ": " (reading.labels) }
                }
                td.number { (reading.count) }
                td.number { @if let Some(mean) = reading.mean { (mean.as_millis()) " ms" } }
            }
        }
    };
    lists::table("Metrics", &head, &rows)
}

/// The page with the findings of `doctor`. It looks at the machine, the mail server and the DNS, so one runs at
/// a time.
pub(crate) async fn examination(State(site): State<Arc<Site>>, request: WebRequest) -> PageResult {
    Arc::clone(&site).read(request.clone(), |mut reader| reader.check_raised()).await?;
    let permit = site.examination_queue.acquire(None).await?;
    site.read(request, move |mut reader| {
        let _permit = permit;
        reader.check_raised()?;
        let snapshot = reader.close();
        let reports = snapshot.site.parts.reports.as_ref().ok_or(PageError::NotFound)?;
        let findings = reports.examine();
        let head = html! {
            th scope="col" { "What" } th scope="col" { "Result" } th scope="col" { "Found" }
        };
        let rows = html! {
            @for Finding { subject, is_well, message } in &findings {
                tr {
                    th scope="row" { (subject) }
                    td { @if *is_well { "ok" } @else { strong { "mend" } } }
                    td.words { (message) }
                }
            }
        };
        let body = lists::table("Findings", &head, &rows);
        Ok(admin_page(snapshot, "Examination", HERE, &body))
    })
    .await
}
