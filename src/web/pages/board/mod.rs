//! `/{game}/{number}`: a board, now or after a move; its export in formats of other programs.

mod analysis;
mod bar;
mod chances_graph;
mod drawing;
mod flip;
mod forms;
mod next_board;
mod preview;
mod record;
mod reply;
mod turn_marks;

pub(crate) use analysis::analysis;
pub(super) use bar::decline_label;
pub(super) use drawing::{BoardSide, Oriented};
pub(super) use flip::{flip, flip_link};
pub(crate) use preview::{preview, tried_preview};
pub(crate) use reply::{BoardReply, post, with_seed};
pub(super) use turn_marks::{TurnLinks, turn_marks};

use self::forms::PlayerForms;
use self::next_board::{NextBoard, possible_rematches, rematch};
use super::{ladder, tournament};
use crate::base::ids::{BoardId, UserId};
use crate::command;
use crate::model::board::Board;
use crate::model::chat_log::chat_key;
use crate::model::note::notes_key;
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
use axum::response::{IntoResponse, Response};
use games::{Diagram, MoveError, Next, PartialMove, Seat, Spot, View};
use maud::{Markup, html};
use std::sync::Arc;

/// The last part of the path of a board's rolls with their proofs.
const PROOFS: &str = "proof";

/// The value of a query that shows the board before a submitted move, to change it.
const CHANGE: &str = "change";

/// The page of a board as it is now.
pub(crate) async fn current(
    State(site): State<Arc<Site>>,
    Path((game, number)): Path<(String, String)>,
    request: WebRequest,
) -> PageResult<Response> {
    let id = parse_id(&game, &number)?;
    if let Some(flipped) = flip(&site, &request, &path(id)) {
        return Ok(flipped);
    }
    let page = site.read(request, move |reader| board_page(reader, id, None));
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
        if let Some(flipped) = flip(&site, &request, &path(id)) {
            return Ok(flipped);
        }
        let page = site.read(request, move |reader| board_page(reader, id, Some(after)));
        return page.await.map(WebPage::into_response);
    }
    let text = site.read(request, move |reader| export(reader, id, &last));
    let content_type = [(header::CONTENT_TYPE, "text/plain; charset=utf-8")];
    text.await.map(|text| (content_type, text).into_response())
}

/// Parses a number without a sign or leading zeros.
pub(super) fn parse_number<N: std::str::FromStr + ToString>(text: &str) -> Option<N> {
    text.parse().ok().filter(|number: &N| number.to_string() == text)
}

/// Parses the game and the number of a board in a path. The game may be an alias.
pub(crate) fn parse_id(game: &str, number: &str) -> PageResult<BoardId> {
    let game = games::find(game).ok_or(PageError::NotFound)?.spec().name;
    let number = parse_number(number).filter(|number| *number > 0).ok_or(PageError::NotFound)?;
    Ok(BoardId { game, number })
}

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
    /// Why the steps in the query are not possible.
    impossible: Option<MoveError>,
    /// The spot whose man the visitor has chosen.
    from: Option<String>,
    /// The submitted move, if the board shows it.
    submitted: Option<SubmittedMove>,
    /// Whether the visitor has flipped the board.
    is_flipped: bool,
    /// Whether the game has a doubling cube.
    has_cube: bool,
    /// The next board that waits for the visitor, if this one does not.
    next_board: Option<NextBoard>,
    /// The rematch of a finished board.
    rematch: Option<BoardId>,
}

impl ViewedBoard<'_> {
    /// Returns whether the visitor has submitted a move.
    fn has_submitted(&self) -> bool {
        self.seat.is_some_and(|seat| self.board.submitted[seat.index()].is_some())
    }
}

/// A submitted move, which its player confirms or changes.
struct SubmittedMove {
    /// The move as the player writes it.
    text: String,
    /// The position after it.
    diagram: Diagram,
    paths: Vec<Vec<Spot>>,
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
        Some(after) if after < played && board.game.spec().manner.is_secret && !board.is_over() => {
            Err(Refusal::from(BoardRefusal::Hidden(id)).into())
        }
        _ => Ok(seat),
    }
}

