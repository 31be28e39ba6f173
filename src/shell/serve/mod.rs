//! `serve`: runs the web server until a signal ends the process.

mod tls;

use crate::base::chance::Entropy;
use crate::base::meters;
use crate::base::password::Hashing;
use crate::base::time::Time;
use crate::config::{Config, RuntimeSetting, runtime_settings, with_runtime_setting};
use crate::post::MAX_LOOKUPS;
use crate::shell::cli::ServeJob;
use crate::shell::health::doctor;
use crate::shell::home::{locate, read, set_up};
use crate::shell::mails::sender_thread::SenderThread;
use crate::shell::reports::metrics;
use crate::shell::reports::status::HomeStatus;
use crate::shell::run::{FirstRunEnd, is_new, set_up_first};
use crate::shell::settings;
use crate::shell::setup::demo_home;
use crate::shell::{CommandError, Machine};
use crate::store::postgres::note_connections;
use crate::store::{Fault, operator_files, settings as files};
use crate::web::{
    Finding, Metrics, OperatorReports, SetupDesk, Site, SiteParts, UnreadyTasks, WebListener,
};
use rand::SeedableRng as _;
use rand_chacha::ChaCha20Rng;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::fmt::Display;
use std::future::Future;
use std::io::{self, Write};
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread;
use tokio::runtime::Runtime;
use tokio::signal::unix::{SignalKind, signal};
use tokio_rustls::TlsAcceptor;

/// Threads that serve requests. Documents are read in other threads.
const THREADS: usize = 2;

/// How many files may be open besides connections.
const OTHER_FILES: u64 = 200;

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
    settings::load(&home)?;
    let socket = TcpListener::bind(at).map_err(cannot_listen(at, "--listen"))?;
    socket.set_nonblocking(true)?;
    if !is_demo && is_new(&home)? {
        let end = set_up_first(&home, socket.try_clone()?, machine)?;
        if end == FirstRunEnd::Ended {
            return Ok(());
        }
    }
    let config = settings::load(&home)?;
    let sender = SenderThread::begin(&home, &config.deliver, Box::new(|_| ()), machine)?;
    let web = WebServer::prepare(&home, config, is_demo, ProcessView::of_web_alone(), machine)?;
    let served = runtime(0)?.block_on(serve(web, socket, is_demo, machine));
    if let Some(sender) = sender {
        sender.end();
    }
    served
}

/// Makes a process read its configuration again.
pub(crate) type Reload = Box<dyn Fn() + Send + Sync>;

/// What a site knows of its process.
pub(crate) struct ProcessView {
    /// Returns the tasks that fail.
    pub(crate) unready: UnreadyTasks,
    /// Makes the process read its configuration again, if it can.
    pub(crate) reload: Option<Reload>,
    /// What the page of setup does, if nobody has set up the home.
    pub(crate) setup_desk: Option<Box<dyn SetupDesk>>,
}

impl ProcessView {
    /// Returns the view of a process that does nothing but serve the site.
    fn of_web_alone() -> Self {
        Self { unready: Box::new(Vec::new), reload: None, setup_desk: None }
    }
}

/// A site that is ready to be served.
#[derive(Clone)]
pub(crate) struct WebServer {
    site: Arc<Site>,
    acceptor: Option<TlsAcceptor>,
}

impl WebServer {
    /// Builds the site of a home.
    pub(crate) fn prepare(
        home: &Path,
        config: Config,
        is_demo: bool,
        process: ProcessView,
        machine: &mut Machine,
    ) -> Result<Self, CommandError> {
        let acceptor = acceptor(&config)?;
        if let Some(warning) = raise_file_limit(config.web.bounds.connections) {
            (machine.warn)(&warning);
        }
        let site = Site::new(parts(home, config, is_demo, process, machine)?)?;
        Ok(Self { site, acceptor })
    }

    /// Prints the address of a socket as people open it.
    pub(crate) fn announce(&self, at: SocketAddr, out: &mut dyn Write) -> io::Result<()> {
        let scheme = if self.acceptor.is_some() { "https" } else { "http" };
        writeln!(out, "The boards are at {scheme}://{at}/")
    }

    /// Prints the address of the page of setup, with the token that opens it.
    pub(crate) fn announce_setup(&self, at: SocketAddr, out: &mut dyn Write) -> io::Result<()> {
        let scheme = if self.acceptor.is_some() { "https" } else { "http" };
        let token = self.site.setup_token().unwrap_or_default();
        writeln!(
            out,
            "Nobody has set up this server yet: open {scheme}://{at}/setup?token={token}"
        )?;
        out.flush()
    }

    /// Serves the site at a non-blocking socket until `shutdown` completes.
    ///
    /// # Errors
    /// The system cannot watch the socket.
    pub(crate) async fn serve(
        self,
        socket: TcpListener,
        shutdown: impl Future<Output = ()>,
    ) -> io::Result<()> {
        WebListener::new(socket, self.acceptor)?.serve(self.site, shutdown).await;
        Ok(())
    }
}

/// Returns the error of a socket that cannot be bound, with its address.
pub(crate) fn cannot_listen(at: impl Display, option: &str) -> impl FnOnce(io::Error) -> Fault {
    let at = at.to_string();
    move |error| {
        let port = at.rsplit_once(':').map_or("", |(_, port)| port);
        let why = match (error.kind(), at.strip_prefix("unix:")) {
            (io::ErrorKind::AddrInUse, Some(path)) => format!(
                "another program takes mails there, perhaps another `postboard run`: `ss -lxp src {path}` \
                 names it; end it, or choose another socket with {option}"
            ),
            (io::ErrorKind::AddrInUse, None) => format!(
                "port {port} is in use by another program: `ss -ltnp sport = :{port}` names it; choose \
                 another port with {option}"
            ),
            (io::ErrorKind::PermissionDenied, None) => format!(
                "the system keeps port {port} for root: choose a port above 1023 with {option}"
            ),
            (io::ErrorKind::AddrNotAvailable, None) => format!(
                "this machine does not have that address: `ip address` lists those that it has; choose \
                 one of them with {option}"
            ),
            _ => return Fault::at("cannot listen at", at)(error),
        };
        Fault::because("cannot listen at", &at, error.kind(), &why)
    }
}

