//! What a home keeps of people in files that are no documents: in the log, in the last runs of jobs, and in the
//! operator's reports. Finds addresses there and overwrites them.
//!
//! Addresses are overwritten in place, by as many asterisks: a process that appends to the log at the same moment
//! loses nothing, and a program that counts bytes or parses lines still can. A log that was compressed cannot be
//! changed so; it is named instead.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the store uses files")]

use super::Fault;
use super::paths::{found, names};
use crate::base::time::{Day, Span, Time};
use memchr::memmem;
use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::ops::Range;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

/// The bytes read at once, without the overlap.
const CHUNK: usize = 1 << 20;
/// The endings of logs that a program has compressed.
const COMPRESSED: [&str; 5] = ["gz", "xz", "bz2", "zst", "lz4"];
/// The file of the log, in its folder.
const LOG: &str = "postboard.log";
/// How long lines are added to one file of the log, unless another program begins a new one earlier.
const LOG_FILE_DAYS: i64 = 8;

/// The result of overwriting words in files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MaskedFiles {
    /// The number of places at which words were overwritten.
    pub places: usize,
    /// The files of the log that were compressed, below the home, which stay as they are.
    pub compressed: Vec<String>,
}

/// Overwrites words, such as addresses, wherever they are whole words in the log, in the last runs of jobs and in the
/// operator's reports.
///
/// # Errors
/// The machine failed. Some places may be overwritten.
pub fn mask(home: &Path, words: &[String]) -> Result<MaskedFiles, Fault> {
    let mut masked = MaskedFiles::default();
    for file in files(home)? {
        if is_compressed(&file) {
            masked.compressed.push(file);
        } else {
            masked.places += mask_file(&home.join(file), words)?;
        }
    }
    masked.compressed.sort();
    Ok(masked)
}

/// Returns the lines of the log, compressed files excepted, that contain one of these words as a whole word.
///
/// # Errors
/// The machine failed.
pub fn log_lines(home: &Path, words: &[String]) -> Result<Vec<String>, Fault> {
    let mut lines = Vec::new();
    for file in files(home)?.into_iter().filter(|file| file.starts_with("log/")) {
        if is_compressed(&file) {
            continue;
        }
        let path = home.join(file);
        let Some(opened) = found(File::open(&path), &path)? else { continue };
        for line in BufReader::new(opened).split(b'\n') {
            let line = line.map_err(Fault::at("cannot read", &path))?;
            if contains_word(&line, words) {
                lines.push(String::from_utf8_lossy(&line).into_owned());
            }
        }
    }
    Ok(lines)
}

/// Returns whether a text contains one of these words as a whole word, in upper or lower case.
pub fn contains_word(text: &[u8], words: &[String]) -> bool {
    occurrences(text, words, true, true).next().is_some()
}

/// Overwrites these words in a text, as [`mask`] does in files.
pub fn masked(text: &str, words: &[String]) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let places: Vec<Range<usize>> = occurrences(text.as_bytes(), words, true, true).collect();
    for place in places {
        bytes[place].fill(b'*');
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Begins a new file of the log if the present one has lines of more than eight days, and removes those whose last
/// line is older than `keep`. Costs one short read in the usual case. Returns the number of removed files.
///
/// # Errors
/// The machine failed.
pub fn expire_log(home: &Path, now: Time, keep: Span) -> Result<usize, Fault> {
    let folder = home.join("log");
    let present = folder.join(LOG);
    if first_day(&present)?.is_some_and(|day| day.plus(LOG_FILE_DAYS) <= now.day()) {
        let path = folder.join(format!("{LOG}-{}", now.day()));
        // Programs open the log for each line, so nothing is written to it under the new name.
        if found(fs::symlink_metadata(&path), &path)?.is_none() {
            fs::rename(&present, &path).map_err(Fault::at("cannot rename", &present))?;
        }
    }
    let mut removed = 0;
    for name in names(&folder)? {
        let is_past = name.strip_prefix(LOG).is_some_and(|rest| rest.starts_with(['-', '.']));
        let path = folder.join(name);
        let Some(meta) = found(fs::symlink_metadata(&path), &path)? else { continue };
        let written = meta.modified().map_err(Fault::at("cannot read", &path))?;
        if is_past && meta.is_file() && Time::from(written) < now - keep {
            fs::remove_file(&path).map_err(Fault::at("cannot remove", &path))?;
            removed += 1;
        }
    }
    Ok(removed)
}

/// Returns the day of the first line of a log, as text or as JSON.
fn first_day(path: &Path) -> Result<Option<Day>, Fault> {
    let Some(file) = found(File::open(path), path)? else { return Ok(None) };
    let mut begin = Vec::new();
    file.take(64).read_to_end(&mut begin).map_err(Fault::at("cannot read", path))?;
    let begin = String::from_utf8_lossy(&begin);
    let at = begin.find(|c: char| c.is_ascii_digit());
    Ok(at.and_then(|at| begin.get(at..at + "2026-11-23".len())).and_then(Day::parse))
}

/// Returns the files that may name people, below the home.
fn files(home: &Path) -> Result<Vec<String>, Fault> {
    let mut files = Vec::new();
    for folder in ["log", "runs"] {
        for name in names(&home.join(folder))? {
            let file = format!("{folder}/{name}");
            let path = home.join(&file);
            if found(path.symlink_metadata(), &path)?.is_some_and(|meta| meta.is_file()) {
                files.push(file);
            }
        }
    }
    files.extend(["outbox/troubles", "outbox/alerts"].map(str::to_owned));
    Ok(files)
}

fn is_compressed(file: &str) -> bool {
    let ending = Path::new(file).extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| COMPRESSED.contains(&ending))
}

