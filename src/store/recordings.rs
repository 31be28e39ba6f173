//! Recordings (tapes) of the console's games, in files of the player.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the store uses files")]

use crate::store::Fault;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

/// The largest recording that is read, in bytes: more than anybody presses in two days.
const MAX_RECORDING_BYTES: u64 = 16_000_000;

/// Reads a recording.
///
/// # Errors
/// It does not exist, is too large, or is not UTF-8.
pub fn read(path: &Path) -> Result<String, Fault> {
    let mut text = String::new();
    let file = File::open(path).map_err(Fault::at("cannot read", path))?;
    file.take(MAX_RECORDING_BYTES + 1)
        .read_to_string(&mut text)
        .map_err(Fault::at("cannot read", path))?;
    if text.len() as u64 > MAX_RECORDING_BYTES {
        let why = "it is too long for a tape";
        return Err(Fault::because("cannot read", path, io::ErrorKind::InvalidData, why));
    }
    Ok(text)
}

/// Writes the games of a session, a file each: the first into FILE, the next ones into FILE.2, FILE.3 and
/// so on. Never overwrites a file.
#[derive(Debug)]
pub struct RecordingWriter {
    path: PathBuf,
    /// The first file, until a game is written into it.
    first: Option<File>,
    /// The number of the last file.
    number: u32,
}

impl RecordingWriter {
    /// Creates the file of the first game, so that a player who cannot write there learns it before
    /// playing.
    ///
    /// # Errors
    /// The file exists, or cannot be created.
    pub fn new(path: PathBuf) -> Result<Self, Fault> {
        let first = create_new(&path).map_err(Fault::at("cannot write", &path))?;
        Ok(Self { path, first: Some(first), number: 1 })
    }

    /// Writes a game.
    pub fn write(&mut self, text: &str) -> Result<(), Fault> {
        let mut path = self.path.clone();
        let mut file = match self.first.take() {
            Some(file) => file,
            None => loop {
                self.number += 1;
                let mut name = self.path.clone().into_os_string();
                name.push(format!(".{}", self.number));
                path = name.into();
                match create_new(&path) {
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                    created => break created.map_err(Fault::at("cannot write", &path))?,
                }
            },
        };
        file.write_all(text.as_bytes()).map_err(Fault::at("cannot write", &path))
    }

    /// Removes the file if no game was played.
    pub fn close(self) -> Result<(), Fault> {
        match self.first {
            Some(_) => fs::remove_file(&self.path).map_err(Fault::at("cannot remove", &self.path)),
            None => Ok(()),
        }
    }
}

fn create_new(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_file_is_written_over_and_none_left_empty() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        fs::write(path("tape.2"), "kept").unwrap();
        let mut writer = RecordingWriter::new(path("tape")).unwrap();
        assert!(RecordingWriter::new(path("tape")).is_err(), "it is there");
        for text in ["one", "two"] {
            writer.write(text).unwrap();
        }
        writer.close().unwrap();
        for (name, text) in [("tape", "one"), ("tape.2", "kept"), ("tape.3", "two")] {
            assert_eq!(read(&path(name)).unwrap(), text, "{name}");
        }
        RecordingWriter::new(path("unused")).unwrap().close().unwrap();
        assert!(read(&path("unused")).is_err());
    }
}
