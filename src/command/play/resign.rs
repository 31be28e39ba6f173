//! `resign`: giving a game up, for what it is worth or for less.

use crate::base::ids::{BoardId, UserId};
use crate::base::words::OrList;
use crate::command::play::turn;
use crate::command::{
    Arguments, Command, Context, Decision, LastingAct, Needs, ReplyScope, UserProof, Verb,
    VerbScope, authenticate, required_game, seat_in_play,
};
use crate::model::board::{BoardEvent, ClosedBy, Closing};
use crate::model::world::event::Event;
use crate::model::world::{World, board_key, user_key};
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

/// The word that gives up a board that is a match of several games.
const ALL: &str = "match";

#[derive(Debug)]
struct ResignCommand {
    board: BoardId,
    user: UserId,
    proof: UserProof,
    moveno: Option<usize>,
    /// For which of the game's stakes, from 1; the whole board where nothing is said.
    stake: Option<u8>,
}

fn parse(
    game: Option<&'static dyn AnyGame>,
    words: &mut Arguments,
) -> Result<Box<dyn Command>, Refusal> {
    let game = required_game(game);
    let (board, moveno) = words.board(game)?;
    let player = words.player()?;
    let more = words.rest();
    command(game, board, player, moveno, words, more)
}

/// The command, as `move ... resign` gives it too; `more` is what it is resigned for.
pub(crate) fn command(
    game: &'static dyn AnyGame,
    board: BoardId,
    (user, proof): (UserId, UserProof),
    moveno: Option<usize>,
    words: &Arguments,
    more: &[&str],
) -> Result<Box<dyn Command>, Refusal> {
    let stakes = game.spec().stakes;
    let stake = match more {
        // The least that can be lost; the opponent is asked whether that is enough.
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
    Ok(Box::new(ResignCommand { board, user, proof, moveno, stake }))
}

impl Command for ResignCommand {
    fn needs(&self) -> Needs {
        Needs::Keys(vec![board_key(self.board), user_key(&self.user)])
    }

    fn board(&self) -> Option<BoardId> {
        Some(self.board)
    }

    fn lasting_act(&self) -> Option<LastingAct> {
        let stakes = games::find(self.board.game)?.spec().stakes;
        let stake = self.stake.and_then(|stake| stakes.get(usize::from(stake) - 1)).copied();
        Some(LastingAct::Resign { board: self.board, stake })
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        authenticate(world, &self.user, &self.proof, Some(self.board), cx)?;
        let seat = seat_in_play(world, self.board, &self.user, self.moveno)?;
        let moved = world.board(self.board)?.has_moved(seat);
        let events = match self.stake {
            Some(stake) if moved => self.game(world, seat, stake, cx)?,
            _ => {
                let by = if moved { ClosedBy::Resigning } else { ClosedBy::Declining };
                let closing = Closing { at: cx.now, seat: seat.0, by };
                vec![Event::Board(self.board, BoardEvent::Closed(closing))]
            }
        };
        let answer = Answer::Board { board: self.board, what: BoardNews::Moved, by: Some(seat) };
        Ok(Decision { events, answer })
    }
}

/// Why nothing can be offered now. Moves that could be played instead are not the point.
fn refused(board: BoardId, error: MoveError) -> Refusal {
    match error {
        MoveError::NothingToMove => BoardRefusal::Over(board).into(),
        error => turn::move_refusal(VERB.name, error, LegalMoves::default()),
    }
}

impl ResignCommand {
    /// Gives up the game that is being played, for a stake.
    fn game(
        &self,
        world: &World,
        seat: Seat,
        stake: u8,
        cx: &mut Context,
    ) -> Result<Vec<Event>, Refusal> {
        let board = world.board(self.board)?;
        let mut position = board.position().copy();
        position.resign(seat, stake).map_err(|error| refused(self.board, error))?;
        let likes = |of| world.likes(board, of);
        let entries = vec![Entry::Resigned { seat, stake }];
        let now = cx.now;
        let mut dice = turn::board_random(board, board.dice.as_ref(), cx)?;
        Ok(turn::advance_game(board, &mut *position, entries, &likes, &mut dice, now))
    }
}
