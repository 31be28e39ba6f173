//! Tokens in reply addresses, links, cookies and forms: HMACs with the secret of the home.
//!
//! The tag of a reply address lets a player answer a board mail with Reply.
//! `bmalaka17m8-abcdefghijklmnop` names a board and the number of the next move; a letter after the
//! number names an offer to the reader, such as `d` for a draw. The second half is the token, over
//! the board and one of its players. The tag proves only the sender and the board: turn and move
//! number are checked as for any command.
//!
//! A tag is valid for one [`Generation`]. The generation ends when the player says `newtoken` on
//! the board, changes their password or drops an address.

use crate::base::ids::{BoardId, TournamentId, UserId};
use crate::base::time::Time;
use crate::base::web_push::PushKey;
use crate::mail::Address;
use crate::model::board::Proposal;
use crate::model::topic::Topic;
use crate::model::user::OptOut;
use data_encoding::BASE32_NOPAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// The secret of the home.
#[derive(Clone)]
pub struct TokenKey([u8; 32]);

/// The generation of a player's tags: how often they were voided. A tag is valid only in the
/// generation for which it was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Generation {
    /// Voided on all boards.
    pub user: u32,
    /// Voided on one board.
    pub board: u32,
}

/// Letters of a token: 80 bits in base32.
const LETTERS: usize = 16;
/// Letters of a session or form token: 160 bits in base32.
const SESSION_LETTERS: usize = 32;

impl std::fmt::Debug for TokenKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("TokenKey")
    }
}

/// Returns the letter for an offer.
fn letter(what: Proposal) -> &'static str {
    &what.word()[..1]
}

/// The contents of a reply address or Subject mark, with an unchecked token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyTag {
    /// The board.
    pub board: BoardId,
    /// The number of the next move when the mail was written.
    pub moveno: Option<usize>,
    /// The offer to the reader, if any.
    pub offered: Option<Proposal>,
    token: String,
}

impl ReplyTag {
    /// Builds the tag of a page. It has no token, since its reader is signed in.
    pub fn shown(board: BoardId, moveno: Option<usize>, offered: Option<Proposal>) -> Self {
        Self { board, moveno, offered, token: String::new() }
    }

    /// Parses a tag, with or without `#`.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim_start_matches('#').to_ascii_lowercase();
        let (name, token) = text.strip_prefix('b')?.split_once('-')?;
        let (game, numbers) = split_game(name)?;
        let (number, moveno, offered) = match numbers.split_once('m') {
            Some((number, moveno)) => {
                let bare = moveno.trim_end_matches(|sign: char| sign.is_ascii_alphabetic());
                let offered = match &moveno[bare.len()..] {
                    "" => None,
                    sign => Some(Proposal::ALL.into_iter().find(|what| letter(*what) == sign)?),
                };
                (number, Some(bare.parse().ok()?), offered)
            }
            None => (numbers, None, None),
        };
        let number = number.parse().ok()?;
        let board = BoardId { game, number };
        has_token_shape(token).then(|| Self { board, moveno, offered, token: token.to_owned() })
    }
}

/// The prefixes of opt-out tags. No tag of a board begins with them.
const OPT_OUTS: [(&str, OptOut); 5] = [
    ("or", OptOut::Reminders),
    ("ob", OptOut::Broadcasts),
    ("on", OptOut::Boards),
    ("oe", OptOut::Events),
    ("ow", OptOut::Newcomers),
];

fn letters(what: OptOut) -> &'static str {
    let of = OPT_OUTS.into_iter().find(|(_, of)| *of == what);
    of.expect("the table contains every kind").0
}

/// The contents of an opt-out address, with an unchecked token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptOutTag {
    /// The kind of mail.
    pub what: OptOut,
    /// The user.
    pub user: UserId,
    token: String,
}

impl OptOutTag {
    /// Parses a tag of [`TokenKey::opt_out_tag`].
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.to_ascii_lowercase();
        let (start, rest) = text.split_once('-')?;
        let what = OPT_OUTS.into_iter().find(|(letters, _)| *letters == start)?.1;
        let (user, token) = rest.rsplit_once('-')?;
        let user = UserId::parse(&user.replace('=', "."))?;
        has_token_shape(token).then(|| Self { what, user, token: token.to_owned() })
    }
}

/// The contents of a reply address about any topic, with an unchecked token. Players answer mails about
/// their board by a [`ReplyTag`] instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopicTag {
    /// The topic.
    pub topic: Topic,
    /// The user who got the mail and may answer it.
    pub reader: UserId,
    token: String,
}

