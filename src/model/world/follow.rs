//! The consequences of an event of one document for others.

use super::World;
use crate::base::ids::{BoardId, UserId};
use crate::base::time::Time;
use crate::mail::Address;
use crate::model::board::{Board, BoardEvent, BoardSetup};
use crate::model::clock::Vacation;
use crate::model::code::{CodePurpose, PendingCode};
use crate::model::correspondent::{Correspondent, CorrespondentEvent};
use crate::model::count::BoardCount;
use crate::model::document::DocumentCache;
use crate::model::names::{self, NameIndex};
use crate::model::opening::{self, Opening};
use crate::model::rating::effects;
use crate::model::talk::TalkEvent;
use crate::model::user::{SentChallenge, User, UserEvent};
use crate::store::{Key, Register};
use games::Seat;

/// The vacations of a board's players, seat 0's first.
pub(super) fn vacations<'a>(
    users: &'a DocumentCache<User>,
    players: &[UserId; 2],
) -> [&'a [Vacation]; 2] {
    let of = |player: &UserId| users.get(player).filter(|user| user.left.is_none());
    players.each_ref().map(|player| of(player).map_or(&[][..], |user| &user.vacations))
}

impl World {
    pub(in crate::model) fn sign_up(&mut self, user: &User, from: Option<&Address>) {
        self.caches.users.put(user.id.clone(), user.clone());
        self.reindex(&user.id, &[]);
        if user.unproved {
            self.registered.insert((Register::Unproved(user.joined.day()), user.id.folded()));
        }
        if let Some(address) = from {
            let event = CorrespondentEvent::SignedUp { at: user.joined };
            self.count(&Correspondent::name(address), &event);
        }
    }

    pub(in crate::model) fn set_up(&mut self, challenged: &BoardSetup) {
        let (id, players) = (challenged.board, &challenged.players);
        let board = Board::set_up(challenged);
        let over = board.is_over();
        self.caches.boards.put(id, board);
        self.caches.counts.put(id.game, BoardCount(id.number));
        for player in players {
            self.change_user(player, |user| user.begins(id));
        }
        if let Some(seat) = challenged.challenger.filter(|_| challenged.counted) {
            let to = players[seat.other().index()].clone();
            // The program has nothing to wait for.
            let answered = self.level(&to).is_some();
            let new = SentChallenge { board: id, to, at: challenged.at, answered };
            self.change_user(&players[seat.index()], |sender| sender.has_challenged(new));
        }
        if over {
            self.settle(id, challenged.challenger, true);
        }
    }

    pub(in crate::model) fn change_board(&mut self, id: BoardId, event: &BoardEvent) {
        let board = self.caches.boards.get_mut(&id).expect("events are about loaded boards");
        let had_moved = Seat::BOTH.map(|seat| board.has_moved(seat));
        let was_over = board.is_over();
        board.apply(event, vacations(&self.caches.users, &board.players));
        let over = board.is_over() && !was_over;
        let first = Seat::BOTH.map(|seat| board.has_moved(seat) && !had_moved[seat.index()]);
        // A player who gives up what they set up, or lets it lapse, has had no answer.
        let is_answer = |by: &Seat| {
            let gives_up = board.closing.is_some_and(|closing| over && closing.seat != by.0);
            first[by.other().index()] || gives_up
        };
        let answered = board.challenger.filter(is_answer);
        self.settle(id, answered, over);
        self.open(id, first);
        if over {
            self.keep_openings(id);
        }
    }

    /// Brings the users' own lists up to date after a board changed.
    fn settle(&mut self, id: BoardId, answered: Option<Seat>, over: bool) {
        if answered.is_none() && !over {
            return;
        }
        let players = self.changed_board(id).players.clone();
        if let Some(challenger) = answered {
            self.change_user(&players[challenger.index()], |sender| sender.is_answered(id));
        }
        if over {
            for player in &players {
                self.change_user(player, |user| user.ends(id));
            }
            self.rate(id);
        }
    }

    /// Changes the ratings by the end of a board. Where a player's file is damaged neither changes,
    /// and `check` tells.
    fn rate(&mut self, id: BoardId) {
        let board = self.changed_board(id);
        let (Some(scores), Some(at)) = (board.scores(), board.ended_at()) else { return };
        let players = board.players.clone();
        let [Some(o), Some(x)] = [self.user(&players[0]), self.user(&players[1])] else { return };
        let effects = effects([o.standing(id.game), x.standing(id.game)], scores, at);
        let board = self.caches.boards.get_mut(&id).expect("it was just changed");
        board.rated = Some(effects);
        for (player, effect) in players.iter().zip(effects) {
            if effect.before.games() == 0 {
                self.registered.insert((Register::Rated(id.game), player.folded()));
            }
            self.change_user(player, |user| user.is_rated(id.game, effect.after));
        }
    }

