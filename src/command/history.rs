//! `history`: boards that are over.

use super::games_of::{GamesCommand, Selector};
use super::words::Arguments;
use super::{Command, Verb, VerbScope, the_game};
use crate::base::ids::UserId;
use crate::refusal::{AccountRefusal, Refusal};
use games::AnyGame;

pub(super) const VERB: Verb = Verb {
    name: "history",
    aliases: &[],
    of: VerbScope::Game,
    usage: "[<userid> ...]",
    about: "the finished boards of everybody, or of these players",
    reply: None,
    parse,
};

fn parse(
    game: Option<&'static dyn AnyGame>,
    words: &mut Arguments,
) -> Result<Box<dyn Command>, Refusal> {
    let userid = |word: &&str| UserId::parse(word).ok_or(AccountRefusal::BadUserid);
    let users = words.rest().iter().map(userid).collect::<Result<_, _>>()?;
    Ok(Box::new(GamesCommand { game: the_game(game), users, selector: Selector::Inactive }))
}
