//! The services of a home: how mails, letters and requests come in and go out, each with threads or tasks of
//! its own. When the configuration is read again, new services start at the same sockets before the old ones
//! stop.

use super::health::Health;
use super::sockets::Sockets;
use super::waker::MainThreadWaker;
use crate::base::chance::Entropy;
use crate::base::time::Time;
use crate::config::{Config, ImapConfig};
use crate::intake::{
    Dialect, ImapIntake, ImapOutcome, MailIntake, MailLimits, MailSocket, TakenMail,
};
use crate::post::TroubleLog;
use crate::shell::home::{locate, refuse_foreign_token_command};
use crate::shell::mails::engine_thread::EngineThread;
use crate::shell::mails::receive;
use crate::shell::mails::sender_thread::SenderThread;
use crate::shell::output::remedy::fault_with_remedy;
use crate::shell::serve::{ProcessView, Reload, WebServer};
use crate::shell::{CommandError, Machine};
use crate::store::{ChangeListener, Subscription, log_all, maildir, named_wakeup};
use rand::SeedableRng as _;
use rand_chacha::ChaCha20Rng;
use std::fmt::Display;
use std::future::Future;
use std::io;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::task::JoinSet;

/// The pause before a task that ended because of a bug begins again.
const RESTART: Duration = Duration::from_secs(1);

/// What all services of a process share.
pub(super) struct RunContext {
    pub(super) home: PathBuf,
    pub(super) waker: MainThreadWaker,
    pub(super) health: Health,
    pub(super) threads: Handle,
}

/// The services of a process.
pub(super) struct RunningServices {
    ending: watch::Sender<bool>,
    tasks: JoinSet<()>,
    sender: Option<SenderThread>,
    engines: EngineThread,
    arrivals: Vec<Box<dyn Subscription>>,
    threads: Handle,
    /// The site, if it is served.
    pub(super) web: Option<WebServer>,
}

impl RunningServices {
    /// Starts all services of a configuration that this process holds.
    ///
    /// # Errors
    /// A certificate, a password or the home cannot be read, or the system refuses.
    pub(super) fn start(
        context: &RunContext,
        sockets: &Sockets,
        config: &Config,
        machine: &mut Machine,
    ) -> Result<Self, CommandError> {
        let RunContext { home, waker, health, threads } = context;
        let web = sockets.web.as_ref().map(|_| {
            let (of, time) = (health.clone(), machine.time);
            let unready = Box::new(move || of.unready(time()));
            let waker = waker.clone();
            let reload: Reload = Box::new(move || waker.reload());
            let process = ProcessView { unready, reload: Some(reload), setup_desk: None };
            WebServer::prepare(home, config.clone(), false, process, machine)
        });
        let web = web.transpose()?;
        let (sender, engines) = begin_threads(context, config, machine)?;
        let (ending, is_over) = watch::channel(false);
        let mut services = Self {
            ending,
            tasks: JoinSet::new(),
            sender,
            engines,
            arrivals: subscribe(home, config, waker),
            threads: threads.clone(),
            web,
        };
        let _in_runtime = threads.enter();
        if let (Some(socket), Some(web)) = (&sockets.web, services.web.clone()) {
            let (socket, over) = (socket.try_clone()?, is_over.clone());
            let serve = move || {
                let (web, socket, mut over) = (web.clone(), socket.try_clone(), over.clone());
                async move {
                    let ended = async move { drop(over.wait_for(|it| *it).await) };
                    // No socket: too many files are open.
                    if let Ok(socket) = socket {
                        let _ = web.serve(socket, ended).await;
                    }
                }
            };
            services.supervise("web", health, is_over.clone(), machine.time, serve);
        }
        for (name, dialect, socket) in
            [("lmtp", Dialect::Lmtp, &sockets.lmtp), ("smtp", Dialect::Smtp, &sockets.smtp)]
        {
            let Some(socket) = socket else { continue };
            let (identity, take) = (config.identity(), mail_take(name, context, machine));
            let limits = MailLimits::default();
            let intake = MailIntake { dialect, identity, take, limits };
            // Fails here rather than in the task.
            drop(socket.connections()?);
            let serve = mail_listener_task(Arc::clone(socket), intake, is_over.clone());
            services.supervise(name, health, is_over.clone(), machine.time, serve);
        }
        if let Some(mailbox) = &config.imap {
            health.add("imap");
            services.read_mailbox(context, mailbox, is_over, machine);
        } else {
            health.remove("imap");
        }
        if services.sender.is_none() {
            health.remove("sender");
        }
        Ok(services)
    }

