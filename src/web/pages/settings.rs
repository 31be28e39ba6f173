//! `/settings`: a user's preferences for mails and games, their account, and their programs.

use super::{guest, own_profile, push, thumbnails, times};
use crate::model::moderation::docket_key;
use crate::model::user::preference::{
    MEN, PAGE_PREFERENCES, PREFERENCES, PROFILE_PREFERENCES, Preference, THEME,
};
use crate::model::user::{Mark, User};
use crate::model::world::{World, seeks_key, user_key};
use crate::web::html::blocks::capitalized;
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::html::fields::Field;
use crate::web::html::marks;
use crate::web::html::refusals::Subject;
use crate::web::http::form::HiddenFields;
use crate::web::http::request::WebRequest;
use crate::web::site::{Site, Snapshot};
use axum::extract::State;
use games::{AnyGame, Choices, GAMES, Scope, Setting, Values};
use maud::{Markup, html};
use std::sync::Arc;

/// The page to which the forms lead back.
pub(super) const BACK: &str = "/settings";

/// The page of the settings.
pub(crate) async fn page(State(site): State<Arc<Site>>, request: WebRequest) -> PageResult {
    site.read(request, |mut reader| {
        let user = reader.signed_in_user()?;
        reader.load(&[user_key(&user)])?;
        let seeks: Vec<_> = GAMES.iter().map(|game| seeks_key(game.spec().name)).collect();
        reader.load(&seeks)?;
        reader.load(&[docket_key()])?;
        let mut snapshot = reader.close();
        if snapshot.world.is_guest(&user) {
            return Ok(guest::no_settings(snapshot));
        }
        let hidden_fields = snapshot.hidden_fields();
        let user = snapshot.world.user(&user).ok_or(PageError::NotFound)?;
        let docket = snapshot.world.docket();
        let is_administrator = docket.is_ok_and(|docket| docket.is_administrator(&user.id));
        let body = html! {
            h1 { "Settings" }
            @if is_administrator {
                p {
                    a.button href="/moderation" { "Reports and sanctions" } " "
                    a.button href="/admin" { "Administration" }
                }
            }
            (own_profile::render(user, &hidden_fields))
            (preferences(user, &hidden_fields))
            (looks(&snapshot, user, &hidden_fields))
            (push::settings(snapshot.site, user, &hidden_fields))
            (game_settings(&snapshot.world, user, &hidden_fields))
            (times::render(user, &hidden_fields, snapshot.now))
            (account(user, &hidden_fields))
            (leave(&hidden_fields))
            (marked_players(user, &hidden_fields))
            (programs(user, &hidden_fields, snapshot.site))
        };
        Ok(snapshot.page("Settings", &body))
    })
    .await
}

/// Renders the preferences that are not about a game.
fn preferences(user: &User, hidden_fields: &HiddenFields) -> Markup {
    html! {
        h2 { "Your mails" }
        @for preference in PREFERENCES.iter().copied().filter(|it| is_of_mails(it)) {
            (preference_form(preference, user, hidden_fields))
        }
    }
}

/// Renders the choice of a preference.
pub(super) fn preference_form(
    preference: &Preference,
    user: &User,
    hidden_fields: &HiddenFields,
) -> Markup {
    hidden_fields.command_form(
        preference.name,
        "set",
        BACK,
        &html! {
            input type="hidden" name="word" value=(preference.name);
            label { (preference_label(preference.name))
                select name="word" {
                    @for value in preference.values {
                        option value=(value.name)
                            selected[user.preferences.chosen(preference).name == value.name] {
                            (capitalized(first_sentence(value.told)))
                        }
                    }
                }
            }
            button type="submit" { "Change" }
        },
    )
}

/// Returns whether a preference is about mails and has a choice.
fn is_of_mails(preference: &Preference) -> bool {
    let elsewhere = [PAGE_PREFERENCES, PROFILE_PREFERENCES];
    preference.values.len() > 1 && !elsewhere.iter().any(|list| list.contains(&preference))
}

/// Renders the choice of colours for boards and men, each with a picture.
fn looks(snapshot: &Snapshot, user: &User, hidden_fields: &HiddenFields) -> Markup {
    let titles = [(&THEME, "Boards"), (&MEN, "Men")];
    html! {
        h2 id="looks" { "How boards look" }
        @for (preference, title) in titles {
            @let chosen = user.preferences.chosen(preference).name;
            (hidden_fields.command_form(preference.name, "set", BACK, &html! {
                input type="hidden" name="word" value=(preference.name);
                fieldset.looks {
                    legend { (title) }
                    @for value in preference.values {
                        label {
                            input type="radio" name="word" value=(value.name)
                                checked[value.name == chosen];
                            (thumbnails::of_look(snapshot, preference, value.name))
                            (capitalized(value.name))
                        }
                    }
                }
                button type="submit" { "Change" }
            }))
        }
    }
}

