//! Reply tokens: they let a player answer a board mail by pressing Reply.
//!
//! A tag `bmalaka17m8-abcdefghijklmnop` names a board and the move that was next when it was
//! written. A `d` or `u` follows if its reader was offered a draw or an undo. Its second half is an
//! HMAC over the board and one of its players. It shows who writes and about which board, no more:
//! turn and move number are checked as for any command.
//!
//! It is good until its [`Generation`] ends: the player says `newtoken` on the board, changes their
//! password or drops an address.

use crate::base::ids::{BoardId, UserId};
use crate::base::time::Time;
use crate::mail::Address;
use crate::model::board::Proposal;
use crate::model::user::OptOut;
use data_encoding::BASE32_NOPAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// The home's secret.
#[derive(Clone)]
pub struct TokenKey([u8; 32]);

/// How often tags of a player were made void: tags of another generation than the present one fit
/// nobody.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Generation {
    /// All of the player's, on every board.
    pub user: u32,
    /// Those of one board.
    pub board: u32,
}

/// Letters of a token: 80 bits in base32.
const LETTERS: usize = 16;
/// Letters of what a browser shows: 160 bits.
const SESSION_LETTERS: usize = 32;

impl std::fmt::Debug for TokenKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("TokenKey")
    }
}

/// The letter for what was offered.
fn letter(what: Proposal) -> &'static str {
    &what.word()[..1]
}

/// The contents of a reply address or a Subject mark, not yet checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyTag {
    /// The board it names.
    pub board: BoardId,
    /// The number of the move that the mail with this tag asked for.
    pub moveno: Option<usize>,
    /// The offer to its reader there.
    pub offered: Option<Proposal>,
    token: String,
}

impl ReplyTag {
    /// The tag of a page that showed that board: no token, since anyone who reads it has signed in.
    pub fn shown(board: BoardId, moveno: Option<usize>, offered: Option<Proposal>) -> Self {
        Self { board, moveno, offered, token: String::new() }
    }

    /// Reads a tag, without or with its `#`.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim_start_matches('#').to_ascii_lowercase();
        let (name, token) = text.strip_prefix('b')?.split_once('-')?;
        let digits = name.find(|c: char| c.is_ascii_digit())?;
        let game = games::find(&name[..digits])?.spec().name;
        let (number, moveno, offered) = match name[digits..].split_once('m') {
            Some((number, moveno)) => {
                let bare = moveno.trim_end_matches(|sign: char| sign.is_ascii_alphabetic());
                let offered = match &moveno[bare.len()..] {
                    "" => None,
                    sign => Some(Proposal::ALL.into_iter().find(|what| letter(*what) == sign)?),
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

/// How the tag of an address begins that turns mails off. No tag of a board begins so.
const OPT_OUTS: [(&str, OptOut); 2] = [("or", OptOut::Reminders), ("ob", OptOut::Broadcasts)];

fn letters(what: OptOut) -> &'static str {
    let of = OPT_OUTS.into_iter().find(|(_, of)| *of == what);
    of.expect("every kind stands in the table").0
}

/// The contents of an address that turns mails off, not yet checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptOutTag {
    /// Which mails.
    pub what: OptOut,
    /// Whose.
    pub user: UserId,
    token: String,
}

impl OptOutTag {
    /// Reads a tag of [`TokenKey::opt_out_tag`].
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.to_ascii_lowercase();
        let (start, rest) = text.split_once('-')?;
        let what = OPT_OUTS.into_iter().find(|(letters, _)| *letters == start)?.1;
        let (user, token) = rest.rsplit_once('-')?;
        let user = UserId::parse(&user.replace('=', "."))?;
        let right = token.len() == LETTERS && token.bytes().all(|b| b.is_ascii_alphanumeric());
        right.then(|| Self { what, user, token: token.to_owned() })
    }
}

/// The contents of an address that answers words of another user, not yet checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordsTag {
    /// Whose address it is: the reader of the words.
    pub reader: UserId,
    /// Who wrote them.
    pub writer: UserId,
    token: String,
}

