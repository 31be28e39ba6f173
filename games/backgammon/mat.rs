//! Matches as `.mat` files: the format of Jellyfish, which GNU Backgammon and others write.
//!
//! ```text
//!  3 point match
//!
//!  Game 1
//!  alice : 0                      bob : 0
//!   1) 31: 8/5 6/5                 52: 13/8 13/11
//!   2)  Doubles => 2                Drops
//!       Wins 1 point
//! ```
//!
//! The left column is seat 0's. Each side counts its own points down: 25 is the bar, 0 is off,
//! `*` a hit. A roll without steps cannot be played. Who resigns is not said: a game may end with
//! men on the board, won for so many points. A single game for money is a `0 point match`.

use super::rules::Backgammon;
use super::stakes::LONGEST;
use super::{Move, Position, Stage, misfit};
use crate::kit::{Choices, Entry, Game, Next, Roll, Seat, Transcript};
use crate::points::{BAR, Board, Men, OFF, Play, REROLL, Set, apply};
use std::fmt::Write;

/// The column in which the right cell of a line begins, counted from 0.
const RIGHT: usize = 33;

/// The column of the cell of the left.
const LEFT: usize = 5;

/// A cell that begins so far to the right stands in the right column.
const MIDDLE: usize = 18;

/// Writes a record.
pub(super) fn write(transcript: &Transcript) -> Result<String, String> {
    let mut position = Position::setup(&transcript.options);
    let mut sheet = Sheet::default();
    sheet.line(&format!(" {} point match", position.terms.length));
    sheet.game(&position, &transcript.players);
    for (index, entry) in transcript.record.iter().enumerate() {
        let before = position.clone();
        if position.stage == Stage::Opening && position.stakes.game > sheet.games {
            sheet.game(&position, &transcript.players);
        }
        position.follow(entry).map_err(|error| misfit(index, &error))?;
        match entry {
            // Only the roll that is played stands in the file.
            Entry::Rolled(_) if position.stage == Stage::First => {}
            Entry::Laid(_) => unreachable!("no stones were asked for"),
            Entry::Rolled(roll) => sheet.rolled = Some((position.turn, dice(*roll, &before))),
            Entry::Moved { seat, .. } => {
                let (roll, cell) = (sheet.rolled.take(), cell(&before, entry));
                match (roll, cell) {
                    (Some((_, dice)), Some(steps)) if before.roll_to_play().is_some() => {
                        sheet.cell(*seat, &format!("{dice}{steps}"));
                    }
                    (roll, Some(word)) => {
                        sheet.rolled = roll;
                        sheet.cell(*seat, &word);
                    }
                    (roll, None) => sheet.rolled = roll,
                }
            }
            Entry::Resigned { .. } => {}
        }
        let ended = matches!(position.stage, Stage::Opening | Stage::Over(..));
        if let (true, false, Some((by, points))) =
            (ended, matches!(entry, Entry::Rolled(_)), position.stakes.last)
        {
            // A roll that nobody came to play is written like one that could not be played.
            if let Some((seat, dice)) = sheet.rolled.take() {
                sheet.cell(seat, &dice);
            }
            let over = position.terms.is_match() && position.stage != Stage::Opening;
            sheet.wins(by, points, over);
        }
    }
    if let Some((seat, dice)) = sheet.rolled.take() {
        sheet.cell(seat, &dice);
    }
    Ok(sheet.finished())
}

/// A roll as a cell begins: an opening roll the larger die first, since its order says only who
/// began, and that the column says.
fn dice(roll: Roll, before: &Position) -> String {
    let roll = if before.stage == Stage::Opening { crate::points::ordered(roll) } else { roll };
    format!("{roll}:")
}

/// What stands in the cell of a move, but for its dice.
fn cell(before: &Position, entry: &Entry) -> Option<String> {
    let Entry::Moved { text, .. } = entry else { return None };
    let cube = before.stakes.cube;
    Some(match before.recall(text).ok()? {
        Move::Play(play) => play.steps().iter().fold(String::new(), |mut cell, step| {
            let star = if step.hits { "*" } else { "" };
            write!(cell, " {}/{}{star}", step.from, step.to).expect("a string takes all text");
            cell
        }),
        Move::Double => format!(" Doubles => {}", cube * 2),
        Move::Take => " Takes".into(),
        Move::Drop => " Drops".into(),
        Move::Beaver => format!(" Beavers => {}", cube * 4),
        Move::Accept | Move::Reject => return None,
    })
}

