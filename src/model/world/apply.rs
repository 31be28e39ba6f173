//! The application of events: each event changes one document, and this file updates the documents
//! that follow from it, such as ratings, lists of boards and the index of users.

use super::{UnlistedBoard, World, board_key};
use crate::base::ids::{BoardId, TournamentId, UserId};
use crate::base::time::Time;
use crate::mail::Address;
use crate::model::board::{Board, BoardEvent, BoardSetup};
use crate::model::board_count::BoardCount;
use crate::model::clock::TimeOff;
use crate::model::correspondent::{Correspondent, CorrespondentEvent, LimitedAction};
use crate::model::document::{Document as _, DocumentCache, Removal, Unwritten};
use crate::model::finished_boards::{FinishedBoard, FinishedPart};
use crate::model::moderation::{
    AuditEntry, AuditRecord, Ban, BanEvent, BanSubject, FiledReport, PAGE, Report, Settlement,
    ban_key, docket_key, report_key,
};
use crate::model::one_time_code::{CodePurpose, PendingCode};
use crate::model::opening::{self, Opening};
use crate::model::rating::effects;
use crate::model::tournament::{Tournament, TournamentEvent, tournament_key};
use crate::model::user::{SentChallenge, User, UserEvent, user_key};
use crate::model::user_index::{self, UserIndexEntry};
use crate::store::{Key, Register};
use games::Seat;

/// Returns the time off of a board's players, seat 0 first.
pub(super) fn time_off<'a>(
    users: &'a DocumentCache<User>,
    players: &[UserId; 2],
) -> [TimeOff<'a>; 2] {
    let of = |player: &UserId| users.get(player).filter(|user| user.left.is_none());
    players.each_ref().map(|player| of(player).map_or_else(TimeOff::default, User::time_off))
}

impl World {
    pub(in crate::model) fn sign_up(
        &mut self,
        user: &User,
        from: Option<&Address>,
    ) -> Result<(), Unwritten> {
        self.caches.users.put(user.id.clone(), user.clone());
        self.reindex(&user.id, &[]);
        if user.unproved {
            self.registered.insert((Register::Unproved(user.joined.day()), user.id.folded()));
        }
        let Some(address) = from else { return Ok(()) };
        let event = CorrespondentEvent::Begun { what: LimitedAction::Signup, at: user.joined };
        self.count(&Correspondent::mailbox_name(address), &event)
    }

    pub(in crate::model) fn set_up(&mut self, challenged: &BoardSetup) {
        let (id, players) = (challenged.board, &challenged.players);
        self.note_change(id, false);
        let board = Board::set_up(challenged);
        let over = board.is_over();
        self.caches.boards.put(id, board);
        let BoardCount(before) = self.caches.counts.get(&id.game).copied().unwrap_or_default();
        self.caches.counts.put(id.game, BoardCount(before.max(id.number)));
        if let Some(new) = self.new_numbers.get_mut(id.game) {
            new.note_begun(id.number);
        }
        for player in players {
            self.change_user(player, |user| user.add_board(id));
        }
        if let Some(seat) = challenged.challenger.filter(|_| challenged.counted) {
            let to = players[seat.other().index()].clone();
            // The program does not wait for an answer.
            let answered = self.level(&to).is_some();
            let new = SentChallenge { board: id, to, at: challenged.at, answered };
            self.change_user(&players[seat.index()], |sender| sender.add_challenge(new));
        }
        if over {
            self.update_players(id, challenged.challenger, true);
        }
        let is_first = before == 0;
        if over || is_first {
            self.unlisted.push(UnlistedBoard { board: id, is_first });
        }
    }

