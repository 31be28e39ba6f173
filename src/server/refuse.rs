//! Answers to mails without a valid command, and readers of refusals.

use crate::base::ids::{BoardId, UserId};
use crate::command::Trust;
use crate::mail::Message;
use crate::model::topic::Topic;
use crate::model::world::World;
use crate::refusal::{ExampleValues, Intent, Refusal, SyntaxRefusal};
use crate::reply::{self, OutgoingMail, Recipient};
use crate::server::env::Env;
use crate::server::multiple::MultipleCommands;
use crate::server::outcome::{CommandReply, MailOutcome};
use crate::server::requests::CommandPlace;
use crate::server::sender::{Sender, TagHolder};

/// Returns the values for the examples of a refusal: the board, the sender and their opponent.
pub(super) fn example_values(
    user: Option<&UserId>,
    board: Option<BoardId>,
    world: &World,
) -> ExampleValues {
    let played = board.and_then(|id| world.board(id).ok());
    let opponent = played
        .zip(user)
        .and_then(|(board, user)| Some(board.player(board.seat(user)?.other()).clone()));
    ExampleValues { board, user: user.cloned(), opponent }
}

/// Addresses refusals about a board to the proven player, with a reply tag, so that a failed move
/// can be corrected with Reply. In a mail of several commands only the first refusal of each board
/// gets a mail of its own.
pub(super) fn address(
    outgoing: &mut [OutgoingMail],
    user: &UserId,
    mut multiple: Option<&mut MultipleCommands>,
    world: &World,
) {
    for mail in outgoing.iter_mut().filter(|mail| mail.to == Recipient::Sender) {
        if let (Some(multiple), Some(board)) = (&mut multiple, mail.board())
            && !multiple.is_first_refusal(board)
        {
            continue;
        }
        let Some(board) = mail.board().and_then(|id| world.board(id).ok()) else { continue };
        if let Some(seat) = board.seat(user) {
            // A reply to this mail answers the offer shown in it.
            mail.make_answerable(user, seat, reply::open_offer(world, board, seat));
        }
    }
}

/// Addresses a refused command in a reply to the holder of its tag, if the command itself named no
/// board, so that the player can reply to the refusal, too.
pub(super) fn address_to_holder(reply: &mut CommandReply, holder: &TagHolder, world: &World) {
    if reply.outcome == MailOutcome::CarriedOut
        || reply.outgoing.iter().any(|mail| mail.to != Recipient::Sender)
    {
        return;
    }
    for mail in reply.outgoing.iter_mut().filter(|mail| mail.topic.is_none()) {
        mail.topic = Some(Topic::Board(holder.board));
    }
    address(&mut reply.outgoing, &holder.player, None, world);
    reply.proved = Some(holder.player.clone());
}

/// Answers a line that is not a command.
pub(super) fn invalid_command(
    refusal: &Refusal,
    trust: &Trust,
    multiple: Option<&mut MultipleCommands>,
    world: &World,
) -> CommandReply {
    let outcome = match refusal {
        Refusal::Syntax(SyntaxRefusal::NoCommand | SyntaxRefusal::ForeignWord(Intent::Hello)) => {
            MailOutcome::Nothing
        }
        Refusal::Syntax(SyntaxRefusal::UnknownWord { near, .. }) if near.is_empty() => {
            MailOutcome::Nothing
        }
        _ => MailOutcome::Words,
    };
    let (outgoing, proved) = match trust {
        Trust::Token(topic, user) => {
            let values = example_values(Some(user), topic.board(), world);
            let mut outgoing = vec![reply::refusal_mail(refusal, &values)];
            address(&mut outgoing, user, multiple, world);
            (outgoing, Some(user.clone()))
        }
        _ => (vec![reply::refusal_mail(refusal, &ExampleValues::default())], None),
    };
    CommandReply {
        outgoing,
        outcome,
        refusal: Some(refusal.clone()),
        proved,
        line: String::new(),
        place: CommandPlace::Usual,
        changes: false,
    }
}

/// Answers a mail in which there is no command.
pub(super) fn without_command(
    refusal: SyntaxRefusal,
    sender: &Sender,
    message: &Message,
    world: &World,
    env: &mut Env,
) -> CommandReply {
    env.note(format!("{}: no command in the mail", message.from));
    let outcome = match refusal {
        // A sender who writes `multiple` knows this server.
        SyntaxRefusal::EmptyMultiple | SyntaxRefusal::LongMultiple(_) => MailOutcome::Words,
        SyntaxRefusal::ForeignTag | SyntaxRefusal::VoidOptOut => MailOutcome::OldTag,
        _ => MailOutcome::Nothing,
    };
    let holder = sender.holder.as_ref();
    let (user, board) = (holder.map(|holder| &holder.player), holder.map(|holder| holder.board));
    let refusal = Refusal::from(refusal);
    let mut outgoing = vec![reply::refusal_mail(&refusal, &example_values(user, board, world))];
    if let Some(user) = user {
        address(&mut outgoing, user, None, world);
    }
    let (proved, line) = (user.cloned(), message.subject.clone());
    CommandReply {
        outgoing,
        outcome,
        refusal: Some(refusal),
        proved,
        line,
        place: CommandPlace::Usual,
        changes: false,
    }
}
