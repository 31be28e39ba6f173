//! `/player/{name}`: a player's ratings and boards; and the pages below it.

mod against;
mod boards;
mod rating;

pub(crate) use against::page as against;
pub(crate) use boards::page as boards;
pub(crate) use rating::page as rating;

use super::board::path;
use super::command::MAX_MESSAGE;
use super::report;
use crate::base::ids::{BoardId, UserId};
use crate::model::board::Board;
use crate::model::user::{Mark, User};
use crate::model::world::{board_key, user_key};
use crate::reply::{ShownProfile, board_view};
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::html::fields::Field;
use crate::web::html::lists::{self, ListAddress};
use crate::web::html::marks;
use crate::web::html::player_text::player_text;
use crate::web::html::refusals::Subject;
use crate::web::http::form::HiddenFields;
use crate::web::http::request::WebRequest;
use crate::web::lists::boards::is_visible;
use crate::web::lists::rating_history::{RatingPoint, rating_history};
use crate::web::site::{Site, SiteReader, Snapshot};
use axum::extract::{Path, State};
use games::GAMES;
use maud::{Markup, html};
use std::sync::Arc;

/// The limit on finished boards that are loaded, the latest. They are the points of the small graphs.
const MAX_LOADED: usize = 200;

/// The limit on boards in each list.
const MAX_LISTED: usize = 10;

/// The page of a player.
pub(crate) async fn page(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    request: WebRequest,
) -> PageResult {
    let id = UserId::parse(&name).ok_or(PageError::NotFound)?;
    site.read(request, move |mut reader| {
        load(&mut reader, &id)?;
        let shows = reader.world.files_read();
        let mut snapshot = reader.close();
        // Guests take neither messages nor challenges, and send none.
        let is_guest = |user: &UserId| snapshot.world.is_guest(user);
        let viewer = snapshot.viewer.as_ref().filter(|viewer| **viewer != id && !is_guest(viewer));
        let has_forms = viewer.is_some() && !is_guest(&id);
        let hidden_fields = has_forms.then(|| snapshot.hidden_fields());
        let user = snapshot.world.user(&id).ok_or(PageError::NotFound)?;
        let body = body(&snapshot, user, hidden_fields.as_ref());
        let title = user.id.to_string();
        let snapshot = with_feed(snapshot, &title);
        Ok(snapshot.page(&title, &body).cached_until_change(shows))
    })
    .await
}

/// Names the feed of a player's public boards in the head of the page; for the player themselves, the feed
/// of all their boards.
fn with_feed<'a>(snapshot: Snapshot<'a>, name: &str) -> Snapshot<'a> {
    let own = snapshot.viewer.as_ref().and_then(|viewer| snapshot.world.user(viewer));
    let own =
        own.filter(|own| own.id.as_str() == name).map(|own| snapshot.site.secret_path("feed", own));
    match own {
        Some(path) => snapshot.with_feed(path, "My boards".into()),
        None => {
            snapshot.with_feed(format!("/player/{name}/feed"), format!("Public boards of {name}"))
        }
    }
}

/// Loads a player with their latest boards.
fn load(reader: &mut SiteReader, id: &UserId) -> PageResult<()> {
    reader.load(&[user_key(id)])?;
    let user = reader.world.user(id).ok_or(PageError::NotFound)?;
    let finished = user.finished.iter().rev().take(MAX_LOADED);
    let active = user.active.iter().rev().take(2 * MAX_LISTED);
    let keys: Vec<_> = active.chain(finished).map(|board| board_key(*board)).collect();
    Ok(reader.load(&keys)?)
}

fn body(snapshot: &Snapshot, user: &User, hidden_fields: Option<&HiddenFields>) -> Markup {
    let other = snapshot.viewer.as_ref().filter(|viewer| **viewer != user.id);
    let lists = ListAddress::new(format!("/player/{}/boards", user.id));
    let in_progress = lists.clone().with("state", "active").href();
    html! {
        h1 { (user.id) }
        p.quiet {
            @match snapshot.world.level(&user.id) {
                Some(level) => { "The program at level " (level) "." },
                None => { "Plays here since " (user.joined.day()) "." },
            }
        }
        (profile(snapshot, user))
        @if snapshot.world.level(&user.id).is_none() {
            p.actions {
                a.key href=(lists.href()) { "Finished boards" }
                a.key href=(in_progress) { "Boards in progress" }
                @if let Some(viewer) = other {
                    a.key href={ "/player/" (viewer) "/against/" (user.id) } { "You against " (user.id) }
                }
            }
        } @else if let Some(viewer) = other {
            p { a.key href={ "/player/" (viewer) "/against/" (user.id) } { "You against " (user.id) } }
        }
        (ratings(snapshot, user))
        @if let Some(hidden_fields) = hidden_fields { (message_forms(snapshot, user, hidden_fields)) }
        (recent_boards(snapshot, user, "Boards in progress", &user.active, &in_progress))
        (recent_boards(snapshot, user, "Finished boards", &user.finished, &lists.href()))
    }
}

