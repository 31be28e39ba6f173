//! The table of keys, with the type of each.

/// The type of a key's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueType {
    Text,
    Flag,
    Whole,
    /// A list of texts, separated by commas in the environment.
    List,
    /// The path of a file that may also be a systemd credential. If a key is named, the credential
    /// is used only when that key is set.
    File(Option<&'static str>),
}

use ValueType::{File, Flag, List, Text, Whole};

/// The keys of each section, beginning with those above all sections.
pub(super) const KEYS: [(&str, &[(&str, ValueType)]); 12] = [
    ("", &[("address", Text), ("name", Text), ("plus", Flag), ("authserv_id", Text)]),
    (
        "limits",
        &[
            ("signup", Flag),
            ("mails_a_day", Whole),
            ("program_moves", Whole),
            ("bad_mails", Whole),
            ("bad_megabytes", Whole),
            ("bad_days", Whole),
            ("parked_days", Whole),
            ("report_days", Whole),
            ("log_days", Whole),
        ],
    ),
    ("collect", &[("maildir", Text), ("mbox", Text)]),
    (
        "deliver",
        &[
            ("by", Text),
            ("host", Text),
            ("port", Whole),
            ("tls", Text),
            ("user", Text),
            ("password_file", File(Some("user"))),
            ("command", Text),
            ("path", Text),
            ("late_minutes", Whole),
            ("domain_mails_a_minute", Whole),
            ("domain_failures", Whole),
        ],
    ),
    (
        "imap",
        &[
            ("host", Text),
            ("port", Whole),
            ("tls", Text),
            ("user", Text),
            ("password_file", File(Some("user"))),
            ("token_file", File(Some("user"))),
            ("token_command", Text),
            ("mailbox", Text),
            ("after", Text),
            ("move_to", Text),
        ],
    ),
    (
        "alert",
        &[
            ("to", Text),
            ("mails_minutes", Whole),
            ("letters_minutes", Whole),
            ("parked_minutes", Whole),
        ],
    ),
    (
        "backup",
        &[
            ("folder", Text),
            ("hour", Whole),
            ("keep", Whole),
            ("whole_every", Whole),
            ("recipients", List),
            ("bucket", Text),
            ("region", Text),
            ("credentials_file", File(Some("bucket"))),
        ],
    ),
    ("dns", &[("server", Text), ("dkim_selector", Text)]),
    (
        "engines",
        &[
            ("backgammon", Text),
            ("chess", Text),
            ("go", Text),
            ("nodes", Whole),
            ("seconds", Whole),
            ("memory_megabytes", Whole),
        ],
    ),
    ("log", &[("to", Text), ("format", Text)]),
    ("store", &[("url", Text), ("password_file", File(Some("url"))), ("lease_seconds", Whole)]),
    (
        "web",
        &[
            ("address", Text),
            ("proxies", List),
            ("certificate", File(None)),
            ("key", File(None)),
            ("metrics_token_file", File(None)),
            ("connections", Whole),
            ("connections_of_one_place", Whole),
        ],
    ),
];

/// Returns the names of the sections.
pub(super) fn sections() -> impl Iterator<Item = &'static str> {
    KEYS.iter().map(|(section, _)| *section).filter(|section| !section.is_empty())
}

/// Returns the keys of a section.
pub(super) fn in_section(section: &str) -> impl Iterator<Item = &'static str> {
    all().filter(move |(name, ..)| *name == section).map(|(_, key, _)| key)
}

/// Returns all keys, each with its section.
pub(super) fn all() -> impl Iterator<Item = (&'static str, &'static str, ValueType)> {
    KEYS.iter().flat_map(|(section, keys)| keys.iter().map(|(key, kind)| (*section, *key, *kind)))
}

/// Returns a key with its section: `deliver.port`.
pub(super) fn full(section: &str, key: &str) -> String {
    if section.is_empty() { key.to_owned() } else { format!("{section}.{key}") }
}

/// Returns the environment variable of a key: `POSTBOARD_DELIVER_PORT`.
pub(super) fn variable(section: &str, key: &str) -> String {
    format!("POSTBOARD_{}", full(section, key).replace('.', "_").to_ascii_uppercase())
}
