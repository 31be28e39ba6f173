//! `serve`: runs the web server until a signal ends the process.

mod tls;

use crate::base::chance::Entropy;
use crate::base::password::Hashing;
use crate::config::Config;
use crate::post::MAX_LOOKUPS;
use crate::shell::cli::ServeJob;
use crate::shell::home::{locate, read, set_up};
use crate::shell::mails::sender_thread::SenderThread;
use crate::shell::reports::metrics;
use crate::shell::settings;
use crate::shell::setup::demo_home;
use crate::shell::{CommandError, Machine};
use crate::store::{Fault, operator_files};
use crate::web::{Metrics, Site, SiteParts, listen};
use rand::SeedableRng as _;
use rand_chacha::ChaCha20Rng;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use tokio::signal::unix::{SignalKind, signal};
use tokio_rustls::TlsAcceptor;

/// Threads that serve requests. Documents are read in other threads.
const THREADS: usize = 2;

/// How many files are open besides connections.
const FILES: u64 = 200;

/// Serves a home, or with `--demo` a demonstration in the named folder or a temporary one.
pub(crate) fn run(
    named: Option<&Path>,
    home: &Path,
    ServeJob { listen: at, demo: is_demo }: ServeJob,
    machine: &mut Machine,
) -> Result<(), CommandError> {
    let folder = (is_demo && named.is_none()).then(tempfile::tempdir).transpose()?;
    let home = folder.as_ref().map_or(home.to_owned(), |folder| folder.path().join("home"));
    if is_demo {
        demo_home::create(&home, machine)?;
    }
    let config = settings::load(&home)?;
    let acceptor = acceptor(&config)?;
    let sender = SenderThread::begin(&home, &config.deliver, machine)?;
    let (readers, room) = (readers(), raise_file_limit(config.web.bounds.connections));
    if let Some(warning) = room {
        (machine.warn)(&warning);
    }
    let site = Site::new(parts(&home, config, is_demo, readers, machine)?)?;
    let threads = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(THREADS)
        // Besides the readers, one thread writes, one checks passwords, and some look up push services.
        .max_blocking_threads(readers + 2 + MAX_LOOKUPS)
        .enable_all()
        .build()?;
    let served = threads.block_on(serve(site, at, acceptor, is_demo, machine));
    if let Some(sender) = sender {
        sender.end();
    }
    served
}

/// Returns how many threads read documents: a few, since each has its own part of the memory, and
/// more would only wait for processors.
fn readers() -> usize {
    2 * thread::available_parallelism().map_or(1, usize::from)
}

/// Raises the limit of open files for this many connections. Returns a warning if that is
/// impossible.
fn raise_file_limit(connections: usize) -> Option<String> {
    let needed = connections as u64 + FILES;
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    // None means unlimited.
    if current.is_none_or(|current| current >= needed) {
        return None;
    }
    let current = maximum.map_or(needed, |maximum| maximum.min(needed));
    let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(current), maximum });
    let current = getrlimit(Resource::Nofile).current?;
    (current < needed).then(|| {
        format!(
            "only {current} files may be open, which is not enough for {connections} connections: \
             raise the limit (LimitNOFILE={needed} for systemd, `ulimit -n`), or lower `connections` \
             under [web]"
        )
    })
}

/// Builds the parts of the site.
fn parts(
    home: &Path,
    config: Config,
    is_demo: bool,
    readers: usize,
    machine: &mut Machine,
) -> Result<SiteParts, CommandError> {
    let metrics = (!is_demo).then(|| metrics(home, &config, machine)).transpose()?;
    let setup = set_up(config, &*read(home)?, Hashing::default())?;
    Ok(SiteParts {
        home: locate(home)?,
        setup,
        clock: Box::new(machine.time),
        chance: Box::new(Entropy(ChaCha20Rng::from_rng(&mut machine.chance.0))),
        is_demo,
        readers,
        metrics,
    })
}

/// Builds the source of `/metrics`.
fn metrics(home: &Path, config: &Config, machine: &Machine) -> Result<Metrics, Fault> {
    let read = |path: &String| operator_files::read(Path::new(path));
    let token = config.web.metrics_token_file.as_ref().map(read).transpose()?;
    let token = token.map(|bytes| String::from_utf8_lossy(&bytes).trim().to_owned());
    let (home, time) = (home.to_owned(), machine.time);
    let text = move || {
        metrics::text(&home, time()).map_err(|trouble| match trouble {
            CommandError::Fault(fault) => fault,
            other => Fault::because("cannot read", &home, io::ErrorKind::Other, &other.to_string()),
        })
    };
    // An empty file must not become a token that everybody knows.
    Ok(Metrics { text: Box::new(text), token: token.filter(|token| !token.is_empty()) })
}

/// Returns the TLS acceptor, if configured.
fn acceptor(config: &Config) -> Result<Option<TlsAcceptor>, Fault> {
    let Some(files) = &config.web.tls else { return Ok(None) };
    tls::acceptor(files).map(Some)
}

async fn serve(
    site: Arc<Site>,
    at: SocketAddr,
    acceptor: Option<TlsAcceptor>,
    is_demo: bool,
    machine: &mut Machine<'_>,
) -> Result<(), CommandError> {
    // Set up before the address is printed: the parent process may end this one as soon as it reads
    // the line.
    let ended = termination_signal()?;
    let scheme = if acceptor.is_some() { "https" } else { "http" };
    let door = listen(at, acceptor)
        .await
        .map_err(|error| io::Error::new(error.kind(), format!("cannot listen at {at}: {error}")))?;
    writeln!(machine.out, "The boards are at {scheme}://{}/", door.address()?)?;
    if is_demo {
        writeln!(machine.out, "This is a demonstration: choose a player on the home page.")?;
    }
    machine.out.flush()?;
    door.serve(site, ended).await;
    Ok(())
}

/// Returns a future that ends with SIGTERM or SIGINT.
fn termination_signal() -> io::Result<impl Future<Output = ()>> {
    let (mut term, mut int) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    Ok(async move {
        tokio::select! {
            _ = term.recv() => {}
            _ = int.recv() => {}
        }
    })
}
