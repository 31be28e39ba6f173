//! A section of the file, with typed access to its keys and their error messages.

use super::keys::{self, sections};
use super::layers::{ConfigOrigin, Layers};
use crate::base::words::near;
use std::borrow::Cow;
use std::num::NonZeroU32;
use std::ops::{Range, RangeInclusive};
use std::path::Path;
use toml::de::{DeTable, DeValue};
use toml::{Spanned, Value};

/// A mistake in the configuration, and its place.
pub(super) struct ConfigError {
    pub(super) at: Option<Range<usize>>,
    pub(super) what: String,
}

impl ConfigError {
    pub(super) fn at<T>(place: &Spanned<T>, what: String) -> Self {
        Self { at: Some(place.span()), what }
    }

    pub(super) fn missing(what: String) -> Self {
        Self { at: None, what }
    }

    /// Returns the message in one line.
    pub(super) fn message(&self, layers: &Layers) -> String {
        let text = layers.text();
        match self.at.as_ref().map(|at| layers.origin(at)) {
            Some(ConfigOrigin::Line(line)) => {
                let example = text.lines().nth(line - 1).filter(|line| lacks_quotes(line));
                let example = example.map_or("", |_| {
                    "; quote text, as in name = \"Postboard\"; numbers, true and \
                     false have no quotes"
                });
                format!("line {line}: {}{example}", self.what)
            }
            Some(origin @ (ConfigOrigin::Variable(_) | ConfigOrigin::Credential(_))) => {
                format!("{origin}: {}", self.what)
            }
            Some(ConfigOrigin::Default) | None => self.what.clone(),
        }
    }
}

impl From<toml::de::Error> for ConfigError {
    fn from(error: toml::de::Error) -> Self {
        let what = error.message().lines().map(str::trim).collect::<Vec<_>>().join("; ");
        Self { at: error.span(), what: format!("invalid TOML: {what}") }
    }
}

/// Returns whether a line has an unquoted text as its value.
fn lacks_quotes(line: &str) -> bool {
    let value = line.split_once('=').map(|(_, value)| value.trim());
    value.is_some_and(|value| {
        value.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/')
            && !["true", "false"].contains(&value)
    })
}

/// A section of the file, or the keys above all sections.
pub(super) struct Section<'a> {
    name: &'static str,
    table: Cow<'a, DeTable<'a>>,
    layers: &'a Layers<'a>,
}

impl<'a> Section<'a> {
    /// Reads a section and refuses unknown keys. A missing section is empty.
    pub(super) fn read(
        layers: &'a Layers<'a>,
        root: &'a DeTable<'a>,
        name: &'static str,
    ) -> Result<Self, ConfigError> {
        let table = match root.get(name) {
            _ if name.is_empty() => Cow::Borrowed(root),
            None => Cow::Owned(DeTable::new()),
            Some(value) => Cow::Borrowed(value.get_ref().as_table().ok_or_else(|| {
                let what = format!("`{name}` is a section: write `[{name}]` on a line of its own");
                ConfigError::at(value, what)
            })?),
        };
        let section = Self { name, table, layers };
        section.refuse_unknown_keys()?;
        Ok(section)
    }

    fn refuse_unknown_keys(&self) -> Result<(), ConfigError> {
        let own: Vec<&str> = keys::in_section(self.name).collect();
        let is_known = |key: &str| {
            own.contains(&key) || self.name.is_empty() && sections().any(|name| name == key)
        };
        let unknown = self.table.keys().filter(|key| !is_known(key.get_ref()));
        let Some(key) = unknown.min_by_key(|key| key.span().start) else { return Ok(()) };
        let (word, place) = (key.get_ref(), in_section(self.name));
        let mut what = format!("unknown key `{word}`{place}");
        let elsewhere = keys::all().find(|(_, key, _)| key == word).map(|(section, ..)| section);
        let known = own.iter().copied();
        let known = known.chain(sections().filter(|_| self.name.is_empty()));
        match (elsewhere, &near(word, known)[..]) {
            (Some(section), _) => {
                let place = if section.is_empty() {
                    "belongs above all sections".into()
                } else {
                    format!("belongs in [{section}]")
                };
                what = format!("{what}; it {place}");
            }
            (None, [nearest, ..]) => what = format!("{what}; did you mean `{nearest}`?"),
            (None, []) => what = format!("{what}; the keys are {}", own.join(", ")),
        }
        Err(ConfigError::at(key, what))
    }

