//! `move`: playing on a board.

use super::words::{Words, seed_word, split_moveno};
use super::{
    Command, Context, Decision, InReply, Needs, Of, Player, Verb, answer, find_verb, offer,
    own_word, pass, resign, set, the_game,
};
use crate::base::ids::BoardId;
use crate::base::time::Time;
use crate::model::board::{Board, BoardEvent, Queued, Unplayed};
use crate::model::dice::{BoardDice, Draws};
use crate::model::event::Event;
use crate::model::program;
use crate::model::world::World;
use crate::refusal::{BoardRefusal, Choice, Refusal};
use crate::reply::{Answer, BoardNews, FEW};
use games::{
    AnyGame, AnyPosition, Diagram, Entry, Likes, MoveError, Next, ROLL, Seat, Setting, Thrower,
    View, advance, bare, say,
};

pub(super) const VERB: Verb = Verb {
    name: "move",
    aliases: &["mvoe", "board"],
    of: Of::Game,
    usage: "<board> <userid> <password> <move>[#<moveno>]",
    about: "play a move; the text of your mail goes to your opponent",
    reply: Some(InReply::Player),
    parse,
};

#[derive(Debug)]
struct Play {
    by: Player,
    text: String,
    /// The word that the player mixes into the dice.
    seed: Option<String>,
}

fn parse(
    game: Option<&'static dyn AnyGame>,
    words: &mut Words,
) -> Result<Box<dyn Command>, Refusal> {
    let game = the_game(game);
    let (board, number) = words.board(game)?;
    let (user, proof) = words.player()?;
    let (all, seed) = without_seed(the_move(words)?, words)?;
    if Setting::read(game.spec().settings, all).is_some() {
        return set::on_board(game, (board, number), (user, proof), all);
    }
    if all[0].eq_ignore_ascii_case(resign::VERB.name) {
        return resign::command(game, board, (user, proof), number, words, &all[1..]);
    }
    let (text, moveno) = numbered(all, number, words)?;
    if text.eq_ignore_ascii_case(resign::VERB.name) {
        return resign::command(game, board, (user, proof), moveno, words, &[]);
    }
    let by = Player { board, moveno, user, proof };
    let verb = find_verb(&text, Some(game)).map(|verb| verb.name);
    if let Some(what) = verb.and_then(offer::by_verb) {
        return Ok(offer::command(by, what));
    }
    if let Some(command) = verb.and_then(said_as_move) {
        return Ok(command(game, by));
    }
    let text = own_word(game, &text).map_or(text, str::to_owned);
    Ok(Box::new(Play { by, text, seed }))
}

/// The words of a move: all that are left, at least one.
fn the_move<'a>(words: &mut Words<'a>) -> Result<&'a [&'a str], Refusal> {
    match words.rest() {
        [] => Err(words.wrong("the move is missing")),
        all => Ok(all),
    }
}

/// A move without the word at its end that is mixed into the dice, and that word.
fn without_seed<'w, 'a>(
    all: &'w [&'a str],
    words: &Words,
) -> Result<(&'w [&'a str], Option<String>), Refusal> {
    let Some((last, before)) = all.split_last().filter(|(_, before)| !before.is_empty()) else {
        return Ok((all, None));
    };
    let seed = seed_word(last, words)?.map(str::to_owned);
    Ok((if seed.is_some() { before } else { all }, seed))
}

/// A move as it was written, in one word or several, without its number and without signs after it
/// that mean nothing; and the number, written after the move or after the board.
fn numbered(
    all: &[&str],
    number: Option<usize>,
    words: &Words,
) -> Result<(String, Option<usize>), Refusal> {
    let line = all.join(" ");
    let (text, suffix) = split_moveno(&line);
    let suffix = suffix.map(|number| bare(number).parse()).transpose();
    let moveno = suffix.map_err(|_| words.wrong("after `#` write the number of the move"))?;
    // If nothing else was written, the refusal quotes the signs.
    let text = Some(bare(text)).filter(|text| !text.is_empty()).unwrap_or(text).to_owned();
    if moveno.is_some_and(|moveno| number.is_some_and(|number| number != moveno)) {
        return Err(words.wrong("two different move numbers are given"));
    }
    Ok((text, moveno.or(number)))
}

/// Reads `<board> <userid> <password> <move>[#<moveno>]`.
pub(super) fn player_and_move(
    game: &'static dyn AnyGame,
    words: &mut Words,
) -> Result<(Player, String), Refusal> {
    let mut by = Player::read(game, words)?;
    let all = the_move(words)?;
    let (text, moveno) = numbered(all, by.moveno, words)?;
    by.moveno = moveno;
    Ok((by, own_word(game, &text).map_or(text, str::to_owned)))
}

