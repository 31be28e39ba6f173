//! A user's browsers that are told when it is their turn, and the boards about which they were told.

use crate::base::digest::Digest;
use crate::base::ids::BoardId;
use crate::base::time::{Time, WEEK};
use crate::base::web_push::{PushEndpoint, PushRecipient};
use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};

/// The most browsers of a user. One more replaces the oldest.
pub const MOST_BROWSERS: usize = 10;

/// The most notices of a user that are sent in an hour.
pub const MOST_NOTICES_AN_HOUR: usize = 60;

/// The most notices of a user that are remembered. One more removes the oldest.
const MOST_NOTICES: usize = 200;

/// A browser that gets notices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PushBrowser {
    /// The address at its push service for this browser alone. The push service accepts messages there
    /// only with the server's signature.
    pub endpoint: String,
    /// The public key of the browser, in base64url.
    key: String,
    /// The secret of the browser, in base64url.
    secret: String,
    /// When it was added.
    pub at: Time,
    /// The expiry of the cookie of its session: signing this browser out removes it.
    pub session: Time,
}

/// A notice that a board waits for the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TurnNotice {
    /// The board.
    pub board: BoardId,
    /// The number of the notice or of its withdrawal. Later ones are greater.
    pub number: u64,
    /// When it was given or taken back.
    pub at: Time,
    /// Whether the board still waits for the user; otherwise the notice is taken back.
    pub open: bool,
}

impl PushBrowser {
    /// Builds a browser from its subscription. `allows_local` permits push services on this machine.
    /// None if the address or a key is invalid.
    pub fn new(
        [endpoint, key, secret]: [&str; 3],
        at: Time,
        session: Time,
        allows_local: bool,
    ) -> Option<Self> {
        PushEndpoint::parse(endpoint, allows_local)?;
        PushRecipient::parse(key, secret)?;
        let [endpoint, key, secret] = [endpoint, key, secret].map(str::to_owned);
        Some(Self { endpoint, key, secret, at, session })
    }

    /// Returns the id of the browser in forms, which does not reveal its address.
    pub fn id(&self) -> String {
        HEXLOWER.encode(&Digest::of(self.endpoint.as_bytes())[..8])
    }

    /// Returns the name of its push service.
    pub fn service(&self) -> &str {
        let rest = self.endpoint.split_once("://").map_or("", |(_, rest)| rest);
        rest.split('/').next().unwrap_or_default()
    }

    /// Returns the keys for which messages are encrypted.
    pub fn recipient(&self) -> Option<PushRecipient> {
        PushRecipient::parse(&self.key, &self.secret)
    }
}

/// Adds a browser. It replaces an older subscription of the same browser.
pub(super) fn add(browsers: &mut Vec<PushBrowser>, new: PushBrowser) {
    browsers.retain(|old| old.endpoint != new.endpoint);
    browsers.push(new);
    let excess = browsers.len().saturating_sub(MOST_BROWSERS);
    browsers.drain(..excess);
}

/// Gives a notice or takes it back. Withdrawals are forgotten after a week. A number is at least the time
/// in seconds, so that numbers grow even after all notices were removed.
pub(super) fn note(notices: &mut Vec<TurnNotice>, board: BoardId, at: Time, open: bool) {
    let latest = notices.iter().map(|old| old.number).max().unwrap_or_default();
    let number = (latest + 1).max(u64::try_from(at.unix()).unwrap_or_default());
    notices.retain(|old| old.board != board && (old.open || old.at > at - WEEK));
    notices.push(TurnNotice { board, number, at, open });
    let excess = notices.len().saturating_sub(MOST_NOTICES);
    notices.drain(..excess);
}
