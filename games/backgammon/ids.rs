//! Position and match IDs of GNU Backgammon, and XGIDs of eXtreme Gammon.
//!
//! The IDs are specified in GNU Backgammon's manual; version 1.07 adds a 67th bit to the match ID,
//! which is 1 if the Jacoby rule is off. Its player 0, the left column of a `.mat` file, is seat 0;
//! its player 1 is at the bottom of an XGID's board.

use crate::kit::Seat;

/// The places of a side's men: points 1 to 24 and the bar.
pub(super) const PLACES: usize = 25;

/// The number of men of a side.
pub(super) const MEN: u8 = 15;

/// A position with the facts that these IDs hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct IdPosition {
    /// Each seat's men by pips to go, from 1; the bar is last.
    pub(super) men: [[u8; PLACES]; 2],
    /// The side on roll.
    pub(super) on_roll: Seat,
    pub(super) stage: IdStage,
    pub(super) cube: u32,
    pub(super) owner: Option<Seat>,
    /// The match length; 0 for money.
    pub(super) length: u32,
    pub(super) score: [u32; 2],
    pub(super) crawford: bool,
    pub(super) jacoby: bool,
    /// Whether beavers are allowed. A match ID does not say.
    pub(super) beavers: bool,
    /// The side that offers to resign, and the kind of win. An XGID does not say.
    pub(super) resigns: Option<(Seat, u8)>,
}

/// What the position waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IdStage {
    /// The opening roll.
    Opening,
    /// A roll or a double of the side on roll.
    Ready,
    /// A play of these dice by the side on roll.
    Dice(u8, u8),
    /// An answer to a double of the side on roll. The cube shows the old value.
    Doubled,
    /// An answer to a beaver against the double of the side on roll. The cube shows the value of
    /// the first double and belongs to the other side.
    Beavered,
    /// Nothing: the game ended by bearing off.
    Over,
    /// Nothing: the game was resigned.
    GivenUp,
    /// Nothing: a double was dropped.
    Dropped,
}

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// A stream of bits, lowest bit of the first byte first.
#[derive(Default)]
struct BitStream {
    bytes: Vec<u8>,
    at: usize,
}

impl BitStream {
    fn push(&mut self, value: u32, width: usize) {
        for bit in 0..width {
            if self.at.is_multiple_of(8) {
                self.bytes.push(0);
            }
            let last = self.bytes.last_mut().expect("a byte was pushed for this bit");
            *last |= u8::from(value >> bit & 1 == 1) << (self.at % 8);
            self.at += 1;
        }
    }

    /// Reads a number of `width` bits; beyond the end it reads zeros.
    fn pull(&mut self, width: usize) -> u32 {
        let from = self.at;
        self.at += width;
        let set = |at: usize| self.bytes.get(at / 8).is_some_and(|byte| byte >> (at % 8) & 1 == 1);
        (0..width).filter(|bit| set(from + bit)).map(|bit| 1 << bit).sum()
    }

    /// Encodes the bits in base 64 without padding.
    fn to_text(&self) -> String {
        let digits = |three: &[u8]| {
            let all = three
                .iter()
                .zip([16, 8, 0])
                .map(|(&byte, shift)| u32::from(byte) << shift)
                .sum::<u32>();
            let digit = move |shift: u32| DIGITS[(all >> shift & 63) as usize] as char;
            [18, 12, 6, 0].map(digit).into_iter().take(three.len() + 1)
        };
        self.bytes.chunks(3).flat_map(digits).collect()
    }

    fn from_text(text: &str) -> Option<Self> {
        let digit = |c: u8| DIGITS.iter().position(|&digit| digit == c);
        let mut six = Self::default();
        // In a group of four digits the first is the highest: the bits are collected most
        // significant first and each byte is reversed.
        let bits: Vec<bool> = text
            .bytes()
            .map(digit)
            .collect::<Option<Vec<usize>>>()?
            .into_iter()
            .flat_map(|digit| (0..6).rev().map(move |bit| digit >> bit & 1 == 1))
            .collect();
        for byte in bits.chunks_exact(8) {
            byte.iter().rev().for_each(|&bit| six.push(u32::from(bit), 1));
        }
        Some(Self { at: 0, ..six })
    }
}

impl IdPosition {
    /// Returns the side that has a decision.
    fn turn(&self) -> Seat {
        match (self.resigns, self.stage) {
            (_, IdStage::GivenUp) => self.on_roll,
            (Some((seat, _)), _) => seat.other(),
            (None, IdStage::Doubled | IdStage::Dropped) => self.on_roll.other(),
            _ => self.on_roll,
        }
    }

