//! Finds the line of a reply to a board mail that counts.

use super::legible::{latin, legible};
use super::meaning::{FirstLine, Meaning, ReplyParser};
use super::{ReplyContext, Request};
use crate::command;
use crate::mail::{StrayLine, Stretch, UnquotedText, may_go_on};
use crate::refusal::SyntaxRefusal;
use std::borrow::Cow;

/// How many lines after the first may hold the move, not counting empty ones.
const NEXT: usize = 5;

/// How many lines below and between quoted ones may hold it.
const BELOW: usize = 12;

/// The one line of a reply that says something on the board: the first, or the only one after a
/// greeting. The other lines are a message. Where the game is over, where the mail is an answer to
/// words of the opponent, and where it has thanks alone, all lines may be one.
///
/// # Errors
/// There is none, there are several, or it may be a part of the quotation.
pub(super) fn read(
    own: &UnquotedText,
    replies: &ReplyContext,
    in_answer_to_words: bool,
) -> Result<Request, SyntaxRefusal> {
    let reader = ReplyParser::new(replies);
    let above: Vec<&str> = own.above.iter().map(String::as_str).collect();
    let meant = reader.meant(&above);
    let meant: Vec<&str> = meant.iter().map(|line| &**line).collect();
    if let Some(AnswerLine { at, said }) = reader.above(&meant)? {
        // Where lines of the quotation are broken, those right below one may be the rest of it.
        let is_own = |part: &&Stretch| part.is_apart || own.stray.is_empty();
        let (below, _) = reader.below_quotation(own.below.iter().filter(is_own));
        let comment = [without(&above, at), vec![""], below].concat();
        return Ok(reader.request(said, &comment));
    }
    let first_below = || own.below.first()?.lines.first().map(String::as_str);
    let look_alike = || reader.look_alike(above.first().copied().or_else(first_below));
    let (below, is_list) = reader.below_quotation(own.below.iter());
    let meant = reader.meant(&below);
    let meant: Vec<&str> = meant.iter().map(|line| &**line).collect();
    match reader.below(own, &meant, &is_list)? {
        Some(AnswerLine { at, said }) => {
            let comment = [above, vec![""], without(&below, at)].concat();
            Ok(reader.request(said, &comment))
        }
        None if !reader.is_asked() && own.above.first().is_some_and(|l| reader.is_yes_or_no(l)) => {
            Err(SyntaxRefusal::NothingAsked)
        }
        None if own.above.is_empty() && below.is_empty() => Err(SyntaxRefusal::EmptyReply),
        None => {
            let lines = [&above[..], &[""], &below].concat();
            let first = lines.iter().find(|line| !line.trim().is_empty()).copied();
            if own.above.iter().any(|line| !line.trim().is_empty())
                && (reader.is_for_opponent() || in_answer_to_words || reader.is_small_talk(&lines))
            {
                return Ok(reader.message(&lines));
            }
            Err(look_alike().unwrap_or_else(|| reader.no_move(first.unwrap_or_default())))
        }
    }
}

/// A line that is known to be the one, with what is written beside it.
///
/// # Errors
/// It says nothing, or answers what is not asked.
pub(super) fn line(
    line: &str,
    comment: &[&str],
    replies: &ReplyContext,
) -> Result<Request, SyntaxRefusal> {
    let reader = ReplyParser::new(replies);
    let meant = reader.meant(&[line]);
    match meant.first().and_then(|line| reader.first(line)) {
        Some((said, _)) => Ok(reader.request(said, comment)),
        None if line.trim().is_empty() => Err(SyntaxRefusal::EmptyReply),
        None if !reader.is_asked() && reader.is_yes_or_no(line) => Err(SyntaxRefusal::NothingAsked),
        None => Err(reader.look_alike(Some(line)).unwrap_or_else(|| reader.no_move(line))),
    }
}

/// The line that counts, and what it means.
struct AnswerLine {
    at: usize,
    said: Meaning,
}

