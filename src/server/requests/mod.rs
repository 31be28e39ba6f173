//! Finds the commands in a mail.

mod digest_lines;
mod line_forms;
mod reply_line;
mod reply_parser;

use crate::base::ids::UserId;
use crate::command::{self, Command, MOST_LINES, ReplyScope, Trust};
use crate::mail::{Message, REPLY_DELIMITER, UnquotedText, without_subject_prefixes};
use crate::model::board::Board;
use crate::model::token::{OptOutTag, ReplyTag, TopicTag};
use crate::model::topic::Topic;
use crate::refusal::{AnsweredBoard, Refusal, SyntaxRefusal};
use crate::reply::subject::{self, OwnSubject};
pub use digest_lines::DigestLines;
use games::View;

/// One command of a mail, of a page or of the shell.
#[derive(Debug)]
pub struct Request {
    /// The command, or why the words are not a command.
    pub command: Result<Box<dyn Command>, Refusal>,
    /// The words of the command. They tell requests apart in rate limits.
    pub line: String,
    /// How far the sender is trusted without a password.
    pub trust: Trust,
    /// The rest of the text.
    pub comment: String,
    /// Whether lines of `comment` are withheld, since they may contain a password.
    pub held_back: bool,
    /// Where the words of the command were found.
    pub place: CommandPlace,
}

/// The place of a command in a mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandPlace {
    /// The Subject, a list of commands, or a reply about a board.
    Usual,
    /// The first line of a reply to a mail that is not about a board.
    FirstLine,
    /// No place: the text is taken as a message to another player.
    Prose,
}

impl Request {
    fn new(
        command: Result<Box<dyn Command>, Refusal>,
        line: String,
        trust: Trust,
        comment: String,
    ) -> Self {
        Self { command, line, trust, comment, held_back: false, place: CommandPlace::Usual }
    }

    /// Parses a command line. `comment` is the rest of the text.
    pub fn read(line: String, trust: Trust, comment: String) -> Self {
        Self::new(command::parse(&line, &trust), line, trust, comment)
    }

    /// Wraps a command that needs no parsing.
    pub fn from_command(command: Box<dyn Command>, trust: Trust, comment: String) -> Self {
        Self::new(Ok(command), String::new(), trust, comment)
    }

    /// Wraps a command of the operator.
    pub fn from_operator(command: Box<dyn Command>) -> Self {
        Self::from_command(command, Trust::Operator, String::new())
    }
}

/// Reads a line that a player entered on the page of a board, with words for the opponent.
///
/// # Errors
/// The line is not a move or command.
pub fn read_board_form(
    line: &str,
    comment: &str,
    context: &ReplyContext,
) -> Result<Request, SyntaxRefusal> {
    let comment: Vec<&str> = comment.lines().collect();
    reply_line::read_single(line, &comment, context)
}

/// Returns the reply tag of a mail, from its address or its Subject.
pub fn tag(message: &Message) -> Option<ReplyTag> {
    tags(message).find_map(ReplyTag::parse)
}

/// Returns the tag about a topic other than a board, from the address or the Subject of a mail.
pub fn topic_tag(message: &Message) -> Option<TopicTag> {
    tags(message).find_map(TopicTag::parse)
}

/// Returns the requests of a mail about a topic: the command on its first line, or for a conversation a
/// message back to the writer. Verbs that fit the topic need neither userid nor password. A new
/// Subject with a password counts as in any other mail.
///
/// # Errors
/// As [`find_requests`].
pub fn about_topic(message: &Message, tag: &TopicTag) -> Result<Vec<Request>, SyntaxRefusal> {
    let own = UnquotedText::read(&message.text);
    if let Topic::Conversation(writer) = &tag.topic {
        return Ok(vec![first_line_command(&own).unwrap_or_else(|| {
            let line = format!("{} {writer}", command::MESSAGE.name);
            let request = Request::read(line, Trust::Session(tag.reader.clone()), own.words());
            Request { place: CommandPlace::Prose, ..request }
        })]);
    }
    if has_own_subject(message) {
        return find_requests(message, false, None);
    }
    if let Some(found) = topic_command(&own, tag).or_else(|| first_line_command(&own)) {
        return Ok(vec![found]);
    }
    let words = own.words();
    let line = words.lines().next().unwrap_or_default().trim().to_owned();
    let trust = Trust::Token(tag.topic.clone(), tag.reader.clone());
    let refusal = command::parse(&line, &Trust::Untrusted).err();
    let command = Err(refusal.unwrap_or_else(|| SyntaxRefusal::NoCommand.into()));
    let request = Request::new(command, line, trust, String::new());
    Ok(vec![Request { place: CommandPlace::FirstLine, ..request }])
}

