//! Answers about accounts: signing up and addresses, signing in, forgotten passwords, preferences,
//! messages, leaving, and warnings.

mod administration;
mod announcements;
mod forgotten_password;
mod leaving;
mod marks;
mod messages;
mod newcomers;
mod preferences;
mod sign_in;
mod signup;
mod warnings;

pub use announcements::block as announcements;
pub use preferences::opted_out;
pub use sign_in::link_requested;
pub use signup::introduction;
pub use warnings::foreign_reply;

pub(crate) use leaving::opponents;
pub(crate) use signup::first_steps;

use crate::base::ids::{BoardId, UserId};
use crate::base::time::Day;
use crate::mail::Address;
use crate::model::one_time_code::OneTimeCode;
use crate::model::rate_limit::QuotaShare;
use crate::model::user::{Mark, OptOut, PreferenceChoice};
use crate::model::welcomers::OfferedPlayer;
use crate::model::world::World;
use crate::reply::AnswerContext;
use crate::reply::letters::{Block, OutgoingMail, Recipient};
use crate::reply::origin::Origin;
use games::Seat;

/// An answer about an account.
#[derive(Debug)]
#[allow(missing_docs, reason = "a field is named after its value")]
pub enum AccountAnswer {
    /// A user joined.
    Joined { user: UserId, pending: Vec<PendingAddress>, welcomers: Vec<OfferedPlayer> },
    /// Players are told of newcomers whom they welcome.
    Newcomers(Vec<(OfferedPlayer, UserId)>),
    /// A user who had left came back.
    Returned { user: UserId, old: Vec<Address>, pending: Vec<PendingAddress> },
    /// The password was changed.
    NewPassword(UserId),
    /// The addresses were changed, or will be once they are confirmed.
    NewAddresses {
        user: UserId,
        old: Vec<Address>,
        new: Vec<Address>,
        pending: Vec<PendingAddress>,
    },
    /// An address was confirmed.
    Confirmed {
        user: UserId,
        address: Address,
        /// The addresses that it replaces.
        replaced: Vec<Address>,
    },
    /// A user forgot the password; the user and the code, if one may be mailed.
    Forgot(Option<(UserId, OneTimeCode)>),
    /// A user forgot userid and password.
    ForgotAt {
        address: Address,
        /// The users with this address, each with a code; empty if there are none or the limit is reached.
        codes: Vec<(UserId, OneTimeCode)>,
    },
    /// A user wants to sign in with a browser.
    SignInLinks {
        /// The users, each with the code of a link.
        links: Vec<(UserId, OneTimeCode)>,
        /// The address of this server's pages.
        site: String,
    },
    /// An administrator wants to enter the administrators' pages, or to do something there that cannot be
    /// undone.
    AdministratorCode {
        user: UserId,
        code: OneTimeCode,
        /// What they want to do; none if they want to enter the pages.
        act: Option<String>,
        /// The address of this server's pages, if the mail has a link.
        site: Option<String>,
    },
    /// An administrator did this.
    Administered(String),
    /// A user has signed in with a browser.
    SignedIn(UserId),
    /// A user was signed out of all browsers.
    SignedOut(UserId),
    /// A program key was made. The page that made it shows it.
    KeyMade {
        /// The user and the name of the key, if a mail warns them.
        warned: Option<(UserId, String)>,
    },
    /// A user turned off mails of one kind.
    OptedOut(UserId, OptOut),
    /// A program key was revoked.
    KeyRevoked,
    /// A browser gets notices from now on, or no longer.
    BrowserChanged {
        /// Whether it gets them.
        is_added: bool,
    },
    /// A new user must confirm their address first.
    ConfirmFirst { user: UserId, pending: PendingAddress },
    /// A user wants to leave.
    Leaving {
        user: UserId,
        erased: bool,
        /// The number of boards in progress.
        boards: usize,
        code: OneTimeCode,
    },
    /// A user has left.
    Left {
        user: UserId,
        erased: bool,
        /// The resigned boards, with the user's seat.
        boards: Vec<(BoardId, Seat)>,
        addresses: Vec<Address>,
    },
    /// The data stored about a user.
    Export { user: UserId, text: String },
    /// A message to some users.
    Message { from: UserId, to: Vec<UserId>, text: String },
    /// A message to all users who want broadcasts.
    Broadcast { from: UserId, to: Vec<UserId>, text: String },
    /// A user put a mark on another user, or removed it.
    MarkChanged { user: UserId, other: UserId, mark: Mark, is_marked: bool },
    /// The list of users with a mark of a user.
    Marked { user: UserId, mark: Mark, marked: Vec<UserId> },
    /// A user reported another user.
    Reported { user: UserId, about: UserId },
    /// The operator made an announcement, or withdrew it.
    Announced {
        number: u32,
        /// The last day on which it is shown; none if it was withdrawn.
        until: Option<Day>,
    },
    /// A preference was set.
    PreferenceSet(PreferenceChoice),
    /// Reminders and broadcasts were turned off.
    QuietSet(UserId),
    /// A user asks for their settings.
    Settings(UserId),
}

