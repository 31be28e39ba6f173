//! Reports to the operator about causes that stop mails: each cause once, with a remedy.

#![expect(clippy::disallowed_types, reason = "the test runs as another user and locks files")]

use crate::support::program::{self, DEAD_PORT, Home, Ran, mail, program, program_at};
use postboard::base::time::{HOUR, MINUTE, Span, Time, days, hours};
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt as _, chown, symlink};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

const OWN: &str = "postboard@localhost";
/// The id of a user who owns no files.
const NOBODY: u32 = 65534;

/// Makes a home with two waiting letters and a board.
fn home(deliver: &str) -> Home {
    let home = Home::new();
    for words in ["signup alice secret alice@pbm.test", "signup bob secret bob@pbm.test"] {
        home.done(words);
    }
    home.delivered();
    home.done("malaka challenge alice bob");
    home.configure(&home.by_folder(), deliver);
    home
}

/// Makes the waiting letters older by a span, and due again.
fn age(home: &Home, span: Span) {
    let folder = home.path().join("outbox/new");
    for name in program::names(&folder) {
        let (at, rest) = name.split_once('.').unwrap();
        let at = Time::from_digits(at).unwrap() - span;
        let mut words: Vec<String> = rest.split(',').map(str::to_owned).collect();
        words[2] = "0.eml".into();
        let aged = format!("{}.{}", at.digits(), words.join(","));
        fs::rename(folder.join(&name), folder.join(aged)).unwrap();
    }
}

/// Counts the lines of the log with these words.
fn logged(home: &Home, words: &str) -> usize {
    home.read("log/postboard.log").lines().filter(|line| line.contains(words)).count()
}

/// Writes a script in place of sendmail.
fn script(home: &Home, text: &str) -> String {
    let path = home.base().join("sendmail");
    program::script(&path, &format!("#!/bin/sh\n{text}\n"));
    format!("by = \"sendmail\"\ncommand = \"{}\"", path.display())
}

#[test]
fn a_cause_that_stops_all_mails_is_told_once_and_75_comes_when_they_are_late() {
    let port = DEAD_PORT;
    let home = home(&format!("by = \"smtp\"\nhost = \"127.0.0.1\"\nport = {port}"));
    let ran = home.run(&["cron"], b"");
    assert_eq!((ran.code, ran.out.as_str(), ran.err.lines().count()), (Some(0), "", 1), "{ran:?}");
    for words in ["2 mails cannot be sent", "alice@pbm.test, bob@pbm.test", "Connection refused"] {
        assert!(ran.err.contains(words) && logged(&home, words) == 1, "{words}: {ran:?}");
    }
    assert!(ran.err.contains(&format!("127.0.0.1:{port}")), "{ran:?}");
    // The program tries the letters again, and the cause is the same.
    age(&home, MINUTE);
    assert_eq!(home.run(&["cron"], b""), Ran::silent(0));
    assert_eq!(logged(&home, "cannot be sent"), 1);
    // An operator who runs the command gets the report.
    age(&home, MINUTE);
    let ran = home.run(&["deliver"], b"");
    assert_eq!((ran.code, ran.err.lines().count()), (Some(0), 1), "{ran:?}");

    age(&home, HOUR);
    let ran = home.run(&["cron"], b"");
    assert_eq!((ran.code, ran.err.lines().count()), (Some(75), 1), "{ran:?}");
    assert!(
        ran.err.contains("2 mails have waited in the outbox for up to 62 minutes: "),
        "{ran:?}"
    );
    assert!(logged(&home, "mails have waited") == 1 && ran.err.contains("refused"));
    // The program also exits with 75 while nothing is due; cron has already reported the cause.
    assert_eq!(home.run(&["cron"], b""), Ran::silent(75));
    let ran = home.run(&["deliver"], b"");
    assert_eq!((ran.code, ran.err.lines().count()), (Some(75), 1), "{ran:?}");

    // The server accepts mails again, and the trouble is over.
    let sent = home.base().join("sent");
    home.configure(
        &format!("by = \"smtp\"\nhost = \"127.0.0.1\"\nport = {port}"),
        &home.by_folder(),
    );
    age(&home, Span::ZERO);
    assert_eq!(home.run(&["cron"], b""), Ran::silent(0));
    assert_eq!(program::names(&sent).len(), 2);
    assert_eq!(logged(&home, "no longer: 127.0.0.1"), 1);
}

