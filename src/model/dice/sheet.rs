//! Sheets: the rolls of a board with their proofs, as a text that any program can check, even after
//! the text was mailed and copied.
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
//! `2d6!` is an opening roll. `deal 3` means that the third deal was one that the game could begin
//! with; what was dealt precedes the proof: nine rows of stones, or a number.

use super::chain::PlayersLink;
use super::{BoardDice, ChainLink, RollLevel, SeedWord, WaitingWord, is_link, random_stream};
use crate::base::ids::BoardId;
use crate::base::time::Time;
use crate::base::vrf::SecretKey;
use crate::model::board::{Board, RecordLine};
use data_encoding::BASE64URL_NOPAD;
use games::{AnyPosition, Entry, Next, Roll, Throw, replay};
use std::fmt::Write as _;
use std::ops::RangeInclusive;

/// Letters of a proof in a line.
const WIDTH: usize = 64;

/// The rolls of a sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RollRange {
    /// All, up to [`RollRange::MOST`].
    All,
    /// The rolls with these numbers that exist.
    These(RangeInclusive<usize>),
}

impl RollRange {
    /// The most rolls of a sheet. Proofs take time during which nobody else can use the home.
    pub const MOST: usize = 400;
}

/// A board with its dice and key, for a sheet.
#[derive(Clone, Copy, Debug)]
pub struct RollSheet<'a> {
    board: &'a Board,
    dice: &'a BoardDice,
    key: &'a SecretKey,
}

/// Returns the name of a throw: `2d6`, or `2d6!` for an opening roll.
pub(super) fn throw_name(throw: Throw) -> String {
    let Throw { dice, faces, is_opening } = throw;
    format!("{dice}d{faces}{}", if is_opening { "!" } else { "" })
}

/// Returns the head of a sheet: the inputs of the rolls, from the start of the board and since.
pub fn sheet_head(board: &Board, dice: &BoardDice) -> String {
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
        // A digest on a line of its own is not wrapped.
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

/// Stands for a word that has a line of its own.
pub(super) const BELOW: &str = "*";

/// Returns the word and the line below it. A chain value would make the line too long for mails.
fn word_lines(word: &str) -> (&str, String) {
    if is_link(word) { (BELOW, format!("\nvalue {word}")) } else { (word, String::new()) }
}

/// Returns the lines of the chain values that came with roll `first` or later.
pub fn links_since(board: &Board, dice: &BoardDice, first: usize) -> String {
    let mut text = String::new();
    for ChainLink { seat, value, roll, is_end } in dice.links.iter().filter(|it| it.roll >= first) {
        let (whose, what) = link_words(*is_end);
        let player = board.players.get(usize::from(*seat)).map_or("", |id| id.as_str());
        let _ = writeln!(text, "{whose} {player} {roll}\n{what} {value}");
    }
    text
}

/// Returns the first words of the two lines of a chain value: player, and value.
pub(super) fn link_words(is_end: bool) -> (&'static str, &'static str) {
    if is_end { ("chains", "chain") } else { ("links", "link") }
}

/// Returns the levels of a board's rolls, each with its first roll. The operator's words have no
/// level.
pub fn roll_levels(dice: &BoardDice) -> Vec<(RollLevel, usize)> {
    let shared = dice.words.iter().find(|it| it.after.is_some()).map(|it| it.from);
    let linked = dice.links.iter().find(|it| !it.is_end).map(|it| it.roll);
    let fixed = (dice.rules > 1).then_some((RollLevel::Fixed, 1));
    let shared = shared.map(|from| (RollLevel::Shared, from));
    let linked = linked.map(|from| (RollLevel::Linked, from));
    [fixed, shared, linked].into_iter().flatten().collect()
}

/// Returns the digest of the inputs of a board's rolls, which every mail about it names.
pub fn digest(board: &Board, dice: &BoardDice) -> String {
    let words = dice.words.iter();
    let words = words.map(|it| DigestWord { word: &it.word, after: it.after, from: Some(it.from) });
    let waiting = dice.waiting.iter();
    let waiting =
        waiting.map(|it| DigestWord { word: &it.word, after: Some(it.after), from: None });
    let inputs = Inputs {
        board: board.id,
        began: board.started,
        options: &board.options.words().collect::<Vec<_>>().join(" "),
        rules: dice.rules,
        key: &dice.key.to_string(),
        commitment: dice.commitment.as_ref().map(|it| &*it.hash),
    };
    let lost = dice.waiting.as_ref().and_then(WaitingWord::lost_after);
    let links = dice.links.iter().map(|it| PlayersLink {
        player: 0,
        value: &it.value,
        roll: it.roll,
        is_end: it.is_end,
    });
    inputs.digest(words.chain(waiting), lost, links)
}

/// A seed word in a digest.
pub(super) struct DigestWord<'a> {
    pub(super) word: &'a str,
    /// The number of rolls when it was given.
    pub(super) after: Option<usize>,
    /// The first roll that it counts for; `None` while it waits.
    pub(super) from: Option<usize>,
}

