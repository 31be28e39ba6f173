//! Sends what the outbox holds.

use super::home::{at, carrier};
use super::remedy;
use super::settings;
use super::worker::words_of;
use super::{CommandError, Exit, Machine};
use crate::base::time::Time;
use crate::post::{
    self, DeliveryError, OutboxReport, RecordingTransport, TroubleLog, TroubleReport, known,
};
use crate::reply::{self, PictureCache, Unprintable};
use crate::store::outbox::Backlog;
use crate::store::{Fault, Letter, log_all};
use std::borrow::Cow;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// What to report about mails that cannot be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReportScope {
    /// Everything: a person is looking.
    All,
    /// Troubles that were not reported today: cron mails its output every minute.
    New,
}

/// Sends what the outbox holds. It reports why a mail was not sent, and logs it.
pub(super) fn run(
    home: &Path,
    telling: ReportScope,
    machine: &mut Machine,
) -> Result<Exit, CommandError> {
    let load = || known::load(home);
    let now = (machine.clock)();
    let Some(DeliveryRun { was, learnt, told, flushed, .. }) = flush(home, load, now)? else {
        return Ok(Exit::Done);
    };
    for line in if telling == ReportScope::All { &told.all } else { &told.new } {
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
pub(super) enum LeftToSend {
    /// Nothing: all has left.
    Nothing,
    /// Letters that have failed, and pause.
    Failed,
    /// Perhaps something: another process was sending.
    Others,
}

/// The same for a process that stays. It knows by itself what it has told: what `cron` tells does not
/// depend on it.
pub(super) fn run_again(
    home: &Path,
    known: &mut TroubleLog,
    now: Time,
    warn: &dyn Fn(&dyn Display),
) -> Result<LeftToSend, CommandError> {
    let Some(run) = flush(home, || known.clone(), now)? else { return Ok(LeftToSend::Nothing) };
    let DeliveryRun { learnt, told, flushed, backlog, .. } = run;
    told.new.iter().for_each(|line| warn(line));
    *known = learnt;
    log_all(home, &lines(&told, &flushed))?;
    Ok(match flushed? {
        OutboxReport { is_busy: true, .. } => LeftToSend::Others,
        _ if backlog.letters > 0 => LeftToSend::Failed,
        _ => LeftToSend::Nothing,
    })
}

/// The outcome of a run.
struct DeliveryRun {
    /// The troubles that the operator had been told before.
    was: TroubleLog,
    learnt: TroubleLog,
    told: TroubleReport,
    flushed: Result<OutboxReport, Fault>,
    backlog: Backlog,
}

/// Sends what the outbox holds, if there is a way out.
fn flush(
    home: &Path,
    known: impl FnOnce() -> TroubleLog,
    now: Time,
) -> Result<Option<DeliveryRun>, CommandError> {
    let config = settings::load(home)?;
    let Some(carrier) = carrier(home, &config)? else { return Ok(None) };
    let mut carrier = RecordingTransport::new(carrier);
    let album = PictureCache::default();
    let flushed = post::flush(&*at(home)?, &mut carrier, &|letter| printed(letter, &album), now);
    let was = known();
    let (mut learnt, backlog) = (was.clone(), at(home)?.backlog()?);
    let told = learnt.learn(&carrier.into_run(), backlog, config.late, now);
    Ok(Some(DeliveryRun { was, learnt, told, flushed, backlog }))
}

/// The lines of the log about a run.
fn lines(told: &TroubleReport, flushed: &Result<OutboxReport, Fault>) -> Vec<String> {
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
pub(super) fn printed<'l>(
    letter: &'l Letter,
    album: &PictureCache,
) -> Result<Cow<'l, [u8]>, DeliveryError> {
    let not_sent = |permanent, why: String| DeliveryError { permanent, all: false, why };
    // A picture that a panic left half drawn is not in the album.
    match catch_unwind(AssertUnwindSafe(|| reply::print_letter_with(letter, album))) {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(later @ Unprintable::Later(_))) => Err(not_sent(false, later.to_string())),
        Ok(Err(damaged @ Unprintable::Damaged)) => Err(not_sent(true, damaged.to_string())),
        Err(panic) => {
            let why = format!("it cannot be printed, by a fault of ours: {}", words_of(&*panic));
            Err(not_sent(true, why))
        }
    }
}
