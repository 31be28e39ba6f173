//! A user who is erased leaves nothing anywhere in the home but what the report names: the whole home is searched.

use super::duties::{DUTIES, full_home};
use crate::support::files::files_below;
use crate::support::postgres;
use crate::support::program::{self, Home, Ran};
use postboard::base::key::DOCUMENT_FOLDERS;
use postboard::base::time::Time;
use postboard::config::Limits;
use postboard::model::caches::DOCUMENT_TYPES;
use postboard::shell::CommandError;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

/// Her addresses: the registered one, and the one that a code was mailed to.
const ADDRESSES: [&str; 2] = ["alice@pbm.test", "alicia@other.test"];
/// What she wrote, where she can be reached, and what she told about herself.
const PRIVATE: [&str; 6] =
    ["kumquats", "tamarillos", "quinces", "push.test/feijoas", "cHVzaC1rZXk", "Europe/Lisbon"];

/// Builds a home in which everything that the server writes names alice.
fn home_full_of_alice() -> Home {
    let home = full_home();
    home.done("profile alice secret about I like quinces");
    home.done("set alice secret timezone Europe/Lisbon");
    home.done("change address alice secret alice@pbm.test alicia@other.test");
    home.delivered();
    subscribe_browser(&home);
    // One letter to her waits alone, another in one file with others', and one was given up.
    home.done("--message hello malaka chat 1 bob secret");
    let mail = program::mail(2, "bob", "postboard@localhost", "malaka chat 1 bob secret", "hi");
    home.receive(mail.as_bytes());
    home.process();
    assert!(
        home.names("outbox/new").iter().any(|name| name.contains('+')),
        "letters that share a file"
    );
    given_up(&home);
    park(&home, "000000000001.0.1.0.unfit", "From: Alice@PBM.test\n\nlet me in\n");
    park(&home, "000000000002.7.1.1", "From: x@y.test\n\n> alicia@other.test wrote\n");
    park(&home, "000000000003.0.1.0.unfit", "From: carol@pbm.test\n\nabout malice@pbm.test\n");
    let path = home.path();
    let put = |file: &str, text: &str| {
        fs::create_dir_all(path.join(file).parent().unwrap()).unwrap();
        fs::write(path.join(file), text).unwrap();
    };
    put("log/postboard.log.1", "2026-01-01T00:00:00Z alice@pbm.test: help\n");
    put("log/postboard.log.2.gz", "packed");
    put("outbox/alerts", "[\"a letter to alice@pbm.test waits\"]");
    put(
        "outbox/troubles",
        "{\"causes\":{},\"faults\":{\"alice@pbm.test: no such user\":1795238400}}",
    );
    put(
        "runs/cron",
        "{\"job\":\"cron\",\"at\":1795238400,\"took\":1,\"why\":\"alice@pbm.test: refused\"}",
    );
    put("backup-manifest", "digests of files, perhaps of alice@pbm.test");
    put("journal/bad/7.txn", "a damaged commit about alice@pbm.test");
    home
}

/// Writes a browser into her document, as if she had subscribed it.
fn subscribe_browser(home: &Home) {
    let mut user: serde_json::Value =
        serde_json::from_str(&home.read("users/al/alice.json")).unwrap();
    let at = user["joined"].clone();
    user["browsers"] = serde_json::json!([{
        "endpoint": "https://push.test/feijoas", "key": "cHVzaC1rZXk", "secret": "c2VjcmV0",
        "at": at, "session": at,
    }]);
    fs::write(home.path().join("users/al/alice.json"), format!("{user:#}\n")).unwrap();
}

fn given_up(home: &Home) {
    let path = home.path().join("outbox/bad/000000000001.f00d.eml");
    let content = "{\"text\":\"feijoas\"}";
    let envelope = serde_json::json!({
        "sent": 0, "bytes": content.len(), "at": 1, "name": "f00d", "sender": null,
        "to": ADDRESSES[0], "thread": null,
    });
    fs::write(&path, format!("{envelope}\n{content}\n")).unwrap();
    fs::write(format!("{}.why", path.display()), "alice@pbm.test: gone\n").unwrap();
}

