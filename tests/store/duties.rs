//! Every kind of documents has every duty: it is in backups and moves, is read by `check` and
//! `upgrade`, and a user is renamed, erased and exported in it.

use crate::support::files::files_below;
use crate::support::postgres;
use crate::support::program::{self, Home};
use postboard::model::caches::DOCUMENT_TYPES;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// What the documents of a kind have of alice in the home of these tests.
pub(super) struct Duties {
    /// The name of the kind.
    pub(super) kind: &'static str,
    /// What her documents of this kind contain; `None` if they do not tell of her.
    pub(super) mark: Option<&'static str>,
    /// What her export contains of them.
    pub(super) exported: Option<&'static str>,
    /// Whether they contain the mark after she was erased.
    pub(super) survives: bool,
    /// The files that still contain her old userid, or are named after it, after she was renamed.
    pub(super) keeps_userid: &'static [&'static str],
}

/// A kind that does not tell of users.
const fn of_nobody(kind: &'static str) -> Duties {
    Duties { kind, mark: None, exported: None, survives: false, keeps_userid: &[] }
}

/// A kind that tells of alice until she is erased or renamed, also in her export.
const fn of_alice(kind: &'static str, mark: &'static str, exported: &'static str) -> Duties {
    Duties { mark: Some(mark), exported: Some(exported), ..of_nobody(kind) }
}

/// The duties of every kind. A new kind needs a line here, and a document in [`full_home`].
pub(super) const DUTIES: &[Duties] = &[
    Duties {
        // The old userid stays taken.
        keeps_userid: &["users/al/alice.json"],
        ..of_alice("users", "alice@pbm.test", "alice@pbm.test")
    },
    of_nobody("counts"),
    of_nobody("mailboxes"),
    of_alice("seeks", "\"alice\"", "\"notify\": [\"moloko\"]"),
    of_alice("recent-players", "\"alice\"", "\"active\""),
    of_nobody("finished"),
    of_alice("welcomers", "\"alice\"", "\"welcomes\""),
    of_nobody("tournament-lists"),
    // The table belongs to the other players, too.
    Duties { survives: true, ..of_alice("tournaments", "\"alice\"", "malaka 1") },
    of_nobody("ladders"),
    of_alice("ladder-sections", "\"alice\"", "\"since\""),
    of_nobody("ladder-journals"),
    of_alice("moderation", "\"alice\"", "\"administrator\": true"),
    of_nobody("announcements"),
    // A report is evidence, even against its author.
    Duties { survives: true, ..of_alice("reports", "persimmons", "persimmons") },
    // A ban is of an address, not of a user.
    of_nobody("bans"),
    Duties {
        mark: Some("\"alice\""),
        // Entries are never changed. The document under the old userid names the new one.
        survives: true,
        keeps_userid: &["documents/audit/0/0.json"],
        ..of_nobody("audit")
    },
    of_alice("talks", "kumquats", "kumquats"),
    of_alice("notes", "tamarillos", "tamarillos"),
    Duties {
        mark: Some("\"alice\""),
        // Her userid stays taken, since boards name her.
        survives: true,
        // The look of the old userid, too.
        keeps_userid: &["names/al/id-allce.json"],
        ..of_nobody("names")
    },
    // Boards belong to her opponents, too.
    Duties { survives: true, ..of_alice("boards", "\"alice\"", "\"players\"") },
];

/// Builds a home with a document of every kind that tells of alice, if such documents do.
pub(super) fn full_home() -> Home {
    let home = Home::with_board();
    home.done("moloko seek alice secret");
    home.done("moloko notify alice secret on");
    home.done("set alice secret welcome on");
    home.done("malaka tournament create bob secret --players=2");
    home.done("malaka tournament join 1 alice secret");
    home.done("malaka tournament join 1 bob secret");
    home.done("moloko ladder join alice secret");
    home.done("moloko ladder join bob secret");
    home.done("moloko ladder challenge alice bob secret");
    home.done("--message kumquats malaka chat 1 alice secret");
    home.done("malaka note 1 alice secret tamarillos");
    home.done("--message persimmons report alice secret bob");
    home.done("announce The server rests on Sunday");
    home.done("moderate appoint alice she helps");
    home.done("moderate ban @spam.test spam");
    // Wrong passwords are counted, but only in mails.
    let mail = program::mail(1, "alice", "postboard@localhost", "malaka chat 1 alice wrong", "hi");
    home.receive(mail.as_bytes());
    home.process();
    home.delivered();
    home
}

/// Returns the documents of a home, by kind and by file.
fn documents(home: &Path) -> BTreeMap<&'static str, BTreeMap<String, String>> {
    let files = files_below(home);
    let of = |kind: &str| {
        let kind = DOCUMENT_TYPES.iter().find(|known| known.name() == kind).unwrap();
        let own = files.iter().filter(|file| kind.place().find(file).is_some());
        own.map(|file| (file.clone(), fs::read_to_string(home.join(file)).unwrap())).collect()
    };
    DOCUMENT_TYPES.iter().map(|kind| (kind.name(), of(kind.name()))).collect()
}

