//! Finds the line with the move or command in a reply about a board.

use super::line_forms::{clean_forms, to_latin};
use super::reply_parser::{FirstLine, ParsedLine, ReplyParser};
use super::{ReplyContext, Request};
use crate::command;
use crate::mail::{InlineReply, UnmarkedLine, UnquotedText, may_be_wrapped};
use crate::refusal::SyntaxRefusal;
use std::borrow::Cow;

/// How many non-empty lines after the first are searched.
const MAX_LINES_AFTER_FIRST: usize = 5;

/// How many lines below and between quoted lines are searched.
const MAX_LINES_BELOW: usize = 12;

/// Finds the line of a reply that is a move or command: the first line, or the only one after a
/// greeting. The other lines are a message. If the game is over, if the mail answers a message of
/// the opponent, or if it only says thanks, all lines may be a message.
///
/// # Errors
/// No line or several lines are a move or command, or the only one may belong to the quotation.
pub(super) fn find(
    own: &UnquotedText,
    context: &ReplyContext,
    in_answer_to_words: bool,
) -> Result<Request, SyntaxRefusal> {
    let parser = ReplyParser::new(context);
    let above: Vec<&str> = own.above.iter().map(String::as_str).collect();
    let meant = parser.cleaned(&above);
    let meant: Vec<&str> = meant.iter().map(|line| &**line).collect();
    if let Some(AnswerLine { at, count, said }) = parser.find_above(&meant)? {
        // If quoted lines are broken, the lines right below may be the rest of a quoted one.
        let is_own = |part: &&InlineReply| part.is_apart || own.unmarked.is_empty();
        let (below, _) = parser.below_quotation(own.below.iter().filter(is_own));
        let comment = [without(&above, at, count), vec![""], below].concat();
        return Ok(parser.request(said, &comment));
    }
    let first_below = || own.below.first()?.lines.first().map(String::as_str);
    let look_alike = || parser.look_alike(above.first().copied().or_else(first_below));
    let (below, is_list) = parser.below_quotation(own.below.iter());
    let meant = parser.cleaned(&below);
    let meant: Vec<&str> = meant.iter().map(|line| &**line).collect();
    match parser.find_below(own, &meant, &is_list)? {
        Some(AnswerLine { at, count, said }) => {
            let comment = [above, vec![""], without(&below, at, count)].concat();
            Ok(parser.request(said, &comment))
        }
        None if !parser.is_asked() && own.above.first().is_some_and(|l| parser.is_yes_or_no(l)) => {
            Err(SyntaxRefusal::NothingAsked)
        }
        None if own.above.is_empty() && below.is_empty() => Err(SyntaxRefusal::EmptyReply),
        None => {
            let lines = [&above[..], &[""], &below].concat();
            let first = lines.iter().find(|line| !line.trim().is_empty()).copied();
            if own.above.iter().any(|line| !line.trim().is_empty())
                && (parser.is_for_opponent() || in_answer_to_words || parser.is_small_talk(&lines))
            {
                return Ok(parser.as_message(&lines));
            }
            Err(look_alike().unwrap_or_else(|| parser.no_move(first.unwrap_or_default())))
        }
    }
}

/// Reads a line that must be a move or command. `comment` is a message with it.
///
/// # Errors
/// The line is not a move or command, or answers a question that was not asked.
pub(super) fn read_single(
    line: &str,
    comment: &[&str],
    context: &ReplyContext,
) -> Result<Request, SyntaxRefusal> {
    let parser = ReplyParser::new(context);
    let meant = parser.cleaned(&[line]);
    match meant.first().and_then(|line| parser.parse_first(line)) {
        Some((said, _)) => Ok(parser.request(said, comment)),
        None if line.trim().is_empty() => Err(SyntaxRefusal::EmptyReply),
        None if !parser.is_asked() && parser.is_yes_or_no(line) => Err(SyntaxRefusal::NothingAsked),
        None => Err(parser.look_alike(Some(line)).unwrap_or_else(|| parser.no_move(line))),
    }
}

/// The line with the move or command.
struct AnswerLine {
    at: usize,
    /// The number of its lines; a plan may have several.
    count: usize,
    said: ParsedLine,
}

