//! What mail programs write above a quotation: header blocks, attributions, separators.
//!
//! Their words differ by program and language, so they are recognised by their shape. Right above the
//! reply delimiter little evidence is enough; elsewhere an address or a known phrase is needed.

use super::unquoted::exceeds_width;
use std::ops::Range;

/// The introduction of a quotation.
pub(super) struct Introduction {
    /// Its lines, including the empty lines before the quotation.
    pub(super) lines: Range<usize>,
    /// The number of bytes at the start of its first line that the writer of the mail wrote.
    pub(super) own: usize,
}

/// Lines of a header block.
const LONGEST_HEADER: usize = 40;
/// Lines of one value in a header block.
const LONGEST_VALUE: usize = 3;
/// Lines of a wrapped attribution.
const LONGEST_ATTRIBUTION: usize = 5;
/// Pieces of an introduction: separator, title, header block, attribution.
const MOST_PIECES: usize = 8;
/// Characters of a line at which few programs wrap it.
const WRAPPED: usize = 55;

/// What follows a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Below {
    Quotation,
    Header,
    Attribution,
}

/// Where a piece of an introduction begins.
struct Start {
    line: usize,
    /// The number of bytes at the start of that line that the writer of the mail wrote.
    own: usize,
}

/// A piece of an introduction.
struct Piece {
    start: Start,
    kind: Below,
}

impl Introduction {
    /// Finds the introduction at the end of a range of lines that a quotation follows. `is_ours` says
    /// whether the quotation begins with the reply delimiter.
    pub(super) fn above(lines: &[&str], range: Range<usize>, is_ours: bool) -> Option<Self> {
        let unquoted = &lines[range.clone()];
        let mut start = Start { line: unquoted.len(), own: 0 };
        let mut below = Below::Quotation;
        for _ in 0..MOST_PIECES {
            let filled = unquoted[..start.line].iter().rposition(|line| !line.trim().is_empty());
            let Some(last) = filled else { break };
            let Some(piece) = find_piece(&unquoted[..=last], below, is_ours) else { break };
            (start, below) = (piece.start, piece.kind);
            if start.own > 0 {
                break;
            }
        }
        let Start { line, own } = start;
        (line < unquoted.len()).then(|| Self { lines: range.start + line..range.end, own })
    }
}

/// Finds the piece of an introduction that ends with the last of `lines`.
fn find_piece(lines: &[&str], below: Below, is_ours: bool) -> Option<Piece> {
    let whole = |line: usize, kind: Below| Piece { start: Start { line, own: 0 }, kind };
    if let Some(at) = find_separator(lines, below) {
        return Some(whole(at, below));
    }
    if let Some(start) = find_header(lines, is_ours) {
        return Some(Piece { start, kind: Below::Header });
    }
    if let Some(at) = find_attribution(lines, below, is_ours) {
        let start = Start { line: at, own: own_before(lines[at]) };
        return Some(Piece { start, kind: Below::Attribution });
    }
    if is_ours && let Some(at) = find_memo_header(lines) {
        return Some(whole(at, Below::Header));
    }
    let is_titled = below == Below::Header && is_title(lines[lines.len() - 1]);
    is_titled.then(|| whole(lines.len() - 1, Below::Header))
}

/// Returns how many lines at the start of `lines` are certainly an introduction, whatever follows. If
/// the line above is a label, its header block has already been examined.
pub(super) fn at_start(above: Option<&str>, lines: &[&str]) -> Option<usize> {
    let line = lines[0];
    if is_known_separator(line) {
        return Some(1);
    }
    if is_rule(line) || is_between_rules(line, 3) {
        let gap = lines[1..].iter().take(3).take_while(|line| line.trim().is_empty()).count();
        return Some(1 + gap + header_at_start(lines.get(1 + gap..)?)?);
    }
    let begins = above.is_none_or(|above| labelled(above).is_none());
    begins.then(|| header_at_start(lines)).flatten()
}

// ---- Header blocks ----

