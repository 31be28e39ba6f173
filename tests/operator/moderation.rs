//! `reports` and `moderate`: the queue of reports, sanctions, bans, and the log of acts.

use crate::support::program::Home;
use postboard::base::time::{DAY, HOUR, Time};
use std::fs;

/// A forgery of a document.
type Edit<'a> = &'a dyn Fn(&str) -> String;

/// Returns a home in which alice has reported bob for his message on Malaka 1.
fn reported() -> Home {
    let home = Home::with_board();
    home.done("--message donkey malaka chat 1 bob secret");
    home.done("--message insults malaka report 1 alice secret");
    home.delivered();
    home
}

/// Returns what a refused command prints.
fn refused(home: &Home, words: &str) -> String {
    let words: Vec<&str> = words.split(' ').collect();
    let ran = home.run(&words, b"");
    assert!(ran.code != Some(0), "{words:?}: {}", ran.out);
    format!("{}{}", ran.out, ran.err)
}

#[test]
fn reports_are_listed_shown_and_settled() {
    let home = reported();
    let list = home.done("reports list");
    assert!(
        list.starts_with("1  ") && list.contains("alice about bob on malaka 1: insults"),
        "{list}"
    );
    let status = |line: &str| home.done("status").lines().any(|it| it == line);
    assert!(status("Reports   1 open: see `postboard reports list`"), "{}", home.done("status"));
    let shown = home.done("reports show 1");
    assert!(shown.contains("Board: malaka 1\n\n  insults\n\nbob, "), "{shown}");
    assert!(shown.ends_with(" UTC:\n  donkey\n"), "{shown}");
    assert!(refused(&home, "reports show 2").contains("there is no report 2"));
    assert!(refused(&home, "reports settle 2 nothing").contains("there is no report 2"));
    assert_eq!(home.done("reports settle 1 bob was warned"), "Report 1 is settled.\n");
    assert!(refused(&home, "reports settle 1 again").contains("settled already"));
    assert!(status("Reports   none open"), "{}", home.done("status"));
    assert_eq!(home.done("reports list"), "");
    assert!(home.done("reports list --settled").contains("insults -- bob was warned"));
    let mails = home.delivered();
    assert_eq!(mails.len(), 1, "{mails:?}");
    assert!(mails[0].to.contains("alice@") && mails[0].text.contains("settled"), "{mails:?}");
    assert_eq!(home.done("check"), "");
}

#[test]
fn sanctions_and_bans_are_listed_while_they_are_in_force() {
    let home = reported();
    assert_eq!(home.done("moderate list"), "");
    home.done("moderate mute bob insults");
    home.done("moderate ban @spam.test --until 2999-12-31 spam");
    home.done("moderate ban 192.0.2.7/24 more spam");
    home.done("moderate appoint alice she helps");
    let list = home.done("moderate list");
    for line in [
        "alice  administrator\n",
        "bob  muted: insults\n",
        "@spam.test  banned until 3000-01-01 00:00 UTC: spam\n",
        "192.0.2.0/24  banned: more spam\n",
    ] {
        assert!(list.contains(line), "{line}{list}");
    }
    home.done("moderate lift bob he apologized");
    home.done("moderate lift @spam.test they pay");
    home.done("moderate dismiss alice tired");
    assert_eq!(home.done("moderate list"), "192.0.2.0/24  banned: more spam\n");
    for (words, why) in [
        ("moderate suspend bob stalling", "the end of the suspension is missing"),
        ("moderate suspend bob --until 2001-01-01 stalling", "the end is not in the future"),
        ("moderate suspend bob --until soon stalling", "`soon` is not a day"),
        ("moderate ban 192.0.2.0/25 spam", "is neither a userid, nor an address"),
        ("moderate ban nobody spam", "nobody here is called nobody"),
        ("moderate ban board1 cheating", "nobody here is called board1"),
        ("moderate mute @spam.test spam", "nothing is in force against @spam.test"),
        ("moderate lift bob nothing", "nothing is in force against bob"),
        ("moderate lift carol@pbm.test nothing", "nothing is in force against carol@pbm.test"),
        ("moderate dismiss bob nothing", "bob is not an administrator"),
    ] {
        let said = refused(&home, words);
        assert!(said.replace('\n', " ").replace("  ", " ").contains(why), "{words}: {said}");
    }
}

