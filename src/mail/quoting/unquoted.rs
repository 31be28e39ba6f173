//! Separates the writer's lines from the mail that they quote.

use super::advertisement::drop_advertisements;
use super::introduction::{self, Introduction, has_address};
use crate::mail::REPLY_DELIMITER;

/// The lines of a mail that its writer wrote, by their place around the quotation.
///
/// Only the reply delimiter in our mails is reliable. The phrases of mail programs differ by program
/// and language; recognising them is a convenience.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnquotedText {
    /// The lines above the quotation, without empty lines at both ends.
    pub above: Vec<String>,
    /// The lines below the quotation and between its lines.
    pub below: Vec<InlineReply>,
    /// Lines without a quotation mark that may belong to the quotation all the same.
    pub unmarked: Vec<UnmarkedLine>,
}

/// Consecutive lines of the writer below a quoted line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlineReply {
    /// The lines, without empty lines at both ends.
    pub lines: Vec<String>,
    /// Whether an empty line separates them from the quoted line.
    pub is_apart: bool,
}

impl InlineReply {
    fn read(lines: &[String]) -> Self {
        let is_apart = lines.first().is_some_and(|line| line.trim().is_empty());
        Self { lines: trimmed(lines), is_apart }
    }
}

/// A line that may be the rest of a quoted line, broken by a mail program that did not mark it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnmarkedLine {
    /// The line.
    pub line: String,
    /// Whether the quotation continues right below, which makes this all but certain.
    pub is_between_quoted: bool,
}

/// Returns the writer's lines: those above the quotation, or those below it if there are none above.
pub fn unquoted_text(text: &str) -> String {
    UnquotedText::read(text).words()
}

/// Characters of a quoted line, with its marks, at which most programs break it or later.
const USUAL_WIDTH: usize = 60;
/// The smallest width at which any program breaks lines.
const SMALLEST_WIDTH: usize = 36;

#[derive(Clone, Copy, PartialEq, Eq)]
enum LineKind {
    Own,
    Empty,
    Quoted,
}

impl UnquotedText {
    /// Sorts the lines of a text. It drops quoted lines, and stops at a signature (`-- `) and at a quotation
    /// without marks.
    pub fn read(text: &str) -> Self {
        let lines: Vec<&str> = text.lines().collect();
        let signed = lines.iter().position(|line| *line == "-----BEGIN PGP SIGNED MESSAGE-----");
        let signed = signed.filter(|&at| lines[..at].iter().all(|line| line.is_empty()));
        let lines = signed.map_or(&*lines, |at| behind_armor(&lines[at + 1..]));
        let lines = &*split_joined_lines(lines);
        let sorted = ClassifiedLines::classify(lines);
        let mut own = sorted.own(lines);
        if signed.is_some() {
            // RFC 9580, 7.2: dash-escaped.
            let all =
                own.above.iter_mut().chain(own.below.iter_mut().flat_map(|part| &mut part.lines));
            for line in all.filter(|line| line.starts_with("- ")) {
                line.drain(..2);
            }
        }
        own
    }

    /// Wraps lines without a quotation.
    pub fn of_lines(above: Vec<String>) -> Self {
        Self { above, below: Vec::new(), unmarked: Vec::new() }
    }

    /// Returns the lines above the quotation, or those below it if there are none above.
    pub fn words(&self) -> String {
        if self.above.is_empty() {
            let parts: Vec<String> = self.below.iter().map(|part| part.lines.join("\n")).collect();
            return parts.join("\n\n");
        }
        self.above.join("\n")
    }
}

/// How a text marks quoted lines.
#[derive(Clone, Copy)]
struct QuoteMarks<'a> {
    /// The text before the reply delimiter, for programs that do not mark with `>`.
    prefix: &'a str,
}

