//! `chat`: a message to the opponent on a board.

use crate::base::ids::{BoardId, UserId};
use crate::command::moderation::check_sanction;
use crate::command::{
    Arguments, Command, Context, Decision, LONGEST_COMMENT, Needs, ParsedCommand, ReplyScope,
    UserProof, Verb, VerbScope, authenticate, count_message, required_game, seat_on,
};
use crate::mail::{redact_secrets, shorten};
use crate::model::moderation::SanctionKind;
use crate::model::world::{World, board_key, user_key};
use crate::refusal::Refusal;
use crate::reply::{Answer, BoardNews};
use games::AnyGame;

pub(crate) const VERB: Verb = Verb {
    name: "chat",
    aliases: &["comment", "talk"],
    scope: VerbScope::Game,
    usage: "<board> <userid> <password>",
    about: "send the text of your mail to your opponent",
    reply: Some(ReplyScope::Player),
    parse,
};

#[derive(Debug)]
struct ChatCommand {
    board: BoardId,
    user: UserId,
    proof: UserProof,
    said: String,
    usage: Refusal,
}

fn parse(game: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    let (board, moveno) = words.board(required_game(game))?;
    if moveno.is_some() {
        return Err(words.usage_error("`chat` takes no move number"));
    }
    let (user, proof) = words.player()?;
    let usage = words.usage_error("there is no message in your mail");
    // In a shell call and on the first line of a reply the message may follow the verb.
    let said = words.take_rest().join(" ");
    Ok(Box::new(ChatCommand { board, user, proof, said, usage }))
}

impl Command for ChatCommand {
    fn needs(&self) -> Needs {
        Needs::Keys(vec![board_key(self.board), user_key(&self.user)])
    }

    fn board(&self) -> Option<BoardId> {
        Some(self.board)
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        // The message after the verb may contain the password, too.
        let said = format!("{}\n{}", self.said, cx.comment);
        cx.comment = shorten(&redact_secrets(said.trim()), LONGEST_COMMENT).into_owned();
        let user = authenticate(world, &self.user, &self.proof, Some(self.board), cx)?;
        check_sanction(user, SanctionKind::Mute, cx)?;
        let board = world.board(self.board)?;
        let seat = seat_on(board, &self.user)?;
        if cx.comment.is_empty() {
            return Err(self.usage.clone());
        }
        let events = count_message(world, &self.user, board.player(seat.other()), 0, cx)?;
        let what = BoardNews::Chatted(cx.comment.clone());
        Ok(Decision { events, answer: Answer::Board { board: self.board, what, by: Some(seat) } })
    }
}
