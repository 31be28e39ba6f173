//! The notation of a board, and imports of positions from other programs.
//!
//! After the places of the men come words for what the board cannot show, where it differs from the
//! start of a money game: `match=5 score=2-1 game=4 crawford`, `jacoby beavers nocube`, `cube=2O`
//! (value and owner), `last=X1` (winner and points of the previous game), `first`, `doubled`,
//! `beavered`, `resigns=O2`, `rejected=O` (the side whose offer to resign was rejected), and at the
//! end of a board `won=O4 by=gammon`.

mod words;

use super::ids::{self, IdPosition, PLACES};
use super::rules::{CubeRace, start};
use super::stakes::{HIGHEST, MatchTerms, Stakes, TOP};
use super::{CubePosition, GameEnd, GameStage};
use crate::kit::{Choices, Game, Next, POSITION, Roll, Seat};
use crate::points::{self, BAR, Board, LONGEST, Men, OFF, REROLL, SIDES, between};
use std::marker::PhantomData;
use words::NotationWords;

fn letter(seat: Seat) -> &'static str {
    SIDES[seat.index()]
}

/// Returns the terms of the options and the position, which must not conflict.
fn agree(options: &Choices, said: MatchTerms, says_length: bool) -> Result<MatchTerms, String> {
    let chosen = MatchTerms::from_options(options);
    if says_length && chosen.is_match() && chosen.length != said.length {
        return Err(match said.length {
            0 => format!("the options say a match to {}, the position none", chosen.length),
            length => format!(
                "the options say a match to {}, the position one to {length}",
                chosen.length
            ),
        });
    }
    let terms = MatchTerms {
        length: chosen.length.max(said.length),
        jacoby: chosen.jacoby || said.jacoby,
        beavers: chosen.beavers || said.beavers,
        uses_cube: chosen.uses_cube && said.uses_cube,
    };
    if terms.length > LONGEST {
        return Err(format!("a match is to {LONGEST} points at most"));
    }
    if terms.is_match() && (terms.jacoby || terms.beavers) {
        return Err("Jacoby's rule and beavers are for money, not for a match".into());
    }
    if !terms.uses_cube && (terms.jacoby || terms.beavers) {
        return Err("Jacoby's rule and beavers need a cube".into());
    }
    Ok(terms)
}

/// Another program's ID of a position.
enum PositionName<'a> {
    Xgid(&'a str),
    /// A position ID and a match ID of GNU Backgammon.
    Ids(&'a str, &'a str),
    /// A position ID without a match ID.
    Id(&'a str),
}

/// Finds another program's ID in a line, which may have other words before it.
fn named(line: &str) -> Option<PositionName<'_>> {
    let line = line.trim().trim_start_matches('\u{feff}');
    let first = |text| str::split_whitespace(text).next().unwrap_or_default();
    let behind = |label: &str| {
        let at = line.to_ascii_lowercase().find(label)?;
        Some(line[at + label.len()..].trim_start().trim_start_matches([':', '=']).trim_start())
    };
    if let Some(text) = behind("xgid") {
        return Some(PositionName::Xgid(first(text)));
    }
    let is_board = |text: &str| {
        text.len() == 26 && text.bytes().all(|b| matches!(b, b'-' | b'a'..=b'o' | b'A'..=b'O'))
    };
    if line.split_once(':').is_some_and(|(board, _)| is_board(board)) {
        return Some(PositionName::Xgid(first(line)));
    }
    if let Some(position) = behind("position id") {
        return Some(match behind("match id") {
            Some(game) => PositionName::Ids(first(position), first(game)),
            None => PositionName::Id(first(position)),
        });
    }
    let ids = behind("gnubgid").unwrap_or(line);
    if let Some((position, game)) = ids.split_once(':') {
        return Some(PositionName::Ids(position.trim(), game.trim()));
    }
    IdPosition::is_position_id(ids).then_some(PositionName::Id(ids))
}

/// Checks that a game can begin from this position ID.
pub(super) fn check_start<R: CubeRace>(text: &str) -> Result<(), String> {
    match CubePosition::<R>::from_notation(&Choices::default(), text)?.next() {
        Next::Move(_) | Next::Ready(..) => Ok(()),
        Next::Over(_) => Err("the game is over in this position".into()),
        Next::Roll(_) | Next::Deal => Err("this is the start of every game".into()),
    }
}

