//! What a user likes that has nothing to do with a game.

use serde::{Deserialize, Serialize};

/// What a user likes that has nothing to do with a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[expect(clippy::struct_excessive_bools, reason = "each is chosen by itself, as on or off")]
pub struct Preferences {
    /// Mails carry an HTML part where there is one.
    pub html: bool,
    /// Broadcasts are welcome.
    pub broadcast: bool,
    /// Reminders are welcome.
    #[serde(skip_serializing_if = "is_on")]
    pub reminders: bool,
    /// The language of mails.
    pub language: Language,
    /// Pictures are told in words, too.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub words: bool,
}

/// A language in which mails are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Language {
    /// English.
    #[default]
    #[serde(rename = "en")]
    English,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape that serde asks for")]
fn is_on(chosen: &bool) -> bool {
    *chosen
}

impl Default for Preferences {
    fn default() -> Self {
        let (html, broadcast, reminders, words) = (true, true, true, false);
        Self { html, broadcast, reminders, language: Language::default(), words }
    }
}

impl Preferences {
    pub(super) fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Carries out a choice.
    pub(super) fn choose(&mut self, preference: Preference) {
        match preference {
            Preference::Html(on) => self.html = on,
            Preference::Broadcast(on) => self.broadcast = on,
            Preference::Reminders(on) => self.reminders = on,
            Preference::Language(language) => self.language = language,
            Preference::Words(on) => self.words = on,
        }
    }

    /// Whether mails of that kind are welcome.
    pub fn wants(&self, what: OptOut) -> bool {
        match what {
            OptOut::Reminders => self.reminders,
            OptOut::Broadcasts => self.broadcast,
        }
    }
}

/// Mails that nobody asked for and everybody can do without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptOut {
    /// Those to whoever lets a board wait.
    Reminders,
    /// What users write to everybody.
    Broadcasts,
}

impl OptOut {
    /// What is chosen by whoever wants no such mails.
    pub fn preference(self) -> Preference {
        match self {
            Self::Reminders => Preference::Reminders(false),
            Self::Broadcasts => Preference::Broadcast(false),
        }
    }
}

/// One of [`Preferences`], as chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preference {
    /// Mails carry an HTML part.
    Html(bool),
    /// Broadcasts are welcome.
    Broadcast(bool),
    /// Reminders are welcome.
    Reminders(bool),
    /// The language of mails.
    Language(Language),
    /// Pictures are told in words, too.
    Words(bool),
}
