//! A board of a race game without a cube: one game, or a match of several.
//!
//! Sources of the rules of matches: <https://bkgm.com/articles/Condos/Tavli> and
//! <https://everything2.com/title/tavli> (points, games in turn, the winner begins the next game,
//! resigning). Ours: after a drawn game the dice decide who begins; an offer to resign less than the
//! position can cost needs the opponent's consent, as in Backgammon.

use super::any_race::Judged;
use super::match_score::{MatchScore, ScoreWords};
use super::race_move::RaceMove;
use super::{AnyRace, Board, Play, REROLL, RaceGame, first_to_move, head};
use crate::kit::{
    Choices, Corner, Diagram, DiceOnTable, Evaluation, EvaluationBudget, EvaluationUnit, Game,
    GammonValue, Match, MoveError, Next, NextStep, Outcome, PartialMove, Points, RandomBelow, Roll,
    SearchDepth, Seat, Spec, Spot, Throw, View, whole_moves,
};
use std::marker::PhantomData;

/// The probability below which a result is hopeless.
const HOPELESS: f32 = 0.001;

/// The advantage in points that playing on must have before a program rejects an offer to resign.
const BETTER: f32 = 0.01;

const ANSWER_FIRST: &str = "answer the offer to resign first: `accept` or `reject`";
const BY_RESIGNATION: &str = "by resignation";

/// What a position waits for, apart from an answer to an offer to resign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// The opening roll.
    Begin,
    /// An ordinary roll.
    Throw,
    /// A play of this roll, larger die first.
    Play(Roll),
    /// Nothing: the game is over.
    Over(Outcome),
}

/// A position of a game without a cube.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Position<G> {
    options: Choices,
    score: MatchScore,
    pub(super) board: Board,
    /// The side on turn, or the next one if the game went on; seat 0 before that is known.
    seat: Seat,
    phase: Phase,
    /// The side that offers to resign, and the stake, from 1.
    resigns: Option<(Seat, u8)>,
    /// The sides whose last offer was rejected since they last played. They may not offer the same
    /// again, so nobody can stall (ours).
    rejected: [bool; 2],
    game: PhantomData<G>,
}

