//! Open challenges: their list in words, and the forms that accept and withdraw them.

use super::begin::{MATCH, match_name, pace_name};
use super::error_page::PageResult;
use crate::base::ids::UserId;
use crate::model::board::Agreement;
use crate::model::clock::BoardTerms;
use crate::model::seeks::Seek;
use crate::model::user::Mark;
use crate::model::world::seeks_key;
use crate::web::http::form::HiddenFields;
use crate::web::site::{SiteReader, Snapshot};
use games::AnyGame;
use maud::{Markup, html};

/// Loads the open challenges of games.
pub(crate) fn load(reader: &mut SiteReader, games: &[&'static dyn AnyGame]) -> PageResult<()> {
    let keys: Vec<_> = games.iter().map(|game| seeks_key(game.spec().name)).collect();
    Ok(reader.load(&keys)?)
}

/// Renders the open challenges of games, without those of players whom the viewer has blocked. With hidden
/// fields, users can accept them.
pub(crate) fn list(
    snapshot: &Snapshot,
    games: &[&'static dyn AnyGame],
    hidden_fields: Option<&HiddenFields>,
) -> Markup {
    let open = games.iter().copied().flat_map(|game| {
        let seeks = snapshot.world.seeks(game.spec().name).ok();
        let open = seeks.into_iter().flat_map(|seeks| seeks.open(snapshot.now));
        open.map(move |seek| (game, seek))
    });
    let viewer = snapshot.viewer.as_ref().and_then(|viewer| snapshot.world.user(viewer));
    let is_blocked =
        |by: &UserId| viewer.is_some_and(|viewer| viewer.has_marked(by, Mark::Blocked));
    let open = open.filter(|(_, seek)| !is_blocked(&seek.user));
    let open: Vec<(&'static dyn AnyGame, &Seek)> = open.collect();
    html! {
        @if open.is_empty() { p.quiet { "There are no open challenges." } }
        ul.boards {
            @for (game, seek) in open { (list_item(snapshot, game, seek, hidden_fields)) }
        }
    }
}

fn list_item(
    snapshot: &Snapshot,
    game: &'static dyn AnyGame,
    seek: &Seek,
    hidden_fields: Option<&HiddenFields>,
) -> Markup {
    html! {
        li {
            a href={ "/player/" (seek.user) } { (seek.user) } " wants " (terms(game, seek)) "."
            @if let (Some(hidden_fields), Some(viewer)) = (hidden_fields, &snapshot.viewer) {
                (answer_form(game, seek, *viewer == seek.user, &snapshot.request.path, hidden_fields))
            }
        }
    }
}

/// Renders the form that accepts a challenge, or withdraws the viewer's own.
fn answer_form(
    game: &'static dyn AnyGame,
    seek: &Seek,
    is_own: bool,
    back: &str,
    hidden_fields: &HiddenFields,
) -> Markup {
    let name = game.spec().name;
    let fields = |word: &str, label: &str| {
        html! {
            input type="hidden" name="game" value=(name);
            input type="hidden" name="word" value=(word);
            button type="submit" { (label) }
        }
    };
    if is_own {
        let fields = fields("off", "Withdraw");
        hidden_fields.command_form(&format!("off.{name}"), "seek", back, &fields)
    } else {
        let number = seek.number.to_string();
        let fields = fields(&number, "Accept");
        hidden_fields.command_form(&format!("{name}.{number}"), "accept-seek", back, &fields)
    }
}

/// Returns the terms of an open challenge in words: `a 5-point match of Backgammon, 7 days a move,
/// unrated`.
pub(crate) fn terms(game: &'static dyn AnyGame, seek: &Seek) -> String {
    let Seek { agreed: Agreement { options, private, terms }, bounds, .. } = seek;
    let title = game.spec().title;
    let what = match options.get(MATCH) {
        Some(points) => format!("a {} of {title}", match_name(points)),
        None => format!("a game of {title}"),
    };
    let own = game.spec().options.iter().filter(|switch| switch.name != MATCH);
    let own = own.filter(|switch| options.has(switch.name)).map(|switch| {
        let name = switch.name.replace('_', " ");
        match options.get(switch.name).filter(|value| !value.is_empty()) {
            Some(value) => format!("{name} {value}"),
            None => name,
        }
    });
    let days = |count: u32| if count == 1 { "1 day".into() } else { format!("{count} days") };
    let total = terms.total_days.map(|count| format!("{} in all", days(count)));
    let is_usual = terms.nag_days == BoardTerms::default().nag_days;
    let nag = (!is_usual).then(|| format!("reminder after {}", days(terms.nag_days)));
    let range = match (bounds.min, bounds.max) {
        (Some(min), Some(max)) => Some(format!("for players rated {min} to {max}")),
        (Some(min), None) => Some(format!("for players rated {min} or more")),
        (None, Some(max)) => Some(format!("for players rated {max} or less")),
        (None, None) => None,
    };
    let rated = if terms.unrated { "unrated" } else { "rated" };
    let parts = [what].into_iter().chain(own).chain([pace_name(terms)]);
    let parts = parts.chain(total).chain(nag).chain([rated.to_owned()]);
    let private = private.then(|| "private".to_owned());
    parts.chain(private).chain(range).collect::<Vec<_>>().join(", ")
}
