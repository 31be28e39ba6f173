//! Passwords and addresses in players' messages: no opponent reads them, and no document stores
//! them.

use crate::support::letters::texts;
use crate::support::script::{ScriptHome, perform};

/// Makes a board on which it is alice's turn and a1-a4 is legal. Her password is `secret`.
fn stage() -> ScriptHome {
    let mut stage = ScriptHome::new();
    perform(&mut stage, "dice 3\n~ malaka challenge alice bob\ndice 12\n");
    stage
}

/// Returns the mail that bob gets when alice replies with these words.
fn told(stage: &mut ScriptHome, words: &str) -> String {
    texts(&stage.answer(words, 0), "bob@example.org").concat()
}

#[test]
fn no_password_is_passed_on_or_kept() {
    for words in [
        "chat alice secret\nHello",
        "chat 1 alice secret\nHello",
        "chat alice: secret, Hello",
        "alice secret\na1-a4\n\nHello",
        "a1-a4\nalice secret\n\nHello",
        "a1-a4\n\nHello\nI typed malaka move 1 alice secret a1-a4 and nothing came",
        "a1-a4\n\nHello\nmy password is secret.",
        "a1-a4\n\nHello\nPassword:secret",
        "a1-a4\n\nHello\nAlice/secret",
        "a1-a4\n\nHello\n(alice, \"secret\")",
        "a1-a4\n\nHello\nalice secret1 secret2 secret\nsecret, as I said",
    ] {
        let mut stage = stage();
        let text = told(&mut stage, words);
        assert!(!text.contains("secret"), "{words}: {text}");
        if text.contains("writes") && !words.contains(", Hello") {
            assert!(text.contains("Hello"), "{words}: {text}");
        }
        for (key, text) in stage.documents() {
            assert!(!text.contains("secret"), "{words}: {key:?} has {text}");
        }
    }
}

#[test]
fn words_that_are_no_password_stay() {
    let text = told(&mut stage(), "a1-a4\n\nalice says hello again, no password needed, right?");
    assert!(text.contains("> alice says hello again, no password needed, right?"), "{text}");
}

#[test]
fn words_behind_a_userid_beyond_the_compared_ones_are_withheld() {
    let lines: Vec<String> = (0..20).map(|n| format!("alice guess{n:02}")).collect();
    let text = told(&mut stage(), &format!("a1-a4\n\nHello\n{}", lines.join("\n")));
    assert!(text.contains("Hello") && text.contains("guess00"), "{text}");
    assert!(!text.contains("guess19"), "{text}");
}

#[test]
fn no_address_of_a_player_or_of_the_server_is_passed_on() {
    for words in [
        "write to alice@example.org",
        "write to ALICE@Example.ORG, or alice+games@example.org",
        "To: alice@example.org",
        "Till: <alice@example.org>\nFr\u{E5}n: postboard@localhost",
        "bob@example.org is yours",
        "alice@\nexample.org",
        "postboard+b17-x@localhost",
    ] {
        for line in ["a1-a4\n\n", "chat\n"] {
            let text = told(&mut stage(), &format!("{line}Hello\n{words}"));
            let said: Vec<&str> =
                text.lines().filter(|line| line.trim().starts_with('>')).collect();
            let said = said.join("\n").to_lowercase();
            assert!(said.contains("hello"), "{words}: {text}");
            assert!(!said.contains("@example.org") && !said.contains("@localhost"), "{said}");
            assert!(!said.contains("example.org\n") && !said.ends_with("example.org"), "{said}");
        }
    }
}