/// The search for the line with the move or command.
impl ReplyParser<'_> {
    /// Returns the lines with cleaned forms in place of those that programs or keyboards have
    /// changed. Only the first lines are cleaned: others cannot be moves.
    fn cleaned<'l>(&self, lines: &[&'l str]) -> Vec<Cow<'l, str>> {
        let mut read = 0;
        let line = |line: &&'l str| {
            read += usize::from(!line.trim().is_empty());
            let form = (read <= MAX_LINES_BELOW).then(|| self.clean_form(line)).flatten();
            form.map_or(Cow::Borrowed(*line), Cow::Owned)
        };
        lines.iter().map(line).collect()
    }

    /// Returns the cleaned form of a line that is a move or command, if the line as typed is not.
    fn clean_form(&self, line: &str) -> Option<String> {
        let forms = clean_forms(line);
        if forms.is_empty() || self.parse_later(line).is_some() || command::has_password(line) {
            return None;
        }
        let said = forms.iter().find(|form| self.parse_later(form).is_some());
        said.or_else(|| forms.iter().find(|form| self.could_be_move(form))).cloned()
    }

    /// Returns the refusal of a line that would be a move in Latin letters.
    fn look_alike(&self, line: Option<&str>) -> Option<SyntaxRefusal> {
        let (meant, first) = to_latin(line?)?;
        self.could_be_move(&meant).then(|| SyntaxRefusal::LookAlike {
            line: line.map(|line| line.trim().to_owned()).unwrap_or_default(),
            typed: first.typed,
            alphabet: first.alphabet,
            meant: meant.trim().to_owned(),
        })
    }

    /// Finds the command above the quotation.
    fn find_above(&self, lines: &[&str]) -> Result<Option<AnswerLine>, SyntaxRefusal> {
        let Some(first) = lines.first() else { return Ok(None) };
        let next = || complete_lines(lines).filter(|(at, _)| *at > 0).take(MAX_LINES_AFTER_FIRST);
        let goes_on = lines.get(1).is_some_and(|second| !second.trim().is_empty());
        let first_said = self.parse_first(first).filter(|(_, kind)| {
            // `Ok, let me think` may be broken in two lines, and so may `I resign, if you want`.
            let is_open =
                *kind == FirstLine::Answer && !self.is_plain(first) || first.ends_with(',');
            !(goes_on && is_open && *kind != FirstLine::Move)
        });
        if let Some((said, kind)) = first_said {
            // A message begins after an empty line.
            let second = lines.get(1).filter(|line| match kind {
                FirstLine::Move | FirstLine::Word => self.could_be_move(line),
                FirstLine::Answer | FirstLine::Other => false,
            });
            let other = next().filter(|_| kind == FirstLine::Answer);
            let mut other = other.filter(|(_, line)| {
                self.parse_later(line).is_some_and(|other| !other.is_same(&said))
            });
            if let Some(second) = second.copied().or_else(|| Some(other.next()?.1)) {
                return Err(self.two_moves(first, second));
            }
            let (said, count) = self.with_more_lines(said, lines);
            return Ok(Some(AnswerLine { at: 0, count, said }));
        }
        self.find_only(next())
    }

    /// Adds the following lines of a plan to its first one, up to an empty line. A line that a mail
    /// program has broken goes on; any other begins another line of the plan. Returns the plan and
    /// the number of its lines.
    fn with_more_lines(&self, said: ParsedLine, lines: &[&str]) -> (ParsedLine, usize) {
        let mut said = said;
        let mut count = 1;
        while let [before, line] = lines[count - 1..].get(..2).unwrap_or_default() {
            if line.trim().is_empty() || !self.continues_plan(&said, line) {
                break;
            }
            said.continue_plan(line, may_be_wrapped(before, line), self.can_branch());
            count += 1;
        }
        (said, count)
    }

    /// Returns the lines below the quotation, and separately those that are pieces of our list of
    /// legal plays.
    fn below_quotation<'l>(
        &self,
        stretches: impl Iterator<Item = &'l InlineReply>,
    ) -> (Vec<&'l str>, Vec<&'l str>) {
        let lines = |part: &'l InlineReply| part.lines.iter().map(String::as_str).collect();
        let parts: Vec<Vec<&str>> = stretches.map(lines).collect();
        parts.join(&"").into_iter().partition(|line| !self.is_listed_play(line))
    }

    /// Finds the command below the quotation or between its lines.
    fn find_below(
        &self,
        own: &UnquotedText,
        lines: &[&str],
        listed: &[&str],
    ) -> Result<Option<AnswerLine>, SyntaxRefusal> {
        let unmarked = own
            .unmarked
            .iter()
            .map(|UnmarkedLine { line, is_between_quoted }| (&**line, *is_between_quoted));
        let unmarked = unmarked.chain(listed.iter().map(|line| (*line, false)));
        let mut unmarked = unmarked
            .take(MAX_LINES_BELOW)
            .filter(|(line, _)| self.parse_later(line).is_some_and(|said| !said.is_command()));
        let only = self.find_only(complete_lines(lines).take(MAX_LINES_BELOW))?;
        if let Some(found) = only {
            // A line between two quoted lines is the rest of the first.
            let other = unmarked.find(|(line, between)| {
                !between && self.parse_later(line).is_some_and(|said| !said.is_same(&found.said))
            });
            return match other {
                Some((other, _)) => Err(self.two_moves(lines[found.at], other)),
                None => Ok(Some(found)),
            };
        }
        if let Some((line, _)) = unmarked.next() {
            return Err(SyntaxRefusal::MaybeQuoted(self.quoted(line)));
        }
        // An illegal move is refused with the reason.
        let mut firsts = own.below.iter().filter_map(|part| part.lines.first());
        let only = firsts.next().filter(|_| own.above.is_empty() && firsts.next().is_none());
        let said = only.and_then(|line| {
            let at = lines.iter().position(|other| other == line)?;
            Some(AnswerLine { at, count: 1, said: self.parse_first(line)?.0 })
        });
        Ok(said)
    }

    /// Returns the refusal of two lines. A command among them may contain a password, which is cut
    /// off.
    fn two_moves(&self, one: &str, other: &str) -> SyntaxRefusal {
        let [one, other] = [one, other].map(|line| self.quoted(line));
        SyntaxRefusal::TwoMoves(one, other)
    }

    /// Returns the only line that is a move or command. Lines with equal meaning count as one.
    fn find_only<'l>(
        &self,
        lines: impl Iterator<Item = (usize, &'l str)>,
    ) -> Result<Option<AnswerLine>, SyntaxRefusal> {
        let mut found: Option<(AnswerLine, &str)> = None;
        for (at, line) in lines {
            let Some(said) = self.parse_later(line) else { continue };
            match &found {
                Some((one, _)) if one.said.is_same(&said) => {}
                Some((_, one)) => return Err(self.two_moves(one, line)),
                None => found = Some((AnswerLine { at, count: 1, said }, line)),
            }
        }
        Ok(found.map(|(found, _)| found))
    }
}

