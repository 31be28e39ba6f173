//! `setup`: it asks, writes the configuration, and sends a test mail to itself.

#![expect(clippy::disallowed_types, reason = "the test runs the program as an operator does")]

use crate::mail::postfix::Postfix;
use crate::support::program::{self, Mail, Ran, names, program_at, run};
use postboard::config::{AfterIntake, Config, Deliver, ImapConfig, ImapSecret, SAMPLE, Tls};
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::path::Path;
use std::process::Command;

/// A mail server that hands mails for `games@pbm.test` to a home and keeps all other mails in a
/// folder.
const SERVER: &str = r#"#!/bin/sh
for to in "$@"; do :; done
if [ "$to" = games@pbm.test ]; then exec "$PROGRAM" --home "$HOME_OF_GAMES" receive; fi
cat > "$SENT/$to"
"#;

struct Place {
    dir: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        program::script(&dir.path().join("sendmail"), SERVER);
        program::script(&dir.path().join("loses"), "#!/bin/sh\ncat > /dev/null\n");
        fs::create_dir(dir.path().join("sent")).unwrap();
        Self { dir }
    }

    fn at(&self, name: &str) -> std::path::PathBuf {
        self.dir.path().join(name)
    }

    fn command(&self) -> Command {
        let mut command = program_at(&self.at("home"));
        command.arg("setup");
        command.env("PROGRAM", program::PROGRAM).env("HOME_OF_GAMES", self.at("home"));
        command.env("SENT", self.at("sent"));
        command
    }

    /// Returns the same command with a mail server.
    fn served(&self) -> Command {
        let mut command = self.command();
        command.env("POSTBOARD_DELIVER_COMMAND", self.at("sendmail"));
        command
    }

    fn config(&self) -> String {
        fs::read_to_string(self.at("home/postboard.toml")).unwrap()
    }
}

/// Counts the questions in the output: with a default, with an optional answer, or for the password.
fn questions_in(out: &str) -> usize {
    assert!(!out.contains("[]"), "an empty default: {out}");
    ["]: ", " (empty: none): ", "The password: "].iter().map(|end| out.matches(end).count()).sum()
}

#[test]
fn five_answers_make_a_home_whose_mails_come_back() {
    let place = Place::new();
    let answers = "server\ngames@pbm.test\nGames of \"old\"\nops@pbm.test\nolga\n";
    let ran = run(place.served().arg("--by=sendmail"), answers.as_bytes());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    assert_eq!(questions_in(&ran.out), 5, "{}", ran.out);
    assert!(ran.out.contains("\npassword: "), "{}", ran.out);
    let last = "A mail to games@pbm.test came back and was executed; its answer goes to ops@pbm.test. It works.\n";
    assert!(ran.out.ends_with(last), "{}", ran.out);
    // The answer has left.
    assert_eq!(names(&place.at("sent")), ["ops@pbm.test"]);
    let list = run(program_at(&place.at("home")).args(["moderate", "list"]), b"");
    assert!(list.out.contains("olga"), "{list:?}");
    let config = Config::read(&place.config()).unwrap();
    assert_eq!(config.identity().name.as_str(), "Games of \"old\"");
    assert!(config.identity().plus);
    assert_eq!(config.alert.unwrap().to.as_str(), "ops@pbm.test");
    // The comments remain for people who read the file.
    assert!(
        place
            .config()
            .contains("# Whether people may sign up, by mail or in a browser, and play as guests.")
    );
}

#[test]
fn options_ask_nothing_and_a_second_time_only_tries() {
    let place = Place::new();
    let words = ["--address", "games@pbm.test", "--name", "Games", "--plus", "false"];
    let more = [
        "--by",
        "sendmail",
        "--own-address",
        "ops@pbm.test",
        "--door",
        "server",
        "--administrator",
        "",
    ];
    // The sample file is no configuration yet: a package installs it.
    assert_eq!(run(program_at(&place.at("home")).arg("init"), b"").code, Some(0));
    // Mails cannot come in yet: the test mail does not come back.
    let mut lost = place.command();
    lost.env("POSTBOARD_DELIVER_COMMAND", place.at("sendmail"));
    lost.env("PROGRAM", place.at("loses"));
    let Ran { code, out, .. } = run(lost.args(words).args(more).args(["--patience", "0"]), b"");
    assert_eq!(code, Some(65), "{out}");
    assert!(
        out.contains("left and has not come back in 0 seconds") && questions_in(&out) == 0,
        "{out}"
    );
    let before = place.config();
    let ran = run(&mut place.served(), b"");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains("it stays as it is") && ran.out.ends_with("It works.\n"), "{ran:?}");
    assert_eq!(place.config(), before);
}

