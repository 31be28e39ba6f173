//! The log: one line per event, without secrets. It is written to a file of the home, to standard
//! error or to journald, as text or as JSON.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the store uses files")]

use super::Fault;
use crate::base::meters::{self, CommandTally};
use crate::base::time::Time;
use std::fmt;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::mem;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, SystemTime};
use tracing::{Dispatch, dispatcher, info};
use tracing_subscriber::Registry;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::FormatTime;
use tracing_subscriber::layer::SubscriberExt as _;

/// An entry of the log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogEntry {
    /// What happened, without secrets.
    pub text: String,
    /// The number of the mail or command that it belongs to.
    pub number: Option<String>,
    /// The outcome, if it is the end of a command.
    pub outcome: Option<LogOutcome>,
}

/// The outcome of a mail, or of a command that came in another way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogOutcome {
    /// `carried out`, `refused` ...
    pub outcome: &'static str,
    /// How long it took.
    pub took: Duration,
    /// The boards that it is about.
    pub boards: Vec<String>,
    /// The names of its letters in the outbox.
    pub letters: Vec<String>,
    /// What the metrics count of it; not written to the log.
    pub tally: CommandTally,
}

impl<S: Into<String>> From<S> for LogEntry {
    fn from(text: S) -> Self {
        Self { text: text.into(), ..Self::default() }
    }
}

/// The destination and format of the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LogStyle {
    /// The destination.
    pub to: LogTo,
    /// Whether each line is a JSON object. Ignored by journald, which has its own fields.
    pub is_json: bool,
}

/// The destination of the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogTo {
    /// `log/postboard.log` in the home.
    #[default]
    File,
    /// Standard error.
    Stderr,
    /// The journal of systemd; standard error if there is none.
    Journald,
}

/// The style of this process.
static STYLE: OnceLock<LogStyle> = OnceLock::new();

/// Sets how this process writes its log; later calls have no effect.
pub fn set_log_style(style: LogStyle) {
    let _ = STYLE.set(style);
}

/// Writes a line, which must not contain secrets, to the log.
pub fn log(home: &Path, line: &str) -> Result<(), Fault> {
    log_all(home, &[line])
}

/// Writes lines to the log, all with the current time.
pub fn log_all(home: &Path, lines: &[impl AsRef<str>]) -> Result<(), Fault> {
    record(home, &lines.iter().map(|line| LogEntry::from(line.as_ref())).collect::<Vec<_>>())
}

/// Writes entries to the log, all with the current time, and counts the commands that end with them.
pub fn record(home: &Path, entries: &[LogEntry]) -> Result<(), Fault> {
    for LogOutcome { outcome, took, tally, .. } in
        entries.iter().filter_map(|it| it.outcome.as_ref())
    {
        meters::count_command(outcome, *took, tally);
    }
    if entries.is_empty() {
        return Ok(());
    }
    let LogStyle { to, is_json } = STYLE.get().copied().unwrap_or_default();
    if to == LogTo::Journald
        && let Ok(journal) = tracing_journald::layer()
    {
        emit(&Dispatch::new(Registry::default().with(journal)), entries);
        return Ok(());
    }
    let text = formatted(entries, is_json);
    if to == LogTo::File {
        return append(home, &text);
    }
    // The reader of standard error may be gone.
    let _ = io::stderr().write_all(&text);
    Ok(())
}

/// Formats entries as one buffer, so that lines of several processes do not mix.
fn formatted(entries: &[LogEntry], is_json: bool) -> Vec<u8> {
    let buffer = LogBuffer::default();
    let writer = buffer.clone();
    let layer = tracing_subscriber::fmt::layer()
        .with_writer(move || writer.clone())
        .with_timer(LogTime(Time::from(SystemTime::now()).stamp()))
        .with_target(false)
        .with_ansi(false);
    let dispatch = if is_json {
        Dispatch::new(Registry::default().with(layer.json().flatten_event(true)))
    } else {
        Dispatch::new(Registry::default().with(layer.with_level(false)))
    };
    emit(&dispatch, entries);
    let mut text = buffer.0.lock().unwrap_or_else(PoisonError::into_inner);
    mem::take(&mut *text)
}

fn emit(dispatch: &Dispatch, entries: &[LogEntry]) {
    dispatcher::with_default(dispatch, || {
        for LogEntry { text, number, outcome } in entries {
            let clean = |c: char| if c.is_control() { ' ' } else { c };
            let text: String = text.chars().map(clean).collect();
            match (number, outcome) {
                (number, Some(outcome)) => emit_command(number.as_deref(), outcome),
                (Some(number), None) => info!(%number, "{text}"),
                (None, None) => info!("{text}"),
            }
        }
    });
}

fn emit_command(
    number: Option<&str>,
    LogOutcome { outcome, took, boards, letters, .. }: &LogOutcome,
) {
    let number = number.unwrap_or_default();
    let (boards, letters) = (boards.join(","), letters.join(","));
    // Rounded to 0.1 ms.
    let ms = (took.as_secs_f64() * 10_000.0).round() / 10.0;
    info!(%number, outcome, ms, boards, letters, "command");
}

fn append(home: &Path, text: &[u8]) -> Result<(), Fault> {
    let path = home.join("log/postboard.log");
    let open = || OpenOptions::new().append(true).create(true).mode(0o640).open(&path);
    open()
        .or_else(|error| match error.kind() {
            io::ErrorKind::NotFound => {
                fs::DirBuilder::new().mode(0o750).create(home.join("log"))?;
                open()
            }
            _ => Err(error),
        })
        .and_then(|mut file| file.write_all(text))
        .map_err(Fault::at("cannot write", &path))
}

/// The buffer of the lines that are written together.
#[derive(Clone, Debug, Default)]
struct LogBuffer(Arc<Mutex<Vec<u8>>>);

impl Write for LogBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The timestamp of the lines that are written together.
#[derive(Clone, Debug)]
struct LogTime(String);

impl FormatTime for LogTime {
    fn format_time(&self, to: &mut Writer<'_>) -> fmt::Result {
        to.write_str(&self.0)
    }
}
