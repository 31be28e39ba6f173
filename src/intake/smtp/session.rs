//! The commands of a session, and their order.

use super::data::{DataReader, ReceivedData};
use crate::mail::{Address, BOUNCE_MAILBOX, Identity, LARGEST_MAIL};
use smtp_proto::{Error, MAIL_BODY_BINARYMIME, MAIL_SMTPUTF8, MailFrom, Request};
use std::borrow::Cow;
use std::fmt::Write as _;

/// The most bytes of a mail after `DATA`. The rest of [`LARGEST_MAIL`] is for the headers added here.
pub const MAX_DATA: usize = LARGEST_MAIL - 32 * 1024;

/// The most bytes of a command, with its line end. The longest path has 256 octets (RFC 5321, 4.5.3.1.3);
/// parameters add some.
const MAX_LINE: usize = 2048;

/// The most recipients of a mail; RFC 5321, 4.5.3.1.8 asks for at least as many.
const MAX_RECIPIENTS: usize = 100;

/// The most commands after the last mail: twice what a mail with the most recipients needs, since others may be
/// refused.
pub const MAX_COMMANDS: usize = 2 * MAX_RECIPIENTS;

/// How many wrong commands end a session.
const MAX_FAULTS: u32 = 20;

/// The protocol of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// LMTP (RFC 2033): a mail gets a reply for each recipient.
    Lmtp,
    /// SMTP (RFC 5321): a mail gets one reply.
    Smtp,
}

impl Dialect {
    /// Returns the name of the protocol.
    const fn protocol(self) -> &'static str {
        match self {
            Self::Lmtp => "LMTP",
            Self::Smtp => "ESMTP",
        }
    }

    /// Returns the command that begins a session.
    const fn hello(self) -> &'static str {
        match self {
            Self::Lmtp => "LHLO",
            Self::Smtp => "EHLO",
        }
    }

    /// Returns how many replies a mail to so many recipients gets.
    const fn replies(self, recipients: usize) -> usize {
        match self {
            Self::Lmtp => recipients,
            Self::Smtp => 1,
        }
    }
}

/// What the connection has to do next.
#[derive(Debug, PartialEq, Eq)]
pub enum SessionStep {
    /// Send a reply, then go on.
    Reply(String),
    /// Make a mail durable, then pass the outcome to [`MailSession::taken`] before the next step.
    Take(Vec<u8>),
    /// Send a reply and close the connection.
    Close(String),
}

/// A session with a mail server. It does no input or output.
#[derive(Debug)]
pub struct MailSession {
    dialect: Dialect,
    identity: Identity,
    is_greeted: bool,
    envelope: Option<Envelope>,
    data: Option<DataReader>,
    /// The number of replies that the mail that is being made durable will get.
    pending_replies: usize,
    /// The beginning of a command.
    line: Vec<u8>,
    is_line_too_long: bool,
    /// The number of commands since the last mail.
    commands: usize,
    faults: u32,
}

/// The sender and the recipients of a mail.
#[derive(Debug)]
struct Envelope {
    sender: String,
    recipients: Vec<Address>,
}

impl MailSession {
    /// Begins a session with a mail server. `identity` has the addresses for which mails are taken.
    pub fn new(dialect: Dialect, identity: Identity) -> Self {
        Self {
            dialect,
            identity,
            is_greeted: false,
            envelope: None,
            data: None,
            pending_replies: 0,
            line: Vec::new(),
            is_line_too_long: false,
            commands: 0,
            faults: 0,
        }
    }

    /// Returns the reply to a new connection.
    pub fn greeting(&self) -> String {
        let (host, protocol) = (self.identity.address.domain(), self.dialect.protocol());
        format!("220 {host} {protocol} Postboard\r\n")
    }

    /// Returns the last reply of a session that this side ends.
    pub fn farewell(&self) -> String {
        format!("421 4.3.2 {} is stopping\r\n", self.identity.address.domain())
    }

    /// Returns the reply to a connection that is one too many.
    pub fn too_many_connections(&self) -> String {
        format!("421 4.7.0 {} has enough connections of yours\r\n", self.identity.address.domain())
    }

