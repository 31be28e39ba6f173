//! How a letter that waits keeps what a game shows. The rules know no format of files: so their
//! values are told here in plain ones, and what is read back is checked before it is drawn.

use crate::reply::draw;
use crate::reply::letters::highlights::Highlights;
use games::{Corner, Corridor, Cube, Diagram, DiceOnTable, Grid, Match, Pile, Points, Rim, Roll};
use games::{SIZE, Seat, Wall};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt::Write as _;

/// A move as it is listed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "KeptMove", try_from = "KeptMove")]
pub struct ListedMove {
    /// Its number.
    pub number: usize,
    /// The user who made it.
    pub seat: Seat,
    /// With which dice.
    pub dice: Option<Roll>,
    /// The move, as its reader writes it.
    pub words: String,
}

/// A board to be drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "KeptPicture", try_from = "KeptPicture")]
pub struct Picture {
    /// The position.
    pub diagram: Diagram,
    /// The players, seat 0's first; nothing where nobody plays.
    pub names: Option<[String; 2]>,
    /// The marks.
    pub marked: Highlights,
}

impl Picture {
    /// The board drawn in letters.
    pub fn drawn(&self) -> String {
        let names = self.names.as_ref().map(|names| [&*names[0], &*names[1]]);
        draw::text(&self.diagram, names)
    }
}

/// The text that was read cannot have been kept by us.
#[derive(Debug, thiserror::Error)]
#[error("no move or board can have been kept so")]
pub(crate) struct KeptError;

/// A move as it is listed, in plain values.
#[derive(Serialize, Deserialize)]
pub(crate) struct KeptMove {
    number: usize,
    seat: u8,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    dice: Option<String>,
    words: String,
}

impl From<ListedMove> for KeptMove {
    fn from(of: ListedMove) -> Self {
        let ListedMove { number, seat, dice, words } = of;
        Self { number, seat: seat.0, dice: dice.map(|dice| dice.to_string()), words }
    }
}

impl TryFrom<KeptMove> for ListedMove {
    type Error = KeptError;

    fn try_from(kept: KeptMove) -> Result<Self, KeptError> {
        let KeptMove { number, seat, dice, words } = kept;
        let dice = dice.map(|dice| dice.parse()).transpose().map_err(|_| KeptError)?;
        Ok(Self { number, seat: seat_of(seat)?, dice, words })
    }
}

/// A board to be drawn, in plain values.
#[derive(Serialize, Deserialize)]
pub(crate) struct KeptPicture {
    diagram: KeptDiagram,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    names: Option<[String; 2]>,
    #[serde(default, skip_serializing_if = "Highlights::is_empty")]
    marked: Highlights,
}

impl From<Picture> for KeptPicture {
    fn from(of: Picture) -> Self {
        Self { diagram: KeptDiagram::new(&of.diagram), names: of.names, marked: of.marked }
    }
}

impl TryFrom<KeptPicture> for Picture {
    type Error = KeptError;

    fn try_from(kept: KeptPicture) -> Result<Self, KeptError> {
        Ok(Self { diagram: kept.diagram.diagram()?, names: kept.names, marked: kept.marked })
    }
}

/// Faces, what they show, and whether they are a double.
type KeptDice = (u8, Vec<u8>, bool);

/// A diagram in plain values.
#[derive(Serialize, Deserialize)]
enum KeptDiagram {
    Corridor(KeptCorridor),
    Points(KeptPoints),
    Grid(KeptGrid),
}

impl KeptDiagram {
    fn new(diagram: &Diagram) -> Self {
        match diagram {
            Diagram::Corridor(board) => Self::Corridor(KeptCorridor::new(board)),
            Diagram::Points(board) => Self::Points(KeptPoints::new(board)),
            Diagram::Grid(board) => Self::Grid(KeptGrid::new(board)),
        }
    }

    fn diagram(self) -> Result<Diagram, KeptError> {
        Ok(match self {
            Self::Corridor(kept) => Diagram::Corridor(kept.board()?),
            Self::Points(kept) => Diagram::Points(kept.board()?),
            Self::Grid(kept) => Diagram::Grid(kept.board()?),
        })
    }
}