    pub(in crate::model) fn change_board(&mut self, id: BoardId, event: &BoardEvent) {
        self.note_change(id, event.is_secret());
        let board = self.caches.boards.get_mut(&id).expect("the board of an event is loaded");
        let had_moved = Seat::BOTH.map(|seat| board.has_moved(seat));
        let was_over = board.is_over();
        board.apply(event, time_off(&self.caches.users, &board.players));
        let over = board.is_over() && !was_over;
        let first = Seat::BOTH.map(|seat| board.has_moved(seat) && !had_moved[seat.index()]);
        // A challenger who gives up the board or lets it lapse has had no answer.
        let is_answer = |by: &Seat| {
            let gives_up = board.closing.is_some_and(|closing| over && closing.seat != by.0);
            first[by.other().index()] || gives_up
        };
        let answered = board.challenger.filter(is_answer);
        self.update_players(id, answered, over);
        if over {
            self.record_result(id);
        }
        if let BoardEvent::HandedOver { from, to } | BoardEvent::Replaced { from, to, .. } = event {
            self.move_board(id, from, to);
        }
        self.forget_played_openings(id, first);
        if over {
            self.keep_openings(id);
            self.unlisted.push(UnlistedBoard { board: id, is_first: false });
        }
    }

    /// Takes the boards that have ended since the last call, and the first board of a game. The list
    /// of the finished boards of their game must be loaded, and then [changed](Self::list_finished).
    pub fn take_unlisted(&mut self) -> Vec<UnlistedBoard> {
        std::mem::take(&mut self.unlisted)
    }

    /// Lists a board among the finished ones of its game, if it is over. With the first board of a game
    /// the list begins; a home of an earlier version has none until `upgrade` makes it.
    ///
    /// # Errors
    /// The list is damaged and stays as it is.
    pub fn list_finished(&mut self, unlisted: UnlistedBoard) -> Result<(), Unwritten> {
        let UnlistedBoard { board: id, is_first } = unlisted;
        let (part, lists) = (FinishedPart::latest(id.game), &mut self.caches.finished);
        if !is_first && lists.is_absent(&part) {
            return Ok(());
        }
        let latest = lists.get_or_create(&part)?;
        let Some(ended) = self.caches.boards.get(&id).and_then(FinishedBoard::of) else {
            return Ok(());
        };
        let next = latest.next_page(id.game);
        if let (Some(next), Some(page)) = (next, latest.add(ended)) {
            lists.put(next, page);
        }
        Ok(())
    }

    /// Files a new tournament.
    pub(in crate::model) fn create_tournament(&mut self, new: &Tournament) {
        let players = new.entries.iter().map(|entry| &entry.user);
        for user in players.chain([&new.director]) {
            self.change_user(user, |user| user.add_tournament(new.id));
        }
        self.caches.tournaments.put(new.id, new.clone());
        self.file_tournament(new.id);
    }

    /// Applies an event of a tournament, and updates its players and the list of its game.
    pub(in crate::model) fn change_tournament(
        &mut self,
        id: TournamentId,
        event: &TournamentEvent,
    ) -> Result<(), Unwritten> {
        let tournament = self.caches.tournaments.get_mut(&id);
        let tournament = tournament.ok_or_else(|| Unwritten(tournament_key(id)))?;
        tournament.apply(event);
        match event {
            TournamentEvent::Entered { user, .. } | TournamentEvent::Invited { user, .. } => {
                self.change_user(user, |user| user.add_tournament(id));
            }
            TournamentEvent::Ended { .. } => self.file_tournament(id),
            _ => {}
        }
        Ok(())
    }

    /// Updates the list of a game after a tournament was created or has ended. A damaged list stays
    /// as it is; `check` reports it.
    fn file_tournament(&mut self, id: TournamentId) {
        let Some(tournament) = self.caches.tournaments.get(&id) else { return };
        if let Some(list) = self.caches.tournament_lists.get_mut(&id.game) {
            list.file(tournament);
        }
    }

    /// Records the result of a board in its tournament.
    fn record_result(&mut self, id: BoardId) {
        let Some(board) = self.caches.boards.get(&id) else { return };
        let Some(tournament) = board.tournament else { return };
        if let Some(tournament) = self.caches.tournaments.get_mut(&tournament) {
            tournament.record(board);
        }
    }

    /// Moves a board from the lists of a user to those of another user.
    fn move_board(&mut self, id: BoardId, from: &UserId, to: &UserId) {
        let mut is_finished = false;
        self.change_user(from, |user| is_finished = user.give_board(id));
        let boards = &self.caches.boards;
        let started = |id: &BoardId| boards.get(id).map_or(Time::EPOCH, |board| board.started);
        let (own, begun) = (self.caches.users.get(to), started(&id));
        // Boards in progress are in the order of their beginnings.
        let place = own.map_or(0, |user| user.active.partition_point(|it| started(it) <= begun));
        self.change_user(to, |user| user.take_board(id, is_finished, place));
    }

