//! Findings of `check` and `doctor`, printed as lines or JSON.

use serde::Serialize;
use std::io::{self, Write};

/// The result of one examination.
#[derive(Debug, Serialize)]
pub(super) struct Finding {
    /// What was examined.
    pub(super) what: &'static str,
    pub(super) is_well: bool,
    /// The state; if not well, with the remedy.
    pub(super) told: String,
}

/// Returns a finding without problems.
pub(super) fn well(what: &'static str, told: impl Into<String>) -> Finding {
    Finding { what, is_well: true, told: told.into() }
}

/// Returns a finding that the operator must act on.
pub(super) fn wrong(what: &'static str, told: impl Into<String>) -> Finding {
    Finding { what, is_well: false, told: told.into() }
}

/// Returns whether no finding is a problem.
pub(super) fn are_well(findings: &[Finding]) -> bool {
    findings.iter().all(|finding| finding.is_well)
}

/// Prints findings as JSON.
pub(super) fn write_json(findings: &[Finding], out: &mut dyn Write) -> io::Result<()> {
    let told = serde_json::to_string_pretty(findings).expect("text is JSON");
    writeln!(out, "{told}")
}
