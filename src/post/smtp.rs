//! Transport by SMTP.

use super::{DeliveryError, FailureScope, Transport, temporary_error, with_line_ends};
use crate::config::Tls;
use crate::mail::Address;
use data_encoding::BASE64;
use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{SmtpConnection, TlsParameters};
use lettre::transport::smtp::commands::{Data, Mail, Rcpt, Rset};
use lettre::transport::smtp::extension::{ClientId, Extension, MailBodyParameter, MailParameter};
use std::collections::BTreeMap;
use std::iter::successors;
use std::time::Duration;

/// The timeout of one answer when a mail is sent.
const ANSWER_TIMEOUT: Duration = Duration::from_mins(1);

/// The timeout of one answer when the server is only checked.
const CHECK_TIMEOUT: Duration = Duration::from_secs(5);

/// The timeout of the answer to a mail's content (RFC 5321, 4.5.3.2.6). A server that filters mails is slow there, and
/// would deliver each copy that is sent again too early.
const CONTENT_TIMEOUT: Duration = Duration::from_mins(10);

/// A login at the mail server.
#[derive(Clone, PartialEq, Eq)]
pub struct Login {
    /// The user name.
    pub user: String,
    /// The password.
    pub password: String,
}

/// A transport to a mail server, over one connection. Once the server cannot be reached, all
/// further mails of the run fail at once.
pub struct Smtp {
    host: String,
    port: u16,
    tls: Tls,
    login: Option<Login>,
    timeout: Duration,
    content_timeout: Duration,
    connection: Option<SmtpConnection>,
    /// Why the server cannot be reached in this run, if it cannot.
    down: Option<String>,
    /// Recipients for whom the server timed out, with the error: other letters do not wait for them
    /// again.
    silent: BTreeMap<String, String>,
}

impl Smtp {
    /// Returns a transport that is not connected yet.
    pub fn new(host: &str, port: u16, tls: Tls, login: Option<Login>) -> Self {
        let host = host.to_owned();
        Self {
            host,
            port,
            tls,
            login,
            timeout: ANSWER_TIMEOUT,
            content_timeout: CONTENT_TIMEOUT,
            connection: None,
            down: None,
            silent: BTreeMap::new(),
        }
    }

    fn connect(&self) -> Result<SmtpConnection, Error> {
        let hello = ClientId::default();
        let tls = match self.tls {
            Tls::None => None,
            Tls::Starttls | Tls::Tls => Some(TlsParameters::new(self.host.clone())?),
        };
        let at_once = tls.as_ref().filter(|_| self.tls == Tls::Tls);
        let server = (self.host.as_str(), self.port);
        let mut connection =
            SmtpConnection::connect(server, Some(self.timeout), &hello, at_once, None)?;
        if let (Tls::Starttls, Some(tls)) = (self.tls, &tls) {
            connection.starttls(tls, &hello)?;
        }
        if let Some(Login { user, password }) = &self.login {
            let credentials = Credentials::new(user.clone(), password.clone());
            connection.auth(DEFAULT_MECHANISMS, &credentials)?;
        }
        Ok(connection)
    }

    /// Removes the password from a message, since servers may repeat what they were told.
    fn without_password(&self, why: &str) -> String {
        let Some(Login { user, password }) = &self.login else { return why.to_owned() };
        let told = [
            password.clone(),
            BASE64.encode(password.as_bytes()),
            BASE64.encode(format!("\0{user}\0{password}").as_bytes()),
        ];
        let told = told.iter().filter(|told| !told.is_empty());
        told.fold(why.to_owned(), |why, told| why.replace(told.as_str(), "..."))
    }

    /// Takes the connection, or opens one. Returns whether it was already open.
    fn connection(&mut self) -> Result<(SmtpConnection, bool), DeliveryError> {
        if let Some(connection) = self.connection.take() {
            return Ok((connection, true));
        }
        if let Some(why) = &self.down {
            return Err(temporary_error(why.clone()));
        }
        match self.connect() {
            Ok(connection) => Ok((connection, false)),
            Err(error) => {
                // The refusal of a connection or a login says nothing about the mail.
                let why = format!("{}:{}: {}", self.host, self.port, with_causes(&error));
                let why = self.without_password(&why);
                self.down = Some(why.clone());
                Err(temporary_error(why))
            }
        }
    }