    /// Updates the players' documents after a board has changed.
    fn update_players(&mut self, id: BoardId, answered: Option<Seat>, over: bool) {
        if answered.is_none() && !over {
            return;
        }
        let players = self.changed_board(id).players.clone();
        if let Some(challenger) = answered {
            self.change_user(&players[challenger.index()], |sender| sender.answer_challenge(id));
        }
        if over {
            for player in &players {
                self.change_user(player, |user| user.finish_board(id));
            }
            self.rate(id);
        }
    }

    /// Updates the ratings after the end of a board. If a player's document is damaged, neither
    /// rating changes; `check` reports it.
    fn rate(&mut self, id: BoardId) {
        let board = self.changed_board(id);
        let Some(game) = board.rated_game() else { return };
        let [Some(o), Some(x)] = game.players.each_ref().map(|player| self.user(player)) else {
            return;
        };
        let effects = effects([&o.rating(id.game), &x.rating(id.game)], &game);
        let board = self.caches.boards.get_mut(&id).expect("the board was just changed");
        board.rated = Some(effects.each_ref().map(|effect| effect.change));
        for (player, effect) in game.players.iter().zip(effects) {
            if effect.change.before.games() == 0 {
                self.registered.insert((Register::Rated(id.game), player.folded()));
            }
            self.change_user(player, |user| user.set_rating(id.game, effect.after));
        }
    }

    /// Removes the kept openings of players who have just made their first decision.
    fn forget_played_openings(&mut self, id: BoardId, first: [bool; 2]) {
        let seats = Seat::BOTH.into_iter().filter(|seat| first[seat.index()]);
        for (player, played) in self.openings(id, seats) {
            if self.caches.users.get(&player).is_some_and(|user| user.keeps_opening(id.game)) {
                self.change_user(&player, |user| user.forget_opening(id.game, &played));
            }
        }
    }

    /// Keeps the openings of a board for the players who gave it up.
    fn keep_openings(&mut self, id: BoardId) {
        let seats = opening::seats_that_gave_up(self.changed_board(id));
        for (player, given_up) in self.openings(id, seats) {
            self.change_user(&player, |user| user.keep_opening(id.game, given_up));
        }
    }

