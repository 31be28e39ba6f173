//! Mails executed together: their documents are read once and committed in groups.

use super::executor::{Executor, MailResult};
use super::worker::{MailFailure, TimeSource};
use super::{GROUP, GROUP_BYTES, LONGEST, SLICE};
use crate::base::chance::RandomSource;
use crate::base::time::Time;
use crate::server::{MailDisposition, Server, Setup, strands};
use crate::store::spool::{self, Spool, SpooledMail};
use crate::store::{Fault, LogEntry, OpenHome};
use std::fmt::Display;

/// Mails executed together: their documents are read once and committed in groups.
pub struct MailBatch<'a> {
    executor: Executor<'a>,
    setup: &'a Setup,
    most: usize,
    /// Whether a mail whose commit conflicts is put off, and parked in the end.
    blames: bool,
    /// A file that a mail needed and that cannot be read.
    unread: Option<Fault>,
    clock: TimeSource<'a>,
    warn: &'a dyn Fn(&dyn Display),
}

/// Mails executed together, and what to log about them once they are durable.
#[derive(Default)]
pub(super) struct Group {
    mails: Vec<(SpooledMail, MailDisposition)>,
    log: Vec<LogEntry>,
}

/// Mails that were executed and have not left the spool.
#[derive(Default)]
struct ExecutedMails {
    /// It may not be durable yet.
    group: Group,
    /// These are.
    durable: Vec<SpooledMail>,
}

impl std::fmt::Debug for MailBatch<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MailBatch").field("executor", &self.executor).finish_non_exhaustive()
    }
}

impl<'a> MailBatch<'a> {
    /// A batch that has read nothing yet.
    pub fn new(
        setup: &'a Setup,
        chance: &'a mut dyn RandomSource,
        clock: &'a (dyn Fn() -> Time + Sync),
        warn: &'a dyn Fn(&dyn Display),
    ) -> Self {
        Self {
            executor: Executor::new(Server::new(setup, chance)),
            setup,
            most: GROUP,
            blames: false,
            unread: None,
            clock,
            warn,
        }
    }

    /// From here on at most so many mails are committed together.
    #[must_use]
    pub fn with_group_size(mut self, most: usize) -> Self {
        self.most = most;
        self
    }

    /// From here on mails are committed one by one. One whose commit conflicts holds up no other: it
    /// comes again after them, and is parked if it conflicts each time.
    #[must_use]
    pub fn blaming(mut self) -> Self {
        (self.most, self.blames) = (1, true);
        self
    }

    /// Why a mail waits for the next run: a file that it needs cannot be read.
    pub fn take_unread(&mut self) -> Option<Fault> {
        self.unread.take()
    }

    /// A document that could not be read, and why.
    pub(super) fn take_unreadable(&mut self) -> Option<String> {
        self.executor.take_unreadable()
    }

    /// Executes what the spool holds, for ten seconds or so; for no more than a second or two while
    /// another process waits, as `is_awaited` tells. Returns whether there is more.
    ///
    /// # Errors
    /// The machine failed; what was not committed comes again.
    pub fn spool(
        &mut self,
        files: &mut dyn OpenHome,
        is_awaited: &dyn Fn() -> bool,
    ) -> Result<bool, Fault> {
        let own = self.setup.identity.address.clone();
        let bounds = self.setup.config.limits.put_aside();
        let mut spool =
            Spool::open(files)?.with_strands(move |raw| strands(raw, &own)).bounded(bounds);
        let mut begun = ExecutedMails::default();
        let more = self.execute(files, &mut spool, &mut begun, is_awaited);
        // The first failure is reported, not the ones that follow from it.
        let finished = files.finish();
        let more = match finished {
            Ok(()) => {
                self.done(files, &mut spool, &mut begun)?;
                more?
            }
            Err(fault) => return more.and(Err(fault)),
        };
        self.say(files, &spool.take_notes());
        spool.close()?;
        Ok(more)
    }

