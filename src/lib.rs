//! Postboard: board games by mail.
//!
//! ```text
//!  bytes --message::parse--> Message --command::parse--> Command --+          pure
//!                                        needs: which documents? --+
//!  disk ---store::load (under the lock)---> World -----------------+          I/O
//!  clock, entropy --------main-----------> Context{now, dice} -----+          I/O
//!                                                                  v
//!                    Command::decide(&World, &mut Context) -> Decision | Refusal   pure
//!                    World::apply(&Event)          (the only writer)               pure
//!                    reply::compose(&World, &Decision) -> mails                    pure
//!                                                                  v
//!  disk <--store::commit(changed documents + mails + seen-record, as one)     I/O
//!  transport <--post::flush(outbox)                                           I/O
//! ```

pub mod app;
pub mod board;
pub mod check;
pub mod cli;
pub mod clock;
pub mod command;
pub mod config;
pub mod console;
pub mod demo;
pub mod event;
pub mod ids;
pub mod inbox;
pub mod mailbox;
pub mod manual;
pub mod message;
pub mod once;
pub mod operator;
pub mod opponent;
pub mod password;
pub mod post;
pub mod rating;
pub mod refusal;
pub mod remedy;
pub mod remind;
pub mod render;
pub mod reply;
pub mod seeks;
pub mod server;
pub mod store;
pub mod token;
pub mod tools;
pub mod user;
pub mod valve;
pub mod world;
