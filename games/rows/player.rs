//! The program: it counts the rows that each side can still fill, and follows threats further.
//!
//! Source: I-C. Wu and D.-Y. Huang, *A New Family of k-in-a-row Games* (2005), for threats of several stones.

use super::{DIRECTIONS, MAX_SIZE, Opening, Position, RowGame, RowMove, Rules};
use crate::kit::cell::Cell;
use crate::kit::minimax::{self, Budget, Searched};
use crate::kit::tile::hash_of;
use crate::kit::{Next, Outcome, RandomBelow, Seat};

/// The number of levels.
pub(crate) const LEVELS: u8 = 4;

/// The points of the largest board.
const POINTS: usize = MAX_SIZE as usize * MAX_SIZE as usize;

/// How far from other stones a stone is worth a look.
const NEAR: i8 = 2;

/// The most stones that are looked at in a position without threats.
const BREADTH: usize = 14;

/// The stones that are placed to see who is better off in the opening, and the search for each.
const AHEAD: usize = 8;
const GLANCE: Budget = Budget { depth: 2, nodes: 400, careless: 0 };

impl<G: RowGame> Position<G> {
    /// Returns the program's move.
    pub(super) fn program_move(&self, level: u8, below: RandomBelow) -> Option<RowMove> {
        let Next::Move(turn) = crate::kit::Game::next(self) else { return None };
        let budget = G::BUDGETS[usize::from(level.clamp(1, LEVELS) - 1)];
        // White moves next: whoever takes the other colour has Black.
        let wants_white = |below: RandomBelow| Field::of(self, Seat(1)).lead_ahead(below) >= 0;
        match self.opening {
            Opening::Three | Opening::Two => self.any_near(below).map(RowMove::Stone),
            Opening::Choice if !wants_white(below) => Some(RowMove::Swap),
            Opening::Colour if wants_white(below) => Some(RowMove::Swap),
            Opening::Colour => Some(RowMove::Keep),
            Opening::Choice | Opening::Over => {
                let found = minimax::best(&Field::of(self, turn), budget, below);
                found.map(|at| RowMove::Stone(cell_of(at)))
            }
        }
    }

    /// Returns a random free point near other stones, or in the middle of an empty board.
    fn any_near(&self, below: RandomBelow) -> Option<Cell> {
        let points: Vec<usize> = Field::<G>::of(self, self.turn).near().collect();
        (!points.is_empty()).then(|| cell_of(points[below(points.len())]))
    }
}

fn cell_of(point: usize) -> Cell {
    let of = |number: usize| u8::try_from(number + 1).unwrap_or(u8::MAX);
    let side = usize::from(MAX_SIZE);
    Cell { file: of(point % side), rank: of(point / side) }
}

/// Returns the number of a point of the largest board.
fn point_of(cell: Cell) -> usize {
    usize::from(cell.rank - 1) * usize::from(MAX_SIZE) + usize::from(cell.file - 1)
}

/// The stones as the search sees them, with the numbers of stones in each stretch of points that a
/// winning row can fill.
#[derive(Clone)]
struct Field<G> {
    rules: Rules,
    /// 0 for a free point, or the seat of its stone plus 1.
    points: [u8; POINTS],
    /// For each direction and first point of a stretch, the stones of both seats in it, four bits each.
    stretches: [u8; 4 * POINTS],
    /// Of each seat, the number of stretches without an enemy stone by the stones in them.
    open: [[u16; 7]; 2],
    worth: [i32; 2],
    count: usize,
    turn: Seat,
    winner: Option<Seat>,
    hash: u64,
    game: std::marker::PhantomData<fn() -> G>,
}

impl<G: RowGame> Field<G> {
    /// Returns the stones of a position, as if all belonged to their colours and this side moved next.
    fn of(position: &Position<G>, turn: Seat) -> Self {
        let mut field = Self {
            rules: position.rules,
            points: [0; POINTS],
            stretches: [0; 4 * POINTS],
            open: [[0; 7]; 2],
            worth: [0; 2],
            count: 0,
            turn,
            winner: None,
            hash: 0,
            game: std::marker::PhantomData,
        };
        for cell in Cell::all(position.rules.size) {
            if let Some(seat) = position.at(cell) {
                field.put(seat, point_of(cell));
            }
        }
        (field.turn, field.winner) = (turn, position.winner);
        field
    }

    const fn is_full(&self) -> bool {
        self.count == self.rules.size as usize * self.rules.size as usize
    }