    /// Begins to read a mailbox, unless others may have written the program of its token.
    fn read_mailbox(
        &mut self,
        context: &RunContext,
        mailbox: &ImapConfig,
        is_over: watch::Receiver<bool>,
        machine: &Machine,
    ) {
        let RunContext { home, health, .. } = context;
        let intake = imap_intake(context, mailbox, machine);
        match refuse_foreign_token_command(home, mailbox) {
            Ok(()) => {
                let over = is_over.clone();
                let read = move || intake.clone().run(over.clone());
                self.supervise("imap", health, is_over, machine.time, read);
            }
            Err(fault) => {
                (intake.report)(Some(format!("[imap] {}", fault_with_remedy(&fault, home))));
            }
        }
    }

    /// Starts a task, and restarts it if it ends before the services stop.
    fn supervise<F: Future<Output = ()> + Send + 'static>(
        &mut self,
        name: &'static str,
        health: &Health,
        mut is_over: watch::Receiver<bool>,
        time: fn() -> Time,
        begin: impl Fn() -> F + Send + 'static,
    ) {
        let health = health.clone();
        health.add(name);
        self.tasks.spawn(async move {
            loop {
                health.note(name, None, time());
                // A panic ends only the inner task.
                let _ = tokio::spawn(begin()).await;
                if *is_over.borrow() {
                    return;
                }
                health.note(name, Some(format!("{name}: a bug in this program")), time());
                let over = is_over.wait_for(|it| *it);
                let _ = tokio::time::timeout(RESTART, over).await;
            }
        });
    }

    /// Asks all services to end after the work that they have begun.
    pub(super) fn begin_to_stop(&self) {
        let _ = self.ending.send(true);
    }

    /// Stops all services, and waits until the work that they have begun is done.
    pub(super) fn stop(mut self) {
        self.begin_to_stop();
        drop(std::mem::take(&mut self.arrivals));
        let tasks = &mut self.tasks;
        self.threads.block_on(async { while tasks.join_next().await.is_some() {} });
        // First the engines, whose last move has letters.
        self.engines.end();
        if let Some(sender) = self.sender.take() {
            sender.end();
        }
    }
}

/// Begins the thread that sends letters, if there is a transport, and the thread that makes the moves of
/// `board5`.
fn begin_threads(
    context: &RunContext,
    config: &Config,
    machine: &mut Machine,
) -> Result<(Option<SenderThread>, EngineThread), CommandError> {
    let RunContext { home, health, .. } = context;
    let time = machine.time;
    let report_as = |task: &'static str| {
        health.add(task);
        let health = health.clone();
        Box::new(move |failure: Option<String>| health.note(task, failure, time()))
    };
    let sender = SenderThread::begin(home, &config.deliver, report_as("sender"), machine)?;
    Ok((sender, EngineThread::begin(home, report_as("engines"), machine)?))
}

/// Puts mails into the spool and wakes the main thread; reports a failure once a day.
struct Spooler {
    home: PathBuf,
    waker: MainThreadWaker,
    time: fn() -> Time,
    say: fn(&dyn Display),
    troubles: Mutex<TroubleLog>,
}

impl Spooler {
    /// Makes a mail durable. On failure returns the reason in one line.
    fn put(&self, raw: Vec<u8>, at: Time, arrival: [u8; 8]) -> Result<(), String> {
        let put = receive::put(&self.home, raw, at, arrival);
        // Without the path, which differs for each mail.
        let cause = put.as_ref().err().map(|fault| fault.source.to_string());
        let causes: Vec<&str> = cause.iter().map(String::as_str).collect();
        let mut troubles = self.troubles.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = !troubles.take_new_faults(&causes, (self.time)()).is_empty();
        drop(troubles);
        self.waker.mail();
        put.map_err(|fault| {
            let line = fault_with_remedy(&fault, &self.home);
            if is_new {
                (self.say)(&line);
                // The disk itself may have failed.
                let _ = log_all(&self.home, &[&line]);
            }
            line
        })
    }
}

impl RunContext {
    /// Returns the context of a home whose services have not started.
    pub(super) fn new(home: &Path, waker: MainThreadWaker, threads: Handle) -> Self {
        Self { home: home.to_owned(), waker, health: Health::default(), threads }
    }

