//! Mails from a Maildir, in the order of arrival.
//!
//! A mail is claimed by a rename from `new` to `cur`, with our mark and the number of the try in
//! its name (`<name>,P1:2,`). When it is taken over it is flagged as seen (`<name>:2,S`). A mail
//! that three runs could not read is flagged for the operator (`<name>:2,F`) and left alone; until
//! then later mails wait for it.

use super::arrivals;
use super::name::MAX_MAIL_BYTES;
use super::queue::TRIES;
use crate::store::fault::is_shortage;
use crate::store::paths::names;
use crate::store::{Fault, MailListener, Subscription};
use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// The mark before the number of the try.
const MARK: &str = ",P";

/// A Maildir being read.
#[derive(Debug)]
pub struct Maildir {
    path: PathBuf,
    queue: VecDeque<MaildirName>,
    /// Notes for the operator about mails that were given up.
    notes: Vec<String>,
}

/// A mail claimed from a Maildir.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaildirClaim {
    /// Its content; of a mail larger than [`MAX_MAIL_BYTES`], one byte more than that.
    pub bytes: Vec<u8>,
    /// How often it was begun, including this time.
    pub tries: u32,
    name: String,
}

/// A mail that waits in a Maildir.
#[derive(Clone, Debug, PartialEq, Eq)]
struct MaildirName {
    /// The name without mark and flags.
    stem: String,
    /// How often it was begun.
    tries: u32,
    file: PathBuf,
}

/// Calls a listener whenever a mail has come into a Maildir, until the result is dropped.
///
/// # Errors
/// It is no Maildir, or the system cannot watch it.
pub fn subscribe(path: &Path, listener: MailListener) -> Result<Box<dyn Subscription>, Fault> {
    arrivals::subscribe(&path.join("new"), listener)
}

/// Returns the arrival time in a name: the second and, after an `M`, the microsecond, which some
/// mail servers write without leading zeros; then the name itself.
fn arrival(stem: &str) -> (u64, u64, &str) {
    let digits = |text: &str| {
        let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        text[..end].parse().unwrap_or(0)
    };
    let (second, rest) = stem.split_once('.').unwrap_or((stem, ""));
    let unique = rest.split('.').next().unwrap_or_default();
    let micros = unique.rsplit_once('M').map_or(0, |(_, micros)| digits(micros));
    (digits(second), micros, stem)
}

impl Maildir {
    /// Lists the new mails, and those that an earlier run claimed and did not finish, the oldest
    /// first.
    ///
    /// # Errors
    /// It is no Maildir, or the machine failed.
    pub fn open(path: &Path) -> Result<Self, Fault> {
        let folder = path.join("new");
        fs::metadata(&folder).map_err(Fault::at("cannot read", &folder))?;
        let fresh = names(&folder)?.into_iter().filter(|name| !name.starts_with('.'));
        let mut queue: Vec<_> = fresh
            .map(|name| MaildirName { file: folder.join(&name), stem: name, tries: 0 })
            .collect();
        let folder = path.join("cur");
        queue.extend(names(&folder)?.into_iter().filter_map(|file| {
            let (stem, tries) = file.strip_suffix(":2,")?.rsplit_once(MARK)?;
            let (stem, tries) = (stem.to_owned(), tries.parse().ok()?);
            Some(MaildirName { stem, tries, file: folder.join(file) })
        }));
        queue.sort_by(|a, b| arrival(&a.stem).cmp(&arrival(&b.stem)));
        Ok(Self { path: path.to_owned(), queue: queue.into(), notes: Vec::new() })
    }

    /// Claims the next mail; `None` if there is none.
    pub fn claim(&mut self) -> Result<Option<MaildirClaim>, Fault> {
        while let Some(MaildirName { stem: name, tries, file }) = self.queue.pop_front() {
            let tries = tries + 1;
            let claimed = self.claimed_path(&name, tries);
            match fs::rename(&file, &claimed) {
                // The owner's mail program was quicker.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                result => result.map_err(Fault::at("cannot rename", file))?,
            }
            match read(&claimed) {
                Ok(bytes) => return Ok(Some(MaildirClaim { bytes, tries, name })),
                Err(error) if tries >= TRIES && !is_shortage(&error) => {
                    let flagged = self.path.join("cur").join(format!("{name}:2,F"));
                    let fault = Fault::at("cannot read", &flagged)(error);
                    fs::rename(&claimed, &flagged).map_err(Fault::at("cannot rename", claimed))?;
                    self.notes.push(format!("{fault}; flagged and skipped"));
                }
                Err(error) => return Err(Fault::at("cannot read", claimed)(error)),
            }
        }
        Ok(None)
    }

    /// Takes the notes for the operator about mails that were given up since the last call.
    pub fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }

    /// Flags a mail that is executed and committed, or parked, as seen.
    pub fn done(&mut self, mail: &MaildirClaim) -> Result<(), Fault> {
        let claimed = self.claimed_path(&mail.name, mail.tries);
        let seen = self.path.join("cur").join(format!("{}:2,S", mail.name));
        fs::rename(&claimed, seen).map_err(Fault::at("cannot rename", claimed))
    }

    fn claimed_path(&self, name: &str, tries: u32) -> PathBuf {
        self.path.join("cur").join(format!("{name}{MARK}{tries}:2,"))
    }
}

/// Reads at most one byte more than the largest mail.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    // Opening a pipe would block.
    if !path.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_MAIL_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mails_come_in_the_order_of_their_names_numbers() {
        let mut names = [
            "1795238401.M5P1.host",
            "1795238400.M100000P1.host",
            "1795238400.M99999P2.host",
            "1795238400.V801I3M000007.host",
            "999.a.host",
        ];
        names.sort_by(|a, b| arrival(a).cmp(&arrival(b)));
        let order = ["999.a", "1795238400.V801I3M000007", "1795238400.M99999P2"];
        for (name, start) in names.iter().zip(order) {
            assert!(name.starts_with(start), "{names:?}");
        }
        assert!(names[4].starts_with("1795238401"), "{names:?}");
    }
}
