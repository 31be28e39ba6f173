//! Offers of players as sentences: the offer, its consequences, and the answer. No other file here
//! names the kinds of offers.

use crate::model::board::{Board, Offer, Proposal, RecordLine};
use crate::reply::board_mail::names::subject_and_verb;
use crate::reply::board_mail::news::BoardNews;
use games::{Entry, Seat, View};

/// Returns the open offer as a sentence.
pub(crate) fn open(board: &Board, view: &View) -> Option<String> {
    let reader = view.seat;
    let offer = board.offer?;
    let is_own = reader == Some(offer.by);
    let who = if is_own { "You" } else { board.player(offer.by).as_str() };
    let verb = |own: &'static str, other: &'static str| if is_own { own } else { other };
    Some(match offer.what {
        Proposal::Draw => format!("{who} {} a draw.", verb("offer", "offers")),
        Proposal::Analysis => {
            format!("{who} {} for an analysis of the moves so far.", verb("ask", "asks"))
        }
        Proposal::Abort => {
            format!("{who} {} to end the game without a result.", verb("ask", "asks"))
        }
        Proposal::Undo => {
            let decided = board.last_decision(offer.by)?;
            let turn = board.moves().nth(decided.moveno - 1)?;
            let ask = verb("ask", "asks");
            let text = board.game.text_for_viewer(view, turn.seat, turn.text.into_owned());
            format!("{who} {ask} to take back move {}, {text}.", decided.moveno)
        }
    })
}

/// Returns the open offer as a question, if the reader has to answer it.
pub(crate) fn asked(board: &Board, view: &View) -> Option<String> {
    let offer = board.offer.filter(|offer| view.seat == Some(offer.by.other()))?;
    let question = match offer.what {
        Proposal::Draw => "do you accept it?",
        Proposal::Undo | Proposal::Analysis | Proposal::Abort => "do you agree?",
    };
    let sentence = open(board, view)?;
    Some(format!("{}: {question}", sentence.trim_end_matches('.')))
}

/// Returns what an offer asks for, as it follows the player's name in a Subject.
pub(crate) fn asks(what: Proposal) -> &'static str {
    match what {
        Proposal::Draw => "offers a draw",
        Proposal::Undo => "asks for an undo",
        Proposal::Analysis => "asks for an analysis",
        Proposal::Abort => "asks to cancel the game",
    }
}

/// Returns the consequences of an offer, for the player who has to answer it. `agreed` is the day when
/// an unanswered draw counts as accepted.
pub(crate) fn what_follows(board: &Board, offer: Offer, agreed: Option<String>) -> String {
    match offer.what {
        Proposal::Undo if has_dice(board) => {
            "Later moves would be taken back, too; the dice stay the same. ".into()
        }
        Proposal::Undo => "Later moves would be taken back, too. ".into(),
        Proposal::Analysis => {
            "You would both get the program's analysis of all moves but the last two. ".into()
        }
        Proposal::Abort => {
            "The game would be over now, nobody would win, and no rating would change. ".into()
        }
        Proposal::Draw => agreed.map_or_else(String::new, |day| {
            format!(
                "If you neither answer nor move, the draw counts as accepted on {day}. Until then \
                 nobody loses on time. "
            )
        }),
    }
}

/// Returns the answer to an offer as sentences.
pub(crate) fn answered(
    board: &Board,
    what: &BoardNews,
    by: Seat,
    reader: Option<Seat>,
) -> Option<String> {
    let has = |own, other| subject_and_verb(board, by, reader, [own, other]);
    Some(match what {
        BoardNews::OfferRejected(Proposal::Undo) => {
            let refused = has("have refused", "has refused");
            format!("{refused} to take a move back. The game goes on as it was.")
        }
        BoardNews::OfferRejected(Proposal::Draw) => {
            format!("{} the draw. The game goes on.", has("have refused", "has refused"))
        }
        BoardNews::OfferRejected(Proposal::Analysis) => {
            format!("{} the analysis. The game goes on.", has("have refused", "has refused"))
        }
        BoardNews::OfferRejected(Proposal::Abort) => {
            let refused = has("have refused", "has refused");
            format!("{refused} to end the game without a result. The game goes on.")
        }
        BoardNews::Analysed { until } => {
            let agreed = has("have agreed", "has agreed");
            format!("{agreed}: the moves up to {until} are analysed below.")
        }
        BoardNews::OfferWithdrawn => {
            format!("{} the offer.", has("have withdrawn", "has withdrawn"))
        }
        BoardNews::TakenBack { from } => {
            let agreed = has("have agreed", "has agreed");
            let dice = if has_dice(board) {
                " The dice stay the same, and later rolls will come again."
            } else {
                ""
            };
            format!("{agreed}: move {from} and everything after it were taken back.{dice}")
        }
        _ => return None,
    })
}

/// Returns whether dice were rolled on a board.
pub(crate) fn has_dice(board: &Board) -> bool {
    let thrown = |line: &RecordLine| matches!(line.entry, Entry::Rolled(_));
    !board.kept.is_empty() || board.record.iter().any(thrown)
}
