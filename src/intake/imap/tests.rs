//! Sessions with servers that lie, babble or give up.

use super::ImapError;
use super::client::ImapClient;
use super::intake::{Pauses, Take, TakenMail, log_in};
use super::progress::Progress;
use super::secret::Credentials;
use super::session::Session;
use crate::base::time::Time;
use crate::config::AfterIntake;
use crate::intake::Stream;
use crate::mail::LARGEST_MAIL;
use data_encoding::BASE64;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, duplex};
use tokio::sync::watch;

/// What a session did.
struct Outcome {
    looked: Result<usize, ImapError>,
    has_finished: bool,
    mails: Vec<TakenMail>,
    /// The commands that the server got, without their tags.
    commands: Vec<String>,
}

/// The answer of an honest server with the mails 1 and 2 to a command without its tag.
fn honest(command: &str) -> String {
    honest_with(2, command)
}

/// The same with the mails from 1 to `count`.
fn honest_with(count: u32, command: &str) -> String {
    let fetched = |number: &str| {
        let mail = format!("Subject: {number}\r\n\r\n");
        format!(
            "* {number} FETCH (UID {number} INTERNALDATE \"01-Sep-2004 12:00:00 +0000\" \
             BODY[]<0> {{{}}}\r\n{mail})\r\nTAG OK done\r\n",
            mail.len()
        )
    };
    match command {
        "CAPABILITY" => "* CAPABILITY IMAP4rev1 IDLE UIDPLUS\r\nTAG OK done\r\n".into(),
        it if it.starts_with("SELECT") => {
            format!("* {count} EXISTS\r\n* OK [UIDVALIDITY 7] valid\r\nTAG OK done\r\n")
        }
        it if it.starts_with("UID SEARCH") => {
            let numbers: Vec<String> = (1..=count).map(|number| number.to_string()).collect();
            format!("* SEARCH {}\r\nTAG OK done\r\n", numbers.join(" "))
        }
        it if it.starts_with("UID FETCH ") => fetched(it.split(' ').nth(2).unwrap()),
        _ => "TAG OK done\r\n".into(),
    }
}

/// Serves a connection; `TAG` in an answer means the tag of the command.
async fn serve(
    stream: DuplexStream,
    answer: impl Fn(&str) -> String,
    commands: Arc<Mutex<Vec<String>>>,
) {
    let mut stream = BufReader::new(stream);
    let _ = stream.get_mut().write_all(b"* OK ready\r\n").await;
    let mut line = String::new();
    while let Ok(1..) = stream.read_line(&mut line).await {
        let (tag, command) = line.trim_end().split_once(' ').unwrap();
        commands.lock().unwrap().push(command.to_owned());
        let said = answer(command).replace("TAG", tag);
        if stream.get_mut().write_all(said.as_bytes()).await.is_err() {
            return;
        }
        line.clear();
    }
}

/// Looks once into the mailbox of a server. The mails after the first `room` cannot be stored.
fn look(answer: impl Fn(&str) -> String, room: usize) -> Outcome {
    look_again(&mut Progress::default(), AfterIntake::Delete, answer, room)
}

/// The same over a new connection, with what earlier sessions know of the mailbox.
fn look_again(
    progress: &mut Progress,
    after: AfterIntake,
    answer: impl Fn(&str) -> String,
    room: usize,
) -> Outcome {
    let threads = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let (mails, commands) = (Arc::new(Mutex::new(Vec::new())), Arc::default());
    let taken = Arc::clone(&mails);
    let take: Take = Arc::new(move |mail| {
        let mut taken = taken.lock().unwrap();
        let is_stored = taken.len() < room;
        taken.extend(is_stored.then_some(mail));
        is_stored
    });
    let mut has_finished = false;
    let looked = threads.block_on(async {
        let (ours, theirs) = duplex(4096);
        let session = async {
            let client = ImapClient::new(ours, false).await?;
            let mut session = Session::select(client, "INBOX", after, progress).await?;
            let looked = session.look(&take, &watch::channel(false).1).await;
            has_finished = session.has_finished;
            looked
        };
        let server = serve(theirs, answer, Arc::clone(&commands));
        tokio::select! {
            looked = session => looked,
            () = async { server.await; std::future::pending().await } => unreachable!("it is pending"),
        }
    });
    let mails = std::mem::take(&mut *mails.lock().unwrap());
    let commands = commands.lock().unwrap().clone();
    Outcome { looked, has_finished, mails, commands }
}

