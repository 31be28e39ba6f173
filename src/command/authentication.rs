//! Proofs of identity: passwords, reply addresses, sessions; and the removal of secrets from
//! comments.

use crate::base::ids::{BoardId, UserId};
use crate::base::password::{Hashing, composed};
use crate::command::Context;
use crate::command::moderation::check_sanction;
use crate::mail::redact_addresses;
use crate::model::moderation::SanctionKind;
use crate::model::topic::Topic;
use crate::model::user::User;
use crate::model::world::World;
use crate::refusal::{AccountRefusal, Refusal};

/// The proof that a command comes from the user whom it names.
#[derive(Clone, PartialEq, Eq)]
pub enum UserProof {
    /// A password, as typed.
    Password(String),
    /// A reply token of this user for this topic, already checked.
    Token(Topic, UserId),
    /// A session of this user, already checked.
    Session(UserId),
    /// The operator, who can read the home.
    Operator,
}

impl UserProof {
    /// Returns whether it proves this user, for a command about this board. A password must have been
    /// checked.
    fn is_of(&self, user: &UserId, board: Option<BoardId>) -> bool {
        match self {
            Self::Password(_) | Self::Operator => true,
            Self::Token(of, holder) => board.is_some() && of.board() == board && user == holder,
            Self::Session(holder) => user == holder,
        }
    }

    /// Returns the board of the reply address.
    pub(super) fn board(&self) -> Option<BoardId> {
        match self {
            Self::Token(topic, _) => topic.board(),
            Self::Password(_) | Self::Session(_) | Self::Operator => None,
        }
    }
}

impl std::fmt::Debug for UserProof {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Password(_) => "Password(..)",
            Self::Token(..) => "Token(..)",
            Self::Session(_) => "Session(..)",
            Self::Operator => "Operator",
        })
    }
}

impl Context<'_> {
    /// Notes the proved sender, and removes secrets from the comment.
    fn accept(
        &mut self,
        world: &World,
        known: Option<&User>,
        user: &UserId,
        proof: &UserProof,
        board: Option<BoardId>,
    ) {
        if let UserProof::Password(password) = proof {
            self.hold_back(password);
            self.password = Some(password.clone());
        }
        if let Some(known) = known.filter(|_| !self.comment.is_empty()) {
            self.remove_addresses(world, known, board);
            if !matches!(proof, UserProof::Password(_)) {
                self.hold_back_passwords(known);
            }
        }
        self.proved = Some(user.clone());
    }

    /// Removes the addresses of the players, the sender and the server from the comment.
    fn remove_addresses(&mut self, world: &World, user: &User, board: Option<BoardId>) {
        let players = board.and_then(|id| world.board(id).ok());
        let players = players.iter().flat_map(|board| &board.players);
        let users = players.filter_map(|player| world.user(player)).chain([user]);
        let mut addresses = vec![self.server_address.clone()];
        addresses.extend(self.origin.address().cloned());
        addresses.extend(users.flat_map(|user| user.addresses.iter().cloned()));
        self.comment = redact_addresses(&self.comment, &addresses);
    }

    /// Removes each line of the comment in which the user's password follows their userid or the
    /// word `password`.
    fn hold_back_passwords(&mut self, user: &User) {
        let mut words: Vec<String> = Vec::new();
        for word in self.comment.lines().flat_map(|line| candidates(line, &user.id)) {
            if !words.contains(&word) {
                words.push(word);
            }
        }
        for (at, word) in words.iter().enumerate() {
            // Words beyond the limit were not compared, so they are not passed on.
            if at >= MOST_CANDIDATES || self.hashing.verify(word, Some(&user.password)) {
                self.hold_back(word);
            }
        }
    }

    /// Removes each line of the comment that contains `password` as a word, in any Unicode form: a
    /// command that slipped below the Subject must not give the account away.
    fn hold_back(&mut self, password: &str) {
        fn bare(word: &str) -> &str {
            word.trim_matches(|c: char| c.is_ascii_punctuation())
        }
        let password = &*composed(password);
        let is = |word: &str| {
            word == password || (!bare(word).is_empty() && bare(word) == bare(password))
        };
        // `password:secret` and `alice/secret` consist of two words.
        let has = |word: &str| is(word) || word.split([':', '=', '/']).any(is);
        let shows = |line: &&str| composed(line).split_whitespace().any(has);
        if self.comment.lines().any(|line| shows(&line)) {
            let kept: Vec<&str> = self.comment.lines().filter(|line| !shows(line)).collect();
            kept.join("\n").trim().clone_into(&mut self.comment);
            self.held_back = true;
        }
    }
}

