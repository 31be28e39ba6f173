//! Sheets of dice are read and checked, from any text that has some.

use super::chain::{inputs, is_link, untrue_links};
use super::commitment::{counts_from, hash};
use super::sheet::Inputs;
use super::sheet::{BELOW, link_words, named};
use super::{LATEST_WORD, RULES, UndrawnReason, input};
use crate::base::ids::BoardId;
use crate::base::random_stream::RandomStream;
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
    /// The digests that mails about the board can have named, from its start up to the sheet.
    pub digests: Vec<String>,
    /// Each roll, as it is shown, and whether it is right.
    pub verdicts: Vec<(usize, String, RollVerdict)>,
    /// Other mistakes.
    pub wrong: Vec<String>,
}

/// What nobody could choose about a roll that is proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RollLevel {
    /// It was fixed by what the first mail about the board names.
    Fixed,
    /// A value of each player is in it: if one of the two is honest, nobody chose it, not even the
    /// operator together with the other.
    Shared,
    /// A value that came with the roll is in it, too, and the newest one of the other player: nobody
    /// but the player who rolled could know it before.
    Linked,
}

impl RollLevel {
    /// The number by which a sheet names it.
    pub fn number(self) -> u8 {
        match self {
            Self::Fixed => 0,
            Self::Shared => 1,
            Self::Linked => 2,
        }
    }
}

/// By what a player could choose a roll that follows from the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SteeredBy {
    /// A word that was given when the game had begun, as the first rules allowed.
    LastWord,
    /// The challenger has not revealed the value: with it, another roll had come.
    LostValue,
    /// No value of a chain came with the roll, where one was due: with it, another roll had come.
    NoLink,
}

impl SteeredBy {
    /// What it means, as `verify` tells it.
    pub fn explanation(self) -> &'static str {
        match self {
            Self::LastWord => {
                "follows from the key, but who gave the last word could choose it together with \
                 the operator"
            }
            Self::LostValue => {
                "follows from the key, but who lost the value could choose, together with the \
                 operator, between it and the roll with the value"
            }
            Self::NoLink => {
                "has level 1 for want of the value that was due with it: who rolled could choose, \
                 together with the operator, between it and the roll with the value"
            }
        }
    }
}

/// Whether a roll is right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RollVerdict {
    /// It is what its number and the key give.
    Proved(RollLevel),
    /// It is what its number and the key give, but together with the operator a player could choose
    /// it.
    Steerable(SteeredBy),
    /// It was not drawn so, and the sheet says why.
    Undrawn(UndrawnReason),
    /// It is kept from the players until the game is over.
    Hidden,
    /// It is wrong: why.
    Wrong(&'static str),
}

impl SheetReport {
    /// A report about lines of which nothing has been read yet but the board.
    fn empty(lines: &[&str]) -> Self {
        let head = lines.first().copied().unwrap_or_default();
        Self {
            board: head.trim_start_matches("dice of ").to_owned(),
            key: String::new(),
            rolls: RangeInclusive::new(1, 0),
            of: 0,
            digests: Vec::new(),
            verdicts: Vec::new(),
            wrong: Vec::new(),
        }
    }

    /// Whether it is of the board of that name: `malaka 17`.
    pub fn is_of(&self, board: &str) -> bool {
        self.board.split(',').next() == Some(board)
    }

    /// Whether nothing in it is wrong.
    pub fn is_right(&self) -> bool {
        let is_wrong = |(_, _, verdict): &(usize, String, RollVerdict)| {
            matches!(verdict, RollVerdict::Wrong(_))
        };
        self.wrong.is_empty() && !self.verdicts.iter().any(is_wrong)
    }

    /// How many rolls are proved.
    pub fn proved(&self) -> usize {
        let is_proved = |verdict: &RollVerdict| matches!(verdict, RollVerdict::Proved(_));
        self.verdicts.iter().filter(|(_, _, verdict)| is_proved(verdict)).count()
    }
}

