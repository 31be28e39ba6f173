//! The web pages and API: requests to the router over a home in memory, the real program over
//! connections, and Chromium.

mod accounts;
mod administration;
mod analysis;
mod app;
mod attacks;
mod board_page;
mod browser;
mod described;
mod encrypted;
mod forms;
mod forwarding;
mod guests;
mod ladders;
mod limits;
mod lists;
mod live;
mod metrics;
mod moderation;
mod pages;
mod people;
mod plans;
mod play;
mod programs;
mod proxies;
mod push;
pub(crate) mod real;
pub(crate) mod setup;
mod tournaments;
mod unsubscribe;
mod welcome;
