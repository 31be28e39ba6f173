//! The thread of `run` that makes the moves of `board5` as soon as a board waits for one.

use crate::base::chance::Entropy;
use crate::post::TroubleLog;
use crate::shell::home::locate;
use crate::shell::mails::engines::EngineTask;
use crate::shell::mails::worker::words_of;
use crate::shell::output::remedy::with_remedy;
use crate::shell::{CommandError, Machine};
use crate::store::{Subscription, break_off_waits, log_all, named_wakeup};
use rand::SeedableRng as _;
use rand_chacha::ChaCha20Rng;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// The longest pause between two runs: a wakeup may get lost.
const AGAIN: Duration = Duration::from_mins(1);

/// How long the thread may take to end: as long as an answer may take.
const SHUTDOWN_GRACE: Duration = Duration::from_mins(1);

/// Called after each run with the reason why it failed, if it did.
pub(crate) type EngineReport = Box<dyn Fn(Option<String>) + Send>;

/// A running thread.
pub(crate) struct EngineThread {
    subscription: Box<dyn Subscription>,
    is_ending: Arc<AtomicBool>,
    ended: Receiver<()>,
}

impl EngineThread {
    /// Starts the thread.
    pub(crate) fn begin(
        home: &Path,
        report: EngineReport,
        machine: &mut Machine,
    ) -> Result<Self, CommandError> {
        let (waker, wakeups) = mpsc::sync_channel(1);
        let time = machine.time;
        let subscription = locate(home)?.subscribe(Box::new(move |names| {
            // A board that waits for `board5` is due at once.
            let is_due = |name: &String| named_wakeup(name).is_some_and(|at| at <= time());
            if names.is_empty() || names.iter().any(is_due) {
                let _ = waker.try_send(());
            }
        }))?;
        let chance = Entropy(ChaCha20Rng::from_rng(&mut machine.chance.0));
        let (home, say) = (home.to_owned(), machine.say);
        let is_ending = Arc::new(AtomicBool::new(false));
        let ends = Arc::clone(&is_ending);
        let (ending, ended) = mpsc::channel();
        thread::Builder::new().name("engines".into()).spawn(move || {
            let _ending: mpsc::Sender<()> = ending;
            let of_waits = Arc::clone(&ends);
            let _waits = break_off_waits(move || !of_waits.load(Ordering::Relaxed));
            let mut task = EngineTask::new(&home, &time, chance);
            let mut troubles = TroubleLog::default();
            loop {
                let goes_on = || !ends.load(Ordering::Relaxed);
                let ran = catch_unwind(AssertUnwindSafe(|| task.run(&goes_on)));
                let failed = match ran {
                    // The next process makes the move.
                    Ok(Err(trouble)) if trouble.is_broken_off() => None,
                    Ok(ran) => ran.err().map(|trouble| with_remedy(&trouble, &home)),
                    Err(panic) => Some(format!("a bug in this program: {}", words_of(&*panic))),
                };
                let faults: Vec<String> = task.take_faults().into_iter().chain(failed).collect();
                let lines: Vec<&str> = faults.iter().map(String::as_str).collect();
                for line in troubles.take_new_faults(&lines, time()) {
                    say(&line);
                    let _ = log_all(&home, &[line]);
                }
                report(faults.into_iter().next());
                if wakeups.recv_timeout(AGAIN) == Err(RecvTimeoutError::Disconnected) {
                    return;
                }
            }
        })?;
        Ok(Self { subscription, is_ending, ended })
    }

    /// Stops the thread after the move that it is making, and ends the programs.
    pub(crate) fn end(self) {
        self.is_ending.store(true, Ordering::Relaxed);
        // Without the subscription no more wakeups come, so the thread ends.
        drop(self.subscription);
        let _ = self.ended.recv_timeout(SHUTDOWN_GRACE);
    }
}
