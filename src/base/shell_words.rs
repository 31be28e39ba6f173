//! Words for shells.

/// Returns a text as one word of a shell: as it is, if no shell reads anything into it, or else in single
/// quotes.
pub fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "%+,-./:@_".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_reads_nothing_into_a_quoted_text() {
        for (text, word) in [
            ("/srv/home", "/srv/home"),
            ("", "''"),
            ("uid 998", "'uid 998'"),
            ("`id`", "'`id`'"),
            ("$(id)", "'$(id)'"),
            ("it's; rm *", r"'it'\''s; rm *'"),
            ("~root", "'~root'"),
            ("a\nb", "'a\nb'"),
        ] {
            assert_eq!(quoted(text), word, "{text}");
        }
    }
}
