//! Games in the Smart Game Format (A. Hollosi, *SGF FF\[4\]*), for every game that is recorded in it.
//! A game to which SGF gives no number is named in a property of our own, `GAME[havannah]`.
//!
//! What is written is the main line with the players, the rules and the result. What is read is the main
//! line of each game in a file; comments, variations and markup are skipped. SGF calls the first mover
//! Black, whatever a game's own names of its sides are.

mod property;
#[cfg(test)]
pub(crate) mod tests;

use super::{
    Choices, Ending, Entry, Format, Game, GameResult, MoveError, Next, Seat, Spec, Transcript,
    apply_entry,
};
pub(crate) use property::{SgfMove, SgfRecord};
use std::collections::HashSet;

/// The most nodes of a file on a way from its start: the trees of the parser are dropped by recursion.
const DEEPEST: usize = 2_000;

/// The moves of a line.
const MOVES_OF_LINE: usize = 12;

/// The names of the sides in properties.
pub(crate) const COLOURS: [&str; 2] = ["B", "W"];

/// The moves that end a record early.
const RESIGNATIONS: [&str; 2] = ["resign", "forfeit"];

/// The property that names a game without a number.
pub(crate) const GAME: &str = "GAME";

const USUAL_START: &str = "the board does not begin as the options say";
const IS_OVER: &str = "the game is over before it";

/// A game with records in SGF. `self` is the position before a move, or the start or the end of a game.
pub(crate) trait SgfGame: Game {
    /// The number of the game; `None` if SGF has none for it.
    const NUMBER: Option<i64>;

    /// Writes the game's own properties of the root, `SZ[11]`, for a start.
    fn sgf_root(&self) -> String;

    /// Returns the men of both sides at the start, the first mover's first, where SGF has to list them.
    fn sgf_setup(&self) -> [Vec<String>; 2] {
        [Vec::new(), Vec::new()]
    }

    /// Returns the value of a move; `None` if SGF leaves the move out.
    fn sgf_move(&self, m: &Self::Move) -> Option<String>;

    /// Returns the colour that SGF gives to a move, if not that of the side that makes it.
    fn sgf_colour(&self, _m: &Self::Move) -> Option<Seat> {
        None
    }

    /// Returns the margin by which an ended game was won: nothing where a game is just won.
    fn sgf_margin(&self) -> String {
        String::new()
    }

    /// Writes the properties of a node behind the last move.
    fn sgf_end(&self) -> String {
        String::new()
    }

    /// Returns the options of a record besides its size, as a challenge writes them without a dash.
    fn sgf_options(_record: &SgfRecord) -> Vec<String> {
        Vec::new()
    }

    /// Translates what certain programs write in their own way.
    fn sgf_translate(_record: &mut SgfRecord) {}

    /// Reads a move, after the moves that SGF leaves out before it.
    ///
    /// # Errors
    /// The value is no move, without a full stop.
    fn read_sgf(&self, m: &SgfMove) -> Result<Vec<Self::Move>, MoveError>;

    /// Returns the moves behind the last one that follow from the rest of a record.
    fn sgf_ending(&self, _record: &SgfRecord) -> Vec<Self::Move> {
        Vec::new()
    }
}

/// Returns the format of a game.
pub(crate) const fn format<G: SgfGame>(about: &'static str) -> Format {
    Format { name: "sgf", about, write: write::<G>, read: Some(read::<G>) }
}

/// Writes a record.
pub(crate) fn write<G: SgfGame>(transcript: &Transcript) -> Result<String, String> {
    let start = G::setup(&transcript.options);
    let mut position = start.clone();
    let mut nodes = Vec::new();
    for (index, entry) in transcript.record.iter().enumerate() {
        let before = position.clone();
        apply_entry(&mut position, entry)
            .map_err(|error| format!("entry {} of the record: {error}", index + 1))?;
        if let Entry::Moved { seat, text, .. } = entry
            && let Ok(m) = before.read_recorded(text)
            && let Some(value) = before.sgf_move(&m)
        {
            let colour = before.sgf_colour(&m).unwrap_or(*seat);
            nodes.push(format!(";{}[{value}]", COLOURS[colour.index()]));
        }
    }
    let game = match G::NUMBER {
        Some(number) => format!("GM[{number}]"),
        None => format!("{GAME}[{}]", G::SPEC.name),
    };
    let mut text = format!("(;FF[4]{game}CA[UTF-8]AP[Postboard]{}", start.sgf_root());
    for (name, places) in ["AB", "AW"].iter().zip(start.sgf_setup()) {
        text += &list(name, &places);
    }
    for (colour, player) in COLOURS.iter().zip(&transcript.players) {
        text.extend(["\nP", colour, "[", &escaped(player), "]"]);
    }
    if let Some(result) = result(&position, transcript) {
        text.extend(["\nRE[", &result, "]"]);
    }
    for line in nodes.chunks(MOVES_OF_LINE) {
        text += "\n";
        text += &line.concat();
    }
    let end = position.sgf_end();
    if !end.is_empty() {
        text.extend(["\n;", &end]);
    }
    Ok(text + ")\n")
}

