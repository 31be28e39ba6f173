//! A sheet of dice: the rolls of a board with their proofs, as a text that a program can check, ours or
//! another one, wherever the text has gone.
//!
//! ```text
//! dice of malaka 17, begun 1700000000
//! options -large
//! rules 2
//! key 8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c
//! commits alice
//! commitment 5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef
//! word bob hello after 2 from 4
//! word alice secret after 2 from 4
//! links bob 5
//! link 2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824
//! level 0 from 1
//! level 1 from 4
//! roll 1 1d6 3
//!  (a proof: 107 letters of base64, as in links, broken into lines)
//! roll 2 2d6 31 again
//! dice end 1-2 of 2
//! ```
//!
//! `2d6!` is a throw to begin. A deal is `deal` and how often stones were drawn until the game
//! could begin with them; the nine rows come before the proof.

use super::{BoardDice, ChainLink, RollLevel, SeedWord, WaitingWord, is_link, lots};
use crate::base::ids::BoardId;
use crate::base::time::Time;
use crate::base::vrf::SecretKey;
use crate::model::board::{Board, RecordLine};
use data_encoding::BASE64URL_NOPAD;
use games::{AnyPosition, Entry, Next, Roll, Throw, replay};
use std::fmt::Write as _;
use std::ops::RangeInclusive;

/// Letters of a proof, or of the text before it, in a line.
const WIDTH: usize = 64;

/// Which rolls a sheet has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RollRange {
    /// All, but no more than [`RollRange::MOST`].
    All,
    /// Those numbers, as far as there are any.
    These(RangeInclusive<usize>),
}

impl RollRange {
    /// Rolls that a sheet has at most: each takes work while nobody else has the home.
    pub const MOST: usize = 400;
}

/// The rolls of a board that can be checked.
#[derive(Clone, Copy, Debug)]
pub struct RollSheet<'a> {
    board: &'a Board,
    dice: &'a BoardDice,
    key: &'a SecretKey,
}

/// A throw as a sheet names it: `2d6`, and `2d6!` to see who begins.
pub(super) fn named(throw: Throw) -> String {
    let Throw { dice, faces, opening } = throw;
    format!("{dice}d{faces}{}", if opening { "!" } else { "" })
}

/// What the rolls of a board follow from, as a sheet begins: all that there is at its start, and the
/// words given since.
pub fn head(board: &Board, dice: &BoardDice) -> String {
    let Board { id, started, options, players, .. } = board;
    let mut text = format!("dice of {id}, begun {}\n", started.unix());
    let options: Vec<String> = options.words().collect();
    if !options.is_empty() {
        let _ = writeln!(text, "options {}", options.join(" "));
    }
    if dice.rules > 1 {
        let _ = writeln!(text, "rules {}", dice.rules);
    }
    let _ = writeln!(text, "key {}", dice.key);
    let name = |seat: Option<u8>| {
        let player = seat.and_then(|seat| players.get(usize::from(seat)));
        player.map_or("operator", |id| id.as_str())
    };
    if let Some(commitment) = &dice.commitment {
        // On a line of its own a digest is not wrapped.
        let _ = writeln!(text, "commits {}", name(Some(commitment.seat)));
        let _ = writeln!(text, "commitment {}", commitment.hash);
    }
    for SeedWord { seat, word, from, after } in &dice.words {
        let after = after.map_or_else(String::new, |after| format!(" after {after}"));
        let (word, value) = word_lines(word);
        let _ = writeln!(text, "word {} {word}{after} from {from}{value}", name(*seat));
    }
    text += &links_since(board, dice, 0);
    if let Some(waiting @ WaitingWord { seat, word, after, .. }) = &dice.waiting {
        let (word, value) = word_lines(word);
        let _ = writeln!(text, "word {} {word} after {after}{value}", name(Some(*seat)));
        if let (Some(lost), Some(commitment)) = (waiting.lost_after(), &dice.commitment) {
            let _ = writeln!(text, "lost {} after {lost}", name(Some(commitment.seat)));
        }
    }
    text
}

/// In place of a word that has a line of its own.
pub(super) const BELOW: &str = "*";

