//! Shared support of the tests: homes in memory and on disk, the program, its mails, databases.

pub(crate) mod faults;
pub(crate) mod files;
pub(crate) mod home;
pub(crate) mod letters;
pub(crate) mod moderation;
pub(crate) mod postgres;
pub(crate) mod program;
pub(crate) mod script;
pub(crate) mod simulated;
pub(crate) mod web;
