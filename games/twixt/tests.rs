//! Tests of `TwixT`.

use super::*;
use crate::kit::Chance;
use crate::kit::fixtures::{begun, options, place, sequences, start};
use crate::kit::laws::strength_tests;
use crate::kit::sgf::tests::{of_moves, only_game};
use std::collections::BTreeMap;

fn cell(name: &str) -> Cell {
    Cell::parse(name).unwrap()
}

/// Returns the links of a position in words.
fn links(position: &Position) -> String {
    let notation = position.notation();
    notation.split_once("links=").map_or_else(String::new, |(_, links)| links.to_owned())
}

/// The slow reference: all pegs and links in the order of the moves, and plane geometry.
#[derive(Default)]
struct Reference {
    pegs: Vec<([i32; 2], usize)>,
    links: Vec<([[i32; 2]; 2], usize)>,
}

/// Returns the vector from one point to another.
fn vector([from, to]: [[i32; 2]; 2]) -> [i32; 2] {
    [to[0] - from[0], to[1] - from[1]]
}

/// Returns whether two segments meet within both: by solving, in fractions, for the parts of both that lie
/// before the meeting point.
fn meet(one: [[i32; 2]; 2], other: [[i32; 2]; 2]) -> bool {
    let cross = |left: [i32; 2], right: [i32; 2]| left[1] * right[0] - left[0] * right[1];
    let [along_one, along_other] = [one, other].map(vector);
    let between = vector([one[0], other[0]]);
    let determinant = cross(along_one, along_other);
    let is_within = |part: i32| {
        let (part, whole) = (part * determinant.signum(), determinant.abs());
        0 < part && part < whole
    };
    determinant != 0
        && is_within(cross(between, along_other))
        && is_within(cross(between, along_one))
}

impl Reference {
    /// Returns the links in order.
    fn sorted_links(&self) -> Vec<([[i32; 2]; 2], usize)> {
        let mut links = self.links.clone();
        for (ends, _) in &mut links {
            ends.sort_unstable();
        }
        links.sort_unstable();
        links
    }

    /// Returns whether two holes are a knight's move apart and no link is in the way.
    fn can_link(&self, link: [[i32; 2]; 2], side: usize, own_may_cross: bool) -> bool {
        let [across, along] = [0, 1].map(|axis| (link[0][axis] - link[1][axis]).abs());
        let bars = |of: usize| of != side || !own_may_cross;
        across * along == 2 && !self.links.iter().any(|(laid, of)| bars(*of) && meet(link, *laid))
    }

    fn play(&mut self, at: [i32; 2], side: usize, own_may_cross: bool) {
        for (other, _) in self.pegs.iter().filter(|(_, of)| *of == side) {
            if self.can_link([at, *other], side, own_may_cross) {
                self.links.push(([at, *other], side));
            }
        }
        self.pegs.push((at, side));
    }

    /// Returns the side whose chain of links leads from edge to edge, by painting pegs until nothing changes.
    fn winner(&self, size: i32) -> Option<usize> {
        (0..2).find(|side| {
            let axis = 1 - side;
            let own = || self.pegs.iter().filter(|(_, of)| of == side).map(|(at, _)| *at);
            let mut painted: Vec<[i32; 2]> = own().filter(|at| at[axis] == 1).collect();
            loop {
                let is_new = |at: &[i32; 2]| {
                    !painted.contains(at)
                        && self.links.iter().any(|([one, other], _)| {
                            one == at && painted.contains(other)
                                || other == at && painted.contains(one)
                        })
                };
                let more: Vec<[i32; 2]> = own().filter(is_new).collect();
                if more.is_empty() {
                    break painted.iter().any(|at| at[axis] == size);
                }
                painted.extend(more);
            }
        })
    }