/// Looks at an honest server that answers commands with this beginning by `said`.
fn look_when(begin: &'static str, said: impl Into<String>) -> Outcome {
    let said = said.into();
    look(move |it| if it.starts_with(begin) { said.clone() } else { honest(it) }, 10)
}

fn why(outcome: &Outcome) -> &str {
    match &outcome.looked {
        Err(ImapError::Failed(why)) => why,
        other => panic!("{other:?}"),
    }
}

#[test]
fn each_mail_is_stored_before_any_is_deleted() {
    let outcome = look(honest, 10);
    assert_eq!(outcome.looked, Ok(2));
    let mail = |number: u8| TakenMail {
        raw: format!("Subject: {number}\r\n\r\n").into_bytes(),
        at: Time::from_unix(1_094_040_000),
        arrival: [0, 0, 0, 7, 0, 0, 0, number],
    };
    assert_eq!(outcome.mails, [mail(1), mail(2)]);
    let size = LARGEST_MAIL + 1;
    let fetch = |uid: u32| format!("UID FETCH {uid} (UID INTERNALDATE BODY.PEEK[]<0.{size}>)");
    assert_eq!(
        outcome.commands[2..],
        [
            "UID SEARCH UNDELETED".to_owned(),
            fetch(1),
            fetch(2),
            "UID STORE 1:2 +FLAGS.SILENT (\\Deleted)".into(),
            "UID EXPUNGE 1:2".into(),
        ]
    );
}

#[test]
fn only_stored_mails_are_deleted() {
    let outcome = look(honest, 1);
    assert_eq!(outcome.looked, Err(ImapError::NotTaken));
    assert_eq!(outcome.commands.last().unwrap(), "UID EXPUNGE 1");
    let outcome = look_when("UID FETCH 2 ", "TAG NO it is broken\r\n");
    assert_eq!(why(&outcome), "the server refuses to send a mail: it is broken");
    assert_eq!((outcome.mails.len(), &**outcome.commands.last().unwrap()), (1, "UID EXPUNGE 1"));
    let outcome = look_when("UID FETCH 1 ", "TAG NO it is broken\r\n");
    assert_eq!(why(&outcome), "the server refuses to send a mail: it is broken");
    assert_eq!((outcome.mails.len(), &**outcome.commands.last().unwrap()), (1, "UID EXPUNGE 2"));
    // Nobody knows what another mail's bytes, or none, are good for.
    for said in ["* 9 FETCH (UID 9 BODY[]<0> {1}\r\nx)\r\nTAG OK done\r\n", "TAG OK done\r\n"] {
        let outcome = look_when("UID FETCH 2 ", said);
        assert_eq!(outcome.looked, Ok(1), "{said}");
        assert_eq!(outcome.commands.last().unwrap(), "UID EXPUNGE 1");
    }
}

#[test]
fn a_server_cannot_fill_the_memory() {
    let much = "x".repeat(3 * LARGEST_MAIL);
    let endless = "* SEARCH ".to_owned() + &"1 ".repeat(5 << 20);
    for outcome in [
        look_when("UID FETCH 1 ", format!("* 1 FETCH (UID 1 BODY[]<0> {{999999999}}\r\n{much}")),
        look_when("UID FETCH 1 ", format!("* OK {much}")),
        look_when("SELECT", format!("* OK {much}\r\n")),
        look_when("UID SEARCH", endless),
    ] {
        assert_eq!(why(&outcome), "the server sends more than was asked for");
    }
    // One byte more than a mail may have shows that it is too long.
    let long = "x".repeat(LARGEST_MAIL + 100);
    let said =
        format!("* 1 FETCH (UID 1 BODY[]<0> {{{}}}\r\n{long})\r\nTAG OK done\r\n", long.len());
    let outcome = look_when("UID FETCH 1 ", said);
    assert_eq!((outcome.looked, outcome.mails[0].raw.len()), (Ok(2), LARGEST_MAIL + 1));
}

