//! A position as one line of text, `O 31 24=OO 13=OOOOO off=OX`, and as piles to draw.

use super::board::{BAR, Board, Men, OFF, POINTS, down};
use super::{Landing, Race, SIDES};
use crate::kit::{Corner, Pile, Points, Rim, Roll, Seat, Throw};

/// The seat to move and its roll, if any; `None` before the opening roll.
pub(crate) type SeatAndRoll = Option<(Seat, Option<Roll>)>;

/// Writes a board with the seat to move and its dice.
pub(crate) fn line<R: Race>(board: &Board, seat: Option<Seat>, roll: Option<Roll>) -> String {
    let side = seat.map_or("-", |seat| SIDES[seat.index()]);
    let dice = roll.map_or_else(|| "-".to_owned(), |roll| roll.higher_first().to_string());
    [side.to_owned(), dice].into_iter().chain(words::<R>(board)).collect::<Vec<_>>().join(" ")
}

/// Returns the occupied places in ascending order, bar and off last.
fn words<R: Race>(board: &Board) -> impl Iterator<Item = String> {
    let piles = piles::<R>(board);
    let letters = |seat: Seat, men: u8| SIDES[seat.index()].repeat(usize::from(men));
    let on_points = (1..).zip(piles.piles).filter_map(move |(number, pile)| {
        let holder = pile.holder?;
        let pinned = letters(holder.other(), u8::from(pile.pins));
        Some(format!("{number}={pinned}{}", letters(holder, pile.men)))
    });
    let beside = [("bar", BAR), ("off", OFF)].map(|(name, point)| {
        let men = Seat::BOTH.map(|seat| letters(seat, board.men_of(seat).on(point))).concat();
        (!men.is_empty()).then(|| format!("{name}={men}"))
    });
    on_points.chain(beside.into_iter().flatten())
}

/// Returns a board to draw, point 1 in the upper right corner and without dice. Games add the rest.
pub(crate) fn piles<R: Race>(board: &Board) -> Points {
    let mut piles = [Pile::default(); 24];
    for seat in Seat::BOTH {
        let (men, numbers) = (board.men_of(seat), R::NUMBERS[seat.index()]);
        for point in down(men.any() & POINTS) {
            let pile = &mut piles[usize::from(numbers.written(point)) - 1];
            if board.pinned[seat.index()] & 1 << point == 0 {
                (pile.holder, pile.men) = (Some(seat), men.on(point));
            } else {
                pile.pins = true;
            }
        }
    }
    let rim = match R::LANDING {
        // Plakoto's bar is always empty, but it is drawn.
        Landing::Hit | Landing::Pin => Rim::Bar(board.men.map(|men| men.on(BAR))),
        Landing::Block => Rim::Line,
    };
    let off = Seat::BOTH.map(|seat| board.off(seat));
    Points {
        piles,
        first: Corner::UpperRight,
        rim,
        off,
        men: off.map(|off| R::MEN - off),
        pips: board.men.map(Men::pips),
        upper: Seat(0),
        dice: None,
        cube: None,
        game_of: None,
        resigns: None,
    }
}

/// Reads side and dice from the start of a line.
///
/// # Errors
/// What is wrong with the first two words.
pub(crate) fn head(line: &str) -> Result<(SeatAndRoll, impl Iterator<Item = &str>), String> {
    let mut words = line.split_whitespace();
    let (side, dice) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let seat = self::side(side);
    if seat.is_none() && side != "-" {
        return Err(format!(
            "the first word must be the side to move, O or X, or `-` before the throw that decides \
             who begins, not `{side}`"
        ));
    }
    let roll = if dice == "-" { None } else { Some(self::dice(dice)?) };
    match (seat, roll) {
        (None, Some(_)) => Err(format!("the dice {dice} are to be played, but `-` names no side")),
        (seat, roll) => Ok((seat.map(|seat| (seat, roll)), words)),
    }
}

fn side(word: &str) -> Option<Seat> {
    Seat::BOTH.into_iter().find(|seat| word.eq_ignore_ascii_case(SIDES[seat.index()]))
}

