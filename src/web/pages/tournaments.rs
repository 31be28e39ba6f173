//! `/tournaments` and `/{game}/tournaments`: open, running and ended tournaments, and the form that
//! creates one.

use super::guest;
use super::tournament::path;
use crate::command::TOURNAMENT_OPTIONS;
use crate::model::tournament::{Stage, Tournament};
use crate::model::world::{tournament_key, tournament_list_key};
use crate::refusal::Refusal;
use crate::reply::tournament_words as words;
use crate::store::Key;
use crate::web::html::begin::{checkbox, days_name};
use crate::web::html::blocks::capitalized;
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::html::fields::FormFields;
use crate::web::http::form::HiddenFields;
use crate::web::http::request::WebRequest;
use crate::web::site::{Site, SiteReader, Snapshot};
use axum::extract::{Path, State};
use games::{AnyGame, GAMES, Values};
use maud::{Markup, html};
use std::sync::Arc;

/// The formats, as their option and in words.
const FORMATS: [(&str, &str); 6] = [
    ("round-robin", "Round robin in divisions"),
    ("cup", "Cup in groups"),
    ("single", "Single elimination"),
    ("double", "Double elimination"),
    ("swiss", "Swiss"),
    ("teams", "Team match, four against four"),
];

/// The days for a move that the form offers, the proposed number first.
const DAYS: [u32; 5] = [7, 3, 5, 14, 21];

/// The page of all games.
pub(crate) async fn all(State(site): State<Arc<Site>>, request: WebRequest) -> PageResult {
    site.read(request, move |reader| render(reader, None)).await
}

/// The page of a game.
pub(crate) async fn of_game(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    request: WebRequest,
) -> PageResult {
    let game = games::find(&name).ok_or(PageError::NotFound)?;
    site.read(request, move |reader| render(reader, Some(game))).await
}

fn render(mut reader: SiteReader, game: Option<&'static dyn AnyGame>) -> PageResult {
    let games = game.map_or_else(|| GAMES.to_vec(), |game| vec![game]);
    let lists: Vec<Key> = games.iter().map(|game| tournament_list_key(game.spec().name)).collect();
    reader.load(&lists)?;
    let mut ids = Vec::new();
    for game in &games {
        let list = reader.world.tournament_list(game.spec().name).map_err(Refusal::from)?;
        ids.extend(list.shown());
    }
    let keys: Vec<Key> = ids.iter().map(|id| tournament_key(*id)).collect();
    reader.load(&keys)?;
    let mut snapshot = reader.close();
    let hidden_fields = guest::member_fields(&mut snapshot);
    let all: Vec<&Tournament> =
        ids.iter().filter_map(|id| snapshot.world.loaded_tournament(*id)).collect();
    let title = game
        .map_or_else(|| "Tournaments".into(), |game| format!("{} tournaments", game.spec().title));
    let body = body(&snapshot, &title, game, &all, hidden_fields.as_ref());
    let shown = lists.iter().chain(&keys).filter_map(Key::file).collect();
    Ok(snapshot.page(&title, &body).cached_until_change(Some(shown)))
}

fn body(
    snapshot: &Snapshot,
    title: &str,
    game: Option<&'static dyn AnyGame>,
    all: &[&Tournament],
    hidden_fields: Option<&HiddenFields>,
) -> Markup {
    let sections =
        [("Open for entry", Stage::Open), ("Running", Stage::Running), ("Ended", Stage::Ended)];
    html! {
        @if let Some(game) = game {
            nav.trail aria-label="Where you are" {
                a href={ "/" (game.spec().name) } { (game.spec().title) }
            }
        }
        h1 { (title) }
        p { "Play for a place in a table: " a href="/help/tournament" { "formats and rules" } "." }
        @if all.is_empty() { p.quiet { "There are no tournaments at the moment." } }
        @for (head, stage) in sections {
            @let of_stage: Vec<_> = all.iter().filter(|one| one.stage() == stage).collect();
            @if !of_stage.is_empty() {
                h2 { (head) }
                ul.boards { @for tournament in of_stage { (item(tournament)) } }
            }
        }
        @match hidden_fields {
            Some(fields) => (create_form(game, fields, &snapshot.request.path)),
            None => p { a href={ "/signin?back=" (snapshot.request.path) } { "Sign in" }
                " to enter or to open a tournament." },
        }
    }
}

