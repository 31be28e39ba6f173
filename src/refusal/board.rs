//! Refusals about a board.

use crate::base::ids::{BoardId, UserId};
use crate::base::words::{AndList, OrList, Plural, lines, quoted};
use crate::model::board::{Proposal, UnplayedReason};
use games::{AnyGame, Choices, DiceOnTable, GAMES, MoveError, Spec, TiledBoard, is_dash};
use std::fmt::Write as _;
use std::sync::LazyLock;
use thiserror::Error;

mod hint;

/// A refusal about a board.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "a field is named after its value")]
pub enum BoardRefusal {
    /// The board does not exist.
    #[error("there is no {} board {}", title(.0), .0.number)]
    Unknown(BoardId),
    /// The board's file is damaged.
    #[error(
        "{} board {} cannot be used until the operator has repaired its file",
        title(.0),
        .0.number
    )]
    Damaged(BoardId),
    /// The board is private, and the user is not one of its players.
    #[error("{} board {} is private", title(.0), .0.number)]
    Private(BoardId),
    /// The user does not play on the board.
    #[error("{user} does not play on {} board {}", title(.board), .board.number)]
    NotPlaying { board: BoardId, user: UserId },
    /// The game is over.
    #[error("{} board {} is over", title(.0), .0.number)]
    Over(BoardId),
    /// A rematch is requested of a game in progress.
    #[error("{} board {} is not over yet", title(.0), .0.number)]
    NotOver(BoardId),
    /// It is the other player's turn.
    #[error("it is {waits_for}'s turn on {} board {}", title(.board), .board.number)]
    NotYourMove {
        board: BoardId,
        /// The player to move.
        waits_for: UserId,
    },
    /// The command names another move than the next one.
    #[error(
        "your command is for move {given}, but the next move on {} board {} is move {due}",
        title(.board),
        .board.number
    )]
    Stale {
        board: BoardId,
        /// The named move.
        given: usize,
        /// The next move.
        due: usize,
    },
    /// The named move has not been made yet.
    #[error(
        "{} board {} has had {}, not {given}",
        title(.board),
        .board.number,
        Plural(*.made, "move")
    )]
    NoSuchMove {
        board: BoardId,
        /// The named move.
        given: usize,
        made: usize,
    },
    /// The board cannot be exported in the requested format.
    #[error("{} board {} cannot be written in this format: {why}", title(.board), .board.number)]
    NotExported {
        board: BoardId,
        /// The reason: what the format cannot express.
        why: String,
    },
    /// The opponent's offer must be answered first.
    #[error("{by} has {} on {} board {} and waits for your answer", proposed(*.what), title(.board), .board.number)]
    OfferOpen {
        board: BoardId,
        /// The player who made the offer.
        by: UserId,
        what: Proposal,
    },
    /// The player's own earlier offer is still open.
    #[error(
        "you have already {} on {} board {}, and {asked} has not answered yet",
        proposed(*.what),
        title(.board),
        .board.number
    )]
    OwnOfferOpen {
        board: BoardId,
        /// The player who must answer.
        asked: UserId,
        what: Proposal,
    },
    /// The opponent has refused a draw since the last move.
    #[error("{by} refused your draw on {} board {}", title(.board), .board.number)]
    DrawRefused {
        board: BoardId,
        /// The opponent.
        by: UserId,
    },
    /// The player has no move to take back.
    #[error("you have no move to take back on {} board {}", title(.0), .0.number)]
    NothingToTakeBack(BoardId),
    /// Moves were taken back, and a planned move with them.
    #[error("moves were taken back on {} board {}", title(.0), .0.number)]
    Undone(BoardId),
    /// A player subscribes to the mails of their own board.
    #[error("you play on {} board {}, so you get its mails anyway", title(.0), .0.number)]
    IsPlayer(BoardId),
    /// The mailbox already gets the board's mails under another userid.
    #[error("you already get the mails about {} board {} under another userid", title(.0), .0.number)]
    MailboxSubscribed(BoardId),
    /// The board has the most observers allowed.
    #[error("{} board {} already has {n} observers", title(.0), .0.number, n = BoardRefusal::OBSERVERS)]
    TooManyObservers(BoardId),
    /// The user unsubscribes from a board whose mails they do not get.
    #[error("you do not get the mails about {} board {}", title(.0), .0.number)]
    NotWatched(BoardId),
    /// The verb is one of other games.
    #[error("there is no `{word}` in {}", title(.board))]
    NotInThisGame {
        board: BoardId,
        /// The verb.
        word: &'static str,
    },
    /// The player has moved already, or the challenged opponent has.
    #[error(
        "{} on {} board {}, so you cannot decline it any more",
        .moved.as_ref().map_or("you have already moved".into(), |who| format!("{who} has already moved")),
        title(.board),
        .board.number
    )]
    TooLateToDecline {
        board: BoardId,
        /// The opponent, if only they have moved.
        moved: Option<UserId>,
    },
    /// The player has submitted no move.
    #[error("you have no move to confirm on {} board {}", title(.0), .0.number)]
    NothingSubmitted(BoardId),
    /// The rules have no draw.
    #[error("{} cannot end in a draw: one of you wins", title(.0))]
    NeverDrawn(BoardId),
    /// Programs refuse draws.
    #[error("{program} never agrees to a draw on {} board {}", title(.board), .board.number)]
    NoDraws { board: BoardId, program: UserId },
    /// The program needs no time.
    #[error("{program} moves at once and needs no more time")]
    NeedsNoTime { board: BoardId, program: UserId },
    /// Time can be given only while the clock of the opponent is running.
    #[error("the clock of {player} is not running on {} board {}", title(.board), .board.number)]
    ClockStopped {
        board: BoardId,
        /// The opponent.
        player: UserId,
    },
    /// The opponent would get too much time.
    #[error("a player can be given at most {n} days on a board", n = BoardRefusal::DAYS_GIVEN)]
    TooMuchTime(BoardId),
    /// The player has no offer to answer.
    #[error("there is no offer for you to answer on {} board {}", title(.0), .0.number)]
    NoOffer(BoardId),
    /// The answered offer was withdrawn or never made.
    #[error("the offer that you answer is no longer open on {} board {}", title(.0), .0.number)]
    OfferGone(BoardId),
    /// The answer is to another offer than the open one.
    #[error(
        "{by} has {} on {} board {}, and your answer is to something else",
        proposed(*.what),
        title(.board),
        .board.number
    )]
    OtherOffer {
        board: BoardId,
        /// The player who made the offer.
        by: UserId,
        what: Proposal,
    },
    /// The offer has changed since the mail that is answered, and the answer does not name the offer.
    #[error("the offer to you on {} board {} has changed since that mail", title(.board), .board.number)]
    OfferChanged {
        board: BoardId,
        /// The verb's word for the open offer.
        word: &'static str,
    },
    /// Players cannot accept their own offers.
    #[error("the offer on {} board {} is yours, so only {asked} can accept it", title(.board), .board.number)]
    OwnOffer {
        board: BoardId,
        /// The player who must answer.
        asked: UserId,
    },
    /// The move is illegal, ambiguous or unreadable.
    #[error("{}", unplayable(.text, .error))]
    Move {
        /// The move, as written.
        text: String,
        error: MoveError,
        /// The moves that are legal instead.
        choice: Box<LegalMoves>,
    },
    /// The program has answered the most moves allowed for one mail.
    #[error(
        "the program answers at most {most} moves of one mail, so your move on {} board {} was not \
         played",
        title(.board),
        .board.number
    )]
    TooManyProgramMoves {
        board: BoardId,
        /// The most moves answered.
        most: u32,
    },
    /// An analysis of a game in progress would help a player.
    #[error("{} board {} is still being played", title(.0), .0.number)]
    StillPlayed(BoardId),
    /// A game in progress has too few moves to analyse.
    #[error("too few moves have been made on {} board {} to be analysed", title(.0), .0.number)]
    NothingToAnalyse(BoardId),
    /// The program has no evaluation of the game, or none with these options.
    #[error("the program cannot analyse {} board {}", title(.0), .0.number)]
    NotAnalysable(BoardId),
    /// The most analyses allowed in a day were made.
    #[error(
        "{n} games were analysed for you in the last 24 hours, so {} board {} was not",
        title(.0),
        .0.number,
        n = BoardRefusal::ANALYSES
    )]
    TooManyAnalyses(BoardId),
    /// A preview would reveal what is hidden.
    #[error("part of {} board {} is hidden, so you cannot try moves there", title(.0), .0.number)]
    Hidden(BoardId),
    /// A message from a page is too long to be kept.
    #[error(
        "your message has {letters} characters, and {n} fit, so nothing was sent",
        n = crate::model::chat_log::LONGEST_MESSAGE
    )]
    LongMessage {
        board: BoardId,
        /// The number of characters.
        letters: usize,
    },
    /// A player's own note is too long.
    #[error(
        "your note has {letters} characters, and {n} fit",
        n = crate::model::note::LONGEST_NOTE
    )]
    LongNote {
        board: BoardId,
        /// The number of characters.
        letters: usize,
    },
    /// The plan cannot be kept.
    #[error("{0}")]
    Plan(Box<WrongPlan>),
    /// The board's dice do not allow the command.
    #[error(
        "the dice of {} board {} {why}{}",
        title(.board),
        .board.number,
        .instead.map(|instead| format!(": {instead}")).unwrap_or_default()
    )]
    Dice {
        board: BoardId,
        /// The reason, as it follows "the dice of the board".
        why: &'static str,
        /// What to send instead, in the words of mails.
        instead: Option<&'static str>,
    },
}

