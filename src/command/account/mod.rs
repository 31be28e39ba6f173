//! Verbs about a user: signing up and leaving, password and addresses, preferences, vacations and
//! rests; and the forms of the web that sign a user in or out, let a guest play, make keys for
//! programs, and add browsers that get notices.

pub mod browsers;
pub(crate) mod change;
pub(crate) mod confirm_address;
pub(crate) mod export;
pub(crate) mod forgot;
pub mod guest;
pub(crate) mod leave;
pub(crate) mod limit;
pub(crate) mod new_token;
pub(crate) mod preferences;
pub(crate) mod profile;
pub mod program_key;
pub(crate) mod rest;
pub mod signin;
pub(crate) mod signup;
pub(crate) mod vacation;
