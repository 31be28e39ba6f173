//! `proof`: the dice of a board with their cryptographic proofs.

use crate::base::ids::BoardId;
use crate::command::{
    Arguments, Command, Context, Decision, Needs, ParsedCommand, ReplyScope, Verb, VerbScope,
    required_game,
};
use crate::model::board::Board;
use crate::model::dice::{DiceKeys, RollRange, RollSheet};
use crate::model::world::{World, board_key};
use crate::refusal::{BoardRefusal, Refusal};
use crate::reply::DisplayAnswer;
use games::AnyGame;

pub(crate) const VERB: Verb = Verb {
    name: "proof",
    aliases: &["proofs"],
    scope: VerbScope::Game,
    usage: "<board>[#<roll>]",
    about: "the dice of a board from that roll on, with proofs that you can check",
    reply: Some(ReplyScope::Board),
    parse,
};

#[derive(Debug)]
struct ProofCommand {
    board: BoardId,
    from: usize,
}

fn parse(game: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    let (board, from) = words.board(required_game(game))?;
    words.expect_end()?;
    Ok(Box::new(ProofCommand { board, from: from.unwrap_or(1) }))
}

impl Command for ProofCommand {
    fn is_open_to_guests(&self) -> bool {
        true
    }

    fn needs(&self) -> Needs {
        Needs::Keys(vec![board_key(self.board)])
    }

    fn board(&self) -> Option<BoardId> {
        Some(self.board)
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let (id, board) = (self.board, cx.visible_board(world, self.board)?);
        let text = roll_sheet(board, cx.keys, self.from)?;
        Ok(DisplayAnswer::Proved { board: id, text }.into())
    }
}

/// Returns the rolls of a board from number `from` on, as many as a sheet holds.
///
/// # Errors
/// The dice cannot be checked, or there is no roll of this number.
pub fn roll_sheet(board: &Board, keys: &DiceKeys, from: usize) -> Result<String, Refusal> {
    let refuse = |why| Refusal::from(BoardRefusal::Dice { board: board.id, why, instead: None });
    let without =
        "cannot be checked: the game has none, or began before the server could prove them";
    let dice = board.dice.as_ref().ok_or_else(|| refuse(without))?;
    let lost = "cannot be checked: the server has lost their key";
    let key = keys.find(dice.key).ok_or_else(|| refuse(lost))?;
    if !(1..=board.drawn()).contains(&from) {
        return Err(refuse("have no roll with this number"));
    }
    let which = RollRange::These(from..=from.saturating_add(RollRange::MOST - 1));
    Ok(RollSheet::new(board, dice, key).text(&which))
}
