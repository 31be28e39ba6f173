//! Sends what the outbox holds.

use super::executor::words_of;
use super::home::at;
use super::remedy;
use super::settings;
use super::{Exit, Machine, Trouble};
use crate::post::{self, Noted, Undelivered, known};
use crate::reply::{self, Album, Unprintable};
use crate::store::{Home as _, Letter, log_all};
use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// What to report about mails that cannot be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Telling {
    /// Everything: somebody is looking.
    All,
    /// What was not reported today: cron mails its output every minute.
    New,
}

/// Sends what the outbox holds. It reports why a mail was not sent, and logs it.
pub(super) fn run(home: &Path, telling: Telling, machine: &mut Machine) -> Result<Exit, Trouble> {
    let config = settings::load(home)?;
    let Some(carrier) = post::carrier(&config.deliver)? else { return Ok(Exit::Done) };
    let now = (machine.clock)();
    let mut carrier = Noted::new(carrier);
    let album = Album::default();
    let flushed = post::flush(&at(home), &mut carrier, &|letter| printed(letter, &album), now);
    let known = known::load(home);
    let mut learnt = known.clone();
    let told = learnt.learn(&carrier.into_run(), at(home).backlog()?, config.late, now);
    let mut lines = [&told.new[..], &told.over].concat();
    if let Ok(report) = &flushed
        && report.kept + report.failed > 0
    {
        lines.push(format!(
            "{} mails sent, {} kept for later, {} given up",
            report.sent, report.kept, report.failed
        ));
    }
    for line in if telling == Telling::All { &told.all } else { &told.new } {
        (machine.warn)(line);
    }
    let noted = [log_all(home, &lines), known::keep(home, &known, &learnt)];
    // A full disk is reported once.
    for fault in noted.into_iter().filter_map(Result::err).filter(|_| flushed.is_ok()) {
        (machine.warn)(&remedy::told_fault(&fault, home));
    }
    flushed?;
    Ok(if told.late { Exit::Late } else { Exit::Done })
}

/// A letter as it leaves. One that cannot be printed is put aside, and the others go on.
pub(super) fn printed<'l>(letter: &'l Letter, album: &Album) -> Result<Cow<'l, [u8]>, Undelivered> {
    let not_sent = |permanent, why: String| Undelivered { permanent, all: false, why };
    // What a panic left half drawn is not in the album.
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
