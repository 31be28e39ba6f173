//! `/feed/{user}/{token}`: a user's boards as an Atom feed, at a secret address.

use super::board::path;
use crate::base::ids::UserId;
use crate::base::time::Time;
use crate::model::board::Board;
use crate::model::user::User;
use crate::model::world::{board_key, user_key};
use crate::reply::board_view;
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::http::request::WebRequest;
use crate::web::http::session::generations;
use crate::web::site::{Site, SiteReader};
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use maud::{Markup, PreEscaped, html};
use std::sync::Arc;

/// The limit on boards, those that changed last.
const MAX_BOARDS: usize = 50;

impl Site {
    /// Returns the path of a user's feed. It changes when the user signs out everywhere.
    pub(super) fn feed_path(&self, user: &User) -> String {
        let token = self.parts.setup.key.session(&user.id, generations(user), Time::NEVER);
        format!("/feed/{}/{token}", user.id)
    }
}

/// Sends the feed.
pub(crate) async fn feed(
    State(site): State<Arc<Site>>,
    Path((user, token)): Path<(String, String)>,
    request: WebRequest,
) -> PageResult<Response> {
    let user = UserId::parse(&user).ok_or(PageError::NotFound)?;
    let text = site.read(request, move |reader| feed_text(reader, &user, &token)).await?;
    let headers = [
        (header::CONTENT_TYPE, "application/atom+xml; charset=utf-8"),
        (header::CACHE_CONTROL, "private, no-cache"),
    ];
    Ok((headers, text).into_response())
}

fn feed_text(mut reader: SiteReader, id: &UserId, token: &str) -> PageResult<String> {
    reader.load(&[user_key(id)])?;
    let user = reader.world.user(id).ok_or(PageError::NotFound)?;
    let key = &reader.site.parts.setup.key;
    if !key.is_session(token, &user.id, generations(user), Time::NEVER) {
        return Err(PageError::NotFound);
    }
    let finished = user.finished.iter().rev().take(MAX_BOARDS);
    let ids: Vec<_> = user.active.iter().chain(finished).copied().collect();
    reader.load(&ids.iter().map(|id| board_key(*id)).collect::<Vec<_>>())?;
    let snapshot = reader.close();
    let boards = ids.iter().filter_map(|id| snapshot.world.board(*id).ok());
    let mut boards: Vec<&Board> = boards.collect();
    boards.sort_by_key(|board| std::cmp::Reverse(changed_at(board)));
    boards.truncate(MAX_BOARDS);
    let site = snapshot.site.parts.setup.config.web.address.clone().unwrap_or_default();
    let latest = boards.first().map_or(snapshot.now, |board| changed_at(board));
    let feed = html! {
        feed xmlns="http://www.w3.org/2005/Atom" {
            id { (site) "/boards#" (id) }
            title { "Boards of " (id) }
            updated { (latest.stamp()) }
            (link(&format!("{site}/boards")))
            @for board in boards { (entry(board, id, &site)) }
        }
    };
    Ok(format!("<?xml version=\"1.0\" encoding=\"utf-8\"?>{}", feed.into_string()))
}

/// Returns when a board changed last.
fn changed_at(board: &Board) -> Time {
    board.ended_at().unwrap_or_else(|| board.waits_since())
}

fn entry(board: &Board, user: &UserId, site: &str) -> Markup {
    let address = format!("{site}{}", path(board.id));
    html! {
        entry {
            id { (address) "#" (board.next_move()) }
            title { (board_view::state_sentence(board, board.seat(user))) }
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
