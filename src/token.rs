//! Reply tokens: what lets a player answer a board mail by pressing Reply.
//!
//! A tag `bmalaka17m8-abcdefghijklmnop` names a board and the move that was next when it was
//! written, behind that `d` or `u` if its reader was offered a draw or an undo; its second half is an HMAC over the board and one of its players. It shows who writes
//! and about which board, no more: turn and move number are checked as for any command.

use crate::board::Proposal;
use crate::ids::{BoardId, UserId};
use data_encoding::BASE32_NOPAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// The home's secret.
#[derive(Clone)]
pub struct TokenKey([u8; 32]);

/// Letters of a token: 80 bits in base32.
const LETTERS: usize = 16;

/// The letters for what was offered.
const OFFERS: [(&str, Proposal); 2] = [("d", Proposal::Draw), ("u", Proposal::Undo)];

impl std::fmt::Debug for TokenKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("TokenKey")
    }
}

/// What a reply address or a Subject mark says, not yet checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// The board it names.
    pub board: BoardId,
    /// The number of the move that the mail with this tag asked for.
    pub moveno: Option<usize>,
    /// What its reader was offered there.
    pub offered: Option<Proposal>,
    token: String,
}

impl Tag {
    /// Reads a tag, without or with its `#`.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim_start_matches('#').to_ascii_lowercase();
        let (name, token) = text.strip_prefix('b')?.split_once('-')?;
        let digits = name.find(|c: char| c.is_ascii_digit())?;
        let game = games::find(&name[..digits])?.spec().name;
        let (number, moveno, offered) = match name[digits..].split_once('m') {
            Some((number, moveno)) => {
                let bare = moveno.trim_end_matches(['d', 'u']);
                let offered = match &moveno[bare.len()..] {
                    "" => None,
                    letter => Some(OFFERS.into_iter().find(|(of, _)| *of == letter)?.1),
                };
                (number, Some(bare.parse().ok()?), offered)
            }
            None => (&name[digits..], None, None),
        };
        let number = number.parse().ok()?;
        let right = token.len() == LETTERS && token.bytes().all(|b| b.is_ascii_alphanumeric());
        let board = BoardId { game, number };
        right.then(|| Self { board, moveno, offered, token: token.to_owned() })
    }
}

impl TokenKey {
    /// A key of these bytes.
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The tag with which that player answers a mail about that board, whose next move has that
    /// number and shows what is offered to him.
    pub fn tag(
        &self,
        board: BoardId,
        moveno: usize,
        offered: Option<Proposal>,
        user: &UserId,
    ) -> String {
        let mac = self.mac(board, user).finalize().into_bytes();
        let token = BASE32_NOPAD.encode(&mac[..LETTERS * 5 / 8]).to_ascii_lowercase();
        let letter = OFFERS.into_iter().find(|(_, of)| Some(*of) == offered);
        let letter = letter.map_or("", |(letter, _)| letter);
        format!("b{}{}m{moveno}{letter}-{token}", board.game, board.number)
    }

    /// Whether a tag was made for that player, compared in constant time.
    pub fn fits(&self, tag: &Tag, user: &UserId) -> bool {
        let token = BASE32_NOPAD.decode(tag.token.to_ascii_uppercase().as_bytes());
        token.is_ok_and(|token| self.mac(tag.board, user).verify_truncated_left(&token).is_ok())
    }

    fn mac(&self, board: BoardId, user: &UserId) -> Hmac<Sha256> {
        let mut mac = Hmac::new_from_slice(&self.0).expect("HMAC takes keys of any length");
        // Version, and a generation that makes older tokens void when it grows.
        mac.update(format!("1 {} {} {} 0", board.game, board.number, user.folded()).as_bytes());
        mac
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_fits_its_own_player_and_board_only() {
        let key = TokenKey::new([7; 32]);
        let alice = UserId::parse("Alice").unwrap();
        let bob = UserId::parse("bob").unwrap();
        let board = BoardId { game: "malaka", number: 17 };
        let text = key.tag(board, 8, None, &alice);
        // A Subject and an address of any mail server take these signs.
        assert!(text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-'), "{text}");
        let tag = Tag::parse(&text.to_uppercase()).unwrap();
        assert_eq!((tag.board, tag.moveno), (board, Some(8)));
        for (_, what) in OFFERS {
            let tag = Tag::parse(&key.tag(board, 8, Some(what), &alice)).unwrap();
            assert_eq!((tag.moveno, tag.offered), (Some(8), Some(what)));
            assert!(key.fits(&tag, &alice));
        }
        let without = Tag::parse(&text.replace("17m8-", "17-")).unwrap();
        assert!(without.moveno.is_none() && key.fits(&without, &alice));
        assert!(key.fits(&tag, &UserId::parse("alice").unwrap()));
        assert!(!key.fits(&tag, &bob));
        assert!(!TokenKey::new([8; 32]).fits(&tag, &alice));
        let other = Tag::parse(&text.replace("17m", "18m")).unwrap();
        assert!(!key.fits(&other, &alice));
    }

    #[test]
    fn odd_tags_are_no_tags() {
        for odd in [
            "",
            "b",
            "bmalaka-",
            "bmalaka17-abc",
            "bmalaka17m-abcdefghijklmnop",
            "bmalaka17mx-abcdefghijklmnop",
            "bmalaka17md-abcdefghijklmnop",
            "bmalaka17m8du-abcdefghijklmnop",
            "bmalaka17m8x-abcdefghijklmnop",
            "bmalaka17m99999999999999999999-abcdefghijklmnop",
            "bchess1-abcdefghijklmnop",
            "bmalaka99999999999-abcdefghijklmnop",
            "bmalaka17-abcdefghijklmno/",
        ] {
            assert_eq!(Tag::parse(odd), None, "{odd}");
        }
    }
}
