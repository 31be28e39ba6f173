//! The sender of a mail, and what proves them.

use crate::base::ids::{BoardId, UserId};
use crate::command::Origin;
use crate::mail::{Message, vouches};
use crate::model::token::{ReplyTag, WordsTag};
use crate::model::world::{World, board_key, user_key};
use crate::refusal::SyntaxRefusal;
use crate::server::env::Env;
use crate::server::gather::DocumentSet;
use crate::server::inbox::{self, ReplyContext, Request};
use crate::store::Fault;
use games::Seat;

/// The proof that a mail comes from its sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SenderProof {
    /// It went to the reply address of a player, which only that player's mails have.
    Tag,
    /// Our mail server vouches for its From, so that nobody can have written in another's name.
    MailServer,
    /// Nothing: no mail server was asked.
    Nothing,
    /// Our mail server was asked, and does not vouch for its From.
    Doubt,
}

/// The player whose reply address a mail went to.
pub(super) struct TagHolder {
    pub(super) board: BoardId,
    pub(super) seat: Seat,
    pub(super) player: UserId,
}

/// The sender of a mail.
pub(super) struct Sender {
    pub(super) origin: Origin,
    pub(super) proof: SenderProof,
    /// The tag of the address that the mail went to, or of its Subject.
    pub(super) tag: Option<ReplyTag>,
    /// Whose tag that is, if it is a player's.
    pub(super) holder: Option<TagHolder>,
    /// The tag of an address that answers words of another user, if it is valid.
    pub(super) words: Option<WordsTag>,
}

impl Sender {
    /// The sender of a mail. The board of its tag is loaded.
    pub(super) fn identify(
        message: &Message,
        documents: &mut DocumentSet,
        env: &mut Env,
    ) -> Result<Self, Fault> {
        let tag = inbox::tag(message);
        let mut holder = None;
        if let Some(tag) = &tag {
            documents.gather(&[board_key(tag.board)], env)?;
            holder = TagHolder::from_tag(tag, &documents.world, env);
        }
        let words = inbox::words_tag(message).filter(|_| tag.is_none());
        if let Some(tag) = &words {
            documents.gather(&[user_key(&tag.reader)], env)?;
        }
        let words = words.filter(|tag| {
            let reader = documents.world.user(&tag.reader);
            reader.is_some_and(|reader| env.setup.key.fits_words(tag, reader.tokens))
        });
        let server = env.setup.config.authserv_id.as_deref();
        let from = message.from.address();
        let vouched_for = from
            .zip(server)
            .map(|(from, server)| vouches(&message.results, server, from))
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

    /// What the sender asks for.
    pub(super) fn requests(
        &self,
        message: &Message,
        documents: &mut DocumentSet,
        env: &mut Env,
    ) -> Result<Result<Vec<Request>, SyntaxRefusal>, Fault> {
        if let Some(tag) = &self.words {
            return Ok(Ok(vec![inbox::to_writer(message, tag)]));
        }
        let world = &documents.world;
        let held = self.holder.as_ref().zip(self.tag.as_ref());
        let replies = held.and_then(|(holder, tag)| {
            let board = world.board(holder.board).ok()?;
            let view = world.view(board, holder.seat);
            Some(ReplyContext { board, player: &holder.player, tag, view })
        });
        let mut requests = inbox::requests(message, self.tag.is_some(), replies.as_ref());
        if let Err(SyntaxRefusal::Untagged { board: Some((board, player)) }) = &mut requests {
            *player = player_from(*board, message, documents, env)?;
        }
        Ok(requests)
    }

    /// Whether the mail says who sends it: with a tag, or a userid and a password.
    pub(super) fn says_who(&self, requests: &Result<Vec<Request>, SyntaxRefusal>) -> bool {
        let claims = |request: &Request| {
            request.command.as_ref().is_ok_and(|command| command.claims().is_some())
        };
        self.tag.is_some()
            || self.words.is_some()
            || requests.as_ref().is_ok_and(|all| all.iter().any(claims))
    }

    /// Whether the mail answers another one.
    pub(super) fn is_answer(&self, message: &Message) -> bool {
        self.tag.is_some() || inbox::is_reply(message)
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

/// The player of a board who has the address that a mail came from, if one has. Everybody who
/// reads the mails that go there knows of the board.
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
