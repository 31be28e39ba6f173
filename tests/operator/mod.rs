//! The program as its operator runs it: commands, configuration, repairs, logs and alerts.

mod activation;
mod alerts;
mod announcements;
pub(crate) mod backup;
pub(crate) mod charts;
mod configuration;
mod demo;
mod dns;
mod doctor;
mod doors;
mod json;
mod logs;
mod manual;
mod metrics;
mod moderation;
mod packaging;
mod program;
mod progress;
mod recipes;
mod reference;
mod repairs;
mod resources;
pub(crate) mod run;
mod security;
mod setup;
mod trouble;
mod unreadable;
