//! A user's deadlines as a calendar (RFC 5545), at the secret address `/calendar/{user}/{token}`.

use super::secret_page;
use crate::base::ids::{BoardId, UserId};
use crate::reply::CalendarReader;
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::http::request::WebRequest;
use crate::web::site::{Site, SiteReader};
use axum::extract::{Path, State};
use axum::response::Response;
use std::sync::Arc;

/// The limit on boards, the newest.
const MAX_BOARDS: usize = 200;

/// The content type of a calendar.
const CALENDAR: &str = "text/calendar; charset=utf-8";

/// Sends the calendar of a user's deadlines.
pub(crate) async fn own(
    State(site): State<Arc<Site>>,
    address: Path<(String, String)>,
    request: WebRequest,
) -> PageResult<Response> {
    secret_page::respond(site, request, address, CALENDAR, calendar).await
}

fn calendar(mut reader: SiteReader, id: &UserId) -> PageResult<String> {
    let user = reader.world.user(id).ok_or(PageError::NotFound)?;
    let boards: Vec<BoardId> = user.active.iter().rev().take(MAX_BOARDS).copied().collect();
    reader.load_boards(boards.iter().copied())?;
    let snapshot = reader.close();
    let boards = boards.iter().filter_map(|board| snapshot.world.loaded_board(*board));
    let calendar = CalendarReader {
        world: &snapshot.world,
        user: id,
        site: snapshot.site.parts.setup.config.web.address.as_deref(),
        now: snapshot.now,
    };
    Ok(calendar.print(boards.filter(|board| calendar.is_awaited(board))))
}
