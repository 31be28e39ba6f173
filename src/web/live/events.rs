//! Events for open pages: that something they show has changed, never what.

use crate::base::ids::BoardId;
use crate::model::talk::talk_key;
use crate::model::world::{board_key, user_key};
use crate::store::Key;
use crate::web::html::error_page::PageError;
use crate::web::http::request::WebRequest;
use crate::web::live::hub::HubSubscription;
use crate::web::pages::board::{named, seen_by};
use crate::web::site::{Site, SiteReader};
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

/// After how long something is sent for nothing, so that a proxy does not cut the line.
const STILL_HERE: Duration = Duration::from_secs(25);

/// After how long a browser that lost the line comes again.
const COMES_AGAIN: Duration = Duration::from_secs(3);

/// Tells of changes of a board, or of all boards of the user who asks.
pub(in crate::web) async fn events(
    State(site): State<Arc<Site>>,
    ask: WebRequest,
) -> Result<Response, PageError> {
    let ear = listen(&site, ask.clone()).await?;
    let first = Event::default().retry(COMES_AGAIN).comment("listening");
    // A user may have other boards later; a board stays the same, and thousands may listen to one.
    let later = ask.query_value("board").is_none().then(|| Arc::new(ask));
    let stream = stream::unfold((Some(first), ear, site), move |(first, ear, site)| {
        let later = later.clone();
        async move {
            if let Some(first) = first {
                return Some((Ok::<_, Infallible>(first), (None, ear, site)));
            }
            if !next(&ear, &site).await {
                return None;
            }
            let ear = match later {
                None => ear,
                Some(ask) => listen(&site, ask.as_ref().clone()).await.ok()?,
            };
            Some((Ok(Event::default().data("changed")), (None, ear, site)))
        }
    });
    let keep = KeepAlive::new().interval(STILL_HERE);
    let mut response = Sse::new(stream).keep_alive(keep).into_response();
    // A proxy that waits for more to come would make it late.
    response.headers_mut().insert("x-accel-buffering", HeaderValue::from_static("no"));
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

async fn listen(site: &Arc<Site>, ask: WebRequest) -> Result<HubSubscription, PageError> {
    let names = Arc::clone(site).read(ask, |mut reader| names(&mut reader)).await?;
    Ok(site.hub.listen(names))
}

/// Waits for a change; whether there was one, and not the end.
async fn next(ear: &HubSubscription, site: &Site) -> bool {
    tokio::select! {
        () = ear.hear() => true,
        () = site.ended() => false,
    }
}

/// The names of the documents that the listener may hear of.
fn names(reader: &mut SiteReader) -> Result<Vec<String>, PageError> {
    let keys = if let Some(board) = reader.ask.query_value("board") {
        let (game, number) = board.split_once(' ').ok_or(PageError::NotFound)?;
        of_board(reader, named(game, number)?)?
    } else {
        let user = reader.user()?;
        reader.gather(&[user_key(&user)])?;
        let found = reader.world.user(&user);
        let active = found.into_iter().flat_map(|user| &user.active).map(|id| board_key(*id));
        active.chain([user_key(&user)]).collect()
    };
    Ok(keys.iter().filter_map(Key::file).collect())
}

/// A board, and for its players what was said there.
fn of_board(reader: &mut SiteReader, id: BoardId) -> Result<Vec<Key>, PageError> {
    reader.gather(&[board_key(id)])?;
    let seat = seen_by(&reader.world, reader.viewer.as_ref(), id)?;
    Ok([board_key(id)].into_iter().chain(seat.map(|_| talk_key(id))).collect())
}
