//! What users tell about themselves on their page.

use serde::{Deserialize, Serialize};

/// A part of a profile that users write themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProfileField {
    /// A line about the user.
    About,
    /// Where they live.
    Country,
    /// The languages that they speak.
    Languages,
}

impl ProfileField {
    /// All fields, in the order in which a profile shows them.
    pub const ALL: [Self; 3] = [Self::About, Self::Country, Self::Languages];

    /// Returns the name, in commands.
    pub fn name(self) -> &'static str {
        match self {
            Self::About => "about",
            Self::Country => "country",
            Self::Languages => "languages",
        }
    }

    /// Finds a field by its name.
    pub fn find(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.name().eq_ignore_ascii_case(word))
    }

    /// Returns the most characters of the field.
    pub fn longest(self) -> usize {
        match self {
            Self::About => 160,
            Self::Country => 40,
            Self::Languages => 80,
        }
    }
}

/// The parts of a profile that a user has written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// A line about the user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    about: Option<String>,
    /// Where they live.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    country: Option<String>,
    /// The languages that they speak.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    languages: Option<String>,
}

impl Profile {
    /// Returns a field; `None` if the user has not written it.
    pub fn get(&self, field: ProfileField) -> Option<&str> {
        match field {
            ProfileField::About => self.about.as_deref(),
            ProfileField::Country => self.country.as_deref(),
            ProfileField::Languages => self.languages.as_deref(),
        }
    }

    /// Sets a field, or removes it.
    pub fn set(&mut self, field: ProfileField, words: Option<String>) {
        *match field {
            ProfileField::About => &mut self.about,
            ProfileField::Country => &mut self.country,
            ProfileField::Languages => &mut self.languages,
        } = words;
    }

    pub(super) fn is_empty(&self) -> bool {
        ProfileField::ALL.into_iter().all(|field| self.get(field).is_none())
    }
}