    /// Returns GNU Backgammon's position ID, which begins with the side not on roll.
    pub(super) fn position_id(&self) -> String {
        let mut bits = BitStream::default();
        for seat in [self.on_roll.other(), self.on_roll] {
            for &men in &self.men[seat.index()] {
                (0..men).for_each(|_| bits.push(1, 1));
                bits.push(0, 1);
            }
        }
        bits.push(0, 80 - bits.at);
        bits.to_text()
    }

    /// Returns GNU Backgammon's match ID.
    pub(super) fn match_id(&self) -> String {
        let mut bits = BitStream::default();
        let player = |seat: Seat| u32::from(seat.0);
        bits.push(self.cube.trailing_zeros(), 4);
        bits.push(self.owner.map_or(3, player), 2);
        bits.push(player(self.on_roll), 1);
        bits.push(u32::from(self.crawford), 1);
        let state = match self.stage {
            IdStage::Opening => 0,
            IdStage::Over => 2,
            IdStage::GivenUp => 3,
            IdStage::Dropped => 4,
            _ => 1,
        };
        bits.push(state, 3);
        bits.push(player(self.turn()), 1);
        bits.push(u32::from(matches!(self.stage, IdStage::Doubled | IdStage::Beavered)), 1);
        bits.push(self.resigns.map_or(0, |(_, stake)| u32::from(stake)), 2);
        let (a, b) = if let IdStage::Dice(a, b) = self.stage { (a, b) } else { (0, 0) };
        bits.push(a.into(), 3);
        bits.push(b.into(), 3);
        bits.push(self.length, 15);
        self.score.into_iter().for_each(|score| bits.push(score, 15));
        bits.push(u32::from(self.length > 0 || !self.jacoby), 1);
        bits.push(0, 72 - bits.at);
        bits.to_text()
    }

    /// Returns the XGID, with seat 1 at the bottom.
    pub(super) fn xgid(&self) -> String {
        let [top, bottom] = &self.men;
        let letter = |point: usize| -> char {
            // The top player counts points from the other end, and their bar comes first.
            let above = top[24 - point.min(24)];
            match (point, if point == 25 { 0 } else { above }, bottom.get(point.wrapping_sub(1))) {
                (_, 0, None | Some(0)) => '-',
                (_, 0, Some(&men)) => char::from(b'A' - 1 + men),
                (_, men, _) => char::from(b'a' - 1 + men),
            }
        };
        let side = |seat: Seat| if seat == Seat(1) { 1 } else { -1 };
        let dice = match self.stage {
            IdStage::Dice(a, b) => format!("{a}{b}"),
            IdStage::Doubled => "D".into(),
            IdStage::Beavered => "B".into(),
            _ => "00".into(),
        };
        let rule = match self.length {
            0 => u8::from(self.jacoby) + 2 * u8::from(self.beavers),
            _ => u8::from(self.crawford),
        };
        let cube = self.cube.trailing_zeros();
        let board: String = (0..=25).map(letter).collect();
        let [above, below] = self.score;
        format!(
            "XGID={board}:{cube}:{owner}:{turn}:{dice}:{below}:{above}:{rule}:{length}:{most}",
            owner = self.owner.map_or(0, side),
            turn = side(self.on_roll),
            length = self.length,
            most = cube.max(10),
        )
    }

    /// Parses a position ID and a match ID.
    ///
    /// # Errors
    /// What is wrong with them.
    pub(super) fn of_ids(position: &str, game: &str) -> Result<Self, String> {
        let mut bits =
            Some(game).filter(|game| game.len() == 12).and_then(BitStream::from_text).ok_or_else(
                || format!("`{game}` is not a match ID, which has 12 letters and digits"),
            )?;
        let cube = 1 << bits.pull(4);
        let owner = match bits.pull(2) {
            3 => None,
            player => Some(seat(player)?),
        };
        let on_roll = seat(bits.pull(1))?;
        let crawford = bits.pull(1) == 1;
        let state = bits.pull(3);
        let turn = seat(bits.pull(1))?;
        let doubled = bits.pull(1) == 1;
        let resigned = bits.pull(2);
        let (a, b) = (bits.pull(3), bits.pull(3));
        let length = bits.pull(15);
        let score = [bits.pull(15), bits.pull(15)];
        let jacoby = bits.pull(1) == 0 && length == 0;
        let die = |die: u32| u8::try_from(die).expect("three bits are a small number");
        let stage = match (state, doubled, a, b) {
            (0, ..) => IdStage::Opening,
            (1, true, ..) if owner == Some(on_roll.other()) && turn == on_roll => IdStage::Beavered,
            (1, true, ..) => IdStage::Doubled,
            (1, false, 0, 0) => IdStage::Ready,
            (1, false, 1..=6, 1..=6) => IdStage::Dice(die(a), die(b)),
            (1, ..) => return Err(format!("the match ID `{game}` has dice {a}{b}")),
            _ => return Err(format!("the game of the match ID `{game}` is over")),
        };
        let resigns = (resigned > 0).then(|| (turn.other(), die(resigned)));
        Ok(Self {
            men: men_of(position, on_roll)?,
            on_roll,
            stage,
            cube,
            owner,
            length,
            score,
            crawford,
            jacoby,
            beavers: false,
            resigns,
        })
    }

