//! From a mail to the commands in it.

mod legible;
mod meaning;
mod reply;

use crate::base::ids::UserId;
use crate::command::{self, Command, MOST_LINES, Trust};
use crate::mail::{MARK, Message, UnquotedText, without_marks};
use crate::model::board::Board;
use crate::model::token::{OptOutTag, ReplyTag, WordsTag};
use crate::refusal::{Refusal, SyntaxRefusal};
use crate::reply::subject::{self, OwnSubject};
use games::View;

/// One command of a mail.
#[derive(Debug)]
pub struct Request {
    /// The command, or why the words are none.
    pub command: Result<Box<dyn Command>, Refusal>,
    /// The words, by which one request is told from another.
    pub line: String,
    /// How far the sender is trusted without a password.
    pub trust: Trust,
    /// The other words of the mail.
    pub comment: String,
    /// Whether some lines of that are not passed on.
    pub held_back: bool,
    /// Where its words were found.
    pub place: CommandPlace,
}

/// Where the words of a command are in a mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandPlace {
    /// In the Subject, in a list of commands, or in a reply about a board.
    Usual,
    /// On the first line of a reply to a mail about no board.
    FirstLine,
    /// Nowhere: the text is taken as a message to another player.
    Prose,
}

impl Request {
    /// A command line, with what else was written.
    pub fn read(line: String, trust: Trust, comment: String) -> Self {
        let command = command::parse(&line, &trust);
        Self { command, line, trust, comment, held_back: false, place: CommandPlace::Usual }
    }

    /// A command of a user who is trusted so far, with what else they wrote.
    pub fn from_command(command: Box<dyn Command>, trust: Trust, comment: String) -> Self {
        Self {
            command: Ok(command),
            line: String::new(),
            trust,
            comment,
            held_back: false,
            place: CommandPlace::Usual,
        }
    }

    /// A command of the operator that has no words.
    pub fn ordered(command: Box<dyn Command>) -> Self {
        let (line, comment) = (String::new(), String::new());
        Self {
            command: Ok(command),
            line,
            trust: Trust::Operator,
            comment,
            held_back: false,
            place: CommandPlace::Usual,
        }
    }
}

/// The input of a player on the page of a board: a line that says something there, and words for
/// the opponent.
///
/// # Errors
/// The line says nothing.
pub fn written(
    line: &str,
    comment: &str,
    replies: &ReplyContext,
) -> Result<Request, SyntaxRefusal> {
    let comment: Vec<&str> = comment.lines().collect();
    reply::line(line, &comment, replies)
}

/// The tag that a mail was sent to, or that its Subject carries.
pub fn tag(message: &Message) -> Option<ReplyTag> {
    tags(message).find_map(ReplyTag::parse)
}

/// The tag of an address that answers words of another user, if a mail was sent to one, or its
/// Subject carries it.
pub fn words_tag(message: &Message) -> Option<WordsTag> {
    tags(message).find_map(WordsTag::parse)
}

/// The request of a mail that answers words of another user: a command on its first line, or words
/// that go back to their writer.
pub fn to_writer(message: &Message, tag: &WordsTag) -> Request {
    let own = UnquotedText::read(&message.text);
    first_line(&own).unwrap_or_else(|| {
        let line = format!("{} {}", command::MESSAGE.name, tag.writer);
        let request = Request::read(line, Trust::Session(tag.reader.clone()), own.words());
        Request { place: CommandPlace::Prose, ..request }
    })
}

/// A mail on whose first line is a command, as in a Subject. Where a command may have any words
/// behind it, a sentence is none.
fn first_line(own: &UnquotedText) -> Option<Request> {
    let words = own.words();
    let (line, rest) = words.split_once('\n').unwrap_or((&words, ""));
    let is_sentence = command::is_help(line) && line.split_whitespace().nth(3).is_some();
    if is_sentence || line.trim().is_empty() {
        return None;
    }
    let request = Request::read(line.trim().to_owned(), Trust::Words, rest.trim().to_owned());
    let request = Request { place: CommandPlace::FirstLine, ..request };
    (request.command.is_ok() || command::has_password(line)).then_some(request)
}

/// The tag of an address that turns mails off, if a mail was sent to one. Mail programs send it
/// without a text, and with any Subject.
pub fn opt_out(message: &Message) -> Option<OptOutTag> {
    tags(message).find_map(OptOutTag::parse)
}

/// Words that may be our tags, first those in addresses, then those in the Subject.
fn tags(message: &Message) -> impl Iterator<Item = &str> {
    let marks = message.subject.split_whitespace();
    let marks = marks.filter_map(|word| word.strip_prefix("[#")?.strip_suffix(']'));
    message.to.iter().filter_map(|to| to.tag()).chain(marks)
}

/// The player and the board that a reply is from and about.
pub struct ReplyContext<'a> {
    /// The board.
    pub board: &'a Board,
    /// The player whose address it went to.
    pub player: &'a UserId,
    /// What that address says.
    pub tag: &'a ReplyTag,
    /// How the player sees the board and writes moves.
    pub view: View,
}

