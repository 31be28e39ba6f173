//! Writes mails as bytes.

use crate::base::time::Time;
use std::borrow::Cow;
use std::io::Write as _;

use lettre::message::header::{
    self, ContentTransferEncoding, ContentType, Date, HeaderName, HeaderValue, Headers, InReplyTo,
    MIME_VERSION_1_0, References, ReplyTo, Subject, To,
};
use lettre::message::{Body, Mailbox, Mailboxes};

use super::mailto;
use crate::mail::{
    Address, BOUNCE_FIELD, BOUNCE_MAILBOX, Identity, InlineImage, Mail, MailKind, MessageId,
};
use data_encoding::BASE64;
use std::fmt::Write as _;

/// Writes a mail, headers and body, with CRLF line ends.
///
/// `id` is hexadecimal and becomes the Message-ID. Callers pass the same id when they compose a mail
/// again, so that readers see a mail once even if it is sent twice.
///
/// lettre writes the headers and encodings. Its `MessageBuilder` is not used: it parses the From and
/// Date again and inserts each CR into the text, 4 ms for 100 KB.
pub fn compose(mail: &Mail, from: &Identity, id: &str, date: Time) -> Vec<u8> {
    let id = clean_id(id);
    let mut headers = Headers::with_capacity(16);
    set_head(&mut headers, mail, from, date);
    set_ids(&mut headers, mail, from, &id);
    headers.set(MIME_VERSION_1_0);

    let wire = wire_lines(&mail.text);
    let text = BodyPart::encode(ContentType::TEXT_PLAIN, &wire, LONGEST_LINE);
    let is_multipart = mail.html.is_some() || mail.calendar.is_some();
    let body = match &mail.html {
        None => text,
        Some(html) => {
            let html = BodyPart::encode(ContentType::TEXT_HTML, html.as_str(), LONGEST_WIRE_LINE);
            let html = if mail.inline_images.is_empty() {
                html
            } else {
                with_pictures(&id, html, mail, from)
            };
            // The richest part comes last (RFC 2046, 5.1.4).
            BodyPart::multipart("alternative", "", &id, &[text, html])
        }
    };
    let body = match &mail.calendar {
        None => body,
        Some(calendar) => {
            BodyPart::multipart("mixed", "", &format!("m{id}"), &[body, calendar_part(calendar)])
        }
    };
    headers.set(body.content_type);
    if !is_multipart {
        headers.set(body.encoding);
    }
    let mut bytes = Vec::with_capacity(2048 + body.body.len());
    write!(bytes, "{headers}\r\n{}", body.body).expect("a Vec accepts all bytes");
    bytes
}

/// Builds the part with a calendar. It is no invitation, which programs would answer, but a file.
fn calendar_part(calendar: &str) -> BodyPart<'_> {
    let content_type = ContentType::parse("text/calendar; charset=utf-8; method=PUBLISH");
    let part = BodyPart::encode(content_type.expect("a valid type"), calendar, LONGEST_LINE);
    BodyPart { disposition: Some("attachment; filename=\"deadlines.ics\""), ..part }
}

/// Writes the delimiters and parts of a multipart body.
fn join_parts(boundary: &str, parts: &[BodyPart<'_>]) -> String {
    let mut text = String::new();
    for BodyPart { content_type, encoding, body, id, disposition } in parts {
        let mut headers = Headers::new();
        headers.set(content_type.clone());
        headers.set(*encoding);
        if let Some(id) = id {
            set(&mut headers, "Content-ID", &format!("<{id}>"));
        }
        if let Some(disposition) = disposition {
            set(&mut headers, "Content-Disposition", disposition);
        }
        // The line end before a delimiter belongs to the delimiter.
        let _ = write!(text, "--{boundary}\r\n{headers}\r\n{body}\r\n");
    }
    text + "--" + boundary + "--\r\n"
}

/// Builds the part with the HTML and its pictures (RFC 2387).
fn with_pictures<'p>(id: &str, html: BodyPart<'p>, mail: &Mail, from: &Identity) -> BodyPart<'p> {
    let pictures = mail.inline_images.iter().map(|picture| BodyPart {
        content_type: ContentType::parse("image/png").expect("a valid type"),
        encoding: ContentTransferEncoding::Base64,
        body: base64_lines(&picture.png).into(),
        id: Some(content_id(picture, from)),
        disposition: Some("inline; filename=\"board.png\""),
    });
    let parts: Vec<BodyPart> = std::iter::once(html).chain(pictures).collect();
    BodyPart::multipart("related", "; type=\"text/html\"", &format!("r{id}"), &parts)
}

