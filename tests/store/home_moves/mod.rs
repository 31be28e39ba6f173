//! Moves of a home from files into a database and back, with crashes at any step: nothing is lost,
//! and no process changes the home during the move. A backup of either kind restores into the
//! other.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the test compares homes and kills processes"
)]

use crate::support::files::{files_below, folder};
use crate::support::postgres::{self, PostgresServer};
use crate::support::program::{self, Home, Ran, mail, names};
use postboard::base::digest::Digest;
use postboard::base::key::DOCUMENT_FOLDERS;
use postboard::base::time::Time;
use postboard::store::disk::{Disk, DiskStep};
use postboard::store::postgres::PostgresHome;
use postboard::store::transfer::{HomeMove, HomeStorage, MoveRoute};
use postboard::store::{Fault, FileHome, Home as _};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

mod large;

/// Reads the files of these names, and those below folders of these names, if there are any.
fn files(home: &Path, wanted: &[&str]) -> BTreeMap<String, Vec<u8>> {
    let is_wanted = |file: &String| wanted.iter().any(|name| Path::new(file).starts_with(name));
    let read = |file: String| {
        let bytes = fs::read(home.join(&file)).unwrap();
        (file, bytes)
    };
    files_below(home).into_iter().filter(is_wanted).map(read).collect()
}

/// The lengths of a receipt and of a record of a mail sent.
const RECEIPT: usize = 100;
const SENT: usize = 23;

/// The contents of a home in files, read without the store, except for the lists of waiting mails
/// and letters.
#[derive(Debug, Default, PartialEq, Eq)]
struct All {
    keys: BTreeMap<String, Vec<u8>>,
    documents: BTreeMap<String, Vec<u8>>,
    looks: BTreeMap<(String, usize), i64>,
    registered: BTreeSet<(String, String)>,
    receipts: BTreeSet<String>,
    sent: BTreeSet<(String, String)>,
    mails: Vec<(bool, Vec<u8>)>,
    aside: Vec<(Option<Time>, String, Vec<u8>)>,
    letters: Vec<String>,
}

impl All {
    fn of(home: &Path) -> Self {
        let mut all = Self { keys: files(home, &["key", "dice"]), ..Self::default() };
        let documents = DOCUMENT_FOLDERS.map(|(folder, _)| folder);
        for (name, bytes) in files(home, &[&documents[..], &["stopped", "due"]].concat()) {
            let lines = || String::from_utf8(bytes.clone()).unwrap();
            if name.ends_with("/looks") {
                let times =
                    bytes.chunks_exact(8).map(|it| i64::from_le_bytes(it.try_into().unwrap()));
                let known = times.enumerate().filter(|(_, at)| *at != 0);
                all.looks.extend(known.map(|(number, at)| ((name.clone(), number), at)));
            } else if name.ends_with("/rated") || name == "stopped" || name.starts_with("due/") {
                let users = lines()
                    .lines()
                    .filter(|it| !it.is_empty())
                    .map(str::to_owned)
                    .collect::<Vec<_>>();
                all.registered.extend(users.into_iter().map(|user| (name.clone(), user)));
            } else {
                all.documents.insert(name, bytes);
            }
        }
        all.read_records(home);
        all.read_mails(home);
        all
    }

    /// Asserts that a large home has the same data, and names only what differs.
    fn assert_is(&self, other: &Self) {
        let entries = |all: &Self| {
            let lists = [
                ("keys", debug(&all.keys)),
                ("documents", debug(&all.documents)),
                ("looks", debug(&all.looks)),
                ("registered", debug(&all.registered)),
                ("receipts", debug(&all.receipts)),
                ("sent", debug(&all.sent)),
                ("mails", debug(&all.mails)),
                ("aside", debug(&all.aside)),
                ("letters", debug(&all.letters)),
            ];
            let named = |(list, all): (&str, Vec<String>)| {
                all.into_iter().map(|entry| format!("{list}: {entry}")).collect::<Vec<_>>()
            };
            lists.into_iter().flat_map(named).collect::<BTreeSet<String>>()
        };
        let (here, there) = (entries(self), entries(other));
        let differences: Vec<&String> = here.symmetric_difference(&there).take(10).collect();
        assert!(differences.is_empty(), "{differences:#?}");
        assert!(self == other, "the same entries in another order or number");
    }

