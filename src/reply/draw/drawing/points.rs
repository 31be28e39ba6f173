//! Boards of 24 points: triangles on felt, a bar or a line in the middle, and a tray for the men borne
//! off.

use super::palette::Paint;
use super::player_strip::{self, Strip};
use super::shapes::{Area, Drawing, SheetPoint};
use super::sheet::{Sheet, TextRun};
use super::{BoardLayout, DrawOptions, Marks, arrows, checkers, dice, marks};
use crate::reply::draw::text::points::doubled;
use games::{Corner, Cube, Match, Pile, Points, Rim, Seat, Spot};

const WIDTH: f32 = 600.0;
/// The points of a half.
const HALF: u8 = 6;
/// The height of the rims with the numbers, and the width of the rims at the sides.
const RIM: f32 = 28.0;
const SIDE: f32 = 10.0;
/// The width of the tray with its rim.
const TRAY: f32 = 50.0;
/// The heights of the felt, of a triangle and of the highest pile.
const FELT: f32 = 470.0;
const TRIANGLE: f32 = 195.0;
const PILE: f32 = 210.0;
/// The radius of a man, and the distance between men where there is room.
const RADIUS: f32 = 19.6;
const STEP: f32 = 40.0;
/// The distance of a pile's first man from the rim.
const FIRST: f32 = 21.0;
/// The width of a point on a board with a bar, and with a line.
const COLUMNS: [f32; 2] = [40.0, 42.5];
/// The height of the row with the match score.
const CAPTION: f32 = 30.0;

/// The layout of a board on the sheet.
struct PointsLayout<'a> {
    board: &'a Points,
    /// The side whose men can be chosen and borne off.
    mover: Seat,
    /// The upper edge of the felt.
    top: f32,
    /// The left edge of the points.
    left: f32,
    /// The width of a point.
    column: f32,
    /// The width of the bar or the line.
    gap: f32,
}

pub(super) fn draw(board: &Points, options: &DrawOptions, words: &str) -> Drawing {
    let caption = if board.game_of.is_some() { CAPTION } else { 0.0 };
    let top = player_strip::HEIGHT + RIM;
    let below = top + FELT + RIM;
    let height = below + player_strip::HEIGHT + caption;
    let plan = PointsLayout::new(board, options, top);
    let frame = Area::new(0.0, player_strip::HEIGHT, WIDTH, FELT + 2.0 * RIM);
    let has_players = options.ink.has_players();
    let area = if has_players { Area::new(0.0, 0.0, WIDTH, height) } else { frame };
    let mut sheet = Sheet::new(options.ink, area, words, options.marks.has_links());
    if has_players {
        player(&mut sheet, board, options, board.upper, player_strip::HEIGHT / 2.0);
        player(&mut sheet, board, options, board.upper.other(), below + player_strip::HEIGHT / 2.0);
    }
    if let Some(of) = board.game_of.as_ref().filter(|_| has_players) {
        let at = SheetPoint { x: 8.0, y: height - CAPTION / 2.0 - 4.0 };
        let words = score(of);
        let run = |text| TextRun { paint: Paint::Soft, size: 18.0, text };
        sheet.text_starting_at(at, WIDTH - 16.0, run(&words), run(""));
    }
    sheet.background(|sheet| {
        player_strip::frame(sheet, frame);
        plan.felt(sheet);
    });
    plan.men(&mut sheet);
    plan.tray(&mut sheet);
    plan.last(&mut sheet, options.marks);
    plan.beside(&mut sheet);
    arrows::draw(&mut sheet, &plan, &options.marks.arrows);
    marks(&mut sheet, &plan, options.marks);
    sheet.into_drawing()
}

