//! `run`: one process that does all work of a server until a signal ends it.
//!
//! The main thread executes mails as soon as they come and acts on clocks at their time (`tasks`, in the
//! order of `agenda`; `alarm` knows the next wakeup). A thread sends the letters; LMTP and the web have threads of their own. All of
//! them use a home as separate processes do, with its locks, so the commands may run beside it.

mod agenda;
mod alarm;
mod bell;
mod service_manager;
mod tasks;

use self::bell::Bell;
use self::service_manager::ServiceManager;
use self::tasks::Tasks;
use crate::base::chance::Entropy;
use crate::base::time::Time;
use crate::intake::{LmtpAddress, LmtpIntake, LmtpListener};
use crate::post::TroubleLog;
use crate::shell::cli::RunJob;
use crate::shell::home::locate;
use crate::shell::mails::receive;
use crate::shell::mails::sender_thread::SenderThread;
use crate::shell::output::remedy::fault_with_remedy;
use crate::shell::serve::{self, WebServer};
use crate::shell::settings;
use crate::shell::{CommandError, Machine};
use crate::store::{ChangeListener, Subscription, log_all, maildir, named_wakeup};
use rand::SeedableRng as _;
use rand_chacha::ChaCha20Rng;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::watch;
use tokio::task::JoinSet;

/// Threads that make mails durable.
const WRITERS: usize = 8;

/// Does all work until SIGTERM or SIGINT.
pub(crate) fn run(home: &Path, job: &RunJob, machine: &mut Machine) -> Result<(), CommandError> {
    let config = settings::load(home)?;
    let web = job.listen.map(|at| {
        let acceptor = serve::acceptor(&config)?;
        WebServer::prepare(home, config.clone(), acceptor, false, machine).map(|web| (web, at))
    });
    let web = web.transpose()?;
    let (bell, rung) = Bell::new();
    let intake = LmtpIntake { identity: config.identity(), take: take(home, &bell, machine) };
    let lmtp = job.lmtp.as_ref().map(|address| (address, intake));
    let (ending, is_over) = watch::channel(false);
    let threads = serve::runtime(WRITERS)?;
    let mut doors = threads.block_on(async {
        let ended = serve::termination_signal()?;
        let mut doors = JoinSet::new();
        if let Some((web, at)) = web {
            let (web, mut is_over) = (web.open(at, machine.out).await?, is_over.clone());
            doors.spawn(web.serve(async move { drop(is_over.wait_for(|it| *it).await) }));
        }
        if let Some((address, intake)) = lmtp {
            let listener = open_lmtp(address, machine).await?;
            doors.spawn(listener.serve(intake, is_over));
        }
        machine.out.flush()?;
        let bell = bell.clone();
        tokio::spawn(async move {
            ended.await;
            // All doors close at once, while the main thread finishes its work.
            let _ = ending.send(true);
            bell.end();
        });
        Ok::<_, CommandError>(doors)
    })?;
    let arrivals = subscribe(home, &bell);
    let sender = SenderThread::begin(home, &config.deliver, machine)?;
    let manager = ServiceManager::begin();
    service_manager::tell_ready();
    Tasks::new(home, &bell, &manager).work(&rung, machine);
    service_manager::tell_stopping();
    drop(arrivals);
    threads.block_on(async { while doors.join_next().await.is_some() {} });
    if let Some(sender) = sender {
        sender.end();
    }
    Ok(())
}

/// Binds the socket for LMTP, and prints its address.
async fn open_lmtp(
    address: &LmtpAddress,
    machine: &mut Machine<'_>,
) -> Result<LmtpListener, CommandError> {
    let listener =
        LmtpListener::bind(address).await.map_err(|error| serve::cannot_listen(address, &error))?;
    writeln!(machine.out, "Mails are taken at lmtp:{}", listener.address()?)?;
    Ok(listener)
}

/// Returns the function that puts mails into the spool and rings the bell. It reports a failure once a
/// day.
fn take(
    home: &Path,
    bell: &Bell,
    machine: &mut Machine,
) -> Arc<dyn Fn(Vec<u8>) -> bool + Send + Sync> {
    let (home, bell, time, say) = (home.to_owned(), bell.clone(), machine.time, machine.say);
    let chance = Mutex::new(Entropy(ChaCha20Rng::from_rng(&mut machine.chance.0)));
    let troubles = Mutex::new(TroubleLog::default());
    Arc::new(move |raw| {
        let arrival =
            receive::arrival_id(&mut chance.lock().unwrap_or_else(PoisonError::into_inner));
        let put = receive::put(&home, raw, time(), arrival);
        // The whole line names a file that no other mail has.
        let cause = put.as_ref().err().map(|fault| fault.source.to_string());
        let causes: Vec<&str> = cause.iter().map(String::as_str).collect();
        let mut troubles = troubles.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = !troubles.take_new_faults(&causes, time()).is_empty();
        drop(troubles);
        if let Some(fault) = put.as_ref().err().filter(|_| is_new) {
            let line = fault_with_remedy(fault, &home);
            say(&line);
            // The disk itself may have failed.
            let _ = log_all(&home, &[line]);
        }
        bell.mail();
        put.is_ok()
    })
}

/// Rings the bell when another process puts a mail into the spool, a mail comes into the configured Maildir,
/// or somebody sets a wakeup. What cannot be watched is looked at every few seconds; clocks every hour.
fn subscribe(home: &Path, bell: &Bell) -> Vec<Box<dyn Subscription>> {
    let ring = || {
        let bell = bell.clone();
        Box::new(move || bell.mail())
    };
    let spool = locate(home).and_then(|home| home.subscribe_to_mails(ring()));
    let folder = settings::load(home).ok().and_then(|config| config.collect.maildir);
    let folder = folder.map(|path| maildir::subscribe(Path::new(&path), ring()));
    let changes = locate(home).and_then(|home| home.subscribe(wakeup_listener(bell)));
    [spool.ok(), folder.and_then(Result::ok), changes.ok()].into_iter().flatten().collect()
}

/// Returns the listener that rings the bell when a wakeup is set.
fn wakeup_listener(bell: &Bell) -> ChangeListener {
    let bell = bell.clone();
    Box::new(move |names| {
        // If changes may have been missed, a wakeup may be among them.
        let missed = names.is_empty().then_some(Time::EPOCH);
        let set = names.iter().filter_map(|name| named_wakeup(name)).min();
        if let Some(at) = missed.or(set) {
            bell.wakeup(at);
        }
    })
}
