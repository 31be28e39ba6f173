//! `[store]`: the database with the home, and how databases are reached.

use super::section::{ConfigError, Section};
use crate::store::postgres::{DatabaseConfig, LEASE};
use std::path::{Path, PathBuf};
use std::time::Duration;
use toml::Spanned;
use toml_edit::DocumentMut;

/// Returns the address of a database without its password.
fn without_password(url: &str) -> String {
    let (place, query) = url.split_once('?').unwrap_or((url, ""));
    let place = match (place.split_once("://"), place.rsplit_once('@')) {
        (Some((scheme, rest)), Some((_, host))) => {
            let user = rest.split([':', '@']).next().unwrap_or_default();
            format!("{scheme}://{user}@{host}")
        }
        _ => place.to_owned(),
    };
    let is_open = |word: &&str| !word.is_empty() && !word.starts_with("password");
    let query: Vec<&str> = query.split('&').filter(is_open).collect();
    if query.is_empty() { place } else { format!("{place}?{}", query.join("&")) }
}

/// How databases are reached: all of `[store]` but the URL. It stays while the home is in files, so that
/// `move-home` can use it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreAccess {
    /// The file whose first line is the password.
    pub password_file: Option<PathBuf>,
    /// How long a silent worker counts as alive.
    pub lease: Duration,
}

impl StoreAccess {
    /// Returns the configuration of a home in the database at `url`.
    pub fn database(&self, url: String) -> DatabaseConfig {
        DatabaseConfig { url, password_file: self.password_file.clone(), lease: self.lease }
    }
}

/// Returns whether a text begins as the URL of a database.
pub(crate) fn is_database_url(text: &str) -> bool {
    ["postgres://", "postgresql://"].iter().any(|scheme| text.starts_with(scheme))
}

/// Reads the section: the URL, which is missing if the home is in files, and the rest.
pub(super) fn read(section: &Section) -> Result<(Option<String>, StoreAccess), ConfigError> {
    let url = section.secret("url", without_password)?;
    if let Some(url) = url.as_ref().filter(|url| !is_database_url(url.get_ref())) {
        // The value is not quoted, since it may contain a password.
        let what = "`url` must be like \"postgres://postboard@db.example.org/postboard\"";
        return Err(ConfigError::at(url, what.into()));
    }
    let usual = u32::try_from(LEASE.as_secs()).unwrap_or(u32::MAX);
    let lease = section.whole("lease_seconds", 1..=100_000, usual)?;
    let access = StoreAccess {
        password_file: section.path("password_file")?.map(Into::into),
        lease: Duration::from_secs(lease.into()),
    };
    Ok((url.map(Spanned::into_inner), access))
}

/// Returns a configuration that says where the home is kept: in the database at `url`, or in files. The rest
/// of the text stays as it is.
///
/// # Errors
/// The text is not a valid configuration.
pub fn with_store_url(text: &str, url: Option<&str>) -> Result<String, String> {
    with_store_key(text, "url", url)
}

/// Returns a configuration in which the file `path` has the password of the database.
///
/// # Errors
/// The text is not a valid configuration.
pub fn with_store_password_file(text: &str, path: &Path) -> Result<String, String> {
    let path = path.to_str().ok_or("the path of the password file is not UTF-8")?;
    with_store_key(text, "password_file", Some(path))
}

fn with_store_key(text: &str, key: &str, value: Option<&str>) -> Result<String, String> {
    let mut config: DocumentMut = text.parse().map_err(|_| "invalid TOML".to_owned())?;
    let no_section = "`store` must be a section";
    match value {
        Some(value) => {
            let store = config.entry("store").or_insert(toml_edit::table());
            store.as_table_mut().ok_or(no_section)?.insert(key, toml_edit::value(value));
        }
        None => {
            if let Some(store) = config.get_mut("store") {
                store.as_table_mut().ok_or(no_section)?.remove(key);
            }
        }
    }
    Ok(config.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::store::settings::ProcessEnv;

    #[test]
    fn a_password_in_the_address_is_not_shown() {
        for (url, shown) in [
            ("postgres://me@db/games", "postgres://me@db/games"),
            ("postgres://me:h@idden@db/games", "postgres://me@db/games"),
            ("postgres:///games?host=/run&password=hidden", "postgres:///games?host=/run"),
            ("postgres://db/games", "postgres://db/games"),
        ] {
            assert_eq!(without_password(url), shown);
        }
        let text = "address = \"a@b.example\"\n[store]\nurl = \"postgres://me:hidden@db/games\"\n";
        let layered = Config::layered(text, &ProcessEnv::default()).unwrap();
        assert_eq!(layered.config.store.unwrap().url, "postgres://me:hidden@db/games");
        assert!(!format!("{:?}", layered.in_force).contains("hidden"));
    }

    #[test]
    fn a_configuration_says_where_the_home_is_kept_and_else_stays_as_it_is() {
        let url = "postgres://me@db.example/games";
        let text = crate::config::SAMPLE;
        let there = with_store_url(text, Some(url)).unwrap();
        assert_eq!(Config::read(&there).unwrap().store.unwrap().url, url);
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        let (before, after) = (lines(text), lines(&there));
        assert_eq!(after.iter().filter(|line| !before.contains(line)).count(), 1, "{there}");
        assert_eq!(with_store_url(&there, None).unwrap(), text);
        assert_eq!(with_store_url(&there, Some(url)).unwrap(), there);

        let text = "address = \"a@b.example\"\n";
        let there = with_store_url(text, Some(url)).unwrap();
        assert_eq!(Config::read(&there).unwrap().store.unwrap().url, url);
        let lasting = there.clone() + "password_file = \"/w\"\nlease_seconds = 9\n";
        let in_files = Config::read(&with_store_url(&lasting, None).unwrap()).unwrap();
        assert!(in_files.store.is_none());
        // What a move back into a database needs is still there.
        let back = in_files.store_access.database(url.to_owned());
        assert_eq!(Config::read(&lasting).unwrap().store, Some(back));
        let named = with_store_password_file(&there, Path::new("/w")).unwrap();
        let place = Config::read(&named).unwrap().store.unwrap();
        assert_eq!(place.password_file.as_deref(), Some(Path::new("/w")));
        assert!(
            with_store_url("store = 1", Some(url)).is_err() && with_store_url("[", None).is_err()
        );
    }
}
