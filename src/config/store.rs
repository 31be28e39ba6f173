//! `[store]`: where the home is kept, if not in its folder.

use super::section::{Section, Wrong};
use crate::store::postgres::{LEASE, Place};
use std::time::Duration;
use toml::Spanned;

/// The address of a database as it may be shown.
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

/// The database that keeps the home; none where files do.
pub(super) fn read(section: &Section) -> Result<Option<Place>, Wrong> {
    let Some(url) = section.secret("url", without_password)? else {
        return match section.get("password_file").or(section.get("lease_seconds")) {
            Some(value) => Err(Wrong::at(value, "it belongs to a `url`, which is missing".into())),
            None => Ok(None),
        };
    };
    if !["postgres://", "postgresql://"].iter().any(|begin| url.get_ref().starts_with(begin)) {
        // It may have a password in it.
        let what = "`url` must be like \"postgres://postboard@db.example.org/postboard\"";
        return Err(Wrong::at(&url, what.into()));
    }
    let usual = u32::try_from(LEASE.as_secs()).unwrap_or(u32::MAX);
    let lease = section.whole("lease_seconds", 1..=100_000, usual)?;
    Ok(Some(Place {
        url: Spanned::into_inner(url),
        password_file: section.path("password_file")?.map(Into::into),
        lease: Duration::from_secs(lease.into()),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::store::settings::Around;

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
        let layered = Config::layered(text, &Around::default()).unwrap();
        assert_eq!(layered.config.store.unwrap().url, "postgres://me:hidden@db/games");
        assert!(!format!("{:?}", layered.in_force).contains("hidden"));
    }
}
