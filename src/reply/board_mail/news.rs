//! The beginning of a mail about a board: what has just happened, then the state of the board.

use crate::base::words::Plural;
use crate::model::board::{Board, Proposal};
use crate::reply::board_mail::names::{board_name, object_name, subject_and_verb};
use crate::reply::board_mail::state_sentence::{state_sentence, state_with_offer};
use crate::reply::board_mail::{offers, questions, recent_moves};
use crate::reply::letters::{Block, TextElement};
use games::{Seat, View};

/// An event on a board, as its mails report it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardNews {
    /// The board was set up by a challenge.
    Begun,
    /// The board was set up because the open challenge of this number was accepted.
    Accepted(u32),
    /// The operator set the board up from a game played elsewhere.
    Imported,
    /// Moves were made, or the game was resigned or lost on time.
    Moved,
    /// A player sent a message.
    Chatted(String),
    /// A player made the offer that is open on the board.
    Offered,
    /// An offer was rejected.
    OfferRejected(Proposal),
    /// An offer was withdrawn.
    OfferWithdrawn,
    /// The players agreed to take moves back.
    TakenBack {
        /// The number of the first of these moves.
        from: usize,
    },
    /// The players agreed to an analysis of the game in progress.
    Analysed {
        /// The number of the last analysed move.
        until: usize,
    },
    /// A player gave the opponent time.
    TimeGiven {
        /// The days.
        days: u32,
    },
    /// A player took moves back without having to ask.
    TakenBackAlone {
        /// The number of the first of these moves.
        from: usize,
    },
    /// The operator took something back.
    OperatorUndone(OperatorUndo),
    /// The operator edited the board.
    OperatorEdited,
}

/// The part of a game that the operator took back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperatorUndo {
    /// Whether the end of the game was taken back.
    pub is_reopened: bool,
    /// The number of the first move taken back, if any.
    pub from: Option<usize>,
    /// Whether the rolls taken back are replaced by new ones.
    pub has_new_dice: bool,
}

impl BoardNews {
    /// Returns whether players began the board, of which listeners get a notice.
    pub(crate) fn is_new(&self) -> bool {
        matches!(self, Self::Begun | Self::Accepted(_))
    }

    /// Returns whether observers get the news: changes of the board are public, messages and offers are
    /// not.
    pub(crate) fn is_public(&self) -> bool {
        match self {
            Self::Begun
            | Self::Accepted(_)
            | Self::Imported
            | Self::Moved
            | Self::TakenBack { .. }
            | Self::TakenBackAlone { .. }
            | Self::OperatorUndone(_)
            | Self::OperatorEdited => true,
            Self::Chatted(_)
            | Self::Offered
            | Self::OfferRejected(_)
            | Self::OfferWithdrawn
            | Self::TimeGiven { .. }
            | Self::Analysed { .. } => false,
        }
    }
}

/// News of a board with its circumstances.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewsItem<'a> {
    /// The event.
    pub(crate) what: &'a BoardNews,
    /// The player who did it; none for the operator and the clock.
    pub(crate) by: Option<Seat>,
    /// The player's comment.
    pub(crate) comment: &'a str,
    /// The number of moves made, by the player and in answer.
    pub(crate) moves: usize,
}

impl NewsItem<'_> {
    /// Returns the player's words to the opponent.
    fn words(&self) -> &str {
        match self.what {
            BoardNews::Chatted(said) => said,
            _ => self.comment,
        }
    }
}

/// Builds the news for a player or, without a seat in the view, for an observer.
pub(crate) fn news_blocks(board: &Board, news: &NewsItem, view: &View) -> Vec<Block> {
    let reader = view.seat;
    let state = match news.what {
        // The news says already whose offer it is.
        BoardNews::Offered => state_sentence(board, reader),
        _ => state_with_offer(board, view),
    };
    let asked = questions::asked(board, view);
    if let (BoardNews::Chatted(said), Some(by)) = (news.what, news.by) {
        let name = board_name(board);
        let first =
            format!("{} on {name}:", subject_and_verb(board, by, reader, ["wrote", "writes"]));
        let first = vec![TextElement::Heading(first), TextElement::Quote(said.clone())];
        let state = asked.into_iter().chain([state]).collect::<Vec<_>>().join(" ");
        return vec![Block::Text(first), Block::sentence(state)];
    }
    let is_over = board.is_over();
    let mut first = if is_over { vec![state.clone()] } else { Vec::new() };
    first.extend(asked);
    first.extend(event(board, news, view));
    first.extend(recent_moves::sentences(board, news.moves, view));
    if !is_over {
        first.push(state);
    }
    let mut blocks = vec![Block::heading(first.join(" "))];
    if !is_over {
        blocks.extend(decline_note(board, news, reader).map(Block::sentence));
    }
    blocks.extend(auto_note(board, news.moves).map(Block::sentence));
    if let Some(by) = news.by.filter(|_| reader.is_some() && !news.words().is_empty()) {
        let who = format!("{}:", subject_and_verb(board, by, reader, ["wrote", "writes"]));
        blocks.push(Block::Text(vec![
            TextElement::Sentence(who),
            TextElement::Quote(news.words().into()),
        ]));
    }
    blocks
}

