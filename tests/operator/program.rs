//! The real program with bad input, damaged files, full disks and several processes at once.

#![expect(clippy::unwrap_used, reason = "a failed `unwrap` fails the test")]
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the test damages a home and mounts a small file system"
)]

use crate::support::files::files_below;
use crate::support::program::{self, Home, Mail, Ran, ended, mail, program, program_at, start};
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

const OWN: &str = "postboard@localhost";

/// Checks that `receive` has refused a mail for now, with the reason in one line for the mail
/// server's log.
fn assert_put_off(ran: &Ran, why: &str) {
    assert_eq!((ran.code, ran.out.as_str(), ran.err.lines().count()), (Some(75), "", 1), "{ran:?}");
    assert!(ran.err.starts_with("postboard: ") && ran.err.contains(why), "{why}: {ran:?}");
    assert!(!ran.err.contains("secret"), "{ran:?}");
}

/// Returns the first legal play of a board.
fn a_move(home: &Home, board: u32) -> String {
    let position = program::position(&home.done(&format!("malaka show {board}")));
    let ran = program::run(program().args(["plays", "malaka"]), position.as_bytes());
    let plays: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    plays["plays"][0]["play"].as_str().unwrap().to_owned()
}

/// Returns whether a file of `spool/bad` holds the reason for another file.
fn is_reason(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|ending| ending == "why")
}

/// Writes a mail with which alice moves.
fn move_mail(home: &Home, number: u32) -> String {
    let subject = format!("malaka move 1 alice secret {}", a_move(home, 1));
    mail(number, "alice", OWN, &subject, "")
}

#[test]
fn exit_codes_tell_usage_from_refusal_from_success() {
    let home = Home::new();
    let ran = program::run(program().arg("--version"), b"");
    assert_eq!(
        ran,
        Ran { out: format!("postboard {}\n", env!("CARGO_PKG_VERSION")), ..Ran::silent(0) }
    );
    let cases: [(&[&str], i32); 20] = [
        (&["--help"], 0),
        (&["help"], 0),
        (&["perft", "malaka", "1"], 0),
        (&["check"], 0),
        (&[], 64),
        (&["--no-such-flag"], 64),
        (&["process", "--no-such-flag"], 64),
        (&["process", "--spool", "--mbox", "x"], 64),
        (&["plays", "ludo"], 64),
        (&["plays", "malaka", "-tiny"], 64),
        (&["perft", "malaka", "-1"], 64),
        (&["compare-levels", "ludo"], 64),
        (&["compare-levels", "malaka", "-tiny"], 64),
        (&["compare-levels", "symmetry"], 64),
        (&["compare-levels", "reversi", "--games", "0"], 64),
        (&["compare-levels", "reversi", "--games", "2", "-mode=9"], 64),
        (&["proces"], 64),
        // Words that are no command of the operator are a player's command.
        (&["send"], 65),
        (&["malaka", "move", "1", "alice", "secret", "a1-a2"], 65),
        (&["init", "/dev/null/home"], 75),
    ];
    for (args, code) in cases {
        let ran = home.run(args, b"");
        assert_eq!(ran.code, Some(code), "{args:?}: {ran:?}");
        let said =
            if matches!(code, 64 | 75) { (&ran.err, &ran.out) } else { (&ran.out, &ran.err) };
        assert!(said.0.is_empty() == (args == ["check"]) && said.1.is_empty(), "{args:?}: {ran:?}");
    }
}

#[test]
fn a_player_may_say_receive() {
    // The command, not a word in its arguments, decides which output a mail server must not see.
    let home = Home::new();
    let ran = home.run(&["signup", "receive"], b"");
    assert_eq!((ran.code, ran.err.as_str()), (Some(65), ""), "{ran:?}");
    assert!(!ran.out.is_empty());
}

#[test]
fn without_a_home_one_line_names_the_path() {
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let missing = dir.path().join("nowhere");
    let commands: [&[&str]; 6] = [
        &["process"],
        &["deliver"],
        &["cron"],
        &["check"],
        &["list"],
        &["signup", "alice", "secret", "alice@pbm.test"],
    ];
    for args in commands {
        let ran = program::run(program_at(&missing).args(args), b"");
        assert_eq!((ran.code, ran.out.as_str()), (Some(75), ""), "{args:?}");
        assert!(ran.err.contains(missing.to_str().unwrap()), "{args:?}: {}", ran.err);
        assert_eq!(ran.err.lines().count(), 1, "{args:?}: {}", ran.err);
    }
    assert!(!missing.exists(), "looking for a home makes none");
}

