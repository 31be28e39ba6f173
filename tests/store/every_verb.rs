//! Every verb by mail, with a crash or an I/O error at every step of the file store: after the mail
//! is received again, the home equals the home of an undisturbed run.

#![expect(clippy::print_stdout, reason = "the test prints how many cases it tried")]
#![expect(clippy::unwrap_used, reason = "a failed `unwrap` fails the test")]
#![expect(clippy::disallowed_methods, reason = "the test compares homes file by file")]

use crate::store::faults;
use crate::support::faults::{EDQUOT, EINTR, EIO, EMFILE, ENOSPC, Trouble, troubled};
use crate::support::files::{empty_outbox, folder};
use crate::support::home::{config, seeded, setup};
use crate::support::letters::sent_text;
use crate::support::program::mail;
use games::Next;
use postboard::base::time::{DAY, MINUTE, Time};
use postboard::command::VERBS;
use postboard::model::board::{Board, BoardStatus};
use postboard::server::check::check;
use postboard::server::{Server, Setup};
use postboard::shell::mails::batch::MailBatch;
use postboard::store::disk::{Disk, DiskHook, DiskStep};
use postboard::store::spool::{self, Spool};
use postboard::store::{Fault, FileStore, Key, Store, Transaction};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use tempfile::TempDir;

/// The effect of a verb in an undisturbed run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Does {
    /// The verb changes documents.
    Change,
    /// The verb is answered, and only its receipt is stored.
    Answer,
    /// The verb is refused.
    Refuse,
}
use Does::{Answer, Change, Refuse};