    /// Returns whether a text looks like a position ID.
    pub(super) fn is_position_id(text: &str) -> bool {
        text.len() == 14 && text.bytes().all(|byte| DIGITS.contains(&byte))
    }

    /// Parses a position ID without a match ID: seat 1, at the bottom, is on roll.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn of_position_id(text: &str, length: u32) -> Result<Self, String> {
        Ok(Self {
            men: men_of(text, Seat(1))?,
            on_roll: Seat(1),
            stage: IdStage::Ready,
            cube: 1,
            owner: None,
            length,
            score: [0, 0],
            crawford: false,
            jacoby: false,
            beavers: false,
            resigns: None,
        })
    }

    /// Parses an XGID without the `XGID=`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn of_xgid(text: &str) -> Result<Self, String> {
        let wrong = |what: &str| format!("in the XGID {what}");
        let fields: Vec<&str> = text.split(':').collect();
        let [board, cube, owner, turn, dice, below, above, rule, length, ..] = fields[..] else {
            return Err(wrong("there must be nine fields at least, with `:` between"));
        };
        let men = men_of_xgid(board).map_err(|what| wrong(&what))?;
        let number = |text: &str, what: &str| {
            text.parse::<u32>().map_err(|_| wrong(&format!("{what} is not a number: `{text}`")))
        };
        let side = |text: &str, what: &str| match text {
            "1" => Ok(Some(Seat(1))),
            "-1" => Ok(Some(Seat(0))),
            "0" => Ok(None),
            _ => Err(wrong(&format!("{what} must be 1, -1 or 0, not `{text}`"))),
        };
        let on_roll = side(turn, "the turn")?.ok_or_else(|| wrong("the turn must be 1 or -1"))?;
        let stage = match dice.as_bytes() {
            b"00" | b"0" => IdStage::Ready,
            b"D" => IdStage::Doubled,
            b"B" => IdStage::Beavered,
            [a @ b'1'..=b'6', b @ b'1'..=b'6'] => IdStage::Dice(a - b'0', b - b'0'),
            _ => return Err(wrong(&format!("the dice must be such as 52, 00 or D, not `{dice}`"))),
        };
        let power = Some(number(cube, "the cube")?)
            .filter(|&power| power < 16)
            .ok_or_else(|| wrong("the cube is too high"))?;
        let (rule, length) = (number(rule, "the rule")?, number(length, "the length")?);
        Ok(Self {
            men,
            on_roll,
            stage,
            cube: 1 << power,
            owner: side(owner, "the cube's owner")?,
            length,
            score: [number(above, "the score")?, number(below, "the score")?],
            crawford: length > 0 && rule == 1,
            jacoby: length == 0 && rule & 1 == 1,
            beavers: length == 0 && rule & 2 == 2,
            resigns: None,
        })
    }
}

fn seat(player: u32) -> Result<Seat, String> {
    match player {
        0 => Ok(Seat(0)),
        1 => Ok(Seat(1)),
        _ => Err("the match ID names a player that there is not".into()),
    }
}

/// Parses the board of an XGID.
fn men_of_xgid(board: &str) -> Result<[[u8; PLACES]; 2], String> {
    if board.len() != 26 || !board.is_ascii() {
        return Err("the board must have 26 characters".into());
    }
    let mut men = [[0; PLACES]; 2];
    for (point, letter) in board.bytes().enumerate() {
        let (seat, place, count) = match letter {
            b'-' => continue,
            b'A'..=b'O' if point > 0 => (1, point - 1, letter - b'A' + 1),
            b'a'..=b'o' if point < 25 => (0, 24 - point, letter - b'a' + 1),
            _ => return Err(format!("`{}` cannot stand there", letter as char)),
        };
        men[seat][place] = count;
    }
    Ok(men)
}

/// Parses the board of a position ID.
fn men_of(text: &str, on_roll: Seat) -> Result<[[u8; PLACES]; 2], String> {
    let wrong = || format!("`{text}` is not a position ID, which has 14 letters and digits");
    let mut bits = Some(text)
        .filter(|text| text.len() == 14)
        .and_then(BitStream::from_text)
        .ok_or_else(wrong)?;
    let mut men = [[0; PLACES]; 2];
    for seat in [on_roll.other(), on_roll] {
        for place in &mut men[seat.index()] {
            while bits.pull(1) == 1 {
                *place += 1;
            }
        }
        if men[seat.index()].iter().sum::<u8>() > MEN {
            return Err(format!("in the position ID `{text}` a side has more than {MEN} men"));
        }
    }
    Ok(men)
}

#[cfg(test)]
mod tests;
