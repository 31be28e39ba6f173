//! Addresses, header text and message ids: text from outside that is written into headers.
//!
//! The fields are private and every constructor cleans or refuses its text, so that no value can
//! break a header.

use std::cmp::Ordering;
use std::fmt::{self, Display};
use std::hash::{Hash, Hasher};
use std::net::{Ipv4Addr, Ipv6Addr};

use serde::{Deserialize, Deserializer, Serialize, de};

use super::MalformedReason;

/// A mail address, `local@domain`: ASCII, a local part of atoms and dots (RFC 5322, 3.2.3; no quoted
/// strings). It never begins with `-`, which a mail program could take for an option.
///
/// It keeps its spelling and is compared without case. RFC 5321 allows local parts that differ in
/// case only; mail servers do not have them, and `Alice@` must not become a second alice.
#[derive(Clone, Serialize)]
pub struct Address(String);

/// RFC 5321, 4.5.3.1.1.
const LONGEST_LOCAL: usize = 64;
/// RFC 5321, 4.5.3.1.3: a path has 256 octets, including its brackets.
const LONGEST_ADDRESS: usize = 254;

impl Address {
    /// Parses `text`, which is an address without brackets and nothing else. As in [`HeaderText`],
    /// `=?` is refused, although its characters are allowed.
    pub fn parse(text: &str) -> Option<Self> {
        let (local, domain) = text.rsplit_once('@')?;
        let fits = text.len() <= LONGEST_ADDRESS && local.len() <= LONGEST_LOCAL;
        (fits && !text.contains("=?") && is_local(local) && is_domain(domain))
            .then(|| Self(text.to_owned()))
    }

    /// Returns the address as it was typed.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the part before the `@`.
    pub fn local(&self) -> &str {
        self.halves().0
    }

    /// Returns the part after the `@`.
    pub fn domain(&self) -> &str {
        self.halves().1
    }

    /// Returns the part after the first `+` of the local part.
    pub fn tag(&self) -> Option<&str> {
        self.local().split_once('+').map(|(_, tag)| tag)
    }

    /// Returns the local part up to its first `+`.
    pub fn mailbox(&self) -> &str {
        self.local().split_once('+').map_or(self.local(), |(mailbox, _)| mailbox)
    }

    /// Returns this mailbox with `tag`, unless that is too long or no address.
    #[must_use]
    pub fn with_tag(&self, tag: &str) -> Option<Self> {
        Self::parse(&format!("{}+{tag}@{}", self.mailbox(), self.domain()))
    }

    /// Returns whether both addresses belong to one mailbox, whatever their tags.
    pub fn same_mailbox(&self, other: &Self) -> bool {
        self.domain().eq_ignore_ascii_case(other.domain())
            && self.mailbox().eq_ignore_ascii_case(other.mailbox())
    }

    fn halves(&self) -> (&str, &str) {
        self.0.rsplit_once('@').expect("an address holds an @")
    }

    fn folded(&self) -> impl Iterator<Item = u8> {
        self.0.bytes().map(|b| b.to_ascii_lowercase())
    }
}

/// Returns whether `local` is a `dot-atom-text` (RFC 5322, 3.2.3).
fn is_local(local: &str) -> bool {
    let is_atom = |atom: &str| {
        !atom.is_empty()
            && atom
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&b))
    };
    !local.starts_with('-') && local.split('.').all(is_atom)
}

/// Returns whether `domain` is a host name or an address literal (RFC 5321, 4.1.3).
fn is_domain(domain: &str) -> bool {
    if let Some(literal) = domain.strip_prefix('[').and_then(|d| d.strip_suffix(']')) {
        return match literal.split_once(':') {
            Some((kind, v6)) if kind.eq_ignore_ascii_case("ipv6") => v6.parse::<Ipv6Addr>().is_ok(),
            _ => literal.parse::<Ipv4Addr>().is_ok(),
        };
    }
    domain.split('.').all(|label| {
        (1..=63).contains(&label.len())
            // Host names have no underscore, but some mail domains do.
            && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
            && !label.starts_with('-')
            && !label.ends_with('-')
    })
}

impl Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{}>", self.0)
    }
}

impl PartialEq for Address {
    fn eq(&self, other: &Self) -> bool {
        self.0.eq_ignore_ascii_case(&other.0)
    }
}

impl Eq for Address {}

impl Ord for Address {
    fn cmp(&self, other: &Self) -> Ordering {
        self.folded().cmp(other.folded())
    }
}

impl PartialOrd for Address {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for Address {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.folded().for_each(|b| state.write_u8(b));
        state.write_u8(0xff);
    }
}