impl<G: RaceGame> Position<G> {
    /// Returns the race that is being played.
    fn race(&self) -> &'static dyn AnyRace {
        let before = usize::try_from(self.score.game - 1).unwrap_or(0);
        G::RACES[before % G::RACES.len()]
    }

    fn outcome(&self, mover: Seat) -> Option<Outcome> {
        self.race().outcome(&self.options, &self.board, mover)
    }

    /// Ends the game: the board is over, or the next game of the match begins.
    fn finish(&mut self, outcome: Outcome) {
        (self.resigns, self.rejected) = (None, [false; 2]);
        if !self.score.is_match() {
            self.phase = Phase::Over(outcome);
            return;
        }
        let last = match outcome {
            Outcome::Won { by, points, .. } => Some((by, points)),
            Outcome::Drawn { .. } => None,
        };
        if self.score.count(last) {
            self.phase = Phase::Over(match_won(last));
            return;
        }
        self.board = self.race().start();
        (self.seat, self.phase) = match last {
            Some((by, _)) => (by, Phase::Throw),
            None => (Seat(0), Phase::Begin),
        };
    }

    /// Ends the game by a resignation.
    fn lose(&mut self, loser: Seat, stake: u8) {
        let (by, points) = (loser.other(), u32::from(stake));
        self.finish(Outcome::Won { by, points, reason: BY_RESIGNATION });
    }

    /// Checks that a placed score fits the match.
    fn check_score(&self, won: Option<(Seat, u32)>) -> Result<(), String> {
        let score = &self.score;
        if !score.is_match() {
            let is_new = (score.points, score.game) == ([0; 2], 1);
            return if is_new { Ok(()) } else { Err("only a match has a score".into()) };
        }
        let winner = Seat::BOTH.into_iter().find(|&seat| score.wanted(seat) == 0);
        if winner == won.map(|(by, _)| by) {
            Ok(())
        } else {
            Err("`won=` must name the side that has won the match, and no other".into())
        }
    }

    /// Returns the placed position with an offer to resign.
    fn with_offer(mut self, offer: Option<(Seat, u8)>) -> Result<Self, String> {
        if let Some((seat, stake)) = offer {
            if stake == 0 || stake >= self.max_stake(seat) {
                return Err("nobody can offer to resign this stake here".into());
            }
            self.resigns = offer;
        }
        Ok(self)
    }

    /// Returns whether a word of a line is about the score or an offer to resign.
    fn is_score_word(word: &str) -> bool {
        let key = word.split('=').next().unwrap_or_default();
        let keys = ["match", "score", "game", "last", "won", "resigns", "rejected"];
        Self::has_stakes() && keys.iter().any(|known| known.eq_ignore_ascii_case(key))
    }

    /// Returns the dice to play, if any.
    fn roll_to_play(&self) -> Option<Roll> {
        match self.phase {
            Phase::Play(roll) if self.resigns.is_none() => Some(roll),
            _ => None,
        }
    }

    /// Returns whether a player can resign a game for a stake.
    const fn has_stakes() -> bool {
        const { !G::SPEC.stakes.is_empty() }
    }

    /// Returns the answer that a text is, where there are offers to resign.
    fn answer(text: &str) -> Option<RaceMove> {
        RaceMove::answer(text).filter(|_| Self::has_stakes())
    }

    /// Returns an answer if there is an offer.
    fn answered(&self, answer: RaceMove) -> Result<RaceMove, MoveError> {
        let why = "there is no offer to resign to answer";
        self.resigns.map(|_| answer).ok_or_else(|| MoveError::Illegal(why.into()))
    }

    /// Reads a play; while an offer to resign waits for an answer there is none.
    fn as_play(&self, read: Result<Play, MoveError>) -> Result<RaceMove, MoveError> {
        match (self.resigns, read) {
            (None, read) => read.map(RaceMove::Play),
            (Some(_), Err(MoveError::Unreadable { at, .. })) => {
                Err(MoveError::Unreadable { at, expected: "`accept` or `reject`" })
            }
            (Some(_), _) => Err(MoveError::Illegal(ANSWER_FIRST.into())),
        }
    }

    /// Returns the board before a roll of the side on turn.
    fn judged(&self) -> Judged<'_> {
        let Self { options, board, seat, score, .. } = self;
        let GammonValue { won, lost } = self.race().gammons(options);
        // More than one point counts only for a side that needs more.
        let counted = |seat: Seat, more: [f32; 2]| {
            if score.is_match() && score.wanted(seat) == 1 { [0.0; 2] } else { more }
        };
        let gammons = GammonValue { won: counted(*seat, won), lost: counted(seat.other(), lost) };
        Judged { options, board: *board, seat: *seat, gammons }
    }

    /// Answers an offer to resign for a program: it accepts unless playing on is worth more.
    fn program_answer(&self, loser: Seat, stake: u8) -> RaceMove {
        let now = self.judged();
        let value = self.race().odds(now, SearchDepth::OnePly).worth(now.gammons);
        let hoped = if loser == self.seat { -value } else { value };
        let winner = loser.other();
        let counts_once = self.score.is_match() && self.score.wanted(winner) == 1;
        let offered = if counts_once { 1.0 } else { f32::from(stake) };
        if hoped <= offered + BETTER { RaceMove::Accept } else { RaceMove::Reject }
    }
}

/// Returns the outcome of a match whose last game this side has won.
fn match_won(last: Option<(Seat, u32)>) -> Outcome {
    let by = last.map_or(Seat(0), |(by, _)| by);
    Outcome::Won { by, points: 1, reason: "by winning the match" }
}

impl<G: RaceGame> Game for Position<G> {
    type Move = RaceMove;

    const SPEC: Spec = G::SPEC;

