//! A second implementation of the rules in simple loops, written from their text alone.

use std::collections::BTreeSet;

/// Rows from the top; `.`, `G` or `R`.
pub(super) type Rows = [[u8; 9]; 9];
type LineColumn = (usize, usize);

pub(super) fn other(colour: u8) -> u8 {
    if colour == b'G' { b'R' } else { b'G' }
}

fn beside((line, column): LineColumn) -> Vec<LineColumn> {
    let mut near = Vec::new();
    if line > 0 {
        near.push((line - 1, column));
    }
    if column > 0 {
        near.push((line, column - 1));
    }
    if line < 8 {
        near.push((line + 1, column));
    }
    if column < 8 {
        near.push((line, column + 1));
    }
    near
}

pub(super) fn points() -> impl Iterator<Item = LineColumn> {
    (0..81).map(|at| (at / 9, at % 9))
}

fn mark(rows: &Rows, (line, column): LineColumn) -> u8 {
    rows[line][column]
}

/// Returns the connected points with the same mark, and the other marks beside them.
pub(super) fn group(
    rows: &Rows,
    start: LineColumn,
) -> (BTreeSet<LineColumn>, BTreeSet<LineColumn>) {
    let (mut group, mut rim, mut left) = (BTreeSet::new(), BTreeSet::new(), vec![start]);
    while let Some(at) = left.pop() {
        if mark(rows, at) != mark(rows, start) {
            rim.insert(at);
        } else if group.insert(at) {
            left.extend(beside(at));
        }
    }
    (group, rim)
}

fn breathes(rows: &Rows, at: LineColumn) -> bool {
    group(rows, at).1.iter().any(|&near| mark(rows, near) == b'.')
}

/// Returns the board after a stone, dead enemies removed; `None` if it would have no liberty or the
/// point is lit.
pub(super) fn put(rows: &Rows, at: LineColumn, colour: u8) -> Option<Rows> {
    if mark(rows, at) != b'.' {
        return None;
    }
    let mut after = *rows;
    after[at.0][at.1] = colour;
    for foe in beside(at) {
        if mark(&after, foe) == other(colour) && !breathes(&after, foe) {
            for (line, column) in group(&after, foe).0 {
                after[line][column] = b'.';
            }
        }
    }
    breathes(&after, at).then_some(after)
}

/// Returns the area of each colour, green first.
pub(super) fn area(rows: &Rows) -> [u32; 2] {
    let mut area = [0; 2];
    for at in points() {
        let owner = match mark(rows, at) {
            b'.' => {
                let marks: BTreeSet<u8> =
                    group(rows, at).1.iter().map(|&near| mark(rows, near)).collect();
                if marks.len() == 1 { marks.into_iter().next() } else { None }
            }
            colour => Some(colour),
        };
        match owner {
            Some(b'G') => area[0] += 1,
            Some(_) => area[1] += 1,
            None => {}
        }
    }
    area
}

/// A game with its history.
#[derive(Clone)]
pub(super) struct NaiveGame {
    pub(super) rows: Rows,
    pub(super) turn: u8,
    /// The stones before each move, oldest first.
    before: Vec<Rows>,
    /// The positions just after captures, with the side to move.
    after_taking: Vec<(Rows, u8)>,
    pub(super) passes: u8,
}

impl NaiveGame {
    pub(super) fn new(rows: Rows, turn: u8) -> Self {
        Self { rows, turn, before: Vec::new(), after_taking: Vec::new(), passes: 0 }
    }

    pub(super) fn legal(&self) -> Vec<LineColumn> {
        let no_return = |after: &Rows| self.before.last() != Some(after);
        points()
            .filter(|&at| put(&self.rows, at, self.turn).as_ref().is_some_and(no_return))
            .collect()
    }

    pub(super) fn press(&mut self, at: LineColumn) {
        let after = put(&self.rows, at, self.turn).unwrap();
        let lit = |rows: &Rows| points().filter(|&at| mark(rows, at) != b'.').count();
        let takes = lit(&after) <= lit(&self.rows);
        self.before.push(self.rows);
        (self.rows, self.turn, self.passes) = (after, other(self.turn), 0);
        if takes {
            self.after_taking.push((self.rows, self.turn));
        }
    }

    pub(super) fn pass(&mut self) {
        self.before.push(self.rows);
        (self.turn, self.passes) = (other(self.turn), self.passes + 1);
    }

    pub(super) fn is_third_time(&self) -> bool {
        let now = (self.rows, self.turn);
        self.after_taking.last() == Some(&now)
            && self.after_taking.iter().filter(|&&past| past == now).count() >= 3
    }
}

/// Returns the stones of a colour that are unconditionally alive, by the definition of Benson's
/// theorem.
pub(super) fn alive(rows: &Rows, colour: u8) -> BTreeSet<LineColumn> {
    // The enemy's regions: all points without stones of this colour.
    let mut plain = *rows;
    for (line, column) in points() {
        if plain[line][column] != colour {
            plain[line][column] = b'-';
        }
    }
    let parts = |mark_of: u8| -> BTreeSet<BTreeSet<LineColumn>> {
        points().filter(|&at| mark(&plain, at) == mark_of).map(|at| group(&plain, at).0).collect()
    };
    let (mut chains, mut regions) = (parts(colour), parts(b'-'));
    loop {
        let before = (chains.len(), regions.len());
        chains.retain(|chain| {
            let vital = |region: &&BTreeSet<LineColumn>| {
                region
                    .iter()
                    .filter(|&&at| mark(rows, at) == b'.')
                    .all(|&at| beside(at).iter().any(|near| chain.contains(near)))
            };
            regions.iter().filter(vital).count() >= 2
        });
        regions.retain(|region| {
            let rim = &group(&plain, *region.iter().next().unwrap()).1;
            rim.iter().all(|at| chains.iter().any(|chain| chain.contains(at)))
        });
        if before == (chains.len(), regions.len()) {
            return chains.into_iter().flatten().collect();
        }
    }
}
