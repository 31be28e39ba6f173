//! Parses the bytes of a mail.

use crate::base::digest::Digest;
use crate::base::time::Time;
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeSet, HashSet};

use super::headers::{HeaderFields, MimeEntity, line_at, split};
use super::{Malformed, MalformedReason, NoReplyReason, auto_reply, bounce, mime, text_decoding};
use crate::mail::{Address, Message, MessageId, SenderAddress};

/// The size limit of a mail, bytes.
pub const LARGEST_MAIL: usize = 1024 * 1024;

/// The most ids and addresses that are kept of a mail.
const MOST_REFERENCES: usize = 20;
const MOST_RECIPIENTS: usize = 50;

/// Parses a mail that came to `own`, the address of the server.
///
/// Takes time linear in the size of the mail, which is limited. RFC 5322 and RFC 2045 to 2049 set no
/// limits; everything that costs more than one pass has one here.
///
/// # Errors
/// The mail is [`Malformed`].
pub fn parse(raw: &[u8], own: &Address) -> Result<Message, Malformed> {
    let bytes = text_decoding::with_line_feeds(&raw[..raw.len().min(LARGEST_MAIL)]);
    let (envelope, bytes) = envelope_line(&bytes);
    let MimeEntity { headers, body, is_too_large, .. } = split(bytes);

    let from = read_sender(&headers, own);
    let no_reply = auto_reply::no_reply_reason(&headers, from.address(), envelope.as_deref(), own);
    let message_id = headers.ids("Message-ID").into_iter().next();
    let digest = hash_content(&headers, body);

    let read = if raw.len() > LARGEST_MAIL {
        Err(MalformedReason::TooLarge)
    } else if is_too_large {
        Err(MalformedReason::HeadersTooLarge)
    } else if headers.is_empty() {
        Err(MalformedReason::Unreadable)
    } else {
        mime::read(&headers, body)
    };
    let malformed = |reason| Malformed {
        reason,
        from: from.address().cloned(),
        no_reply,
        message_id: message_id.clone(),
        digest,
    };
    let read = read.map_err(malformed)?;
    let to = read_recipients(&headers);
    let tagged_digest = with_tags(digest, &to, own);
    // A mail server vouches for From, not for Reply-To.
    let is_vouched = |address: &Address| headers.addresses("From").contains(&Some(address.clone()));
    let results = headers.all("Authentication-Results");
    let results = results.filter(|_| from.address().is_none_or(is_vouched)).collect();
    Ok(Message {
        untagged_digest: digest,
        from,
        bounced_ids: bounce::bounced_ids(&headers, body, &to, own),
        is_answer: ["In-Reply-To", "References"]
            .iter()
            .any(|name| headers.first(name).is_some_and(|value| !value.is_empty())),
        authentication_results: results,
        to,
        subject: headers.subject(),
        text: read.text,
        other_texts: read.other_texts,
        references: read_references(&headers, message_id.as_ref()),
        message_id,
        digest: tagged_digest,
        no_reply: no_reply
            .filter(|reason| !reason.is_weak() || !read.is_calendar_reply)
            .or(read.is_calendar_reply.then_some(NoReplyReason::Calendar)),
    })
}

/// Splits off the line `From sender date` that mailbox files and mail servers' pipes put before a mail.
/// Returns the sender in it, and the mail.
fn envelope_line(bytes: &[u8]) -> (Option<String>, &[u8]) {
    let line = line_at(bytes, 0);
    let Some(rest) = line.strip_prefix(b"From ").or_else(|| line.strip_prefix(b">From ")) else {
        return (None, bytes);
    };
    let sender = rest.split(|&b| b == b' ').next().unwrap_or_default();
    let behind = (line.len() + 1).min(bytes.len());
    (Some(String::from_utf8_lossy(sender).into_owned()), &bytes[behind..])
}

