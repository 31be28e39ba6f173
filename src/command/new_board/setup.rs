//! A new board: who sits where, and what chance gives before a player decides something.

use crate::base::ids::{BoardId, UserId};
use crate::command::Context;
use crate::command::parsing::arguments::commitment_digest;
use crate::model::board::{Agreement, BoardSetup};
use crate::model::clock::BoardTerms;
use crate::model::dice::{BoardDice, BoardRandom, UndrawnReason};
use crate::model::opening::Opening;
use crate::model::world::World;
use crate::refusal::{AccountRefusal, Refusal};
use games::{AnyGame, AnyPosition, Choices, Entry, Next, POSITION, Roll, Seat, Thrower, advance};

/// The option of games whose opening roll decides who is the first side: the first named is.
const FORCE: &str = "force";

/// The opening that comes again on a new board, and which of its players gave it up: the one who
/// asks for the board, or else the other.
fn find_kept_opening<'w>(
    world: &'w World,
    game: &str,
    players: &[UserId; 2],
    by: Option<Seat>,
    is_by_dice: bool,
) -> Option<(&'w Opening, Seat)> {
    let asks = by.unwrap_or(Seat(0));
    [asks, asks.other()].into_iter().find_map(|holder| {
        let user = world.user(&players[holder.index()])?;
        let fits = |opening: &&Opening| {
            let is_his_to_say = opening.asked && by == Some(holder);
            is_by_dice || is_his_to_say || opening.seat == holder.0
        };
        Some((user.openings.get(game)?.iter().find(fits)?, holder))
    })
}

/// Whether one of these players is the program.
///
/// # Errors
/// Both are, or it does not know the game, or the game has only one player.
pub(crate) fn check_opponent(
    world: &World,
    game: &'static dyn AnyGame,
    players: &[UserId; 2],
) -> Result<bool, Refusal> {
    let manner = game.spec().manner;
    let levels = players.each_ref().map(|id| world.level(id));
    match levels {
        [Some(_), Some(_)] => Err(AccountRefusal::OnlyPrograms.into()),
        [None, Some(_)] if manner.solo => Ok(true),
        _ if manner.solo => Err(AccountRefusal::PlayedAlone(game.spec().name).into()),
        [None, None] => Ok(false),
        [Some(level), None] | [None, Some(level)] if level <= manner.levels => Ok(true),
        _ => Err(AccountRefusal::NoProgram(game.spec().name).into()),
    }
}

/// The words that the players named first and second mix into the dice.
pub(crate) type Seeds = [Option<String>; 2];

