//! `backup` and `restore` as an operator runs them.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the test compares and damages homes"
)]

use super::run::Running;
use crate::support::postgres;
use crate::support::program::{self, Home, Ran, mail, names, program, program_at};
use data_encoding::HEXLOWER;
use postboard::store::backup::NightlyName;
use sha2::{Digest as _, Sha256};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Checks that two homes are equal, except for files that the program recreates.
fn are_same(one: &Path, other: &Path) {
    let mut diff = Command::new("diff");
    diff.arg("-r").arg(one).arg(other);
    let ran = program::run(
        diff.args(["-x", "log", "-x", "lock", "-x", "journal", "-x", "spare", "-x", "runs"]),
        b"",
    );
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""));
}

fn at(home: &Path, words: &[&str], input: &[u8]) -> Ran {
    let mut command = program_at(home);
    program::run(command.env("SUDO_USER", "olga").env("USER", "root").args(words), input)
}

#[test]
fn a_game_goes_on_from_a_backup_by_pressing_reply() {
    let home = Home::new();
    let mails = home.set_up();
    home.receive(mail(1, "bob", "postboard@localhost", "help", "").as_bytes());
    let file = home.base().join("a.tgz");
    let ran = at(&home.path(), &["backup", file.to_str().unwrap()], b"");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert!(ran.out.ends_with(&format!(" files in {}\n", file.display())), "{}", ran.out);
    let logged = home.read("log/postboard.log");
    assert!(logged.contains("operator olga (uid "), "{logged}");
    assert!(logged.trim_end().ends_with(ran.out.trim_end()), "{logged}");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600, "it has secrets");
    assert_eq!(names(home.base()), ["a.tgz", "home"]);

    // The disk of the server is lost; on the new disk the folder exists and is empty.
    let lost = home.base().join("lost");
    fs::rename(home.path(), &lost).unwrap();
    fs::create_dir(home.path()).unwrap();
    let ran = at(&home.path(), &["restore", file.to_str().unwrap()], b"");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert!(home.read("log/postboard.log").contains(": restore: "));
    are_same(&lost, &home.path());
    fs::remove_dir_all(lost).unwrap();
    assert_eq!(names(home.base()), ["a.tgz", "home"]);

    // Waiting mails are executed, and a mail of the old server is answered.
    home.process();
    assert_eq!(home.delivered().len(), 1);
    let plays = program::run(program().args(["plays", "malaka"]), mails[0].position().as_bytes());
    let plays: serde_json::Value = serde_json::from_str(&plays.out).unwrap();
    let play = plays["plays"][0]["play"].as_str().unwrap();
    let reply_to = mails[0].reply_to.as_ref().unwrap();
    home.receive(mail(2, "alice", reply_to, "Re: Malaka Board 1 alice", play).as_bytes());
    home.process();
    assert_eq!(home.moves(1), 1);
    assert_eq!(home.delivered().len(), 2);
    home.assert_tidy();
}

#[test]
fn the_newest_backup_is_proved_to_be_a_home() {
    let home = Home::with_board();
    let folder = home.base().join("backups");
    fs::create_dir(&folder).unwrap();
    let check = |what: &Path| at(&home.path(), &["check-backup", what.to_str().unwrap()], b"");
    let none = check(&folder);
    assert_eq!(none.code, Some(75));
    assert!(
        none.err.contains("no file there ends in .tgz, .tar.gz or .tar.gz.age"),
        "{}",
        none.err
    );

    let [old, new, other] = ["b.tgz", "a.tar.gz", "c.txt"].map(|name| folder.join(name));
    home.done(&format!("backup {}", old.display()));
    // A board that is damaged before the second backup.
    let board = home.path().join("boards/malaka/0/1.json");
    let text = fs::read_to_string(&board).unwrap();
    fs::write(&board, text.replace("malaka", "moloko")).unwrap();
    home.done(&format!("backup {}", new.display()));
    fs::write(&other, "no backup").unwrap();
    let hour = std::time::Duration::from_hours(1);
    let back = fs::metadata(&new).unwrap().modified().unwrap() - hour;
    fs::File::options().write(true).open(&old).unwrap().set_modified(back).unwrap();
    let before = names(&folder);

    let damaged = check(&folder);
    assert_eq!((damaged.code, damaged.out.as_str()), (Some(65), ""), "{}", damaged.err);
    assert!(damaged.err.contains("the file of malaka 1 holds moloko 1"), "{}", damaged.err);
    assert!(damaged.err.contains("a.tar.gz can be restored, with the mistakes"), "{}", damaged.err);
    let good = check(&old);
    assert_eq!((good.code, good.err.as_str()), (Some(0), ""), "{}", good.out);
    assert!(good.out.contains("b.tgz can be restored: "), "{}", good.out);

    let bytes = fs::read(&old).unwrap();
    fs::write(&new, &bytes[..bytes.len() / 2]).unwrap();
    let cut = check(&folder);
    assert_eq!(cut.code, Some(75));
    assert!(cut.err.contains("it is damaged or truncated"), "{}", cut.err);
    // Nothing is left, and the home is the same.
    assert_eq!(names(home.base()), ["backups", "home"]);
    assert_eq!(names(&folder), before);
    assert!(fs::read_to_string(&board).unwrap().contains("moloko"));
}