    /// Returns the last reply to a mail server that is too slow.
    pub fn too_slow(&self) -> String {
        format!("421 4.4.2 {} has waited too long\r\n", self.identity.address.domain())
    }

    /// Returns whether a mail is being received, and not a command.
    pub fn is_receiving(&self) -> bool {
        self.data.is_some()
    }

    /// Reads `input` up to the next step; `None` if all of it was read.
    pub fn next(&mut self, input: &mut &[u8]) -> Option<SessionStep> {
        if let Some(data) = &mut self.data {
            let received = data.read(input)?;
            self.data = None;
            return Some(self.receive(received));
        }
        let Some(end) = memchr::memchr(b'\n', input) else {
            self.add_to_line(input);
            *input = &[];
            return None;
        };
        let (rest_of_line, rest) = input.split_at(end + 1);
        self.add_to_line(rest_of_line);
        *input = rest;
        let line = std::mem::take(&mut self.line);
        self.commands += 1;
        if self.commands > MAX_COMMANDS {
            let last = "421 4.7.0 Too many commands without a mail\r\n";
            return Some(SessionStep::Close(last.into()));
        }
        if std::mem::take(&mut self.is_line_too_long) {
            return Some(self.fault("500 5.5.6 The line is too long"));
        }
        Some(match Request::parse(&mut line.iter()) {
            Ok(request) => self.carry_out(request),
            Err(error) => self.fault(&refusal(&error)),
        })
    }

    /// Returns the replies to a mail once it is durable or failed to be.
    pub fn taken(&mut self, is_durable: bool) -> String {
        let reply = if is_durable {
            "250 2.6.0 The mail is taken"
        } else {
            "451 4.3.0 The mail cannot be kept now; try again later"
        };
        format!("{reply}\r\n").repeat(std::mem::take(&mut self.pending_replies))
    }

    /// Keeps the beginning of a command, at most [`MAX_LINE`] bytes.
    fn add_to_line(&mut self, bytes: &[u8]) {
        self.is_line_too_long |= self.line.len() + bytes.len() > MAX_LINE;
        if !self.is_line_too_long {
            self.line.extend_from_slice(bytes);
        }
    }

    /// Returns the step after a mail has arrived.
    fn receive(&mut self, received: ReceivedData) -> SessionStep {
        self.commands = 0;
        let recipients = self.envelope.take().map_or(0, |envelope| envelope.recipients.len());
        let count = self.dialect.replies(recipients);
        match received {
            ReceivedData::Whole(mail) => {
                self.pending_replies = count;
                SessionStep::Take(mail)
            }
            ReceivedData::TooLarge => {
                SessionStep::Reply(format!("{}\r\n", too_large()).repeat(count))
            }
        }
    }

    /// Carries out a command.
    fn carry_out(&mut self, request: Request<Cow<str>>) -> SessionStep {
        match request {
            Request::Lhlo { .. } if self.dialect == Dialect::Lmtp => self.greet(true),
            Request::Ehlo { .. } if self.dialect == Dialect::Smtp => self.greet(true),
            Request::Helo { .. } if self.dialect == Dialect::Smtp => self.greet(false),
            Request::Lhlo { .. } | Request::Ehlo { .. } | Request::Helo { .. } => {
                let (protocol, hello) = (self.dialect.protocol(), self.dialect.hello());
                self.fault(&format!("500 5.5.1 This is {protocol}: say {hello}"))
            }
            Request::Mail { from } => self.begin_mail(&from),
            Request::Rcpt { to } => self.add_recipient(&to.address),
            Request::Data => self.begin_data(),
            Request::Rset => {
                self.envelope = None;
                reply("250 2.0.0 Forgotten")
            }
            Request::Noop { .. } => reply("250 2.0.0 Nothing done"),
            Request::Vrfy { .. } => reply("252 2.5.2 RCPT says which recipients are ours"),
            Request::Quit => SessionStep::Close("221 2.0.0 Bye\r\n".into()),
            other => self.fault(&format!("502 5.5.1 There is no {} here", other.name())),
        }
    }