    /// Returns the stones that are left of the current turn.
    fn left(&self) -> usize {
        let stones = self.rules.stones;
        if self.count == 0 { 1 } else { stones - (self.count - 1) % stones }
    }

    /// Returns the point so many steps away.
    fn along(&self, point: usize, [right, up]: [i8; 2], steps: i8) -> Option<usize> {
        let cell = cell_of(point).beside([right * steps, up * steps], self.rules.size);
        cell.map(point_of)
    }

    /// Returns the stretches that have a point, each with its first point's number and its direction's.
    fn stretches_of(&self, point: usize) -> impl Iterator<Item = usize> + use<G> {
        let [size, row] = [self.rules.size, self.rules.row].map(i16::from);
        let side = i16::from(MAX_SIZE);
        let at = i16::try_from(point).unwrap_or(0);
        let (x, y) = (at % side, at / side);
        let is_on_board = move |x: i16, y: i16| (0..size).contains(&x) && (0..size).contains(&y);
        (0..4_usize).zip(DIRECTIONS).flat_map(move |(number, step)| {
            let [right, up] = step.map(i16::from);
            (0..row).filter_map(move |back| {
                let (first, low) = (x - back * right, y - back * up);
                let (last, high) = (first + (row - 1) * right, low + (row - 1) * up);
                let start = usize::try_from(low * side + first).unwrap_or(0);
                (is_on_board(first, low) && is_on_board(last, high))
                    .then_some(number * POINTS + start)
            })
        })
    }

    /// Returns how many stones each seat has in a stretch.
    fn stones_in(&self, stretch: usize) -> [usize; 2] {
        let both = usize::from(self.stretches[stretch]);
        [both & 15, both >> 4]
    }

    /// Returns whether a stone on a point makes a winning row.
    fn wins(&self, seat: Seat, point: usize) -> bool {
        let is_own = |at: &usize| self.points[*at] == seat.0 + 1;
        let arm = |step: [i8; 2]| {
            (1..=20).map_while(|steps| self.along(point, step, steps).filter(is_own)).count()
        };
        let needed = usize::from(self.rules.row);
        DIRECTIONS.into_iter().any(|step| {
            let length = 1 + arm(step) + arm(step.map(|part| -part));
            length == needed || length > needed && !self.rules.exact
        })
    }

    /// Adds what a stretch is worth to its side, or takes it away.
    fn weigh(&mut self, stretch: usize, is_added: bool) {
        let (seat, stones) = match self.stones_in(stretch) {
            [0, 0] => return,
            [own, 0] => (0, own),
            [0, own] => (1, own),
            _ => return,
        };
        if is_added {
            self.open[seat][stones] += 1;
            self.worth[seat] += G::WORTH[stones];
        } else {
            self.open[seat][stones] -= 1;
            self.worth[seat] -= G::WORTH[stones];
        }
    }

    fn put(&mut self, seat: Seat, point: usize) {
        for stretch in self.stretches_of(point) {
            self.weigh(stretch, false);
            self.stretches[stretch] += [1, 16][seat.index()];
            self.weigh(stretch, true);
        }
        self.points[point] = seat.0 + 1;
        self.count += 1;
        let number = u128::try_from(point).unwrap_or(0);
        self.hash ^= hash_of(&[number], u64::from(seat.0) + 1);
    }

    /// Returns the free points near stones; on an empty board those in the middle.
    fn near(&self) -> impl Iterator<Item = usize> + use<G> {
        let size = usize::from(self.rules.size);
        let mut is_near = [false; POINTS];
        let mark = |is_near: &mut [bool; POINTS], cell: Cell, by: i8| {
            for right in -by..=by {
                for up in -by..=by {
                    if let Some(cell) = cell.beside([right, up], self.rules.size) {
                        is_near[point_of(cell)] = true;
                    }
                }
            }
        };
        for (point, stone) in self.points.iter().enumerate() {
            if *stone > 0 {
                mark(&mut is_near, cell_of(point), NEAR);
            }
        }
        if self.count == 0 {
            let middle = self.rules.size.div_ceil(2);
            mark(&mut is_near, Cell { file: middle, rank: middle }, 1);
        }
        let points = self.points;
        let all = (0..size)
            .flat_map(move |rank| (0..size).map(move |file| rank * usize::from(MAX_SIZE) + file));
        let is_cut_off = !all.clone().any(|at| is_near[at] && points[at] == 0);
        all.filter(move |at| (is_near[*at] || is_cut_off) && points[*at] == 0)
    }

