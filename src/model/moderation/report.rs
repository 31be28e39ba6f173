//! Reports of players. A report keeps a copy of the messages that it is about, so that they can be
//! judged after their author has erased them.

use crate::base::ids::{BoardId, UserId};
use crate::base::key::{Collection, Place};
use crate::base::time::{Span, Time, days};
use crate::model::document::{Damage, Document, DocumentFormat, Removal, pretty_json, rename_in};
use crate::model::export::{DataSubject, Export};
use crate::model::user::User;
use crate::store::Key;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The collection of reports, named by their numbers.
const COLLECTION: Collection = Collection::new("reports");

/// How long the words of a report are kept after it was settled, unless the settlement says
/// otherwise.
const KEPT: Span = days(365);

/// The newest format that this program reads and writes.
const FORMAT: u32 = 1;

/// A report of a player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    format: DocumentFormat<FORMAT>,
    /// Its number, from 1.
    pub number: u32,
    /// When it was made.
    pub at: Time,
    /// Who reports.
    pub by: UserId,
    /// Who is reported.
    pub about: UserId,
    /// The board that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<BoardId>,
    /// The reason, in the words of the reporter.
    pub why: String,
    /// The latest messages on the board, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quoted: Vec<Quotation>,
    /// How it was settled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settled: Option<Settlement>,
    /// Whether the words were removed, since the report was settled long ago.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_emptied: bool,
}

/// A copy of a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quotation {
    /// When it was sent.
    pub at: Time,
    /// Its author.
    pub by: UserId,
    /// The text.
    pub words: String,
    /// Whether the report is about this message.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_reported: bool,
}

/// How a report was settled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settlement {
    /// When.
    pub at: Time,
    /// Who settled it, as the log of acts names them.
    pub by: String,
    /// The note.
    pub note: String,
    /// When the words of the report, of its quotations and of the note are removed; `None` in
    /// documents of earlier versions, which keep them for a year.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Time>,
}

/// A report in the document of its reporter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FiledReport {
    /// Its number.
    pub number: u32,
    /// When it was made.
    pub at: Time,
}

impl Report {
    /// Builds a report without a number, which the docket gives it.
    pub fn new(at: Time, by: UserId, about: UserId, board: Option<BoardId>, why: String) -> Self {
        let (quoted, settled) = (Vec::new(), None);
        let (format, number, is_emptied) = (DocumentFormat::default(), 0, false);
        Self { format, number, at, by, about, board, why, quoted, settled, is_emptied }
    }

    /// Removes all words of a settled report. The reporter, the reported user and the times stay, as in
    /// the log of acts.
    pub fn remove_words(&mut self) {
        self.why.clear();
        self.quoted.clear();
        if let Some(settled) = &mut self.settled {
            settled.note.clear();
        }
        self.is_emptied = true;
    }
}

/// Returns the key of a report.
pub fn report_key(number: u32) -> Key {
    Key::In(COLLECTION, number.to_string())
}

impl Document for Report {
    type Id = u32;

    const KIND: &'static str = "reports";
    const PLACE: Place = Place::In(COLLECTION);
    const FORMAT: Option<u32> = Some(FORMAT);

    fn key(number: &u32) -> Key {
        report_key(*number)
    }

    fn id_of(key: &Key) -> Option<u32> {
        let Key::In(COLLECTION, name) = key else { return None };
        let number = name.parse().ok()?;
        (report_key(number) == *key).then_some(number)
    }

    fn from_text(number: &u32, text: &str) -> Result<Self, Damage> {
        let report: Self = serde_json::from_str(text).map_err(Damage::from_json)?;
        report.format.check()?;
        if report.number == *number {
            Ok(report)
        } else {
            Err(Damage::OtherDocument(format!("report {}", report.number)))
        }
    }

    fn to_text(&self) -> String {
        pretty_json(self)
    }

    /// The words of a settled report are removed later.
    fn wakeup(&self) -> Option<Time> {
        let settled = self.settled.as_ref().filter(|_| !self.is_emptied)?;
        Some(settled.until.unwrap_or(settled.at + KEPT))
    }

    /// The reported user must not learn of a report, so only its reporter finds it.
    fn keys_of(user: &User) -> Vec<Key> {
        user.filed.iter().map(|filed| report_key(filed.number)).collect()
    }

    fn rename(&mut self, _: &u32, old: &UserId, new: &UserId) -> bool {
        let quoted = self.quoted.iter_mut().map(|quotation| &mut quotation.by);
        rename_in([&mut self.by, &mut self.about].into_iter().chain(quoted), old, new)
    }

    /// A report is evidence: if users could erase it by leaving, they would leave before they are
    /// judged.
    fn remove_user(&mut self, _: &u32, _: &DataSubject, _: Removal) -> bool {
        false
    }

    fn export(&self, number: &u32, subject: &DataSubject, export: &mut Export) {
        if self.by == subject.user.id {
            let Self { at, about, board, why, .. } = self;
            let report = json!({ "at": at, "about": about, "board": board, "why": why });
            export.add_entry("reports", number.to_string(), report);
        }
    }
}