#[test]
fn receive_says_75_and_why_when_in_doubt() {
    let home = Home::new();
    let raw = mail(1, "alice", OWN, "help", "");
    let at = |path: &Path| {
        let mut command = program_at(path);
        command.arg("receive");
        command
    };
    let ran = program::run(&mut at(&home.base().join("nowhere")), raw.as_bytes());
    assert_put_off(&ran, "nowhere: there is no home");
    let mut bad_flags = home.command();
    bad_flags.args(["receive", "--quickly"]);
    assert_put_off(
        &program::run(&mut bad_flags, raw.as_bytes()),
        "unexpected argument '--quickly'",
    );
    let mut bad_word = home.command();
    bad_word.args(["receive", "alice"]);
    assert_put_off(&program::run(&mut bad_word, raw.as_bytes()), "unexpected argument 'alice'");
    let mut bad_option = program();
    bad_option.args(["--hoem", "x", "receive"]);
    assert_put_off(&program::run(&mut bad_option, raw.as_bytes()), "unexpected argument '--hoem'");

    // An unwritable spool: a file in place of the folder, which stops root as well.
    let spool = home.path().join("spool");
    fs::rename(&spool, home.path().join("spool.away")).unwrap();
    fs::write(&spool, "").unwrap();
    assert_put_off(&home.run(&["receive"], raw.as_bytes()), "spool/tmp");
    fs::remove_file(&spool).unwrap();
    fs::rename(home.path().join("spool.away"), &spool).unwrap();

    // An input that ends in an error, not at its end: a folder is no mail.
    let mut folder = home.command();
    folder.arg("receive").stdin(fs::File::open(home.base()).unwrap());
    assert_put_off(&Ran::from(folder.output().unwrap()), "cannot read or write: ");
    assert_eq!(home.names("spool/new"), [""; 0]);
    assert_eq!(home.names("spool/tmp"), [""; 0]);

    home.configure("plus = true", "plus = true\nwhat = 1");
    assert_put_off(&home.run(&["receive"], raw.as_bytes()), "line 18: unknown key `what`");
    home.configure("what = 1", "");
    assert_eq!(home.run(&["receive"], raw.as_bytes()), Ran::silent(0));
    assert_eq!(home.names("spool/new").len(), 1);
}

#[test]
fn output_that_cannot_be_written_is_no_success() {
    let home = Home::new();
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = home.command().arg("help").stdout(full).stderr(Stdio::piped()).output().unwrap();
    let ran = Ran::from(output);
    assert_eq!(ran.code, Some(75));
    assert!(ran.err.contains("cannot read or write"), "{}", ran.err);
    assert_eq!(ran.err.lines().count(), 1);
    // `postboard plays malaka | head`: a reader that closes the pipe early is no failure.
    let mut child = Command::new("sh");
    child.args([
        "-c",
        &format!("{} --home {} help | true", program::PROGRAM, home.path().display()),
    ]);
    assert_eq!(program::run(&mut child, b""), Ran::silent(0));
}

#[test]
fn a_mail_that_is_too_long_is_parked_and_answered_shortly() {
    let home = Home::with_board();
    let play = a_move(&home, 1);
    let subject = format!("malaka move 1 alice secret {play}");
    // The second mail is only slightly larger than the limit; truncation must not make it fit.
    for (number, size) in [(1, 5_000_000), (2, 1_050_000)] {
        let line = "All work and no play makes Jack a dull boy.\n";
        let body = line.repeat(size / line.len());
        home.receive(mail(number, "alice", OWN, &subject, &body).as_bytes());
        let kept = home.names("spool/new");
        let kept = fs::metadata(home.path().join("spool/new").join(&kept[0])).unwrap().len();
        assert!(kept < 1_100_000, "{kept} bytes were kept");
        home.process();
    }
    let bad = home.names("spool/bad");
    // The second mail is not answered, so no sender asks about it.
    assert_eq!(bad.len(), 2, "{bad:?}");
    assert!(is_reason(&bad[1]), "{bad:?}");
    let why = home.read(&format!("spool/bad/{}", bad[1]));
    assert_eq!(why, "the mail is larger than 1 MB\n");
    assert_eq!(home.names("spool/new"), [""; 0]);
    assert_eq!(home.moves(1), 0, "a mail that was cut off was executed");

    let answers = home.delivered();
    assert_eq!(answers.len(), 1, "the same error once a day");
    for answer in &answers {
        assert_eq!(answer.to, "alice@pbm.test");
        assert!(answer.text.contains("larger than 1 MB"), "{}", answer.text);
        assert!(answer.text.len() < 1_000, "{}", answer.text);
    }
}

#[test]
fn broken_mails_are_parked_and_the_others_executed() {
    let home = Home::with_board();
    let broken: [&[u8]; 6] = [
        b"",
        b"\0\0\0\0",
        b"no header at all",
        b"Subject: help\n\nno sender\n",
        b"From: a@pbm.test, b@pbm.test\nSubject: help\n\ntwo senders\n",
        b"From: eve@pbm.test\nSubject: help\nX: \xff\xfe\nContent-Type: multipart/encrypted\n\n",
    ];
    for raw in broken {
        home.receive(raw);
    }
    home.receive(
        b"From: bob@pbm.test\nSubject: =?utf-8?q?malaka_chat_1_bob_secret\nContent-Type: \
          multipart/mixed; boundary=\"x\n\n--x\nContent-Type: text/\xff; charset=nonsense\n\
          Content-Transfer-Encoding: base64\n\n=====\n--x",
    );
    home.receive(move_mail(&home, 9).as_bytes());
    home.process();
    assert_eq!(home.moves(1), 1, "the good mail behind the broken ones was executed");
    assert_eq!(home.names("spool/new"), [""; 0]);
    let bad = home.names("spool/bad");
    let parked = bad.iter().filter(|name| !is_reason(name)).count();
    // Only the sender of the encrypted mail gets an answer; the other mails are not kept.
    assert_eq!((parked, bad.len()), (1, 2), "{bad:?}");
    // Alice's move goes to both players. Eve learns that the server reads no encrypted mails, and
    // bob that his Subject is no command. A mail without exactly one sender gets no answer.
    let to: Vec<String> = home.delivered().into_iter().map(|mail| mail.to).collect();
    assert_eq!(to, ["alice@pbm.test", "bob@pbm.test", "bob@pbm.test", "eve@pbm.test"]);
    let log = home.read("log/postboard.log");
    assert!(!log.contains("secret"), "{log}");
}