/// Returns the Content-ID of a picture, by which the HTML refers to it (RFC 2392).
pub fn content_id(picture: &InlineImage, from: &Identity) -> String {
    let fits = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let id: String = picture.id.chars().filter(fits).take(100).collect();
    format!("{id}@{}", from.address.domain())
}

/// Encodes bytes in base64, in lines of 76 characters (RFC 2045, 6.8).
fn base64_lines(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() / 57 * 78 + 80);
    for line in bytes.chunks(57) {
        BASE64.encode_append(line, &mut text);
        text.push_str("\r\n");
    }
    text
}

/// Returns a boundary that occurs in no part. It depends on the mail only.
fn choose_boundary(id: &str, parts: &[BodyPart<'_>]) -> String {
    let id: String = id.chars().take(MOST_OF_ID).collect();
    let occurs = |boundary: &str| {
        let is_delimiter =
            |line: &str| line.strip_prefix("--").is_some_and(|name| name.starts_with(boundary));
        parts.iter().any(|part| part.body.lines().any(is_delimiter))
    };
    let mut boundary = format!("=_{id}");
    let mut number = 0;
    while occurs(&boundary) {
        number += 1;
        boundary = format!("=_{id}_{number}");
    }
    boundary
}

/// Characters of an id in a boundary, which may have 70 (RFC 2046, 5.1.1).
const MOST_OF_ID: usize = 40;
const VALID_BOUNDARY: &str = "a boundary consists of letters, digits, `-`, `_` and `=`";

/// How an answer with a tag reaches us: the tag names its board and player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyRoute {
    /// The address, with the tag where plus-addresses work.
    pub to: Address,
    /// The end of the Subject: ` [#tag]` where plus-addresses do not work, otherwise nothing.
    pub subject_tag: String,
}

impl ReplyRoute {
    /// Builds the route for `tag`.
    pub fn with_tag(from: &Identity, tag: &str) -> Self {
        match from.address.with_tag(tag).filter(|_| from.plus) {
            Some(to) => Self { to, subject_tag: String::new() },
            None => {
                Self { to: from.address.clone(), subject_tag: format!(" [#{}]", clean_tag(tag)) }
            }
        }
    }
}

/// Sets sender, recipient, Subject and Date, the headers of automatic mails, and List-Unsubscribe.
fn set_head(headers: &mut Headers, mail: &Mail, from: &Identity, date: Time) {
    let name = Some(from.name.to_string()).filter(|name| !name.is_empty());
    headers.set(header::From::from(mailbox(name, &from.address)));
    headers.set(To::from(mailbox(None, &mail.to)));

    let mut subject = mail.subject.to_string();
    if let Some(tag) = &mail.reply_tag {
        let route = ReplyRoute::with_tag(from, tag);
        if route.subject_tag.is_empty() {
            headers.set(ReplyTo::from(mailbox(None, &route.to)));
        }
        subject.push_str(&route.subject_tag);
    }
    headers.set(Subject::from(subject));
    headers.set(Date::new(date.into()));

    // RFC 3834, 5: no autoresponder answers these, and X-Loop identifies our own mails.
    let submitted = match mail.kind {
        MailKind::Answer => "auto-replied",
        MailKind::Notice => "auto-generated",
    };
    set(headers, "Auto-Submitted", submitted);
    set(headers, "X-Auto-Response-Suppress", "All");
    set(headers, "X-Loop", from.address.as_str());
    // RFC 2369, 3.2. A mail program sends exactly what the link contains.
    if let Some(tag) = &mail.opt_out {
        let ReplyRoute { to, subject_tag } = ReplyRoute::with_tag(from, tag);
        let link = mailto(&to, &format!("unsubscribe{subject_tag}"), "");
        // RFC 8058, 3.1: the page comes first, and obeys a POST without confirmation.
        if let Some(page) = &mail.one_click {
            set(headers, "List-Unsubscribe", &format!("<{page}>, <{link}>"));
            set(headers, "List-Unsubscribe-Post", "List-Unsubscribe=One-Click");
        } else {
            set(headers, "List-Unsubscribe", &format!("<{link}>"));
        }
    }
    // Without plus-addresses, a delivery report quotes this field.
    if let Some(id) = mail.bounce_id.as_ref().filter(|_| !from.plus) {
        set(headers, BOUNCE_FIELD, &clean_tag(id));
    }
}

