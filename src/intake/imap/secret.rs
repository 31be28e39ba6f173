//! Gets the password or the access token that a user logs in with.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "passwords are in files, and programs print tokens"
)]

use super::ImapError;
use crate::config::ImapSecret;
use crate::post::end_of;
use std::fs;
use std::io::Read as _;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// How long a program may take to print a token and to end.
const TOKEN_TIMEOUT: Duration = Duration::from_secs(30);

/// The most bytes of a password or token.
const MAX_SECRET: u64 = 16 * 1024;

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
        .and_then(|file| file.take(MAX_SECRET).read_to_string(&mut text))
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
    let output = child.stdout.take();
    let (sender, text) = mpsc::channel();
    thread::spawn(move || {
        let mut text = String::new();
        let read = output.map(|output| output.take(MAX_SECRET).read_to_string(&mut text));
        let _ = sender.send(read.map(|read| read.map(|_| text)));
    });
    let text = text.recv_timeout(timeout);
    // A program may close its output and stay.
    let ended = end_of(&mut child, timeout.saturating_sub(begun.elapsed()));
    match (text, ended) {
        (Err(_), _) => Err(failed("it takes too long")),
        (Ok(_), Ok(None)) => Err(failed("it prints, but does not end")),
        (Ok(Some(Ok(text))), Ok(Some(status))) if status.success() => {
            match text.lines().next().unwrap_or_default().trim() {
                "" => Err(failed("it prints nothing")),
                line if has_control(line) => Err(failed("it prints control characters")),
                line => Ok(line.to_owned()),
            }
        }
        (Ok(_), Ok(Some(status))) => Err(failed(&status.to_string())),
        (Ok(_), Err(error)) => Err(failed(&error.to_string())),
    }
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