/// Writes a property with a list of values; nothing if there are none.
pub(crate) fn list(name: &str, values: &[String]) -> String {
    let values = values.iter().map(|value| format!("[{value}]"));
    if values.len() == 0 { String::new() } else { name.to_owned() + &values.collect::<String>() }
}

/// Escapes a text for a value.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

/// Returns the value of `RE` at the end of a game; `None` if nobody has won yet.
fn result<G: SgfGame>(position: &G, transcript: &Transcript) -> Option<String> {
    let how = match transcript.ending {
        Some(Ending::Resigned(_)) => "R".into(),
        Some(Ending::OutOfTime(_)) => "T".into(),
        _ => position.sgf_margin(),
    };
    match transcript.result(&position.next()) {
        GameResult::Won(by) => Some(format!("{}+{how}", COLOURS[by.index()])),
        GameResult::Drawn => Some("0".into()),
        GameResult::None => None,
    }
}

/// Reads all games of a file.
pub(crate) fn read<G: SgfGame>(text: &str) -> Vec<Result<Transcript, String>> {
    let trees = trees(text);
    if trees.is_empty() {
        return vec![Err("this is no SGF: there is no game that begins with (;".into())];
    }
    let read =
        |tree: TreeText| tree.read::<G>().map_err(|why| format!("line {}: {why}", tree.line));
    trees.into_iter().map(read).collect()
}

/// The text of a game of a file.
struct TreeText<'a> {
    text: &'a str,
    /// The number of its first line.
    line: usize,
    /// The most nodes on a way through it, or brackets in each other.
    depth: usize,
}

impl TreeText<'_> {
    fn read<G: SgfGame>(&self) -> Result<Transcript, String> {
        if self.depth > DEEPEST {
            return Err(format!("a game has more than {DEEPEST} moves"));
        }
        let trees =
            sgf_parse::parse(self.text).map_err(|error| format!("this is no SGF: {error}"))?;
        let [tree] = &trees[..] else { return Err("this is no SGF: it is not one game".into()) };
        SgfRecord::new(tree).and_then(game::<G>)
    }
}

/// Splits a file into its games. What stands between them is skipped.
fn trees(text: &str) -> Vec<TreeText<'_>> {
    let mut trees = Vec::new();
    let mut line = 1;
    let mut begun: Option<(usize, usize)> = None;
    let (mut before, mut depth, mut deepest) = (Vec::new(), 0_usize, 0);
    let (mut is_value, mut is_escaped) = (false, false);
    for (at, sign) in text.char_indices() {
        line += usize::from(sign == '\n');
        match sign {
            _ if is_escaped => is_escaped = false,
            '\\' if is_value => is_escaped = true,
            ']' => is_value = false,
            _ if is_value => {}
            '[' => is_value = begun.is_some(),
            '(' => {
                begun.get_or_insert((at, line));
                before.push(depth);
            }
            ')' => depth = before.pop().unwrap_or(0),
            ';' => depth += usize::from(begun.is_some()),
            _ => {}
        }
        deepest = deepest.max(depth).max(before.len());
        if let Some((from, first)) = begun.filter(|_| before.is_empty()) {
            trees.push(TreeText { text: &text[from..=at], line: first, depth: deepest });
            (begun, depth, deepest) = (None, 0, 0);
        }
    }
    // The parser says what a game without an end lacks.
    trees.extend(begun.map(|(from, line)| TreeText { text: &text[from..], line, depth: deepest }));
    trees
}

