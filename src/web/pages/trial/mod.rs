//! A board on which a visitor tries moves of both sides: what if, and study. Its whole state is in the
//! address: the rolls and moves so far, the steps of an unfinished move, and the chosen man.

mod address;
mod opinions;
mod page;

pub(super) use address::{TrialAddress, with_tried};

use crate::command::{MAX_TRIED_MOVES, TriedMoves, TriedStep, try_moves};
use crate::web::html::error_page::{ErrorText, PageError, PageResult};
use crate::web::http::request::WebRequest;
use crate::web::site::{Opinions, Site, TriedMove};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use games::{AnyGame, AnyPosition, Next, PartialMove, Roll, Seat, Throw, Thrower, View};
use maud::{Markup, html};
use std::sync::Arc;

/// The name of a roll that chance chooses.
const RANDOM: &str = "random";

/// Search engines must not follow the links of a trial, which never end.
const NO_ROBOTS: (&str, &str) = ("x-robots-tag", "noindex, nofollow");

/// What the query says about a trial.
#[derive(Clone, Debug, Default)]
struct TrialQuery {
    /// The rolls and moves.
    moves: String,
    /// The steps of an unfinished move.
    steps: Vec<String>,
    /// The spot whose man is chosen.
    from: Option<String>,
    /// The roll that was chosen, to be put behind the moves.
    roll: Option<String>,
    /// The number of rolls and moves to keep.
    keep: Option<String>,
}

/// The beginning of a trial.
pub(super) struct TrialStart {
    pub(super) game: &'static dyn AnyGame,
    pub(super) address: TrialAddress,
    pub(super) position: Box<dyn AnyPosition>,
    pub(super) view: View,
    /// Whether the visitor has flipped the board.
    pub(super) is_flipped: bool,
    /// The names of the players, or of the sides where nobody plays.
    pub(super) names: [String; 2],
    /// Whether the page tells the program's opinion.
    pub(super) has_opinion: bool,
    /// Why the trial does not begin where the query says.
    pub(super) notice: Option<String>,
    /// The title of the page.
    pub(super) title: String,
    /// The head of the page, above the board.
    pub(super) head: Markup,
    /// The rest of the page, below everything else.
    pub(super) foot: Markup,
    /// The form that makes a plan of the moves, for a player of the board.
    pub(super) plan: Option<PlanForm>,
}

/// The form that makes a plan of the moves that a player has tried.
pub(super) struct PlanForm {
    /// The player.
    pub(super) seat: Seat,
    /// Whether it is their turn, so that the first move is played at once.
    pub(super) is_turn: bool,
    /// The path of the board, to which the form is posted.
    pub(super) path: String,
    /// The hidden fields.
    pub(super) fields: Markup,
    /// The plan so far.
    pub(super) lines: Vec<String>,
}

/// A board on which moves were tried.
pub(super) struct Trial {
    start: TrialStart,
    tried: TriedMoves,
    /// The words in the address, as typed.
    typed: String,
    /// The move that is put together, if one is due.
    partial_move: Option<PartialMove>,
    /// The steps of that move.
    steps: Vec<String>,
    /// The spot whose man is chosen.
    from: Option<String>,
    /// The steps of the last move, if this request has completed it.
    completed: Vec<String>,
    /// Why the address cannot be followed to its end.
    notice: Option<String>,
}

/// A trial to show, or the address where it is.
pub(super) enum TrialOutcome {
    Shown(Box<Trial>),
    Elsewhere(String),
}

impl TrialQuery {
    fn read(request: &WebRequest) -> Self {
        let value = |name: &str| request.query_value(name).map(str::to_owned);
        let steps = request.query_value("play").unwrap_or_default();
        Self {
            moves: value("moves").unwrap_or_default(),
            steps: steps.split(',').filter(|step| !step.is_empty()).map(Into::into).collect(),
            from: value("from"),
            roll: value("roll"),
            keep: value("keep"),
        }
    }
}

impl TrialStart {
    /// Follows the query of a request from here. `dice` throws a roll that is left to chance.
    ///
    /// # Errors
    /// The query names a roll that is not due, or more moves to keep than there are.
    pub(super) fn follow(
        self,
        request: &WebRequest,
        dice: &mut dyn Thrower,
    ) -> PageResult<TrialOutcome> {
        let query = TrialQuery::read(request);
        let words: Vec<&str> = query.moves.split_whitespace().take(2 * MAX_TRIED_MOVES).collect();
        let tried = try_moves(self.game, self.position.copy(), &self.view, &words, false);
        let refused = tried.refused.as_ref().map(ToString::to_string);
        let notice = self.notice.clone().or(refused);
        let mut trial = Trial {
            start: self,
            tried,
            typed: query.moves,
            partial_move: None,
            steps: Vec::new(),
            from: query.from,
            completed: Vec::new(),
            notice,
        };
        if let Some(keep) = query.keep {
            let keep = keep.parse().ok().filter(|keep| *keep <= trial.tried.steps.len());
            let keep = keep.ok_or(PageError::NotFound)?;
            return Ok(TrialOutcome::Elsewhere(trial.address_of(&trial.moves()[..keep])));
        }
        if let Some(roll) = query.roll {
            let roll = trial.chosen_roll(&roll, dice).ok_or(PageError::NotFound)?.to_string();
            let mut moves = trial.moves();
            moves.push(&roll);
            return Ok(TrialOutcome::Elsewhere(trial.address_of(&moves)));
        }
        trial.make_steps(query.steps);
        Ok(TrialOutcome::Shown(Box::new(trial)))
    }
}

