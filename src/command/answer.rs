//! `accept` and `reject`: the answer to what a player offers, and words of games that have such
//! offers of their own.

use super::limit::Most;
use super::words::Words;
use super::{
    Command, Context, Decision, Needs, Of, Player, Reply, Verb, limit, own_word, play, the_game,
};
use crate::board::{Board, ClosedBy, Closing, Proposal};
use crate::event::Event;
use crate::ids::BoardId;
use crate::refusal::{BoardRefusal, Refusal};
use crate::reply::{Answer, Happening};
use crate::world::World;
use games::{AnyGame, Seat};

pub(super) const ACCEPT: Verb = Verb {
    name: "accept",
    aliases: &[],
    of: Of::Game,
    usage: "[<board>[#<moveno>]] <userid> <password>",
    about: "agree to what your opponent offers; without a board: take challenges",
    reply: Some(Reply::Player),
    parse: |game, words| parse(game, words, true),
};

pub(super) const REJECT: Verb = Verb {
    name: "reject",
    aliases: &[],
    of: Of::Game,
    usage: "[<board>[#<moveno>]] <userid> <password>",
    about: "refuse it, or withdraw what you offer; without a board: take no challenges",
    reply: Some(Reply::Player),
    parse: |game, words| parse(game, words, false),
};

#[derive(Debug)]
struct Answering {
    game: &'static dyn AnyGame,
    by: Player,
    accepts: bool,
}

fn parse(
    game: Option<&'static dyn AnyGame>,
    words: &mut Words,
    accepts: bool,
) -> Result<Box<dyn Command>, Refusal> {
    let game = the_game(game);
    if !words.peek().is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit())) {
        let (user, proof) = words.player()?;
        words.end()?;
        let most = if accepts { Most::Some } else { Most::Of(Some(0)) };
        return Ok(limit::command(game, user, proof, most));
    }
    let by = Player::read(game, words)?;
    words.end()?;
    Ok(command(game, by, accepts))
}

/// The command, as `move ... accept` gives it too.
pub(super) fn command(game: &'static dyn AnyGame, by: Player, accepts: bool) -> Box<dyn Command> {
    Box::new(Answering { game, by, accepts })
}

/// Whether the game itself waits for `accept` or `reject`: a double, an offer to resign.
pub(super) fn game_asks(board: &Board) -> bool {
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
        let offer = match board.offer {
            Some(offer) if offer.by != by => {
                return Ok(self.answered(board, by, offer.what, cx.now));
            }
            offer => offer,
        };
        let is_asked = game_asks(board) && board.position().next().asks(by);
        let word = if self.accepts { ACCEPT.name } else { REJECT.name };
        match (offer, own_word(self.game, word)) {
            (Some(offer), _) if !is_asked && self.accepts => {
                let asked = board.player(offer.by.other()).clone();
                Err(BoardRefusal::OwnOffer { board: board.id, asked }.into())
            }
            (Some(_), _) if !is_asked => {
                let events = vec![Event::OfferEnded { board: board.id }];
                let what = Happening::OfferWithdrawn;
                Ok(Decision {
                    events,
                    answer: Answer::Board { board: board.id, what, by: Some(by) },
                })
            }
            (_, Some(word)) => play::played(world, board, by, word, cx),
            (_, None) => Err(BoardRefusal::NoOffer(board.id).into()),
        }
    }
}

impl Answering {
    /// The answer to an offer of the other side.
    fn answered(&self, board: &Board, by: Seat, what: Proposal, now: i64) -> Decision {
        let id = board.id;
        // Nobody can have moved since it was offered: what was to be taken back still is.
        let decided = board.last_decision(by.other());
        let (event, what) = match (what, decided) {
            (_, _) if !self.accepts => {
                (Event::OfferEnded { board: id }, Happening::OfferRejected(what))
            }
            (Proposal::Draw, _) => {
                let closing = Closing { at: now, seat: by.0, by: ClosedBy::Agreeing };
                (Event::Closed { board: id, closing }, Happening::Moved)
            }
            (Proposal::Undo, Some(decided)) => {
                let taken = &board.record[board.record.len() - decided.entries..];
                let entries = taken.iter().map(|line| line.entry.clone()).collect();
                let what = Happening::TakenBack { from: decided.moveno };
                (Event::TakenBack { board: id, at: now, entries }, what)
            }
            // A file mended by hand may say so.
            (Proposal::Undo, None) => (Event::OfferEnded { board: id }, Happening::OfferWithdrawn),
        };
        // A queued move was meant for another course of the game.
        let undone = matches!(event, Event::TakenBack { .. });
        let queued = Seat::BOTH.into_iter().filter(|_| undone).filter_map(|seat| {
            let text = board.queued[seat.index()].as_ref()?.text.clone();
            Some(Event::Dropped { board: id, seat, text, why: BoardRefusal::Undone(id).into() })
        });
        let events = [event].into_iter().chain(queued).collect();
        Decision { events, answer: Answer::Board { board: id, what, by: Some(by) } }
    }
}
