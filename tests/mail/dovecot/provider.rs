//! `setup` with a mailbox at a provider, in the terminal and on its page: Dovecot has the mailbox, and Postfix takes
//! mails from who logs in, in their own name alone.

use super::idle::{Cut, proxy};
use super::{Boxes, Service};
use crate::mail::postfix::Postfix;
use crate::support::program::{Mail, names, run};
use crate::web::setup::{Place, Started};
use std::fs;
use std::net::TcpListener;
use std::process::Command;

const ADDRESS: &str = "postboard@pbm.test";
const OPERATOR: &str = "alice@pbm.test";
const WORKS: &str = "A mail to postboard@pbm.test came back and was executed; its answer goes to alice@pbm.test. It works.";

/// A provider of mailboxes.
struct Provider {
    boxes: Boxes,
    _post: Postfix,
    submission: u16,
}

/// How `setup` reaches the provider.
struct Way {
    is_trusted: bool,
    imap: u16,
    smtp: u16,
    password: &'static str,
}

impl Provider {
    fn start() -> Self {
        let boxes = Boxes::begin(&[Service::Tls, Service::Passwords]);
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let submission = listener.local_addr().unwrap().port();
        drop(listener);
        let folder = boxes.dir.path().display().to_string();
        let variables = [
            ("SUBMISSION", submission.to_string()),
            ("SASL", boxes.sasl.to_string()),
            ("BOXES", folder),
        ];
        let lmtp = format!("inet:127.0.0.1:{}", boxes.lmtp);
        let (post, _) = Postfix::with_services(&lmtp, &variables);
        Self { boxes, _post: post, submission }
    }

    fn way(&self) -> Way {
        let (imap, smtp) = (self.boxes.imaps, self.submission);
        Way { is_trusted: true, imap, smtp, password: "secret" }
    }

