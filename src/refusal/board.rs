//! Refusals about a board.

use crate::base::ids::{BoardId, UserId};
use crate::base::words::{OrList, Plural, lines, quoted};
use crate::model::board::{Proposal, UnplayedReason};
use games::{DiceOnTable, Grid, MoveError, is_dash};
use thiserror::Error;

mod hint;

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
    /// A rematch of a game that goes on.
    #[error("{} board {} is not over yet", title(.0), .0.number)]
    NotOver(BoardId),
    /// It is the other player's turn.
    #[error("it is {waits_for}'s move on {} board {}", title(.board), .board.number)]
    NotYourMove {
        /// The board.
        board: BoardId,
        /// Whose turn it is.
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
        Plural(*.made, "move")
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
    #[error("{} board {} cannot be written in that format: {why}", title(.board), .board.number)]
    NotExported {
        /// The board.
        board: BoardId,
        /// What the format has no room for.
        why: String,
    },
    /// The opponent has offered something that is not answered.
    #[error("{by} has {} on {} board {} and waits for your answer", proposed(*.what), title(.board), .board.number)]
    OfferOpen {
        /// The board.
        board: BoardId,
        /// The player who has offered it.
        by: UserId,
        /// The offer.
        what: Proposal,
    },
    /// A player who offers something has made an offer before that is not answered yet.
    #[error(
        "you have already {} on {} board {}, and {asked} has not answered yet",
        proposed(*.what),
        title(.board),
        .board.number
    )]
    OwnOfferOpen {
        /// The board.
        board: BoardId,
        /// The player who must answer.
        asked: UserId,
        /// What was offered.
        what: Proposal,
    },
    /// The opponent has refused a draw since the last move.
    #[error("{by} refused your draw on {} board {}", title(.board), .board.number)]
    DrawRefused {
        /// The board.
        board: BoardId,
        /// The player who has refused it.
        by: UserId,
    },
    /// A player who asks to take a move back has made none.
    #[error("you have no move of your own to take back on {} board {}", title(.0), .0.number)]
    NothingToTakeBack(BoardId),
    /// Moves were taken back, and others kept for later with them.
    #[error("moves were taken back on {} board {}", title(.0), .0.number)]
    Undone(BoardId),
    /// A player asks for mails that they get anyway.
    #[error("you play on {} board {}, so you get its mails anyway", title(.0), .0.number)]
    PlaysThere(BoardId),
    /// The mails of a board go to that mailbox already, under another userid.
    #[error("you already get the mails about {} board {} under another userid", title(.0), .0.number)]
    WatchedFromThere(BoardId),
    /// A board has as many observers as it may have.
    #[error("{} board {} already has {n} observers", title(.0), .0.number, n = BoardRefusal::OBSERVERS)]
    TooManyObservers(BoardId),

    /// A user who wants no more mails about a board gets none.
    #[error("you do not get the mails about {} board {}", title(.0), .0.number)]
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
        "you have no move to confirm on {} board {}",
        title(.0),
        .0.number
    )]
    NothingSubmitted(BoardId),
    /// The rules of the game know no draw.
    #[error("{} cannot end in a draw: one of you wins", title(.0))]
    NeverDrawn(BoardId),
    /// The program plays on.
    #[error("{program} never agrees to a draw on {} board {}", title(.board), .board.number)]
    NoDraws {
        /// The board.
        board: BoardId,
        /// The program's userid.
        program: UserId,
    },
    /// There is nothing to be accepted or rejected.
    #[error("there is no offer for you to answer on {} board {}", title(.0), .0.number)]
    NoOffer(BoardId),
    /// The offer that they answer was withdrawn, or never made.
    #[error("the offer that you answer is no longer open on {} board {}", title(.0), .0.number)]
    OfferGone(BoardId),
    /// The open offer is not the one that is answered.
    #[error(
        "{by} has {} on {} board {}, and your answer is to something else",
        proposed(*.what),
        title(.board),
        .board.number
    )]
    OtherOffer {
        /// The board.
        board: BoardId,
        /// The player who has offered it.
        by: UserId,
        /// The offer.
        what: Proposal,
    },
    /// The offer has changed, and the answer does not say which offer it means.
    #[error("the offer to you on {} board {} has changed since that mail", title(.board), .board.number)]
    OfferChanged {
        /// The board.
        board: BoardId,
        /// The offer that must be answered now, in a word.
        word: &'static str,
    },
    /// Nobody can accept their own offer.
    #[error("the offer on {} board {} is yours, so only {asked} can accept it", title(.board), .board.number)]
    OwnOffer {
        /// The board.
        board: BoardId,
        /// The player who must answer.
        asked: UserId,
    },
    /// The words are not a legal move.
    #[error("{}", unplayable(.text, .error))]
    Move {
        /// The words.
        text: String,
        /// Why.
        error: MoveError,
        /// Moves that could be played instead.
        choice: Box<LegalMoves>,
    },
    /// The program has made as many moves for this mail as it makes for one.
    #[error(
        "the program answers {most} moves of one mail, and yours on {} board {} is one more, so it \
         was not played",
        title(.board),
        .board.number
    )]
    ThoughtEnough {
        /// The board.
        board: BoardId,
        /// How many that are.
        most: u32,
    },
    /// The program's opinion of a game that goes on would help one of its players.
    #[error("{} board {} is still being played", title(.0), .0.number)]
    StillPlayed(BoardId),
    /// Only what lies some moves back can be analysed in a game that goes on.
    #[error("too few moves have been made on {} board {} to be analysed", title(.0), .0.number)]
    NothingToAnalyse(BoardId),
    /// The program does not know the game, or not with these options.
    #[error("the program cannot judge {} board {}", title(.0), .0.number)]
    NotJudged(BoardId),
    /// As many games as are analysed in a day.
    #[error(
        "{n} games have been analysed for you in a day, and {} board {} would be one more",
        title(.0),
        .0.number,
        n = BoardRefusal::ANALYSES
    )]
    AnalysedEnough(BoardId),
    /// A look ahead would tell what is hidden.
    #[error("part of {} board {} is hidden, so you cannot try moves there", title(.0), .0.number)]
    Hidden(BoardId),
    /// Something that its dice do not allow.
    #[error("the dice of {} board {} {why}", title(.board), .board.number)]
    Dice {
        /// The board.
        board: BoardId,
        /// What, and why.
        why: &'static str,
    },
}

