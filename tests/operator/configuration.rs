//! The effective configuration: the file, overridden by the environment and by systemd's
//! credentials.

use crate::support::program::{Home, Ran, run};
use postboard::config::Config;
use serde_json::Value;
use std::fs;

/// Runs a command with variables in its environment.
fn with(home: &Home, variables: &[(&str, &str)], words: &[&str]) -> Ran {
    let mut command = home.command();
    command.args(words).env_remove("CREDENTIALS_DIRECTORY");
    run(command.envs(variables.iter().copied()), b"")
}

fn lines(ran: &Ran) -> Vec<String> {
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    ran.out.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn each_value_in_force_is_shown_with_its_source() {
    let home = Home::new();
    let variables = [
        ("POSTBOARD_NAME", "Boards of 2026"),
        ("POSTBOARD_LIMITS_BAD_DAYS", "7"),
        ("POSTBOARD_LIMITS_SIGNUP", ""),
        ("POSTBOARD_WEB_PROXIES", "10.0.0.1, ::1"),
        ("POSTBOARD_NMAE", "a typing mistake"),
    ];
    let ran = with(&home, &variables, &["config"]);
    let told = lines(&ran);
    let file = home.read("postboard.toml");
    let line = |text: &str| file.lines().position(|line| line.starts_with(text)).unwrap() + 1;
    for want in [
        format!("address = \"postboard@localhost\" # postboard.toml:{}", line("address =")),
        "name = \"Boards of 2026\" # POSTBOARD_NAME".into(),
        "# authserv_id is not set".into(),
        format!("limits.signup = true # postboard.toml:{}", line("signup =")),
        "limits.bad_days = 7 # POSTBOARD_LIMITS_BAD_DAYS".into(),
        "web.proxies = [\"10.0.0.1\", \"::1\"] # POSTBOARD_WEB_PROXIES".into(),
        "web.connections = 15000 # default".into(),
        "# POSTBOARD_NMAE: unknown key".into(),
    ] {
        assert!(told.contains(&want), "{want}: {told:#?}");
    }
    // The output is a configuration with the same values.
    let again = Config::read(&ran.out).unwrap();
    assert_eq!(again.identity().name.as_str(), "Boards of 2026");
    assert_eq!(again.limits.bad_days.get(), 7);
    let json: Value =
        serde_json::from_str(&with(&home, &variables, &["config", "--json"]).out).unwrap();
    let key =
        |name: &str| json["keys"].as_array().unwrap().iter().find(|it| it["key"] == name).unwrap();
    assert_eq!(key("limits.bad_days")["value"], 7);
    assert_eq!(key("limits.bad_days")["from"]["variable"], "POSTBOARD_LIMITS_BAD_DAYS");
    assert_eq!(key("plus")["from"]["line"], line("plus ="));
    assert_eq!(key("web.connections")["from"], "default");
    assert_eq!(json["unknown_variables"], serde_json::json!(["POSTBOARD_NMAE"]));
}

#[test]
fn the_environment_is_obeyed_and_its_mistakes_are_named() {
    let home = Home::with_board();
    let sent = home.base().join("elsewhere");
    home.done("malaka challenge alice bob");
    let path = ("POSTBOARD_DELIVER_PATH", sent.to_str().unwrap());
    assert_eq!(with(&home, &[path], &["deliver"]).code, Some(0));
    assert!(fs::read_dir(&sent).unwrap().count() > 0);
    for (name, value, want) in [
        (
            "POSTBOARD_DELIVER_LATE_MINUTES",
            "soon",
            "`late_minutes` must be a whole number from 1 to 100000",
        ),
        ("POSTBOARD_PLUS", "yes", "`plus` must be true or false"),
        ("POSTBOARD_ADDRESS", "nobody", "address = \"nobody\" is not a mail address"),
        ("POSTBOARD_DELIVER_BY", "pigeon", "by = \"pigeon\" is not one of \"nothing\","),
        ("POSTBOARD_WEB_PROXIES", "me", "proxies: \"me\" is not an IP address"),
    ] {
        let ran = with(&home, &[(name, value)], &["cron"]);
        assert_eq!(ran.code, Some(75));
        let line = format!("postboard.toml: {name}: {want}");
        assert!(ran.err.contains(&line) && ran.err.lines().count() == 1, "{want}: {}", ran.err);
    }
}

#[test]
fn secrets_come_from_files_that_systemd_hands_over_and_are_never_shown() {
    let home = Home::new();
    home.configure(
        &home.by_folder(),
        "by = \"smtp\"\nhost = \"127.0.0.1\"\nport = 9\nuser = \"p\"",
    );
    // Without the credential a password is missing: mails come in, and none leaves.
    assert_eq!(with(&home, &[], &["receive"]).code, Some(0));
    let ran = with(&home, &[], &["deliver"]);
    assert_eq!((ran.code, ran.err.lines().count()), (Some(75), 1), "{ran:?}");
    assert!(ran.err.contains("there is no password for user = \"p\""), "{ran:?}");
    let credentials = home.base().join("credentials");
    fs::create_dir(&credentials).unwrap();
    fs::write(credentials.join("deliver.password_file"), "hunter2\n").unwrap();
    fs::write(credentials.join("web.key"), "").unwrap();
    fs::write(credentials.join("web.certificate"), "a chain").unwrap();
    let mut command = home.command();
    command.env("CREDENTIALS_DIRECTORY", &credentials);
    let ran = run(command.arg("config"), b"");
    let told = lines(&ran);
    for want in [
        format!(
            "deliver.password_file = \"{}/deliver.password_file\" # the credential \
             deliver.password_file; contains a secret",
            credentials.display()
        ),
        format!(
            "web.key = \"{}/web.key\" # the credential web.key; empty or unreadable",
            credentials.display()
        ),
    ] {
        assert!(told.contains(&want), "{want}: {told:#?}");
    }
    let json = run(command.arg("--json"), b"").out;
    assert!(json.contains("\"is_secret_set\": true"), "{json}");
    assert!(!ran.out.contains("hunter2") && !json.contains("hunter2"));
    // A `password_file` in the configuration file overrides the credential, and a database without
    // a password gets no credential.
    home.configure("user = \"p\"", "user = \"p\"\npassword_file = \"/etc/postboard/mine\"");
    let mut command = home.command();
    let told = lines(&run(command.env("CREDENTIALS_DIRECTORY", &credentials).arg("config"), b""));
    assert!(told.iter().any(|line| line.contains("\"/etc/postboard/mine\" # postboard.toml:")));
}
