//! Progress bars on standard error, if it is a terminal.

use crate::base::progress::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::cell::RefCell;
use std::io::Read;
use std::time::Duration;

/// The template for work with a known end. No colours; as wide as the terminal.
const BAR: &str = "{msg} [{wide_bar}] {human_pos} of {human_len}, {eta} left";
/// The template for a known number of bytes.
const BYTES: &str = "{msg} [{wide_bar}] {bytes} of {total_bytes}, {eta} left";
/// The template for work with an unknown end.
const COUNT: &str = "{msg}: {human_pos} in {elapsed}";

/// How often the elapsed time is redrawn.
const TICK: Duration = Duration::from_millis(200);

/// Where bars are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgressOutput {
    /// On standard error, if it is a terminal.
    StandardError,
    /// Nowhere.
    Nowhere,
}

/// A bar. It disappears when dropped.
#[derive(Debug)]
pub(crate) struct Bar(ProgressBar);

impl ProgressOutput {
    /// Returns a bar for work that announces its amount.
    pub(crate) fn bar(self, what: &'static str) -> Bar {
        self.drawn(what, Some(0), BAR)
    }

    /// Returns a bar for reading `total` bytes. If the total is unknown, shows only the bytes read.
    pub(crate) fn bytes(self, what: &'static str, total: Option<u64>) -> Bar {
        self.drawn(what, total, if total.is_some() { BYTES } else { "{msg}: {bytes} in {elapsed}" })
    }

    /// Returns a counter for work whose amount is unknown.
    pub(crate) fn count(self, what: &'static str) -> Bar {
        self.drawn(what, None, COUNT)
    }

    fn drawn(self, what: &'static str, total: Option<u64>, style: &str) -> Bar {
        let target = match self {
            Self::StandardError => ProgressDrawTarget::stderr(),
            Self::Nowhere => ProgressDrawTarget::hidden(),
        };
        let style = ProgressStyle::with_template(style).expect("a test draws each");
        let bar = ProgressBar::with_draw_target(total, target);
        bar.set_style(style.progress_chars("=> "));
        bar.set_message(what);
        Bar(bar)
    }
}

impl Bar {
    /// Hides the bar during work that writes to the terminal.
    pub(crate) fn aside<T>(&self, work: impl FnOnce() -> T) -> T {
        self.0.suspend(work)
    }

    /// Keeps the elapsed time running while the work reports nothing.
    pub(crate) fn ticks(&self) {
        self.0.enable_steady_tick(TICK);
    }

    /// Counts anew, up to `total`.
    pub(crate) fn begin(&self, total: u64) {
        self.0.reset();
        self.0.set_length(total);
    }

    /// Wraps a stream whose bytes are counted as they are read.
    pub(crate) fn reading<R: Read>(&self, input: R) -> indicatif::ProgressBarIter<R> {
        self.0.wrap_read(input)
    }
}

/// Successive bars for work with several parts.
#[derive(Debug)]
pub(crate) struct ProgressParts {
    screen: ProgressOutput,
    bar: RefCell<Option<Bar>>,
}

impl ProgressParts {
    /// Returns an empty sequence.
    pub(crate) const fn new(screen: ProgressOutput) -> Self {
        Self { screen, bar: RefCell::new(None) }
    }

    /// Begins a part of about `steps` steps.
    pub(crate) fn begin(&self, what: &'static str, steps: u64) {
        // Remove the previous bar first.
        drop(self.bar.take());
        *self.bar.borrow_mut() = Some(self.screen.drawn(what, Some(steps), BAR));
    }

    /// Adds done steps to the current part.
    pub(crate) fn add(&self, steps: u64) {
        if let Some(Bar(bar)) = &*self.bar.borrow() {
            bar.inc(steps);
        }
    }
}

impl Progress for Bar {
    fn expects(&self, more: usize) {
        self.0.inc_length(more as u64);
    }

    fn advances(&self, done: usize) {
        self.0.inc(done as u64);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_as_far_as_the_work() {
        let bar = ProgressOutput::Nowhere.bar("boards");
        bar.expects(3);
        bar.expects(2);
        bar.advances(4);
        assert_eq!((bar.0.position(), bar.0.length()), (4, Some(5)));
        let parts = ProgressParts::new(ProgressOutput::Nowhere);
        parts.begin("users", 7);
        parts.add(1);
        parts.begin("boards", 9);
        parts.add(2);
        parts.add(3);
        let bar = parts.bar.borrow();
        let Bar(bar) = bar.as_ref().unwrap();
        assert_eq!((bar.position(), bar.length(), bar.message().as_str()), (5, Some(9), "boards"));
    }
}