/// Returns whether a line belongs to a record.
fn is_of_record(line: &str) -> bool {
    let line = line.trim_start_matches('\u{feff}').trim().to_ascii_lowercase();
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_number = |word: &str| word.parse::<u32>().is_ok();
    match words[..] {
        [points, "point" | "points", "match"] => is_number(points),
        ["game", number] => is_number(number),
        [count, ..] if count.strip_suffix(')').is_some_and(is_number) => true,
        [first, ..] => first == ";" || first.starts_with("(;"),
        [] => false,
    }
}

impl Stakes {
    /// Checks that the stakes are possible.
    fn check(&self, terms: MatchTerms, over: bool) -> Result<(), String> {
        let far = |score: u32| terms.is_match() && !over && score >= terms.length;
        let one_short = self.score.contains(&terms.length.wrapping_sub(1));
        if !over && self.score.into_iter().any(|score| score > HIGHEST) {
            Err(format!("a score goes up to {HIGHEST}"))
        } else if self.cube == 1 && self.owner.is_some() {
            Err("a cube that nobody has turned has no owner".into())
        } else if self.cube > TOP {
            Err(format!("the cube goes up to {TOP}"))
        } else if !terms.uses_cube && self.cube > 1 {
            Err("there is no cube on this board".into())
        } else if self.score.into_iter().any(far) {
            Err(format!("with {} points the match is over", terms.length))
        } else if self.crawford && !(terms.length > 1 && terms.uses_cube && (one_short || over)) {
            Err("the Crawford game is played when a side is a point short of the match".into())
        } else if self.crawford && self.cube > 1 {
            Err("there is no cube in the Crawford game".into())
        } else {
            Ok(())
        }
    }
}

impl<R: CubeRace> CubePosition<R> {
    pub(super) fn to_notation(&self) -> String {
        let seat = (self.stage != GameStage::Opening).then_some(self.turn);
        let roll = if let GameStage::Dice(roll) = self.stage { Some(roll) } else { None };
        let mut line = points::line::<R>(&self.board, seat, roll);
        for word in self.words() {
            line.push(' ');
            line.push_str(&word);
        }
        line
    }

    fn words(&self) -> Vec<String> {
        let Self { terms, stakes, .. } = self;
        let mut words = Vec::new();
        let mut flag = |holds: bool, word: &str| {
            if holds {
                words.push(word.to_owned());
            }
        };
        flag(terms.is_match(), &format!("match={}", terms.length));
        flag(stakes.score != [0, 0], &format!("score={}-{}", stakes.score[0], stakes.score[1]));
        flag(stakes.game > 1, &format!("game={}", stakes.game));
        flag(stakes.crawford, "crawford");
        flag(terms.jacoby, "jacoby");
        flag(terms.beavers, "beavers");
        flag(!terms.uses_cube, "nocube");
        let owner = stakes.owner.map_or("", letter);
        flag((stakes.cube, owner) != (1, ""), &format!("cube={}{owner}", stakes.cube));
        if let Some((seat, points)) = stakes.last {
            let key = if let GameStage::Over(..) = self.stage { "won" } else { "last" };
            flag(true, &format!("{key}={}{points}", letter(seat)));
        }
        flag(self.stage == GameStage::First, "first");
        flag(self.stage == GameStage::Doubled, "doubled");
        flag(self.stage == GameStage::Beavered, "beavered");
        if let Some((seat, stake)) = self.resigns {
            flag(true, &format!("resigns={}{stake}", letter(seat)));
        }
        let rejected: String =
            Seat::BOTH.into_iter().filter(|seat| self.rejected[seat.index()]).map(letter).collect();
        flag(!rejected.is_empty(), &format!("rejected={rejected}"));
        if let GameStage::Over(_, end) = self.stage {
            flag(true, &format!("by={}", end.word()));
        }
        words
    }

    /// Parses a position: our notation, an XGID, or a position ID and a match ID, as printed or
    /// joined by `:`.
    pub(super) fn from_notation(options: &Choices, line: &str) -> Result<Self, String> {
        if is_of_record(line) {
            return Err("this is a line of a record, not a position; `import` reads records".into());
        }
        match named(line) {
            Some(PositionName::Xgid(text)) => {
                Self::of_snapshot(options, &IdPosition::of_xgid(text)?)
            }
            Some(PositionName::Ids(position, game)) => {
                Self::of_snapshot(options, &IdPosition::of_ids(position, game)?)
            }
            Some(PositionName::Id(position)) => {
                let length = MatchTerms::from_options(options).length;
                Self::of_snapshot(options, &IdPosition::of_position_id(position, length)?)
            }
            None => Self::of_line(options, line.trim()),
        }
    }

    /// Returns the starting position that the options name.
    pub(super) fn named_in(options: &Choices) -> Option<Self> {
        Self::from_notation(options, options.get(POSITION)?).ok()
    }