/// Returns the non-empty lines with their indexes, without those that may continue a sentence
/// broken by a mail program, such as `drop` in `I cannot say whether I should take or / drop.`
fn complete_lines<'a, 'l>(lines: &'a [&'l str]) -> impl Iterator<Item = (usize, &'l str)> + 'a {
    let goes_on = |at: usize| {
        let before = at.checked_sub(1).map(|before| lines[before]);
        before.is_some_and(|before| !before.trim().is_empty() && may_be_wrapped(before, lines[at]))
    };
    let lines = lines.iter().copied().enumerate();
    lines.filter(move |(at, line)| !line.trim().is_empty() && !goes_on(*at))
}

/// Returns all lines but `count` lines, without the gap that they leave.
fn without<'a>(lines: &[&'a str], at: usize, count: usize) -> Vec<&'a str> {
    let (before, behind) = (&lines[..at], &lines[at + count..]);
    let is_gap = |line: Option<&&str>| line.is_none_or(|line| line.trim().is_empty());
    let skip = usize::from(is_gap(before.last()) && is_gap(behind.first())).min(behind.len());
    [before, &behind[skip..]].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_leaves_no_gap() {
        assert_eq!(without(&["a", "", "b", "", "c"], 2, 1), ["a", "", "c"]);
        assert_eq!(without(&["b", "", "c"], 0, 1), ["c"]);
        assert_eq!(without(&["a", "b", "c"], 1, 1), ["a", "c"]);
        assert_eq!(without(&["a", "", "b"], 2, 1), ["a", ""]);
        assert_eq!(without(&["a", "b", "", "c"], 0, 2), ["c"]);
    }
}