impl TopicTag {
    /// Parses a tag of [`TokenKey::topic_tag`].
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim_start_matches('#').to_ascii_lowercase();
        let (start, rest) = text.split_once('-')?;
        let (names, token) = rest.rsplit_once('-')?;
        let user = |name: &str| UserId::parse(&name.replace('=', "."));
        let (topic, reader) = match start.split_at_checked(1)? {
            ("w", length) => {
                let (reader, writer) = names.split_at_checked(length.parse().ok()?)?;
                (Topic::Conversation(user(writer)?), user(reader)?)
            }
            ("a", "") => (Topic::Account, user(names)?),
            ("d", number) => (Topic::Digest(number.parse().ok()?), user(names)?),
            ("g", name) => (Topic::Game(games::find(name)?.spec().name), user(names)?),
            ("l", name) => (Topic::Ladder(games::find(name)?.spec().name), user(names)?),
            ("t", name) => {
                let BoardId { game, number } = parse_numbered(name)?;
                (Topic::Tournament(TournamentId { game, number }), user(names)?)
            }
            ("v", name) => (Topic::Board(parse_numbered(name)?), user(names)?),
            _ => return None,
        };
        has_token_shape(token).then(|| Self { topic, reader, token: token.to_owned() })
    }
}

/// Parses the name of a game and a number: `malaka17`.
fn parse_numbered(name: &str) -> Option<BoardId> {
    let (game, number) = split_game(name)?;
    Some(BoardId { game, number: number.parse().ok()? })
}

/// Splits the name of a game from the number behind it. The name may end in a digit itself: no name is
/// another one followed by digits.
fn split_game(name: &str) -> Option<(&'static str, &str)> {
    let numbered = |game: &'static str| Some((game, name.strip_prefix(game)?));
    let has_number = |(_, rest): &(&str, &str)| rest.starts_with(|c: char| c.is_ascii_digit());
    games::names().filter_map(numbered).find(has_number)
}

/// The generations on which a user's sessions depend: a session ends when either of them grows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SessionGenerations {
    /// The generation of the user's reply addresses.
    pub tokens: u32,
    /// The generation of the user's sessions.
    pub sessions: u32,
}

impl TokenKey {
    /// Builds a key from its bytes.
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Returns the tag of a player's reply address for a board. `moveno` is the next move,
    /// `offered` the offer to the player.
    pub fn tag(
        &self,
        board: BoardId,
        moveno: usize,
        offered: Option<Proposal>,
        user: &UserId,
        generation: Generation,
    ) -> String {
        let token = encode(self.mac(board, user, generation), LETTERS);
        let letter = offered.map_or("", letter);
        format!("b{}{}m{moveno}{letter}-{token}", board.game, board.number)
    }

    /// Returns whether the tag was made for this player and generation. Compares in constant time.
    pub fn fits(&self, tag: &ReplyTag, user: &UserId, generation: Generation) -> bool {
        is_token(self.mac(tag.board, user, generation), &tag.token, LETTERS)
    }

    /// Returns the id of a recipient in a bounce address: `alice-abcdefghijklmnop`. Dots of the
    /// userid become `=`, since a local part may not contain two dots in a row.
    pub fn bounce_id(&self, user: &UserId, address: &Address) -> String {
        let token = encode(self.bounce_mac(user, address), LETTERS);
        format!("{}-{token}", user.folded().replace('.', "="))
    }

    /// Returns whether a bounce id was made for this user and address. Compares in constant time.
    pub fn is_bounce_of(&self, id: &str, user: &UserId, address: &Address) -> bool {
        let token = id.rsplit_once('-').map(|(_, token)| token);
        token.is_some_and(|token| is_token(self.bounce_mac(user, address), token, LETTERS))
    }

    /// Returns the tag of a user's opt-out address for a kind of mail: `or-alice-abcdefghijklmnop`.
    /// It is voided together with all reply addresses of the user, so that a stolen one does not
    /// work forever.
    pub fn opt_out_tag(&self, what: OptOut, user: &UserId, generation: u32) -> String {
        let token = encode(self.opt_out_mac(what, user, generation), LETTERS);
        format!("{}-{}-{token}", letters(what), user.folded().replace('.', "="))
    }

    /// Returns whether an opt-out tag was made for its user and this generation. Compares in
    /// constant time.
    pub fn fits_opt_out(&self, tag: &OptOutTag, generation: u32) -> bool {
        is_token(self.opt_out_mac(tag.what, &tag.user, generation), &tag.token, LETTERS)
    }

