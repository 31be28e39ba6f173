//! The package, the container and the systemd units.

#![expect(clippy::disallowed_types, reason = "the test runs systemd's checker")]

use crate::support::program::{Home, PROGRAM, names, run};
use clap::Parser as _;
use postboard::shell::cli::{Cli, Job};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use yaml_rust2::YamlLoader;

/// The number of units.
const UNITS: usize = 6;

/// The highest allowed exposure of a service, in tenths, as `systemd-analyze security` measures it.
const EXPOSED: &str = "--threshold=15";

#[test]
#[ignore = "needs systemd: .ci/run installs it and runs this by name"]
fn units_are_understood_and_let_a_service_do_little() {
    let units = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/systemd");
    let dir = tempfile::tempdir().unwrap();
    let names = names(&units);
    assert_eq!(names.len(), UNITS, "{names:?}");
    for name in &names {
        let unit = fs::read_to_string(units.join(name)).unwrap();
        fs::write(
            dir.path().join(name),
            unit.replace("ExecStart=postboard", &format!("ExecStart={PROGRAM}")),
        )
        .unwrap();
    }
    let told = |words: &[&str], name: &str| {
        let mut analyze = Command::new("systemd-analyze");
        let ran = analyze.args(words).arg(dir.path().join(name)).output().unwrap();
        let said = [ran.stdout, ran.stderr].map(|it| String::from_utf8_lossy(&it).into_owned());
        (ran.status.success(), said.concat())
    };
    for name in &names {
        assert_eq!(told(&["verify", "--man=no"], name), (true, String::new()), "{name}");
        let unit = fs::read_to_string(units.join(name)).unwrap();
        // The package installs the page of the manual in this section.
        assert!(unit.contains("\nDocumentation=man:postboard(8)\n"), "{name}");
        if name.ends_with(".service") {
            // A service whose failures count as success never starts its `OnFailure=`.
            assert!(!unit.contains("\nSuccessExitStatus="), "{name}");
            assert_fails_for_good(name, &unit);
            let (is_hardened, said) = told(&["security", "--offline=true", EXPOSED], name);
            assert!(is_hardened, "{name}: {said}");
        }
    }
}

/// Checks that a service reaches the limit of its starts within its time. Otherwise systemd would start
/// it again and again, and never start its `OnFailure=`.
fn assert_fails_for_good(name: &str, unit: &str) {
    let number = |key: &str| -> Option<u32> {
        let line = unit.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('='));
        line.map(|value| value.parse().unwrap())
    };
    let Some(pause) = number("RestartSec") else { return };
    let (starts, within) = (number("StartLimitBurst"), number("StartLimitIntervalSec"));
    assert!(starts.unwrap() * pause < within.unwrap(), "{name}: {starts:?} {within:?}");
}

/// A unit that the package's scripts do not know would run on after the package is removed, or stay enabled.
#[test]
fn the_package_starts_stops_and_purges_every_unit_that_can_be_enabled() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |file: &str| fs::read_to_string(root.join(file)).unwrap();
    let scripts = ["postinst", "prerm", "postrm"];
    // The words of commands, without comments.
    let words = scripts.map(|name| {
        let text = read(&format!("data/debian/scripts/{name}"));
        let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
        lines.flat_map(str::split_whitespace).map(str::to_owned).collect::<Vec<_>>()
    });
    let units = names(&root.join("data/systemd"));
    let is_enabled = |name: &&String| read(&format!("data/systemd/{name}")).contains("[Install]");
    let enabled: Vec<&String> = units.iter().filter(is_enabled).collect();
    assert!(enabled.len() >= 5, "{enabled:?}");
    for unit in enabled {
        let unit = unit.replace('@', "@*");
        for (script, words) in scripts.iter().zip(&words) {
            // Nobody knows the names of instances when the package is purged.
            if *script == "postrm" && unit.contains('@') {
                continue;
            }
            let is_named = |word: &String| word.trim_matches('\'') == unit;
            assert!(words.iter().any(is_named), "{script} does not know {unit}");
        }
    }
}

/// The most variables that an operator sets for a container.
const VARIABLES: usize = 5;

/// Checks that these words run the program.
fn assert_runs(command: &[String]) {
    let words = ["postboard".to_owned()].into_iter().chain(command.iter().cloned());
    let cli = Cli::try_parse_from(words).unwrap_or_else(|why| panic!("{command:?}: {why}"));
    assert!(matches!(cli.job, Job::Run(_)), "{command:?}");
}

#[test]
fn containers_run_everything_with_one_volume_and_few_variables() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = fs::read_to_string(root.join("Containerfile")).unwrap();
    let usual = file.lines().find_map(|line| line.strip_prefix("CMD ")).unwrap();
    assert_runs(&serde_json::from_str::<Vec<String>>(usual).unwrap());
    assert_eq!(file.lines().filter(|line| line.starts_with("VOLUME ")).count(), 1);
    for name in ["mailbox", "postfix"] {
        let text = fs::read_to_string(root.join(format!("data/compose/{name}.yaml"))).unwrap();
        let compose = &YamlLoader::load_from_str(&text).unwrap()[0];
        assert_eq!(compose["services"].as_hash().unwrap().len(), 1, "{name}");
        let service = &compose["services"]["postboard"];
        assert_eq!(service["volumes"].as_vec().unwrap().len(), 1, "{name}");
        assert_eq!(service["volumes"][0].as_str(), Some("games:/var/lib/postboard"), "{name}");
        assert_eq!(compose["volumes"].as_hash().unwrap().len(), 1, "{name}");
        let context = service["build"]["context"].as_str().unwrap();
        assert!(root.join("data/compose").join(context).join("Containerfile").exists(), "{name}");
        if let Some(command) = service["command"].as_vec() {
            let words: Vec<_> = command.iter().map(|it| it.as_str().unwrap().to_owned()).collect();
            assert_runs(&words);
        }
        let variables = service["environment"].as_hash().unwrap();
        assert!(variables.len() <= VARIABLES, "{name}");
        let home = Home::new();
        let mut command = home.command();
        for (key, value) in variables {
            let value = value.as_str().unwrap_or_else(|| panic!("{name}: quote {value:?}"));
            command.env(key.as_str().unwrap(), value);
        }
        let ran = run(command.arg("config"), b"");
        assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{name}");
        assert!(!ran.out.contains("unknown key"), "{name}: {}", ran.out);
    }
}

