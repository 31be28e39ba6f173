//! The nightly backup of `run`, on a thread of its own: mails are taken meanwhile, and executed after it.

use crate::base::time::{Day, Span, Time, hours};
use crate::config::{BackupConfig, NightlyBackup};
use crate::shell::CommandError;
use crate::shell::copies::backup;
use crate::shell::home::locate;
use crate::shell::output::remedy::with_remedy;
use crate::store::backup::{BackupBucket, BackupKey, StoredBackup};
use crate::store::{Fault, JobRun, log_all, operator_files};
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};

/// The pause after a backup that failed.
const AGAIN: Span = hours(1);

/// How the names of our backups begin and end. Other files of the folder stay.
const BEGIN: &str = "postboard-";
const END: &str = ".tar.gz";
/// What follows if it is encrypted.
const ENCRYPTED: &str = ".age";

/// The backup that is being made or copied, and the last failure.
#[derive(Debug, Default)]
pub(super) struct Nightly {
    running: Option<JoinHandle<Result<String, String>>>,
    /// The newest backup that is known to be in the bucket.
    copied: Option<String>,
    /// Why the last backup failed, and when the next one is tried.
    failure: Option<(String, Time)>,
}

impl Nightly {
    /// Begins a backup, or the copy of one into the bucket, if it is due, and notes the end of one.
    ///
    /// # Errors
    /// The last one failed.
    pub(super) fn look(
        &mut self,
        home: &Path,
        config: &BackupConfig,
        time: fn() -> Time,
    ) -> Result<(), CommandError> {
        let now = time();
        if let Some(ended) = self.running.take_if(|thread| thread.is_finished()) {
            match ended.join().unwrap_or_else(|_| Err("a bug of this program".into())) {
                Ok(name) => (self.copied, self.failure) = (Some(name), None),
                Err(why) => self.failure = Some((why, now + AGAIN)),
            }
        }
        let BackupConfig { keys, nightly: Some(config) } = config else {
            self.failure = None;
            return Ok(());
        };
        let may_try = self.failure.as_ref().is_none_or(|(_, again)| now >= *again);
        if self.running.is_none() && may_try {
            let names = operator_files::names(Path::new(&config.folder))?;
            let due = due(&names, config.hour, now);
            let ending = if keys.is_empty() { "" } else { ENCRYPTED };
            let name = due.map(|night| format!("{BEGIN}{night}{END}{ending}"));
            let uncopied = || config.bucket.as_ref().and(self.uncopied(&names));
            if let Some(name) = name.or_else(uncopied) {
                let (home, config, keys) = (home.to_owned(), config.clone(), keys.clone());
                let work = move || make(&home, &config, &keys, name, time);
                self.running = Some(thread::Builder::new().name("backup".into()).spawn(work)?);
            }
        }
        match &self.failure {
            None => Ok(()),
            Some((why, _)) => {
                Err(CommandError::Refused(format!("the nightly backup failed: {why}")))
            }
        }
    }

    /// Returns the newest backup, unless it is known to be in the bucket. One that is not encrypted stays here.
    fn uncopied(&self, names: &[String]) -> Option<String> {
        let ours = names.iter().filter(|name| name.ends_with(ENCRYPTED));
        let newest = ours.filter_map(|name| Some((night_of(name)?, name))).max()?.1;
        (self.copied.as_ref() != Some(newest)).then(|| newest.clone())
    }
}

/// Returns the night of which a backup is due, unless there is one: the one that began last.
fn due(names: &[String], hour: u32, now: Time) -> Option<Day> {
    let night: Day = (now - hours(hour.into())).day();
    names.iter().all(|name| night_of(name) != Some(night)).then_some(night)
}

/// Returns the night of one of our backups; `None` for other files.
fn night_of(name: &str) -> Option<Day> {
    let name = name.strip_suffix(ENCRYPTED).unwrap_or(name);
    name.strip_prefix(BEGIN)?.strip_suffix(END).and_then(Day::parse)
}

/// Returns the oldest backups but `keep`.
fn surplus(names: &[String], keep: usize) -> Vec<&String> {
    let mut ours: Vec<&String> = names.iter().filter(|name| night_of(name).is_some()).collect();
    ours.sort();
    ours.truncate(ours.len().saturating_sub(keep));
    ours
}

