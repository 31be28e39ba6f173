//! The application of events to a ladder.

use super::file::LadderPartId;
use super::journal::{JournalEntry, JournalStep};
use super::reader::LadderReader;
use super::rung::{
    Ladder, LadderEnd, LadderEvent, LadderGame, LadderSection, Meeting, Rung, rules,
};
use crate::base::ids::UserId;
use crate::base::time::Time;
use crate::model::tournament::DecidedBy;

/// The most players of a section; with more it is split.
pub(super) const MOST_IN_SECTION: usize = 64;

/// The loaded documents of a ladder, to change them.
pub trait LadderWriter: LadderReader {
    /// Returns the head to change it.
    fn head_mut(&mut self) -> Option<&mut Ladder>;

    /// Returns a section to change it, if it is loaded.
    fn section_mut(&mut self, number: u32) -> Option<&mut LadderSection>;

    /// Adds a section.
    fn add_section(&mut self, section: LadderSection);

    /// Notes in which section a user is; `None` if they are not on the ladder any more.
    fn set_section_of(&mut self, user: &UserId, section: Option<u32>);

    /// Adds an entry to the journal.
    fn record(&mut self, entry: JournalEntry);

    /// Applies an event. Returns `None`, and changes nothing, if a document that it needs is not
    /// there.
    fn apply(&mut self, event: &LadderEvent) -> Option<()> {
        match event {
            LadderEvent::Joined { user, at } => self.join(user, *at),
            LadderEvent::Challenged { board, players } => self.begin(*board, players),
            LadderEvent::Ended(end) => self.end(end),
            LadderEvent::Idled { user, at } => self.idle(user, *at),
            LadderEvent::Leaving { user, at } => {
                self.rung_mut(user)?.leaving = true;
                self.remove_if_done(user, *at);
                Some(())
            }
            LadderEvent::Split { section } => self.split(*section),
        }
    }

    /// Returns a player to change them.
    fn rung_mut(&mut self, user: &UserId) -> Option<&mut Rung> {
        let section = self.section_of(user)?;
        self.section_mut(section)?.rungs.iter_mut().find(|rung| rung.user == *user)
    }

    /// Adds a user below all others.
    fn join(&mut self, user: &UserId, at: Time) -> Option<()> {
        let head = self.head_mut()?;
        if head.sections.is_empty() {
            head.sections.push([1, 0]);
            let id = LadderPartId { game: head.game_name()?, number: 1 };
            self.add_section(LadderSection::new(id));
        }
        let head = self.head()?;
        let [last, _] = *head.sections.last()?;
        let member = head.members + 1;
        let rung = Rung {
            user: user.clone(),
            member,
            since: at,
            slid: None,
            games: Vec::new(),
            met: Vec::new(),
            timeouts: 0,
            leaving: false,
        };
        self.section_mut(last)?.rungs.push(rung);
        self.count(last, 1);
        self.head_mut()?.members = member;
        self.set_section_of(user, Some(last));
        self.record(JournalEntry { at, step: JournalStep::Joined(member) });
        Some(())
    }

    /// Begins a game.
    fn begin(&mut self, board: u32, [by, opponent]: &[UserId; 2]) -> Option<()> {
        let members = [self.rung(by)?.member, self.rung(opponent)?.member];
        let challenger = LadderGame { board, opponent: members[1], challenger: true };
        self.rung_mut(by)?.games.push(challenger);
        let challenged = LadderGame { board, opponent: members[0], challenger: false };
        self.rung_mut(opponent)?.games.push(challenged);
        Some(())
    }

    /// Ends a game: the winner takes the place just above the loser, if they were below. Who lost
    /// on time drops.
    fn end(&mut self, end: &LadderEnd) -> Option<()> {
        let members = [self.rung(&end.players[0])?.member, self.rung(&end.players[1])?.member];
        if end.by == DecidedBy::Time && !self.can_drop(&end.players[1 - end.winner?]) {
            return None;
        }
        for (index, player) in end.players.iter().enumerate() {
            let rung = self.rung_mut(player)?;
            rung.games.retain(|game| game.board != end.board);
            rung.met.retain(|met| met.until > end.at && met.member != members[1 - index]);
            let until = end.at + rules::NO_REMATCH;
            rung.met.push(Meeting { member: members[1 - index], until });
            (rung.since, rung.slid) = (end.at, None);
            let is_timeout = end.by == DecidedBy::Time && end.winner == Some(1 - index);
            rung.timeouts = if is_timeout { rung.timeouts + 1 } else { 0 };
            rung.leaving = rung.leaving || rung.timeouts >= rules::TIMEOUTS;
        }
        let step = JournalStep::Ended {
            board: end.board,
            members,
            winner: end.winner,
            on_time: end.by == DecidedBy::Time,
        };
        self.record(JournalEntry { at: end.at, step });
        if let Some(winner) = end.winner {
            let [winner, loser] = [&end.players[winner], &end.players[1 - winner]];
            let (place, above) = (self.place(winner)?, self.place(loser)?);
            if place > above {
                self.move_to(winner, above);
            }
            if end.by == DecidedBy::Time {
                self.drop_down(loser);
            }
        }
        end.players.iter().for_each(|player| self.remove_if_done(player, end.at));
        Some(())
    }