fn first_sentence(text: &str) -> &str {
    text.split_once(". ").map_or(text, |(first, _)| first).trim_end_matches('.')
}

fn preference_label(name: &str) -> &str {
    match name {
        "html" => "Format of your mails",
        "broadcast" => "Mails to everybody",
        "reminders" => "Reminders",
        "mails" => "News of your boards",
        "events" => "Tournaments and ladders",
        "digesthour" => "Hour of the daily mail",
        "quiet" => "While you play here",
        "calendar" => "Deadlines for your calendar",
        "words" => "Boards in words",
        "picture" => "Pictures of boards",
        "proofs" => "Proofs of dice",
        "next" => "After a move",
        "autovacation" => "Vacation by itself",
        "pace" => "Your pace",
        "welcome" => "Welcome new players",
        other => other,
    }
}

fn game_settings(world: &World, user: &User, hidden_fields: &HiddenFields) -> Markup {
    html! {
        h2 { "Your games" }
        @for game in GAMES.iter().copied() {
            details {
                summary { (game.spec().title) }
                (settings_of_game(world, user, game, hidden_fields))
            }
        }
    }
}

/// The limits of boards that the page offers.
const LIMITS: [u32; 9] = [0, 1, 2, 3, 5, 10, 20, 50, 100];

/// Returns the choices of a limit of boards, the current one among them.
fn limit_choices(current: Option<u32>) -> Vec<(String, String)> {
    let mut limits: Vec<u32> = LIMITS.into_iter().chain(current).collect();
    limits.sort_unstable();
    limits.dedup();
    let label = |limit: u32| match limit {
        0 => "none: take no challenges".to_owned(),
        limit => limit.to_string(),
    };
    let numbers = limits.into_iter().map(|limit| (limit.to_string(), label(limit)));
    [("off".to_owned(), "no limit".to_owned())].into_iter().chain(numbers).collect()
}

fn settings_of_game(
    world: &World,
    user: &User,
    game: &'static dyn AnyGame,
    hidden_fields: &HiddenFields,
) -> Markup {
    let (spec, chosen) = (game.spec(), user.settings(game));
    let limit = user.limits.get(spec.name).copied();
    let current = limit.map_or_else(|| "off".to_owned(), |limit| limit.to_string());
    let is_listener = world.seeks(spec.name).is_ok_and(|it| it.listeners.contains(&user.id));
    let form = |name: &str, verb: &str, fields: &Markup| {
        let fields = html! {
            input type="hidden" name="game" value=(spec.name);
            (fields)
        };
        hidden_fields.command_form(&format!("{}.{name}", spec.name), verb, BACK, &fields)
    };
    html! {
        @for setting in spec.settings.iter().filter(|it| it.scope == Scope::Game) {
            @let name = setting.switch.name;
            (form(name, "set", &html! {
                input type="hidden" name="word" value=(name);
                (value_choice(setting, &chosen, "word", ""))
            }))
        }
        (form("limit", "limit", &html! {
            label { "Boards at a time"
                select name="word" {
                    @for (value, label) in limit_choices(limit) {
                        option value=(value) selected[value == current] { (label) }
                    }
                }
            }
            button type="submit" { "Change" }
        }))
        (form("notify", "notify", &html! {
            label { "A short mail about every new board"
                select name="word" {
                    option selected[is_listener] { "on" }
                    option selected[!is_listener] { "off" }
                } }
            button type="submit" { "Change" }
        }))
    }
}

/// Renders a setting as a form on the page of a board sends it, as one reply.
pub(super) fn board_field(setting: &Setting, chosen: &Choices) -> Markup {
    value_choice(setting, chosen, "say", &format!("{} ", setting.switch.name))
}

/// Renders the choice of a setting's value. `prefix` is put before each value that is sent.
fn value_choice(setting: &Setting, chosen: &Choices, field: &str, prefix: &str) -> Markup {
    let name = setting.switch.name;
    let current =
        chosen.has(name).then(|| chosen.get(name).filter(|it| !it.is_empty()).unwrap_or("on"));
    let values: Vec<String> = match setting.switch.values {
        Values::Flag => vec!["on".into(), "off".into()],
        Values::OneOf(words) => {
            words.iter().map(|word| (*word).to_owned()).chain(["off".into()]).collect()
        }
        Values::Number { min, max, .. } => {
            (min..=max.min(min + 50)).map(|number| number.to_string()).collect()
        }
        // No setting has halves or a position.
        Values::Halves { .. } | Values::Position { .. } => Vec::new(),
    };
    html! {
        label { (name) ": " (setting.switch.help)
            select name=(field) {
                @for value in &values {
                    option value={ (prefix) (value) } selected[*value == current.unwrap_or("off")] {
                        (value) }
                }
            }
        }
        button type="submit" { "Change" }
    }
}

