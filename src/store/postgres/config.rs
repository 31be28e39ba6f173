//! Where a home is that is kept in a database.

use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// Where a home is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DatabaseConfig {
    /// `postgres://postboard@db.example.org/postboard`.
    pub url: String,
    /// The file whose first line is the password.
    pub password_file: Option<PathBuf>,
    /// How long a worker is believed to be alive that was not heard of.
    pub lease: Duration,
}
