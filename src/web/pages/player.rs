//! `/player/{name}`: a player's ratings over time, and their boards.

use super::board::path;
use crate::base::ids::{BoardId, UserId};
use crate::model::board::Board;
use crate::model::user::User;
use crate::model::world::{board_key, user_key};
use crate::reply::board_view;
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::http::form::HiddenFields;
use crate::web::http::request::WebRequest;
use crate::web::site::{Site, Snapshot};
use axum::extract::{Path, State};
use games::GAMES;
use maud::{Markup, html};
use std::sync::Arc;

/// The limit on finished boards that are loaded, the latest. They are the points of the rating graph.
const MAX_LOADED: usize = 200;

/// The limit on boards in each list.
const MAX_LISTED: usize = 20;

/// The page of a player.
pub(crate) async fn page(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    request: WebRequest,
) -> PageResult {
    let id = UserId::parse(&name).ok_or(PageError::NotFound)?;
    site.read(request, move |mut reader| {
        reader.load(&[user_key(&id)])?;
        let user = reader.world.user(&id).ok_or(PageError::NotFound)?;
        let finished = user.finished.iter().rev().take(MAX_LOADED);
        let active = user.active.iter().rev().take(MAX_LISTED);
        let keys: Vec<_> = active.chain(finished).map(|board| board_key(*board)).collect();
        reader.load(&keys)?;
        let mut snapshot = reader.close();
        let is_other = snapshot.viewer.as_ref().is_some_and(|viewer| *viewer != id);
        // Guests take neither messages nor challenges, and send none.
        let is_guest = |user: &UserId| snapshot.world.is_guest(user);
        let is_other =
            is_other && !is_guest(&id) && !snapshot.viewer.as_ref().is_some_and(is_guest);
        let hidden_fields = is_other.then(|| snapshot.hidden_fields());
        let user = snapshot.world.user(&id).ok_or(PageError::NotFound)?;
        let body = html! {
            h1 { (user.id) }
            p.quiet { "Plays here since " (user.joined.day()) "." }
            (ratings(&snapshot, user))
            @if let Some(hidden_fields) = &hidden_fields { (message_forms(user, hidden_fields)) }
            (boards(&snapshot, user, "Boards in progress", &user.active))
            (boards(&snapshot, user, "Finished boards", &user.finished))
        };
        let title = user.id.to_string();
        Ok(snapshot.page(&title, &body))
    })
    .await
}

/// Returns whether the viewer may see a board.
fn is_visible(snapshot: &Snapshot, board: &Board) -> bool {
    let is_player = |viewer| board.seat(viewer).is_some();
    !board.private || snapshot.viewer.as_ref().is_some_and(is_player)
}

fn boards(snapshot: &Snapshot, user: &User, heading: &str, boards: &[BoardId]) -> Markup {
    let boards = boards.iter().rev().filter_map(|id| snapshot.world.board(*id).ok());
    let visible = boards.filter(|board| is_visible(snapshot, board)).take(MAX_LISTED);
    let visible: Vec<&Board> = visible.collect();
    html! {
        @if !visible.is_empty() {
            h2 { (heading) }
            ul.boards {
                @for board in visible {
                    li {
                        a href=(path(board.id)) { (board.game.spec().title) " " (board.id.number) }
                        @if let Some(seat) = board.seat(&user.id) {
                            " with " a href={ "/player/" (board.player(seat.other())) } {
                                (board.player(seat.other())) }
                        }
                        span.quiet { (board_view::state_sentence(board, None)) }
                    }
                }
            }
        }
    }
}

/// Renders a table of the ratings, each with a graph.
fn ratings(snapshot: &Snapshot, user: &User) -> Markup {
    html! {
        @if !user.ratings.is_empty() {
            table.standings {
                tr { th { "Game" } th { "Rating" } th { "Won" } th { "Lost" } th { "Tied" } th { "Over time" } }
                @for spec in GAMES.iter().map(|game| game.spec()) {
                    @if let Some(standing) = user.ratings.get(spec.name) {
                        tr {
                            th scope="row" { a href={ "/" (spec.name) "/standings" } { (spec.title) } }
                            td { (standing.rating.points()) }
                            td { (standing.won) } td { (standing.lost) } td { (standing.tied) }
                            td { (graph(&rating_history(snapshot, user, spec.name))) }
                        }
                    }
                }
            }
        }
    }
}

/// Returns the ratings after each loaded board of a game, with the rating before the first.
fn rating_history(snapshot: &Snapshot, user: &User, game: &str) -> Vec<i32> {
    let boards = user.finished.iter().filter(|id| id.game == game);
    let mut points = Vec::new();
    for board in boards.filter_map(|id| snapshot.world.board(*id).ok()) {
        let seat = board.seat(&user.id);
        let Some((effects, seat)) = board.rated.as_ref().zip(seat) else { continue };
        let effect = effects[seat.index()];
        if points.is_empty() {
            points.push(effect.before.rating.points());
        }
        points.push(effect.after.rating.points());
    }
    points
}

/// Draws a line through the points, 200 by 48 pixels with a margin of 4.
fn graph(points: &[i32]) -> Markup {
    let (Some(min), Some(max)) = (points.iter().min(), points.iter().max()) else {
        return html! {};
    };
    let range = (max - min).max(1);
    let last = i32::try_from(points.len().saturating_sub(1)).unwrap_or(1).max(1);
    let places = (0_i32..)
        .zip(points)
        .map(|(at, point)| format!("{},{}", 4 + at * 192 / last, 44 - (point - min) * 40 / range));
    let places = places.collect::<Vec<_>>().join(" ");
    let label =
        format!("from {} to {}, between {min} and {max}", points[0], points[points.len() - 1]);
    html! {
        svg.way viewBox="0 0 200 48" width="200" height="48" role="img" aria-label=(label) {
            polyline points=(places) fill="none" stroke="currentColor" stroke-width="2" {}
        }
    }
}

/// Renders the forms that write to the player, and that mute them.
fn message_forms(user: &User, hidden_fields: &HiddenFields) -> Markup {
    let back = format!("/player/{}", user.id);
    html! {
        details {
            summary { "Write to " (user.id) }
            (hidden_fields.command_form("message", "message", &back, &html! {
                input type="hidden" name="word" value=(user.id);
                label { "Your message" textarea name="comment" rows="3" maxlength="10000" required {} }
                button type="submit" { "Send" }
            }))
            (hidden_fields.command_form("mute", "mute", &back, &html! {
                input type="hidden" name="word" value=(user.id);
                button type="submit" { "Mute " (user.id) }
            }))
        }
    }
}
