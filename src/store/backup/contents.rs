//! Which files of a home belong into a backup.

use crate::base::key::DOCUMENT_FOLDERS;

/// The files of the top folder that every home has.
pub(in crate::store) const FILES: [&str; 2] = ["key", "postboard.toml"];
/// The files of the top folder that a home may have.
pub(in crate::store) const OPTIONAL_FILES: [&str; 3] = ["dice", "format", "stopped"];
/// The folders of other things than documents, each with the depth of its tree. A letter being sent
/// moves from `cur` to one of the other two without the lock: in this order none is missed.
const OTHER_FOLDERS: [(&str, usize); 12] = [
    ("unproved", 1),
    ("due", 1),
    ("drafts", 1),
    ("sent", 2),
    ("seen", 3),
    ("outbox/cur", 1),
    ("outbox/new", 1),
    ("outbox/bad", 1),
    ("spool/cur", 1),
    ("spool/new", 1),
    ("spool/bad", 1),
    ("journal/bad", 1),
];

/// Returns the folders, each with the depth of its tree.
pub(in crate::store) fn folders() -> impl Iterator<Item = (&'static str, usize)> {
    DOCUMENT_FOLDERS.into_iter().chain(OTHER_FOLDERS)
}

/// Names in a home that no backup contains: they are recreated, useless elsewhere, or a log.
pub(super) const EXCLUDED: [&str; 17] = [
    "backup-manifest",
    "backup-manifest.tmp",
    "changes",
    "charts",
    "erasing",
    "journal",
    "line",
    "lock",
    "log",
    "moved",
    "moving.lock",
    "outbox",
    // The name of `charts` in earlier versions.
    "report",
    "restoring",
    "runs",
    "spare",
    "spool",
];
/// The marker of a run over all boards.
pub(super) const RUN_MARKER: &str = "boards/running";

/// Returns whether a path below the home is one of a home's files, and safe to create.
pub(in crate::store) fn is_home_file(name: &str) -> bool {
    let is_plain = |part: &str| {
        let known = |byte: u8| byte.is_ascii_alphanumeric() || b"_%+,.-=~@#:".contains(&byte);
        (1..=255).contains(&part.len()) && !part.starts_with('.') && part.bytes().all(known)
    };
    let is_in = |(folder, depth): (&str, usize)| {
        let below = name.strip_prefix(folder).and_then(|below| below.strip_prefix('/'));
        below.is_some_and(|below| {
            below.split('/').count() <= depth && below.split('/').all(is_plain)
        })
    };
    let is_own = FILES.contains(&name) || OPTIONAL_FILES.contains(&name);
    is_own || name != RUN_MARKER && folders().any(is_in)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_a_home_are_home_files() {
        for name in [
            "key",
            "postboard.toml",
            "boards/malaka/count",
            "boards/malaka/0/17.json.conflict",
            "users/%C3%A9/%C3%A9.json",
            "documents/notes/al/alice.json",
            "seen/2026-11/ab/c",
            "outbox/new/001795238400.ab+2,1,5.eml",
            "journal/bad/0.txn",
        ] {
            assert!(is_home_file(name), "{name}");
        }
        for name in [
            "",
            "/key",
            "./key",
            "key/",
            "boards",
            "boards/",
            "boards/running",
            "boards/../key",
            "boards//x",
            "boards/a/b/c/d",
            "outbox/lock",
            "outbox/new/a/b",
            "spool/tmp/1",
            "journal/0.txn",
            "log/postboard.log",
            "documents/notes/al/ic/e.json",
            "users/al/.alice.json.swp",
            "users/al/a b",
            "users/al/\n",
            ".ssh/authorized_keys",
        ] {
            assert!(!is_home_file(name), "{name}");
        }
    }
}
