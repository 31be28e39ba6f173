//! Text that players wrote, for pages.

use std::borrow::Cow;

/// Returns whether a character changes the direction of the text after it: an embedding, an override,
/// an isolate, or the end of one (Unicode Standard Annex 9).
fn is_direction(letter: char) -> bool {
    matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns the text without characters that would reorder text. Letters keep their direction.
pub(crate) fn player_text(text: &str) -> Cow<'_, str> {
    if text.contains(is_direction) { text.replace(is_direction, "").into() } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_of_direction_are_left_out_and_letters_stay() {
        let hebrew = "\u{5e9}\u{5dc}\u{5d5}\u{5dd} abc";
        assert!(matches!(player_text(hebrew), Cow::Borrowed(same) if same == hebrew));
        assert_eq!(player_text("a\u{202e}cba\u{2066}x\u{2069}\u{202c}"), "acbax");
    }
}
