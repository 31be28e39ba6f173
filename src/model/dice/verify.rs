//! Reads and checks sheets of dice in any text.

use super::chain::{PlayersLink, inputs, invalid_links, is_link};
use super::commitment::{counts_from, hash};
use super::sheet::{BELOW, DigestWord, Inputs, link_words, throw_name};
use super::{LATEST_WORD, RULES, RollInput, UndrawnReason};
use crate::base::ids::BoardId;
use crate::base::random_stream::RandomStream;
use crate::base::time::Time;
use crate::base::vrf::{PublicKey, VrfProof};
use data_encoding::BASE64URL_NOPAD;
use games::{AnyPosition, Choices, Deal, Next, POSITION, Roll, Throw};
use std::ops::RangeInclusive;

/// The letters of a proof.
const PROOF: usize = 107;
/// Characters that mail programs put before quoted lines.
const QUOTES: [char; 3] = ['>', ' ', '\t'];
/// The most rolls of a sheet; no board has more.
const MAX_ROLLS: usize = 100_000;

/// The result of checking a sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SheetReport {
    /// The board that the sheet names.
    pub board: String,
    /// The key by which the sheet was checked.
    pub key: String,
    /// The range of rolls that the sheet claims to contain.
    pub rolls: RangeInclusive<usize>,
    /// The number of rolls on the board when the sheet was written.
    pub of: usize,
    /// The digests that mails about the board can have named until then.
    pub digests: Vec<String>,
    /// The rolls with their verdicts.
    pub verdicts: Vec<CheckedRoll>,
    /// Other errors.
    pub wrong: Vec<String>,
}

/// A roll of a sheet with its verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedRoll {
    /// The number, or 0 if the line cannot be read.
    pub number: usize,
    /// The roll as it is shown.
    pub shown: String,
    /// The verdict.
    pub verdict: RollVerdict,
}

/// A digest that a mail names for a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedDigest {
    /// The board: `malaka 17`.
    pub board: String,
    /// The digest.
    pub digest: String,
}

/// The security level of a proved roll: what nobody could choose or know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RollLevel {
    /// The roll was fixed by the first mail about the board.
    Fixed,
    /// The roll contains a value of each player. If one of them is honest, nobody chose it, not
    /// even the operator together with the other player.
    Shared,
    /// The roll also contains a value that came with it, and the opponent's newest value. Nobody
    /// but the player who rolled could know it before.
    Linked,
}

impl RollLevel {
    /// Returns the number of the level in a sheet.
    pub fn number(self) -> u8 {
        match self {
            Self::Fixed => 0,
            Self::Shared => 1,
            Self::Linked => 2,
        }
    }
}

/// The means by which a player, together with the operator, could choose a roll that follows from
/// the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SteeredBy {
    /// A word given after the start of the game, as the first rules allowed.
    LastWord,
    /// The challenger did not reveal the value; with it, the roll would have been another.
    LostValue,
    /// The chain value due with the roll is missing; with it, the roll would have been another.
    NoLink,
}

impl SteeredBy {
    /// Returns the explanation that `verify` prints.
    pub fn explanation(self) -> &'static str {
        match self {
            Self::LastWord => {
                "follows from the key, but the player who gave the last word could choose it together \
                 with the operator"
            }
            Self::LostValue => {
                "follows from the key, but the player who lost the value could choose, together with \
                 the operator, between it and the roll with the value"
            }
            Self::NoLink => {
                "has level 1, since the value that was due with it is missing: the player who rolled \
                 could choose, together with the operator, between it and the roll with the value"
            }
        }
    }
}

/// The verdict on a roll.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RollVerdict {
    /// It follows from its number and the key.
    Proved(RollLevel),
    /// It follows from its number and the key, but a player together with the operator could choose
    /// it.
    Steerable(SteeredBy),
    /// It does not follow from the key; the sheet gives the reason.
    Undrawn(UndrawnReason),
    /// It is hidden from the players until the game is over.
    Hidden,
    /// It is wrong, for this reason.
    Wrong(&'static str),
}

impl SheetReport {
    /// Starts a report from the first line of a sheet.
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