#[test]
fn a_wrong_answer_leaves_no_home_behind() {
    let place = Place::new();
    let ran = run(&mut place.served(), b"server\nnobody\n\n\n\n");
    assert_eq!(ran.code, Some(64), "{ran:?}");
    assert!(ran.err.contains("postboard: \"nobody\" is not a mail address"), "{}", ran.err);
    assert!(!Path::new(&place.at("home")).exists());
    let ran = run(&mut place.served(), b"web\n\nGames\nadm1n\n");
    assert_eq!(ran.code, Some(64), "{ran:?}");
    assert!(ran.err.contains("postboard: \"adm1n\" is reserved, or looks like"), "{}", ran.err);
    assert!(!Path::new(&place.at("home")).exists());
}

/// An interrupted `setup` leaves such homes.
#[test]
fn a_home_without_its_configuration_is_asked_about_again() {
    let answers = |userid: &str| format!("web\n\nGames\n{userid}\n");
    let [add, appoint] =
        [&["user", "add", "olga", "--generate"][..], &["moderate", "appoint", "olga", "x"]];
    for commands in [&[&["init"][..]][..], &[&["init"], add], &[&["init"], add, appoint]] {
        let place = Place::new();
        for words in commands {
            let ran = run(program_at(&place.at("home")).args(*words), b"");
            assert_eq!(ran.code, Some(0), "{ran:?}");
        }
        let is_user = commands.len() > 1;
        if is_user {
            // Nothing is written if the administrator cannot be made.
            let ran = run(&mut place.command(), answers("o1ga").as_bytes());
            assert!(ran.code == Some(65) && ran.err.contains("o1ga looks so much like"), "{ran:?}");
            assert_eq!(place.config(), SAMPLE);
        }
        let ran = run(&mut place.command(), answers("olga").as_bytes());
        assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{}", ran.out);
        assert_eq!(ran.out.contains("olga is a user here already"), is_user, "{}", ran.out);
        assert_eq!(ran.out.contains("\npassword: "), !is_user, "{}", ran.out);
        assert!(place.config().contains("name = \"Games\""), "{}", place.config());
        let list = run(program_at(&place.at("home")).args(["moderate", "list"]), b"");
        assert!(list.out.contains("olga  administrator"), "{list:?}");
    }
}

/// Somebody who ends the input at a question has not agreed to its default.
#[test]
fn the_end_of_the_input_is_no_answer() {
    let all = ["server\n", "games@pbm.test\n", "Games\n", "ops@pbm.test\n"];
    for count in 0..=all.len() {
        let place = Place::new();
        let ran = run(&mut place.served(), all[..count].concat().as_bytes());
        assert_eq!((ran.code, ran.err.lines().count()), (Some(64), 1), "{ran:?}");
        assert!(ran.err.contains("the input has ended without an answer"), "{}", ran.err);
        assert!(!Path::new(&place.at("home")).exists(), "{count} answers");
    }
}