    /// Sends a mail over a connection.
    fn hand_over(
        &self,
        connection: &mut SmtpConnection,
        sender: Option<lettre::Address>,
        to: lettre::Address,
        mail: &[u8],
    ) -> Result<(), SmtpError> {
        let at = |stage| move |error| SmtpError::At(stage, error);
        let mut options = Vec::new();
        if !mail.is_ascii() {
            if !connection.server_info().supports_feature(Extension::EightBitMime) {
                return Err(SmtpError::Ascii);
            }
            options.push(MailParameter::Body(MailBodyParameter::EightBitMime));
        }
        connection.command(Mail::new(sender, options)).map_err(at(SmtpStage::Before))?;
        connection.command(Rcpt::new(to, Vec::new())).map_err(at(SmtpStage::Recipient))?;
        connection.command(Data).map_err(at(SmtpStage::Before))?;
        let mail = with_line_ends(mail, b"\r\n");
        let mail = mail.strip_suffix(b"\r\n").unwrap_or(&mail);
        // If a timeout cannot be set, the one before it holds.
        let _ = connection.set_timeout(Some(self.content_timeout));
        let accepted = match str::from_utf8(mail) {
            Ok(text) => connection.command(content(text)),
            // A command is text. Such a mail takes the 40 ms longer.
            Err(_) => connection.message(mail),
        };
        let _ = connection.set_timeout(Some(self.timeout));
        accepted.map_err(at(SmtpStage::Content))?;
        Ok(())
    }
}

impl Transport for Smtp {
    fn check(&mut self) -> Result<(), DeliveryError> {
        self.timeout = CHECK_TIMEOUT;
        let reached = self.connection().map(|(mut connection, _)| {
            // The answer to QUIT does not matter.
            let _ = connection.quit();
        });
        self.timeout = ANSWER_TIMEOUT;
        reached
    }

    fn end_run(&mut self) -> bool {
        self.down = None;
        self.silent.clear();
        self.connection.is_some()
    }

    fn send(
        &mut self,
        sender: Option<&Address>,
        to: &Address,
        bytes: &[u8],
    ) -> Result<(), DeliveryError> {
        if let Some(why) = self.silent.get(to.as_str()) {
            return Err(DeliveryError { scope: FailureScope::ThisLetter, why: why.clone() });
        }
        let address = to;
        let sender = sender.map(to_lettre).transpose()?;
        let to = to_lettre(to)?;
        loop {
            let (mut connection, is_reused) = self.connection()?;
            match self.hand_over(&mut connection, sender.clone(), to.clone(), bytes) {
                Ok(()) => {
                    self.connection = Some(connection);
                    return Ok(());
                }
                Err(failed) if is_reused && failed.is_closed_without_mail() => connection.abort(),
                Err(failed) => {
                    if failed.spares_connection() && connection.command(Rset).is_ok() {
                        self.connection = Some(connection);
                    } else if !failed.has_timed_out() {
                        connection.abort();
                    }
                    // After a timeout nobody waits for the answer to QUIT: the connection is dropped.
                    let is_silent = failed.is_silent();
                    let failed = DeliveryError::from(failed);
                    if is_silent {
                        self.silent.insert(address.as_str().to_owned(), failed.why.clone());
                    }
                    return Err(failed);
                }
            }
        }
    }
}

impl Drop for Smtp {
    fn drop(&mut self) {
        if let Some(connection) = &mut self.connection {
            // Only a courtesy to the server.
            let _ = connection.quit();
        }
    }
}

/// The stage of a mail at which an error occurred. lettre's own sending does not tell.
#[derive(Clone, Copy)]
enum SmtpStage {
    /// Nothing was said about the recipient or the content yet.
    Before,
    Recipient,
    Content,
}

/// Why a mail was not accepted.
enum SmtpError {
    At(SmtpStage, Error),
    /// The server does not support 8BITMIME.
    Ascii,
}

impl SmtpError {
    /// Returns whether the server has refused this recipient or this content and waits for other mails.
    fn spares_connection(&self) -> bool {
        match self {
            Self::At(SmtpStage::Recipient | SmtpStage::Content, error) => {
                error.status().is_some_and(|code| u16::from(code) != 421)
            }
            Self::At(SmtpStage::Before, _) | Self::Ascii => false,
        }
    }

    /// Returns whether the server has closed the connection, since it was idle for too long or has had its most mails,
    /// and cannot have taken this mail: the server says that it closes (421), or the content was not sent yet.
    fn is_closed_without_mail(&self) -> bool {
        match self {
            Self::At(stage, error) => match error.status() {
                Some(code) => u16::from(code) == 421,
                None => !matches!(stage, SmtpStage::Content) && !has_timed_out(error),
            },
            Self::Ascii => false,
        }
    }