/// Returns whether the Subject of a mail is a command with a password, or says that the text is a list
/// of commands. Subjects of ours are neither.
fn has_own_subject(message: &Message) -> bool {
    let words = message.subject.split_whitespace().filter(|word| !word.starts_with("[#"));
    let subject = words.collect::<Vec<_>>().join(" ");
    subject::read(&subject).is_none()
        && (command::is_multiple(&subject)
            || command::parse(&subject, &Trust::Untrusted)
                .is_ok_and(|command| command.claimed_user().is_some()))
}

/// Returns the verb on the first line of a reply about a topic, if it needs no userid and password.
fn topic_command(own: &UnquotedText, tag: &TopicTag) -> Option<Request> {
    let words = own.words();
    let (line, rest) = words.split_once('\n').unwrap_or((&words, ""));
    let line = line.trim();
    let (word, more) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let names_reader =
        || more.split_whitespace().next().and_then(UserId::parse).as_ref() == Some(&tag.reader);
    let command = match &tag.topic {
        Topic::Tournament(id) => command::parse_tournament_reply(*id, &tag.reader, line),
        Topic::Ladder(game) => command::parse_ladder_reply(game, &tag.reader, line),
        _ => None,
    };
    let command = command.or_else(|| {
        let verb = command::find_verb(word, tag.topic.game())?;
        let fits = match verb.reply {
            Some(ReplyScope::User) => true,
            Some(ReplyScope::Board | ReplyScope::Player) => tag.topic.board().is_some(),
            Some(ReplyScope::Game | ReplyScope::ForMove) => false,
            None => matches!(tag.topic, Topic::Game(_)) && verb.name == command::SEEK.name,
        };
        (fits && verb.is_named(word) && !names_reader())
            .then(|| command::parse_topic_reply(verb, &tag.topic, &tag.reader, more))
    })?;
    let trust = Trust::Token(tag.topic.clone(), tag.reader.clone());
    let request = Request::new(command, line.to_owned(), trust, rest.trim().to_owned());
    Some(Request { place: CommandPlace::FirstLine, ..request })
}

/// Returns the command on the first line of a text. A sentence that begins like `help` is not a
/// command.
fn first_line_command(own: &UnquotedText) -> Option<Request> {
    let words = own.words();
    let (line, rest) = words.split_once('\n').unwrap_or((&words, ""));
    let is_sentence = command::is_help(line) && line.split_whitespace().nth(3).is_some();
    if is_sentence || line.trim().is_empty() {
        return None;
    }
    let request = Request::read(line.trim().to_owned(), Trust::Untrusted, rest.trim().to_owned());
    let request = Request { place: CommandPlace::FirstLine, ..request };
    (request.command.is_ok() || command::has_password(line)).then_some(request)
}

/// Returns the opt-out tag of a mail. Mail programs send such mails without a text and with any
/// Subject.
pub fn opt_out(message: &Message) -> Option<OptOutTag> {
    tags(message).find_map(OptOutTag::parse)
}

/// Returns the words that may be tags of ours: first those of addresses, then those of the Subject.
fn tags(message: &Message) -> impl Iterator<Item = &str> {
    let marks = message.subject.split_whitespace();
    let marks = marks.filter_map(|word| word.strip_prefix("[#")?.strip_suffix(']'));
    message.to.iter().filter_map(|to| to.tag()).chain(marks)
}

/// The board and the player of a reply.
pub struct ReplyContext<'a> {
    /// The board.
    pub board: &'a Board,
    /// The player whose reply address was used.
    pub player: &'a UserId,
    /// The tag of that address.
    pub tag: &'a ReplyTag,
    /// The player's view of the board, in which they write moves.
    pub view: View,
}

