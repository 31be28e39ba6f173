//! Any game behind one interface, moves as text.

use super::text::presses;
use super::{
    Begun, Choices, Diagram, Effort, Game, Look, Manner, MoveError, Next, NextStep, Prospect,
    RandomBelow, Roll, Seat, Spec, Spot, Unit, View,
};
use crate::grid::Stones;
use std::cell::OnceCell;
use std::fmt::Debug;
use std::marker::PhantomData;

/// A game of the registry.
pub trait AnyGame: Sync {
    /// The game's own data.
    fn spec(&self) -> &'static Spec;
    /// The edition of the rules that new games are played by, counted from 1.
    fn rules(&self) -> u32;
    /// The start of a game played with these options.
    fn setup(&self, options: &Choices) -> Box<dyn AnyPosition>;
    /// The start of a game that is played by an earlier edition of the rules.
    fn setup_by(&self, options: &Choices, rules: u32) -> Box<dyn AnyPosition>;
    /// See [`Game::first_roll`].
    fn first_roll(&self, options: &Choices) -> Option<Roll>;
    /// The position that a line of notation describes.
    ///
    /// # Errors
    /// What is wrong with the text.
    fn place(&self, options: &Choices, notation: &str) -> Result<Box<dyn AnyPosition>, String>;
    /// A move of a record, made by that seat, as that viewer writes it.
    fn worded(&self, view: &View, mover: Seat, text: String) -> String;
    /// A move of a record with the places of that viewer's diagram.
    fn located(&self, view: &View, text: String) -> String;
    /// The way of each man that a move of a record tells, from place to place; a press is a way of
    /// one place, and nothing is known of other words. Points are numbered as in the text: told by
    /// [`AnyGame::located`] they are those of that viewer's diagram.
    fn ways(&self, text: &str) -> Vec<Vec<Spot>>;
    /// See [`crate::perft`].
    fn perft(&self, options: &Choices, depth: u32) -> u64;
}

impl Debug for dyn AnyGame + '_ {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.spec().name)
    }
}

/// A position of any game.
pub trait AnyPosition: Debug + Send {
    /// How the game is sat down to.
    fn manner(&self) -> Manner;
    /// The names of the two sides, first mover first.
    fn sides(&self) -> [&'static str; 2];
    /// From now on moves are listed and read as that viewer writes them. The words of a record stay
    /// as they are.
    fn look_as(&mut self, view: &View);
    /// What the position waits for.
    fn next(&self) -> Next;
    /// The legal moves, in a fixed order: in canonical notation, or as a viewer writes them.
    fn moves(&self) -> Vec<String>;
    /// How many legal moves there are.
    fn count(&self) -> usize;
    /// The legal move at that place of the list, counted from 0.
    fn nth_move(&self, index: usize) -> Option<String>;
    /// The first of the legal moves, so many of them at most; others need not be looked for.
    fn moves_up_to(&self, most: usize) -> Vec<String>;
    /// The first of the legal moves.
    fn first_move(&self) -> Option<String> {
        self.moves_up_to(1).pop()
    }
    /// Each legal move with the position it leads to, in the order of [`AnyPosition::moves`].
    fn outlook(&self) -> Vec<(String, Box<dyn AnyPosition>)>;
    /// The move that these steps begin, as that viewer sees and writes it: each of them is written
    /// as it was offered before it.
    ///
    /// # Errors
    /// The first step that was not offered.
    fn begun(&self, view: &View, steps: &[&str]) -> Result<Begun, MoveError>;
    /// The steps of men by one die with which a move can begin, as that viewer sees and writes it: of
    /// those that [`AnyPosition::begun`] offers first.
    fn first_steps(&self, view: &View) -> Vec<NextStep>;
    /// Plays the move that these words mean and returns it as the record writes it.
    ///
    /// # Errors
    /// The words mean no legal move here; nothing has changed.
    fn play(&mut self, text: &str) -> Result<String, MoveError>;
    /// Whether words can be read as a move of the game, legal or not, or as several where a turn can
    /// have them: a whole line, with blanks in it, as people write moves. Nothing is listed for it.
    fn spells(&self, text: &str) -> bool;
    /// Plays a move as the record wrote it, without listing the legal ones.
    ///
    /// # Errors
    /// The text is not canonical or cannot be carried out; nothing has changed.
    fn recall(&mut self, text: &str) -> Result<(), MoveError>;
    /// The move that is played for a player with these settings.
    fn auto(&self, settings: &Choices) -> Option<String>;
    /// Takes the dice that [`AnyPosition::next`] asked for.
    ///
    /// # Errors
    /// No dice were asked for, or other ones.
    fn roll(&mut self, roll: Roll) -> Result<(), MoveError>;
    /// Draws the stones that [`AnyPosition::next`] asked for.
    fn deal(&self, below: RandomBelow) -> Stones;
    /// Takes the stones that [`AnyPosition::next`] asked for.
    ///
    /// # Errors
    /// No stones were asked for, or they cannot have been dealt; nothing has changed.
    fn lay(&mut self, stones: Stones) -> Result<(), MoveError>;
    /// The move that ends a turn of several moves, if one has begun.
    fn finish(&self) -> Option<String>;
    /// The move that the program makes at that level; none where it does not know the game or
    /// it is nobody's turn.
    fn choose(&self, level: u8, below: RandomBelow) -> Option<String>;
    /// See [`Game::asks_to_roll`].
    fn asks_to_roll(&self) -> bool;
    /// For what the program resigns before a roll of its own; none where there is hope.
    fn gives_up(&self) -> Option<u8>;
    /// In what the program weighs positions such as this one; nothing where it cannot.
    fn judged_in(&self) -> Option<Unit>;
    /// The prospects of the side that decides after the legal moves at those places of the list, or
    /// after all; before a roll, the prospect of rolling at once comes last.
    fn prospects(
        &self,
        which: Option<&[usize]>,
        look: Look,
        effort: &mut Effort,
    ) -> Option<Vec<Prospect>>;
    /// How much more a roll is worth than an average one, and to whom.
    fn luck(&self, roll: Roll, effort: &mut Effort) -> Option<(Seat, f32)>;
    /// What that seat can lose at most, as an index into the game's stakes, from 1.
    fn stake(&self, seat: Seat) -> u8;
    /// A seat gives up for a stake, counted from 1.
    ///
    /// # Errors
    /// There is no such stake, or nothing to give up now; nothing has changed.
    fn resign(&mut self, seat: Seat, stake: u8) -> Result<(), MoveError>;
    /// Plays on by chance until the game has ended; returns how many moves were made.
    fn play_out(&mut self, below: RandomBelow) -> usize;
    /// The position as data for a printer, as that viewer sees it.
    fn diagram(&self, view: &View) -> Diagram;
    /// The position as one line of text.
    fn notation(&self) -> String;
    /// The position as one line of text for that viewer, who may not be allowed to know all of it.
    fn seen(&self, view: &View) -> String;
    /// Another value of the same position.
    fn copy(&self) -> Box<dyn AnyPosition>;
}

/// A position with its legal moves, listed at most once.
struct CachedPosition<G: Game> {
    position: G,
    legal: OnceCell<Vec<G::Move>>,
    /// The writer of moves.
    viewer: View,
}

impl<G: Game> CachedPosition<G> {
    fn boxed(position: G) -> Box<dyn AnyPosition> {
        Self::seen_by(position, View::default())
    }

