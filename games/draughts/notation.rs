//! A position as one line: the FEN of PDN, such as `W:W31,K40:B1,2`, and behind it the ballot, the last
//! move, and what the draws need.

use super::board::Board;
use super::{Ballot, DraughtsMove, Position, Rules, Square, Variant};
use crate::kit::tile::TileSet;
use crate::kit::{Choices, Game, Next, Seat, Transcript};
use std::marker::PhantomData;

/// The word for a ballot that is still to be drawn.
const UNDRAWN: &str = "undrawn";

const EXPECTED: &str = "a position is the side to move and the men of both sides, each with a colon before \
                        it and kings with a K";

/// Returns the letter of a side.
fn letter(rules: &Rules, seat: Seat) -> char {
    if seat == rules.black { 'B' } else { 'W' }
}

fn seat_of(rules: &Rules, letter: &str) -> Option<Seat> {
    match letter {
        "B" | "b" => Some(rules.black),
        "W" | "w" => Some(rules.black.other()),
        _ => None,
    }
}

/// Writes a board in FEN.
pub(super) fn fen(board: &Board) -> String {
    let rules = board.rules;
    let side = |seat: Seat| {
        let [men, kings] = [&board.men, &board.kings].map(|sets| sets[seat.index()]);
        let numbers = (1..=rules.squares()).filter_map(|number| {
            let square = rules.square(number)?;
            let sign = if square.is_in(kings) { "K" } else { "" };
            square.is_in(men | kings).then(|| format!("{sign}{number}"))
        });
        format!("{}{}", letter(rules, seat), numbers.collect::<Vec<_>>().join(","))
    };
    let [white, black] = [rules.black.other(), rules.black].map(side);
    format!("{}:{white}:{black}", letter(rules, board.turn))
}

/// Reads a board in FEN.
pub(super) fn read_fen(rules: &'static Rules, text: &str) -> Result<Board, String> {
    let text = text.trim().trim_end_matches('.');
    let mut parts = text.split(':');
    let turn = parts.next().and_then(|letter| seat_of(rules, letter)).ok_or(EXPECTED)?;
    let mut board = Board { rules, turn, men: [0; 2], kings: [0; 2] };
    let mut is_read = [false; 2];
    for part in parts {
        let (name, list) = part.split_at_checked(1).ok_or(EXPECTED)?;
        let seat = seat_of(rules, name).ok_or(EXPECTED)?;
        if std::mem::replace(&mut is_read[seat.index()], true) {
            return Err(EXPECTED.into());
        }
        for item in list.split(',').filter(|item| !item.is_empty()) {
            put_item(&mut board, seat, item)?;
        }
    }
    if is_read != [true; 2] {
        return Err(EXPECTED.into());
    }
    for seat in Seat::BOTH {
        let most = rules.men();
        if board.all(seat).count_ones() > most {
            return Err(format!("a side has at most {most} men"));
        }
        if board.men[seat.index()] & rules.last_row(seat) != 0 {
            return Err("a man on the last row is a king: write K before its number".into());
        }
    }
    Ok(board)
}

/// Puts the men of an item on a board: `12`, `K12`, `12-15`.
fn put_item(board: &mut Board, seat: Seat, item: &str) -> Result<(), String> {
    let (is_king, numbers) = match item.strip_prefix(['K', 'k']) {
        Some(rest) => (true, rest),
        None => (false, item),
    };
    let (first, last) = numbers.split_once('-').unwrap_or((numbers, numbers));
    let number =
        |text: &str| text.trim_start_matches(['K', 'k']).parse::<u8>().map_err(|_| EXPECTED);
    for number in number(first)?..=number(last)? {
        let square = board.rules.square(number);
        let bit = square.ok_or_else(|| format!("there is no square {number}"))?.bit();
        let all: TileSet = board.all(Seat(0)) | board.all(Seat(1));
        if bit & all != 0 {
            return Err(format!("there are two men on square {number}"));
        }
        let men = if is_king { &mut board.kings } else { &mut board.men };
        men[seat.index()] |= bit;
    }
    Ok(())
}

