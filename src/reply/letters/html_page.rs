//! Letters as HTML pages: sentences, boards as pictures or tables, and buttons that write a reply.

use crate::base::words::lines;
use crate::mail::{
    Html, Identity, InlineImage, REPLY_DELIMITER, ReplyRoute, content_id, mailto, shorten,
};
use crate::reply::draw;
use crate::reply::letters::RoutedBlocks;
use crate::reply::letters::{
    Block, Choice, ChoiceAction, ListedMove, MoveList, Picture, PictureFormat, TEXT_WIDTH,
    TextElement,
};
use games::Seat;
use std::cell::Cell;

/// The largest page in bytes: Gmail cuts a mail at about 102 KB.
pub const MAX_PAGE_BYTES: usize = 96 * 1024;

/// The limits of a page.
#[derive(Clone, Copy)]
struct PageLimits {
    /// The most buttons.
    buttons: usize,
    /// The most bytes of each player's message.
    quote: usize,
}

/// The limits to try, in order; the first page that is small enough is sent.
const LIMITS: [PageLimits; 4] = [
    PageLimits { buttons: 30, quote: 10_000 },
    PageLimits { buttons: 10, quote: 6_000 },
    PageLimits { buttons: 4, quote: 2_000 },
    PageLimits { buttons: 0, quote: 500 },
];

const BODY: &str =
    "margin:0;padding:8px;font-family:Arial,Helvetica,sans-serif;font-size:15px;line-height:21px";

/// The options for boards on a page.
pub(crate) struct PictureOptions<'a> {
    pub(crate) format: PictureFormat,
    /// The pictures attached to the mail, in the order of the boards, except those in [`Block::PageOnly`].
    /// A board without a picture is a table.
    pub(crate) inline: &'a [InlineImage],
    /// The address of the board's web page.
    pub(crate) web_page: Option<&'a str>,
}

/// Prints blocks as a page; `tag` is the reply address's. Returns nothing if no limits make the page
/// small enough.
pub(crate) fn html(
    subject: &str,
    blocks: &[Block],
    server: &Identity,
    tag: Option<&str>,
    options: &PictureOptions,
) -> Option<Html> {
    let route = tag.map(|tag| ReplyRoute::with_tag(server, tag));
    let print_within = |limits| {
        let counts = BoardCounts::default();
        let route = route.as_ref();
        let links = Links { subject, server, route, options, counts: &counts, is_page_only: false };
        let html = Html::document(subject, BODY, |page| print_all(page, blocks, &links, limits));
        (html.as_str().len() <= MAX_PAGE_BYTES).then_some(html)
    };
    LIMITS.into_iter().find_map(print_within)
}

fn print_all(page: &mut Html, blocks: &[Block], links: &Links, limits: PageLimits) {
    for block in blocks {
        print(page, block, links, limits);
    }
}

fn print(page: &mut Html, block: &Block, links: &Links, limits: PageLimits) {
    match block {
        Block::Mark => words(page, MARKED, REPLY_DELIMITER),
        Block::Text(lines) => text(page, lines, limits),
        Block::Moves(moves) => rounds(page, moves),
        Block::Picture(picture) => links.board(page, picture),
        Block::Choices(choices) => links.print(page, choices, limits),
        // Programs read the position in the plain text; an analysis was computed before.
        Block::Position(_) | Block::Analysis(_) => {}
        Block::Section(_, title) => words(page, HEADING, title),
        Block::Preformatted(text) => preformatted(page, text),
        Block::Shortened(blocks, _) => print_all(page, blocks, links, limits),
        Block::PageOnly(blocks) => {
            print_all(page, blocks, &Links { is_page_only: true, ..*links }, limits);
        }
        Block::Routed(routed) => links.print_routed(page, routed, limits),
    }
}

// Opening tags of paragraphs.

const MARKED: &str = "<p style=\"margin:0 0 8px 0;font-size:12px\">";
const HEADING: &str =
    "<p style=\"margin:0 0 8px 0;font-size:18px;line-height:24px;font-weight:bold\">";