/// A word as its line has it, and the line below: the value of a chain would make it too long for mails.
fn word_lines(word: &str) -> (&str, String) {
    if is_link(word) { (BELOW, format!("\nvalue {word}")) } else { (word, String::new()) }
}

/// The values of chains that came with that roll or a later one.
pub fn links_since(board: &Board, dice: &BoardDice, first: usize) -> String {
    let mut text = String::new();
    for ChainLink { seat, value, roll, is_end } in dice.links.iter().filter(|it| it.roll >= first) {
        let (whose, what) = link_words(*is_end);
        let player = board.players.get(usize::from(*seat)).map_or("", |id| id.as_str());
        let _ = writeln!(text, "{whose} {player} {roll}\n{what} {value}");
    }
    text
}

/// How the lines of a value begin: whose it is, and what.
pub(super) fn link_words(is_end: bool) -> (&'static str, &'static str) {
    if is_end { ("chains", "chain") } else { ("links", "link") }
}

/// The levels of the rolls of a board, each with the first roll that has it. A word of the operator
/// is none of them.
pub fn levels(dice: &BoardDice) -> Vec<(RollLevel, usize)> {
    let shared = dice.words.iter().find(|it| it.after.is_some()).map(|it| it.from);
    let linked = dice.links.iter().find(|it| !it.is_end).map(|it| it.roll);
    let fixed = (dice.rules > 1).then_some((RollLevel::Fixed, 1));
    let shared = shared.map(|from| (RollLevel::Shared, from));
    let linked = linked.map(|from| (RollLevel::Linked, from));
    [fixed, shared, linked].into_iter().flatten().collect()
}

/// The digest of what the rolls of a board follow from, as each mail about it names it.
pub fn digest(board: &Board, dice: &BoardDice) -> String {
    let words = dice.words.iter().map(|it| (&*it.word, it.after, Some(it.from)));
    let waiting = dice.waiting.iter().map(|it| (&*it.word, Some(it.after), None));
    let inputs = Inputs {
        board: board.id,
        began: board.started,
        options: &board.options.words().collect::<Vec<_>>().join(" "),
        rules: dice.rules,
        key: &dice.key.to_string(),
        commitment: dice.commitment.as_ref().map(|it| &*it.hash),
    };
    let lost = dice.waiting.as_ref().and_then(WaitingWord::lost_after);
    let links = dice.links.iter().map(|it| (&*it.value, it.roll, it.is_end));
    inputs.digest(words.chain(waiting), lost, links)
}

/// What the rolls of a board follow from, without the words.
pub(super) struct Inputs<'a> {
    pub(super) board: BoardId,
    pub(super) began: Time,
    pub(super) options: &'a str,
    pub(super) rules: u8,
    pub(super) key: &'a str,
    pub(super) commitment: Option<&'a str>,
}

impl Inputs<'_> {
    /// The digest together with these words, each with the rolls after which it was given and from
    /// which it counts: the first 32 digits of the SHA-256 of lines that name no player, since a
    /// player may get another userid.
    pub(super) fn digest<'w>(
        &self,
        words: impl Iterator<Item = (&'w str, Option<usize>, Option<usize>)>,
        lost: Option<usize>,
        links: impl Iterator<Item = (&'w str, usize, bool)>,
    ) -> String {
        let Self { board, began, options, rules, key, commitment } = self;
        let mut text = format!("postboard dice {rules}\n{board}\nbegan {}\n", began.unix());
        let _ = writeln!(text, "options {options}\nkey {key}");
        let _ = writeln!(text, "commitment {}", commitment.unwrap_or("none"));
        for (word, after, from) in words {
            let number = |number: Option<usize>| number.unwrap_or(0);
            let _ = writeln!(text, "word {word} after {} from {}", number(after), number(from));
        }
        if let Some(lost) = lost {
            let _ = writeln!(text, "lost after {lost}");
        }
        for (value, roll, is_end) in links {
            let _ = writeln!(text, "{} {value} {roll}", link_words(is_end).1);
        }
        let mut digest = super::commitment::hash(&text);
        digest.truncate(32);
        digest
    }
}