    /// Reads the whole records. The kernel may end a write of a killed process between two pages, so
    /// part of a record may stand before the one that was written again.
    fn read_records(&mut self, home: &Path) {
        for (folder, length) in [("seen", RECEIPT), ("sent", SENT)] {
            for (name, bytes) in files(home, &[folder]) {
                let text = String::from_utf8(bytes).unwrap();
                let lines = text.lines().filter(|line| line.len() == length).map(str::to_owned);
                let day = name.split('/').nth(1).unwrap().to_owned();
                match folder {
                    "seen" => self.receipts.extend(lines),
                    _ => self.sent.extend(lines.map(|line| (day.clone(), line))),
                }
            }
        }
    }

    fn read_mails(&mut self, home: &Path) {
        for (folder, is_begun) in [("spool/cur", true), ("spool/new", false)] {
            let mails = names(&home.join(folder));
            let bytes = |name: &String| fs::read(home.join(folder).join(name)).unwrap();
            self.mails.extend(mails.iter().map(|name| (is_begun, bytes(name))));
        }
        let folder = FileHome::new(home);
        for parked in folder.parked_mails().unwrap() {
            let bytes = folder.parked_mail(&parked.name).unwrap().unwrap();
            self.aside.push((parked.at, parked.why, bytes));
        }
        self.letters =
            folder.unsent_letters().unwrap().iter().map(|it| format!("{it:?}")).collect();
        self.letters.sort();
    }
}

/// Builds a home with data of every kind: running and ended boards, users, a suspended address,
/// talk, mails in every state, letters that wait, failed or were given up, and two dice keys.
fn home_of_every_kind() -> Home {
    let home = Home::new();
    home.set_up();
    for words in [
        "signup carol secret carol@pbm.test",
        "malaka challenge alice bob -rated",
        "reversi challenge alice carol",
        "malaka resign 2 alice secret",
        "malaka seek carol secret",
        "vacation bob secret 3",
        "dice-key --rotate",
        "backgammon challenge bob carol",
    ] {
        let ran = home.run(&words.split(' ').collect::<Vec<_>>(), b"");
        assert!(matches!(ran.code, Some(0 | 65)), "{words}: {ran:?}");
    }
    home.run(&["--message", "good luck", "malaka", "message", "1", "alice", "secret"], b"");
    home.receive(mail(1, "bob", "postboard@localhost", "help", "").as_bytes());
    home.process();
    home.delivered();
    home.run(&["malaka", "challenge", "carol", "alice"], b"");
    for number in 2..5 {
        home.receive(mail(number, "bob", "postboard@localhost", "help", "").as_bytes());
    }
    let path = home.path();
    let rename = |from: &str, to: &str| fs::rename(path.join(from), path.join(to)).unwrap();
    let first = home.names("spool/new").remove(0);
    rename(&format!("spool/new/{first}"), &format!("spool/cur/{first},2"));
    let letters = home.names("outbox/new");
    let stem = letters[0].strip_suffix(".eml").unwrap();
    let copy =
        |to: &str| fs::copy(path.join("outbox/new").join(&letters[0]), path.join(to)).unwrap();
    let other = fs::read_to_string(path.join("outbox/new").join(&letters[0])).unwrap();
    let renamed = |what: &str| other.replacen("\"name\":\"", &format!("\"name\":\"{what}"), 1);
    copy(&format!("outbox/new/{stem}a,3,1795238640.eml"));
    fs::write(path.join(format!("outbox/new/{stem}a,3,1795238640.eml")), renamed("a")).unwrap();
    fs::write(path.join(format!("outbox/bad/{stem}b,1,1795238640.eml")), renamed("b")).unwrap();
    fs::write(path.join(format!("outbox/bad/{stem}b,1,1795238640.eml.why")), "no such user\n")
        .unwrap();
    for (name, why) in
        [("001795238400.000000001.7.0.unfit", "no mail"), ("001795238401.000000001.7.1", "a fault")]
    {
        fs::write(path.join("spool/bad").join(name), format!("Subject: {why}\n\n\u{fc}")).unwrap();
        fs::write(path.join("spool/bad").join(format!("{name}.why")), format!("{why}\n")).unwrap();
    }
    fs::write(path.join("stopped"), "\nbob\ncarol\nbob").unwrap();
    fs::write(path.join("drafts.txt"), "the operator's own").unwrap();
    home
}

