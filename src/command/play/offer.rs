//! `undo` and `propose`: offers of players, and the effects of an accepted offer. All that a kind
//! of offer needs is in this file; its sentences are in `reply/board_mail/offers.rs`.

use crate::base::time::Time;
use crate::command::view::analyse;
use crate::command::{
    Arguments, Command, Context, Decision, ParsedCommand, Player, ReplyScope, Verb, VerbScope,
    count_message, of_player, required_game,
};
use crate::model::board::{Board, BoardEvent, ClosedBy, Closing, Offer, Proposal};
use crate::model::world::World;
use crate::model::world::event::Event;
use crate::refusal::{BoardRefusal, Refusal};
use crate::reply::{Answer, BoardNews};
use games::{AnyGame, Seat};

pub(crate) const UNDO: Verb = Verb {
    name: "undo",
    aliases: &[],
    scope: VerbScope::Game,
    usage: "<board>[#<moveno>] <userid> <password>",
    about: "ask to take back your last move and what followed; the dice stay the same",
    reply: Some(ReplyScope::ForMove),
    parse: |game, words| parse(game, words, Proposal::Undo),
};

pub(crate) const PROPOSE: Verb = Verb {
    name: "propose",
    aliases: &["draw"],
    scope: VerbScope::Game,
    usage: "<board>[#<moveno>] <userid> <password> [draw|analysis|cancel]",
    about: "offer a draw, an analysis of the moves, or an end without a result",
    reply: Some(ReplyScope::ForMove),
    parse: |game, words| parse(game, words, Proposal::Draw),
};

/// The usage of `accept` and `reject`.
pub(crate) const ANSWER_USAGE: &str = "[<board>[#<moveno>]] <userid> <password> [<offer>]";

/// The offers that an answer can name.
pub(crate) const ANSWER_HELP: &str = "you can accept or reject a `draw`, an `undo`, an `analysis`, \
    to `cancel` the game, or a `game`";

/// Returns the proposal that a verb makes.
pub(crate) fn proposal_of(verb: &str) -> Option<Proposal> {
    let all = [(&UNDO, Proposal::Undo), (&PROPOSE, Proposal::Draw)];
    all.into_iter().find(|(one, _)| one.name == verb).map(|(_, what)| what)
}

/// How many offers a player may make to an opponent in a day beyond the limit for messages.
const EXTRA_MESSAGES: usize = 5;

#[derive(Debug)]
struct OfferCommand {
    by: Player,
    what: Proposal,
}

fn parse(
    game: Option<&'static dyn AnyGame>,
    words: &mut Arguments,
    what: Proposal,
) -> ParsedCommand {
    let by = Player::read(required_game(game), words)?;
    // A proposal without a verb of its own is named by a word.
    let what = match words.peek() {
        Some(word) if what == Proposal::Draw => {
            let word =
                if word.eq_ignore_ascii_case("abort") { Proposal::Abort.word() } else { word };
            let named = [what, Proposal::Analysis, Proposal::Abort];
            let named = named.into_iter().find(|one| one.word().eq_ignore_ascii_case(word));
            let wrong = "you can propose a `draw`, an `analysis`, or to `cancel` the game";
            let named = named.ok_or_else(|| words.usage_error(wrong))?;
            words.word("what is offered")?;
            named
        }
        _ => what,
    };
    words.expect_end()?;
    Ok(command(by, what))
}

/// Builds the command, also for `move ... undo`.
pub(crate) fn command(by: Player, what: Proposal) -> Box<dyn Command> {
    Box::new(OfferCommand { by, what })
}

impl Command for OfferCommand {
    of_player!(guests);

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let (board, by) = self.by.at(world, cx)?;
        let id = board.id;
        if let Some(open) = board.offer {
            let of = board.player(open.by).clone();
            let what = open.what;
            return Err(if open.by == by {
                let asked = board.player(by.other()).clone();
                BoardRefusal::OwnOfferOpen { board: id, asked, what }.into()
            } else {
                BoardRefusal::OfferOpen { board: id, by: of, what }.into()
            });
        }
        check_offer(board, by, self.what)?;
        let opponent = board.player(by.other());
        let asked = match self.what {
            Proposal::Analysis => analyse::count_analysis(world, id, cx)?,
            Proposal::Undo | Proposal::Draw | Proposal::Abort => Vec::new(),
        };
        if world.level(opponent).is_some() {
            let decision = answer_of_program(board, by, self.what, cx.now)?;
            let events = asked.into_iter().chain(decision.events).collect();
            return Ok(Decision { events, ..decision });
        }
        // A player who has used up the day's messages can still offer a draw.
        let mut events = count_message(world, board.player(by), opponent, EXTRA_MESSAGES, cx)?;
        events.extend(asked);
        let offer = Offer { by, what: self.what, at: cx.now, nags: None, is_refused: false };
        events.push(Event::Board(id, BoardEvent::Offered(offer)));
        let answer = Answer::Board { board: id, what: BoardNews::Offered, by: Some(by) };
        Ok(Decision { events, answer })
    }
}

