//! Tests of Go.

use super::*;
use crate::kit::fixtures::{options, place, refused, start};
use crate::kit::laws::{all_games, strength_tests};
use crate::kit::{Chance, Entry, Scripted, Transcript, play_text};
use std::collections::HashSet;

fn point(name: &str) -> Point {
    Point::named(name).unwrap()
}

fn played(mut position: Position, moves: &str) -> Position {
    for text in moves.split(',').map(str::trim).filter(|text| !text.is_empty()) {
        let m = position.read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        position.play(&m);
    }
    position
}

/// Returns the position after these moves on five lines.
fn after(moves: &str) -> Position {
    played(start::<Position>(&["size=5"]), moves)
}

/// Returns the position of a line on five lines.
fn at(line: &str) -> Position {
    place::<Position>(&["size=5"], line).unwrap_or_else(|error| panic!("{line}: {error}"))
}

/// A slow and simple referee: colours on a grid, floods for chains and regions, all boards in a list.
#[derive(Clone)]
struct Reference {
    size: usize,
    /// Rows from the top; `B`, `W` or `.`.
    rows: Vec<Vec<char>>,
    past: Vec<Vec<Vec<char>>>,
    black_moves: bool,
}

impl Reference {
    fn new(size: usize) -> Self {
        let rows = vec![vec!['.'; size]; size];
        Self { size, past: vec![rows.clone()], rows, black_moves: true }
    }

    fn beside(&self, [column, row]: [usize; 2]) -> Vec<[usize; 2]> {
        let mut beside = Vec::new();
        for [right, down] in [[0, 1], [1, 0], [2, 1], [1, 2]] {
            if (1..=self.size).contains(&(column + right))
                && (1..=self.size).contains(&(row + down))
            {
                beside.push([column + right - 1, row + down - 1]);
            }
        }
        beside
    }

    fn at(&self, [column, row]: [usize; 2]) -> char {
        self.rows[row][column]
    }

    /// Returns the connected points of one colour, and the colours around them.
    fn flood(&self, from: [usize; 2]) -> (HashSet<[usize; 2]>, HashSet<char>) {
        let (mut seen, mut around) = (HashSet::from([from]), HashSet::new());
        let mut open = vec![from];
        while let Some(at) = open.pop() {
            for next in self.beside(at) {
                if self.at(next) != self.at(from) {
                    around.insert(self.at(next));
                } else if seen.insert(next) {
                    open.push(next);
                }
            }
        }
        (seen, around)
    }

    /// Returns the referee after a stone; `None` if it may not be placed.
    fn placed(&self, place: [usize; 2]) -> Option<Self> {
        let (own, enemy) = if self.black_moves { ('B', 'W') } else { ('W', 'B') };
        if self.at(place) != '.' {
            return None;
        }
        let mut after = self.clone();
        after.rows[place[1]][place[0]] = own;
        for beside in self.beside(place) {
            if after.at(beside) == enemy {
                let (chain, around) = after.flood(beside);
                if !around.contains(&'.') {
                    for [column, row] in chain {
                        after.rows[row][column] = '.';
                    }
                }
            }
        }
        if !after.flood(place).1.contains(&'.') || self.past.contains(&after.rows) {
            return None;
        }
        after.past.push(after.rows.clone());
        after.black_moves = !self.black_moves;
        Some(after)
    }

    fn area(&self) -> [u32; 2] {
        let mut area = [0; 2];
        for column in 0..self.size {
            for row in 0..self.size {
                let around = self.flood([column, row]).1;
                match self.at([column, row]) {
                    'B' => area[0] += 1,
                    'W' => area[1] += 1,
                    _ if around == HashSet::from(['B']) => area[0] += 1,
                    _ if around == HashSet::from(['W']) => area[1] += 1,
                    _ => {}
                }
            }
        }
        area
    }
}

