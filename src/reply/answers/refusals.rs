//! The mail that tells a sender why a command was not carried out, and notes below an answer.

use crate::base::ids::UserId;
use crate::base::words::quoted;
use crate::model::board::Board;
use crate::model::topic::Topic;
use crate::model::world::World;
use crate::refusal::{BoardRefusal, ExampleValues, Refusal};
use crate::reply::board_mail::board_section::picture;
use crate::reply::board_mail::{offers, subject};
use crate::reply::letters::{Block, OutgoingMail, Recipient, TextElement};
use games::{Diagram, Seat};

/// Builds the mail that refuses a command. `values` fill in the hint's examples.
pub fn refusal_mail(refusal: &Refusal, values: &ExampleValues) -> OutgoingMail {
    let board = match refusal {
        Refusal::Board(about) => about.board().or(values.board),
        _ => values.board,
    };
    let subject = subject::for_refusal(board);
    let mut blocks = vec![Block::Text(vec![
        TextElement::Sentence(format!("Not done: {refusal}.")),
        TextElement::Sentence("Nothing has changed.".into()),
    ])];
    let values = ExampleValues { board, ..values.clone() };
    if let Some(hint) = refusal.hint().map(|hint| values.fill_in(&hint)) {
        // Only the sentence is wrapped; the lists and examples below it are laid out already.
        let mut lines = hint.split('\n').map(str::to_owned);
        let first = lines.next().map(TextElement::Sentence);
        blocks.push(Block::Text(
            first.into_iter().chain(lines.map(TextElement::Preformatted)).collect(),
        ));
    }
    let tiled = refusal.tiled_board().map(|tiled| Diagram::Board(tiled.clone()));
    blocks.extend(tiled.map(|tiled| picture(&tiled, None)));
    let is_unknown = matches!(refusal, Refusal::Board(BoardRefusal::Unknown(_)));
    let board = board.filter(|_| !is_unknown);
    OutgoingMail { topic: board.map(Topic::Board), ..OutgoingMail::answer(subject, blocks) }
}

/// Replaces a password in mails that quote it as a misplaced word.
pub fn redact_password(outgoing: &mut [OutgoingMail], password: &str) {
    for block in outgoing.iter_mut().flat_map(|mail| &mut mail.blocks) {
        let Block::Text(lines) = block else { continue };
        for line in lines {
            match line {
                TextElement::Heading(words)
                | TextElement::Sentence(words)
                | TextElement::Fact(words)
                | TextElement::Named(_, words)
                | TextElement::Field(_, words)
                | TextElement::Item(_, words)
                | TextElement::Command(words)
                | TextElement::Quote(words)
                | TextElement::Preformatted(words) => *words = without_quotes_of(password, words),
                TextElement::Plays(plays) => {
                    for play in plays {
                        *play = without_quotes_of(password, play);
                    }
                }
            }
        }
    }
}

/// Returns the text without the quotations, between backquotes, that contain the password. The usage
/// of a command, with its `<...>`, is kept.
fn without_quotes_of(password: &str, words: &str) -> String {
    let text = words.replace(&quoted(password), "your password");
    if !text.contains(password) {
        return text;
    }
    let mut kept = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some((before, behind)) = rest.split_once('`') {
        kept.push_str(before);
        let Some((words, after)) = behind.split_once('`') else {
            kept.push('`');
            rest = behind;
            break;
        };
        if words.contains(password) && !words.contains('<') {
            kept.push_str("your password");
        } else {
            kept.extend(["`", words, "`"]);
        }
        rest = after;
    }
    kept + rest
}

/// Adds a note to the sender's own mails: lines with their password were not passed on.
pub fn note_withheld_lines(outgoing: &mut [OutgoingMail], user: &UserId) {
    note_to_sender(
        outgoing,
        user,
        "The lines below your command that contained your password were not passed on. Write \
         commands in the Subject.",
    );
}

/// Adds a note to the sender's own mails: the operator has muted them, so their words were not passed
/// on.
pub fn note_muted_words(outgoing: &mut [OutgoingMail], user: &UserId) {
    let words = "Your words were not passed on, because the operator has muted you.";
    note_to_sender(outgoing, user, words);
}

fn note_to_sender(outgoing: &mut [OutgoingMail], user: &UserId, note: &str) {
    let is_own = |mail: &&mut OutgoingMail| match &mail.to {
        Recipient::Sender => true,
        Recipient::User(to) => to == user,
        Recipient::Listener(_) | Recipient::Address(_) => false,
    };
    for mail in outgoing.iter_mut().filter(is_own) {
        mail.blocks.push(Block::sentence(note));
    }
}

/// Returns a sentence about the offer that the player of a seat has to answer, if there is one.
pub fn open_offer(world: &World, board: &Board, seat: Seat) -> Option<Block> {
    board.offered_to(seat)?;
    offers::open(board, &world.view(board, seat)).map(Block::sentence)
}

/// Builds the answer to a mail that was given up because of a bug or an unreadable file.
pub fn server_error() -> OutgoingMail {
    let blocks = vec![Block::sentence(
        "Your mail could not be processed because of an error in this server. It is not your \
         fault. The operator has been told and has your mail. Nothing has changed.",
    )];
    OutgoingMail::answer(subject::for_refusal(None), blocks)
}
