//! `receive` takes the mail or says 75: nothing else may happen to it.

use crate::program::{self, Home, Ran, mail};

#[test]
fn receive_with_other_wishes_does_not_take_the_mail() {
    let home = Home::new();
    let raw = mail(1, "alice", "postboard@localhost", "help", "");
    let silent = Ran { code: Some(75), out: String::new(), err: String::new() };
    for words in [
        ["receive", "--help"],
        ["receive", "-h"],
        ["--version", "receive"],
        ["--help", "receive"],
        ["-V", "receive"],
    ] {
        let mut command = home.command();
        assert_eq!(program::run(command.args(words), raw.as_bytes()), silent, "{words:?}");
        assert_eq!(home.names("spool/new"), [""; 0], "{words:?}");
    }
    let help = program::run(home.command().args(["--help", "signup", "receive"]), b"");
    assert!(help.code.unwrap() == 0 && help.out.contains("Usage"), "{help:?}");
}