    fn of_line(options: &Choices, line: &str) -> Result<Self, String> {
        let (head, places) = points::head(line)?;
        let (board, words) = points::place::<R>(places)?;
        let said = NotationWords::parse(&words)?;
        let terms = MatchTerms {
            length: said.length.unwrap_or(0),
            jacoby: said.jacoby.is_some(),
            beavers: said.beavers.is_some(),
            uses_cube: said.nocube.is_none(),
        };
        let terms = agree(options, terms, said.length.is_some())?;
        let (cube, owner) = said.cube.unwrap_or((1, None));
        let stakes = Stakes {
            score: said.score.unwrap_or_default(),
            game: said.game.unwrap_or(1),
            cube,
            owner,
            crawford: said.crawford.is_some(),
            last: said.won.or(said.last),
        };
        stakes.check(terms, said.won.is_some())?;
        let (turn, stage) = said.stage(head)?;
        let rerolls = options.has(REROLL.name);
        let rejected = said.rejected.unwrap_or_default();
        let mut placed = Self {
            terms,
            rerolls,
            stakes,
            board,
            turn,
            stage,
            resigns: None,
            rejected,
            race: PhantomData,
        };
        placed.check_stage()?;
        if rejected != [false; 2]
            && matches!(placed.stage, GameStage::Opening | GameStage::Over(..))
        {
            return Err("`rejected=` is for a game that is played".into());
        }
        if let Some((seat, stake)) = said.resigns {
            placed.offer(seat, stake)?;
        }
        Ok(placed)
    }

