//! Type-erased games: one interface for any game, with moves as text.

use super::record::apply_entry;
use super::text::presses;
use super::{
    Choices, Deal, Diagram, EngineProtocol, EngineQuestion, Entry, Evaluation, EvaluationBudget,
    EvaluationUnit, Game, Manner, MoveError, Next, NextStep, PartialMove, RandomBelow, Roll,
    SearchDepth, Seat, Spec, Spot, Transcript, View,
};
use std::cell::OnceCell;
use std::fmt::Debug;
use std::marker::PhantomData;

/// An entry of the game registry.
pub trait AnyGame: Sync {
    /// Returns the game's declaration.
    fn spec(&self) -> &'static Spec;
    /// Returns the current edition of the rules, counted from 1.
    fn rules(&self) -> u32;
    /// Returns the start of a game with these options.
    fn setup(&self, options: &Choices) -> Box<dyn AnyPosition>;
    /// Returns the start of a game under an earlier edition of the rules.
    fn setup_by(&self, options: &Choices, rules: u32) -> Box<dyn AnyPosition>;
    /// See [`Game::first_roll`].
    fn first_roll(&self, options: &Choices) -> Option<Roll>;
    /// Parses a position from its notation.
    ///
    /// # Errors
    /// The text is not a position of this game.
    fn place(&self, options: &Choices, notation: &str) -> Result<Box<dyn AnyPosition>, String>;
    /// Converts a recorded move of `mover` into the viewer's notation.
    fn text_for_viewer(&self, view: &View, mover: Seat, text: String) -> String;
    /// Converts a recorded move into the numbering of the viewer's diagram.
    fn text_for_diagram(&self, view: &View, text: String) -> String;
    /// Returns the path of each man in a recorded move, from place to place. A press is a path of
    /// one place; other words have no paths. Points are numbered as in the text: pass it through
    /// [`AnyGame::text_for_diagram`] to get the numbers of a viewer's diagram.
    fn paths(&self, text: &str) -> Vec<Vec<Spot>>;
    /// See [`Game::ENGINE`].
    fn engine_protocol(&self) -> Option<EngineProtocol>;
    /// See [`Game::engine_question`].
    fn engine_question(&self, record: &Transcript) -> Option<EngineQuestion>;
    /// Counts the move sequences of length `depth` from the start of a game. Moves with the same result
    /// count once. Rolls that show the same numbers in another order count once. A pass is a move;
    /// nothing follows the end of a game. Where a start is dealt, it is always the same one. Where dice
    /// decide who begins, seat 0 begins.
    ///
    /// # Examples
    /// One die with four faces opens Malaka, and each number can be played by six men:
    /// ```
    /// let malaka = games::find("malaka").expect("Malaka is a game");
    /// assert_eq!(malaka.perft(&games::Choices::default(), 1), 24);
    /// ```
    fn perft(&self, options: &Choices, depth: u32) -> u64;
}

impl Debug for dyn AnyGame + '_ {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.spec().name)
    }
}

