//! Commands that find mistakes: `check` reads every board; `doctor` examines the machine, the
//! configuration, the mail server and the DNS records, whatever the number of boards.

pub(super) mod check;
mod dns_records;
pub(super) mod doctor;
mod engines;
pub(super) mod finding;
pub(super) mod service_view;
pub(super) mod unreadable;
