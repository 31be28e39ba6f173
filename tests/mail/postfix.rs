//! Whole games through a real Postfix (see tests/README.md).

#![expect(clippy::print_stdout, reason = "the test prints how many cases it tried")]
#![expect(clippy::unwrap_used, reason = "a failed `unwrap` fails the test")]
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the test runs a mail server and waits for it"
)]

use crate::support::home::KEY;
use crate::support::program::{self, DEAD_PORT, Mail, Ran, mail, names, run_at};
use games::{Next, Outcome};
use lettre::address::Envelope;
use lettre::{SmtpTransport, Transport as _};
use postboard::base::time::{HOUR, MINUTE, Span, Time, days, hours};
use postboard::model::board::Board;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha20Rng;
use rustix::process::{Pid, Signal, kill_process};
use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

pub(crate) const PLAYERS: [&str; 2] = ["alice", "bob"];
const OWN: &str = "postboard@pbm.test";

/// A private Postfix that hands mails to the program, which runs as the user pbmtest.
pub(crate) struct Postfix {
    dir: tempfile::TempDir,
    user: (u32, u32),
    /// The text in Postfix's log after a delivery of the program's mail.
    handed: &'static str,
    /// Copies mails from the mail server to the folders that the test reads.
    fetch: fn(&Self),
    sender: SmtpTransport,
    /// The number of mails that players have sent.
    sent: u32,
    /// The files in each player's mailbox that the test has read.
    pub(crate) read: [BTreeSet<String>; 2],
    began: Instant,
}

impl Postfix {
    /// Starts a Postfix. `deliver` is the table `[deliver]` of the configuration; its words DIR and
    /// PORT are replaced by their values.
    pub(crate) fn start(deliver: &str) -> Self {
        let mut post = Self::with_home(deliver, "");
        let receive = format!(
            "\"|{} --home {} receive\"",
            post.at("postboard").display(),
            post.at("home").display()
        );
        post.alias("postboard", &receive);
        post.give_players_maildirs();
        post
    }

    fn give_players_maildirs(&mut self) {
        for player in PLAYERS {
            let maildir = format!("{}/", self.at("mail").join(player).display());
            self.alias(player, &maildir);
        }
    }

    /// Starts a Postfix that delivers to mailboxes by LMTP at this port; `fetch` copies the mails
    /// from there.
    pub(crate) fn hosted(deliver: &str, lmtp: u16, fetch: fn(&Self)) -> Self {
        let mut post = Self::with_home(deliver, &format!("inet:127.0.0.1:{lmtp}"));
        (post.handed, post.fetch) = ("status=sent (250 ", fetch);
        post
    }

    fn with_home(deliver: &str, lmtp: &str) -> Self {
        let (mut post, port) = Self::without_home(lmtp);
        assert_eq!(post.postboard(&["init"]).code, Some(0));
        fs::write(post.at("home/key"), KEY).unwrap();
        let deliver = deliver.replace("PORT", &port.to_string());
        let deliver = deliver.replace("DIR", post.dir.path().to_str().unwrap());
        let config = format!(
            "address = \"{OWN}\"\nplus = true\n[limits]\nmails_a_day = 9999\n\
             [deliver]\n{deliver}\n"
        );
        fs::write(post.at("home/postboard.toml"), config).unwrap();

        post.alias("bounces", "postboard");
        post
    }

    /// Starts a Postfix without the program; returns it and its SMTP port. The folder of the home
    /// is empty.
    pub(crate) fn without_home(lmtp: &str) -> (Self, u16) {
        Self::with_services(lmtp, &[])
    }

    /// Does the same, with these variables for the script.
    pub(crate) fn with_services(lmtp: &str, variables: &[(&str, String)]) -> (Self, u16) {
        let began = Instant::now();
        let dir = tempfile::Builder::new().prefix("postfix-").tempdir().unwrap();
        fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
        // Another process hardly ever takes a port that was just freed.
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let sender = SmtpTransport::builder_dangerous("127.0.0.1").port(port).build();
        let mut post = Self {
            dir,
            user: (0, 0),
            handed: "status=sent (delivered to command: ",
            fetch: |_| (),
            sender,
            sent: 0,
            read: [BTreeSet::new(), BTreeSet::new()],
            began,
        };
        let lmtp = lmtp.replace("DIR", post.dir.path().to_str().unwrap());
        post.bench_with("start", &[&port.to_string(), &lmtp], variables);
        post.user = (id("-u"), id("-g"));

        // The checkout may be in a folder that pbmtest cannot enter.
        program::copy(&post.at("postboard"));
        for folder in ["home", "mail"] {
            fs::create_dir(post.at(folder)).unwrap();
            chown(post.at(folder), Some(post.user.0), Some(post.user.1)).unwrap();
        }
        (post, port)
    }

    pub(crate) fn alias(&mut self, name: &str, target: &str) {
        self.bench("alias", &[name, target]);
    }

    /// Returns the ids of the user pbmtest and of its group.
    pub(crate) fn user(&self) -> (u32, u32) {
        self.user
    }

    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn bench(&self, what: &str, args: &[&str]) -> String {
        self.bench_with(what, args, &[])
    }

