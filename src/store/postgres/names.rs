//! Names and numbers of rows.

/// Returns the folder that lists a document: `boards/<game>`, or the folder of its collection.
pub(super) fn folder(name: &str) -> &str {
    let deep = usize::from(name.starts_with("boards/") || name.starts_with("documents/"));
    name.match_indices('/').nth(deep).map_or(name, |(at, _)| &name[..at])
}

/// The type `bigint` of the database.
pub(super) type BigInt = i64;

/// Returns the name of a mail in the spool: later mails have greater names.
pub(super) fn mail_name(number: BigInt, mark: Option<&str>) -> String {
    let mark = mark.map(|mark| format!(".{mark}")).unwrap_or_default();
    format!("{number:015}{mark}")
}

/// Returns the number of a mail, from its name.
pub(super) fn mail_number(name: &str) -> BigInt {
    name.split('.').next().and_then(|digits| digits.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::key::{Collection, DocumentKind};

    #[test]
    fn a_document_is_in_the_folder_that_lists_it() {
        let users = Collection::at_top("users");
        let notes = Collection::new("notes");
        assert_eq!(folder("documents/notes/al/alice.json"), DocumentKind::In(notes).folder());
        assert_eq!(folder("users/al/alice.json"), DocumentKind::In(users).folder());
        assert_eq!(folder("boards/malaka/4/4217.json"), DocumentKind::Boards("malaka").folder());
        assert_eq!(folder("boards/malaka/count"), "boards/malaka");
        assert_eq!(folder("odd"), "odd");
    }

    #[test]
    fn later_mails_have_greater_names() {
        assert!(mail_name(9, None) < mail_name(10, None));
        assert!(mail_name(9, Some("xff")) < mail_name(10, None));
        assert_eq!(mail_number(&mail_name(4217, Some("x1f"))), 4217);
    }
}
