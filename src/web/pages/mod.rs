//! The pages, each in a file named after its address. The addresses are in the
//! [`router`](super::router).

pub(super) mod account;
pub(super) mod app;
pub(super) mod begin;
pub(super) mod board;
pub(super) mod calendar;
pub(super) mod command;
pub(super) mod feed;
pub(super) mod game;
pub(super) mod guest;
pub(super) mod help;
pub(super) mod history;
pub(super) mod home;
pub(super) mod ladder;
pub(super) mod ladders;
pub(super) mod learn;
pub(super) mod metrics;
pub(super) mod moderation;
pub(super) mod my_boards;
mod own_profile;
pub(super) mod player;
pub(super) mod players;
pub(super) mod push;
pub(super) mod report;
mod secret_page;
pub(super) mod settings;
pub(super) mod sign_in;
pub(super) mod sign_up;
pub(super) mod standings;
pub(super) mod study;
pub(super) mod thumbnails;
mod times;
pub(super) mod tournament;
pub(super) mod tournaments;
mod trial;
pub(super) mod unsubscribe;
pub(super) mod watch;