fn park(home: &Home, name: &str, mail: &str) {
    let path = home.path().join("spool/bad").join(name);
    fs::write(&path, mail).unwrap();
    fs::write(format!("{}.why", path.display()), "it cannot be parsed\n").unwrap();
}

/// Returns all files of a home, as text.
fn everything(home: &Home) -> BTreeMap<String, String> {
    let read = |name: String| {
        let bytes = fs::read(home.path().join(&name)).unwrap();
        (name, String::from_utf8_lossy(&bytes).into_owned())
    };
    files_below(&home.path()).into_iter().map(read).collect()
}

/// Returns the places, files or rows, that contain a word in any case and not inside a longer address.
fn places<'a>(all: &'a BTreeMap<String, String>, word: &str) -> Vec<&'a str> {
    let holds =
        |text: &String| text.to_lowercase().replace("malice@", "").contains(&word.to_lowercase());
    all.iter().filter(|(_, text)| holds(text)).map(|(place, _)| &**place).collect()
}

fn erase(home: &Home) -> Ran {
    home.run(&["user", "erase", "alice"], b"")
}

/// Checks that the report names exactly the kinds of documents that keep her userid.
fn check_report(ran: &Ran) {
    assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{ran:?}");
    for duties in DUTIES {
        let is_told = ran.out.contains(&format!("- {}, ", duties.kind));
        let stays = duties.survives || duties.kind == "users";
        assert_eq!(is_told, stays, "{}: {}", duties.kind, ran.out);
    }
    for told in ["log/postboard.log.2.gz", "moved aside: ", "until they are sent", "receipts 90"] {
        assert!(ran.out.contains(told), "{told}: {}", ran.out);
    }
}

#[test]
fn nothing_of_an_erased_user_remains_in_files_but_what_the_report_says() {
    let home = home_full_of_alice();
    let before = everything(&home);
    // The test is worth something only if all these places name her.
    for place in [
        "users/",
        "log/postboard.log",
        "log/postboard.log.1",
        "outbox/new/",
        "outbox/bad/",
        "outbox/alerts",
        "outbox/troubles",
        "spool/bad/",
        "runs/cron",
        "journal/0.txn",
        "journal/bad/",
        "backup-manifest",
    ] {
        let named = places(&before, ADDRESSES[0]);
        assert!(named.iter().any(|name| name.starts_with(place)), "{place}: {named:?}");
    }
    for word in PRIVATE.iter().chain(&ADDRESSES) {
        assert!(!places(&before, word).is_empty(), "{word} is nowhere");
    }
    check_report(&erase(&home));
    // Only the letters that tell her wait.
    for address in ADDRESSES {
        let all = everything(&home);
        let named = places(&all, address);
        assert!(named.iter().all(|place| place.starts_with("outbox/new/")), "{named:?}");
        assert!(!named.is_empty(), "{address} is told nothing");
    }
    let mails = home.delivered();
    assert!(mails.iter().any(|mail| mail.to.contains("bob")), "letters to others stay: {mails:?}");
    let after = everything(&home);
    for word in PRIVATE.iter().chain(&ADDRESSES) {
        assert_eq!(places(&after, word), [""; 0], "{word} remains");
    }
    let hash = |text: &str| {
        text.split("\"password\": \"").nth(1).unwrap().split('"').next().unwrap().to_owned()
    };
    let hash = hash(&before["users/al/alice.json"]);
    assert!(hash.starts_with("$argon2id$") && places(&after, &hash).is_empty());
    // What she reported is evidence, and the report says so; the mail of another stays.
    assert!(
        places(&after, "persimmons").iter().all(|place| place.starts_with("documents/reports/"))
    );
    assert_eq!(program::names(&home.path().join("spool/bad")).len(), 2);
    assert_eq!(home.run(&["check"], b"").out, "");
    // Another address that the operator learns of later is looked for, too.
    home.configure("[backup]", "[backup]\nfolder = \"/backups\"\nkeep = 3\nwhole_every = 7");
    fs::write(home.path().join("log/postboard.log.1"), "old@third.test: hello\n").unwrap();
    let erased = home.done("user erase alice old@third.test");
    assert!(erased.contains("those of each night until 3 newer ones are there\n"), "{erased}");
    assert_eq!(home.read("log/postboard.log.1"), "**************: hello\n");
}

