//! Whom a refusal is told.

use crate::base::ids::{BoardId, UserId};
use crate::mail::MARK;
use crate::refusal::Asker;
use crate::reply::{self, Outgoing, To};
use crate::server::{Answers, Server};

impl Server<'_> {
    /// Whom a refusal is told.
    pub(super) fn asker(&self, user: Option<&UserId>, board: Option<BoardId>) -> Asker {
        let played = board.and_then(|id| self.world.board(id).ok());
        let opponent = played
            .zip(user)
            .and_then(|(board, user)| Some(board.player(board.seat(user)?.other()).clone()));
        Asker { board, user: user.cloned(), opponent }
    }

    /// Turns refusals about a board to the player who has shown that he is one, with a tag: so a
    /// move that failed can be mended by pressing Reply. In a mail of several commands that is done
    /// for the first of each board; the others are told together.
    pub(super) fn address_to(&mut self, outgoing: &mut [Outgoing], user: &UserId) {
        for mail in outgoing.iter_mut().filter(|mail| mail.to == To::Sender) {
            if let (Some(several), Some(board)) = (&mut self.several, mail.board) {
                if several.refused.contains(&board) {
                    continue;
                }
                several.refused.push(board);
            }
            let board = mail.board.and_then(|id| self.world.board(id).ok());
            if let Some(seat) = board.and_then(|board| board.seat(user)) {
                mail.to = To::User(user.clone());
                mail.seat = Some(seat);
                mail.text = format!("{MARK}\n\n{}", mail.text);
                // Whoever answers this mail answers what he is offered in it.
                mail.text.push_str(
                    &board.map_or_else(String::new, |b| reply::offered(&self.world, b, seat)),
                );
            }
        }
    }

    /// Does so for a whole command in a reply that is refused before its board is known, so that
    /// the player can reply to that, too.
    pub(super) fn address_to_holder(
        &mut self,
        answer: &mut Answers,
        board: BoardId,
        user: &UserId,
    ) {
        if answer.done || answer.outgoing.iter().any(|mail| mail.to != To::Sender) {
            return;
        }
        for mail in answer.outgoing.iter_mut().filter(|mail| mail.board.is_none()) {
            mail.board = Some(board);
        }
        self.address_to(&mut answer.outgoing, user);
        answer.proved = true;
    }
}
