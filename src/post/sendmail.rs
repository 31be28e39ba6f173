//! Transport by a `sendmail` program.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "post runs programs")]

use super::{DeliveryError, FailureScope, Transport, temporary_error, with_line_ends};
use crate::mail::Address;
use std::env;
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How long the program may take for one mail.
const MAIL_TIMEOUT: Duration = Duration::from_mins(1);
/// How long its pipes may stay open after its end, since a child of it may hold them.
const PIPE_TIMEOUT: Duration = Duration::from_secs(1);
/// The most bytes kept of its error messages.
const MAX_SAID_BYTES: u64 = 2000;

/// Returns the path of the configured program, by default `sendmail`. One that is named without a
/// folder is also looked for where mail servers install it, since cron searches only /usr/bin and /bin.
pub(super) fn locate(command: Option<&str>) -> PathBuf {
    let program = Path::new(command.unwrap_or("sendmail"));
    if program.components().count() != 1 || program.is_absolute() {
        return program.to_owned();
    }
    let path = env::var_os("PATH").unwrap_or_default();
    let usual = ["/usr/sbin", "/usr/lib", "/usr/local/sbin", "/sbin"].map(PathBuf::from);
    let mut places = env::split_paths(&path).chain(usual).map(|folder| folder.join(program));
    places.find(|place| place.is_file()).unwrap_or_else(|| program.to_owned())
}

/// A transport by a program with sendmail's interface. lettre's own cannot have an empty sender.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sendmail {
    program: PathBuf,
    timeout: Duration,
}

impl Sendmail {
    /// Returns a transport by the program at that path.
    pub fn new(program: &Path) -> Self {
        Self { program: program.to_owned(), timeout: MAIL_TIMEOUT }
    }

    /// Sets how long the program may take for a mail before it is killed.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }
}

impl Transport for Sendmail {
    fn send(
        &mut self,
        sender: Option<&Address>,
        to: &Address,
        bytes: &[u8],
    ) -> Result<(), DeliveryError> {
        let failed = |error| temporary_error(format!("{}: {error}", self.program.display()));
        let mut child = Command::new(&self.program)
            .args(["-i", "-f", sender.map_or("", Address::as_str), "--", to.as_str()])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let mail = with_line_ends(bytes, b"\n");
        // Threads serve the pipes, and nobody joins them: a program may write before it reads, and
        // one that hangs may have children that hold the pipes open.
        let written = child.stdin.take().map(|mut pipe| in_thread(move || pipe.write_all(&mail)));
        let said = child.stderr.take().map(|pipe| in_thread(move || start_of(pipe)));
        let Some(status) = end_of(&mut child, self.timeout).map_err(failed)? else {
            let why = format!("no end within {} s", self.timeout.as_secs());
            return Err(failed(io::Error::new(io::ErrorKind::TimedOut, why)));
        };
        // If a program does not read to the end, its exit code tells why.
        if status.success() {
            let written = written.and_then(|written| written.recv_timeout(PIPE_TIMEOUT).ok());
            let unread = || io::Error::other("it did not read the mail");
            return written.unwrap_or_else(|| Err(unread())).map_err(failed);
        }
        let said = said.and_then(|said| said.recv_timeout(PIPE_TIMEOUT).ok()).unwrap_or_default();
        let said = Some(said.trim()).filter(|said| !said.is_empty());
        let said = said.map(|said| format!(": {said}")).unwrap_or_default();
        let why = format!("{}: {status}{said}", self.program.display());
        let scope = if is_final(status) { FailureScope::Rejected } else { FailureScope::Transport };
        Err(DeliveryError { scope, why })
    }
}

/// Waits for the end of a program; `None` if it took too long and was killed.
pub(crate) fn end_of(child: &mut Child, timeout: Duration) -> io::Result<Option<ExitStatus>> {
    let begun = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if begun.elapsed() >= timeout {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        // The standard library cannot wait for a process with a limit.
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

/// Runs `work` in a thread. Returns the receiver of its result.
fn in_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Receiver<T> {
    let (result, receiver) = channel();
    // The receiver may be gone.
    thread::spawn(move || drop(result.send(work())));
    receiver
}

/// Reads a pipe to the end, so that the writer never blocks, and returns the beginning.
fn start_of(mut pipe: impl Read) -> String {
    let mut kept = Vec::new();
    // What was read before an error is reported anyway.
    let _ = pipe.by_ref().take(MAX_SAID_BYTES).read_to_end(&mut kept);
    let _ = io::copy(&mut pipe, &mut io::sink());
    String::from_utf8_lossy(&kept).into_owned()
}

/// Returns whether a program has rejected the mail for good: the exit codes of `sysexits.h` for bad data,
/// no such user and no such host.
fn is_final(status: ExitStatus) -> bool {
    matches!(status.code(), Some(65 | 67 | 68))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sends a mail of 300 KB with this script as the program.
    fn sent(script: &str, timeout: Duration) -> Result<(), DeliveryError> {
        let dir = tempfile::tempdir().unwrap();
        let program = dir.path().join("sendmail");
        // Another process writes it. Otherwise a program started by another test at this moment
        // would inherit the file open for writing, and the kernel would refuse to run it ("Text
        // file busy").
        let write = "printf '#!/bin/sh\\n%s\\n' \"$1\" >\"$0\" && chmod 755 \"$0\"";
        let written = Command::new("sh").args(["-c", write]).arg(&program).arg(script).status();
        assert!(written.unwrap().success());
        let to = Address::parse("alice@example.org").unwrap();
        let mail = "a line of a mail\n".repeat(20_000);
        Sendmail::new(&program).with_timeout(timeout).send(None, &to, mail.as_bytes())
    }

    #[test]
    fn a_program_that_never_ends_is_killed() {
        let begun = Instant::now();
        let error = sent("sleep 30", Duration::from_millis(200)).unwrap_err();
        assert!(
            error.scope != FailureScope::Rejected && error.why.contains("no end within"),
            "{error:?}"
        );
        assert!(begun.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn a_program_may_complain_at_length_before_it_reads() {
        let loud = "yes complaint | head -c 200000 >&2; cat >/dev/null";
        sent(loud, MAIL_TIMEOUT).unwrap();
        // The same by a builtin, so that a broken pipe would end the program itself.
        sent("printf '%200000s' complaint >&2; cat >/dev/null", MAIL_TIMEOUT).unwrap();
        let error = sent(&format!("{loud}; exit 67"), MAIL_TIMEOUT).unwrap_err();
        assert!(
            error.scope == FailureScope::Rejected && error.why.contains("complaint"),
            "{error:?}"
        );
        assert!(error.why.len() < 3000);
    }

    #[test]
    fn a_mail_that_was_not_read_was_not_sent() {
        let error = sent("exit 0", MAIL_TIMEOUT).unwrap_err();
        assert_ne!(error.scope, FailureScope::Rejected, "{error:?}");
    }
}
