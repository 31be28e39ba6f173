//! The table of document kinds, with a cache for each.

use crate::model::document::{AnyDocumentCache, DocumentCache, DocumentType, TypeOf};
use crate::model::user::User;
use crate::store::Key;
use std::marker::PhantomData;

/// Declares a cache for each kind of document.
macro_rules! caches {
    ($($(#[$doc:meta])* $name:ident: $kind:ty,)*) => {
        /// The loaded documents, by kind.
        #[derive(Debug, Default)]
        pub struct DocumentCaches {
            $($(#[$doc])* pub $name: DocumentCache<$kind>,)*
        }

        impl DocumentCaches {
            pub(super) fn all(&self) -> impl Iterator<Item = &dyn AnyDocumentCache> {
                [$(&self.$name as &dyn AnyDocumentCache,)*].into_iter()
            }

            /// Returns all caches, to change them.
            pub(super) fn all_mut(&mut self) -> impl Iterator<Item = &mut dyn AnyDocumentCache> {
                [$(&mut self.$name as &mut dyn AnyDocumentCache,)*].into_iter()
            }

            /// Returns the number of loaded documents.
            pub(super) fn len(&self) -> usize {
                0 $(+ self.$name.len())*
            }
        }

        /// All kinds of documents.
        pub static DOCUMENT_TYPES: &[&(dyn DocumentType + 'static)] =
            &[$(&TypeOf::<$kind>(PhantomData),)*];
    };
}

// The fields of an export are in this order; boards are long and come last.
caches! {
    /// Users.
    users: User,
    /// The number of boards of each game.
    counts: super::board_count::BoardCount,
    /// The counts of mailboxes, userids and networks.
    correspondents: super::correspondent::Correspondent,
    /// The open challenges of each game.
    seeks: super::seeks::Seeks,
    /// The players of each game who were active last.
    recent_players: super::recent_players::RecentPlayers,
    /// The players who welcome newcomers.
    welcomers: super::welcomers::Welcomers,
    /// The finished boards of each game.
    finished: super::finished_boards::FinishedBoards,
    /// The lists of tournaments of each game.
    tournament_lists: super::tournament::TournamentList,
    /// Tournaments.
    tournaments: super::tournament::Tournament,
    /// The ladders of each game.
    ladders: super::ladder::Ladder,
    /// The parts of ladders.
    ladder_sections: super::ladder::LadderSection,
    /// What happened to ladders.
    ladder_journals: super::ladder::LadderJournal,
    /// The open reports, the administrators, and the end of the log of acts.
    dockets: super::moderation::Docket,
    /// The operator's announcements.
    announcements: super::announcement::Announcements,
    /// Reports of players.
    reports: super::moderation::Report,
    /// Bans of addresses, domains and networks.
    bans: super::moderation::Ban,
    /// The log of the operator's and the administrators' acts.
    audit_pages: super::moderation::AuditPage,
    /// The messages of players on boards.
    chats: super::chat_log::ChatLog,
    /// The notes of players for themselves.
    notes: super::note::BoardNotes,
    /// The index of users.
    user_index: super::user_index::UserIndexEntry,
    /// Boards.
    boards: super::board::Board,
}

/// Returns the keys of all documents with data of a user.
pub fn keys_of(user: &User) -> Vec<Key> {
    DOCUMENT_TYPES.iter().flat_map(|kind| kind.keys_of(user)).collect()
}

/// Returns whether `text` is a readable document for a file name below the home.
pub fn is_readable(file: &str, text: &str) -> bool {
    let readable = |kind: &&dyn DocumentType| {
        let key = kind.place().find(file);
        key.is_some_and(|key| kind.check(&key, text).is_ok())
    };
    DOCUMENT_TYPES.iter().any(readable)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::document::Document as _;
    use crate::model::{seeks, user_index};

    #[test]
    fn open_challenges_are_recognized_by_their_file() {
        let text = seeks::Seeks::new("malaka").to_text();
        assert!(is_readable("boards/malaka/seeks.json", &text));
        assert!(!is_readable("boards/moloko/seeks.json", &text));
        assert!(!is_readable("boards/malaka/seeks.json", "{}"));
    }

    #[test]
    fn the_name_of_a_file_determines_its_kind() {
        assert!(is_readable("boards/malaka/count", "17\n"));
        assert!(!is_readable("boards/malaka/looks", "17\n"));
        assert!(!is_readable("boards/malaka/0/1.json", "17\n"));
        let entry = user_index::UserIndexEntry::default().to_text();
        assert!(is_readable("names/bo/id-bob.json", &entry));
        assert!(
            !is_readable("names/bo/bob.json", &entry) && !is_readable("users/bo/bob.json", &entry)
        );
    }
}