impl Trial {
    /// Returns the rolls and moves so far, as an address has them.
    fn moves(&self) -> Vec<&str> {
        self.tried.steps.iter().map(|step| &*step.words).collect()
    }

    /// Returns the address after some moves.
    fn address_of(&self, moves: &[&str]) -> String {
        self.start.address.after(moves, &[], None)
    }

    /// Returns the address after the moves so far and another one.
    fn address_with(&self, word: &str) -> String {
        let mut moves = self.moves();
        moves.push(word);
        self.address_of(&moves)
    }

    /// Returns the address of what is shown, without the chosen man.
    fn address_shown(&self) -> String {
        // The steps of a move that this request has completed are in the moves.
        self.start.address.after(&self.moves(), &self.steps, None)
    }

    /// Returns whether no further roll or move can be tried.
    fn is_full(&self) -> bool {
        self.tried.steps.len() >= MAX_TRIED_MOVES
    }

    /// Returns the throw that is due, if any.
    fn due_throw(&self) -> Option<Throw> {
        match self.tried.position.next() {
            Next::Roll(throw) | Next::Ready(_, throw) if !self.is_full() => Some(throw),
            _ => None,
        }
    }

    /// Reads a chosen roll, or throws one.
    fn chosen_roll(&self, text: &str, dice: &mut dyn Thrower) -> Option<Roll> {
        let throw = self.due_throw()?;
        if text == RANDOM {
            return Some(dice.throw(throw));
        }
        text.parse().ok().filter(|roll: &Roll| roll.fits(throw))
    }

    /// Makes the steps of an unfinished move. A move that is complete is tried at once.
    fn make_steps(&mut self, steps: Vec<String>) {
        let words: Vec<&str> = steps.iter().map(String::as_str).collect();
        // Where a press shows its result only once it is sent, each is a move of its own.
        let is_blind = self.start.game.spec().manner.is_blind();
        match self.partial_move_after(&words) {
            Err(why) => self.notice = self.notice.take().or(Some(why)),
            Ok(Some(PartialMove { next, play: Some(play), .. }))
                if (next.is_empty() || is_blind) && !words.is_empty() =>
            {
                let (game, view) = (self.start.game, &self.start.view);
                let more = try_moves(game, self.tried.position.copy(), view, &[&play], false);
                if more.refused.is_none() {
                    self.tried.steps.extend(more.steps);
                    self.tried.position = more.position;
                    self.completed = steps;
                }
            }
            Ok(_) => self.steps = steps,
        }
        let words: Vec<&str> = self.steps.iter().map(String::as_str).collect();
        self.partial_move = self.partial_move_after(&words).ok().flatten();
    }

    /// Returns the move that is put together, after these steps; none if no move is due.
    fn partial_move_after(&self, steps: &[&str]) -> Result<Option<PartialMove>, String> {
        let position = &self.tried.position;
        if self.is_full() || !matches!(position.next(), Next::Move(_) | Next::Ready(..)) {
            return match steps {
                [] => Ok(None),
                [first, ..] => Err(format!("no move is due before {first}")),
            };
        }
        let view = View { legal: true, ..self.start.view.clone() };
        position.partial_move(&view, steps).map(Some).map_err(|error| error.to_string())
    }

    /// Returns the address without the last step, move or roll.
    fn address_before(&self) -> Option<String> {
        let moves = self.moves();
        let (last, steps) = match (self.steps.split_last(), self.completed.split_last()) {
            (Some((_, steps)), _) => (moves.len(), steps),
            (None, Some((_, steps))) => (moves.len().checked_sub(1)?, steps),
            (None, None) => (moves.len().checked_sub(1)?, &[][..]),
        };
        Some(self.start.address.after(&moves[..last], steps, None))
    }

    /// Returns the last roll or move.
    fn last(&self) -> Option<&TriedStep> {
        self.tried.steps.last()
    }

    /// Returns the position that the program judges: the one that is shown, unless a move has begun.
    fn judged_position(&self) -> Option<Box<dyn AnyPosition>> {
        let is_judged = self.start.has_opinion && self.steps.is_empty();
        is_judged.then(|| self.tried.position.copy())
    }

    /// Returns the move that the program judges.
    fn judged_move(&self) -> Option<TriedMove> {
        let last = self.last().filter(|last| self.start.has_opinion && last.mover.is_some())?;
        Some(TriedMove { before: last.before.copy(), text: last.text.clone() })
    }
}

/// Sends the page of a trial, with the program's opinions where they are told.
pub(super) async fn respond(
    site: Arc<Site>,
    request: WebRequest,
    outcome: TrialOutcome,
) -> PageResult<Response> {
    let trial = match outcome {
        TrialOutcome::Elsewhere(address) => return Ok(Redirect::to(&address).into_response()),
        TrialOutcome::Shown(trial) => trial,
    };
    let network = request.counted_network;
    let opinions = if trial.start.has_opinion {
        site.opinions(network, trial.judged_position(), trial.judged_move()).await
    } else {
        Ok(Opinions::default())
    };
    let status =
        if trial.notice.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let page = site.read(request, move |reader| {
        // A page without an opinion is better than none.
        let refusal = opinions.as_ref().err().map(|error| {
            let ErrorText { body, .. } = error.sentence();
            html! { p.quiet role="status" { "The program's opinion is missing. " (body) } }
        });
        let opinions = opinions.unwrap_or_default();
        let body = trial.body(&opinions, refusal.as_ref());
        Ok(reader.close().page(&trial.start.title, &body))
    });
    Ok(([NO_ROBOTS], page.await?.with_status(status)).into_response())
}