    /// Returns ways on which no mail is tried, each with the words that say why.
    fn broken(&self) -> [(Way, &'static str); 5] {
        let way = || self.way();
        // Amid the login, and amid the handshake of TLS.
        let cut = |port, bytes| proxy(port, move |_| Cut::AfterBytes(bytes));
        [
            (Way { password: "sekret", ..way() }, "the login of postboard@pbm.test is refused ("),
            (Way { is_trusted: false, ..way() }, "no authority that this machine trusts"),
            (Way { imap: self.boxes.imap, ..way() }, "it does not speak TLS at this port"),
            (
                Way { imap: cut(self.boxes.imaps, 3_000), ..way() },
                "the server closes the connection",
            ),
            (Way { smtp: cut(self.submission, 1_000), ..way() }, "localhost:"),
        ]
    }

    /// Returns a command that reaches the provider on this way.
    fn command(&self, place: &Place, way: &Way) -> Command {
        let mut command = place.command();
        command.env("POSTBOARD_IMAP_HOST", "localhost").env("POSTBOARD_DELIVER_HOST", "localhost");
        command.env("POSTBOARD_IMAP_PORT", way.imap.to_string());
        // Without these the sample would be no configuration.
        command.env("POSTBOARD_IMAP_USER", ADDRESS);
        command.env("POSTBOARD_IMAP_PASSWORD_FILE", place.at("mail-password"));
        command.env("POSTBOARD_DELIVER_PORT", way.smtp.to_string());
        if way.is_trusted {
            command.env("SSL_CERT_FILE", self.boxes.dir.path().join("authority.pem"));
        }
        command
    }

    /// Returns the mails that the operator has got, and the number of those in the server's mailbox.
    fn mails(&self) -> (Vec<Mail>, usize) {
        let of = |user: &str| {
            let folder = self.boxes.dir.path().join("boxes").join(user);
            let files = ["new", "cur"].map(|part| folder.join(part));
            let files = files.iter().filter(|it| it.exists());
            let paths = files.flat_map(|it| names(it).into_iter().map(|name| it.join(name)));
            paths.map(|path| Mail::read(&fs::read(path).unwrap())).collect::<Vec<Mail>>()
        };
        (of("alice"), of("postboard").len())
    }

    /// Waits until the operator has got this many answers to `help`. Others tell of the new account.
    fn answers(&self, count: usize) {
        loop {
            let (mails, left) = self.mails();
            let answers = mails.iter().filter(|mail| mail.subject == "Help").count();
            if answers == count {
                assert_eq!(left, 0, "mails are left in the mailbox");
                return;
            }
            assert!(answers < count);
            std::thread::yield_now();
        }
    }
}

/// Returns the configuration with `HOME` for the folder of the home.
fn written(place: &Place) -> String {
    place.config().replace(place.home().to_str().unwrap(), "HOME")
}

#[test]
#[ignore = "needs Postfix and Dovecot: .ci/run installs them and runs this by name"]
fn setup_reads_its_mail_back_from_a_mailbox_and_answers_it() {
    let provider = Provider::start();
    // In the terminal.
    let place = Place::new();
    let answers = format!("mailbox\n{ADDRESS}\nsecret\n{OPERATOR}\nolga\n");
    let mut setup = provider.command(&place, &provider.way());
    let ran = run(setup.arg("setup"), answers.as_bytes());
    assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{}", ran.out);
    assert!(ran.out.ends_with(&format!("{WORKS}\n")), "{}", ran.out);
    provider.answers(1);
    let config = written(&place);
    // A second time it asks nothing.
    let mut setup = provider.command(&place, &provider.way());
    let ran = run(setup.arg("setup"), b"");
    assert!(ran.code == Some(0) && ran.out.ends_with(&format!("{WORKS}\n")), "{ran:?}");
    provider.answers(2);
    assert_eq!(written(&place), config);

    // On the page.
    let place = Place::new();
    let started = Started::with(provider.command(&place, &provider.way()), "run");
    let mut visitor = started.opened();
    let answers = [
        ("address", ADDRESS),
        ("password", "secret"),
        ("own-address", OPERATOR),
        ("administrator", "olga"),
    ];
    visitor.answer("mailbox", &answers);
    visitor.awaited().says(200, WORKS);
    provider.answers(3);
    place.assert_untouched();
    let finish = visitor.form("/setup", "/setup/finish");
    visitor.post(&finish).says(200, "The server is set up");
    assert_eq!(written(&place), config);
    assert!(config.contains("password_file = \"HOME/mail-password\"\n"), "{config}");
    assert_eq!(fs::read_to_string(place.at("mail-password")).unwrap(), "secret\n");
}

#[test]
#[ignore = "needs Postfix and Dovecot: .ci/run installs them and runs this by name"]
fn a_provider_that_does_not_let_setup_in_is_named_and_nothing_is_written() {
    let provider = Provider::start();
    for (way, words) in provider.broken() {
        let place = Place::new();
        let answers = format!("mailbox\n{ADDRESS}\n{}\n{OPERATOR}\nolga\n", way.password);
        let mut setup = provider.command(&place, &way);
        let ran = run(setup.arg("setup"), answers.as_bytes());
        assert_eq!((ran.code, ran.err.lines().count()), (Some(65), 1), "{ran:?}");
        assert!(ran.err.contains(words) && ran.err.contains("nothing was set up"), "{ran:?}");
        assert!(!ran.err.contains(way.password) && !ran.out.contains(way.password), "{ran:?}");
        place.assert_untouched();

        let started = Started::with(provider.command(&place, &way), "run");
        let mut visitor = started.opened();
        let answers = [
            ("address", ADDRESS),
            ("password", way.password),
            ("own-address", OPERATOR),
            ("administrator", "olga"),
        ];
        visitor.answer("mailbox", &answers);
        let page = visitor.awaited().says(200, "The mailbox cannot be used: ");
        let page = page.says(200, &words.replace('&', "&amp;"));
        assert_eq!(page.body.matches("class=\"problem\"").count(), 1, "{}", page.body);
        assert!(!page.body.contains(way.password), "{}", page.body);
        place.assert_untouched();
    }
    let (mails, left) = provider.mails();
    assert_eq!((mails.len(), left), (0, 0));
}