/// Runs a test for the duties of every kind on a home with documents of every kind.
fn for_every_kind(home: &Home, test: impl Fn(&Duties, &BTreeMap<String, String>)) {
    let documents = documents(&home.path());
    for (kind, files) in &documents {
        let duties = DUTIES.iter().find(|duties| duties.kind == *kind);
        let duties = duties.unwrap_or_else(|| panic!("DUTIES needs a line for {kind}"));
        assert!(!files.is_empty(), "`full_home` needs a document of {kind}");
        if let Some(mark) = duties.mark {
            let is_there = files.values().any(|text| text.contains(mark));
            assert!(is_there, "`full_home` needs {mark} in {kind}: {files:#?}");
        }
        test(duties, files);
    }
}

#[test]
fn every_kind_is_in_a_backup() {
    let home = full_home();
    let backup = home.base().join("backup.tar.gz").display().to_string();
    home.done(&format!("backup {backup}"));
    let other = Home::new();
    other.done(&format!("restore {backup} --replace"));
    let restored = documents(&other.path());
    for_every_kind(&home, |duties, files| assert_eq!(restored[duties.kind], *files));
}

#[test]
#[ignore = "needs PostgreSQL"]
fn every_kind_moves_into_a_database() {
    let (engine, home) = (postgres::shared(), full_home());
    let database = engine.database();
    let before = documents(&home.path());
    home.done(&format!("move-home --to {}", engine.url(&database)));
    let names = engine.sql(&database, "SELECT name FROM documents");
    for (kind, files) in before {
        assert!(!files.is_empty(), "{kind}");
        for file in files.keys() {
            assert!(names.lines().any(|name| name == file), "{kind}: {file} was not moved");
        }
    }
    for (kind, files) in documents(&home.path()) {
        assert!(files.is_empty(), "{kind}: {files:#?} stayed behind");
    }
}

#[test]
fn damage_in_every_kind_is_found_by_check() {
    let home = full_home();
    let check = || home.run(&["check"], b"");
    assert_eq!((check().code, &*check().out), (Some(0), ""));
    for_every_kind(&home, |duties, files| {
        for (file, text) in files {
            fs::write(home.path().join(file), "{").unwrap();
            let ran = check();
            // A count is mended from the boards.
            let is_named = ran.out.contains(file) || duties.kind == "counts";
            assert!(ran.code != Some(0) && is_named, "{file}: {ran:?}");
            fs::write(home.path().join(file), text).unwrap();
        }
    });
}

#[test]
fn every_kind_is_counted_by_upgrade() {
    let home = full_home();
    for_every_kind(&home, |duties, files| {
        let kind = DOCUMENT_TYPES.iter().find(|kind| kind.name() == duties.kind).unwrap();
        let Some(format) = kind.format() else { return };
        let count = format!("{:<10} format {format}: {}\n", duties.kind, files.len());
        let ran = home.run(&["upgrade"], b"");
        assert!(ran.code == Some(0) && ran.out.contains(&count), "{count}{ran:?}");
        let (file, text) = files.first_key_value().unwrap();
        let mut later: serde_json::Value = serde_json::from_str(text).unwrap();
        later["format"] = (format + 1).into();
        fs::write(home.path().join(file), later.to_string()).unwrap();
        let ran = home.run(&["upgrade"], b"");
        assert!(ran.code != Some(0) && ran.out.contains(&**file), "{file}: {ran:?}");
        fs::write(home.path().join(file), text).unwrap();
    });
}

#[test]
fn a_user_is_renamed_in_every_kind() {
    let home = full_home();
    for_every_kind(&home, |_, _| ());
    home.done("user rename alice zoe");
    assert_eq!(home.run(&["check"], b"").out, "");
    for_every_kind_after(&home, |duties, files| {
        // A document that is named after her must move.
        let is_hers = |(file, text): &(&String, &String)| {
            text.contains("\"alice\"") || file.ends_with("/alice.json")
        };
        let left: Vec<&String> = files.iter().filter(is_hers).map(|(file, _)| file).collect();
        assert_eq!(left, duties.keeps_userid, "{}", duties.kind);
    });
}

/// Runs a test for every kind after alice has another userid or none.
fn for_every_kind_after(home: &Home, test: impl Fn(&Duties, &BTreeMap<String, String>)) {
    for (kind, files) in documents(&home.path()) {
        test(DUTIES.iter().find(|duties| duties.kind == kind).unwrap(), &files);
    }
}

#[test]
fn a_user_is_erased_in_every_kind() {
    let home = full_home();
    for_every_kind(&home, |_, _| ());
    home.done("user erase alice");
    assert_eq!(home.run(&["check"], b"").out, "");
    for_every_kind_after(&home, |duties, files| {
        let Some(mark) = duties.mark else { return };
        let is_there = files.values().any(|text| text.contains(mark));
        assert_eq!(is_there, duties.survives, "{}: {files:#?}", duties.kind);
    });
}

#[test]
fn every_kind_is_in_an_export() {
    let home = full_home();
    home.done("--as-operator export alice");
    let mails = home.delivered();
    let mail = mails.iter().find(|mail| mail.to.contains("alice")).unwrap();
    let exported = &mail.text;
    for_every_kind(&home, |duties, _| {
        if let Some(part) = duties.exported {
            assert!(exported.contains(part), "{} lacks {part}: {exported}", duties.kind);
        }
    });
    assert!(!exported.contains("bob@pbm.test") && !exported.contains("argon2"), "{exported}");
}