/// A file as it is written, line by line.
#[derive(Default)]
struct Sheet {
    text: String,
    /// The line that is being filled.
    open: String,
    /// Whether the right column of that line is free.
    right_is_free: bool,
    turns: u32,
    games: u32,
    /// Dice that are thrown and not yet played, and whose they are.
    rolled: Option<(Seat, String)>,
}

impl Sheet {
    fn line(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    fn close(&mut self) {
        let open = std::mem::take(&mut self.open);
        self.right_is_free = false;
        if !open.is_empty() {
            self.line(&open);
        }
    }

    fn finished(mut self) -> String {
        self.close();
        self.text
    }

    fn game(&mut self, position: &Position, players: &[String; 2]) {
        self.close();
        (self.turns, self.games) = (0, position.stakes.game);
        let [a, b] = players;
        let [left, right] = position.stakes.score;
        self.line("");
        self.line(&format!(" Game {}", self.games));
        self.line(&format!("{:<31} {b} : {right}", format!(" {a} : {left}")));
    }

    /// Goes on in the right column of the open line.
    fn in_right(&mut self, cell: &str) {
        // A long cell on the left pushes the other on.
        let width = RIGHT.max(self.open.len() + 1);
        self.open = format!("{:<width$}{cell}", self.open);
        self.close();
    }

    fn cell(&mut self, seat: Seat, cell: &str) {
        if seat == Seat(0) || !self.right_is_free {
            self.close();
            self.turns += 1;
            self.open = format!("{:3}) ", self.turns);
        }
        if seat == Seat(0) {
            self.open.push_str(cell);
            self.right_is_free = true;
        } else {
            self.in_right(cell);
        }
    }

    fn wins(&mut self, by: Seat, points: u32, over: bool) {
        let s = if points == 1 { "" } else { "s" };
        let end = if over { " and the match" } else { "" };
        let wins = format!(" Wins {points} point{s}{end}");
        if by == Seat(1) && self.right_is_free {
            self.in_right(&wins);
            return;
        }
        self.close();
        let column = if by == Seat(0) { LEFT } else { RIGHT };
        self.line(&format!("{:column$}{wins}", ""));
    }
}

/// A game as it stands in a file.
#[derive(Debug)]
struct Written {
    /// The number of its heading's line, from 1.
    line: usize,
    players: [String; 2],
    score: [u32; 2],
    cells: Vec<Cell>,
}

/// What a side does in a column of a line.
#[derive(Debug)]
struct Cell {
    line: usize,
    seat: Seat,
    what: What,
}

#[derive(Debug)]
enum What {
    Dice(Roll, Vec<Hop>),
    Double(Option<u32>),
    Take,
    Drop,
    Beaver,
    Wins(u32),
}

/// A man who moves by one die or several.
#[derive(Clone, Copy, Debug)]
struct Hop {
    from: u8,
    to: u8,
}

/// The words of a line with the columns in which they begin.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    line.split([' ', '\t', '\r'])
        .scan(0, |at, word| {
            let begin = *at;
            *at += word.len() + 1;
            Some((begin, word))
        })
        .filter(|(_, word)| !word.is_empty())
}