    fn bench_with(&self, what: &str, args: &[&str], variables: &[(&str, String)]) -> String {
        let mut bench =
            Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mail/postfix.sh"));
        bench.arg(what).arg(self.dir.path()).args(args);
        bench.envs(variables.iter().map(|(name, value)| (name, value)));
        let ran = program::run(&mut bench, b"");
        assert_eq!(ran.code, Some(0), "postfix.sh {what}: {} {}", ran.out, ran.err);
        ran.out
    }

    pub(crate) fn postboard(&self, args: &[&str]) -> Ran {
        self.postboard_on(args, b"")
    }

    fn postboard_on(&self, args: &[&str], input: &[u8]) -> Ran {
        let mut command = Command::new(self.at("postboard"));
        command.arg("--home").arg(self.at("home")).args(args);
        self.run(&mut command, input)
    }

    /// Runs a command as the user pbmtest.
    pub(crate) fn run(&self, command: &mut Command, input: &[u8]) -> Ran {
        command.uid(self.user.0).gid(self.user.1).current_dir("/").env_remove("POSTBOARD_HOME");
        program::run(command, input)
    }

    /// Sends a mail by SMTP, as a player's mail program does.
    fn send(&mut self, from: &str, to: &str, subject: &str, body: &str) {
        self.sent += 1;
        let raw = mail(self.sent, from, to, subject, body);
        let sender = format!("{from}@pbm.test").parse().unwrap();
        let envelope = Envelope::new(Some(sender), vec![to.parse().unwrap()]).unwrap();
        self.sender.send_raw(&envelope, raw.as_bytes()).unwrap();
    }

    /// Sends a mail, waits until it is in the spool, and executes it.
    pub(crate) fn command(&mut self, from: &str, to: &str, subject: &str, body: &str) {
        self.send(from, to, subject, body);
        self.until("a mail is in the spool", |post| post.waiting() == 1);
        self.cron();
    }

    fn waiting(&self) -> usize {
        names(&self.at("home/spool/new")).len()
    }

    pub(crate) fn cron(&self) {
        let ran = self.postboard(&["cron"]);
        assert_eq!(ran, Ran::silent(0));
    }

    /// Waits for `count` unread mails of a player and returns them; more unread mails are an error.
    pub(crate) fn fresh(&mut self, player: usize, count: usize) -> Vec<Mail> {
        let folder = self.at("mail").join(PLAYERS[player]).join("new");
        let unread = |post: &Self| -> Vec<String> {
            names(&folder).into_iter().filter(|name| !post.read[player].contains(name)).collect()
        };
        self.until("the answers have come", |post| unread(post).len() >= count);
        let fresh = unread(self);
        assert_eq!(fresh.len(), count, "{} got more mails than expected", PLAYERS[player]);
        let mails =
            fresh.iter().map(|name| Mail::read(&fs::read(folder.join(name)).unwrap())).collect();
        self.read[player].extend(fresh);
        mails
    }

    /// Returns a player's unread mails, the oldest first.
    pub(crate) fn come(&mut self, player: usize) -> Vec<Mail> {
        let folder = self.at("mail").join(PLAYERS[player]).join("new");
        let mut new = names(&folder);
        new.retain(|name| !self.read[player].contains(name));
        let written = |name: &String| fs::metadata(folder.join(name)).unwrap().modified().unwrap();
        new.sort_by_key(written);
        self.read[player].extend(new.iter().cloned());
        new.iter().map(|name| Mail::read(&fs::read(folder.join(name)).unwrap())).collect()
    }