/// Compares legal stones, boards and areas with the referee's in a random game, and returns how many
/// stones only superko forbade, and how many moves were played.
fn compare_with_reference(size: u8, chance: &mut Chance, each: usize) -> [usize; 2] {
    let mut position = start::<Position>(&[&format!("size={size}")]);
    position.all_count = true;
    let mut referee = Reference::new(size.into());
    let place = |point: Point| {
        let [column, rank] = point.place();
        [column - 1, size - rank].map(usize::from)
    };
    let mut counts = [0; 2];
    while let Next::Move(_) = position.next() {
        let moves = position.moves();
        if chance.below(each) == 0 {
            let listed: HashSet<[usize; 2]> = moves
                .iter()
                .filter_map(
                    |m| if let GoMove::Stone(point) = m { Some(place(*point)) } else { None },
                )
                .collect();
            let all = position.board.points().map(place);
            let found: HashSet<_> = all.filter(|at| referee.placed(*at).is_some()).collect();
            assert_eq!(listed, found, "{}", position.notation());
            assert_eq!(position.board.area(), referee.area(), "{}", position.notation());
        }
        let could = |point: &Point| {
            position.board.is_empty(*point) && position.board.can_live(position.turn, *point)
        };
        counts[0] += position.board.points().filter(could).count() + 1 - moves.len();
        counts[1] += 1;
        let chosen = moves[chance.below(moves.len())];
        position.play(&chosen);
        match chosen {
            GoMove::Stone(point) => referee = referee.placed(place(point)).unwrap(),
            _ => referee.black_moves = !referee.black_moves,
        }
        let rows: Vec<String> = referee.rows.iter().map(|row| row.iter().collect()).collect();
        assert_eq!(Position::tiles(&position.board).marks(), rows);
    }
    assert_eq!(position.board.area(), referee.area());
    counts
}

#[test]
fn a_slow_referee_agrees_in_random_games() {
    let mut chance = Chance::new(37);
    let mut counts = [0; 2];
    for _ in 0..100 {
        let [forbidden, moves] = compare_with_reference(5, &mut chance, 4);
        counts = [counts[0] + forbidden, counts[1] + moves];
    }
    compare_with_reference(9, &mut chance, 40);
    assert!(counts[0] > 20 && counts[1] > 2_000, "{counts:?}");
}

#[test]
#[ignore = "takes a minute"]
fn a_slow_referee_agrees_in_two_thousand_random_games() {
    let mut chance = Chance::new(2_000);
    for game in 0..2_000 {
        let [size, each] = [[5, 4], [5, 4], [7, 20], [9, 60]][game % 4];
        compare_with_reference(u8::try_from(size).unwrap(), &mut chance, each);
    }
}

/// Source: J. Tromp and G. Farneback, *Combinatorics of Go*.
#[test]
fn boards_are_legal_where_each_chain_has_a_liberty() {
    for (size, legal) in [(1, 1), (2, 57), (3, 12_675)] {
        let points: Vec<Point> = Board::new(size).points().collect();
        let count = (0..3_u32.pow(u32::from(size).pow(2)))
            .filter(|number| {
                let mut board = Board::new(size);
                for (point, power) in points.iter().zip(0..) {
                    match number / 3_u32.pow(power) % 3 {
                        0 => {}
                        stone => board.put(Seat(u8::from(stone == 2)), *point),
                    }
                }
                board.without_liberty().is_none()
            })
            .count();
        assert_eq!(count, legal, "{size}");
    }
}

/// Each point, then each other one or a pass; captures come later.
#[test]
fn sequences_of_moves_are_counted() {
    let count = |words: &[&str], depth| Position::perft(&options::<Position>(words), depth);
    assert_eq!([1, 2].map(|depth| count(&["size=5"], depth)), [26, 25 * 25 + 26]);
    assert_eq!(count(&[], 1), 362);
}

#[test]
fn stones_without_liberty_are_taken() {
    let corner = after("a1, a2, pass, b1");
    assert_eq!(corner.notation(), "B ...../...../...../W..../.W... moves=aead--be");
    // A chain shares its liberties.
    let taken = played(at("W ...../.WW../WBB../.WW../....."), "d3");
    assert_eq!(["b3", "c3"].map(|stone| taken.board.at(point(stone))), [None, None]);
    assert_eq!(taken.board.area(), [0, 25]);
    // A stone that takes others needs no liberty of its own before.
    let taken = played(at("W ...../...../W..../BW.../.BW.."), "a1");
    assert_eq!(["a2", "b1"].map(|stone| taken.board.at(point(stone))), [None, None]);
    assert_eq!(taken.board.hash(), at("B ...../...../W..../.W.../W.W..").board.hash());
}

