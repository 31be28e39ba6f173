//! Mails the operator when something waits too long, once, and again when it is over.

use crate::base::time::{Span, Time};
use crate::config::Alert;
use crate::post::{DeliveryError, FailureScope, report_files};
use crate::reply;
use crate::shell::health::{check, service_view};
use crate::shell::home::{locate, open_transport};
use crate::shell::reports::status::format_span;
use crate::shell::settings;
use crate::shell::{CommandError, Machine};
use crate::store::log;
use crate::store::spool::arrival_time;
use std::path::Path;

/// Something that may wait too long.
struct OverdueItem {
    /// Its name in the file of alerts.
    what: &'static str,
    /// Since when it waits, if it does.
    since: Option<Time>,
    /// How long it may wait.
    limit: Span,
    /// The condition, in words.
    condition: &'static str,
    /// What the operator can do about it.
    remedy: &'static str,
}

/// Mails the operator what has begun to wait too long since the last alert, and what no longer does. If that
/// fails, a later run tries again. Records for `doctor` what this process finds wrong with the machine.
pub(crate) fn run(home: &Path, machine: &mut Machine) -> Result<(), CommandError> {
    let config = settings::load(home)?;
    let now = (machine.clock)();
    service_view::note(home, &config, now);
    let Some(alert) = &config.alert else { return Ok(()) };
    let all = find_waiting(home, alert)?;
    let alerted = report_files::load_alerts(home)?;
    let is_late = |it: &&OverdueItem| it.since.is_some_and(|since| now - since > it.limit);
    let is_alerted = |it: &&OverdueItem| alerted.contains(it.what);
    let waits: Vec<String> =
        all.iter().filter(|it| is_late(it) && !is_alerted(it)).map(|it| it.sentence(now)).collect();
    let over: Vec<String> = all
        .iter()
        .filter(|it| is_alerted(it) && !is_late(it))
        .map(|it| format!("{} too long", it.condition))
        .collect();
    if waits.is_empty() && over.is_empty() {
        return Ok(());
    }
    let Some(mut transport) = open_transport(home, &config)? else { return Ok(()) };
    let mail = reply::operator::alert(&alert.to, &config.identity(), &waits, &over);
    match check::send(&mail, &mut *transport, &config, machine) {
        // `deliver` reports a server that is down.
        Err(DeliveryError {
            scope: FailureScope::ThisLetter | FailureScope::Transport, ..
        }) => {
            return Ok(());
        }
        Err(DeliveryError { scope: FailureScope::Rejected, why }) => {
            (machine.warn)(&format!("{} gets no alerts: {why}", alert.to));
        }
        Ok(()) => {
            log(home, &format!("{} was told: {}", alert.to, [waits, over].concat().join(" ")))?;
        }
    }
    let alerted = all.iter().filter(is_late).map(|it| it.what.to_owned()).collect();
    Ok(report_files::save_alerts(home, &alerted)?)
}

/// Returns what may wait. Reads no boards and takes no lock.
fn find_waiting(home: &Path, alert: &Alert) -> Result<[OverdueItem; 3], CommandError> {
    let home = locate(home)?;
    let mails = home.waiting_mails()?.iter().filter_map(|name| arrival_time(name)).min();
    let letters = home.backlog()?.oldest_failed;
    let parked = home.parked_mails()?.iter().filter_map(|parked| parked.at).min();
    Ok([
        OverdueItem {
            what: "mails",
            since: mails,
            limit: alert.mails_after,
            condition: "a mail waits to be executed",
            remedy: "`postboard process` says why",
        },
        OverdueItem {
            what: "letters",
            since: letters,
            limit: alert.letters_after,
            condition: "a letter waits to be sent",
            remedy: "`postboard deliver` says why",
        },
        OverdueItem {
            what: "parked",
            since: parked,
            limit: alert.parked_after,
            condition: "a mail that was put aside waits for you",
            remedy: "see `postboard mail list`, then `postboard mail retry` or `drop`",
        },
    ])
}

impl OverdueItem {
    fn sentence(&self, now: Time) -> String {
        let Self { condition, remedy, .. } = self;
        let waits = self.since.map(|since| format_span(now - since)).unwrap_or_default();
        let (first, rest) = condition.split_at(1);
        format!("{}{rest} and has done so for {waits}: {remedy}.", first.to_ascii_uppercase())
    }
}
