//! From a mail to the command lines in it.

use crate::board::Board;
use crate::command::words::{Trust, split_moveno};
use crate::command::{self, Meant, Reply};
use crate::ids::UserId;
use crate::message::{MARK, Message, own_words};
use crate::refusal::SyntaxRefusal;
use crate::token::{OptOutTag, Tag};

/// Lines that a `multiple` may have.
pub(crate) const MOST_LINES: usize = 50;

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
    tags(message).find_map(Tag::parse)
}

/// The tag of an address that turns mails off, if it was sent to one. What a mail program sends
/// there may have no text, and any Subject.
pub fn opt_out(message: &Message) -> Option<OptOutTag> {
    tags(message).find_map(OptOutTag::parse)
}

/// What may be a tag of ours, in addresses and then in the Subject.
fn tags(message: &Message) -> impl Iterator<Item = &str> {
    let marks = message.subject.split_whitespace();
    let marks = marks.filter_map(|word| word.strip_prefix("[#")?.strip_suffix(']'));
    message.to.iter().filter_map(|to| to.tag()).chain(marks)
}

/// The requests of a mail. `replies` is the board that its tag names, with the player whose tag
/// it is; a mail may be `tagged` without that, if the tag was made for nobody there.
///
/// # Errors
/// A reply in which no move, or more than one, can be found; an empty list of commands.
pub fn requests(
    message: &Message,
    tagged: bool,
    replies: Option<(&Board, &UserId, &Tag)>,
) -> Result<Vec<Request>, SyntaxRefusal> {
    let subject: Vec<&str> =
        message.subject.split_whitespace().filter(|word| !word.starts_with("[#")).collect();
    let subject = subject.join(" ");
    if command::is_multiple(&subject) {
        return multiple(&message.text);
    }
    let own = own_words(&message.text);
    let is_command = command::parse(&subject, &Trust::Words).is_ok();
    match replies {
        Some((board, player, tag)) if !is_command || is_ours(&subject, board) => {
            reply(&own, board, player, tag).map(|request| vec![request])
        }
        None if tagged && !is_command => Err(SyntaxRefusal::Tag),
        None if opt_out(message).is_some() && !is_command => Err(SyntaxRefusal::OptOut),
        _ => Ok(vec![Request { line: subject, trust: Trust::Words, comment: own }]),
    }
}

/// Whether a Subject is one that we wrote, with nothing behind it but the marks of other programs.
fn is_ours(subject: &str, board: &Board) -> bool {
    let bare = command::without_marks(subject).to_ascii_lowercase();
    let start = format!("{} board {} ", board.game.spec().name, board.id.number);
    bare.strip_prefix(&start).is_some_and(|rest| {
        let mut words = rest.split_whitespace().skip(1);
        words.all(|word| word == "**" || (word.starts_with('[') && word.ends_with(']')))
    })
}

/// Whether a Subject is that of a mail of ours about any board: who sends it again says nothing.
pub fn is_of_a_board(subject: &str) -> bool {
    let bare = command::without_marks(subject).to_ascii_lowercase();
    let mut words = bare.split_whitespace();
    let is_game = words.next().is_some_and(|word| games::find(word).is_some());
    is_game && words.next() == Some("board") && words.next().is_some()
}

/// One request a line, until a signature, an empty quotation or `end`. Other quoted lines are
/// nobody's commands, and a line behind the last is answered as one too many.
fn multiple(text: &str) -> Result<Vec<Request>, SyntaxRefusal> {
    let mut lines = text
        .lines()
        .map(str::trim)
        .take_while(|line| !matches!(*line, "--" | ">" | MARK) && !line.eq_ignore_ascii_case("end"))
        .filter(|line| !line.is_empty() && !line.starts_with('>'));
    let request =
        |line: &str| Request { line: line.to_owned(), trust: Trust::Words, comment: String::new() };
    let requests: Vec<Request> = lines.by_ref().take(MOST_LINES).map(request).collect();
    if requests.is_empty() {
        return Err(SyntaxRefusal::EmptyMultiple);
    }
    if lines.next().is_some() {
        return Err(SyntaxRefusal::LongMultiple(MOST_LINES));
    }
    Ok(requests)
}

