//! A board, as it is now or was after a move.

mod drawing;
mod forms;
mod record;
mod reply;

pub(in crate::web) use record::form;
pub(in crate::web) use reply::{said_there, say, with_seed};

use crate::base::ids::{BoardId, UserId};
use crate::command;
use crate::model::board::Board;
use crate::model::talk::talk_key;
use crate::model::world::{World, board_key};
use crate::refusal::{BoardRefusal, Refusal};
use crate::reply::board_view::{self, BoardView};
use crate::web::html::blocks;
use crate::web::html::error_page::PageError;
use crate::web::html::page::WebPage;
use crate::web::http::form::HiddenFields;
use crate::web::http::request::WebRequest;
use crate::web::site::{Site, SiteReader, SiteView};
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Redirect, Response};
use games::{MoveError, Next, PartialMove, Seat, View};
use maud::{Markup, html};
use std::sync::Arc;

/// The end of the path of a board's dice with their proofs.
const PROOFS: &str = "proof";

/// A board as it is now.
pub(in crate::web) async fn now(
    State(site): State<Arc<Site>>,
    Path((game, number)): Path<(String, String)>,
    ask: WebRequest,
) -> Result<Response, PageError> {
    let id = named(&game, &number)?;
    if id.game != game {
        return Ok(Redirect::permanent(&path(id)).into_response());
    }
    let page = site.read(ask, move |reader| page(reader, id, None, html! {}));
    page.await.map(WebPage::into_response)
}

/// A board as it was after a move, or in a format of another program.
pub(in crate::web) async fn past(
    State(site): State<Arc<Site>>,
    Path((game, number, what)): Path<(String, String, String)>,
    ask: WebRequest,
) -> Result<Response, PageError> {
    let id = named(&game, &number)?;
    if let Some(moves) = counted(&what) {
        let page = site.read(ask, move |reader| page(reader, id, Some(moves), html! {}));
        return page.await.map(WebPage::into_response);
    }
    let text = site.read(ask, move |reader| exported(reader, id, &what));
    let kind = [(header::CONTENT_TYPE, "text/plain; charset=utf-8")];
    text.await.map(|text| (kind, text).into_response())
}

/// A number as it is written without need of signs or zeros.
fn counted<N: std::str::FromStr + ToString>(text: &str) -> Option<N> {
    text.parse().ok().filter(|number: &N| number.to_string() == text)
}

/// The board that a path names.
pub(in crate::web) fn named(game: &str, number: &str) -> Result<BoardId, PageError> {
    let game = games::find(game).ok_or(PageError::NotFound)?.spec().name;
    let number = counted(number).filter(|number| *number > 0).ok_or(PageError::NotFound)?;
    Ok(BoardId { game, number })
}

/// Where a board is.
pub(in crate::web) fn path(id: BoardId) -> String {
    format!("/{}/{}", id.game, id.number)
}

/// A board that a visitor looks at.
struct ViewedBoard<'a> {
    board: &'a Board,
    /// Where they play, if they do.
    seat: Option<Seat>,
    view: View,
    /// After how many moves it is shown, if not as it is now.
    after: Option<usize>,
    /// The move that they put together, if they can.
    begun: Option<PartialMove>,
    /// Its steps.
    steps: Vec<String>,
    /// The place where a man was chosen.
    from: Option<String>,
}

/// The seat of a visitor on a board that they may see.
pub(in crate::web) fn seen_by(
    world: &World,
    viewer: Option<&UserId>,
    id: BoardId,
) -> Result<Option<Seat>, PageError> {
    let board = world.board(id).map_err(|_| PageError::NotFound)?;
    let seat = viewer.and_then(|user| board.seat(user));
    if board.private && seat.is_none() {
        return Err(Refusal::from(BoardRefusal::Private(id)).into());
    }
    Ok(seat)
}

/// The board that a visitor may see, after so many moves.
pub(in crate::web) fn visible(
    seen: &SiteView,
    id: BoardId,
    after: Option<usize>,
) -> Result<Option<Seat>, PageError> {
    let board = seen.world.board(id).map_err(|_| PageError::NotFound)?;
    let seat = seen_by(&seen.world, seen.viewer.as_ref(), id)?;
    let made = board.next_move() - 1;
    match after {
        Some(after) if after > made => Err(PageError::NotFound),
        Some(after) if after < made && board.game.spec().manner.secret && !board.is_over() => {
            Err(Refusal::from(BoardRefusal::Hidden(id)).into())
        }
        _ => Ok(seat),
    }
}

