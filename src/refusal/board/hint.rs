//! Hints to board refusals: what the player can send instead.

use super::BoardRefusal;
use crate::base::ids::BoardId;
use games::MoveError;

impl BoardRefusal {
    /// Returns what the player can send instead, if anything.
    pub(in crate::refusal) fn hint(&self) -> Option<String> {
        match self {
            Self::Damaged(_)
            | Self::NothingToAnalyse(_)
            | Self::NotAnalysable(_)
            | Self::TooManyAnalyses(_)
            | Self::Private(_)
            | Self::NothingSubmitted(_)
            | Self::Dice { .. }
            | Self::Hidden(_)
            | Self::NoDraws { .. }
            | Self::NeverDrawn(_) => Some(self.general_hint().into()),
            Self::OwnOfferOpen { .. }
            | Self::OfferOpen { .. }
            | Self::OtherOffer { .. }
            | Self::OfferChanged { .. }
            | Self::DrawRefused { .. }
            | Self::OwnOffer { .. } => self.offer_hint(),
            Self::Unknown(_)
            | Self::StillPlayed(_)
            | Self::NotInThisGame { .. }
            | Self::TooManyProgramMoves { .. }
            | Self::NotPlaying { .. }
            | Self::Over(_)
            | Self::NotOver(_)
            | Self::Stale { .. }
            | Self::NotYourMove { .. }
            | Self::NothingToTakeBack(_)
            | Self::Undone(_)
            | Self::IsPlayer(_)
            | Self::TooManyObservers(_)
            | Self::MailboxSubscribed(_)
            | Self::NoOffer(_)
            | Self::OfferGone(_)
            | Self::NotExported { .. }
            | Self::NoSuchMove { .. } => self.board().map(|board| self.board_hint(board)),
            Self::Move { error: MoveError::Ambiguous(readings), .. } => {
                Some(format!("Send one of these:\n\n  {}", readings.join("\n  ")))
            }
            Self::Move { choice, .. } => choice.hint(),
            Self::NotWatched(_) => None,
        }
    }

    /// Returns a hint that names no board.
    fn general_hint(&self) -> &'static str {
        match self {
            Self::Damaged(_) => "The operator has been told.",
            Self::NothingToAnalyse(_) => {
                "While a game goes on, its last two moves are not analysed. Play on, and ask again."
            }
            Self::NotAnalysable(_) => {
                "It analyses Backgammon, Plakoto and Moultezim, and Malaka and Moloko on the 9x9 \
                 board."
            }
            Self::TooManyAnalyses(_) => "Wait until tomorrow.",
            Self::Private(_) => "Only its two players can see it.",
            Self::NothingSubmitted(_) => {
                "First send the move with `<game> submit <board> <userid> <password> <move>`; then \
                 `confirm` plays it. A submitted move is dropped when another move is made."
            }
            Self::Dice { .. } => {
                "Send `help dice` to learn how dice are checked and when a seed word counts."
            }
            Self::Hidden(_) => {
                "Send the move itself, or `<game> show <board>` without a move number."
            }
            _ => "Play on, or send `resign`.",
        }
    }

    /// Returns the hint about an open offer.
    fn offer_hint(&self) -> Option<String> {
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
                Some(how_to_answer(*board, what.word()))
            }
            Self::OfferChanged { board, word } => Some(how_to_answer(*board, word)),
            Self::DrawRefused { .. } => Some("You can offer one again after the next move.".into()),
            _ => None,
        }
    }

    /// Returns a hint with commands for the board.
    fn board_hint(&self, BoardId { game, number }: BoardId) -> String {
        match self {
            Self::Unknown(_) => {
                format!("To find the number of a board, send `{game} games <userid>`.")
            }
            Self::StillPlayed(_) => format!(
                "When it is over, send `{game} analyse {number}` again. If your opponent agrees, \
                 you both get an analysis of all moves but the last two now. To ask for it, \
                 send\n\n  {game} propose {number} <userid> <password> analysis"
            ),
            Self::NotInThisGame { .. } => format!("Send `help {game}` for the rules of the game."),
            Self::TooManyProgramMoves { .. } => format!(
                "Send your move again in another mail:\n\n  {game} \
                 move {number} <userid> <password> <move>"
            ),
            Self::NotPlaying { user, .. } => format!(
                "Send `{game} games {user}` for the boards of {user}, or `{game} show {number}` to \
                 see this board."
            ),
            Self::Over(_) => format!(
                "To see how it ended, send `{game} show {number}`. For another game, reply \
                 with `rematch`, or send `{game} challenge <opponent>`."
            ),
            Self::NotOver(_) => format!(
                "A rematch can begin when this game has ended. For a second game at the same time, \
                 send `{game} challenge <opponent>`."
            ),
            Self::Stale { .. } => format!(
                "Reply to the newest mail about this board, or send `{game} show {number}` to see \
                 the board."
            ),
            Self::NotYourMove { .. } => format!(
                "You get a mail when it is your turn. To have a move ready for then, send `{game} \
                 queue {number} <userid> <password> <move>`."
            ),
            _ => format!("Send `{game} show {number}` to see the board."),
        }
    }
}

/// Returns the two answers to an offer, each as a command.
fn how_to_answer(BoardId { game, number }: BoardId, word: &str) -> String {
    format!(
        "To answer it, send one of\n\n  {game} accept {number} <userid> <password> {word}\n  \
         {game} reject {number} <userid> <password> {word}"
    )
}
