//! Letters as pages of HTML: the sentences, the board as a picture or a table, and links that write an
//! answer.

use crate::base::words::lines;
use crate::mail::{
    Html, Identity, InlineImage, REPLY_DELIMITER, ReplyRoute, content_id, mailto, shorten,
};
use crate::reply::draw;
use crate::reply::letters::blocks::{Block, Choice, ChoiceAction, MoveList, TextElement};
use crate::reply::letters::inline_pictures::PictureFormat;
use crate::reply::letters::picture_json::{ListedMove, Picture};
use crate::reply::letters::plain_text::WIDE;
use games::Seat;
use std::cell::Cell;

/// Gmail shows no more than about 102 KB of a mail.
pub const MAX_PAGE_BYTES: usize = 96 * 1024;

/// How much a page holds.
#[derive(Clone, Copy)]
struct PageLimits {
    /// Links.
    links: usize,
    /// Bytes of each message of a player.
    said: usize,
}

/// The first that fits is sent.
const FITS: [PageLimits; 4] = [
    PageLimits { links: 30, said: 10_000 },
    PageLimits { links: 10, said: 6_000 },
    PageLimits { links: 4, said: 2_000 },
    PageLimits { links: 0, said: 500 },
];

const BODY: &str =
    "margin:0;padding:8px;font-family:Arial,Helvetica,sans-serif;font-size:15px;line-height:21px";

/// How boards are shown.
pub(crate) struct PictureOptions<'a> {
    /// As what.
    pub(crate) how: PictureFormat,
    /// The pictures inside the mail, in the order of the boards; those without one are tables.
    pub(crate) inside: &'a [InlineImage],
    /// Where the board is seen in a browser.
    pub(crate) see: Option<&'a str>,
}

/// Prints blocks as a page; `tag` is that of the address that answers it. Nothing where it cannot be
/// made small enough.
pub(crate) fn html(
    subject: &str,
    blocks: &[Block],
    server: &Identity,
    tag: Option<&str>,
    shown: &PictureOptions,
) -> Option<Html> {
    let way = tag.map(|tag| ReplyRoute::with_tag(server, tag));
    let fit = |fit| {
        let links = Links { subject, server, way: way.as_ref(), shown, boards: Cell::new(0) };
        let html = Html::document(subject, BODY, |page| {
            for block in blocks {
                print(page, block, &links, fit);
            }
        });
        (html.as_str().len() <= MAX_PAGE_BYTES).then_some(html)
    };
    FITS.into_iter().find_map(fit)
}

fn print(page: &mut Html, block: &Block, links: &Links, fit: PageLimits) {
    match block {
        Block::Mark => words(page, MARKED, REPLY_DELIMITER),
        Block::Text(lines) => text(page, lines, fit),
        Block::Moves(moves) => rounds(page, moves),
        Block::Picture(picture) => links.board(page, picture),
        Block::Choices(choices) => links.print(page, choices, fit),
        // Programs read the one in the text; the other was worked out before.
        Block::Position(_) | Block::Analysis(_) => {}
        Block::Section(_, title) => words(page, HEADING, title),
        Block::Preformatted(laid_out) => kept(page, laid_out),
        Block::Shortened(blocks, _) | Block::PageOnly(blocks) => {
            for block in blocks {
                print(page, block, links, fit);
            }
        }
    }
}

// The tags of paragraphs.

const MARKED: &str = "<p style=\"margin:0 0 8px 0;font-size:12px\">";
const HEADING: &str =
    "<p style=\"margin:0 0 8px 0;font-size:18px;line-height:24px;font-weight:bold\">";
const SENTENCES: &str = "<p style=\"margin:8px 0\">";
const COMMANDS: &str =
    "<p style=\"margin:8px 0;font-family:&#39;Courier New&#39;,Courier,monospace;font-size:13px\">";
const SAID: &str = "<p style=\"margin:8px 0;padding:2px 0 2px 10px;border-left:3px solid #8a8a8a;\
                    word-break:break-word\">";
