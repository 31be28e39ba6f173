//! Warnings to a player when another person may have written in their name.

use crate::support::home::Town;
use crate::support::letters::{read, reply_to};
use postboard::base::time::days;
use postboard::store::Letter;

const ALICE: &str = "alice@example.org";

/// Sets up a board and returns alice's reply address.
fn reply_address(home: &mut Town) -> String {
    reply_to(&home.say("alice", "malaka challenge alice bob"), ALICE)
}

/// Returns the warnings to alice among letters.
fn warnings(letters: &[Letter]) -> Vec<String> {
    let to_alice = letters.iter().filter(|letter| letter.to.as_str() == ALICE).map(read);
    let warned = to_alice.filter(|(subject, _)| subject == "A reply from another address");
    warned.map(|(_, text)| text).collect()
}

#[test]
fn a_reply_from_another_address_is_told_once_a_month_for_each() {
    let mut home = Town::new("h.example", true);
    let to = reply_address(&mut home);
    // Her own address in any spelling, and a refused command, cause no warning.
    for (from, line) in [(ALICE, "chat"), ("Alice@Example.org", "chat"), ("eve@evil.example", "a9")]
    {
        let letters = home.send(from, &to, "Re: x", "", &format!("{line}\nHello"));
        assert_eq!(warnings(&letters), Vec::<String>::new(), "{from} {line}");
    }
    let letters = home.send("eve@evil.example", &to, "Re: x", "", "chat\nHello, bob");
    let told = warnings(&letters);
    let [text] = &told[..] else { panic!("{told:?}") };
    assert!(text.contains("eve@evil.example") && text.contains("Malaka board 1"), "{text}");
    assert!(text.contains("\n  malaka newtoken 1 alice <password>\n"), "{text}");
    // Only alice learns of the reply.
    assert!(
        letters
            .iter()
            .all(|letter| letter.to.as_str() == ALICE
                || !read(letter).1.contains("eve@evil.example"))
    );
    for from in ["eve@evil.example", "EVE@evil.example"] {
        let letters = home.send(from, &to, "Re: x", "", &format!("chat\nMore from {}", from.len()));
        assert_eq!(warnings(&letters).len(), 0, "{from}");
    }
    home.now += days(31);
    let letters = home.send("eve@evil.example", &to, "Re: x", "", "chat\nAgain");
    assert_eq!(warnings(&letters).len(), 1);
}

#[test]
fn warnings_flood_nobody() {
    let mut home = Town::new("h.example", true);
    let to = reply_address(&mut home);
    let (mut all, mut most) = (0, 0);
    for day in 0..40 {
        let mut today = 0;
        for number in 0..10 {
            let from = format!("eve{day}.{number}@evil.example");
            let letters =
                home.send(&from, &to, "Re: x", "", &format!("chat\nHello {day} {number}"));
            today += warnings(&letters).len();
        }
        (all, most) = (all + today, most.max(today));
        home.now += days(1);
    }
    assert_eq!(most, 3);
    assert!((20..=40).contains(&all), "{all}");
    assert!(home.user("alice").warned.len() <= 20);
}
