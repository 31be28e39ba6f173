//! Mail to bytes: what goes out.

use crate::base::time::Time;
use std::borrow::Cow;
use std::io::Write as _;

use lettre::message::header::{
    self, ContentTransferEncoding, ContentType, Date, HeaderName, HeaderValue, Headers, InReplyTo,
    MIME_VERSION_1_0, References, ReplyTo, Subject, To,
};
use lettre::message::{Body, Mailbox, Mailboxes};

use super::{Address, BOUNCES, Identity, InlineImage, Mail, MailKind, MessageId, bounce, mailto};
use data_encoding::BASE64;
use std::fmt::Write as _;

/// Writes a mail: headers and body, lines ended by CRLF.
///
/// `id` is hexadecimal, and the same whenever the same mail is composed: it is the Message-ID, so
/// that a mail sent twice is one mail to its reader.
///
/// Of lettre the headers and encodings are used, not its `MessageBuilder`: `build` parses the From
/// and Date that were just written, and `body` makes CRLF by inserting every CR into the text, which
/// costs 4 ms for 100 KB.
pub fn compose(mail: &Mail, from: &Identity, id: &str, date: Time) -> Vec<u8> {
    let id = id_text(id);
    let mut headers = Headers::with_capacity(16);
    head(&mut headers, mail, from, date);
    ids(&mut headers, mail, from, &id);
    headers.set(MIME_VERSION_1_0);

    let wire = wire_lines(&mail.text);
    let text = BodyPart::encode(ContentType::TEXT_PLAIN, &wire, LONGEST_LINE);
    match &mail.html {
        None => {
            headers.set(text.of.clone());
            headers.set(text.encoding);
            let mut bytes = Vec::with_capacity(1024 + text.body.len());
            write!(bytes, "{headers}\r\n{}", text.body).expect("a Vec takes all");
            bytes
        }
        Some(html) => {
            let html = BodyPart::encode(ContentType::TEXT_HTML, html.as_str(), LONGEST_WIRE_LINE);
            let html = if mail.inside.is_empty() { html } else { related(&id, html, mail, from) };
            alternatives(headers, &id, &[text, html])
        }
    }
}

/// The text and the HTML of a mail (RFC 2046, 5.1.4): what a program shows best comes last.
fn alternatives(mut headers: Headers, id: &str, parts: &[BodyPart<'_>]) -> Vec<u8> {
    let boundary = boundary(id, parts);
    let of = format!("multipart/alternative; boundary=\"{boundary}\"");
    headers
        .set(ContentType::parse(&of).expect("a boundary is of letters, digits, `-`, `_` and `=`"));
    let length: usize = parts.iter().map(|part| part.body.len()).sum();
    let mut bytes = Vec::with_capacity(2048 + length);
    let grown = "a Vec takes all";
    write!(bytes, "{headers}\r\n").expect(grown);
    write!(bytes, "{}", delimited(&boundary, parts)).expect(grown);
    bytes
}

/// Parts, each behind a delimiter, and the end of them.
fn delimited(boundary: &str, parts: &[BodyPart<'_>]) -> String {
    let mut text = String::new();
    for BodyPart { of, encoding, body, id } in parts {
        let mut headers = Headers::new();
        headers.set(of.clone());
        headers.set(*encoding);
        if let Some(id) = id {
            set(&mut headers, "Content-ID", &format!("<{id}>"));
            set(&mut headers, "Content-Disposition", "inline; filename=\"board.png\"");
        }
        // The line end before a delimiter belongs to it.
        let _ = write!(text, "--{boundary}\r\n{headers}\r\n{body}\r\n");
    }
    text + "--" + boundary + "--\r\n"
}

/// HTML with the pictures that it shows (RFC 2387).
fn related<'p>(id: &str, html: BodyPart<'p>, mail: &Mail, from: &Identity) -> BodyPart<'p> {
    let pictures = mail.inside.iter().map(|picture| BodyPart {
        of: ContentType::parse("image/png").expect("it is a type"),
        encoding: ContentTransferEncoding::Base64,
        body: base64_lines(&picture.png).into(),
        id: Some(content_id(picture, from)),
    });
    let parts: Vec<BodyPart> = std::iter::once(html).chain(pictures).collect();
    let boundary = boundary(&format!("r{id}"), &parts);
    let of = format!("multipart/related; boundary=\"{boundary}\"; type=\"text/html\"");
    BodyPart {
        of: ContentType::parse(&of).expect("a boundary is of letters, digits, `-`, `_` and `=`"),
        encoding: ContentTransferEncoding::SevenBit,
        body: delimited(&boundary, &parts).into(),
        id: None,
    }
}

/// The id of a picture inside a mail, by which its HTML names it (RFC 2392).
pub fn content_id(picture: &InlineImage, from: &Identity) -> String {
    let fits = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let id: String = picture.id.chars().filter(fits).take(100).collect();
    format!("{id}@{}", from.address.domain())
}

