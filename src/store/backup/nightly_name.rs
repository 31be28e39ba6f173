//! The names of nightly backups. They alone tell which backups belong together, since the machine cannot read those
//! that it has encrypted.

use crate::base::time::Day;
use std::fmt;

/// How every name begins.
const BEGIN: &str = "postboard-";
/// How every name ends, if the backup is not encrypted.
const END: &str = ".tar.gz";
/// The further ending of the name of an encrypted backup.
const ENCRYPTED: &str = ".age";
/// Precedes the night of the whole backup, in the name of one with changes.
const SINCE: &str = "-since-";

/// The name of a nightly backup: `postboard-2026-11-20.tar.gz` is a whole one,
/// `postboard-2026-11-26-since-2026-11-20.tar.gz` contains the changes since it. `.age` follows if it is encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NightlyName {
    /// The night.
    pub night: Day,
    /// The night of the whole backup, if it contains the changes since then.
    pub since: Option<Day>,
    /// Whether it is encrypted.
    pub is_encrypted: bool,
}

/// Returns whether the day of a backup lies more than a day ahead.
pub(super) fn is_ahead(day: Day, today: Day) -> bool {
    day > today.plus(1)
}

impl NightlyName {
    /// Reads a name; `None` for files of others.
    pub fn parse(name: &str) -> Option<Self> {
        let plain = name.strip_suffix(ENCRYPTED);
        let nights = plain.unwrap_or(name).strip_prefix(BEGIN)?.strip_suffix(END)?;
        let (night, since) = match nights.split_once(SINCE) {
            Some((night, since)) => (night, Some(Day::parse(since)?)),
            None => (nights, None),
        };
        Some(Self { night: Day::parse(night)?, since, is_encrypted: plain.is_some() })
    }

    /// Returns whether its night lies more than a day ahead: a clock was wrong, or is.
    #[must_use]
    pub fn is_ahead(self, today: Day) -> bool {
        is_ahead(self.night, today)
    }

    /// Returns the whole backup that a backup of changes needs.
    #[must_use]
    pub fn whole(self) -> Option<Self> {
        self.since.map(|night| Self { night, since: None, ..self })
    }
}

impl fmt::Display for NightlyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{BEGIN}{}", self.night)?;
        if let Some(since) = self.since {
            write!(f, "{SINCE}{since}")?;
        }
        f.write_str(END)?;
        f.write_str(if self.is_encrypted { ENCRYPTED } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_tells_its_nights_and_other_files_have_none() {
        for text in [
            "postboard-2026-11-26.tar.gz",
            "postboard-2026-11-26.tar.gz.age",
            "postboard-2026-11-26-since-2026-11-20.tar.gz",
            "postboard-2026-11-26-since-2026-11-20.tar.gz.age",
        ] {
            assert_eq!(NightlyName::parse(text).unwrap().to_string(), text);
        }
        let whole = |text| NightlyName::parse(text).unwrap().whole().map(|it| it.to_string());
        assert_eq!(
            whole("postboard-2026-11-26-since-2026-11-20.tar.gz.age").unwrap(),
            "postboard-2026-11-20.tar.gz.age"
        );
        assert_eq!(whole("postboard-2026-11-26.tar.gz"), None);
        for text in [
            "",
            "today.tar.gz",
            "postboard-2026-02-30.tar.gz",
            "postboard-2026-11-26.tgz",
            "postboard-2026-11-26.tar.gz.part",
            "postboard-2026-11-26-since-.tar.gz",
            "../postboard-2026-11-26.tar.gz",
        ] {
            assert_eq!(NightlyName::parse(text), None, "{text}");
        }
    }
}