/// A position of any game.
pub trait AnyPosition: Debug + Send {
    /// Returns how the game is played.
    fn manner(&self) -> Manner;
    /// Returns the names of the sides, first mover first.
    fn sides(&self) -> [&'static str; 2];
    /// Sets the viewer in whose notation moves are listed and read from now on. Recorded moves do
    /// not change.
    fn set_viewer(&mut self, view: &View);
    /// Returns what the position waits for.
    fn next(&self) -> Next;
    /// Lists the legal moves in a fixed order, in canonical notation or the viewer's.
    fn moves(&self) -> Vec<String>;
    /// Counts the legal moves.
    fn count(&self) -> usize;
    /// Returns the legal move at an index of the list.
    fn nth_move(&self, index: usize) -> Option<String>;
    /// Lists the first `most` legal moves without looking for others.
    fn moves_up_to(&self, most: usize) -> Vec<String>;
    /// Returns the first legal move.
    fn first_move(&self) -> Option<String> {
        self.moves_up_to(1).pop()
    }
    /// Returns each legal move with the position after it, in the order of [`AnyPosition::moves`].
    fn successors(&self) -> Vec<(String, Box<dyn AnyPosition>)>;
    /// Returns the partial move after these steps, as the viewer sees and writes it. Each step is a
    /// text that was offered after the steps before it.
    ///
    /// # Errors
    /// The first step that was not offered.
    fn partial_move(&self, view: &View, steps: &[&str]) -> Result<PartialMove, MoveError>;
    /// Returns the one-die steps among those that [`AnyPosition::partial_move`] offers first, as
    /// the viewer sees and writes them.
    fn first_steps(&self, view: &View) -> Vec<NextStep>;
    /// Plays the move that a player's text means and returns it as the record writes it.
    ///
    /// # Errors
    /// The text is not a legal move. The position is unchanged.
    fn play(&mut self, text: &str) -> Result<String, MoveError>;
    /// Returns whether a whole line of text, blanks included, can be read as a move, legal or not,
    /// or as several moves where one turn allows them. Lists no moves.
    fn can_read(&self, text: &str) -> bool;
    /// Splits a line of text into the moves of a turn that may be several, each with its column.
    fn presses<'a>(&self, text: &'a str) -> Vec<(usize, &'a str)>;
    /// Plays a recorded move without listing legal moves.
    ///
    /// # Errors
    /// The text is not canonical or cannot be played. The position is unchanged.
    fn play_recorded(&mut self, text: &str) -> Result<(), MoveError>;
    /// Applies an entry of a record without listing legal moves.
    ///
    /// # Errors
    /// The entry does not fit. The position is unchanged.
    fn apply(&mut self, entry: &Entry) -> Result<(), MoveError>;
    /// Returns the move to play automatically for a player with these settings.
    fn automatic_move(&self, settings: &Choices) -> Option<String>;
    /// Plays the roll that [`AnyPosition::next`] asked for.
    ///
    /// # Errors
    /// No roll or another throw was asked for.
    fn roll(&mut self, roll: Roll) -> Result<(), MoveError> {
        self.apply(&Entry::Rolled(roll))
    }
    /// Draws the stones that [`AnyPosition::next`] asked for.
    fn deal(&self, below: RandomBelow) -> Deal;
    /// Places the stones that [`AnyPosition::next`] asked for.
    ///
    /// # Errors
    /// No stones were asked for, or these cannot be dealt. The position is unchanged.
    fn lay(&mut self, stones: Deal) -> Result<(), MoveError> {
        self.apply(&Entry::Laid(stones))
    }
    /// Returns the move that ends the current turn, if one of several moves has begun.
    fn finish(&self) -> Option<String>;
    /// Returns the program's move at a level; `None` if the program does not know the game or
    /// nobody is to move.
    fn choose(&self, level: u8, below: RandomBelow) -> Option<String>;
    /// See [`Game::asks_to_roll`].
    fn asks_to_roll(&self) -> bool;
    /// Returns the stake that the program resigns before its roll; `None` while it should play on.
    fn resignation(&self) -> Option<u8>;
    /// Returns the unit of the program's evaluations; `None` if it cannot judge this position.
    fn evaluation_unit(&self) -> Option<EvaluationUnit>;
    /// Evaluates the position after the legal moves at the indices `which`, or after all legal
    /// moves, for the side that decides. Before a roll, the last evaluation is that of rolling now.
    fn evaluate(
        &self,
        which: Option<&[usize]>,
        look: SearchDepth,
        effort: &mut EvaluationBudget,
    ) -> Option<Vec<Evaluation>>;
    /// Returns the seat that rolled and how much more this roll is worth than an average one.
    fn luck(&self, roll: Roll, effort: &mut EvaluationBudget) -> Option<(Seat, f32)>;
    /// Returns the highest stake that a seat can still lose, as an index into the game's stakes
    /// from 1.
    fn max_stake(&self, seat: Seat) -> u8;
    /// Resigns a stake, counted from 1.
    ///
    /// # Errors
    /// There is no such stake, or nothing to resign now. The position is unchanged.
    fn resign(&mut self, seat: Seat, stake: u8) -> Result<(), MoveError> {
        self.apply(&Entry::Resigned { seat, stake })
    }
    /// Returns the position as drawing data for a viewer.
    fn diagram(&self, view: &View) -> Diagram;
    /// Returns the position as one line of text.
    fn notation(&self) -> String;
    /// Returns the position as one line of text without what is hidden from the viewer.
    fn visible_notation(&self, view: &View) -> String;
    /// Clones the position.
    fn copy(&self) -> Box<dyn AnyPosition>;
}

/// A position with its cached list of legal moves.
struct CachedPosition<G: Game> {
    position: G,
    legal: OnceCell<Vec<G::Move>>,
    /// The viewer in whose notation moves are listed and read.
    viewer: View,
}

impl<G: Game> CachedPosition<G> {
    fn boxed(position: G) -> Box<dyn AnyPosition> {
        Self::seen_by(position, View::default())
    }