/// A paragraph.
fn words(page: &mut Html, tag: &'static str, words: &str) {
    page.markup(tag);
    page.words(words);
    page.line("</p>");
}

/// The lines of a text: those of one kind are a paragraph.
fn text(page: &mut Html, pieces: &[TextElement], fit: PageLimits) {
    for pieces in pieces.chunk_by(is_one_paragraph) {
        let tag = match &pieces[0] {
            TextElement::Heading(_) => HEADING,
            TextElement::Sentence(_)
            | TextElement::Fact(_)
            | TextElement::Named(..)
            | TextElement::Field(..)
            | TextElement::Item(..) => SENTENCES,
            TextElement::Command(_) | TextElement::Plays(_) | TextElement::Preformatted(_) => {
                COMMANDS
            }
            TextElement::Quote(_) => SAID,
        };
        page.markup(tag);
        for (index, one) in pieces.iter().enumerate() {
            if index > 0 {
                page.line(if tag == COMMANDS { "<br>" } else { "" });
            }
            piece(page, one, fit);
        }
        page.line("</p>");
    }
}

fn is_one_paragraph(one: &TextElement, next: &TextElement) -> bool {
    use TextElement::{Command, Preformatted, Sentence};
    matches!(
        (one, next),
        (Sentence(_), Sentence(_)) | (Command(_), Command(_)) | (Preformatted(_), Preformatted(_))
    )
}

fn piece(page: &mut Html, piece: &TextElement, fit: PageLimits) {
    match piece {
        TextElement::Heading(words) | TextElement::Sentence(words) | TextElement::Fact(words) => {
            page.words(words);
        }
        TextElement::Named(name, words) | TextElement::Field(name, words) => {
            page.text(name);
            page.text(": ");
            page.words(words);
        }
        TextElement::Item(mark, words) => {
            page.text(mark);
            page.text(" ");
            page.words(words);
        }
        TextElement::Command(words) | TextElement::Preformatted(words) => {
            page.words(words.trim_start())
        }
        TextElement::Plays(plays) => {
            for (index, play) in plays.iter().enumerate() {
                page.words(if index > 0 { "  " } else { "" });
                page.words(play);
            }
        }
        TextElement::Quote(said) => {
            // A word without end would be a line without end.
            let said = lines(&shorten(said, fit.said), WIDE, "");
            for (index, line) in said.lines().enumerate() {
                if index > 0 {
                    page.line("<br>");
                }
                page.text(line);
            }
        }
    }
}

/// A text that is laid out already.
fn kept(page: &mut Html, text: &str) {
    page.element("pre", &[("style", "white-space:pre-wrap")], |page| page.text(text));
}

/// What is around the words of a link: a table of one cell, since Outlook draws no ground behind
/// words, and tables beside each other go on in the next line.
const KEY: &str = "<table align=\"left\" border=\"0\" cellpadding=\"0\" cellspacing=\"3\"><tr>\
                   <td bgcolor=\"#28524d\" style=\"background-color:#28524d;color:#ffffff;\
                   border-radius:6px;padding:9px 12px\">";
const KEY_END: &str = "</td></tr></table>";
/// The look of a link on that ground.
const KEY_WORDS: &str = "color:#ffffff;text-decoration:none";
/// Behind these the page goes on below them.
const BELOW: &str = "<br clear=\"all\">";

/// The words on the link to a board's page.
const SEE: &str = "See this board in a browser";

/// As wide as there is room for, up to so many pixels; Outlook reads the attribute.
const ACROSS: &str = "560";
const BOARD: &str = "display:block;width:100%;max-width:560px;height:auto;border:0";

/// How links answer a mail.
struct Links<'a> {
    subject: &'a str,
    server: &'a Identity,
    /// Where answers go; nowhere if nobody may play by answering.
    way: Option<&'a ReplyRoute>,
    shown: &'a PictureOptions<'a>,
    /// How many boards the page shows so far.
    boards: Cell<usize>,
}