/// The page of a board, with something said first.
pub(in crate::web) fn page(
    mut reader: SiteReader,
    id: BoardId,
    after: Option<usize>,
    said: Markup,
) -> Result<WebPage, PageError> {
    reader.gather(&[board_key(id), talk_key(id)])?;
    let mut seen = reader.leave();
    let seat = visible(&seen, id, after)?;
    let seal = seen.viewer.is_some().then(|| seen.seal());
    let board = seen.world.board(id).map_err(|_| PageError::NotFound)?;
    let after = after.filter(|after| *after + 1 < board.next_move());
    let view = board_view::view(&seen.world, board, seat);
    let steps = seen.ask.query_value("play").unwrap_or_default();
    let steps: Vec<String> = steps.split(',').filter(|it| !it.is_empty()).map(Into::into).collect();
    let from = seen.ask.query_value("from").map(str::to_owned);
    let (begun, said) = match begun(board, seat, &view, after, &steps) {
        Ok(begun) => (begun, said),
        Err(error) => {
            let why = html! { (said) p.wrong role="alert" { "Not possible: " (error) "." } };
            (begun(board, seat, &view, after, &[]).ok().flatten(), why)
        }
    };
    let steps = if begun.as_ref().is_some_and(|begun| begun.paths.len() == steps.len()) {
        steps
    } else {
        Vec::new()
    };
    let looked = ViewedBoard { board, seat, view, after, begun, steps, from };
    let body = body(&seen, &looked, seal.as_ref(), &said);
    let title = format!("{} {}", board.game.spec().title, id.number);
    let shows = seen.world.files_looked_at();
    let events = format!("/events?board={}+{}", id.game, id.number);
    Ok(seen.live(&title, &events, &body).kept(shows))
}

/// The move that a player puts together; none where it is not their turn.
fn begun(
    board: &Board,
    seat: Option<Seat>,
    view: &View,
    after: Option<usize>,
    steps: &[String],
) -> Result<Option<PartialMove>, MoveError> {
    let position = board.position();
    let is_due = seat.is_some_and(|seat| position.next().asks(seat));
    if !is_due || board.is_over() || after.is_some() || matches!(position.next(), Next::Over(_)) {
        return Ok(None);
    }
    let steps: Vec<&str> = steps.iter().map(String::as_str).collect();
    // Where few points can be pressed they are marked.
    let view = View { legal: true, ..view.clone() };
    position.partial_move(&view, &steps).map(Some)
}

fn body(
    seen: &SiteView,
    looked: &ViewedBoard,
    seal: Option<&HiddenFields>,
    said: &Markup,
) -> Markup {
    let ViewedBoard { board, seat, after, .. } = looked;
    let past = after.and_then(|after| Some((after, board.position_after(after)?)));
    let sight = match &past {
        None => BoardView::now(&seen.world, board, *seat, seen.now),
        Some((after, position)) => BoardView::past(&seen.world, board, *seat, *after, &**position),
    };
    html! {
        div.table {
            div.head {
                nav.trail aria-label="Where you are" {
                    a href={ "/" (board.id.game) } { (board.game.spec().title) }
                }
                h1 { (sight.name) }
                (said)
                p.news aria-live="polite" { (sight.headline) }
            }
            div.side.men {
                figure.board { (drawing::board(looked, &sight)) }
                (record::steps(board, *after))
            }
            div.side {
                @if let (Some(seal), None) = (seal, after) {
                    (forms::panel(seen, looked, seal))
                }
                (blocks::blocks(&sight.below))
                (record::list(looked))
                (record::what_if(looked))
                (record::more(looked, &sight))
            }
        }
    }
}

/// A board in a format that other programs read, or its dice with what proves them.
fn exported(mut reader: SiteReader, id: BoardId, format: &str) -> Result<String, PageError> {
    reader.gather(&[board_key(id)])?;
    let keys = reader.dice_keys()?;
    let seen = reader.leave();
    if format == PROOFS {
        visible(&seen, id, None)?;
        let from =
            seen.ask.query_value("from").map_or(Some(1), counted).ok_or(PageError::NotFound)?;
        let board = seen.world.board(id).map_err(|_| PageError::NotFound)?;
        return Ok(command::roll_sheet(board, keys, from)?);
    }
    let after = seen.ask.query_value("after").and_then(counted);
    visible(&seen, id, after)?;
    let board = seen.world.board(id).map_err(|_| PageError::NotFound)?;
    let formats = board.game.spec().formats;
    let format = formats.iter().find(|it| it.name == format).ok_or(PageError::NotFound)?;
    (format.write)(&board.transcript(after))
        .map_err(|why| Refusal::from(BoardRefusal::NotExported { board: id, why }).into())
}
