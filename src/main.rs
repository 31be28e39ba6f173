//! The program's entry: arguments, environment, clock, entropy, exit code.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "reads what the rest of the program gets as arguments"
)]

use mimalloc::MiMalloc;
use postboard::base::chance::Entropy;
use postboard::base::time::Time;
use postboard::shell::cli::Cli;
use postboard::shell::exit_status::{BUG, REFUSED, TRY_AGAIN, USAGE};
use postboard::shell::output::printable::{PrintableOutput, printable_text};
use postboard::shell::output::remedy;
use postboard::shell::{self, CommandError, Exit, Machine, ProgressOutput};
use postboard::store::{lock_holder, operator_files};
use rand::SeedableRng;
use rand::rngs::SysRng;
use rand_chacha::ChaCha20Rng;
use rustix::fs::Mode;
use signal_hook::consts::SIGXFSZ;
use std::env;
use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, BufWriter, IsTerminal as _, Write as _};
use std::os::fd::AsFd as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

/// A batch allocates and frees thousands of small texts on two threads.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// The pause between two looks at the process that has the home locked. If it is the same twice, it is reported.
const LOCK_LOOK: Duration = Duration::from_secs(15);

fn main() -> ExitCode {
    let words: Vec<OsString> = env::args_os().collect();
    let cli = Cli::read(&words);
    // On any other exit code a mail server bounces the mail for good, and on 0 it forgets the mail,
    // which `receive --help` has not taken. A line that cannot be parsed may have been meant as
    // `receive`. Its output goes into the mail server's log, so it is one line.
    let receiving = match &cli {
        Ok(cli) => cli.job.is_receive(),
        Err(error) => {
            is_receive(words.iter().skip(1))
                || error.use_stderr() && words.iter().skip(1).any(|word| word == "receive")
        }
    };
    // A panic's message may contain a password from a mail, and cron mails what is printed here.
    std::panic::set_hook(Box::new(move |panic| {
        if let Some(place) = panic.location() {
            say(&format!("a bug in this program at {place}: please report it"));
        }
    }));
    // With a file size limit (`ulimit -f`) a write must fail, as on a full disk; the signal would
    // kill the process in the middle of a mail. If no handler can be installed, the default stays.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
    let code = match cli {
        Ok(cli) => std::panic::catch_unwind(|| start(cli)).unwrap_or(BUG),
        Err(error) if receiving => {
            say(&not_received(&error));
            USAGE
        }
        Err(error) => {
            let _ = error.print();
            if error.use_stderr() { USAGE } else { 0 }
        }
    };
    ExitCode::from(if receiving && code != 0 { TRY_AGAIN } else { code })
}

/// Prints a line for the operator. The reader may be gone: `postboard check 2>&1 | head`.
fn say(what: &dyn Display) {
    let _ = writeln!(io::stderr(), "postboard: {}", printable_text(&what.to_string()));
}

/// Returns why `receive` has not taken a mail, in one line.
fn not_received(error: &clap::Error) -> String {
    let whole = error.to_string();
    let first = whole.lines().next().unwrap_or_default();
    let why = if error.use_stderr() { first.trim_start_matches("error: ") } else { "" };
    let colon = if why.is_empty() { "" } else { ": " };
    format!(
        "`receive` reads one mail from standard input and takes no arguments; no mail was \
         taken{colon}{why}"
    )
}

/// Returns whether the command is `receive`: the first word that is neither an option nor its value.
fn is_receive<'a>(mut words: impl Iterator<Item = &'a OsString>) -> bool {
    while let Some(word) = words.next() {
        if word == "--home" || word == "--message" {
            words.next();
        } else if !word.as_encoded_bytes().starts_with(b"-") {
            return word == "receive";
        }
    }
    false
}

