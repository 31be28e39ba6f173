//! Addresses that a user wants mails at: the user's own at once, others when their owners have said
//! yes.

use crate::base::ids::UserId;
use crate::command::{Arguments, Command, Context, Decision, Needs, Origin, Verb, VerbScope};
use crate::mail::{Address, BOUNCE_MAILBOX, is_role_address};
use crate::model::code::{CodePurpose, OneTimeCode, PendingCode, holder};
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
    about: "begin to use the address where you got that code",
    reply: None,
    parse,
};

/// Addresses of a user at most.
pub(crate) const MOST_ADDRESSES: usize = 3;

/// Reads all words left as addresses.
///
/// # Errors
/// One is no address, or they are too many.
pub(crate) fn read_addresses(words: &mut Arguments) -> Result<Vec<Address>, Refusal> {
    let mut addresses: Vec<Address> = Vec::new();
    for word in words.rest() {
        let address = Address::parse(word).ok_or(AccountRefusal::BadAddress)?;
        if !addresses.contains(&address) {
            addresses.push(address);
        }
    }
    if addresses.len() > MOST_ADDRESSES {
        return Err(words.usage_error(format!("at most {MOST_ADDRESSES} addresses can be named")));
    }
    Ok(addresses)
}

/// What becomes of addresses that were named.
pub(crate) struct AddressChange {
    /// Where mails go from now on.
    pub(crate) now: Vec<Address>,
    /// The words to be mailed to the others.
    pub(crate) asked: Vec<PendingAddress>,
    /// That they were mailed.
    pub(crate) events: Vec<Event>,
}

/// Decides which of the addresses are used at once: those of the user, and the one that the mail
/// came from, if it did. Anybody else would get mails that they never asked for. While there is
/// none to use, everything stays as it is; the first that is confirmed then takes the place of all.
///
/// # Errors
/// One is ours; too many words were mailed already, by this user or to one of the addresses.
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
        // The operator knows what they do.
        Origin::Shell => {
            return Ok(AddressChange {
                now: listed.to_vec(),
                asked: Vec::new(),
                events: Vec::new(),
            });
        }
    };
    let known = world.known(id);
    let own = known.map_or(&[][..], |user| &user.addresses);
    let (mut now, others): (Vec<Address>, Vec<Address>) = listed
        .iter()
        .cloned()
        .partition(|address| Some(address) == sender || own.contains(address));
    let replaces = now.is_empty();
    if replaces {
        now = if own.is_empty() { sender.into_iter().cloned().collect() } else { own.to_vec() };
    }
    let (asked, events) = request_codes(world, cx, id, &others, replaces)?;
    Ok(AddressChange { now, asked, events })
}

/// Whether people read mails to these addresses.
///
/// # Errors
/// One is ours, or no person's.
fn check_deliverable(listed: &[Address], cx: &Context) -> Result<(), Refusal> {
    // Nobody reads a mail that we write to ourselves, and it would come back.
    let is_ours = |address: &Address| {
        let is_bounce = address.mailbox().eq_ignore_ascii_case(BOUNCE_MAILBOX)
            && address.domain().eq_ignore_ascii_case(cx.own.domain());
        is_bounce || address.same_mailbox(cx.own)
    };
    if listed.iter().any(is_ours) {
        return Err(AccountRefusal::OurAddress.into());
    }
    // The operator may have a reason.
    if *cx.origin != Origin::Shell && listed.iter().any(is_role_address) {
        return Err(AccountRefusal::NobodysAddress.into());
    }
    Ok(())
}

/// Mails a word to each of these addresses, of which the first to send it back takes the place of
/// all if it `replaces` them.
///
/// # Errors
/// Too many were mailed already.
fn request_codes(
    world: &World,
    cx: &mut Context,
    id: &UserId,
    others: &[Address],
    replaces: bool,
) -> Result<(Vec<PendingAddress>, Vec<Event>), Refusal> {
    let (mut asked, mut events) = (Vec::new(), Vec::new());
    for (index, address) in others.iter().enumerate() {
        let purpose = CodePurpose::Address { address: address.clone(), replaces };
        let by_user = world.known(id).map_or(0, |user| user.codes_mailed(&purpose, cx.now)) + index;
        let same = others[..index].iter().filter(|other| other.same_mailbox(address)).count();
        let to_mailbox = world.asked(address, cx.now)? + same;
        if by_user.max(to_mailbox) >= AccountRefusal::CODES {
            return Err(AccountRefusal::TooManyCodes.into());
        }
        let word = OneTimeCode::new(id, cx.chance);
        let change = UserEvent::CodeMailed(PendingCode::new(&word, id, purpose, cx.now));
        events.push(Event::User(id.clone(), change));
        asked.push(PendingAddress { address: address.clone(), code: word });
    }
    Ok((asked, events))
}

/// A word that came back; not shown to anybody.
struct ConfirmAddressCommand {
    user: Option<UserId>,
    word: String,
}

impl std::fmt::Debug for ConfirmAddressCommand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Confirm(..)")
    }
}

fn parse(
    _: Option<&'static dyn AnyGame>,
    words: &mut Arguments,
) -> Result<Box<dyn Command>, Refusal> {
    let word = words.word("the word from the mail")?.to_owned();
    words.expect_end()?;
    Ok(Box::new(ConfirmAddressCommand { user: holder(&word), word }))
}

impl Command for ConfirmAddressCommand {
    fn needs(&self) -> Needs {
        Needs::Keys(self.user.iter().map(user_key).collect())
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let user = self.user.as_ref().and_then(|id| world.kept(id));
        let found = user.and_then(|user| {
            let fitting = user.codes.iter().filter(|word| word.fits(&self.word, &user.id, cx.now));
            let mut address = fitting.filter_map(|word| match &word.purpose {
                CodePurpose::Address { address, replaces } => Some((address, *replaces)),
                CodePurpose::Password
                | CodePurpose::SignIn
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
