//! The 24 points of the backgammon family.
//!
//! Two halves of six points with four columns each. The right margin shows the players on the rows of
//! the numbers, dice and cube on the rows of a side's men, and in the middle the men borne off and the
//! centred cube.

use super::canvas::Canvas;
use super::dice;
use games::{Corner, Cube, Match, Pile, Points, Rim, Seat};

/// The columns of a mail.
const WIDTH: usize = 78;
/// The points of a half.
const HALF: usize = 6;
/// The columns of a point; men are in the first three.
const POINT: usize = 4;
/// The columns of a point in which a pile is drawn, in order.
const COLUMNS: [usize; 3] = [1, 0, 2];
/// The rows of men on each side of the middle.
const DEPTH: usize = 5;
/// The rows of the frame: the upper numbers, the middle, the lower numbers.
const UPPER: usize = 1;
const MIDDLE: usize = UPPER + DEPTH + 1;
const LOWER: usize = MIDDLE + DEPTH + 1;
/// The width of a cube with two digits.
const CUBE: usize = 4;

/// Draws a board of 24 points.
pub(super) fn draw(board: &Points, names: Option<[&str; 2]>) -> String {
    let mut sheet = Canvas::default();
    let left = 2 * HALF * POINT + between(board.rim) + 4;
    let [upper, lower] =
        [board.upper, board.upper.other()].map(|seat| Label::new(board, names, seat, left));
    if let Some(of) = &board.game_of {
        below(&mut sheet, &score(of));
    }
    if let Some(name) = &upper.long_name {
        below(&mut sheet, name);
    }
    let margin = Margin { left, top: sheet.height() };
    frame(&mut sheet, margin.top, board);
    men(&mut sheet, margin.top, board);
    margin.write(&mut sheet, UPPER, &upper.beside);
    margin.write(&mut sheet, MIDDLE, &home(board.off));
    margin.write(&mut sheet, LOWER, &lower.beside);
    match (board.cube, board.game_of) {
        // A Crawford game has no cube.
        (None, _) | (_, Some(Match { is_crawford: true, .. })) => {}
        (Some(cube), _) => margin.cube(&mut sheet, board, cube),
    }
    if let Some(name) = &lower.long_name {
        below(&mut sheet, name);
    }
    margin.dice(&mut sheet, board);
    sheet.into_text()
}

/// Writes a line below everything drawn so far.
fn below(sheet: &mut Canvas, words: &str) {
    let row = sheet.height();
    sheet.put(1, row, words);
}

/// The label of a side: beside the board, and a name too long for it on a line of its own.
struct Label {
    beside: String,
    long_name: Option<String>,
}

impl Label {
    fn new(board: &Points, names: Option<[&str; 2]>, seat: Seat, left: usize) -> Self {
        let (side, index) = (man(seat), seat.index());
        let count = format!("{}/{}", board.pips[index], board.men[index]);
        let name: String = names.map_or("", |names| names[index]).chars().map(printable).collect();
        let beside = format!("{side} {name} {count}");
        if !name.is_empty() && left + beside.len() <= WIDTH {
            return Self { beside, long_name: None };
        }
        let long_name = (!name.is_empty()).then(|| format!("{side} {name:.cut$}", cut = WIDTH - 3));
        Self { beside: format!("{side} {count}"), long_name }
    }
}

/// The margin right of the frame.
struct Margin {
    left: usize,
    /// The first row of the frame.
    top: usize,
}

impl Margin {
    /// Writes words on a row of the frame, cut at the width of a mail.
    fn write(&self, sheet: &mut Canvas, row: usize, words: &str) {
        sheet.put(self.left, self.top + row, &format!("{words:.cut$}", cut = WIDTH - self.left));
    }

    /// Draws the cube in the middle or beside its owner's men, and an open double.
    fn cube(&self, sheet: &mut Canvas, board: &Points, cube: Cube) {
        let row = |seat: Seat| if seat == board.upper { UPPER + 2 } else { LOWER - 2 };
        let face = format!("{:<2}", face(cube));
        let edge = format!("+{:-<len$}+", "", len = face.len());
        let side = format!("|{face}|");
        let at = self.top + cube.owner.map_or(MIDDLE, row);
        for (row, text) in [(at - 1, &edge), (at, &side), (at + 1, &edge)] {
            sheet.put(WIDTH - text.len(), row, text);
        }
        if let Some(seat) = cube.turned {
            self.write(sheet, row(seat), &doubled(cube));
        }
    }

