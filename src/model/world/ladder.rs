//! The ladder of a game among the loaded documents.

use super::{MissingDocument, World, board_key};
use crate::base::ids::{BoardId, UserId};
use crate::model::document::Unwritten;
use crate::model::ladder::{
    JournalEntry, JournalStep, Ladder, LadderEvent, LadderJournal, LadderPartId, LadderReader,
    LadderSection, LadderStart, LadderWriter, ladder_journal_key, ladder_key, ladder_section_key,
    rules,
};
use crate::model::user::User;
use crate::store::Key;
use std::collections::BTreeSet;
use std::ops::Deref;

/// The number of results that a page shows.
const LATEST: usize = 10;

/// The loaded documents of a game's ladder, to read or to change them.
#[derive(Clone, Copy, Debug)]
pub struct LoadedLadder<W> {
    world: W,
    game: &'static str,
}

/// The loaded documents of a game's ladder, to read them.
pub type WorldLadder<'w> = LoadedLadder<&'w World>;

impl World {
    /// Returns the ladder of a game; its head must be loaded.
    ///
    /// # Errors
    /// The head is damaged.
    pub fn ladder(&self, game: &'static str) -> Result<WorldLadder<'_>, MissingDocument> {
        let head = self.caches.ladders.content(&game).ok().flatten();
        head.map(|_| WorldLadder { world: self, game }).ok_or(MissingDocument::Damaged)
    }

    /// Returns the ladder of a game if its head is loaded and not damaged.
    pub fn loaded_ladder(&self, game: &'static str) -> Option<WorldLadder<'_>> {
        self.caches.ladders.get(&game).map(|_| WorldLadder { world: self, game })
    }

    /// Returns a section of a ladder if it is loaded and not damaged.
    pub fn loaded_ladder_section(&self, id: LadderPartId) -> Option<&LadderSection> {
        self.caches.ladder_sections.get(&id)
    }

    /// Applies an event of a ladder, and updates its players.
    pub(in crate::model) fn change_ladder(
        &mut self,
        game: &'static str,
        event: &LadderEvent,
    ) -> Result<(), Unwritten> {
        let unwritten = || Unwritten(ladder_key(game));
        let head = self.caches.ladders.get(&game).ok_or_else(unwritten)?;
        let journal = LadderPartId { game, number: head.journal };
        let is_full = self.caches.ladder_journals.get(&journal).map(LadderJournal::is_full);
        match is_full {
            None => return Err(Unwritten(ladder_journal_key(game, journal.number))),
            Some(false) => {}
            Some(true) => {
                let number = journal.number + 1;
                let next = LadderPartId { game, number };
                let known = self.caches.ladder_journals.get(&next);
                known.ok_or_else(|| Unwritten(ladder_journal_key(game, number)))?;
                let head = self.caches.ladders.get_mut(&game).ok_or_else(unwritten)?;
                head.journal = number;
            }
        }
        LoadedLadder { world: self, game }.apply(event).ok_or_else(unwritten)
    }
}

impl<W: Deref<Target = World>> LoadedLadder<W> {
    /// Returns the number of the journal that new entries are added to.
    fn journal_number(&self) -> u32 {
        self.head().map_or(1, |head| head.journal)
    }
}

impl<'w> WorldLadder<'w> {
    /// Returns the keys of the journals to which an event may add an entry: the present one and the next.
    pub fn journal_keys(&self) -> [Key; 2] {
        let journal = self.journal_number();
        [journal, journal + 1].map(|number| ladder_journal_key(self.game, number))
    }

    /// Returns the last two journals, the latest first.
    fn last_journals(&self) -> impl Iterator<Item = LadderPartId> + use<> {
        let (game, last) = (self.game, self.journal_number());
        (1..=last).rev().take(2).map(move |number| LadderPartId { game, number })
    }

    /// Returns the entries of the last two journals, as far as they are loaded, the latest first.
    pub fn latest(&self) -> impl Iterator<Item = &'w JournalEntry> + use<'w> {
        let journals = &self.world.caches.ladder_journals;
        let loaded = self.last_journals().filter_map(move |id| journals.get(&id));
        loaded.flat_map(|journal| journal.entries.iter().rev())
    }

    /// Returns the keys of the last two journals.
    pub fn latest_keys(&self) -> Vec<Key> {
        self.last_journals().map(|id| ladder_journal_key(id.game, id.number)).collect()
    }

    /// Returns the boards of the last results of the loaded journals, the latest first.
    pub fn latest_boards(&self) -> Vec<BoardId> {
        let board = |entry: &JournalEntry| match entry.step {
            JournalStep::Ended { board, .. } => Some(BoardId { game: self.game, number: board }),
            _ => None,
        };
        self.latest().filter_map(board).take(LATEST).collect()
    }

    /// Returns the keys of a page, as far as they are known from what is loaded.
    pub fn page_keys(&self, start: &LadderStart, length: u32) -> Vec<Key> {
        let own = start.player().and_then(|user| self.section_of(user));
        let own = own.map(|number| ladder_section_key(self.game, number));
        let places = self.page(start, length).map(|places| self.sections_of(places));
        let boards = self.latest_boards().into_iter().map(board_key);
        let journals = self.latest_keys();
        own.into_iter().chain(places.into_iter().flatten()).chain(journals).chain(boards).collect()
    }

    /// Returns the keys of the sections of users, without other sections.
    pub fn own_sections(&self, users: &[UserId]) -> Vec<Key> {
        let sections = users.iter().filter_map(|user| self.section_of(user));
        sections.map(|number| ladder_section_key(self.game, number)).collect()
    }

    /// Returns the ladder games in progress of these players, of those alone who leave the ladder.
    pub fn boards_of_leavers(&self, users: &[UserId]) -> Vec<BoardId> {
        let rungs = users.iter().filter_map(|user| self.rung(user)).filter(|rung| rung.leaving);
        let games = rungs.flat_map(|rung| &rung.games);
        games.map(|played| BoardId { game: self.game, number: played.board }).collect()
    }

    /// Returns the keys of the sections of some places.
    pub fn sections_of(&self, places: std::ops::RangeInclusive<u32>) -> Vec<Key> {
        let sections = self.head().map(|head| head.sections_of(places)).unwrap_or_default();
        sections.into_iter().map(|number| ladder_section_key(self.game, number)).collect()
    }

    /// Returns the keys of all sections that events of these users may change: their own ones, which must be
    /// loaded, those of the places to which they may drop, and the last one.
    pub fn changed_sections(&self, users: &[UserId]) -> Vec<Key> {
        let places = users.iter().filter_map(|user| self.place(user));
        let lowest = |place: u32| place.saturating_add(rules::DROP + 1);
        let sections = places.flat_map(|place| self.sections_of(place..=lowest(place)));
        let last = self.head().and_then(|head| head.sections.last());
        let last = last.map(|[number, _]| ladder_section_key(self.game, *number));
        let all: BTreeSet<Key> = sections.chain(last).collect();
        all.into_iter().collect()
    }

    /// Returns the sections of these users that have too many players.
    pub fn long_sections(&self, users: &[UserId]) -> Vec<&'w LadderSection> {
        let sections: BTreeSet<u32> =
            users.iter().filter_map(|user| self.section_of(user)).collect();
        let caches = &self.world.caches;
        let section =
            |number: u32| caches.ladder_sections.get(&LadderPartId { game: self.game, number });
        let sections = sections.into_iter().filter_map(section);
        sections.filter(|section| section.is_too_long()).collect()
    }
}

impl<W: Deref<Target = World>> LadderReader for LoadedLadder<W> {
    fn head(&self) -> Option<&Ladder> {
        self.world.caches.ladders.get(&self.game)
    }

    fn section(&self, number: u32) -> Option<&LadderSection> {
        self.world.caches.ladder_sections.get(&LadderPartId { game: self.game, number })
    }

    fn section_of(&self, user: &UserId) -> Option<u32> {
        self.world.caches.users.get(user)?.ladders.get(self.game).copied()
    }
}

impl LadderWriter for LoadedLadder<&mut World> {
    fn head_mut(&mut self) -> Option<&mut Ladder> {
        self.world.caches.ladders.get_mut(&self.game)
    }

    fn section_mut(&mut self, number: u32) -> Option<&mut LadderSection> {
        self.world.caches.ladder_sections.get_mut(&LadderPartId { game: self.game, number })
    }

    fn add_section(&mut self, section: LadderSection) {
        self.world.caches.ladder_sections.put(section.id(), section);
    }

    fn set_section_of(&mut self, user: &UserId, section: Option<u32>) {
        let game = self.game;
        self.world.change_user(user, |user: &mut User| user.set_ladder(game, section));
    }

    fn record(&mut self, entry: JournalEntry) {
        let journal = LadderPartId { game: self.game, number: self.journal_number() };
        if let Some(journal) = self.world.caches.ladder_journals.get_mut(&journal) {
            journal.entries.push(entry);
        }
    }
}
