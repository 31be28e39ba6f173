//! `/`: a welcome for visitors, the games, recent moves, and open challenges.

use super::game::board_line;
use super::watch::{NewestLimits, latest_changed};
use super::{guest, learn, newcomers, thumbnails};
use crate::base::ids::BoardId;
use crate::model::announcement::{Announcement, announcements_key};
use crate::model::board::Board;
use crate::model::game_groups::game_groups;
use crate::web::html::begin::Card;
use crate::web::html::blocks::capitalized;
use crate::web::html::challenges;
use crate::web::html::error_page::PageResult;
use crate::web::http::form::HiddenFields;
use crate::web::http::request::WebRequest;
use crate::web::site::{Site, Snapshot};
use axum::extract::State;
use games::GAMES;
use maud::{Markup, html};
use std::sync::Arc;

/// The limit on boards with recent moves.
const MAX_RECENT: usize = 8;

/// The games of which the welcome shows a board. The first one is chosen.
const FIRST_GAMES: [&str; 3] = ["backgammon", "malaka", "reversi"];

/// The players that a visitor of a demonstration can sign in as.
const DEMO_PLAYERS: [&str; 3] = ["alice", "bob", "carol"];

/// The home page.
pub(crate) async fn page(State(site): State<Arc<Site>>, request: WebRequest) -> PageResult {
    site.read(request, |mut reader| {
        challenges::load(&mut reader, GAMES)?;
        reader.load(&[announcements_key()])?;
        let viewer = reader.viewer.as_ref().and_then(|viewer| reader.world.user(viewer));
        if viewer.is_some_and(newcomers::is_newcomer) {
            newcomers::load(&mut reader)?;
        }
        let limits = NewestLimits { loaded: 3 * MAX_RECENT, listed: MAX_RECENT };
        let recent = latest_changed(&mut reader, limits, |board| !board.private)?;
        let mut snapshot = reader.close();
        let has_forms = snapshot.site.parts.is_demo || guest::is_member(&snapshot);
        let hidden_fields = has_forms.then(|| snapshot.hidden_fields());
        let first_fields = guest::first_fields(&mut snapshot);
        let body = html! {
            (announcements(&snapshot))
            (welcome(&snapshot, first_fields.as_ref()))
            (body(&snapshot, &recent, hidden_fields.as_ref()))
        };
        Ok(snapshot.page("Board games", &body))
    })
    .await
}

fn body(snapshot: &Snapshot, recent: &[BoardId], hidden_fields: Option<&HiddenFields>) -> Markup {
    let recent: Vec<&Board> =
        recent.iter().filter_map(|id| snapshot.world.board(*id).ok()).collect();
    let is_demo = snapshot.site.parts.is_demo;
    let member_fields = hidden_fields.filter(|_| guest::is_member(snapshot));
    let viewer = snapshot.viewer.as_ref().and_then(|viewer| snapshot.world.user(viewer));
    let newcomer = viewer.filter(|viewer| newcomers::is_newcomer(viewer));
    html! {
        @if let Some(hidden_fields) = hidden_fields.filter(|_| is_demo) { (demo(hidden_fields)) }
        @if let Some(hidden_fields) = member_fields {
            (begin_any(snapshot, hidden_fields, false))
            @if let Some(newcomer) = newcomer {
                (newcomers::welcomers(snapshot, newcomer, "/", hidden_fields))
            }
        }
        h2 { "Games" }
        (games(snapshot))
        @if !recent.is_empty() {
            h2 { "Recent moves" }
            ul.boards { @for board in recent { li { (board_line(snapshot, board)) } } }
        }
        p { a href="/watch" { "Watch all boards in play" } " " a href="/players" { "All players" } " "
            a href="/tournaments" { "Tournaments" } " "
            a href="/ladders" { "Ladders" } }
        h2 id="challenges" { "Open challenges" }
        (challenges::list(snapshot, GAMES, member_fields))
    }
}

