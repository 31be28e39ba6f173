//! `[store]`: the database with the home.

use super::keys;
use super::section::{ConfigError, Section};
use crate::store::postgres::{DatabaseConfig, LEASE};
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

/// Reads the section. None if the home is in files.
pub(super) fn read(section: &Section) -> Result<Option<DatabaseConfig>, ConfigError> {
    let Some(url) = section.secret("url", without_password)? else {
        return match section.get("password_file").or(section.get("lease_seconds")) {
            Some(value) => {
                Err(ConfigError::at(value, "it requires `url`, which is missing".into()))
            }
            None => Ok(None),
        };
    };
    if !["postgres://", "postgresql://"].iter().any(|begin| url.get_ref().starts_with(begin)) {
        // The value is not quoted, since it may contain a password.
        let what = "`url` must be like \"postgres://postboard@db.example.org/postboard\"";
        return Err(ConfigError::at(&url, what.into()));
    }
    let usual = u32::try_from(LEASE.as_secs()).unwrap_or(u32::MAX);
    let lease = section.whole("lease_seconds", 1..=100_000, usual)?;
    Ok(Some(DatabaseConfig {
        url: Spanned::into_inner(url),
        password_file: section.path("password_file")?.map(Into::into),
        lease: Duration::from_secs(lease.into()),
    }))
}

/// Returns a configuration with another `[store]` section: the database at `url`, or none. The rest
/// of the text stays as it is.
///
/// # Errors
/// The text is not a valid configuration.
pub fn with_store_url(text: &str, url: Option<&str>) -> Result<String, String> {
    let mut config: DocumentMut = text.parse().map_err(|_| "invalid TOML".to_owned())?;
    let no_section = "`store` must be a section";
    match url {
        Some(url) => {
            let store = config.entry("store").or_insert(toml_edit::table());
            store.as_table_mut().ok_or(no_section)?.insert("url", toml_edit::value(url));
        }
        None => {
            if let Some(store) = config.get_mut("store") {
                let store = store.as_table_mut().ok_or(no_section)?;
                for key in keys::in_section("store") {
                    store.remove(key);
                }
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
        assert!(Config::read(&with_store_url(&lasting, None).unwrap()).unwrap().store.is_none());
        assert!(
            with_store_url("store = 1", Some(url)).is_err() && with_store_url("[", None).is_err()
        );
    }
}