impl BoardRefusal {
    /// Why a queued move was not played, as it is told.
    pub fn of_queued(board: BoardId, text: &str, why: &UnplayedReason) -> Self {
        match why {
            UnplayedReason::Stale { given, due } => Self::Stale { board, given: *given, due: *due },
            UnplayedReason::Undone => Self::Undone(board),
            UnplayedReason::Value => {
                let why = "wait for the value that you have committed yourself to: write it behind \
                           your move, as `-seed=<value>`";
                Self::Dice { board, why }
            }
            UnplayedReason::Illegal(error) => {
                let (text, error, choice) = (text.to_owned(), error.clone(), Box::default());
                Self::Move { text, error, choice }
            }
        }
    }
}

/// What can be played where words were no move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LegalMoves {
    /// The board; none where a position was looked ahead to.
    pub board: Option<BoardId>,
    /// The dice on the table, if there are any to play.
    pub dice: Option<DiceOnTable>,
    /// The legal moves, when they are few.
    pub legal: Vec<String>,
    /// How many there are.
    pub count: usize,
    /// One of them; of the other side, if it is that side's turn.
    pub example: Option<String>,
    /// The board with the points that may be pressed, where it is a square one.
    pub grid: Option<Grid>,
}

impl LegalMoves {
    /// What to send instead, in whole sentences.
    pub(super) fn hint(&self) -> Option<String> {
        let example = self.example.as_deref().unwrap_or_default();
        let shown = self.board.map_or_else(String::new, |BoardId { game, number }| {
            format!(" To see the board, send `{game} show {number}`.")
        });
        if self.grid.is_some() {
            let marked = "The points that you may press are marked with +";
            let is_blind =
                |game| games::find(game).is_none_or(|game| game.spec().manner.is_blind());
            let listed = self
                .board
                .filter(|board| !is_blind(board.game))
                .map_or_else(String::new, |BoardId { game, number }| {
                    format!(", and `{game} moves {number}` lists them")
                });
            return Some(format!("{marked}{listed}. Send one of them, for example {example}:"));
        }
        let words: Vec<&str> = self.legal.iter().map(String::as_str).collect();
        if !words.is_empty() && words.iter().all(|word| is_a_word(word)) {
            return Some(format!("Send {}.{shown}", OrList(&words)));
        }
        if !words.is_empty() {
            let list = lines(&format!("  {}", words.join("  ")), 76, "  ");
            return Some(format!("{}Send one of these legal plays:\n\n{list}", self.rolled()));
        }
        match (self.count, self.board) {
            (0, Some(board)) if !example.is_empty() => Some(format!(
                "Write a move like {example}. `help {}` shows all ways to write one.",
                board.game
            )),
            (0, _) => None,
            (count, _) => Some(format!(
                "{}{} {count} legal plays. Send one of them, for example {example}.{shown}",
                self.rolled(),
                if self.board.is_some() { "You have" } else { "There are" },
            )),
        }
    }

