//! The findings of `check` and `doctor`, as lines or as JSON.

use serde::Serialize;
use std::io::{self, Write};

/// Something that was looked at.
#[derive(Debug, Serialize)]
pub(super) struct Finding {
    /// The offer.
    pub(super) what: &'static str,
    pub(super) is_well: bool,
    /// How it is; where it is not well, what to do about it.
    pub(super) told: String,
}

/// All is well with it.
pub(super) fn well(what: &'static str, told: impl Into<String>) -> Finding {
    Finding { what, is_well: true, told: told.into() }
}

/// The operator has to mend it.
pub(super) fn wrong(what: &'static str, told: impl Into<String>) -> Finding {
    Finding { what, is_well: false, told: told.into() }
}

/// Whether nothing has to be mended.
pub(super) fn are_well(findings: &[Finding]) -> bool {
    findings.iter().all(|finding| finding.is_well)
}

/// All of it for scripts.
pub(super) fn write_json(findings: &[Finding], out: &mut dyn Write) -> io::Result<()> {
    let told = serde_json::to_string_pretty(findings).expect("text is JSON");
    writeln!(out, "{told}")
}