/// How many words of a comment are compared with a password hash; each costs as much as a sign-in.
const MOST_CANDIDATES: usize = 8;

/// How many words after a userid may be its password.
const MAX_WORDS_AFTER_USERID: usize = 3;

/// Returns the words of a line that may be the user's password: those after the userid or after the
/// word `password`, as typed and without surrounding punctuation.
fn candidates(line: &str, user: &UserId) -> Vec<String> {
    let bare = |word: &str| word.trim_matches(|c: char| c.is_ascii_punctuation()).to_owned();
    let leads = |word: &str| {
        let word = bare(word);
        UserId::parse(&word).is_some_and(|id| id == *user)
            || ["password", "passwort", "passwd"].iter().any(|lead| word.eq_ignore_ascii_case(lead))
    };
    let words: Vec<&str> = line.split_whitespace().collect();
    let mut found = Vec::new();
    for (at, first) in words.iter().enumerate() {
        let glued = first.split_once([':', '=', '/']).filter(|(lead, _)| leads(lead));
        if glued.is_none() && !leads(first) {
            continue;
        }
        let behind = words[at + 1..].iter().copied().take(MAX_WORDS_AFTER_USERID);
        for word in glued.map(|(_, word)| word).into_iter().chain(behind) {
            found.extend([word.to_owned(), bare(word)]);
        }
    }
    found.retain(|word| Hashing::accepts(word));
    found
}

/// Checks that a command comes from the user whom it names, and returns that user.
///
/// # Errors
/// The user is unknown or the password is wrong; both take the same time and get the same answer.
pub(super) fn authenticate<'w>(
    world: &'w World,
    user: &UserId,
    proof: &UserProof,
    board: Option<BoardId>,
    cx: &mut Context,
) -> Result<&'w User, Refusal> {
    let known = world.user(user);
    authenticate_as(world, known, user, proof, board, cx)?;
    known.ok_or_else(|| unknown_user(user))
}

/// Authenticates the sender, as [`authenticate`], of a command that may be sent as a reply about
/// any topic, such as a preference. All others take replies about their own board alone.
pub(super) fn authenticate_in_any_reply<'w>(
    world: &'w World,
    user: &UserId,
    proof: &UserProof,
    cx: &mut Context,
) -> Result<&'w User, Refusal> {
    match proof {
        UserProof::Token(topic, _) => authenticate_about(world, user, proof, topic, cx),
        _ => authenticate(world, user, proof, None, cx),
    }
}

/// Authenticates the sender, as [`authenticate`], of a command that may be sent as a reply about
/// its own topic.
pub(super) fn authenticate_about<'w>(
    world: &'w World,
    user: &UserId,
    proof: &UserProof,
    about: &Topic,
    cx: &mut Context,
) -> Result<&'w User, Refusal> {
    let UserProof::Token(topic, holder) = proof else {
        return authenticate(world, user, proof, None, cx);
    };
    if topic != about {
        return Err(AccountRefusal::WrongPassword.into());
    }
    let known = world.user(user).filter(|_| user == holder).ok_or(AccountRefusal::WrongPassword)?;
    cx.accept(world, Some(known), user, proof, topic.board());
    Ok(known)
}

/// Authenticates a user found by the caller, who may include users who have left.
pub(super) fn authenticate_as(
    world: &World,
    known: Option<&User>,
    user: &UserId,
    proof: &UserProof,
    board: Option<BoardId>,
    cx: &mut Context,
) -> Result<(), Refusal> {
    let proved = match proof {
        UserProof::Password(password) => {
            check_password(world, user, password, cx)?;
            known.is_some()
        }
        UserProof::Token(..) | UserProof::Session(_) => proof.is_of(user, board) && known.is_some(),
        UserProof::Operator => return known.map(drop).ok_or_else(|| unknown_user(user)),
    };
    if !proved {
        // Who has proved to be a banned user is told so.
        let banned = world.loaded_user(user).filter(|_| known.is_none());
        if let Some(banned) = banned.filter(|_| proof.is_of(user, board)) {
            check_sanction(banned, SanctionKind::Ban, cx)?;
        }
        return Err(AccountRefusal::WrongPassword.into());
    }
    cx.accept(world, known, user, proof, board);
    Ok(())
}

