//! Findings of `check` and `doctor`, printed as lines or JSON.

use std::io::{self, Write};

pub(crate) use crate::web::Finding;

/// Returns a finding without problems.
pub(crate) fn healthy(subject: &'static str, message: impl Into<String>) -> Finding {
    Finding { subject, is_well: true, message: message.into() }
}

/// Returns a finding that the operator must act on.
pub(crate) fn problem(subject: &'static str, message: impl Into<String>) -> Finding {
    Finding { subject, is_well: false, message: message.into() }
}

/// Returns whether no finding is a problem.
pub(crate) fn are_healthy(findings: &[Finding]) -> bool {
    findings.iter().all(|finding| finding.is_well)
}

/// Prints findings as JSON.
pub(crate) fn write_json(findings: &[Finding], out: &mut dyn Write) -> io::Result<()> {
    let text = serde_json::to_string_pretty(findings).expect("text is JSON");
    writeln!(out, "{text}")
}
