//! Limits on accounts, exact to the second, and the shell's answers about them.

use crate::support::home::setup;
use games::Scripted;
use postboard::base::chance::ScriptedRandom;
use postboard::base::time::{DAY, Span, Time, seconds};
use postboard::config::{Config, SAMPLE};
use postboard::model::user;
use postboard::server::{Server, ShellAnswer, shell_request};
use postboard::store::{DocumentKind, Documents as _, MemoryStore, Store as _};

const START: Time = Time::from_unix(1_093_003_200);

/// Executes a command of the shell.
fn say(memory: &mut MemoryStore, line: &str, now: Time) -> ShellAnswer {
    let setup = setup(Config::read(SAMPLE).unwrap());
    let mut chance = ScriptedRandom::new(Scripted::default());
    let mut server = Server::new(&setup, &mut chance);
    let request = shell_request(line.into(), false, "hello".into());
    let answer = server.execute_shell_command(&request, &*memory, now).unwrap();
    memory.commit(server.take_transaction()).unwrap();
    answer
}

#[test]
fn the_shell_names_an_address() {
    let mut memory = MemoryStore::new();
    let ShellAnswer { text, is_done } = say(&mut memory, "signup alice secret", START);
    assert!(!is_done && text.contains("the mail address is missing"), "{text}");
    assert!(memory.keys(DocumentKind::In(user::COLLECTION)).unwrap().is_empty());
    assert!(say(&mut memory, "signup alice secret alice@example.org", START).is_done);
    // The shell, too, refuses an address of the server itself.
    let ShellAnswer { text, is_done } =
        say(&mut memory, "signup bob secret postboard+x@localhost", START);
    assert!(!is_done && text.contains("this address belongs to this server"), "{text}");
    let before =
        memory.load(&memory.keys(DocumentKind::In(user::COLLECTION)).unwrap()[0]).unwrap().text;
    let ShellAnswer { text, is_done } = say(&mut memory, "change address alice secret", START);
    assert!(!is_done && text.contains("the mail address is missing"), "{text}");
    assert_eq!(
        memory.load(&memory.keys(DocumentKind::In(user::COLLECTION)).unwrap()[0]).unwrap().text,
        before
    );
    assert!(say(&mut memory, "change address alice secret alice@home.example", START).is_done);
}

#[test]
fn a_broadcast_is_for_once_in_24_hours_and_after_seven_days() {
    let mut memory = MemoryStore::new();
    assert!(say(&mut memory, "signup alice secret alice@example.org", START).is_done);
    let mut broadcast = |after: Span| say(&mut memory, "broadcast alice secret", START + after);
    let ShellAnswer { text, is_done } = broadcast(7 * DAY - seconds(1));
    assert!(!is_done && text.contains("once you have been here for 7 days"), "{text}");
    assert!(broadcast(7 * DAY).is_done);
    let ShellAnswer { text, is_done } = broadcast(8 * DAY - seconds(1));
    assert!(!is_done && text.contains("in the last 24 hours"), "{text}");
    assert!(broadcast(8 * DAY).is_done);
}