#[test]
fn a_release_names_what_is_missing_to_compile_for_the_other_machine() {
    let dir = tempfile::tempdir().unwrap();
    // Nothing else is found, so a release that refuses nothing compiles nothing.
    let path = dir.path().join("bin");
    fs::create_dir(&path).unwrap();
    for name in ["bash", "dirname", "head", "sed"] {
        symlink(Path::new("/usr/bin").join(name), path.join(name)).unwrap();
    }
    let library = dir.path().join("aarch64-unknown-linux-gnu");
    fs::create_dir(&library).unwrap();
    let refused = || {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/release");
        let mut release = Command::new(script);
        release
            .env("PATH", &path)
            .env("ONLY", "aarch64-unknown-linux-gnu")
            .env("LIBRARIES", dir.path());
        // A function of Bash for `rustc -vV`, and for `rustc --print target-libdir --target MACHINE`.
        let rustc = concat!(
            "() { case $1 in -vV) echo host: x86_64-unknown-linux-gnu ;;",
            " *) echo \"$LIBRARIES/$4\" ;; esac; }"
        );
        let ran = run(release.env("BASH_FUNC_rustc%%", rustc), b"");
        assert_eq!((ran.code, &*ran.out), (Some(1), ""), "{}", ran.err);
        ran.err
    };
    assert_eq!(
        refused(),
        format!(
            "data/release: {} has no libstd: \
             rustup target add aarch64-unknown-linux-gnu, or apt install libstd-rust-dev:arm64\n",
            library.display()
        )
    );
    fs::write(library.join("libstd-0.rlib"), "").unwrap();
    assert_eq!(
        refused(),
        "data/release: aarch64-linux-gnu-gcc is missing: \
         apt install gcc-aarch64-linux-gnu libc6-dev-arm64-cross\n"
    );
}

/// cron would run the jobs twice, or dpkg would find its file changed.
#[test]
fn the_documents_name_no_cron_file_of_the_package() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap();
    let of_package: Vec<&str> = cron_files(&manifest);
    assert_eq!(of_package, ["postboard", "postboard"]);
    let mut written = 0;
    for name in names(&root.join("docs/operating")) {
        let page = fs::read_to_string(root.join("docs/operating").join(&name)).unwrap();
        for line in page.lines().filter(|line| line.starts_with("cat > /etc/cron.d/")) {
            let file = cron_files(line)[0];
            assert!(!of_package.contains(&file), "{name}: {line}");
            written += 1;
        }
    }
    assert!(written >= 2, "{written}");
}

fn cron_files(text: &str) -> Vec<&str> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let found = text.split("etc/cron.d/").skip(1);
    found.map(|rest| rest.split(|c| !is_name(c)).next().unwrap()).collect()
}

/// A Debian system in which the test installs the package; fetched once.
pub(super) static DEBIAN: LazyLock<&Path> = LazyLock::new(|| {
    let debian = Path::new(concat!(env!("CARGO_TARGET_TMPDIR"), "/debian-mail"));
    if !debian.exists() {
        let part = debian.with_extension("part");
        let _ = fs::remove_dir_all(&part);
        let included = concat!(
            "--include=adduser,ca-certificates,curl,dovecot-imapd,init-system-helpers,iproute2,",
            "logrotate,postfix,systemd-sysv"
        );
        let mut fetch = Command::new("debootstrap");
        fetch.args(["--variant=minbase", included, "bookworm"]).arg(&part);
        finished(fetch.arg("http://deb.debian.org/debian"));
        fs::rename(&part, debian).unwrap();
    }
    debian
});

/// The Debian package, built once.
pub(super) static PACKAGE: LazyLock<PathBuf> = LazyLock::new(|| {
    let built = script("debian/build", &[concat!(env!("CARGO_PKG_VERSION"), "-1"), PROGRAM]);
    PathBuf::from(built.lines().last().unwrap())
});

/// Runs a script of `data` and returns its output.
fn script(name: &str, words: &[&str]) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(name);
    finished(Command::new(path).args(words).env("FAST", "1").env("BASE", *DEBIAN))
}

/// Runs a command that must succeed and returns its output.
pub(super) fn finished(command: &mut Command) -> String {
    let ran = command.output().unwrap();
    let [told, wrong] =
        [ran.stdout, ran.stderr].map(|it| String::from_utf8_lossy(&it).into_owned());
    assert!(ran.status.success(), "{command:?}:\n{told}\n{wrong}");
    told
}

#[test]
#[ignore = "needs root, debootstrap and cargo-deb: .ci/run installs them and runs this by name"]
fn the_debian_package_lives_from_installation_to_purge() {
    let life = script("debian/life", &[PACKAGE.to_str().unwrap()]);
    assert!(life.ends_with("== all of it went well\n"), "{life}");
}

#[test]
#[ignore = "needs root, debootstrap and buildah: .ci/run installs them and runs this by name"]
fn the_container_keeps_its_home_in_a_volume_and_says_how_it_is() {
    let life = script("container-life", &[PROGRAM]);
    assert!(life.ends_with("the container works\n"), "{life}");
}
