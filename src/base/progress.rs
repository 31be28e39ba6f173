//! How far long work has come, for people who wait for it: told by the work, shown by the shell.

/// Hears how far work has come.
pub trait Progress {
    /// So much more work is left.
    fn expects(&self, more: usize);
    /// So much of it is done.
    fn advances(&self, done: usize);
}

/// Nobody waits.
#[derive(Clone, Copy, Debug)]
pub struct NoProgress;

impl Progress for NoProgress {
    fn expects(&self, _more: usize) {}

    fn advances(&self, _done: usize) {}
}