/// The command that a verb means in the place of a move.
type AsMove = fn(&'static dyn AnyGame, Player) -> Box<dyn Command>;

/// The verbs besides offers that may take the place of a move, since people write `move` out of
/// habit.
fn said_as_move(verb: &str) -> Option<AsMove> {
    Some(match verb {
        "pass" => |_, by| pass::command(by, pass::PASS.name),
        "swap" => |_, by| pass::command(by, pass::SWAP.name),
        "accept" => |game, by| answer::command(game, by, true),
        "reject" => |game, by| answer::command(game, by, false),
        _ => return None,
    })
}

/// A move that is a word of the game: `<game> double <board> <userid> <password>`.
pub(super) fn said(
    game: &'static dyn AnyGame,
    word: &str,
    words: &mut Words,
) -> Result<Box<dyn Command>, Refusal> {
    let by = Player::read(game, words)?;
    words.end()?;
    Ok(Box::new(Play { by, text: word.to_owned(), seed: None }))
}

impl Command for Play {
    fn needs(&self) -> Needs {
        self.by.needs()
    }

    fn board(&self) -> Option<BoardId> {
        Some(self.by.board)
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let (board, seat) = self.by.at(world, cx)?;
        let Some(word) = &self.seed else { return played(world, board, seat, &self.text, cx) };
        let dice = mixed(board, seat, word)?;
        let view = world.view(board, seat);
        let mut decision = carried_out(world, board, (seat, &view), &self.text, Some(&dice), cx)?;
        let mixed = BoardEvent::Mixed { seat, word: word.clone() };
        decision.events.insert(0, Event::Board(board.id, mixed));
        Ok(decision)
    }
}

/// The dice of a board with a word mixed in, which a player gives with their first move.
fn mixed(board: &Board, seat: Seat, word: &str) -> Result<BoardDice, Refusal> {
    let refuse = |why| BoardRefusal::Dice { board: board.id, why };
    let mut dice =
        board.dice.clone().ok_or_else(|| refuse("take no seed word: they cannot be checked"))?;
    if dice.has_word_of(seat) {
        return Err(refuse("have a seed word of yours already").into());
    }
    if board.has_moved(seat) {
        return Err(refuse("take a seed word only with your first move").into());
    }
    dice.mix(Some(seat), word.to_owned(), board.drawn());
    Ok(dice)
}

/// What chance gives next on a board.
///
/// # Errors
/// The key that it follows from is not in the home.
pub(super) fn draws<'a>(
    board: &Board,
    dice: Option<&BoardDice>,
    cx: &'a mut Context,
) -> Result<Draws<'a>, Refusal> {
    let draws = Draws::on(board, dice, cx.keys, cx.chance);
    let why = "cannot be thrown: the server has lost their key";
    draws.ok_or_else(|| BoardRefusal::Dice { board: board.id, why }.into())
}

/// A player's words carried out as a move, with what follows from it.
///
/// # Errors
/// It is not their turn, or the words are no legal move.
pub(super) fn played(
    world: &World,
    board: &Board,
    seat: Seat,
    text: &str,
    cx: &mut Context,
) -> Result<Decision, Refusal> {
    played_as(world, board, seat, &world.view(board, seat), text, cx)
}

/// The same for words as that viewer writes them.
pub(super) fn played_as(
    world: &World,
    board: &Board,
    seat: Seat,
    writer: &View,
    text: &str,
    cx: &mut Context,
) -> Result<Decision, Refusal> {
    carried_out(world, board, (seat, writer), text, board.dice.as_ref(), cx)
}

