//! A mail to the operator when something waits too long, once, and once more when it is over.

use super::check;
use super::home::{at, carrier};
use super::settings;
use super::status::{came, long};
use super::{CommandError, Machine};
use crate::base::time::{Span, Time};
use crate::config::Alert;
use crate::post::{DeliveryError, known};
use crate::reply;
use crate::store::log;
use std::path::Path;

/// Something that may wait too long.
struct OverdueItem {
    /// The word by which it is known from run to run.
    what: &'static str,
    /// Since when, if it waits.
    since: Option<Time>,
    /// For how long it may.
    limit: Span,
    /// What waits, and what to do about it.
    told: (&'static str, &'static str),
}

/// Tells the operator by mail which things wait too long since the last report, and which no longer
/// do. A report that fails is made by a later run.
pub(super) fn run(home: &Path, machine: &mut Machine) -> Result<(), CommandError> {
    let config = settings::load(home)?;
    let Some(alert) = &config.alert else { return Ok(()) };
    let now = (machine.clock)();
    let all = looked_at(home, alert)?;
    let told = known::alerts(home)?;
    let is_late = |it: &&OverdueItem| it.since.is_some_and(|since| now - since > it.limit);
    let was_told = |it: &&OverdueItem| told.contains(it.what);
    let waits: Vec<String> =
        all.iter().filter(|it| is_late(it) && !was_told(it)).map(|it| it.sentence(now)).collect();
    let over: Vec<String> = all
        .iter()
        .filter(|it| was_told(it) && !is_late(it))
        .map(|it| format!("{} too long", it.told.0))
        .collect();
    if waits.is_empty() && over.is_empty() {
        return Ok(());
    }
    let Some(mut carrier) = carrier(home, &config)? else { return Ok(()) };
    let mail = reply::operator::alert(&alert.to, &config.identity(), &waits, &over);
    match check::send(&mail, &mut *carrier, &config, machine) {
        // A server that is down is told of by `deliver`.
        Err(DeliveryError { permanent: false, .. }) => return Ok(()),
        Err(DeliveryError { why, .. }) => {
            (machine.warn)(&format!("{} gets no alerts: {why}", alert.to));
        }
        Ok(()) => {
            log(home, &format!("{} was told: {}", alert.to, [waits, over].concat().join(" ")))?;
        }
    }
    let told = all.iter().filter(is_late).map(|it| it.what.to_owned()).collect();
    Ok(known::keep_alerts(home, &told)?)
}

/// What may wait, without a look at the boards or the lock of the home.
fn looked_at(home: &Path, alert: &Alert) -> Result<[OverdueItem; 3], CommandError> {
    let home = at(home)?;
    let mails = home.waiting()?.iter().filter_map(|name| came(name)).min();
    let letters = home.backlog()?.oldest;
    let parked = home.parked()?.iter().filter_map(|parked| parked.at).min();
    Ok([
        OverdueItem {
            what: "mails",
            since: mails,
            limit: alert.mails,
            told: ("a mail waits to be executed", "`postboard process` says why"),
        },
        OverdueItem {
            what: "letters",
            since: letters,
            limit: alert.letters,
            told: ("a letter waits to be sent", "`postboard deliver` says why"),
        },
        OverdueItem {
            what: "parked",
            since: parked,
            limit: alert.parked,
            told: (
                "a mail that was put aside waits for you",
                "see `postboard mail list`, then `postboard mail retry` or `drop`",
            ),
        },
    ])
}

impl OverdueItem {
    fn sentence(&self, now: Time) -> String {
        let (what, remedy) = self.told;
        let waits = self.since.map(|since| long(now - since)).unwrap_or_default();
        let (first, rest) = what.split_at(1);
        format!("{}{rest} and has done so for {waits}: {remedy}.", first.to_ascii_uppercase())
    }
}