#[test]
fn waiting_mails_and_letters_can_be_listed_and_shown() {
    let home = home("by = \"nothing\"");
    let list = home.run(&["mail", "list"], b"");
    let names: Vec<&str> = list.out.lines().map(|line| line.split("  ").next().unwrap()).collect();
    let [one, other] = names[..] else { panic!("{list:?}") };
    for to in ["  alice@pbm.test  malaka-1\n", "  bob@pbm.test  malaka-1\n"] {
        assert!(list.out.contains(to), "{list:?}");
    }
    let shown = [one, other].map(|name| home.run(&["mail", "show", &name[..8]], b""));
    assert!(shown.iter().all(|ran| ran.code == Some(0) && ran.out.starts_with("From: ")));
    assert!(shown.iter().any(|ran| ran.out.contains("\r\nTo: bob@pbm.test\r\n")), "{shown:?}");
    for odd in ["zz", ""] {
        let ran = home.run(&["mail", "show", odd], b"");
        assert!(ran.out.is_empty() && ran.err.contains("`postboard mail list`"), "{ran:?}");
    }
    let sent = home.base().join("sent");
    home.configure("by = \"nothing\"", &home.by_folder());
    assert_eq!(home.run(&["deliver"], b""), Ran::silent(0));
    let left: Vec<String> = program::names(&sent)
        .iter()
        .map(|name| fs::read_to_string(sent.join(name)).unwrap())
        .collect();
    assert!(shown.iter().all(|ran| left.contains(&ran.out)), "as it was shown, it left");
    assert_eq!(home.run(&["mail", "list"], b""), Ran::silent(0));
}

#[test]
fn a_letter_that_cannot_be_printed_is_told_and_the_others_leave() {
    for (from, to, told, folder) in [
        ("\"blocks\":", "\"blokcs\":", "it is not a letter: the file is damaged", "outbox/bad"),
        ("\"draft\":1", "\"draft\":9", "it was written by a later version", "outbox/new"),
    ] {
        let home = home("by = \"nothing\"");
        let sent = home.base().join("sent");
        let [file] = &home.names("outbox/new")[..] else { panic!("both letters are in one") };
        let path = home.path().join("outbox/new").join(file);
        let text = fs::read_to_string(&path).unwrap();
        let bobs = text.find("\"to\":\"bob@pbm.test\"").unwrap();
        let changed = format!("{}{}", &text[..bobs], text[bobs..].replacen(from, to, 1));
        assert_eq!(changed.len(), text.len());
        fs::write(&path, changed).unwrap();
        home.configure("by = \"nothing\"", &home.by_folder());
        let ran = home.run(&["cron"], b"");
        assert_eq!((ran.code, ran.err.lines().count()), (Some(0), 1), "{ran:?}");
        for words in [told, "bob@pbm.test"] {
            assert!(ran.err.contains(words) && logged(&home, words) == 1, "{words}: {ran:?}");
        }
        let [alices] = &program::names(&sent)[..] else { panic!("one leaves") };
        assert!(fs::read_to_string(sent.join(alices)).unwrap().contains("To: alice@pbm.test"));
        assert_ne!(home.names(folder), [""; 0], "{told}");
    }
}

#[test]
fn how_long_is_late_can_be_said() {
    let port = DEAD_PORT;
    let home =
        home(&format!("late_minutes = 180\nby = \"smtp\"\nhost = \"127.0.0.1\"\nport = {port}"));
    assert_eq!(home.run(&["cron"], b"").code, Some(0));
    age(&home, hours(3) - MINUTE);
    assert_eq!(home.run(&["cron"], b"").code, Some(0));
    age(&home, MINUTE);
    assert_eq!(home.run(&["cron"], b"").code, Some(75));
}

