//! Backgammon: a money game or a match, with the doubling cube.
//!
//! The rules are the usual ones. Where players differ, these apply:
//!
//! * The roll that decides who begins is played, unless `-reroll` is chosen. It also decides in
//!   later games of a match. There is no double before the first roll of a game.
//! * A match to one point has no cube. A dead cube may be turned.
//! * A beaver is taken or dropped like any double (<https://www.red-bean.com/sgf/backgammon.html>:
//!   "White doubles, black beavers, white accepts the beaver"). There are no raccoons and no
//!   automatic doubles.
//! * An offer to resign less than the position can cost needs the opponent's consent; any other
//!   ends the game for what the position can cost (ours).

mod cube;
mod gnubg;
mod ids;
mod judge;
mod mat;
mod matches;
mod notation;
mod rules;
mod stage;
mod stakes;
mod words;

#[cfg(test)]
mod tests;

use crate::bot;
use crate::kit::{
    Choices, Corner, Cube, Diagram, DiceOnTable, EngineProtocol, EngineQuestion, Evaluation,
    EvaluationBudget, EvaluationUnit, Format, Game, MANUAL, Manner, Match, MoveError, Next,
    NextStep, Outcome, POSITION, PartialMove, Points, RandomBelow, Roll, SearchDepth, Seat, Spec,
    Spot, Switch, Throw, Transcript, Values, View, whole_moves,
};
use crate::points::{self, Board, FLIP, FORCE, GREEDY, MATCH, NUMBERS, REROLL};
pub(crate) use rules::{Backgammon, CubeRace, outcome};
use rules::{loss, start, worst_loss};
use stage::{GameEnd, GameStage};
use stakes::{MatchTerms, Stakes};
use std::marker::PhantomData;
use words::{BackgammonMove, BackgammonWord};

/// A position of Backgammon: a match, or a money game.
pub(crate) type Position = CubePosition<Backgammon>;

/// A board of a race with the cube: a match, or a money game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CubePosition<R> {
    terms: MatchTerms,
    /// Whether the opening roll is rolled again instead of played.
    rerolls: bool,
    stakes: Stakes,
    board: Board,
    /// The side on turn, or the next one if the game went on; seat 0 before that is known.
    turn: Seat,
    stage: GameStage,
    /// The side that offers to resign, and the kind of win, from 1.
    resigns: Option<(Seat, u8)>,
    /// The sides whose last offer to resign was rejected since they last played. They may not offer
    /// the same again, so nobody can stall (ours).
    rejected: [bool; 2],
    race: PhantomData<R>,
}

/// Returns the options of a race with cube and matches.
const fn options<R: CubeRace>() -> &'static [Switch] {
    const {
        &[
            FORCE,
            // Without this option the board is a money game.
            MATCH,
            Switch::flag("jacoby", "gammons count once the cube has been turned"),
            Switch::flag(
                "beavers",
                "a player who is doubled may redouble at once and keep the cube",
            ),
            Switch::flag("nocube", "there is no doubling"),
            REROLL,
            Switch {
                name: POSITION,
                values: Values::Position {
                    read: notation::check_start::<R>,
                    format: "XGID",
                    takes: "an XGID, or a position ID and a match ID",
                    example: R::XGID,
                },
                help: "the game begins from this position and is not rated",
            },
        ]
    }
}

/// Returns the formats of other programs for its records and positions.
const fn formats<R: CubeRace>() -> &'static [Format] {
    const {
        &[
            Format {
                name: "mat",
                about: "the match as Jellyfish, GNU Backgammon and others read it",
                write: mat::write::<R>,
                read: Some(mat::read::<R>),
            },
            Format {
                name: "gnubgid",
                about: "the position and match IDs of GNU Backgammon",
                write: |transcript| {
                    Ok(transcript
                        .replay::<CubePosition<R>>()
                        .map_err(|error| error.to_string())?
                        .gnubgid()
                        + "\n")
                },
                read: None,
            },
            Format {
                name: "xgid",
                about: "the position as eXtreme Gammon names it, X at the bottom",
                write: |transcript| {
                    Ok(transcript
                        .replay::<CubePosition<R>>()
                        .map_err(|error| error.to_string())?
                        .snapshot()
                        .xgid()
                        + "\n")
                },
                read: None,
            },
        ]
    }
}

