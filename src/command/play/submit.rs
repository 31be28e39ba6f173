//! `submit` and `confirm`: a move that its player previews before it is played.

use crate::command::new_board::challenge::take_seed_option;
use crate::command::play::{make_move, turn};
use crate::command::view::preview;
use crate::command::{
    Arguments, Command, Context, Decision, ParsedCommand, Player, ReplyScope, Verb, VerbScope,
    of_player, required_game,
};
use crate::model::board::BoardEvent;
use crate::model::world::World;
use crate::model::world::event::Event;
use crate::refusal::{BoardRefusal, Refusal};
use crate::reply::BoardNotice;
use games::{AnyGame, Entry, View, play_text};

pub(crate) const SUBMIT: Verb = Verb {
    name: "submit",
    aliases: &[],
    scope: VerbScope::Game,
    usage: "<board> <userid> <password> <move>[#<moveno>]",
    about: "see the board as it would be after your move, before you `confirm` it",
    reply: Some(ReplyScope::Player),
    parse: submit,
};

pub(crate) const CONFIRM: Verb = Verb {
    name: "confirm",
    aliases: &[],
    scope: VerbScope::Game,
    usage: "<board>[#<moveno>] <userid> <password> [-seed=word]",
    about: "play the move you submitted, if the board is still the same",
    reply: Some(ReplyScope::ForMove),
    parse: confirm,
};

#[derive(Debug)]
struct SubmitCommand {
    by: Player,
    text: String,
}

#[derive(Debug)]
struct ConfirmCommand {
    by: Player,
    /// The seed word, or the value of a commitment or chain.
    seed: Option<String>,
}

fn submit(game: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    let (by, text) = make_move::read_player_and_move(required_game(game), words)?;
    Ok(Box::new(SubmitCommand { by, text }))
}

fn confirm(game: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    let by = Player::read(required_game(game), words)?;
    let mut seed = words.options(&[]);
    let word = take_seed_option(&mut seed, words)?;
    if !seed.is_empty() {
        return Err(words.usage_error("after the password only `-seed=word` can follow"));
    }
    words.expect_end()?;
    Ok(Box::new(ConfirmCommand { by, seed: word }))
}

impl Command for SubmitCommand {
    of_player!(guests);

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let (board, seat) = self.by.at(world, cx)?;
        turn::check_turn(board, seat)?;
        if preview::is_hidden(board.game) {
            return Err(BoardRefusal::Hidden(board.id).into());
        }
        let mut position = board.position().copy();
        position.set_viewer(&world.view(board, seat));
        let before = position.copy();
        let refused = |error| turn::illegal_move(Some(board.id), &*before, &self.text, error);
        // Nothing is rolled: no roll may be seen before the move is final.
        let text = if position.manner().has_multi_move_turns {
            let said = play_text(&mut *position, seat, &self.text, cx.chance).map_err(refused)?;
            let moves = said.into_iter().filter_map(|entry| match entry {
                Entry::Moved { text, .. } => Some(text),
                Entry::Rolled(_) | Entry::Laid(_) | Entry::Resigned { .. } => None,
            });
            moves.collect::<Vec<_>>().join(",")
        } else {
            position.play(&self.text).map_err(refused)?
        };
        let event = Event::Board(board.id, BoardEvent::Submitted { seat, text });
        Ok(Decision {
            events: vec![event],
            answer: BoardNotice::Submitted { board: board.id, seat, position }.into(),
        })
    }
}

impl Command for ConfirmCommand {
    of_player!(guests);

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let (board, seat) = self.by.at(world, cx)?;
        let text = board.submitted[seat.index()]
            .as_deref()
            .ok_or(BoardRefusal::NothingSubmitted(board.id))?;
        // The submitted move is in canonical notation.
        make_move::play_with_seed(
            world,
            board,
            seat,
            &View::default(),
            text,
            self.seed.as_deref(),
            cx,
        )
    }
}