#[test]
fn an_address_that_is_refused_for_good_is_told_once_and_never_75() {
    let home = home("by = \"nothing\"");
    let refusing = script(
        &home,
        "for to; do :; done; cat >/dev/null\n\
         if [ \"$to\" = bob@pbm.test ]; then echo \"<$to>: no such user\" >&2; exit 67; fi",
    );
    home.configure("by = \"nothing\"", &refusing);
    let ran = home.run(&["cron"], b"");
    assert_eq!((ran.code, ran.err.lines().count()), (Some(0), 1), "{ran:?}");
    for words in ["1 mail was rejected for good", "bob@pbm.test", "no such user", "outbox/bad"] {
        assert!(ran.err.contains(words) && logged(&home, words) == 1, "{words}: {ran:?}");
    }
    for _ in 0..3 {
        home.done("malaka challenge alice bob");
        assert_eq!(home.run(&["cron"], b""), Ran::silent(0), "he is known to be gone");
    }
    assert_eq!(home.names("outbox/bad").len(), 8);
    assert_eq!(home.names("outbox/new").len(), 0);
}

/// Starts a mail server that gives these answers in each connection.
fn server(answers: &'static [(&'static str, &'static str)]) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut out) = stream else { continue };
            let Ok(clone) = out.try_clone() else { continue };
            let _ = out.write_all(b"220 ready\r\n");
            for line in BufReader::new(clone).lines().map_while(Result::ok) {
                let answer = answers.iter().find(|(begin, _)| line.starts_with(begin));
                let answer = answer.map_or("250 ok", |(_, answer)| answer);
                if write!(out, "{answer}\r\n").is_err() || line == "QUIT" {
                    break;
                }
            }
        }
    });
    port
}

#[test]
fn each_cause_that_stops_mails_is_reported_in_one_line() {
    let auth = server(&[
        ("EHLO", "250-x\r\n250 AUTH PLAIN"),
        ("AUTH", "535 5.7.8 I do not know sesame AHUAc2VzYW1l"),
    ]);
    let plain = server(&[("EHLO", "250 x")]);
    let away = server(&[("EHLO", "250 x"), ("MAIL", "550 5.7.1 not from you")]);
    let busy = server(&[("EHLO", "250 x"), ("RCPT", "450 4.2.2 mailbox full, id 31a7f")]);
    let secret = tempfile::NamedTempFile::new().unwrap();
    fs::write(secret.path(), "sesame\n").unwrap();
    let file = secret.path().display();
    let smtp =
        |port: u16, more: &str| format!("by = \"smtp\"\nhost = \"127.0.0.1\"\nport = {port}{more}");
    let cases = [
        ("by = \"smtp\"\nhost = \"mx.nowhere.invalid\"".into(), "mx.nowhere.invalid:25"),
        (smtp(DEAD_PORT, ""), "Connection refused"),
        (smtp(auth, &format!("\nuser = \"u\"\npassword_file = \"{file}\"")), "535"),
        (smtp(plain, "\ntls = \"starttls\""), "STARTTLS"),
        (smtp(plain, "\ntls = \"tls\""), "127.0.0.1:"),
        (smtp(away, ""), "not from you"),
        (smtp(busy, ""), "mailbox full"),
        ("by = \"sendmail\"\ncommand = \"/nowhere/sendmail\"".into(), "/nowhere/sendmail: No such"),
        ("by = \"folder\"\npath = \"/dev/null/sent\"".into(), "/dev/null/sent"),
        ("by = \"maildir\"\npath = \"/dev/null/{local}\"".into(), "/dev/null/{local}"),
    ];
    for (deliver, why) in cases {
        let home = home(&deliver);
        let ran = home.run(&["cron"], b"");
        assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""), "{deliver}: {ran:?}");
        assert_eq!(ran.err.lines().count(), 1, "{deliver}: {}", ran.err);
        assert!(ran.err.contains(why) && ran.err.contains("2 mails cannot"), "{deliver}: {ran:?}");
        assert_eq!(logged(&home, "2 mails cannot be sent"), 1, "{deliver}");
        assert!(!ran.err.contains("sesame") && !ran.err.contains("AHUAc2VzYW1l"), "{ran:?}");
        assert_eq!(home.names("outbox/new").len(), 2, "{deliver}");
        // `check` tries the transport, too.
        let ran = home.run(&["check", "--mail", "me@pbm.test"], b"");
        assert_eq!((ran.code, ran.err.as_str()), (Some(65), ""), "{deliver}: {ran:?}");
        let last = ran.out.lines().last().unwrap();
        assert!(
            last.contains("a mail to me@pbm.test could not be sent yet") && last.contains(why),
            "{ran:?}"
        );
    }
}

