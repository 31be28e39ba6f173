//! A letter as blocks: what it says is decided once, and each printer shows it in its own way.

use crate::base::words::lines;
use crate::reply::analysis::PendingAnalysis;
use crate::reply::letters::picture_json::{ListedMove, Picture};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// One thing that a letter shows. Plain text has an empty line between two of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Block {
    /// The line above which readers write their answer.
    Mark,
    /// Sentences, and the lines that belong to them.
    Text(Vec<TextElement>),
    /// The latest moves, a row a round.
    Moves(MoveList),
    /// A board.
    Picture(Box<Picture>),
    /// Buttons for a reader's answers. Plain text says the same in sentences.
    Choices(Vec<Choice>),
    /// A position, as programs read it.
    Position(String),
    /// The answer to one of several commands begins: its number and its Subject.
    Section(usize, String),
    /// A text that is laid out already: a help page, an export, a list.
    #[serde(rename = "Page")]
    Preformatted(String),
    /// Blocks of which no more than so many bytes are shown.
    Shortened(Vec<Block>, usize),
    /// Blocks that a page has room for, and a text has not.
    #[serde(rename = "Aside")]
    PageOnly(Vec<Block>),
    /// The program's opinion of a game, which is worked out where it is printed.
    Analysis(Box<PendingAnalysis>),
}

/// A line of a text, or a sentence that takes as many as it needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TextElement {
    /// The first words of the letter.
    Heading(String),
    /// A sentence or a few of them.
    Sentence(String),
    /// A sentence by itself, such as that of a clock.
    Fact(String),
    /// A name, and words that go on indented.
    Named(Cow<'static, str>, String),
    /// A name in a column of its own, and what it has.
    Field(Cow<'static, str>, String),
    /// A mark or a number, and sentences that go on behind it.
    Item(Cow<'static, str>, String),
    /// A command to send, or another line that is never broken.
    Command(String),
    /// Moves that can be played: a line has as many as there is room for.
    Plays(Vec<String>),
    /// Words of a player.
    #[serde(rename = "Said")]
    Quote(String),
    /// A line that is laid out already.
    #[serde(rename = "Kept")]
    Preformatted(String),
}

/// The latest moves of a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveList {
    /// The heads of the two columns: the side and its player.
    pub sides: [String; 2],
    /// The moves, the oldest first.
    pub turns: Vec<ListedMove>,
}

/// Something that can be said by pressing it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// The words on it.
    pub label: String,
    /// The command that it sends.
    pub says: ChoiceAction,
}

/// The command that a choice sends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ChoiceAction {
    /// A reply: its first line, and what its writer is asked to do, which nobody reads here.
    Reply(String, Cow<'static, str>),
    /// A command in the Subject of a new mail.
    Command(String),
}

impl Block {
    /// The first words of the letter.
    pub fn heading(words: impl Into<String>) -> Self {
        Self::Text(vec![TextElement::Heading(words.into())])
    }

    /// A paragraph.
    pub fn sentence(words: impl Into<String>) -> Self {
        Self::Text(vec![TextElement::Sentence(words.into())])
    }

    /// A paragraph behind a mark or a number.
    pub fn item(mark: &'static str, words: impl Into<String>) -> Self {
        Self::Text(vec![TextElement::Item(mark.into(), words.into())])
    }

    /// A command by itself.
    pub fn command(command: impl Into<String>) -> Self {
        Self::Text(vec![TextElement::Command(command.into())])
    }

    /// Lines that are laid out already.
    pub fn preformatted(lines: impl IntoIterator<Item = String>) -> Self {
        Self::Text(lines.into_iter().map(TextElement::Preformatted).collect())
    }

    /// A sentence, and the commands that it asks to send.
    pub fn send(
        words: impl Into<String>,
        commands: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        let commands = commands.into_iter().map(|command| TextElement::Command(command.into()));
        Self::Text(std::iter::once(TextElement::Sentence(words.into())).chain(commands).collect())
    }
}

/// A sentence, and the Subject with a one-time word in it that it asks to send. Where the userid is so
/// long that the Subject does not fit into a line it is broken, which is said.
pub(crate) fn to_send(sentence: String, subject: &str) -> [Block; 2] {
    let shown = lines(subject, 74, "  ");
    let one = if shown.contains('\n') { ", all in one line" } else { "" };
    let shown = shown.lines().map(|line| TextElement::Command(line.into())).collect();
    [Block::sentence(sentence + one), Block::Text(shown)]
}

impl Choice {
    /// A choice that puts its own label on the first line of a reply.
    pub fn reply(label: impl Into<String>) -> Self {
        let label = label.into();
        Self { says: ChoiceAction::Reply(label.clone(), "".into()), label }
    }
}

/// That there are more than are shown.
pub(crate) fn more(count: usize, shown: usize) -> Option<String> {
    (count > shown).then(|| format!("  ... and {} more", count - shown))
}
