//! `/player/{name}/rating/{game}`: a player's rating in a game over time, as a graph and as a table.

use crate::base::ids::UserId;
use crate::model::rating::Standing;
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::html::lists::{self, ListAddress};
use crate::web::html::rating_graph::{GraphPoint, rating_graph};
use crate::web::http::request::WebRequest;
use crate::web::lists::boards::MAX_LOADED;
use crate::web::lists::rating_history::{RatingPoint, load_rating_history, rating_history};
use crate::web::lists::{PAGE_SIZE, page_count, page_number};
use crate::web::pages::board::path;
use crate::web::site::Site;
use axum::extract::{Path, State};
use games::Spec;
use maud::{Markup, html};
use std::sync::Arc;

/// The page of a rating.
pub(crate) async fn page(
    State(site): State<Arc<Site>>,
    Path((name, game)): Path<(String, String)>,
    request: WebRequest,
) -> PageResult {
    let id = UserId::parse(&name).ok_or(PageError::NotFound)?;
    let game = games::find(&game).filter(|found| found.spec().name == game);
    let spec = game.ok_or(PageError::NotFound)?.spec();
    let page = page_number(&request)?;
    site.read(request, move |mut reader| {
        load_rating_history(&mut reader, &id, spec.name)?;
        let shows = reader.world.files_read();
        let snapshot = reader.close();
        let user = snapshot.world.user(&id).ok_or(PageError::NotFound)?;
        let viewer = snapshot.viewer.as_ref();
        let history = rating_history(&snapshot.world, viewer, user, spec.name);
        if page > page_count(history.len()) {
            return Err(PageError::NotFound);
        }
        let title = format!("{} in {}", user.id, spec.title);
        let standing = user.standing(spec.name);
        let body = body(&user.id, spec, &standing, &history, page);
        Ok(snapshot.page(&title, &body).cached_until_change(shows))
    })
    .await
}

fn body(
    id: &UserId,
    spec: &Spec,
    standing: &Standing,
    history: &[RatingPoint],
    page: usize,
) -> Markup {
    let graph_point = |point: &RatingPoint| GraphPoint {
        at: point.at,
        rating: point.after,
        deviation: point.deviation,
    };
    let points: Vec<GraphPoint> = history.iter().map(graph_point).collect();
    let address = ListAddress::new(format!("/player/{id}/rating/{}", spec.name));
    let Standing { original, won, lost, tied, skill, .. } = standing;
    html! {
        nav.trail aria-label="Where you are" { a href={ "/player/" (id) } { (id) } }
        h1 { (id) " in " (spec.title) }
        p {
            strong { (standing.marked_points()) } " \u{b1}" (skill.deviation.points()) " points"
            @if standing.is_provisional() { " (provisional)" }
            ", " (won) " won, " (lost) " lost, " (tied) " tied. By the formulas of the original server: "
            (original.points()) ". "
            a href={ "/" (spec.name) "/standings" } { "Standings" } " "
            a href="/help/ratings" { "What the numbers mean" }
        }
        @if history.is_empty() {
            p { "There are no rated boards to show." }
        } @else {
            (rating_graph(&in_words(id, spec, history), &points))
            (lists::table("Rated boards", &head(), &rows(history, page)))
            (lists::pages(&address, page, page_count(history.len())))
            @if history.len() == MAX_LOADED {
                p.quiet { "These are the latest " (MAX_LOADED) " boards. "
                    a href={ "/player/" (id) "/boards?game=" (spec.name) } { "All boards" } }
            }
        }
    }
}

/// Returns what the graph shows, in words.
fn in_words(id: &UserId, spec: &Spec, history: &[RatingPoint]) -> String {
    let ratings = || history.iter().map(|point| point.after);
    let (Some(first), Some(last)) = (history.first(), history.last()) else {
        return String::new();
    };
    let (low, high) =
        (ratings().min().unwrap_or(first.after), ratings().max().unwrap_or(last.after));
    format!(
        "The rating of {id} in {}: {} on {}, {} on {}, between {low} and {high}. The band is the \
         deviation. The table below has each board.",
        spec.title,
        first.after,
        first.at.day(),
        last.after,
        last.at.day()
    )
}

fn head() -> Markup {
    html! {
        th.extra scope="col" { "Date" }
        th scope="col" { "Board" }
        th scope="col" { "Opponent" }
        th.extra scope="col" { "Result" }
        th scope="col" { "Rating" }
        th scope="col" { "Change" }
        th.extra scope="col" { "Deviation" }
        th.extra scope="col" { "Original" }
    }
}

/// Renders the rows of a page, the latest board first.
fn rows(history: &[RatingPoint], page: usize) -> Markup {
    let shown = history.iter().rev().skip((page - 1) * PAGE_SIZE).take(PAGE_SIZE);
    html! {
        @for point in shown {
            tr {
                td.whole.extra { (point.at.day()) }
                th scope="row" { a href=(path(point.board)) { (point.board.number) } }
                td { (lists::player(&point.opponent)) }
                td.extra { (match point.is_won { Some(true) => "won", Some(false) => "lost", None => "draw" }) }
                td { (point.after) }
                td { (format!("{:+}", point.after - point.before)) }
                td.extra { "\u{b1}" (point.deviation) }
                td.extra { (point.original) }
            }
        }
    }
}