const SENTENCES: &str = "<p style=\"margin:8px 0\">";
const COMMANDS: &str =
    "<p style=\"margin:8px 0;font-family:&#39;Courier New&#39;,Courier,monospace;font-size:13px\">";
const QUOTE: &str = "<p style=\"margin:8px 0;padding:2px 0 2px 10px;border-left:3px solid #8a8a8a;\
                    word-break:break-word\">";

/// Prints a paragraph.
fn words(page: &mut Html, tag: &'static str, words: &str) {
    page.markup(tag);
    page.words(words);
    page.line("</p>");
}

/// Prints a text; consecutive lines of one kind are a paragraph.
fn text(page: &mut Html, elements: &[TextElement], limits: PageLimits) {
    for elements in elements.chunk_by(is_one_paragraph) {
        let tag = match &elements[0] {
            TextElement::Heading(_) => HEADING,
            TextElement::Sentence(_)
            | TextElement::Fact(_)
            | TextElement::Named(..)
            | TextElement::Field(..)
            | TextElement::Item(..) => SENTENCES,
            TextElement::Command(_) | TextElement::Plays(_) | TextElement::Preformatted(_) => {
                COMMANDS
            }
            TextElement::Quote(_) => QUOTE,
        };
        page.markup(tag);
        for (index, one) in elements.iter().enumerate() {
            if index > 0 {
                page.line(if tag == COMMANDS { "<br>" } else { "" });
            }
            element(page, one, limits);
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

fn element(page: &mut Html, element: &TextElement, limits: PageLimits) {
    match element {
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
            page.words(words.trim_start());
        }
        TextElement::Plays(plays) => {
            for (index, play) in plays.iter().enumerate() {
                page.words(if index > 0 { "  " } else { "" });
                page.words(play);
            }
        }
        TextElement::Quote(quote) => {
            // A very long word would be a very long line.
            let quote = lines(&shorten(quote, limits.quote), TEXT_WIDTH, "");
            for (index, line) in quote.lines().enumerate() {
                if index > 0 {
                    page.line("<br>");
                }
                page.text(line);
            }
        }
    }
}

/// Prints a text that is already laid out.
fn preformatted(page: &mut Html, text: &str) {
    page.element("pre", &[("style", "white-space:pre-wrap")], |page| page.text(text));
}

/// The markup around a button's link: a table of one cell, since Outlook draws no background behind
/// text. Tables beside each other wrap.
const BUTTON: &str = "<table align=\"left\" border=\"0\" cellpadding=\"0\" cellspacing=\"3\"><tr>\
                   <td bgcolor=\"#28524d\" style=\"background-color:#28524d;color:#ffffff;\
                   border-radius:6px;padding:9px 12px\">";
const BUTTON_END: &str = "</td></tr></table>";
/// The style of a button's link.
const BUTTON_TEXT: &str = "color:#ffffff;text-decoration:none";
/// Ends a row of buttons.
const CLEAR: &str = "<br clear=\"all\">";

/// The text of the link to a board's web page.
const WEB_LINK: &str = "See this board in a browser";

/// The most pixels of a picture's width, for Outlook; other programs read the style.
const MAX_WIDTH: &str = "560";
const BOARD: &str = "display:block;width:100%;max-width:560px;height:auto;border:0";

/// The links of a page.
struct Links<'a> {
    subject: &'a str,
    server: &'a Identity,
    /// Where replies go; none if the mail cannot be answered.
    route: Option<&'a ReplyRoute>,
    options: &'a PictureOptions<'a>,
    counts: &'a BoardCounts,
    /// Whether the blocks are a part of [`Block::PageOnly`].
    is_page_only: bool,
}

/// The numbers of boards printed so far.
#[derive(Default)]
struct BoardCounts {
    all: Cell<usize>,
    /// Those that may have an attached picture.
    attachable: Cell<usize>,
}

/// Counts one more, and returns the count before.
fn count(counter: &Cell<usize>) -> usize {
    counter.replace(counter.get() + 1)
}

impl Links<'_> {
    /// Prints buttons in a row. Where there are too many, the moves are left out first.
    fn print(&self, page: &mut Html, choices: &[Choice], limits: PageLimits) {
        let choices = &choices[choices.len().saturating_sub(limits.buttons)..];
        let Some(route) = self.route.filter(|_| !choices.is_empty()) else { return };
        page.markup("<p style=\"margin:12px 0 4px 0\">");
        page.text(
            "Press a button to write your reply. Your mail program opens it, and nothing happens until \
             you send it. A button works for this move only.",
        );
        page.line("</p>");
        for Choice { label, action } in choices {
            let link = self.link(action, route);
            page.markup(BUTTON);
            page.element("a", &[("href", &link), ("style", BUTTON_TEXT)], |page| page.text(label));
            page.line(BUTTON_END);
        }
        page.line(CLEAR);
    }

    /// Prints blocks whose buttons write to an address of their own.
    fn print_routed(&self, page: &mut Html, routed: &RoutedBlocks, limits: PageLimits) {
        let route = routed.tag.as_ref().map(|tag| ReplyRoute::with_tag(self.server, tag));
        let links = Links { subject: &routed.subject, route: route.as_ref(), ..*self };
        print_all(page, &routed.blocks, &links, limits);
    }

    /// Prints a board, and below the first one the link to its web page.
    fn board(&self, page: &mut Html, picture: &Picture) {
        let is_first = count(&self.counts.all) == 0;
        let attached = if self.is_page_only {
            None
        } else {
            self.options.inline.get(count(&self.counts.attachable))
        };
        let words = draw::alt_text(&picture.diagram);
        match (self.options.format, attached) {
            (PictureFormat::Off, _) => {}
            (PictureFormat::Png, Some(image)) => {
                let from = format!("cid:{}", content_id(image, self.server));
                let of = [("src", &*from), ("alt", &words), ("width", MAX_WIDTH), ("style", BOARD)];
                page.open("img", &of);
            }
            (PictureFormat::Png | PictureFormat::Table, _) => {
                let names = picture.names.as_ref().map_or(["", ""], |[one, other]| [one, other]);
                draw::html(page, &picture.diagram, names, &words);
            }
        }
        if let Some(address) = self.options.web_page.filter(|_| is_first) {
            page.markup(SENTENCES);
            page.element("a", &[("href", address)], |page| page.text(WEB_LINK));
            page.line("</p>");
        }
    }

    /// Builds the address of a button. The reply has the mark below its first line, so nothing else is
    /// read; a reply without a first line is refused.
    fn link(&self, action: &ChoiceAction, route: &ReplyRoute) -> String {
        match action {
            ChoiceAction::Command(command) => mailto(&self.server.address, command, ""),
            ChoiceAction::Reply(first, below) => {
                let gap = if below.is_empty() { "" } else { "\n" };
                let subject = format!("Re: {}{}", self.subject, route.subject_tag);
                mailto(
                    &route.to,
                    &subject,
                    &format!("{first}\n\n\n{REPLY_DELIMITER}{gap}{below}\n"),
                )
            }
        }
    }
}

/// Prints the latest moves, a round in each row.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::{Address, HeaderText};
    use crate::reply::letters::Highlights;
    use games::{Diagram, TiledBoard};

    #[test]
    fn an_attached_picture_is_at_its_board_behind_boards_without_one() {
        let board = |side: &'static str| {
            let diagram = Diagram::Board(TiledBoard::new([side, "Red"], 2, 2));
            let highlights = Highlights::default();
            Block::Picture(Box::new(Picture { diagram, names: None, highlights }))
        };
        let blocks =
            [Block::PageOnly(vec![board("Green")]), Block::heading("Attached:"), board("Green")];
        let image = InlineImage { id: "letter.1".into(), png: Vec::new().into() };
        let options =
            PictureOptions { format: PictureFormat::Png, inline: &[image], web_page: None };
        let server = Identity {
            address: Address::parse("games@example.org").unwrap(),
            name: HeaderText::new("Games"),
            plus: true,
        };
        let page = html("Analysis", &blocks, &server, None, &options).unwrap();
        let (before, behind) = page.as_str().split_once("Attached:").unwrap();
        assert!(before.contains("<table") && !before.contains("cid:"), "{before}");
        assert!(behind.contains("cid:letter.1") && !behind.contains("<table"), "{behind}");
    }
}
