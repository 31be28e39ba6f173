//! Boards of tiles: squares, points of lines, hexagons, pegs with links, and dots with boxes. The two sides differ in
//! shape or brightness, too.

use super::palette::{LABEL_SIZE, Paint};
use super::player_strip::Strip;
use super::shapes::{Area, Drawing, SheetPoint};
use super::sheet::Sheet;
use super::square_frame::{BOARD, RIM, TOP, framed};
use super::{DrawOptions, checkers, chessmen};
use crate::reply::draw::text::tiled_board::{edges, score};
use games::{HexShape, ManKind, MenKind, Piece, Seat, Spot, TiledBoard, Tiling};

/// The height of a hexagon in parts of its width, and the distance of two ranks.
const HEXAGON: f32 = 1.1547;
const HEXAGON_PITCH: f32 = 0.866;
/// The tiles' widths beside a board of hexagons: where names are, and where none are.
const HEXAGON_RIMS: [f32; 2] = [0.85, 0.25];
/// The most height of a board of hexagons: its picture stays wider than high.
const HEXAGONS_HEIGHT: f32 = 0.78 * BOARD;

/// The positions of the tiles on the sheet.
struct TileLayout<'a> {
    board: &'a TiledBoard,
    /// The width of a tile.
    cell: f32,
    /// The height of all tiles and, with hexagons, of the names around them.
    height: f32,
    /// The room at the left and at the right of a board that would be too high if it took all the width.
    inset: f32,
    /// Whether the board is rotated by half a turn.
    is_turned: bool,
}

pub(super) fn draw(board: &TiledBoard, options: &DrawOptions, words: &str) -> Drawing {
    let plan = TileLayout::new(board, options.orientation.is_turned);
    let strip = |sheet: &mut Sheet, seat, y| player(sheet, board, options, seat, y);
    let mut sheet = framed(options, words, plan.height, strip, |sheet| {
        plan.ground(sheet);
        plan.names(sheet);
        plan.edges(sheet);
    });
    if board.tiling == Tiling::Dots {
        plan.dots(&mut sheet);
    }
    plan.links(&mut sheet);
    plan.pieces(&mut sheet);
    plan.marks(&mut sheet, options);
    sheet.into_drawing()
}

fn player(sheet: &mut Sheet, board: &TiledBoard, options: &DrawOptions, seat: Seat, y: f32) {
    let status = score(board, seat).or_else(|| edges(board, seat).map(str::to_owned));
    let options = DrawOptions { turn: options.turn.or(board.light), ..*options };
    let strip = Strip { seat, status: status.unwrap_or_default(), dice: None };
    strip.draw(sheet, &options, y, |sheet, at| match board.men {
        MenKind::Lights => lamp(sheet, seat, at, 14.0),
        MenKind::Discs => {
            let shade = shade(board, seat);
            checkers::man(sheet, shade, at, 15.0);
            checkers::written(sheet, shade, at, 17.0, &board.letter(seat).to_string());
        }
        MenKind::Draughtsmen => checkers::man(sheet, shade(board, seat), at, 15.0),
        MenKind::Chessmen => chessmen::man(sheet, seat, ManKind::King, at, 17.0),
    });
}

/// Returns the seat whose men usually look like those of a side: seat 1's are dark.
fn shade(board: &TiledBoard, seat: Seat) -> Seat {
    Seat(u8::from(seat == board.dark))
}

/// Draws a light: seat 0's is a disc with a bright centre, seat 1's a square with a bright ring.
fn lamp(sheet: &mut Sheet, seat: Seat, at: SheetPoint, radius: f32) {
    if seat == Seat(0) {
        sheet.circle(Paint::Green, at, radius);
        sheet.circle(Paint::GreenRim, at, radius * 0.32);
    } else {
        let side = radius * 1.8;
        sheet.rectangle(Paint::Red, Area::around(at, side), radius * 0.5);
        sheet.rectangle(Paint::RedRim, Area::around(at, side * 0.52), radius * 0.2);
    }
}

