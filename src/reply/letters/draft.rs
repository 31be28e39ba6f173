//! A letter in the outbox: its blocks and its headers as JSON. It is printed when it is sent, so that
//! the process that executes mails writes few bytes and is done soon.
//!
//! The draft contains everything that the mail depends on, so each attempt sends the same bytes, even
//! if the server's name or a preference has changed since.

use crate::base::time::Time;
use crate::mail::{
    Address, AnsweredMail, HeaderText, Identity, Mail, MailKind, bounce_address, compose,
};
use crate::model::topic::Topic;
use crate::reply::analysis::run_analyses;
use crate::reply::letters::html_page::{self, PictureOptions};
use crate::reply::letters::inline_pictures::{self, PictureCache, PictureFormat};
use crate::reply::letters::plain_text::{self, TextMedium};
use crate::reply::letters::{Block, OutgoingMail};
use crate::store::Letter;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The version of the format.
const FORMAT: u32 = 1;
/// The beginning of a draft. Earlier programs stored printed mails, whose headers never begin like this.
const DRAFT_PREFIX: &[u8] = b"{\"draft\":";

/// A letter before it is printed.
#[derive(Debug, Serialize, Deserialize)]
struct LetterDraft<'a> {
    /// First, so that [`DRAFT_PREFIX`] recognises a draft.
    #[serde(rename = "draft")]
    format: u32,
    from: Cow<'a, Identity>,
    /// The time of writing.
    date: Time,
    subject: Cow<'a, str>,
    kind: MailKind,
    /// The answered mail, and the mails that it answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answers: Option<AnsweredMail>,
    /// The tag of the reply address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reply_tag: Option<String>,
    /// The tag of the address that turns such mails off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    opt_out: Option<String>,
    /// The page that turns such mails off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    one_click: Option<String>,
    /// The id that a bounce returns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bounces: Option<String>,
    /// Whether the mail has an HTML page, too.
    page: bool,
    /// The format of the boards on the page.
    #[serde(default, skip_serializing_if = "PictureFormat::is_table")]
    pictures: PictureFormat,
    /// The address of the board's web page.
    #[serde(default, rename = "see", skip_serializing_if = "Option::is_none")]
    web_page: Option<String>,
    /// The deadlines of its boards (RFC 5545).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    calendar: Option<String>,
    blocks: Cow<'a, [Block]>,
}

/// The headers of a letter, and the options of its page.
#[derive(Debug)]
pub struct LetterHeaders {
    /// The kind of mail.
    pub kind: MailKind,
    /// The answered mail, and the mails that it answered.
    pub in_reply_to: Option<AnsweredMail>,
    /// The tag of the reply address.
    pub reply_tag: Option<String>,
    /// The tag of the address that turns such mails off.
    pub opt_out: Option<String>,
    /// The page that turns such mails off, where the server has web pages.
    pub one_click: Option<String>,
    /// The id that a bounce returns.
    pub bounces: Option<String>,
    /// The format of the boards on the page.
    pub pictures: PictureFormat,
    /// The address of the board's web page.
    pub web_page: Option<String>,
    /// The deadlines of its boards (RFC 5545).
    pub calendar: Option<String>,
}

/// The reason why a letter cannot be printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unprintable {
    /// A later version of the program wrote it.
    #[error("it was written by a later version (letter format {0}, and this one knows {FORMAT})")]
    Later(u32),
    /// The file is damaged.
    #[error("it is not a letter: the file is damaged")]
    Damaged,
}

/// Builds the draft of a letter with this id, to this address.
pub fn draft_letter(
    mail: &OutgoingMail,
    headers: LetterHeaders,
    id: String,
    to: Address,
    from: &Identity,
    date: Time,
) -> Letter {
    let sender = headers.bounces.as_ref().map(|id| bounce_address(from, id));
    let thread = mail.topic.as_ref().and_then(Topic::thread);
    let draft = LetterDraft {
        format: FORMAT,
        from: Cow::Borrowed(from),
        date,
        subject: Cow::Borrowed(&mail.subject),
        kind: headers.kind,
        answers: headers.in_reply_to,
        reply_tag: headers.reply_tag,
        opt_out: headers.opt_out,
        one_click: headers.one_click,
        bounces: headers.bounces,
        page: mail.has_page,
        pictures: headers.pictures,
        web_page: headers.web_page,
        calendar: headers.calendar,
        blocks: Cow::Borrowed(&mail.blocks),
    };
    let bytes = serde_json::to_vec(&draft).expect("text and numbers are JSON");
    Letter { name: id, sender, to, thread, bytes }
}

/// Prints a letter: headers and body, with CRLF line ends.
///
/// # Errors
/// The letter cannot be read.
pub fn print_letter(letter: &Letter) -> Result<Cow<'_, [u8]>, Unprintable> {
    print_letter_with(letter, &PictureCache::default())
}

/// Prints a letter, with a cache of the pictures that were drawn for others.
///
/// # Errors
/// The letter cannot be read.
pub fn print_letter_with<'l>(
    letter: &'l Letter,
    cache: &PictureCache,
) -> Result<Cow<'l, [u8]>, Unprintable> {
    if !letter.bytes.starts_with(DRAFT_PREFIX) {
        return Ok(Cow::Borrowed(&letter.bytes));
    }
    let mut draft = match serde_json::from_slice::<LetterDraft>(&letter.bytes) {
        Ok(draft) if draft.format == FORMAT => draft,
        _ => return Err(unprintable(&letter.bytes)),
    };
    if let Some(blocks) = run_analyses(&draft.blocks) {
        draft.blocks = blocks.into();
    }
    let pictures = match draft.pictures {
        PictureFormat::Png if draft.page => {
            inline_pictures::draw_all(&draft.blocks, &letter.name, cache)
        }
        _ => Vec::new(),
    };
    let options = PictureOptions {
        format: draft.pictures,
        inline: &pictures,
        web_page: draft.web_page.as_deref(),
    };
    let tag = draft.reply_tag.as_deref();
    let html = draft
        .page
        .then(|| html_page::html(&draft.subject, &draft.blocks, &draft.from, tag, &options));
    let mail = Mail {
        to: letter.to.clone(),
        subject: HeaderText::new(&draft.subject),
        text: text(&draft),
        html: html.flatten(),
        inline_images: pictures,
        calendar: draft.calendar,
        kind: draft.kind,
        thread: letter.thread.clone(),
        in_reply_to: draft.answers,
        reply_tag: draft.reply_tag,
        opt_out: draft.opt_out,
        one_click: draft.one_click,
        bounce_id: draft.bounces,
    };
    Ok(Cow::Owned(compose(&mail, &draft.from, &letter.name, draft.date)))
}

/// Prints the plain text.
fn text(draft: &LetterDraft) -> String {
    let text = plain_text::text(&draft.blocks, TextMedium::Mail);
    match &draft.web_page {
        Some(address) => format!("{text}\nSee this board in a browser:\n    {address}\n"),
        None => text,
    }
}

/// Returns why a draft cannot be read.
fn unprintable(bytes: &[u8]) -> Unprintable {
    #[derive(Deserialize)]
    struct LetterVersion {
        draft: u32,
    }
    match serde_json::from_slice(bytes) {
        Ok(LetterVersion { draft }) if draft > FORMAT => Unprintable::Later(draft),
        _ => Unprintable::Damaged,
    }
}
