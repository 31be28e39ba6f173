//! The package, the container and the systemd units.

#![expect(clippy::disallowed_types, reason = "the test runs systemd's checker")]

use crate::support::program::PROGRAM;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

/// The number of units.
const UNITS: usize = 5;

/// The highest allowed exposure of a service, in tenths, as `systemd-analyze security` measures it.
const EXPOSED: &str = "--threshold=15";

#[test]
#[ignore = "needs systemd: .ci/run installs it and runs this by name"]
fn units_are_understood_and_let_a_service_do_little() {
    let units = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/systemd");
    let dir = tempfile::tempdir().unwrap();
    let mut names = crate::support::program::names(&units);
    names.sort();
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
            let (is_hardened, said) = told(&["security", "--offline=true", EXPOSED], name);
            assert!(is_hardened, "{name}: {said}");
        }
    }
}

/// A Debian system in which the test installs the package; fetched once.
pub(super) static DEBIAN: LazyLock<&Path> = LazyLock::new(|| {
    let debian = Path::new(concat!(env!("CARGO_TARGET_TMPDIR"), "/debian-systemd"));
    if !debian.exists() {
        let part = debian.with_extension("part");
        let _ = fs::remove_dir_all(&part);
        let included = concat!(
            "--include=adduser,ca-certificates,curl,init-system-helpers,iproute2,logrotate,",
            "postfix,systemd-sysv"
        );
        let mut fetch = Command::new("debootstrap");
        fetch.args(["--variant=minbase", included, "bookworm"]).arg(&part);
        finished(fetch.arg("http://deb.debian.org/debian-systemd"));
        fs::rename(&part, debian).unwrap();
    }
    debian
});

/// Runs a script of `data` and returns its output.
pub(super) fn script(name: &str, words: &[&str]) -> String {
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
    let built = script("debian/build", &[concat!(env!("CARGO_PKG_VERSION"), "-1"), PROGRAM]);
    let package = built.lines().last().unwrap();
    let life = script("debian/life", &[package]);
    assert!(life.ends_with("== all of it went well\n"), "{life}");
}

#[test]
#[ignore = "needs root, debootstrap and buildah: .ci/run installs them and runs this by name"]
fn the_container_keeps_its_home_in_a_volume_and_says_how_it_is() {
    let life = script("container-life", &[PROGRAM]);
    assert!(life.ends_with("the container works\n"), "{life}");
}
