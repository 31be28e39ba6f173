//! The choices of a user: for all games, for each game, and about the account.

use crate::model::user::User;
use crate::model::user::preference::PREFERENCES;
use crate::model::world::user_key;
use crate::web::html::error_page::PageError;
use crate::web::html::page::WebPage;
use crate::web::http::form::HiddenFields;
use crate::web::http::request::WebRequest;
use crate::web::site::Site;
use axum::extract::State;
use games::{AnyGame, Choices, GAMES, Scope, Setting, Values};
use maud::{Markup, html};
use std::sync::Arc;

pub(in crate::web) async fn page(
    State(site): State<Arc<Site>>,
    ask: WebRequest,
) -> Result<WebPage, PageError> {
    site.read(ask, |mut reader| {
        let user = reader.user()?;
        reader.gather(&[user_key(&user)])?;
        let mut seen = reader.leave();
        let seal = seen.seal();
        let user = seen.world.user(&user).ok_or(PageError::NotFound)?;
        let body = html! {
            h1 { "Settings" }
            (preferences(user, &seal))
            (games_of(user, &seal))
            (account(user, &seal))
            (keys(user, &seal, &seen.site.feed(user)))
        };
        Ok(seen.page("Settings", &body))
    })
    .await
}

/// A form that says a verb.
pub(in crate::web) fn say(
    seal: &HiddenFields,
    name: &str,
    verb: &str,
    back: &str,
    fields: &Markup,
) -> Markup {
    html! {
        form.say method="post" action="/say" {
            (seal.fields(name))
            input type="hidden" name="verb" value=(verb);
            input type="hidden" name="back" value=(back);
            (fields)
        }
    }
}

/// Choices that have nothing to do with a game.
fn preferences(user: &User, seal: &HiddenFields) -> Markup {
    html! {
        h2 { "Your mails" }
        @for one in PREFERENCES.iter().filter(|one| one.values.len() > 1) {
            (say(seal, one.name, "set", "/settings", &html! {
                input type="hidden" name="word" value=(one.name);
                label { (one.name)
                    select name="word" {
                        @for value in one.values {
                            option value=(value.name)
                                selected[user.preferences.chosen(one).name == value.name] {
                                (value.name) ": " (value.told.split_once(". ").map_or(value.told, |it| it.0))
                            }
                        }
                    }
                }
                button type="submit" { "Change" }
            }))
        }
    }
}

/// How the user likes each game.
fn games_of(user: &User, seal: &HiddenFields) -> Markup {
    html! {
        h2 { "Your games" }
        @for game in GAMES.iter().copied() {
            details {
                summary { (game.spec().title) }
                (of_game(user, game, seal))
            }
        }
    }
}

fn of_game(user: &User, game: &'static dyn AnyGame, seal: &HiddenFields) -> Markup {
    let (spec, chosen) = (game.spec(), user.settings(game));
    let limit = user.limits.get(spec.name);
    html! {
        @for setting in spec.settings.iter().filter(|it| it.scope == Scope::Game) {
            @let name = setting.switch.name;
            (say(seal, &format!("{}.{name}", spec.name), "set", "/settings", &html! {
                input type="hidden" name="game" value=(spec.name);
                input type="hidden" name="word" value=(name);
                (values(setting, &chosen, "word", ""))
            }))
        }
        (say(seal, &format!("{}.limit", spec.name), "limit", "/settings", &html! {
            input type="hidden" name="game" value=(spec.name);
            label { "Boards at a time; 0 takes no challenges"
                input name="word" inputmode="numeric" size="4" required
                    value=[limit] placeholder="off"; }
            button type="submit" { "Change" }
        }))
        (say(seal, &format!("{}.notify", spec.name), "notify", "/settings", &html! {
            input type="hidden" name="game" value=(spec.name);
            label { "A short mail about every new board"
                select name="word" { option { "on" } option { "off" } } }
            button type="submit" { "Change" }
        }))
    }
}

/// A setting that is said on a board.
pub(in crate::web) fn field(setting: &Setting, chosen: &Choices) -> Markup {
    values(setting, chosen, "say", &format!("{} ", setting.switch.name))
}