    /// Draws the dice on the roller's side, or below the board if there are many.
    fn dice(&self, sheet: &mut Canvas, board: &Points) {
        let Some((seat, thrown)) = &board.dice else { return };
        if self.left + dice::width(thrown) < WIDTH - CUBE {
            let feet = if *seat == board.upper { MIDDLE } else { LOWER };
            dice::draw(sheet, self.left, self.top + feet - dice::HEIGHT, thrown);
        } else {
            let row = sheet.height();
            dice::draw(sheet, 1, row, thrown);
        }
    }
}

fn frame(sheet: &mut Canvas, top: usize, board: &Points) {
    let half = HALF * POINT;
    let gap = between(board.rim);
    let (bar, empty, foot) = match board.rim {
        Rim::Bar(_) => ("|BAR|", "|   |", "|___|"),
        Rim::Line => ("||", "||", "||"),
    };
    sheet.put(1, top, &"_".repeat(2 * half + gap + 1));
    for row in UPPER..=LOWER {
        let rim = if row == UPPER { bar } else { empty };
        sheet.put(0, top + row, &format!("|{:half$}{rim}{:half$}|", "", ""));
    }
    let floor = "_".repeat(half);
    sheet.put(0, top + LOWER + 1, &format!("|{floor}{foot}{floor}|"));
    for point in 1..=24 {
        let (upper, column) = place(board, point);
        let row = if upper { UPPER } else { LOWER };
        sheet.put(column, top + row, &format!("{point:>2}"));
    }
}

fn men(sheet: &mut Canvas, top: usize, board: &Points) {
    let row = |upper, depth| top + if upper { UPPER + 1 + depth } else { LOWER - 1 - depth };
    for (pile, point) in board.piles.iter().zip(1..) {
        let (upper, column) = place(board, point);
        for man in drawn_men(*pile) {
            sheet.put(column + man.column, row(upper, man.depth), man.letter);
        }
    }
    if let Rim::Bar(waiting) = board.rim {
        for seat in Seat::BOTH {
            // Men on the bar are across from their own side, the first in the middle.
            let upper = seat != board.upper;
            for index in 0..usize::from(waiting[seat.index()]).min(COLUMNS.len() * DEPTH) {
                let column = HALF * POINT + 2 + COLUMNS[index / DEPTH];
                sheet.put(column, row(upper, DEPTH - 1 - index % DEPTH), man(seat));
            }
        }
    }
}

/// A drawn man of a pile.
struct DrawnMan {
    /// The rows from the rim.
    depth: usize,
    /// The column within the point.
    column: usize,
    letter: &'static str,
}

/// Returns the men of a pile.
///
/// No man is drawn beside a pinned man before all other places are taken. The sixteenth man, one
/// more than a side has, is in the middle.
fn drawn_men(pile: Pile) -> impl Iterator<Item = DrawnMan> {
    let pinned = usize::from(pile.pins);
    let places = COLUMNS
        .into_iter()
        .flat_map(move |column| (pinned..DEPTH).map(move |depth| (depth, column)))
        .chain(COLUMNS.into_iter().skip(1).take(2 * pinned).map(|column| (0, column)))
        .chain([(DEPTH, COLUMNS[0])]);
    let holder = pile.holder.into_iter();
    holder.flat_map(move |holder| {
        let above = places.clone().take(usize::from(pile.men));
        let drawn = move |(depth, column), seat| DrawnMan { depth, column, letter: man(seat) };
        let below = pile.pins.then(|| drawn((0, COLUMNS[0]), holder.other()));
        below.into_iter().chain(above.map(move |place| drawn(place, holder)))
    })
}

/// Returns whether a point is in the upper row, and its first column.
pub(in crate::reply::draw) fn place(board: &Points, point: usize) -> (bool, usize) {
    let (upper, right) = match board.first {
        Corner::UpperRight => (true, true),
        Corner::UpperLeft => (true, false),
        Corner::LowerRight => (false, true),
        Corner::LowerLeft => (false, false),
    };
    let (near, steps) = if point <= 12 { (true, point - 1) } else { (false, 24 - point) };
    let slot = if right { 2 * HALF - 1 - steps } else { steps };
    let gap = if slot < HALF { 0 } else { between(board.rim) };
    (near == upper, 1 + POINT * slot + gap)
}

/// Returns the columns between the halves.
fn between(rim: Rim) -> usize {
    match rim {
        Rim::Bar(_) => 5,
        Rim::Line => 2,
    }
}

