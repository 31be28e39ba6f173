//! Fair play: `report`, and the acts of the operator and the administrators, which have no verb.

pub mod act;
pub mod administer;
pub(crate) mod report;

use crate::command::Context;
use crate::mail::Address;
use crate::model::moderation::SanctionKind;
use crate::model::user::User;
use crate::model::world::World;
use crate::refusal::{ModerationRefusal, Refusal, operator_address};

/// Checks that the operator has not forbidden a user what a sanction of this kind forbids.
///
/// # Errors
/// The sanction, with its reason.
pub(super) fn check_sanction(
    user: &User,
    kind: SanctionKind,
    cx: &Context,
) -> Result<(), ModerationRefusal> {
    match user.sanction(kind, cx.now) {
        None => Ok(()),
        Some(sanction) => Err(ModerationRefusal::Sanctioned {
            sanction: sanction.clone(),
            contact: operator_address(cx.server_address),
        }),
    }
}

/// Checks that neither one of these addresses nor the sender's address or network is banned.
/// [`Needs::Bans`](crate::command::Needs::Bans) of the addresses must be loaded.
///
/// # Errors
/// One is banned, or a document that could be its ban is damaged.
pub(super) fn check_bans<'a>(
    world: &World,
    addresses: impl IntoIterator<Item = &'a Address>,
    cx: &'a Context,
) -> Result<(), Refusal> {
    let network = cx.origin.browser().map(|browser| browser.network);
    let addresses = addresses.into_iter().chain(cx.origin.address());
    if world.is_banned(addresses, network, cx.now)? {
        let contact = operator_address(cx.server_address);
        return Err(ModerationRefusal::Banned { contact }.into());
    }
    Ok(())
}