    /// A player who has made a first decision has played the opening that was kept, if one was.
    fn open(&mut self, id: BoardId, first: [bool; 2]) {
        let seats = Seat::BOTH.into_iter().filter(|seat| first[seat.index()]);
        for (player, played) in self.openings(id, seats) {
            if self.caches.users.get(&player).is_some_and(|user| user.keeps(id.game)) {
                self.change_user(&player, |user| user.forget_opening(id.game, &played));
            }
        }
    }

    /// Keeps the openings of a board that was given up, each for the player who gave it up.
    fn keep_openings(&mut self, id: BoardId) {
        let seats = opening::given_up(self.changed_board(id));
        for (player, given_up) in self.openings(id, seats) {
            self.change_user(&player, |user| user.keep_opening(id.game, given_up));
        }
    }

    /// The openings that the players of these seats have seen on a board.
    fn openings(
        &self,
        id: BoardId,
        seats: impl IntoIterator<Item = Seat>,
    ) -> Vec<(UserId, Opening)> {
        let board = self.changed_board(id);
        let seats = seats.into_iter();
        seats
            .filter_map(|seat| {
                Some((board.player(seat).clone(), Opening::from_board(board, seat)?))
            })
            .collect()
    }

    fn changed_board(&self, id: BoardId) -> &Board {
        self.caches.boards.get(&id).expect("it was just changed")
    }

    /// Changes a user, and what follows from it.
    pub(in crate::model) fn change_account(&mut self, id: &UserId, event: &UserEvent) {
        let moves = event.new_addresses().is_some();
        let before = self.caches.users.get(id).filter(|_| moves).map(names::index_keys);
        self.change_user(id, |user| user.apply(event));
        if let Some(before) = before {
            self.reindex(id, &before);
        }
        match event {
            UserEvent::CodeMailed(PendingCode {
                purpose: CodePurpose::Address { address, .. },
                at,
                ..
            }) => {
                // The reader of that mail may never have asked for it.
                let event = CorrespondentEvent::CodeMailed { at: *at };
                self.count(&Correspondent::name(address), &event);
            }
            UserEvent::Rested { is_cut: true, .. } => {
                let active = self.caches.users.get(id).map(|user| user.active.clone());
                self.wakeups.extend(active.into_iter().flatten().map(|board| (board, Time::EPOCH)));
            }
            UserEvent::Returned { .. } => {
                let user = self.caches.users.get(id);
                if user.is_some_and(|user| !user.stopped.is_empty()) {
                    self.registered.insert((Register::Stopped, id.folded()));
                }
            }
            UserEvent::Left(_) => self.forget(id),
            _ => {}
        }
    }

    /// A user who has left challenges nobody and hears of nothing. A damaged file stays as it is,
    /// and `check` reports it.
    fn forget(&mut self, user: &UserId) {
        let seeks = &mut self.caches.seeks;
        let named: Vec<&'static str> =
            seeks.iter().filter(|seeks| seeks.names(user)).map(|seeks| seeks.game).collect();
        for game in named {
            seeks.get_mut(&game).expect("it names the user").forget(user);
        }
    }

    /// Brings the index of users up to date, after a user stood under these entries.
    fn reindex(&mut self, user: &UserId, before: &[Key]) {
        let Some(now) = self.caches.users.get(user) else { return };
        let (user, now) = (now.id.clone(), names::index_keys(now));
        for key in before.iter().filter(|key| !now.contains(key)) {
            self.change_entry(key, |names| names.remove(&user));
        }
        for key in now.iter().filter(|key| !before.contains(key)) {
            self.change_entry(key, |names| names.add(&user));
        }
    }

    /// Changes an entry of the index of users. A damaged one stays as it is, and `check` reports
    /// it.
    fn change_entry(&mut self, key: &Key, change: impl FnOnce(&mut NameIndex)) {
        let Key::In(names::DRAWER, entry) = key else { return };
        if let Some(names) = self.caches.names.begin(entry) {
            change(names);
        }
    }

    /// Changes what is kept of what was said on a board. A damaged file stays as it is.
    pub(in crate::model) fn talk_of(&mut self, board: BoardId, event: &TalkEvent) {
        if let Some(talk) = self.caches.talks.begin(&board) {
            talk.apply(event);
        }
    }

    /// Changes what counts for a correspondent. A damaged file is one for the operator, and stays
    /// as it is.
    pub(in crate::model) fn count(&mut self, name: &String, event: &CorrespondentEvent) {
        if let Some(correspondent) = self.caches.correspondents.begin(name) {
            correspondent.apply(event);
        }
    }

    /// Changes a user. A user whose file is damaged keeps it as it is: its lists are an index of
    /// the boards, and a board must not stop because its opponent's file did.
    fn change_user(&mut self, id: &UserId, change: impl FnOnce(&mut User)) {
        if let Some(user) = self.caches.users.get_mut(id) {
            change(user);
        }
    }
}
