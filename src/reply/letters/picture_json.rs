//! Moves and diagrams as JSON, for letters that wait to be sent. The rules know no file format, so their
//! values are translated here. What is read back is checked before it is drawn.

use crate::reply::draw;
use crate::reply::letters::Highlights;
use games::{Corner, Corridor, Cube, Diagram, DiceOnTable, HexShape, Match, Pile, Points, Rim};
use games::{MAX_FILES, MenKind, Roll, SIDES, Seat, Spot, TiledBoard, Tiling, Wall};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt::Write as _;

/// A move in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "MoveJson", try_from = "MoveJson")]
pub struct ListedMove {
    /// The number of the move.
    pub number: usize,
    /// The seat that made it.
    pub seat: Seat,
    /// The dice, if it had any.
    pub dice: Option<Roll>,
    /// The move, as the reader writes it.
    pub words: String,
}

/// A board to be drawn.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "PictureJson", try_from = "PictureJson")]
pub struct Picture {
    /// The position.
    pub diagram: Diagram,
    /// The players, seat 0's first; none where nobody plays.
    pub names: Option<[String; 2]>,
    /// The highlights.
    pub highlights: Highlights,
}

impl Picture {
    /// Draws the board as ASCII text.
    pub fn as_text(&self) -> String {
        let names = self.names.as_ref().map(|names| [&*names[0], &*names[1]]);
        draw::text(&self.diagram, names)
    }
}

/// The JSON is not a move or a board that this program wrote.
#[derive(Debug, thiserror::Error)]
#[error("not a move or a board of a letter")]
pub(crate) struct InvalidJson;

/// A [`ListedMove`] as JSON.
#[derive(Serialize, Deserialize)]
pub(crate) struct MoveJson {
    number: usize,
    seat: u8,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    dice: Option<String>,
    words: String,
}

impl From<ListedMove> for MoveJson {
    fn from(of: ListedMove) -> Self {
        let ListedMove { number, seat, dice, words } = of;
        Self { number, seat: seat.0, dice: dice.map(|dice| dice.to_string()), words }
    }
}

impl TryFrom<MoveJson> for ListedMove {
    type Error = InvalidJson;

    fn try_from(json: MoveJson) -> Result<Self, InvalidJson> {
        let MoveJson { number, seat, dice, words } = json;
        let dice = dice.map(|dice| dice.parse()).transpose().map_err(|_| InvalidJson)?;
        Ok(Self { number, seat: parse_seat(seat)?, dice, words })
    }
}

/// A [`Picture`] as JSON.
#[derive(Serialize, Deserialize)]
pub(crate) struct PictureJson {
    diagram: DiagramJson,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    names: Option<[String; 2]>,
    #[serde(default, rename = "marked", skip_serializing_if = "Highlights::is_empty")]
    highlights: Highlights,
}

impl From<Picture> for PictureJson {
    fn from(of: Picture) -> Self {
        Self { diagram: DiagramJson::new(&of.diagram), names: of.names, highlights: of.highlights }
    }
}

impl TryFrom<PictureJson> for Picture {
    type Error = InvalidJson;

    fn try_from(json: PictureJson) -> Result<Self, InvalidJson> {
        Ok(Self {
            diagram: json.diagram.diagram()?,
            names: json.names,
            highlights: json.highlights,
        })
    }
}

/// Dice as JSON: the number of faces, the values shown, and whether they are a double.
type DiceJson = (u8, Vec<u8>, bool);

/// A [`Diagram`] as JSON.
#[derive(Serialize, Deserialize)]
enum DiagramJson {
    Corridor(CorridorJson),
    Points(PointsJson),
    #[serde(rename = "Grid")]
    Board(TiledBoardJson),
}

impl DiagramJson {
    fn new(diagram: &Diagram) -> Self {
        match diagram {
            Diagram::Corridor(board) => Self::Corridor(CorridorJson::new(board)),
            Diagram::Points(board) => Self::Points(PointsJson::new(board)),
            Diagram::Board(board) => Self::Board(TiledBoardJson::new(board)),
        }
    }

    fn diagram(self) -> Result<Diagram, InvalidJson> {
        Ok(match self {
            Self::Corridor(json) => Diagram::Corridor(json.board()?),
            Self::Points(json) => Diagram::Points(json.board()?),
            Self::Board(json) => Diagram::Board(json.board()?),
        })
    }
}

#[derive(Serialize, Deserialize)]
struct CorridorJson {
    size: u8,
    piles: String,
    walls: Vec<(u8, u8, u8)>,
    connection: [u32; 2],
    dice: Option<DiceJson>,
}