/// Returns the value of a line `Label: value`. A label has few words and no digits.
fn labelled(line: &str) -> Option<&str> {
    const MAX_LABEL_CHARACTERS: usize = 48;
    const MOST_WORDS: usize = 4;
    let line = line.trim_start_matches([' ', '*', '|']);
    let (at, colon) = line.char_indices().take(MAX_LABEL_CHARACTERS).find(|(_, c)| is_colon(*c))?;
    let label = line[..at].trim_end_matches([' ', '*']);
    let is_of_label = |c: char| {
        c.is_alphabetic() || " -'./()*".contains(c) || !c.is_ascii() && !is_sentence_end(c)
    };
    let fits = label.chars().all(is_of_label)
        && label.contains(char::is_alphabetic)
        && label.split_whitespace().count() <= MOST_WORDS;
    let value = line[at + colon.len_utf8()..].trim_matches([' ', '*', '|']);
    (fits && !value.starts_with("//")).then_some(value)
}

/// The labels in a line that is a whole header block.
struct Labels {
    /// The byte offset of the first.
    first: usize,
    count: usize,
}

/// Finds the labels in a line that contains an address.
fn labels_inside(line: &str) -> Option<Labels> {
    if !has_address(line) {
        return None;
    }
    let (mut first, mut count, mut word, mut last) = (None, 0, 0, ' ');
    for (at, c) in line.char_indices() {
        if is_colon(c) && is_letter(last) {
            first = first.or(Some(word));
            count += 1;
        } else if !is_letter(last) && is_letter(c) {
            word = at;
        }
        if c != '*' {
            last = c;
        }
    }
    // The first label may have several words.
    let first = if labelled(line).is_some() { 0 } else { first? };
    // A separator on the same line.
    let dashes = line[..first].find("----").unwrap_or(first);
    Some(Labels { first: line[..dashes].trim_end_matches([' ', '*']).len(), count })
}

/// Finds the header block at the end of `lines`. Its labels may be in any language, its values may be
/// wrapped, and empty lines may separate its lines.
fn find_header(lines: &[&str], is_ours: bool) -> Option<Start> {
    if let Some(Labels { first: own, count: 2.. }) = labels_inside(lines[lines.len() - 1]) {
        return Some(Start { line: lines.len() - 1, own });
    }
    let (mut top, mut labels, mut value, mut wrapped) = (None, 0, 0, 0);
    let (mut addressed, mut evident) = (false, false);
    let mut at = lines.len();
    while at > 0 && lines.len() - at < LONGEST_HEADER {
        let line = lines[at - 1];
        if line.trim().is_empty() {
            let gap = lines[..at].iter().rev().take(3).take_while(|line| line.trim().is_empty());
            let above = at - gap.count();
            let Some(entry) = last_entry(&lines[..above]) else { break };
            let is_alone = entry == 0 || lines[entry - 1].trim().is_empty();
            let is_addressed = lines[entry..above].iter().any(|line| has_address(line));
            let is_evident = lines[entry..above].iter().any(|line| is_evident(line));
            let continues = is_addressed || is_evident || is_alone && labels <= 1;
            if value > 0 || !continues {
                break;
            }
            at = above;
            continue;
        }
        addressed |= has_address(line);
        evident |= is_ours && is_evident(line);
        match labelled(line) {
            Some(found) => {
                labels += 1;
                wrapped += value;
                value = 0;
                let is_mailbox = found.contains('<') && has_address(found);
                let is_block = addressed || evident && (wrapped == 0 || wrapped == 1 && labels > 2);
                if labels > 1 && is_block || is_mailbox {
                    top = Some(at - 1);
                }
            }
            None => value += 1,
        }
        if value > LONGEST_VALUE {
            break;
        }
        at -= 1;
    }
    top.map(|line| Start { line, own: 0 })
}

/// Returns the line of the label whose value ends `lines`: the last line, or the line above it.
fn last_entry(lines: &[&str]) -> Option<usize> {
    let last = lines.len().checked_sub(1)?;
    let is_label = |line: &str| labelled(line).is_some_and(str::is_empty);
    let above = || last.checked_sub(1).filter(|above| is_label(lines[*above]));
    labelled(lines[last]).map(|_| last).or_else(above)
}