/// An address that its owner must confirm.
#[derive(Debug)]
pub struct PendingAddress {
    /// The address.
    pub address: Address,
    /// The code that confirms it.
    pub code: OneTimeCode,
}

impl AccountAnswer {
    pub(crate) fn mails(&self, at: &AnswerContext) -> Vec<OutgoingMail> {
        match self {
            Self::Joined { user, pending, welcomers } => {
                signup::joined(at.origin, user, pending, welcomers)
            }
            Self::Newcomers(told) => {
                told.iter().map(|(player, new)| newcomers::introduced(player, new)).collect()
            }
            Self::Returned { user, old, pending } => {
                signup::returned(at.origin, user, old, pending)
            }
            Self::NewPassword(user) => new_password(at, user),
            Self::NewAddresses { user, old, new, pending } => {
                signup::addresses(at.origin, user, old, new, pending)
            }
            Self::Confirmed { user, address, replaced } => {
                signup::confirmed(at.origin, user, address, replaced)
            }
            Self::Forgot(code) => forgotten_password::password(at.world, code.as_ref()),
            Self::ForgotAt { address, codes } => forgotten_password::userid(address, codes),
            Self::SignInLinks { links, site } => sign_in::links(at.world, links, site),
            Self::AdministratorCode { user, code, act, site } => {
                administration::code(at.world, user, code, act.as_deref(), site.as_deref())
            }
            Self::Administered(what) => vec![administration::done(what)],
            Self::SignedIn(user) => vec![sign_in::signed_in(user)],
            Self::SignedOut(user) => vec![sign_in::signed_out(user)],
            Self::KeyMade { warned } => {
                let warned = warned.iter().map(|(user, name)| warnings::new_key(user, name));
                [sign_in::key("The new key was made.")].into_iter().chain(warned).collect()
            }
            Self::OptedOut(user, what) => vec![opted_out(user, *what)],
            Self::KeyRevoked => vec![sign_in::key("The key no longer works.")],
            Self::BrowserChanged { is_added } => vec![sign_in::browser(*is_added)],
            Self::ConfirmFirst { user, pending } => signup::confirm_first(user, pending),
            Self::Leaving { user, erased, boards, code } => {
                leaving::requested(at.world, user, *erased, *boards, code)
            }
            Self::Left { user, erased, boards, addresses } => {
                let mut mails = leaving::left(at.origin, user, *erased, boards.len(), addresses);
                mails.extend(boards.iter().flat_map(|(board, seat)| {
                    opponents(at.world, Some(at.origin), *board, Some(*seat), *seat, at.now)
                }));
                mails
            }
            Self::Export { user, text } => exported(at, user, text),
            Self::Message { from, to, text } => messages::message(at.world, from, to, text),
            Self::Broadcast { from, to, text } => messages::broadcast(at.world, from, to, text),
            Self::MarkChanged { user, other, mark, is_marked } => {
                vec![marks::changed(user, other, *mark, *is_marked)]
            }
            Self::Marked { user, mark, marked } => vec![marks::listed(user, *mark, marked)],
            Self::Announced { number, until } => vec![announcements::made(*number, *until)],
            Self::Reported { user, about } => vec![messages::reported(user, about)],
            Self::PreferenceSet(preference) => vec![preferences::preference_set(preference)],
            Self::QuietSet(user) => vec![preferences::quiet(user)],
            Self::Settings(user) => vec![preferences::all_settings(at, user)],
        }
    }
}

fn new_password(at: &AnswerContext, user: &UserId) -> Vec<OutgoingMail> {
    let blocks = vec![
        Block::sentence(format!("The password of {user} has been changed.")),
        Block::sentence(
            "If it was not you, send `forgot <userid>` to choose a new password, and tell the \
             operator.",
        ),
    ];
    let subject = format!("Password of {user}");
    // Both the registered addresses and the sender of the change get this mail.
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
        let sent = "The data has been sent to your registered address.";
        mails.push(OutgoingMail::answer(subject, vec![Block::sentence(sent)]));
    }
    mails
}

/// Returns whether the sender's address is one of the user's own.
fn is_registered(world: &World, origin: &Origin, user: &UserId) -> bool {
    let Some(sender) = origin.address() else { return false };
    world.unerased_user(user).is_some_and(|user| user.addresses.contains(sender))
}

/// Builds mails to the user's registered addresses, even after the user has left.
fn to_registered(
    world: &World,
    user: &UserId,
    subject: &str,
    blocks: &[Block],
) -> Vec<OutgoingMail> {
    let mail = |to| OutgoingMail::new(to, subject, blocks.to_vec());
    match world.unerased_user(user).filter(|user| user.left.is_some()) {
        // The owner of an account must get this mail, even above the day's limit.
        None => {
            vec![OutgoingMail { share: QuotaShare::Account, ..mail(Recipient::User(user.clone())) }]
        }
        Some(gone) => gone.addresses.iter().cloned().map(Recipient::Address).map(mail).collect(),
    }
}