    /// Executes group after group; while one is made durable, the next one is executed. `begun` has
    /// been executed and may not be durable yet.
    fn execute(
        &mut self,
        files: &mut dyn OpenHome,
        spool: &mut Spool,
        begun: &mut ExecutedMails,
        is_awaited: &dyn Fn() -> bool,
    ) -> Result<bool, Fault> {
        // After a run that died each mail is committed by itself, so that the guilty one is found.
        let most = if spool.is_careful() { 1 } else { self.most };
        let begins = (self.clock)();
        let mut until = begins + SLICE;
        let mut mails: Vec<SpooledMail> = Vec::new();
        loop {
            let filled = fill(&mut mails, spool, most);
            self.say(files, &spool.take_notes());
            if mails.is_empty() {
                files.finish()?;
                filled?;
                if begun.is_empty() {
                    return Ok(spool.has_others());
                }
                self.done(files, spool, begun)?;
                continue;
            }
            let is_last = mails.len() < most;
            let durable = std::mem::take(&mut begun.durable);
            let (group, late) = self.group(files, spool, &mut mails, &durable, until)?;
            // A thread gains nothing if there is nothing else to do meanwhile.
            if spool.is_careful() || is_last || self.blames {
                match files.commit(self.executor.take()) {
                    Err(fault) if self.blames && fault.is_conflict() => {
                        self.blame(files, spool, group, &fault)?;
                    }
                    committed => {
                        committed?;
                        self.done(files, spool, begun)?;
                        begun.group = group;
                        self.done(files, spool, begun)?;
                    }
                }
            } else {
                self.begin(files, spool, begun, group)?;
            }
            self.executor.trim(files.is_far());
            self.put_off(files, spool, late, &mut mails)?;
            filled?;
            let now = (self.clock)();
            if now > until {
                if now > begins + LONGEST || is_awaited() {
                    return Ok(true);
                }
                until = now + SLICE;
            }
        }
    }

    /// Begins to make a group durable; those before it are.
    fn begin(
        &mut self,
        files: &mut dyn OpenHome,
        spool: &mut Spool,
        begun: &mut ExecutedMails,
        group: Group,
    ) -> Result<(), Fault> {
        files.begin(self.executor.take())?;
        let before = std::mem::replace(&mut begun.group, group);
        begun.durable = self.settled(files, spool, before)?;
        Ok(())
    }

    /// Executes mails while `durable` ones go away. Returns those that were executed, and those that
    /// failed or wait for one that did; the others stay.
    fn group(
        &mut self,
        files: &dyn OpenHome,
        spool: &mut Spool,
        mails: &mut Vec<SpooledMail>,
        durable: &[SpooledMail],
        until: Time,
    ) -> Result<(Group, Vec<(SpooledMail, MailResult)>), Fault> {
        let (fates, removed) = {
            let (executor, clock) = (&mut self.executor, self.clock);
            let next = (self.most, GROUP_BYTES);
            spool.done_beside(durable, next, |spool| {
                executor.fates(files, spool, mails, clock, until)
            })
        };
        if let Err(fault) = removed {
            self.executor.forget();
            return Err(fault);
        }
        let fates = fates?;
        let log = self.executor.take_log();
        let (mut group, mut late) = (Group { mails: Vec::new(), log }, Vec::new());
        for (mail, fate) in std::mem::take(mails).into_iter().zip(fates) {
            match fate {
                Some(MailResult::Handled(handled)) => group.mails.push((mail, handled)),
                Some(late_fate) => late.push((mail, late_fate)),
                None => mails.push(mail),
            }
        }
        Ok((group, late))
    }