impl CorridorJson {
    fn new(board: &Corridor) -> Self {
        let wall = |wall: &Wall| (wall.after_file, wall.from_rank, wall.to_rank);
        Self {
            size: board.size,
            piles: write_piles(&board.piles),
            walls: board.walls.iter().map(wall).collect(),
            connection: board.connection,
            dice: board.dice.as_ref().map(dice_json),
        }
    }

    fn board(self) -> Result<Corridor, InvalidJson> {
        let Self { size, connection, .. } = self;
        let (piles, dice) = (parse_piles(&self.piles)?, self.dice.map(parse_dice).transpose()?);
        let wall = |(after_file, from_rank, to_rank)| {
            let is_on_board = (1..size).contains(&after_file)
                && 1 <= from_rank
                && (from_rank..=size).contains(&to_rank);
            is_on_board.then_some(Wall { after_file, from_rank, to_rank }).ok_or(InvalidJson)
        };
        let walls = self.walls.into_iter().map(wall).collect::<Result<_, _>>()?;
        let is_square = size <= MAX_FILES && piles.len() == usize::from(size).pow(2);
        is_square.then_some(Corridor { size, piles, walls, connection, dice }).ok_or(InvalidJson)
    }
}

#[derive(Serialize, Deserialize)]
struct PointsJson {
    piles: String,
    first: usize,
    bar: Option<[u8; 2]>,
    off: [u8; 2],
    men: [u8; 2],
    pips: [u32; 2],
    upper: u8,
    dice: Option<(u8, DiceJson)>,
    cube: Option<(u32, Option<u8>, Option<u8>)>,
    #[serde(rename = "match")]
    game_of: Option<MatchJson>,
    resigns: Option<(u8, u8)>,
}

/// The corners of a board, by their number in JSON.
const CORNERS: [Corner; 4] =
    [Corner::UpperRight, Corner::UpperLeft, Corner::LowerRight, Corner::LowerLeft];

impl PointsJson {
    fn new(board: &Points) -> Self {
        let first = CORNERS.iter().position(|corner| *corner == board.first);
        let cube = |cube: Cube| {
            (cube.value, cube.owner.map(|seat| seat.0), cube.turned.map(|seat| seat.0))
        };
        Self {
            piles: write_piles(&board.piles),
            first: first.expect("a board has four corners"),
            bar: match board.rim {
                Rim::Bar(men) => Some(men),
                Rim::Line => None,
            },
            off: board.off,
            men: board.men,
            pips: board.pips,
            upper: board.upper.0,
            dice: board.dice.as_ref().map(|(seat, dice)| (seat.0, dice_json(dice))),
            cube: board.cube.map(cube),
            game_of: board.game_of.map(MatchJson::new),
            resigns: board.resigns.map(|(seat, stake)| (seat.0, stake)),
        }
    }

    fn board(self) -> Result<Points, InvalidJson> {
        let cube = |(value, owner, turned)| {
            let [owner, turned] =
                [owner, turned].map(|seat: Option<u8>| seat.map(parse_seat).transpose());
            Ok(Cube { value, owner: owner?, turned: turned? })
        };
        let dice = |(seat, dice)| Ok((parse_seat(seat)?, parse_dice(dice)?));
        let resigns = |(seat, stake)| Ok((parse_seat(seat)?, stake));
        Ok(Points {
            piles: parse_piles(&self.piles)?.try_into().map_err(|_| InvalidJson)?,
            first: *CORNERS.get(self.first).ok_or(InvalidJson)?,
            rim: self.bar.map_or(Rim::Line, Rim::Bar),
            off: self.off,
            men: self.men,
            pips: self.pips,
            upper: parse_seat(self.upper)?,
            dice: self.dice.map(dice).transpose()?,
            cube: self.cube.map(cube).transpose()?,
            game_of: self.game_of.map(MatchJson::game_of).transpose()?,
            resigns: self.resigns.map(resigns).transpose()?,
        })
    }
}

#[derive(Serialize, Deserialize)]
struct MatchJson {
    length: u32,
    score: [u32; 2],
    crawford: bool,
    game: u32,
    /// In a match of different games, the title of this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    last: Option<(u8, u32)>,
}

impl MatchJson {
    fn new(of: Match) -> Self {
        let Match { length, score, is_crawford: crawford, game, title, last } = of;
        let last = last.map(|(seat, points)| (seat.0, points));
        Self { length, score, crawford, game, title: title.map(str::to_owned), last }
    }

