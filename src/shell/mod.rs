//! What the operator's commands do to a home.

pub mod cli;
pub mod demo;
pub mod manual;
pub mod remedy;
pub mod rules;

use crate::base::chance::{Chance, Entropy};
use crate::base::digest::digest;
use crate::base::ids::{BoardId, UserId};
use crate::base::password::Hashing;
use crate::command::{self, MOST_ADDRESSES};
use crate::config::{self, Collect, Config};
use crate::console::{Desk, State, Wish, terminal};
use crate::mail::{Address, compose};
use crate::model::token::TokenKey;
use crate::model::world::board_key;
use crate::post::{self, Noted, Undelivered};
use crate::refusal::OperatorRefusal;
use crate::reply;
use crate::server::check::Report;
use crate::server::inbox::Request;
use crate::server::remind;
use crate::server::repair::{self, Repair};
use crate::server::{Handled, Server, Setup, given_up, key_of, shell_request, strands};
use crate::shell::cli::{BoardJob, Cli, ConsoleJob, Job, UserJob};
use crate::shell::remedy::told;
use crate::store::owner::{self, Owner};
use crate::store::restore::{self, Restoring};
use crate::store::spool::{self, Collecting, Shift, Spool, Waiting};
use crate::store::watchdog::{Marker, Watchdog};
use crate::store::{
    Document, Fault, Files, MailKey, Memory, Seen, Store, Transaction, aside, backup, drafts,
    executed, expire, log, log_all, maildir, mbox, outbox, settings, tapes, troubles,
};
use data_encoding::HEXLOWER;
use games::{Tape, TapeError};

use std::fmt::Display;
use std::io::{self, BufRead, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Mails that are committed together at most.
const GROUP: usize = 64;
/// Bytes of mails, or of the letters that answer them, after which no more join a group.
const GROUP_BYTES: usize = 4_000_000;
/// Seconds after which the home is left to others for a moment.
const SLICE: i64 = 1;

/// What the machine gives: main.rs fills it.
pub struct Machine<'a> {
    /// Unix time, seconds.
    pub clock: &'a dyn Fn() -> i64,
    /// How long the program has run.
    pub stopwatch: &'a dyn Fn() -> Duration,
    /// Waits for a second, for `--watch`.
    pub pause: &'a dyn Fn(),
    /// Tells the operator of something that stops nothing.
    pub warn: &'a dyn Fn(&dyn Display),
    /// Dice and salts.
    pub chance: Entropy,
    /// Who gives the command, for the log: `jane (uid 1000)`.
    pub operator: &'a str,
    /// Lets the operator edit a file; whether the editor is content.
    pub edit: &'a dyn Fn(&Path) -> io::Result<bool>,
    /// Standard input.
    pub input: &'a mut dyn BufRead,
    /// Standard output.
    pub out: &'a mut dyn Write,
}

/// How a command ended, for the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Done.
    Done,
    /// The words of the shell are wrong.
    Usage,
    /// A player's command was refused.
    Refused,
    /// Mails have waited for long and cannot leave; it was told why.
    Late,
}

/// Why a command did not end well.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// The operator can mend it.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// Standard input or output failed.
    #[error("cannot read or write: {0}")]
    Stream(#[from] io::Error),
    /// The words of the shell are wrong.
    #[error("{0}")]
    Usage(String),
    /// A repair is not made.
    #[error("{0}")]
    Refused(String),
}

impl From<repair::Trouble> for Trouble {
    fn from(trouble: repair::Trouble) -> Self {
        match trouble {
            repair::Trouble::Fault(fault) => fault.into(),
            refused => Self::Refused(refused.to_string()),
        }
    }
}

/// Carries out a command of the shell.
///
/// # Errors
/// The machine failed, or the words are wrong.
pub fn run(cli: Cli, home: &Path, machine: &mut Machine) -> Result<Exit, Trouble> {
    let opens = !matches!(
        cli.job,
        Job::Init { .. }
            | Job::Receive
            | Job::Restore { .. }
            | Job::Console(_)
            | Job::Completions { .. }
            | Job::Man
            | Job::Demo
            | Job::Plays { .. }
            | Job::Perft { .. }
            | Job::Tournament { .. }
    ) && !matches!(&cli.job, Job::Player(words) if command::is_help(&words.join(" ")));
    if let Some(warning) = remedy::root_warned(home).filter(|_| opens) {
        (machine.warn)(&warning);
    }
    match cli.job {
        Job::Init { dir } => init(&dir.unwrap_or_else(|| home.to_owned()), machine)?,
        Job::Receive => receive(home, machine)?,
        Job::Process { maildir, mbox, spool: _, watch } => {
            let source = match (&maildir, &mbox) {
                (Some(path), _) => Source::Maildir(path),
                (_, Some(path)) => Source::Mbox(path),
                _ => Source::Spool,
            };
            if watch {
                self::watch(home, source, machine);
            }
            process(home, source, machine)?;
        }
        Job::Deliver => return deliver(home, Telling::All, machine),
        Job::Cron => return cron(home, machine),
        Job::Remind => remind(home, machine)?,
        Job::Check { repair, mail } => return check(home, repair, mail.as_deref(), machine),
        Job::Board(job) => return board(home, job, machine),
        Job::User(job) => return user(home, job, machine),

        Job::Backup { file } => backup(home, &file, machine)?,
        Job::Restore { file, replace, without_outbox } => {
            restore(home, &file, replace, !without_outbox, machine)?;
        }
        Job::Console(job) => console(job, machine)?,
        Job::Completions { shell } => manual::completions(shell, machine.out)?,
        Job::Man => manual::page(machine.out)?,
        Job::Demo => demo::run(machine)?,
        Job::Plays { game } => {
            let (game, options) = rules::game_of(&game).map_err(Trouble::Usage)?;
            rules::plays(game, &options, machine.input, machine.out)?;
        }
        Job::Perft { game, depth, mut options } => {
            options.insert(0, game);
            let (game, options) = rules::game_of(&options).map_err(Trouble::Usage)?;
            rules::counts(game, &options, depth, machine.out)?;
        }
        Job::Tournament { game, games, seed, mut options } => {
            options.insert(0, game);
            let (game, options) = rules::game_of(&options).map_err(Trouble::Usage)?;
            let length = rules::Length { games, seed };
            rules::levels(game, &options, length, machine.stopwatch, machine.out)?;
        }
        Job::Export { words } => {
            let (line, operator) = match words.as_slice() {
                [game, board, format] if games::find(game).is_some() => {
                    let format = format!("-export={}", format.trim_start_matches(games::is_dash));
                    ([game, "show", board, &format].join(" "), true)
                }
                words => (format!("export {}", words.join(" ")), cli.as_operator),
            };
            return player(home, &shell_request(line, operator, String::new()), machine);
        }
        Job::Import { game, players } => return import(home, &game, &players, machine),
        Job::Player(words) => {
            let request = shell_request(words.join(" "), cli.as_operator, cli.message);
            return player(home, &request, machine);
        }
    }
    Ok(Exit::Done)
}

