//! `pass` and `swap`: moves of some games, refused by the others.

use crate::command::play::turn;
use crate::command::{
    Arguments, Command, Context, Decision, ParsedCommand, Player, ReplyScope, Verb, VerbScope,
    move_word, of_player, required_game,
};
use crate::model::world::World;
use crate::refusal::{BoardRefusal, Refusal};
use games::AnyGame;

pub(crate) const PASS: Verb = Verb {
    name: "pass",
    aliases: &[],
    scope: VerbScope::Game,
    usage: "<board>[#<moveno>] <userid> <password>",
    about: "play nothing, where the rules of the game allow it",
    reply: Some(ReplyScope::ForMove),
    parse: |game, words| parse(game, words, PASS.name),
};

pub(crate) const SWAP: Verb = Verb {
    name: "swap",
    aliases: &[],
    scope: VerbScope::Game,
    usage: "<board>[#<moveno>] <userid> <password>",
    about: "take over the first stone or change sides, where the game has a swap rule",
    reply: Some(ReplyScope::ForMove),
    parse: |game, words| parse(game, words, SWAP.name),
};

#[derive(Debug)]
struct PassCommand {
    by: Player,
    word: &'static str,
}

fn parse(
    game: Option<&'static dyn AnyGame>,
    words: &mut Arguments,
    word: &'static str,
) -> ParsedCommand {
    let by = Player::read(required_game(game), words)?;
    words.expect_end()?;
    Ok(command(by, word))
}

/// Builds the command, also for `move ... pass`.
pub(crate) fn command(by: Player, word: &'static str) -> Box<dyn Command> {
    Box::new(PassCommand { by, word })
}

impl Command for PassCommand {
    of_player!(guests);

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let (board, seat) = self.by.at(world, cx)?;
        let known =
            move_word(board.game, self.word).is_some() || board.position().can_read(self.word);
        if !known {
            return Err(BoardRefusal::NotInThisGame { board: board.id, word: self.word }.into());
        }
        turn::play_move(world, board, seat, self.word, cx)
    }
}