#[test]
fn a_damaged_board_stops_nothing_but_itself() {
    let home = Home::with_board();
    home.done("malaka challenge alice bob");
    home.delivered();
    let play = a_move(&home, 2);
    let file = home.path().join("boards/malaka/0/2.json");
    let sound = fs::read(&file).unwrap();
    let half = sound[..sound.len() / 2].to_vec();
    let other = home.read("boards/malaka/0/1.json");
    let cases: [(&str, &[u8]); 5] = [
        ("cut off", &half),
        ("empty", b""),
        ("no text", b"{\"format\":1,\xff\xfe}"),
        ("of a later program", b"{\"format\":99}"),
        ("of another board", other.as_bytes()),
    ];
    for (number, (what, damaged)) in (10_u32..).zip(cases) {
        fs::write(&file, damaged).unwrap();
        // The same text is answered only twice a day.
        let other_words = " **".repeat(number as usize);
        let subject = format!("malaka move 2 alice secret {play}{other_words}");
        home.receive(mail(number, "alice", OWN, &subject, "").as_bytes());
        home.receive(mail(number + 100, "bob", OWN, "malaka show 1", "").as_bytes());
        home.process();
        let mails = home.delivered();
        assert_eq!(mails.len(), 2, "{what}");
        let (answer, other) = (&mails[0].text, &mails[1].text);
        assert!(answer.contains("board 2 cannot be used until the operator"), "{what}: {answer}");
        assert!(other.contains("Malaka board 1, move 1"), "{what}: {other}");
        assert_eq!(fs::read(&file).unwrap(), damaged, "{what}: it is left as it is");
        let check = home.run(&["check"], b"");
        assert_eq!(check.code, Some(65), "{what}");
        let file = ["boards/malaka/0/2.json cannot be read", "the file of malaka 2 holds"];
        assert!(file.iter().any(|words| check.out.contains(words)), "{what}: {}", check.out);
        assert_eq!(home.run(&["malaka", "show", "1"], b"").code, Some(0), "{what}");
        let shown = home.run(&["malaka", "show", "2"], b"");
        assert_eq!((shown.code, shown.err.as_str()), (Some(65), ""), "{what}");
        assert_eq!(home.run(&["list", "malaka"], b"").code, Some(0), "{what}");
    }
    let log = home.read("log/postboard.log");
    let told: Vec<&str> = log.lines().filter(|line| line.contains("cannot be read")).collect();
    assert!(
        told.iter().any(|line| line.contains("malaka/0/2.json") && line.contains("line ")),
        "{log}"
    );

    fs::write(&file, sound).unwrap();
    home.done(&format!("malaka move 2 alice secret {play}"));
    assert_eq!(home.moves(2), 1);
}

#[test]
fn a_damaged_user_stops_nothing_but_himself() {
    let home = Home::with_board();
    home.done("signup carol secret carol@pbm.test");
    let file = home.path().join("users/ca/carol.json");
    for (number, damaged) in (1_u32..).zip([&b"{"[..], b"\xff\xfe", b""]) {
        fs::write(&file, damaged).unwrap();
        let subject = format!("malaka challenge carol bob{}", " **".repeat(number as usize));
        home.receive(mail(number, "carol", OWN, &subject, "").as_bytes());
        home.receive(mail(number + 100, "bob", OWN, "malaka games bob", "").as_bytes());
        home.process();
        let mails = home.delivered();
        let to: Vec<&str> = mails.iter().map(|mail| mail.to.as_str()).collect();
        assert_eq!(to, ["bob@pbm.test", "carol@pbm.test"], "{mails:#?}");
        // Carol keeps the name.
        let ran = home.run(&["signup", "carol", "another", "eve@pbm.test"], b"");
        assert_eq!(ran.code, Some(65));
        assert_eq!(fs::read(&file).unwrap(), damaged);
    }
}

#[test]
fn a_wrong_configuration_keeps_the_mail() {
    let home = Home::with_board();
    home.receive(move_mail(&home, 1).as_bytes());
    home.configure("plus = true", "plus = true\nplsu = true");
    for args in [["process"], ["cron"], ["deliver"], ["check"], ["list"]] {
        let ran = home.run(&args, b"");
        assert_eq!((ran.code, ran.out.as_str()), (Some(75), ""), "{args:?}");
        assert!(ran.err.contains("postboard.toml"), "{}", ran.err);
        assert!(ran.err.contains("line 18") && ran.err.contains("plsu"), "{}", ran.err);
    }
    assert_eq!(home.names("spool/new").len(), 1);
    home.configure("plsu = true", "");
    home.process();
    assert_eq!(home.moves(1), 1);
    assert_eq!(home.delivered().len(), 2);
    home.assert_tidy();
}