#[test]
fn a_backup_that_lies_ahead_is_passed_over() {
    let home = Home::with_board();
    let folder = home.base().join("backups");
    fs::create_dir(&folder).unwrap();
    let ahead = "postboard-2936-01-01.tar.gz";
    fs::write(folder.join(ahead), "of a wrong clock").unwrap();
    let check = || at(&home.path(), &["check-backup", folder.to_str().unwrap()], b"");
    let none = check();
    assert!(
        none.code == Some(75) && none.err.contains(&format!("{ahead} there lies ahead")),
        "{none:?}"
    );
    let right = folder.join("postboard-2020-01-01.tar.gz");
    home.done(&format!("backup {}", right.display()));
    let good = check();
    assert!(good.out.contains("2020-01-01.tar.gz can be restored: "), "{good:?}");
    let warned = format!("/{ahead} lies ahead and is passed over: set the clock");
    assert!(good.code == Some(0) && good.err.contains(&warned), "{good:?}");
    assert_eq!(good.err.lines().count(), 1, "{good:?}");
}

/// Returns the nightly backups in a folder.
pub(crate) fn nightly_names(folder: &Path) -> Vec<String> {
    names(folder).into_iter().filter(|name| NightlyName::parse(name).is_some()).collect()
}

/// Writes the private key of an identity into a file, as `age-keygen` does.
pub(crate) fn identity(home: &Home, name: &str) -> (age::x25519::Recipient, String) {
    use age::secrecy::ExposeSecret as _;
    let identity = age::x25519::Identity::generate();
    let path = home.base().join(name);
    fs::write(&path, format!("# a key\n{}\n", identity.to_string().expose_secret())).unwrap();
    (identity.to_public(), path.to_str().unwrap().to_owned())
}

#[test]
fn an_encrypted_backup_is_opened_by_its_private_key_alone() {
    let home = Home::with_board();
    let (public, private) = identity(&home, "key.txt");
    let (_, other) = identity(&home, "other.txt");
    let folder = home.base().join("backups");
    fs::create_dir(&folder).unwrap();
    let lines = format!("folder = \"{}\"\nrecipients = [\"{public}\"]", folder.display());
    home.configure("[backup]", &format!("[backup]\n{lines}"));
    let file = folder.join("a.tar.gz.age");
    home.done(&format!("backup {}", file.display()));
    home.done(&format!("backup --plain {}/b.tar.gz", home.base().display()));
    let bytes = fs::read(&file).unwrap();
    assert!(bytes.starts_with(b"age-encryption.org/v1\n"));
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);

    // The newest backup of the configured folder, without a name.
    let check = |words: &[&str]| at(&home.path(), &[&["check-backup"], words].concat(), b"");
    let locked = check(&[]);
    assert_eq!(locked.code, Some(75), "{}", locked.err);
    assert!(locked.err.contains("it is encrypted: `--identity` names"), "{}", locked.err);
    let wrong = check(&["--identity", &other]);
    assert_eq!(wrong.code, Some(75), "{}", wrong.err);
    assert!(wrong.err.contains("no key in") && !wrong.err.contains("SECRET"), "{}", wrong.err);
    // `status` tells of the last check, which failed.
    let jobs = |home: &Home| home.run(&["status", "--json"], b"").out;
    assert!(jobs(&home).contains("check-backup") && jobs(&home).contains("no key in"));
    let good = check(&["--identity", &private]);
    assert_eq!((good.code, good.err.as_str()), (Some(0), ""), "{}", good.out);
    assert!(jobs(&home).contains("check-backup") && !jobs(&home).contains("no key in"));

    let restored = home.base().join("restored");
    let restore = ["restore", file.to_str().unwrap()];
    assert_eq!(at(&restored, &restore, b"").code, Some(75));
    assert!(!restored.exists());
    let ran = at(&restored, &[&restore[..], &["--identity", &private]].concat(), b"");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    are_same(&home.path(), &restored);

    // Cut off anywhere, also between two blocks, it is no backup.
    for length in [100, 1_000, bytes.len() - 1] {
        fs::write(&file, &bytes[..length]).unwrap();
        let cut = check(&["--identity", &private]);
        assert_eq!((cut.code, cut.out.as_str()), (Some(75), ""), "{length}: {}", cut.err);
    }
    home.configure(&format!("recipients = [\"{public}\"]"), "recipients = [\"AGE-SECRET-KEY-1\"]");
    let refused = home.run(&["backup", "-"], b"");
    assert!(
        refused.err.contains("is a private key, which must not be on this machine"),
        "{refused:?}"
    );
}