    /// Returns whether the server timed out.
    fn has_timed_out(&self) -> bool {
        matches!(self, Self::At(_, error) if has_timed_out(error))
    }

    /// Returns whether the server timed out on this recipient or this content.
    fn is_silent(&self) -> bool {
        match self {
            Self::At(SmtpStage::Recipient | SmtpStage::Content, error) => has_timed_out(error),
            Self::At(SmtpStage::Before, _) | Self::Ascii => false,
        }
    }
}

/// Returns whether an error is a timeout.
fn has_timed_out(error: &Error) -> bool {
    use std::io::ErrorKind::{TimedOut, WouldBlock};
    let causes = successors(std::error::Error::source(error), |error| error.source());
    let mut kinds = causes.filter_map(|error| Some(error.downcast_ref::<std::io::Error>()?.kind()));
    kinds.any(|kind| matches!(kind, TimedOut | WouldBlock))
}

impl From<SmtpError> for DeliveryError {
    fn from(failed: SmtpError) -> Self {
        match failed {
            SmtpError::At(stage, error) => {
                let scope = match stage {
                    SmtpStage::Before => FailureScope::Transport,
                    _ if is_final(stage, &error) => FailureScope::Rejected,
                    _ => FailureScope::ThisLetter,
                };
                Self { scope, why: with_causes(&error) }
            }
            SmtpError::Ascii => Self {
                scope: FailureScope::ThisLetter,
                why: "the server does not offer 8BITMIME, which this mail needs".into(),
            },
        }
    }
}

/// Returns the dot-stuffed mail with its final line (RFC 5321, 4.5.2). lettre writes that line separately, and Nagle's
/// algorithm delays it, often by 40 ms.
fn content(mail: &str) -> String {
    let mut content = String::with_capacity(mail.len() + 8);
    for line in mail.split_inclusive('\n') {
        if line.starts_with('.') {
            content.push('.');
        }
        content.push_str(line);
    }
    content.push_str("\r\n.\r\n");
    content
}

/// Converts an address to lettre's type.
fn to_lettre(address: &Address) -> Result<lettre::Address, DeliveryError> {
    let unfit = |error: lettre::address::AddressError| DeliveryError {
        scope: FailureScope::Rejected,
        why: error.to_string(),
    };
    address.as_str().parse().map_err(unfit)
}

/// Returns whether trying again is useless: the server refused this recipient or this content for
/// good. Some codes concern the server, us or a full mailbox. 554 for a recipient means that the
/// server does not relay for us, which the operator can correct.
fn is_final(stage: SmtpStage, error: &Error) -> bool {
    let code = error.status().map(u16::from);
    error.is_permanent()
        && match stage {
            SmtpStage::Before => false,
            SmtpStage::Recipient => !matches!(code, Some(521 | 530 | 534 | 535 | 538 | 552 | 554)),
            SmtpStage::Content => !matches!(code, Some(521 | 530 | 534 | 535 | 538 | 552)),
        }
}

