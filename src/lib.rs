//! Postboard: board games by mail.
//!
//! ```text
//!  bytes --mail::parse--> Message --command::parse--> Command --+          pure
//!                                        needs: which documents? --+
//!  disk ---store::load (under the lock)---> World -----------------+          I/O
//!  clock, entropy --------main-----------> Context{now, dice} -----+          I/O
//!                                                                  v
//!                    Command::decide(&World, &mut Context) -> Decision | Refusal   pure
//!                    World::apply(&Event)          (the only writer)               pure
//!                    reply::compose(&World, &Decision) -> mails                    pure
//!                                                                  v
//!  disk <--store::commit(changed documents + mails + receipts, as one)     I/O
//!  transport <--post::flush(outbox)                                           I/O
//! ```

pub mod base;
pub mod command;
pub mod config;
pub mod mail;
pub mod model;
pub mod post;
pub mod refusal;
pub mod reply;
pub mod server;
pub mod shell;
pub mod store;
pub mod web;