/// Returns whether her document still names an address of hers.
fn is_known(home: &Home) -> bool {
    ADDRESSES.iter().any(|address| home.read("users/al/alice.json").contains(address))
}

#[test]
fn an_erasure_that_fails_is_run_again_and_finished() {
    let home = home_full_of_alice();
    let troubles = home.path().join("outbox/troubles");
    let before = fs::read(&troubles).unwrap();
    fs::remove_file(&troubles).unwrap();
    fs::create_dir(&troubles).unwrap();
    let ran = erase(&home);
    assert!(ran.code != Some(0) && ran.err.contains("outbox/troubles"), "{ran:?}");
    assert!(is_known(&home), "her addresses are gone before the places with them are");
    fs::remove_dir(&troubles).unwrap();
    fs::write(&troubles, before).unwrap();
    check_report(&erase(&home));
    home.delivered();
    let all = everything(&home);
    for address in ADDRESSES {
        assert_eq!(places(&all, address), [""; 0], "{address} remains");
    }
    // Who is erased already is finished by naming addresses.
    let ran = erase(&home);
    assert_eq!(ran.code, Some(65));
    assert!(ran.err.contains("name them: `postboard user erase alice <address>`"), "{ran:?}");
}

/// Standard output on a full disk.
struct FullOutput;

