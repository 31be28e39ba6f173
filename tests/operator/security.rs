//! Attacks on operators: control bytes, homes that others may change, links and forged backups.

#![expect(clippy::disallowed_types, reason = "the test runs the program in a terminal")]

use crate::support::program::{self, Home, Ran};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::fs::{self, File};
use std::io::Read as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::Command;

/// Control bytes: a terminal's title, a colour by one byte, and a character that reverses text.
const TRICK: &str = "\u{1b}]0;owned\u{7}\u{9b}31m\u{202e}";

fn is_plain(bytes: &[u8]) -> bool {
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    let is_trick = |c: char| c.is_control() && !"\n\t\r".contains(c) || c == '\u{202e}';
    !text.contains(is_trick)
}

#[test]
fn control_bytes_of_others_reach_no_terminal() {
    let home = Home::with_board();
    let (bad, name) = (home.path().join("spool/bad"), format!("001795000000.{TRICK}"));
    let mail = format!("From: {TRICK}@pbm.test\nSubject: {TRICK}\n\n{TRICK}\n");
    fs::write(bad.join(&name), &mail).unwrap();
    fs::write(bad.join(format!("{name}.why")), TRICK).unwrap();
    fs::create_dir_all(home.path().join("users/zz")).unwrap();
    fs::write(home.path().join("users/zz/zz.json"), format!("{{\"{TRICK}\": 1")).unwrap();
    fs::write(home.path().join("boards/malaka/0/2.json"), format!("{{\"{TRICK}\": 1")).unwrap();
    fs::write(home.path().join(format!("boards/malaka/{TRICK}")), "").unwrap();
    let board = home.path().join("boards/malaka/0/1.json");
    let text = fs::read_to_string(&board).unwrap();
    fs::write(&board, text.replace("\"bob\"", "\"b\\u001b]0;owned\\u0007\"")).unwrap();
    fs::write(home.base().join("sheet"), format!("dice of malaka 1 {TRICK}\n{TRICK}\n")).unwrap();
    let sheet = home.base().join("sheet").display().to_string();
    for words in [
        "status",
        "status --json",
        "doctor",
        "check",
        "check --json",
        "mail list",
        "board list",
        "board show malaka 1",
        "board show malaka 2",
        "user list",
        "user show zz",
        "upgrade",
        "mail drop x",
        "mail retry 00179",
        "backup a.tgz",
        "verify SHEET",
    ] {
        let words: Vec<String> =
            words.split(' ').map(|word| word.replace("SHEET", &sheet)).collect();
        let mut command = home.command();
        let output = command.args(&words).current_dir(home.base()).output().unwrap();
        let all = [output.stdout, output.stderr].concat();
        assert!(is_plain(&all), "{words:?}: {}", String::from_utf8_lossy(&all).escape_debug());
    }
}

/// Returns the output of a command to a terminal.
fn in_terminal(home: &Home, words: &[&str]) -> Vec<u8> {
    let end = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&end).unwrap();
    unlockpt(&end).unwrap();
    let name = ptsname(&end, Vec::new()).unwrap().into_string().unwrap();
    let terminal = File::options().write(true).open(name).unwrap();
    let mut child = home.command().args(words).stdout(terminal).spawn().unwrap();
    child.wait().unwrap();
    let mut written = Vec::new();
    // Reading ends with an error when no process holds the other end.
    let _ = File::from(end).read_to_end(&mut written);
    written
}

#[test]
fn a_mail_is_shown_as_it_came_but_in_a_terminal() {
    let home = Home::with_board();
    let mail = format!("From: x@pbm.test\n\n{TRICK}\n");
    fs::write(home.path().join("spool/bad/001795000000.1.2.3"), &mail).unwrap();
    assert_eq!(home.run(&["mail", "show", "0017"], b"").out, mail);
    let shown = in_terminal(&home, &["mail", "show", "0017"]);
    let text = String::from_utf8_lossy(&shown);
    assert!(
        is_plain(&shown) && text.contains("\\u001b]0;owned\\u0007\\u009b31m\\u202e"),
        "{text:?}"
    );
}

