//! Buttons that put a mark on another player, or remove it.

use crate::base::ids::UserId;
use crate::model::user::{Mark, User};
use crate::web::http::form::HiddenFields;
use maud::{Markup, html};

/// Renders the button that puts a mark of the viewer on another player, or removes it.
pub(crate) fn button(
    viewer: &User,
    other: &UserId,
    mark: Mark,
    back: &str,
    hidden_fields: &HiddenFields,
) -> Markup {
    let is_marked = viewer.has_marked(other, mark);
    let verb = if is_marked { mark.undoing_verb() } else { mark.verb() };
    let label = match (mark, is_marked) {
        (Mark::Muted, false) => format!("Mute {other}"),
        (Mark::Muted, true) => format!("Unmute {other}"),
        (Mark::Blocked, false) => format!("Block {other}"),
        (Mark::Blocked, true) => format!("Unblock {other}"),
        (Mark::Favourite, false) => format!("\u{2606} Make {other} a favourite"),
        (Mark::Favourite, true) => format!("\u{2605} {other} is a favourite: end this"),
    };
    form(verb, other, back, hidden_fields, &html! { button type="submit" { (label) } })
}

/// Renders a star that makes a player a favourite of the viewer, or ends it, for a row of a list.
pub(crate) fn star(
    viewer: &User,
    other: &UserId,
    back: &str,
    hidden_fields: &HiddenFields,
) -> Markup {
    let is_marked = viewer.has_marked(other, Mark::Favourite);
    let (verb, sign, label) = if is_marked {
        (Mark::Favourite.undoing_verb(), "\u{2605}", format!("Take {other} off your favourites"))
    } else {
        (Mark::Favourite.verb(), "\u{2606}", format!("Make {other} a favourite"))
    };
    form(
        verb,
        other,
        back,
        hidden_fields,
        &html! {
            button.star type="submit" aria-label=(label) title=(label) { (sign) }
        },
    )
}

fn form(
    verb: &'static str,
    other: &UserId,
    back: &str,
    hidden_fields: &HiddenFields,
    button: &Markup,
) -> Markup {
    let name = format!("{verb}.{other}");
    hidden_fields.command_form(
        &name,
        verb,
        back,
        &html! {
            input type="hidden" name="word" value=(other);
            (button)
        },
    )
}