/// The most ids in References; RFC 5322, 3.6.4 would add one with every answer.
const MOST_REFERENCES: usize = 20;

/// Sets the mail's id and its place in the thread (RFC 5322, 3.6.4). All mails of a board refer first to
/// the root of the board, a mail that was never sent, so that every mail program shows one thread.
fn set_ids(headers: &mut Headers, mail: &Mail, from: &Identity, id: &str) {
    let domain = from.address.domain();
    headers.set(header::MessageId::from(format!("<{id}@{domain}>")));

    let root = mail
        .thread
        .as_ref()
        .and_then(|thread| MessageId::bare(&format!("board-{}@{domain}", clean_id(thread))));
    let (answered, before) = match &mail.in_reply_to {
        Some(mail) => (Some(&mail.id), mail.references.as_slice()),
        None => (None, [].as_slice()),
    };
    if let Some(parent) = answered.or(root.as_ref()) {
        headers.set(InReplyTo::from(parent.to_string()));
    }
    let mut thread: Vec<&MessageId> = root.iter().collect();
    let latest = before.len().saturating_sub(MOST_REFERENCES - 2);
    let before = before[latest..].iter().filter(|&id| Some(id) != answered);
    for id in before.chain(answered) {
        if !thread.contains(&id) {
            thread.push(id);
        }
    }
    if !thread.is_empty() {
        let list: Vec<String> = thread.iter().map(ToString::to_string).collect();
        headers.set(References::from(list.join(" ")));
    }
}

/// Returns the address for delivery reports. Without plus-addresses it is the server's only address.
pub fn bounce_address(from: &Identity, id: &str) -> Address {
    Some(format!("{BOUNCE_MAILBOX}+{}@{}", clean_tag(id), from.address.domain()))
        .filter(|_| from.plus)
        .and_then(|address| Address::parse(&address))
        .unwrap_or_else(|| from.address.clone())
}

/// Keeps the characters that a tag or bounce id may have.
fn clean_tag(id: &str) -> String {
    let fits = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '=');
    id.chars().filter(fits).take(100).collect()
}

/// Keeps the characters that an id may have. Callers pass no others; this makes them harmless.
fn clean_id(id: &str) -> String {
    id.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')).take(100).collect()
}

fn mailbox(name: Option<String>, address: &Address) -> Mailboxes {
    Mailbox::new(name, address.into()).into()
}

fn set(headers: &mut Headers, name: &'static str, value: &str) {
    let name = HeaderName::new_from_ascii_str(name);
    headers.insert_raw(HeaderValue::new(name, value.to_owned()));
}

/// Converts text to CRLF line ends, and drops controls and trailing blanks.
fn wire_lines(text: &str) -> String {
    // 0xC2 begins the controls beyond ASCII. A fold examines many octets at once, a search would not;
    // nearly every text is clean.
    let is_odd = |b: u8| b != b'\n' && (b < b' ' || b == 0x7F || b == 0xC2);
    let clean = if text.bytes().fold(false, |odd, b| odd | is_odd(b)) {
        let visible = |c: &char| *c == '\n' || !c.is_control();
        Cow::Owned(text.replace('\t', " ").chars().filter(visible).collect())
    } else {
        Cow::Borrowed(text)
    };
    let mut wire = String::with_capacity(clean.len() + clean.len() / 32 + 2);
    for line in clean.trim_end().split('\n') {
        wire.push_str(line.trim_end());
        wire.push_str("\r\n");
    }
    wire
}

