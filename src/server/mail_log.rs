//! The log of mails and commands: each line with the number of its mail.

use crate::base::ids::BoardId;
use crate::base::meters::CommandTally;
use crate::base::stopwatch::Stopwatch;
use crate::server::Server;
use crate::server::outcome::MailOutcome;
use crate::store::{Letter, LogEntry, LogOutcome};
use std::mem;
use std::ops::Range;

/// The log lines of one mail or command, and its outcome.
#[derive(Clone, Debug)]
struct LogSection {
    number: String,
    /// The range of its lines.
    lines: Range<usize>,
    outcome: LogOutcome,
}

/// Facts for the log, apart from its lines.
#[derive(Debug, Default)]
pub(super) struct LogNotes {
    /// The sections of the log that are complete.
    ended: Vec<LogSection>,
    /// The boards of the mail or command under way.
    pub(super) boards: Vec<BoardId>,
    /// What is counted of the mail or command under way.
    pub(super) tally: CommandTally,
    /// The first unreadable document, with the reason.
    pub(super) unreadable: Option<String>,
}

/// The state of log and letters when a mail or command began.
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
    /// Begins the log section of a mail or command.
    pub(super) fn begin(&mut self) -> LogStart {
        self.log_notes.boards.clear();
        self.log_notes.tally = CommandTally::default();
        let letter = self.work.transaction.letters.len();
        LogStart { line: self.log.len(), letter, stopwatch: Stopwatch::start() }
    }

    /// Ends the log section of a mail or command. `outcome` is `None` for a mail that was executed
    /// before.
    pub(super) fn end(&mut self, begun: LogStart, number: String, outcome: Option<MailOutcome>) {
        let letters = self.work.transaction.letters.get(begun.letter..).unwrap_or_default();
        let outcome = LogOutcome {
            outcome: outcome.map_or("executed before", MailOutcome::word),
            took: begun.stopwatch.took(),
            boards: self.log_notes.boards.drain(..).map(|board| board.to_string()).collect(),
            letters: letters.iter().map(short_name).collect(),
            tally: mem::take(&mut self.log_notes.tally),
        };
        let lines = begun.line..self.log.len();
        self.log_notes.ended.push(LogSection { number, lines, outcome });
    }

    /// Takes the first unreadable document since the last call, with the reason.
    pub(crate) fn take_unreadable(&mut self) -> Option<String> {
        self.log_notes.unreadable.take()
    }

    /// Takes the log since the last call: each line with the number of its mail or command, and after the
    /// lines of each its outcome.
    pub fn take_log(&mut self) -> Vec<LogEntry> {
        let mut lines = mem::take(&mut self.log).into_iter().enumerate().peekable();
        let mut entries = Vec::new();
        for LogSection { number, lines: section, outcome } in mem::take(&mut self.log_notes.ended) {
            while let Some((at, line)) = lines.next_if(|(at, _)| *at < section.end) {
                let number = (at >= section.start).then(|| number.clone());
                entries.push(LogEntry { text: line, number, outcome: None });
            }
            let (text, number) = ("command".to_owned(), Some(number));
            entries.push(LogEntry { text, number, outcome: Some(outcome) });
        }
        entries.extend(lines.map(|(_, line)| LogEntry::from(line)));
        entries
    }
}

/// Returns the start of a letter's name, which is unique among the letters of some days.
fn short_name(letter: &Letter) -> String {
    letter.name.chars().take(12).collect()
}