fn item(tournament: &Tournament) -> Markup {
    html! {
        li {
            div {
                a href=(path(tournament.id)) { (tournament.id.title()) }
                span.quiet {
                    (capitalized(&words::format_words(tournament.terms.format))) ". " (words::state(tournament))
                }
            }
        }
    }
}

/// Renders the form that creates a tournament.
fn create_form(
    game: Option<&'static dyn AnyGame>,
    hidden_fields: &HiddenFields,
    back: &str,
) -> Markup {
    let form = hidden_fields.form("tournament");
    html! {
        section.new-game aria-labelledby="create" {
            h2 id="create" { "Open a tournament" }
            form.new-game method="post" action="/say" {
                (form.hidden())
                input type="hidden" name="verb" value="tournament";
                input type="hidden" name="back" value=(back);
                input type="hidden" name="word" value="create";
                (game_choice(game, &form))
                label { "Format"
                    select name="option.-format" {
                        @for (value, label) in FORMATS {
                            option value=(value)
                                selected[form.has_typed("option.-format", value) == Some(true)] {
                                (label)
                            }
                        }
                    }
                }
                label { "Time for a move"
                    select name="option.-forfeittime" {
                        @for days in DAYS {
                            @let value = days.to_string();
                            option value=(value)
                                selected[form.has_typed("option.-forfeittime", &value) == Some(true)] {
                                (days_name(days))
                            }
                        }
                    }
                }
                label { "It starts on (usually in two weeks)"
                    input type="date" name="option.-start" value=[form.typed("option.-start", 0)]; }
                details {
                    summary { "More options" }
                    @for (name, label, usual) in NUMBERS {
                        (number(&form, name, label, usual))
                    }
                    (checkbox(&form, "option.-double", "two games for each player of a team"))
                    (checkbox(&form, "option.-recurring",
                        "a round robin in seasons, with promotion and relegation"))
                }
                (form.problem())
                button.main type="submit" { "Open for entry" }
            }
        }
    }
}

/// The options that are numbers: name, label, and the usual value.
const NUMBERS: [(&str, &str, &str); 7] = [
    ("-players", "It is full and starts with", "16"),
    ("-least", "It starts on its day with at least", "4"),
    ("-group", "The most players of a division or group", "10"),
    ("-rounds", "Rounds of a Swiss tournament", "5"),
    ("-days", "Days for a round", "60"),
    ("-min", "For players rated at least", "any"),
    ("-max", "For players rated at most", "any"),
];

/// Renders a field for a number with the bounds of its option.
fn number(form: &FormFields, name: &str, label: &str, usual: &str) -> Markup {
    let option = TOURNAMENT_OPTIONS.iter().find(|option| option.name == name);
    let Some(Values::Number { min, max, .. }) = option.map(|option| &option.values) else {
        return html! {};
    };
    let name = format!("option.{name}");
    html! {
        label { (label)
            input type="number" name=(name) min=(min) max=(max) placeholder=(usual)
                value=[form.typed(&name, 0)]; }
    }
}

fn game_choice(game: Option<&'static dyn AnyGame>, form: &FormFields) -> Markup {
    if let Some(game) = game {
        return html! { input type="hidden" name="game" value=(game.spec().name); };
    }
    let specs = GAMES.iter().map(|game| game.spec()).filter(|spec| !spec.manner.is_solo);
    html! {
        label { "Game"
            select name="game" {
                @for spec in specs {
                    option value=(spec.name) selected[form.typed("game", 0) == Some(spec.name)] {
                        (spec.title)
                    }
                }
            }
        }
    }
}
