//! The text that mail programs insert between a reply and the quoted mail: shapes found in real
//! mails, and words of many languages to generate other shapes.

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The form of the quotation below a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quoting {
    /// `> ` before each line.
    Marked,
    /// Unchanged.
    Plain,
}

/// A shape with its name. `PB` means our address with a tag, `AL` the address of the player.
#[derive(serde::Deserialize)]
pub(crate) struct Shape {
    pub(crate) name: &'static str,
    text: String,
}

impl Shape {
    pub(crate) fn text(&self) -> String {
        filled(&self.text)
    }
}

/// Our address as mail programs quote it.
const OURS: &str = "postboard+bmalaka1m1-abcdefghijklmnop@games.example.org";
/// The address of the player.
pub(crate) const THEIRS: &str = "alice@example.org";

pub(crate) fn filled(text: &str) -> String {
    text.replace("PB", OURS).replace("AL", THEIRS)
}

/// Shapes found in real mails, by their kind.
pub(crate) static SHAPES: LazyLock<Vec<Shape>> = LazyLock::new(|| {
    let kinds: BTreeMap<&str, Vec<Shape>> =
        serde_json::from_str(include_str!("shapes.json")).unwrap();
    kinds.into_values().flatten().collect()
});

/// The words of a real or invented language.
#[derive(Debug, serde::Deserialize)]
pub(crate) struct Language {
    pub(crate) name: &'static str,
    /// From, Sent, To, Subject.
    pub(crate) labels: [&'static str; 4],
    /// The word before the date of an attribution, and its verb.
    pub(crate) on: &'static str,
    pub(crate) wrote: &'static str,
    /// A date.
    pub(crate) day: &'static str,
}

/// Real languages, then invented ones.
pub(crate) static LANGUAGES: LazyLock<Vec<Language>> =
    LazyLock::new(|| serde_json::from_str(include_str!("languages.json")).unwrap());
