//! The manifest of the last whole backup: the digests of its files. It is a file of the home that no backup contains,
//! and needed because the machine cannot read its encrypted backups. Each later backup contains only what differs.
//!
//! Its first line names the whole backup and its digest, the second the public keys to which it is encrypted; each
//! further line has the digest and the name of a file, and the last one the digest of all lines before.

use super::encryption::BackupKey;
use super::nightly_name::NightlyName;
use super::restore;
use super::unpack::CHUNK;
use crate::base::digest::Digest;
use crate::store::Fault;
use crate::store::files::disk::{Disk, replace_secret};
use crate::store::paths::{found, read_file, removed};
use sha2::{Digest as _, Sha256};
use std::collections::HashMap;
use std::fmt::{self, Write as _};
use std::fs::{self, File};
use std::io::{self, BufRead, Read};
use std::path::Path;
use std::str::FromStr;

/// The file in the home.
pub(super) const MANIFEST: &str = "backup-manifest";
/// The longest manifest that is read, and so the longest list of files that are gone: of some two million files.
pub(super) const MAX_MANIFEST_BYTES: u64 = 256 << 20;

/// Computes the digest of everything that is read.
pub(super) fn digest_of(mut input: impl Read) -> io::Result<Digest> {
    let (mut sum, mut chunk) = (Sha256::new(), vec![0; CHUNK]);
    loop {
        match input.read(&mut chunk) {
            Ok(0) => return Ok(Digest::from(<[u8; 32]>::from(sum.finalize()))),
            Ok(read) => sum.update(chunk.get(..read).unwrap_or_default()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// A whole backup that others need: its name, and the digest of its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WholeBackup {
    /// Its name.
    pub name: NightlyName,
    pub(super) digest: Digest,
}

impl WholeBackup {
    /// Opens the file, which must be this backup; returns its size, too.
    ///
    /// # Errors
    /// The file is missing, cannot be read, or is another one.
    pub fn open(&self, file: &Path) -> Result<(impl BufRead + use<>, u64), Fault> {
        let opened = File::open(file).map_err(Fault::at("cannot read", file))?;
        if digest_of(opened).map_err(Fault::at("cannot read", file))? != self.digest {
            let digest = self.digest.hex();
            let why = format!("it is not the backup that was made: its SHA-256 is not {digest}");
            return Err(Fault::because("cannot use", file, io::ErrorKind::InvalidData, &why));
        }
        restore::open(file)
    }

    /// Returns the fault of a backup of changes whose whole backup is not where it is looked for.
    pub fn missing_fault(&self, changes: &Path, place: &str) -> Fault {
        let why =
            format!("it contains only the changes since {}, which is not in {place}", self.name);
        Fault::because("cannot restore", changes, io::ErrorKind::NotFound, &why)
    }
}

/// Writes it as `NAME DIGEST`.
impl fmt::Display for WholeBackup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name, self.digest.hex())
    }
}

impl FromStr for WholeBackup {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (name, digest) = text.split_once(' ').ok_or(())?;
        let name = NightlyName::parse(name).filter(|name| name.since.is_none()).ok_or(())?;
        Ok(Self { name, digest: Digest::from_hex(digest).ok_or(())? })
    }
}

/// The files of the last whole backup.
#[derive(Debug)]
pub struct Manifest {
    /// The whole backup.
    pub whole: WholeBackup,
    /// The public keys to which it is encrypted.
    keys: Vec<String>,
    files: HashMap<String, Digest>,
}

impl Manifest {
    /// Reads the manifest of a home, if it has one.
    ///
    /// # Errors
    /// It cannot be read, or is damaged.
    pub fn read(home: &Path) -> Result<Option<Self>, Fault> {
        let path = home.join(MANIFEST);
        let damaged =
            |why: &str| Fault::because("cannot use", &path, io::ErrorKind::InvalidData, why);
        match found(fs::metadata(&path), &path)? {
            None => return Ok(None),
            Some(meta) if meta.len() > MAX_MANIFEST_BYTES => return Err(damaged("it is too long")),
            Some(_) => {}
        }
        let Some(bytes) = read_file(&path)? else { return Ok(None) };
        let text = String::from_utf8(bytes).ok();
        text.and_then(|text| Self::parse(&text)).map(Some).ok_or_else(|| damaged("it is damaged"))
    }

