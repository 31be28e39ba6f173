//! New homes: an empty one (`init`), one made with questions and a test mail (`setup`), a temporary
//! one for a game by mail (`demo`), and one full of boards (`serve --demo`).
//!
//! `setup` asks in `interview` what [`crate::config::setup`] knows; `service` knows the units of systemd. The
//! test mail is sent in [`crate::shell::run`], since it needs the services of a server.

pub mod demo;
pub(super) mod demo_home;
pub(super) mod init;
pub(super) mod interview;
pub(super) mod mail_server;
mod service;
pub(super) mod writing;
