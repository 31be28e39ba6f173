//! `cron`: all periodic work.

use crate::base::chance::Entropy;
use crate::base::time::minutes;
use crate::config::Collect;
use crate::post::report_files;
use crate::shell::home::locate;
use crate::shell::mails::deliver::{self, ReportScope};
use crate::shell::mails::engines::EngineTask;
use crate::shell::mails::process::{self, MailSource};
use crate::shell::mails::{alert, remind};
use crate::shell::output::remedy::with_remedy;
use crate::shell::settings;
use crate::shell::{CommandError, Exit, Machine};
use crate::store::log_all;
use rand::SeedableRng as _;
use rand_chacha::ChaCha20Rng;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};

/// Does all periodic work. If a step fails, answers are still sent, which makes room on a full
/// disk. But nobody gets a reminder or loses on time while a move of theirs may be waiting.
pub(crate) fn run(home: &Path, machine: &mut Machine) -> Result<Exit, CommandError> {
    let collect = settings::load(home)?.collect;
    // A panic does not delay answers either.
    let executed = catch_unwind(AssertUnwindSafe(|| execute_all(home, &collect, machine)));
    let (mut failed, panic) = match executed {
        Ok(failed) => (failed, None),
        Err(panic) => (Vec::new(), Some(panic)),
    };
    let is_executed = failed.is_empty() && panic.is_none();
    let mut exit = send(home, &mut failed, machine);
    // Nobody's answer waits for an engine.
    if is_executed && move_for_engines(home, &mut failed, machine) {
        exit = send(home, &mut failed, machine);
    }
    failed.extend(alert::run(home, machine).err());
    let first = report_failures(home, failed, machine);
    if let Some(panic) = panic {
        if let Some(trouble) = &first {
            (machine.warn)(&with_remedy(trouble, home));
        }
        resume_unwind(panic);
    }
    first.map_or(Ok(exit), Err)
}

/// Executes all mails, then acts on clocks if nothing failed. Returns the failures.
fn execute_all(home: &Path, collect: &Collect, machine: &mut Machine) -> Vec<CommandError> {
    let mut failed: Vec<CommandError> = Vec::new();
    failed.extend(process::run(home, MailSource::Spool, machine).err());
    if let Some(path) = collect.maildir.as_ref().map(PathBuf::from) {
        failed.extend(process::run(home, MailSource::Maildir(&path), machine).err());
    }
    if let Some(path) = collect.mbox.as_ref().map(PathBuf::from) {
        failed.extend(process::run(home, MailSource::Mbox(&path), machine).err());
    }
    if failed.is_empty() {
        failed.extend(remind_if_executed(home, machine).err());
    }
    failed
}

/// Sends the letters that wait.
fn send(home: &Path, failed: &mut Vec<CommandError>, machine: &mut Machine) -> Exit {
    deliver::run(home, ReportScope::New, machine).unwrap_or_else(|trouble| {
        failed.push(trouble);
        Exit::Done
    })
}

/// Makes the moves of `board5` for at most a minute and an answer, with programs that end with this run. Adds
/// why some fail. Returns whether boards have changed.
fn move_for_engines(home: &Path, failed: &mut Vec<CommandError>, machine: &mut Machine) -> bool {
    let chance = Entropy(ChaCha20Rng::from_rng(&mut machine.chance.0));
    let clock = machine.clock;
    let until = clock() + minutes(1);
    let mut task = EngineTask::new(home, clock, chance);
    let moved = task.run(&|| clock() < until);
    failed.extend(task.take_faults().into_iter().map(CommandError::Engine));
    moved.unwrap_or_else(|trouble| {
        failed.push(trouble);
        true
    })
}

/// Acts on clocks unless a mail waits, so that nobody loses on time while their move is waiting.
fn remind_if_executed(home: &Path, machine: &mut Machine) -> Result<(), CommandError> {
    if is_executed(home, &|| true, machine)? { remind::run(home, machine) } else { Ok(()) }
}

/// Executes the waiting mails while `goes_on` says so, and returns whether all of them were executed. Another process
/// may have some, or a mail may have failed.
pub(crate) fn is_executed(
    home: &Path,
    goes_on: &dyn Fn() -> bool,
    machine: &mut Machine,
) -> Result<bool, CommandError> {
    let waiting = locate(home)?.waiting_mails()?;
    if waiting.is_empty() {
        return Ok(true);
    }
    process::run_while(home, MailSource::Spool, goes_on, machine)?;
    if !goes_on() {
        return Ok(false);
    }
    let rest = locate(home)?.waiting_mails()?;
    Ok(!rest.iter().any(|mail| waiting.contains(mail)))
}

/// Logs failures, each cause once a day, and warns about all but the first, which is returned.
fn report_failures(
    home: &Path,
    failed: Vec<CommandError>,
    machine: &Machine,
) -> Option<CommandError> {
    let known = report_files::load_troubles(home);
    let mut learnt = known.clone();
    let mut causes: Vec<CommandError> = Vec::new();
    for trouble in failed {
        if !causes.iter().any(|cause| has_same_cause(cause, &trouble)) {
            causes.push(trouble);
        }
    }
    let lines: Vec<String> = causes.iter().map(|trouble| with_remedy(trouble, home)).collect();
    let faults: Vec<&str> = lines.iter().map(String::as_str).collect();
    let new = learnt.take_new_faults(&faults, (machine.clock)());
    // The disk itself may have failed. The caller reports that anyway.
    let _ = log_all(home, &new).and_then(|()| report_files::save_troubles(home, &known, &learnt));
    for line in lines.iter().skip(1) {
        (machine.warn)(line);
    }
    causes.into_iter().next()
}

