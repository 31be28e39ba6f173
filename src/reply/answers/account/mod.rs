//! Answers about accounts.

mod forgotten_password;
mod leaving;
mod messages;
mod preferences;
mod sign_in;
mod signup;
mod warnings;

pub use preferences::opted_out;
pub use sign_in::link_requested;
pub use signup::introduction;
pub use warnings::foreign_reply;

pub(crate) use leaving::opponents;
pub(crate) use signup::first_steps;

use crate::base::ids::{BoardId, UserId};
use crate::mail::Address;
use crate::model::code::OneTimeCode;
use crate::model::rate_limit::QuotaShare;
use crate::model::user::{OptOut, PreferenceChoice};
use crate::model::world::World;
use crate::reply::AnswerContext;
use crate::reply::letters::blocks::Block;
use crate::reply::letters::outgoing_mail::{OutgoingMail, Recipient};
use crate::reply::origin::Origin;
use games::Seat;

/// A change of an account, or an answer about it.
#[derive(Debug)]
pub enum AccountAnswer {
    /// A user joined.
    Joined {
        /// The user.
        user: UserId,
        /// The addresses not used yet.
        asked: Vec<PendingAddress>,
    },
    /// A user who had left is back.
    Returned {
        /// The user.
        user: UserId,
        /// Where mails went.
        was: Vec<Address>,
        /// The addresses not used yet.
        asked: Vec<PendingAddress>,
    },
    /// There is a new password.
    NewPassword(UserId),
    /// Mails go elsewhere, or will.
    NewAddresses {
        /// Whose.
        user: UserId,
        /// Where they went.
        was: Vec<Address>,
        /// Where they go.
        now: Vec<Address>,
        /// The addresses not used yet.
        asked: Vec<PendingAddress>,
    },
    /// An address is used from now on.
    Confirmed {
        /// Whose.
        user: UserId,
        /// Which.
        address: Address,
        /// Those that are used no more.
        replaced: Vec<Address>,
    },
    /// A user has forgotten the password; the user and the word, if it may be mailed.
    Forgot(Option<(UserId, OneTimeCode)>),
    /// A user has forgotten userid and password; the users at the address, each with a word.
    ForgotAt {
        /// The address.
        address: Address,
        /// The userids and their words; none where nobody is there, or words enough were mailed.
        words: Vec<(UserId, OneTimeCode)>,
    },
    /// A user wants to sign in with a browser.
    SignInLinks {
        /// The users, each with the code of a link.
        links: Vec<(UserId, OneTimeCode)>,
        /// Where the pages are that links lead to.
        site: String,
    },
    /// A user has signed in with a browser.
    SignedIn(UserId),
    /// A user is signed in with no browser any more.
    SignedOut(UserId),
    /// There is a key for a program of a user, which is shown where they asked for it.
    KeyMade {
        /// The user and the name of the key, if they are warned of it by a mail.
        warned: Option<(UserId, String)>,
    },
    /// A user gets no more mails of a kind.
    OptedOut(UserId, OptOut),
    /// A key is void.
    KeyRevoked,
    /// A new user must first show that they read their mails.
    ProveFirst {
        /// The user.
        user: UserId,
        /// How that is shown.
        asked: PendingAddress,
    },
    /// A user wants to leave.
    Leaving {
        /// The user.
        user: UserId,
        /// Whether what is stored must be erased.
        erased: bool,
        /// How many boards are in progress.
        boards: usize,
        /// The word that confirms it.
        word: OneTimeCode,
    },
    /// A user has left.
    Left {
        /// The user.
        user: UserId,
        /// Whether what was stored is erased.
        erased: bool,
        /// The boards resigned, with the seat there.
        boards: Vec<(BoardId, Seat)>,
        /// Where mails went.
        addresses: Vec<Address>,
    },
    /// What is stored about a user.
    Export {
        /// The user.
        user: UserId,
        /// All of it.
        text: String,
    },
    /// Words to some users.
    Message {
        /// Whose.
        from: UserId,
        /// The users who get them.
        to: Vec<UserId>,
        /// The words.
        said: String,
    },
    /// Words to all users who want them.
    Broadcast {
        /// Whose.
        from: UserId,
        /// The users who get them.
        to: Vec<UserId>,
        /// The words.
        said: String,
    },
    /// A user wants no words of another user, or wants them again.
    Mutes {
        /// The user.
        user: UserId,
        /// Whose words.
        other: UserId,
        /// Whether none.
        wanted: bool,
    },
    /// The users that a user has muted.
    Muted {
        /// The user.
        user: UserId,
        /// The muted users.
        muted: Vec<UserId>,
    },
    /// Something was chosen.
    Prefers(PreferenceChoice),
    /// A player wants no reminders and no broadcasts.
    Quiet(UserId),
    /// A user asks what they have chosen.
    Settings(UserId),
}