#[test]
fn processes_at_the_same_time_take_turns() {
    let home = Home::new();
    // Only one process gets the lock at once; the others have to wait.
    let players: Vec<String> = (1..=8).map(|number| format!("player{number}")).collect();
    let started: Vec<_> = players
        .iter()
        .map(|id| {
            let address = format!("{id}@pbm.test");
            start(home.command().args(["signup", id, "secret", &address]), b"")
        })
        .collect();
    for child in started {
        let ran = ended(child);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    }
    for id in &players[1..] {
        let subject = format!("malaka challenge player1 {id}");
        home.receive(mail(1, id, OWN, &subject, "").as_bytes());
    }
    let started: Vec<_> = (0..4).map(|_| start(home.command().arg("cron"), b"")).collect();
    for child in started {
        assert_eq!(ended(child), Ran::silent(0));
    }
    assert_eq!(home.names("boards/malaka/0").len(), 7, "each challenge made one board");
    // A cron that finds another cron delivering leaves all letters to it.
    let mails = home.delivered();
    assert_eq!(mails.len(), 14, "each player of each board got one mail");
    home.assert_tidy();
}

#[test]
fn a_process_waits_for_the_lock() {
    let home = Home::with_board();
    home.receive(move_mail(&home, 1).as_bytes());
    let lock = fs::OpenOptions::new().write(true).open(home.path().join("lock")).unwrap();
    lock.lock().unwrap();
    let mut waiting = start(home.command().arg("process"), b"");
    // The program accepts mail while another process holds the lock.
    home.receive(mail(2, "bob", OWN, "malaka games bob", "").as_bytes());
    assert_eq!(waiting.try_wait().unwrap(), None, "it does not go on without the lock");
    assert_eq!(home.moves(1), 0);
    drop(lock);
    assert_eq!(ended(waiting), Ran::silent(0));
    assert_eq!(home.moves(1), 1);
}

#[test]
fn the_same_mail_twice_is_executed_once() {
    let home = Home::with_board();
    let raw = move_mail(&home, 1);
    // In one batch, in the next batch, and with another Received header.
    home.receive(raw.as_bytes());
    home.receive(raw.as_bytes());
    home.process();
    assert_eq!(home.delivered().len(), 2);
    home.receive(format!("Received: by another.example\n{raw}").as_bytes());
    let mbox = home.base().join("mbox");
    fs::write(&mbox, format!("From alice@pbm.test Sat Nov 21 12:00:00 2026\n{raw}\n")).unwrap();
    home.process();
    for _ in 0..2 {
        assert_eq!(home.run(&["process", "--mbox", mbox.to_str().unwrap()], b""), Ran::silent(0));
    }
    assert_eq!(home.delivered(), []);
    assert_eq!(home.moves(1), 1);
    home.assert_tidy();
}

#[test]
fn a_maildir_is_read_and_its_bad_mails_do_not_come_back() {
    let home = Home::with_board();
    let maildir = home.base().join("Maildir");
    for part in ["cur", "new", "tmp"] {
        fs::create_dir_all(maildir.join(part)).unwrap();
    }
    fs::write(maildir.join("new/1.move"), move_mail(&home, 1)).unwrap();
    fs::write(maildir.join("new/2.bad"), "no mail").unwrap();
    home.configure("[collect]", &format!("[collect]\nmaildir = \"{}\"", maildir.display()));
    for _ in 0..3 {
        assert_eq!(home.run(&["cron"], b""), Ran::silent(0));
    }
    assert_eq!(program::names(&maildir.join("new")), [""; 0]);
    assert_eq!(program::names(&maildir.join("cur")), ["1.move:2,S", "2.bad:2,S"]);
    assert_eq!(home.moves(1), 1);
    assert_eq!(home.delivered().len(), 2);
    let bad = home.names("spool/bad");
    assert_eq!(bad, [""; 0], "nobody is told of what is no mail, so it is not kept");
    assert_eq!(home.run(&["check"], b""), Ran::silent(0));
}

#[test]
fn an_mbox_is_read_again_and_again_and_executed_once() {
    let home = Home::with_board();
    let mbox = home.base().join("mbox");
    let from = "From alice@pbm.test Sat Nov 21 10:00:00 2026\n";
    fs::write(&mbox, format!("{from}{}\n{from}no mail\n\n", move_mail(&home, 1))).unwrap();
    for _ in 0..3 {
        assert_eq!(home.run(&["process", "--mbox", mbox.to_str().unwrap()], b""), Ran::silent(0));
    }
    assert_eq!(home.moves(1), 1);
    assert_eq!(home.delivered().len(), 2);
    assert_eq!(home.names("spool/bad"), [""; 0]);
    assert_eq!(home.read("log/postboard.log").matches("it is not kept").count(), 1);
}

