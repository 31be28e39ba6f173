//! `/study/{game}`: a free board for both sides, from the start of the game or from a position.

use super::board::flip;
use super::command::OPTION;
use super::trial::{TrialAddress, TrialOutcome, TrialStart, respond, with_tried};
use crate::web::html::begin::value_field;
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::http::request::WebRequest;
use crate::web::site::{Site, SiteReader, Snapshot};
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use games::{
    AnyGame, AnyPosition, Chance, Choices, Next, POSITION, Switch, Thrower as _, Values, View,
};
use maud::{Markup, html};
use std::sync::Arc;

/// The limit on the length of a position.
const MAX_POSITION: usize = 1_000;

/// The number of deals that an address can choose from.
const DEALS: usize = 1_000_000_000;

/// The page of a study board.
pub(crate) async fn page(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    request: WebRequest,
) -> PageResult<Response> {
    let game = games::find(&name).ok_or(PageError::NotFound)?;
    if game.spec().name != name {
        return Ok(Redirect::permanent(&path(game)).into_response());
    }
    if let Some(flipped) = flip(&site, &request, &path(game)) {
        return Ok(flipped);
    }
    let outcome = site.clone().read(request.clone(), move |reader| begin(reader, game)).await?;
    respond(site, request, outcome).await
}

/// The page of a study board whose path has what was tried.
pub(crate) async fn tried_page(
    site: State<Arc<Site>>,
    Path((name, _)): Path<(String, String)>,
    request: WebRequest,
) -> PageResult<Response> {
    page(site, Path(name), with_tried(request)).await
}

/// Returns the path of a game's study board.
pub(crate) fn path(game: &dyn AnyGame) -> String {
    format!("/study/{}", game.spec().name)
}

/// The position where a study begins.
struct StudyStart {
    /// The fields of the query that lead there.
    fields: Vec<(String, String)>,
    /// The position as it was given, if it was.
    given: String,
    /// Why the position or the options cannot be used; the study begins at the usual start then.
    refused: Option<String>,
    position: Box<dyn AnyPosition>,
}

/// Follows the query from the start of the game, or from the position that it names.
fn begin(reader: SiteReader, game: &'static dyn AnyGame) -> PageResult<TrialOutcome> {
    let Snapshot { site, request, .. } = &reader.close();
    let StudyStart { mut fields, given, refused, mut position } = StudyStart::read(game, request);
    if position.next() == Next::Deal {
        // The stones follow from a number in the address, so that the address has the whole state.
        let Some(deal) = request.query_value("deal") else {
            fields.push(("deal".into(), site.dice().below(DEALS).to_string()));
            let requested = path(game);
            let address = TrialAddress { path: path(game), fields, requested };
            return Ok(TrialOutcome::Elsewhere(address.start()));
        };
        let mut chance = Chance::new(deal.parse().map_err(|_| PageError::NotFound)?);
        let stones = position.deal(&mut |limit| chance.below(limit));
        position.lay(stones).map_err(|_| PageError::NotFound)?;
        fields.push(("deal".into(), deal.to_owned()));
    }
    let spec = game.spec();
    let start = TrialStart {
        game,
        address: TrialAddress { path: path(game), fields, requested: request.path.clone() },
        names: position.sides().map(str::to_owned),
        has_opinion: position.evaluation_unit().is_some(),
        position,
        view: View::default(),
        is_flipped: request.is_flipped,
        title: format!("Study board: {}", spec.title),
        head: html! {
            nav.trail aria-label="Where you are" { a href={ "/" (spec.name) } { (spec.title) } }
            h1 { "Study board" }
            p.quiet {
                "Move both sides. The address of this page has the position: keep it or share it."
            }
        },
        plan: None,
        foot: begin_form(game, &given, request, refused.is_some()),
        notice: refused,
    };
    start.follow(request, &mut site.dice())
}

impl StudyStart {
    /// Reads the options and the position of a study from a query.
    fn read(game: &'static dyn AnyGame, request: &WebRequest) -> Self {
        let given = request.query_value("position").unwrap_or_default().trim().to_owned();
        let options = request.query.iter().filter_map(|(name, value)| {
            let option = name.strip_prefix(OPTION).filter(|name| *name != POSITION)?;
            (!value.is_empty()).then(|| (option, (name.clone(), value.clone())))
        });
        let options: Vec<(&str, (String, String))> = options.collect();
        let begun = game_options(game, &options).and_then(|options| match &*given {
            "" => Ok(game.setup(&options)),
            given if given.len() > MAX_POSITION => Err("the position is too long".into()),
            given => game.place(&options, given),
        });
        match begun {
            Ok(position) => {
                let place = (!given.is_empty()).then(|| (POSITION.to_owned(), given.clone()));
                let fields = options.into_iter().map(|(_, field)| field).chain(place).collect();
                Self { fields, given, refused: None, position }
            }
            Err(why) => {
                let position = game.setup(&Choices::default());
                Self { fields: Vec::new(), given, refused: Some(why), position }
            }
        }
    }
}

/// Reads options, each with its field.
fn game_options(
    game: &dyn AnyGame,
    options: &[(&str, (String, String))],
) -> Result<Choices, String> {
    let words: Vec<String> = options
        .iter()
        .map(|(name, (_, value))| match value.as_str() {
            "on" => format!("-{name}"),
            value => format!("-{name}={value}"),
        })
        .collect();
    let spec = game.spec();
    let words = words.iter().map(String::as_str);
    Choices::parse(spec.options, spec.exclusive, words).map_err(|error| error.to_string())
}

/// Renders the form that begins from another position or with other options. It shows what was typed
/// before, also if that was refused.
fn begin_form(game: &dyn AnyGame, given: &str, request: &WebRequest, is_open: bool) -> Markup {
    let spec = game.spec();
    let typed = |switch: &Switch| request.query_value(&option_field(switch));
    html! {
        details open[is_open] {
            summary { "Begin from another position" }
            form.tall method="get" action=(path(game)) {
                label { "Position, as the page of a board shows it (optional)"
                    input name=(POSITION) value=(given) autocomplete="off" maxlength=(MAX_POSITION); }
                @for switch in spec.options { (option(switch, typed(switch))) }
                button type="submit" { "Begin" }
            }
        }
        p { a href={ "/help/" (spec.name) } { "The rules of " (spec.title) } }
    }
}

/// Returns the name of the field of an option.
fn option_field(switch: &Switch) -> String {
    format!("{OPTION}{}", switch.name)
}

/// Renders the field of an option, with the value that was chosen before.
fn option(switch: &Switch, typed: Option<&str>) -> Markup {
    let name = option_field(switch);
    let label = format!("{}: {}", switch.name, switch.help);
    html! {
        @match switch.values {
            Values::Flag => label.check {
                input type="checkbox" name=(name) value="on" checked[typed.is_some()]; " " (label)
            },
            Values::Position { .. } => {},
            _ => (value_field(&name, &label, &switch.values, typed)),
        }
    }
}