/// Plays on the console, or shows a tape.
fn console(job: ConsoleJob, machine: &mut Machine) -> Result<(), Trouble> {
    let ConsoleJob { game, mode, speed, level, green, time, points, seed, pace, record, replay } =
        job;
    if let Some(path) = replay {
        let unread = |fault: Fault| Trouble::Usage(fault.to_string());
        let text = tapes::read(&path).map_err(unread)?;
        let tape: Tape = text.parse().map_err(|error| no_tape(&path, &error))?;
        // Where the board thinks, the whole game would take too long to be played before it is
        // shown; then its end is looked at when it is there.
        if tape.game.is_timed_by_speed || (tape.sitting.level, tape.sitting.green) == (0, 0) {
            tape.replay().map_err(|error| no_tape(&path, &error))?;
        }
        let size = terminal::size().map_err(Trouble::Usage)?;
        let state = State::replaying(tape, size, terminal::has_colours());
        let state = terminal::run(state, pace, &mut |_| Ok(()))?;
        if state.is_false() {
            let why = "the game does not come to the end that the tape tells";
            return Err(Trouble::Refused(format!("{}: {why}", path.display())));
        }
        return Ok(());
    }
    let desk = Desk::new(&Wish { game, mode, speed, level, green, time, points })
        .map_err(Trouble::Usage)?;
    let size = terminal::size().map_err(Trouble::Usage)?;
    let seed = seed.unwrap_or_else(|| {
        let mut bytes = [0; 8];
        machine.chance.fill(&mut bytes);
        u64::from_le_bytes(bytes)
    });
    let state = State::new(desk, seed, size, terminal::has_colours());
    let unwritten = |fault: Fault| Trouble::Usage(fault.to_string());
    let mut reel = record.map(tapes::Reel::new).transpose().map_err(unwritten)?;
    let ended = terminal::run(state, pace, &mut |tape| match &mut reel {
        Some(reel) => reel.write(&tape.to_string()),
        None => Ok(()),
    });
    reel.map(tapes::Reel::close).transpose()?;
    ended.map(|_| ())
}

/// What is said of a file that is no tape.
fn no_tape(path: &Path, error: &TapeError) -> Trouble {
    Trouble::Usage(rules::printable(&format!("{}: {error}", path.display())))
}

fn init(home: &Path, machine: &mut Machine) -> Result<(), Trouble> {
    let mut key = [0; 32];
    machine.chance.fill(&mut key);
    let made = Files::init(home, &key);
    // An earlier one may have been broken off between the two: then the second is still to do.
    let lacks = |fault: Fault| fault.source.kind() == io::ErrorKind::NotFound;
    match made {
        Err(fault)
            if fault.source.kind() == io::ErrorKind::AlreadyExists
                && settings::load(home).is_err_and(lacks) => {}
        made => made?,
    }
    settings::write_sample(home)?;
    writeln!(machine.out, "{} is ready; see postboard.toml in it", home.display())?;
    Ok(())
}

/// Takes a mail into the spool. Of a mail that is too long only as much is kept as shows it.
fn receive(home: &Path, machine: &mut Machine) -> Result<(), Trouble> {
    settings::load(home)?;
    let mut raw = Vec::new();
    let limit = u64::try_from(spool::LONGEST).unwrap_or(u64::MAX) + 1;
    Read::take(&mut *machine.input, limit).read_to_end(&mut raw)?;
    // The rest is read too: a mail server that cannot write it all would bounce the mail.
    io::copy(&mut *machine.input, &mut io::sink())?;
    spool::put(home, &raw)?;
    Ok(())
}

/// Opens a home with what belongs to it.
pub(crate) fn open(home: &Path, hashing: Hashing) -> Result<(Files, Setup), Fault> {
    let config = settings::load(home)?;
    let files = Files::open(home)?;
    let setup = set_up(config, &files, hashing)?;
    Ok((files, setup))
}

fn set_up(config: Config, files: &Files, hashing: Hashing) -> Result<Setup, Fault> {
    Ok(Setup { identity: config.identity(), config, key: TokenKey::new(files.key()?), hashing })
}

/// Where mails to be executed come from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source<'a> {
    Spool,
    Maildir(&'a PathBuf),
    Mbox(&'a PathBuf),
}

/// Executes the mails that wait. What a mailbox holds goes through the spool too, so that there
/// is one way for a mail to be executed, and to be given up. Where another process is to do that
/// anyway, it is left to that one.
fn process(home: &Path, source: Source, machine: &mut Machine) -> Result<(), Trouble> {
    match source {
        Source::Spool => {}
        Source::Maildir(path) => from_maildir(home, path)?,
        Source::Mbox(path) => from_mbox(home, path, machine.clock)?,
    }
    settings::load(home)?;
    let Some(shift) = Shift::begin(home) else { return Ok(()) };
    loop {
        let (mut files, setup) = open(home, Hashing::default())?;
        let mut batch = Batch::new(&setup, &mut machine.chance, machine.clock, machine.warn);
        let more = batch.spool(&mut files)?;
        files.close()?;
        if !more || shift.is_awaited() {
            return Ok(());
        }
    }
}

/// Puts the new mails of a Maildir into the spool.
fn from_maildir(home: &Path, path: &Path) -> Result<(), Fault> {
    settings::load(home)?;
    // Two who collect at once would mix up what came one after the other.
    let Some(_collecting) = Collecting::begin(home) else { return Ok(()) };
    let mut folder = maildir::Maildir::open(path)?;
    let mut collect = || {
        while let Some(mail) = folder.claim()? {
            spool::put(home, &mail.bytes)?;
            folder.done(&mail)?;
        }
        Ok(())
    };
    let collected = collect();
    log_all(home, &folder.take_notes())?;
    collected
}

/// Puts those mails of an mbox into the spool that have not been executed and do not wait there. The
/// file is only read. The home is looked into for a moment at a time, so that a large mbox keeps
/// nobody else from it.
fn from_mbox(home: &Path, path: &Path, clock: &dyn Fn() -> i64) -> Result<(), Fault> {
    let own = settings::load(home)?.identity().address;
    let Some(_collecting) = Collecting::begin(home) else { return Ok(()) };
    let mut mails = mbox::Mbox::open(path)?.peekable();
    let mut waiting = spool::marks(home)?;
    while mails.peek().is_some() {
        let now = clock();
        let mut renewed = Transaction { at: now, ..Transaction::default() };
        let mut fresh: Vec<(Vec<u8>, MailKey)> = Vec::new();
        let files = Files::read(home)?;
        for mail in mails.by_ref() {
            let mail = mail.map_err(Fault::at("cannot read", path))?;
            let key = key_of(&mail, &own);
            match executed(&key, |key| files.seen(key, now))? {
                Seen::New | Seen::Reused if files.seen(&given_up(&key), now)? != Seen::New => {}
                Seen::New | Seen::Reused => fresh.push((mail, key)),
                Seen::Before => {}
                // The record is forgotten after a time, and the mail is still here.
                Seen::Fading => renewed.executes(key),
            }
            let bytes: usize = fresh.iter().map(|(mail, _)| mail.len()).sum();
            if fresh.len() >= GROUP || bytes >= GROUP_BYTES || clock() > now + SLICE {
                break;
            }
        }
        drop(files);
        for (mail, key) in &fresh {
            let mark = spool::mark(&[key.id, key.content].concat());
            if waiting.insert(mark.clone()) {
                spool::put_marked(home, mail, &mark)?;
            }
        }
        if !renewed.seen.is_empty() {
            let mut files = Files::open(home)?;
            files.commit_owned(renewed)?;
            files.close()?;
        }
    }
    Ok(())
}

/// Mails executed together: their documents are read once and committed in groups.
pub struct Batch<'a> {
    server: Server<'a>,
    clock: &'a dyn Fn() -> i64,
    warn: &'a dyn Fn(&dyn Display),
    watchdog: Watchdog,
}