    pub(super) fn get(&self, key: &str) -> Option<&Spanned<DeValue<'a>>> {
        self.table.get(key)
    }

    /// Records the effective value of a key.
    pub(super) fn note(&self, key: &str, value: Option<Value>) {
        self.layers.note(self.name, key, value, self.get(key).map(Spanned::span));
    }

    fn word(&self, key: &str) -> Result<Option<Spanned<String>>, ConfigError> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let Some(text) = value.get_ref().as_str() else {
            return Err(ConfigError::at(value, format!("`{key}` must be text in quotes")));
        };
        Ok(Some(Spanned::new(value.span(), text.to_owned())))
    }

    pub(super) fn text(&self, key: &str) -> Result<Option<Spanned<String>>, ConfigError> {
        let word = self.word(key)?;
        self.note(key, word.as_ref().map(|word| word.get_ref().as_str().into()));
        Ok(word)
    }

    /// Reads a text of which only a part may be shown.
    pub(super) fn secret(
        &self,
        key: &str,
        shown: impl Fn(&str) -> String,
    ) -> Result<Option<Spanned<String>>, ConfigError> {
        let word = self.word(key)?;
        self.note(key, word.as_ref().map(|word| shown(word.get_ref()).into()));
        Ok(word)
    }

    /// Reads a text, with a default.
    pub(super) fn text_or(&self, key: &str, usual: &str) -> Result<String, ConfigError> {
        let text = self.word(key)?.map_or_else(|| usual.to_owned(), Spanned::into_inner);
        self.note(key, Some(text.as_str().into()));
        Ok(text)
    }

    /// Reads an absolute path. Relative ones would depend on where cron or the mail server starts
    /// the program.
    pub(super) fn path(&self, key: &str) -> Result<Option<String>, ConfigError> {
        let path = self.text(key)?;
        if let Some(path) = path.as_ref().filter(|path| !Path::new(path.get_ref()).is_absolute()) {
            let what = format!("{key} = \"{}\" must be an absolute path", path.get_ref());
            return Err(ConfigError::at(path, what));
        }
        Ok(path.map(Spanned::into_inner))
    }

    /// Reads a command line and splits it at spaces. No shell runs it.
    pub(super) fn command(&self, key: &str) -> Result<Option<Vec<String>>, ConfigError> {
        let Some(line) = self.text(key)? else { return Ok(None) };
        let words: Vec<String> = line.get_ref().split_whitespace().map(str::to_owned).collect();
        if !words.first().is_some_and(|program| Path::new(program).is_absolute()) {
            let given = line.get_ref();
            let what =
                format!("{key} = \"{given}\" must begin with the absolute path of a program");
            return Err(ConfigError::at(&line, what));
        }
        Ok(Some(words))
    }

    pub(super) fn flag(&self, key: &str, usual: bool) -> Result<bool, ConfigError> {
        let value = self.get(key);
        let flag = value.map_or(Ok(usual), |value| {
            let what = format!("`{key}` must be true or false{}", unquoted(value));
            value.get_ref().as_bool().ok_or_else(|| ConfigError::at(value, what))
        })?;
        self.note(key, Some(flag.into()));
        Ok(flag)
    }

    /// Reads an integer within a range.
    pub(super) fn whole(
        &self,
        key: &str,
        range: RangeInclusive<u32>,
        usual: u32,
    ) -> Result<u32, ConfigError> {
        let read = |value: &Spanned<DeValue>| {
            let digits = value.get_ref().as_integer();
            let number = digits.and_then(|it| u32::from_str_radix(it.as_str(), it.radix()).ok());
            number.filter(|number| range.contains(number)).ok_or_else(|| {
                let (first, last) = (range.start(), range.end());
                let unquoted = unquoted(value);
                let what =
                    format!("`{key}` must be a whole number from {first} to {last}{unquoted}");
                ConfigError::at(value, what)
            })
        };
        let number = self.get(key).map_or(Ok(usual), read)?;
        self.note(key, Some(i64::from(number).into()));
        Ok(number)
    }

    /// Reads a list of texts, each with `parse`; a missing list is empty. An error of `parse` gets the place of
    /// its text.
    pub(super) fn list<T>(
        &self,
        key: &str,
        parse: &dyn Fn(&str) -> Result<T, String>,
    ) -> Result<Vec<T>, ConfigError> {
        let Some(list) = self.get(key) else { return Ok(Vec::new()) };
        let all = list.get_ref().as_array().ok_or_else(|| {
            ConfigError::at(list, format!("`{key}` must be a list of texts in quotes"))
        })?;
        let one = |value: &Spanned<DeValue>| {
            let text = value.get_ref().as_str().ok_or_else(|| {
                ConfigError::at(value, format!("{key}: write each value in quotes"))
            })?;
            parse(text).map_err(|what| ConfigError::at(value, what))
        };
        all.iter().map(one).collect()
    }

    pub(super) fn count(&self, key: &str, usual: NonZeroU32) -> Result<NonZeroU32, ConfigError> {
        let number = self.whole(key, 1..=u32::MAX, usual.get())?;
        Ok(NonZeroU32::new(number).expect("in the range that was asked for"))
    }

    pub(super) fn choice<T: Copy + PartialEq>(
        &self,
        key: &str,
        choices: &[(&'static str, T)],
        usual: T,
    ) -> Result<T, ConfigError> {
        let Some(word) = self.word(key)? else {
            let usually = choices.iter().find(|(_, choice)| *choice == usual);
            self.note(key, usually.map(|(word, _)| (*word).into()));
            return Ok(usual);
        };
        self.note(key, Some(word.get_ref().as_str().into()));
        let chosen = choices.iter().find(|(name, _)| name == word.get_ref());
        chosen.map(|(_, choice)| *choice).ok_or_else(|| {
            let all = choices.iter().map(|(name, _)| format!("\"{name}\"")).collect::<Vec<_>>();
            let what = format!("{key} = \"{}\" is not one of {}", word.get_ref(), all.join(", "));
            ConfigError::at(&word, what)
        })
    }
}

/// Returns a hint if a number or flag is in quotes.
fn unquoted(value: &Spanned<DeValue>) -> &'static str {
    if value.get_ref().is_str() { ", without quotes" } else { "" }
}

fn in_section(name: &str) -> String {
    if name.is_empty() { String::new() } else { format!(" in [{name}]") }
}