fn dice(word: &str) -> Result<Roll, String> {
    let fits = |roll: &Roll| [1, 2].into_iter().any(|dice| roll.fits(Throw::new(dice, 6)));
    word.parse().ok().filter(fits).ok_or_else(|| {
        format!("the second word must be the dice, each from 1 to 6, or `-`, not `{word}`")
    })
}

/// Parses the places of a line and returns the board and the remaining words.
///
/// # Errors
/// What is wrong with a place or with the board.
pub(crate) fn place<'a, R: Race>(
    words: impl Iterator<Item = &'a str>,
) -> Result<(Board, Vec<&'a str>), String> {
    let mut board = Board::default();
    let mut unknown = Vec::new();
    let mut named = Vec::new();
    for word in words {
        let Some((name, stack)) = word.split_once('=') else {
            unknown.push(word);
            continue;
        };
        let Some(point) = named_place::<R>(name)? else {
            unknown.push(word);
            continue;
        };
        if named.contains(&point) {
            return Err(format!("{name} is named twice"));
        }
        named.push(point);
        let men = stack
            .chars()
            .map(|man| side(man.encode_utf8(&mut [0; 4])))
            .collect::<Option<Vec<Seat>>>()
            .filter(|men| !men.is_empty())
            .ok_or_else(|| format!("the stack of `{word}` must be letters O and X"))?;
        stand::<R>(&mut board, point, &men).map_err(|why| format!("in `{word}` {why}"))?;
    }
    for seat in Seat::BOTH {
        let (men, side) = (board.men_of(seat), SIDES[seat.index()]);
        if men.count() != u32::from(R::MEN) {
            return Err(format!(
                "{side} has {} men and not {}; those borne off stand in off={side}",
                men.count(),
                R::MEN
            ));
        }
        if let Some(rule) = R::forbids(&men, &board.men_of(seat.other())) {
            return Err(format!("{side}'s men cannot stand so: {rule}"));
        }
    }
    if board.men.iter().all(|men| men.are_off()) {
        return Err("both sides have borne off all men".into());
    }
    Ok((board, unknown))
}

/// Parses the name of a place; `None` if the word does not look like one.
fn named_place<R: Race>(name: &str) -> Result<Option<WrittenPlace>, String> {
    Ok(match name.to_ascii_lowercase().as_str() {
        "bar" if R::LANDING == Landing::Hit => Some(WrittenPlace::Beside(BAR)),
        "bar" => return Err("men do not come to the bar in this game".into()),
        "off" => Some(WrittenPlace::Beside(OFF)),
        number if number.bytes().all(|c| c.is_ascii_digit()) => match number.parse::<u8>() {
            Ok(number @ 1..=24) => Some(WrittenPlace::Point(number)),
            _ => return Err(format!("there is no point `{name}`")),
        },
        _ => None,
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WrittenPlace {
    /// A point by its written number.
    Point(u8),
    /// The bar or off, as an own point.
    Beside(u8),
}

/// Puts the men of one place on the board, the lowest first.
fn stand<R: Race>(board: &mut Board, place: WrittenPlace, men: &[Seat]) -> Result<(), String> {
    let own = |seat: Seat| match place {
        WrittenPlace::Point(number) => R::NUMBERS[seat.index()].own(number),
        WrittenPlace::Beside(point) => point,
    };
    for &seat in men {
        if board.men_of(seat).on(own(seat)) == R::MEN {
            return Err(format!("{} has more than {} men", SIDES[seat.index()], R::MEN));
        }
        board.men[seat.index()].add(own(seat));
    }
    let (lowest, holder) = (men[0], men[men.len() - 1]);
    if matches!(place, WrittenPlace::Beside(_)) || men.iter().all(|&man| man == holder) {
        return Ok(());
    }
    if R::LANDING != Landing::Pin {
        return Err("men of both sides stand on one point".into());
    }
    if men[1..].iter().any(|&man| man != holder) {
        return Err("more than the lowest man is pinned".into());
    }
    board.pinned[lowest.index()] |= 1 << own(lowest);
    Ok(())
}