/// Checks that a game can begin from a position.
pub(crate) fn start_position<V: Variant>(text: &str) -> Result<(), String> {
    if text.contains(char::is_whitespace) {
        return Err(EXPECTED.into());
    }
    match place::<V>(&Choices::default(), text)?.next() {
        Next::Move(_) => Ok(()),
        _ => Err("the game is over in this position".into()),
    }
}

/// Writes the position at the end of a record.
pub(crate) fn write_fen<V: Variant>(transcript: &Transcript) -> Result<String, String> {
    let position: Position<V> = transcript.replay().map_err(|error| error.to_string())?;
    Ok(fen(&position.board) + "\n")
}

pub(super) fn write<V: Variant>(position: &Position<V>) -> String {
    let mut line = fen(&position.board);
    match position.ballot {
        Some(Ballot::Undrawn) => return UNDRAWN.into(),
        Some(Ballot::Drawn(number)) => line.extend([" ballot=", &number.to_string()]),
        None => {}
    }
    if !position.last.is_empty() {
        let path: Vec<String> = position.last.iter().map(ToString::to_string).collect();
        line.extend([" last=", &path.join("-")]);
    }
    if position.endings.iter().any(|count| *count > 0) {
        let counts: Vec<String> = position.endings.iter().map(ToString::to_string).collect();
        line.extend([" ending=", &counts.join(",")]);
    }
    if !position.past.is_empty() {
        line.extend([" past=", &position.past.to_string()]);
    }
    line
}

pub(super) fn place<V: Variant>(options: &Choices, line: &str) -> Result<Position<V>, String> {
    let mut words = line.split_ascii_whitespace();
    let first = words.next().unwrap_or_default();
    if first == UNDRAWN {
        let start = Position::setup(options);
        let is_whole = words.next().is_none() && start.is_undrawn();
        return Some(start).filter(|_| is_whole).ok_or_else(|| EXPECTED.into());
    }
    let board = read_fen(V::RULES, first)?;
    let mut position = Position { variant: PhantomData, ..Position::from_board(board) };
    for word in words {
        let (name, value) = word.split_once('=').ok_or(EXPECTED)?;
        match name {
            "ballot" => {
                let number: usize = value.parse().map_err(|_| EXPECTED)?;
                V::moves_of_ballot(number).ok_or(EXPECTED)?;
                position.ballot = Some(Ballot::Drawn(number));
            }
            "last" => position.last = read_last(&position, value).ok_or(EXPECTED)?,
            "ending" => {
                let counts: Option<Vec<u8>> =
                    value.split(',').map(|count| count.parse().ok()).collect();
                position.endings = counts.and_then(|it| it.try_into().ok()).ok_or(EXPECTED)?;
            }
            "past" => {
                position.past = value.parse().map_err(|_| EXPECTED)?;
                if !position.past.ends_with(board.hash()) {
                    return Err("the last of the earlier positions is not this position".into());
                }
            }
            _ => return Err(EXPECTED.into()),
        }
    }
    if position.has_possible_counts() { Ok(position) } else { Err(EXPECTED.into()) }
}

/// Reads the squares of the last move, which ends on a man of the side that is not to move.
fn read_last<V: Variant>(position: &Position<V>, value: &str) -> Option<Vec<u8>> {
    let m: DraughtsMove = super::reader::spell(V::RULES, value).ok()?;
    let squares: Vec<Square> =
        m.path.iter().map(|number| V::RULES.square(*number)).collect::<Option<_>>()?;
    let others = position.board.all(position.board.turn.other());
    let is_there = squares.last().is_some_and(|end| end.is_in(others));
    let text: Vec<String> = m.path.iter().map(ToString::to_string).collect();
    (is_there && text.join("-") == value).then_some(m.path)
}
