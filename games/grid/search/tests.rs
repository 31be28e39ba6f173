//! Tests of the search with a toy game that can be searched completely.

use super::*;
use crate::grid::{Grid, NotationLine, SIDES};
use crate::kit::minimax::{best, ended};
use crate::kit::{Chance, Choices, Outcome, Spec, View};

/// A game with everything that a search must handle: on three by three points three in a line win,
/// a side that presses the middle moves again, some points are closed at times, and a side without
/// legal points passes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Toy {
    stones: Stones,
    turn: Seat,
    /// Whether the transposition table is used.
    keyed: bool,
}

fn lines() -> impl Iterator<Item = Squares> {
    let of = |cells: [[u8; 2]; 3]| {
        let at = |[line, column]: [u8; 2]| Square::at(6 + line, column).unwrap();
        cells.map(at).into_iter().collect()
    };
    (0..3)
        .flat_map(|k| [[[k, 0], [k, 1], [k, 2]], [[0, k], [1, k], [2, k]]])
        .chain([[[0, 0], [1, 1], [2, 2]], [[0, 2], [1, 1], [2, 0]]])
        .map(of)
}

impl Toy {
    fn from_rows(rows: &str, turn: u8) -> Self {
        let (stones, _) = Stones::of_rows(rows).unwrap();
        Self { stones, turn: Seat(turn), keyed: false }
    }

    fn open_to_all(&self) -> Squares {
        Squares::corner(3).without(self.stones.lit())
    }
}

impl PressGame for Toy {
    const SPEC: Spec = Spec {
        name: "toy",
        title: "Toy",
        about: "a game for tests",
        sides: SIDES,
        help: "",
        ..Spec::PLAIN
    };

    fn setup(_options: &Choices) -> Self {
        Self::from_rows(".../.../...", 0)
    }

    fn placed(_options: &Choices, line: &mut NotationLine) -> Result<Self, String> {
        Ok(Self { stones: line.stones, turn: line.side.unwrap(), keyed: false })
    }

    fn line(&self) -> NotationLine {
        NotationLine::new(Some(self.turn), self.stones).sized(3)
    }

    fn next(&self) -> Next {
        let won = |seat: &Seat| lines().any(|line| line.without(self.stones[*seat]).is_empty());
        match Seat::BOTH.into_iter().find(won) {
            Some(by) => Next::Over(Outcome::Won { by, points: 1, reason: "" }),
            None if self.open_to_all().is_empty() => Next::Over(Outcome::Drawn { reason: "" }),
            None => Next::Move(self.turn),
        }
    }

    fn legal(&self) -> Squares {
        let lit = self.stones.lit().len() as usize;
        self.open_to_all().iter().filter(|at| !(at.index() + lit).is_multiple_of(3)).collect()
    }

    fn forbids(&self, square: Square) -> String {
        format!("{square} is closed")
    }

    fn press(&mut self, square: Square) {
        self.stones.give(square.into(), self.turn);
        if square != "b2".parse().unwrap() {
            self.turn = self.turn.other();
        }
    }

    fn pass(&mut self) {
        // The board always changes: the side that passes gets the first open point.
        let first = self.open_to_all().iter().next().unwrap();
        self.stones.give(first.into(), self.turn);
        self.turn = self.turn.other();
    }

    fn grid(&self, _view: &View) -> Grid {
        unreachable!("nobody looks at it")
    }
}

impl Searchable for Toy {
    const EFFORTS: [Budget; 4] = [
        Budget { depth: 1, nodes: 1_000, careless: 25 },
        Budget { depth: 2, nodes: 10_000, careless: 0 },
        Budget { depth: 4, nodes: 40_000, careless: 0 },
        Budget { depth: 64, nodes: 200_000, careless: 0 },
    ];

    fn value(&self, seat: Seat) -> i32 {
        let worth = |of: Squares| -> i32 {
            of.iter().map(|at| i32::try_from(at.index() * 7 % 11 / 3).unwrap()).sum()
        };
        worth(self.stones[seat]) - worth(self.stones[seat.other()])
    }

    fn promise(&self, square: Square) -> i32 {
        i32::try_from(square.index()).unwrap()
    }

    fn key(&self) -> Option<u64> {
        self.keyed.then(|| key(&self.stones, self.turn, 0))
    }
}

fn moves(position: &Toy) -> Vec<Press> {
    crate::kit::Game::moves(position)
}

fn after(position: &Toy, press: Press) -> Toy {
    let mut next = position.clone();
    crate::kit::Game::play(&mut next, &press);
    next
}

/// Returns the value for a seat by full search.
fn plain(position: &Toy, seat: Seat, depth: u32, ply: usize) -> i32 {
    match PressGame::next(position) {
        Next::Over(outcome) => ended(position, outcome, seat, ply),
        _ if depth == 0 => Searchable::value(position, seat),
        Next::Move(due) => {
            let legal = moves(position);
            let depth = if legal == [Press::Pass] { depth } else { depth - 1 };
            let values =
                legal.iter().map(|&press| plain(&after(position, press), seat, depth, ply + 1));
            let best = if due == seat { values.max() } else { values.min() };
            best.unwrap()
        }
        other => unreachable!("{other:?}"),
    }
}

