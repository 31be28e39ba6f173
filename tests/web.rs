//! The boards in a browser: requests to the pages themselves, in this process, over a home in memory.

mod pages;
mod town;