/// A verb, its effect, and mails; only the last mail is disturbed.
///
/// A mail is `sender> Subject | body`; the sender is alice if the line names none. `sender< words`
/// replies to the newest board mail of that player. `<mover>` and `<other>` are the players of the
/// game's first board, `<play>` is a legal play there, `<word>` the one-time code mailed last,
/// `<day>` a day in the near future.
pub(crate) type Situation = (&'static str, Does, &'static [&'static str]);

const MALAKA: &str = "malaka challenge alice bob";
const MOLOKO: &str = "moloko challenge alice bob";
const CUBE: &str = "backgammon challenge alice bob";

/// At least one situation for every verb, which [`every_verb_is_tried`] checks.
#[rustfmt::skip]
pub(crate) const SITUATIONS: &[Situation] = &[
    ("help", Answer, &["help move"]),
    ("signup", Change, &["dora> signup dora secret"]),
    ("change", Change, &["change password alice secret sesame"]),
    ("change", Change, &["forgot alice", "change password alice <word> sesame"]),
    ("change", Change, &["change address alice secret alice@home.example"]),
    ("confirm-address", Change,
        &["change address alice secret alice@home.example", "confirm-address <word>"]),
    ("forgot", Change, &["forgot bob"]),
    ("list", Answer, &[MALAKA, "list malaka"]),
    ("players", Answer, &[MALAKA, "players"]),
    ("players", Answer, &[MALAKA, "players malaka alice secret"]),
    ("profile", Answer, &[MALAKA, "profile alice"]),
    ("profile", Change, &["profile alice secret country Norway"]),
    ("next", Answer, &[MALAKA, "next <mover> secret"]),
    ("settings", Answer, &["settings alice secret"]),
    ("rematch", Change, &[MALAKA, "malaka resign 1 alice secret", "malaka rematch 1 bob secret"]),
    ("rematch", Refuse, &[MALAKA, "malaka rematch 1 bob secret"]),
    ("unsubscribe", Change, &[MALAKA, "malaka unsubscribe 1 alice secret"]),
    ("all", Answer, &[MALAKA, "all show alice next"]),
    ("message", Change, &["message alice secret bob carol | hello"]),
    ("broadcast", Change, &["broadcast alice secret | hello"]),
    ("export", Answer, &[MALAKA, "export alice secret"]),
    ("signoff", Change, &["signoff alice secret"]),
    ("signoff", Change, &[MALAKA, CUBE, "signoff alice secret", "signoff alice secret <word>"]),
    ("delete", Change, &[MALAKA, "delete alice secret", "delete alice secret <word>"]),
    ("vacation", Change, &[MALAKA, "vacation alice secret <day>"]),
    ("vacation", Change, &[MALAKA, "vacation alice secret <day>", "vacation alice secret off"]),
    ("timezone", Change, &[MALAKA, "timezone alice secret Berlin"]),
    ("weekend", Change, &[MALAKA, "weekend alice secret off"]),
    ("weekend", Change, &[MALAKA, "weekend alice secret off", "weekend alice secret none"]),
    ("night", Change, &[MALAKA, "night alice secret 22-7"]),
    ("moretime", Change, &[MALAKA, "malaka moretime 1 <other> secret"]),
    ("moretime", Refuse, &[MALAKA, "malaka moretime 1 <mover> secret"]),
    ("challenge", Change, &["malaka challenge alice bob -large --nagtime=2 | shall we?"]),
    ("challenge", Change, &["malaka notify carol secret on", MALAKA]),
    ("move", Change, &[MALAKA, "malaka move 1 <mover> secret <play>"]),
    ("move", Change, &[MALAKA, "<mover>< <play> | your turn"]),
    ("move", Change, &[CUBE, "backgammon move 1 <mover> secret <play>"]),
    ("move", Change, &[CUBE, "backgammon manual 1 <other> secret",
        "backgammon move 1 <mover> secret <play>", "backgammon double 1 <mover> secret"]),
    ("move", Change, &[CUBE, "backgammon manual 1 <other> secret",
        "backgammon move 1 <mover> secret <play>", "backgammon double 1 <mover> secret", "backgammon drop 1 <mover> secret"]),
    ("move", Refuse, &[MALAKA, "malaka move 1 <other> secret <play>"]),
    ("move", Refuse, &[MALAKA, "malaka move 1 <mover> wrong <play>"]),
    ("show", Answer, &[MALAKA, "malaka show 1"]),
    ("showas", Answer, &[MALAKA, "malaka showas alice secret 1"]),
    ("moves", Answer, &[MALAKA, "malaka moves 1"]),
    ("analyse", Answer, &[MALAKA, "malaka resign 1 alice secret", "malaka analyse 1"]),
    ("proof", Answer, &[MALAKA, "malaka proof 1"]),
    ("preview", Answer, &["malaka preview new 3 a1-a4"]),
    ("games", Answer, &[MALAKA, "malaka games alice"]),
    ("history", Answer, &[MALAKA, "malaka resign 1 alice secret", "malaka history"]),
    ("standings", Answer, &[MALAKA, "malaka resign 1 alice secret", "malaka standings"]),
    ("chat", Change, &[MALAKA, "malaka chat 1 alice secret | nice day"]),
    ("mute", Change, &["mute alice secret bob"]),
    ("mute", Change, &[MALAKA, "malaka mute 1 alice secret"]),
    ("report", Change, &["report alice secret bob | he insults me"]),
    ("report", Change, &[MALAKA, "malaka report 1 alice secret | he insults me"]),
    ("unmute", Change, &["mute alice secret bob", "unmute alice secret bob"]),
    ("block", Change, &["block alice secret bob"]),
    ("block", Refuse, &["block alice secret bob", "malaka challenge bob alice"]),
    ("unblock", Change, &["block alice secret bob", "unblock alice secret bob"]),
    ("favourite", Change, &["favourite alice secret bob"]),
    ("unfavourite", Change, &["favourite alice secret bob", "unfavourite alice secret bob"]),
    ("submit", Change, &[MALAKA, "malaka submit 1 <mover> secret <play>"]),
    ("confirm", Change, &[MALAKA, "malaka submit 1 <mover> secret <play>",
        "malaka confirm 1 <mover> secret"]),
    ("queue", Change, &[MALAKA, "malaka queue 1 <other> secret a1-a2"]),
    ("note", Change, &[MALAKA, "malaka note 1 alice secret I attack"]),
    ("note", Answer, &[MALAKA, "malaka note 1 alice secret"]),
    ("plan", Change, &[MALAKA, "malaka plan 1 <other> secret a1-a2"]),
    ("queue", Change, &[MALAKA, "malaka queue 1 <other> secret a1-a2",
        "malaka move 1 <mover> secret <play>"]),
    ("pass", Refuse, &["plakoto challenge alice bob", "plakoto pass 1 <mover> secret"]),
    ("swap", Refuse, &["plakoto challenge alice bob", "plakoto swap 1 <mover> secret"]),
    ("undo", Change, &[MALAKA, "malaka move 1 <mover> secret <play>",
        "malaka undo 1 <other> secret"]),
    ("propose", Refuse, &[MALAKA, "malaka propose 1 alice secret"]),
    ("propose", Change, &[MOLOKO, "moloko move 1 <mover> secret <play>",
        "moloko move 1 <mover> secret <play>", "moloko propose 1 alice secret"]),
    ("accept", Change, &[MALAKA, "malaka move 1 <mover> secret <play>",
        "malaka undo 1 <other> secret", "malaka accept 1 <mover> secret undo"]),
    ("accept", Change, &[MOLOKO, "moloko move 1 <mover> secret <play>",
        "moloko move 1 <mover> secret <play>", "moloko propose 1 alice secret",
        "moloko accept 1 bob secret draw"]),
    ("accept", Change, &["malaka reject bob secret", "malaka accept bob secret"]),
    ("reject", Change, &[MALAKA, "malaka move 1 <mover> secret <play>",
        "malaka undo 1 <other> secret", "malaka reject 1 <mover> secret undo"]),
    ("reject", Change, &["malaka reject bob secret"]),
    ("resign", Change, &[MALAKA, "malaka move 1 <mover> secret <play>",
        "malaka move 1 <mover> secret <play>", "malaka resign 1 bob secret"]),
    ("resign", Change, &["backgammon challenge alice bob -match=3",
        "backgammon resign 1 alice secret match"]),
    ("decline", Change, &[MALAKA, "malaka decline 1 bob secret"]),
    ("decline", Change, &[MALAKA, "bob< decline | not today"]),
    ("decline", Refuse, &[MALAKA, "malaka move 1 <mover> secret <play>",
        "malaka move 1 <mover> secret <play>", "malaka decline 1 bob secret"]),
    ("subscribe", Change, &[MALAKA, "malaka subscribe 1 carol secret"]),
    ("unsubscribe", Change,
        &[MALAKA, "malaka subscribe 1 carol secret", "malaka unsubscribe 1 carol secret"]),
    ("newtoken", Change, &[MALAKA, "malaka newtoken 1 alice secret"]),
    ("limit", Change, &["malaka limit alice secret 3"]),
    ("seek", Change, &["malaka notify carol secret on", "malaka seek alice secret --unrated"]),
    ("seek", Change, &["malaka seek alice secret", "malaka seek alice secret off"]),
    ("accept-seek", Change, &["malaka notify carol secret on", "malaka seek alice secret",
        "malaka accept-seek 1 bob secret"]),
    ("notify", Change, &["malaka notify carol secret on"]),
    // Newcomers prove by a reply that they read their mail.
    ("tournament", Refuse, &["malaka tournament create alice secret"]),
    ("tournament", Answer, &["tournament list"]),
    ("tournament", Change, &[MALAKA, "alice< show", "malaka tournament create alice secret"]),
    ("tournament", Change, &[MALAKA, "alice< show", "bob< show",
        "malaka tournament create alice secret --players=2",
        "malaka tournament join 1 alice secret", "malaka tournament join 1 bob secret"]),
    ("tournament", Change, &[MALAKA, "alice< show", "bob< show",
        "malaka tournament create alice secret --players=2",
        "malaka tournament join 1 alice secret", "malaka tournament join 1 bob secret",
        "malaka tournament leave 1 bob secret"]),
    ("ladder", Refuse, &["malaka ladder join alice secret"]),
    ("ladder", Answer, &["ladder list"]),
    ("ladder", Change, &[MALAKA, "alice< show", "bob< show", "malaka ladder join alice secret",
        "malaka ladder join bob secret"]),
    ("ladder", Change, &[MALAKA, "alice< show", "bob< show", "malaka ladder join alice secret",
        "malaka ladder join bob secret", "malaka ladder challenge alice bob secret"]),
    ("ladder", Change, &[MALAKA, "alice< show", "bob< show", "malaka ladder join alice secret",
        "malaka ladder join bob secret", "malaka ladder challenge alice bob secret",
        "malaka ladder leave alice secret"]),
    ("set", Change, &["set alice secret html off"]),
    ("set", Change, &[CUBE, "backgammon manual 1 alice secret"]),
    ("move", Change, &[MALAKA, "multiple | malaka move 1 <mover> secret <play>\nset alice secret \
        words on\nmalaka games bob"]),
];

/// A time in November 2026.
pub(crate) const NOW: Time = Time::from_unix(1_795_238_400);
/// The address of the server.
const OWN: &str = "postboard@localhost";

#[test]
fn every_verb_is_tried() {
    let tried: BTreeSet<&str> = SITUATIONS.iter().map(|(verb, ..)| *verb).collect();
    let known: BTreeSet<&str> = VERBS.iter().map(|verb| verb.name).collect();
    assert_eq!(tried, known, "each verb of the table needs a line in SITUATIONS");
}

/// Executes all mails of a situation except the last and returns the last. The users signed up a
/// week ago.
pub(crate) fn prepare(
    store: &mut dyn Store,
    setup: &Setup,
    situation: &Situation,
    now: Time,
) -> String {
    let mut chance = seeded(7);
    let mut letters: Vec<String> = Vec::new();
    let mut say = |store: &mut dyn Store, raw: &str, at: Time, letters: &mut Vec<String>| {
        let mut server = Server::new(setup, &mut chance);
        server.execute_mail(raw.as_bytes(), store, at).unwrap();
        let refused = server.log.iter().any(|line| is_refusal(line));
        assert!(!refused, "{situation:?} cannot be told: {:?}\n{raw}", server.log);
        let done = server.take_transaction();
        letters.extend(done.letters.iter().map(sent_text));
        store.commit(done).unwrap();
    };
    for (number, user) in (900..).zip(["alice", "bob", "carol"]) {
        let raw = mail(number, user, OWN, &format!("signup {user} secret"), "");
        say(store, &raw, now - 8 * DAY, &mut letters);
    }
    let (last, before) = situation.2.split_last().unwrap();
    for (number, line) in (1..).zip(before) {
        let raw = written(store, number, line, &letters, now);
        say(store, &raw, now - MINUTE, &mut letters);
    }
    written(store, 99, last, &letters, now)
}

fn is_refusal(line: &str) -> bool {
    line.contains(": refused") || line.contains("no command")
}

/// Writes the mail that a line of a situation describes.
fn written(store: &dyn Store, number: u32, line: &str, letters: &[String], now: Time) -> String {
    let word = |prefix: &str| {
        let last = letters.iter().rev().flat_map(|letter| letter.split_whitespace());
        let word = last
            .map(|word| word.trim_end_matches('='))
            .find(|word| word.strip_prefix(prefix).is_some_and(|random| random.len() == 16));
        word.unwrap_or_default().to_owned()
    };
    let game = line.split_whitespace().find_map(games::find).map_or("malaka", |g| g.spec().name);
    let text = store.load(&Key::Board(game, 1)).unwrap().text;
    let board = text.map(|text| Board::read(&text).unwrap());
    let mut line = line.replace("<word>", &word("alice-"));
    line = line.replace("<day>", &now.day().plus(5).to_string());
    if let Some(BoardStatus::ToMove(seat)) = board.as_ref().map(Board::status) {
        let board = board.as_ref().unwrap();
        line = line.replace("<mover>", board.player(seat).as_str());
        line = line.replace("<other>", board.player(seat.other()).as_str());
        let play = match board.position().next() {
            Next::Ready(..) => "roll".to_owned(),
            _ => board.position().moves().first().cloned().unwrap_or_default(),
        };
        line = line.replace("<play>", &play);
    }
    let (words, body) = line.split_once(" | ").unwrap_or((&line, ""));
    if let Some((who, words)) = words.split_once("< ") {
        let to = format!("\r\nTo: {who}@pbm.test\r\n");
        let reply = letters.iter().rev().filter(|letter| letter.contains(&to)).find_map(|letter| {
            letter.lines().find_map(|line| line.strip_prefix("Reply-To: ").map(str::to_owned))
        });
        return mail(number, who, &reply.unwrap(), "Re: a board", &format!("{words}\n\n{body}"));
    }
    let (who, words) = words.split_once("> ").unwrap_or(("alice", words));
    mail(number, who, OWN, words, body)
}

const TROUBLES: [Trouble; 7] = [
    Trouble::Stop,
    Trouble::Once(EIO),
    Trouble::Once(ENOSPC),
    Trouble::Once(EDQUOT),
    Trouble::Once(EINTR),
    Trouble::Once(EMFILE),
    Trouble::From(ENOSPC),
];

/// A function that executes the spool; controls pass other functions to the same test.
type Execute = fn(&Setup, &Path, &Disk) -> Result<(), Fault>;

/// Executes the spool as `process` does.
fn execute(setup: &Setup, home: &Path, disk: &Disk) -> Result<(), Fault> {
    let mut chance = seeded(8);
    loop {
        let mut files = FileStore::open_on(home, disk.clone())?;
        let more = MailBatch::new(setup, &mut chance, &|| NOW, &|_| ())
            .execute_spool(&mut files, &|| false)?;
        files.close()?;
        if !more {
            return Ok(());
        }
    }
}

/// Executes the spool, but splits each transaction into two commits.
fn execute_apart(
    setup: &Setup,
    home: &Path,
    disk: &Disk,
    apart: fn(&mut Transaction) -> Transaction,
) -> Result<(), Fault> {
    let mut chance = seeded(8);
    let mut server = Server::new(setup, &mut chance);
    let mut files = FileStore::open_on(home, disk.clone())?;
    let mut spool = Spool::open(&files)?;
    while let Some(mail) = spool.take()? {
        server.execute_mail(&mail.bytes, &files, NOW)?;
        let mut first = server.take_transaction();
        let second = Transaction { at: first.at, ..apart(&mut first) };
        files.commit(first)?;
        files.commit(second)?;
        spool.done(mail)?;
    }
    spool.close()?;
    files.close()
}

fn execute_with_the_seen_record_apart(
    setup: &Setup,
    home: &Path,
    disk: &Disk,
) -> Result<(), Fault> {
    execute_apart(setup, home, disk, |first| Transaction {
        receipts: std::mem::take(&mut first.receipts),
        swapped_receipts: std::mem::take(&mut first.swapped_receipts),
        ..Transaction::default()
    })
}

fn execute_with_the_letters_apart(setup: &Setup, home: &Path, disk: &Disk) -> Result<(), Fault> {
    execute_apart(setup, home, disk, |first| Transaction {
        letters: std::mem::take(&mut first.letters),
        ..Transaction::default()
    })
}

/// The files and folders of a home, which can be restored any number of times.
struct Snapshot(Vec<(PathBuf, Option<Vec<u8>>)>);

impl Snapshot {
    fn of(home: &Path) -> Self {
        let mut found = Vec::new();
        let mut folders = vec![home.to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).unwrap() {
                let path = entry.unwrap().path();
                let below = path.strip_prefix(home).unwrap().to_owned();
                if path.is_dir() {
                    found.push((below, None));
                    folders.push(path);
                } else {
                    found.push((below, Some(fs::read(&path).unwrap())));
                }
            }
        }
        Self(found)
    }

    fn put(&self, home: &Path) {
        let _ = fs::remove_dir_all(home);
        fs::create_dir(home).unwrap();
        for (path, bytes) in &self.0 {
            match bytes {
                None => fs::create_dir(home.join(path)).unwrap(),
                Some(bytes) => fs::write(home.join(path), bytes).unwrap(),
            }
        }
    }
}

/// Returns the relevant contents of a home by file. Duplicate records that a crash may leave count
/// once.
fn canonical(home: &Path) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for (path, bytes) in Snapshot::of(home).0 {
        let name = path.to_string_lossy().into_owned();
        let Some(bytes) = bytes else { continue };
        let aside = ["log/", "spare/", "spool/tmp/"].iter().any(|folder| name.starts_with(folder));
        if aside || name.ends_with("lock") || name == "journal/0.txn" || name.ends_with("/looks") {
            continue;
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let records = ["seen/", "sent/"].iter().any(|folder| name.starts_with(folder));
        let is_register =
            name.ends_with("/rated") || name.starts_with("unproved/") || name.starts_with("due/");
        if records || is_register {
            let lines: BTreeSet<&str> = text.lines().collect();
            all.insert(name, lines.into_iter().collect::<Vec<_>>().join("\n"));
        } else {
            all.insert(name, text);
        }
    }
    all
}

/// Returns the wakeup of each board.
fn wakeups(home: &Path) -> BTreeMap<(String, usize), Time> {
    let mut all = BTreeMap::new();
    for game in games::GAMES.iter().map(|game| game.spec().name) {
        let bytes = fs::read(home.join(format!("boards/{game}/looks"))).unwrap_or_default();
        for (number, slot) in bytes.chunks_exact(8).enumerate() {
            let at = Time::from_unix(i64::from_le_bytes(slot.try_into().unwrap()));
            all.insert((game.to_owned(), number), at);
        }
    }
    all
}

/// Returns a difference between a home and the result of an undisturbed run, if any.
fn difference(home: &Path, calm: &Calm) -> Option<String> {
    let (found, wanted) = (canonical(home), &calm.left);
    let names: BTreeSet<&String> = found.keys().chain(wanted.keys()).collect();
    let differs = names.into_iter().find(|name| found.get(*name) != wanted.get(*name));
    if let Some(name) = differs {
        return Some(format!(
            "{name} is {:?} and not {:?}",
            found.get(name).map(|text| text.get(..600).unwrap_or(text)),
            wanted.get(name).map(|text| text.get(..600).unwrap_or(text))
        ));
    }
    // An early wakeup costs one more check; a late wakeup would cost a game.
    let late = wakeups(home).into_iter().find(|(at, look)| calm.looks.get(at) < Some(look));
    if let Some(late) = late {
        return Some(format!("a look too late: {late:?}"));
    }
    let log = fs::read_to_string(home.join("log/postboard.log")).unwrap_or_default();
    if log.contains("by hand") {
        return Some(log);
    }
    let report = check(&*FileStore::read(home).unwrap(), NOW).unwrap();
    let said = [report.wrong, report.mended].concat();
    (!said.is_empty()).then(|| format!("check: {said:?}"))
}

/// The result of an undisturbed run.
struct Calm {
    left: BTreeMap<String, String>,
    looks: BTreeMap<(String, usize), Time>,
    log: String,
    /// The number of disk steps of the run.
    steps: usize,
    /// The number of the step that commits.
    commit: usize,
}

/// A home, and a mail that is not yet in its spool.
struct Case {
    dir: TempDir,
    setup: Setup,
    before: Snapshot,
    raw: String,
    execute: Execute,
}

impl Case {
    fn new(situation: &Situation, execute: Execute) -> Self {
        let dir = folder();
        let home = dir.path().join("home");
        FileStore::init(&home, &[7; 32]).unwrap();
        let setup = setup(config());
        let mut files = FileStore::open(&home).unwrap();
        let raw = prepare(&mut files, &setup, situation, NOW);
        files.close().unwrap();
        empty_outbox(&home);
        let before = Snapshot::of(&home);
        Self { dir, setup, before, raw, execute }
    }

    fn home(&self) -> PathBuf {
        self.dir.path().join("home")
    }

    /// Puts the mail into the spool unless it is there, and executes it.
    fn run(&self, disk: &Disk, is_here: &mut bool) -> Result<(), Fault> {
        if !*is_here {
            spool::put_on(disk, &self.home(), self.raw.as_bytes(), None)?;
            *is_here = true;
        }
        (self.execute)(&self.setup, &self.home(), disk)
    }

    fn calm(&self, from: &Snapshot, mut is_here: bool) -> Calm {
        from.put(&self.home());
        let (count, commit) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let (steps, at) = (Arc::clone(&count), Arc::clone(&commit));
        let watch: DiskHook = Arc::new(move |step| {
            let number = steps.fetch_add(1, Ordering::SeqCst);
            if matches!(step, DiskStep::Sync(path) if path.ends_with("journal/0.txn")) {
                let _ = at.compare_exchange(0, number, Ordering::SeqCst, Ordering::SeqCst);
            }
            Ok(())
        });
        self.run(&Disk::watched(watch), &mut is_here).unwrap();
        let home = self.home();
        Calm {
            left: canonical(&home),
            looks: wakeups(&home),
            log: fs::read_to_string(home.join("log/postboard.log")).unwrap_or_default(),
            steps: count.load(Ordering::SeqCst),
            commit: commit.load(Ordering::SeqCst),
        }
    }

    /// Disturbs the steps that `pick` selects; returns their number and the errors.
    fn sweep(
        &self,
        from: &Snapshot,
        is_here: bool,
        (calm, steps): (&Calm, usize),
        pick: &dyn Fn(usize, Trouble) -> bool,
    ) -> (usize, Vec<String>) {
        let (mut tried, mut wrong) = (0, Vec::new());
        for trouble in TROUBLES {
            for at in (0..steps).filter(|at| pick(*at, trouble)) {
                tried += 1;
                from.put(&self.home());
                let mut is_here = is_here;
                let (disk, _) = troubled(at, trouble);
                let mut ended = self.run(&disk, &mut is_here);
                if ended.is_err() {
                    ended = self.run(&Disk::default(), &mut is_here);
                }
                let differs = match ended {
                    Ok(()) => difference(&self.home(), calm),
                    Err(fault) => Some(format!("afterwards, {fault}")),
                };
                wrong.extend(differs.map(|why| format!("{trouble:?} at {at}: {why}")));
            }
        }
        (tried, wrong)
    }

    /// Returns the home after a crash directly after the commit.
    fn committed(&self, calm: &Calm) -> Snapshot {
        self.before.put(&self.home());
        let (disk, _) = troubled(calm.commit + 1, Trouble::Stop);
        self.run(&disk, &mut false).unwrap_err();
        Snapshot::of(&self.home())
    }
}

/// The result of one situation: the steps of its run and of its recovery, the number of
/// disturbances, and the errors.
struct Found {
    steps: [usize; 2],
    tried: usize,
    wrong: Vec<String>,
}

/// Disturbs a situation at the steps of its run, and then at the steps of its recovery; `pick`
/// selects the steps.
fn disturb(
    situation: &Situation,
    execute: Execute,
    pick: &dyn Fn(usize, Trouble) -> bool,
) -> Found {
    let case = Case::new(situation, execute);
    let calm = case.calm(&case.before, false);
    let mut wrong = Vec::new();
    let changed = calm.left.iter().any(|(name, text)| {
        let is_document = ["boards/", "users/", "documents/"].iter().any(|it| name.starts_with(it));
        let was = case.before.0.iter().find(|(path, _)| path == Path::new(name));
        let was = was.and_then(|(_, bytes)| bytes.as_deref());
        is_document
            && !name.ends_with("rated")
            && !name.starts_with("unproved/")
            && was != Some(text.as_bytes())
    });
    let did = match (is_refusal(&calm.log), changed) {
        (true, _) => Refuse,
        (false, true) => Change,
        (false, false) => Answer,
    };
    if did != situation.1 && !calm.log.is_empty() {
        wrong.push(format!("undisturbed it does {did:?}: {}", calm.log));
    }
    assert!(calm.left.keys().any(|name| name.starts_with("seen/")), "{situation:?}");
    assert!(calm.commit > 0, "{situation:?} commits nothing");
    let (tried, more) = case.sweep(&case.before, false, (&calm, calm.steps), pick);
    wrong.extend(more);
    let committed = case.committed(&calm);
    let recovery = case.calm(&committed, true);
    let more = case.sweep(&committed, true, (&calm, recovery.steps), pick);
    wrong.extend(more.1.into_iter().map(|why| format!("recovery, {why}")));
    Found { steps: [calm.steps, recovery.steps], tried: tried + more.0, wrong }
}

/// Disturbs all situations in parallel.
fn disturb_all(execute: Execute, pick: fn(usize, usize, Trouble) -> bool) -> (usize, Vec<String>) {
    let (next, all) = (AtomicUsize::new(0), Mutex::new((0, Vec::new())));
    let work = || {
        while let Some((number, situation)) = {
            let number = next.fetch_add(1, Ordering::SeqCst);
            SITUATIONS.get(number).map(|situation| (number, situation))
        } {
            let found = disturb(situation, execute, &|at, trouble| pick(number, at, trouble));
            let (verb, last) = (situation.0, situation.2.last().unwrap());
            let Found { steps: [run, recovery], tried, wrong } = found;
            println!(
                "{verb}: {run} steps and {recovery}, {tried} tried, {} wrong: {last}",
                wrong.len()
            );
            let mut all = all.lock().unwrap();
            all.0 += tried;
            all.1.extend(wrong.into_iter().map(|why| format!("{last}: {why}")));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(work);
        }
    });
    let (tried, wrong) = all.into_inner().unwrap();
    println!("{tried} tried, {} wrong", wrong.len());
    (tried, wrong)
}