#[test]
fn a_stone_is_refused_with_the_reason() {
    let start = after("c3");
    assert_eq!(refused(&start, "c3"), "there is already a stone on c3");
    assert_eq!(refused(&start, "f1"), "there is no point f1: this board ends at e5");
    assert_eq!(refused(&start, "a6"), "there is no point a6: this board ends at e5");
    assert_eq!(refused(&start, "i3"), "there is no point i3: the files leave out i");
    assert_eq!(refused(&start, "a0"), "there is no point a0");
    assert_eq!(refused(&start, "u1"), "there is no point u1");
    assert_eq!(refused(&start, "a20"), "there is no point a20");
    let expected = "expected a point such as c3, `pass`, or `agree` at column 1";
    assert_eq!(refused(&start, "hello"), expected);
    assert_eq!(refused(&start, "b2 b3"), "expected nothing more at column 4");
    assert_eq!(refused(&start, "dead"), "expected a stone, as in `dead c3` at column 5");
    let early = "dead stones are marked once both have passed in a row";
    for words in ["agree", "continue", "dead c3", "alive c3"] {
        assert_eq!(refused(&start, words), early, "{words}");
    }
    let eye = at("B ...../...../...../W..../.W...");
    assert_eq!(refused(&eye, "a1"), "a stone on a1 would have no liberty");
    assert!(played(eye, "pass").read("a1").is_ok());
}

#[test]
fn a_board_may_not_come_again() {
    // A ko: White takes on c3, and Black may not take back at once.
    let ko = played(at("W ...../.BW../B.BW./.BW../....."), "b3");
    assert_eq!(ko.board.at(point("c3")), None);
    let reason = "a stone on c3 would make a board again that has been before";
    assert_eq!(refused(&ko, "c3"), reason);
    // A pass does not lift it; another board does.
    assert_eq!(refused(&played(ko.clone(), "pass, pass, continue, pass"), "c3"), reason);
    let elsewhere = played(ko, "e5, e1");
    assert!(elsewhere.read("c3").is_ok());
    // The past is in the line.
    let placed = at(&elsewhere.notation());
    assert_eq!(placed, elsewhere);
    let retaken = played(placed, "c3");
    assert_eq!(refused(&retaken, "b3"), reason.replace("c3", "b3"));
    assert_eq!(at(&retaken.notation()), retaken);
}

/// Black's wall on file b, White's on file d; a white stone is caught on a5.
const WALLS: &str = "B WB.W./.B.W./.B.W./.B.W./.B.W.";

#[test]
fn the_area_is_stones_and_what_they_alone_surround() {
    let walls = at(WALLS);
    // File c is nobody's; the region of a1 to a4 has Black's wall and White's stone beside it.
    assert_eq!(walls.board.area(), [5, 11]);
    let dead = walls.board.chain(point("a5"));
    assert_eq!(walls.board.without(&dead).area(), [10, 10]);
    assert_eq!(Board::new(5).area(), [0, 0]);
    assert_eq!(walls.lead(&dead), -15);
}

