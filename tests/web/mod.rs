//! The boards in a browser: requests to the pages themselves, in this process, over a home in memory.

mod accounts;
mod attacks;
mod browser;
mod described;
mod encrypted;
mod forwarding;
mod limits;
mod live;
mod metrics;
mod pages;
mod play;
mod programs;
mod proxies;
mod real;
mod unsubscribe;
