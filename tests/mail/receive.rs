//! `receive` accepts the mail or exits with 75; no other exit code is allowed.

use crate::support::program::{self, Home, Ran, mail};

#[test]
fn receive_with_other_wishes_does_not_take_the_mail() {
    let home = Home::new();
    let raw = mail(1, "alice", "postboard@localhost", "help", "");
    for words in [
        ["receive", "--help"],
        ["receive", "-h"],
        ["--version", "receive"],
        ["--help", "receive"],
        ["-V", "receive"],
    ] {
        let mut command = home.command();
        let ran = program::run(command.args(words), raw.as_bytes());
        let said = "postboard: `receive` reads one mail from standard input and takes no arguments; no mail was taken\n";
        let put_off = Ran { code: Some(75), out: String::new(), err: said.into() };
        assert_eq!(ran, put_off, "{words:?}");
        assert_eq!(home.names("spool/new"), [""; 0], "{words:?}");
    }
    let help = program::run(home.command().args(["--help", "signup", "receive"]), b"");
    assert!(help.code.unwrap() == 0 && help.out.contains("Usage"), "{help:?}");
}