/// A plan that cannot be kept.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}{problem}", behind(.line))]
pub struct WrongPlan {
    /// The board.
    pub board: BoardId,
    /// The moves before the wrong place, as they were read.
    pub line: Vec<String>,
    /// What is wrong there.
    pub problem: PlanProblem,
    /// A plan that could be kept.
    pub example: String,
}

/// What is wrong with a plan.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlanProblem {
    /// A move cannot be played.
    #[error("{}", unplayable(.text, .error))]
    Unplayable {
        /// The move, as written.
        text: String,
        /// The reason.
        error: MoveError,
    },
    /// The player has two answers to one move.
    #[error("you cannot play both {one} and {other}")]
    TwoAnswers {
        /// The first answer.
        one: String,
        /// The other.
        other: String,
    },
    /// A line ends with a move of the opponent.
    #[error("your answer is missing")]
    NoAnswer,
    /// The game is over before a move.
    #[error("the game is over, so {} cannot follow", quoted(.0))]
    Over(String),
    /// Chance decides before a move.
    #[error("chance comes next, so {} cannot be planned", quoted(.0))]
    Chance(String),
    /// `any` is in the place of a move of the player.
    #[error("it is your turn, so `any` cannot come next")]
    AnyOfYours,
    /// A named move of the opponent is behind `any`.
    #[error("only `any` can come next, because nobody knows the position behind `any`")]
    NotAny,
    /// The brackets do not match, or there are too many.
    #[error("the brackets of your plan do not match, or there are too many")]
    Brackets,
    /// There is no move.
    #[error("your plan has no move")]
    Empty,
    /// The plan has too many moves.
    #[error("a plan can have at most {0} moves")]
    TooMany(usize),
    /// The plan has no line of this number.
    #[error("{}", no_line(*.number, *.lines))]
    NoLine {
        /// The number.
        number: usize,
        /// The number of lines of the plan, 0 without a plan.
        lines: usize,
    },
    /// The player has a choice now.
    #[error("you have a choice now, so nothing is forced")]
    Choice,
    /// The player has no opponent.
    #[error("you play alone, so there is nothing to plan")]
    Alone,
}