#[test]
fn nonsense_is_passed_over_and_much_of_it_ends_the_session() {
    let nested = "* 1 FETCH (BODYSTRUCTURE ".to_owned() + &"(".repeat(60_000) + "\r\n";
    for nonsense in [&nested, "* 1 FETCH (X-UNKNOWN 1)\r\n", "\0\u{ff}\r\n", "* SEARCH 0 -1\r\n"] {
        let outcome = look_when("UID SEARCH", nonsense.to_owned() + &honest("UID SEARCH"));
        assert_eq!(outcome.looked, Ok(2), "{}", &nonsense[..20.min(nonsense.len())]);
    }
    let outcome = look_when("UID SEARCH", "what\r\n".repeat(200));
    assert!(why(&outcome).starts_with("the server does not speak IMAP"), "{}", why(&outcome));
    assert_eq!(look_when("UID SEARCH", "* SEARCH 2 2 1 1\r\nTAG OK done\r\n").looked, Ok(2));
}

#[test]
fn a_server_that_gives_up_says_why_in_one_short_line() {
    let bye = format!("* BYE too many users {}\r\n", "x".repeat(1000));
    for begin in ["CAPABILITY", "SELECT", "UID FETCH", "UID STORE"] {
        let outcome = look_when(begin, bye.clone());
        let why = why(&outcome);
        assert!(why.starts_with("the server closes the connection: too many users x"), "{why}");
        assert!(why.len() < 300);
    }
    let outcome = look_when("SELECT", "TAG NO no such mailbox\r\n");
    assert_eq!(why(&outcome), "the server refuses the mailbox INBOX: no such mailbox");
    assert!(outcome.mails.is_empty());
}

/// How many of the commands begin so.
fn count(outcome: &Outcome, begin: &str) -> usize {
    outcome.commands.iter().filter(|command| command.starts_with(begin)).count()
}

/// Answers a command of the client.
type Server<'a> = &'a dyn Fn(&str) -> String;