impl WordsTag {
    /// Reads a tag of [`TokenKey::words_tag`].
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim_start_matches('#').to_ascii_lowercase();
        let (length, rest) = text.strip_prefix('w')?.split_once('-')?;
        let (names, token) = rest.rsplit_once('-')?;
        let (reader, writer) = names.split_at_checked(length.parse().ok()?)?;
        let user = |name: &str| UserId::parse(&name.replace('=', "."));
        let right = token.len() == LETTERS && token.bytes().all(|b| b.is_ascii_alphanumeric());
        let (reader, writer) = (user(reader)?, user(writer)?);
        right.then(|| Self { reader, writer, token: token.to_owned() })
    }
}

impl TokenKey {
    /// A key of these bytes.
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The tag with which that player answers a mail about that board. The next move of the board
    /// has that number, and the tag shows what is offered to the player.
    pub fn tag(
        &self,
        board: BoardId,
        moveno: usize,
        offered: Option<Proposal>,
        user: &UserId,
        generation: Generation,
    ) -> String {
        let mac = self.mac(board, user, generation).finalize().into_bytes();
        let token = BASE32_NOPAD.encode(&mac[..LETTERS * 5 / 8]).to_ascii_lowercase();
        let letter = offered.map_or("", letter);
        format!("b{}{}m{moveno}{letter}-{token}", board.game, board.number)
    }

    /// Whether a tag was made for that player in that generation, compared in constant time.
    pub fn fits(&self, tag: &ReplyTag, user: &UserId, generation: Generation) -> bool {
        let token = BASE32_NOPAD.decode(tag.token.to_ascii_uppercase().as_bytes());
        token.is_ok_and(|token| {
            self.mac(tag.board, user, generation).verify_truncated_left(&token).is_ok()
        })
    }

    /// The id by which a mail that comes back tells its recipient: `alice-abcdefghijklmnop`, the
    /// userid with `=` for its dots, since a local part allows no two dots in a row.
    pub fn bounce_id(&self, user: &UserId, address: &Address) -> String {
        let mac = self.bounce_mac(user, address).finalize().into_bytes();
        let half = BASE32_NOPAD.encode(&mac[..LETTERS * 5 / 8]).to_ascii_lowercase();
        format!("{}-{half}", user.folded().replace('.', "="))
    }

    /// Whether such an id was made for that user's address, compared in constant time.
    pub fn is_bounce_of(&self, id: &str, user: &UserId, address: &Address) -> bool {
        let half = id.rsplit_once('-').map(|(_, half)| half.to_ascii_uppercase());
        let half = half.and_then(|half| BASE32_NOPAD.decode(half.as_bytes()).ok());
        half.filter(|half| half.len() == LETTERS * 5 / 8)
            .is_some_and(|half| self.bounce_mac(user, address).verify_truncated_left(&half).is_ok())
    }

    /// The tag of the address by which a user turns mails of a kind off:
    /// `or-alice-abcdefghijklmnop`. It becomes void with all reply addresses of the user, so that a
    /// thief of one cannot use it for ever.
    pub fn opt_out_tag(&self, what: OptOut, user: &UserId, generation: u32) -> String {
        let mac = self.opt_out_mac(what, user, generation).finalize().into_bytes();
        let half = BASE32_NOPAD.encode(&mac[..LETTERS * 5 / 8]).to_ascii_lowercase();
        format!("{}-{}-{half}", letters(what), user.folded().replace('.', "="))
    }

    /// Whether such a tag was made for its user in that generation, compared in constant time.
    pub fn fits_opt_out(&self, tag: &OptOutTag, generation: u32) -> bool {
        let half = BASE32_NOPAD.decode(tag.token.to_ascii_uppercase().as_bytes());
        half.is_ok_and(|half| {
            let mac = self.opt_out_mac(tag.what, &tag.user, generation);
            mac.verify_truncated_left(&half).is_ok()
        })
    }