    /// Begins the session, or begins it again.
    fn greet(&mut self, with_extensions: bool) -> SessionStep {
        (self.is_greeted, self.envelope) = (true, None);
        let host = self.identity.address.domain();
        SessionStep::Reply(if with_extensions {
            format!(
                "250-{host}\r\n250-PIPELINING\r\n250-8BITMIME\r\n250-SIZE {MAX_DATA}\r\n\
                 250 ENHANCEDSTATUSCODES\r\n"
            )
        } else {
            format!("250 {host}\r\n")
        })
    }

    /// Begins a mail.
    fn begin_mail(&mut self, from: &MailFrom<Cow<str>>) -> SessionStep {
        if !self.is_greeted {
            return self.fault(&format!("503 5.5.1 Say {} first", self.dialect.hello()));
        }
        if self.envelope.is_some() {
            return self.fault("503 5.5.1 A mail has begun; end it with DATA or RSET");
        }
        if from.flags & (MAIL_SMTPUTF8 | MAIL_BODY_BINARYMIME) != 0 {
            return reply("555 5.5.4 SMTPUTF8 and BINARYMIME are not supported");
        }
        if from.size > MAX_DATA {
            return reply(&too_large());
        }
        // The sender is written into a header.
        let sender = &*from.address;
        if !sender.bytes().all(|byte| byte.is_ascii_graphic() && !b"<>".contains(&byte)) {
            return reply("553 5.1.7 The sender is not an address");
        }
        self.envelope = Some(Envelope { sender: sender.to_owned(), recipients: Vec::new() });
        reply("250 2.1.0 The sender is noted")
    }

    /// Adds a recipient.
    fn add_recipient(&mut self, to: &str) -> SessionStep {
        let Some(envelope) = &mut self.envelope else {
            return self.fault("503 5.5.1 Say MAIL FROM first");
        };
        let Some(to) = Address::parse(to).filter(|to| is_ours(to, &self.identity)) else {
            return reply("550 5.1.1 There is no such recipient here");
        };
        if envelope.recipients.len() >= MAX_RECIPIENTS {
            return reply("452 4.5.3 Too many recipients");
        }
        envelope.recipients.push(to);
        reply("250 2.1.5 The recipient is ours")
    }

    /// Begins to receive a mail, with headers for its sender and recipients as local delivery writes them:
    /// the null sender of a delivery report and the tag of a reply address count when it is executed.
    fn begin_data(&mut self) -> SessionStep {
        let Some(envelope) = self.envelope.as_ref().filter(|it| !it.recipients.is_empty()) else {
            return self.fault("503 5.5.1 The mail has no recipient here");
        };
        let mut headers = format!("Return-Path: <{}>\r\n", envelope.sender);
        for to in &envelope.recipients {
            // Writing to a String cannot fail.
            let _ = write!(headers, "Delivered-To: {to}\r\n");
        }
        self.data = Some(DataReader::new(headers.into_bytes(), MAX_DATA));
        reply("354 Send the mail, then a line with a dot")
    }

    /// Replies to a wrong command, and ends the session after too many.
    fn fault(&mut self, text: &str) -> SessionStep {
        self.faults += 1;
        if self.faults >= MAX_FAULTS {
            return SessionStep::Close("421 4.7.0 Too many wrong commands\r\n".into());
        }
        reply(text)
    }
}

fn reply(text: &str) -> SessionStep {
    SessionStep::Reply(format!("{text}\r\n"))
}

fn too_large() -> String {
    format!("552 5.3.4 The mail is larger than {MAX_DATA} bytes")
}

/// Returns whether mail to an address is for this server: its own address with any tag, or the mailbox of
/// delivery reports.
fn is_ours(to: &Address, own: &Identity) -> bool {
    let is_for_reports = own.plus
        && to.mailbox().eq_ignore_ascii_case(BOUNCE_MAILBOX)
        && to.domain().eq_ignore_ascii_case(own.address.domain());
    to.same_mailbox(&own.address) || is_for_reports
}

