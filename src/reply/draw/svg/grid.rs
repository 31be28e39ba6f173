//! Boards of lights: points that are dark, green or red. The two colours differ in shape, too.

use super::palette::Paint;
use super::player_strip::Strip;
use super::sheet::{Area, SheetPoint, SvgSheet};
use super::square_frame::{BOARD, RIM, TOP, framed};
use super::{DrawOptions, SpotName};
use games::{Grid, Seat, Spot, Square};

struct GridLayout<'a> {
    board: &'a Grid,
    /// The points on a line.
    size: u8,
    /// The width of a point.
    cell: f32,
    /// Whether the board is rotated by half a turn.
    is_turned: bool,
}

pub(super) fn draw(board: &Grid, options: &DrawOptions, words: &str) -> String {
    let size = u8::try_from(board.rows.len()).unwrap_or(u8::MAX).max(1);
    let cell = BOARD / f32::from(size);
    let plan = GridLayout { board, size, cell, is_turned: options.orientation.is_turned };
    let mut sheet = framed(options, words, |sheet, seat, y| player(sheet, board, options, seat, y));
    sheet.rectangle(Paint::Cell, Area::new(RIM, TOP, BOARD, BOARD), 6.0);
    plan.names(&mut sheet);
    plan.points(&mut sheet);
    plan.marks(&mut sheet, options);
    sheet.into_text()
}

fn player(sheet: &mut SvgSheet, board: &Grid, options: &DrawOptions, seat: Seat, y: f32) {
    let score = board.score.as_ref().map(|(score, what)| {
        let of = score[seat.index()];
        let what = if of == 1 { what.trim_end_matches('s') } else { what.as_ref() };
        format!("{of} {what}")
    });
    let options = DrawOptions { turn: options.turn.or(board.light), ..*options };
    let strip = Strip { seat, status: score.unwrap_or_default(), dice: None };
    strip.draw(sheet, &options, y, |sheet, at| lamp(sheet, seat, at, 14.0));
}

/// Draws a light: green is a disc with a bright centre, red a square with a bright ring.
fn lamp(sheet: &mut SvgSheet, seat: Seat, at: SheetPoint, radius: f32) {
    if seat == Seat(0) {
        sheet.circle(Paint::Green, at, radius);
        sheet.circle(Paint::GreenRim, at, radius * 0.32);
    } else {
        let side = radius * 1.8;
        sheet.rectangle(Paint::Red, Area::around(at, side), radius * 0.5);
        sheet.rectangle(Paint::RedRim, Area::around(at, side * 0.52), radius * 0.2);
    }
}

impl GridLayout<'_> {
    /// Returns the centre of a point, its column and line counted from 0 at the upper left.
    fn middle(&self, column: u8, line: u8) -> SheetPoint {
        let half = self.cell / 2.0;
        let last = self.size - 1;
        let (column, line) = if self.is_turned {
            (last.saturating_sub(column), last.saturating_sub(line))
        } else {
            (column, line)
        };
        SheetPoint {
            x: RIM + f32::from(column) * self.cell + half,
            y: TOP + f32::from(line) * self.cell + half,
        }
    }

    fn names(&self, sheet: &mut SvgSheet) {
        for (index, letter) in (0..self.size).zip('a'..='z') {
            let SheetPoint { x, y } = self.middle(index, self.size - 1 - index);
            sheet.label(Paint::Number, SheetPoint { x, y: TOP + BOARD + RIM / 2.0 }, None, letter);
            sheet.label(Paint::Number, SheetPoint { x: RIM / 2.0, y }, None, index + 1);
        }
    }

    fn points(&self, sheet: &mut SvgSheet) {
        let rows = (0..).zip(&self.board.rows);
        let marks = rows.flat_map(|(line, row)| {
            (0..).zip(row.chars()).map(move |(column, mark)| (self.middle(column, line), mark))
        });
        let (dark, lit): (Vec<_>, Vec<_>) =
            marks.partition(|(_, mark)| matches!(mark, '.' | 'g' | 'r'));
        let places: Vec<SheetPoint> = dark.iter().map(|(at, _)| *at).collect();
        sheet.discs(Paint::Hole, &places, self.radius() * 0.88);
        for (at, mark) in lit.into_iter().chain(dark) {
            self.lit(sheet, at, mark);
        }
    }

    /// Draws the light at a point, or the light that no player has found.
    fn lit(&self, sheet: &mut SvgSheet, at: SheetPoint, mark: char) {
        let radius = self.radius();
        match mark {
            '.' => {}
            'G' => lamp(sheet, Seat(0), at, radius),
            'R' => lamp(sheet, Seat(1), at, radius),
            'g' => sheet.circle(Paint::GreenLost, at, radius * 0.6),
            'r' => sheet.rectangle(Paint::RedLost, Area::around(at, radius * 1.1), radius * 0.3),
            mark => {
                sheet.rectangle(Paint::Lamp, Area::around(at, radius * 1.64), radius * 0.5);
                sheet.label(Paint::LampInk, at, Some(radius * 0.95), mark);
            }
        }
    }

    /// Draws the last points, the legal points, and the links.
    fn marks(&self, sheet: &mut SvgSheet, options: &DrawOptions) {
        let radius = self.radius();
        let of = |square: Square| self.middle(square.column(), self.line(square));
        let ways = options.marks.last.iter().filter_map(|way| way.last());
        let last: Vec<SheetPoint> = if self.board.last.is_empty() {
            ways.map(|spot| self.area(*spot).middle()).collect()
        } else {
            self.board.last.iter().map(|square| of(*square)).collect()
        };
        for at in last {
            sheet.rectangle(Paint::Last, Area::around(at, self.cell - 5.0), radius * 0.6);
        }
        let legal = Square::all().filter(|square| self.board.legal.contains(*square));
        let legal: Vec<SheetPoint> = legal.map(of).collect();
        sheet.discs(Paint::Free, &legal, radius * 0.26);
        if let Some(spot) = options.marks.chosen {
            sheet.circle(Paint::Chosen, self.area(spot).middle(), radius);
        }
        if !sheet.is_live() {
            return;
        }
        for (spot, link) in options.marks.can.iter().chain(&options.marks.targets) {
            sheet.link(link.href.as_deref(), SpotName(*spot), &link.label, |sheet| {
                sheet.rectangle(Paint::Press, self.area(*spot).within(2.0), radius * 0.6);
            });
        }
    }

    /// Returns the line of a square, counted from 0 at the top; a smaller board is the lower part.
    fn line(&self, square: Square) -> u8 {
        (square.line() + self.size).saturating_sub(games::SIZE)
    }

    /// Returns the area of a spot; a grid has only squares.
    fn area(&self, spot: Spot) -> Area {
        let Spot::Square(file, rank) = spot else { return Area::default() };
        let line = self.size.saturating_sub(rank);
        Area::around(self.middle(file.saturating_sub(1), line), self.cell)
    }

    fn radius(&self) -> f32 {
        self.cell * 0.4
    }
}