    /// Returns for each hole the fewest pegs that a chain from an edge of a side needs, by walking on from
    /// all holes until nothing changes.
    fn pegs_needed(&self, side: usize, edge: i32, [size, own_may_cross]: [i32; 2]) -> Needs {
        let cost = |at: [i32; 2]| {
            let peg = self.pegs.iter().find(|(taken, _)| *taken == at).map(|(_, of)| *of);
            let is_usable = at[side] != 1 && at[side] != size && peg.is_none_or(|of| of == side);
            is_usable.then_some(usize::from(peg.is_none()))
        };
        let holes = (1..=size).flat_map(|file| (1..=size).map(move |rank| [file, rank]));
        let holes = holes.filter_map(|at| Some((at, cost(at)?))).collect::<Needs>();
        let is_edge = |at: &[i32; 2]| at[1 - side] == edge;
        let mut needs: Needs = holes.clone().into_iter().filter(|(at, _)| is_edge(at)).collect();
        loop {
            let before = needs.clone();
            for (from, need) in &before {
                for (to, more) in &holes {
                    let is_laid = |(ends, _): &([[i32; 2]; 2], usize)| {
                        *ends == [*from, *to] || *ends == [*to, *from]
                    };
                    let can = match (holes[from], more) {
                        (0, 0) => self.links.iter().any(is_laid),
                        _ => self.can_link([*from, *to], side, own_may_cross == 1),
                    };
                    if can && needs.get(to).is_none_or(|known| *known > need + more) {
                        needs.insert(*to, need + more);
                    }
                }
            }
            if needs == before {
                return needs;
            }
        }
    }

    /// Returns the pegs that a side needs, and the empty holes of chains that need up to three more.
    fn chains(&self, side: usize, size: i32, own_may_cross: bool) -> Chains {
        let [from, to] =
            [1, size].map(|edge| self.pegs_needed(side, edge, [size, own_may_cross.into()]));
        let ends = from.iter().filter(|(at, _)| at[1 - side] == size);
        let Some(needs) = ends.map(|(_, need)| *need).min() else { return Chains::default() };
        let is_empty = |at: &[i32; 2]| !self.pegs.iter().any(|(taken, _)| taken == at);
        let detours = [1, 2, 3, 4].map(|more| {
            let sums = from.iter().filter(|(at, need)| {
                is_empty(at) && to.get(*at).is_some_and(|after| *need + after == needs + more)
            });
            sums.map(|([file, rank], _)| Cell {
                file: u8::try_from(*file).unwrap(),
                rank: u8::try_from(*rank).unwrap(),
            })
            .collect()
        });
        Chains { needs: Some(needs), detours }
    }
}

/// Numbers of pegs by file and rank.
type Needs = BTreeMap<[i32; 2], usize>;

/// Returns the file and the rank of a hole.
fn hole(cell: Cell) -> [i32; 2] {
    [cell.file, cell.rank].map(i32::from)
}

/// Returns the links of a position in order, each with the index of its seat.
fn links_by_seat(position: &Position) -> Vec<([[i32; 2]; 2], usize)> {
    let link = |(link, seat): (Link, Seat)| {
        let mut ends = link.ends(position.board.size).unwrap().map(hole);
        ends.sort_unstable();
        (ends, seat.index())
    };
    let mut links: Vec<_> = position.board.links().map(link).collect();
    links.sort_unstable();
    links
}