impl Write for FullOutput {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::StorageFull.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The command ends at its first line, after the user is erased and before the second search, as by a kill.
#[test]
fn an_erasure_that_ends_after_its_commit_is_named_and_finished() {
    let home = home_full_of_alice();
    let log = home.path().join("log/postboard.log");
    let now = Time::from(fs::metadata(log).unwrap().modified().unwrap());
    let words = ["user", "erase", "alice"];
    let ended = program::run_into(&home.path(), now, &words, b"", &mut FullOutput);
    assert!(matches!(ended, Err(CommandError::Stream(_))), "{ended:?}");
    assert!(!is_known(&home), "her document is erased");
    let note = home.path().join("erasing/alice");
    assert_eq!(fs::metadata(&note).unwrap().permissions().mode() & 0o777, 0o600);
    for address in ADDRESSES {
        let all = everything(&home);
        assert!(places(&all, address).contains(&"erasing/alice"), "{address} is forgotten");
    }
    let doctor = || home.run(&["doctor"], b"").out;
    let finding = "the erasure of alice has begun and not ended, so places with their addresses may be left: run \
                   `postboard user erase alice`\n";
    assert!(doctor().contains(finding), "{}", doctor());
    // Neither a backup nor what it says of files that it leaves out has it.
    let file = home.base().join("backup.tgz").display().to_string();
    let backup = home.run(&["backup", &file], b"");
    assert!(backup.code == Some(0) && !backup.err.contains("erasing"), "{backup:?}");
    let restored = home.base().join("restored");
    let ran = program::run(program::program_at(&restored).args(["restore", &file]), b"");
    assert!(ran.code == Some(0) && !restored.join("erasing").exists(), "{ran:?}");
    // What was written before the kill is found by the addresses in the note.
    fs::write(home.path().join("log/postboard.log.3"), "alice@pbm.test: hello\n").unwrap();
    check_report(&erase(&home));
    assert_eq!(home.read("log/postboard.log.3"), "**************: hello\n");
    assert_eq!(home.names("erasing"), [""; 0]);
    assert!(!doctor().contains("erasure"), "{}", doctor());
    for address in ADDRESSES {
        let all = everything(&home);
        let named = places(&all, address);
        assert!(named.iter().all(|place| place.starts_with("outbox/new/")), "{named:?}");
        assert!(!named.is_empty(), "{address} is told nothing");
    }
    assert_eq!(erase(&home).code, Some(65), "there is nothing more to erase");
}

#[test]
fn a_refused_erasure_changes_nothing() {
    let home = home_full_of_alice();
    let read = || {
        let mut all = everything(&home);
        all.retain(|place, _| {
            ["log/", "outbox/", "spool/bad/", "runs/"].iter().any(|it| place.starts_with(it))
        });
        all
    };
    let before = read();
    fs::write(home.path().join("users/bo/bob.json"), "{").unwrap();
    let ran = erase(&home);
    assert!(ran.code == Some(65) && ran.err.contains("users/bo/bob.json"), "{ran:?}");
    assert_eq!(read(), before);
}

#[test]
fn a_former_userid_does_not_lead_to_an_erased_user() {
    let home = Home::with_board();
    for (old, new) in [("alice", "zoe"), ("zoe", "anna")] {
        assert_eq!(home.run(&["user", "rename", old, new], b"").code, Some(0));
    }
    let stubs = ["users/al/alice.json", "users/zo/zoe.json"];
    let linked = home.read(stubs[0]);
    assert!(linked.contains("\"renamed\": \"anna\""), "{linked}");
    let ran = home.run(&["user", "erase", "alice"], b"");
    assert_eq!((ran.code, &*ran.err), (Some(65), "postboard: alice is anna now\n"));
    let erased = home.done("user erase anna");
    assert!(erased.contains("former userids that no longer lead to anna: 2\n"), "{erased}");
    for stub in stubs {
        assert!(!home.read(stub).contains("anna"), "{}", home.read(stub));
    }
    // The former userid stays taken.
    let ran = home.run(&["user", "rename", "bob", "alice"], b"");
    assert!(ran.err.contains("the userid alice is taken"), "{ran:?}");
    // A user who was erased otherwise is erased again without an address.
    fs::write(home.path().join(stubs[0]), linked).unwrap();
    let ran = home.run(&["user", "erase", "anna"], b"");
    assert!(ran.out.contains("former userids that no longer lead to anna: 1\n"), "{ran:?}");
    assert!(!home.read(stubs[0]).contains("anna"));
    assert_eq!(home.run(&["user", "erase", "anna"], b"").code, Some(65));
    assert_eq!(home.run(&["check"], b"").out, "");
}

#[test]
fn a_log_that_is_not_in_the_home_is_named_as_what_remains() {
    let home = Home::with_board();
    let place = "whatever reads standard error, to which the log is written";
    let export = || home.run(&["user", "export", "alice", "-"], b"");
    assert!(!export().err.contains(place));
    home.configure("to = \"file\"", "to = \"stderr\"");
    assert!(export().err.contains(&format!("nothing from {place}")), "{:?}", export());
    let ran = erase(&home);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains(&format!("\n- {place}: addresses and the userid")), "{}", ran.out);
}

#[test]
#[ignore = "needs PostgreSQL"]
fn nothing_of_an_erased_user_remains_in_a_database_but_what_the_report_says() {
    let (engine, home) = (postgres::shared(), home_full_of_alice());
    let database = engine.database();
    home.done(&format!("move-home --to {}", engine.url(&database)));
    let tables = engine.sql(
        &database,
        "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'",
    );
    let read = || {
        let mut all = everything(&home);
        for table in tables.lines() {
            // A row as text has bytes in hexadecimal.
            let sql = format!("SELECT string_agg(it::text, E'\\n') FROM {table} it");
            all.insert(format!("table {table}"), engine.sql(&database, &sql));
            if ["letters", "aside", "mails"].contains(&table) {
                let sql =
                    format!("SELECT string_agg(encode(bytes, 'escape'), E'\\n') FROM {table}");
                all.insert(format!("bytes of {table}"), engine.sql(&database, &sql));
            }
        }
        all
    };
    let before = read();
    for place in ["table documents", "table letters", "bytes of aside", "log/postboard.log"] {
        let named = places(&before, ADDRESSES[0]);
        assert!(named.contains(&place), "{place}: {named:?}");
    }
    let ran = home.run(&["user", "export", "alice", "-"], b"");
    assert!(ran.err.contains("on any other machine that shares the database"), "{}", ran.err);
    let ran = erase(&home);
    check_report(&ran);
    let elsewhere = format!("run `postboard user erase alice {}` on each", ADDRESSES.join(" "));
    assert!(ran.out.contains(&elsewhere), "{}", ran.out);
    assert!(ran.out.contains("- moved: the files of the home before"), "{}", ran.out);
    home.delivered();
    let mut after = read();
    after.retain(|place, _| !place.starts_with("moved/"));
    for word in PRIVATE.iter().chain(&ADDRESSES) {
        assert_eq!(places(&after, word), [""; 0], "{word} remains");
    }
}

