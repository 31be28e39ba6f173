//! Values for the placeholders in a hint's examples, so that the reader can send them as they are.

use crate::base::ids::{BoardId, UserId};

/// The board and the sender of a refused command, as far as they are known.
#[derive(Clone, Debug, Default)]
pub struct ExampleValues {
    /// The board.
    pub board: Option<BoardId>,
    /// The sender; none where no password or reply address has identified them.
    pub user: Option<UserId>,
    /// The other player of the board.
    pub opponent: Option<UserId>,
}

impl ExampleValues {
    /// Replaces `<game>`, `<board>`, `<userid>` and `<opponent>` by the values that are known.
    pub(crate) fn fill_in(&self, text: &str) -> String {
        let name = |user: &Option<UserId>| user.as_ref().map(ToString::to_string);
        let known = [
            ("<game>", self.board.map(|board| board.game.to_owned())),
            ("<board>", self.board.map(|board| board.number.to_string())),
            ("<userid>", name(&self.user)),
            ("<opponent>", name(&self.opponent)),
        ];
        known.into_iter().fold(text.to_owned(), |text, (blank, word)| match word {
            Some(word) => text.replace(blank, &word),
            None => text,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values_replace_placeholders() {
        let board = Some(BoardId { game: "malaka", number: 7 });
        let text = "<game> move <board> <userid> <password> <move>, <opponent>";
        let values = ExampleValues { board, user: UserId::parse("rita"), opponent: None };
        assert_eq!(values.fill_in(text), "malaka move 7 rita <password> <move>, <opponent>");
        assert_eq!(ExampleValues::default().fill_in(text), text);
    }
}
