//! `/watch`: the public boards in play, those with the latest moves first; with `?game=` those of one
//! game, the newest first, in pages.

use super::game::board_line;
use crate::base::ids::BoardId;
use crate::model::board::Board;
use crate::model::world::count_key;
use crate::store::Key;
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::http::request::WebRequest;
use crate::web::site::{Site, SiteReader, Snapshot};
use axum::extract::State;
use games::{AnyGame, GAMES};
use maud::{Markup, html};
use std::sync::Arc;

/// The limit on boards of a page.
const MAX_LISTED: usize = 12;

/// The limit on boards of a game that are loaded for a page. Finished and private ones are not shown.
const MAX_LOADED: usize = 60;

/// The limit on the newest boards of each game that are loaded where no moves are known.
const NEWEST_OF_EACH: usize = 4;

/// How many numbers are looked at for the newest boards of a game: in a database some have no board.
const MAX_NUMBERS: usize = 256;

/// How many boards are loaded at once.
const LOADED_AT_ONCE: usize = 16;

/// The boards of a page.
pub(crate) struct WatchedBoards {
    pub(crate) boards: Vec<BoardId>,
    /// The number before which the next page begins; `None` on the last page.
    next: Option<u32>,
}

/// The limits on the boards of a game that are loaded and listed.
#[derive(Clone, Copy)]
pub(crate) struct NewestLimits {
    pub(crate) loaded: usize,
    pub(crate) listed: usize,
}

/// The page of the boards in play.
pub(crate) async fn page(State(site): State<Arc<Site>>, request: WebRequest) -> PageResult {
    site.read(request, |mut reader| {
        let game = reader.request.query_value("game").map(games::find);
        let game = game.map(|game| game.ok_or(PageError::NotFound)).transpose()?;
        let before = reader.request.query_value("before").map(str::parse);
        let before: Option<u32> = before.transpose().map_err(|_| PageError::NotFound)?;
        let watched = match game {
            None => latest_moves(&mut reader)?,
            Some(game) => {
                let limits = NewestLimits { loaded: MAX_LOADED, listed: MAX_LISTED };
                newest_of_game(&mut reader, game.spec().name, before, limits, is_watched)?
            }
        };
        let snapshot = reader.close();
        let body = body(&snapshot, game, &watched);
        let events = events_path(&watched.boards, game);
        Ok(snapshot.live_page("Boards in play", &events, &body))
    })
    .await
}

/// Returns the path of the events of these boards, and of new boards of the game.
fn events_path(boards: &[BoardId], game: Option<&'static dyn AnyGame>) -> String {
    let boards: Vec<String> =
        boards.iter().map(|id| format!("{}.{}", id.game, id.number)).collect();
    let game = game.map_or("", |game| game.spec().name);
    format!("/events?watch={}&game={game}", boards.join("+"))
}

/// Returns whether visitors may watch a board, and its game is not over.
pub(crate) fn is_watched(board: &Board) -> bool {
    !board.private && !board.is_over()
}

/// Returns the boards that changed last since the process started, the latest first.
pub(crate) fn latest_changed(
    reader: &mut SiteReader,
    limits: NewestLimits,
    is_listed: impl Fn(&Board) -> bool,
) -> PageResult<Vec<BoardId>> {
    let names = reader.site.hub.recent_changes();
    let keys: Vec<Key> =
        names.iter().filter_map(|name| Key::find_board(name)).take(limits.loaded).collect();
    reader.load(&keys)?;
    let ids = keys.iter().filter_map(|key| match key {
        Key::Board(game, number) => Some(BoardId { game, number: *number }),
        _ => None,
    });
    let is_listed = |id: &BoardId| reader.world.board(*id).is_ok_and(&is_listed);
    Ok(ids.filter(is_listed).take(limits.listed).collect())
}

/// Returns the public boards in play that changed last, the latest first. A process that has just
/// started knows of no moves; then the newest boards of each game follow.
fn latest_moves(reader: &mut SiteReader) -> PageResult<WatchedBoards> {
    let limits = NewestLimits { loaded: MAX_LOADED, listed: MAX_LISTED };
    let mut boards = latest_changed(reader, limits, is_watched)?;
    if boards.len() < MAX_LISTED {
        let limits = NewestLimits { loaded: NEWEST_OF_EACH, listed: NEWEST_OF_EACH };
        for game in GAMES.iter().map(|game| game.spec().name) {
            for id in newest_of_game(reader, game, None, limits, is_watched)?.boards {
                if boards.len() < MAX_LISTED && !boards.contains(&id) {
                    boards.push(id);
                }
            }
        }
    }
    Ok(WatchedBoards { boards, next: None })
}

/// Returns the newest boards of a game that are to be listed, those before a number.
pub(crate) fn newest_of_game(
    reader: &mut SiteReader,
    game: &'static str,
    before: Option<u32>,
    limits: NewestLimits,
    is_listed: impl Fn(&Board) -> bool,
) -> PageResult<WatchedBoards> {
    reader.load(&[count_key(game)])?;
    let end = reader.world.latest_number(game).unwrap_or(0).saturating_add(1);
    let end = before.map_or(end, |before| before.min(end));
    let ids: Vec<BoardId> =
        (1..end).rev().take(MAX_NUMBERS).map(|number| BoardId { game, number }).collect();
    let (mut boards, mut loaded, mut next) = (Vec::new(), 0, None);
    for part in ids.chunks(LOADED_AT_ONCE.min(limits.loaded)) {
        reader.load_boards(part.iter().copied())?;
        for &id in part {
            next = Some(id.number).filter(|number| *number > 1);
            let Ok(board) = reader.world.board(id) else { continue };
            loaded += 1;
            if is_listed(board) {
                boards.push(id);
            }
            if loaded == limits.loaded || boards.len() == limits.listed {
                return Ok(WatchedBoards { boards, next });
            }
        }
    }
    Ok(WatchedBoards { boards, next })
}

fn body(
    snapshot: &Snapshot,
    game: Option<&'static dyn AnyGame>,
    watched: &WatchedBoards,
) -> Markup {
    let boards: Vec<&Board> =
        watched.boards.iter().filter_map(|id| snapshot.world.board(*id).ok()).collect();
    let chosen = game.map(|game| game.spec().name);
    html! {
        h1 { "Boards in play" }
        p { "Open a board to see each move as it is made. You need no account." }
        nav.filter aria-label="Games" {
            a href="/watch" aria-current=[chosen.is_none().then_some("page")] { "Latest moves" }
            @for spec in GAMES.iter().map(|game| game.spec()) {
                a href={ "/watch?game=" (spec.name) }
                    aria-current=[(chosen == Some(spec.name)).then_some("page")] { (spec.title) }
            }
        }
        @if boards.is_empty() {
            p.quiet { "There are no public boards in play here. " a href="/play" { "Begin one" } "." }
        }
        ul.boards { @for board in boards { li { (board_line(snapshot, board)) } } }
        @if let (Some(next), Some(name)) = (watched.next, chosen) {
            p { a rel="next" href={ "/watch?game=" (name) "&before=" (next) } { "Older boards" } }
        }
    }
}