/// Disturbs every fifth step by a crash and every thirteenth by an error, at other steps for each
/// verb. [`every_verb_stopped_or_failing_at_every_step_is_executed_once`] disturbs all steps.
#[test]
fn every_verb_stopped_or_failing_is_executed_once() {
    let (tried, wrong) = disturb_all(execute, |number, at, trouble| {
        let troubles = TROUBLES.iter().position(|one| *one == trouble).unwrap();
        let every = if trouble == Trouble::Stop { 5 } else { 13 };
        (at + number + troubles * 2) % every == 0
    });
    assert_eq!(wrong, Vec::<String>::new());
    assert!(tried > 1_000, "{tried} only");
}

#[test]
#[ignore = "takes a minute: `cargo test --test postboard every_step -- --ignored --nocapture`"]
fn every_verb_stopped_or_failing_at_every_step_is_executed_once() {
    let (_, wrong) = disturb_all(execute, |_, _, _| true);
    assert_eq!(wrong, Vec::<String>::new());
}

/// Disturbs the real program with strace (see tests/README.md).
#[test]
#[ignore = "takes half an hour: `cargo test --test postboard every_call -- --ignored --nocapture`"]
fn the_program_is_disturbed_at_every_call_of_every_verb() {
    faults::verbs(SITUATIONS.iter(), |_| faults::modes(0, 24));
}