#[test]
fn plane_geometry_finds_the_same_links_chains_and_winners_in_two_thousand_random_games() {
    let mut chance = Chance::new(39);
    let (mut won, mut drawn, mut swaps) = ([0_u32; 2], 0, 0);
    for game in 0..2_000 {
        let size = if game % 100 == 0 { 12 } else { [6, 8][game % 2] };
        let words = [&*format!("size={size}"), "nocross"];
        let own_may_cross = game % 4 < 2;
        let words = if own_may_cross { &words[..1] } else { &words[..] };
        let mut position = start::<Position>(words);
        let mut reference = Reference::default();
        let mut last = 0;
        while let Next::Move(seat) = position.next() {
            let moves = Game::moves(&position);
            let swap = moves.last().filter(|m| **m == TwixtMove::Swap && chance.below(2) == 0);
            let m = *swap.unwrap_or(&moves[chance.below(moves.len())]);
            match m {
                TwixtMove::Peg(cell) => reference.play(hole(cell), seat.index(), own_may_cross),
                TwixtMove::Swap => {
                    let (first, _) = reference.pegs.remove(0);
                    reference.play([first[1], first[0]], 1, own_may_cross);
                    swaps += 1;
                }
            }
            position.play(&m);
            last = seat.index();
            assert_eq!(
                links_by_seat(&position),
                reference.sorted_links(),
                "{}",
                position.notation()
            );
            let winner = match position.next() {
                Next::Over(Outcome::Won { by, .. }) => Some(by.index()),
                _ => None,
            };
            assert_eq!(winner, reference.winner(size), "{}", position.notation());
            if winner.is_none()
                && (chance.below(16) == 0 || position.next() != Next::Move(seat.other()))
            {
                let expected = [0, 1].map(|side| reference.chains(side, size, own_may_cross));
                assert_eq!(position.chains, expected, "{}", position.notation());
            }
        }
        match position.next() {
            Next::Over(Outcome::Won { by, .. }) => {
                assert_eq!(by.index(), last);
                won[last] += 1;
            }
            _ => drawn += 1,
        }
    }
    assert!(
        won.iter().all(|won| *won > 300) && drawn > 50 && swaps > 500,
        "{won:?} {drawn} {swaps}"
    );
}

/// A link within the board is crossed by nine others, as books on the game say.
#[test]
fn nine_links_cross_a_link() {
    let mut board = Board::new(24, true);
    for (one, other) in [("l12", "m14"), ("l12", "n13"), ("l12", "n11"), ("l12", "m10")] {
        let link = Link::between(cell(one), cell(other), 24).unwrap();
        let crossed = |board: &Board| {
            let all = Cell::all(24).flat_map(|one| Cell::all(24).map(move |other| (one, other)));
            let pairs = all.filter(|(one, other)| one < other);
            let links = pairs.filter_map(|(one, other)| Link::between(one, other, 24));
            links.filter(|link| !board.may_lay(*link, Seat(1))).count()
        };
        let before = crossed(&board);
        board.lay(link, Seat(0));
        assert_eq!(crossed(&board) - before, 9, "{one}-{other}");
        board = Board::new(24, true);
    }
    assert!(Link::between(cell("c3"), cell("e5"), 24).is_none());
}

#[test]
fn a_peg_is_linked_at_once_and_no_link_crosses_one_of_the_other_side() {
    assert_eq!(links(&begun::<Position>(&["size=8"], "c3 d3 d5 c5")), "c3-d5");
    assert_eq!(links(&begun::<Position>(&["size=8"], "c3 d3 d5 c5 b5 f4")), "c3-d5,d3-f4,b5-c3");
    // O's own links may cross, unless the board says otherwise.
    let moves = "c3 g3 c4 g4 d5 g5 e3 g6";
    assert_eq!(links(&begun::<Position>(&["size=8"], moves)), "c3-d5,c4-e3,d5-e3");
    assert_eq!(links(&begun::<Position>(&["size=8", "nocross"], moves)), "c3-d5,d5-e3");
}

#[test]
fn the_lines_of_the_other_side_and_the_corners_are_closed() {
    let refused = |moves: &str, text: &str| {
        begun::<Position>(&["size=8"], moves).read(text).unwrap_err().to_string()
    };
    assert_eq!(refused("", "a4"), "a4 is behind the line of X");
    assert_eq!(refused("", "h4"), "h4 is behind the line of X");
    assert_eq!(refused("b1", "c8"), "c8 is behind the line of O");
    assert_eq!(refused("b1", "c1"), "c1 is behind the line of O");
    assert_eq!(refused("", "a1"), "there is no hole in the corner a1");
    assert_eq!(refused("", "h8"), "there is no hole in the corner h8");
    assert_eq!(refused("", "i4"), "there is no hole i4: this board ends at h8");
    assert_eq!(refused("", "a9"), "there is no hole a9: this board ends at h8");
    assert_eq!(refused("c3", "c3"), "there is already a peg in c3");
    assert_eq!(refused("", "a0"), "there is no hole a0");
    assert_eq!(refused("", "hello"), "expected a hole such as c3, or `swap` at column 1");
    assert_eq!(refused("", "c3 d4"), "expected nothing more at column 4");
    for text in ["c3", "C3", "c 3", "c3*", "1. c3", "C3!"] {
        assert_eq!(begun::<Position>(&[], "").read(text), Ok(TwixtMove::Peg(cell("c3"))), "{text}");
    }
}

