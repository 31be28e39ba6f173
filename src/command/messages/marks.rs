//! Marks on other users: muted, blocked and favourite players. Each mark has a verb that makes it, and
//! one that removes it.

use crate::base::ids::{BoardId, UserId};
use crate::command::{
    Arguments, Command, Context, Decision, Needs, ParsedCommand, ReplyScope, UserProof, Verb,
    VerbScope, authenticate, seat_on,
};
use crate::model::user::{Mark, UserEvent};
use crate::model::world::event::Event;
use crate::model::world::{World, board_key, user_key};
use crate::refusal::{AccountRefusal, Refusal};
use crate::reply::AccountAnswer;
use games::AnyGame;

pub(crate) const MUTE: Verb = Verb {
    name: Mark::Muted.verb(),
    about: "get no messages from a user, or from your opponent; alone: list them",
    parse: |game, words| parse(game, words, Mark::Muted, true),
    ..VERB
};

pub(crate) const UNMUTE: Verb = Verb {
    name: Mark::Muted.undoing_verb(),
    about: "get the messages of a muted user again",
    parse: |game, words| parse(game, words, Mark::Muted, false),
    ..VERB
};

pub(crate) const BLOCK: Verb = Verb {
    name: Mark::Blocked.verb(),
    about: "get no challenges and no messages from a user; alone: list them",
    parse: |game, words| parse(game, words, Mark::Blocked, true),
    ..VERB
};

pub(crate) const UNBLOCK: Verb = Verb {
    name: Mark::Blocked.undoing_verb(),
    about: "let a blocked user challenge you and write to you again",
    parse: |game, words| parse(game, words, Mark::Blocked, false),
    ..VERB
};

pub(crate) const FAVOURITE: Verb = Verb {
    name: Mark::Favourite.verb(),
    aliases: &["favorite"],
    about: "find a player at the head of your lists; alone: list your favourites",
    parse: |game, words| parse(game, words, Mark::Favourite, true),
    ..VERB
};

pub(crate) const UNFAVOURITE: Verb = Verb {
    name: Mark::Favourite.undoing_verb(),
    aliases: &["unfavorite"],
    about: "end that a player is a favourite",
    parse: |game, words| parse(game, words, Mark::Favourite, false),
    ..VERB
};

/// What the verbs have in common.
const VERB: Verb = Verb {
    name: "",
    aliases: &[],
    scope: VerbScope::Both,
    usage: "[<board>] <userid> <password> [<other>]",
    about: "",
    reply: Some(ReplyScope::Player),
    parse: |game, words| parse(game, words, Mark::Muted, true),
};

#[derive(Debug)]
struct MarkCommand {
    user: UserId,
    proof: UserProof,
    /// The board whose opponent is meant, if no user is named.
    board: Option<BoardId>,
    other: Option<UserId>,
    mark: Mark,
    wanted: bool,
    /// The refusal of an unknown user. It does not quote the word, which may be a password.
    nobody: Refusal,
    /// The refusal to remove a mark if no user is named.
    unnamed: Refusal,
}

fn parse(
    game: Option<&'static dyn AnyGame>,
    words: &mut Arguments,
    mark: Mark,
    wanted: bool,
) -> ParsedCommand {
    let mut board = None;
    if let Some(game) = game.filter(|_| words.starts_with_board()) {
        let (id, moveno) = words.board(game)?;
        if moveno.is_some() {
            return Err(words
                .usage_error("this command is about your opponent, so leave out the move number"));
        }
        board = Some(id);
    }
    let (user, proof) = words.player()?;
    let other = words.peek().map(|_| words.userid()).transpose()?;
    words.expect_end()?;
    let nobody = words.usage_error("there is no user with this userid");
    let unnamed = words.usage_error("the userid of the other player is missing");
    Ok(Box::new(MarkCommand { user, proof, board, other, mark, wanted, nobody, unnamed }))
}

impl Command for MarkCommand {
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
        let (mark, wanted) = (self.mark, self.wanted);
        let Some(other) = self.other(world)? else {
            if !wanted {
                return Err(self.unnamed.clone());
            }
            let (user, marked) = (user.id.clone(), user.marked(mark).to_vec());
            return Ok(AccountAnswer::Marked { user, mark, marked }.into());
        };
        let is_marked = user.has_marked(&other, mark);
        if wanted && other == user.id {
            return Err(AccountRefusal::MarksSelf(mark).into());
        }
        if wanted && !is_marked && user.marked(mark).len() >= Mark::MOST {
            return Err(AccountRefusal::TooManyMarked(mark).into());
        }
        if !wanted && !is_marked {
            return Err(AccountRefusal::NotMarked(mark, other).into());
        }
        let change = UserEvent::Marked { other: other.clone(), mark, wanted };
        let event = Event::User(user.id.clone(), change);
        let events = if is_marked == wanted { Vec::new() } else { vec![event] };
        let user = user.id.clone();
        let answer = AccountAnswer::MarkChanged { user, other, mark, is_marked: wanted }.into();
        Ok(Decision { events, answer })
    }
}

impl MarkCommand {
    /// Returns the userid of the other user, in their own spelling; `None` to list the users with the
    /// mark.
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