/// Returns the tiles' widths left and right of a board of hexagons, above and below it. The names of
/// files are above a rhombus, and below other outlines and, where these are hexagons, at their right.
fn rims(board: &TiledBoard) -> [f32; 4] {
    let [names, none] = HEXAGON_RIMS;
    match board.tiling {
        Tiling::Hex(HexShape::Triangle) => [names, none, none, names],
        Tiling::Hex(HexShape::Hexagon) => [names, names, none, names],
        _ => [names, none, names, none],
    }
}

impl<'a> TileLayout<'a> {
    fn new(board: &'a TiledBoard, is_turned: bool) -> Self {
        let [files, ranks] = [board.files, board.ranks()].map(f32::from);
        let (cell, height, inset) = match board.tiling {
            Tiling::Square | Tiling::Lines | Tiling::Pegs | Tiling::Dots => {
                let cell = BOARD / files.max(ranks);
                (cell, cell * ranks, 0.0)
            }
            Tiling::Hex(_) => {
                let [left, right, above, below] = rims(board);
                let halves = u16::try_from(board.width_in_halves()).unwrap_or(u16::MAX);
                let width = f32::from(halves) / 2.0 + left + right;
                let height = (ranks - 1.0) * HEXAGON_PITCH + HEXAGON + above + below;
                let cell = (BOARD / width).min(HEXAGONS_HEIGHT / height);
                (cell, cell * height, (BOARD - cell * width) / 2.0)
            }
        };
        Self { board, cell, height, inset, is_turned }
    }

    const fn is_hex(&self) -> bool {
        self.board.is_hex()
    }

    /// Returns the centre of a tile, its file and rank counted from 1. Fractions are between tiles.
    fn middle(&self, file: f32, rank: f32) -> SheetPoint {
        let (file, rank) = (file - 1.0, rank - 1.0);
        let at = match self.board.tiling {
            Tiling::Square | Tiling::Lines | Tiling::Pegs | Tiling::Dots => {
                let is_upward = self.board.is_upward();
                let line =
                    if is_upward { f32::from(self.board.ranks()) - 1.0 - rank } else { rank };
                let half = self.cell / 2.0;
                SheetPoint { x: RIM + file * self.cell + half, y: TOP + line * self.cell + half }
            }
            Tiling::Hex(_) => {
                let [left, _, above, _] = rims(self.board);
                let [start, step] = self.board.slant().map(f32::from);
                let last = f32::from(self.board.ranks()) - 1.0;
                let row = if self.board.is_upward() { last - rank } else { rank };
                let across = left + 0.5 + file + f32::midpoint(start, step * rank);
                let down = above + HEXAGON / 2.0 + row * HEXAGON_PITCH;
                SheetPoint { x: RIM + self.inset + across * self.cell, y: TOP + down * self.cell }
            }
        };
        self.turned(at)
    }

    /// Returns a place of the upright board on the board as it is turned.
    fn turned(&self, at: SheetPoint) -> SheetPoint {
        if self.is_turned {
            SheetPoint { x: 2.0 * RIM + BOARD - at.x, y: 2.0 * TOP + self.height - at.y }
        } else {
            at
        }
    }

    /// Returns the centre of the tile of a spot.
    fn middle_of(&self, spot: Spot) -> SheetPoint {
        let Some(place) = self.board.column_and_rank(spot) else { return SheetPoint::default() };
        let [column, rank] = place.map(f32::from);
        self.middle(column, rank)
    }

    /// Draws the tiles without pieces.
    fn ground(&self, sheet: &mut Sheet) {
        if !self.is_hex() {
            let width = self.cell * f32::from(self.board.files);
            sheet.rectangle(Paint::Cell, Area::new(RIM, TOP, width, self.height), 6.0);
            match self.board.tiling {
                Tiling::Lines => self.lines(sheet),
                Tiling::Pegs => self.goal_lines(sheet),
                Tiling::Dots => {}
                _ if self.board.men != MenKind::Lights => {
                    self.dark_squares(sheet);
                    self.numbers(sheet);
                }
                _ => {}
            }
            return;
        }
        let spots = self.board.rows().concat();
        let hexagons: Vec<[SheetPoint; 6]> =
            spots.into_iter().map(|spot| self.hexagon(self.middle_of(spot), 0.94)).collect();
        let hexagons: Vec<&[SheetPoint]> =
            hexagons.iter().map(<[SheetPoint; 6]>::as_slice).collect();
        sheet.shapes(Paint::Cell, &hexagons);
    }