/// The requests of a mail. `replies` is what its tag names; a mail may be `tagged` without that, if
/// the tag belongs to nobody there.
///
/// # Errors
/// A reply in which no move, or more than one, can be found; an empty list of commands.
pub fn requests(
    message: &Message,
    tagged: bool,
    replies: Option<&ReplyContext>,
) -> Result<Vec<Request>, SyntaxRefusal> {
    let subject: Vec<&str> =
        message.subject.split_whitespace().filter(|word| !word.starts_with("[#")).collect();
    let subject = subject.join(" ");
    let ours = subject::read(&subject);
    let read = |text: &str| requests_in(text, &subject, ours, message, tagged, replies);
    let first = read(&message.text);
    if !has_no_command(&first) {
        return first;
    }
    let mut others = message.other_texts.iter().map(|text| read(text));
    others.find(|found| !has_no_command(found)).unwrap_or(first)
}

/// Whether a text holds neither a command nor anything that could be one, so that another part of
/// the mail may be what its writer means.
fn has_no_command(found: &Result<Vec<Request>, SyntaxRefusal>) -> bool {
    match found {
        Ok(requests) => requests.iter().any(|request| request.place == CommandPlace::Prose),
        Err(refusal) => matches!(
            refusal,
            SyntaxRefusal::NoMove { .. }
                | SyntaxRefusal::EmptyReply
                | SyntaxRefusal::EmptyMultiple
                | SyntaxRefusal::NothingAsked
        ),
    }
}

/// The requests of a mail with this text and Subject, of which `ours` says if it is one of ours.
fn requests_in(
    text: &str,
    subject: &str,
    ours: Option<OwnSubject>,
    message: &Message,
    tagged: bool,
    replies: Option<&ReplyContext>,
) -> Result<Vec<Request>, SyntaxRefusal> {
    if ours.is_none() && command::is_multiple(subject) {
        return multiple(text);
    }
    let own = UnquotedText::read(text);
    // A userid may be a word such as `help`, and a Subject of ours begins with it.
    if ours.is_none() {
        let request = Request::read(subject.to_owned(), Trust::Words, own.words());
        // In a reply to a mail of ours about no board the Subject may be a command that shows
        // something, as `Re: Help`.
        let proves = |command: &dyn Command| command.claims().is_some();
        if replies.is_none()
            && !tagged
            && is_reply(message)
            && !request.command.as_deref().is_ok_and(proves)
            && let Some(first) = first_line(&own)
        {
            return Ok(vec![first]);
        }
        let is_answer = replies.is_some() || tagged || opt_out(message).is_some();
        if request.command.is_ok() || !is_answer {
            return Ok(vec![request]);
        }
    }
    match (replies, ours) {
        (Some(replies), _) => {
            Ok(vec![reply::read(&own, replies, ours.is_some_and(|ours| ours.is_words))?])
        }
        (None, _) if tagged => Err(SyntaxRefusal::Tag),
        (None, Some(ours)) => match first_line(&own) {
            Some(first) => Ok(vec![first]),
            None => Err(SyntaxRefusal::Untagged { board: ours.board.map(|board| (board, None)) }),
        },
        (None, None) => Err(SyntaxRefusal::OptOut),
    }
}

/// Whether a mail answers another one.
pub(super) fn is_reply(message: &Message) -> bool {
    let joined = || message.subject.split_whitespace().collect::<Vec<_>>().join(" ");
    message.is_answer || without_marks(&message.subject) != joined()
}

/// The requests that carry a proof of a player: the tag of a reply address, or a userid with a
/// password, which is checked later. The mail has a mark of a program: nothing else in it is answered,
/// nobody signs up by it, and its text alone is no message.
pub(super) fn with_proof(requests: Result<Vec<Request>, SyntaxRefusal>) -> Vec<Request> {
    let mut requests = requests.unwrap_or_default();
    requests.retain(|request| {
        let is_proven = |command: &dyn Command| {
            matches!(request.trust, Trust::Token(..))
                || command.claims().is_some() && !command::is_signup(&request.line)
        };
        request.place != CommandPlace::Prose && request.command.as_deref().is_ok_and(is_proven)
    });
    requests
}

/// One request a line, up to a signature, an empty quotation or `end`. Other quoted lines are no
/// commands.
fn multiple(text: &str) -> Result<Vec<Request>, SyntaxRefusal> {
    let mut lines = text
        .lines()
        .map(str::trim)
        .take_while(|line| !matches!(*line, "--" | ">" | MARK) && !line.eq_ignore_ascii_case("end"))
        .filter(|line| !line.is_empty() && !line.starts_with('>'));
    let request = |line: &str| Request::read(line.to_owned(), Trust::Words, String::new());
    let requests: Vec<Request> = lines.by_ref().take(MOST_LINES).map(request).collect();
    if requests.is_empty() {
        return Err(SyntaxRefusal::EmptyMultiple);
    }
    if lines.next().is_some() {
        return Err(SyntaxRefusal::LongMultiple(MOST_LINES));
    }
    Ok(requests)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_commands_has_fifty_lines_at_most() {
        let count = |text: &str| multiple(text).map(|requests| requests.len());
        let list = |lines: usize| count(&"list\n\n".repeat(lines));
        assert_eq!(list(50), Ok(50));
        assert_eq!(list(51), Err(SyntaxRefusal::LongMultiple(50)));
        assert_eq!(count("\nend\nlist\n"), Err(SyntaxRefusal::EmptyMultiple));
        assert_eq!(count(&("list\n".repeat(50) + "end\nlist\n")), Ok(50));
    }
}