#[test]
fn a_mailbox_needs_its_address_and_password_alone() {
    let place = Place::new();
    let answers = "mailbox\ngames@gmx.de\nhunter2\n\n\n";
    let ran = run(&mut place.command(), answers.as_bytes());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    assert_eq!(questions_in(&ran.out), 5, "{}", ran.out);
    assert!(
        ran.out.contains("GMX: mails come from imap.gmx.net:993 and leave by mail.gmx.net:587.")
    );
    assert!(!ran.out.contains("hunter2"), "{}", ran.out);
    let secret = place.at("home/mail-password");
    assert_eq!(fs::read_to_string(&secret).unwrap(), "hunter2\n");
    assert_eq!(fs::metadata(&secret).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(!place.config().contains("hunter2"));
    let config = Config::read(&place.config()).unwrap();
    assert!(!config.identity().plus, "GMX does not deliver games+anything@gmx.de");
    let smtp = Deliver::Smtp {
        host: "mail.gmx.net".into(),
        port: 587,
        tls: Tls::Starttls,
        user: Some("games@gmx.de".into()),
        password_file: Some(secret.display().to_string()),
    };
    assert_eq!(config.deliver, smtp);
    let mailbox = ImapConfig {
        host: "imap.gmx.net".into(),
        port: 993,
        tls: Tls::Tls,
        user: "games@gmx.de".into(),
        secret: ImapSecret::PasswordFile(secret.display().to_string()),
        mailbox: "INBOX".into(),
        after: AfterIntake::Delete,
    };
    assert_eq!(config.imap, Some(mailbox));
    assert!(ran.out.contains("`postboard run` reads the mailbox of games@gmx.de"), "{}", ran.out);
}

#[test]
fn the_web_alone_needs_no_mail() {
    let place = Place::new();
    let ran = run(&mut place.command(), b"web\nhttps://games.example.org\nGames\nolga\n");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    assert_eq!(questions_in(&ran.out), 4, "{}", ran.out);
    assert!(
        ran.out.ends_with("The boards are at https://games.example.org/ while the server runs.\n")
    );
    let config = Config::read(&place.config()).unwrap();
    assert_eq!(config.web.address.as_deref(), Some("https://games.example.org"));
    assert_eq!(config.deliver, Deliver::Nothing);
}

/// The id of the user nobody.
const NOBODY: u32 = 65534;

/// Returns the indented lines after a title, up to an empty line.
fn block<'t>(text: &'t str, title: &str) -> Vec<&'t str> {
    let after = text.split_once(title).unwrap_or_else(|| panic!("no {title}: {text}")).1;
    let lines = after.lines().skip_while(|line| !line.starts_with("  "));
    lines.take_while(|line| line.starts_with("  ")).map(str::trim).collect()
}

/// Runs `setup` for a home beside a Postfix, as the user pbmtest. It looks for a configured Postfix; not every
/// machine with Postfix has a configuration.
fn setup_beside(post: &Postfix, home: &str, port: u16, words: &[&str]) -> Ran {
    let here = format!(
        "mount --bind {} /etc/postfix; exec setpriv --reuid {} --regid {} --clear-groups \"$@\"",
        post.at("etc").display(),
        post.user().0,
        post.user().1
    );
    let mut command = Command::new("unshare");
    command.args(["--mount", "sh", "-euc", &here, "sh"]).arg(post.at("postboard"));
    command.arg("--home").arg(post.at(home)).arg("setup").args(words);
    command.env("POSTBOARD_DELIVER_PORT", port.to_string()).env_remove("POSTBOARD_HOME");
    run(command.current_dir("/"), b"")
}

/// Returns options that answer all questions for a mail server.
fn answers<'a>(address: &'a str, plus: &'a str) -> Vec<&'a str> {
    let words = ["--address", address, "--name", "Games", "--plus", plus, "--by", "smtp"];
    let more = ["--door", "server", "--own-address", "", "--administrator", ""];
    [&words[..], &more].concat()
}