    /// The dice in a sentence, if any lie there.
    fn rolled(&self) -> String {
        let rolled = if self.board.is_some() { "You rolled" } else { "The dice are" };
        let one = if self.board.is_some() { "You rolled a" } else { "The die is a" };
        let Some(dice) = &self.dice else { return String::new() };
        match dice.higher_first()[..] {
            [die] if dice.double => format!("{rolled} {die} and {die}, a double. "),
            [die] => format!("{one} {die}. "),
            [a, b] => format!("{rolled} {a} and {b}. "),
            _ => String::new(),
        }
    }
}

/// Whether a move is a word such as `take`, no play of men.
fn is_a_word(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// A rule's reason names the step it forbids; the other errors need the words in front.
fn unplayable(text: &str, error: &MoveError) -> String {
    match error {
        MoveError::Illegal(why) => why.clone(),
        MoveError::Ambiguous(_) => format!("{} can be read in several ways", quoted(&plain(text))),
        MoveError::Unreadable { at, expected } => {
            let read: String = text.chars().take(*at).collect();
            let before = read.trim();
            let begins = if before.is_empty() {
                "it should begin with".to_owned()
            } else {
                format!("after {} there should be", quoted(&plain(before)))
            };
            format!("{} is not a move: {begins} {expected}", quoted(&plain(text)))
        }
        MoveError::NothingToMove => error.to_string(),
    }
}

/// Words with plain dashes, as a move is quoted.
fn plain(text: &str) -> String {
    text.chars().map(|sign| if is_dash(sign) { '-' } else { sign }).collect()
}

/// What the player who offers it has done.
fn proposed(what: Proposal) -> &'static str {
    match what {
        Proposal::Undo => "asked to take back a move",
        Proposal::Draw => "offered a draw",
        Proposal::Analysis => "asked for an analysis",
    }
}

fn title(board: &BoardId) -> &'static str {
    games::find(board.game).map_or(board.game, |game| game.spec().title)
}

impl BoardRefusal {
    /// How many users may watch a board.
    pub const OBSERVERS: usize = 20;

    /// How many games are analysed in a day for one mailbox.
    pub const ANALYSES: usize = 20;

    /// The board it is about.
    pub fn board(&self) -> Option<BoardId> {
        match self {
            Self::Unknown(board)
            | Self::Damaged(board)
            | Self::Private(board)
            | Self::Over(board)
            | Self::NotOver(board)
            | Self::NothingToTakeBack(board)
            | Self::Hidden(board)
            | Self::StillPlayed(board)
            | Self::NothingToAnalyse(board)
            | Self::NotJudged(board)
            | Self::AnalysedEnough(board)
            | Self::NothingSubmitted(board)
            | Self::Undone(board)
            | Self::PlaysThere(board)
            | Self::NotWatched(board)
            | Self::TooManyObservers(board)
            | Self::WatchedFromThere(board)
            | Self::Dice { board, .. }
            | Self::NoSuchWord { board, .. }
            | Self::NeverDrawn(board)
            | Self::NoOffer(board)
            | Self::OfferGone(board)
            | Self::OtherOffer { board, .. }
            | Self::OfferChanged { board, .. }
            | Self::OfferOpen { board, .. }
            | Self::DrawRefused { board, .. }
            | Self::OwnOffer { board, .. }
            | Self::OwnOfferOpen { board, .. }
            | Self::NotPlaying { board, .. }
            | Self::NoDraws { board, .. }
            | Self::NotYourMove { board, .. }
            | Self::Stale { board, .. }
            | Self::ThoughtEnough { board, .. }
            | Self::NotExported { board, .. }
            | Self::NoSuchMove { board, .. } => Some(*board),
            Self::Move { .. } => None,
        }
    }

    /// The board that belongs below the hint, where its points are what may be played.
    pub fn grid(&self) -> Option<&Grid> {
        match self {
            Self::Move { error: MoveError::Ambiguous(_), .. } => None,
            Self::Move { choice, .. } => choice.grid.as_ref(),
            _ => None,
        }
    }
}