fn debug<T: std::fmt::Debug>(all: impl IntoIterator<Item = T>) -> Vec<String> {
    all.into_iter().map(|it| format!("{it:?}")).collect()
}

fn moved(home: &Path, to: &str) -> Ran {
    at(home, &["move-home", "--to", to])
}

fn at(home: &Path, words: &[&str]) -> Ran {
    program::run(program::program_at(home).args(words), b"")
}

/// Runs `check`, whose output must be the same for files and databases.
fn checked(home: &Path) -> Ran {
    at(home, &["check"])
}

/// Checks that every document is in the database with the digest of its file.
fn assert_in_database(engine: &PostgresServer, database: &str, all: &All) {
    let sql = "SELECT name || ' ' || encode(sha256(convert_to(text, 'UTF8')), 'hex') \
               || ' ' || (version = sha256(convert_to(text, 'UTF8'))) FROM documents ORDER BY name";
    let expected: Vec<String> = all
        .documents
        .iter()
        .map(|(name, text)| format!("{name} {} true", Digest::of(text).hex()))
        .collect();
    let found = engine.sql(database, sql);
    assert_eq!(found.lines().collect::<Vec<_>>(), expected);
    let count = |table: &str| engine.sql(database, &format!("SELECT count(*) FROM {table}"));
    for (table, expected) in [
        ("keys", 1 + all.keys.get("dice").map_or(0, |it| it.split(|c| *c == b'\n').count() - 1)),
        ("receipts", all.receipts.len()),
        ("sent", all.sent.len()),
        ("looks", all.looks.len()),
        ("registers", all.registered.len()),
        ("aside", all.aside.len()),
        ("letters", all.letters.len()),
        ("moves", 0),
        ("workers", 0),
    ] {
        assert_eq!(count(table), expected.to_string(), "{table}");
    }
}

