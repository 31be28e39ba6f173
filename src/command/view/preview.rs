//! `preview`: a board after further moves, which are not recorded.

use crate::base::ids::BoardId;
use crate::command::new_board::challenge::describe_option;
use crate::command::play::turn;
use crate::command::{
    Arguments, Command, Context, Decision, Needs, ParsedCommand, ReplyScope, Verb, VerbScope,
    required_game,
};
use crate::model::board::Board;
use crate::model::world::{World, board_key};
use crate::refusal::{BoardRefusal, Refusal, SyntaxRefusal};
use crate::reply::DisplayAnswer;
use games::{
    AnyGame, AnyPosition, Choices, Entry, MoveError, Next, ROLL, Roll, Scripted, Seat, View,
    play_text,
};

pub(crate) const VERB: Verb = Verb {
    name: "preview",
    aliases: &[],
    scope: VerbScope::Game,
    usage: "<board> <move> ... | new [-option ...] <move> ...",
    about: "the board after these moves, with dice between them; nothing is kept",
    reply: Some(ReplyScope::Board),
    parse,
};

/// The most moves of a preview.
pub(crate) const MAX_TRIED_MOVES: usize = 50;

/// The most words of one move: four checkers, each with its steps.
const MAX_MOVE_WORDS: usize = 16;

#[derive(Debug)]
struct PreviewCommand {
    game: &'static dyn AnyGame,
    from: PreviewStart,
    moves: Vec<String>,
}

#[derive(Debug)]
enum PreviewStart {
    /// A board, and the move number behind it.
    Board(BoardId, Option<usize>),
    /// A new board with these options.
    New(Choices),
}

fn parse(game: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    let game = required_game(game);
    let is_new = words.peek().is_some_and(|word| word.eq_ignore_ascii_case("new"));
    let from = if is_new && !words.starts_with_board() {
        words.word("`new`")?;
        let spec = game.spec();
        let options = words.options(&[spec.options]);
        let option = |error| SyntaxRefusal::Option {
            error,
            known: spec.options.iter().map(describe_option).collect(),
        };
        let options = options.iter().map(String::as_str);
        PreviewStart::New(Choices::parse(spec.options, spec.exclusive, options).map_err(option)?)
    } else {
        let (board, moveno) = words.board(game)?;
        PreviewStart::Board(board, moveno)
    };
    let moves: Vec<String> = words.take_rest().iter().map(|word| (*word).to_owned()).collect();
    if moves.len() > MAX_TRIED_MOVES {
        return Err(
            words.usage_error(format!("you can look ahead at most {MAX_TRIED_MOVES} moves"))
        );
    }
    if moves.is_empty() && matches!(from, PreviewStart::Board(..)) {
        return Err(words.usage_error("the move is missing"));
    }
    Ok(Box::new(PreviewCommand { game, from, moves }))
}

/// Moves that were tried from a position, up to the first one that is not legal.
#[derive(Debug)]
pub(crate) struct TriedMoves {
    /// The rolls and moves, in order.
    pub(crate) steps: Vec<TriedStep>,
    /// The position after them.
    pub(crate) position: Box<dyn AnyPosition>,
    /// Why the words after them are no roll or move that can come next.
    pub(crate) refused: Option<Refusal>,
}

/// A roll or a move that was tried.
#[derive(Debug)]
pub(crate) struct TriedStep {
    /// The position before it.
    pub(crate) before: Box<dyn AnyPosition>,
    /// The side that moved; `None` for a roll.
    pub(crate) mover: Option<Seat>,
    /// The roll or the move, as a record writes it.
    pub(crate) text: String,
    /// The same, as the viewer writes it: one word.
    pub(crate) words: String,
}

/// Tries rolls and moves, as the viewer writes them, from a position. On a `new` board the first roll
/// has the higher die first, whoever rolled it.
pub(crate) fn try_moves(
    game: &dyn AnyGame,
    mut position: Box<dyn AnyPosition>,
    view: &View,
    words: &[&str],
    is_new: bool,
) -> TriedMoves {
    position.set_viewer(view);
    let (mut steps, mut words): (Vec<TriedStep>, _) = (Vec::new(), words);
    while !words.is_empty() && steps.len() < MAX_TRIED_MOVES {
        let before = position.copy();
        match step(&mut *position, words, is_new && steps.is_empty()) {
            Ok((text, taken)) => {
                let is_roll = text.parse::<Roll>().is_ok();
                let (mover, shown) = match before.next() {
                    Next::Move(mover) => {
                        (Some(mover), game.text_for_viewer(view, mover, text.clone()))
                    }
                    Next::Ready(mover, _) if !is_roll => (Some(mover), text.clone()),
                    _ => (None, text.clone()),
                };
                steps.push(TriedStep { before, mover, text, words: shown });
                words = &words[taken..];
            }
            Err(refusal) => return TriedMoves { steps, position, refused: Some(refusal) },
        }
    }
    TriedMoves { steps, position, refused: None }
}

/// Returns the position of a board after some moves, to try others from there.
///
/// # Errors
/// Part of the board is hidden, or it has had fewer moves.
pub(crate) fn position_to_try(
    board: &Board,
    after: usize,
) -> Result<Box<dyn AnyPosition>, BoardRefusal> {
    if is_hidden(board.game) {
        return Err(BoardRefusal::Hidden(board.id));
    }
    let made = board.next_move() - 1;
    board.position_after(after).ok_or(BoardRefusal::NoSuchMove {
        board: board.id,
        given: after,
        made,
    })
}

