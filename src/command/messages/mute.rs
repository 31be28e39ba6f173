//! `mute` and `unmute`: users whose messages a player does not get.

use crate::base::ids::{BoardId, UserId};
use crate::command::{
    Arguments, Command, Context, Decision, Needs, ParsedCommand, ReplyScope, UserProof, Verb,
    VerbScope, authenticate, seat_on,
};
use crate::model::user::UserEvent;
use crate::model::world::event::Event;
use crate::model::world::{World, board_key, user_key};
use crate::refusal::{AccountRefusal, Refusal};
use crate::reply::AccountAnswer;
use games::AnyGame;

pub(crate) const MUTE: Verb = Verb {
    name: "mute",
    aliases: &[],
    scope: VerbScope::Both,
    usage: "[<board>] <userid> <password> [<other>]",
    about: "get no messages from a user, or from your opponent; alone: list them",
    reply: Some(ReplyScope::Player),
    parse: |game, words| parse(game, words, true),
};

pub(crate) const UNMUTE: Verb = Verb {
    name: "unmute",
    aliases: &[],
    scope: VerbScope::Both,
    usage: "[<board>] <userid> <password> [<other>]",
    about: "get the messages of a muted user again",
    reply: Some(ReplyScope::Player),
    parse: |game, words| parse(game, words, false),
};

#[derive(Debug)]
struct MuteCommand {
    user: UserId,
    proof: UserProof,
    /// The board whose opponent is meant, if no user is named.
    board: Option<BoardId>,
    other: Option<UserId>,
    wanted: bool,
    /// The refusal of an unknown user. It does not quote the word, which may be a password.
    nobody: Refusal,
    /// The refusal of an `unmute` without a user.
    unnamed: Refusal,
}

fn parse(game: Option<&'static dyn AnyGame>, words: &mut Arguments, wanted: bool) -> ParsedCommand {
    let mut board = None;
    if let Some(game) = game.filter(|_| words.starts_with_board()) {
        let (id, moveno) = words.board(game)?;
        if moveno.is_some() {
            return Err(
                words.usage_error("you mute a player for all moves, so leave out the move number")
            );
        }
        board = Some(id);
    }
    let (user, proof) = words.player()?;
    let other = words.peek().map(|_| words.userid()).transpose()?;
    words.expect_end()?;
    let nobody = words.usage_error("there is no user with this userid");
    let unnamed = words.usage_error("the userid of the player to unmute is missing");
    Ok(Box::new(MuteCommand { user, proof, board, other, wanted, nobody, unnamed }))
}

impl Command for MuteCommand {
    fn needs(&self) -> Needs {
        let users = [Some(&self.user), self.other.as_ref()];
        let board = self.board.map(board_key);
        Needs::Keys(users.into_iter().flatten().map(user_key).chain(board).collect())
    }

    fn board(&self) -> Option<BoardId> {
        self.board
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let user = authenticate(world, &self.user, &self.proof, self.board, cx)?;
        let Some(other) = self.other(world)? else {
            if !self.wanted {
                return Err(self.unnamed.clone());
            }
            let (user, muted) = (user.id.clone(), user.muted.clone());
            return Ok(AccountAnswer::Muted { user, muted }.into());
        };
        let is_muted = user.muted.contains(&other);
        if self.wanted && other == user.id {
            return Err(AccountRefusal::MutesSelf.into());
        }
        if self.wanted && !is_muted && user.muted.len() >= AccountRefusal::MUTED {
            return Err(AccountRefusal::TooManyMuted.into());
        }
        if !self.wanted && !is_muted {
            return Err(AccountRefusal::NotMuted(other).into());
        }
        let wanted = self.wanted;
        let change = UserEvent::Muted { other: other.clone(), wanted };
        let event = Event::User(user.id.clone(), change);
        let events = if is_muted == wanted { Vec::new() } else { vec![event] };
        let answer =
            AccountAnswer::MuteChanged { user: user.id.clone(), other, is_muted: wanted }.into();
        Ok(Decision { events, answer })
    }
}

impl MuteCommand {
    /// Returns the userid of the user to mute, in their own spelling; `None` to list the muted
    /// users.
    fn other(&self, world: &World) -> Result<Option<UserId>, Refusal> {
        match (&self.other, self.board) {
            // A user who has left can come back.
            (Some(other), _) => {
                let known = world.any_user(other).map(|other| other.id.clone());
                known.map(Some).ok_or_else(|| self.nobody.clone())
            }
            (None, Some(board)) => {
                let found = world.board(board)?;
                let seat = seat_on(found, &self.user)?;
                Ok(Some(found.player(seat.other()).clone()))
            }
            (None, None) => Ok(None),
        }
    }
}
