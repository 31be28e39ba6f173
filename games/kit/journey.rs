//! The ways of men from place to place, in all spellings, given how a board's places are named.

use super::text::{TextCursor, meant, one_of};
use super::{MoveError, Roll};
use std::fmt::{Debug, Display};

/// The most men that one item can name: a double is played four times.
const MOST_MEN: u32 = 4;

/// How the places of a board are named, where men go from one to another.
pub(crate) trait PlaceNames: Copy {
    /// A place.
    type Place: Copy + Debug + PartialEq;

    /// Any place of a board, taken for one that it has not.
    const SOMEWHERE: Self::Place;

    /// The start of a way: "a point such as c3".
    const START: &'static str;
    /// Its target: "a point such as c3 to go to".
    const TARGET: &'static str;
    /// The word after a colon: "the number of a die, as in c3:2".
    const DIE: &'static str;
    /// The word in brackets: "a number, as in 13/11(2)".
    const TIMES: &'static str;
    /// The words after a number in front: "an x and a point, as in 3xc3-c6".
    const REPEATED: &'static str;
    /// Whether the names of places begin with a digit, so that `2x13` has two meanings.
    const ARE_NUMBERS: bool;

    /// Reads the place that comes next, where a way begins or behind the place it comes `from`.
    /// Nothing if none comes; an error, in words, if there is no such place.
    fn place(
        self,
        reader: &mut TextCursor,
        from: Option<Self::Place>,
    ) -> Option<Result<Self::Place, String>>;

    /// Whether that place alone is a way: a man enters on it, or leaves the board from it.
    fn may_stand_alone(self, _place: Self::Place) -> bool {
        false
    }
}

/// Where one man goes, as it is written: `24-18-13`, `8:3`, `c3xc6`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Journey<P> {
    pub(crate) from: P,
    /// None where the place is written alone.
    pub(crate) legs: Vec<Leg<P>>,
    /// Whether a place that is written alone has a mark: a man is taken on it.
    pub(crate) is_marked: bool,
}

/// A part of a journey.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leg<P> {
    /// To a place, by any route; where that is written, a man must be taken on it.
    To {
        /// The place.
        point: P,
        /// Whether a man is taken.
        takes: bool,
    },
    /// By one die.
    By(u8),
}

/// The meaning of an `x` behind a number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CrossMeaning {
    /// So many men go.
    Repeats,
    /// A man goes from the point of that number and takes another.
    Takes,
}

/// The one move that words mean by the journeys that they spell; no journeys are a pass.
///
/// # Errors
/// The words spell none, or what they spell is none of the moves that there are, or several.
pub(crate) fn read<N: PlaceNames, M: PartialEq + Display>(
    names: N,
    text: &str,
    roll: Option<Roll>,
    find: impl Fn(Vec<Journey<N::Place>>) -> Result<M, MoveError>,
) -> Result<M, MoveError> {
    meant(text, roll, |reader| {
        let mut crosses = vec![CrossMeaning::Repeats];
        if N::ARE_NUMBERS && text.contains(['x', 'X', '\u{d7}']) {
            crosses.push(CrossMeaning::Takes);
        }
        let found = |cross| journeys(names, reader.clone(), cross).and_then(&find);
        one_of(crosses.into_iter().map(found).collect())
    })
}

/// Whether words spell journeys, or a pass.
pub(crate) fn are_spelled<N: PlaceNames>(names: N, text: &str, roll: Option<Roll>) -> bool {
    let nothing = |_| Err::<String, _>(MoveError::NothingToMove);
    !matches!(read(names, text, roll, nothing), Err(MoveError::Unreadable { .. }))
}

/// The journeys that a record wrote, in the first meaning that words have.
///
/// # Errors
/// The words spell none.
pub(crate) fn recalled<N: PlaceNames>(
    names: N,
    text: &str,
) -> Result<Vec<Journey<N::Place>>, MoveError> {
    journeys(names, TextCursor::new(text), CrossMeaning::Repeats)
}