/// Makes a home that delivers mails by a program.
fn by_program(home: &Home, program: &Path) {
    program::script(program, "#!/bin/sh\necho ran >> \"$0.ran\"\ncat >/dev/null\n");
    let by_program = format!("by = \"sendmail\"\ncommand = \"{}\"", program.display());
    home.configure(&home.by_folder(), &by_program);
}

fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn no_program_is_run_for_a_home_that_others_may_change() {
    let home = Home::with_board();
    let program = home.base().join("send");
    by_program(&home, &program);
    let ran = || home.base().join("send.ran").exists();
    for (place, rights) in [
        (home.path(), 0o757),
        (home.base().to_owned(), 0o777),
        (home.path().join("postboard.toml"), 0o666),
    ] {
        let before = fs::metadata(&place).unwrap().permissions().mode();
        mode(&place, rights);
        home.done("malaka challenge bob alice");
        for words in ["deliver", "cron", "check --mail a@pbm.test", "doctor --mail a@pbm.test"] {
            let Ran { code, err, .. } = home.run(&words.split(' ').collect::<Vec<_>>(), b"");
            let is_told = err.contains(&format!("`chmod go-w {}`", place.display()));
            assert!(code == Some(75) && is_told, "{words}: {code:?} {err}");
        }
        for words in ["board edit malaka 1", "setup --own-address a@pbm.test"] {
            let mut command = home.command();
            command.args(words.split(' ')).env("EDITOR", &program);
            let edited = program::run(&mut command, b"");
            let is_told = edited.err.contains(&format!("`chmod go-w {}`", place.display()));
            assert!(edited.code == Some(75) && is_told, "{words}: {edited:?}");
            assert_eq!(home.names("drafts"), [""; 0]);
        }
        let doctor = home.run(&["doctor"], b"").out;
        assert!(doctor.contains("MEND files     cannot run programs for "), "{doctor}");
        assert!(!ran(), "{}", place.display());
        mode(&place, before);
    }
    assert_eq!(home.run(&["deliver"], b"").code, Some(0));
    assert!(ran());
}

#[test]
fn a_restore_asks_before_it_takes_a_program_over() {
    let home = Home::with_board();
    by_program(&home, &home.base().join("send"));
    let file = home.base().join("a.tgz").display().to_string();
    assert_eq!(home.run(&["backup", &file], b"").code, Some(0));
    let new = home.base().join("new");
    let restore = |words: &[&str], answer: &str| {
        let mut command = program::program_at(&new);
        program::run(command.args(["restore", &file]).args(words), answer.as_bytes())
    };
    for answer in ["", "\n", "n\n", "perhaps\n"] {
        let refused = restore(&[], answer);
        assert_eq!(refused.code, Some(65), "{refused:?}");
        assert!(refused.out.contains("/send\nTake it over? [y/N] "), "{refused:?}");
        assert!(refused.err.contains("`--trust-programs`") && !new.exists(), "{refused:?}");
    }
    assert_eq!(restore(&[], "y\n").code, Some(0));
    // The existing home names the program already.
    assert!(!restore(&["--replace"], "").out.contains("Take it over?"));
    // An engine is another program.
    home.configure("[engines]", "[engines]\nchess = \"/opt/engine --quick\"");
    assert_eq!(home.run(&["backup", &file], b"").code, Some(0));
    let asked = restore(&["--replace"], "n\n").out;
    let question =
        "The configuration in the backup lets the program /opt/engine --quick play chess\nTake it";
    assert!(asked.contains(question), "{asked}");
    fs::remove_dir_all(&new).unwrap();
    assert_eq!(restore(&["--trust-programs"], "").code, Some(0));
    fs::remove_dir_all(&new).unwrap();
    // A configuration that this version does not understand may be valid in a later version.
    home.configure("by = \"sendmail\"", "by = \"sendmail\"\nlater = 1");
    assert_eq!(tar(&home, &file).code, Some(0));
    let refused = restore(&[], "n\n");
    assert_eq!(refused.code, Some(65), "{refused:?}");
    assert!(refused.out.contains("may run programs") && !new.exists(), "{refused:?}");
    assert_eq!(restore(&[], "y\n").code, Some(0));
}

