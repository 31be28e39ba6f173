//! Mails of a spool that come later than their turn.

use super::mail_name::{SpoolName, Strands};

/// A mail that comes again; those of its strands wait for it.
#[derive(Debug)]
pub(super) struct DeferredMail {
    pub(super) name: SpoolName,
    /// Unknown of a mail that cannot be read.
    pub(super) strands: Option<Strands>,
}

impl DeferredMail {
    /// Whether a mail has to wait for this one.
    pub(super) fn holds(&self, name: &str, strands: &Strands) -> bool {
        *self.name.name < *name && self.strands.as_ref().is_none_or(|own| !own.is_disjoint(strands))
    }
}