/// Replays a game of a file.
fn game<G: SgfGame>(mut record: SgfRecord) -> Result<Transcript, String> {
    check_game::<G>(&record)?;
    G::sgf_translate(&mut record);
    let options = options::<G>(&record)?;
    let mut played = Played { position: G::setup(&options), record: Vec::new(), given_up: None };
    let setup = played.position.sgf_setup();
    for (found, usual) in record.setup.iter().zip(setup) {
        if found.as_ref().is_some_and(|found| *found != usual.into_iter().collect::<HashSet<_>>()) {
            return Err(USUAL_START.into());
        }
    }
    for (number, m) in (1..).zip(&record.moves) {
        played.add(m).map_err(|why| format!("move {number}: {why}"))?;
    }
    for m in played.position.sgf_ending(&record) {
        played.play(&m)?;
    }
    let ending = match played.position.next() {
        Next::Over(_) => None,
        _ => match played.given_up.or_else(|| record.ending()) {
            Some(Ending::Drawn) if !G::SPEC.manner.has_draws => {
                let title = G::SPEC.title;
                return Err(format!("its result says that it was drawn, and {title} has no draws"));
            }
            ending => ending,
        },
    };
    Ok(Transcript { players: record.players, options, record: played.record, ending })
}

/// Checks that a record is not of another game. Many files do not say their game.
fn check_game<G: SgfGame>(record: &SgfRecord) -> Result<(), String> {
    let title = G::SPEC.title;
    if let Some(number) = record.number.filter(|number| Some(*number) != G::NUMBER) {
        let own = G::NUMBER.map_or_else(|| "has none".into(), |number| format!("is {number}"));
        return Err(format!("it is of game {number} of SGF, and {title} {own}"));
    }
    match &record.game {
        Some(name) if name != G::SPEC.name => Err(format!("it is of {name}, not of {title}")),
        _ => Ok(()),
    }
}

/// Returns the options of a game, without those that are usual.
fn options<G: SgfGame>(record: &SgfRecord) -> Result<Choices, String> {
    let spec: &Spec = &G::SPEC;
    let size = match record.size {
        Some([files, ranks]) if files != ranks => {
            return Err(format!("the board is {files} by {ranks}, not a square"));
        }
        size => size.map(|[files, _]| format!("size={files}")),
    };
    let words: Vec<String> = size.into_iter().chain(G::sgf_options(record)).collect();
    let words = words.iter().map(String::as_str);
    let options =
        Choices::parse(spec.options, spec.exclusive, words).map_err(|error| error.to_string())?;
    let start = G::setup(&options);
    Ok(spec.options.iter().fold(options, |shortest, option| {
        let without = shortest.clone().without(option.name);
        if G::setup(&without) == start { without } else { shortest }
    }))
}

/// A game as far as it is replayed.
struct Played<G> {
    position: G,
    record: Vec<Entry>,
    given_up: Option<Ending>,
}

impl<G: SgfGame> Played<G> {
    /// Adds a move of SGF and the moves that SGF leaves out before it.
    fn add(&mut self, m: &SgfMove) -> Result<(), String> {
        if self.given_up.is_some() {
            return Err(IS_OVER.into());
        }
        if RESIGNATIONS.iter().any(|word| m.value.eq_ignore_ascii_case(word)) {
            self.given_up = Some(Ending::Resigned(m.seat));
            return Ok(());
        }
        let meant = self.position.read_sgf(m).map_err(|error| error.to_string())?;
        let Some((last, before)) = meant.split_last() else { return Ok(()) };
        for m in before {
            self.play(m)?;
        }
        match self.position.next() {
            Next::Move(seat) => match self.position.sgf_colour(last).unwrap_or(seat) {
                colour if colour == m.seat => self.play(last),
                colour => Err(format!("it is {}'s turn", G::SPEC.sides[colour.index()])),
            },
            _ => self.play(last),
        }
    }

    fn play(&mut self, m: &G::Move) -> Result<(), String> {
        let Next::Move(seat) = self.position.next() else { return Err(IS_OVER.into()) };
        if !self.position.is_legal(m) {
            return Err(self.position.explain_illegal(m));
        }
        self.record.push(Entry::Moved { seat, text: m.to_string(), auto: false });
        self.position.play(m);
        Ok(())
    }
}

/// Writes a place by its file and its row, both from 0 at the upper left corner: `ac` is the third row of
/// the first file.
pub(crate) fn letters(place: [u8; 2]) -> String {
    let letter = |number| if number < 26 { b'a' + number } else { b'A' + (number - 26) % 26 };
    place.into_iter().map(|number| char::from(letter(number))).collect()
}

/// Reads a place of a board of this size.
pub(crate) fn place(letters: &str, size: u8) -> Option<[u8; 2]> {
    let number = |letter: u8| letter.checked_sub(b'a').filter(|number| *number < size);
    let [file, row] = *letters.as_bytes() else { return None };
    Some([number(file)?, number(row)?])
}