/// Returns the number on top of a cube. A cube has no 1: at the start of a game it shows 64.
pub(in crate::reply::draw) fn face(cube: Cube) -> u32 {
    match (cube.owner, cube.value) {
        (None, 1) => 64,
        (_, value) => value,
    }
}

/// Returns the text beside the men of the side that has doubled.
pub(in crate::reply::draw) fn doubled(cube: Cube) -> String {
    format!("doubled to {}?", cube.value.saturating_mul(2))
}

pub(in crate::reply::draw) fn score(of: &Match) -> String {
    let [o, x] = of.score;
    let crawford = if of.is_crawford { "  CRAWFORD" } else { "" };
    let title = of.title.map_or_else(String::new, |title| format!(": {}", title.to_uppercase()));
    format!("MATCH TO {}  O {o}  X {x}  GAME {}{title}{crawford}", of.length, of.game)
}

/// Returns the men borne off.
pub(in crate::reply::draw) fn home([o, x]: [u8; 2]) -> String {
    format!("HOME  O {o}  X {x}")
}

/// Returns the letter of a side.
pub(in crate::reply::draw) fn man(seat: Seat) -> &'static str {
    ["O", "X"][seat.index()]
}

/// Returns a character of a name, or `?` if it is not ASCII.
fn printable(letter: char) -> char {
    if letter.is_ascii_graphic() { letter } else { '?' }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::{Diagram, DiceOnTable};
    use proptest::prelude::*;
    use proptest::{collection, option};

    /// Builds a board from piles, each a point and its men from the rim on: `6 XOO`.
    fn board(piles: &str) -> Points {
        let mut board = Points {
            piles: [Pile::default(); 24],
            first: Corner::UpperRight,
            rim: Rim::Bar([0; 2]),
            off: [0; 2],
            men: [15; 2],
            pips: [167; 2],
            upper: Seat(0),
            dice: None,
            cube: None,
            game_of: None,
            resigns: None,
        };
        for pile in piles.split(", ") {
            let (point, men) = pile.split_once(' ').unwrap();
            let seat = Seat(u8::from(men.ends_with('X')));
            let own = men.matches(man(seat)).count();
            board.piles[point.parse::<usize>().unwrap() - 1] = Pile {
                holder: Some(seat),
                men: own.try_into().unwrap(),
                pins: men.starts_with(man(seat.other())),
            };
        }
        board
    }

    fn squares(show: &[u8], is_double: bool) -> DiceOnTable {
        DiceOnTable { faces: 6, show: show.to_vec(), is_double, used: [0; 2] }
    }

    fn drawn(board: &Points, names: [&str; 2]) -> String {
        crate::reply::draw::text(&Diagram::Points(board.clone()), Some(names))
    }

    /// Builds a board of Backgammon as O sees it, with O's home at the lower right.
    fn backgammon(piles: &str) -> Points {
        Points { first: Corner::LowerRight, upper: Seat(1), ..board(piles) }
    }

    fn moultezim(first: Corner, upper: Seat) -> Points {
        let piles = "1 OOOOOOOOOOOOOOO, 13 XXXXXXXXXXXXXXX";
        Points { first, upper, rim: Rim::Line, pips: [360; 2], ..board(piles) }
    }

    fn plakoto(first: Corner, upper: Seat) -> Points {
        let piles = "1 OOOOOOOOOOOOOOO, 24 XXXXXXXXXXXXXXX";
        Points { first, upper, pips: [360; 2], ..board(piles) }
    }

    const START: &str = "24 OO, 13 OOOOO, 8 OOO, 6 OOOOO, 1 XX, 12 XXXXX, 17 XXX, 19 XXXXX";
    const CUBE: Cube = Cube { value: 1, owner: None, turned: None };

    fn game_of(length: u32, score: [u32; 2], game: u32) -> Match {
        Match { length, score, is_crawford: false, game, title: None, last: None }
    }

    fn check(board: &Points, names: [&str; 2], picture: &str) {
        let drawn = drawn(board, names);
        assert_eq!(drawn, picture, "\n{drawn}");
    }

    #[test]
    fn starts() {
        let names = ["alice", "bob"];
        let backgammon = Points { cube: Some(CUBE), ..backgammon(START) };
        check(&backgammon, names, include_str!("pictures/backgammon-start.txt"));
        for (first, upper, picture) in [
            (Corner::UpperRight, Seat(0), include_str!("pictures/plakoto-noflip.txt")),
            (Corner::LowerRight, Seat(1), include_str!("pictures/plakoto-flip.txt")),
        ] {
            check(&plakoto(first, upper), names, picture);
        }
        for (first, upper, picture) in [
            (Corner::UpperRight, Seat(0), include_str!("pictures/moultezim-ur.txt")),
            (Corner::UpperLeft, Seat(0), include_str!("pictures/moultezim-ul.txt")),
            (Corner::LowerRight, Seat(1), include_str!("pictures/moultezim-lr.txt")),
            (Corner::LowerLeft, Seat(1), include_str!("pictures/moultezim-ll.txt")),
        ] {
            let dice = Some((Seat(0), squares(&[5, 1], false)));
            check(&Points { dice, ..moultezim(first, upper) }, names, picture);
        }
    }

    #[test]
    fn what_lies_beside_the_board() {
        let late = Points {
            rim: Rim::Bar([1, 2]),
            off: [4, 0],
            men: [11, 15],
            pips: [69, 151],
            dice: Some((Seat(0), squares(&[6, 2], false))),
            cube: Some(Cube { value: 2, owner: Some(Seat(0)), turned: None }),
            game_of: Some(game_of(7, [3, 2], 4)),
            ..backgammon("6 OOO, 5 OO, 4 OO, 3 OO, 2 O, 1 XX, 19 XXXX, 20 XXX, 21 XX, 22 XX")
        };
        check(&late, ["alice", "bob"], include_str!("pictures/backgammon-late.txt"));
        let doubled = Points {
            dice: None,
            cube: Some(Cube { value: 2, owner: Some(Seat(1)), turned: Some(Seat(1)) }),
            ..late.clone()
        };
        check(&doubled, ["alice", "bob"], include_str!("pictures/backgammon-doubled.txt"));
        let crawford = Points {
            dice: Some((Seat(1), squares(&[3], true))),
            cube: Some(CUBE),
            game_of: Some(Match { is_crawford: true, ..game_of(7, [6, 2], 5) }),
            ..late
        };
        check(&crawford, ["alice", "bob"], include_str!("pictures/backgammon-crawford.txt"));
    }

    #[test]
    fn pinned_men_lie_next_to_the_rim() {
        let pins = Points {
            pips: [165, 243],
            dice: Some((Seat(1), squares(&[4, 3], false))),
            ..board("1 OO, 5 O, 7 XX, 9 XOO, 12 XX, 15 OXXXX, 18 XOOOOOO, 20 OO, 22 OX, 24 XXXX")
        };
        check(&pins, ["alice", "bob"], include_str!("pictures/plakoto-pins.txt"));
        // One man more than a side has, and nearly as many across from it.
        let piles = "18 XOOOOOOOOOOOOOOO, 7 XXXXXXXXXXXXXX";
        let full = Points { pips: [105, 116], ..board(piles) };
        check(&full, ["alice", "bob"], include_str!("pictures/plakoto-full.txt"));
    }

    #[test]
    fn names_that_are_too_long_have_lines_of_their_own() {
        let names = ["alexandra_of_the_seven_mountains", "bartholomew_the_second_of_naxos_"];
        let board = Points {
            dice: Some((Seat(1), squares(&[4], true))),
            cube: Some(Cube { value: 64, owner: Some(Seat(1)), turned: None }),
            game_of: Some(game_of(101, [100, 99], 88)),
            ..backgammon(START)
        };
        check(&board, names, include_str!("pictures/long-names.txt"));
        assert!(drawn(&board, ["twelve_chars", "x"]).contains("|  O twelve_chars 167/15\n"));
    }

    #[test]
    fn many_dice_lie_below_the_board() {
        let many = Points { dice: Some((Seat(0), squares(&[6, 5, 4], false))), ..board("1 O") };
        let picture = drawn(&many, ["alice", "bob"]);
        let dice: Vec<&str> = picture.lines().skip(16).collect();
        assert_eq!(dice.len(), 5, "{picture}");
        assert_eq!(dice[2], " |o   o| |  o  | |     |", "{picture}");
    }

    /// Counts the men that a picture shows on each point, in the columns at its number.
    fn counted(picture: &str) -> [[usize; 2]; 24] {
        let rows: Vec<&str> = picture.lines().collect();
        let rim = rows.iter().position(|row| row.starts_with(" ___")).unwrap();
        let width = rows[rim].len();
        let mut found = [[0; 2]; 24];
        for (numbers, first) in [(rim + 1, rim + 2), (rim + 13, rim + 8)] {
            let digit = |column: usize| rows[numbers].as_bytes()[column].is_ascii_digit();
            for column in (1..width - 3).filter(|column| digit(column + 1) && !digit(column + 2)) {
                let point: usize = rows[numbers][column..column + 2].trim().parse().unwrap();
                for row in &rows[first..first + DEPTH] {
                    for side in Seat::BOTH {
                        found[point - 1][side.index()] +=
                            row[column..column + 3].matches(man(side)).count();
                    }
                }
            }
        }
        found
    }

    fn piles() -> impl Strategy<Value = [Pile; 24]> {
        let pile = (0..2u8, 0..=15u8, any::<bool>()).prop_map(|(seat, men, pins)| {
            let pins = pins && (1..15).contains(&men);
            Pile { holder: (men > 0).then_some(Seat(seat)), men, pins }
        });
        collection::vec(pile, 24).prop_map(|piles| piles.try_into().unwrap())
    }

    fn corner() -> impl Strategy<Value = Corner> {
        prop_oneof![
            Just(Corner::UpperRight),
            Just(Corner::UpperLeft),
            Just(Corner::LowerRight),
            Just(Corner::LowerLeft)
        ]
    }

    fn beside() -> impl Strategy<Value = Points> {
        let seat = || (0..2u8).prop_map(Seat);
        let rim = prop_oneof![Just(Rim::Line), any::<[u8; 2]>().prop_map(Rim::Bar)];
        let dice = (seat(), collection::vec(1..=6u8, 0..=4), any::<bool>(), 2..=3u8).prop_map(
            |(seat, show, is_double, half)| {
                (seat, DiceOnTable { faces: 2 * half, show, is_double, used: [0; 2] })
            },
        );
        let cube = (any::<u32>(), option::of(seat()), option::of(seat()))
            .prop_map(|(value, owner, turned)| Cube { value, owner, turned });
        let game_of = (any::<[u32; 4]>(), any::<bool>()).prop_map(|([length, o, x, game], is)| {
            Match { is_crawford: is, ..game_of(length, [o, x], game) }
        });
        (
            (rim, seat(), any::<[u8; 2]>(), any::<[u8; 2]>(), any::<[u32; 2]>()),
            option::of(dice),
            option::of(cube),
            option::of(game_of),
        )
            .prop_map(|((rim, upper, off, men, pips), dice, cube, game_of)| Points {
                rim,
                upper,
                off,
                men,
                pips,
                dice,
                cube,
                game_of,
                ..board("1 O")
            })
    }

    proptest! {
        #[test]
        fn every_man_is_shown_and_the_picture_fits_into_a_mail(
            beside in beside(), piles in piles(), first in corner(), names in any::<[String; 2]>(),
        ) {
            let board = Points { piles, first, ..beside };
            let picture = drawn(&board, [&names[0], &names[1]]);
            prop_assert!(picture.is_ascii() && picture.ends_with('\n'));
            for line in picture.lines() {
                prop_assert!(line.len() <= WIDTH && !line.ends_with(' '), "{picture}");
                prop_assert!(!line.contains(|letter: char| letter.is_ascii_control()));
            }
            let expected = piles.map(|pile| {
                let mut men = [0; 2];
                if let Some(holder) = pile.holder {
                    men[holder.index()] = usize::from(pile.men);
                    men[holder.other().index()] = usize::from(pile.pins);
                }
                men
            });
            prop_assert_eq!(counted(&picture), expected, "{}", picture);
        }

        #[test]
        fn no_pile_is_too_high(men: [u8; 24], pins: [bool; 24], first in corner()) {
            let mut board = Points { first, ..board("1 O") };
            for (pile, (men, pins)) in board.piles.iter_mut().zip(men.into_iter().zip(pins)) {
                *pile = Pile { holder: Some(Seat(men % 2)), men, pins };
            }
            prop_assert_eq!(drawn(&board, ["alice", "bob"]).lines().count(), 15);
        }

        #[test]
        fn men_on_the_bar_are_all_shown(waiting in [0..=15u8, 0..=15u8]) {
            let board = Points { rim: Rim::Bar(waiting), ..board("1 OO") };
            let picture = drawn(&board, ["alice", "bob"]);
            let shown = |man: char| picture.lines().skip(2).take(11)
                .map(|line| line[26..29].matches(man).count()).sum::<usize>();
            prop_assert_eq!([shown('O'), shown('X')], waiting.map(usize::from));
        }
    }
}