impl<'a> QuoteMarks<'a> {
    fn of(lines: &[&'a str]) -> Self {
        let prefix = lines.iter().find_map(|line| delimiter_prefix(line)).unwrap_or_default();
        Self { prefix }
    }

    /// Returns whether `line` begins with a quotation mark.
    fn are_before(self, line: &str) -> bool {
        if line == "--" {
            return false;
        }
        let line = line.trim_start();
        // The end of a wrapped `Ann <ann@example.org>:` is no quotation.
        let is_marked = line.starts_with('>') && line != ">:";
        is_marked || (!self.prefix.is_empty() && line.starts_with(self.prefix))
    }
}

/// Finds the introductions of all quotations in a text, from top to bottom.
fn introductions(lines: &[&str]) -> Vec<Introduction> {
    /// Quoted lines above the reply delimiter, such as a header block.
    const MOST_ABOVE: usize = 30;
    let marks = QuoteMarks::of(lines);
    let mut found = Vec::new();
    // The first line after the last quoted line.
    let mut floor = 0;
    for (at, line) in lines.iter().enumerate() {
        let is_quoted = marks.are_before(line);
        let is_delimiter = !is_quoted && delimiter_prefix(line).is_some();
        if !is_quoted && !is_delimiter {
            continue;
        }
        if floor < at {
            let run = lines[at..].iter().take(MOST_ABOVE);
            let mut run = run.skip_while(|line| {
                delimiter_prefix(line).is_none() && (line.is_empty() || marks.are_before(line))
            });
            let is_ours = run.next().is_some_and(|line| delimiter_prefix(line).is_some());
            found.extend(Introduction::above(lines, floor..at, is_ours));
        }
        if is_delimiter {
            break;
        }
        floor = at + 1;
    }
    found
}

/// Splits lines in which a program joined the writer's text with the beginning of a quotation.
fn split_joined_lines<'a>(lines: &[&'a str]) -> Vec<&'a str> {
    let mut split = lines.to_vec();
    // A program may have joined the whole quotation to one line.
    let joined =
        split.iter().enumerate().find_map(|(at, line)| Some((at, delimiter_inside(line)?)));
    if let Some((at, own)) = joined {
        let (before, delimiter) = split[at].split_at(own);
        split.splice(at..=at, [before.trim_end(), delimiter]);
    }
    let joined = introductions(&split).into_iter().filter(|found| found.own > 0);
    for Introduction { lines, own } in joined.collect::<Vec<_>>().into_iter().rev() {
        let (before, introduction) = split[lines.start].split_at(own);
        split.splice(lines.start..=lines.start, [before.trim_end(), introduction.trim_start()]);
    }
    split
}

/// Returns the byte offset of a reply delimiter that does not begin its line.
fn delimiter_inside(line: &str) -> Option<usize> {
    let at = memchr::memmem::find(line.as_bytes(), REPLY_DELIMITER.as_bytes())?;
    delimiter_prefix(line).is_none().then_some(at)
}

/// The kinds of the lines of a text, up to the line where reading stops.
struct ClassifiedLines {
    kinds: Vec<LineKind>,
    /// The first line of the quoted mail.
    quoted_from: usize,
}