    fn setup(options: &Choices) -> Self {
        Self {
            options: options.clone(),
            score: MatchScore::new(options, const { G::SPEC.options }),
            board: G::RACES[0].start(),
            seat: Seat(0),
            phase: Phase::Begin,
            resigns: None,
            rejected: [false; 2],
            game: PhantomData,
        }
    }

    fn place(options: &Choices, notation: &str) -> Result<Self, String> {
        let (head, places) = head(notation)?;
        let places: Vec<&str> = places.collect();
        let mut placed = Self::setup(options);
        // The words tell which race the places are of.
        let is_place = |word: &&str| !Self::is_score_word(word);
        let (men, words): (Vec<&str>, Vec<&str>) = places.into_iter().partition(is_place);
        let said = ScoreWords::parse(placed.score, &words)?;
        placed.score = said.score;
        placed.rejected = said.rejected;
        let (board, unknown) = placed.race().place(&mut men.into_iter())?;
        if let Some(word) = unknown.first() {
            return Err(format!("`{word}` is not a place such as 13=OO or off=OX"));
        }
        placed.board = board;
        placed.check_score(said.won)?;
        let Some((seat, roll)) = head else {
            return match placed.outcome(Seat(1)) {
                Some(_) => Err("the game is over here, so nobody begins".into()),
                None if said.won.is_some() => Err("a game that has not begun is not won".into()),
                None => placed.with_offer(said.resigns),
            };
        };
        placed.seat = seat;
        placed.phase = match (said.won, placed.outcome(seat.other())) {
            (Some(_), _) if placed.score.is_match() => Phase::Over(match_won(said.won)),
            (Some((by, points)), None) => {
                Phase::Over(Outcome::Won { by, points, reason: BY_RESIGNATION })
            }
            (_, Some(_)) if placed.score.is_match() => {
                return Err("the game is over here, and the next one has begun".into());
            }
            (_, Some(outcome)) => Phase::Over(outcome),
            (None, None) => Phase::Throw,
        };
        match (roll, placed.phase) {
            (None, _) => placed.with_offer(said.resigns),
            (Some(_), Phase::Over(_)) => {
                Err("the game is over here, so no dice are to be played".into())
            }
            (Some(roll), _) => {
                Self { phase: Phase::Play(roll.higher_first()), ..placed }.with_offer(said.resigns)
            }
        }
    }

    fn notation(&self) -> String {
        let seat = (self.phase != Phase::Begin).then_some(self.seat);
        let roll = if let Phase::Play(roll) = self.phase { Some(roll) } else { None };
        let won = match self.phase {
            Phase::Over(_) if self.score.is_match() => self.score.last,
            Phase::Over(Outcome::Won { by, points, reason: BY_RESIGNATION }) => Some((by, points)),
            _ => None,
        };
        let Self { score, resigns, rejected, .. } = *self;
        let words = ScoreWords { score, resigns, rejected, won }.write();
        let line = self.race().line(&self.board, seat, roll);
        [line].into_iter().chain(words).collect::<Vec<_>>().join(" ")
    }

    fn next(&self) -> Next {
        if let Some((seat, _)) = self.resigns {
            return Next::Move(seat.other());
        }
        match self.phase {
            Phase::Begin => Next::Roll(Throw::to_begin(6)),
            Phase::Throw => Next::Ready(self.seat, Throw::new(2, 6)),
            Phase::Play(_) => Next::Move(self.seat),
            Phase::Over(outcome) => Next::Over(outcome),
        }
    }

    fn automatic_move(&self, settings: &Choices) -> Option<RaceMove> {
        let roll = self.roll_to_play()?;
        self.race().automatic_play(&self.board, self.seat, roll, settings).map(RaceMove::Play)
    }

    fn moves(&self) -> Vec<RaceMove> {
        self.moves_up_to(usize::MAX)
    }