/// The values of a setting.
fn values(setting: &Setting, chosen: &Choices, field: &str, before: &str) -> Markup {
    let name = setting.switch.name;
    let now =
        chosen.has(name).then(|| chosen.get(name).filter(|it| !it.is_empty()).unwrap_or("on"));
    let all: Vec<String> = match setting.switch.values {
        Values::Flag => vec!["on".into(), "off".into()],
        Values::OneOf(words) => {
            words.iter().map(|word| (*word).to_owned()).chain(["off".into()]).collect()
        }
        Values::Number { min, max, .. } => {
            (min..=max.min(min + 50)).map(|number| number.to_string()).collect()
        }
        // No setting has such a value.
        Values::Position { .. } => Vec::new(),
    };
    html! {
        label { (name) ": " (setting.switch.help)
            select name=(field) {
                @for value in &all {
                    option value={ (before) (value) } selected[*value == now.unwrap_or("off")] { (value) }
                }
            }
        }
        button type="submit" { "Change" }
    }
}

/// The password, the addresses, vacations, and leaving.
fn account(user: &User, seal: &HiddenFields) -> Markup {
    html! {
        h2 { "Vacation" }
        @for one in &user.vacations { p { (one.from) " to " (one.to) } }
        (say(seal, "vacation", "vacation", "/settings", &html! {
            label { "First day" input type="date" name="word" required; }
            label { "Last day" input type="date" name="word" required; }
            button type="submit" { "Stop my clocks" }
        }))
        @if !user.vacations.is_empty() {
            (say(seal, "back", "vacation", "/settings", &html! {
                input type="hidden" name="word" value="off";
                button type="submit" { "Take all vacations back" }
            }))
        }
        h2 { "Account" }
        p { "Your mails go to " (addresses(user)) "." }
        (say(seal, "address", "change", "/settings", &html! {
            input type="hidden" name="word" value="address";
            label { "Another address" input type="email" name="word" required maxlength="254"; }
            button type="submit" { "Change the address" }
        }))
        form.say method="post" action="/password" {
            (seal.fields("password"))
            label { "Password now"
                input type="password" name="old" autocomplete="current-password" required; }
            label { "New password"
                input type="password" name="new" autocomplete="new-password" required minlength="6"; }
            button type="submit" { "Change the password" }
        }
        form.say method="post" action="/signout" {
            (seal.fields("everywhere"))
            button type="submit" name="everywhere" value="yes" { "Sign out everywhere" }
        }
        (leaving(seal))
        @if !user.muted.is_empty() {
            h2 { "Muted" }
            @for other in &user.muted {
                (say(seal, &format!("unmute.{other}"), "unmute", "/settings", &html! {
                    input type="hidden" name="word" value=(other);
                    button type="submit" { "Hear " (other) " again" }
                }))
            }
        }
    }
}

/// Leaving. A code that is mailed asks whether it is meant, as for those who leave by mail.
fn leaving(seal: &HiddenFields) -> Markup {
    let form = |name: &str, code: &Markup, button: &str| {
        html! {
            form.say method="post" action="/say" {
                (seal.fields(name))
                input type="hidden" name="back" value="/settings";
                label { "What becomes of your account"
                    select name="verb" {
                        option value="signoff" { "You can come back" }
                        option value="delete" { "It is erased" }
                    }
                }
                (code)
                button type="submit" { (button) }
            }
        }
    };
    html! {
        h2 { "Leave" }
        p { "If you leave, you resign the boards that you play. First a code is mailed to you: nothing "
            "changes before you enter it here." }
        (form("leave", &html! {}, "Mail me a code"))
        (form("left", &html! {
            label { "Code from the mail" input name="word" required autocomplete="off"; }
        }, "Leave"))
    }
}

/// The keys of the user's programs.
fn keys(user: &User, seal: &HiddenFields, feed: &str) -> Markup {
    html! {
        h2 { "Programs" }
        p { "Your boards as a feed, at an address that nobody else knows: "
            a href=(feed) { "Atom" } ". Signing out everywhere gives it another address." }
        p { "A program of yours can play for you: " a href="/api/v1/openapi.json" { "what it can ask" }
            ". It shows a key, which you can revoke. A new password revokes all." }
        @for key in &user.keys {
            form.say method="post" action="/keys/revoke" {
                (seal.fields(&format!("revoke.{}", key.name)))
                input type="hidden" name="name" value=(key.name);
                button type="submit" { "Revoke " (key.name) ", made " (key.at.day()) }
            }
        }
        form.say method="post" action="/keys" {
            (seal.fields("key"))
            label { "What is it called?" input name="name" required maxlength="40"; }
            button type="submit" { "New key" }
        }
    }
}

fn addresses(user: &User) -> Markup {
    html! {
        @if user.addresses.is_empty() { "no address yet" }
        @for (at, address) in user.addresses.iter().enumerate() {
            @if at > 0 { ", " }
            (address)
        }
    }
}