/// Returns the number of lines of a header block at the start of `lines`: several labels and an address,
/// or a known label of a sender and a year.
fn header_at_start(lines: &[&str]) -> Option<usize> {
    /// Lines that are searched for an address; a mail may have half a million labels.
    const NEAR: usize = 10;
    const SENDERS: [&str; 5] = ["From", "Von", "De", "Da", "Van"];
    let first = lines.first()?;
    if matches!(labels_inside(first), Some(Labels { first: 0, count: 3.. })) {
        return Some(1);
    }
    labelled(first)?;
    let name = first.trim_start_matches([' ', '*']).split([':', ' ', '*']).next();
    let is_known = SENDERS.iter().any(|sender| name == Some(sender));
    let (mut labels, mut value, mut count) = (0, 0, 0);
    let (mut addressed, mut dated) = (false, false);
    for line in lines.iter().take(NEAR).take_while(|line| !line.trim().is_empty()) {
        match labelled(line) {
            Some(_) => (labels, value) = (labels + 1, 0),
            None => value += 1,
        }
        if value > LONGEST_VALUE {
            break;
        }
        count += 1;
        addressed |= has_address(line) && value <= 1;
        dated |= has_year(line);
    }
    (labels > 1 && addressed || labels > 2 && is_known && dated).then_some(count)
}

/// Finds the header block of Lotus Notes at the end of `lines`: labels without colons and values, each on
/// its own line, among them a mailbox.
fn find_memo_header(lines: &[&str]) -> Option<usize> {
    let from = lines.iter().rposition(|line| line.trim().is_empty()).map_or(0, |at| at + 1);
    let paragraph = &lines[from.max(lines.len().saturating_sub(LONGEST_HEADER))..];
    let from = lines.len() - paragraph.len();
    let is_label = |line: &str| {
        line.split_whitespace().count() <= 2
            && line.chars().all(|c| c.is_alphabetic() || " \"".contains(c) || !c.is_ascii())
    };
    let value = paragraph.iter().position(|line| is_mailbox(line)).or_else(|| {
        let is_subject = |at: &usize| is_label(paragraph[at - 1]) && names_board(paragraph[*at]);
        (1..paragraph.len()).find(is_subject)
    })?;
    let is_named = value > 0 && is_label(paragraph[value - 1]);
    Some(from + value - usize::from(is_named))
}

/// Returns whether a line is an address, with or without a name.
fn is_mailbox(line: &str) -> bool {
    let line = line.trim().trim_end_matches([';', ',']);
    let name = line.split_once('<').map_or("", |(name, _)| name);
    has_address(line)
        && (line.ends_with('>') || !line.contains(' '))
        && name.split_whitespace().count() <= 4
}

/// Returns whether a line of a header block suggests a mail of ours.
fn is_evident(line: &str) -> bool {
    has_year(line) || names_board(line) || line.to_ascii_lowercase().contains("postboard")
}

/// Returns whether a line names a board, as our Subjects do: `Malaka 17`.
fn names_board(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().take(20).collect();
    words.windows(2).any(|pair| {
        pair[1].starts_with(|c: char| c.is_ascii_digit()) && games::find(pair[0]).is_some()
    })
}

// ---- Attributions ----

/// Returns the first line of an attribution that ends with the last of `lines`.
fn find_attribution(lines: &[&str], below: Below, is_ours: bool) -> Option<usize> {
    let last = lines.len() - 1;
    let end = lines[last].trim_end_matches([' ', '*']);
    let closes = end.ends_with(is_colon);
    let names_mailbox = has_address(end) && end.contains('<') && !end.ends_with(is_sentence_end);
    let is_signed = is_ours && (names_mailbox || has_year(end) && has_time(end));
    if !closes && !is_signed && !end.ends_with(['>', ')', ']']) {
        return None;
    }
    let from = first_wrapped(lines);
    let text = &lines[from..];
    let any = |is: fn(&str) -> bool| text.iter().any(|line| is(line));
    let bracketed = any(|line| line.contains('@')) && any(|line| line.contains('<'));
    let dated = any(has_year) || any(has_time);
    if !closes {
        let is_sentence = end.ends_with(is_sentence_end);
        return (bracketed || is_ours && dated && any(has_year) && !is_sentence).then_some(from);
    }
    let has_digits = text.iter().any(|line| line.contains(|c: char| c.is_ascii_digit()));
    let is_long = text.iter().map(|line| line.split_whitespace().count()).sum::<usize>() > 3;
    let is_evident = any(|line| line.contains('@')) || has_digits && is_long;
    // `Postboard wrote:`
    let is_plain = is_ours && below == Below::Quotation && (dated || !has_digits);
    (is_evident || is_plain).then_some(from)
}

