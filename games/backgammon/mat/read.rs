//! A reader of `.mat` files: replays the parsed games.

use super::parse::{
    MatAction, MatCell, MatGame, MatPlay, MatStep, is_game_heading, is_match_heading, parse,
};
use crate::backgammon::{BackgammonMove, CubePosition, CubeRace, GameStage};
use crate::kit::{Choices, Entry, Game, Next, Roll, Seat, Transcript, apply_entry};
use crate::points::{BAR, Board, Men, Play, PointMask, REROLL, apply, between};

/// Reads matches, and the games of money sessions as boards of their own.
pub(in crate::backgammon) fn read<R: CubeRace>(text: &str) -> Vec<Result<Transcript, String>> {
    // Some editors begin a file with a byte order mark.
    let text = text.trim_start_matches('\u{feff}');
    matches(text).into_iter().flat_map(|(line, text)| read_match::<R>(line, text)).collect()
}

/// Splits a file before the heading of each match but the first one. Returns the number of the first line
/// of each part, and its text.
fn matches(text: &str) -> Vec<(usize, &str)> {
    let (mut parts, mut from, mut first) = (Vec::new(), 0, 1);
    let (mut at, mut has_games) = (0, false);
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        if has_games && is_match_heading(line) {
            parts.push((first, &text[from..at]));
            (from, first, has_games) = (at, number, false);
        }
        has_games |= is_game_heading(line);
        at += line.len();
    }
    parts.push((first, &text[from..]));
    parts
}

fn read_match<R: CubeRace>(line: usize, text: &str) -> Vec<Result<Transcript, String>> {
    let (length, games) = match parse(line, text) {
        Ok(parsed) => parsed,
        Err(why) => return vec![Err(why)],
    };
    if length > 0 {
        return vec![board::<R>(length, &games, None)];
    }
    let alone = |index| board::<R>(0, &games[index..=index], games.get(index + 1));
    (0..games.len()).map(alone).collect()
}

/// Replays games on one board. If no game follows, the last one may be unfinished.
fn board<R: CubeRace>(
    length: u32,
    games: &[MatGame],
    next: Option<&MatGame>,
) -> Result<Transcript, String> {
    let opens_with_double = |game: &MatGame| {
        let first = game.cells.first().map(|cell| &cell.what);
        matches!(first, Some(MatAction::Dice(Roll::Two(a, b), _)) if a == b)
    };
    let is_beaver = |cell: &&MatCell| matches!(cell.what, MatAction::Beaver);
    let beaver = games.iter().flat_map(|game| &game.cells).find(is_beaver);
    if let Some(cell) = beaver.filter(|_| length > 0) {
        return Err(format!("in line {} there is a beaver, but a match has none", cell.line));
    }
    let mut options = Vec::new();
    if length > 0 {
        options.push(format!("match={length}"));
    }
    // If the player who began has a double, the recorded roll is not the one that decided who
    // began.
    if games.iter().any(opens_with_double) {
        options.push(REROLL.name.to_owned());
    }
    if beaver.is_some() {
        options.push("beavers".to_owned());
    }
    let spec = &R::SPEC;
    let options = Choices::parse(spec.options, spec.exclusive, options.iter().map(String::as_str))
        .map_err(|error| format!("the file cannot be a board of ours: {error}"))?;
    let players = games[0].players.clone();
    let position = CubePosition::<R>::setup(&options);
    let mut reading = MatReader { position, record: Vec::new(), players: &players };
    for (index, game) in games.iter().enumerate() {
        reading.game(game, games.get(index + 1).or(next))?;
    }
    let record = reading.record;
    Ok(Transcript { players, options, record, ending: None })
}

/// A record in the making.
struct MatReader<'a, R> {
    position: CubePosition<R>,
    record: Vec<Entry>,
    players: &'a [String; 2],
}

