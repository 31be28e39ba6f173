//! `/admin/settings`: the few settings that may be changed while the server runs.

use super::{CodeQuestion, admin_page, note};
use crate::command::moderation::administer::AdministratorAct;
use crate::config::RuntimeSetting;
use crate::model::moderation::Act;
use crate::web::html::confirmation::with_question;
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::html::fields::{Field, FormFields};
use crate::web::html::flash_messages::FlashMessage;
use crate::web::html::refusals::Subject;
use crate::web::http::form::PostedForm;
use crate::web::http::request::WebRequest;
use crate::web::site::Site;
use axum::extract::State;
use axum::response::{IntoResponse as _, Redirect, Response};
use maud::{Markup, html};
use std::sync::Arc;
use toml::Value;

const SETTINGS: &str = "/admin/settings";

/// The page with a form for each setting.
pub(crate) async fn page(State(site): State<Arc<Site>>, request: WebRequest) -> PageResult {
    site.read(request, |mut reader| {
        reader.check_raised()?;
        let mut snapshot = reader.close();
        let hidden_fields = snapshot.hidden_fields();
        let reports = snapshot.site.parts.reports.as_ref().ok_or(PageError::NotFound)?;
        let settings = reports.settings()?;
        let body = html! {
            @for setting in &settings {
                @match &setting.variable {
                    Some(variable) => p { (setting.label) ": set by " code { (variable) } },
                    None => (setting_form(&hidden_fields.form(setting.key), setting)),
                }
            }
            p.quiet { "They are written into " code { "postboard.toml" } ". All others are changed there." }
        };
        Ok(admin_page(snapshot, "Settings of the server", SETTINGS, &body))
    })
    .await
}

fn setting_form(form: &FormFields, setting: &RuntimeSetting) -> Markup {
    let value = setting.value.to_string();
    let number = Field::new("value", setting.label).kind("number").value(Some(&value));
    let number = number.about(&[Subject::Field("value")]);
    html! {
        form.tall method="post" action=(SETTINGS) {
            (form.hidden())
            input type="hidden" name="key" value=(setting.key);
            (form.problem())
            @if let Value::Boolean(is_on) = setting.value {
                label { (setting.label)
                    select name="value" {
                        option value="true" selected[is_on] { "Yes" }
                        option value="false" selected[!is_on] { "No" }
                    }
                }
            } @else { (form.text(&number)) }
            button type="submit" { "Change" }
        }
    }
}

/// Changes a setting, after a code was sent back.
pub(crate) async fn post(State(site): State<Arc<Site>>, form: PostedForm) -> PageResult<Response> {
    let request = form.request.clone();
    let done = Arc::clone(&site).write(request.clone(), move |writer| {
        writer.raised_administrator()?;
        let (key, value) = (form.required("key")?, form.required("value")?);
        let site = writer.site;
        let reports = site.parts.reports.as_ref().ok_or(PageError::NotFound)?;
        reports.check_setting(key, value).map_err(PageError::ActRefused)?;
        let question = CodeQuestion {
            title: format!("Set {key} to {value}?"),
            consequence: "The configuration of the server is changed.",
            button: "Change",
            back: SETTINGS.into(),
        };
        let act = AdministratorAct { act: Act::Configure, about: format!("{key} = {value}") };
        if !note(writer, &form, act, &question)? {
            return Ok(Redirect::to(&FlashMessage::Before.on(SETTINGS)).into_response());
        }
        let is_in_force = reports.change_setting(key, value).map_err(PageError::ActRefused)?;
        let flash_message =
            if is_in_force { FlashMessage::Moderated } else { FlashMessage::AfterRestart };
        Ok(Redirect::to(&flash_message.on(SETTINGS)).into_response())
    });
    with_question(site, request, done.await).await
}
