//! The walled board of Malaka and Moloko. Walls are the strongest lines; a pinned man shows below the man
//! that pins it.

use super::palette::Paint;
use super::player_strip::Strip;
use super::shapes::{Area, Drawing, SheetPoint};
use super::sheet::Sheet;
use super::square_frame::{BOARD, RIM, TOP, framed};
use super::{BoardLayout, DrawOptions, Marks, arrows, checkers, marks};
use crate::base::words::Plural;
use games::{Corridor, Pile, Seat, Spot};

/// The positions of the points on the sheet.
struct CorridorLayout<'a> {
    board: &'a Corridor,
    /// The width of a point.
    cell: f32,
    /// Whether the board is rotated by half a turn.
    is_turned: bool,
}

pub(super) fn draw(board: &Corridor, options: &DrawOptions, words: &str) -> Drawing {
    let cell = BOARD / f32::from(board.size.max(1));
    let plan = CorridorLayout { board, cell, is_turned: options.orientation.is_turned };
    let strip = |sheet: &mut Sheet, seat, y| player(sheet, board, options, seat, y);
    let mut sheet = framed(options, words, BOARD, strip, |sheet| {
        plan.points(sheet);
        plan.names(sheet);
    });
    plan.ways(&mut sheet, options.marks);
    for (index, pile) in (0..).zip(&board.piles) {
        plan.pile(&mut sheet, index, *pile);
    }
    for way in &options.marks.last {
        if let Some(end) = way.last() {
            checkers::moved(&mut sheet, plan.place(*end, false), plan.radius());
        }
    }
    arrows::draw(&mut sheet, &plan, &options.marks.arrows);
    marks(&mut sheet, &plan, options.marks);
    sheet.into_drawing()
}

fn player(sheet: &mut Sheet, board: &Corridor, options: &DrawOptions, seat: Seat, y: f32) {
    // Without a side to move, the dice are on the side of seat 0.
    let is_theirs = options.turn.unwrap_or(Seat(0)) == seat;
    let steps = usize::try_from(board.connection[seat.index()]).unwrap_or(usize::MAX);
    let status = format!("{} to connect", Plural(steps, "step"));
    let strip = Strip { seat, status, dice: board.dice.as_ref().filter(|_| is_theirs) };
    strip.draw(sheet, options, y, |sheet, at| {
        checkers::man(sheet, seat, at, 15.0);
        checkers::written(sheet, seat, at, 17.0, ["O", "X"][seat.index()]);
    });
}

