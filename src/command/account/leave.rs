//! `signoff` and `delete`: leaving the server, with a code that confirms it.

use crate::base::ids::{BoardId, UserId};
use crate::base::time::Time;
use crate::command::{
    Arguments, Command, Context, Decision, Needs, ParsedCommand, UserProof, Verb, VerbScope,
    authenticate_as,
};
use crate::model::board::{BoardEvent, ClosedBy, Closing};
use crate::model::one_time_code::CodePurpose;
use crate::model::user::{Departure, User, UserEvent};
use crate::model::world::World;
use crate::model::world::event::Event;
use crate::refusal::{AccountRefusal, Refusal};
use crate::reply::AccountAnswer;
use games::Seat;

pub(crate) const SIGNOFF: Verb = Verb {
    name: "signoff",
    aliases: &[],
    scope: VerbScope::Server,
    usage: "<userid> <password> [<code>]",
    about: "leave and resign your games; you get a code by mail to confirm it",
    reply: None,
    parse: |_, words| parse(words, CodePurpose::Signoff),
};

pub(crate) const DELETE: Verb = Verb {
    name: "delete",
    aliases: &[],
    scope: VerbScope::Server,
    usage: "<userid> <password> [<code>]",
    about: "leave, and erase everything stored about you except your boards",
    reply: None,
    parse: |_, words| parse(words, CodePurpose::Delete),
};

struct LeaveCommand {
    user: UserId,
    proof: UserProof,
    purpose: CodePurpose,
    code: Option<String>,
}

impl std::fmt::Debug for LeaveCommand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LeaveCommand").field("user", &self.user).finish_non_exhaustive()
    }
}

fn parse(words: &mut Arguments, purpose: CodePurpose) -> ParsedCommand {
    let (user, proof) = words.player()?;
    let code = words.peek().map(str::to_owned);
    if code.is_some() {
        words.word("the code")?;
    }
    words.expect_end()?;
    Ok(Box::new(LeaveCommand { user, proof, purpose, code }))
}

impl Command for LeaveCommand {
    fn needs(&self) -> Needs {
        Needs::DocumentsOf(self.user.clone())
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        // A user who has left can still be erased.
        let user =
            if self.erases() { world.unerased_user(&self.user) } else { world.user(&self.user) };
        authenticate_as(world, user, &self.user, &self.proof, None, cx)?;
        let user = user.ok_or(AccountRefusal::WrongPassword)?;
        match &self.code {
            None => self.ask(world, user, cx),
            Some(code) if user.has_code(code, &self.purpose, cx.now) => {
                Ok(self.leave(world, user, cx.now))
            }
            Some(_) => Err(AccountRefusal::WrongCode.into()),
        }
    }
}

impl LeaveCommand {
    /// Mails a code, since a password can be stolen and resigned games cannot be restored.
    fn ask(&self, world: &World, user: &User, cx: &mut Context) -> Result<Decision, Refusal> {
        if user.codes_mailed(&self.purpose, cx.now) >= AccountRefusal::CODES {
            return Err(AccountRefusal::TooManyCodes.into());
        }
        let (code, mailed) = cx.make_code(&user.id, self.purpose.clone());
        let (boards, erased) = (in_progress(world, user).count(), self.erases());
        let answer = AccountAnswer::Leaving { user: user.id.clone(), erased, boards, code }.into();
        Ok(Decision { events: vec![mailed], answer })
    }

    fn leave(&self, world: &World, user: &User, now: Time) -> Decision {
        let left = Departure { at: now, erased: self.erases() };
        let (events, boards) = departure(world, user, left);
        let answer = AccountAnswer::Left {
            user: user.id.clone(),
            erased: left.erased,
            boards,
            addresses: user.addresses.clone(),
        };
        Decision { events, answer: answer.into() }
    }

    fn erases(&self) -> bool {
        self.purpose == CodePurpose::Delete
    }
}

/// Returns the events of a user's departure, and the boards that they give up, with their seats.
/// All documents with data of the user must be loaded.
pub(crate) fn departure(
    world: &World,
    user: &User,
    left: Departure,
) -> (Vec<Event>, Vec<(BoardId, Seat)>) {
    let boards: Vec<(BoardId, Seat)> = in_progress(world, user).collect();
    let closed = boards.iter().map(|&(id, seat)| {
        let board = world.board(id).expect("a board in progress was loaded");
        let by = match (board.has_moved(seat), board.tournament) {
            _ if board.is_of_ladder => ClosedBy::Resigning,
            (false, _) => ClosedBy::Declining,
            (true, None) => ClosedBy::Resigning,
            (true, Some(_)) => ClosedBy::Withdrawing,
        };
        Event::Board(id, BoardEvent::Closed(Closing { at: left.at, seat: seat.0, by }))
    });
    let change = UserEvent::Left(left);
    let events = closed.chain([Event::User(user.id.clone(), change)]).collect();
    (events, boards)
}

/// Returns the boards in progress with the user's seat, without damaged ones, which must not keep
/// the user from leaving.
fn in_progress(world: &World, user: &User) -> impl Iterator<Item = (BoardId, Seat)> {
    user.active.iter().filter_map(|id| {
        let board = world.board(*id).ok().filter(|board| !board.is_over())?;
        Some((*id, board.seat(&user.id)?))
    })
}
