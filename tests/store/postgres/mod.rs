//! A home in `PostgreSQL`, shared by workers, behind connections that break.

mod every_verb;
mod failover;
pub(crate) mod proxy;
pub(crate) mod workers;
