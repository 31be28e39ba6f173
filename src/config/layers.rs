//! The layers of a configuration: the usual values, the file over them, and over the file the
//! environment. Each value knows where it comes from.

use super::keys::{self, ValueType};
use crate::store::settings::ProcessEnv;
use serde::Serialize;
use std::cell::RefCell;
use std::fmt::{self, Display};
use std::ops::Range;
use toml::de::{DeArray, DeTable, DeValue};
use toml::{Spanned, Value};

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ConfigOrigin {
    /// A line of the file, from 1.
    Line(usize),
    /// A variable of the environment.
    Variable(String),
    /// A file that systemd hands over.
    Credential(String),
    /// Nobody has said anything else.
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

/// A key with its value, and where that comes from.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EffectiveSetting {
    /// The key with its section: `deliver.port`.
    pub key: String,
    /// The value; none if there is none.
    pub value: Option<Value>,
    /// Where it comes from.
    pub from: ConfigOrigin,
    /// Whether the value is the path of a file that holds a secret.
    pub is_secret_file: bool,
}

/// The layers of a configuration. A value that is not in the file has a span behind its end, by
/// which its place is found again.
#[derive(Debug)]
pub(super) struct Layers<'a> {
    text: &'a str,
    behind: Vec<ConfigOrigin>,
    in_force: RefCell<Vec<EffectiveSetting>>,
}

impl<'a> Layers<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, behind: Vec::new(), in_force: RefCell::default() }
    }

    /// Puts what is around the program over the table of the file.
    pub(super) fn put(&mut self, root: &mut DeTable<'a>, around: &'a ProcessEnv) {
        for (section, key, kind) in keys::all() {
            let name = keys::variable(section, key);
            let given = around.variables.iter().find(|(known, _)| *known == name);
            // Nothing as a value is how container files say that there is none.
            if let Some((_, value)) = given.filter(|(_, value)| !value.is_empty()) {
                let span = self.behind(ConfigOrigin::Variable(name));
                set(root, section, key, valued(kind, value, &span), span);
            }
        }
        for (section, key, kind) in keys::all() {
            let ValueType::File(beside) = kind else { continue };
            let name = keys::full(section, key);
            let given = around.credentials.iter().find(|(known, _)| *known == name);
            let is_wanted = beside.is_none_or(|beside| has(root, section, beside));
            if let Some((_, path)) = given.filter(|_| is_wanted && !has(root, section, key)) {
                let span = self.behind(ConfigOrigin::Credential(name));
                set(root, section, key, DeValue::String(path.as_str().into()), span);
            }
        }
    }

    fn behind(&mut self, place: ConfigOrigin) -> Range<usize> {
        self.behind.push(place);
        let at = self.text.len() + self.behind.len();
        at..at
    }

    /// The text of the file.
    pub(super) fn text(&self) -> &'a str {
        self.text
    }

    /// Where something with this span comes from.
    pub(super) fn place(&self, span: &Range<usize>) -> ConfigOrigin {
        if let Some(index) = span.start.checked_sub(self.text.len() + 1) {
            return self.behind.get(index).cloned().unwrap_or(ConfigOrigin::Default);
        }
        let before = &self.text.as_bytes()[..span.start];
        ConfigOrigin::Line(before.split(|&byte| byte == b'\n').count())
    }

    /// Notes what was found for a key.
    pub(super) fn note(
        &self,
        (section, key): (&str, &str),
        value: Option<Value>,
        span: Option<Range<usize>>,
    ) {
        let kind = keys::all().find(|(of, name, _)| *of == section && *name == key);
        self.in_force.borrow_mut().push(EffectiveSetting {
            key: keys::full(section, key),
            value,
            from: span.map_or(ConfigOrigin::Default, |span| self.place(&span)),
            is_secret_file: kind.is_some_and(|(.., kind)| matches!(kind, ValueType::File(_))),
        });
    }

    /// All that was noted.
    pub(super) fn in_force(self) -> Vec<EffectiveSetting> {
        self.in_force.into_inner()
    }
}

/// Variables that look like ours but name no key.
pub(super) fn strange(around: &ProcessEnv) -> Vec<String> {
    let known: Vec<_> = keys::all().map(|(section, key, _)| keys::variable(section, key)).collect();
    let names = around.variables.iter().map(|(name, _)| name);
    names.filter(|name| *name != "POSTBOARD_HOME" && !known.contains(name)).cloned().collect()
}

fn has(root: &DeTable, section: &str, key: &str) -> bool {
    let of_section = |value: &Spanned<DeValue>| {
        value.get_ref().as_table().is_some_and(|table| table.contains_key(key))
    };
    root.get(section).is_some_and(of_section)
}

/// A word of the environment as a value. A word that does not fit becomes a kind that no key wants,
/// so that it is refused like a wrong value of the file.
fn valued<'a>(kind: ValueType, word: &'a str, span: &Range<usize>) -> DeValue<'a> {
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
    // A value that is no section is refused when it is read.
    if let Some(DeValue::Table(table)) = root.get_mut(section).map(Spanned::get_mut) {
        table.insert(key, value);
    }
}
