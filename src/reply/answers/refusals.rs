//! Why a command is not carried out, for its sender.

use crate::base::ids::UserId;
use crate::base::words::quoted;
use crate::model::board::Board;
use crate::model::world::World;
use crate::refusal::{Asker, BoardRefusal, Refusal};
use crate::reply::board_mail::board_section::picture;
use crate::reply::board_mail::{offers, subject};
use crate::reply::letters::blocks::{Block, TextElement};
use crate::reply::letters::outgoing_mail::{OutgoingMail, Recipient};
use games::{Diagram, Seat};

/// Says to its sender why a command is not carried out.
pub fn refusal_mail(refusal: &Refusal, asker: &Asker) -> OutgoingMail {
    let board = match refusal {
        Refusal::Board(about) => about.board().or(asker.board),
        _ => asker.board,
    };
    let subject = subject::for_refusal(board);
    let mut blocks = vec![Block::Text(vec![
        TextElement::Sentence(format!("Not done: {refusal}.")),
        TextElement::Sentence("Nothing has changed.".into()),
    ])];
    let asked = Asker { board, ..asker.clone() };
    if let Some(hint) = refusal.hint().map(|hint| asked.example(&hint)) {
        // Lists and samples stay as they are; only the sentence above them is broken into lines.
        let mut lines = hint.split('\n').map(str::to_owned);
        let first = lines.next().map(TextElement::Sentence);
        blocks.push(Block::Text(
            first.into_iter().chain(lines.map(TextElement::Preformatted)).collect(),
        ));
    }
    let grid = refusal.grid().map(|grid| Diagram::Grid(grid.clone()));
    blocks.extend(grid.map(|grid| picture(&grid, None)));
    let stale = matches!(refusal, Refusal::Board(BoardRefusal::Unknown(_)));
    let board = board.filter(|_| !stale);
    OutgoingMail { board, ..OutgoingMail::answer(subject, blocks) }
}

/// Takes a password out of refusals that quote it as a word that was something else.
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

/// The words with those between backquotes left out that have a password in them, with signs beside
/// it, say. How a command is written is no such word.
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

/// Tells users who wrote their password below a command that this was not passed on.
pub fn note_withheld_lines(outgoing: &mut [OutgoingMail], user: &UserId) {
    let is_own = |mail: &&mut OutgoingMail| match &mail.to {
        Recipient::Sender => true,
        Recipient::User(to) => to == user,
        Recipient::Listener(_) | Recipient::Address(_) => false,
    };
    for mail in outgoing.iter_mut().filter(is_own) {
        mail.blocks.push(Block::sentence(
            "The lines below your command that had your password in them were not passed on. Write \
             commands in the Subject.",
        ));
    }
}

/// What is offered to the player of a seat, below something else.
pub fn open_offer(world: &World, board: &Board, seat: Seat) -> Option<Block> {
    board.offered_to(seat)?;
    offers::open(board, &world.view(board, seat)).map(Block::sentence)
}

/// The answer to the sender of a mail that fails by a fault of ours.
pub fn server_error() -> OutgoingMail {
    let blocks = vec![Block::sentence(
        "Your mail could not be executed: that is a fault of this server, not yours. The operator \
         knows of it and has your mail. Nothing has changed.",
    )];
    OutgoingMail::answer(subject::for_refusal(None), blocks)
}