impl<'a> RollSheet<'a> {
    /// The sheet of a board with that key.
    pub fn new(board: &'a Board, dice: &'a BoardDice, key: &'a SecretKey) -> Self {
        Self { board, dice, key }
    }

    /// As a text.
    pub fn text(&self, which: &RollRange) -> String {
        let mut text = head(self.board, self.dice);
        for (level, from) in levels(self.dice) {
            let _ = writeln!(text, "level {} from {from}", level.number());
        }
        let all = self.board.drawn();
        let shown = match which {
            RollRange::All => 1..=all.min(RollRange::MOST),
            RollRange::These(numbers) => *numbers.start().max(&1)..=*numbers.end().min(&all),
        };
        for (number, line, before) in self.chances() {
            if shown.contains(&number) {
                text += &self.one(number, line, &*before);
            }
        }
        let _ = writeln!(text, "dice end {}-{} of {all}", shown.start(), shown.end());
        text
    }

    /// The rolls and deals with their numbers, each with the position that asked for it.
    pub(super) fn chances(&self) -> Vec<(usize, &'a RecordLine, Box<dyn AnyPosition>)> {
        let mut position = self.board.start();
        let mut found = Vec::new();
        for line in &self.board.record {
            if line.entry.is_chance() {
                found.push((found.len() + 1, line, position.copy()));
            }
            replay(&mut *position, [&line.entry]).expect("the record was folded when it was read");
        }
        found
    }

    fn one(&self, number: usize, line: &RecordLine, before: &dyn AnyPosition) -> String {
        let input = self.dice.input(self.board.id, self.board.started, number);
        let mut drawn = lots(self.key, &input);
        let (what, rows) = match (&line.entry, before.next()) {
            (Entry::Rolled(roll), Next::Roll(throw) | Next::Ready(_, throw)) => {
                let thrown = drawn.roll(throw);
                let shown = if is_turned(number, throw, *roll, thrown) { thrown } else { *roll };
                (format!("{} {shown}", named(throw)), String::new())
            }
            (Entry::Laid(_), _) if self.hides() => return format!("roll {number} deal hidden\n"),
            (Entry::Laid(stones), _) => {
                // Each try begins with as many free points.
                let mut limits = Vec::new();
                before.deal(&mut |limit| {
                    limits.push(limit);
                    drawn.below(limit)
                });
                let tries = limits.iter().filter(|limit| Some(*limit) == limits.first()).count();
                (format!("deal {tries}"), stones.to_string())
            }
            _ => return String::new(),
        };
        let why = line.undrawn.map_or_else(String::new, |why| format!(" {}", why.word()));
        let mut text = format!("roll {number} {what}{why}\n");
        let proof = match line.undrawn {
            None => BASE64URL_NOPAD.encode(&self.key.prove(input.as_bytes()).0),
            Some(_) => String::new(),
        };
        let letters = rows + &proof;
        for line in letters.as_bytes().chunks(WIDTH) {
            let _ = writeln!(text, " {}", String::from_utf8_lossy(line));
        }
        text
    }

    /// Whether what was dealt is kept from the players.
    fn hides(&self) -> bool {
        self.board.game.spec().manner.secret && !self.board.is_over()
    }
}

/// Whether what is in a record is what a key gives.
pub(super) fn follows(
    number: usize,
    entry: &Entry,
    before: &dyn AnyPosition,
    key: &SecretKey,
    input: &str,
) -> bool {
    let mut drawn = lots(key, input);
    match (entry, before.next()) {
        (Entry::Rolled(roll), Next::Roll(throw) | Next::Ready(_, throw)) => {
            let thrown = drawn.roll(throw);
            thrown == *roll || is_turned(number, throw, *roll, thrown)
        }
        (Entry::Laid(stones), Next::Deal) => {
            before.deal(&mut |limit| drawn.below(limit)) == *stones
        }
        _ => false,
    }
}

/// Whether that is the first roll of a board, which decided who begins: the record has the higher
/// die first, no matter which player threw it.
fn is_turned(number: usize, throw: Throw, recorded: Roll, thrown: Roll) -> bool {
    match (recorded, thrown) {
        (Roll::Two(a, b), Roll::Two(c, d)) => number == 1 && throw.opening && (a, b) == (d, c),
        _ => false,
    }
}
