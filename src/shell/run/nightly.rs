//! The nightly backup of `run`, on a thread of its own: mails are taken meanwhile, and executed after it.

use crate::base::time::{Day, Span, Time, hours};
use crate::config::{BackupConfig, NightlyBackup};
use crate::shell::CommandError;
use crate::shell::copies::backup::with_home_files;
use crate::shell::home::locate;
use crate::shell::output::progress::ProgressOutput;
use crate::shell::output::remedy::with_remedy;
use crate::store::backup::{
    BackupBucket, BackupKey, BackupOwner, Manifest, NightlyName, StoredBackup, save, save_changes,
    save_listed,
};
use crate::store::disk::Disk;
use crate::store::{Fault, JobRun, log_all, operator_files};
use std::io;
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};

/// The pause after a backup that failed.
const AGAIN: Span = hours(1);

/// The backup that is being made or finished, and the last failure.
#[derive(Debug, Default)]
pub(super) struct Nightly {
    running: Option<JoinHandle<Result<NightlyName, String>>>,
    /// The newest backup that is known to be finished: the folder is this home's, and the bucket has it.
    finished: Option<NightlyName>,
    /// Why the last backup failed, and when the next one is tried.
    failure: Option<(String, Time)>,
}

impl Nightly {
    /// Begins a backup if one is due, or else finishes the newest one, on a thread. Notes how the last thread has
    /// ended.
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
            match ended.join().unwrap_or_else(|_| Err("a bug in this program".into())) {
                Ok(name) => (self.finished, self.failure) = (Some(name), None),
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
            let due = due(&names, config.hour, now).map(NightlyTask::Make);
            let unfinished = || self.unfinished(&names, config, now).map(NightlyTask::Finish);
            if let Some(task) = due.or_else(unfinished) {
                let (home, config, keys) = (home.to_owned(), config.clone(), keys.clone());
                let work = move || run(&home, &config, &keys, task, time);
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

    /// Returns the newest backup, unless it is known to be finished. One that is not encrypted does not go into a bucket.
    fn unfinished(
        &self,
        names: &[String],
        config: &NightlyBackup,
        now: Time,
    ) -> Option<NightlyName> {
        let may_finish = |name: &NightlyName| name.is_encrypted || config.bucket.is_none();
        let newest = nightly(names).filter(|name| !name.is_ahead(now.day()) && may_finish(name));
        newest.max().filter(|it| self.failure.is_some() || self.finished.as_ref() != Some(it))
    }
}

/// What the thread does.
#[derive(Clone, Copy, Debug)]
enum NightlyTask {
    /// Makes the backup of this night, and finishes it.
    Make(Day),
    /// Copies this backup, which is there, if there is a bucket, and removes old ones.
    Finish(NightlyName),
}

/// Returns the nightly backups among the files of a folder or bucket.
fn nightly(names: &[String]) -> impl Iterator<Item = NightlyName> {
    names.iter().filter_map(|name| NightlyName::parse(name))
}

/// Returns the night that began last, if neither it has a backup yet nor the next one, as after a small step of the clock.
fn due(names: &[String], hour: u32, now: Time) -> Option<Day> {
    let night: Day = (now - hours(hour.into())).day();
    let is_earlier = |name: NightlyName| name.night < night || name.is_ahead(now.day());
    nightly(names).all(is_earlier).then_some(night)
}

/// Returns the backups to remove: all but `new`, the newest `keep`, and the whole backups that these need. Backups of
/// nights after today are neither counted nor removed: those named by a wrong clock must not replace others.
fn surplus(names: &[String], keep: usize, new: NightlyName, today: Day) -> Vec<NightlyName> {
    let (mut kept, mut ours): (Vec<_>, Vec<_>) =
        nightly(names).partition(|name| name.is_ahead(today));
    ours.sort();
    kept.extend(ours.split_off(ours.len().saturating_sub(keep)));
    kept.push(new);
    ours.retain(|old| !kept.iter().any(|kept| kept == old || kept.whole() == Some(*old)));
    ours
}

/// Refuses backups whose nights lie ahead.
fn refuse_ahead(names: &[String], place: &Path, today: Day) -> Result<(), Fault> {
    let Some(name) = nightly(names).filter(|name| name.is_ahead(today)).max() else {
        return Ok(());
    };
    let why =
        format!("{name} there lies ahead: set the clock if it is wrong, or else remove that file");
    Err(Fault::because("cannot count the backups in", place, io::ErrorKind::InvalidData, &why))
}

/// Makes a backup or finishes one, and then removes old ones. Returns its name.
fn run(
    home: &Path,
    config: &NightlyBackup,
    keys: &[BackupKey],
    task: NightlyTask,
    time: fn() -> Time,
) -> Result<NightlyName, String> {
    let (began, folder) = (time(), PathBuf::from(&config.folder));
    let work = || -> Result<NightlyName, CommandError> {
        let owner = BackupOwner::of_key(&locate(home)?.read()?.key()?);
        owner.claim_folder(&folder)?;
        let name = match task {
            NightlyTask::Make(night) => make(home, config, keys, night)?,
            NightlyTask::Finish(name) => name,
        };
        let today = time().day();
        // An old one goes only when the new one is complete.
        let bucket = config.bucket.as_ref().map(BackupBucket::new).transpose()?;
        if let Some(bucket) = &bucket {
            let is_new = matches!(task, NightlyTask::Make(_));
            owner.claim_bucket(bucket, &folder)?;
            copy(bucket, &folder, (name, is_new), config.keep, today)?;
        }
        let names = operator_files::names(&folder)?;
        let remove = |old: NightlyName| operator_files::remove(&folder.join(old.to_string()));
        surplus(&names, config.keep, name, today).into_iter().try_for_each(remove)?;
        refuse_ahead(&names, &folder, today)?;
        if let Some(bucket) = &bucket {
            refuse_ahead(&bucket.names()?, bucket.shown(), today)?;
        }
        Ok(name)
    };
    let done = work().map_err(|trouble| with_remedy(&trouble, home));
    let took_ms = u64::try_from((time() - began).seconds()).unwrap_or(0) * 1000;
    let why = done.as_ref().err().cloned();
    let run = JobRun { job: "backup".into(), at: time(), took_ms, why };
    let recorded: Result<(), Fault> = locate(home).and_then(|home| home.record_run(&run));
    let name = done?;
    recorded.map(|()| name).map_err(|fault| fault.to_string())
}

/// Makes the backup of a night: of the changes since the last whole one, or a whole one. Returns its name.
fn make(
    home: &Path,
    config: &NightlyBackup,
    keys: &[BackupKey],
    night: Day,
) -> Result<NightlyName, CommandError> {
    let (disk, folder) = (Disk::default(), Path::new(&config.folder));
    let since = match config.whole_every {
        1 => Err(String::new()),
        every => last_whole(home, folder, keys, night, every)
            .map_err(|why| format!(": whole, because {why}")),
    };
    let since_night = since.as_ref().ok().map(|manifest| manifest.whole.name.night);
    let name = NightlyName { night, since: since_night, is_encrypted: !keys.is_empty() };
    let file = folder.join(name.to_string());
    let saved = with_home_files(home, ProgressOutput::Nowhere, |files, bar| match &since {
        Ok(manifest) => save_changes(&disk, files, &file, keys, manifest, bar),
        Err(_) if config.whole_every == 1 => {
            let saved = save(&disk, files, &file, keys, bar)?;
            // Left of a time when not each backup was whole.
            Manifest::remove(home)?;
            Ok(saved)
        }
        Err(_) => save_listed(&disk, files, home, folder, name, keys, bar),
    })?;
    let what = since.map_or_else(|why| why, |_| ": the changes".into());
    let _ = log_all(home, &[format!("backup: {} files in {name}{what}", saved.files)]);
    Ok(name)
}

/// Returns the list of the files in the last whole backup, if tonight's backup is one of the changes since it; else
/// the reason why it is not.
fn last_whole(
    home: &Path,
    folder: &Path,
    keys: &[BackupKey],
    night: Day,
    every: u32,
) -> Result<Manifest, String> {
    let manifest = Manifest::read(home).map_err(|fault| fault.to_string())?;
    let manifest = manifest.ok_or("no list of an earlier whole one is there")?;
    let whole = manifest.whole.name;
    if whole.night >= night || night >= whole.night.plus(every.into()) {
        return Err(format!("the last whole one is of {}", whole.night));
    }
    if !manifest.is_for(keys) {
        return Err("`recipients` were changed".into());
    }
    // Without the file that the list is about, the changes would be worth nothing.
    manifest.whole.open(&folder.join(whole.to_string())).map_err(|fault| fault.to_string())?;
    Ok(manifest)
}

/// Copies a backup into the bucket, after the whole one that it needs, unless they are there. Then removes all backups
/// there but the newest `keep`. A new backup is always sent: one of its name and size may be an earlier one of the same
/// night.
fn copy(
    bucket: &BackupBucket,
    folder: &Path,
    (name, is_new): (NightlyName, bool),
    keep: usize,
    today: Day,
) -> Result<(), Fault> {
    for part in name.whole().into_iter().chain([name]) {
        let must_send = is_new && part == name;
        let part = part.to_string();
        let file = folder.join(&part);
        let bytes = operator_files::size(&file)?;
        let is_copied = |stored: &StoredBackup| stored.name == part && stored.bytes == bytes;
        if must_send || !bucket.list()?.iter().any(is_copied) {
            bucket.put(&file, &part)?;
            if !bucket.list()?.iter().any(is_copied) {
                return Err(bucket.incomplete_fault(&part));
            }
        }
    }
    let old = surplus(&bucket.names()?, keep, name, today);
    old.into_iter().try_for_each(|old| bucket.remove(&old.to_string()))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "the test puts backups on the disk")]

