//! What a player wrote, in an answer that quotes our mail.

use super::MARK;
use super::advertisement::drop_advertisements;
use super::introduction::{self, Introduction, has_address};

/// What the writer of a mail wrote, and where it is beside what they quote.
///
/// Only the mark in our mails is ours to rely on; phrases differ by program and language and are
/// recognised as a convenience.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnquotedText {
    /// The lines above the quotation of a mail, without empty ones at both ends.
    pub above: Vec<String>,
    /// The stretches below that quotation and between its lines.
    pub below: Vec<Stretch>,
    /// Lines that bear no mark of a quotation and may be a part of it all the same.
    pub stray: Vec<StrayLine>,
}

/// Lines of the writer below a quoted line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The lines, without empty ones at both ends.
    pub lines: Vec<String>,
    /// Whether an empty line parts them from the quoted one.
    pub is_apart: bool,
}

impl Stretch {
    fn read(lines: &[String]) -> Self {
        let is_apart = lines.first().is_some_and(|line| line.trim().is_empty());
        Self { lines: trimmed(lines), is_apart }
    }
}

/// A line that may be the end of a quoted line, broken by a mail program that did not mark the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrayLine {
    /// The line.
    pub line: String,
    /// Whether the quotation goes on right below it, so that it is hardly anything else.
    pub between: bool,
}

/// The lines of a text that its writer wrote: those above the quotation or, where nothing is there,
/// those below it.
pub fn own_words(text: &str) -> String {
    UnquotedText::read(text).words()
}

/// Few programs break a line that is shorter, marks of quotation included.
const USUAL: usize = 60;
/// None breaks a line that is shorter than this.
const NARROWEST: usize = 36;

#[derive(Clone, Copy, PartialEq, Eq)]
enum LineKind {
    Own,
    Empty,
    Quoted,
}

impl UnquotedText {
    /// Sorts the lines of a text: quoted ones are dropped, and it ends at a signature (`-- `) and
    /// where something is quoted without marks.
    pub fn read(text: &str) -> Self {
        let lines: Vec<&str> = text.lines().collect();
        let signed = lines.iter().position(|line| *line == "-----BEGIN PGP SIGNED MESSAGE-----");
        let signed = signed.filter(|&at| lines[..at].iter().all(|line| line.is_empty()));
        let lines = signed.map_or(&*lines, |at| behind_armor(&lines[at + 1..]));
        let lines = &*with_own_lines(lines);
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

    /// The lines above the quotation or, where nothing is there, those below it.
    pub fn words(&self) -> String {
        if self.above.is_empty() {
            let parts: Vec<String> = self.below.iter().map(|part| part.lines.join("\n")).collect();
            return parts.join("\n\n");
        }
        self.above.join("\n")
    }
}

/// The marks of quoted lines in a text.
#[derive(Clone, Copy)]
struct QuoteMarks<'a> {
    /// What is before our mark, if that is not `>`.
    prefix: &'a str,
}

impl<'a> QuoteMarks<'a> {
    fn of(lines: &[&'a str]) -> Self {
        let prefix = lines.iter().find_map(|line| mark_prefix(line)).unwrap_or_default();
        Self { prefix }
    }

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

/// The introductions of quotations in a text, from top to bottom.
fn introductions(lines: &[&str]) -> Vec<Introduction> {
    /// Lines that are quoted above our mark: a header block, say.
    const MOST_ABOVE: usize = 30;
    let marks = QuoteMarks::of(lines);
    let mut found = Vec::new();
    // Behind the last quoted line.
    let mut floor = 0;
    for (at, line) in lines.iter().enumerate() {
        let is_quoted = marks.are_before(line);
        let is_mark = !is_quoted && mark_prefix(line).is_some();
        if !is_quoted && !is_mark {
            continue;
        }
        if floor < at {
            let run = lines[at..].iter().take(MOST_ABOVE);
            let mut run = run.skip_while(|line| {
                mark_prefix(line).is_none() && (line.is_empty() || marks.are_before(line))
            });
            let is_ours = run.next().is_some_and(|line| mark_prefix(line).is_some());
            found.extend(Introduction::above(lines, floor..at, is_ours));
        }
        if is_mark {
            break;
        }
        floor = at + 1;
    }
    found
}

/// These lines, where one that was glued to the first line of a quotation has its own line again.
fn with_own_lines<'a>(lines: &[&'a str]) -> Vec<&'a str> {
    let mut parted = lines.to_vec();
    // A program may have made one line of all that it quotes.
    let glued = parted.iter().enumerate().find_map(|(at, line)| Some((at, glued_mark(line)?)));
    if let Some((at, own)) = glued {
        let (before, mark) = parted[at].split_at(own);
        parted.splice(at..=at, [before.trim_end(), mark]);
    }
    let begun = introductions(&parted).into_iter().filter(|it| it.own > 0);
    for Introduction { lines, own } in begun.collect::<Vec<_>>().into_iter().rev() {
        let (before, introduction) = parted[lines.start].split_at(own);
        parted.splice(lines.start..=lines.start, [before.trim_end(), introduction.trim_start()]);
    }
    parted
}