/// Renders the operator's announcements.
fn announcements(snapshot: &Snapshot) -> Markup {
    let shown = snapshot.world.announcements().ok();
    let shown = shown.into_iter().flat_map(|board| board.shown(snapshot.now.day()));
    let shown: Vec<&Announcement> = shown.collect();
    html! {
        @if !shown.is_empty() {
            section.news aria-label="Announcements" {
                @for one in shown { p { (one.words) } }
            }
        }
    }
}

/// Renders what this site is and how to begin: a game against the program, without an account.
fn welcome(snapshot: &Snapshot, hidden_fields: Option<&HiddenFields>) -> Markup {
    let is_guest = guest::is_guest(snapshot);
    html! {
        section.welcome aria-labelledby="welcome" {
            h1 id="welcome" { "Board games, a move at a time" }
            p {
                "Play friends, strangers or the program, in this window or by mail. Take a minute or a "
                "week for a move: the board waits for you."
            }
            @if is_guest {
                p.guest-note {
                    "You are playing as a guest. Sign up to keep your boards and to play other people."
                }
            }
            form.first method="post" action="/play" {
                @if let Some(hidden_fields) = hidden_fields { (hidden_fields.fields("play")) }
                (game_choice())
                div.actions {
                    button.main type="submit" { "Play the program now" }
                    @match &snapshot.viewer {
                        Some(_) if !is_guest => a.button href="/boards" { "My boards" },
                        _ => a.button href="/signup" { "Sign up" },
                    }
                    a.button href="/watch" { "Watch" }
                }
            }
            @if snapshot.viewer.is_none() || is_guest {
                p { "New to these games? Learn one in six moves:" }
                (learn::links())
            }
        }
    }
}

/// Renders the choice of a game: three boards.
fn game_choice() -> Markup {
    let games = FIRST_GAMES.iter().filter_map(|name| games::find(name));
    html! {
        fieldset.choice {
            legend.unseen { "Choose a game" }
            @for (index, game) in games.enumerate() {
                label {
                    (thumbnails::large_of_game(game))
                    span {
                        input type="radio" name="game" value=(game.spec().name) checked[index == 0];
                        " " (game.spec().title)
                    }
                }
            }
        }
    }
}

/// Renders the card that begins a game, with a choice of the game, folded until it is wanted.
pub(super) fn begin_any(
    snapshot: &Snapshot,
    hidden_fields: &HiddenFields,
    is_open: bool,
) -> Markup {
    if guest::is_guest(snapshot) {
        return html! { p { a.button href="/play" { "Play the program" } } };
    }
    let request = &snapshot.request;
    let friend = request.query_value("friend");
    let is_open = is_open || friend.is_some() || request.returned.is_some();
    let card = Card { game: None, back: &request.path, friend, engine: None, hidden_fields };
    html! {
        details.new-game open[is_open] {
            summary { "Begin a game" }
            (card.render())
        }
    }
}

/// Renders the choice of a player in a demonstration.
fn demo(hidden_fields: &HiddenFields) -> Markup {
    html! {
        section.demo aria-label="Demonstration" {
            p { "This is a demonstration. Who do you want to be?" }
            form.row method="post" action="/demo" {
                (hidden_fields.fields("demo"))
                @for name in DEMO_PLAYERS {
                    button type="submit" name="user" value=(name) { "Play as " (name) }
                }
            }
        }
    }
}

/// Lists all games by families, each with a short description; those that the viewer plays come first.
fn games(snapshot: &Snapshot) -> Markup {
    let viewer = snapshot.viewer.as_ref().and_then(|viewer| snapshot.world.user(viewer));
    html! {
        @for group in game_groups(viewer.as_slice()) {
            h3 { (group.title) }
            ul.games {
                @for game in group.games {
                    @let spec = game.spec();
                    li {
                        (thumbnails::of_game(snapshot, game))
                        div {
                            // "Go" alone would say nothing about where the link leads.
                            a href={ "/" (spec.name) } { span.unseen { "Play " } (spec.title) }
                            span { (capitalized(spec.about)) }
                        }
                    }
                }
            }
        }
    }
}
