//! Open challenges: a list, and the forms that make and accept them.

use crate::model::seeks::Seek;
use crate::model::world::seeks_key;
use crate::web::html::error_page::PageError;
use crate::web::http::form::HiddenFields;
use crate::web::pages::settings::say;
use crate::web::site::{SiteReader, SiteView};
use games::{AnyGame, Choices, Next, Switch, Values};
use maud::{Markup, html};

/// Loads the open challenges of games.
pub(in crate::web) fn gather(
    reader: &mut SiteReader,
    games: &[&'static dyn AnyGame],
) -> Result<(), PageError> {
    let keys: Vec<_> = games.iter().map(|game| seeks_key(game.spec().name)).collect();
    Ok(reader.gather(&keys)?)
}

/// The open challenges of games; those who have signed in can accept them.
pub(in crate::web) fn list(
    seen: &SiteView,
    games: &[&'static dyn AnyGame],
    seal: Option<&HiddenFields>,
) -> Markup {
    let open = games.iter().copied().flat_map(|game| {
        let seeks = seen.world.seeks(game.spec().name).ok();
        seeks.into_iter().flat_map(|seeks| seeks.open(seen.now)).map(move |seek| (game, seek))
    });
    let open: Vec<(&'static dyn AnyGame, &Seek)> = open.collect();
    html! {
        @if open.is_empty() { p.quiet { "Nobody waits for an opponent now." } }
        ul.boards {
            @for (game, seek) in open { (one(seen, game, seek, seal)) }
        }
    }
}

fn one(
    seen: &SiteView,
    game: &'static dyn AnyGame,
    seek: &Seek,
    seal: Option<&HiddenFields>,
) -> Markup {
    let (spec, me) = (game.spec(), seen.viewer.as_ref());
    let words = seek.words();
    html! {
        li {
            a href={ "/" (spec.name) } { (spec.title) } " with "
            a href={ "/player/" (seek.user) } { (seek.user) }
            @if !words.is_empty() { span.quiet { (words) } }
            @if let (Some(seal), Some(me)) = (seal, me) {
                @if *me == seek.user {
                    (say(seal, &format!("off.{}", spec.name), "seek", &format!("/{}", spec.name), &html! {
                        input type="hidden" name="game" value=(spec.name);
                        input type="hidden" name="word" value="off";
                        button type="submit" { "Withdraw" }
                    }))
                } @else {
                    (say(seal, &format!("{}.{}", spec.name, seek.number), "accept-seek",
                        &format!("/{}", spec.name), &html! {
                        input type="hidden" name="game" value=(spec.name);
                        input type="hidden" name="word" value=(seek.number);
                        button type="submit" { "Accept" }
                    }))
                }
            }
        }
    }
}

/// The forms with which a game begins: against a user, against anybody, against the program.
pub(in crate::web) fn begin(game: &'static dyn AnyGame, seal: &HiddenFields) -> Markup {
    let (spec, back) = (game.spec(), format!("/{}", game.spec().name));
    let field = html! { input type="hidden" name="game" value=(spec.name); };
    html! {
        h2 { "Begin a game" }
        @if spec.manner.solo {
            (say(seal, "alone", "challenge", &back, &html! {
                (field) (options(game)) button.main type="submit" { "Play alone" }
            }))
        } @else {
            (say(seal, "challenge", "challenge", &back, &html! {
                (field)
                label { "Opponent" input name="word" required maxlength="32" autocomplete="off"; }
                (commitment(game)) (options(game))
                button.main type="submit" { "Challenge" }
            }))
            (say(seal, "seek", "seek", &back, &html! {
                (field) (commitment(game)) (options(game))
                button type="submit" { "Wait for anybody" }
            }))
        }
        @if spec.manner.levels > 0 {
            @for level in 1..=spec.manner.levels {
                (say(seal, &format!("board{level}"), "challenge", &back, &html! {
                    (field)
                    input type="hidden" name="word" value={ "board" (level) };
                    button type="submit" { "Play the program, level " (level) }
                }))
            }
        }
    }
}

/// The value for the dice to which a browser commits its user by itself, where there are dice.
fn commitment(game: &'static dyn AnyGame) -> Markup {
    let has_dice =
        matches!(game.setup(&Choices::default()).next(), Next::Roll(_) | Next::Ready(..));
    html! {
        @if has_dice { input type="hidden" name="option.seed" value="" data-seed="commitment"; }
    }
}

/// The options of a challenge.
fn options(game: &'static dyn AnyGame) -> Markup {
    let common = crate::command::common_options();
    html! {
        details {
            summary { "Options" }
            @for switch in game.spec().options.iter().chain(common) { (option(switch)) }
        }
    }
}

fn option(switch: &Switch) -> Markup {
    let name = format!("option.{}", switch.name);
    html! {
        @match switch.values {
            Values::Flag => label.check {
                input type="checkbox" name=(name) value="on"; " "
                (switch.name.trim_start_matches('-')) ": " (switch.help)
            },
            Values::OneOf(words) => label {
                (switch.name.trim_start_matches('-')) ": " (switch.help)
                select name=(name) {
                    option value="" { "as usual" }
                    @for word in words { option value=(word) { (word) } }
                }
            },
            Values::Number { min, max, default } => label {
                (switch.name.trim_start_matches('-')) ": " (switch.help)
                input type="number" name=(name) min=(min) max=(max) placeholder=(default);
            },
            Values::Position { .. } => label {
                (switch.name.trim_start_matches('-')) ": " (switch.help)
                input type="text" name=(name) placeholder="XGID=...";
            },
        }
    }
}