/// Makes a backup as the program would write it if it understood the configuration.
fn tar(home: &Home, file: &str) -> Ran {
    fs::create_dir(home.base().join("unpacked")).unwrap();
    let (unpacked, config) = (home.base().join("unpacked"), home.path().join("postboard.toml"));
    let script = format!(
        "cd {} && tar xzf {file} && cp {} . && tar tzf {file} > ../list && \
         tar czf {file} --no-recursion -T ../list",
        unpacked.display(),
        config.display()
    );
    program::run(Command::new("sh").args(["-c", &script]), b"")
}

#[test]
fn a_backup_follows_no_links() {
    let home = Home::with_board();
    let secret = home.base().join("secret");
    fs::write(&secret, "{\"secret\": 1}").unwrap();
    symlink(&secret, home.path().join("boards/malaka/0/7.json")).unwrap();
    symlink(home.base(), home.path().join("users/se")).unwrap();
    let file = home.base().join("a.tgz").display().to_string();
    let ran = home.run(&["backup", &file], b"");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for left in ["boards/malaka/0/7.json", "users/se"] {
        assert!(ran.err.contains(&format!("{left} is not a file of a home")), "{ran:?}");
    }
    let listed = program::run(Command::new("tar").args(["tzf", &file]), b"").out;
    assert!(listed.contains("boards/malaka/0/1.json") && !listed.contains("7.json"), "{listed}");
    assert!(!listed.contains("users/se"), "{listed}");
    let aside = home.base().join("aside");
    for name in ["key", "dice", "postboard.toml", "boards", "outbox", "outbox/new", "users"] {
        let path = home.path().join(name);
        let is_there = path.exists();
        if is_there {
            fs::rename(&path, &aside).unwrap();
        } else {
            fs::write(&aside, "").unwrap();
        }
        symlink(&aside, &path).unwrap();
        let _ = fs::remove_file(&file);
        let ran = home.run(&["backup", &file], b"");
        let told = format!("cannot back up {}: it is a link", path.display());
        assert!(ran.code == Some(75) && ran.err.contains(&told), "{ran:?}");
        assert!(!Path::new(&file).exists());
        fs::remove_file(&path).unwrap();
        if is_there {
            fs::rename(&aside, &path).unwrap();
        } else {
            fs::remove_file(&aside).unwrap();
        }
    }
}

#[test]
fn files_of_a_home_have_their_modes_whatever_the_mask() {
    for mask in ["000", "022", "077"] {
        let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let script = format!(
            "umask {mask}; p='{} --home home'; $p init && $p signup alice secret alice@pbm.test && \
             $p cron && $p check && $p backup a.tgz && mv home old && $p restore a.tgz && find home -perm /027 ! -type l -printf '%m %p\\n'",
            program::PROGRAM
        );
        let mut shell = Command::new("sh");
        shell.args(["-c", &script]).current_dir(dir.path()).env_remove("POSTBOARD_HOME");
        let out = program::run(&mut shell, b"").out;
        let open: Vec<&str> = out
            .lines()
            .filter(|line| line.contains(" home"))
            .filter(|line| line.starts_with(|first: char| first.is_ascii_digit()))
            .filter(|line| !line.contains(" files ") && !line.starts_with("750 "))
            .collect();
        assert!(open.is_empty(), "umask {mask}: {open:?}");
        for (file, mode) in [("users/al/alice.json", 0o640), ("key", 0o600), ("boards", 0o750)] {
            let found = fs::metadata(dir.path().join("home").join(file)).unwrap();
            assert_eq!(found.permissions().mode() & 0o777, mode, "umask {mask}: {file}");
        }
        let backup = fs::metadata(dir.path().join("a.tgz")).unwrap();
        assert_eq!(backup.permissions().mode() & 0o777, 0o600, "umask {mask}");
    }
}