/// What became of a mail.
#[derive(Clone)]
enum Fate {
    /// It was executed, or needs no execution.
    Handled(Handled),
    /// A fault of ours, or of the disk.
    Failed(String),
    /// It waits for one that failed.
    Held,
}

/// Mails executed together, and what is to be logged of them once that is durable.
#[derive(Default)]
struct Group {
    mails: Vec<(Waiting, Handled)>,
    log: Vec<String>,
}

impl std::fmt::Debug for Batch<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Batch").field("server", &self.server).finish_non_exhaustive()
    }
}

impl<'a> Batch<'a> {
    /// A batch that has read nothing yet.
    pub fn new(
        setup: &'a Setup,
        chance: &'a mut dyn Chance,
        clock: &'a dyn Fn() -> i64,
        warn: &'a dyn Fn(&dyn Display),
    ) -> Self {
        Self { server: Server::new(setup, chance), clock, warn, watchdog: Watchdog::start() }
    }

    /// Executes what the spool holds, for a second or two at a time so that nobody who waits for
    /// the home waits long. Returns whether there is more.
    ///
    /// # Errors
    /// The machine failed; what was not committed comes again.
    pub fn spool(&mut self, files: &mut Files) -> Result<bool, Fault> {
        let own = self.server.setup.identity.address.clone();
        let bounds = self.server.setup.config.limits.put_aside();
        let mut spool = Spool::open(files)?.keeping(move |raw| strands(raw, &own)).bounded(bounds);
        let mut begun = Group::default();
        let more = self.execute(files, &mut spool, &mut begun);
        // What failed first is told, not that nothing can be done after it.
        let finished = files.finish();
        let more = match finished {
            Ok(()) => {
                self.done(files, &mut spool, begun)?;
                more?
            }
            Err(fault) => return more.and(Err(fault)),
        };
        self.say(files, &spool.take_notes());
        spool.close()?;
        Ok(more)
    }

    /// Executes group after group; while one is made durable the next is executed. `begun` is what
    /// was executed and may not be durable yet.
    fn execute(
        &mut self,
        files: &mut Files,
        spool: &mut Spool,
        begun: &mut Group,
    ) -> Result<bool, Fault> {
        // After a run that died each mail is committed by itself, so that the guilty one is found.
        let most = if spool.is_careful() { 1 } else { GROUP };
        let until = (self.clock)() + SLICE;
        let mut mails: Vec<Waiting> = Vec::new();
        loop {
            let filled = fill(&mut mails, spool, most);
            self.say(files, &spool.take_notes());
            if mails.is_empty() {
                files.finish()?;
                filled?;
                if begun.mails.is_empty() {
                    return Ok(false);
                }
                self.done(files, spool, std::mem::take(begun))?;
                continue;
            }
            let is_last = mails.len() < most;
            let fates = self.group(files, spool, &mails, until)?;
            let transaction = self.server.take();
            let log = std::mem::take(&mut self.server.log);
            let (mut group, mut late) = (Group { mails: Vec::new(), log }, Vec::new());
            for (mail, fate) in mails.drain(..fates.len()).zip(fates) {
                match fate {
                    Fate::Handled(handled) => group.mails.push((mail, handled)),
                    late_fate => late.push((mail, late_fate)),
                }
            }
            // Nothing is gained by a thread where nothing else is to be done meanwhile.
            if spool.is_careful() || is_last {
                files.commit_owned(transaction)?;
                self.done(files, spool, std::mem::take(begun))?;
                self.done(files, spool, group)?;
            } else {
                files.begin(transaction)?;
                self.done(files, spool, std::mem::replace(begun, group))?;
            }
            self.server.trim();
            self.put_off(files, spool, late, &mut mails)?;
            filled?;
            if (self.clock)() > until {
                return Ok(true);
            }
        }
    }

    /// What was not executed comes again, and what was taken already waits where it has to.
    fn put_off(
        &mut self,
        files: &mut Files,
        spool: &mut Spool,
        late: Vec<(Waiting, Fate)>,
        taken: &mut Vec<Waiting>,
    ) -> Result<(), Fault> {
        let some_are_late = !late.is_empty();
        for (mail, fate) in late {
            match fate {
                Fate::Failed(why) => self.failed(files, spool, mail, &why)?,
                Fate::Handled(_) | Fate::Held => spool.hold(mail)?,
            }
        }
        if some_are_late {
            for mail in std::mem::take(taken) {
                if spool.must_wait(&mail) { spool.hold(mail)? } else { taken.push(mail) }
            }
        }
        Ok(())
    }

    /// A group is durable: its mails go away.
    fn done(&mut self, files: &mut Files, spool: &mut Spool, group: Group) -> Result<(), Fault> {
        self.say(files, &group.log);
        for (mail, handled) in group.mails {
            match handled {
                Handled::Done => spool.done(mail)?,
                Handled::Malformed(why) => spool.park_unfit(mail, &why)?,
            }
        }
        Ok(())
    }

    /// A mail failed by a fault of ours: it comes again, or it is given up and its sender told.
    fn failed(
        &mut self,
        files: &mut Files,
        spool: &mut Spool,
        mail: Waiting,
        panic: &str,
    ) -> Result<(), Fault> {
        let last = mail.tries >= spool::TRIES;
        if last {
            self.server.give_up(&mail.bytes, files, (self.clock)())?;
            files.commit_owned(self.server.take())?;
            self.server.trim();
            let log = std::mem::take(&mut self.server.log);
            self.say(files, &log);
        }
        let fate = spool.failed(mail, panic)?;
        self.note(files, &format!("a mail failed ({fate:?}): {panic}"));
        Ok(())
    }

