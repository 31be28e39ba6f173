//! Boards, positions and texts that a user asks to see.

use crate::base::ids::BoardId;
use crate::base::time::Time;
use crate::base::words::Plural;
use crate::model::board::Board;
use crate::model::topic::Topic;
use crate::model::world::World;
use crate::reply::board_mail::board_section::{
    BoardSection, BoardViewer, diagram, for_programs, picture,
};
use crate::reply::board_mail::names::player_names;
use crate::reply::board_mail::position_in_words;
use crate::reply::board_mail::state_sentence::headline;
use crate::reply::board_mail::subject::{self, SubjectTopic};
use crate::reply::letters::{Block, OutgoingMail, TextElement};
use crate::reply::operator::board_line;
use crate::reply::{AnswerContext, MAX_LISTED_PLAYS, analysis};
use games::{AnyGame, AnyPosition, Next, Outcome, ROLL, Seat, View};

/// The most legal plays in a mail.
const MAX_PLAYS: usize = 1000;

/// Something that a user asked to see.
#[derive(Debug)]
#[allow(missing_docs, reason = "a field is named after its value")]
pub enum DisplayAnswer {
    /// Boards, drawn.
    Boards(Vec<BoardDrawing>),
    /// The analysis of a game.
    Analysed {
        board: BoardId,
        seat: Option<Seat>,
        /// The move to analyse; all moves without one.
        moveno: Option<usize>,
    },
    /// Boards in a format of another program.
    Exported { game: &'static dyn AnyGame, text: String },
    /// A board that was set up with a game played to its end elsewhere.
    Imported(BoardId),
    /// The dice of a board with their proofs.
    Proved {
        board: BoardId,
        /// The sheet of rolls.
        text: String,
    },
    /// The legal plays of a board.
    Plays { board: BoardId, seat: Option<Seat> },
    /// The position after a preview's moves.
    Previewed {
        game: &'static dyn AnyGame,
        /// The board where the preview began.
        board: Option<BoardId>,
        /// The moves, as the viewer writes them.
        played: Vec<String>,
        /// The position after the moves.
        position: Box<dyn AnyPosition>,
        view: View,
    },
}

/// A board to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardDrawing {
    /// The board.
    pub board: BoardId,
    /// The number of moves after which it is drawn; as it is now without it.
    pub after: Option<usize>,
    /// The seat whose view is drawn; an observer's view without one.
    pub seat: Option<Seat>,
}

impl DisplayAnswer {
    pub(crate) fn mail(&self, at: &AnswerContext) -> OutgoingMail {
        match self {
            Self::Boards(shown) => OutgoingMail::answer(
                subject_of(at.world, shown),
                all_boards(at.world, shown, at.now),
            ),
            Self::Analysed { board, seat, moveno } => analysis::mail(at, *board, *seat, *moveno),
            Self::Exported { game, text } => {
                let subject = format!("{} export", game.spec().title);
                OutgoingMail::answer(subject, vec![Block::Preformatted(text.clone())])
            }
            Self::Imported(id) => {
                let line = at.world.board(*id).map_or_else(|_| id.to_string(), board_line);
                OutgoingMail::answer(
                    format!("{id} imported"),
                    vec![Block::Preformatted(line + "\n")],
                )
            }
            Self::Proved { board, text } => roll_sheet(*board, text),
            Self::Plays { board, seat } => plays(at.world, *board, *seat),
            Self::Previewed { game, board, played, position, view } => {
                let subject = format!("{} preview", game.spec().title);
                let mut blocks = previewed(played, &**position, view);
                let board = board.and_then(|board| at.world.board(board).ok());
                if let Some((board, seat)) = board.zip(view.seat) {
                    let reader = BoardViewer::player(at.world, board, seat);
                    add_words_to_preview(&mut blocks, at.world, board, &**position, &reader);
                }
                OutgoingMail::answer(subject, blocks)
            }
        }
    }
}

fn roll_sheet(board: BoardId, sheet: &str) -> OutgoingMail {
    let title = games::title(board.game);
    let subject = format!("{title} {} dice", board.number);
    let sentence = "The dice of this board were fixed by a key before the game began. Each proof \
                    shows that a roll is the one that belongs to its number. To check them, send \
                    `help dice`.";
    let blocks = vec![Block::sentence(sentence), Block::Preformatted(sheet.to_owned())];
    OutgoingMail { topic: Some(Topic::Board(board)), ..OutgoingMail::answer(subject, blocks) }
}

fn subject_of(world: &World, shown: &[BoardDrawing]) -> String {
    match shown {
        [only] => world.board(only.board).map_or_else(
            |_| "Board".into(),
            |board| subject::for_board(board, only.seat, SubjectTopic::Board),
        ),
        more => Plural(more.len(), "board").to_string(),
    }
}

/// Draws boards one after the other.
fn all_boards(world: &World, shown: &[BoardDrawing], now: Time) -> Vec<Block> {
    if shown.is_empty() {
        return vec![Block::sentence("There are no boards to show.")];
    }
    let one = |shown: &BoardDrawing| {
        let board = world.board(shown.board).expect("it was found when the show was decided");
        let reader = BoardViewer::at(world, board, shown.seat);
        match shown.after {
            None => board_without_options(world, board, &reader, now),
            Some(moves) => past_board(world, board, &reader, moves),
        }
    };
    shown.iter().flat_map(one).collect()
}