/// The length of the match and the games of a file.
fn parse(text: &str) -> Result<(u32, Vec<Written>), String> {
    let mut length = None;
    let mut games: Vec<Written> = Vec::new();
    let mut heading = false;
    // Some editors put a mark of the encoding in front.
    let text = text.trim_start_matches('\u{feff}');
    for (number, line) in (1..).zip(text.lines()) {
        let all: Vec<&str> = words(line).map(|(_, word)| word).collect();
        let wrong = |expected: &str| {
            Err(format!("in line {number} {expected} was expected, not `{}`", all.join(" ")))
        };
        match &all[..] {
            [] => {}
            [first, ..] if first.starts_with(';') => {}
            _ if heading => {
                let Some((players, score)) = players(line) else {
                    return wrong("a heading such as ` alice : 0    bob : 0`");
                };
                games.push(Written { line: number, players, score, cells: Vec::new() });
                heading = false;
            }
            [points, point, game]
                if point.eq_ignore_ascii_case("point") && game.eq_ignore_ascii_case("match") =>
            {
                match points.parse() {
                    Ok(points) if points > LONGEST => {
                        return Err(format!(
                            "in line {number} the match is to {points} points; ours go up to \
                             {LONGEST}"
                        ));
                    }
                    Ok(points) if length.is_none() && games.is_empty() => length = Some(points),
                    _ => return wrong("one match of so many points"),
                }
            }
            [game, k] if game.eq_ignore_ascii_case("game") && k.parse::<u32>().is_ok() => {
                heading = true;
            }
            _ => match games.last_mut() {
                Some(game) => cells(number, line, &mut game.cells)?,
                None => return wrong("` 5 point match` or ` Game 1`"),
            },
        }
    }
    if games.is_empty() {
        let lines = text.lines().count();
        return Err(format!("after line {lines} a game was expected, such as ` Game 1`"));
    }
    Ok((length.unwrap_or(0), games))
}

/// The players of a game and its score: ` alice : 0      bob : 0`.
fn players(line: &str) -> Option<([String; 2], [u32; 2])> {
    let (rest, right) = line.rsplit_once(':')?;
    let (left, rest) = rest.split_once(':')?;
    let (points, name) = rest.trim().split_once([' ', '\t'])?;
    let names = [left, name].map(|name| name.trim().to_owned());
    let score = [points.parse().ok()?, right.trim().parse().ok()?];
    names.iter().all(|name| !name.is_empty()).then_some((names, score))
}

/// The cells of a line: `  2)  Doubles => 2          Takes`, or only who wins.
fn cells(number: usize, line: &str, cells: &mut Vec<Cell>) -> Result<(), String> {
    const EXPECTED: &str = "dice such as `31:`, a step such as `8/5`, or a word such as `Takes`";
    let wrong = |expected: &str, column: usize, word: &str| {
        let column = column + 1;
        Err(format!("in line {number}, column {column}, {expected} was expected, not `{word}`"))
    };
    let mut in_line = 0;
    let mut words = words(line).peekable();
    let is_count =
        |word: &str| word.strip_suffix(')').is_some_and(|number| number.parse::<u32>().is_ok());
    match words.next_if(|(_, word)| is_count(word)) {
        Some(_) => {}
        None => match words.peek() {
            Some((_, word)) if word.eq_ignore_ascii_case("wins") => {}
            Some((column, word)) => {
                return wrong("the number of a turn such as `3)`", *column, word);
            }
            None => {}
        },
    }
    while let Some((column, word)) = words.next() {
        let lower = word.to_ascii_lowercase();
        let mut value = || {
            words.next_if(|(_, word)| *word == "=>");
            words.next_if(|(_, word)| word.parse::<u32>().is_ok()).and_then(|(_, n)| n.parse().ok())
        };
        let what = match lower.as_str() {
            "doubles" | "redoubles" => What::Double(value()),
            "beavers" => {
                value();
                What::Beaver
            }
            "takes" => What::Take,
            "drops" => What::Drop,
            "wins" => {
                let Some(points) = value() else {
                    return wrong("the points of a win, as in `Wins 2 points`", column, word);
                };
                let trailing = ["point", "points", "and", "the", "match"];
                while words.next_if(|(_, word)| trailing.contains(word)).is_some() {}
                What::Wins(points)
            }
            _ => match (word.strip_suffix(':').map(str::parse), cells.last_mut()) {
                (Some(Ok(roll @ Roll::Two(1..=6, 1..=6))), _) => What::Dice(roll, Vec::new()),
                (None, Some(Cell { line, what: What::Dice(_, hops), .. }))
                    if *line == number && in_line > 0 =>
                {
                    let Some(more) = hops_of(word) else { return wrong(EXPECTED, column, word) };
                    hops.extend(more);
                    continue;
                }
                _ => return wrong(EXPECTED, column, word),
            },
        };
        let seat = Seat(u8::from(in_line > 0 || column >= MIDDLE));
        in_line += 1;
        if in_line > 2 || cells.last().is_some_and(|cell| cell.line == number && cell.seat == seat)
        {
            return wrong("the end of the line", column, word);
        }
        cells.push(Cell { line: number, seat, what });
    }
    Ok(())
}

