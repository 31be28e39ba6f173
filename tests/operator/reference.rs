//! The tables of docs/operating/reference.md: compared with the program, or rewritten with
//! `UPDATE_GOLDEN=1`.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "runs other programs")]

use crate::support::program::{Home, run};
use postboard::base::meters::{self, CommandTally, LetterOutcome, MailOutcome};
use postboard::config::{Config, ConfigOrigin, Limits, WebLimits};
use postboard::intake::{MAX_COMMANDS, MailLimits};
use postboard::model::rate_limit::RateLimits;
use postboard::model::user::{MOST_BROWSERS, MOST_NOTICES_AN_HOUR};
use postboard::shell::exit_status;
use postboard::store::settings::ProcessEnv;
use std::collections::BTreeSet;
use std::fmt::Display;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Configurations that together use every key.
const CONFIGURATIONS: [&str; 5] = [
    "[deliver]\nby = \"sendmail\"",
    "[deliver]\nby = \"smtp\"\nhost = \"mail.example.org\"\nuser = \"postboard\"\npassword_file = \"/p\"",
    "[deliver]\nby = \"maildir\"\npath = \"/p\"",
    "[deliver]\nby = \"folder\"\npath = \"/p\"",
    "[store]\nurl = \"postgres://db.example.org/postboard\"",
];

/// Returns a table in Markdown.
fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut text = line(head.iter().map(|&it| it.to_owned()).collect());
    text += &line(head.iter().map(|_| "---".to_owned()).collect());
    rows.into_iter().for_each(|row| text += &line(row));
    text
}

/// Returns each key with its default and its environment variable, in the order of the sections.
fn keys() -> String {
    let mut all: Vec<(String, String)> = Vec::new();
    for sections in CONFIGURATIONS {
        let text = format!("address = \"postboard@games.example.org\"\n{sections}\n");
        for setting in Config::layered(&text, &ProcessEnv::default()).unwrap().in_force {
            let usual = match (&setting.from, &setting.value) {
                (ConfigOrigin::Default, Some(value)) => format!("`{value}`"),
                _ => String::new(),
            };
            match all.iter_mut().find(|(key, _)| *key == setting.key) {
                Some((_, known)) if known.is_empty() => *known = usual,
                Some(_) => {}
                None => all.push((setting.key, usual)),
            }
        }
    }
    let sample = postboard::config::SAMPLE;
    let section = |key: &str| {
        key.split_once('.')
            .map_or(0, |(section, _)| sample.find(&format!("\n[{section}]")).unwrap())
    };
    all.sort_by_key(|(key, _)| section(key));
    table(
        &["key", "default", "variable"],
        all.into_iter().map(|(key, usual)| {
            let variable = format!("`POSTBOARD_{}`", key.replace('.', "_").to_uppercase());
            vec![format!("`{key}`"), usual, variable]
        }),
    )
}

fn exit_codes() -> String {
    let row = |(code, meaning): (u8, &str)| vec![code.to_string(), meaning.to_owned()];
    table(&["code", "meaning"], exit_status::ALL.map(row))
}

/// Returns the limits. The pattern names all fields, so that the compiler reports a new field.
fn limits() -> String {
    let Limits {
        signup: _,
        engine_games: _,
        mails_a_day,
        program_moves,
        bad_mails,
        bad_megabytes,
        bad_days,
        parked_days,
        report_days,
        log_days,
        rate_limits,
    } = Limits::default();
    let RateLimits {
        help,
        prose,
        replies,
        doubted,
        errors,
        asked,
        own,
        tried,
        unread,
        bytes,
        longest,
        words,
        passwords: _,
        newcomers: _,
    } = rate_limits;
    let WebLimits { connections, per_network, header, body, answer, idle, push, push_retry } =
        WebLimits::default();
    let MailLimits { connections: of_mail_servers, of_one_peer, command, mail } =
        MailLimits::default();
    let row = |what: &str, limit: &dyn Display| vec![what.to_owned(), limit.to_string()];
    let rows = [
        row("mails to an address per day", &mails_a_day),
        row("moves of `board4` caused by one mail", &program_moves),
        row("mails kept in `spool/bad`", &bad_mails),
        row("megabytes kept in `spool/bad`", &bad_megabytes),
        row("days for which letters and mails that failed by others' fault are kept", &bad_days),
        row(
            "days for which mails that failed because of a bug in the program are kept",
            &parked_days,
        ),
        row("days for which the words of a report are kept after it was settled", &report_days),
        row("days for which a file of the log is kept after its last line", &log_days),
        row("introductions to an unknown address in 7 days", &help),
        row(
            "introductions to an address that replies to our mails without a command, per day",
            &prose,
        ),
        row("answers to other replies of an unknown sender, per day and address", &replies),
        row(
            "answers to senders whom the mail server does not vouch for, per day and address",
            &doubted,
        ),
        row("errors to senders who have proved nothing, per day and address", &errors),
        row("answers to commands without a password, such as `help`, per day and address", &asked),
        row("answers of each kind to a proven player per day", &own),
        row("answers to refused replies, per day, player and board", &tried),
        row("answers to replies without a move or command, per day, player and board", &unread),
        row("bytes of all answers that need no password, per day and address", &bytes),
        row("bytes of one answer that needs no password", &longest),
        row("messages of one user to another per day", &words),
        row("connections to the socket of LMTP, and to that of SMTP", &of_mail_servers),
        row("connections to one of them by one user of this machine or one address", &of_one_peer),
        row("commands of a mail server without a mail", &MAX_COMMANDS),
        row("seconds for a command of a mail server", &command.as_secs()),
        row("seconds for the text of a mail", &mail.as_secs()),
        row("connections of `serve`", &connections),
        row("connections of `serve` from one network", &per_network),
        row("seconds for the header of a request", &header.as_secs()),
        row("seconds for the rest of a request", &body.as_secs()),
        row("seconds until a client has read an answer", &answer.as_secs()),
        row("seconds that an HTTP/2 connection may stay idle after an answer", &idle.as_secs()),
        row("seconds that a push service may take for a notice", &push.as_secs()),
        row(
            "seconds until a notice is sent again to a push service that failed",
            &push_retry.as_secs(),
        ),
        row("devices of a user that get notices", &MOST_BROWSERS),
        row("notices of a user per hour", &MOST_NOTICES_AN_HOUR),
    ];
    table(&["what", "limit"], rows)
}

