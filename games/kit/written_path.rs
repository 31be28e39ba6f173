//! Parsing of men's paths from place to place in all spellings, for any naming of places.

use super::text::{TextCursor, only_meaning, parse_move};
use super::{MoveError, Roll};
use std::fmt::{Debug, Display};

/// The highest repeat count of a path: a double is played four times.
const MOST_MEN: u32 = 4;

/// The names of a board's places.
pub(crate) trait PlaceNames: Copy {
    /// A place.
    type Place: Copy + Debug + PartialEq;

    /// The place that stands in for an invalid one while the rest is parsed.
    const SOMEWHERE: Self::Place;

    /// What is expected at the start of a path: "a point such as c3".
    const START: &'static str;
    /// What is expected as its target: "a point such as c3 to go to".
    const TARGET: &'static str;
    /// What is expected after a colon: "the number of a die, as in c3:2".
    const DIE: &'static str;
    /// What is expected in brackets: "a number, as in 13/11(2)".
    const TIMES: &'static str;
    /// What is expected after a leading number: "an x and a point, as in 3xc3-c6".
    const REPEATED: &'static str;
    /// Whether place names begin with a digit, so that `2x13` is ambiguous.
    const ARE_NUMBERS: bool;

    /// Reads a place at the start of a path, or after the place `from`. Returns `None` if the text
    /// has no place here, and an error in words if the board has no such place.
    fn place(
        self,
        reader: &mut TextCursor,
        from: Option<Self::Place>,
    ) -> Option<Result<Self::Place, String>>;

    /// Returns whether the place alone is a path: a man enters on it, or is borne off from it.
    fn may_stand_alone(self, _place: Self::Place) -> bool {
        false
    }
}

/// The path of one man, as written: `24-18-13`, `8:3`, `c3xc6`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WrittenPath<P> {
    pub(crate) from: P,
    /// The parts of the path; empty if the place stands alone.
    pub(crate) legs: Vec<Leg<P>>,
    /// Whether a place that stands alone is marked as a hit.
    pub(crate) is_marked: bool,
}

/// A part of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leg<P> {
    /// To a place by any route.
    To {
        /// The place.
        point: P,
        /// Whether the text marks a hit.
        takes: bool,
    },
    /// By one die.
    By(u8),
}

/// The meaning of an `x` after a number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CrossMeaning {
    /// A repeat count: `2x13`.
    Repeats,
    /// A hit: the man on this point takes another.
    Takes,
}

/// Finds the one move that the paths in a text mean; a text without paths means a pass.
///
/// # Errors
/// The text spells no paths, or they mean no legal move, or several.
pub(crate) fn read<N: PlaceNames, M: PartialEq + Display>(
    names: N,
    text: &str,
    roll: Option<Roll>,
    find: impl Fn(Vec<WrittenPath<N::Place>>) -> Result<M, MoveError>,
) -> Result<M, MoveError> {
    parse_move(text, roll, |reader| {
        let mut crosses = vec![CrossMeaning::Repeats];
        if N::ARE_NUMBERS && text.contains(['x', 'X', '\u{d7}']) {
            crosses.push(CrossMeaning::Takes);
        }
        let found = |cross| parse_paths(names, reader.clone(), cross).and_then(&find);
        only_meaning(crosses.into_iter().map(found).collect())
    })
}

/// Returns whether a text spells paths or a pass.
pub(crate) fn are_spelled<N: PlaceNames>(names: N, text: &str, roll: Option<Roll>) -> bool {
    let nothing = |_| Err::<String, _>(MoveError::NothingToMove);
    !matches!(read(names, text, roll, nothing), Err(MoveError::Unreadable { .. }))
}

/// Parses the paths of a recorded move, by the first meaning of its text.
///
/// # Errors
/// The text spells no paths.
pub(crate) fn read_recorded<N: PlaceNames>(
    names: N,
    text: &str,
) -> Result<Vec<WrittenPath<N::Place>>, MoveError> {
    parse_paths(names, TextCursor::new(text), CrossMeaning::Repeats)
}

/// Returns the path of each man in a recorded move; empty if the text spells none. A path that
/// starts where another has ended continues it.
pub(crate) fn paths<N: PlaceNames>(names: N, text: &str) -> Vec<Vec<N::Place>> {
    let mut paths: Vec<Vec<N::Place>> = Vec::new();
    for WrittenPath { from, legs, .. } in read_recorded(names, text).unwrap_or_default() {
        let path = match paths.iter().position(|path| path.last() == Some(&from)) {
            Some(begun) => &mut paths[begun],
            None => paths.push_mut(vec![from]),
        };
        path.extend(legs.iter().filter_map(|leg| match *leg {
            Leg::To { point, .. } => Some(point),
            Leg::By(_) => None,
        }));
    }
    paths
}