/// The inputs of a board's rolls without the words.
pub(super) struct Inputs<'a> {
    pub(super) board: BoardId,
    pub(super) began: Time,
    pub(super) options: &'a str,
    pub(super) rules: u8,
    pub(super) key: &'a str,
    pub(super) commitment: Option<&'a str>,
}

impl Inputs<'_> {
    /// Returns the digest of the inputs and these words: the first 32 hexadecimal digits of a
    /// SHA-256. It contains no userids, since a user may be renamed.
    pub(super) fn digest<'w>(
        &self,
        words: impl Iterator<Item = DigestWord<'w>>,
        lost: Option<usize>,
        links: impl Iterator<Item = PlayersLink<'w>>,
    ) -> String {
        let Self { board, began, options, rules, key, commitment } = self;
        let mut text = format!("postboard dice {rules}\n{board}\nbegan {}\n", began.unix());
        let _ = writeln!(text, "options {options}\nkey {key}");
        let _ = writeln!(text, "commitment {}", commitment.unwrap_or("none"));
        for DigestWord { word, after, from } in words {
            let number = |number: Option<usize>| number.unwrap_or(0);
            let _ = writeln!(text, "word {word} after {} from {}", number(after), number(from));
        }
        if let Some(lost) = lost {
            let _ = writeln!(text, "lost after {lost}");
        }
        for PlayersLink { value, roll, is_end, .. } in links {
            let _ = writeln!(text, "{} {value} {roll}", link_words(is_end).1);
        }
        let mut digest = super::commitment::hash(&text);
        digest.truncate(32);
        digest
    }
}

/// A roll or deal of a record.
pub(super) struct RecordedDraw<'a> {
    pub(super) number: usize,
    pub(super) line: &'a RecordLine,
    /// The position before it.
    pub(super) before: Box<dyn AnyPosition>,
}

impl RecordedDraw<'_> {
    /// Returns whether the recorded result follows from the key and the input of its number.
    pub(super) fn follows_from_key(&self, key: &SecretKey, input: &str) -> bool {
        let mut drawn = random_stream(key, input);
        match (&self.line.entry, self.before.next()) {
            (Entry::Rolled(roll), Next::Roll(throw) | Next::Ready(_, throw)) => {
                let thrown = drawn.roll(throw);
                thrown == *roll || is_reordered_opening(self.number, throw, *roll, thrown)
            }
            (Entry::Laid(stones), Next::Deal) => {
                self.before.deal(&mut |limit| drawn.below(limit)) == *stones
            }
            _ => false,
        }
    }
}

impl<'a> RollSheet<'a> {
    /// Prepares the sheet of a board.
    pub fn new(board: &'a Board, dice: &'a BoardDice, key: &'a SecretKey) -> Self {
        Self { board, dice, key }
    }

    /// Returns the text of the sheet.
    pub fn text(&self, which: &RollRange) -> String {
        let mut text = sheet_head(self.board, self.dice);
        for (level, from) in roll_levels(self.dice) {
            let _ = writeln!(text, "level {} from {from}", level.number());
        }
        let all = self.board.drawn();
        let shown = match which {
            RollRange::All => 1..=all.min(RollRange::MOST),
            RollRange::These(numbers) => *numbers.start().max(&1)..=*numbers.end().min(&all),
        };
        for draw in self.draws() {
            if shown.contains(&draw.number) {
                text += &self.roll_lines(&draw);
            }
        }
        let _ = writeln!(text, "dice end {}-{} of {all}", shown.start(), shown.end());
        text
    }

    /// Returns the rolls and deals of the record.
    pub(super) fn draws(&self) -> Vec<RecordedDraw<'a>> {
        let mut position = self.board.start();
        let mut found = Vec::new();
        for line in &self.board.record {
            if line.entry.is_chance() {
                let number = found.len() + 1;
                found.push(RecordedDraw { number, line, before: position.copy() });
            }
            replay(&mut *position, [&line.entry])
                .expect("the record was replayed when it was read");
        }
        found
    }

    /// Returns the lines of a roll or deal.
    fn roll_lines(&self, draw: &RecordedDraw) -> String {
        let RecordedDraw { number, line, before } = draw;
        let number = *number;
        let input = self.dice.input(self.board.id, self.board.started, number);
        let mut drawn = random_stream(self.key, &input);
        let (what, rows) = match (&line.entry, before.next()) {
            (Entry::Rolled(roll), Next::Roll(throw) | Next::Ready(_, throw)) => {
                let thrown = drawn.roll(throw);
                let shown =
                    if is_reordered_opening(number, throw, *roll, thrown) { thrown } else { *roll };
                (format!("{} {shown}", throw_name(throw)), String::new())
            }
            (Entry::Laid(_), _) if self.board.is_hidden() => {
                return format!("roll {number} deal hidden\n");
            }
            (Entry::Laid(stones), _) => {
                // Each attempt begins with the same number of free points.
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
}

/// Returns whether `recorded` is the opening roll `thrown` with the higher die first, as records
/// have it.
fn is_reordered_opening(number: usize, throw: Throw, recorded: Roll, thrown: Roll) -> bool {
    match (recorded, thrown) {
        (Roll::Two(a, b), Roll::Two(c, d)) => number == 1 && throw.is_opening && (a, b) == (d, c),
        _ => false,
    }
}