    /// Draws the lines through all points, and the star points.
    fn lines(&self, sheet: &mut Sheet) {
        let [files, ranks] = [self.board.files, self.board.ranks()].map(f32::from);
        let numbers = |to: u8| (1..=to).map(f32::from);
        let up = numbers(self.board.files).map(|file| [(file, 1.0), (file, ranks)]);
        let across = numbers(self.board.ranks()).map(|rank| [(1.0, rank), (files, rank)]);
        let ends = up.chain(across);
        let lines: Vec<[SheetPoint; 2]> =
            ends.map(|ends| ends.map(|(file, rank)| self.middle(file, rank))).collect();
        sheet.lines(Paint::Cross, &lines);
        let stars = self.board.stars().into_iter().map(|spot| self.middle_of(spot));
        sheet.discs(Paint::Star, &stars.collect::<Vec<_>>(), (self.cell * 0.1).max(3.0));
    }

    /// Draws the lines behind which only one side may put pegs, in its colour, and the holes.
    fn goal_lines(&self, sheet: &mut Sheet) {
        let [files, ranks] = [self.board.files, self.board.ranks()].map(f32::from);
        let [right, low] = [files - 0.5, ranks - 0.5];
        let owner = self.board.owner_of_rank_edges.unwrap_or(Seat(0));
        for (seat, lines) in [
            (owner, [[(1.5, 1.5), (right, 1.5)], [(1.5, low), (right, low)]]),
            (owner.other(), [[(1.5, 1.5), (1.5, low)], [(right, 1.5), (right, low)]]),
        ] {
            let [rim, paint] =
                [[Paint::ORail, Paint::OLink], [Paint::XRail, Paint::XLink]][seat.index()];
            let lines = lines.map(|ends| ends.map(|(file, rank)| self.middle(file, rank)));
            sheet.lines(rim, &lines);
            sheet.lines(paint, &lines);
        }
        let ends = |row: Vec<Spot>| Some([*row.first()?, *row.last()?]);
        let rows = self.board.rows().into_iter().filter_map(ends);
        let rows: Vec<_> = rows.map(|ends| ends.map(|spot| self.middle_of(spot))).collect();
        sheet.dotted_lines(Paint::Star, &rows, self.cell, (self.cell * 0.09).max(2.0));
    }

    /// Draws the links between men, each side's in its colour.
    fn links(&self, sheet: &mut Sheet) {
        for (seat, [rim, paint]) in
            Seat::BOTH.into_iter().zip([[Paint::ORail, Paint::OLink], [Paint::XRail, Paint::XLink]])
        {
            let own = self.board.links.iter().filter(|(_, of)| **of == seat);
            let lines: Vec<[SheetPoint; 2]> =
                own.map(|(ends, _)| ends.map(|spot| self.middle_of(spot))).collect();
            if !lines.is_empty() {
                sheet.lines(rim, &lines);
                sheet.lines(paint, &lines);
            }
        }
    }

    /// Draws the dots, and the lines between them.
    fn dots(&self, sheet: &mut Sheet) {
        let spots = self.board.rows().concat().into_iter();
        let drawn = spots.filter(|spot| self.board.at(*spot) == Some(Piece::Line));
        let lines: Vec<[SheetPoint; 2]> = drawn.map(|spot| self.line_on(spot)).collect();
        if !lines.is_empty() {
            sheet.lines(Paint::Drawn, &lines);
        }
        let dots = self.board.stars().into_iter().map(|spot| self.middle_of(spot));
        sheet.discs(Paint::Star, &dots.collect::<Vec<_>>(), (self.cell * 0.16).max(4.0));
    }