/// Renders what a player tells about themselves.
fn profile(snapshot: &Snapshot, user: &User) -> Markup {
    let shown = ShownProfile::of(user, snapshot.now);
    let is_own = snapshot.viewer.as_ref() == Some(&user.id) && !user.guest;
    html! {
        @if let Some(about) = shown.about { blockquote.words { (player_text(about)) } }
        @if !shown.facts.is_empty() {
            dl.facts {
                @for fact in &shown.facts { div { dt { (fact.label) } dd { (player_text(fact.words)) } } }
            }
        }
        @if is_own {
            p { a.key href="/settings#profile" {
                @if shown.is_empty() { "Tell others about you" } @else { "Change your profile" }
            } }
        }
    }
}

/// Lists the latest loaded boards of a list, with a link to the whole list.
fn recent_boards(
    snapshot: &Snapshot,
    user: &User,
    heading: &str,
    boards: &[BoardId],
    whole: &str,
) -> Markup {
    let boards = boards.iter().rev().filter_map(|id| snapshot.world.loaded_board(*id));
    let visible = boards.filter(|board| is_visible(snapshot.viewer.as_ref(), board));
    let visible: Vec<&Board> = visible.take(MAX_LISTED + 1).collect();
    html! {
        @if !visible.is_empty() {
            h2 { (heading) }
            ul.boards {
                @for board in visible.iter().take(MAX_LISTED) {
                    li {
                        a href=(path(board.id)) { (board.game.spec().title) " " (board.id.number) }
                        @if let Some(seat) = board.seat(&user.id) {
                            " with " (lists::player(board.player(seat.other())))
                        }
                        span.quiet { (board_view::state_sentence(board, None)) }
                    }
                }
            }
            @if visible.len() > MAX_LISTED { p { a href=(whole) { "All of them" } } }
        }
    }
}

/// Renders a table of the ratings, each with a graph.
fn ratings(snapshot: &Snapshot, user: &User) -> Markup {
    let rated = GAMES.iter().map(|game| game.spec());
    let rated: Vec<_> =
        rated.filter_map(|spec| Some((spec, user.ratings.get(spec.name)?))).collect();
    let head = html! {
        th scope="col" { "Game" }
        th scope="col" { "Rating" }
        @for extra in ["Won", "Lost", "Tied", "Original"] { th.extra scope="col" { (extra) } }
        th scope="col" { "Over time" }
    };
    let rows = html! {
        @for (spec, standing) in &rated {
            @let history = rating_history(&snapshot.world, snapshot.viewer.as_ref(), user, spec.name);
            tr {
                th scope="row" { a href={ "/" (spec.name) "/standings" } { (spec.title) } }
                td.whole { (standing.marked_points()) " \u{b1}" (standing.skill.deviation.points()) }
                @for extra in [standing.won, standing.lost, standing.tied] { td.extra { (extra) } }
                td.extra { (standing.original.points()) }
                td {
                    a.graph href={ "/player/" (user.id) "/rating/" (spec.name) } {
                        (small_graph(&history))
                        span { "History" span.unseen { " of the rating in " (spec.title) } }
                    }
                }
            }
        }
    };
    html! { @if !rated.is_empty() { h2 { "Ratings" } (lists::table("Ratings", &head, &rows)) } }
}

/// Draws a line through the ratings, 120 by 32 pixels with a margin of 2.
fn small_graph(history: &[RatingPoint]) -> Markup {
    let first = history.first().map(|point| point.before);
    let points: Vec<i32> =
        first.into_iter().chain(history.iter().map(|point| point.after)).collect();
    let (Some(min), Some(max)) = (points.iter().min(), points.iter().max()) else {
        return html! {};
    };
    let range = (max - min).max(1);
    let last = i32::try_from(points.len().saturating_sub(1)).unwrap_or(1).max(1);
    let places = (0_i32..)
        .zip(&points)
        .map(|(at, point)| format!("{},{}", 2 + at * 116 / last, 30 - (point - min) * 28 / range));
    let places = places.collect::<Vec<_>>().join(" ");
    html! {
        svg.way viewBox="0 0 120 32" width="120" height="32" aria-hidden="true" {
            polyline points=(places) fill="none" stroke="currentColor" stroke-width="2" {}
        }
    }
}

/// Renders the forms that write to the player, and that put marks on them.
fn message_forms(snapshot: &Snapshot, user: &User, hidden_fields: &HiddenFields) -> Markup {
    let back = format!("/player/{}", user.id);
    let message = Field::new("comment", "Your message").length(0, MAX_MESSAGE);
    let message = message.about(&[Subject::Message]);
    let is_returned = hidden_fields.returned.is_some();
    let Some(viewer) = snapshot.viewer.as_ref().and_then(|viewer| snapshot.world.user(viewer))
    else {
        return html! {};
    };
    let mark = |mark| marks::button(viewer, &user.id, mark, &back, hidden_fields);
    html! {
        @if !viewer.has_marked(&user.id, Mark::Blocked) {
            p { a.button.main href={ "/boards?friend=" (user.id) } { "Begin a game with " (user.id) } }
        }
        (mark(Mark::Favourite))
        details open[is_returned] {
            summary { "Write to " (user.id) }
            (hidden_fields.command_form("message", "message", &back, &html! {
                input type="hidden" name="word" value=(user.id);
                (hidden_fields.form("message").area(&message, 3))
                button type="submit" { "Send" }
            }))
            (mark(Mark::Muted))
            (mark(Mark::Blocked))
            p { a.key href=(report::player_path(&user.id)) { "Report " (user.id) } }
        }
    }
}
