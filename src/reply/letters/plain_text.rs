//! Letters as plain text, for mails and for the operator's terminal.

use crate::base::words::{lines, quotation};
use crate::mail::{REPLY_DELIMITER, shorten};
use crate::reply::letters::{Block, ListedMove, MoveList, TextElement};
use games::Seat;
use std::fmt::Write as _;

/// The place where a text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextMedium {
    /// A mail, which is answered above the mark.
    Mail,
    /// A terminal.
    Shell,
}

/// The columns of a mail.
const WIDTH: usize = 78;

/// The columns of wrapped sentences.
pub(crate) const TEXT_WIDTH: usize = 76;

/// Prints blocks with an empty line between them.
pub fn text(blocks: &[Block], medium: TextMedium) -> String {
    let mut text = String::with_capacity(4096);
    for block in blocks {
        if !is_printed(block, medium) {
            continue;
        }
        if !text.is_empty() {
            text.push('\n');
        }
        print(&mut text, block, medium);
    }
    text
}

fn is_printed(block: &Block, medium: TextMedium) -> bool {
    match block {
        Block::Mark => medium == TextMedium::Mail,
        // Choices are repeated as sentences in other blocks; an analysis was computed before.
        Block::Choices(_) | Block::PageOnly(_) | Block::Analysis(_) => false,
        _ => true,
    }
}

fn print(text: &mut String, block: &Block, medium: TextMedium) {
    match block {
        Block::Mark => line(text, "", REPLY_DELIMITER),
        Block::Text(elements) => elements.iter().for_each(|one| element(text, one)),
        Block::Moves(all) => moves(text, all),
        Block::Picture(picture) => text.push_str(&picture.as_text()),
        Block::Choices(_) | Block::PageOnly(_) | Block::Analysis(_) => {}
        Block::Position(position) => wrap(text, &format!("Position: {position}"), "  "),
        Block::Section(number, title) => {
            let _ = writeln!(text, "{:-<TEXT_WIDTH$}\n{number}. {title}", "");
        }
        Block::Preformatted(page) => {
            text.push_str(page);
            if !page.ends_with('\n') {
                text.push('\n');
            }
        }
        Block::Routed(routed) => {
            text.push_str(&self::text(&routed.blocks, medium));
            if let Some(how) = routed.how_to_answer.as_ref().filter(|_| medium == TextMedium::Mail)
            {
                text.push('\n');
                wrap(text, how, "");
            }
        }
        Block::Shortened(blocks, most) => {
            let whole = self::text(blocks, medium);
            text.push_str(&shorten(&whole, *most));
            if whole.len() > *most {
                text.push_str("\nThe rest does not fit into one mail. Ask for less at once.\n");
            }
        }
    }
}

fn element(text: &mut String, element: &TextElement) {
    match element {
        TextElement::Heading(words) | TextElement::Sentence(words) | TextElement::Fact(words) => {
            wrap(text, words, "");
        }
        TextElement::Named(name, words) => wrap(text, &format!("{name}: {words}"), "  "),
        TextElement::Field(name, words) => wrap(text, &format!("{name:<11}{words}"), "           "),
        TextElement::Item(mark, words) => {
            wrap(text, &format!("{mark} {words}"), &"   "[..=mark.len().min(2)]);
        }
        TextElement::Command(words) => line(text, "  ", words),
        TextElement::Plays(plays) => wrap(text, &format!("  {}", plays.join("  ")), "  "),
        TextElement::Quote(words) => text.push_str(&quotation(words)),
        TextElement::Preformatted(words) => line(text, "", words),
    }
}

fn line(text: &mut String, indent: &str, words: &str) {
    text.push_str(indent);
    text.push_str(words);
    text.push('\n');
}

/// Wraps words; lines after the first are indented.
fn wrap(text: &mut String, words: &str, indent: &str) {
    text.push_str(&lines(words, TEXT_WIDTH, indent));
    text.push('\n');
}

/// Prints a round on each line: number, roll and play of each side, in two columns.
fn moves(text: &mut String, moves: &MoveList) {
    let [o, x] = &moves.sides;
    // Two names of 32 letters do not fit on one line.
    let gap = if o.len() + x.len() > 66 {
        format!("\n{:width$}", "", width = WIDTH.min(45 + x.len()) - x.len())
    } else {
        " ".repeat(6)
    };
    let _ = writeln!(text, "      {o:<33}{gap}{x}");
    let mut column = 0;
    for ListedMove { number, seat, dice, words } in &moves.turns {
        let dice = dice.map_or_else(String::new, |dice| dice.to_string());
        let cell = format!("{number:>4}. {dice:<2} {words}");
        if *seat == Seat(0) {
            // The other side has no move in this round, for example after a resignation.
            if column > 0 {
                text.push('\n');
            }
            text.push_str(&cell);
            column = cell.len();
        } else {
            let start = 39.min(WIDTH.saturating_sub(cell.len()));
            if column > start.saturating_sub(1) {
                text.push('\n');
                column = 0;
            }
            let _ = writeln!(text, "{:gap$}{cell}", "", gap = start - column);
            column = 0;
        }
    }
    if column > 0 {
        text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentence(words: &str) -> TextElement {
        TextElement::Sentence(words.into())
    }

    #[test]
    fn an_empty_line_separates_blocks() {
        let blocks = [
            Block::Mark,
            Block::Text(vec![sentence("You wrote:"), TextElement::Quote("hi\n\nthere".into())]),
            Block::Choices(Vec::new()),
            Block::Text(vec![sentence("Send"), TextElement::Command("help".into())]),
            Block::Section(2, "Help".into()),
            Block::Preformatted("as it is".into()),
        ];
        let rule = "-".repeat(TEXT_WIDTH);
        let want = format!(
            "You wrote:\n> hi\n>\n> there\n\nSend\n  help\n\n{rule}\n2. Help\n\nas it is\n"
        );
        assert_eq!(text(&blocks, TextMedium::Shell), want);
        assert_eq!(text(&blocks, TextMedium::Mail), format!("{REPLY_DELIMITER}\n\n{want}"));
    }

    #[test]
    fn long_lines_are_wrapped_and_indented_unless_they_are_sentences() {
        let words = "word ".repeat(20);
        let broken = |piece| {
            let text = text(&[Block::Text(vec![piece])], TextMedium::Mail);
            assert!(text.lines().all(|line| line.len() <= TEXT_WIDTH), "{text}");
            text.lines().nth(1).unwrap_or_default().to_owned()
        };
        assert_eq!(broken(sentence(&words)), "word word word word word");
        assert_eq!(
            broken(TextElement::Named("Options".into(), words)),
            "  word word word word word word word"
        );
        let plays = vec!["13-7,8-7".to_owned(); 8];
        assert_eq!(broken(TextElement::Plays(plays)), "  13-7,8-7");
    }

    #[test]
    fn a_text_that_is_too_long_says_so() {
        let page = |most| {
            text(
                &[Block::Shortened(vec![Block::Preformatted("a\nb\nc\n".repeat(9))], most)],
                TextMedium::Mail,
            )
        };
        assert_eq!(page(54), "a\nb\nc\n".repeat(9));
        assert!(page(30).ends_with(
            "[... cut]\n\nThe rest does not fit into one mail. Ask for less at once.\n"
        ));
    }
}
