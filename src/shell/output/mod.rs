//! What the operator reads: safe text, progress bars, lists, faults with their remedies, completions
//! and the manual page.

pub(super) mod list;
pub mod manual;
pub mod printable;
pub(crate) mod progress;
pub mod remedy;
