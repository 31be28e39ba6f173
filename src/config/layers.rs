//! The layers of a configuration: defaults, the file, and the environment, which overrides both. Each value
//! has its origin.

use super::keys::{self, ValueType};
use crate::store::settings::ProcessEnv;
use serde::Serialize;
use std::cell::RefCell;
use std::fmt::{self, Display};
use std::ops::Range;
use toml::de::{DeArray, DeTable, DeValue};
use toml::{Spanned, Value};

/// The origin of a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ConfigOrigin {
    /// A line of the file, from 1.
    Line(usize),
    /// An environment variable.
    Variable(String),
    /// A systemd credential.
    Credential(String),
    /// The default.
    Default,
}

impl Display for ConfigOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "postboard.toml:{line}"),
            Self::Variable(name) => f.write_str(name),
            Self::Credential(name) => write!(f, "the credential {name}"),
            Self::Default => f.write_str("default"),
        }
    }
}

/// A key with its effective value and its origin.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EffectiveSetting {
    /// The key with its section: `deliver.port`.
    pub key: String,
    /// The value, if there is one.
    pub value: Option<Value>,
    /// Its origin.
    pub from: ConfigOrigin,
    /// Whether the value is the path of a file with a secret.
    pub is_secret_file: bool,
}

/// The layers of a configuration. The parser of TOML keeps only a span for each value. Values that are not
/// from the file get spans beyond its end, so that their origins can be found, too.
#[derive(Debug)]
pub(super) struct Layers<'a> {
    text: &'a str,
    /// The origins of the values that are not from the file, in the order of their spans.
    outside: Vec<ConfigOrigin>,
    in_force: RefCell<Vec<EffectiveSetting>>,
}

impl<'a> Layers<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, outside: Vec::new(), in_force: RefCell::default() }
    }

    /// Puts values of the environment into the table of the file.
    pub(super) fn put(&mut self, root: &mut DeTable<'a>, env: &'a ProcessEnv) {
        for (section, key, kind) in keys::all() {
            let name = keys::variable(section, key);
            let given = env.variables.iter().find(|(known, _)| *known == name);
            // Container files set a variable to nothing to unset it.
            if let Some((_, value)) = given.filter(|(_, value)| !value.is_empty()) {
                let span = self.add_origin(ConfigOrigin::Variable(name));
                set(root, section, key, env_value(kind, value, &span), span);
            }
        }
        for (section, key, kind) in keys::all() {
            let ValueType::File(beside) = kind else { continue };
            let name = keys::full(section, key);
            let given = env.credentials.iter().find(|(known, _)| *known == name);
            let is_wanted = beside.is_none_or(|beside| has_key(root, section, beside));
            if let Some((_, path)) = given.filter(|_| is_wanted && !has_key(root, section, key)) {
                let span = self.add_origin(ConfigOrigin::Credential(name));
                set(root, section, key, DeValue::String(path.as_str().into()), span);
            }
        }
    }

    /// Adds an origin outside of the file. Returns the span of its value.
    fn add_origin(&mut self, origin: ConfigOrigin) -> Range<usize> {
        self.outside.push(origin);
        let at = self.text.len() + self.outside.len();
        at..at
    }

    /// Returns the text of the file.
    pub(super) fn text(&self) -> &'a str {
        self.text
    }

    /// Returns the origin of a value with this span.
    pub(super) fn origin(&self, span: &Range<usize>) -> ConfigOrigin {
        if let Some(index) = span.start.checked_sub(self.text.len() + 1) {
            return self.outside.get(index).cloned().unwrap_or(ConfigOrigin::Default);
        }
        let before = &self.text.as_bytes()[..span.start];
        ConfigOrigin::Line(before.split(|&byte| byte == b'\n').count())
    }

    /// Records the effective value of a key.
    pub(super) fn note(
        &self,
        section: &str,
        key: &str,
        value: Option<Value>,
        span: Option<Range<usize>>,
    ) {
        let kind = keys::all().find(|(of, name, _)| *of == section && *name == key);
        self.in_force.borrow_mut().push(EffectiveSetting {
            key: keys::full(section, key),
            value,
            from: span.map_or(ConfigOrigin::Default, |span| self.origin(&span)),
            is_secret_file: kind.is_some_and(|(.., kind)| matches!(kind, ValueType::File(_))),
        });
    }

    /// Returns all recorded values.
    pub(super) fn in_force(self) -> Vec<EffectiveSetting> {
        self.in_force.into_inner()
    }
}

/// Returns environment variables that begin with `POSTBOARD_` but name no key.
pub(super) fn unknown_variables(env: &ProcessEnv) -> Vec<String> {
    let known: Vec<_> = keys::all().map(|(section, key, _)| keys::variable(section, key)).collect();
    let names = env.variables.iter().map(|(name, _)| name);
    names.filter(|name| *name != "POSTBOARD_HOME" && !known.contains(name)).cloned().collect()
}

fn has_key(root: &DeTable, section: &str, key: &str) -> bool {
    let of_section = |value: &Spanned<DeValue>| {
        value.get_ref().as_table().is_some_and(|table| table.contains_key(key))
    };
    root.get(section).is_some_and(of_section)
}

/// Converts an environment variable to a value. A text of the wrong type becomes an empty array,
/// which no key accepts, so it is refused like a wrong value in the file.
fn env_value<'a>(kind: ValueType, word: &'a str, span: &Range<usize>) -> DeValue<'a> {
    let nothing = || DeValue::Array(DeArray::new());
    match kind {
        ValueType::Text | ValueType::File(_) => DeValue::String(word.into()),
        ValueType::Flag => word.parse().map_or_else(|_| nothing(), DeValue::Boolean),
        ValueType::Whole => match DeValue::parse(word).map(Spanned::into_inner) {
            Ok(number @ DeValue::Integer(_)) => number,
            _ => nothing(),
        },
        ValueType::List => {
            let mut list = DeArray::new();
            for item in word.split(',').map(str::trim) {
                let item = DeValue::String(item.into());
                list.push(Spanned::new(span.clone(), item));
            }
            DeValue::Array(list)
        }
    }
}

fn set<'a>(
    root: &mut DeTable<'a>,
    section: &'static str,
    key: &'static str,
    value: DeValue<'a>,
    span: Range<usize>,
) {
    let key = Spanned::new(span.clone(), key.into());
    let value = Spanned::new(span.clone(), value);
    if section.is_empty() {
        root.insert(key, value);
        return;
    }
    if !root.contains_key(section) {
        let table = Spanned::new(span.clone(), DeValue::Table(DeTable::new()));
        root.insert(Spanned::new(span, section.into()), table);
    }
    // Reading the value reports that it should be a section.
    if let Some(DeValue::Table(table)) = root.get_mut(section).map(Spanned::get_mut) {
        table.insert(key, value);
    }
}