    /// Returns whether the sheet is of this board: `malaka 17`.
    pub fn is_of(&self, board: &str) -> bool {
        self.board.split(',').next() == Some(board)
    }

    /// Returns whether the report contains no error.
    pub fn is_right(&self) -> bool {
        let is_wrong = |roll: &CheckedRoll| matches!(roll.verdict, RollVerdict::Wrong(_));
        self.wrong.is_empty() && !self.verdicts.iter().any(is_wrong)
    }

    /// Returns the number of proved rolls.
    pub fn proved(&self) -> usize {
        let is_proved = |roll: &&CheckedRoll| matches!(roll.verdict, RollVerdict::Proved(_));
        self.verdicts.iter().filter(is_proved).count()
    }
}

struct ParsedSheet {
    board: BoardId,
    began: Time,
    options: String,
    rules: u8,
    key: PublicKey,
    commitment: Option<(String, String)>,
    words: Vec<ParsedWord>,
    /// The player who lost the value of their commitment, and the number of rolls before that.
    lost: Option<(String, usize)>,
    /// The chain values.
    links: Vec<ParsedLink>,
    /// The levels that the sheet claims, each with its first roll.
    levels: Vec<(u8, usize)>,
    start: Box<dyn AnyPosition>,
    /// The start of the game without options.
    usual: Box<dyn AnyPosition>,
    /// Whether several games can begin on the board.
    begins_again: bool,
}

/// A seed word of a sheet.
struct ParsedWord {
    who: String,
    word: String,
    /// The number of rolls when it was given, if the game had begun.
    after: Option<usize>,
    /// The first roll that it counts for; `None` while it waits.
    from: Option<usize>,
}

impl ParsedWord {
    /// Returns the word for a digest, counting from roll `from`.
    fn for_digest(&self, from: Option<usize>) -> DigestWord<'_> {
        DigestWord { word: &self.word, after: self.after, from }
    }
}

/// A chain value of a sheet.
struct ParsedLink {
    who: String,
    value: String,
    roll: usize,
    is_end: bool,
}

/// The author of the operator's words. No userid is equal to it.
const OPERATOR: &str = "operator";

/// Returns the digests that a text names for boards.
pub fn digests(text: &str) -> Vec<NamedDigest> {
    let digest = |line: &str| {
        let line = line.trim_start_matches(QUOTES).trim_end();
        let (board, digest) = line.strip_prefix(DIGEST)?.split_once(": ")?;
        Some(NamedDigest { board: board.to_owned(), digest: digest.to_owned() })
    };
    text.lines().filter_map(digest).collect()
}

/// Checks all sheets in a text, such as one or several mails or parts of them. A head without
/// rolls, as in the first mail about a board, ends with its digest; it is reported only if the
/// digest is wrong.
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
        Some((digest, head)) if digest.starts_with(DIGEST) => check_head(head, digest),
        _ => Some(check_sheet(lines)),
    };
    sheets.iter().filter_map(told).collect()
}

/// The start of a line with a digest.
const DIGEST: &str = "dice digest of ";

/// Returns a report about a head whose digest is wrong.
fn check_head(head: &[&str], digest: &str) -> Option<SheetReport> {
    let named = digest.rsplit_once(": ").map(|(_, digest)| digest);
    let right =
        parse_head(head).is_some_and(|sheet| sheet.digests().last().map(String::as_str) == named);
    let wrong = vec!["the digest below these lines is not the digest of these lines".into()];
    (!right).then(|| SheetReport { wrong, ..SheetReport::empty(head) })
}

