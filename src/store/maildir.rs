//! Mails out of a Maildir. A mail is claimed by a rename from `new` to `cur` with our mark and the
//! number of the try in its name (`<name>,P1:2,`), and when it is executed it is flagged as seen
//! (`<name>:2,S`). The lock of the home keeps two runs apart.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the store owns files")]

use super::{Fault, names};
use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use super::spool::LONGEST;

/// Before the number of the try.
const MARK: &str = ",P";

/// A Maildir being read.
#[derive(Debug)]
pub struct Maildir {
    path: PathBuf,
    queue: VecDeque<Name>,
}

/// A mail claimed from a Maildir.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claimed {
    /// Its content: of more than [`LONGEST`] bytes, one more than that.
    pub bytes: Vec<u8>,
    /// How often it was begun, with this time.
    pub tries: u32,
    name: String,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Name {
    /// As it came, without mark and flags.
    stem: String,
    tries: u32,
    file: PathBuf,
}

impl Maildir {
    /// Lists what waits: what is new, oldest first, and behind it what an earlier run claimed and
    /// did not finish.
    ///
    /// # Errors
    /// It is no Maildir, or the machine failed.
    pub fn open(path: &Path) -> Result<Self, Fault> {
        let folder = path.join("new");
        fs::metadata(&folder).map_err(Fault::at("cannot read", &folder))?;
        let fresh = names(&folder)?.into_iter().filter(|name| !name.starts_with('.'));
        let mut queue: Vec<_> =
            fresh.map(|name| Name { file: folder.join(&name), stem: name, tries: 0 }).collect();
        queue.sort();
        let folder = path.join("cur");
        let mut begun: Vec<_> = names(&folder)?
            .into_iter()
            .filter_map(|file| {
                let (stem, tries) = file.strip_suffix(":2,")?.rsplit_once(MARK)?;
                let (stem, tries) = (stem.to_owned(), tries.parse().ok()?);
                Some(Name { stem, tries, file: folder.join(file) })
            })
            .collect();
        begun.sort();
        queue.extend(begun);
        Ok(Self { path: path.to_owned(), queue: queue.into() })
    }

    /// Claims the next mail; none if there is none.
    ///
    /// # Errors
    /// The machine failed.
    pub fn claim(&mut self) -> Result<Option<Claimed>, Fault> {
        while let Some(Name { stem: name, tries, file }) = self.queue.pop_front() {
            let tries = tries + 1;
            let claimed = self.claimed(&name, tries);
            match fs::rename(&file, &claimed) {
                // The player's own mail program was quicker.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                result => result.map_err(Fault::at("cannot rename", file))?,
            }
            let mut bytes = Vec::new();
            File::open(&claimed)
                .and_then(|file| file.take(LONGEST as u64 + 1).read_to_end(&mut bytes))
                .map_err(Fault::at("cannot read", claimed))?;
            return Ok(Some(Claimed { bytes, tries, name }));
        }
        Ok(None)
    }

    /// The mail is executed and committed, or parked: it is flagged as seen.
    ///
    /// # Errors
    /// The machine failed.
    pub fn done(&mut self, mail: &Claimed) -> Result<(), Fault> {
        let claimed = self.claimed(&mail.name, mail.tries);
        let seen = self.path.join("cur").join(format!("{}:2,S", mail.name));
        fs::rename(&claimed, seen).map_err(Fault::at("cannot rename", claimed))
    }

    fn claimed(&self, name: &str, tries: u32) -> PathBuf {
        self.path.join("cur").join(format!("{name}{MARK}{tries}:2,"))
    }
}
