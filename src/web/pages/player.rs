//! A player: their boards, ratings over time, games won and lost.

use crate::base::ids::{BoardId, UserId};
use crate::model::board::Board;
use crate::model::user::User;
use crate::model::world::{board_key, user_key};
use crate::reply::board_view;
use crate::web::html::error_page::PageError;
use crate::web::html::page::WebPage;
use crate::web::http::request::WebRequest;
use crate::web::pages::board::path;
use crate::web::pages::settings::say;
use crate::web::site::{Site, SiteView};
use axum::extract::{Path, State};
use games::GAMES;
use maud::{Markup, html};
use std::sync::Arc;

/// Boards that are read at most, the latest: the picture of ratings has so many points.
const MOST: usize = 200;

/// Boards in progress, and finished ones, that are listed.
const LISTED: usize = 20;

pub(in crate::web) async fn page(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    ask: WebRequest,
) -> Result<WebPage, PageError> {
    let id = UserId::parse(&name).ok_or(PageError::NotFound)?;
    site.read(ask, move |mut reader| {
        reader.gather(&[user_key(&id)])?;
        let user = reader.world.user(&id).ok_or(PageError::NotFound)?;
        let finished = user.finished.iter().rev().take(MOST);
        let active = user.active.iter().rev().take(LISTED);
        let keys: Vec<_> = active.chain(finished).map(|board| board_key(*board)).collect();
        reader.gather(&keys)?;
        let mut seen = reader.leave();
        let seal = seen.viewer.as_ref().filter(|me| **me != id).map(|_| ()).map(|()| seen.seal());
        let user = seen.world.user(&id).ok_or(PageError::NotFound)?;
        let body = html! {
            h1 { (user.id) }
            p.quiet { "Plays here since " (user.joined.day()) "." }
            (ratings(&seen, user))
            @if let Some(seal) = &seal { (mute(user, seal)) }
            (boards(&seen, user, "Boards in progress", &user.active))
            (boards(&seen, user, "Finished boards", &user.finished))
        };
        let title = user.id.to_string();
        Ok(seen.page(&title, &body))
    })
    .await
}

/// Whether anybody may see a board, or at least the user who asks.
fn is_shown(seen: &SiteView, board: &Board) -> bool {
    !board.private || seen.viewer.as_ref().is_some_and(|me| board.seat(me).is_some())
}

fn boards(seen: &SiteView, user: &User, heading: &str, boards: &[BoardId]) -> Markup {
    let shown = boards.iter().rev().filter_map(|id| seen.world.board(*id).ok());
    let shown: Vec<&Board> = shown.filter(|board| is_shown(seen, board)).take(LISTED).collect();
    html! {
        @if !shown.is_empty() {
            h2 { (heading) }
            ul.boards {
                @for board in shown {
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

/// The ratings, each with its way through time.
fn ratings(seen: &SiteView, user: &User) -> Markup {
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
                            td { (line(&way(seen, user, spec.name))) }
                        }
                    }
                }
            }
        }
    }
}

/// How the rating has gone, as far as the boards tell that were read.
fn way(seen: &SiteView, user: &User, game: &str) -> Vec<i32> {
    let boards = user.finished.iter().filter(|id| id.game == game);
    let mut points = Vec::new();
    for board in boards.filter_map(|id| seen.world.board(*id).ok()) {
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

/// A line through these numbers.
fn line(points: &[i32]) -> Markup {
    let (Some(least), Some(most)) = (points.iter().min(), points.iter().max()) else {
        return html! {};
    };
    let high = (most - least).max(1);
    let last = i32::try_from(points.len().saturating_sub(1)).unwrap_or(1).max(1);
    let places = (0_i32..)
        .zip(points)
        .map(|(at, point)| format!("{},{}", 4 + at * 192 / last, 44 - (point - least) * 40 / high));
    let places = places.collect::<Vec<_>>().join(" ");
    let words =
        format!("from {} to {}, between {least} and {most}", points[0], points[points.len() - 1]);
    html! {
        svg.way viewBox="0 0 200 48" width="200" height="48" role="img" aria-label=(words) {
            polyline points=(places) fill="none" stroke="currentColor" stroke-width="2" {}
        }
    }
}

/// Words of theirs need not be heard.
fn mute(user: &User, seal: &crate::web::http::form::HiddenFields) -> Markup {
    let back = format!("/player/{}", user.id);
    html! {
        details {
            summary { "Write to " (user.id) }
            (say(seal, "message", "message", &back, &html! {
                input type="hidden" name="word" value=(user.id);
                label { "Your words" textarea name="comment" rows="3" maxlength="10000" required {} }
                button type="submit" { "Send" }
            }))
            (say(seal, "mute", "mute", &back, &html! {
                input type="hidden" name="word" value=(user.id);
                button type="submit" { "Hear no words of " (user.id) }
            }))
        }
    }
}
