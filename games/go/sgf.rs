//! Games in the Smart Game Format (A. Hollosi, *SGF FF\[4\]*).
//!
//! What is written is the main line with the rules, komi, handicap and result; the territory of both sides
//! follows once they have agreed on it, dead stones included. What is read is the main line of each game in
//! a file; comments, variations and marks are skipped.

use super::notation::letters;
use super::{GoMove, Point, Position, Scoring, handicap_points};
use crate::kit::{
    Choices, Entry, Game, Next, Outcome, Seat, Spec, Transcript, Values, apply_entry,
};
use sgf_parse::SgfNode;
use sgf_parse::go::{self, Move, Prop};
use std::collections::{BTreeMap, HashSet};

/// The most nodes of a file on a way from its start: the trees of the parser are dropped by recursion.
const DEEPEST: usize = 2_000;

/// The moves of a line.
const MOVES_OF_LINE: usize = 12;

/// The names of the sides in properties.
const COLOURS: [&str; 2] = ["B", "W"];

/// Writes a record.
pub(super) fn write(transcript: &Transcript) -> Result<String, String> {
    let mut position = Position::setup(&transcript.options);
    let start = position.clone();
    let size = start.board.size();
    let mut nodes = Vec::new();
    for (index, entry) in transcript.record.iter().enumerate() {
        let turn = position.turn;
        apply_entry(&mut position, entry)
            .map_err(|error| format!("entry {} of the record: {error}", index + 1))?;
        let value = match position.moves.last() {
            Some(GoMove::Stone(point)) => letters(*point, size),
            Some(GoMove::Pass) => String::new(),
            _ => continue,
        };
        nodes.push(format!(";{}[{value}]", COLOURS[turn.index()]));
    }
    let mut text = format!(
        "(;FF[4]GM[1]CA[UTF-8]AP[Postboard]RU[Chinese]SZ[{size}]KM[{}]",
        Values::of_halves(start.komi)
    );
    let stones: Vec<Point> =
        start.board.points().filter(|point| start.board.at(*point).is_some()).collect();
    if !stones.is_empty() {
        text.extend([format!("HA[{}]AB", stones.len()), values(&stones, size)]);
    }
    for (colour, player) in COLOURS.iter().zip(&transcript.players) {
        text.extend(["\nP", colour, "[", &escaped(player), "]"]);
    }
    if let Next::Over(outcome) = position.next() {
        text.extend(["\nRE[", &result(outcome, &position), "]"]);
    }
    for line in nodes.chunks(MOVES_OF_LINE) {
        text += "\n";
        text += &line.concat();
    }
    if position.scoring.as_ref().is_some_and(Scoring::is_agreed) {
        text += "\n;";
        let territory = position.territory();
        for (seat, name) in Seat::BOTH.into_iter().zip(["TB", "TW"]) {
            let own = territory.iter().filter(|(_, owner)| *owner == seat);
            let own: Vec<Point> = own.map(|(point, _)| *point).collect();
            if !own.is_empty() {
                text.extend([name, &values(&own, size)]);
            }
        }
    }
    Ok(text + ")\n")
}

/// Writes the result of a game: `B+2.5`, `0`.
fn result(outcome: Outcome, position: &Position) -> String {
    match outcome {
        Outcome::Won { by, .. } => {
            let lead = position.lead(&position.dead()).unsigned_abs();
            let lead = Values::of_halves(u32::try_from(lead).unwrap_or(u32::MAX));
            format!("{}+{lead}", COLOURS[by.index()])
        }
        Outcome::Drawn { .. } => "0".into(),
    }
}