/// Returns the unfinished positions of random games.
fn positions(games: u64) -> impl Iterator<Item = (Toy, Chance)> {
    (0..games).flat_map(|seed| {
        let mut chance = Chance::new(seed);
        let mut position = Toy::setup(&Choices::default());
        let mut all = Vec::new();
        while let Next::Move(_) = PressGame::next(&position) {
            all.push((position.clone(), chance.clone()));
            let legal = moves(&position);
            position = after(&position, legal[chance.below(legal.len())]);
        }
        all
    })
}

/// Returns the best moves and their value by full search to a depth.
fn all_best(position: &Toy, depth: u32) -> (Vec<Press>, i32) {
    let worth = |press: &Press| plain(&after(position, *press), position.turn, depth - 1, 1);
    let mut legal = moves(position);
    let most = legal.iter().map(worth).max().unwrap();
    legal.retain(|press| worth(press) == most);
    (legal, most)
}

#[test]
fn finds_what_trying_everything_finds() {
    let (mut tried, mut kinds) = (0, [false; 2]);
    for (position, mut chance) in positions(30) {
        for depth in 1..=5_u8 {
            let effort = Budget { depth, nodes: u32::MAX, careless: 0 };
            let found = best(&position, effort, &mut |limit| chance.below(limit)).unwrap();
            let (alike, _) = all_best(&position, depth.into());
            assert!(alike.contains(&found), "{position:?} {depth} {found}");
            tried += 1;
            kinds[0] |= found == Press::Pass;
            kinds[1] |= after(&position, found).turn == position.turn;
        }
    }
    assert!(tried > 800 && kinds == [true; 2], "{tried} {kinds:?}");
}

#[test]
fn a_table_changes_nothing_but_the_way_to_the_end() {
    let mut ends = [0; 3];
    for (position, mut chance) in positions(60) {
        if position.stones.lit().len() < 2 {
            continue;
        }
        let keyed = Toy { keyed: true, ..position.clone() };
        let effort = Budget { depth: 12, nodes: u32::MAX, careless: 0 };
        let found = best(&keyed, effort, &mut |limit| chance.below(limit)).unwrap();
        // The table may remember a win at a slightly different distance.
        let value = plain(&after(&position, found), position.turn, 12, 1).signum();
        assert_eq!(value, all_best(&position, 13).1.signum(), "{position:?} {found}");
        ends[usize::try_from(value + 1).unwrap()] += 1;
    }
    assert!(ends.iter().all(|&count| count > 5), "{ends:?}");
}

#[test]
fn takes_a_win_and_prefers_the_sooner() {
    let mut wins = 0;
    for (position, mut chance) in positions(100) {
        let won = |press: &Press| {
            matches!(PressGame::next(&after(&position, *press)),
                Next::Over(Outcome::Won { by, .. }) if by == position.turn)
        };
        if moves(&position).iter().any(won) {
            for effort in Toy::EFFORTS {
                let effort = Budget { careless: 0, ..effort };
                let found = best(&position, effort, &mut |limit| chance.below(limit));
                assert!(won(&found.unwrap()), "{position:?} {effort:?}");
            }
            wins += 1;
        }
    }
    assert!(wins > 50, "{wins}");
}

#[test]
fn only_makes_legal_moves_however_little_it_may_think() {
    for (position, mut chance) in positions(40) {
        let legal = moves(&position);
        for nodes in [0, 1, 2, 3, 5, 8, 30, 100] {
            for careless in [0, 50] {
                let effort = Budget { depth: 9, nodes, careless };
                let found = best(&position, effort, &mut |limit| chance.below(limit));
                assert!(legal.contains(&found.unwrap()), "{position:?} {found:?}");
            }
        }
        for level in [0, 1, 2, 3, 4, 9] {
            let found = choose(&position, level, &mut |limit| chance.below(limit));
            assert!(legal.contains(&found.unwrap()));
        }
    }
    let over = Toy::from_rows("GGG/RR./...", 1);
    assert_eq!(choose(&over, 4, &mut |_| 0), None);
}

#[test]
fn any_of_equal_moves_is_made() {
    let position = Toy::from_rows(".../.../...", 0);
    let mut chance = Chance::new(1);
    let effort = Budget { depth: 1, nodes: 100, careless: 0 };
    let mut found: Vec<String> = (0..60)
        .filter_map(|_| best(&position, effort, &mut |limit| chance.below(limit)))
        .map(|press| press.to_string())
        .collect();
    found.sort_unstable();
    found.dedup();
    let (alike, _) = all_best(&position, 1);
    let mut alike: Vec<String> = alike.iter().map(ToString::to_string).collect();
    alike.sort_unstable();
    assert_eq!(found, alike);
    assert!(alike.len() > 1);
}
