//! `run`: one process that does all work of a server until a signal ends it.
//!
//! The main thread executes mails as soon as they come and acts on clocks at their time (`tasks`, in the
//! order of `schedule`; `alarm` knows the next wakeup). `services` take and send mails, letters and
//! requests; `health` knows how all of it does. All of them use a home as separate processes do, with its
//! locks, so the commands may run beside it.

mod alarm;
mod first_run;
mod health;
mod nightly;
mod schedule;
mod service_manager;
mod services;
mod sockets;
mod tasks;
mod trial;
mod waker;

pub(crate) use self::first_run::{FirstRunEnd, is_new};
pub(crate) use self::trial::{TrialOutcome, check_provider, try_in_terminal};

use self::service_manager::ServiceManager;
use self::services::{RunContext, RunningServices};
use self::sockets::Sockets;
use self::tasks::{Interruption, Tasks};
use self::waker::MainThreadWaker;
use crate::config::Config;
use crate::shell::cli::RunJob;
use crate::shell::output::remedy::with_remedy;
use crate::shell::serve;
use crate::shell::settings;
use crate::shell::{CommandError, Machine};
use crate::store::{break_off_waits, log_all};
use std::io;
use std::net::TcpListener;
use std::path::Path;
use std::thread;
use std::time::Duration;
use tokio::signal::unix::{SignalKind, signal};

/// Threads that make mails durable.
const WRITERS: usize = 8;

/// How long requests may still wait for the home at the end: somebody else may have it locked for an hour.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(10);

/// Does all work until SIGTERM or SIGINT; SIGHUP makes it read its configuration again.
pub(crate) fn run(home: &Path, job: &RunJob, machine: &mut Machine) -> Result<(), CommandError> {
    let mut config = settings::load_anew(home)?;
    settings::hold(home, &config);
    let (waker, wakeups) = MainThreadWaker::new();
    let threads = serve::runtime(WRITERS)?;
    threads.block_on(async { listen_to_signals(&waker) })?;
    let sockets = Sockets::open(job)?;
    let context = RunContext::new(home, waker, threads.handle().clone());
    let manager = ServiceManager::begin();
    if sockets.web.is_some() && is_new(home)? {
        service_manager::tell_ready();
        settings::release();
        if first_run::wait(&context, &sockets, &wakeups, &manager, machine)? == FirstRunEnd::Ended {
            service_manager::tell_stopping();
            return Ok(());
        }
        config = settings::load_anew(home)?;
        settings::hold(home, &config);
    }
    let mut services = RunningServices::start(&context, &sockets, &config, machine)?;
    services::announce(&services, &sockets, machine.out)?;
    service_manager::tell_ready();
    let mut tasks = Tasks::new(home, &context.waker, &context.health, &manager);
    let mut closing = Vec::new();
    let waker = context.waker.clone();
    let _waits = break_off_waits(move || {
        manager.alive();
        !waker.interrupts()
    });
    while tasks.work(&wakeups, machine) == Interruption::Reload {
        service_manager::tell_reloading();
        match reload(&context, &sockets, machine) {
            Ok((new, started)) => {
                let old = std::mem::replace(&mut services, started);
                config = new;
                closing.push(thread::Builder::new().name("services".into()).spawn(|| old.stop())?);
            }
            // A signal came meanwhile.
            Err(trouble) if trouble.is_broken_off() => settings::hold(home, &config),
            Err(trouble) => {
                settings::hold(home, &config);
                let why = with_remedy(&trouble, home);
                let line = format!("the configuration stays as it was: {why}");
                (machine.warn)(&line);
                let _ = log_all(home, &[line]);
            }
        }
        service_manager::tell_ready();
    }
    service_manager::tell_stopping();
    services.begin_to_stop();
    // Removes the file of the socket.
    drop(sockets);
    services.stop();
    for thread in closing {
        let _ = thread.join();
    }
    threads.shutdown_timeout(SHUTDOWN_GRACE);
    Ok(())
}

/// Shows the page of setup at a socket until the home is set up, for a process that serves the site alone.
pub(crate) fn set_up_first(
    home: &Path,
    socket: TcpListener,
    machine: &mut Machine,
) -> Result<FirstRunEnd, CommandError> {
    let (waker, wakeups) = MainThreadWaker::new();
    let threads = serve::runtime(WRITERS)?;
    threads.block_on(async { listen_to_signals(&waker) })?;
    let context = RunContext::new(home, waker, threads.handle().clone());
    let sockets = Sockets { web: Some(socket), lmtp: None, smtp: None };
    first_run::wait(&context, &sockets, &wakeups, &ServiceManager::begin(), machine)
}

/// Reads the configuration again, and starts new services.
fn reload(
    context: &RunContext,
    sockets: &Sockets,
    machine: &mut Machine,
) -> Result<(Config, RunningServices), CommandError> {
    let config = settings::load_anew(&context.home)?;
    settings::hold(&context.home, &config);
    let services = RunningServices::start(context, sockets, &config, machine)?;
    Ok((config, services))
}

/// Wakes the main thread at signals.
fn listen_to_signals(waker: &MainThreadWaker) -> io::Result<()> {
    let ended = serve::termination_signal()?;
    let of_end = waker.clone();
    tokio::spawn(async move {
        ended.await;
        of_end.end();
    });
    let (mut hung_up, waker) = (signal(SignalKind::hangup())?, waker.clone());
    tokio::spawn(async move {
        while hung_up.recv().await.is_some() {
            waker.reload();
        }
    });
    Ok(())
}
