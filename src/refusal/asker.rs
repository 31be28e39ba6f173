//! The reader of a refusal, so that its examples are theirs.

use crate::base::ids::{BoardId, UserId};

/// The sender of a command that is refused, as far as they have shown it, and its board.
#[derive(Clone, Debug, Default)]
pub struct Asker {
    /// The board.
    pub board: Option<BoardId>,
    /// The user who asks; none where a password or a reply address has not shown it.
    pub user: Option<UserId>,
    /// The other player of the board.
    pub opponent: Option<UserId>,
}

impl Asker {
    /// An example with what is known in place of `<game>`, `<board>`, `<userid>` and `<opponent>`.
    pub(crate) fn example(&self, text: &str) -> String {
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
    fn what_is_known_stands_in_an_example() {
        let board = Some(BoardId { game: "malaka", number: 7 });
        let text = "<game> move <board> <userid> <password> <move>, <opponent>";
        let asker = Asker { board, user: UserId::parse("rita"), opponent: None };
        assert_eq!(asker.example(text), "malaka move 7 rita <password> <move>, <opponent>");
        assert_eq!(Asker::default().example(text), text);
    }
}
