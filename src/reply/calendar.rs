//! Deadlines of boards as a calendar (RFC 5545), for a page and for mails.

use crate::base::ids::{BoardId, UserId};
use crate::base::time::{HOUR, Time};
use crate::model::board::Board;
use crate::model::clock::AwaitedAction;
use crate::model::world::World;
use std::fmt::Write as _;

/// The most bytes of a line before its end.
const LONGEST_LINE: usize = 75;

/// The reader of a calendar.
#[derive(Clone, Copy, Debug)]
pub struct CalendarReader<'a> {
    /// The loaded documents.
    pub world: &'a World,
    /// The player.
    pub user: &'a UserId,
    /// The address of the web pages, if there are any.
    pub site: Option<&'a str>,
    /// The time.
    pub now: Time,
}

impl CalendarReader<'_> {
    /// Returns whether a board waits for the player.
    pub fn is_awaited(&self, board: &Board) -> bool {
        let turn = self.world.clock(board, self.now).turn;
        turn.is_some_and(|turn| board.player(turn.seat) == self.user)
    }

    /// Prints a calendar with the deadlines of boards that wait for the player.
    pub fn print<'b>(&self, boards: impl Iterator<Item = &'b Board>) -> String {
        let mut lines = CalendarLines(String::new());
        lines.add("BEGIN", "VCALENDAR");
        lines.add("VERSION", "2.0");
        lines.add("PRODID", "-//Postboard//EN");
        lines.add("X-WR-CALNAME", &escaped(&format!("Boards of {}", self.user)));
        for board in boards {
            self.deadline(board, &mut lines);
        }
        lines.add("END", "VCALENDAR");
        lines.0
    }

    /// Prints the deadline of a board: the hour before it.
    fn deadline(&self, board: &Board, lines: &mut CalendarLines) {
        let Some(turn) = self.world.clock(board, self.now).turn else { return };
        let BoardId { game, number } = board.id;
        let title = board.game.spec().title;
        let act = match turn.wanted {
            AwaitedAction::Move => "move",
            AwaitedAction::Answer(_) => "answer the offer of a draw",
        };
        let opponent = board.seat(self.user).filter(|_| !board.game.spec().manner.is_solo);
        let against = opponent.map(|seat| format!(" against {}", board.player(seat.other())));
        let summary = format!("{title} {number}{}: {act}", against.unwrap_or_default());
        let host = host(self.site.unwrap_or_default());
        lines.add("BEGIN", "VEVENT");
        lines.add("UID", &format!("{game}-{number}-{}@{host}", board.next_move()));
        lines.add("DTSTAMP", &utc(self.now));
        lines.add("DTSTART", &utc(turn.end - HOUR));
        lines.add("DTEND", &utc(turn.end));
        lines.add("SUMMARY", &escaped(&summary));
        if let Some(site) = self.site {
            lines.add("URL", &format!("{site}/{game}/{number}"));
        }
        lines.add("TRANSP", "TRANSPARENT");
        lines.add("END", "VEVENT");
    }
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