fn check_sheet(lines: &[&str]) -> SheetReport {
    let mut checked = SheetReport::empty(lines);
    let first = lines.iter().position(|line| line.starts_with("roll ")).unwrap_or(lines.len());
    let Some(sheet) = parse_head(&lines[..first]) else {
        checked.wrong.push("the head of the sheet cannot be read".into());
        return checked;
    };
    checked.key = sheet.key.to_string();
    checked.digests = sheet.digests();
    checked.wrong.extend(unknown_lines(&lines[1..first]));
    checked.wrong.extend(sheet.invalid_words());
    if !sheet.levels.is_empty() && sheet.levels != sheet.levels_by_words() {
        checked.wrong.push("the levels of its rolls differ from those that it claims".into());
    }
    let mut rest = &lines[first..];
    while let Some(line) = rest.first().filter(|line| line.starts_with("roll ")) {
        let letters = rest[1..].iter().take_while(|line| is_continuation(line));
        let letters: Vec<&str> = letters.copied().collect();
        rest = &rest[1 + letters.len()..];
        let found = sheet.verdict(line, &letters.concat());
        let unread = || CheckedRoll {
            number: 0,
            shown: (*line).to_owned(),
            verdict: RollVerdict::Wrong("it cannot be read"),
        };
        checked.verdicts.push(found.unwrap_or_else(unread));
    }
    match rest.first().and_then(|line| parse_end(line)) {
        Some((rolls, of)) => (checked.rolls, checked.of) = (rolls, of),
        None => checked.wrong.push("the end of the sheet is missing".into()),
    }
    let numbers: Vec<usize> = checked.verdicts.iter().map(|roll| roll.number).collect();
    if *checked.rolls.end() > MAX_ROLLS || numbers != checked.rolls.clone().collect::<Vec<_>>() {
        checked
            .wrong
            .push("its rolls are not the rolls that its last line names, each once".into());
    }
    checked
}

/// Returns an error for each unknown line of a head, since it could change the meaning of the
/// others.
fn unknown_lines(lines: &[&str]) -> Vec<String> {
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
    let is_known = |line: &&&str| {
        KNOWN.iter().any(|known| line.starts_with(known)) || parse_word(line).is_some()
    };
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

/// Returns whether a line continues a roll with stones or a proof.
fn is_continuation(line: &str) -> bool {
    let known = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte);
    !line.is_empty() && line.bytes().all(known)
}

/// Parses a seed word in a line of a head.
fn parse_word(line: &str) -> Option<ParsedWord> {
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

/// Parses the seed words of a head. Chain values are on the line below their word.
fn parse_words(lines: &[&str]) -> Option<Vec<ParsedWord>> {
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(mut word) = parse_word(line) else { continue };
        if word.word == BELOW {
            word.word = lines.get(at + 1)?.strip_prefix("value ")?.into();
        }
        found.push(word);
    }
    Some(found)
}

/// Parses the chain values of a head, two lines each.
fn parse_links(lines: &[&str]) -> Option<Vec<ParsedLink>> {
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

fn parse_head(lines: &[&str]) -> Option<ParsedSheet> {
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
        words: parse_words(lines)?,
        lost,
        links: parse_links(lines)?,
        levels: each("level ").map(level).collect::<Option<_>>()?,
        start: game.setup(&options),
        usual: game.setup(&Choices::default()),
        begins_again: options.has("match") || options.has(POSITION),
    })
}

/// Parses the last line: `dice end 1-12 of 12`.
fn parse_end(line: &str) -> Option<(RangeInclusive<usize>, usize)> {
    let (rolls, of) = line.strip_prefix("dice end ")?.split_once(" of ")?;
    let (first, last) = rolls.split_once('-')?;
    Some((first.parse().ok()?..=last.parse().ok()?, of.parse().ok()?))
}

/// Parses the name of a throw, such as `2d6!`.
fn parse_throw(word: &str) -> Option<Throw> {
    let faces = [4, 6].into_iter();
    let throws = faces.flat_map(|faces| {
        [Throw::new(1, faces), Throw::new(2, faces), Throw::to_begin(faces)].into_iter()
    });
    throws.into_iter().find(|throw| throw_name(*throw) == word)
}

