//! Bans of addresses, domains and networks. Each is a document of its own, found by a digest, so
//! that the cost of a lookup does not depend on the number of bans.

use crate::base::digest::Digest;
use crate::base::key::{Collection, Place};
use crate::base::network::{Network, NetworkRange};
use crate::base::stored_as_words;
use crate::base::time::Time;
use crate::mail::Address;
use crate::model::document::{Damage, Document, DocumentFormat, names_no_users, pretty_json};
use crate::store::Key;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display};

/// The collection of bans, named by digests of what they ban.
const COLLECTION: Collection = Collection::new("bans");

/// The newest format that this program reads and writes.
const FORMAT: u32 = 1;

/// The most labels of a domain whose parents are looked up.
const MOST_LABELS: usize = 10;

/// An address, a domain or a network that is banned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum BanSubject {
    /// A mailbox.
    Address(Address),
    /// A domain with its subdomains, in lower case.
    Domain(String),
    /// A network.
    Network(NetworkRange),
}

/// Written as the operator writes it: `troll@example.org`, `@example.org`, `192.0.2.0/24`.
impl Display for BanSubject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address(address) => f.write_str(address.as_str()),
            Self::Domain(domain) => write!(f, "@{domain}"),
            Self::Network(network) => network.fmt(f),
        }
    }
}

stored_as_words!(
    BanSubject,
    BanSubject::parse,
    "is neither an address, nor a domain, nor a network"
);

impl BanSubject {
    /// Reads a subject as the operator writes it; `None` for a userid and anything else.
    pub fn parse(text: &str) -> Option<Self> {
        if let Some(domain) = text.strip_prefix('@') {
            // It is a domain if an address can be there.
            let address = Address::parse(&format!("x@{domain}"))?;
            let domain = address.domain().to_ascii_lowercase();
            return domain.contains('.').then_some(Self::Domain(domain));
        }
        let address = || Address::parse(text).map(Self::Address);
        NetworkRange::parse(text).map(Self::Network).or_else(address)
    }

    /// Returns the name of its document.
    fn name(&self) -> String {
        let text = match self {
            Self::Address(address) => {
                let domain = address.domain().to_ascii_lowercase();
                format!("{}@{domain}", address.mailbox().to_ascii_lowercase())
            }
            Self::Domain(_) | Self::Network(_) => self.to_string(),
        };
        Digest::of(text).short()
    }
}

/// Returns the key of the ban of a subject.
pub fn ban_key(subject: &BanSubject) -> Key {
    Key::In(COLLECTION, subject.name())
}

/// Returns the keys of all bans that could cover these addresses or this network.
pub fn ban_keys<'a>(
    addresses: impl IntoIterator<Item = &'a Address>,
    network: Option<Network>,
) -> Vec<Key> {
    let mut subjects: Vec<BanSubject> = Vec::new();
    for address in addresses {
        subjects.push(BanSubject::Address(address.clone()));
        let domain = address.domain().to_ascii_lowercase();
        let dots = domain.match_indices('.').map(|(at, _)| at + 1);
        let parents = std::iter::once(0).chain(dots).take(MOST_LABELS);
        subjects.extend(parents.map(|from| BanSubject::Domain(domain[from..].to_owned())));
    }
    let ranges = network.map(NetworkRange::around).into_iter().flatten();
    subjects.extend(ranges.map(BanSubject::Network));
    subjects.iter().map(ban_key).collect()
}

/// A ban. One that was lifted stays as a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ban {
    format: DocumentFormat<FORMAT>,
    /// What is banned.
    pub subject: BanSubject,
    /// When it began.
    pub since: Time,
    /// When it ends by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Time>,
    /// The reason, for the operator.
    pub why: String,
    /// When it was lifted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lifted: Option<Time>,
}

/// One change of a ban.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "a field is named after its value")]
pub enum BanEvent {
    /// The subject was banned.
    Banned { at: Time, until: Option<Time>, why: String },
    /// The ban was lifted.
    Lifted { at: Time },
}

impl BanEvent {
    /// Returns a short text for the log.
    pub fn summary(&self, subject: &BanSubject) -> String {
        match self {
            Self::Banned { .. } => format!("{subject} banned"),
            Self::Lifted { .. } => format!("ban of {subject} lifted"),
        }
    }
}

impl Ban {
    /// Builds a ban.
    pub fn new(subject: BanSubject, since: Time, until: Option<Time>, why: String) -> Self {
        Self { format: DocumentFormat::default(), subject, since, until, why, lifted: None }
    }

    /// Returns whether it is in force.
    pub fn is_in_force(&self, now: Time) -> bool {
        self.lifted.is_none() && self.until.is_none_or(|until| now < until)
    }
}

impl Document for Ban {
    /// The digest of the subject.
    type Id = String;

    const KIND: &'static str = "bans";
    const PLACE: Place = Place::In(COLLECTION);
    const FORMAT: Option<u32> = Some(FORMAT);

    fn key(id: &String) -> Key {
        Key::In(COLLECTION, id.clone())
    }

    fn id_of(key: &Key) -> Option<String> {
        match key {
            Key::In(COLLECTION, name) => Some(name.clone()),
            _ => None,
        }
    }

    fn from_text(id: &String, text: &str) -> Result<Self, Damage> {
        let ban: Self = serde_json::from_str(text).map_err(Damage::from_json)?;
        ban.format.check()?;
        if ban.subject.name() == *id {
            Ok(ban)
        } else {
            Err(Damage::OtherDocument(ban.subject.to_string()))
        }
    }

    fn to_text(&self) -> String {
        pretty_json(self)
    }

    names_no_users!();
}
