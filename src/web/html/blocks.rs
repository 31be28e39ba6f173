//! Blocks as HTML: what a mail would say, on a page.

use crate::reply::draw::{DrawOptions, Ink, Marks, svg};
use crate::reply::{Block, ListedMove, MoveList, Picture, TextElement};
use games::Seat;
use maud::{Markup, PreEscaped, html};

/// Blocks, one after the other. Buttons are left out: a page has forms for what they say.
pub(in crate::web) fn blocks(blocks: &[Block]) -> Markup {
    html! { @for one in blocks { (block(one)) } }
}

fn block(block: &Block) -> Markup {
    match block {
        Block::Mark | Block::Choices(_) | Block::Analysis(_) => html! {},
        Block::Text(pieces) => text(pieces),
        Block::Moves(moves) => rounds(moves),
        Block::Picture(picture) => drawn(picture),
        Block::Position(line) => html! { p.position { code data-copy { (line) } } },
        Block::Section(number, subject) => html! { h2 { (number) ". " (subject) } },
        Block::Preformatted(text) => html! { pre.kept { (text) } },
        Block::Shortened(within, _) | Block::PageOnly(within) => blocks(within),
    }
}

/// A board on which nothing can be pressed.
fn drawn(picture: &Picture) -> Markup {
    let Picture { diagram, names, highlights } = picture;
    let names = names.as_ref().map_or(["", ""], |[one, other]| [one, other]);
    let marks = Marks { last: highlights.last.clone(), ..Marks::default() };
    let look = DrawOptions {
        names,
        beside: ["", ""],
        turn: highlights.turn,
        marks: &marks,
        ink: Ink::Page,
    };
    html! { figure.board { (PreEscaped(svg(diagram, &look))) } }
}

/// The lines of a text: those of one kind are a paragraph.
fn text(pieces: &[TextElement]) -> Markup {
    html! {
        @for pieces in pieces.chunk_by(is_one_paragraph) {
            @match &pieces[0] {
                TextElement::Heading(words) => p.news { strong { (words) } },
                TextElement::Command(_) | TextElement::Preformatted(_) => pre.kept {
                    @for (at, one) in pieces.iter().enumerate() {
                        @if at > 0 { "\n" }
                        (piece(one))
                    }
                },
                TextElement::Quote(_) => blockquote.words { (piece(&pieces[0])) },
                _ => p {
                    @for (at, one) in pieces.iter().enumerate() {
                        @if at > 0 { " " }
                        (piece(one))
                    }
                },
            }
        }
    }
}

fn is_one_paragraph(one: &TextElement, next: &TextElement) -> bool {
    use TextElement::{Command, Preformatted, Sentence};
    matches!(
        (one, next),
        (Sentence(_), Sentence(_)) | (Command(_) | Preformatted(_), Command(_) | Preformatted(_))
    )
}

fn piece(piece: &TextElement) -> Markup {
    match piece {
        TextElement::Heading(words)
        | TextElement::Sentence(words)
        | TextElement::Fact(words)
        | TextElement::Command(words)
        | TextElement::Preformatted(words)
        | TextElement::Quote(words) => html! { (words) },
        TextElement::Named(name, words) | TextElement::Field(name, words) => {
            html! { (name) ": " (words) }
        }
        TextElement::Item(mark, words) => html! { (mark) " " (words) },
        TextElement::Plays(plays) => html! {
            @for play in plays { code { (play) } " " }
        },
    }
}

/// The latest moves, a row a round.
fn rounds(moves: &MoveList) -> Markup {
    html! {
        @if !moves.turns.is_empty() {
            table.rounds {
                tr { th scope="col" { "Move" } @for side in &moves.sides { th scope="col" { (side) } } }
                @for one in &moves.turns {
                    tr {
                        th scope="row" { (one.number) }
                        @for seat in Seat::BOTH {
                            td { @if one.seat == seat { (turn(one)) } }
                        }
                    }
                }
            }
        }
    }
}

/// The dice and the words of a move; a line ends between its steps.
pub(in crate::web) fn turn(one: &ListedMove) -> Markup {
    html! {
        @if let Some(dice) = one.dice { span.dice { (dice) ": " } }
        @for step in one.words.split_inclusive(',') { span.whole { (step) } wbr; }
    }
}

/// Words as a sentence or a button begins with them.
pub(in crate::web) fn named(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}
