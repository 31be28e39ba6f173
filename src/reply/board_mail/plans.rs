//! A player's plan in words, for this player alone.

use crate::base::words::{AndList, quoted};
use crate::model::board::{
    Board, BoardEvent, Plan, PlanEnd, PlanNote, PlannedStep, UnplayedReason,
};
use crate::model::world::World;
use crate::model::world::event::Event;
use crate::refusal::BoardRefusal;
use crate::reply::letters::{Block, OutgoingMail, TextElement};
use games::{Seat, View};

/// The words for any move of the opponent, and for forced moves, as players write them in plans.
const ANY: &str = "any";
const FORCED: &str = "forced";

/// Returns the lines of a plan as its player writes them: `if e5 then f4, if d3 then c2`. Where only
/// the player's own moves are known, they are one line: `8/5 6/5 | 13/7`.
pub(crate) fn plan_lines(board: &Board, seat: Seat, plan: &Plan, view: &View) -> Vec<String> {
    let is_branching = board.can_branch();
    let line = |line: &Vec<usize>| {
        let steps: Vec<&PlannedStep> = line.iter().map(|index| &plan.moves[*index].step).collect();
        if is_branching {
            return line_with_answers(board, seat, &steps, view);
        }
        let own = steps.iter().filter(|step| step.is_own());
        let own: Vec<String> = own.map(|step| step_words(board, seat, step, view)).collect();
        own.join(" | ")
    };
    plan.lines().iter().map(line).collect()
}

/// Returns a line with the moves of both sides.
fn line_with_answers(board: &Board, seat: Seat, steps: &[&PlannedStep], view: &View) -> String {
    let tie = if board.game.spec().manner.has_multi_move_turns { "," } else { " | " };
    let mut text = String::new();
    for turn in steps.chunk_by(|one, next| one.is_own() == next.is_own()) {
        let words: Vec<String> =
            turn.iter().map(|step| step_words(board, seat, step, view)).collect();
        let before = match (turn[0].is_own(), text.is_empty()) {
            (true, true) => "",
            (true, false) => " then ",
            (false, true) => "if ",
            (false, false) => ", if ",
        };
        text = text + before + &words.join(tie);
    }
    text
}

fn step_words(board: &Board, seat: Seat, step: &PlannedStep, view: &View) -> String {
    let worded = |mover, text: &String| board.game.text_for_viewer(view, mover, text.clone());
    match step {
        PlannedStep::Theirs(text) => worded(seat.other(), text),
        PlannedStep::Mine(text) => worded(seat, text),
        PlannedStep::Unread(text) => text.clone(),
        PlannedStep::Any => ANY.into(),
        PlannedStep::Forced => FORCED.into(),
    }
}

/// Returns a plan as blocks, with what can be done with it.
pub(crate) fn plan_blocks(board: &Board, seat: Seat, view: &View) -> Vec<Block> {
    let Some(plan) = &board.plans[seat.index()] else {
        return vec![Block::heading("You have no plan on this board.")];
    };
    let lines = plan_lines(board, seat, plan, view);
    let mut text =
        vec![TextElement::Heading(format!("Your plan on this board, from move {}:", plan.from))];
    let one = match lines.len() {
        1 => "",
        _ => " To withdraw one line, write its number behind it, such as `plan withdraw 2`.",
    };
    let numbered = (1..).zip(lines);
    text.extend(
        numbered.map(|(number, line)| TextElement::Item(format!("{number}.").into(), line)),
    );
    let advice = "Your moves are played at once when the game comes to them. Nobody else sees them \
                  before. To withdraw your plan, reply with `plan withdraw` on the first line.";
    vec![Block::Text(text), Block::sentence(format!("{advice}{one}"))]
}

/// Tells the players in their mails what happened to their plans.
pub(crate) fn report_plans(world: &World, mails: &mut [OutgoingMail], events: &[Event]) {
    for event in events {
        let Event::Board(id, BoardEvent::PlanFollowed { seat, plan, note, unplayed }) = event
        else {
            continue;
        };
        let Ok(board) = world.board(*id) else { continue };
        let view = world.view(board, *seat);
        let told = match unplayed {
            Some(why) => unplayed_sentence(board, *seat, note, why, &view),
            None => note_sentence(board, *seat, note, plan.as_ref(), &view),
        };
        let Some(told) = told else { continue };
        for mail in mails.iter_mut().filter(|mail| mail.seat == Some(*seat)) {
            // After the mark and the news.
            mail.blocks.insert(2.min(mail.blocks.len()), Block::sentence(&*told));
        }
    }
}

/// Returns why a planned move was not played, with the moves that were played before it.
fn unplayed_sentence(
    board: &Board,
    seat: Seat,
    note: &PlanNote,
    why: &UnplayedReason,
    view: &View,
) -> Option<String> {
    let Some(PlanEnd::Unplayed(text)) = &note.end else { return None };
    let reason = BoardRefusal::of_planned(board.id, text, why);
    let played = played_sentence(board, seat, note, view);
    let before = played.map_or_else(String::new, |played| format!("{played} "));
    Some(format!("{before}Your planned move {} was not played: {reason}.", quoted(text)))
}

/// Returns the moves that were played from a plan, as a sentence.
fn played_sentence(board: &Board, seat: Seat, note: &PlanNote, view: &View) -> Option<String> {
    if note.played.is_empty() {
        return None;
    }
    let worded = |text: &String| board.game.text_for_viewer(view, seat, text.clone());
    let played: Vec<String> = note.played.iter().map(worded).collect();
    Some(format!("Your plan played {}.", AndList(&played)))
}

/// Returns what happened to a plan: what it played, and whether it goes on.
pub(crate) fn note_sentence(
    board: &Board,
    seat: Seat,
    note: &PlanNote,
    left: Option<&Plan>,
    view: &View,
) -> Option<String> {
    let played = played_sentence(board, seat, note, view);
    let opponent = board.player(seat.other());
    let end = match &note.end {
        None if left.is_none() || played.is_none() => None,
        None => Some("It goes on; `plan` shows what is left of it.".to_owned()),
        Some(PlanEnd::Finished) => played.is_some().then(|| "It has no more moves.".to_owned()),
        Some(PlanEnd::Left(text)) => {
            let text = board.game.text_for_viewer(view, seat.other(), text.clone());
            Some(format!("Your plan has ended: it has no answer to {text} of {opponent}."))
        }
        Some(PlanEnd::Moved) => {
            Some("Your plan has ended: your last move was not the planned one.".into())
        }
        Some(PlanEnd::Choice) => {
            Some("Your plan has ended: you have a choice, and it was for forced moves only.".into())
        }
        Some(PlanEnd::Undone) => Some("Your plan has ended: moves were taken back.".into()),
        Some(PlanEnd::Program) => Some(format!(
            "Your plan has ended: {opponent} has made the most moves that it makes for one command."
        )),
        Some(PlanEnd::Unplayed(text)) => {
            Some(format!("Your planned move {text} was not possible any more and was removed."))
        }
    };
    let sentences: Vec<String> = played.into_iter().chain(end).collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}