/// Returns whether a preview would reveal what players must find out by playing.
pub(crate) fn is_hidden(game: &dyn AnyGame) -> bool {
    game.spec().manner.is_blind()
}

impl Command for PreviewCommand {
    fn is_open_to_guests(&self) -> bool {
        true
    }

    fn needs(&self) -> Needs {
        Needs::Keys(match self.from {
            PreviewStart::Board(board, _) => vec![board_key(board)],
            PreviewStart::New(_) => Vec::new(),
        })
    }

    fn board(&self) -> Option<BoardId> {
        match self.from {
            PreviewStart::Board(board, _) => Some(board),
            PreviewStart::New(_) => None,
        }
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let (mut position, view) = self.begin(world, cx)?;
        if position.next() == Next::Deal {
            let stones = cx.chance.deal(&*position);
            position.lay(stones).expect("what is dealt can be laid");
        }
        let is_new = matches!(self.from, PreviewStart::New(_));
        let words: Vec<&str> = self.moves.iter().map(String::as_str).collect();
        let tried = try_moves(self.game, position, &view, &words, is_new);
        if let Some(refusal) = tried.refused {
            return Err(refusal);
        }
        let position = tried.position;
        let played = tried.steps.into_iter().map(|step| step.words).collect();
        let (game, board) = (self.game, self.board());
        Ok(DisplayAnswer::Previewed { game, board, played, position, view }.into())
    }
}

impl PreviewCommand {
    /// Returns the starting position of the preview and the sender's view.
    fn begin(&self, world: &World, cx: &Context) -> Result<(Box<dyn AnyPosition>, View), Refusal> {
        let id = match &self.from {
            PreviewStart::New(options) => return Ok((self.game.setup(options), View::default())),
            PreviewStart::Board(id, _) => *id,
        };
        let board = cx.visible_board(world, id)?;
        if is_hidden(self.game) {
            return Err(BoardRefusal::Hidden(id).into());
        }
        let due = board.next_move();
        let position = match self.from {
            PreviewStart::Board(_, Some(given)) if given != due => {
                return Err(BoardRefusal::Stale { board: id, given, due }.into());
            }
            _ => board.position().copy(),
        };
        let view = cx.seat_of(board).map(|seat| world.view(board, seat));
        Ok((position, view.unwrap_or_default()))
    }
}

/// Plays the next roll or move at the front of `words` and returns its text and the number of words
/// used. If it `is_first` on a new board, it may be an opening roll: the higher die is that of the
/// first side.
fn step(
    position: &mut dyn AnyPosition,
    words: &[&str],
    is_first: bool,
) -> Result<(String, usize), Refusal> {
    let word = words[0];
    let is = |other: &str| word.eq_ignore_ascii_case(other);
    let says_nothing = |position: &dyn AnyPosition| !position.can_read(word);
    if matches!(position.next(), Next::Roll(_))
        || matches!(position.next(), Next::Ready(..))
            && (!position.asks_to_roll()
                || read_dice(word).is_ok()
                || is(ROLL)
                || says_nothing(position))
    {
        let roll = read_dice(word).map_err(|expected| {
            let error = MoveError::Unreadable { at: 0, expected };
            turn::illegal_move(None, position, word, error)
        })?;
        let roll = match (roll, position.next()) {
            (Roll::Two(a, b), Next::Roll(throw)) if is_first && throw.is_opening => {
                Roll::Two(a.max(b), a.min(b))
            }
            (roll, _) => roll,
        };
        position.roll(roll).map_err(|error| turn::illegal_move(None, position, word, error))?;
        return Ok((roll.to_string(), 1));
    }
    // A move may consist of several words, as in `8/5 6/5`. A word of two dice ends it.
    let behind = words[1..].iter().take(MAX_MOVE_WORDS - 1);
    let most = 1 + behind.take_while(|word| !matches!(read_dice(word), Ok(Roll::Two(..)))).count();
    // A trailing comma continues the move.
    let goes_on = |word: &&&str| word.ends_with([',', ';']);
    let least = (1 + words.iter().take_while(goes_on).count()).min(most);
    let mut why: Option<(String, MoveError)> = None;
    for taken in least..=most {
        let text = words[..taken].join(" ");
        match play_moves(position, &text) {
            Ok(text) => return Ok((text, taken)),
            Err(MoveError::Unreadable { .. }) if why.is_some() => {}
            Err(error) => why = Some((text, error)),
        }
    }
    let (text, error) = why.expect("at least one word was tried");
    Err(turn::illegal_move(None, position, &text, error))
}

/// Parses dice as people type them between moves, or as programs print them before a move: `31`,
/// `31:`.
fn read_dice(word: &str) -> Result<Roll, &'static str> {
    word.strip_suffix(':').unwrap_or(word).parse()
}

/// Plays a move, or several in games that allow it, and returns the canonical notation.
fn play_moves(position: &mut dyn AnyPosition, text: &str) -> Result<String, MoveError> {
    let (true, Next::Move(seat)) = (position.manner().has_multi_move_turns, position.next()) else {
        return position.play(text);
    };
    // Such games roll nothing after a move.
    let said = play_text(position, seat, text, &mut Scripted::default())?;
    let moves = said.iter().filter_map(|entry| match entry {
        Entry::Moved { text, .. } => Some(text.as_str()),
        Entry::Rolled(_) | Entry::Laid(_) | Entry::Resigned { .. } => None,
    });
    Ok(moves.collect::<Vec<_>>().join(","))
}
