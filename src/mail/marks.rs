//! Marks before a Subject that its writer did not write.

/// A Subject without what mailers and lists put before a command.
pub fn without_marks(subject: &str) -> String {
    skip_marks(&subject.split_whitespace().collect::<Vec<_>>()).join(" ")
}

/// Drops what mailers and lists put before a command: `Re:`, `[tag]`, `***SPAM***`; ten at most.
pub fn skip_marks<'a>(words: &'a [&'a str]) -> &'a [&'a str] {
    const MARKS: &[&str] = &["re", "fwd", "fw", "aw", "sv", "antw", "wg", "vs", "rif", "ref"];
    let is_mark = |word: &str| {
        let reply = word.strip_suffix(':').map(|mark| {
            // Some mailers count: Re[2]: or Re^2:
            mark.trim_end_matches(|c: char| c.is_ascii_digit() || "[]^()".contains(c))
        });
        reply.is_some_and(|mark| MARKS.iter().any(|known| known.eq_ignore_ascii_case(mark)))
            || (word.starts_with('[') && word.ends_with(']'))
            || (word.len() > 4 && word.starts_with("**") && word.ends_with("**"))
    };
    let marks = words.iter().take(10).take_while(|word| is_mark(word)).count();
    &words[marks..]
}
