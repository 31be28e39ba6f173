//! Matches in `.mat` files, the format of Jellyfish and GNU Backgammon.
//!
//! ```text
//!  3 point match
//!
//!  Game 1
//!  alice : 0                      bob : 0
//!   1) 31: 8/5 6/5                 52: 13/8 13/11
//!   2)  Doubles => 2                Drops
//!       Wins 1 point
//! ```
//!
//! The left column is seat 0. Each side counts its own points down: 25 is the bar, 0 is off, `*`
//! marks a hit. A roll without steps cannot be played. The format has no resignations: a game may
//! end with men on the board and the points won. A money game is a `0 point match`.

mod parse;
mod read;

pub(super) use read::read;

use super::{BackgammonMove, CubePosition, CubeRace, GameStage};
use crate::kit::{Entry, Game, POSITION, ReplayError, Roll, Seat, Transcript, apply_entry};
use std::fmt::Write;

/// The column of the right cell of a line, counted from 0.
const RIGHT: usize = 33;

/// The column of the left cell.
const LEFT: usize = 5;

/// Cells from this column on belong to the right side.
const MIDDLE: usize = 18;

/// Writes a record as a `.mat` file.
pub(super) fn write<R: CubeRace>(transcript: &Transcript) -> Result<String, String> {
    if transcript.options.has(POSITION) {
        return Err("a .mat file begins at the start of a game, and this game did not".into());
    }
    let mut position = CubePosition::<R>::setup(&transcript.options);
    let mut sheet = MatWriter::default();
    sheet.line(&format!(" {} point match", position.terms.length));
    sheet.game(&position, &transcript.players);
    for (index, entry) in transcript.record.iter().enumerate() {
        let before = position.clone();
        if position.stage == GameStage::Opening && position.stakes.game > sheet.games {
            sheet.game(&position, &transcript.players);
        }
        apply_entry(&mut position, entry)
            .map_err(|error| ReplayError { index, error }.to_string())?;
        match entry {
            // The file has only the roll that is played.
            Entry::Rolled(_) if position.stage == GameStage::First => {}
            Entry::Laid(_) => unreachable!("no stones were asked for"),
            Entry::Rolled(roll) => sheet.rolled = Some((position.turn, dice(*roll, &before))),
            Entry::Moved { seat, .. } => {
                let (roll, cell) = (sheet.rolled.take(), cell(&before, entry));
                match (roll, cell) {
                    (Some((_, dice)), Some(steps)) if before.roll_to_play().is_some() => {
                        sheet.cell(*seat, &format!("{dice}{steps}"));
                    }
                    (roll, Some(word)) => {
                        sheet.rolled = roll;
                        sheet.cell(*seat, &word);
                    }
                    (roll, None) => sheet.rolled = roll,
                }
            }
            Entry::Resigned { .. } => {}
        }
        let ended = matches!(position.stage, GameStage::Opening | GameStage::Over(..));
        if let (true, false, Some((by, points))) =
            (ended, matches!(entry, Entry::Rolled(_)), position.stakes.last)
        {
            // A roll that was not played is written like a roll without a legal play.
            if let Some((seat, dice)) = sheet.rolled.take() {
                sheet.cell(seat, &dice);
            }
            let over = position.terms.is_match() && position.stage != GameStage::Opening;
            sheet.wins(by, points, over);
        }
    }
    if let Some((seat, dice)) = sheet.rolled.take() {
        sheet.cell(seat, &dice);
    }
    Ok(sheet.finished())
}

/// Writes a roll. An opening roll is written larger die first: its order shows who begins, and so
/// does the column.
fn dice<R: CubeRace>(roll: Roll, before: &CubePosition<R>) -> String {
    let roll = if before.stage == GameStage::Opening { roll.higher_first() } else { roll };
    format!("{roll}:")
}

/// Writes a move without its dice.
fn cell<R: CubeRace>(before: &CubePosition<R>, entry: &Entry) -> Option<String> {
    let Entry::Moved { text, .. } = entry else { return None };
    let cube = before.stakes.cube;
    Some(match before.read_recorded(text).ok()? {
        BackgammonMove::Play(play) => play.steps().iter().fold(String::new(), |mut cell, step| {
            let star = if step.hits { "*" } else { "" };
            write!(cell, " {}/{}{star}", step.from, step.to).expect("a string takes all text");
            cell
        }),
        BackgammonMove::Double => format!(" Doubles => {}", cube * 2),
        BackgammonMove::Take => " Takes".into(),
        BackgammonMove::Drop => " Drops".into(),
        BackgammonMove::Beaver => format!(" Beavers => {}", cube * 4),
        BackgammonMove::Accept | BackgammonMove::Reject => return None,
    })
}

/// A writer of `.mat` files.
#[derive(Default)]
struct MatWriter {
    text: String,
    /// The current line.
    open: String,
    /// Whether the right column of the current line is free.
    right_is_free: bool,
    turns: u32,
    games: u32,
    /// The roll that is not yet played, and its side.
    rolled: Option<(Seat, String)>,
}

impl MatWriter {
    fn line(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    fn close(&mut self) {
        let open = std::mem::take(&mut self.open);
        self.right_is_free = false;
        if !open.is_empty() {
            self.line(&open);
        }
    }

    fn finished(mut self) -> String {
        self.close();
        self.text
    }

    fn game<R: CubeRace>(&mut self, position: &CubePosition<R>, players: &[String; 2]) {
        self.close();
        (self.turns, self.games) = (0, position.stakes.game);
        let [a, b] = players;
        let [left, right] = position.stakes.score;
        self.line("");
        self.line(&format!(" Game {}", self.games));
        self.line(&format!("{:<31} {b} : {right}", format!(" {a} : {left}")));
    }

    /// Writes a cell into the right column and ends the line.
    fn in_right(&mut self, cell: &str) {
        // A long left cell pushes the right cell further right.
        let width = RIGHT.max(self.open.len() + 1);
        self.open = format!("{:<width$}{cell}", self.open);
        self.close();
    }

    fn cell(&mut self, seat: Seat, cell: &str) {
        if seat == Seat(0) || !self.right_is_free {
            self.close();
            self.turns += 1;
            self.open = format!("{:3}) ", self.turns);
        }
        if seat == Seat(0) {
            self.open.push_str(cell);
            self.right_is_free = true;
        } else {
            self.in_right(cell);
        }
    }

    fn wins(&mut self, by: Seat, points: u32, over: bool) {
        let s = if points == 1 { "" } else { "s" };
        let end = if over { " and the match" } else { "" };
        let wins = format!(" Wins {points} point{s}{end}");
        if by == Seat(1) && self.right_is_free {
            self.in_right(&wins);
            return;
        }
        self.close();
        let column = if by == Seat(0) { LEFT } else { RIGHT };
        self.line(&format!("{:column$}{wins}", ""));
    }
}