/// Makes a backup unless it exists, copies it into the bucket if there is one, and then removes old ones. Returns its
/// name.
fn make(
    home: &Path,
    config: &NightlyBackup,
    keys: &[BackupKey],
    name: String,
    time: fn() -> Time,
) -> Result<String, String> {
    let (began, folder) = (time(), PathBuf::from(&config.folder));
    let work = || -> Result<(), CommandError> {
        if !operator_files::names(&folder)?.contains(&name) {
            let saved = backup::save(home, &folder.join(&name), keys)?;
            let _ = log_all(home, &[format!("backup: {} files in {name}", saved.files)]);
        }
        // An old one goes only when the new one is complete.
        if let Some(address) = &config.bucket {
            copy(&BackupBucket::new(address)?, &folder.join(&name), &name, config.keep)?;
        }
        let names = operator_files::names(&folder)?;
        let remove = |old: &String| operator_files::remove(&folder.join(old));
        Ok(surplus(&names, config.keep).into_iter().try_for_each(remove)?)
    };
    let failure = work().err().map(|trouble| with_remedy(&trouble, home));
    let took = u64::try_from((time() - began).seconds()).unwrap_or(0) * 1000;
    let run = JobRun { job: "backup".into(), at: time(), took, why: failure.clone() };
    let recorded: Result<(), Fault> = locate(home).and_then(|home| home.record_run(&run));
    match failure {
        Some(why) => Err(why),
        None => recorded.map(|()| name).map_err(|fault| fault.to_string()),
    }
}

/// Copies a backup into the bucket, unless it is there, and removes the oldest there but `keep`.
fn copy(bucket: &BackupBucket, file: &Path, name: &str, keep: usize) -> Result<(), Fault> {
    let bytes = operator_files::size(file)?;
    let is_whole = |stored: &StoredBackup| stored.name == name && stored.bytes == bytes;
    if !bucket.list()?.iter().any(is_whole) {
        bucket.put(file, name)?;
    }
    let stored = bucket.list()?;
    if !stored.iter().any(is_whole) {
        return Err(bucket.lacks(name));
    }
    let names: Vec<String> = stored.into_iter().map(|stored| stored.name).collect();
    surplus(&names, keep).into_iter().try_for_each(|old| bucket.remove(old))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(days: &[&str]) -> Vec<String> {
        days.iter().map(|day| format!("postboard-{day}.tar.gz")).collect()
    }

    /// 2026-11-26, at this hour.
    fn at(hour: i64) -> Time {
        Time::from_unix(1_795_651_200) + hours(hour)
    }

    #[test]
    fn a_night_has_one_backup_however_the_clock_jumps() {
        let of = |made: &[&str], now: Time| due(&names(made), 3, now);
        let [yesterday, today] = ["2026-11-25", "2026-11-26"];
        let name = Day::parse;
        assert_eq!(of(&[], at(2)), name(yesterday), "a backup that was missed is made later");
        assert_eq!(of(&[yesterday], at(2)), None);
        assert_eq!(of(&[yesterday], at(3)), name(today));
        for hour in [3, 4, 23, 26] {
            assert_eq!(of(&[yesterday, today], at(hour)), None, "{hour}");
        }
        assert_eq!(of(&[yesterday, today], at(1)), None, "the clock went back");
        let encrypted = format!("postboard-{today}.tar.gz.age");
        assert_eq!(due(&[encrypted], 3, at(4)), None, "one is enough, encrypted or not");
    }

    #[test]
    fn the_newest_backups_and_files_of_others_stay() {
        let mut all = names(&["2026-11-24", "2026-11-22", "2026-11-23", "today", "2026-02-30"]);
        all.push("postboard-2026-11-01.tar.gz.part".into());
        all.push("other.tar.gz".into());
        assert_eq!(surplus(&all, 3), [""; 0]);
        assert_eq!(surplus(&all, 2), ["postboard-2026-11-22.tar.gz"]);
        all.push("postboard-2026-11-21.tar.gz.age".into());
        assert_eq!(surplus(&all, 3), ["postboard-2026-11-21.tar.gz.age"]);
        all.pop();
        assert_eq!(
            surplus(&all, 1),
            ["postboard-2026-11-22.tar.gz", "postboard-2026-11-23.tar.gz"]
        );
    }
}