/// The place of our mark within a line.
fn glued_mark(line: &str) -> Option<usize> {
    let at = memchr::memmem::find(line.as_bytes(), MARK.as_bytes())?;
    mark_prefix(line).is_none().then_some(at)
}

/// What each line of a text is, up to where the text is read.
struct ClassifiedLines {
    kinds: Vec<LineKind>,
    /// Where a mail begins to be quoted.
    mail: usize,
}

impl ClassifiedLines {
    fn classify(lines: &[&str]) -> Self {
        let marks = QuoteMarks::of(lines);
        let is_quoted = |line: &&str| marks.are_before(line);
        let mut introduced = introductions(lines).into_iter().peekable();
        let last_quoted = lines.iter().rposition(&is_quoted);
        let (mut kinds, mut mail, mut in_signature) = (Vec::new(), None, false);
        while let Some(line) = lines.get(kinds.len()) {
            let at = kinds.len();
            while introduced.next_if(|it| it.lines.start < at).is_some() {}
            let above = introduced.peek().filter(|it| it.lines.start == at);
            let above = above.map(|it| it.lines.len());
            if is_quoted(line) {
                mail = mail.or(mark_prefix(line).map(|_| at));
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
                // Text quoted without marks cannot be told from text written below it.
                let behind = &lines[at + count..];
                if !behind.iter().find(|line| !line.is_empty()).is_some_and(is_quoted) {
                    break;
                }
                mail = mail.or(Some(at));
                in_signature = false;
                kinds.resize(at + count, LineKind::Quoted);
            } else if *line == "--" && (mail.is_some() || last_quoted < Some(at)) {
                // `-- ` has lost its blank by now (RFC 3676, 4.3); some programs never set it.
                break;
            } else {
                in_signature |= *line == "--";
                let is_own = !in_signature && !line.trim().is_empty();
                kinds.push(if is_own { LineKind::Own } else { LineKind::Empty });
            }
        }
        let mail = mail.unwrap_or(kinds.len());
        Self { kinds, mail }
    }

    fn own(&self, lines: &[&str]) -> UnquotedText {
        let (mut own, mut stretch) = (UnquotedText::default(), Vec::new());
        let width = self.width(lines);
        let mut at = 0;
        while let Some(kind) = self.kinds.get(at) {
            if at == self.mail {
                own.above = trimmed(&std::mem::take(&mut stretch));
            }
            let is_below = at >= self.mail;
            match kind {
                LineKind::Quoted if is_below => {
                    own.below.push(Stretch::read(&std::mem::take(&mut stretch)));
                }
                LineKind::Quoted => {}
                LineKind::Empty => stretch.push(String::new()),
                LineKind::Own if self.may_be_broken(lines, at, width) => {
                    let rest = self.kinds[at..].iter();
                    let end = at + rest.take_while(|kind| **kind == LineKind::Own).count();
                    let between = self.kinds.get(end) == Some(&LineKind::Quoted);
                    let run = lines[at..end].iter();
                    own.stray
                        .extend(run.map(|line| StrayLine { line: (*line).to_owned(), between }));
                    at = end;
                    continue;
                }
                LineKind::Own => stretch.push(lines[at].to_owned()),
            }
            at += 1;
        }
        if self.kinds.len() > self.mail {
            own.below.push(Stretch::read(&stretch));
        } else {
            own.above = trimmed(&stretch);
        }
        drop_advertisements(&mut own.above);
        if let Some(last) = own.below.last_mut() {
            drop_advertisements(&mut last.lines);
        }
        own.below.retain(|part| !part.lines.is_empty());
        let lost = own.stray.iter().filter(|stray| !stray.between).map(|stray| &stray.line);
        if own
            .below
            .iter()
            .flat_map(|part| &part.lines)
            .chain(lost)
            .any(|line| is_from_our_mails(line))
        {
            let below = std::mem::take(&mut own.below).into_iter().flat_map(|part| part.lines);
            let below = below.filter(|line| !line.trim().is_empty());
            own.stray.extend(below.map(|line| StrayLine { line, between: false }));
        }
        own
    }

    /// Whether an own line may be the rest of the quoted line right above it, where lines are broken
    /// that are longer than `width`.
    fn may_be_broken(&self, lines: &[&str], at: usize, width: usize) -> bool {
        let Some(above) = at.checked_sub(1).filter(|above| self.kinds[*above] == LineKind::Quoted)
        else {
            return false;
        };
        let says_nothing = !lines[above].contains(|c: char| c.is_alphanumeric());
        self.kinds[at] == LineKind::Own
            && !says_nothing
            && are_longer(lines[above], lines[at], width)
    }

    /// The width at which quoted lines may have been broken. A program that breaks them at less than
    /// the usual one leaves no longer line whole, and breaks several lines of our mails.
    fn width(&self, lines: &[&str]) -> usize {
        let is_breakable = |line: &&&str| {
            let words = line.trim_start_matches(['>', ' ']);
            line.starts_with('>')
                && words.find(' ').is_some_and(|end| line.len() - words.len() + end < NARROWEST)
        };
        let quoted = self.kinds.iter().zip(lines).filter(|(kind, _)| **kind == LineKind::Quoted);
        let lengths = quoted.map(|(_, line)| line).filter(is_breakable);
        let longest = lengths.map(|line| line.chars().count()).max().unwrap_or(USUAL);
        // Programs count the blank at the end of a line, or do not.
        let width = longest.saturating_sub(2).clamp(NARROWEST, USUAL);
        let broken = (0..self.kinds.len()).filter(|at| self.may_be_broken(lines, *at, width));
        if broken.take(2).count() == 2 { width } else { USUAL }
    }
}