    fn seen_by(position: G, viewer: View) -> Box<dyn AnyPosition> {
        Box::new(Self { position, legal: OnceCell::new(), viewer })
    }

    /// Clears the cached moves after a change.
    fn forget(&mut self) {
        self.legal.take();
    }

    fn legal(&self) -> &[G::Move] {
        self.legal.get_or_init(|| self.position.moves())
    }

    /// Writes a move in the viewer's notation.
    fn text_for_viewer(&self, m: &G::Move) -> String {
        match self.position.next() {
            Next::Move(mover) | Next::Ready(mover, _) => {
                G::text_for_viewer(&self.viewer, mover, m.to_string())
            }
            Next::Roll(_) | Next::Deal | Next::Over(_) => m.to_string(),
        }
    }
}

impl<G: Game> Debug for CachedPosition<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.position.fmt(f)
    }
}

impl<G: Game> AnyPosition for CachedPosition<G> {
    fn manner(&self) -> Manner {
        G::SPEC.manner
    }

    fn sides(&self) -> [&'static str; 2] {
        G::SPEC.sides
    }

    fn set_viewer(&mut self, view: &View) {
        self.viewer = view.clone();
    }

    fn next(&self) -> Next {
        self.position.next()
    }

    fn moves(&self) -> Vec<String> {
        self.legal().iter().map(|m| self.text_for_viewer(m)).collect()
    }

    fn count(&self) -> usize {
        let known = self.legal.get().map(Vec::len).or_else(|| self.position.move_count());
        known.unwrap_or_else(|| self.legal().len())
    }

    fn nth_move(&self, index: usize) -> Option<String> {
        self.legal().get(index).map(|m| self.text_for_viewer(m))
    }

    fn moves_up_to(&self, most: usize) -> Vec<String> {
        match self.legal.get() {
            Some(legal) => legal.iter().take(most).map(|m| self.text_for_viewer(m)).collect(),
            None => {
                self.position.moves_up_to(most).iter().map(|m| self.text_for_viewer(m)).collect()
            }
        }
    }

    fn successors(&self) -> Vec<(String, Box<dyn AnyPosition>)> {
        let after = |m: &G::Move| {
            let mut position = self.position.clone();
            position.play(m);
            (self.text_for_viewer(m), Self::boxed(position))
        };
        self.legal().iter().map(after).collect()
    }

    fn partial_move(&self, view: &View, steps: &[&str]) -> Result<PartialMove, MoveError> {
        self.position.partial_move(view, steps)
    }

    fn first_steps(&self, view: &View) -> Vec<NextStep> {
        self.position.first_steps(view)
    }

    fn play(&mut self, text: &str) -> Result<String, MoveError> {
        if !matches!(self.position.next(), Next::Move(_) | Next::Ready(..)) {
            return Err(MoveError::NothingToMove);
        }
        let chosen = self.position.read_as(&self.viewer, text)?;
        self.position.play(&chosen);
        self.forget();
        Ok(chosen.to_string())
    }

    fn can_read(&self, text: &str) -> bool {
        if G::SPEC.manner.has_multi_move_turns {
            self.presses(text).into_iter().all(|(_, word)| self.position.can_read(word))
        } else {
            self.position.can_read(text)
        }
    }