/// Draws a board without reply options.
pub(crate) fn board_without_options(
    world: &World,
    board: &Board,
    reader: &BoardViewer,
    now: Time,
) -> Vec<Block> {
    let body = BoardSection::for_reader(world, board, &diagram(board, &reader.view), reader, now);
    let mut blocks = vec![Block::sentence(headline(board, &reader.view))];
    blocks.extend(body.with(None));
    blocks.push(for_programs(board.position(), &reader.view));
    blocks
}

/// Draws a board as it was after `moves` moves.
fn past_board(world: &World, board: &Board, reader: &BoardViewer, moves: usize) -> Vec<Block> {
    let position = board.position_after(moves).expect("the move number was checked");
    let (title, number) = (board.game.spec().title, board.id.number);
    let when = match moves {
        0 => "before the first move".to_owned(),
        _ => format!("after move {moves}"),
    };
    let diagram = position.diagram(&reader.view);
    let mut blocks = vec![Block::sentence(format!("{title} board {number} {when}:"))];
    if reader.wants_words(world) {
        blocks.push(position_in_words::past(board, &*position, &diagram, &reader.view, moves));
    }
    if !reader.wants_words_only(world) {
        blocks.push(picture(&diagram, Some(player_names(board))));
    }
    blocks.push(for_programs(&*position, &reader.view));
    blocks
}

/// Lists the legal plays of a board, as the player to move writes them.
fn plays(world: &World, id: BoardId, seat: Option<Seat>) -> OutgoingMail {
    let board = world.board(id).expect("it was found when its plays were asked for");
    let reader = BoardViewer::at(world, board, seat);
    let mut blocks = vec![Block::sentence(headline(board, &reader.view))];
    if !board.is_over() {
        let mut position = board.position().copy();
        if let Next::Move(due) | Next::Ready(due, _) = position.next() {
            position.set_viewer(&world.view(board, due));
        }
        let mut listed = position.moves_up_to(MAX_PLAYS);
        let count = position.count();
        if matches!(position.next(), Next::Ready(..)) {
            listed.insert(0, ROLL.to_owned());
        }
        let first = match count {
            0 => "There is no legal play to choose.".to_owned(),
            1 => "The legal play:".to_owned(),
            count if count > MAX_PLAYS => {
                format!("The first {MAX_PLAYS} of the {count} legal plays:")
            }
            count => format!("The {count} legal plays:"),
        };
        let list = (!listed.is_empty()).then_some(TextElement::Plays(listed));
        blocks.push(Block::Text([TextElement::Sentence(first)].into_iter().chain(list).collect()));
    }
    let subject = subject::for_board(board, seat, SubjectTopic::Board);
    OutgoingMail { topic: Some(Topic::Board(id)), ..OutgoingMail::answer(subject, blocks) }
}

/// Draws the position after a preview's moves.
fn previewed(played: &[String], position: &dyn AnyPosition, view: &View) -> Vec<Block> {
    let first = match played {
        [] => "The start:".to_owned(),
        played => format!("After {}:", played.join(" ")),
    };
    let mut next = next_step_sentences(position);
    next.push(TextElement::Sentence("This was a preview: nothing was played.".into()));
    vec![
        Block::sentence(first),
        picture(&position.diagram(view), None),
        Block::Text(next),
        for_programs(position, view),
    ]
}

/// Adds a preview in words, or replaces its picture, as its reader wants.
fn add_words_to_preview(
    blocks: &mut Vec<Block>,
    world: &World,
    board: &Board,
    position: &dyn AnyPosition,
    reader: &BoardViewer,
) {
    if reader.wants_words_only(world) {
        blocks.retain(|block| !matches!(block, Block::Picture(_)));
    }
    if reader.wants_words(world) {
        let diagram = position.diagram(&reader.view);
        // The last move of the board is not a part of the preview.
        blocks.insert(
            1,
            position_in_words::position(board, position, &diagram, &reader.view, Some(0)),
        );
    }
}

fn next_step_sentences(position: &dyn AnyPosition) -> Vec<TextElement> {
    let sentence = |words: String| vec![TextElement::Sentence(words)];
    match position.next() {
        Next::Over(Outcome::Won { by, reason, .. }) => {
            sentence(format!("That ends the game: {} wins {reason}.", position.sides()[by.index()]))
        }
        Next::Over(Outcome::Drawn { reason }) => {
            sentence(format!("That ends the game in a draw: {reason}."))
        }
        Next::Roll(_) | Next::Deal | Next::Ready(..) => {
            sentence("Then the dice are rolled.".into())
        }
        Next::Move(_) if position.count() <= MAX_LISTED_PLAYS => vec![
            TextElement::Sentence("The legal plays from here:".into()),
            TextElement::Plays(position.moves()),
        ],
        Next::Move(_) => sentence(format!("{} from here.", Plural(position.count(), "legal play"))),
    }
}
