//! Atom feeds: a user's boards at the secret address `/feed/{user}/{token}`; the public boards of a player
//! at `/player/{name}/feed`; and the finished public boards of a game at `/{game}/feed`.

use super::board::path;
use super::secret_page;
use crate::base::ids::{BoardId, UserId};
use crate::base::time::Time;
use crate::model::board::Board;
use crate::model::world::user_key;
use crate::reply::board_view;
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::http::page_cache::ShownDocuments;
use crate::web::http::request::WebRequest;
use crate::web::lists::boards::{is_visible, latest_finished};
use crate::web::site::{Site, SiteReader, Snapshot};
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use maud::{Markup, PreEscaped, html};
use std::sync::Arc;

/// The limit on boards, those that changed last.
const MAX_BOARDS: usize = 50;

/// The content type of a feed.
const ATOM: &str = "application/atom+xml; charset=utf-8";

/// The facts of a feed besides its entries.
struct FeedHead {
    /// The path of the page that shows the same boards.
    page: String,
    /// The identity of the feed, after the address of the site.
    id: String,
    title: String,
}

/// Sends the feed of a user's own boards.
pub(crate) async fn own(
    State(site): State<Arc<Site>>,
    address: Path<(String, String)>,
    request: WebRequest,
) -> PageResult<Response> {
    secret_page::respond(site, request, address, ATOM, own_feed).await
}

fn own_feed(mut reader: SiteReader, id: &UserId) -> PageResult<String> {
    let user = reader.world.user(id).ok_or(PageError::NotFound)?;
    let finished = user.finished.iter().rev().take(MAX_BOARDS);
    let ids: Vec<_> = user.active.iter().chain(finished).copied().collect();
    reader.load_boards(ids.iter().copied())?;
    let snapshot = reader.close();
    let boards = ids.iter().filter_map(|id| snapshot.world.loaded_board(*id)).collect();
    let head = FeedHead {
        page: "/boards".into(),
        id: format!("/boards#{id}"),
        title: format!("Boards of {id}"),
    };
    Ok(feed(&snapshot, &head, boards, Some(id)))
}

/// Sends the feed of a player's public boards.
pub(crate) async fn of_player(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    request: WebRequest,
) -> PageResult<Response> {
    let id = UserId::parse(&name).ok_or(PageError::NotFound)?;
    let feed = site.read(request, move |mut reader| {
        reader.load(&[user_key(&id)])?;
        let user = reader.world.user(&id).ok_or(PageError::NotFound)?;
        let id = user.id.clone();
        let lists = [&user.active, &user.finished];
        let ids = lists.into_iter().flat_map(|list| list.iter().rev().take(MAX_BOARDS)).copied();
        let ids: Vec<BoardId> = ids.collect();
        reader.load_boards(ids.iter().copied())?;
        let page = format!("/player/{id}");
        let head = FeedHead { id: page.clone(), page, title: format!("Public boards of {id}") };
        Ok(public_feed(reader, &head, &ids))
    });
    feed.await
}

/// Sends the feed of a game's public boards that ended last.
pub(crate) async fn of_game(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    request: WebRequest,
) -> PageResult<Response> {
    let spec = games::find(&name).ok_or(PageError::NotFound)?.spec();
    let feed = site.read(request, move |mut reader| {
        // Everybody gets the same boards, even who could see private ones.
        reader.viewer = None;
        let ids = latest_finished(&mut reader, spec.name)?;
        let page = format!("/{}/history", spec.name);
        let title = format!("Finished boards of {}", spec.title);
        let head = FeedHead { id: page.clone(), page, title };
        Ok(public_feed(reader, &head, &ids))
    });
    feed.await
}

/// Builds the response with a feed of the boards that everybody may see. Everybody gets the same, so it is
/// cached until a board on it changes.
fn public_feed(reader: SiteReader, head: &FeedHead, ids: &[BoardId]) -> Response {
    let shows = reader.world.files_read();
    let snapshot = reader.close();
    let boards = ids.iter().filter_map(|id| snapshot.world.loaded_board(*id));
    let boards = boards.filter(|board| is_visible(None, board)).collect();
    let text = feed(&snapshot, head, boards, None);
    let headers = [(header::CONTENT_TYPE, ATOM), (header::CACHE_CONTROL, "no-cache")];
    let mut response = (headers, text).into_response();
    if let Some(shows) = shows {
        response.extensions_mut().insert(ShownDocuments(shows));
    }
    response
}

/// Returns a feed of the boards that changed last, for `reader`, a player of these boards; or for
/// everybody.
fn feed(
    snapshot: &Snapshot,
    head: &FeedHead,
    mut boards: Vec<&Board>,
    reader: Option<&UserId>,
) -> String {
    boards.sort_by_key(|board| std::cmp::Reverse((changed_at(board), board.id)));
    boards.truncate(MAX_BOARDS);
    let site = snapshot.site.parts.setup.config.web.address.clone().unwrap_or_default();
    let latest = boards.first().map_or(snapshot.now, |board| changed_at(board));
    let FeedHead { page, id, title } = head;
    let feed = html! {
        feed xmlns="http://www.w3.org/2005/Atom" {
            id { (site) (id) }
            title { (title) }
            updated { (latest.stamp()) }
            (link(&format!("{site}{page}")))
            @for board in boards { (entry(board, reader, &site)) }
        }
    };
    format!("<?xml version=\"1.0\" encoding=\"utf-8\"?>{}", feed.into_string())
}

/// Returns when a board changed last.
fn changed_at(board: &Board) -> Time {
    board.ended_at().unwrap_or_else(|| board.waits_since())
}

fn entry(board: &Board, reader: Option<&UserId>, site: &str) -> Markup {
    let address = format!("{site}{}", path(board.id));
    let seat = reader.and_then(|reader| board.seat(reader));
    html! {
        entry {
            id { (address) "#" (board.next_move()) }
            title { (board_view::state_sentence(board, seat)) }
            updated { (changed_at(board).stamp()) }
            author { name { (site) } }
            (link(&address))
        }
    }
}

/// Renders a link. XML needs an end of the element, which `maud` omits as HTML does.
fn link(href: &str) -> Markup {
    html! { (PreEscaped("<link rel=\"alternate\" href=\"")) (href) (PreEscaped("\"/>")) }
}
