//! The thread of `serve` that sends letters as soon as they are left, by whichever process.

use super::deliver::{self, LeftToSend};
use super::home::at;
use super::remedy::told;
use super::worker::words_of;
use super::{CommandError, Machine};
use crate::base::time::Time;
use crate::config::Deliver;
use crate::post::TroubleLog;
use crate::store::{OUTBOX, Subscription, log_all};
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// Letters that have failed are looked at again after that long; the first pause of each is a minute.
const AGAIN: Duration = Duration::from_mins(1);

/// The same, while another process sends.
const BESIDE: Duration = Duration::from_secs(1);

/// How long the letter that is being sent may take once the process is told to end. If it takes
/// longer, it is sent again by the next run, under the same Message-ID.
const FAREWELL: Duration = Duration::from_secs(10);

/// The thread, until ended.
pub(super) struct Courier {
    listening: Box<dyn Subscription>,
    ended: Receiver<()>,
}

/// Its own data.
struct CourierContext {
    home: PathBuf,
    time: fn() -> Time,
    say: fn(&dyn Display),
    troubles: TroubleLog,
}

impl Courier {
    /// Begins; none if there is no way out.
    pub(super) fn begin(
        home: &Path,
        deliver: &Deliver,
        machine: &Machine,
    ) -> Result<Option<Self>, CommandError> {
        if *deliver == Deliver::Nothing {
            return Ok(None);
        }
        // A ring while it works is heard afterwards; many rings count as one.
        let (bell, rung) = mpsc::sync_channel(1);
        let listening = at(home)?.listen(Box::new(move |names| {
            if names.is_empty() || names.iter().any(|name| name == OUTBOX) {
                let _ = bell.try_send(());
            }
        }))?;
        let (ending, ended) = mpsc::channel();
        let (time, say) = (machine.time, machine.say);
        let mut bag =
            CourierContext { home: home.to_owned(), time, say, troubles: TroubleLog::default() };
        thread::Builder::new().name("courier".into()).spawn(move || {
            let _ending: mpsc::Sender<()> = ending;
            bag.work(&rung);
        })?;
        Ok(Some(Self { listening, ended }))
    }

    /// Ends, with the letter that is being sent.
    pub(super) fn end(self) {
        // Nobody rings any more, and so the thread ends.
        drop(self.listening);
        let _ = self.ended.recv_timeout(FAREWELL);
    }
}

impl CourierContext {
    /// Sends the letters that are there at first, and then at every ring.
    fn work(&mut self, rung: &Receiver<()>) {
        loop {
            let left = catch_unwind(AssertUnwindSafe(|| self.send())).unwrap_or_else(|panic| {
                let _ = log_all(
                    &self.home,
                    &[format!("serve: a fault of ours: {}", words_of(&*panic))],
                );
                LeftToSend::Failed
            });
            let again = match left {
                LeftToSend::Nothing => rung.recv().map_err(RecvTimeoutError::from),
                LeftToSend::Failed => rung.recv_timeout(AGAIN),
                LeftToSend::Others => rung.recv_timeout(BESIDE),
            };
            if again == Err(RecvTimeoutError::Disconnected) {
                return;
            }
        }
    }

    /// Sends all that is due; what is left.
    fn send(&mut self) -> LeftToSend {
        let sent = deliver::run_again(&self.home, &mut self.troubles, (self.time)(), &self.say);
        sent.unwrap_or_else(|trouble| {
            let line = told(&trouble, &self.home);
            for line in self.troubles.learn_faults(&[&line], (self.time)()) {
                (self.say)(&line);
            }
            LeftToSend::Failed
        })
    }
}