/// Disturbs the real program at fewer calls, with two errors for each verb.
#[test]
#[ignore = "takes minutes: `cargo test --test postboard some_calls -- --ignored --nocapture`"]
fn the_program_is_disturbed_at_some_calls_of_every_verb() {
    faults::verbs(SITUATIONS.iter(), |number| {
        let modes = faults::modes(16, 6);
        [0, 1 + number % 5, 1 + (number + 2) % 5].map(|at| modes[at].clone()).into()
    });
}

/// Control: the test detects transactions in two commits, although their undisturbed run leaves an
/// equal home.
#[test]
fn a_commit_in_two_parts_is_caught() {
    let one = |verb: &str| SITUATIONS.iter().find(|(of, does, _)| *of == verb && *does == Change);
    for verb in ["challenge", "move", "undo", "resign", "seek", "signup"] {
        let situation = one(verb).unwrap();
        let calm = |execute| {
            let case = Case::new(situation, execute);
            case.calm(&case.before, false).left
        };
        for apart in [execute_with_the_seen_record_apart, execute_with_the_letters_apart] {
            let apart: Execute = apart;
            assert_eq!(calm(apart), calm(execute), "{verb}");
            let found = disturb(situation, apart, &|_, trouble| trouble == Trouble::Stop);
            println!("{verb}: {} of {} wrong", found.wrong.len(), found.tried);
            // The test must find a crash between the two commits, and a crash in the recovery from
            // it.
            for part in ["Stop at", "recovery, Stop at"] {
                let seen = found.wrong.iter().any(|why| why.starts_with(part));
                assert!(seen, "{verb}, {part}: nothing is seen");
            }
        }
    }
}