/// Checks a password, also of a user who has left, and records a wrong one for the counts.
///
/// # Errors
/// The password is wrong, the user is unknown, or passwords are paused after too many wrong ones.
pub(super) fn check_password(
    world: &World,
    user: &UserId,
    password: &str,
    cx: &mut Context,
) -> Result<(), Refusal> {
    let stored = world.any_user(user).map(|user| user.password.as_str());
    // A password that `multiple` repeats is neither hashed nor counted again.
    let right = if let Some(right) = cx.password_cache.find(user, password, stored) {
        right
    } else {
        let source = cx.origin.password_source(cx.limits.rate_limits.passwords);
        if let Some(until) = source.and_then(|source| world.password_pause(user, &source, cx.now)) {
            return Err(AccountRefusal::Paused { left: until - cx.now }.into());
        }
        let right = cx.hashing.verify(password, stored);
        cx.password_cache.record(user, password, stored, right);
        right
    };
    if right { Ok(()) } else { Err(AccountRefusal::WrongPassword.into()) }
}

/// Hashes a password with a new salt.
pub(super) fn hash_password(password: &str, cx: &mut Context) -> String {
    let mut salt = [0; 16];
    cx.chance.fill(&mut salt);
    cx.hashing.hash(password, salt)
}

/// Builds the refusal of a userid that does not exist.
pub(super) fn unknown_user(user: &UserId) -> Refusal {
    AccountRefusal::NoUser(user.clone()).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::chance::ScriptedRandom;
    use crate::base::password::PasswordCache;
    use crate::base::time::Time;
    use crate::command::{Origin, Trust};
    use crate::config::Limits;
    use crate::mail::Address;
    use crate::model::dice::DiceKeys;

    #[test]
    fn a_token_authenticates_its_holder_on_its_board_only() {
        let address = Address::parse("alice@example.org").unwrap();
        let [alice, bob] = ["alice", "bob"].map(|name| UserId::parse(name).unwrap());
        let known =
            |id: &UserId| User::new(id.clone(), String::new(), vec![address.clone()], Time::EPOCH);
        let (hashing, limits, origin) =
            (Hashing::quick(), Limits::default(), Origin::Mail(address.clone()));
        let board = |number| BoardId { game: "malaka", number };
        let passes_with =
            |topic: Topic, user: &UserId, holder: &UserId, on: Option<BoardId>, is_known: bool| {
                let mut cx = Context {
                    now: Time::EPOCH,
                    origin: &origin,
                    trust: &Trust::Untrusted,
                    comment: String::new(),
                    chance: &mut ScriptedRandom::nothing("nothing is thrown, nothing hashed anew"),
                    keys: &DiceKeys::new(&[7; 32], Vec::new()),
                    hashing: &hashing,
                    limits: &limits,
                    server_address: &address,
                    proved: None,
                    password: None,
                    held_back: false,
                    password_cache: &mut PasswordCache::default(),
                    program_moves: &mut 0,
                };
                let proof = UserProof::Token(topic, holder.clone());
                let known = is_known.then(|| known(user));
                let done =
                    authenticate_as(&World::default(), known.as_ref(), user, &proof, on, &mut cx);
                assert_eq!(cx.proved.as_ref(), done.is_ok().then_some(user));
                done.is_ok()
            };
        let passes = |user: &UserId, holder: &UserId, on: Option<BoardId>, is_known: bool| {
            passes_with(Topic::Board(board(1)), user, holder, on, is_known)
        };
        assert!(passes(&alice, &alice, Some(board(1)), true));
        assert!(!passes(&bob, &alice, Some(board(1)), true), "another user");
        assert!(!passes(&alice, &alice, Some(board(2)), true), "another board");
        assert!(!passes(&alice, &alice, None, true), "no board");
        assert!(!passes_with(Topic::Account, &alice, &alice, None, true), "another topic");
        assert!(!passes_with(Topic::Account, &alice, &alice, Some(board(1)), true));
        assert!(!passes(&alice, &alice, Some(board(1)), false), "nobody");
    }
}