    /// Drops an idle player, or removes one who was idle for too long.
    fn idle(&mut self, user: &UserId, at: Time) -> Option<()> {
        let rung = self.rung(user)?;
        if rung.gone_at() <= at || rung.leaving {
            self.rung_mut(user)?.leaving = true;
            self.remove_if_done(user, at);
            return Some(());
        }
        let member = rung.member;
        self.can_drop(user).then_some(())?;
        self.rung_mut(user)?.slid = Some(at);
        self.record(JournalEntry { at, step: JournalStep::Idled(member) });
        self.drop_down(user);
        Some(())
    }

    /// Returns whether the sections of the places below a player are loaded, so that they can drop.
    fn can_drop(&self, user: &UserId) -> bool {
        let Some(place) = self.place(user) else { return false };
        let Some(head) = self.head() else { return false };
        // The winner may come from below before the loser drops.
        let sections = head.sections_of(place..=place.saturating_add(rules::DROP + 1));
        sections.into_iter().all(|number| self.section(number).is_some())
    }

    /// Moves a player down by some places, at most to the bottom.
    fn drop_down(&mut self, user: &UserId) {
        if let Some(place) = self.place(user) {
            self.move_to(user, place.saturating_add(rules::DROP).min(self.players()));
        }
    }

    /// Moves a player to a place; those between move by one.
    fn move_to(&mut self, user: &UserId, place: u32) {
        let Some(rung) = self.take(user) else { return };
        let Some(head) = self.head() else { return };
        let at_end = || head.sections.last().map(|[number, _]| (*number, usize::MAX));
        let Some((number, index)) = head.find(place).or_else(at_end) else { return };
        let Some(section) = self.section_mut(number) else { return };
        section.rungs.insert(index.min(section.rungs.len()), rung);
        self.count(number, 1);
        self.set_section_of(user, Some(number));
    }

    /// Takes a player out.
    fn take(&mut self, user: &UserId) -> Option<Rung> {
        let number = self.section_of(user)?;
        let rungs = &mut self.section_mut(number)?.rungs;
        let index = rungs.iter().position(|rung| rung.user == *user)?;
        let rung = rungs.remove(index);
        self.count(number, -1);
        Some(rung)
    }

    /// Changes the number of players of a section.
    fn count(&mut self, section: u32, by: i32) {
        let Some(head) = self.head_mut() else { return };
        let found = head.sections.iter_mut().find(|[number, _]| *number == section);
        if let Some([_, players]) = found {
            *players = players.saturating_add_signed(by);
        }
    }

    /// Removes a player who leaves and has no games.
    fn remove_if_done(&mut self, user: &UserId, at: Time) {
        let Some(rung) = self.rung(user).filter(|rung| rung.leaving && rung.games.is_empty())
        else {
            return;
        };
        let member = rung.member;
        self.take(user);
        self.set_section_of(user, None);
        self.record(JournalEntry { at, step: JournalStep::Left(member) });
    }

    /// Makes the lower half of a section a section of its own.
    fn split(&mut self, number: u32) -> Option<()> {
        let head = self.head()?;
        let game = head.game_name()?;
        let new = head.sections.iter().map(|[number, _]| *number).max()?.checked_add(1)?;
        let index = head.sections.iter().position(|[known, _]| *known == number)?;
        let rungs = &mut self.section_mut(number)?.rungs;
        let lower = rungs.split_off(rungs.len() / 2);
        let moved = u32::try_from(lower.len()).ok()?;
        let mut section = LadderSection::new(LadderPartId { game, number: new });
        section.rungs.clone_from(&lower);
        self.add_section(section);
        for rung in lower {
            self.set_section_of(&rung.user, Some(new));
        }
        let head = self.head_mut()?;
        head.sections[index][1] = head.sections[index][1].saturating_sub(moved);
        head.sections.insert(index + 1, [new, moved]);
        Some(())
    }
}

impl LadderSection {
    /// Returns whether the section has too many players.
    pub fn is_too_long(&self) -> bool {
        self.rungs.len() > MOST_IN_SECTION
    }
}