fn board_page(mut reader: SiteReader, id: BoardId, after: Option<usize>) -> PageResult {
    reader.load(&[board_key(id), chat_key(id)])?;
    if reader.viewer.is_some() {
        reader.load(&[notes_key(id)])?;
    }
    load_other_boards(&mut reader, id)?;
    let mut snapshot = reader.close();
    snapshot.has_motion = true;
    let seat = visible_seat_after(&snapshot, id, after)?;
    let hidden_fields = snapshot.viewer.is_some().then(|| snapshot.hidden_fields());
    let board = snapshot.world.board(id).map_err(|_| PageError::NotFound)?;
    let after = after.filter(|after| *after + 1 < board.next_move());
    let viewed = viewed_board(&snapshot, board, seat, after);
    let body = body(&snapshot, &viewed, hidden_fields.as_ref());
    let title = format!("{} {}", board.game.spec().title, id.number);
    let shows = snapshot.world.files_read();
    let events = format!("/events?board={}+{}", id.game, id.number);
    Ok(snapshot.live_page(&title, &events, &body).cached_until_change(shows))
}

/// Loads the boards among which a player's next board or rematch is. While it is their turn here, none
/// is needed.
fn load_other_boards(reader: &mut SiteReader, id: BoardId) -> PageResult<()> {
    let Some(viewer) = reader.viewer.clone() else { return Ok(()) };
    let Ok(board) = reader.world.board(id) else { return Ok(()) };
    let Some(seat) = board.seat(&viewer) else { return Ok(()) };
    let is_over = board.is_over();
    if !is_over && board.position().next().asks(seat) {
        return Ok(());
    }
    let Some(user) = reader.world.user(&viewer) else { return Ok(()) };
    let mut others = NextBoard::candidates(user, id);
    if is_over {
        others.extend(possible_rematches(user, id));
    }
    Ok(reader.load_boards(others)?)
}

/// Returns the board as its visitor views it.
fn viewed_board<'a>(
    snapshot: &'a Snapshot,
    board: &'a Board,
    seat: Option<Seat>,
    after: Option<usize>,
) -> ViewedBoard<'a> {
    let request = &snapshot.request;
    let view = board_view::view(&snapshot.world, board, seat);
    let steps = request.query_value("play").unwrap_or_default();
    let mut steps: Vec<String> =
        steps.split(',').filter(|step| !step.is_empty()).map(Into::into).collect();
    let (partial_move, impossible) = match partial_move(board, seat, &view, after, &steps) {
        Ok(partial_move) => (partial_move, None),
        Err(error) => (partial_move(board, seat, &view, after, &[]).ok().flatten(), Some(error)),
    };
    if partial_move.as_ref().is_none_or(|it| it.paths.len() != steps.len()) {
        steps.clear();
    }
    let from = request.query_value("from").map(str::to_owned);
    let is_begun = !steps.is_empty() || from.is_some() || request.query_value(CHANGE).is_some();
    let submitted = seat.filter(|_| partial_move.is_some() && !is_begun);
    let submitted = submitted.and_then(|seat| submitted_move(board, seat, &view));
    let has_cube = |view: &View| match board.position().diagram(view) {
        Diagram::Points(points) => points.cube.is_some(),
        Diagram::Corridor(_) | Diagram::Board(_) => false,
    };
    let has_cube = seat.is_some() && has_cube(&view);
    let user = snapshot.viewer.as_ref().and_then(|user| snapshot.world.user(user));
    // The bar, which leads to these boards, is below the current position alone.
    let leads_on = seat.is_some() && partial_move.is_none() && after.is_none();
    let player = user.filter(|_| leads_on);
    ViewedBoard {
        board,
        seat,
        view,
        after,
        partial_move,
        steps,
        impossible,
        from,
        submitted,
        is_flipped: request.is_flipped,
        has_cube,
        next_board: player.and_then(|user| NextBoard::find(&snapshot.world, user, board.id)),
        rematch: player.and_then(|user| rematch(&snapshot.world, user, board)),
    }
}