#[test]
fn mails_that_may_not_leave_are_stored_once_and_hold_up_no_other() {
    let full = |it: &str| match it {
        "CAPABILITY" => "* CAPABILITY IMAP4rev1 MOVE UIDPLUS\r\nTAG OK done\r\n".into(),
        it if it.starts_with("UID MOVE") => "TAG NO [TRYCREATE] no such mailbox\r\n".into(),
        it => honest_with(65, it),
    };
    let read_only = |it: &str| match it {
        it if it.starts_with("UID STORE") => "TAG NO it is read-only\r\n".into(),
        it => honest_with(65, it),
    };
    let to = || AfterIntake::Move("Done".into());
    let move_refused = "the server refuses to move mails to Done: no such mailbox";
    let mark_refused = "the server refuses to mark mails: it is read-only";
    let servers: [(_, Server<'_>, _, _); 3] = [
        (to(), &full, "UID MOVE", move_refused),
        (AfterIntake::Delete, &read_only, "UID STORE", mark_refused),
        (AfterIntake::Seen, &read_only, "UID STORE", mark_refused),
    ];
    for (after, server, command, refused) in servers {
        let (mut progress, mut pauses) = (Progress::default(), Pauses::default());
        let mut last = None;
        for mails in [65, 0, 0] {
            let outcome = look_again(&mut progress, after.clone(), server, 100);
            assert_eq!((why(&outcome), outcome.mails.len()), (refused, mails));
            // It tries each group again.
            assert_eq!((count(&outcome, "UID FETCH"), count(&outcome, command)), (mails, 2));
            let error = outcome.looked.unwrap_err();
            let pause = Some(pauses.next(&error, outcome.has_finished));
            assert!(pause > last, "{pause:?} after {last:?}");
            last = pause;
        }
        // As soon as the server agrees, they leave; a mail that is new then is the first that counts.
        let outcome = look_again(&mut progress, after.clone(), |it| honest_with(65, it), 100);
        assert_eq!((&outcome.looked, outcome.has_finished), (&Ok(0), false));
        let outcome = look_again(&mut progress, after, |it| honest_with(66, it), 100);
        assert_eq!((&outcome.looked, outcome.has_finished), (&Ok(1), true));
        let begun = pauses.next(&ImapError::NotTaken, true);
        assert!(Some(begun) < last, "{begun:?} after {last:?}");
    }
}

#[test]
fn a_mailbox_that_is_only_read_is_told() {
    for mails in [0, 2] {
        let outcome = look(
            |it| match it {
                it if it.starts_with("SELECT") => {
                    "* NO showing only old mails\r\nTAG OK [READ-ONLY] done\r\n".into()
                }
                it => honest_with(mails, it),
            },
            10,
        );
        assert!(why(&outcome).starts_with("the server opens the mailbox only for reading"));
        assert_eq!(outcome.mails.len(), mails as usize);
    }
}

#[test]
fn a_copy_that_cannot_be_finished_is_made_once() {
    let mut progress = Progress::default();
    let read_only = |it: &str| match it {
        it if it.starts_with("UID STORE") => "TAG NO it is read-only\r\n".into(),
        it => honest(it),
    };
    for copies in [1, 0] {
        let after = AfterIntake::Move("Done".into());
        let outcome = look_again(&mut progress, after, read_only, 10);
        assert_eq!(why(&outcome), "the server refuses to mark mails: it is read-only");
        assert_eq!(count(&outcome, "UID COPY 1:2"), copies);
    }
}

#[test]
fn numbers_are_remembered_while_they_mean_the_same_mails() {
    let server = |validity: &'static str, mails: u32| {
        move |it: &str| match it {
            it if it.starts_with("SELECT") => format!("* OK [{validity}] ok\r\nTAG OK done\r\n"),
            it if it.starts_with("UID STORE") => "TAG NO it is read-only\r\n".into(),
            it => honest_with(mails, it),
        }
    };
    let mut progress = Progress::default();
    for (validity, mails, fetched) in [
        ("UIDVALIDITY 7", 2, 2),
        ("UIDVALIDITY 7", 3, 1),
        ("UIDVALIDITY 8", 3, 3),
        ("UIDVALIDITY 8", 1, 0),
        // The mails 2 and 3 had left it.
        ("UIDVALIDITY 8", 3, 2),
        ("ALERT", 3, 3),
        ("ALERT", 3, 3),
    ] {
        let server = server(validity, mails);
        let outcome = look_again(&mut progress, AfterIntake::Delete, server, 10);
        assert_eq!(count(&outcome, "UID FETCH"), fetched, "{validity}, {mails}");
    }
}

#[test]
fn a_server_that_refuses_idle_is_asked_from_time_to_time() {
    let threads = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let commands = Arc::<Mutex<Vec<String>>>::default();
    let server = |it: &str| match it {
        "IDLE" => "TAG NO not for you\r\n".into(),
        it => honest(it),
    };
    let waited = threads.block_on(async {
        let (ours, theirs) = duplex(4096);
        let mut progress = Progress::default();
        let session = async {
            let client = ImapClient::new(ours, false).await?;
            let mut session =
                Session::select(client, "INBOX", AfterIntake::Delete, &mut progress).await?;
            session.wait(true, std::future::ready(())).await?;
            session.wait(false, std::future::ready(())).await
        };
        tokio::select! {
            waited = session => waited,
            () = serve(theirs, server, Arc::clone(&commands)) => unreachable!("the session is open"),
        }
    });
    assert_eq!(waited, Ok(()));
    assert_eq!(commands.lock().unwrap().iter().filter(|it| *it == "IDLE").count(), 1);
}