/// A sheet as it is read.
struct ParsedSheet {
    board: BoardId,
    began: Time,
    options: String,
    rules: u8,
    key: PublicKey,
    commitment: Option<(String, String)>,
    words: Vec<ParsedWord>,
    /// Who had lost the value, and after how many rolls.
    lost: Option<(String, usize)>,
    /// The values of chains.
    links: Vec<ParsedLink>,
    /// The levels that it says its rolls have, each with the first one.
    levels: Vec<(u8, usize)>,
    start: Box<dyn AnyPosition>,
    /// The start of a game without options.
    usual: Box<dyn AnyPosition>,
    /// Whether more than one game may begin on the board.
    begins_again: bool,
}

/// A word in a sheet.
struct ParsedWord {
    who: String,
    word: String,
    /// How many rolls there were when it was given, where the game had begun.
    after: Option<usize>,
    /// The first roll that it is in; none as long as it waits.
    from: Option<usize>,
}

/// A value of a chain in a sheet.
struct ParsedLink {
    who: String,
    value: String,
    roll: usize,
    is_end: bool,
}

/// Who has given a word that is no player's. No player is called that.
const OPERATOR: &str = "operator";

/// The digests that a text, such as a mail, names for boards: each with its board.
pub fn digests(text: &str) -> Vec<(String, String)> {
    let digest = |line: &str| {
        let line = line.trim_start_matches(QUOTES).trim_end();
        let (board, digest) = line.strip_prefix(DIGEST)?.split_once(": ")?;
        Some((board.to_owned(), digest.to_owned()))
    };
    text.lines().filter_map(digest).collect()
}

/// Checks every sheet in a text: a mail, several, or what was cut out of one. The head of a sheet, as
/// the first mail about a board has it, ends with its digest; it is told only where that is wrong.
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
        is_in &= !(line.starts_with("dice end ") || line.starts_with(DIGEST));
    }
    let told = |lines: &Vec<&str>| match lines.split_last() {
        Some((digest, head)) if digest.starts_with(DIGEST) => untrue_head(head, digest),
        _ => Some(one(lines)),
    };
    sheets.iter().filter_map(told).collect()
}

/// How a line with a digest begins.
const DIGEST: &str = "dice digest of ";

/// The report about the head of a sheet whose digest is another one.
fn untrue_head(head: &[&str], digest: &str) -> Option<SheetReport> {
    let named = digest.rsplit_once(": ").map(|(_, digest)| digest);
    let right = read(head).is_some_and(|sheet| sheet.digests().last().map(String::as_str) == named);
    let wrong = vec!["the digest below these lines is not theirs".into()];
    (!right).then(|| SheetReport { wrong, ..SheetReport::empty(head) })
}

fn one(lines: &[&str]) -> SheetReport {
    let mut checked = SheetReport::empty(lines);
    let first = lines.iter().position(|line| line.starts_with("roll ")).unwrap_or(lines.len());
    let Some(sheet) = read(&lines[..first]) else {
        checked.wrong.push("the head of the sheet cannot be read".into());
        return checked;
    };
    checked.key = sheet.key.to_string();
    checked.digests = sheet.digests();
    checked.wrong.extend(unread(&lines[1..first]));
    checked.wrong.extend(sheet.untrue_words());
    if !sheet.levels.is_empty() && sheet.levels != sheet.right_levels() {
        checked.wrong.push("its rolls have other levels than it says".into());
    }
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

/// Header lines that mean nothing here, named: what is not understood proves nothing.
fn unread(lines: &[&str]) -> Vec<String> {
    const KNOWN: [&str; 12] = [
        "options ",
        "rules ",
        "key ",
        "commits ",
        "commitment ",
        "lost ",
        "links ",
        "link ",
        "chains ",
        "chain ",
        "value ",
        "level ",
    ];
    let is_known =
        |line: &&&str| KNOWN.iter().any(|known| line.starts_with(known)) || word(line).is_some();
    let unknown = lines.iter().filter(|line| !line.is_empty() && !is_known(line));
    unknown
        .map(|line| {
            format!(
                "a line of its head is not understood: {}",
                line.chars().take(60).collect::<String>()
            )
        })
        .collect()
}

/// Whether a line goes on with stones or a proof.
fn is_letters(line: &str) -> bool {
    let known = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte);
    !line.is_empty() && line.bytes().all(known)
}

