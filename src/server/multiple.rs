//! Collects the answers to several commands of one mail into few letters.

use crate::base::ids::BoardId;
use crate::base::time::Time;
use crate::command::{Decision, LONGEST_COMMENT, Origin};
use crate::mail::shorten;
use crate::model::world::World;
use crate::reply::{self, Answer, BoardNews, OutgoingMail, Recipient};
use crate::server::outcome::{CommandReply, MailOutcome};
use crate::server::requests::CommandPlace;
use games::Seat;

/// What the commands of a mail have led to so far.
#[derive(Default)]
pub(super) struct MultipleCommands {
    /// Chat, one entry for each board and player.
    chat: Vec<BoardChat>,
    /// The boards whose player has got a refusal in a mail of its own.
    refused: Vec<BoardId>,
}

/// What a player says on a board in one mail.
struct BoardChat {
    board: BoardId,
    by: Seat,
    words: String,
    held_back: bool,
}

impl MultipleCommands {
    /// Keeps chat until the whole mail is executed. Returns whether the decision was chat.
    pub(super) fn keep_chat(&mut self, decision: &Decision, held_back: bool) -> bool {
        let Answer::Board { board, what: BoardNews::Chatted(words), by: Some(by) } =
            &decision.answer
        else {
            return false;
        };
        let (board, by) = (*board, *by);
        match self.chat.iter_mut().find(|chat| chat.board == board && chat.by == by) {
            None => self.chat.push(BoardChat { board, by, words: words.clone(), held_back }),
            Some(chat) => {
                chat.words.push_str("\n\n");
                chat.words.push_str(words);
                chat.held_back |= held_back;
            }
        }
        true
    }

    /// Returns whether a refusal on a board is its first, and notes it.
    pub(super) fn is_first_refusal(&mut self, board: BoardId) -> bool {
        let is_first = !self.refused.contains(&board);
        if is_first {
            self.refused.push(board);
        }
        is_first
    }

    /// Writes the mails with the collected chat.
    pub(super) fn into_mails(self, world: &World, origin: &Origin, now: Time) -> Vec<OutgoingMail> {
        let mut outgoing = Vec::new();
        for BoardChat { board, by, words, held_back } in self.chat {
            let words = shorten(&words, LONGEST_COMMENT).into_owned();
            let what = BoardNews::Chatted(words);
            let answer = Answer::Board { board, what, by: Some(by) };
            let mut mails = reply::compose(world, origin, &answer, &[], "", now);
            if let Ok(board) = world.board(board)
                && held_back
            {
                reply::note_withheld_lines(&mut mails, board.player(by));
            }
            outgoing.extend(mails);
        }
        outgoing
    }
}

/// Merges the replies to the commands of a mail. All answers to the sender go into one mail, so
/// that a forged mail cannot send fifty to the address in its From. `chat` goes to others.
pub(super) fn merge_replies(replies: Vec<CommandReply>, chat: Vec<OutgoingMail>) -> CommandReply {
    let proved = replies.iter().find_map(|reply| reply.proved.clone());
    let outcome = replies.iter().map(|reply| reply.outcome).max().unwrap_or(MailOutcome::Nothing);
    let lines: Vec<&str> = replies.iter().map(|reply| &*reply.line).collect();
    let line = lines.join("\n");
    let (mut own, mut outgoing) = (Vec::new(), Vec::new());
    let mails = replies.into_iter().map(|reply| reply.outgoing).chain([chat]);
    for (number, mails) in (1..).zip(mails) {
        for mail in mails {
            if mail.to == Recipient::Sender {
                own.push((number, mail));
            } else {
                outgoing.push(mail);
            }
        }
    }
    if !own.is_empty() {
        outgoing.push(reply::combine(own));
    }
    CommandReply {
        outgoing,
        outcome,
        refusal: None,
        proved,
        line,
        place: CommandPlace::Usual,
        changes: true,
    }
}
