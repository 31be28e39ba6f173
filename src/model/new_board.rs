//! Begins boards: seats, the opening roll, and all rolls and forced moves before the first decision.
//! Challenges, rematches and reactions all begin boards here.

use crate::base::ids::{BoardId, UserId};
use crate::model::board::{Agreement, BoardSetup, Closing, UndrawnRoll};
use crate::model::clock::BoardTerms;
use crate::model::dice::{BoardDice, BoardRandom, UndrawnReason, commitment_digest};
use crate::model::opening::Opening;
use crate::model::program;
use crate::model::service::ServiceContext;
use crate::model::world::{MissingDocument, World, count_key, seeks_key};
use crate::store::Key;
use games::{
    AnyGame, AnyPosition, Choices, Ending, Entry, Next, POSITION, Roll, Seat, Thrower, advance,
};
use std::collections::BTreeMap;

/// The option by which the first named player begins in games with an opening roll.
const FORCE: &str = "force";

/// A kept opening that comes again, and the player who gave it up.
struct ReturningOpening<'w> {
    opening: &'w Opening,
    holder: Seat,
}

struct OpeningRoll {
    /// The dice as thrown.
    thrown: Roll,
    /// The dice as played, the higher die first.
    roll: Roll,
    /// Whether the second named player has won it and takes the first side.
    is_swapped: bool,
}

/// Finds a kept opening that one of the players gave up earlier and that must come again. The
/// player who asks for the board comes first. An opening of the other seat fits if dice decide the
/// sides, or if the player asked for the earlier board and asks for this one.
fn find_kept_opening<'w>(
    world: &'w World,
    game: &str,
    players: &[UserId; 2],
    by: Option<Seat>,
    is_by_dice: bool,
) -> Option<ReturningOpening<'w>> {
    let asks = by.unwrap_or(Seat(0));
    [asks, asks.other()].into_iter().find_map(|holder| {
        let user = world.user(&players[holder.index()])?;
        let fits = |opening: &&Opening| {
            let asks_again = opening.asked && by == Some(holder);
            is_by_dice || asks_again || opening.seat == holder.0
        };
        let opening = user.openings.get(game)?.iter().find(fits)?;
        Some(ReturningOpening { opening, holder })
    })
}

/// The reason why a board cannot be begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotBegun {
    /// A document is missing or damaged.
    Missing(MissingDocument),
    /// Both players are the program.
    OnlyPrograms,
    /// The game is for one player, and the other seat is not the program's.
    PlayedAlone(&'static str),
    /// A guest would play against a user.
    GuestsPlayProgram,
    /// The program does not play the game.
    NoProgram(&'static str),
}

impl From<MissingDocument> for NotBegun {
    fn from(missing: MissingDocument) -> Self {
        Self::Missing(missing)
    }
}

/// Returns whether a player is the program.
///
/// # Errors
/// These players cannot play the game together.
pub fn check_opponent(
    world: &World,
    game: &'static dyn AnyGame,
    players: &[UserId; 2],
) -> Result<bool, NotBegun> {
    let manner = game.spec().manner;
    let levels = players.each_ref().map(|id| world.level(id));
    match levels {
        [Some(_), Some(_)] => Err(NotBegun::OnlyPrograms),
        [None, Some(_)] if manner.is_solo => Ok(true),
        _ if manner.is_solo => Err(NotBegun::PlayedAlone(game.spec().name)),
        [None, None] if players.iter().any(|id| world.is_guest(id)) => {
            Err(NotBegun::GuestsPlayProgram)
        }
        [None, None] => Ok(false),
        [Some(level), None] | [None, Some(level)] if level <= manner.levels => Ok(true),
        // Our own program plays where the other one fails.
        [Some(program::ENGINE), None] | [None, Some(program::ENGINE)]
            if manner.levels > 0 && game.engine_protocol().is_some() =>
        {
            Ok(true)
        }
        _ => Err(NotBegun::NoProgram(game.spec().name)),
    }
}

/// The seed words of the players, in the order in which they were named.
pub type Seeds = [Option<String>; 2];

/// A board to begin.
#[derive(Clone, Debug)]
pub struct NewBoard {
    /// The game.
    pub game: &'static dyn AnyGame,
    /// The options and terms.
    pub agreed: Agreement,
    /// The players. The first named has the first side, unless an opening roll decides.
    pub players: [UserId; 2],
    /// The player who asks for the board, if one does.
    pub by: Option<Seat>,
    /// The seed words.
    pub seeds: Seeds,
}

/// A begun board.
#[derive(Clone, Debug)]
pub struct BegunBoard {
    /// The board, without a challenger.
    pub setup: BoardSetup,
    /// The seat of the player who asked for it.
    pub by: Option<Seat>,
}

/// A board with a record of another program.
#[derive(Clone, Debug)]
pub struct ImportedBoard {
    /// The game.
    pub game: &'static dyn AnyGame,
    /// The game's options.
    pub options: Choices,
    /// The players, seat 0 first.
    pub players: [UserId; 2],
    /// The record.
    pub record: Vec<Entry>,
    /// How the game ended, if its record does not show it.
    pub ending: Option<Ending>,
}

/// Returns the documents that a board of a game and its announcement need, besides its number and
/// its players.
pub fn game_keys(game: &'static str) -> Vec<Key> {
    vec![count_key(game), seeks_key(game)]
}

/// Begins the boards of one decision, each with a number of its own.
pub struct BoardMaker<'a> {
    world: &'a World,
    cx: ServiceContext<'a>,
    /// The number of boards begun so far, by game.
    begun: BTreeMap<&'static str, u32>,
}