/// Parses the remaining paths; none are a pass. Unreadable text is reported before readable text
/// that names no place of the board or too many men.
fn parse_paths<N: PlaceNames>(
    names: N,
    mut reader: TextCursor,
    cross: CrossMeaning,
) -> Result<Vec<WrittenPath<N::Place>>, MoveError> {
    let passes = reader.whole_word("pass") || reader.word("--");
    if passes && reader.is_done() {
        return Ok(Vec::new());
    }
    if passes {
        return Err(reader.expected("nothing more"));
    }
    let mut parser = PathParser { names, cross, wrong: None };
    let mut paths = Vec::new();
    loop {
        let (path, times) = parser.repeated_path(&mut reader)?;
        paths.extend(std::iter::repeat_n(path, times));
        if reader.is_done() {
            break;
        }
        if !reader.separator() {
            return Err(reader.expected("a comma, or - and a point"));
        }
    }
    parser.wrong.map_or(Ok(paths), |wrong| Err(MoveError::Illegal(wrong)))
}

/// A parser of paths that remembers the first invalid place or number.
struct PathParser<N> {
    names: N,
    cross: CrossMeaning,
    /// The first error in readable text.
    wrong: Option<String>,
}

impl<N: PlaceNames> PathParser<N> {
    /// Parses a path and its repeat count: `24-18`, `2x13-11`, `13/11(2)`.
    fn repeated_path(
        &mut self,
        reader: &mut TextCursor,
    ) -> Result<(WrittenPath<N::Place>, usize), MoveError> {
        let mut times = None;
        let mut ahead = reader.clone();
        if let Some(number) = ahead.number() {
            if self.cross == CrossMeaning::Repeats && ahead.cross() {
                times = Some(number);
                *reader = ahead;
            } else if !N::ARE_NUMBERS {
                return Err(ahead.expected(N::REPEATED));
            }
        }
        let path = self.path(reader)?;
        if times.is_none() && reader.word("(") {
            times = Some(reader.number().ok_or_else(|| reader.expected(N::TIMES))?);
            if !reader.word(")") {
                return Err(reader.expected("a closing bracket"));
            }
        }
        Ok((path, self.men(times)))
    }

    /// Checks a repeat count.
    fn men(&mut self, times: Option<u32>) -> usize {
        match times {
            None => 1,
            Some(0) => {
                self.is_wrong("steps are repeated up to 4 times, but not 0 times: leave them out");
                1
            }
            Some(times @ 1..=MOST_MEN) => times as usize,
            Some(times) => {
                self.is_wrong(&format!(
                    "{times} men cannot move in one turn: steps are repeated up to 4 times"
                ));
                1
            }
        }
    }

    fn is_wrong(&mut self, why: &str) {
        self.wrong.get_or_insert_with(|| why.to_owned());
    }

    fn path(&mut self, reader: &mut TextCursor) -> Result<WrittenPath<N::Place>, MoveError> {
        let from = self.place(reader, None, N::START)?;
        if reader.word(":") {
            let die = reader.number().ok_or_else(|| reader.expected(N::DIE))?;
            let legs = vec![Leg::By(u8::try_from(die).unwrap_or(u8::MAX))];
            return Ok(WrittenPath { from, legs, is_marked: false });
        }
        let is_alone = self.names.may_stand_alone(from);
        if is_alone && reader.word("*") {
            return Ok(WrittenPath { from, legs: Vec::new(), is_marked: true });
        }
        let (mut legs, mut last) = (Vec::new(), from);
        loop {
            let crosses = reader.cross();
            if !crosses && !reader.connector() {
                break;
            }
            let point = self.place(reader, Some(last), N::TARGET)?;
            legs.push(Leg::To { point, takes: reader.hit_mark() || crosses });
            last = point;
        }
        if legs.is_empty() && !is_alone {
            return Err(reader.expected("- and a point, or : and a die"));
        }
        Ok(WrittenPath { from, legs, is_marked: false })
    }

    /// Parses a place; an invalid place is remembered and replaced.
    fn place(
        &mut self,
        reader: &mut TextCursor,
        from: Option<N::Place>,
        expected: &'static str,
    ) -> Result<N::Place, MoveError> {
        let place = self.names.place(reader, from).ok_or_else(|| reader.expected(expected))?;
        Ok(place.unwrap_or_else(|why| {
            self.is_wrong(&why);
            N::SOMEWHERE
        }))
    }
}