/// Makes the only whole backup of a folder one of the night before. Returns its new name.
pub(crate) fn a_night_passes(home: &Home, folder: &Path) -> String {
    let mut ours = names(folder).into_iter().filter_map(|name| NightlyName::parse(&name));
    let new = ours.find(|name| name.since.is_none()).unwrap();
    let (old, new) =
        (NightlyName { night: new.night.plus(-1), ..new }.to_string(), new.to_string());
    fs::rename(folder.join(&new), folder.join(&old)).unwrap();
    let list = home.read("backup-manifest").replacen(&new, &old, 1);
    let (lines, _) = list.trim_end().rsplit_once('\n').unwrap();
    let sum = HEXLOWER.encode(&Sha256::digest(format!("{lines}\n")));
    fs::write(home.path().join("backup-manifest"), format!("{lines}\n{sum}\n")).unwrap();
    old
}

/// Runs the program until it has logged this many nightly backups; returns the last line about one.
fn run_until_saved(home: &Home, count: usize) -> String {
    let mut running = Running::begin(home, home.command(), &[]);
    let lines = || -> Vec<String> {
        let log = fs::read_to_string(home.path().join("log/postboard.log")).unwrap_or_default();
        log.lines().filter(|line| line.contains("Z backup: ")).map(str::to_owned).collect()
    };
    while lines().len() < count {
        assert_eq!(running.child.try_wait().unwrap(), None, "the program has ended");
        std::thread::yield_now();
    }
    running.end();
    assert_eq!(lines().len(), count);
    lines().pop().unwrap()
}

#[test]
fn the_changes_of_a_night_are_restored_with_their_whole_backup() {
    changes_of_a_night(&Home::with_board());
}

#[test]
#[ignore = "needs PostgreSQL"]
fn the_changes_of_a_night_are_restored_in_a_database() {
    let (home, engine) = (Home::with_board(), postgres::shared());
    home.done(&format!("move-home --to {}", engine.url(&engine.database())));
    changes_of_a_night(&home);
}

