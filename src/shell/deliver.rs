//! Sends what the outbox holds.

use super::executor::words_of;
use super::home::at;
use super::remedy;
use super::settings;
use super::{Exit, Machine, Trouble};
use crate::base::time::Time;
use crate::post::{self, Noted, Report, Told, Troubles, Undelivered, known};
use crate::reply::{self, Album, Unprintable};
use crate::store::outbox::Backlog;
use crate::store::{Fault, Letter, log_all};
use std::borrow::Cow;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// What to report about mails that cannot be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Telling {
    /// Everything: a person is looking.
    All,
    /// Troubles that were not reported today: cron mails its output every minute.
    New,
}

/// Sends what the outbox holds. It reports why a mail was not sent, and logs it.
pub(super) fn run(home: &Path, telling: Telling, machine: &mut Machine) -> Result<Exit, Trouble> {
    let load = || known::load(home);
    let now = (machine.clock)();
    let Some(Run { was, learnt, told, flushed, .. }) = flush(home, load, now)? else {
        return Ok(Exit::Done);
    };
    for line in if telling == Telling::All { &told.all } else { &told.new } {
        (machine.warn)(line);
    }
    let noted = [log_all(home, &lines(&told, &flushed)), known::keep(home, &was, &learnt)];
    // A full disk is reported once.
    for fault in noted.into_iter().filter_map(Result::err).filter(|_| flushed.is_ok()) {
        (machine.warn)(&remedy::told_fault(&fault, home));
    }
    flushed?;
    Ok(if told.late { Exit::Late } else { Exit::Done })
}

/// The work that is left after a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Left {
    /// Nothing: all has left.
    Nothing,
    /// Letters that have failed, and pause.
    Failed,
    /// Perhaps something: another process was sending.
    Others,
}

/// The same for a process that stays. It knows by itself what it has told: what `cron` tells does not
/// depend on it.
pub(super) fn again(
    home: &Path,
    known: &mut Troubles,
    now: Time,
    warn: &dyn Fn(&dyn Display),
) -> Result<Left, Trouble> {
    let Some(run) = flush(home, || known.clone(), now)? else { return Ok(Left::Nothing) };
    let Run { learnt, told, flushed, backlog, .. } = run;
    told.new.iter().for_each(|line| warn(line));
    *known = learnt;
    log_all(home, &lines(&told, &flushed))?;
    Ok(match flushed? {
        Report { is_busy: true, .. } => Left::Others,
        _ if backlog.letters > 0 => Left::Failed,
        _ => Left::Nothing,
    })
}

/// The outcome of a run.
struct Run {
    /// The troubles that the operator had been told before.
    was: Troubles,
    learnt: Troubles,
    told: Told,
    flushed: Result<Report, Fault>,
    backlog: Backlog,
}

/// Sends what the outbox holds, if there is a way out.
fn flush(home: &Path, known: impl FnOnce() -> Troubles, now: Time) -> Result<Option<Run>, Trouble> {
    let config = settings::load(home)?;
    let Some(carrier) = post::carrier(&config.deliver)? else { return Ok(None) };
    let mut carrier = Noted::new(carrier);
    let album = Album::default();
    let flushed = post::flush(&*at(home), &mut carrier, &|letter| printed(letter, &album), now);
    let was = known();
    let (mut learnt, backlog) = (was.clone(), at(home).backlog()?);
    let told = learnt.learn(&carrier.into_run(), backlog, config.late, now);
    Ok(Some(Run { was, learnt, told, flushed, backlog }))
}

/// The lines of the log about a run.
fn lines(told: &Told, flushed: &Result<Report, Fault>) -> Vec<String> {
    let mut lines = [&told.new[..], &told.over].concat();
    if let Ok(report) = flushed
        && report.kept + report.failed > 0
    {
        lines.push(format!(
            "{} mails sent, {} kept for later, {} given up",
            report.sent, report.kept, report.failed
        ));
    }
    lines
}

/// A letter as it leaves. One that cannot be printed is put aside, and the others go on.
pub(super) fn printed<'l>(letter: &'l Letter, album: &Album) -> Result<Cow<'l, [u8]>, Undelivered> {
    let not_sent = |permanent, why: String| Undelivered { permanent, all: false, why };
    // A picture that a panic left half drawn is not in the album.
    match catch_unwind(AssertUnwindSafe(|| reply::printed_with(letter, album))) {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(later @ Unprintable::Later(_))) => Err(not_sent(false, later.to_string())),
        Ok(Err(damaged @ Unprintable::Damaged)) => Err(not_sent(true, damaged.to_string())),
        Err(panic) => {
            let why = format!("it cannot be printed, by a fault of ours: {}", words_of(&*panic));
            Err(not_sent(true, why))
        }
    }
}