    /// Returns the most stones of a seat in a stretch around a point without an enemy stone.
    fn longest(&self, seat: Seat, point: usize) -> usize {
        let own = |stretch| match (self.stones_in(stretch), seat) {
            ([own, 0], Seat(0)) | ([0, own], Seat(1)) => own,
            _ => 0,
        };
        self.stretches_of(point).map(own).max().unwrap_or(0)
    }

    /// Returns whether a seat has a stretch in which only so many stones are missing.
    fn threatens(&self, seat: Seat, missing: usize) -> bool {
        let row = usize::from(self.rules.row);
        self.open[seat.index()][row.saturating_sub(missing)..row].iter().any(|many| *many > 0)
    }

    /// Returns what a stone on a point would add to its side and take from the other.
    fn gain(&self, point: usize) -> i32 {
        let more = |stones: usize| G::WORTH[stones + 1] - G::WORTH[stones];
        let gain = |stretch| match self.stones_in(stretch) {
            [0, 0] => more(0),
            [stones, 0] | [0, stones] => more(stones),
            _ => 0,
        };
        self.stretches_of(point).map(gain).sum()
    }

    /// Returns how much better off the side to move is after some moves of both sides.
    fn lead_ahead(&self, below: RandomBelow) -> i32 {
        let (mut field, seat) = (self.clone(), self.turn);
        for _ in 0..AHEAD {
            let Some(at) = minimax::best(&field, GLANCE, below) else { break };
            field.make(at);
        }
        match field.winner {
            Some(by) if by == seat => minimax::WIN,
            Some(_) => -minimax::WIN,
            None => field.value(seat),
        }
    }
}

impl<G: RowGame> Searched for Field<G> {
    /// A point.
    type Move = usize;

    const SLOTS: usize = POINTS;

    fn slot(m: usize) -> usize {
        m
    }

    fn next(&self) -> Next {
        match self.winner {
            Some(by) => Next::Over(Outcome::Won { by, points: 1, reason: G::REASON }),
            None if self.is_full() => Next::Over(Outcome::Drawn { reason: "the board is full" }),
            None => Next::Move(self.turn),
        }
    }

    /// Lists the stones that win in this turn, or that stop the enemy from winning in the next one, or
    /// those that change most.
    fn moves(&self) -> Vec<usize> {
        let (row, left) = (usize::from(self.rules.row), self.left());
        for (seat, stones) in [(self.turn, left), (self.turn.other(), self.rules.stones)] {
            if self.threatens(seat, stones) {
                let is_in = |point: &usize| self.longest(seat, *point) + stones >= row;
                let points: Vec<usize> = self.near().filter(is_in).collect();
                let wins = points.iter().copied().find(|point| self.wins(seat, *point));
                match wins.filter(|_| seat == self.turn) {
                    Some(point) => return vec![point],
                    None if !points.is_empty() => return points,
                    None => {}
                }
            }
        }
        let mut ranked: Vec<(i32, usize)> =
            self.near().map(|point| (-self.gain(point), point)).collect();
        ranked.sort_unstable();
        ranked.truncate(BREADTH);
        ranked.into_iter().map(|(_, point)| point).collect()
    }

    fn promise(&self, m: usize) -> i32 {
        self.gain(m)
    }

    /// Answers to threats are forced.
    fn is_urgent(&self) -> bool {
        self.threatens(self.turn, self.left())
            || self.threatens(self.turn.other(), self.rules.stones)
    }

    fn make(&mut self, m: usize) {
        let seat = self.turn;
        self.put(seat, m);
        if self.wins(seat, m) {
            self.winner = Some(seat);
        }
        if (self.count - 1).is_multiple_of(self.rules.stones) {
            self.turn = seat.other();
        }
    }

    fn value(&self, seat: Seat) -> i32 {
        let [own, other] = [self.turn, self.turn.other()].map(|seat| self.worth[seat.index()]);
        // The side to move makes more of its rows.
        let value = (3 * own - 2 * other).clamp(-(1 << 19), 1 << 19);
        if self.turn == seat { value } else { -value }
    }

    fn key(&self) -> Option<u64> {
        Some(self.hash ^ u64::from(self.turn.0))
    }

    fn any_move(&self, below: RandomBelow) -> Option<usize> {
        let points: Vec<usize> = self.near().collect();
        (!points.is_empty()).then(|| points[below(points.len())])
    }
}