fn changes_of_a_night(home: &Home) {
    let (public, private) = identity(home, "key.txt");
    let folder = home.base().join("backups");
    fs::create_dir(&folder).unwrap();
    let lines = format!(
        "[backup]\nfolder = \"{}\"\nrecipients = [\"{public}\"]\nwhole_every = 7",
        folder.display()
    );
    home.configure("[backup]", &lines);
    let draft = home.path().join("drafts/a");
    fs::create_dir_all(draft.parent().unwrap()).unwrap();
    fs::write(&draft, "removed").unwrap();
    for number in 0..30 {
        home.done(&format!("signup user{number} secret user{number}@pbm.test"));
    }
    let line = run_until_saved(home, 1);
    assert!(line.contains("whole, because no list of an earlier whole one is there"), "{line}");
    let files = |line: &str| -> u32 {
        let words: Vec<&str> = line.split(' ').collect();
        let at = words.iter().position(|word| *word == "files").unwrap();
        words[at - 1].parse().unwrap()
    };
    let all = files(&line);
    let whole = a_night_passes(home, &folder);
    home.done("signup carol secret carol@pbm.test");
    home.done("malaka resign 1 alice secret");
    fs::remove_file(&draft).unwrap();
    let line = run_until_saved(home, 2);
    assert!(line.ends_with(": the changes") && files(&line) * 2 < all, "{all} before, {line}");
    let changes = names(&folder).into_iter().find(|name| name.contains("-since-")).unwrap();
    // A copy of both, the whole one last, as a program may write it.
    let copies = home.base().join("copies");
    fs::create_dir(&copies).unwrap();
    for name in [&changes, &whole] {
        fs::copy(folder.join(name), copies.join(name)).unwrap();
    }
    let key = ["--identity", &private];
    let of = |words: &[&str]| at(&home.path(), &[words, &key].concat(), b"");
    let good = of(&["check-backup", copies.to_str().unwrap()]);
    assert_eq!((good.code, &*good.err), (Some(0), ""), "{}", good.out);
    assert!(
        good.out.contains(&format!("/{changes} with {whole} can be restored: ")),
        "{}",
        good.out
    );
    let to = home.base().join("restored");
    let restore = ["restore", copies.to_str().unwrap(), "--identity", &private];
    let ran = at(&to, &restore, b"");
    assert_eq!((ran.code, &*ran.err), (Some(0), ""));
    assert!(ran.out.contains(&format!("/{changes} with {whole}\n")), "{}", ran.out);
    for words in ["board list", "user list"] {
        let words: Vec<&str> = words.split(' ').collect();
        assert_eq!(at(&to, &words, b"").out, home.run(&words, b"").out);
    }
    assert!(at(&to, &["user", "list"], b"").out.contains("carol"));
    assert_eq!(names(&to.join("drafts")), [""; 0], "what was removed does not come back");

    // Without the whole one, and with another.
    let refused = |words: &str| {
        let ran = of(&["check-backup", copies.join(&changes).to_str().unwrap()]);
        assert_eq!((ran.code, &*ran.out), (Some(75), ""), "{}", ran.err);
        assert!(ran.err.contains(words) && ran.err.contains(&whole), "{}", ran.err);
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    };
    fs::remove_file(copies.join(&whole)).unwrap();
    refused("it contains only the changes since");
    home.done(&format!("backup {}", copies.join(&whole).display()));
    refused("it is not the backup that was made");
    let bytes = fs::read(copies.join(&changes)).unwrap();
    let ran = at(&home.base().join("other"), &[&["restore", "-"][..], &key].concat(), &bytes);
    assert!(ran.code == Some(75) && ran.err.contains("only the changes since"), "{ran:?}");

    // A list that is damaged: tonight's backup is whole, and says why.
    fs::remove_file(folder.join(&changes)).unwrap();
    fs::write(home.path().join("backup-manifest"), "").unwrap();
    let line = run_until_saved(home, 3);
    assert!(
        line.contains("whole, because cannot use ") && line.ends_with("it is damaged"),
        "{line}"
    );
    // Other keys: so is the next one. Its key need not open the last whole one.
    let (other, _) = identity(home, "other.txt");
    fs::remove_file(folder.join(&whole)).unwrap();
    a_night_passes(home, &folder);
    home.configure(
        &format!("recipients = [\"{public}\"]"),
        &format!("recipients = [\"{public}\", \"{other}\"]"),
    );
    let line = run_until_saved(home, 4);
    assert!(line.ends_with("whole, because `recipients` were changed"), "{line}");
    // Nothing of the home is in the folder that the machine alone can read.
    let is_empty = |name: &String| fs::read(folder.join(name)).unwrap().is_empty();
    assert!(names(&folder).iter().all(|name| name.ends_with(".tar.gz.age") || is_empty(name)));
}

#[test]
fn a_home_is_replaced_only_on_request() {
    let home = Home::with_board();
    let file = home.base().join("a.tgz");
    let file = file.to_str().unwrap();
    home.done(&format!("backup {file}"));
    home.done("signup carol secret carol@pbm.test");
    let ran = home.run(&["restore", file], b"");
    assert_eq!((ran.code, ran.out.as_str()), (Some(64), ""));
    assert!(ran.err.contains("there is a home already; `--replace` moves it aside"), "{}", ran.err);
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    assert!(home.path().join("users/ca/carol.json").exists());
    // The waiting letter is in the outbox of the home that is moved aside, and not in the restored
    // outbox.
    let restored = home.done(&format!("restore --replace {file}"));
    let aside = home.path().canonicalize().unwrap().with_extension("aside");
    assert!(restored.ends_with(&format!("is now {}\n", aside.display())), "{restored}");
    assert!(aside.join("users/ca/carol.json").exists());
    assert!(!home.path().join("users/ca").exists());
    home.assert_tidy();
    home.done(&format!("restore --replace {file}"));
    assert_eq!(names(home.base()), ["a.tgz", "home", "home.aside", "home.aside.2"]);

    // A broken home can be replaced, too.
    fs::remove_file(home.path().join("key")).unwrap();
    fs::remove_dir_all(home.path().join("outbox")).unwrap();
    home.done(&format!("restore --replace {file}"));
    home.assert_tidy();
}

