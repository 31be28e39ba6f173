//! A letter as it waits: what it says as blocks, and its headers. It is printed when it is sent, so
//! that the process that executes mails writes few bytes and holds nobody up.
//!
//! All that its mail depends on is in it: it is the same to the byte at each try, also when the
//! server's name or a preference has changed meanwhile.

use crate::base::time::Time;
use crate::mail::{
    Address, AnsweredMail, HeaderText, Identity, Mail, MailKind, bounce_address, compose,
};
use crate::reply::analysis::run_analyses;
use crate::reply::letters::blocks::Block;
use crate::reply::letters::html_page::{self, PictureOptions};
use crate::reply::letters::inline_pictures::{self, PictureCache, PictureFormat};
use crate::reply::letters::outgoing_mail::OutgoingMail;
use crate::reply::letters::plain_text::{self, TextMedium};
use crate::store::Letter;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The version of the format that is written.
const FORMAT: u32 = 1;
/// How a letter begins that is yet to be printed. The header of a mail never begins so, as earlier
/// programs wrote letters.
const BEGINS: &[u8] = b"{\"draft\":";

/// A letter that is yet to be printed.
#[derive(Debug, Serialize, Deserialize)]
struct LetterDraft<'a> {
    /// First, so that it can be known for what it is.
    #[serde(rename = "draft")]
    format: u32,
    from: Cow<'a, Identity>,
    /// When it was written.
    date: Time,
    subject: Cow<'a, str>,
    kind: MailKind,
    /// The mail that it answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answers: Option<AnsweredMail>,
    /// By which its reader answers it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reply_tag: Option<String>,
    /// By which its reader turns such mails off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    opt_out: Option<String>,
    /// The page that turns such mails off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    one_click: Option<String>,
    /// By which it is known when it comes back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bounces: Option<String>,
    /// Whether its reader gets it as a page, too.
    page: bool,
    /// How that page shows boards.
    #[serde(default, skip_serializing_if = "PictureFormat::is_table")]
    pictures: PictureFormat,
    /// Where its board is seen in a browser.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    see: Option<String>,
    blocks: Cow<'a, [Block]>,
}

/// What a letter must have besides its text.
#[derive(Debug)]
pub struct LetterHeaders {
    /// Why it is sent.
    pub kind: MailKind,
    /// The mail that it answers.
    pub in_reply_to: Option<AnsweredMail>,
    /// By which its reader answers it.
    pub reply_tag: Option<String>,
    /// By which its reader turns such mails off.
    pub opt_out: Option<String>,
    /// The page that turns such mails off, where boards are shown in browsers.
    pub one_click: Option<String>,
    /// By which it is known when it comes back.
    pub bounces: Option<String>,
    /// How its page shows boards.
    pub pictures: PictureFormat,
    /// Where its board is seen in a browser.
    pub see: Option<String>,
}

/// Why a letter cannot be printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unprintable {
    /// It waits for the program that wrote it.
    #[error("it was written by a later program: format {0} of letters, and {FORMAT} is known here")]
    Later(u32),
    /// The file is damaged.
    #[error("it is no letter: the file is damaged")]
    Damaged,
}

/// Writes a letter down, which has that id, at that time.
pub fn draft_letter(
    mail: &OutgoingMail,
    headers: LetterHeaders,
    (id, to): (String, Address),
    from: &Identity,
    date: Time,
) -> Letter {
    let LetterHeaders { kind, in_reply_to, reply_tag, opt_out, one_click, bounces, pictures, see } =
        headers;
    let sender = bounces.as_ref().map(|id| bounce_address(from, id));
    let thread = mail.board.map(|board| format!("{}-{}", board.game, board.number));
    let draft = LetterDraft {
        format: FORMAT,
        from: Cow::Borrowed(from),
        date,
        subject: Cow::Borrowed(&mail.subject),
        kind,
        answers: in_reply_to,
        reply_tag,
        opt_out,
        one_click,
        bounces,
        page: mail.is_page,
        pictures,
        see,
        blocks: Cow::Borrowed(&mail.blocks),
    };
    let bytes = serde_json::to_vec(&draft).expect("text and numbers are JSON");
    Letter { name: id, sender, to, thread, bytes }
}

/// The mail as it leaves: headers and body, lines ended by CRLF.
///
/// # Errors
/// The letter cannot be read.
pub fn print_letter(letter: &Letter) -> Result<Cow<'_, [u8]>, Unprintable> {
    print_letter_with(letter, &PictureCache::default())
}

/// The same, where many leave in a run: what was drawn for one of them is not drawn again.
///
/// # Errors
/// The letter cannot be read.
pub fn print_letter_with<'l>(
    letter: &'l Letter,
    album: &PictureCache,
) -> Result<Cow<'l, [u8]>, Unprintable> {
    if !letter.bytes.starts_with(BEGINS) {
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
            inline_pictures::inside(&draft.blocks, &letter.name, album)
        }
        _ => Vec::new(),
    };
    let shown =
        PictureOptions { how: draft.pictures, inside: &pictures, see: draft.see.as_deref() };
    let tag = draft.reply_tag.as_deref();
    let html = draft
        .page
        .then(|| html_page::html(&draft.subject, &draft.blocks, &draft.from, tag, &shown));
    let mail = Mail {
        to: letter.to.clone(),
        subject: HeaderText::new(&draft.subject),
        text: text(&draft),
        html: html.flatten(),
        inline_images: pictures,
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

/// What it says as plain text.
fn text(draft: &LetterDraft) -> String {
    let text = plain_text::text(&draft.blocks, TextMedium::Mail);
    match &draft.see {
        Some(address) => format!("{text}\nSee this board in a browser:\n    {address}\n"),
        None => text,
    }
}

/// Why what begins as a letter cannot be read.
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