/// The same with dice that are given.
fn carried_out(
    world: &World,
    board: &Board,
    (seat, writer): (Seat, &View),
    text: &str,
    dice: Option<&BoardDice>,
    cx: &mut Context,
) -> Result<Decision, Refusal> {
    check_turn(board, seat)?;
    let is_long = |of: Seat| world.level(board.player(of)).is_some_and(program::thinks_long);
    if is_long(seat.other()) && *cx.program_moves == 0 {
        let most = cx.limits.program_moves.get();
        return Err(BoardRefusal::ThoughtEnough { board: board.id, most }.into());
    }
    let mut position = board.position().copy();
    position.look_as(writer);
    let now = cx.now;
    let mut dice = draws(board, dice, cx)?;
    let said =
        say(&mut *position, seat, text, &mut dice).map_err(|error| match position.next() {
            // Every mail lists what can be done besides rolling.
            Next::Ready(..) => {
                let legal = [vec![ROLL.to_owned()], board.position().moves()].concat();
                let choice = Choice { board: Some(board.id), legal, ..Choice::default() };
                refused(text, error, choice)
            }
            _ => illegal(Some(board.id), &*position, text, error),
        })?;
    let likes = |of| world.likes(board, of);
    let events = onward(board, &mut *position, said, &likes, &mut dice, now);
    let entries = events.iter().flat_map(|event| match event {
        Event::Board(_, BoardEvent::Played { entries, .. }) => &entries[..],
        _ => &[],
    });
    let thought = entries
        .filter(|entry| matches!(entry, Entry::Moved { seat, auto: false, .. } if is_long(*seat)));
    let thought = u32::try_from(thought.count()).unwrap_or(u32::MAX);
    *cx.program_moves = cx.program_moves.saturating_sub(thought);
    let answer = Answer::Board { board: board.id, what: BoardNews::Moved, by: Some(seat) };
    Ok(Decision { events, answer })
}

/// Whether it is that seat's turn.
///
/// # Errors
/// The other is.
pub(super) fn check_turn(board: &Board, seat: Seat) -> Result<(), Refusal> {
    match board.position().next() {
        Next::Move(due) | Next::Ready(due, _) if due != seat => {
            let waits_for = board.player(due).clone();
            Err(BoardRefusal::NotYourMove { board: board.id, waits_for }.into())
        }
        _ => Ok(()),
    }
}

/// What follows when entries were carried out on a position: dice are thrown and forced moves
/// made up to the next decision. If the player who decides has queued a move, it is made too.
pub(super) fn onward(
    board: &Board,
    position: &mut dyn AnyPosition,
    mut entries: Vec<Entry>,
    likes: &dyn Fn(Seat) -> Likes,
    dice: &mut dyn Thrower,
    at: Time,
) -> Vec<Event> {
    let id = board.id;
    let mut events = Vec::new();
    let mut queues = board.queued.clone();
    entries.extend(advance(position, dice, likes));
    while let Next::Move(seat) | Next::Ready(seat, _) = position.next() {
        let made = entries.iter().filter(|entry| !entry.is_chance()).count();
        let due = board.next_move() + made;
        let is_ripe = |queued: &mut Queued| queued.moveno.is_none_or(|given| given <= due);
        let Some(Queued { text, moveno }) = queues[seat.index()].take_if(is_ripe) else { break };
        let tried = if let Some(given) = moveno.filter(|given| *given != due) {
            Err(Unplayed::Stale { given, due })
        } else {
            let settings = likes(seat).settings;
            position.look_as(&View { seat: Some(seat), settings, legal: false });
            let said = say(position, seat, &text, dice);
            said.map_err(Unplayed::Illegal)
        };
        match tried {
            Ok(said) => {
                events.push(Event::Board(id, BoardEvent::Queued { seat, queued: None }));
                entries.extend(said);
                entries.extend(advance(position, dice, likes));
            }
            Err(why) => {
                events.push(Event::Board(id, BoardEvent::Dropped { seat, text, why }));
                break;
            }
        }
    }
    if !entries.is_empty() {
        events.push(Event::Board(id, BoardEvent::Played { at, entries }));
    }
    events
}

/// The refusal of words as a move, with what could be played instead. A position of a preview may
/// be on no board.
pub(super) fn illegal(
    board: Option<BoardId>,
    position: &dyn AnyPosition,
    text: &str,
    error: MoveError,
) -> Refusal {
    let count = position.count();
    let legal = if count <= FEW { position.moves() } else { Vec::new() };
    let (dice, grid) = match position.diagram(&View { legal: true, ..View::default() }) {
        Diagram::Grid(grid) => (None, Some(grid).filter(|grid| !grid.legal.is_empty())),
        Diagram::Corridor(corridor) => (corridor.dice, None),
        Diagram::Points(points) => (points.dice.map(|(_, dice)| dice), None),
    };
    let example = position.nth_move(0);
    refused(text, error, Choice { board, dice, legal, count, example, grid })
}

/// The refusal of words as a move, with what can be done instead.
pub(super) fn refused(text: &str, error: MoveError, choice: Choice) -> Refusal {
    BoardRefusal::Move { text: text.to_owned(), error, choice: Box::new(choice) }.into()
}
