//! Raw mails: parsed parts keep their invariants, and every command line in them is parsed.

#![no_main]

use libfuzzer_sys::fuzz_target;
use postboard::command;
use postboard::command::Trust;
use postboard::server::requests;
use postboard::mail::{Address, unquoted_text, parse};
use std::sync::LazyLock;

static OWN: LazyLock<Address> =
    LazyLock::new(|| Address::parse("postboard@games.example").expect("an address"));

fuzz_target!(|raw: &[u8]| {
    let Ok(message) = parse(raw, &OWN) else { return };
    let hidden = |c: char| c.is_control() || ('\u{202A}'..='\u{202E}').contains(&c);
    assert!(!message.subject.contains(hidden), "{:?}", message.subject);
    assert!(!message.text.contains(|c| c != '\n' && hidden(c)), "{:?}", message.text);
    assert!(message.text.is_empty() || message.text.ends_with('\n'));
    assert!(message.to.len() <= 50 && message.references.len() <= 20);
    unquoted_text(&message.text);
    let tagged = requests::tag(&message).is_some();
    for request in requests::find_requests(&message, tagged, None).into_iter().flatten() {
        if let Err(refusal) = command::parse(&request.line, &Trust::Untrusted) {
            let _ = (refusal.to_string(), refusal.hint());
        }
        let _ = command::parse(&request.line, &Trust::Operator);
    }
});
