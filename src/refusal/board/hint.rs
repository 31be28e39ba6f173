//! Hints to board refusals: what the player can send instead.

use super::{BoardRefusal, PlanProblem, WrongPlan};
use crate::base::ids::BoardId;
use games::MoveError;

impl BoardRefusal {
    /// Returns what the player can send instead, if anything.
    #[expect(clippy::too_many_lines, reason = "one hint for each refusal")]
    pub(in crate::refusal) fn hint(&self) -> Option<String> {
        if let Self::Move { error, choice, .. } = self {
            return match error {
                MoveError::Ambiguous(readings) => {
                    Some(format!("Send one of these:\n\n  {}", readings.join("\n  ")))
                }
                _ => choice.hint(),
            };
        }
        let BoardId { game, number } = self.board()?;
        let plain = match self {
            Self::Damaged(_) => "The operator has been told.",
            Self::NothingToAnalyse(_) => {
                "While a game goes on, its last two moves are not analysed. Play on, and ask again."
            }
            Self::NotAnalysable(_) => Self::analysed_games(),
            Self::TooManyAnalyses(_) => "Wait until tomorrow.",
            Self::LongMessage { .. } => "Shorten it, or send it in parts.",
            Self::LongNote { .. } => "Shorten it. The note that you had stays as it is.",
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
            Self::NoDraws { .. } | Self::NeverDrawn(_) => "Play on, or send `resign`.",
            Self::NeedsNoTime { .. } => "It is your turn to move.",
            Self::ClockStopped { .. } => "Give them time when it is their turn.",
            Self::TooMuchTime(_) => {
                "To end the game without a result, send `<game> propose <board> <userid> \
                 <password> cancel`."
            }
            Self::TooLateToDecline { .. } => "To give the game up, send `resign`.",
            Self::DrawRefused { .. } => "You can offer one again after the next move.",
            Self::OwnOfferOpen { what, .. } => {
                return Some(format!(
                    "Wait for the answer, or withdraw it:\n\n  {game} reject {number} <userid> \
                     <password> {}",
                    what.word()
                ));
            }
            Self::OwnOffer { .. } => {
                return Some(format!(
                    "To withdraw it, send\n\n  {game} reject {number} <userid> <password>"
                ));
            }
            Self::OfferOpen { board, what, .. } | Self::OtherOffer { board, what, .. } => {
                return Some(how_to_answer(*board, what.word()));
            }
            Self::OfferChanged { board, word } => return Some(how_to_answer(*board, word)),
            Self::Unknown(_) => {
                return Some(format!(
                    "To find the number of a board, send `{game} games <userid>`."
                ));
            }
            Self::StillPlayed(_) => {
                return Some(format!(
                    "When it is over, send `{game} analyse {number}` again. If your opponent agrees, \
                 you both get an analysis of all moves but the last two now. To ask for it, \
                 send\n\n  {game} propose {number} <userid> <password> analysis"
                ));
            }
            Self::NotInThisGame { .. } => {
                return Some(format!("Send `help {game}` for the rules of the game."));
            }
            Self::TooManyProgramMoves { .. } => {
                return Some(format!(
                    "Send your move again in another mail:\n\n  {game} \
                 move {number} <userid> <password> <move>"
                ));
            }
            Self::NotPlaying { user, .. } => {
                return Some(format!(
                    "Send `{game} games {user}` for the boards of {user}, or `{game} show {number}` to \
                 see this board."
                ));
            }
            Self::Over(_) => {
                return Some(format!(
                    "To see how it ended, send `{game} show {number}`. For another game, reply \
                 with `rematch`, or send `{game} challenge <opponent>`."
                ));
            }
            Self::NotOver(_) => {
                return Some(format!(
                    "A rematch can begin when this game has ended. For a second game at the same time, \
                 send `{game} challenge <opponent>`."
                ));
            }
            Self::Stale { .. } => {
                return Some(format!(
                    "Reply to the newest mail about this board, or send `{game} show {number}` to see \
                 the board."
                ));
            }
            Self::NotYourMove { .. } => {
                return Some(format!(
                    "You get a mail when it is your turn. To have a move ready for then, send `{game} \
                 queue {number} <userid> <password> <move>`."
                ));
            }
            Self::Plan(wrong) => return Some(plan_hint(wrong)),
            Self::NothingToTakeBack(_)
            | Self::Undone(_)
            | Self::IsPlayer(_)
            | Self::TooManyObservers(_)
            | Self::MailboxSubscribed(_)
            | Self::NoOffer(_)
            | Self::OfferGone(_)
            | Self::NotExported { .. }
            | Self::NoSuchMove { .. } => {
                return Some(format!("Send `{game} show {number}` to see the board."));
            }
            Self::NotWatched(_) | Self::Move { .. } => return None,
        };
        Some(plain.into())
    }
}

/// Returns the two answers to an offer, each as a command.
fn how_to_answer(BoardId { game, number }: BoardId, word: &str) -> String {
    format!(
        "To answer it, send one of\n\n  {game} accept {number} <userid> <password> {word}\n  \
         {game} reject {number} <userid> <password> {word}"
    )
}

/// Returns what a player can send in place of a plan that cannot be kept.
fn plan_hint(wrong: &WrongPlan) -> String {
    let (BoardId { game, number }, example) = (wrong.board, &wrong.example);
    match wrong.problem {
        PlanProblem::Alone => {
            "Send several points at once instead, in the order of their presses.".into()
        }
        PlanProblem::NoLine { .. } => {
            format!("Send `{game} plan {number} <userid> <password>` to see your plan.")
        }
        PlanProblem::Choice => "Send your move, and after it `plan` with the word `forced`.".into(),
        _ => format!(
            "Your plan is as it was before. A plan could be `{game} plan {number} <userid> <password> \
             {example}`. Send `help plan` for all ways to write one."
        ),
    }
}
