//! Names of documents, and their files in a home.

use crate::base::escape;
use std::fmt::{self, Display};

/// The longest escaped name. File systems take 255 bytes, and `.json.conflict` or the like follows
/// the name.
const MAX_ESCAPED_NAME: usize = 230;

const BOARDS: &str = "boards";

/// The file with the number of the latest board of a game.
pub const BOARD_COUNT: &str = "count";

const DOCUMENTS: &str = "documents";

/// The folders of documents in a home, each with the depth of its tree. All collections are in
/// `documents`, except those that are older than this folder.
pub const DOCUMENT_FOLDERS: [(&str, usize); 6] =
    [(BOARDS, 3), ("users", 2), ("mailboxes", 2), ("names", 2), ("talks", 2), (DOCUMENTS, 3)];

/// The rate limits of mailboxes. The store deletes old ones.
pub const MAILBOXES: Collection = Collection::at_top("mailboxes");

/// The name of a document. It says only where the document is; the model knows what it contains.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Key {
    /// A board: the game's name and the board's number.
    Board(&'static str, u32),
    /// A document of a collection, by its text.
    In(Collection, String),
    /// A document that each game has once: the game's name and the file's name.
    OfGame(&'static str, &'static str),
}

/// A folder of documents named by a text, in subfolders of two letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Collection {
    name: &'static str,
    /// Whether its folder is in the top folder of the home instead of `documents`.
    is_at_top: bool,
    /// The index of the first letter that names the subfolder.
    from: usize,
}

impl Collection {
    /// Returns the collection of that name.
    pub const fn new(name: &'static str) -> Self {
        Self { name, is_at_top: false, from: 0 }
    }

    /// Returns a collection whose folder is one of [`DOCUMENT_FOLDERS`] itself.
    pub const fn at_top(name: &'static str) -> Self {
        Self { is_at_top: true, ..Self::new(name) }
    }

    /// Returns the collection with subfolders named after later letters, since all names begin with
    /// the same `letters`.
    #[must_use]
    pub const fn after(self, letters: usize) -> Self {
        Self { from: letters, ..self }
    }

    /// Returns the folder in the home.
    fn folder(self) -> String {
        if self.is_at_top { self.name.to_owned() } else { format!("{DOCUMENTS}/{}", self.name) }
    }

    /// Returns the key of the document of a game with this number.
    pub fn numbered(self, game: &str, number: u32) -> Key {
        Key::In(self, format!("{game}-{number}"))
    }

    /// Returns the game and the number in the key of a [numbered](Self::numbered) document.
    pub fn game_and_number(self, key: &Key) -> Option<(&'static str, u32)> {
        let Key::In(collection, name) = key else { return None };
        let (game, number) = name.split_once('-')?;
        let (game, number) = (games::find(game)?.spec().name, number.parse().ok()?);
        (*collection == self && self.numbered(game, number) == *key).then_some((game, number))
    }

    /// Returns the document of this collection whose file is `file`.
    pub fn find(self, file: &str) -> Option<Key> {
        DocumentKind::In(self).named(last(file)).filter(|key| key.is(file))
    }
}

/// Where the documents of a kind are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// With the boards of their games.
    Boards,
    /// In a collection.
    In(Collection),
    /// One for each game, in a file of this name.
    OfGame(&'static str),
}

impl Place {
    /// Returns the document of a file below the home; `None` for a file of another place.
    pub fn find(self, file: &str) -> Option<Key> {
        match self {
            Self::Boards => Key::find_board(file),
            Self::In(collection) => collection.find(file),
            Self::OfGame(name) => Key::find_of_game(file, name),
        }
    }

    /// Returns the kinds that list all documents of the place; none for [`Place::OfGame`], whose
    /// keys are [known](Self::fixed_keys).
    pub fn lists(self) -> Vec<DocumentKind> {
        match self {
            Self::Boards => games::names().map(DocumentKind::Boards).collect(),
            Self::In(collection) => vec![DocumentKind::In(collection)],
            Self::OfGame(_) => Vec::new(),
        }
    }

    /// Returns the keys that need no list: those of [`Place::OfGame`].
    pub fn fixed_keys(self) -> Vec<Key> {
        match self {
            Self::OfGame(name) => games::names().map(|game| Key::OfGame(game, name)).collect(),
            Self::Boards | Self::In(_) => Vec::new(),
        }
    }
}

/// A kind of documents that can be listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DocumentKind {
    /// The boards of a game, by its name.
    Boards(&'static str),
    /// A collection.
    In(Collection),
}

impl DocumentKind {
    /// Returns the folder in the home, which has one level of subfolders.
    pub fn folder(self) -> String {
        match self {
            Self::Boards(game) => format!("{BOARDS}/{}", escape::name(game)),
            Self::In(collection) => collection.folder(),
        }
    }

    /// Returns the document of this kind by the name of its file, without folders.
    pub fn named(self, file: &str) -> Option<Key> {
        let name = file.strip_suffix(".json")?;
        match self {
            Self::Boards(game) => {
                let number: u32 = name.parse().ok()?;
                (number.to_string() == name).then_some(Key::Board(game, number))
            }
            Self::In(collection) => escape::named(name).map(|text| Key::In(collection, text)),
        }
    }

    /// Returns whether a document is of this kind.
    pub fn has(self, key: &Key) -> bool {
        match (self, key) {
            (Self::Boards(game), Key::Board(of, _)) => *of == game,
            (Self::In(collection), Key::In(of, _)) => *of == collection,
            _ => false,
        }
    }
}

