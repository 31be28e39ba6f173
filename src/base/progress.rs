//! Progress of long work, reported to people who wait for it.

/// A receiver of progress reports.
pub trait Progress {
    /// Adds to the expected amount of work.
    fn expects(&self, more: usize);
    /// Adds to the amount of work done.
    fn advances(&self, done: usize);
}

/// A receiver that ignores all reports.
#[derive(Clone, Copy, Debug)]
pub struct NoProgress;

impl Progress for NoProgress {
    fn expects(&self, _more: usize) {}

    fn advances(&self, _done: usize) {}
}
