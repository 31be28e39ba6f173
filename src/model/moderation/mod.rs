//! Fair play: reports of players, sanctions and bans, and the log of all acts of the operator and
//! the administrators.
//!
//! | file | contains |
//! |---|---|
//! | `report.rs` | a report of a player, with the messages that it is about |
//! | `docket.rs` | the open reports, the administrators, and the end of the log |
//! | `audit.rs` | the log of all acts: pages of entries, each with a digest of all before it |
//! | `sanction.rs` | a mute, a suspension or a ban, in the document of its user |
//! | `ban.rs` | addresses, domains and networks from which nobody can sign up |

mod audit;
mod ban;
mod docket;
mod report;
mod sanction;
#[cfg(test)]
mod tests;

pub use audit::{Act, AuditEntry, AuditPage, AuditRecord, NO_CHAIN, PAGE, audit_key};
pub use ban::{Ban, BanEvent, BanSubject, ban_key, ban_keys};
pub use docket::{Docket, docket_key};
pub use report::{FiledReport, Quotation, Report, Settlement, report_key};
pub use sanction::{Sanction, SanctionKind};
