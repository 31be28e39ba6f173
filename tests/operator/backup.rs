//! `backup` and `restore` as an operator runs them.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the test compares and damages homes"
)]

use crate::support::program::{self, Home, Ran, mail, names, program};
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
    let mut command = program();
    let command = command.env("SUDO_USER", "olga").env("USER", "root");
    program::run(command.arg("--home").arg(home).args(words), input)
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
    home.is_tidy();
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
    let ran = home.run(&["restore", "--replace", file], b"");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let aside = home.path().canonicalize().unwrap().with_extension("aside");
    assert!(ran.out.ends_with(&format!("is now {}\n", aside.display())), "{}", ran.out);
    assert!(aside.join("users/ca/carol.json").exists());
    assert!(!home.path().join("users/ca").exists());
    home.is_tidy();
    home.done(&format!("restore --replace {file}"));
    assert_eq!(names(home.base()), ["a.tgz", "home", "home.aside", "home.aside.2"]);

    // A broken home can be replaced, too.
    fs::remove_file(home.path().join("key")).unwrap();
    fs::remove_dir_all(home.path().join("outbox")).unwrap();
    home.done(&format!("restore --replace {file}"));
    home.is_tidy();
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
