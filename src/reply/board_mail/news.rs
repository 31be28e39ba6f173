//! What a mail about a board begins with: what has just happened, then the state of the board, as
//! you would tell it to its reader across a table.

use crate::model::board::{Board, Proposal};
use crate::reply::board_mail::names::{board_name, object_name, subject_and_verb};
use crate::reply::board_mail::state_sentence::{state_sentence, state_with_offer};
use crate::reply::board_mail::{offers, questions, recent_moves};
use crate::reply::letters::blocks::{Block, TextElement};
use games::{Seat, View};

/// What happened on a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardNews {
    /// It was set up.
    Begun,
    /// It was set up because the open challenge of that number was accepted.
    Accepted(u32),
    /// It was set up with what was played elsewhere.
    Imported,
    /// A move was made, or the board was given up.
    Moved,
    /// A player said something.
    Chatted(String),
    /// A player offered what the board shows as open.
    Offered,
    /// An offer was rejected.
    OfferRejected(Proposal),
    /// An offer was withdrawn.
    OfferWithdrawn,
    /// The players agreed to take moves back.
    TakenBack {
        /// The number of the first of them.
        from: usize,
    },
    /// The players agreed that the program tells what it thinks of the moves so far.
    Analysed {
        /// The number of the last move that it tells about.
        until: usize,
    },
    /// A player took moves back, with nobody to ask.
    Unmade {
        /// The number of the first of them.
        from: usize,
    },
    /// The operator took something back.
    Undone(OperatorUndo),
    /// The operator wrote something else in its place.
    Mended,
}

/// What the operator took back on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperatorUndo {
    /// Whether that is how the game was ended.
    pub closing: bool,
    /// The number of the first move, if moves were taken back.
    pub from: Option<usize>,
    /// Whether the rolls taken back are forgotten.
    pub new_dice: bool,
}

impl BoardNews {
    /// Whether players have begun a board here: those who want to hear of every board do.
    pub(crate) fn is_new(&self) -> bool {
        matches!(self, Self::Begun | Self::Accepted(_))
    }

    /// Whether observers hear of it: what changes the board is public, what players say is not.
    pub(crate) fn is_public(&self) -> bool {
        match self {
            Self::Begun
            | Self::Accepted(_)
            | Self::Imported
            | Self::Moved
            | Self::TakenBack { .. }
            | Self::Unmade { .. }
            | Self::Undone(_)
            | Self::Mended => true,
            Self::Chatted(_)
            | Self::Offered
            | Self::OfferRejected(_)
            | Self::OfferWithdrawn
            | Self::Analysed { .. } => false,
        }
    }
}

/// News of a board, as they are told.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewsItem<'a> {
    /// What happened.
    pub(crate) what: &'a BoardNews,
    /// The player who did it.
    pub(crate) by: Option<Seat>,
    /// What they wrote beside it.
    pub(crate) comment: &'a str,
    /// How many moves were made, by them or after.
    pub(crate) moves: usize,
}

impl NewsItem<'_> {
    /// What was said to the other player.
    fn said(&self) -> &str {
        match self.what {
            BoardNews::Chatted(said) => said,
            _ => self.comment,
        }
    }
}

/// The news for a player or, without a seat, for a user who watches.
pub(crate) fn told(board: &Board, news: &NewsItem, view: &View) -> Vec<Block> {
    let reader = view.seat;
    let standing = match news.what {
        // That is the news itself.
        BoardNews::Offered => state_sentence(board, reader),
        _ => state_with_offer(board, view),
    };
    let asked = questions::asked(board, view);
    if let (BoardNews::Chatted(said), Some(by)) = (news.what, news.by) {
        let name = board_name(board);
        let first =
            format!("{} on {name}:", subject_and_verb(board, by, reader, ["wrote", "writes"]));
        let first = vec![TextElement::Heading(first), TextElement::Quote(said.clone())];
        let standing = asked.into_iter().chain([standing]).collect::<Vec<_>>().join(" ");
        return vec![Block::Text(first), Block::sentence(standing)];
    }
    let is_over = board.is_over();
    let mut first = if is_over { vec![standing.clone()] } else { Vec::new() };
    first.extend(asked);
    first.extend(event(board, news, view));
    first.extend(recent_moves::told(board, news.moves, view));
    if !is_over {
        first.push(standing);
    }
    let mut blocks = vec![Block::heading(first.join(" "))];
    if !is_over {
        blocks.extend(how_to_decline(board, news, reader).map(Block::sentence));
    }
    blocks.extend(of_auto(board, news.moves).map(Block::sentence));
    if let Some(by) = news.by.filter(|_| reader.is_some() && !news.said().is_empty()) {
        let who = format!("{}:", subject_and_verb(board, by, reader, ["wrote", "writes"]));
        blocks.push(Block::Text(vec![
            TextElement::Sentence(who),
            TextElement::Quote(news.said().into()),
        ]));
    }
    blocks
}

