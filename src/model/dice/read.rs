//! Sheets of dice are read and checked, from any text that has some.

use super::sheet::named;
use super::{UndrawnReason, input};
use crate::base::ids::BoardId;
use crate::base::lots::RandomStream;
use crate::base::time::Time;
use crate::base::vrf::{PublicKey, VrfProof};
use data_encoding::BASE64URL_NOPAD;
use games::{AnyPosition, Choices, Next, POSITION, Roll, Stones, Throw};
use std::ops::RangeInclusive;

/// Letters of nine rows with what parts them.
const ROWS: usize = 89;
/// Signs that a mail program puts before a line that it quotes.
const QUOTES: [char; 3] = ['>', ' ', '\t'];
/// Rolls that a sheet may have: more than any board has.
const MOST: usize = 100_000;

/// The result of a sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SheetReport {
    /// The board, as the sheet names it.
    pub board: String,
    /// The key by which it was checked.
    pub key: String,
    /// The rolls that the sheet says it has, and of how many.
    pub rolls: RangeInclusive<usize>,
    /// How many there were on the board then.
    pub of: usize,
    /// Each roll, as it is shown, and whether it is right.
    pub verdicts: Vec<(usize, String, RollVerdict)>,
    /// Other mistakes.
    pub wrong: Vec<String>,
}

/// Whether a roll is right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RollVerdict {
    /// It is what its number and the key give.
    Proved,
    /// It was not drawn so, and the sheet says why.
    Undrawn(UndrawnReason),
    /// It is kept from the players until the game is over.
    Hidden,
    /// It is wrong: why.
    Wrong(&'static str),
}

impl SheetReport {
    /// Whether nothing in it is wrong.
    pub fn is_right(&self) -> bool {
        let is_wrong = |(_, _, verdict): &(usize, String, RollVerdict)| {
            matches!(verdict, RollVerdict::Wrong(_))
        };
        self.wrong.is_empty() && !self.verdicts.iter().any(is_wrong)
    }

    /// How many rolls are proved.
    pub fn proved(&self) -> usize {
        self.verdicts.iter().filter(|(_, _, verdict)| *verdict == RollVerdict::Proved).count()
    }
}

/// A sheet as it is read.
struct ParsedSheet {
    board: BoardId,
    began: Time,
    key: PublicKey,
    words: Vec<(String, usize)>,
    start: Box<dyn AnyPosition>,
    /// The start of a game without options.
    usual: Box<dyn AnyPosition>,
    /// Whether more than one game may begin on the board.
    begins_again: bool,
}

/// Checks every sheet in a text: a mail, several, or what was cut out of one.
pub fn check(text: &str) -> Vec<SheetReport> {
    let mut sheets: Vec<Vec<&str>> = Vec::new();
    let mut is_in = false;
    for line in text.lines() {
        let line = line.trim_start_matches(QUOTES).trim_end();
        if line.starts_with("dice of ") {
            sheets.push(Vec::new());
            is_in = true;
        }
        if let Some(sheet) = sheets.last_mut().filter(|_| is_in) {
            sheet.push(line);
        }
        is_in &= !line.starts_with("dice end ");
    }
    sheets.iter().map(|lines| one(lines)).collect()
}

fn one(lines: &[&str]) -> SheetReport {
    let head = lines.first().copied().unwrap_or_default();
    let mut checked = SheetReport {
        board: head.trim_start_matches("dice of ").to_owned(),
        key: String::new(),
        rolls: RangeInclusive::new(1, 0),
        of: 0,
        verdicts: Vec::new(),
        wrong: Vec::new(),
    };
    let first = lines.iter().position(|line| line.starts_with("roll ")).unwrap_or(lines.len());
    let Some(sheet) = read(&lines[..first]) else {
        checked.wrong.push("the head of the sheet cannot be read".into());
        return checked;
    };
    checked.key = sheet.key.to_string();
    let unknown = lines[1..first].iter().filter(|line| !is_known(line));
    checked
        .wrong
        .extend(unknown.map(|line| format!("a line of its head is not understood: {line}")));
    let mut rest = &lines[first..];
    while let Some(line) = rest.first().filter(|line| line.starts_with("roll ")) {
        let letters = rest[1..].iter().take_while(|line| is_letters(line));
        let letters: Vec<&str> = letters.copied().collect();
        rest = &rest[1 + letters.len()..];
        let found = sheet.verdict(line, &letters.concat());
        let unread = || (0, (*line).to_owned(), RollVerdict::Wrong("it cannot be read"));
        checked.verdicts.push(found.unwrap_or_else(unread));
    }
    match rest.first().and_then(|line| end(line)) {
        Some((rolls, of)) => (checked.rolls, checked.of) = (rolls, of),
        None => checked.wrong.push("the end of the sheet is missing".into()),
    }
    let numbers: Vec<usize> = checked.verdicts.iter().map(|(number, ..)| *number).collect();
    if *checked.rolls.end() > MOST || numbers != checked.rolls.clone().collect::<Vec<_>>() {
        checked.wrong.push("its rolls are not those that it says it has, each once".into());
    }
    checked
}

/// Whether a line goes on with stones or a proof.
fn is_letters(line: &str) -> bool {
    let known = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte);
    !line.is_empty() && line.bytes().all(known)
}