/// Says that a plan has no line of a number.
fn no_line(number: usize, lines: usize) -> String {
    match lines {
        0 => "you have no plan on this board".to_owned(),
        1 => format!("your plan has one line, so there is no line {number}"),
        _ => format!("your plan has {lines} lines, so there is no line {number}"),
    }
}

/// Returns the moves before a wrong place of a plan, as its refusal begins.
fn behind(line: &[String]) -> String {
    if line.is_empty() { String::new() } else { format!("after {}: ", line.join(" ")) }
}

impl BoardRefusal {
    /// Returns why a planned move was not played.
    pub fn of_planned(board: BoardId, text: &str, why: &UnplayedReason) -> Self {
        match why {
            UnplayedReason::Stale { given, due } => Self::Stale { board, given: *given, due: *due },
            UnplayedReason::Undone => Self::Undone(board),
            UnplayedReason::Value => {
                let why = "wait for the value that you have committed yourself to";
                let instead = Some("write it behind your move, as `-seed=<value>`");
                Self::Dice { board, why, instead }
            }
            UnplayedReason::Illegal(error) => {
                let (text, error, choice) = (text.to_owned(), error.clone(), Box::default());
                Self::Move { text, error, choice }
            }
        }
    }
}

/// The legal moves, shown where a move could not be played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LegalMoves {
    /// The board; none in a preview.
    pub board: Option<BoardId>,
    /// The dice to be played.
    pub dice: Option<DiceOnTable>,
    /// The legal moves, where they are few.
    pub legal: Vec<String>,
    /// The number of legal moves.
    pub count: usize,
    /// An example; of the other side if it is their turn.
    pub example: Option<String>,
    /// The board of tiles with its legal points.
    pub tiled: Option<TiledBoard>,
}