/// What was done beside moves, as sentences.
fn event(board: &Board, news: &NewsItem, view: &View) -> Option<String> {
    match news.what {
        BoardNews::Begun => Some(begun(board, news.by, view.seat)),
        BoardNews::Accepted(number) => Some(accepted(board, *number, news.by?, view.seat)),
        BoardNews::Imported => {
            let operator = "The operator of the server has set up this board with what was played \
                            elsewhere.";
            Some(operator.into())
        }
        BoardNews::Undone(_) | BoardNews::Mended => happened(news.what),
        // The question to its reader has told it.
        BoardNews::Offered if offers::asked(board, view).is_some() => None,
        BoardNews::Offered => offers::open(board, view),
        BoardNews::Unmade { from } => Some(format!("Move {from} and what followed is taken back.")),
        BoardNews::OfferRejected(_)
        | BoardNews::OfferWithdrawn
        | BoardNews::Analysed { .. }
        | BoardNews::TakenBack { .. } => offers::answered(board, news.what, news.by?, view.seat),
        BoardNews::Moved | BoardNews::Chatted(_) => None,
    }
}

/// That a game begins.
fn begun(board: &Board, by: Option<Seat>, reader: Option<Seat>) -> String {
    let title = board.game.spec().title;
    match by {
        _ if board.game.spec().manner.solo => {
            format!("A new game of {title} begins; you play alone.")
        }
        Some(by) if reader == Some(by.other()) => {
            let challenger = board.player(by);
            format!("{challenger} challenges you to a game of {title}: do you want to play?")
        }
        Some(by) => {
            let challenged =
                subject_and_verb(board, by, reader, ["have challenged", "has challenged"]);
            format!("{challenged} {} to a game of {title}.", object_name(board, by.other(), reader))
        }
        None => format!("A new game of {title} begins."),
    }
}

/// That a game begins because an open challenge was accepted.
fn accepted(board: &Board, number: u32, by: Seat, reader: Option<Seat>) -> String {
    let accepted = subject_and_verb(board, by, reader, ["have accepted", "has accepted"]);
    let whose = match reader {
        Some(seat) if seat != by => format!("your open challenge {number}"),
        _ => format!("open challenge {number} of {}", object_name(board, by.other(), reader)),
    };
    format!("{accepted} {whose}.")
}

/// How a user who did not ask for a game gets rid of it.
fn how_to_decline(board: &Board, news: &NewsItem, reader: Option<Seat>) -> Option<String> {
    let reader = reader.filter(|reader| news.what.is_new() && news.by != Some(*reader))?;
    let is_solo = board.game.spec().manner.solo;
    let opponent = board.player(reader.other());
    (!is_solo).then(|| {
        format!(
            "If you do not want to play {opponent}, resign before your first move: that declines \
             the game and counts for nothing."
        )
    })
}

/// What `(auto)` means, where the first move of a board that bears it is among the latest.
fn of_auto(board: &Board, made: usize) -> Option<String> {
    let first = board.moves().position(|turn| turn.auto)?;
    let before = board.moves().count().saturating_sub(made);
    (first >= before && made > 0).then(|| {
        let settings = board.game.spec().settings;
        let is_chosen = settings.iter().any(|setting| setting.switch.name == "greedy");
        let greedy = if is_chosen { ", or the player's setting `greedy` chose it" } else { "" };
        format!("(auto) means that the server made this move: no other was possible{greedy}.")
    })
}

/// What the operator did, as both players read it.
fn happened(what: &BoardNews) -> Option<String> {
    let OperatorUndo { closing, from, new_dice } = match what {
        BoardNews::Undone(undone) => *undone,
        BoardNews::Mended => {
            return Some(
                "The operator of the server has mended this board. It is now as you see it \
                 here; forget what older mails showed."
                    .into(),
            );
        }
        _ => return None,
    };
    let moves = from.map(|from| format!("move {from} and what followed"));
    let what = match (closing, moves) {
        (true, Some(moves)) => format!("the end of this game, and {moves}"),
        (true, None) => "the end of this game".into(),
        (false, moves) => moves.unwrap_or_default(),
    };
    let dice = match (from, new_dice) {
        (None, _) => "",
        (Some(_), false) => " The dice stay the same, and those rolled later will come again.",
        (Some(_), true) => " The dice to be played stay the same; others will be rolled later.",
    };
    Some(format!(
        "The operator of the server has taken back {what}: the game goes on from here.{dice} The \
         clock of this turn begins anew, and what was taken back has taken nobody's time."
    ))
}