fn player(sheet: &mut Sheet, board: &Points, options: &DrawOptions, seat: Seat, y: f32) {
    let index = seat.index();
    let pips = format!("{} pips", board.pips[index]);
    let turned = board.cube.filter(|cube| cube.turned == Some(seat) && !is_crawford(board));
    let status = match (turned, board.resigns) {
        (_, Some((by, _))) if by == seat => format!("offers to resign \u{B7} {pips}"),
        (Some(cube), _) => format!("{} \u{B7} {pips}", doubled(cube)),
        _ => pips,
    };
    Strip { seat, status, dice: None }.draw(sheet, options, y, |sheet, at| {
        checkers::man(sheet, seat, at, 15.0);
        checkers::written(sheet, seat, at, 17.0, ["O", "X"][index]);
    });
}

fn score(of: &Match) -> String {
    let [o, x] = of.score;
    let crawford = if of.is_crawford { " \u{B7} Crawford game" } else { "" };
    let title = of.title.map_or_else(String::new, |title| format!(", {title}"));
    format!("Match to {}: O {o}, X {x} \u{B7} game {}{title}{crawford}", of.length, of.game)
}

fn is_crawford(board: &Points) -> bool {
    board.game_of.is_some_and(|of| of.is_crawford)
}

impl<'a> PointsLayout<'a> {
    fn new(board: &'a Points, options: &DrawOptions, top: f32) -> Self {
        let column = COLUMNS[usize::from(board.rim == Rim::Line)];
        let gap = WIDTH - 2.0 * SIDE - TRAY - 12.0 * column;
        let is_right = matches!(board.first, Corner::UpperRight | Corner::LowerRight);
        let left = if is_right { SIDE } else { SIDE + TRAY };
        let thrown = board.dice.as_ref().map(|(seat, _)| *seat);
        let mover = options.turn.or(thrown).unwrap_or(board.upper.other());
        Self { board, mover, top, left, column, gap }
    }

    /// Returns whether a point is in the upper row, and the centre of its column.
    fn column(&self, point: u8) -> (bool, f32) {
        let (upper, right) = match self.board.first {
            Corner::UpperRight => (true, true),
            Corner::UpperLeft => (true, false),
            Corner::LowerRight => (false, true),
            Corner::LowerLeft => (false, false),
        };
        let point = point.clamp(1, 24);
        let (near, steps) = if point <= 12 { (true, point - 1) } else { (false, 24 - point) };
        let slot = if right { 2 * HALF - 1 - steps } else { steps };
        let gap = if slot < HALF { 0.0 } else { self.gap };
        (near == upper, self.left + (f32::from(slot) + 0.5) * self.column + gap)
    }

    /// Returns the centre of the bar.
    fn bar(&self) -> f32 {
        self.left + f32::from(HALF) * self.column + self.gap / 2.0
    }

    /// Returns the left edge of the tray.
    fn tray_left(&self) -> f32 {
        if self.left > SIDE { SIDE } else { WIDTH - SIDE - TRAY + 8.0 }
    }

    /// Returns the y coordinate at a distance from the upper or the lower rim.
    fn height(&self, upper: bool, from_rim: f32) -> f32 {
        if upper { self.top + from_rim } else { self.top + FELT - from_rim }
    }

    fn felt(&self, sheet: &mut Sheet) {
        let half = f32::from(HALF) * self.column;
        for left in [self.left, self.left + half + self.gap] {
            sheet.rectangle(Paint::Felt, Area::new(left, self.top, half, FELT), 0.0);
        }
        for (paint, odd) in [(Paint::Even, 0), (Paint::Odd, 1)] {
            let shapes: Vec<[SheetPoint; 3]> = (1..=24)
                .filter(|point| point % 2 == odd)
                .map(|point| {
                    let (upper, x) = self.column(point);
                    let half = self.column / 2.0 - 1.5;
                    let rim = self.height(upper, 0.0);
                    let peak = self.height(upper, TRIANGLE);
                    [
                        SheetPoint { x: x - half, y: rim },
                        SheetPoint { x: x + half, y: rim },
                        SheetPoint { x, y: peak },
                    ]
                })
                .collect();
            let shapes: Vec<&[SheetPoint]> =
                shapes.iter().map(<[SheetPoint; 3]>::as_slice).collect();
            sheet.shapes(paint, &shapes);
        }
        for point in 1..=24 {
            let (upper, x) = self.column(point);
            let y = self.height(upper, -RIM / 2.0);
            sheet.label(Paint::Number, SheetPoint { x, y }, None, point);
        }
        for upper in [true, false] {
            sheet.rectangle(Paint::Felt, self.tray_area(upper), 4.0);
        }
    }

