//! The card that begins a game: against a friend, anybody or the program, with its options as chips. The
//! style sheet hides the parts that do not fit the chosen game and opponent; the server ignores them.

use super::fields::{Field, FormFields};
use super::refusals::Subject;
use crate::command;
use crate::config::EngineProgram;
use crate::model::clock::{Bank, BoardTerms};
use crate::model::program;
use crate::web::http::form::HiddenFields;
use games::{AnyGame, Choices, FAMILIES, Next, Switch, Values};
use maud::{Markup, html};

/// The name of the form.
const NAME: &str = "begin";

/// The field with the kind of the opponent.
pub(crate) const WITH: &str = "with";

/// The values of [`WITH`].
pub(crate) const FRIEND: &str = "friend";
pub(crate) const ANYBODY: &str = "anybody";
pub(crate) const PROGRAM: &str = "program";

/// The field with the userid of a friend.
pub(crate) const OPPONENT: &str = "opponent";

/// The field with the level of the program.
pub(crate) const LEVEL: &str = "level";

/// The option with the length of a match.
pub(crate) const MATCH: &str = "match";

/// The option with the player's part of the dice.
pub(crate) const SEED: &str = "seed";

/// The options that only an open challenge has: the range of ratings.
pub(crate) const BOUNDS: [&str; 2] = ["-min", "-max"];

/// The lengths of matches that the card offers.
const MATCHES: [u32; 7] = [1, 3, 5, 7, 9, 11, 15];

/// The days for a move that the card offers; the usual number is the last.
const DAYS: [u32; 5] = [1, 3, 7, 14, 21];

/// The card that begins a game, on a page.
pub(crate) struct Card<'a> {
    /// The game; `None` if the card offers all of them.
    pub(crate) game: Option<&'static dyn AnyGame>,
    /// The page to return to.
    pub(crate) back: &'a str,
    /// The userid of a friend whom a link names.
    pub(crate) friend: Option<&'a str>,
    /// The engine that plays this game as `board5`.
    pub(crate) engine: Option<&'a EngineProgram>,
    pub(crate) hidden_fields: &'a HiddenFields,
}

/// Returns whether a game has dice, so that a challenge can commit to a value for them.
pub(crate) fn has_dice(game: &'static dyn AnyGame) -> bool {
    matches!(game.setup(&Choices::default()).next(), Next::Roll(_) | Next::Ready(..))
}

/// Returns whether a game has an option of this name.
pub(crate) fn has_option(game: &'static dyn AnyGame, name: &str) -> bool {
    game.spec().options.iter().any(|switch| switch.name == name)
}