    fn seen_by(position: G, viewer: View) -> Box<dyn AnyPosition> {
        Box::new(Self { position, legal: OnceCell::new(), viewer })
    }

    /// The position has changed.
    fn forget(&mut self) {
        self.legal.take();
    }

    fn legal(&self) -> &[G::Move] {
        self.legal.get_or_init(|| self.position.moves())
    }

    /// A move as the viewer writes it.
    fn worded(&self, m: &G::Move) -> String {
        match self.position.next() {
            Next::Move(mover) | Next::Ready(mover, _) => {
                G::worded(&self.viewer, mover, m.to_string())
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

    fn look_as(&mut self, view: &View) {
        self.viewer = view.clone();
    }

    fn next(&self) -> Next {
        self.position.next()
    }

    fn moves(&self) -> Vec<String> {
        self.legal().iter().map(|m| self.worded(m)).collect()
    }

    fn count(&self) -> usize {
        self.legal().len()
    }

    fn nth_move(&self, index: usize) -> Option<String> {
        self.legal().get(index).map(|m| self.worded(m))
    }

    fn moves_up_to(&self, most: usize) -> Vec<String> {
        match self.legal.get() {
            Some(legal) => legal.iter().take(most).map(|m| self.worded(m)).collect(),
            None => self.position.moves_up_to(most).iter().map(|m| self.worded(m)).collect(),
        }
    }

    fn outlook(&self) -> Vec<(String, Box<dyn AnyPosition>)> {
        let after = |m: &G::Move| {
            let mut position = self.position.clone();
            position.play(m);
            (self.worded(m), Self::boxed(position))
        };
        self.legal().iter().map(after).collect()
    }

    fn begun(&self, view: &View, steps: &[&str]) -> Result<Begun, MoveError> {
        self.position.begun(view, steps)
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

    fn spells(&self, text: &str) -> bool {
        if G::SPEC.manner.several {
            presses(text).into_iter().all(|(_, word)| self.position.spells(word))
        } else {
            self.position.spells(text)
        }
    }

    fn recall(&mut self, text: &str) -> Result<(), MoveError> {
        if !matches!(self.position.next(), Next::Move(_) | Next::Ready(..)) {
            return Err(MoveError::NothingToMove);
        }
        let written = self.position.recall(text)?;
        self.position.play(&written);
        self.forget();
        Ok(())
    }

    fn auto(&self, settings: &Choices) -> Option<String> {
        match self.position.next() {
            Next::Move(_) => self.position.auto(settings).map(|m| m.to_string()),
            Next::Roll(_) | Next::Deal | Next::Ready(..) | Next::Over(_) => None,
        }
    }

    fn deal(&self, below: RandomBelow) -> Stones {
        self.position.deal(below)
    }

    fn finish(&self) -> Option<String> {
        self.position.finish().map(|m| m.to_string())
    }

    fn asks_to_roll(&self) -> bool {
        self.position.asks_to_roll()
    }

    fn gives_up(&self) -> Option<u8> {
        matches!(self.position.next(), Next::Ready(..)).then(|| self.position.gives_up())?
    }

    fn choose(&self, level: u8, below: RandomBelow) -> Option<String> {
        match self.position.next() {
            Next::Move(_) | Next::Ready(..) => {
                self.position.choose(level, below).map(|m| m.to_string())
            }
            Next::Roll(_) | Next::Deal | Next::Over(_) => None,
        }
    }

    fn judged_in(&self) -> Option<Unit> {
        self.position.judged_in()
    }

    fn prospects(
        &self,
        which: Option<&[usize]>,
        look: Look,
        effort: &mut Effort,
    ) -> Option<Vec<Prospect>> {
        self.position.prospects(which, look, effort)
    }

    fn luck(&self, roll: Roll, effort: &mut Effort) -> Option<(Seat, f32)> {
        self.position.luck(roll, effort)
    }

    fn roll(&mut self, roll: Roll) -> Result<(), MoveError> {
        match self.position.next() {
            Next::Roll(throw) | Next::Ready(_, throw) if roll.fits(throw) => {
                self.position.roll(roll);
                self.forget();
                Ok(())
            }
            Next::Roll(_) | Next::Ready(..) => {
                Err(MoveError::Illegal(format!("{roll} is no roll of these dice")))
            }
            Next::Deal | Next::Move(_) | Next::Over(_) => {
                Err(MoveError::Illegal("no dice are to be thrown now".into()))
            }
        }
    }

    fn lay(&mut self, stones: Stones) -> Result<(), MoveError> {
        if self.position.next() != Next::Deal {
            return Err(MoveError::Illegal("no stones are to be laid now".into()));
        }
        self.position.lay(stones)?;
        self.forget();
        Ok(())
    }

    fn stake(&self, seat: Seat) -> u8 {
        self.position.stake(seat)
    }

    fn resign(&mut self, seat: Seat, stake: u8) -> Result<(), MoveError> {
        if !(1..=G::SPEC.stakes.len()).contains(&usize::from(stake)) || seat.index() > 1 {
            return Err(MoveError::NothingToMove);
        }
        self.position.resign(seat, stake)?;
        self.forget();
        Ok(())
    }

    fn play_out(&mut self, below: RandomBelow) -> usize {
        self.forget();
        self.position.play_out(below)
    }

    fn diagram(&self, view: &View) -> Diagram {
        self.position.diagram(view)
    }

    fn notation(&self) -> String {
        self.position.notation()
    }

    fn seen(&self, view: &View) -> String {
        self.position.seen(view)
    }

    fn copy(&self) -> Box<dyn AnyPosition> {
        Self::seen_by(self.position.clone(), self.viewer.clone())
    }
}

/// A registry entry: `&Of::<malaka::Position>::NEW`.
pub struct GameEntry<G>(PhantomData<fn() -> G>);

impl<G> GameEntry<G> {
    /// The only value.
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

    fn worded(&self, view: &View, mover: Seat, text: String) -> String {
        G::worded(view, mover, text)
    }

    fn located(&self, view: &View, text: String) -> String {
        G::located(view, text)
    }

    fn ways(&self, text: &str) -> Vec<Vec<Spot>> {
        if G::SPEC.manner.several {
            presses(text).into_iter().flat_map(|(_, word)| G::ways(word)).collect()
        } else {
            G::ways(text)
        }
    }

    fn perft(&self, options: &Choices, depth: u32) -> u64 {
        G::perft(options, depth)
    }
}

/// How many ways there are through the first moves of a game: the legal moves, each result
/// once, of every position so many moves on, summed over the rolls that differ in what they
/// show (a 1 with a 2 is one roll, in whichever order they fell). A pass is a move; nothing
/// follows the end of a game. A start that is drawn by chance is always the same one. Where dice decide who begins, seat 0 has begun.
///
/// # Examples
/// A single die of four faces opens Malaka, and each lets six men hop:
/// ```
/// let malaka = games::find("malaka").expect("Malaka is a game");
/// assert_eq!(games::perft(malaka, &games::Choices::default(), 1), 24);
/// ```
pub fn perft(game: &dyn AnyGame, options: &Choices, depth: u32) -> u64 {
    game.perft(options, depth)
}