    fn game_of(self) -> Result<Match, InvalidJson> {
        let Self { length, score, crawford: is_crawford, game, title, last } = self;
        let of_game = |title: String| {
            let mut titles = games::GAMES.iter().map(|game| game.spec().title);
            titles.find(|known| *known == title).ok_or(InvalidJson)
        };
        let title = title.map(of_game).transpose()?;
        let last = last.map(|(seat, points)| Ok((parse_seat(seat)?, points))).transpose()?;
        Ok(Match { length, score, is_crawford, game, title, last })
    }
}

/// The outline of a board of hexagons.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum OutlineJson {
    Triangle,
    Hexagon,
}

/// A board of tiles. Boards of squares with lights are written as they were before other boards
/// existed.
#[derive(Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "letters of earlier versions wait with these")]
struct TiledBoardJson {
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    hex: bool,
    /// The outline of a board of hexagons, if not a rhombus.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    outline: Option<OutlineJson>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    lines: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pegs: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    dots: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    skips_i: bool,
    /// The tiles that count for seat 0 and for seat 1 without a man of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    owners: Option<[Vec<String>; 2]>,
    /// The links of seat 0 and of seat 1, both ends of each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    links: Option<[Vec<[String; 2]>; 2]>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    discs: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    chessmen: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    draughtsmen: bool,
    /// The word for a tile, if not `point`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    place: Option<Cow<'static, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    attacked: Option<String>,
    /// The seat whose men are dark, if not seat 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    dark: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sides: Option<[String; 2]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    edges: Option<u8>,
    rows: Vec<String>,
    last: Vec<String>,
    legal: Vec<String>,
    score: Option<([u32; 2], Cow<'static, str>)>,
    light: Option<u8>,
    notes: Vec<String>,
}

impl TiledBoardJson {
    fn new(board: &TiledBoard) -> Self {
        let sides = board.sides.each_ref().map(ToString::to_string);
        let spots = board.rows().concat().into_iter();
        let owned = |seat: Seat| {
            let owned = board.owners.iter().filter(|(_, owner)| **owner == seat);
            owned.map(|(spot, _)| spot.to_string()).collect()
        };
        let linked = |seat: Seat| {
            let own = board.links.iter().filter(|(_, side)| **side == seat);
            own.map(|(ends, _)| ends.map(|spot| spot.to_string())).collect()
        };
        Self {
            hex: board.is_hex(),
            outline: match board.tiling {
                Tiling::Hex(HexShape::Triangle) => Some(OutlineJson::Triangle),
                Tiling::Hex(HexShape::Hexagon) => Some(OutlineJson::Hexagon),
                Tiling::Square
                | Tiling::Lines
                | Tiling::Hex(HexShape::Rhombus)
                | Tiling::Pegs
                | Tiling::Dots => None,
            },
            lines: board.tiling == Tiling::Lines,
            pegs: board.tiling == Tiling::Pegs,
            dots: board.tiling == Tiling::Dots,
            skips_i: board.skips_i,
            owners: (!board.owners.is_empty()).then(|| Seat::BOTH.map(owned)),
            links: (!board.links.is_empty()).then(|| Seat::BOTH.map(linked)),
            discs: board.men == MenKind::Discs,
            chessmen: board.men == MenKind::Chessmen,
            draughtsmen: board.men == MenKind::Draughtsmen,
            place: Some(board.place.clone()).filter(|place| place != "point"),
            attacked: board.attacked.map(|spot| spot.to_string()),
            dark: Some(board.dark.0).filter(|_| board.dark != Seat(1)),
            sides: (sides != SIDES).then_some(sides),
            edges: board.owner_of_rank_edges.map(|seat| seat.0),
            rows: board.marks(),
            last: board.last.iter().map(ToString::to_string).collect(),
            legal: spots
                .filter(|spot| board.legal.contains(spot))
                .map(|spot| spot.to_string())
                .collect(),
            score: board.score.clone(),
            light: board.light.map(|seat| seat.0),
            notes: board.notes.clone(),
        }
    }

    fn tiling(&self) -> Tiling {
        match (self.hex, self.lines, self.pegs) {
            _ if self.dots => Tiling::Dots,
            (false, false, false) => Tiling::Square,
            (true, false, false) => Tiling::Hex(match self.outline {
                None => HexShape::Rhombus,
                Some(OutlineJson::Triangle) => HexShape::Triangle,
                Some(OutlineJson::Hexagon) => HexShape::Hexagon,
            }),
            (_, true, false) => Tiling::Lines,
            (_, _, true) => Tiling::Pegs,
        }
    }