#[test]
fn a_count_that_was_lost_overwrites_no_board() {
    let home = Home::with_board();
    let board = home.read("boards/malaka/0/1.json");
    for count in ["0\n", "4294967295\n", "nonsense\n"] {
        fs::write(home.path().join("boards/malaka/count"), count).unwrap();
        let ran = home.run(&["malaka", "challenge", "bob", "alice"], b"");
        assert_eq!(ran.code, Some(65), "{count}: {ran:?}");
        assert!(ran.out.contains("cannot be done at the moment"), "{count}: {}", ran.out);
        assert_eq!(home.read("boards/malaka/0/1.json"), board);
    }
    let log = home.read("log/postboard.log");
    assert!(log.contains("the count of malaka boards is wrong: malaka 1 exists"), "{log}");
}

#[test]
fn a_log_that_cannot_be_written_stops_nothing() {
    let home = Home::with_board();
    home.receive(move_mail(&home, 1).as_bytes());
    fs::remove_dir_all(home.path().join("log")).unwrap();
    fs::create_dir_all(home.path().join("log/postboard.log")).unwrap();
    let ran = home.run(&["process"], b"");
    assert_eq!(ran.code, Some(0));
    assert!(ran.err.contains("postboard.log"), "{}", ran.err);
    assert_eq!(home.moves(1), 1);
    let ran = home.run(&["malaka", "challenge", "bob", "alice"], b"");
    assert_eq!(ran.code, Some(0), "a command that is done is not to be repeated");
    assert!(ran.out.contains("Malaka board 2"), "{}", ran.out);
}

#[test]
fn cron_answers_although_a_mailbox_is_missing() {
    let home = Home::with_board();
    home.receive(move_mail(&home, 1).as_bytes());
    let missing = home.base().join("missing");
    home.configure("[collect]", &format!("[collect]\nmaildir = \"{}\"", missing.display()));
    let ran = home.run(&["cron"], b"");
    assert_eq!(ran.code, Some(75));
    assert!(ran.err.contains(missing.to_str().unwrap()), "{}", ran.err);
    assert_eq!(ran.err.lines().count(), 1);
    // The mails of the spool are executed, and their answers have been sent.
    assert_eq!(home.moves(1), 1);
    assert_eq!(program::names(&home.base().join("sent")).len(), 2);
}

#[test]
fn a_second_init_spoils_nothing() {
    let home = Home::with_board();
    let key = fs::read(home.path().join("key")).unwrap();
    let toml = home.read("postboard.toml");
    let ran = home.run(&["init"], b"");
    assert_eq!((ran.code, ran.out.as_str()), (Some(75), ""));
    assert!(ran.err.contains("there is a home already"), "{}", ran.err);
    assert_eq!(fs::read(home.path().join("key")).unwrap(), key);
    assert_eq!(home.read("postboard.toml"), toml);
    let mode = fs::metadata(home.path().join("key")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "others must not read the key");
    home.assert_tidy();
}

#[test]
fn an_init_that_was_broken_off_can_be_finished() {
    // `init` was killed before it wrote the configuration.
    let home = Home::new();
    fs::remove_file(home.path().join("postboard.toml")).unwrap();
    let ran = home.run(&["process"], b"");
    assert_eq!(ran.code, Some(75));
    home.done("init");
    home.process();
}

#[test]
fn a_damaged_key_is_said_and_the_mail_kept() {
    let home = Home::with_board();
    home.receive(move_mail(&home, 1).as_bytes());
    fs::write(home.path().join("key"), "short").unwrap();
    let ran = home.run(&["process"], b"");
    assert_eq!(ran.code, Some(75));
    assert!(ran.err.contains("/key: not 32 bytes"), "{}", ran.err);
    assert_eq!(home.names("spool/new").len(), 1);
}

#[test]
fn the_shell_answers_and_the_others_get_mail() {
    let home = Home::new();
    let welcome = home.done("signup alice secret alice@pbm.test");
    assert!(welcome.starts_with("Welcome, alice!"), "{welcome}");
    home.done("signup bob secret bob@pbm.test");
    assert_eq!(home.delivered(), [], "who signs up on the shell has read it there");

    let said = home.done("malaka challenge alice bob");
    assert!(said.contains("alice's turn (O) on Malaka board 1"), "{said}");
    let to: Vec<String> = home.delivered().into_iter().map(|mail| mail.to).collect();
    assert_eq!(to, ["alice@pbm.test", "bob@pbm.test"]);

    let play = a_move(&home, 1);
    let refused = home.run(&["malaka", "move", "1", "alice", "guess?", &play], b"");
    assert_eq!((refused.code, refused.err.as_str()), (Some(65), ""));
    assert!(refused.out.contains("Nothing has changed"), "{}", refused.out);
    assert_eq!(home.delivered(), []);

    let ran = home.run(
        &["--as-operator", "--message", "Good luck!", "malaka", "move", "1", "alice", &play],
        b"",
    );
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    assert!(ran.out.contains("bob's turn (X) on Malaka board 1, move 2"), "{}", ran.out);
    let mails = home.delivered();
    assert_eq!(mails.len(), 1, "alice's answer was printed");
    assert_eq!(mails[0].to, "bob@pbm.test");
    assert!(mails[0].text.contains("Good luck!"), "{}", mails[0].text);
    assert!(mails[0].reply_to.as_ref().unwrap().starts_with("postboard+bmalaka1m"));
    assert_eq!(home.moves(1), 1);

    let played = a_move(&home, 1);
    home.done(&format!("malaka move 1 bob secret {played}"));
    let mails = home.delivered();
    assert_eq!((mails.len(), mails[0].to.as_str()), (1, "alice@pbm.test"));
    home.assert_tidy();
}