    fn note(&self, files: &Files, line: &str) {
        self.say(files, &[line]);
    }

    /// A log that cannot be written holds nothing up.
    fn say(&self, files: &Files, lines: &[impl AsRef<str>]) {
        if let Err(fault) = log_all(files.home(), lines) {
            (self.warn)(&fault);
        }
    }

    /// Executes mails, the first ones of those given, and returns what became of each. A mail that
    /// fails is left out, with those of its strands behind it: the others are executed again without
    /// them, from what is committed.
    fn group(
        &mut self,
        files: &Files,
        spool: &Spool,
        mails: &[Waiting],
        until: i64,
    ) -> Result<Vec<Fate>, Fault> {
        let mut fates: Vec<Fate> = Vec::with_capacity(mails.len());
        let mut left_out: Vec<Option<Fate>> = mails.iter().map(|_| None).collect();
        'again: loop {
            fates.clear();
            for (index, mail) in mails.iter().enumerate() {
                let now = (self.clock)();
                // Others wait for the home; and an answer may be large.
                if self.server.answered() >= GROUP_BYTES || (index > 0 && now > until) {
                    break;
                }
                if let Some(fate) = &left_out[index] {
                    fates.push(fate.clone());
                    continue;
                }
                let server = &mut self.server;
                self.watchdog.begin();
                let handled =
                    catch_unwind(AssertUnwindSafe(|| server.mail(&mail.bytes, files, now)));
                self.watchdog.end();
                let why = match handled {
                    Ok(Ok(handled)) => {
                        fates.push(Fate::Handled(handled));
                        continue;
                    }
                    // The others do not wait for a file that this one needs.
                    Ok(Err(fault)) if fault.is_passing() => fault.to_string(),
                    Ok(Err(fault)) => {
                        self.server.forget();
                        return Err(fault);
                    }
                    Err(payload) => words_of(&*payload),
                };
                self.server.forget();
                left_out[index] = Some(Fate::Failed(why));
                hold_behind(index, spool, mails, &mut left_out);
                continue 'again;
            }
            break;
        }
        Ok(fates)
    }
}

/// Takes mails out of the spool, to that many in all. Of a fault the mails before it are none the
/// wiser.
fn fill(mails: &mut Vec<Waiting>, spool: &mut Spool, most: usize) -> Result<(), Fault> {
    let mut bytes: usize = mails.iter().map(|mail| mail.bytes.len()).sum();
    while mails.len() < most
        && bytes < GROUP_BYTES
        && let Some(mail) = spool.take()?
    {
        bytes += mail.bytes.len();
        mails.push(mail);
    }
    Ok(())
}

/// A mail failed: those behind it that share a strand with it, or with one that is held for it, are
/// held.
fn hold_behind(failed: usize, spool: &Spool, mails: &[Waiting], left_out: &mut [Option<Fate>]) {
    let mut held = spool.strands(&mails[failed].bytes);
    for (mail, fate) in mails.iter().zip(left_out).skip(failed + 1) {
        let strands = spool.strands(&mail.bytes);
        if fate.is_none() && !held.is_disjoint(&strands) {
            held.extend(strands);
            *fate = Some(Fate::Held);
        }
    }
}

/// What a panic said, as far as that is ours: what it was about may be a mail with its password.
fn words_of(payload: &(dyn std::any::Any + Send)) -> String {
    let whole = payload.downcast_ref::<&str>().copied();
    let filled = payload.downcast_ref::<String>().map(|words| {
        let ours = words.split(['`', '"', '\'', ':']).next().unwrap_or_default();
        ours.trim_end()
    });
    let words = whole.or(filled).filter(|words| !words.is_empty());
    words.unwrap_or("a panic without words").to_owned()
}

/// A player's command from the shell: its answer is printed, mails to others go to the outbox.
fn player(home: &Path, request: &Request, machine: &mut Machine) -> Result<Exit, Trouble> {
    if command::is_help(&request.line) {
        return help(home, request, machine);
    }
    if let Some(why) = meant_job(&request.line) {
        return Err(Trouble::Usage(why));
    }
    on_shell(home, machine, |server, files, now| server.shell(request, files, now))
}

/// The pages for players, which need no home and no lock.
fn help(home: &Path, request: &Request, machine: &mut Machine) -> Result<Exit, Trouble> {
    let sample = || Config::read(config::SAMPLE).expect("a test reads it");
    let config = settings::load(home).unwrap_or_else(|_| sample());
    let key = TokenKey::new([0; 32]);
    let setup = Setup { identity: config.identity(), config, key, hashing: Hashing::default() };
    let now = (machine.clock)();
    let mut server = Server::new(&setup, &mut machine.chance);
    let (text, done) = server.shell(request, &Memory::new(), now)?;
    machine.out.write_all(text.as_bytes())?;
    Ok(if done { Exit::Done } else { Exit::Refused })
}

/// What is said to a word that is no command, where it is like one of the operator's.
fn meant_job(line: &str) -> Option<String> {
    let word = line.split_whitespace().next()?;
    let jobs = cli::jobs_near(word);
    let meant: Vec<String> = jobs.iter().map(|job| format!("`{job}`")).collect();
    let word = rules::printable(word);
    (!meant.is_empty())
        .then(|| format!("there is no command `{word}`. Did you mean {}?", meant.join(" or ")))
}

/// Sets up a board from a record on standard input.
fn import(
    home: &Path,
    game: &str,
    players: &[String],
    machine: &mut Machine,
) -> Result<Exit, Trouble> {
    let (game, _) = rules::game_of(&[game.to_owned()]).map_err(Trouble::Usage)?;
    let transcripts = rules::records_of(game, machine.input)?;
    let import = |transcript| command::import(game, transcript, players).map_err(Trouble::Usage);
    let commands = transcripts.into_iter().map(import).collect::<Result<Vec<_>, _>>()?;
    on_shell(home, machine, |server, files, now| {
        let mut printed = (String::new(), true);
        for command in &commands {
            let (text, done) = server.order(&**command, files, now)?;
            printed = (printed.0 + &text + "\n", printed.1 && done);
        }
        Ok(printed)
    })
}