impl CorridorLayout<'_> {
    /// Returns the upper left corner of a point; files and ranks are counted from 0.
    fn corner(&self, file: f32, rank: f32) -> SheetPoint {
        let last = f32::from(self.board.size) - 1.0;
        let (column, line) = if self.is_turned { (last - file, rank) } else { (file, last - rank) };
        SheetPoint { x: RIM + column * self.cell, y: TOP + line * self.cell }
    }

    /// Draws the points: alternating subareas, lines between points, walls, and the goal edges.
    fn points(&self, sheet: &mut Sheet) {
        let (size, cell) = (f32::from(self.board.size), self.cell);
        sheet.rectangle(Paint::Cell, Area::new(RIM, TOP, BOARD, BOARD), 0.0);
        let third = BOARD / 3.0;
        for index in [1.0, 3.0, 5.0, 7.0] {
            let (column, line) = (index % 3.0, (index / 3.0_f32).floor());
            let area = Area::new(RIM + column * third, TOP + line * third, third, third);
            sheet.rectangle(Paint::Shade, area, 0.0);
        }
        let lines: Vec<[SheetPoint; 2]> = (1..self.board.size)
            .flat_map(|index| {
                let at = f32::from(index) * cell;
                let [left, top] = [RIM + at, TOP + at];
                [
                    [SheetPoint { x: left, y: TOP }, SheetPoint { x: left, y: TOP + BOARD }],
                    [SheetPoint { x: RIM, y: top }, SheetPoint { x: RIM + BOARD, y: top }],
                ]
            })
            .collect();
        sheet.lines(Paint::Line, &lines);
        let goal = |x: f32, y: f32| {
            [SheetPoint { x: RIM + x + 3.0, y }, SheetPoint { x: RIM + x + third - 3.0, y }]
        };
        let [upper, lower] = if self.is_turned {
            [Paint::XGoal, Paint::OGoal]
        } else {
            [Paint::OGoal, Paint::XGoal]
        };
        sheet.line(upper, &goal(2.0 * third, TOP - 1.0));
        sheet.line(lower, &goal(0.0, TOP + BOARD + 1.0));
        let walls: Vec<[SheetPoint; 2]> = self
            .board
            .walls
            .iter()
            .map(|wall| {
                let place = |rank: u8| {
                    let (across, up) = (f32::from(wall.after_file), f32::from(rank));
                    let (column, line) =
                        if self.is_turned { (size - across, up) } else { (across, size - up) };
                    SheetPoint { x: RIM + column * cell, y: TOP + line * cell }
                };
                [place(wall.to_rank), place(wall.from_rank.saturating_sub(1))]
            })
            .collect();
        sheet.lines(Paint::Wall, &walls);
    }

    /// Draws letters below the files and numbers beside the ranks.
    fn names(&self, sheet: &mut Sheet) {
        for (index, letter) in (0..self.board.size).zip('a'..='z') {
            let middle = self
                .corner(f32::from(index), f32::from(index))
                .by(self.cell / 2.0, self.cell / 2.0);
            sheet.label(
                Paint::Number,
                SheetPoint { x: middle.x, y: TOP + BOARD + RIM / 2.0 },
                None,
                letter,
            );
            sheet.label(Paint::Number, SheetPoint { x: RIM / 2.0, y: middle.y }, None, index + 1);
        }
    }

    /// Draws the paths of the men that were moved last, below the men.
    fn ways(&self, sheet: &mut Sheet, marks: &Marks) {
        for way in &marks.last {
            let places: Vec<SheetPoint> =
                way.iter().map(|spot| self.area(*spot).middle()).collect();
            sheet.line(Paint::Way, &places);
        }
    }

    /// Returns the vertical offset of the man that holds a point, and the radius of men there.
    fn holder(&self, pile: Pile) -> (f32, f32) {
        if pile.pins { (-0.09 * self.cell, 0.35 * self.cell) } else { (0.0, self.radius()) }
    }

    fn pile(&self, sheet: &mut Sheet, index: u16, pile: Pile) {
        let Some(holder) = pile.holder else { return };
        let size = u16::from(self.board.size.max(1));
        let corner = self.corner(f32::from(index % size), f32::from(index / size));
        let middle = corner.by(self.cell / 2.0, self.cell / 2.0);
        let (up, radius) = self.holder(pile);
        if pile.pins {
            checkers::man(sheet, holder.other(), middle.by(0.0, 0.13 * self.cell), radius);
        }
        let at = middle.by(0.0, up);
        checkers::man(sheet, holder, at, radius);
        if pile.men > 1 {
            checkers::written(sheet, holder, at, radius, &pile.men.to_string());
        }
    }

    fn pile_on(&self, spot: Spot) -> Pile {
        let size = usize::from(self.board.size);
        match spot {
            Spot::Square(file, rank) => {
                let index = (usize::from(rank).wrapping_sub(1)).wrapping_mul(size);
                let index = index.wrapping_add(usize::from(file).wrapping_sub(1));
                self.board.piles.get(index).copied().unwrap_or_default()
            }
            Spot::Point(_) | Spot::Bar | Spot::Off => Pile::default(),
        }
    }
}

impl BoardLayout for CorridorLayout<'_> {
    fn place(&self, spot: Spot, _comes: bool) -> SheetPoint {
        self.area(spot).middle().by(0.0, self.holder(self.pile_on(spot)).0)
    }

    fn is_held(&self, spot: Spot) -> bool {
        self.pile_on(spot).holder.is_some()
    }

    fn area(&self, spot: Spot) -> Area {
        // A corridor has only squares.
        let Spot::Square(file, rank) = spot else { return Area::default() };
        let at = self.corner(f32::from(file) - 1.0, f32::from(rank) - 1.0);
        Area { at, width: self.cell, height: self.cell }
    }

    fn radius(&self) -> f32 {
        self.cell * 0.4
    }
}