/// Checks that an offer can be made on a board.
///
/// # Errors
/// The reason why it cannot.
fn check_offer(board: &Board, by: Seat, what: Proposal) -> Result<(), BoardRefusal> {
    let is_refused = |past: &Offer| past.is_refused && (past.by, past.what) == (by, what);
    if what == Proposal::Draw && board.past.iter().any(is_refused) {
        let by = board.player(by.other()).clone();
        return Err(BoardRefusal::DrawRefused { board: board.id, by });
    }
    match what {
        Proposal::Undo if board.last_decision(by).is_none() => {
            Err(BoardRefusal::NothingToTakeBack(board.id))
        }
        Proposal::Draw if !board.game.spec().manner.has_draws => {
            Err(BoardRefusal::NeverDrawn(board.id))
        }
        Proposal::Analysis if last_analysable(board) == 0 => {
            Err(BoardRefusal::NothingToAnalyse(board.id))
        }
        Proposal::Analysis => analyse::check_judged(board),
        Proposal::Undo | Proposal::Draw | Proposal::Abort => Ok(()),
    }
}

/// Returns the last move that may be analysed during a game: both players have moved since.
fn last_analysable(board: &Board) -> usize {
    board.next_move().saturating_sub(3)
}

/// Answers an offer to the program.
///
/// # Errors
/// The program does not agree.
fn answer_of_program(
    board: &Board,
    by: Seat,
    what: Proposal,
    now: Time,
) -> Result<Decision, Refusal> {
    let manner = board.game.spec().manner;
    match what {
        Proposal::Draw => {
            let program = board.player(by.other()).clone();
            Err(BoardRefusal::NoDraws { board: board.id, program }.into())
        }
        Proposal::Undo if manner.is_secret || manner.is_solo => {
            Err(BoardRefusal::Hidden(board.id).into())
        }
        Proposal::Undo => Ok(take_back_at_once(board, by, now)),
        Proposal::Analysis | Proposal::Abort => Ok(accept_offer(board, by.other(), what, now)),
    }
}

/// Takes back the player's last decision without asking, since the program always agrees.
fn take_back_at_once(board: &Board, by: Seat, now: Time) -> Decision {
    let mut decision = accept_offer(board, by.other(), Proposal::Undo, now);
    if let Answer::Board { what, by: of, .. } = &mut decision.answer
        && let BoardNews::TakenBack { from } = *what
    {
        (*what, *of) = (BoardNews::TakenBackAlone { from }, Some(by));
    }
    decision
}

/// Carries out an accepted offer.
pub(crate) fn accept_offer(board: &Board, by: Seat, what: Proposal, now: Time) -> Decision {
    let id = board.id;
    // Nobody can have moved since the offer, so the decision to take back is still the last one.
    let decided = board.last_decision(by.other());
    let (event, what) = match (what, decided) {
        (Proposal::Draw, _) => {
            let closing = Closing { at: now, seat: by.0, by: ClosedBy::Agreeing };
            (BoardEvent::Closed(closing), BoardNews::Moved)
        }
        (Proposal::Abort, _) => {
            let closing = Closing { at: now, seat: by.0, by: ClosedBy::Aborting };
            (BoardEvent::Closed(closing), BoardNews::Moved)
        }
        (Proposal::Undo, Some(decided)) => {
            let taken = &board.record[board.record.len() - decided.entries..];
            let entries = taken.iter().map(|line| line.entry.clone()).collect();
            let what = BoardNews::TakenBack { from: decided.moveno };
            (BoardEvent::TakenBack { at: now, entries }, what)
        }
        (Proposal::Analysis, _) => (
            BoardEvent::OfferEnded { at: now, is_refused: false },
            BoardNews::Analysed { until: last_analysable(board) },
        ),
        // Only a file that was edited by hand has such an offer.
        (Proposal::Undo, None) => {
            (BoardEvent::OfferEnded { at: now, is_refused: false }, BoardNews::OfferWithdrawn)
        }
    };
    let is_undone = matches!(event, BoardEvent::TakenBack { .. });
    let plans = if is_undone { board.plans_undone() } else { Vec::new() };
    let events = [event].into_iter().chain(plans).map(|event| Event::Board(id, event)).collect();
    Decision { events, answer: Answer::Board { board: id, what, by: Some(by) } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::VERBS;

    #[test]
    fn every_proposal_has_a_verb_and_a_word_for_the_answer() {
        for what in Proposal::ALL {
            let word = what.word();
            let has_verb = VERBS.iter().any(|verb| proposal_of(verb.name) == Some(what));
            assert!(has_verb || PROPOSE.usage.contains(word), "{what:?}");
            assert!(ANSWER_HELP.contains(word), "{word}");
        }
    }
}