/// Runs commands as root for a private Postfix.
fn as_root(post: &Postfix, commands: &str) {
    let mut shell = Command::new("sh");
    let ran = run(shell.args(["-euc", commands]).env("MAIL_CONFIG", post.at("etc")), b"");
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

/// The commands are the commands that `setup` prints, except that the alias file is not in /etc.
#[test]
#[ignore = "needs Postfix and root: .ci/run installs it and runs this by name"]
fn the_lines_for_postfix_make_mails_come_back() {
    let (mut post, port) = Postfix::without_home("");
    post.alias("ops", &format!("{}/", post.at("mail/ops").display()));
    let setup = |words: &[&str]| setup_beside(&post, "home", port, words);
    let ran = setup(&answers("games@pbm.test", "true"));
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    assert!(ran.out.contains("\nThis machine has Postfix.\n"), "{}", ran.out);
    assert!(ran.out.ends_with("give your own address with --own-address\n"), "{}", ran.out);

    let folder = post.at("aliases").display().to_string();
    let root = block(&ran.out, "Run this as root").join("\n").replace("/etc/postboard", &folder);
    assert!(root.contains("| install -T -o pbmtest -m 644 "), "{root}");
    // If the file belonged to root, Postfix would run the program as nobody, who cannot write to
    // any home; the mailboxes then belong to nobody, too.
    chown(post.at("mail"), Some(NOBODY), None).unwrap();
    as_root(&post, "postconf -e 'default_privs = nobody'");
    as_root(&post, &root);

    let ran = setup(&["--own-address", "ops@pbm.test", "--patience", "30"]);
    let last = "A mail to games@pbm.test came back and was executed; its answer goes to ops@pbm.test. It works.\n";
    assert!(ran.code == Some(0) && ran.out.ends_with(last), "{ran:?}");
    post.until("the answer has come", |post| !names(&post.at("mail/ops/new")).is_empty());
    let mail = fs::read(post.at("mail/ops/new").join(&names(&post.at("mail/ops/new"))[0])).unwrap();
    let mail = Mail::read(&mail);
    assert_eq!((&*mail.to, &*mail.subject), ("ops@pbm.test", "Help"));
    // The second run has nothing to change.
    assert_eq!(block(&ran.out, "Run this as root"), ["postfix reload"]);

    // Another home has another file, but delivery reports reach the first one.
    let told = |home: &str, address: &str, plus: &str| {
        fs::create_dir(post.at(home)).unwrap();
        chown(post.at(home), Some(post.user().0), Some(post.user().1)).unwrap();
        setup_beside(&post, home, port, &answers(address, plus)).out
    };
    let out = told("club", "club@pbm.test", "true");
    let why = "Its configuration stays as it is, since alias_maps passes bounces on to games: set `plus = false`";
    assert!(out.contains(why) && !out.contains("Run this as root"), "{out}");
    let out = told("town", "games@pbm.test", "false");
    let why = "Its configuration stays as it is, since alias_maps passes games on to \"|";
    assert!(out.contains(why) && !out.contains("Run this as root"), "{out}");
    let out = told("other", "other@pbm.test", "false");
    let root = block(&out, "Run this as root").join("\n").replace("/etc/postboard", &folder);
    as_root(&post, &root);
    assert_eq!(names(&post.at("aliases")), ["aliases-games", "aliases-other"]);
    let first = fs::read_to_string(post.at("aliases/aliases-games")).unwrap();
    assert!(first.contains(&format!("--home {} receive", post.at("home").display())), "{first}");
}

/// Each case is a change of the configuration, the address of a new home, and what `setup` prints.
#[test]
#[ignore = "needs Postfix and root: .ci/run installs it and runs this by name"]
fn what_postfix_has_already_stays_as_it_is() {
    let (post, port) = Postfix::without_home("");
    let etc = post.at("etc").display().to_string();
    as_root(&post, &format!("echo 'virtual.test x' > {etc}/domains; postmap hash:{etc}/domains"));
    let kept = |why: &str| format!("Its configuration stays as it is, since {why}");
    let table = format!("virtual_mailbox_domains = hash:{etc}/domains");
    let broken = format!("virtual_mailbox_domains = hash:{etc}/missing");
    let added = "  postconf -e 'mydestination = pbm.test, localhost play.test'\n".to_owned();
    let evil = "`/tmp/e`@pbm.test";
    let cases = [
        (&*table, "games@virtual.test", kept("virtual.test is in virtual_mailbox_domains")),
        (&table, "games@play.test", added.clone()),
        (
            &broken,
            "games@play.test",
            kept("it cannot be told whether play.test is in virtual_mail"),
        ),
        ("virtual_mailbox_domains =", "games@play.test", added),
        ("recipient_delimiter = -", "games@pbm.test", kept("its recipient_delimiter is `-`")),
        (
            "recipient_delimiter = ",
            "games@pbm.test",
            "  postconf -e 'recipient_delimiter = +'\n".into(),
        ),
        ("recipient_delimiter = -+", evil, "Nothing is set up in it, since the address".into()),
    ];
    for (index, (line, address, want)) in cases.iter().enumerate() {
        as_root(&post, &format!("postconf -e '{line}'"));
        let home = format!("home{index}");
        fs::create_dir(post.at(&home)).unwrap();
        chown(post.at(&home), Some(post.user().0), Some(post.user().1)).unwrap();
        let ran = setup_beside(&post, &home, port, &answers(address, "true"));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(ran.out.contains(want), "{line} {address}: {}", ran.out);
        let has_commands = want.starts_with("  ");
        assert_eq!(ran.out.contains("Run this as root"), has_commands, "{}", ran.out);
    }
}