impl<'de> Deserialize<'de> for Address {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| {
            de::Error::invalid_value(de::Unexpected::Str(&text), &"an address such as ann@host.org")
        })
    }
}

impl<'de> Deserialize<'de> for HeaderText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::new(&String::deserialize(deserializer)?))
    }
}

impl<'de> Deserialize<'de> for MessageId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::bare(&text).ok_or_else(|| {
            de::Error::invalid_value(de::Unexpected::Str(&text), &"the id of a mail")
        })
    }
}

impl From<&Address> for lettre::Address {
    fn from(address: &Address) -> Self {
        // `Address::parse` refuses all that lettre refuses, except `[IPv6:...]`, which lettre expects
        // without its prefix.
        Self::new_dangerous(address.local(), address.domain())
    }
}

/// Text for the value of a header: one line, without controls, encoded words or bidirectional marks.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default, Serialize)]
pub struct HeaderText(String);

/// Characters; no mail program shows such a Subject whole.
const LONGEST_HEADER: usize = 200;

impl HeaderText {
    /// Cleans `text`: drops controls and bidirectional marks, turns white space into single blanks
    /// and cuts it to 200 characters. `=?` becomes `= ?`, since only our own code may write encoded
    /// words (RFC 2047).
    pub fn new(text: &str) -> Self {
        let mut line = one_line(text).replace("=?", "= ?");
        if let Some((end, _)) = line.char_indices().nth(LONGEST_HEADER) {
            line.truncate(end);
            line.truncate(line.trim_end().len());
        }
        Self(line)
    }

    /// Returns the cleaned text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Display for HeaderText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Joins `text` to one line: turns white space into single blanks, drops controls and bidirectional
/// marks.
pub(super) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars().filter(|&c| c.is_whitespace() || !is_hidden(c)) {
        match c.is_whitespace() {
            true if line.ends_with(' ') => {}
            true => line.push(' '),
            false => line.push(c),
        }
    }
    line.trim_matches(' ').to_owned()
}

/// Returns whether `c` is a control, a bidirectional mark, a soft hyphen or a zero-width space.
pub(crate) fn is_hidden(c: char) -> bool {
    matches!(c,
        '\u{00AD}' | '\u{061C}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}')
        || c.is_control()
}

/// Returns whether a screen shows nothing for `c`: hidden characters, joiners, fillers, variation
/// selectors.
pub(super) fn is_invisible(c: char) -> bool {
    is_hidden(c)
        || matches!(c, '\u{034F}' | '\u{115F}' | '\u{1160}' | '\u{180E}' | '\u{200C}' | '\u{200D}'
            | '\u{2061}'..='\u{2064}' | '\u{FE00}'..='\u{FE0F}')
}

/// The id of a mail: the text between the `<` and `>` of its Message-ID. Printable ASCII without
/// blanks, at most 250 octets; an `@` is usual but not required.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct MessageId(String);

/// Octets; a header line may have 998.
const LONGEST_ID: usize = 250;

impl MessageId {
    /// Parses `text`, which is `<...>` and nothing else.
    pub fn parse(text: &str) -> Option<Self> {
        Self::bare(text.strip_prefix('<')?.strip_suffix('>')?)
    }

    /// Returns the id without its brackets.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Parses an id without its brackets.
    pub(super) fn bare(id: &str) -> Option<Self> {
        let fits = (1..=LONGEST_ID).contains(&id.len());
        let clean = id.bytes().all(|b| b.is_ascii_graphic() && b != b'<' && b != b'>');
        // No encoded words, as in `HeaderText`.
        (fits && clean && !id.contains("=?")).then(|| Self(id.to_owned()))
    }
}

impl Display for MessageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{}>", self.0)
    }
}

impl fmt::Debug for MessageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

/// The sender in the From of a mail.
///
/// Some addresses in use are `Unusable` for us: `a..b.@host`, `"a b"@host`, addresses that are not
/// ASCII. The text of such a From is not kept, since it may contain anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SenderAddress {
    /// One address that answers can be sent to.
    Usable(Address),
    /// No such address, and the reason.
    Unusable(MalformedReason),
}

impl SenderAddress {
    /// Returns the address that answers can be sent to.
    pub fn address(&self) -> Option<&Address> {
        match self {
            Self::Usable(address) => Some(address),
            Self::Unusable(_) => None,
        }
    }
}

