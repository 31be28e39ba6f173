//! How far something long has come: a bar on a terminal, and nothing anywhere else.

use indicatif::{ProgressBar, ProgressStyle};
use std::cell::RefCell;

/// A bar on standard error, if that is a terminal.
#[derive(Debug)]
pub(super) struct Progress(RefCell<ProgressBar>);

impl Progress {
    /// None yet.
    pub(super) fn new() -> Self {
        Self(RefCell::new(ProgressBar::hidden()))
    }

    /// Something begins, of about so many steps.
    pub(super) fn begin(&self, what: &'static str, steps: u64) {
        self.0.borrow().finish_and_clear();
        let bar = ProgressBar::new(steps).with_message(what);
        let style = ProgressStyle::with_template("{msg} {wide_bar} {human_pos}/{human_len} {eta}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        *self.0.borrow_mut() = bar;
    }

    /// So many steps more are done.
    pub(super) fn add(&self, steps: u64) {
        self.0.borrow().inc(steps);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.borrow().finish_and_clear();
    }
}
