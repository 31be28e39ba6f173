//! The answers to several commands in one mail, put together in few letters.

use crate::base::ids::BoardId;
use crate::base::time::Time;
use crate::command::{Decision, LONGEST_COMMENT, Origin};
use crate::mail::shortened;
use crate::model::world::World;
use crate::reply::{self, Answer, BoardNews, OutgoingMail, Recipient};
use crate::server::inbox::CommandPlace;
use crate::server::outcome::{CommandReply, MailOutcome};
use games::Seat;

/// What a mail of several commands has led to, while they are carried out.
#[derive(Default)]
pub(super) struct CommandSeries {
    /// One letter for each board.
    said: Vec<BoardComment>,
    /// The boards whose player has been told of a refusal in a mail of its own.
    refused: Vec<BoardId>,
}

/// What a player says on a board in one mail.
struct BoardComment {
    board: BoardId,
    by: Seat,
    words: String,
    held_back: bool,
}

impl CommandSeries {
    /// Keeps what a command says on a board until the whole mail is executed. Returns whether it
    /// does.
    pub(super) fn keeps(&mut self, decision: &Decision, held_back: bool) -> bool {
        let Answer::Board { board, what: BoardNews::Chatted(words), by: Some(by) } =
            &decision.answer
        else {
            return false;
        };
        let (board, by) = (*board, *by);
        match self.said.iter_mut().find(|said| said.board == board && said.by == by) {
            None => self.said.push(BoardComment { board, by, words: words.clone(), held_back }),
            Some(said) => {
                said.words.push_str("\n\n");
                said.words.push_str(words);
                said.held_back |= held_back;
            }
        }
        true
    }

    /// Whether no refusal has been told on that board; from now on one has.
    pub(super) fn is_first_refusal(&mut self, board: BoardId) -> bool {
        let is_first = !self.refused.contains(&board);
        if is_first {
            self.refused.push(board);
        }
        is_first
    }

    /// The letters with what was said.
    pub(super) fn into_letters(
        self,
        world: &World,
        origin: &Origin,
        now: Time,
    ) -> Vec<OutgoingMail> {
        let mut outgoing = Vec::new();
        for BoardComment { board, by, words, held_back } in self.said {
            let words = shortened(&words, LONGEST_COMMENT).into_owned();
            let what = BoardNews::Chatted(words);
            let answer = Answer::Board { board, what, by: Some(by) };
            let mut mails = reply::compose(world, origin, (&answer, &[]), "", now);
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

/// The answers to a mail of several commands: what its sender alone is told goes into one mail, so
/// that one mail does not bring fifty to the address in its From. `said` goes to others.
pub(super) fn together(answers: Vec<CommandReply>, said: Vec<OutgoingMail>) -> CommandReply {
    let proved = answers.iter().find_map(|answer| answer.proved.clone());
    let outcome = answers.iter().map(|answer| answer.outcome).max().unwrap_or(MailOutcome::Nothing);
    let lines: Vec<&str> = answers.iter().map(|answer| &*answer.of).collect();
    let of = lines.join("\n");
    let (mut own, mut outgoing) = (Vec::new(), Vec::new());
    let said = (answers.len() + 1, said);
    let each = answers.into_iter().map(|answer| answer.outgoing).zip(1..).map(|(a, n)| (n, a));
    for (number, mails) in each.chain([said]) {
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
    CommandReply { outgoing, outcome, proved, of, place: CommandPlace::Usual, changes: true }
}
