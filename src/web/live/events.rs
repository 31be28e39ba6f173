//! `/events`: server-sent events for open pages. An event says that a document of the page has
//! changed, never how: the page is requested again, and shows what its reader may see.

use super::hub::HubSubscription;
use crate::base::ids::{BoardId, UserId};
use crate::model::chat_log::chat_key;
use crate::model::ladder::ladder_key;
use crate::model::world::{board_key, count_key, tournament_key, user_key};
use crate::store::Key;
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::http::request::WebRequest;
use crate::web::pages::board::{parse_id, visible_seat};
use crate::web::pages::{ladder, tournament};
use crate::web::site::{Site, SiteReader};
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use games::GAMES;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

/// The interval of comments that keep proxies from closing an idle connection.
const KEEP_ALIVE: Duration = Duration::from_secs(25);

/// How long a browser waits before it reconnects.
const RETRY: Duration = Duration::from_secs(3);

/// The limit on boards that a list of boards in play watches.
const MAX_WATCHED: usize = 24;

/// Sends an event for each change of a board, of a tournament, of a ladder, of the boards in a list, or of any
/// board of the signed-in user.
pub(crate) async fn events(
    State(site): State<Arc<Site>>,
    request: WebRequest,
) -> PageResult<Response> {
    let subscription = subscribe(&site, request.clone()).await?;
    let first = Event::default().retry(RETRY).comment("listening");
    // A user's list of boards changes, so it is read again after each event. A board stays the same,
    // and thousands may watch it.
    // An empty value is like none, but a list of boards may be empty.
    let is_fixed = request.query.contains_key("watch")
        || ["board", "ladder", "tournament"].iter().any(|name| request.query_value(name).is_some());
    let user_request = (!is_fixed).then(|| Arc::new(request));
    let start = (Some(first), subscription, site);
    let stream = stream::unfold(start, move |(first, subscription, site)| {
        let user_request = user_request.clone();
        async move {
            if let Some(first) = first {
                return Some((Ok::<_, Infallible>(first), (None, subscription, site)));
            }
            tokio::select! {
                () = subscription.changed() => {}
                () = site.shutdown() => return None,
            }
            let subscription = match user_request {
                None => subscription,
                Some(request) => subscribe(&site, request.as_ref().clone()).await.ok()?,
            };
            Some((Ok(Event::default().data("changed")), (None, subscription, site)))
        }
    });
    let keep_alive = KeepAlive::new().interval(KEEP_ALIVE);
    let mut response = Sse::new(stream).keep_alive(keep_alive).into_response();
    // Without it nginx would buffer the events.
    response.headers_mut().insert("x-accel-buffering", HeaderValue::from_static("no"));
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

async fn subscribe(site: &Arc<Site>, request: WebRequest) -> PageResult<HubSubscription> {
    let watched = Arc::clone(site).read(request, |mut reader| watched_documents(&mut reader));
    let Watched { documents, player } = watched.await?;
    Ok(site.hub.subscribe(documents, player))
}

/// The documents of a page.
struct Watched {
    /// Their names.
    documents: Vec<String>,
    /// The visitor, if the page shows a board of theirs, which is the first document.
    player: Option<UserId>,
}

/// Returns the documents that the request watches.
fn watched_documents(reader: &mut SiteReader) -> PageResult<Watched> {
    let mut player = None;
    let keys = if let Some(board) = reader.request.query_value("board") {
        let (game, number) = board.split_once(' ').ok_or(PageError::NotFound)?;
        let keys = board_documents(reader, parse_id(game, number)?)?;
        player = reader.viewer.clone().filter(|_| keys.len() > 1);
        keys
    } else if let Some(tournament) = reader.request.query_value("tournament") {
        let (game, number) = tournament.split_once(' ').ok_or(PageError::NotFound)?;
        vec![tournament_key(tournament::parse_id(game, number)?)]
    } else if let Some(game) = reader.request.query_value("ladder") {
        // All that changes a ladder is added to its journal.
        let game = ladder::parse_game(game)?;
        let head = ladder_key(game);
        reader.load(std::slice::from_ref(&head))?;
        let loaded = reader.world.loaded_ladder(game);
        let journals = loaded.map(|ladder| ladder.journal_keys());
        journals.into_iter().flatten().chain([head]).collect()
    } else if let Some(boards) = reader.request.query.get("watch").cloned() {
        listed_documents(reader, &boards)?
    } else {
        let user = reader.signed_in_user()?;
        reader.load(&[user_key(&user)])?;
        let document = reader.world.user(&user);
        let active = document.into_iter().flat_map(|user| &user.active).map(|id| board_key(*id));
        active.chain([user_key(&user)]).collect()
    };
    Ok(Watched { documents: keys.iter().filter_map(Key::file).collect(), player })
}

/// Returns the public boards of a list, such as `malaka.1 reversi.2`, and the counts of boards that
/// tell of new ones: of one game, or of all.
fn listed_documents(reader: &mut SiteReader, boards: &str) -> PageResult<Vec<Key>> {
    let parse = |board: &str| {
        let (game, number) = board.split_once('.').ok_or(PageError::NotFound)?;
        parse_id(game, number)
    };
    let boards = boards.split(' ').filter(|board| !board.is_empty()).take(MAX_WATCHED);
    let boards = boards.map(parse).collect::<PageResult<Vec<BoardId>>>()?;
    reader.load_boards(boards.iter().copied())?;
    let is_public = |id: &BoardId| reader.world.board(*id).is_ok_and(|board| !board.private);
    let public = boards.iter().filter(|id| is_public(id)).map(|id| board_key(*id));
    let game = reader.request.query_value("game").and_then(games::find);
    let games = GAMES.iter().map(|game| game.spec().name);
    let counted = games.filter(|name| game.is_none_or(|game| game.spec().name == *name));
    Ok(public.chain(counted.map(count_key)).collect())
}

/// Returns the board, and for its players their messages.
fn board_documents(reader: &mut SiteReader, id: BoardId) -> PageResult<Vec<Key>> {
    reader.load(&[board_key(id)])?;
    let seat = visible_seat(&reader.world, reader.viewer.as_ref(), id)?;
    Ok([board_key(id)].into_iter().chain(seat.map(|_| chat_key(id))).collect())
}