    use super::*;
    use crate::base::time::minutes;
    use crate::store::backup::BucketAddress;
    use std::fmt::Display;
    use std::io::{BufRead as _, BufReader, Read as _, Write as _};
    use std::net::TcpListener;
    use std::sync::mpsc::{Receiver, channel};

    /// A bucket in which these files are listed with two bytes each; the names of those that are sent come out.
    fn bucket_with(folder: &Path, listed: &[impl Display]) -> (BackupBucket, Receiver<String>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/backups", listener.local_addr().unwrap());
        let credentials_file = folder.join("s3").to_str().unwrap().to_owned();
        std::fs::write(&credentials_file, "id\nsecret\n").unwrap();
        let entry = |name| {
            let rest = "<ETag/><LastModified/><Size>2</Size>";
            format!("<Contents><Key>{name}</Key>{rest}</Contents>")
        };
        let entries: String = listed.iter().map(entry).collect();
        let list = format!("<ListBucketResult>{entries}</ListBucketResult>");
        let (sent, names) = channel();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = BufReader::new(stream.unwrap());
                let mut lines = stream.by_ref().lines().map(Result::unwrap);
                let first = lines.next().unwrap();
                lines.take_while(|line| !line.is_empty()).for_each(drop);
                if let Some(path) = first.strip_prefix("PUT /backups/") {
                    stream.read_exact(&mut [0; 2]).unwrap();
                    sent.send(path.split_once('?').unwrap().0.to_owned()).unwrap();
                }
                let length = list.len();
                let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n");
                write!(stream.get_mut(), "{head}Connection: close\r\n\r\n{list}").unwrap();
            }
        });
        let address = BucketAddress { url, region: "r".into(), credentials_file };
        (BackupBucket::new(&address).unwrap(), names)
    }

    #[test]
    fn a_new_backup_is_sent_though_one_of_its_name_and_size_is_in_the_bucket() {
        let folder = tempfile::tempdir().unwrap();
        let whole = NightlyName::parse("postboard-2026-11-25.tar.gz.age").unwrap();
        let changes = NightlyName { night: whole.night.plus(1), since: Some(whole.night), ..whole };
        for name in [whole, changes] {
            std::fs::write(folder.path().join(name.to_string()), "ab").unwrap();
        }
        let (bucket, sent) = bucket_with(folder.path(), &[whole, changes]);
        for name in [whole, changes] {
            copy(&bucket, folder.path(), (name, false), 2, name.night).unwrap();
            assert_eq!(sent.try_iter().count(), 0, "{name} is there");
            copy(&bucket, folder.path(), (name, true), 2, name.night).unwrap();
            assert_eq!(sent.try_iter().collect::<Vec<_>>(), [name.to_string()]);
        }
    }

    #[test]
    fn only_nightly_backups_below_the_prefix_itself_are_in_a_bucket() {
        let folder = tempfile::tempdir().unwrap();
        let [old, new, ahead] =
            ["2026-11-25", "2026-11-26", "2036-01-01"].map(|day| names(&[day]).remove(0));
        let two = format!("two/{new}");
        let others = ["a.tar.gz", "postboard-home-0123", "today.tar.gz", "zebra", &two];
        let listed = [&[&*new, &*old, &*ahead][..], &others].concat();
        let (bucket, _) = bucket_with(folder.path(), &listed);
        let stored: Vec<String> = bucket.list().unwrap().into_iter().map(|it| it.name).collect();
        assert_eq!(stored, [old.as_str(), &new, &ahead]);
        let today = at(4).day();
        assert_eq!(bucket.newest(today).unwrap(), (new, vec![ahead.clone()]));
        assert_eq!(bucket.newest(today.plus(9999)).unwrap(), (ahead, vec![]));
        let why = bucket.newest(today.plus(-9999)).unwrap_err().to_string();
        assert!(why.contains("there lies ahead: set the clock"), "{why}");
    }

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
        assert_eq!(of(&[today], at(-20)), None, "it went back by a day");
        assert_eq!(of(&[yesterday, "2026-11-28"], at(4)), name(today), "it was two days ahead");
        let encrypted = format!("postboard-{today}.tar.gz.age");
        assert_eq!(due(&[encrypted], 3, at(4)), None, "one is enough, encrypted or not");
    }

    #[test]
    fn the_newest_backups_and_files_of_others_stay() {
        let mut all = names(&["2026-11-24", "2026-11-22", "2026-11-23", "today", "2026-02-30"]);
        all.push("postboard-2026-11-01.tar.gz.part".into());
        all.push("other.tar.gz".into());
        let surplus = |all: &[String], keep| -> Vec<String> {
            let new = NightlyName::parse(&all[0]).unwrap();
            surplus(all, keep, new, new.night).iter().map(NightlyName::to_string).collect()
        };
        assert_eq!(surplus(&all, 3), [""; 0]);
        assert_eq!(surplus(&all, 2), ["postboard-2026-11-22.tar.gz"]);
        all.push("postboard-2026-11-21.tar.gz.age".into());
        assert_eq!(surplus(&all, 3), ["postboard-2026-11-21.tar.gz.age"]);
        all.pop();
        assert_eq!(
            surplus(&all, 1),
            ["postboard-2026-11-22.tar.gz", "postboard-2026-11-23.tar.gz"]
        );
        // Another machine with the same home has made a newer one meanwhile.
        assert_eq!(surplus(&names(&["2026-11-23", "2026-11-24"]), 1), [""; 0]);
    }

    /// Through a year of nights, each with a whole backup or one of changes, and some without any.
    #[test]
    fn a_kept_backup_has_its_whole_one_and_no_more_is_kept() {
        let first = Day::parse("2026-01-01").unwrap();
        for (keep, every) in [(1, 2), (1, 7), (3, 7), (14, 7), (14, 30)] {
            let (mut there, mut whole) = (Vec::<String>::new(), first);
            for night in (0..365).filter(|number| number % 11 != 4).map(|number| first.plus(number))
            {
                let is_whole = night == first || night >= whole.plus(every);
                whole = if is_whole { night } else { whole };
                let since = (!is_whole).then_some(whole);
                let new = NightlyName { night, since, is_encrypted: true };
                there.push(new.to_string());
                for old in surplus(&there, keep, new, night) {
                    there.retain(|name| *name != old.to_string());
                }
                let kept: Vec<_> = nightly(&there).collect();
                let wholes = kept.iter().filter_map(|name| name.whole());
                assert!(wholes.into_iter().all(|whole| kept.contains(&whole)), "{kept:?}");
                assert!(kept.len() <= keep + 1, "{kept:?}");
                let newest = kept.iter().filter(|name| name.night > night.plus(-2)).count();
                assert!(newest >= 1, "{kept:?}");
            }
        }
    }

    /// Right clocks and wrong ones, each for a night: what was made last, by whatever clock, is there, and what a right
    /// clock has made stays.
    #[test]
    fn a_wrong_clock_removes_no_backup_of_a_right_one() {
        let [far, past] = [Time::from_unix(2_082_758_400), Time::from_unix(1_577_836_800)];
        for keep in [1, 2, 14] {
            let (mut there, mut last_right) = (Vec::<String>::new(), None);
            let future = names(&["2036-01-01"]).remove(0);
            let nights = (0..40).map(|night| match night {
                _ if night % 7 == 3 => (past, false),
                _ if night % 7 == 5 => (far, false),
                _ => (at(24 * night), true),
            });
            for (now, is_right) in nights {
                let mut made = None;
                // The program looks every minute.
                for minute in 0..60 {
                    let now = now + minutes(minute);
                    let Some(night) = due(&there, 0, now) else { continue };
                    assert_eq!(made, None, "again, a minute later: {there:?}");
                    let new = NightlyName { night, since: None, is_encrypted: false };
                    there.push(new.to_string());
                    for old in surplus(&there, keep, new, now.day()) {
                        there.retain(|name| *name != old.to_string());
                    }
                    made = Some(new.to_string());
                }
                assert!(made.is_some() || !is_right, "{there:?}");
                assert!(made.iter().all(|new| there.contains(new)), "{made:?} of {there:?}");
                last_right = if is_right { made } else { last_right };
                let is_there = last_right.iter().all(|right| there.contains(right));
                assert!(is_there || (keep == 1 && now == far), "{last_right:?} of {there:?}");
                let told = refuse_ahead(&there, Path::new("/backups"), now.day()).err();
                let told = told.map(|fault| fault.to_string()).unwrap_or_default();
                let is_ahead = now < far && (now == past || there.contains(&future));
                let words =
                    ["/backups: postboard-20", " lies ahead: set the clock", "remove that file"];
                assert!(words.iter().all(|it| told.contains(it) == is_ahead), "{told} {there:?}");
            }
        }
    }
}