    fn moves_up_to(&self, most: usize) -> Vec<RaceMove> {
        if self.resigns.is_some() {
            return [RaceMove::Accept, RaceMove::Reject].into_iter().take(most).collect();
        }
        let Some(roll) = self.roll_to_play() else { return Vec::new() };
        let plays = self.race().plays_up_to(most, &self.board, self.seat, roll);
        plays.into_iter().map(RaceMove::Play).collect()
    }

    fn can_read(&self, text: &str) -> bool {
        Self::answer(text).is_some() || self.race().can_read(self.seat, self.roll_to_play(), text)
    }

    fn read(&self, text: &str) -> Result<RaceMove, MoveError> {
        self.read_as(&View::default(), text)
    }

    fn read_as(&self, view: &View, text: &str) -> Result<RaceMove, MoveError> {
        if let Some(answer) = Self::answer(text) {
            return self.answered(answer);
        }
        let may_change = const { G::RACES.len() == 1 };
        let numbers = (self.race().numbered(view)[self.seat.index()], may_change);
        let roll = self.roll_to_play();
        self.as_play(self.race().read_by(numbers, &self.board, self.seat, roll, text))
    }

    fn text_for_viewer(view: &View, mover: Seat, text: String) -> String {
        match G::RACES {
            [race] => race.text_for_viewer(view, mover, text),
            // A text does not tell its race, so these games have no setting for numbers.
            _ => text,
        }
    }

    fn text_for_diagram(view: &View, text: String) -> String {
        match G::RACES {
            [race] => race.text_for_diagram(view, text),
            _ => text,
        }
    }

    fn partial_move(&self, view: &View, steps: &[&str]) -> Result<PartialMove, MoveError> {
        let Some(roll) = self.roll_to_play() else { return whole_moves(self, view, steps) };
        let (board, making) =
            self.race().partial_move(view, &self.board, self.seat, roll, steps)?;
        Ok(making.on(Self { board, ..self.clone() }.diagram(view)))
    }

    fn first_steps(&self, view: &View) -> Vec<NextStep> {
        let steps = |roll| self.race().first_steps(view, &self.board, self.seat, roll);
        self.roll_to_play().map_or_else(Vec::new, steps)
    }

    fn paths(text: &str) -> Vec<Vec<Spot>> {
        if Self::answer(text).is_some() { Vec::new() } else { G::RACES[0].paths(text) }
    }

    fn read_recorded(&self, text: &str) -> Result<RaceMove, MoveError> {
        if let Some(answer) = Self::answer(text) {
            return self.answered(answer).and_then(|answer| {
                Some(answer).filter(|answer| answer.to_string() == text).ok_or_else(|| {
                    MoveError::Illegal(format!("`{text}` is not how a record writes a move"))
                })
            });
        }
        let roll = self.roll_to_play();
        self.as_play(self.race().read_recorded(&self.board, self.seat, roll, text))
    }

    fn play(&mut self, m: &RaceMove) {
        match m {
            RaceMove::Play(play) => {
                let mover = self.seat;
                self.rejected[mover.index()] = false;
                self.race().apply(&mut self.board, mover, play);
                (self.seat, self.phase) = (mover.other(), Phase::Throw);
                if let Some(outcome) = self.outcome(mover) {
                    self.finish(outcome);
                }
            }
            RaceMove::Accept => {
                let (loser, stake) = self.resigns.expect("only an offer to resign is accepted");
                self.lose(loser, stake);
            }
            RaceMove::Reject => {
                let (offerer, _) = self.resigns.take().expect("only an open offer is rejected");
                self.rejected[offerer.index()] = true;
            }
        }
    }

    fn roll(&mut self, roll: Roll) {
        let begins = self.phase == Phase::Begin;
        if begins {
            self.seat = first_to_move(roll);
        }
        let rerolls = self.race().rerolls() || self.options.has(REROLL.name);
        self.phase =
            if begins && rerolls { Phase::Throw } else { Phase::Play(roll.higher_first()) };
    }