impl Display for SenderAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usable(address) => f.write_str(address.as_str()),
            Self::Unusable(_) => f.write_str("no usable address"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashSet};

    use proptest::prelude::*;

    use super::*;

    fn address(text: &str) -> Address {
        Address::parse(text).unwrap()
    }

    #[test]
    fn valid_and_invalid_addresses() {
        for good in [
            "ann@host.org",
            "a.b+c@localhost",
            "o'neil@xn--bcher-kva.example",
            "x@[127.0.0.1]",
            "x@[IPv6:::1]",
            "a=b/c@h",
            "a@h_i.example",
        ] {
            assert_eq!(address(good).as_str(), good);
        }
        let long_local = format!("{}@h", "a".repeat(65));
        let long_label = format!("a@{}.org", "h".repeat(64));
        let long = format!("a@{}org", "host.".repeat(50));
        for bad in [
            "",
            "@",
            "a@",
            "@h",
            "ann",
            "-f@h",
            "a b@h",
            "a@h ",
            "<a@h>",
            "a@-h",
            "a@h-",
            "a@h..i",
            ".a@h",
            "a.@h",
            "a..b@h",
            "a@b@h",
            "a@h\n",
            "a\0@h",
            "ä@h",
            "a@ä",
            "\"a\"@h",
            "a@[::1]",
            "a@[300.1.1.1]",
            "=?x?q?y?=@h",
            "a,b@h",
            "a@h:25",
            &long_local,
            &long_label,
            &long,
        ] {
            assert_eq!(Address::parse(bad), None, "{bad:?}");
        }
        assert!(Address::parse(&format!("{}@h", "a".repeat(64))).is_some());
    }

    #[test]
    fn parts_of_an_address() {
        let post = address("Post+b17+x@Host.org");
        assert_eq!((post.local(), post.domain()), ("Post+b17+x", "Host.org"));
        assert_eq!((post.mailbox(), post.tag()), ("Post", Some("b17+x")));
        assert_eq!(address("post@h").tag(), None);
        assert_eq!(post.with_tag("y"), Address::parse("post+y@host.org"));
        assert_eq!(post.with_tag("a b"), None);
        assert_eq!(post.with_tag(&"y".repeat(60)), None);
        assert!(post.same_mailbox(&address("POST@HOST.ORG")));
        assert!(!post.same_mailbox(&address("poster@host.org")));
    }

    #[test]
    fn addresses_are_compared_without_case() {
        let both = [address("Ann@Host.org"), address("ann@hOST.ORG")];
        assert_eq!(both[0], both[1]);
        assert_eq!(HashSet::from(both.clone()).len(), 1);
        assert_eq!(BTreeSet::from(both.clone()).len(), 1);
        assert_eq!(both[0].as_str(), "Ann@Host.org");
        assert_ne!(both[0], address("anne@host.org"));
    }

    #[test]
    fn an_address_in_a_document_is_checked() {
        let ann = address("Ann@host.org");
        let json = serde_json::to_string(&ann).unwrap();
        assert_eq!(json, "\"Ann@host.org\"");
        assert_eq!(serde_json::from_str::<Address>(&json).unwrap(), ann);
        assert!(serde_json::from_str::<Address>("\"-x@host.org\"").is_err());
    }

    #[test]
    fn header_text_is_one_clean_line() {
        let clean = |text: &str| HeaderText::new(text).as_str().to_owned();
        assert_eq!(clean(" a\r\nBcc: b@h\0 \t c\u{202E}d\u{2069} "), "a Bcc: b@h cd");
        assert_eq!(clean("a\u{2028}b\u{85}c\u{200F}"), "a b c");
        assert_eq!(clean("=?utf-8?q?x?="), "= ?utf-8?q?x?=");
        assert_eq!(clean(&"ä".repeat(300)), "ä".repeat(200));
        assert_eq!(clean(&format!("{} b", "a".repeat(199))), "a".repeat(199));
    }

    #[test]
    fn valid_and_invalid_message_ids() {
        assert_eq!(MessageId::parse("<a.b@c>").unwrap().to_string(), "<a.b@c>");
        let long = format!("<{}>", "a".repeat(251));
        for bad in ["", "a@b", "<>", "<a b>", "<a>b>", "<a\r\nb>", "<ä@b>", "<=?x?q?y?=>", &long] {
            assert_eq!(MessageId::parse(bad), None, "{bad:?}");
        }
    }

    proptest! {
        #[test]
        fn no_text_escapes_a_header(text in any::<String>()) {
            let line = HeaderText::new(&text);
            prop_assert!(line.as_str().chars().count() <= 200);
            prop_assert!(!line.as_str().contains(is_hidden));
            prop_assert!(!line.as_str().contains("=?"));
            prop_assert_eq!(&HeaderText::new(line.as_str()), &line);
        }

        #[test]
        fn lettre_takes_every_address(text in "[a-c.+=!-]{1,8}@[a-c.-]{1,8}") {
            if let Some(address) = Address::parse(&text) {
                prop_assert_eq!(text.parse::<lettre::Address>().unwrap(), (&address).into());
            }
        }
    }
}
