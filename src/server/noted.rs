//! The note of a mail or a command, with the number that ties it to its letters.

use crate::base::ids::BoardId;
use crate::base::stopwatch::Stopwatch;
use crate::server::Server;
use crate::server::outcome::MailOutcome;
use crate::store::{Letter, LogEntry, LogOutcome};
use std::mem;

/// The end of a mail or a command among the lines of the log.
#[derive(Clone, Debug)]
struct LogSection {
    number: String,
    /// The first of its lines, and the first that is not one of them.
    lines: (usize, usize),
    carried: LogOutcome,
}

/// Facts for the log beside its lines.
#[derive(Debug, Default)]
pub(super) struct LogNotes {
    /// Which of the lines belong to which mail.
    ended: Vec<LogSection>,
    /// The boards of the mail or command under way.
    pub(super) boards: Vec<BoardId>,
    /// The first document that could not be read, and why.
    pub(super) unreadable: Option<String>,
}

/// Where a mail or a command begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct LogStart {
    line: usize,
    letter: usize,
    stopwatch: Stopwatch,
}

impl MailOutcome {
    fn word(self) -> &'static str {
        match self {
            Self::Nothing => "nothing asked",
            Self::OldTag => "an old address",
            Self::Words => "no command",
            Self::Refused => "refused",
            Self::CarriedOut => "carried out",
        }
    }
}

impl Server<'_> {
    pub(super) fn begin(&mut self) -> LogStart {
        self.noted.boards.clear();
        let letter = self.batch.transaction.letters.len();
        LogStart { line: self.log.len(), letter, stopwatch: Stopwatch::start() }
    }

    pub(super) fn end(&mut self, begun: LogStart, number: String, outcome: Option<MailOutcome>) {
        let letters = self.batch.transaction.letters.get(begun.letter..).unwrap_or_default();
        let carried = LogOutcome {
            outcome: outcome.map_or("executed before", MailOutcome::word),
            took: begun.stopwatch.took(),
            boards: self.noted.boards.drain(..).map(|board| board.to_string()).collect(),
            letters: letters.iter().map(short_name).collect(),
        };
        let lines = (begun.line, self.log.len());
        self.noted.ended.push(LogSection { number, lines, carried });
    }

    /// The first document that could not be read since the last call, and why.
    pub(crate) fn take_unreadable(&mut self) -> Option<String> {
        self.noted.unreadable.take()
    }

    /// All that was noted since the last call: lines with the number of the mail or command that they
    /// belong to, and its end behind them.
    pub fn take_log(&mut self) -> Vec<LogEntry> {
        let mut lines = mem::take(&mut self.log).into_iter().enumerate().peekable();
        let mut entries = Vec::new();
        for LogSection { number, lines: (first, end), carried } in mem::take(&mut self.noted.ended)
        {
            while let Some((at, line)) = lines.next_if(|(at, _)| *at < end) {
                let number = (at >= first).then(|| number.clone());
                entries.push(LogEntry { text: line, number, carried: None });
            }
            let (text, number) = ("command".to_owned(), Some(number));
            entries.push(LogEntry { text, number, carried: Some(carried) });
        }
        entries.extend(lines.map(|(_, line)| LogEntry::from(line)));
        entries
    }
}

/// As much of a letter's name as tells it from all others of these days.
fn short_name(letter: &Letter) -> String {
    letter.name.chars().take(12).collect()
}
