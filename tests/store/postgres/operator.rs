//! A home in a database with a password, in each way that the documents name; and a database that dies.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the test runs the program as an operator does"
)]

use crate::support::postgres::PostgresServer;
use crate::support::program::{Home, Ran, program_at, run};
use crate::web::real::Served;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const PASSWORD: &str = "h:unter\\2";

/// A server that asks the role `clerk` for a password.
fn server() -> PostgresServer {
    let engine = PostgresServer::start();
    engine.sql("postgres", &format!("CREATE ROLE clerk LOGIN PASSWORD '{PASSWORD}'"));
    let rules = "local all clerk scram-sha-256\nlocal all all trust\n";
    fs::write(engine.folder().join("data/pg_hba.conf"), rules).unwrap();
    engine.sql("postgres", "SELECT pg_reload_conf()");
    engine
}

/// Returns the URL of a new database of the role.
fn url(engine: &PostgresServer, login: &str) -> String {
    let name = engine.database();
    engine.sql("postgres", &format!("ALTER DATABASE {name} OWNER TO clerk"));
    format!("postgres://{login}@/{name}?host={}", engine.folder().display())
}

fn secret(path: PathBuf, text: &str) -> PathBuf {
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
    path
}

/// Returns a command that finds no password of the machine's user.
fn at(home: &Path, empty: &Path) -> Command {
    let mut command = program_at(home);
    command.env_remove("PGPASSFILE").env("HOME", empty);
    command
}

fn assert_done(ran: &Ran) {
    assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{}", ran.out);
}

#[test]
#[ignore = "needs PostgreSQL"]
fn a_home_in_a_database_is_made_with_a_password_in_each_documented_way() {
    let engine = server();
    let dir = tempfile::tempdir().unwrap();
    let base = dir.path();
    let file = secret(base.join("password"), &format!("{PASSWORD}\n"));
    let escaped = PASSWORD.replace('\\', "\\\\").replace(':', "\\:");
    let list = secret(base.join("list"), &format!("*:*:*:clerk:{escaped}\n"));
    let (empty, user) = (base.join("empty"), base.join("user"));
    fs::create_dir(&empty).unwrap();
    fs::create_dir(&user).unwrap();
    secret(user.join(".pgpass"), &format!("*:*:*:clerk:{escaped}\n"));
    for (at_way, way) in
        ["none", "option", "url", "list", "own list", "credential"].iter().enumerate()
    {
        let home = base.join(format!("home{at_way}"));
        let login = if *way == "url" { "clerk:h%3Aunter%5C2" } else { "clerk" };
        let url = url(&engine, login);
        let command = || {
            let mut command = at(&home, &empty);
            match *way {
                "list" => command.env("PGPASSFILE", &list),
                "own list" => command.env("HOME", &user),
                "credential" => {
                    let folder = base.join("credentials");
                    let _ = fs::create_dir(&folder);
                    secret(folder.join("store.password_file"), PASSWORD);
                    command.env("CREDENTIALS_DIRECTORY", folder)
                }
                _ => &mut command,
            };
            command
        };
        let mut init = command();
        init.args(["init", "--store", &url]);
        if *way == "option" {
            init.arg("--password-file").arg(&file);
        }
        let ran = run(&mut init, b"");
        assert!(!format!("{ran:?}").contains("unter"), "{ran:?}");
        if *way == "none" {
            assert_eq!((ran.code, ran.err.lines().count()), (Some(75), 1), "{ran:?}");
            assert!(!home.join("postboard.toml").exists(), "a later `init` may name another URL");
            continue;
        }
        assert_done(&ran);
        for words in [&["signup", "alice", "secret", "alice@pbm.test"][..], &["check"], &["init"]] {
            assert_done(&run(command().args(words), b""));
        }
    }
}

#[test]
#[ignore = "needs PostgreSQL"]
fn a_home_moves_with_its_password_file_there_and_back_and_there_again() {
    let engine = server();
    let home = Home::with_board();
    let file = secret(home.base().join("password"), PASSWORD);
    home.configure("[store]", &format!("[store]\npassword_file = \"{}\"", file.display()));
    assert_done(&run(at(&home.path(), home.base()).arg("check"), b""));
    for to in [url(&engine, "clerk"), "files".into(), url(&engine, "clerk")] {
        let ran = run(at(&home.path(), home.base()).args(["move-home", "--to", &to]), b"");
        assert_done(&ran);
        assert_done(&run(at(&home.path(), home.base()).arg("check"), b""));
        assert!(home.read("postboard.toml").contains("password_file = "), "{to}");
        let _ = fs::remove_dir_all(home.path().join("moved"));
    }
    // `init` does not hide a home in files behind one in a database.
    let other = Home::new();
    let ran = other.run(&["init", "--store", &url(&engine, "clerk")], b"");
    assert_eq!(ran.code, Some(64));
    assert!(ran.err.contains("`postboard move-home --to URL` moves it"), "{ran:?}");
}

#[test]
#[ignore = "needs PostgreSQL"]
fn a_database_that_dies_is_busy_for_browsers_and_named_by_doctor() {
    let engine = PostgresServer::start();
    let dir = tempfile::tempdir().unwrap();
    let home = dir.path().join("home");
    let url = engine.url(&engine.database());
    assert_done(&run(at(&home, dir.path()).args(["init", "--store", &url]), b""));
    let mut serve = at(&home, dir.path());
    serve.arg("serve").stderr(Stdio::null());
    let served = Served::new(serve);
    let before = served.get("/player/nobody");
    let metrics = served.get("/metrics");
    engine.stop();
    let after = served.get("/player/nobody");
    let doctor = run(at(&home, dir.path()).arg("doctor"), b"");
    let connections = |state: &str| {
        let row = format!("postboard_database_connections{{state=\"{state}\"}} ");
        let value = metrics.lines().find_map(|line| line.strip_prefix(&row));
        value.unwrap_or_else(|| panic!("{metrics}")).parse::<u32>().unwrap()
    };
    assert!(connections("in use") + connections("idle") > 0, "{metrics}");
    assert!(metrics.contains("\npostboard_database_connections_limit 32\n"), "{metrics}");
    assert!(metrics.contains("\npostboard_database_wait_duration_seconds_count "), "{metrics}");
    assert!(before.starts_with("HTTP/1.1 404 "), "{before}");
    assert!(after.starts_with("HTTP/1.1 503 "), "{after}");
    assert!(doctor.out.contains("MEND home ") && doctor.out.contains("database"), "{}", doctor.out);
}
