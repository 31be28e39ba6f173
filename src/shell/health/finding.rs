//! Findings of `check` and `doctor`, printed as lines or JSON.

use serde::Serialize;
use std::io::{self, Write};

/// The result of one examination.
#[derive(Debug, Serialize)]
pub(in crate::shell) struct Finding {
    /// What was examined.
    pub(in crate::shell) what: &'static str,
    pub(in crate::shell) is_well: bool,
    /// The state; if not well, with the remedy.
    pub(in crate::shell) told: String,
}

/// Returns a finding without problems.
pub(in crate::shell) fn healthy(what: &'static str, told: impl Into<String>) -> Finding {
    Finding { what, is_well: true, told: told.into() }
}

/// Returns a finding that the operator must act on.
pub(in crate::shell) fn problem(what: &'static str, told: impl Into<String>) -> Finding {
    Finding { what, is_well: false, told: told.into() }
}

/// Returns whether no finding is a problem.
pub(in crate::shell) fn are_healthy(findings: &[Finding]) -> bool {
    findings.iter().all(|finding| finding.is_well)
}

/// Prints findings as JSON.
pub(in crate::shell) fn write_json(findings: &[Finding], out: &mut dyn Write) -> io::Result<()> {
    let told = serde_json::to_string_pretty(findings).expect("text is JSON");
    writeln!(out, "{told}")
}