/// Whether a line of a head is one that a sheet has. Others could mean something to another program.
fn is_known(line: &str) -> bool {
    let is_word = || {
        let from = line.strip_prefix("word ").and_then(|rest| rest.split_once(" from "));
        let named = from
            .filter(|(word, from)| word.split(' ').count() == 2 && from.parse::<usize>().is_ok());
        named.is_some()
    };
    line.is_empty() || line.starts_with("options ") || line.starts_with("key ") || is_word()
}

/// The head of a sheet.
fn read(lines: &[&str]) -> Option<ParsedSheet> {
    let (board, began) = lines.first()?.strip_prefix("dice of ")?.split_once(", begun ")?;
    let (game, number) = board.split_once(' ')?;
    let game = games::find(game)?;
    let board = BoardId { game: game.spec().name, number: number.parse().ok()? };
    let value = |name: &str| lines.iter().find_map(|line| line.strip_prefix(name));
    let options = value("options ").unwrap_or_default().split_whitespace();
    let options = Choices::parse(game.spec().options, game.spec().exclusive, options).ok()?;
    let word = |line: &&str| {
        let (who_and_word, from) = line.strip_prefix("word ")?.split_once(" from ")?;
        let (_, word) = who_and_word.rsplit_once(' ')?;
        Some((word.to_owned(), from.parse().ok()?))
    };
    Some(ParsedSheet {
        board,
        began: Time::from_unix(began.parse().ok()?),
        key: PublicKey::from_hex(value("key ")?)?,
        words: lines.iter().filter_map(word).collect(),
        start: game.setup(&options),
        usual: game.setup(&Choices::default()),
        begins_again: options.has("match") || options.has(POSITION),
    })
}

/// `dice end 1-12 of 12`
fn end(line: &str) -> Option<(RangeInclusive<usize>, usize)> {
    let (rolls, of) = line.strip_prefix("dice end ")?.split_once(" of ")?;
    let (first, last) = rolls.split_once('-')?;
    Some((first.parse().ok()?..=last.parse().ok()?, of.parse().ok()?))
}

/// The throw that a word such as `2d6!` names.
fn throw(word: &str) -> Option<Throw> {
    let faces = [4, 6].into_iter();
    let throws = faces.flat_map(|faces| {
        [Throw::new(1, faces), Throw::new(2, faces), Throw::to_begin(faces)].into_iter()
    });
    throws.into_iter().find(|throw| named(*throw) == word)
}

impl ParsedSheet {
    /// Number, words and verdict of a roll.
    fn verdict(&self, line: &str, letters: &str) -> Option<(usize, String, RollVerdict)> {
        let mut words = line.split(' ').skip(1);
        let number = words.next()?.parse().ok()?;
        let (kind, shown, why) = (words.next()?, words.next()?, words.next());
        let is_deal = kind == "deal";
        if is_deal && shown == "hidden" {
            return Some((number, "hidden stones".into(), RollVerdict::Hidden));
        }
        let (rows, proof) = letters.split_at_checked(if is_deal { ROWS } else { 0 })?;
        let what = match (is_deal, kind.ends_with('!')) {
            (true, _) => "stones".to_owned(),
            (_, true) => format!("{shown} to begin"),
            _ => shown.to_owned(),
        };
        if let Some(why) = why {
            let (why, _) = UndrawnReason::ALL.into_iter().find(|(_, word)| *word == why)?;
            return Some((number, what, RollVerdict::Undrawn(why)));
        }
        let proof = BASE64URL_NOPAD.decode(proof.as_bytes()).ok()?.try_into().ok()?;
        let words = self.words.iter().map(|(word, from)| (&**word, *from));
        let input = input(self.board, self.began, words, number);
        let Some(output) = self.key.check(input.as_bytes(), &VrfProof(proof)) else {
            return Some((number, what, RollVerdict::Wrong("its proof does not hold")));
        };
        let mut lots = RandomStream::new(output);
        let is_right = if is_deal {
            let stones: Stones = rows.parse().ok()?;
            self.start.next() == Next::Deal
                && self.start.deal(&mut |limit| lots.below(limit)) == stones
        } else {
            let (throw, roll) = (throw(kind)?, shown.parse::<Roll>().ok()?);
            self.throws(throw, number) && lots.roll(throw) == roll
        };
        let wrong = RollVerdict::Wrong("its proof is of another one");
        Some((number, what, if is_right { RollVerdict::Proved } else { wrong }))
    }

    /// Whether that can be thrown in the game: other dice would have other faces. In all games two
    /// are thrown once a player has moved. The throw to begin comes once, and in a match before
    /// each game.
    fn throws(&self, throw: Throw, number: usize) -> bool {
        let (first, is_first) = match (self.start.next(), self.usual.next()) {
            (Next::Roll(first) | Next::Ready(_, first), _) => (first, number == 1),
            // It begins with a double that waits for its answer.
            (Next::Move(_), Next::Roll(usual) | Next::Ready(_, usual)) => (usual, false),
            _ => return false,
        };
        if is_first {
            return first == throw;
        }
        first.faces == throw.faces && throw.dice == 2 && (self.begins_again || !throw.opening)
    }
}