    /// Returns the tag with which a user answers mails about a topic: `a-alice-abcdefghijklmnop` for
    /// their account, `w5-alicebob-abcdefghijklmnop` for the messages of bob, where 5 is the length of
    /// `alice`, and `tmalaka3-alice-abcdefghijklmnop` for a tournament. It is voided together with all
    /// reply addresses of the user. For a board it is the tag of a reader who does not answer as a
    /// player; players have [other tags](Self::tag).
    pub fn topic_tag(&self, topic: &Topic, reader: &UserId, generation: u32) -> String {
        let token = encode(self.topic_mac(topic, reader, generation), LETTERS);
        let name = |user: &UserId| user.folded().replace('.', "=");
        let reader_name = name(reader);
        match topic {
            Topic::Conversation(writer) => {
                format!("w{}-{reader_name}{}-{token}", reader_name.len(), name(writer))
            }
            Topic::Account => format!("a-{reader_name}-{token}"),
            Topic::Digest(number) => format!("d{number}-{reader_name}-{token}"),
            Topic::Game(game) => format!("g{game}-{reader_name}-{token}"),
            Topic::Ladder(game) => format!("l{game}-{reader_name}-{token}"),
            Topic::Tournament(id) => format!("t{}{}-{reader_name}-{token}", id.game, id.number),
            Topic::Board(id) => format!("v{}{}-{reader_name}-{token}", id.game, id.number),
        }
    }

    /// Returns whether a tag was made for its topic, its reader and this generation. Compares in
    /// constant time.
    pub fn fits_topic(&self, tag: &TopicTag, generation: u32) -> bool {
        is_token(self.topic_mac(&tag.topic, &tag.reader, generation), &tag.token, LETTERS)
    }

    /// Returns a session token, valid until `until`. It is voided with the user's `generations`.
    pub fn session(&self, user: &UserId, generations: SessionGenerations, until: Time) -> String {
        encode(self.session_mac(user, generations, until), SESSION_LETTERS)
    }

    /// Returns whether a session token was made for these arguments. Compares in constant time.
    pub fn is_session(
        &self,
        token: &str,
        user: &UserId,
        generations: SessionGenerations,
        until: Time,
    ) -> bool {
        is_token(self.session_mac(user, generations, until), token, SESSION_LETTERS)
    }

    /// Returns the token for the forms of pages sent to a browser with this cookie.
    pub fn form_token(&self, cookie: &str) -> String {
        encode(self.hmac(&format!("1 form {cookie}")), SESSION_LETTERS)
    }

    /// Returns whether a form token was made for this cookie. Compares in constant time.
    pub fn is_form_token(&self, token: &str, cookie: &str) -> bool {
        is_token(self.hmac(&format!("1 form {cookie}")), token, SESSION_LETTERS)
    }

    /// Returns the token that opens the page of setup, which was made from random bytes.
    pub fn setup_token(&self, nonce: &str) -> String {
        encode(self.hmac(&format!("1 setup {nonce}")), SESSION_LETTERS)
    }

    /// Returns whether a token of the page of setup was made from these bytes. Compares in constant time.
    pub fn is_setup_token(&self, token: &str, nonce: &str) -> bool {
        is_token(self.hmac(&format!("1 setup {nonce}")), token, SESSION_LETTERS)
    }

    /// Derives the key by which push services know this home.
    pub fn push_key(&self) -> PushKey {
        PushKey::derive(|count| {
            self.hmac(&format!("1 push {count}")).finalize().into_bytes().into()
        })
    }

    fn session_mac(
        &self,
        user: &UserId,
        generations: SessionGenerations,
        until: Time,
    ) -> Hmac<Sha256> {
        let (user, until) = (user.folded(), until.unix());
        let SessionGenerations { tokens, sessions } = generations;
        self.hmac(&format!("1 session {user} {tokens} {sessions} {until}"))
    }

    fn opt_out_mac(&self, what: OptOut, user: &UserId, generation: u32) -> Hmac<Sha256> {
        self.hmac(&format!("1 opt-out {} {} {generation}", letters(what), user.folded()))
    }