/// Returns the one-time code of a user in a mail.
fn word_in(mail: &Mail, user: &str) -> String {
    let is_word = |word: &&str| word.strip_prefix(user).is_some_and(|rest| rest.len() == 17);
    mail.text.split_whitespace().find(is_word).unwrap().to_owned()
}

/// Returns the contents of all files below a folder, concatenated.
fn everything(folder: &Path) -> String {
    let read = |file: &String| fs::read(folder.join(file)).unwrap();
    let bytes: Vec<Vec<u8>> = files_below(folder).iter().map(read).collect();
    String::from_utf8_lossy(&bytes.concat()).into_owned()
}

#[test]
fn a_one_time_code_is_mailed_not_stored_and_works_once() {
    let home = Home::with_board();
    home.delivered();
    let mut words = Vec::new();
    for verb in ["forgot alice", "forgot alice", "delete alice secret"] {
        home.done(verb);
        let mails = home.delivered();
        assert_eq!((mails.len(), mails[0].to.as_str()), (1, "alice@pbm.test"), "{mails:#?}");
        words.push(word_in(&mails[0], "alice"));
    }
    assert!(words[0] != words[1] && words[1] != words[2], "{words:?}");
    for word in &words {
        for folder in ["users", "boards", "log"] {
            let all = everything(&home.path().join(folder));
            assert!(!all.is_empty() && !all.contains(word), "a word is kept in {folder}");
        }
    }
    let change = ["change", "password", "alice", &words[0], "sesame"];
    assert_eq!(home.run(&change, b"").code, Some(0));
    assert_eq!(home.run(&change, b"").code, Some(65), "it was used");
    // A new password invalidates one-time codes that were requested with the old password.
    assert_eq!(home.run(&["delete", "alice", "sesame", &words[2]], b"").code, Some(65));

    home.done("--as-operator change password alice sesame1");
    home.done("--as-operator change address alice alice2@pbm.test");
    home.done("change address alice sesame1 alice@pbm.test");
    home.done("change password alice sesame1 sesame");
    let exported = home.done("--as-operator export alice");
    assert_eq!(exported, "The data has been sent to your registered address.\n");
    home.done("delete alice sesame");
    let mails = home.delivered();
    let goodbye = mails.iter().find(|mail| mail.subject == "Goodbye alice?").unwrap();
    let word = word_in(goodbye, "alice");
    let ran = home.run(&["delete", "alice", "sesame", &word], b"");
    assert_eq!(ran.code, Some(0), "{}", ran.out);
    let to: Vec<String> = home.delivered().into_iter().map(|mail| mail.to).collect();
    assert_eq!(to, ["alice@pbm.test", "bob@pbm.test"]);
    let kept = home.read("users/al/alice.json");
    assert!(!kept.contains("alice@pbm.test") && !kept.contains("argon2"), "{kept}");
    assert_eq!(home.run(&["signup", "Alice", "secret", "eve@pbm.test"], b"").code, Some(65));
    assert_eq!(home.run(&["check"], b"").code, Some(0));
}

#[test]
fn a_strangers_address_is_asked_three_times_a_day_and_not_kept() {
    let home = Home::with_board();
    for number in 1..=5_u32 {
        let subject = format!("signup eve{number} secret victim+{number}@pbm.test");
        home.receive(mail(number, "eve", OWN, &subject, "").as_bytes());
    }
    home.process();
    let mails = home.delivered();
    let asked: Vec<&Mail> = mails.iter().filter(|mail| mail.to.contains("victim")).collect();
    assert_eq!(asked.len(), 3, "{mails:#?}");
    let folder = home.path().join("mailboxes");
    let counts = everything(&folder);
    assert!(counts.contains("asked") && !counts.contains("victim"), "{counts}");
    let word = word_in(asked[0], "eve1");
    home.done(&format!("confirm-address {word}"));
    let warned = home.delivered();
    assert_eq!((warned.len(), warned[0].to.as_str()), (1, "eve@pbm.test"), "{warned:#?}");
    assert!(home.read("users/ev/eve1.json").contains("victim+1@pbm.test"));
    assert!(home.read("users/ev/eve2.json").contains("\"eve@pbm.test\""));

    assert_eq!(home.run(&["check"], b"").code, Some(0));
    let file = folder.join(&program::names(&folder)[0]);
    let file = file.join(&program::names(&file)[0]);
    fs::write(&file, "{").unwrap();
    let ran = home.run(&["check"], b"");
    assert!(ran.out.contains("mailboxes/") && ran.out.contains("cannot be read"), "{ran:?}");
    // An address with an unreadable count gets no mail.
    home.receive(mail(9, "eve", OWN, "signup eve9 secret victim@pbm.test", "").as_bytes());
    home.process();
    let told: Vec<Mail> = home.delivered();
    assert_eq!((told.len(), told[0].to.as_str()), (1, "eve@pbm.test"), "{told:#?}");
}