/// Returns the move that a player has submitted, with the position after it.
fn submitted_move(board: &Board, seat: Seat, view: &View) -> Option<SubmittedMove> {
    let text = board.submitted[seat.index()].as_deref()?;
    let mut position = board.position().copy();
    let moves =
        if position.manner().has_multi_move_turns { text.split(',').collect() } else { vec![text] };
    let mut paths = Vec::new();
    for text in moves {
        position.play_recorded(text).ok()?;
        paths.extend(board.game.paths(&board.game.text_for_diagram(view, text.to_owned())));
    }
    let diagram = position.diagram(view);
    let text = board.game.text_for_viewer(view, seat, text.to_owned());
    Some(SubmittedMove { text, diagram, paths })
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

fn body(snapshot: &Snapshot, viewed: &ViewedBoard, hidden_fields: Option<&HiddenFields>) -> Markup {
    let ViewedBoard { board, seat, after, .. } = viewed;
    let past = after.and_then(|after| Some((after, board.position_after(after)?)));
    let board_view = match &past {
        None => BoardView::now(&snapshot.world, board, *seat, snapshot.now),
        Some((after, position)) => {
            BoardView::past(&snapshot.world, board, *seat, *after, &**position)
        }
    };
    let hidden_fields = hidden_fields.filter(|_| after.is_none());
    let player = hidden_fields.and_then(|fields| PlayerForms::new(snapshot, viewed, fields));
    html! {
        div.table {
            (head(viewed, &board_view))
            div.side.men {
                figure.board { (drawing::board(viewed, &board_view)) }
                @if let Some(player) = &player { (player.bar(snapshot, viewed)) }
                div.under id="under" {
                    (record::navigation(board, *after))
                    (flip_link(&address_shown(viewed), viewed.is_flipped))
                }
            }
            div.side {
                @if let Some(hidden_fields) = hidden_fields {
                    (forms::panel(snapshot, viewed, hidden_fields))
                }
                (record::moves(snapshot, viewed))
                (record::tools(viewed))
                (blocks::blocks(&board_view.below))
                details.menu id="menu" {
                    summary { "More" }
                    @if let Some(player) = &player { (player.rare_commands(snapshot, viewed)) }
                    (record::text_and_exports(viewed, &board_view))
                }
            }
        }
    }
}

/// Renders the name of the board, why steps are not possible, and the news.
fn head(viewed: &ViewedBoard, board_view: &BoardView) -> Markup {
    let board = viewed.board;
    let note = viewed.seat.and_then(|seat| board_view::plan_note(board, seat, &viewed.view));
    html! {
        div.head {
            div.title {
                h1 { (board_view.name) }
                nav.trail aria-label="Where you are" {
                    a href={ "/" (board.id.game) } { "All of " (board.game.spec().title) }
                    @if board.is_of_ladder {
                        " " a href=(ladder::path(board.id.game)) { "A game of the ladder" }
                    }
                    @if let Some(id) = board.tournament {
                        " " a href=(tournament::path(id)) { "A game of tournament " (id.number) }
                    }
                }
            }
            @if let Some(error) = &viewed.impossible {
                p.wrong role="alert" { "Not possible: " (error) "." }
            }
            p.news aria-live="polite" { (board_view.news) }
            @if let Some(note) = note { p.dropped { (note) } }
        }
    }
}

/// Returns the address of the position that is shown.
fn address_shown(viewed: &ViewedBoard) -> String {
    match viewed.after {
        Some(after) => format!("{}/{after}", path(viewed.board.id)),
        None => drawing::path_after_steps(viewed, &viewed.steps),
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