impl Links<'_> {
    /// The links, as a row of keys; those of moves are left out first.
    fn print(&self, page: &mut Html, choices: &[Choice], fit: PageLimits) {
        let choices = &choices[choices.len().saturating_sub(fit.links)..];
        let Some(way) = self.way.filter(|_| !choices.is_empty()) else { return };
        page.markup("<p style=\"margin:12px 0 4px 0\">");
        page.text(
            "Choose a button to write your reply. Your mail program opens it; nothing happens until \
             you send it. A button works for this move only.",
        );
        page.line("</p>");
        for Choice { label, says } in choices {
            let link = self.link(says, way);
            page.markup(KEY);
            page.element("a", &[("href", &link), ("style", KEY_WORDS)], |page| page.text(label));
            page.line(KEY_END);
        }
        page.line(BELOW);
    }

    /// A board, and where the first one is seen in a browser.
    fn board(&self, page: &mut Html, picture: &Picture) {
        let place = self.boards.replace(self.boards.get() + 1);
        let words = draw::alt_text(&picture.diagram);
        match (self.shown.how, self.shown.inside.get(place)) {
            (PictureFormat::Off, _) => {}
            (PictureFormat::Png, Some(inside)) => {
                let from = format!("cid:{}", content_id(inside, self.server));
                let of = [("src", &*from), ("alt", &words), ("width", ACROSS), ("style", BOARD)];
                page.open("img", &of);
            }
            (PictureFormat::Png | PictureFormat::Table, _) => {
                let names = picture.names.as_ref().map_or(["", ""], |[one, other]| [one, other]);
                draw::html(page, &picture.diagram, names, &words);
            }
        }
        if let Some(address) = self.shown.see.filter(|_| place == 0) {
            page.markup(SENTENCES);
            page.element("a", &[("href", address)], |page| page.text(SEE));
            page.line("</p>");
        }
    }

    /// Nothing below the mark is read: an answer sent as it is says only what its first line says,
    /// and one without that line is refused.
    fn link(&self, says: &ChoiceAction, way: &ReplyRoute) -> String {
        match says {
            ChoiceAction::Command(command) => mailto(&self.server.address, command, ""),
            ChoiceAction::Reply(first, below) => {
                let gap = if below.is_empty() { "" } else { "\n" };
                let subject = format!("Re: {}{}", self.subject, way.subject_tag);
                mailto(&way.to, &subject, &format!("{first}\n\n\n{REPLY_DELIMITER}{gap}{below}\n"))
            }
        }
    }
}

/// The latest moves.
fn rounds(page: &mut Html, moves: &MoveList) {
    if moves.turns.is_empty() {
        return;
    }
    page.line(
        "<table border=\"0\" cellpadding=\"4\" cellspacing=\"0\" style=\"font-size:14px;\
         line-height:19px;margin:0 0 8px 0;word-break:break-word\">",
    );
    page.line("<tr valign=\"top\">");
    page.line("<td>&#160;</td>");
    for side in &moves.sides {
        page.markup("<td><b>");
        page.text(side);
        page.line("</b></td>");
    }
    page.line("</tr>");
    let mut turns = moves.turns.iter().peekable();
    while let Some(one) = turns.next() {
        let pair = if one.seat == Seat(0) {
            [Some(one), turns.next_if(|turn| turn.seat == Seat(1))]
        } else {
            [None, Some(one)]
        };
        page.line("<tr valign=\"top\">");
        page.markup("<td style=\"word-break:normal\">");
        page.show(one.number);
        page.line(".</td>");
        for turn in pair {
            cell(page, turn);
        }
        page.line("</tr>");
    }
    page.line("</table>");
}

fn cell(page: &mut Html, turn: Option<&ListedMove>) {
    page.markup("<td>");
    if let Some(ListedMove { dice, words, .. }) = turn {
        if let Some(dice) = dice {
            page.show(dice);
            page.text(": ");
        }
        page.text(words);
    }
    page.line("</td>");
}