#[test]
fn a_mail_that_cannot_be_read_twice_is_a_fault_after_the_others() {
    for said in [
        "TAG OK done\r\n",
        "* 1 FETCH (UID 1 INTERNALDATE nonsense BODY[]<0> {1}\r\nx)\r\nTAG OK done\r\n",
        "* 1 FETCH (UID 1 BODY[]<0> NIL)\r\nTAG OK done\r\n",
    ] {
        let mut progress = Progress::default();
        let mut look = |is_readable: bool| {
            let server = |it: &str| match it {
                it if it.starts_with("UID FETCH 1 ") && !is_readable => said.to_owned(),
                it => honest(it),
            };
            look_again(&mut progress, AfterIntake::Delete, server, 10)
        };
        // It comes first, and the other mail is taken. The server forgets to remove that one.
        let outcome = look(false);
        assert_eq!((&outcome.looked, outcome.mails.len()), (&Ok(1), 1), "{said}");
        for _ in 0..2 {
            let outcome = look(false);
            let fault = "mail 1 (its UID) cannot be read: take it out of the mailbox by hand";
            assert_eq!((why(&outcome), outcome.mails.len()), (fault, 0), "{said}");
            assert_eq!(outcome.commands.last().unwrap(), "UID EXPUNGE 2", "{said}");
        }
        let outcome = look(true);
        assert_eq!((&outcome.looked, outcome.mails.len()), (&Ok(1), 1), "{said}");
    }
}

#[test]
fn many_mails_that_cannot_be_read_hold_up_the_others_once() {
    let server = |it: &str| match it {
        it if it.starts_with("UID FETCH 131 ") => honest_with(131, it),
        it if it.starts_with("UID FETCH ") => "* 1 FETCH (nonsense)\r\nTAG OK done\r\n".into(),
        it => honest_with(131, it),
    };
    let mut progress = Progress::default();
    let mails = [1, 2].map(|_| {
        let outcome = look_again(&mut progress, AfterIntake::Delete, server, 10);
        assert!(outcome.looked.is_err());
        outcome.mails.len()
    });
    assert_eq!(mails, [0, 1]);
}

/// Logs in at a server that answers so. Returns why it fails.
fn refused_login(credentials: Credentials, said: &str) -> String {
    let threads = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let error = threads.block_on(async {
        let (ours, theirs) = duplex(4096);
        let login = async {
            let stream: Box<dyn Stream> = Box::new(ours);
            let mut client = ImapClient::new(stream, false).await?;
            log_in("bob", &mut client, credentials).await
        };
        tokio::select! {
            logged_in = login => logged_in.unwrap_err(),
            () = serve(theirs, |_| said.to_owned(), Arc::default()) => unreachable!("it is open"),
        }
    });
    match error {
        ImapError::Refused(why) | ImapError::Failed(why) => why,
        ImapError::NotTaken => panic!("no mail was taken"),
    }
}

#[test]
fn a_refusal_of_the_login_repeats_no_part_of_the_secret() {
    let secret = "Z".repeat(300);
    let message = format!("user=bob\x01auth=Bearer {secret}\x01\x01");
    let plain = format!("\0bob\0{secret}");
    let encoded = |text: &str| BASE64.encode(text.as_bytes());
    let password = || Credentials::Password(secret.clone());
    let token = || Credentials::Token(secret.clone());
    let far = format!("{} {secret}", "x".repeat(150));
    let cases: [(&dyn Fn() -> Credentials, String); 8] = [
        (&token, secret.clone()),
        (&token, far.clone()),
        (&token, encoded(&secret)),
        (&token, encoded(&message)),
        (&password, secret.clone()),
        (&password, far),
        (&password, encoded(&secret)),
        (&password, encoded(&plain)),
    ];
    for (credentials, text) in cases {
        for kind in ["TAG NO", "TAG BAD", "* BYE"] {
            let why = refused_login(credentials(), &format!("{kind} {text} is wrong\r\n"));
            assert!(why.ends_with("... is wrong"), "{why}");
            // Each base64 form of many Z repeats these letters.
            assert!(!why.contains('Z') && !why.contains("lpa"), "{why}");
        }
    }
    let quoted = Credentials::Password("Z\"Z\\Z".into());
    let why = refused_login(quoted, "TAG NO LOGIN \"Z\\\"Z\\\\Z\"\r\n");
    assert_eq!(why, "LOGIN \"...\"");
}
