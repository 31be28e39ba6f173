//! The outbox of a home in memory.

use super::{MemoryHome, WaitingLetter};
use crate::base::time::Time;
use crate::store::letter::{DeliveryError, FailureScope, LetterClaim, NotSent, OutboxReport};
use crate::store::outbox::letter_file::pause;
use crate::store::{Fault, Letter, Outbox};

/// The outbox of a home, for the process that sends.
#[derive(Debug)]
pub(super) struct MemoryOutbox {
    home: MemoryHome,
    report: OutboxReport,
}

impl MemoryOutbox {
    /// Opens the outbox; the caller has checked that nobody else sends.
    pub(super) fn new(home: &MemoryHome) -> Self {
        Self { home: home.clone(), report: OutboxReport::default() }
    }
}

impl Drop for MemoryOutbox {
    fn drop(&mut self) {
        self.home.state().is_sending = false;
    }
}

impl Outbox for MemoryOutbox {
    fn claim(&mut self, now: Time) -> Result<Vec<LetterClaim>, Fault> {
        let mut state = self.home.state();
        let due = state.outbox.iter().filter(|waiting| waiting.not_before <= now);
        let mut due: Vec<_> =
            due.map(|waiting| (waiting.tries, waiting.not_before, waiting.number)).collect();
        due.sort_unstable();
        state.is_sending = !due.is_empty();
        Ok(due.into_iter().map(|(.., number)| LetterClaim(number.to_string())).collect())
    }

    fn deliver(
        &mut self,
        claimed: &LetterClaim,
        now: Time,
        send: &mut dyn FnMut(&Letter) -> Result<(), NotSent>,
    ) -> Result<(), Fault> {
        let mut state = self.home.state();
        let is_claimed = |waiting: &WaitingLetter| waiting.number.to_string() == claimed.0;
        let Some(at) = state.outbox.iter().position(is_claimed) else { return Ok(()) };
        let mut letter = state.outbox.remove(at);
        let before = state.outbox.len();
        state.outbox.retain(|other| !replaces(&letter, other));
        self.report.replaced += before - state.outbox.len();
        match send(&letter.letter) {
            Ok(()) => self.report.sent += 1,
            Err(NotSent::PutOff(until)) => {
                self.report.put_off += 1;
                letter.not_before = until;
                state.outbox.push(letter);
            }
            Err(NotSent::Failed(DeliveryError { scope: FailureScope::Rejected, .. })) => {
                self.report.given_up += 1;
                state.given_up.push(letter);
            }
            Err(NotSent::Failed(_)) => {
                self.report.deferred += 1;
                letter.not_before = now + pause(letter.tries);
                letter.tries += 1;
                state.outbox.push(letter);
            }
        }
        Ok(())
    }

    fn report(&self) -> OutboxReport {
        self.report
    }
}

/// Returns whether a letter replaces an older one about the same board that failed.
fn replaces(newer: &WaitingLetter, other: &WaitingLetter) -> bool {
    let about =
        |waiting: &WaitingLetter| (waiting.letter.to.clone(), waiting.letter.thread.clone());
    let is_about_a_board = newer.letter.thread.is_some();
    is_about_a_board && other.tries > 0 && other.at < newer.at && about(newer) == about(other)
}
