//! `analyse`: the program's opinion of a finished game.

use crate::base::ids::BoardId;
use crate::command::{
    Arguments, Command, Context, Decision, Needs, ParsedCommand, ReplyScope, Verb, VerbScope,
    required_game,
};
use crate::model::board::Board;
use crate::model::correspondent::{CorrespondentEvent, LimitedAction};
use crate::model::world::event::Event;
use crate::model::world::{World, board_key};
use crate::refusal::{BoardRefusal, Refusal};
use crate::reply::DisplayAnswer;
use games::AnyGame;

pub(crate) const VERB: Verb = Verb {
    name: "analyse",
    aliases: &["analyze", "analysis"],
    scope: VerbScope::Game,
    usage: "<board>[#<moveno>]",
    about: "the best plays of a game that is over; of one move, with its board",
    reply: Some(ReplyScope::Board),
    parse,
};

#[derive(Debug)]
struct AnalyseCommand {
    board: BoardId,
    moveno: Option<usize>,
}

fn parse(game: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    let (board, moveno) = words.board(required_game(game))?;
    // In a reply the move number can be written alone.
    let moveno = match (moveno, words.peek()) {
        (None, Some(word)) => {
            let number = word.trim_start_matches('#').parse().ok();
            words.word("the move")?;
            Some(number.ok_or_else(|| words.usage_error("the move must be a number, such as 7"))?)
        }
        (moveno, _) => moveno,
    };
    words.expect_end()?;
    Ok(Box::new(AnalyseCommand { board, moveno }))
}

impl Command for AnalyseCommand {
    fn is_open_to_guests(&self) -> bool {
        true
    }

    fn needs(&self) -> Needs {
        Needs::WithSender(vec![board_key(self.board)])
    }

    fn board(&self) -> Option<BoardId> {
        Some(self.board)
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let (id, board) = (self.board, cx.visible_board(world, self.board)?);
        check_analysable(board)?;
        let made = board.next_move() - 1;
        if let Some(given) = self.moveno.filter(|given| !(1..=made).contains(given)) {
            return Err(BoardRefusal::NoSuchMove { board: id, given, made }.into());
        }
        let events = count_analysis(world, id, cx)?;
        let seat = cx.seat_of(board);
        let answer = DisplayAnswer::Analysed { board: id, seat, moveno: self.moveno }.into();
        Ok(Decision { events, answer })
    }
}

/// Checks that the program may tell its opinion of a board: it can evaluate the game, and the board is
/// over.
///
/// # Errors
/// It cannot, or the board is still played.
pub(crate) fn check_analysable(board: &Board) -> Result<(), BoardRefusal> {
    check_judged(board)?;
    if board.is_over() { Ok(()) } else { Err(BoardRefusal::StillPlayed(board.id)) }
}

/// Checks that the program can evaluate the game with its options.
///
/// # Errors
/// It cannot.
pub(crate) fn check_judged(board: &Board) -> Result<(), BoardRefusal> {
    let is_judged = board.start().evaluation_unit().is_some();
    is_judged.then_some(()).ok_or(BoardRefusal::NotAnalysable(board.id))
}

/// Counts an analysis for the sender's mailbox.
///
/// # Errors
/// The day's limit is reached.
pub(crate) fn count_analysis(
    world: &World,
    board: BoardId,
    cx: &Context,
) -> Result<Vec<Event>, Refusal> {
    let Some(name) = cx.origin.counter_name() else { return Ok(Vec::new()) };
    if world.actions_today(LimitedAction::Analysis, &name, cx.now)? >= BoardRefusal::ANALYSES {
        return Err(BoardRefusal::TooManyAnalyses(board).into());
    }
    let asked = CorrespondentEvent::Begun { what: LimitedAction::Analysis, at: cx.now };
    Ok(vec![Event::Correspondents(vec![name], asked)])
}