impl<R: CubeRace> MatReader<'_, R> {
    fn name(&self, seat: Seat) -> &str {
        &self.players[seat.index()]
    }

    fn add_entry(&mut self, line: usize, entry: Entry) -> Result<(), String> {
        apply_entry(&mut self.position, &entry)
            .map_err(|error| format!("in line {line}: {error}"))?;
        self.record.push(entry);
        Ok(())
    }

    fn add_move(&mut self, line: usize, seat: Seat, text: &str) -> Result<(), String> {
        if !self.position.next().asks(seat) {
            let name = self.name(seat);
            return Err(format!("in line {line} it is not for {name} to {text}"));
        }
        self.add_entry(line, Entry::Moved { seat, text: text.to_owned(), auto: false })
    }

    /// Replays a game. If no game follows, it may be unfinished.
    fn game(&mut self, game: &MatGame, next: Option<&MatGame>) -> Result<(), String> {
        self.check_heading(game)?;
        let number = self.position.stakes.game;
        let ends = |cell: &MatCell| {
            let what = &cell.what;
            matches!(what, MatAction::Wins(_) | MatAction::Concedes(_) | MatAction::NoDice(_))
        };
        // From here on only the result may follow.
        let end = game.cells.iter().rposition(|cell| !ends(cell)).map_or(0, |last| last + 1);
        let is_end = |index: usize| index >= end;
        let win = game.cells.iter().rfind(|cell| matches!(cell.what, MatAction::Wins(_)));
        for (index, cell) in game.cells.iter().enumerate() {
            let over = self.is_over(number);
            match &cell.what {
                MatAction::Wins(points) => self.wins(cell, *points, number)?,
                _ if over => {
                    let wins = "the game is over, and `Wins` was expected";
                    return Err(format!("in line {} {wins}", cell.line));
                }
                MatAction::Dice(roll, play) => {
                    self.throw(cell, *roll)?;
                    // The last roll of a game may not have been played yet.
                    self.steps(cell, *roll, play, is_end(index + 1))?;
                }
                MatAction::NoDice(text) => {
                    if !is_end(index + 1) {
                        self.dance(cell, text)?;
                    }
                }
                MatAction::Concedes(kind) => match win {
                    Some(win) if win.seat == cell.seat => {
                        return Err(format!(
                            "in line {} {} has given up and cannot win",
                            win.line,
                            self.name(win.seat)
                        ));
                    }
                    Some(_) => {}
                    None if next.is_some_and(|next| next.score.is_some()) => {}
                    None => {
                        let points = kind.unwrap_or(1) * self.position.stakes.cube;
                        self.resign(cell.line, cell.seat.other(), points)?;
                    }
                },
                MatAction::Double(value) => {
                    let due = self.position.stakes.cube * 2;
                    if let Some(value) = value.filter(|&value| value != due) {
                        return Err(format!(
                            "in line {} the cube goes to {due}, not to {value}",
                            cell.line
                        ));
                    }
                    self.add_move(cell.line, cell.seat, "double")?;
                }
                MatAction::Take => self.answer(cell, "take")?,
                MatAction::Drop => self.answer(cell, "drop")?,
                MatAction::Beaver => self.add_move(cell.line, cell.seat, "beaver")?,
            }
        }
        match next {
            Some(next) if !self.is_over(number) => self.resigned_for(next, number),
            _ => Ok(()),
        }
    }

    /// Checks that a game can begin here, with the score of its heading.
    fn check_heading(&self, game: &MatGame) -> Result<(), String> {
        let CubePosition { stakes, terms, stage, .. } = &self.position;
        if *stage != GameStage::Opening {
            let why = "the match is over here, but another game follows";
            return Err(format!("in line {} {why}", game.line));
        }
        if let Some(told) = game.score.filter(|told| *told != stakes.score && terms.is_match()) {
            let [[a, b], [c, d]] = [stakes.score, told];
            return Err(format!("in line {} the score is {a}-{b}, not {c}-{d}", game.line));
        }
        Ok(())
    }

    /// Adds an answer to a double. Some files leave out the double itself.
    fn answer(&mut self, cell: &MatCell, word: &str) -> Result<(), String> {
        let CubePosition { stage, turn, .. } = self.position;
        if stage == GameStage::Ready
            && turn == cell.seat.other()
            && self.position.may_double().is_ok()
        {
            self.add_move(cell.line, turn, "double")?;
        }
        self.add_move(cell.line, cell.seat, word)
    }

    /// Adds a turn without dice in the middle of a game: only a side that cannot enter has one.
    fn dance(&mut self, cell: &MatCell, text: &str) -> Result<(), String> {
        let home = between(1, 6);
        let board = &self.position.board;
        let is_closed_out = board.men_of(cell.seat).on(BAR) > 0
            && board.men_of(cell.seat.other()).many() & home == home;
        if !is_closed_out {
            return Err(format!(
                "in line {} the dice and the play of {} are missing: `{text}`",
                cell.line,
                self.name(cell.seat)
            ));
        }
        // No roll can be played, so any roll will do.
        let roll = Roll::Two(2, 1);
        self.throw(cell, roll)?;
        self.steps(cell, roll, &MatPlay::CannotMove, false)
    }

    /// Returns whether the game with this number has ended.
    fn is_over(&self, number: u32) -> bool {
        self.position.stakes.game != number || matches!(self.position.stage, GameStage::Over(..))
    }

    fn throw(&mut self, cell: &MatCell, roll: Roll) -> Result<(), String> {
        let MatCell { line, seat, .. } = *cell;
        if self.position.stage == GameStage::Opening {
            let Roll::Two(a, b) = roll.higher_first() else {
                return Err(format!("in line {line} two dice were expected"));
            };
            let opening = |a, b| {
                Entry::Rolled(if seat == Seat(0) { Roll::Two(a, b) } else { Roll::Two(b, a) })
            };
            if self.position.rerolls {
                self.add_entry(line, opening(2, 1))?;
            } else {
                return self.add_entry(line, opening(a, b));
            }
        }
        // A player who goes on after a beaver takes it.
        if self.position.stage == GameStage::Beavered && self.position.turn == seat {
            self.add_move(line, seat, "take")?;
        }
        // Some files leave out that a double was taken.
        if self.position.stage == GameStage::Doubled && self.position.turn == seat {
            self.add_move(line, seat.other(), "take")?;
        }
        match self.position.next() {
            Next::Roll(_) | Next::Ready(..) if self.position.turn == seat => {
                self.add_entry(line, Entry::Rolled(roll))
            }
            _ => Err(format!("in line {line} it is not for {} to roll", self.name(seat))),
        }
    }

    /// Plays the steps of a roll. If `may_miss` is set, missing steps mean that the roll was not
    /// played yet.
    fn steps(
        &mut self,
        cell: &MatCell,
        roll: Roll,
        play: &MatPlay,
        may_miss: bool,
    ) -> Result<(), String> {
        let MatCell { line, seat, .. } = *cell;
        let hops = if let MatPlay::Steps(hops) = play { hops.as_slice() } else { &[] };
        let legal: Vec<Play> = self
            .position
            .moves()
            .into_iter()
            .filter_map(|m| if let BackgammonMove::Play(play) = m { Some(play) } else { None })
            .collect();
        if hops.is_empty() && may_miss && !legal.iter().any(|play| play.steps().is_empty()) {
            return Ok(());
        }
        if let MatPlay::Unrecorded = play {
            let [only] = &legal[..] else {
                return Err(format!(
                    "in line {line} the play of {} with {roll} is missing: `????`",
                    self.name(seat)
                ));
            };
            return self.add_move(line, seat, &only.to_string());
        }
        let board = self.position.board;
        let wanted = moved(board.men_of(seat), hops);
        let fits = |play: &&Play| {
            wanted.is_some_and(|men| after::<R>(board, seat, play).men_of(seat) == men)
        };
        let mut fitting: Vec<&Play> = legal.iter().filter(fits).collect();
        let can_play = !fitting.is_empty();
        if fitting.len() > 1 {
            // The men end on the same points, so the steps must show which men are hit.
            let is_hit = |point: u8| point > 0 && board.men_of(seat.other()).on(25 - point) == 1;
            let hit: PointMask = set(hops.iter().map(|hop| hop.to).filter(|&to| is_hit(to)));
            let hits = |play: &Play| set(play.steps().iter().filter(|s| s.hits).map(|s| s.to));
            fitting.retain(|play| hits(play) == hit);
        }
        match fitting[..] {
            [play] => self.add_move(line, seat, &play.to_string()),
            [] if !can_play => Err(format!(
                "in line {line} {} cannot play {roll} so: {}",
                self.name(seat),
                if let MatPlay::CannotMove = play {
                    "Cannot Move".to_owned()
                } else {
                    spelled(hops)
                }
            )),
            _ => Err(format!("in line {line} it is unclear which men are hit: {}", spelled(hops))),
        }
    }

    /// Adds the result of a game. If men are left on the board, the loser has resigned.
    fn wins(&mut self, cell: &MatCell, points: u32, number: u32) -> Result<(), String> {
        let MatCell { line, seat, .. } = *cell;
        if !self.is_over(number) {
            self.resign(line, seat, points)?;
        }
        match self.position.stakes.last {
            Some((by, won)) if (by, won) == (seat, points) => Ok(()),
            // Some programs write only the points that the match still needed.
            Some((by, won))
                if by == seat
                    && points == self.needed(seat, won)
                    && matches!(self.position.stage, GameStage::Over(..)) =>
            {
                Ok(())
            }
            Some((by, won)) => Err(format!(
                "in line {line} {} wins {won}, not {} {points}",
                self.name(by),
                self.name(seat)
            )),
            None => Err(format!("in line {line} nobody has won yet")),
        }
    }

    /// Returns the points that a side needed before it won these.
    fn needed(&self, seat: Seat, won: u32) -> u32 {
        let CubePosition { stakes, terms, .. } = &self.position;
        terms.length.saturating_sub(stakes.score[seat.index()].saturating_sub(won))
    }

    /// Adds the resignation of a game that the other side wins.
    fn resign(&mut self, line: usize, winner: Seat, points: u32) -> Result<(), String> {
        let (loser, cube) = (winner.other(), self.position.stakes.cube);
        let ends_match = self.position.terms.is_match() && points == self.needed(winner, 0);
        let is_whole = points.is_multiple_of(cube) || ends_match;
        let stake = is_whole.then(|| points.div_ceil(cube));
        let stake = stake.and_then(|stake| u8::try_from(stake).ok());
        let most = self.position.max_stake(loser);
        match stake {
            Some(stake) if (1..=most).contains(&stake) => {
                self.add_entry(line, Entry::Resigned { seat: loser, stake })?;
                if stake < most {
                    self.add_move(line, winner, "accept")?;
                }
                Ok(())
            }
            _ => Err(format!(
                "in line {line} {} cannot resign a game for {points}: the cube shows {cube}",
                self.name(loser)
            )),
        }
    }

    /// Adds the result of a game that has none, from the score of the next game.
    fn resigned_for(&mut self, next: &MatGame, number: u32) -> Result<(), String> {
        let score = self.position.stakes.score;
        let told = next.score.unwrap_or(score);
        let gain = |seat: Seat| told[seat.index()].saturating_sub(score[seat.index()]);
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

fn set(points: impl Iterator<Item = u8>) -> PointMask {
    points.fold(0, |set, point| set | 1 << point)
}

/// Returns a side's men after these steps, in any order.
fn moved(mut men: Men, hops: &[MatStep]) -> Option<Men> {
    // All men arrive before any leaves: a man may go on from where another has arrived.
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

fn after<R: CubeRace>(mut board: Board, seat: Seat, play: &Play) -> Board {
    apply::<R>(&mut board, seat, play);
    board
}

fn spelled(hops: &[MatStep]) -> String {
    let words: Vec<String> = hops.iter().map(|hop| format!("{}/{}", hop.from, hop.to)).collect();
    if words.is_empty() { "not at all".to_owned() } else { words.join(" ") }
}
