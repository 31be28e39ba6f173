//! Metrics for Prometheus: its conventions, and the values of a home.

use crate::operator::run::Running;
use crate::support::program::{Home, mail, run};
use prometheus_parse::{Scrape, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// Returns the value of each sample, by its name with its labels.
fn rows(text: &str) -> BTreeMap<String, f64> {
    let scrape = Scrape::parse(text.lines().map(|line| Ok(line.to_owned()))).unwrap();
    let row = |sample: prometheus_parse::Sample| {
        let (Value::Gauge(value) | Value::Counter(value)) = sample.value else {
            panic!("{sample:?} is neither a gauge nor a counter")
        };
        let mut labels: Vec<String> =
            sample.labels.iter().map(|(name, value)| format!("{name}={value}")).collect();
        labels.sort();
        (format!("{} {}", sample.metric, labels.join(",")).trim().to_owned(), value)
    };
    scrape.samples.into_iter().map(row).collect()
}

#[test]
fn the_numbers_are_those_of_the_home() {
    let home = Home::with_board();
    home.done("malaka challenge alice bob");
    assert_eq!(home.run(&["cron"], b"").code, Some(0));
    home.receive(b"From: alice@pbm.test\nSubject: help\n\n");
    home.receive(b"From: bob@pbm.test\nSubject: help\n\n");
    fs::write(home.path().join("spool/bad/1795262400000000.1.a"), "Subject: help\n\n").unwrap();
    let rows = rows(&home.run(&["metrics"], b"").out);
    for (name, value) in [
        (concat!("postboard_build_info version=", env!("CARGO_PKG_VERSION")), 1.0),
        ("postboard_mails_waiting", 2.0),
        ("postboard_mails_parked", 1.0),
        ("postboard_letters_waiting", 0.0),
        ("postboard_letters_given_up", 0.0),
        ("postboard_reports_open", 0.0),
        ("postboard_addresses_stopped", 0.0),
        ("postboard_boards_created_total game=malaka", 2.0),
        ("postboard_job_last_run_success job=cron", 1.0),
    ] {
        assert_eq!(rows.get(name), Some(&value), "{name}: {rows:#?}");
    }
    let cron = rows["postboard_job_last_run_timestamp_seconds job=cron"];
    assert!((rows["postboard_mails_oldest_timestamp_seconds"] - cron).abs() < 600.0);
    assert!(rows["postboard_home_free_bytes"] > 1e6);
    assert!(!rows.contains_key("postboard_letters_oldest_timestamp_seconds"), "none waits");
}

#[test]
fn a_process_that_stays_counts_what_it_does() {
    let home = Home::new();
    let mut running = Running::begin(&home, home.command(), &["--listen", "127.0.0.1:0"]);
    for (number, name, subject) in [
        (1, "alice", "signup alice secret"),
        (2, "bob", "signup bob secret"),
        (3, "alice", "malaka challenge alice bob"),
        (4, "bob", "malaka move 1 bob wrong a1-a2"),
        (5, "bob", "malaka frobnicate"),
        (6, "bob", "malaka show 99"),
    ] {
        home.receive(mail(number, name, "postboard@localhost", subject, "").as_bytes());
    }
    running.sent(&home, 7);
    let expected = [
        "postboard_signups_total 2",
        "postboard_commands_refused_total{reason=\"password\"} 1",
        "postboard_commands_refused_total{reason=\"syntax\"} 1",
        "postboard_commands_refused_total{reason=\"board\"} 1",
        "postboard_letters_total{cause=\"\",outcome=\"sent\"} 7",
        "postboard_players_recent{span=\"day\"} 1",
        "postboard_players_recent{span=\"month\"} 1",
    ];
    // A letter is counted after it has been written.
    let mut text = String::new();
    for _ in 0..2_000 {
        text = running.get("/metrics").1;
        if expected.iter().all(|row| text.lines().any(|line| line == *row)) {
            break;
        }
    }
    let missing: Vec<_> =
        expected.iter().filter(|row| !text.lines().any(|it| it == **row)).collect();
    assert!(missing.is_empty(), "{missing:?} {text}");
    assert_eq!(running.end(), "");
    // Only a home in a database has connections.
    assert!(!text.contains("postboard_database_connections{"), "{text}");
}

#[test]
fn names_and_kinds_are_as_prometheus_wants_them() {
    let home = Home::with_board();
    assert_eq!(home.run(&["cron"], b"").code, Some(0));
    let text = home.run(&["metrics"], b"").out;
    let words = |kind: &str| -> BTreeMap<String, String> {
        let lines = text.lines().filter_map(|line| line.strip_prefix(kind));
        lines.filter_map(|line| line.split_once(' ')).map(|(a, b)| (a.into(), b.into())).collect()
    };
    let (helps, kinds) = (words("# HELP "), words("# TYPE "));
    let names: BTreeSet<String> =
        rows(&text).keys().map(|row| row.split(' ').next().unwrap().to_owned()).collect();
    assert!(names.len() > 12);
    // The checks of `promtool check metrics`.
    for name in names {
        assert!(helps.contains_key(&name) && !helps[&name].ends_with('.'), "{name}");
        assert!(name.starts_with("postboard_"), "{name}");
        assert!(name.chars().all(|c| c.is_ascii_lowercase() || c == '_'), "{name}");
        assert_eq!(kinds[&name] == "counter", name.ends_with("_total"), "{name}");
        let units = ["milli", "minutes", "hours", "kilo", "mega", "_count", "_sum", "_bucket"];
        assert!(units.iter().all(|unit| !name.contains(unit)), "{name}");
        let times = ["timestamp", "duration"].iter().any(|word| name.contains(word));
        assert_eq!(times, name.ends_with("_seconds"), "{name}");
    }
}

#[test]
fn a_file_for_the_collector_is_put_in_place_in_one_go() {
    let home = Home::with_board();
    let file = home.base().join("postboard.prom");
    fs::write(&file, "what was there before, and is longer than nothing").unwrap();
    let ran = run(home.command().args(["metrics", "--output"]).arg(&file), b"");
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (Some(0), "", ""));
    let told = rows(&fs::read_to_string(&file).unwrap());
    assert_eq!(told.get("postboard_mails_waiting"), Some(&0.0));
    let left = fs::read_dir(home.base()).unwrap().map(|it| it.unwrap().file_name());
    assert!(left.into_iter().all(|name| !name.to_string_lossy().contains("tmp")));
}
