//! All integration tests of the server, in one binary.

mod demo;
mod script;
mod store;
mod tables;