#[test]
fn a_password_file_that_is_not_there_is_a_fault_of_every_run() {
    let home = home("by = \"smtp\"\nuser = \"u\"\npassword_file = \"/nowhere/secret\"");
    for args in [["cron"], ["deliver"]] {
        let ran = home.run(&args, b"");
        assert_eq!((ran.code, ran.err.lines().count()), (Some(75), 1), "{ran:?}");
        assert!(ran.err.contains("cannot read /nowhere/secret: No such file"), "{ran:?}");
    }
    let _ = home.run(&["cron"], b"");
    assert_eq!(logged(&home, "/nowhere/secret"), 1, "once a day in the log");
}

/// A move that came before its player ran out of time is executed, even if `process` cannot send
/// mails.
#[test]
fn nobody_is_reminded_or_loses_while_mails_wait_and_answers_leave_all_the_same() {
    let home = Home::new();
    home.set_up();
    let file = home.path().join("boards/malaka/0/1.json");
    let board = fs::read_to_string(&file).unwrap();
    // The board began a year ago, and without the index it is due at once.
    let old = |text: &str| {
        let digits = text.find("\"at\":").unwrap() + 5;
        let end = digits + text[digits..].find(|c: char| !c.is_ascii_digit()).unwrap();
        let at = &text[digits..end];
        let earlier = Time::from_digits(at).unwrap() - days(365);
        text.replace(at, &earlier.unix().to_string())
    };
    fs::write(&file, old(&board)).unwrap();
    fs::remove_file(home.path().join("boards/malaka/looks")).unwrap();
    home.done("malaka challenge bob alice");
    // `process` cannot read the mailbox, which may contain a move.
    let missing = home.base().join("missing");
    home.configure("[collect]", &format!("[collect]\nmaildir = \"{}\"", missing.display()));
    let before = fs::read_to_string(&file).unwrap();
    let ran = home.run(&["cron"], b"");
    assert_eq!((ran.code, ran.err.lines().count()), (Some(75), 1), "{ran:?}");
    assert_eq!(fs::read_to_string(&file).unwrap(), before, "nobody was reminded");
    assert_eq!(home.names("outbox/new"), [""; 0], "what could leave has left");
    assert_eq!(program::names(&home.base().join("sent")).len(), 2);
    assert_eq!(logged(&home, missing.to_str().unwrap()), 1);

    // The mailbox exists; a mail still waits, since another process holds the spool.
    for part in ["new", "cur"] {
        fs::create_dir_all(missing.join(part)).unwrap();
    }
    home.receive(mail(1, "alice", OWN, "help", "").as_bytes());
    let working = fs::File::open(home.path().join("spool/tmp")).unwrap();
    working.lock().unwrap();
    assert_eq!(home.run(&["cron"], b""), Ran::silent(0));
    assert_eq!(fs::read_to_string(&file).unwrap(), before, "a mail waits");
    drop(working);
    assert_eq!(home.run(&["cron"], b""), Ran::silent(0));
    assert_ne!(fs::read_to_string(&file).unwrap(), before, "all is executed");
}

