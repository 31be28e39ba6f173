//! Mail to bytes: what goes out.

use std::fmt::Write as _;
use std::time::{Duration, SystemTime};

use lettre::message::header::{
    self, ContentTransferEncoding, ContentType, Date, HeaderName, HeaderValue, Headers, InReplyTo,
    MIME_VERSION_1_0, References, ReplyTo, Subject, To,
};
use lettre::message::{Body, Mailbox, Mailboxes};

use super::{Address, Identity, Kind, Mail, MessageId};

/// A mail ready to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// Its name in the outbox: the id it was composed with.
    pub name: String,
    /// The envelope sender; none is the null path `<>`.
    pub sender: Option<Address>,
    /// The envelope recipient.
    pub to: Address,
    /// The board it is about.
    pub thread: Option<String>,
    /// Headers and body, lines ended by CRLF.
    pub bytes: Vec<u8>,
}

/// Writes a mail.
///
/// `id` is hexadecimal, and the same whenever the same mail is composed: it is the Message-ID, so
/// that a mail sent twice is one mail to its reader. `date` is Unix time, seconds.
///
/// lettre's `MessageBuilder` is not used, only its headers: `build` parses the From that was just
/// written, at ten times the cost of the rest.
pub fn compose(mail: &Mail, from: &Identity, id: &str, date: i64) -> Letter {
    let id = id_text(id);
    let text = wire_lines(&mail.text);
    let body = encode(text);

    let mut headers = Headers::with_capacity(16);
    head(&mut headers, mail, from, date);
    ids(&mut headers, mail, from, &id);
    headers.set(MIME_VERSION_1_0);
    headers.set(ContentType::TEXT_PLAIN);
    headers.set(body.encoding());

    let mut bytes = Vec::with_capacity(1024 + body.as_ref().len());
    bytes.extend_from_slice(headers.to_string().as_bytes());
    bytes.extend_from_slice(b"\r\n");
    bytes.extend_from_slice(body.as_ref());

    let sender = mail.bounces.then(|| bounce_address(from, &id));
    Letter { name: id, sender, to: mail.to.clone(), thread: mail.thread.clone(), bytes }
}

/// Who, to whom, about what; and that no person wrote it.
fn head(headers: &mut Headers, mail: &Mail, from: &Identity, date: i64) {
    let name = Some(from.name.to_string()).filter(|name| !name.is_empty());
    headers.set(header::From::from(mailbox(name, &from.address)));
    headers.set(To::from(mailbox(None, &mail.to)));

    let tagged =
        mail.reply_tag.as_deref().filter(|_| from.plus).and_then(|tag| from.address.with_tag(tag));
    let mut subject = mail.subject.to_string();
    match (tagged, &mail.reply_tag) {
        (Some(reply_to), _) => headers.set(ReplyTo::from(mailbox(None, &reply_to))),
        (None, Some(tag)) => {
            let _ = write!(subject, " [#{}]", id_text(tag));
        }
        (None, None) => {}
    }
    headers.set(Subject::from(subject));
    headers.set(Date::new(time(date)));

    // RFC 3834, 5: so that no autoresponder answers us, and we know our own mail by X-Loop.
    let submitted = match mail.kind {
        Kind::Answer => "auto-replied",
        Kind::Notice => "auto-generated",
    };
    set(headers, "Auto-Submitted", submitted);
    set(headers, "X-Auto-Response-Suppress", "All");
    set(headers, "X-Loop", from.address.as_str());
}

/// At most so many ids in References: what RFC 5322, 3.6.4 wants grows with every answer.
const MOST_REFERENCES: usize = 20;

/// The mail's own id and its place in the thread (RFC 5322, 3.6.4). All mails of a board name the
/// board's root first, a mail that was never sent, so that every mail program shows one thread.
fn ids(headers: &mut Headers, mail: &Mail, from: &Identity, id: &str) {
    let domain = from.address.domain();
    headers.set(header::MessageId::from(format!("<{id}@{domain}>")));

    let root = mail
        .thread
        .as_ref()
        .and_then(|thread| MessageId::bare(&format!("board-{}@{domain}", id_text(thread))));
    let (answered, before) = match &mail.answers {
        Some((answered, before)) => (Some(answered), before.as_slice()),
        None => (None, [].as_slice()),
    };
    if let Some(parent) = answered.or(root.as_ref()) {
        headers.set(InReplyTo::from(parent.to_string()));
    }
    let mut thread: Vec<&MessageId> = root.iter().collect();
    let latest = before.len().saturating_sub(MOST_REFERENCES - 2);
    for id in before[latest..].iter().chain(answered) {
        if !thread.contains(&id) {
            thread.push(id);
        }
    }
    if !thread.is_empty() {
        let list: Vec<String> = thread.iter().map(ToString::to_string).collect();
        headers.set(References::from(list.join(" ")));
    }
}

/// Where a failed delivery is reported to. Without plus-addresses there is but the one address.
fn bounce_address(from: &Identity, id: &str) -> Address {
    let id: String = id.chars().take(32).collect();
    Some(format!("bounces+{id}@{}", from.address.domain()))
        .filter(|_| from.plus)
        .and_then(|address| Address::parse(&address))
        .unwrap_or_else(|| from.address.clone())
}

/// Only what may stand in an id; callers give nothing else, and here it cannot do harm.
fn id_text(id: &str) -> String {
    id.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')).take(100).collect()
}

fn mailbox(name: Option<String>, address: &Address) -> Mailboxes {
    Mailbox::new(name, address.into()).into()
}

fn set(headers: &mut Headers, name: &'static str, value: &str) {
    let name = HeaderName::new_from_ascii_str(name);
    headers.insert_raw(HeaderValue::new(name, value.to_owned()));
}

/// A time that a Date header can say: years 1970 to 9999.
fn time(date: i64) -> SystemTime {
    let seconds = u64::try_from(date).unwrap_or(0).min(253_402_300_799);
    SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
}

/// The text with CRLF line ends, without controls and trailing blanks.
fn wire_lines(text: &str) -> String {
    let mut wire = String::with_capacity(text.len() + text.len() / 32 + 2);
    for line in text.trim_end().split('\n') {
        let start = wire.len();
        if line.bytes().any(|b| b.is_ascii_control() || b == 0xC2) {
            let line = line.replace('\t', " ");
            wire.extend(line.chars().filter(|c| !c.is_control()));
        } else {
            wire.push_str(line);
        }
        wire.truncate(start + wire[start..].trim_end().len());
        wire.push_str("\r\n");
    }
    wire
}

/// RFC 5322, 2.1.1: lines should have no more than 78 characters.
const LONGEST_LINE: usize = 78;

/// ASCII with short lines as it is; everything else quoted-printable, which stays readable in the
/// raw mail. Never base64: spam filters count it, and old programs show it as it is.
fn encode(text: String) -> Body {
    let plain = text.is_ascii() && text.lines().all(|line| line.len() <= LONGEST_LINE);
    if plain {
        Body::dangerous_pre_encoded(text.into_bytes(), ContentTransferEncoding::SevenBit)
    } else {
        Body::new_with_encoding(text, ContentTransferEncoding::QuotedPrintable)
            .expect("any text can be quoted-printable")
    }
}