/// Writes points as the values of a property.
fn values(points: &[Point], size: u8) -> String {
    let letters = points.iter().map(|point| letters(*point, size));
    letters.flat_map(|letters| ["[".to_owned(), letters, "]".to_owned()]).collect()
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

/// Reads all games of a file.
pub(super) fn read(text: &str) -> Result<Vec<Transcript>, String> {
    check_depth(text)?;
    let roots = go::parse(text).map_err(|error| format!("this is no SGF of Go: {error}"))?;
    let games = (1..).zip(&roots);
    games.map(|(number, root)| game(root).map_err(|why| format!("game {number}: {why}"))).collect()
}

/// Checks that no way through a file is too long.
fn check_depth(text: &str) -> Result<(), String> {
    let (mut before, mut depth) = (Vec::new(), 0);
    let (mut is_value, mut is_escaped) = (false, false);
    for sign in text.chars() {
        match sign {
            _ if is_escaped => is_escaped = false,
            '\\' if is_value => is_escaped = true,
            ']' => is_value = false,
            _ if is_value => {}
            '[' => is_value = true,
            '(' => before.push(depth),
            ')' => depth = before.pop().unwrap_or(0),
            ';' => depth += 1,
            _ => {}
        }
        if depth > DEEPEST || before.len() > DEEPEST {
            return Err(format!("a game has more than {DEEPEST} moves"));
        }
    }
    Ok(())
}

/// Reads a game from its root.
fn game(root: &SgfNode<Prop>) -> Result<Transcript, String> {
    let options = options(root)?;
    let mut players = COLOURS.map(|_| "?".to_owned());
    for prop in root.properties() {
        match prop {
            Prop::PB(name) => players[0].clone_from(&name.text),
            Prop::PW(name) => players[1].clone_from(&name.text),
            _ => {}
        }
    }
    let mut played = Played { position: Position::setup(&options), record: Vec::new() };
    let (mut node, mut number) = (Some(root), 0);
    let mut territory = BTreeMap::new();
    while let Some(at) = node {
        for prop in at.properties() {
            let (seat, value) = match prop {
                Prop::B(value) => (Seat(0), value),
                Prop::W(value) => (Seat(1), value),
                Prop::TB(points) => {
                    mark(&mut territory, points, Seat(0));
                    continue;
                }
                Prop::TW(points) => {
                    mark(&mut territory, points, Seat(1));
                    continue;
                }
                Prop::Invalid(name, _) if COLOURS.contains(&&**name) => {
                    return Err(format!("move {}: {name} is no point", number + 1));
                }
                Prop::AE(_) | Prop::AW(_) => return Err(USUAL_START.into()),
                Prop::AB(_) if number > 0 => return Err(USUAL_START.into()),
                _ => continue,
            };
            number += 1;
            played.add(seat, *value).map_err(|why| format!("move {number}: {why}"))?;
        }
        node = at.children().next();
    }
    if !territory.is_empty() {
        played.agree(&territory);
    }
    Ok(Transcript { players, options, record: played.record })
}

const USUAL_START: &str = "a game must begin on an empty board, or with a handicap on star points";

/// Notes whose some points are, by column and row from 0.
fn mark(territory: &mut BTreeMap<[u8; 2], Seat>, points: &HashSet<go::Point>, seat: Seat) {
    territory.extend(points.iter().map(|point| ([point.x, point.y], seat)));
}

/// Returns the options of a game from its root.
fn options(root: &SgfNode<Prop>) -> Result<Choices, String> {
    let spec: &Spec = &Position::SPEC;
    let (mut size, mut handicap) = ((19, 19), 0);
    let (mut komi, mut stones) = (None, None);
    for prop in root.properties() {
        match prop {
            Prop::SZ(both) => size = *both,
            Prop::KM(points) => komi = Some(*points),
            Prop::HA(number) => handicap = *number,
            Prop::AB(points) => stones = Some(points),
            _ => {}
        }
    }
    if size.0 != size.1 {
        return Err(format!("the board has {} by {} lines", size.0, size.1));
    }
    let mut words = vec![format!("size={}", size.0)];
    let handicap = match (handicap, stones) {
        (0, Some(stones)) => i64::try_from(stones.len()).unwrap_or(i64::MAX),
        _ => handicap,
    };
    if handicap > 0 {
        words.push(format!("handicap={handicap}"));
    }
    if let Some(komi) = komi {
        words.push(format!("komi={komi}"));
    }
    let words = words.iter().map(String::as_str);
    let options =
        Choices::parse(spec.options, spec.exclusive, words).map_err(|error| error.to_string())?;
    if let (Some(stones), Ok(count)) = (stones, u32::try_from(handicap)) {
        let expected = handicap_points(size.0, count);
        let expected: HashSet<String> = expected.iter().map(|at| letters(*at, size.0)).collect();
        let found = stones.iter().map(|at| sgf_letters(at.x, at.y)).collect::<HashSet<_>>();
        if expected != found {
            return Err(USUAL_START.into());
        }
    }
    Ok(shortest(&options))
}

/// Leaves out options that have their default.
fn shortest(options: &Choices) -> Choices {
    let usual = Position::setup(options);
    let mut shortest = options.clone();
    for name in ["size", "komi"] {
        let without = shortest.clone().without(name);
        let start = Position::setup(&without);
        if (start.komi, start.board) == (usual.komi, usual.board) {
            shortest = without;
        }
    }
    shortest
}

fn sgf_letters(x: u8, y: u8) -> String {
    [x, y].map(|number| char::from(b'a' + number.min(25))).iter().collect()
}

/// A game as far as it is read.
struct Played {
    position: Position,
    record: Vec<Entry>,
}

impl Played {
    /// Adds a move of SGF. After two passes it means that play goes on.
    fn add(&mut self, seat: Seat, value: Move) -> Result<(), String> {
        let size = self.position.board.size();
        let m = match value {
            Move::Pass => GoMove::Pass,
            // Older files write a pass as a point beside the board.
            Move::Move(at) if at.x == 19 && at.y == 19 => GoMove::Pass,
            Move::Move(at) if at.x < size && at.y < size => {
                GoMove::Stone(Point::at(at.x + 1, size - at.y))
            }
            Move::Move(at) => return Err(format!("{} is no point", sgf_letters(at.x, at.y))),
        };
        if self.position.scoring.is_some() && !self.position.is_over() {
            if self.position.turn == seat {
                self.play(GoMove::Agree);
            }
            self.play(GoMove::Continue);
        }
        if self.position.is_over() {
            return Err("both have passed twice before it".into());
        }
        if self.position.turn != seat {
            let side = super::SIDES[self.position.turn.index()];
            return Err(format!("it is {side}'s turn"));
        }
        if !self.position.is_legal(&m) {
            return Err(self.position.explain_illegal(&m));
        }
        self.play(m);
        Ok(())
    }

    fn play(&mut self, m: GoMove) {
        let seat = self.position.turn;
        self.record.push(Entry::Moved { seat, text: m.to_string(), auto: false });
        self.position.play(&m);
    }

    /// Lets both sides agree to the dead stones that follow from a territory.
    fn agree(&mut self, territory: &BTreeMap<[u8; 2], Seat>) {
        let size = self.position.board.size();
        for stone in self.position.board.chains() {
            let Some(scoring) = &self.position.scoring else { return };
            let [column, rank] = stone.place();
            let owner = territory.get(&[column - 1, size - rank]);
            let is_dead = owner.is_some_and(|owner| self.position.board.at(stone) != Some(*owner));
            if scoring.dead.contains(stone) != is_dead {
                self.play(GoMove::Mark { stone, is_dead });
            }
        }
        if self.position.scoring.is_some() {
            self.play(GoMove::Agree);
            self.play(GoMove::Agree);
        }
    }
}
