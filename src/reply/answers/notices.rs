//! News of a board for one reader alone.

use crate::base::ids::{BoardId, UserId};
use crate::base::words::quoted;
use crate::model::board::QueuedMove;
use crate::reply::board_mail::subject::SubjectTopic;
use crate::reply::letters::blocks::Block;
use crate::reply::letters::outgoing_mail::OutgoingMail;
use crate::reply::{AnswerContext, board_mail};
use games::{AnyPosition, Seat};

/// News of a board for one reader alone.
#[derive(Debug)]
pub enum BoardNotice {
    /// A player, how it would be after a move that waits to be confirmed.
    Submitted {
        /// The board.
        board: BoardId,
        /// Whose move it is.
        seat: Seat,
        /// The position after it, before dice are rolled.
        position: Box<dyn AnyPosition>,
    },
    /// A player, which move of theirs waits for their turn, if one does.
    Queued {
        /// The board.
        board: BoardId,
        /// Whose move it is.
        seat: Seat,
        /// The move.
        queued: Option<QueuedMove>,
    },
    /// A player, a board of theirs that they ask to see, to be answered by Reply.
    Shown {
        /// The board.
        board: BoardId,
        /// Their seat.
        seat: Seat,
    },
    /// A player, that the reply addresses in their mails are void, and this mail has a new one.
    NewToken {
        /// The board.
        board: BoardId,
        /// Whose addresses.
        seat: Seat,
    },
    /// To a user: that they get the mails of the board from now on, or no longer.
    Observed {
        /// The board.
        board: BoardId,
        /// The user.
        user: UserId,
        /// Whether they get them.
        wanted: bool,
    },
}

impl BoardNotice {
    pub(crate) fn mails(&self, at: &AnswerContext) -> Vec<OutgoingMail> {
        let AnswerContext { world, origin, comment, now } = *at;
        let to_player = |origin, seat, first| {
            let head = [first].into_iter().chain(undelivered_comment(comment));
            board_mail::to_player(world, origin, seat, SubjectTopic::Board, head, now)
        };
        match self {
            Self::Submitted { board, seat, position } => {
                let (seat, unsaid) = ((*board, *seat), undelivered_comment(comment));
                vec![board_mail::submitted(world, origin, seat, &**position, unsaid, now)]
            }
            Self::Queued { board, seat, queued } => {
                vec![to_player(Some(origin), (*board, *seat), waiting(queued.as_ref()))]
            }
            Self::Shown { board, seat } => {
                vec![board_mail::to_player(
                    world,
                    Some(origin),
                    (*board, *seat),
                    SubjectTopic::Board,
                    undelivered_comment(comment),
                    now,
                )]
            }
            Self::NewToken { board, seat } => {
                let mail = |origin| to_player(origin, (*board, *seat), new_token());
                if !origin.shows_answers() {
                    return vec![mail(Some(origin))];
                }
                // A new reply address goes to its player, wherever they asked for it.
                let said =
                    OutgoingMail { seat: None, blocks: vec![mailed()], ..mail(Some(origin)) };
                vec![said, mail(None)]
            }
            Self::Observed { board, user, wanted } => {
                vec![board_mail::to_observer(world, *board, user, *wanted, now)]
            }
        }
    }
}

/// Which move waits for its player's turn.
fn waiting(queued: Option<&QueuedMove>) -> Block {
    let Some(QueuedMove { text, moveno }) = queued else {
        return Block::heading("No move of yours is queued on this board.");
    };
    let when = match moveno {
        None => "as soon as it is your turn".into(),
        Some(moveno) => format!("as move {moveno}, if that is yours"),
    };
    Block::heading(format!(
        "Queued: {}. It will be tried {when}; nobody else sees it before. `queue off` on the first \
         line of a reply forgets it.",
        quoted(text)
    ))
}

fn new_token() -> Block {
    Block::heading(
        "This mail has a new reply address for you on this board. The old ones do nothing any more: \
         nobody who has an older mail can move for you.",
    )
}

/// Where a new reply address went.
fn mailed() -> Block {
    Block::sentence(
        "The old reply addresses of this player on this board are void; a new one was mailed.",
    )
}

/// That a comment went nowhere; nothing if there was none.
pub(crate) fn undelivered_comment(comment: &str) -> Option<Block> {
    let sentence = "The rest of your mail was not passed on: `chat` sends it to your opponent.";
    (!comment.is_empty()).then(|| Block::sentence(sentence))
}
