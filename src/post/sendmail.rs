//! Mails out by a `sendmail` program.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "post runs programs")]

use super::{Carrier, Undelivered, for_now, with_lines};
use crate::message::Address;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

/// A program that is called as sendmail is. Not lettre's: that one has no empty sender.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sendmail {
    program: PathBuf,
}

impl Sendmail {
    /// The program at that path.
    pub fn new(program: &Path) -> Self {
        Self { program: program.to_owned() }
    }
}

impl Carrier for Sendmail {
    fn send(
        &mut self,
        sender: Option<&Address>,
        to: &Address,
        bytes: &[u8],
    ) -> Result<(), Undelivered> {
        let failed = |error| for_now(format!("{}: {error}", self.program.display()));
        let mut child = Command::new(&self.program)
            .args(["-i", "-f", sender.map_or("", Address::as_str), "--", to.as_str()])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let mail = with_lines(bytes, b"\n");
        // A program that does not read to the end says why with its exit code.
        let written = child.stdin.take().map_or(Ok(()), |mut pipe| pipe.write_all(&mail));
        let output = child.wait_with_output().map_err(failed)?;
        if output.status.success() {
            return written.map_err(failed);
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let why = format!("{}: {}: {}", self.program.display(), output.status, said.trim());
        Err(Undelivered { permanent: is_final(output.status), why })
    }
}

/// Of the codes of `sysexits.h`: bad data, no such user, no such host.
fn is_final(status: ExitStatus) -> bool {
    matches!(status.code(), Some(65 | 67 | 68))
}