    /// Returns the two dots beside the place of a line.
    fn line_on(&self, spot: Spot) -> [SheetPoint; 2] {
        let (at, cell) = (self.middle_of(spot), self.cell);
        [-cell, cell]
            .map(|far| if TiledBoard::is_level(spot) { at.by(far, 0.0) } else { at.by(0.0, far) })
    }

    /// Draws every second square darker, a1 among them.
    fn dark_squares(&self, sheet: &mut Sheet) {
        let is_dark = |spot: &Spot| matches!(spot, Spot::Square(file, rank) if (file + rank).is_multiple_of(2));
        let half = self.cell / 2.0;
        let corners = |spot: Spot| {
            let at = self.middle_of(spot);
            [(-half, -half), (half, -half), (half, half), (-half, half)]
                .map(|(right, down)| at.by(right, down))
        };
        let dark = self.board.rows().concat().into_iter().filter(is_dark).map(corners);
        let dark: Vec<[SheetPoint; 4]> = dark.collect();
        let dark: Vec<&[SheetPoint]> = dark.iter().map(<[SheetPoint; 4]>::as_slice).collect();
        sheet.shapes(Paint::Odd, &dark);
    }

    /// Writes the numbers of squares into their corners.
    fn numbers(&self, sheet: &mut Sheet) {
        let size = self.cell * 0.22;
        for spot in self.board.rows().concat() {
            if let Some(number) = self.board.number(spot) {
                let at = self.middle_of(spot).by(self.cell * -0.34, self.cell * -0.35);
                sheet.label(Paint::SquareNumber, at, Some(size), number);
            }
        }
    }

    /// Returns the corners of a hexagon around a place, the highest first and then clockwise.
    fn hexagon(&self, at: SheetPoint, part: f32) -> [SheetPoint; 6] {
        let (half, high) = (self.cell * part / 2.0, self.cell * part * HEXAGON / 2.0);
        [
            (0.0, -high),
            (half, -high / 2.0),
            (half, high / 2.0),
            (0.0, high),
            (-half, high / 2.0),
            (-half, -high / 2.0),
        ]
        .map(|(right, down)| at.by(right, down))
    }

    fn names(&self, sheet: &mut Sheet) {
        let (files, ranks) = (self.board.files, self.board.ranks());
        for (file, letter) in (1..=files).zip(self.board.letters()) {
            let at = if self.is_hex() {
                self.middle(f32::from(file), f32::from(self.board.first_rank(file)) - 1.0)
            } else {
                let SheetPoint { x, .. } = self.middle(f32::from(file), 1.0);
                SheetPoint { x, y: TOP + self.height + RIM / 2.0 }
            };
            sheet.label(Paint::Number, at, self.size_of_names(), letter);
        }
        for rank in 1..=ranks {
            let at = if self.is_hex() {
                // Ranks begin where the files of the same number do: all outlines are symmetric.
                self.middle(f32::from(self.board.first_rank(rank)) - 1.0, f32::from(rank))
            } else {
                SheetPoint { x: RIM / 2.0, y: self.middle(1.0, f32::from(rank)).y }
            };
            sheet.label(Paint::Number, at, self.size_of_names(), rank);
        }
    }

    /// Returns the size of the names of files and ranks where hexagons are too small for the usual one.
    fn size_of_names(&self) -> Option<f32> {
        Some(self.cell * 0.66).filter(|size| self.is_hex() && *size < LABEL_SIZE)
    }