impl<'a> BoardMaker<'a> {
    /// Starts a decision.
    pub fn new(world: &'a World, cx: ServiceContext<'a>) -> Self {
        Self { world, cx, begun: BTreeMap::new() }
    }

    /// Reserves the next number of a game.
    fn reserve(&mut self, game: &'static str) -> Result<BoardId, NotBegun> {
        let begun = self.begun.entry(game).or_default();
        let number = self.world.free_number(game, *begun)?;
        *begun += 1;
        Ok(BoardId { game, number })
    }

    /// Begins a board. Its players and enough [new boards](World::load_new_boards) must be loaded.
    ///
    /// # Errors
    /// A document is damaged, or these players cannot play the game together.
    pub fn begin(&mut self, new: NewBoard) -> Result<BegunBoard, NotBegun> {
        let NewBoard { game, agreed, players, by, seeds } = new;
        let (name, world) = (game.spec().name, self.world);
        let is_alone = check_opponent(world, game, &players)?;
        let (mut players, mut by) = seat_players(world, game, players, by);
        let board = self.reserve(name)?;
        let cx = &mut self.cx;
        let mut position = game.setup(&agreed.options);
        let has_position = agreed.options.has(POSITION);
        let is_by_dice = dice_decide_sides(&*position, &agreed.options);
        // A kept opening does not fit a game from a given position.
        let again = if has_position {
            None
        } else {
            find_kept_opening(world, name, &players, by, is_by_dice)
        };
        let first = again.as_ref().map(|again| again.opening);
        let kept = first.map(Opening::rolls).unwrap_or_default();
        // A position may begin with a double to answer, before any roll.
        let usual = has_position.then(|| game.setup(&Choices::default()));
        let mut dice = new_board_dice(cx, usual.as_deref().unwrap_or(&*position), seeds);
        let mut draws =
            BoardRandom::for_new_board(board, cx.now, dice.as_ref(), cx.keys, first, cx.chance);
        let mut entries = Vec::new();
        let on_the_table = game.first_roll(&agreed.options);
        if let Some(roll) = on_the_table {
            position.roll(roll).expect("the position waits for its dice");
            entries.push(Entry::Rolled(roll));
            draws = draws.after_draws(1);
        }
        let mut is_swapped = again.is_some_and(|again| again.opening.seat != again.holder.0);
        if let Some(opening) = throw_opening(&mut *position, &mut draws, &agreed.options) {
            let is_kept = kept.first() == Some(&opening.thrown);
            is_swapped = if is_kept { is_swapped } else { opening.is_swapped };
            entries.push(Entry::Rolled(opening.roll));
        }
        if is_swapped {
            players.swap(0, 1);
            by = by.map(Seat::other);
            dice.iter_mut().for_each(BoardDice::swap);
        }
        let settings_of = |seat: Seat| world.new_board_settings(&players[seat.index()], game);
        entries.extend(advance(&mut *position, &mut draws, &settings_of));
        let Agreement { options, private, terms } = agreed;
        let setup = BoardSetup {
            board,
            players,
            challenger: None,
            counted: false,
            options,
            private,
            terms: BoardTerms { unrated: terms.unrated || is_alone, ..terms },
            tournament: None,
            is_of_ladder: false,
            at: cx.now,
            kept,
            entries,
            undrawn: undrawn_rolls(on_the_table.is_some(), dice.as_ref(), draws),
            dice,
            closing: None,
        };
        Ok(BegunBoard { setup, by })
    }

