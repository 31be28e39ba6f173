//! Identifies the sender of a mail, and what proves them.

use crate::base::ids::{BoardId, UserId};
use crate::command::Origin;
use crate::mail::{Message, is_authenticated};
use crate::model::token::{ReplyTag, TopicTag};
use crate::model::topic::Topic;
use crate::model::user::ShownBoard;
use crate::model::world::{World, board_key, user_key};
use crate::refusal::SyntaxRefusal;
use crate::server::documents::DocumentSet;
use crate::server::env::Env;
use crate::server::requests::{self, DigestLines, ReplyContext, Request};
use crate::store::{Fault, Key};
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
    /// The tag about a topic other than a board, if it is valid.
    pub(super) topic: Option<TopicTag>,
}

/// The requests of a mail, each a command or its refusal; or the refusal for the sender of a mail
/// without any.
pub(super) type MailRequests = Result<Vec<Request>, SyntaxRefusal>;

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
        let topic = requests::topic_tag(message).filter(|_| tag.is_none());
        if let Some(tag) = &topic {
            let board = tag.topic.board().map(board_key);
            let keys: Vec<Key> = board.into_iter().chain([user_key(&tag.reader)]).collect();
            documents.gather(&keys, env)?;
        }
        let topic = topic.filter(|tag| {
            let reader = documents.world.user(&tag.reader);
            reader.is_some_and(|reader| env.setup.key.fits_topic(tag, reader.tokens))
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
            _ if holder.is_some() || topic.is_some() => SenderProof::Tag,
            Some(true) => SenderProof::MailServer,
            None => SenderProof::Nothing,
            Some(false) => SenderProof::Doubt,
        };
        Ok(Self { origin, proof, tag, holder, topic })
    }

    /// Finds the requests of the sender.
    pub(super) fn requests(
        &self,
        message: &Message,
        documents: &mut DocumentSet,
        env: &mut Env,
    ) -> Result<MailRequests, Fault> {
        if let Some(tag) = &self.topic {
            return about_topic(message, tag, documents, env);
        }
        let world = &documents.world;
        let held = self.holder.as_ref().zip(self.tag.as_ref());
        let context = held.and_then(|(holder, tag)| {
            let board = world.board(holder.board).ok()?;
            let view = world.view(board, holder.seat);
            Some(ReplyContext { board, player: &holder.player, tag, view })
        });
        let mut requests = requests::find_requests(message, self.tag.is_some(), context.as_ref());
        if let Err(SyntaxRefusal::NoReplyTag { board: Some(answered) }) = &mut requests {
            answered.player = player_from(answered.board, message, documents, env)?;
        }
        Ok(requests)
    }

    /// Returns whether the mail names its sender: by a tag, or by a userid with a password.
    pub(super) fn names_sender(&self, requests: &MailRequests) -> bool {
        let claims = |request: &Request| {
            request.command.as_ref().is_ok_and(|command| command.claimed_user().is_some())
        };
        self.tag.is_some()
            || self.topic.is_some()
            || requests.as_ref().is_ok_and(|all| all.iter().any(claims))
    }

    /// Returns whether the mail is a reply.
    pub(super) fn is_answer(&self, message: &Message) -> bool {
        self.tag.is_some() || requests::is_reply(message)
    }
}

/// Finds the requests of a reply about a topic other than a board of its writer.
fn about_topic(
    message: &Message,
    tag: &TopicTag,
    documents: &mut DocumentSet,
    env: &mut Env,
) -> Result<MailRequests, Fault> {
    let lines = match &tag.topic {
        Topic::Digest(_) => DigestLines::find(message),
        _ => None,
    };
    let Some(lines) = lines else {
        return Ok(requests::about_topic(message, tag));
    };
    let sent = shown_boards(tag, &documents.world);
    let Some(sent) = sent else { return Ok(Err(SyntaxRefusal::OldDigest)) };
    let named: Vec<Key> =
        lines.places(&sent).into_iter().map(|place| board_key(sent[place].board)).collect();
    documents.gather(&named, env)?;
    let world = &documents.world;
    let find_board = |shown: &ShownBoard| {
        let board = world.board(shown.board).ok()?;
        let seat = board.seat(&tag.reader)?;
        // The reader has not voided their reply addresses of the board since.
        (world.generation(board, seat).board == shown.voided).then_some(())?;
        Some((board, world.view(board, seat)))
    };
    Ok(Ok(lines.requests(tag, &sent, find_board)))
}

/// Returns the boards of a digest; `None` if it is not one of the latest.
pub(super) fn shown_boards(tag: &TopicTag, world: &World) -> Option<Vec<ShownBoard>> {
    let Topic::Digest(number) = tag.topic else { return None };
    let mut sent = world.user(&tag.reader)?.digests.iter();
    Some(sent.find(|digest| digest.number == number)?.boards.clone())
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
