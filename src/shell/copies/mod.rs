//! Commands about a whole home: a backup, its proof, a home made from one, a move between files and a database,
//! and the upgrade to this version.

pub(super) mod backup;
pub(super) mod check_backup;
pub(super) mod found_backup;
pub(super) mod move_home;
pub(super) mod restore;
pub(super) mod upgrade;
