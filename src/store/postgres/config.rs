//! The configuration of a home in a database.

use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// How to reach the database of a home.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DatabaseConfig {
    /// `postgres://postboard@db.example.org/postboard`.
    pub url: String,
    /// The file with the password in its first line.
    pub password_file: Option<PathBuf>,
    /// How long a silent worker counts as alive.
    pub lease: Duration,
}
