//! `list`: the games played here, and their boards in progress.

use super::words::Words;
use super::{Command, Context, Decision, Needs, Of, Verb};
use crate::board::Board;
use crate::refusal::{Refusal, SyntaxRefusal};
use crate::reply::Answer;
use crate::reply::words::near;
use crate::world::World;
use games::{AnyGame, GAMES};

pub(super) const VERB: Verb = Verb {
    name: "list",
    aliases: &[],
    of: Of::Server,
    usage: "[<game> ...]",
    about: "the games played here with the number of boards; boards of those games",
    reply: None,
    parse,
};

#[derive(Debug)]
struct List(Vec<&'static dyn AnyGame>);

fn parse(_: Option<&'static dyn AnyGame>, words: &mut Words) -> Result<Box<dyn Command>, Refusal> {
    let game = |word: &&str| {
        games::find(word).ok_or_else(|| SyntaxRefusal::UnknownWord {
            word: (*word).to_owned(),
            near: near(word, GAMES.iter().map(|game| game.spec().name)),
        })
    };
    Ok(Box::new(List(words.rest().iter().map(game).collect::<Result<_, _>>()?)))
}

impl Command for List {
    fn needs(&self) -> Needs {
        let games = if self.0.is_empty() { GAMES } else { &self.0 };
        Needs::BoardsOf(games.iter().map(|game| game.spec().name).collect())
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let boards = world.boards();
        let active = |game: &'static dyn AnyGame| {
            let name = game.spec().name;
            let listed = move |board: &&&Board| board.id.game == name && !board.is_over();
            boards.iter().filter(listed).copied().collect::<Vec<_>>()
        };
        let answer = if self.0.is_empty() {
            Answer::Games(GAMES.iter().map(|game| (*game, active(*game).len())).collect())
        } else {
            let of = |game: &&'static dyn AnyGame| {
                let open = active(*game).into_iter();
                let seen = open.filter(|board| !board.private || cx.may_see(world, board));
                (*game, seen.map(|board| board.id).collect())
            };
            Answer::Lists(self.0.iter().map(of).collect())
        };
        Ok(answer.into())
    }
}
