//! The drawing of a board, with links on the spots where a player can do something.

use super::turn_marks::{TurnLinks, turn_marks};
use super::{CHANGE, ViewedBoard, path};
use crate::base::ids::UserId;
use crate::model::board::BoardStatus;
use crate::reply::board_view::BoardView;
use crate::reply::draw::{DrawOptions, Ink, Marks, Orientation, svg};
use games::{AnyGame, Corner, Diagram, NextStep, PartialMove, Points, Seat, Spot};
use maud::{Markup, PreEscaped};

/// How many moves of one player are marked at most: a player can move several times in a row.
const MAX_MARKED_MOVES: usize = 4;

/// The setting by which players choose the corner of their start.
const CORNER_SETTING: &str = "sethome";

/// Draws the board.
pub(super) fn board(viewed: &ViewedBoard, board_view: &BoardView) -> Markup {
    let board = viewed.board;
    let partial = || viewed.partial_move.as_ref().map(|it| &it.diagram);
    let submitted = viewed.submitted.as_ref().map(|it| &it.diagram);
    let diagram = submitted.or_else(partial).unwrap_or(&board_view.diagram);
    let viewer = BoardSide { game: board.game, seat: viewed.seat, is_flipped: viewed.is_flipped };
    let Oriented { diagram, orientation } = viewer.orient(diagram);
    let names = board.players.each_ref().map(UserId::as_str);
    let turn = match board.status() {
        BoardStatus::ToMove(seat) if viewed.after.is_none() => Some(seat),
        _ => None,
    };
    let marks = marks(viewed);
    let (beside, ink) = (["", ""], Ink::Page);
    let options = DrawOptions { names, beside, turn, marks: &marks, ink, orientation };
    PreEscaped(svg(&diagram, &options))
}

/// A diagram with its orientation.
pub(in crate::web::pages) struct Oriented {
    pub(in crate::web::pages) diagram: Diagram,
    pub(in crate::web::pages) orientation: Orientation,
}

/// The side from which a visitor sees a board.
#[derive(Clone, Copy)]
pub(in crate::web::pages) struct BoardSide {
    pub(in crate::web::pages) game: &'static dyn AnyGame,
    /// The visitor's seat, if they play.
    pub(in crate::web::pages) seat: Option<Seat>,
    /// Whether they have flipped the board.
    pub(in crate::web::pages) is_flipped: bool,
}

impl BoardSide {
    /// Turns a diagram so that the visitor's side is below, or above if they have flipped the board.
    pub(in crate::web::pages) fn orient(self, diagram: &Diagram) -> Oriented {
        let usual = match diagram {
            Diagram::Points(points) => points.upper.other(),
            other => Orientation::upright(other).bottom,
        };
        let own = self.seat.unwrap_or(usual);
        let bottom = if self.is_flipped { own.other() } else { own };
        let diagram = match diagram {
            Diagram::Points(points) if points.upper == bottom => {
                let first = self.opposite(points.first);
                Diagram::Points(Points { upper: bottom.other(), first, ..points.clone() })
            }
            other => other.clone(),
        };
        let is_turned = match diagram {
            Diagram::Points(_) => false,
            Diagram::Corridor(_) => bottom == Seat(1),
            // Where the sides have no ends of the board, it is turned only by hand.
            Diagram::Board(ref board) => {
                board.lower_side().map_or(self.is_flipped, |lower| bottom != lower)
            }
        };
        Oriented { diagram, orientation: Orientation { bottom, is_turned } }
    }

    /// Returns the corner of point 1 once the upper and the lower side are exchanged. Where players
    /// choose the corner themselves, the men of both sides go the same way round, so the board is
    /// rotated.
    fn opposite(self, corner: Corner) -> Corner {
        use Corner::{LowerLeft, LowerRight, UpperLeft, UpperRight};
        let mirrored = match corner {
            UpperRight => LowerRight,
            LowerRight => UpperRight,
            UpperLeft => LowerLeft,
            LowerLeft => UpperLeft,
        };
        let settings = self.game.spec().settings;
        if !settings.iter().any(|setting| setting.switch.name == CORNER_SETTING) {
            return mirrored;
        }
        match mirrored {
            UpperRight => UpperLeft,
            UpperLeft => UpperRight,
            LowerRight => LowerLeft,
            LowerLeft => LowerRight,
        }
    }
}

fn marks(viewed: &ViewedBoard) -> Marks {
    if let Some(submitted) = &viewed.submitted {
        return Marks { last: submitted.paths.clone(), ..Marks::default() };
    }
    match &viewed.partial_move {
        None => Marks { last: last_moves(viewed), ..Marks::default() },
        Some(partial_move) => marks_of_turn(viewed, partial_move),
    }
}

/// Marks the spots of the viewer's turn: men to choose, the chosen man, and its targets.
fn marks_of_turn(viewed: &ViewedBoard, partial_move: &PartialMove) -> Marks {
    let choose = |from| address_of_man(viewed, from);
    let step = |step: &NextStep| {
        let mut steps = viewed.steps.clone();
        steps.push(step.words.clone());
        path_after_steps(viewed, &steps)
    };
    let links = TurnLinks { choose: &choose, step: &step };
    let marks = turn_marks(partial_move, viewed.from.as_deref(), &links);
    if partial_move.paths.is_empty() { Marks { last: last_moves(viewed), ..marks } } else { marks }
}

/// Returns the paths of the latest moves of one player.
fn last_moves(viewed: &ViewedBoard) -> Vec<Vec<Spot>> {
    let board = viewed.board;
    let turns: Vec<_> = board.moves().collect();
    let played = &turns[..viewed.after.unwrap_or(turns.len()).min(turns.len())];
    let last_seat = played.last().map(|turn| turn.seat);
    let of_one_player = played.iter().rev().take_while(|turn| Some(turn.seat) == last_seat);
    let paths = of_one_player.take(MAX_MARKED_MOVES).flat_map(|turn| {
        board.game.paths(&board.game.text_for_diagram(&viewed.view, turn.text.to_string()))
    });
    paths.collect()
}

/// Returns the address of the page on which a man is chosen.
fn address_of_man(viewed: &ViewedBoard, from: Spot) -> String {
    let mut href = format!("{}?from={}", path(viewed.board.id), from);
    if !viewed.steps.is_empty() {
        href = format!("{href}&play={}", escaped(&viewed.steps.join(",")));
    }
    href
}

/// Returns the path of the page on which these steps are made.
pub(super) fn path_after_steps(viewed: &ViewedBoard, steps: &[String]) -> String {
    let path = path(viewed.board.id);
    match steps {
        // Without a step the submitted move would be shown again.
        [] if viewed.has_submitted() => format!("{path}?{CHANGE}=yes"),
        [] => path,
        steps => format!("{path}?play={}", escaped(&steps.join(","))),
    }
}

fn escaped(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect()
}
