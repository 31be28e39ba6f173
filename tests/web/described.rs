//! The published description of the API, compared with the answers of the real server.

#![expect(clippy::disallowed_types, reason = "the test runs a server and a client")]
#![expect(clippy::disallowed_methods, reason = "the test runs programs")]

use super::real::Served;
use crate::support::program::Home;
use std::path::Path;
use std::process::Command;

/// The path at which `.ci/run` installs schemathesis.
const SCHEMATHESIS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/target/schemathesis/bin/st");

/// The settings of schemathesis.
const SETTINGS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/web/schemathesis.toml");

/// Schemathesis sends some thousand requests that the description allows or forbids. Each answer
/// must match the description, and the server must refuse all forbidden requests.
/// `SCHEMATHESIS_SEED` selects other requests. The event stream is excluded because it never ends;
/// the tests in `programs` cover it.
#[test]
#[ignore = "needs schemathesis: `cargo test --test postboard described -- --ignored`"]
fn the_server_answers_as_its_description_says() {
    assert!(Path::new(SCHEMATHESIS).exists(), "{SCHEMATHESIS}: install it as `.ci/run` does");
    let home = Home::with_board();
    let served = Served::of(&home);
    let key = key(&served, "alice");
    let seed = std::env::var("SCHEMATHESIS_SEED").unwrap_or_else(|_| "1".into());
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let mut command = Command::new(SCHEMATHESIS);
    command.current_dir(folder.path()).args(["--config-file", SETTINGS, "run"]);
    command.arg(format!("http://{}/api/v1/openapi.json", served.address));
    command.args(["--header", &format!("Authorization: Bearer {key}")]);
    command.args(["--checks", "all", "--exclude-path", "/events", "--no-color"]);
    command.args(["--seed", &seed, "--max-examples", "40", "--generation-database", "none"]);
    command.args(["--continue-on-failure", "--request-timeout", "20"]);
    let ran = command.output().unwrap();
    let told = [ran.stdout, ran.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(ran.status.success(), "seed {seed}: {}", told.concat());
    assert!(told[0].contains("Tested: 17"), "{}", told[0]);
    let check = home.run(&["check"], b"");
    assert_eq!((check.code, check.out.as_str(), check.err.as_str()), (Some(0), "", ""));
}

/// Creates a key for a user's program and returns it.
fn key(served: &Served, user: &str) -> String {
    let body = format!("{{\"userid\": \"{user}\", \"password\": \"secret\"}}");
    let reply = served.said(&format!(
        "POST /api/v1/keys HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        served.address,
        body.len()
    ));
    let told = reply.split("\r\n\r\n").nth(1).unwrap();
    let told: serde_json::Value = serde_json::from_str(told).unwrap();
    told["key"].as_str().unwrap().to_owned()
}
