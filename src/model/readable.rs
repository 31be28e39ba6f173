//! Whether a text is a document that its readers understand.

use crate::base::key::Key;
use crate::model::board::Board;
use crate::model::correspondent::Correspondent;
use crate::model::names::Names;
use crate::model::seeks::Seeks;
use crate::model::user::User;

/// Whether the file of that name, below the home, may hold that text.
pub fn is_readable(file: &str, text: &str) -> bool {
    let named = |key: &Key| key.file().as_deref() == Some(file);
    if file.starts_with("users/") {
        User::read(text).is_ok_and(|user| named(&Key::User(user.id.folded())))
    } else if file.starts_with("mailboxes/") {
        Correspondent::read(text).is_ok()
    } else if file.starts_with("names/") {
        Names::read(text).is_ok()
    } else if file.ends_with("/seeks.json") {
        Seeks::read(text).is_ok_and(|seeks| named(&Key::Seeks(seeks.game)))
    } else if file.ends_with("/count") {
        text.trim().parse::<u32>().is_ok()
    } else {
        Board::read(text).is_ok_and(|board| named(&Key::Board(board.id.game, board.id.number)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_open_in_a_game_is_known_for_a_document() {
        let text = Seeks::new("malaka").write();
        assert!(is_readable("boards/malaka/seeks.json", &text));
        assert!(!is_readable("boards/moloko/seeks.json", &text));
        assert!(!is_readable("boards/malaka/seeks.json", "{}"));
    }
}