/// Renders the addresses, the password, and signing out everywhere.
fn account(user: &User, hidden_fields: &HiddenFields) -> Markup {
    html! {
        h2 { "Account" }
        p { "Your mails go to " (addresses(user)) "." }
        @let address = Field::new("word", "New address").kind("email").at(1).length(0, 254);
        @let address = hidden_fields.form("address").text(&address.about(&[Subject::Address]));
        (hidden_fields.command_form("address", "change", BACK, &html! {
            input type="hidden" name="word" value="address";
            (address)
            button type="submit" { "Change the address" }
        }))
        (password(hidden_fields))
        form.say method="post" action="/signout" {
            (hidden_fields.fields("everywhere"))
            button type="submit" name="everywhere" value="yes" { "Sign out everywhere" }
        }
    }
}

fn password(hidden_fields: &HiddenFields) -> Markup {
    let form = hidden_fields.form("password");
    let old = Field::new("old", "Current password").kind("password");
    let new = Field::new("new", "New password").kind("password").length(6, 128);
    html! {
        form.say method="post" action="/password" {
            (form.hidden())
            @let old = form.text(
                &old.autocomplete("current-password").about(&[Subject::Password]));
            @let new = form.text(
                &new.autocomplete("new-password").about(&[Subject::NewPassword]));
            (form.problem()) (old) (new)
            button type="submit" { "Change the password" }
        }
    }
}

fn addresses(user: &User) -> Markup {
    html! {
        @if user.addresses.is_empty() { "no address yet" }
        @for (index, address) in user.addresses.iter().enumerate() {
            @if index > 0 { ", " }
            (address)
        }
    }
}

/// Renders the forms for leaving. A mailed code confirms it, as for users who leave by mail.
fn leave(hidden_fields: &HiddenFields) -> Markup {
    let form = |name: &str, code: &Markup, button: &str| {
        html! {
            form.say method="post" action="/say" {
                (hidden_fields.fields(name))
                input type="hidden" name="back" value=(BACK);
                (hidden_fields.form(name).problem())
                label { "What happens to your account"
                    select name="verb" {
                        option value="signoff" { "You can come back" }
                        option value="delete"
                            selected[hidden_fields.form(name).typed("verb", 0) == Some("delete")] {
                            "It is erased" }
                    }
                }
                (code)
                button type="submit" { (button) }
            }
        }
    };
    let code = Field::new("word", "Code from the mail").autocomplete("off");
    html! {
        h2 { "Leave" }
        p { "If you leave, you resign all your boards in progress. First we mail you a code: nothing "
            "changes before you enter it here." }
        (form("leave", &html! {}, "Mail me a code"))
        (form("left", &html! {
            (hidden_fields.form("left").text(&code.about(&[Subject::Code])))
        }, "Leave"))
    }
}

/// Lists the players whom the user has marked, each with a button that removes the mark.
fn marked_players(user: &User, hidden_fields: &HiddenFields) -> Markup {
    let titles =
        [(Mark::Favourite, "Favourites"), (Mark::Muted, "Muted"), (Mark::Blocked, "Blocked")];
    html! {
        @for (mark, title) in titles {
            @if !user.marked(mark).is_empty() {
                h2 { (title) }
                @for other in user.marked(mark) {
                    (marks::button(user, other, mark, BACK, hidden_fields))
                }
            }
        }
    }
}

/// Renders the feed, and the keys of the user's programs.
fn programs(user: &User, hidden_fields: &HiddenFields, site: &Site) -> Markup {
    let [feed, calendar] = ["feed", "calendar"].map(|page| site.secret_path(page, user));
    html! {
        h2 { "Programs" }
        p { "Your boards as a feed, at a secret address: " a href=(feed) { "Atom" }
            ". Your deadlines for a calendar: " a href=(calendar) { "iCalendar" }
            ". If you sign out everywhere, they get other addresses." }
        p { "A program of yours can play for you: " a href="/api/v1/openapi.json" { "the API" }
            ". It needs a key, which you can revoke. A new password revokes all keys." }
        @for key in &user.keys {
            form.say method="post" action="/keys/revoke" {
                (hidden_fields.fields(&format!("revoke.{}", key.name)))
                input type="hidden" name="name" value=(key.name);
                button type="submit" { "Revoke " (key.name) ", made " (key.at.day()) }
            }
        }
        @let form = hidden_fields.form("key");
        form.say method="post" action="/keys" {
            (form.hidden())
            @let name = form.text(&Field::new("name", "Name of the program").length(0, 40));
            (form.problem()) (name)
            button type="submit" { "New key" }
        }
    }
}