#[derive(Serialize, Deserialize)]
struct KeptCorridor {
    size: u8,
    piles: String,
    walls: Vec<(u8, u8, u8)>,
    connection: [u32; 2],
    dice: Option<KeptDice>,
}

/// The most files of a corridor.
const WIDEST: u8 = 16;

impl KeptCorridor {
    fn new(board: &Corridor) -> Self {
        let wall = |wall: &Wall| (wall.after_file, wall.from_rank, wall.to_rank);
        Self {
            size: board.size,
            piles: keep_piles(&board.piles),
            walls: board.walls.iter().map(wall).collect(),
            connection: board.connection,
            dice: board.dice.as_ref().map(keep_dice),
        }
    }

    fn board(self) -> Result<Corridor, KeptError> {
        let Self { size, connection, .. } = self;
        let (piles, dice) = (piles_of(&self.piles)?, self.dice.map(dice_of).transpose()?);
        let wall = |(after_file, from_rank, to_rank)| {
            let is_on_board = (1..size).contains(&after_file)
                && 1 <= from_rank
                && (from_rank..=size).contains(&to_rank);
            is_on_board.then_some(Wall { after_file, from_rank, to_rank }).ok_or(KeptError)
        };
        let walls = self.walls.into_iter().map(wall).collect::<Result<_, _>>()?;
        let is_square = size <= WIDEST && piles.len() == usize::from(size).pow(2);
        is_square.then_some(Corridor { size, piles, walls, connection, dice }).ok_or(KeptError)
    }
}

#[derive(Serialize, Deserialize)]
struct KeptPoints {
    piles: String,
    first: usize,
    bar: Option<[u8; 2]>,
    off: [u8; 2],
    men: [u8; 2],
    pips: [u32; 2],
    upper: u8,
    dice: Option<(u8, KeptDice)>,
    cube: Option<(u32, Option<u8>, Option<u8>)>,
    #[serde(rename = "match")]
    game_of: Option<KeptMatch>,
    resigns: Option<(u8, u8)>,
}

/// The corners of a board, by their number in a letter.
const CORNERS: [Corner; 4] =
    [Corner::UpperRight, Corner::UpperLeft, Corner::LowerRight, Corner::LowerLeft];

impl KeptPoints {
    fn new(board: &Points) -> Self {
        let first = CORNERS.iter().position(|corner| *corner == board.first);
        let cube = |cube: Cube| (cube.value, cube.owner.map(number), cube.turned.map(number));
        Self {
            piles: keep_piles(&board.piles),
            first: first.expect("a board has four corners"),
            bar: match board.rim {
                Rim::Bar(men) => Some(men),
                Rim::Line => None,
            },
            off: board.off,
            men: board.men,
            pips: board.pips,
            upper: number(board.upper),
            dice: board.dice.as_ref().map(|(seat, dice)| (number(*seat), keep_dice(dice))),
            cube: board.cube.map(cube),
            game_of: board.game_of.map(KeptMatch::new),
            resigns: board.resigns.map(|(seat, stake)| (number(seat), stake)),
        }
    }

    fn board(self) -> Result<Points, KeptError> {
        let cube = |(value, owner, turned)| {
            let [owner, turned] =
                [owner, turned].map(|seat: Option<u8>| seat.map(seat_of).transpose());
            Ok(Cube { value, owner: owner?, turned: turned? })
        };
        let dice = |(seat, dice)| Ok((seat_of(seat)?, dice_of(dice)?));
        let resigns = |(seat, stake)| Ok((seat_of(seat)?, stake));
        Ok(Points {
            piles: piles_of(&self.piles)?.try_into().map_err(|_| KeptError)?,
            first: *CORNERS.get(self.first).ok_or(KeptError)?,
            rim: self.bar.map_or(Rim::Line, Rim::Bar),
            off: self.off,
            men: self.men,
            pips: self.pips,
            upper: seat_of(self.upper)?,
            dice: self.dice.map(dice).transpose()?,
            cube: self.cube.map(cube).transpose()?,
            game_of: self.game_of.map(KeptMatch::game_of).transpose()?,
            resigns: self.resigns.map(resigns).transpose()?,
        })
    }
}