/// Lets a server do something for somebody at the shell, and commits and prints what came of it.
fn on_shell(
    home: &Path,
    machine: &mut Machine,
    work: impl FnOnce(&mut Server, &Files, i64) -> Result<(String, bool), Fault>,
) -> Result<Exit, Trouble> {
    let (mut files, setup) = open(home, Hashing::default())?;
    let mut server = Server::new(&setup, &mut machine.chance);
    let (text, done) = work(&mut server, &files, (machine.clock)())?;
    let transaction = server.take();
    if !transaction.changes.is_empty() || !transaction.letters.is_empty() {
        files.commit_owned(transaction)?;
    }
    // From here on the command is done, whatever happens.
    let logged = log_all(home, &server.log);
    for fault in [logged, files.close()].into_iter().filter_map(Result::err) {
        (machine.warn)(&fault);
    }
    machine.out.write_all(text.as_bytes())?;
    Ok(if done { Exit::Done } else { Exit::Refused })
}

/// What is told of mails that do not leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Telling {
    /// All of it: somebody looks.
    All,
    /// What was not told today: it is mailed every minute.
    New,
}

/// Sends what the outbox holds. Why a mail did not leave is told, and stands in the log.
fn deliver(home: &Path, telling: Telling, machine: &mut Machine) -> Result<Exit, Trouble> {
    let config = settings::load(home)?;
    let Some(carrier) = post::carrier(&config.deliver)? else { return Ok(Exit::Done) };
    let now = (machine.clock)();
    let mut carrier = Noted::new(carrier);
    let flushed = post::flush(home, &mut carrier, now);
    let known = troubles::load(home);
    let mut learnt = known.clone();
    let told = learnt.learn(&carrier.into_run(), outbox::backlog(home)?, config.late, now);
    let mut lines = [&told.new[..], &told.over].concat();
    if let Ok(report) = &flushed
        && report.kept + report.failed > 0
    {
        lines.push(format!(
            "{} mails sent, {} kept for later, {} given up",
            report.sent, report.kept, report.failed
        ));
    }
    for line in if telling == Telling::All { &told.all } else { &told.new } {
        (machine.warn)(line);
    }
    let noted = [log_all(home, &lines), troubles::keep(home, &known, &learnt)];
    // Where the disk is full, that is said once.
    for fault in noted.into_iter().filter_map(Result::err).filter(|_| flushed.is_ok()) {
        (machine.warn)(&remedy::told_fault(&fault, home));
    }
    flushed?;
    Ok(if told.late { Exit::Late } else { Exit::Done })
}

/// All that has to be done from time to time. A step that fails does not keep answers from being
/// sent, which make room on a full disk; but nobody is reminded, or loses by time, while a move of
/// theirs may wait.
fn cron(home: &Path, machine: &mut Machine) -> Result<Exit, Trouble> {
    let collect = settings::load(home)?.collect;
    // A fault of this program does not hold answers up either.
    let executed = catch_unwind(AssertUnwindSafe(|| execute_all(home, &collect, machine)));
    let (mut failed, panic) = match executed {
        Ok(failed) => (failed, None),
        Err(panic) => (Vec::new(), Some(panic)),
    };
    let mut exit = Exit::Done;
    match deliver(home, Telling::New, machine) {
        Ok(done) => exit = done,
        Err(trouble) => failed.push(trouble),
    }
    let told = tell(home, failed, machine);
    if let Some(panic) = panic {
        if let Some(trouble) = &told {
            (machine.warn)(&remedy::told(trouble, home));
        }
        resume_unwind(panic);
    }
    told.map_or(Ok(exit), Err)
}

/// Executes all mails, and does what the clocks ask for if nothing failed; returns what did.
fn execute_all(home: &Path, collect: &Collect, machine: &mut Machine) -> Vec<Trouble> {
    let mut failed: Vec<Trouble> = Vec::new();
    failed.extend(process(home, Source::Spool, machine).err());
    if let Some(path) = collect.maildir.as_ref().map(PathBuf::from) {
        failed.extend(process(home, Source::Maildir(&path), machine).err());
    }
    if let Some(path) = collect.mbox.as_ref().map(PathBuf::from) {
        failed.extend(process(home, Source::Mbox(&path), machine).err());
    }
    if failed.is_empty() {
        let reminded = match is_executed(home, machine) {
            Ok(true) => remind(home, machine),
            Ok(false) => Ok(()),
            Err(trouble) => Err(trouble),
        };
        failed.extend(reminded.err());
    }
    failed
}

/// Whether all mails are executed that wait now: another process may have them, or one may have
/// failed and come again.
fn is_executed(home: &Path, machine: &mut Machine) -> Result<bool, Trouble> {
    let waiting = spool::waiting_mails(home)?;
    if waiting.is_empty() {
        return Ok(true);
    }
    process(home, Source::Spool, machine)?;
    let rest = spool::waiting_mails(home)?;
    Ok(!rest.iter().any(|mail| waiting.contains(mail)))
}

/// Notes in the log what failed, and tells each cause once: all but the first, which is returned.
fn tell(home: &Path, failed: Vec<Trouble>, machine: &Machine) -> Option<Trouble> {
    let known = troubles::load(home);
    let mut learnt = known.clone();
    let mut causes: Vec<Trouble> = Vec::new();
    for trouble in failed {
        if !causes.iter().any(|cause| is_like(cause, &trouble)) {
            causes.push(trouble);
        }
    }
    let lines: Vec<String> = causes.iter().map(|trouble| told(trouble, home)).collect();
    let faults: Vec<&str> = lines.iter().map(String::as_str).collect();
    let new = learnt.learn_faults(&faults, (machine.clock)());
    // What failed may be the disk itself: then it is said below, and not twice.
    let _ = log_all(home, &new).and_then(|()| troubles::keep(home, &known, &learnt));
    for line in lines.iter().skip(1) {
        (machine.warn)(line);
    }
    causes.into_iter().next()
}

/// Whether two troubles have one cause: a full disk stops every step.
fn is_like(one: &Trouble, other: &Trouble) -> bool {
    match (one, other) {
        (Trouble::Fault(one), Trouble::Fault(other)) => {
            let (kind, whole) = (one.source.kind(), one.to_string() == other.to_string());
            let of_all = [
                io::ErrorKind::StorageFull,
                io::ErrorKind::QuotaExceeded,
                io::ErrorKind::ReadOnlyFilesystem,
                io::ErrorKind::PermissionDenied,
            ];
            whole || kind == other.source.kind() && of_all.contains(&kind)
        }
        (one, other) => one.to_string() == other.to_string(),
    }
}

/// Executes what waits, again and again. What fails is told when it is new.
fn watch(home: &Path, source: Source, machine: &mut Machine) -> ! {
    let mut last: Option<String> = None;
    loop {
        let failed = process(home, source, machine).err().map(|trouble| told(&trouble, home));
        if let Some(line) = failed.as_ref().filter(|line| last.as_ref() != Some(line)) {
            (machine.warn)(line);
        }
        last = failed;
        (machine.pause)();
    }
}

