//! `confirm-address`, and the change of addresses: the user's own addresses are used at once,
//! others once their owners have confirmed them with a mailed code.

use crate::base::ids::UserId;
use crate::command::{
    Arguments, Command, Context, Decision, Needs, Origin, ParsedCommand, Verb, VerbScope,
};
use crate::mail::{Address, BOUNCE_MAILBOX, is_role_address};
use crate::model::correspondent::{Correspondent, LimitedAction};
use crate::model::one_time_code::{CodePurpose, code_holder};
use crate::model::user::UserEvent;
use crate::model::world::event::Event;
use crate::model::world::{World, user_key};
use crate::refusal::{AccountRefusal, Refusal};
use crate::reply::{AccountAnswer, PendingAddress};
use games::AnyGame;

pub(crate) const VERB: Verb = Verb {
    name: "confirm-address",
    aliases: &[],
    scope: VerbScope::Server,
    usage: "<code>",
    about: "begin to use the address to which this code was mailed",
    reply: None,
    parse,
};

/// The most addresses of a user.
pub(crate) const MOST_ADDRESSES: usize = 3;

/// Takes all remaining words as addresses.
///
/// # Errors
/// A word is not an address, or there are too many.
pub(crate) fn read_addresses(words: &mut Arguments) -> Result<Vec<Address>, Refusal> {
    let mut addresses: Vec<Address> = Vec::new();
    for word in words.take_rest() {
        let address = Address::parse(word).ok_or(AccountRefusal::BadAddress)?;
        if !addresses.contains(&address) {
            addresses.push(address);
        }
    }
    if addresses.len() > MOST_ADDRESSES {
        return Err(words.usage_error(format!("you can name at most {MOST_ADDRESSES} addresses")));
    }
    Ok(addresses)
}

/// The result of naming addresses.
pub(crate) struct AddressChange {
    /// The addresses to use from now on.
    pub(crate) now: Vec<Address>,
    /// The addresses that must be confirmed, with the codes for them.
    pub(crate) asked: Vec<PendingAddress>,
    /// The events that record the mailed codes.
    pub(crate) events: Vec<Event>,
}

/// Splits the listed addresses: the user's own and the sender's are used at once, all others get a
/// code, because their owners may never have asked for mail. If no listed address can be used at
/// once, the present ones stay, and the first confirmed address replaces them.
///
/// # Errors
/// An address is the server's own, or the user or an address was mailed too many codes today.
pub(crate) fn plan_address_change(
    world: &World,
    cx: &mut Context,
    id: &UserId,
    listed: &[Address],
) -> Result<AddressChange, Refusal> {
    let listed = match cx.origin.address() {
        Some(sender) if listed.is_empty() => std::slice::from_ref(sender),
        _ => listed,
    };
    check_deliverable(listed, cx)?;
    let sender = match cx.origin {
        Origin::Mail(sender) => Some(sender),
        Origin::Doubted(_) | Origin::Unnamed | Origin::Web(_) => None,
        // The operator is trusted.
        Origin::Shell => {
            return Ok(AddressChange {
                now: listed.to_vec(),
                asked: Vec::new(),
                events: Vec::new(),
            });
        }
    };
    let known = world.any_user(id);
    let own = known.map_or(&[][..], |user| &user.addresses);
    let (mut now, unconfirmed): (Vec<Address>, Vec<Address>) = listed
        .iter()
        .cloned()
        .partition(|address| Some(address) == sender || own.contains(address));
    let replaces = now.is_empty();
    if replaces {
        now = if own.is_empty() { sender.into_iter().cloned().collect() } else { own.to_vec() };
    }
    let (asked, events) = request_codes(world, cx, id, &unconfirmed, replaces)?;
    Ok(AddressChange { now, asked, events })
}

/// Checks that people read mails at these addresses.
///
/// # Errors
/// An address is the server's own, or one that no person reads.
fn check_deliverable(listed: &[Address], cx: &Context) -> Result<(), Refusal> {
    // Mail to our own address would come back.
    let is_ours = |address: &Address| {
        let is_bounce = address.mailbox().eq_ignore_ascii_case(BOUNCE_MAILBOX)
            && address.domain().eq_ignore_ascii_case(cx.server_address.domain());
        is_bounce || address.same_mailbox(cx.server_address)
    };
    if listed.iter().any(is_ours) {
        return Err(AccountRefusal::ServerAddress.into());
    }
    // The operator may have a reason.
    if *cx.origin != Origin::Shell && listed.iter().any(is_role_address) {
        return Err(AccountRefusal::ImpersonalAddress.into());
    }
    Ok(())
}

/// Creates a code for each address. If `replaces`, the first address to be confirmed replaces all
/// present ones.
///
/// # Errors
/// The user or an address was mailed too many codes today.
fn request_codes(
    world: &World,
    cx: &mut Context,
    id: &UserId,
    unconfirmed: &[Address],
    replaces: bool,
) -> Result<(Vec<PendingAddress>, Vec<Event>), Refusal> {
    let (mut asked, mut events) = (Vec::new(), Vec::new());
    for (index, address) in unconfirmed.iter().enumerate() {
        let purpose = CodePurpose::Address { address: address.clone(), replaces };
        let by_user =
            world.any_user(id).map_or(0, |user| user.codes_mailed(&purpose, cx.now)) + index;
        let same = unconfirmed[..index].iter().filter(|other| other.same_mailbox(address)).count();
        let mailbox = Correspondent::mailbox_name(address);
        let to_mailbox = world.actions_today(LimitedAction::Code, &mailbox, cx.now)? + same;
        if by_user.max(to_mailbox) >= AccountRefusal::CODES {
            return Err(AccountRefusal::TooManyCodes.into());
        }
        let (code, mailed) = cx.make_code(id, purpose);
        events.push(mailed);
        asked.push(PendingAddress { address: address.clone(), code });
    }
    Ok((asked, events))
}

/// A code that was sent back. `Debug` hides it.
struct ConfirmAddressCommand {
    user: Option<UserId>,
    code: String,
}

impl std::fmt::Debug for ConfirmAddressCommand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ConfirmAddressCommand(..)")
    }
}

fn parse(_: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    let code = words.word("the code from the mail")?.to_owned();
    words.expect_end()?;
    Ok(Box::new(ConfirmAddressCommand { user: code_holder(&code), code }))
}

impl Command for ConfirmAddressCommand {
    fn needs(&self) -> Needs {
        Needs::Keys(self.user.iter().map(user_key).collect())
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let user = self.user.as_ref().and_then(|id| world.unerased_user(id));
        let found = user.and_then(|user| {
            let fitting = user.codes.iter().filter(|code| code.fits(&self.code, &user.id, cx.now));
            let mut address = fitting.filter_map(|code| match &code.purpose {
                CodePurpose::Address { address, replaces } => Some((address, *replaces)),
                CodePurpose::Password
                | CodePurpose::SignIn
                | CodePurpose::Administer { .. }
                | CodePurpose::Signoff
                | CodePurpose::Delete => None,
            });
            address.next_back().map(|(address, replaces)| (user, address.clone(), replaces))
        });
        let (known, address, replaces) = found.ok_or(AccountRefusal::WrongCode)?;
        let (user, was) = (known.id.clone(), known.addresses.iter().filter(|old| **old != address));
        let replaced = was.filter(|_| replaces).cloned().collect();
        let change = UserEvent::Confirmed(address.clone());
        let events = vec![Event::User(user.clone(), change)];
        Ok(Decision { events, answer: AccountAnswer::Confirmed { user, address, replaced }.into() })
    }
}
