//! Sessions with servers that lie, babble or give up.

use super::ImapError;
use super::client::ImapClient;
use super::intake::{Take, TakenMail};
use super::session::Session;
use crate::base::time::Time;
use crate::config::AfterIntake;
use crate::mail::LARGEST_MAIL;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, duplex};
use tokio::sync::watch;

/// What a session did.
struct Outcome {
    looked: Result<usize, ImapError>,
    mails: Vec<TakenMail>,
    /// The commands that the server got, without their tags.
    commands: Vec<String>,
}

/// The answer of an honest server with the mails 1 and 2 to a command without its tag.
fn honest(command: &str) -> String {
    let fetched = |number: u32| {
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
            "* 2 EXISTS\r\n* OK [UIDVALIDITY 7] valid\r\nTAG OK done\r\n".into()
        }
        it if it.starts_with("UID SEARCH") => "* SEARCH 1 2\r\nTAG OK done\r\n".into(),
        it if it.starts_with("UID FETCH 1 ") => fetched(1),
        it if it.starts_with("UID FETCH 2 ") => fetched(2),
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
    let threads = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let (mails, commands) = (Arc::new(Mutex::new(Vec::new())), Arc::default());
    let taken = Arc::clone(&mails);
    let take: Take = Arc::new(move |mail| {
        let mut taken = taken.lock().unwrap();
        let is_stored = taken.len() < room;
        taken.extend(is_stored.then_some(mail));
        is_stored
    });
    let looked = threads.block_on(async {
        let (ours, theirs) = duplex(4096);
        let session = async {
            let client = ImapClient::new(ours, false).await?;
            let mut session = Session::select(client, "INBOX", AfterIntake::Delete).await?;
            session.look(&take, &watch::channel(false).1).await
        };
        let server = serve(theirs, answer, Arc::clone(&commands));
        tokio::select! {
            looked = session => looked,
            () = async { server.await; std::future::pending().await } => unreachable!("it is pending"),
        }
    });
    let mails = std::mem::take(&mut *mails.lock().unwrap());
    let commands = commands.lock().unwrap().clone();
    Outcome { looked, mails, commands }
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