/// Finds the requests of a mail. `context` is the board and player of its tag; a mail whose
/// tag fits no player `is_tagged` without these.
///
/// # Errors
/// The reply has no move or more than one, or the list of commands is empty or too long.
pub fn find_requests(
    message: &Message,
    is_tagged: bool,
    context: Option<&ReplyContext>,
) -> Result<Vec<Request>, SyntaxRefusal> {
    let subject: Vec<&str> =
        message.subject.split_whitespace().filter(|word| !word.starts_with("[#")).collect();
    let subject = subject.join(" ");
    let ours = subject::read(&subject);
    let read = |text: &str| requests_in(text, &subject, ours, message, is_tagged, context);
    let first = read(&message.text);
    if !has_no_command(&first) {
        return first;
    }
    let mut others = message.other_texts.iter().map(|text| read(text));
    others.find(|found| !has_no_command(found)).unwrap_or(first)
}

/// Returns whether a text has nothing like a command, so that another part of the mail may have it.
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

/// Finds the requests in one text of a mail. `ours` is the parsed Subject if it is one that this
/// server writes.
fn requests_in(
    text: &str,
    subject: &str,
    ours: Option<OwnSubject>,
    message: &Message,
    is_tagged: bool,
    context: Option<&ReplyContext>,
) -> Result<Vec<Request>, SyntaxRefusal> {
    if ours.is_none() && command::is_multiple(subject) {
        return multiple(text);
    }
    let own = UnquotedText::read(text);
    // Subjects of ours are not parsed as commands: they begin with a userid, and that may be a word
    // such as `help`.
    if ours.is_none() {
        let request = Request::read(subject.to_owned(), Trust::Untrusted, own.words());
        // The Subject of a reply to a mail without a board may itself be a command that shows
        // something, such as `Re: Help`.
        let proves = |command: &dyn Command| command.claimed_user().is_some();
        if context.is_none()
            && !is_tagged
            && is_reply(message)
            && !request.command.as_deref().is_ok_and(proves)
            && let Some(first) = first_line_command(&own)
        {
            return Ok(vec![first]);
        }
        let is_answer = context.is_some() || is_tagged || opt_out(message).is_some();
        if request.command.is_ok() || !is_answer {
            return Ok(vec![request]);
        }
    }
    match (context, ours) {
        (Some(context), _) => {
            Ok(vec![reply_line::find(&own, context, ours.is_some_and(|ours| ours.is_message))?])
        }
        (None, _) if is_tagged => Err(SyntaxRefusal::ForeignTag),
        (None, Some(ours)) => first_line_command(&own).map(|first| vec![first]).ok_or_else(|| {
            let board = ours.board.map(|board| AnsweredBoard { board, player: None });
            SyntaxRefusal::NoReplyTag { board }
        }),
        (None, None) => Err(SyntaxRefusal::VoidOptOut),
    }
}

/// Returns whether a mail is a reply.
pub(super) fn is_reply(message: &Message) -> bool {
    let joined = || message.subject.split_whitespace().collect::<Vec<_>>().join(" ");
    message.is_answer || without_subject_prefixes(&message.subject) != joined()
}

/// Keeps the requests that carry a proof: a reply tag, or a userid with a password, which is
/// checked later. Used for mails marked as written by a program: no other request in them is
/// answered, and they can neither sign up nor send a message.
pub(super) fn with_proof(mut requests: Vec<Request>) -> Vec<Request> {
    requests.retain(|request| {
        let is_proven = |command: &dyn Command| {
            matches!(request.trust, Trust::Token(..))
                || command.claimed_user().is_some() && !command::is_signup(&request.line)
        };
        request.place != CommandPlace::Prose && request.command.as_deref().is_ok_and(is_proven)
    });
    requests
}

/// Reads one request per line, up to a signature, an empty quotation or `end`. Other quoted lines
/// are skipped.
fn multiple(text: &str) -> Result<Vec<Request>, SyntaxRefusal> {
    let mut lines = text
        .lines()
        .map(str::trim)
        .take_while(|line| {
            !matches!(*line, "--" | ">" | REPLY_DELIMITER) && !line.eq_ignore_ascii_case("end")
        })
        .filter(|line| !line.is_empty() && !line.starts_with('>'));
    let request = |line: &str| Request::read(line.to_owned(), Trust::Untrusted, String::new());
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