/// Formats an error with its causes: lettre's own message names only the kind.
fn with_causes(error: &Error) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        let more = error.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead as _, BufReader, Lines, Write as _};
    use std::net::{TcpListener, TcpStream};
    use std::sync::mpsc;
    use std::thread;

    /// Accepts and greets a client, and returns the connection and the lines that come from it.
    fn greeted(listener: &TcpListener) -> (TcpStream, Lines<BufReader<TcpStream>>) {
        let (mut out, _) = listener.accept().unwrap();
        let lines = BufReader::new(out.try_clone().unwrap()).lines();
        out.write_all(b"220 ready\r\n").unwrap();
        (out, lines)
    }

    /// Sends a mail to a server that gives this answer to commands with this beginning; `.` is the
    /// end of the mail.
    fn sent(refused: &'static str, answer: &'static str) -> DeliveryError {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = thread::spawn(move || {
            let (mut out, mut lines) = greeted(&listener);
            let mut inside = false;
            while let Some(Ok(line)) = lines.next() {
                if inside && line != "." {
                    continue;
                }
                let usual = match line.as_str() {
                    "DATA" => "354 go on",
                    line if line.starts_with("EHLO") => "250-x\r\n250 AUTH PLAIN",
                    _ => "250 ok",
                };
                let answer = if line.starts_with(refused) { answer } else { usual };
                inside = answer.starts_with("354");
                if write!(out, "{answer}\r\n").is_err() || line == "QUIT" {
                    return;
                }
            }
        });
        let login = Login { user: "u".into(), password: "p".into() };
        let login = (refused == "AUTH").then_some(login);
        let mut transport = Smtp::new("127.0.0.1", port, Tls::None, login);
        let to = Address::parse("alice@example.org").unwrap();
        let error = transport.send(None, &to, b"Subject: x\n\nx\n").unwrap_err();
        drop(transport);
        server.join().unwrap();
        error
    }

    /// Starts a server that never answers for the recipient `silent`, rejects `refused` for good
    /// and accepts others. Returns its port and the recipients it was told.
    fn choosy() -> (u16, mpsc::Receiver<String>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (tell, told) = mpsc::channel();
        thread::spawn(move || {
            for out in listener.incoming() {
                let mut out = out.unwrap();
                let mut lines = BufReader::new(out.try_clone().unwrap()).lines();
                out.write_all(b"220 ready\r\n").unwrap();
                let mut inside = false;
                while let Some(Ok(line)) = lines.next() {
                    if line.starts_with("RCPT") && tell.send(line.clone()).is_err() {
                        return;
                    }
                    let answer = match &*line {
                        "." => "250 ok",
                        _ if inside => continue,
                        "DATA" => "354 go on",
                        line if line.contains("<silent@") => continue,
                        line if line.contains("<refused@") => "550 5.1.1 no such user",
                        _ => "250 ok",
                    };
                    inside = answer.starts_with("354");
                    if write!(out, "{answer}\r\n").is_err() {
                        break;
                    }
                }
            }
        });
        (port, told)
    }

    /// Sends a mail to a server, and returns what came with the first segment after `DATA`, and all that came.
    fn segments(mail: &[u8]) -> (Vec<u8>, Vec<u8>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = thread::spawn(move || {
            let mut stream = BufReader::new(listener.accept().unwrap().0);
            stream.get_mut().write_all(b"220 ready\r\n").unwrap();
            let mut line = String::new();
            while line != "DATA\r\n" {
                line.clear();
                stream.read_line(&mut line).unwrap();
                let answer = match &*line {
                    "DATA\r\n" => "354 go on\r\n",
                    _ => "250-x\r\n250 8BITMIME\r\n",
                };
                stream.get_mut().write_all(answer.as_bytes()).unwrap();
            }
            let first = stream.fill_buf().unwrap().to_vec();
            let mut all = Vec::new();
            while !all.ends_with(b"\r\n.\r\n") {
                stream.read_until(b'\n', &mut all).unwrap();
            }
            stream.get_mut().write_all(b"250 kept\r\n").unwrap();
            (first, all)
        });
        let to = Address::parse("alice@example.org").unwrap();
        Smtp::new("127.0.0.1", port, Tls::None, None).send(None, &to, mail).unwrap();
        server.join().unwrap()
    }

    #[test]
    fn a_mail_and_its_end_come_in_one_segment() {
        let (first, all) = segments(b"Subject: x\n\n.\n..\nend");
        assert_eq!(all, b"Subject: x\r\n\r\n..\r\n...\r\nend\r\n.\r\n");
        assert_eq!(first, all);
        let (_, all) = segments(b"Subject: \xFF\n\n.\n");
        assert_eq!(all, b"Subject: \xFF\r\n\r\n..\r\n.\r\n");
    }

    #[test]
    fn a_recipient_for_whom_the_server_is_silent_or_refuses_holds_up_no_other() {
        let (port, told) = choosy();
        let mut transport = Smtp::new("127.0.0.1", port, Tls::None, None);
        transport.timeout = Duration::from_millis(300);
        let names = ["alice", "silent", "bob", "silent", "refused", "silent", "carol"];
        let mut sent = Vec::new();
        for name in names {
            let to = Address::parse(&format!("{name}@example.org")).unwrap();
            let done = transport.send(None, &to, b"Subject: x\n\nx\n");
            sent.push(done.map_err(|error| error.scope));
        }
        let waits = Err(FailureScope::ThisLetter);
        let rejected = Err(FailureScope::Rejected);
        assert_eq!(sent, [Ok(()), waits, Ok(()), waits, rejected, waits, Ok(())]);
        let heard: Vec<String> = told.try_iter().collect();
        let of = |name: &str| heard.iter().filter(|line| line.contains(name)).count();
        assert_eq!(
            [of("silent"), of("refused"), of("bob"), of("carol")],
            [1, 1, 1, 1],
            "{heard:?}"
        );
    }

    /// The usual timeout in tests.
    const SHORT: Duration = Duration::from_millis(300);

    /// Starts a server that takes mails, and pauses before it answers their end, and for ten seconds at the recipient
    /// `silent`. If the client does anything meanwhile, it ends, and returns the number of mails taken and what the
    /// client did.
    fn pausing(at_end: Duration) -> (u16, thread::JoinHandle<(usize, String)>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = thread::spawn(move || {
            let (mut out, mut lines) = greeted(&listener);
            let (mut taken, mut inside) = (0, false);
            while let Some(Ok(line)) = lines.next() {
                if inside && line != "." {
                    continue;
                }
                let is_end = line == ".";
                if is_end || line.contains("<silent@") {
                    let pause = if is_end { at_end } else { Duration::from_secs(10) };
                    out.set_read_timeout(Some(pause)).unwrap();
                    match lines.next() {
                        Some(Err(_)) => out.set_read_timeout(None).unwrap(),
                        Some(Ok(line)) => return (taken, line),
                        None => return (taken, "hung up".to_owned()),
                    }
                    taken += usize::from(is_end);
                }
                inside = line == "DATA";
                let answer = if inside { "354 go on" } else { "250 ok" };
                write!(out, "{answer}\r\n").unwrap();
            }
            (taken, String::new())
        });
        (port, server)
    }

    #[test]
    fn a_server_that_is_slow_after_the_content_gets_the_mail_once() {
        let (port, server) = pausing(2 * SHORT);
        let mut transport = Smtp::new("127.0.0.1", port, Tls::None, None);
        (transport.timeout, transport.content_timeout) = (SHORT, Duration::from_mins(1));
        let mut send =
            |to| transport.send(None, &Address::parse(to).unwrap(), b"Subject: x\n\nx\n");
        assert_eq!(send("alice@example.org"), Ok(()));
        // The next answer has the usual time.
        let error = send("silent@example.org").unwrap_err();
        assert_eq!(error.scope, FailureScope::ThisLetter, "{error:?}");
        assert_eq!(server.join().unwrap(), (1, "hung up".to_owned()));
    }

    #[test]
    fn after_a_timeout_the_connection_is_dropped_without_quit() {
        let (port, server) = pausing(Duration::from_mins(1));
        let mut transport = Smtp::new("127.0.0.1", port, Tls::None, None);
        (transport.timeout, transport.content_timeout) = (SHORT, SHORT);
        let to = Address::parse("alice@example.org").unwrap();
        let error = transport.send(None, &to, b"Subject: x\n\nx\n").unwrap_err();
        assert_eq!(error.scope, FailureScope::ThisLetter, "{error:?}");
        assert_eq!(server.join().unwrap(), (0, "hung up".to_owned()));
    }

    #[test]
    fn a_mail_that_a_server_may_have_taken_is_not_sent_again_at_once() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        // The server closes the connection after the content of the second mail. It listens no longer, so another
        // connection would fail.
        let server = thread::spawn(move || {
            let (mut out, mut lines) = greeted(&listener);
            let (mut contents, mut inside) = (0, false);
            while let Some(Ok(line)) = lines.next() {
                if inside && line != "." {
                    continue;
                }
                contents += usize::from(line == ".");
                if contents == 2 {
                    return;
                }
                inside = line == "DATA";
                let answer = if inside { "354 go on" } else { "250 ok" };
                write!(out, "{answer}\r\n").unwrap();
            }
        });
        let mut transport = Smtp::new("127.0.0.1", port, Tls::None, None);
        let to = Address::parse("alice@example.org").unwrap();
        let mut send = || transport.send(None, &to, b"Subject: x\n\nx\n");
        assert_eq!(send(), Ok(()));
        let error = send().unwrap_err();
        assert_eq!(error.scope, FailureScope::ThisLetter, "{error:?}");
        server.join().unwrap();
    }

    #[test]
    fn only_what_speaks_of_the_mail_is_for_good() {
        for (refused, answer, is_rejected) in [
            ("MAIL", "554 5.7.1 go away", false),
            ("MAIL", "550 5.7.1 not from you", false),
            ("AUTH", "535 5.7.8 who are you", false),
            ("RCPT", "530 5.7.0 log in", false),
            ("RCPT", "521 5.3.2 no mail here", false),
            ("RCPT", "552 5.2.2 mailbox full", false),
            ("RCPT", "554 5.7.1 relay access denied", false),
            ("RCPT", "450 later", false),
            ("RCPT", "550 5.1.1 no such user", true),
            ("DATA", "554 no valid recipients", false),
            (".", "552 5.2.2 mailbox full", false),
            (".", "451 later", false),
            (".", "554 5.6.0 a virus", true),
        ] {
            let error = sent(refused, answer);
            assert_eq!(
                error.scope == FailureScope::Rejected,
                is_rejected,
                "{refused} {answer}: {error:?}"
            );
        }
    }
}
