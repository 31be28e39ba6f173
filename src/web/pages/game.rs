//! `/{game}`: a game's open challenges, the forms that start it, and its boards in progress.

use super::board::path;
use super::watch::{NewestLimits, is_watched, newest_of_game};
use super::{guest, ladder, learn, opponents, study, thumbnails};
use crate::base::ids::BoardId;
use crate::model::board::Board;
use crate::web::html::begin::Card;
use crate::web::html::blocks::capitalized;
use crate::web::html::challenges;
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::http::form::HiddenFields;
use crate::web::http::request::WebRequest;
use crate::web::site::{Site, Snapshot};
use axum::extract::{Path, State};
use games::{AnyGame, Manner, Spec};
use maud::{Markup, html};
use std::sync::Arc;

/// The limit on listed boards.
const MAX_LISTED: usize = 20;

/// The limit on boards that are loaded for the list. Finished and private boards are not listed.
const MAX_LOADED: usize = 100;

/// The page of a game.
pub(crate) async fn page(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    request: WebRequest,
) -> PageResult {
    let game = games::find(&name).ok_or(PageError::NotFound)?;
    let spec = game.spec();
    site.read(request, move |mut reader| {
        let limits = NewestLimits { loaded: MAX_LOADED, listed: MAX_LISTED };
        let boards = newest_of_game(&mut reader, spec.name, None, limits, is_watched)?.boards;
        challenges::load(&mut reader, &[game])?;
        let mut snapshot = reader.close();
        let hidden_fields = guest::member_fields(&mut snapshot);
        let first_fields = guest::first_fields(&mut snapshot);
        let body = body(&snapshot, game, &boards, hidden_fields.as_ref(), first_fields.as_ref());
        let feed_title = format!("Finished boards of {}", spec.title);
        let snapshot = snapshot.with_feed(format!("/{}/feed", spec.name), feed_title);
        Ok(snapshot.page(spec.title, &body))
    })
    .await
}

fn body(
    snapshot: &Snapshot,
    game: &'static dyn AnyGame,
    boards: &[BoardId],
    hidden_fields: Option<&HiddenFields>,
    first_fields: Option<&HiddenFields>,
) -> Markup {
    let spec = game.spec();
    let boards: Vec<&Board> =
        boards.iter().filter_map(|id| snapshot.world.board(*id).ok()).collect();
    html! {
        h1 { (spec.title) }
        p { (capitalized(spec.about)) "." }
        (at_a_glance(spec))
        (links(game))
        @match hidden_fields {
            Some(hidden_fields) => (begin_card(snapshot, game, hidden_fields)),
            None => (visitor_forms(game, first_fields)),
        }
        h2 { "Open challenges" }
        (challenges::list(snapshot, &[game], hidden_fields))
        h2 { "Boards in progress" }
        @if boards.is_empty() { p.quiet { "There are no public boards in progress." } }
        ul.boards {
            @for board in boards { li { (board_line(snapshot, board)) } }
        }
    }
}

/// Renders how long a game takes to learn and to play, and which games resemble it.
fn at_a_glance(spec: &Spec) -> Markup {
    let Manner { turns, minutes_to_learn, is_solo, .. } = spec.manner;
    let players = if is_solo { "" } else { " of each player" };
    let alike: Vec<&Spec> = games::relatives(spec.name).map(AnyGame::spec).collect();
    html! {
        p.quiet {
            (format!("Learnt in {minutes_to_learn} minutes; a game takes about {turns} turns{players}."))
            @if !alike.is_empty() {
                " Its family:"
                @for (index, other) in alike.iter().enumerate() {
                    @if index > 0 { "," }
                    " " a href={ "/" (other.name) } { (other.title) }
                }
                "."
            }
        }
    }
}

/// Renders the links to the other pages of a game.
fn links(game: &dyn AnyGame) -> Markup {
    let spec = game.spec();
    html! {
        nav.links aria-label=(spec.title) {
            a href={ "/help/" (spec.name) } { "The rules" }
            a href=(study::path(game)) { "Study board" }
            a href={ "/" (spec.name) "/standings" } { "Standings" }
            a href={ "/" (spec.name) "/history" } { "Finished boards" }
            a href={ "/" (spec.name) "/tournaments" } { "Tournaments" }
            @if !spec.manner.is_solo {
                a href=(ladder::path(spec.name)) { "Ladder" }
                a href=(opponents::path(spec.name)) { "Find an opponent" }
            }
            a href="/players" { "Players" }
            @if let Some(lesson) = learn::path(spec.name) {
                a href=(lesson) { "Learn it in six moves" }
            }
        }
    }
}

/// Renders what a visitor who has not signed in can do: play the program, or sign in.
fn visitor_forms(game: &dyn AnyGame, first_fields: Option<&HiddenFields>) -> Markup {
    let spec = game.spec();
    html! {
        @if spec.manner.levels > 0 {
            h2 { "Play the program now" }
            p { "You need no account. If you sign up later, you keep the board." }
            (guest::level_buttons(game, first_fields))
        }
        p { a href={ "/signin?back=/" (spec.name) } { "Sign in" } " to play other people." }
    }
}

/// Renders the card that begins this game.
fn begin_card(
    snapshot: &Snapshot,
    game: &'static dyn AnyGame,
    hidden_fields: &HiddenFields,
) -> Markup {
    let friend = snapshot.request.query_value("friend");
    let back = format!("/{}", game.spec().name);
    let engines = &snapshot.site.parts.setup.config.engines;
    let engine = engines.program(game.spec().name);
    Card { game: Some(game), back: &back, friend, engine, hidden_fields }.render()
}

/// Renders a board in a list.
pub(super) fn board_line(snapshot: &Snapshot, board: &Board) -> Markup {
    let [one, other] = &board.players;
    html! {
        (thumbnails::of_board(snapshot, board))
        div {
            a href=(path(board.id)) { (board.game.spec().title) " " (board.id.number) }
            span.quiet {
                a href={ "/player/" (one) } { (one) } " and " a href={ "/player/" (other) } { (other) }
                ", move " (board.next_move())
            }
        }
    }
}