/// Characters that a line of text should have at most (RFC 5322, 2.1.1).
const LONGEST_LINE: usize = 78;
/// Characters that a line must have at most (RFC 5322, 2.1.1).
const LONGEST_WIRE_LINE: usize = 998;

/// An encoded body or MIME part.
struct BodyPart<'a> {
    content_type: ContentType,
    encoding: ContentTransferEncoding,
    body: Cow<'a, str>,
    /// The Content-ID of a picture.
    id: Option<String>,
    /// The Content-Disposition of a picture or a file.
    disposition: Option<&'static str>,
}

impl<'a> BodyPart<'a> {
    /// Encodes text: 7bit if it is ASCII with lines of at most `longest` characters, otherwise
    /// quoted-printable, which is readable in the raw mail. Never base64, which spam filters count and
    /// old programs do not decode.
    fn encode(content_type: ContentType, text: &'a str, longest: usize) -> Self {
        if text.is_ascii() && text.lines().all(|line| line.len() <= longest) {
            return Self {
                content_type,
                encoding: ContentTransferEncoding::SevenBit,
                body: text.into(),
                id: None,
                disposition: None,
            };
        }
        let encoding = ContentTransferEncoding::QuotedPrintable;
        let body = Body::new_with_encoding(text.to_owned(), encoding)
            .expect("quoted-printable encodes any text");
        let body = String::from_utf8(body.into_vec()).expect("quoted-printable is ASCII");
        Self { content_type, encoding, body: body.into(), id: None, disposition: None }
    }