    fn choose(&self, level: u8, below: RandomBelow) -> Option<RaceMove> {
        if let Some((loser, stake)) = self.resigns {
            return Some(self.program_answer(loser, stake));
        }
        let roll = self.roll_to_play()?;
        self.race().choose(self.judged(), roll, level, below).map(RaceMove::Play)
    }

    /// A program resigns without contact, when it can neither win nor lose less.
    fn resignation(&self) -> Option<u8> {
        let is_rejected = self.rejected[self.seat.index()];
        let is_ready = self.phase == Phase::Throw && self.resigns.is_none();
        if !Self::has_stakes() || !is_ready || is_rejected || self.race().has_contact(&self.board) {
            return None;
        }
        let [win, _, _, gammon, _] = self.race().odds(self.judged(), SearchDepth::OnePly).0;
        let most = self.max_stake(self.seat);
        let less = |stake: u8| if stake == 1 { win } else { 1.0 - gammon };
        let more = |stake: u8| if stake < most { gammon } else { 0.0 };
        (1..=most).find(|&stake| less(stake).max(more(stake)) <= HOPELESS)
    }

    fn evaluation_unit(&self) -> Option<EvaluationUnit> {
        self.race().has_learned().then_some(EvaluationUnit::Points)
    }

    fn evaluate(
        &self,
        which: Option<&[usize]>,
        look: SearchDepth,
        effort: &mut EvaluationBudget,
    ) -> Option<Vec<Evaluation>> {
        let roll = self.roll_to_play()?;
        Some(self.race().evaluate(self.judged(), roll, which, look, effort))
    }

    fn luck(&self, roll: Roll, effort: &mut EvaluationBudget) -> Option<(Seat, f32)> {
        let luck = || self.race().luck(self.judged(), roll, effort);
        let is_ready = self.phase == Phase::Throw && self.resigns.is_none();
        is_ready.then(luck).map(|luck| (self.seat, luck))
    }

    fn diagram(&self, view: &View) -> Diagram {
        let race = self.race();
        let first = race.first_corner(view);
        let upper = match first {
            Corner::UpperRight | Corner::UpperLeft => Seat(0),
            Corner::LowerRight | Corner::LowerLeft => Seat(1),
        };
        let dice = match self.phase {
            Phase::Play(roll) => Some((self.seat, DiceOnTable::new(6, roll))),
            _ => None,
        };
        let MatchScore { length, points, game, last } = self.score;
        let game_of = Match {
            length,
            // Points beyond the match length do not count.
            score: points.map(|points| points.min(length)),
            is_crawford: false,
            game,
            title: (G::RACES.len() > 1).then(|| race.title()),
            last,
        };
        let game_of = self.score.is_match().then_some(game_of);
        let resigns = self.resigns;
        let board = Points { first, upper, dice, game_of, resigns, ..race.piles(&self.board) };
        Diagram::Points(race.renumbered(view, board))
    }

    /// A side loses two points at most until it has borne off a man.
    fn max_stake(&self, seat: Seat) -> u8 {
        match self.phase {
            Phase::Begin | Phase::Over(_) => 1,
            Phase::Throw | Phase::Play(_) if self.board.off(seat) > 0 => 1,
            Phase::Throw | Phase::Play(_) => 2,
        }
    }

    /// A side loses no more than the position can cost, whatever it offered.
    fn resign(&mut self, seat: Seat, stake: u8) -> Result<(), MoveError> {
        let most = self.max_stake(seat);
        match self.phase {
            _ if stake == 0 => Err(MoveError::NothingToMove),
            Phase::Over(_) => Err(MoveError::NothingToMove),
            Phase::Begin => Err(MoveError::Illegal("the game has not begun".into())),
            _ if self.resigns.is_some() => Err(MoveError::Illegal(
                "an offer to resign is already waiting for an answer".into(),
            )),
            _ if stake >= most => {
                self.lose(seat, most);
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

    fn perft(options: &Choices, depth: u32) -> u64 {
        G::RACES[0].perft(options, depth)
    }
}