#[test]
fn both_agree_on_the_dead_stones_and_the_larger_area_wins() {
    let scoring = played(at(WALLS), "pass, pass");
    assert_eq!(scoring.next(), Next::Move(Seat(0)));
    assert_eq!(scoring.dead(), scoring.board.chain(point("a5")), "{scoring:?}");
    assert_eq!(
        scoring.notes(),
        [
            "the server proposes: the chain of a5 is dead",
            "say `agree`; or `dead` or `alive` with stones, to propose; or `continue` to play on",
            "counting White's komi of 7.5 points, White leads by 7.5 points"
        ]
    );
    let agreed = played(scoring.clone(), "agree, agree");
    let won = Outcome::Won { by: Seat(1), points: 1, reason: "with more points" };
    assert_eq!(agreed.next(), Next::Over(won));
    assert!(agreed.moves().is_empty() && agreed.read("agree").is_err());
    assert_eq!(agreed.notes()[1], "counting White's komi of 7.5 points, White wins by 7.5 points");
    let Diagram::Board(drawn) = agreed.diagram(&View::default()) else { panic!("it has tiles") };
    assert_eq!(drawn.score, Some(([10, 10], "points".into())));
    assert_eq!(drawn.owners.get(&point("a5").into()), Some(&Seat(0)));
    assert_eq!(drawn.owners.len(), 10);
    // Each change of the marks asks the other side.
    let changed = played(scoring.clone(), "agree, a5, agree");
    assert!(changed.dead().is_empty());
    assert_eq!(changed.next(), Next::Move(Seat(0)));
    assert!(matches!(played(changed.clone(), "agree").next(), Next::Over(_)));
    let back = played(changed, "dead a5, agree, agree");
    assert_eq!(back.next(), Next::Over(won));
    // A tie needs a whole komi.
    let even = start::<Position>(&["size=5", "komi=0"]);
    let line = format!("{WALLS} moves=----====");
    let even = notation::place(
        &even,
        &line.replace("moves", &format!("from={} moves", WALLS.replace(' ', ":"))),
    );
    let drawn = Outcome::Drawn { reason: "both have the same number of points" };
    assert_eq!(even.unwrap().next(), Next::Over(drawn));
}

#[test]
fn marks_are_refused_with_the_reason() {
    let scoring = played(at(WALLS), "pass, pass");
    assert_eq!(refused(&scoring, "dead a5"), "the chain of a5 is already dead");
    assert_eq!(refused(&scoring, "alive b3"), "the chain of b1 is already alive");
    assert_eq!(refused(&scoring, "dead c3"), "there is no stone on c3");
    assert_eq!(refused(&scoring, "dead f3"), "there is no stone on f3");
    assert_eq!(
        refused(&scoring, "c3"),
        "no stone is placed on c3 before one of you says `continue`"
    );
    let both = "both have passed: say `agree` to the dead stones, or `continue` to play on";
    assert_eq!(refused(&scoring, "pass"), both);
    let marked = played(scoring.clone(), "dead d3");
    assert_eq!(marked.next(), Next::Move(Seat(0)));
    assert_eq!(
        refused(&marked, "alive d1"),
        "you have already marked the chain of d1 in this turn"
    );
    let changed = "you have changed what is dead: `agree` proposes it to your opponent";
    assert_eq!(refused(&marked, "continue"), changed);
    // Six proposals are enough.
    let turns = ["alive a5, agree", "dead a5, agree"].join(", ");
    let disputed = played(scoring, &[&*turns; 3].join(", "));
    assert_eq!(
        refused(&disputed, "alive a5"),
        "there have been 6 proposals: say `agree`, or `continue` to play on"
    );
    assert_eq!(disputed.moves(), [GoMove::Agree, GoMove::Continue]);
}

#[test]
fn play_goes_on_where_one_side_wants_it_and_then_all_stones_count() {
    let scoring = played(at(WALLS), "pass, pass, agree");
    let on = played(scoring, "continue");
    assert_eq!(on.next(), Next::Move(Seat(0)), "the other side moves first");
    assert_eq!(on.notes(), ["when both pass again, all stones on the board count"]);
    let all = "all stones on the board count: play goes on until both pass";
    assert_eq!(refused(&on, "agree"), all);
    let over = played(on.clone(), "pass, pass");
    assert_eq!(over.lead(&over.dead()), 2 * (5 - 11) - 15);
    assert!(matches!(over.next(), Next::Over(_)));
    // A side that takes the dead stone counts as if both had agreed on it.
    let taken = played(on, "a4, pass, pass");
    assert_eq!(taken.board.area(), [10, 10]);
    assert_eq!(at(&taken.notation()), taken);
}

