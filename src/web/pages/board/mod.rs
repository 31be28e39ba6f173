//! `/{game}/{number}`: a board, now or after a move; its export in formats of other programs.

mod analysis;
mod chances_graph;
mod drawing;
mod forms;
mod preview;
mod record;
mod reply;
mod turn_marks;

pub(crate) use analysis::analysis;
pub(crate) use preview::preview;
pub(crate) use reply::{BoardReply, post, with_seed};
pub(super) use turn_marks::{TurnLinks, turn_marks};

use crate::base::ids::{BoardId, UserId};
use crate::command;
use crate::model::board::Board;
use crate::model::chat_log::chat_key;
use crate::model::world::{World, board_key};
use crate::refusal::{BoardRefusal, Refusal};
use crate::reply::board_view::{self, BoardView};
use crate::web::html::blocks;
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::html::page::WebPage;
use crate::web::http::form::HiddenFields;
use crate::web::http::request::WebRequest;
use crate::web::site::{Site, SiteReader, Snapshot};
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Redirect, Response};
use games::{MoveError, Next, PartialMove, Seat, View};
use maud::{Markup, html};
use std::sync::Arc;

/// The last part of the path of a board's rolls with their proofs.
const PROOFS: &str = "proof";

/// The page of a board as it is now.
pub(crate) async fn current(
    State(site): State<Arc<Site>>,
    Path((game, number)): Path<(String, String)>,
    request: WebRequest,
) -> PageResult<Response> {
    let id = parse_id(&game, &number)?;
    if id.game != game {
        return Ok(Redirect::permanent(&path(id)).into_response());
    }
    let page = site.read(request, move |reader| board_page(reader, id, None, html! {}));
    page.await.map(WebPage::into_response)
}

/// The page of a board as it was after a move, or its export in the format of another program.
pub(crate) async fn past_or_export(
    State(site): State<Arc<Site>>,
    Path((game, number, last)): Path<(String, String, String)>,
    request: WebRequest,
) -> PageResult<Response> {
    let id = parse_id(&game, &number)?;
    if let Some(after) = parse_number(&last) {
        let page = site.read(request, move |reader| board_page(reader, id, Some(after), html! {}));
        return page.await.map(WebPage::into_response);
    }
    let text = site.read(request, move |reader| export(reader, id, &last));
    let content_type = [(header::CONTENT_TYPE, "text/plain; charset=utf-8")];
    text.await.map(|text| (content_type, text).into_response())
}

/// Parses a number without a sign or leading zeros.
fn parse_number<N: std::str::FromStr + ToString>(text: &str) -> Option<N> {
    text.parse().ok().filter(|number: &N| number.to_string() == text)
}

/// Parses the game and the number of a board in a path. The game may be an alias.
pub(crate) fn parse_id(game: &str, number: &str) -> PageResult<BoardId> {
    let game = games::find(game).ok_or(PageError::NotFound)?.spec().name;
    let number = parse_number(number).filter(|number| *number > 0).ok_or(PageError::NotFound)?;
    Ok(BoardId { game, number })
}

/// Returns the path of a board.
pub(crate) fn path(id: BoardId) -> String {
    format!("/{}/{}", id.game, id.number)
}

/// A board as a visitor views it.
struct ViewedBoard<'a> {
    board: &'a Board,
    /// The visitor's seat, if they play.
    seat: Option<Seat>,
    view: View,
    /// The number of moves after which the board is shown, if not as it is now.
    after: Option<usize>,
    /// The move that the visitor puts together, if it is their turn.
    partial_move: Option<PartialMove>,
    /// The steps of that move.
    steps: Vec<String>,
    /// The spot whose man the visitor has chosen.
    from: Option<String>,
}

/// Returns the viewer's seat on a board.
///
/// # Errors
/// The board does not exist, or is private and not the viewer's.
pub(crate) fn visible_seat(
    world: &World,
    viewer: Option<&UserId>,
    id: BoardId,
) -> PageResult<Option<Seat>> {
    let board = world.board(id).map_err(|_| PageError::NotFound)?;
    let seat = viewer.and_then(|user| board.seat(user));
    if board.private && seat.is_none() {
        return Err(Refusal::from(BoardRefusal::Private(id)).into());
    }
    Ok(seat)
}

/// Returns the viewer's seat on a board that is shown as it was after some moves.
///
/// # Errors
/// As for [`visible_seat`]; or the board has fewer moves, or hides its past until it is over.
pub(crate) fn visible_seat_after(
    snapshot: &Snapshot,
    id: BoardId,
    after: Option<usize>,
) -> PageResult<Option<Seat>> {
    let board = snapshot.world.board(id).map_err(|_| PageError::NotFound)?;
    let seat = visible_seat(&snapshot.world, snapshot.viewer.as_ref(), id)?;
    let played = board.next_move() - 1;
    match after {
        Some(after) if after > played => Err(PageError::NotFound),
        Some(after) if after < played && board.game.spec().manner.secret && !board.is_over() => {
            Err(Refusal::from(BoardRefusal::Hidden(id)).into())
        }
        _ => Ok(seat),
    }
}