impl LegalMoves {
    /// Returns what to send instead, in whole sentences.
    pub(super) fn hint(&self) -> Option<String> {
        let example = self.example.as_deref().unwrap_or_default();
        let shown = self.board.map_or_else(String::new, |BoardId { game, number }| {
            format!(" To see the board, send `{game} show {number}`.")
        });
        if let Some(tiled) = &self.tiled {
            let marked = format!("The legal {}s are marked with +", tiled.place);
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
                "Write a move like {example}. Send `help {}` for all ways to write one.",
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

    /// Returns the dice as a sentence; nothing without dice.
    fn rolled(&self) -> String {
        let rolled = if self.board.is_some() { "You rolled" } else { "The dice are" };
        let one = if self.board.is_some() { "You rolled a" } else { "The die is a" };
        let Some(dice) = &self.dice else { return String::new() };
        match dice.higher_first()[..] {
            [die] if dice.is_double => format!("{rolled} {die} and {die}, a double. "),
            [die] => format!("{one} {die}. "),
            [a, b] => format!("{rolled} {a} and {b}. "),
            _ => String::new(),
        }
    }
}

/// Returns whether a move is a word such as `take` and not a play of men.
pub(crate) fn is_a_word(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// Returns why a move cannot be played. The reason of a rule names the step; other errors quote the
/// move.
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

/// Returns text with ASCII dashes.
fn plain(text: &str) -> String {
    text.chars().map(|sign| if is_dash(sign) { '-' } else { sign }).collect()
}

/// Returns what the player did who made the offer, as it follows "has".
fn proposed(what: Proposal) -> &'static str {
    match what {
        Proposal::Undo => "asked to take back a move",
        Proposal::Draw => "offered a draw",
        Proposal::Analysis => "asked for an analysis",
        Proposal::Abort => "asked to end the game without a result",
    }
}

fn title(board: &BoardId) -> &'static str {
    games::title(board.game)
}

impl BoardRefusal {
    /// The most observers of a board.
    pub const OBSERVERS: usize = 20;

    /// The most games analysed within 24 hours for a mailbox.
    pub const ANALYSES: usize = 20;

    /// The most days that a player may be given on a board.
    pub const DAYS_GIVEN: u32 = 365;

    /// Returns which games the program analyses, in a sentence. The games themselves are asked, once.
    pub(crate) fn analysed_games() -> &'static str {
        static SENTENCE: LazyLock<String> = LazyLock::new(|| {
            let is_judged = |game: &dyn AnyGame, options: &Choices| {
                game.setup(options).evaluation_unit().is_some()
            };
            let (mut titles, mut exceptions) = (Vec::new(), String::new());
            for game in GAMES.iter().copied().filter(|&game| is_judged(game, &Choices::default())) {
                let Spec { title, options, .. } = game.spec();
                titles.push(*title);
                for option in *options {
                    let chosen = Choices::one(option, None);
                    if chosen.is_ok_and(|chosen| !is_judged(game, &chosen)) {
                        let option = quoted(option.name);
                        let _ = write!(exceptions, "; {title} only without the option {option}");
                    }
                }
            }
            format!("It analyses {}{exceptions}.", AndList(&titles))
        });
        &SENTENCE
    }

    /// Returns the board of the refusal.
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
            | Self::NotAnalysable(board)
            | Self::TooManyAnalyses(board)
            | Self::NothingSubmitted(board)
            | Self::Undone(board)
            | Self::IsPlayer(board)
            | Self::NotWatched(board)
            | Self::TooManyObservers(board)
            | Self::MailboxSubscribed(board)
            | Self::Dice { board, .. }
            | Self::LongMessage { board, .. }
            | Self::LongNote { board, .. }
            | Self::NotInThisGame { board, .. }
            | Self::NeverDrawn(board)
            | Self::NoOffer(board)
            | Self::TooMuchTime(board)
            | Self::NeedsNoTime { board, .. }
            | Self::ClockStopped { board, .. }
            | Self::OfferGone(board)
            | Self::OtherOffer { board, .. }
            | Self::OfferChanged { board, .. }
            | Self::OfferOpen { board, .. }
            | Self::TooLateToDecline { board, .. }
            | Self::DrawRefused { board, .. }
            | Self::OwnOffer { board, .. }
            | Self::OwnOfferOpen { board, .. }
            | Self::NotPlaying { board, .. }
            | Self::NoDraws { board, .. }
            | Self::NotYourMove { board, .. }
            | Self::Stale { board, .. }
            | Self::TooManyProgramMoves { board, .. }
            | Self::NotExported { board, .. }
            | Self::NoSuchMove { board, .. } => Some(*board),
            Self::Plan(wrong) => Some(wrong.board),
            Self::Move { .. } => None,
        }
    }

    /// Returns the board of tiles to draw below the hint, where legal points were asked for.
    pub fn tiled_board(&self) -> Option<&TiledBoard> {
        match self {
            Self::Move { error: MoveError::Ambiguous(_), .. } => None,
            Self::Move { choice, .. } => choice.tiled.as_ref(),
            _ => None,
        }
    }
}
