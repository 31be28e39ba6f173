//! Postboard: board games by mail and in a browser.
//!
//! The core is pure: a command decides from documents, its words, the time and random numbers, and returns
//! events and an answer, or a refusal. Only [`store`], [`post`], [`engine`], [`intake`], [`web`], the
//! sockets and signals of [`shell`], the watchdog of [`base`] and the binary touch the machine.
//!
//! ```text
//!  bytes --mail::Message--> requests --command::parse--> commands          pure
//!                                      needs: which documents? --+
//!  disk ---store (under the lock)----> World --------------------+          I/O
//!  clock, entropy --------main-------> Context{now, chance, ..} -+          I/O
//!                                                                v
//!                    Command::decide(&World, &mut Context) -> Decision | Refusal   pure
//!                    World::apply(&Event)          (the only writer)               pure
//!                    reply::compose(&World, &Origin, &Answer, &[Event], ..) -> mails  pure
//!                                                                v
//!  disk <--store::commit(changed documents, letters and receipts, as one)     I/O
//!  transport <--post, from the outbox                                          I/O
//! ```
//!
//! `docs/architecture` explains each part. [`server`] contains the stages of a mail, [`shell`] the
//! operator's commands.

pub mod base;
pub mod command;
pub mod config;
pub mod engine;
pub mod intake;
pub mod mail;
pub mod model;
pub mod post;
pub mod refusal;
pub mod reply;
pub mod server;
pub mod shell;
pub mod store;
pub mod web;