/// Builds the threads that serve requests and `writers` further ones.
pub(crate) fn runtime(writers: usize) -> io::Result<Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(THREADS)
        // Besides the readers, one thread writes, one checks passwords, and some look up push services.
        .max_blocking_threads(readers() + 2 + MAX_LOOKUPS + writers)
        .enable_all()
        .build()
}

/// Returns how many threads read documents: a few, since each has its own part of the memory, and
/// more would only wait for processors.
fn readers() -> usize {
    2 * thread::available_parallelism().map_or(1, usize::from)
}

/// Raises the limit of open files for this many connections. Returns a warning if that is
/// impossible.
fn raise_file_limit(connections: usize) -> Option<String> {
    let needed = connections as u64 + OTHER_FILES;
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
    process: ProcessView,
    machine: &mut Machine,
) -> Result<SiteParts, CommandError> {
    let metrics = (!is_demo).then(|| metrics(home, &config, machine)).transpose()?;
    let setup = set_up(config, &*read(home)?, Hashing::default())?;
    let ProcessView { unready, reload, setup_desk } = process;
    Ok(SiteParts {
        home: locate(home)?,
        setup,
        clock: Box::new(machine.time),
        chance: Mutex::new(Box::new(Entropy(ChaCha20Rng::from_rng(&mut machine.chance.0)))),
        is_demo,
        readers: readers(),
        metrics,
        unready,
        reports: Some(Box::new(Reports { home: home.to_owned(), time: machine.time, reload })),
        setup_desk,
    })
}

/// The reports of the operator's commands, for administrators.
struct Reports {
    home: PathBuf,
    time: fn() -> Time,
    /// Makes this process read its configuration again, if it can.
    reload: Option<Reload>,
}

impl Reports {
    /// Returns the text of the configuration with another value of a setting.
    fn changed(&self, key: &str, value: &str) -> Result<String, String> {
        let settings = self.settings().map_err(|fault| fault.to_string())?;
        let variable = settings.iter().find(|it| it.key == key).and_then(|it| it.variable.as_ref());
        if let Some(variable) = variable {
            return Err(format!("the environment sets {key}: change {variable} there"));
        }
        let text = files::read(&self.home).map_err(|fault| fault.to_string())?;
        with_runtime_setting(&text, key, value)
    }
}

impl OperatorReports for Reports {
    fn status(&self) -> Result<Vec<(&'static str, String)>, Fault> {
        let status = HomeStatus::of_home(&self.home, (self.time)());
        Ok(status.map_err(|trouble| as_fault(trouble, &self.home))?.lines())
    }

    fn settings(&self) -> Result<Vec<RuntimeSetting>, Fault> {
        Ok(runtime_settings(&settings::layered(&self.home)?))
    }

    fn check_setting(&self, key: &str, value: &str) -> Result<(), String> {
        self.changed(key, value).map(drop)
    }

    fn change_setting(&self, key: &str, value: &str) -> Result<bool, String> {
        let text = self.changed(key, value)?;
        files::rewrite(&self.home, &text).map_err(|fault| fault.to_string())?;
        if let Some(reload) = &self.reload {
            reload();
        }
        Ok(self.reload.is_some())
    }

    fn examine(&self) -> Vec<Finding> {
        let config = settings::load(&self.home);
        doctor::examine_all(&self.home, config.as_ref(), (self.time)())
    }
}

/// Returns the fault of a report about a home.
fn as_fault(trouble: CommandError, home: &Path) -> Fault {
    match trouble {
        CommandError::Fault(fault) => fault,
        other => Fault::because("cannot read", home, io::ErrorKind::Other, &other.to_string()),
    }
}

/// Builds the source of `/metrics`.
fn metrics(home: &Path, config: &Config, machine: &Machine) -> Result<Metrics, Fault> {
    let read = |path: &String| operator_files::read(Path::new(path));
    let token = config.web.metrics_token_file.as_ref().map(read).transpose()?;
    let token = token.map(|bytes| String::from_utf8_lossy(&bytes).trim().to_owned());
    let (home, time) = (home.to_owned(), machine.time);
    let text = move || {
        let text = metrics::text(&home, time());
        note_connections();
        text.map(|text| text + &meters::text()).map_err(|trouble| as_fault(trouble, &home))
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
    web: WebServer,
    socket: TcpListener,
    is_demo: bool,
    machine: &mut Machine<'_>,
) -> Result<(), CommandError> {
    // Set up before the address is printed: the parent process may end this one as soon as it reads
    // the line.
    let ended = termination_signal()?;
    web.announce(socket.local_addr()?, machine.out)?;
    if is_demo {
        writeln!(machine.out, "This is a demonstration: choose a player on the home page.")?;
    }
    machine.out.flush()?;
    Ok(web.serve(socket, ended).await?)
}

/// Returns a future that ends with SIGTERM or SIGINT.
pub(crate) fn termination_signal() -> io::Result<impl Future<Output = ()>> {
    let (mut term, mut int) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    Ok(async move {
        tokio::select! {
            _ = term.recv() => {}
            _ = int.recv() => {}
        }
    })
}