impl ParsedSheet {
    /// Checks a roll.
    fn verdict(&self, line: &str, letters: &str) -> Option<CheckedRoll> {
        let mut words = line.split(' ').skip(1);
        let number = words.next()?.parse().ok()?;
        let (kind, shown, why) = (words.next()?, words.next()?, words.next());
        let is_deal = kind == "deal";
        if is_deal && shown == "hidden" {
            let shown = "hidden stones".into();
            return Some(CheckedRoll { number, shown, verdict: RollVerdict::Hidden });
        }
        let checked = |verdict| {
            let shown = match (is_deal, kind.ends_with('!')) {
                (true, _) => "stones".to_owned(),
                (_, true) => format!("{shown} to begin"),
                _ => shown.to_owned(),
            };
            Some(CheckedRoll { number, shown, verdict })
        };
        if let Some(why) = why {
            let (why, _) = UndrawnReason::ALL.into_iter().find(|(_, word)| *word == why)?;
            return checked(RollVerdict::Undrawn(why));
        }
        let dealt = if is_deal { letters.len().checked_sub(PROOF)? } else { 0 };
        let (rows, proof) = letters.split_at_checked(dealt)?;
        let proof = BASE64URL_NOPAD.decode(proof.as_bytes()).ok()?.try_into().ok()?;
        let words = self.words.iter().filter_map(|it| Some((&*it.word, it.from?)));
        let commitment = self.commitment.as_ref().map(|(_, hash)| &**hash);
        let (rules, linked) = (self.rules, self.linked(number));
        let (board, began) = (self.board, self.began);
        let input = RollInput { rules, board, began, commitment, linked, number }.text(words);
        let Some(output) = self.key.verify(input.as_bytes(), &VrfProof(proof)) else {
            return checked(RollVerdict::Wrong("its proof does not hold"));
        };
        let mut lots = RandomStream::new(output);
        let is_right = if is_deal {
            let stones: Deal = rows.parse().ok()?;
            self.start.next() == Next::Deal
                && self.start.deal(&mut |limit| lots.below(limit)) == stones
        } else {
            let (throw, roll) = (parse_throw(kind)?, shown.parse::<Roll>().ok()?);
            self.can_throw(throw, number) && lots.roll(throw) == roll
        };
        let wrong = RollVerdict::Wrong("its proof is of another one");
        checked(if is_right { self.proved_verdict(number) } else { wrong })
    }

    /// Returns the verdict on a roll that follows from the key.
    fn proved_verdict(&self, number: usize) -> RollVerdict {
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

    /// Returns the levels that follow from the words.
    fn levels_by_words(&self) -> Vec<(u8, usize)> {
        let shared = self.words.iter().find(|it| it.after.is_some()).and_then(|it| it.from);
        let fixed = (self.rules > 1).then_some((RollLevel::Fixed.number(), 1));
        let shared = shared.map(|from| (RollLevel::Shared.number(), from));
        let linked = self.links.iter().find(|it| !it.is_end);
        let linked = linked.map(|it| (RollLevel::Linked.number(), it.roll));
        [fixed, shared, linked].into_iter().flatten().collect()
    }

    /// Returns the words with which both chains begin, and the first roll that waits for a value;
    /// `None` if the players have no chains.
    fn chains(&self) -> Option<([&ParsedWord; 2], usize)> {
        let mut words = self.words.iter().filter(|it| it.after.is_some());
        let (answer, value) = (words.next()?, words.next()?);
        let are_chains = is_link(&answer.word) && is_link(&value.word);
        are_chains.then_some(([answer, value], value.from?))
    }

    /// Returns the chain values with their players; player 0 gave the first word.
    fn numbered_links<'a>(
        &'a self,
        words: [&'a ParsedWord; 2],
    ) -> impl Iterator<Item = PlayersLink<'a>> {
        let player =
            move |who: &str| words.iter().position(|it| it.who == who).unwrap_or(usize::MAX);
        self.links.iter().map(move |it| {
            let ParsedLink { who, value, roll, is_end } = it;
            PlayersLink { player: player(who), value, roll: *roll, is_end: *is_end }
        })
    }

    /// Returns the values of both players that went into roll `number`.
    fn linked(&self, number: usize) -> Option<[&str; 2]> {
        let (words, _) = self.chains()?;
        inputs(words.map(|it| &*it.word), self.numbered_links(words), number)
    }

    /// Returns the errors in the chain values.
    fn invalid_links(&self) -> Vec<String> {
        match self.chains() {
            _ if self.links.is_empty() => Vec::new(),
            None => vec!["it has values of chains, and its players have none".into()],
            Some((words, from)) => {
                let first = words.map(|it| &*it.word);
                invalid_links(first, from, self.numbered_links(words)).into_iter().collect()
            }
        }
    }

