//! Executes the mails of the spool in groups, each committed together.

use crate::base::chance::RandomSource;
use crate::base::time::Time;
use crate::server::{MailDisposition, Server, Setup, strands};
use crate::shell::mails::executor::{Executor, MailResult};
use crate::shell::mails::worker::{MailFailure, TimeSource};
use crate::shell::mails::{MAX_GROUP_BYTES, MAX_GROUP_MAILS, MAX_OPEN_TIME, SHARED_TURN};
use crate::store::spool::{self, ReadAhead, RetryDecision, Spool, SpooledMail};
use crate::store::{Fault, LogEntry, OpenHome};
use std::fmt::Display;

/// Executes mails in groups, and commits each group together.
pub struct MailBatch<'a> {
    executor: Executor<'a>,
    setup: &'a Setup,
    most: usize,
    /// Whether a mail whose commit conflicts is put off, and finally parked.
    isolates_conflicts: bool,
    /// A file that a mail needed and that cannot be read.
    unread: Option<Fault>,
    clock: TimeSource<'a>,
    warn: &'a dyn Fn(&dyn Display),
}

/// Executed mails, and what to log about them once they are durable.
#[derive(Default)]
pub(crate) struct Group {
    mails: Vec<(SpooledMail, MailDisposition)>,
    log: Vec<LogEntry>,
}

/// Executed mails that have not left the spool.
#[derive(Default)]
struct ExecutedMails {
    /// The last group, which may not be durable yet.
    group: Group,
    /// Mails of earlier groups, which are durable.
    durable: Vec<SpooledMail>,
}

impl std::fmt::Debug for MailBatch<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MailBatch").field("executor", &self.executor).finish_non_exhaustive()
    }
}

impl<'a> MailBatch<'a> {
    /// Returns a batch without documents in memory.
    pub fn new(
        setup: &'a Setup,
        chance: &'a mut dyn RandomSource,
        clock: &'a (dyn Fn() -> Time + Sync),
        warn: &'a dyn Fn(&dyn Display),
    ) -> Self {
        Self {
            executor: Executor::new(Server::new(setup, chance)),
            setup,
            most: MAX_GROUP_MAILS,
            isolates_conflicts: false,
            unread: None,
            clock,
            warn,
        }
    }

    /// Limits the number of mails in a group.
    #[must_use]
    pub fn with_group_size(mut self, most: usize) -> Self {
        self.most = most;
        self
    }

    /// Commits mails one by one from now on. A mail whose commit conflicts is put behind the
    /// others, and parked after some conflicts.
    #[must_use]
    pub fn isolating_conflicts(mut self) -> Self {
        (self.most, self.isolates_conflicts) = (1, true);
        self
    }

    /// Takes the unreadable file that made a mail wait for the next run.
    pub fn take_unread(&mut self) -> Option<Fault> {
        self.unread.take()
    }

    /// Takes the first unreadable document, with the reason.
    pub(crate) fn take_unreadable(&mut self) -> Option<String> {
        self.executor.take_unreadable()
    }

    /// Executes the mails of the spool for about ten seconds, or for one or two while another
    /// process waits (`is_awaited`). Returns whether mails are left.
    ///
    /// # Errors
    /// The machine failed. Mails that were not committed stay in the spool.
    pub fn execute_spool(
        &mut self,
        home: &mut dyn OpenHome,
        is_awaited: &dyn Fn() -> bool,
    ) -> Result<bool, Fault> {
        let own = self.setup.identity.address.clone();
        let bounds = self.setup.config.limits.quarantine_limits();
        let mut spool =
            Spool::open(home)?.with_strands(move |raw| strands(raw, &own)).with_limits(bounds);
        let mut begun = ExecutedMails::default();
        let more = self.execute_groups(home, &mut spool, &mut begun, is_awaited);
        // Report the first failure, not those that follow from it.
        let finished = home.finish_commits();
        let more = match finished {
            Ok(()) => {
                self.remove_executed(home, &mut spool, &mut begun)?;
                more?
            }
            Err(fault) => return more.and(Err(fault)),
        };
        self.log_lines(home, &spool.take_notes());
        spool.close()?;
        Ok(more)
    }