/// The peg lies for X as it lay for O, in each hole of the board.
#[test]
fn a_swap_mirrors_the_first_peg_exactly() {
    for size in SIZES {
        let start = start::<Position>(&[&format!("size={size}")]);
        for m in Game::moves(&start) {
            let TwixtMove::Peg(Cell { file, rank }) = m else { panic!("{m}") };
            let mut position = start.clone();
            position.play(&m);
            let before = position.clone();
            position.play(&TwixtMove::Swap);
            let pegs: Vec<(Cell, Seat)> = position.board.pegs().collect();
            assert_eq!(pegs, [(Cell { file: rank, rank: file }, Seat(1))]);
            assert_eq!(Game::next(&position), Next::Move(Seat(0)));
            let [o, x] = before.chains.map(|chains| chains.needs);
            assert_eq!(position.chains.map(|chains| chains.needs), [x, o], "{m}");
        }
    }
    // As the rules of TwixT PP have it.
    let position = begun::<Position>(&[], "b4 swap");
    assert_eq!(position.board.pegs().collect::<Vec<_>>(), [(cell("d2"), Seat(1))]);
    let refused = |words: &[&str], moves: &str| {
        begun::<Position>(words, moves).read("swap").unwrap_err().to_string()
    };
    let late = "only the second player may swap, as the answer to the first peg";
    for moves in ["", "b4 c4", "b4 c4 c5", "b4 swap c5"] {
        assert_eq!(refused(&[], moves), late, "{moves}");
    }
    assert_eq!(refused(&["noswap"], "b4"), "on this board nobody may swap");
}

#[test]
fn a_chain_of_links_wins_and_a_board_on_which_none_is_possible_is_drawn() {
    let won = begun::<Position>(&["size=6"], "c1 a2 d3 a3 c5 a4 e6");
    assert_eq!(links(&won), "c1-d3,c5-e6,c5-d3");
    assert!(matches!(won.next(), Next::Over(Outcome::Won { by: Seat(0), .. })));
    assert!(Game::moves(&won).is_empty() && won.read("c3").is_err());
    let won = begun::<Position>(&["size=6"], "b1 a3 c1 c2 d1 e3 e1 f5");
    assert!(
        matches!(won.next(), Next::Over(Outcome::Won { by: Seat(1), .. })),
        "{}",
        won.notation()
    );
}

#[test]
fn a_line_that_is_no_position_is_refused() {
    for (line, reason) in [
        ("", "a position is the side to move"),
        ("O", "a position is the side to move"),
        ("O ..../....../....../....../......", "the board has 6 rows of 4, 6, 6, 6, 6, 4 holes"),
        (
            "X O.../....../....../....../....../.... last=c1",
            "there is no peg of the last move on c1",
        ),
        ("X O.../....../....../....../....../....", ""),
        ("O O.../....../....../....../....../....", "the numbers of pegs do not fit"),
        ("X X.../....../....../....../....../....", "X may have no peg on b1"),
        ("X ..../O...../....../....../....../....", "O may have no peg on a2"),
        ("O ..../.O..../..X.../....../....../.... links=b2-c3", "b2-c3 is no link between pegs"),
        ("O ..../.O..../....../..X.../....../.... links=b2-c4", "b2-c4 is no link between pegs"),
        ("O ..../.O..../....../..X.../....../.... links=b2c4", "b2c4 is no link between pegs"),
        ("O ..../.O.X../....../..O.../..X.../.... links=b2-c4", ""),
        ("X ..../.OX.../..X.../..O.../.X..../.... links=b2-c4", "the numbers of pegs do not fit"),
        (
            "X ..../.OX.../..O.../.XO.../....../.... links=b2-c4,b4-c2",
            "the link b4-c2 crosses another",
        ),
        ("X O.../....../....../....../....../.... x", "a position is the side to move"),
    ] {
        let placed = place::<Position>(&["size=6"], line);
        match placed {
            Ok(position) => assert!(reason.is_empty(), "{line} {}", position.notation()),
            Err(error) => {
                assert!(!reason.is_empty() && error.starts_with(reason), "{line}: {error}");
            }
        }
    }
}