/// Returns the declaration of a race with cube and matches: its name, its title, a line about it, and its
/// help page.
pub(crate) const fn declared<R: CubeRace>(words: [&'static str; 4]) -> Spec {
    let [name, title, about, help] = words;
    Spec {
        name,
        title,
        about,
        sides: points::SIDES,
        help,
        verbs: &["roll", "double", "redouble", "take", "accept", "drop", "reject", "beaver"],
        options: options::<R>(),
        exclusive: &[
            // The position ID contains these options.
            &[POSITION, "match"],
            &[POSITION, "jacoby"],
            &[POSITION, "beavers"],
            &[POSITION, "nocube"],
            &[POSITION, FORCE.name],
            &[POSITION, REROLL.name],
            &["match", "jacoby"],
            &["match", "beavers"],
            &["nocube", "jacoby"],
            &["nocube", "beavers"],
        ],
        settings: &[MANUAL, GREEDY, FLIP, NUMBERS],
        stakes: &["single", "gammon", "backgammon"],
        formats: formats::<R>(),
        manner: Manner {
            levels: bot::LEVELS,
            match_option: Some("match"),
            turns: R::TURNS,
            minutes_to_learn: 15,
            ..Manner::PLAIN
        },
    }
}

impl<R: CubeRace> CubePosition<R> {
    /// Returns the dice to play, if any.
    fn roll_to_play(&self) -> Option<Roll> {
        match self.stage {
            GameStage::Dice(roll) if self.resigns.is_none() => Some(roll),
            _ => None,
        }
    }

    /// Returns the side that must answer a double or an offer to resign.
    fn answering(&self) -> Option<Seat> {
        match (self.resigns, self.stage) {
            (Some((seat, _)), _) => Some(seat.other()),
            (None, GameStage::Doubled) => Some(self.turn.other()),
            (None, GameStage::Beavered) => Some(self.turn),
            (None, _) => None,
        }
    }

    /// Returns the rule that forbids doubling now, if any.
    fn may_double(&self) -> Result<(), String> {
        self.stakes.may_double(self.terms, self.turn)
    }

    /// Ends the game with a win of so many cubes: the board is over, or the next game of the match
    /// begins.
    fn finish(&mut self, by: Seat, times: u8, end: GameEnd) {
        (self.resigns, self.rejected) = (None, [false; 2]);
        if self.stakes.win(self.terms, by, times) {
            self.stage = GameStage::Over(by, end);
        } else {
            (self.board, self.turn, self.stage) = (start::<R>(), Seat(0), GameStage::Opening);
        }
    }

    /// Goes on after a complete play.
    fn judge(&mut self) {
        let mover = self.turn.other();
        self.stage = GameStage::Ready;
        if self.board.men_of(mover).are_off() {
            let win = self.stakes.counted(self.terms, loss(&self.board, self.turn));
            self.finish(mover, win, GameEnd::off(win));
        }
    }
}

impl<R: CubeRace> Game for CubePosition<R> {
    type Move = BackgammonMove;

    const SPEC: Spec = R::SPEC;

    const ENGINE: Option<EngineProtocol> = R::ENGINE;

    fn engine_question(record: &Transcript) -> Option<EngineQuestion> {
        R::ENGINE.and_then(|_| gnubg::question::<R>(record))
    }

    fn setup(options: &Choices) -> Self {
        if let Some(mut position) = Self::named_in(options) {
            if let GameStage::Dice(_) = position.stage {
                position.stage = GameStage::Ready;
            }
            return position;
        }
        Self {
            terms: MatchTerms::from_options(options),
            rerolls: options.has(REROLL.name),
            stakes: Stakes::START,
            board: start::<R>(),
            turn: Seat(0),
            stage: GameStage::Opening,
            resigns: None,
            rejected: [false; 2],
            race: PhantomData,
        }
    }

    fn first_roll(options: &Choices) -> Option<Roll> {
        match Self::named_in(options)?.stage {
            GameStage::Dice(roll) => Some(roll),
            _ => None,
        }
    }

    fn place(options: &Choices, notation: &str) -> Result<Self, String> {
        Self::from_notation(options, notation)
    }

    fn notation(&self) -> String {
        self.to_notation()
    }

    fn next(&self) -> Next {
        if let Some(seat) = self.answering() {
            return Next::Move(seat);
        }
        match self.stage {
            GameStage::Opening => Next::Roll(Throw::to_begin(6)),
            GameStage::First => Next::Roll(Throw::new(2, 6)),
            GameStage::Dice(_) => Next::Move(self.turn),
            GameStage::Over(by, _) if self.terms.is_match() => {
                Next::Over(Outcome::Won { by, points: 1, reason: "by winning the match" })
            }
            GameStage::Over(by, end) => {
                let points = self.stakes.last.map_or(0, |(_, points)| points);
                Next::Over(Outcome::Won { by, points, reason: end.reason() })
            }
            GameStage::Ready | GameStage::Doubled | GameStage::Beavered => {
                Next::Ready(self.turn, Throw::new(2, 6))
            }
        }
    }

    fn automatic_move(&self, settings: &Choices) -> Option<BackgammonMove> {
        let roll = self.roll_to_play()?;
        points::automatic_play::<R>(&self.board, self.turn, roll, settings)
            .map(BackgammonMove::Play)
    }

    fn moves(&self) -> Vec<BackgammonMove> {
        match (self.resigns, self.stage) {
            (Some(_), _) => vec![BackgammonMove::Accept, BackgammonMove::Reject],
            (None, GameStage::Opening | GameStage::First | GameStage::Over(..)) => Vec::new(),
            (None, GameStage::Ready) => {
                self.may_double().map(|()| BackgammonMove::Double).into_iter().collect()
            }
            (None, GameStage::Dice(roll)) => {
                let plays = points::plays::<R>(&self.board, self.turn, roll);
                plays.into_iter().map(BackgammonMove::Play).collect()
            }
            (None, GameStage::Doubled) => {
                let beaver = self.stakes.may_beaver(self.terms).map(|()| BackgammonMove::Beaver);
                [BackgammonMove::Take, BackgammonMove::Drop].into_iter().chain(beaver).collect()
            }
            (None, GameStage::Beavered) => vec![BackgammonMove::Take, BackgammonMove::Drop],
        }
    }

    fn asks_to_roll(&self) -> bool {
        self.may_double().is_ok()
    }

    fn can_read(&self, text: &str) -> bool {
        let roll = self.roll_to_play();
        BackgammonWord::parse(text).is_some() || points::can_read::<R>(self.turn, roll, text)
    }

    fn read(&self, text: &str) -> Result<BackgammonMove, MoveError> {
        self.read_as(&View::default(), text)
    }

    fn text_for_viewer(view: &View, mover: Seat, text: String) -> String {
        points::text_for_viewer::<R>(view, mover, text)
    }

    fn text_for_diagram(view: &View, text: String) -> String {
        points::text_for_diagram::<R>(view, text)
    }

    fn read_as(&self, view: &View, text: &str) -> Result<BackgammonMove, MoveError> {
        if let Some(word) = BackgammonWord::parse(text) {
            return self.said(word).map_err(MoveError::Illegal);
        }
        let roll = self.roll_to_play();
        let numbers = points::numbered::<R>(view)[self.turn.index()];
        let read = points::read_by::<R>((numbers, true), &self.board, self.turn, roll, text);
        self.as_play(roll, read)
    }

    fn partial_move(&self, view: &View, steps: &[&str]) -> Result<PartialMove, MoveError> {
        let Some(roll) = self.roll_to_play() else { return whole_moves(self, view, steps) };
        let (board, making) = points::partial_move::<R>(view, &self.board, self.turn, roll, steps)?;
        Ok(making.on(Self { board, ..self.clone() }.diagram(view)))
    }

    fn first_steps(&self, view: &View) -> Vec<NextStep> {
        let steps = |roll| points::first_steps::<R>(view, &self.board, self.turn, roll);
        self.roll_to_play().map_or_else(Vec::new, steps)
    }

    fn paths(text: &str) -> Vec<Vec<Spot>> {
        if BackgammonWord::parse(text).is_some() { Vec::new() } else { points::paths::<R>(text) }
    }

    fn read_recorded(&self, text: &str) -> Result<BackgammonMove, MoveError> {
        if let Some(word) = BackgammonWord::parse(text) {
            let said = self.said(word).map_err(MoveError::Illegal)?;
            return Some(said).filter(|said| said.to_string() == text).ok_or_else(|| {
                MoveError::Illegal(format!("`{text}` is not how a record writes a move"))
            });
        }
        let roll = self.roll_to_play();
        self.as_play(roll, points::read_recorded::<R>(&self.board, self.turn, roll, text))
    }

    fn play(&mut self, m: &BackgammonMove) {
        match (m, self.stage) {
            (BackgammonMove::Play(play), _) => {
                self.rejected[self.turn.index()] = false;
                points::apply::<R>(&mut self.board, self.turn, play);
                self.turn = self.turn.other();
                self.judge();
            }
            (BackgammonMove::Double, _) => self.stage = GameStage::Doubled,
            (BackgammonMove::Take, GameStage::Beavered) => {
                self.stakes.take_beaver();
                self.stage = GameStage::Ready;
            }
            (BackgammonMove::Take, _) => {
                self.stakes.take(self.turn.other());
                self.stage = GameStage::Ready;
            }
            (BackgammonMove::Beaver, _) => {
                self.stakes.take(self.turn.other());
                self.stage = GameStage::Beavered;
            }
            (BackgammonMove::Drop, GameStage::Beavered) => {
                self.finish(self.turn.other(), 1, GameEnd::Drop);
            }
            (BackgammonMove::Drop, _) => self.finish(self.turn, 1, GameEnd::Drop),
            (BackgammonMove::Accept, _) => {
                let (loser, stake) = self.resigns.expect("only an offer to resign is accepted");
                self.finish(loser.other(), stake, GameEnd::Resignation);
            }
            (BackgammonMove::Reject, _) => {
                let (offerer, _) = self.resigns.take().expect("only an open offer is rejected");
                self.rejected[offerer.index()] = true;
            }
        }
    }

    fn roll(&mut self, roll: Roll) {
        let begins = self.stage == GameStage::Opening;
        if begins {
            self.turn = points::first_to_move(roll);
        }
        self.stage = if begins && self.rerolls {
            GameStage::First
        } else {
            GameStage::Dice(roll.higher_first())
        };
    }

    fn diagram(&self, view: &View) -> Diagram {
        let (first, upper) = if points::is_flipped(view) {
            (Corner::LowerRight, Seat(1))
        } else {
            (Corner::UpperRight, Seat(0))
        };
        let turned = match self.stage {
            GameStage::Doubled => Some(self.turn),
            GameStage::Beavered => Some(self.turn.other()),
            _ => None,
        };
        let Stakes { score, game, cube, owner, crawford, last } = self.stakes;
        let MatchTerms { length, .. } = self.terms;
        // Points beyond the match length do not count.
        let score = if length > 0 { score.map(|score| score.min(length)) } else { score };
        let game_of = Match { length, score, is_crawford: crawford, game, title: None, last };
        let board = Points {
            first,
            upper,
            dice: match self.stage {
                GameStage::Dice(roll) => Some((self.turn, DiceOnTable::new(6, roll))),
                _ => None,
            },
            cube: self.terms.has_cube().then_some(Cube { value: cube, owner, turned }),
            game_of: self.terms.is_match().then_some(game_of),
            resigns: self.resigns,
            ..points::piles::<R>(&self.board)
        };
        Diagram::Points(points::renumbered::<R>(view, board))
    }

    fn choose(&self, level: u8, below: RandomBelow) -> Option<BackgammonMove> {
        self.chosen(level, below)
    }

    fn resignation(&self) -> Option<u8> {
        self.hopeless()
    }

    fn evaluation_unit(&self) -> Option<EvaluationUnit> {
        Some(EvaluationUnit::Points)
    }

    fn evaluate(
        &self,
        which: Option<&[usize]>,
        look: SearchDepth,
        effort: &mut EvaluationBudget,
    ) -> Option<Vec<Evaluation>> {
        self.prospects_of(which, look, effort)
    }

    fn luck(&self, roll: Roll, effort: &mut EvaluationBudget) -> Option<(Seat, f32)> {
        self.luck_of(roll, effort)
    }

    /// A side that is doubled can drop; otherwise the stake is what the board can still cost.
    fn max_stake(&self, seat: Seat) -> u8 {
        match self.stage {
            GameStage::Opening | GameStage::Over(..) => 1,
            GameStage::Doubled if seat == self.turn.other() => 1,
            GameStage::Beavered if seat == self.turn => 1,
            _ => self.stakes.counted(self.terms, worst_loss(&self.board, seat)),
        }
    }

    /// A side loses no more than the position can cost, whatever it offered (ours).
    fn resign(&mut self, seat: Seat, stake: u8) -> Result<(), MoveError> {
        let most = self.max_stake(seat);
        match self.stage {
            _ if stake == 0 => Err(MoveError::NothingToMove),
            GameStage::Over(..) => Err(MoveError::NothingToMove),
            GameStage::Opening => Err(MoveError::Illegal("the game has not begun".into())),
            _ if self.resigns.is_some() => Err(MoveError::Illegal(
                "an offer to resign is already waiting for an answer".into(),
            )),
            _ if stake >= most => {
                self.finish(seat.other(), most, GameEnd::Resignation);
                Ok(())
            }
            _ if self.rejected[seat.index()] => Err(MoveError::Illegal(
                "your offer was rejected: play first, or resign for more".into(),
            )),
            _ => {
                self.resigns = Some((seat, stake));
                Ok(())
            }
        }
    }

    fn perft(_options: &Choices, depth: u32) -> u64 {
        let is_over = |board: &Board, mover: Seat| board.men_of(mover).are_off();
        points::perft::<R>(&start::<R>(), Seat(0), depth, &is_over)
    }
}