/// Returns whether two failures have one cause. A full disk stops every step.
fn has_same_cause(one: &CommandError, other: &CommandError) -> bool {
    match (one, other) {
        (CommandError::Fault(one), CommandError::Fault(other)) => {
            let (kind, is_equal) = (one.source.kind(), one.to_string() == other.to_string());
            let common_causes = [
                io::ErrorKind::StorageFull,
                io::ErrorKind::QuotaExceeded,
                io::ErrorKind::ReadOnlyFilesystem,
                io::ErrorKind::PermissionDenied,
            ];
            is_equal || kind == other.source.kind() && common_causes.contains(&kind)
        }
        (one, other) => one.to_string() == other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "the test reads a home on disk")]

    use super::*;
    use crate::base::chance::Entropy;
    use crate::base::time::Time;
    use crate::shell::cli::Cli;
    use crate::store::{FileStore, spool};
    use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
    use std::time::Duration;

    /// Does work on a machine with this clock, which must not warn.
    fn with_machine<T>(
        clock: &(dyn Fn() -> Time + Sync),
        work: impl FnOnce(&mut Machine) -> T,
    ) -> T {
        work(&mut Machine {
            clock,
            time: || Time::EPOCH,
            stopwatch: &|| Duration::ZERO,
            pause: &|| (),
            warn: &|what| panic!("{what}"),
            say: |what| panic!("{what}"),
            screen: crate::shell::ProgressOutput::Nowhere,
            chance: Entropy(rand::SeedableRng::seed_from_u64(1)),
            operator: "a test",
            edit: &|_| unreachable!("nothing is edited"),
            input: &mut &b""[..],
            terminal: None,
            out: &mut Vec::new(),
        })
    }

    /// SIGTERM comes while mails wait. The clock moves on by a second whenever it is read, so a turn ends after a few
    /// mails.
    #[test]
    fn clocks_wait_if_the_execution_of_mails_is_broken_off() {
        const MAILS: usize = 40;
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join("home");
        FileStore::init(&home, &[7; 32]).unwrap();
        settings::write_sample(&home).unwrap();
        for number in 0..MAILS {
            let raw = format!("From: ann{number}@example.org\nSubject: help\n\n");
            spool::put(&home, raw.as_bytes()).unwrap();
        }
        let now = AtomicI64::new(1_795_262_400);
        let clock = || Time::from_unix(now.fetch_add(1, Ordering::Relaxed));
        let waiting = || locate(&home).unwrap().waiting_mails().unwrap().len();
        with_machine(&clock, |machine| {
            assert!(!is_executed(&home, &|| false, machine).unwrap());
            assert!((1..MAILS).contains(&waiting()), "{}", waiting());
            assert!(is_executed(&home, &|| true, machine).unwrap());
            assert_eq!(waiting(), 0);
        });
    }

    #[test]
    fn cron_sends_mails_and_reminds_nobody_although_the_program_has_a_bug() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join("home");
        FileStore::init(&home, &[7; 32]).unwrap();
        let sent = folder.path().join("sent");
        let deliver = format!("by = \"folder\"\npath = \"{}\"", sent.display());
        let config = format!("address = \"p@example.org\"\n[deliver]\n{deliver}\n");
        settings::write(&home, &config).unwrap();
        spool::put(&home, b"From: alice@example.org\nSubject: help\n\n").unwrap();
        let asked = AtomicUsize::new(0);
        let run = |clock: &(dyn Fn() -> Time + Sync), words: &[&str]| {
            let cli = <Cli as clap::Parser>::try_parse_from([&["postboard"], words].concat());
            with_machine(clock, |machine| crate::shell::run(cli.unwrap(), &home, machine))
        };
        run(&|| Time::from_unix(1_795_262_400), &["process"]).unwrap();
        // `remind` would delete this file.
        let old = home.join("outbox/bad/000000000001.1.eml");
        std::fs::write(&old, "a letter of old").unwrap();
        // `process` asks the clock first.
        let clock = || {
            let before = asked.fetch_add(1, Ordering::Relaxed);
            assert!(before > 0, "a bug in this program");
            Time::from_unix(1_795_262_400)
        };
        let fault = catch_unwind(AssertUnwindSafe(|| run(&clock, &["cron"]))).unwrap_err();
        assert_eq!(fault.downcast_ref(), Some(&"a bug in this program"));
        assert_eq!(std::fs::read_dir(sent).unwrap().count(), 1);
        assert!(asked.load(Ordering::Relaxed) > 1);
        assert!(old.exists(), "nobody was reminded");
        run(&|| Time::from_unix(1_795_262_400), &["cron"]).unwrap();
        assert!(!old.exists(), "without the bug somebody is");
    }
}
