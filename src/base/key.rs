//! What documents are called, and which file of a home each of them is.

use crate::base::escape;
use std::fmt::{self, Display};

/// The longest file name that every usual file system takes is 255; `.json.conflict` and the like
/// come behind it.
const LONGEST: usize = 230;

const USERS: &str = "users";
const CORRESPONDENTS: &str = "mailboxes";
const NAMES: &str = "names";

/// The name of a document.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Key {
    /// A board: the game's name and the board's number.
    Board(&'static str, u32),
    /// A user, by folded (lower-case) userid.
    User(String),
    /// How many boards of that game have ever been set up.
    Count(&'static str),
    /// What was mailed to a mailbox unasked, by the mailbox's digest.
    Correspondent(String),
    /// The open challenges of that game, and who hears of its new boards.
    Seeks(&'static str),
    /// An entry of the index of users, by its name.
    Names(String),
}

/// Documents that can be listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Listed {
    /// The boards of a game, by its name.
    Boards(&'static str),
    /// All users.
    Users,
    /// All correspondents.
    Correspondents,
}

impl Listed {
    /// The folder below the home that holds them, two folders deep.
    pub fn folder(self) -> String {
        match self {
            Self::Boards(game) => format!("boards/{}", escape::name(game)),
            Self::Users => USERS.to_owned(),
            Self::Correspondents => CORRESPONDENTS.to_owned(),
        }
    }

    /// The document of this kind whose file has that name, without its folder.
    pub fn named(self, file: &str) -> Option<Key> {
        let name = file.strip_suffix(".json")?;
        match self {
            Self::Boards(game) => {
                let number: u32 = name.parse().ok()?;
                (number.to_string() == name).then_some(Key::Board(game, number))
            }
            Self::Users => escape::named(name).map(Key::User),
            Self::Correspondents => escape::named(name).map(Key::Correspondent),
        }
    }

    /// Whether a document is of this kind.
    pub fn has(self, key: &Key) -> bool {
        match (self, key) {
            (Self::Boards(game), Key::Board(of, _)) => *of == game,
            (Self::Users, Key::User(_)) | (Self::Correspondents, Key::Correspondent(_)) => true,
            _ => false,
        }
    }
}

impl Key {
    /// The document's file, below the home; none if no file can have such a name.
    pub fn file(&self) -> Option<String> {
        let boards = |game: &'static str| Listed::Boards(game).folder();
        match self {
            Self::Board(game, number) => {
                Some(format!("{}/{}/{number}.json", boards(game), number / 1000))
            }
            Self::Count(game) => Some(format!("{}/count", boards(game))),
            Self::Seeks(game) => Some(format!("{}/seeks.json", boards(game))),
            Self::User(id) => two_deep(USERS, id, 0),
            // Behind `at-` or `id-`.
            Self::Names(entry) => two_deep(NAMES, entry, 3),
            Self::Correspondent(digest) => two_deep(CORRESPONDENTS, digest, 0),
        }
    }
}

/// Whether the old texts of a document with that file are blanked on the disk: people who ask to be
/// erased, or get another password, leave nothing there.
pub fn is_private(file: &str) -> bool {
    let folder = file.split('/').next();
    folder.is_some_and(|folder| [USERS, CORRESPONDENTS, NAMES].contains(&folder))
}

/// `users/al/alice.json`: the folder is named by two letters, from that one on.
fn two_deep(folder: &str, text: &str, from: usize) -> Option<String> {
    let name = escape::name(text);
    let letters = escape::name(&text.chars().skip(from).take(2).collect::<String>());
    (name.len() <= LONGEST).then(|| format!("{folder}/{letters}/{name}.json"))
}

impl Display for Key {
    /// As the file below the home that an operator looks for.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.file().as_deref().unwrap_or("a name too long for a file"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_document_has_its_file() {
        let file = |key: Key| key.file().unwrap();
        assert_eq!(file(Key::User("alice".into())), "users/al/alice.json");
        assert_eq!(file(Key::User("é".into())), "users/%C3%A9/%C3%A9.json");
        assert_eq!(file(Key::Board("malaka", 4217)), "boards/malaka/4/4217.json");
        assert_eq!(file(Key::Correspondent("a1b2".into())), "mailboxes/a1/a1b2.json");
        assert_eq!(file(Key::Names("id-bob".into())), "names/bo/id-bob.json");
        assert_eq!(file(Key::Seeks("malaka")), "boards/malaka/seeks.json");
        assert_eq!(file(Key::Count("malaka")), "boards/malaka/count");
        assert_eq!(Key::User("x".repeat(300)).file(), None);
    }

    #[test]
    fn what_tells_of_people_is_private() {
        for key in
            [Key::User("a".into()), Key::Names("id-bob".into()), Key::Correspondent("a".into())]
        {
            assert!(is_private(&key.file().unwrap()), "{key}");
        }
        assert!(!is_private("boards/malaka/users/1.json") && !is_private("usersx"));
    }

    #[test]
    fn what_is_listed_is_found_by_its_file() {
        let board = Key::Board("malaka", 17);
        assert_eq!(Listed::Boards("malaka").named("17.json"), Some(board.clone()));
        assert_eq!(Listed::Boards("malaka").named("017.json"), None);
        assert_eq!(Listed::Boards("malaka").named("seeks.json"), None);
        assert_eq!(Listed::Users.named("al.json"), Some(Key::User("al".into())));
        assert_eq!(Listed::Users.named("al.ice.json"), None, "a point is escaped");
        assert!(Listed::Boards("malaka").has(&board) && !Listed::Boards("moloko").has(&board));
    }
}
