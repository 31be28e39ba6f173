//! `preview`: what a board would look like after some moves.

use super::words::Words;
use super::{Command, Context, Decision, Needs, Of, Reply, Verb, play, the_game};
use crate::ids::BoardId;
use crate::refusal::{BoardRefusal, Refusal, SyntaxRefusal};
use crate::reply::Answer;
use crate::world::{World, board_key};
use games::{AnyGame, AnyPosition, Choices, Entry, Next, ROLL, Roll, Scripted, View, say};

pub(super) const VERB: Verb = Verb {
    name: "preview",
    aliases: &[],
    of: Of::Game,
    usage: "<board> <move> ... | new [-option ...] <move> ...",
    about: "the board after these moves; dice may stand between them; nothing is kept",
    reply: Some(Reply::Board),
    parse,
};

/// Moves looked ahead at most.
const MOST: usize = 50;

#[derive(Debug)]
struct Preview {
    game: &'static dyn AnyGame,
    from: From,
    moves: Vec<String>,
}

#[derive(Debug)]
enum From {
    Board(BoardId, Option<usize>),
    Start(Choices),
}

fn parse(
    game: Option<&'static dyn AnyGame>,
    words: &mut Words,
) -> Result<Box<dyn Command>, Refusal> {
    let game = the_game(game);
    let from = if words.peek().is_some_and(|word| word.eq_ignore_ascii_case("new")) {
        words.word("`new`")?;
        let mut options = Vec::new();
        while let Some(option) = words.peek().filter(|word| word.starts_with('-')) {
            options.push(option);
            words.word("an option")?;
        }
        let spec = game.spec();
        let option = |error| SyntaxRefusal::Option {
            error,
            known: spec.options.iter().map(|s| format!("-{:<12} {}", s.name, s.help)).collect(),
        };
        From::Start(Choices::parse(spec.options, spec.exclusive, options).map_err(option)?)
    } else {
        let (board, moveno) = words.board(game)?;
        From::Board(board, moveno)
    };
    let moves: Vec<String> = words.rest().iter().map(|word| (*word).to_owned()).collect();
    if moves.len() > MOST {
        return Err(words.wrong(format!("at most {MOST} moves are looked ahead")));
    }
    if moves.is_empty() && matches!(from, From::Board(..)) {
        return Err(words.wrong("the move is missing"));
    }
    Ok(Box::new(Preview { game, from, moves }))
}

/// Whether a look ahead would tell what a player has to find out by playing.
pub(super) fn hides(game: &dyn AnyGame) -> bool {
    let manner = game.spec().manner;
    manner.secret || manner.solo
}

impl Command for Preview {
    fn needs(&self) -> Needs {
        Needs::Keys(match self.from {
            From::Board(board, _) => vec![board_key(board)],
            From::Start(_) => Vec::new(),
        })
    }

    fn board(&self) -> Option<BoardId> {
        match self.from {
            From::Board(board, _) => Some(board),
            From::Start(_) => None,
        }
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let mut view = View::default();
        let mut position = match &self.from {
            From::Start(options) => self.game.setup(options),
            From::Board(id, moveno) => {
                let board = world.board(*id)?;
                if board.private && !cx.may_see(world, board) {
                    return Err(BoardRefusal::Private(*id).into());
                }
                if hides(self.game) {
                    return Err(BoardRefusal::Hidden(*id).into());
                }
                match moveno {
                    Some(given) if *given != board.next_move() => {
                        let due = board.next_move();
                        return Err(BoardRefusal::Stale { board: *id, given: *given, due }.into());
                    }
                    _ => {
                        if let Some(seat) = cx.seat_of(board) {
                            view = world.view(board, seat);
                        }
                        board.position().copy()
                    }
                }
            }
        };
        position.look_as(&view);
        if position.next() == Next::Deal {
            let stones = cx.chance.deal(&*position);
            position.lay(stones).expect("what is dealt can be laid");
        }
        let is_new = matches!(self.from, From::Start(_));
        let played = self
            .moves
            .iter()
            .enumerate()
            .map(|(index, word)| step(&mut *position, word, is_new && index == 0))
            .map(|played| played.map(|text| self.game.worded(&view, text)))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Answer::Previewed { game: self.game, played, position, view }.into())
    }
}

/// Takes one word: dice where dice are to be thrown, else a move. The `first` word of a new board
/// may be the throw that decides who begins: whoever throws the higher die is the first side.
fn step(position: &mut dyn AnyPosition, word: &str, first: bool) -> Result<String, Refusal> {
    let is = |other: &str| word.eq_ignore_ascii_case(other);
    let says_nothing = |position: &dyn AnyPosition| !position.spells(word);
    if matches!(position.next(), Next::Roll(_))
        || matches!(position.next(), Next::Ready(..))
            && (word.parse::<Roll>().is_ok() || is(ROLL) || says_nothing(position))
    {
        let roll = word.parse::<Roll>().map_err(|expected| {
            let error = games::MoveError::Unreadable { at: 0, expected };
            play::illegal(position, word, error)
        })?;
        let roll = match (roll, position.next()) {
            (Roll::Two(a, b), Next::Roll(throw)) if first && throw.opening => {
                Roll::Two(a.max(b), a.min(b))
            }
            (roll, _) => roll,
        };
        position.roll(roll).map_err(|error| play::illegal(position, word, error))?;
        return Ok(roll.to_string());
    }
    if let (true, Next::Move(seat)) = (position.manner().several, position.next()) {
        // Nothing is thrown for a press.
        let said = say(position, seat, word, &mut Scripted::default());
        let said = said.map_err(|error| play::illegal(position, word, error))?;
        let moves = said.iter().filter_map(|entry| match entry {
            Entry::Moved { text, .. } => Some(text.as_str()),
            Entry::Rolled(_) | Entry::Laid(_) | Entry::Resigned { .. } => None,
        });
        return Ok(moves.collect::<Vec<_>>().join(","));
    }
    match position.play(word) {
        Ok(text) => Ok(text),
        Err(error) => Err(play::illegal(position, word, error)),
    }
}