    /// Executes group after group. While one is made durable, the next is executed. `begun` holds
    /// executed mails that may not be durable.
    fn execute_groups(
        &mut self,
        home: &mut dyn OpenHome,
        spool: &mut Spool,
        begun: &mut ExecutedMails,
        is_awaited: &dyn Fn() -> bool,
    ) -> Result<bool, Fault> {
        // After a run that died, each mail is committed alone, so that the guilty one is found.
        let most = if spool.is_careful() { 1 } else { self.most };
        let begins = (self.clock)();
        let mut until = begins + SHARED_TURN;
        let mut mails: Vec<SpooledMail> = Vec::new();
        loop {
            let filled = fill(&mut mails, spool, most);
            self.log_lines(home, &spool.take_notes());
            if mails.is_empty() {
                home.finish_commits()?;
                filled?;
                if begun.is_empty() {
                    return Ok(spool.has_unstarted());
                }
                self.remove_executed(home, spool, begun)?;
                continue;
            }
            let is_last = mails.len() < most;
            let durable = std::mem::take(&mut begun.durable);
            let (group, late) = self.execute_group(home, spool, &mut mails, &durable, until)?;
            // A thread is only useful if there is other work meanwhile.
            if spool.is_careful() || is_last || self.isolates_conflicts {
                match home.commit(self.executor.take()) {
                    Err(fault) if self.isolates_conflicts && fault.is_conflict() => {
                        self.put_off_conflicting(home, spool, group, &fault)?;
                    }
                    committed => {
                        committed?;
                        self.remove_executed(home, spool, begun)?;
                        begun.group = group;
                        self.remove_executed(home, spool, begun)?;
                    }
                }
            } else {
                self.commit_in_background(home, spool, begun, group)?;
            }
            self.executor.trim(home.is_remote());
            self.put_off(home, spool, late, &mut mails)?;
            filled?;
            let now = (self.clock)();
            if now > until {
                if now > begins + MAX_OPEN_TIME || is_awaited() {
                    return Ok(true);
                }
                until = now + SHARED_TURN;
            }
        }
    }

    /// Begins to make a group durable, and waits for the group before it.
    fn commit_in_background(
        &mut self,
        home: &mut dyn OpenHome,
        spool: &mut Spool,
        begun: &mut ExecutedMails,
        group: Group,
    ) -> Result<(), Fault> {
        home.begin_commit(self.executor.take())?;
        let before = std::mem::replace(&mut begun.group, group);
        begun.durable = self.log_durable(home, spool, before)?;
        Ok(())
    }

    /// Executes mails while `durable` ones leave the spool. Returns the executed mails, and those
    /// that failed or wait behind a failed one. Mails without a result stay in `mails`.
    fn execute_group(
        &mut self,
        home: &dyn OpenHome,
        spool: &mut Spool,
        mails: &mut Vec<SpooledMail>,
        durable: &[SpooledMail],
        until: Time,
    ) -> Result<(Group, Vec<(SpooledMail, MailResult)>), Fault> {
        let (results, removed) = {
            let (executor, clock) = (&mut self.executor, self.clock);
            let next = ReadAhead { mails: self.most, bytes: MAX_GROUP_BYTES };
            spool.finish_while(durable, next, |spool| {
                executor.execute_group(home, spool, mails, clock, until)
            })
        };
        if let Err(fault) = removed {
            self.executor.forget();
            return Err(fault);
        }
        let results = results?;
        let log = self.executor.take_log();
        let (mut group, mut late) = (Group { mails: Vec::new(), log }, Vec::new());
        for (mail, result) in std::mem::take(mails).into_iter().zip(results) {
            match result {
                Some(MailResult::Handled(handled)) => group.mails.push((mail, handled)),
                Some(late_result) => late.push((mail, late_result)),
                None => mails.push(mail),
            }
        }
        Ok((group, late))
    }

    /// Returns mails that were not executed to the spool, and those of `taken` that must wait
    /// behind them.
    fn put_off(
        &mut self,
        home: &mut dyn OpenHome,
        spool: &mut Spool,
        late: Vec<(SpooledMail, MailResult)>,
        taken: &mut Vec<SpooledMail>,
    ) -> Result<(), Fault> {
        let some_are_late = !late.is_empty();
        for (mail, result) in late {
            match result {
                MailResult::Failed(MailFailure::Panic(why)) => {
                    self.put_off_after_bug(home, spool, mail, &why)?;
                }
                MailResult::Failed(MailFailure::Unreadable(fault)) => {
                    self.put_off_unreadable(home, spool, mail, fault)?;
                }
                MailResult::Handled(_) | MailResult::Held => spool.hold(mail)?,
            }
        }
        if some_are_late {
            for mail in std::mem::take(taken) {
                if spool.must_wait(&mail) { spool.hold(mail)? } else { taken.push(mail) }
            }
        }
        Ok(())
    }