impl ClassifiedLines {
    fn classify(lines: &[&str]) -> Self {
        let marks = QuoteMarks::of(lines);
        let is_quoted = |line: &&str| marks.are_before(line);
        let mut introduced = introductions(lines).into_iter().peekable();
        let last_quoted = lines.iter().rposition(&is_quoted);
        let (mut kinds, mut quoted_from, mut in_signature) = (Vec::new(), None, false);
        while let Some(line) = lines.get(kinds.len()) {
            let at = kinds.len();
            while introduced.next_if(|found| found.lines.start < at).is_some() {}
            let above = introduced.peek().filter(|found| found.lines.start == at);
            let above = above.map(|found| found.lines.len());
            if is_quoted(line) {
                quoted_from = quoted_from.or(delimiter_prefix(line).map(|_| at));
                in_signature = false;
                kinds.push(LineKind::Quoted);
            } else if ends_at(line) {
                break;
            } else if let Some(count) = above
                .or_else(|| {
                    let before = at.checked_sub(1).map(|before| lines[before]);
                    introduction::at_start(before, &lines[at..])
                })
                .or_else(|| known_attribution(&lines[at..]))
            {
                // Without marks, the quotation cannot be told from text written below it.
                let behind = &lines[at + count..];
                if !behind.iter().find(|line| !line.is_empty()).is_some_and(is_quoted) {
                    break;
                }
                quoted_from = quoted_from.or(Some(at));
                in_signature = false;
                kinds.resize(at + count, LineKind::Quoted);
            } else if *line == "--" && (quoted_from.is_some() || last_quoted < Some(at)) {
                // The blank of `-- ` (RFC 3676, 4.3) has been trimmed; some programs never write it.
                break;
            } else {
                in_signature |= *line == "--";
                let is_own = !in_signature && !line.trim().is_empty();
                kinds.push(if is_own { LineKind::Own } else { LineKind::Empty });
            }
        }
        let quoted_from = quoted_from.unwrap_or(kinds.len());
        Self { kinds, quoted_from }
    }

    /// Collects the writer's lines.
    fn own(&self, lines: &[&str]) -> UnquotedText {
        let (mut own, mut run) = (UnquotedText::default(), Vec::new());
        let width = self.estimate_width(lines);
        let mut at = 0;
        while let Some(kind) = self.kinds.get(at) {
            if at == self.quoted_from {
                own.above = trimmed(&std::mem::take(&mut run));
            }
            let is_below = at >= self.quoted_from;
            match kind {
                LineKind::Quoted if is_below => {
                    own.below.push(InlineReply::read(&std::mem::take(&mut run)));
                }
                LineKind::Quoted => {}
                LineKind::Empty => run.push(String::new()),
                LineKind::Own if self.may_be_broken(lines, at, width) => {
                    let rest = self.kinds[at..].iter();
                    let end = at + rest.take_while(|kind| **kind == LineKind::Own).count();
                    let is_between_quoted = self.kinds.get(end) == Some(&LineKind::Quoted);
                    let found = lines[at..end].iter();
                    own.unmarked.extend(
                        found.map(|line| UnmarkedLine {
                            line: (*line).to_owned(),
                            is_between_quoted,
                        }),
                    );
                    at = end;
                    continue;
                }
                LineKind::Own => run.push(lines[at].to_owned()),
            }
            at += 1;
        }
        if self.kinds.len() > self.quoted_from {
            own.below.push(InlineReply::read(&run));
        } else {
            own.above = trimmed(&run);
        }
        drop_advertisements(&mut own.above);
        if let Some(last) = own.below.last_mut() {
            drop_advertisements(&mut last.lines);
        }
        own.below.retain(|part| !part.lines.is_empty());
        let lost =
            own.unmarked.iter().filter(|line| !line.is_between_quoted).map(|line| &line.line);
        if own
            .below
            .iter()
            .flat_map(|part| &part.lines)
            .chain(lost)
            .any(|line| is_from_our_mails(line))
        {
            let below = std::mem::take(&mut own.below).into_iter().flat_map(|part| part.lines);
            let below = below.filter(|line| !line.trim().is_empty());
            own.unmarked.extend(below.map(|line| UnmarkedLine { line, is_between_quoted: false }));
        }
        own
    }

    /// Returns whether the unquoted line at `at` may be the rest of the quoted line above, broken at
    /// `width` characters.
    fn may_be_broken(&self, lines: &[&str], at: usize, width: usize) -> bool {
        let Some(above) = at.checked_sub(1).filter(|above| self.kinds[*above] == LineKind::Quoted)
        else {
            return false;
        };
        let is_blank = !lines[above].contains(|c: char| c.is_alphanumeric());
        self.kinds[at] == LineKind::Own
            && !is_blank
            && exceeds_width(lines[above], lines[at], width)
    }