    /// Returns the openings that the players of these seats have seen.
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
        self.caches.boards.get(&id).expect("the board was just changed")
    }

    /// Applies an event of a user, and updates the index of users and the counts.
    pub(in crate::model) fn change_account(
        &mut self,
        id: &UserId,
        event: &UserEvent,
    ) -> Result<(), Unwritten> {
        if self.is_damaged(&user_key(id)) {
            return Err(Unwritten(user_key(id)));
        }
        let moves = event.new_addresses().is_some();
        let before = self.caches.users.get(id).filter(|_| moves).map(user_index::entries_of);
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
                // The reader of the code may never have asked for it.
                let event = CorrespondentEvent::Begun { what: LimitedAction::Code, at: *at };
                return self.count(&Correspondent::mailbox_name(address), &event);
            }
            UserEvent::Rested { is_cut: true, .. } | UserEvent::TimesChosen { .. } => {
                let active = self.caches.users.get(id).map(|user| user.active.clone());
                let active = active.into_iter().flatten();
                self.wakeups.extend(active.map(|board| (board_key(board), Time::EPOCH)));
            }
            UserEvent::Returned { .. } => {
                let user = self.caches.users.get(id);
                if user.is_some_and(|user| !user.stopped.is_empty()) {
                    self.registered.insert((Register::Stopped, id.folded()));
                }
            }
            UserEvent::Left(left) => self.remove_user(id, Removal::of(*left)),
            _ => {}
        }
        Ok(())
    }

    /// Removes a user who has left from the loaded documents. A damaged document stays as it is;
    /// `check` reports it.
    fn remove_user(&mut self, id: &UserId, removal: Removal) {
        let Some(user) = self.caches.users.get(id) else { return };
        let subject = self.subject(user);
        self.caches.all_mut().for_each(|cache| cache.remove_user(&subject, removal));
    }

    /// Updates the user's index entries; `before` are the former ones.
    fn reindex(&mut self, user: &UserId, before: &[Key]) {
        let Some(now) = self.caches.users.get(user) else { return };
        let (user, now) = (now.id.clone(), user_index::entries_of(now));
        for key in before.iter().filter(|key| !now.contains(key)) {
            self.change_entry(key, |names| names.remove(&user));
        }
        for key in now.iter().filter(|key| !before.contains(key)) {
            self.change_entry(key, |names| names.add(&user));
        }
    }

    /// Changes an index entry. A damaged entry stays as it is; `check` reports it.
    fn change_entry(&mut self, key: &Key, change: impl FnOnce(&mut UserIndexEntry)) {
        let Key::In(user_index::COLLECTION, entry) = key else { return };
        if let Ok(names) = self.caches.user_index.get_or_create(entry) {
            change(names);
        }
    }

    /// Files a report under the next number.
    pub(in crate::model) fn file_report(&mut self, report: &Report) -> Result<(), Unwritten> {
        let docket = self.caches.dockets.get_mut(&()).ok_or_else(|| Unwritten(docket_key()))?;
        docket.reports += 1;
        let number = docket.reports;
        docket.open.push(number);
        let mut numbered = report.clone();
        numbered.number = number;
        self.caches.reports.put(number, numbered);
        let filed = UserEvent::Filed(FiledReport { number, at: report.at });
        self.change_user(&report.by, |user| user.apply(&filed));
        Ok(())
    }

    pub(in crate::model) fn settle_report(
        &mut self,
        number: u32,
        how: &Settlement,
    ) -> Result<(), Unwritten> {
        let report = self.caches.reports.get_mut(&number);
        report.ok_or_else(|| Unwritten(report_key(number)))?.settled = Some(how.clone());
        let docket = self.caches.dockets.get_mut(&()).ok_or_else(|| Unwritten(docket_key()))?;
        docket.open.retain(|open| *open != number);
        Ok(())
    }

    /// Begins or lifts a ban.
    pub(in crate::model) fn change_ban(
        &mut self,
        subject: &BanSubject,
        event: &BanEvent,
    ) -> Result<(), Unwritten> {
        let (key, bans) = (ban_key(subject), &mut self.caches.bans);
        let unwritten = || Unwritten(ban_key(subject));
        let id = Ban::id_of(&key).ok_or_else(unwritten)?;
        match event {
            BanEvent::Banned { at, until, why } => {
                bans.put(id, Ban::new(subject.clone(), *at, *until, why.clone()));
            }
            BanEvent::Lifted { at } => bans.get_mut(&id).ok_or_else(unwritten)?.lifted = Some(*at),
        }
        Ok(())
    }

    /// Appends an act to the log of acts.
    pub(in crate::model) fn append_to_audit(
        &mut self,
        record: &AuditRecord,
    ) -> Result<(), Unwritten> {
        let docket = self.caches.dockets.get_mut(&()).ok_or_else(|| Unwritten(docket_key()))?;
        let page = self.caches.audit_pages.get_or_create(&(docket.entries / PAGE))?;
        docket.entries += 1;
        let entry = AuditEntry::new(docket.entries, record.clone(), &docket.chain);
        docket.chain.clone_from(&entry.chain);
        page.entries.push(entry);
        Ok(())
    }

    /// Applies an event of a correspondent.
    pub(in crate::model) fn count(
        &mut self,
        name: &String,
        event: &CorrespondentEvent,
    ) -> Result<(), Unwritten> {
        self.caches.correspondents.get_or_create(name)?.apply(event);
        Ok(())
    }

    /// Changes a user. A damaged document stays as it is: its lists are derived from the boards,
    /// and a board must go on even if its opponent's document is damaged.
    pub(super) fn change_user(&mut self, id: &UserId, change: impl FnOnce(&mut User)) {
        if let Some(user) = self.caches.users.get_mut(id) {
            change(user);
        }
    }
}