    /// Checks that the stage fits the board; without dice and words the board is judged as after a
    /// complete play of the other side.
    fn check_stage(&mut self) -> Result<(), String> {
        let is_over = self.board.men.iter().any(|men| men.are_off());
        match self.stage {
            GameStage::Dice(_) | GameStage::Doubled | GameStage::Beavered if is_over => {
                Err("the game is over here, so nothing is to be played or answered".into())
            }
            GameStage::Opening | GameStage::First if self.stakes.owner.is_some() => {
                Err("there is no doubling before the first roll of a game".into())
            }
            GameStage::Over(by, _)
                if self.terms.is_match() && self.stakes.score[by.index()] < self.terms.length =>
            {
                Err(format!("{} has not won the match with that score", letter(by)))
            }
            _ if self.is_stuck() => Err("no man of either side could ever enter".into()),
            GameStage::Opening if self.board != start::<R>() => {
                Err("before the opening roll all men must be at their starting places".into())
            }
            GameStage::First if self.board != start::<R>() || !self.rerolls => {
                Err("`first` is only for the first roll of a game with `-reroll`".into())
            }
            GameStage::Doubled => self
                .stakes
                .may_double(self.terms, self.turn)
                .map_err(|why| format!("{} cannot have doubled: {why}", letter(self.turn))),
            GameStage::Beavered if !self.terms.beavers => {
                Err("this board is played without beavers".into())
            }
            GameStage::Beavered
                if self.stakes.owner != Some(self.turn.other()) || self.stakes.cube >= TOP =>
            {
                Err("the player who beavers owns the cube, and it can be turned once more".into())
            }
            GameStage::Ready if self.board.men_of(self.turn).are_off() => {
                Err(format!("{} has borne off all men and cannot be on turn", letter(self.turn)))
            }
            GameStage::Ready => {
                self.judge();
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Returns whether both sides have men on the bar before closed home boards.
    fn is_stuck(&self) -> bool {
        let home = between(1, 6);
        self.board.men.iter().all(|men| men.on(BAR) > 0 && men.many() & home == home)
    }

    /// Checks an offer to resign, which must be less than the side can lose.
    fn offer(&mut self, seat: Seat, stake: u32) -> Result<(), String> {
        let wrong = || format!("{} cannot offer to resign for {stake} here", letter(seat));
        let stake = u8::try_from(stake).ok().filter(|&stake| stake < self.max_stake(seat));
        self.resigns = Some((seat, stake.ok_or_else(wrong)?));
        Ok(())
    }

    /// Returns the position with the facts that other programs' IDs hold.
    pub(super) fn snapshot(&self) -> IdPosition {
        let men = |men: Men| {
            let mut places = [0; PLACES];
            (1..=BAR).zip(&mut places).for_each(|(point, place)| *place = men.on(point));
            places
        };
        IdPosition {
            men: self.board.men.map(men),
            on_roll: self.turn,
            stage: match self.stage {
                GameStage::Opening => ids::IdStage::Opening,
                GameStage::First | GameStage::Ready | GameStage::Dice(Roll::One(_)) => {
                    ids::IdStage::Ready
                }
                GameStage::Dice(Roll::Two(a, b)) => ids::IdStage::Dice(a, b),
                GameStage::Doubled => ids::IdStage::Doubled,
                GameStage::Beavered => ids::IdStage::Beavered,
                GameStage::Over(_, GameEnd::Drop) => ids::IdStage::Dropped,
                GameStage::Over(_, GameEnd::Resignation) => ids::IdStage::GivenUp,
                GameStage::Over(..) => ids::IdStage::Over,
            },
            cube: self.stakes.cube,
            owner: self.stakes.owner,
            length: self.terms.length,
            score: self.stakes.score,
            crawford: self.stakes.crawford,
            jacoby: self.terms.jacoby,
            beavers: self.terms.beavers,
            resigns: self.resigns.or_else(|| self.given_up()),
        }
    }

    /// Returns the side that resigned the board, and the kind of win.
    fn given_up(&self) -> Option<(Seat, u8)> {
        match (self.stage, self.stakes.last) {
            (GameStage::Over(by, GameEnd::Resignation), Some((_, points))) => {
                Some((by.other(), u8::try_from(points / self.stakes.cube).ok()?))
            }
            _ => None,
        }
    }

    /// Returns GNU Backgammon's IDs.
    pub(super) fn gnubgid(&self) -> String {
        let snapshot = self.snapshot();
        format!("GNUBGID {}:{}", snapshot.position_id(), snapshot.match_id())
    }

    /// Returns the position of an ID. Options apply where the ID does not say.
    fn of_snapshot(options: &Choices, snapshot: &IdPosition) -> Result<Self, String> {
        let board = board_of::<R>(snapshot)?;
        let IdPosition { length, score, crawford, cube, owner, jacoby, .. } = *snapshot;
        let terms = MatchTerms {
            length,
            jacoby,
            // A beaver on the table shows that beavers are allowed.
            beavers: snapshot.beavers || snapshot.stage == ids::IdStage::Beavered,
            uses_cube: true,
        };
        let terms = agree(options, terms, true)?;
        // Some programs mark every match to one point as a Crawford game.
        let crawford = crawford && length > 1;
        let stakes = Stakes { score, game: 1, cube, owner, crawford, last: None };
        stakes.check(terms, false)?;
        let stage = match snapshot.stage {
            ids::IdStage::Opening => GameStage::Opening,
            ids::IdStage::Ready => GameStage::Ready,
            ids::IdStage::Dice(a, b) => GameStage::Dice(Roll::Two(a, b).higher_first()),
            ids::IdStage::Doubled => GameStage::Doubled,
            ids::IdStage::Beavered => GameStage::Beavered,
            ids::IdStage::Over | ids::IdStage::GivenUp | ids::IdStage::Dropped => {
                return Err("the game is over".into());
            }
        };
        let turn = if stage == GameStage::Opening { Seat(0) } else { snapshot.on_roll };
        let rerolls = options.has(REROLL.name);
        let mut placed = Self {
            terms,
            rerolls,
            stakes,
            board,
            turn,
            stage,
            resigns: None,
            rejected: [false; 2],
            race: PhantomData,
        };
        placed.check_stage()?;
        if let Some((seat, stake)) = snapshot.resigns {
            placed.offer(seat, stake.into())?;
        }
        Ok(placed)
    }
}

/// Returns the board of an ID; missing men have been borne off.
fn board_of<R: CubeRace>(snapshot: &IdPosition) -> Result<Board, String> {
    let mut board = Board::default();
    for seat in Seat::BOTH {
        let places = snapshot.men[seat.index()];
        let men = &mut board.men[seat.index()];
        let count: u32 = places.iter().map(|&men| u32::from(men)).sum();
        let off = u32::from(R::MEN)
            .checked_sub(count)
            .ok_or_else(|| format!("{} has more than {} men", letter(seat), R::MEN))?;
        (1..=BAR).zip(places).for_each(|(point, here)| (0..here).for_each(|_| men.add(point)));
        (0..off).for_each(|_| men.add(OFF));
    }
    let meet = |point: u8| board.men[0].on(point) > 0 && board.men[1].on(25 - point) > 0;
    if let Some(point) = (1..=24).find(|&point| meet(point)) {
        return Err(format!("men of both sides stand on point {point}"));
    }
    if board.men.iter().all(|men| men.are_off()) {
        return Err("both sides have borne off all men".into());
    }
    Ok(board)
}