#[test]
fn check_looks_at_the_ways_in_and_out() {
    let home = Home::new();
    let sent = home.by_folder();
    assert_eq!(home.run(&["check"], b""), Ran::silent(0));
    let file = home.base().join("plain");
    fs::write(&file, "").unwrap();
    let file = file.display().to_string();
    let odd = [
        (format!("by = \"sendmail\"\ncommand = \"{file}\""), "not a program that can be run"),
        (
            "by = \"sendmail\"\ncommand = \"no-such-sendmail\"".into(),
            "no-such-sendmail: No such file",
        ),
        (
            "by = \"smtp\"\nhost = \"mx.nowhere.invalid\"".into(),
            "\"mx.nowhere.invalid\" is not found",
        ),
        (
            format!(
                "by = \"smtp\"\nhost = \"127.0.0.1\"\nuser = \"u\"\npassword_file = \"{file}\""
            ),
            "its first line should be the password, but it is empty",
        ),
        (
            format!(
                "by = \"smtp\"\nhost = \"127.0.0.2\"\nuser = \"u\"\npassword_file = \"{file}\""
            ),
            "the password goes to 127.0.0.2 as it is",
        ),
        (format!("by = \"folder\"\npath = \"{file}\""), "plain is not a folder"),
        (format!("by = \"maildir\"\npath = \"{file}/{{local}}\""), "plain is not a folder"),
    ];
    let mut was = sent.clone();
    for (deliver, why) in odd {
        home.configure(&was, &deliver);
        let ran = home.run(&["check"], b"");
        assert_eq!((ran.code, ran.err.as_str()), (Some(65), ""), "{deliver}: {ran:?}");
        assert!(ran.out.starts_with("[deliver] ") && ran.out.contains(why), "{deliver}: {ran:?}");
        was = deliver;
    }
    home.configure(&was, &sent);
    assert_eq!(home.run(&["check"], b""), Ran::silent(0));
    home.configure(
        "[collect]",
        "[collect]\nmaildir = \"/nowhere/Maildir\"\nmbox = \"/nowhere/mbox\"",
    );
    let ran = home.run(&["check"], b"");
    assert_eq!((ran.code, ran.out.lines().count()), (Some(65), 3), "{ran:?}");
    for words in
        ["[collect] maildir: /nowhere/Maildir/new: No", "[collect] mbox: /nowhere/mbox: No"]
    {
        assert!(ran.out.contains(words), "{words}: {ran:?}");
    }
}

#[test]
fn check_sends_a_mail_and_says_what_came_of_it() {
    let home = Home::new();
    let ran = home.run(&["check", "--mail", "me@pbm.test"], b"");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{ran:?}");
    assert!(ran.out.starts_with("a mail to me@pbm.test was accepted by the folder "), "{ran:?}");
    let mails = home.delivered();
    assert_eq!((mails.len(), mails[0].to.as_str()), (1, "me@pbm.test"));
    assert!(mails[0].text.contains("check --mail me@pbm.test"), "{}", mails[0].text);
    let ran = home.run(&["check", "--mail", "nobody"], b"");
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (Some(64), "postboard: `nobody` is not a mail address\n")
    );
    let sent = home.by_folder();
    home.configure(&sent, "by = \"nothing\"");
    let ran = home.run(&["check", "--mail", "me@pbm.test"], b"");
    assert!(ran.code == Some(65) && ran.out.contains("no mail was sent"), "{ran:?}");
    let port = server(&[("EHLO", "250 x"), ("RCPT", "550 5.1.1 no such user")]);
    home.configure(
        "by = \"nothing\"",
        &format!("by = \"smtp\"\nhost = \"127.0.0.1\"\nport = {port}"),
    );
    let ran = home.run(&["check", "--mail", "me@pbm.test"], b"");
    assert!(ran.code == Some(65) && ran.out.contains("was rejected"), "{ran:?}");
}