/// Does what the clocks ask for, and forgets what is old.
fn remind(home: &Path, machine: &mut Machine) -> Result<(), Trouble> {
    let mut after = None;
    loop {
        let (mut files, setup) = open(home, Hashing::default())?;
        let (clock, warn) = (machine.clock, machine.warn);
        let now = clock();
        let mut server = Server::new(&setup, &mut machine.chance);
        let mut marker = Marker::new(&files);
        after = remind::guarded(&mut server, &mut files, after, now, &mut marker, &mut |server| {
            if let Err(fault) = log_all(home, &std::mem::take(&mut server.log)) {
                warn(&fault);
            }
            clock() <= now + SLICE
        })?;
        if let Err(fault) = log_all(home, &server.log) {
            warn(&fault);
        }
        // Left there, it would only make the next run careful.
        if let Err(fault) = marker.clear() {
            warn(&fault);
        }
        files.close()?;
        if after.is_none() {
            expire(home, now)?;
            let gone = aside::expire(home, now, setup.config.limits.bad_days.get())?;
            let line = format!("{gone} files that were put aside have expired");
            if gone > 0
                && let Err(fault) = log(home, &line)
            {
                warn(&fault);
            }
            return Ok(());
        }
    }
}

/// Tells what is wrong in a home and on the ways in and out, and mends what can be.
fn check(
    home: &Path,
    repair: bool,
    mail: Option<&str>,
    machine: &mut Machine,
) -> Result<Exit, Trouble> {
    let config = settings::load(home)?;
    let to = mail.map(|to| {
        let wrong = || Trouble::Usage(format!("`{to}` is no mail address"));
        Address::parse(to).ok_or_else(wrong)
    });
    let to = to.transpose()?;
    let now = (machine.clock)();
    let (mut lines, mut is_well) = if repair { mend(home, machine)? } else { look(home, now)? };
    let around = [post::inspect(&config), whose(home)].concat();
    is_well &= around.is_empty();
    lines.extend(around);
    for line in lines {
        writeln!(machine.out, "{line}")?;
    }
    if let Some(to) = to {
        machine.out.flush()?;
        is_well &= try_out(&config, &to, machine)?;
    }
    Ok(if is_well { Exit::Done } else { Exit::Refused })
}

/// What is wrong in a home, and whether nothing is.
fn look(home: &Path, now: i64) -> Result<(Vec<String>, bool), Trouble> {
    let Report { wrong, mended, .. } = crate::server::check::check(&*Files::read(home)?, now)?;
    let is_well = wrong.is_empty() && mended.is_empty();
    Ok(([wrong, mended].concat(), is_well))
}

/// Mends what can be: what was wrong, and whether nothing is any more.
fn mend(home: &Path, machine: &Machine) -> Result<(Vec<String>, bool), Trouble> {
    let mut files = Files::open(home)?;
    let Report { wrong, mended, repair } = crate::server::check::check(&files, (machine.clock)())?;
    files.commit_owned(repair)?;
    // From here on it is done, whatever happens.
    let lines: Vec<String> = mended.iter().map(|line| format!("mended: {line}")).collect();
    for fault in [log_all(home, &lines), files.close()].into_iter().filter_map(Result::err) {
        (machine.warn)(&remedy::told_fault(&fault, home));
    }
    let is_well = wrong.is_empty();
    Ok(([wrong, lines].concat(), is_well))
}

/// Files that the server may not be able to use.
fn whose(home: &Path) -> Vec<String> {
    let Some((count, one)) = owner::strange_files(home) else { return Vec::new() };
    let Some((_, owner)) = Owner::of(home) else { return Vec::new() };
    let are = if count == 1 { "1 file does" } else { &format!("{count} files do") };
    vec![format!(
        "{are} not belong to {}, as the home does, such as {}: `chown -R {}: {}`",
        owner.name,
        one.display(),
        owner.name,
        home.display()
    )]
}

/// Sends a mail as answers are sent, and says what came of it; whether it was taken.
fn try_out(config: &Config, to: &Address, machine: &mut Machine) -> Result<bool, Trouble> {
    let Some(mut carrier) = post::carrier(&config.deliver)? else {
        let why = "[deliver] by = \"nothing\": mails stay in the outbox, and none was sent";
        writeln!(machine.out, "{why}")?;
        return Ok(false);
    };
    let mut id = [0; 16];
    machine.chance.fill(&mut id);
    let from = config.identity();
    let mail = reply::operator::trial(&from, to);
    let letter = compose(&mail, &from, &HEXLOWER.encode(&id), (machine.clock)());
    let way = post::named(&config.deliver);
    let sent = carrier.send(letter.sender.as_ref(), &letter.to, &letter.bytes);
    let line = match &sent {
        Ok(()) => format!("a mail to {to} was taken by {way}; look whether it arrives"),
        Err(Undelivered { permanent: true, why, .. }) => {
            format!("a mail to {to} was refused for good by {way}: {}", rules::printable(why))
        }
        Err(Undelivered { why, .. }) => {
            format!("a mail to {to} was not taken: {}", rules::printable(why))
        }
    };
    writeln!(machine.out, "{line}")?;
    Ok(sent.is_ok())
}

/// What the operator does with a board.
fn board(home: &Path, job: BoardJob, machine: &mut Machine) -> Result<Exit, Trouble> {
    match job {
        BoardJob::Show { game, number } => show(home, board_id(&game, number)?, machine),
        BoardJob::Edit { game, number, from, was } => {
            let id = board_id(&game, number)?;
            edit(home, id, from.as_deref(), was.as_deref(), machine)
        }
        BoardJob::Undo { game, number, moves, new_dice } => {
            let (id, moves) = (board_id(&game, number)?, usize::try_from(moves));
            let moves = moves.unwrap_or(usize::MAX);
            repair(home, machine, |server, files, now| server.undo(files, id, moves, new_dice, now))
        }
    }
}

fn board_id(game: &str, number: u32) -> Result<BoardId, Trouble> {
    let (game, _) = rules::game_of(&[game.to_owned()]).map_err(Trouble::Usage)?;
    Ok(BoardId { game: game.spec().name, number })
}

/// Prints a board; of a damaged one what is wrong with it, and its text.
fn show(home: &Path, id: BoardId, machine: &mut Machine) -> Result<Exit, Trouble> {
    let config = settings::load(home)?;
    let files = Files::read(home)?;
    let setup = set_up(config, &files, Hashing::default())?;
    let mut server = Server::new(&setup, &mut machine.chance);
    match server.show_board(&*files, id, (machine.clock)()) {
        Ok(text) => {
            machine.out.write_all(text.as_bytes())?;
            Ok(Exit::Done)
        }
        Err(repair::Trouble::Refused(OperatorRefusal::Damaged { file, why })) => {
            let text = files.load_damaged(&board_key(id))?.text.unwrap_or_default();
            write!(machine.out, "{file} cannot be read: {why}\n\n{text}")?;
            if !text.ends_with('\n') {
                writeln!(machine.out)?;
            }
            Ok(Exit::Refused)
        }
        Err(trouble) => Err(trouble.into()),
    }
}

