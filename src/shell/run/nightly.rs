//! The nightly backup of `run`, on a thread of its own: mails are taken meanwhile, and executed after it.

use crate::base::time::{Day, Span, Time, hours};
use crate::config::NightlyBackup;
use crate::shell::CommandError;
use crate::shell::copies::backup;
use crate::shell::home::locate;
use crate::shell::output::remedy::with_remedy;
use crate::store::{Fault, JobRun, log_all, operator_files};
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};

/// The pause after a backup that failed.
const AGAIN: Span = hours(1);

/// How the names of our backups begin and end. Other files of the folder stay.
const BEGIN: &str = "postboard-";
const END: &str = ".tar.gz";

/// The backup that is being made, and the last failure.
#[derive(Debug, Default)]
pub(super) struct Nightly {
    running: Option<JoinHandle<Result<(), String>>>,
    /// Why the last backup failed, and when the next one is tried.
    failure: Option<(String, Time)>,
}

impl Nightly {
    /// Begins a backup if one is due, and notes the end of one.
    ///
    /// # Errors
    /// The last one failed.
    pub(super) fn look(
        &mut self,
        home: &Path,
        config: Option<&NightlyBackup>,
        time: fn() -> Time,
    ) -> Result<(), CommandError> {
        let now = time();
        if let Some(ended) = self.running.take_if(|thread| thread.is_finished()) {
            let ended = ended.join().unwrap_or_else(|_| Err("a bug of this program".into()));
            self.failure = ended.err().map(|why| (why, now + AGAIN));
        }
        let Some(config) = config else {
            self.failure = None;
            return Ok(());
        };
        let may_try = self.failure.as_ref().is_none_or(|(_, again)| now >= *again);
        if self.running.is_none() && may_try {
            let names = operator_files::names(Path::new(&config.folder))?;
            if let Some(name) = due(&names, config.hour, now) {
                let (home, config) = (home.to_owned(), config.clone());
                let make = move || make(&home, &config, &name, time);
                self.running = Some(thread::Builder::new().name("backup".into()).spawn(make)?);
            }
        }
        match &self.failure {
            None => Ok(()),
            Some((why, _)) => {
                Err(CommandError::Refused(format!("the nightly backup failed: {why}")))
            }
        }
    }
}

/// Returns the name of the backup that is due, unless it exists: that of the night that began last.
fn due(names: &[String], hour: u32, now: Time) -> Option<String> {
    let night: Day = (now - hours(hour.into())).day();
    let name = format!("{BEGIN}{night}{END}");
    (!names.contains(&name)).then_some(name)
}

/// Returns the oldest backups but `keep`.
fn surplus(names: &[String], keep: usize) -> Vec<&String> {
    let night = |name: &&String| {
        name.strip_prefix(BEGIN).and_then(|it| it.strip_suffix(END)).and_then(Day::parse).is_some()
    };
    let mut ours: Vec<&String> = names.iter().filter(night).collect();
    ours.sort();
    ours.truncate(ours.len().saturating_sub(keep));
    ours
}

/// Makes a backup, then removes old ones.
fn make(home: &Path, config: &NightlyBackup, name: &str, time: fn() -> Time) -> Result<(), String> {
    let (began, folder) = (time(), PathBuf::from(&config.folder));
    let work = || -> Result<(), CommandError> {
        let saved = backup::save(home, &folder.join(name))?;
        let _ = log_all(home, &[format!("backup: {} files in {name}", saved.files)]);
        // An old one goes only when the new one is complete.
        let names = operator_files::names(&folder)?;
        let remove = |old: &String| operator_files::remove(&folder.join(old));
        Ok(surplus(&names, config.keep).into_iter().try_for_each(remove)?)
    };
    let failure = work().err().map(|trouble| with_remedy(&trouble, home));
    let took = u64::try_from((time() - began).seconds()).unwrap_or(0) * 1000;
    let run = JobRun { job: "backup".into(), at: time(), took, why: failure.clone() };
    let recorded: Result<(), Fault> = locate(home).and_then(|home| home.record_run(&run));
    failure.map_or_else(|| recorded.map_err(|fault| fault.to_string()), Err)
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
        let name = |day: &str| Some(names(&[day]).remove(0));
        assert_eq!(of(&[], at(2)), name(yesterday), "a backup that was missed is made later");
        assert_eq!(of(&[yesterday], at(2)), None);
        assert_eq!(of(&[yesterday], at(3)), name(today));
        for hour in [3, 4, 23, 26] {
            assert_eq!(of(&[yesterday, today], at(hour)), None, "{hour}");
        }
        assert_eq!(of(&[yesterday, today], at(1)), None, "the clock went back");
    }

    #[test]
    fn the_newest_backups_and_files_of_others_stay() {
        let mut all = names(&["2026-11-24", "2026-11-22", "2026-11-23", "today", "2026-02-30"]);
        all.push("postboard-2026-11-01.tar.gz.part".into());
        all.push("other.tar.gz".into());
        assert_eq!(surplus(&all, 3), [""; 0]);
        assert_eq!(surplus(&all, 2), ["postboard-2026-11-22.tar.gz"]);
        assert_eq!(
            surplus(&all, 1),
            ["postboard-2026-11-22.tar.gz", "postboard-2026-11-23.tar.gz"]
        );
    }
}