#[test]
fn a_pipe_that_breaks_ends_every_command_quietly() {
    let home = Home::new();
    let shells = ["bash", "zsh", "fish", "elvish", "powershell"];
    let mut all: Vec<String> = shells.iter().map(|shell| format!("completions {shell}")).collect();
    all.extend(
        [
            "man",
            "help commands",
            "demo",
            "perft malaka 1",
            "--help",
            "user show alice",
            "list",
            "proces",
        ]
        .map(str::to_owned),
    );
    home.done("signup alice secret alice@pbm.test");
    for words in all {
        // Neither pipe has a reader, and every write to /dev/full fails.
        for redirected in ["", "2>&1"] {
            let line = format!(
                "set -o pipefail; {{ {} --home {} {words} {redirected}; echo $? >&3; }} 3>{} | true",
                program::PROGRAM,
                home.path().display(),
                home.base().join("code").display()
            );
            let ran = program::run(Command::new("bash").args(["-c", &line]), b"");
            let code = fs::read_to_string(home.base().join("code")).unwrap();
            let is_wrong = words == "proces";
            assert_eq!(code.trim(), if is_wrong { "64" } else { "0" }, "{words} {redirected}");
            assert!(ran.err.is_empty() || is_wrong, "{words} {redirected}: {ran:?}");
        }
    }
    // A fault whose message cannot be written has its own exit code, not the code of a panic.
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut broken = program();
    broken.args(["--home", "/nowhere/home", "check"]).stderr(Stdio::from(writer));
    assert_eq!(broken.stdin(Stdio::null()).status().unwrap().code(), Some(75));
}

#[test]
fn help_needs_no_home() {
    let dir = tempfile::tempdir().unwrap();
    let missing = dir.path().join("nowhere");
    for words in [&["help"][..], &["help", "malaka"], &["malaka", "help"], &["help", "move"]] {
        let ran = program::run(program_at(&missing).args(words), b"");
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{words:?}");
        assert!(ran.out.len() > 100, "{words:?}: {}", ran.out);
    }
    assert!(!missing.exists());
    // The command does not wait for a home that another process has locked.
    let home = Home::with_board();
    let lock = fs::File::open(home.path().join("lock")).unwrap();
    lock.lock().unwrap();
    assert!(home.done("help malaka").contains("Malaka"));
}

#[test]
fn a_mistyped_command_gets_its_neighbour() {
    let dir = tempfile::tempdir().unwrap();
    for (word, meant) in
        [("proces", "process"), ("delivr", "deliver"), ("chek", "check"), ("Cron", "cron")]
    {
        let ran = program::run(program_at(dir.path()).arg(word), b"");
        let said = format!("postboard: there is no command `{word}`. Did you mean `{meant}`?\n");
        assert_eq!(ran, Ran { code: Some(64), out: String::new(), err: said });
    }
}

/// Runs a copy of the program, in a folder that everybody may enter, as another user.
fn as_nobody(home: &Path, args: &[&str]) -> Ran {
    let mut command = Command::new(home.parent().unwrap().join("postboard"));
    command.uid(NOBODY).gid(NOBODY).current_dir("/").env_remove("POSTBOARD_HOME");
    program::run(command.arg("--home").arg(home).args(args), b"")
}

