//! `move`: plays a move, with an optional seed word for the dice.

use crate::command::parsing::arguments::{parse_seed_option, split_moveno};
use crate::command::play::turn::{self, play_move_as};
use crate::command::play::{answer, offer, pass, resign, settings};
use crate::command::{
    Arguments, Command, Context, Decision, ParsedCommand, Player, ReplyScope, Verb, VerbScope,
    find_verb, move_word, of_player, required_game,
};
use crate::model::board::{Board, BoardEvent};
use crate::model::dice::commitment_digest;
use crate::model::dice::{BoardDice, SeedError};
use crate::model::world::World;
use crate::model::world::event::Event;
use crate::refusal::{BoardRefusal, Refusal};
use games::{AnyGame, Next, ROLL, Seat, Setting, View, bare};

pub(crate) const VERB: Verb = Verb {
    name: "move",
    aliases: &["mvoe", "board"],
    scope: VerbScope::Game,
    usage: "<board> <userid> <password> <move>[#<moveno>]",
    about: "play a move; the text of your mail goes to your opponent",
    reply: Some(ReplyScope::Player),
    parse,
};

#[derive(Debug)]
struct PlayCommand {
    by: Player,
    text: String,
    /// The seed word, or the value of a commitment or chain.
    seed: Option<String>,
}

fn parse(game: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    let game = required_game(game);
    let mut by = Player::read(game, words)?;
    let (all, seed) = split_seed_option(move_words(words)?, words)?;
    if Setting::read(game.spec().settings, all).is_some() {
        return settings::on_board(game, by, all);
    }
    if all[0].eq_ignore_ascii_case(resign::VERB.name) {
        return resign::command(game, by, words, &all[1..]);
    }
    let (text, moveno) = split_move_number(all, by.moveno, words)?;
    by.moveno = moveno;
    if text.eq_ignore_ascii_case(resign::VERB.name) {
        return resign::command(game, by, words, &[]);
    }
    let verb = find_verb(&text, Some(game)).map(|verb| verb.name);
    if let Some(what) = verb.and_then(offer::proposal_of) {
        return Ok(offer::command(by, what));
    }
    if let Some(command) = verb.and_then(command_for_verb) {
        return Ok(command(by));
    }
    let text = move_word(game, &text).map_or(text, str::to_owned);
    Ok(Box::new(PlayCommand { by, text, seed }))
}

/// Takes the words of the move.
fn move_words<'a>(words: &mut Arguments<'a>) -> Result<&'a [&'a str], Refusal> {
    match words.take_rest() {
        [] => Err(words.usage_error("the move is missing")),
        all => Ok(all),
    }
}

/// Splits a trailing `-seed=word` off a move.
fn split_seed_option<'w, 'a>(
    all: &'w [&'a str],
    words: &Arguments,
) -> Result<(&'w [&'a str], Option<String>), Refusal> {
    let Some((last, before)) = all.split_last().filter(|(_, before)| !before.is_empty()) else {
        return Ok((all, None));
    };
    let seed = parse_seed_option(last, words)?.map(str::to_owned);
    Ok((if seed.is_some() { before } else { all }, seed))
}

/// Returns the text of a move without trailing punctuation, and its number, which may follow the
/// move or the board.
fn split_move_number(
    all: &[&str],
    number: Option<usize>,
    words: &Arguments,
) -> Result<(String, Option<usize>), Refusal> {
    let line = all.join(" ");
    let (text, suffix) = split_moveno(&line);
    let suffix = suffix.map(|number| bare(number).parse()).transpose();
    let moveno = suffix.map_err(|_| words.usage_error("after `#` write the number of the move"))?;
    // If only punctuation was written, the refusal quotes it.
    let text = Some(bare(text)).filter(|text| !text.is_empty()).unwrap_or(text).to_owned();
    if moveno.is_some_and(|moveno| number.is_some_and(|number| number != moveno)) {
        return Err(words.usage_error("you gave two different move numbers"));
    }
    Ok((text, moveno.or(number)))
}

/// Reads `<board> <userid> <password> <move>[#<moveno>]`.
pub(crate) fn read_player_and_move(
    game: &'static dyn AnyGame,
    words: &mut Arguments,
) -> Result<(Player, String), Refusal> {
    let mut by = Player::read(game, words)?;
    let all = move_words(words)?;
    let (text, moveno) = split_move_number(all, by.moveno, words)?;
    by.moveno = moveno;
    Ok((by, move_word(game, &text).map_or(text, str::to_owned)))
}

/// Returns the builder of the command for a verb that was written in the place of a move, since people
/// type `move` out of habit. Offers are handled apart.
fn command_for_verb(verb: &str) -> Option<fn(Player) -> Box<dyn Command>> {
    Some(match verb {
        "pass" => |by| pass::command(by, pass::PASS.name),
        "swap" => |by| pass::command(by, pass::SWAP.name),
        "accept" => |by| answer::command(by, true),
        "reject" => |by| answer::command(by, false),
        _ => return None,
    })
}

