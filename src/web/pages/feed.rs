//! My boards as an Atom feed, at an address that only their user knows.

use crate::base::ids::UserId;
use crate::base::time::Time;
use crate::model::board::Board;
use crate::model::user::User;
use crate::model::world::{board_key, user_key};
use crate::reply::board_view;
use crate::web::html::error_page::PageError;
use crate::web::http::request::WebRequest;
use crate::web::pages::board::path;
use crate::web::site::{Site, SiteReader};
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use maud::{Markup, PreEscaped, html};
use std::sync::Arc;

/// Boards in it at most, those that moved last.
const MOST: usize = 50;

impl Site {
    /// Where the feed of a user is. It ends as the user's browsers are signed out.
    pub(in crate::web) fn feed(&self, user: &User) -> String {
        let generations = [user.tokens, user.sessions];
        let token = self.parts.setup.key.session(&user.id, generations, Time::NEVER);
        format!("/feed/{}/{token}", user.id)
    }
}

/// The feed.
pub(in crate::web) async fn feed(
    State(site): State<Arc<Site>>,
    Path((user, token)): Path<(String, String)>,
    ask: WebRequest,
) -> Result<Response, PageError> {
    let user = UserId::parse(&user).ok_or(PageError::NotFound)?;
    let text = site.read(ask, move |reader| feed_text(reader, &user, &token)).await?;
    let headers = [
        (header::CONTENT_TYPE, "application/atom+xml; charset=utf-8"),
        (header::CACHE_CONTROL, "private, no-cache"),
    ];
    Ok((headers, text).into_response())
}

fn feed_text(mut reader: SiteReader, id: &UserId, token: &str) -> Result<String, PageError> {
    reader.gather(&[user_key(id)])?;
    let user = reader.world.user(id).ok_or(PageError::NotFound)?;
    let (key, generations) = (&reader.site.parts.setup.key, [user.tokens, user.sessions]);
    if !key.is_session(token, &user.id, generations, Time::NEVER) {
        return Err(PageError::NotFound);
    }
    let all: Vec<_> =
        user.active.iter().chain(user.finished.iter().rev().take(MOST)).copied().collect();
    reader.gather(&all.iter().map(|id| board_key(*id)).collect::<Vec<_>>())?;
    let seen = reader.leave();
    let mut boards: Vec<&Board> = all.iter().filter_map(|id| seen.world.board(*id).ok()).collect();
    boards.sort_by_key(|board| std::cmp::Reverse(moved(board)));
    boards.truncate(MOST);
    let site = seen.site.parts.setup.config.web.address.clone().unwrap_or_default();
    let latest = boards.first().map_or(seen.now, |board| moved(board));
    let entries = boards.iter().map(|board| entry(board, id, &site));
    let feed = html! {
        feed xmlns="http://www.w3.org/2005/Atom" {
            id { (site) "/boards#" (id) }
            title { "Boards of " (id) }
            updated { (latest.stamp()) }
            (link(&format!("{site}/boards")))
            @for one in entries { (one) }
        }
    };
    Ok(format!("<?xml version=\"1.0\" encoding=\"utf-8\"?>{}", feed.into_string()))
}

/// When something happened on a board last.
fn moved(board: &Board) -> Time {
    board.ended_at().unwrap_or_else(|| board.waits_since())
}

fn entry(board: &Board, user: &UserId, site: &str) -> Markup {
    let at = format!("{site}{}", path(board.id));
    html! {
        entry {
            id { (at) "#" (board.next_move()) }
            title { (board_view::state_sentence(board, board.seat(user))) }
            updated { (moved(board).stamp()) }
            author { name { (site) } }
            (link(&at))
        }
    }
}

/// A link. XML has an end for each element, also where HTML has none.
fn link(to: &str) -> Markup {
    html! { (PreEscaped("<link rel=\"alternate\" href=\"")) (to) (PreEscaped("\"/>")) }
}