    fn topic_mac(&self, topic: &Topic, reader: &UserId, generation: u32) -> Hmac<Sha256> {
        let reader = reader.folded();
        self.hmac(&match topic {
            Topic::Conversation(writer) => {
                format!("1 words {reader} {} {generation}", writer.folded())
            }
            Topic::Account => format!("1 account {reader} {generation}"),
            Topic::Digest(number) => format!("1 digest {number} {reader} {generation}"),
            Topic::Game(game) => format!("1 game {game} {reader} {generation}"),
            Topic::Ladder(game) => format!("1 ladder {game} {reader} {generation}"),
            Topic::Tournament(id) => {
                format!("1 tournament {} {} {reader} {generation}", id.game, id.number)
            }
            Topic::Board(id) => format!("1 view {} {} {reader} {generation}", id.game, id.number),
        })
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

/// Returns whether a text has the shape of the token of a tag.
fn has_token_shape(token: &str) -> bool {
    token.len() == LETTERS && token.bytes().all(|b| b.is_ascii_alphanumeric())
}

/// Returns the first `letters` letters of a MAC in base32.
fn encode(mac: Hmac<Sha256>, letters: usize) -> String {
    BASE32_NOPAD.encode(&mac.finalize().into_bytes()[..letters * 5 / 8]).to_ascii_lowercase()
}

/// Returns whether `token` is the first `letters` letters of a MAC. Compares in constant time.
fn is_token(mac: Hmac<Sha256>, token: &str, letters: usize) -> bool {
    let token = BASE32_NOPAD.decode(token.to_ascii_uppercase().as_bytes());
    let token = token.ok().filter(|token| token.len() == letters * 5 / 8);
    token.is_some_and(|token| mac.verify_truncated_left(&token).is_ok())
}

/// Returns the user in a bounce id of [`TokenKey::bounce_id`], if it has that shape.
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
        // Any mail server accepts these characters in Subjects and addresses.
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
    fn a_tag_of_a_topic_fits_one_reader_and_topic() {
        let key = TokenKey::new([7; 32]);
        let user = |name: &str| UserId::parse(name).unwrap();
        let conversation = |name: &str| Topic::Conversation(user(name));
        let board = |number| BoardId { game: "malaka", number };
        let tournament = |number| Topic::Tournament(TournamentId { game: "malaka", number });
        let topics = [
            conversation("bob"),
            conversation("a-b"),
            Topic::Account,
            Topic::Digest(3),
            Topic::Digest(33),
            Topic::Game("malaka"),
            Topic::Ladder("malaka"),
            Topic::Ladder("moloko"),
            Topic::Game("moloko"),
            tournament(1),
            tournament(11),
            Topic::Board(board(1)),
            Topic::Board(board(11)),
        ];
        for topic in &topics {
            for reader in ["alice", "Bob.the-3rd", "ab"].map(user) {
                let text = key.topic_tag(topic, &reader, 3);
                let tag = TopicTag::parse(&text.to_uppercase()).unwrap();
                assert_eq!((&tag.topic, &tag.reader), (topic, &reader), "{text}");
                assert!(key.fits_topic(&tag, 3) && !key.fits_topic(&tag, 4));
                assert!(!TokenKey::new([8; 32]).fits_topic(&tag, 3));
                let other_reader = TopicTag { reader: user("eve"), ..tag.clone() };
                assert!(!key.fits_topic(&other_reader, 3));
                for other in topics.iter().filter(|other| *other != topic) {
                    assert!(!key.fits_topic(&TopicTag { topic: other.clone(), ..tag.clone() }, 3));
                }
                assert_eq!((ReplyTag::parse(&text), OptOutTag::parse(&text)), (None, None));
                let address = Address::parse("post@games.example").unwrap().with_tag(&text);
                assert!(address.is_some(), "{text}");
            }
        }
        // Two names next to each other are not mistaken for two others.
        let [ab, a] = ["ab", "a"].map(user);
        let token = |reader, writer| key.topic_tag(&conversation(writer), reader, 3);
        assert_ne!(token(&ab, "c"), token(&a, "bc"));
        for odd in [
            "",
            "w",
            "w9-alicebob-abcdefghijklmnop",
            "w5-alice-abcdefghijklmnop",
            "w1-é-a",
            "a-alice-abc",
            "a1-alice-abcdefghijklmnop",
            "kseeks-alice-abcdefghijklmnop",
            "kseeks=ludo-alice-abcdefghijklmnop",
            "kboards=1-alice-abcdefghijklmnop",
        ] {
            assert_eq!(TopicTag::parse(odd), None, "{odd}");
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
            "bludo1-abcdefghijklmnop",
            "bmalaka99999999999-abcdefghijklmnop",
            "bmalaka17-abcdefghijklmno/",
        ] {
            assert_eq!(ReplyTag::parse(odd), None, "{odd}");
        }
    }
}
