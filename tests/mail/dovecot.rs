//! A game through Postfix and Dovecot; fetchmail, getmail and mbsync read the mailboxes (see
//! tests/README.md).

#![expect(clippy::unwrap_used, reason = "a failed `unwrap` fails the test")]
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the test runs mail servers"
)]

mod idle;
mod provider;
mod secure;

use crate::mail::postfix::{PLAYERS, Postfix};
use crate::support::program;
use std::collections::BTreeSet;
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::path::Path;
use std::process::Command;

/// A private Dovecot.
struct Boxes {
    dir: tempfile::TempDir,
    imap: u16,
    pop3: u16,
    lmtp: u16,
    /// The port for TLS, if there is one.
    imaps: u16,
    /// The port at which mail servers ask whose password is right, if there is one.
    sasl: u16,
}

/// What a Dovecot does besides.
enum Service {
    /// It speaks TLS, too.
    Tls,
    /// It takes access tokens that the server at this port knows.
    Tokens(u16),
    /// It tells mail servers whose password is right.
    Passwords,
}

fn bench(what: &str, dir: &Path, args: &[&str]) -> String {
    bench_with(what, dir, args, &[])
}

fn bench_with(what: &str, dir: &Path, args: &[&str], env: &[(&str, u16)]) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mail/dovecot.sh");
    let env = env.iter().map(|(name, port)| (name, port.to_string()));
    let ran = program::run(Command::new(script).arg(what).arg(dir).args(args).envs(env), b"");
    assert_eq!(ran.code, Some(0), "dovecot.sh {what}: {} {}", ran.out, ran.err);
    ran.out
}

impl Boxes {
    fn start() -> Self {
        Self::begin(&[])
    }

    /// Starts Dovecot with TLS, and with access tokens that the server at this port knows.
    fn secure(tokens: u16) -> Self {
        Self::begin(&[Service::Tls, Service::Tokens(tokens)])
    }

    fn begin(services: &[Service]) -> Self {
        let dir = tempfile::Builder::new().prefix("dovecot-").tempdir().unwrap();
        fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let listeners = [(); 5].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
        let [imap, pop3, lmtp, imaps, sasl] =
            listeners.each_ref().map(|it| it.local_addr().unwrap().port());
        drop(listeners);
        let boxes = Self { dir, imap, pop3, lmtp, imaps, sasl };
        let ports = [imap, pop3, lmtp].map(|port| port.to_string());
        let [imap, pop3, lmtp] = ports.each_ref().map(String::as_str);
        let users = [PLAYERS[0], PLAYERS[1], "postboard"];
        let words = [&[imap, pop3, lmtp][..], &users].concat();
        let env = services.iter().map(|service| match service {
            Service::Tls => ("IMAPS", imaps),
            Service::Tokens(port) => ("TOKENS", *port),
            Service::Passwords => ("SASL", sasl),
        });
        let env: Vec<_> = env.collect();
        bench_with("start", boxes.dir.path(), &words, &env);
        boxes
    }

    /// Writes the configuration of a mail fetcher, readable for pbmtest alone.
    fn tell(&self, post: &Postfix, name: &str, text: &str) {
        let text = text
            .replace("@imap@", &self.imap.to_string())
            .replace("@pop3@", &self.pop3.to_string())
            .replace("@dir@", post.at("").to_str().unwrap().trim_end_matches('/'));
        let path = post.at("home").parent().unwrap().join("rc").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        for place in [&path, path.parent().unwrap()] {
            chown(place, Some(post.user().0), Some(post.user().1)).unwrap();
        }
    }

    /// Configures mbsync to copy the mailboxes of the players.
    fn players(&self, post: &Postfix) {
        let account = |player: &str| {
            format!(
                "IMAPStore {player}-there\nHost 127.0.0.1\nPort @imap@\nUser {player}\n\
                 Pass secret\nSSLType None\nAuthMechs LOGIN\n\n\
                 MaildirStore {player}-here\nInbox @dir@/mail/{player}\nPath @dir@/mail/\n\n\
                 Channel {player}\nFar :{player}-there:\nNear :{player}-here:\n\
                 Sync Pull\nCreate Near\nSyncState *\n\n"
            )
        };
        self.tell(post, "mbsyncrc", &PLAYERS.map(account).concat());
    }

    /// Returns the errors and warnings in Dovecot's log.
    fn complaints(&self) -> Vec<String> {
        let log = bench("log", self.dir.path(), &[]);
        let bad =
            log.lines().filter(|l| ["Error", "Warning", "Fatal"].iter().any(|w| l.contains(w)));
        bad.map(Into::into).collect()
    }
}

impl Drop for Boxes {
    fn drop(&mut self) {
        bench("stop", self.dir.path(), &[]);
    }
}

