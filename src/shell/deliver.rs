//! Sends what the outbox holds.

use super::home::at;
use super::remedy;
use super::settings;
use super::{Exit, Machine, Trouble};
use crate::post::{self, Noted, known};
use crate::store::{Home as _, log_all};
use std::path::Path;

/// What is told of mails that do not leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Telling {
    /// All of it: somebody looks.
    All,
    /// What was not told today: it is mailed every minute.
    New,
}

/// Sends what the outbox holds. Why a mail did not leave is told, and stands in the log.
pub(super) fn run(home: &Path, telling: Telling, machine: &mut Machine) -> Result<Exit, Trouble> {
    let config = settings::load(home)?;
    let Some(carrier) = post::carrier(&config.deliver)? else { return Ok(Exit::Done) };
    let now = (machine.clock)();
    let mut carrier = Noted::new(carrier);
    let flushed = post::flush(&at(home), &mut carrier, now);
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
    // Where the disk is full, that is said once.
    for fault in noted.into_iter().filter_map(Result::err).filter(|_| flushed.is_ok()) {
        (machine.warn)(&remedy::told_fault(&fault, home));
    }
    flushed?;
    Ok(if told.late { Exit::Late } else { Exit::Done })
}
