//! `remind`: acts on clocks, and deletes what is old.

use crate::base::password::Hashing;
use crate::base::time::days;
use crate::server::Server;
use crate::server::newcomer_expiry;
use crate::server::remind::MarkerGuard;
use crate::server::remind::run_guarded;
use crate::shell::health::unreadable;
use crate::shell::home::{locate, open, with_retries};
use crate::shell::mails::SHARED_TURN;
use crate::shell::{CommandError, Machine, settings};
use crate::store::{Key, QuarantineAges, log, log_all, traces};
use std::path::Path;

/// Acts on clocks, and deletes what is old.
pub(crate) fn run(home: &Path, machine: &mut Machine) -> Result<(), CommandError> {
    run_while(home, &|| true, machine)
}

/// As [`run`], while `goes_on` says so; it is asked after each second. The next run does the rest.
pub(crate) fn run_while(
    home: &Path,
    goes_on: &dyn Fn() -> bool,
    machine: &mut Machine,
) -> Result<(), CommandError> {
    let mut after = None;
    loop {
        after = with_retries(|| remind_some(home, after.as_ref(), machine))?;
        if after.is_some() && !goes_on() {
            return Ok(());
        }
        if after.is_none() {
            with_retries(|| expire_newcomers(home, machine))?;
            return forget(home, machine);
        }
    }
}

/// Acts on some of the due documents after `after`. Returns the last one done, if there are more.
fn remind_some(
    home: &Path,
    after: Option<&Key>,
    machine: &mut Machine,
) -> Result<Option<Key>, CommandError> {
    let (mut files, setup) = open(home, Hashing::default())?;
    let (clock, warn) = (machine.clock, machine.warn);
    let now = clock();
    let mut server = Server::new(&setup, &mut machine.chance);
    let marker = MarkerGuard::new(files.run_marker());
    let last = run_guarded(&mut server, &mut *files, after, now, Some(&marker), &mut |server| {
        if let Err(fault) = log_all(home, &std::mem::take(&mut server.log)) {
            warn(&fault);
        }
        clock() <= now + SHARED_TURN
    })?;
    if let Err(fault) = log_all(home, &server.log) {
        warn(&fault);
    }
    // A marker that stays only makes the next run careful.
    if let Err(fault) = marker.clear() {
        warn(&fault);
    }
    let met = server.take_unreadable();
    files.close()?;
    unreadable::note(home, met, now);
    Ok(last)
}

/// Ends the accounts of newcomers who never confirmed their address.
fn expire_newcomers(home: &Path, machine: &mut Machine) -> Result<(), CommandError> {
    let (mut files, setup) = open(home, Hashing::default())?;
    let now = (machine.clock)();
    let mut server = Server::new(&setup, &mut machine.chance);
    let ended = newcomer_expiry::expire(&mut server, &mut *files, now);
    if let Err(fault) = log_all(home, &server.log) {
        (machine.warn)(&fault);
    }
    ended?;
    newcomer_expiry::register_older_accounts(&mut *files, now)?;
    files.close()?;
    Ok(())
}

/// Deletes what is old.
fn forget(home: &Path, machine: &mut Machine) -> Result<(), CommandError> {
    let now = (machine.clock)();
    let located = locate(home)?;
    located.expire(now)?;
    let limits = settings::load(home)?.limits;
    traces::expire_log(home, now, days(limits.log_days.get().into()))?;
    let ages = QuarantineAges {
        theirs: days(limits.bad_days.get().into()),
        ours: days(limits.parked_days.get().into()),
    };
    let gone = located.expire_quarantine(now, ages)?;
    let line = format!("{gone} files that were put aside have expired");
    if gone > 0
        && let Err(fault) = log(home, &line)
    {
        (machine.warn)(&fault);
    }
    Ok(())
}