    /// Builds a part of several parts. `more` are further parameters of its Content-Type.
    fn multipart(kind: &str, more: &str, id: &str, parts: &[BodyPart<'_>]) -> Self {
        let boundary = choose_boundary(id, parts);
        let content_type = format!("multipart/{kind}; boundary=\"{boundary}\"{more}");
        Self {
            content_type: ContentType::parse(&content_type).expect(VALID_BOUNDARY),
            encoding: ContentTransferEncoding::SevenBit,
            body: join_parts(&boundary, parts).into(),
            id: None,
            disposition: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::mail::incoming::text_decoding::clean;
    use crate::mail::{
        AnsweredMail, HeaderText, Html, Message, NoReplyReason, REPLY_DELIMITER, parse,
    };

    fn address(text: &str) -> Address {
        Address::parse(text).unwrap()
    }

    fn id(text: &str) -> MessageId {
        MessageId::parse(text).unwrap()
    }

    fn answered(mail: &str, references: &[&str]) -> AnsweredMail {
        AnsweredMail { id: id(mail), references: references.iter().map(|text| id(text)).collect() }
    }

    fn server() -> Identity {
        let address = address("post@games.example");
        Identity { address, name: HeaderText::new("Postboard"), plus: true }
    }

    fn mail() -> Mail {
        Mail {
            to: address("ann@host.example"),
            subject: HeaderText::new("Malaka board 17: your move, number 12"),
            text: format!("{REPLY_DELIMITER}\n\nMalaka, board 17\n"),
            html: None,
            inline_images: Vec::new(),
            calendar: None,
            kind: MailKind::Answer,
            thread: Some("malaka-17".to_owned()),
            in_reply_to: Some(answered("<c@x>", &["<a@x>", "<b@x>"])),
            reply_tag: Some("bmalaka17-abcdefgh".to_owned()),
            opt_out: None,
            one_click: None,
            bounce_id: Some("a=nn-abcd".to_owned()),
        }
    }

    fn text(letter: &[u8]) -> String {
        String::from_utf8(letter.to_vec()).unwrap()
    }

    fn read(letter: &[u8]) -> Message {
        parse(letter, &address("other@games.example")).unwrap()
    }

    #[test]
    fn a_board_mail() {
        let letter = compose(&mail(), &server(), "5f0c1", Time::from_unix(1_772_442_931));
        let want = "From: Postboard <post@games.example>\r\n\
            To: ann@host.example\r\n\
            Reply-To: post+bmalaka17-abcdefgh@games.example\r\n\
            Subject: Malaka board 17: your move, number 12\r\n\
            Date: Mon, 02 Mar 2026 09:15:31 +0000\r\n\
            Auto-Submitted: auto-replied\r\n\
            X-Auto-Response-Suppress: All\r\n\
            X-Loop: post@games.example\r\n\
            Message-ID: <5f0c1@games.example>\r\n\
            In-Reply-To: <c@x>\r\n\
            References: <board-malaka-17@games.example> <a@x> <b@x> <c@x>\r\n\
            MIME-Version: 1.0\r\n\
            Content-Type: text/plain; charset=utf-8\r\n\
            Content-Transfer-Encoding: 7bit\r\n\
            \r\n\
            --- write above this line ---\r\n\
            \r\n\
            Malaka, board 17\r\n";
        assert_eq!(text(&letter), want);
        let reported = bounce_address(&server(), "a=nn-abcd");
        assert_eq!(reported, address("bounces+a=nn-abcd@games.example"));
    }

    fn page(words: &str) -> Html {
        Html::document("A board", "margin:0", |html| html.text(words))
    }

    #[test]
    fn a_mail_of_two_parts() {
        let plain = text(&compose(&mail(), &server(), "5f0c1", Time::EPOCH));
        let letter =
            compose(&Mail { html: Some(page("a\nb")), ..mail() }, &server(), "5f0c1", Time::EPOCH);
        let text = text(&letter);
        let (head, body) = plain.split_once("Content-Type: ").unwrap();
        let rest = text.strip_prefix(head).unwrap();
        let html = page("a\nb");
        let html = html.as_str();
        let want = format!(
            "Content-Type: multipart/alternative; boundary=\"=_5f0c1\"\r\n\r\n\
             --=_5f0c1\r\nContent-Type: {body}\r\n\
             --=_5f0c1\r\nContent-Type: text/html; charset=utf-8\r\n\
             Content-Transfer-Encoding: 7bit\r\n\r\n{html}\r\n--=_5f0c1--\r\n"
        );
        assert_eq!(rest, want);
        assert_eq!(read(&letter).text, format!("{REPLY_DELIMITER}\n\nMalaka, board 17\n"));
    }

    #[test]
    fn no_part_ends_the_other() {
        let evil = "--=_1\r\n\r\n--=_1_1--\r\n";
        let mail = Mail { text: evil.into(), html: Some(page(evil)), ..mail() };
        let letter = compose(&mail, &server(), "1", Time::EPOCH);
        assert!(text(&letter).contains("boundary=\"=_1_2\""), "{}", text(&letter));
        assert_eq!(read(&letter).text, "--=_1\n\n--=_1_1--\n");
        let long = text(&compose(&mail, &server(), &"f".repeat(100), Time::EPOCH));
        assert!(long.contains(&format!("boundary=\"=_{}\"", "f".repeat(40))), "{long}");
    }

    #[test]
    fn a_page_with_long_lines_is_encoded() {
        let mail = Mail { html: Some(page(&"x".repeat(2_000))), ..mail() };
        let text = text(&compose(&mail, &server(), "1", Time::EPOCH));
        assert!(text.contains("quoted-printable\r\n\r\n<!DOCTYPE html>"), "{text}");
        assert!(text.lines().all(|line| line.len() <= 78));
    }

    #[test]
    fn a_notice_without_thread_to_a_stranger() {
        let mail = Mail {
            kind: MailKind::Notice,
            thread: None,
            in_reply_to: None,
            reply_tag: None,
            bounce_id: None,
            ..mail()
        };
        let letter = compose(&mail, &server(), "1", Time::EPOCH);
        let text = text(&letter);
        for (absent, present) in [
            ("Reply-To:", "Auto-Submitted: auto-generated\r\n"),
            ("In-Reply-To:", "Date: Thu, 01 Jan 1970 00:00:00 +0000\r\n"),
            ("References:", "Message-ID: <1@games.example>\r\n"),
        ] {
            assert!(!text.contains(absent) && text.contains(present), "{text}");
        }
    }

    #[test]
    fn the_first_mail_of_a_board_answers_its_root() {
        let letter = compose(&Mail { in_reply_to: None, ..mail() }, &server(), "1", Time::EPOCH);
        let root = "<board-malaka-17@games.example>\r\n";
        assert!(text(&letter).contains(&format!("In-Reply-To: {root}References: {root}")));
    }

    #[test]
    fn without_plus_addresses_the_tag_is_in_the_subject() {
        let server = Identity { plus: false, ..server() };
        let letter = compose(&mail(), &server, "1", Time::EPOCH);
        assert!(read(&letter).subject.ends_with("number 12 [#bmalaka17-abcdefgh]"));
        assert!(!text(&letter).contains("Reply-To: p"));
        assert_eq!(bounce_address(&server, "a=nn-abcd"), server.address);
        assert!(text(&letter).contains("X-Postboard-To: a=nn-abcd\r\n"));
    }

    #[test]
    fn a_mail_names_its_unsubscribe_address() {
        let unasked = Mail { opt_out: Some("or-a=nn-abcd".to_owned()), ..mail() };
        let [plus, bare] = [true, false].map(|plus| {
            let text = text(&compose(&unasked, &Identity { plus, ..server() }, "1", Time::EPOCH));
            let link = text.lines().find_map(|line| line.strip_prefix("List-Unsubscribe: "));
            link.unwrap().to_owned()
        });
        assert_eq!(plus, "<mailto:post%2Bor-a%3Dnn-abcd@games.example?subject=unsubscribe>");
        let want = "<mailto:post@games.example?subject=unsubscribe%20%5B%23or-a%3Dnn-abcd%5D>";
        assert_eq!(bare, want);
        assert!(!text(&compose(&mail(), &server(), "1", Time::EPOCH)).contains("List-"));
    }

    #[test]
    fn a_tag_too_long_for_an_address_is_in_the_subject() {
        let mail = Mail { reply_tag: Some("b".repeat(60)), ..mail() };
        assert!(read(&compose(&mail, &server(), "1", Time::EPOCH)).subject.ends_with("bbb]"));
    }

    #[test]
    fn our_own_mail_is_recognised_when_it_comes_back() {
        let letter = compose(&mail(), &server(), "1", Time::EPOCH);
        let back = text(&letter).replace("From: Postboard <post@", "From: <ann@");
        let back = back.replace("Auto-Submitted: auto-replied\r\n", "");
        let read = parse(back.as_bytes(), &server().address).unwrap();
        assert_eq!(read.no_reply, Some(NoReplyReason::Loop));
    }

    #[test]
    fn the_answered_mail_is_the_last_of_its_thread() {
        let in_reply_to = Some(answered("<b@x>", &["<b@x>", "<a@x>", "<a@x>"]));
        let letter = compose(&Mail { in_reply_to, ..mail() }, &server(), "1", Time::EPOCH);
        assert!(
            text(&letter).contains("References: <board-malaka-17@games.example> <a@x> <b@x>\r\n")
        );
    }

    #[test]
    fn a_long_thread_keeps_its_root_and_its_end() {
        let before: Vec<MessageId> = (0..99).map(|i| id(&format!("<t{i}@x>"))).collect();
        let in_reply_to = Some(AnsweredMail { id: id("<t99@x>"), references: before });
        let mail = Mail { in_reply_to, ..mail() };
        let references = read(&compose(&mail, &server(), "1", Time::EPOCH)).references;
        assert_eq!(references.len(), 20);
        assert_eq!(references[0], id("<board-malaka-17@games.example>"));
        assert_eq!(
            references[1..],
            (81..100).map(|i| id(&format!("<t{i}@x>"))).collect::<Vec<_>>()
        );
    }

    #[test]
    fn text_is_encoded_only_where_necessary() {
        let encoded = |body: &str| {
            let letter =
                compose(&Mail { text: body.to_owned(), ..mail() }, &server(), "1", Time::EPOCH);
            let (head, body) = text(&letter)
                .split_once("\r\n\r\n")
                .map(|(h, b)| (h.to_owned(), b.to_owned()))
                .unwrap();
            (head.ends_with("Content-Transfer-Encoding: 7bit"), body)
        };
        assert_eq!(encoded("a  \nb\t\n\n\n"), (true, "a\r\nb\r\n".to_owned()));
        assert_eq!(encoded(""), (true, "\r\n".to_owned()));
        assert!(encoded(&"x".repeat(78)).0);
        assert!(!encoded(&"x".repeat(79)).0);
        assert_eq!(encoded("a\r\nb\rc\0d\u{85}e\tf"), (true, "a\r\nbcde f\r\n".to_owned()));
        assert_eq!(encoded("ä = 1"), (false, "=C3=A4 =3D 1\r\n".to_owned()));
    }

    proptest! {
        #[test]
        fn what_is_composed_is_read_back(
            subject in any::<String>(),
            body in any::<String>(),
            name in any::<String>(),
            html in prop::option::of(any::<String>()),
            ids in prop::collection::vec("[!-;=?-~]{1,250}", 1..40),
            kind in prop::sample::select(vec![MailKind::Answer, MailKind::Notice]),
        ) {
            let mut ids: Vec<_> = ids.iter().filter_map(|id| MessageId::bare(id)).collect();
            let in_reply_to = ids.pop().map(|id| AnsweredMail { id, references: ids.clone() });
            // If the text of a mail is empty, the page is read.
            let says = clean(&wire_lines(&body));
            let html = html.filter(|_| !says.trim().is_empty()).map(|words| page(&words));
            let subject = HeaderText::new(&subject);
            let mail = Mail { subject, text: body, html, kind, in_reply_to, ..mail() };
            let server = Identity { name: HeaderText::new(&name), ..server() };
            let letter = compose(&mail, &server, "abc", Time::from_unix(1));
            prop_assert!(letter.is_ascii());
            for line in letter.split(|&b| b == b'\n') {
                prop_assert!(line.len() <= 999);
            }
            let read = read(&letter);
            prop_assert_eq!(read.from.address(), Some(&server.address));
            prop_assert_eq!(read.to, vec![mail.to]);
            prop_assert_eq!(read.subject.as_str(), mail.subject.as_str());
            prop_assert_eq!(read.text, clean(&wire_lines(&mail.text)));
            prop_assert_eq!(read.message_id.unwrap().to_string(), "<abc@games.example>");
            if let Some(answered) = &mail.in_reply_to {
                prop_assert_eq!(read.references.last(), Some(&answered.id));
            }
            prop_assert_eq!(read.no_reply, Some(NoReplyReason::AutoSubmitted));
        }

        #[test]
        fn nothing_from_outside_adds_a_header(
            evil in "(\r\n|\n|\r|\0|\u{85}|\u{2028}|Bcc: x@y\\.example|=\\?utf-8\\?q\\?=0ABcc:\\?=|[a-z <>\"@,:;\\\\]){0,12}",
        ) {
            let opt_out = Some("ob-ann-abcd".into());
            let clean = Mail { html: Some(page("x")), opt_out, ..mail() };
            let clean = compose(&clean, &server(), "1", Time::EPOCH);
            let mail = Mail {
                html: Some(page(&evil)),
                subject: HeaderText::new(&evil),
                thread: Some(evil.clone()),
                bounce_id: Some(evil.clone()),
                opt_out: Some(evil.clone()),
                reply_tag: Some(evil.clone()),
                text: evil.clone(),
                ..mail()
            };
            for plus in [true, false] {
                let server = Identity { name: HeaderText::new(&evil), plus, ..server() };
                let letter = text(&compose(&mail, &server, &evil, Time::EPOCH));
                let (head, _) = letter.split_once("\r\n\r\n").unwrap();
                let names = |head: &str| -> Vec<String> {
                    let fields = head.split("\r\n").filter(|line| !line.starts_with([' ', '\t']));
                    fields.map(|line| line.split(':').next().unwrap().to_owned()).filter(|name| name != "Reply-To" && name != "X-Postboard-To").collect()
                };
                let whole = text(&clean);
                prop_assert_eq!(names(head), names(whole.split_once("\r\n\r\n").unwrap().0));
                prop_assert!(!head.replace("\r\n", "").contains(['\r', '\n', '\0']));
            }
        }
    }
}