impl Key {
    /// Returns whether the document is the count of a game's boards.
    pub fn is_board_count(&self) -> bool {
        matches!(self, Self::OfGame(_, BOARD_COUNT))
    }

    /// Returns the document's file in the home. None if the name is too long for a file.
    pub fn file(&self) -> Option<String> {
        match self {
            Self::Board(game, number) => {
                let folder = DocumentKind::Boards(game).folder();
                Some(format!("{folder}/{}/{number}.json", number / 1000))
            }
            Self::OfGame(game, file) => {
                Some(format!("{}/{file}", DocumentKind::Boards(game).folder()))
            }
            Self::In(collection, text) => two_deep(*collection, text),
        }
    }

    /// Returns the board whose file is `file`.
    pub fn find_board(file: &str) -> Option<Self> {
        let boards = games::names().filter_map(|game| DocumentKind::Boards(game).named(last(file)));
        boards.into_iter().find(|key| key.is(file))
    }

    /// Returns the document of a game whose file is `file`, if its name is `name`.
    pub fn find_of_game(file: &str, name: &'static str) -> Option<Self> {
        games::names().map(|game| Self::OfGame(game, name)).find(|key| key.is(file))
    }

    fn is(&self, file: &str) -> bool {
        self.file().as_deref() == Some(file)
    }
}

/// Returns the name of a file without its folders.
fn last(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}

/// Returns whether old contents of a file are overwritten on disk. Users who are erased or get a
/// new password must leave no traces. Only the files of boards are public.
pub fn is_private(file: &str) -> bool {
    file.split('/').next() != Some(BOARDS)
}

/// Returns a path such as `users/al/alice.json`.
fn two_deep(collection: Collection, text: &str) -> Option<String> {
    let name = escape::name(text);
    let letters = text.chars().skip(collection.from).take(2).collect::<String>();
    let (folder, letters) = (collection.folder(), escape::name(&letters));
    (name.len() <= MAX_ESCAPED_NAME).then(|| format!("{folder}/{letters}/{name}.json"))
}

impl Display for Key {
    /// Writes the path of the file in the home.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.file().as_deref().unwrap_or("a name too long for a file"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const USERS: Collection = Collection::at_top("users");
    const NAMES: Collection = Collection::at_top("names").after(3);
    const NOTES: Collection = Collection::new("notes");

    #[test]
    fn every_document_has_its_file() {
        let file = |key: Key| key.file().unwrap();
        assert_eq!(file(Key::In(USERS, "alice".into())), "users/al/alice.json");
        assert_eq!(file(Key::In(USERS, "é".into())), "users/%C3%A9/%C3%A9.json");
        assert_eq!(file(Key::Board("malaka", 4217)), "boards/malaka/4/4217.json");
        assert_eq!(file(Key::In(MAILBOXES, "a1b2".into())), "mailboxes/a1/a1b2.json");
        assert_eq!(file(Key::In(NAMES, "id-bob".into())), "names/bo/id-bob.json");
        assert_eq!(file(Key::In(NOTES, "alice".into())), "documents/notes/al/alice.json");
        assert_eq!(file(Key::OfGame("malaka", "seeks.json")), "boards/malaka/seeks.json");
        assert_eq!(file(Key::OfGame("malaka", "count")), "boards/malaka/count");
        assert_eq!(Key::In(USERS, "x".repeat(300)).file(), None);
    }

    #[test]
    fn a_file_is_found_to_be_its_document_and_no_other() {
        let alice = Key::In(USERS, "alice".into());
        assert_eq!(USERS.find("users/al/alice.json"), Some(alice));
        assert_eq!(USERS.find("users/bo/alice.json"), None);
        assert_eq!(USERS.find("names/al/alice.json"), None);
        assert_eq!(
            NOTES.find("documents/notes/al/alice.json"),
            Some(Key::In(NOTES, "alice".into()))
        );
        assert_eq!(NOTES.find("notes/al/alice.json"), None);
        assert_eq!(NAMES.find("names/bo/id-bob.json"), Some(Key::In(NAMES, "id-bob".into())));
        assert_eq!(Key::find_board("boards/malaka/4/4217.json"), Some(Key::Board("malaka", 4217)));
        assert_eq!(Key::find_board("boards/malaka/5/4217.json"), None);
        let count = Key::OfGame("malaka", "count");
        assert_eq!(Key::find_of_game("boards/malaka/count", "count"), Some(count));
        assert_eq!(Key::find_of_game("boards/malaka/counts", "count"), None);
    }

    #[test]
    fn what_tells_of_people_is_private() {
        for key in [
            Key::In(USERS, "a".into()),
            Key::In(NAMES, "id-bob".into()),
            Key::In(MAILBOXES, "a".into()),
            Key::In(NOTES, "alice".into()),
        ] {
            assert!(is_private(&key.file().unwrap()), "{key}");
        }
        assert!(!is_private("boards/malaka/users/1.json"));
    }

    #[test]
    fn what_is_listed_is_found_by_its_file() {
        let board = Key::Board("malaka", 17);
        assert_eq!(DocumentKind::Boards("malaka").named("17.json"), Some(board.clone()));
        assert_eq!(DocumentKind::Boards("malaka").named("017.json"), None);
        assert_eq!(DocumentKind::Boards("malaka").named("seeks.json"), None);
        assert_eq!(DocumentKind::In(USERS).named("al.json"), Some(Key::In(USERS, "al".into())));
        assert_eq!(DocumentKind::In(USERS).named("al.ice.json"), None, "a point is escaped");
        assert!(
            DocumentKind::Boards("malaka").has(&board)
                && !DocumentKind::Boards("moloko").has(&board)
        );
    }
}
