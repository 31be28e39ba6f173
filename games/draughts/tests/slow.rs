//! A slow reference for the rules of the family, written from the texts of the rules alone: cells of
//! letters, captures listed one jump at a time, draws counted over the whole game.

use std::collections::{BTreeMap, BTreeSet};

/// A row from the top and a column from the left, each from 1.
type Cell = (i32, i32);

/// A legal move: the numbers of its start, its end, and the men taken.
pub(super) type SlowMove = (u8, u8, BTreeSet<u8>);

/// How a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SlowEnd {
    /// The side with this letter cannot move.
    Lost(char),
    Drawn,
}

/// A position with its whole past.
#[derive(Clone)]
pub(super) struct Slow {
    is_international: bool,
    size: i32,
    /// `w` and `b` are men, `W` and `B` kings.
    cells: BTreeMap<Cell, char>,
    turn: char,
    past: Vec<String>,
    /// The moves since a man was moved or taken.
    quiet: usize,
    /// The moves since each ending began: three men or less and two or less against a king.
    endings: [Option<usize>; 2],
}

impl Slow {
    /// Reads a position in FEN.
    pub(super) fn new(is_international: bool, fen: &str) -> Self {
        let mut parts = fen.split(':');
        let turn = parts.next().unwrap().to_ascii_lowercase().chars().next().unwrap();
        let size = if is_international { 10 } else { 8 };
        let mut slow = Self {
            is_international,
            size,
            cells: BTreeMap::new(),
            turn,
            past: Vec::new(),
            quiet: 0,
            endings: [None; 2],
        };
        let numbers: BTreeMap<u8, Cell> =
            slow.all_cells().into_iter().map(|cell| (slow.number(cell), cell)).collect();
        for part in parts {
            let side = part.chars().next().unwrap().to_ascii_lowercase();
            for item in part[1..].split(',').filter(|item| !item.is_empty()) {
                let is_king = item.starts_with('K');
                let cell = numbers[&item.trim_start_matches('K').parse().unwrap()];
                let letter = if is_king { side.to_ascii_uppercase() } else { side };
                slow.cells.insert(cell, letter);
            }
        }
        slow.past.push(slow.picture());
        slow.endings = slow.endings_now().map(|is_one| is_one.then_some(0));
        slow
    }

    fn all_cells(&self) -> Vec<Cell> {
        let rows = (1..=self.size).flat_map(|row| (1..=self.size).map(move |column| (row, column)));
        rows.filter(|(row, column)| (row + column) % 2 == 1).collect()
    }

    /// Returns the number of a cell by counting those before it.
    fn number(&self, cell: Cell) -> u8 {
        let before = self.all_cells().into_iter().filter(|other| *other <= cell).count();
        u8::try_from(before).unwrap()
    }

    fn picture(&self) -> String {
        let cells: String = self
            .all_cells()
            .iter()
            .map(|cell| self.cells.get(cell).copied().unwrap_or('.'))
            .collect();
        format!("{}{cells}", self.turn)
    }

    fn is_dark(&self, (row, column): Cell) -> bool {
        (1..=self.size).contains(&row) && (1..=self.size).contains(&column)
    }

    fn is_free(&self, cell: Cell) -> bool {
        self.is_dark(cell) && !self.cells.contains_key(&cell)
    }

    fn side(letter: char) -> char {
        letter.to_ascii_lowercase()
    }

    fn is_enemy(&self, cell: Cell) -> bool {
        self.cells.get(&cell).is_some_and(|letter| Self::side(*letter) != self.turn)
    }

    /// White goes up, to smaller rows.
    fn ahead(&self) -> i32 {
        if self.turn == 'w' { -1 } else { 1 }
    }

    fn last_row(&self) -> i32 {
        if self.turn == 'w' { 1 } else { self.size }
    }