#[test]
fn the_log_survives_backup_and_renaming_and_tells_who_acted() {
    let home = reported();
    home.done("moderate suspend bob --until 2999-12-31 insults");
    home.done("moderate lift bob he apologized");
    let log = home.done("moderate log");
    assert!(log.contains("operator ") && log.contains(": suspend bob until 3000-01-01"), "{log}");
    assert!(log.contains(": lift bob: he apologized\ndigest after entry 2: "), "{log}");
    assert_eq!(home.done("moderate log --last 1").lines().count(), 2);
    home.done("user rename bob robert");
    assert_eq!(home.done("moderate log"), log);
    assert!(home.done("reports show 1").contains("alice about robert"));
    let backup = home.base().join("backup.tar.gz");
    home.done(&format!("backup {}", backup.display()));
    let other = Home::new();
    other.done(&format!("restore {} --replace", backup.display()));
    assert_eq!(other.done("moderate log"), log);
    assert_eq!(other.done("check"), "");
    // Acts are in the log of the program, too.
    let logs = fs::read_dir(home.path().join("log")).unwrap();
    let logs: String = logs.map(|file| fs::read_to_string(file.unwrap().path()).unwrap()).collect();
    assert!(logs.contains("suspend bob by operator "), "{logs}");
}

#[test]
fn check_finds_edits_and_gaps_of_the_log_and_of_reports() {
    let home = reported();
    home.done("moderate mute bob insults");
    home.done("moderate lift bob praise");
    home.done("moderate mute bob insults");
    let page = home.path().join("documents/audit/0/0.json");
    let docket = home.path().join("documents/moderation/do/docket.json");
    let report = home.path().join("documents/reports/1/1.json");
    let check = || home.run(&["check"], b"");
    assert_eq!((check().code, &*check().out), (Some(0), ""));
    let without_last = |text: &str| {
        let mut page: serde_json::Value = serde_json::from_str(text).unwrap();
        page["entries"].as_array_mut().unwrap().pop();
        page.to_string()
    };
    let edits: [(_, Edit, &str); 5] = [
        (&page, &|text| text.replace("praise", "malice"), "entry 2 of the log was changed"),
        (&page, &|text| without_last(text), "the log of acts has 2 entries, but"),
        (
            &docket,
            &|text| text.replace("\"entries\": 3", "\"entries\": 2"),
            "the log of acts has 3",
        ),
        (&docket, &|text| text.replace("    1\n", ""), "differ about report 1"),
        (&docket, &|text| text.replace("\"reports\": 1", "\"reports\": 2"), "report 2 is missing"),
    ];
    for (file, edit, found) in edits {
        let text = fs::read_to_string(file).unwrap();
        let edited = edit(&text);
        assert_ne!(edited, text, "{found}");
        fs::write(file, edited).unwrap();
        let ran = check();
        assert!(ran.code != Some(0) && ran.out.contains(found), "{found}: {ran:?}");
        fs::write(file, text).unwrap();
    }
    fs::remove_file(report).unwrap();
    assert!(check().out.contains("report 1 is missing"));
    // A damaged docket takes no acts: they could not be logged.
    fs::write(&docket, "{").unwrap();
    assert!(refused(&home, "moderate ban bob insults").contains("cannot be done at the moment"));
    assert!(!home.done("user show bob").contains("banned"));
}

#[test]
fn a_player_reports_at_the_shell() {
    let home = Home::with_board();
    assert!(
        home.done("--message insults report alice secret bob").contains("sent to the operator")
    );
}

#[test]
fn the_words_of_a_settled_report_are_removed_when_their_time_is_over() {
    let home = reported();
    home.configure("report_days = 365", "report_days = 10");
    let settled = Time::from(std::time::SystemTime::now()) + DAY;
    home.done_at(settled, "reports settle 1 bob was warned");
    // What is decided at the settlement stays as it was.
    home.configure("report_days = 10", "report_days = 20");
    let report = || home.read("documents/reports/1/1.json");
    let words = ["donkey", "insults", "warned"];
    home.done_at(settled + 10 * DAY - HOUR, "remind");
    assert!(words.iter().all(|word| report().contains(word)), "{}", report());
    home.done_at(settled + 10 * DAY + HOUR, "remind");
    assert!(!words.iter().any(|word| report().contains(word)), "{}", report());
    let shown = home.done("reports show 1");
    assert!(shown.contains("alice about bob") && shown.contains("words were removed"), "{shown}");
    assert_eq!(home.done_at(settled + 10 * DAY + HOUR, "check"), "");
    // An open report is kept.
    home.done("--message again malaka report 1 alice secret");
    home.done_at(settled + 1_000 * DAY, "remind");
    assert!(home.read("documents/reports/2/2.json").contains("again"));
}
