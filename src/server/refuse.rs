//! The reader of a refusal, and the answer to a mail without a command.

use crate::base::ids::{BoardId, UserId};
use crate::command::Trust;
use crate::mail::Message;
use crate::model::world::World;
use crate::refusal::{Asker, Intent, Refusal, SyntaxRefusal};
use crate::reply::{self, OutgoingMail, Recipient};
use crate::server::env::Env;
use crate::server::inbox::CommandPlace;
use crate::server::outcome::{CommandReply, MailOutcome};
use crate::server::sender::{Sender, TagHolder};
use crate::server::several::CommandSeries;

/// The reader of a refusal.
pub(super) fn asker(user: Option<&UserId>, board: Option<BoardId>, world: &World) -> Asker {
    let played = board.and_then(|id| world.board(id).ok());
    let opponent = played
        .zip(user)
        .and_then(|(board, user)| Some(board.player(board.seat(user)?.other()).clone()));
    Asker { board, user: user.cloned(), opponent }
}

/// Addresses refusals about a board to the player who has shown that they are one, with a tag: so a
/// move that failed can be mended by pressing Reply. In a mail of several commands that is done
/// for the first of each board; the others are told together.
pub(super) fn address(
    outgoing: &mut [OutgoingMail],
    user: &UserId,
    mut several: Option<&mut CommandSeries>,
    world: &World,
) {
    for mail in outgoing.iter_mut().filter(|mail| mail.to == Recipient::Sender) {
        if let (Some(several), Some(board)) = (&mut several, mail.board)
            && !several.is_first_refusal(board)
        {
            continue;
        }
        let Some(board) = mail.board.and_then(|id| world.board(id).ok()) else { continue };
        if let Some(seat) = board.seat(user) {
            // A reply to this mail answers what is offered in it.
            mail.answered_by(user, seat, reply::open_offer(world, board, seat));
        }
    }
}

/// Does so for a whole command in a reply that is refused before its board is known, so that the
/// player can reply to that, too.
pub(super) fn address_to_holder(answers: &mut CommandReply, holder: &TagHolder, world: &World) {
    if answers.outcome == MailOutcome::CarriedOut
        || answers.outgoing.iter().any(|mail| mail.to != Recipient::Sender)
    {
        return;
    }
    for mail in answers.outgoing.iter_mut().filter(|mail| mail.board.is_none()) {
        mail.board = Some(holder.board);
    }
    address(&mut answers.outgoing, &holder.player, None, world);
    answers.proved = Some(holder.player.clone());
}

/// The answer to a line that is no command.
pub(super) fn no_command(
    refusal: &Refusal,
    trust: &Trust,
    several: Option<&mut CommandSeries>,
    world: &World,
) -> CommandReply {
    let outcome = match refusal {
        Refusal::Syntax(SyntaxRefusal::Nothing | SyntaxRefusal::Led(Intent::Hello)) => {
            MailOutcome::Nothing
        }
        Refusal::Syntax(SyntaxRefusal::UnknownWord { near, .. }) if near.is_empty() => {
            MailOutcome::Nothing
        }
        _ => MailOutcome::Words,
    };
    let (outgoing, proved) = match trust {
        Trust::Token(board, user) => {
            let asker = asker(Some(user), Some(*board), world);
            let mut outgoing = vec![reply::refusal_mail(refusal, &asker)];
            address(&mut outgoing, user, several, world);
            (outgoing, Some(user.clone()))
        }
        _ => (vec![reply::refusal_mail(refusal, &Asker::default())], None),
    };
    CommandReply {
        outgoing,
        outcome,
        proved,
        of: String::new(),
        place: CommandPlace::Usual,
        changes: false,
    }
}

/// The answer to a mail in which there is no command.
pub(super) fn nothing_asked(
    refusal: SyntaxRefusal,
    sender: &Sender,
    message: &Message,
    world: &World,
    env: &mut Env,
) -> CommandReply {
    env.note(format!("{}: no command in the mail", message.from));
    let outcome = match refusal {
        // A sender who says `multiple` has heard of us.
        SyntaxRefusal::EmptyMultiple | SyntaxRefusal::LongMultiple(_) => MailOutcome::Words,
        SyntaxRefusal::Tag | SyntaxRefusal::OptOut => MailOutcome::OldTag,
        _ => MailOutcome::Nothing,
    };
    let holder = sender.holder.as_ref();
    let (user, board) = (holder.map(|it| &it.player), holder.map(|it| it.board));
    let mut outgoing = vec![reply::refusal_mail(&refusal.into(), &asker(user, board, world))];
    if let Some(user) = user {
        address(&mut outgoing, user, None, world);
    }
    let (proved, of) = (user.cloned(), message.subject.clone());
    CommandReply { outgoing, outcome, proved, of, place: CommandPlace::Usual, changes: false }
}
