//! `move`: playing on a board.

use super::words::{Proof, Words, split_moveno};
use super::{
    Command, Context, Decision, Needs, Of, Reply, Verb, authenticate, own_word, resign,
    seat_in_play, set, the_game,
};
use crate::event::Event;
use crate::ids::{BoardId, UserId};
use crate::refusal::{BoardRefusal, Refusal};
use crate::reply::{Answer, FEW, Happening};
use crate::world::{World, board_key};
use games::{AnyGame, AnyPosition, MoveError, Next, ROLL, Setting, advance, say};

pub(super) const VERB: Verb = Verb {
    name: "move",
    aliases: &["mvoe", "board"],
    of: Of::Game,
    usage: "<board> <userid> <password> <move>[#<moveno>]",
    about: "play a move; what the mail says besides goes to your opponent",
    reply: Some(Reply::Player),
    parse,
};

#[derive(Debug)]
struct Play {
    board: BoardId,
    user: UserId,
    proof: Proof,
    text: String,
    moveno: Option<usize>,
}

fn parse(
    game: Option<&'static dyn AnyGame>,
    words: &mut Words,
) -> Result<Box<dyn Command>, Refusal> {
    let game = the_game(game);
    let (board, number) = words.board(game)?;
    let (user, proof) = words.player()?;
    let word = words.word("the move")?;
    let more = words.rest();
    let all = [&[word], more].concat();
    if Setting::read(game.spec().settings, &all).is_some() {
        return set::on_board(game, board, (user, proof), &all);
    }
    if word.eq_ignore_ascii_case(resign::VERB.name) {
        return resign::command(game, board, (user, proof), number, words, more);
    }
    if !more.is_empty() {
        return Err(words.wrong("a move is one word, without blanks"));
    }
    let (text, suffix) = split_moveno(word);
    let suffix = suffix.map(str::parse).transpose();
    let moveno = suffix.map_err(|_| words.wrong("behind `#` stands the number of the move"))?;
    if moveno.is_some_and(|moveno| number.is_some_and(|number| number != moveno)) {
        return Err(words.wrong("two different move numbers are given"));
    }
    let moveno = moveno.or(number);
    if text.eq_ignore_ascii_case(resign::VERB.name) {
        return resign::command(game, board, (user, proof), moveno, words, &[]);
    }
    let text = own_word(game, text).unwrap_or(text).to_owned();
    Ok(Box::new(Play { board, user, proof, text, moveno }))
}

/// A game's own word that is a move, as `<game> double <board> <userid> <password>`.
pub(super) fn said(
    game: &'static dyn AnyGame,
    word: &str,
    words: &mut Words,
) -> Result<Box<dyn Command>, Refusal> {
    let (board, moveno) = words.board(game)?;
    let (user, proof) = words.player()?;
    words.end()?;
    Ok(Box::new(Play { board, user, proof, text: word.to_owned(), moveno }))
}

impl Command for Play {
    fn needs(&self) -> Needs {
        Needs::Keys(vec![board_key(self.board), crate::world::user_key(&self.user)])
    }

    fn board(&self) -> Option<BoardId> {
        Some(self.board)
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        authenticate(world, &self.user, &self.proof, Some(self.board), cx)?;
        let seat = seat_in_play(world, self.board, &self.user, self.moveno)?;
        let board = world.board(self.board)?;
        if let Next::Move(due) | Next::Ready(due, _) = board.position().next()
            && due != seat
        {
            let waits_for = board.player(due).clone();
            return Err(BoardRefusal::NotYourMove { board: self.board, waits_for }.into());
        }
        let mut position = board.position().copy();
        let said = say(&mut *position, seat, &self.text, cx.chance).map_err(|error| {
            match position.next() {
                // What can be done besides rolling is listed in every mail.
                Next::Ready(..) => {
                    let (text, legal) = (self.text.clone(), vec![ROLL.to_owned()]);
                    let legal = [legal, board.position().moves()].concat();
                    BoardRefusal::Move { text, error, count: legal.len(), legal }.into()
                }
                _ => illegal(board.position(), &self.text, error),
            }
        })?;
        let mut entries = vec![said];
        let likes = |of| world.settings(board, of);
        entries.extend(advance(&mut *position, cx.chance, &likes));
        let event = Event::Played { board: self.board, at: cx.now, entries };
        let answer = Answer::Board { board: self.board, what: Happening::Moved, by: Some(seat) };
        Ok(Decision { events: vec![event], answer })
    }
}

/// The refusal of a move, with the legal ones where they are few.
pub(super) fn illegal(position: &dyn AnyPosition, text: &str, error: MoveError) -> Refusal {
    let count = position.count();
    let legal = if count <= FEW { position.moves() } else { Vec::new() };
    BoardRefusal::Move { text: text.to_owned(), error, legal, count }.into()
}