    /// Estimates the width at which quoted lines were broken. It is below the usual width only if no
    /// quoted line is longer and several lines appear to be broken there.
    fn estimate_width(&self, lines: &[&str]) -> usize {
        let is_breakable = |line: &&&str| {
            let words = line.trim_start_matches(['>', ' ']);
            line.starts_with('>')
                && words
                    .find(' ')
                    .is_some_and(|end| line.len() - words.len() + end < SMALLEST_WIDTH)
        };
        let quoted = self.kinds.iter().zip(lines).filter(|(kind, _)| **kind == LineKind::Quoted);
        let lengths = quoted.map(|(_, line)| line).filter(is_breakable);
        let longest = lengths.map(|line| line.chars().count()).max().unwrap_or(USUAL_WIDTH);
        // Some programs count the blank at the end of a line.
        let width = longest.saturating_sub(2).clamp(SMALLEST_WIDTH, USUAL_WIDTH);
        let broken = (0..self.kinds.len()).filter(|at| self.may_be_broken(lines, *at, width));
        if broken.take(2).count() == 2 { width } else { USUAL_WIDTH }
    }
}

/// Returns whether a mail program may have broken one line into these two.
pub fn may_be_wrapped(line: &str, next: &str) -> bool {
    exceeds_width(line, next, USUAL_WIDTH)
}

/// Returns whether `line` would exceed `width` characters with the first word of `next`.
pub(super) fn exceeds_width(line: &str, next: &str, width: usize) -> bool {
    let word = next.split_whitespace().next().unwrap_or_default();
    line.chars().count() + 1 + word.chars().count() > width
}

/// Drops empty lines at both ends.
fn trimmed(lines: &[String]) -> Vec<String> {
    let is_empty = |line: &String| line.trim().is_empty();
    let start = lines.iter().position(|line| !is_empty(line)).unwrap_or(lines.len());
    let end = lines.iter().rposition(|line| !is_empty(line)).map_or(start, |last| last + 1);
    lines[start..end].to_vec()
}

/// Returns whether a line comes from one of our mails and not from a writer, so that the quotation must
/// have lost marks.
fn is_from_our_mails(line: &str) -> bool {
    const PARTS: [&str; 5] = ["<password>", "+---", "---+", "|BAR|", "___|"];
    line.starts_with("Position:") || PARTS.iter().any(|part| line.contains(part))
}

/// Skips the header fields of a PGP armor, which end with an empty line (RFC 9580, 7).
fn behind_armor<'a, 'b>(lines: &'b [&'a str]) -> &'b [&'a str] {
    let empty = lines.iter().position(|line| line.is_empty());
    empty.map_or(lines, |at| &lines[at + 1..])
}

/// Returns whether nothing from this line on is the writer's: a PGP signature or an unquoted reply
/// delimiter.
fn ends_at(line: &str) -> bool {
    line == "-----BEGIN PGP SIGNATURE-----" || delimiter_prefix(line).is_some()
}

/// Returns the text before the reply delimiter in a line: a quotation mark, or nothing. The delimiter may
/// be wrapped after its second word or later, and have typographic dashes.
fn delimiter_prefix(line: &str) -> Option<&str> {
    /// Characters of a quotation mark such as `PB>`.
    const MAX_MARK_LENGTH: usize = 12;
    // Cheap tests first: a mail may have half a million lines.
    if line.len() < REPLY_DELIMITER.len() / 3 {
        return None;
    }
    let word = memchr::memchr2(b'w', b'W', line.as_bytes())?;
    let (whole, wrapped) = (REPLY_DELIMITER.trim_matches(is_dash).trim(), "write above");
    let starts = [line.find(is_dash), Some(word)];
    starts.into_iter().flatten().find_map(|start| {
        let prefix = line[..start].trim();
        let words = line[start..].trim_start_matches(is_dash);
        let has_dashes = words.len() < line.len() - start;
        let words = words.trim_start();
        let is_delimiter = starts_with(words, whole) || (has_dashes && starts_with(words, wrapped));
        let quotes = prefix.len() <= MAX_MARK_LENGTH && !prefix.ends_with(char::is_alphanumeric);
        // Asterisks of bold text are no quotation mark.
        let prefix = if prefix.bytes().all(|b| b == b'*') { "" } else { prefix };
        (is_delimiter && quotes).then_some(prefix)
    })
}

fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}')
}

fn starts_with(text: &str, start: &str) -> bool {
    text.as_bytes()
        .get(..start.len())
        .is_some_and(|found| found.eq_ignore_ascii_case(start.as_bytes()))
}

/// Returns how many lines at the start of `lines`, up to three, are `On Monday, Ann wrote:` in a known
/// language.
fn known_attribution(lines: &[&str]) -> Option<usize> {
    const PHRASES: [(&str, &str); 9] = [
        ("On ", " wrote"),
        ("Am ", " schrieb"),
        ("Le ", " a écrit"),
        ("El ", " escribió"),
        ("Em ", " escreveu"),
        ("Il ", " ha scritto"),
        ("Op ", " schreef"),
        ("Den ", " skrev"),
        ("W dniu ", " pisze"),
    ];
    if lines[0].is_empty() || !lines.iter().take(3).any(|line| line.ends_with(':')) {
        return None;
    }
    let is_closed = lines[0].ends_with(':') && lines[0].contains('>');
    if is_closed && lines[0].contains('<') && has_address(lines[0]) {
        return Some(1);
    }
    let (start, verb) =
        PHRASES.iter().find(|(start, _)| lines[0].trim_start().starts_with(start))?;
    let mut whole = String::new();
    for (at, line) in lines.iter().take(3).enumerate() {
        if line.is_empty() || (at > 0 && line.starts_with(start)) {
            return None;
        }
        whole.push(' ');
        whole.push_str(line.trim());
        // The player's own sentences have no date or address before the colon.
        if whole.ends_with(':') {
            let is_evident = whole.bytes().any(|b| b.is_ascii_digit() || b == b'@');
            return (whole.contains(verb) && is_evident).then_some(at + 1);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_writers_lines_are_found() {
        for (text, want) in [
            ("", ""),
            ("\n\na\n\nb\n\n", "a\n\nb"),
            ("a\n> b\n >c\nd\n", "a\nd"),
            ("a\n--\nAnn\n", "a"),
            ("a\n---\nb --\n-- b\n", "a\n---\nb --\n-- b"),
            ("a\n--- write above this line ---\nb\n", "a"),
            ("a\n> --- write above this line ---\n\nb\n", "a"),
            ("a\n| --- Write above this line ---\nb\n", "a"),
            ("a\n— write above this line —\nb\n", "a"),
            ("a\n--- write above this\nline ---\nb\n", "a"),
            ("a\n> --- write above\n> this line ---\nb\n", "a"),
            ("I write above this\nb\n", "I write above this\nb"),
            ("write above all\n", "write above all"),
            ("a\nOn Mon, 2 Mar 2026 at 10:00, Post <p@h.org> wrote:\nb\n", "a"),
            ("a\nOn Mon, 2 Mar 2026 at 10:00, Postboard\n<p@h.org> wrote:\nb\n", "a"),
            ("a\nAm 02.03.26 um 10:00 schrieb Post:\nb\n", "a"),
            ("a\nLe lun. 2 mars 2026 à 10:00, Post <p@h.org> a écrit :\nb\n", "a"),
            ("a\nEl lun, 2 mar 2026 a las 10:00, Post (<p@h.org>) escribió:\nb\n", "a"),
            ("a\nPost <p@h.org> wrote:\nb\n", "a"),
            ("On b4!\nOn Mon, 2 Mar 2026, Post wrote:\nb\n", "On b4!"),
            ("On the whole I wrote:\nb\n", "On the whole I wrote:\nb"),
            ("On 2 March I wrote\nb\n", "On 2 March I wrote\nb"),
            ("a\n-----Original Message-----\nb\n", "a"),
            ("a\n----- Ursprüngliche Nachricht -----\nb\n", "a"),
            ("original message\n", "original message"),
            ("a\n________________________________\nb\n", "a\n________________________________\nb"),
            ("a\n________________________________\nFrom: p@h.org\nSent: Monday\nb\n", "a"),
            ("a\nFrom: p@h.org\nSent: Monday\nb\n", "a"),
            ("a\n*Von:* p@h.org\n*Gesendet:* Montag\nb\n", "a"),
            ("From: me\nwith love\n", "From: me\nwith love"),
            (
                "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\na\n- - b\n\
                 -----BEGIN PGP SIGNATURE-----\nx\n-----END PGP SIGNATURE-----\n",
                "a\n- b",
            ),
        ] {
            assert_eq!(unquoted_text(text), want, "{text:?}");
        }
    }

    /// Prints the lines above, below and between quotations, and the unmarked lines.
    fn sorted(text: &str) -> String {
        let own = UnquotedText::read(text);
        let below: Vec<String> = own.below.iter().map(|part| part.lines.join("/")).collect();
        let show = |unmarked: &UnmarkedLine| {
            let between = if unmarked.is_between_quoted { "^" } else { "" };
            format!("{between}{}", unmarked.line)
        };
        let unmarked: Vec<String> = own.unmarked.iter().map(show).collect();
        format!("{} | {} | {}", own.above.join("/"), below.join(" & "), unmarked.join(" & "))
    }

    #[test]
    fn lines_below_and_between_quotations() {
        const LONG: &str = "> a quoted line that is so long that a mail program may have broken it";
        for (text, want) in [
            ("On 2 March Ann wrote:\n> a\n\nb\n", " | b | "),
            ("On 2 March Ann wrote:\n\n> a\n\nb\n> c\nd\n\ne\n", " | b & d//e | "),
            ("a\nOn 2 March Ann wrote:\n> a\n\nb\n--\nc\n", "a | b | "),
            ("a\n--\nAnn\n\nOn 2 March Ann wrote:\n> a\n\nb\n", "a | b | "),
            ("On 2 March Ann wrote:\n> a\n-----Original Message-----\nb\n", " |  | "),
            ("On 2 March Ann wrote:\na\n> b\n\nc\n", " |  | "),
            ("2 maart 2026, Ann <a@b.example>:\n> a\n\nb\n", " | b | "),
            ("maandag 2 maart 2026, Ann <\na@b.example>:\n\n> a\n\nb\n", " | b | "),
            ("so I say:\n> a\nb\n", "so I say:/b |  | "),
            ("PB> a\nPB> --- write above this line ---\nPB> c\n\nb\n", " | b | "),
            ("| a\n| --- write above this line ---\n\nb\n", " | b | "),
            ("| a\nb\n", "| a/b |  | "),
            ("> --- write above this line ---\n> +---+\n\n+---+\n\nb\n", " |  | +---+ & b"),
            (&format!("a\n{LONG}\nb\nc\n\nd\n"), "a//d |  | b & c"),
            (&format!("a\n{LONG}\nb\n> c\nd\n"), "a/d |  | ^b"),
            (&format!("a\n{LONG}\n>\nb\n"), "a/b |  | "),
        ] {
            assert_eq!(sorted(text).trim_end(), want.trim_end(), "{text}");
        }
    }

    #[test]
    fn a_wrapped_delimiter_ends_the_text() {
        for (at, _) in REPLY_DELIMITER.match_indices(' ').skip(2) {
            let text =
                format!("a\n{}\n{}\nb\n", &REPLY_DELIMITER[..at], &REPLY_DELIMITER[at + 1..]);
            assert_eq!(unquoted_text(&text), "a", "{text}");
        }
    }
}