/// Whether a mail program may have broken one line into these two.
pub fn may_go_on(line: &str, next: &str) -> bool {
    are_longer(line, next, USUAL)
}

/// Whether a line would be longer than that with the first word of the next one.
fn are_longer(line: &str, next: &str, width: usize) -> bool {
    let word = next.split_whitespace().next().unwrap_or_default();
    line.chars().count() + 1 + word.chars().count() > width
}

/// Without empty lines at both ends.
fn trimmed(lines: &[String]) -> Vec<String> {
    let is_empty = |line: &String| line.trim().is_empty();
    let start = lines.iter().position(|line| !is_empty(line)).unwrap_or(lines.len());
    let end = lines.iter().rposition(|line| !is_empty(line)).map_or(start, |last| last + 1);
    lines[start..end].to_vec()
}

/// Whether a line is one that nobody writes: a part of our mails, so that their quotation has lost
/// marks.
fn is_from_our_mails(line: &str) -> bool {
    const PARTS: [&str; 5] = ["<password>", "+---", "---+", "|BAR|", "___|"];
    line.starts_with("Position: ") || PARTS.iter().any(|part| line.contains(part))
}

/// RFC 9580, 7: the fields of the armor end with an empty line.
fn behind_armor<'a, 'b>(lines: &'b [&'a str]) -> &'b [&'a str] {
    let empty = lines.iter().position(|line| line.is_empty());
    empty.map_or(lines, |at| &lines[at + 1..])
}

/// Whether a line, and those behind it, are not the writer's. A quoted mark has been seen as quoted
/// before.
fn ends_at(line: &str) -> bool {
    line == "-----BEGIN PGP SIGNATURE-----" || mark_prefix(line).is_some()
}

/// The text before our mark in a line: the mark of a quotation, or nothing. Our mark may be wrapped
/// after any word behind the first two, or have dashes that a mail program made prettier.
fn mark_prefix(line: &str) -> Option<&str> {
    /// `PB>`, say.
    const LONGEST: usize = 12;
    // A mail may have half a million lines.
    if line.len() < MARK.len() / 3 {
        return None;
    }
    // Most lines of a quoted picture have no such letter.
    let word = memchr::memchr2(b'w', b'W', line.as_bytes())?;
    let (whole, wrapped) = (MARK.trim_matches(is_dash).trim(), "write above");
    let starts = [line.find(is_dash), Some(word)];
    starts.into_iter().flatten().find_map(|start| {
        let prefix = line[..start].trim();
        let words = line[start..].trim_start_matches(is_dash);
        let has_dashes = words.len() < line.len() - start;
        let words = words.trim_start();
        let is_mark = starts_with(words, whole) || (has_dashes && starts_with(words, wrapped));
        let quotes = prefix.len() <= LONGEST && !prefix.ends_with(char::is_alphanumeric);
        // A mail program may write bold letters so.
        let prefix = if prefix.bytes().all(|b| b == b'*') { "" } else { prefix };
        (is_mark && quotes).then_some(prefix)
    })
}

fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}')
}

fn starts_with(text: &str, start: &str) -> bool {
    text.as_bytes().get(..start.len()).is_some_and(|it| it.eq_ignore_ascii_case(start.as_bytes()))
}

/// How many of these lines, from the first on, are `On Monday, Ann wrote:` in a few languages: up
/// to three.
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
        // A sentence of the player's own has no date in it and no colon at its end.
        if whole.ends_with(':') {
            let is_one = whole.bytes().any(|b| b.is_ascii_digit() || b == b'@');
            return (whole.contains(verb) && is_one).then_some(at + 1);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_writer_wrote() {
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
            assert_eq!(own_words(text), want, "{text:?}");
        }
    }

    /// The text above, below and between quotations, and what may be a part of one.
    fn sorted(text: &str) -> String {
        let own = UnquotedText::read(text);
        let below: Vec<String> = own.below.iter().map(|part| part.lines.join("/")).collect();
        let mark = |stray: &StrayLine| {
            let between = if stray.between { "^" } else { "" };
            format!("{between}{}", stray.line)
        };
        let stray: Vec<String> = own.stray.iter().map(mark).collect();
        format!("{} | {} | {}", own.above.join("/"), below.join(" & "), stray.join(" & "))
    }

    #[test]
    fn what_stands_below_and_between() {
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
    fn every_wrap_of_the_mark_ends_it() {
        for (at, _) in MARK.match_indices(' ').skip(2) {
            let text = format!("a\n{}\n{}\nb\n", &MARK[..at], &MARK[at + 1..]);
            assert_eq!(own_words(&text), "a", "{text}");
        }
    }
}
