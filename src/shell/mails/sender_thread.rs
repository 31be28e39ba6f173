//! The thread of `serve` and `run` that sends letters as soon as any process has put them into the outbox.

use crate::base::time::Time;
use crate::config::Deliver;
use crate::post::TroubleLog;
use crate::shell::home::locate;
use crate::shell::mails::deliver::{self, LeftToSend};
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

/// The pause while another process sends.
const BESIDE: Duration = Duration::from_secs(1);

/// How long the thread may take to end. A letter that takes longer is sent again by the next run,
/// with the same Message-ID.
const FAREWELL: Duration = Duration::from_secs(10);

/// Is told after each run why letters do not leave, or that nothing prevents them.
pub(crate) type SenderReport = Box<dyn Fn(Option<String>) + Send>;

/// A running thread.
pub(crate) struct SenderThread {
    listening: Box<dyn Subscription>,
    ended: Receiver<()>,
}

/// The data of the thread.
struct SenderData {
    home: PathBuf,
    time: fn() -> Time,
    say: fn(&dyn Display),
    troubles: TroubleLog,
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
        let (bell, rung) = mpsc::sync_channel(1);
        let listening = locate(home)?.subscribe(Box::new(move |names| {
            if names.is_empty() || names.iter().any(|name| name == OUTBOX) {
                let _ = bell.try_send(());
            }
        }))?;
        let (ending, ended) = mpsc::channel();
        let (time, say) = (machine.time, machine.say);
        let (home, troubles) = (home.to_owned(), TroubleLog::default());
        let mut bag = SenderData { home, time, say, troubles, report };
        thread::Builder::new().name("sender".into()).spawn(move || {
            let _ending: mpsc::Sender<()> = ending;
            bag.work(&rung);
        })?;
        Ok(Some(Self { listening, ended }))
    }

    /// Stops the thread after the letter that it is sending.
    pub(crate) fn end(self) {
        // Without the subscription no more wakeups come, so the thread ends.
        drop(self.listening);
        let _ = self.ended.recv_timeout(FAREWELL);
    }
}

impl SenderData {
    /// Sends letters at the start and at every wakeup.
    fn work(&mut self, rung: &Receiver<()>) {
        loop {
            let sent = catch_unwind(AssertUnwindSafe(|| self.send())).unwrap_or_else(|panic| {
                let why = format!("a bug of this program: {}", words_of(&*panic));
                let _ = log_all(&self.home, &[format!("sender: {why}")]);
                Err(why)
            });
            let left = sent.as_ref().map_or(LeftToSend::Failed, |left| *left);
            (self.report)(match sent {
                Ok(LeftToSend::Late) => Some("letters are late".into()),
                sent => sent.err(),
            });
            let again = match left {
                LeftToSend::Nothing => rung.recv().map_err(RecvTimeoutError::from),
                LeftToSend::Failed | LeftToSend::Late => rung.recv_timeout(AGAIN),
                LeftToSend::Others => rung.recv_timeout(BESIDE),
            };
            if again == Err(RecvTimeoutError::Disconnected) {
                return;
            }
        }
    }

    /// Sends all letters that are due. Returns what is left, or the line that says why the run failed.
    fn send(&mut self) -> Result<LeftToSend, String> {
        let sent = deliver::run_again(&self.home, &mut self.troubles, (self.time)(), &self.say);
        sent.map_err(|trouble| {
            let line = with_remedy(&trouble, &self.home);
            for line in self.troubles.take_new_faults(&[&line], (self.time)()) {
                (self.say)(&line);
            }
            line
        })
    }
}
