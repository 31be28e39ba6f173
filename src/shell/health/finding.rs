//! Findings of `check` and `doctor`, printed as lines or JSON.

use serde::Serialize;
use std::io::{self, Write};

/// The result of one examination.
#[derive(Debug, Serialize)]
pub(crate) struct Finding {
    /// What was examined.
    pub(crate) what: &'static str,
    pub(crate) is_well: bool,
    /// The state; if not well, with the remedy.
    pub(crate) told: String,
}

/// Returns a finding without problems.
pub(crate) fn healthy(what: &'static str, told: impl Into<String>) -> Finding {
    Finding { what, is_well: true, told: told.into() }
}

/// Returns a finding that the operator must act on.
pub(crate) fn problem(what: &'static str, told: impl Into<String>) -> Finding {
    Finding { what, is_well: false, told: told.into() }
}

/// Returns whether no finding is a problem.
pub(crate) fn are_healthy(findings: &[Finding]) -> bool {
    findings.iter().all(|finding| finding.is_well)
}

/// Prints findings as JSON.
pub(crate) fn write_json(findings: &[Finding], out: &mut dyn Write) -> io::Result<()> {
    let told = serde_json::to_string_pretty(findings).expect("text is JSON");
    writeln!(out, "{told}")
}
