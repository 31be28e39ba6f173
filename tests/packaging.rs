//! What a machine is given besides the program.

#![expect(clippy::disallowed_types, reason = "systemd looks at its units")]

use crate::program::PROGRAM;
use std::fs;
use std::path::Path;
use std::process::Command;

/// How exposed a service may be, in tenths, as systemd counts it.
const EXPOSED: &str = "--threshold=20";

#[test]
#[ignore = "needs systemd: .ci/run installs it and runs this by name"]
fn units_are_understood_and_let_a_service_do_little() {
    let units = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/systemd");
    let dir = tempfile::tempdir().unwrap();
    let mut names = crate::program::names(&units);
    names.sort();
    assert_eq!(names.len(), 3, "{names:?}");
    for name in &names {
        let unit = fs::read_to_string(units.join(name)).unwrap();
        fs::write(dir.path().join(name), unit.replace("/usr/local/bin/postboard", PROGRAM))
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
        if name.ends_with(".service") {
            let (is_hardened, said) = told(&["security", "--offline=true", EXPOSED], name);
            assert!(is_hardened, "{name}: {said}");
        }
    }
}
