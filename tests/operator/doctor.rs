//! `status`, `doctor` and `mail`: the output names each fault with its remedy.

#![expect(clippy::disallowed_types, reason = "the test locks a file and mounts a disk")]

use crate::support::program::{self, DEAD_PORT, Home, Ran};
use serde_json::Value;
use std::fs::{self, File};
use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, UNIX_EPOCH};

/// Makes a home without faults: alice and bob have a board, and cron has just run.
fn healthy() -> Home {
    let home = Home::with_board();
    assert_eq!(home.run(&["cron"], b"").code, Some(0));
    home
}

/// Returns the faults that `doctor` finds.
fn wrong(home: &Home) -> Vec<String> {
    let ran = home.run(&["doctor"], b"");
    let wrong: Vec<String> =
        ran.out.lines().filter(|line| line.starts_with("MEND ")).map(str::to_owned).collect();
    assert_eq!(ran.code, Some(if wrong.is_empty() { 0 } else { 65 }), "{ran:?}");
    let told: Value = serde_json::from_str(&home.run(&["doctor", "--json"], b"").out).unwrap();
    let told = told.as_array().unwrap().iter().filter(|it| it["is_well"] == false);
    assert_eq!(told.count(), wrong.len());
    wrong
}

/// Runs a command that mounts or unmounts a folder.
fn mount(folder: &Path, words: &[&str]) {
    assert!(Command::new(words[0]).args(&words[1..]).arg(folder).status().unwrap().success());
}