    /// The tag with which a user answers words of another: `w5-alicebob-abcdefghijklmnop`, where 5
    /// is the length of `alice`. It becomes void with all reply addresses of the user.
    pub fn words_tag(&self, reader: &UserId, writer: &UserId, generation: u32) -> String {
        let mac = self.words_mac(reader, writer, generation).finalize().into_bytes();
        let token = BASE32_NOPAD.encode(&mac[..LETTERS * 5 / 8]).to_ascii_lowercase();
        let [reader, writer] = [reader, writer].map(|user| user.folded().replace('.', "="));
        format!("w{}-{reader}{writer}-{token}", reader.len())
    }

    /// Whether such a tag was made for its reader in that generation, compared in constant time.
    pub fn fits_words(&self, tag: &WordsTag, generation: u32) -> bool {
        let token = BASE32_NOPAD.decode(tag.token.to_ascii_uppercase().as_bytes());
        token.is_ok_and(|token| {
            let mac = self.words_mac(&tag.reader, &tag.writer, generation);
            mac.verify_truncated_left(&token).is_ok()
        })
    }

    /// By what a browser shows until then that a user has signed in there. It becomes void with the
    /// user's `generations`: of all reply addresses, and of all browsers.
    pub fn session(&self, user: &UserId, generations: [u32; 2], until: Time) -> String {
        let mac = self.session_mac(user, generations, until).finalize().into_bytes();
        BASE32_NOPAD.encode(&mac[..SESSION_LETTERS * 5 / 8]).to_ascii_lowercase()
    }

    /// Whether that was made for them, compared in constant time.
    pub fn is_session(
        &self,
        token: &str,
        user: &UserId,
        generations: [u32; 2],
        until: Time,
    ) -> bool {
        let token = BASE32_NOPAD.decode(token.to_ascii_uppercase().as_bytes());
        let token = token.ok().filter(|token| token.len() == SESSION_LETTERS * 5 / 8);
        let mac = self.session_mac(user, generations, until);
        token.is_some_and(|token| mac.verify_truncated_left(&token).is_ok())
    }

    /// The token in the forms of a page that was sent to a browser with that cookie.
    pub fn form_token(&self, cookie: &str) -> String {
        let mac = self.hmac(&format!("1 form {cookie}")).finalize().into_bytes();
        BASE32_NOPAD.encode(&mac[..SESSION_LETTERS * 5 / 8]).to_ascii_lowercase()
    }

    /// Whether a form has what that cookie's pages have, compared in constant time.
    pub fn is_form_token(&self, token: &str, cookie: &str) -> bool {
        let token = BASE32_NOPAD.decode(token.to_ascii_uppercase().as_bytes());
        let token = token.ok().filter(|token| token.len() == SESSION_LETTERS * 5 / 8);
        let mac = self.hmac(&format!("1 form {cookie}"));
        token.is_some_and(|token| mac.verify_truncated_left(&token).is_ok())
    }

    fn session_mac(
        &self,
        user: &UserId,
        [tokens, sessions]: [u32; 2],
        until: Time,
    ) -> Hmac<Sha256> {
        let (user, until) = (user.folded(), until.unix());
        self.hmac(&format!("1 session {user} {tokens} {sessions} {until}"))
    }

    fn opt_out_mac(&self, what: OptOut, user: &UserId, generation: u32) -> Hmac<Sha256> {
        self.hmac(&format!("1 opt-out {} {} {generation}", letters(what), user.folded()))
    }

    fn words_mac(&self, reader: &UserId, writer: &UserId, generation: u32) -> Hmac<Sha256> {
        self.hmac(&format!("1 words {} {} {generation}", reader.folded(), writer.folded()))
    }

