//! `pass` and `swap`: words of some games, and refused by the others. No game here knows `swap`.

use super::words::Words;
use super::{
    Command, Context, Decision, InReply, Needs, Of, Player, Verb, own_word, played, the_game,
};
use crate::base::ids::BoardId;
use crate::model::world::World;
use crate::refusal::{BoardRefusal, Refusal};
use games::AnyGame;

pub(super) const PASS: Verb = Verb {
    name: "pass",
    aliases: &[],
    of: Of::Game,
    usage: "<board>[#<moveno>] <userid> <password>",
    about: "play nothing, where the rules of the game allow it",
    reply: Some(InReply::ForMove),
    parse: |game, words| parse(game, words, PASS.name),
};

pub(super) const SWAP: Verb = Verb {
    name: "swap",
    aliases: &[],
    of: Of::Game,
    usage: "<board>[#<moveno>] <userid> <password>",
    about: "change sides; no game here has a rule for that yet",
    reply: Some(InReply::ForMove),
    parse: |game, words| parse(game, words, SWAP.name),
};

#[derive(Debug)]
struct Say {
    by: Player,
    word: &'static str,
}

fn parse(
    game: Option<&'static dyn AnyGame>,
    words: &mut Words,
    word: &'static str,
) -> Result<Box<dyn Command>, Refusal> {
    let by = Player::read(the_game(game), words)?;
    words.end()?;
    Ok(command(by, word))
}

/// The command, as `move ... pass` gives it too.
pub(super) fn command(by: Player, word: &'static str) -> Box<dyn Command> {
    Box::new(Say { by, word })
}

impl Command for Say {
    fn needs(&self) -> Needs {
        self.by.needs()
    }

    fn board(&self) -> Option<BoardId> {
        Some(self.by.board)
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let (board, seat) = self.by.at(world, cx)?;
        let known = own_word(board.game, self.word).is_some() || board.position().spells(self.word);
        if !known {
            return Err(BoardRefusal::NoSuchWord { board: board.id, word: self.word }.into());
        }
        played::played(world, board, seat, self.word, cx)
    }
}
