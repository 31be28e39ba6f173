//! The thread of `serve` and `run` that sends letters as soon as any process has put them into the outbox.

use crate::base::time::Time;
use crate::config::Deliver;
use crate::post::TroubleLog;
use crate::shell::home::locate;
use crate::shell::mails::deliver::{self, KeptDelivery, LeftToSend};
use crate::shell::mails::worker::words_of;
use crate::shell::output::remedy::with_remedy;
use crate::shell::{CommandError, Machine};
use crate::store::{OUTBOX, Subscription, log_all};
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// The pause before failed letters are looked at again. A letter's first retry is after a minute.
const AGAIN: Duration = Duration::from_mins(1);

/// How long a connection to a mail server stays open without letters.
const IDLE: Duration = Duration::from_secs(30);

/// The pause while another process sends.
const BESIDE: Duration = Duration::from_secs(1);

/// How long the thread may take to end. If a letter takes longer, it and the few that have left before they
/// could be claimed are sent again by the next run, with the same Message-IDs.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(10);

/// Called after each run with the reason why letters do not leave, if there is one.
pub(crate) type SenderReport = Box<dyn Fn(Option<String>) + Send>;

/// A running thread.
pub(crate) struct SenderThread {
    subscription: Box<dyn Subscription>,
    ended: Receiver<()>,
}

/// The data of the thread.
struct SenderData {
    home: PathBuf,
    time: fn() -> Time,
    say: fn(&dyn Display),
    troubles: TroubleLog,
    kept: KeptDelivery,
    report: SenderReport,
}

impl SenderThread {
    /// Starts the thread. None if there is no transport.
    pub(crate) fn begin(
        home: &Path,
        deliver: &Deliver,
        report: SenderReport,
        machine: &Machine,
    ) -> Result<Option<Self>, CommandError> {
        if *deliver == Deliver::Nothing {
            return Ok(None);
        }
        // A wakeup during work is handled afterwards; several count as one.
        let (waker, wakeups) = mpsc::sync_channel(1);
        let subscription = locate(home)?.subscribe(Box::new(move |names| {
            if names.is_empty() || names.iter().any(|name| name == OUTBOX) {
                let _ = waker.try_send(());
            }
        }))?;
        let (ending, ended) = mpsc::channel();
        let (time, say) = (machine.time, machine.say);
        let (home, troubles) = (home.to_owned(), TroubleLog::default());
        let kept = KeptDelivery::of_woken();
        let data = SenderData { home, time, say, troubles, kept, report };
        thread::Builder::new().name("sender".into()).spawn(move || {
            let _ending: mpsc::Sender<()> = ending;
            data.work(&wakeups);
        })?;
        Ok(Some(Self { subscription, ended }))
    }

    /// Stops the thread after the letter that it is sending.
    pub(crate) fn end(self) {
        // Without the subscription no more wakeups come, so the thread ends.
        drop(self.subscription);
        let _ = self.ended.recv_timeout(SHUTDOWN_GRACE);
    }
}

impl SenderData {
    /// Sends letters at the start and at every wakeup, and closes the connection to the mail server at the end.
    fn work(mut self, wakeups: &Receiver<()>) {
        loop {
            let sent = catch_unwind(AssertUnwindSafe(|| self.send())).unwrap_or_else(|panic| {
                let why = format!("a bug in this program: {}", words_of(&*panic));
                let _ = log_all(&self.home, &[format!("sender: {why}")]);
                Err(why)
            });
            let left = sent.as_ref().map_or(LeftToSend::Waiting(None), |left| *left);
            (self.report)(match sent {
                Ok(LeftToSend::Late) => Some("letters are late".into()),
                sent => sent.err(),
            });
            if !self.wait(wakeups, self.pause(left)) {
                return;
            }
        }
    }

    /// Returns how long to wait if no wakeup comes; `None` means for ever.
    fn pause(&self, left: LeftToSend) -> Option<Duration> {
        match left {
            LeftToSend::Nothing => None,
            LeftToSend::Waiting(Some(next)) => {
                Some(Duration::from(next - (self.time)()).min(AGAIN))
            }
            LeftToSend::Waiting(None) | LeftToSend::Late => Some(AGAIN),
            LeftToSend::Others => Some(BESIDE),
        }
    }

    /// Waits for a wakeup or the end of the pause, and closes the connection to the mail server meanwhile
    /// if it is idle for long. Returns whether the thread goes on.
    fn wait(&mut self, wakeups: &Receiver<()>, pause: Option<Duration>) -> bool {
        let mut rest = pause;
        if self.kept.is_connected() && pause.is_none_or(|pause| pause > IDLE) {
            match wakeups.recv_timeout(IDLE) {
                Err(RecvTimeoutError::Timeout) => {}
                woken => return woken.is_ok(),
            }
            self.kept.disconnect();
            rest = pause.map(|pause| pause.saturating_sub(IDLE));
        }
        let woken = match rest {
            Some(rest) => wakeups.recv_timeout(rest),
            None => wakeups.recv().map_err(RecvTimeoutError::from),
        };
        woken != Err(RecvTimeoutError::Disconnected)
    }

    /// Sends all letters that are due. Returns what is left, or the line that says why the run failed.
    fn send(&mut self) -> Result<LeftToSend, String> {
        let (troubles, kept) = (&mut self.troubles, &mut self.kept);
        let sent = deliver::run_again(&self.home, troubles, kept, &self.time, &self.say);
        sent.map_err(|trouble| {
            let line = with_remedy(&trouble, &self.home);
            for line in self.troubles.take_new_faults(&[&line], (self.time)()) {
                (self.say)(&line);
            }
            line
        })
    }
}
