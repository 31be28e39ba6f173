//! The table of all kinds of documents.

use crate::model::document::{AnyDocumentCache, DocumentCache};

/// One cache for each kind of document, by what lies there.
macro_rules! caches {
    ($($(#[$doc:meta])* $name:ident: $kind:ty,)*) => {
        /// The documents loaded so far, by their kinds.
        #[derive(Debug, Default)]
        pub struct DocumentCaches {
            $($(#[$doc])* pub $name: DocumentCache<$kind>,)*
        }

        impl DocumentCaches {
            /// Every cache.
            pub(super) fn all(&mut self) -> impl Iterator<Item = &mut dyn AnyDocumentCache> {
                [$(&mut self.$name as &mut dyn AnyDocumentCache,)*].into_iter()
            }

            /// How many documents are here.
            pub(super) fn len(&self) -> usize {
                0 $(+ self.$name.len())*
            }
        }
    };
}

caches! {
    /// Boards.
    boards: super::board::Board,
    /// Users.
    users: super::user::User,
    /// How many boards of each game there are.
    counts: super::count::BoardCount,
    /// The counts of addresses and userids.
    correspondents: super::correspondent::Correspondent,
    /// The open challenges of each game.
    seeks: super::seeks::Seeks,
    /// The words of players on boards.
    talks: super::talk::Talk,
    /// The index of users.
    names: super::names::NameIndex,
}

/// Whether the file of that name, below the home, may hold that text.
pub fn is_readable(file: &str, text: &str) -> bool {
    DocumentCaches::default().all().find_map(|cache| cache.judge(file, text)).unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{names, seeks};

    #[test]
    fn what_is_open_in_a_game_is_known_for_a_document() {
        let text = seeks::Seeks::new("malaka").write();
        assert!(is_readable("boards/malaka/seeks.json", &text));
        assert!(!is_readable("boards/moloko/seeks.json", &text));
        assert!(!is_readable("boards/malaka/seeks.json", "{}"));
    }

    #[test]
    fn a_file_is_read_as_what_its_name_says() {
        assert!(is_readable("boards/malaka/count", "17\n"));
        assert!(!is_readable("boards/malaka/looks", "17\n"));
        assert!(!is_readable("boards/malaka/0/1.json", "17\n"));
        let entry = names::NameIndex::default().write();
        assert!(is_readable("names/bo/id-bob.json", &entry));
        assert!(
            !is_readable("names/bo/bob.json", &entry) && !is_readable("users/bo/bob.json", &entry)
        );
    }
}