/// File modes do not stop root, so root runs the program as another user.
#[test]
#[ignore = "needs root: .ci/run runs it by name"]
fn trouble_with_rights_names_the_user_to_be() {
    let base = tempfile::tempdir().unwrap();
    fs::set_permissions(base.path(), fs::Permissions::from_mode(0o755)).unwrap();
    program::copy(&base.path().join("postboard"));
    let home = base.path().join("home");
    let ran = program::run(program_at(&home).arg("init"), b"");
    assert_eq!(ran.code, Some(0));
    for args in [&["cron"][..], &["check"], &["list"], &["backup", "/tmp/never.tgz"], &["receive"]]
    {
        let ran = as_nobody(&home, args);
        assert_eq!((ran.code, ran.err.lines().count()), (Some(75), 1), "{args:?}: {ran:?}");
        assert!(
            ran.err.contains("Permission denied") && ran.err.contains("belongs to root"),
            "{ran:?}"
        );
        assert!(ran.err.contains("run it as user root, as in `runuser -u root -- "), "{ran:?}");
    }
    // A folder for outgoing mails that root may use and the server may not.
    let closed = base.path().join("closed");
    fs::create_dir(&closed).unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
    let toml = fs::read_to_string(home.join("postboard.toml")).unwrap();
    let folder = format!("by = \"folder\"\npath = \"{}/sent\"", closed.display());
    fs::write(
        home.join("postboard.toml"),
        toml.replace("\nby = \"smtp\"\n", &format!("\n{folder}\n")),
    )
    .unwrap();
    let all = Command::new("chown").arg("-R").arg(NOBODY.to_string()).arg(&home).status().unwrap();
    assert!(all.success());
    let ran = as_nobody(&home, &["check"]);
    assert_eq!((ran.code, ran.out.lines().count()), (Some(65), 1), "{ran:?}");
    assert!(
        ran.out.contains("[deliver] path: cannot write to ") && ran.out.contains("belongs to root")
    );
    let ran = as_nobody(&home, &["backup", closed.join("x.tgz").to_str().unwrap()]);
    assert!(
        ran.code == Some(75) && ran.err.contains("closed belongs to root, but you are"),
        "{ran:?}"
    );
    // Root's work on another user's home causes a warning, and `check` finds it.
    let ran = program::run(program_at(&home).args(["list"]), b"");
    assert!(ran.code == Some(0) && ran.err.contains("run it as user nobody"), "{ran:?}");
    chown(home.join("key"), Some(0), None).unwrap();
    symlink("/etc", home.join("drafts/etc")).ok();
    let ran = program::run(program_at(&home).args(["check"]), b"");
    assert!(
        ran.out.contains("not belong to nobody") && ran.out.contains("chown -R nobody: "),
        "{ran:?}"
    );
}

#[test]
#[ignore = "needs root to mount a file system: .ci/run runs it by name"]
fn trouble_with_a_disk_that_can_only_be_read_is_told_once() {
    let base = tempfile::tempdir().unwrap();
    let mount = |args: &[&str]| {
        let ran = program::run(Command::new("mount").args(args).arg(base.path()), b"");
        assert_eq!(ran, Ran::silent(0));
    };
    mount(&["-t", "tmpfs", "-o", "size=8m", "none"]);
    let home = Home::beneath(base.path());
    home.set_up();
    home.receive(mail(1, "alice", OWN, "help", "").as_bytes());
    mount(&["-o", "remount,ro", "none"]);
    let runs = [&["cron"][..], &["process"], &["deliver"], &["status"], &["receive"]];
    let ran = runs.map(|args| (args, home.run(args, b"Subject: help\n\n")));
    mount(&["-o", "remount,rw", "none"]);
    let tidy = home.run(&["cron"], b"");
    drop(home);
    let _ = Command::new("umount").arg("--lazy").arg(base.path()).status();
    for (args, ran) in ran {
        assert_eq!((ran.code, ran.err.lines().count()), (Some(75), 1), "{args:?}: {ran:?}");
        assert!(ran.err.contains("that disk is read-only: mount it for writing"), "{ran:?}");
    }
    assert_eq!(tidy, Ran::silent(0));
}

#[test]
fn the_process_that_holds_the_home_is_named() {
    let home = Home::with_board();
    let mut holder = Command::new("flock");
    holder.arg(home.path().join("lock")).args(["sh", "-c", "echo has it; read line"]);
    let holder = holder.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut holder = holder.unwrap();
    let mut said = String::new();
    BufReader::new(holder.stdout.take().unwrap()).read_line(&mut said).unwrap();
    let waiting = program::start(home.command().arg("check"), b"");
    let told = loop {
        if let Some(told) = postboard::store::lock_holder::lock_holder(waiting.id()) {
            break told;
        }
        thread::yield_now();
    };
    assert_eq!(told, format!("{} (flock)", holder.id()));
    drop(holder.stdin.take());
    holder.wait().unwrap();
    assert_eq!(program::ended(waiting), Ran::silent(0));
}
