//! The log: what happened, a line each, and no secrets. It goes to a file of the home, to standard error
//! or to journald, as text or as JSON.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the store owns files")]

use super::{Fault, LogEntry, LogOutcome};
use crate::base::time::Time;
use std::fmt;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::mem;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::SystemTime;
use tracing::{Dispatch, dispatcher, info};
use tracing_subscriber::Registry;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::FormatTime;
use tracing_subscriber::layer::SubscriberExt as _;

/// How the log is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LogStyle {
    /// Where to.
    pub to: LogTo,
    /// As JSON, an object a line; journald has fields of its own.
    pub is_json: bool,
}

/// Where the log goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogTo {
    /// `log/postboard.log` in the home.
    #[default]
    File,
    /// Standard error.
    Stderr,
    /// The journal of systemd; standard error where there is none.
    Journald,
}

/// A process has one log.
static STYLE: OnceLock<LogStyle> = OnceLock::new();

/// Says how this process writes its log; the first word counts.
pub fn set_log_style(style: LogStyle) {
    let _ = STYLE.set(style);
}

/// Writes a line into the log: what happened, and no secrets.
///
/// # Errors
/// The machine failed.
pub fn log(home: &Path, line: &str) -> Result<(), Fault> {
    log_all(home, &[line])
}

/// Writes lines into the log, all with the time of now.
///
/// # Errors
/// The machine failed.
pub fn log_all(home: &Path, lines: &[impl AsRef<str>]) -> Result<(), Fault> {
    record(home, &lines.iter().map(|line| LogEntry::from(line.as_ref())).collect::<Vec<_>>())
}

/// Writes entries into the log, all with the time of now.
///
/// # Errors
/// The machine failed.
pub fn record(home: &Path, entries: &[LogEntry]) -> Result<(), Fault> {
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
    let text = written(entries, is_json);
    if to == LogTo::File {
        return append(home, &text);
    }
    // Its reader may have gone.
    let _ = io::stderr().write_all(&text);
    Ok(())
}

/// The lines as text, in one piece: what several processes write is not mixed up.
fn written(entries: &[LogEntry], is_json: bool) -> Vec<u8> {
    let page = LogBuffer::default();
    let made = page.clone();
    let layer = tracing_subscriber::fmt::layer()
        .with_writer(move || made.clone())
        .with_timer(LogTime(Time::from(SystemTime::now()).stamp()))
        .with_target(false)
        .with_ansi(false);
    let dispatch = if is_json {
        Dispatch::new(Registry::default().with(layer.json().flatten_event(true)))
    } else {
        Dispatch::new(Registry::default().with(layer.with_level(false)))
    };
    emit(&dispatch, entries);
    let mut text = page.0.lock().unwrap_or_else(PoisonError::into_inner);
    mem::take(&mut *text)
}

fn emit(dispatch: &Dispatch, entries: &[LogEntry]) {
    dispatcher::with_default(dispatch, || {
        for LogEntry { text, number, carried } in entries {
            let clean = |c: char| if c.is_control() { ' ' } else { c };
            let text: String = text.chars().map(clean).collect();
            match (number, carried) {
                (number, Some(carried)) => emit_command(number.as_deref(), carried),
                (Some(number), None) => info!(%number, "{text}"),
                (None, None) => info!("{text}"),
            }
        }
    });
}

fn emit_command(number: Option<&str>, LogOutcome { outcome, took, boards, letters }: &LogOutcome) {
    let number = number.unwrap_or_default();
    let (boards, letters) = (boards.join(","), letters.join(","));
    // To a tenth of a millisecond.
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

/// The lines that are written at once.
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

/// The time of all that is written at once.
#[derive(Clone, Debug)]
struct LogTime(String);

impl FormatTime for LogTime {
    fn format_time(&self, to: &mut Writer<'_>) -> fmt::Result {
        to.write_str(&self.0)
    }
}
