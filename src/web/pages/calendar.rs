//! A user's deadlines as a calendar (RFC 5545), at the secret address `/calendar/{user}/{token}`.

use super::board::path;
use super::my_boards::waits_for;
use super::secret_page;
use crate::base::ids::{BoardId, UserId};
use crate::base::time::{HOUR, Time};
use crate::model::board::Board;
use crate::model::clock::AwaitedAction;
use crate::model::world::board_key;
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::http::request::WebRequest;
use crate::web::site::{Site, SiteReader, Snapshot};
use axum::extract::{Path, State};
use axum::response::Response;
use std::fmt::Write as _;
use std::sync::Arc;

/// The limit on boards, the newest.
const MAX_BOARDS: usize = 200;

/// The content type of a calendar.
const CALENDAR: &str = "text/calendar; charset=utf-8";

/// The most bytes of a line before its end.
const LONGEST_LINE: usize = 75;

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
    reader.load(&boards.iter().map(|board| board_key(*board)).collect::<Vec<_>>())?;
    let snapshot = reader.close();
    let boards = boards.iter().filter_map(|board| snapshot.world.loaded_board(*board));
    Ok(print(&snapshot, id, boards))
}

/// Prints a calendar with the boards that wait for a user.
fn print<'a>(
    snapshot: &Snapshot,
    user: &UserId,
    boards: impl Iterator<Item = &'a Board>,
) -> String {
    let mut lines = CalendarLines(String::new());
    lines.add("BEGIN", "VCALENDAR");
    lines.add("VERSION", "2.0");
    lines.add("PRODID", "-//Postboard//EN");
    lines.add("X-WR-CALNAME", &escaped(&format!("Boards of {user}")));
    for board in boards.filter(|board| waits_for(snapshot, user, board)) {
        deadline(snapshot, user, board, &mut lines);
    }
    lines.add("END", "VCALENDAR");
    lines.0
}

/// Prints the deadline of a board that waits for a user: the hour before it.
fn deadline(snapshot: &Snapshot, user: &UserId, board: &Board, lines: &mut CalendarLines) {
    let Some(turn) = snapshot.world.clock(board, snapshot.now).turn else { return };
    let site = snapshot.site.parts.setup.config.web.address.clone().unwrap_or_default();
    let BoardId { game, number } = board.id;
    let title = board.game.spec().title;
    let act = match turn.wanted {
        AwaitedAction::Move => "move",
        AwaitedAction::Answer(_) => "answer the offer of a draw",
    };
    let opponent = board.seat(user).filter(|_| !board.game.spec().manner.solo);
    let against = opponent.map(|seat| format!(" against {}", board.player(seat.other())));
    let summary = format!("{title} {number}{}: {act}", against.unwrap_or_default());
    lines.add("BEGIN", "VEVENT");
    lines.add("UID", &format!("{game}-{number}-{}@{}", board.next_move(), host(&site)));
    lines.add("DTSTAMP", &utc(snapshot.now));
    lines.add("DTSTART", &utc(turn.end - HOUR));
    lines.add("DTEND", &utc(turn.end));
    lines.add("SUMMARY", &escaped(&summary));
    lines.add("URL", &format!("{site}{}", path(board.id)));
    lines.add("TRANSP", "TRANSPARENT");
    lines.add("END", "VEVENT");
}

/// Returns the host of the site's address.
fn host(site: &str) -> &str {
    let host = site.split("://").nth(1).unwrap_or(site);
    host.split(['/', ':']).next().filter(|host| !host.is_empty()).unwrap_or("postboard")
}

/// Returns a time of UTC: `20040901T120000Z`.
fn utc(at: Time) -> String {
    at.stamp().replace(['-', ':'], "")
}

/// Escapes the text of a calendar.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        if [',', ';', '\\'].contains(&letter) {
            escaped.push('\\');
        }
        escaped.push(if letter.is_control() { ' ' } else { letter });
    }
    escaped
}

/// The lines of a calendar.
struct CalendarLines(String);

impl CalendarLines {
    /// Adds a line, folded where it is long.
    fn add(&mut self, name: &str, value: &str) {
        let mut length = 0;
        for letter in format!("{name}:{value}").chars() {
            if length + letter.len_utf8() > LONGEST_LINE {
                self.0.push_str("\r\n ");
                length = 1;
            }
            let _ = write!(self.0, "{letter}");
            length += letter.len_utf8();
        }
        self.0.push_str("\r\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_folded_and_marks_escaped() {
        let mut lines = CalendarLines(String::new());
        lines.add("SUMMARY", &escaped(&format!("{}, a; b\\c\n", "\u{e9}".repeat(60))));
        assert!(lines.0.ends_with("\r\n"));
        for line in lines.0.split_terminator("\r\n") {
            assert!(line.len() <= LONGEST_LINE, "{line}");
        }
        let unfolded = lines.0.replace("\r\n ", "");
        assert!(unfolded.ends_with("\\, a\\; b\\\\c \r\n"), "{unfolded}");
        assert_eq!(utc(Time::from_unix(1_093_003_200)), "20040820T120000Z");
        assert_eq!(host("https://games.example:8443/x"), "games.example");
        assert_eq!(host(""), "postboard");
    }
}