/// Returns the first of the lines into which the sentence at the end of `lines` was wrapped.
fn first_wrapped(lines: &[&str]) -> usize {
    let last = lines.len() - 1;
    let mut from = last;
    while let Some(above) = from.checked_sub(1).map(|above| lines[above])
        && !above.trim().is_empty()
        && last - from + 1 < LONGEST_ATTRIBUTION
    {
        let text = &lines[from..];
        let count = |c: char| text.iter().map(|line| line.matches(c).count()).sum::<usize>();
        let any = |is: fn(&str) -> bool| text.iter().any(|line| is(line));
        let has_at = any(|line| line.contains('@'));
        let dated = any(has_year) || any(has_time);
        let above_dated = has_year(above) || has_time(above);
        let is_long = exceeds_width(above, lines[from], WRAPPED);
        let is_wrapped = is_long && (has_year(above) || !ends_sentence(above));
        let opens = |c, close| above.rfind(c) > above.rfind(close);
        let continues = opens('<', '>')
            || opens('(', ')')
            || count('>') > count('<')
            || count(')') > count('(')
            || lines[from].starts_with(['<', '@', '>', '('])
            || !has_at && has_address(above) && (is_long || above.contains('<'))
            || has_at && !dated && has_year(above) && has_time(above)
            || is_wrapped && (!dated && (above_dated || is_dated(above)) || !has_at && above_dated);
        if !continues {
            break;
        }
        from -= 1;
    }
    from
}

/// Returns how many bytes at the start of an attribution are the writer's: a sentence, or a move.
fn own_before(line: &str) -> usize {
    let own = unattributed(line);
    if line[..own].contains(char::is_alphanumeric) { own } else { 0 }
}

/// Returns the offset of the attribution in a line.
fn unattributed(line: &str) -> usize {
    const STARTS: [&str; 14] = [
        "On ",
        "Am ",
        "Le ",
        "El ",
        "Em ",
        "Il ",
        "Op ",
        "Den ",
        "W dniu ",
        "På ",
        "Dne ",
        "V ",
        "Il giorno ",
        "Pada ",
    ];
    let attributed = line.find(['<', '@']).unwrap_or(line.len());
    let is_start = |at: usize| {
        line[..at].ends_with(' ')
            && STARTS.iter().any(|start| {
                let behind = line[at..].strip_prefix(start);
                behind.is_some_and(|behind| {
                    let has_digits = behind.bytes().take(24).any(|b| b.is_ascii_digit());
                    has_digits && behind.starts_with(|c: char| c.is_alphanumeric())
                })
            })
    };
    let starts = line[..attributed].match_indices(' ').map(|(at, _)| at + 1);
    if let Some(start) = starts.into_iter().find(|at| is_start(*at)) {
        return line[..start].trim_end().len();
    }
    let sentence = line[..attributed].rfind(['!', '?', '\u{FF01}', '\u{FF1F}', '\u{3002}']);
    if let Some(end) = sentence {
        return end + line[end..].chars().next().map_or(1, char::len_utf8);
    }
    let words = line.split_inclusive(' ');
    let moves: usize = words.take_while(|word| is_move(word.trim())).map(str::len).sum();
    line[..moves].trim_end().len()
}

/// Returns whether a word looks like a move: `a1-a5`, `8-5,6-5`.
pub(super) fn is_move(word: &str) -> bool {
    let bytes = word.as_bytes();
    let is_place = bytes.len() > 1 && bytes[0].is_ascii_alphabetic() && bytes[1].is_ascii_digit();
    let is_numbers = bytes.iter().all(|b| b.is_ascii_digit() || b"-/,*".contains(b));
    is_place || is_numbers && word.trim_end_matches(',').contains(',') && word.contains(['-', '/'])
}

// ---- Separators ----

/// Returns the first line of a separator that ends with the last of `lines`.
fn find_separator(lines: &[&str], below: Below) -> Option<usize> {
    let last = lines.len() - 1;
    let line = lines[last];
    let least = if below == Below::Header { 2 } else { 4 };
    if is_rule(line) || is_between_rules(line, least) || is_known_separator(line) {
        return Some(last);
    }
    // A separator over several lines: `---- On Monday Ann` and `wrote ----`.
    if rule_length(line.trim().chars().rev()) < 4 {
        return None;
    }
    let above = lines.iter().enumerate().rev().skip(1).take(LONGEST_ATTRIBUTION);
    let mut above = above.take_while(|(_, line)| !line.trim().is_empty());
    above.find(|(_, line)| rule_length(line.trim().chars()) >= 4).map(|(at, _)| at)
}