/// Bytes in base64, in lines of 76 (RFC 2045, 6.8).
fn base64_lines(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() / 57 * 78 + 80);
    for line in bytes.chunks(57) {
        BASE64.encode_append(line, &mut text);
        text.push_str("\r\n");
    }
    text
}

/// A delimiter that occurs in no part, and is the same whenever the same mail is composed.
fn boundary(id: &str, parts: &[BodyPart<'_>]) -> String {
    let id: String = id.chars().take(MOST_OF_ID).collect();
    let stands_in = |boundary: &str| {
        let is_one =
            |line: &str| line.strip_prefix("--").is_some_and(|of| of.starts_with(boundary));
        parts.iter().any(|part| part.body.lines().any(is_one))
    };
    let mut boundary = format!("=_{id}");
    let mut number = 0;
    while stands_in(&boundary) {
        number += 1;
        boundary = format!("=_{id}_{number}");
    }
    boundary
}

/// RFC 2046, 5.1.1: a boundary has at most 70 characters.
const MOST_OF_ID: usize = 40;

/// Where an answer goes that names its board and its player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyRoute {
    /// The address, with the tag where mail servers take one.
    pub to: Address,
    /// The mark after the Subject otherwise: ` [#tag]`, or nothing.
    pub mark: String,
}

impl ReplyRoute {
    /// How an answer with that tag reaches us.
    pub fn with_tag(from: &Identity, tag: &str) -> Self {
        match from.address.with_tag(tag).filter(|_| from.plus) {
            Some(to) => Self { to, mark: String::new() },
            None => Self { to: from.address.clone(), mark: format!(" [#{}]", bounce_id(tag)) },
        }
    }
}

/// The sender, the recipient and the Subject; and that a program wrote the mail.
fn head(headers: &mut Headers, mail: &Mail, from: &Identity, date: Time) {
    let name = Some(from.name.to_string()).filter(|name| !name.is_empty());
    headers.set(header::From::from(mailbox(name, &from.address)));
    headers.set(To::from(mailbox(None, &mail.to)));

    let mut subject = mail.subject.to_string();
    if let Some(tag) = &mail.reply_tag {
        let way = ReplyRoute::with_tag(from, tag);
        if way.mark.is_empty() {
            headers.set(ReplyTo::from(mailbox(None, &way.to)));
        }
        subject.push_str(&way.mark);
    }
    headers.set(Subject::from(subject));
    headers.set(Date::new(date.into()));

    // RFC 3834, 5: so that no autoresponder answers us, and we know our own mail by X-Loop.
    let submitted = match mail.kind {
        MailKind::Answer => "auto-replied",
        MailKind::Notice => "auto-generated",
    };
    set(headers, "Auto-Submitted", submitted);
    set(headers, "X-Auto-Response-Suppress", "All");
    set(headers, "X-Loop", from.address.as_str());
    // RFC 2369, 3.2. A mail program sends only what the link contains.
    if let Some(tag) = &mail.opt_out {
        let ReplyRoute { to, mark } = ReplyRoute::with_tag(from, tag);
        let link = mailto(&to, &format!("unsubscribe{mark}"), "");
        // RFC 8058, 3.1: the page comes first, and takes a POST without a question.
        if let Some(page) = &mail.one_click {
            set(headers, "List-Unsubscribe", &format!("<{page}>, <{link}>"));
            set(headers, "List-Unsubscribe-Post", "List-Unsubscribe=One-Click");
        } else {
            set(headers, "List-Unsubscribe", &format!("<{link}>"));
        }
    }
    // A report that comes to the one address says by this whose mail came back.
    if let Some(id) = mail.bounces.as_ref().filter(|_| !from.plus) {
        set(headers, bounce::FIELD, &bounce_id(id));
    }
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

/// Where a failed delivery is reported to. Without plus-addresses there is but the one address.
pub fn bounce_address(from: &Identity, id: &str) -> Address {
    Some(format!("{BOUNCES}+{}@{}", bounce_id(id), from.address.domain()))
        .filter(|_| from.plus)
        .and_then(|address| Address::parse(&address))
        .unwrap_or_else(|| from.address.clone())
}

/// Only signs that may be in the id of a mail that comes back.
fn bounce_id(id: &str) -> String {
    let fits = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '=');
    id.chars().filter(fits).take(56).collect()
}

/// Only signs that may be in an id; callers give nothing else, and here it cannot do harm.
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

/// The text with CRLF line ends, without controls and trailing blanks.
fn wire_lines(text: &str) -> String {
    // C2 begins the controls beyond ASCII. A fold over all and not a search, so that many octets are
    // looked at together: nearly every text is clean.
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

/// RFC 5322, 2.1.1: lines should have no more than 78 characters.
const LONGEST_LINE: usize = 78;
/// The same paragraph: a line that nobody reads must have no more than these.
const LONGEST_WIRE_LINE: usize = 998;

/// A body as it goes over the wire.
struct BodyPart<'a> {
    of: ContentType,
    encoding: ContentTransferEncoding,
    body: Cow<'a, str>,
    /// Of a picture that another part names.
    id: Option<String>,
}

