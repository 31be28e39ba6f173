//! Long texts cut.

use std::borrow::Cow;

const CUT: &str = "[... cut]\n";

/// The text in `most` bytes: a longer one ends at a line end, or inside a very long line, and says
/// in a last line `[... cut]` that there was more. That line is there however small `most` is.
pub fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    if text.len() <= most {
        return Cow::Borrowed(text);
    }
    // One byte for the end of a line that is cut.
    let room = text.floor_char_boundary(most.saturating_sub(CUT.len() + 1));
    let head = &text[..room];
    let lines = head.rfind('\n').filter(|&end| end >= room / 2);
    let head = lines.map_or(head, |end| &head[..end]);
    let gap = if head.is_empty() { "" } else { "\n" };
    Cow::Owned(format!("{head}{gap}{CUT}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_and_says_so() {
        assert_eq!(shortened("a\nb\n", 4), "a\nb\n");
        assert_eq!(shortened("", 0), "");
        assert_eq!(shortened("aaaa\nbbbb\ncccccccccccc\n", 22), "aaaa\nbbbb\n[... cut]\n");
        assert_eq!(shortened("üüüüüüüüüüüü", 18), "üüü\n[... cut]\n");
        assert_eq!(shortened("aaaaaaaaaaaa", 3), "[... cut]\n");
        let long = "a line of ü\n".repeat(100);
        for most in 20..long.len() {
            assert!(shortened(&long, most).len() <= most, "{most}");
        }
    }
}