    fn tray_area(&self, upper: bool) -> Area {
        let high = FELT / 2.0 - 6.0;
        let y = if upper { self.top } else { self.top + FELT - high };
        Area::new(self.tray_left(), y, TRAY - 8.0, high)
    }

    fn men(&self, sheet: &mut Sheet) {
        for (pile, point) in self.board.piles.iter().zip(1..) {
            let (upper, x) = self.column(point);
            pile_of_men(sheet, *pile, |depth| SheetPoint { x, y: self.height(upper, depth) });
        }
        if let Rim::Bar(waiting) = self.board.rim {
            for seat in Seat::BOTH {
                let men = waiting[seat.index()];
                let pile = Pile { holder: (men > 0).then_some(seat), men, pins: false };
                pile_of_men(sheet, pile, |depth| self.waiting(seat, depth));
            }
        }
    }

    /// Returns the place of a man on the bar: across from its own side, the first next to the middle.
    fn waiting(&self, seat: Seat, depth: f32) -> SheetPoint {
        let away = depth + 26.0;
        let middle = self.top + FELT / 2.0;
        let y = if seat == self.board.upper { middle + away } else { middle - away };
        SheetPoint { x: self.bar(), y }
    }

    /// Draws the men borne off, seen from their edge.
    fn tray(&self, sheet: &mut Sheet) {
        for seat in Seat::BOTH {
            let off = self.board.off[seat.index()];
            let upper = seat == self.board.upper;
            let area = self.tray_area(upper).within(4.0);
            let paint = [Paint::O, Paint::X][seat.index()];
            for index in 0..off {
                let from = f32::from(index) * 11.5;
                let y =
                    if upper { area.at.y + from } else { area.at.y + area.height - from - 10.0 };
                sheet.rectangle(paint, Area::new(area.at.x, y, area.width, 9.5), 3.0);
            }
            if off > 0 {
                let from = f32::from(off) * 11.5 + 10.0;
                let y = if upper { area.at.y + from } else { area.at.y + area.height - from };
                sheet.label(Paint::OffCount, SheetPoint { x: area.middle().x, y }, None, off);
            }
        }
    }

    /// Highlights the men moved last, and their starts.
    fn last(&self, sheet: &mut Sheet, marks: &Marks) {
        for (index, way) in marks.last.iter().enumerate() {
            let [Some(from), Some(end)] = [way.first(), way.last()] else { continue };
            sheet.circle(Paint::Left, self.place(*from, true), RADIUS * 0.42);
            let before = marks.last[..index].iter().filter(|way| way.last() == Some(end)).count();
            match *end {
                Spot::Off => {}
                end => checkers::moved(sheet, self.nth_from_top(end, before), RADIUS),
            }
        }
    }

    /// Draws the dice, and the cube: on the bar, or in the half of the player who has to answer.
    fn beside(&self, sheet: &mut Sheet) {
        let middle = self.top + FELT / 2.0;
        let quarter = f32::from(HALF) * self.column / 2.0 + self.gap / 2.0;
        let half = |seat: Seat| {
            let side = if seat == self.board.upper { -quarter } else { quarter };
            SheetPoint { x: self.bar() + side, y: middle }
        };
        if let Some((seat, thrown)) = &self.board.dice {
            dice::row(sheet, half(*seat), thrown);
        }
        let Some(cube) = self.board.cube.filter(|_| !is_crawford(self.board)) else { return };
        let at = match cube {
            Cube { turned: Some(seat), .. } => half(seat.other()),
            Cube { owner: None, .. } => SheetPoint { x: self.bar(), y: middle },
            Cube { owner: Some(seat), .. } => {
                let y = self.height(seat == self.board.upper, dice::SIDE / 2.0 + 2.0);
                SheetPoint { x: self.bar(), y }
            }
        };
        dice::cube(sheet, at, cube);
    }