#[derive(Serialize, Deserialize)]
struct KeptMatch {
    length: u32,
    score: [u32; 2],
    crawford: bool,
    game: u32,
    last: Option<(u8, u32)>,
}

impl KeptMatch {
    fn new(of: Match) -> Self {
        let Match { length, score, is_crawford: crawford, game, last } = of;
        let last = last.map(|(seat, points)| (number(seat), points));
        Self { length, score, crawford, game, last }
    }

    fn game_of(self) -> Result<Match, KeptError> {
        let Self { length, score, crawford: is_crawford, game, last } = self;
        let last = last.map(|(seat, points)| Ok((seat_of(seat)?, points))).transpose()?;
        Ok(Match { length, score, is_crawford, game, last })
    }
}

#[derive(Serialize, Deserialize)]
struct KeptGrid {
    rows: Vec<String>,
    last: Vec<String>,
    legal: Vec<String>,
    score: Option<([u32; 2], Cow<'static, str>)>,
    light: Option<u8>,
    notes: Vec<String>,
}

impl KeptGrid {
    fn new(board: &Grid) -> Self {
        Self {
            rows: board.rows.clone(),
            last: board.last.iter().map(ToString::to_string).collect(),
            legal: board.legal.iter().map(|square| square.to_string()).collect(),
            score: board.score.clone(),
            light: board.light.map(number),
            notes: board.notes.clone(),
        }
    }

    fn board(self) -> Result<Grid, KeptError> {
        let most = usize::from(SIZE);
        let fits = |row: &String| row.len() <= most && row.is_ascii();
        let is_board = self.rows.len() <= most && self.rows.iter().all(fits);
        let point = |text: String| text.parse().map_err(|_| KeptError);
        let board = Grid {
            rows: self.rows,
            last: self.last.into_iter().map(point).collect::<Result<_, _>>()?,
            legal: self.legal.into_iter().map(point).collect::<Result<_, _>>()?,
            score: self.score,
            light: self.light.map(seat_of).transpose()?,
            notes: self.notes,
        };
        is_board.then_some(board).ok_or(KeptError)
    }
}

fn number(seat: Seat) -> u8 {
    seat.0
}

fn seat_of(number: u8) -> Result<Seat, KeptError> {
    Seat::BOTH.get(usize::from(number)).copied().ok_or(KeptError)
}

/// A pile a word: `.` is an empty point, `02` two men of seat 0, `11+` one of seat 1 that pins one.
fn keep_piles(piles: &[Pile]) -> String {
    let mut words = String::with_capacity(4 * piles.len());
    for pile in piles {
        let pins = if pile.pins { "+" } else { "" };
        // A `String` takes all.
        let _ = match pile.holder {
            Some(Seat(seat)) => write!(words, "{seat}{}{pins} ", pile.men),
            None => write!(words, ". "),
        };
    }
    words
}

fn piles_of(words: &str) -> Result<Vec<Pile>, KeptError> {
    let pile = |word: &str| {
        if word == "." {
            return Ok(Pile::default());
        }
        let (seat, men) = word.split_at_checked(1).ok_or(KeptError)?;
        let number = |digits: &str| digits.parse::<u8>().map_err(|_| KeptError);
        let (holder, men) = (seat_of(number(seat)?)?, number(men.trim_end_matches('+'))?);
        let pile = Pile { holder: Some(holder), men, pins: word.ends_with('+') };
        (men > 0).then_some(pile).ok_or(KeptError)
    };
    words.split_whitespace().map(pile).collect()
}

fn keep_dice(dice: &DiceOnTable) -> KeptDice {
    (dice.faces, dice.show.clone(), dice.double)
}

fn dice_of((faces, show, double): KeptDice) -> Result<DiceOnTable, KeptError> {
    let are_dice = matches!(faces, 4 | 6) && show.iter().all(|face| (1..=faces).contains(face));
    are_dice.then_some(DiceOnTable { faces, show, double, used: [0; 2] }).ok_or(KeptError)
}
