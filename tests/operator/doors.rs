//! Each door from an empty Debian to a first move that was played and answered, by the commands of the
//! documents, on a machine of its own with a real systemd; and what operators met there.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the tests boot machines and read what they say"
)]

use super::packaging::{DEBIAN, PACKAGE, finished};
use std::fs;
use std::path::Path;
use std::process::Command;

const CHOOSE: &str = include_str!("../../docs/operating/choose.md");

/// What every script may use.
const TOOLS: &str = include_str!("machine/tools.sh");

/// Boots a machine with Debian and Postfix, on which `script` runs as root. Returns what it printed.
fn machine(script: &str) -> String {
    let share = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    fs::copy(&*PACKAGE, share.path().join("postboard.deb")).unwrap();
    fs::write(share.path().join("run"), format!("{TOOLS}\n{script}")).unwrap();
    let units = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/systemd");
    finished(Command::new("cp").arg("-r").arg(units).arg(share.path()));
    let boot = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/operator/machine/boot");
    finished(Command::new(boot).arg(*DEBIAN).arg(share.path()))
}

/// Returns the commands of a door in choose.md.
fn commands(door: &str) -> Vec<String> {
    let title = format!("### {door}\n");
    let section = CHOOSE.split_once(&title).unwrap_or_else(|| panic!("no {door}")).1;
    let block = section.split("```text\n").nth(1).unwrap().split("```").next().unwrap();
    block.lines().map(|line| line.split("  #").next().unwrap().trim_end().to_owned()).collect()
}

/// Returns a script with the commands of a door; the second one gets the answers of the operator.
fn door(name: &str, answers: &str) -> String {
    let commands = commands(name);
    let told = format!("{} commands", ["no", "one", "two", "three"][commands.len()]);
    assert!(CHOOSE.contains(&format!("{name}: {told}")), "{told} for {name}");
    let lines = commands.iter().map(|command| match &**command {
        "postboard setup --apply" => format!("printf '{answers}' | {command} | tee /tmp/said"),
        command => command.replace("./postboard_0.2.0-1_amd64.deb", "/share/postboard.deb"),
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
#[ignore = "needs root, debootstrap and cargo-deb: .ci/run installs them and runs this by name"]
fn the_web_alone_is_two_commands_to_a_first_move() {
    let script = door("The web only", "web\\n\\nGames\\nolga\\n");
    let said = machine(&format!("{script}\n{}", include_str!("machine/web.sh")));
    assert!(said.ends_with("the move was played and answered\n"), "{said}");
}

#[test]
#[ignore = "needs root, debootstrap and cargo-deb: .ci/run installs them and runs this by name"]
fn a_mail_server_of_ones_own_is_two_commands_to_a_first_move() {
    let answers = "server\\npostboard@games.example.org\\nGames\\nroot@games.example.org\\nolga\\n";
    let script = door("A mail server of your own", answers);
    let said = machine(&format!("{script}\n{}", include_str!("machine/server.sh")));
    assert!(said.ends_with("the move was played and answered\n"), "{said}");
}

#[test]
#[ignore = "needs root, debootstrap and cargo-deb: .ci/run installs them and runs this by name"]
fn a_mailbox_at_a_provider_is_two_commands_to_a_first_move() {
    let answers =
        "mailbox\\nplay@provider.example\\nsecret of play\\nolga@provider.example\\nolga\\n";
    let script = door("A mailbox at a provider", answers);
    let provider = include_str!("machine/provider.sh");
    let said = machine(&format!("{provider}\n{script}\n{}", include_str!("machine/mailbox.sh")));
    assert!(said.ends_with("the move was played and answered\n"), "{said}");
}

#[test]
#[ignore = "needs root, debootstrap and cargo-deb: .ci/run installs them and runs this by name"]
fn what_failed_for_operators_works_under_systemd() {
    let said = machine(include_str!("machine/faults.sh"));
    assert!(said.ends_with("all of it went well\n"), "{said}");
}
