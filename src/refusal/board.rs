//! Refusals about a board.

use crate::board::Proposal;
use crate::command::Meant;
use crate::ids::{BoardId, UserId};
use crate::render;
use crate::reply::words::{Count, lines, quoted};
use games::{Diagram, Grid, MoveError};
use thiserror::Error;

/// Refusals about a board.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BoardRefusal {
    /// No board of that number.
    #[error("there is no {} board {}", title(.0), .0.number)]
    Unknown(BoardId),
    /// The board's file cannot be understood.
    #[error(
        "{} board {} cannot be used until the operator has mended its file",
        title(.0),
        .0.number
    )]
    Damaged(BoardId),
    /// The board is hidden.
    #[error("{} board {} is private", title(.0), .0.number)]
    Private(BoardId),
    /// The user does not play there.
    #[error("{user} does not play on {} board {}", title(.board), .board.number)]
    NotPlaying {
        /// The board.
        board: BoardId,
        /// The user.
        user: UserId,
    },
    /// The board has ended.
    #[error("{} board {} is over", title(.0), .0.number)]
    Over(BoardId),
    /// Somebody else is to move.
    #[error("it is {waits_for}'s move on {} board {}", title(.board), .board.number)]
    NotYourMove {
        /// The board.
        board: BoardId,
        /// Who is to move.
        waits_for: UserId,
    },
    /// The command was meant for another move of the board.
    #[error(
        "your command is for move {given}, but the next move of {} board {} is number {due}",
        title(.board),
        .board.number
    )]
    Stale {
        /// The board.
        board: BoardId,
        /// The move named.
        given: usize,
        /// The move that is next.
        due: usize,
    },
    /// The board has not had so many moves.
    #[error(
        "{} board {} has had {}, not {given}",
        title(.board),
        .board.number,
        Count(*.made, "move")
    )]
    NoSuchMove {
        /// The board.
        board: BoardId,
        /// The move named.
        given: usize,
        /// How many were made.
        made: usize,
    },
    /// The board cannot be written in the format asked for.
    #[error("{} board {} cannot be written so: {why}", title(.board), .board.number)]
    NotExported {
        /// The board.
        board: BoardId,
        /// What the format has no room for.
        why: String,
    },
    /// Something is offered already.
    #[error("{by} {} on {} board {}, and that is open", offered(*.what), title(.board), .board.number)]
    OfferOpen {
        /// The board.
        board: BoardId,
        /// Who has offered it.
        by: UserId,
        /// What.
        what: Proposal,
    },
    /// Who asks to take a move back has made none.
    #[error("you have no move of your own to take back on {} board {}", title(.0), .0.number)]
    NothingToTakeBack(BoardId),
    /// Moves were taken back, and others kept for later with them.
    #[error("moves were taken back on {} board {}", title(.0), .0.number)]
    Undone(BoardId),
    /// A player asks for mails that he gets anyway.
    #[error("you play on {} board {} and get its mails", title(.0), .0.number)]
    PlaysThere(BoardId),
    /// The mails of a board go to that mailbox already, for somebody else.
    #[error("the mails of {} board {} go to your mailbox already", title(.0), .0.number)]
    WatchedFromThere(BoardId),
    /// A board has as many observers as it may have.
    #[error("{} board {} is watched by {n} users already", title(.0), .0.number, n = BoardRefusal::OBSERVERS)]
    TooManyObservers(BoardId),

    /// Who wants a board's mails no longer does not get them.
    #[error("you do not get the mails of {} board {}", title(.0), .0.number)]
    NotWatched(BoardId),
    /// A word that other games have.
    #[error("there is no `{word}` in {}", title(.board))]
    NoSuchWord {
        /// The board.
        board: BoardId,
        /// The word.
        word: &'static str,
    },
    /// No move waits to be confirmed.
    #[error(
        "no move of yours waits to be confirmed on {} board {}",
        title(.0),
        .0.number
    )]
    NothingSubmitted(BoardId),
    /// The rules of the game know no draw.
    #[error("{} cannot end in a draw: one of you wins", title(.0))]
    NeverDrawn(BoardId),
    /// The program plays on.
    #[error("{program} takes no draws on {} board {}", title(.board), .board.number)]
    NoDraws {
        /// The board.
        board: BoardId,
        /// The program's userid.
        program: UserId,
    },
    /// There is nothing to be accepted or rejected.
    #[error("nothing is offered to you on {} board {}", title(.0), .0.number)]
    NoOffer(BoardId),
    /// What is answered was withdrawn, or never offered.
    #[error("what you answer is not offered to you on {} board {} any more", title(.0), .0.number)]
    OfferGone(BoardId),
    /// Something else is offered than what is answered.
    #[error(
        "{by} {} on {} board {}: that is not what you answer",
        offered(*.what),
        title(.board),
        .board.number
    )]
    OtherOffer {
        /// The board.
        board: BoardId,
        /// Who has offered it.
        by: UserId,
        /// What.
        what: Proposal,
    },
    /// What is offered has changed, and the answer does not say what it is to.
    #[error("what is offered to you on {} board {} has changed", title(.board), .board.number)]
    OfferChanged {
        /// The board.
        board: BoardId,
        /// What is to be answered now, in a word.
        word: &'static str,
    },
    /// Nobody accepts what he has offered himself.
    #[error("what you offer on {} board {} is for {asked} to accept", title(.board), .board.number)]
    OwnOffer {
        /// The board.
        board: BoardId,
        /// Who is to answer.
        asked: UserId,
    },
    /// The words are no legal move.
    #[error("{}", unplayable(.text, .error))]
    Move {
        /// The words.
        text: String,
        /// Why.
        error: MoveError,
        /// The legal moves, when they are few.
        legal: Vec<String>,
        /// How many there are.
        count: usize,
        /// The board with the points that may be pressed, where it is a square one.
        board: Option<Box<Grid>>,
    },
    /// A look ahead would tell what is hidden.
    #[error("what is hidden on {} board {} cannot be tried out", title(.0), .0.number)]
    Hidden(BoardId),
}