impl Card<'_> {
    /// Renders the card.
    pub(crate) fn render(&self) -> Markup {
        let form = self.hidden_fields.form(NAME);
        let game = self.game;
        let is_solo = game.is_some_and(|game| game.spec().manner.is_solo);
        html! {
            section.new-game aria-labelledby="begin" {
                h2 id="begin" { "Begin a game" }
                form.new-game method="post" action="/begin" {
                    (form.hidden())
                    input type="hidden" name="back" value=(self.back);
                    @if game.is_none_or(has_dice) {
                        input type="hidden" name={ "option." (SEED) } value="" data-seed="commitment";
                    }
                    (self.game_choice(&form))
                    @let fields = html! {
                        @if !is_solo { (self.opponent(&form)) }
                        @if game.is_none_or(|game| has_option(game, MATCH)) { (length(&form)) }
                        @if !is_solo { (terms(&form)) }
                        (more(game, &form))
                    };
                    (form.problem())
                    (fields)
                    button.main type="submit" { @if is_solo { "Play alone" } @else { "Begin" } }
                }
            }
        }
    }

    fn game_choice(&self, form: &FormFields) -> Markup {
        let Some(game) = self.game else {
            return html! {
                label { "Game"
                    select name="game" {
                        @for family in FAMILIES {
                            optgroup label=(family.title) {
                                @for game in family.games.iter().copied() {
                                    @let (spec, typed) = (game.spec(), form.typed("game", 0));
                                    option.has-match[has_option(game, MATCH)]
                                        .has-program[spec.manner.levels > 0] .is-solo[spec.manner.is_solo]
                                        value=(spec.name) selected[typed == Some(spec.name)] {
                                        (spec.title)
                                    }
                                }
                            }
                        }
                    }
                }
            };
        };
        html! { input type="hidden" name="game" value=(game.spec().name); }
    }

    /// Renders the choice of the opponent.
    fn opponent(&self, form: &FormFields) -> Markup {
        let levels = self.game.map_or(4, |game| game.spec().manner.levels);
        let chosen = form.typed(WITH, 0).unwrap_or(FRIEND);
        let opponent = Field::new(OPPONENT, "Userid of your friend").autocomplete("off");
        let opponent = opponent.length(0, 32).optional().value(self.friend);
        html! {
            fieldset.chips.who {
                legend { "Opponent" }
                (radio(WITH, FRIEND, "Friend", chosen == FRIEND))
                (radio(WITH, ANYBODY, "Anybody", chosen == ANYBODY))
                @if levels > 0 { (radio(WITH, PROGRAM, "Program", chosen == PROGRAM)) }
            }
            div.for-friend { (form.text(&opponent.about(&[Subject::Player, Subject::Userid]))) }
            p.quiet.for-anybody { "Everybody sees your open challenge. The game begins when somebody \
                                   accepts it." }
            @if levels > 0 {
                fieldset.chips.for-program {
                    legend { "Level" }
                    @for (level, name) in (1..=levels).zip(LEVELS) {
                        @let value = level.to_string();
                        @let is_chosen = form.has_typed(LEVEL, &value).unwrap_or(level == 1);
                        (radio(LEVEL, &value, name, is_chosen))
                    }
                    @if let Some(engine) = self.engine {
                        @let value = program::ENGINE.to_string();
                        @let is_chosen = form.has_typed(LEVEL, &value).unwrap_or(false);
                        (radio(LEVEL, &value, engine.file_name(), is_chosen))
                    }
                }
            }
        }
    }
}

/// The names of the program's levels.
pub(crate) const LEVELS: [&str; 4] = ["Easy", "Medium", "Hard", "Hardest"];

/// Renders the choice of the length of a match.
fn length(form: &FormFields) -> Markup {
    let name = format!("option.{MATCH}");
    html! {
        fieldset.chips.for-match {
            legend { "Length" }
            @for points in MATCHES {
                // A single game is the game without the option.
                @let value = if points == 1 { String::new() } else { points.to_string() };
                @let label = if points == 1 { "single game".into() } else { match_name(points) };
                @let is_chosen = form.has_typed(&name, &value).unwrap_or(points == 1);
                (radio(&name, &value, &label, is_chosen))
            }
        }
    }
}

/// Returns the name of a match of this length.
pub(crate) fn match_name(points: impl std::fmt::Display) -> String {
    format!("{points}-point match")
}

/// Renders the time for a move, and whether the game is casual or private.
fn terms(form: &FormFields) -> Markup {
    let name = "option.-forfeittime";
    html! {
        fieldset.chips {
            legend { "Time for a move" }
            @for days in DAYS {
                @let value = days.to_string();
                @let is_usual = Some(&days) == DAYS.last();
                (radio(name, &value, &days_name(days), form.has_typed(name, &value).unwrap_or(is_usual)))
            }
        }
        fieldset.chips {
            legend { "Terms" }
            (checkbox(form, "option.-unrated", "casual (no rating)"))
            (checkbox(form, "option.-private", "private (only you two see it)"))
        }
    }
}

/// Returns the words for the time of the players: `3 days a move`, `a bank of 10 days and 36 hours a
/// turn, at most 14 days`.
pub(crate) fn pace_name(terms: &BoardTerms) -> String {
    let Some(Bank { start_days, increment_hours, cap_days }) = terms.bank else {
        return days_name(terms.forfeit_days);
    };
    let is_usual = cap_days == start_days;
    let most = if is_usual { String::new() } else { format!(", at most {cap_days} days") };
    let is_limited = terms.forfeit_days != BoardTerms::usual_forfeit(terms.bank);
    let turn =
        if is_limited { format!(", {}", days_name(terms.forfeit_days)) } else { String::new() };
    format!("a bank of {start_days} days and {increment_hours} hours a turn{most}{turn}")
}