    fn spooler(&self, machine: &Machine) -> Spooler {
        Spooler {
            home: self.home.clone(),
            waker: self.waker.clone(),
            time: machine.time,
            say: machine.say,
            troubles: Mutex::new(TroubleLog::default()),
        }
    }
}

/// Returns the task that takes mails from a socket until it is over.
fn mail_listener_task(
    socket: Arc<MailSocket>,
    intake: MailIntake,
    is_over: watch::Receiver<bool>,
) -> impl Fn() -> Pin<Box<dyn Future<Output = ()> + Send>> + Send {
    move || {
        let (intake, over, connections) = (intake.clone(), is_over.clone(), socket.connections());
        Box::pin(async move {
            if let Ok(connections) = connections {
                connections.serve(intake, over).await;
            }
        })
    }
}

/// Returns the function that makes the mails of a socket durable.
fn mail_take(
    door: &'static str,
    context: &RunContext,
    machine: &mut Machine,
) -> Arc<dyn Fn(Vec<u8>) -> bool + Send + Sync> {
    let (spooler, health, time) = (context.spooler(machine), context.health.clone(), machine.time);
    let chance = Mutex::new(Entropy(ChaCha20Rng::from_rng(&mut machine.chance.0)));
    Arc::new(move |raw| {
        let arrival =
            receive::arrival_id(&mut chance.lock().unwrap_or_else(PoisonError::into_inner));
        let failure = spooler.put(raw, time(), arrival).err();
        let is_put = failure.is_none();
        health.note(door, failure, time());
        is_put
    })
}

/// Returns what takes the mails of a mailbox. It says when a failure is new.
fn imap_intake(context: &RunContext, config: &ImapConfig, machine: &Machine) -> ImapIntake {
    let (spooler, health) = (context.spooler(machine), context.health.clone());
    let (home, time, say) = (context.home.clone(), machine.time, machine.say);
    let troubles = Mutex::new(TroubleLog::default());
    ImapIntake {
        config: config.clone(),
        take: Arc::new(move |mail: TakenMail| spooler.put(mail.raw, mail.at, mail.arrival).is_ok()),
        report: Arc::new(move |failure: ImapOutcome| {
            let causes: Vec<&str> = failure.iter().map(String::as_str).collect();
            let mut troubles = troubles.lock().unwrap_or_else(PoisonError::into_inner);
            for line in troubles.take_new_faults(&causes, time()) {
                say(&line);
                let _ = log_all(&home, &[line]);
            }
            drop(troubles);
            health.note("imap", failure, time());
        }),
    }
}

/// Wakes the main thread when another process puts a mail into the spool, a mail comes into the configured Maildir,
/// or somebody sets a wakeup. Without a watch, the spool is looked at every ten seconds, the Maildir every minute, and
/// the clocks every hour.
fn subscribe(home: &Path, config: &Config, waker: &MainThreadWaker) -> Vec<Box<dyn Subscription>> {
    let wake = || {
        let waker = waker.clone();
        Box::new(move || waker.mail())
    };
    let spool = locate(home).and_then(|home| home.subscribe_to_mails(wake()));
    let folder = config.collect.maildir.as_ref();
    let folder = folder.and_then(|path| maildir::subscribe(Path::new(path), wake()).ok());
    let changes = locate(home).and_then(|home| home.subscribe(wakeup_listener(waker)));
    [spool.ok(), folder, changes.ok()].into_iter().flatten().collect()
}

/// Returns the listener that wakes the main thread when a wakeup is set.
fn wakeup_listener(waker: &MainThreadWaker) -> ChangeListener {
    let waker = waker.clone();
    Box::new(move |names| {
        // If changes may have been missed, a wakeup may be among them.
        let missed = names.is_empty().then_some(Time::EPOCH);
        let set = names.iter().filter_map(|name| named_wakeup(name)).min();
        if let Some(at) = missed.or(set) {
            waker.wakeup(at);
        }
    })
}

/// Prints the addresses of the sockets.
pub(super) fn announce(
    services: &RunningServices,
    sockets: &Sockets,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    if let (Some(socket), Some(web)) = (&sockets.web, &services.web) {
        web.announce(socket.local_addr()?, out)?;
    }
    if let Some(port) = sockets.smtp.as_ref().and_then(|smtp| smtp.port()) {
        writeln!(out, "Mails are taken at smtp:{port}")?;
    }
    if let Some(lmtp) = &sockets.lmtp {
        writeln!(out, "Mails are taken at lmtp:{}", lmtp.address()?)?;
    }
    out.flush()
}
