//! Truncation of long texts.

use std::borrow::Cow;

const CUT: &str = "[... cut]\n";

/// Truncates `text` to `most` bytes, at the end of a line unless that line is very long, and appends
/// the line `[... cut]`. That line is appended however small `most` is.
pub fn shorten(text: &str, most: usize) -> Cow<'_, str> {
    if text.len() <= most {
        return Cow::Borrowed(text);
    }
    // One byte for the line end before `CUT`.
    let room = text.floor_char_boundary(most.saturating_sub(CUT.len() + 1));
    let head = &text[..room];
    let line_end = head.rfind('\n').filter(|&end| end >= room / 2);
    let head = line_end.map_or(head, |end| &head[..end]);
    let gap = if head.is_empty() { "" } else { "\n" };
    Cow::Owned(format!("{head}{gap}{CUT}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_with_a_note() {
        assert_eq!(shorten("a\nb\n", 4), "a\nb\n");
        assert_eq!(shorten("", 0), "");
        assert_eq!(shorten("aaaa\nbbbb\ncccccccccccc\n", 22), "aaaa\nbbbb\n[... cut]\n");
        assert_eq!(shorten("üüüüüüüüüüüü", 18), "üüü\n[... cut]\n");
        assert_eq!(shorten("aaaaaaaaaaaa", 3), "[... cut]\n");
        let long = "a line of ü\n".repeat(100);
        for most in 20..long.len() {
            assert!(shorten(&long, most).len() <= most, "{most}");
        }
    }
}