/// Returns the words for the time for a move.
pub(crate) fn days_name(days: u32) -> String {
    if days == 1 { "1 day a move".into() } else { format!("{days} days a move") }
}

/// Renders the options that are chosen rarely.
fn more(game: Option<&'static dyn AnyGame>, form: &FormFields) -> Markup {
    let shown = ["-forfeittime", "-unrated", "-private", MATCH];
    let own = game.map(|game| game.spec().options).unwrap_or_default();
    let is_solo = game.is_some_and(|game| game.spec().manner.is_solo);
    let common = command::COMMON_OPTIONS.iter().filter(|_| !is_solo);
    let switches: Vec<&Switch> =
        own.iter().chain(common).filter(|switch| !shown.contains(&switch.name)).collect();
    let typed = |switch: &&Switch| form.typed(&format!("option.{}", switch.name), 0);
    let is_used = switches.iter().filter_map(typed).any(|typed| !typed.is_empty());
    html! {
        @if !switches.is_empty() {
            details open[is_used] {
                summary { "More options" }
                @for switch in switches { (option(form, switch)) }
                @if !is_solo {
                    div.for-anybody {
                        (rating_bound(form, BOUNDS[0], "Opponents rated at least"))
                        (rating_bound(form, BOUNDS[1], "Opponents rated at most"))
                    }
                }
            }
        }
    }
}

fn rating_bound(form: &FormFields, name: &str, label: &str) -> Markup {
    let name = format!("option.{name}");
    html! {
        label { (label)
            input type="number" name=(name) min="0" max="9999" placeholder="any"
                value=[form.typed(&name, 0)]; }
    }
}

fn option(form: &FormFields, switch: &Switch) -> Markup {
    let name = format!("option.{}", switch.name);
    let bare = switch.name.trim_start_matches('-').replace('_', " ");
    let label = format!("{bare}: {}", switch.help);
    html! {
        @match switch.values {
            Values::Flag => (checkbox(form, &name, &label)),
            Values::Position { format, .. } => label { (label)
                input type="text" name=(name) placeholder=(format) value=[form.typed(&name, 0)]; },
            _ => (value_field(&name, &label, &switch.values, form.typed(&name, 0))),
        }
    }
}

/// Renders the field for the value of an option that takes a word or a number.
pub(crate) fn value_field(name: &str, label: &str, values: &Values, typed: Option<&str>) -> Markup {
    html! {
        label { (label)
            @match *values {
                Values::OneOf(words) => select name=(name) {
                    option value="" { "default" }
                    @for word in words {
                        option value=(word) selected[typed == Some(word)] { (word) }
                    }
                },
                Values::Number { min, max, default } => {
                    input type="number" name=(name) min=(min) max=(max) placeholder=(default)
                        value=[typed];
                },
                Values::Halves { max, default } => {
                    input type="number" name=(name) min="0" max=(Values::of_halves(max)) step="0.5"
                        placeholder=(Values::of_halves(default)) value=[typed];
                },
                Values::Flag | Values::Position { .. } => {},
            }
        }
    }
}

/// Renders one of several values as a chip.
fn radio(name: &str, value: &str, label: &str, is_checked: bool) -> Markup {
    html! {
        label.chip {
            input type="radio" name=(name) value=(value) checked[is_checked];
            span { (label) }
        }
    }
}

/// Renders a choice of yes or no as a chip.
pub(crate) fn checkbox(form: &FormFields, name: &str, label: &str) -> Markup {
    html! {
        label.chip {
            input type="checkbox" name=(name) value="on"
                checked[form.has_typed(name, "on") == Some(true)];
            span { (label) }
        }
    }
}