/// Returns whether a line is `-----Original Message-----` in a known language.
fn is_known_separator(line: &str) -> bool {
    const SHORTEST: usize = 16;
    if line.len() < SHORTEST {
        return false;
    }
    let words = line.trim_matches(|c| is_rule_char(c) || c == ' ');
    is_between_rules(line, 2) && TITLES.contains(&words.to_lowercase().as_str())
}

const TITLES: [&str; 8] = [
    "original message",
    "ursprüngliche nachricht",
    "message d'origine",
    "message original",
    "mensaje original",
    "messaggio originale",
    "oorspronkelijk bericht",
    "forwarded message",
];

/// Returns whether a line may be the title of the header block below it.
fn is_title(line: &str) -> bool {
    let words = line.split_whitespace().count();
    let is_indented = line.starts_with("  ") && words <= 4;
    let has_digits = line.contains(|c: char| c.is_ascii_digit());
    TITLES.contains(&line.trim().to_lowercase().as_str())
        || !has_digits && (is_indented || line.trim_end().ends_with(is_colon) && words <= 5)
}

/// Returns whether a line is text between two rules of at least `least` characters.
fn is_between_rules(line: &str, least: usize) -> bool {
    let line = line.trim();
    let first = rule_length(line.chars());
    first >= least
        && rule_length(line.chars().rev()) >= least
        && line.contains(char::is_alphanumeric)
}

fn is_rule(line: &str) -> bool {
    const SHORTEST: usize = 5;
    let line = line.trim();
    line.len() >= SHORTEST && line.chars().all(|c| is_rule_char(c) || c == ' ')
}

/// Returns the length of the rule at the start of a text.
fn rule_length(text: impl Iterator<Item = char>) -> usize {
    text.skip_while(|c| *c == '*').take_while(|c| is_rule_char(*c)).count()
}

fn is_rule_char(c: char) -> bool {
    matches!(c, '-' | '_' | '=' | '~' | '*' | '\u{2010}'..='\u{2015}' | '\u{2500}' | '\u{2501}')
}

// ---- Words ----

fn is_colon(c: char) -> bool {
    matches!(c, ':' | '\u{FF1A}' | '\u{FE55}' | '\u{FE13}' | '\u{2236}' | '\u{0589}' | '\u{05C3}')
}

fn is_letter(c: char) -> bool {
    c.is_alphabetic() || !c.is_ascii() && !is_colon(c) && !c.is_numeric()
}

fn is_sentence_end(c: char) -> bool {
    matches!(
        c,
        '.' | '!'
            | '?'
            | '\u{2026}'
            | '\u{3001}'
            | '\u{3002}'
            | '\u{FF01}'
            | '\u{FF0C}'
            | '\u{FF1F}'
    )
}

/// Returns whether a line ends a sentence, and not with the number of a day: `2.`
fn ends_sentence(line: &str) -> bool {
    let bare = line.trim_end_matches(is_sentence_end);
    bare.len() < line.len() && !bare.ends_with(char::is_numeric)
}

/// Returns whether a line contains a mail address.
pub(super) fn has_address(line: &str) -> bool {
    line.match_indices('@').any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let behind = line[at + 1..].chars().next();
        before.is_some_and(|c| c.is_alphanumeric() || "._+-=\"".contains(c))
            && behind.is_some_and(|c| c.is_alphanumeric() || c == '[')
    })
}

/// Returns whether a line contains a year: four digits of any script.
fn has_year(line: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit() || !c.is_ascii() && c.is_numeric();
    line.split(|c| !is_digit(c)).any(|number| {
        let is_year = number.starts_with("19") || number.starts_with("20");
        number.chars().count() == 4 && (is_year || number.starts_with("25") || !number.is_ascii())
    })
}

/// Returns whether a line contains a time of day: `10:00`, `9.16`, `10h00`.
fn has_time(line: &str) -> bool {
    let bytes = line.as_bytes();
    bytes.windows(4).any(|four| {
        four[0].is_ascii_digit()
            && matches!(four[1], b':' | b'.' | b'h')
            && four[2].is_ascii_digit()
            && four[3].is_ascii_digit()
    })
}

/// Returns whether a line of several words contains digits, as dates do.
fn is_dated(line: &str) -> bool {
    line.split_whitespace().count() >= 4 && line.bytes().any(|b| b.is_ascii_digit())
}