#[test]
#[ignore = "needs PostgreSQL"]
fn a_home_of_every_kind_moves_there_and_back_in_a_database() {
    let engine = postgres::shared();
    let home = home_of_every_kind();
    let (before, found) = (All::of(&home.path()), checked(&home.path()));
    for (kind, count) in [
        ("documents", before.documents.len()),
        ("looks", before.looks.len()),
        ("registered", before.registered.len()),
        ("receipts", before.receipts.len()),
        ("sent", before.sent.len()),
        ("mails", before.mails.len()),
        ("aside", before.aside.len()),
        ("letters", before.letters.len()),
        ("keys", before.keys.len()),
    ] {
        assert!(count > 1, "{kind}: {before:#?}");
    }
    let database = engine.database();
    let url = engine.url(&database);
    let told = home.done(&format!("move-home --to {url}"));
    let left = home.path().join("moved");
    // Only a home in files has a file `format`.
    let says_format = |folder: &Path| folder.join("format").exists();
    assert!(says_format(&left) && !says_format(&home.path()));
    assert!(told.contains(&format!("its files are left in {}", left.display())), "{told}");
    assert_in_database(&engine, &database, &before);
    assert_eq!(checked(&home.path()), found);
    // The configuration has the new URL and is otherwise unchanged.
    let config = home.read("postboard.toml");
    assert!(config.contains(&format!("\nurl = \"{url}\"\n")), "{config}");
    let already = format!("{} is already there\n", home.path().display());
    assert_eq!(home.done(&format!("move-home --to {url}")), already);

    // The old folder still exists, and every command on it fails.
    fs::write(left.join("postboard.toml"), "address = \"a@b.example\"\n").unwrap();
    for words in [
        &["malaka", "show", "1"][..],
        &["process"],
        &["remind"],
        &["check"],
        &["user", "show", "bob"],
    ] {
        let ran = at(&left, words);
        assert_eq!(ran.code, Some(75), "{words:?}: {ran:?}");
        let said = format!("this home was moved to the database {database} at ");
        assert!(ran.err.contains(&said) && ran.err.lines().count() == 1, "{words:?}: {}", ran.err);
    }
    assert_eq!(All::of(&left).documents, before.documents);

    home.done("move-home --to files");
    assert_eq!(All::of(&home.path()), before);
    assert!(says_format(&home.path()));
    assert_eq!(checked(&home.path()), found);
    assert_eq!(home.read("postboard.toml"), config.replace(&format!("url = \"{url}\"\n"), ""));
    assert_eq!(home.read("drafts.txt"), "the operator's own");

    // Now the database refuses every command, on any machine.
    let other = home.base().join("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("postboard.toml"), &config).unwrap();
    for words in [&["malaka", "show", "1"][..], &["process"], &["receive"], &["check"], &["init"]] {
        let ran = at(&other, words);
        assert_eq!(ran.code, Some(75), "{words:?}: {ran:?}");
        assert!(ran.err.contains("this home was moved to files in "), "{words:?}: {}", ran.err);
    }
    let ran = moved(&home.path(), &url);
    assert!(ran.err.contains("there is a home already; name an empty database"), "{ran:?}");
    assert_eq!(checked(&home.path()), found, "nothing has begun");

    // Waiting mails are executed, and games continue.
    home.process();
    let ran = at(&home.path(), &["malaka", "resign", "1", "alice", "secret"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

/// Begins or resumes a move.
fn begun(
    home: &Path,
    (from, to): (HomeStorage, HomeStorage),
    disk: &Disk,
) -> Result<HomeMove, Fault> {
    loop {
        match HomeMove::begin(home, MoveRoute { from: from.clone(), to: to.clone() }, "t", disk) {
            // A child process that another test is just starting inherits the lock until it
            // executes its own program.
            Err(fault) if fault.source.kind() == io::ErrorKind::WouldBlock => {}
            begun => return begun,
        }
    }
}

/// Moves a home by the library, on a watched disk.
fn carry(home: &Path, (from, to): (HomeStorage, HomeStorage), disk: &Disk) -> Result<(), Fault> {
    let mut moving = begun(home, (from, to), disk)?;
    moving.copy(&mut |_, _| (), &mut |_| ())?;
    moving.finish(&|| Ok(())).map(drop)
}

/// Copies a folder with all attributes.
fn copied(from: &Path, to: &Path) {
    let ran = std::process::Command::new("cp").arg("-a").args([from, to]).status().unwrap();
    assert!(ran.success());
}

#[test]
#[ignore = "needs PostgreSQL"]
fn a_move_that_dies_at_any_step_of_the_disk_goes_on_of_postgres() {
    let engine = postgres::shared();
    let home = home_of_every_kind();
    let before = All::of(&home.path());
    let (mut died, mut back) = (0, 0);
    let quick = folder();
    // Tries each of the first steps, and a sample of the later steps, which are alike.
    for step in (0..50).chain((50..).step_by(11)) {
        let path = quick.path().join("home");
        copied(&home.path(), &path);
        let database = engine.database();
        let place = engine.place(&database, Duration::from_secs(1));
        let ways = || {
            let there = HomeStorage::InDatabase(PostgresHome::new(&path, place.clone()));
            (HomeStorage::InFiles(FileHome::new(&path)), there)
        };
        // The disk fails every step from `step` on. If that one writes, half of the bytes are written.
        let dying = || {
            let steps = Arc::new(AtomicUsize::new(0));
            let theirs = Arc::clone(&steps);
            let watch = Arc::new(move |next: DiskStep<'_>| {
                let at = theirs.fetch_add(1, Ordering::Relaxed);
                if at < step {
                    return Ok(());
                }
                if let (DiskStep::Write(path, offset, bytes), true) = (next, at == step) {
                    let file = File::options().write(true).open(path)?;
                    file.write_all_at(&bytes[..bytes.len() / 2], offset)?;
                }
                Err(io::Error::other("dead"))
            });
            (Disk::watched(watch), steps)
        };
        let (disk, steps) = dying();
        let ended = carry(&path, ways(), &disk).is_ok();
        let is_whole = steps.load(Ordering::Relaxed) <= step;
        assert_eq!(ended, is_whole, "step {step}");
        died += usize::from(!ended);
        if !ended {
            // No process can open the file home during a move, whichever step failed.
            let (is_moving, is_in_files) = standing(&path);
            assert!(!is_moving || !is_in_files, "step {step}");
            if is_moving || is_in_files {
                carry(&path, ways(), &Disk::default()).unwrap_or_else(|it| panic!("{step}: {it}"));
            }
        }
        assert_in_database_but_fresh(&engine, &database, &before);
        let ways = || {
            let (files, there) = ways();
            (there, files)
        };
        let (disk, steps) = dying();
        let ended = carry(&path, ways(), &disk).is_ok();
        assert_eq!(ended, steps.load(Ordering::Relaxed) <= step, "back, step {step}");
        back += usize::from(!ended);
        if !ended && standing(&path) != (false, true) {
            carry(&path, ways(), &Disk::default())
                .unwrap_or_else(|it| panic!("back, {step}: {it}"));
        }
        assert_eq!(All::of(&path), before, "step {step}");
        engine.sql("postgres", &format!("DROP DATABASE {database} WITH (FORCE)"));
        fs::remove_dir_all(&path).unwrap();
        if ended && is_whole {
            break;
        }
    }
    assert!(died > 20 && back > 50, "{died} and {back} steps");
}

/// Returns whether a move of the home is unfinished, and whether the home is in files. If both are
/// false, the home is in a database: the move is complete, except perhaps for its last fsync.
fn standing(path: &Path) -> (bool, bool) {
    (path.join("moving").exists(), FileHome::new(path).read().is_ok())
}

/// Runs [`assert_in_database`] for a home whose fresh mails are still in its folder.
fn assert_in_database_but_fresh(engine: &PostgresServer, database: &str, all: &All) {
    assert_in_database(engine, database, all);
    let begun = all.mails.iter().filter(|(is_begun, _)| *is_begun).count();
    assert_eq!(engine.sql(database, "SELECT count(*) FROM mails"), begun.to_string());
}

#[test]
#[ignore = "needs PostgreSQL"]
fn a_move_to_a_differing_copy_is_never_finished_in_a_database() {
    let engine = postgres::shared();
    let home = home_of_every_kind();
    let before = All::of(&home.path());
    let quick = folder();
    let changes = [
        "UPDATE documents SET text = text || ' ' WHERE name LIKE 'users/%'",
        "DELETE FROM documents WHERE name LIKE 'boards/malaka/%/2.json'",
        "UPDATE receipts SET at = at + 1",
        "DELETE FROM sent WHERE letter = (SELECT letter FROM sent LIMIT 1)",
        "UPDATE looks SET at = at - 1 WHERE number = 1",
        "DELETE FROM registers WHERE userid = 'carol'",
        "UPDATE keys SET key = sha256('') WHERE number = 1",
        "UPDATE letters SET tries = 2 WHERE tries = 3",
        "UPDATE letters SET why = 'x' WHERE why IS NOT NULL",
        "UPDATE aside SET bytes = '' WHERE theirs",
        "UPDATE mails SET begun = 1",
    ];
    for change in changes {
        let database = engine.database();
        let place = engine.place(&database, Duration::from_secs(1));
        let path = quick.path().join("home");
        copied(&home.path(), &path);
        let ways = || {
            let there = HomeStorage::InDatabase(PostgresHome::new(&path, place.clone()));
            (HomeStorage::InFiles(FileHome::new(&path)), there)
        };
        // The move dies at its second note, when everything is copied.
        let notes = AtomicUsize::new(0);
        let watch = Arc::new(move |step: DiskStep<'_>| match step {
            DiskStep::Rename(_, to) if to.ends_with("moving") => {
                match notes.fetch_add(1, Ordering::Relaxed) {
                    0 => Ok(()),
                    _ => Err(io::Error::other("dead")),
                }
            }
            _ => Ok(()),
        });
        carry(&path, ways(), &Disk::watched(watch)).unwrap_err();
        engine.sql(&database, change);
        let fault = carry(&path, ways(), &Disk::default()).unwrap_err().to_string();
        assert!(fault.contains(": it differs from what was copied: "), "{change}: {fault}");
        // `cancel` restores the home completely.
        begun(&path, ways(), &Disk::default()).unwrap().cancel().unwrap();
        assert_eq!(All::of(&path), before, "{change}");
        FileHome::new(&path).open().unwrap().close().unwrap();
        assert_eq!(engine.sql(&database, "SELECT count(*) FROM documents"), "0");
        engine.sql("postgres", &format!("DROP DATABASE {database} WITH (FORCE)"));
        fs::remove_dir_all(&path).unwrap();
    }
}

#[test]
#[ignore = "needs PostgreSQL"]
fn nobody_changes_a_home_that_is_being_moved_and_mails_wait_in_a_database() {
    let engine = postgres::shared();
    let home = Home::with_board();
    let before = All::of(&home.path());
    let database = engine.database();
    let url = engine.url(&database);
    let place = engine.place(&database, Duration::from_secs(2));
    let there = || HomeStorage::InDatabase(PostgresHome::new(&home.path(), place.clone()));
    let here = || HomeStorage::InFiles(FileHome::new(&home.path()));
    drop(begun(&home.path(), (here(), there()), &Disk::default()).unwrap());
    let refused = |words: &[&str], why: &str| {
        let ran = home.run(words, b"");
        assert!(matches!(ran.code, Some(64 | 75)), "{words:?}: {ran:?}");
        assert!(ran.err.contains(why) && ran.err.lines().count() == 1, "{words:?}: {}", ran.err);
    };
    let is_moving = format!("it is being moved to the database {database} at ");
    for words in [
        &["process"][..],
        &["deliver"],
        &["remind"],
        &["malaka", "resign", "1", "bob", "secret"],
        &["check"],
        &["backup", "-"],
    ] {
        refused(words, &is_moving);
    }
    refused(&["move-home", "--to", &engine.url("other")], "a move to another place has begun");
    home.receive(mail(1, "bob", "postboard@localhost", "help", "").as_bytes());
    home.done(&format!("move-home --to {url}"));
    home.process();
    assert_eq!(engine.sql(&database, "SELECT count(*) FROM letters"), "1", "the mail is answered");
    home.run(&["deliver"], b"");

    // Moves the home back while a worker is busy; the move waits for the worker.
    let working = PostgresHome::new(&home.path(), place.clone()).open().unwrap();
    let moving = std::thread::spawn({
        let (path, ways) = (home.path(), (there(), here()));
        move || begun(&path, ways, &Disk::default())
    });
    while engine.sql(&database, "SELECT count(*) FROM moves") == "0" {}
    refused(&["malaka", "resign", "1", "bob", "secret"], "this home is being moved to files in ");
    assert!(!moving.is_finished());
    working.close().unwrap();
    drop(moving.join().unwrap().unwrap());
    for words in [&["process"][..], &["deliver"], &["malaka", "resign", "1", "bob", "secret"]] {
        refused(words, "this home is being moved to files in ");
    }
    // The database itself refuses every write.
    let psql = std::panic::catch_unwind(|| engine.sql(&database, "DELETE FROM letters"));
    assert!(psql.is_err());
    home.receive(mail(2, "bob", "postboard@localhost", "help", "").as_bytes());
    assert_eq!(home.names("spool/new").len(), 1, "it waits in the folder");
    // After `--cancel`, the database accepts work again.
    home.done("move-home --cancel");
    home.process();
    assert_eq!(engine.sql(&database, "SELECT count(*) FROM letters"), "1", "the mail is answered");
    home.run(&["deliver"], b"");
    home.receive(mail(3, "bob", "postboard@localhost", "help", "").as_bytes());
    home.done("move-home --to files");
    home.process();
    assert_eq!(home.delivered().len(), 3, "each mail is answered once");
    home.assert_tidy();
    let (after, boards) = (All::of(&home.path()), |all: &All| {
        let boards =
            all.documents.clone().into_iter().filter(|(name, _)| name.starts_with("boards/"));
        boards.collect::<Vec<_>>()
    });
    assert_eq!(boards(&after), boards(&before));
    assert_eq!(after.receipts.len(), before.receipts.len() + 6);
}

#[test]
#[ignore = "needs PostgreSQL"]
fn a_backup_of_either_is_restored_into_the_other_in_a_database() {
    let engine = postgres::shared();
    let home = home_of_every_kind();
    let (before, found) = (All::of(&home.path()), checked(&home.path()));
    let file = |name: &str| home.base().join(name).display().to_string();
    let done = |home: &Path, words: &[&str]| {
        let ran = at(home, words);
        assert_eq!(ran.code, Some(0), "{words:?}: {ran:?}");
        ran
    };
    done(&home.path(), &["backup", &file("files.tgz")]);
    let there = home.base().join("there");
    let database = engine.database();
    done(&there, &["restore", &file("files.tgz"), "--store", &engine.url(&database)]);
    assert_in_database_but_fresh(&engine, &database, &before);
    assert_eq!(names(&there.join("spool/new")).len(), 2, "they are taken in by the next run");
    assert!(!there.join("key").exists() && !there.join("boards").exists());
    assert_eq!(checked(&there), found);

    done(&there, &["backup", &file("database.tgz")]);
    assert_eq!(names(&there), ["log", "postboard.toml", "spool"]);
    let back = home.base().join("back");
    done(&back, &["restore", &file("database.tgz")]);
    assert_eq!(All::of(&back), before);
    assert_eq!(
        fs::read(back.join("postboard.toml")).unwrap(),
        fs::read(home.path().join("postboard.toml")).unwrap()
    );
    assert_eq!(checked(&back), found);

    // `restore` requires `--store` with an empty database.
    let ran = at(&there, &["restore", &file("database.tgz"), "--replace"]);
    assert_eq!(ran.code, Some(64), "{ran:?}");
    assert!(ran.err.contains("`--store` says which empty database"), "{ran:?}");
    engine.sql(&database, "INSERT INTO registers VALUES ('stopped', 'nobody')");
    let ran = at(
        &there,
        &["restore", &file("database.tgz"), "--replace", "--store", &engine.url(&database)],
    );
    assert_eq!(ran.code, Some(75), "{ran:?}");
    assert!(ran.err.contains("there is a home already; name an empty database"), "{ran:?}");
    engine.sql(&database, "DELETE FROM registers WHERE userid = 'nobody'");
    assert_in_database_but_fresh(&engine, &database, &before);
    // An interrupted restore is started again from the beginning.
    let other = engine.database();
    let place = engine.place(&other, Duration::from_secs(2));
    PostgresHome::new(&there, place).init(&[7; 32]).unwrap();
    engine.sql(&other, "DELETE FROM keys; INSERT INTO moves VALUES (true, 'restore', 'coming', 'a backup', '2 x'); \
                        INSERT INTO registers VALUES ('stopped', 'nobody')");
    // The database makes no statistics.
    let refuse = "CREATE FUNCTION refuse(text) RETURNS text IMMUTABLE LANGUAGE plpgsql AS \
                  $$ BEGIN IF current_query() = 'ANALYZE' THEN RAISE 'no'; END IF; RETURN $1; END $$; \
                  CREATE INDEX refused ON documents (refuse(name))";
    engine.sql(&other, refuse);
    let (backup, url) = (file("database.tgz"), engine.url(&other));
    let restore = ["restore", &backup, "--replace", "--store", &url];
    done(&there, &restore);
    assert_in_database_but_fresh(&engine, &other, &before);
    // It was killed when the import was complete, and the home was not in its place.
    fs::remove_dir_all(&there).unwrap();
    done(&there, &restore);
    assert_in_database_but_fresh(&engine, &other, &before);
    assert_eq!(checked(&there), found);
}

#[test]
#[ignore = "needs PostgreSQL"]
fn check_finds_what_is_wrong_in_a_database() {
    let engine = postgres::shared();
    let home = Home::with_board();
    let database = engine.database();
    home.done(&format!("move-home --to {}", engine.url(&database)));
    assert_eq!(checked(&home.path()).code, Some(0));
    for (change, said) in [
        (
            "UPDATE documents SET text = '{' WHERE name = 'boards/malaka/0/1.json'",
            "boards/malaka/0/1.json",
        ),
        (
            "UPDATE documents SET text = text || ' ' WHERE name = 'users/al/alice.json'",
            "version is not that of its text",
        ),
        (
            "UPDATE documents SET folder = 'user' WHERE name = 'users/al/alice.json'",
            "folder is not that of its name",
        ),
        ("DELETE FROM documents WHERE name = 'users/bo/bob.json'", "bob"),
        ("UPDATE looks SET at = 99999999999 WHERE number = 1", "malaka"),
    ] {
        let save =
            "CREATE TABLE d AS SELECT * FROM documents; CREATE TABLE l AS SELECT * FROM looks";
        engine.sql(&database, save);
        engine.sql(&database, change);
        let ran = checked(&home.path());
        assert_eq!(ran.code, Some(65), "{change}: {ran:?}");
        assert!(ran.out.contains(said), "{change}: {}", ran.out);
        engine.sql(
            &database,
            "TRUNCATE documents, looks; INSERT INTO documents SELECT * FROM d; \
                               INSERT INTO looks SELECT * FROM l; DROP TABLE d, l",
        );
        assert_eq!(checked(&home.path()).code, Some(0));
    }
}

#[test]
fn a_home_is_moved_only_to_a_place_that_is_free() {
    let home = Home::with_board();
    for (to, code, why) in [
        ("/elsewhere", 64, "it must be `files`, or like postgres://"),
        ("postgres://u:hidden@127.0.0.1:1/none", 75, "the database none at 127.0.0.1"),
    ] {
        let ran = moved(&home.path(), to);
        assert_eq!(ran.code, Some(code), "{ran:?}");
        assert!(ran.err.contains(why) && !ran.err.contains("hidden"), "{}", ran.err);
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
        home.assert_tidy();
    }
    assert!(home.done("move-home --to files").ends_with("is already there\n"));
    let ran = at(&home.path(), &["move-home", "--cancel"]);
    assert_eq!(ran.code, Some(64), "{ran:?}");
    assert!(ran.err.contains("no move of "), "{}", ran.err);
    let mut command = home.command();
    command.env("POSTBOARD_STORE_URL", "postgres://nobody@127.0.0.1:1/none");
    let ran = program::run(command.args(["move-home", "--to", "files"]), b"");
    assert_eq!(ran.code, Some(64), "{ran:?}");
    assert!(ran.err.contains("POSTBOARD_STORE_URL says where it is kept"), "{}", ran.err);
    home.assert_tidy();
}