/// Returns what was done besides moves, as sentences.
fn event(board: &Board, news: &NewsItem, view: &View) -> Option<String> {
    match news.what {
        BoardNews::Begun => Some(begun(board, news.by, view.seat)),
        BoardNews::Accepted(number) => Some(accepted(board, *number, news.by?, view.seat)),
        BoardNews::Imported => {
            let operator = "The operator of the server has set up this board from a game played \
                            elsewhere.";
            Some(operator.into())
        }
        BoardNews::OperatorUndone(undone) => Some(taken_back_by_operator(*undone)),
        BoardNews::OperatorEdited => {
            let corrected = "The operator of the server has corrected this board. It is now as shown \
                             here; ignore what older mails show.";
            Some(corrected.into())
        }
        // The question to the reader says it.
        BoardNews::Offered if offers::asked(board, view).is_some() => None,
        BoardNews::Offered => offers::open(board, view),
        BoardNews::TakenBackAlone { from } => {
            Some(format!("Move {from} and everything after it were taken back."))
        }
        BoardNews::OfferRejected(_)
        | BoardNews::OfferWithdrawn
        | BoardNews::Analysed { .. }
        | BoardNews::TakenBack { .. } => offers::answered(board, news.what, news.by?, view.seat),
        BoardNews::TimeGiven { days } => {
            let by = news.by?;
            let gives = subject_and_verb(board, by, view.seat, ["have given", "has given"]);
            let days = Plural(usize::try_from(*days).unwrap_or(usize::MAX), "more day");
            Some(format!("{gives} {} {days}.", object_name(board, by.other(), view.seat)))
        }
        BoardNews::Moved | BoardNews::Chatted(_) => None,
    }
}

/// Returns the sentence that a game begins.
fn begun(board: &Board, by: Option<Seat>, reader: Option<Seat>) -> String {
    let title = board.game.spec().title;
    match by {
        _ if board.game.spec().manner.is_solo => {
            format!("A new game of {title} begins. You play it alone.")
        }
        Some(by) if reader == Some(by.other()) => {
            let challenger = board.player(by);
            if board.is_of_ladder {
                return format!("{challenger} challenges you on the {title} ladder.");
            }
            format!("{challenger} challenges you to a game of {title}: do you want to play?")
        }
        Some(by) => {
            let challenged =
                subject_and_verb(board, by, reader, ["have challenged", "has challenged"]);
            if board.is_of_ladder {
                let opponent = object_name(board, by.other(), reader);
                return format!("{challenged} {opponent} on the {title} ladder.");
            }
            format!("{challenged} {} to a game of {title}.", object_name(board, by.other(), reader))
        }
        None => format!("A new game of {title} begins."),
    }
}

/// Returns the sentence that an open challenge was accepted.
fn accepted(board: &Board, number: u32, by: Seat, reader: Option<Seat>) -> String {
    let accepted = subject_and_verb(board, by, reader, ["have accepted", "has accepted"]);
    let whose = match reader {
        Some(seat) if seat != by => format!("your open challenge {number}"),
        _ => format!("open challenge {number} of {}", object_name(board, by.other(), reader)),
    };
    format!("{accepted} {whose}.")
}

/// Returns how a player declines a game that they did not ask for.
fn decline_note(board: &Board, news: &NewsItem, reader: Option<Seat>) -> Option<String> {
    let reader = reader.filter(|reader| news.what.is_new() && news.by != Some(*reader))?;
    let is_optional = board.can_decline(reader);
    let opponent = board.player(reader.other());
    is_optional.then(|| {
        format!(
            "If you do not want to play {opponent}, reply with `decline` before your first move: \
             then the game does not count."
        )
    })
}

/// Returns what `(auto)` means, if the board's first such move is among the latest.
fn auto_note(board: &Board, made: usize) -> Option<String> {
    let first = board.moves().position(|turn| turn.auto)?;
    let before = board.moves().count().saturating_sub(made);
    (first >= before && made > 0).then(|| {
        let settings = board.game.spec().settings;
        let is_chosen = settings.iter().any(|setting| setting.switch.name == "greedy");
        let greedy = if is_chosen { ", or the player's setting `greedy` chose it" } else { "" };
        format!("(auto) means that the server made this move: no other was possible{greedy}.")
    })
}

/// Returns what the operator took back, as both players read it.
fn taken_back_by_operator(undone: OperatorUndo) -> String {
    let OperatorUndo { is_reopened, from, has_new_dice } = undone;
    let moves = from.map(|from| format!("move {from} and everything after it"));
    let what = match (is_reopened, moves) {
        (true, Some(moves)) => format!("the end of this game, and {moves}"),
        (true, None) => "the end of this game".into(),
        (false, moves) => moves.unwrap_or_default(),
    };
    let dice = match (from, has_new_dice) {
        (None, _) => "",
        (Some(_), false) => " The dice stay the same, and later rolls will come again.",
        (Some(_), true) => " The dice to be played stay the same; later rolls will be new.",
    };
    format!(
        "The operator of the server has taken back {what}: the game goes on from here.{dice} The \
         clock of this turn starts again, and nobody loses time for what was taken back."
    )
}