/// Parses a one-word move of the game: `<game> double <board> <userid> <password>`.
pub(crate) fn parse_move_word(
    game: &'static dyn AnyGame,
    word: &str,
    words: &mut Arguments,
) -> ParsedCommand {
    let by = Player::read(game, words)?;
    words.expect_end()?;
    Ok(Box::new(PlayCommand { by, text: word.to_owned(), seed: None }))
}

impl Command for PlayCommand {
    of_player!(guests);

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let (board, seat) = self.by.at(world, cx)?;
        let view = world.view(board, seat);
        play_with_seed(world, board, seat, &view, &self.text, self.seed.as_deref(), cx)
    }
}

/// Plays a move, with an optional seed word or value for the dice.
///
/// # Errors
/// It is not the player's turn, the move is illegal, or the dice take no such seed word now.
pub(crate) fn play_with_seed(
    world: &World,
    board: &Board,
    seat: Seat,
    writer: &View,
    text: &str,
    seed: Option<&str>,
    cx: &mut Context,
) -> Result<Decision, Refusal> {
    let Some(word) = seed else {
        return play_move_as(world, board, seat, writer, text, board.dice.as_ref(), cx);
    };
    turn::check_turn(board, seat)?;
    let (dice, mixed) = mix_seed(board, seat, text, word)?;
    let mut decision = play_move_as(world, board, seat, writer, text, Some(&dice), cx)?;
    decision.events.insert(0, Event::Board(board.id, mixed));
    Ok(decision)
}

/// Takes a value of a player's hash chain, which comes with a roll, or the end of a new chain,
/// which comes with a move.
fn take_chain_value(
    board: &Board,
    dice: &mut BoardDice,
    seat: Seat,
    text: &str,
    word: &str,
) -> Result<BoardEvent, Refusal> {
    let refuse = |why| BoardRefusal::Dice { board: board.id, why, instead: None };
    let is_roll = bare(text).eq_ignore_ascii_case(ROLL);
    let is_ready = matches!(board.position().next(), Next::Ready(..));
    let (value, is_end) = match commitment_digest(word) {
        Some(_) if is_ready => {
            return Err(refuse("take a new chain with your move, after your roll").into());
        }
        Some(hash) => (hash.to_ascii_lowercase(), true),
        None if !(is_ready && is_roll && dice.awaits_link(seat, board.drawn())) => {
            let why =
                "take a value of your chain only with `roll`, and only while they wait for one";
            return Err(refuse(why).into());
        }
        None => (word.to_owned(), false),
    };
    if dice.take_link(seat, &value, board.drawn(), is_end).is_err() {
        let why = "wait for the next value of your chain, which this is not, or your chain does not \
                   count yet";
        let instead = Some(
            "send `roll` alone for a roll of level 1; if you have lost your chain, begin another with \
             your move, as `-seed=sha256:<end>`",
        );
        return Err(BoardRefusal::Dice { board: board.id, why, instead }.into());
    }
    Ok(BoardEvent::Linked { seat, value, is_end })
}

/// Returns the dice of the board with the seed word of this move, and the event for it.
fn mix_seed(
    board: &Board,
    seat: Seat,
    text: &str,
    word: &str,
) -> Result<(BoardDice, BoardEvent), Refusal> {
    let refuse = |why| BoardRefusal::Dice { board: board.id, why, instead: None };
    let mut dice =
        board.dice.clone().ok_or_else(|| refuse("take no seed word: they cannot be checked"))?;
    let mixed = BoardEvent::Mixed { seat, word: word.to_owned() };
    if dice.has_chains() {
        let linked = take_chain_value(board, &mut dice, seat, text, word)?;
        return Ok((dice, linked));
    }
    if word.contains(':') {
        return Err(refuse("take a commitment only with the challenge").into());
    }
    if dice.rules == 1 {
        if dice.has_word_of(seat) {
            return Err(refuse("already have a seed word of yours").into());
        }
        if board.has_moved(seat) {
            return Err(refuse("take a seed word only with your first move").into());
        }
        dice.mix(Some(seat), word.to_owned(), board.drawn());
        return Ok((dice, mixed));
    }
    if matches!(board.position().next(), Next::Ready(..)) {
        return Err(refuse("take a seed word with your move, after your roll").into());
    }
    let why = match dice.take_word(seat, word, board.drawn(), board.has_moved(seat)) {
        Ok(()) => return Ok((dice, mixed)),
        Err(SeedError::NoCommitment) => {
            "take a word after the start only if the challenge has a commitment: otherwise the \
             player with the last word could choose the rolls"
        }
        Err(SeedError::TooEarly) => {
            "take your value with your first move after the word of your opponent, after your roll"
        }
        Err(SeedError::OtherValue) => "wait for the value that you committed to, which this is not",
        Err(SeedError::TooLate) => "take a seed word only with your first move",
    };
    Err(refuse(why).into())
}