#[test]
fn a_backup_goes_through_a_pipe_and_without_letters() {
    let home = Home::with_board();
    home.done("malaka resign 1 alice secret");
    assert_ne!(home.names("outbox/new"), [""; 0]);
    let child = home.command().args(["backup", "-"]).stdout(Stdio::piped()).spawn().unwrap();
    let bytes = child.wait_with_output().unwrap().stdout;
    let other = home.base().join("other");
    let ran = at(&other, &["restore", "--without-outbox", "-"], &bytes);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert_eq!(names(&other.join("outbox/new")), [""; 0]);
    fs::remove_dir_all(home.path().join("outbox/new")).unwrap();
    fs::create_dir(home.path().join("outbox/new")).unwrap();
    are_same(&home.path(), &other);

    // Half of the backup, as a broken connection leaves it.
    let half = home.base().join("half");
    let ran = at(&half, &["restore", "-"], &bytes[..bytes.len() / 2]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(75), ""));
    assert!(
        ran.err.contains("cannot restore standard input: it is damaged or truncated"),
        "{ran:?}"
    );
    assert_eq!(ran.err.lines().count(), 1, "{ran:?}");
    assert_eq!(names(home.base()), ["home", "other"]);
}

#[test]
fn what_is_wrong_in_a_backup_or_not_in_it_is_said() {
    let home = Home::with_board();
    fs::write(home.path().join("boards/malaka/0/1.json"), "{").unwrap();
    fs::write(home.path().join("aliases"), "mine").unwrap();
    let file = home.base().join("a.tgz");
    let ran = home.run(&["backup", file.to_str().unwrap()], b"");
    assert_eq!(ran.code, Some(0));
    assert!(
        ran.err.contains("aliases is not a file of a home, so it is not in the backup"),
        "{ran:?}"
    );
    let other = home.base().join("other");
    let ran = at(&other, &["restore", file.to_str().unwrap()], b"");
    assert_eq!(ran.code, Some(0), "a damaged board is better than no server");
    assert!(ran.err.contains("boards/malaka/0/1.json cannot be read"), "{ran:?}");
    assert_eq!(fs::read_to_string(other.join("boards/malaka/0/1.json")).unwrap(), "{");
    let ran = at(&other, &["restore", "/nowhere/a.tgz", "--replace"], b"");
    assert_eq!(ran.code, Some(75));
    assert!(ran.err.contains("cannot read /nowhere/a.tgz: No such file"), "{ran:?}");
    let ran = home.run(&["backup", "/nowhere/a.tgz"], b"");
    assert_eq!(ran.code, Some(75));
    assert!(ran.err.contains("/nowhere/a.tgz.part: No such file"), "{ran:?}");
    let ran = home.run(&["backup", "/dev/null"], b"");
    assert!(ran.err.contains("cannot replace /dev/null: it is not a file"), "{ran:?}");
}

#[test]
fn a_home_in_a_database_is_neither_saved_nor_replaced_as_files() {
    let home = Home::with_board();
    let [file, other] = ["a.tgz", "b.tgz"].map(|name| home.base().join(name).display().to_string());
    assert_eq!(at(&home.path(), &["backup", &file], b"").code, Some(0));
    home.configure("[store]", "[store]\nurl = \"postgres://nobody@127.0.0.1:1/none\"");
    // An unreachable database is the machine's fault; restoring files over a home in a database is
    // the operator's mistake.
    let cases = [
        (vec!["backup", &other], 75, "cannot read the database"),
        (vec!["restore", &file, "--replace"], 64, "in a database"),
    ];
    for (words, code, why) in cases {
        let ran = at(&home.path(), &words, b"");
        assert_eq!((ran.code, ran.out.as_str()), (Some(code), ""), "{words:?}");
        assert!(ran.err.contains(why), "{}", ran.err);
        assert_eq!(names(home.base()), ["a.tgz", "home"]);
    }
}
