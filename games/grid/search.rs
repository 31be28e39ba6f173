//! Looking ahead, for the program's own moves: alpha-beta with a table of positions seen.
//!
//! A game says in [`Weighed`] what a position is worth that it looks at no further. How far a level
//! looks is counted in positions, never in time, so a level moves alike on every machine.

use super::{Press, Pressing, SIZE, Square, Squares, Stones};
use crate::kit::{Below, Next, Outcome, Seat};

/// What a win is worth, and more than any position of a game that goes on. What it is won by is
/// added to it.
const WIN: i32 = 1 << 24;

/// No line is looked at any further than this.
const PLIES: usize = 128;

/// The points of the board and the pass.
const PRESSES: usize = SIZE as usize * SIZE as usize + 1;

/// Positions that the table can hold.
const TABLE: usize = 1 << 15;

/// How hard a level thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Effort {
    /// How many moves it looks ahead; passes to which there is no choice are not counted.
    pub(crate) depth: u8,
    /// At most so many positions are looked at.
    pub(crate) nodes: u32,
    /// How many moves of a hundred it makes without thinking.
    pub(crate) careless: u8,
}

impl Effort {
    /// What the levels 1 to 4 of a game do unless it says otherwise in [`Weighed::EFFORTS`].
    pub(crate) const LEVELS: [Self; 4] = [
        Self { depth: 1, nodes: 1_000, careless: 25 },
        Self { depth: 2, nodes: 10_000, careless: 0 },
        Self { depth: 4, nodes: 40_000, careless: 0 },
        Self { depth: 64, nodes: 200_000, careless: 0 },
    ];
}

/// A game that can be thought about. Positions are copied for every move looked at, so they should
/// be small and own nothing.
pub(crate) trait Weighed: Pressing {
    /// What the levels 1 to 4 do; level 4 should need no more than half a second for a move.
    const EFFORTS: [Effort; 4] = Effort::LEVELS;

    /// How good the position of a game that goes on is for that seat: as bad for the other one, and
    /// below 2^20 both ways.
    fn value(&self, seat: Seat) -> i32;

    /// How far a seat is ahead where the game is over, below 2^12 both ways: a larger win is better.
    fn margin(&self, _seat: Seat) -> i32 {
        0
    }

    /// How good a press looks before it is tried: good ones first make the search short.
    fn promise(&self, _square: Square) -> i32 {
        0
    }

    /// The legal points worth thinking about: by default all.
    fn candidates(&self) -> Squares {
        self.legal()
    }

    /// Whether to think about a pass, too: by default wherever it is allowed.
    fn considers_pass(&self) -> bool {
        self.may_pass()
    }

    /// A number that positions from which play goes on in different ways do not share, such as
    /// [`key`] makes; none if a position reached in several ways is to be thought about each time.
    fn key(&self) -> Option<u64> {
        None
    }
}

