//! What players can send instead of what was refused about a board.

use super::BoardRefusal;
use crate::base::ids::BoardId;
use games::MoveError;

impl BoardRefusal {
    /// What its player can send instead, if there is anything.
    pub(in crate::refusal) fn hint(&self) -> Option<String> {
        match self {
            Self::Damaged(_)
            | Self::NothingToAnalyse(_)
            | Self::NotJudged(_)
            | Self::AnalysedEnough(_)
            | Self::Private(_)
            | Self::NothingSubmitted(_)
            | Self::Dice { .. }
            | Self::Hidden(_)
            | Self::NoDraws { .. }
            | Self::NeverDrawn(_) => Some(self.hint_in_words().into()),
            Self::OwnOfferOpen { .. }
            | Self::OfferOpen { .. }
            | Self::OtherOffer { .. }
            | Self::OfferChanged { .. }
            | Self::DrawRefused { .. }
            | Self::OwnOffer { .. } => self.hint_about_offer(),
            Self::Unknown(_)
            | Self::StillPlayed(_)
            | Self::NoSuchWord { .. }
            | Self::ThoughtEnough { .. }
            | Self::NotPlaying { .. }
            | Self::Over(_)
            | Self::NotOver(_)
            | Self::Stale { .. }
            | Self::NotYourMove { .. }
            | Self::NothingToTakeBack(_)
            | Self::Undone(_)
            | Self::PlaysThere(_)
            | Self::TooManyObservers(_)
            | Self::WatchedFromThere(_)
            | Self::NoOffer(_)
            | Self::OfferGone(_)
            | Self::NotExported { .. }
            | Self::NoSuchMove { .. } => self.board().map(|board| self.hint_on(board)),
            Self::Move { error: MoveError::Ambiguous(readings), .. } => {
                Some(format!("Send one of these:\n\n  {}", readings.join("\n  ")))
            }
            Self::Move { choice, .. } => choice.hint(),
            Self::NotWatched(_) => None,
        }
    }

    /// What a player can do instead, whichever board it is.
    fn hint_in_words(&self) -> &'static str {
        match self {
            Self::Damaged(_) => "The operator has been told.",
            Self::NothingToAnalyse(_) => "The last two moves are left out.",
            Self::NotJudged(_) => {
                "It judges Backgammon, Plakoto and Moultezim, and Malaka and Moloko on the board \
                 of 9x9."
            }
            Self::AnalysedEnough(_) => "Wait until tomorrow.",
            Self::Private(_) => "Only its two players can see it.",
            Self::NothingSubmitted(_) => {
                "First send the move with `<game> submit <board> <userid> <password> <move>`; then \
                 `confirm` plays it. A submitted move is forgotten when the board goes on."
            }
            Self::Dice { .. } => "How dice are checked, and when a seed word counts: `help dice`.",
            Self::Hidden(_) => {
                "Send the move itself, or `<game> show <board>` without a move number."
            }
            _ => "Play on, or send `resign`.",
        }
    }

    /// What a player can send about an offer that is open.
    fn hint_about_offer(&self) -> Option<String> {
        let withdrawn = |board: BoardId| format!("{} reject {}", board.game, board.number);
        match self {
            Self::OwnOfferOpen { board, what, .. } => Some(format!(
                "Wait for the answer, or withdraw it:\n\n  {} <userid> <password> {}",
                withdrawn(*board),
                what.word()
            )),
            Self::OwnOffer { board, .. } => {
                Some(format!("To withdraw it, send\n\n  {} <userid> <password>", withdrawn(*board)))
            }
            Self::OfferOpen { board, what, .. } | Self::OtherOffer { board, what, .. } => {
                Some(how_to_say(*board, what.word()))
            }
            Self::OfferChanged { board, word } => Some(how_to_say(*board, word)),
            Self::DrawRefused { .. } => Some("You can offer one again after the next move.".into()),
            _ => None,
        }
    }

    /// What a player can send about that board.
    fn hint_on(&self, BoardId { game, number }: BoardId) -> String {
        match self {
            Self::Unknown(_) => {
                format!("To find the number of a board, send `{game} games <userid>`.")
            }
            Self::StillPlayed(_) => format!(
                "When it is over, send `{game} analyse {number}` again. Of the moves so far, but \
                 for the last two, you are told if your opponent agrees. To ask, send\n\n  {game} \
                 propose {number} <userid> <password> analysis"
            ),
            Self::NoSuchWord { .. } => format!("Send `help {game}` for the rules of the game."),
            Self::ThoughtEnough { .. } => format!(
                "Send it again in another mail, with your move in place of <move>:\n\n  {game} \
                 move {number} <userid> <password> <move>"
            ),
            Self::NotPlaying { user, .. } => format!(
                "Send `{game} games {user}` for the boards of {user}, or `{game} show {number}` to \
                 see this one."
            ),
            Self::Over(_) => format!(
                "To see how it ended, send `{game} show {number}`. For another game, reply \
                 `rematch`, or send `{game} challenge <opponent>`."
            ),
            Self::NotOver(_) => format!(
                "A rematch can begin when this game has ended. For a second game at the same time, \
                 send `{game} challenge <opponent>`."
            ),
            Self::Stale { .. } => format!(
                "Reply to the newest mail about this board, or send `{game} show {number}` to see \
                 it."
            ),
            Self::NotYourMove { .. } => format!(
                "You get a mail when it is your turn. To have a move ready for then, send `{game} \
                 queue {number} <userid> <password> <move>`."
            ),
            _ => format!("Send `{game} show {number}` to see the board."),
        }
    }
}

/// How an answer says what it is to.
fn how_to_say(BoardId { game, number }: BoardId, word: &str) -> String {
    format!(
        "To answer it, send one of\n\n  {game} accept {number} <userid> <password> {word}\n  \
         {game} reject {number} <userid> <password> {word}"
    )
}
