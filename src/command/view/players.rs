//! `players`: all users with a board in progress; with a game, those who could be challenged to it.

use crate::base::ids::UserId;
use crate::command::new_board::seek;
use crate::command::view::list::open_boards;
use crate::command::{
    Arguments, Command, Context, Decision, Needs, ParsedCommand, ReplyScope, UserProof, Verb,
    VerbScope, authenticate_in_any_reply, named_game,
};
use crate::model::recent_players::possible_opponents;
use crate::model::world::{World, user_key};
use crate::refusal::{AccountRefusal, Refusal};
use crate::reply::{Listing, PlayerRow};
use games::{AnyGame, GAMES};
use std::collections::BTreeMap;

pub(crate) const VERB: Verb = Verb {
    name: "players",
    aliases: &["who"],
    scope: VerbScope::Server,
    usage: "[<game>] [<userid> <password>]",
    about: "everybody with a board in progress; of a game: whom you could challenge",
    reply: Some(ReplyScope::Game),
    parse,
};

#[derive(Debug)]
struct PlayersCommand;

fn parse(_: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    let Some(word) = words.peek() else { return Ok(Box::new(PlayersCommand)) };
    let game = named_game(word)?;
    words.word("the game")?;
    if game.spec().manner.is_solo {
        return Err(AccountRefusal::PlayedAlone(game.spec().name).into());
    }
    // A reply and a session prove who reads the list.
    let is_proved = words.trust().user().is_some();
    let reader = (is_proved || words.peek().is_some()).then(|| words.player()).transpose()?;
    words.expect_end()?;
    Ok(Box::new(OpponentsCommand { game, reader }))
}

/// Asks for players who could be challenged to a game.
#[derive(Debug)]
struct OpponentsCommand {
    game: &'static dyn AnyGame,
    /// The user for whom the players are chosen, with their proof.
    reader: Option<(UserId, UserProof)>,
}

impl Command for OpponentsCommand {
    fn is_open_to_guests(&self) -> bool {
        true
    }

    fn needs(&self) -> Needs {
        let reader = self.reader.iter().map(|(reader, _)| user_key(reader)).collect();
        Needs::All(vec![Needs::Keys(reader), Needs::RecentPlayers(self.game.spec().name)])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let reader = self.reader.as_ref();
        let reader = reader.map(|(id, proof)| authenticate_in_any_reply(world, id, proof, cx));
        let reader = reader.transpose()?;
        let found = possible_opponents(world, self.game.spec().name, reader, cx.now);
        let own = reader.map(|reader| reader.standing(self.game.spec().name));
        Ok(Listing::Opponents { game: self.game, own, found }.into())
    }
}

/// Returns whether a player of a board is listed: the program and guests are not.
fn is_listed(world: &World, user: &UserId) -> bool {
    world.level(user).is_none() && !world.is_guest(user)
}

impl Command for PlayersCommand {
    fn is_open_to_guests(&self) -> bool {
        true
    }

    fn needs(&self) -> Needs {
        let games: Vec<_> = games::names().collect();
        Needs::All(vec![Needs::AllBoards(games.clone()), Needs::OpenChallenges(games)])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let mut rows: BTreeMap<String, PlayerRow> = BTreeMap::new();
        for game in GAMES {
            for board in open_boards(world, cx, *game) {
                for user in board.players.iter().filter(|id| is_listed(world, id)) {
                    let row = rows
                        .entry(user.folded())
                        .or_insert_with(|| PlayerRow { user: user.clone(), games: Vec::new() });
                    if row.games.last() != Some(&game.spec().title) {
                        row.games.push(game.spec().title);
                    }
                }
            }
        }
        let open = seek::open_challenges(world, GAMES, cx.now);
        Ok(Listing::Players(rows.into_values().collect(), open).into())
    }
}