/// Puts an edited text in the place of a board. The home is left to others while the operator
/// edits; what is refused is kept.
fn edit(
    home: &Path,
    id: BoardId,
    from: Option<&Path>,
    was: Option<&Path>,
    machine: &mut Machine,
) -> Result<Exit, Trouble> {
    settings::load(home)?;
    let Document { text, version } = Files::read(home)?.load_damaged(&board_key(id))?;
    let text = text.ok_or_else(|| Trouble::Refused(OperatorRefusal::NoBoard(id).to_string()))?;
    let version = match (was, from.and_then(|from| drafts::begun_from(home, from))) {
        (Some(path), _) => Some(digest(&drafts::read(path)?)),
        (None, Some(was)) => Some(digest(&was)),
        (None, None) => version,
    };
    let name = format!("{}-{}.json", id.game, id.number);
    let (bytes, draft) = match from {
        Some(path) if path == Path::new("-") => {
            let mut bytes = Vec::new();
            machine.input.read_to_end(&mut bytes)?;
            let draft = drafts::put(home, &name, &bytes)?;
            (bytes, Some(draft))
        }
        Some(path) => (drafts::read(path)?, None),
        None => {
            let path = drafts::put(home, &name, text.as_bytes())?;
            let edited = (machine.edit)(&path);
            let bytes = drafts::read(&path)?;
            let is_content = matches!(edited, Ok(true));
            if !is_content && bytes == text.as_bytes() {
                drafts::remove(&path)?;
            }
            if !edited? {
                let why = OperatorRefusal::EditorFailed.to_string();
                let kept = (bytes != text.as_bytes()).then(|| format!("; {}", kept(&path)));
                return Err(Trouble::Refused(why + &kept.unwrap_or_default()));
            }
            (bytes, Some(path))
        }
    };
    let done = if bytes == text.as_bytes() {
        writeln!(machine.out, "{id}: unchanged")?;
        Ok(Exit::Done)
    } else {
        repair(home, machine, |server, files, now| {
            let found = files.load_damaged(&board_key(id))?;
            let text = String::from_utf8(bytes).map_err(|error| {
                let why = format!("byte {} is no UTF-8", error.utf8_error().valid_up_to() + 1);
                repair::Trouble::from(OperatorRefusal::NoGoodBoard { line: None, why })
            })?;
            server.edit(files, id, &found, version, &text, now)
        })
    };
    match (done, draft) {
        (Err(Trouble::Refused(why)), Some(path)) => {
            drafts::note(&path, text.as_bytes())?;
            Err(Trouble::Refused(format!("{why}; {}", kept(&path))))
        }
        (Ok(exit), Some(path)) => {
            if let Err(fault) = drafts::remove(&path) {
                (machine.warn)(&fault);
            }
            Ok(exit)
        }
        (done, _) => done,
    }
}

/// Where an operator finds what he wrote.
fn kept(path: &Path) -> String {
    format!("what you wrote is kept in {}", path.display())
}

/// What the operator does with a user.
fn user(home: &Path, job: UserJob, machine: &mut Machine) -> Result<Exit, Trouble> {
    match job {
        UserJob::Show { userid } => {
            let id = userid_of(&userid)?;
            settings::load(home)?;
            let text = repair::show_user(&*Files::read(home)?, &id)?;
            machine.out.write_all(text.as_bytes())?;
            Ok(Exit::Done)
        }
        UserJob::Add { userid, addresses, generate } => {
            let id = userid_of(&userid)?;
            let addresses = addresses_of(&addresses)?;
            let given = password(generate, machine)?;
            repair(home, machine, |server, files, now| {
                let (password, said) = or_new(given, server);
                let mut repair = server.add_user(files, &id, &password, &addresses, now)?;
                repair.said.push_str(&said);
                Ok(repair)
            })
        }
        UserJob::Password { userid, generate } => {
            let id = userid_of(&userid)?;
            let given = password(generate, machine)?;
            repair(home, machine, |server, files, now| {
                let (password, said) = or_new(given, server);
                let mut repair = server.set_password(files, &id, &password, now)?;
                repair.said.push_str(&said);
                Ok(repair)
            })
        }
        UserJob::Rename { old, new } => {
            let (old, new) = (userid_of(&old)?, userid_of(&new)?);
            repair(home, machine, |server, files, now| server.rename_user(files, &old, &new, now))
        }
        UserJob::Remove { userid } => {
            let id = userid_of(&userid)?;
            repair(home, machine, |server, files, now| server.remove_user(files, &id, now))
        }
    }
}

fn userid_of(word: &str) -> Result<UserId, Trouble> {
    UserId::parse(word).ok_or_else(|| Trouble::Usage(format!("`{word}` can be no userid")))
}

fn addresses_of(words: &[String]) -> Result<Vec<Address>, Trouble> {
    let mut addresses = Vec::new();
    for word in words {
        let wrong = || Trouble::Usage(format!("`{word}` is no mail address"));
        let address = Address::parse(word).ok_or_else(wrong)?;
        if !addresses.contains(&address) {
            addresses.push(address);
        }
    }
    if addresses.len() > MOST_ADDRESSES {
        return Err(Trouble::Usage(format!("a user has at most {MOST_ADDRESSES} addresses")));
    }
    Ok(addresses)
}

/// The password on the first line of standard input; none if one is to be made.
fn password(generate: bool, machine: &mut Machine) -> Result<Option<String>, Trouble> {
    if generate {
        return Ok(None);
    }
    let mut line = String::new();
    let longest = 4096;
    let read = Read::take(&mut *machine.input, longest).read_line(&mut line);
    let password = line.trim_end_matches(['\n', '\r']);
    match read {
        Err(error) if error.kind() != io::ErrorKind::InvalidData => Err(error.into()),
        Ok(_) if Hashing::accepts(password) => Ok(Some(password.to_owned())),
        _ => Err(Trouble::Refused(OperatorRefusal::BadPassword.to_string())),
    }
}

/// The password given, or a new one and how it is printed.
fn or_new(given: Option<String>, server: &mut Server) -> (String, String) {
    given.map_or_else(
        || {
            let new = server.new_password();
            let said = format!("password: {new}\n");
            (new, said)
        },
        |given| (given, String::new()),
    )
}

