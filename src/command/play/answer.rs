//! `accept` and `reject`: answers to offers of players, and to offers that a game has itself, such
//! as a double.

use crate::base::time::Time;
use crate::command::account::limit;
use crate::command::account::limit::BoardLimit;
use crate::command::play::{offer, turn};
use crate::command::{
    Arguments, Command, Context, Decision, ParsedCommand, Player, ReplyScope, Verb, VerbScope,
    move_word, of_player, required_game,
};
use crate::model::board::{Board, BoardEvent, Offer, Proposal};
use crate::model::world::World;
use crate::model::world::event::Event;
use crate::refusal::{BoardRefusal, Refusal};
use crate::reply::{Answer, BoardNews};
use games::{AnyGame, Seat};

pub(crate) const ACCEPT: Verb = Verb {
    name: "accept",
    aliases: &[],
    scope: VerbScope::Game,
    usage: offer::ANSWER_USAGE,
    about: "agree to a draw, undo, analysis or game; without a board: take challenges",
    reply: Some(ReplyScope::ForMove),
    parse: |game, words| parse(game, words, true),
};

pub(crate) const REJECT: Verb = Verb {
    name: "reject",
    aliases: &[],
    scope: VerbScope::Game,
    usage: offer::ANSWER_USAGE,
    about: "refuse an offer, or withdraw yours; without a board: take no challenges",
    reply: Some(ReplyScope::ForMove),
    parse: |game, words| parse(game, words, false),
};

#[derive(Debug)]
struct AnswerCommand {
    by: Player,
    accepts: bool,
    /// The offer that the player names, if any.
    meant: Option<AnswerTarget>,
}

/// The subject of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerTarget {
    /// An offer of a player.
    Offer(Proposal),
    /// An offer by the rules of the game: a double, a resignation for a stake.
    Game,
}

impl AnswerTarget {
    fn all() -> impl Iterator<Item = Self> {
        Proposal::ALL.into_iter().map(Self::Offer).chain([Self::Game])
    }

    /// Returns the word by which an answer names the target.
    pub fn word(self) -> &'static str {
        match self {
            Self::Offer(what) => what.word(),
            Self::Game => "game",
        }
    }
}

fn parse(
    game: Option<&'static dyn AnyGame>,
    words: &mut Arguments,
    accepts: bool,
) -> ParsedCommand {
    let game = required_game(game);
    if !words.starts_with_board() {
        let (user, proof) = words.player()?;
        words.expect_end()?;
        let chosen = if accepts { BoardLimit::NotZero } else { BoardLimit::Exactly(Some(0)) };
        return Ok(limit::command(game, user, proof, chosen));
    }
    let by = Player::read(game, words)?;
    let meant = match words.peek() {
        None => None,
        Some(word) => {
            let meant = AnswerTarget::all().find(|one| one.word().eq_ignore_ascii_case(word));
            meant.ok_or_else(|| words.usage_error(offer::ANSWER_HELP))?;
            words.word("what is answered")?;
            meant
        }
    };
    words.expect_end()?;
    Ok(Box::new(AnswerCommand { by, accepts, meant }))
}

/// Builds the command, also for `move ... accept`.
pub(crate) fn command(by: Player, accepts: bool) -> Box<dyn Command> {
    Box::new(AnswerCommand { by, accepts, meant: None })
}

/// Returns whether the game itself waits for `accept` or `reject`: a double, an offer to resign.
pub(crate) fn game_asks(board: &Board) -> bool {
    move_word(board.game, ACCEPT.name)
        .is_some_and(|word| board.position().copy().play(word).is_ok())
}

impl Command for AnswerCommand {
    of_player!(guests);

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let (board, by) = self.by.at(world, cx)?;
        let id = board.id;
        let open = board.offer.filter(|offer| offer.by != by);
        let own = board.offer.filter(|offer| offer.by == by);
        let is_asked = game_asks(board) && board.position().next().asks(by);
        let meant = match self.meant {
            Some(meant) => meant,
            None => infer_target(board, by, is_asked)?,
        };
        let is_one = |offer: Option<Offer>, what| offer.is_some_and(|offer| offer.what == what);
        match (meant, open) {
            (AnswerTarget::Offer(what), _) if is_one(open, what) => {
                Ok(answer_offer(board, by, what, self.accepts, cx.now))
            }
            (AnswerTarget::Offer(what), _) if is_one(own, what) => {
                self.answer_own_offer(board, by, cx.now)
            }
            (AnswerTarget::Game, _) if is_asked => self.play_answer(world, board, by, cx),
            (_, Some(Offer { by, what, .. })) => {
                let by = board.player(by).clone();
                Err(BoardRefusal::OtherOffer { board: id, by, what }.into())
            }
            (AnswerTarget::Offer(_), None) => Err(BoardRefusal::OfferGone(id).into()),
            (AnswerTarget::Game, None) if own.is_some() => self.answer_own_offer(board, by, cx.now),
            (AnswerTarget::Game, None) => self.play_answer(world, board, by, cx),
        }
    }
}

/// Finds the target of an answer that names none: the open offer. If another offer was made since
/// the last move, the player may not have read yet that it changed, so the answer is refused.
fn infer_target(board: &Board, by: Seat, is_asked: bool) -> Result<AnswerTarget, Refusal> {
    let meant = match board.offer {
        Some(offer) if offer.by != by => AnswerTarget::Offer(offer.what),
        _ if is_asked => AnswerTarget::Game,
        // Only the player can have changed their own offer.
        Some(own) => return Ok(AnswerTarget::Offer(own.what)),
        None => return Ok(AnswerTarget::Game),
    };
    let is_other = |past: &Offer| past.by != by && AnswerTarget::Offer(past.what) != meant;
    if board.past.iter().any(is_other) {
        return Err(BoardRefusal::OfferChanged { board: board.id, word: meant.word() }.into());
    }
    Ok(meant)
}

impl AnswerCommand {
    /// Plays the word of the game for the answer.
    fn play_answer(
        &self,
        world: &World,
        board: &Board,
        by: Seat,
        cx: &mut Context,
    ) -> Result<Decision, Refusal> {
        let word = if self.accepts { ACCEPT.name } else { REJECT.name };
        match move_word(board.game, word) {
            Some(word) => turn::play_move(world, board, by, word, cx),
            None => Err(BoardRefusal::NoOffer(board.id).into()),
        }
    }

    /// Answers the player's own offer: it can be withdrawn, not accepted.
    fn answer_own_offer(&self, board: &Board, by: Seat, now: Time) -> Result<Decision, Refusal> {
        let id = board.id;
        if self.accepts {
            let asked = board.player(by.other()).clone();
            return Err(BoardRefusal::OwnOffer { board: id, asked }.into());
        }
        let events = vec![Event::Board(id, BoardEvent::OfferEnded { at: now, is_refused: false })];
        let what = BoardNews::OfferWithdrawn;
        Ok(Decision { events, answer: Answer::Board { board: id, what, by: Some(by) } })
    }
}

/// Answers an offer of the opponent.
fn answer_offer(board: &Board, by: Seat, what: Proposal, accepts: bool, now: Time) -> Decision {
    if accepts {
        return offer::accept_offer(board, by, what, now);
    }
    let id = board.id;
    let events = vec![Event::Board(id, BoardEvent::OfferEnded { at: now, is_refused: true })];
    let what = BoardNews::OfferRejected(what);
    Decision { events, answer: Answer::Board { board: id, what, by: Some(by) } }
}

/// Returns whether a verb answers an offer.
pub fn is_answer(verb: &Verb) -> bool {
    [ACCEPT.name, REJECT.name].contains(&verb.name)
}