/// The way of each man, from place to place, that a record wrote; nobody's if it wrote no journeys.
/// A man that goes on where one has come to is taken for the same.
pub(crate) fn ways<N: PlaceNames>(names: N, text: &str) -> Vec<Vec<N::Place>> {
    let mut ways: Vec<Vec<N::Place>> = Vec::new();
    for Journey { from, legs, .. } in recalled(names, text).unwrap_or_default() {
        let way = match ways.iter().position(|way| way.last() == Some(&from)) {
            Some(begun) => &mut ways[begun],
            None => ways.push_mut(vec![from]),
        };
        way.extend(legs.iter().filter_map(|leg| match *leg {
            Leg::To { point, .. } => Some(point),
            Leg::By(_) => None,
        }));
    }
    ways
}

/// The journeys that come next; none are a pass. Words that cannot be read are told before those
/// that can be read, but name no place or too many men.
fn journeys<N: PlaceNames>(
    names: N,
    mut reader: TextCursor,
    cross: CrossMeaning,
) -> Result<Vec<Journey<N::Place>>, MoveError> {
    let passes = reader.whole_word("pass") || reader.word("--");
    if passes && reader.is_done() {
        return Ok(Vec::new());
    }
    if passes {
        return Err(reader.expected("nothing more"));
    }
    let mut ways = JourneyParser { names, cross, wrong: None };
    let mut journeys = Vec::new();
    loop {
        let (journey, times) = ways.item(&mut reader)?;
        journeys.extend(std::iter::repeat_n(journey, times));
        if reader.is_done() {
            break;
        }
        if !reader.parts() {
            return Err(reader.expected("a comma, or - and a point"));
        }
    }
    ways.wrong.map_or(Ok(journeys), |wrong| Err(MoveError::Illegal(wrong)))
}

/// Ways on their way from words to journeys.
struct JourneyParser<N> {
    names: N,
    cross: CrossMeaning,
    /// Words that can be read, but are wrong on any board.
    wrong: Option<String>,
}

impl<N: PlaceNames> JourneyParser<N> {
    /// One way and how many men go it: `24-18`, `2x13-11`, `13/11(2)`.
    fn item(&mut self, reader: &mut TextCursor) -> Result<(Journey<N::Place>, usize), MoveError> {
        let mut times = None;
        let mut ahead = reader.clone();
        if let Some(number) = ahead.number() {
            if self.cross == CrossMeaning::Repeats && ahead.crosses() {
                times = Some(number);
                *reader = ahead;
            } else if !N::ARE_NUMBERS {
                return Err(ahead.expected(N::REPEATED));
            }
        }
        let journey = self.journey(reader)?;
        if times.is_none() && reader.word("(") {
            times = Some(reader.number().ok_or_else(|| reader.expected(N::TIMES))?);
            if !reader.word(")") {
                return Err(reader.expected("a closing bracket"));
            }
        }
        Ok((journey, self.men(times)))
    }

    /// How many men will go a way, of those that a text asks for.
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

    fn journey(&mut self, reader: &mut TextCursor) -> Result<Journey<N::Place>, MoveError> {
        let from = self.place(reader, None, N::START)?;
        if reader.word(":") {
            let die = reader.number().ok_or_else(|| reader.expected(N::DIE))?;
            let legs = vec![Leg::By(u8::try_from(die).unwrap_or(u8::MAX))];
            return Ok(Journey { from, legs, is_marked: false });
        }
        let is_alone = self.names.may_stand_alone(from);
        if is_alone && reader.word("*") {
            return Ok(Journey { from, legs: Vec::new(), is_marked: true });
        }
        let (mut legs, mut last) = (Vec::new(), from);
        loop {
            let crosses = reader.crosses();
            if !crosses && !reader.leads() {
                break;
            }
            let point = self.place(reader, Some(last), N::TARGET)?;
            legs.push(Leg::To { point, takes: reader.is_marked() || crosses });
            last = point;
        }
        if legs.is_empty() && !is_alone {
            return Err(reader.expected("- and a point, or : and a die"));
        }
        Ok(Journey { from, legs, is_marked: false })
    }

    /// The place that comes next; any if it is a wrong one.
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
