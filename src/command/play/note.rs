//! `note`: a player's note on a board for themselves, which nobody else sees.

use crate::base::ids::{BoardId, UserId};
use crate::command::{
    Arguments, Command, Context, Decision, Needs, ParsedCommand, ReplyScope, UserProof, Verb,
    VerbScope, authenticate, required_game, seat_on,
};
use crate::mail::redact_secrets;
use crate::model::note::{LONGEST_NOTE, notes_key};
use crate::model::world::event::Event;
use crate::model::world::{World, board_key, user_key};
use crate::refusal::{BoardRefusal, Refusal};
use crate::reply::BoardNotice;
use games::AnyGame;

pub(crate) const VERB: Verb = Verb {
    name: "note",
    aliases: &["notes"],
    scope: VerbScope::Game,
    usage: "<board> <userid> <password> [<words>|none]",
    about: "keep a note on a board for yourself; the text of your mail belongs to it",
    reply: Some(ReplyScope::Player),
    parse,
};

/// The word that removes a note.
const NONE: &str = "none";

#[derive(Debug)]
struct NoteCommand {
    board: BoardId,
    user: UserId,
    proof: UserProof,
    words: String,
}

fn parse(game: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    let (board, moveno) = words.board(required_game(game))?;
    if moveno.is_some() {
        return Err(
            words.usage_error("a note is about the whole board, so leave out the move number")
        );
    }
    let (user, proof) = words.player()?;
    let words = words.take_rest().join(" ");
    Ok(Box::new(NoteCommand { board, user, proof, words }))
}

impl Command for NoteCommand {
    fn is_open_to_guests(&self) -> bool {
        true
    }

    fn needs(&self) -> Needs {
        Needs::Keys(vec![board_key(self.board), notes_key(self.board), user_key(&self.user)])
    }

    fn board(&self) -> Option<BoardId> {
        Some(self.board)
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        // The words after the verb are checked for the password, too.
        cx.comment = format!("{}\n{}", self.words, cx.comment);
        authenticate(world, &self.user, &self.proof, Some(self.board), cx)?;
        let seat = seat_on(world.board(self.board)?, &self.user)?;
        let is_removed = self.words.eq_ignore_ascii_case(NONE);
        // Nothing of them is for the opponent.
        let written = std::mem::take(&mut cx.comment);
        let words = redact_secrets(written.trim());
        let letters = words.chars().count();
        if letters > LONGEST_NOTE && !is_removed {
            return Err(BoardRefusal::LongNote { board: self.board, letters }.into());
        }
        let notice = |words| BoardNotice::Noted { board: self.board, words };
        if words.is_empty() {
            let kept = world.note(self.board, seat).map(str::to_owned);
            return Ok(notice(kept).into());
        }
        let words = if is_removed { String::new() } else { words };
        let kept = Some(words.clone()).filter(|words| !words.is_empty());
        let event = Event::Note(self.board, seat, words);
        Ok(Decision { events: vec![event], answer: notice(kept).into() })
    }
}