#[test]
fn old_passwords_and_addresses_leave_the_disk() {
    let home = Home::with_board();
    home.done("change password alice secret sesame1");
    home.done("change address alice sesame1 elsewhere@pbm.test");
    let spare = everything(&home.path().join("spare"));
    assert!(!spare.is_empty() && !spare.contains("argon2") && !spare.contains('@'), "{spare}");
    // The server checks the counts of mailboxes once a day and removes old counts.
    home.receive(mail(1, "eve", OWN, "signup eve secret", "").as_bytes());
    home.process();
    let counts = home.path().join("mailboxes");
    let folder = counts.join(&program::names(&counts)[0]);
    let file = folder.join(&program::names(&folder)[0]);
    assert_eq!(home.run(&["cron"], b"").code, Some(0));
    assert!(file.exists());
    let old = std::time::SystemTime::now() - std::time::Duration::from_hours(9 * 24);
    fs::File::open(&file).unwrap().set_modified(old).unwrap();
    fs::create_dir_all(home.path().join("sent/2001-01-01")).unwrap();
    assert_eq!(home.run(&["cron"], b"").code, Some(0));
    assert!(!file.exists());
}

#[test]
fn words_of_the_shell_cannot_leave_the_home() {
    let home = Home::new();
    for words in [
        &["signup", "../../evil", "secret", "evil@pbm.test"][..],
        &["signup", "a/b", "secret", "evil@pbm.test"],
        &["signup", "..", "secret", "evil@pbm.test"],
        &["signup", "eve", "secret", "-oQ/tmp@pbm.test"],
        &["signup", "eve", "secret", "eve@pbm.test\nBcc: all@pbm.test"],
        &["help", "../../../etc/passwd"],
        &["malaka", "show", "../1"],
        &["malaka", "show", "99999999999999999999"],
        &["malaka", "games", "../alice"],
        &[""],
        &["\u{202e}\u{0}".trim_end_matches('\0'), "x"],
    ] {
        let ran = home.run(words, b"");
        // A question for help gets an answer, even if there is no help on the topic.
        let code = if words[0] == "help" { 0 } else { 65 };
        assert_eq!((ran.code, ran.err.as_str()), (Some(code), ""), "{words:?}: {}", ran.out);
        assert!(!ran.out.contains("root:"), "{words:?}");
    }
    assert_eq!(program::names(home.base()), ["home"]);
    assert_eq!(home.names("users"), [""; 0]);
}

#[test]
fn positions_in_plays_out() {
    let line =
        "O 23 a8=OO a7=OO a1=OO b1=OO c1=OO e5=OO e3=X h5=X g9=XX h9=X i9=XX i3=X i2=XX i1=XX";
    let input = format!("{line}\ngarbage\n\n{line}");
    let ran = program::run(program().args(["plays", "malaka"]), input.as_bytes());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let lines: Vec<serde_json::Value> =
        ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 4, "a line for a line");
    let plays = lines[0]["plays"].as_array().unwrap();
    assert_eq!(plays.len(), 53);
    assert_eq!(plays.iter().filter(|play| play["play"] == "e5-e3,e5xh5").count(), 1);
    for garbage in &lines[1..3] {
        assert_eq!(garbage.as_object().unwrap().len(), 1);
        assert!(!garbage["error"].as_str().unwrap().is_empty());
    }
    assert_eq!(lines[3], lines[0]);

    let ran = program::run(program().args(["perft", "malaka", "2"]), b"");
    assert_eq!(ran, Ran { out: "24\n32931\n".into(), ..Ran::silent(0) });
    let ran = program::run(program().args(["perft", "malaka", "1", "-d6"]), b"");
    assert_eq!(ran, Ran { out: "33\n".into(), ..Ran::silent(0) });
}

#[test]
fn plays_and_import_name_each_other() {
    let plays = |input: &str| {
        let ran = program::run(program().args(["plays", "backgammon"]), input.as_bytes());
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
        ran.out
    };
    let bare = "-b----E-C---eE---c-e----B-:0:0:1:52:0:0:3:0:10\n";
    let two_lines = "  GNU Backgammon  Position ID: 4HPwATDgc/ABMA\n\
                     \u{20}                Match ID   : QYkqASAAIAAA\n";
    assert_eq!(plays(two_lines).lines().count(), 1, "two lines name one position");
    assert!(plays(two_lines).contains("match=9 score=2-4 cube=2O"));
    assert!(plays(bare).contains("jacoby beavers"));
    assert!(plays(" 3 point match\n").contains("`import` reads records"));

    let home = Home::new();
    for position in [bare, two_lines, "4HPwATDgc/ABMA\n"] {
        let ran = home.run(&["import", "backgammon"], position.as_bytes());
        assert_eq!(ran.code, Some(64), "{ran:?}");
        assert!(ran.err.contains("`plays backgammon` reads positions"), "{ran:?}");
    }
    let illegal = " 3 point match\n\n Game 1\n Zo\u{eb} : 0    ben : 0\n  1) 31: 8/5 6/4\n";
    let ran = home.run(&["import", "backgammon"], illegal.as_bytes());
    assert!(ran.err.contains("in line 5 Zo\u{eb} cannot play 31 so: 8/5 6/4"), "{ran:?}");
    let names = illegal.replace("8/5 6/4", "8/5 6/5").replace("ben", "b\u{202e}n");
    let ran = home.run(&["import", "backgammon"], names.as_bytes());
    assert!(ran.err.contains("Zo\u{eb}") && !ran.err.contains('\u{202e}'), "{ran:?}");
}