    fn parse(text: &str) -> Option<Self> {
        let body = text.strip_suffix('\n')?;
        let (body, sum) = body.split_at(body.rfind('\n')? + 1);
        if Digest::of(body) != Digest::from_hex(sum)? {
            return None;
        }
        let mut lines = body.lines();
        let whole = lines.next()?.parse().ok()?;
        let keys = lines.next()?.split_whitespace().map(str::to_owned).collect();
        let file = |line: &str| {
            let (digest, name) = line.split_once(' ')?;
            Some((name.to_owned(), Digest::from_hex(digest)?))
        };
        Some(Self { whole, keys, files: lines.map(file).collect::<Option<_>>()? })
    }

    /// Replaces the manifest of a home, durably. `file` is the whole backup, which is complete and durable already, with
    /// these keys; `list` has a line for each of its files.
    ///
    /// # Errors
    /// The backup cannot be read, or the machine failed: the manifest is the earlier one.
    pub(super) fn replace(
        disk: &Disk,
        home: &Path,
        file: &Path,
        name: NightlyName,
        keys: &[BackupKey],
        list: &str,
    ) -> Result<(), Fault> {
        let digest =
            File::open(file).and_then(digest_of).map_err(Fault::at("cannot read", file))?;
        let keys: Vec<String> = keys.iter().map(BackupKey::to_string).collect();
        let mut text = format!("{}\n{}\n{list}", WholeBackup { name, digest }, keys.join(" "));
        let sum = Digest::of(&text).hex();
        let _ = writeln!(text, "{sum}");
        replace_secret(disk, &home.join(MANIFEST), &text)
    }

    /// Removes the manifest of a home, so that the next backup is whole.
    ///
    /// # Errors
    /// The machine failed.
    pub fn remove(home: &Path) -> Result<(), Fault> {
        let path = home.join(MANIFEST);
        removed(fs::remove_file(&path), &path)
    }

    /// Returns whether the whole backup is encrypted to exactly these keys.
    pub fn is_for(&self, keys: &[BackupKey]) -> bool {
        self.keys.iter().eq(&keys.iter().map(BackupKey::to_string).collect::<Vec<_>>())
    }

    /// Returns the names of the files.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// Returns whether the whole backup has a file with this digest.
    pub(super) fn has(&self, name: &str, digest: Digest) -> bool {
        self.files.get(name) == Some(&digest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_that_is_damaged_or_cut_off_anywhere_is_not_used() {
        let dir = tempfile::tempdir().unwrap();
        let (home, file) = (dir.path(), dir.path().join("whole"));
        assert!(Manifest::read(home).unwrap().is_none());
        fs::write(&file, "a backup").unwrap();
        let name = NightlyName::parse("postboard-2026-11-20.tar.gz").unwrap();
        let digest = Digest::of("{}");
        let list = format!("{0} key\n{0} boards/malaka/0/1.json\n", digest.hex());
        Manifest::replace(&Disk::default(), home, &file, name, &[], &list).unwrap();
        let read = Manifest::read(home).unwrap().unwrap();
        assert_eq!((read.whole.name, read.files.len()), (name, 2));
        assert!(read.has("boards/malaka/0/1.json", digest) && read.is_for(&[]));
        read.whole.open(&file).unwrap();
        fs::write(&file, "b backup").unwrap();
        let other = read.whole.open(&file).err().unwrap().to_string();
        assert!(other.contains("it is not the backup that was made"), "{other}");

        let path = home.join(MANIFEST);
        let whole = fs::read(&path).unwrap();
        for at in 0..whole.len() {
            fs::write(&path, &whole[..at]).unwrap();
            assert!(Manifest::read(home).is_err(), "cut off at {at}");
            let mut changed = whole.clone();
            changed[at] ^= 1;
            fs::write(&path, changed).unwrap();
            assert!(Manifest::read(home).is_err(), "changed at {at}");
        }
        Manifest::remove(home).unwrap();
        Manifest::remove(home).unwrap();
        assert!(Manifest::read(home).unwrap().is_none());
        fs::create_dir(&path).unwrap();
        let fault = Manifest::remove(home).unwrap_err().to_string();
        assert!(fault.starts_with("cannot remove "), "{fault}");
    }
}
