//! The blocks of an answer as HTML.

use crate::reply::draw::{DrawOptions, Ink, Marks, Orientation, svg};
use crate::reply::{Block, ListedMove, MoveList, Picture, TextElement};
use crate::web::html::player_text::player_text;
use games::Seat;
use maud::{Markup, PreEscaped, html};

/// Renders blocks one after the other. Choices are left out: a page has forms for them.
pub(crate) fn blocks(blocks: &[Block]) -> Markup {
    html! { @for it in blocks { (block(it)) } }
}

fn block(block: &Block) -> Markup {
    match block {
        Block::Mark | Block::Choices(_) | Block::Analysis(_) => html! {},
        Block::Text(elements) => text(elements),
        Block::Moves(moves) => move_table(moves),
        Block::Picture(it) => picture(it),
        Block::Position(line) => html! { p.position { code data-copy { (line) } } },
        Block::Section(number, subject) => html! { h2 { (number) ". " (subject) } },
        Block::Preformatted(text) => html! { pre.kept { (text) } },
        Block::Shortened(within, _) | Block::PageOnly(within) => blocks(within),
        Block::Routed(routed) => blocks(&routed.blocks),
    }
}

/// Renders a board without links.
fn picture(picture: &Picture) -> Markup {
    let Picture { diagram, names, highlights } = picture;
    let names = names.as_ref().map_or(["", ""], |[one, other]| [one, other]);
    let marks = Marks { last: highlights.last.clone(), ..Marks::default() };
    let options = DrawOptions {
        names,
        beside: ["", ""],
        turn: highlights.turn,
        marks: &marks,
        ink: Ink::Page,
        orientation: Orientation::upright(diagram),
    };
    html! { figure.board { (PreEscaped(svg(diagram, &options))) } }
}

/// Renders text. Neighbouring elements of one kind become a paragraph.
fn text(elements: &[TextElement]) -> Markup {
    html! {
        @for elements in elements.chunk_by(is_one_paragraph) {
            @match &elements[0] {
                TextElement::Heading(words) => p.news { strong { (words) } },
                TextElement::Command(_) | TextElement::Preformatted(_) => pre.kept {
                    @for (index, it) in elements.iter().enumerate() {
                        @if index > 0 { "\n" }
                        (element(it))
                    }
                },
                TextElement::Quote(words) => blockquote.words dir="auto" { (player_text(words)) },
                _ => p {
                    @for (index, it) in elements.iter().enumerate() {
                        @if index > 0 { " " }
                        (element(it))
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

fn element(element: &TextElement) -> Markup {
    match element {
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

/// Renders the latest moves, a row for each.
fn move_table(moves: &MoveList) -> Markup {
    html! {
        @if !moves.turns.is_empty() {
            table.rounds {
                tr { th scope="col" { "Move" } @for side in &moves.sides { th scope="col" { (side) } } }
                @for turn in &moves.turns {
                    tr {
                        th scope="row" { (turn.number) }
                        @for seat in Seat::BOTH {
                            td { @if turn.seat == seat { (listed_move(turn)) } }
                        }
                    }
                }
            }
        }
    }
}

/// Renders the dice and the steps of a move. Lines break between steps only.
pub(crate) fn listed_move(turn: &ListedMove) -> Markup {
    html! {
        @if let Some(dice) = turn.dice { span.dice { (dice) ": " } }
        @for step in turn.words.split_inclusive(',') { span.whole { (step) } wbr; }
    }
}

/// Returns the text with a capital first letter.
pub(crate) fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// Returns the label of a move's button: a word with a capital, a move with places as it is, since its
/// case may matter.
pub(crate) fn move_label(text: &str) -> String {
    let has_place = text.contains(|sign: char| sign.is_ascii_digit());
    if has_place { text.to_owned() } else { capitalized(text) }
}
