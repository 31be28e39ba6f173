//! The content that SGF files of all games have in common. `sgf-parse` has one type of property for Go and one
//! for all other games, and takes a file without a number for Go.

use super::COLOURS;
use crate::kit::{Ending, Seat};
use sgf_parse::{GameTree, SgfNode, SgfProp, go, unknown_game};
use std::collections::{BTreeMap, HashSet};

/// A move of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SgfMove {
    pub(crate) seat: Seat,
    pub(crate) value: String,
}

/// The main line of a game of a file.
#[derive(Clone, Debug)]
pub(crate) struct SgfRecord {
    /// The number of the game; `None` if the file does not say it.
    pub(crate) number: Option<i64>,
    /// Our name of a game that has no number.
    pub(crate) game: Option<String>,
    /// The files and ranks of the board.
    pub(crate) size: Option<[u8; 2]>,
    pub(crate) players: [String; 2],
    /// The rules, in the words of the program that wrote the file.
    pub(crate) rules: String,
    /// The result: `B+3.5`, `W+R`, `0`; empty if the file does not say it.
    pub(crate) result: String,
    pub(crate) komi: Option<f64>,
    pub(crate) handicap: i64,
    /// The men of each side that are put on the board before the first move.
    pub(crate) setup: [Option<HashSet<String>>; 2],
    pub(crate) moves: Vec<SgfMove>,
    /// Whose territory places are, if the file says it.
    pub(crate) territory: Option<BTreeMap<String, Seat>>,
}

/// What a property says.
enum Property {
    Move(Seat, String),
    /// A move that does not say its side: the sides take turns.
    NextMove(String),
    Setup(Seat, Vec<String>),
    /// Men are taken off the board, or arrows of Amazons put on it.
    Edited,
    Number(i64),
    Game(String),
    Size([u8; 2]),
    Player(Seat, String),
    Rules(String),
    Result(String),
    Komi(f64),
    Handicap(i64),
    Territory(Seat, Vec<String>),
    Invalid(String, Vec<String>),
    Other,
}

impl SgfRecord {
    /// Reads the main line of a game.
    ///
    /// # Errors
    /// What cannot be read, without a full stop.
    pub(super) fn new(tree: &GameTree) -> Result<Self, String> {
        let mut record = Self {
            number: None,
            game: None,
            size: None,
            players: ["?", "?"].map(str::to_owned),
            rules: String::new(),
            result: String::new(),
            komi: None,
            handicap: 0,
            setup: [None, None],
            moves: Vec::new(),
            territory: None,
        };
        match tree {
            GameTree::GoGame(root) => record.add_line(root)?,
            GameTree::Unknown(root) => record.add_line(root)?,
        }
        Ok(record)
    }

    /// Splits the result into the seat that has won and how: `B+3.5`, or `B` as Little Golem writes it.
    fn won(&self) -> Option<(Seat, &str)> {
        let (colour, how) = self.result.split_once('+').unwrap_or((&self.result, ""));
        let index = COLOURS.iter().position(|name| colour.trim().eq_ignore_ascii_case(name))?;
        Some((Seat::BOTH[index], how.trim()))
    }

    /// Exchanges the colours in the result, for files whose players exchange theirs.
    pub(crate) fn exchange_result(&mut self) {
        if let Some((winner, how)) = self.won() {
            self.result = format!("{}+{how}", COLOURS[winner.other().index()]);
        }
    }

    /// Returns the seat that has won by a count, as the file says it: `B+3.5`.
    pub(crate) fn winner_by_count(&self) -> Option<Seat> {
        let (winner, margin) = self.won()?;
        margin.parse::<f64>().is_ok().then_some(winner)
    }

    /// Returns how the game ended according to the file. A loser whose last position shows no loss has resigned
    /// or run out of time.
    pub(super) fn ending(&self) -> Option<Ending> {
        if let Some((winner, how)) = self.won() {
            let is_time = how.get(..1).is_some_and(|sign| sign.eq_ignore_ascii_case("t"));
            let end = if is_time { Ending::OutOfTime } else { Ending::Resigned };
            return Some(end(winner.other()));
        }
        let is_draw =
            ["0", "draw"].iter().any(|word| self.result.trim().eq_ignore_ascii_case(word));
        is_draw.then_some(Ending::Drawn)
    }

    fn add_line<P: SgfProp + Readable>(&mut self, root: &SgfNode<P>) -> Result<(), String> {
        root.main_variation()
            .flat_map(SgfNode::properties)
            .try_for_each(|property| self.add(property.read()))
    }