fn start(cli: Cli) -> u8 {
    // Files of a home have their own modes; pages for others follow the umask.
    operator_files::follow_umask(rustix::process::umask(Mode::from_raw_mode(0o027)));
    let receiving = cli.job.is_receive();
    let home = cli.home.clone().unwrap_or_else(default_home);
    let begun = Instant::now();
    let stdout = BufWriter::new(io::stdout().lock());
    let mut out: Box<dyn io::Write> = if cli.job.writes_bytes(io::stdout().is_terminal()) {
        Box::new(stdout)
    } else {
        Box::new(PrintableOutput::new(stdout))
    };
    let stdin = io::stdin();
    let mut machine = Machine {
        clock: &now,
        time: now,
        stopwatch: &|| begun.elapsed(),
        pause: &|| std::thread::sleep(Duration::from_secs(1)),
        warn: &|what| say(what),
        say: |what| say(what),
        screen: progress_output(),
        chance: Entropy(ChaCha20Rng::try_from_rng(&mut SysRng).expect("the system has entropy")),
        operator: &operator(),
        edit: &edit,
        input: &mut stdin.lock(),
        terminal: stdin.is_terminal().then(|| stdin.as_fd()),
        out: &mut *out,
    };
    if !receiving {
        lock_holder::on_first_wait(report_lock_holder);
    }
    let ended = shell::run(cli, &home, &mut machine);
    // Flushing may find a full disk.
    match ended.and_then(|exit| machine.out.flush().map(|()| exit).map_err(CommandError::from)) {
        Ok(Exit::Done) => 0,
        Ok(Exit::Refused) => REFUSED,
        Ok(Exit::Usage) => USAGE,
        Ok(Exit::Late) => TRY_AGAIN,
        // The reader of our output is gone: `postboard plays malaka | head`.
        Err(CommandError::Stream(error))
            if error.kind() == io::ErrorKind::BrokenPipe && !receiving =>
        {
            0
        }
        Err(trouble) => {
            say(&remedy::with_remedy(&trouble, &home));
            match trouble {
                CommandError::Usage(_) => USAGE,
                CommandError::Refused(_) => REFUSED,
                CommandError::Fault(_) | CommandError::Stream(_) | CommandError::Engine(_) => {
                    TRY_AGAIN
                }
            }
        }
    }
}

/// Returns where progress bars are drawn. A dumb terminal shows none.
fn progress_output() -> ProgressOutput {
    let is_dumb = env::var_os("TERM").is_some_and(|name| name == "dumb");
    if is_dumb { ProgressOutput::Nowhere } else { ProgressOutput::StandardError }
}

/// Starts a thread that prints once which process has the home locked, if it keeps this one waiting.
fn report_lock_holder() {
    // Without the thread only that line is lost.
    let _ = std::thread::Builder::new().spawn(|| {
        let mut before = None;
        loop {
            std::thread::sleep(LOCK_LOOK);
            let holder = lock_holder::lock_holder(std::process::id());
            if holder.is_some() && holder == before {
                let holder = holder.unwrap_or_default();
                say(&format!("waiting for process {holder}, which has the home locked"));
                return;
            }
            before = holder;
        }
    });
}

/// Returns the user who runs the command: the one who called `sudo`, or else the current user, with
/// the uid.
fn operator() -> String {
    let name = ["SUDO_USER", "USER", "LOGNAME"].iter().find_map(env::var_os);
    let name = name.unwrap_or_else(|| "somebody".into());
    format!("{} (uid {})", name.to_string_lossy(), rustix::process::getuid().as_raw())
}

/// Opens a file in the operator's editor, which may be any shell command.
fn edit(path: &Path) -> io::Result<bool> {
    let named = ["VISUAL", "EDITOR"].iter().filter_map(env::var_os).find(|name| !name.is_empty());
    let mut line = named.unwrap_or_else(|| "vi".into());
    line.push(" \"$1\"");
    let mut shell = Command::new("sh");
    Ok(shell.arg("-c").arg(line).arg("sh").arg(path).status()?.success())
}

fn now() -> Time {
    SystemTime::now().into()
}

/// The home of the Debian package. Only its user and root can look into the folder.
const PACKAGED: &str = "/var/lib/postboard/home";

/// Returns `$POSTBOARD_HOME`, or `data/home` in a checkout, or the package's home where it exists, or
/// the user's data directory.
fn default_home() -> PathBuf {
    if let Some(home) = env::var_os("POSTBOARD_HOME") {
        return home.into();
    }
    if Path::new("games/kit").is_dir() && Path::new("data/postboard.toml").is_file() {
        return "data/home".into();
    }
    if Path::new(PACKAGED).is_dir() {
        return PACKAGED.into();
    }
    let data = env::var_os("XDG_DATA_HOME").map(PathBuf::from);
    let own = || env::var_os("HOME").map(|home| Path::new(&home).join(".local/share"));
    data.or_else(own).unwrap_or_else(|| ".".into()).join("postboard")
}
