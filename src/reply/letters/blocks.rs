//! The blocks of a letter. Each printer shows them in its own way.

use crate::base::ids::BoardId;
use crate::base::words::lines;
use crate::reply::analysis::PendingAnalysis;
use crate::reply::letters::{ListedMove, Picture};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A part of a letter. Plain text has an empty line between two blocks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Block {
    /// The mark: the line above which readers write their answer.
    Mark,
    /// Sentences and the lines that belong to them.
    Text(Vec<TextElement>),
    /// The latest moves, a round in each row.
    Moves(MoveList),
    /// A drawn board.
    Picture(Box<Picture>),
    /// Buttons for the reader's answers. In plain text, other blocks say the same in sentences.
    Choices(Vec<Choice>),
    /// A position in the notation that programs read.
    Position(String),
    /// The head of the answer to one of several commands: its number and its Subject.
    Section(usize, String),
    /// A text that is already laid out: a help page, an export, a list.
    #[serde(rename = "Page")]
    Preformatted(String),
    /// Blocks cut after this many bytes.
    Shortened(Vec<Block>, usize),
    /// Blocks for an HTML page only.
    #[serde(rename = "Aside")]
    PageOnly(Vec<Block>),
    /// The analysis of a game, computed when the letter is printed.
    Analysis(Box<PendingAnalysis>),
    /// Blocks with a reply address of their own.
    Routed(Box<RoutedBlocks>),
}

/// Blocks about one of several topics of a letter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoutedBlocks {
    /// The board.
    pub board: BoardId,
    /// The Subject of a mail about it alone.
    pub subject: String,
    /// The tag of its reply address, once the recipient is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tag: Option<String>,
    /// How to reach that address, for readers of plain text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub how_to_answer: Option<String>,
    /// The blocks.
    pub blocks: Vec<Block>,
}

/// An element of a text: a line, or sentences that are wrapped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TextElement {
    /// The heading of the letter.
    Heading(String),
    /// One or a few sentences.
    Sentence(String),
    /// A sentence on its own, such as the state of a clock.
    Fact(String),
    /// A name and its value; following lines are indented.
    Named(Cow<'static, str>, String),
    /// A name in a column of its own, and its value.
    Field(Cow<'static, str>, String),
    /// An item of a list: its bullet or number, and sentences.
    Item(Cow<'static, str>, String),
    /// A command to send, or another line that is never wrapped.
    Command(String),
    /// Legal moves, as many on a line as fit.
    Plays(Vec<String>),
    /// A player's words.
    #[serde(rename = "Said")]
    Quote(String),
    /// A line that is already laid out.
    #[serde(rename = "Kept")]
    Preformatted(String),
}

/// The latest moves of a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveList {
    /// The headings of the two columns: the side and its player.
    pub sides: [String; 2],
    /// The moves, the oldest first.
    pub turns: Vec<ListedMove>,
}

/// A button that writes a mail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// The label.
    pub label: String,
    /// The mail that it writes.
    #[serde(rename = "says")]
    pub action: ChoiceAction,
}

/// The mail that a button writes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ChoiceAction {
    /// A reply: its first line, and below the mark a note to the player, which the server ignores.
    Reply(String, Cow<'static, str>),
    /// A command in the Subject of a new mail.
    Command(String),
}

impl Block {
    /// Builds the heading of a letter.
    pub fn heading(words: impl Into<String>) -> Self {
        Self::Text(vec![TextElement::Heading(words.into())])
    }

    /// Builds a paragraph.
    pub fn sentence(words: impl Into<String>) -> Self {
        Self::Text(vec![TextElement::Sentence(words.into())])
    }

    /// Builds an item of a list.
    pub fn item(mark: &'static str, words: impl Into<String>) -> Self {
        Self::Text(vec![TextElement::Item(mark.into(), words.into())])
    }

    /// Builds a command on its own.
    pub fn command(command: impl Into<String>) -> Self {
        Self::Text(vec![TextElement::Command(command.into())])
    }

    /// Builds lines that are already laid out.
    pub fn preformatted(lines: impl IntoIterator<Item = String>) -> Self {
        Self::Text(lines.into_iter().map(TextElement::Preformatted).collect())
    }

    /// Builds a sentence and the commands that it asks to send.
    pub fn send(
        words: impl Into<String>,
        commands: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        let commands = commands.into_iter().map(|command| TextElement::Command(command.into()));
        Self::Text(std::iter::once(TextElement::Sentence(words.into())).chain(commands).collect())
    }
}

/// Builds a sentence and the Subject with a code that it asks to send. A Subject too long for a line is
/// wrapped, and the sentence says so.
pub(crate) fn send_code(sentence: String, subject: &str) -> [Block; 2] {
    let shown = lines(subject, 74, "  ");
    let note = if shown.contains('\n') { ", all on one line" } else { "" };
    let shown = shown.lines().map(|line| TextElement::Command(line.into())).collect();
    [Block::sentence(sentence + note), Block::Text(shown)]
}

impl Choice {
    /// Builds a button that writes its label on the first line of a reply.
    pub fn reply(label: impl Into<String>) -> Self {
        let label = label.into();
        Self { action: ChoiceAction::Reply(label.clone(), "".into()), label }
    }
}

/// Returns the line "... and N more" below a list that shows `shown` of `count` rows.
pub(crate) fn more_line(count: usize, shown: usize) -> Option<String> {
    (count > shown).then(|| format!("  ... and {} more", count - shown))
}