#[test]
fn marks_are_said_in_one_line_and_agree_by_themselves() {
    let scoring = played(at("B WB.W./.B.W./.B.W./.B.W./WB.W."), "pass, pass");
    assert_eq!(scoring.dead(), [point("a1"), point("a5")].into_iter().collect());
    let said = |text: &str| {
        let game = crate::find("go").unwrap();
        let mut position =
            game.place(&options::<Position>(&["size=5"]), &scoring.notation()).unwrap();
        assert!(position.can_read(text), "{text}");
        let entries = play_text(&mut *position, Seat(0), text, &mut Scripted::default()).unwrap();
        let words = entries.into_iter().map(|entry| match entry {
            Entry::Moved { text, .. } => text,
            entry => panic!("{entry:?}"),
        });
        words.collect::<Vec<_>>().join(", ")
    };
    assert_eq!(said("agree"), "agree");
    assert_eq!(said("continue"), "continue");
    let both = "alive a1, alive a5, agree";
    for text in
        ["alive a1, a5", "alive a1 a5", "Alive A1 and a5.", "a1, a5", "alive a1, alive a5, agree"]
    {
        assert_eq!(said(text), both, "{text}");
    }
    assert_eq!(said("alive a5, dead d4"), "alive a5, dead d1, agree");
}