#[test]
fn all_that_the_server_holds_of_a_user_is_in_an_export() {
    let home = home_full_of_alice();
    let file = home.base().join("alice.json");
    home.done(&format!("user export alice {}", file.display()));
    let text = fs::read_to_string(&file).unwrap();
    let export: serde_json::Value = serde_json::from_str(&text).unwrap();
    for duties in DUTIES {
        if let Some(part) = duties.exported {
            assert!(text.contains(part), "{} lacks {part}: {text}", duties.kind);
        }
    }
    for word in PRIVATE.iter().chain(&ADDRESSES).filter(|word| !word.starts_with("cHVz")) {
        assert!(text.contains(word), "it lacks {word}");
    }
    assert!(export["letters"].as_array().unwrap().len() >= 2, "{}", export["letters"]);
    assert_eq!(export["parked_mails"].as_array().unwrap().len(), 2, "{}", export["parked_mails"]);
    let log = export["log"].as_array().unwrap();
    assert!(
        log.iter().any(|line| line.as_str().unwrap().contains("alice@pbm.test: help")),
        "{log:?}"
    );
    for foreign in ["bob@pbm.test", "carol@pbm.test", "argon2"] {
        assert!(!text.contains(foreign), "{foreign}: {text}");
    }
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let ran = home.run(&["user", "export", "nobody", "-"], b"");
    assert_eq!(ran.code, Some(65), "{ran:?}");
}

/// Returns the first cells of the table of what is kept, each name of them, and checks that no cell that matters is empty.
fn kept_data(page: &str) -> Vec<String> {
    let table = page.split("| data |").nth(1).expect("the page has the table");
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    rows.flat_map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        assert_eq!(cells.len(), 5, "{row}");
        assert!(cells[..4].iter().all(|cell| !cell.is_empty()), "{row}");
        let names = cells[0].split(',').map(|name| name.trim().trim_matches('`').to_owned());
        names.collect::<Vec<_>>()
    })
    .collect()
}

#[test]
fn everything_that_is_kept_has_a_row_that_says_how_long() {
    let page =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/operating/players.md"))
            .unwrap();
    let rows = kept_data(&page);
    for kind in DOCUMENT_TYPES {
        assert!(rows.contains(&kind.name().to_owned()), "no row for {}", kind.name());
    }
    // Whatever else lies in a home in use has a row, too.
    let home = home_full_of_alice();
    home.run(&["cron"], b"");
    let documents: Vec<&str> =
        DOCUMENT_FOLDERS.iter().map(|(folder, _)| folder.split('/').next().unwrap()).collect();
    for name in home.names("").iter().filter(|name| !documents.contains(&&***name)) {
        assert!(rows.contains(name), "no row for {name}");
    }
    let Limits { bad_days, parked_days, report_days, log_days, .. } = Limits::default();
    for (key, days) in [
        ("bad_days", bad_days),
        ("parked_days", parked_days),
        ("report_days", report_days),
        ("log_days", log_days),
    ] {
        assert!(page.contains(&format!("`{key}` ({days})")), "{key}");
    }
}