/// The word in a line of a head.
fn word(line: &str) -> Option<ParsedWord> {
    let words: Vec<&str> = line.strip_prefix("word ")?.split(' ').collect();
    let number = |text: &str| text.parse().ok();
    let (who, word, after, from) = match words[..] {
        [who, word, "from", from] => (who, word, None, Some(number(from)?)),
        [who, word, "after", after] => (who, word, Some(number(after)?), None),
        [who, word, "after", after, "from", from] => {
            (who, word, Some(number(after)?), Some(number(from)?))
        }
        _ => return None,
    };
    Some(ParsedWord { who: who.to_owned(), word: word.to_owned(), after, from })
}

/// The words in a head; those that are values of chains have a line of their own below.
fn words(lines: &[&str]) -> Option<Vec<ParsedWord>> {
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(mut word) = word(line) else { continue };
        if word.word == BELOW {
            word.word = lines.get(at + 1)?.strip_prefix("value ")?.into();
        }
        found.push(word);
    }
    Some(found)
}

/// The values of chains in a head, two lines each.
fn links(lines: &[&str]) -> Option<Vec<ParsedLink>> {
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        for is_end in [false, true] {
            let (whose, what) = link_words(is_end);
            let Some(rest) = line.strip_prefix(whose).and_then(|rest| rest.strip_prefix(' '))
            else {
                continue;
            };
            let (who, roll) = rest.split_once(' ')?;
            let value = lines.get(at + 1)?.strip_prefix(what)?.strip_prefix(' ')?;
            let (who, value) = (who.to_owned(), value.to_owned());
            found.push(ParsedLink { who, value, roll: roll.parse().ok()?, is_end });
        }
    }
    let values = lines.iter().filter(|it| it.starts_with("link ") || it.starts_with("chain "));
    (values.count() == found.len()).then_some(found)
}