/// Decides a repair, commits it as one, logs who made it, and prints what came of it.
fn repair(
    home: &Path,
    machine: &mut Machine,
    work: impl FnOnce(&mut Server, &Files, i64) -> Result<Repair, repair::Trouble>,
) -> Result<Exit, Trouble> {
    let (mut files, setup) = open(home, Hashing::default())?;
    let mut server = Server::new(&setup, &mut machine.chance);
    let Repair { transaction, said } = work(&mut server, &files, (machine.clock)())?;
    if !transaction.changes.is_empty() {
        files.commit_owned(transaction)?;
    }
    // From here on it is done, whatever happens.
    let by = |line: &String| format!("operator {}: {line}", machine.operator);
    let lines: Vec<String> = server.log.iter().map(by).collect();
    for fault in [log_all(home, &lines), files.close()].into_iter().filter_map(Result::err) {
        (machine.warn)(&fault);
    }
    machine.out.write_all(said.as_bytes())?;
    Ok(Exit::Done)
}

/// Writes all of a home into one file.
fn backup(home: &Path, file: &Path, machine: &mut Machine) -> Result<(), Trouble> {
    let files = Files::read(home)?;
    let is_stream = file == Path::new("-");
    let saved =
        if is_stream { backup::send(&files, machine.out)? } else { backup::save(&files, file)? };
    drop(files);
    let line = format!("{} files in {}", saved.files, file.display());
    if let Err(fault) = log(home, &format!("operator {}: backup: {line}", machine.operator)) {
        (machine.warn)(&fault);
    }
    for name in saved.left_out {
        (machine.warn)(&format!("{name} is no file of a home, and not in the backup"));
    }
    if !is_stream {
        writeln!(machine.out, "{line}")?;
    }
    Ok(())
}

/// Makes a home of a backup.
fn restore(
    home: &Path,
    file: &Path,
    replace: bool,
    with_outbox: bool,
    machine: &mut Machine,
) -> Result<(), Trouble> {
    if !replace && !restore::is_vacant(home)? {
        let why = "there is a home already; `--replace` moves it aside and keeps it";
        return Err(Trouble::Usage(format!("cannot restore into {}: {why}", home.display())));
    }
    let restoring = Restoring::begin(home)?;
    let files = if file == Path::new("-") {
        restoring.unpack(Path::new("standard input"), &mut *machine.input, with_outbox)?
    } else {
        restoring.unpack(file, restore::open(file)?, with_outbox)?
    };
    // What is wrong in it was wrong when it was made: better that than nothing.
    for line in found_in(restoring.folder(), (machine.clock)()) {
        (machine.warn)(&line);
    }
    let line = format!("{files} files from {}", file.display());
    if let Err(fault) =
        log(restoring.folder(), &format!("operator {}: restore: {line}", machine.operator))
    {
        (machine.warn)(&fault);
    }
    let aside = restoring.publish()?;
    writeln!(machine.out, "{line}")?;
    if let Some(aside) = aside {
        writeln!(machine.out, "the home that was there is now {}", aside.display())?;
    }
    Ok(())
}

/// All that is wrong in a home, and what keeps that from being known.
fn found_in(home: &Path, now: i64) -> Vec<String> {
    let checked = Files::read(home).and_then(|files| crate::server::check::check(&*files, now));
    let mut found = match checked {
        Ok(Report { wrong, mended, .. }) => [wrong, mended].concat(),
        Err(fault) => vec![fault.to_string()],
    };
    found.extend(settings::load(home).err().map(|fault| fault.to_string()));
    found
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "a home on disk is looked at")]

    use super::*;
    use crate::base::chance::Told;

    #[test]
    fn cron_sends_mails_and_reminds_nobody_although_the_program_has_a_fault() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join("home");
        Files::init(&home, &[7; 32]).unwrap();
        let sent = folder.path().join("sent");
        let deliver = format!("by = \"folder\"\npath = \"{}\"", sent.display());
        let config = format!("address = \"p@example.org\"\n[deliver]\n{deliver}\n");
        settings::write(&home, &config).unwrap();
        spool::put(&home, b"From: alice@example.org\nSubject: help\n\n").unwrap();
        let asked = std::cell::Cell::new(0);
        let run = |clock: &dyn Fn() -> i64, words: &[&str]| {
            let cli = <Cli as clap::Parser>::try_parse_from([&["postboard"], words].concat());
            let mut out = Vec::new();
            let mut machine = Machine {
                clock,
                stopwatch: &|| Duration::ZERO,
                pause: &|| (),
                warn: &|what| panic!("{what}"),
                chance: Entropy(rand::SeedableRng::seed_from_u64(1)),
                operator: "a test",
                edit: &|_| unreachable!("nothing is edited"),
                input: &mut &b""[..],
                out: &mut out,
            };
            run(cli.unwrap(), &home, &mut machine)
        };
        run(&|| 1_795_262_400, &["process"]).unwrap();
        // The clock is asked first by `process`.
        let clock = || {
            asked.set(asked.get() + 1);
            assert!(asked.get() > 1, "a fault of this program");
            1_795_262_400
        };
        catch_unwind(AssertUnwindSafe(|| run(&clock, &["cron"]))).unwrap_err();
        assert_eq!(names(sent).len(), 1);
        assert!(asked.get() > 1);
    }

    fn names(folder: PathBuf) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn a_mail_that_panics_is_put_aside_after_three_tries_and_its_sender_told() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join("home");
        Files::init(&home, &[7; 32]).unwrap();
        settings::write_sample(&home).unwrap();
        let mail = |from: &str, subject: &str| {
            let raw = format!("From: {from}@example.org\nSubject: {subject}\n\n");
            spool::put(&home, raw.as_bytes()).unwrap();
        };
        mail("alice", "help");
        mail("mallory", "signup mallory secret");
        mail("bob", "help");
        // Whoever signs up needs salt.
        let mut poison = Told::nothing("the salt ran out");
        for run in 1..=3 {
            let (mut files, setup) = open(&home, Hashing::quick()).unwrap();
            let more = Batch::new(&setup, &mut poison, &|| 0, &|_| ()).spool(&mut files).unwrap();
            files.close().unwrap();
            assert!(!more && run > 0);
        }
        assert_eq!(names(home.join("spool/new")), [""; 0]);
        assert_eq!(names(home.join("spool/cur")), [""; 0]);
        let bad = names(home.join("spool/bad"));
        assert_eq!(bad.len(), 2, "the mail and the reason: {bad:?}");
        let why = bad.iter().max_by_key(|name| name.len()).unwrap();
        let why = std::fs::read_to_string(home.join("spool/bad").join(why)).unwrap();
        assert!(why.contains("the salt ran out"), "{why}");
        let mut sent: Vec<String> = Vec::new();
        for name in names(home.join("outbox/new")) {
            let text = std::fs::read_to_string(home.join("outbox/new").join(name)).unwrap();
            sent.extend(text.lines().filter_map(|line| line.strip_prefix("To: ")).map(Into::into));
            let ours = text.contains("a fault of this server");
            assert_eq!(ours, text.contains("To: mallory@example.org"), "{text}");
        }
        sent.sort();
        assert_eq!(sent, ["alice@example.org", "bob@example.org", "mallory@example.org"]);
    }
}
