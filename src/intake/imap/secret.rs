//! Gets the password or the access token that a user logs in with.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "passwords are in files, and programs print tokens"
)]

use super::ImapError;
use crate::config::ImapSecret;
use crate::post::end_of;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use std::fs;
use std::io::{self, Read as _};
use std::process::{ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a program may take to print a token and to end.
const TOKEN_TIMEOUT: Duration = Duration::from_secs(30);

/// The most bytes of a password or token.
const MAX_SECRET: usize = 16 * 1024;

/// What is sent to log in.
pub(super) enum Credentials {
    Password(String),
    Token(String),
}

/// Gets the secret anew: tokens expire, and passwords change. Takes up to half a minute.
pub(super) fn credentials(secret: &ImapSecret) -> Result<Credentials, ImapError> {
    Ok(match secret {
        ImapSecret::PasswordFile(path) => Credentials::Password(first_line(path)?),
        ImapSecret::TokenFile(path) => Credentials::Token(first_line(path)?),
        ImapSecret::TokenCommand(words) => Credentials::Token(printed(words, TOKEN_TIMEOUT)?),
    })
}

fn first_line(path: &str) -> Result<String, ImapError> {
    let failed = |why: String| ImapError::Failed(format!("cannot read {path}: {why}"));
    let mut text = String::new();
    fs::File::open(path)
        .and_then(|file| file.take(MAX_SECRET as u64).read_to_string(&mut text))
        .map_err(|error| failed(error.to_string()))?;
    match text.lines().next().unwrap_or_default() {
        "" => Err(failed("its first line is empty".into())),
        line if has_control(line) => Err(failed("its first line has control characters".into())),
        line => Ok(line.to_owned()),
    }
}

/// Returns whether a line has control characters, which would end the message of the login.
fn has_control(line: &str) -> bool {
    line.contains(char::is_control)
}

/// Runs a program and returns the first line that it prints. It is killed if it has not ended after
/// `timeout`.
fn printed(words: &[String], timeout: Duration) -> Result<String, ImapError> {
    let [program, arguments @ ..] = words else {
        return Err(ImapError::Failed("`token_command` is empty".into()));
    };
    let failed = |why: &str| ImapError::Failed(format!("{program} gives no token: {why}"));
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped());
    let begun = Instant::now();
    let mut child = command.spawn().map_err(|error| failed(&error.to_string()))?;
    let output = child.stdout.take().map(|output| read_to_end(output, timeout)).transpose();
    // A program may close its output and stay.
    let ended = end_of(&mut child, timeout.saturating_sub(begun.elapsed()));
    let output = output.map_err(|error| failed(&error.to_string()))?;
    let ended = ended.map_err(|error| failed(&error.to_string()))?;
    let Some(bytes) = output.flatten() else { return Err(failed("it takes too long")) };
    let Some(status) = ended else { return Err(failed("it prints, but does not end")) };
    if !status.success() {
        return Err(failed(&status.to_string()));
    }
    let text =
        String::from_utf8(bytes).map_err(|_| failed("it prints bytes that are not UTF-8"))?;
    match text.lines().next().unwrap_or_default().trim() {
        "" => Err(failed("it prints nothing")),
        line if has_control(line) => Err(failed("it prints control characters")),
        line => Ok(line.to_owned()),
    }
}

/// Reads the output of a program to its end, at most [`MAX_SECRET`] bytes; `None` if that takes longer than `timeout`,
/// since a child of the program may hold the output open after the program has ended.
fn read_to_end(mut output: ChildStdout, timeout: Duration) -> io::Result<Option<Vec<u8>>> {
    let begun = Instant::now();
    let mut read = Vec::new();
    while read.len() < MAX_SECRET {
        let left = timeout.saturating_sub(begun.elapsed());
        let left = Timespec::try_from(left).map_err(io::Error::other)?;
        match poll(&mut [PollFd::new(&output, PollFlags::IN)], Some(&left)) {
            Ok(0) => return Ok(None),
            Err(Errno::INTR) => continue,
            polled => polled?,
        };
        let mut bytes = [0; 4096];
        let most = bytes.len().min(MAX_SECRET - read.len());
        match output.read(&mut bytes[..most])? {
            0 => break,
            count => read.extend_from_slice(&bytes[..count]),
        }
    }
    Ok(Some(read))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(script: &str) -> Result<String, String> {
        let words = ["/bin/sh", "-c", script].map(String::from).to_vec();
        match credentials(&ImapSecret::TokenCommand(words)) {
            Ok(Credentials::Token(token)) => Ok(token),
            Ok(Credentials::Password(_)) => panic!("a password"),
            Err(ImapError::Failed(why)) => Err(why),
            Err(other) => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_program_prints_a_token() {
        assert_eq!(token("echo abc; echo def"), Ok("abc".into()));
        assert_eq!(token("true").unwrap_err(), "/bin/sh gives no token: it prints nothing");
        let control = token("printf 'a\\001b'").unwrap_err();
        assert_eq!(control, "/bin/sh gives no token: it prints control characters");
        let binary = token("printf 'a\\377b'").unwrap_err();
        assert_eq!(binary, "/bin/sh gives no token: it prints bytes that are not UTF-8");
        assert!(token("echo abc; exit 3").unwrap_err().contains("exit status: 3"));
    }

    #[test]
    fn a_program_that_stays_is_killed() {
        let words = ["/bin/sh", "-c", "echo abc; exec >&-; exec sleep 1000"].map(String::from);
        let Err(ImapError::Failed(why)) = printed(&words, Duration::from_millis(200)) else {
            panic!("it has not ended");
        };
        // On a busy machine it is killed before it prints.
        let whys = ["it prints, but does not end", "it takes too long"];
        let whys = whys.map(|why| format!("/bin/sh gives no token: {why}"));
        assert!(whys.contains(&why), "{why}");
        let mut child = Command::new("/bin/sleep").arg("1000").spawn().unwrap();
        assert_eq!(end_of(&mut child, Duration::ZERO).unwrap(), None);
    }

    #[test]
    fn nothing_waits_for_a_child_of_a_program_that_holds_its_output_open() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("closed");
        // The child prints until nobody reads any longer.
        let script = "{ (while echo x; do sleep 0.05; done) 2>/dev/null; : >\"$0\"; } & echo abc";
        let words = ["/bin/sh", "-c", script, path.to_str().unwrap()].map(String::from);
        let Err(ImapError::Failed(why)) = printed(&words, Duration::from_millis(200)) else {
            panic!("the output has not ended");
        };
        assert_eq!(why, "/bin/sh gives no token: it takes too long");
        // It would print for ever if its output were still open.
        while !fs::exists(&path).unwrap() {
            std::thread::yield_now();
        }
    }

    #[test]
    fn a_password_is_the_first_line_of_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret").to_str().unwrap().to_owned();
        let read = || match credentials(&ImapSecret::PasswordFile(path.clone())) {
            Ok(Credentials::Password(password)) => Ok(password),
            Ok(Credentials::Token(_)) => panic!("a token"),
            Err(error) => Err(error),
        };
        assert!(matches!(read(), Err(ImapError::Failed(why)) if why.contains(&path)));
        for (text, password) in [("pass word\n", Some("pass word")), ("\nx", None), ("", None)] {
            fs::write(&path, text).unwrap();
            assert_eq!(read().ok().as_deref(), password, "{text:?}");
        }
        fs::write(&path, "pass\u{1}word\n").unwrap();
        assert!(
            matches!(read(), Err(ImapError::Failed(why)) if why.ends_with("has control characters"))
        );
    }
}