/// Which line counts.
impl ReplyParser<'_> {
    /// The lines as they are to be read: with the moves that programs or keyboards have changed as
    /// their writer meant them. Only the first lines can be moves.
    fn meant<'l>(&self, lines: &[&'l str]) -> Vec<Cow<'l, str>> {
        let mut read = 0;
        let line = |line: &&'l str| {
            read += usize::from(!line.trim().is_empty());
            let form = (read <= BELOW).then(|| self.form(line)).flatten();
            form.map_or(Cow::Borrowed(*line), Cow::Owned)
        };
        lines.iter().map(line).collect()
    }

    /// The form in which a line says something, if it says nothing as it was typed.
    fn form(&self, line: &str) -> Option<String> {
        let forms = legible(line);
        if forms.is_empty() || self.other(line).is_some() || command::has_password(line) {
            return None;
        }
        let said = forms.iter().find(|form| self.other(form).is_some());
        said.or_else(|| forms.iter().find(|form| self.could_be(form))).cloned()
    }

    /// The refusal of a line that would be a move in Latin letters.
    fn look_alike(&self, line: Option<&str>) -> Option<SyntaxRefusal> {
        let (meant, first) = latin(line?)?;
        self.could_be(&meant).then(|| SyntaxRefusal::LookAlike {
            line: line.map(|line| line.trim().to_owned()).unwrap_or_default(),
            typed: first.typed,
            alphabet: first.alphabet,
            meant: meant.trim().to_owned(),
        })
    }

    /// The command above the quotation.
    fn above(&self, lines: &[&str]) -> Result<Option<AnswerLine>, SyntaxRefusal> {
        let Some(first) = lines.first() else { return Ok(None) };
        let next = || whole(lines).filter(|(at, _)| *at > 0).take(NEXT);
        let goes_on = lines.get(1).is_some_and(|second| !second.trim().is_empty());
        let first_said = self.first(first).filter(|(_, is)| {
            // `Ok, let me think` may be on two lines, and so may `I resign, if you want`.
            let is_open = *is == FirstLine::Answer && !self.is_plain(first) || first.ends_with(',');
            !(goes_on && is_open && *is != FirstLine::Move)
        });
        if let Some((said, is)) = first_said {
            // The message begins after an empty line.
            let second = lines.get(1).filter(|line| match is {
                FirstLine::Move | FirstLine::Word => self.could_be(line),
                FirstLine::Answer | FirstLine::Other => false,
            });
            let other = next().filter(|_| is == FirstLine::Answer);
            let mut other = other
                .filter(|(_, line)| self.other(line).is_some_and(|other| !other.is_same(&said)));
            if let Some(second) = second.copied().or_else(|| Some(other.next()?.1)) {
                return Err(self.two(first, second));
            }
            return Ok(Some(AnswerLine { at: 0, said }));
        }
        self.only(next())
    }

    /// The lines of stretches below a quotation, and those of them that are pieces of our list of
    /// legal plays.
    fn below_quotation<'l>(
        &self,
        stretches: impl Iterator<Item = &'l Stretch>,
    ) -> (Vec<&'l str>, Vec<&'l str>) {
        let lines = |part: &'l Stretch| part.lines.iter().map(String::as_str).collect();
        let parts: Vec<Vec<&str>> = stretches.map(lines).collect();
        parts.join(&"").into_iter().partition(|line| !self.lists(line))
    }

    /// The command below the quotation, or between its lines.
    fn below(
        &self,
        own: &UnquotedText,
        lines: &[&str],
        listed: &[&str],
    ) -> Result<Option<AnswerLine>, SyntaxRefusal> {
        let strays = own.stray.iter().map(|StrayLine { line, between }| (&**line, *between));
        let strays = strays.chain(listed.iter().map(|line| (*line, false)));
        let mut strays = strays
            .take(BELOW)
            .filter(|(line, _)| self.other(line).is_some_and(|it| !it.is_command()));
        let only = self.only(whole(lines).take(BELOW))?;
        if let Some(found) = only {
            // A line between two quoted lines is the rest of the first.
            let stray = strays.find(|(line, between)| {
                !between && self.other(line).is_some_and(|it| !it.is_same(&found.said))
            });
            return match stray {
                Some((stray, _)) => Err(self.two(lines[found.at], stray)),
                None => Ok(Some(found)),
            };
        }
        if let Some((stray, _)) = strays.next() {
            return Err(SyntaxRefusal::Doubtful(self.shown(stray)));
        }
        // A move that is not legal is told why.
        let mut firsts = own.below.iter().filter_map(|part| part.lines.first());
        let only = firsts.next().filter(|_| own.above.is_empty() && firsts.next().is_none());
        let said = only.and_then(|line| {
            let at = lines.iter().position(|other| other == line)?;
            Some(AnswerLine { at, said: self.first(line)?.0 })
        });
        Ok(said)
    }

    /// The refusal of two lines; one that is a command may contain a password.
    fn two(&self, one: &str, other: &str) -> SyntaxRefusal {
        let [one, other] = [one, other].map(|line| self.shown(line));
        SyntaxRefusal::TwoMoves(one, other)
    }

    /// The only one of these lines that says something; lines that mean the same are one.
    fn only<'l>(
        &self,
        lines: impl Iterator<Item = (usize, &'l str)>,
    ) -> Result<Option<AnswerLine>, SyntaxRefusal> {
        let mut found: Option<(AnswerLine, &str)> = None;
        for (at, line) in lines {
            let Some(said) = self.other(line) else { continue };
            match &found {
                Some((one, _)) if one.said.is_same(&said) => {}
                Some((_, one)) => return Err(self.two(one, line)),
                None => found = Some((AnswerLine { at, said }, line)),
            }
        }
        Ok(found.map(|(found, _)| found))
    }
}

/// The lines that are not empty, with their places. A line is left out if it may be the end of a
/// sentence that a mail program broke: `drop` in `I cannot say whether I should take or / drop.`
fn whole<'a, 'l>(lines: &'a [&'l str]) -> impl Iterator<Item = (usize, &'l str)> + 'a {
    let goes_on = |at: usize| {
        let before = at.checked_sub(1).map(|before| lines[before]);
        before.is_some_and(|before| !before.trim().is_empty() && may_go_on(before, lines[at]))
    };
    let lines = lines.iter().copied().enumerate();
    lines.filter(move |(at, line)| !line.trim().is_empty() && !goes_on(*at))
}

/// All lines but one, without the gap that it leaves.
fn without<'a>(lines: &[&'a str], at: usize) -> Vec<&'a str> {
    let (before, behind) = (&lines[..at], &lines[at + 1..]);
    let is_gap = |line: Option<&&str>| line.is_none_or(|line| line.trim().is_empty());
    let skip = usize::from(is_gap(before.last()) && is_gap(behind.first())).min(behind.len());
    [before, &behind[skip..]].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_leaves_no_gap() {
        assert_eq!(without(&["a", "", "b", "", "c"], 2), ["a", "", "c"]);
        assert_eq!(without(&["b", "", "c"], 0), ["c"]);
        assert_eq!(without(&["a", "b", "c"], 1), ["a", "c"]);
        assert_eq!(without(&["a", "", "b"], 2), ["a", ""]);
    }
}
