//! The part of `/settings` about what a user tells about themselves.

use super::settings::{BACK, preference_form};
use crate::model::user::preference::PROFILE_PREFERENCES;
use crate::model::user::{ProfileField, User};
use crate::web::html::fields::Field;
use crate::web::html::refusals::Subject;
use crate::web::http::form::HiddenFields;
use maud::{Markup, html};

/// Renders the forms of the profile, one for each part.
pub(super) fn render(user: &User, hidden_fields: &HiddenFields) -> Markup {
    html! {
        h2 id="profile" { "Your profile" }
        p { "Everybody can see this on " a href={ "/player/" (user.id) } { "your page" }
            ". You may leave all of it empty." }
        div.profile {
            @for field in ProfileField::ALL { (text_form(user, field, hidden_fields)) }
            @for preference in PROFILE_PREFERENCES {
                (preference_form(preference, user, hidden_fields))
            }
        }
    }
}

fn text_form(user: &User, field: ProfileField, hidden_fields: &HiddenFields) -> Markup {
    let label = match field {
        ProfileField::About => "A line about you",
        ProfileField::Country => "Where you live",
        ProfileField::Languages => "Languages that you speak",
    };
    let input = Field::new("word", label).at(1).value(user.profile.get(field));
    let input = input.length(0, field.longest()).about(&[Subject::Profile]).optional();
    let form = hidden_fields.form(field.name());
    hidden_fields.command_form(
        field.name(),
        "set",
        BACK,
        &html! {
            input type="hidden" name="word" value=(field.name());
            (form.text(&input))
            button type="submit" { "Save" }
        },
    )
}