    /// Removes all executed mails from the spool, once they are durable.
    fn remove_executed(
        &mut self,
        home: &mut dyn OpenHome,
        spool: &mut Spool,
        begun: &mut ExecutedMails,
    ) -> Result<(), Fault> {
        let ExecutedMails { group, mut durable } = std::mem::take(begun);
        durable.extend(self.log_durable(home, spool, group)?);
        spool.done_all(&durable)
    }

    /// Logs a durable group. Returns the mails to remove.
    fn log_durable(
        &mut self,
        home: &mut dyn OpenHome,
        spool: &mut Spool,
        group: Group,
    ) -> Result<Vec<SpooledMail>, Fault> {
        self.record_log(home, &group.log);
        let mut executed = Vec::with_capacity(group.mails.len());
        for (mail, handled) in group.mails {
            match handled {
                MailDisposition::Executed => executed.push(mail),
                MailDisposition::Malformed(why) => spool.park_malformed(mail, &why)?,
            }
        }
        Ok(executed)
    }

    /// Puts off or parks the mails of a conflicting commit. The reason includes flaws of the home.
    fn put_off_conflicting(
        &mut self,
        home: &mut dyn OpenHome,
        spool: &mut Spool,
        group: Group,
        fault: &Fault,
    ) -> Result<(), Fault> {
        self.executor.forget();
        let flaws = home.flaws().unwrap_or_default();
        let why = [vec![fault.to_string()], flaws].concat().join("; ");
        for (mail, _) in group.mails {
            self.put_off_after_bug(home, spool, mail, &why)?;
        }
        Ok(())
    }

    /// Puts off a mail that failed because of a bug, or gives it up and tells its sender.
    fn put_off_after_bug(
        &mut self,
        home: &mut dyn OpenHome,
        spool: &mut Spool,
        mail: SpooledMail,
        panic: &str,
    ) -> Result<(), Fault> {
        if mail.tries >= spool::TRIES {
            self.give_up(home, &mail)?;
        }
        let name = mail.name().to_owned();
        let becomes = match spool.failed(mail, panic)? {
            RetryDecision::Again => "will be tried again",
            RetryDecision::Parked => "was put aside: see `postboard mail list`",
        };
        self.log_line(home, &format!("mail {name} failed because of a bug and {becomes}: {panic}"));
        Ok(())
    }

    /// Leaves a mail that needs an unreadable file to the next run; the third run gives it up.
    fn put_off_unreadable(
        &mut self,
        home: &mut dyn OpenHome,
        spool: &mut Spool,
        mail: SpooledMail,
        fault: Fault,
    ) -> Result<(), Fault> {
        let (name, why) = (mail.name().to_owned(), fault.to_string());
        let becomes = if mail.tries >= spool::TRIES {
            self.give_up(home, &mail)?;
            spool.park(mail, &why)?;
            "was put aside: see `postboard mail list`"
        } else {
            spool.leave(&mail)?;
            "waits for the next run"
        };
        self.log_line(
            home,
            &format!("mail {name} needs a file that cannot be read and {becomes}: {why}"),
        );
        self.unread.get_or_insert(fault);
        Ok(())
    }

    /// Tells the sender of a mail that it was given up.
    fn give_up(&mut self, home: &mut dyn OpenHome, mail: &SpooledMail) -> Result<(), Fault> {
        let told = self.executor.server().give_up(&mail.bytes, home, (self.clock)());
        match told.and_then(|()| home.commit(self.executor.take())) {
            // Telling them fails for the same reason; the operator sees it.
            Err(fault) if fault.is_conflict() || fault.is_unreadable_file() => {
                self.executor.forget();
            }
            committed => committed?,
        }
        self.executor.trim(home.is_remote());
        let log = self.executor.take_log();
        self.record_log(home, &log);
        Ok(())
    }

    fn record_log(&self, home: &dyn OpenHome, entries: &[LogEntry]) {
        if let Err(fault) = home.record(entries) {
            (self.warn)(&fault);
        }
    }

    fn log_line(&self, home: &dyn OpenHome, line: &str) {
        self.log_lines(home, &[line]);
    }

    /// Logs lines. If the log cannot be written, only warns.
    fn log_lines(&self, home: &dyn OpenHome, lines: &[impl AsRef<str>]) {
        let lines: Vec<&str> = lines.iter().map(AsRef::as_ref).collect();
        if let Err(fault) = home.log(&lines) {
            (self.warn)(&fault);
        }
    }
}

impl ExecutedMails {
    fn is_empty(&self) -> bool {
        self.group.mails.is_empty() && self.durable.is_empty()
    }
}

