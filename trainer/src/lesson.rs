//! Training positions with their targets, and their file format.
//!
//! | bytes | content of each lesson |
//! |---|---|
//! | 1 | index of the net |
//! | 2 | number of nonzero inputs |
//! | for each input: 2, 4 | its index and its value |
//! | 20 | the five odds |
//!
//! All numbers are little-endian.

use games::{Inputs, Odds};
use std::fs::File;
use std::io::{BufWriter, Error, ErrorKind, Result, Write};
use std::path::Path;

/// A training position.
#[derive(Clone, Debug, PartialEq)]
pub struct Lesson {
    /// The net inputs.
    pub inputs: Inputs,
    /// The index of the net within the game.
    pub which: usize,
    /// The target.
    pub right: Odds,
}

/// Writes lessons.
///
/// # Errors
/// The file cannot be written.
pub fn write(to: &Path, lessons: &[Lesson]) -> Result<()> {
    let mut file = BufWriter::new(File::create(to)?);
    for Lesson { inputs, which, right } in lessons {
        let short = |number: usize| u16::try_from(number).map_err(Error::other);
        file.write_all(&short(*which)?.to_le_bytes()[..1])?;
        file.write_all(&short(inputs.all().len())?.to_le_bytes())?;
        for (input, value) in inputs.all() {
            file.write_all(&input.to_le_bytes())?;
            file.write_all(&value.to_le_bytes())?;
        }
        for odds in right.0 {
            file.write_all(&odds.to_le_bytes())?;
        }
    }
    file.flush()
}

/// Reads lessons.
///
/// # Errors
/// The file cannot be read, or ends within a lesson.
pub fn read(from: &Path) -> Result<Vec<Lesson>> {
    let bytes = std::fs::read(from)?;
    let mut rest = Rest(&bytes);
    let mut lessons = Vec::new();
    while !rest.0.is_empty() {
        lessons.push(rest.lesson().ok_or(ErrorKind::UnexpectedEof)?);
    }
    Ok(lessons)
}

/// The unread bytes.
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*first)
    }

    fn lesson(&mut self) -> Option<Lesson> {
        let [which] = self.take()?;
        let count = u16::from_le_bytes(self.take()?);
        let input = |_| Some((u16::from_le_bytes(self.take()?), f32::from_le_bytes(self.take()?)));
        let inputs: Inputs = (0..count).map(input).collect::<Option<_>>()?;
        let mut right = Odds::default();
        for odds in &mut right.0 {
            *odds = f32::from_le_bytes(self.take()?);
        }
        Some(Lesson { inputs, which: which.into(), right })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::{AnySituation, Seat, Situation as _};

    #[test]
    fn lessons_are_read_as_they_were_written() {
        let lesson = |game| {
            let mut inputs = Inputs::new();
            let start = AnySituation::start(game, Seat(0)).expect("it is a game");
            let which = start.inputs(&mut inputs).expect("there is a net");
            Lesson { inputs, which, right: Odds([0.5, 0.25, 0.01, 0.2, 0.02]) }
        };
        let lessons = ["backgammon", "malaka"].map(lesson);
        let file = std::env::temp_dir().join(format!("lessons-{}", std::process::id()));
        write(&file, &lessons).expect("it is written");
        assert_eq!(read(&file).expect("it is read"), lessons);
        let bytes = std::fs::read(&file).expect("it is there");
        std::fs::write(&file, &bytes[..bytes.len() - 1]).expect("it is written");
        assert!(read(&file).is_err(), "it ends within a lesson");
        std::fs::remove_file(&file).expect("it goes");
    }
}
