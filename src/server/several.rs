//! What several commands in one mail have led to, so that it is told in few letters.

use crate::base::ids::BoardId;
use crate::command::{Decision, Origin};
use crate::mail::shortened;
use crate::reply::{self, Answer, BoardNews};
use crate::server::inbox::LONGEST_COMMENT;
use crate::server::{Answers, Found, Server};
use games::Seat;

impl Server<'_> {
    /// Keeps what is said on a board until the whole mail is executed, if it has several commands.
    pub(super) fn is_said_later(&mut self, decision: &Decision, held_back: bool) -> bool {
        let Answer::Board { board, what: BoardNews::Chatted(words), by: Some(by) } =
            &decision.answer
        else {
            return false;
        };
        let Some(Several { said: all, .. }) = &mut self.several else { return false };
        let (board, by) = (*board, *by);
        let Some(said) = all.iter_mut().find(|said| said.board == board && said.by == by) else {
            all.push(Said { board, by, words: words.clone(), held_back });
            return true;
        };
        said.words.push_str("\n\n");
        said.words.push_str(words);
        said.held_back |= held_back;
        true
    }

    /// The letters with what was said in a mail of several commands.
    pub(super) fn all_said(&mut self, origin: &Origin, now: i64) -> Option<Answers> {
        let said = self.several.take().map(|several| several.said);
        let said = said.filter(|said| !said.is_empty())?;
        let mut outgoing = Vec::new();
        for Said { board, by, words, held_back } in said {
            let words = shortened(&words, LONGEST_COMMENT).into_owned();
            let what = BoardNews::Chatted(words);
            let decision = Answer::Board { board, what, by: Some(by) }.into();
            let mut mails = reply::compose(&self.world, origin, &decision, "", now);
            if let Ok(board) = self.world.board(board)
                && held_back
            {
                reply::say_held_back(&mut mails, board.player(by));
            }
            outgoing.extend(mails);
        }
        let (found, of) = (Found::Command, String::new());
        Some(Answers { outgoing, done: true, proved: true, found, of })
    }
}

/// What a mail of several commands has led to, so that it is told in few letters.
#[derive(Default)]
pub(super) struct Several {
    /// One letter for each board.
    pub(super) said: Vec<Said>,
    /// The boards whose player has been told of a refusal in a mail of its own.
    pub(super) refused: Vec<BoardId>,
}

/// What a player says on a board in one mail.
pub(super) struct Said {
    pub(super) board: BoardId,
    pub(super) by: Seat,
    pub(super) words: String,
    pub(super) held_back: bool,
}