/// Returns the metrics of a home that has a value for each metric.
fn metrics() -> String {
    let home = Home::with_board();
    assert_eq!(home.run(&["cron"], b"").code, Some(0));
    home.receive(b"From: alice@pbm.test\nSubject: help\n\n");
    let mut process = home.command();
    process.args(["process"]);
    assert_eq!(run(&mut process, b"").code, Some(0));
    home.receive(b"From: bob@pbm.test\nSubject: help\n\n");
    meters::count_mail(MailOutcome::Kept);
    let tally = CommandTally { refused: vec!["syntax"], signups: 1 };
    meters::count_command("refused", Duration::ZERO, &tally);
    meters::count_letter(LetterOutcome::Sent);
    meters::set_connections(1, 2, 3);
    meters::count_connection_wait(Duration::ZERO);
    meters::count_request(200, Duration::ZERO);
    let text = home.run(&["metrics"], b"").out + &meters::text();
    let starts = |word: &str| -> Vec<(String, String)> {
        let lines = text.lines().filter_map(|line| line.strip_prefix(word)?.split_once(' '));
        lines.map(|(name, rest)| (name.to_owned(), rest.to_owned())).collect()
    };
    let kinds = starts("# TYPE ");
    table(
        &["metric", "type", "labels", "meaning"],
        starts("# HELP ").into_iter().zip(kinds).map(|((name, meaning), (same, kind))| {
            assert_eq!(name, same);
            let row = text.lines().find(|line| line.starts_with(&name)).unwrap();
            let labels =
                row.split_once('{').map_or("", |(_, rest)| rest.split('}').next().unwrap());
            let labels = labels.split(',').filter_map(|it| it.split('=').next());
            // Each histogram has this one, for the bounds of its buckets.
            let labels: Vec<&str> = labels.filter(|label| *label != "le").collect();
            vec![format!("`{name}`"), kind, labels.join(", "), meaning]
        }),
    )
}

/// Returns the names of our metrics that a text contains. A histogram has three series.
fn named(text: &str) -> BTreeSet<&str> {
    let words = text.split(|sign: char| !sign.is_ascii_alphanumeric() && sign != '_');
    let names = words.filter(|word| word.starts_with("postboard_"));
    names
        .map(|name| {
            let parts = ["_bucket", "_count", "_sum"];
            parts.iter().find_map(|part| name.strip_suffix(part)).unwrap_or(name)
        })
        .collect()
}

#[test]
fn rules_and_dashboard_ask_for_metrics_that_there_are() {
    let table = metrics();
    let known = named(&table);
    let of_file =
        |file: &str| fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap();
    let rules = of_file("data/prometheus/alerts.yml");
    let dashboard = of_file("data/grafana/postboard.json");
    serde_json::from_str::<serde_json::Value>(&dashboard).unwrap();
    for text in [&rules, &dashboard] {
        let asked = named(text);
        assert!(asked.len() > 8, "{asked:?}");
        assert!(asked.is_subset(&known), "{:?}", asked.difference(&known));
    }
}

/// Runs Prometheus' own tool, in the folder of the rules.
fn promtool(args: &[&str], input: &str) {
    let mut command = Command::new("promtool");
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("data/prometheus")).args(args);
    let ran = run(&mut command, input.as_bytes());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{args:?}: {}", ran.out);
}

#[test]
#[ignore = "needs promtool: apt-get install prometheus"]
fn prometheus_accepts_the_metrics_and_each_rule_fires_when_it_should() {
    let home = Home::with_board();
    meters::count_request(200, Duration::from_millis(3));
    promtool(&["check", "metrics"], &(home.run(&["metrics"], b"").out + &meters::text()));
    promtool(&["check", "rules", "alerts.yml"], "");
    promtool(&["test", "rules", "alerts-test.yml"], "");
}

#[test]
fn the_reference_is_what_the_program_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/operating/reference.md");
    let page = fs::read_to_string(&path).unwrap();
    let mut right = page.clone();
    let tables = [
        ("keys", keys()),
        ("exit codes", exit_codes()),
        ("limits", limits()),
        ("metrics", metrics()),
    ];
    for (name, table) in tables {
        let mark = format!("<!-- generated: {name} -->\n");
        let (head, rest) = right.split_once(&mark).expect("the table has its place");
        let (_, tail) = rest.split_once("<!-- end -->").expect("the table has an end");
        right = format!("{head}{mark}{table}<!-- end -->{tail}");
    }
    if page != right && std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, &right).unwrap();
    } else {
        assert!(
            page == right,
            "docs/operating/reference.md differs; UPDATE_GOLDEN=1 writes it anew"
        );
    }
}

/// Checks that each key of the commented sample is in the table.
#[test]
fn the_reference_has_every_key() {
    let table = keys();
    for variable in table.lines().skip(2).filter_map(|line| line.split('`').rev().nth(1)) {
        assert!(variable.starts_with("POSTBOARD_"), "{variable}");
    }
    assert_eq!(table.lines().count() - 2, 68, "a new key is in one of the configurations above");
}
