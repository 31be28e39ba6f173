//! The words of a settled report are removed when their time is over.

use crate::command::Needs;
use crate::command::reactions::{Cause, Consequence, Reaction};
use crate::model::document::Document as _;
use crate::model::moderation::Report;
use crate::model::service::ServiceContext;
use crate::model::world::World;
use crate::model::world::event::Event;

pub(super) struct SettledReports;

/// Returns the number of the report that is due.
fn due_report(cause: &Cause) -> Option<u32> {
    match cause {
        Cause::Due(key) => Report::id_of(key),
        Cause::Event(_) => None,
    }
}

impl Reaction for SettledReports {
    fn needs(&self, cause: &Cause, _: &World) -> Option<Needs> {
        due_report(cause).map(|number| Needs::Keys(vec![Report::key(&number)]))
    }

    fn react(&self, cause: &Cause, world: &World, cx: &mut ServiceContext) -> Vec<Consequence> {
        let Some(number) = due_report(cause) else { return Vec::new() };
        let wakeup = world.loaded_report(number).and_then(Report::wakeup);
        let is_due = wakeup.is_some_and(|at| at <= cx.now);
        let emptied = || Consequence::silent(Event::ReportEmptied(number));
        is_due.then(emptied).into_iter().collect()
    }
}