/// Overwrites the words in a file, and returns the number of places.
fn mask_file(path: &Path, words: &[String]) -> Result<usize, Fault> {
    let opened = File::options().read(true).write(true).open(path);
    let Some(file) = found(opened, path)? else { return Ok(0) };
    // A word that the end of a chunk cuts, or whose next character is unknown, is found in the next one.
    let overlap = words.iter().map(String::len).max().unwrap_or(0) + 3;
    let mut chunk = vec![0; CHUNK + overlap];
    let (mut at, mut places) = (0, 0);
    loop {
        let read = read_fully(&file, &mut chunk, at).map_err(Fault::at("cannot read", path))?;
        let is_end = read < chunk.len();
        let found: Vec<_> = occurrences(&chunk[..read], words, at == 0, is_end).collect();
        for place in found {
            let stars = vec![b'*'; place.len()];
            let written = file.write_all_at(&stars, at + place.start as u64);
            written.map_err(Fault::at("cannot write", path))?;
            places += 1;
        }
        if is_end {
            return Ok(places);
        }
        at += (read - overlap) as u64;
    }
}

/// Fills a buffer from a file, unless it ends before.
fn read_fully(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match file.read_at(&mut buffer[filled..], at + filled as u64) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// Returns where a text contains one of these words as a whole word, in upper or lower case. `begins` and `ends` tell
/// whether nothing comes before or after the text.
fn occurrences(
    text: &[u8],
    words: &[String],
    begins: bool,
    ends: bool,
) -> impl Iterator<Item = Range<usize>> {
    let lower = text.to_ascii_lowercase();
    let mut found = Vec::new();
    for word in words.iter().map(|word| word.to_ascii_lowercase()).filter(|it| !it.is_empty()) {
        for at in memmem::find_iter(&lower, word.as_bytes()) {
            let end = at + word.len();
            let before = lower[..at].last().map_or(begins, |byte| !continues_before(*byte));
            let after = lower.get(end).map_or(ends, |byte| match byte {
                // The end of a sentence, or a longer domain.
                b'.' => lower.get(end + 1).map_or(ends, |next| !next.is_ascii_alphanumeric()),
                byte => !byte.is_ascii_alphanumeric() && !b"-_".contains(byte),
            });
            if before && after {
                found.push(at..end);
            }
        }
    }
    found.into_iter()
}

/// Returns whether an address or a userid may have begun before this byte.
fn continues_before(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"._%+-".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words() -> Vec<String> {
        vec!["alice@pbm.test".into()]
    }

    #[test]
    fn a_whole_word_is_overwritten_in_any_case() {
        for (text, expected) in [
            ("from Alice@PBM.test: help", "from **************: help"),
            ("alice@pbm.test.", "**************."),
            ("<alice@pbm.test>,alice@pbm.test", "<**************>,**************"),
            ("malice@pbm.test alice@pbm.test.uk", "malice@pbm.test alice@pbm.test.uk"),
            ("alice@pbm.tests x-alice@pbm.test", "alice@pbm.tests x-alice@pbm.test"),
        ] {
            assert_eq!(masked(text, &words()), expected);
        }
    }

    #[test]
    fn a_word_is_overwritten_wherever_the_chunks_of_a_file_end() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log");
        let word = "alice@pbm.test";
        for before in CHUNK - 20..CHUNK + 40 {
            let text = format!("{} {word} {word}", "x".repeat(before));
            fs::write(&path, &text).unwrap();
            assert_eq!(mask_file(&path, &words()).unwrap(), 2, "{before}");
            let stars = "*".repeat(word.len());
            assert_eq!(fs::read_to_string(&path).unwrap(), text.replace(word, &stars), "{before}");
        }
    }

    #[test]
    fn the_log_is_begun_anew_after_eight_days_and_removed_after_its_time() {
        let home = tempfile::tempdir().unwrap();
        let log = home.path().join("log");
        fs::create_dir(&log).unwrap();
        let now = Time::from(fs::metadata(&log).unwrap().modified().unwrap());
        let (week, keep) = (crate::base::time::days(7), crate::base::time::days(60));
        let line = |at: Time| format!("{} a line\n", at.stamp());
        let names = || {
            let mut names = names(&log).unwrap();
            names.sort();
            names
        };
        fs::write(log.join(LOG), line(now - week)).unwrap();
        assert_eq!(expire_log(home.path(), now, keep).unwrap(), 0);
        assert_eq!(names(), [LOG], "seven days are not eight");
        let json =
            format!("{{\"timestamp\":\"{}\",\"message\":\"x\"}}\n", (now - week - week).stamp());
        fs::write(log.join(LOG), json).unwrap();
        expire_log(home.path(), now, keep).unwrap();
        assert_eq!(names(), [format!("{LOG}-{}", now.day())]);
        fs::write(log.join(LOG), line(now)).unwrap();
        fs::write(log.join("postboard.log.1.gz"), "").unwrap();
        fs::write(log.join("other"), "").unwrap();
        assert_eq!(expire_log(home.path(), now + keep - week, keep).unwrap(), 0);
        assert_eq!(names().len(), 4, "the present file is begun anew, too");
        assert_eq!(expire_log(home.path(), now + keep + week, keep).unwrap(), 3);
        assert_eq!(names(), ["other"]);
    }
}
