//! The table of all kinds of documents.

use crate::model::board::Board;
use crate::model::correspondent::Correspondent;
use crate::model::count::Count;
use crate::model::document::{AnyShelf, Shelf};
use crate::model::names::Names;
use crate::model::seeks::Seeks;
use crate::model::user::User;

/// One shelf for each kind of document, by what lies there.
macro_rules! shelves {
    ($($(#[$doc:meta])* $name:ident: $kind:ty,)*) => {
        /// The documents loaded so far, by their kinds.
        #[derive(Debug, Default)]
        pub struct Shelves {
            $($(#[$doc])* pub $name: Shelf<$kind>,)*
        }

        impl Shelves {
            /// Every shelf.
            pub(super) fn all(&mut self) -> impl Iterator<Item = &mut dyn AnyShelf> {
                [$(&mut self.$name as &mut dyn AnyShelf,)*].into_iter()
            }

            /// How many documents are here.
            pub(super) fn len(&self) -> usize {
                0 $(+ self.$name.len())*
            }
        }
    };
}

shelves! {
    /// Boards.
    boards: Board,
    /// Users.
    users: User,
    /// How many boards of each game there are.
    counts: Count,
    /// What counts for addresses and userids.
    correspondents: Correspondent,
    /// The open challenges of each game.
    seeks: Seeks,
    /// The index of users.
    names: Names,
}
