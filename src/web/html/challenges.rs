//! Open challenges: their list, and the forms that make and accept challenges.

use super::error_page::PageResult;
use crate::command;
use crate::model::seeks::Seek;
use crate::model::world::seeks_key;
use crate::web::http::form::HiddenFields;
use crate::web::site::{SiteReader, Snapshot};
use games::{AnyGame, Choices, Next, Switch, Values};
use maud::{Markup, html};

/// Loads the open challenges of games.
pub(crate) fn load(reader: &mut SiteReader, games: &[&'static dyn AnyGame]) -> PageResult<()> {
    let keys: Vec<_> = games.iter().map(|game| seeks_key(game.spec().name)).collect();
    Ok(reader.load(&keys)?)
}

/// Renders the open challenges of games. With hidden fields, users can accept them.
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
    let spec = game.spec();
    let options = seek.words();
    html! {
        li {
            a href={ "/" (spec.name) } { (spec.title) } " with "
            a href={ "/player/" (seek.user) } { (seek.user) }
            @if !options.is_empty() { span.quiet { (options) } }
            @if let (Some(hidden_fields), Some(viewer)) = (hidden_fields, &snapshot.viewer) {
                (answer_form(game, seek, *viewer == seek.user, hidden_fields))
            }
        }
    }
}

/// Renders the form that accepts a challenge, or withdraws the viewer's own.
fn answer_form(
    game: &'static dyn AnyGame,
    seek: &Seek,
    is_own: bool,
    hidden_fields: &HiddenFields,
) -> Markup {
    let name = game.spec().name;
    let back = format!("/{name}");
    let fields = |word: &str, label: &str| {
        html! {
            input type="hidden" name="game" value=(name);
            input type="hidden" name="word" value=(word);
            button type="submit" { (label) }
        }
    };
    if is_own {
        let fields = fields("off", "Withdraw");
        hidden_fields.command_form(&format!("off.{name}"), "seek", &back, &fields)
    } else {
        let number = seek.number.to_string();
        let fields = fields(&number, "Accept");
        hidden_fields.command_form(&format!("{name}.{number}"), "accept-seek", &back, &fields)
    }
}

/// Renders the forms that start a game: alone, against a user, anybody, or the program.
pub(crate) fn new_game_forms(game: &'static dyn AnyGame, hidden_fields: &HiddenFields) -> Markup {
    let (spec, back) = (game.spec(), format!("/{}", game.spec().name));
    let game_field = html! { input type="hidden" name="game" value=(spec.name); };
    html! {
        h2 { "New game" }
        @if spec.manner.solo {
            (hidden_fields.command_form("alone", "challenge", &back, &html! {
                (game_field) (options(game)) button.main type="submit" { "Play alone" }
            }))
        } @else {
            (hidden_fields.command_form("challenge", "challenge", &back, &html! {
                (game_field)
                label { "Opponent" input name="word" required maxlength="32" autocomplete="off"; }
                (commitment(game)) (options(game))
                button.main type="submit" { "Challenge" }
            }))
            (hidden_fields.command_form("seek", "seek", &back, &html! {
                (game_field) (commitment(game)) (options(game))
                button type="submit" { "Post an open challenge" }
            }))
        }
        @for level in 1..=spec.manner.levels {
            (hidden_fields.command_form(&format!("board{level}"), "challenge", &back, &html! {
                (game_field)
                input type="hidden" name="word" value={ "board" (level) };
                button type="submit" { "Play the program, level " (level) }
            }))
        }
    }
}

/// Renders the field that the script fills with a commitment for the dice, where a game has dice.
fn commitment(game: &'static dyn AnyGame) -> Markup {
    let has_dice =
        matches!(game.setup(&Choices::default()).next(), Next::Roll(_) | Next::Ready(..));
    html! {
        @if has_dice { input type="hidden" name="option.seed" value="" data-seed="commitment"; }
    }
}

/// Renders the options of a challenge.
fn options(game: &'static dyn AnyGame) -> Markup {
    html! {
        details {
            summary { "Options" }
            @for switch in game.spec().options.iter().chain(command::common_options()) {
                (option(switch))
            }
        }
    }
}

fn option(switch: &Switch) -> Markup {
    let name = format!("option.{}", switch.name);
    let label = format!("{}: {}", switch.name.trim_start_matches('-'), switch.help);
    html! {
        @match switch.values {
            Values::Flag => label.check {
                input type="checkbox" name=(name) value="on"; " " (label)
            },
            Values::OneOf(words) => label {
                (label)
                select name=(name) {
                    option value="" { "default" }
                    @for word in words { option value=(word) { (word) } }
                }
            },
            Values::Number { min, max, default } => label {
                (label)
                input type="number" name=(name) min=(min) max=(max) placeholder=(default);
            },
            Values::Position { .. } => label {
                (label)
                input type="text" name=(name) placeholder="XGID=...";
            },
        }
    }
}
