//! `resign`: gives up a game for one of its stakes, or a whole board.

use crate::base::ids::BoardId;
use crate::base::words::OrList;
use crate::command::play::turn;
use crate::command::{
    Arguments, Command, Context, Decision, LastingAct, ParsedCommand, Player, ReplyScope, Verb,
    VerbScope, of_player, required_game,
};
use crate::model::board::{Board, BoardEvent, ClosedBy, Closing};
use crate::model::world::World;
use crate::model::world::event::Event;
use crate::refusal::{BoardRefusal, LegalMoves, Refusal};
use crate::reply::{Answer, BoardNews};
use games::{AnyGame, Entry, MoveError, Seat};

pub(crate) const VERB: Verb = Verb {
    name: "resign",
    aliases: &[],
    scope: VerbScope::Game,
    usage: "<board>[#<moveno>] <userid> <password> [<stake>]",
    about: "give up the game; where a game has stakes, for one of them or for `match`",
    reply: Some(ReplyScope::ForMove),
    parse,
};

/// The word that gives up the whole match instead of one game.
const ALL: &str = "match";

#[derive(Debug)]
struct ResignCommand {
    by: Player,
    /// The stake, counted from 1; `None` for the whole board.
    stake: Option<u8>,
}

fn parse(game: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    let game = required_game(game);
    let by = Player::read(game, words)?;
    let more = words.take_rest();
    command(game, by, words, more)
}

/// Builds the command, also for `move ... resign`; `more` are the words after the verb.
pub(crate) fn command(
    game: &'static dyn AnyGame,
    by: Player,
    words: &Arguments,
    more: &[&str],
) -> ParsedCommand {
    let stakes = game.spec().stakes;
    let stake = match more {
        // The smallest stake; the opponent may reject it.
        [] => (!stakes.is_empty()).then_some(1),
        [word] if word.eq_ignore_ascii_case(ALL) && !stakes.is_empty() => None,
        [word] if !stakes.is_empty() => {
            let named = stakes.iter().position(|stake| stake.eq_ignore_ascii_case(word));
            let index = named.ok_or_else(|| {
                words.usage_error(format!(
                    "you can resign for {}",
                    OrList(&[stakes, &[ALL]].concat())
                ))
            })?;
            u8::try_from(index + 1).ok()
        }
        _ => return Err(words.usage_error("in this game you resign without a stake")),
    };
    Ok(Box::new(ResignCommand { by, stake }))
}

impl Command for ResignCommand {
    of_player!(guests);

    fn lasting_act(&self) -> Option<LastingAct> {
        let stakes = games::find(self.by.board.game)?.spec().stakes;
        let stake = self.stake.and_then(|stake| stakes.get(usize::from(stake) - 1)).copied();
        Some(LastingAct::Resign { board: self.by.board, stake })
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let (board, seat) = self.by.at(world, cx)?;
        let has_moved = board.has_moved(seat);
        let events = match self.stake {
            Some(stake) if has_moved => resign_game(world, board, seat, stake, cx)?,
            _ => {
                // A challenge of a ladder is never declined.
                let is_played = has_moved || board.is_of_ladder;
                let by = if is_played { ClosedBy::Resigning } else { ClosedBy::Declining };
                let closing = Closing { at: cx.now, seat: seat.0, by };
                vec![Event::Board(board.id, BoardEvent::Closed(closing))]
            }
        };
        let answer = Answer::Board { board: board.id, what: BoardNews::Moved, by: Some(seat) };
        Ok(Decision { events, answer })
    }
}

/// Builds the refusal of a resignation. It lists no legal moves, since the player does not want to
/// move.
fn resignation_refused(board: BoardId, error: MoveError) -> Refusal {
    match error {
        MoveError::NothingToMove => BoardRefusal::Over(board).into(),
        error => turn::move_refusal(VERB.name, error, LegalMoves::default()),
    }
}

/// Resigns the current game for a stake.
fn resign_game(
    world: &World,
    board: &Board,
    seat: Seat,
    stake: u8,
    cx: &mut Context,
) -> Result<Vec<Event>, Refusal> {
    let mut position = board.position().copy();
    position.resign(seat, stake).map_err(|error| resignation_refused(board.id, error))?;
    let settings_of = |of| world.seat_settings(board, of);
    let entries = vec![Entry::Resigned { seat, stake }];
    let context = turn::AdvanceContext::new(board, &settings_of, cx);
    let mut dice = turn::board_random(board, board.dice.as_ref(), cx)?;
    Ok(turn::advance_game(context, &mut *position, entries, &mut dice))
}
