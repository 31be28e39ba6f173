//! Identifies the sender of a mail, and what proves them.

use crate::base::ids::{BoardId, UserId};
use crate::command::Origin;
use crate::mail::{Message, is_authenticated};
use crate::model::token::{MessageTag, ReplyTag};
use crate::model::world::{World, board_key, user_key};
use crate::refusal::SyntaxRefusal;
use crate::server::documents::DocumentSet;
use crate::server::env::Env;
use crate::server::requests::{self, ReplyContext, Request};
use crate::store::Fault;
use games::Seat;

/// The proof of a mail's sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SenderProof {
    /// A valid reply tag, which only the player's mails contain.
    Tag,
    /// Our mail server vouches for From.
    MailServer,
    /// No mail server was asked.
    Nothing,
    /// Our mail server was asked and does not vouch for From.
    Doubt,
}

/// The player whose reply address was used.
pub(super) struct TagHolder {
    pub(super) board: BoardId,
    pub(super) seat: Seat,
    pub(super) player: UserId,
}

/// The sender of a mail.
pub(super) struct Sender {
    pub(super) origin: Origin,
    pub(super) proof: SenderProof,
    /// The reply tag of the mail, from its address or Subject.
    pub(super) tag: Option<ReplyTag>,
    /// The player of that tag, if it is valid.
    pub(super) holder: Option<TagHolder>,
    /// The tag for answering another user's message, if it is valid.
    pub(super) words: Option<MessageTag>,
}

/// The requests in a mail.
pub(super) enum MailRequests {
    /// One or more, each a command or its refusal.
    Found(Vec<Request>),
    /// None, with the refusal for the sender.
    Refused(SyntaxRefusal),
}

impl Sender {
    /// Identifies the sender of a mail, and loads the board of its tag.
    pub(super) fn identify(
        message: &Message,
        documents: &mut DocumentSet,
        env: &mut Env,
    ) -> Result<Self, Fault> {
        let tag = requests::tag(message);
        let mut holder = None;
        if let Some(tag) = &tag {
            documents.gather(&[board_key(tag.board)], env)?;
            holder = TagHolder::from_tag(tag, &documents.world, env);
        }
        let words = requests::message_tag(message).filter(|_| tag.is_none());
        if let Some(tag) = &words {
            documents.gather(&[user_key(&tag.reader)], env)?;
        }
        let words = words.filter(|tag| {
            let reader = documents.world.user(&tag.reader);
            reader.is_some_and(|reader| env.setup.key.fits_message(tag, reader.tokens))
        });
        let server = env.setup.config.authserv_id.as_deref();
        let from = message.from.address();
        let vouched_for = from
            .zip(server)
            .map(|(from, server)| is_authenticated(&message.authentication_results, server, from))
            .or(from.is_none().then_some(false));
        let origin = match from.cloned() {
            None => Origin::Unnamed,
            Some(from) if vouched_for == Some(false) => Origin::Doubted(from),
            Some(from) => Origin::Mail(from),
        };
        let proof = match vouched_for {
            _ if holder.is_some() || words.is_some() => SenderProof::Tag,
            Some(true) => SenderProof::MailServer,
            None => SenderProof::Nothing,
            Some(false) => SenderProof::Doubt,
        };
        Ok(Self { origin, proof, tag, holder, words })
    }

    /// Finds the requests of the sender.
    pub(super) fn requests(
        &self,
        message: &Message,
        documents: &mut DocumentSet,
        env: &mut Env,
    ) -> Result<MailRequests, Fault> {
        if let Some(tag) = &self.words {
            return Ok(MailRequests::Found(vec![requests::to_writer(message, tag)]));
        }
        let world = &documents.world;
        let held = self.holder.as_ref().zip(self.tag.as_ref());
        let replies = held.and_then(|(holder, tag)| {
            let board = world.board(holder.board).ok()?;
            let view = world.view(board, holder.seat);
            Some(ReplyContext { board, player: &holder.player, tag, view })
        });
        let mut requests = requests::requests(message, self.tag.is_some(), replies.as_ref());
        if let Err(SyntaxRefusal::NoReplyTag { board: Some(answered) }) = &mut requests {
            answered.player = player_from(answered.board, message, documents, env)?;
        }
        Ok(match requests {
            Ok(requests) => MailRequests::Found(requests),
            Err(refusal) => MailRequests::Refused(refusal),
        })
    }

    /// Returns whether the mail names its sender: by a tag, or by a userid with a password.
    pub(super) fn says_who(&self, requests: &MailRequests) -> bool {
        let claims = |request: &Request| {
            request.command.as_ref().is_ok_and(|command| command.claimed_user().is_some())
        };
        self.tag.is_some()
            || self.words.is_some()
            || matches!(requests, MailRequests::Found(all) if all.iter().any(claims))
    }

    /// Returns whether the mail is a reply.
    pub(super) fn is_answer(&self, message: &Message) -> bool {
        self.tag.is_some() || requests::is_reply(message)
    }
}

impl TagHolder {
    fn from_tag(tag: &ReplyTag, world: &World, env: &Env) -> Option<Self> {
        let board = world.board(tag.board).ok()?;
        let seat = Seat::BOTH.into_iter().find(|seat| {
            env.setup.key.fits(tag, board.player(*seat), world.generation(board, *seat))
        })?;
        Some(Self { board: board.id, seat, player: board.player(seat).clone() })
    }
}

/// Returns the player of a board who has the mail's From among their addresses. That gives nothing
/// away: the readers of that address get the mails of the board.
fn player_from(
    board: BoardId,
    message: &Message,
    documents: &mut DocumentSet,
    env: &mut Env,
) -> Result<Option<UserId>, Fault> {
    documents.gather(&[board_key(board)], env)?;
    let Ok(board) = documents.world.board(board) else { return Ok(None) };
    let Some(from) = message.from.address() else { return Ok(None) };
    let is_theirs = |player: &&UserId| {
        let user = documents.world.user(player);
        user.is_some_and(|user| user.addresses.contains(from))
    };
    Ok(board.players.iter().find(is_theirs).cloned())
}
