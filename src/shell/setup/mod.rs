//! New homes: an empty one (`init`), one made with questions and a test mail (`setup`), a temporary
//! one for a game by mail (`demo`), and one full of boards (`serve --demo`).
//!
//! `setup` asks in `interview`; `answers` turn into a configuration, `providers` knows mailboxes, `service`
//! the units of systemd, and `trial` sends the test mail.

mod answers;
pub mod demo;
pub(super) mod demo_home;
pub(super) mod init;
pub(super) mod interview;
mod providers;
mod service;
mod trial;