    pub(crate) fn until(&self, what: &str, is: impl Fn(&Self) -> bool) {
        let deadline = Instant::now() + Duration::from_mins(1);
        while !is(self) {
            (self.fetch)(self);
            assert!(Instant::now() < deadline, "waited too long until {what}\n{}", self.log());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn log(&self) -> String {
        self.bench("log", &[])
    }

    /// Counts the lines of the mail log with all of these words.
    pub(crate) fn logged(&self, words: &[&str]) -> usize {
        let log = self.log();
        log.lines().filter(|line| words.iter().all(|word| line.contains(word))).count()
    }

    /// Signs up both players by mails that are executed at once.
    fn signs_up_both(&mut self) {
        for (player, id) in PLAYERS.iter().enumerate() {
            self.send(id, OWN, &format!("signup {id} secret"), "");
            assert!(self.fresh(player, 1)[0].text.starts_with(&format!("Welcome, {id}!")));
        }
    }

    /// Lets the player to move answer the first mails of a board: a reply goes to an address with a tag.
    fn answers_the_challenge(&mut self) {
        let mut last = [self.fresh(0, 1).remove(0), self.fresh(1, 1).remove(0)];
        let turn = last.iter().position(|mail| mail.subject.contains("our turn:")).unwrap();
        let Mail { subject, reply_to, .. } = last[turn].clone();
        self.send(PLAYERS[turn], &reply_to.unwrap(), &format!("Re: {subject}"), "chat\n\nHello");
        last = [self.fresh(0, 1).remove(0), self.fresh(1, 1).remove(0)];
        assert!(last.iter().any(|mail| mail.text.contains("Hello")), "{last:#?}");
    }

    /// Signs both players up and sends a challenge. Afterwards each player has read one mail about
    /// the board.
    pub(crate) fn begin(&mut self, options: &str) -> [Mail; 2] {
        for (player, id) in PLAYERS.iter().enumerate() {
            self.command(id, OWN, &format!("signup {id} secret"), "");
            assert!(self.fresh(player, 1)[0].text.starts_with(&format!("Welcome, {id}!")));
        }
        self.command("alice", OWN, &format!("malaka challenge alice bob {options}"), "");
        [self.fresh(0, 1).remove(0), self.fresh(1, 1).remove(0)]
    }

    /// Plays random moves until the game is over or `most` moves have been made; returns the moves.
    pub(crate) fn play(
        &mut self,
        options: &[&str],
        last: &mut [Mail; 2],
        most: usize,
    ) -> Vec<String> {
        let mut chance = ChaCha20Rng::seed_from_u64(1);
        let mut moves = Vec::new();
        while moves.len() < most {
            let Some(player) =
                last.iter().position(|mail| mail.subject.to_lowercase().contains("your turn:"))
            else {
                break;
            };
            assert_eq!(last[0].position(), last[1].position());
            let ran = self.postboard_on(
                &[&["plays", "malaka"], options].concat(),
                last[player].position().as_bytes(),
            );
            let plays: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
            let plays = plays["plays"].as_array().unwrap_or_else(|| panic!("{ran:?}"));
            let play = &plays[chance.random_range(0..plays.len())]["play"];
            let play = play.as_str().unwrap().to_owned();
            let id = PLAYERS[player];
            // Each player sends two moves as commands, then two as replies.
            if moves.len() % 4 < 2 {
                self.command(id, OWN, &format!("malaka move 1 {id} secret {play}"), "");
            } else {
                let Mail { subject, text, reply_to, .. } = last[player].clone();
                let quoted = text.lines().collect::<Vec<_>>().join("\n> ");
                let to = reply_to.unwrap();
                let intro = format!("On Sat, 21 Nov 2026 at 12:00, Postboard <{to}> wrote:");
                let body = format!("{play}\n\n{intro}\n> {quoted}");
                self.command(id, &to, &format!("Re: {subject}"), &body);
            }
            moves.push(play);
            *last = [self.fresh(0, 1).remove(0), self.fresh(1, 1).remove(0)];
        }
        moves
    }

    fn board(&self) -> Board {
        let board = fs::read_to_string(self.at("home/boards/malaka/0/1.json")).unwrap();
        Board::read(&board).unwrap()
    }

    /// Checks that no mail waits and no mail arrived twice; returns the board.
    pub(crate) fn assert_tidy(&self, moves: &[String]) -> Board {
        let came = self.assert_settled();
        let board = self.board();
        let recorded: Vec<String> =
            board.moves().filter(|turn| !turn.auto).map(|turn| turn.text.into_owned()).collect();
        assert_eq!(recorded, moves);
        println!(
            "{} mails to the server and {came} from it, {} moves, in {:.1} s",
            self.sent,
            moves.len(),
            self.began.elapsed().as_secs_f32()
        );
        board
    }

    /// Checks that no mail waits and no mail arrived twice; returns the number of mails that came.
    fn assert_settled(&self) -> usize {
        self.until("the queue is empty", |post| post.bench("queue", &[]).is_empty());
        let check = self.postboard(&["check"]);
        assert_eq!(check, Ran::silent(0));
        for folder in
            ["spool/new", "spool/cur", "spool/tmp", "spool/bad", "outbox/new", "outbox/cur"]
        {
            assert_eq!(names(&self.at("home").join(folder)), [""; 0], "{folder}");
        }
        assert_eq!(names(&self.at("home/outbox/bad")), [""; 0]);
        let mut ids = BTreeSet::new();
        for player in PLAYERS {
            let folder = self.at("mail").join(player).join("new");
            let mails = names(&folder);
            ids.extend(
                mails.iter().map(|name| Mail::read(&fs::read(folder.join(name)).unwrap()).id),
            );
        }
        let came: usize = self.read.iter().map(BTreeSet::len).sum();
        assert_eq!(ids.len(), came, "every mail has an id of its own");
        let handed = ["to=<postboard", self.handed];
        let sent = self.sent as usize;
        self.until("the log shows every mail", |post| post.logged(&handed) >= sent);
        assert_eq!(self.logged(&handed), sent, "{}", self.log());
        for word in ["status=bounced", "status=deferred", "warning:", "fatal:"] {
            assert_eq!(self.logged(&[word]), 0, "{}", self.log());
        }
        came
    }
}

impl Drop for Postfix {
    fn drop(&mut self) {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mail/postfix.sh");
        let _ = Command::new(script).arg("stop").arg(self.dir.path()).status();
    }
}

fn id(what: &str) -> u32 {
    let ran = program::run(Command::new("id").args([what, "pbmtest"]), b"");
    ran.out.trim().parse().unwrap()
}

/// `postboard run`, ended by SIGTERM.
struct Runner(Child);

impl Runner {
    fn start(post: &Postfix, lmtp: &Path) -> Self {
        let socket = format!("unix:{}", lmtp.display());
        Self::begin(post, ["--lmtp", &socket], &format!("lmtp:{socket}"))
    }

    /// Starts the program with an option, and checks where it says that it takes mails.
    fn begin(post: &Postfix, option: [&str; 2], at: &str) -> Self {
        let mut command = Command::new(post.at("postboard"));
        command.arg("--home").arg(post.at("home")).arg("run").args(option);
        command.uid(post.user.0).gid(post.user.1);
        let mut child = command.current_dir("/").stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        assert_eq!(line, format!("Mails are taken at {at}\n"));
        Self(child)
    }

    fn end(&mut self) {
        kill_process(Pid::from_child(&self.0), Signal::TERM).unwrap();
        assert_eq!(self.0.wait().unwrap().code(), Some(0));
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Postfix relays by SMTP, as from another machine.
#[test]
#[ignore = "needs Postfix: .ci/run installs it and runs this by name"]
fn a_game_is_begun_through_postfix_and_smtp() {
    let smtp = "by = \"smtp\"\nhost = \"127.0.0.1\"\nport = PORT\ntls = \"none\"";
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let relay = format!("smtp:[127.0.0.1]:{}", port.port());
    let mut post = Postfix::with_home(smtp, &relay);
    post.give_players_maildirs();
    let at = port.to_string();
    let mut running = Runner::begin(&post, ["--smtp", &at], &format!("smtp:{at}"));
    post.signs_up_both();
    post.send("alice", OWN, "malaka challenge alice bob", "");
    post.answers_the_challenge();
    // Every mail for a mailbox is relayed; the program takes only its own.
    post.send("alice", "carol@pbm.test", "hello", "");
    post.until("the mail is refused", |post| {
        post.logged(&["to=<carol@pbm.test>", "status=bounced", "There is no such recipient here"])
            == 1
    });
    running.end();
    assert_eq!(post.logged(&["to=<postboard", "status=sent (250 2.6.0"]), 4);
    let check = post.postboard(&["check"]);
    assert_eq!(check, Ran::silent(0));
}

/// One process takes mails by LMTP, executes them and sends the answers; Postfix keeps the mails that come
/// while it does not run.
#[test]
#[ignore = "needs Postfix: .ci/run installs it and runs this by name"]
fn a_game_is_begun_through_postfix_and_lmtp_without_cron() {
    let smtp = "by = \"smtp\"\nhost = \"127.0.0.1\"\nport = PORT\ntls = \"none\"";
    // This folder belongs to the program's user.
    let mut post = Postfix::with_home(smtp, "unix:DIR/mail/lmtp");
    post.give_players_maildirs();
    let lmtp = post.at("mail/lmtp");
    let mut running = Runner::start(&post, &lmtp);
    post.signs_up_both();
    running.end();
    assert!(!lmtp.exists());
    post.send("alice", OWN, "malaka challenge alice bob", "");
    post.until("the mail waits in the queue", |post| {
        post.logged(&["to=<postboard@pbm.test>", "status=deferred"]) > 0
    });
    let mut running = Runner::start(&post, &lmtp);
    post.answers_the_challenge();
    running.end();
    let check = post.postboard(&["check"]);
    assert_eq!(check, Ran::silent(0));
}

#[test]
#[ignore = "needs Postfix: .ci/run installs it and runs this by name"]
fn a_whole_game_is_played_through_postfix() {
    let mut post = Postfix::start("by = \"maildir\"\npath = \"DIR/mail/{local}\"");
    let mut last = post.begin("-d6");
    let moves = post.play(&["-d6"], &mut last, usize::MAX);
    let mut ends = last.each_ref().map(|mail| mail.subject.as_str());
    ends.sort_unstable();
    let [lost, won] = ends;
    assert!(lost.starts_with("You lost: Malaka 1 against "), "{lost}");
    assert!(won.starts_with("You won: Malaka 1 against "), "{won}");
    // One mail for the signup, one for the challenge, and one for each move.
    assert_eq!(post.read.each_ref().map(BTreeSet::len), [moves.len() + 2; 2]);
    let board = post.assert_tidy(&moves);
    assert!(matches!(board.position().next(), Next::Over(Outcome::Won { .. })));
}

#[test]
#[ignore = "needs Postfix: .ci/run installs it and runs this by name"]
fn answers_go_out_through_postfix() {
    let mut post =
        Postfix::start("by = \"smtp\"\nhost = \"127.0.0.1\"\nport = PORT\ntls = \"none\"");
    let mut last = post.begin("-many -no_stagger");
    let moves = post.play(&["-many", "-no_stagger"], &mut last, 12);
    assert_eq!(moves.len(), 12);
    let [alice, _] = last;
    let subject = format!("Re: {}", alice.subject);
    post.command("alice", &alice.reply_to.unwrap(), &subject, "resign");
    for (player, id) in PLAYERS.iter().enumerate() {
        let end = ["You lost: Malaka 1 against bob", "You won: Malaka 1 against alice"];
        assert_eq!(post.fresh(player, 1)[0].subject, end[player]);
        assert_eq!(post.read[player].len(), 12 + 3);
        let to = format!("to=<{id}@pbm.test>");
        let came = [to.as_str(), "status=sent (delivered to maildir)"];
        post.until("the log shows every answer", |post| post.logged(&came) >= 15);
        assert_eq!(post.logged(&came), 15, "{}", post.log());
    }
    let board = post.assert_tidy(&moves);
    assert!(board.is_over());
    // Failed deliveries are reported to an address that is unique to each mail, and to <> for
    // answers to senders without a password.
    assert!(post.logged(&["from=<bounces+"]) >= 26, "{}", post.log());
}

#[test]
#[ignore = "needs Postfix and PyNaCl: .ci/run installs them and runs this by name"]
fn dice_in_mails_that_came_through_postfix_are_checked_by_another_program() {
    let mut post =
        Postfix::start("by = \"smtp\"\nhost = \"127.0.0.1\"\nport = PORT\ntls = \"none\"");
    let mut last = post.begin("-d6 -seed=of-alice");
    for (player, id) in PLAYERS.iter().enumerate() {
        post.command(id, OWN, &format!("set {id} secret proofs on"), "");
        post.fresh(player, 1);
    }
    post.play(&["-d6"], &mut last, 8);
    post.command("alice", OWN, "malaka proof 1", "");
    let all = post.fresh(0, 1).remove(0).text;
    // The opening, and a roll after each move; a forced turn has an additional roll. The dice
    // depend on the second in which the board began, so forced turns occur only in some runs.
    let board = post.board();
    let rolls = 1 + board.moves().count();
    assert!(rolls >= 9 && board.drawn() == rolls, "{rolls} rolls, {} drawn", board.drawn());
    let end = format!("dice end 1-{rolls} of {rolls}");
    assert!(all.contains("word alice of-alice from 1") && all.contains(&end), "{end}: {all}");
    let mut proving = 0;
    for (player, id) in PLAYERS.iter().enumerate() {
        let folder = post.at("mail").join(id).join("new");
        for name in &post.read[player] {
            let mail = folder.join(name);
            if !Mail::read(&fs::read(&mail).unwrap()).text.contains("dice end ") {
                continue;
            }
            assert!(crate::games::dice::checker_accepts(&mail), "{mail:?}");
            let ran = post.postboard(&["verify", &mail.display().to_string()]);
            assert!(ran.code == Some(0) && ran.out.contains("proved"), "{ran:?}");
            proving += 1;
        }
    }
    // One mail to each player for each move, and one mail that a player requested.
    assert_eq!(proving, 2 * 8 + 1);
}

#[test]
#[ignore = "needs Postfix: .ci/run installs it and runs this by name"]
fn postfix_keeps_what_receive_does_not_take() {
    let mut post = Postfix::start("by = \"maildir\"\npath = \"DIR/mail/{local}\"");
    let config = post.at("home/postboard.toml");
    let sound = fs::read_to_string(&config).unwrap();
    fs::write(&config, format!("{sound}\n[limits]\nsing_up = true\n")).unwrap();
    post.send("alice", OWN, "signup alice secret", "");
    // Delivery by a pipe transport, which runs the program itself.
    let receive = post.at("receive");
    let home = post.at("home");
    let script = format!(
        "#!/bin/sh\nexec {}/postboard --home {} receive\n",
        post.dir.path().display(),
        home.display()
    );
    fs::write(&receive, script).unwrap();
    post.send("bob", "postboard+tag@pipe.test", "signup bob secret", "");
    post.until("both were put off", |post| {
        let put_off = |to: &str| post.logged(&[to, "status=deferred (temporary failure"]) > 0;
        put_off("to=<postboard@pbm.test>") && put_off("to=<postboard+tag@pipe.test>")
    });
    assert_eq!(post.logged(&["status=bounced"]), 0, "{}", post.log());
    assert_eq!(post.waiting(), 0);
    // The mail log has the reason.
    let why = ["Command output: postboard: cannot use ", "postboard.toml: line "];
    assert!(post.logged(&why) >= 2, "{}", post.log());

    fs::write(&config, sound).unwrap();
    post.bench("flush", &[]);
    post.until("both are in the spool", |post| post.waiting() == 2);
    post.until("the queue is empty", |post| post.bench("queue", &[]).is_empty());
    post.cron();
    for (player, id) in PLAYERS.iter().enumerate() {
        assert!(post.fresh(player, 1)[0].text.starts_with(&format!("Welcome, {id}!")));
    }
}

impl Postfix {
    /// Acts as cron: this Postfix mails the program's output to MAILTO, here the operator. Returns
    /// the exit code, and whether there was a mail.
    fn by_cron(&mut self) -> (Option<i32>, bool) {
        let ran = self.postboard(&["cron"]);
        assert_eq!(ran.out, "");
        let is_told = !ran.err.is_empty();
        if is_told {
            self.send("cron", "operator@pbm.test", "Cron <postboard@pbm.test>", &ran.err);
        }
        (ran.code, is_told)
    }

    /// Waits for `count` mails from cron to the operator and returns them.
    fn cron_mails(&self, count: usize) -> Vec<String> {
        let folder = self.at("mail/operator/new");
        self.until("cron's mail has come", |_| folder.is_dir() && names(&folder).len() >= count);
        let mails = names(&folder).into_iter();
        let text = |name| Mail::read(&fs::read(folder.join(name)).unwrap()).text;
        let mails: Vec<String> = mails.map(text).collect();
        assert_eq!(mails.len(), count, "{mails:#?}");
        mails
    }

    /// Replaces one transport in the configuration by another.
    fn reroute(&self, from: &str, to: &str) {
        let path = self.at("home/postboard.toml");
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{text}");
        fs::write(&path, text.replace(from, to)).unwrap();
    }

    /// Makes the letters that failed older by a span, and due.
    fn age(&self, span: Span) {
        let folder = self.at("home/outbox/new");
        for name in names(&folder) {
            let (at, rest) = name.split_once('.').unwrap();
            let at = Time::from_digits(at).unwrap() - span;
            let (stem, _) = rest.rsplit_once(',').unwrap();
            fs::rename(folder.join(&name), folder.join(format!("{}.{stem},0.eml", at.digits())))
                .unwrap();
        }
    }
}

#[test]
#[ignore = "needs Postfix: .ci/run installs it and runs this by name"]
fn the_operator_is_mailed_why_mails_do_not_leave() {
    let mut post = Postfix::start("by = \"smtp\"\nhost = \"127.0.0.1\"\nport = PORT");
    let operator = format!("{}/", post.at("mail/operator").display());
    post.alias("operator", &operator);
    let text = fs::read_to_string(post.at("home/postboard.toml")).unwrap();
    let right = text.lines().find(|line| line.starts_with("port = ")).unwrap().to_owned();
    let dead = format!("port = {DEAD_PORT}");
    post.reroute(&right, &dead);

    // The mail server is down: cron sends one mail, however many letters wait.
    post.send("alice", OWN, "signup alice secret", "");
    post.until("a mail is in the spool", |post| post.waiting() == 1);
    assert_eq!(post.by_cron(), (Some(0), true));
    post.send("bob", OWN, "signup bob secret", "");
    post.until("a mail is in the spool", |post| post.waiting() == 1);
    assert_eq!(post.by_cron(), (Some(0), false));
    let told = post.cron_mails(1).remove(0);
    assert!(told.contains("1 mail cannot be sent (to alice@pbm.test)"), "{told}");
    assert!(told.contains("Connection refused"), "{told}");
    // An hour later: exit code 75, and one more mail.
    post.age(HOUR);
    assert_eq!(post.by_cron(), (Some(75), true));
    assert_eq!(post.by_cron(), (Some(75), false));
    let told = post.cron_mails(2).into_iter().find(|mail| mail.contains("for up to 60 minutes"));
    assert!(told.is_some_and(|mail| mail.contains("2 mails have waited in the outbox")));

    // The mail server is back: all letters leave.
    post.reroute(&dead, &right);
    post.age(Span::ZERO);
    assert_eq!(post.by_cron(), (Some(0), false));
    for (player, id) in PLAYERS.iter().enumerate() {
        assert!(post.fresh(player, 1)[0].text.starts_with(&format!("Welcome, {id}!")));
    }
    assert_eq!(names(&post.at("home/outbox/new")), [""; 0]);

    // A missing sendmail, and a sendmail that fails.
    let smtp = format!("by = \"smtp\"\nhost = \"127.0.0.1\"\n{right}");
    let missing = "by = \"sendmail\"\ncommand = \"/nowhere/sendmail\"";
    post.reroute(&smtp, missing);
    post.send("alice", OWN, "malaka challenge alice bob", "");
    post.until("a mail is in the spool", |post| post.waiting() == 1);
    assert_eq!(post.by_cron(), (Some(0), true));
    let failing = "by = \"sendmail\"\ncommand = \"/bin/false\"";
    post.reroute(missing, failing);
    post.age(Span::ZERO);
    assert_eq!(post.by_cron(), (Some(0), true), "another cause");
    post.age(Span::ZERO);
    assert_eq!(post.by_cron(), (Some(0), false));
    let mails = post.cron_mails(4);
    for why in ["/nowhere/sendmail: No such file", "/bin/false: exit status: 1"] {
        assert_eq!(mails.iter().filter(|mail| mail.contains(why)).count(), 1, "{mails:#?}");
    }
    let log = fs::read_to_string(post.at("home/log/postboard.log")).unwrap();
    for why in ["Connection refused", "/nowhere/sendmail", "/bin/false"] {
        let lines =
            log.lines().filter(|line| line.contains("cannot be sent") && line.contains(why));
        assert_eq!(lines.count(), 1, "{log}");
    }
}

/// Six illegal replies in a row, typical of a person who has never played.
const MISTAKES: [&str; 6] = [
    "Hello Bob!",
    "what do I do now?",
    "I want to move the man in the corner three fields up",
    "a1-i9",
    "ok",
    "move 3",
];

#[test]
#[ignore = "needs Postfix: .ci/run installs it and runs this by name"]
fn a_beginner_who_makes_six_mistakes_in_a_row_still_plays() {
    let mut post = Postfix::start("by = \"maildir\"\npath = \"DIR/mail/{local}\"");
    let mut last = post.begin("");
    for mistake in MISTAKES {
        let Mail { subject, reply_to, .. } = last[0].clone();
        post.command("alice", &reply_to.unwrap(), &format!("Re: {subject}"), mistake);
        let answer = post.fresh(0, 1).remove(0);
        assert_eq!(answer.subject, "Not done: Malaka 1", "{mistake}");
        assert!(answer.text.contains("Nothing has changed."), "{mistake}: {}", answer.text);
        // Each answer can be answered in turn, and the opponent gets none of them.
        last[0] = Mail { subject, ..answer };
    }
    let shown = last[0].clone().reply_to.unwrap();
    post.command("alice", &shown, "Re: Not done: Malaka 1", "help");
    let page = post.fresh(0, 1).remove(0);
    assert!(page.text.contains("Malaka"), "{}", page.text);
    post.command("alice", &shown, "Re: Not done: Malaka 1", "show");
    let board = post.fresh(0, 1).remove(0);
    let ran = post.postboard_on(&["plays", "malaka"], board.position().as_bytes());
    let plays: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let play = plays["plays"][0]["play"].as_str().unwrap().to_owned();
    post.command("alice", &shown, "Re: Not done: Malaka 1", &format!("Now!\n\n{play}"));
    let told = [post.fresh(0, 1).remove(0), post.fresh(1, 1).remove(0)];
    assert!(told[0].text.contains(&format!("You played {play}")), "{}", told[0].text);
    assert!(told[1].subject.starts_with("Your turn: Malaka 1"), "{}", told[1].subject);
    post.assert_tidy(&[play]);
}

/// Returns the number of mails in a Maildir and their bytes.
fn weight(post: &Postfix, name: &str) -> (usize, u64) {
    let folder = post.at("mail").join(name).join("new");
    let files = if folder.is_dir() { names(&folder) } else { Vec::new() };
    let bytes = files.iter().map(|name| fs::metadata(folder.join(name)).unwrap().len()).sum();
    (files.len(), bytes)
}

/// Reads a board of Reversi.
fn reversi(post: &Postfix, number: usize) -> Board {
    let path = post.at(&format!("home/boards/reversi/0/{number}.json"));
    Board::read(&fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
#[ignore = "needs Postfix: .ci/run installs it and runs this by name"]
fn five_attacks_through_postfix_bring_little() {
    let mut post = Postfix::start("by = \"maildir\"\npath = \"DIR/mail/{local}\"");
    let config = post.at("home/postboard.toml");
    let usual = fs::read_to_string(&config).unwrap().replace("mails_a_day = 9999", "");
    fs::write(&config, usual).unwrap();
    for name in ["victim", "mallory"] {
        let maildir = format!("{}/", post.at("mail").join(name).display());
        post.alias(name, &maildir);
    }
    post.begin("");

    // An opponent's chats use up a player's daily mails.
    let before = weight(&post, "bob");
    let chat = |number: usize| format!("malaka chat 1 alice secret hello {number}");
    let chats = (0..50).map(chat).collect::<Vec<_>>().join(
        "
",
    );
    for _ in 0..5 {
        post.command("alice", OWN, "multiple", &chats);
    }
    let after = weight(&post, "bob");
    let (letters, bytes) = (after.0 - before.0, after.1 - before.1);
    println!("250 chats: {letters} letters and {bytes} bytes to the opponent");
    assert!(letters == 1 && bytes < 30_000);
    post.command("bob", OWN, "forgot bob", "");
    let came: Vec<Mail> = {
        let folder = post.at("mail/bob/new");
        let all = names(&folder).into_iter().map(|name| fs::read(folder.join(name)).unwrap());
        all.map(|raw| Mail::read(&raw)).collect()
    };
    let words = came.iter().filter(|mail| mail.text.contains("change password bob bob-"));
    assert_eq!(words.count(), 1, "a word that was asked for comes: {came:#?}");

    // Many mails to an address that never asked for them.
    let pages = "help backgammon\nhelp malaka\nhelp tutorial\nhelp all-commands\n".repeat(12);
    for number in 0..20 {
        post.command("victim", OWN, "multiple", &format!("help {number}\n{pages}"));
    }
    let (letters, bytes) = weight(&post, "victim");
    println!("forged mails: {letters} letters and {bytes} bytes to the victim");
    assert!(bytes <= 110_000, "{letters} letters, {bytes} bytes");

    // A forger's users take all places for open challenges.
    for number in 0..20 {
        let from = format!("forger{number}");
        let seeks: String = ["malaka", "moloko", "backgammon", "plakoto", "moultezim"]
            .map(|game| format!("{game} seek {from} secret\n"))
            .concat();
        post.command(&from, OWN, "multiple", &format!("signup {from} secret\n{seeks}"));
    }
    let list = post.postboard(&["list"]);
    let open = list.out.matches("forger").count();
    println!("20 forged users: {open} open challenges");
    assert!(open <= 40, "{}", list.out);

    // Fifty moves against the highest level in one run of cron, which does not abort.
    post.command("mallory", OWN, "signup mallory secret", "");
    for _ in 0..50 {
        assert_eq!(
            post.postboard(&["--as-operator", "reversi", "challenge", "mallory", "board4"]).code,
            Some(0)
        );
    }
    let one = |number: usize| {
        format!(
            "reversi move {number} mallory secret {}",
            reversi(&post, number).position().moves()[0]
        )
    };
    let moves = (1..=50).map(one).collect::<Vec<_>>().join(
        "
",
    );
    post.command("mallory", OWN, "multiple", &moves);
    let played = (1..=50).filter(|&number| reversi(&post, number).moves().count() > 1).count();
    assert_eq!(played, 50, "each move is answered");

    // Sixteen mails with many passwords each, in little memory.
    let looks: String = "malaka showas mallory secret next\n".repeat(50);
    for number in 0..16 {
        post.send("mallory", OWN, "multiple", &format!("malaka standings\nhelp {number}\n{looks}"));
    }
    post.until("they are in the spool", |post| post.waiting() == 16);
    let mut limited = Command::new("sh");
    let program = post.at("postboard");
    limited.args(["-c", "ulimit -v 600000; exec \"$0\" --home \"$1\" process"]);
    let ran = post.run(limited.arg(program).arg(post.at("home")), b"");
    assert_eq!(ran, Ran::silent(0));
    assert_eq!(post.waiting(), 0);
    assert_eq!(names(&post.at("home/spool/bad")), [""; 0]);
}

/// The number of boards between alice and bob, and of days that they play.
const BOARDS: usize = 10;
const DAYS: i64 = 7;

impl Postfix {
    /// Runs a command of the program in this process, with this clock. Meanwhile the home belongs to
    /// root, since the program refuses to make files of root in the home of another user.
    fn at_time(&self, now: Time, words: &str) {
        self.give_home((0, 0));
        let words: Vec<&str> = words.split(' ').collect();
        run_at(&self.at("home"), now, &words, b"");
        self.give_home(self.user);
    }

    fn give_home(&self, (user, group): (u32, u32)) {
        let mut command = Command::new("chown");
        let ran = program::run(
            command.args(["-R", &format!("{user}:{group}")]).arg(self.at("home")),
            b"",
        );
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }

    /// Signs both players up for daily mails, alice at 7:00 and bob at 19:00, and begins boards on
    /// which both have moved. Afterwards all wait for alice.
    fn begin_boards(&mut self, now: Time) {
        for (id, hour) in [("alice", 7), ("bob", 19)] {
            self.at_time(now, &format!("signup {id} secret {id}@pbm.test"));
            self.at_time(now, &format!("set {id} secret mails daily"));
            self.at_time(now, &format!("set {id} secret digesthour {hour}"));
        }
        for number in 1..=BOARDS {
            self.at_time(now, "reversi challenge alice bob");
            // The next challenge is refused if too many are unanswered.
            for id in PLAYERS {
                let play = reversi(self, number).position().moves().remove(0);
                self.at_time(now, &format!("reversi move {number} {id} secret {play}"));
            }
        }
        self.at_time(now, "cron");
        self.until("the queue is empty", |post| post.bench("queue", &[]).is_empty());
        self.come(0);
        self.come(1);
    }

    /// Lets a player's digest come, replies with a move on each of its boards, and reads the answer.
    fn answer_digest(&mut self, player: usize, now: Time) {
        self.at_time(now, "cron");
        let digest = self.fresh(player, 1).remove(0);
        let title = format!("News of {BOARDS} boards, {BOARDS} wait for you");
        assert_eq!(digest.subject, title, "{}", digest.text);
        let plays = listed_plays(&digest.text);
        assert_eq!(plays.len(), BOARDS, "{}", digest.text);
        let lines: Vec<String> =
            (1..).zip(&plays).map(|(place, play)| format!("{place} {play}")).collect();
        let quoted = digest.text.lines().collect::<Vec<_>>().join("\n> ");
        let to = digest.reply_to.unwrap();
        let body =
            format!("{}\n\nOn that day, Postboard <{to}> wrote:\n> {quoted}", lines.join("\n"));
        self.send(PLAYERS[player], &to, &format!("Re: {}", digest.subject), &body);
        self.until("the reply is in the spool", |post| post.waiting() == 1);
        self.at_time(now + MINUTE, "cron");
        let answer = self.fresh(player, 1).remove(0);
        let carried_out =
            plays.iter().filter(|play| answer.text.contains(&format!("played {play}")));
        assert_eq!(carried_out.count(), BOARDS, "{}", answer.text);
    }
}

/// Returns a legal play of each board of a digest, in its order, another one for each place.
fn listed_plays(text: &str) -> Vec<&str> {
    let lists = text.split("\nYour legal plays:\n").skip(1);
    let plays = lists.map(|list| list.split("\n\n").next().unwrap().split_whitespace());
    let chosen = (0..).zip(plays).map(|(place, plays)| {
        let plays: Vec<&str> = plays.collect();
        plays[place % plays.len()]
    });
    chosen.collect()
}

#[test]
#[ignore = "needs Postfix: .ci/run installs it and runs this by name"]
fn ten_boards_are_played_for_a_week_by_answering_digests_alone() {
    let mut post =
        Postfix::start("by = \"smtp\"\nhost = \"127.0.0.1\"\nport = PORT\ntls = \"none\"");
    let moves = |post: &Postfix| -> Vec<usize> {
        let own = |board: Board| board.moves().filter(|turn| !turn.auto).count();
        (1..=BOARDS).map(|number| own(reversi(post, number))).collect()
    };
    // The last day is over, since `check` at the end has the real clock.
    let today = Time::from(std::time::SystemTime::now()).day().start();
    let first = today - days(DAYS + 1);
    post.begin_boards(first + hours(1));
    assert_eq!(moves(&post), [2; BOARDS]);
    for day in 0..DAYS {
        let midnight = first + days(day);
        for (player, hour) in [(0, 7), (1, 19)] {
            let before = moves(&post);
            post.answer_digest(player, midnight + hours(hour) + MINUTE);
            let after: Vec<usize> = before.into_iter().map(|count| count + 1).collect();
            assert_eq!(moves(&post), after, "{} on day {day}", PLAYERS[player]);
        }
    }
    let came = post.assert_settled();
    println!(
        "{} replies to digests, {} moves, {came} mails came, in {:.1} s",
        post.sent,
        moves(&post).iter().sum::<usize>(),
        post.began.elapsed().as_secs_f32()
    );
    assert_eq!(post.sent, 2 * u32::try_from(DAYS).unwrap());
}
