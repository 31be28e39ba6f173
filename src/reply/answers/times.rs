//! Answers about a user's time zone, and the days and nights at which their clocks stop.

use crate::base::time::Time;
use crate::base::words::AndList;
use crate::base::zone::Zone;
use crate::model::clock::Rest;
use crate::model::user::User;
use crate::reply::letters::Block;
use crate::reply::local_time::ReaderClock;

/// Returns the time zone and the rests of a user, with the commands that choose them.
pub(crate) fn describe(user: &User, now: Time) -> Vec<Block> {
    let id = &user.id;
    let how = format!(
        "To change this, send `timezone {id} <password>` and a city or `none`; `weekend {id} \
         <password>` and days, `off` for Saturday and Sunday, or `none`; `night {id} <password>` \
         and hours such as 22-7, or `none`."
    );
    sentences(user, now).into_iter().chain([how]).map(Block::sentence).collect()
}

/// Returns the time zone and the rests of a user as sentences, for themselves.
pub fn sentences(user: &User, now: Time) -> Vec<String> {
    let zone = user.zone.map_or_else(
        || "You have chosen no time zone: you read deadlines as days of UTC.".into(),
        |zone| zone_sentence(zone, now),
    );
    let (begun, pending): (Vec<Rest>, Vec<Rest>) =
        user.rests.iter().partition(|rest| rest.since <= now);
    let clock = ReaderClock::in_zone(user.zone.unwrap_or(Zone::UTC), now);
    let rest = begun.last().filter(|rest| !rest.is_empty());
    let present = rest.map_or_else(
        || "Your clocks run on all days and in all nights.".into(),
        |rest| format!("Your clocks stop {}. Your opponents see it.", rest_words(*rest, true)),
    );
    let later = pending.last().map(|rest| {
        let what = if rest.is_empty() {
            "run on all days and in all nights".into()
        } else {
            format!("stop {}", rest_words(*rest, true))
        };
        let from = clock.moment(rest.since);
        format!("From {from} on they {what}. Such a choice can begin once in seven days.")
    });
    [zone, present].into_iter().chain(later).collect()
}

fn zone_sentence(zone: Zone, now: Time) -> String {
    let shown = ReaderClock::in_zone(zone, now).moment(now);
    format!("Your time zone is {zone}, where it is {shown} now. You read deadlines in this time.")
}

/// Returns when a clock stops: `on Saturday and Sunday and at night, 22:00-07:00 (Europe/Berlin)`.
/// Only its owner reads the hours and the zone, which may tell where they live.
pub(crate) fn rest_words(rest: Rest, is_own: bool) -> String {
    let Rest { zone, days, night, .. } = rest;
    let names = days.names();
    let days = (!names.is_empty()).then(|| format!("on {}", AndList(&names)));
    let night =
        night.map(|night| if is_own { format!("at night, {night}") } else { "at night".into() });
    let parts: Vec<String> = days.into_iter().chain(night).collect();
    let place = if is_own { format!(" ({zone})") } else { String::new() };
    parts.join(" and ") + &place
}