#[test]
fn a_comparison_of_levels_tells_how_each_pair_did() {
    let play = |seed: &str| {
        let args =
            ["compare-levels", "reversi", "--games", "2", "--seed", seed, "-size=8", "-mode=3"];
        let ran = program::run(program().args(args), b"");
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
        ran.out
    };
    let out = play("1");
    let lines: Vec<Vec<&str>> = out.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0][..3], ["first", "second", "wins"]);
    let pairs = ["random level 1", "level 1 level 2", "level 2 level 3", "level 3 level 4"];
    let pairs = pairs.into_iter().chain(["level 1 level 4", "random level 4"]);
    assert_eq!(lines.len(), 7);
    let mut results = Vec::new();
    for (line, pair) in lines[1..].iter().zip(pairs) {
        let words = pair.split(' ').count();
        assert_eq!(line[..words].join(" "), pair);
        let figures = &line[words..];
        let counts: Vec<u32> = figures[..3].iter().map(|word| word.parse().unwrap()).collect();
        assert_eq!(counts.iter().sum::<u32>(), 2, "{line:?}");
        let won = f64::from(2 * counts[2] + counts[1]) * 25.0;
        assert_eq!(figures[3..6], [&*format!("{won:.1}"), "%", "±"]);
        let points = (f64::from(counts[2]) - f64::from(counts[0])) / 2.0;
        assert_eq!(figures[7..9], [&*format!("{points:+.3}"), "±"]);
        let seconds: Vec<f64> = figures[10..].iter().map(|word| word.parse().unwrap()).collect();
        assert!(seconds.len() == 2 && seconds.iter().all(|&each| each < 10.0));
        results.push(counts);
    }
    // A player with lookahead beats a player without.
    assert_eq!(results[5][2], 2);
}

/// A file system of one megabyte, unmounted at the end.
struct Small(tempfile::TempDir);

impl Small {
    fn new() -> Self {
        let small = Self(tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap());
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=1m", "none"]).arg(small.0.path());
        assert_eq!(program::run(&mut mount, b""), Ran::silent(0));
        small
    }

    /// Fills the disk up to a number of free bytes.
    fn fill_but(&self, room: u64) -> std::path::PathBuf {
        let path = self.0.path().join("ballast");
        let mut file = fs::File::create(&path).unwrap();
        while file.write_all(&[0; 4096]).is_ok() {}
        let whole = file.metadata().unwrap().len();
        file.set_len((whole - room) / 4096 * 4096).unwrap();
        path
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(self.0.path()).status();
    }
}

#[test]
#[ignore = "needs root to mount a tmpfs: .ci/run runs it by name"]
fn full_disk_loses_nothing_and_doubles_nothing() {
    // The disk fills up at different steps. The journal has reserved its space, so usually the
    // commit succeeds and later steps fail; without the reserved space the commit fails, too.
    let mut waited = [0, 0];
    for (pages, journal) in (0..12).flat_map(|pages| [(pages, true), (pages, false)]) {
        let small = Small::new();
        let home = Home::beneath(small.0.path());
        home.set_up();
        let raw = move_mail(&home, 1);

        let ballast = small.fill_but(0);
        assert_put_off(&home.run(&["receive"], raw.as_bytes()), "make room there; no mail is lost");
        fs::remove_file(&ballast).unwrap();
        assert_eq!(home.names("spool/new"), [""; 0], "75 says that it was not taken");
        assert_eq!(home.names("spool/tmp"), [""; 0], "and half of it takes no room");

        home.receive(raw.as_bytes());
        if !journal {
            fs::remove_file(home.path().join("journal/0.txn")).unwrap();
        }
        let ballast = small.fill_but(pages * 4096);
        let ran = home.run(&["process"], b"");
        match ran.code {
            Some(0) => {}
            Some(75) => {
                waited[home.names("spool/new").len()] += 1;
                assert!(ran.err.contains("No space left on device"), "{}", ran.err);
                assert!(ran.err.contains(home.path().to_str().unwrap()), "{}", ran.err);
                assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
            }
            _ => panic!("{ran:?}"),
        }
        fs::remove_file(&ballast).unwrap();
        home.process();
        assert_eq!(home.moves(1), 1, "{pages} pages, {journal}");
        let to: Vec<String> = home.delivered().into_iter().map(|mail| mail.to).collect();
        assert_eq!(to, ["alice@pbm.test", "bob@pbm.test"], "{pages} pages, {journal}");
        home.assert_tidy();
    }
    let [committed, kept] = waited;
    println!("24 full disks: {kept} mails kept, {committed} committed and not yet in place");
    assert!(committed > 0 && kept > 0, "the disk was not full at the right times");
}