/// A rule's reason names the step it forbids; the other errors need the words in front.
fn unplayable(text: &str, error: &MoveError) -> String {
    match error {
        MoveError::Illegal(why) => why.clone(),
        MoveError::Ambiguous(_) => format!("{} can be read in several ways", quoted(text)),
        MoveError::Unreadable { .. } => format!("{} is no move: {error}", quoted(text)),
        MoveError::NothingToMove => error.to_string(),
    }
}

fn offered(what: Proposal) -> &'static str {
    match what {
        Proposal::Undo => "has asked to take back a move",
        Proposal::Draw => "has offered a draw",
    }
}

/// How an answer says what it is to.
fn how_to_say(board: BoardId, word: &str) -> String {
    let BoardId { game, number } = board;
    format!(
        "If you want to answer it, say so:\n\n  {game} accept {number} <userid> <password> {word}\n  \
         {game} reject {number} <userid> <password> {word}"
    )
}

fn title(board: &BoardId) -> &'static str {
    games::find(board.game).map_or(board.game, |game| game.spec().title)
}

impl BoardRefusal {
    /// How many users may watch a board.
    pub const OBSERVERS: usize = 20;

    /// The board it is about.
    pub fn board(&self) -> Option<BoardId> {
        match self {
            Self::Unknown(board)
            | Self::Damaged(board)
            | Self::Private(board)
            | Self::Over(board)
            | Self::NothingToTakeBack(board)
            | Self::Hidden(board)
            | Self::NothingSubmitted(board)
            | Self::Undone(board)
            | Self::PlaysThere(board)
            | Self::NotWatched(board)
            | Self::TooManyObservers(board)
            | Self::WatchedFromThere(board)
            | Self::NoSuchWord { board, .. }
            | Self::NeverDrawn(board)
            | Self::NoOffer(board)
            | Self::OfferGone(board)
            | Self::OtherOffer { board, .. }
            | Self::OfferChanged { board, .. }
            | Self::OfferOpen { board, .. }
            | Self::OwnOffer { board, .. }
            | Self::NotPlaying { board, .. }
            | Self::NoDraws { board, .. }
            | Self::NotYourMove { board, .. }
            | Self::Stale { board, .. }
            | Self::NotExported { board, .. }
            | Self::NoSuchMove { board, .. } => Some(*board),
            Self::Move { .. } => None,
        }
    }

    pub(super) fn hint(&self) -> Option<String> {
        match self {
            Self::Unknown(board) => {
                Some(format!("Send `{} games <userid>` for the boards of a player.", board.game))
            }
            Self::Damaged(_) => Some("The operator has been told.".into()),
            Self::Private(_) => Some("Only its players see it.".into()),
            Self::NoSuchWord { board, .. } => {
                Some(format!("Send `help {}` for the rules of the game.", board.game))
            }
            Self::NothingSubmitted(_) => {
                Some("A move is given with `submit`, and forgotten when the board moves on.".into())
            }
            Self::OfferOpen { .. } => Some(
                "The other player answers it with `accept` or `reject`; whoever made it withdraws \
                 it with `reject`."
                    .into(),
            ),
            Self::OtherOffer { board, what, .. } => {
                Some(how_to_say(*board, Meant::Offer(*what).word()))
            }
            Self::OfferChanged { board, word } => Some(how_to_say(*board, word)),
            Self::OwnOffer { .. } => Some("To withdraw it, send `reject`.".into()),
            Self::Hidden(_) => {
                Some("Send the move itself, or `show` without a move number.".into())
            }
            Self::NoDraws { .. } | Self::NeverDrawn(_) => Some("Play on, or send `resign`.".into()),
            Self::NotPlaying { board, .. }
            | Self::Over(board)
            | Self::NothingToTakeBack(board)
            | Self::Undone(board)
            | Self::PlaysThere(board)
            | Self::TooManyObservers(board)
            | Self::WatchedFromThere(board)
            | Self::NoOffer(board)
            | Self::OfferGone(board)
            | Self::NotYourMove { board, .. }
            | Self::Stale { board, .. }
            | Self::NotExported { board, .. }
            | Self::NoSuchMove { board, .. } => {
                Some(format!("Send `{} show {}` to see it.", board.game, board.number))
            }
            Self::Move { error: MoveError::Ambiguous(readings), .. } => {
                Some(format!("Send one of these:\n\n  {}", readings.join("\n  ")))
            }
            Self::Move { board: Some(grid), .. } => {
                let drawn = render::text(&Diagram::Grid((**grid).clone()), None);
                Some(format!("The points that may be pressed are marked with +:\n\n{drawn}"))
            }
            Self::Move { legal, .. } if !legal.is_empty() => {
                let list = lines(&format!("  {}", legal.join("  ")), 76, "  ");
                Some(format!("The legal plays are:\n\n{list}"))
            }
            Self::NotWatched(_) | Self::Move { count: 0, .. } => None,
            Self::Move { count, .. } => Some(format!("There are {count} legal plays.")),
        }
    }
}
