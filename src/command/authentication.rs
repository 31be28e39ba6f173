//! The sender of a command, and how they prove who they are.

use crate::base::ids::{BoardId, UserId};
use crate::base::password::{Hashing, composed};
use crate::command::Context;
use crate::mail::redact_addresses;
use crate::model::user::{User, UserEvent};
use crate::model::world::World;
use crate::model::world::event::Event;
use crate::refusal::{AccountRefusal, Refusal};

/// What proves that a command comes from the user it names.
#[derive(Clone, PartialEq, Eq)]
pub enum UserProof {
    /// A password, as typed.
    Password(String),
    /// A reply token of that player on that board, already checked.
    Token(BoardId, UserId),
    /// That user has signed in, which was checked already.
    Session(UserId),
    /// A person who can read the home says so.
    Operator,
}

impl UserProof {
    /// The board that a reply was about. Commands that anybody may send in a reply, whatever board
    /// its address names, check the proof there.
    pub(super) fn board(&self) -> Option<BoardId> {
        match self {
            Self::Token(board, _) => Some(*board),
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
    /// Takes the addresses of the players and of the server out of the comment.
    fn remove_addresses(&mut self, world: &World, user: &User, board: Option<BoardId>) {
        let players = board.and_then(|id| world.board(id).ok());
        let players = players.iter().flat_map(|board| &board.players);
        let users = players.filter_map(|player| world.user(player)).chain([user]);
        let mut addresses = vec![self.own.clone()];
        addresses.extend(self.origin.address().cloned());
        addresses.extend(users.flat_map(|user| user.addresses.iter().cloned()));
        self.comment = redact_addresses(&self.comment, &addresses);
    }

    /// Takes out of the comment each line in which the user's password follows their userid or the
    /// word `password`.
    fn hold_back_passwords(&mut self, user: &User) {
        let mut words: Vec<String> = Vec::new();
        for word in self.comment.lines().flat_map(|line| candidates(line, &user.id)) {
            if !words.contains(&word) {
                words.push(word);
            }
        }
        for (at, word) in words.iter().enumerate() {
            // Of many words, those that nobody compared are not passed on.
            if at >= MOST_CANDIDATES || self.hashing.verify(word, Some(&user.password)) {
                self.hold_back(word);
            }
        }
    }

    /// Takes each line out of the comment that has the password as a word, however its accents are
    /// typed: a command that slipped below the Subject must not hand the account over.
    fn hold_back(&mut self, password: &str) {
        fn bare(word: &str) -> &str {
            word.trim_matches(|c: char| c.is_ascii_punctuation())
        }
        let password = &*composed(password);
        let is = |word: &str| {
            word == password || (!bare(word).is_empty() && bare(word) == bare(password))
        };
        // `password:secret` and `alice/secret` are words of two parts.
        let has = |word: &str| is(word) || word.split([':', '=', '/']).any(is);
        let shows = |line: &&str| composed(line).split_whitespace().any(has);
        if self.comment.lines().any(|line| shows(&line)) {
            let kept: Vec<&str> = self.comment.lines().filter(|line| !shows(line)).collect();
            kept.join("\n").trim().clone_into(&mut self.comment);
            self.held_back = true;
        }
    }
}

/// How many words of a comment are compared with a password: each costs as much as signing in.
const MOST_CANDIDATES: usize = 8;

/// How many words behind a userid may be its password.
const BEHIND: usize = 3;

/// The words of a line that may be the password of that user: those behind the userid, or behind the
/// word `password`, as typed and without the punctuation around them.
fn candidates(line: &str, user: &UserId) -> Vec<String> {
    let bare = |word: &str| word.trim_matches(|c: char| c.is_ascii_punctuation()).to_owned();
    let leads = |word: &str| {
        let word = bare(word);
        UserId::parse(&word).is_some_and(|id| id == *user)
            || ["password", "passwort", "passwd"].iter().any(|it| word.eq_ignore_ascii_case(it))
    };
    let words: Vec<&str> = line.split_whitespace().collect();
    let mut found = Vec::new();
    for (at, first) in words.iter().enumerate() {
        let glued = first.split_once([':', '=', '/']).filter(|(lead, _)| leads(lead));
        if glued.is_none() && !leads(first) {
            continue;
        }
        let behind = words[at + 1..].iter().copied().take(BEHIND);
        for word in glued.map(|(_, word)| word).into_iter().chain(behind) {
            found.extend([word.to_owned(), bare(word)]);
        }
    }
    found.retain(|word| Hashing::accepts(word));
    found
}

/// Checks that a command comes from the user it names.
///
/// # Errors
/// Unknown user or wrong password; both take the same time and get the same answer.
pub(super) fn authenticate(
    world: &World,
    user: &UserId,
    proof: &UserProof,
    board: Option<BoardId>,
    cx: &mut Context,
) -> Result<(), Refusal> {
    authenticate_as(world, world.user(user), user, proof, board, cx)
}

/// The same for a user who may have left, where those may still say something.
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
        UserProof::Token(of, holder) => board == Some(*of) && user == holder && known.is_some(),
        UserProof::Session(holder) => user == holder && known.is_some(),
        UserProof::Operator => return known.map(drop).ok_or_else(|| unknown_user(user)),
    };
    if !proved {
        return Err(AccountRefusal::WrongPassword.into());
    }
    if let UserProof::Password(password) = proof {
        cx.hold_back(password);
        cx.password = Some(password.clone());
    }
    if let Some(known) = known.filter(|_| !cx.comment.is_empty()) {
        cx.remove_addresses(world, known, board);
        if !matches!(proof, UserProof::Password(_)) {
            cx.hold_back_passwords(known);
        }
    }
    cx.proved = Some(user.clone());
    Ok(())
}