/// Returns the reply to a line that is no command.
fn refusal(error: &Error) -> String {
    match error {
        Error::SyntaxError { syntax } => format!("501 5.5.4 Expected: {syntax}"),
        Error::InvalidSenderAddress => "501 5.1.7 The sender is not an address".into(),
        Error::InvalidRecipientAddress => "501 5.1.3 The recipient is not an address".into(),
        Error::InvalidParameter { .. } | Error::UnsupportedParameter { .. } => {
            "555 5.5.4 There is no such parameter".into()
        }
        _ => "500 5.5.2 There is no such command".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::HeaderText;
    use proptest::prelude::*;

    fn session(plus: bool) -> MailSession {
        session_of(Dialect::Lmtp, plus)
    }

    fn session_of(dialect: Dialect, plus: bool) -> MailSession {
        let address = Address::parse("games@play.test").unwrap();
        MailSession::new(dialect, Identity { address, name: HeaderText::new("Games"), plus })
    }

    /// The replies of a session, the mails that it took, and whether it is over.
    #[derive(Debug, Default, PartialEq, Eq)]
    struct Outcome {
        said: String,
        mails: Vec<String>,
        is_closed: bool,
    }

    /// Sends bytes in pieces; all mails become durable, or none.
    fn talk_in_pieces(
        session: &mut MailSession,
        sent: &[u8],
        piece: usize,
        is_durable: bool,
    ) -> Outcome {
        let mut outcome = Outcome::default();
        for mut input in sent.chunks(piece) {
            while let Some(step) = session.next(&mut input) {
                match step {
                    SessionStep::Reply(text) => outcome.said += &text,
                    SessionStep::Take(mail) => {
                        outcome.mails.push(String::from_utf8_lossy(&mail).into_owned());
                        outcome.said += &session.taken(is_durable);
                    }
                    SessionStep::Close(text) => {
                        outcome.said += &text;
                        outcome.is_closed = true;
                        return outcome;
                    }
                }
            }
            assert_eq!(input, b"");
        }
        outcome
    }

    fn talk(sent: &str) -> Outcome {
        let sent = sent.replace('\n', "\r\n");
        talk_in_pieces(&mut session(true), sent.as_bytes(), sent.len(), true)
    }

    fn talk_smtp(sent: &str) -> Outcome {
        let sent = sent.replace('\n', "\r\n");
        talk_in_pieces(&mut session_of(Dialect::Smtp, true), sent.as_bytes(), sent.len(), true)
    }

    /// The codes of all replies, without continuation lines.
    fn codes(said: &str) -> Vec<&str> {
        let is_last = |line: &&str| line.as_bytes().get(3) == Some(&b' ');
        let code = |line: &'_ str| line.find(' ').map_or(0, |at| at.min(3));
        said.split_terminator("\r\n").filter(is_last).map(|line| &line[..code(line)]).collect()
    }

    const MAIL: &str = "LHLO mx\nMAIL FROM:<ann@h.test> SIZE=100 BODY=8BITMIME\n\
                        RCPT TO:<games@play.test>\nRCPT TO:<nobody@play.test>\n\
                        RCPT TO:<games+abc@play.test>\nDATA\nSubject: help\n\n..dot\n.\nQUIT\n";

    #[test]
    fn a_mail_gets_a_reply_for_each_accepted_recipient() {
        let outcome = talk(MAIL);
        assert!(session(true).greeting().starts_with("220"));
        assert_eq!(
            codes(&outcome.said),
            ["250", "250", "250", "550", "250", "354", "250", "250", "221"]
        );
        let mail = "Return-Path: <ann@h.test>\r\nDelivered-To: games@play.test\r\n\
                    Delivered-To: games+abc@play.test\r\nSubject: help\r\n\r\n.dot\r\n";
        assert_eq!((outcome.mails, outcome.is_closed), (vec![mail.to_owned()], true));
        for line in ["250-PIPELINING\r\n", "250-8BITMIME\r\n", "250 ENHANCEDSTATUSCODES\r\n"] {
            assert!(outcome.said.contains(line), "{}", outcome.said);
        }
        assert!(outcome.said.contains(&format!("250-SIZE {MAX_DATA}\r\n")));
    }

    #[test]
    fn pieces_change_nothing() {
        for (dialect, mail) in
            [(Dialect::Lmtp, MAIL.to_owned()), (Dialect::Smtp, MAIL.replace("LHLO", "EHLO"))]
        {
            let sent = mail.replace('\n', "\r\n");
            let talk = |piece| {
                talk_in_pieces(&mut session_of(dialect, true), sent.as_bytes(), piece, true)
            };
            let whole = talk(sent.len());
            assert_eq!(whole.mails.len(), 1);
            for piece in 1..sent.len() {
                assert_eq!(talk(piece), whole, "{dialect:?} {piece}");
            }
        }
    }

    #[test]
    fn a_mail_by_smtp_gets_one_reply() {
        let by_lmtp = talk(MAIL);
        let outcome = talk_smtp(&MAIL.replace("LHLO", "EHLO"));
        assert_eq!(codes(&outcome.said), ["250", "250", "250", "550", "250", "354", "250", "221"]);
        assert_eq!((outcome.mails, outcome.is_closed), (by_lmtp.mails, true));
        assert!(outcome.said.contains("250-PIPELINING\r\n"), "{}", outcome.said);
        assert!(session_of(Dialect::Smtp, true).greeting().contains(" ESMTP "));

        // HELO offers nothing, and works.
        let outcome = talk_smtp(&MAIL.replace("LHLO", "HELO"));
        assert!(outcome.said.starts_with("250 play.test\r\n250 2.1.0 "), "{}", outcome.said);
        assert_eq!(outcome.mails.len(), 1);

        let sent = MAIL.replace("LHLO", "EHLO").replace('\n', "\r\n");
        let mut session = session_of(Dialect::Smtp, true);
        let outcome = talk_in_pieces(&mut session, sent.as_bytes(), 9, false);
        assert_eq!(codes(&outcome.said)[6..], ["451", "221"]);

        let body = "a".repeat(MAX_DATA + 1);
        let to = "RCPT TO:<games@play.test>\nRCPT TO:<games+a@play.test>\n";
        let outcome = talk_smtp(&format!("EHLO mx\nMAIL FROM:<>\n{to}DATA\n{body}\n.\nNOOP\n"));
        assert_eq!(codes(&outcome.said)[4..], ["354", "552", "250"]);
    }

    #[test]
    fn smtp_relays_for_nobody_and_offers_neither_tls_nor_logins() {
        let outcome = talk_smtp(
            "EHLO mx\nSTARTTLS\nAUTH PLAIN AHUAcA==\nMAIL FROM:<games@play.test>\n\
             RCPT TO:<bob@elsewhere.test>\nRCPT TO:<@play.test:bob@elsewhere.test>\n\
             RCPT TO:<bob%elsewhere.test@play.test>\nDATA\nLHLO mx\n",
        );
        let refused = |code: &&str| code.starts_with('5');
        let codes = codes(&outcome.said);
        assert_eq!((codes[0], codes[3]), ("250", "250"), "{}", outcome.said);
        assert_eq!(codes.iter().filter(|code| refused(code)).count(), 7, "{}", outcome.said);
        assert!(outcome.mails.is_empty());
        assert!(!outcome.said.contains("-STARTTLS") && !outcome.said.contains("-AUTH"));
    }

    #[test]
    fn a_mail_that_is_not_durable_is_put_off_and_the_session_goes_on() {
        let sent = MAIL.replace("QUIT\n", "NOOP\n").replace('\n', "\r\n");
        let outcome = talk_in_pieces(&mut session(true), sent.as_bytes(), 9, false);
        assert_eq!(codes(&outcome.said)[6..], ["451", "451", "250"]);
        assert!(outcome.said.contains("451 4.3.0 "));
        assert!(!outcome.is_closed);
    }

    #[test]
    fn commands_out_of_order_are_refused() {
        for (sent, expected) in [
            ("MAIL FROM:<>\n", &["503"][..]),
            ("HELO mx\nEHLO mx\n", &["500", "500"]),
            ("LHLO mx\nRCPT TO:<games@play.test>\nDATA\n", &["250", "503", "503"]),
            ("LHLO mx\nMAIL FROM:<>\nMAIL FROM:<>\nDATA\n", &["250", "250", "503", "503"]),
            (
                "LHLO mx\nMAIL FROM:<>\nRSET\nRCPT TO:<games@play.test>\n",
                &["250", "250", "250", "503"],
            ),
            ("LHLO mx\nMAIL FROM:<>\nLHLO mx\nDATA\n", &["250", "250", "250", "503"]),
            // After a mail, the next one needs a sender of its own.
            (
                "LHLO mx\nMAIL FROM:<>\nRCPT TO:<GAMES@play.test>\nDATA\n.\nRCPT TO:<games@play.test>\n",
                &["250", "250", "250", "354", "250", "503"],
            ),
            ("NOOP\nVRFY ann\nHELP\nEXPN all\nSTARTTLS\n", &["250", "252", "502", "502", "502"]),
            ("hello\nLHLO\nMAIL\nRCPT TO:ann\n\n", &["500", "501", "501", "501", "500"]),
        ] {
            assert_eq!(codes(&talk(sent).said), expected, "{sent}");
        }
    }

    #[test]
    fn only_addresses_of_this_server_are_recipients() {
        let ask = |plus, to: &str| {
            let sent = format!("LHLO mx\r\nMAIL FROM:<>\r\nRCPT TO:<{to}>\r\n");
            let outcome = talk_in_pieces(&mut session(plus), sent.as_bytes(), 999, true);
            outcome.said.lines().last().unwrap()[..9].to_owned()
        };
        for to in
            ["games@play.test", "Games+x@PLAY.test", "bounces+a1@play.test", "bounces@play.test"]
        {
            assert_eq!(ask(true, to), "250 2.1.5", "{to}");
        }
        assert_eq!(ask(false, "games+x@play.test"), "250 2.1.5");
        assert_eq!(ask(false, "bounces+a1@play.test"), "550 5.1.1");
        for to in
            ["ann@play.test", "games@other.test", "bounces+a1@other.test", "games@x.play.test"]
        {
            assert_eq!(ask(true, to), "550 5.1.1", "{to}");
        }
    }

    #[test]
    fn what_is_too_large_or_too_many_is_refused() {
        let begin = "LHLO mx\nMAIL FROM:<a@h.test> SIZE=";
        assert_eq!(codes(&talk(&format!("{begin}{MAX_DATA}\n")).said)[1], "250");
        assert!(talk(&format!("{begin}{}\n", MAX_DATA + 1)).said.contains("552 5.3.4 "));
        // The size may be missing, or a lie.
        let body = "a".repeat(MAX_DATA);
        let one = "MAIL FROM:<>\nRCPT TO:<games@play.test>\nRCPT TO:<games+a@play.test>\nDATA\n";
        let outcome = talk(&format!("LHLO mx\n{one}{body}\n.\n{one}short\n.\n"));
        let replies = ["250", "250", "250", "354"];
        let all = [&["250"], &replies[..], &["552", "552"], &replies[..], &["250", "250"]].concat();
        assert_eq!((codes(&outcome.said), outcome.mails.len()), (all, 1));

        let recipients = "RCPT TO:<games@play.test>\n".repeat(MAX_RECIPIENTS + 1);
        let outcome = talk(&format!("LHLO mx\nMAIL FROM:<>\n{recipients}DATA\n.\n"));
        let replies = codes(&outcome.said);
        assert_eq!(replies.iter().filter(|&&code| code == "452").count(), 1);
        // The greeting, the sender, each recipient, and the mail for each recipient.
        assert_eq!(replies.iter().filter(|&&code| code == "250").count(), 2 + 2 * MAX_RECIPIENTS);

        let long = "NOOP ".to_owned() + &"a".repeat(MAX_LINE);
        let outcome = talk(&format!("{long}\nNOOP\n"));
        assert_eq!(codes(&outcome.said), ["500", "250"]);
        let outcome = talk(&"what\n".repeat(100));
        assert!(
            outcome.is_closed && outcome.said.ends_with("421 4.7.0 Too many wrong commands\r\n")
        );
        assert_eq!(codes(&outcome.said).len(), 20);
    }

    #[test]
    fn commands_end_a_session_and_mails_do_not() {
        let outcome = talk(&format!("LHLO mx\n{}", "NOOP\nRSET\n".repeat(MAX_COMMANDS)));
        let last = "421 4.7.0 Too many commands without a mail\r\n";
        assert!(outcome.is_closed && outcome.said.ends_with(last), "{}", outcome.said);
        assert_eq!(codes(&outcome.said).len(), MAX_COMMANDS + 1);

        let mail = "RSET\nMAIL FROM:<>\nRCPT TO:<games@play.test>\nDATA\nSubject: help\n.\n";
        let outcome = talk(&format!("LHLO mx\n{}", mail.repeat(MAX_COMMANDS)));
        assert_eq!((outcome.mails.len(), outcome.is_closed), (MAX_COMMANDS, false));

        // Nor does a mail for which many recipients are refused.
        let (ours, others) = ("RCPT TO:<games@play.test>\n", "RCPT TO:<ann@play.test>\n");
        let recipients = [others.repeat(MAX_RECIPIENTS - 10), ours.repeat(MAX_RECIPIENTS)].concat();
        let outcome = talk(&format!("LHLO mx\nMAIL FROM:<>\n{recipients}DATA\nhello\n.\nNOOP\n"));
        assert_eq!((outcome.mails.len(), outcome.is_closed), (1, false));
    }

    #[test]
    fn a_sender_cannot_write_headers() {
        for sender in ["a b@h", "\"a>b\"@h.test", "j\u{fc}rgen@h.test", "a\tb@h.test"] {
            let said = talk(&format!("LHLO mx\nMAIL FROM:<{sender}>\n")).said;
            let last = codes(&said)[1].to_owned();
            assert!(last.starts_with('5'), "{sender}: {said}");
        }
        for sender in ["", "\"o'x\"@h.test", "root@localhost", "a=b+c@h.test"] {
            assert_eq!(codes(&talk(&format!("LHLO mx\nMAIL FROM:<{sender}>\n")).said)[1], "250");
        }
        let said =
            talk("LHLO mx\nMAIL FROM:<a@h.test> SMTPUTF8\nMAIL FROM:<a@h.test> FOO=1\n").said;
        assert_eq!(codes(&said)[1..], ["555", "555"]);
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(
            pieces in prop::collection::vec(
                prop_oneof![
                    prop::collection::vec(any::<u8>(), 0..40),
                    "(LHLO|EHLO|HELO|MAIL|RCPT|DATA|BDAT|AUTH|ATRN|BURL|ETRN|VRFY|NOOP) ?[ -~]{0,30}\r?\n"
                        .prop_map(String::into_bytes),
                    "(MAIL FROM|RCPT TO):<[ -~]{0,20}>( [A-Z0-9=<>;:+-]{0,20}){0,3}\r\n"
                        .prop_map(String::into_bytes),
                    Just(b"LHLO x\r\nMAIL FROM:<>\r\nRCPT TO:<games@play.test>\r\nDATA\r\n".to_vec()),
                    Just(b"EHLO x\r\nMAIL FROM:<>\r\nRCPT TO:<games@play.test>\r\nDATA\r\n".to_vec()),
                    Just(b"\r\n.\r\n".to_vec()),
                ],
                0..30,
            ),
            dialect in prop_oneof![Just(Dialect::Lmtp), Just(Dialect::Smtp)],
            piece in 1..50_usize,
        ) {
            let sent = pieces.concat();
            let outcome = talk_in_pieces(&mut session_of(dialect, true), &sent, piece, true);
            // Replies are complete lines with a code of three digits.
            prop_assert!(outcome.said.is_empty() || outcome.said.ends_with("\r\n"));
            for line in outcome.said.split_terminator("\r\n") {
                let code = line.get(..3).unwrap_or_default();
                prop_assert!(code.bytes().all(|byte| byte.is_ascii_digit()) && !code.is_empty(), "{line}");
            }
            let whole = talk_in_pieces(&mut session_of(dialect, true), &sent, usize::MAX, true);
            prop_assert_eq!(outcome, whole);
        }
    }
}
