//! From a mail to the command lines in it.

use crate::board::Board;
use crate::command::words::Trust;
use crate::command::{self, Reply};
use crate::ids::UserId;
use crate::message::{MARK, Message, own_words};
use crate::refusal::SyntaxRefusal;
use crate::token::Tag;
use games::MoveError;

/// Lines that a `multiple` may have.
const MOST_LINES: usize = 50;

/// One command line of a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The words.
    pub line: String,
    /// What is believed without a password.
    pub trust: Trust,
    /// What was written beside it.
    pub comment: String,
}

/// The tag that a mail was sent to, or that its Subject carries.
pub fn tag(message: &Message) -> Option<Tag> {
    let addressed = message.to.iter().filter_map(|to| to.tag()).find_map(Tag::parse);
    addressed.or_else(|| {
        let marks = message.subject.split_whitespace();
        marks.filter_map(|word| word.strip_prefix("[#")?.strip_suffix(']')).find_map(Tag::parse)
    })
}

/// The requests of a mail. `replies` is the board that its tag names, with the player whose tag
/// it is.
///
/// # Errors
/// A reply in which no move, or more than one, can be found.
pub fn requests(
    message: &Message,
    replies: Option<(&Board, &UserId)>,
) -> Result<Vec<Request>, SyntaxRefusal> {
    let subject: Vec<&str> =
        message.subject.split_whitespace().filter(|word| !word.starts_with("[#")).collect();
    let subject = subject.join(" ");
    if command::without_marks(&subject).eq_ignore_ascii_case("multiple") {
        return Ok(multiple(&message.text));
    }
    let own = own_words(&message.text);
    if let Some((board, player)) = replies
        && command::parse(&subject, &Trust::Words).is_err()
    {
        return reply(&own, board, player).map(|request| vec![request]);
    }
    Ok(vec![Request { line: subject, trust: Trust::Words, comment: own }])
}

/// One request a line, until a signature, a quotation or `end`.
fn multiple(text: &str) -> Vec<Request> {
    text.lines()
        .take_while(|line| {
            let line = line.trim();
            let over = line == "--" || line == MARK || line.starts_with('>');
            !over && !line.eq_ignore_ascii_case("end")
        })
        .filter(|line| !line.trim().is_empty())
        .take(MOST_LINES)
        .map(|line| Request {
            line: line.trim().to_owned(),
            trust: Trust::Words,
            comment: String::new(),
        })
        .collect()
}

/// The first line of a reply is a verb of the board or a move; what follows is a message.
fn reply(own: &str, board: &Board, player: &UserId) -> Result<Request, SyntaxRefusal> {
    let mut lines = own.lines().skip_while(|line| line.trim().is_empty());
    let first = lines.next().map(str::trim).ok_or(SyntaxRefusal::EmptyReply)?;
    let rest: Vec<&str> = lines.collect();
    let game = board.game.spec().name;
    let number = board.id.number;
    let (word, more) = first.split_once(char::is_whitespace).unwrap_or((first, ""));
    let verb =
        command::find_verb(word, Some(board.game)).and_then(|verb| Some((verb, verb.reply?)));
    let line = match verb {
        Some((verb, Reply::Board)) => format!("{game} {} {number} {more}", verb.name),
        Some((verb, Reply::Player)) => format!("{game} {} {number} {player} {more}", verb.name),
        None if !more.trim().is_empty() => {
            return Err(SyntaxRefusal::NoMove(first.to_owned()));
        }
        None => {
            let second = rest.iter().map(|line| line.trim()).find(|line| !line.is_empty());
            if let Some(second) = second.filter(|second| could_be_a_move(board, second)) {
                return Err(SyntaxRefusal::TwoMoves(first.to_owned(), second.to_owned()));
            }
            format!("{game} move {number} {player} {first}")
        }
    };
    let comment = rest.join("\n").trim().to_owned();
    Ok(Request { line, trust: Trust::Token(board.id, player.clone()), comment })
}

fn could_be_a_move(board: &Board, words: &str) -> bool {
    let read = board.position().copy().play(words);
    !matches!(read, Err(MoveError::Unreadable { .. } | MoveError::NothingToMove))
}