    /// Begins a board with a record of another program.
    ///
    /// # Errors
    /// As [`Self::begin`].
    ///
    /// # Panics
    /// The record cannot be replayed.
    pub fn import(&mut self, imported: ImportedBoard) -> Result<BoardSetup, NotBegun> {
        let ImportedBoard { game, options, players, record: mut entries, ending } = imported;
        check_opponent(self.world, game, &players)?;
        let board = self.reserve(game.spec().name)?;
        let (world, cx) = (self.world, &mut self.cx);
        let mut position = game.setup(&options);
        games::replay(&mut *position, &entries).expect("a format's reader replays what it reads");
        let settings_of = |seat: Seat| world.new_board_settings(&players[seat.index()], game);
        let imported = entries.iter().filter(|entry| entry.is_chance()).count();
        let dice = new_board_dice(cx, &*game.setup(&options), [None, None]);
        let draws =
            BoardRandom::for_new_board(board, cx.now, dice.as_ref(), cx.keys, None, cx.chance);
        let mut draws = draws.after_draws(imported);
        if ending.is_none() {
            entries.extend(advance(&mut *position, &mut draws, &settings_of));
        }
        Ok(BoardSetup {
            board,
            players,
            challenger: None,
            counted: false,
            options,
            private: false,
            // The game was begun elsewhere, and perhaps decided there.
            terms: BoardTerms { unrated: true, ..BoardTerms::default() },
            tournament: None,
            is_of_ladder: false,
            at: cx.now,
            kept: Vec::new(),
            entries,
            dice,
            undrawn: (1..=imported)
                .map(|number| UndrawnRoll { number, reason: UndrawnReason::Imported })
                .collect(),
            closing: ending.map(|ending| Closing::of_ending(ending, self.cx.now)),
        })
    }
}

/// Returns whether an opening roll decides the sides.
fn dice_decide_sides(start: &dyn AnyPosition, options: &Choices) -> bool {
    let is_opening = matches!(start.next(), Next::Roll(throw) if throw.is_opening);
    is_opening && !options.has(FORCE)
}

/// Seats the players before the opening roll. In a game with hidden stones the program sits second:
/// it would otherwise move before its opponent has seen the board.
fn seat_players(
    world: &World,
    game: &dyn AnyGame,
    [first, second]: [UserId; 2],
    by: Option<Seat>,
) -> ([UserId; 2], Option<Seat>) {
    if game.spec().manner.is_secret && world.level(&first).is_some() {
        return ([second, first], by.map(Seat::other));
    }
    ([first, second], by)
}

/// Throws the opening roll, if the game has one.
fn throw_opening(
    position: &mut dyn AnyPosition,
    dice: &mut dyn Thrower,
    options: &Choices,
) -> Option<OpeningRoll> {
    let Next::Roll(throw) = position.next() else { return None };
    let thrown = throw.is_opening.then(|| dice.throw(throw))?;
    let opening = order_opening(thrown, options);
    position.roll(opening.roll).expect("a roll fits its throw");
    Some(opening)
}

/// Returns the dice of a new board with the newest key of the home; `None` for a game without
/// chance, or if the random source is scripted.
fn new_board_dice(cx: &ServiceContext, start: &dyn AnyPosition, seeds: Seeds) -> Option<BoardDice> {
    cx.chance.seed()?;
    if !matches!(start.next(), Next::Roll(_) | Next::Ready(..) | Next::Deal) {
        return None;
    }
    let mut dice = BoardDice::new(cx.keys.newest().public());
    for (seat, word) in Seat::BOTH.into_iter().zip(seeds) {
        let Some(word) = word else { continue };
        match commitment_digest(&word) {
            Some(hash) => dice.commit(seat, hash),
            None => dice.mix(Some(seat), word, 0),
        }
    }
    Some(dice)
}

/// Returns the rolls that were not drawn from the board's dice: the roll of an imported
/// position, and those that came again from an earlier board.
fn undrawn_rolls(
    is_imported: bool,
    dice: Option<&BoardDice>,
    draws: BoardRandom,
) -> Vec<UndrawnRoll> {
    if dice.is_none() {
        return Vec::new();
    }
    let imported =
        is_imported.then_some(UndrawnRoll { number: 1, reason: UndrawnReason::Imported });
    let again = draws.repeated().into_iter();
    let again = again.map(|number| UndrawnRoll { number, reason: UndrawnReason::Again });
    imported.into_iter().chain(again).collect()
}

/// Orders the opening roll. Its winner has the higher die and takes the first side, unless the
/// players have agreed that the first named begins.
fn order_opening(thrown: Roll, options: &Choices) -> OpeningRoll {
    match thrown {
        Roll::Two(first, second) if second > first => {
            let roll = Roll::Two(second, first);
            OpeningRoll { thrown, roll, is_swapped: !options.has(FORCE) }
        }
        roll => OpeningRoll { thrown, roll, is_swapped: false },
    }
}
