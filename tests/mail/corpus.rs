//! Mails as real programs write them, with the expected result of the parser.
//!
//! Beside every `.eml` file is a `.txt` file with the result. `UPDATE_GOLDEN=1` rewrites the `.txt`
//! files; read the diff afterwards.

#![expect(clippy::disallowed_methods, reason = "the test reads mails from files")]
#![expect(clippy::unwrap_used, reason = "a failed `unwrap` fails the test")]

use std::collections::BTreeSet;
use std::fmt::{Display, Write as _};
use std::fs;
use std::path::{Path, PathBuf};

use postboard::mail::{Address, Malformed, Message, parse, unquoted_text};

/// The number of mails, so that the test notices a missing file.
const MAILS: usize = 158;

pub(crate) fn own() -> Address {
    Address::parse("postboard@games.example").unwrap()
}

/// Reads every mail of the folders, with its path.
pub(crate) fn all() -> Vec<(PathBuf, Vec<u8>)> {
    files("eml").into_iter().map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

fn files(extension: &str) -> BTreeSet<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mail/corpus");
    let entries = |folder: PathBuf| fs::read_dir(folder).unwrap().map(|it| it.unwrap().path());
    let of_kind = |path: &PathBuf| path.extension().is_some_and(|it| it == extension);
    entries(root).flat_map(entries).filter(of_kind).collect()
}

#[test]
fn every_mail_is_read_as_written_beside_it() {
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    let mails = all();
    assert_eq!(mails.len(), MAILS, "mails were added or lost: correct the count");
    let mut wrong = Vec::new();
    for (path, raw) in &mails {
        let read = told(&parse(raw, &own()));
        let golden = path.with_extension("txt");
        if update {
            fs::write(&golden, &read).unwrap();
        }
        let want = fs::read_to_string(&golden).unwrap_or_default();
        if want != read {
            wrong.push(format!("{}:\n--- written ---\n{want}--- read ---\n{read}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_golden_has_its_mail() {
    let mails: BTreeSet<_> = files("eml").iter().map(|it| it.with_extension("")).collect();
    let goldens: BTreeSet<_> = files("txt").iter().map(|it| it.with_extension("")).collect();
    let alone: Vec<_> = mails.symmetric_difference(&goldens).collect();
    assert!(alone.is_empty(), "a mail without golden, or the other way: {alone:?}");
}

#[test]
fn line_ends_make_no_difference() {
    for (path, raw) in all() {
        let unix = replace(&raw, b"\r\n", b"\n");
        let dos = replace(&unix, b"\n", b"\r\n");
        let read = parse(&raw, &own());
        assert_eq!(parse(&unix, &own()), read, "{} with LF", path.display());
        assert_eq!(parse(&dos, &own()), read, "{} with CRLF", path.display());
    }
}

#[test]
fn headers_added_in_transport_make_no_other_mail() {
    for (path, raw) in
        all().into_iter().filter(|(path, _)| path.to_string_lossy().contains("/good/"))
    {
        let Ok(read) = parse(&raw, &own()) else { continue };
        let added =
            [b"Received: from a by b\nX-Spam: no\nTo: x@y.example\n", raw.as_slice()].concat();
        if !raw.starts_with(b"From ") {
            assert_eq!(parse(&added, &own()).unwrap().digest, read.digest, "{}", path.display());
        }
        let other = [raw.as_slice(), b"more\n"].concat();
        assert_ne!(parse(&other, &own()).unwrap().digest, read.digest, "{}", path.display());
    }
}

fn replace(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = bytes;
    while let Some((first, tail)) = rest.split_first() {
        if let Some(behind) = rest.strip_prefix(from) {
            out.extend(to);
            rest = behind;
        } else {
            out.push(*first);
            rest = tail;
        }
    }
    out
}

/// Describes a parsed mail.
fn told(read: &Result<Message, Malformed>) -> String {
    let mut out = String::new();
    match read {
        Ok(message) => {
            line(&mut out, "from", Some(&message.from));
            message.to.iter().for_each(|to| line(&mut out, "to", Some(to)));
            line(&mut out, "subject", Some(&message.subject));
            line(&mut out, "id", message.message_id.as_ref());
            message.references.iter().for_each(|id| line(&mut out, "thread", Some(id)));
            line(&mut out, "silence", message.no_reply.as_ref());
            block(&mut out, "own words", &unquoted_text(&message.text));
            block(&mut out, "text", &message.text);
            message.other_texts.iter().for_each(|text| block(&mut out, "other text", text));
        }
        Err(unfit) => {
            line(&mut out, "unfit", Some(unfit));
            line(&mut out, "from", unfit.from.as_ref());
            line(&mut out, "id", unfit.message_id.as_ref());
            line(&mut out, "silence", unfit.no_reply.as_ref());
            line(&mut out, "tell", unfit.answerable_sender());
        }
    }
    out
}

fn line(out: &mut String, name: &str, value: Option<&impl Display>) {
    match value.map(ToString::to_string) {
        Some(value) if !value.is_empty() => writeln!(out, "{name}: {value}").unwrap(),
        _ => writeln!(out, "{name}:").unwrap(),
    }
}

fn block(out: &mut String, name: &str, text: &str) {
    writeln!(out, "{name}:").unwrap();
    for line in text.lines() {
        writeln!(out, "    {line}").unwrap();
    }
}