/// A number for these stones with that seat to move, and what else is to be told apart.
pub(crate) fn key(stones: &Stones, turn: Seat, more: u64) -> u64 {
    let mut key = more << 1 | u64::from(turn.0);
    for seat in Seat::BOTH {
        for half in stones[seat].halves() {
            // As in SplitMix64.
            key = key.wrapping_add(half).wrapping_add(0x9e37_79b9_7f4a_7c15);
            key = (key ^ key >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            key = (key ^ key >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            key ^= key >> 31;
        }
    }
    key
}

/// The move that the program makes at that level, from 1 to 4; none where nobody is to move.
pub(crate) fn choose<P: Weighed>(position: &P, level: u8, below: Below) -> Option<Press> {
    best(position, P::EFFORTS[usize::from(level.clamp(1, 4)) - 1], below)
}

/// The best move that so much effort finds, any of several that seem as good; none where nobody is
/// to move.
pub(crate) fn best<P: Weighed>(position: &P, effort: Effort, below: Below) -> Option<Press> {
    let Next::Move(_) = Pressing::next(position) else { return None };
    if effort.careless > 0 && below(100) < usize::from(effort.careless) {
        let square = position.legal().any(below);
        return Some(square.map_or(Press::Pass, Press::At));
    }
    let mut moves = Moves::of(position);
    if moves.len == 0 {
        let square = position.legal().any(below);
        return Some(square.map_or(Press::Pass, Press::At));
    }
    for index in (1..moves.len).rev() {
        moves.list.swap(index, below(index + 1));
    }
    let mut best = moves.list[0].press;
    if moves.len == 1 {
        return Some(best);
    }
    let mut search = Search::new(effort);
    for depth in 1..=u32::from(effort.depth) {
        search.open = false;
        let found = search.root(position, &mut moves, depth);
        if let Some(found) = found {
            best = found;
        }
        if search.is_spent() || !search.open {
            break;
        }
        let of_best = |known: &Known| known.press == best;
        let place = moves.list[..moves.len].iter().position(of_best).expect("it was looked at");
        moves.list[..=place].rotate_right(1);
    }
    Some(best)
}

/// A move to be looked at, with what it promises.
#[derive(Clone, Copy)]
struct Known {
    press: Press,
    promise: i32,
}

/// The moves of a position.
struct Moves {
    list: [Known; PRESSES],
    len: usize,
}

impl Moves {
    fn of<P: Weighed>(position: &P) -> Self {
        let none = Known { press: Press::Pass, promise: i32::MIN };
        let mut moves = Self { list: [none; PRESSES], len: 0 };
        for square in position.candidates().iter() {
            moves.push(Press::At(square), position.promise(square));
        }
        if position.considers_pass() {
            moves.push(Press::Pass, 0);
        }
        moves
    }

    fn push(&mut self, press: Press, promise: i32) {
        self.list[self.len] = Known { press, promise };
        self.len += 1;
    }

    /// The most promising of those from that place on, which it takes.
    fn pick(&mut self, place: usize) -> Press {
        let ahead = &self.list[place..self.len];
        let (offset, _) = (0..)
            .zip(ahead)
            .reduce(|a: (usize, &Known), b| if b.1.promise > a.1.promise { b } else { a })
            .expect("the place is one of the list");
        self.list.swap(place, place + offset);
        self.list[place].press
    }
}

/// What the table remembers of a position.
#[derive(Clone, Copy)]
struct Seen {
    key: u64,
    value: i32,
    depth: u8,
    bound: Bound,
    /// The move that was best, as [`place`] counts them.
    best: u8,
}

/// What a value in the table says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    /// Nothing: nobody was here.
    Free,
    /// It is the value.
    Exact,
    /// The value is no less.
    Least,
    /// The value is no more.
    Most,
}

/// A move as a number below [`PRESSES`].
fn place(press: Press) -> usize {
    match press {
        Press::At(square) => square.index(),
        Press::Pass => PRESSES - 1,
    }
}

struct Search {
    nodes: u32,
    limit: u32,
    /// Whether a line was left off before its game was over.
    open: bool,
    table: Vec<Seen>,
    /// At each ply, the moves that last proved another move wrong.
    killers: [[u8; 2]; PLIES],
    /// How often a move of a seat did so anywhere.
    history: [[i32; PRESSES]; 2],
}

impl Search {
    const NOBODY: u8 = u8::MAX;

    fn new(effort: Effort) -> Self {
        let free = Seen { key: 0, value: 0, depth: 0, bound: Bound::Free, best: Self::NOBODY };
        // So little is not worth a table.
        let table = if effort.depth > 2 { vec![free; TABLE] } else { Vec::new() };
        Self {
            nodes: 0,
            limit: effort.nodes,
            open: false,
            table,
            killers: [[Self::NOBODY; 2]; PLIES],
            history: [[0; PRESSES]; 2],
        }
    }

    const fn is_spent(&self) -> bool {
        self.nodes >= self.limit
    }

    /// The best of these moves, looked at in this order; none if the effort was spent before it
    /// was known of any.
    fn root<P: Weighed>(&mut self, position: &P, moves: &mut Moves, depth: u32) -> Option<Press> {
        let Next::Move(seat) = Pressing::next(position) else { return None };
        let mut best = None;
        let mut alpha = -i32::MAX;
        for index in 0..moves.len {
            let press = moves.list[index].press;
            let value = self.after(position, seat, press, depth, 0, [alpha, i32::MAX], index > 0);
            if self.is_spent() {
                break;
            }
            if value > alpha {
                (alpha, best) = (value, Some(press));
            }
        }
        best
    }

    /// The value for a seat of making that move; of a `late` one it is at first only asked
    /// whether it is better than what is known.
    #[expect(clippy::too_many_arguments, reason = "all of it differs from call to call")]
    fn after<P: Weighed>(
        &mut self,
        position: &P,
        seat: Seat,
        press: Press,
        depth: u32,
        ply: usize,
        [alpha, beta]: [i32; 2],
        late: bool,
    ) -> i32 {
        let mut next = position.clone();
        match press {
            Press::At(square) => next.press(square),
            Press::Pass => next.pass(),
        }
        if late && alpha > -i32::MAX {
            let value = self.seen_by(seat, &next, depth - 1, ply + 1, [alpha, alpha + 1]);
            if value <= alpha || value >= beta {
                return value;
            }
        }
        self.seen_by(seat, &next, depth - 1, ply + 1, [alpha, beta])
    }

    /// The value of a position for a seat, whoever is to move.
    fn seen_by<P: Weighed>(
        &mut self,
        seat: Seat,
        position: &P,
        depth: u32,
        ply: usize,
        [alpha, beta]: [i32; 2],
    ) -> i32 {
        self.nodes += 1;
        match Pressing::next(position) {
            Next::Over(outcome) => ended(position, outcome, seat, ply),
            Next::Move(due) if due == seat => self.value(position, seat, depth, ply, [alpha, beta]),
            Next::Move(due) => -self.value(position, due, depth, ply, [-beta, -alpha]),
            Next::Roll(_) | Next::Deal | Next::Ready(..) => {
                self.open = true;
                position.value(seat)
            }
        }
    }

    /// The value of a position for the seat that is to move. What is not above `alpha` or not below
    /// `beta` is only a bound.
    fn value<P: Weighed>(
        &mut self,
        position: &P,
        seat: Seat,
        depth: u32,
        ply: usize,
        [alpha, beta]: [i32; 2],
    ) -> i32 {
        if depth == 0 || ply + 1 >= PLIES || self.is_spent() {
            self.open = true;
            return position.value(seat);
        }
        let slot = position.key().filter(|_| !self.table.is_empty()).map(|key| {
            let index = usize::try_from(key >> 32).expect("it has 32 bits") % TABLE;
            (key, index)
        });
        let known = slot.map(|(key, index)| (key, self.table[index]));
        let known = known.filter(|(key, seen)| seen.bound != Bound::Free && seen.key == *key);
        if let Some((_, seen)) = known
            && u32::from(seen.depth) >= depth
            && match seen.bound {
                Bound::Exact => true,
                Bound::Least => seen.value >= beta,
                Bound::Most => seen.value <= alpha,
                Bound::Free => false,
            }
        {
            self.open |= seen.value.abs() < WIN / 2;
            return seen.value;
        }
        let mut moves = Moves::of(position);
        if moves.len == 0 {
            self.open = true;
            return position.value(seat);
        }
        // There is nothing to choose, so it does not count as looking ahead.
        let depth =
            if moves.len == 1 && moves.list[0].press == Press::Pass { depth + 1 } else { depth };
        self.order(&mut moves, seat, ply, known.map(|(_, seen)| seen.best));
        let (mut best, mut found, mut bar) = (-i32::MAX, Press::Pass, alpha);
        for index in 0..moves.len {
            let press = moves.pick(index);
            let value = self.after(position, seat, press, depth, ply, [bar, beta], index > 0);
            if self.is_spent() {
                return best.max(value);
            }
            if value > best {
                (best, found) = (value, press);
            }
            bar = bar.max(value);
            if bar >= beta {
                self.refuted_by(press, seat, depth, ply);
                break;
            }
        }
        if let Some((key, index)) = slot {
            let bound = match best {
                _ if best >= beta => Bound::Least,
                _ if best > alpha => Bound::Exact,
                _ => Bound::Most,
            };
            self.table[index] = Seen {
                key,
                value: best,
                depth: u8::try_from(depth).unwrap_or(u8::MAX),
                bound,
                best: u8::try_from(place(found)).expect("the board has few points"),
            };
        }
        best
    }

    /// What is likely to be best comes first: what was so when less was known, then what proved
    /// other moves wrong.
    fn order(&self, moves: &mut Moves, seat: Seat, ply: usize, before: Option<u8>) {
        for known in &mut moves.list[..moves.len] {
            let place = place(known.press);
            known.promise += match u8::try_from(place).ok() {
                of if of == before => 1 << 28,
                Some(of) if self.killers[ply].contains(&of) => 1 << 27,
                _ => self.history[seat.index()][place],
            };
        }
    }

    fn refuted_by(&mut self, press: Press, seat: Seat, depth: u32, ply: usize) {
        let place = place(press);
        let of = u8::try_from(place).expect("the board has few points");
        let killers = &mut self.killers[ply];
        if killers[0] != of {
            *killers = [of, killers[0]];
        }
        let count = &mut self.history[seat.index()][place];
        *count = (*count + i32::try_from(depth * depth).unwrap_or(0)).min(1 << 20);
    }
}

/// What a finished game is worth for a seat: sooner won is better, later lost, too.
fn ended<P: Weighed>(position: &P, outcome: Outcome, seat: Seat, ply: usize) -> i32 {
    let late = i32::try_from(ply).expect("a line is short");
    match outcome {
        Outcome::Won { by, .. } => {
            let worth = WIN + (position.margin(by) << 8) - late;
            if by == seat { worth } else { -worth }
        }
        Outcome::Drawn { .. } => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Line, SIDES};
    use crate::kit::{Chance, Choices, Grid, Manner, Spec, View};

    /// A game with all that a search has to cope with: on three by three points three in a line
    /// win, who presses the middle goes on, some points are closed now and then, and who has none
    /// passes.
    #[derive(Clone, Debug, PartialEq, Eq)]
    struct Toy {
        stones: Stones,
        turn: Seat,
        /// Whether equal positions are recognised.
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
        fn of(rows: &str, turn: u8) -> Self {
            let (stones, _) = Stones::of_rows(rows).unwrap();
            Self { stones, turn: Seat(turn), keyed: false }
        }

        fn open_to_all(&self) -> Squares {
            Squares::corner(3).without(self.stones.lit())
        }
    }

    impl Pressing for Toy {
        const SPEC: Spec = Spec {
            name: "toy",
            title: "Toy",
            about: "a game for tests",
            sides: SIDES,
            help: "",
            verbs: &[],
            options: &[],
            exclusive: &[],
            settings: &[],
            stakes: &[],
            formats: &[],
            manner: Manner::PLAIN,
        };

        fn setup(_options: &Choices) -> Self {
            Self::of(".../.../...", 0)
        }

        fn placed(_options: &Choices, line: &mut Line) -> Result<Self, String> {
            Ok(Self { stones: line.stones, turn: line.side.unwrap(), keyed: false })
        }

        fn line(&self) -> Line {
            Line::new(Some(self.turn), self.stones).sized(3)
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
            // There is no standing still: the first open point goes to the one who passes.
            let first = self.open_to_all().iter().next().unwrap();
            self.stones.give(first.into(), self.turn);
            self.turn = self.turn.other();
        }

        fn grid(&self, _view: &View) -> Grid {
            unreachable!("nobody looks at it")
        }
    }

    impl Weighed for Toy {
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

    /// The value for a seat by trying everything.
    fn plain(position: &Toy, seat: Seat, depth: u32, ply: usize) -> i32 {
        match Pressing::next(position) {
            Next::Over(outcome) => ended(position, outcome, seat, ply),
            _ if depth == 0 => position.value(seat),
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

    /// The positions of random games, those that go on.
    fn positions(games: u64) -> impl Iterator<Item = (Toy, Chance)> {
        (0..games).flat_map(|seed| {
            let mut chance = Chance::new(seed);
            let mut position = Toy::setup(&Choices::default());
            let mut all = Vec::new();
            while let Next::Move(_) = Pressing::next(&position) {
                all.push((position.clone(), chance.clone()));
                let legal = moves(&position);
                position = after(&position, legal[chance.below(legal.len())]);
            }
            all
        })
    }

    /// The best moves, by trying everything so many moves ahead, and what they are worth.
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
                let effort = Effort { depth, nodes: u32::MAX, careless: 0 };
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
            let effort = Effort { depth: 12, nodes: u32::MAX, careless: 0 };
            let found = best(&keyed, effort, &mut |limit| chance.below(limit)).unwrap();
            // The table may remember a win as a few moves nearer or farther than it is.
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
                matches!(Pressing::next(&after(&position, *press)),
                    Next::Over(Outcome::Won { by, .. }) if by == position.turn)
            };
            if moves(&position).iter().any(won) {
                for effort in Toy::EFFORTS {
                    let effort = Effort { careless: 0, ..effort };
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
                    let effort = Effort { depth: 9, nodes, careless };
                    let found = best(&position, effort, &mut |limit| chance.below(limit));
                    assert!(legal.contains(&found.unwrap()), "{position:?} {found:?}");
                }
            }
            for level in [0, 1, 2, 3, 4, 9] {
                let found = choose(&position, level, &mut |limit| chance.below(limit));
                assert!(legal.contains(&found.unwrap()));
            }
        }
        let over = Toy::of("GGG/RR./...", 1);
        assert_eq!(choose(&over, 4, &mut |_| 0), None);
    }

    #[test]
    fn any_of_equal_moves_is_made() {
        let position = Toy::of(".../.../...", 0);
        let mut chance = Chance::new(1);
        let effort = Effort { depth: 1, nodes: 100, careless: 0 };
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
}
