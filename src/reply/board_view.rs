//! A board for a web page: the same sentences as in its mails, in parts.

use crate::base::time::Time;
use crate::model::board::Board;
use crate::model::world::World;
use crate::reply::board_mail::board_section::{self, BoardViewer};
use crate::reply::board_mail::news_line::news_line;
use crate::reply::board_mail::reply_options::ReplyOptions;
use crate::reply::board_mail::{clock_text, names, offers, plans, position_in_words, questions};
use crate::reply::letters::{Block, Choice};
use games::{AnyPosition, Diagram, Seat, View};

pub use crate::reply::board_mail::board_section::every_move as all_moves;
pub(crate) use crate::reply::board_mail::clock_text::{time_left, too_short as ratings_too_short};
pub(crate) use crate::reply::board_mail::offers::{asked as offer_question, open as open_offer};
pub(crate) use crate::reply::board_mail::plans::plan_lines;
pub(crate) use crate::reply::board_mail::state_sentence::{short_state, state_sentence};

/// A board as a viewer sees it.
#[derive(Clone, Debug)]
pub struct BoardView {
    /// The board's name: `Malaka board 17`.
    pub name: String,
    /// What was played since the viewer's last decision, and whose turn it is.
    pub news: String,
    /// The position.
    pub diagram: Diagram,
    /// The position in words.
    pub words: Option<Block>,
    /// Facts, options and clocks.
    pub below: Vec<Block>,
    /// The position in the notation that programs read.
    pub position: String,
    /// The buttons.
    pub choices: Vec<Choice>,
}

impl BoardView {
    /// Builds the view of a board as it is now, for the player of a seat or for anybody.
    pub fn now(world: &World, board: &Board, seat: Option<Seat>, now: Time) -> Self {
        let reader = BoardViewer::at(world, board, seat);
        let diagram = board_section::diagram(board, &reader.view);
        let words = reader.position_in_words(world, board, &diagram, now);
        // The page of a board shows what proves the dice elsewhere, in words for browsers.
        let below = board_section::below(world, board, &diagram, reader.user, Vec::new(), now);
        let options =
            seat.map(|seat| ReplyOptions::for_seat(world, board, seat, &reader, now).choices);
        Self {
            name: names::board_name(board),
            news: news_line(board, &reader.view),
            words,
            below,
            position: board.position().visible_notation(&reader.view),
            choices: match options {
                Some(Block::Choices(choices)) => choices,
                _ => Vec::new(),
            },
            diagram,
        }
    }

    /// Builds the view of a board as it was after `moves` moves; `position` is the one after them.
    pub fn past(
        world: &World,
        board: &Board,
        seat: Option<Seat>,
        moves: usize,
        position: &dyn AnyPosition,
    ) -> Self {
        let reader = BoardViewer::at(world, board, seat);
        let diagram = position.diagram(&reader.view);
        let words = reader.wants_words(world);
        let words =
            words.then(|| position_in_words::past(board, position, &diagram, &reader.view, moves));
        let name = names::board_name(board);
        let news = match moves {
            0 => "Before the first move.".to_owned(),
            _ => format!("After move {moves}."),
        };
        let position = position.visible_notation(&reader.view);
        let (below, choices) = (Vec::new(), Vec::new());
        Self { name, news, diagram, words, below, position, choices }
    }
}

/// Returns the consequences of the open offer, for the player who has to answer it.
pub fn offer_consequences(world: &World, board: &Board, now: Time) -> String {
    let told = board.offer.map(|offer| {
        let until = clock_text::draw_deadline(world, board, offer.by.other(), now);
        offers::what_follows(board, offer, until)
    });
    told.unwrap_or_default().trim_end().to_owned()
}

/// Returns what the opponent's last move asks the player of a view: `bob doubles: do you take or
/// pass?`
pub fn move_question(board: &Board, view: &View) -> Option<String> {
    questions::with_buttons(board, view.seat?)
}

/// Returns what happened to a player's plan since their last own decision, for this player alone.
pub fn plan_note(board: &Board, seat: Seat, view: &View) -> Option<String> {
    let (note, plan) = (board.plan_notes[seat.index()].as_ref()?, &board.plans[seat.index()]);
    plans::note_sentence(board, seat, note, plan.as_ref(), view)
}

/// Returns the diagram as a viewer sees it.
pub fn diagram(world: &World, board: &Board, seat: Option<Seat>) -> Diagram {
    board_section::diagram(board, &view(world, board, seat))
}

/// Returns a viewer's view of a board.
pub fn view(world: &World, board: &Board, seat: Option<Seat>) -> View {
    BoardViewer::at(world, board, seat).view
}
