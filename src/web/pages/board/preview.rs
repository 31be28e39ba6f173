//! `/{game}/{number}/preview`: what if other moves had been played, tried on the board.

use super::{flip, parse_id, parse_number, path, visible_seat_after};
use crate::base::ids::BoardId;
use crate::command::{check_analysable, position_to_try};
use crate::model::board::Board;
use crate::model::world::board_key;
use crate::refusal::Refusal;
use crate::reply::board_view;
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::http::form::HiddenFields;
use crate::web::http::request::WebRequest;
use crate::web::pages::trial::{
    PlanForm, TrialAddress, TrialOutcome, TrialStart, respond, with_tried,
};
use crate::web::site::{Site, SiteReader, Snapshot};
use axum::extract::{Path, State};
use axum::response::Response;
use games::Seat;
use maud::html;
use std::sync::Arc;

/// The page on which a visitor tries moves from the current position of a board or an earlier one. On
/// a finished board it tells the program's opinion.
pub(crate) async fn preview(
    State(site): State<Arc<Site>>,
    Path((game, number)): Path<(String, String)>,
    request: WebRequest,
) -> PageResult<Response> {
    let id = parse_id(&game, &number)?;
    if let Some(flipped) = flip(&site, &request, &path(id)) {
        return Ok(flipped);
    }
    let outcome = site.clone().read(request.clone(), move |reader| begin(reader, id)).await?;
    respond(site, request, outcome).await
}

/// The page whose path has what was tried.
pub(crate) async fn tried_preview(
    site: State<Arc<Site>>,
    Path((game, number, _)): Path<(String, String, String)>,
    request: WebRequest,
) -> PageResult<Response> {
    preview(site, Path((game, number)), with_tried(request)).await
}

/// Returns the form that makes a plan of the moves, for a player of a board in play, at its current
/// position.
fn plan_form(
    snapshot: &Snapshot,
    board: &Board,
    seat: Option<Seat>,
    after: usize,
    hidden_fields: Option<HiddenFields>,
) -> Option<PlanForm> {
    let (seat, hidden_fields) = (seat?, hidden_fields?);
    if board.is_over() || after + 1 != board.next_move() || !board.can_branch() {
        return None;
    }
    let view = board_view::view(&snapshot.world, board, Some(seat));
    let plan = board.plans[seat.index()].as_ref();
    let lines = plan.map(|plan| board_view::plan_lines(board, seat, plan, &view));
    Some(PlanForm {
        seat,
        is_turn: board.position().next().asks(seat),
        path: path(board.id),
        fields: html! {
            (hidden_fields.fields("plan"))
            input type="hidden" name="moveno" value=(board.next_move());
        },
        lines: lines.unwrap_or_default(),
    })
}

/// Follows the query from the position of the board that it names.
fn begin(mut reader: SiteReader, id: BoardId) -> PageResult<TrialOutcome> {
    reader.load(&[board_key(id)])?;
    let mut snapshot = reader.close();
    let hidden_fields = snapshot.viewer.is_some().then(|| snapshot.hidden_fields());
    let board = snapshot.world.board(id).map_err(|_| PageError::NotFound)?;
    let played = board.next_move() - 1;
    let after = snapshot.request.query_value("after").map(parse_number);
    let after = after.unwrap_or(Some(played)).ok_or(PageError::NotFound)?;
    let seat = visible_seat_after(&snapshot, id, Some(after))?;
    let position = position_to_try(board, after).map_err(Refusal::from)?;
    let has_opinion = check_analysable(board).is_ok();
    let title = board.game.spec().title;
    let back = if after == played { path(id) } else { format!("{}/{after}", path(id)) };
    let start = TrialStart {
        game: board.game,
        address: TrialAddress {
            path: format!("{}/preview", path(id)),
            fields: vec![("after".into(), after.to_string())],
            requested: snapshot.request.path.clone(),
        },
        position,
        view: board_view::view(&snapshot.world, board, seat),
        is_flipped: snapshot.request.is_flipped,
        names: Seat::BOTH.map(|seat| board.player(seat).to_string()),
        has_opinion,
        notice: None,
        title: format!("What if: {title} {}", id.number),
        head: html! {
            nav.trail aria-label="Where you are" { a href=(back) { (title) " " (id.number) } }
            h1 { "What if" }
            p.quiet {
                @if after == played { "Try moves of both sides. Nothing is played." }
                @else { "Try moves of both sides after move " (after) ". Nothing is played." }
            }
        },
        plan: plan_form(&snapshot, board, seat, after, hidden_fields),
        foot: html! {
            @if has_opinion {
                p { a href={ (path(id)) "/analysis" } { "Analysis of this game" } }
            } @else if !board.is_over() && board.start().evaluation_unit().is_some() {
                p.quiet { "The program tells its opinion once the game is over." }
            }
        },
    };
    start.follow(&snapshot.request, &mut snapshot.site.dice())
}
