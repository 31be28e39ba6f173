//! Building blocks of sentences in mails and on the console: counts, lists, quotations, lines.

use std::fmt::{self, Display};

/// A count with its noun: `1 board`, `2 boards`.
pub struct Plural<'a>(pub usize, pub &'a str);

impl Display for Plural<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}{}", self.0, self.1, if self.0 == 1 { "" } else { "s" })
    }
}

/// A list with "or": `` `a` ``, `` `a` or `b` ``, `` `a`, `b` or `c` ``.
pub struct OrList<'a>(pub &'a [&'a str]);

impl Display for OrList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_list(f, self.0.iter().map(|word| format!("`{word}`")), " or ")
    }
}

/// A list with "and": `alice`, `alice and bob`, `alice, bob and carol`.
pub struct AndList<'a, T>(pub &'a [T]);

impl<T: Display> Display for AndList<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_list(f, self.0.iter(), " and ")
    }
}

/// Writes words with commas between them, and with `last` before the last one.
fn write_list<T: Display>(
    f: &mut fmt::Formatter<'_>,
    words: impl ExactSizeIterator<Item = T>,
    last: &str,
) -> fmt::Result {
    let count = words.len();
    for (index, word) in words.enumerate() {
        let joint = match count - index {
            _ if index == 0 => "",
            1 => last,
            _ => ", ",
        };
        write!(f, "{joint}{word}")?;
    }
    Ok(())
}

/// Quotes the words of a user: printable ASCII, at most 40 characters.
pub fn quoted(text: &str) -> String {
    let mut shown: String =
        text.chars().take(40).map(|c| if matches!(c, ' '..='~') { c } else { '?' }).collect();
    if text.chars().count() > 40 {
        shown.push_str("...");
    }
    format!("`{shown}`")
}

/// Returns whether a word may be a misspelling of another.
pub fn are_near(word: &str, known: &str) -> bool {
    // A word of one letter, such as the game of Y, would resemble every other one.
    if word.len().min(known.len()) < 2 {
        return word == known;
    }
    let most = (word.len() / 3).clamp(1, 3);
    // A user's word may be very long: words of very different lengths are not compared.
    word.chars().nth(known.len() + most).is_none() && strsim::osa_distance(word, known) <= most
}

/// Returns the `known` words nearest to a misspelled one.
pub fn near<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Vec<&'k str> {
    let word = word.to_ascii_lowercase();
    let mut found: Vec<(usize, &str)> = known
        .into_iter()
        .filter(|candidate| are_near(&word, candidate))
        .map(|candidate| (strsim::osa_distance(&word, candidate), candidate))
        .collect();
    found.sort_unstable();
    found.dedup();
    let nearest = found.first().map_or(0, |(distance, _)| *distance);
    found.retain(|(distance, _)| *distance == nearest);
    found.into_iter().map(|(_, candidate)| candidate).collect()
}

/// Quotes a message between users: every line is marked, so that none can look like ours.
pub fn quotation(said: &str) -> String {
    let quote = |line: &str| {
        let quote = lines(&format!("> {line}"), 76, "> ");
        quote.trim_end().to_owned() + "\n"
    };
    said.lines().map(quote).collect()
}

/// Breaks a paragraph into lines of at most 76 columns.
pub fn wrapped(paragraph: &str) -> String {
    lines(paragraph, 76, "")
}

/// Breaks text at blanks only, so that moves stay whole; lines after the first are indented.
pub fn lines(text: &str, width: usize, indent: &str) -> String {
    let options = textwrap::Options::new(width)
        .subsequent_indent(indent)
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation);
    textwrap::wrap(text, options).join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_put_together_well() {
        assert_eq!(Plural(1, "board").to_string(), "1 board");
        assert_eq!(Plural(0, "board").to_string(), "0 boards");
        assert_eq!(OrList(&["a"]).to_string(), "`a`");
        assert_eq!(OrList(&["a", "b", "c"]).to_string(), "`a`, `b` or `c`");
        assert_eq!(AndList(&["a", "b", "c"]).to_string(), "a, b and c");
        assert_eq!(quotation("a\n\nb"), "> a\n>\n> b\n");
        assert_eq!(quoted("a\r\nBcc: x"), "`a??Bcc: x`");
        assert_eq!(near("chalenge", ["challenge", "change", "chat"]), ["challenge"]);
        assert_eq!(near("zzzz", ["challenge"]), Vec::<&str>::new());
        assert_eq!([near("i", ["y"]), near("my", ["y"])], [Vec::<&str>::new(), Vec::new()]);
        assert_eq!(near("Y", ["y", "hey"]), ["y"]);
    }
}
