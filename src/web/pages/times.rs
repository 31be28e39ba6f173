//! The part of `/settings` about time: the zone, the days and nights at which clocks stop, vacations.

use super::settings::BACK;
use crate::base::time::{Time, WEEKDAYS};
use crate::base::zone::Zone;
use crate::model::user::User;
use crate::reply::own_times;
use crate::web::html::fields::Field;
use crate::web::html::refusals::Subject;
use crate::web::http::form::HiddenFields;
use maud::{Markup, html};

/// The id of the list of zones.
const ZONES: &str = "zones";

/// Renders the forms about a user's time.
pub(super) fn render(user: &User, hidden_fields: &HiddenFields, now: Time) -> Markup {
    html! {
        h2 id="time" { "Time" }
        @for sentence in own_times(user, now) { p { (sentence) } }
        (zone(user, hidden_fields))
        (weekend(user, hidden_fields))
        (night(user, hidden_fields))
        (vacations(user, hidden_fields))
    }
}

fn zone(user: &User, hidden_fields: &HiddenFields) -> Markup {
    let form = hidden_fields.form("timezone");
    let field = Field::new("word", "Time zone: a city such as Berlin or New York, or none");
    let field = field.value(user.zone.map(Zone::name)).zone(ZONES).autocomplete("off");
    html! {
        (hidden_fields.command_form("timezone", "timezone", BACK, &html! {
            (form.text(&field.length(0, 40).about(&[Subject::Zone])))
            datalist id=(ZONES) { @for name in Zone::names() { option value=(name); } }
            button type="submit" { "Change" }
        }))
    }
}

/// Renders two choices of a day of the week.
fn weekend(user: &User, hidden_fields: &HiddenFields) -> Markup {
    let chosen = user.rests.last().map(|rest| rest.days.names()).unwrap_or_default();
    let choice = |label: &str, at: usize| {
        html! {
            label { (label)
                select name="word" {
                    option value="none" { "none" }
                    @for day in WEEKDAYS { option selected[chosen.get(at) == Some(&day)] { (day) } }
                }
            }
        }
    };
    hidden_fields.command_form(
        "weekend",
        "weekend",
        BACK,
        &html! {
            (choice("My clocks stop on", 0))
            (choice("and on", 1))
            button type="submit" { "Change" }
        },
    )
}

fn night(user: &User, hidden_fields: &HiddenFields) -> Markup {
    let night = user.rests.last().and_then(|rest| rest.night).map(|night| night.to_string());
    let (from, to) = night.as_deref().and_then(|night| night.split_once('-')).unzip();
    let form = hidden_fields.form("night");
    let first = Field::new("word", "My clocks stop at night from").kind("time").value(from);
    let last = Field::new("word", "to").kind("time").value(to).at(1);
    html! {
        (hidden_fields.command_form("night", "night", BACK, &html! {
            (form.text(&first.about(&[Subject::Night]))) (form.text(&last))
            button type="submit" { "Change" }
        }))
        @if night.is_some() {
            (hidden_fields.command_form("nights", "night", BACK, &html! {
                input type="hidden" name="word" value="none";
                button type="submit" { "Let them run at night" }
            }))
        }
    }
}

fn vacations(user: &User, hidden_fields: &HiddenFields) -> Markup {
    html! {
        h2 { "Vacation" }
        @for vacation in &user.vacations { p { (vacation.from) " to " (vacation.to) } }
        @let form = hidden_fields.form("vacation");
        @let first = Field::new("word", "First day").kind("date").about(&[Subject::Dates]);
        @let last = Field::new("word", "Last day").kind("date").at(1);
        (hidden_fields.command_form("vacation", "vacation", BACK, &html! {
            (form.text(&first)) (form.text(&last))
            button type="submit" { "Stop my clocks" }
        }))
        @if !user.vacations.is_empty() {
            (hidden_fields.command_form("back", "vacation", BACK, &html! {
                input type="hidden" name="word" value="off";
                button type="submit" { "Cancel all vacations" }
            }))
        }
    }
}