/// A fault: its name, its cause, and the words that name it and its remedy.
type Fault = (&'static str, fn(&Home), &'static [&'static str]);

fn ran_at(home: &Home, job: &str, at: &str) {
    let text = format!("{{\"job\":\"{job}\",\"at\":{at},\"took\":5}}");
    fs::write(home.path().join("runs").join(job), text).unwrap();
}

const FAULTS: &[Fault] = &[
    (
        "a dead mail server",
        |home| {
            let smtp = format!("by = \"smtp\"\nhost = \"127.0.0.1\"\nport = {DEAD_PORT}");
            home.configure(&home.by_folder(), &smtp);
        },
        &["MEND sending   127.0.0.1:", "Connection refused"],
    ),
    (
        "a password that is not there",
        |home| {
            let smtp =
                "by = \"smtp\"\nhost = \"127.0.0.1\"\nuser = \"p\"\npassword_file = \"/none/such\"";
            home.configure(&home.by_folder(), smtp);
        },
        &["MEND ways      [deliver] password_file: /none/such: No such file", "MEND sending   "],
    ),
    (
        "a clock that was in the future",
        |home| ran_at(home, "cron", "4102444800"),
        &["MEND clock     it says ", "was noted at 2100-01-01 00:00: set the clock"],
    ),
    (
        "a mail that was put aside",
        |home| {
            let bad = home.path().join("spool/bad");
            fs::create_dir_all(&bad).unwrap();
            fs::write(bad.join("001795000000.1.2.3"), "From: alice@pbm.test\n\n").unwrap();
            fs::write(bad.join("001795000000.1.2.3.why"), "a bug in this program\n").unwrap();
        },
        &["MEND parked    1 mail put aside, 001795000000.1.2.3 at last (a bug in this program)"],
    ),
    (
        "a board that cannot be read",
        |home| {
            fs::write(home.path().join("boards/malaka/0/1.json"), "{").unwrap();
            assert_eq!(home.run(&["check"], b"").code, Some(65));
        },
        &["MEND boards    check ", "it found something wrong: run `postboard check`"],
    ),
    (
        "a board that cannot be read, which somebody has asked for",
        |home| {
            fs::write(home.path().join("boards/malaka/0/1.json"), "{").unwrap();
            home.receive(
                b"From: alice@pbm.test\nTo: postboard@localhost\nSubject: malaka show 1\n\n",
            );
            home.process();
        },
        &["MEND boards    boards/malaka/0/1.json cannot be read: EOF", "`postboard board edit`"],
    ),
    (
        "a board that cannot be read, which was due",
        |home| {
            fs::write(home.path().join("boards/malaka/0/1.json"), "{").unwrap();
            fs::remove_file(home.path().join("boards/malaka/looks")).unwrap();
            assert_eq!(home.run(&["cron"], b"").code, Some(0));
        },
        &["MEND boards    boards/malaka/0/1.json cannot be read: EOF"],
    ),
    (
        "a key that is gone",
        |home| fs::remove_file(home.path().join("key")).unwrap(),
        &["MEND home      there is no home here, cannot read ", "/key", "take it from a backup"],
    ),
    (
        "a restore that was interrupted",
        |home| {
            let mut path = home.path().into_os_string();
            path.push(".restoring");
            fs::create_dir(PathBuf::from(path)).unwrap();
        },
        &["MEND restore   a restore was interrupted", "run `postboard restore` again"],
    ),
    (
        "a player whose mails come back",
        |home| {
            let file = home.path().join("users/bo/bob.json");
            let mut user: Value =
                serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
            user["stopped"] = user["addresses"].clone();
            fs::write(&file, format!("{user:#}\n")).unwrap();
            let ran = home.run(&["check", "--repair"], b"");
            assert!(ran.out.contains("the index of stopped addresses lacks bob"), "{ran:?}");
            home.run(&["check"], b"");
            // A backup contains the index of stopped addresses, too.
            let file = home.base().join("backup.tgz").display().to_string();
            assert_eq!(home.run(&["backup", &file], b"").err, "");
            assert_eq!(home.run(&["restore", &file, "--replace"], b"").code, Some(0));
            home.run(&["cron"], b"");
        },
        &["MEND address   mails to bob@pbm.test of bob came back: once it works again"],
    ),
    (
        "a cron that does not run",
        |home| {
            ran_at(home, "cron", "1795000000");
            let _ = fs::remove_file(home.path().join("runs/process"));
        },
        &["MEND jobs      cron ", " days ago, in 0.005 s: check its timer or crontab"],
    ),
    (
        "a cron that never ran",
        |home| fs::remove_dir_all(home.path().join("runs")).unwrap(),
        &[
            "MEND jobs      `cron`, `process` or `run` never ran: start `postboard run`, or let a timer",
        ],
    ),
    (
        "a nightly backup that nothing makes",
        |home| {
            home.configure("[backup]", "[backup]\nfolder = \"/none/such\"");
            assert_eq!(wrong(home), [""; 0], "one that was just configured");
            let file = File::options().write(true).open(home.path().join("postboard.toml"));
            file.unwrap().set_modified(UNIX_EPOCH + Duration::from_secs(1_795_000_000)).unwrap();
        },
        &["MEND backup    none was ever made", "`postboard run` makes one every night"],
    ),
    (
        "a nightly backup that is made no more",
        |home| {
            home.configure("[backup]", "[backup]\nfolder = \"/none/such\"");
            ran_at(home, "backup", "1795000000");
        },
        &["MEND backup    backup ", " days ago, in 0.005 s: `postboard run` makes one every night"],
    ),
    (
        "a spool that takes no mails",
        |home| {
            fs::remove_dir_all(home.path().join("spool/tmp")).unwrap();
            fs::write(home.path().join("spool/tmp"), "").unwrap();
        },
        &["MEND spool     cannot create ", "/spool/tmp/", "Not a directory"],
    ),
    (
        "letters that fail now",
        |home| {
            let smtp = "by = \"smtp\"\nhost = \"127.0.0.1\"\nport = 1";
            home.configure(&home.by_folder(), smtp);
            home.done("malaka challenge bob alice");
            home.run(&["deliver"], b"");
        },
        &["MEND letters   ", "failed and will be tried again: `postboard deliver` says why"],
    ),
    (
        "a database that is dead",
        |home| {
            home.configure("[store]", "[store]\nurl = \"postgres://postboard@127.0.0.1:1/none\"");
        },
        &["MEND home      its database does not answer: check that PostgreSQL runs"],
    ),
    (
        "a word of the configuration that is wrong",
        |home| home.configure("[deliver]", "[deliver]\nhots = \"x\""),
        &["MEND settings  cannot use ", "line ", "hots"],
    ),
];

#[test]
fn every_fault_is_named_with_its_remedy() {
    for (what, put_in, words) in FAULTS {
        let home = healthy();
        assert_eq!(wrong(&home), [""; 0], "before {what}");
        put_in(&home);
        let found = wrong(&home).join("\n");
        for word in *words {
            assert!(found.contains(word), "{what}: {word}\n{found}");
        }
        let makes_anew = found.contains("`postboard init`");
        assert_eq!(makes_anew, *what == "a key that is gone", "{what}\n{found}");
    }
}

/// A note disappears when its reason disappears.
#[test]
fn a_board_that_was_mended_is_named_no_more() {
    let home = healthy();
    let board = home.path().join("boards/malaka/0/1.json");
    let text = fs::read(&board).unwrap();
    fs::write(&board, "{").unwrap();
    assert_eq!(home.run(&["malaka", "show", "1"], b"").code, Some(65));
    assert_eq!(wrong(&home).len(), 1);
    let told: Value = serde_json::from_str(&home.run(&["status", "--json"], b"").out).unwrap();
    let line = told["unreadable"].as_str().unwrap();
    assert!(line.starts_with("boards/malaka/0/1.json cannot be read: "), "{line}");
    assert!(home.run(&["status"], b"").out.contains(&format!("\n          {line}\n")));
    assert!(told["jobs"].as_array().unwrap().iter().all(|run| run["job"] != "unreadable"));
    fs::write(&board, text).unwrap();
    assert_eq!(wrong(&home), [""; 0]);
}

#[test]
fn somebody_who_does_not_let_go_of_the_home_is_named() {
    let home = healthy();
    let lock = File::options().write(true).open(home.path().join("lock")).unwrap();
    lock.lock().unwrap();
    let found = wrong(&home);
    let me = format!("MEND lock      process {} (", std::process::id());
    assert!(found.len() == 1 && found[0].starts_with(&me), "{me} {found:?}");
}

#[test]
#[ignore = "needs root: .ci/run runs it by name"]
fn a_home_of_somebody_else_is_named() {
    let home = healthy();
    assert_eq!(wrong(&home), [""; 0]);
    chown(home.path().join("spool/new"), Some(65534), None).unwrap();
    let found = wrong(&home).join("\n");
    assert!(found.contains("MEND files     ") && found.contains("chown -R root: "), "{found}");
    chown(home.path(), Some(65534), None).unwrap();
    let found = wrong(&home).join("\n");
    assert!(found.contains("the home belongs to nobody, but you are root: run this as"), "{found}");
}

#[test]
#[ignore = "needs root: .ci/run runs it by name"]
fn a_full_disk_is_named_before_it_is_full() {
    let dir = tempfile::tempdir().unwrap();
    mount(dir.path(), &["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs"]);
    let home = Home::beneath(dir.path());
    assert_eq!(home.run(&["cron"], b"").code, Some(0));
    let found = wrong(&home).join("\n");
    drop(home);
    mount(dir.path(), &["umount"]);
    assert!(
        found.starts_with("MEND disk      ") && found.contains(" MB free: make room"),
        "{found}"
    );
}

/// `doctor` is the health check of a container.
#[test]
fn status_fails_where_receive_fails() {
    for put_in in [
        |home: &Home| home.configure("[deliver]", "[deliver]\nhots = \"x\""),
        |home: &Home| {
            fs::remove_dir_all(home.path().join("spool/tmp")).unwrap();
            fs::write(home.path().join("spool/tmp"), "").unwrap();
        },
        |home: &Home| fs::remove_file(home.path().join("postboard.toml")).unwrap(),
    ] {
        let home = healthy();
        assert_eq!(home.run(&["status"], b"").code, Some(0));
        put_in(&home);
        for words in [&["status"][..], &["status", "--json"], &["receive"]] {
            let ran = home.run(words, b"From: alice@pbm.test\n\n");
            assert_eq!((ran.code, ran.err.lines().count()), (Some(75), 1), "{words:?} {ran:?}");
        }
        assert_eq!(home.names("spool/new"), [""; 0]);
    }
}

/// Read-only commands on a disk that is mounted read-only, and on a full disk.
#[test]
#[ignore = "needs root: .ci/run runs it by name"]
fn read_only_commands_need_no_room_and_no_rights() {
    const LOOKS: [&str; 12] = [
        "config",
        "metrics",
        "check",
        "board list",
        "board show malaka 1",
        "user list",
        "user show alice",
        "mail list",
        "dice-report",
        "dice-key",
        "status",
        "doctor",
    ];
    let dir = tempfile::tempdir().unwrap();
    mount(dir.path(), &["mount", "-t", "tmpfs", "-o", "size=150m", "tmpfs"]);
    let home = Home::beneath(dir.path());
    home.set_up();
    let ran = |words: &str| home.run(&words.split(' ').collect::<Vec<_>>(), b"");
    assert_eq!(ran("cron").code, Some(0));
    let sound: Vec<Ran> = LOOKS.iter().map(|words| ran(words)).collect();
    let mut wrong = Vec::new();
    let mut look = |disk: &str| {
        for (words, sound) in LOOKS.iter().zip(&sound) {
            let now = ran(words);
            let is_right = match *words {
                // `receive` would give a mail server the same exit code.
                "status" => now.code == Some(75) && now.out.starts_with("Home "),
                "doctor" => {
                    now.out.contains("MEND spool ") && !now.out.contains("`postboard init`")
                }
                "metrics" => now.code == Some(0),
                // The folder for outgoing mails is on that disk.
                "check" => now.out.lines().all(|line| line.starts_with("[deliver] path: ")),
                _ => now == *sound,
            };
            if !is_right {
                wrong.push(format!("{words} on a {disk} disk: {now:?}"));
            }
        }
    };
    mount(dir.path(), &["mount", "-o", "remount,ro"]);
    look("read-only");
    mount(dir.path(), &["mount", "-o", "remount,rw"]);
    let ballast = dir.path().join("ballast");
    let zeros = File::open("/dev/zero").unwrap();
    let _ = std::io::copy(&mut { zeros }, &mut File::create(&ballast).unwrap());
    look("full");
    fs::remove_file(ballast).unwrap();
    drop(home);
    mount(dir.path(), &["umount"]);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn status_tells_what_waits_and_when_jobs_ran() {
    let home = Home::with_board();
    let told = home.run(&["status"], b"");
    assert!(told.out.contains("\nMails     none wait; 0 put aside\n"), "{told:?}");
    home.run(&["receive"], b"From: alice@example.org\nSubject: help\n\n");
    let told = home.run(&["status"], b"").out;
    assert!(told.contains("\nMails     1 waiting, the oldest for "), "{told}");
    assert!(told.contains("\nBoards    malaka: 1 in play of 1\n"), "{told}");
    home.run(&["process"], b"");
    let told: Value = serde_json::from_str(&home.run(&["status", "--json"], b"").out).unwrap();
    assert_eq!((&told["mails"]["waiting"], &told["letters"]["waiting"]), (&0.into(), &1.into()));
    let jobs = told["jobs"].as_array().unwrap();
    assert!(jobs.iter().any(|run| run["job"] == "process" && run.get("why").is_none()), "{told}");
}

#[test]
fn a_mail_that_was_put_aside_is_tried_again_or_thrown_away() {
    let home = healthy();
    let bad = home.path().join("spool/bad");
    fs::create_dir_all(&bad).unwrap();
    let mail = "From: alice@example.org\nTo: postboard@localhost\nSubject: help\n\n";
    for name in ["001795000000.1.2.3", "001795000001.1.2.3"] {
        fs::write(bad.join(name), mail).unwrap();
        fs::write(bad.join(format!("{name}.why")), "a bug in this program\n").unwrap();
    }
    let list = home.run(&["mail", "list"], b"").out;
    assert_eq!(list.matches("put aside: a bug in this program\n").count(), 2, "{list}");
    assert_eq!(home.run(&["mail", "show", "001795000000"], b"").out, mail);
    for odd in ["0017950", "", "../key", "x"] {
        let ran = home.run(&["mail", "drop", odd], b"");
        assert!(ran.code == Some(65) && ran.err.contains("`postboard mail list`"), "{ran:?}");
    }
    let dry = home.run(&["mail", "retry", "001795000000", "001795000001", "--dry-run"], b"");
    assert_eq!((dry.out.lines().count(), program::names(&bad).len()), (2, 4), "{dry:?}");
    home.run(&["mail", "retry", "001795000000"], b"");
    home.run(&["mail", "drop", "001795000001"], b"");
    assert_eq!(program::names(&bad), [""; 0]);
    let log = home.read("log/postboard.log");
    assert!(
        log.contains("mail 001795000000.1.2.3 will be tried again by the next run, by "),
        "{log}"
    );
    assert!(log.contains("mail 001795000001.1.2.3 is dropped, by "), "{log}");
    let before = program::names(&home.base().join("sent")).len();
    assert_eq!(home.run(&["cron"], b"").code, Some(0));
    assert_eq!(program::names(&home.base().join("sent")).len(), before + 1);
}

#[test]
fn a_letter_that_was_given_up_is_sent_again_or_thrown_away() {
    let home = healthy();
    home.configure(&home.by_folder(), "by = \"nothing\"");
    home.done("malaka challenge alice bob");
    let list = home.run(&["mail", "list"], b"").out;
    let names: Vec<&str> = list.lines().map(|line| line.split("  ").next().unwrap()).collect();
    let [one, other] = names[..] else { panic!("{list}") };
    let dropped = home.run(&["mail", "drop", one], b"");
    assert!(dropped.out.contains("is dropped"), "{dropped:?}");
    // Delivery of the other letter was given up.
    let new = home.path().join("outbox/new");
    let files = program::names(&new);
    let bad = home.path().join("outbox/bad");
    fs::create_dir_all(&bad).unwrap();
    for file in &files {
        fs::rename(new.join(file), bad.join(file)).unwrap();
        fs::write(bad.join(format!("{file}.why")), "no such user\n").unwrap();
    }
    let list = home.run(&["mail", "list"], b"").out;
    assert!(list.contains(other) && !list.contains(one) && list.contains("  given up"), "{list}");
    assert!(wrong(&home).iter().any(|line| line.contains("1 letter given up")));
    let Ran { out: said, .. } = home.run(&["mail", "retry", other], b"");
    assert!(said.contains("will be tried again by the next run"), "{said}");
    assert_eq!(program::names(&bad), [""; 0]);
    home.configure("by = \"nothing\"", &home.by_folder());
    let sent = home.base().join("sent");
    let before = program::names(&sent).len();
    assert_eq!(home.run(&["deliver"], b"").code, Some(0));
    assert_eq!(program::names(&sent).len(), before + 1);
}