    /// Draws the edges of hexagons in the colours of their owners.
    fn edges(&self, sheet: &mut Sheet) {
        let Some(owner) = self.board.owner_of_rank_edges.filter(|_| self.is_hex()) else { return };
        let [files, ranks] = [self.board.files, self.board.ranks()].map(f32::from);
        let corners = |file: f32, rank: f32| {
            let upright = if self.is_turned { 3 } else { 0 };
            let corners = self.hexagon(self.middle(file, rank), 1.06);
            move |index: usize| corners[(index + upright) % 6]
        };
        let along = |tiles: &[(f32, f32)], indices: [usize; 2]| {
            let each = |(file, rank): &(f32, f32)| indices.map(corners(*file, *rank));
            tiles.iter().flat_map(each).collect::<Vec<_>>()
        };
        let numbers = |to: u8| (1..=to).map(f32::from);
        let top: Vec<_> = numbers(self.board.files).map(|file| (file, 1.0)).collect();
        let bottom: Vec<_> = numbers(self.board.files).map(|file| (file, ranks)).collect();
        let left: Vec<_> = numbers(self.board.ranks()).map(|rank| (1.0, rank)).collect();
        let right: Vec<_> = numbers(self.board.ranks()).map(|rank| (files, rank)).collect();
        let goal = |seat: Seat| [Paint::OGoal, Paint::XGoal][seat.index()];
        for (tiles, indices, seat) in [
            (&left, [5, 4], owner.other()),
            (&right, [1, 2], owner.other()),
            (&top, [5, 0], owner),
            (&bottom, [4, 3], owner),
        ] {
            let mut line = along(tiles, indices);
            if seat == owner {
                // The last tile of an edge of ranks has another side on it.
                let (end, index) =
                    if indices[0] == 5 { ((files, 1.0), 1) } else { ((files, ranks), 2) };
                line.push(corners(end.0, end.1)(index));
            }
            sheet.line(goal(seat), &line);
        }
    }

    fn pieces(&self, sheet: &mut Sheet) {
        let spots = self.board.rows().concat();
        let is_lit = |spot: &Spot| {
            let piece = self.board.at(*spot);
            !matches!(piece, None | Some(Piece::Unfound(_)))
        };
        let (lit, dark): (Vec<_>, Vec<_>) = spots.into_iter().partition(is_lit);
        if self.board.men == MenKind::Lights {
            let places: Vec<SheetPoint> = dark.iter().map(|spot| self.middle_of(*spot)).collect();
            sheet.discs(Paint::Hole, &places, self.radius() * 0.88);
        }
        for spot in lit.into_iter().chain(dark) {
            if let Some(piece) = self.board.at(spot) {
                self.piece(sheet, self.middle_of(spot), piece);
            }
        }
        for (spot, owner) in &self.board.owners {
            let area = Area::around(self.middle_of(*spot), self.radius() * 0.7);
            let paint = [Paint::OArea, Paint::XArea][shade(self.board, *owner).index()];
            sheet.rectangle(paint, area, 1.0);
        }
    }

    /// Draws what is on a tile.
    fn piece(&self, sheet: &mut Sheet, at: SheetPoint, piece: Piece) {
        let radius = self.radius();
        match piece {
            Piece::Man(seat) if self.board.men != MenKind::Lights => {
                checkers::man(sheet, shade(self.board, seat), at, radius);
            }
            Piece::King(seat) => checkers::king(sheet, shade(self.board, seat), at, radius),
            Piece::Man(seat) => lamp(sheet, seat, at, radius),
            Piece::Chessman(seat, kind) => chessmen::man(sheet, seat, kind, at, self.cell * 0.44),
            Piece::Unfound(Seat(0)) => sheet.circle(Paint::GreenLost, at, radius * 0.6),
            Piece::Unfound(_) => {
                sheet.rectangle(Paint::RedLost, Area::around(at, radius * 1.1), radius * 0.3);
            }
            // It is one of the lines of the ground.
            Piece::Line => {}
            Piece::Sign(sign) => {
                sheet.rectangle(Paint::Lamp, Area::around(at, radius * 1.64), radius * 0.5);
                sheet.label(Paint::LampInk, at, Some(radius * 0.95), sign);
            }
        }
    }