/// Reads the sender. RFC 5322, 3.6.2 allows several; those cannot be answered. The test mail of `setup`
/// comes from the server's own address, since providers send in no other name, and `Reply-To` names the
/// operator. The server's letters name its own address there, too.
fn read_sender(headers: &HeaderFields<'_>, own: &Address) -> SenderAddress {
    if headers.raw("From").nth(1).is_some() {
        return SenderAddress::Unusable(MalformedReason::SeveralSenders);
    }
    let mut listed = headers.addresses("From").into_iter();
    match (listed.next(), listed.next()) {
        (Some(Some(from)), None) if from.same_mailbox(own) => {
            let answered = headers.addresses("Reply-To").into_iter().next().flatten();
            SenderAddress::Usable(answered.unwrap_or(from))
        }
        (Some(Some(from)), None) => SenderAddress::Usable(from),
        (_, Some(_)) => SenderAddress::Unusable(MalformedReason::SeveralSenders),
        _ => SenderAddress::Unusable(MalformedReason::NoSender),
    }
}

/// Reads the recipients. The addresses of delivery come first: they tell which of our addresses got the
/// mail.
fn read_recipients(headers: &HeaderFields<'_>) -> Vec<Address> {
    let mut to: Vec<Address> = Vec::new();
    for name in ["Delivered-To", "X-Original-To", "Envelope-To", "To", "Cc"] {
        for address in headers.addresses(name).into_iter().flatten() {
            if to.len() < MOST_RECIPIENTS && !to.contains(&address) {
                to.push(address);
            }
        }
    }
    to
}

/// Reads the ids of the thread, oldest first: References, then In-Reply-To, which some programs set
/// alone. Of a long thread, the root and the latest ids are kept.
fn read_references(headers: &HeaderFields<'_>, own: Option<&MessageId>) -> Vec<MessageId> {
    let mut seen = HashSet::new();
    let mut ids = headers.ids("References");
    ids.extend(headers.ids("In-Reply-To"));
    ids.retain(|id| Some(id) != own && seen.insert(id.clone()));
    if ids.len() > MOST_REFERENCES {
        ids.drain(1..=ids.len() - MOST_REFERENCES);
    }
    ids
}

/// Hashes what the writer sent, without what mail servers added or changed: a mail that arrives by two
/// ways has one digest.
fn hash_content(headers: &HeaderFields<'_>, body: &[u8]) -> Digest {
    let mut hash = Sha256::new();
    for name in ["From", "Date", "Subject"] {
        for value in headers.raw(name) {
            for word in value.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
                hash.update(word);
                hash.update(b" ");
            }
            hash.update(b"\n");
        }
        hash.update(b"\n");
    }
    hash.update(body.trim_ascii_end());
    <[u8; 32]>::from(hash.finalize()).into()
}

/// Hashes a digest with the tags of our reply addresses among the recipients, so that the same text on
/// a later turn is another mail.
fn with_tags(content: Digest, to: &[Address], own: &Address) -> Digest {
    let ours = to.iter().filter(|to| to.same_mailbox(own));
    let tags: BTreeSet<String> =
        ours.filter_map(|to| to.tag()).map(str::to_ascii_lowercase).collect();
    if tags.is_empty() {
        return content;
    }
    let mut hash = Sha256::new();
    hash.update(&content[..]);
    for tag in tags {
        hash.update(b" ");
        hash.update(tag);
    }
    <[u8; 32]>::from(hash.finalize()).into()
}