/// An address whose owner is asked whether mails may go there.
#[derive(Debug)]
pub struct PendingAddress {
    /// The address.
    pub address: Address,
    /// The word that its owner sends if they may.
    pub word: OneTimeCode,
}

impl AccountAnswer {
    /// The mails about it.
    pub(crate) fn mails(&self, at: &AnswerContext) -> Vec<OutgoingMail> {
        match self {
            Self::Joined { user, asked } => signup::joined(at.origin, user, asked),
            Self::Returned { user, was, asked } => signup::returned(at.origin, user, was, asked),
            Self::NewPassword(user) => new_password(at, user),
            Self::NewAddresses { user, was, now, asked } => {
                signup::addresses(at.origin, user, was, now, asked)
            }
            Self::Confirmed { user, address, replaced } => {
                signup::confirmed(at.origin, user, address, replaced)
            }
            Self::Forgot(word) => forgotten_password::password(at.world, word.as_ref()),
            Self::ForgotAt { address, words } => forgotten_password::userid(address, words),
            Self::SignInLinks { links, site } => sign_in::links(at.world, links, site),
            Self::SignedIn(user) => vec![sign_in::signed_in(user)],
            Self::SignedOut(user) => vec![sign_in::signed_out(user)],
            Self::KeyMade { warned } => {
                let warned = warned.iter().map(|(user, name)| warnings::new_key(user, name));
                [sign_in::key("There is a new key.")].into_iter().chain(warned).collect()
            }
            Self::OptedOut(user, what) => vec![opted_out(user, *what)],
            Self::KeyRevoked => vec![sign_in::key("That key does nothing any more.")],
            Self::ProveFirst { user, asked } => signup::prove_first(user, asked),
            Self::Leaving { user, erased, boards, word } => {
                leaving::asked(at.world, user, *erased, *boards, word)
            }
            Self::Left { user, erased, boards, addresses } => {
                let mut mails = leaving::left(at.origin, user, *erased, boards.len(), addresses);
                mails.extend(boards.iter().flat_map(|(board, seat)| {
                    opponents(at.world, Some(at.origin), *board, Some(*seat), *seat, at.now)
                }));
                mails
            }
            Self::Export { user, text } => exported(at, user, text),
            Self::Message { from, to, said } => messages::message(at.world, from, to, said),
            Self::Broadcast { from, to, said } => messages::broadcast(at.world, from, to, said),
            Self::Mutes { user, other, wanted } => vec![messages::mutes(user, other, *wanted)],
            Self::Muted { user, muted } => vec![messages::muted(user, muted)],
            Self::Prefers(preference) => vec![preferences::chosen(preference)],
            Self::Quiet(user) => vec![preferences::quiet(user)],
            Self::Settings(user) => vec![preferences::all(at, user)],
        }
    }
}

fn new_password(at: &AnswerContext, user: &UserId) -> Vec<OutgoingMail> {
    let blocks = vec![
        Block::sentence(format!("The password of {user} has been changed.")),
        Block::sentence(
            "If it was not you who did that, send `forgot <userid>`, choose another one, and tell \
             the operator.",
        ),
    ];
    let subject = format!("Password of {user}");
    // The user hears this at the registered addresses, no matter who did it, and so does the
    // sender.
    let mut mails = to_registered(at.world, user, &subject, &blocks);
    if !is_registered(at.world, at.origin, user) {
        mails.push(OutgoingMail::answer(subject, blocks));
    }
    mails
}

fn exported(at: &AnswerContext, user: &UserId, text: &str) -> Vec<OutgoingMail> {
    let subject = format!("The data stored about {user}");
    let page = vec![Block::Preformatted(text.to_owned())];
    let mut mails = vec![OutgoingMail::new(Recipient::User(user.clone()), &*subject, page)];
    if !is_registered(at.world, at.origin, user) {
        let sent = "It has been sent to your registered address.";
        mails.push(OutgoingMail::answer(subject, vec![Block::sentence(sent)]));
    }
    mails
}

/// Whether what the sender is told reaches the user's own address anyway.
fn is_registered(world: &World, origin: &Origin, user: &UserId) -> bool {
    let Some(sender) = origin.address() else { return false };
    world.kept(user).is_some_and(|user| user.addresses.contains(sender))
}

/// A mail to the user's addresses, even after they have left: then nothing else goes there.
fn to_registered(
    world: &World,
    user: &UserId,
    subject: &str,
    blocks: &[Block],
) -> Vec<OutgoingMail> {
    let mail = |to| OutgoingMail::new(to, subject, blocks.to_vec());
    match world.kept(user).filter(|user| user.left.is_some()) {
        // The owner of an account must hear it, however many mails they have got.
        None => {
            vec![OutgoingMail { share: QuotaShare::Account, ..mail(Recipient::User(user.clone())) }]
        }
        Some(gone) => gone.addresses.iter().cloned().map(Recipient::Address).map(mail).collect(),
    }
}