/// A new board, and the seat of the player who asked for it; `by` says which of the named players
/// that is. The first named is the first side, except where dice decide.
pub(crate) fn set_up_board(
    world: &World,
    cx: &mut Context,
    game: &'static dyn AnyGame,
    agreed: &Agreement,
    players: [UserId; 2],
    by: Option<Seat>,
    seeds: Seeds,
) -> Result<(BoardSetup, Option<Seat>), Refusal> {
    let name = game.spec().name;
    let is_alone = check_opponent(world, game, &players)?;
    let (mut players, mut by) = seat_players(world, game, players, by);
    let board = BoardId { game: name, number: world.next_number(name)? };
    let mut position = game.setup(&agreed.options);
    // What came at the start of a game is no roll for another position.
    let again = (!agreed.options.has(POSITION))
        .then(|| {
            find_kept_opening(
                world,
                name,
                &players,
                by,
                dice_decide_sides(&*position, &agreed.options),
            )
        })
        .flatten();
    let first = again.map(|(opening, _)| opening);
    let kept = first.map(Opening::rolls).unwrap_or_default();
    // A double that waits for its answer asks for no dice, but some will be rolled.
    let is_placed = agreed.options.has(POSITION);
    let usual = is_placed.then(|| game.setup(&Choices::default()));
    let mut dice = new_board_dice(cx, usual.as_deref().unwrap_or(&*position), seeds);
    let mut draws =
        BoardRandom::to_begin((board, cx.now), dice.as_ref(), cx.keys, first, cx.chance);
    let mut entries = Vec::new();
    let on_the_table = game.first_roll(&agreed.options);
    if let Some(roll) = on_the_table {
        position.roll(roll).expect("the position waits for its dice");
        entries.push(Entry::Rolled(roll));
        draws = draws.behind(1);
    }
    let mut is_swapped = again.is_some_and(|(opening, holder)| opening.seat != holder.0);
    if let Some((thrown, roll, is_second)) =
        throw_opening(&mut *position, &mut draws, &agreed.options)
    {
        is_swapped = if kept.first() == Some(&thrown) { is_swapped } else { is_second };
        entries.push(Entry::Rolled(roll));
    }
    if is_swapped {
        players.swap(0, 1);
        by = by.map(Seat::other);
        dice.iter_mut().for_each(BoardDice::swap);
    }
    let likes = |seat: Seat| world.new_board_likes(&players[seat.index()], game);
    entries.extend(advance(&mut *position, &mut draws, &likes));
    let Agreement { options, private, terms } = agreed.clone();
    let imported = on_the_table.map(|_| (1, UndrawnReason::Imported)).filter(|_| dice.is_some());
    let set_up = BoardSetup {
        board,
        players,
        challenger: None,
        counted: false,
        options,
        private,
        terms: BoardTerms { unrated: terms.unrated || is_alone, ..terms },
        at: cx.now,
        kept,
        entries,
        undrawn: imported.into_iter().chain(repeated_draws(dice.as_ref(), draws)).collect(),
        dice,
    };
    Ok((set_up, by))
}

/// Whether dice decide who is the first side.
fn dice_decide_sides(start: &dyn AnyPosition, options: &Choices) -> bool {
    let is_opening = matches!(start.next(), Next::Roll(throw) if throw.opening);
    is_opening && !options.has(FORCE)
}

/// The players in their seats, before dice decide: the program would press before the other has
/// seen what must be found.
fn seat_players(
    world: &World,
    game: &dyn AnyGame,
    [first, second]: [UserId; 2],
    by: Option<Seat>,
) -> ([UserId; 2], Option<Seat>) {
    if game.spec().manner.secret && world.level(&first).is_some() {
        return ([second, first], by.map(Seat::other));
    }
    ([first, second], by)
}

/// Throws to see who begins, where dice decide that: what came up, the roll that is played, and
/// whether the second player named plays it.
fn throw_opening(
    position: &mut dyn AnyPosition,
    dice: &mut dyn Thrower,
    options: &Choices,
) -> Option<(Roll, Roll, bool)> {
    let Next::Roll(throw) = position.next() else { return None };
    let thrown = throw.opening.then(|| dice.throw(throw))?;
    let (roll, is_second) = order_opening(thrown, options);
    position.roll(roll).expect("dice show what was thrown");
    Some((thrown, roll, is_second))
}

/// How the chance of a new board can be checked: by the newest key of the home, where there is
/// chance and it does not fall as it was told to.
pub(crate) fn new_board_dice(
    cx: &Context,
    start: &dyn AnyPosition,
    seeds: Seeds,
) -> Option<BoardDice> {
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

/// The rolls and deals that came again from an earlier board.
fn repeated_draws(dice: Option<&BoardDice>, draws: BoardRandom) -> Vec<(usize, UndrawnReason)> {
    let again = draws.came_again().into_iter().map(|number| (number, UndrawnReason::Again));
    again.filter(|_| dice.is_some()).collect()
}

/// The opening roll with the winner's die first, and whether the second named has won it: who
/// does, begins and is the first side, unless the players have agreed that the first named is.
fn order_opening(roll: Roll, options: &Choices) -> (Roll, bool) {
    match roll {
        Roll::Two(first, second) if second > first => {
            (Roll::Two(second, first), !options.has(FORCE))
        }
        roll => (roll, false),
    }
}