    /// Returns the legal moves.
    pub(super) fn moves(&self) -> BTreeSet<SlowMove> {
        let own: Vec<(Cell, char)> = self
            .cells
            .iter()
            .filter(|(_, letter)| Self::side(**letter) == self.turn)
            .map(|(cell, letter)| (*cell, *letter))
            .collect();
        let mut captures = BTreeSet::new();
        for (cell, letter) in &own {
            let mut without = self.clone();
            without.cells.remove(cell);
            let mut ends = Vec::new();
            without.jump(*cell, letter.is_uppercase(), &mut Vec::new(), &mut ends);
            for (end, taken) in ends {
                let taken = taken.iter().map(|cell| self.number(*cell)).collect();
                captures.insert((self.number(*cell), self.number(end), taken));
            }
        }
        if !captures.is_empty() {
            let most = captures.iter().map(|(_, _, taken): &SlowMove| taken.len()).max().unwrap();
            captures.retain(|(_, _, taken)| !self.is_international || taken.len() == most);
            return captures;
        }
        let mut moves = BTreeSet::new();
        for (cell, letter) in own {
            for (up, right) in [(-1, -1), (-1, 1), (1, -1), (1, 1)] {
                if letter.is_lowercase() && up != self.ahead() {
                    continue;
                }
                let far = if letter.is_uppercase() && self.is_international { 20 } else { 1 };
                for steps in 1..=far {
                    let to = (cell.0 + up * steps, cell.1 + right * steps);
                    if !self.is_free(to) {
                        break;
                    }
                    moves.insert((self.number(cell), self.number(to), BTreeSet::new()));
                }
            }
        }
        moves
    }

    /// Adds the ends of all captures that go on from here until no further jump is possible.
    fn jump(
        &self,
        at: Cell,
        is_king: bool,
        taken: &mut Vec<Cell>,
        ends: &mut Vec<(Cell, Vec<Cell>)>,
    ) {
        let mut goes_on = false;
        let crowned = !self.is_international && !is_king && !taken.is_empty();
        let stops = crowned && at.0 == self.last_row();
        for (up, right) in [(-1, -1), (-1, 1), (1, -1), (1, 1)] {
            let backwards = !is_king && !self.is_international && up != self.ahead();
            if stops || backwards {
                continue;
            }
            let along = |steps: i32| (at.0 + up * steps, at.1 + right * steps);
            let flies = is_king && self.is_international;
            let near =
                if flies { (1..20).find(|steps| !self.is_free(along(*steps))) } else { Some(1) };
            let Some(near) = near else { continue };
            let victim = along(near);
            if !self.is_enemy(victim) || taken.contains(&victim) {
                continue;
            }
            for steps in near + 1.. {
                let to = along(steps);
                if !self.is_free(to) {
                    break;
                }
                goes_on = true;
                taken.push(victim);
                self.jump(to, is_king, taken, ends);
                taken.pop();
                if !flies {
                    break;
                }
            }
        }
        if !goes_on && !taken.is_empty() {
            ends.push((at, taken.clone()));
        }
    }

    /// Makes a legal move.
    pub(super) fn make(&mut self, (from, to, taken): &SlowMove) {
        let cell = |number: u8| {
            self.all_cells().into_iter().find(|cell| self.number(*cell) == number).unwrap()
        };
        let (start, end) = (cell(*from), cell(*to));
        let gone: Vec<Cell> = taken.iter().map(|number| cell(*number)).collect();
        let letter = self.cells.remove(&start).unwrap();
        for cell in gone {
            self.cells.remove(&cell).unwrap();
        }
        let is_crowned = end.0 == self.last_row();
        self.cells.insert(end, if is_crowned { letter.to_ascii_uppercase() } else { letter });
        self.quiet = if letter.is_uppercase() && taken.is_empty() { self.quiet + 1 } else { 0 };
        self.turn = if self.turn == 'w' { 'b' } else { 'w' };
        self.past.push(self.picture());
        for (count, is_one) in self.endings_now().into_iter().enumerate() {
            let next = self.endings[count].map_or(0, |count| count + 1);
            self.endings[count] = is_one.then_some(next);
        }
    }

    /// Returns whether a king alone is against few men with a king: three at most, and two at most.
    fn endings_now(&self) -> [bool; 2] {
        let letters = |side: char| -> String {
            self.cells.values().filter(|letter| Self::side(**letter) == side).collect()
        };
        [3, 2].map(|most| {
            [('w', 'b'), ('b', 'w')].into_iter().any(|(weak, strong)| {
                let (weak, strong) = (letters(weak), letters(strong));
                weak.len() == 1
                    && weak.chars().all(char::is_uppercase)
                    && strong.len() <= most
                    && strong.chars().any(char::is_uppercase)
            })
        })
    }

    /// Returns how the game is over.
    pub(super) fn end(&self) -> Option<SlowEnd> {
        if self.moves().is_empty() {
            return Some(SlowEnd::Lost(self.turn));
        }
        let now = self.past.last().unwrap();
        let times = self.past.iter().filter(|other| *other == now).count();
        let is_drawn = if self.is_international {
            let [three, two] = self.endings.map(Option::unwrap_or_default);
            self.quiet >= 50 || three >= 32 || two >= 10
        } else {
            self.quiet >= 80
        };
        (times >= 3 || is_drawn).then_some(SlowEnd::Drawn)
    }
}
