//! `accept` and `reject`: the answer to what a player offers, and words of games that have such
//! offers of their own.

use super::limit::Most;
use super::words::Words;
use super::{
    Command, Context, Decision, InReply, Needs, Of, Player, Verb, limit, offer, own_word, played,
    the_game,
};
use crate::base::ids::BoardId;
use crate::base::time::Time;
use crate::model::board::{Board, BoardEvent, Offer, Proposal};
use crate::model::event::Event;
use crate::model::world::World;
use crate::refusal::{BoardRefusal, Refusal};
use crate::reply::{Answer, BoardNews};
use games::{AnyGame, Seat};

pub(super) const ACCEPT: Verb = Verb {
    name: "accept",
    aliases: &[],
    of: Of::Game,
    usage: offer::ANSWER,
    about: "agree to a draw, undo, analysis or game; without a board: take challenges",
    reply: Some(InReply::ForMove),
    parse: |game, words| parse(game, words, true),
};

pub(super) const REJECT: Verb = Verb {
    name: "reject",
    aliases: &[],
    of: Of::Game,
    usage: offer::ANSWER,
    about: "refuse it, or withdraw what you offer; without a board: take no challenges",
    reply: Some(InReply::ForMove),
    parse: |game, words| parse(game, words, false),
};

#[derive(Debug)]
struct Answering {
    game: &'static dyn AnyGame,
    by: Player,
    accepts: bool,
    /// What the player means, if they say it.
    meant: Option<Meant>,
}

/// What an answer is to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meant {
    /// To what a player offers.
    Offer(Proposal),
    /// To what the rules of the game ask.
    Game,
}

impl Meant {
    fn all() -> impl Iterator<Item = Self> {
        Proposal::ALL.into_iter().map(Self::Offer).chain([Self::Game])
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Offer(what) => what.word(),
            Self::Game => "game",
        }
    }
}

fn parse(
    game: Option<&'static dyn AnyGame>,
    words: &mut Words,
    accepts: bool,
) -> Result<Box<dyn Command>, Refusal> {
    let game = the_game(game);
    if !words.begin_with_board() {
        let (user, proof) = words.player()?;
        words.end()?;
        let most = if accepts { Most::Some } else { Most::Of(Some(0)) };
        return Ok(limit::command(game, user, proof, most));
    }
    let by = Player::read(game, words)?;
    let meant = match words.peek() {
        None => None,
        Some(word) => {
            let meant = Meant::all().find(|one| one.word().eq_ignore_ascii_case(word));
            meant.ok_or_else(|| words.wrong(offer::ANSWERED))?;
            words.word("what is answered")?;
            meant
        }
    };
    words.end()?;
    Ok(Box::new(Answering { game, by, accepts, meant }))
}

/// The command, as `move ... accept` gives it too.
pub(super) fn command(game: &'static dyn AnyGame, by: Player, accepts: bool) -> Box<dyn Command> {
    Box::new(Answering { game, by, accepts, meant: None })
}

/// Whether the game itself waits for `accept` or `reject`: a double, an offer to resign.
pub(crate) fn game_asks(board: &Board) -> bool {
    own_word(board.game, ACCEPT.name).is_some_and(|word| board.position().copy().play(word).is_ok())
}

impl Command for Answering {
    fn needs(&self) -> Needs {
        self.by.needs()
    }

    fn board(&self) -> Option<BoardId> {
        Some(self.by.board)
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let (board, by) = self.by.at(world, cx)?;
        let id = board.id;
        let open = board.offer.filter(|offer| offer.by != by);
        let own = board.offer.filter(|offer| offer.by == by);
        let is_asked = game_asks(board) && board.position().next().asks(by);
        let meant = match self.meant {
            Some(meant) => meant,
            None => unsaid(board, by, is_asked)?,
        };
        let is_one = |offer: Option<Offer>, what| offer.is_some_and(|offer| offer.what == what);
        match (meant, open) {
            (Meant::Offer(what), _) if is_one(open, what) => {
                Ok(answered(board, by, what, self.accepts, cx.now))
            }
            (Meant::Offer(what), _) if is_one(own, what) => self.own(board, by, cx.now),
            (Meant::Game, _) if is_asked => self.played(world, board, by, cx),
            (_, Some(Offer { by, what, .. })) => {
                let by = board.player(by).clone();
                Err(BoardRefusal::OtherOffer { board: id, by, what }.into())
            }
            (Meant::Offer(_), None) => Err(BoardRefusal::OfferGone(id).into()),
            (Meant::Game, None) if own.is_some() => self.own(board, by, cx.now),
            (Meant::Game, None) => self.played(world, board, by, cx),
        }
    }
}

/// The answer of players who do not name an offer: they answer the open one. But if something else
/// was offered for the same move, they may not have read yet that it changed.
fn unsaid(board: &Board, by: Seat, is_asked: bool) -> Result<Meant, Refusal> {
    let meant = match board.offer {
        Some(offer) if offer.by != by => Meant::Offer(offer.what),
        _ if is_asked => Meant::Game,
        // Their own: nobody else can have changed it.
        Some(own) => return Ok(Meant::Offer(own.what)),
        None => return Ok(Meant::Game),
    };
    let is_other = |past: &Offer| past.by != by && Meant::Offer(past.what) != meant;
    if board.past.iter().any(is_other) {
        return Err(BoardRefusal::OfferChanged { board: board.id, word: meant.word() }.into());
    }
    Ok(meant)
}

impl Answering {
    /// The word of the game, where it has one.
    fn played(
        &self,
        world: &World,
        board: &Board,
        by: Seat,
        cx: &mut Context,
    ) -> Result<Decision, Refusal> {
        let word = if self.accepts { ACCEPT.name } else { REJECT.name };
        match own_word(self.game, word) {
            Some(word) => played::played(world, board, by, word, cx),
            None => Err(BoardRefusal::NoOffer(board.id).into()),
        }
    }

    /// The answer to an offer of the player's own: nobody can accept that, but they can withdraw
    /// it.
    fn own(&self, board: &Board, by: Seat, now: Time) -> Result<Decision, Refusal> {
        let id = board.id;
        if self.accepts {
            let asked = board.player(by.other()).clone();
            return Err(BoardRefusal::OwnOffer { board: id, asked }.into());
        }
        let events = vec![Event::Board(id, BoardEvent::OfferEnded { at: now })];
        let what = BoardNews::OfferWithdrawn;
        Ok(Decision { events, answer: Answer::Board { board: id, what, by: Some(by) } })
    }
}

/// The answer to an offer of the other side.
fn answered(board: &Board, by: Seat, what: Proposal, accepts: bool, now: Time) -> Decision {
    if accepts {
        return offer::agreed(board, by, what, now);
    }
    let id = board.id;
    let events = vec![Event::Board(id, BoardEvent::OfferEnded { at: now })];
    let what = BoardNews::OfferRejected(what);
    Decision { events, answer: Answer::Board { board: id, what, by: Some(by) } }
}

/// Whether a verb answers what is offered.
pub fn is_answer(verb: &Verb) -> bool {
    [ACCEPT.name, REJECT.name].contains(&verb.name)
}
