//! The pages, each in a file named after its address. [`router`](super::router) has the addresses.

pub(super) mod account;
pub(super) mod board;
pub(super) mod command;
pub(super) mod feed;
pub(super) mod game;
pub(super) mod help;
pub(super) mod home;
pub(super) mod metrics;
pub(super) mod my_boards;
pub(super) mod player;
pub(super) mod settings;
pub(super) mod standings;
pub(super) mod thumbnails;
pub(super) mod unsubscribe;
