//! Moves as people write them: `11-15`, `22x15`, `22x15x8`, `c3-d4`.

use super::{DraughtsMove, Position, Rules, Square, Variant, side};
use crate::kit::MoveError;
use crate::kit::text::{TextCursor, parse_move};

/// The most squares of a move: no side has more than twenty men to take.
const LONGEST: usize = 21;

/// The legal captures that a refusal names.
const NAMED: usize = 3;

/// A square as it was written: its number, or its file and rank.
enum Written {
    Number(u32),
    Name(String),
}

fn written(reader: &mut TextCursor) -> Option<Written> {
    reader.tile().map(Written::Name).or_else(|| reader.number().map(Written::Number))
}

/// Parses a move.
pub(super) fn spell(rules: &Rules, text: &str) -> Result<DraughtsMove, MoveError> {
    parse_move(text, None, |mut reader: TextCursor| {
        let (mut path, mut takes) = (Vec::new(), false);
        let Some(first) = written(&mut reader) else {
            return Err(reader.expected("a move such as 22-18"));
        };
        path.push(first);
        while path.len() < 2 || !reader.is_done() {
            let crosses = reader.word(":") || reader.word("*") || reader.cross();
            takes |= crosses;
            if !crosses && !reader.connector() {
                reader.separator();
            }
            match written(&mut reader) {
                Some(next) if path.len() <= LONGEST => path.push(next),
                None if path.len() < 2 => {
                    return Err(reader.expected("the square where the man ends, as in 22-18"));
                }
                _ => return Err(reader.expected("nothing more")),
            }
        }
        let mut numbers =
            path.iter().map(|square| number(rules, square)).collect::<Result<_, _>>()?;
        // `22x15, 15x8` names the square in the middle twice.
        Vec::dedup(&mut numbers);
        Ok(DraughtsMove { is_long: numbers.len() > 2, path: numbers, takes, taken: 0 })
    })
}

/// Returns the number of a written square.
fn number(rules: &Rules, square: &Written) -> Result<u8, MoveError> {
    let last = rules.squares();
    let wrong = |name: String| {
        MoveError::Illegal(format!("there is no square {name}: the squares are 1 to {last}"))
    };
    match square {
        Written::Number(number) => u8::try_from(*number)
            .ok()
            .filter(|number| (1..=last).contains(number))
            .ok_or_else(|| wrong(number.to_string())),
        Written::Name(name) => {
            let square = Square::named(name)?;
            if !square.is_on(rules.size) {
                return Err(wrong(name.clone()));
            }
            rules.number(square).ok_or_else(|| {
                MoveError::Illegal(format!("{name} is a light square, and men stay on dark ones"))
            })
        }
    }
}

impl<V: Variant> Position<V> {
    /// Finds the legal move that a text means.
    pub(super) fn read_move(&self, text: &str) -> Result<DraughtsMove, MoveError> {
        let spelled = spell(V::RULES, text)?;
        let meant = self.meant(&spelled);
        match &meant[..] {
            [only] if only.takes || !spelled.takes => Ok(only.clone()),
            [_] => Err(MoveError::Illegal(format!(
                "no man is taken by this move: send {}",
                DraughtsMove { takes: false, ..spelled }
            ))),
            [] => Err(MoveError::Illegal(self.explain(&spelled))),
            several => Err(MoveError::Ambiguous(several.iter().map(ToString::to_string).collect())),
        }
    }

    /// Returns the legal moves that go along the squares of a spelled one. If all squares of one are
    /// written, those that have more are not meant.
    fn meant(&self, spelled: &DraughtsMove) -> Vec<DraughtsMove> {
        let legal = self.legal_moves();
        let squares: Option<Vec<Square>> =
            spelled.path.iter().map(|number| V::RULES.square(*number)).collect();
        let Some(squares) = squares else { return Vec::new() };
        let ends = |m: &DraughtsMove| m.ends() == spelled.ends();
        let mut found: Vec<DraughtsMove> = legal.into_iter().filter(ends).collect();
        if spelled.path.len() > 2 {
            let steps: Vec<_> = found.iter().filter_map(Self::step).collect();
            let along = self.captures_along(&squares, &steps);
            let is_whole = |m: &DraughtsMove| m.path.len() == squares.len();
            let is_any_whole = along.iter().any(is_whole);
            let is_meant = |m: &DraughtsMove| {
                let of_it = |other: &&DraughtsMove| other.taken == m.taken;
                along.iter().filter(of_it).any(|other| !is_any_whole || is_whole(other))
            };
            found.retain(is_meant);
        }
        found
    }

    /// Explains why a spelled move cannot be made.
    fn explain(&self, m: &DraughtsMove) -> String {
        let rules = V::RULES;
        let [Some(from), Some(to)] = m.ends().map(|end| rules.square(*end?)) else {
            return "there is no such move".into();
        };
        let (seat, [start, end]) = (self.board.turn, [from, to].map(Self::number));
        if !from.is_in(self.board.all(seat)) {
            return format!("there is no {} man on {start}", side::<V>(seat));
        }
        if self.board.must_take() {
            return self.explain_duty(m);
        }
        if m.path.len() > 2 {
            return "there is no man to take".into();
        }
        for seat in crate::kit::Seat::BOTH {
            if to.is_in(self.board.all(seat)) {
                return format!("there is a {} man on {end}", side::<V>(seat));
            }
        }
        let targets: Vec<String> = Square::all_in(self.board.targets_of(from))
            .map(|to| Self::number(to).to_string())
            .collect();
        match &targets[..] {
            [] => format!("the man on {start} cannot move now"),
            [only] => format!("the man on {start} can move to {only}, not to {end}"),
            [others @ .., last] => {
                format!(
                    "the man on {start} can move to {} or {last}, not to {end}",
                    others.join(", ")
                )
            }
        }
    }

    /// Explains which men must be taken instead.
    fn explain_duty(&self, m: &DraughtsMove) -> String {
        let legal = self.legal_moves();
        let goes_on = |legal: &&DraughtsMove| {
            m.takes && legal.path.len() > m.path.len() && legal.path.starts_with(&m.path)
        };
        if let Some(whole) = legal.iter().find(goes_on) {
            return format!("the man must go on taking: send {}", whole.in_full());
        }
        let named: Vec<String> = legal.iter().take(NAMED).map(ToString::to_string).collect();
        let named = named.join(" or ");
        let most = legal.first().map_or(0, |m| m.taken.count_ones());
        if V::RULES.takes_most && most > 1 {
            format!("you must take {most} men, the most that you can: {named}")
        } else {
            format!("you must take a man: {named}")
        }
    }
}
