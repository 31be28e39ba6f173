//! The outbox of a home in memory.

use super::{MemoryHome, WaitingLetter};
use crate::base::time::Time;
use crate::store::letter::{DeliveryError, LetterClaim, OutboxReport};
use crate::store::outbox::letter_file::pause;
use crate::store::{Fault, Letter, Letters};

/// The outbox of the process that sends.
#[derive(Debug)]
pub(super) struct MemoryLetters {
    home: MemoryHome,
    report: OutboxReport,
}

impl MemoryLetters {
    /// That of a home, which nobody else sends then.
    pub(super) fn new(home: &MemoryHome) -> Self {
        Self { home: home.clone(), report: OutboxReport::default() }
    }
}

impl Drop for MemoryLetters {
    fn drop(&mut self) {
        self.home.kept().is_sending = false;
    }
}

impl Letters for MemoryLetters {
    fn claim(&mut self, now: Time) -> Result<Vec<LetterClaim>, Fault> {
        let mut kept = self.home.kept();
        let due = kept.outbox.iter().filter(|waiting| waiting.not_before <= now);
        let mut due: Vec<_> =
            due.map(|waiting| (waiting.tries, waiting.not_before, waiting.number)).collect();
        due.sort_unstable();
        kept.is_sending = !due.is_empty();
        Ok(due.into_iter().map(|(.., number)| LetterClaim(number.to_string())).collect())
    }

    fn deliver(
        &mut self,
        claimed: &LetterClaim,
        now: Time,
        send: &mut dyn FnMut(&Letter) -> Result<(), DeliveryError>,
    ) -> Result<(), Fault> {
        let mut kept = self.home.kept();
        let is_this = |waiting: &WaitingLetter| waiting.number.to_string() == claimed.0;
        let Some(at) = kept.outbox.iter().position(is_this) else { return Ok(()) };
        let mut this = kept.outbox.remove(at);
        let before = kept.outbox.len();
        kept.outbox.retain(|other| !replaces(&this, other));
        self.report.replaced += before - kept.outbox.len();
        match send(&this.letter) {
            Ok(()) => self.report.sent += 1,
            Err(DeliveryError { permanent: true, why, .. }) => {
                self.report.failed += 1;
                kept.given_up.push((this, why));
            }
            Err(_) => {
                self.report.kept += 1;
                this.not_before = now + pause(this.tries);
                this.tries += 1;
                kept.outbox.push(this);
            }
        }
        Ok(())
    }

    fn report(&self) -> OutboxReport {
        self.report
    }
}

/// Whether a letter takes the place of an older one about the same board, which failed.
fn replaces(this: &WaitingLetter, other: &WaitingLetter) -> bool {
    let about =
        |waiting: &WaitingLetter| (waiting.letter.to.clone(), waiting.letter.thread.clone());
    let is_about_a_board = this.letter.thread.is_some();
    is_about_a_board && other.tries > 0 && other.at < this.at && about(this) == about(other)
}
