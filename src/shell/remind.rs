//! Does what the clocks ask for, and forgets what is old.

use super::home::{at, open};
use super::{Machine, SLICE, Trouble};
use crate::base::password::Hashing;
use crate::base::time::days;
use crate::server::Server;
use crate::server::guard::Marked;
use crate::store::{Home, log, log_all};
use std::path::Path;

/// Does what the clocks ask for, and forgets what is old.
pub(super) fn run(home: &Path, machine: &mut Machine) -> Result<(), Trouble> {
    let mut after = None;
    loop {
        let (mut files, setup) = open(home, Hashing::default())?;
        let (clock, warn) = (machine.clock, machine.warn);
        let now = clock();
        let mut server = Server::new(&setup, &mut machine.chance);
        let mut marker = Marked::new(files.marker());
        after = crate::server::remind::guarded(
            &mut server,
            &mut *files,
            after,
            now,
            &mut marker,
            &mut |server| {
                if let Err(fault) = log_all(home, &std::mem::take(&mut server.log)) {
                    warn(&fault);
                }
                clock() <= now + SLICE
            },
        )?;
        if let Err(fault) = log_all(home, &server.log) {
            warn(&fault);
        }
        // Left there, it would only make the next run careful.
        if let Err(fault) = marker.clear() {
            warn(&fault);
        }
        files.close()?;
        if after.is_none() {
            let home_at = at(home);
            home_at.expire(now)?;
            let gone = home_at.clear_aside(now, days(setup.config.limits.bad_days.get().into()))?;
            let line = format!("{gone} files that were put aside have expired");
            if gone > 0
                && let Err(fault) = log(home, &line)
            {
                warn(&fault);
            }
            return Ok(());
        }
    }
}