    fn pile_on(&self, spot: Spot) -> Pile {
        match spot {
            Spot::Point(point @ 1..=24) => self.board.piles[usize::from(point) - 1],
            Spot::Bar => match self.board.rim {
                Rim::Bar(men) => {
                    Pile { holder: Some(self.mover), men: men[self.mover.index()], pins: false }
                }
                Rim::Line => Pile::default(),
            },
            Spot::Point(_) | Spot::Off | Spot::Square(..) => Pile::default(),
        }
    }

    fn at_depth(&self, spot: Spot, depth: f32) -> SheetPoint {
        match spot {
            Spot::Point(point) => {
                let (upper, x) = self.column(point);
                SheetPoint { x, y: self.height(upper, depth) }
            }
            Spot::Bar => self.waiting(self.mover, depth),
            Spot::Off => self.area(spot).middle(),
            Spot::Square(..) => SheetPoint::default(),
        }
    }

    /// Returns the place of the man `below` men under the top of a pile.
    fn nth_from_top(&self, spot: Spot, below: usize) -> SheetPoint {
        let pile = self.pile_on(spot);
        let depths = depths(pile.men, pile.pins);
        let index = depths.len().saturating_sub(1 + below);
        self.at_depth(spot, depths.get(index).copied().unwrap_or(FIRST))
    }
}

/// Draws a pile, with the number of its men if there are more than five.
fn pile_of_men(sheet: &mut Sheet, pile: Pile, at: impl Fn(f32) -> SheetPoint) {
    let Some(holder) = pile.holder else { return };
    let depths = depths(pile.men, pile.pins);
    for (index, depth) in depths.iter().enumerate() {
        let seat = if pile.pins && index == 0 { holder.other() } else { holder };
        checkers::man(sheet, seat, at(*depth), RADIUS);
    }
    if let Some(top) = depths.last().filter(|_| pile.men > 5) {
        checkers::written(sheet, holder, at(*top), RADIUS, &pile.men.to_string());
    }
}

/// Returns the distances of a pile's men from the rim. A pinned man shows below the man that pins it, and
/// a high pile is compressed.
fn depths(men: u8, pins: bool) -> Vec<f32> {
    let under = if pins { RADIUS } else { 0.0 };
    let steps = f32::from(men.max(2)) - 1.0;
    let step = ((PILE - 2.0 * FIRST - under) / steps).min(STEP);
    let above = (0..men).map(|index| under + f32::from(index) * step);
    pins.then_some(0.0).into_iter().chain(above).map(|depth| depth + FIRST).collect()
}

impl BoardLayout for PointsLayout<'_> {
    fn place(&self, spot: Spot, arrives: bool) -> SheetPoint {
        let pile = self.pile_on(spot);
        if !arrives || self.is_held(spot) {
            return self.nth_from_top(spot, 0);
        }
        let depths = depths(pile.men, pile.pins);
        let next = depths.last().map_or(0.0, |depth| depth + STEP);
        self.at_depth(spot, next.clamp(FIRST, PILE + FIRST))
    }

    /// Returns whether the opponent holds a spot: a man joins men of its own side instead of covering
    /// them.
    fn is_held(&self, spot: Spot) -> bool {
        self.pile_on(spot).holder == Some(self.mover.other())
    }

    fn area(&self, spot: Spot) -> Area {
        let high = FELT / 2.0;
        match spot {
            Spot::Point(point) => {
                let (upper, x) = self.column(point);
                let y = if upper { self.top - RIM } else { self.top + high };
                Area::new(x - self.column / 2.0, y, self.column, high + RIM)
            }
            Spot::Bar => {
                let at = self.waiting(self.mover, 0.0);
                let y = if at.y < self.top + high { self.top } else { self.top + high };
                Area::new(self.bar() - 24.0, y, 48.0, high)
            }
            Spot::Off => self.tray_area(self.mover == self.board.upper),
            Spot::Square(..) => Area::default(),
        }
    }

    fn radius(&self) -> f32 {
        RADIUS
    }
}