    fn mac(&self, board: BoardId, user: &UserId, of: Generation) -> Hmac<Sha256> {
        let generation = match of {
            Generation { user: 0, board } => board.to_string(),
            Generation { user, board } => format!("{board}.{user}"),
        };
        let (game, number, user) = (board.game, board.number, user.folded());
        self.hmac(&format!("1 {game} {number} {user} {generation}"))
    }

    fn bounce_mac(&self, user: &UserId, address: &Address) -> Hmac<Sha256> {
        let address = address.as_str().to_ascii_lowercase();
        self.hmac(&format!("1 bounce {} {address}", user.folded()))
    }

    fn hmac(&self, text: &str) -> Hmac<Sha256> {
        let mut mac = Hmac::new_from_slice(&self.0).expect("HMAC takes keys of any length");
        mac.update(text.as_bytes());
        mac
    }
}

/// The user that an id of [`TokenKey::bounce_id`] would have been made for, if it looks like one.
pub fn bounced_user(id: &str) -> Option<UserId> {
    UserId::parse(&id.rsplit_once('-')?.0.replace('=', "."))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Generation = Generation { user: 0, board: 0 };

    #[test]
    fn a_tag_fits_its_own_player_and_board_only() {
        let key = TokenKey::new([7; 32]);
        let alice = UserId::parse("Alice").unwrap();
        let bob = UserId::parse("bob").unwrap();
        let board = BoardId { game: "malaka", number: 17 };
        let text = key.tag(board, 8, None, &alice, NOW);
        // A Subject and an address of any mail server take these signs.
        assert!(text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-'), "{text}");
        let tag = ReplyTag::parse(&text.to_uppercase()).unwrap();
        assert_eq!((tag.board, tag.moveno), (board, Some(8)));
        for what in Proposal::ALL {
            let tag = ReplyTag::parse(&key.tag(board, 8, Some(what), &alice, NOW)).unwrap();
            assert_eq!((tag.moveno, tag.offered), (Some(8), Some(what)));
            assert!(key.fits(&tag, &alice, NOW));
        }
        let without = ReplyTag::parse(&text.replace("17m8-", "17-")).unwrap();
        assert!(without.moveno.is_none() && key.fits(&without, &alice, NOW));
        assert!(key.fits(&tag, &UserId::parse("alice").unwrap(), NOW));
        assert!(!key.fits(&tag, &bob, NOW));
        assert!(!TokenKey::new([8; 32]).fits(&tag, &alice, NOW));
        let other = ReplyTag::parse(&text.replace("17m", "18m")).unwrap();
        assert!(!key.fits(&other, &alice, NOW));
    }

    #[test]
    fn a_tag_of_another_generation_fits_nobody() {
        let key = TokenKey::new([7; 32]);
        let alice = UserId::parse("alice").unwrap();
        let board = BoardId { game: "malaka", number: 17 };
        let all: Vec<Generation> =
            (0..12).flat_map(|user| (0..12).map(move |board| Generation { user, board })).collect();
        for made in &all {
            let tag = ReplyTag::parse(&key.tag(board, 8, None, &alice, *made)).unwrap();
            for now in &all {
                assert_eq!(key.fits(&tag, &alice, *now), made == now, "{made:?} {now:?}");
            }
        }
    }

    #[test]
    fn the_id_of_a_returned_mail_names_one_user_and_one_address() {
        let key = TokenKey::new([7; 32]);
        let address = |text: &str| Address::parse(text).unwrap();
        let (ann, other) = (address("Ann@host.org"), address("ann+x@host.org"));
        for name in ["alice", "Bob.the-3rd", "a..b.", &"x.".repeat(16)] {
            let user = UserId::parse(name).unwrap();
            let id = key.bounce_id(&user, &ann);
            let sender = Address::parse(&format!("bounces+{id}@games.example"));
            assert!(sender.is_some(), "{id}");
            assert_eq!(bounced_user(&id), Some(user.clone()));
            assert!(key.is_bounce_of(&id.to_uppercase(), &user, &address("ann@HOST.org")));
            assert!(!key.is_bounce_of(&id, &user, &other));
            assert!(!key.is_bounce_of(&id, &UserId::parse("carol").unwrap(), &ann));
            assert!(!TokenKey::new([8; 32]).is_bounce_of(&id, &user, &ann));
            assert!(!key.is_bounce_of(&id[..id.len() - 1], &user, &ann));
        }
        for odd in ["", "alice", "-abc", "al ice-abcdefghijklmnop"] {
            assert_eq!(bounced_user(odd), None, "{odd}");
        }
    }

    #[test]
    fn an_opt_out_tag_fits_one_user_and_one_kind_of_mail() {
        let key = TokenKey::new([7; 32]);
        for name in ["alice", "Bob.the-3rd", "a_b", &"x.".repeat(16)] {
            let user = UserId::parse(name).unwrap();
            let tags = OPT_OUTS.map(|(_, what)| (what, key.opt_out_tag(what, &user, 3)));
            for (what, text) in &tags {
                let tag = OptOutTag::parse(&text.to_uppercase()).unwrap();
                assert_eq!((tag.what, &tag.user), (*what, &user));
                assert!(key.fits_opt_out(&tag, 3) && !key.fits_opt_out(&tag, 4));
                assert!(!TokenKey::new([8; 32]).fits_opt_out(&tag, 3));
                assert_eq!(ReplyTag::parse(text), None);
                for (_, other) in tags.iter().filter(|(of, _)| of != what) {
                    let token = other.rsplit_once('-').unwrap().1.to_owned();
                    assert!(!key.fits_opt_out(&OptOutTag { token, ..tag.clone() }, 3));
                }
                let eve = UserId::parse("eve").unwrap();
                assert!(!key.fits_opt_out(&OptOutTag { user: eve, ..tag.clone() }, 3));
                let address = Address::parse("post@games.example").unwrap();
                assert!(address.with_tag(text).is_some(), "{text}");
            }
        }
        for odd in [
            "",
            "or-",
            "or-alice",
            "or-alice-abc",
            "ox-alice-abcdefghijklmnop",
            "or--abcdefghijklmnop",
        ] {
            assert_eq!(OptOutTag::parse(odd), None, "{odd}");
        }
    }

    #[test]
    fn a_tag_that_answers_words_fits_one_reader_and_one_writer() {
        let key = TokenKey::new([7; 32]);
        let user = |name: &str| UserId::parse(name).unwrap();
        for (reader, writer) in [("alice", "bob"), ("Bob.the-3rd", "a-b"), ("ab", "c"), ("a", "bc")]
        {
            let (reader, writer) = (user(reader), user(writer));
            let text = key.words_tag(&reader, &writer, 3);
            let tag = WordsTag::parse(&text.to_uppercase()).unwrap();
            assert_eq!((&tag.reader, &tag.writer), (&reader, &writer));
            assert!(key.fits_words(&tag, 3) && !key.fits_words(&tag, 4));
            assert!(!TokenKey::new([8; 32]).fits_words(&tag, 3));
            let swapped =
                WordsTag { reader: writer.clone(), writer: reader.clone(), ..tag.clone() };
            assert!(!key.fits_words(&swapped, 3));
            assert_eq!((ReplyTag::parse(&text), OptOutTag::parse(&text)), (None, None));
            assert!(Address::parse("post@games.example").unwrap().with_tag(&text).is_some());
        }
        for odd in ["", "w", "w9-alicebob-abcdefghijklmnop", "w5-alice-abcdefghijklmnop", "w1-é-a"]
        {
            assert_eq!(WordsTag::parse(odd), None, "{odd}");
        }
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
            assert_eq!(ReplyTag::parse(odd), None, "{odd}");
        }
    }
}