/// The hops of a word such as `24/18*/13`, `bar/20` or `6/4(2)`.
fn hops_of(word: &str) -> Option<Vec<Hop>> {
    let (path, times) = match word.split_once('(') {
        Some((path, times)) => (path, times.strip_suffix(')')?.parse::<usize>().ok()?),
        None => (word, 1),
    };
    // What the stars say, the board says too.
    let point = |name: &str| match name.trim_end_matches('*').to_ascii_lowercase().as_str() {
        "bar" => Some(BAR),
        "off" => Some(OFF),
        number => number.parse().ok().filter(|&point| point <= BAR),
    };
    let points: Vec<u8> = path.split('/').map(point).collect::<Option<_>>()?;
    let hops: Vec<Hop> = points.windows(2).map(|pair| Hop { from: pair[0], to: pair[1] }).collect();
    let fine = !hops.is_empty() && (1..=4).contains(&times) && hops.iter().all(|h| h.from > h.to);
    fine.then(|| hops.repeat(times))
}

/// Reads a match, or the games of a session for money, each of which is a board of its own.
pub(super) fn read(text: &str) -> Result<Vec<Transcript>, String> {
    let (length, games) = parse(text)?;
    if length > 0 {
        return Ok(vec![board(length, &games, None)?]);
    }
    let alone = |index| board(0, &games[index..=index], games.get(index + 1));
    (0..games.len()).map(alone).collect()
}

/// The board on which some games were played, the last of which may be broken off if no `next`
/// one follows.
fn board(length: u32, games: &[Written], next: Option<&Written>) -> Result<Transcript, String> {
    let opens_with_double = |game: &Written| {
        let first = game.cells.first().map(|cell| &cell.what);
        matches!(first, Some(What::Dice(Roll::Two(a, b), _)) if a == b)
    };
    let is_beaver = |cell: &&Cell| matches!(cell.what, What::Beaver);
    let beaver = games.iter().flat_map(|game| &game.cells).find(is_beaver);
    if let Some(cell) = beaver.filter(|_| length > 0) {
        return Err(format!("in line {} there is a beaver, but a match has none", cell.line));
    }
    let mut options = Vec::new();
    if length > 0 {
        options.push(format!("match={length}"));
    }
    // The roll of whoever began with a double did not decide who began.
    if games.iter().any(opens_with_double) {
        options.push(REROLL.name.to_owned());
    }
    if beaver.is_some() {
        options.push("beavers".to_owned());
    }
    let spec = &Position::SPEC;
    let options = Choices::parse(spec.options, spec.exclusive, options.iter().map(String::as_str))
        .map_err(|error| format!("the file cannot be a board of ours: {error}"))?;
    let players = games[0].players.clone();
    let position = Position::setup(&options);
    let mut reading = Reading { position, record: Vec::new(), players: &players };
    for (index, game) in games.iter().enumerate() {
        reading.game(game, games.get(index + 1).or(next))?;
    }
    let record = reading.record;
    Ok(Transcript { players, options, record })
}

/// A record that is being read.
struct Reading<'a> {
    position: Position,
    record: Vec<Entry>,
    players: &'a [String; 2],
}