/// Inserts a Date into a mail without Date and Message-ID, as mail servers do (RFC 6409, 8.2 and 8.3):
/// otherwise the same text sent again would count as the same mail. `arrival` follows the time as a
/// comment.
pub fn with_date(raw: Vec<u8>, time: Time, arrival: &str) -> Vec<u8> {
    let read = &raw[..raw.len().min(LARGEST_MAIL)];
    let bytes = text_decoding::with_line_feeds(read);
    let (envelope, message) = envelope_line(&bytes);
    let headers = split(message).headers;
    let has = |name: &'static str| headers.raw(name).next().is_some();
    if headers.is_empty() || has("Date") || has("Message-ID") {
        return raw;
    }
    let begin = if envelope.is_some() { line_at(&raw, 0).len() + 1 } else { 0 };
    let (before, after) = raw.split_at(begin.min(raw.len()));
    let date = format!("Date: {} ({arrival})\r\n", time.rfc2822());
    [before, date.as_bytes(), after].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_words_to_another_reply_address_are_another_mail() {
        let own = Address::parse("post@h").unwrap();
        let of = |headers: &str| {
            let raw = format!("From: a@h\n{headers}Subject: Re: x\n\nroll\n");
            parse(raw.as_bytes(), &own).unwrap().digest
        };
        let first = of("To: post+one@h\n");
        for same in [
            "To: POST+One@H\n",
            "To: bob@h\nDelivered-To: post+one@h\n",
            "Delivered-To: games@inner.h\nTo: post+one@h\nCc: carol+x@h\n",
            "Delivered-To: post@h\nTo: post+one@h\n",
        ] {
            assert_eq!(of(same), first, "{same}");
        }
        for other in ["To: post+two@h\n", "To: post@h\n", "To: else+one@h\n"] {
            assert_ne!(of(other), first, "{other}");
        }
        let plain = parse(b"From: a@h\nTo: post@h\n\nroll", &own).unwrap();
        assert_eq!(plain.digest, plain.untagged_digest, "receipts of earlier versions");
    }

    #[test]
    fn a_mail_from_our_own_address_counts_as_from_its_reply_to() {
        let own = Address::parse("post@h").unwrap();
        let of = |headers: &str| {
            let mail = parse(format!("{headers}Subject: help\n\n").as_bytes(), &own).unwrap();
            (mail.from.address().unwrap().to_string(), mail.no_reply)
        };
        assert_eq!(of("From: post@h\nReply-To: ann@i\n"), ("ann@i".into(), None));
        assert_eq!(of("From: bob@h\nReply-To: ann@i\n"), ("bob@h".into(), None));
        // Letters of ours that came back.
        for (reply_to, from) in
            [("", "post@h"), ("Reply-To: post+b17@h\n", "post+b17@h"), ("Reply-To: x\n", "post@h")]
        {
            let ours = (from.to_owned(), Some(NoReplyReason::Ourselves));
            assert_eq!(of(&format!("From: post@h\n{reply_to}")), ours);
        }
        let looped = of("From: post@h\nReply-To: ann@i\nX-Loop: post@h\n");
        assert_eq!(looped.1, Some(NoReplyReason::Loop));
        let results = |from: &str| {
            let mail =
                format!("From: {from}\nReply-To: ann@i\nAuthentication-Results: h; spf=pass\n\n");
            parse(mail.as_bytes(), &own).unwrap().authentication_results
        };
        assert_eq!((results("bob@h").len(), results("post@h").len()), (1, 0));
    }

    #[test]
    fn a_mail_without_date_and_message_id_gets_a_date() {
        let of = |mail: &str| {
            let dated = with_date(mail.as_bytes().to_vec(), Time::from_unix(1_795_608_880), "a1");
            String::from_utf8(dated).unwrap()
        };
        let date = "Date: Wed, 25 Nov 2026 12:14:40 +0000 (a1)\r\n";
        assert_eq!(of("From: a@h\n\nroll"), format!("{date}From: a@h\n\nroll"));
        let enveloped = "From a@h Wed Nov 25\r\nFrom: a@h\r\n\r\nroll";
        let (line, rest) = enveloped.split_at(21);
        assert_eq!(of(enveloped), format!("{line}{date}{rest}"));
        for kept in ["Date: now\n\nroll", "From: a@h\nmessage-id: <a@h>\n\nroll", "", "\n"] {
            assert_eq!(of(kept), kept);
        }
    }

    #[test]
    fn the_digest_ignores_what_mail_servers_add() {
        let of = |mail: &str| {
            let entity = split(mail.as_bytes());
            hash_content(&entity.headers, entity.body)
        };
        let mail = "From: a@h\nDate: now\nSubject: x y\n\nbody\n";
        for same in [
            "Received: z\nTo: b@h\nFrom: a@h\nDate: now\nSubject: x y\n\nbody\n",
            "Subject:  x\n\ty\nFrom: a@h\nDate: now\n\nbody\n\n",
        ] {
            assert_eq!(of(mail), of(same), "{same}");
        }
        for other in [
            "From: b@h\nDate: now\nSubject: x y\n\nbody\n",
            "From: a@h\nDate: then\nSubject: x y\n\nbody\n",
            "From: a@h\nDate: now\nSubject: xy\n\nbody\n",
            "From: a@h\nDate: now\nSubject: x y\n\n body\n",
            "From: a@h\nDate: now x y\nSubject:\n\nbody\n",
            "From: a@h\nFrom: a@h\nDate: now\nSubject: x y\n\nbody\n",
        ] {
            assert_ne!(of(mail), of(other), "{other}");
        }
    }
}