/// A board of so many files has that many squared less the corners and the edges of the other side; the
/// first peg takes a hole from the second player unless it is on an edge.
#[test]
fn sequences_of_moves_are_counted() {
    let counts = sequences::<Position>;
    let of_size = |size: u64| {
        let (inner, edges) = ((size - 2).pow(2), 2 * (size - 2));
        let own = inner + edges;
        [own, inner * (own - 1) + edges * own]
    };
    for (words, size) in
        [(&["size=6", "noswap"][..], 6), (&["noswap"], 24), (&["size=12", "noswap"], 12)]
    {
        assert_eq!([1, 2].map(|depth| counts(words, depth)), of_size(size));
    }
    let [first, second] = of_size(24);
    assert_eq!(first, 528);
    assert_eq!(counts(&[], 2), second + first);
}

strength_tests!(Position, 10 games on [&["size=8"]], many on &[&["size=12"], &[]]);

/// A peg that wins at once is found by every level but the lowest.
#[test]
fn the_program_joins_its_edges_where_one_peg_does_it() {
    let position = begun::<Position>(&["size=8"], "c1 a2 d3 a3 c5 a4");
    for level in 2..=4 {
        let mut chance = Chance::new(u64::from(level));
        let mut played = position.clone();
        for _ in 0..2 {
            let chosen = played.choose(level, &mut |limit| chance.below(limit)).unwrap();
            played.play(&chosen);
            if matches!(played.next(), Next::Move(_)) {
                played.play(&TwixtMove::Peg(cell("a7")));
            }
        }
        assert!(matches!(played.next(), Next::Over(Outcome::Won { by: Seat(0), .. })), "{level}");
    }
}

#[test]
fn a_record_is_written_with_letters() {
    let of = |words: &[&str], moves| {
        sgf::write::<Position>(&of_moves(options::<Position>(words), moves)).unwrap()
    };
    let head = "(;FF[4]GM[21]CA[UTF-8]AP[Postboard]";
    let names = "\nPB[ann]\nPW[ben]\n";
    assert_eq!(
        of(&[], "b4 swap w23 p12"),
        format!("{head}SZ[24]{names};B[bd];W[swap];B[ww];W[pl])\n")
    );
    let won = "c1 a2 d3 a3 c5 a4 e6";
    let written = of(&["size=6", "noswap", "nocross"], won);
    let expected = format!("{head}RU[no swap, no crossing]SZ[6]{names}RE[B+]\n;B[ca];W[ab];B[dc]");
    assert!(written.starts_with(&expected), "{written}");
    let expected = ("-size=6 -noswap -nocross".to_owned(), won.to_owned());
    assert_eq!(only_game::<Position>(&written), Ok(expected));
}

#[test]
fn records_of_little_golem_are_read() {
    let text = "(;FF[4]EV[twixt.ld.DEFAULT]PB[ann]PW[ben]SZ[24]SO[https://www.littlegolem.net];b[pl];r[ps];\
                b[pr];r[rt];b[ot|draw];r[po])";
    let moves = "p12 p19 p18 r20 o20 p15";
    assert_eq!(only_game::<Position>(text), Ok((String::new(), moves.to_owned())));
    let text = "(;FF[4]PB[ann]PW[ben]SZ[12];b[bd];r[swap];b[ff];r[resign])";
    assert_eq!(only_game::<Position>(text), Ok(("-size=12".into(), "b4 swap f6".into())));
}
