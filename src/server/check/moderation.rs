//! Checks the log of acts, which nobody may change, and the list of open reports.

use super::{HomeCheck, Versioned};
use crate::model::document::Document as _;
use crate::model::moderation::{
    AuditPage, Docket, NO_CHAIN, PAGE, Report, audit_key, docket_key, report_key,
};
use crate::store::Fault;

/// Checks the documents of moderation against each other. Damaged ones are reported elsewhere. Nothing
/// is mended: what is missing was written once, and somebody must find out who removed it.
pub(super) fn check(home: &mut HomeCheck) -> Result<(), Fault> {
    let read = home.find(&docket_key(), |text| Docket::from_text(&(), text))?;
    let Some(Versioned { content, .. }) = read else { return Ok(()) };
    let docket = content.unwrap_or_default();
    check_log(&docket, home)?;
    for number in 1..=docket.reports {
        let read = home.find(&report_key(number), |text| Report::from_text(&number, text))?;
        let Some(Versioned { content, .. }) = read else { continue };
        let Some(report) = content else {
            home.note_wrong(format!("report {number} is missing"));
            continue;
        };
        if report.settled.is_none() != docket.open.contains(&number) {
            home.note_wrong(format!(
                "{} and {} differ about report {number}",
                docket_key(),
                report_key(number)
            ));
        }
    }
    Ok(())
}

/// Follows the digests through the log, up to the one that the docket names.
fn check_log(docket: &Docket, home: &mut HomeCheck) -> Result<(), Fault> {
    let (mut next, mut chain) = (1, NO_CHAIN.to_owned());
    // The page after the last must be empty, or entries were added without the docket.
    for page in 0..=docket.entries / PAGE + 1 {
        let key = audit_key(page);
        let read = home.find(&key, |text| AuditPage::from_text(&page, text))?;
        let Some(Versioned { content, .. }) = read else { return Ok(()) };
        for entry in content.unwrap_or_default().entries {
            if !entry.follows(next, &chain) {
                home.note_wrong(format!(
                    "{key}: entry {next} of the log was changed, or one before it"
                ));
                return Ok(());
            }
            (next, chain) = (next + 1, entry.chain);
        }
    }
    if (next - 1, &chain) != (docket.entries, &docket.chain) {
        let found = next - 1;
        home.note_wrong(format!(
            "the log of acts has {found} entries, but {} counts {}",
            docket_key(),
            docket.entries
        ));
    }
    Ok(())
}