    fn presses<'a>(&self, text: &'a str) -> Vec<(usize, &'a str)> {
        presses(text, |word| self.position.can_read(word))
    }

    fn play_recorded(&mut self, text: &str) -> Result<(), MoveError> {
        if !matches!(self.position.next(), Next::Move(_) | Next::Ready(..)) {
            return Err(MoveError::NothingToMove);
        }
        let written = self.position.read_recorded(text)?;
        self.position.play(&written);
        self.forget();
        Ok(())
    }

    fn automatic_move(&self, settings: &Choices) -> Option<String> {
        match self.position.next() {
            Next::Move(_) => self.position.automatic_move(settings).map(|m| m.to_string()),
            Next::Roll(_) | Next::Deal | Next::Ready(..) | Next::Over(_) => None,
        }
    }

    fn deal(&self, below: RandomBelow) -> Deal {
        self.position.deal(below)
    }

    fn finish(&self) -> Option<String> {
        self.position.finish().map(|m| m.to_string())
    }

    fn asks_to_roll(&self) -> bool {
        self.position.asks_to_roll()
    }

    fn resignation(&self) -> Option<u8> {
        matches!(self.position.next(), Next::Ready(..)).then(|| self.position.resignation())?
    }

    fn choose(&self, level: u8, below: RandomBelow) -> Option<String> {
        match self.position.next() {
            Next::Move(_) | Next::Ready(..) => {
                self.position.choose(level, below).map(|m| m.to_string())
            }
            Next::Roll(_) | Next::Deal | Next::Over(_) => None,
        }
    }

    fn evaluation_unit(&self) -> Option<EvaluationUnit> {
        self.position.evaluation_unit()
    }

    fn evaluate(
        &self,
        which: Option<&[usize]>,
        look: SearchDepth,
        effort: &mut EvaluationBudget,
    ) -> Option<Vec<Evaluation>> {
        self.position.evaluate(which, look, effort)
    }

    fn luck(&self, roll: Roll, effort: &mut EvaluationBudget) -> Option<(Seat, f32)> {
        self.position.luck(roll, effort)
    }

    fn apply(&mut self, entry: &Entry) -> Result<(), MoveError> {
        apply_entry(&mut self.position, entry)?;
        self.forget();
        Ok(())
    }

    fn max_stake(&self, seat: Seat) -> u8 {
        self.position.max_stake(seat)
    }

    fn diagram(&self, view: &View) -> Diagram {
        self.position.diagram(view)
    }

    fn notation(&self) -> String {
        self.position.notation()
    }

    fn visible_notation(&self, view: &View) -> String {
        self.position.visible_notation(view)
    }

    fn copy(&self) -> Box<dyn AnyPosition> {
        Self::seen_by(self.position.clone(), self.viewer.clone())
    }
}

/// A registry entry: `&GameEntry::<malaka::Position>::NEW`.
pub struct GameEntry<G>(PhantomData<fn() -> G>);

impl<G> GameEntry<G> {
    /// The only value of the type.
    pub const NEW: Self = Self(PhantomData);
}

impl<G: Game> AnyGame for GameEntry<G> {
    fn spec(&self) -> &'static Spec {
        const { &G::SPEC }
    }

    fn rules(&self) -> u32 {
        G::RULES
    }

    fn setup(&self, options: &Choices) -> Box<dyn AnyPosition> {
        CachedPosition::boxed(G::setup(options))
    }

    fn setup_by(&self, options: &Choices, rules: u32) -> Box<dyn AnyPosition> {
        CachedPosition::boxed(G::setup_by(options, rules))
    }

    fn first_roll(&self, options: &Choices) -> Option<Roll> {
        G::first_roll(options)
    }

    fn place(&self, options: &Choices, notation: &str) -> Result<Box<dyn AnyPosition>, String> {
        G::place(options, notation).map(CachedPosition::boxed)
    }

    fn text_for_viewer(&self, view: &View, mover: Seat, text: String) -> String {
        G::text_for_viewer(view, mover, text)
    }

    fn text_for_diagram(&self, view: &View, text: String) -> String {
        G::text_for_diagram(view, text)
    }

    fn paths(&self, text: &str) -> Vec<Vec<Spot>> {
        if G::SPEC.manner.has_multi_move_turns {
            let presses = presses(text, |word| G::spell(word).is_ok());
            presses.into_iter().flat_map(|(_, word)| G::paths(word)).collect()
        } else {
            G::paths(text)
        }
    }

    fn engine_protocol(&self) -> Option<EngineProtocol> {
        G::ENGINE
    }

    fn engine_question(&self, record: &Transcript) -> Option<EngineQuestion> {
        G::engine_question(record)
    }

    fn perft(&self, options: &Choices, depth: u32) -> u64 {
        G::perft(options, depth)
    }
}
