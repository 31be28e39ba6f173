//! `postboard announce`: on the home page until a day, and once in a mail to each player.

use crate::support::program::Home;

/// Runs `announce` and returns what it prints.
#[track_caller]
fn announce(home: &Home, words: &[&str]) -> String {
    let ran = home.run(&[&["announce"], words].concat(), b"");
    assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{words:?}");
    ran.out
}

#[test]
fn an_announcement_comes_once_in_a_mail_and_is_listed_until_it_is_withdrawn() {
    let home = Home::with_board();
    home.delivered();
    assert_eq!(announce(&home, &[]), "");
    let told = announce(&home, &["--until", "2999-12-20", "The", "server", "rests on Sunday."]);
    assert!(told.contains("Announcement 1 is on the home page until 2999-12-20"), "{told}");
    assert_eq!(announce(&home, &[]), "1  until 2999-12-20  The server rests on Sunday.\n");
    let news = |home: &Home| -> Vec<usize> {
        let letters = home.delivered();
        letters.iter().map(|mail| mail.text.matches("rests on Sunday").count()).collect()
    };
    assert!(news(&home).is_empty(), "an announcement by itself is no mail");
    home.done("--message hello malaka chat 1 alice secret");
    assert!(news(&home).iter().any(|count| *count > 0), "the next mail has it");
    home.done("--message again malaka chat 1 alice secret");
    assert!(news(&home).iter().all(|count| *count == 0), "and no later one");
    assert!(announce(&home, &["--withdraw", "1"]).contains("Announcement 1 is withdrawn."));
    assert_eq!(announce(&home, &[]), "");
    assert_eq!(home.run(&["check"], b"").out, "");
}

#[test]
fn what_cannot_be_announced_is_refused() {
    let home = Home::with_board();
    for (words, why) in [
        (&["--until", "2001-01-01", "late"][..], "2001-01-01 is past"),
        (&["--withdraw", "7"], "no announcement 7 is shown"),
        (&[&"x".repeat(1_001)], "the text has 1001 characters, and 1000 fit"),
    ] {
        let ran = home.run(&[&["announce"], words].concat(), b"");
        assert_eq!(ran.code, Some(65), "{ran:?}");
        assert!(format!("{}{}", ran.out, ran.err).contains(why), "{ran:?}");
    }
    let ran = home.run(&["announce", "--until", "soon", "x"], b"");
    assert_eq!(ran.code, Some(64), "{ran:?}");
    for number in 1..=5 {
        announce(&home, &[&format!("news {number}")]);
    }
    let ran = home.run(&["announce", "news 6"], b"");
    assert!(
        format!("{}{}", ran.out, ran.err).contains("5 announcements are shown already"),
        "{ran:?}"
    );
}