#[test]
fn a_handicap_is_on_star_points_and_white_begins() {
    let start = start::<Position>;
    let stones = |words: &[&str]| {
        let start = start(words);
        let points = start.board.points().filter(|point| start.board.at(*point).is_some());
        points.map(|point| point.to_string()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(stones(&["handicap=2"]), "d4 q16");
    assert_eq!(stones(&["handicap=3"]), "d4 q4 q16");
    assert_eq!(stones(&["size=13", "handicap=5"]), "d4 k4 g7 d10 k10");
    assert_eq!(stones(&["size=9", "handicap=6"]), "c3 g3 c5 g5 c7 g7");
    assert_eq!(stones(&["size=9", "handicap=9"]), "c3 e3 g3 c5 e5 g5 c7 e7 g7");
    assert_eq!(stones(&["size=5", "handicap=4"]), "b2 d2 b4 d4");
    let of = |words: &[&str]| (start(words).komi, start(words).turn);
    assert_eq!(of(&[]), (15, Seat(0)));
    assert_eq!(of(&["handicap=1"]), (1, Seat(0)));
    assert_eq!(of(&["handicap=2"]), (1, Seat(1)));
    assert_eq!(of(&["handicap=9", "komi=6.5"]), (13, Seat(1)));
}

#[test]
fn a_line_that_is_no_position_is_refused() {
    const ROWS: &str = "..B../...../...../...../.....";
    for (line, reason) in [
        (String::new(), "a position is the side to move"),
        (format!("G {ROWS}"), "a position is the side to move"),
        ("B .....".into(), "the board has 5 rows of 5 points"),
        (format!("B {}", ROWS.replace('B', "b")), "a position is the side to move"),
        (format!("B {}", ROWS.replace('B', "?")), "a position is the side to move"),
        ("B BW.../W..../...../...../.....".into(), "the stone on a5 has no liberty"),
        (format!("W {ROWS} moves=c"), "a position is the side to move"),
        (format!("W {ROWS} moves=cz"), "a position is the side to move"),
        (format!("W {ROWS} moves=\u{e9}"), "a position is the side to move"),
        (format!("W {ROWS} moves=caca"), "move 2: there is already a stone on c5"),
        (format!("W {ROWS} moves=cb"), "the moves lead to another position"),
        (format!("B {ROWS} moves=ca"), "the moves lead to another position"),
        (format!("W {ROWS} moves=ca more"), "a position is the side to move"),
        (format!("W {ROWS} from=B moves=ca"), "a position is the side to move"),
    ] {
        let error = place::<Position>(&["size=5"], &line).unwrap_err();
        assert!(error.starts_with(reason), "{line}: {error}");
    }
}

/// Returns the program's move at a level.
fn chosen(position: &Position, level: u8) -> String {
    let mut chance = Chance::new(u64::from(level));
    position.choose(level, &mut |limit| chance.below(limit)).unwrap().to_string()
}

#[test]
fn the_program_passes_when_it_is_ahead_and_agrees_to_what_it_sees() {
    let behind = played(at(WALLS), "pass");
    for level in 1..=4 {
        assert_eq!(chosen(&behind, level), "pass");
        let scoring = played(behind.clone(), "pass");
        assert_eq!(chosen(&scoring, level), "agree");
        let cheated = played(scoring, "dead d1, agree");
        assert_eq!(chosen(&cheated, level), "continue");
    }
    // White is behind, so it plays on.
    let ahead = at("B .B..W/.B..W/.B..W/.B..W/.B..W");
    assert_ne!(chosen(&played(at("B .BB.W/.BB.W/.BB.W/.BB.W/.BB.W"), "pass"), 4), "pass");
    assert_ne!(chosen(&ahead, 4), "pass");
    // Only eyes are left.
    let full = at("B .BWW./BBWWW/B.BW./BBBWW/BBBWW");
    assert_eq!(chosen(&full, 4), "pass");
}

#[test]
fn the_program_takes_what_it_can() {
    // Whoever takes on c5 and c4 wins the board.
    let position = at("B .WWW./.WBW./.WBW./.BB.B/..B..");
    let taken = played(position.clone(), &chosen(&position, 4));
    let lost = ["b4", "d4"].map(|name| taken.board.at(point(name)));
    assert!(lost.contains(&None) || taken.board.at(point("c5")).is_some(), "{}", taken.notation());
}

strength_tests!(Position, 10 games on [&["size=5", "komi=0"]], many on &[&["size=9"], &["size=13"]]);

fn sgf_of(players: [&str; 2], words: &[&str], moves: &str) -> String {
    let options = options::<Position>(words);
    let mut position = Position::setup(&options);
    let mut record = Vec::new();
    for text in moves.split(',').map(str::trim) {
        let m = position.read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let entry = Entry::Moved { seat: position.turn, text: m.to_string(), auto: false };
        position.play(&m);
        record.push(entry);
    }
    sgf::write::<Position>(&Transcript {
        players: players.map(str::to_owned),
        options,
        record,
        ending: None,
    })
    .unwrap()
}

const SGF: &str = "(;FF[4]GM[1]CA[UTF-8]AP[Postboard]RU[Chinese]SZ[5]KM[0.5]HA[2]AB[bd][db]
PB[al\\]ice\\\\]
PW[bob]
RE[W+25.5]
;W[cc];B[];W[bc];B[];W[ad];B[];W[be];B[];W[cd];B[];W[]
";

#[test]
fn a_record_is_written_in_sgf_and_read_again() {
    let moves = "c3, pass, b3, pass, a2, pass, b1, pass, c2, pass, pass";
    let agreed = format!("{moves}, agree, agree");
    let written = sgf_of(["al]ice\\", "bob"], &["size=5", "handicap=2"], &agreed);
    assert_eq!(written.split(";T").next(), Some(SGF));
    let read = all_games(sgf::read::<Position>(&written)).unwrap();
    assert_eq!(sgf::write::<Position>(&read[0]).unwrap(), written);
    assert_eq!(read[0].options.words().collect::<Vec<_>>(), ["-size=5", "-handicap=2"]);
    // Play that goes on shows as moves behind two passes.
    for more in ["continue, c1, e5", "agree, continue, e5, c1"] {
        let written = sgf_of(["a", "b"], &["size=5", "handicap=2"], &format!("{moves}, {more}"));
        let again = all_games(sgf::read::<Position>(&written)).unwrap();
        assert_eq!(sgf::write::<Position>(&again[0]).unwrap(), written, "{more}");
        assert_eq!(again[0].record.len(), moves.split(',').count() + more.split(',').count());
    }
}

#[test]
fn random_games_are_written_and_read_as_the_same_game() {
    let mut chance = Chance::new(8);
    let (mut marked, mut all) = (0, String::new());
    for game in 0..60 {
        let words = [["size=5", "komi=0"], ["size=7", "handicap=3"]][game % 2];
        let mut position = start::<Position>(&words);
        let mut record = Vec::new();
        while let Next::Move(seat) = position.next() {
            let moves = position.moves();
            let m = moves[chance.below(moves.len())];
            record.push(Entry::Moved { seat, text: m.to_string(), auto: false });
            position.play(&m);
        }
        let players = ["alice", "bob"].map(str::to_owned);
        let text = sgf::write::<Position>(&Transcript {
            players,
            options: options::<Position>(&words),
            record,
            ending: None,
        })
        .unwrap();
        let read = all_games(sgf::read::<Position>(&text)).unwrap().remove(0);
        assert_eq!(sgf::write::<Position>(&read).unwrap(), text);
        let end: Position = read.replay().unwrap();
        assert_eq!(
            (end.next(), end.dead(), end.board),
            (position.next(), position.dead(), position.board)
        );
        marked += usize::from(text.contains(";TB") || text.contains(";TW"));
        all += &text;
    }
    assert!(marked > 5, "{marked}");
    let again: String = all_games(sgf::read::<Position>(&all))
        .unwrap()
        .iter()
        .map(|it| sgf::write::<Position>(it).unwrap())
        .collect();
    assert_eq!(again, all);
}

#[test]
fn records_of_other_programs_are_read_or_refused_with_the_reason() {
    let read =
        |text: &str| all_games(sgf::read::<Position>(text)).map(|games| games[0].record.len());
    assert_eq!(read("(;FF[3]GaMe[1]SZ[9]KM[5.5];B[dd]C[a \\] (;)](;W[tt];B[])(;W[ee]))"), Ok(3));
    for (text, reason) in [
        ("", "this is no SGF: there is no game that begins with (;"),
        ("(;GM[1]SZ[9]", "line 1: this is no SGF: Unexpected end of data"),
        ("(;GM[2]SZ[9])", "line 1: it is of game 2 of SGF, and Go is 1"),
        ("(;SZ[8])", "line 1: option `-size` takes one of 19, 13, 9, 7, 5"),
        ("(;SZ[9:13])", "line 1: the board is 9 by 13, not a square"),
        (
            "(;SZ[9]KM[-5.5])",
            "line 1: option `-komi` takes a number from 0 to 50 in halves, such as 6.5",
        ),
        ("(;SZ[9]AB[aa])", "line 1: the board does not begin as the options say"),
        ("(;SZ[9]AB[aa][bb])", "line 1: the board does not begin as the options say"),
        ("(;SZ[9];B[aa];AW[bb])", "line 1: men are put on the board or taken off by hand"),
        ("(;SZ[9]AE[aa])", "line 1: men are put on the board or taken off by hand"),
        ("(;SZ[9]AW[aa])", "line 1: the board does not begin as the options say"),
        ("(;SZ[300])", "line 1: 300 is no size of a board"),
        ("(;SZ[9];B[jj])", "line 1: move 1: jj is no point"),
        ("(;SZ[9];B[a])", "line 1: move 1: a is no point"),
        ("(;SZ[9];W[aa])", "line 1: move 1: it is Black's turn"),
        ("(;SZ[9])(;SZ[9];B[aa];W[aa])", "line 1: move 2: there is already a stone on a9"),
        ("(;SZ[9];B[];W[];B[aa];W[];B[];W[bb])", "line 1: move 6: the game is over before it"),
    ] {
        let error = all_games(sgf::read::<Position>(text)).unwrap_err();
        assert!(error.starts_with(reason), "{text}: {error}");
    }
    let deep = format!("(;SZ[9]{})", ";C[]".repeat(100_000));
    assert_eq!(
        all_games(sgf::read::<Position>(&deep)).unwrap_err(),
        "line 1: a game has more than 2000 moves"
    );
    let deep = "(;".repeat(100_000);
    assert_eq!(
        all_games(sgf::read::<Position>(&deep)).unwrap_err(),
        "line 1: a game has more than 2000 moves"
    );
}

/// The lowest level plays out very few games on nineteen lines, so that most points look alike to it.
#[test]
fn the_program_has_no_liking_for_a_corner() {
    let start = start::<Position>(&[]);
    let first = |seed| {
        let mut chance = Chance::new(seed);
        start.choose(1, &mut |limit| chance.below(limit)).unwrap().to_string()
    };
    let lowest: Vec<String> = (1..=20).map(first).filter(|name| name[1..] == *"1").collect();
    assert!(lowest.len() < 8, "{lowest:?}");
}