/// Builds the page of a board, with a notice at its head.
fn board_page(
    mut reader: SiteReader,
    id: BoardId,
    after: Option<usize>,
    notice: Markup,
) -> PageResult {
    reader.load(&[board_key(id), chat_key(id)])?;
    let mut snapshot = reader.close();
    let seat = visible_seat_after(&snapshot, id, after)?;
    let hidden_fields = snapshot.viewer.is_some().then(|| snapshot.hidden_fields());
    let board = snapshot.world.board(id).map_err(|_| PageError::NotFound)?;
    let after = after.filter(|after| *after + 1 < board.next_move());
    let view = board_view::view(&snapshot.world, board, seat);
    let mut steps: Vec<String> = {
        let steps = snapshot.request.query_value("play").unwrap_or_default();
        steps.split(',').filter(|step| !step.is_empty()).map(Into::into).collect()
    };
    let from = snapshot.request.query_value("from").map(str::to_owned);
    let (partial_move, notice) = match partial_move(board, seat, &view, after, &steps) {
        Ok(partial_move) => (partial_move, notice),
        Err(error) => {
            let notice = html! { (notice) p.wrong role="alert" { "Not possible: " (error) "." } };
            (partial_move(board, seat, &view, after, &[]).ok().flatten(), notice)
        }
    };
    if partial_move.as_ref().is_none_or(|it| it.paths.len() != steps.len()) {
        steps.clear();
    }
    let viewed = ViewedBoard { board, seat, view, after, partial_move, steps, from };
    let body = body(&snapshot, &viewed, hidden_fields.as_ref(), &notice);
    let title = format!("{} {}", board.game.spec().title, id.number);
    let shows = snapshot.world.files_read();
    let events = format!("/events?board={}+{}", id.game, id.number);
    Ok(snapshot.live_page(&title, &events, &body).cached_until_change(shows))
}

/// Returns the move that a player puts together; none if it is not their turn.
fn partial_move(
    board: &Board,
    seat: Option<Seat>,
    view: &View,
    after: Option<usize>,
    steps: &[String],
) -> Result<Option<PartialMove>, MoveError> {
    let position = board.position();
    let is_turn = seat.is_some_and(|seat| position.next().asks(seat));
    if !is_turn || board.is_over() || after.is_some() || matches!(position.next(), Next::Over(_)) {
        return Ok(None);
    }
    let steps: Vec<&str> = steps.iter().map(String::as_str).collect();
    // A browser marks the legal spots, whatever the player prefers in mails.
    let view = View { legal: true, ..view.clone() };
    position.partial_move(&view, &steps).map(Some)
}

fn body(
    snapshot: &Snapshot,
    viewed: &ViewedBoard,
    hidden_fields: Option<&HiddenFields>,
    notice: &Markup,
) -> Markup {
    let ViewedBoard { board, seat, after, .. } = viewed;
    let past = after.and_then(|after| Some((after, board.position_after(after)?)));
    let board_view = match &past {
        None => BoardView::now(&snapshot.world, board, *seat, snapshot.now),
        Some((after, position)) => {
            BoardView::past(&snapshot.world, board, *seat, *after, &**position)
        }
    };
    html! {
        div.table {
            div.head {
                nav.trail aria-label="Where you are" {
                    a href={ "/" (board.id.game) } { (board.game.spec().title) }
                }
                h1 { (board_view.name) }
                (notice)
                p.news aria-live="polite" { (board_view.headline) }
            }
            div.side.men {
                figure.board { (drawing::board(viewed, &board_view)) }
                (record::navigation(board, *after))
            }
            div.side {
                @if let (Some(hidden_fields), None) = (hidden_fields, after) {
                    (forms::panel(snapshot, viewed, hidden_fields))
                }
                (blocks::blocks(&board_view.below))
                (record::moves(viewed))
                (record::tools(viewed))
                (record::text_and_exports(viewed, &board_view))
            }
        }
    }
}

/// Returns a board in the format of another program, or its rolls with their proofs.
fn export(mut reader: SiteReader, id: BoardId, format: &str) -> PageResult<String> {
    reader.load(&[board_key(id)])?;
    let keys = reader.dice_keys()?;
    let snapshot = reader.close();
    if format == PROOFS {
        visible_seat_after(&snapshot, id, None)?;
        let from = snapshot.request.query_value("from").map_or(Some(1), parse_number);
        let board = snapshot.world.board(id).map_err(|_| PageError::NotFound)?;
        return Ok(command::roll_sheet(board, keys, from.ok_or(PageError::NotFound)?)?);
    }
    let after = snapshot.request.query_value("after").and_then(parse_number);
    visible_seat_after(&snapshot, id, after)?;
    let board = snapshot.world.board(id).map_err(|_| PageError::NotFound)?;
    let formats = board.game.spec().formats;
    let format = formats.iter().find(|it| it.name == format).ok_or(PageError::NotFound)?;
    (format.write)(&board.transcript(after))
        .map_err(|why| Refusal::from(BoardRefusal::NotExported { board: id, why }).into())
}