    /// Mails that were not executed come again; mails already taken wait if they have to.
    fn put_off(
        &mut self,
        files: &mut dyn OpenHome,
        spool: &mut Spool,
        late: Vec<(SpooledMail, MailResult)>,
        taken: &mut Vec<SpooledMail>,
    ) -> Result<(), Fault> {
        let some_are_late = !late.is_empty();
        for (mail, fate) in late {
            match fate {
                MailResult::Failed(MailFailure::Panic(why)) => {
                    self.failed(files, spool, mail, &why)?;
                }
                MailResult::Failed(MailFailure::Unreadable(fault)) => {
                    self.unread(files, spool, mail, fault)?;
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

    /// All that was executed is durable: its mails go away.
    fn done(
        &mut self,
        files: &mut dyn OpenHome,
        spool: &mut Spool,
        begun: &mut ExecutedMails,
    ) -> Result<(), Fault> {
        let ExecutedMails { group, mut durable } = std::mem::take(begun);
        durable.extend(self.settled(files, spool, group)?);
        spool.done_all(&durable)
    }

    /// A group is durable, and the log tells of it. Returns the mails that must go away.
    fn settled(
        &mut self,
        files: &mut dyn OpenHome,
        spool: &mut Spool,
        group: Group,
    ) -> Result<Vec<SpooledMail>, Fault> {
        self.record(files, &group.log);
        let mut executed = Vec::with_capacity(group.mails.len());
        for (mail, handled) in group.mails {
            match handled {
                MailDisposition::Executed => executed.push(mail),
                MailDisposition::Malformed(why) => spool.park_unfit(mail, &why)?,
            }
        }
        Ok(executed)
    }

    /// The mail of a commit that conflicts comes again, or is parked. What is wrong with the home
    /// itself is said with it.
    fn blame(
        &mut self,
        files: &mut dyn OpenHome,
        spool: &mut Spool,
        group: Group,
        fault: &Fault,
    ) -> Result<(), Fault> {
        self.executor.forget();
        let flaws = files.flaws().unwrap_or_default();
        let why = [vec![fault.to_string()], flaws].concat().join("; ");
        for (mail, _) in group.mails {
            self.failed(files, spool, mail, &why)?;
        }
        Ok(())
    }

    /// A mail failed by a fault of ours: it comes again, or it is given up and its sender told.
    fn failed(
        &mut self,
        files: &mut dyn OpenHome,
        spool: &mut Spool,
        mail: SpooledMail,
        panic: &str,
    ) -> Result<(), Fault> {
        if mail.tries >= spool::TRIES {
            self.give_up(files, &mail)?;
        }
        let fate = spool.failed(mail, panic)?;
        self.note(files, &format!("a mail failed ({fate:?}): {panic}"));
        Ok(())
    }

    /// A mail needs a file that cannot be read: the next run tries it again, and the third gives it up.
    fn unread(
        &mut self,
        files: &mut dyn OpenHome,
        spool: &mut Spool,
        mail: SpooledMail,
        fault: Fault,
    ) -> Result<(), Fault> {
        let why = fault.to_string();
        if mail.tries >= spool::TRIES {
            self.give_up(files, &mail)?;
            spool.park(mail, &why)?;
        } else {
            spool.leave(&mail)?;
        }
        self.note(files, &format!("a mail could not be executed: {why}"));
        self.unread.get_or_insert(fault);
        Ok(())
    }

    /// Tells the sender of a mail that it cannot be executed.
    fn give_up(&mut self, files: &mut dyn OpenHome, mail: &SpooledMail) -> Result<(), Fault> {
        let told = self.executor.server().give_up(&mail.bytes, files, (self.clock)());
        match told.and_then(|()| files.commit(self.executor.take())) {
            // They cannot be told for the same reason; the operator sees it.
            Err(fault) if fault.is_conflict() || fault.is_passing() => self.executor.forget(),
            committed => committed?,
        }
        self.executor.trim(files.is_far());
        let log = self.executor.take_log();
        self.record(files, &log);
        Ok(())
    }

    fn record(&self, files: &dyn OpenHome, entries: &[LogEntry]) {
        if let Err(fault) = files.record(entries) {
            (self.warn)(&fault);
        }
    }

    fn note(&self, files: &dyn OpenHome, line: &str) {
        self.say(files, &[line]);
    }

    /// A log that cannot be written holds nothing up.
    fn say(&self, files: &dyn OpenHome, lines: &[impl AsRef<str>]) {
        let lines: Vec<&str> = lines.iter().map(AsRef::as_ref).collect();
        if let Err(fault) = files.log(&lines) {
            (self.warn)(&fault);
        }
    }
}

impl ExecutedMails {
    fn is_empty(&self) -> bool {
        self.group.mails.is_empty() && self.durable.is_empty()
    }
}

/// Takes mails out of the spool, until there are that many in all. A fault does not affect the
/// mails before it.
pub(super) fn fill(
    mails: &mut Vec<SpooledMail>,
    spool: &mut Spool,
    most: usize,
) -> Result<(), Fault> {
    let mut bytes: usize = mails.iter().map(|mail| mail.bytes.len()).sum();
    while mails.len() < most
        && bytes < GROUP_BYTES
        && let Some(mail) = spool.take()?
    {
        bytes += mail.bytes.len();
        mails.push(mail);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "a home on disk is looked at")]

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
            let more = batch.spool(&mut *files, &|| is_awaited).unwrap();
            assert!(more);
            let left = names(home.join("spool/new")).len();
            while batch.spool(&mut *files, &|| is_awaited).unwrap() {}
            files.close().unwrap();
            let unsent = FileHome::new(&home).unsent().unwrap();
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
        // A sign-up needs salt.
        let mut poison = ScriptedRandom::nothing("the salt ran out");
        for run in 1..=3 {
            let (mut files, setup) = open(&home, Hashing::quick()).unwrap();
            let more = MailBatch::new(&setup, &mut poison, &|| Time::EPOCH, &|_| ())
                .spool(&mut *files, &|| false)
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
        for unsent in FileHome::new(&home).unsent().unwrap() {
            let text =
                String::from_utf8(print_letter(&unsent.letter).unwrap().into_owned()).unwrap();
            let ours = text.contains("a fault of this server");
            assert_eq!(ours, text.contains("To: mallory@example.org"), "{text}");
            sent.push(unsent.letter.to.to_string());
        }
        sent.sort();
        assert_eq!(sent, ["alice@example.org", "bob@example.org", "mallory@example.org"]);
    }
}
