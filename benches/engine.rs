//! A private `PostgreSQL` server from Debian's package: in its own folder, reached by a socket in
//! it, and removed with it. It syncs to disk, like a real installation.

use std::fs::{self, File};
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use tempfile::TempDir;

/// The folder of Debian's programs.
const PROGRAMS: &str = "/usr/lib/postgresql";

/// A running `PostgreSQL`.
pub(crate) struct Engine {
    folder: TempDir,
    programs: PathBuf,
    child: Child,
}

impl Engine {
    /// Starts a server.
    pub(crate) fn start() -> Self {
        let folder = tempfile::tempdir_in("/tmp").expect("a folder");
        let versions = fs::read_dir(PROGRAMS).expect("the package postgresql is installed");
        let mut versions: Vec<_> = versions.flatten().map(|entry| entry.path()).collect();
        versions.sort();
        let programs = versions.pop().expect("the package postgresql is installed").join("bin");
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("ours");
        if let Some((uid, gid)) = nobody() {
            chown(folder.path(), Some(uid), Some(gid)).expect("root may");
        }
        let mut init = command(&programs.join("initdb"));
        init.args("-A trust -U postboard -E UTF8 --locale=C -D".split(' '));
        told(init.arg(folder.path().join("data")));
        let mut engine = command(&programs.join("postgres"));
        engine.arg("-D").arg(folder.path().join("data")).arg("-k").arg(folder.path());
        engine.args(["-c", "listen_addresses=", "-c", "synchronous_commit=on"]);
        let log = File::create(folder.path().join("log")).expect("a file");
        let child = engine.stdout(Stdio::null()).stderr(log).spawn().expect("it starts");
        let engine = Self { folder, programs, child };
        let ready = || {
            let mut ask = command(&engine.programs.join("pg_isready"));
            ask.args(["-q", "-h"]).arg(engine.folder.path()).status().expect("it runs").success()
        };
        while !ready() {
            std::thread::yield_now();
        }
        engine
    }

    /// Executes SQL and returns the output.
    pub(crate) fn sql(&self, database: &str, words: &str) -> String {
        let mut psql = command(Path::new("psql"));
        psql.args(["-XAtq", "-v", "ON_ERROR_STOP=1", "-U", "postboard", "-d", database, "-h"]);
        let output = told(psql.arg(self.folder.path()).args(["-c", words]));
        String::from_utf8(output.stdout).expect("text").trim().to_owned()
    }

    /// Returns a number from a query.
    pub(crate) fn number(&self, database: &str, words: &str) -> f64 {
        self.sql(database, words).parse().expect("a number")
    }

    /// Returns the output of `pgbench`.
    pub(crate) fn pgbench(&self, words: &str) -> String {
        let mut pgbench = command(&self.programs.join("pgbench"));
        pgbench.args(["-U", "postboard", "-h"]).arg(self.folder.path());
        let output = told(pgbench.args(words.split(' ')));
        String::from_utf8(output.stdout).expect("text")
    }

    /// Returns the URL of a database.
    pub(crate) fn url(&self, database: &str) -> String {
        format!("postgres://postboard@/{database}?host={}", self.folder.path().display())
    }

    /// Returns the processor time of the server in seconds, including processes that have ended.
    pub(crate) fn seconds(&self) -> f64 {
        let own = ticks(self.child.id(), 4);
        let path = format!("/proc/{0}/task/{0}/children", self.child.id());
        let children = fs::read_to_string(path).unwrap_or_default();
        let alive = children.split_whitespace().filter_map(|pid| pid.parse().ok());
        own + alive.map(|pid| ticks(pid, 2)).sum::<f64>()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let mut stop = command(&self.programs.join("pg_ctl"));
        stop.args(["-s", "-m", "immediate", "-D"]).arg(self.folder.path().join("data"));
        let _ = stop.arg("stop").status();
        let _ = self.child.wait();
    }
}

/// Returns the processor time of a process in seconds; with `fields` 4 also of the children it has
/// waited for.
pub(crate) fn ticks(pid: u32, fields: usize) -> f64 {
    const A_SECOND: f64 = 100.0;
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let behind = stat.rsplit_once(") ").map_or("", |(_, behind)| behind);
    let times = behind.split(' ').skip(11).take(fields);
    times.filter_map(|word| word.parse::<f64>().ok()).sum::<f64>() / A_SECOND
}

/// Returns a command that does not run as root: the server refuses to.
fn command(program: &Path) -> Command {
    let Some((uid, gid)) = nobody() else { return Command::new(program) };
    let mut command = Command::new("setpriv");
    command.args([format!("--reuid={uid}"), format!("--regid={gid}"), "--clear-groups".into()]);
    command.arg(program).current_dir("/");
    command
}

/// Returns the user `nobody` if this process is root.
fn nobody() -> Option<(u32, u32)> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find(|line| line.starts_with("Uid:\t0\t"))?;
    let users = fs::read_to_string("/etc/passwd").ok()?;
    let line = users.lines().find(|line| line.starts_with("nobody:"))?;
    let mut numbers = line.split(':').skip(2).map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

fn told(command: &mut Command) -> Output {
    let output = command.output().expect("the program runs");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    output
}