impl Reading<'_> {
    fn name(&self, seat: Seat) -> &str {
        &self.players[seat.index()]
    }

    fn follow(&mut self, line: usize, entry: Entry) -> Result<(), String> {
        self.position.follow(&entry).map_err(|error| format!("in line {line}: {error}"))?;
        self.record.push(entry);
        Ok(())
    }

    fn say(&mut self, line: usize, seat: Seat, text: &str) -> Result<(), String> {
        if !self.position.next().asks(seat) {
            let name = self.name(seat);
            return Err(format!("in line {line} it is not for {name} to {text}"));
        }
        self.follow(line, Entry::Moved { seat, text: text.to_owned(), auto: false })
    }

    /// Reads a game, which the file may break off if no `next` one follows.
    fn game(&mut self, game: &Written, next: Option<&Written>) -> Result<(), String> {
        if self.position.stage != Stage::Opening {
            return Err(format!(
                "in line {} the match is over here, but another game follows",
                game.line
            ));
        }
        let Position { stakes, .. } = &self.position;
        if stakes.score != game.score && self.position.terms.is_match() {
            let [[a, b], [c, d]] = [stakes.score, game.score];
            return Err(format!("in line {} the score is {a}-{b}, not {c}-{d}", game.line));
        }
        let number = stakes.game;
        let last = game.cells.len().saturating_sub(1);
        for (index, cell) in game.cells.iter().enumerate() {
            let over = self.is_over(number);
            match &cell.what {
                What::Wins(points) => self.wins(cell, *points, number)?,
                _ if over => {
                    let wins = "the game is over, and `Wins` was expected";
                    return Err(format!("in line {} {wins}", cell.line));
                }
                What::Dice(roll, hops) => {
                    self.throw(cell, *roll)?;
                    // A roll at the end of a game may be one that nobody has played yet.
                    let followed_by_win = game
                        .cells
                        .get(index + 1)
                        .is_some_and(|cell| matches!(cell.what, What::Wins(_)));
                    let ends = followed_by_win || index == last;
                    self.steps(cell, *roll, hops, ends)?;
                }
                What::Double(value) => {
                    let due = self.position.stakes.cube * 2;
                    if let Some(value) = value.filter(|&value| value != due) {
                        return Err(format!(
                            "in line {} the cube goes to {due}, not to {value}",
                            cell.line
                        ));
                    }
                    self.say(cell.line, cell.seat, "double")?;
                }
                What::Take => self.say(cell.line, cell.seat, "take")?,
                What::Drop => self.say(cell.line, cell.seat, "drop")?,
                What::Beaver => self.say(cell.line, cell.seat, "beaver")?,
            }
        }
        match next {
            Some(next) if !self.is_over(number) => self.resigned_for(next, number),
            _ => Ok(()),
        }
    }

    /// Whether the game of that number has ended.
    fn is_over(&self, number: u32) -> bool {
        self.position.stakes.game != number || matches!(self.position.stage, Stage::Over(..))
    }

    fn throw(&mut self, cell: &Cell, roll: Roll) -> Result<(), String> {
        let Cell { line, seat, .. } = *cell;
        if self.position.stage == Stage::Opening {
            let Roll::Two(a, b) = crate::points::ordered(roll) else {
                return Err(format!("in line {line} two dice were expected"));
            };
            let opening = |a, b| {
                Entry::Rolled(if seat == Seat(0) { Roll::Two(a, b) } else { Roll::Two(b, a) })
            };
            if self.position.rerolls {
                self.follow(line, opening(2, 1))?;
            } else {
                return self.follow(line, opening(a, b));
            }
        }
        // To go on after a beaver is to take it.
        if self.position.stage == Stage::Beavered && self.position.turn == seat {
            self.say(line, seat, "take")?;
        }
        match self.position.next() {
            Next::Roll(_) | Next::Ready(..) if self.position.turn == seat => {
                self.follow(line, Entry::Rolled(roll))
            }
            _ => Err(format!("in line {line} it is not for {} to roll", self.name(seat))),
        }
    }

    /// Plays the steps behind a roll. Where they may be missing, since nobody has come to play
    /// the roll, none are played.
    fn steps(
        &mut self,
        cell: &Cell,
        roll: Roll,
        hops: &[Hop],
        may_miss: bool,
    ) -> Result<(), String> {
        let Cell { line, seat, .. } = *cell;
        let legal: Vec<Play> = self
            .position
            .moves()
            .into_iter()
            .filter_map(|m| if let Move::Play(play) = m { Some(play) } else { None })
            .collect();
        if hops.is_empty() && may_miss && !legal.iter().any(|play| play.steps().is_empty()) {
            return Ok(());
        }
        let board = self.position.board;
        let wanted = moved(board.of(seat), hops);
        let fits =
            |play: &&Play| wanted.is_some_and(|men| after(board, seat, play).of(seat) == men);
        let mut fitting: Vec<&Play> = legal.iter().filter(fits).collect();
        let can_play = !fitting.is_empty();
        if fitting.len() > 1 {
            // The men end alike, so the ways they go must tell who is hit.
            let is_hit = |point: u8| point > 0 && board.of(seat.other()).on(25 - point) == 1;
            let hit: Set = set(hops.iter().map(|hop| hop.to).filter(|&to| is_hit(to)));
            let hits = |play: &Play| set(play.steps().iter().filter(|s| s.hits).map(|s| s.to));
            fitting.retain(|play| hits(play) == hit);
        }
        match fitting[..] {
            [play] => self.say(line, seat, &play.to_string()),
            [] if !can_play => Err(format!(
                "in line {line} {} cannot play {roll} so: {}",
                self.name(seat),
                spelled(hops)
            )),
            _ => Err(format!("in line {line} it is open which men are hit: {}", spelled(hops))),
        }
    }

    /// The result of a game. Where men are left on the board the loser has resigned.
    fn wins(&mut self, cell: &Cell, points: u32, number: u32) -> Result<(), String> {
        let Cell { line, seat, .. } = *cell;
        if !self.is_over(number) {
            self.resign(line, seat, points)?;
        }
        match self.position.stakes.last {
            Some((by, won)) if (by, won) == (seat, points) => Ok(()),
            Some((by, won)) => Err(format!(
                "in line {line} {} wins {won}, not {} {points}",
                self.name(by),
                self.name(seat)
            )),
            None => Err(format!("in line {line} nobody has won yet")),
        }
    }

    /// A side resigns a game that the other wins for so many points.
    fn resign(&mut self, line: usize, winner: Seat, points: u32) -> Result<(), String> {
        let (loser, cube) = (winner.other(), self.position.stakes.cube);
        let stake = (points.is_multiple_of(cube)).then(|| points / cube);
        let stake = stake.and_then(|stake| u8::try_from(stake).ok());
        let most = self.position.stake(loser);
        match stake {
            Some(stake) if (1..=most).contains(&stake) => {
                self.follow(line, Entry::Resigned { seat: loser, stake })?;
                if stake < most {
                    self.say(line, winner, "accept")?;
                }
                Ok(())
            }
            _ => Err(format!(
                "in line {line} {} cannot resign a game for {points}: the cube shows {cube}",
                self.name(loser)
            )),
        }
    }

    /// A game has no result, but the score of the next one tells it.
    fn resigned_for(&mut self, next: &Written, number: u32) -> Result<(), String> {
        let score = self.position.stakes.score;
        let gain = |seat: Seat| next.score[seat.index()].saturating_sub(score[seat.index()]);
        let winner = Seat::BOTH.into_iter().find(|&seat| gain(seat) > 0 && gain(seat.other()) == 0);
        match winner {
            Some(winner) => self.resign(next.line, winner, gain(winner)),
            None => Err(format!(
                "before line {} the result of game {number} was expected, such as `Wins 1 point`",
                next.line
            )),
        }
    }
}

fn set(points: impl Iterator<Item = u8>) -> Set {
    points.fold(0, |set, point| set | 1 << point)
}

/// The men of a side after these hops, in any order of them.
fn moved(mut men: Men, hops: &[Hop]) -> Option<Men> {
    // All arrive before any leave: a man may go on from where another has come to.
    for hop in hops {
        if men.on(hop.to) == Men::ALL {
            return None;
        }
        men.add(hop.to);
    }
    for hop in hops {
        if men.on(hop.from) == 0 {
            return None;
        }
        men.take(hop.from);
    }
    Some(men)
}

fn after(mut board: Board, seat: Seat, play: &Play) -> Board {
    apply::<Backgammon>(&mut board, seat, play);
    board
}

fn spelled(hops: &[Hop]) -> String {
    let words: Vec<String> = hops.iter().map(|hop| format!("{}/{}", hop.from, hop.to)).collect();
    if words.is_empty() { "not at all".to_owned() } else { words.join(" ") }
}