impl<'a> BodyPart<'a> {
    /// ASCII with short lines as it is; everything else quoted-printable, which stays readable in
    /// the raw mail. Never base64: spam filters count it, and old programs show it as it is.
    fn encode(of: ContentType, text: &'a str, longest: usize) -> Self {
        if text.is_ascii() && text.lines().all(|line| line.len() <= longest) {
            return Self {
                of,
                encoding: ContentTransferEncoding::SevenBit,
                body: text.into(),
                id: None,
            };
        }
        let encoding = ContentTransferEncoding::QuotedPrintable;
        let body = Body::new_with_encoding(text.to_owned(), encoding)
            .expect("any text can be quoted-printable");
        let body = String::from_utf8(body.into_vec()).expect("quoted-printable is ASCII");
        Self { of, encoding, body: body.into(), id: None }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{HeaderText, Html, MARK, Message, parse};
    use super::*;

    fn address(text: &str) -> Address {
        Address::parse(text).unwrap()
    }

    fn id(text: &str) -> MessageId {
        MessageId::parse(text).unwrap()
    }

    fn server() -> Identity {
        let address = address("post@games.example");
        Identity { address, name: HeaderText::new("Postboard"), plus: true }
    }

    fn mail() -> Mail {
        Mail {
            to: address("ann@host.example"),
            subject: HeaderText::new("Malaka board 17: your move, number 12"),
            text: format!("{MARK}\n\nMalaka, board 17\n"),
            html: None,
            inside: Vec::new(),
            kind: MailKind::Answer,
            thread: Some("malaka-17".to_owned()),
            answers: Some((id("<c@x>"), vec![id("<a@x>"), id("<b@x>")])),
            reply_tag: Some("bmalaka17-abcdefgh".to_owned()),
            opt_out: None,
            one_click: None,
            bounces: Some("a=nn-abcd".to_owned()),
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
        assert_eq!(read(&letter).text, format!("{MARK}\n\nMalaka, board 17\n"));
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
    fn a_notice_without_thread_to_nobody_known() {
        let mail = Mail {
            kind: MailKind::Notice,
            thread: None,
            answers: None,
            reply_tag: None,
            bounces: None,
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
        let letter = compose(&Mail { answers: None, ..mail() }, &server(), "1", Time::EPOCH);
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
    fn a_mail_names_the_address_that_ends_such_mails() {
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
    fn a_tag_that_is_no_address_is_in_the_subject_too() {
        let mail = Mail { reply_tag: Some("b".repeat(60)), ..mail() };
        assert!(read(&compose(&mail, &server(), "1", Time::EPOCH)).subject.ends_with("bbb]"));
    }

    #[test]
    fn our_own_mail_is_known_when_it_comes_back() {
        let letter = compose(&mail(), &server(), "1", Time::EPOCH);
        let back = text(&letter).replace("From: Postboard <post@", "From: <ann@");
        let back = back.replace("Auto-Submitted: auto-replied\r\n", "");
        let read = parse(back.as_bytes(), &server().address).unwrap();
        assert_eq!(read.silence, Some(super::super::NoReplyReason::Loop));
    }

    #[test]
    fn the_answered_mail_is_the_last_of_its_thread() {
        let answers = Some((id("<b@x>"), vec![id("<b@x>"), id("<a@x>"), id("<a@x>")]));
        let letter = compose(&Mail { answers, ..mail() }, &server(), "1", Time::EPOCH);
        assert!(
            text(&letter).contains("References: <board-malaka-17@games.example> <a@x> <b@x>\r\n")
        );
    }

    #[test]
    fn a_long_thread_keeps_its_root_and_its_end() {
        let before: Vec<MessageId> = (0..99).map(|i| id(&format!("<t{i}@x>"))).collect();
        let mail = Mail { answers: Some((id("<t99@x>"), before)), ..mail() };
        let references = read(&compose(&mail, &server(), "1", Time::EPOCH)).references;
        assert_eq!(references.len(), 20);
        assert_eq!(references[0], id("<board-malaka-17@games.example>"));
        assert_eq!(
            references[1..],
            (81..100).map(|i| id(&format!("<t{i}@x>"))).collect::<Vec<_>>()
        );
    }

    #[test]
    fn how_the_text_is_encoded() {
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
            let answers = ids.pop().map(|last| (last, ids.clone()));
            // Of a mail that says nothing in its text the page is read.
            let says = super::super::text::clean(&wire_lines(&body));
            let html = html.filter(|_| !says.trim().is_empty()).map(|words| page(&words));
            let subject = HeaderText::new(&subject);
            let mail = Mail { subject, text: body, html, kind, answers, ..mail() };
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
            prop_assert_eq!(read.text, super::super::text::clean(&wire_lines(&mail.text)));
            prop_assert_eq!(read.message_id.unwrap().to_string(), "<abc@games.example>");
            if let Some((answered, _)) = &mail.answers {
                prop_assert_eq!(read.references.last(), Some(answered));
            }
            prop_assert_eq!(read.silence, Some(super::super::NoReplyReason::AutoSubmitted));
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
                bounces: Some(evil.clone()),
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