/// Runs a mail fetcher; `fine` are its allowed exit codes.
fn fetch(post: &Postfix, program: &str, args: &[&str], fine: &[i32]) {
    let mut command = Command::new(program);
    let rc = post.at("rc");
    command.env("HOME", &rc).env("FETCHMAILHOME", &rc).env("XDG_CONFIG_HOME", &rc).args(args);
    let ran = post.run(&mut command, b"");
    assert!(ran.code.is_some_and(|code| fine.contains(&code)), "{program}: {ran:?}");
}

fn mbsync(post: &Postfix) {
    let rc = post.at("rc/mbsyncrc");
    fetch(post, "mbsync", &["-q", "-c", rc.to_str().unwrap(), "-a"], &[0]);
}

/// Fetches by IMAP with fetchmail, which exits with 1 if the mailbox is empty.
fn by_fetchmail(post: &Postfix) {
    let rc = post.at("rc/fetchmailrc");
    fetch(post, "fetchmail", &["-s", "--nosyslog", "-f", rc.to_str().unwrap()], &[0, 1]);
    mbsync(post);
}

/// Fetches by POP3 with getmail.
fn by_getmail(post: &Postfix) {
    let rc = post.at("rc");
    let dir = format!("--getmaildir={}", rc.display());
    fetch(post, "getmail", &["-q", &dir, "--rcfile=getmailrc"], &[0]);
    mbsync(post);
}

const SMTP: &str = "by = \"smtp\"\nhost = \"127.0.0.1\"\nport = PORT\ntls = \"none\"";

/// Plays up to `most` moves, half of them by Reply, then resigns, and checks that each mail came
/// once. One game in nine is won before the resignation.
fn play(post: &mut Postfix, boxes: &Boxes, most: usize) {
    let mut last = post.begin("-many -no_stagger");
    let moves = post.play(&["-many", "-no_stagger"], &mut last, most);
    let is_won = !last.iter().any(|mail| mail.subject.to_lowercase().contains("your turn:"));
    let ends = if is_won {
        last.map(|mail| mail.subject)
    } else {
        let [alice, _] = last;
        let subject = format!("Re: {}", alice.subject);
        post.command("alice", &alice.reply_to.unwrap(), &subject, "resign");
        [0, 1].map(|player| post.fresh(player, 1).remove(0).subject)
    };
    let told = |head: [&str; 2]| {
        [
            format!("{}: Malaka 1 against bob", head[0]),
            format!("{}: Malaka 1 against alice", head[1]),
        ]
    };
    let alice_lost = told(["You lost", "You won"]);
    assert!(ends == alice_lost || is_won && ends == told(["You won", "You lost"]), "{ends:?}");
    // One mail for the signup, one for the challenge, one for each move, one for the resignation.
    let mails = moves.len() + if is_won { 2 } else { 3 };
    for (player, id) in PLAYERS.iter().enumerate() {
        assert_eq!(post.read[player].len(), mails);
        let to = format!("to=<{id}@pbm.test>");
        assert_eq!(post.logged(&[&to, "status=sent (250 "]), mails);
    }
    assert!(post.assert_tidy(&moves).is_over());
    assert_eq!(boxes.complaints(), [""; 0]);
    let left = BTreeSet::from_iter(program::names(&boxes.dir.path().join("boxes/postboard/new")));
    assert!(left.is_empty(), "{left:?}");
}

#[test]
#[ignore = "needs Postfix, Dovecot, fetchmail and mbsync: .ci/run installs them and runs this by name"]
fn sixty_moves_are_played_through_postfix_dovecot_and_fetchmail() {
    let boxes = Boxes::start();
    let mut post = Postfix::hosted(SMTP, boxes.lmtp, by_fetchmail);
    boxes.players(&post);
    // The configuration from docs/operating/install.md.
    let rc = "poll 127.0.0.1 service @imap@ protocol imap auth password\n  \
              user \"postboard\" password \"secret\" sslproto \"\" no rewrite nokeep\n  \
              mda \"@dir@/postboard --home @dir@/home receive\"\n";
    boxes.tell(&post, "fetchmailrc", rc);
    play(&mut post, &boxes, 60);
}

#[test]
#[ignore = "needs Postfix, Dovecot, getmail and mbsync: .ci/run installs them and runs this by name"]
fn a_game_is_played_through_pop3_and_getmail() {
    let boxes = Boxes::start();
    let mut post = Postfix::hosted(SMTP, boxes.lmtp, by_getmail);
    boxes.players(&post);
    // The configuration from docs/operating/install.md.
    let rc = "[retriever]\ntype = SimplePOP3Retriever\nserver = 127.0.0.1\nport = @pop3@\n\
              username = postboard\npassword = secret\n\n[destination]\n\
              type = MDA_external\npath = @dir@/postboard\n\
              arguments = (\"--home\", \"@dir@/home\", \"receive\")\n\n[options]\n\
              delete = true\nread_all = false\n";
    boxes.tell(&post, "getmailrc", rc);
    play(&mut post, &boxes, 8);
}