/// Takes mails from the spool until there are `most`. If a mail cannot be read, those before it are
/// kept.
pub(crate) fn fill(
    mails: &mut Vec<SpooledMail>,
    spool: &mut Spool,
    most: usize,
) -> Result<(), Fault> {
    let mut bytes: usize = mails.iter().map(|mail| mail.bytes.len()).sum();
    while mails.len() < most
        && bytes < MAX_GROUP_BYTES
        && let Some(mail) = spool.take()?
    {
        bytes += mail.bytes.len();
        mails.push(mail);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "the test reads a home on disk")]

    use super::*;
    use crate::base::chance::ScriptedRandom;
    use crate::base::password::Hashing;
    use crate::reply::print_letter;
    use crate::shell::home::open;
    use crate::shell::settings;
    use crate::store::{FileHome, FileStore, Home as _};
    use std::path::PathBuf;
    use std::sync::atomic::{AtomicI64, Ordering};

    fn names(folder: PathBuf) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn the_home_is_closed_after_a_time_and_sooner_if_somebody_waits() {
        let left = |is_awaited: bool| {
            let folder = tempfile::tempdir().unwrap();
            let home = folder.path().join("home");
            FileStore::init(&home, &[7; 32]).unwrap();
            settings::write_sample(&home).unwrap();
            for number in 0..40 {
                let raw = format!("From: ann{number}@example.org\nSubject: help\n\n");
                spool::put(&home, raw.as_bytes()).unwrap();
            }
            let (mut files, setup) = open(&home, Hashing::quick()).unwrap();
            let seconds_gone = AtomicI64::new(0);
            let clock = || {
                seconds_gone.fetch_add(1, Ordering::Relaxed);
                Time::from_unix(seconds_gone.load(Ordering::Relaxed))
            };
            let mut chance = ScriptedRandom::nothing("nothing is rolled");
            let mut batch = MailBatch::new(&setup, &mut chance, &clock, &|_| ());
            let more = batch.execute_spool(&mut *files, &|| is_awaited).unwrap();
            assert!(more);
            let left = names(home.join("spool/new")).len();
            while batch.execute_spool(&mut *files, &|| is_awaited).unwrap() {}
            files.close().unwrap();
            let unsent = FileHome::new(&home).unsent_letters().unwrap();
            let mut answered: Vec<String> =
                unsent.iter().map(|unsent| unsent.letter.to.to_string()).collect();
            answered.sort();
            let mut asked: Vec<String> = (0..40).map(|n| format!("ann{n}@example.org")).collect();
            asked.sort();
            assert_eq!(answered, asked, "each mail is answered once");
            left
        };
        let (sooner, later) = (left(true), left(false));
        assert!(0 < later && later < sooner && sooner < 40, "{later} {sooner}");
    }

    #[test]
    fn a_mail_that_panics_is_put_aside_after_three_tries_and_its_sender_told() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join("home");
        FileStore::init(&home, &[7; 32]).unwrap();
        settings::write_sample(&home).unwrap();
        let mail = |from: &str, subject: &str| {
            let raw = format!("From: {from}@example.org\nSubject: {subject}\n\n");
            spool::put(&home, raw.as_bytes()).unwrap();
        };
        mail("alice", "help");
        mail("mallory", "signup mallory secret");
        mail("bob", "help");
        // A sign-up needs a salt.
        let mut poison = ScriptedRandom::nothing("the salt ran out");
        for run in 1..=3 {
            let (mut files, setup) = open(&home, Hashing::quick()).unwrap();
            let more = MailBatch::new(&setup, &mut poison, &|| Time::EPOCH, &|_| ())
                .execute_spool(&mut *files, &|| false)
                .unwrap();
            files.close().unwrap();
            assert!(!more && run > 0);
        }
        assert_eq!(names(home.join("spool/new")), [""; 0]);
        assert_eq!(names(home.join("spool/cur")), [""; 0]);
        let bad = names(home.join("spool/bad"));
        assert_eq!(bad.len(), 2, "the mail and the reason: {bad:?}");
        let why = bad.iter().max_by_key(|name| name.len()).unwrap();
        let why = std::fs::read_to_string(home.join("spool/bad").join(why)).unwrap();
        assert!(why.contains("the salt ran out"), "{why}");
        let mut sent: Vec<String> = Vec::new();
        for unsent in FileHome::new(&home).unsent_letters().unwrap() {
            let text =
                String::from_utf8(print_letter(&unsent.letter).unwrap().into_owned()).unwrap();
            let ours = text.contains("because of an error in this server");
            assert_eq!(ours, text.contains("To: mallory@example.org"), "{text}");
            sent.push(unsent.letter.to.to_string());
        }
        sent.sort();
        assert_eq!(sent, ["alice@example.org", "bob@example.org", "mallory@example.org"]);
    }
}