    /// Draws the last tiles, the legal tiles, and the links.
    fn marks(&self, sheet: &mut Sheet, options: &DrawOptions) {
        let radius = self.radius();
        let ways = options.marks.last.iter().filter_map(|way| way.last());
        let last: Vec<Spot> = if self.board.last.is_empty() {
            ways.copied().collect()
        } else {
            self.board.last.clone()
        };
        for at in last.into_iter().map(|spot| self.middle_of(spot)) {
            match self.board.tiling {
                Tiling::Square => {
                    sheet.rectangle(Paint::Last, Area::around(at, self.cell - 5.0), radius * 0.6);
                }
                // A rim would be lost between stones that touch.
                Tiling::Lines => checkers::moved(sheet, at, radius * 0.55),
                Tiling::Hex(_) | Tiling::Pegs => checkers::moved(sheet, at, radius + 1.0),
                Tiling::Dots => {}
            }
        }
        if self.board.tiling == Tiling::Dots && !self.board.last.is_empty() {
            let last: Vec<_> = self.board.last.iter().map(|spot| self.line_on(*spot)).collect();
            sheet.lines(Paint::Played, &last);
        }
        if let Some(spot) = self.board.attacked {
            sheet.circle(Paint::Attacked, self.middle_of(spot), self.cell / 2.0 - 4.0);
        }
        let legal = self.board.rows().concat().into_iter();
        let legal = legal.filter(|spot| self.board.legal.contains(spot));
        let legal: Vec<SheetPoint> = legal.map(|spot| self.middle_of(spot)).collect();
        sheet.discs(Paint::Free, &legal, radius.min(self.cell * 0.5) * 0.26);
        if let Some(spot) = options.marks.chosen {
            sheet.circle(Paint::Chosen, self.middle_of(spot), radius);
        }
        let is_live = sheet.is_live();
        let links = [(&options.marks.can, false), (&options.marks.targets, true)];
        let links = links
            .into_iter()
            .flat_map(|(links, arrives)| links.iter().map(move |link| (link, arrives)));
        for ((spot, link), arrives) in links.filter(|_| is_live) {
            sheet.link(link.href.as_deref(), spot, &link.label, |sheet| {
                self.ring(sheet, *spot, arrives);
                // The points of nineteen lines are small enough as they are.
                let is_square = self.board.tiling == Tiling::Square;
                let area = self.area(*spot).within(if is_square { 2.0 } else { 0.0 });
                sheet.rectangle(Paint::Press, area, radius * 0.6);
            });
        }
    }

    /// Draws the ring of a man that can be chosen or of the square that it can reach, and a dot where
    /// there is none.
    fn ring(&self, sheet: &mut Sheet, spot: Spot, arrives: bool) {
        // Most points, holes and lines between dots can be pressed.
        let is_points = matches!(self.board.tiling, Tiling::Lines | Tiling::Pegs | Tiling::Dots);
        let is_plain = self.board.men == MenKind::Lights || is_points;
        if is_plain || self.board.legal.contains(&spot) {
            return;
        }
        let (at, radius) = (self.middle_of(spot), self.radius());
        match self.board.at(spot) {
            Some(_) if arrives => sheet.circle(Paint::Target, at, radius + 1.5),
            Some(_) => sheet.circle(Paint::Can, at, radius + 1.5),
            None if arrives => sheet.circle(Paint::Target, at, radius - 3.0),
            None => sheet.discs(Paint::Free, &[at], radius * 0.26),
        }
    }

    /// Returns the area to press for a spot. Those of hexagons do not overlap.
    fn area(&self, spot: Spot) -> Area {
        let middle = self.middle_of(spot);
        let height = if self.is_hex() { self.cell * HEXAGON_PITCH } else { self.cell };
        let at = middle.by(-self.cell / 2.0, -height / 2.0);
        Area { at, width: self.cell, height }
    }

    fn radius(&self) -> f32 {
        let part = match self.board.tiling {
            Tiling::Lines => 0.46,
            Tiling::Square | Tiling::Hex(_) => 0.4,
            Tiling::Pegs => 0.34,
            // A box is two places wide.
            Tiling::Dots => 0.68,
        };
        self.cell * part
    }
}
