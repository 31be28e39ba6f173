//! Notices about a board to one reader alone.

use crate::base::ids::{BoardId, UserId};
use crate::base::words::quoted;
use crate::reply::board_mail::plans;
use crate::reply::board_mail::subject::SubjectTopic;
use crate::reply::letters::{Block, OutgoingMail, TextElement};
use crate::reply::{AnswerContext, board_mail};
use games::{AnyPosition, Seat};

/// A notice about a board to one reader alone.
#[derive(Debug)]
#[allow(missing_docs, reason = "a field is named after its value")]
pub enum BoardNotice {
    /// To a player: the board after a submitted move.
    Submitted {
        board: BoardId,
        seat: Seat,
        /// The position after the move, before dice are rolled.
        position: Box<dyn AnyPosition>,
    },
    /// To a player: their queued move, or that there is none.
    Queued {
        board: BoardId,
        seat: Seat,
        /// The move.
        text: Option<String>,
        /// The move number, if the player named one.
        moveno: Option<usize>,
    },
    /// To a player: their plan, or that there is none.
    Planned { board: BoardId, seat: Seat },
    /// To a player: a board of theirs that they asked to see, with a reply address.
    Shown { board: BoardId, seat: Seat },
    /// To a player: their old reply addresses are void, and this mail has a new one.
    NewToken { board: BoardId, seat: Seat },
    /// To a player: their own note, or that there is none.
    Noted { board: BoardId, words: Option<String> },
    /// To a user: they get the board's mails from now on, or no longer.
    Observed { board: BoardId, user: UserId, is_subscribed: bool },
}

impl BoardNotice {
    pub(crate) fn mails(&self, at: &AnswerContext) -> Vec<OutgoingMail> {
        let AnswerContext { world, origin, comment, now } = *at;
        let to_player = |origin, id, seat, first: Vec<Block>| {
            let head = first.into_iter().chain(undelivered_comment(comment));
            board_mail::to_player(world, origin, id, seat, SubjectTopic::Board, head, now)
        };
        match self {
            Self::Submitted { board, seat, position } => {
                let undelivered = undelivered_comment(comment);
                vec![board_mail::submitted(
                    world,
                    origin,
                    *board,
                    *seat,
                    &**position,
                    undelivered,
                    now,
                )]
            }
            Self::Queued { board, seat, text, moveno } => {
                let queued = queue_sentence(text.as_deref(), *moveno);
                vec![to_player(Some(origin), *board, *seat, vec![queued])]
            }
            Self::Planned { board: id, seat } => {
                let board = world.board(*id).expect("a plan was entered on it");
                let head = plans::plan_blocks(board, *seat, &world.view(board, *seat));
                vec![to_player(Some(origin), *id, *seat, head)]
            }
            Self::Shown { board, seat } => {
                vec![to_player(Some(origin), *board, *seat, Vec::new())]
            }
            Self::NewToken { board, seat } => {
                let mail = |origin| to_player(origin, *board, *seat, vec![new_token()]);
                if !origin.shows_answers() {
                    return vec![mail(Some(origin))];
                }
                // A new reply address always goes to its player by mail.
                let answer =
                    OutgoingMail { seat: None, blocks: vec![mailed()], ..mail(Some(origin)) };
                vec![answer, mail(None)]
            }
            Self::Noted { board, words } => vec![noted(*board, words.as_deref())],
            Self::Observed { board, user, is_subscribed } => {
                vec![board_mail::to_observer(world, *board, user, *is_subscribed, now)]
            }
        }
    }
}

/// Returns the queued move of a player, or that there is none.
fn queue_sentence(text: Option<&str>, moveno: Option<usize>) -> Block {
    let Some(text) = text else {
        return Block::heading("You have no queued move on this board.");
    };
    let when = match moveno {
        None => "as soon as it is your turn".into(),
        Some(moveno) => format!("as move {moveno}, if that is yours"),
    };
    Block::heading(format!(
        "Queued: {}. It will be tried {when}; nobody else sees it before. To drop it, reply with \
         `queue off` on the first line.",
        quoted(text)
    ))
}

/// Shows players their own note.
fn noted(id: BoardId, words: Option<&str>) -> OutgoingMail {
    let game = games::find(id.game).expect("a board is of a game");
    let board = format!("{} board {}", game.spec().title, id.number);
    let blocks = match words {
        Some(words) => vec![
            Block::Text(vec![
                TextElement::Sentence(format!("Your note on {board}, which nobody else sees:")),
                TextElement::Quote(words.to_owned()),
            ]),
            Block::sentence("A new note takes its place. To remove it, send the Subject"),
            Block::command(format!("{} note {} <userid> <password> none", id.game, id.number)),
        ],
        None => vec![Block::sentence(format!("You have no note on {board}."))],
    };
    OutgoingMail::answer(format!("Your note: {} {}", game.spec().title, id.number), blocks)
}

fn new_token() -> Block {
    Block::heading(
        "This mail has a new reply address for you on this board. The old ones no longer work: \
         nobody who has an older mail can move for you.",
    )
}

/// Returns the answer where a new reply address was mailed.
fn mailed() -> Block {
    Block::sentence(
        "The old reply addresses of this player on this board no longer work; a new one was mailed.",
    )
}

/// Returns a note that the comment was not passed on, if there was one.
pub(crate) fn undelivered_comment(comment: &str) -> Option<Block> {
    let sentence =
        "The rest of your mail was not passed on. To send it to your opponent, use `chat`.";
    (!comment.is_empty()).then(|| Block::sentence(sentence))
}