/// The head of a sheet.
fn read(lines: &[&str]) -> Option<ParsedSheet> {
    let (board, began) = lines.first()?.strip_prefix("dice of ")?.split_once(", begun ")?;
    let (game, number) = board.split_once(' ')?;
    let game = games::find(game)?;
    let board = BoardId { game: game.spec().name, number: number.parse().ok()? };
    let value = |name: &str| lines.iter().find_map(|line| line.strip_prefix(name));
    let named = value("options ").unwrap_or_default();
    let options = named.split_whitespace();
    let options = Choices::parse(game.spec().options, game.spec().exclusive, options).ok()?;
    let level = |line: &str| {
        let (level, from) = line.strip_prefix("level ")?.split_once(" from ")?;
        Some((level.parse().ok()?, from.parse().ok()?))
    };
    let each =
        |name: &'static str| lines.iter().copied().filter(move |line| line.starts_with(name));
    let commitment = match (value("commits "), value("commitment ")) {
        (Some(who), Some(hash)) => Some((who.to_owned(), hash.to_owned())),
        (None, None) => None,
        _ => return None,
    };
    let lost = match value("lost ") {
        Some(lost) => {
            let (who, after) = lost.split_once(" after ")?;
            Some((who.to_owned(), after.parse().ok()?))
        }
        None => None,
    };
    Some(ParsedSheet {
        board,
        began: Time::from_unix(began.parse().ok()?),
        key: PublicKey::from_hex(value("key ")?)?,
        options: named.split_whitespace().collect::<Vec<_>>().join(" "),
        rules: value("rules ").map_or(Some(1), |rules| rules.parse().ok())?,
        commitment,
        words: words(lines)?,
        lost,
        links: links(lines)?,
        levels: each("level ").map(level).collect::<Option<_>>()?,
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
        let words = self.words.iter().filter_map(|it| Some((&*it.word, it.from?)));
        let commitment = self.commitment.as_ref().map(|(_, hash)| &**hash);
        let (rules, linked) = (self.rules, self.linked(number));
        let input = input(rules, self.board, self.began, commitment, words, linked, number);
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
        Some((number, what, if is_right { self.worth(number) } else { wrong }))
    }

    /// What it is worth that a roll follows from the key.
    fn worth(&self, number: usize) -> RollVerdict {
        let counts = |word: &&ParsedWord| word.from.is_some_and(|from| from <= number);
        let words = || self.words.iter().filter(counts);
        if words().any(|word| word.who == OPERATOR) {
            return RollVerdict::Undrawn(UndrawnReason::Operator);
        }
        if words().any(|word| word.after.is_some()) {
            return match (self.linked(number), self.chains()) {
                (Some(_), _) => RollVerdict::Proved(RollLevel::Linked),
                (None, Some(_)) => RollVerdict::Steerable(SteeredBy::NoLink),
                (None, None) => RollVerdict::Proved(RollLevel::Shared),
            };
        }
        if words().any(|word| word.from > Some(1)) {
            return RollVerdict::Steerable(SteeredBy::LastWord);
        }
        if self.lost.as_ref().is_some_and(|(_, after)| *after < number) {
            return RollVerdict::Steerable(SteeredBy::LostValue);
        }
        RollVerdict::Proved(RollLevel::Fixed)
    }

    /// The levels of its rolls by its words.
    fn right_levels(&self) -> Vec<(u8, usize)> {
        let shared = self.words.iter().find(|it| it.after.is_some()).and_then(|it| it.from);
        let fixed = (self.rules > 1).then_some((RollLevel::Fixed.number(), 1));
        let shared = shared.map(|from| (RollLevel::Shared.number(), from));
        let linked = self.links.iter().find(|it| !it.is_end);
        let linked = linked.map(|it| (RollLevel::Linked.number(), it.roll));
        [fixed, shared, linked].into_iter().flatten().collect()
    }

    /// The words with which the chains of both players begin, and the first roll that waits for a
    /// value; nothing where they have none.
    fn chains(&self) -> Option<([&ParsedWord; 2], usize)> {
        let mut words = self.words.iter().filter(|it| it.after.is_some());
        let (answer, value) = (words.next()?, words.next()?);
        let are_chains = is_link(&answer.word) && is_link(&value.word);
        are_chains.then_some(([answer, value], value.from?))
    }

    /// The values of chains, each with its player: 0 is the one whose word came first.
    fn numbered_links<'a>(
        &'a self,
        words: [&'a ParsedWord; 2],
    ) -> impl Iterator<Item = (usize, &'a str, usize, bool)> {
        let player =
            move |who: &str| words.iter().position(|it| it.who == who).unwrap_or(usize::MAX);
        self.links.iter().map(move |it| (player(&it.who), &*it.value, it.roll, it.is_end))
    }

    /// The values of both that are in the roll of that number.
    fn linked(&self, number: usize) -> Option<[&str; 2]> {
        let (words, _) = self.chains()?;
        inputs(words.map(|it| &*it.word), self.numbered_links(words), number)
    }

    /// What is wrong with the values of chains.
    fn untrue_links(&self) -> Vec<String> {
        match self.chains() {
            _ if self.links.is_empty() => Vec::new(),
            None => vec!["it has values of chains, and its players have none".into()],
            Some((words, from)) => {
                let first = words.map(|it| &*it.word);
                untrue_links(first, from, self.numbered_links(words)).into_iter().collect()
            }
        }
    }

    /// The words that no player can have given so, each with the reason.
    fn untrue_words(&self) -> Vec<String> {
        if !(1..=RULES).contains(&self.rules) {
            return vec![format!("its rules are {}, which are not known here", self.rules)];
        }
        let players = || self.words.iter().filter(|it| it.who != OPERATOR);
        let late: Vec<&ParsedWord> = players().filter(|it| it.from != Some(1)).collect();
        let wrong = |it: &&ParsedWord| {
            let from = it.from.map_or_else(String::new, |from| format!(" from roll {from} on"));
            format!("the word {} cannot count{from}: it came when the game had begun", it.word)
        };
        if self.rules < RULES {
            let is_wrong = |it: &&&ParsedWord| it.from.is_none_or(|from| from > LATEST_WORD);
            return late.iter().filter(is_wrong).map(wrong).collect();
        }
        let is_answer = |it: &ParsedWord| {
            self.commitment.as_ref().is_some_and(|(who, _)| *who != it.who) && it.after.is_some()
        };
        if let Some((who, after)) = &self.lost {
            let is_of = |it: &ParsedWord| {
                is_answer(it)
                    && it.from.is_none()
                    && it.after.map(|given| given + 1) == Some(*after)
            };
            let commits = self.commitment.as_ref().is_some_and(|(commits, _)| commits == who);
            return match late[..] {
                [answer] if is_of(answer) && commits => Vec::new(),
                _ => vec![format!("{who} cannot have lost a value after roll {after}")],
            };
        }
        match late[..] {
            [] => self.untrue_links(),
            [answer] if is_answer(answer) && answer.from.is_none() => self.untrue_links(),
            [answer, value] if is_answer(answer) && self.is_value_of(answer, value) => {
                self.untrue_links()
            }
            _ => late.iter().map(wrong).collect(),
        }
    }

    /// Whether a word is the value of the commitment, revealed right after the answer.
    fn is_value_of(&self, answer: &ParsedWord, value: &ParsedWord) -> bool {
        let Some((who, committed)) = &self.commitment else { return false };
        let right = answer.after.map(counts_from);
        *who == value.who
            && hash(&value.word) == *committed
            && (answer.from, answer.after) == (value.from, value.after)
            && answer.from == right
    }

    /// The digests that mails can have named: at the start, once the answer to the commitment was
    /// given, and once the value was revealed; with each word of the operator.
    fn digests(&self) -> Vec<String> {
        let key = self.key.to_string();
        let inputs = Inputs {
            board: self.board,
            began: self.began,
            options: &self.options,
            rules: self.rules,
            key: &key,
            commitment: self.commitment.as_ref().map(|(_, hash)| &**hash),
        };
        let is_operators = |it: &&ParsedWord| it.who == OPERATOR;
        let operators = self.words.iter().filter(is_operators).count();
        let mut found = Vec::new();
        let stages = (0..=2).map(|stage| (stage, 0));
        for (stage, links) in stages.chain((1..=self.links.len()).map(|links| (2, links))) {
            for given in 0..=operators {
                let (mut answers, mut seen) = (0, 0);
                let words = self.words.iter().filter_map(|it| {
                    if it.who == OPERATOR {
                        seen += 1;
                        return (seen <= given).then_some((&*it.word, it.after, it.from));
                    }
                    if it.after.is_none() {
                        return Some((&*it.word, it.after, it.from));
                    }
                    answers += 1;
                    match stage {
                        0 => None,
                        1 => (answers == 1).then_some((&*it.word, it.after, None)),
                        _ => Some((&*it.word, it.after, it.from)),
                    }
                });
                let lost = self.lost.as_ref().filter(|_| stage > 1).map(|(_, after)| *after);
                let links = self.links[..links].iter().map(|it| (&*it.value, it.roll, it.is_end));
                let digest = inputs.digest(words.collect::<Vec<_>>().into_iter(), lost, links);
                if !found.contains(&digest) {
                    found.push(digest);
                }
            }
        }
        found
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
