//! What `export` returns to a user: the fields of one JSON object, which each kind of documents
//! adds to ([`Document::export`](super::document::Document::export)).

use crate::base::ids::BoardId;
use crate::model::user::User;
use games::Seat;
use serde_json::{Map, Value};
use std::collections::HashMap;

/// The user whose data are exported or erased.
#[derive(Debug)]
pub struct DataSubject {
    /// The user.
    pub user: User,
    /// The user's seats on the loaded boards.
    pub seats: HashMap<BoardId, Seat>,
}

/// The exported data, by field.
#[derive(Debug, Default)]
pub struct Export(Vec<(&'static str, Field)>);

/// The value of a field.
#[derive(Debug)]
enum Field {
    Value(Value),
    Entries(Map<String, Value>),
    Items(Vec<Value>),
    Documents(Vec<String>),
}

impl Export {
    /// Sets a field.
    pub fn set(&mut self, field: &'static str, value: Value) {
        self.0.push((field, Field::Value(value)));
    }

    /// Adds an entry to a field that is an object.
    pub fn add_entry(&mut self, field: &'static str, name: String, value: Value) {
        match self.field(field, || Field::Entries(Map::new())) {
            Field::Entries(entries) => entries.insert(name, value),
            _ => unreachable!("{field} is an object"),
        };
    }

    /// Adds an item to a field that is a list.
    pub fn add_item(&mut self, field: &'static str, value: Value) {
        match self.field(field, || Field::Items(Vec::new())) {
            Field::Items(items) => items.push(value),
            _ => unreachable!("{field} is a list"),
        }
    }

    /// Adds documents as JSON text to a field that is a list of documents.
    pub fn add_documents(&mut self, field: &'static str, texts: impl IntoIterator<Item = String>) {
        match self.field(field, || Field::Documents(Vec::new())) {
            Field::Documents(documents) => documents.extend(texts),
            _ => unreachable!("{field} is a list of documents"),
        }
    }

    fn field(&mut self, name: &'static str, new: impl FnOnce() -> Field) -> &mut Field {
        let known = self.0.iter().position(|(known, _)| *known == name);
        let index = known.unwrap_or_else(|| {
            self.0.push((name, new()));
            self.0.len() - 1
        });
        &mut self.0[index].1
    }

    /// Returns the whole object as text.
    pub fn text(&self) -> String {
        let fields: Vec<String> = self.0.iter().map(|(name, it)| it.text(name)).collect();
        format!("{{\n{}\n}}\n", fields.join(",\n"))
    }
}

impl Field {
    fn text(&self, name: &str) -> String {
        let value = match self {
            Self::Value(value) => pretty(value),
            Self::Entries(entries) => pretty(&Value::Object(entries.clone())),
            Self::Items(items) => Value::Array(items.clone()).to_string(),
            Self::Documents(texts) => format!("[\n{}\n]", texts.join(",\n")),
        };
        format!("\"{name}\": {value}")
    }
}

/// Returns a value as text in several lines.
pub(super) fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).expect("a JSON value can be written")
}
