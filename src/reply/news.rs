//! What a mail about a board begins with: what has just happened, then the state of the board, as
//! you would tell it to its reader across a table.

use super::block::{Block, TextElement};
use super::named::{name, verb, whom};
use super::standing::{standing, with_offer};
use super::{BoardNews, OperatorUndo, offer, question, turns};
use crate::model::board::Board;
use games::{Seat, View};

/// News of a board, as they are told.
#[derive(Clone, Copy, Debug)]
pub(super) struct NewsItem<'a> {
    /// What happened.
    pub(super) what: &'a BoardNews,
    /// The player who did it.
    pub(super) by: Option<Seat>,
    /// What they wrote beside it.
    pub(super) comment: &'a str,
    /// How many moves were made, by them or after.
    pub(super) moves: usize,
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
pub(super) fn told(board: &Board, news: &NewsItem, view: &View) -> Vec<Block> {
    let reader = view.seat;
    let standing = match news.what {
        // That is the news itself.
        BoardNews::Offered => standing(board, reader),
        _ => with_offer(board, view),
    };
    let asked = question::asked(board, view);
    if let (BoardNews::Chatted(said), Some(by)) = (news.what, news.by) {
        let name = name(board);
        let first = format!("{} on {name}:", verb(board, by, reader, ["wrote", "writes"]));
        let first = vec![TextElement::Heading(first), TextElement::Said(said.clone())];
        let standing = asked.into_iter().chain([standing]).collect::<Vec<_>>().join(" ");
        return vec![Block::Text(first), Block::sentence(standing)];
    }
    let is_over = board.is_over();
    let mut first = if is_over { vec![standing.clone()] } else { Vec::new() };
    first.extend(asked);
    first.extend(event(board, news, view));
    first.extend(turns::told(board, news.moves, view));
    if !is_over {
        first.push(standing);
    }
    let mut blocks = vec![Block::heading(first.join(" "))];
    if !is_over {
        blocks.extend(how_to_decline(board, news, reader).map(Block::sentence));
    }
    blocks.extend(of_auto(board, news.moves).map(Block::sentence));
    if let Some(by) = news.by.filter(|_| reader.is_some() && !news.said().is_empty()) {
        let who = format!("{}:", verb(board, by, reader, ["wrote", "writes"]));
        blocks.push(Block::Text(vec![
            TextElement::Sentence(who),
            TextElement::Said(news.said().into()),
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
        BoardNews::Offered if offer::asked(board, view).is_some() => None,
        BoardNews::Offered => offer::open(board, view),
        BoardNews::Unmade { from } => Some(format!("Move {from} and what followed is taken back.")),
        BoardNews::OfferRejected(_)
        | BoardNews::OfferWithdrawn
        | BoardNews::Analysed { .. }
        | BoardNews::TakenBack { .. } => offer::answered(board, news.what, news.by?, view.seat),
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
            let challenged = verb(board, by, reader, ["have challenged", "has challenged"]);
            format!("{challenged} {} to a game of {title}.", whom(board, by.other(), reader))
        }
        None => format!("A new game of {title} begins."),
    }
}

/// That a game begins because an open challenge was accepted.
fn accepted(board: &Board, number: u32, by: Seat, reader: Option<Seat>) -> String {
    let accepted = verb(board, by, reader, ["have accepted", "has accepted"]);
    let whose = match reader {
        Some(seat) if seat != by => format!("your open challenge {number}"),
        _ => format!("open challenge {number} of {}", whom(board, by.other(), reader)),
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