    fn add(&mut self, property: Property) -> Result<(), String> {
        match property {
            Property::Move(seat, value) => self.moves.push(SgfMove { seat, value }),
            Property::NextMove(value) => {
                let seat = Seat::BOTH[self.moves.len() % 2];
                self.moves.push(SgfMove { seat, value });
            }
            Property::Setup(seat, places) if self.moves.is_empty() => {
                self.setup[seat.index()].get_or_insert_default().extend(places);
            }
            Property::Setup(..) | Property::Edited => {
                return Err("men are put on the board or taken off by hand".into());
            }
            Property::Number(number) => self.number = Some(number),
            Property::Game(name) => self.game = Some(name),
            Property::Size(size) => self.size = Some(size),
            Property::Player(seat, name) => self.players[seat.index()] = name,
            Property::Rules(rules) => self.rules = rules,
            Property::Result(result) => self.result = result,
            Property::Komi(komi) => self.komi = Some(komi),
            Property::Handicap(stones) => self.handicap = stones,
            Property::Territory(seat, places) => {
                let places = places.into_iter().map(|place| (place, seat));
                self.territory.get_or_insert_default().extend(places);
            }
            Property::Invalid(name, values) => {
                let seat = match &*name {
                    "B" => Seat(0),
                    "W" => Seat(1),
                    // The parser knows no empty list.
                    "TB" | "TW" if values.concat().is_empty() => {
                        self.territory.get_or_insert_default();
                        return Ok(());
                    }
                    "SZ" => return Err(format!("{} is no size of a board", values.join(" "))),
                    _ => return Ok(()),
                };
                let value = values.join(" ");
                self.moves.push(SgfMove { seat, value });
            }
            Property::Other => {}
        }
        Ok(())
    }
}

/// A property of the parser.
trait Readable {
    /// Returns what the property says.
    fn read(&self) -> Property;
}

/// A place or a move of the parser.
trait Spelled {
    /// Returns it as the file has it.
    fn spelled(&self) -> String;
}

impl Spelled for String {
    fn spelled(&self) -> String {
        self.clone()
    }
}

impl Spelled for go::Point {
    fn spelled(&self) -> String {
        super::letters([self.x, self.y])
    }
}

impl Spelled for go::Move {
    fn spelled(&self) -> String {
        match self {
            Self::Pass => String::new(),
            Self::Move(point) => point.spelled(),
        }
    }
}

fn spelled<S: Spelled>(places: &HashSet<S>) -> Vec<String> {
    places.iter().map(Spelled::spelled).collect()
}

/// Reads the properties that both types have.
macro_rules! read_general {
    ($kind:ty, $property:expr) => {{
        type Kind = $kind;
        match $property {
            Kind::B(value) => Property::Move(Seat(0), value.spelled()),
            Kind::W(value) => Property::Move(Seat(1), value.spelled()),
            Kind::AB(places) => Property::Setup(Seat(0), spelled(places)),
            Kind::AW(places) => Property::Setup(Seat(1), spelled(places)),
            Kind::AE(_) => Property::Edited,
            Kind::GM(number) => Property::Number(*number),
            Kind::SZ((files, ranks)) => Property::Size([*files, *ranks]),
            Kind::PB(name) => Property::Player(Seat(0), name.text.clone()),
            Kind::PW(name) => Property::Player(Seat(1), name.text.clone()),
            Kind::RE(result) => Property::Result(result.text.clone()),
            Kind::RU(rules) => Property::Rules(rules.text.clone()),
            // The parser drops small letters from names; Little Golem's `b` and `r` have no others.
            Kind::Unknown(name, values) if name.is_empty() => Property::NextMove(values.concat()),
            Kind::Unknown(name, _) if name == "AA" => Property::Edited,
            Kind::Unknown(name, values) if name == super::GAME => Property::Game(values.concat()),
            Kind::Invalid(name, values) => Property::Invalid(name.clone(), values.clone()),
            _ => Property::Other,
        }
    }};
}

impl Readable for unknown_game::Prop {
    fn read(&self) -> Property {
        read_general!(unknown_game::Prop, self)
    }
}

impl Readable for go::Prop {
    fn read(&self) -> Property {
        match self {
            Self::KM(komi) => Property::Komi(*komi),
            Self::HA(stones) => Property::Handicap(*stones),
            Self::TB(places) => Property::Territory(Seat(0), spelled(places)),
            Self::TW(places) => Property::Territory(Seat(1), spelled(places)),
            _ => read_general!(go::Prop, self),
        }
    }
}