/// The first line of a reply is a verb of the board or a move; what follows is a message.
fn reply(own: &str, board: &Board, player: &UserId, tag: &Tag) -> Result<Request, SyntaxRefusal> {
    let moveno = tag.moveno;
    let mut lines = own.lines().skip_while(|line| line.trim().is_empty());
    let first = lines.next().map(str::trim).ok_or(SyntaxRefusal::EmptyReply)?;
    let rest: Vec<&str> = lines.collect();
    let game = board.game.spec().name;
    let number = board.id.number;
    let (word, more) = first.split_once(char::is_whitespace).unwrap_or((first, ""));
    let verb =
        command::find_verb(word, Some(board.game)).and_then(|verb| Some((verb, verb.reply?)));
    // A word that a game has too is read as a move is; `move` knows both.
    let verb = verb.filter(|(verb, _)| {
        command::is_answer(verb)
            || !board.game.spec().verbs.contains(&verb.name) && !board.position().spells(verb.name)
    });
    let line = match verb {
        Some((verb, Reply::Game)) => format!("{game} {} {more}", verb.name),
        Some((verb, Reply::Board)) => format!("{game} {} {number} {more}", verb.name),
        Some((verb, Reply::Player)) => format!("{game} {} {number} {player} {more}", verb.name),
        Some((verb, Reply::ForMove)) => {
            let moveno = moveno.filter(|_| !board.is_over());
            let at = moveno.map_or_else(String::new, |moveno| format!("#{moveno}"));
            // So is what `accept` means.
            let more = match tag.offered.map_or(Meant::Game, Meant::Offer) {
                meant if command::is_answer(verb) && more.trim().is_empty() => meant.word(),
                _ => more,
            };
            format!("{game} {} {number}{at} {player} {more}", verb.name)
        }
        None => {
            let is_setting = command::is_setting(board.game, first);
            let could_be =
                |line: &str| could_be_a_move(board, line) || command::is_setting(board.game, line);
            let is_one =
                more.trim().is_empty() && (board.is_over() || could_be_a_move(board, first));
            if !is_one && !is_setting {
                return Err(SyntaxRefusal::NoMove);
            }
            // What stands behind an empty line is the message.
            let second = rest.first().map(|line| line.trim());
            if let Some(second) = second.filter(|second| could_be(second)) {
                return Err(SyntaxRefusal::TwoMoves(first.to_owned(), second.to_owned()));
            }
            // A move is meant for the board as the mail showed it, even if it comes twice.
            let moveno = moveno.filter(|_| !is_setting && !board.is_over() && !first.contains('#'));
            let behind = moveno.map_or_else(String::new, |moveno| format!("#{moveno}"));
            format!("{game} move {number} {player} {first}{behind}")
        }
    };
    let comment = rest.join("\n").trim().to_owned();
    Ok(Request { line, trust: Trust::Token(board.id, player.clone()), comment })
}

/// Whether a line is one word that can be read as a move of the game or is one of its own words.
pub fn could_be_a_move(board: &Board, words: &str) -> bool {
    let (words, _) = split_moveno(words);
    if words.is_empty() || words.contains(char::is_whitespace) {
        return false;
    }
    board.position().spells(words) || command::own_word(board.game, words).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_commands_has_fifty_lines_at_most() {
        let list = |count: usize| multiple(&"list\n\n".repeat(count));
        assert_eq!(list(50).map(|requests| requests.len()), Ok(50));
        assert_eq!(list(51), Err(SyntaxRefusal::LongMultiple(50)));
        assert_eq!(multiple("\nend\nlist\n"), Err(SyntaxRefusal::EmptyMultiple));
        let ended = multiple(&("list\n".repeat(50) + "end\nlist\n"));
        assert_eq!(ended.map(|requests| requests.len()), Ok(50));
    }
}