    /// Returns an error for each word that no player can have given so.
    fn invalid_words(&self) -> Vec<String> {
        if !(1..=RULES).contains(&self.rules) {
            return vec![format!("its rules are {}, which are not known here", self.rules)];
        }
        let players = || self.words.iter().filter(|it| it.who != OPERATOR);
        // A word of the challenge counts from the first roll and came before it.
        let is_late = |it: &&ParsedWord| it.from != Some(1) || it.after.is_some();
        let late: Vec<&ParsedWord> = players().filter(is_late).collect();
        let wrong = |it: &&ParsedWord| {
            let from = it.from.map_or_else(String::new, |from| format!(" from roll {from} on"));
            format!("the word {} cannot count{from}: it came when the game had begun", it.word)
        };
        if self.rules < RULES {
            let is_wrong = |it: &&&ParsedWord| {
                it.after.is_some() || it.from.is_none_or(|from| from > LATEST_WORD)
            };
            return late.iter().filter(is_wrong).map(wrong).collect();
        }
        let is_answer = |it: &ParsedWord| {
            self.commitment.as_ref().is_some_and(|(who, _)| *who != it.who) && it.after.is_some()
        };
        if let Some((who, after)) = &self.lost {
            let is_of = |it: &ParsedWord| {
                is_answer(it)
                    && it.from.is_none()
                    && it.after.map(|given| given.saturating_add(1)) == Some(*after)
            };
            let commits = self.commitment.as_ref().is_some_and(|(commits, _)| commits == who);
            return match late[..] {
                [answer] if is_of(answer) && commits => Vec::new(),
                _ => vec![format!("{who} cannot have lost a value after roll {after}")],
            };
        }
        match late[..] {
            [] => self.invalid_links(),
            [answer] if is_answer(answer) && answer.from.is_none() => self.invalid_links(),
            [answer, value] if is_answer(answer) && self.is_value_of(answer, value) => {
                self.invalid_links()
            }
            _ => late.iter().map(wrong).collect(),
        }
    }

    /// Returns whether a word is the value of the commitment, revealed right after the answer.
    fn is_value_of(&self, answer: &ParsedWord, value: &ParsedWord) -> bool {
        let Some((who, committed)) = &self.commitment else { return false };
        let right = answer.after.map(counts_from);
        *who == value.who
            && hash(&value.word) == *committed
            && (answer.from, answer.after) == (value.from, value.after)
            && answer.from == right
    }

    /// Returns all digests that mails can have named: at the start, after the answer to the
    /// commitment, and after the value was revealed; with each word of the operator and each chain
    /// value.
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
                        return (seen <= given).then_some(it.for_digest(it.from));
                    }
                    if it.after.is_none() {
                        return Some(it.for_digest(it.from));
                    }
                    answers += 1;
                    match stage {
                        0 => None,
                        1 => (answers == 1).then_some(it.for_digest(None)),
                        _ => Some(it.for_digest(it.from)),
                    }
                });
                let lost = self.lost.as_ref().filter(|_| stage > 1).map(|(_, after)| *after);
                let links = self.links[..links].iter().map(|it| PlayersLink {
                    player: 0,
                    value: &it.value,
                    roll: it.roll,
                    is_end: it.is_end,
                });
                let digest = inputs.digest(words.collect::<Vec<_>>().into_iter(), lost, links);
                if !found.contains(&digest) {
                    found.push(digest);
                }
            }
        }
        found
    }

    /// Returns whether the game can ask for this throw; a different die would have other faces.
    /// After the first move all games throw two dice. An opening roll comes once, or before each
    /// game of a match.
    fn can_throw(&self, throw: Throw, number: usize) -> bool {
        let (first, is_first) = match (self.start.next(), self.usual.next()) {
            (Next::Roll(first) | Next::Ready(_, first), _) => (first, number == 1),
            // The position begins with a double that waits for its answer.
            (Next::Move(_), Next::Roll(usual) | Next::Ready(_, usual)) => (usual, false),
            _ => return false,
        };
        if is_first {
            return first == throw;
        }
        first.faces == throw.faces && throw.dice == 2 && (self.begins_again || !throw.is_opening)
    }
}