    fn board(self) -> Result<TiledBoard, InvalidJson> {
        let size = |length: usize| {
            u8::try_from(length)
                .ok()
                .filter(|size| (1..=MAX_FILES).contains(size))
                .ok_or(InvalidJson)
        };
        let (files, ranks) = (self.rows.iter().map(String::len).max(), self.rows.len());
        let (files, ranks) = (size(files.unwrap_or(0))?, size(ranks)?);
        let mut board = TiledBoard::new(SIDES, files, ranks);
        board.tiling = self.tiling();
        let lengths = board.rows().into_iter().map(|row| row.len());
        let is_board = self.outline.is_none() || files == ranks;
        if !is_board
            || !self.rows.iter().map(String::len).eq(lengths)
            || !self.rows.iter().all(|row| row.is_ascii())
        {
            return Err(InvalidJson);
        }
        board.skips_i = self.skips_i;
        board.men = match (self.discs, self.chessmen, self.draughtsmen) {
            (false, false, false) => MenKind::Lights,
            (true, false, false) => MenKind::Discs,
            (_, true, _) => MenKind::Chessmen,
            (_, false, true) => MenKind::Draughtsmen,
        };
        board.dark = self.dark.map_or(Ok(Seat(1)), parse_seat)?;
        if let Some(place) = self.place {
            board.place = place;
        }
        if let Some(sides) = self.sides {
            board.sides = sides.map(Cow::Owned);
        }
        board.put_rows(&self.rows);
        let spots = |words: Vec<String>| -> Result<Vec<Spot>, InvalidJson> {
            words.iter().map(|word| word.parse().map_err(|_| InvalidJson)).collect()
        };
        for (seat, owned) in Seat::BOTH.into_iter().zip(self.owners.unwrap_or_default()) {
            board.owners.extend(spots(owned)?.into_iter().map(|spot| (spot, seat)));
        }
        for (seat, links) in Seat::BOTH.into_iter().zip(self.links.unwrap_or_default()) {
            for ends in links {
                let ends = spots(ends.to_vec())?.try_into().map_err(|_| InvalidJson)?;
                board.links.insert(ends, seat);
            }
        }
        board.owner_of_rank_edges = self.edges.map(parse_seat).transpose()?;
        board.last = spots(self.last)?;
        board.attacked = spots(self.attacked.into_iter().collect())?.pop();
        board.legal = spots(self.legal)?.into_iter().collect();
        board.light = self.light.map(parse_seat).transpose()?;
        (board.score, board.notes) = (self.score, self.notes);
        Ok(board)
    }
}

fn parse_seat(number: u8) -> Result<Seat, InvalidJson> {
    Seat::BOTH.get(usize::from(number)).copied().ok_or(InvalidJson)
}

/// Writes piles as words: `.` is an empty point, `02` two men of seat 0, `11+` one man of seat 1 that
/// pins another.
fn write_piles(piles: &[Pile]) -> String {
    let mut words = String::with_capacity(4 * piles.len());
    for pile in piles {
        let pins = if pile.pins { "+" } else { "" };
        // Writing to a `String` never fails.
        let _ = match pile.holder {
            Some(Seat(seat)) => write!(words, "{seat}{}{pins} ", pile.men),
            None => write!(words, ". "),
        };
    }
    words
}

fn parse_piles(words: &str) -> Result<Vec<Pile>, InvalidJson> {
    let pile = |word: &str| {
        if word == "." {
            return Ok(Pile::default());
        }
        let (seat, men) = word.split_at_checked(1).ok_or(InvalidJson)?;
        let count = |digits: &str| digits.parse::<u8>().map_err(|_| InvalidJson);
        let (holder, men) = (parse_seat(count(seat)?)?, count(men.trim_end_matches('+'))?);
        let pile = Pile { holder: Some(holder), men, pins: word.ends_with('+') };
        (men > 0).then_some(pile).ok_or(InvalidJson)
    };
    words.split_whitespace().map(pile).collect()
}

fn dice_json(dice: &DiceOnTable) -> DiceJson {
    (dice.faces, dice.show.clone(), dice.is_double)
}

fn parse_dice((faces, show, is_double): DiceJson) -> Result<DiceOnTable, InvalidJson> {
    let are_dice = matches!(faces, 4 | 6) && show.iter().all(|face| (1..=faces).contains(face));
    are_dice.then_some(DiceOnTable { faces, show, is_double, used: [0; 2] }).ok_or(InvalidJson)
}