/// Checks a password, also of a user who has left. A wrong one is noted, to be counted.
///
/// # Errors
/// It is wrong, there is no such user, or none is looked at for a while.
pub(super) fn check_password(
    world: &World,
    user: &UserId,
    password: &str,
    cx: &mut Context,
) -> Result<(), Refusal> {
    let stored = world.known(user).map(|user| user.password.as_str());
    // A password that `multiple` repeats is not hashed again, nor counted.
    let right = if let Some(right) = cx.tried.find(user, password, stored) {
        right
    } else {
        let source = cx.origin.password_source(cx.limits.rate_limits.passwords);
        if let Some(until) = source.and_then(|source| world.pause(user, &source, cx.now)) {
            return Err(AccountRefusal::Paused { left: until - cx.now }.into());
        }
        let right = cx.hashing.verify(password, stored);
        cx.tried.record(user, password, stored, right);
        right
    };
    if right { Ok(()) } else { Err(AccountRefusal::WrongPassword.into()) }
}

/// A password as it is stored.
pub(super) fn hash_password(password: &str, cx: &mut Context) -> String {
    let mut salt = [0; 16];
    cx.chance.fill(&mut salt);
    cx.hashing.hash(password, salt)
}

/// Counts what one user says to another today. Of some things they may say a few `more`.
///
/// # Errors
/// They have said enough to that user today.
pub(super) fn count_message(
    world: &World,
    user: &UserId,
    to: &UserId,
    more: usize,
    cx: &Context,
) -> Result<Vec<Event>, Refusal> {
    let most = cx.limits.rate_limits.words.saturating_add(more);
    let is_other = user != to && world.level(to).is_none();
    let Some(user) = world.user(user).filter(|_| is_other) else { return Ok(Vec::new()) };
    if user.has_spoken(to, cx.now) >= most {
        return Err(AccountRefusal::TooManyToUser { to: to.clone(), n: most }.into());
    }
    let change = UserEvent::Spoke { to: to.clone(), at: cx.now };
    Ok(vec![Event::User(user.id.clone(), change)])
}

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
    fn a_token_serves_its_holder_on_its_board_only() {
        let address = Address::parse("alice@example.org").unwrap();
        let [alice, bob] = ["alice", "bob"].map(|name| UserId::parse(name).unwrap());
        let known =
            |id: &UserId| User::new(id.clone(), String::new(), vec![address.clone()], Time::EPOCH);
        let (hashing, limits, origin) =
            (Hashing::quick(), Limits::default(), Origin::Mail(address.clone()));
        let board = |number| BoardId { game: "malaka", number };
        let passes = |user: &UserId, holder: &UserId, on: Option<BoardId>, is_known: bool| {
            let mut cx = Context {
                now: Time::EPOCH,
                origin: &origin,
                trust: &Trust::Words,
                comment: String::new(),
                chance: &mut ScriptedRandom::nothing("nothing is thrown, nothing hashed anew"),
                keys: &DiceKeys::new(&[7; 32], Vec::new()),
                hashing: &hashing,
                limits: &limits,
                own: &address,
                proved: None,
                password: None,
                held_back: false,
                tried: &mut PasswordCache::default(),
                program_moves: &mut 0,
            };
            let proof = UserProof::Token(board(1), holder.clone());
            let known = is_known.then(|| known(user));
            let done =
                authenticate_as(&World::default(), known.as_ref(), user, &proof, on, &mut cx);
            assert_eq!(cx.proved.as_ref(), done.is_ok().then_some(user));
            done.is_ok()
        };
        assert!(passes(&alice, &alice, Some(board(1)), true));
        assert!(!passes(&bob, &alice, Some(board(1)), true), "another user");
        assert!(!passes(&alice, &alice, Some(board(2)), true), "another board");
        assert!(!passes(&alice, &alice, None, true), "no board");
        assert!(!passes(&alice, &alice, Some(board(1)), false), "nobody");
    }
}
